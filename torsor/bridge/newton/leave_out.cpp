#include "torsor/bridge/newton/leave_out.hpp"

#include <algorithm>
#include <regex>
#include <utility>

#include <fmt/format.h>

#include "torsor/core/error.hpp"
#include "torsor/format/mjcf/references.hpp"

namespace torsor::newton {
namespace {

class Patterns {
 public:
  explicit Patterns(const std::vector<std::string>& texts) {
    for (const std::string& text : texts) {
      try {
        expressions_.emplace_back(text);
      } catch (const std::regex_error&) {
        throw Error(fmt::format("'{}' is not a regular expression", text));
      }
    }
  }
  bool match(const std::string& word) const {
    const auto begins = [&word](const std::regex& expression) {
      return std::regex_search(word, expression, std::regex_constants::match_continuous);
    };
    return !word.empty() && std::any_of(expressions_.begin(), expressions_.end(), begins);
  }

 private:
  std::vector<std::regex> expressions_;
};

class Cut {
 public:
  Cut(Spec& spec, const std::vector<std::string>& names, const std::vector<std::string>& classes)
      : spec_(spec), names_(names), classes_(classes) {}

  void run() {
    cut_bodies();
    for (BodySpec& body : spec_.bodies) {
      cut(ObjectType::kJoint, body.joints);
      cut(ObjectType::kGeom, body.geoms);
      cut(ObjectType::kSite, body.sites);
    }
    if (!has_cut_) return;
    for (BodySpec& body : spec_.bodies) {
      drop_referring(ObjectType::kCamera, body.cameras);
      drop_referring(ObjectType::kLight, body.lights);
    }
    drop_referring(ObjectType::kTendon, spec_.tendons);
    drop_referring(ObjectType::kActuator, spec_.actuators);
    drop_referring(ObjectType::kEquality, spec_.equalities);
    drop_referring(ObjectType::kPair, spec_.pairs);
    drop_referring(ObjectType::kExclude, spec_.excludes);
    drop_referring(ObjectType::kSensor, spec_.sensors);
    spec_.tuples.clear();
    spec_.keys.clear();
  }

 private:
  bool is_unwanted(const ElementSpec& element) const {
    return names_.match(element.name) || classes_.match(element.class_name);
  }

  void note(ObjectType kind, const ElementSpec& element) {
    gone_.add(kind, element.name);
    has_cut_ = true;
  }

  template <class Element>
  void cut(ObjectType kind, std::vector<Element>& elements) {
    std::erase_if(elements, [&](const Element& element) {
      const bool goes = is_unwanted(element);
      if (goes) note(kind, element);
      return goes;
    });
  }

  // Parents come before their children, so one pass finds all descendants.
  void cut_bodies() {
    std::vector<BodySpec> kept;
    std::vector<int> place(spec_.bodies.size(), -1);  // index of each body among those kept
    for (size_t b = 0; b < spec_.bodies.size(); ++b) {
      BodySpec& body = spec_.bodies[b];
      const bool is_world = b == 0;
      const bool hangs_on_gone = !is_world && place[static_cast<size_t>(body.parent)] < 0;
      if (hangs_on_gone || (!is_world && (is_unwanted(body) || classes_.match(body.childclass)))) {
        note(ObjectType::kBody, body);
        for (const JointSpec& joint : body.joints) note(ObjectType::kJoint, joint);
        for (const GeomSpec& geom : body.geoms) note(ObjectType::kGeom, geom);
        for (const SiteSpec& site : body.sites) note(ObjectType::kSite, site);
        for (const CameraSpec& camera : body.cameras) note(ObjectType::kCamera, camera);
        continue;
      }
      place[b] = static_cast<int>(kept.size());
      if (!is_world) body.parent = place[static_cast<size_t>(body.parent)];
      kept.push_back(std::move(body));
    }
    spec_.bodies = std::move(kept);
  }

  template <class Element>
  void drop_referring(ObjectType kind, std::vector<Element>& elements) {
    std::erase_if(elements, [&](const Element& element) {
      bool refers = false;
      mjcf::for_each_reference(
          element, [&](ObjectType target, const std::string& name) { refers = refers || gone_.has(target, name); });
      if (refers) note(kind, element);
      return refers;
    });
  }

  Spec& spec_;
  const Patterns names_, classes_;
  mjcf::Names gone_;
  bool has_cut_ = false;
};

}  // namespace

void leave_out(Spec& spec, const std::vector<std::string>& names, const std::vector<std::string>& classes) {
  if (!names.empty() || !classes.empty()) Cut(spec, names, classes).run();
}

void make_visual(Spec& spec, const std::vector<std::string>& classes) {
  const Patterns patterns(classes);
  for (BodySpec& body : spec.bodies) {
    for (GeomSpec& geom : body.geoms)
      if (patterns.match(geom.class_name)) geom.contype = geom.conaffinity = 0;
  }
}

}  // namespace torsor::newton
