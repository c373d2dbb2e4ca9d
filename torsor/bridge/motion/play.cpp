// A simulation that tracks a clip with PD control.
#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "torsor/bridge/motion/tracking.hpp"
#include "torsor/dynamics/dynamics.hpp"

namespace torsor {
namespace {

constexpr double kNaturalFrequency = 2 * M_PI * 5;  // rad/s

bool is_position_servo(const Model& model, int actuator) {
  return static_cast<Transmission>(model.actuator_trntype[actuator]) == Transmission::kJoint &&
         static_cast<ActuatorGain>(model.actuator_gaintype[actuator]) == ActuatorGain::kFixed &&
         static_cast<ActuatorBias>(model.actuator_biastype[actuator]) == ActuatorBias::kAffine &&
         model.actuator_biasprm[10 * actuator + 1] < 0;
}

// Drives the joints of a clip: through position actuators, or with forces of its own.
class Driver {
 public:
  Driver(const Model& model, const ClipOnModel& map, const PlayOptions& options) : model_(model), map_(map) {
    if (options.kp <= 0 && options.kd <= 0) find_servos();
    if (!servos_.empty()) return;
    Data data(model);
    compute_kinematics(model, data);
    compute_com_position(model, data);
    compute_mass_matrix(model, data);
    std::vector<double> M(size_t(model.nv) * size_t(model.nv));
    full_mass_matrix(model, data, M.data());
    for (const int dof : map.dofs()) {
      const double inertia = M[size_t(dof) * size_t(model.nv) + size_t(dof)];
      kp_.push_back(options.kp > 0 ? options.kp : inertia * kNaturalFrequency * kNaturalFrequency);
      kd_.push_back(options.kd > 0 ? options.kd : 2 * std::sqrt(kp_.back() * inertia));
    }
  }

  bool uses_actuators() const { return !servos_.empty(); }

  // `target` has positions of the clip's joints, `rate` their velocities.
  void drive(Data& data, const double* target, const double* rate) const {
    if (uses_actuators()) {
      for (size_t i = 0; i < servos_.size(); ++i) data.ctrl[servos_[i]] = target[i] * gear_[i];
      return;
    }
    for (size_t i = 0; i < map_.dofs().size(); ++i) {
      const int dof = map_.dofs()[i], joint = map_.joints()[i];
      double force = kp_[i] * (target[i] - data.qpos[map_.qpos()[i]]) + kd_[i] * (rate[i] - data.qvel[dof]);
      if (model_.jnt_actfrclimited[joint])
        force = std::clamp(force, model_.jnt_actfrcrange[2 * joint], model_.jnt_actfrcrange[2 * joint + 1]);
      data.qfrc_applied[dof] = force;
    }
  }

 private:
  // One servo per joint, in the order of the clip; none at all unless every joint has one.
  void find_servos() {
    for (const int joint : map_.joints()) {
      int found = -1;
      for (int a = 0; a < model_.nactuator && found < 0; ++a) {
        if (is_position_servo(model_, a) && model_.actuator_trnid[2 * a] == joint) found = a;
      }
      if (found < 0) return servos_.clear();
      servos_.push_back(model_.actuator_ctrladr[found]);
      gear_.push_back(model_.actuator_gear[6 * model_.actuator_outadr[found]]);
    }
  }

  const Model& model_;
  const ClipOnModel& map_;
  std::vector<int> servos_;
  std::vector<double> gear_, kp_, kd_;
};

// The clip and its velocities between frames, in one row each.
struct Target {
  MotionClip pose;
  MotionVelocities rate;
};
void set_target(const MotionClip& clip, const MotionVelocities& velocities, double time, Target& target) {
  sample(clip, time, target.pose, 0);
  const double place = std::clamp(time * clip.fps, 0.0, double(clip.frames - 1));
  const size_t a = size_t(place), b = std::min(a + 1, size_t(clip.frames) - 1);
  const auto blend = [&](const std::vector<double>& rows, std::vector<double>& out, size_t width) {
    out.resize(width);
    for (size_t k = 0; k < width; ++k)
      out[k] = rows[a * width + k] + (place - double(a)) * (rows[b * width + k] - rows[a * width + k]);
  };
  blend(velocities.root_linear, target.rate.root_linear, 3);
  blend(velocities.root_angular, target.rate.root_angular, 3);
  blend(velocities.dof, target.rate.dof, size_t(clip.dofs));
}

}  // namespace

Playback play_clip(const Model& model, const MotionClip& clip, const PlayOptions& options) {
  const ClipOnModel map(model, clip, true);
  const Driver driver(model, map, options);
  const MotionVelocities velocities = compute_velocities(clip);
  Target target{trim(clip, 0, 1), {}};
  Data data(model);
  map.write_qpos(clip, 0, data.qpos.data());
  map.write_qvel(clip, velocities, 0, data.qvel.data());
  const int root = map.root_body() > 0 ? model.body_jntadr[map.root_body()] : -1;
  std::vector<double> states, qpos(data.qpos.data(), data.qpos.data() + model.nq), qvel(static_cast<size_t>(model.nv));
  Playback result;
  result.uses_actuators = driver.uses_actuators();
  bool is_up = true;
  long long steps = 0;
  for (int frame = 0; frame < clip.frames; ++frame) {
    // steps are counted, since added times would drift from the frames
    while (double(steps) * model.opt.timestep < frame / clip.fps * (1 - 1e-9)) {
      set_target(clip, velocities, double(steps) * model.opt.timestep, target);
      driver.drive(data, target.pose.dof.data(), target.rate.dof.data());
      const Status status = step(model, data);
      ++steps;
      result.diverged = status == Status::kReset || status == Status::kDiverged;
      if (status == Status::kOutOfMemory) throw Error("the simulation needs more memory than the model allows");
      result.cancelled = options.stop_every > 0 && steps % options.stop_every == 0 && options.is_cancelled();
      if (result.diverged || result.cancelled) break;
      if (!options.hold_root || root < 0) continue;
      set_target(clip, velocities, double(steps) * model.opt.timestep, target);
      map.write_qpos(target.pose, 0, qpos.data());
      map.write_qvel(target.pose, target.rate, 0, qvel.data());
      std::copy_n(&qpos[size_t(model.jnt_qposadr[root])], 7, &data.qpos[model.jnt_qposadr[root]]);
      std::copy_n(&qvel[size_t(model.jnt_dofadr[root])], 6, &data.qvel[model.jnt_dofadr[root]]);
    }
    if (result.diverged || result.cancelled) break;
    states.insert(states.end(), data.qpos.data(), data.qpos.data() + model.nq);
    const double height = root >= 0 ? data.qpos[model.jnt_qposadr[root] + 2] : clip.p_WoRo_W(frame).z;
    is_up = is_up && height > 0.5 * clip.p_WoRo_W(frame).z;
    result.frames_up += is_up;
  }
  result.motion = clip_from_qpos(model, states, clip.fps);
  result.motion.name = clip.name;
  MotionClip reference = clip;
  if (reference.joint_names.empty()) {
    for (const int joint : map.joints()) reference.joint_names.emplace_back(model.name(ObjectType::kJoint, joint));
  }
  MotionClip followed = result.motion;  // only the joints that the clip has
  followed.joint_names = reference.joint_names, followed.dofs = reference.dofs;
  followed.dof.clear();
  for (int f = 0; f < result.motion.frames; ++f) {
    for (const int address : map.qpos()) followed.dof.push_back(states[size_t(f) * size_t(model.nq) + size_t(address)]);
  }
  result.errors = compare_clips(model, reference, followed);
  return result;
}

}  // namespace torsor
