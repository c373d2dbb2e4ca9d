"""Models that are written as MJCF, and models that are written after edits."""

import numpy as np
import pytest

import compare
import failing
import scenes
import sections
import smooth

# Where the files of assets are, which depends on where the model is.
PLACES = ("paths", "npaths", "mesh_pathadr", "hfield_pathadr")


def bytes_of(subject, model):
    """Every array to the bit, except where assets are found."""
    fields = [field.name for field in subject.module.fields("model")]
    return {name: np.asarray(getattr(model, name)).tobytes() for name in fields if name not in PLACES}


def unequal(subject, first, second):
    first, second = bytes_of(subject, first), bytes_of(subject, second)
    return [name for name in first if first[name] != second[name]]


def judged(judge, original, written):
    """Differences that MuJoCo sees between two ways of loading one model."""
    ways = iter((original, written))
    return smooth.Pair(judge, judge, lambda engine: next(ways)(engine)).model_differences()


def check_file(judge, subject, path, folder, ignore=()):
    saved = folder / "saved.xml"
    spec = subject.read_file(path, ignore)
    spec.save(saved)
    assert not unequal(subject, subject.load_file(path, ignore), subject.load_file(saved))
    found = judged(judge, lambda engine: engine.load_file(path, ignore), lambda engine: engine.load_file(saved))
    assert not found, compare.report(found, path.name)


def test_feature_model_is_written_so_that_both_engines_read_the_same(judge, subject, feature, tmp_path):
    check_file(judge, subject, feature, tmp_path)


def test_feature_model_in_memory_is_written_to_the_bit(subject, feature):
    folder = feature.parent
    assets = {str(path.relative_to(folder)): path.read_bytes() for path in folder.glob("*/*")}
    spec = subject.read_string(feature.read_text(), assets)
    again, model = subject.load_string(spec.to_xml(), assets), spec.compile()
    assert not unequal(subject, again, model)
    if not model.warnings:  # they have the places of what they are about
        assert again.to_bytes() == model.to_bytes()


def test_what_is_written_is_written_again_as_it_is(subject, feature, tmp_path):
    subject.read_file(feature).save(tmp_path / "first.xml")
    subject.read_file(tmp_path / "first.xml").save(tmp_path / "second.xml")
    assert (tmp_path / "first.xml").read_text() == (tmp_path / "second.xml").read_text()


def test_collected_model_is_written_so_that_both_engines_read_the_same(judge, subject, collected, tmp_path):
    check_file(judge, subject, collected, tmp_path, sections.LATER_SECTIONS)


@pytest.mark.parametrize("start", scenes.batches(scenes.RANDOM_MODELS))
def test_random_models_are_written_so_that_both_engines_read_the_same(judge, subject, seed, start):
    def differences(text):
        written = subject.read_string(text).to_xml()
        found = unequal(subject, subject.load_string(text), subject.load_string(written))
        return found or judged(
            judge, lambda engine: engine.load_string(text), lambda engine: engine.load_string(written))

    failing.check_random(range(seed + start, seed + start + scenes.BATCH), scenes.random_text, differences)


# Arrays that users edit, and by what factor or sum they are changed here.
EDITED = {
    "body_mass": 1.5, "body_inertia": 1.5, "body_gravcomp": 0.5, "jnt_stiffness": 2.5, "jnt_margin": 2.0,
    "geom_friction": 0.7, "geom_solref": 1.5, "geom_margin": 0.5, "geom_rgba": 0.5, "site_rgba": 0.5,
    "light_diffuse": 0.5, "mat_rgba": 0.5, "key_qvel": 1.5, "numeric_data": 1.25,
    "tendon_range": 1.5, "tendon_actfrcrange": 1.5, "tendon_margin": 2.0, "tendon_stiffness": 1.5,
    "tendon_stiffnesspoly": 1.25, "tendon_damping": 1.5, "tendon_dampingpoly": 1.25, "tendon_armature": 1.5,
    "tendon_frictionloss": 1.5, "tendon_solref_lim": 1.5, "tendon_solimp_fri": 0.75, "tendon_width": 2.0,
    "tendon_rgba": 0.5, "tendon_user": 2.0,
    "actuator_gainprm": 1.25, "actuator_biasprm": 1.25, "actuator_dynprm": 1.25, "actuator_gear": 2.0,
    "actuator_ctrlrange": 1.5, "actuator_forcerange": 1.5, "actuator_actrange": 1.5, "actuator_damping": 1.5,
    "actuator_dampingpoly": 1.5, "actuator_armature": 1.5, "actuator_delay": 0.5, "actuator_cranklength": 1.5,
    "actuator_lengthrange": 1.5, "actuator_user": 2.0,
    "sensor_cutoff": 1.5, "sensor_noise": 2.0, "sensor_delay": 0.5, "sensor_interval": 2.0, "sensor_user": 2.0,
}
SHIFTED = {"body_pos": 0.25, "site_pos": 0.125, "cam_pos": 0.5, "light_pos": 0.5, "body_ipos": 0.0625,
           "tendon_lengthspring": 0.125}
