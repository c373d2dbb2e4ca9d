"""Worlds in float32: the same motion as in float64, step by step to the digits of float and in the long run as a crowd."""

import pathlib

import numpy as np
import pytest

import torsor

SCENES = pathlib.Path(__file__).parents[2] / "models" / "scenes"
WORLDS, STEPS = 256, 1000


def stirred(model, dtype):
    """Worlds with random velocities, the same ones for every type."""
    batch = torsor.Batch(model, WORLDS, dtype=dtype)
    random = np.random.default_rng(7)
    batch.qvel = (0.5 * random.standard_normal((WORLDS, model.nv))).astype(np.float32)
    if model.nu:
        batch.ctrl = random.uniform(-0.3, 0.3, (WORLDS, model.nu)).astype(np.float32)
    return batch


def summary(batch):
    """Numbers of each world that say how it moves: kinetic energy, height of the centre of mass, speed."""
    masses = batch.model.body_mass[1:]
    heights = batch.forward("xipos")[:, 1:, 2] @ masses / masses.sum()
    speeds = np.linalg.norm(batch.qvel.astype(float), axis=1)
    spread = np.linalg.norm(batch.qpos.astype(float), axis=1)
    # to what a float can tell: worlds at rest would otherwise differ in nothing but their last digits
    return {"height": heights.round(4), "speed": speeds.round(3), "spread": spread.round(3)}


def distance_of_distributions(a, b):
    """Kolmogorov's distance between the distributions that two samples come from."""
    values = np.sort(np.concatenate([a, b]))
    return np.abs(np.searchsorted(np.sort(a), values, "right") / len(a) -
                  np.searchsorted(np.sort(b), values, "right") / len(b)).max()


@pytest.mark.parametrize("scene", ["pile", "domino_run", "gripper_cube", "newtons_cradle"])
def test_crowds_move_alike(scene):
    model = torsor.Model.from_xml_path(str(SCENES / f"{scene}.xml"))
    double, single = stirred(model, "float64"), stirred(model, "float32")
    for batch in (double, single):
        batch.step(STEPS)
        assert np.isfinite(batch.qpos).all() and batch.resets == 0
    # two samples of 256 from one distribution are further apart than this once in a thousand times
    limit = 1.95 * np.sqrt(2 / WORLDS)
    crowd, other = summary(double), summary(single)
    for name, values in crowd.items():
        assert distance_of_distributions(values, other[name]) < limit, name
    assert np.any(double.qpos != single.qpos)


def test_the_distance_of_distributions_sees_a_shift():
    random = np.random.default_rng(1)
    a, b = random.standard_normal(WORLDS), random.standard_normal(WORLDS)
    limit = 1.95 * np.sqrt(2 / WORLDS)
    assert distance_of_distributions(a, b) < limit < distance_of_distributions(a, b + 0.5)


@pytest.mark.parametrize("dtype", ["float64", "float32"])
def test_bits_do_not_depend_on_neighbours_or_threads(dtype):
    model = torsor.Model.from_xml_path(str(SCENES / "pile.xml"))
    crowd = stirred(model, dtype)
    alone = torsor.Batch(model, 1, dtype=dtype)
    alone.qvel = crowd.qvel[37:38]
    twin = stirred(model, dtype)
    crowd.step(100)
    alone.step(100)
    twin.step(100, threads=2)
    assert alone.qpos.tobytes() == crowd.qpos[37:38].tobytes()
    assert twin.qpos.tobytes() == crowd.qpos.tobytes()
