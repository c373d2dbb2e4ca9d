"""Worlds of a Batch take the steps that one world takes: random models, our scenes, collected robots.

Wide stages round differently. Where one world itself answers a change in the last digit of its coordinates with more than
that, as hulls do whose points of contact are chosen by comparison, the state does not count."""

import copy
import os
import pathlib

import numpy as np
import pytest

import generator
import judging
import torsor

SEEDS = range(12 if os.environ.get("TORSOR_QUICK") else 60)
WORLDS, STEPS = 9, 12
TOLERANCE = 1e-9
ROOT = pathlib.Path(__file__).resolve().parents[2]
SCENES = sorted((ROOT / "models" / "scenes").glob("*.xml"))
COLLECTED = ("mujoco/humanoid/humanoid.xml", "menagerie/agility_cassie/scene.xml", "menagerie/google_barkour_vb/scene.xml",
             "menagerie/robotiq_2f85/scene.xml", "menagerie/unitree_g1/scene.xml", "menagerie/shadow_hand/scene_right.xml",
             "menagerie/wonik_allegro/scene_right.xml")
ROBOTS = [pathlib.Path(os.environ["TORSOR_MODELS"], name) for name in COLLECTED if "TORSOR_MODELS" in os.environ]
FIELDS = ("qpos", "qvel", "act", "ctrl", "qacc_warmstart", "mocap_pos", "mocap_quat", "plastic", "history")


def make_worlds(model, rng):
    worlds = [torsor.Data(model) for _ in range(WORLDS)]
    for data in worlds:
        if model.nkey:
            torsor.reset_data_keyframe(model, data, 0)
        data.qvel[:] += rng.normal(0, 0.3, model.nv)
        data.ctrl[:] = rng.normal(0, 0.3, model.nu)
    return worlds


def distance(a, b):
    scale = max(1e-6, float(np.abs(b).max(initial=0)))
    return float(np.abs(np.asarray(a) - b).max(initial=0)) / scale


def jiggled(values, rng):
    return values + 1e-14 * rng.integers(-1, 2, values.shape) * np.maximum(1, np.abs(values))


def is_sensitive(model, before, after, rng):
    """Whether one world whose poses differ by as much as they are rounded ends elsewhere."""
    for _ in range(20):
        moved = copy.copy(model)
        for field in ("body_pos", "body_quat", "geom_pos", "geom_quat"):
            setattr(moved, field, jiggled(getattr(moved, field), rng))
        data = torsor.Data(moved)
        torsor.set_state(moved, data, before, torsor.StateBit.INTEGRATION)
        data.qpos[:] = jiggled(data.qpos, rng)
        torsor.step(moved, data)
        if data.nefc != after.nefc or distance(data.qvel, after.qvel) > TOLERANCE / 10:
            return True
    return False


def compare(model, rng, judged):
    model.opt.tolerance = 0  # solvers go on until rounding is all that is left
    worlds, batch = make_worlds(model, rng), torsor.Batch(model, WORLDS)
    for _ in range(STEPS):
        for field in FIELDS:
            batch.set(field, np.array([getattr(data, field) for data in worlds]))
        batch.set("time", np.array([data.time for data in worlds]))
        before = [torsor.get_state(model, data, torsor.StateBit.INTEGRATION) for data in worlds]
        batch.step()
        results = {field: batch.get(field) for field in ("qpos", "qvel", "act")}
        for k, data in enumerate(worlds):
            torsor.step(model, data)
            worst = max(distance(results[field][k], getattr(data, field)) for field in results)
            if worst >= TOLERANCE and is_sensitive(model, before[k], data, rng):
                judged.screen()
                continue
            judged()
            assert worst < TOLERANCE, f"world {k}, {data.ncon} contacts, {data.nefc} rows"


@pytest.mark.parametrize("seed", SEEDS)
def test_random_models(seed, judged):
    model = torsor.Model.from_xml_string(generator.make_model(seed).text)
    if model.nv == 0:
        judged.expect_nothing("no dofs")
    else:
        compare(model, np.random.default_rng(seed), judged)


@pytest.mark.parametrize("path", SCENES, ids=lambda path: path.stem)
def test_scenes(path, judged):
    compare(torsor.Model.from_xml_path(str(path)), np.random.default_rng(1), judged)


@pytest.mark.parametrize("path", judging.collected(ROBOTS, lambda path: path.stem))
def test_robots(path, judged):
    compare(torsor.Model.from_xml_path(str(path)), np.random.default_rng(2), judged)
