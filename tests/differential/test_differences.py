"""Derivatives by differences: against whole steps of both engines, and against MuJoCo's own functions."""

import contextlib

import mujoco
import numpy as np
import pytest

import differences
import engines
import judging
import scenes
import states
import torsor

EPS = 1e-6
INTEGRATORS = [0, 1, 2, 3]
MOST_DOFS = 60
# A column is compared if it hardly changes when the step doubles: elsewhere a contact or limit begins or ends within
# the step, and there is no derivative. What is left of that change is truncation and rounding, which sets the
# tolerance, with what a solver that stops at rounding leaves of its start.
SMOOTH = 1e-5
NOISE = 20
FLOOR = 1e-7  # rounding of one number by the step: 1e-16 / 1e-6, and what stiff constraints make of it
LARGE_FORCE = 1e8  # N; a row between bodies that hardly move has a weight of 1e14
SAME_STEP = 1e-9  # engines whose steps differ more (other points of contact) have other derivatives


SIZE, FORCES = "no dofs, or too many for differences of whole steps", "rows with forces beyond reason at every state"
STATIC = "MuJoCo cannot step this model"  # contacts between static bodies
NOTHING_TO_JUDGE = {"replicate": SIZE, "attach_replicated": FORCES}
REFUSED_DELAYS = "MuJoCo refuses derivatives of models with delays"
REFUSED_NOSLIP = "MuJoCo refuses inverse derivatives with noslip"


class CannotJudge(Exception):
    """This model has no state at which derivatives can be compared; the message says why."""


class Bench:
    """One model in both engines, at the same state."""

    def __init__(self, path, integrator, seed=0):
        self.engines = engines.judge(), engines.subject()
        self.models = [engine.load_file(path) for engine in self.engines]
        for model in self.models:
            model.opt.integrator, model.opt.tolerance, model.opt.iterations = integrator, 0, 200
        rng = np.random.default_rng(seed)
        judge, model = self.engines[0], self.models[0]
        self.state = states.rolled_out(judge, model, judge.make_data(model), states.random_state(model, rng))
        self.datas = [engine.make_data(model) for engine, model in zip(self.engines, self.models)]
        self.place()

    def place(self):
        for engine, model, data in zip(self.engines, self.models, self.datas):
            engine.reset(model, data)
            states.apply(data, self.state)

    def steps(self, side):
        return differences.Steps(self.engines[side], self.models[side], self.datas[side])

    def transition(self, **options):
        return differences.as_columns(*torsor.transition_derivatives(self.models[1], self.datas[1], EPS, **options))


def loaded(path, integrator, seeds=range(6)):
    """At the first state whose forces are not so large that their rounding alone moves the bodies."""
    if not 0 < engines.judge().load_file(path).nv <= MOST_DOFS:
        raise CannotJudge(SIZE)
    for seed in seeds:
        try:
            bench = Bench(path, integrator, seed)
        except mujoco.FatalError as error:  # such as contacts between static bodies
            raise CannotJudge(STATIC) from error
        if np.abs(bench.steps(1).forces()).max(initial=0) < LARGE_FORCE:
            return bench
    raise CannotJudge(FORCES)


@pytest.fixture
def cannot_judge(judged):
    """Tells the counter why a model is not compared: it fails unless the model is listed with that reason."""
    @contextlib.contextmanager
    def context(path):
        judged.expect_nothing(NOTHING_TO_JUDGE.get(path.stem))
        try:
            yield
        except CannotJudge as reason:
            assert NOTHING_TO_JUDGE.get(path.stem) == str(reason), f"{path.stem} is not listed: {reason}"
    return context


def rounding_of(steps):
    """How far columns of differences scatter by rounding alone, which is seen when the step of differences changes."""
    one = steps.columns(EPS)
    return np.max([np.abs(steps.columns(factor * EPS) - one).max(axis=0, initial=0) for factor in (2, 3)], axis=0)


def wrong_columns(result, one, two, noise):
    """How many columns were compared, and their errors. noise is what may be added to a column."""
    scale = 1 + np.abs(one).max(axis=0, initial=0)
    change = np.abs(one - two).max(axis=0, initial=0) / scale
    error = np.abs(result - one).max(axis=0, initial=0) / scale
    judged = change < SMOOTH
    wrong = judged & ~(error <= NOISE * change + FLOOR + noise / scale)
    return judged.sum(), {int(i): (float(error[i]), float(change[i])) for i in np.flatnonzero(wrong)}


