"""Shapes in the words of other systems: agreement with MuJoCo's compiler, the same space in all pairs, clear errors."""

import itertools

import mujoco
import numpy as np
import pytest

import torsor

# The same shapes in every system that has them: a height of 1.5 m and a radius of 0.25 m, a box of 1 by 2 by 3 m.
ROUND = {
    "newton": {"radius": 0.25, "half_height": 0.75}, "mujoco": {"size": [0.25, 0.75]},
    "usd.geom": {"radius": 0.25, "height": 1.5, "axis": "Z"},
    "usd.physics": {"radius": 0.25, "halfHeight": 0.75, "axis": "Z"}, "urdf": {"radius": 0.25, "length": 1.5},
    "drake": {"radius": 0.25, "length": 1.5}, "physx": {"radius": 0.25, "halfHeight": 0.75},
}
SHAPES = {
    "sphere": {**dict.fromkeys(ROUND, {"radius": 0.25}), "mujoco": {"size": [0.25]}},
    "box": {
        "newton": {"hx": 0.5, "hy": 1.0, "hz": 1.5}, "mujoco": {"size": [0.5, 1.0, 1.5]},
        "usd.geom": {"size": 1.0, "scale": [1.0, 2.0, 3.0]}, "usd.physics": {"halfExtents": [0.5, 1.0, 1.5]},
        "urdf": {"size": [1.0, 2.0, 3.0]}, "drake": {"width": 1.0, "depth": 2.0, "height": 3.0},
        "physx": {"halfExtents": [0.5, 1.0, 1.5]},
    },
    "capsule": {name: ROUND[name] for name in ROUND if name != "urdf"},
    "cylinder": {name: ROUND[name] for name in ROUND if name != "physx"},
    "cone": {name: ROUND[name] for name in ("newton", "usd.geom", "usd.physics")},
    "ellipsoid": {
        "newton": {"rx": 0.5, "ry": 1.0, "rz": 1.5}, "mujoco": {"size": [0.5, 1.0, 1.5]},
        "drake": {"a": 0.5, "b": 1.0, "c": 1.5},
    },
    "plane": {"newton": {"width": 0.0, "length": 0.0}, "mujoco": {"size": [0.0, 0.0, 1.0]}, "drake": {}, "physx": {}},
    "mesh": {**dict.fromkeys(ROUND, {"scale": [1.0, 2.0, -3.0]}), "usd.physics": {"meshScale": [1.0, 2.0, -3.0]}},
}
CASES = [(kind, a, b) for kind, systems in SHAPES.items() for a, b in itertools.product(systems, repeat=2)]


@pytest.mark.parametrize("kind, source, target", CASES)
def test_every_pair_of_systems_says_the_same(kind, source, target):
    parameters, quat = torsor.convert_shape(kind, SHAPES[kind][source], source, target)
    assert parameters == SHAPES[kind][target]
    turned = kind in ("capsule", "plane") and (source == "physx") != (target == "physx")
    half = np.sqrt(0.5)
    expected = [half, 0, half if source == "physx" else -half, 0] if turned else [1, 0, 0, 0]
    assert quat == pytest.approx(expected, abs=1e-15)


def test_the_systems_of_a_shape_are_those_of_the_table():
    for kind, systems in SHAPES.items():
        assert sorted(torsor.shape_systems(kind)) == sorted(systems)


@pytest.mark.parametrize("axis, direction", [("X", [1, 0, 0]), ("Y", [0, 1, 0]), ("Z", [0, 0, 1])])
def test_the_axis_attribute_of_usd_is_read_and_written(axis, direction):
    cone, quat = torsor.convert_shape("cone", {"radius": 0.1, "half_height": 1}, "newton", "usd.geom", axis=axis)
    assert cone == {"radius": 0.1, "height": 2.0, "axis": axis}
    assert torsor.rot_vec_quat(direction, quat) == pytest.approx([0, 0, 1], abs=1e-15)  # the apex stays where it was
    back, inverse = torsor.convert_shape("cone", cone, "usd.geom", "newton")
    assert back == {"radius": 0.1, "half_height": 1.0}
    assert torsor.mul_quat(quat, inverse) == pytest.approx([1, 0, 0, 0], abs=1e-15)


@pytest.mark.parametrize("kind", ["capsule", "cylinder", "box", "ellipsoid"])
def test_two_points_mean_what_mujocos_compiler_makes_of_them(kind):
    rng = np.random.default_rng(3)
    for points in (*rng.normal(size=(20, 6)), np.array([0, 0, 0, 0, 0, 1.0]), np.array([0, 0, 0, 0, 0, -1.0])):
        text = " ".join(map(repr, map(float, points)))
        compiled = mujoco.MjModel.from_xml_string(
            f"<mujoco><worldbody><geom type='{kind}' size='0.1' fromto='{text}'/></worldbody></mujoco>")
        line = {"fromto": points, "size": 0.1}
        plain, pos, quat = torsor.convert_placed_shape(kind, line, "mujoco", "mujoco")
        count = len(plain["size"])
        assert plain["size"] == pytest.approx(compiled.geom_size[0, :count], abs=1e-14)
        assert pos == pytest.approx(compiled.geom_pos[0], abs=1e-14)
        assert abs(quat @ compiled.geom_quat[0]) == pytest.approx(1, abs=1e-14)
        again = torsor.shape_fromto(kind, plain, "mujoco", pos, quat)
        assert again["fromto"] == pytest.approx(points, abs=1e-13)
        assert again["size"] == pytest.approx([0.1])


