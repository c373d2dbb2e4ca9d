// Compiled once per instruction set.
#include "torsor/constraint/kernels/contact_jacobian.hpp"

#include <cstddef>

#include "torsor/math/four_spatial.hpp"

namespace torsor {
inline namespace TORSOR_ISA {
namespace {

TORSOR_INLINE void store_number(double* to, double x) { *to = x; }
TORSOR_INLINE void store_number(double* to, const Four& x) { store_as(to, x.v); }

// One dof (T = double), or four that follow each other in the list.
template <class T>
TORSOR_INLINE void write_columns(const ContactPointRows& rows, const Twist<T>& S_Tcm_W, const T& sign,
                                 const Vec3<T>& p_TcmC_W, int count, double* J) {
  const auto axis = [&](int k) { return load3<T>(rows.frame + 3 * k); };
  const Vec3<T> w = S_Tcm_W.w * sign, v = S_Tcm_W.v * sign + cross(w, p_TcmC_W);
  const T along = dot(axis(0), v);
  const auto write = [&](int tangent, const T& slip) __attribute__((always_inline)) {
    if (!rows.is_pyramid) return store_number(J + std::ptrdiff_t(tangent) * count, slip);
    double* edge = J + std::ptrdiff_t(2 * (tangent - 1)) * count;
    const T part = T(rows.friction[tangent - 1]) * slip;
    store_number(edge, along + part);
    store_number(edge + count, along - part);
  };
  if (!rows.is_pyramid) store_number(J, along);
  if (rows.dim < 3) return;
  write(1, dot(axis(1), v));
  write(2, dot(axis(2), v));
  if (rows.dim > 3) write(3, dot(axis(0), w));
  if (rows.dim < 6) return;
  write(4, dot(axis(1), w));
  write(5, dot(axis(2), w));
}

TORSOR_INLINE void write_one(const ContactPointRows& rows, const double* cdof, int dof, bool second, int count,
                             double* J) {
  write_columns<double>(rows, load6(cdof + 6 * std::ptrdiff_t(dof)), second ? 1.0 : -1.0, load3(rows.p_TcmC_W[second]),
                        count, J);
}

TORSOR_INLINE void write_four(const ContactPointRows& rows, const double* cdof, const int* dof,
                              const unsigned char* side, int count, double* J) {
  FourRows<const double> S;
  for (int k = 0; k < 4; ++k) S.row[k] = cdof + 6 * std::ptrdiff_t(dof[k]);
  const bool second = side[0] == 2;
  if (side[0] == side[1] && side[0] == side[2] && side[0] == side[3])
    return write_columns<Four>(rows, load6(S), Four(second ? 1.0 : -1.0), load3<Four>(rows.p_TcmC_W[second]), count, J);
  typedef unsigned char Sides __attribute__((vector_size(4)));
  Sides sides;
  __builtin_memcpy(&sides, side, sizeof sides);
  const Four is_second = Four::wrap(__builtin_convertvector(sides, Four::Vector)) - Four(1);  // 0 or 1
  const auto of_side = [&](double first, double last) __attribute__((always_inline)) {
    return select(is_second > Four(0), Four(last), Four(first));
  };
  const double *p = rows.p_TcmC_W[0], *q = rows.p_TcmC_W[1];
  const Vec3<Four> p_TcmC_W{of_side(p[0], q[0]), of_side(p[1], q[1]), of_side(p[2], q[2])};
  write_columns<Four>(rows, load6(S), of_side(-1, 1), p_TcmC_W, count, J);
}

// The last four may include dofs that are there already.
void write_jacobian(const ContactPointRows& rows, const double* cdof, const int* dof, const unsigned char* side,
                    int count, double* J) {
  if (count < 4) {
    for (int k = 0; k < count; ++k) write_one(rows, cdof, dof[k], side[k] == 2, count, J + k);
    return;
  }
  for (int k = 0; k < count; k += 4) {
    const int first = k + 4 <= count ? k : count - 4;
    write_four(rows, cdof, dof + first, side + first, count, J + first);
  }
}

}  // namespace

extern const ContactKernels kContactKernels;
const ContactKernels kContactKernels = {.write_jacobian = write_jacobian};

}  // namespace TORSOR_ISA
}  // namespace torsor
