"""torsor.Data: views, counters, copies, pickles, and a model that fits."""

import copy
import gc
import pickle

import mujoco
import numpy as np
import pytest

import torsor
from example_models import ARM, ZOO


def data_arrays():
    return [row.name for row in torsor.fields("data") if row.shape]


def values_of(data):
    """Everything in a Data, as bytes by name."""
    values = {name: getattr(data, name).tobytes() for name in data_arrays()}
    values.update(time=data.time, timers_on=data.timers_on)
    for counters in ("warning", "timer"):
        values[counters] = [repr(counter) for counter in getattr(data, counters)]
    return values


def test_every_array_has_the_shape_and_type_that_mujoco_gives_it(zoo_data):
    judge = mujoco.MjData(mujoco.MjModel.from_xml_string(ZOO))
    compared = 0
    for name in data_arrays():
        if hasattr(judge, name):
            assert getattr(zoo_data, name).shape == getattr(judge, name).shape, name
            assert getattr(zoo_data, name).dtype == getattr(judge, name).dtype, name
            compared += 1
    assert compared > 50


def test_assigning_an_attribute_copies_into_the_array(data):
    view = data.qpos
    data.qpos = [1, 2]
    data.qpos += 1
    assert view.tolist() == [2, 3] and data.qpos is view
    data.qpos = 0
    assert view.tolist() == [0, 0]
    data.xfrc_applied = np.ones((3, 6))
    assert data.xfrc_applied.sum() == 18
    for bad in ([1, 2, 3], np.zeros((2, 2)), "text"):
        with pytest.raises(ValueError):
            data.qpos = bad
    data.time = 3
    assert data.time == 3.0
    data.energy = [1, 2]
    assert data.energy.tolist() == [1, 2]


def test_a_view_outlives_its_data_and_data_its_model():
    data = torsor.Data(torsor.Model.from_xml_string(ARM))
    view, counters = data.qpos, data.warning
    gc.collect()
    assert data.model.nbody == 3
    assert data.body("lower").name == "lower"
    torsor.step(data.model, data)
    del data
    gc.collect()
    view[0] = 5
    assert view.tolist()[0] == 5
    assert counters[0].number == 0


def test_a_state_is_set_and_got_back(zoo, zoo_data):
    for signature in (torsor.StateBit.FULLPHYSICS, torsor.StateBit.INTEGRATION, torsor.StateBit.QPOS):
        saved = torsor.get_state(zoo, zoo_data, signature)
        assert saved.shape == (torsor.state_size(zoo, signature),)
        torsor.step(zoo, zoo_data, nstep=3)
        torsor.set_state(zoo, zoo_data, saved, signature)
        assert torsor.get_state(zoo, zoo_data, signature).tobytes() == saved.tobytes()


@pytest.mark.parametrize("duplicate", [copy.copy, copy.deepcopy, lambda d: pickle.loads(pickle.dumps(d))])
def test_copies_hold_everything_and_are_independent(zoo, zoo_data, duplicate):
    zoo_data.timers_on = True
    torsor.step(zoo, zoo_data, nstep=3)
    zoo_data.qpos[0] = np.nan
    torsor.step(zoo, zoo_data, nstep=2)  # counts a warning and resets
    zoo_data.userdata = [1, 2, 3]
    twin = duplicate(zoo_data)
    assert values_of(twin) == values_of(zoo_data)
    assert twin.warning[torsor.Warning.BADQPOS].number == 1
    before = zoo_data.qpos.copy()
    torsor.step(twin.model, twin, nstep=5)
    assert np.array_equal(zoo_data.qpos, before)
    torsor.step(zoo, zoo_data, nstep=5)
    assert twin.qpos.tobytes() == zoo_data.qpos.tobytes()


def test_copies_share_the_model_and_deep_copies_do_not(data):
    assert copy.copy(data).model is data.model
    assert copy.deepcopy(data).model is not data.model
    model, twin = copy.deepcopy((data.model, data))
    assert twin.model is model


def test_a_pickle_of_two_worlds_holds_their_model_once(model):
    first, second = pickle.loads(pickle.dumps((torsor.Data(model), torsor.Data(model))))
    assert first.model is second.model


