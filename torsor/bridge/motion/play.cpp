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

// The simulation, from the first frame of a clip on.
class Player {
 public:
  Player(const Model& model, const MotionClip& clip, const PlayOptions& options)
      : model_(model),
        clip_(clip),
        options_(options),
        map_(model, clip, true),
        driver_(model, map_, options),
        velocities_(compute_velocities(clip)),
        target_{trim(clip, 0, 1), {}},
        data_(model),
        root_(map_.root_body() > 0 ? model.body_jntadr[map_.root_body()] : -1) {
    map_.write_qpos(clip, 0, data_.qpos.data());
    map_.write_qvel(clip, velocities_, 0, data_.qvel.data());
  }

  Playback play() {
    Playback result;
    result.uses_actuators = driver_.uses_actuators();
    bool is_up = true;
    for (int frame = 0; frame < clip_.frames; ++frame) {
      // steps are counted, since added times would drift from the frames
      while (double(steps_) * model_.opt.timestep < frame / clip_.fps * (1 - 1e-9)) {
        if (!take_step(result)) return finished(std::move(result));
      }
      states_.insert(states_.end(), data_.qpos.data(), data_.qpos.data() + model_.nq);
      is_up = is_up && height() > 0.5 * clip_.p_WoRo_W(frame).z;
      result.frames_up += is_up || root_ < 0;
    }
    return finished(std::move(result));
  }

 private:
  double height() const { return root_ >= 0 ? data_.qpos[model_.jnt_qposadr[root_] + 2] : 0; }

  // False: the simulation diverged, or was cancelled.
  bool take_step(Playback& result) {
    set_target(clip_, velocities_, double(steps_) * model_.opt.timestep, target_);
    driver_.drive(data_, target_.pose.dof.data(), target_.rate.dof.data());
    const Status status = step(model_, data_);
    if (status == Status::kOutOfMemory) throw Error("the simulation needs more memory than the model allows");
    ++steps_;
    result.diverged = status != Status::kOk;
    result.cancelled = options_.stop_every > 0 && steps_ % options_.stop_every == 0 && options_.is_cancelled();
    if (options_.hold_root && root_ >= 0) hold_root();
    return !result.diverged && !result.cancelled;
  }

  void hold_root() {
    set_target(clip_, velocities_, double(steps_) * model_.opt.timestep, target_);
    std::vector<double> qpos(static_cast<size_t>(model_.nq)), qvel(static_cast<size_t>(model_.nv));
    map_.write_qpos(target_.pose, 0, qpos.data());
    map_.write_qvel(target_.pose, target_.rate, 0, qvel.data());
    std::copy_n(&qpos[size_t(model_.jnt_qposadr[root_])], 7, &data_.qpos[model_.jnt_qposadr[root_]]);
    std::copy_n(&qvel[size_t(model_.jnt_dofadr[root_])], 6, &data_.qvel[model_.jnt_dofadr[root_]]);
  }

  // Adds the motion, and its errors in the joints that the clip has.
  Playback finished(Playback result) const {
    result.motion = clip_from_qpos(model_, states_, clip_.fps);
    result.motion.name = clip_.name;
    MotionClip reference = clip_, followed = result.motion;
    reference.joint_names.clear();
    for (const int joint : map_.joints()) reference.joint_names.emplace_back(model_.name(ObjectType::kJoint, joint));
    followed.joint_names = reference.joint_names, followed.dofs = reference.dofs;
    followed.dof.clear();
    for (int f = 0; f < result.motion.frames; ++f) {
      for (const int address : map_.qpos())
        followed.dof.push_back(states_[size_t(f) * size_t(model_.nq) + size_t(address)]);
    }
    result.errors = compare_clips(model_, reference, followed);
    return result;
  }

  const Model& model_;
  const MotionClip& clip_;
  const PlayOptions& options_;
  const ClipOnModel map_;
  const Driver driver_;
  const MotionVelocities velocities_;
  Target target_;
  Data data_;
  const int root_;  // the free joint, -1 for none
  long long steps_ = 0;
  std::vector<double> states_;
};

}  // namespace

Playback play_clip(const Model& model, const MotionClip& clip, const PlayOptions& options) {
  return Player(model, clip, options).play();
}

}  // namespace torsor
