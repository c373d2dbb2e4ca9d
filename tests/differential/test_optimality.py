"""Solutions satisfy the optimality conditions of the constraint problem, whatever MuJoCo says."""

import numpy as np
import pytest

import optimality
import rows
import scenes
import solutions
from solutions import CG, NEWTON, PGS
from test_rows import EVERY_ROW, exact_with, heap

TOLERANCE = 1e-8
CG_TOLERANCE = 1e-6
STATES = 20
CONTACT_FEATURES = [path for path in scenes.FEATURES if path.stem.startswith(("contact_", "constraint_", "equality_"))]


def residuals(subject, judge, load, prepare, seed, count=STATES):
    """The worst violation at some states, by name."""
    duel = solutions.Duel(judge, subject, load, prepare)
    rng, worst, seen = np.random.default_rng(seed), {}, 0
    for index in range(count):
        state = duel.draw(rng, index)
        data = rows.snapshot(subject, duel.mine, duel.my_data, state)
        if data.nefc == 0:
            continue
        seen += 1
        found = optimality.Residual(subject, duel.mine, data, solutions.is_sparse(duel.mine)).worst
        worst = {name: max(found.get(name, 0.0), worst.get(name, 0.0)) for name in found | worst}
    return worst, seen


@pytest.mark.parametrize("cone", (0, 1))
@pytest.mark.parametrize("solver", (NEWTON, CG))
@pytest.mark.parametrize("scene", ("every row", "heap"))
def test_forces_are_optimal(subject, judge, seed, scene, solver, cone):
    text = {"every row": EVERY_ROW, "heap": heap(8)}[scene]
    worst, seen = residuals(subject, judge, lambda engine: engine.load_string(text),
                            exact_with(solver=solver, cone=cone, iterations=500 if solver == NEWTON else 20000), seed)
    tolerance = TOLERANCE if solver == NEWTON else CG_TOLERANCE
    assert seen > 10 and max(worst.values()) < tolerance, worst


@pytest.mark.parametrize("path", CONTACT_FEATURES, ids=scenes.feature_id)
def test_forces_of_feature_models_are_optimal(subject, judge, seed, path, judged):
    worst, seen = residuals(subject, judge, lambda engine: engine.load_file(path), exact_with(solver=NEWTON), seed)
    judged(seen)
    judged.screen(STATES - seen)
    assert max(worst.values(), default=0) < TOLERANCE, worst


@pytest.mark.parametrize("cone", (0, 1))
def test_the_dual_solver_stays_inside_the_sets(subject, judge, seed, cone):
    """However few its iterations, no force leaves its set, and accelerations follow from the forces."""
    worst, seen = residuals(subject, judge, lambda engine: engine.load_string(EVERY_ROW),
                            exact_with(solver=PGS, cone=cone, iterations=2), seed)
    for name in ("dynamics", "cone", "push", "friction"):
        assert worst.get(name, 0) < 1e-12, (name, worst)
    assert seen > 10


@pytest.mark.parametrize("row, change", [("force", 1.0 + 1e-5), ("aref", 1.0 + 1e-5), ("R", 1.0 + 1e-3)])
def test_the_check_sees_a_planted_error(subject, judge, seed, row, change):
    duel = solutions.Duel(judge, subject, lambda engine: engine.load_string(EVERY_ROW), exact_with())
    rng = np.random.default_rng(seed)
    for index in range(20):
        data = rows.snapshot(judge, duel.theirs, duel.their_data, duel.draw(rng, index))
        if data.nefc and np.max(np.abs(data.efc_force)) > 1:
            break
    getattr(data, f"efc_{row}")[:] *= change
    assert optimality.Residual(judge, duel.theirs, data, solutions.is_sparse(duel.theirs)).largest() > TOLERANCE
