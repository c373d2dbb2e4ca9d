"""What MjData tells about solver and islands, fields that programs hold weakly, and derivatives with actuators, beside MuJoCo's."""

import copy
import pickle
import weakref

import mujoco as reference
import numpy
import pytest

import torsor
import torsor.mujoco as mujoco

BOXES = """
<mujoco>
  <option {option}/>
  <worldbody>
    <geom type="plane" size="9 9 1" friction="0.7 0.1 0.1"/>
    <body name="a" pos="3 0 0.0999"><freejoint/><geom type="box" size="0.1 0.1 0.1" friction="0.7 0.1 0.1"/></body>
    <body name="b" pos="1 0 0.0999"><freejoint/><geom type="box" size="0.1 0.1 0.1"/></body>
    <body name="c" pos="0 0 0.0999"><freejoint/><geom type="box" size="0.1 0.1 0.1"/></body>
    <body name="free" pos="5 0 2"><freejoint/><geom size="0.1"/></body>
    <body name="top" pos="0 0 0.2997"><joint type="slide" axis="0 0 1" frictionloss="1"/><joint axis="1 0 0" frictionloss="2"/>
      <geom type="box" size="0.1 0.1 0.1"/></body>
  </worldbody>
  <equality><weld body1="a" body2="b" active="{tied}"/></equality>
</mujoco>"""
EXACT = ("nisland nidof tree_island dof_island efc_island island_ntree island_nv island_nefc island_ne island_nf island_dofadr island_idofadr "
         "island_iefcadr island_itreeadr map_itree2tree map_dof2idof map_idof2dof map_efc2iefc map_iefc2efc iefc_id iefc_type iefc_state").split()
SCALARS = ("nisland", "nidof")
CLOSE = "iacc iacc_smooth ifrc_smooth ifrc_constraint iefc_force iefc_D iefc_R iefc_aref iefc_frictionloss".split()


def both(xml, functions=("mj_forward",)):
    """(Torsor's, MuJoCo's) model and data after forward dynamics, or after other functions."""
    found = []
    for module in (mujoco, reference):
        model = module.MjModel.from_xml_string(xml)
        data = module.MjData(model)
        for name in functions:
            getattr(module, name)(model, data)
        found.append((model, data))
    return found


@pytest.mark.parametrize("tied", ["true", "false"])
@pytest.mark.parametrize("option", ['impratio="3"', 'impratio="3" cone="elliptic"'])
def test_islands_are_mujocos(option, tied):
    (_, ours), (_, theirs) = both(BOXES.format(option=option, tied=tied))
    assert theirs.nisland == (2 if tied == "true" else 3)
    for name in EXACT:
        numpy.testing.assert_array_equal(getattr(ours, name), getattr(theirs, name), err_msg=name)
    for name in CLOSE:
        numpy.testing.assert_allclose(getattr(ours, name), getattr(theirs, name), rtol=1e-8, atol=1e-7, err_msg=name)
    numpy.testing.assert_allclose(ours.contact.mu, theirs.contact.mu, rtol=1e-12)
    assert theirs.contact.mu[0] > 0.1


def test_nothing_is_in_an_island_in_the_air():
    (model, ours), (_, theirs) = both('<mujoco><worldbody><body><freejoint/><geom size="1"/></body></worldbody></mujoco>')
    for name in EXACT:
        assert numpy.shape(getattr(ours, name)) == numpy.shape(getattr(theirs, name)), name
    assert ours.tree_island.tolist() == [-1] and model.ntree == 1


def test_without_islands_there_are_none():
    (_, ours), (_, theirs) = both(BOXES.format(option="", tied="true").replace("<worldbody>", "<option><flag island='disable'/></option><worldbody>", 1))
    for name in EXACT + CLOSE:
        assert name in SCALARS or getattr(ours, name).dtype == getattr(theirs, name).dtype, name
        numpy.testing.assert_array_equal(getattr(ours, name), getattr(theirs, name), err_msg=name)
    assert ours.iefc_D.shape == (ours.nefc,)
    assert ours.nisland == 0 < ours.nefc and ours.solver[0].improvement > 0 < theirs.solver[0].improvement


