"""Tests of the harness itself, with MuJoCo on both sides: what it must see, and what it must not mind."""

import pathlib

import numpy as np
import pytest

import compare
import engines
import fields
import generator
import runs
import scenes
import shrinker
import smooth
import snapshots
import states

HERE = pathlib.Path(__file__).parent
PLANTED = 1e-6
PLANTED_MEASURED = 10 * compare.MEASURED_TOLERANCE  # in what both engines find by a simulation of their own
MESH_MODEL = """
<mujoco>
  <asset>
    <mesh name="wedge" vertex="0 0 0  0.4 0 0  0 0.3 0  0 0 0.2  0.3 0.2 0.1"
          texcoord="0 0.1 0.2 0.3 0.4 0.5 0.6 0.7 0.8 0.9"
          face="0 2 1  0 1 3  0 3 2  1 2 4  1 4 3  2 3 4" scale="1.1 0.9 1.2" refpos="0.1 0.2 0.3"/>
  </asset>
  <worldbody>
    <body>
      <freejoint/>
      <geom type="mesh" mesh="wedge" pos="0.1 0.2 0.3" euler="10 20 30"/>
      <geom type="box" mesh="wedge" pos="0.3 0.2 0.1" euler="30 20 10"/>
    </body>
  </worldbody>
</mujoco>"""


@pytest.fixture(scope="module")
def judge():
    return engines.judge()


def plant(array, error=PLANTED):
    """A copy with its largest number changed by the planted relative error; whole numbers and names by one."""
    array = np.array(array)
    if array.dtype.kind == "U":
        return np.array([name + "x" for name in array.flat]).reshape(array.shape)
    if array.dtype.kind == "b":
        return ~array
    if array.dtype.kind != "f":
        return array + np.ones_like(array)
    place = np.unravel_index(np.argmax(np.abs(array)), array.shape)
    array[place] = array[place] * (1 + error) if array[place] else error
    return array


def unseen(raw, find_differences):
    """Fields in which a planted error goes unnoticed, and fields that are empty."""
    missed, empty = set(), set()
    for name, array in raw.items():
        if np.size(array) == 0:
            empty.add(name)
        error = PLANTED_MEASURED if name == "actuator_lengthrange" else PLANTED
        if np.size(array) and not find_differences({**raw, name: plant(array, error)}, raw):
            missed.add(name)
    return missed, empty


def test_a_planted_error_is_seen_in_every_model_field(judge):
    empty = None
    skins = HERE.parent.parent / "models" / "features" / "skins.xml"
    for model in (judge.load_file(HERE / "everything.xml"), judge.load_string(MESH_MODEL), judge.load_file(skins)):
        raw = snapshots.of_model(judge, model)
        tolerance = compare.FLOAT_TOLERANCE if compare.has_mesh_mass(raw) else compare.TOLERANCE
        missed, empty_here = unseen(
            raw, lambda spoiled, clean: compare.model_differences(spoiled, clean, tolerance, snapshots.unique_model))
        assert not missed, f"planted errors went unseen in {sorted(missed)}"
        empty = empty_here if empty is None else empty & empty_here
    assert not empty


def test_a_planted_error_is_seen_in_every_data_field_and_function(judge):
    model = judge.load_file(HERE / "everything.xml")
    engines.disable_constraints(model)
    model_shot = snapshots.of_model(judge, model)
    state = states.random_state(model, np.random.default_rng(7))
    raw = smooth.snapshot(judge, model, judge.make_data(model), state, 7)
    missed, empty = unseen(raw, lambda spoiled, clean: compare.differences(
        snapshots.unique_data(spoiled, model_shot), snapshots.unique_data(clean, model_shot)))
    assert not missed, f"planted errors went unseen in {sorted(missed)}"
    assert fields.compared("data") <= raw.keys()
    assert not empty


def test_a_quaternion_and_its_negative_are_the_same_rotation(judge):
    raw = snapshots.of_model(judge, judge.load_file(HERE / "everything.xml"))
    turned = {**raw, "body_quat": -raw["body_quat"], "body_iquat": -raw["body_iquat"], "geom_quat": -raw["geom_quat"]}
    assert not compare.model_differences(turned, raw, compare.TOLERANCE, snapshots.unique_model)


def test_axes_of_equal_moments_may_be_chosen_freely(judge):
    ball = '<mujoco><worldbody><body><freejoint/><geom size="0.1"/></body></worldbody></mujoco>'
    raw = snapshots.of_model(judge, judge.load_string(ball))
    turned = {**raw, "body_iquat": np.array([[1, 0, 0, 0], [0.6, 0, 0.8, 0]])}
    assert not compare.model_differences(turned, raw, compare.TOLERANCE, snapshots.unique_model)


