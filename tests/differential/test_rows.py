"""Levels L3 to L5: contacts, rows and their solution equal MuJoCo's at random states."""

import xml.etree.ElementTree as ET

import numpy as np
import pytest

import rows
import scenes
import solutions
from solutions import CG, NEWTON, PGS

STATES = 20
RANDOM_MODELS = scenes.RANDOM_MODELS // 5
STATES_OF_RANDOM = 6
STATES_OF_COLLECTED = 4
MOST_DOFS = 60  # of collected models in a run that should not take long
MANY_SWEEPS = 20000  # of the dual solver, which converges slowly where equalities and contacts fight
DISABLE = {"constraint": 1 << 0, "equality": 1 << 1, "frictionloss": 1 << 2, "limit": 1 << 3, "contact": 1 << 4,
           "warmstart": 1 << 9, "filterparent": 1 << 10, "refsafe": 1 << 12, "midphase": 1 << 14, "island": 1 << 18}
LEAVE_THE_RESULT = {"warmstart", "island", "midphase"}
ENABLE_OVERRIDE = 1 << 0

NOT_UNIQUE = "collected models with contacts of pairs that keep points by choice at every state"
NOTHING_TO_JUDGE = {"attach_replicated": "boxes in each other at every state: MuJoCo's points jump with the state"}

# Every kind of row, several trees, geoms that overlap with those of their parent, references faster than two steps.
EVERY_ROW = """
<mujoco>
  <compiler angle="radian"/>
  <option timestep="0.004" o_margin="0.05" o_solref="0.03 0.8" o_solimp="0.8 0.9 0.01 0.4 3"
          o_friction="0.5 0.4 0.1 0.2 0.3"/>
  <default><geom friction="0.7 0.02 0.01"/></default>
  <worldbody>
    <geom name="floor" type="plane" size="5 5 1" pos="0 0 -0.3"/>
    <body name="arm" pos="0 0 0.1">
      <joint name="shoulder" type="ball" limited="true" range="0 0.8" frictionloss="3"/>
      <geom type="capsule" fromto="0 0 0 0 0.1 -0.4" size="0.05" solref="0.004 1"/>
      <body name="forearm" pos="0 0.1 -0.4">
        <joint name="elbow" axis="1 0.2 0" limited="true" range="-0.5 0.5" frictionloss="2" margin="0.1"/>
        <joint name="rail" type="slide" axis="0 1 1" limited="true" range="-0.1 0.1" solreflimit="0.005 1"/>
        <geom type="sphere" size="0.12" condim="4"/>
        <site name="hand" pos="0 0.2 0"/>
      </body>
    </body>
    <body name="ball" pos="0.2 0 0"><freejoint/><geom type="sphere" size="0.3" condim="6" margin="0.02"/></body>
    <body name="rod" pos="-0.2 0.1 0"><freejoint/><geom type="capsule" size="0.15 0.3" condim="1"/>
      <site name="tip" pos="0 0 0.2"/></body>
    <body name="post" pos="0.5 0.5 0"><joint name="turn" axis="0 0 1" frictionloss="2"/>
      <geom type="sphere" size="0.1" pos="0.1 0 0"/></body>
  </worldbody>
  <tendon>
    <spatial name="string" limited="true" range="0 0.4" frictionloss="0.2"><site site="hand"/><site site="tip"/></spatial>
    <fixed name="belt" frictionloss="0.1"><joint joint="elbow" coef="1"/><joint joint="turn" coef="-0.5"/></fixed>
  </tendon>
  <equality>
    <connect body1="rod" body2="ball" anchor="0.1 0 0.2" solref="0.005 1"/>
    <weld body1="ball" body2="post" torquescale="0.3" active="false"/>
    <joint joint1="turn" joint2="elbow" polycoef="0.1 0.5 0.2"/>
    <tendon tendon1="belt" polycoef="0.05"/>
  </equality>
</mujoco>"""


def check(judge, subject, load, title, seed, judged, count=STATES, prepare=solutions.solve_exactly, with_islands=None):
    judgement = solutions.Duel(judge, subject, load, prepare).run(count, seed, with_islands)
    judgement.add_to(judged)
    assert not judgement.failures, judgement.report(title)
    return judgement


