"""torsor.envs: environments of any model from functions, episodes, seeds, arguments; test_gymnasium_envs.py
compares the tasks of Gymnasium."""

import doctest
import subprocess
import sys

import gymnasium
import numpy
import page_blocks
import pytest
from gymnasium.vector import AutoresetMode
from gymnasium.wrappers.vector import NormalizeObservation, RecordEpisodeStatistics

import torsor
import torsor.envs
from example_models import ARM

CART = """<mujoco>
  <worldbody>
    <body><joint name="slide" type="slide" axis="1 0 0"/><geom size="0.1" mass="1"/><site name="tip" pos="0 0 1"/></body>
  </worldbody>
  <actuator><motor joint="slide" ctrlrange="-2 2"/></actuator>
</mujoco>"""


def make_cart(num_envs=4, **options):
    def reset(generator, qpos, qvel):
        qpos[0] = generator.uniform(-0.1, 0.1)

    options = {"reward": lambda batch, actions: batch.qpos[:, 0] - actions[:, 0],
               "terminated": lambda batch: batch.qpos[:, 0] > 0.5, "reset": reset, "frame_skip": 5, "threads": 1, **options}
    return torsor.envs.TaskEnv(CART, num_envs, **options)


def test_a_task_is_what_its_functions_say():
    env = make_cart(info=lambda batch: {"speed": batch.qvel[:, 0]})
    observations, infos = env.reset(seed=0)
    assert observations.shape == (4, 2) and infos == {}
    assert numpy.all(numpy.abs(observations[:, 0]) <= 0.1) and numpy.unique(observations[:, 0]).size == 4
    assert env.single_action_space.low.tolist() == [-2] and env.single_action_space.high.tolist() == [2]
    before = observations
    actions = numpy.array([[0.0], [1], [2], [-1]])
    observations, rewards, terminated, truncated, infos = env.step(actions)
    # the speed after five Euler steps of 2 ms under a constant force of a mass of 1 kg
    numpy.testing.assert_allclose(observations[:, 1], actions[:, 0] * 0.01, atol=1e-15)
    moved = actions[:, 0] * 0.002**2 * (1 + 2 + 3 + 4 + 5)
    numpy.testing.assert_allclose(observations[:, 0], before[:, 0] + moved, atol=1e-15)
    numpy.testing.assert_allclose(rewards, observations[:, 0] - actions[:, 0])
    assert not terminated.any() and not truncated.any()
    numpy.testing.assert_array_equal(infos["speed"], observations[:, 1])
    assert infos["_speed"].all()


def test_results_that_functions_read_are_there_from_the_first_step():
    env = make_cart(observation=lambda batch: batch.site_xpos[:, 0], reward=lambda batch, actions: batch.xpos[:, 1, 0])
    observations, _ = env.reset(seed=1)
    numpy.testing.assert_allclose(observations[:, 2], 1)
    numpy.testing.assert_allclose(observations[:, 0], env.batch.qpos[:, 0])


def test_results_belong_to_the_state_before_the_last_step_unless_fresh():
    at_tip = {"observation": lambda batch: batch.site_xpos[:, 0]}
    for fresh in (False, True):
        env = make_cart(fresh=fresh, **at_tip)
        env.reset(seed=2)
        observations = env.step(numpy.full((4, 1), 2.0))[0]
        assert numpy.array_equal(observations[:, 0], env.batch.qpos[:, 0]) == fresh


@pytest.mark.parametrize("mode", [AutoresetMode.NEXT_STEP, AutoresetMode.SAME_STEP])
def test_episodes_that_end_begin_anew(mode):
    env = make_cart(autoreset_mode=mode, max_episode_steps=3)
    env.reset(seed=3)
    env.batch.qpos[1] = 0.6
    actions = numpy.zeros((4, 1))
    observations, rewards, terminated, truncated, infos = env.step(actions)
    assert terminated.tolist() == [False, True, False, False]
    if mode == AutoresetMode.SAME_STEP:
        assert infos["_final_obs"].tolist() == terminated.tolist()
        assert infos["final_obs"][1][0] == 0.6 and infos["final_obs"][0] is None
        assert abs(observations[1, 0]) <= 0.1 and rewards[1] == 0.6
    else:
        assert observations[1, 0] == 0.6
        observations, rewards, terminated, truncated, infos = env.step(actions)
        assert abs(observations[1, 0]) <= 0.1 and rewards[1] == 0 and not terminated.any()
    lengths = {AutoresetMode.NEXT_STEP: [True, False, True, True], AutoresetMode.SAME_STEP: [False] * 4}
    truncated = env.step(actions)[3]
    assert truncated.tolist() == lengths[mode]


def test_disabled_autoreset_resets_those_of_a_mask():
    env = make_cart(autoreset_mode="Disabled", max_episode_steps=2)
    first, _ = env.reset(seed=4)
    env.step(numpy.zeros((4, 1)))
    assert env.step(numpy.zeros((4, 1)))[3].all()
    assert env.step(numpy.zeros((4, 1)))[3].all()  # until they are reset
    before = env.batch.qpos.copy()
    mask = numpy.array([True, False, False, True])
    observations, _ = env.reset(seed=[9, None, None, 9], options={"reset_mask": mask})
    assert observations[0, 0] == observations[3, 0] and observations[0, 0] != first[0, 0]
    numpy.testing.assert_array_equal(observations[1:3, 0], before[1:3, 0])
    assert env.step(numpy.zeros((4, 1)))[3].tolist() == (~mask).tolist()