FREE = 0  # in jnt_type
JOINT = 1  # in wrap_type
SLIDER_CRANK = 2  # in actuator_trntype


def edit(model):
    for name, factor in EDITED.items():
        array = getattr(model, name)
        array[...] = array * factor
    fixed = np.asarray(model.wrap_type)[np.asarray(model.tendon_adr)] == JOINT
    model.tendon_width[fixed] /= EDITED["tendon_width"]  # fixed tendons are not drawn, and a file has no such numbers
    model.tendon_rgba[fixed] /= EDITED["tendon_rgba"]
    cranks = np.asarray(model.actuator_trntype) == SLIDER_CRANK
    model.actuator_cranklength[~cranks] /= EDITED["actuator_cranklength"]
    for name, shift in SHIFTED.items():
        array = getattr(model, name)
        array[1 if name.startswith("body") else 0:] += shift
    free = np.asarray(model.jnt_type) == FREE
    for body, address in zip(np.asarray(model.jnt_bodyid)[free], np.asarray(model.jnt_qposadr)[free]):
        model.qpos0[address:address + 3] = model.qpos_spring[address:address + 3] = model.body_pos[body]
    model.opt.timestep = 0.00375


def check_edited(judge, subject, spec, model, names, folder):
    """Takes the edits back, writes them, and sees that both engines load them."""
    spec.update(model)
    spec.save(folder / "edited.xml")
    again, judged_again = subject.load_file(folder / "edited.xml"), judge.load_file(folder / "edited.xml")
    for name in names:
        expected = np.asarray(getattr(model, name))
        np.testing.assert_allclose(getattr(again, name), expected, rtol=1e-12, atol=1e-12, err_msg=name)
        of_judge = np.asarray(getattr(judged_again, name)).reshape(expected.shape)
        np.testing.assert_allclose(of_judge, expected, rtol=1e-9, atol=1e-9, err_msg=f"{name} as loaded by MuJoCo")
    assert again.opt.timestep == 0.00375


# Equalities between bodies whose numbers follow from the poses that are edited, so that the two disagree.
FOLLOWING_POSES = {"equality_connect", "equality_defaults", "equality_weld"}


def test_edited_model_is_written_and_loaded_again(judge, subject, feature, tmp_path):
    spec = subject.read_file(feature)
    model = spec.compile()
    edit(model)
    if feature.stem in FOLLOWING_POSES:
        with pytest.raises(subject.Error, match="eq_data"):
            spec.update(model)
        return
    check_edited(judge, subject, spec, model, (*EDITED, *SHIFTED), tmp_path)


def test_edits_that_no_file_can_hold_are_refused_by_name(subject):
    spec = subject.read_string(
        "<mujoco><worldbody><body><joint type='ball'/><geom size='1'/></body></worldbody></mujoco>")
    model = spec.compile()
    model.dof_damping[1] = 3
    before = spec.to_xml()
    with pytest.raises(subject.Error, match="dof_damping"):
        spec.update(model)
    assert spec.to_xml() == before


def test_a_model_of_another_structure_is_refused(subject):
    spec = subject.read_string("<mujoco><worldbody><body><joint/><geom size='1'/></body></worldbody></mujoco>")
    with pytest.raises(subject.Error, match="not compiled from this Spec"):
        spec.update(subject.load_string("<mujoco/>"))


