"""What MuJoCo changed from 3.13 to 4.0 and no feature model shows by itself."""

import mujoco
import numpy as np
import pytest

import torsor

EDITED = """<mujoco><option density='1.2'/><asset><mesh name='m' vertex='0 0 0 1 0 0 0 2 0 0 0 3'/>
<hfield name='h' nrow='2' ncol='3' size='1 2 0.3 0.1'/></asset><worldbody><geom type='plane' size='1 1 .1'/>
<geom type='hfield' hfield='h'/>
<body name='b' pos='0 0 1'><joint name='j' axis='0 1 0' armature='.1' stiffness='3' springref='20'/>
<geom type='box' size='.05 .1 .2' fluidshape='ellipsoid' pos='.1 0 0' euler='10 20 30'/>
<body name='c' pos='1 0 0'><joint name='k' type='slide'/><geom type='mesh' mesh='m'/><geom size='.3'/>
<site name='e' pos='.3 0 .1'/></body></body><site name='o'/></worldbody>
<tendon><spatial name='s' stiffness='1'><site site='o'/><site site='e'/></spatial></tendon>
<equality><weld body1='b' body2='c'/><weld body1='b' body2='c' relpose='1 2 3 1 0 0 0'/>
<connect body1='b' body2='c' anchor='.1 .2 .3'/></equality>
<actuator><position joint='j' kp='10' dampratio='1'/></actuator></mujoco>"""
REFRESHED = ("geom_aabb", "geom_rbound", "geom_fluid", "geom_size", "geom_sameframe", "body_margin", "body_contype",
             "body_conaffinity", "body_subtreemass", "body_invweight0", "dof_invweight0", "dof_M0", "dof_length",
             "tendon_length0", "tendon_invweight0", "tendon_lengthspring", "actuator_acc0", "actuator_biasprm", "eq_data")
EDITS = {"geom_size": 1.5, "geom_pos": 2, "body_mass": 2, "body_pos": 1.5, "geom_margin": None, "geom_gap": None,
         "geom_contype": 2, "geom_rbound": 3, "body_inertia": 1.7, "tendon_lengthspring": None,
         "actuator_biasprm": -1}


def edit(model, name):
    array = getattr(model, name)
    factor = EDITS[name]
    array[:] = (-1 if name == "tendon_lengthspring" else 0.1) if factor is None else array * factor


@pytest.mark.parametrize("name", EDITS)
def test_set_const_refreshes_what_mujocos_does_and_nothing_else(name):
    theirs, ours = mujoco.MjModel.from_xml_string(EDITED), torsor.Model.from_xml_string(EDITED)
    for model in (theirs, ours):
        edit(model, name)
    mujoco.mj_setConst(theirs, mujoco.MjData(theirs))
    torsor.set_const(ours)
    for field in REFRESHED:
        wanted, found = np.array(getattr(theirs, field)), np.array(getattr(ours, field))
        np.testing.assert_allclose(found, wanted, rtol=1e-9, atol=1e-9 * np.abs(wanted).max(initial=1e-9),
                                   err_msg=f"{field} after an edit of {name}")
    assert ours.stat.extent == pytest.approx(theirs.stat.extent)


def test_a_weld_without_a_pose_keeps_an_edited_one_if_it_no_longer_follows_the_reference_pose():
    model = torsor.Model.from_xml_string(EDITED)
    model.eq_data[0, 3:10] = [1, 2, 3, 0, 1, 0, 0]
    model.eq_data[0, 11] = 0
    torsor.set_const(model)
    assert list(model.eq_data[0, 3:10]) == [1, 2, 3, 0, 1, 0, 0]


SPINNING = """<mujoco><option timestep='{}' gravity='0 0 0' integrator='RK4'/><worldbody><body><freejoint/>
<inertial pos='0.1 0.2 0' mass='1' diaginertia='1 2 2.5'/><body pos='1 0 0'><joint type='ball'/>
<geom type='box' size='.1 .2 .3' pos='.1 0 0'/></body></body></worldbody></mujoco>"""


@pytest.mark.parametrize("timestep", (1e-7, 0.01, 0.3, 0.5, 0.9, 1.2))
def test_runge_kutta_turns_as_mujocos_by_any_angle(timestep):
    """Up to more than a whole turn in one step, beyond which the formula for rotation vectors has poles."""
    text, states = SPINNING.format(timestep), []
    for module, step, data in ((mujoco.MjModel, mujoco.mj_step, mujoco.MjData),
                               (torsor.Model, torsor.step, torsor.Data)):
        model = module.from_xml_string(text)
        world = data(model)
        world.qvel[:] = [1, 2, 3, 3, -4, 5, -2, 1, 4]
        step(model, world)
        states.append(np.array(world.qpos))
    quats = [np.sign(q[3]) * q[3:7] for q in states]
    np.testing.assert_allclose(states[1][:3], states[0][:3], rtol=1e-9)
    np.testing.assert_allclose(quats[1], quats[0], atol=1e-9)


