#include "torsor/batch/stages.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "torsor/batch/lane_functions.hpp"
#include "torsor/batch/row_plan.hpp"
#include "torsor/batch/wide_sensors.hpp"
#include "torsor/batch/wide_solve.hpp"
#include "torsor/constraint/constraint.hpp"
#include "torsor/constraint/damper.hpp"
#include "torsor/dynamics/actuation.hpp"
#include "torsor/dynamics/drive.hpp"
#include "torsor/dynamics/dynamics.hpp"
#include "torsor/dynamics/kernels/circle.hpp"
#include "torsor/dynamics/kernels/integrate.hpp"
#include "torsor/dynamics/tendon_wrench.hpp"
#include "torsor/model/formulation.hpp"
#include "torsor/model/settings.hpp"
#include "torsor/sim/sensor.hpp"
#include "torsor/sim/sim.hpp"

namespace torsor {
namespace {

std::string name_of_actuator(const Model& model, int a) {
  const std::string_view name = model.name(ObjectType::kActuator, a);
  return name.empty() ? fmt::format("actuator {}", a) : fmt::format("actuator '{}'", name);
}

bool acts_on_joint(const Model& model, int a) {
  const auto transmission = static_cast<Transmission>(model.actuator_trntype[a]);
  return transmission == Transmission::kJoint || transmission == Transmission::kJointInParent;
}
bool acts_on_joint_or_tendon(const Model& model, int a) {
  return acts_on_joint(model, a) || static_cast<Transmission>(model.actuator_trntype[a]) == Transmission::kTendon;
}
bool acts_on_hinge_or_slide(const Model& model, int a) {
  if (!acts_on_joint(model, a)) return false;
  const auto joint = static_cast<JointType>(model.jnt_type[model.actuator_trnid[2 * a]]);
  return joint == JointType::kHinge || joint == JointType::kSlide;
}

// Why an actuator is none of the motors and servos that kernels/joint_drive.hpp knows; null if it is.
const char* why_no_drive(const Model& model, int a) {
  if (static_cast<ActuatorDynamics>(model.actuator_dyntype[a]) > ActuatorDynamics::kFilterExact ||
      model.actuator_actnum[a] > 1)
    return "has activation dynamics other than an integrator or a filter";
  const auto gain = static_cast<ActuatorGain>(model.actuator_gaintype[a]);
  const auto bias = static_cast<ActuatorBias>(model.actuator_biastype[a]);
  if (gain > ActuatorGain::kAffine || bias > ActuatorBias::kAffine) return "has a gain or bias that is not affine";
  if (model.actuator_historyadr[a] >= 0) return "has a delay or keeps a history";
  if (full_turn(model, a) > 0) return "may be a servo of a rotation";
  return nullptr;
}

// Whether the functions of one world for this actuator run on a device: all but those of users, motors with states of
// their own, and delays.
bool has_rules_for_devices(const Model& model, int a) {
  const auto dynamics = static_cast<ActuatorDynamics>(model.actuator_dyntype[a]);
  const auto gain = static_cast<ActuatorGain>(model.actuator_gaintype[a]);
  return dynamics != ActuatorDynamics::kUser && dynamics != ActuatorDynamics::kDcMotor && gain != ActuatorGain::kUser &&
         gain != ActuatorGain::kDcMotor &&
         static_cast<ActuatorBias>(model.actuator_biastype[a]) != ActuatorBias::kUser &&
         model.actuator_historyadr[a] < 0;
}

// Whose forces are computed wide, and the first reason why not.
struct WideActuation {
  // `own_values`: why worlds have values of their own, "" if they do not.
  explicit WideActuation(const Model& model, const std::string& own_values = {})
      : why(own_values), is_transmission_wide(own_values.empty()) {
    if (why.empty() && has_implicit_drives(model)) why = "SAP treats actuators implicitly";
    if (!why.empty()) has_rules = false;
    for (int a = 0; a < model.nactuator; ++a) {
      on_joints = on_joints && acts_on_hinge_or_slide(model, a);
      is_transmission_wide = is_transmission_wide && acts_on_joint_or_tendon(model, a);
      has_rules = has_rules && has_rules_for_devices(model, a);
      if (const char* reason = why_no_drive(model, a); reason && why.empty())
        why = name_of_actuator(model, a) + " " + reason;
    }
  }
  std::string why;            // they run lane by lane
  bool on_joints = true;      // all act on hinges and slides
  bool is_transmission_wide;  // all act on joints and tendons
  bool has_rules = true;      // where they run lane by lane, a device has their functions
};

template <class Values>
bool any_nonzero(const Values& values) {
  return std::any_of(values.begin(), values.end(), [](double value) { return value != 0; });
}

bool any_true(const Field<bool>& values) { return std::find(values.begin(), values.end(), true) != values.end(); }

bool has_only_fixed_tendons(const Model& model) {
  return std::all_of(model.wrap_type.begin(), model.wrap_type.end(),
                     [](int type) { return type == static_cast<int>(WrapType::kJoint); });
}

bool any_address(const Field<int>& addresses) {
  return std::any_of(addresses.begin(), addresses.end(), [](int address) { return address >= 0; });
}

class Lister {
 public:
  Lister(const Model& model, const FieldList& fields, BatchPurpose purpose, const FieldSet& wanted,
         const ValueStages& own)
      : model_(model),
        plan_(model),
        is_(model, plan_),
        fields_(fields),
        wanted_(wanted),
        own_(own),
        reads_all_(purpose == BatchPurpose::kRead),
        reads_sensors_(reads_all_ || wants(kReadings)),
        needs_sensors_(is_.reads_sensors && (reads_sensors_ || is_.has_sensor_history)),
        sensors_(model, sensor_sources()),
        sensors_read_rows_(needs_sensors_ && sensors_.left_need_rows),
        reports_forces_(purpose == BatchPurpose::kStepAndForces),
        reads_rows_(sensors_read_rows_ || (reports_forces_ && (!sensor_sources().has_pack_forces ||
                                                               !own.sensors.empty() || has_spatial_tendon(model)))),
        actuation_(model, own.actuators),
        has_fixed_tendons_(has_only_fixed_tendons(model)) {}

