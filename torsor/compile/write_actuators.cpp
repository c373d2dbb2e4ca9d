// Arrays of actuators, and which of them add damping and armature to joints and tendons.
#include <algorithm>

#include "torsor/compile/write.hpp"

namespace torsor::compiler {
namespace {

struct Addresses {
  int control = 0, output = 0, activation = 0, history = 0, moment = 0;
};

void write_types(const ActuatorDraft& actuator, int a, Model& model) {
  const ActuatorSpec& spec = *actuator.spec;
  model.actuator_trntype[a] = static_cast<int>(actuator.transmission);
  model.actuator_dyntype[a] = static_cast<int>(spec.dyntype);
  model.actuator_gaintype[a] = static_cast<int>(spec.gaintype);
  model.actuator_biastype[a] = static_cast<int>(spec.biastype);
  model.actuator_ctrlspec[a] = actuator.ctrlspec;
  model.actuator_ctrlnum[a] = actuator.controls;
  model.actuator_outnum[a] = actuator.outputs;
  model.actuator_actnum[a] = actuator.activations;
  model.actuator_trnid[2 * a] = actuator.target;
  model.actuator_trnid[2 * a + 1] = actuator.reference;
}

void write_numbers(const ActuatorDraft& actuator, int a, Model& model) {
  const ActuatorSpec& spec = *actuator.spec;
  model.actuator_cranklength[a] = spec.cranklength;
  write_list(model.actuator_dynprm.row(a, 10), spec.dynprm);
  write_list(model.actuator_gainprm.row(a, 10), spec.gainprm);
  write_list(model.actuator_biasprm.row(a, 10), spec.biasprm);
  model.actuator_actlimited[a] = actuator.actlimited;
  write_list(model.actuator_actrange.row(a, 2), actuator.actrange);
  model.actuator_actearly[a] = spec.actearly;
  model.actuator_history[2 * a] = std::max(0, spec.nsample);
  model.actuator_history[2 * a + 1] = spec.interp;
  model.actuator_delay[a] = spec.delay;
  model.actuator_damping[a] = spec.damping[0];
  model.actuator_dampingpoly[2 * a] = spec.damping[1];
  model.actuator_dampingpoly[2 * a + 1] = spec.damping[2];
  model.actuator_armature[a] = spec.armature;
  model.actuator_group[a] = spec.group;
  write_list(model.actuator_user.row(a, model.nuser_actuator), spec.user);
  model.actuator_forcelimited[a] = actuator.forcelimited;
  write_list(model.actuator_forcerange.row(a, 2), spec.forcerange);
}

// One range for all controls, except for a pid, which has one per input.
void write_controls(const ActuatorDraft& actuator, int first, Model& model) {
  const ActuatorSpec& spec = *actuator.spec;
  const auto write = [&model](int control, bool limited, const Number2& range) {
    model.actuator_ctrllimited[control] = limited;
    write_list(model.actuator_ctrlrange.row(control, 2), range);
  };
  if (spec.gaintype != ActuatorGain::kPid) {
    for (int k = 0; k < actuator.controls; ++k) write(first + k, actuator.ctrllimited, actuator.ctrlrange);
    return;
  }
  int control = first;
  if (actuator.ctrlspec & kInputPosition) write(control++, actuator.ctrllimited, actuator.ctrlrange);
  if (actuator.ctrlspec & kInputVelocity) write(control++, spec.velrange[0] < spec.velrange[1], spec.velrange);
  if (actuator.ctrlspec & kInputForce) write(control++, spec.ffrange[0] < spec.ffrange[1], spec.ffrange);
}

void write_outputs(const ActuatorDraft& actuator, int first, int moment, Model& model) {
  for (int k = 0; k < actuator.outputs; ++k) {
    const int out = first + k;
    write_list(model.actuator_gear.row(out, 6), actuator.spec->gear);
    write_list(model.actuator_lengthrange.row(out, 2), actuator.spec->lengthrange);
    model.moment_rowadr[out] = moment + k * actuator.reserved;
    int* columns = model.moment_colind.begin() + model.moment_rowadr[out];
    if (actuator.transmission == Transmission::kSo3 && actuator.reference < 0) {
      model.moment_rownnz[out] = 1;
      *columns = actuator.dofs[static_cast<size_t>(k)];
    } else {
      model.moment_rownnz[out] = static_cast<int>(actuator.dofs.size());
      std::copy(actuator.dofs.begin(), actuator.dofs.end(), columns);
    }
  }
}

// -1: none, -2: several
void add_contributor(int& id, int actuator) { id = id == -1 ? actuator : -2; }

void write_contribution(const ActuatorDraft& actuator, int a, Model& model) {
  if (actuator.spec->armature == 0 && actuator.spec->damping == Number3{0, 0, 0}) return;
  const bool is_tendon = actuator.transmission == Transmission::kTendon;
  add_contributor((is_tendon ? model.tendon_actuatorid : model.jnt_actuatorid)[actuator.target], a);
}

}  // namespace

void write_actuators(const Draft& draft, Model& model) {
  Addresses next;
  for (int a = 0; a < model.nactuator; ++a) {
    const ActuatorDraft& actuator = draft.actuators[static_cast<size_t>(a)];
    write_types(actuator, a, model);
    write_numbers(actuator, a, model);
    model.actuator_ctrladr[a] = next.control;
    model.actuator_outadr[a] = next.output;
    model.actuator_actadr[a] = actuator.activations > 0 ? next.activation : -1;
    model.actuator_historyadr[a] = actuator.spec->nsample > 0 ? next.history : -1;
    write_controls(actuator, next.control, model);
    write_outputs(actuator, next.output, next.moment, model);
    write_contribution(actuator, a, model);
    next.control += actuator.controls;
    next.output += actuator.outputs;
    next.activation += actuator.activations;
    next.history += static_cast<int>(actuator.history_size().value());
    next.moment += actuator.outputs * actuator.reserved;
  }
}

}  // namespace torsor::compiler