def test_worlds_depend_on_their_own_seeds_alone():
    first, second = make_cart(), make_cart()
    a, b = first.reset(seed=5)[0], second.reset(seed=[6, 5, 99, 8])[0]
    assert a[0, 0] == b[1, 0] and a[1, 0] == b[0, 0] and a[3, 0] == b[3, 0] and a[2, 0] != b[2, 0]
    assert first.np_random_seed == (5, 6, 7, 8)
    again = first.reset(seed=5)[0]
    numpy.testing.assert_array_equal(a, again)
    assert not numpy.array_equal(first.reset()[0], again)


def test_the_number_of_threads_changes_no_bit():
    runs = []
    for threads in (1, 2):
        env = torsor.envs.make("Ant-v5", 16, threads=threads)
        env.reset(seed=0)
        random = numpy.random.default_rng(0)
        runs.append([env.step(random.uniform(-1, 1, (16, 8)))[0] for _ in range(10)])
    numpy.testing.assert_array_equal(*runs)


def test_arrays_are_copies_unless_asked_otherwise():
    env = make_cart()
    first = env.reset(seed=0)[0]
    second = env.step(numpy.ones((4, 1)))[0]
    assert not numpy.shares_memory(first, second)
    shared = make_cart(copy=False)
    first = shared.reset(seed=0)[0]
    assert shared.step(numpy.ones((4, 1)))[0] is first


def test_wrappers_of_gymnasium_work():
    env = RecordEpisodeStatistics(NormalizeObservation(make_cart(max_episode_steps=5)))
    env.reset(seed=0)
    ends = 0
    for _ in range(12):
        infos = env.step(env.action_space.sample())[4]
        ends += "episode" in infos and int(infos["_episode"].sum())
    assert ends == 8


def test_gymnasium_makes_the_tasks_by_name():
    env = gymnasium.make_vec("torsor.envs:Torsor/Hopper-v5", num_envs=3, vectorization_mode="vector_entry_point",
                             healthy_reward=2.0)
    assert isinstance(env.unwrapped, torsor.envs.HopperEnv) and env.unwrapped.healthy_reward == 2.0
    assert env.num_envs == 3 and env.reset(seed=0)[0].shape == (3, 11)


def test_pictures_of_all_worlds():
    env = torsor.envs.make("InvertedPendulum-v5", 2, render_mode="rgb_array", width=64, height=48)
    env.reset(seed=0)
    env.batch.qpos[1, 0] = 0.5
    pictures = env.render()
    assert [picture.shape for picture in pictures] == [(48, 64, 3)] * 2
    assert not numpy.array_equal(*pictures)
    assert make_cart().render() is None


@pytest.mark.parametrize(("error", "words", "call"), [
    (ValueError, "shape", lambda env: env.step(numpy.zeros((3, 1)))),
    (ValueError, "numbers", lambda env: env.step(numpy.full((4, 1), "x"))),
    (ValueError, "reset_mask", lambda env: env.reset(options={"reset_mask": numpy.zeros(4, bool)})),
    (ValueError, "seed", lambda env: env.reset(seed=[1, 2])),
    (ValueError, "num_envs", lambda env: make_cart(0)),
    (ValueError, "frame_skip", lambda env: make_cart(frame_skip=0)),
    (ValueError, "reward: expected shape", lambda env: make_cart(reward=lambda batch, actions: 0.0)),
    (ValueError, "observation: expected", lambda env: make_cart(observation=lambda batch: batch.qpos[:, 0])),
    (ValueError, "Ant-v5", lambda env: torsor.envs.make("Ant-v4")),
    (ValueError, "render_mode", lambda env: make_cart(render_mode="human")),
    (FileNotFoundError, "Gymnasium's models", lambda env: torsor.envs.AntEnv(xml_file="no_such.xml")),
])
def test_bad_arguments_are_refused_and_lose_nothing(error, words, call):
    env = make_cart()
    observations, _ = env.reset(seed=0)
    with pytest.raises(error, match=words):
        call(env)
    numpy.testing.assert_array_equal(env.batch.qpos[:, 0], observations[:, 0])
    env.step(numpy.zeros((4, 1)))


def test_a_step_needs_a_reset():
    with pytest.raises(RuntimeError, match="reset"):
        make_cart().step(numpy.zeros((4, 1)))


def test_without_gymnasium_the_error_says_what_to_install():
    code = "import sys; sys.modules['gymnasium'] = None\nimport torsor.envs"
    result = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert "pip install gymnasium" in result.stderr


def test_examples_in_the_docstrings_run():
    model = torsor.Model.from_xml_string(ARM)
    names = {"torsor": torsor, "numpy": numpy, "model": model}
    owners = [torsor.envs.make, torsor.envs.TaskEnv, *torsor.envs.TASKS.values()]
    for owner in owners:
        examples = doctest.DocTestParser().get_doctest(owner.__doc__, dict(names), owner.__name__, None, None)
        assert examples.examples, owner
        complaints = []
        doctest.DocTestRunner().run(examples, out=complaints.append)
        assert not complaints, "".join(complaints)


def test_the_page_runs_and_prints_what_it_says():
    page_blocks.run_page("docs/envs.md")
