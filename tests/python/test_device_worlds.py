"""What torsor.DeviceBatch shares with torsor.Batch beyond steps: values of the model per world, controls step by step, rollouts,
single worlds, named views, questions. The kernels run on the processor (device "host")."""

import numpy as np
import pytest

import torsor
from torsor._device_array import DeviceArray, DeviceColumns

NWORLD = 6
SCENE = """<mujoco><worldbody><geom name="floor" type="plane" size="3 3 1"/>
  <body name="ball" pos="0 0 0.09"><freejoint/><geom name="ball" type="sphere" size="0.1"/></body>
  <body name="arm" pos="1 0 0.5"><joint name="hip" axis="0 1 0" damping="0.1"/><geom type="capsule" fromto="0 0 0 0.3 0 0" size="0.03"/>
    <body name="hand" pos="0.3 0 0"><joint name="knee" axis="0 1 0"/><geom size="0.05" pos="0.1 0 0"/></body></body></worldbody>
  <actuator><motor name="hip" joint="hip"/><motor name="knee" joint="knee"/></actuator>
  <keyframe><key qpos="0 0 0.5 1 0 0 0 0 0"/><key qpos="0 0 0.7 1 0 0 0 0 0"/></keyframe>
</mujoco>"""


@pytest.fixture
def scene():
    return torsor.Model.from_xml_string(SCENE)


def pair(scene, dtype="float64"):
    """The same worlds in motion, on the device and on the processor."""
    device, lanes = torsor.Batch(scene, NWORLD, dtype, device="host"), torsor.Batch(scene, NWORLD)
    velocities = np.random.default_rng(3).normal(size=(NWORLD, scene.nv))
    for each in (device, lanes):
        each.set("qvel", velocities)
    return device, lanes


def expect_equal(device, lanes, fields=("qpos", "qvel", "ctrl"), exactness=1e-9):
    for field in fields:
        assert device.get(field) == pytest.approx(lanes.get(field), abs=exactness), field


# --- values per world ------------------------------------------------------------------------------------------------

FACTORS = np.linspace(1, 2, NWORLD)


@pytest.mark.parametrize("field", ["body_mass", "body_inertia", "geom_friction", "dof_armature", "dof_damping", "dof_frictionloss",
                                   "actuator_gainprm", "actuator_gear", "geom_size", "opt.gravity", "opt.timestep", "jnt_stiffness"])
def test_worlds_with_values_move_as_on_the_processor(scene, field):
    device, lanes = pair(scene)
    shared, _ = pair(scene)
    for each in (device, lanes, shared):
        each.ctrl = 0.5
    for each in (device, lanes):
        values = each.expand(field)
        added = 0.01 if field.startswith(("dof_", "jnt_")) else 0
        values[:] = values * FACTORS.reshape(NWORLD, *[1] * (values.ndim - 1)) + added
    for each in (device, lanes, shared):
        each.step(10)
    expect_equal(device, lanes)
    assert not np.allclose(device.get("qvel"), shared.get("qvel"), atol=1e-6)
    assert device.has_values and not shared.has_values


def test_values_are_live_in_the_type_of_the_batch(scene):
    batch = torsor.Batch(scene, NWORLD, device="host")
    masses = batch.expand("body_mass")
    assert masses is batch.expand("body_mass") and (masses.dtype, masses.shape) == (np.float32, (NWORLD, scene.nbody))
    assert np.allclose(masses, scene.body_mass)
    masses[2, 1] = 7
    assert batch.get_model(2).body_mass[1] == 7 and batch.get_model(1).body_mass[1] == pytest.approx(scene.body_mass[1])
    assert batch.expanded("body_mass")[2, 1] == 7 and batch.expanded("geom_size") is None


def test_bad_values_stop_the_call_before_any_world_moves(scene):
    device, _ = pair(scene)
    device.expand("body_mass")[4, 1] = -1
    for call in (device.step, device.forward, lambda: device.rollout(3)):
        with pytest.raises(torsor.Error, match=r"world 4: body_mass\[1\] is -1, but a mass must not be negative"):
            call()
    assert not device.get("time").any()
    device.expand("body_mass")[4, 1] = 1
    device.step()
    assert device.get("time").all()