@pytest.mark.parametrize("tied", ["true", "false"])
@pytest.mark.parametrize("stages", ["mj_step1", "mj_fwdPosition", "mj_fwdPosition mj_island", "mj_forward mj_step1"])
def test_islands_are_found_before_the_rows_are_solved(stages, tied):
    (_, ours), (_, theirs) = both(BOXES.format(option="", tied=tied), stages.split())
    for name in EXACT[:-1]:  # the states of rows come with their forces
        numpy.testing.assert_array_equal(getattr(ours, name), getattr(theirs, name), err_msg=name)
    assert theirs.nisland == (2 if tied == "true" else 3)


@pytest.mark.parametrize("name", EXACT[:-1])
def test_islands_are_found_whichever_array_is_read_first(name):
    xml = BOXES.format(option="", tied="true")
    both(xml)  # leaves memory in which there are islands of other rows
    (_, ours), (_, theirs) = both(xml, ["mj_step1"])
    numpy.testing.assert_array_equal(getattr(ours, name), getattr(theirs, name))


def test_callbacks_see_the_islands_of_their_step():
    seen = []
    for module in (mujoco, reference):
        model = module.MjModel.from_xml_string(BOXES.format(option="", tied="true"))
        module.set_mjcb_control(lambda _, data: seen.append((data.nisland, data.tree_island.tolist())))
        try:
            module.mj_forward(model, module.MjData(model))
        finally:
            module.set_mjcb_control(None)
    assert seen[0] == seen[1] and seen[1][0] == 2


def test_before_the_rows_are_solved_there_are_no_statistics_of_the_solver():
    for stage in ("mj_step1", "mj_fwdPosition"):
        (_, ours), (_, theirs) = both(BOXES.format(option="", tied="false"), [stage])
        assert len(ours.solver) == len(theirs.solver) and ours.nefc > 0
        assert not ours.solver.improvement.any() and ours.solver[0].improvement == theirs.solver[0].improvement == 0


def test_data_can_be_pickled_before_the_rows_are_solved():
    (model, _), _ = both(BOXES.format(option="", tied="false"))
    data = mujoco.MjData(model)
    mujoco.mj_step1(model, data)  # in memory of the data before
    mine = torsor.Data.efc_island.__get__(data)
    assert mine.shape == (data.nefc,) and (mine == -1).all() and (data.efc_state == 0).all()
    assert (pickle.loads(pickle.dumps(data)).efc_island == data.efc_island).all()


def test_a_change_of_the_flag_leaves_no_statistics_of_other_islands():
    (model, data), _ = both(BOXES.format(option="", tied="true").replace("<worldbody>", "<option><flag island='disable'/></option><worldbody>", 1))
    assert data.solver[0].improvement > 0
    model.opt.disableflags &= ~mujoco.mjtDisableBit.mjDSBL_ISLAND
    mujoco.mj_island(model, data)
    assert data.nisland == 2 and not data.solver.improvement.any()
    assert pickle.loads(pickle.dumps(data)).nisland == 2


def test_a_tendon_that_the_discrete_integrator_solves_for_ties_islands():
    xml = """
<mujoco>
  <option integrator="discrete"/>
  <worldbody>
    <geom type="plane" size="9 9 1"/>
    <body pos="3 0 0.0999"><joint name="a" type="slide" axis="0 0 1"/><geom type="box" size="0.1 0.1 0.1"/></body>
    <body pos="2 0 2"><joint name="b" type="slide" axis="0 0 1"/><geom type="box" size="0.1 0.1 0.1"/></body>
    <body pos="1 0 0.0999"><freejoint/><geom type="box" size="0.1 0.1 0.1"/></body>
  </worldbody>
  <tendon><fixed stiffness="10" damping="3" springlength="0"><joint joint="a" coef="1"/><joint joint="b" coef="1"/></fixed></tendon>
</mujoco>"""
    for stage in ("mj_step1", "mj_forward"):
        (_, ours), (_, theirs) = both(xml, [stage])
        assert theirs.tree_island.tolist() == [0, 0, 1]
        for name in EXACT[:-1]:
            numpy.testing.assert_array_equal(getattr(ours, name), getattr(theirs, name), err_msg=name)


