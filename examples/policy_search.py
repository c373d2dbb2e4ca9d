"""Learns to hop: the cross-entropy method on vector environments, in NumPy alone.

Each of 128 worlds tries a linear policy of its own, action = weights . observation. The best of them say where to look
next. The first generation falls over at once; the last ones hop along. Needs Gymnasium, which has the model of the task.

    python examples/policy_search.py [task]
"""

import sys
import time

import numpy

import torsor.envs

CANDIDATES, ELITE, GENERATIONS, STEPS = 128, 16, 12, 200


def scores_of(env, policies, seed):
    """Sum of the rewards of the first episode of each world, under a policy of its own."""
    observations, _ = env.reset(seed=seed)
    scores, is_running = numpy.zeros(env.num_envs), numpy.ones(env.num_envs, bool)
    for _ in range(STEPS):
        actions = numpy.einsum("wao,wo->wa", policies, observations)
        low, high = env.single_action_space.low, env.single_action_space.high
        observations, rewards, terminated, _, _ = env.step(numpy.clip(actions, low, high))
        scores += rewards * is_running
        is_running &= ~terminated
        if not is_running.any():
            break
    return scores


def search(task):
    """Mean scores of the generations; prints how they grow."""
    env = torsor.envs.make(task, CANDIDATES, autoreset_mode="Disabled")
    shape = env.single_action_space.shape[0], env.single_observation_space.shape[0]
    random = numpy.random.default_rng(0)
    mean, spread = numpy.zeros(shape), numpy.ones(shape)
    history = []
    for generation in range(GENERATIONS):
        policies = mean + spread * random.normal(size=(CANDIDATES, *shape))
        scores = scores_of(env, policies, seed=1000 * generation)
        elite = policies[numpy.argsort(scores)[-ELITE:]]
        mean, spread = elite.mean(axis=0), elite.std(axis=0) + 0.02
        history.append(scores.mean())
        print(f"generation {generation:2}: mean score {scores.mean():8.1f}, best {scores.max():8.1f}")
    return history


def main():
    start = time.perf_counter()
    history = search(sys.argv[1] if len(sys.argv) > 1 else "Hopper-v5")
    print(f"from {history[0]:.0f} to {max(history):.0f} in {time.perf_counter() - start:.1f} s")
    if max(history) < 5 * history[0]:
        sys.exit("nothing was learned")


if __name__ == "__main__":
    main()
