"""Forces of the medium on ellipsoids, and their slopes by velocity, at all sizes and speeds.

Where MuJoCo bounds a denominator, it shows in geoms of a millimetre and at low speeds, which no feature model has.
"""

import mujoco
import numpy as np
import pytest

import torsor

SIZES = (1e-6, 1e-4, 1e-2, 1.0)
SPEEDS = (1e-12, 1e-9, 1e-6, 1e-3, 0.1, 1.0, 10.0)
COEFFICIENTS = {"blunt": "1 0 0 0 0", "slender": "0 1 0 0 0", "angular": "0 0 1 0 0", "Kutta": "0 0 0 1 0",
                "Magnus": "0 0 0 0 1", "all": "0.4 0.3 1.2 0.8 0.6"}
SLIDES = "".join(f"<joint type='slide' axis='{axis}'/>" for axis in ("1 0 0", "0 1 0", "0 0 1"))
JOINTS = {"slides": SLIDES, "ball": "<joint type='ball'/>", "free": "<freejoint/>"}
TEXT = """<mujoco><option density='800' gravity='0 0 0' integrator='implicitfast'/><worldbody><body>{joints}
<inertial pos='0 0 0' mass='1e6' diaginertia='1e6 1e6 1e6'/>
<geom type='ellipsoid' size='{size}' fluidshape='ellipsoid' fluidcoef='{coefficients}'/>
</body></worldbody></mujoco>"""


def force_and_slope(step, model, data, velocity):
    data.qpos[:], data.qvel[:] = model.qpos0, velocity
    step(model, data)
    return np.array(data.qfrc_fluid), np.array(data.qDeriv)


@pytest.mark.parametrize("name", COEFFICIENTS)
@pytest.mark.parametrize("joints", JOINTS)
@pytest.mark.parametrize("proportions", [(1, 2, 0.5), (0.1, 3, 3)])
def test_forces_and_slopes_at_all_sizes_and_speeds(seed, name, joints, proportions):
    rng = np.random.default_rng(seed)
    for size in SIZES:
        text = TEXT.format(joints=JOINTS[joints], coefficients=COEFFICIENTS[name],
                           size=" ".join(str(size * p) for p in proportions))
        theirs, ours = mujoco.MjModel.from_xml_string(text), torsor.Model.from_xml_string(text)
        data = mujoco.MjData(theirs), torsor.Data(ours)
        for speed in SPEEDS:
            direction = rng.normal(size=theirs.nv)
            velocity = speed * direction / np.linalg.norm(direction)
            wanted = force_and_slope(mujoco.mj_step, theirs, data[0], velocity)
            found = force_and_slope(torsor.step, ours, data[1], velocity)
            # of the difference of two areas, in slender drag
            rounding = 0 if joints == "ball" else 1e-14 * 800 * (size * max(proportions)) ** 2 * speed
            for what, x, y, scale in zip(("force", "slope"), found, wanted, (speed, 1), strict=True):
                np.testing.assert_allclose(x, y, rtol=0, atol=1e-12 * np.abs(y).max(initial=0) + rounding * scale,
                                           err_msg=f"{what} of {name}, size {size}, speed {speed}")
