"""What SAP promises of whole runs: creep, grip, momentum, step sizes."""

from pathlib import Path

import numpy as np
import pytest

import torsor
from cli_support import read_csv
from cli_support import run as run_program

MODELS = Path(__file__).resolve().parents[2] / "models"
GRAVITY = 9.81


def run(model, data, seconds):
    for _ in range(round(seconds / model.opt.timestep)):
        assert torsor.step(model, data) == torsor.Status.OK
        assert data.solver_unconverged == 0


def slope(h, angle=25, friction=0.6, solver="SAP"):
    """Gravity is turned instead of the floor: the brick slides along x where it slides."""
    turned = np.radians(angle)
    gravity = f"{GRAVITY * np.sin(turned)} 0 {-GRAVITY * np.cos(turned)}"
    model = torsor.Model.from_xml_string(f"""<mujoco><option solver="{solver}" timestep="{h}" gravity="{gravity}"/>
      <worldbody><geom type="plane" size="5 5 1" friction="{friction}"/><body pos="0 0 0.0499999"><freejoint/>
      <geom type="box" size="0.1 0.075 0.05" friction="{friction}" mass="1.5"/></body></worldbody></mujoco>""")
    return model, torsor.Data(model)


@pytest.mark.parametrize("h", [0.001, 0.005, 0.02])
def test_a_brick_on_a_slope_creeps_slower_than_its_bound(h):
    model, data = slope(h)
    run(model, data, 1)
    start = data.qpos[:3].copy()
    run(model, data, 5)
    moved = data.qpos[:3] - start
    assert 0 < moved[0] / 5 < 2 * model.opt.sap_sigma * h * GRAVITY
    # the softest contact that is near-rigid carries the weight at this depth at most, and sinks no further
    depth = (h + 0.2) * model.opt.sap_beta**2 / (4 * np.pi**2) * h * GRAVITY
    assert 0 < 0.05 - data.qpos[2] < depth and abs(moved[2]) < 0.02 * depth


def test_a_brick_beyond_its_friction_slides_as_coulomb_says():
    model, data = slope(0.002, angle=40, friction=0.5)
    run(model, data, 0.5)
    before, time = data.qvel.copy(), data.time
    run(model, data, 1)
    change, time = data.qvel - before, data.time - time
    normal = GRAVITY * np.cos(np.radians(40)) * time + change[2]  # impulse per mass: what slides glides up and down
    assert change[0] == pytest.approx(GRAVITY * np.sin(np.radians(40)) * time - 0.5 * normal, rel=1e-4)


def hold(solver, seconds, h=0.005):
    """Height of the cube over time."""
    model = torsor.Model.from_xml_path(str(MODELS / "scenes" / "gripper_cube.xml"))
    model.opt.solver, model.opt.timestep = solver, h
    data = torsor.Data(model)
    torsor.reset_data_keyframe(model, data, 0)
    heights = [data.body("cube").xpos[2]]
    for _ in range(round(seconds / h)):
        torsor.step(model, data)
        heights.append(data.qpos[4])
    return np.array(heights[1:])


def test_a_gripper_holds_a_cube_for_a_minute():
    heights = hold(torsor.Solver.SAP, 60)
    slip = heights[0] - heights
    assert slip[-1] < 5e-3
    early, late = slip[4000] - slip[2000], slip[-1] - slip[-2001]
    assert late < 1.01 * early + 1e-7  # of ten seconds each: it does not speed up
    soft = hold(torsor.Solver.NEWTON, 60)
    assert soft[0] - soft[-1] > 2 * slip[-1]


@pytest.mark.parametrize("h", [0.001, 0.002, 0.005, 0.01, 0.02])
def test_the_gripper_is_stable_at_every_step_size(h):
    heights = hold(torsor.Solver.SAP, 3, h)
    fallen = heights[0] - heights[1:]  # in the first step nothing touches yet
    assert 0 <= fallen.min() and fallen.max() < 1e-3 * h * GRAVITY * 3


@pytest.mark.parametrize("h", [0.001, 0.005, 0.02])
def test_a_heap_comes_to_rest_at_every_step_size(h):
    bodies = "".join(f"""<body pos="{0.05 * (i % 3)} {0.04 * (i % 2)} {0.2 + 0.22 * i}"><freejoint/>
      <geom type="{('box', 'sphere', 'capsule')[i % 3]}" size="0.1 0.08 0.06"/></body>""" for i in range(6))
    model = torsor.Model.from_xml_string(f"""<mujoco><option solver="SAP" timestep="{h}"/><default><geom condim="6"
      friction="0.8 0.01 0.01"/></default><worldbody><geom type="plane" size="5 5 1"/>{bodies}</worldbody></mujoco>""")
    data = torsor.Data(model)
    run(model, data, 6)
    assert np.abs(data.qvel).max() < 0.1
    assert (data.xpos[1:, 2] > 0.03).all()


