// Gathering of bounding spheres.
#include "torsor/contact/participants.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "torsor/dynamics/awake_walk.hpp"

namespace torsor {
namespace {

bool allocate(Arena& arena, SphereTable& table, int capacity) {
  const size_t padded = static_cast<size_t>(capacity) + kSpherePad;
  auto* numbers = arena.push_array<double>(4 * padded);
  if (!numbers) return false;
  table.x = numbers, table.y = numbers + padded, table.z = numbers + 2 * padded;
  table.reach = numbers + 3 * padded;
  return true;
}
bool allocate(Arena& arena, Spheres& spheres, int capacity) {
  spheres.tag = arena.push_array<ContactTag>(static_cast<size_t>(capacity));
  return spheres.tag && allocate(arena, static_cast<SphereTable&>(spheres), capacity);
}
bool allocate(Arena& arena, Groups& groups, int capacity, bool all_awake) {
  if (!all_awake && !(groups.awake = arena.push_array<bool>(static_cast<size_t>(capacity)))) return false;
  groups.begin = arena.push_array<int>(static_cast<size_t>(capacity));
  groups.end = arena.push_array<int>(static_cast<size_t>(capacity));
  return groups.begin && groups.end && allocate(arena, static_cast<SphereTable&>(groups), capacity);
}

void set(SphereTable& table, int i, const double* center, double reach) {
  table.x[i] = center[0], table.y[i] = center[1], table.z[i] = center[2], table.reach[i] = reach;
}
void copy(const Spheres& from, int i, Spheres& to, int k) { to.tag[k] = from.tag[i]; }
void copy(const Groups& from, int i, Groups& to, int k) {
  to.begin[k] = from.begin[i], to.end[k] = from.end[i];
  if (from.awake) to.awake[k] = from.awake[i];
}
bool allocate_like(Arena& arena, const Spheres&, Spheres& to, int capacity) { return allocate(arena, to, capacity); }
bool allocate_like(Arena& arena, const Groups& from, Groups& to, int capacity) {
  return allocate(arena, to, capacity, !from.awake);
}

void pad(SphereTable& table) {
  for (int k = 0; k < kSpherePad; ++k) table.x[table.count + k] = std::numeric_limits<double>::quiet_NaN();
}

// Centred in the bounding box of the spheres from begin to end.
void add_group(const Spheres& spheres, int begin, int end, Groups& groups) {
  const double* columns[3] = {spheres.x, spheres.y, spheres.z};
  double center[3], reach = spheres.reach[begin];
  for (int k = 0; k < 3; ++k) center[k] = columns[k][begin];
  if (end - begin > 1) {
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
  const int g = groups.count++;
  set(groups, g, center, reach);
  groups.begin[g] = begin, groups.end[g] = end;
}

bool collect_groups(const Model& model, Data& data, const Spheres& spheres, bool has_fixed, Groups& groups) {
  const bool all_awake = data.awake.all;
  if (!allocate(data.arena(), groups, std::min(spheres.count, model.ntree), all_awake)) return false;
  const auto root_of = [&](int i) { return model.body_rootid[spheres.tag[i].body]; };
  if (all_awake && !has_fixed && spheres.count > 0 &&
      root_of(0) == root_of(spheres.count - 1)) {  // nobody asks for its sphere
    const double anywhere[3] = {0, 0, 0};
    groups.begin[0] = 0, groups.end[0] = spheres.count;
    set(groups, groups.count++, anywhere, std::numeric_limits<double>::infinity());
    pad(groups);
    return true;
  }
  for (int i = 0; i < spheres.count;) {
    const int begin = i, root = model.body_rootid[spheres.tag[i].body];
    while (i < spheres.count && model.body_rootid[spheres.tag[i].body] == root) ++i;
    if (!all_awake) groups.awake[groups.count] = is_awake(data, spheres.tag[begin].body);
    add_group(spheres, begin, i, groups);
  }
  pad(groups);
  return true;
}

// Where a sphere begins along an axis.
struct End {
  double low;
  int sphere;
};

template <class Table>
bool sort_table(Arena& arena, Table& table, int axis) {
  const int n = table.count;
  Table sorted;
  auto* order = arena.push_array<End>(static_cast<size_t>(n));
  if (!order || !allocate_like(arena, table, sorted, n)) return false;
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
    set(sorted, k, p, table.reach[i]);
    copy(table, i, sorted, k);
  }
  sorted.count = n;
  pad(sorted);
  table = sorted;
  return true;
}

}  // namespace

bool collect_participants(const Model& model, Data& data, Participants& out) {
  Arena& arena = data.arena();
  if (!allocate(arena, out.moving, model.ngeom) || !allocate(arena, out.fixed, model.ngeom)) return false;
  out.planes = arena.push_array<ContactTag>(static_cast<size_t>(model.ngeom));
  if (!out.planes) return false;
  const bool filter_parents = !model.opt.disabled(kDisableFilterParent);
  for (int g = 0; g < model.ngeom; ++g) {
    if (!(model.geom_contype[g] | model.geom_conaffinity[g])) continue;
    const ContactTag tag = make_tag(model, g, filter_parents);
    if (tag.type == static_cast<int>(GeomType::kPlane)) {
      out.planes[out.plane_count++] = tag;
    } else {
      Spheres& spheres = model.body_dofnum[tag.weld] > 0 ? out.moving : out.fixed;
      spheres.tag[spheres.count] = tag;
      set(spheres, spheres.count++, data.geom_xpos.row(g, 3), model.geom_rbound[g] + detection_of(model, g));
    }
  }
  pad(out.moving);
  pad(out.fixed);
  out.has_movable_fixed = model.nmocap > 0;
  return collect_groups(model, data, out.moving, out.fixed.count > 0, out.groups);
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
