// Estimates of the memory that elements need.
#include "torsor/format/mjcf/budget.hpp"

#include <fmt/format.h>

namespace torsor::mjcf {
namespace {

double gibibytes(long long bytes) { return static_cast<double>(bytes) / (1LL << 30); }

template <class... Lists>
Count count_all(const Lists&... lists) {
  return (Count() + ... + Count(lists.size()));
}

Count weigh_mesh(const MeshSpec& mesh) {
  return Count(sizeof(float)) * count_all(mesh.vertex, mesh.normal, mesh.texcoord, mesh.face);
}

Count weigh_key(const KeySpec& key) {
  Count numbers;
  for (const auto* list : {&key.qpos, &key.qvel, &key.act, &key.ctrl, &key.mpos, &key.mquat, &key.plastic})
    numbers += *list ? (*list)->size() : 0;
  return Count(sizeof(double)) * numbers;
}

}  // namespace

bool Budget::add(Count bytes) {
  used_ += bytes;
  return used_ <= Count(limit_);
}

void Budget::fail(const Location& where, std::string_view what, Report& report) const {
  report.error(where,
               fmt::format("{} makes the model too large: about {:.3g} GiB, and the limit is {:.3g} GiB", what,
                           gibibytes(used_.value()), gibibytes(limit_)),
               "raise it with the option memory_limit");
  report.throw_if_errors();
}

void Budget::take(Count bytes, const Location& where, std::string_view what, Report& report) {
  if (!add(bytes)) fail(where, what, report);
}

void Budget::take_elements(Count elements, const Location& where, std::string_view what, Report& report) {
  take(elements * Count(kBytesPerElement), where, what, report);
}

Count count_elements(const BodySpec& body) {
  return Count(1) + count_all(body.frames, body.joints, body.geoms, body.sites, body.cameras, body.lights);
}

Count weigh(const Spec& spec) {
  Count elements =
      count_all(spec.meshes, spec.hfields, spec.textures, spec.materials, spec.pairs, spec.excludes, spec.equalities,
                spec.actuators, spec.tendons, spec.sensors, spec.numerics, spec.texts, spec.tuples, spec.keys);
  for (const BodySpec& body : spec.bodies) elements += count_elements(body);
  Count bytes = elements * Count(kBytesPerElement) + Count(spec.defaults.size()) * Count(sizeof(DefaultSpec));
  for (const MeshSpec& mesh : spec.meshes) bytes += weigh_mesh(mesh);
  for (const HfieldSpec& hfield : spec.hfields) bytes += Count(sizeof(float)) * Count(hfield.elevation.size());
  for (const KeySpec& key : spec.keys) bytes += weigh_key(key);
  for (const ActuatorSpec& actuator : spec.actuators) bytes += weigh_element(actuator);
  return bytes;
}

}  // namespace torsor::mjcf