def check_against_steps(path, integrator, judged):
    bench = loaded(path, integrator)
    result = bench.transition()
    sides = [bench.steps(0), bench.steps(1)]
    after = [np.concatenate(side.after({})) for side in sides]
    same = np.abs(after[0] - after[1]).max(initial=0) <= SAME_STEP * (1 + np.abs(after[0]).max(initial=0))
    own = rounding_of(sides[1]) if same else 0  # of the result: MuJoCo's differences do not show it
    for side in ([0, 1] if same else [1]):
        one, two = sides[side].columns(EPS), sides[side].columns(2 * EPS)
        count, wrong = wrong_columns(result, one, two, sides[side].noise(EPS) + (2 * own if side == 0 else 0))
        judged(count)
        judged.screen(result.shape[1] - count)
        assert not wrong, f"{bench.engines[side].name}: {wrong}"


@pytest.mark.parametrize("path", scenes.FEATURES, ids=scenes.feature_id)
def test_columns_are_differences_of_whole_steps(path, judged, cannot_judge):
    with cannot_judge(path):
        for integrator in INTEGRATORS:
            check_against_steps(path, integrator, judged)


LENGTH_RANGE = "MuJoCo 4.0 does not find the length range of a muscle in this model, whose side sites were placed for 3.x"


def test_collected_models_too(collected, judged):
    if collected.parts[-3:] == ("mujoco", "tendon_arm", "arm26.xml"):
        with pytest.raises(ValueError, match="Lengthrange computation did not converge"):
            engines.judge().load_file(collected)
        return judged.expect_nothing(f"collected models: {LENGTH_RANGE}")
    try:
        check_against_steps(collected, 0, judged)
    except CannotJudge as reason:
        judged.expect_nothing(f"collected models: {reason}")


HUMANOID = [path for path in scenes.collection() if str(path).endswith("mujoco/humanoid/humanoid.xml")][:1]
with_the_humanoid = pytest.mark.parametrize("humanoid", judging.collected(HUMANOID, scenes.feature_id))


def in_contact(path, integrator=0, cone=0):
    """MuJoCo's humanoid on its feet, moving, in both engines."""
    bench = Bench(path, integrator)
    (judge, subject), (model, _), (data, _) = bench.engines, bench.models, bench.datas
    for each in bench.models:
        each.opt.cone = cone
    judge.reset_keyframe(model, data, 0)
    data.qvel[:] += np.random.default_rng(1).normal(0, 0.1, model.nv)
    for step in range(150):
        data.ctrl[:] = 0.3 * np.sin(step / 20 + np.arange(model.nu))
        judge.step(model, data)
    assert data.ncon >= 3
    bench.state = {name: np.array(getattr(data, name)) for name in differences.KEPT}
    bench.place()
    return bench


@with_the_humanoid
@pytest.mark.parametrize("centered", [True, False])
@pytest.mark.parametrize("cone", [0, 1])
@pytest.mark.parametrize("integrator", [0, 2, 3])
def test_the_humanoid_in_contact_has_mujocos_derivatives(humanoid, integrator, cone, centered):
    bench = in_contact(humanoid, integrator, cone)
    expected = differences.transition_of_judge(bench.models[0], bench.datas[0], EPS, centered)
    result = torsor.transition_derivatives(bench.models[1], bench.datas[1], EPS, centered)
    assert np.abs(expected[0]).max() > 10  # stiff contact
    for ours, theirs in zip(result, expected):  # both have the truncation of the same differences: rounding is left
        assert np.abs(ours - theirs).max(initial=0) <= 1e-7 * (1 + np.abs(theirs).max(initial=0))


