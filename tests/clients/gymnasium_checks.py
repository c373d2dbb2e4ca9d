"""Gymnasium's own checker on its MuJoCo environments, with the module that is imported as `mujoco`. Run by run_clients.py with pytest:
Gymnasium's wheel has no tests of these environments, but what they call."""

import warnings

import gymnasium
import mujoco
import numpy
import pytest
from gymnasium.utils.env_checker import check_env
from gymnasium.utils.env_match import check_environments_match

import trace_environments


@pytest.fixture(autouse=True)
def quiet():
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        yield


def test_the_module_is_torsors():
    assert mujoco.__name__ == "torsor.mujoco"


@pytest.mark.parametrize("frame_skip", [1, 5])
@pytest.mark.parametrize("name", trace_environments.GYMNASIUM)
def test_environments_pass_the_checker(name, frame_skip):
    check_env(gymnasium.make(f"{name}-v5", frame_skip=frame_skip).unwrapped, skip_render_check=True)


@pytest.mark.parametrize("name", trace_environments.GYMNASIUM)
def test_environments_draw_pictures(name):
    env = gymnasium.make(f"{name}-v5", render_mode="rgb_array")
    env.reset(seed=1)
    picture = env.render()
    assert picture.shape == (480, 480, 3) and picture.std() > 5


@pytest.mark.parametrize(("name", "options"), [("Ant", {"include_cfrc_ext_in_observation": False}), ("HalfCheetah", {}), ("Hopper", {}), ("Swimmer", {})])
def test_versions_4_and_5_move_alike(name, options):
    check_environments_match(gymnasium.make(f"{name}-v4"), gymnasium.make(f"{name}-v5", **options), 100, skip_rew=name in ("Ant", "Hopper"),
                             info_comparison="skip")


@pytest.mark.parametrize("name", trace_environments.GYMNASIUM)
def test_vectors_of_environments_equal_single_ones(name):
    vector = gymnasium.make_vec(f"{name}-v5", num_envs=2, vectorization_mode="sync")
    env = gymnasium.make(f"{name}-v5")
    observed = vector.reset(seed=[3, 4])[0], env.reset(seed=4)[0]
    for _ in range(5):
        numpy.testing.assert_array_equal(observed[0][1], observed[1])
        actions = numpy.stack([vector.single_action_space.sample() for _ in range(2)])
        observed = vector.step(actions)[0], env.step(actions[1])[0]
