// Models for the tests of stepping, and comparison of states to the bit.
#pragma once

#include <cstring>
#include <string>
#include <vector>

#include "torsor/load/load.hpp"
#include "torsor/sim/sim.hpp"

namespace torsor {

// Every kind of joint, springs and dampers of all orders, a medium, gravity compensation, a mocap body.
inline const char kScene[] = R"(
<mujoco>
  <option density="1.2" viscosity="0.001" wind="1 0 0">
    <flag energy="enable"/>
  </option>
  <size nuserdata="3"/>
  <worldbody>
    <body name="flyer" pos="0 0 2">
      <freejoint/>
      <geom type="box" size="0.2 0.1 0.05" pos="0.05 0.02 0" fluidshape="ellipsoid"/>
      <body name="tail" pos="-0.2 0 0">
        <joint name="wag" type="hinge" axis="0 1 1" stiffness="2 0.3" damping="0.1 0.05 0.01"/>
        <geom type="capsule" fromto="0 0 0 -0.3 0 0" size="0.02"/>
      </body>
    </body>
    <body name="mast" pos="1 0 1" gravcomp="0.5">
      <joint name="swivel" type="ball" stiffness="0.5" damping="0.02"/>
      <geom type="cylinder" size="0.03 0.3" pos="0 0 -0.3"/>
      <body name="slider" pos="0 0 -0.6">
        <joint name="rail" type="slide" axis="1 0 0" stiffness="20" damping="0.5" armature="0.1"/>
        <geom size="0.08"/>
      </body>
    </body>
    <body name="target" mocap="true" pos="0 1 0">
      <geom size="0.05"/>
    </body>
  </worldbody>
</mujoco>)";

constexpr Integrator kIntegrators[] = {Integrator::kEuler, Integrator::kRk4, Integrator::kImplicit,
                                       Integrator::kImplicitFast};

// How often a step computes the forces.
inline int evaluations_of(Integrator integrator) { return integrator == Integrator::kRk4 ? 4 : 1; }

inline Model make_scene(Integrator integrator = Integrator::kEuler) {
  Model model = load_string(kScene);
  model.opt.integrator = static_cast<int>(integrator);
  return model;
}

// A state off rest in every coordinate, with forces on dofs and bodies.
inline void stir(const Model& model, Data& data) {
  for (int i = 0; i < model.nv; ++i) data.qvel[i] = 0.3 + 0.1 * i;
  for (int i = 0; i < model.nv; ++i) data.qfrc_applied[i] = 0.05 * (i - 3);
  for (int i = 0; i < 6 * model.nbody; ++i) data.xfrc_applied[i] = 0.01 * (i % 7);
}

// Everything that a step starts from.
inline std::vector<double> state_of(const Model& model, const Data& data, int signature = kStateIntegration) {
  std::vector<double> state(static_cast<size_t>(state_size(model, signature)));
  get_state(model, data, state.data(), signature);
  return state;
}

inline bool same_bits(const std::vector<double>& a, const std::vector<double>& b) {
  if (a.size() != b.size()) return false;
  return a.empty() || std::memcmp(a.data(), b.data(), a.size() * sizeof(double)) == 0;  // null is no argument
}

}  // namespace torsor