def test_checked_values_change_all_or_nothing(scene):
    device, _ = pair(scene)
    masses = np.tile(scene.body_mass, (2, 1))
    masses[1, 2] = np.nan
    with pytest.raises(torsor.Error, match=r"world 3: body_mass\[2\] is nan"):
        device.set_values("body_mass", masses, ids=[1, 3])
    assert not device.has_values
    device.set_values("body_mass", 2 * scene.body_mass, ids=np.arange(NWORLD) < 2)
    assert device.expand("body_mass")[:, 1] == pytest.approx(scene.body_mass[1] * np.array([2, 2, 1, 1, 1, 1]))
    with pytest.raises(ValueError, match="body_mass: expected shape"):
        device.set_values("body_mass", [1, 2])


def test_derived_constants_follow(scene):
    device, lanes = pair(scene)
    for each in (device, lanes):
        each.body("hand").mass = FACTORS[:, None]
        each.set_const()
        each.step(20)
    expect_equal(device, lanes)
    assert np.array_equal(device.expanded("body_subtreemass"), lanes.expanded("body_subtreemass"))
    assert np.array_equal(device.get_model(5).dof_invweight0, lanes.get_model(5).dof_invweight0)
    for each in (device, lanes):
        each.body("hand").ipos = [0.1, 0.02, 0]      # so that frames of inertia are where those of bodies are, or not
        each.expand("body_ipos")[2, 3] = 0
        each.set_const()
        each.step(5)
    expect_equal(device, lanes)
    frames = device.expanded("body_sameframe")
    assert np.array_equal(frames, lanes.expanded("body_sameframe")) and len(set(frames[:, 3].tolist())) == 2
    assert np.array_equal(device.body("hand").sameframe, lanes.body("hand").sameframe)


@pytest.mark.parametrize("field, complaint", [
    ("geom_condim", "values of 'geom_condim' per world are not supported on devices"),
    ("opt.iterations", "values of 'opt.iterations' per world are not supported on devices"),
    ("body_masss", "did you mean 'body_mass'"),
    ("body_parentid", "is part of the structure of the model"),
    ("qpos", r"use bind\('qpos'\)"),
])
def test_fields_that_cannot_differ_are_refused(scene, field, complaint):
    device, _ = pair(scene)
    for call in (device.expand, lambda name: device.set_values(name, 1)):
        with pytest.raises(torsor.Error, match=complaint):
            call(field)
    device.step()


# --- controls step by step, rollouts, some worlds --------------------------------------------------------------------


def test_controls_step_by_step(scene):
    device, lanes = pair(scene)
    controls = np.random.default_rng(5).normal(size=(NWORLD, 12, scene.nu))
    for each in (device, lanes):
        each.step(12, controls=controls)
    expect_equal(device, lanes)
    assert device.get("ctrl") == pytest.approx(controls[:, -1])
    with pytest.raises(TypeError, match="give one of them"):
        device.step(1, ctrl=0, controls=0)
    with pytest.raises(ValueError, match=r"controls: expected shape \(6, 3, 2\), got \(2, 2\)"):
        device.step(3, controls=np.zeros((2, 2)))


@pytest.mark.parametrize("dtype, exactness", [("float64", 1e-9), ("float32", 1e-3)])
def test_rollouts(scene, dtype, exactness):
    device, lanes = pair(scene, dtype)
    forces = np.random.default_rng(6).normal(size=(NWORLD, 9, scene.nv + scene.nu))
    signature = torsor.StateBit.QFRC_APPLIED | torsor.StateBit.CTRL
    found, expected = (each.rollout(controls=forces, control_signature=signature, record=["qpos", "xpos", "time"])
                       for each in (device, lanes))
    for field in ("qpos", "xpos", "time"):
        assert found[field].shape == expected[field].shape and found[field].dtype == dtype
        assert found[field] == pytest.approx(expected[field], abs=exactness)
    expect_equal(device, lanes, ("qpos", "qvel", "ctrl", "qfrc_applied"), exactness)
    assert device.rollout(4)["qpos"].shape == (NWORLD, 4, scene.nq)
    for call, complaint in [(lambda: device.rollout(2, record=["qposs"]), "did you mean 'qpos'"),
                            (lambda: device.rollout(2, controls=np.zeros((NWORLD, 2, scene.nq)),
                                                    control_signature=torsor.StateBit.QPOS), "inputs only")]:
        with pytest.raises(torsor.Error, match=complaint):
            call()


