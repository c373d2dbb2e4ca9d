// The geoms that may take part in contacts, with their bounding spheres.
#pragma once

#include "torsor/contact/kernels/near.hpp"
#include "torsor/model/contact_filter.hpp"

namespace torsor {

struct Spheres : SphereTable {
  const ContactTag* tag = nullptr;
};

// For each rigid group or each tree: the sphere around what belongs to it, which follows each other in another table.
struct Groups : SphereTable {
  const int *begin = nullptr, *end = nullptr;

  bool has_one(int group) const { return end[group] - begin[group] == 1; }

  // Of trees: whether they are awake. Null if all are.
  bool* awake = nullptr;
  bool is_awake(int tree) const { return !awake || awake[tree]; }
};

// The lists of ContactGeoms with the places of this step.
struct Participants {
  Spheres moving, fixed;
  Groups rigid;  // geoms of `moving` that are fixed to each other
  const ContactTag* rigid_tag = nullptr;
  Groups trees;  // groups of `rigid`
  // Whether trees that sleep must be compared with fixed geoms too: there are mocap bodies, which count as awake.
  bool has_movable_fixed = false;
  const ContactTag* planes = nullptr;
  int plane_count = 0;
  const TouchMasks* masks = nullptr;  // if there are, groups and trees are left out
};

// In data.arena(). False if out of memory.
bool collect_participants(const Model& model, Data& data, Participants& out);

// Sorts by the lower ends along the axis in which centres differ most, for sweeps along it. False if out of memory.
bool sort_along_axis(Arena& arena, Spheres& spheres, int axis);
bool sort_along_axis(Arena& arena, Groups& groups, int axis);
int find_longest_axis(const SphereTable& table);

}  // namespace torsor
