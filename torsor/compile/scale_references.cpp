// Resizes what refers to the contents of frames with a scale: pairs, tendons, actuators, equalities, sensors,
// keyframes.
#include <algorithm>
#include <initializer_list>

#include <fmt/format.h>

#include "torsor/compile/scale_units.hpp"
#include "torsor/model/actuator_form.hpp"
#include "torsor/model/actuator_inputs.hpp"

namespace torsor::compiler {
namespace {

void multiply(std::initializer_list<double*> values, double factor) {
  for (double* value : values) *value *= factor;
}

// What one control or activation of an actuator is measured in: factors of its values and of its unit.
struct Input {
  double value = 1, unit = 1;
};

class ReferenceScaler {
 public:
  ReferenceScaler(Spec& spec, const ScaleTree& tree, Diagnostics& diagnostics)
      : spec_(spec), tree_(tree), diagnostics_(diagnostics) {}

  void scale() {
    for (PairSpec& pair : spec_.pairs) scale_pair(pair);
    for (TendonSpec& tendon : spec_.tendons) scale_tendon(tendon);
    for (EqualitySpec& equality : spec_.equalities) scale_equality(equality);
    for (ActuatorSpec& actuator : spec_.actuators) scale_actuator(actuator);
    for (SensorSpec& sensor : spec_.sensors) scale_sensor(sensor);
    for (KeySpec& key : spec_.keys) scale_key(key);
    for (SkinSpec& skin : spec_.skins) scale_skin(skin);
  }

 private:
  // All bones have one scale, which is uniform.
  void scale_skin(SkinSpec& skin) {
    if (skin.bones.empty()) return;
    const Scale scale = find_or_default(tree_.bodies, skin.bones[0].body);
    const double size = scale.units.size;
    for (SkinSpec::Bone& bone : skin.bones) {
      const Scale other = find_or_default(tree_.bodies, bone.body);
      if (!other.is_uniform() || other.units.size != size)
        diagnostics_.error(skin.location, fmt::format("{}: its bones must have one scale along all axes",
                                                      Draft::describe("skin", skin)));
      for (float& number : bone.bindpos) number = static_cast<float>(number * size);
    }
    for (float& number : skin.vertex) number = static_cast<float>(number * size);
    skin.inflate = static_cast<float>(skin.inflate * size);
  }

  Units site(const std::string& name) const { return find_or_default(tree_.sites, name).units; }
  Units geom(const std::string& name) const { return find_or_default(tree_.geoms, name).units; }
  Units body(const std::string& name) const { return find_or_default(tree_.bodies, name).units; }
  Coordinate joint(const std::string& name) const { return find_or_default(tree_.joints, name).coordinate; }
  Coordinate tendon(const std::string& name) const { return find_or_default(tendons_, name); }

  void scale_pair(PairSpec& pair) {
    const Units units = mean(geom(pair.geom1), geom(pair.geom2));
    multiply({&pair.margin, &pair.gap, &pair.friction[2], &pair.friction[3], &pair.friction[4], &pair.solimp[2]},
             units.size);
    pair.adhesion *= std::sqrt(geom(pair.geom1).force() * geom(pair.geom2).force());
    if (pair.sapstiffness) *pair.sapstiffness *= units.mass;
  }

  // The innermost frame that holds all of a path.
  Units units_of_path(const TendonSpec& tendon) const {
    int node = -1;
    const auto add = [&](int other) { node = node < 0 ? other : tree_.common_node(node, other); };
    for (const WrapSpec& wrap : tendon.path) {
      if (wrap.kind == WrapSpec::Kind::kJoint) add(find_or_default(tree_.joints, wrap.target).node);
      if (wrap.kind == WrapSpec::Kind::kSite) add(find_or_default(tree_.sites, wrap.target).node);
      if (wrap.kind == WrapSpec::Kind::kGeom) add(find_or_default(tree_.geoms, wrap.target).node);
    }
    return tree_.nodes[at(std::max(node, 0))].units;
  }

  bool is_angular(const TendonSpec& tendon) const {
    return !tendon.spatial && std::all_of(tendon.path.begin(), tendon.path.end(), [this](const WrapSpec& wrap) {
      return find_or_default(tree_.joints, wrap.target).type != JointType::kSlide;
    });
  }