  BatchStages list() {
    BatchStages stages;
    to_ = &stages.forward;
    list_position();
    list_velocity();
    list_acceleration();
    to_ = &stages.observe;
    if (needs_sensors_) list_sensors();
    to_ = &stages.report;
    if (reports_forces_) list_body_forces();
    list_integrator(stages);
    stages.writes_pack_rows = writes_pack_rows();
    stages.keeps_forces = (reads_wide_sensors() && sensors_.keeps_forces) || (reports_forces_ && !reads_rows_);
    stages.is_simple = model_.ntendon == 0 && actuation_.on_joints;
    return stages;
  }

 private:
  SensorSources sensor_sources() const {
    return {!is_.has_rows || (is_.has_pack_rows && own_.rows.empty()), reads_all_ || wants("cfrc_int cfrc_ext"),
            is_.contacts_without_rows, own_.sensors};
  }
  bool reads_wide_sensors() const { return needs_sensors_ && reads_sensors_ && sensors_.any_wide; }
  // Whether wide sensors read one of these fields.
  bool sees(const char* names) const {
    return reads_wide_sensors() && (fields_.set(sensors_.reads) & fields_.set(names)).any();
  }

  void list_sensors() {
    if (reads_wide_sensors()) list_wide_sensors();
    if (!sensors_.any_left) return;
    const bool are_all_left = !reads_wide_sensors();
    if (are_all_left)
      return lanes("sensors", sensors_.why, "*", kReadings,
                   writes_pack_rows() ? compute_sensors_without_rows : compute_all_sensors);
    lanes("other sensors", sensors_.why, "*", kReadings,
          sensors_read_rows_   ? compute_left_sensors_of_forces
          : writes_pack_rows() ? compute_left_sensors_without_rows
                               : compute_left_sensors);
  }