def test_statistics_of_the_solver_are_where_mujoco_has_them():
    text = BOXES.format(option='solver="PGS" iterations="5" tolerance="0"', tied="false")
    # MuJoCo chooses where to start for all islands together; points of boxes on boxes may come in another order
    (_, ours), (_, theirs) = both(text.replace("<worldbody>", "<option><flag warmstart='disable'/></option><worldbody>", 1))
    assert len(ours.solver) == len(theirs.solver) == 4000 and len(ours.solver[195:205]) == 10
    numpy.testing.assert_allclose(ours.solver.improvement[:400], theirs.solver.improvement[:400], rtol=1e-6, atol=1e-9)
    assert ours.solver.improvement[[0, 200, 400]].all() and ours.solver.nactive.dtype == theirs.solver.nactive.dtype
    assert ours.solver[200].improvement == ours.solver.improvement[200] > 0 == ours.solver[100].nactive
    assert sum(each.improvement for each in ours.solver) == pytest.approx(ours.solver.improvement.sum())
    with pytest.raises(IndexError):
        ours.solver[4000]
    same = copy.copy(ours)
    assert same.solver == ours.solver
    mujoco.mj_resetData(ours.model, ours)
    assert same.solver != ours.solver


def test_arrays_of_the_model_are_the_same_object_every_time():
    """dm_control holds them weakly."""
    (model, data), _ = both(BOXES.format(option="", tied="true"))
    for owner in (model, data):
        for name in [*mujoco._missing_fields[type(owner).__name__], "tex_pathadr", "qfrc_adhesion"]:
            if isinstance(getattr(owner, name, None), numpy.ndarray):
                assert getattr(owner, name) is weakref.ref(getattr(owner, name))(), name
    assert model.eq_data is weakref.ref(model.eq_data)()
    other = copy.copy(model)
    other.eq_data[0, 0] = 5
    assert model.eq_data[0, 0] != 5 and other.eq_data[0, 0] == 5


def test_specs_answer_like_mujocos_where_something_is_there_already_or_is_not():
    for module in (mujoco, reference):
        spec = module.MjSpec.from_string("<mujoco><default><default class='red'/></default></mujoco>")
        assert spec.add_default("red", spec.default) is None
        with pytest.raises(FileNotFoundError):
            module.MjSpec.from_zip("/no/such/archive.zip")


@pytest.mark.parametrize("assets", [3, {"a": 3}, {"a": "text"}, {1: b""}])
def test_assets_of_other_types_are_a_type_error(assets):
    for module in (mujoco, reference):
        with pytest.raises(TypeError):
            module.MjModel.from_xml_string("<mujoco/>", assets=assets)


@pytest.mark.parametrize("evaluated_before", [True, False])
@pytest.mark.parametrize("with_actuation", [False, True])
def test_derivatives_of_inverse_dynamics_leave_out_what_actuators_do(with_actuation, evaluated_before):
    xml = """<mujoco><worldbody><body pos="0 0 1"><joint name="a" axis="0 1 0" damping="0.1"/><geom type="capsule" size="0.05" fromto="0 0 0 0.5 0 0"/>
      <body pos="0.5 0 0"><joint name="b" axis="0 1 0"/><geom type="capsule" size="0.05" fromto="0 0 0 0.5 0 0"/><site name="tip"/></body></body></worldbody>
      <actuator><position name="p" joint="a" kp="7" kv="2"/><motor joint="b" gear="3"/></actuator>
      <sensor><actuatorfrc actuator="p"/><jointactuatorfrc joint="a"/><accelerometer site="tip"/><jointvel joint="b"/></sensor></mujoco>"""
    found = []
    for module in (mujoco, reference):
        model = module.MjModel.from_xml_string(xml)
        data = module.MjData(model)
        data.qpos[:], data.qvel[:], data.ctrl[:] = [0.3, 0.5], [1, -2], [0.2, 0.7]
        if evaluated_before:
            module.mj_forward(model, data)
        by = [numpy.zeros((2, 2)) for _ in range(3)] + [numpy.zeros((2, model.nsensordata)) for _ in range(3)]
        module.mjd_inverseFD(model, data, 1e-6, with_actuation, *by, None)
        found.append(by)
    for ours, theirs in zip(*found, strict=True):
        numpy.testing.assert_allclose(ours, theirs, atol=2e-5)
    forces, readings_by_qpos, readings_by_qvel = found[1][0], found[1][3], found[1][4]
    if evaluated_before:
        assert abs(forces[0, 0] - (24.50688 if with_actuation else 17.50688)) < 1e-3  # kp more
    numpy.testing.assert_allclose(readings_by_qpos[:, 0], [-7 if with_actuation else 0, 0], atol=1e-6)
    numpy.testing.assert_allclose(readings_by_qvel[:, 0], [-2 if with_actuation else 0, 0], atol=1e-6)
