// add_mjcf(): adds a compiled MJCF model to the builder's lists. Numbers come from the compiled model, in which frames,
// classes, `fromto` and mass are resolved; what the lists cannot express is kept in `native`.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "torsor/bridge/newton/builder.hpp"
#include "torsor/bridge/newton/leave_out.hpp"
#include "torsor/bridge/newton/turn_up.hpp"
#include "torsor/compile/compile.hpp"
#include "torsor/core/error.hpp"
#include "torsor/format/assets.hpp"
#include "torsor/format/mjcf/mjcf.hpp"
#include "torsor/format/mjcf/references.hpp"
#include "torsor/format/world_axes.hpp"
#include "torsor/sim/length_range.hpp"

namespace torsor::newton {
namespace {

// The default class that those of the file start from.
DefaultSpec make_start(const MjcfOptions& options) {
  DefaultSpec start;
  start.joint.armature = options.axis.armature;
  start.joint.damping[0] = options.axis.damping;
  start.joint.frictionloss = options.axis.friction;
  start.geom.density = options.shape.density;
  start.geom.margin = options.shape.margin, start.geom.gap = options.shape.gap;
  start.geom.friction = {options.shape.mu, options.shape.mu_torsional, options.shape.mu_rolling};
  return start;
}

Spec read(const std::string& source, const MjcfOptions& options) {
  const size_t start = source.find_first_not_of(" \t\r\n");
  const bool is_text = start != std::string::npos && source[start] == '<';
  ReadOptions reading;
  reading.defaults = make_start(options);
  Spec spec = is_text ? read_mjcf_string(source, reading) : read_mjcf_file(source, reading);
  spec.sensors.clear();  // a builder has none, and files for Newton may refer to sites that are not there
  turn_world(spec, spec.compiler.axes.world, kOurAxes);
  return spec;
}

// solref of contacts and limits that give none.
constexpr std::array<double, 2> kUsualReference{0.02, 1};

template <size_t N>
std::array<double, N> numbers(const Field<double>& field, int row) {
  std::array<double, N> result;
  std::copy_n(&field[row * static_cast<int>(N)], N, result.begin());
  return result;
}

Pose<double> pose(const Field<double>& pos, const Field<double>& quat, int row) {
  return {load3(&pos[3 * row]), load4(&quat[4 * row])};
}

ShapeType shape_type_of(GeomType type) {
  switch (type) {
    case GeomType::kPlane:
      return ShapeType::kPlane;
    case GeomType::kHfield:
      return ShapeType::kHeightfield;
    case GeomType::kSphere:
      return ShapeType::kSphere;
    case GeomType::kCapsule:
      return ShapeType::kCapsule;
    case GeomType::kEllipsoid:
      return ShapeType::kEllipsoid;
    case GeomType::kCylinder:
      return ShapeType::kCylinder;
    case GeomType::kBox:
      return ShapeType::kBox;
    case GeomType::kCone:
      return ShapeType::kCone;
    case GeomType::kMesh:
      return ShapeType::kConvexMesh;
    default:
      throw Error("a geom of this type has no counterpart among Newton's shapes");
  }
}

// SAP parameters of geoms and limits, which are extensions of MJCF.
template <class Element>
void take_compliance(double stiffness, double dissipation, Element& element) {
  if (stiffness >= 0) element.sapstiffness = stiffness;
  if (dissipation >= 0) element.sapdissipation = dissipation;
}

class Importer {
 public:
  Importer(ModelBuilder& builder, const Spec& spec, const torsor::Model& model, const MjcfOptions& options,
           std::string prefix)
      : builder_(builder), spec_(spec), model_(model), options_(options), prefix_(std::move(prefix)) {
    const Pose<double> X_up{Vec3<double>::zero(), turn_up(options.up_axis, builder.up_axis)};
    X_WI_ = to_pose(options.xform) * X_up;
    place_bodies();
  }

  void run() {
    bodies_.push_back(-1);
    first_joint_ = builder_.joint_count();
    for (int b = 1; b < model_.nbody; ++b) bodies_.push_back(add_body(b));
    for (int b = 1; b < model_.nbody; ++b) add_joint(b);
    add_articulations();
    for (int g = 0; g < model_.ngeom; ++g) add_geom(g);
    for (int s = 0; s < model_.nsite; ++s)
      if (options_.parse_sites || is_referred_to(s)) add_site(s);
    add_actuators();
    add_elements(spec_.tendons, builder_.native.tendons);
    if (!options_.skip_equality_constraints) add_elements(spec_.equalities, builder_.native.equalities);
    add_elements(spec_.excludes, builder_.native.excludes);
    add_elements(spec_.pairs, builder_.native.pairs);
    if (options_.parse_options && !builder_.native.option) builder_.native.option = spec_.option;
  }

