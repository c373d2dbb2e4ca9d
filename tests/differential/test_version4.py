"""What MuJoCo changed from 3.13 to 4.0 and no feature model shows by itself."""

import mujoco
import numpy as np
import pytest

import torsor
import torsor.mujoco

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


OPEN = {"solref": [np.nan] * 2, "solimp": [np.nan] * 5, "friction": [np.nan] * 5, "margin": np.nan, "gap": np.nan}
PAIR = ("solref", "solimp", "friction", "margin", "gap", "dim", "solreffriction", "adhesion")


def pair_of(module, geoms, names):
    spec = module.MjSpec()
    for name, values in zip("ab", geoms, strict=True):
        body = spec.worldbody.add_body()
        body.add_joint()
        body.add_geom(name=name, size=[1, 0, 0], **values)
    pair = spec.add_pair(geomname1="b", geomname2="a")
    for name in names:
        setattr(pair, name, OPEN[name])
    model = spec.compile()
    return {name: np.array(getattr(model, f"pair_{name}")) for name in PAIR}


def test_pairs_take_what_they_leave_open_from_their_geoms(seed):
    random = np.random.default_rng([seed, 50])
    for _ in range(60):
        geoms = [{"solref": random.choice([[0.01, 1], [0.03, 0.5], [-100, -2]]), "solimp": [0.5, 0.9, *random.uniform(0.01, 0.5, 2), 2],
                  "friction": random.uniform(0.1, 2, 3), "margin": random.uniform(0, 1), "gap": random.uniform(0, 1),
                  "solmix": random.choice([0, 1, 3]), "priority": int(random.integers(0, 2))} for _ in range(2)]
        names = [name for name in OPEN if random.random() < 0.6]
        theirs, ours = (pair_of(module, geoms, names) for module in (mujoco, torsor.mujoco))
        for name, wanted in theirs.items():
            np.testing.assert_allclose(ours[name], wanted, rtol=1e-12, err_msg=f"{name} of {geoms}, open: {names}")


def test_rotations_nearest_to_matrices_are_found_from_anywhere(seed):
    random = np.random.default_rng([seed, 51])
    starts = [np.eye(4)[i] * length for i in range(4) for length in (1, 3)] + [random.normal(size=4)]
    for matrix in [random.normal(size=(3, 3)) for _ in range(5)] + [np.eye(3), np.diag([1.0, -1, -1]), np.diag([2.0, 3, 1])]:
        left, _, right = np.linalg.svd(matrix)
        nearest = left @ np.diag([1, 1, np.linalg.det(left @ right)]) @ right
        for start in starts:
            agreements = []
            for module in (mujoco, torsor.mujoco):
                quat, axes = np.array(start, float), np.zeros(9)
                module.mju_mat2Rot(quat, matrix.flatten())
                module.mju_quat2Mat(axes, quat)
                agreements.append(np.sum(axes.reshape(3, 3) * matrix))
            assert agreements[1] == pytest.approx(np.sum(nearest * matrix), abs=1e-9)
            assert agreements[1] >= agreements[0] - 1e-9


def test_points_inside_sites_of_meshes():
    text = """<mujoco><asset><mesh name="m" vertex="0 0 0 1 0 0 0 1.3 0 0 0 1.7"/></asset><worldbody>
      <site type="mesh" mesh="m" pos=".1 .2 .3" euler="20 30 40"/><site type="ellipsoid" size=".7 .5 .4"/></worldbody></mujoco>"""
    points = np.random.default_rng(4).uniform(-0.5, 1, (300, 3))
    counts = []
    for module in (mujoco, torsor.mujoco):
        model = module.MjModel.from_xml_string(text)
        data = module.MjData(model)
        module.mj_forward(model, data)
        counts.append([[module.mj_insideSite(model, data, site, point) for point in points] for site in (0, 1)])
    assert counts[0] == counts[1] and 10 < sum(counts[0][0]) < 200


