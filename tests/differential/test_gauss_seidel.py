"""The sweeps of PGS are those of MuJoCo: the same forces after each of them, and as many of them (decision 72)."""

import gymnasium
import numpy as np
import pytest

import rows
import scenes
import solutions
from solutions import PGS
from test_optimality import CONTACT_FEATURES
from test_rows import EVERY_ROW, exact_with

MOST_SWEEPS = 10
STATES = 8
TOLERANCE = 1e-9
ELLIPTIC = 7  # type of a row


def has_a_cone_at_its_tip(data):
    """Whether a contact with an elliptic cone has no force. MuJoCo's sweeps leave the tip along the normal only and can
    stay there for good; ours also leave it along an edge."""
    return any(c.efc_address >= 0 and data.efc_type[c.efc_address] == ELLIPTIC and data.efc_force[c.efc_address] <= 1e-10
               for c in data.contact)


def compare_sweeps(judge, subject, load, seed, judged, **options):
    """Returns how many states and sweeps were equal, and what differed without a reason."""
    duel = solutions.Duel(judge, subject, load, exact_with(solver=PGS, **options))
    rng, equal, differing = np.random.default_rng(seed), 0, []
    for index in range(STATES):
        state, was_stuck = duel.draw(rng, index), False
        for sweeps in range(1, MOST_SWEEPS + 1):
            duel.theirs.opt.iterations = duel.mine.opt.iterations = sweeps
            if not duel.judge_can(state):
                break
            rows.snapshot(subject, duel.mine, duel.my_data, state)
            comparison = rows.Comparison(duel.theirs, duel.their_data, duel.mine, duel.my_data,
                                         solutions.is_sparse(duel.theirs))
            if not duel.their_data.nefc or solutions.too_far(comparison, 1e-3):
                break
            error = rows.error(duel.my_data.qacc, duel.their_data.qacc)
            count = max(1, int(duel.their_data.nisland))
            are_as_many = np.array_equal(np.array(duel.my_data.solver_niter)[:count],
                                         np.array(duel.their_data.solver_niter)[:count])
            was_stuck = was_stuck or has_a_cone_at_its_tip(duel.their_data)
            if duel.theirs.opt.tolerance == 0 and duel.theirs.opt.cone == 1:
                are_as_many = True  # then rounding decides whether a last gain is negative, which ends the sweeps
            if error < TOLERANCE and are_as_many:
                equal += 1
                judged()
            elif not was_stuck:
                differing.append((index, sweeps, error, are_as_many))
    return equal, differing


@pytest.mark.parametrize("tolerance", (0, 1e-6))
@pytest.mark.parametrize("jacobian", (0, 1))
@pytest.mark.parametrize("cone", (0, 1))
def test_forces_of_every_kind_of_row(judge, subject, seed, cone, jacobian, tolerance, judged):
    equal, differing = compare_sweeps(judge, subject, lambda engine: engine.load_string(EVERY_ROW), seed, judged,
                                      cone=cone, jacobian=jacobian, tolerance=tolerance)
    assert equal > (30 if cone == 0 else 5) and not differing, (equal, differing)


@pytest.mark.parametrize("cone", (0, 1))
def test_forces_of_feature_models(judge, subject, seed, cone, judged):
    total, failures = 0, {}
    for path in CONTACT_FEATURES:
        equal, differing = compare_sweeps(judge, subject, lambda engine: engine.load_file(path), seed, judged,  # noqa: B023
                                          cone=cone, tolerance=1e-8)
        total += equal
        if differing:
            failures[scenes.feature_id(path)] = differing
    assert total > 200 and not failures, (total, failures)


@pytest.mark.parametrize("task", ("humanoid.xml", "humanoidstandup.xml"))
def test_steps_and_sweeps_of_gymnasiums_humanoids(judge, subject, task):
    """As they come: pyramids, RK4 and an end by tolerance."""
    path = f"{gymnasium.__path__[0]}/envs/mujoco/assets/{task}"
    model, mine = judge.load_file(path), subject.load_file(path)
    data, my_data = judge.make_data(model), subject.make_data(mine)
    rng, counts, errors = np.random.default_rng(0), [], []
    for step in range(400):
        if step % 100 == 0:
            judge.reset(model, data)
            data.qvel[:] = rng.normal(0, 0.1, model.nv)
        data.ctrl[:] = rng.uniform(-0.4, 0.4, model.nu)
        for name in ("qpos", "qvel", "ctrl", "qacc_warmstart"):
            getattr(my_data, name)[:] = getattr(data, name)
        judge.step(model, data)
        subject.step(mine, my_data)
        if data.nefc:
            assert int(my_data.solver_niter[0]) == int(data.solver_niter[0])
            counts.append(int(data.solver_niter[0]))
            errors.append(np.max(np.abs(my_data.qvel - data.qvel)))
    assert len(errors) > 200 and max(counts) > 10
    assert max(errors) < 1e-10