@with_the_humanoid
@pytest.mark.parametrize("cone", [0, 1])
def test_reused_stages_change_rounding_only(humanoid, cone):
    bench = in_contact(humanoid, cone=cone)
    result, whole = bench.transition(), bench.transition(reuse=False)
    one_number = 2.2e-16 / EPS  # what rounding does to a number of the size of one
    assert np.abs(result - whole).max() <= 5 * one_number * np.abs(whole).max()
    model, data = bench.models[1], bench.datas[1]
    for compute, differentiated in ((torsor.forward_derivatives, "qacc"), (torsor.inverse_derivatives, "qfrc_inverse")):
        pair = [compute(model, data, reuse=reuse) for reuse in (True, False)]
        torsor.forward(model, data)
        torsor.inverse(model, data)
        rounding = 5 * one_number * np.abs(getattr(data, differentiated)).max()
        for ours, theirs in zip(*pair):
            assert np.abs(ours - theirs).max(initial=0) <= 1e-8 * np.abs(theirs).max(initial=0) + rounding


# Where MuJoCo reuses a factor of its implicit step that the input changes, it differs from its own steps.
@pytest.mark.parametrize("path", scenes.FEATURES, ids=scenes.feature_id)
def test_derivatives_equal_mujocos_where_those_agree_with_its_own_steps(path, judged, cannot_judge):
    with cannot_judge(path):
        check_against_judge(loaded(path, 0), judged)


def check_against_judge(bench, judged):
    model = bench.models[0]
    if model.nhistory:
        return judged.expect_nothing(REFUSED_DELAYS)
    if model.nplastic:
        return judged.expect_nothing("MuJoCo's function goes on from what springs yielded in its trial steps")
    result = bench.transition()
    expected = differences.as_columns(*differences.transition_of_judge(model, bench.datas[0], EPS, True))
    steps = [bench.steps(side) for side in (0, 1)]
    after = [np.concatenate(side.after({})) for side in steps]
    if np.abs(after[0] - after[1]).max() > SAME_STEP * (1 + np.abs(after[0]).max()):
        return judged.screen()
    one, two = steps[0].columns(EPS), steps[0].columns(2 * EPS)
    _, not_its_steps = wrong_columns(expected, one, two, steps[0].noise(EPS))
    count, wrong = wrong_columns(result, expected, two, steps[0].noise(EPS) + 2 * rounding_of(steps[1]))
    judged(count)
    judged.screen(result.shape[1] - count)
    assert not wrong.keys() - not_its_steps.keys(), wrong
    return None


INVERSE_TERMS = ("qfrc_inverse", "qfrc_bias", "qfrc_passive", "qfrc_constraint", "efc_force", "qfrc_spring")


@pytest.mark.parametrize("path", scenes.FEATURES, ids=scenes.feature_id)
def test_inverse_dynamics(path, judged, cannot_judge):
    with cannot_judge(path):
        check_inverse(loaded(path, 0), judged)


def check_inverse(bench, judged):
    if bench.models[0].opt.noslip_iterations:
        return judged.expect_nothing(REFUSED_NOSLIP)
    for engine, model, data in zip(bench.engines, bench.models, bench.datas):
        data.qacc[:] = bench.state["qacc"]
        engine.inverse(model, data)
    forces = [np.array(data.qfrc_inverse) for data in bench.datas]
    if np.abs(forces[0] - forces[1]).max() > 1e-9 * (1 + np.abs(forces[0]).max()):
        return judged.screen()  # other points of contact
    terms = [np.abs(getattr(bench.datas[0], name)).max(initial=0) for name in INVERSE_TERMS]
    noise = 16 * 2.2e-16 * max(terms) / EPS  # a few roundings of the largest term, on either side of a difference
    results = [torsor.inverse_derivatives(bench.models[1], bench.datas[1], eps, centered=False)
               for eps in (EPS, 2 * EPS)]
    expected = differences.inverse_of_judge(bench.models[0], bench.datas[0], EPS)
    for ours, twice, theirs in zip(*results, expected):
        scale = 1 + np.abs(theirs).max(axis=0)
        smooth = np.abs(ours - twice).max(axis=0) < 1e-3 * scale  # of first order: truncation is larger here
        allowed = 1e-7 * scale + 1e-9 * scale.max() + noise
        judged(smooth.sum())
        judged.screen((~smooth).sum())
        assert (np.abs(ours - theirs).max(axis=0)[smooth] <= allowed[smooth]).all()
    return None
