"""Models whose sensors look at contacts, limits, rays and distances."""

ALL = 'data="found force torque dist pos normal tangent"'
CONTACTS = f"""
<mujoco>
  <option cone="CONE"/>
  <worldbody>
    <geom name="floor" type="plane" size="3 3 0.1" gap="0.01"/>
    <geom name="stone" size="0.2" pos="0.5 0 0.1" adhesion="20"/>
    <body name="base" pos="0 0 0.25" euler="10 5 30">
      <freejoint/>
      <geom name="box" type="box" size="0.25 0.15 0.2" condim="4" margin="0.01"/>
      <site name="sole" type="box" size="0.2 0.2 0.1" pos="0.05 0.02 -0.2"/>
      <site name="tip" type="capsule" size="0.1 0.2" pos="0.1 0 -0.3" euler="30 20 0"/>
      <site name="egg" type="ellipsoid" size="0.3 0.2 0.25" pos="0 0 -0.2"/>
      <site name="can" type="cylinder" size="0.3 0.2" pos="-0.1 0 -0.2"/>
      <body name="arm" pos="0.3 0.1 0.05" quat="0.8 0.1 0.4 0.2">
        <joint type="ball"/>
        <geom name="pill" type="capsule" size="0.08 0.25" pos="0.1 0.02 0.03" condim="6"/>
        <site name="hand" size="0.15" pos="0.1 0.02 0.2"/>
      </body>
    </body>
    <body name="ball" pos="-0.2 0.3 0.18">
      <freejoint/>
      <geom name="ball" size="0.2"/>
      <site name="skin" size="0.25"/>
    </body>
  </worldbody>
  <sensor>
    <touch site="sole"/> <touch site="tip"/> <touch site="egg"/> <touch site="can"/> <touch site="hand"/>
    <touch site="skin"/>
    <accelerometer site="sole"/> <force site="hand"/> <torque site="hand"/> <force site="sole"/>
    <contact {ALL} num="8"/>
    <contact geom1="box" geom2="floor" {ALL} num="2"/>
    <contact geom1="floor" geom2="box" {ALL} num="6" reduce="mindist"/>
    <contact geom1="box" {ALL} num="3" reduce="maxforce"/>
    <contact geom1="box" geom2="floor" {ALL} num="2" reduce="netforce"/>
    <contact geom1="floor" {ALL} reduce="netforce"/> <contact geom1="floor" {ALL} cutoff="0.05"/>
    <contact body1="base" body2="world" {ALL} num="2" reduce="mindist"/>
    <contact body2="base" {ALL} num="3" reduce="none"/>
    <contact subtree1="base" {ALL} num="5" reduce="mindist"/>
    <contact subtree1="base" subtree2="base" {ALL} num="2" reduce="mindist"/>
    <contact subtree1="base" subtree2="ball" {ALL} num="2" reduce="netforce"/>
    <contact subtree2="base" {ALL} reduce="netforce"/>
    <contact subtree1="world" {ALL} num="4" reduce="maxforce"/>
    <contact site="sole" {ALL} num="4" reduce="mindist"/>
    <contact site="egg" geom2="floor" {ALL} num="4" reduce="mindist"/>
    <contact site="skin" body2="base" {ALL} reduce="netforce"/>
  </sensor>
</mujoco>
"""

NEARNESS = """
<mujoco>
  <worldbody>
    <geom name="floor" type="plane" size="3 3 0.1"/>
    <body name="base" pos="0 0 0.9" euler="10 5 30">
      <freejoint/>
      <geom name="knob" size="0.15" pos="0.2 0 0"/>
      <geom name="pill" type="capsule" size="0.08 0.25" pos="0.1 0.3 0.03"/>
      <site name="nose" pos="0.05 0.02 0" euler="150 20 10"/>
      <camera name="eye" pos="0.05 0.02 0" euler="170 20 10" resolution="4 3"/>
      <camera name="flat" pos="0.05 0.02 0" euler="10 10 0" projection="orthographic" fovy="0.7" resolution="3 5"/>
      <camera name="lens" pos="0.05 0.02 0" euler="10 20 10" resolution="4 3" sensorsize="0.02 0.012"
        focal="0.015 0.017" principal="0.001 -0.002"/>
      <camera name="pixels" pos="0 0.02 0" euler="10 20 10" resolution="5 3" sensorsize="0.02 0.012"
        focalpixel="4 5" principalpixel="1 0"/>
    </body>
    <body name="ball" pos="-0.3 0.4 0.3">
      <freejoint/>
      <geom name="ball" size="0.2"/>
      <geom name="rod" type="capsule" size="0.1 0.3" pos="0.1 0 0.3"/>
    </body>
  </worldbody>
  <sensor>
    <distance geom1="knob" geom2="ball" cutoff="1"/> <distance geom1="pill" geom2="rod" cutoff="2"/>
    <distance body1="base" body2="ball" cutoff="3"/> <distance geom1="knob" geom2="ball"/>
    <distance geom1="pill" geom2="floor" cutoff="5"/> <distance body1="world" body2="base" cutoff="0.5"/>
    <normal geom1="knob" geom2="ball" cutoff="1"/> <normal body1="ball" body2="base" cutoff="3"/>
    <normal geom1="rod" geom2="floor" cutoff="1"/> <normal geom1="rod" geom2="pill"/>
    <fromto geom1="knob" geom2="ball" cutoff="1"/> <fromto body1="ball" body2="base" cutoff="3"/>
    <fromto geom1="rod" geom2="floor" cutoff="1"/> <fromto geom1="floor" geom2="rod" cutoff="4"/>
    <rangefinder site="nose" data="dist dir origin point normal depth"/> <rangefinder site="nose" cutoff="0.4"/>
    <rangefinder camera="eye" data="dist dir origin point normal depth"/>
    <rangefinder camera="flat" data="dist dir origin point normal depth"/>
    <rangefinder camera="lens" data="dist dir origin point normal depth"/>
    <rangefinder camera="pixels" data="dist dir origin point normal depth"/>
  </sensor>
</mujoco>
"""
