"""Binary models, pickles and edits with whole numbers that cannot be: an Error that names them, never a crash."""

import os
import pickle
import random
import struct
import subprocess

import numpy as np
import pytest

import torsor
from cli_support import PROGRAM, environment
from hostile_support import find_crashes, with_number

# Contacts of all kinds, limits, friction, equalities, tendons and actuators: rows of every type but SAP's.
SCENE = """
<mujoco>
  <option cone="elliptic"/>
  <asset><texture name="grey" type="2d" builtin="flat" width="4" height="4"/><material name="m" texture="grey"/></asset>
  <worldbody>
    <geom type="plane" size="5 5 1"/>
    <light/>
    <site name="mark"/>
    <camera name="eye" resolution="3 2"/>
    <body pos="0 0 .05"><freejoint/><geom type="box" size=".1 .1 .1" condim="6"/></body>
    <body pos="1 0 .05"><freejoint/><geom type="sphere" size=".1" condim="1"/></body>
    <body pos="2 0 1">
      <joint name="hinge" axis="0 1 0" range="0.1 1" limited="true" frictionloss="0.1"/>
      <geom type="capsule" size=".05 .2" contype="0" conaffinity="0"/>
      <body pos="0 0 .5"><joint name="slide" type="slide"/><geom size=".05" contype="0" conaffinity="0"/></body>
    </body>
  </worldbody>
  <tendon><fixed name="sum" frictionloss="0.1" range="1 2" limited="true">
    <joint joint="hinge" coef="1"/><joint joint="slide" coef="2"/>
  </fixed></tendon>
  <equality><joint joint1="hinge" joint2="slide"/></equality>
  <actuator><motor joint="hinge"/><position tendon="sum" kp="3"/></actuator>
  <sensor><rangefinder camera="eye"/><jointpos joint="hinge"/></sensor>
</mujoco>
"""
LONG = "TORSOR_LONG" in os.environ
READERS = ("rne_post_constraint", "fwd_constraint", "efc_AR", "efc_JT", "inverse", "forward", "step")


@pytest.fixture
def scene():
    return torsor.Model.from_xml_string(SCENE)


@pytest.fixture
def touching(scene):
    data = torsor.Data(scene)
    torsor.forward(scene, data)
    assert data.ncon > 2 and data.ne and data.nf and data.nl
    return data


def use(model, data):
    for name in READERS:
        try:
            getattr(torsor, name)(model, data)
        except torsor.Error:
            pass
    for i in range(data.ncon):
        torsor.contact_force(model, data, i)
    repr(data.contact)
    list(data.solver_statistics(0))


def load_pickle(state):
    data = torsor.Data.__new__(torsor.Data)
    data.__setstate__(state)
    return data


def test_a_pickle_of_contacts_and_rows_comes_back(scene, touching):
    twin = load_pickle(touching.__getstate__())
    assert twin.__getstate__()[1:] == touching.__getstate__()[1:]
    torsor.step(scene, twin, 5)
    torsor.step(scene, touching, 5)
    assert twin.qpos.tobytes() == touching.qpos.tobytes()


@pytest.mark.parametrize("part", ["values", "rows"])
def test_one_changed_number_of_a_pickle_is_refused_or_harmless(scene, touching, part):
    model, values, rows = touching.__getstate__()
    text = values if part == "values" else rows
    cases = [(place, value) for place in range(0, len(text) - 3, 4) for value in (-1, 100000, 2**31 - 1, 1, 2)]
    if not LONG:
        cases = random.Random(1).sample(cases, min(len(cases), 1500))

    def attempt(case):
        changed = bytearray(text)
        struct.pack_into("<i", changed, *case)
        state = (model, bytes(changed), rows) if part == "values" else (model, values, bytes(changed))
        try:
            data = load_pickle(state)
        except torsor.Error:
            return False
        use(model, data)
        return True

    crashes, accepted = find_crashes(cases, attempt)
    assert not crashes, crashes[:5]
    assert 0 < accepted < len(cases)


def test_every_array_of_rows_with_a_rule_is_checked(scene, touching):
    """The message names the array, so that the rule of each list is seen to be applied."""
    model, values, rows = touching.__getstate__()
    for row in torsor.fields("rows"):
        if not row.values:
            continue
        array = np.array(getattr(touching, row.name))
        place = rows.find(array.tobytes())
        assert place >= 0, row.name
        changed = bytearray(rows)
        struct.pack_into("<i", changed, place, -3)
        with pytest.raises(torsor.Error, match=row.name):
            load_pickle((model, values, bytes(changed)))


@pytest.mark.parametrize("state", [(), (1,), (1, 2, 3), (None, b"", b""), ("a", b"b", b"c"), tuple(range(9))])
def test_a_state_that_is_none_is_refused(state):
    with pytest.raises(torsor.Error, match="pickle of a Data"):
        torsor.Data.__new__(torsor.Data).__setstate__(state)


