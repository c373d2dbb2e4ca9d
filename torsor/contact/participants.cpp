// Gathering of bounding spheres.
#include "torsor/contact/participants.hpp"

#include <algorithm>
#include <limits>
#include <numeric>

namespace torsor {
namespace {

bool allocate(Arena& arena, Spheres& spheres, int capacity) {
  const size_t padded = static_cast<size_t>(capacity) + kSpherePad;
  auto* numbers = arena.push_array<double>(4 * padded);
  spheres.tag = arena.push_array<ContactTag>(static_cast<size_t>(capacity));
  if (!numbers || !spheres.tag) return false;
  spheres.x = numbers, spheres.y = numbers + padded, spheres.z = numbers + 2 * padded;
  spheres.reach = numbers + 3 * padded;
  return true;
}

void add(Spheres& spheres, const ContactTag& tag, const double* center, double reach) {
  const int i = spheres.count++;
  spheres.x[i] = center[0], spheres.y[i] = center[1], spheres.z[i] = center[2], spheres.reach[i] = reach;
  spheres.tag[i] = tag;
}

void pad(Spheres& spheres) {
  for (int k = 0; k < kSpherePad; ++k) spheres.x[spheres.count + k] = std::numeric_limits<double>::quiet_NaN();
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
      add(spheres, tag, data.geom_xpos.row(g, 3), model.geom_rbound[g] + detection_of(model, g));
    }
  }
  pad(out.moving);
  pad(out.fixed);
  return true;
}

int find_longest_axis(const Spheres& spheres) {
  const double* columns[3] = {spheres.x, spheres.y, spheres.z};
  double variance[3];
  for (int k = 0; k < 3; ++k) {
    double sum = 0, sum2 = 0;
    for (int i = 0; i < spheres.count; ++i) sum += columns[k][i], sum2 += columns[k][i] * columns[k][i];
    variance[k] = sum2 - sum * sum / std::max(spheres.count, 1);
  }
  return static_cast<int>(std::max_element(variance, variance + 3) - variance);
}

bool sort_along_axis(Arena& arena, Spheres& spheres, int axis) {
  const int n = spheres.count;
  Spheres sorted;
  auto* order = arena.push_array<int>(static_cast<size_t>(n));
  auto* low = arena.push_array<double>(static_cast<size_t>(n));
  if (!order || !low || !allocate(arena, sorted, n)) return false;
  const double* center = axis == 0 ? spheres.x : axis == 1 ? spheres.y : spheres.z;
  for (int i = 0; i < n; ++i) low[i] = center[i] - spheres.reach[i];
  std::iota(order, order + n, 0);
  std::sort(order, order + n, [low](int a, int b) { return low[a] < low[b] || (low[a] == low[b] && a < b); });
  for (int i = 0; i < n; ++i) {
    const int k = order[i];
    const double p[3] = {spheres.x[k], spheres.y[k], spheres.z[k]};
    add(sorted, spheres.tag[k], p, spheres.reach[k]);
  }
  pad(sorted);
  spheres = sorted;
  return true;
}

}  // namespace torsor
