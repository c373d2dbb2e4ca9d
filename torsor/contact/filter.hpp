// Which geoms the model lets touch, wherever they are.
#pragma once

#include "torsor/model/data.hpp"

namespace torsor {

// What decides that, of one geom.
struct ContactTag {
  int geom, type, body;
  int contype, conaffinity;
  int weld;    // what the body is rigidly attached to
  int parent;  // what its joints hold on to; -1 where that may be touched
};

// A parent and its child usually overlap at the joint between them, so that they don't touch. What is fixed to the
// world has no such excuse: the floor would hold nothing.
inline ContactTag make_tag(const Model& model, int geom, bool filter_parents) {
  const int body = model.geom_bodyid[geom], weld = model.body_weldid[body];
  const int parent = filter_parents ? model.body_weldid[model.body_parentid[weld]] : 0;
  return {geom, model.geom_type[geom],    body, model.geom_contype[geom], model.geom_conaffinity[geom],
          weld, parent == 0 ? -1 : parent};
}

// Types of contact, bodies that are fixed to each other, parents and children.
inline bool may_touch(const ContactTag& a, const ContactTag& b) {
  const bool wanted = ((a.contype & b.conaffinity) | (b.contype & a.conaffinity)) != 0;
  return wanted & (a.weld != b.weld) & (a.weld != b.parent) & (b.weld != a.parent);
}

// Pairs of bodies that the model excludes, and pairs of geoms that it names (contact/pair): those are looked at anyway.
bool is_listed(const Model& model, const ContactTag& a, const ContactTag& b);

}  // namespace torsor
