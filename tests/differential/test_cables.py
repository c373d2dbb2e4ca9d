"""Cables of all courses become the bodies that MuJoCo makes of them; settings of attached models merge alike."""

import itertools

import numpy as np
import pytest

import compare
import smooth

GEOM = "<geom type='capsule' size='0.3'/>"  # thick: inverse weights of thin ones magnify rounding
SHAPES = ("0", "s", "cos(s)", "sin(s)")
POLICIES = ("warning", "merge", "error")
# Settings with two values each, in the element that has them; not numbers whose larger or smaller one counts alone.
SETTINGS = {
    "option": {"timestep": ("0.001", "0.004"), "impratio": ("2", "3"), "gravity": ("0 0 -1", "0 0 -2"),
               "density": ("1", "2"), "o_solref": ("0.1 1", "0.2 1"), "integrator": ("RK4", "implicit"),
               "cone": ("elliptic", "pyramidal"), "iterations": ("10", "20"), "tolerance": ("1e-3", "1e-4"),
               "ls_tolerance": ("1e-3", "1e-4"), "noslip_iterations": ("1", "2"), "ccd_iterations": ("10", "20"),
               "sdf_initpoints": ("10", "20"), "sleep_tolerance": ("1e-3", "1e-4"),
               "actuatorgroupdisable": ("1 2", "2 3")},
    "flag": {"contact": ("enable", "disable"), "energy": ("enable", "disable"), "island": ("disable", "enable")},
    "size": {"nuserdata": ("1", "2"), "nuser_geom": ("2", "1"), "nkey": ("2", "3")},
    "global": {"realtime": ("0.5", "0.25"), "fovy": ("30", "60")},
    "map": {"znear": ("0.02", "0.03"), "zfar": ("30", "60"), "force": ("0.1", "0.2")},
    "statistic": {"extent": ("2", "3")},
}
PART = ("<mujoco model='{part}'>{setting}<worldbody><body name='b'><joint/><geom size='0.1'/></body></worldbody>"
        "</mujoco>")
AROUND = {"flag": "option", "global": "visual", "map": "visual"}


def cable(attributes):
    """Off the origin, so that nothing is zero but for rounding."""
    inside = f"<composite type='cable' offset='0.3 0.2 0.1' {attributes}>{GEOM}</composite>"
    return f"<mujoco><worldbody>{inside}</worldbody></mujoco>"


def through(points):
    return cable("vertex='{}'".format(" ".join(repr(float(number)) for number in np.ravel(points))))


def assert_same_model(judge, subject, text, title):
    found = smooth.Pair(judge, subject, lambda engine: engine.load_string(text)).model_differences()
    assert not found, compare.report(found, title)


def random_points(rng, kind):
    count = rng.integers(4, 9)
    if kind == "any":
        return rng.normal(size=(count, 3))
    if kind == "straight":  # up to rounding, which makes bends that are no bends
        return rng.normal(size=3) + np.outer(np.arange(count), rng.normal(size=3))
    if kind == "bent late":
        straight = np.outer(np.arange(3), rng.integers(-3, 4, size=3) + [0, 0, 5])
        return np.vstack([straight, straight[-1] + np.cumsum(rng.normal(size=(count, 3)), axis=0)])
    steps = np.vstack([np.eye(3), -np.eye(3)])[rng.integers(0, 6, size=count)]  # back and forth on a lattice
    return np.cumsum(steps, axis=0)


@pytest.mark.parametrize("kind", ["any", "straight", "bent late", "lattice"])
def test_random_points_give_the_same_bodies(judge, subject, kind, seed):
    rng = np.random.default_rng(seed)
    for trial in range(25):
        text = through(random_points(rng, kind))
        assert_same_model(judge, subject, text, f"seed {seed}, {kind}, trial {trial}: {text}")


def test_all_curves_give_the_same_bodies(judge, subject, seed):
    rng = np.random.default_rng(seed)
    for shapes in itertools.product(SHAPES, repeat=3):
        if "s" not in shapes:
            continue  # may come back to the point where it was
        size, turn = rng.uniform(0.2, 2, size=3), rng.normal(size=4)
        numbers = [" ".join(map(repr, map(float, values))) for values in (size, turn / np.linalg.norm(turn))]
        text = cable(f"curve='{' '.join(shapes)}' count='{rng.integers(4, 9)}' size='{numbers[0]}' quat='{numbers[1]}'")
        assert_same_model(judge, subject, text, text)


def test_a_cable_of_two_segments_equals_mujocos_when_written_out(judge, subject):
    """Its ends are neighbours: there is no body in the middle."""
    text = cable("curve='s sin(s)' count='3' size='0.6 0.2 1' initial='free'")
    written = subject.module.Spec.from_xml_string(text).to_xml()
    model = judge.load_string(written)
    assert [model.body(b).name for b in range(model.nbody)] == ["world", "B_first", "B_last"]
    assert model.nexclude == 1 and model.jnt_type.tolist() == [0, 1]
    assert model.site("S_last").pos[0] == pytest.approx(np.hypot(0.3, 0.2))  # from the crest back to the axis
    found = smooth.Pair(
        judge, subject, lambda engine: engine.load_string(written if engine is judge else text)).model_differences()
    assert not found, compare.report(found, text)


def setting(element, name, value):
    if value is None:
        return ""
    text = f"<{element} {name}='{value}'/>"
    return f"<{AROUND[element]}>{text}</{AROUND[element]}>" if element in AROUND else text


def outcome(engine, text, assets):
    try:
        return engine.load_string(text, assets)
    except engine.Error:
        return None


@pytest.mark.parametrize("policy", POLICIES)
@pytest.mark.parametrize("element, name", [(element, name) for element in SETTINGS for name in SETTINGS[element]])
def test_settings_of_attached_models_merge_alike(judge, subject, policy, element, name):
    """Two attached models after each other, each of the three with or without the setting, in every combination."""
    values = (None, *SETTINGS[element][name])
    for own, first, second in itertools.product(values, repeat=3):
        if first is None and second is None:
            continue
        assets = {f"{part}.xml": PART.format(part=part, setting=setting(element, name, value)).encode()
                  for part, value in (("p", first), ("q", second))}
        text = (f"<mujoco><compiler conflict='{policy}'/>{setting(element, name, own)}<asset><model file='p.xml'/>"
                "<model file='q.xml'/></asset><worldbody><attach model='p' body='b' prefix='p'/>"
                "<attach model='q' body='b' prefix='q'/></worldbody></mujoco>")
        title = f"{name}: {own} here, {first} and {second} there"
        expected, result = outcome(judge, text, assets), outcome(subject, text, assets)
        assert (expected is None) == (result is None), title
        if expected is not None:
            found = smooth.Pair(judge, subject, lambda engine: engine.load_string(text, assets)).model_differences()
            assert not found, compare.report(found, title)
