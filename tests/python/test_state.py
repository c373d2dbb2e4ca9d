"""The state: its parts and their order against MuJoCo's, exact copies, keyframes, and what a step leaves alone."""

import copy
import pickle

import mujoco
import numpy as np
import pytest

import torsor
from torsor import StateBit

EVERYTHING = """
<mujoco>
  <size nuserdata="3" nkey="2"/>
  <worldbody>
    <geom type="plane" size="2 2 0.1"/>
    <body name="hand" mocap="true" pos="0.5 0 1"><geom size="0.02" contype="0" conaffinity="0"/></body>
    <body name="box" pos="0 0 0.0995"><freejoint/><geom type="box" size="0.1 0.1 0.1"/></body>
    <body pos="0 1 1"><joint name="hinge" axis="0 1 0" stiffness="1" springyield="2"/><geom type="capsule" fromto="0 0 0 0.3 0 0" size="0.02"/></body>
  </worldbody>
  <equality><weld body1="hand" body2="box" active="false"/><joint joint1="hinge"/></equality>
  <actuator>
    <general joint="hinge" dyntype="integrator" gainprm="3" delay="0.006" nsample="4"/>
    <motor joint="hinge"/>
  </actuator>
  <sensor><jointpos joint="hinge" delay="0.004" nsample="3"/></sensor>
  <keyframe><key name="a"/><key name="b"/></keyframe>
</mujoco>"""
PARTS = [bit for bit in StateBit if bin(bit).count("1") == 1]
SUMS = [StateBit.PHYSICS, StateBit.FULLPHYSICS, StateBit.USER, StateBit.INTEGRATION]


@pytest.fixture
def model():
    return torsor.Model.from_xml_string(EVERYTHING)


@pytest.fixture
def data(model):
    """In motion, with contacts, and with no part of the state at its default."""
    data = torsor.Data(model)
    rng = np.random.default_rng(3)
    data.ctrl = rng.normal(size=model.nu)
    data.qfrc_applied = 0.1 * rng.normal(size=model.nv)
    data.xfrc_applied = 0.1 * rng.normal(size=(model.nbody, 6))
    data.userdata = rng.normal(size=3)
    data.mocap_pos += 0.1
    data.eq_active = [False, False]
    torsor.step(model, data, nstep=20)
    return data


@pytest.mark.parametrize("signature", [*PARTS, *SUMS], ids=lambda bit: bit.name)
def test_every_part_is_in_mujocos_place(model, data, signature):
    judge_model = mujoco.MjModel.from_xml_string(EVERYTHING)
    judge = mujoco.MjData(judge_model)
    judge.time = data.time
    for name in ("qpos", "qvel", "act", "qacc_warmstart", "ctrl", "qfrc_applied", "xfrc_applied", "eq_active",
                 "mocap_pos", "mocap_quat", "userdata", "history", "plastic"):
        getattr(judge, name)[:] = getattr(data, name)
    if signature == getattr(StateBit, "NOISE", None):
        return  # ours alone
    size = mujoco.mj_stateSize(judge_model, int(signature))
    assert torsor.state_size(model, signature) == size
    expected = np.zeros(size)
    mujoco.mj_getState(judge_model, judge, expected, int(signature))
    assert torsor.get_state(model, data, signature).tolist() == expected.tolist()


def same_future(model, one, other):
    for _ in range(30):
        torsor.step(model, one)
        torsor.step(model, other)
        if any(getattr(one, name).tobytes() != getattr(other, name).tobytes() for name in ("qpos", "qvel", "act", "qacc")):
            return False
    return True


@pytest.mark.parametrize("save", [
    lambda model, data: copy.copy(data), lambda model, data: copy.deepcopy(data),
    lambda model, data: pickle.loads(pickle.dumps(data))], ids=["copy", "deepcopy", "pickle"])
def test_a_copy_holds_contacts_and_rows_too_and_has_the_same_future(model, data, save):
    assert data.ncon > 0
    twin = save(model, data)
    assert (twin.ncon, twin.nefc, twin.nisland) == (data.ncon, data.nefc, data.nisland)
    for name in ("efc_force", "efc_pos", "efc_type", "efc_J", "efc_state", "solver_niter", "solver_fwdinv"):
        assert getattr(twin, name).tobytes() == getattr(data, name).tobytes(), name
    for name in ("dist", "pos", "frame", "geom", "efc_address"):
        assert getattr(twin.contact, name).tobytes() == getattr(data.contact, name).tobytes(), name
    assert torsor.contact_force(model, twin, 0).tolist() == torsor.contact_force(model, data, 0).tolist()
    assert [s.gradient for s in twin.solver_statistics(0)] == [s.gradient for s in data.solver_statistics(0)]
    assert twin.maxuse_con == data.maxuse_con > 0
    assert same_future(model, data, twin)


def test_a_damaged_pickle_is_an_error(model, data):
    reduced = data.__getstate__()
    for broken in (reduced[2][:-1], reduced[2][:10], b"", bytes(len(reduced[2])), reduced[2] + b"x"):
        with pytest.raises(torsor.Error, match="another version"):
            torsor.Data.__new__(torsor.Data).__setstate__((reduced[0], reduced[1], broken))


def test_the_whole_state_copied_has_the_same_future(model, data):
    other = torsor.Data(model)
    torsor.copy_state(model, data, other)
    assert torsor.get_state(model, other).tobytes() == torsor.get_state(model, data).tobytes()
    assert same_future(model, data, other)