 private:
  std::string name(ObjectType type, int id, const char* kind) const {
    const std::string_view given = model_.name(type, id);
    return prefix_ + (given.empty() ? fmt::format("{}{}", kind, id) : std::string(given));
  }
  std::string key(ObjectType type, int id) const { return std::string(model_.name(type, id)); }

  void place_bodies() {
    X_WB_.push_back(X_WI_);
    for (int b = 1; b < model_.nbody; ++b)
      X_WB_.push_back(X_WB_[model_.body_parentid[b]] * pose(model_.body_pos, model_.body_quat, b));
  }

  int add_body(int b) {
    if (model_.body_mocapid[b] >= 0)
      throw Error(fmt::format("body '{}' is a mocap body, which Newton does not have", key(ObjectType::kBody, b)));
    LinkOptions link;
    link.xform = to_transform(X_WB_[b]);
    link.key = key(ObjectType::kBody, b);
    link.mass = model_.body_mass[b];
    link.com = numbers<3>(model_.body_ipos, b);
    const Mat3<double> R = to_mat(load4(&model_.body_iquat[4 * b]));
    store9(link.inertia.data(), mul_transposed(R * diag(load3(&model_.body_inertia[3 * b])), R));
    link.lock_inertia = true;
    const int body = builder_.add_link(link);
    builder_.body_native_name[body] = name(ObjectType::kBody, b, "body");
    return body;
  }

  void add_joint(int b) {
    const int count = model_.body_jntnum[b], first = model_.body_jntadr[b];
    const int parent = bodies_[model_.body_parentid[b]];
    const Pose<double> X_PB = parent < 0 ? X_WB_[b] : pose(model_.body_pos, model_.body_quat, b);
    JointOptions joint;
    joint.key = count > 0 ? key(ObjectType::kJoint, first) : "";
    const JointType type = count > 0 ? static_cast<JointType>(model_.jnt_type[first]) : JointType::kHinge;
    if (count == 0) {
      if (parent < 0 && options_.floating.value_or(false)) return void(builder_.add_joint_free(bodies_[b]));
      joint.parent_xform = to_transform(X_PB);
      builder_.add_joint(JointKind::kFixed, parent, bodies_[b], {}, {}, joint);
      return;
    }
    if (type == JointType::kFree) {
      const int j = builder_.add_joint_free(bodies_[b], parent, joint);
      return take_native(builder_.joint_qd_start[j], 6, first);
    }
    // hinges have anchors of their own; those of the joint are at the first hinge
    int turning = first;
    while (turning + 1 < first + count && static_cast<JointType>(model_.jnt_type[turning]) == JointType::kSlide)
      ++turning;
    const Pose<double> X_BJ{load3(&model_.jnt_pos[3 * turning]), Quat<double>::identity()};
    joint.parent_xform = to_transform(X_PB * X_BJ);
    joint.child_xform = to_transform(X_BJ);
    if (type == JointType::kBall) {
      if (count > 1)
        throw Error(fmt::format("body '{}' has a ball joint and other joints, which Newton cannot represent",
                                key(ObjectType::kBody, b)));
      const int j = builder_.add_joint_ball(parent, bodies_[b], 0, 0, joint);
      return take_native(builder_.joint_qd_start[j], 3, first);
    }
    add_axes(b, parent, joint);
  }

  void add_axes(int b, int parent, const JointOptions& joint) {
    std::vector<DofConfig> linear, angular;
    const int count = model_.body_jntnum[b], first = model_.body_jntadr[b];
    for (int i = first; i < first + count; ++i) {
      const JointType type = static_cast<JointType>(model_.jnt_type[i]);
      const bool is_slide = type == JointType::kSlide;
      if ((is_slide && !angular.empty()) || (!is_slide && type != JointType::kHinge)) {
        throw Error(fmt::format("joints of body '{}' cannot be represented in Newton: there, slides come before hinges",
                                key(ObjectType::kBody, b)));
      }
      DofConfig axis;
      axis.axis = numbers<3>(model_.jnt_axis, i);
      axis.effort_limit = options_.axis.effort_limit, axis.velocity_limit = options_.axis.velocity_limit;
      if (numbers<2>(model_.jnt_solref, i) == kUsualReference)
        axis.limit_ke = options_.axis.limit_ke, axis.limit_kd = options_.axis.limit_kd;
      const double ref = model_.qpos0[model_.jnt_qposadr[i]];
      if (model_.jnt_limited[i]) {
        axis.limit_lower = model_.jnt_range[2 * i] - ref;
        axis.limit_upper = model_.jnt_range[2 * i + 1] - ref;
      }
      (is_slide ? linear : angular).push_back(axis);
    }
    const JointKind kind = count > 1 ? JointKind::kD6 : linear.empty() ? JointKind::kRevolute : JointKind::kPrismatic;
    const int j = builder_.add_joint(kind, parent, bodies_[b], linear, angular, joint);
    for (int i = 0; i < count; ++i) take_native(builder_.joint_qd_start[j] + i, 1, first + i);
  }

