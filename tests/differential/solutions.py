"""Levels L3 to L5 at many states of one model: what differs between the engines, where MuJoCo itself is sure."""

import dataclasses

import numpy as np

import rows
import states

CONTACT_TOLERANCE = 1e-7
ROW_TOLERANCE = 1e-8
SOLUTION_TOLERANCE = 1e-6
SCREENING = 0.1  # a state counts if MuJoCo itself moves by less than this part of a tolerance
PERTURBATION = 1e-10
DISABLE_ISLAND = 1 << 18
NEWTON, CG, PGS = 2, 1, 0
FREE = 0
ELLIPTIC = 1


@dataclasses.dataclass
class Judgement:
    """What was found at the states of one model."""

    drawn: int = 0
    states: int = 0  # of those drawn, which MuJoCo can compute
    judged: int = 0  # states whose solution counted
    contacts: int = 0
    rows: int = 0
    unfinished: int = 0  # states where MuJoCo's conjugate gradients came to an end and ours did not
    inexact: int = 0  # states where forces after noslip cost less than MuJoCo's
    failures: list = dataclasses.field(default_factory=list)

    def add_to(self, judged):
        judged(self.judged)
        judged.screen(self.drawn - self.judged)

    def report(self, title):
        return f"{title}: {len(self.failures)} of {self.states} states differ\n  " + "\n  ".join(self.failures[:6])


def solve_exactly(model):
    """Many iterations, no early end."""
    model.opt.tolerance = 0
    model.opt.iterations = 500
    model.opt.ls_iterations = 100


def is_sparse(model):
    return model.opt.jacobian == 1 or (model.opt.jacobian == 2 and model.nv >= 60)


def crowded(model, state, share):
    """The same state with free bodies nearer to the origin, where they touch."""
    qpos = np.array(state["qpos"])
    for kind, start in zip(model.jnt_type, model.jnt_qposadr):
        if kind == FREE:
            qpos[start:start + 3] *= share
    return {**state, "qpos": qpos}


def too_far(comparison, part=1.0):
    """Contacts and rows that differ by more than (part of) their tolerance."""
    return {name: value for name, value in comparison.errors.items()
            if not value <= part * (CONTACT_TOLERANCE if name.startswith("contact ") else ROW_TOLERANCE)}