  void list_wide_sensors() {
    if (sensors_.needs_subtrees)
      wide("momenta of subtrees", WideStage::kSubtreeVelocity, "xipos ximat subtree_com cvel",
           "subtree_linvel subtree_angmom");
    if (sensors_.needs_accelerations) list_wide_accelerations();
    if (sensors_.needs_forces) list_wide_forces();
    wide("sensors", sensors_read_rows_ ? WideStage::kReadingsOfMotion : WideStage::kReadings, sensors_.reads.c_str(),
         "sensordata");
  }

  void list_wide_accelerations() {
    wide("accelerations of bodies", WideStage::kBodyAccelerations, "qvel qacc cdof cdof_dot", "cacc");
  }
  void list_wide_forces() {
    wide("forces of bodies", WideStage::kBodyForces,
         "xfrc_applied xipos subtree_com cinert cvel cacc xpos xmat site_xpos", "cfrc_int cfrc_ext");
  }

  // As compute_rne_post() after a step.
  void list_body_forces() {
    const std::string why = has_spatial_tendon(model_) ? "spatial tendons pull at bodies" : why_rows();
    if (reads_rows_) return lanes("forces of bodies", why, "*", "cacc cfrc_int cfrc_ext", compute_rne_post);
    list_wide_accelerations();
    list_wide_forces();
  }

  // What sensors compute.
  static constexpr const char* kReadings = "sensordata subtree_linvel subtree_angmom cacc cfrc_int cfrc_ext";
  bool wants(const char* names) const { return (wanted_ & fields_.set(names)).any(); }

  void wide(const char* name, WideStage kernel, const std::string& reads, const char* writes) {
    to_->push_back({name, true, {}, fields_.set(reads), fields_.set(writes), kernel});
  }
  // Wide, unless worlds have values of their own that it reads.
  void wide_or_lanes(const char* name, WideStage kernel, const char* reads, const char* writes, const std::string& why,
                     void (*function)(const Model&, Data&)) {
    if (why.empty())
      wide(name, kernel, reads, writes);
    else
      lanes(name, why, reads, writes, function);
  }
  // "*" is every field.
  void lanes(const char* name, const std::string& why, const std::string& reads, const char* writes,
             void (*function)(const Model&, Data&), WorldStage on_device = WorldStage::kNone) {
    const FieldSet read = reads == "*" ? fields_.all() : fields_.set(reads);
    to_->push_back({name, false, why, read, fields_.set(writes), WideStage::kCount, function, on_device});
  }

  void list_position() {
    wide_or_lanes(
        "kinematics", WideStage::kKinematics, "qpos mocap_pos mocap_quat",
        "xpos xquat xmat xipos ximat xanchor xaxis geom_xpos geom_xmat site_xpos site_xmat subtree_com cinert cdof",
        own_.kinematics, compute_lane_kinematics);
    if ((reads_all_ || sees("cam_xpos cam_xmat") || (needs_sensors_ && sensors_.left_need_cameras) ||
         wants("cam_xpos cam_xmat light_xpos light_xdir")) &&
        (model_.ncam > 0 || model_.nlight > 0))
      lanes("cameras and lights", "they matter to sensors and readers only", "xpos xquat xmat xipos subtree_com",
            "cam_xpos cam_xmat light_xpos light_xdir", compute_cameras_and_lights);
    if (model_.ntendon > 0 && has_fixed_tendons_)
      wide("tendon lengths", WideStage::kFixedTendons, "qpos", "wrap_xpos ten_J ten_length");
    else if (model_.ntendon > 0)
      lanes("tendon lengths", "paths through space are followed for one world at a time",
            "qpos xpos xquat xmat xipos subtree_com cdof site_xpos site_xmat geom_xpos geom_xmat",
            "wrap_xpos ten_J ten_length", compute_tendons, WorldStage::kTendonPaths);
    if (needs_transmission()) list_transmission();
    wide_or_lanes("mass matrix", WideStage::kMassMatrix, "cinert cdof", "crb M", own_.mass_matrix,
                  compute_body_mass_matrix);
    if (is_.tendons_have_armature) wide("armature of tendons", WideStage::kTendonArmature, "M ten_J", "M");
    wide("factor", WideStage::kFactor, "M", "qLD qLDiagInv");
    if (is_.has_rows) list_rows();
  }

