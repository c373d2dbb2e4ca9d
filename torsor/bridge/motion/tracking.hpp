// How well one motion follows another: the errors that papers on motion tracking report, and a simulation that tracks a
// clip with PD control.
#pragma once

#include <functional>

#include "torsor/bridge/motion/on_model.hpp"
#include "torsor/sim/sim.hpp"

namespace torsor {

struct ErrorStatistic {
  double mean = 0, largest = 0;
};

// Over all frames, and all joints or bodies of the figure. Bodies are those of the model below the root, which is
// included. Local positions are relative to the root's position and heading, so that drift does not count.
struct TrackingErrors {
  int frames = 0;
  ErrorStatistic joint;              // rad or m
  ErrorStatistic root_position;      // m
  ErrorStatistic root_rotation;      // rad
  ErrorStatistic body_position;      // m: E_g-mpjpe
  ErrorStatistic body_local;         // m: E_mpjpe
  ErrorStatistic body_rotation;      // rad
  ErrorStatistic body_velocity;      // m/s: E_vel, by differences between frames
  ErrorStatistic body_acceleration;  // m/s^2: E_acc, by second differences
};
std::string to_text(const TrackingErrors& errors);

// Compares frame by frame at the rate of the reference, which the other clip is resampled to, over the time that both
// have. Joints are compared by name. Without a model, bodies are those of the clips' own skeletons, if they have one.
TrackingErrors compare_clips(const Model& model, const MotionClip& reference, const MotionClip& other);
TrackingErrors compare_clips(const MotionClip& reference, const MotionClip& other);

struct PlayOptions {
  // PD gains of all joints. 0: the position actuators of the model where every joint has one; else gains that give each
  // joint's own inertia in the reference pose a natural frequency of 5 Hz, critically damped.
  double kp = 0, kd = 0;
  bool hold_root = false;  // the root follows the clip instead of being free
  int stop_every = 0;      // steps between calls of is_cancelled; 0: never
  std::function<bool()> is_cancelled{};
};
struct Playback {
  MotionClip motion;      // what the simulation did, at the rate of the clip
  TrackingErrors errors;  // of the whole clip, or of what was simulated
  bool diverged = false;
  bool cancelled = false;
  bool uses_actuators = false;
  int frames_up = 0;  // frames until the root was more than half of its height below the clip; all if it never was
};
// Starts in the first frame, with its velocity. Throws an Error for a clip that does not fit the model.
Playback play_clip(const Model& model, const MotionClip& clip, const PlayOptions& options = {});

}  // namespace torsor