BELT = """<mujoco><worldbody><geom type='plane' size='5 5 .1' surfacevel='1 2 0 0 0 3' euler='5 0 30'/>
<body pos='0.2 0.1 0.24'><freejoint/><geom size='.25' condim='{}' surfacevel='0.1 0.2 0.3 1 2 3'/></body>
</worldbody></mujoco>"""


@pytest.mark.parametrize("condim", (1, 3, 4))
def test_contacts_have_the_relative_velocity_of_their_surfaces(condim):
    theirs, ours = mujoco.MjModel.from_xml_string(BELT.format(condim)), torsor.Model.from_xml_string(BELT.format(condim))
    their_data, our_data = mujoco.MjData(theirs), torsor.Data(ours)
    mujoco.mj_forward(theirs, their_data)
    torsor.forward(ours, our_data)
    assert their_data.ncon == our_data.ncon == 1
    np.testing.assert_allclose(our_data.contact.surfacevel, their_data.contact.surfacevel, atol=1e-9)
    assert np.abs(our_data.contact.surfacevel).min() > 1e-3


CONTACT = """<mujoco><worldbody><geom name='floor' type='plane' size='5 5 .1'/><body pos='0 0 .09'><freejoint/>
<geom name='ball' size='.1'/></body><body name='box' pos='0 0 0.2'><freejoint/><geom name='box' type='box' size='.05 .06 .03'/>
</body></worldbody><sensor><contact geom1='ball' num='3' data='{}' reduce='{}'/><contact body1='box' num='2' data='{}'/>
</sensor></mujoco>"""


@pytest.mark.parametrize(("data", "reduce"), (("found", "none"), ("found dist normal linvel angvel", "mindist"),
                                              ("force linvel", "maxforce"), ("angvel", "none")))
def test_contact_sensors_measure_relative_velocities_and_are_read_as_early_as_mujocos(data, reduce):
    text = CONTACT.format(data, reduce, data)
    theirs, ours = mujoco.MjModel.from_xml_string(text), torsor.Model.from_xml_string(text)
    assert list(ours.sensor_needstage) == list(theirs.sensor_needstage)
    their_data, our_data = mujoco.MjData(theirs), torsor.Data(ours)
    for model, world, forward in ((theirs, their_data, mujoco.mj_forward), (ours, our_data, torsor.forward)):
        world.qvel[:] = np.linspace(-1, 2, 12)
        forward(model, world)
    np.testing.assert_allclose(our_data.sensordata, their_data.sensordata, atol=1e-6)
    assert np.abs(our_data.sensordata).max() > 0.1


def test_texts_may_be_cdata_sections():
    text = "<mujoco><custom><text name='t'>{}</text></custom></mujoco>"
    model = torsor.Model.from_xml_string(text.format("<![CDATA[a < b\n& c]]>"))
    assert model.text_data == mujoco.MjModel.from_xml_string(text.format("<![CDATA[a < b\n& c]]>")).text_data
    for wrong in ("plain", "<![CDATA[]]>"):
        for module in (torsor.Model, mujoco.MjModel):
            with pytest.raises((torsor.Error, ValueError)):
                module.from_xml_string(text.format(wrong))


REFUSED = {
    "a headlight of an unknown kind": "<visual><headlight active='3'/></visual>",
    "a fixed tendon names a joint twice": "<tendon><fixed><joint joint='j' coef='1'/><joint joint='j' coef='2'/></fixed></tendon>",
    "negative armature": "<tendon><fixed armature='-1'><joint joint='j' coef='1'/></fixed></tendon>",
    "a height field of one row": "<asset><hfield name='h' nrow='1' ncol='3' size='1 1 1 1'/></asset>",
    "a wide cone": "<asset><mesh name='m' builtin='cone' params='5 1.5'/></asset>",
    "both ranges": "<actuator><position joint='j' ctrlrange='0 1' inheritrange='1'/></actuator>",
    "another input": "<actuator><general joint='j' input='ff'/></actuator>",
    "a mesh of a site that is none": "<asset><mesh name='m' vertex='0 0 0 1 0 0 0 1 0 0 0 1'/></asset>"
                                     "<worldbody><site type='box' mesh='m'/></worldbody>",
    "a joint in a replicate": "<worldbody><body><replicate count='2'><joint/></replicate><geom size='1'/></body></worldbody>",
    "negative motor constants": "<actuator><dcmotor joint='j' motorconst='-1 2' resistance='1'/></actuator>",
    "mass that is discarded": "<compiler discardvisual='true' inertiafromgeom='true'/><worldbody><body><joint/><geom size='1'/>"
                              "<geom size='1' contype='0' conaffinity='0'/></body></worldbody>",
}


@pytest.mark.parametrize("title", REFUSED)
def test_both_engines_refuse(title):
    text = ("<mujoco><worldbody><body><joint name='j' range='-1 1'/><geom size='.1'/></body></worldbody>"
            f"{REFUSED[title]}</mujoco>")
    for module in (torsor.Model, mujoco.MjModel):
        with pytest.raises((torsor.Error, ValueError)):
            module.from_xml_string(text)