class Duel:
    """Both engines with one model each, brought to the same states."""

    def __init__(self, judge, subject, load, prepare=solve_exactly, states_of=None):
        self.judge, self.subject, self.prepare = judge, subject, prepare
        self.theirs, self.mine = load(judge), load(subject)
        for model in (self.theirs, self.mine):
            prepare(model)
        self.their_data, self.my_data = judge.make_data(self.theirs), subject.make_data(self.mine)
        self.other = judge.make_data(self.theirs)
        self.draw = states_of or self.random_state
        self.flags = int(self.theirs.opt.disableflags)

    def random_state(self, rng, index):
        """Anywhere, crowded, and after a few steps of MuJoCo from there."""
        state = crowded(self.theirs, states.random_state(self.theirs, rng), (1.0, 0.3)[index // 2 % 2])
        try:
            return states.rolled_out(self.judge, self.theirs, self.other, state, 3) if index % 2 else state
        except self.judge.Error:  # it gives up on contacts between static bodies while it looks for islands
            return state

    def run(self, count, seed, with_islands=None):
        """Compares some states; islands in turns on and off unless told."""
        rng, judgement = np.random.default_rng(seed), Judgement()
        for index in range(count):
            islands = index % 4 < 2 if with_islands is None else with_islands
            for model in (self.theirs, self.mine):
                model.opt.disableflags = self.flags | (0 if islands else DISABLE_ISLAND)
            state = self.draw(rng, index)
            judgement.drawn += 1
            if not self.judge_can(state):
                continue
            rows.snapshot(self.subject, self.mine, self.my_data, state)
            judgement.states += 1
            judgement.contacts += int(self.their_data.ncon)
            judgement.rows += int(self.their_data.nefc)
            found = self.differences(state, islands, rng, judgement)
            if found:
                judgement.failures.append(
                    f"state {index}: " + ", ".join(f"{name} off by {value:.1e}" for name, value in found.items()))
        return judgement

    def judge_can(self, state):
        """Whether MuJoCo has a result and a sane one, and its contacts are of pairs that have one answer. Without dofs
        it does not say why contacts have no rows."""
        if self.theirs.nv == 0:
            return False
        try:
            rows.snapshot(self.judge, self.theirs, self.their_data, state)
        except self.judge.Error:
            return False
        sane = np.all(np.isfinite(self.their_data.qacc)) and not self.judge.warnings(self.their_data).any()
        if not sane:
            self.judge.reset(self.theirs, self.their_data)
        return sane and rows.are_analytic(self.theirs, self.their_data) and not self.has_idle_rows(
            self.theirs, self.their_data)

    @staticmethod
    def has_idle_rows(model, data, above=-1.0):
        """Rows that no dof moves but for rounding: MuJoCo keeps or drops them by exact zeros. Its dense form also
        keeps contacts between bodies that are fixed to each other, its sparse form (and ours) excludes these."""
        J = np.abs(rows.dense_jacobian(model, data, is_sparse(model)))
        largest = np.max(J, axis=1, initial=0.0)
        return bool(np.any((largest > above) & (largest < 1e-12)))

    def differences(self, state, islands, rng, judgement):
        comparison = rows.Comparison(self.theirs, self.their_data, self.mine, self.my_data, is_sparse(self.theirs))
        found, compared = too_far(comparison), dict(comparison.solution)
        moved = states.perturbed(state, rng, PERTURBATION)
        if found:
            screened = (self.rows_move(moved) or self.has_idle_rows(self.mine, self.my_data, above=0.0)
                        or not rows.are_analytic(self.mine, self.my_data))
            return {} if screened else found
        if islands or self.theirs.opt.solver == PGS or self.theirs.opt.noslip_iterations:
            compared.pop("efc_state", None)  # MuJoCo then leaves states that are not those of its forces
        if all(value <= SOLUTION_TOLERANCE for value in compared.values()):
            judgement.judged += 1
            return {}
        if not self.solution_holds(moved) or not self.has_converged(state):
            return {}
        if self.mine.opt.solver == CG and self.is_better_by_newton(state):
            judgement.unfinished += 1
            return {}
        if self.theirs.opt.noslip_iterations and self.costs_less(state):
            judgement.inexact += 1
            return {}
        judgement.judged += 1
        return {name: value for name, value in compared.items() if not value <= SOLUTION_TOLERANCE}

    def rows_move(self, moved):
        """Whether MuJoCo's own contacts or rows jump with the state."""
        rows.snapshot(self.judge, self.theirs, self.other, moved)
        drift = rows.Comparison(self.theirs, self.their_data, self.theirs, self.other, is_sparse(self.theirs))
        return bool(too_far(drift, SCREENING))

    def solution_holds(self, moved):
        """Whether MuJoCo's own solution hardly moves with the state."""
        rows.snapshot(self.judge, self.theirs, self.other, moved)
        if not np.array_equal(self.other.efc_state, self.their_data.efc_state):
            return False
        pairs = [(self.other.qacc, self.their_data.qacc), (self.other.efc_force, self.their_data.efc_force)]
        return all(rows.error(a, b) < SCREENING * SOLUTION_TOLERANCE for a, b in pairs)

    def has_converged(self, state):
        """Whether MuJoCo's slower solvers came as far as its Newton solver does."""
        solver = int(self.theirs.opt.solver)
        if solver == NEWTON:
            return True
        self.theirs.opt.solver = NEWTON
        rows.snapshot(self.judge, self.theirs, self.other, state)
        self.theirs.opt.solver = solver
        if solver == CG and not np.array_equal(self.other.efc_state, self.their_data.efc_state):
            return False
        return rows.error(self.their_data.efc_force, self.other.efc_force) < SCREENING * SOLUTION_TOLERANCE

    def is_better_by_newton(self, state):
        """Whether our Newton solver finds what MuJoCo found: few hundred conjugate directions need not get there, and
        after some changes of zones it is rounding that says how many do."""
        self.mine.opt.solver = NEWTON
        rows.snapshot(self.subject, self.mine, self.my_data, state)
        self.mine.opt.solver = CG
        return rows.error(self.my_data.qacc, self.their_data.qacc) <= SOLUTION_TOLERANCE


    def costs_less(self, state):
        """Whether our forces without slip are in their cones and cost less than MuJoCo's, whose small problems of one
        cone each can end before they are solved."""
        if self.theirs.opt.cone != ELLIPTIC:
            return False
        rows.snapshot(self.subject, self.mine, self.my_data, state)
        costs = [rows.cost_without_slip(engine, model, data, is_sparse(model)) for engine, model, data in (
            (self.judge, self.theirs, self.their_data), (self.subject, self.mine, self.my_data))]
        return costs[1] < costs[0] and rows.excess_of_cones(self.my_data) < 1e-12


def reached(duel, rng, index):
    """Where MuJoCo is after some steps from a keyframe or the reference pose, with random controls."""
    engine, model, data = duel.judge, duel.theirs, duel.other
    if model.nkey and index % 3:
        engine.reset_keyframe(model, data, int(rng.integers(model.nkey)))
    else:
        engine.reset(model, data)
    low, high = np.array(model.actuator_ctrlrange).reshape(-1, 2).T
    limited = np.array(model.actuator_ctrllimited).astype(bool)
    state = states.random_state(model, rng)
    ctrl = np.where(limited, rng.uniform(np.minimum(low, high), np.maximum(low, high) + 1e-12), state["ctrl"])
    kept = {name: np.array(getattr(data, name)) for name in state if name != "time"}
    kept.update(time=float(data.time), ctrl=ctrl, qacc=state["qacc"])
    return states.rolled_out(engine, model, data, kept, int(rng.integers(1, 200)))
