// Which geoms the model lets touch, wherever they are.
#pragma once

#include "torsor/model/contact_plan.hpp"

namespace torsor {

// Types of contact, bodies that are fixed to each other, parents and children.
inline bool may_touch(const ContactTag& a, const ContactTag& b) {
  const bool wanted = ((a.contype & b.conaffinity) | (b.contype & a.conaffinity)) != 0;
  return wanted & (a.weld != b.weld) & (a.weld != b.parent) & (b.weld != a.parent);
}

// Pairs of bodies that the model excludes, and predefined pairs of geoms (contact/pair), which are candidates anyway.
bool is_listed(const Model& model, const ContactTag& a, const ContactTag& b);

}  // namespace torsor
