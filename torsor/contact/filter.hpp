// Which geoms the model lets touch, wherever they are.
#pragma once

#include "torsor/model/data.hpp"

namespace torsor {

// The properties of a geom that this depends on.
struct ContactTag {
  int geom, type, body;
  int contype, conaffinity;
  int weld;    // the body that this one is rigidly attached to
  int parent;  // the body that its joints attach it to; -1 if contact with it is allowed
};

// A parent and its child usually overlap at their joint, so contacts between them are filtered out. Parents that are
// fixed to the world are exempt: otherwise a floor would support nothing.
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

// Pairs of bodies that the model excludes, and predefined pairs of geoms (contact/pair), which are candidates anyway.
bool is_listed(const Model& model, const ContactTag& a, const ContactTag& b);

}  // namespace torsor