@pytest.mark.parametrize("left_out", [bit for bit in PARTS if bit.name not in ("TIME", "PLUGIN", "NOISE", "USERDATA",
                                                                              "MOCAP_POS", "MOCAP_QUAT", "EQ_ACTIVE")],
                         ids=lambda bit: bit.name)
def test_no_part_can_be_left_out_of_the_state(model, data, left_out):
    """Each changes the future, the warm start and the history too. Others act through callbacks or equalities only."""
    model.opt.iterations = 2
    other = torsor.Data(model)
    torsor.copy_state(model, data, other, int(StateBit.INTEGRATION) & ~int(left_out))
    assert not same_future(model, data, other)


def test_parts_are_taken_out_of_a_longer_vector(model, data):
    saved = torsor.get_state(model, data, StateBit.INTEGRATION)
    for part in (StateBit.QVEL, StateBit.CTRL | StateBit.TIME, StateBit.EQ_ACTIVE, StateBit.INTEGRATION):
        expected = torsor.get_state(model, data, part)
        assert torsor.extract_state(model, saved, StateBit.INTEGRATION, part).tolist() == expected.tolist()
    with pytest.raises(torsor.Error, match="does not contain all parts"):
        torsor.extract_state(model, saved[:1], StateBit.TIME, StateBit.QPOS)
    with pytest.raises(ValueError, match="state"):
        torsor.extract_state(model, saved[:-1], StateBit.INTEGRATION, StateBit.QPOS)


def test_states_of_another_model_and_of_wrong_sizes_are_refused(model, data, zoo, zoo_data):
    before = torsor.get_state(model, data)
    for bad in (before[:-1], np.append(before, 0), before.reshape(1, -1), "text", [1j] * len(before)):
        with pytest.raises((ValueError, TypeError)):
            torsor.set_state(model, data, bad)
    for arguments in ((zoo, data, zoo_data), (model, zoo_data, data), (model, data, zoo_data)):
        with pytest.raises(torsor.Error, match="another Model"):
            torsor.copy_state(*arguments)
    assert torsor.get_state(model, data).tobytes() == before.tobytes()


def test_a_keyframe_is_made_from_the_state_as_by_mujoco(model, data):
    torsor.set_keyframe(model, data, 1)
    other = torsor.Data(model)
    torsor.reset_data_keyframe(model, other, 1)
    for name in ("qpos", "qvel", "act", "ctrl", "mocap_pos", "mocap_quat"):
        assert getattr(other, name).tolist() == getattr(data, name).tolist(), name
    assert other.time == data.time and not model.key_qvel[0].any()
    with pytest.raises(IndexError, match="keyframe 2 does not exist"):
        torsor.set_keyframe(model, data, 2)


def test_a_step_never_clears_controls_and_applied_forces(model, data):
    names = ("ctrl", "qfrc_applied", "xfrc_applied", "userdata", "mocap_pos", "mocap_quat", "eq_active")
    before = {name: getattr(data, name).tobytes() for name in names}
    for call in (torsor.step, torsor.forward, torsor.inverse, torsor.step1, torsor.step2):
        call(model, data)
        assert {name: getattr(data, name).tobytes() for name in names} == before, call


def test_a_reset_is_to_the_reference_as_mujocos(model, data):
    judge_model = mujoco.MjModel.from_xml_string(EVERYTHING)
    judge = mujoco.MjData(judge_model)
    judge.qpos[0] = judge.ctrl[0] = 5
    mujoco.mj_resetData(judge_model, judge)
    torsor.reset_data(model, data)
    size = mujoco.mj_stateSize(judge_model, int(StateBit.INTEGRATION))
    expected = np.zeros(size)
    mujoco.mj_getState(judge_model, judge, expected, int(StateBit.INTEGRATION))
    assert torsor.get_state(model, data, StateBit.INTEGRATION).tolist() == expected.tolist()
    assert data.qpos.tolist() == model.qpos0.tolist() and data.ncon == data.nefc == 0


@pytest.mark.parametrize("skip", list(torsor.SkipStage), ids=lambda stage: stage.name)
def test_skipping_stages_that_are_computed_gives_the_same_as_mujoco_and_as_all(model, data, skip):
    """Only what the skipped stages do not depend on may change: here forces, and velocities too if they are computed."""
    torsor.forward(model, data)
    data.qfrc_applied[0] += 1
    if skip < torsor.SkipStage.VEL:
        data.qvel[1] += 0.1
    whole = copy.copy(data)
    torsor.forward_skip(model, data, skip)
    torsor.forward(model, whole)
    assert data.qacc.tolist() == whole.qacc.tolist() and data.sensordata.tolist() == whole.sensordata.tolist()
    torsor.inverse_skip(model, data, skip)
    torsor.inverse(model, whole)
    assert data.qfrc_inverse.tolist() == whole.qfrc_inverse.tolist()


def test_skipped_stages_are_not_computed(model, data):
    torsor.forward(model, data)
    places, bias = data.xpos.copy(), data.qfrc_bias.copy()
    data.qpos[0] += 1
    data.qvel[0] += 1
    torsor.forward_skip(model, data, torsor.SkipStage.VEL)
    assert data.xpos.tolist() == places.tolist() and data.qfrc_bias.tolist() == bias.tolist()
    torsor.forward_skip(model, data, torsor.SkipStage.POS)
    assert data.xpos.tolist() == places.tolist() and data.qfrc_bias.tolist() != bias.tolist()
    data.sensordata = 77
    torsor.forward_skip(model, data, torsor.SkipStage.NONE, skipsensor=True)
    assert (data.sensordata == 77).all() and data.xpos.tolist() != places.tolist()