@pytest.mark.parametrize("state", [None, 1, "text", [], {}])
def test_a_state_of_another_type_is_refused(state):
    for kind in (torsor.Data, torsor.Model):
        with pytest.raises((TypeError, torsor.Error)):
            kind.__new__(kind).__setstate__(state)


@pytest.mark.filterwarnings("ignore:nanobind")
def test_a_model_has_one_state(model, data):
    with pytest.raises(TypeError):
        model.__setstate__(model.__getstate__())
    with pytest.raises(TypeError):
        data.__setstate__(data.__getstate__())
    assert pickle.loads(pickle.dumps(model)).nq == model.nq
    with pytest.raises(torsor.Error, match="not a binary model"):
        torsor.Model.__new__(torsor.Model).__setstate__(b"")


WRITABLE = [row for row in torsor.fields("model") if row.shape and row.values not in ("", "any") and row.access != "structural"]


@pytest.mark.parametrize("row", WRITABLE, ids=lambda row: row.name)
def test_a_value_that_an_array_may_not_have_is_named_by_the_next_call(row):
    own = {"pair": "contact_pair", "skin": "skins"}.get(row.name.partition("_")[0])
    model = torsor.Model.from_xml_path(os.path.join(os.path.dirname(__file__), f"../../models/features/{own}.xml")
                                       ) if own else torsor.Model.from_xml_string(SCENE)
    array = getattr(model, row.name)
    assert array.size > 0, "give the scene one"
    data, batch = torsor.Data(model), torsor.Batch(model, 2)
    start, before = torsor.get_state(model, data, torsor.StateBit.FULLPHYSICS), array.flat[-1]
    array.flat[-1] = 200 if array.dtype == np.uint8 else -3
    for call in (lambda: torsor.step(model, data), lambda: torsor.forward(model, data), lambda: torsor.set_const(model),
                 lambda: batch.step(), lambda: torsor.Batch(model, 2), lambda: torsor.rollout(model, start, nstep=1)):
        with pytest.raises(torsor.Error, match=rf"{row.name}\[{array.size - 1}\] is .*; allowed: "):
            call()
    array.flat[-1] = before
    torsor.step(model, data)


def test_options_that_do_not_exist_are_named(scene):
    data = torsor.Data(scene)
    for name in ("solver", "integrator", "cone", "jacobian"):
        before = getattr(scene.opt, name)
        with pytest.raises((torsor.Error, ValueError), match=name):
            setattr(scene.opt, name, 77)
            torsor.step(scene, data)
        setattr(scene.opt, name, before)
    torsor.step(scene, data)


def test_the_resolution_of_a_camera_is_structure(scene):
    with pytest.raises(ValueError):
        scene.cam_resolution[:] = 100


def test_parameters_of_a_motor_do_not_make_it_longer():
    """Which activations a dcmotor has follows from parameters that are free to edit; their number does not change."""
    model = torsor.Model.from_xml_string("""<mujoco><worldbody><body><joint name="j"/><geom size="1"/></body></worldbody>
        <actuator><dcmotor joint="j" motorconst="1" resistance="1"/></actuator></mujoco>""")
    data = torsor.Data(model)
    model.actuator_dynprm[:] = 1
    model.actuator_gainprm[:] = 1
    assert model.na == 0
    torsor.step(model, data, 3)


EDITS = [("actuator_actadr", 0, 100000), ("actuator_actnum", 0, 100000), ("actuator_ctrladr", 0, 100000),
         ("actuator_gaintype", 0, 5), ("actuator_historyadr", 0, 5), ("actuator_outadr", 0, 100000),
         ("actuator_outnum", 0, 3), ("actuator_trnid", 0, 100000), ("dof_treeid", 0, 1), ("geom_condim", 1, 100),
         ("geom_dataid", 0, 0), ("geom_type", 1, 7), ("moment_colind", 0, 100000), ("moment_rowadr", 0, 100000),
         ("moment_rownnz", 0, 100000), ("tree_dofnum", 0, 100), ("body_simple", 3, 1), ("jnt_limited", 0, 2)]


@pytest.mark.parametrize("edit", EDITS, ids=lambda edit: edit[0])
def test_commands_end_with_our_error_for_a_deceitful_file(tmp_path, scene, edit):
    path, good = tmp_path / "model.torsor", tmp_path / "good.torsor"
    good.write_bytes(scene.to_bytes())
    path.write_bytes(with_number(torsor, scene, *edit))
    for command in (["sim", path, "--duration", "0.02"], ["check", path], ["inspect", path], ["diff", path, good],
                    ["convert", path, tmp_path / "out.xml"]):
        result = subprocess.run([PROGRAM, *map(str, command)], env=environment(), capture_output=True, text=True, timeout=60)
        assert result.returncode > 0, f"{command[0]}: exit code {result.returncode}"
        assert "error" in result.stderr + result.stdout, command[0]
    with pytest.raises(torsor.Error, match="corrupted"):
        torsor.Model.from_binary_path(path)


def test_an_honest_file_is_accepted_by_the_same_helper(scene):
    assert torsor.Model.from_bytes(with_number(torsor, scene, "geom_group", 0, 5)).geom_group[0] == 5