def test_edited_angles_come_back_to_the_bit(subject):
    spec = subject.read_string(
        "<mujoco><worldbody><body><joint range='-10 20'/><geom size='1'/></body></worldbody></mujoco>")
    model = spec.compile()
    for value in np.random.default_rng(3).uniform(0.3, 3, 50):
        model.jnt_range[0] = [-value, value]
        spec.update(model)
        again = subject.load_string(spec.to_xml())
        np.testing.assert_allclose(again.jnt_range, model.jnt_range, rtol=1e-15)


def test_every_free_array_of_drives_is_edited_here(subject):
    """What is left out would change the structure, is a number of an enumeration or group, or unknown to MuJoCo."""
    kinds = ("tendon_", "actuator_", "sensor_")
    free = {field.name for field in subject.module.fields("model")
            if field.access == "free" and field.name.startswith(kinds) and "float" in str(field.dtype)}
    others = {"tendon_solimp_lim", "tendon_solref_fri", "tendon_sapstiffness", "tendon_sapdissipation",
              "tendon_springyield"}  # test_plastic.py edits it: zero and not zero are other structures
    assert free - set(EDITED) - set(SHIFTED) == others


FREE_BODY = "<mujoco><worldbody><body name='b' pos='1 2 3'><freejoint/><geom size='1'/></body></worldbody></mujoco>"


@pytest.mark.parametrize("edited", ["qpos0", "body_pos", "qpos_spring"])
def test_any_copy_of_the_pose_of_a_free_body_can_be_edited(subject, edited):
    spec = subject.read_string(FREE_BODY)
    model = spec.compile()
    {"body_pos": model.body_pos[1:]}.get(edited, getattr(model, edited)).flat[:3] = [4, 5, 6]
    spec.update(model)
    again = subject.load_string(spec.to_xml())
    for place in (again.qpos0[:3], again.body_pos[1], again.qpos_spring[:3]):
        np.testing.assert_array_equal(place, [4, 5, 6])


def test_edits_that_give_a_free_body_two_poses_are_refused(subject):
    spec = subject.read_string(FREE_BODY)
    model = spec.compile()
    model.qpos0[0], model.body_pos[1, 0] = 4, 5
    with pytest.raises(subject.Error, match="body 'b' has a free joint.*the edits disagree"):
        spec.update(model)


def test_edits_that_change_what_is_compiled_are_refused(subject):
    spec = subject.read_string(
        "<mujoco><compiler discardvisual='true'/><worldbody><geom size='1'/><geom size='2'/></worldbody></mujoco>")
    model = spec.compile()
    model.geom_contype[0] = model.geom_conaffinity[0] = 0
    with pytest.raises(subject.Error, match="ngeom would be 1 instead of 2"):
        spec.update(model)


def test_what_the_compiler_left_out_stays_in_the_file(subject):
    spec = subject.read_string(
        "<mujoco><compiler discardvisual='true' fusestatic='true'/><worldbody><body><joint/><geom size='1'/>"
        "<body name='fused' pos='1 0 0' euler='0 0 90'><geom name='g' size='1' pos='1 0 0'/>"
        "<geom name='looks' size='1' contype='0' conaffinity='0'/></body></body></worldbody></mujoco>")
    model = spec.compile()
    model.geom_pos[1] += [0, 0.5, 0]  # along the x axis of the fused body
    spec.update(model)
    assert "looks" in spec.to_xml() and "fused" in spec.to_xml()
    again = subject.load_string(spec.to_xml())
    np.testing.assert_allclose(again.geom_pos, model.geom_pos, atol=1e-15)
    np.testing.assert_allclose(again.body_mass, model.body_mass, rtol=1e-15)


def test_an_edit_leaves_other_elements_as_they_were_written(subject):
    text = ("<mujoco><default><default class='c'><geom size='1'/></default></default><worldbody>"
            "<geom name='a' class='c' euler='10 20 30'/><geom name='b' class='c' zaxis='1 2 3'/></worldbody></mujoco>")
    spec = subject.read_string(text)
    before = spec.to_xml().splitlines()
    model = spec.compile()
    model.geom_friction[1, 0] = 0.25
    spec.update(model)
    changed = [line.strip() for line in spec.to_xml().splitlines() if line not in before]
    assert changed == ['<geom name="b" class="c" friction="0.25 0.005 1e-04" zaxis="1 2 3" />']
