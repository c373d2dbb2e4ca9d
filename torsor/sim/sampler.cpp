// One sample: restores the centre, moves one input, and computes the stages that depend on it.
#include "torsor/sim/sampler.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include <fmt/format.h>

#include "torsor/core/error.hpp"
#include "torsor/dynamics/dynamics.hpp"
#include "torsor/sim/sim.hpp"

namespace torsor {
namespace {

// Without a tolerance, the solver iterates until rounding or the iteration limit, which is the same for all samples,
// stops it.
Model sampled_model(const Model& model, const DifferenceOptions& options) {
  Option opt = model.opt;
  opt.tolerance = opt.ls_tolerance = opt.noslip_tolerance = opt.sap_tolerance = 0;
  if (options.iterations > 0) opt.iterations = options.iterations;
  return model.with_options(opt);
}

Data& checked(const Model& model, Data& data, const DifferenceOptions& options) {
  if (!(options.eps > 0) || !std::isfinite(options.eps))
    throw Error(fmt::format("eps must be a positive number, got {}", options.eps));
  if (options.iterations < 0) throw Error(fmt::format("iterations must not be negative, got {}", options.iterations));
  if (data.signature() != model.signature) throw Error("this Data was made for another Model: their structures differ");
  return data;
}

// The parts of the state that a sample may change. Inputs change only if there are callbacks.
int changed_part(const Data& data) {
  const bool has_callbacks = data.control || data.act_dyn || data.act_gain || data.act_bias || data.sensor;
  return kStateFullPhysics | kStateWarmStart | (has_callbacks ? kStateUser : kStateCtrl | kStateQfrcApplied);
}

// Runge-Kutta overwrites positions and velocities with those of its intermediate stages. In discrete time the solver's
// matrix depends on velocity and control, so that nothing of the centre can be used again.
bool leaves_stages(const Model& model) {
  const auto integrator = static_cast<Integrator>(model.opt.integrator);
  return integrator != Integrator::kDiscrete && integrator != Integrator::kRk4;
}

}  // namespace

Sampler::Sampler(const Model& model, Data& data, const DifferenceOptions& options, Probe probe)
    : model_(sampled_model(model, options)),
      data_(checked(model, data, options)),
      kept_(data),
      options_(options),
      probe_(std::move(probe)),
      reuse_(options.reuse && leaves_stages(model)),
      signature_(changed_part(data)),
      qacc_(data.qacc.begin(), data.qacc.end()),
      noise_step_(data.noise_step),
      displacement_(static_cast<size_t>(model.nv)),
      solution_(static_cast<size_t>(model.nv)) {
  for (std::vector<double>* each : {&centre_, &plus_, &minus_, &column_})
    each->resize(static_cast<size_t>(probe_.outputs));
  state_.resize(static_cast<size_t>(state_size(model_, signature_)));
  compute_centre(model);
}

// First to the minimum, with all iterations that the model allows; then once more from there, as samples do.
void Sampler::compute_centre(const Model& model) {
  keep_state();
  if (!probe_.solves) {
    probe_.compute(model_, data_, solver_, SkipStage::kNone);
    return probe_.read(data_, centre_.data());
  }
  Option options = model_.opt;
  options.iterations = model.opt.iterations;
  probe_.compute(model_.with_options(options), data_, solver_, SkipStage::kNone);
  std::copy(data_.qacc.begin(), data_.qacc.end(), solution_.begin());
  restore();
  std::copy(solution_.begin(), solution_.end(), data_.qacc_warmstart.begin());
  keep_state();
  probe_.compute(model_, data_, solver_, reuse_ ? SkipStage::kVelocity : SkipStage::kNone);
  probe_.read(data_, centre_.data());
  if (reuse_) solver_.prepare(model_, data_);
}

const Field<double>& Sampler::field(Moved moved) const {
  switch (moved) {
    case Moved::kCtrl:
      return data_.ctrl;
    case Moved::kAct:
      return data_.act;
    case Moved::kQfrcApplied:
      return data_.qfrc_applied;
    case Moved::kQacc:
      return data_.qacc;
    case Moved::kQvel:
    case Moved::kQpos:  // nv directions
      break;
  }
  return data_.qvel;
}

// Controls are clamped to their range, so a difference across a bound would be wrong on either side.
bool Sampler::may_move(Moved moved, int index, double by) const {
  if (moved != Moved::kCtrl || !model_.actuator_ctrllimited[index] || model_.opt.disabled(kDisableClampCtrl))
    return true;
  const double *range = model_.actuator_ctrlrange.row(index, 2), from = kept_.data().ctrl[index], to = from + by;
  const auto is_inside = [range](double value) { return value >= range[0] && value <= range[1]; };
  const auto is_outside = [range](double value) { return value < range[0] || value > range[1]; };
  return is_inside(from) ? is_inside(to) : is_outside(to);
}

SkipStage Sampler::skip_of(Moved moved) const {
  if (!reuse_ || moved == Moved::kQpos) return SkipStage::kNone;
  return moved == Moved::kQvel ? SkipStage::kPosition : SkipStage::kVelocity;
}

void Sampler::keep_state() { get_state(model_, data_, state_.data(), signature_); }

void Sampler::restore() {
  set_state(model_, data_, state_.data(), signature_);
  std::copy(qacc_.begin(), qacc_.end(), data_.qacc.begin());
  data_.noise_step = noise_step_;
}

// Returns how far the number really moved, after rounding.
double Sampler::move(Moved moved, int index, double by) {
  if (moved == Moved::kQpos) {
    displacement_[static_cast<size_t>(index)] = by;
    integrate_pos(model_, data_.qpos.data(), displacement_.data(), 1);
    displacement_[static_cast<size_t>(index)] = 0;
    return by;
  }
  double& number = field(moved)[index];
  const double before = number;
  number += by;
  return number - before;
}

double Sampler::sample(Moved moved, int index, double by, std::vector<double>& result) {
  if (options_.before_sample) options_.before_sample();
  restore();
  const double moved_by = move(moved, index, by);
  probe_.compute(model_, data_, solver_, skip_of(moved));
  probe_.read(data_, result.data());
  return moved_by;
}

// False if the input cannot move at all.
bool Sampler::compute_column(Moved moved, int index) {
  const bool up = may_move(moved, index, options_.eps);
  const bool down = (options_.centered || !up) && may_move(moved, index, -options_.eps);
  const double above = up ? sample(moved, index, options_.eps, plus_) : 0;
  const double below = down ? sample(moved, index, -options_.eps, minus_) : 0;
  if (!(above > below)) return false;
  probe_.subtract(down ? minus_.data() : centre_.data(), up ? plus_.data() : centre_.data(), above - below,
                  column_.data());
  return true;
}

void Sampler::for_each_column(Moved moved, const std::function<void(int, const double*)>& f) {
  for (int i = 0; i < field(moved).size(); ++i) {
    if (compute_column(moved, i)) f(i, column_.data());
  }
}

}  // namespace torsor
