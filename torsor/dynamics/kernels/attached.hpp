// Frames that are attached to bodies: inertial frames, geoms and sites.
#pragma once

#ifndef __CUDACC__
#include "torsor/math/four.hpp"
#endif
#include "torsor/math/quat.hpp"
#include "torsor/model/data.hpp"

namespace torsor {
inline namespace TORSOR_ISA {

// Where a body is, ready to carry many points and directions from its axes to W's.
template <class T>
struct PlacedBody {
  using Vector = Vec3<T>;
  ConstPointerTo<T> xpos, xmat;  // read at every use: twelve packs do not fit into registers

  TORSOR_INLINE PlacedBody(ConstPointerTo<T> p_WoBo_W, ConstPointerTo<T> R_WB) : xpos(p_WoBo_W), xmat(R_WB) {}
  TORSOR_INLINE Vector direction(const Vec3<T>& v_B) const { return load9(xmat) * v_B; }
  TORSOR_INLINE Vector point(const Vec3<T>& p_BoP_B) const { return load3(xpos) + direction(p_BoP_B); }
};

#ifndef __CUDACC__
// In one world a vector is in one register, and a rotation in three: its columns.
template <>
struct PlacedBody<double> {
  using Vector = Lanes3;
  Lanes3 p_WoBo_W, x, y, z;

  TORSOR_INLINE PlacedBody(const double* xpos, const double* xmat)
      : p_WoBo_W(xpos[0], xpos[1], xpos[2]),
        x(xmat[0], xmat[3], xmat[6]),
        y(xmat[1], xmat[4], xmat[7]),
        z(xmat[2], xmat[5], xmat[8]) {}
  TORSOR_INLINE Vector direction(const Vec3<double>& v_B) const { return x * v_B.x + y * v_B.y + z * v_B.z; }
  TORSOR_INLINE Vector point(const Vec3<double>& p_BoP_B) const {
    return p_WoBo_W + x * p_BoP_B.x + y * p_BoP_B.y + z * p_BoP_B.z;
  }
};
#endif

// Frames of one kind: where each sits on its body, and where the result goes.
template <class T>
struct Attached {
  const unsigned char* same_frame;
  const double *pos, *quat;
  PointerTo<T> xpos, xmat;
};

TORSOR_INLINE SameFrame same_frame_of(unsigned char code) { return static_cast<SameFrame>(code); }

// Nine numbers as they are. (A copy of as many packs would become a call.)
template <class To, class From>
TORSOR_INLINE void copy9(To to, From from) {
  using T = ElementOf<To>;
  if constexpr (std::is_arithmetic_v<T>)
    __builtin_memcpy(to, from, 9 * sizeof(T));
  else
    store9(to, load9(from));
}

// Where frame i is, on body b: the cheap cases first.
template <class T>
TORSOR_INLINE void place_attached(const DataView<T>& data, const Attached<T>& frames, int i, int b) {
  const SameFrame same = same_frame_of(frames.same_frame[i]);
  const auto xpos = frames.xpos + 3 * i, xmat = frames.xmat + 9 * i;
  if (same == SameFrame::kInertia) {
    store3(xpos, load3(data.xipos.row(b, 3)));
    copy9(xmat, data.ximat.row(b, 9));
    return;
  }
  if (same == SameFrame::kBody) {
    store3(xpos, load3(data.xpos.row(b, 3)));
    copy9(xmat, data.xmat.row(b, 9));
    return;
  }
  const Mat3<T> R_WB = load9(data.xmat.row(b, 9));
  store3(xpos, load3(data.xpos.row(b, 3)) + R_WB * load3<T>(frames.pos + 3 * i));
  if (same == SameFrame::kBodyRotation)
    copy9(xmat, data.xmat.row(b, 9));
  else if (same == SameFrame::kInertiaRotation)
    copy9(xmat, data.ximat.row(b, 9));
  else
    store9(xmat, to_mat(load4(data.xquat.row(b, 4)) * load4<T>(frames.quat + 4 * i)));
}

#ifndef __CUDACC__
// Frames with a rotation of their own wait here until there are four.
struct WaitingRotations {
  FourRows<const double> q_WB, q_BF;
  FourRows<double> R_WF;
  int count = 0;

  TORSOR_INLINE void add(const double* xquat, const double* quat, double* xmat) {
    q_WB.row[count] = xquat;
    q_BF.row[count] = quat;
    R_WF.row[count] = xmat;
    if (++count == 4) {
      store9(R_WF, to_mat(load4(q_WB) * load4(q_BF)));
      count = 0;
    }
  }
  TORSOR_INLINE void finish() const {
    for (int i = 0; i < count; ++i) store9(R_WF.row[i], to_mat(load4(q_WB.row[i]) * load4(q_BF.row[i])));
  }
};

// Places frames [begin, end) of one world; body(i) is the body of frame i. Those of one body follow each other.
template <class BodyOf>
TORSOR_INLINE void place_all_attached(const DataView<double>& data, const Attached<double>& frames, int begin, int end,
                                      BodyOf&& body) {
  if (begin == end) return;
  int current = body(begin);
  PlacedBody<double> placed(data.xpos.row(current, 3), data.xmat.row(current, 9));
  WaitingRotations waiting;
  for (int i = begin; i < end; ++i) {
    const int b = body(i);
    const SameFrame same = same_frame_of(frames.same_frame[i]);
    double *xpos = frames.xpos + 3 * i, *xmat = frames.xmat + 9 * i;
    if (same == SameFrame::kBody || same == SameFrame::kInertia) {
      place_attached(data, frames, i, b);
      continue;
    }
    if (b != current) placed = PlacedBody<double>(data.xpos.row(b, 3), data.xmat.row(b, 9));
    current = b;
    store3(xpos, placed.point(load3(frames.pos + 3 * i)));
    if (same == SameFrame::kNone)
      waiting.add(data.xquat.row(b, 4), frames.quat + 4 * i, xmat);
    else
      copy9(xmat, (same == SameFrame::kBodyRotation ? data.xmat : data.ximat).row(b, 9));
  }
  waiting.finish();
}
#endif
template <class T, class BodyOf>
TORSOR_INLINE void place_all_attached(const DataView<T>& data, const Attached<T>& frames, int begin, int end,
                                      BodyOf&& body) {
  for (int i = begin; i < end; ++i) place_attached(data, frames, i, body(i));
}

}  // namespace TORSOR_ISA
}  // namespace torsor