  void scale_tendon(TendonSpec& tendon) {
    const Units units = units_of_path(tendon);
    const Coordinate length = is_angular(tendon) ? angular(units) : linear(units);
    tendons_.emplace(tendon.name, length);
    for (WrapSpec& wrap : tendon.path) {
      if (wrap.kind == WrapSpec::Kind::kJoint) wrap.number *= length.value / joint(wrap.target).value;
    }
    multiply({&tendon.range[0], &tendon.range[1], &tendon.springyield, &tendon.margin, &tendon.solimp_limit[2],
              &tendon.solimp_friction[2]},
             length.value);
    if (tendon.springlength != Number2{-1, -1})
      multiply({&tendon.springlength[0], &tendon.springlength[1]}, length.value);
    for (int k = 0; k < 3; ++k) {
      tendon.stiffness[at(k)] *= length.gain(k + 1);
      tendon.damping[at(k)] *= length.gain(k + 1);
    }
    tendon.armature *= length.gain();
    multiply({&tendon.frictionloss, &tendon.actfrcrange[0], &tendon.actfrcrange[1]}, length.force);
    tendon.width *= units.size;
    if (tendon.sapstiffness) *tendon.sapstiffness *= length.gain();
  }

  void scale_equality(EqualitySpec& equality) {
    const bool of_sites = equality.objtype == ObjectType::kSite;
    if (equality.type == EqualityType::kJoint)
      return scale_polynomial(equality, joint(equality.object1), joint(equality.object2));
    if (equality.type == EqualityType::kTendon)
      return scale_polynomial(equality, tendon(equality.object1), tendon(equality.object2));
    const Units first = of_sites ? site(equality.object1) : body(equality.object1);
    const Units second = of_sites ? site(equality.object2) : body(equality.object2);
    const bool is_weld = equality.type == EqualityType::kWeld;
    const Units units = is_weld || of_sites ? mean(first, second) : first;
    equality.solimp[2] *= units.size;
    if (is_weld) equality.torquescale *= units.size;
    if (equality.sapstiffness) *equality.sapstiffness *= units.mass;
    if (of_sites) return;
    move(equality.anchor.data(), is_weld ? equality.object2 : equality.object1);
    if (is_weld) move(equality.relpose.data(), equality.object1);
  }

  // A point in a body.
  void move(double* p, const std::string& body) const {
    store3(p, find_or_default(tree_.bodies, body).stretch * load3(p));
  }

  static void scale_polynomial(EqualitySpec& equality, const Coordinate& first, const Coordinate& second) {
    for (int k = 0; k < 5; ++k) equality.polycoef[at(k)] *= first.value / std::pow(second.value, k);
    equality.solimp[2] *= first.value;
    if (equality.sapstiffness) *equality.sapstiffness *= first.gain();
  }

  // What the actuator drives; its angular gears are relative to the linear ones.
  Coordinate drive(ActuatorSpec& actuator) {
    if (!actuator.tendon.empty()) return tendon(actuator.tendon);
    if (!actuator.body.empty()) return linear(body(actuator.body));
    if (!actuator.cranksite.empty()) {
      const Units a = site(actuator.cranksite), b = site(actuator.slidersite);
      const Units units = mean(a, b);
      actuator.cranklength *= units.size;
      return {units.size, units.length, std::sqrt(a.force() * b.force())};
    }
    if (!actuator.site.empty()) return drive_space(actuator, site(actuator.site));
    const std::string& name = actuator.joint.empty() ? actuator.jointinparent : actuator.joint;
    const auto place = find_or_default(tree_.joints, name);
    return place.type == JointType::kFree ? drive_space(actuator, place.units) : place.coordinate;
  }

  static Coordinate drive_space(ActuatorSpec& actuator, const Units& units) {
    Number6& gear = actuator.gear;
    const bool is_linear = gear[0] != 0 || gear[1] != 0 || gear[2] != 0;
    if (actuator.gaintype == ActuatorGain::kSo3 || !is_linear) return angular(units);
    multiply({&gear[3], &gear[4], &gear[5]}, units.size);
    return linear(units);
  }

