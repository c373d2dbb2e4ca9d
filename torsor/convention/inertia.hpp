// Converts the inertia of a body between conventions: reference point, axes and form.
#pragma once

#include <array>

#include "torsor/convention/rigid.hpp"

namespace torsor {

// Ours: about the centre of mass, in the body's axes.
struct BodyInertia {
  double mass = 0;
  Vec3<double> p_BoBcm_B = Vec3<double>::zero();
  Sym3<double> I_BBcm_B = Sym3<double>::zero();
};

enum class InertiaForm : char {
  kUnspecified,
  kMujocoFull,  // xx yy zz xy xz yz, as MuJoCo's fullinertia
  kUrdf,        // xx xy xz yy yz zz
  kMatrix,      // nine numbers, row by row
  kPrincipal,   // three moments, then the rotation of their axes as the row writes rotations; only about the COM
};

// Numbers of a form: what follows mass and COM.
int inertia_width(const Row& row, InertiaForm form);

// Mass, COM, then the form, about `point` (the origin or the COM), in the row's units and axes of the body. Throws an
// Error for forms that the row or the point does not allow, and for impossible inertia (a moment larger than the sum of
// the others, or a negative one).
void write_inertia(const Row& row, InertiaForm form, Point point, const BodyInertia& inertia, double* out);
BodyInertia read_inertia(const Row& row, InertiaForm form, Point point, const double* in);

// The 6 x 6 matrix I, row-major, whose product with a twist v of the row is the dual momentum, so that v' I v / 2 is
// the energy in every convention.
std::array<double, 36> spatial_inertia(const Row& row, const BodyPlace<double>& place, const BodyInertia& inertia);

}  // namespace torsor
