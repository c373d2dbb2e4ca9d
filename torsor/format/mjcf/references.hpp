// The names that elements refer to, by kind. Copies of elements must rename them.
#pragma once

#include <algorithm>
#include <array>
#include <concepts>
#include <string>
#include <string_view>
#include <unordered_set>

#include "torsor/model/object_words.hpp"
#include "torsor/model/spec.hpp"

namespace torsor::mjcf {

// The names of one part of a model.
class Names {
 public:
  void add(ObjectType kind, const std::string& name) {
    if (!name.empty()) sets_[static_cast<std::size_t>(kind)].insert(name);
  }
  bool has(ObjectType kind, const std::string& name) const {
    return sets_[static_cast<std::size_t>(kind)].contains(name);
  }
  bool has_any(const std::string& name) const {
    return std::any_of(sets_.begin(), sets_.end(), [&](const auto& set) { return set.contains(name); });
  }

 private:
  std::array<std::unordered_set<std::string>, 32> sets_;
};

template <class T, class U>
concept MaybeConst = std::same_as<std::remove_const_t<T>, U>;

// Each calls f(kind, name) for every reference of an element; f may change the name if the element is not const.
template <class F>
void for_each_reference(MaybeConst<CameraSpec> auto& camera, F&& f) {
  if (!camera.target.empty()) f(ObjectType::kBody, camera.target);
}

template <class F>
void for_each_reference(MaybeConst<LightSpec> auto& light, F&& f) {
  if (!light.target.empty()) f(ObjectType::kBody, light.target);
}

template <class F>
void for_each_reference(MaybeConst<TendonSpec> auto& tendon, F&& f) {
  for (auto& wrap : tendon.path) {
    if (wrap.kind == WrapSpec::Kind::kJoint) f(ObjectType::kJoint, wrap.target);
    if (wrap.kind == WrapSpec::Kind::kSite) f(ObjectType::kSite, wrap.target);
    if (wrap.kind == WrapSpec::Kind::kGeom) f(ObjectType::kGeom, wrap.target);
    if (!wrap.sidesite.empty()) f(ObjectType::kSite, wrap.sidesite);
  }
}

template <class F>
void for_each_reference(MaybeConst<ActuatorSpec> auto& actuator, F&& f) {
  const auto visit = [&f](ObjectType kind, auto& name) {
    if (!name.empty()) f(kind, name);
  };
  visit(ObjectType::kJoint, actuator.joint);
  visit(ObjectType::kJoint, actuator.jointinparent);
  visit(ObjectType::kTendon, actuator.tendon);
  visit(ObjectType::kBody, actuator.body);
  for (auto* site : {&actuator.site, &actuator.refsite, &actuator.cranksite, &actuator.slidersite}) {
    visit(ObjectType::kSite, *site);
  }
}

template <class F>
void for_each_reference(MaybeConst<PairSpec> auto& pair, F&& f) {
  f(ObjectType::kGeom, pair.geom1);
  f(ObjectType::kGeom, pair.geom2);
}

template <class F>
void for_each_reference(MaybeConst<ExcludeSpec> auto& exclude, F&& f) {
  f(ObjectType::kBody, exclude.body1);
  f(ObjectType::kBody, exclude.body2);
}

template <class F>
void for_each_reference(MaybeConst<EqualitySpec> auto& equality, F&& f) {
  f(equality.objtype, equality.object1);
  if (!equality.object2.empty()) f(equality.objtype, equality.object2);
}

template <class F>
void for_each_reference(MaybeConst<SensorSpec> auto& sensor, F&& f) {
  const auto kind_of = [](ObjectType type) { return type == ObjectType::kXBody ? ObjectType::kBody : type; };
  if (!sensor.objname.empty()) f(kind_of(sensor.objtype), sensor.objname);
  if (!sensor.refname.empty()) f(kind_of(sensor.reftype), sensor.refname);
}

template <class F>
void for_each_reference(MaybeConst<TupleSpec> auto& tuple, F&& f) {
  for (auto& entry : tuple.entries) {
    const ObjectType kind = object_of_word(entry.objtype);
    f(kind == ObjectType::kXBody ? ObjectType::kBody : kind, entry.objname);
  }
}

}  // namespace torsor::mjcf