def exact_with(**options):
    """Exact solving with other options."""
    def prepare(model):
        solutions.solve_exactly(model)
        for name, value in options.items():
            setattr(model.opt, name, value)
    return prepare


def test_feature_model_has_the_same_rows_and_solution(judge, subject, seed, feature, judged):
    judged.expect_nothing(NOTHING_TO_JUDGE.get(feature.stem))
    check(judge, subject, lambda engine: engine.load_file(feature), feature.name, seed, judged)


def names_a_joint_twice(text):
    """Whether a fixed tendon does; MuJoCo's dense Jacobian then forgets one of the two, its sparse one does not."""
    for tendon in ET.fromstring(text).iterfind("tendon/fixed"):
        joints = [part.get("joint") for part in tendon.iterfind("joint")]
        if len(joints) > len(set(joints)):
            return True
    return False


@pytest.mark.parametrize("start", range(0, RANDOM_MODELS, 20))
def test_random_models_have_the_same_rows_and_solution(judge, subject, seed, start, judged):
    """Constraints on, with the options that each model was given, solved exactly by Newton or CG."""
    touching = unfinished = 0
    for number in range(seed + start, seed + start + 20):
        def prepare(model, number=number):
            solutions.solve_exactly(model)
            model.opt.solver = (NEWTON, CG)[number % 2]
            model.opt.noslip_iterations = 0
            model.opt.disableflags &= ~1
            rows.keep_types(model, (rows.PLANE, rows.SPHERE, (rows.CAPSULE, rows.BOX)[number % 3 == 0]))

        text = scenes.random_text(number)
        if names_a_joint_twice(text):
            judged.screen(STATES_OF_RANDOM)
            continue
        judgement = check(judge, subject, lambda engine: engine.load_string(text), f"random model of seed {number}",
                          number, judged, STATES_OF_RANDOM, prepare)
        touching += judgement.contacts
        unfinished += judgement.unfinished
    assert judged.cases > 40 and touching > 0 and unfinished <= 2


@pytest.mark.parametrize("jacobian", (0, 1))
@pytest.mark.parametrize("cone", (0, 1))
@pytest.mark.parametrize("solver", (NEWTON, CG))
def test_primal_solvers_find_the_same_solution(judge, subject, seed, solver, cone, jacobian, judged):
    prepare = exact_with(solver=solver, cone=cone, jacobian=jacobian)
    judgement = check(judge, subject, lambda engine: engine.load_string(EVERY_ROW), "every row", seed, judged, 60, prepare)
    assert judgement.judged > 30 and judgement.contacts > 60


@pytest.mark.parametrize("cone", (0, 1))
def test_the_dual_solver_finds_the_same_solution(judge, subject, seed, cone, judged):
    """With elliptic cones MuJoCo's own dual solver stops far from the optimum at many states, which don't count."""
    prepare = exact_with(solver=PGS, cone=cone, iterations=MANY_SWEEPS)
    judgement = check(judge, subject, lambda engine: engine.load_string(EVERY_ROW), "every row", seed, judged, 40, prepare)
    assert judgement.judged > 10 and judgement.inexact <= 4


@pytest.mark.parametrize("cone", (0, 1))
def test_the_dual_solver_finds_the_solution_of_the_primal_one(judge, subject, seed, cone):
    load = lambda engine: engine.load_string(EVERY_ROW)  # noqa: E731
    primal, dual = (solutions.Duel(judge, subject, load, exact_with(solver=solver, cone=cone, iterations=MANY_SWEEPS))
                    for solver in (NEWTON, PGS))
    rng = np.random.default_rng(seed)
    errors = []
    for index in range(20):
        state = primal.draw(rng, index)
        expected = rows.snapshot(judge, primal.theirs, primal.their_data, state)
        errors.append(rows.error(rows.snapshot(subject, dual.mine, dual.my_data, state).qacc, expected.qacc))
    assert max(errors) < 1e-6, errors


