"""Level L6: trajectories of both engines from the same state."""

import contextlib

import numpy as np

import compare
import engines
import smooth
import snapshots
import states

STEPS = (200, 40, 8, 1)  # shorter runs only where MuJoCo's own longer run is lost from every state
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
        if method == "RK4":
            model.opt.enableflags &= ~engines.ENABLE_INVDISCRETE  # there is no such inverse
        model.opt.disableflags |= flags


def final_state(engine, model, data, model_shot, state, steps):
    """Position, velocity, activations, histories and time after some steps, as unique quantities."""
    engine.reset(model, data)
    states.apply(data, state)
    engine.step(model, data, steps)
    shot = {name: np.array(getattr(data, name)) for name in ("qpos", "qvel", "act", "plastic", "history", "time")}
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
    """MuJoCo's final state, or None if it diverges, gives up, or depends too much on where it started."""
    side = (judge, pair.judge_model, pair.judge_data, pair.judge_shot)
    try:
        expected = final_state(*side, state, steps)
        diverged = judge.warnings(pair.judge_data).any() or (steps > 1 and _spins_wildly(pair.judge_model, pair.judge_data))
        other = final_state(*side, moved, steps)
        with _moved_bodies(pair.judge_model, SCREENING * tolerance):
            rounded = final_state(*side, state, steps)
    except judge.Error:
        return None
    lost = diverged or any(compare.unstable(expected, end, tolerance) for end in (other, rounded))
    return None if lost else expected


def _spins_wildly(model, data):
    """Whether some joint turns by more than a radian in one step: a run torn apart before the checks notice."""
    return bool(np.max(np.abs(data.qvel), initial=0.0) * model.opt.timestep > 1)


@contextlib.contextmanager
def _moved_bodies(model, size):
    """Changes inertias and places of all bodies by that part of themselves: the backward error of a solve with M,
    which each step makes anew and which an ill-conditioned M turns into far more than a change of the first state does."""
    rng, kept = np.random.default_rng(0), {}
    for name in ("body_inertia", "body_ipos", "body_pos", "dof_armature"):  # a mass beside its subtree's is a switch
        array = getattr(model, name)
        kept[name] = np.array(array)
        array[:] *= 1 + size * rng.choice([-1.0, 1.0], array.shape)
    try:
        yield
    finally:
        for name, array in kept.items():
            getattr(model, name)[:] = array


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