def test_a_missing_row_and_a_wrong_type_of_value_are_differences(judge):
    raw = snapshots.of_model(judge, judge.load_file(HERE / "everything.xml"))
    for name, value in (("body_mass", raw["body_mass"][:-1]), ("body_pos", raw["body_pos"] * np.nan)):
        found = compare.model_differences({**raw, name: value}, raw, compare.TOLERANCE, snapshots.unique_model)
        assert [difference.field.split()[0] for difference in found] == [name]


def test_every_field_of_the_wheel_is_compared_or_left_out_for_one_reason():
    for kind, rules in (("model", fields.MODEL_LEFT_OUT), ("data", fields.DATA_LEFT_OUT)):
        assert fields.compared(kind) | fields.left_out(kind).keys() == engines.wheel_fields(kind)
        unused = [pattern for pattern, reason in rules.items() if reason not in fields.left_out(kind).values()]
        assert not unused


def test_states_reach_beyond_limits_and_off_unit_quaternions(judge):
    model = judge.load_file(HERE / "everything.xml")
    rng = np.random.default_rng(1)
    drawn = np.array([states.random_qpos(model, rng) for _ in range(200)])
    low, high = model.jnt_range[0]
    inside = (drawn[:, 0] > low) & (drawn[:, 0] < high)
    assert 0.2 < inside.mean() < 0.9
    lengths = np.linalg.norm(drawn[:, 1:5], axis=1)
    assert np.ptp(lengths) > 0.05 and np.all(lengths > 0.85)


def test_the_same_seed_makes_the_same_model():
    assert generator.make_model(11).text == generator.make_model(11).text
    assert generator.make_model(11).text != generator.make_model(12).text


def test_generated_models_cover_what_they_claim(judge):
    """Over a few hundred seeds every joint type, geom type and tracking mode appears, and few drafts are refused."""
    joints, geoms, modes, refused = set(), set(), set(), 0
    for seed in range(300):
        generated = generator.make_model(seed, meshes=seed % 4 == 0)
        model = judge.load_string(generated.text)
        refused += len(generated.refusals)
        joints |= set(model.jnt_type.tolist())
        geoms |= set(model.geom_type.tolist())
        modes |= set(model.cam_mode.tolist())
    assert joints == {0, 1, 2, 3}
    assert geoms == {0, 1, 2, 3, 4, 5, 6, 7}
    assert modes == {0, 1, 2, 3, 4}
    assert refused < 300


def test_the_shrinker_keeps_the_failure_and_drops_the_rest(judge):
    def fails(text):
        model = judge.load_string(text)
        return bool((model.body_gravcomp != 0).any() and model.ncam)

    text = next(text for text in (generator.make_model(seed).text for seed in range(500)) if fails(text))
    small = shrinker.shrink(text, fails)
    assert fails(small)
    assert len(small) < 400 < len(text)


class SlightlyWrong(engines.MuJoCo):
    """MuJoCo with damping that is off by a millionth."""

    def load_file(self, path, ignore=()):
        model = super().load_file(path, ignore)
        model.dof_damping *= 1 + PLANTED
        return model


def test_an_engine_with_slightly_wrong_damping_is_caught_at_every_level(judge):
    path = scenes.ROOT / "models" / "features" / "joint_damping.xml"
    wrong = SlightlyWrong()
    pair = smooth.Pair(judge, wrong, lambda engine: engine.load_file(path))
    assert [difference.field for difference in pair.model_differences()] == ["dof_damping"]
    found, _ = smooth.compare_states(judge, wrong, pair, 3, 1)
    assert {"qfrc_damper", "qacc"} <= {difference.field for difference in found}
    for method in runs.METHODS:
        assert runs.compare_runs(judge, wrong, pair, method, 1, 1)[0]


def test_mujoco_agrees_with_itself_on_random_models(judge):
    total = smooth.Judgement()  # one model may be nearly singular, all of them may not
    for seed in range(20):
        text = generator.make_model(seed, meshes=seed % 4 == 0).text
        pair = smooth.Pair(judge, judge, lambda engine: engine.load_string(text))
        assert not pair.model_differences()
        found, judgement = smooth.compare_states(judge, judge, pair, 2, seed)
        assert not found
        total.judged += judgement.judged
        total.screened += judgement.screened
    assert total.enough()
