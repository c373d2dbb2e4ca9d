"""Level L6: trajectories of both engines from the same state."""

import numpy as np

import compare
import engines
import smooth
import snapshots
import states

STEPS = (200, 40, 8, 1)  # shorter runs only where the judge's own longer run is lost from every state
SCREENING = 10 * compare.SCREENING  # every step of a run adds its own rounding, so its start is moved further
MOST_DRAWS = 3  # states drawn for each one that counts
METHODS = {name: (number, 0) for name, number in engines.INTEGRATORS.items()}
METHODS["Euler, explicit damping"] = (engines.INTEGRATORS["Euler"], engines.DISABLE_EULERDAMP)
METHODS["implicitfast, eulerdamp off"] = (engines.INTEGRATORS["implicitfast"], engines.DISABLE_EULERDAMP)


def choose_method(pair, method):
    """Sets the integrator in both models."""
    integrator, flags = METHODS[method]
    for model in (pair.judge_model, pair.subject_model):
        model.opt.integrator = integrator
        model.opt.disableflags |= flags


def final_state(engine, model, data, model_shot, state, steps):
    """Position, velocity and time after some steps, as unique quantities."""
    engine.reset(model, data)
    states.apply(data, state)
    engine.step(model, data, steps)
    shot = {"qpos": np.array(data.qpos), "qvel": np.array(data.qvel), "time": np.array(data.time)}
    return snapshots.unique_data(shot, model_shot)


def compare_runs(judge, subject, pair, method, count, seed):
    """Differences after runs from some states, and how many states counted."""
    choose_method(pair, method)
    for steps in STEPS:
        found, judgement = _compare_runs_of(steps, judge, subject, pair, count, seed)
        if judgement.judged:
            break
    return found, judgement


def _stable_end(judge, pair, state, moved, steps, tolerance):
    """The judge's final state, or None if it diverges, gives up, or depends too much on where it started."""
    side = (judge, pair.judge_model, pair.judge_data, pair.judge_shot)
    try:
        expected = final_state(*side, state, steps)
        diverged = judge.warnings(pair.judge_data).any()
        other = final_state(*side, moved, steps)
    except judge.Error:
        return None
    return None if diverged or compare.unstable(expected, other, tolerance) else expected


def _compare_runs_of(steps, judge, subject, pair, count, seed):
    """Differences after runs of one length."""
    rng, judgement, tolerance = np.random.default_rng(seed), smooth.Judgement(), pair.tolerance()
    for _ in range(MOST_DRAWS * count):
        if judgement.judged == count:
            break
        state = states.random_state(pair.judge_model, rng)
        moved = states.perturbed(state, rng, SCREENING * tolerance)
        expected = _stable_end(judge, pair, state, moved, steps, tolerance)
        if expected is None:
            judgement.screened += 1
            continue
        judgement.judged += 1
        result = final_state(subject, pair.subject_model, pair.subject_data, pair.subject_shot, state, steps)
        found = compare.differences(result, expected, tolerance)
        if found:
            return found, judgement
    return [], judgement
