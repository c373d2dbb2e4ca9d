"""Robots in USD that Newton's wheel ships: masses, poses and limits are those of Newton's own importer."""

import pathlib

import newton
import numpy as np
import pytest

import torsor
import torsor.newton as ours

FOLDER = pathlib.Path(newton.__file__).parent
ROBOTS = ["examples/assets/ant.usda", "examples/assets/humanoid.usda", "examples/assets/cartpole.usda",
          "examples/assets/cartpole_single_pendulum.usda", "tests/assets/humanoid_mjc.usda", "tests/assets/cartpole_mjc.usda",
          "tests/assets/revolute_articulation.usda", "tests/assets/cube_cylinder.usda"]
PRISMATIC, REVOLUTE = 0, 1


def matrix(w, x, y, z):
    return np.array([[1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
                     [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
                     [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)]])


@pytest.mark.parametrize("robot", ROBOTS)
def test_a_robot_is_the_same(robot):
    theirs = newton.ModelBuilder()
    newton.solvers.SolverMuJoCo.register_custom_attributes(theirs)
    theirs.add_usd(str(FOLDER / robot))
    ours = torsor.usd.load(FOLDER / robot)
    data = torsor.Data(ours)
    if ours.nkey:
        torsor.reset_data_keyframe(ours, data, 0)
    torsor.kinematics(ours, data)
    assert ours.nbody == theirs.body_count + 1
    for index, label in enumerate(theirs.body_label):
        body = ours.body(str(label).rsplit("/", 1)[-1]).id
        np.testing.assert_allclose(ours.body_mass[body], theirs.body_mass[index], rtol=1e-6)
        np.testing.assert_allclose(ours.body_ipos[body], np.array(theirs.body_com[index]), atol=1e-6)
        R = matrix(*ours.body_iquat[body])
        inertia = np.array(theirs.body_inertia[index]).reshape(3, 3)
        np.testing.assert_allclose(R @ np.diag(ours.body_inertia[body]) @ R.T, inertia, atol=2e-6 * np.abs(inertia).max())
        x, y, z, *xyz, w = np.array(theirs.body_q[index])
        np.testing.assert_allclose(data.xpos[body], [x, y, z], atol=5e-5)  # frames of joints have single precision
        np.testing.assert_allclose(data.xmat[body].reshape(3, 3), matrix(w, *xyz), atol=5e-5)
    for index, label in enumerate(theirs.joint_label):
        if int(theirs.joint_type[index]) not in (PRISMATIC, REVOLUTE):
            continue
        joint, dof = ours.joint(str(label).rsplit("/", 1)[-1]).id, theirs.joint_qd_start[index]
        limits = [theirs.joint_limit_lower[dof], theirs.joint_limit_upper[dof]]
        if ours.jnt_limited[joint]:
            np.testing.assert_allclose(ours.jnt_range[joint], limits, rtol=1e-6)
        else:
            assert min(np.abs(limits)) > 1e5


# Joint coordinates of examples/robot/example_robot_cartpole.py, world 0, after 20, 60 and 100 frames: of Newton 1.7.0 with MuJoCo
# Warp 3.15 and MuJoCo 3.15 on the CPU, printed from its state after each frame. (They are not in this environment.)
CARTPOLE = {20: [0.03114607, 0.4160415, -0.03889403], 60: [0.21326461, 1.7130961, -0.5005239],
            100: [-0.3803253, 4.316089, 0.13570423]}


def test_the_cartpole_moves_as_in_newton():
    """Newton rounds to single precision in each of 1000 steps of a double pendulum, which magnifies that."""
    builder = ours.ModelBuilder()
    builder.default_shape_cfg.density, builder.default_joint_cfg.armature = 100.0, 0.1
    builder.add_usd(str(FOLDER / "examples/assets/cartpole.usda"), enable_self_collisions=False, collapse_fixed_joints=True)
    builder.body_inertia = [np.reshape(inertia, (3, 3)) + 0.1 * np.eye(3) for inertia in builder.body_inertia]
    builder.joint_q[-3:] = [0.0, 0.3, 0.0]
    for shape in range(builder.shape_count):
        builder.shape_flags[shape] &= ~ours.ShapeFlags.COLLIDE_SHAPES
    model = builder.finalize(arrays="numpy")
    solver, state = ours.solvers.SolverMuJoCo(model), model.state()
    for frame in range(1, 101):
        for _ in range(10):
            solver.step(state, state, None, None, 1 / 600)
        if frame in CARTPOLE:
            np.testing.assert_allclose(state.joint_q, CARTPOLE[frame], atol=2e-6)


@pytest.mark.parametrize("name", ["cartpole", "cartpole_single_pendulum"])
def test_the_builder_is_the_same(name):
    """With defaults of the builder for what the stage does not say."""
    builders = []
    for module in (ours, newton):
        builder = module.ModelBuilder()
        for key, value in {"armature": 0.7, "damping": 0.3, "friction": 0.2, "limit_ke": 7.0, "limit_kd": 3.0}.items():
            setattr(builder.default_joint_cfg, key, value)
        for key, value in {"density": 500.0, "mu": 0.3, "ke": 1234.0, "kd": 56.0}.items():
            setattr(builder.default_shape_cfg, key, value)
        builder.add_usd(str(FOLDER / f"examples/assets/{name}.usda"))
        builders.append(builder)
    assert list(builders[0].body_label) == list(builders[1].body_label)
    assert list(builders[0].shape_label) == list(builders[1].shape_label)
    for each in ("body_mass", "body_com", "body_inertia", "joint_type", "joint_parent", "joint_child", "joint_limit_lower",
                 "joint_limit_upper", "joint_limit_ke", "joint_limit_kd", "joint_damping", "joint_friction", "joint_armature",
                 "joint_effort_limit", "shape_type", "shape_body", "shape_scale", "shape_material_mu", "shape_material_ke",
                 "shape_material_kd"):
        mine, wanted = ([np.ravel(np.array(row, dtype=float)) for row in getattr(builder, each)] for builder in builders)
        np.testing.assert_allclose(mine, wanted, rtol=1e-5, atol=1e-6, err_msg=each)