  // Of the one control of fixed and affine gains, which the activation follows.
  static Input input_of(const ActuatorSpec& actuator, const Coordinate& drive, const Units& units) {
    if (actuator.gaintype != ActuatorGain::kFixed && actuator.gaintype != ActuatorGain::kAffine) return {};
    const double pressure = units.mass / units.length;
    if (actuator.ctrlspec == kInputPressure) return {pressure, pressure};
    return actuator.ctrlspec == 0 ? Input{} : Input{drive.value, drive.unit};
  }

  Units units_of(const ActuatorSpec& actuator) const {
    if (!actuator.joint.empty()) return find_or_default(tree_.joints, actuator.joint).units;
    if (!actuator.jointinparent.empty()) return find_or_default(tree_.joints, actuator.jointinparent).units;
    if (!actuator.site.empty()) return site(actuator.site);
    if (!actuator.body.empty()) return body(actuator.body);
    if (!actuator.cranksite.empty()) return mean(site(actuator.cranksite), site(actuator.slidersite));
    for (const TendonSpec& tendon : spec_.tendons) {
      if (tendon.name == actuator.tendon) return units_of_path(tendon);
    }
    return {};
  }

  static bool is_opaque(const ActuatorSpec& actuator) {
    return actuator.gaintype == ActuatorGain::kUser || actuator.biastype == ActuatorBias::kUser ||
           actuator.dyntype == ActuatorDynamics::kUser || actuator.gaintype == ActuatorGain::kDcMotor;
  }

  void scale_actuator(ActuatorSpec& actuator) {
    const Coordinate driven = drive(actuator);
    const Units units = units_of(actuator);
    drives_.push_back({driven, input_of(actuator, driven, units)});
    if (is_opaque(actuator) && (units.length != 1 || units.mass != 1))
      diagnostics_.error(actuator.location,
                         fmt::format("{}: its parameters cannot be scaled", Draft::describe("actuator", actuator)),
                         "set scaling=\"geometry\" in the frame");
    scale_gain(actuator, driven, drives_.back().input);
    scale_bias(actuator, driven);
    scale_ranges(actuator, driven, drives_.back().input);
    for (int k = 0; k < 3; ++k) actuator.damping[at(k)] *= driven.gain(k + 1);
    actuator.armature *= driven.gain();
  }

  static void scale_gain(ActuatorSpec& actuator, const Coordinate& driven, const Input& input) {
    Number10& gain = actuator.gainprm;
    switch (actuator.gaintype) {
      case ActuatorGain::kAffine:
        multiply({&gain[1], &gain[2]}, driven.gain() / input.unit);
        [[fallthrough]];
      case ActuatorGain::kFixed:
        gain[0] *= driven.force / input.unit;
        break;
      case ActuatorGain::kMuscle:
        if (gain[2] > 0) gain[2] *= driven.force;
        break;
      case ActuatorGain::kSo3:
      case ActuatorGain::kPid:
        gain[0] *= driven.gain();
        break;
      default:
        break;
    }
    if (actuator.gaintype == ActuatorGain::kPid) multiply({&actuator.dynprm[0], &actuator.dynprm[1]}, driven.value);
  }

  // A positive damping is a damping ratio.
  static void scale_bias(ActuatorSpec& actuator, const Coordinate& driven) {
    Number10& bias = actuator.biasprm;
    if (actuator.biastype == ActuatorBias::kMuscle && bias[2] > 0) bias[2] *= driven.force;
    if (actuator.biastype != ActuatorBias::kAffine && actuator.biastype != ActuatorBias::kSo3) return;
    bias[0] *= driven.force;
    bias[1] *= driven.gain();
    if (bias[2] < 0) bias[2] *= driven.gain();
  }

  static void scale_ranges(ActuatorSpec& actuator, const Coordinate& driven, const Input& input) {
    const bool is_servo =
        actuator.gaintype == ActuatorGain::kPid ||
        (actuator.gaintype == ActuatorGain::kDcMotor && actuator.ctrlspec & (kInputPosition | kInputVelocity));
    multiply({&actuator.lengthrange[0], &actuator.lengthrange[1]}, driven.value);
    multiply({&actuator.forcerange[0], &actuator.forcerange[1], &actuator.ffrange[0], &actuator.ffrange[1]},
             driven.force);
    multiply({&actuator.velrange[0], &actuator.velrange[1]}, driven.value);
    multiply({&actuator.ctrlrange[0], &actuator.ctrlrange[1]}, is_servo ? driven.value : input.value);
    multiply({&actuator.actrange[0], &actuator.actrange[1]}, input.value);
  }

