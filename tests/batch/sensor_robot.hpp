// A robot that has every sensor that batches read in packs.
#pragma once

#include <cstring>
#include <string>

#include "torsor/load/load.hpp"
#include "torsor/model/model.hpp"

namespace torsor {

// A robot on the floor with every sensor that packs read, among them those of forces and contacts.
constexpr const char* kSensorRobot = R"(
<mujoco>
  <option timestep="0.005"/>
  <default><geom friction="0.8 0.02 0.01"/></default>
  <worldbody>
    <geom name="floor" type="plane" size="5 5 1" condim="4"/>
    <camera name="eye" pos="0 -2 1" xyaxes="1 0 0 0 0.3 1"/>
    <body name="trunk" pos="0 0 0.35">
      <freejoint/>
      <geom name="trunk" type="box" size="0.2 0.15 0.05"/>
      <site name="imu" pos="0.05 0 0.02" euler="10 20 30"/>
      <site name="hull" type="box" size="0.3 0.3 0.3"/>
      <body name="leg" pos="0.2 0 0">
        <joint name="hip" axis="0 1 0" range="-30 30" damping="0.1"/>
        <geom name="leg" type="capsule" fromto="0 0 0 0 0 -0.3" size="0.03" condim="3"/>
        <site name="foot" type="sphere" pos="0 0 -0.3" size="0.05"/>
        <site name="knee" pos="0 0 -0.1"/>
        <body name="toe" pos="0 0 -0.3">
          <joint name="ankle" type="ball"/>
          <geom name="toe" type="sphere" size="0.04" condim="6"/>
          <site name="sole" type="box" size="0.05 0.05 0.05"/>
        </body>
      </body>
      <body name="tail" pos="-0.2 0 0">
        <joint name="wag" axis="0 0 1"/>
        <geom name="tail" type="sphere" pos="-0.1 0 -0.3" size="0.05" condim="1"/>
      </body>
    </body>
    <body name="load" pos="-0.3 0 0.3">
      <freejoint/>
      <geom name="load" type="sphere" size="0.05"/>
      <site name="load"/>
    </body>
  </worldbody>
  <tendon><fixed name="cord"><joint joint="hip" coef="1"/><joint joint="wag" coef="-0.5"/></fixed></tendon>
  <equality>
    <weld body1="load" body2="tail"/>
    <connect body1="load" body2="trunk" anchor="0 0 0.1"/>
    <weld site1="load" site2="knee" active="false"/>
  </equality>
  <actuator>
    <position name="hip" joint="hip" kp="5"/>
    <motor name="pull" tendon="cord"/>
  </actuator>
  <sensor>
    <jointpos joint="hip"/><jointvel joint="hip" cutoff="0.3"/><jointactuatorfrc joint="hip"/>
    <ballquat joint="ankle"/><ballangvel joint="ankle"/>
    <tendonpos tendon="cord"/><tendonvel tendon="cord"/><tendonactuatorfrc tendon="cord"/>
    <actuatorpos actuator="hip"/><actuatorvel actuator="pull"/><actuatorfrc actuator="hip"/>
    <framepos objtype="site" objname="foot"/><framepos objtype="body" objname="toe" reftype="site" refname="imu"/>
    <framequat objtype="geom" objname="trunk" reftype="body" refname="leg"/><framequat objtype="xbody" objname="leg"/>
    <framexaxis objtype="site" objname="imu"/><frameyaxis objtype="geom" objname="leg"/>
    <framezaxis objtype="camera" objname="eye" reftype="site" refname="imu"/>
    <framelinvel objtype="site" objname="foot"/><framelinvel objtype="site" objname="foot" reftype="xbody" refname="trunk"/>
    <frameangvel objtype="body" objname="leg" reftype="site" refname="sole"/>
    <framelinacc objtype="site" objname="foot"/><frameangacc objtype="body" objname="toe"/>
    <gyro site="imu"/><accelerometer site="imu"/><velocimeter site="imu" cutoff="0.2"/><magnetometer site="imu"/>
    <force site="knee"/><torque site="knee"/><force site="sole"/>
    <touch site="foot"/><touch site="sole" cutoff="3"/>
    <contact geom1="toe" data="found force dist pos normal tangent" num="2"/>
    <contact body1="trunk" geom2="floor" data="found force torque" num="3" reduce="mindist"/>
    <contact subtree1="trunk" data="force torque pos" reduce="netforce"/>
    <contact site="hull" data="found force" num="2" reduce="maxforce"/>
    <subtreecom body="leg"/><subtreelinvel body="trunk"/><subtreeangmom body="trunk"/>
    <insidesite objtype="site" objname="load" site="hull"/>
    <camprojection site="imu" camera="eye"/>
    <clock/>
  </sensor>
</mujoco>)";

// Without sensors of the camera, whose pose is computed for one world at a time, all of them are read in packs.
inline Model make_robot(bool is_elliptic, bool with_camera = true) {
  std::string text = kSensorRobot;
  for (const char* sensor : {R"(<framezaxis objtype="camera" objname="eye" reftype="site" refname="imu"/>)",
                             R"(<camprojection site="imu" camera="eye"/>)"})
    if (!with_camera) text.erase(text.find(sensor), std::strlen(sensor));
  Model model = load_string(text);
  model.opt.cone = static_cast<int>(is_elliptic ? ConeType::kElliptic : ConeType::kPyramidal);
  model.opt.tolerance = 0;
  return model;
}

}  // namespace torsor