  // Keeps what the lists cannot express.
  void take_native(int dof, int count, int i) {
    const int at = model_.jnt_dofadr[i];
    auto joint = std::make_shared<JointSpec>();
    joint->pos = numbers<3>(model_.jnt_pos, i);
    joint->axis = numbers<3>(model_.jnt_axis, i);
    joint->limited = model_.jnt_limited[i] ? Tristate::kTrue : Tristate::kFalse;
    joint->range = numbers<2>(model_.jnt_range, i);
    joint->actfrclimited = model_.jnt_actfrclimited[i] ? Tristate::kTrue : Tristate::kFalse;
    joint->actfrcrange = numbers<2>(model_.jnt_actfrcrange, i);
    joint->actgravcomp = model_.jnt_actgravcomp[i];
    joint->margin = model_.jnt_margin[i];
    take_compliance(model_.jnt_sapstiffness[i], model_.jnt_sapdissipation[i], *joint);
    if (count == 1) {
      joint->ref = model_.qpos0[model_.jnt_qposadr[i]];
      joint->springref = model_.qpos_spring[model_.jnt_qposadr[i]];
    }
    joint->stiffness = {model_.jnt_stiffness[i], model_.jnt_stiffnesspoly[2 * i], model_.jnt_stiffnesspoly[2 * i + 1]};
    joint->damping = {model_.dof_damping[at], model_.dof_dampingpoly[2 * at], model_.dof_dampingpoly[2 * at + 1]};
    joint->solref_limit = numbers<2>(model_.jnt_solref, i);
    joint->solimp_limit = numbers<5>(model_.jnt_solimp, i);
    joint->solref_friction = numbers<2>(model_.dof_solref, at);
    joint->solimp_friction = numbers<5>(model_.dof_solimp, at);
    // free joints do not have the builder's defaults
    const auto own = [&](double value, double standard) { return count == 6 && value == standard ? 0 : value; };
    for (int k = 0; k < count; ++k) {
      builder_.joint_armature[dof + k] = options_.armature_scale * own(model_.dof_armature[at], options_.axis.armature);
      builder_.joint_friction[dof + k] = own(model_.dof_frictionloss[at], options_.axis.friction);
      builder_.joint_damping[dof + k] = own(model_.dof_damping[at], options_.axis.damping);
    }
    builder_.dof_native[dof] = std::move(joint);
    builder_.dof_native_name[dof] = name(ObjectType::kJoint, i, "joint");
    dof_of_joint_.resize(static_cast<size_t>(model_.njnt), -1);
    dof_of_joint_[i] = dof;
  }

  // One for each tree. Bodies are in depth-first order, so the joints of a tree are contiguous.
  void add_articulations() {
    std::vector<int> joints;
    const auto finish = [&] {
      if (!joints.empty()) builder_.add_articulation(joints);
      joints.clear();
    };
    for (int j = first_joint_; j < builder_.joint_count(); ++j) {
      if (builder_.joint_parent[j] < 0) finish();
      joints.push_back(j);
    }
    finish();
  }

  ShapeConfig config_of(int g) const {
    ShapeConfig config;
    config.density = 0;  // the body has its mass
    if (numbers<2>(model_.geom_solref, g) == kUsualReference)
      config.ke = options_.shape.ke, config.kd = options_.shape.kd;
    config.mu = model_.geom_friction[3 * g];
    config.mu_torsional = model_.geom_friction[3 * g + 1];
    config.mu_rolling = model_.geom_friction[3 * g + 2];
    config.margin = model_.geom_margin[g];
    config.gap = model_.geom_gap[g];
    config.has_shape_collision = model_.geom_contype[g] != 0 || model_.geom_conaffinity[g] != 0 || is_in_pair(g);
    return config;
  }
  bool is_in_pair(int g) const {
    const std::string_view given = model_.name(ObjectType::kGeom, g);
    return std::any_of(spec_.pairs.begin(), spec_.pairs.end(),
                       [&](const PairSpec& pair) { return pair.geom1 == given || pair.geom2 == given; });
  }