SENSORS = """<mujoco><worldbody><geom name="floor" type="plane" size="3 3 1"/><body name="ball" pos="0 0 0.09"><freejoint/>
    <geom name="ball" size="0.1"/><site name="ball" size="0.12"/></body><body name="load" pos="0 0 0.3"><freejoint/><geom size="0.1"/>
    </body></worldbody><equality><connect name="hook" body1="ball" body2="load" anchor="0 0 0.1"/></equality>
  <sensor><touch site="ball"/><force site="ball"/><contact geom1="ball" data="found force dist"/></sensor></mujoco>"""


def test_sensors_of_forces_and_contacts():
    device, lanes = pair(torsor.Model.from_xml_string(SENSORS))
    readings = [each.bind("sensordata") for each in (device, lanes)]
    for each in (device, lanes):
        each.step(20)
    assert np.asarray(readings[0]) == pytest.approx(readings[1], abs=1e-6) and (readings[1][:, 0] > 1).any()


def test_forces_on_bodies_are_computed_on_request(scene):
    device, lanes = (torsor.Batch(scene, NWORLD, "float64", device=card, body_forces=True) for card in ("host", "cpu"))
    forces, expected = (each.bind("cfrc_ext") for each in (device, lanes))
    for each in (device, lanes):
        each.step(5)
    assert np.asarray(forces) == pytest.approx(expected, abs=1e-9) and expected[:, 1, 5].min() > 1


def test_forward_of_some_worlds(scene):
    device, lanes = pair(scene)
    results = [each.bind("qacc") for each in (device, lanes)]
    for each in (device, lanes):
        each.forward(ids=[4, 1])
    assert np.asarray(results[0]) == pytest.approx(results[1], abs=1e-9)
    assert np.asarray(results[0]).any(axis=1).tolist() == [False, True, False, False, True, False]
    assert np.asarray(device.steps).tolist() == [0] * NWORLD
    device.forward(ids=np.ones(NWORLD, bool))
    assert np.asarray(results[0]).any(axis=1).all()
    with pytest.raises(IndexError, match="world 6 does not exist"):
        device.forward(ids=[6])


def test_equalities_are_switched_step_by_step():
    device, lanes = pair(torsor.Model.from_xml_string(SENSORS))
    switches = (np.random.default_rng(2).random((NWORLD, 8, 1)) < 0.5).astype(float)
    found, expected = (each.rollout(controls=switches, control_signature=torsor.StateBit.EQ_ACTIVE, record=["eq_active", "qvel"])
                       for each in (device, lanes))
    assert np.array_equal(found["eq_active"], switches) and np.array_equal(expected["eq_active"], switches)
    assert found["qvel"] == pytest.approx(expected["qvel"], abs=1e-7)


def test_some_worlds_take_steps(scene):
    device, lanes = pair(scene)
    controls = np.random.default_rng(7).normal(size=(2, 5, scene.nu))
    for each in (device, lanes):
        each.step(5, controls=controls, ids=[4, 1])
        each.step(3, ids=np.arange(NWORLD) == 2)
    expect_equal(device, lanes, ("qpos", "qvel", "ctrl", "time"))
    assert np.asarray(device.steps).tolist() == [0, 5, 3, 0, 5, 0] == lanes.steps.tolist()
    found, expected = device.rollout(2, record=["qvel"], ids=[5, 0]), lanes.rollout(2, record=["qvel"], ids=[5, 0])
    assert found["qvel"] == pytest.approx(expected["qvel"], abs=1e-9)
    device.step(ids=[])
    with pytest.raises(IndexError, match="world 6 does not exist"):
        device.step(ids=[6])
    with pytest.raises(ValueError, match="named twice"):
        device.step(ids=[1, 1])


def test_long_calls_with_controls_are_taken_in_rounds(scene):
    device, lanes = pair(scene)
    controls = np.random.default_rng(8).normal(size=(NWORLD, 400, scene.nu)) * 0.1
    found, expected = (each.rollout(controls=controls)["qpos"] for each in (device, lanes))
    assert found == pytest.approx(expected, abs=1e-6) and device.get("time")[0] == pytest.approx(400 * scene.opt.timestep)


