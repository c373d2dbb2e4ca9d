// Tendons: the objects along their paths, the dofs and trees that they depend on, and the limits that apply.
#include <fmt/format.h>

#include <algorithm>

#include "torsor/compile/targets.hpp"
#include "torsor/model/awake.hpp"

namespace torsor::compiler {
namespace {

using Kind = WrapSpec::Kind;

class PathBuilder {
 public:
  PathBuilder(Draft& draft, const Tree& tree, const Targets& targets, TendonDraft& tendon)
      : draft_(draft), tree_(tree), targets_(targets), tendon_(tendon) {}

  void build() {
    for (const WrapSpec& wrap : tendon_.spec->path) {
      WrapDraft element;
      switch (wrap.kind) {
        case Kind::kJoint:
          element = joint(wrap);
          break;
        case Kind::kSite:
          element = site(wrap);
          break;
        case Kind::kGeom:
          element = geom(wrap);
          break;
        case Kind::kPulley:
          element = {WrapType::kPulley, -1, wrap.number};
          if (!(wrap.number > 0)) error(wrap, "the divisor of a pulley must be positive");
          break;
      }
      tendon_.path.push_back(element);
    }
    std::sort(tendon_.dofs.begin(), tendon_.dofs.end());
    tendon_.dofs.erase(std::unique(tendon_.dofs.begin(), tendon_.dofs.end()), tendon_.dofs.end());
  }

 private:
  void error(const WrapSpec& wrap, const std::string& message, std::string hint = {}) {
    draft_.error_at(wrap.location, fmt::format("{}: {}", Draft::describe("tendon", *tendon_.spec), message),
                    std::move(hint));
  }

  int find(const NameTable& table, std::string_view what, const std::string& name, const WrapSpec& wrap) {
    const int id = table.find(name);
    if (id < 0 && draft_.is_explained(name))
      ++draft_.problems;
    else if (id < 0)
      error(wrap, fmt::format("unknown {} '{}'", what, name), table.hint(name));
    return id;
  }

  WrapDraft joint(const WrapSpec& wrap) {
    const int id = find(targets_.names(ObjectType::kJoint), "joint", wrap.target, wrap);
    if (id < 0) return {};
    const Targets::Joint& joint = targets_.joints[at(id)];
    if (joint.draft->spec->type != JointType::kHinge && joint.draft->spec->type != JointType::kSlide)
      error(wrap, fmt::format("joint '{}' does not have a single coordinate", wrap.target),
            "fixed tendons are sums over hinge and slide joints");
    if (std::find(tendon_.dofs.begin(), tendon_.dofs.end(), joint.dof) != tendon_.dofs.end())
      error(wrap, fmt::format("joint '{}' is listed twice", wrap.target), "add the coefficients");
    tendon_.dofs.push_back(joint.dof);
    add_tree(joint.body);
    return {WrapType::kJoint, id, wrap.number};
  }

  WrapDraft site(const WrapSpec& wrap) {
    const int id = find(targets_.names(ObjectType::kSite), "site", wrap.target, wrap);
    if (id >= 0) add_body(targets_.site_bodies[at(id)]);
    return {WrapType::kSite, id, 0};
  }

  WrapDraft geom(const WrapSpec& wrap) {
    const int id = find(targets_.names(ObjectType::kGeom), "geom", wrap.target, wrap);
    const int side =
        wrap.sidesite.empty() ? -1 : find(targets_.names(ObjectType::kSite), "side site", wrap.sidesite, wrap);
    if (id < 0) return {};
    const GeomType type = targets_.geoms[at(id)].type;
    if (type != GeomType::kSphere && type != GeomType::kCylinder)
      error(wrap, fmt::format("geom '{}' is neither a sphere nor a cylinder", wrap.target),
            "tendons wrap around spheres and cylinders only");
    add_body(targets_.geoms[at(id)].body);
    return {type == GeomType::kSphere ? WrapType::kSphere : WrapType::kCylinder, id, static_cast<double>(side)};
  }

  // All dofs that move the body.
  void add_body(int body) {
    for (int i = tree_.last_dof[at(body)]; i >= 0; i = tree_.dof_parentid[at(i)]) tendon_.dofs.push_back(i);
    add_tree(body);
  }

  void add_tree(int body) {
    const int id = tree_.body_treeid[at(body)];
    std::vector<int>& trees = tendon_.trees;
    if (id >= 0 && std::find(trees.begin(), trees.end(), id) == trees.end()) trees.push_back(id);
  }

