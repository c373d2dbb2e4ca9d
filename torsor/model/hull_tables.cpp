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

void add_sides(const ModelView<double>& model, int mesh, HullTables& to) {
  const int first = model.mesh_hullvertadr[mesh], triangle = model.mesh_hullfaceadr[mesh];
  const HullCorners hull{model.mesh_hullvertnum[mesh],         model.mesh_hullpos.row(first, 3),
                         model.mesh_hulledgeadr.row(first, 1), model.mesh_hulledgenum.row(first, 1),
                         model.mesh_hulledge.data(),           model.mesh_hullface.row(triangle, 3)};
  for (int f = 0; f < model.mesh_hullfacenum[mesh]; ++f) {
    const Vec3<double> n = triangle_normal(hull, f);
    const FlatSide flat = find_flat_side(hull, f);
    to.side[static_cast<size_t>(triangle + f)] = {
        {n.x, n.y, n.z}, norm(n), static_cast<int>(to.corner.size()), flat.count};
    to.corner.insert(to.corner.end(), flat.corner, flat.corner + flat.count);
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
    if (model.mesh_hullvertadr[m] < 0 || model.mesh_hullvertnum[m] == 0) continue;
    add_positions(model, m, tables->position);
    if (model.mesh_hullfaceadr[m] >= 0) add_sides(model, m, *tables);
  }
  return tables;
}

}  // namespace torsor
