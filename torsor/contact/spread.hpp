// Of many points of one contact, at most four that span the most.
#pragma once

#include "torsor/contact/manifold.hpp"

namespace torsor {

// `points` go round the overlap of two features; `size` is that of the smaller feature. The deepest comes first.
// It is always among the four, unless all are equally deep: then those with the largest area are taken. Of equals the
// first in order is taken, and small differences count as equal: rounding does not choose.
int choose_spread(const ManifoldPoint* points, int count, const Vec3<double>& normal_F, double size,
                  ManifoldPoint* out);

}  // namespace torsor
