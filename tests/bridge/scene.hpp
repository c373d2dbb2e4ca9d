// A model with every kind of joint, COM offsets and rotated inertial frames, at random states.
#pragma once

#include <string>
#include <vector>

#include "tests/support/property.hpp"
#include "torsor/load/load.hpp"
#include "torsor/sim/sim.hpp"

namespace torsor {

inline constexpr const char* kMixedModel = R"(
<mujoco>
  <compiler angle="radian" alignfree="false"/>
  <worldbody>
    <body name="base" pos="0 0 1" euler="0.3 0.2 0.1">
      <freejoint name="root"/>
      <inertial pos="0.1 -0.2 0.3" mass="2" diaginertia="0.1 0.2 0.25" euler="0.4 0.5 0.6"/>
      <body name="left" pos="0.3 0 0" euler="0.2 0 0.5">
        <joint name="shoulder" type="ball" pos="0.05 0 0"/>
        <inertial pos="0.1 0.1 0" mass="1" diaginertia="0.02 0.02 0.03"/>
        <body name="forearm" pos="0.4 0 0">
          <joint name="elbow" axis="0 1 0" ref="0.25" range="-1 2"/>
          <inertial pos="0.1 0 0" mass="0.5" diaginertia="0.01 0.01 0.01"/>
        </body>
      </body>
      <body name="right" pos="-0.3 0 0">
        <joint name="rail" type="slide" axis="1 0 0" ref="0.1"/>
        <joint name="turn" axis="0 0 1"/>
        <inertial pos="0 0.1 0" mass="1" diaginertia="0.02 0.02 0.03"/>
        <body name="finger" pos="0 0.2 0">
          <joint name="knuckle" axis="1 0 0"/>
          <inertial pos="0 0.05 0" mass="0.3" diaginertia="0.01 0.01 0.01"/>
        </body>
      </body>
    </body>
    <body name="box" pos="2 0 1">
      <freejoint name="box"/>
      <inertial pos="-0.1 0.05 0.2" mass="1.5" diaginertia="0.1 0.1 0.12" euler="0.1 0.9 0"/>
    </body>
  </worldbody>
</mujoco>)";

inline std::vector<double> random_qpos(const Model& model, Random& random) {
  std::vector<double> q(model.nq);
  for (int j = 0; j < model.njnt; ++j) {
    double* at = &q[model.jnt_qposadr[j]];
    const auto type = static_cast<JointType>(model.jnt_type[j]);
    if (type == JointType::kFree) store3(at, random.vec3(2)), at += 3;
    if (type <= JointType::kBall) {
      store4(at, random.quat());
    } else {
      *at = random.uniform(-1, 1);
    }
  }
  return q;
}

// A Data at a random state, everything computed.
inline Data random_data(const Model& model, Random& random) {
  Data data(model);
  const auto q = random_qpos(model, random), v = random.numbers(model.nv, 3);
  std::copy(q.begin(), q.end(), data.qpos.begin());
  std::copy(v.begin(), v.end(), data.qvel.begin());
  forward(model, data);
  return data;
}

}  // namespace torsor