  // Motors and servos of hinges and slides do without.
  bool needs_transmission() const {
    return model_.nactuator > 0 &&
           (reads_all_ || (needs_sensors_ && sensors_.any_left) || sees("actuator_length actuator_velocity") ||
            wants("actuator_length actuator_moment actuator_velocity") || !actuation_.why.empty() ||
            !actuation_.on_joints || !why_no_wide_integrator().empty() || is_.tendons_damp || is_.is_discrete);
  }
  void list_transmission() {
    const char* const writes = "actuator_length actuator_moment";
    if (actuation_.is_transmission_wide)
      return wide("transmission", WideStage::kTransmission, "qpos ten_J ten_length", writes);
    lanes("transmission",
          own_.actuators.empty() ? "an actuator acts on something other than a joint or a tendon" : own_.actuators,
          "qpos xpos xquat xmat xipos subtree_com cdof site_xpos site_xmat geom_xpos geom_xmat ten_J ten_length",
          writes, compute_transmission, WorldStage::kTransmission);
  }

  // Whether rows go straight into the problem of the solver: nobody else sees them.
  bool writes_pack_rows() const { return is_.has_pack_rows && !reads_rows_ && own_.rows.empty(); }

  std::string why_rows() const {
    if (!own_.rows.empty()) return own_.rows;
    if (reads_rows_) return "contacts and rows are read";
    return why_no_pack_rows(model_, plan_);
  }

  // The first pair of geoms that is not collided in all lanes at once; rows are written wide all the same.
  std::string why_lane_pairs() const {
    const auto name = [this](int geom) {
      const std::string_view given = model_.name(ObjectType::kGeom, geom);
      return given.empty() ? fmt::format("geom {}", geom) : fmt::format("geom '{}'", given);
    };
    for (const PairPlan& pair : plan_.pairs) {
      if (pair.kind == PackPair::kLaneByLane)
        return fmt::format("points of {} and {} are found for one world at a time", name(pair.pair.geom1),
                           name(pair.pair.geom2));
    }
    return {};
  }

  void list_rows() {
    if (writes_pack_rows()) {
      const std::string why = why_lane_pairs();
      if (why.empty()) return wide("contacts and rows", WideStage::kRows, "", "");
      return lanes("contacts and rows", why, "", "", nullptr);
    }
    std::string reads = "qpos geom_xpos geom_xmat subtree_com cdof ten_J ten_length actuator_moment";
    if (model_.neq > 0) reads += " xpos xquat xmat site_xpos";
    if (is_.is_sap) reads += " qvel M";
    if (is_.is_speculative) reads += " qvel";
    if (is_.is_sap || is_.is_exact) reads += " qLD qLDiagInv";
    lanes("contacts and rows", why_rows(), reads, "", make_lane_rows);
    if (is_.has_actuated_contacts)
      lanes("transmission to contacts", "contacts are found for one world at a time",
            "cdof subtree_com actuator_moment", "actuator_moment", compute_contact_transmission);
  }

