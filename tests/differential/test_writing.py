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
    """Differences that the judge sees between two ways of loading one model."""
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
    again = subject.load_string(spec.to_xml(), assets)
    assert again.to_bytes() == spec.compile().to_bytes()


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
}
SHIFTED = {"body_pos": 0.25, "site_pos": 0.125, "cam_pos": 0.5, "light_pos": 0.5, "body_ipos": 0.0625}


def edit(model):
    for name, factor in EDITED.items():
        array = getattr(model, name)
        array[...] = array * factor
    for name, shift in SHIFTED.items():
        array = getattr(model, name)
        array[1 if name.startswith("body") else 0:] += shift
    model.opt.timestep = 0.00375


# A free body is where its joint's qpos0 is; editing one of the two says two things.
REFUSED = ("free", "fuse_static", "discard_visual")


def test_edited_model_is_written_and_loaded_again(subject, feature, tmp_path):
    spec = subject.read_file(feature)
    model = spec.compile()
    edit(model)
    if np.any(np.asarray(model.jnt_type) == 0) or any(word in feature.stem for word in REFUSED):
        pytest.skip("has free joints, or bodies that the compiler removes")
    spec.update(model)
    spec.save(tmp_path / "edited.xml")
    again = subject.load_file(tmp_path / "edited.xml")
    for name in (*EDITED, *SHIFTED):
        np.testing.assert_allclose(getattr(again, name), getattr(model, name), rtol=1e-12, atol=1e-12, err_msg=name)
    assert again.opt.timestep == 0.00375


def test_edits_that_no_file_can_hold_are_refused_by_name(subject):
    spec = subject.read_string("<mujoco><worldbody><body><joint type='ball'/><geom size='1'/></body></worldbody></mujoco>")
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
