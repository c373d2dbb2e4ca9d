// collapse_fixed_joints(): merges bodies connected by fixed joints; bodies fixed to the world become part of it.
#include <fmt/format.h>

#include "torsor/bridge/newton/builder.hpp"
#include "torsor/core/error.hpp"
#include "torsor/format/mjcf/references.hpp"

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

// The body, or the world (-1), that a body is merged into, and its pose there.
struct Place {
  int body;
  Pose<double> X_RB;
};

std::vector<Place> find_places(const ModelBuilder& builder) {
  std::vector<int> fixed(builder.body_count(), -1);  // the fixed joint that holds the body
  for (int j = 0; j < builder.joint_count(); ++j) {
    if (builder.joint_type[j] == JointKind::kFixed && builder.joint_articulation[j] >= 0)
      fixed[builder.joint_child[j]] = j;
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

template <class Elements>
void require_no_reference(const Elements& elements, const std::vector<std::string>& gone) {
  for (const auto& element : elements) {
    mjcf::for_each_reference(element, [&](ObjectType kind, const std::string& name) {
      for (const std::string& body : gone) {
        if (kind == ObjectType::kBody && name == body)
          throw Error(fmt::format("body '{}' cannot be merged: an element of its MJCF file names it", name));
      }
    });
  }
}

}  // namespace

void ModelBuilder::collapse_fixed_joints() {
  const std::vector<Place> places = find_places(*this);
  std::vector<bool> body_stays, joint_stays;
  std::vector<int> number;  // of bodies that stay
  std::vector<std::string> gone;
  int count = 0;
  for (int b = 0; b < body_count(); ++b) {
    body_stays.push_back(places[b].body == b);
    number.push_back(body_stays[b] ? count++ : -1);
    if (!body_stays[b] && !body_native_name[b].empty()) gone.push_back(body_native_name[b]);
  }
  require_no_reference(native.actuators, gone);
  require_no_reference(native.equalities, gone);
  require_no_reference(native.excludes, gone);

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
    joint_stays.push_back(joint_type[j] != JointKind::kFixed || joint_articulation[j] < 0);
    if (!joint_stays[j]) continue;
    move(joint_parent[j], joint_X_p[j]);
    move(joint_child[j], joint_X_c[j]);
    if (joint_child[j] < 0) throw Error(fmt::format("joint {} would close a loop from the world to itself", j));
  }

  // articulations without joints are removed, the others begin at their first remaining joint
  std::vector<int> first(articulation_start.size(), -1);
  int next = 0;
  for (int j = 0; j < joint_count(); ++j) {
    if (!joint_stays[j]) continue;
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
}

}  // namespace torsor::newton
