#include "torsor/gpu/device_model.hpp"

#include <algorithm>
#include <string_view>

#include "torsor/constraint/constraint.hpp"
#include "torsor/contact/collide.hpp"
#include "torsor/gpu/kernels/rare_poses.hpp"
#include "torsor/model/hull_tables.hpp"
#include "torsor/model/settings.hpp"

namespace torsor::gpu {
namespace {

// Pictures, words, and what nobody reads in a step.
bool is_left_out(const FieldInfo& info) {
  const std::string_view name = info.name;
  return name.starts_with("tex_") || name.starts_with("name") || name.starts_with("text_") || name == "paths" ||
         name.starts_with("key_") || name.starts_with("mat_");
}

}  // namespace

// Calls f(field of the view, bytes) for the arrays that go to the device.
template <class S>
template <class F>
void DeviceModel<S>::for_each_array(const Model& model, F&& f) {
  static_cast<ModelView&>(view_) = model;
  view_.for_each_field([&](const FieldInfo& info, auto& field) {
    using T = std::remove_reference_t<decltype(field[0])>;
    if constexpr (!std::is_same_v<T, char>) {
      const std::size_t bytes = static_cast<std::size_t>(field.size()) * sizeof(T);
      if (bytes > 0 && !is_left_out(info)) f(field, bytes);
    }
  });
}

template <class S>
DeviceModel<S>::DeviceModel(Backend<S>& backend, const Model& model)
    : backend_(backend), arrays_(backend), tables_(backend), lists_(backend) {
  std::size_t bytes = 0;
  for_each_array(model, [&](auto&, std::size_t of_field) { bytes += (of_field + 63) / 64 * 64; });
  staged_.resize(bytes);
  base_ = arrays_.template take<std::byte>(bytes, "the model");
  if (model.hulls()) upload_tables(*model.hulls());
}

// What searches over hulls read never changes.
template <class S>
void DeviceModel<S>::upload_tables(const HullTables& tables) {
  upload_table(tables.position);
  upload_table(tables.side);
  upload_table(tables.corner);
  upload_table(tables.block);
  upload_table(tables.cell_block);
}
template <class S>
template <class T>
void DeviceModel<S>::upload_table(const std::vector<T>& table) {
  if (table.empty()) return;
  T* const place = tables_.take_copy(table, "the hulls of meshes");
  table_places_[reinterpret_cast<const std::byte*>(table.data())] = {table.size() * sizeof(T),
                                                                     reinterpret_cast<std::byte*>(place)};
}

template <class S>
template <class T>
const T* DeviceModel<S>::moved(const T* element) const {
  const std::byte* const at = reinterpret_cast<const std::byte*>(element);
  auto place = places_.upper_bound(at);
  if (!element || place == places_.begin()) return nullptr;
  --place;
  if (at >= place->first + place->second.first) return nullptr;
  return reinterpret_cast<const T*>(place->second.second + (at - place->first));
}

template <class S>
void DeviceModel<S>::upload(const Model& model, const RowPlan& plan) {
  std::size_t used = 0;
  places_ = table_places_;
  for_each_array(model, [&](auto& field, std::size_t bytes) {
    using T = std::remove_reference_t<decltype(field[0])>;
    std::memcpy(staged_.data() + used, field.data(), bytes);
    places_[reinterpret_cast<const std::byte*>(field.data())] = {bytes, base_ + used};
    field.pointer = reinterpret_cast<T*>(base_ + used);
    used += (bytes + 63) / 64 * 64;
  });
  backend_.upload(base_, staged_.data(), used);

  std::vector<PairPlan> pairs = plan.pairs;
  for (PairPlan& pair : pairs) {
    pair.function = nullptr;
    for (const double*& size : pair.size) size = moved(size);
  }
  std::vector<EqualityPlan> equalities = plan.equalities;
  for (EqualityPlan& equality : equalities) {
    equality.data = moved(equality.data);
    for (const double*& quat : equality.site_quat) quat = moved(quat);
  }
  backend_.synchronize();
  lists_.clear();
  const char* const what = "the plan of rows";
  plan_.reaches = lists_.take_copy(plan.reaches, what);
  plan_.pairs = lists_.take_copy(pairs, what);
  upload_narrow(model, plan);
  list_trees(model);
  list_levels(model);
  plan_.dofs = lists_.take_copy(plan.dofs, what);
  plan_.scalars = lists_.take_copy(plan.scalars, what);
  plan_.equalities = lists_.take_copy(equalities, what);
  plan_.equality_dofs = lists_.take_copy(plan.equality_dofs, what);
  plan_.pair_count = static_cast<int>(pairs.size());
  plan_.scalar_count = static_cast<int>(plan.scalars.size());
  plan_.has_single_scalars =
      std::any_of(plan.scalars.begin(), plan.scalars.end(), [](const ScalarPlan& scalar) { return !scalar.is_unit(); });
  plan_.equality_count = static_cast<int>(equalities.size());
  plan_.is_pyramidal = is_pyramidal(model);
  plan_.has_islands = !model.opt.disabled(kDisableIsland);
  plan_.impratio = model.opt.impratio;
}

template <class S>
void DeviceModel<S>::list_trees(const Model& model) {
  std::vector<int> trees, places(static_cast<std::size_t>(model.nC));
  for (int c = 0; c < kTreeClassCount; ++c) {
    const int below = c > 0 ? kTreeClasses[c - 1].dofs : 0;
    for (int t = 0; t < model.ntree; ++t) {
      if (model.tree_dofnum[t] <= below || model.tree_dofnum[t] > kTreeClasses[c].dofs) continue;
      trees.push_back(t);
      const int first = model.tree_dofadr[t], stride = square_stride(kTreeClasses[c].dofs);
      for (int i = first; i < first + model.tree_dofnum[t]; ++i)
        for (int k = model.M_rowadr[i]; k < model.M_rowadr[i] + model.M_rownnz[i]; ++k)
          places[static_cast<std::size_t>(k)] = stride * (i - first) + model.M_colind[k] - first;
    }
    trees_.begin[c + 1] = static_cast<int>(trees.size());
  }
  trees_.trees = lists_.take_copy(trees, "the trees of the model");
  trees_.places = lists_.take_copy(places, "the trees of the model");
}

template <class S>
void DeviceModel<S>::list_levels(const Model& model) {
  std::vector<int> level(static_cast<std::size_t>(model.nbody), -1), bodies, begin{0};
  levels_.count = 0;
  for (int b = 1; b < model.nbody; ++b) {
    const auto parent = static_cast<std::size_t>(model.body_parentid[b]);
    level[static_cast<std::size_t>(b)] = level[parent] + 1;
    levels_.count = std::max(levels_.count, level[parent] + 2);
  }
  for (int k = 0; k < levels_.count; ++k) {
    for (int b = 1; b < model.nbody; ++b)
      if (level[static_cast<std::size_t>(b)] == k) bodies.push_back(b);
    begin.push_back(static_cast<int>(bodies.size()));
  }
  levels_.bodies = lists_.take_copy(bodies, "the levels of the model");
  levels_.begin = lists_.take_copy(begin, "the levels of the model");
}

// Pairs without a closed form, and the hulls and height fields that they need.
template <class S>
void DeviceModel<S>::upload_narrow(const Model& model, const RowPlan& plan) {
  std::vector<NarrowPair> narrow;
  plan_.narrow_kinds = 0;
  for (const PairPlan& pair : plan.pairs) {
    NarrowPair& of_pair = narrow.emplace_back();
    of_pair.kind = narrow_kind(pair.function);
    for (int k = 0; k < 2; ++k) {
      const int geom = k == 0 ? pair.pair.geom1 : pair.pair.geom2;
      of_pair.type[k] = static_cast<GeomType>(model.geom_type[geom]);
      const bool has_data = of_pair.type[k] == GeomType::kMesh || of_pair.type[k] == GeomType::kHfield;
      of_pair.mesh[k] = has_data ? model.geom_dataid[geom] : -1;
    }
    if (!knows_rare_poses(pair.kind)) plan_.narrow_kinds |= 1u << static_cast<int>(of_pair.kind);
  }
  const char* const what = "the plan of rows";
  plan_.narrow = lists_.take_copy(narrow, what);
  plan_.hulls = lists_.take_copy(move_hulls(model), what);
  plan_.fields = lists_.take_copy(move_fields(model), what);
  plan_.has_one_point = model.opt.disabled(kDisableMultiCcd);
}

template <class S>
std::vector<HullView> DeviceModel<S>::move_hulls(const Model& model) const {
  std::vector<HullView> hulls(static_cast<std::size_t>(model.nmesh));
  for (int mesh = 0; mesh < model.nmesh; ++mesh) {
    HullView& hull = hulls[static_cast<std::size_t>(mesh)] = make_hull_view(model, mesh);
    const auto move = [this](auto&... pointers) { (..., (pointers = moved(pointers))); };
    move(hull.corner, hull.edge_address, hull.edge_count, hull.edge, hull.extrema, hull.face, hull.corner_face,
         hull.position, hull.side, hull.side_corner, hull.block, hull.cell_block);
  }
  return hulls;
}

template <class S>
std::vector<HeightFieldView> DeviceModel<S>::move_fields(const Model& model) const {
  std::vector<HeightFieldView> fields;
  for (int field = 0; field < model.nhfield; ++field)
    fields.push_back({model.hfield_nrow[field], model.hfield_ncol[field], moved(model.hfield_size.row(field, 4)),
                      moved(model.hfield_data.row(model.hfield_adr[field], 1))});
  return fields;
}

template class DeviceModel<float>;
template class DeviceModel<double>;

}  // namespace torsor::gpu
