// Blocks of corners and polygons of all hulls.
#include "torsor/model/hull_tables.hpp"

#include <algorithm>

#include "torsor/geometry/flat_side.hpp"
#include "torsor/model/model.hpp"

namespace torsor {
namespace {

void add_positions(const ModelView<double>& model, int mesh, std::vector<float>& to) {
  const int count = model.mesh_hullvertnum[mesh];
  const float* corner = model.mesh_hullpos.row(model.mesh_hullvertadr[mesh], 3);
  for (int block = 0; block < count; block += 8)
    for (int axis = 0; axis < 3; ++axis)
      for (int i = block; i < block + 8; ++i) to.push_back(corner[3 * std::min(i, count - 1) + axis]);
}

HullCorners corners_of(const ModelView<double>& model, int mesh) {
  const int first = model.mesh_hullvertadr[mesh], triangle = std::max(0, model.mesh_hullfaceadr[mesh]);
  return {model.mesh_hullvertnum[mesh],         model.mesh_hullpos.row(first, 3), model.mesh_hulledgeadr.row(first, 1),
          model.mesh_hulledgenum.row(first, 1), model.mesh_hulledge.data(),       model.mesh_hullface.row(triangle, 3)};
}

void add_sides(const ModelView<double>& model, int mesh, const HullCorners& hull, HullTables& to) {
  const int triangle = model.mesh_hullfaceadr[mesh];
  for (int f = 0; f < model.mesh_hullfacenum[mesh]; ++f) {
    const Vec3<double> n = triangle_normal(hull, f);
    const FlatSide flat = find_flat_side(hull, f);
    to.side[static_cast<size_t>(triangle + f)] = {
        {n.x, n.y, n.z}, norm(n), static_cast<int>(to.corner.size()), flat.count};
    to.corner.insert(to.corner.end(), flat.corner, flat.corner + flat.count);
  }
}

// Uphill along edges.
int climb(const HullCorners& hull, const Vec3<double>& d, int corner) {
  const auto along = [&](int i) { return dot(d, load3<double>(hull.corner + 3 * i)); };
  double height = along(corner);
  for (int from = -1; from != corner;) {
    from = corner;
    const int* edge = hull.edge + hull.edge_address[from];
    for (int k = 0; k < hull.edge_count[from]; ++k) {
      const double higher = along(edge[k]);
      if (higher > height) height = higher, corner = edge[k];
    }
  }
  return corner;
}

// In the middle of each cell; a search begins where that of the cell before ended.
void add_starts(const HullCorners& hull, std::vector<int>& to) {
  int corner = 0;
  for (int entry = 0; entry < kStarts; ++entry) {
    const int side = entry / (kStartCells * kStartCells), axis = side / 2;
    const auto middle = [](int cell) { return (2 * cell + 1.0) / kStartCells - 1; };
    Vec3<double> d;
    d[axis] = side % 2 ? -1 : 1;
    d[axis == 0 ? 1 : 0] = middle(entry / kStartCells % kStartCells);
    d[axis == 2 ? 1 : 2] = middle(entry % kStartCells);
    to.push_back(corner = climb(hull, d, corner));
  }
}

}  // namespace

std::shared_ptr<const HullTables> make_hull_tables(const ModelView<double>& model) {
  if (model.nmeshhullvert == 0) return nullptr;
  auto tables = std::make_shared<HullTables>();
  tables->side.resize(static_cast<size_t>(model.nmeshhullface));
  tables->position.reserve(3 * (static_cast<size_t>(model.nmeshhullvert) + 7 * static_cast<size_t>(model.nmesh)));
  tables->corner.reserve(4 * static_cast<size_t>(model.nmeshhullface));
  for (int m = 0; m < model.nmesh; ++m) {
    tables->first_position.push_back(static_cast<int>(tables->position.size()));
    tables->first_start.push_back(-1);
    if (model.mesh_hullvertadr[m] < 0 || model.mesh_hullvertnum[m] == 0) continue;
    const HullCorners hull = corners_of(model, m);
    add_positions(model, m, tables->position);
    if (model.mesh_hullfaceadr[m] >= 0) add_sides(model, m, hull, *tables);
    if (hull.count < HullTables::kStartFrom) continue;
    tables->first_start.back() = static_cast<int>(tables->start.size());
    add_starts(hull, tables->start);
  }
  return tables;
}

}  // namespace torsor
