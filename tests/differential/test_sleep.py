"""Sleeping trees: the same trees sleep and wake in the same steps as MuJoCo's, and every array has the same numbers."""

import pickle

import mujoco
import numpy as np
import pytest

import fields
import sleep_random
import sleep_scenes
import torsor
import torsor.mujoco

TOLERANCE = 1e-6  # of each array's largest number: runs with contact amplify rounding
LISTS = {"body_awake_ind": "nbody_awake", "parent_awake_ind": "nparent_awake", "dof_awake_ind": "nv_awake"}
EXACT = ("tree_asleep", "tree_awake", "body_awake", "ntree_awake", "nbody_awake", "nparent_awake", "nv_awake", "ncon", "nefc")
# Moments are sparse there and dense here, or the other way round: compared by the forces that they cause.
OTHER_SHAPE = {"actuator_moment", "contact"}
# Paths of tendons that sleep are overwritten by those of others there, and gone here.
STALE = {"wrap_xpos"}


def sleep_state(data):
    """Everything that says who sleeps, as plain numbers."""
    state = {name: np.array(getattr(data, name)).tolist() for name in EXACT}
    return state | {name: list(getattr(data, name)[:getattr(data, count)]) for name, count in LISTS.items()}


def numbers_of(data, names):
    numbers = {name: np.array(getattr(data, name), float) for name in names}
    numbers["subtree_angmom"] = numbers["subtree_angmom"][1:]  # MuJoCo 3.12 sums up the world's wrongly while trees sleep
    return numbers


def compared_names(mujoco_data, torsor_data):
    """Arrays of numbers that both have in the same shape."""
    names = []
    for name in sorted(fields.compared("data") - OTHER_SHAPE - STALE):
        ours, theirs = getattr(torsor_data, name, None), getattr(mujoco_data, name, None)
        if isinstance(theirs, np.ndarray) and theirs.dtype == float and ours is not None and np.shape(ours) == theirs.shape:
            names.append(name)
    return names


def differences(theirs, ours, tolerance=TOLERANCE):
    found = []
    for name, expected in theirs.items():
        scale = max(1.0, np.abs(expected).max(initial=0))
        error = np.abs(ours[name] - expected).max(initial=0)
        if not error <= tolerance * scale:
            found.append(f"{name}: {error:.2e} of {scale:.2e}")
    return found


class Both:
    def __init__(self, text):
        self.models = mujoco.MjModel.from_xml_string(text), torsor.Model.from_xml_string(text)
        self.datas = mujoco.MjData(self.models[0]), torsor.Data(self.models[1])
        self.names = compared_names(*self.datas)

    def step(self):
        mujoco.mj_step(self.models[0], self.datas[0])
        torsor.step(self.models[1], self.datas[1])

    def check(self, title):
        theirs, ours = (sleep_state(data) for data in self.datas)
        assert ours == theirs, title
        found = differences(*(numbers_of(data, self.names) for data in self.datas))
        assert not found, f"{title}: {found}"


class Shaken:
    """MuJoCo from coordinates that differ by 1e-10: where its own run changes much, no engine can be compared."""

    def __init__(self, both):
        self.model, self.names, self.data = both.models[0], both.names, mujoco.MjData(both.models[0])
        for joint in range(self.model.njnt):
            is_awake = self.data.body_awake[self.model.jnt_bodyid[joint]] == 1
            if is_awake and self.model.jnt_type[joint] != mujoco.mjtJoint.mjJNT_BALL:
                self.data.qpos[self.model.jnt_qposadr[joint]] += 1e-10

    def has_strayed(self, data):
        mujoco.mj_step(self.model, self.data)
        if sleep_state(self.data) != sleep_state(data):
            return True
        return bool(differences(numbers_of(data, self.names), numbers_of(self.data, self.names), TOLERANCE / 10))


def check_random_scene(scene):
    """Whether it was compared to its end."""
    both = Both(scene.text)
    shaken = Shaken(both)
    for step in range(scene.steps):
        for data in (*both.datas, shaken.data) if step in scene.edits else ():
            scene.edits[step](data)
        both.step()
        if shaken.has_strayed(both.datas[0]):
            return False
        both.check(f"{scene.name}, step {step}")
    return True


@pytest.mark.parametrize("start", range(0, 40, 8))
def test_random_scenes_sleep_alike(start, seed, judged):
    for number in range(seed + start, seed + start + 8):
        scene = sleep_random.random_scene(number)
        if scene and check_random_scene(scene):
            judged()
        else:
            judged.screen()


def turn_gravity(both):
    for model in both.models:
        model.opt.gravity[2] *= -1


