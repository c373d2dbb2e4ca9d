"""torsor.envs beside Gymnasium's own environments on MuJoCo: observations, rewards, infos, ends of episodes, resets."""

import pathlib
import sys
import types

import gymnasium
import numpy
import pytest
from gymnasium.vector import AutoresetMode

import torsor
import torsor.envs

sys.modules.setdefault("imageio", types.ModuleType("imageio"))  # Gymnasium imports it for a window that nobody opens

WORLDS = 3
PGS = {"Humanoid-v5", "HumanoidStandup-v5"}
RESULTS = ("xpos", "xipos", "cinert", "cvel", "cfrc_ext", "qfrc_actuator", "qfrc_constraint", "site_xpos", "ten_length",
           "ten_velocity")


def with_newton(task, folder):
    """The same task with Newton's method, in a file of its own: two versions of PGS differ more than rounding."""
    if task not in PGS:
        return {}
    assets = pathlib.Path(gymnasium.__file__).parent / "envs" / "mujoco" / "assets"
    text = (assets / {"Humanoid-v5": "humanoid.xml", "HumanoidStandup-v5": "humanoidstandup.xml"}[task]).read_text()
    assert 'solver="PGS"' in text
    (folder / "newton.xml").write_text(text.replace('solver="PGS"', 'solver="Newton"'))
    return {"xml_file": str(folder / "newton.xml")}


def make_both(task, **options):
    theirs = [gymnasium.make(task, **options).unwrapped for _ in range(WORLDS)]
    ours = torsor.envs.make(task, WORLDS, threads=1, autoreset_mode=AutoresetMode.DISABLED, **options)
    return theirs, ours


def take_over(theirs, ours):
    """State, and the results of the last step, which the next one is compared with."""
    for world, env in enumerate(theirs):
        for name in ("qpos", "qvel", "qacc_warmstart"):
            ours.batch.bind(name)[world] = getattr(env.data, name)
        for name in RESULTS:
            if name in ours.batch._bound:
                ours.batch.bind(name)[world] = getattr(env.data, name)


def assert_same_info(ours, theirs, world, tolerance):
    """Of one world: the same keys, types and values."""
    keys = {key for key in ours if not key.startswith("_") and ours[f"_{key}"][world]}
    assert keys == set(theirs)
    for key, value in theirs.items():
        numpy.testing.assert_allclose(ours[key][world], value, rtol=0, atol=tolerance, err_msg=key)


@pytest.mark.parametrize("task", torsor.envs.TASKS)
def test_resets_begin_where_gymnasiums_do(task):
    theirs, ours = make_both(task)
    for seed in (7, None):  # the second continues the random numbers of the first
        observations, infos = ours.reset(seed=seed)
        for world, env in enumerate(theirs):
            observation, info = env.reset(seed=None if seed is None else seed + world)
            numpy.testing.assert_allclose(observations[world], observation, rtol=0, atol=1e-11)
            assert_same_info(infos, info, world, 1e-11)
    assert ours.single_observation_space == theirs[0].observation_space
    assert ours.single_action_space == theirs[0].action_space
    assert ours.dt == theirs[0].dt and ours.metadata["render_fps"] == theirs[0].metadata["render_fps"]
    assert ours.max_episode_steps == gymnasium.spec(task).max_episode_steps


@pytest.mark.parametrize("kind", [numpy.float64, numpy.float32])
@pytest.mark.parametrize("task", torsor.envs.TASKS)
def test_steps_equal_gymnasiums(task, kind, tmp_path, judged):
    theirs, ours = make_both(task, **with_newton(task, tmp_path))
    ours.reset(seed=3)
    for world, env in enumerate(theirs):
        env.reset(seed=3 + world)
    random = numpy.random.default_rng(1)
    low, high = ours.single_action_space.low, ours.single_action_space.high
    for _ in range(25):
        take_over(theirs, ours)
        actions = random.uniform(low, high, (WORLDS, low.size)).astype(kind)
        observations, rewards, terminated, truncated, infos = ours.step(actions)
        for world, env in enumerate(theirs):
            observation, reward, ended, _, info = env.step(actions[world])
            scale = max(1.0, numpy.abs(observation).max())
            numpy.testing.assert_allclose(observations[world], observation, rtol=0, atol=1e-9 * scale)
            assert abs(rewards[world] - reward) < 1e-9 * max(1.0, abs(reward))
            assert terminated[world] == ended
            assert_same_info(infos, info, world, 1e-9 * scale)
            judged()
        assert not truncated.any()


def make_vector(task, mode, **options):
    theirs = gymnasium.make_vec(task, WORLDS, vectorization_mode="sync", vector_kwargs={"autoreset_mode": mode}, **options)
    ours = torsor.envs.make(task, WORLDS, autoreset_mode=mode, threads=1, **options)
    return theirs, ours


