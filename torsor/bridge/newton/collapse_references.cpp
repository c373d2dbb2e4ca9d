// Elements that name bodies which collapse_fixed_joints() merges: each keeps its effect.
#include <fmt/format.h>

#include <algorithm>
#include <unordered_map>

#include "torsor/bridge/newton/collapse.hpp"

namespace torsor::newton {
namespace {

using Bodies = std::unordered_map<std::string, int>;  // by the name that elements use

Bodies find_bodies(const ModelBuilder& builder) {
  Bodies bodies{{"world", -1}, {"", -1}};  // equalities may leave out the world's name
  for (int b = 0; b < builder.body_count(); ++b) {
    if (!builder.body_native_name[b].empty()) bodies.emplace(builder.body_native_name[b], b);
  }
  return bodies;
}

int find(const Bodies& bodies, const std::string& name) {
  const auto found = bodies.find(name);
  if (found == bodies.end()) throw Error(fmt::format("an element names body '{}', which does not exist", name));
  return found->second;
}

Place find_place(const std::vector<Place>& places, int body) {
  return body < 0 ? Place{-1, Pose<double>::identity()} : places[body];
}

// Expresses the numbers of an equality in the frames of the bodies R1 and R2 that bodies 1 and 2 become part of.
void move_frames(const Pose<double>& X_R1, const Pose<double>& X_R2, EqualitySpec& equality) {
  const bool is_weld = equality.type == EqualityType::kWeld;
  const Pose<double>& X_anchor = is_weld ? X_R2 : X_R1;  // the anchor is a point of body 1, of a weld that of body 2
  store3(equality.anchor.data(), apply(X_anchor, load3(equality.anchor.data())));
  double* const relpose = equality.relpose.data();
  const bool is_given = std::any_of(relpose + 3, relpose + 7, [](double q) { return q != 0; });
  if (!is_weld || !is_given) return;
  store3(relpose, apply(X_R1, load3(relpose)));  // the anchor in body 1
  store4(relpose + 3, X_R1.q * load4(relpose + 3) * conj(X_R2.q));
}

std::vector<int> find_shapes(const ModelBuilder& builder, int body) {
  std::vector<int> shapes;
  for (int s = 0; s < builder.shape_count(); ++s) {
    if (builder.shape_body[s] == body && !(builder.shape_flags[s] & kSite)) shapes.push_back(s);
  }
  return shapes;
}

// An explicit pair collides whatever is excluded.
bool is_explicit_pair(const ModelBuilder& builder, int a, int b) {
  const std::string &name_a = builder.shape_native_name[a], &name_b = builder.shape_native_name[b];
  return std::any_of(builder.native.pairs.begin(), builder.native.pairs.end(), [&](const PairSpec& pair) {
    return (pair.geom1 == name_a && pair.geom2 == name_b) || (pair.geom1 == name_b && pair.geom2 == name_a);
  });
}

// The merged body may have shapes of its own, which the exclusion does not mean: it becomes one of pairs of shapes.
void exclude_shapes(ModelBuilder& builder, int body1, int body2) {
  const std::vector<int> second = find_shapes(builder, body2);
  for (const int a : find_shapes(builder, body1)) {
    for (const int b : second) {
      if (!is_explicit_pair(builder, a, b)) builder.add_shape_collision_filter_pair(a, b);
    }
  }
}

}  // namespace

void keep_adhesion(const ModelBuilder& builder, std::vector<bool>& joint_goes) {
  std::vector<bool> adheres(builder.body_count(), false);
  for (int b = 0; b < builder.body_count(); ++b) {
    const std::string& name = builder.body_native_name[b];
    adheres[b] = !name.empty() && std::any_of(builder.native.actuators.begin(), builder.native.actuators.end(),
                                              [&](const ActuatorSpec& actuator) { return actuator.body == name; });
  }
  for (int j = 0; j < builder.joint_count(); ++j) {
    const int parent = builder.joint_parent[j];
    if (adheres[builder.joint_child[j]] || (parent >= 0 && adheres[parent])) joint_goes[j] = false;
  }
}

// Tendons, pairs and most actuators name joints, sites and geoms, which keep their names.
void ModelBuilder::redirect_references(const std::vector<Place>& places) {
  const Bodies bodies = find_bodies(*this);
  const auto is_gone = [&](int body) { return body >= 0 && places[body].body != body; };
  std::erase_if(native.equalities, [&](EqualitySpec& equality) {
    if (equality.objtype != ObjectType::kBody) return false;
    const int body1 = find(bodies, equality.object1), body2 = find(bodies, equality.object2);
    if (!is_gone(body1) && !is_gone(body2)) return false;
    const Place place1 = find_place(places, body1), place2 = find_place(places, body2);
    if (place1.body == place2.body) return true;  // nothing can move against it
    move_frames(place1.X_RB, place2.X_RB, equality);
    equality.object1 = name_for_equality(place1.body), equality.object2 = name_for_equality(place2.body);
    return false;
  });
  std::erase_if(native.excludes, [&](const ExcludeSpec& exclude) {
    const int body1 = find(bodies, exclude.body1), body2 = find(bodies, exclude.body2);
    if (!is_gone(body1) && !is_gone(body2)) return false;
    const bool become_one = find_place(places, body1).body == find_place(places, body2).body;
    if (!become_one) exclude_shapes(*this, body1, body2);
    return true;
  });
}

}  // namespace torsor::newton