  double factor_of(const SensorSpec& sensor) const;
  Units units_of(ObjectType type, const std::string& name) const;

  void scale_sensor(SensorSpec& sensor) {
    if (sensor.type == SensorType::kTactile) return check_tactile(sensor);
    const double factor = factor_of(sensor);
    sensor.cutoff *= factor;
    if (sensor.type != SensorType::kGeomNormal) sensor.noise *= factor;
  }

  // Its readings have different units, and its mesh is not scaled with the geom.
  void check_tactile(const SensorSpec& sensor) {
    if (find_or_default(tree_.geoms, sensor.refname).node == 0) return;
    diagnostics_.error(sensor.location, fmt::format("{}: its geom cannot be in a frame with a scale",
                                                    Draft::describe("sensor", sensor)));
  }

  const Coordinate& drive_named(const std::string& name) const {
    static const Coordinate kNone;
    for (size_t a = 0; a < spec_.actuators.size(); ++a) {
      if (spec_.actuators[a].name == name) return drives_[a].drive;
    }
    return kNone;
  }

  void scale_key(KeySpec& key) const;
  void scale_key_qpos(KeySpec& key) const;
  void scale_key_mocap(KeySpec& key) const;
  void scale_key_drives(KeySpec& key) const;
  void scale_key_plastic(KeySpec& key) const;

  struct Drive {
    Coordinate drive;
    Input input;
  };
  Spec& spec_;
  const ScaleTree& tree_;
  Diagnostics& diagnostics_;
  std::unordered_map<std::string, Coordinate> tendons_;
  std::vector<Drive> drives_;  // of each actuator
};

Units ReferenceScaler::units_of(ObjectType type, const std::string& name) const {
  switch (type) {
    case ObjectType::kSite:
      return site(name);
    case ObjectType::kGeom:
      return geom(name);
    case ObjectType::kCamera:
      return find_or_default(tree_.cameras, name).units;
    default:
      return body(name);
  }
}

double ReferenceScaler::factor_of(const SensorSpec& sensor) const {
  using Type = SensorType;
  const Units units = units_of(sensor.objtype, sensor.objname);
  switch (sensor.type) {
    case Type::kTouch:
    case Type::kForce:
      return units.force();
    case Type::kTorque:
    case Type::kSubtreeAngMom:
      return units.torque();
    case Type::kAccelerometer:
    case Type::kVelocimeter:
    case Type::kRangefinder:
    case Type::kFramePos:
    case Type::kFrameLinVel:
    case Type::kFrameLinAcc:
    case Type::kSubtreeCom:
    case Type::kSubtreeLinVel:
      return units.size;
    case Type::kInsideSite:
      return sensor.enclosed ? units.size : 1;
    case Type::kGeomDistance:
    case Type::kGeomNormal:
    case Type::kGeomFromTo:
      return mean(units, units_of(sensor.reftype, sensor.refname)).size;
    case Type::kJointPos:
    case Type::kJointVel:
    case Type::kJointLimitPos:
    case Type::kJointLimitVel:
      return joint(sensor.objname).value;
    case Type::kJointActFrc:
    case Type::kJointLimitFrc:
      return joint(sensor.objname).force;
    case Type::kTendonPos:
    case Type::kTendonVel:
    case Type::kTendonLimitPos:
    case Type::kTendonLimitVel:
      return tendon(sensor.objname).value;
    case Type::kTendonActFrc:
    case Type::kTendonLimitFrc:
      return tendon(sensor.objname).force;
    case Type::kActuatorPos:
    case Type::kActuatorVel:
      return drive_named(sensor.objname).value;
    case Type::kActuatorFrc:
      return drive_named(sensor.objname).force;
    default:
      return 1;
  }
}

// Goes along the numbers of a keyframe, which may end early.
class Cursor {
 public:
  explicit Cursor(std::optional<std::vector<double>>& numbers) : numbers_(numbers) {}