def test_resets_take_fields_by_name(scene):
    device, lanes = pair(scene)
    for each in (device, lanes):
        each.step(5)
        each.reset([4, 2], qvel=np.arange(2)[:, None], ctrl=0.5)
    expect_equal(device, lanes, ("qpos", "qvel", "ctrl", "time"))
    for each in (device, lanes):
        each.reset(qpos=scene.qpos0 + 0.5)
    assert (device.get("qpos") == scene.qpos0 + 0.5).all()
    states = np.array([torsor.get_state(scene, lanes.get_data(w), torsor.StateBit.FULLPHYSICS) for w in (4, 0)])
    for each in (device, lanes):
        each.step(2)
        each.reset([1, 3], states=states)
        each.reset([0, 5, 2], [0, -1, 1])
    expect_equal(device, lanes, ("qpos", "qvel", "ctrl", "time"))
    assert device.get("qpos")[[0, 2], 2].tolist() == [0.5, 0.7]
    for call, complaint in [(lambda: device.reset([0, 1], [0, 2]), "keyframe 2 does not exist: the model has 2"),
                            (lambda: device.reset(xpos=1), "'xpos' is not a field of a world's state or input"),
                            (lambda: device.reset(keyframe=3), "keyframe 3 does not exist")]:
        with pytest.raises(torsor.Error, match=complaint):
            call()


# --- single worlds, named views, questions ---------------------------------------------------------------------------


def test_single_worlds_go_to_a_data_and_back(scene):
    device, lanes = pair(scene)
    device.body(1).mass = FACTORS[:, None]
    for each in (device, lanes):
        each.step(3)
    data = device.get_data(3)
    assert np.array_equal(data.qpos, device.get("qpos")[3]) and data.xpos.any()
    data.qpos[7] = 0.25
    device.set_data(5, data)
    assert device.get("qpos")[5, 7] == 0.25 and device.get("time")[5] == data.time
    with pytest.raises(IndexError, match="world 6 does not exist"):
        device.get_data(6)
    with pytest.raises(torsor.Error):
        device.set_data(0, torsor.Data(torsor.Model.from_xml_string("<mujoco/>")))


def test_named_views(scene):
    device, lanes = pair(scene)
    for each in (device, lanes):
        each.joint("knee").qpos = 0.3
        each.joint("hip").damping = FACTORS[:, None]
        each.actuator("knee").ctrl = FACTORS[:, None]
        each.geom("ball").friction = [0.5, 0.01, 0.001]
        xpos = each.body("hand").xpos
        each.step(4)
        assert np.array_equal(xpos, each.body("hand").xpos) and xpos.shape == (NWORLD, 3) and xpos.any()
    expect_equal(device, lanes)
    assert device.joint("hip").damping[:, 0] == pytest.approx(FACTORS)
    assert device.joint("knee").damping[3, 0] == 0 and device.body("ball").mass.shape == (NWORLD, 1)
    with pytest.raises(AttributeError, match="'xpos' is a result"):
        device.body("hand").xpos = 1
    with pytest.raises(AttributeError, match="a joint has no attribute 'qposs'"):
        device.joint("knee").qposs


def test_columns_of_an_array_on_a_card(scene):
    batch = torsor.Batch(scene, NWORLD, device="host")
    batch.set("qvel", np.arange(NWORLD * scene.nv).reshape(NWORLD, -1))
    whole = DeviceArray(batch._core.bind("qvel"), "qvel")
    part = whole._columns(2, 3, False)
    assert isinstance(part, DeviceColumns) and part.shape == (NWORLD, 3) and part.dtype == np.float32
    assert np.array_equal(part.numpy(), batch.get("qvel")[:, 2:5]) and np.array_equal(np.asarray(part), part.numpy())
    shared = np.from_dlpack(part)
    assert np.shares_memory(shared, batch.bind("qvel")) and np.array_equal(shared, part.numpy())
    part[:] = [[7, 8, 9]]
    assert (batch.get("qvel")[:, 2:5] == [7, 8, 9]).all() and batch.get("qvel")[1, 1] == scene.nv + 1
    with pytest.raises(torsor.Error, match=r"qvel: expected shape \(6, 3\), got \(2, 2\)"):
        part[:] = np.zeros((2, 2))
    batch.bind("xpos")
    row = DeviceArray(batch._core.bind("xpos"), "xpos")._columns(1, 1, True)
    batch.forward()
    assert row.shape == (NWORLD, 3) and np.array_equal(np.from_dlpack(row), np.asarray(batch.xpos)[:, 1])


def test_jacobians_and_rays(scene):
    device, lanes = pair(scene)
    for each in (device, lanes):
        each.expand("body_pos")[:, 2, 2] = FACTORS
        each.step(5)
    for found, expected in ((device.jac("hand", [1, 0, 0.5]), lanes.jac("hand", [1, 0, 0.5])),
                            (device.ray([[0, 0, 3], [1, 0, 3]], [0, 0, -1], normal=True),
                             lanes.ray([[0, 0, 3], [1, 0, 3]], [0, 0, -1], normal=True))):
        for a, b in zip(found, expected, strict=True):
            assert a == pytest.approx(b, abs=1e-9)
    assert device.ray([1.1, 0, 3], [0, 0, -1], ids=[2])[0].shape == (1, 1)
    with pytest.raises(IndexError):
        device.jac(9, [0, 0, 0])


