// Which frames coincide with a frame of their body; kinematics has a shortcut for these.
#pragma once

#include <cmath>

#include "torsor/compile/draft.hpp"

namespace torsor::compiler {

inline bool is_same_point(const Vec& a, const Vec& b) {
  return std::abs(a.x - b.x) < kSameFrame && std::abs(a.y - b.y) < kSameFrame && std::abs(a.z - b.z) < kSameFrame;
}

// q and -q are the same rotation
inline bool is_same_rotation(const Rotation& a, const Rotation& b) {
  const auto is_near = [&a](const Rotation& c) {
    return std::abs(a.w - c.w) < kSameFrame && is_same_point(a.vec(), c.vec());
  };
  return is_near(b) || is_near({-b.w, -b.x, -b.y, -b.z});
}

// X_BA is attached to a body whose inertial frame is X_BI.
inline SameFrame find_same_frame(const Frame& X_BA, const Frame& X_BI) {
  const Frame identity = Frame::identity();
  if (is_same_rotation(X_BA.q, identity.q))
    return is_same_point(X_BA.p, identity.p) ? SameFrame::kBody : SameFrame::kBodyRotation;
  if (is_same_rotation(X_BA.q, X_BI.q))
    return is_same_point(X_BA.p, X_BI.p) ? SameFrame::kInertia : SameFrame::kInertiaRotation;
  return SameFrame::kNone;
}

}  // namespace torsor::compiler
