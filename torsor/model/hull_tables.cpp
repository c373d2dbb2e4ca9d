// Blocks of corners and polygons of all hulls.
#include "torsor/model/hull_tables.hpp"

#include <algorithm>
#include <string>

#include "torsor/core/content_cache.hpp"
#include "torsor/geometry/hull_cells.hpp"
#include "torsor/model/model.hpp"

namespace torsor {
namespace {

void add_positions(const ModelView& model, int mesh, std::vector<float>& to) {
  const int count = model.mesh_hullvertnum[mesh];
  const float* corner = model.mesh_hullpos.row(model.mesh_hullvertadr[mesh], 3);
  for (int block = 0; block < count; block += 8)
    for (int axis = 0; axis < 3; ++axis)
      for (int i = block; i < block + 8; ++i) to.push_back(corner[3 * std::min(i, count - 1) + axis]);
}

HullCorners corners_of(const ModelView& model, int mesh) {
  const int first = model.mesh_hullvertadr[mesh], triangle = std::max(0, model.mesh_hullfaceadr[mesh]);
  return {model.mesh_hullvertnum[mesh],         model.mesh_hullpos.row(first, 3), model.mesh_hulledgeadr.row(first, 1),
          model.mesh_hulledgenum.row(first, 1), model.mesh_hulledge.data(),       model.mesh_hullface.row(triangle, 3)};
}

void add_sides(const ModelView& model, int mesh, const HullCorners& hull, HullTables& to) {
  const int triangle = model.mesh_hullfaceadr[mesh];
  for (int f = 0; f < model.mesh_hullfacenum[mesh]; ++f) {
    const Vec3<double> n = triangle_normal(hull, f);
    const FlatSide flat = find_flat_side(hull, f);
    to.side[static_cast<size_t>(triangle + f)] = {
        {n.x, n.y, n.z}, norm(n), static_cast<int>(to.corner.size()), flat.count};
    to.corner.insert(to.corner.end(), flat.corner, flat.corner + flat.count);
  }
}

void add_cells(const HullCorners& hull, int cells, HullTables& to) {
  const HullCells lists = list_cells(hull, cells);
  if (lists.corner.empty()) return;
  to.first_cell.back() = static_cast<int>(to.cell_block.size());
  for (int cell = 0; cell < count_cells(cells); ++cell) {
    to.cell_block.push_back(static_cast<int>(to.block.size()));
    const int *corner = lists.corner.data() + lists.first[static_cast<size_t>(cell)],
              *end = lists.corner.data() + lists.first[static_cast<size_t>(cell) + 1];
    for (; corner < end; corner += 8) {
      HullBlock& block = to.block.emplace_back();
      for (int i = 0; i < 8; ++i) {
        block.corner[i] = corner[std::min<ptrdiff_t>(i, end - corner - 1)];
        for (int axis = 0; axis < 3; ++axis) block.position[8 * axis + i] = hull.corner[3 * block.corner[i] + axis];
      }
    }
  }
  to.cell_block.push_back(static_cast<int>(to.block.size()));
}

std::shared_ptr<HullTables> compute_tables(const ModelView& model) {
  auto tables = std::make_shared<HullTables>();
  tables->side.resize(static_cast<size_t>(model.nmeshhullface));
  tables->position.reserve(3 * (static_cast<size_t>(model.nmeshhullvert) + 7 * static_cast<size_t>(model.nmesh)));
  tables->corner.reserve(4 * static_cast<size_t>(model.nmeshhullface));
  for (int m = 0; m < model.nmesh; ++m) {
    tables->first_position.push_back(static_cast<int>(tables->position.size()));
    tables->first_cell.push_back(-1);
    tables->cells.push_back(choose_cells(model.mesh_hullvertnum[m]));
    if (model.mesh_hullvertadr[m] < 0 || model.mesh_hullvertnum[m] == 0) continue;
    const HullCorners hull = corners_of(model, m);
    add_positions(model, m, tables->position);
    if (model.mesh_hullfaceadr[m] >= 0) add_sides(model, m, hull, *tables);
    if (hull.count >= HullTables::kListFrom) add_cells(hull, tables->cells.back(), *tables);
  }
  return tables;
}

// All numbers that the tables follow from.
std::string contents_of(const ModelView& model) {
  std::string key;
  const auto add = [&key](const auto& field) {
    const auto bytes = static_cast<size_t>(field.size()) * sizeof(field[0]);
    key.append(reinterpret_cast<const char*>(&bytes), sizeof(bytes));
    key.append(reinterpret_cast<const char*>(field.data()), bytes);
  };
  add(model.mesh_hullvertadr), add(model.mesh_hullvertnum), add(model.mesh_hullfaceadr), add(model.mesh_hullfacenum);
  add(model.mesh_hullpos), add(model.mesh_hullface);
  add(model.mesh_hulledgeadr), add(model.mesh_hulledgenum), add(model.mesh_hulledge);
  return key;
}

size_t bytes_of(const HullTables& tables) {
  const auto bytes = [](const auto& numbers) { return numbers.capacity() * sizeof(numbers[0]); };
  return bytes(tables.position) + bytes(tables.first_position) + bytes(tables.side) + bytes(tables.corner) +
         bytes(tables.block) + bytes(tables.cell_block) + bytes(tables.first_cell) + bytes(tables.cells);
}

}  // namespace

// Those of models that were made before are shared: nothing changes them.
std::shared_ptr<const HullTables> make_hull_tables(const ModelView& model) {
  constexpr int kKeepFrom = 100;  // corners: fewer are not worth the comparison
  if (model.nmeshhullvert == 0) return nullptr;
  if (model.nmeshhullvert < kKeepFrom) return compute_tables(model);
  static ContentCache<HullTables> cache(size_t{64} << 20);
  std::string contents = contents_of(model);
  if (auto known = cache.find(contents)) return known;
  const std::shared_ptr<const HullTables> tables = compute_tables(model);
  cache.keep(std::move(contents), tables, bytes_of(*tables));
  return tables;
}

void Model::index_hulls() { hulls_ = make_hull_tables(*this); }

}  // namespace torsor
