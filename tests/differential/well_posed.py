"""States with contacts and limits that can be compared: those where MuJoCo's own result is insensitive to the state."""

import numpy as np

import rows
import states

PERTURBATION = 1e-10


def solve_exactly(model):
    model.opt.tolerance = 0
    model.opt.iterations = 500
    model.opt.ls_iterations = 100


def is_well_posed(judge, model, data, state, rng, tolerance=1e-7):
    def solution(start):
        rows.snapshot(judge, model, data, start)
        return np.array(data.qacc), int(data.nefc)

    exact, count = solution(state)
    moved, other_count = solution(states.perturbed(state, rng, PERTURBATION))
    return count == other_count and rows.error(moved, exact) < tolerance
