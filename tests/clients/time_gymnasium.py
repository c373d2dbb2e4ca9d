"""Processor seconds of a step of one of Gymnasium's MuJoCo environments: time_gymnasium.py Ant-v5."""

import sys
import time
import warnings

import gymnasium
import numpy

TIMED, REPEATS = 200, 5


def fastest(env):
    """The least of several runs of the same actions."""
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
    warnings.simplefilter("ignore")
    print(fastest(gymnasium.make(sys.argv[1]).unwrapped))


if __name__ == "__main__":
    main()
