"""A model knows the axes of its world and its bodies; conversions that are given a model use them."""

import copy
import pickle

import numpy as np
import pytest

import torsor
from cli_support import run
from torsor import conventions, newton

GLIDER = """<mujoco><worldbody><body name="hull" pos="1 2 3" euler="10 20 30"><freejoint/>
  <inertial pos="0 0 0" mass="2" fullinertia="1 2 2.5 0.1 0.2 0.3"/></body></worldbody></mujoco>"""
EARTH = GLIDER.replace("<mujoco>", '<mujoco><compiler worldaxes="ned" bodyaxes="ned"/><option gravity="0 0 9.81"/>')
PTERA = "ptera[twist.order=linear first]"
FLIP = np.array([1, -1, -1])


def random_state(model, seed):
    rng = np.random.default_rng(seed)
    qpos = rng.normal(size=7)
    qpos[3:] /= np.linalg.norm(qpos[3:])
    return qpos, rng.normal(size=6)


def same_rotation(a, b):
    return np.allclose(a, b, atol=1e-12) or np.allclose(a, -np.asarray(b), atol=1e-12)


def test_in_a_world_with_z_down_position_and_velocity_are_pteras_as_they_are():
    model = torsor.Model.from_xml_string(GLIDER, axes="ned")
    assert (model.world_axes, model.body_axes) == ("x -y -z", "x y z")
    qpos, qvel = random_state(model, 1)
    to_ptera = conventions.StateMap(model, "mujoco", PTERA)
    assert np.array_equal(to_ptera.positions(qpos)[:3], qpos[:3])
    velocity = to_ptera.velocities(qpos, qvel)
    np.testing.assert_allclose(velocity[:3], qvel[:3], atol=1e-14)
    # bodies are still x forward, y left, z up in the model: Ptera's y and z are the other way
    np.testing.assert_allclose(velocity[3:], np.rad2deg(qvel[3:] * FLIP), atol=1e-12)


def test_a_file_that_says_its_axes_passes_through_except_for_degrees():
    model = torsor.Model.from_xml_string(EARTH)
    assert (model.world_axes, model.body_axes) == ("x -y -z", "x -y -z")
    for source in ("mujoco", "mujoco.earth"):
        to_ptera = conventions.StateMap(model, source, PTERA)
        qpos, qvel = random_state(model, 2)
        assert np.array_equal(to_ptera.positions(qpos), qpos)
        np.testing.assert_allclose(to_ptera.velocities(qpos, qvel), [*qvel[:3], *np.rad2deg(qvel[3:])], atol=1e-12)


def test_without_a_model_there_is_a_row_for_mujoco_as_earth_axes():
    pose = [1, 2, 3, 0.5, 0.5, 0.5, 0.5]
    assert np.array_equal(conventions.convert_pose(pose, "mujoco.earth", "ptera", com=[0, 0, 0]), pose)
    assert not np.array_equal(conventions.convert_pose(pose, "mujoco", "ptera", com=[0, 0, 0]), pose)


@pytest.mark.parametrize("axes", ["y-up", "x-up", "ned", "gltf"])
@pytest.mark.parametrize("target", ["newton", "drake", "pinocchio", PTERA])
def test_the_same_aircraft_has_the_same_numbers_whatever_its_axes(axes, target):
    ours, turned = torsor.Model.from_xml_string(GLIDER), torsor.Model.from_xml_string(GLIDER, axes=axes)
    one, two = (conventions.StateMap(model, "mujoco", target) for model in (ours, turned))
    back = conventions.StateMap(turned, target, "mujoco")
    np.testing.assert_allclose(abs(one.positions(ours.qpos0)), abs(two.positions(turned.qpos0)), atol=1e-12)
    qpos, qvel = random_state(turned, 3)
    np.testing.assert_allclose(back.velocities(two.positions(qpos), two.velocities(qpos, qvel)), qvel, atol=1e-12)
    data = torsor.Data(turned)
    data.qpos, data.qvel = qpos, qvel
    torsor.forward(turned, data)
    pose = torsor.body_pose(turned, data, "hull", target)
    assert np.allclose(pose, two.positions(qpos), atol=1e-12) or same_rotation(pose[:4], two.positions(qpos)[:4]) \
        or same_rotation(pose[3:], two.positions(qpos)[3:])
    np.testing.assert_allclose(torsor.body_twist(turned, data, "hull", target), two.velocities(qpos, qvel), atol=1e-11)


def test_forces_of_another_system_accelerate_the_same_aircraft_alike():
    force, ends = [1, 2, 3, 4, 5, 6], []
    for axes in (None, "ned"):
        model = torsor.Model.from_xml_string(GLIDER, axes=axes)
        data = torsor.Data(model)
        torsor.forward(model, data)
        torsor.set_joint_forces(model, data, PTERA, force)
        np.testing.assert_allclose(torsor.joint_forces(model, data, PTERA), force, atol=1e-12)
        torsor.step(model, data)
        torsor.forward(model, data)
        ends.append(torsor.body_twist(model, data, "hull", PTERA))
    np.testing.assert_allclose(*ends, atol=1e-12)


def test_files_pickles_and_copies_keep_the_axes(tmp_path):
    model = torsor.Model.from_xml_string(GLIDER, axes="ned")
    model.save_binary(tmp_path / "glider.torsor")
    spec = torsor.Spec.from_xml_string(EARTH)
    for other in (pickle.loads(pickle.dumps(model)), copy.copy(model), copy.deepcopy(model),
                  torsor.Model.from_binary_path(tmp_path / "glider.torsor"), torsor.Model.from_bytes(model.to_bytes())):
        assert (other.world_axes, other.body_axes) == (model.world_axes, model.body_axes)
        assert model.diff(other) == []
    again = torsor.Model.from_xml_string(spec.to_xml())
    assert (again.world_axes, again.body_axes) == ("x -y -z", "x -y -z")
    assert {d.name for d in model.diff(torsor.Model.from_xml_string(GLIDER))} >= {"world_axes"}


def test_the_program_converts_logs_of_a_model_in_its_axes(tmp_path):
    (tmp_path / "earth.xml").write_text(EARTH)
    (tmp_path / "up.xml").write_text(GLIDER)
    qpos, qvel = random_state(None, 4)
    np.save(tmp_path / "run.npy", [[*qpos, *qvel]])
    for model, same in (("earth.xml", True), ("up.xml", False)):
        run("state", "run.npy", "--from", "mujoco", "--to", PTERA, "--model", model, "--out", "out.npy", cwd=tmp_path)
        out = np.load(tmp_path / "out.npy")[0]
        assert np.allclose(out, [*qpos, *qvel[:3], *np.rad2deg(qvel[3:])], atol=1e-12) == same
        (tmp_path / "out.npy").unlink()


def test_newtons_builder_places_a_file_with_z_down_in_its_own_world():
    builder = newton.ModelBuilder()
    builder.add_mjcf(EARTH)
    np.testing.assert_allclose(builder.body_q[0][:3], np.array([1, 2, 3]) * FLIP, atol=1e-12)


def test_axes_that_are_none_are_refused():
    with pytest.raises(torsor.Error, match="worldaxes.*got 'downwards'"):
        torsor.Model.from_xml_string(EARTH.replace('worldaxes="ned"', 'worldaxes="downwards"'))
    with pytest.raises(torsor.Error, match="right-handed"):
        torsor.Model.from_xml_string(EARTH.replace('bodyaxes="ned"', 'bodyaxes="unity"'))
