#include "newton_lists.hpp"

#include <map>
#include <set>
#include <variant>

#include <fmt/format.h>
#include <nanobind/stl/array.h>
#include <nanobind/stl/vector.h>

#include "text.hpp"
#include "torsor/core/error.hpp"

namespace torsor::python {
namespace {

using newton::ModelBuilder;
template <class T>
using Member = std::vector<T> ModelBuilder::*;
using AnyMember =
    std::variant<Member<double>, Member<int>, Member<std::string>, Member<newton::Transform>, Member<newton::Vector3>,
                 Member<newton::Vector6>, Member<newton::Matrix3>, Member<std::array<int, 2>>>;

const std::map<std::string, AnyMember>& members() {
#define LIST(name) \
  { #name, &ModelBuilder::name }
  static const std::map<std::string, AnyMember> all{LIST(body_q),
                                                    LIST(body_qd),
                                                    LIST(body_mass),
                                                    LIST(body_com),
                                                    LIST(body_inertia),
                                                    LIST(body_flags),
                                                    LIST(body_world),
                                                    LIST(body_key),
                                                    LIST(joint_parent),
                                                    LIST(joint_child),
                                                    LIST(joint_q_start),
                                                    LIST(joint_qd_start),
                                                    LIST(joint_articulation),
                                                    LIST(joint_world),
                                                    LIST(joint_X_p),
                                                    LIST(joint_X_c),
                                                    LIST(joint_dof_dim),
                                                    LIST(joint_key),
                                                    LIST(joint_q),
                                                    LIST(joint_qd),
                                                    LIST(joint_f),
                                                    LIST(joint_target_pos),
                                                    LIST(joint_target_vel),
                                                    LIST(joint_target_ke),
                                                    LIST(joint_target_kd),
                                                    LIST(joint_limit_lower),
                                                    LIST(joint_limit_upper),
                                                    LIST(joint_limit_ke),
                                                    LIST(joint_limit_kd),
                                                    LIST(joint_armature),
                                                    LIST(joint_damping),
                                                    LIST(joint_friction),
                                                    LIST(joint_effort_limit),
                                                    LIST(joint_velocity_limit),
                                                    LIST(joint_target_mode),
                                                    LIST(joint_axis),
                                                    LIST(shape_body),
                                                    LIST(shape_flags),
                                                    LIST(shape_collision_group),
                                                    LIST(shape_world),
                                                    LIST(shape_transform),
                                                    LIST(shape_scale),
                                                    LIST(shape_material_ke),
                                                    LIST(shape_material_kd),
                                                    LIST(shape_material_kf),
                                                    LIST(shape_material_ka),
                                                    LIST(shape_material_mu),
                                                    LIST(shape_material_mu_torsional),
                                                    LIST(shape_material_mu_rolling),
                                                    LIST(shape_material_restitution),
                                                    LIST(shape_margin),
                                                    LIST(shape_gap),
                                                    LIST(shape_key),
                                                    LIST(shape_collision_filter_pairs),
                                                    LIST(articulation_start),
                                                    LIST(articulation_world),
                                                    LIST(articulation_key)};
#undef LIST
  return all;
}

template <class Enum>
nb::object to_numbers(const std::vector<Enum>& values) {
  nb::list result;
  for (const Enum value : values) result.append(static_cast<int>(value));
  return result;
}

}  // namespace

std::vector<std::string> list_names() {
  std::vector<std::string> names{"joint_type", "shape_type"};
  for (const auto& [name, member] : members()) names.push_back(name);
  return names;
}

nb::object get_list(const ModelBuilder& builder, const std::string& name) {
  if (name == "joint_type") return to_numbers(builder.joint_type);
  if (name == "shape_type") return to_numbers(builder.shape_type);
  const auto found = members().find(name);
  if (found == members().end()) throw Error(fmt::format("there is no list {}", name));
  return std::visit([&](const auto& member) { return nb::cast(builder.*member); }, found->second);
}

void set_list(ModelBuilder& builder, const std::string& name, nb::handle values) {
  // the connections between elements: changed only by adding elements
  static const std::set<std::string> kStructure{"body_world",
                                                "joint_parent",
                                                "joint_child",
                                                "joint_q_start",
                                                "joint_qd_start",
                                                "joint_articulation",
                                                "joint_world",
                                                "joint_dof_dim",
                                                "shape_body",
                                                "shape_world",
                                                "articulation_start",
                                                "articulation_world",
                                                "shape_collision_filter_pairs"};
  const auto found = members().find(name);
  if (found == members().end() || kStructure.contains(name))
    throw Error(fmt::format("the list {} cannot be changed", name));
  std::visit(
      [&](const auto& member) {
        auto& list = builder.*member;
        auto given = nb::cast<std::remove_reference_t<decltype(list)>>(values);
        if (given.size() != list.size())
          throw Error(fmt::format("{} has {} entries, not {}: lists of a builder grow when elements are added", name,
                                  list.size(), given.size()));
        list = std::move(given);
      },
      found->second);
}

}  // namespace torsor::python
