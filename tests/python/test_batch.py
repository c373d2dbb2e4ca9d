"""torsor.Batch: many worlds together move as each alone."""

import pathlib

import numpy as np
import pytest

import torsor

MODELS = pathlib.Path(__file__).parents[2] / "models"
NWORLD = 13  # more than one pack, and the last one not full


@pytest.fixture
def states():
    rng = np.random.default_rng(3)
    return rng.normal(size=(NWORLD, 2)), rng.normal(size=(NWORLD, 2))


def run_alone(model, qpos, qvel, nstep):
    data = torsor.Data(model)
    data.qpos, data.qvel = qpos, qvel
    torsor.step(model, data, nstep=nstep)
    return data


@pytest.mark.parametrize("integrator", list(torsor.Integrator))
@pytest.mark.parametrize("nthread", [1, 3])
def test_worlds_move_as_each_alone(model, states, integrator, nthread):
    model.opt.integrator = integrator
    batch = torsor.Batch(model, NWORLD)
    batch.set("qpos", states[0])
    batch.set("qvel", states[1])
    batch.step(nstep=20, nthread=nthread)
    qpos, qvel, time = batch.get("qpos"), batch.get("qvel"), batch.get("time")
    for world in range(NWORLD):
        alone = run_alone(model, states[0][world], states[1][world], 20)
        assert qpos[world] == pytest.approx(alone.qpos, rel=1e-12, abs=1e-12)
        assert qvel[world] == pytest.approx(alone.qvel, rel=1e-12, abs=1e-12)
        assert time[world] == pytest.approx(alone.time)


DRIVEN = """<mujoco><worldbody><body><joint name="hip" damping="0.3"/><geom size="0.1" pos="0.2 0 0"/>
  <body pos="0.4 0 0"><joint name="knee" axis="0 1 0"/><geom size="0.1" pos="0.2 0 0"/></body></body></worldbody>
  <tendon>{tendon}</tendon>
  <actuator><position joint="hip" kp="5" kv="0.2" timeconst="0.05"/><motor joint="knee" ctrlrange="-1 1"/></actuator>
  <sensor><jointpos joint="hip"/><actuatorfrc actuator="a"/></sensor></mujoco>""".replace("<motor", '<motor name="a"')


# Motors and servos run in lanes, also beside a tendon that does not pull; one that does runs world by world.
@pytest.mark.parametrize("tendon", ["", *(f"<fixed {force}><joint joint='knee' coef='1'/></fixed>"
                                          for force in ("", "stiffness='2'", "damping='2'", "armature='2'"))])
@pytest.mark.parametrize("integrator", list(torsor.Integrator))
def test_controls_drive_each_world_and_sensors_are_read(tendon, integrator, states):
    model = torsor.Model.from_xml_string(DRIVEN.format(tendon=tendon))
    model.opt.integrator = integrator
    batch = torsor.Batch(model, NWORLD)
    batch.set("ctrl", states[0])
    assert np.array_equal(batch.get("ctrl"), states[0])
    batch.step(nstep=20, nthread=2)
    readings = batch.forward("sensordata", nthread=2)
    assert readings.shape == (NWORLD, 2)
    for world in range(NWORLD):
        data = torsor.Data(model)
        data.ctrl = states[0][world]
        torsor.step(model, data, nstep=20)
        assert batch.get("act")[world] == pytest.approx(data.act, rel=1e-12, abs=1e-12)
        assert batch.get("qpos")[world] == pytest.approx(data.qpos, rel=1e-12, abs=1e-12)
        torsor.forward(model, data)
        assert readings[world] == pytest.approx(data.sensordata, rel=1e-11, abs=1e-11)


def test_results_have_the_shape_of_their_field(model, states):
    batch = torsor.Batch(model, NWORLD)
    batch.set("qpos", states[0])
    xpos = batch.forward("xpos")
    assert xpos.shape == (NWORLD, 3, 3)
    data = torsor.Data(model)
    data.qpos = states[0][5]
    torsor.forward(model, data)
    assert xpos[5] == pytest.approx(data.xpos, abs=1e-12)
    out = np.zeros((NWORLD, 3, 3))
    assert batch.forward("xpos", nthread=2, out=out) is out and np.array_equal(out, xpos)
    assert batch.get("xfrc_applied").shape == (NWORLD, 3, 6)


def test_worlds_are_reset(model, states):
    batch = torsor.Batch(model, NWORLD)
    batch.set("qpos", states[0])
    batch.reset(world=4)
    assert batch.get("qpos")[4].tolist() == [0, 0]
    assert np.array_equal(batch.get("qpos")[5], states[0][5])
    batch.reset()
    assert not batch.get("qpos").any()


