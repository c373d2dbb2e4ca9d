// Converts a builder's lists to a Spec: bodies depth first, each with its joints, shapes and sites; drives, distances
// and loops.
#include <fmt/format.h>

#include <algorithm>

#include "torsor/bridge/newton/spec_maker.hpp"

namespace torsor::newton {

bool filters_all_parents(const ModelBuilder& builder) {
  const auto all = [](const std::vector<bool>& flags) {
    return std::find(flags.begin(), flags.end(), false) == flags.end();
  };
  return all(builder.joint_filters_parent) && all(builder.shape_filters_parent);
}

SpecMaker::SpecMaker(const ModelBuilder& builder, Layout& layout) : builder_(builder), layout_(layout) {
  for (const std::string& key : builder.body_key) ++keys_[key];
}

Spec SpecMaker::make() {
  set_options();
  spec_.bodies.resize(1);
  std::vector<int> order(builder_.body_count());
  for (int b = 0; b < builder_.body_count(); ++b) order[layout_.body_engine[b] - 1] = b;
  layout_.system.tree = {{"world"}, {-1}};
  for (const int b : order) add_body(b);
  check_masses(order);
  shapes_of_.resize(spec_.bodies.size());
  for (int s = 0; s < builder_.shape_count(); ++s) add_shape(s);
  list_geoms();
  separate_worlds();
  add_drives();
  for (int j = 0; j < builder_.joint_count(); ++j) {
    if (layout_.joint_is_loop[j]) close_loop(j);
    if (builder_.joint_type[j] == JointKind::kDistance && !builder_.is_kinematic(builder_.joint_child[j]))
      add_distance(j);
  }
  exclude_static_parents(order);
  add_native();
  list_order();
  return std::move(spec_);
}

void SpecMaker::set_options() {
  spec_.modelname = "newton";
  spec_.compiler.degree = false;
  spec_.compiler.inertiafromgeom = Tristate::kFalse;
  if (builder_.native.option) spec_.option = *builder_.native.option;
  std::copy(builder_.gravity.begin(), builder_.gravity.end(), spec_.option.gravity);
  if (!filters_all_parents(builder_)) spec_.option.disableflags |= kDisableFilterParent;
}

BodySpec& SpecMaker::body_spec(int body) { return spec_.bodies[body < 0 ? 0 : layout_.body_engine[body]]; }

std::string SpecMaker::body_name(int body) const {
  const std::string& native = builder_.body_native_name[body];
  if (!native.empty()) return native;
  const std::string& key = builder_.body_key[body];  // for error messages; names from MJCF contain a slash
  const bool is_unique = keys_.at(key) == 1 && key != "world" && key.find('/') == std::string::npos;
  return is_unique ? key : fmt::format("/body{}", body);
}

std::string SpecMaker::dof_name(int dof) const {
  const std::string& native = builder_.dof_native_name[dof];
  return native.empty() ? fmt::format("axis{}", dof) : native;
}

bool SpecMaker::is_pose(int j) const {
  return builder_.joint_type[j] == JointKind::kFree || builder_.joint_type[j] == JointKind::kDistance;
}

// The engine's rule that a parent and its child do not collide leaves out parents that are fixed to the world.
void SpecMaker::exclude_static_parents(const std::vector<int>& order) {
  if (!filters_all_parents(builder_)) return;  // pairs of shapes are filtered
  std::vector<bool> is_static(builder_.body_count(), false);
  for (const int b : order) {
    const int j = layout_.body_joint[b], parent = builder_.joint_parent[j];
    const bool is_held = parent < 0 || is_static[parent], moves = builder_.qd_end(j) > builder_.joint_qd_start[j];
    is_static[b] = is_held && !moves;
    const bool is_native = !builder_.body_native_name[b].empty();  // MJCF has the rule of the engine
    if (!moves || is_native || parent < 0 || !is_static[parent]) continue;
    ExcludeSpec exclude;
    exclude.name = fmt::format("parent{}", b);
    exclude.body1 = body_name(parent);
    exclude.body2 = body_name(b);
    spec_.excludes.push_back(exclude);
  }
}

void SpecMaker::add_native() {
  const auto append = [](auto& to, const auto& from) { to.insert(to.end(), from.begin(), from.end()); };
  append(spec_.actuators, builder_.native.actuators);
  append(spec_.tendons, builder_.native.tendons);
  append(spec_.equalities, builder_.native.equalities);
  append(spec_.excludes, builder_.native.excludes);
  append(spec_.pairs, builder_.native.pairs);
}

void SpecMaker::list_order() {
  for (int j = 0; j < builder_.joint_count(); ++j) {
    if (layout_.joint_first[j].empty()) continue;
    const bool is_one = is_pose(j) || builder_.joint_type[j] == JointKind::kBall;
    for (int dof = builder_.joint_qd_start[j]; dof < builder_.qd_end(j); ++dof) {
      layout_.order.push_back(dof_name(dof));
      if (is_one) break;
    }
  }
}

Spec make_spec(const ModelBuilder& builder, Layout& layout) { return SpecMaker(builder, layout).make(); }

}  // namespace torsor::newton