def test_data_of_another_model_is_an_error_in_every_function(model, zoo, zoo_data):
    point = [0, 0, 0]
    arguments = {
        "rne": (False,), "solve_m": ([0] * model.nv,), "half_solve_m": ([0] * model.nv,), "mul_m": ([0] * model.nv,),
        "half_mul_m": ([0] * model.nv,), "jac": (point, 1), "jac_dot": (point, 1), "jac_point_axis": (point, point, 1),
        "jac_body": (1,), "jac_body_com": (1,), "jac_geom": (0,), "jac_site": (0,), "jac_subtree_com": (1,),
        "object_velocity": (1, 1), "object_acceleration": (1, 1), "apply_ft": (point, point, point, 1),
        "local_to_global": (point, [1, 0, 0, 0], 1), "forward_skip": (1,), "inverse_skip": (1,),
        "body_pose": (1, "mujoco"), "body_twist": (1, "mujoco"), "body_jacobian": (1, "mujoco"),
        "body_wrench": (1, "mujoco"), "set_body_wrench": (1, "mujoco", [0] * 6), "apply_body_wrench": (1, "mujoco", [0] * 6),
        "joint_forces": ("mujoco",), "set_joint_forces": ("mujoco", [0] * model.nv),
        "mul_jac_vec": ([0] * model.nv,), "mul_jac_t_vec": ([],), "ray_geom": (point, [0, 0, 1], 0), "set_keyframe": (0,),
        "read_ctrl": (0, 0), "read_sensor": (0, 0), "init_ctrl_history": (0, None, []),
        "init_sensor_history": (0, None, [], 0),
        "add_contact": (0, 1, 0.0, point, [0, 0, 1]), "contact_force": (0,), "ray": (point, [0, 0, 1]),
        "multi_ray": (point, [[0, 0, 1]]), "geom_distance": (0, 1, 1.0),
        "reset_data_keyframe": (0,), "set_state": (torsor.get_state(model, torsor.Data(model)),),
    }
    checked = 0
    for name in dir(torsor):
        function = getattr(torsor, name)
        text = getattr(function, "__doc__", None) or ""
        if "model: torsor" in text and "data: torsor" in text and not isinstance(function, type):
            with pytest.raises(torsor.Error, match="another Model"):
                function(model, zoo_data, *arguments.get(name, ()))
            checked += 1
    assert checked > 40


def test_a_model_of_the_same_structure_fits(model, data):
    heavier = copy.copy(model)
    heavier.body_mass *= 2
    torsor.set_const(heavier)
    assert torsor.step(heavier, data) == torsor.Status.OK


def test_warnings_are_counted_and_reset_or_not(model, data):
    data.qvel[1] = np.inf
    assert torsor.step(model, data) == torsor.Status.RESET
    warning = data.warning[torsor.Warning.BADQVEL]
    assert (warning.number, warning.lastinfo) == (1, 1)
    assert data.warning.number.tolist() == [0, 0, 0, 0, 1, 0, 0, 0]
    assert data.warning.lastinfo[4] == 1
    warning.number = 0
    assert data.warning.number.sum() == 0
    model.opt.disableflags |= torsor.DisableFlag.AUTORESET
    data.qpos[0] = np.nan
    assert torsor.step(model, data, nstep=2) == torsor.Status.DIVERGED
    with pytest.raises(IndexError):
        data.warning[8]
    assert len(data.warning) == 8 and len(list(data.timer)) == 15


def test_timers_run_only_when_they_are_on(model, data):
    torsor.step(model, data, nstep=5)
    assert data.timer.number.sum() == 0
    data.timers_on = True
    torsor.step(model, data, nstep=5)
    assert data.timer[torsor.Timer.STEP].number == 5
    assert data.timer[torsor.Timer.STEP].duration > 0
    assert data.timer.duration[torsor.Timer.STEP] == data.timer[torsor.Timer.STEP].duration


def test_memory_is_reported(model, data):
    assert data.nbuffer >= sum(getattr(data, name).nbytes for name in data_arrays()) - 16
    torsor.step(model, data)
    assert 0 < data.maxuse_arena <= data.narena
    assert model.nbuffer >= model.body_mass.nbytes + len(model.names)


def test_keyframes_are_reset_to(model, data):
    torsor.reset_data_keyframe(model, data, 0)
    assert (data.time, data.qpos.tolist(), data.qvel.tolist()) == (0.5, [1, 0.5], [0.1, -0.2])
    torsor.reset_data(model, data)
    assert (data.time, data.qpos.tolist()) == (0, [0, 0])
    with pytest.raises(IndexError, match="keyframe 1 does not exist: the model has 1"):
        torsor.reset_data_keyframe(model, data, 1)


def test_data_needs_a_model():
    with pytest.raises(TypeError):
        torsor.Data()
    with pytest.raises(TypeError):
        torsor.Data("arm.xml")