  void add_geom(int g) {
    const GeomType type = static_cast<GeomType>(model_.geom_type[g]);
    const int b = model_.geom_bodyid[g];
    const ShapeConfig config = config_of(g);
    if (!options_.parse_visuals && !config.has_shape_collision) return;
    Pose<double> X_BS = pose(model_.geom_pos, model_.geom_quat, g);
    Vector3 scale = numbers<3>(model_.geom_size, g);
    auto source = std::make_shared<Source>();
    if (type == GeomType::kMesh) {
      const int mesh = model_.geom_dataid[g];
      source->mesh = find_asset(spec_.meshes, model_.name(ObjectType::kMesh, mesh));
      X_BS = X_BS * inverse(pose(model_.mesh_pos, model_.mesh_quat, mesh));
      scale = {1, 1, 1};  // already in the asset
    }
    if (type == GeomType::kHfield) {
      source->hfield = find_asset(spec_.hfields, model_.name(ObjectType::kHfield, model_.geom_dataid[g]));
    }
    if (type == GeomType::kPlane) {
      scale = {0, 0, 0};  // MuJoCo's planes are infinite
      if (b != 0) throw Error("a plane on a moving body has no counterpart among Newton's shapes");
    }
    if (b == 0) X_BS = X_WI_ * X_BS;
    const bool is_surface = type == GeomType::kMesh && model_.geom_meshcollision[g] != 0;
    const int shape = builder_.add_shape(bodies_[b], is_surface ? ShapeType::kMesh : shape_type_of(type),
                                         to_transform(X_BS), scale, config, source, key(ObjectType::kGeom, g));
    builder_.shape_native[shape] = make_native(g);
    builder_.shape_native_name[shape] = name(ObjectType::kGeom, g, "geom");
  }

  template <class Asset>
  static Asset find_asset(const std::vector<Asset>& assets, std::string_view wanted) {
    for (const Asset& asset : assets) {
      if (asset.name == wanted) {
        Asset result = asset;
        result.file.clear();  // already read
        if constexpr (requires { result.from_file; }) result.from_file = {};
        return result;
      }
    }
    throw Error(fmt::format("the asset '{}' does not exist", wanted));
  }

  std::shared_ptr<const GeomSpec> make_native(int g) const {
    auto geom = std::make_shared<GeomSpec>();
    geom->contype = model_.geom_contype[g];
    geom->conaffinity = model_.geom_conaffinity[g];
    geom->condim = model_.geom_condim[g];
    geom->priority = model_.geom_priority[g];
    geom->group = model_.geom_group[g];
    geom->solmix = model_.geom_solmix[g];
    geom->solref = numbers<2>(model_.geom_solref, g);
    geom->solimp = numbers<5>(model_.geom_solimp, g);
    geom->adhesion = model_.geom_adhesion[g];
    geom->surfacevel = numbers<6>(model_.geom_surfacevel, g);
    std::copy_n(&model_.geom_rgba[4 * g], 4, geom->rgba.begin());
    take_compliance(model_.geom_sapstiffness[g], model_.geom_sapdissipation[g], *geom);
    return geom;
  }

  bool is_referred_to(int s) const {
    const std::string_view given = model_.name(ObjectType::kSite, s);
    bool found = false;
    const auto search = [&](const auto& elements) {
      for (const auto& element : elements)
        mjcf::for_each_reference(element, [&](ObjectType kind, const std::string& target) {
          found = found || (kind == ObjectType::kSite && target == given);
        });
    };
    search(spec_.tendons), search(spec_.actuators), search(spec_.equalities);
    return found && !given.empty();
  }

  void add_site(int s) {
    const int b = model_.site_bodyid[s];
    Pose<double> X_BS = pose(model_.site_pos, model_.site_quat, s);
    if (b == 0) X_BS = X_WI_ * X_BS;
    ShapeConfig config;
    config.is_site = true, config.density = 0, config.collision_group = 0, config.has_shape_collision = false;
    const int shape = builder_.add_shape(bodies_[b], ShapeType::kSphere, to_transform(X_BS), {0.005, 0, 0}, config,
                                         nullptr, key(ObjectType::kSite, s));
    builder_.shape_native_name[shape] = name(ObjectType::kSite, s, "site");
  }