@pytest.mark.parametrize("offset, bound", [("0 0 0", 1e-13), ("0.1 0 0.05", None)])
def test_linear_momentum_of_an_isolated_body(offset, bound):
    """Exact where the centre of mass is the origin, first order in h elsewhere."""
    drift = []
    for h in (0.004, 0.002):
        model = torsor.Model.from_xml_string(f"""<mujoco><compiler alignfree="false"/><option solver="SAP"
          timestep="{h}"
          gravity="0 0 0"/><worldbody><body><freejoint/><inertial pos="{offset}" mass="2" diaginertia="0.02 0.03 0.04"/>
          </body></worldbody></mujoco>""")
        data = torsor.Data(model)
        data.qvel[:] = 1, 2, 3, 2, -3, 1
        torsor.forward(model, data)
        torsor.subtree_vel(model, data)
        start = data.subtree_linvel[1].copy()
        run(model, data, 1)
        torsor.forward(model, data)
        torsor.subtree_vel(model, data)
        drift.append(np.abs(data.subtree_linvel[1] - start).max())
    if bound:
        assert max(drift) < bound
    else:
        assert 1.5 < drift[0] / drift[1] < 2.5


def test_contact_forces_and_sensors_are_those_of_the_other_solvers():
    model = torsor.Model.from_xml_string("""<mujoco><option solver="SAP" cone="pyramidal" timestep="0.002"/><worldbody>
      <geom type="plane" size="5 5 1"/><body pos="0 0 0.0999999"><freejoint/><geom size="0.1" mass="2"/>
      <site name="s" size="0.2"/></body></worldbody><sensor><touch site="s"/></sensor></mujoco>""")
    data = torsor.Data(model)
    run(model, data, 5)
    assert not torsor.is_pyramidal(model)
    force = torsor.contact_force(model, data, 0)
    np.testing.assert_allclose(force[:3], [2 * GRAVITY, 0, 0], atol=1e-6)
    assert data.sensordata[0] == pytest.approx(2 * GRAVITY, abs=1e-6)
    torsor.rne_post_constraint(model, data)
    assert data.cfrc_ext[1, 5] == pytest.approx(2 * GRAVITY, abs=1e-6)


def test_a_spinning_contact_slows_down_by_its_torsional_friction():
    """A ball spins down at the rate of its torsional friction: torque = friction * normal force."""
    model = torsor.Model.from_xml_string("""<mujoco><option solver="SAP" timestep="0.002"/><worldbody>
      <geom type="plane" size="5 5 1"/><body pos="0 0 0.0999999"><freejoint/>
      <geom size="0.1" mass="2" condim="4" friction="1 0.01 0.0001"/></body></worldbody></mujoco>""")
    data = torsor.Data(model)
    data.qvel[5] = 20
    run(model, data, 0.2)
    before, time = data.qvel.copy(), data.time
    run(model, data, 0.4)
    change, time = data.qvel - before, data.time - time
    normal, inertia = 2 * (GRAVITY * time + change[2]), 0.4 * 2 * 0.1**2
    assert change[5] == pytest.approx(-0.01 * normal / inertia, rel=1e-6)


@pytest.mark.parametrize("joint, reach", [
    ('<joint type="hinge" axis="0 1 0" range="-20 20"/>', 20), ('<joint type="ball" range="0 20"/>', 20)])
def test_limits_hold(joint, reach):
    model = torsor.Model.from_xml_string(f"""<mujoco><option solver="SAP" timestep="0.005"/><worldbody><body>{joint}
      <geom type="capsule" fromto="0 0 0 0.5 0 0" size="0.03"/></body></worldbody></mujoco>""")
    data = torsor.Data(model)
    run(model, data, 2)
    angle = abs(data.qpos[0]) if model.nq == 1 else 2 * np.arccos(min(1, abs(data.qpos[0])))
    assert np.degrees(angle) == pytest.approx(reach, abs=0.05)
    assert np.abs(data.qvel).max() < 1e-3