  Draft& draft_;
  const Tree& tree_;
  const Targets& targets_;
  TendonDraft& tendon_;
};

// Branches of a spatial path are separated by pulleys: each has at least two sites, and each geom is between two sites.
void check_path(Draft& draft, const TendonSpec& tendon) {
  const std::vector<WrapSpec>& path = tendon.path;
  if (path.empty()) return draft.error("tendon", tendon, "has an empty path");
  if (!tendon.spatial) return;
  const auto is = [&path](size_t k, Kind kind) { return k < path.size() && path[k].kind == kind; };
  const auto complain = [&](size_t k, const char* message) {
    draft.error_at(path[k].location, fmt::format("{}: {}", Draft::describe("tendon", tendon), message));
  };
  bool has_geom = false;
  for (size_t k = 0; k < path.size(); ++k) {
    const size_t before = k - 1;  // wraps around at the start, which matches nothing
    if (is(k, Kind::kPulley)) {
      if (is(k + 1, Kind::kPulley)) complain(k, "two pulleys in a row");
      if (k + 1 == path.size()) complain(k, "the path ends with a pulley");
    } else if (is(k, Kind::kGeom)) {
      has_geom = true;
      if (!is(before, Kind::kSite) || !is(k + 1, Kind::kSite)) complain(k, "a geom must be between two sites");
    } else if (is(k + 1, Kind::kSite) && path[k].target == path[k + 1].target) {
      complain(k + 1, "the same site twice in a row");
    } else {
      const bool starts = k == 0 || is(before, Kind::kPulley);
      if (starts && (k + 1 == path.size() || is(k + 1, Kind::kPulley)))
        complain(k, "a branch of the path needs at least two sites");
    }
  }
  if (has_geom && tendon.armature != 0)
    draft.error("tendon", tendon, "armature is not possible for a path that wraps around geoms");
}

bool settle_limited(Draft& draft, const TendonSpec& tendon, Tristate limited, const Number2& range, const char* name) {
  if (limited != Tristate::kAuto) return limited == Tristate::kTrue;
  if (draft.spec.compiler.autolimits) return range[0] < range[1];
  if (range != Number2{0, 0})
    draft.error(
        "tendon", tendon,
        std::string("has ") + name + ", but neither its limited attribute nor autolimits says whether it applies",
        "set autolimits of compiler, or the limited attribute of the tendon");
  return false;
}

void settle_numbers(Draft& draft, TendonDraft& tendon) {
  const TendonSpec& spec = *tendon.spec;
  tendon.limited = settle_limited(draft, spec, spec.limited, spec.range, "a range");
  if (tendon.limited && !(spec.range[0] < spec.range[1]))
    draft.error("tendon", spec, "range: the lower limit must be less than the upper limit");
  tendon.force_limited = settle_limited(draft, spec, spec.actfrclimited, spec.actfrcrange, "an actuatorfrcrange");
  const auto [lower, upper] = spec.actfrcrange;
  if (tendon.force_limited && !(lower < upper && lower <= 0 && upper >= 0))
    draft.error("tendon", spec,
                "actuatorfrcrange must contain 0, and its lower limit must be less than the upper limit");
  if (spec.springlength[0] > spec.springlength[1])
    draft.error("tendon", spec, "springlength: the lower end of the dead band must not exceed the upper end");
  if (spec.armature < 0) draft.error("tendon", spec, "armature cannot be negative");
  if (spec.springyield < 0) draft.error("tendon", spec, "springyield must not be negative");
  check_compliance(draft, "tendon", spec, "a near-rigid limit");
  if (!(spec.width > 0)) draft.error("tendon", spec, "the width must be positive");
}

// Forces between trees would have to wake them in time, and tendon_treeid holds two trees only.
void check_sleep(Draft& draft, const Tree& tree, const TendonDraft& tendon) {
  constexpr Number3 kNone{0, 0, 0};
  const bool pulls = tendon.spec->stiffness != kNone || tendon.spec->damping != kNone,
             is_wide = tendon.trees.size() > 2;
  if (tendon.trees.size() < 2 || !(pulls || is_wide)) return;
  for (const int id : tendon.trees) {
    const auto policy = static_cast<SleepPolicy>(tree.tree_sleep_policy[static_cast<size_t>(id)]);
    if (policy != SleepPolicy::kAllowed && policy != SleepPolicy::kInit) continue;
    draft.error("tendon", *tendon.spec,
                is_wide ? "connects more than two trees, one of which has sleep 'allowed' or 'init'"
                        : "has stiffness or damping between two trees, one of which has sleep 'allowed' or 'init'",
                "set sleep of the body to never, or leave it out");
    return;
  }
}

}  // namespace

void settle_tendons(Draft& draft, const Tree& tree, const Targets& targets) {
  for (const TendonSpec& spec : draft.spec.tendons) {
    TendonDraft& tendon = draft.tendons.emplace_back();
    tendon.spec = &spec;
    check_path(draft, spec);
    settle_numbers(draft, tendon);
    PathBuilder(draft, tree, targets, tendon).build();
    check_sleep(draft, tree, tendon);
    const int material = draft.resolve(draft.material_names, "material", spec.material, "tendon", spec);
    tendon.material = draft.drops_visuals ? -1 : material;
  }
}

}  // namespace torsor::compiler
