// Every name is unique among the elements of its kind.
#include <unordered_map>

#include <fmt/format.h>

#include "torsor/format/mjcf/reader.hpp"

namespace torsor::mjcf {
namespace {

class NameCheck {
 public:
  NameCheck(std::string_view kind, Report& report) : kind_(kind), report_(report) {}

  void add(const ElementSpec& element) {
    if (element.name.empty()) return;
    const auto [first, is_new] = seen_.emplace(element.name, &element);
    if (is_new) return;
    const Location& where = first->second->location;
    const std::string hint = where.line > 0 ? fmt::format("the first is in line {}{}{}", where.line,
                                                          where.file.empty() ? "" : " of ", where.file)
                                            : "the first is the world";
    report_.error(element.location, fmt::format("the name '{1}' is used by two <{0}> elements", kind_, element.name),
                  hint);
  }

  template <class T>
  void add_all(const std::vector<T>& elements) {
    for (const T& element : elements) add(element);
  }

 private:
  std::string_view kind_;
  Report& report_;
  std::unordered_map<std::string_view, const ElementSpec*> seen_;
};

template <class T>
void check_parts(std::string_view kind, const Spec& spec, std::vector<T> BodySpec::*parts, Report& report) {
  NameCheck check(kind, report);
  for (const BodySpec& body : spec.bodies) check.add_all(body.*parts);
}

template <class T>
void check_list(std::string_view kind, const std::vector<T>& elements, Report& report) {
  NameCheck(kind, report).add_all(elements);
}

}  // namespace

void check_names(const Spec& spec, Report& report) {
  check_list("body", spec.bodies, report);
  check_parts("frame", spec, &BodySpec::frames, report);
  check_parts("joint", spec, &BodySpec::joints, report);
  check_parts("geom", spec, &BodySpec::geoms, report);
  check_parts("site", spec, &BodySpec::sites, report);
  check_parts("camera", spec, &BodySpec::cameras, report);
  check_parts("light", spec, &BodySpec::lights, report);
  check_list("mesh", spec.meshes, report);
  check_list("hfield", spec.hfields, report);
  check_list("skin", spec.skins, report);
  check_list("texture", spec.textures, report);
  check_list("material", spec.materials, report);
  check_list("pair", spec.pairs, report);
  check_list("exclude", spec.excludes, report);
  check_list("equality", spec.equalities, report);
  check_list("tendon", spec.tendons, report);
  check_list("actuator", spec.actuators, report);
  check_list("sensor", spec.sensors, report);
  check_list("numeric", spec.numerics, report);
  check_list("text", spec.texts, report);
  check_list("tuple", spec.tuples, report);
  check_list("key", spec.keys, report);
}

}  // namespace torsor::mjcf
