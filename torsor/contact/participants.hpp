// The geoms that may take part in contacts, with their bounding spheres.
#pragma once

#include <limits>

#include "torsor/contact/filter.hpp"
#include "torsor/contact/kernels/near.hpp"

namespace torsor {

struct Spheres : SphereTable {
  ContactTag* tag = nullptr;
};

// The spheres of one tree are adjacent in a table. For each tree: the sphere around them, and their range.
struct Groups : SphereTable {
  int *begin = nullptr, *end = nullptr;
  // Whether the tree is awake. Null if all are.
  bool* awake = nullptr;
  bool is_awake(int g) const { return !awake || awake[g]; }
};

struct Participants {
  Spheres moving;
  Groups groups;  // of moving geoms
  Spheres fixed;  // geoms of the world and of mocap bodies, which never collide with each other
  // Whether trees that sleep must be compared with fixed geoms and planes too: there are mocap bodies, which count as
  // awake.
  bool has_movable_fixed = false;
  // Planes have no bounding sphere. They do not move.
  ContactTag* planes = nullptr;
  int plane_count = 0;
};

// In data.arena(). False if out of memory.
bool collect_participants(const Model& model, Data& data, Participants& out);

// The contribution of a geom to the distance at which contacts are detected.
inline double detection_of(const Model& model, int geom) {
  const double margin = model.opt.enabled(kEnableOverride) ? 0.5 * model.opt.o_margin : model.geom_margin[geom];
  const double detection = margin + model.geom_gap[geom];
  return detection == detection ? detection : std::numeric_limits<double>::infinity();  // as in contact_range()
}

// Sorts by the lower ends along the axis in which centres differ most, for sweeps along it. False if out of memory.
bool sort_along_axis(Arena& arena, Spheres& spheres, int axis);
bool sort_along_axis(Arena& arena, Groups& groups, int axis);
int find_longest_axis(const SphereTable& table);

}  // namespace torsor