  // Plain servos of a hinge or slide become its drive; other actuators keep their control.
  void add_actuators() {
    for (size_t i = 0; i < spec_.actuators.size(); ++i) {
      const ActuatorSpec& actuator = spec_.actuators[i];
      if (!options_.ctrl_direct && take_servo(actuator, static_cast<int>(i))) continue;
      add_element(actuator, builder_.native.actuators, fmt::format("actuator{}", i));
    }
  }

  bool take_servo(const ActuatorSpec& spec, int i) {
    const int joint = spec.joint.empty() ? -1 : model_.find(ObjectType::kJoint, spec.joint);
    if (joint < 0 || dof_of_joint_[joint] < 0 || static_cast<size_t>(model_.nu) != spec_.actuators.size()) return false;
    const bool is_axis = static_cast<JointType>(model_.jnt_type[joint]) >= JointType::kSlide;
    const double *gain = &model_.actuator_gainprm[10 * i], *bias = &model_.actuator_biasprm[10 * i];
    const bool is_plain = spec.dyntype == ActuatorDynamics::kNone && spec.gaintype == ActuatorGain::kFixed &&
                          spec.biastype == ActuatorBias::kAffine && model_.actuator_gear[6 * i] == 1 && bias[0] == 0 &&
                          !model_.actuator_ctrllimited[i] && spec.damping[0] == 0 && spec.armature == 0 &&
                          spec.nsample == 0 && bias[1] <= 0 && bias[2] <= 0;
    const bool is_position = gain[0] == -bias[1] && gain[0] > 0, is_velocity = bias[1] == 0 && gain[0] == -bias[2];
    const int dof = dof_of_joint_[joint];
    const bool is_driven = builder_.joint_target_ke[dof] != 0 || builder_.joint_target_kd[dof] != 0;
    const bool is_symmetric =
        !model_.actuator_forcelimited[i] || model_.actuator_forcerange[2 * i] == -model_.actuator_forcerange[2 * i + 1];
    if (!is_axis || !is_plain || !(is_position || is_velocity) || is_driven || !is_symmetric) return false;
    builder_.joint_target_ke[dof] = -bias[1];
    builder_.joint_target_kd[dof] = -bias[2];
    if (model_.actuator_forcelimited[i]) builder_.joint_effort_limit[dof] = model_.actuator_forcerange[2 * i + 1];
    builder_.joint_target_mode[dof] = static_cast<int>(is_position ? TargetMode::kPosition : TargetMode::kVelocity);
    return true;
  }

  template <class Element>
  void add_elements(const std::vector<Element>& from, std::vector<Element>& to) {
    for (const Element& element : from) add_element(element, to, "");
  }
  template <class Element>
  void add_element(Element element, std::vector<Element>& to, const std::string& fallback) {
    const std::string own = element.name.empty() ? fallback : element.name;
    element.name = own.empty() ? "" : prefix_ + own;
    mjcf::for_each_reference(element, [&](ObjectType, std::string& target) {
      if (target != "world") target = prefix_ + target;
    });
    to.push_back(std::move(element));
  }

  ModelBuilder& builder_;
  const Spec& spec_;
  const torsor::Model& model_;
  const MjcfOptions& options_;
  const std::string prefix_;
  Pose<double> X_WI_ = Pose<double>::identity();
  std::vector<Pose<double>> X_WB_;  // where the file puts its bodies
  std::vector<int> bodies_;         // of the builder, by body of the file
  std::vector<int> dof_of_joint_;
  int first_joint_ = 0;
};

}  // namespace

void ModelBuilder::add_mjcf(const std::string& source, const MjcfOptions& options) {
  to_pose(options.xform);  // throws if invalid
  if (!(options.armature_scale >= 0) || !std::isfinite(options.armature_scale))
    throw Error(fmt::format("armature_scale is {}; it cannot be negative", options.armature_scale));
  Spec spec = read(source, options);
  leave_out(spec, options.ignore_names, options.ignore_classes);
  make_visual(spec, options.visual_classes);
  if (options.ignore_inertial_definitions) spec.compiler.inertiafromgeom = Tristate::kTrue;
  load_assets(spec);
  const torsor::Model model = compile(spec, nullptr, measure_length_range);
  ModelBuilder result = *this;  // so that errors leave the builder unchanged
  Importer(result, spec, model, options, fmt::format("{}/", result.copies_++)).run();
  if (options.collapse_fixed_joints)
    result.collapse_fixed_joints();
  else if (options.collapse_massless_fixed_root)
    result.collapse_massless_fixed_root(joint_count());
  *this = std::move(result);
}

}  // namespace torsor::newton
