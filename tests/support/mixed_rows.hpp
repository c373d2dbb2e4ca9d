// A model whose worlds have rows of all kinds.
#pragma once

namespace torsor {

// Contacts of several dimensions, limits, friction and equalities in one model, of which worlds have different ones.
inline constexpr const char* kMixedRows = R"(
<mujoco>
  <option timestep="0.004"/>
  <worldbody>
    <geom name="floor" type="plane" size="5 5 1"/>
    <body pos="0 0 0.2">
      <freejoint/>
      <geom type="box" size="0.2 0.1 0.05" condim="3"/>
      <body pos="0.2 0 0">
        <joint name="a" axis="0 1 0" range="-10 10" frictionloss="0.1" damping="0.2"/>
        <geom type="capsule" fromto="0 0 0 0.2 0 -0.1" size="0.03" condim="4"/>
        <body pos="0.2 0 -0.1">
          <joint name="b" type="ball" range="0 20" damping="0.1"/>
          <geom type="sphere" size="0.06" condim="6"/>
        </body>
      </body>
      <body pos="-0.2 0 0">
        <joint name="c" axis="0 1 0" range="-15 15"/>
        <geom type="capsule" fromto="0 0 0 -0.2 0 -0.1" size="0.03" condim="1"/>
      </body>
    </body>
    <body pos="0.5 0.3 0.1">
      <joint name="slide" type="slide" axis="1 0 0" frictionloss="0.2"/>
      <geom type="box" size="0.1 0.1 0.1" condim="4"/>
    </body>
    <body name="ball" pos="0.1 0.4 0.1"><freejoint/><geom type="sphere" size="0.1" condim="3"/></body>
  </worldbody>
  <tendon>
    <fixed name="cord" limited="true" range="-0.1 0.1" frictionloss="0.05">
      <joint joint="a" coef="1"/><joint joint="c" coef="-1"/>
    </fixed>
  </tendon>
  <equality>
    <joint joint1="c" joint2="a" polycoef="0 0.5 0 0 0"/>
    <connect body1="ball" body2="world" anchor="0 0 0.2"/>
  </equality>
</mujoco>)";

}  // namespace torsor