def assert_same(ours, theirs, tolerance, where=""):
    """Arrays, or dictionaries of them: the same keys, types and values."""
    if isinstance(theirs, dict):
        assert set(ours) == set(theirs), where
        for key in theirs:
            assert_same(ours[key], theirs[key], tolerance, f"{where} {key}")
    elif theirs.dtype == object:
        assert [x is None for x in ours] == [x is None for x in theirs], where
        for a, b in zip(ours, theirs):
            if b is not None:
                assert_same(a, b, tolerance, where)
    else:
        assert ours.dtype == theirs.dtype and ours.shape == theirs.shape, where
        numpy.testing.assert_allclose(ours, theirs, rtol=0, atol=tolerance, err_msg=where)


@pytest.mark.parametrize("mode", [AutoresetMode.NEXT_STEP, AutoresetMode.SAME_STEP])
@pytest.mark.parametrize("task", ["Hopper-v5", "InvertedPendulum-v5", "InvertedDoublePendulum-v5", "Reacher-v5"])
def test_episodes_end_and_begin_as_in_gymnasiums_vector_environments(task, mode, judged):
    """Short episodes: most end by themselves in the first three tasks, all of them at their last step in the others."""
    theirs, ours = make_vector(task, mode, max_episode_steps=25)
    assert_same(list_of(ours.reset(seed=11)), list_of(theirs.reset(seed=11)), 1e-9)
    random = numpy.random.default_rng(5)
    low, high = ours.single_action_space.low, ours.single_action_space.high
    ends = 0
    for step in range(60):
        actions = random.uniform(low, high, (WORLDS, low.size)).astype(numpy.float32)
        found, expected = ours.step(actions), theirs.step(actions)
        assert_same(list_of(found), list_of(expected), 1e-5, f"step {step}:")
        ends += int((found[2] | found[3]).sum())
        judged()
    assert ends >= 2 * WORLDS
    theirs.close()


def list_of(results):
    names = ("observations", "infos") if len(results) == 2 else ("observations", "rewards", "terminated", "truncated", "infos")
    return dict(zip(names, results))


def test_options_of_a_task_are_gymnasiums():
    """Arguments change observations, rewards and ends as they do there."""
    options = {"ctrl_cost_weight": 0.25, "contact_cost_weight": 0.1, "healthy_z_range": (0.3, 0.9), "healthy_reward": 2.0,
               "main_body": "aux_1", "contact_force_range": (-2.0, 0.5), "frame_skip": 2, "reset_noise_scale": 0.2,
               "exclude_current_positions_from_observation": False, "include_cfrc_ext_in_observation": False,
               "terminate_when_unhealthy": False, "forward_reward_weight": 3.0}
    theirs, ours = make_both("Ant-v5", **options)
    assert ours.reset(seed=1)[0].shape == (WORLDS, 29)
    for world, env in enumerate(theirs):
        env.reset(seed=1 + world)
    random = numpy.random.default_rng(2)
    for _ in range(10):
        take_over(theirs, ours)
        actions = random.uniform(-1, 1, (WORLDS, 8))
        observations, rewards, terminated, _, infos = ours.step(actions)
        for world, env in enumerate(theirs):
            observation, reward, ended, _, info = env.step(actions[world])
            numpy.testing.assert_allclose(observations[world], observation, rtol=0, atol=1e-9)
            assert abs(rewards[world] - reward) < 1e-9 and not terminated[world] and not ended
            assert_same_info(infos, info, world, 1e-9)


def test_single_precision_is_near(judged):
    """Of one step from the same state, where seven digits decide no contact."""
    for task in ("HalfCheetah-v5", "Reacher-v5", "Swimmer-v5", "InvertedPendulum-v5"):
        exact, single = (torsor.envs.make(task, 64, dtype=dtype) for dtype in ("float64", "float32"))
        first, second = exact.reset(seed=0)[0], single.reset(seed=0)[0]
        assert second.dtype == numpy.float32 and single.single_observation_space.dtype == numpy.float32
        numpy.testing.assert_allclose(first, second, atol=1e-6)
        actions = exact.action_space.sample()
        a, b = exact.step(actions), single.step(actions)
        assert b[0].dtype == numpy.float32 and b[1].dtype == numpy.float64
        scale = numpy.abs(a[0]).max()
        assert numpy.quantile(numpy.abs(a[0] - b[0]), 0.99) < 1e-4 * scale
        assert numpy.quantile(numpy.abs(a[1] - b[1]), 0.9) < 1e-2 * max(1, numpy.abs(a[1]).max())
        judged()