def test_a_batch_keeps_its_model():
    batch = torsor.Batch(torsor.Model.from_xml_string("<mujoco><worldbody><body><joint/><geom size='1'/></body>"
                                                      "</worldbody></mujoco>"), 4)
    batch.step(5)
    assert batch.nworld == 4 and batch.lanes >= 1 and batch.resets == 0


def test_bad_arguments_are_errors(model):
    batch = torsor.Batch(model, 4)
    with pytest.raises(torsor.Error):
        torsor.Batch(model, 0)
    for use in (lambda: batch.get("qposs"), lambda: batch.set("xpos", np.zeros((4, 3, 3))),
                lambda: batch.forward("nothing")):
        with pytest.raises(torsor.Error):
            use()
    with pytest.raises(ValueError, match=r"values: expected shape \(4, 2\), got \(2, 2\)"):
        batch.set("qpos", np.zeros((2, 2)))
    with pytest.raises(IndexError, match="world 4 does not exist: the batch has 4"):
        batch.reset(world=4)
    with pytest.raises(ValueError, match="nthread"):
        batch.step(1, nthread=0)
    with pytest.raises(ValueError, match="nstep"):
        batch.step(-1)


SENSED = """
<mujoco>
  <worldbody>
    <geom type="plane" size="5 5 1"/>
    <body name="ball" pos="0 0 0.3">
      <freejoint/>
      <geom type="sphere" size="0.1"/>
      <site name="skin" type="sphere" size="0.11"/>
    </body>
  </worldbody>
  <sensor>
    <touch site="skin"/><accelerometer site="skin"/><gyro site="skin"/><force site="skin"/>
    <framepos objtype="site" objname="skin"/><contact body1="ball" data="found force normal"/>
  </sensor>
</mujoco>"""


@pytest.mark.parametrize("dtype, tolerance", [("float64", 1e-9), ("float32", 1e-3)])
@pytest.mark.parametrize("solver", [torsor.Solver.NEWTON, torsor.Solver.PGS, torsor.Solver.SAP])
def test_sensors_are_read_in_lanes_as_in_one_world(dtype, tolerance, solver):
    model = torsor.Model.from_xml_string(SENSED)
    model.opt.solver = solver
    batch = torsor.Batch(model, 21, dtype=dtype)
    sensordata = batch.bind("sensordata")
    assert all(stage.wide for stage in batch.plan()), [(stage.stage, stage.why) for stage in batch.plan() if not stage.wide]
    assert "sensors" in [stage.stage for stage in batch.plan()]
    batch.qpos[:, 2] = np.linspace(0.053, 0.3, 21)
    batch.qvel[:] = np.random.default_rng(3).normal(size=(21, 6)).astype(dtype)
    datas = []
    for world in range(21):
        data = torsor.Data(model)
        data.qpos[:], data.qvel[:] = batch.qpos[world], batch.qvel[world]
        torsor.step(model, data)
        datas.append(data.sensordata.copy())
    batch.step()
    scale = np.abs(datas).max()
    assert np.abs(sensordata - datas).max() < tolerance * scale
    assert (sensordata[:, 0] > 0).any() and (sensordata[:, 0] == 0).any()


def test_the_plan_names_the_sensor_that_is_read_lane_by_lane():
    model = torsor.Model.from_xml_string(SENSED.replace("<touch", '<rangefinder name="eye" site="skin"/><touch'))
    batch = torsor.Batch(model, 3)
    batch.bind("sensordata")
    stages = {stage.stage: stage for stage in batch.plan()}
    assert stages["sensors"].wide and not stages["other sensors"].wide
    assert stages["other sensors"].why == "sensor 'eye' casts rays"
    assert stages["constraint solver"].wide


@pytest.mark.parametrize("name", ["benchmarks/hull_cube", "benchmarks/two_arms", "scenes/pile", "scenes/figure"])
def test_a_world_has_the_same_bits_alone_and_among_others(name):
    """The release build, since the compiler may round differently where lanes share slots and where they do not."""
    model = torsor.Model.from_xml_path(str(MODELS / f"{name}.xml"))
    speeds = 0.3 * np.random.default_rng(1).standard_normal((16, model.nv))

    def run(worlds):
        batch = torsor.Batch(model, len(worlds))
        batch.set("qvel", speeds[worlds])
        batch.step(40)
        return batch.get("qpos")

    together = run(list(range(16)))
    for world in (0, 3, 9):
        np.testing.assert_array_equal(run([world])[0], together[world])
    np.testing.assert_array_equal(run([5, 3, 14])[1], together[3])