def test_names_of_inputs():
    actuators = """<orientation joint="ball"/><orientation joint="ball" input="quat"/><motor joint="j"/><position joint="j"/>
      <velocity joint="j"/><cylinder joint="j"/><pid joint="j"/><pid joint="j" input="vel"/><pid joint="j" input="pos vel ff"/>
      <dcmotor joint="j" motorconst=".1" resistance="1"/><dcmotor joint="j" motorconst=".1" resistance="1" input="none"/>
      <dcmotor joint="j" motorconst=".1" resistance="1" input="pos vel ff voltage"/><general joint="j" input="pressure"/>"""
    text = f"""<mujoco><worldbody><body><joint name="j"/><geom size="1"/></body><body><joint name="ball" type="ball"/><geom size="1"/>
      </body></worldbody><actuator>{actuators}</actuator></mujoco>"""
    names = []
    for module in (mujoco, torsor.mujoco):
        model = module.MjModel.from_xml_string(text)
        names.append([module.mj_actuatorInputName(model, i, k) for i in range(13) for k in range(5)])
    assert names[0] == names[1]


def test_normals_of_the_model_complete_msh_files_without_any():
    vertices, faces = [0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1], [0, 2, 1, 0, 1, 3, 0, 3, 2, 1, 2, 3]

    def msh(normals):
        return (np.array([4, len(normals) // 3, 0, 4], "<i4").tobytes() + np.array(vertices, "<f4").tobytes()
                + np.array(normals, "<f4").tobytes() + np.array(faces, "<i4").tobytes())

    text = """<mujoco><asset><mesh name="m" file="{}" normal="0 0 1 0 1 0 1 0 0 0 0 1" scale="{}"/></asset><worldbody>
      <body><freejoint/><geom type="mesh" mesh="m"/></body></worldbody></mujoco>"""
    for scale in ("1 1 1", "-1 2 3", "-1 -1 1"):
        ours, theirs = (module.MjModel.from_xml_string(text.format("plain.msh", scale), {"plain.msh": msh([])})
                        for module in (torsor.mujoco, mujoco))
        for name in ("mesh_face", "mesh_facenormal", "mesh_normalnum"):
            assert np.array_equal(getattr(ours, name), getattr(theirs, name)), name
        np.testing.assert_allclose(ours.body_mass, theirs.body_mass, rtol=1e-6)
    for module in (torsor.mujoco, mujoco):
        with pytest.raises(ValueError):
            module.MjModel.from_xml_string(text.format("full.msh", "1 1 1"), {"full.msh": msh(vertices)})


@pytest.mark.parametrize("size", [1e-9, 1e-6, 1e-3, 1.0, 1e3, 1e6])
def test_moments_are_equal_relative_to_the_largest(size):
    """Small bodies as well as large ones: whether moments are sorted says which axes a body has."""
    turned = set()
    for part in (1e-16, 1e-13, 5e-13, 9e-13, 1.1e-12, 2e-12, 1e-10, 1e-6, 1e-2):
        text = (f"<mujoco><worldbody><body><joint/><inertial pos='0 0 0' mass='{size!r}' fullinertia='{size!r} {size * (1 + part)!r} "
                f"{size * (1 + part)!r} 0 0 0'/></body></worldbody></mujoco>")
        ours, theirs = torsor.Model.from_xml_string(text), mujoco.MjModel.from_xml_string(text)
        np.testing.assert_allclose(ours.body_iquat, theirs.body_iquat, atol=1e-12, err_msg=str(part))
        turned.add(bool(abs(theirs.body_iquat[1, 0]) < 0.9))
    assert turned == {False, True}


def test_moments_of_meshes_are_equal_to_single_precision():
    turned = set()
    for steps in range(6):
        width = np.float32(1)
        for _ in range(steps):
            width = np.nextafter(width, np.float32(0))
        corners = " ".join(f"{x} {y * width:.9g} {z * width:.9g}" for x in (-1, 1) for y in (-1, 1) for z in (-1, 1))
        for scale in ("1 1 1", ".01 .01 .01", "100 100 100"):
            text = (f"<mujoco><asset><mesh name='m' vertex='{corners}' scale='{scale}'/></asset><worldbody><body><joint/>"
                    "<geom type='mesh' mesh='m'/></body></worldbody></mujoco>")
            ours, theirs = torsor.Model.from_xml_string(text), mujoco.MjModel.from_xml_string(text)
            np.testing.assert_allclose(ours.mesh_quat, theirs.mesh_quat, atol=1e-6, err_msg=f"{steps} {scale}")
            turned.add(bool(abs(theirs.mesh_quat[0, 0]) < 0.9))
    assert turned == {False, True}


SCALED = "<frame scale='2' scaling='{}'>{}</frame>"
IN_SCALED_FRAMES = {
    "noise of a normal": ("<body><joint type='slide'/><geom name='g' size='.1'/><body pos='1 0 0'><joint/><geom name='h' size='.1'/></body></body>",
                          "<sensor><normal geom1='g' geom2='h' noise='.5'/><distance geom1='g' geom2='h' noise='.5'/></sensor>"),
    "an equality of one joint beside joints without names": (
        "<body><joint type='slide'/><geom size='.1'/><body><joint name='j' axis='0 1 0'/><geom size='.1'/></body></body>",
        "<equality><joint joint1='j' polycoef='.1 2 3 4 5'/></equality>"),
}


@pytest.mark.parametrize("policy", ["similar", "geometry"])
@pytest.mark.parametrize("title", IN_SCALED_FRAMES)
def test_what_refers_to_scaled_frames(title, policy):
    inside, rest = IN_SCALED_FRAMES[title]
    text = f"<mujoco><worldbody>{SCALED.format(policy, inside)}</worldbody>{rest}</mujoco>"
    ours, theirs = torsor.Model.from_xml_string(text), mujoco.MjModel.from_xml_string(text)
    for name in ("sensor_noise", "sensor_cutoff", "eq_data"):
        np.testing.assert_allclose(getattr(ours, name), getattr(theirs, name), rtol=1e-12, err_msg=name)


@pytest.mark.parametrize("scale", ["1 2 3", "2 2 3", "3 2 2", "2 2 2"])
@pytest.mark.parametrize("kind", ["box", "ellipsoid", "capsule", "cylinder"])
@pytest.mark.parametrize("ends", ["0 0 0 1 0 0", "0 0 0 0 0 1"])
def test_shapes_along_lines_in_stretched_frames(kind, scale, ends):
    for tag in ("geom", "site"):
        text = (f"<mujoco><worldbody><frame scaling='geometry' scale='{scale}'><{tag} type='{kind}' size='.1' fromto='{ends}'/></frame>"
                "</worldbody></mujoco>")
        try:
            theirs = mujoco.MjModel.from_xml_string(text)
        except ValueError:
            with pytest.raises(torsor.Error):
                torsor.Model.from_xml_string(text)
        else:
            ours = torsor.Model.from_xml_string(text)
            np.testing.assert_allclose(getattr(ours, f"{tag}_size"), getattr(theirs, f"{tag}_size"), rtol=1e-12)


@pytest.mark.parametrize("setting", ["fusestatic", "discardvisual"])
def test_user_numbers_of_what_is_gone_do_not_count(setting):
    text = (f"<mujoco><compiler {setting}='true'/><worldbody><body><joint/><geom size='.1'/><body user='1 2 3'><geom size='.1' contype='0' "
            "conaffinity='0' user='1 2'/></body></body></worldbody></mujoco>")
    ours, theirs = torsor.Model.from_xml_string(text), mujoco.MjModel.from_xml_string(text)
    assert (ours.nuser_body, ours.nuser_geom) == (theirs.nuser_body, theirs.nuser_geom) != (3, 2)


@pytest.mark.parametrize("timestep", [0.001, 0.002, 0.005, 0.01])
def test_histories_of_readings_start_as_mujocos_do(timestep):
    """Also where the period is shorter than a step."""
    for period in (0, 0.0005, 0.001, 0.0015, 0.002, 0.0023, 0.003, 0.005, 0.0075, 0.01, 0.012, 0.0149):
        for phase in [0, *(phase for phase in (-0.0003, -0.001, -0.002) if -phase < period)]:
            text = (f"<mujoco><option timestep='{timestep}'/><worldbody><body><joint name='j'/><geom size='.1' pos='.3 0 0'/></body></worldbody>"
                    f"<sensor><jointpos joint='j' nsample='4' delay='{0.4 * timestep}' interval='{period} {phase}'/></sensor></mujoco>")
            models = mujoco.MjModel.from_xml_string(text), torsor.Model.from_xml_string(text)
            theirs, ours = mujoco.MjData(models[0]), torsor.Data(models[1])
            np.testing.assert_allclose(ours.history, theirs.history, atol=1e-12)
            theirs.qpos[0] = ours.qpos[0] = 0.5
            for _ in range(6):
                mujoco.mj_step(models[0], theirs)
                torsor.step(models[1], ours)
                np.testing.assert_allclose(ours.sensordata, theirs.sensordata, atol=1e-12, err_msg=f"{period} {phase}")
