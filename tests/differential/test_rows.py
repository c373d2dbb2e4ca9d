"""Levels L3 to L5: contacts, rows and their solution equal the judge's at random states."""

import numpy as np
import pytest

import rows
import scenes
import states

STATES = 20
CONTACT_TOLERANCE = 1e-7
ROW_TOLERANCE = 1e-8
SOLUTION_TOLERANCE = 1e-6
SCREENING = 0.1  # a state counts if the judge itself moves by less than this part of a tolerance
PERTURBATION = 1e-10
DISABLE_ISLAND = 1 << 18


def solve_exactly(model):
    model.opt.tolerance = 0
    model.opt.iterations = 500
    model.opt.ls_iterations = 100


def is_well_posed(judge, model, data, state, rng):
    """Whether the judge's own solution hardly moves with the state."""
    def solution(start):
        rows.snapshot(judge, model, data, start)
        return np.array(data.qacc), int(data.nefc)

    exact, count = solution(state)
    moved, other_count = solution(states.perturbed(state, rng, PERTURBATION))
    return count == other_count and rows.error(moved, exact) < SCREENING * SOLUTION_TOLERANCE


def check_rows(judge, subject, load, seed, title):
    theirs, mine = load(judge), load(subject)
    for model in (theirs, mine):
        solve_exactly(model)
    their_data, my_data, other = judge.make_data(theirs), subject.make_data(mine), judge.make_data(theirs)
    sparse = theirs.opt.jacobian == 1 or (theirs.opt.jacobian == 2 and theirs.nv >= 60)
    rng = np.random.default_rng(seed)
    judged, failures, flags = 0, [], theirs.opt.disableflags
    for index in range(STATES):
        state = states.random_state(theirs, rng)
        with_islands = index % 4 < 2
        for model in (theirs, mine):
            model.opt.disableflags = flags | (0 if with_islands else DISABLE_ISLAND)
        if index % 2:
            state = states.rolled_out(judge, theirs, other, state, 3)
        rows.snapshot(judge, theirs, their_data, state)
        rows.snapshot(subject, mine, my_data, state)
        comparison = rows.Comparison(theirs, their_data, mine, my_data, sparse)
        tolerance = {name: CONTACT_TOLERANCE if name.startswith("contact ") else ROW_TOLERANCE
                     for name in comparison.errors}
        found = {name: value for name, value in comparison.errors.items() if value > tolerance[name]}
        if not found and is_well_posed(judge, theirs, other, state, rng):
            judged += 1
            if with_islands:  # the judge then leaves states in efc_state that are not those of its forces
                comparison.solution.pop("efc_state")
            found = {name: value for name, value in comparison.solution.items() if value > SOLUTION_TOLERANCE}
        if found:
            failures.append(f"state {index}: " + ", ".join(f"{name} off by {value:.1e}" for name, value in found.items()))
    assert not failures, f"{title}: {len(failures)} states differ\n  " + "\n  ".join(failures[:6])
    return judged


def test_feature_model_has_the_same_rows_and_solution(judge, subject, seed, feature):
    check_rows(judge, subject, lambda engine: engine.load_file(feature), seed, feature.name)