  void list_velocity() {
    if (model_.ntendon > 0 &&
        (reads_all_ || reports_forces_ || (needs_sensors_ && sensors_.any_left) || sees("ten_velocity") ||
         wants("ten_velocity") || is_.tendons_pull || is_.tendons_have_armature || !actuation_.why.empty() ||
         !why_no_wide_integrator().empty() || is_.is_sap || is_.is_discrete))
      wide("tendon velocities", WideStage::kTendonVelocity, "qvel ten_J", "ten_velocity");
    if (needs_transmission())
      wide("actuator velocities", WideStage::kActuatorVelocity, "qvel actuator_moment", "actuator_velocity");
    wide_or_lanes("velocity and bias", WideStage::kVelocity, "qvel cdof cinert subtree_com xpos xipos",
                  "cvel cdof_dot qfrc_bias", own_.velocity, compute_velocity_and_bias);
    if (is_.tendons_have_armature && !has_fixed_tendons_)
      lanes("bias of tendons", "paths through space are followed for one world at a time", "*", "qfrc_bias",
            add_lane_tendon_bias);
    wide_or_lanes("passive forces", WideStage::kPassive,
                  "qpos qvel plastic cdof cvel subtree_com xpos xmat xipos ximat geom_xpos geom_xmat",
                  "qfrc_spring qfrc_damper qfrc_gravcomp qfrc_fluid qfrc_passive", own_.passive, compute_lane_passive);
    if (is_.tendons_pull)
      wide("forces of tendons", WideStage::kTendonForce,
           "ten_J ten_length ten_velocity plastic qfrc_spring qfrc_damper qfrc_passive",
           "qfrc_spring qfrc_damper qfrc_passive");
    if (is_.has_adhesion && is_.has_rows)
      lanes("adhesion", "contacts are computed for one world at a time", "qfrc_passive cdof subtree_com",
            "qfrc_passive", add_adhesion_force);
    if (is_.has_rows && !writes_pack_rows())
      lanes("references of rows", "rows are computed for one world at a time",
            std::string("qvel geom_xpos geom_xmat ten_velocity") +
                (model_.neq > 0 ? " cvel cdof_dot cdof subtree_com xpos xquat xmat site_xpos" : ""),
            "", compute_row_reference);
  }

  void list_acceleration() {
    const char* const writes = "act_dot actuator_force qfrc_actuator";
    // Whether there is any gravity compensation may differ from world to world on a device.
    const std::string weights = is_.actuators_carry_weights ? " qfrc_gravcomp" : "";
    if (!actuation_.why.empty())
      lanes("actuators", actuation_.why, "*", writes, compute_actuation, on_device(WorldStage::kActuation));
    else if (actuation_.on_joints)
      wide("actuators", WideStage::kJointDrives, "qpos qvel act ctrl" + weights, writes);
    else
      wide("actuators", WideStage::kDrives,
           "qpos qvel act ctrl actuator_length actuator_velocity actuator_moment" + weights, writes);
    wide("smooth acceleration", WideStage::kAcceleration,
         "qfrc_passive qfrc_bias qfrc_applied qfrc_actuator xfrc_applied xipos subtree_com cdof qLD qLDiagInv",
         "qfrc_smooth qacc_smooth");
    if (is_.is_sap && is_.is_damped)
      wide("damped acceleration", WideStage::kDampedAcceleration, "qvel M qfrc_smooth", "qacc_smooth qH qHDiagInv");
    if (is_.is_discrete) return list_metric();
    if (is_.has_rows)
      list_solver();
    else
      wide("acceleration", WideStage::kFreeAcceleration, "qacc_smooth", "qacc qfrc_constraint");
  }

  // Integrator discrete: the metric, rows in it and their solution belong to one world.
  void list_metric() {
    lanes("metric", kDiscreteLanes, "*", "qacc_smooth", compute_lane_metric);
    lanes("constraint solver", kDiscreteLanes, "*", "qacc qfrc_constraint", forward_constraint);
  }

  void list_solver() {
    const bool are_forces_read = reads_rows_;
    if (writes_pack_rows())
      return wide("constraint solver", WideStage::kCount,
                  "M qacc_smooth qacc_warmstart qpos qvel geom_xpos geom_xmat cdof subtree_com ten_length ten_J xpos "
                  "xquat xmat site_xpos cvel cdof_dot",
                  "qacc qfrc_constraint");
    if (is_.is_solved_wide && !are_forces_read)
      return wide("constraint solver", WideStage::kCount, "M qacc_smooth qacc_warmstart qvel", "qacc qfrc_constraint");
    std::string reads = "M qacc_smooth qacc_warmstart qfrc_smooth";
    if (is_.is_dual) reads += " qLD qLDiagInv";
    if (is_.is_sap)
      reads += " qvel qH qHDiagInv ten_J ten_velocity actuator_moment actuator_velocity actuator_force qfrc_actuator";
    lanes("constraint solver", are_forces_read ? "the forces of rows are read" : why_no_wide_solver(model_, plan_),
          reads, is_.is_sap ? "qacc qfrc_constraint actuator_force qfrc_actuator" : "qacc qfrc_constraint",
          solve_constraints);
  }

