"""Observations and rewards of one of Gymnasium's MuJoCo environments under random actions, and the time of its steps.

    trace_gymnasium.py --list
    trace_gymnasium.py Ant-v5 output.npz
"""

import sys
import time
import warnings

import gymnasium
import numpy

NAMES = ("Ant", "HalfCheetah", "Hopper", "Humanoid", "HumanoidStandup", "InvertedDoublePendulum", "InvertedPendulum", "Pusher",
         "Reacher", "Swimmer", "Walker2d")
ACTIONS, TIMED, REPEATS = 50, 200, 5


def trace(name):
    warnings.simplefilter("ignore")
    env = gymnasium.make(name)
    observation, _ = env.reset(seed=1)
    random = numpy.random.default_rng(2)
    observations, rewards = [observation], []
    for _ in range(ACTIONS):
        action = random.uniform(env.action_space.low, env.action_space.high)
        observation, reward, terminated, truncated, _ = env.step(action)
        observations.append(observation)
        rewards.append(reward)
        if terminated or truncated:
            observation, _ = env.reset(seed=len(rewards))
    return env, observations, rewards


def fastest(env):
    """Time of a step, in processor seconds: the least of several runs of the same actions."""
    times = []
    for _ in range(REPEATS):
        env.reset(seed=3)
        random = numpy.random.default_rng(4)
        actions = random.uniform(env.action_space.low, env.action_space.high, (TIMED, *env.action_space.shape))
        start = time.process_time()
        for action in actions:
            env.step(action)
        times.append(time.process_time() - start)
    return min(times) / TIMED


def main():
    if sys.argv[1:] == ["--list"]:
        print(*(f"{name}-v5" for name in NAMES))
        return
    env, observations, rewards = trace(sys.argv[1])
    numpy.savez(sys.argv[2], observations=numpy.array(observations), rewards=numpy.array(rewards),
                seconds=fastest(env.unwrapped))


if __name__ == "__main__":
    main()