@pytest.mark.parametrize("scene", sleep_scenes.SCENES, ids=lambda scene: scene.name)
def test_trees_sleep_and_wake_in_the_same_steps(scene):
    both = Both(scene.text)
    assert sleep_state(both.datas[1])["tree_asleep"] == sleep_state(both.datas[0])["tree_asleep"]
    slept = woke = False
    before = np.array(both.datas[0].tree_asleep)
    for step in range(scene.steps):
        if step in scene.edits:
            for data in both.datas:
                scene.edits[step](data)
        if scene.name == "gravity turned round" and step == 50:
            turn_gravity(both)
        both.step()
        both.check(f"{scene.name}, step {step}")
        now = np.array(both.datas[0].tree_asleep)
        slept, woke, before = slept or (now >= 0).any(), woke or ((before >= 0) & (now < 0)).any(), now
    assert slept == scene.falls_asleep and (woke or not scene.wakes_up)  # the scene shows what it is for


def results_of_functions(module, model, data):
    """Functions that users call while trees sleep: energies, momenta of subtrees, forces into a buffer of their own."""
    found = {"rne": np.full(model.nv, 7.0), "rne with accelerations": np.full(model.nv, 7.0)}
    module.mj_energyPos(model, data)
    module.mj_energyVel(model, data)
    module.mj_subtreeVel(model, data)
    module.mj_rne(model, data, 0, found["rne"])
    module.mj_rne(model, data, 1, found["rne with accelerations"])
    return found | {"energy": np.array(data.energy), "subtree_linvel": np.array(data.subtree_linvel),
                    "subtree_angmom": np.array(data.subtree_angmom)[1:]}


@pytest.mark.parametrize("name", ("settling", "actuators and sensors", "joint equalities in a chain"))
def test_functions_that_are_called_while_trees_sleep(name):
    scene = next(scene for scene in sleep_scenes.SCENES if scene.name == name)
    pairs = []
    for module in (mujoco, torsor.mujoco):
        model = module.MjModel.from_xml_string(scene.text)
        pairs.append((module, model, module.MjData(model)))
    compared = 0
    for step in range(scene.steps):
        for module, model, data in pairs:
            if step in scene.edits:
                scene.edits[step](data)
            module.mj_step(model, data)
        asleep = int((np.array(pairs[0][2].tree_asleep) >= 0).sum())
        if asleep and step % 20 == 0:
            theirs, ours = (results_of_functions(*pair) for pair in pairs)
            assert not differences(theirs, ours), f"{name}, step {step}"
            compared += 1
    assert compared > 3


def test_forward_and_inverse_wake_edited_trees_too():
    for name in ("forward", "inverse", "step1"):
        both = Both(sleep_scenes.scene(sleep_scenes.free("0 0 1", sleep="init")))
        both.step()
        for data in both.datas:
            assert data.ntree_awake == 0
            data.qvel[0] = 1
        getattr(mujoco, f"mj_{name}")(both.models[0], both.datas[0])
        getattr(torsor, name)(both.models[1], both.datas[1])
        both.check(name)
        assert both.datas[1].ntree_awake == 1


def test_switching_the_flag_off_wakes_all():
    both = Both(sleep_scenes.scene(sleep_scenes.RESTING))
    for _ in range(200):
        both.step()
    assert both.datas[1].ntree_awake == 0
    both.models[0].opt.enableflags = 0
    both.models[1].opt.enableflags = 0
    both.step()
    both.check("flag off")
    assert both.datas[1].ntree_awake == both.models[1].ntree


def test_keyframes_wake_the_trees_that_they_move():
    text = sleep_scenes.scene(
        sleep_scenes.free("0 0 1", sleep="init") + sleep_scenes.free("1 0 1", sleep="init"),
        after='<keyframe><key qpos="0 0 1 1 0 0 0 1 0 1.001 1 0 0 0"/><key qvel="0 0 0 0 0 0 0 0 0 0 0 1"/></keyframe>')
    for key in (0, 1):
        both = Both(text)
        mujoco.mj_resetDataKeyframe(both.models[0], both.datas[0], key)
        torsor.reset_data_keyframe(both.models[1], both.datas[1], key)
        assert sleep_state(both.datas[1])["tree_asleep"] == sleep_state(both.datas[0])["tree_asleep"] == [0, 1]
        both.step()
        both.check(f"key {key}")
        assert both.datas[1].tree_awake.tolist() == [0, 1]


def test_step1_and_step2_count_like_step():
    both = Both(sleep_scenes.scene(sleep_scenes.SETTLING))
    for step in range(150):
        mujoco.mj_step1(both.models[0], both.datas[0])
        mujoco.mj_step2(both.models[0], both.datas[0])
        torsor.step1(both.models[1], both.datas[1])
        torsor.step2(both.models[1], both.datas[1])
        both.check(f"step {step}")
    assert both.datas[1].ntree_awake < both.models[1].ntree