  void list_integrator(BatchStages& stages) {
    const Integrator integrator = static_cast<Integrator>(model_.opt.integrator);
    const bool is_runge_kutta = integrator == Integrator::kRk4;
    if (is_runge_kutta) list_runge_kutta(stages);
    to_ = &stages.finish;
    if (const std::string why = why_no_wide_integrator(); !why.empty())
      return lanes("integrator", why, "*", "qpos qvel act history plastic qacc_warmstart time", integrate_lane);
    const bool has_readings = keeps_readings() && !is_runge_kutta;
    if (!actuation_.why.empty() || has_readings)
      lanes("activations", actuation_.why.empty() ? kKeepsReadings : actuation_.why, "*", "act history",
            has_readings ? advance_lane_actuators : advance_lane_controls,
            has_readings ? WorldStage::kNone : on_device(WorldStage::kActivations));
    else if (model_.na > 0)
      wide("activations", WideStage::kAdvanceDrives, "act act_dot", "act");
    list_advance(integrator, is_runge_kutta);
  }

  WorldStage on_device(WorldStage stage) const { return actuation_.has_rules ? stage : WorldStage::kNone; }
  static constexpr const char* kKeepsReadings = "a sensor keeps a history";
  bool keeps_readings() const { return needs_sensors_ && is_.has_sensor_history; }

  // Readings and what activations follow are those of the first evaluation, qacc is the mean.
  void list_runge_kutta(BatchStages& stages) {
    stages.evaluations = 4;
    to_ = &stages.start;
    if (keeps_readings()) lanes("histories of sensors", kKeepsReadings, "*", "history", remember_readings);
    to_ = &stages.report;
    const Followed is_followed = followed_by_activations(model_);
    const std::string followed =
        std::string(is_followed.length ? " actuator_length" : "") + (is_followed.velocity ? " actuator_velocity" : "");
    if (wants("qacc") || (!followed.empty() && wants(followed.c_str())))
      wide("results of Runge-Kutta", WideStage::kRungeKuttaResult, ("qacc" + followed).c_str(),
           ("qacc" + followed).c_str());
    to_ = &stages.between;
    wide("Runge-Kutta", WideStage::kRungeKutta, ("qpos qvel act time qacc act_dot" + followed).c_str(),
         ("qpos qvel act time qacc act_dot" + followed).c_str());
  }

  void list_advance(Integrator integrator, bool is_runge_kutta) {
    const char* const state = "qpos qvel plastic qacc_warmstart time";
    const std::string yields = model_.nplastic > 0 ? " plastic ten_length ten_J" : "";
    if (is_runge_kutta)
      wide("end of Runge-Kutta", WideStage::kRungeKuttaEnd, ("qpos qvel qacc time" + yields).c_str(), state);
    else if (integrator == Integrator::kImplicitFast)
      list_implicit_fast();
    else if (is_.is_sap || is_.is_discrete)
      wide("integrator", WideStage::kEulerUndamped, ("qpos qvel time qacc" + yields).c_str(), state);
    else
      wide("integrator", WideStage::kEuler, ("qpos qvel time qacc qfrc_smooth qfrc_constraint M" + yields).c_str(),
           state);
  }