def test_joint_friction_holds_and_then_gives_way():
    model = torsor.Model.from_xml_string("""<mujoco><option solver="SAP" timestep="0.005" gravity="0 0 0"/><worldbody>
      <body><joint name="j" type="slide" frictionloss="3"/><geom size="0.1" mass="2"/></body></worldbody>
      <actuator><motor joint="j"/></actuator></mujoco>""")
    data = torsor.Data(model)
    data.ctrl[0] = 2.9
    run(model, data, 1)
    assert abs(data.qvel[0]) < 2 * model.opt.sap_sigma * 0.005 * 2.9
    data.ctrl[0], before = 5, data.qvel[0]
    run(model, data, 1)
    assert data.qvel[0] - before == pytest.approx((5 - 3) / 2, rel=1e-2)


def test_equalities_hold_under_load():
    model = torsor.Model.from_xml_string("""<mujoco><option solver="SAP" timestep="0.005"/><worldbody>
      <body name="a" pos="0 0 1"><freejoint/><geom size="0.1" mass="1"/></body>
      <body name="b" pos="0.5 0 1"><freejoint/><geom type="box" size="0.1 0.1 0.1" mass="3"/></body>
      <body name="c" pos="2 0 1"><freejoint/><geom size="0.1" mass="1"/><site name="c"/></body><site name="w"
        pos="2 0 1.5"/>
      </worldbody><equality><connect body1="a" anchor="0 0 0"/><weld body1="b" body2="a"/></equality>
      <tendon><spatial name="t" limited="true" range="0 0.5"><site site="w"/><site
        site="c"/></spatial></tendon></mujoco>""")
    data = torsor.Data(model)
    data.qvel[12] = 0.5
    run(model, data, 3)
    assert np.abs(data.xpos[1] - [0, 0, 1]).max() < 1e-3
    place = data.xmat[1].reshape(3, 3).T @ (data.xpos[2] - data.xpos[1])
    assert np.abs(place - [0.5, 0, 0]).max() < 1e-3
    assert data.ten_length[0] < 0.5 + 1e-3


def test_results_do_not_depend_on_threads_or_repetition():
    model = torsor.Model.from_xml_path(str(MODELS / "scenes" / "gripper_cube.xml"))
    model.opt.solver = torsor.Solver.SAP
    ends = []
    for _ in range(2):
        data = torsor.Data(model)
        torsor.reset_data_keyframe(model, data, 0)
        run(model, data, 1)
        ends.append(np.concatenate([data.qpos, data.qvel]))
    assert (ends[0] == ends[1]).all()


DRIVE = '<actuator><position joint="j" kp="50" kv="1" forcerange="-2 3"/></actuator>'


@pytest.mark.parametrize("actuator", ["", DRIVE])
def test_worlds_of_a_batch_move_as_each_alone(actuator):
    """In lanes without drives, world by world with them."""
    model = torsor.Model.from_xml_string(f"""<mujoco><option solver="SAP" timestep="0.01"/><worldbody><body>
      <joint name="j" axis="0 1 0" damping="0.5"/><geom type="capsule" fromto="0 0 0 0.3 0 0"
        size="0.03"/></body></worldbody>
      {actuator}</mujoco>""")
    batch, data = torsor.Batch(model, 5), torsor.Data(model)
    if actuator:
        batch.set("ctrl", np.full((5, 1), 0.3))
        data.ctrl[0] = 0.3
    batch.step(nstep=50)
    torsor.step(model, data, nstep=50)
    assert batch.get("qpos")[:, 0] == pytest.approx(data.qpos[0], rel=1e-12)
    model.opt.integrator = torsor.Integrator.RK4
    with pytest.raises(torsor.Error, match="Euler"):
        torsor.Batch(model, 5).step()


def test_the_program_runs_sap(tmp_path):
    scene = MODELS / "scenes" / "gripper_cube.xml"
    ends = {}
    for solver in ("sap", "newton"):
        run_program("sim", scene, "-k", "hold", "-d", 2, "--solver", solver, "--csv", tmp_path / "out.csv")
        _, rows = read_csv(tmp_path / "out.csv")
        ends[solver] = rows[-1][1 + 4]  # after the time: the cube's height among qpos
    assert ends["sap"] > 0.4995 > 0.49 > ends["newton"]
    assert "Euler" in run_program("sim", scene, "--solver", "sap", "-i", "rk4", code=1).stderr


