"""Collision of one's own: spheres that touch a wavy floor instead of the plane, and a filter that lets a ghost through."""

import numpy as np

import torsor

SCENE = """
<mujoco model="waves">
  <worldbody>
    <geom name="floor" type="plane" size="5 5 0.1"/>
    <body name="ball" pos="-0.35 0 0.1"><freejoint/><geom name="ball" size="0.1"/></body>
    <body name="ghost" pos="1 0 0.5"><freejoint/><geom name="ghost" size="0.1"/></body>
  </worldbody>
</mujoco>"""
HEIGHT, WAVES = 0.05, 4.0


def wavy_floor(model, data, geom1, geom2, margin):
    """Points of contact between the floor (geom1, the smaller type) and a sphere (geom2)."""
    centre, radius = data.geom_xpos[geom2], model.geom_size[geom2, 0]
    ground, slope = HEIGHT * np.sin(WAVES * centre[0]), HEIGHT * WAVES * np.cos(WAVES * centre[0])
    normal = np.array([-slope, 0, 1]) / np.hypot(slope, 1)
    distance = (centre[2] - ground) * normal[2] - radius  # to the tangent plane
    return [(distance, centre - (radius + distance / 2) * normal, normal)] if distance < margin else []


def main():
    model = torsor.Model.from_xml_string(SCENE)
    data = torsor.Data(model)
    data.contact_filter = lambda model, data, geom1, geom2: model.geom("ghost").id in (geom1, geom2)
    torsor.set_collision_function(data, torsor.GeomType.PLANE, torsor.GeomType.SPHERE, wavy_floor)
    torsor.step(model, data, nstep=1000)
    ball, ghost = data.body("ball").xpos, data.body("ghost").xpos
    print(f"the ball is at {ball[0]:.3f} m, {ball[2]:.3f} m high; the ghost fell to {ghost[2]:.1f} m")
    ground = HEIGHT * np.sin(WAVES * ball[0])
    assert -0.5 < ball[0] < -0.3 and abs(ball[2] - ground - 0.1) < 0.005 and ghost[2] < -5


if __name__ == "__main__":
    main()
