// collapse_fixed_joints(): merges bodies connected by fixed joints; bodies fixed to the world become part of it.
#include <fmt/format.h>

#include "torsor/bridge/newton/builder.hpp"
#include "torsor/bridge/newton/collapse.hpp"
#include "torsor/core/error.hpp"

namespace torsor::newton {
namespace {

template <class T>
void keep(std::vector<T>& values, const std::vector<bool>& kept) {
  std::vector<T> rest;
  for (size_t i = 0; i < values.size(); ++i) {
    if (kept[i]) rest.push_back(values[i]);
  }
  values = std::move(rest);
}

std::vector<Place> find_places(const ModelBuilder& builder, const std::vector<bool>& joint_goes) {
  std::vector<int> fixed(builder.body_count(), -1);  // the joint that the body is merged across
  for (int j = 0; j < builder.joint_count(); ++j) {
    if (joint_goes[j]) fixed[builder.joint_child[j]] = j;
  }
  std::vector<Place> places;
  for (int b = 0; b < builder.body_count(); ++b) {
    Place place{b, Pose<double>::identity()};
    for (int steps = 0; place.body >= 0 && fixed[place.body] >= 0; ++steps) {
      if (steps > builder.body_count())
        throw Error(fmt::format("loops in the articulation: body {} is its own ancestor", b));
      const int j = fixed[place.body];
      place.X_RB = to_pose(builder.joint_X_p[j]) * inverse(to_pose(builder.joint_X_c[j])) * place.X_RB;
      place.body = builder.joint_parent[j];
    }
    places.push_back(place);
  }
  return places;
}

bool is_fixed(const ModelBuilder& builder, int joint) {
  return builder.joint_type[joint] == JointKind::kFixed && builder.joint_articulation[joint] >= 0;
}

}  // namespace

Collapse ModelBuilder::collapse_fixed_joints(const std::vector<int>& joints_to_keep) {
  std::vector<bool> goes;
  for (int j = 0; j < joint_count(); ++j) goes.push_back(is_fixed(*this, j));
  for (const int j : joints_to_keep) {
    if (j < 0 || j >= joint_count())
      throw Error(fmt::format("joint {} does not exist: there are {}", j, joint_count()));
    goes[j] = false;
  }
  return collapse(std::move(goes));
}

Collapse ModelBuilder::collapse_massless_fixed_root(int first_joint) {
  std::vector<bool> goes(joint_count(), false), is_in_chain(body_count(), false);
  // joints of an articulation come parents first
  for (int j = first_joint; j < joint_count(); ++j) {
    const int parent = joint_parent[j], child = joint_child[j];
    const bool is_root = joint_type[j] == JointKind::kFree && parent < 0;
    goes[j] = is_fixed(*this, j) && parent >= 0 && is_in_chain[parent];
    is_in_chain[child] = (is_root || goes[j]) && body_mass[child] == 0;
  }
  return collapse(std::move(goes));
}

Collapse ModelBuilder::collapse(std::vector<bool> joint_goes) {
  keep_adhesion(*this, joint_goes);
  const std::vector<Place> places = find_places(*this, joint_goes);
  redirect_references(places);
  std::vector<bool> body_stays, joint_stays;
  std::vector<int> number;  // of bodies that stay
  int count = 0;
  for (int b = 0; b < body_count(); ++b) {
    body_stays.push_back(places[b].body == b);
    number.push_back(body_stays[b] ? count++ : -1);
  }

  for (int b = 0; b < body_count(); ++b) {
    if (body_stays[b] || places[b].body < 0 || body_mass[b] == 0) continue;
    const Pose<double>& X = places[b].X_RB;
    const Mat3<double> R = to_mat(X.q);
    add_mass(places[b].body, body_mass[b], apply(X, to_vec(body_com[b])),
             mul_transposed(R * load9(body_inertia[b].data()), R));
  }
  const auto move = [&](int& body, Transform& xform) {
    if (body < 0) return;
    const Place& place = places[body];
    xform = to_transform(place.X_RB * to_pose(xform));
    body = place.body < 0 ? -1 : number[place.body];
  };
  for (int s = 0; s < shape_count(); ++s) move(shape_body[s], shape_transform[s]);
  for (int j = 0; j < joint_count(); ++j) {
    joint_stays.push_back(!joint_goes[j]);
    if (!joint_stays[j]) continue;
    move(joint_parent[j], joint_X_p[j]);
    move(joint_child[j], joint_X_c[j]);
    if (joint_child[j] < 0) throw Error(fmt::format("joint {} would close a loop from the world to itself", j));
  }

  // articulations without joints are removed, the others begin at their first remaining joint
  std::vector<int> first(articulation_start.size(), -1), joint_number(joint_count(), -1);
  int next = 0;
  for (int j = 0; j < joint_count(); ++j) {
    if (!joint_stays[j]) continue;
    joint_number[j] = next;
    if (joint_articulation[j] >= 0 && first[joint_articulation[j]] < 0) first[joint_articulation[j]] = next;
    ++next;
  }
  std::vector<bool> articulation_stays;
  std::vector<int> articulation_number;
  int articulations = 0;
  for (const int joint : first) {
    articulation_stays.push_back(joint >= 0);
    articulation_number.push_back(joint >= 0 ? articulations++ : -1);
  }
  for (int& articulation : joint_articulation) articulation = articulation < 0 ? -1 : articulation_number[articulation];
  articulation_start = first;
  keep(articulation_start, articulation_stays);
  keep(articulation_world, articulation_stays);
  keep(articulation_key, articulation_stays);

  keep(body_q, body_stays), keep(body_qd, body_stays), keep(body_mass, body_stays), keep(body_com, body_stays);
  keep(body_inertia, body_stays), keep(body_world, body_stays), keep(body_key, body_stays);
  keep(body_native_name, body_stays), keep(body_lock_inertia, body_stays);
  keep(body_flags, body_stays);
  for (WorldSource& source : world_source) source.builder = nullptr;  // worlds are no longer what was added

  keep(joint_type, joint_stays), keep(joint_parent, joint_stays), keep(joint_child, joint_stays);
  keep(joint_q_start, joint_stays), keep(joint_qd_start, joint_stays), keep(joint_articulation, joint_stays);
  keep(joint_world, joint_stays), keep(joint_X_p, joint_stays), keep(joint_X_c, joint_stays);
  keep(joint_dof_dim, joint_stays), keep(joint_enabled, joint_stays), keep(joint_filters_parent, joint_stays);
  keep(joint_key, joint_stays);
  return {std::move(number), std::move(joint_number), std::move(articulation_number), places};
}

}  // namespace torsor::newton