def busy_arm():
    """A damped arm with a drive behind a filter, a limit, dry friction and a contact."""
    model = torsor.Model.from_xml_string("""<mujoco><option solver="SAP" timestep="0.005"
      sap_tolerance="1e-12"/><worldbody>
      <geom type="plane" size="2 2 1" pos="0 0 -0.3" sapstiffness="1e4"/><body><joint name="a" axis="0 1 0"
        damping="0.5"
      range="-40 40"/><geom type="capsule" fromto="0 0 0 0.3 0 0" size="0.03"/><body pos="0.3 0 0"><joint name="b"
      axis="0 1 0" damping="0.2" frictionloss="0.05"/><geom type="capsule" fromto="0 0 0 0.3 0 0"
        size="0.03"/></body></body>
      </worldbody><actuator><position joint="b" kp="30" kv="1" timeconst="0.05"/><motor
        joint="a"/></actuator></mujoco>""")
    data = torsor.Data(model)
    data.qpos[:], data.qvel[:], data.ctrl[:] = (0.5, 0.3), (0.4, -0.2), (0.6, 0.1)
    return model, data


def test_a_step_in_halves_and_with_a_callback_equals_the_whole():
    ends = []
    for way in ("whole", "halves", "callback"):
        model, data = busy_arm()
        if way == "callback":
            data.control = lambda model, data: None
        for _ in range(100):
            if way == "halves":
                torsor.step1(model, data)
                torsor.step2(model, data)
            else:
                torsor.step(model, data)
        ends.append(np.concatenate([data.qpos, data.qvel, data.act, data.actuator_force]))
    assert (ends[0] == ends[1]).all() and (ends[0] == ends[2]).all()
    assert data.ncon > 0 and data.nefc > data.ncon


def test_a_drive_behind_a_filter_follows_its_activation():
    model, data = busy_arm()
    model.opt.disableflags |= int(torsor.DisableFlag.CONTACT)
    data.act[0] = 0.2
    torsor.forward(model, data)
    v = data.qvel[1] + 0.005 * data.qacc[1]
    assert data.actuator_force[0] == pytest.approx(30 * (0.2 - data.qpos[1] - 0.005 * v) - v, rel=1e-8)


def test_derivatives_of_a_step_are_those_of_differences():
    model, data = busy_arm()
    torsor.step(model, data, nstep=20)
    A = torsor.transition_derivatives(model, data, eps=1e-6).A
    h, start = 1e-6, np.concatenate([data.qpos, data.qvel])
    for column in range(4):
        ends = []
        for sign in (1, -1):
            moved = torsor.Data(model)
            for name in ("qpos", "qvel", "act", "ctrl"):
                getattr(moved, name)[:] = getattr(data, name)
            state = start.copy()
            state[column] += sign * h
            moved.qpos[:], moved.qvel[:] = state[:2], state[2:]
            torsor.step(model, moved)
            ends.append(np.concatenate([moved.qpos, moved.qvel]))
        np.testing.assert_allclose(A[:4, column], (ends[0] - ends[1]) / (2 * h), atol=1e-3 * (1 + np.abs(A).max()))


def test_a_skipped_stage_does_not_leave_an_old_factor():
    model, data = busy_arm()
    torsor.step(model, data)
    torsor.forward(model, data)
    expected = data.qacc.copy()
    torsor.forward_skip(model, data, torsor.SkipStage.POS)
    np.testing.assert_allclose(data.qacc, expected, rtol=1e-9)
    torsor.forward_skip(model, data, torsor.SkipStage.VEL)
    np.testing.assert_allclose(data.qacc, expected, rtol=1e-9)


@pytest.mark.parametrize("solver", list(torsor.Solver))
def test_every_solver_tells_whether_it_converged(solver):
    model = torsor.Model.from_xml_string("""<mujoco><worldbody><geom type="plane" size="5 5 1"/><body pos="0 0 0.05">
      <freejoint/><geom type="box" size="0.1 0.08 0.06"/></body></worldbody></mujoco>""")
    model.opt.solver, model.opt.iterations = solver, 500
    data = torsor.Data(model)
    data.qvel[:] = 1, -2, -1, 2, 3, 1
    torsor.forward(model, data)
    assert data.solver_unconverged == 0 and data.solver_converged[0]
    model.opt.iterations = 1
    torsor.forward(model, data)
    assert data.solver_unconverged == 1 and not data.solver_converged[0]
    data.qpos[2] = 5
    torsor.forward(model, data)
    assert data.solver_unconverged == 0 and data.nefc == 0