def test_actuators_partly_inside_a_replicate_are_copied_with_it():
    """MuJoCo drops them without a word."""
    text = """<mujoco><worldbody><site name='o'/><replicate count='2' offset='1 0 0'><body name='c'><joint type='slide'/>
    <geom size='.1'/><site name='s'/></body></replicate></worldbody>
    <actuator><general name='a' site='s' refsite='o'/></actuator></mujoco>"""
    model = torsor.Model.from_xml_string(text)
    assert [model.actuator(k).name for k in range(model.nactuator)] == ["a0", "a1"]
    assert list(model.actuator_trnid[:, 0]) == [model.site("s0").id, model.site("s1").id]


HALF = """<mujoco><worldbody><replicate count='2' offset='1 0 0'><body name='c'><geom name='g' size='.1'/></body></replicate>
<body name='d'/></worldbody><custom><tuple name='early'><element objtype='tuple' objname='half'/></tuple><tuple name='half'>
<element objtype='geom' objname='g' prm='3'/><element objtype='body' objname='d'/></tuple></custom></mujoco>"""


def test_tuples_partly_inside_a_replicate_are_copied_with_it():
    """MuJoCo refuses the model, and drops a tuple of a tuple that is defined later."""
    with pytest.raises(ValueError, match="unrecognized object"):
        mujoco.MjModel.from_xml_string(HALF)
    model = torsor.Model.from_xml_string(HALF)
    assert [model.tuple(i).name for i in range(model.ntuple)] == ["early0", "half0", "early1", "half1"]
    assert list(model.tuple_objid[1:3]) == [0, model.body("d").id]


BUILTIN = ("grid", "box", "cylinder", "ellipsoid", "square", "disc")
WRONG = ("1 2 3 .1 .1 .1", "2 2 2 .1 .1", "2 2 2 .1 .1 .1 1", "2 2 2 .1 .1 .1 4", "2 2 2 .1 .1 .1 3 4", "0 2 1 .1 .1 .1")


@pytest.mark.parametrize("kind", BUILTIN)
@pytest.mark.parametrize("params", WRONG)
def test_wrong_parameters_of_builtin_meshes_are_refused_by_both(kind, params):
    text = f"<mujoco><asset><mesh name='m' builtin='{kind}' params='{params}'/></asset></mujoco>"
    for module in (torsor.Model, mujoco.MjModel):
        with pytest.raises((torsor.Error, ValueError)):
            module.from_xml_string(text)


TWO_TREES = """<mujoco><option><flag sleep='enable'/></option><worldbody><site name='w'/><body pos='0 0 1'><freejoint/>
<geom size='.1'/><site name='a'/></body><body pos='1 0 1'><joint name='j'/><geom size='.1'/><site name='b'/></body><body pos='3 0 1'>
<joint name='k'/><geom size='.1'/></body></worldbody><tendon><fixed><joint joint='k' coef='1'/><joint joint='j' coef='1'/></fixed>
<spatial><site site='a'/><site site='b'/></spatial><spatial stiffness='1'><site site='a'/><site site='w'/></spatial></tendon></mujoco>"""


@pytest.mark.parametrize("field", ("tendon_stiffness", "tendon_damping", "tendon_stiffnesspoly", "tendon_frictionloss"))
@pytest.mark.parametrize("tendon", range(3))
def test_set_const_decides_anew_which_trees_may_sleep(field, tendon):
    policies = []
    for module, refresh in ((mujoco.MjModel, lambda m: mujoco.mj_setConst(m, mujoco.MjData(m))),
                            (torsor.Model, torsor.set_const)):
        model = module.from_xml_string(TWO_TREES)
        original = list(model.tree_sleep_policy)
        for value in (1, 0):
            getattr(model, field)[tendon] = value
            refresh(model)
            policies.append(list(model.tree_sleep_policy))
        if tendon < 2:
            assert policies[-1] == original
    assert policies[:2] == policies[2:]


@pytest.mark.parametrize(("inertia", "is_taken"), (("1 1 0 0 0 0", True), (".5 .5 0 .5 0 0", True), ("1 1 -1e-9 0 0 0", False),
                                                   ("1 1 1 2 0 0", False)))
def test_bounds_of_inertia_raise_moments_that_vanish_but_not_negative_ones(inertia, is_taken):
    text = ("<mujoco><compiler boundinertia='.01' balanceinertia='true'/><worldbody><body><joint/>"
            f"<inertial pos='0 0 0' mass='1' fullinertia='{inertia}'/></body></worldbody></mujoco>")
    if is_taken:
        theirs, ours = mujoco.MjModel.from_xml_string(text), torsor.Model.from_xml_string(text)
        np.testing.assert_allclose(ours.body_inertia, theirs.body_inertia, rtol=1e-9)
        return
    for module in (torsor.Model, mujoco.MjModel):
        with pytest.raises((torsor.Error, ValueError)):
            module.from_xml_string(text)
