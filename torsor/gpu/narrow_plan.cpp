#include "torsor/gpu/narrow_plan.hpp"

#include "torsor/contact/pairs.hpp"

namespace torsor::gpu {

NarrowKind narrow_kind(PairFunction function) {
  if (function == capsule_box) return NarrowKind::kCapsuleBox;
  if (function == box_box) return NarrowKind::kBoxBox;
  if (function == plane_mesh) return NarrowKind::kPlaneMesh;
  if (function == plane_cone) return NarrowKind::kPlaneCone;
  if (function == field_convex) return NarrowKind::kField;
  return function == convex_convex ? NarrowKind::kConvex : NarrowKind::kCount;
}

}  // namespace torsor::gpu