def test_setting_the_same_state_leaves_trees_asleep():
    both = Both(sleep_scenes.scene(sleep_scenes.RESTING))
    for _ in range(200):
        both.step()
    kind = mujoco.mjtState.mjSTATE_INTEGRATION
    state = np.zeros(mujoco.mj_stateSize(both.models[0], kind))
    mujoco.mj_getState(both.models[0], both.datas[0], state, kind)
    mujoco.mj_setState(both.models[0], both.datas[0], state, kind)
    ours = torsor.get_state(both.models[1], both.datas[1], int(kind))
    torsor.set_state(both.models[1], both.datas[1], ours, int(kind))
    both.step()
    both.check("after set_state")
    assert both.datas[1].ntree_awake == 0


@pytest.mark.parametrize("duplicate", [lambda data: data.__copy__(), lambda data: pickle.loads(pickle.dumps(data))],
                         ids=["copy", "pickle"])
def test_copies_sleep_on(duplicate):
    model = torsor.Model.from_xml_string(sleep_scenes.scene(sleep_scenes.pushed_row("auto")))
    data = torsor.Data(model)
    for _ in range(60):
        torsor.step(model, data)
    assert 0 < data.ntree_awake < model.ntree or data.ntree_awake == 0
    other = duplicate(data)
    assert sleep_state(other) == sleep_state(data)
    for each in (data, other):
        each.qvel[24] = 2.0
        for _ in range(200):
            torsor.step(model, each)
    assert sleep_state(other) == sleep_state(data) and np.array_equal(other.qpos, data.qpos)


def test_trees_that_cannot_start_asleep_are_awake_and_counted():
    """As in MuJoCo 4.0; MuJoCo 3.12 refuses such models."""
    text = sleep_scenes.scene(sleep_scenes.free("0 0 .09", sleep="init") + sleep_scenes.free("1 0 .09")
                              + sleep_scenes.free("1.15 0 .09", sleep="init"))
    model = torsor.Model.from_xml_string(text)
    data = torsor.Data(model)
    assert data.tree_asleep.tolist() == [0, -10, -11]
    assert data.warning[torsor.Warning.SLEEPINIT].number == 1 and data.warning[torsor.Warning.SLEEPINIT].lastinfo == 3


@pytest.mark.parametrize("tendon", ['stiffness="1"', 'damping="1"', 'stiffness="0 1"'])
@pytest.mark.parametrize("policy", ["allowed", "init"])
def test_trees_that_springs_connect_may_not_sleep(tendon, policy):
    text = sleep_scenes.scene(sleep_scenes.SITES.format(policy), after=sleep_scenes.TENDON.format(tendon))
    with pytest.raises(ValueError, match="sleeping not allowed"):
        mujoco.MjModel.from_xml_string(text)
    with pytest.raises(torsor.Error, match="between two trees"):
        torsor.Model.from_xml_string(text)


def test_saved_models_keep_flag_tolerance_and_policy():
    text = sleep_scenes.scene(sleep_scenes.free("0 0 1", sleep="init"), option='sleep_tolerance=".02"')
    spec = torsor.Spec.from_xml_string(text)
    model = torsor.Model.from_xml_string(spec.to_xml())
    assert model.opt.enableflags & int(torsor.EnableFlag.SLEEP) and model.opt.sleep_tolerance == 0.02
    assert model.tree_sleep_policy.tolist() == [5] and torsor.Data(model).ntree_awake == 0


def test_rollouts_sleep_and_batches_do_not():
    model = torsor.Model.from_xml_string(sleep_scenes.scene(sleep_scenes.free("0 0 1", sleep="init")))
    start = torsor.get_state(model, torsor.Data(model), int(torsor.StateBit.FULLPHYSICS))
    states = np.asarray(torsor.rollout(model, start[None], nstep=20)[0])
    assert states[0, -1, 3] == 1.0  # z
    batch = torsor.Batch(model, 2)
    batch.step(20)
    assert (np.asarray(batch.qpos)[:, 2] < 1).all()
    assert "sleeping" in str(batch.plan()) and "off" in str(batch.plan())


def test_derivatives_need_the_flag_off():
    """As in MuJoCo 4.0."""
    model = torsor.Model.from_xml_string(sleep_scenes.scene(sleep_scenes.free("0 0 1")))
    with pytest.raises(torsor.Error, match="clear the flag sleep"):
        torsor.transition_derivatives(model, torsor.Data(model))