  void list_implicit_fast() {
    const std::string reads =
        std::string(
            "qpos qvel act ctrl act_dot time qacc qfrc_smooth qfrc_constraint M cdof cdof_dot cvel crb "
            "actuator_force qfrc_actuator") +
        (model_.nplastic > 0 ? " plastic ten_length ten_J" : "");
    const char* const writes = "qpos qvel plastic qacc_warmstart time M qLDiagInv";
    if (actuation_.on_joints && !is_.tendons_damp)
      return wide("integrator", WideStage::kImplicitFast, reads.c_str(), writes);
    const std::string more = std::string(" actuator_length actuator_velocity actuator_moment") +
                             (is_.tendons_damp ? " ten_J ten_velocity" : "");
    wide("integrator", WideStage::kImplicitFastPulled, (reads + more).c_str(), writes);
  }

  std::string why_no_wide_integrator() const {
    const Integrator integrator = static_cast<Integrator>(model_.opt.integrator);
    if (!own_.integrator.empty()) return own_.integrator;
    if (integrator == Integrator::kImplicit) return "the integrator implicit is computed for one world at a time";
    if (integrator != Integrator::kImplicitFast) return {};
    if (is_.is_sap) return "implicitfast with SAP is computed for one world at a time";
    if (is_.is_in_medium) return "implicitfast in a medium";
    if (!actuation_.why.empty()) return "implicitfast, and " + actuation_.why;
    return {};
  }

  const Model& model_;
  const RowPlan plan_;
  const BatchFeatures is_;
  const FieldList& fields_;
  const FieldSet& wanted_;
  const ValueStages& own_;
  const bool reads_all_, reads_sensors_, needs_sensors_;
  const WideSensors sensors_;
  const bool sensors_read_rows_, reports_forces_, reads_rows_;
  const WideActuation actuation_;
  const bool has_fixed_tendons_;
  std::vector<BatchStage>* to_ = nullptr;
};

}  // namespace

BatchFeatures::BatchFeatures(const Model& model, const RowPlan& plan)
    : has_rows(can_have_rows(model)),
      has_wide_actuation(WideActuation(model).why.empty()),
      has_sensor_history(any_address(model.sensor_historyadr)),
      reads_sensors(model.nsensor > 0 && !model.opt.disabled(kDisableSensor)),
      tendons_pull(any_nonzero(model.tendon_stiffness) || any_nonzero(model.tendon_stiffnesspoly)),
      tendons_damp(model.ntendon > 0 &&
                   (any_nonzero(model.tendon_damping) || any_nonzero(model.tendon_dampingpoly) ||
                    any_nonzero(model.actuator_damping) || any_nonzero(model.actuator_dampingpoly))),
      tendons_have_armature(model.ntendon > 0 &&
                            (any_nonzero(model.tendon_armature) || any_nonzero(model.actuator_armature))),
      actuators_carry_weights(any_true(model.jnt_actgravcomp)),
      has_adhesion(model.flg_adhesion),
      has_actuated_contacts(model.flg_actbody),
      is_sap(torsor::is_sap(model.opt)),
      is_damped(has_implicit_damping(model)),
      is_dual(model.opt.solver == static_cast<int>(SolverType::kPgs) || model.opt.noslip_iterations > 0),
      is_exact(model.opt.enabled(kEnableDiagExact)),
      is_in_medium(model.opt.density != 0 || model.opt.viscosity != 0),
      is_solved_wide(has_rows && why_no_wide_solver(model, plan).empty()),
      has_pack_rows(is_solved_wide && why_no_pack_rows(model, plan).empty()),
      integrator(model.opt.integrator),
      is_discrete(formulation(model.opt).solves_in_metric),
      is_speculative(model.opt.enabled(kEnableSpeculative)),
      contacts_without_rows(torsor::contacts_without_rows(model, plan)) {
  for (int id = 0; id < model.nsensor; ++id) plain_sensors.push_back(!is_left_by_readings(model, id));
  tendons_pull = tendons_pull || tendons_damp;
}

BatchStages list_stages(const Model& model, const FieldList& fields, BatchPurpose purpose, const FieldSet& wanted,
                        const ValueStages& own) {
  return Lister(model, fields, purpose, wanted, own).list();
}

}  // namespace torsor
