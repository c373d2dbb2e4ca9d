"""Models may be edited between steps: every free array, in both engines, with the same effect; structure is refused."""

import copy
import functools

import mujoco
import numpy as np
import pytest

import compare
import scenes
import smooth
import solutions

import engines
import torsor

FIELDS = [row for row in torsor.fields("model") if row.shape and row.dtype != "bytes"]
FREE = [row.name for row in FIELDS if row.access == "free" and "_sap" not in row.name]  # SAP is our own
STRUCTURAL = [row.name for row in FIELDS if row.access == "structural"]
MODELS_PER_FIELD = 3
STATES = 2

# Free whole numbers and switches, and what they are changed to.
WHOLE = {
    "geom_contype": lambda a: a ^ 1, "geom_conaffinity": lambda a: a ^ 1, "geom_condim": lambda a: np.where(a == 3, 4, 3),
    "geom_priority": lambda a: a + np.arange(a.size).reshape(a.shape) % 2, "pair_dim": lambda a: np.where(a == 3, 4, 3),
}
# Numbers that keep their meaning only within bounds: a factor, and where the arrays are ranges, both ends.
FACTORS = {"solimp": 0.97, "geom_size": 0.97, "hfield_data": 0.9, "sensor_delay": 0.5, "actuator_delay": 0.5,
           "sensor_interval": 2.0, "range": 1.1}
# Read by nothing that a state determines: pictures, user's own numbers, starting points, numbers of whole elements.
NOT_PHYSICS = ("rgba", "_user", "mat_", "key_", "_group", "_matid", "_texid", "light_", "cam_", "numeric_", "tuple_",
               "tendon_width", "site_type", "sensor_noise", "geom_rgba", "eq_active0", "geom_user",
               "actuator_actearly")
# Sizes of sites matter to touch sensors and elevations to what touches them: tests of their own below.
# Shadows are drawn by others; springs at rest do not yield, those that do are in test_plastic.py.
WITHOUT_EFFECT = {"site_size", "hfield_data", "geom_castshadow", "skin_inflate", "jnt_springyield"}
FILTERS = (1, 2, 3, 4)  # dyntypes whose one activation may be limited and applied early; a file has these switches for no other
WELD = 1


def factor_of(name):
    return next((factor for part, factor in FACTORS.items() if part in name), 1.05)