@pytest.mark.parametrize("kind", ["sphere", "box", "capsule", "cylinder", "ellipsoid"])
def test_volume_and_inertia_are_those_of_mujoco(kind):
    size = " ".join(map(str, SHAPES[kind]["mujoco"]["size"]))
    compiled = mujoco.MjModel.from_xml_string(
        f"<mujoco><worldbody><body><geom type='{kind}' size='{size}' density='1'/></body></worldbody></mujoco>")
    for system, parameters in SHAPES[kind].items():
        volume, com, inertia = torsor.shape_mass(kind, parameters, system)
        assert volume == pytest.approx(compiled.body_mass[1], rel=1e-12)
        assert com == pytest.approx([0, 0, 0], abs=1e-15)
        assert np.sort(np.linalg.eigvalsh(inertia)) == pytest.approx(np.sort(compiled.body_inertia[1]), rel=1e-12)
        quat = torsor.convert_shape(kind, parameters, system, "mujoco")[1]
        turn = torsor.quat_to_mat(quat)
        ours = torsor.shape_mass(kind, SHAPES[kind]["mujoco"], "mujoco")[2]
        assert inertia == pytest.approx(turn @ ours @ turn.T, abs=1e-14)


def test_a_cones_centre_and_inertia_are_those_of_its_points():
    radius, half = 0.3, 0.7
    z = -half + 2 * half * (np.arange(100_000) + 0.5) / 100_000
    r = radius * (half - z) / (2 * half)
    area = np.pi * r**2 * 2 * half / len(z)
    volume, com, inertia = torsor.shape_mass("cone", {"radius": radius, "half_height": half}, "newton")
    assert volume == pytest.approx(area.sum(), rel=1e-8)
    assert com == pytest.approx([0, 0, -half / 2], abs=1e-15)
    assert com[2] == pytest.approx((area * z).sum() / area.sum(), rel=1e-8)
    across = (area * (r**2 / 4 + (z - com[2]) ** 2)).sum()
    assert inertia == pytest.approx(np.diag([across, across, (area * r**2 / 2).sum()]), rel=1e-8, abs=1e-15)


def test_arrays_and_integers_are_numbers_too():
    expected = ({"size": [0.5, 1.0, 1.5]}, [1, 0, 0, 0])
    for size in ([1, 2, 3], (1, 2, 3), np.array([1, 2, 3]), np.array([1, 2, 3], np.float32)):
        parameters, quat = torsor.convert_shape("box", {"size": size}, "urdf", "mujoco")
        assert (parameters, list(quat)) == expected
    assert torsor.convert_shape("sphere", {"radius": np.float64(1)}, "urdf", "drake")[0] == {"radius": 1.0}


@pytest.mark.parametrize("kind, parameters, source, target, message", [
    ("cone", {"radius": 1, "half_height": 1}, "newton", "mujoco", "mujoco has no cone; systems that have it: newton"),
    ("capsule", {"size": [1, 1]}, "mujoco", "urdf", "urdf has no capsule; systems that have it"),
    ("cylinder", {"size": [1, 1]}, "mujoco", "physx", "what physx means by a cylinder is unspecified"),
    ("capsule", {"size": [1]}, "mujoco", "drake", r"mujoco capsule: size must be 2 number\(s\), got 1"),
    ("sphere", {"radius": float("nan")}, "urdf", "drake", "urdf sphere: radius must be finite, got nan"),
    ("sphere", {"radius": -1}, "urdf", "drake", "urdf sphere: radius must be positive, got -1"),
    ("sphere", {}, "urdf", "drake", "urdf sphere: parameter 'radius' is missing"),
    ("sphere", {"raduis": 1}, "urdf", "drake", r"unknown parameter 'raduis' \(did you mean 'radius'\?\)"),
    ("sphere", {"radius": 1}, "urdf", "drak", r"unknown system 'drak' \(did you mean 'drake'\?\)"),
    ("spere", {"radius": 1}, "urdf", "drake", r"unknown shape 'spere' \(did you mean 'sphere'\?\)"),
    ("plane", {"width": 1, "length": 2}, "newton", "mujoco", "its planes are infinite, this one is 1 by 2 m"),
    ("capsule", {"fromto": [0, 0, 0, 0, 0, 1], "size": 0.1}, "mujoco", "drake", "convert_placed_shape"),
])
def test_bad_shapes_are_errors_that_say_what_is_wrong(kind, parameters, source, target, message):
    with pytest.raises(torsor.Error, match=message):
        torsor.convert_shape(kind, parameters, source, target)


def test_bad_arguments_are_errors_too():
    with pytest.raises(torsor.Error, match="axis must be X, Y or Z, got 'x'"):
        torsor.convert_shape("sphere", {"radius": 1}, "urdf", "drake", axis="x")
    with pytest.raises(torsor.Error, match="the mass of a plane is not determined by its size"):
        torsor.shape_mass("plane", {}, "drake")
    with pytest.raises(torsor.Error, match="quat must have unit length"):
        torsor.shape_fromto("capsule", {"size": [1, 1]}, "mujoco", [0, 0, 0], [2, 0, 0, 0])
    with pytest.raises(TypeError):
        torsor.convert_shape("sphere", {"radius": None}, "urdf", "drake")