@pytest.mark.parametrize("cone", (0, 1))
@pytest.mark.parametrize("solver", (NEWTON, CG, PGS))
def test_noslip_changes_the_solution_alike(judge, subject, seed, solver, cone, judged):
    iterations = MANY_SWEEPS if solver == PGS else 500
    prepare = exact_with(solver=solver, cone=cone, iterations=iterations, noslip_iterations=5, noslip_tolerance=0)
    judgement = check(judge, subject, lambda engine: engine.load_string(EVERY_ROW), "every row", seed, judged, 40, prepare)
    assert judgement.judged > 10 and judgement.inexact <= 4


@pytest.mark.parametrize("flag", DISABLE)
def test_a_flag_switches_the_same_rows_off(judge, subject, seed, flag, judged):
    plain, switched = exact_with(), exact_with(disableflags=DISABLE[flag])
    load = lambda engine: engine.load_string(EVERY_ROW)  # noqa: E731
    check(judge, subject, load, f"{flag} off", seed, judged, prepare=switched, with_islands=True)
    duel = [solutions.Duel(judge, judge, load, prepare) for prepare in (plain, switched)]
    changed = _differ_somewhere(duel, seed)
    assert changed == (flag not in LEAVE_THE_RESULT), f"the scene does not show what {flag} does"


def _differ_somewhere(duel, seed):
    """Whether two settings of MuJoCo lead to different accelerations at some state."""
    rng = np.random.default_rng(seed)
    for index in range(STATES):
        state = duel[0].draw(rng, index)
        results = [np.array(rows.snapshot(judge, each.theirs, each.their_data, state).qacc)
                   for each in duel for judge in (each.judge,)]
        if rows.error(*results) > 1e-3:
            return True
    return False


def test_override_replaces_the_same_numbers(judge, subject, seed, judged):
    check(judge, subject, lambda engine: engine.load_string(EVERY_ROW), "override", seed, judged,
          prepare=exact_with(enableflags=ENABLE_OVERRIDE))


def heap(count):
    """Free bodies of several shapes, enough of them for the sparse Jacobian."""
    shapes = ('type="sphere" size="0.25"', 'type="capsule" size="0.15 0.2"')
    bodies = "".join(f'<body pos="{i % 4 * 0.4} {i // 4 % 4 * 0.4} {i // 16 * 0.4 + 0.2}"><freejoint/>'
                     f'<geom {shapes[i % 2]} condim="{(1, 3, 4, 6)[i % 4]}"/></body>' for i in range(count))
    return f'<mujoco><worldbody><geom type="plane" size="9 9 1"/>{bodies}</worldbody></mujoco>'


@pytest.mark.parametrize("jacobian", (0, 1, 2))
@pytest.mark.parametrize("cone", (0, 1))
def test_large_model_has_the_same_rows_and_solution(judge, subject, seed, cone, jacobian, judged):
    judgement = check(judge, subject, lambda engine: engine.load_string(heap(12)), "heap", seed, judged, 12,
                      exact_with(cone=cone, jacobian=jacobian))
    assert judgement.judged > 6 and judgement.contacts > 60


@pytest.mark.large_models_are_long(MOST_DOFS)
def test_collected_model_has_the_same_rows_and_solution(judge, subject, seed, collected, judged):
    """States that MuJoCo reaches from its keyframes or its reference pose, under random controls."""
    def prepare(model):
        solutions.solve_exactly(model)
        model.opt.noslip_iterations = 0

    if collected.name == "arm26.xml":  # as in test_differences.py
        with pytest.raises(ValueError, match="Lengthrange computation did not converge"):
            judge.load_file(collected)
        return judged.expect_nothing("collected models: MuJoCo 4.0 does not find the length range of a muscle in this model")
    load = lambda engine: engine.load_file(collected, ("deformable", "extension"))  # noqa: E731
    duel = solutions.Duel(judge, subject, load, prepare)
    duel.draw = lambda rng, index: solutions.reached(duel, rng, index)
    judgement = duel.run(STATES_OF_COLLECTED, seed)
    judgement.add_to(judged)
    if not judgement.judged:
        judged.expect_nothing(NOT_UNIQUE)
    assert not judgement.failures, judgement.report(collected.name)