  double* take(size_t count) {
    const size_t first = next_;
    next_ += count;
    return numbers_ && next_ <= numbers_->size() ? numbers_->data() + first : nullptr;
  }
  void multiply(double factor) {
    if (double* number = take(1)) *number *= factor;
  }

 private:
  std::optional<std::vector<double>>& numbers_;
  size_t next_ = 0;
};

void ReferenceScaler::scale_key(KeySpec& key) const {
  scale_key_qpos(key);
  scale_key_mocap(key);
  scale_key_drives(key);
  scale_key_plastic(key);
}

void ReferenceScaler::scale_key_qpos(KeySpec& key) const {
  Cursor qpos(key.qpos), qvel(key.qvel);
  for (size_t b = 0; b < spec_.bodies.size(); ++b) {
    for (const JointSpec& joint : spec_.bodies[b].joints) {
      const ScaleTree::FreeBody& free = tree_.free_bodies[b];
      double* q = qpos.take(static_cast<size_t>(qpos_count(joint.type)));
      double* v = qvel.take(static_cast<size_t>(dof_count(joint.type)));
      if (joint.type == JointType::kFree) {
        if (q) store3(q, free.stretch * load3(q) + free.offset);
        if (v) store3(v, free.stretch * load3(v));
      } else if (joint.type == JointType::kSlide) {
        const double factor = tree_.slide_factors[b][static_cast<size_t>(&joint - spec_.bodies[b].joints.data())];
        if (q) *q *= factor;
        if (v) *v *= factor;
      }
    }
  }
}

void ReferenceScaler::scale_key_mocap(KeySpec& key) const {
  Cursor mpos(key.mpos);
  for (size_t b = 0; b < spec_.bodies.size(); ++b) {
    if (!spec_.bodies[b].mocap) continue;
    const ScaleTree::FreeBody& free = tree_.free_bodies[b];
    if (double* p = mpos.take(3)) store3(p, free.stretch * load3(p) + free.offset);
  }
}

void ReferenceScaler::scale_key_drives(KeySpec& key) const {
  Cursor ctrl(key.ctrl), act(key.act);
  for (size_t a = 0; a < spec_.actuators.size(); ++a) {
    const ActuatorSpec& actuator = spec_.actuators[a];
    const auto& [drive, input] = drives_[a];
    const int inputs = actuator.ctrlspec != 0 ? actuator.ctrlspec : standard_inputs(actuator.gaintype);
    const int controls = count_controls(inputs, actuator.gaintype), activations = count_activations(actuator);
    const bool is_pid = actuator.gaintype == ActuatorGain::kPid;
    if (is_pid || actuator.gaintype == ActuatorGain::kDcMotor) {
      int left = controls;
      for (const int bit : {kInputPosition, kInputVelocity}) {
        if (inputs & bit) ctrl.multiply(drive.value), --left;
      }
      if (inputs & kInputForce) ctrl.multiply(drive.force), --left;
      ctrl.take(static_cast<size_t>(left));
      for (int k = 0; k < activations; ++k) act.multiply(is_pid ? drive.value : 1);
      continue;
    }
    for (int k = 0; k < controls; ++k) ctrl.multiply(input.value);
    for (int k = 0; k < activations; ++k) act.multiply(input.value);
  }
}

void ReferenceScaler::scale_key_plastic(KeySpec& key) const {
  Cursor plastic(key.plastic);
  for (size_t b = 0; b < spec_.bodies.size(); ++b) {
    for (size_t j = 0; j < spec_.bodies[b].joints.size(); ++j) {
      const JointSpec& joint = spec_.bodies[b].joints[j];
      if (!(joint.springyield > 0)) continue;
      if (joint.type == JointType::kBall)
        plastic.take(4);
      else
        plastic.multiply(tree_.slide_factors[b][j]);
    }
  }
  for (const TendonSpec& spec : spec_.tendons) {
    if (!(spec.springyield > 0)) continue;
    for (int k = 0; k < 2; ++k) plastic.multiply(tendon(spec.name).value);
  }
}

}  // namespace

void scale_references(Spec& spec, const ScaleTree& tree, Diagnostics& diagnostics) {
  ReferenceScaler(spec, tree, diagnostics).scale();
}

}  // namespace torsor::compiler