def edited(name, array, rng):
    """Other values of a kind that the array may hold."""
    if array.dtype == bool:
        return ~array
    if array.dtype.kind in "iu":
        return WHOLE[name](array) if name in WHOLE else array
    if name.endswith(("quat", "mquat")):
        turned = array.reshape(-1, 4) + 0.05 * rng.normal(size=(array.size // 4, 4))
        return (turned / np.linalg.norm(turned, axis=1, keepdims=True)).reshape(array.shape)
    if name in ("jnt_axis", "light_dir"):
        turned = array + 0.05 * rng.normal(size=array.shape)
        return turned / np.linalg.norm(turned, axis=1, keepdims=True)
    if name.endswith("_pos") or name in ("body_ipos", "geom_surfacevel"):
        return array + 0.01 * rng.normal(size=array.shape)
    if name == "geom_solmix":  # only ratios count
        return array * (1 + 0.3 * (np.arange(array.size) % 2))
    return array * factor_of(name)


def edit(model, name, seed):
    """The same edit in a model of either engine, and what follows from it refreshed."""
    array = getattr(model, name)
    before = np.array(array)
    after = edited(name, before.astype(bool) if before.dtype == np.uint8 and _is_switch(name) else before,
                   np.random.default_rng(seed))
    if name in ("body_pos", "body_quat", "body_ipos", "body_iquat", "body_mass", "body_inertia"):
        after[0] = before[0]  # the world's
    if name in ("actuator_actlimited", "actuator_actearly"):
        others = ~np.isin(np.ravel(model.actuator_dyntype), FILTERS)
        np.ravel(after)[others] = np.ravel(before)[others]
    if name == "eq_data":
        welds = np.ravel(model.eq_type) == WELD
        after[welds, 6:10] /= np.maximum(1e-9, np.linalg.norm(after[welds, 6:10], axis=1, keepdims=True))
    array[...] = after
    if name in ("qpos0", "qpos_spring"):
        _normalise(model, array)
    if isinstance(model, torsor.Model):
        torsor.set_const(model)
    else:
        mujoco.mj_setConst(model, mujoco.MjData(model))


def _is_switch(name):
    return next(row.dtype for row in FIELDS if row.name == name) == "bool_"


def _normalise(model, qpos):
    for kind, address in zip(np.ravel(model.jnt_type), np.ravel(model.jnt_qposadr)):
        if kind in (0, 1):
            start = address + (3 if kind == 0 else 0)
            qpos[start:start + 4] /= np.linalg.norm(qpos[start:start + 4])


# Every number of a contact matters: geoms of unlike parameters, pairs of their own, and glue just out of reach.
CONTACTS = """
<mujoco>
  <option gravity="0 0 0" cone="elliptic"/>
  <worldbody>
    <geom name="floor" type="plane" size="2 2 1" solmix="2" solref="0.03 0.9" solimp="0.8 0.9 0.01"/>
    <body pos="0 0 0.195"><freejoint/><geom size="0.2" solmix="0.5" condim="4"/></body>
    <body pos="1 0 0.2303"><freejoint/><geom size="0.2" margin="0.02" gap="0.01" adhesion="5"/></body>
    <body pos="1 1 0.21"><freejoint/><geom size="0.2" margin="0.02" adhesion="5"/></body>
    <body pos="2 0 0.2303"><freejoint/><geom name="glued" size="0.2"/></body>
    <body pos="3 0 0.215"><freejoint/><geom name="near" size="0.2"/></body>
    <body pos="4 0 0.1"><freejoint/><geom name="deep" size="0.2" contype="0" conaffinity="0"/></body>
    <body pos="5 0 0.195"><freejoint/><geom size="0.2" contype="0" conaffinity="1"/></body>
    <body pos="6 0 0.195"><freejoint/><geom size="0.2" contype="1" conaffinity="0"/></body>
  </worldbody>
  <contact>
    <pair geom1="floor" geom2="glued" margin="0.02" gap="0.01" adhesion="5"/>
    <pair geom1="floor" geom2="near" margin="0.02" adhesion="3"/>
    <pair geom1="floor" geom2="deep" condim="3" friction="0.5 0.4 0.01 0.001 0.001" solref="0.03 1"
          solreffriction="0.02 1" solimp="0.8 0.9 0.01 0.5 2"/>
  </contact>
</mujoco>"""


@functools.cache
def all_models():
    """{stem: (MuJoCo's, ours)} of models that MuJoCo can step: ours of this page, then the feature models."""
    loaded = {"contacts": (mujoco.MjModel.from_xml_string(CONTACTS), torsor.Model.from_xml_string(CONTACTS))}
    for path in scenes.FEATURES:
        judged = engines.judge().load_file(path)
        try:
            outcome(judged)
        except mujoco.FatalError:  # it refuses contacts between two static bodies
            continue
        loaded[path.stem] = (judged, torsor.Model.from_xml_path(str(path)))
    return loaded


def outcome(model):
    """What a state of MuJoCo's model leads to, to see whether an edit matters."""
    data = mujoco.MjData(model)
    data.qvel[:] = 0.3 * np.random.default_rng(1).normal(size=model.nv)
    data.ctrl[:] = 0.7
    data.act[:] = 0.3
    mujoco.mj_step(model, data, nstep=5)
    return np.concatenate([data.qpos, data.qvel, data.act, data.sensordata, data.xpos.ravel(), data.site_xpos.ravel()])


@functools.cache
def unedited(stem):
    return outcome(all_models()[stem][0])


def models_for(name, seed):
    """Feature models where the array has numbers: first those where editing it changes the motion."""
    with_effect, without = [], []
    for stem, (judged, _) in all_models().items():
        if np.size(getattr(judged, name)) == 0:
            continue
        other = copy.copy(judged)
        try:
            edit(other, name, seed)
        except mujoco.FatalError:
            continue
        before, after = unedited(stem), outcome(other)
        changed = before.shape != after.shape or not np.array_equal(before, after)
        (with_effect if changed else without).append(stem)
        if len(with_effect) == MODELS_PER_FIELD:
            break
    return with_effect, without


def pair_of(stem, name, seed):
    """Loads an edited copy; None where our engine says that the edit would change the structure."""
    judged, ours = (copy.copy(model) for model in all_models()[stem])
    edit(judged, name, seed)
    edit(ours, name, seed)
    return lambda engine: copy.copy(ours if engine.name == "torsor" else judged)


@pytest.mark.parametrize("name", FREE)
def test_an_edit_of_a_free_array_has_the_same_effect_in_both_engines(judge, subject, name, judged):
    seed = 11
    with_effect, without = models_for(name, seed)
    physical = not any(part in name for part in NOT_PHYSICS)
    assert with_effect or without, f"no feature model has numbers in {name}"
    assert with_effect or not physical or name in WITHOUT_EFFECT, f"editing {name} changes nothing in any feature model"
    for stem in (with_effect or without)[:MODELS_PER_FIELD]:
        try:
            load = pair_of(stem, name, seed)
        except torsor.Error as error:
            assert "simple" in str(error) or "structure" in str(error), error
            judged.screen()
            continue
        pair = smooth.Pair(judge, subject, load)
        found, _ = smooth.compare_states(judge, subject, pair, STATES, seed)
        assert not found, compare.report(found, f"{stem} with another {name}")
        judgement = solutions.Duel(judge, subject, load, solutions.solve_exactly).run(STATES, seed, None)
        assert not judgement.failures, judgement.report(f"{stem} with another {name}")
        judged()


TOUCHING = """
<mujoco>
  <asset><hfield name="hills" nrow="5" ncol="5" size="1 1 0.5 0.1" elevation="%s"/></asset>
  <worldbody>
    <geom type="hfield" hfield="hills"/>
    <body pos="0 0 3"><freejoint/><geom size="0.2"/><site name="skin" size="0.21"/></body>
    <body pos="3 0 0.19"><freejoint/><geom size="0.2"/><site name="low" pos="0 0 -0.2" size="0.05"/></body>
    <geom type="plane" size="1 1 1" pos="4 0 0"/>
  </worldbody>
  <sensor><touch site="low"/></sensor>
</mujoco>""" % " ".join(str((7 * i) % 5) for i in range(25))


def test_an_edit_of_elevations_moves_what_rays_meet_as_in_mujoco():
    judged, ours = mujoco.MjModel.from_xml_string(TOUCHING), torsor.Model.from_xml_string(TOUCHING)
    found = []
    for factor in (1, 0.5):
        for model in (judged, ours):
            model.hfield_data[:] *= factor
        data, judge_data = torsor.Data(ours), mujoco.MjData(judged)
        torsor.forward(ours, data)
        mujoco.mj_kinematics(judged, judge_data)
        for x, y in np.random.default_rng(2).uniform(-0.9, 0.9, (20, 2)):
            origin, down, geom = np.array([x, y, 2.0]), np.array([0.0, 0, -1]), np.zeros(1, np.int32)
            expected = mujoco.mj_ray(judged, judge_data, origin, down, None, 1, -1, geom, None)
            found.append(torsor.ray(ours, data, origin, down)[0])
            assert found[-1] == pytest.approx(expected, abs=1e-9)
    assert not np.allclose(found[:20], found[20:])


def test_an_edit_of_the_size_of_a_site_changes_what_a_touch_sensor_feels_as_in_mujoco():
    judged, ours = mujoco.MjModel.from_xml_string(TOUCHING), torsor.Model.from_xml_string(TOUCHING)
    felt = []
    for size in (0.05, 0.001):
        for model in (judged, ours):
            model.site_size[1] = size
            model.site_pos[1, 2] = -0.2 - 0.002
        data, judge_data = torsor.Data(ours), mujoco.MjData(judged)
        torsor.forward(ours, data)
        mujoco.mj_forward(judged, judge_data)
        felt.append(data.sensordata[0])
        assert felt[-1] == pytest.approx(judge_data.sensordata[0], rel=1e-6)
    assert felt[0] > 0


@pytest.mark.parametrize("name", STRUCTURAL)
def test_an_edit_of_a_structural_array_is_refused(zoo_like, name):
    array = getattr(zoo_like, name)
    before = array.tobytes()
    if array.size == 0:
        return  # writing nothing is no error, as in MuJoCo
    with pytest.raises((ValueError, AttributeError)):
        array[...] = 0
    with pytest.raises((ValueError, AttributeError)):
        setattr(zoo_like, name, array)
    assert getattr(zoo_like, name).tobytes() == before


@pytest.fixture(scope="module")
def zoo_like():
    return torsor.Model.from_xml_path(str(scenes.ROOT / "models" / "demo.xml"))


def test_sizes_cannot_be_edited(zoo_like):
    for row in torsor.fields("model"):
        if not row.shape:
            with pytest.raises(AttributeError):
                setattr(zoo_like, row.name, 1)


def test_every_array_of_a_model_is_structural_derived_or_free():
    assert {row.access for row in FIELDS} == {"structural", "derived", "free"}
    assert len(FREE) > 100 and len(STRUCTURAL) > 100


DERIVED = ["body_subtreemass", "body_invweight0", "dof_invweight0", "dof_M0", "tendon_length0", "tendon_invweight0",
           "actuator_length0", "actuator_acc0", "cam_pos0", "light_pos0"]


@pytest.mark.parametrize("stem", ["tendon_spatial", "actuator_tendons", "camera_modes", "contact_parameters"])
def test_derived_arrays_follow_from_masses_and_poses_as_in_mujoco(stem):
    judged, ours = (copy.copy(model) for model in all_models()[stem])
    for model in (judged, ours):
        model.body_mass[1:] *= 1.5
        model.body_inertia[1:] *= 1.5
        model.body_pos[1:] += 0.05
    torsor.set_const(ours)
    mujoco.mj_setConst(judged, mujoco.MjData(judged))
    for name in DERIVED:
        expected = np.asarray(getattr(judged, name))
        np.testing.assert_allclose(np.asarray(getattr(ours, name)).reshape(expected.shape), expected, rtol=1e-9,
                                   atol=1e-12, err_msg=name)


@pytest.mark.parametrize("option, value", [
    ("timestep", 0.0007), ("gravity", [1, 2, -3]), ("wind", [3, 0, 1]), ("density", 900.0), ("viscosity", 0.3),
    ("impratio", 3.0), ("iterations", 3), ("cone", 1), ("integrator", 3), ("disableflags", 1 << 4), ("magnetic", [1, 0, 0])])
def test_options_take_effect_at_the_next_step_as_in_mujoco(option, value):
    stem = "contact_parameters"
    judged, ours = (copy.copy(model) for model in all_models()[stem])
    data, judge_data = torsor.Data(ours), mujoco.MjData(judged)
    for _ in range(3):
        torsor.step(ours, data)
        mujoco.mj_step(judged, judge_data)
    for model in (judged, ours):
        current = getattr(model.opt, option)
        if np.ndim(current):
            current[:] = value
        else:
            setattr(model.opt, option, value)
    judge_data.qpos[:], judge_data.qvel[:] = data.qpos, data.qvel
    judge_data.qacc_warmstart[:] = data.qacc_warmstart
    for _ in range(2):
        torsor.step(ours, data)
        mujoco.mj_step(judged, judge_data)
    np.testing.assert_allclose(data.qvel, judge_data.qvel, rtol=1e-6, atol=1e-6)
