// Edits of tendons, actuators and sensors.
#include "torsor/load/update_elements.hpp"

namespace torsor {
namespace {

using M = Edits::Arrays;

void update_path(const Edits& edits, int first, TendonSpec& tendon) {
  for (size_t k = 0; k < tendon.path.size(); ++k) {
    const int row = first + static_cast<int>(k);
    WrapSpec& wrap = tendon.path[k];
    if (!edits.changed(&M::wrap_prm, row)) continue;
    const double parameter = edits.after().wrap_prm[row];
    if (wrap.kind == WrapSpec::Kind::kGeom) {
      wrap.sidesite = edits.name_of(ObjectType::kSite, static_cast<int>(parameter));
    } else if (wrap.kind != WrapSpec::Kind::kSite) {
      wrap.number = parameter;
    }
  }
}

void update_tendon(const Edits& edits, int t, TendonSpec& tendon) {
  const Model& after = edits.after();
  edits.take(&M::tendon_group, t, tendon.group);
  edits.take_limits(&M::tendon_range, &M::tendon_limited, t, tendon.range, tendon.limited);
  edits.take_limits(&M::tendon_actfrcrange, &M::tendon_actfrclimited, t, tendon.actfrcrange, tendon.actfrclimited);
  edits.take(&M::tendon_margin, t, tendon.margin);
  edits.take_optional(&M::tendon_sapstiffness, t, tendon.sapstiffness);
  edits.take_optional(&M::tendon_sapdissipation, t, tendon.sapdissipation);
  edits.take(&M::tendon_lengthspring, t, tendon.springlength);
  edits.take(&M::tendon_springyield, t, tendon.springyield);
  edits.take_polynomial(&M::tendon_stiffness, &M::tendon_stiffnesspoly, t, tendon.stiffness);
  edits.take_polynomial(&M::tendon_damping, &M::tendon_dampingpoly, t, tendon.damping);
  edits.take(&M::tendon_armature, t, tendon.armature);
  edits.take(&M::tendon_frictionloss, t, tendon.frictionloss);
  edits.take(&M::tendon_solref_lim, t, tendon.solref_limit);
  edits.take(&M::tendon_solimp_lim, t, tendon.solimp_limit);
  edits.take(&M::tendon_solref_fri, t, tendon.solref_friction);
  edits.take(&M::tendon_solimp_fri, t, tendon.solimp_friction);
  edits.take_list(&M::tendon_user, t, after.nuser_tendon, tendon.user);
  update_path(edits, after.tendon_adr[t], tendon);
  if (!tendon.spatial && !edits.infers()) return;  // a file has these only for spatial tendons, which are drawn
  edits.take_name(&M::tendon_matid, t, ObjectType::kMaterial, tendon.material);
  edits.take(&M::tendon_width, t, tendon.width);
  edits.take(&M::tendon_rgba, t, tendon.rgba);
}

// A pid has one range per input; those of velocity and force apply if the upper limit exceeds the lower.
void update_inputs(const Edits& edits, int first, int inputs, ActuatorSpec& actuator) {
  int control = first;
  if (inputs & kInputPosition)
    edits.take_limits(&M::actuator_ctrlrange, &M::actuator_ctrllimited, control++, actuator.ctrlrange,
                      actuator.ctrllimited);
  if (inputs & kInputVelocity) edits.take(&M::actuator_ctrlrange, control++, actuator.velrange);
  if (inputs & kInputForce) edits.take(&M::actuator_ctrlrange, control++, actuator.ffrange);
}

void update_controls(const Edits& edits, int a, ActuatorSpec& actuator) {
  const Model& after = edits.after();
  const int first = after.actuator_ctrladr[a];
  if (actuator.gaintype == ActuatorGain::kPid) {
    update_inputs(edits, first, after.actuator_ctrlspec[a], actuator);
  } else if (after.actuator_ctrlnum[a] > 0) {
    edits.take_limits(&M::actuator_ctrlrange, &M::actuator_ctrllimited, first, actuator.ctrlrange,
                      actuator.ctrllimited);
  }
}

// Only servos can inherit ranges. With other gains an actuator may no longer be a servo, so ranges that have to stay
// become explicit.
void own_ranges(const Edits& edits, int a, ActuatorSpec& actuator) {
  if (actuator.inheritrange == 0) return;
  const bool has_gains = edits.changed(&M::actuator_gainprm, a, 10) || edits.changed(&M::actuator_biasprm, a, 10) ||
                         edits.changed(&M::actuator_dynprm, a, 10);
  if (!has_own_range(edits, a, actuator.dyntype) && (!has_gains || edits.infers())) return;
  const Model& after = edits.after();
  const int first = after.actuator_ctrladr[a];
  actuator.inheritrange = 0;
  std::copy_n(after.actuator_ctrlrange.row(first, 2), 2, actuator.ctrlrange.begin());
  std::copy_n(after.actuator_actrange.row(a, 2), 2, actuator.actrange.begin());
  actuator.ctrllimited = after.actuator_ctrllimited[first] ? Tristate::kTrue : Tristate::kFalse;
  actuator.actlimited = after.actuator_actlimited[a] ? Tristate::kTrue : Tristate::kFalse;
}

void update_actuator(const Edits& edits, int a, ActuatorSpec& actuator) {
  const Model& after = edits.after();
  const int output = after.actuator_outadr[a];
  own_ranges(edits, a, actuator);
  update_controls(edits, a, actuator);
  edits.take(&M::actuator_gainprm, a, actuator.gainprm);
  edits.take(&M::actuator_biasprm, a, actuator.biasprm);
  edits.take(&M::actuator_dynprm, a, actuator.dynprm);
  edits.take(&M::actuator_actearly, a, actuator.actearly);
  edits.take_limits(&M::actuator_actrange, &M::actuator_actlimited, a, actuator.actrange, actuator.actlimited);
  edits.take_limits(&M::actuator_forcerange, &M::actuator_forcelimited, a, actuator.forcerange, actuator.forcelimited);
  edits.take(&M::actuator_gear, output, actuator.gear);
  edits.take(&M::actuator_lengthrange, output, actuator.lengthrange);
  if (!actuator.cranksite.empty() || edits.infers()) edits.take(&M::actuator_cranklength, a, actuator.cranklength);
  edits.take_polynomial(&M::actuator_damping, &M::actuator_dampingpoly, a, actuator.damping);
  edits.take(&M::actuator_armature, a, actuator.armature);
  edits.take(&M::actuator_delay, a, actuator.delay);
  edits.take(&M::actuator_group, a, actuator.group);
  edits.take_list(&M::actuator_user, a, after.nuser_actuator, actuator.user);
}

void update_sensor(const Edits& edits, int s, SensorSpec& sensor) {
  edits.take(&M::sensor_cutoff, s, sensor.cutoff);
  edits.take(&M::sensor_noise, s, sensor.noise);
  edits.take(&M::sensor_delay, s, sensor.delay);
  edits.take(&M::sensor_interval, s, sensor.interval);
  edits.take_list(&M::sensor_user, s, edits.after().nuser_sensor, sensor.user);
}

// Ranges that are measured, or taken from joints, would be computed again; after an edit, all ranges become explicit.
void own_length_ranges(const Edits& edits, Spec& spec) {
  const Model& after = edits.after();
  if (spec.compiler.lengthrange.useexisting || !edits.changed_range(&M::actuator_lengthrange, 0, 2 * after.nout))
    return;
  spec.compiler.lengthrange.useexisting = true;
  for (size_t a = 0; a < spec.actuators.size(); ++a) {
    const double* range = after.actuator_lengthrange.row(after.actuator_outadr[static_cast<int>(a)], 2);
    std::copy_n(range, 2, spec.actuators[a].lengthrange.begin());
  }
}

}  // namespace

bool has_own_range(const Edits& edits, int a, ActuatorDynamics dynamics) {
  const int first = edits.after().actuator_ctrladr[a];
  if (dynamics == ActuatorDynamics::kIntegrator)
    return edits.changed(&M::actuator_actrange, a, 2) || edits.changed(&M::actuator_actlimited, a);
  return edits.changed(&M::actuator_ctrlrange, first, 2) || edits.changed(&M::actuator_ctrllimited, first);
}

void update_drives(const Edits& edits, Spec& spec) {
  own_length_ranges(edits, spec);
  for (size_t t = 0; t < spec.tendons.size(); ++t) update_tendon(edits, static_cast<int>(t), spec.tendons[t]);
  for (size_t a = 0; a < spec.actuators.size(); ++a) update_actuator(edits, static_cast<int>(a), spec.actuators[a]);
  for (size_t s = 0; s < spec.sensors.size(); ++s) update_sensor(edits, static_cast<int>(s), spec.sensors[s]);
}

}  // namespace torsor
