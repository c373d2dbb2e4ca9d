// Gathering of bounding spheres.
#include "torsor/contact/participants.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "torsor/dynamics/awake_walk.hpp"

namespace torsor {
namespace {

// x, y and z; `reach` as given, or in new memory.
bool allocate(Arena& arena, SphereTable& table, int capacity, double* reach) {
  const size_t padded = static_cast<size_t>(capacity) + kSpherePad;
  auto* numbers = arena.push_array<double>((reach ? 3 : 4) * padded);
  if (!numbers) return false;
  table.x = numbers, table.y = numbers + padded, table.z = numbers + 2 * padded;
  table.reach = reach ? reach : numbers + 3 * padded;
  return true;
}

void set_center(SphereTable& table, int i, const double* center) {
  table.x[i] = center[0], table.y[i] = center[1], table.z[i] = center[2];
}
void pad(SphereTable& table) {
  for (int k = 0; k < kSpherePad; ++k) table.x[table.count + k] = std::numeric_limits<double>::quiet_NaN();
}

// Centred in the bounding box of the spheres from begin to end.
void enclose_spheres(const SphereTable& spheres, int begin, int end, double center[3], double& reach) {
  const double* columns[3] = {spheres.x, spheres.y, spheres.z};
  for (int k = 0; k < 3; ++k) {
    double low = INFINITY, high = -INFINITY;
    for (int i = begin; i < end; ++i) {
      low = std::min(low, columns[k][i] - spheres.reach[i]);
      high = std::max(high, columns[k][i] + spheres.reach[i]);
    }
    center[k] = 0.5 * (low + high);
  }
  reach = 0;
  for (int i = begin; i < end; ++i) {
    const double x = spheres.x[i] - center[0], y = spheres.y[i] - center[1], z = spheres.z[i] - center[2];
    reach = std::max(reach, std::sqrt(x * x + y * y + z * z) + spheres.reach[i]);
  }
}

bool place_spheres(const Data& data, Arena& arena, const ContactTag* tags, double* reach, int count, Spheres& out) {
  if (!allocate(arena, out, count, reach)) return false;
  out.tag = tags;
  out.count = count;
  for (int i = 0; i < count; ++i) set_center(out, i, data.geom_xpos.row(tags[i].geom, 3));
  pad(out);
  return true;
}

bool place_rigid(Arena& arena, const ContactGeoms& geoms, Participants& out) {
  if (!allocate(arena, out.rigid, geoms.rigid_count, geoms.rigid_reach)) return false;
  out.rigid.count = geoms.rigid_count;
  out.rigid.begin = geoms.rigid_begin, out.rigid.end = geoms.rigid_end;
  out.rigid_tag = geoms.rigid;
  for (int i = 0; i < geoms.rigid_count; ++i) {
    const int k = geoms.rigid_middle[i];
    out.rigid.x[i] = out.moving.x[k], out.rigid.y[i] = out.moving.y[k], out.rigid.z[i] = out.moving.z[k];
  }
  pad(out.rigid);
  return true;
}

bool place_trees(const Data& data, Arena& arena, const ContactGeoms& geoms, Participants& out) {
  if (!allocate(arena, out.trees, geoms.tree_count, nullptr)) return false;
  if (!data.awake.all) {
    out.trees.awake = arena.push_array<bool>(static_cast<size_t>(geoms.tree_count));
    if (!out.trees.awake) return false;
  }
  out.trees.count = geoms.tree_count;
  out.trees.begin = geoms.tree_begin, out.trees.end = geoms.tree_end;
  const bool is_alone = geoms.tree_count == 1 && geoms.fixed_count == 0;  // nobody asks for its sphere
  for (int t = 0; t < geoms.tree_count; ++t) {
    const int begin = geoms.tree_begin[t];
    double center[3] = {out.rigid.x[begin], out.rigid.y[begin], out.rigid.z[begin]}, reach = out.rigid.reach[begin];
    if (!is_alone && !out.trees.has_one(t)) enclose_spheres(out.rigid, begin, geoms.tree_end[t], center, reach);
    set_center(out.trees, t, center);
    out.trees.reach[t] = reach;
    if (out.trees.awake) out.trees.awake[t] = is_awake(data, out.rigid_tag[begin].body);
  }
  pad(out.trees);
  return true;
}

// Where a sphere begins along an axis.
struct End {
  double low;
  int sphere;
};

// What a table has besides its spheres, in another order.
bool reorder(Arena& arena, const Spheres& from, const End* order, Spheres& to) {
  auto* tags = arena.push_array<ContactTag>(static_cast<size_t>(from.count));
  for (int k = 0; tags && k < from.count; ++k) tags[k] = from.tag[order[k].sphere];
  to.tag = tags;
  return tags != nullptr;
}
bool reorder(Arena& arena, const Groups& from, const End* order, Groups& to) {
  auto* begin = arena.push_array<int>(static_cast<size_t>(from.count));
  auto* end = begin ? arena.push_array<int>(static_cast<size_t>(from.count)) : nullptr;
  for (int k = 0; end && k < from.count; ++k)
    begin[k] = from.begin[order[k].sphere], end[k] = from.end[order[k].sphere];
  to.begin = begin, to.end = end;
  if (!end || !from.awake) return end != nullptr;
  to.awake = arena.push_array<bool>(static_cast<size_t>(from.count));
  for (int k = 0; to.awake && k < from.count; ++k) to.awake[k] = from.awake[order[k].sphere];
  return to.awake != nullptr;
}

template <class Table>
bool sort_table(Arena& arena, Table& table, int axis) {
  const int n = table.count;
  Table sorted;
  auto* order = arena.push_array<End>(static_cast<size_t>(n));
  if (!order || !allocate(arena, sorted, n, nullptr)) return false;
  const double* center = axis == 0 ? table.x : axis == 1 ? table.y : table.z;
  for (int i = 0; i < n; ++i) {
    const double low = center[i] - table.reach[i];
    order[i] = {low == low ? low : -std::numeric_limits<double>::infinity(), i};  // sorting needs numbers
  }
  std::sort(order, order + n,
            [](const End& a, const End& b) { return a.low < b.low || (a.low == b.low && a.sphere < b.sphere); });
  for (int k = 0; k < n; ++k) {
    const int i = order[k].sphere;
    const double p[3] = {table.x[i], table.y[i], table.z[i]};
    set_center(sorted, k, p);
    sorted.reach[k] = table.reach[i];
  }
  if (!reorder(arena, table, order, sorted)) return false;
  sorted.count = n;
  pad(sorted);
  table = sorted;
  return true;
}

}  // namespace

bool collect_participants(const Model& model, Data& data, Participants& out) {
  Arena& arena = data.arena();
  const ContactPlan* plan = model.contacts();
  ContactGeoms geoms;
  if (plan && plan->is_of(model)) {
    geoms = plan->geoms();
    if (data.awake.all) out.masks = plan->masks();
  } else {
    void* memory = arena.push(ContactGeoms::bytes(model.ngeom), alignof(double));
    if (!memory) return false;
    geoms = ContactGeoms::in(memory, model.ngeom);
    list_contact_geoms(model, data.geom_xpos.data(), geoms);
  }
  out.planes = geoms.planes;
  out.plane_count = geoms.plane_count;
  out.has_movable_fixed = model.nmocap > 0;
  return place_spheres(data, arena, geoms.moving, geoms.moving_reach, geoms.moving_count, out.moving) &&
         place_spheres(data, arena, geoms.fixed, geoms.fixed_reach, geoms.fixed_count, out.fixed) &&
         (out.masks || (place_rigid(arena, geoms, out) && place_trees(data, arena, geoms, out)));
}

int find_longest_axis(const SphereTable& table) {
  const double* columns[3] = {table.x, table.y, table.z};
  double variance[3];
  for (int k = 0; k < 3; ++k) {
    double sum = 0, sum2 = 0;
    for (int i = 0; i < table.count; ++i) sum += columns[k][i], sum2 += columns[k][i] * columns[k][i];
    variance[k] = sum2 - sum * sum / std::max(table.count, 1);
  }
  return static_cast<int>(std::max_element(variance, variance + 3) - variance);
}

bool sort_along_axis(Arena& arena, Spheres& spheres, int axis) { return sort_table(arena, spheres, axis); }
bool sort_along_axis(Arena& arena, Groups& groups, int axis) { return sort_table(arena, groups, axis); }

}  // namespace torsor