# --- the same on a card ----------------------------------------------------------------------------------------------


@pytest.fixture(params=["host", pytest.param("cuda", marks=pytest.mark.gpu)])
def any_device(request):
    return request.param


def both(scene, device):
    first, second = torsor.Batch(scene, NWORLD, "float64", device=device), torsor.Batch(scene, NWORLD)
    velocities = np.random.default_rng(3).normal(size=(NWORLD, scene.nv))
    for each in (first, second):
        each.set("qvel", velocities)
    return first, second


def test_values_and_derived_constants_on_any_device(scene, any_device):
    device, lanes = both(scene, any_device)
    for field in ("body_mass", "geom_friction", "geom_size", "dof_damping", "dof_frictionloss", "actuator_gear", "opt.gravity"):
        one = getattr(scene.opt, field[4:]) if field.startswith("opt.") else getattr(scene, field)
        values = one * FACTORS.reshape(NWORLD, *[1] * one.ndim) + (0.01 if field.startswith("dof_") else 0)
        for each in (device, lanes):
            each.set_values(field, values)
        assert np.array_equal(np.asarray(device.expand(field)), values)
    for each in (device, lanes):
        each.set_const()
        each.step(20)
    expect_equal(device, lanes, exactness=1e-8)
    device.set_values("geom_friction", scene.geom_friction)
    device.expand("body_mass")[:] = -1 * np.ones(scene.nbody)
    with pytest.raises(torsor.Error, match=r"world 0: body_mass\[0\] is -1"):
        device.step()


def test_series_and_single_worlds_on_any_device(scene, any_device):
    device, lanes = both(scene, any_device)
    controls = np.random.default_rng(5).normal(size=(3, 12, scene.nu))
    for each in (device, lanes):
        each.step(12, controls=controls, ids=[0, 5, 2])
    found, expected = (each.rollout(controls=controls[:1], record=["qpos", "xpos"]) for each in (device, lanes))
    for field in found:
        assert np.asarray(found[field]) == pytest.approx(expected[field], abs=1e-8)
    for each in (device, lanes):
        each.joint("knee").qpos = FACTORS[:, None]
        each.set_data(3, each.get_data(1))
        each.step(2)
    expect_equal(device, lanes, exactness=1e-8)
    assert np.asarray(device.joint("knee").qpos) == pytest.approx(lanes.joint("knee").qpos, abs=1e-8)
    assert device.jac("hand", [1, 0, 0.5])[0] == pytest.approx(lanes.jac("hand", [1, 0, 0.5])[0], abs=1e-8)


def tower(boxes, solver):
    """Boxes that stand on each other, in one island of six dofs for each."""
    bodies = "".join(
        f'<body pos="0 0 {0.099 + 0.199 * k}"><freejoint/><geom type="box" size="0.1 0.1 0.1"/></body>' for k in range(boxes)
    )
    option = f'<option solver="{solver}" iterations="20"/>'
    return torsor.Model.from_xml_string(
        f'<mujoco>{option}<worldbody><geom type="plane" size="3 3 1"/>{bodies}</worldbody></mujoco>'
    )


@pytest.mark.parametrize("dtype", ["float32", "float64"])
@pytest.mark.parametrize("boxes, solver", [(12, "Newton"), (20, "Newton"), (12, "CG")])
def test_large_islands_of_all_worlds_are_solved(any_device, boxes, solver, dtype):
    """More of them than a card solves at a time: those beyond the first ones were left unsolved."""
    nworld = 6000 if any_device == "cuda" else 8
    batch = torsor.Batch(tower(boxes, solver), nworld, dtype, device=any_device)
    forces = batch.bind("qfrc_constraint")
    for _ in range(3):
        batch.step()
        assert np.abs(np.asarray(forces)).max(axis=1).min() > 1  # every world has contacts
    for field in ("qpos", "qvel"):
        numbers = batch.get(field)
        assert np.isfinite(numbers).all()
        assert (numbers == numbers[0]).all(), field
    assert batch.row_capacity >= 12 * boxes  # in one island: four points of three rows for each box
