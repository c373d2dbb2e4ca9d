"""Inverse dynamics with constraints: it explains forward dynamics and equals MuJoCo's, in discrete time too."""

import numpy as np
import pytest

import engines
import rows
import scenes
import states
from judging import Judged
from well_posed import is_well_posed, solve_exactly

STATES = 12
TOLERANCE = 1e-6
FWDINV, INVDISCRETE, DIAGEXACT = 1 << 2, 1 << 3, 1 << 5
MODELS = [path for path in scenes.FEATURES
          if path.stem.startswith(("contact_", "constraint_", "equality_", "tendon_limits", "joint_limits"))]
NOTHING_TO_JUDGE = {}
model_of = pytest.mark.parametrize("path", MODELS, ids=scenes.feature_id)


def applied_force(engine, model, data):
    force = np.array(data.qfrc_applied) + np.array(data.qfrc_actuator)
    for body in range(model.nbody):
        load = np.array(data.xfrc_applied[body])
        force += engine.apply_ft(model, data, load[:3], load[3:], np.array(data.xipos[body]), body)
    return force


def well_posed_states(judge, model, seed, judged):
    """States that can be compared; all are counted."""
    data, other, rng = judge.make_data(model), judge.make_data(model), np.random.default_rng(seed)
    for index in range(STATES):
        state = states.random_state(model, rng)
        try:
            if index % 2:
                state = states.rolled_out(judge, model, other, state, 3)
            if is_well_posed(judge, model, data, state, rng):
                judged()
                yield state
            else:
                judged.screen()
        except judge.Error:  # it refuses contacts of two static bodies that a pair names
            judged.screen()


@model_of
def test_inverse_explains_forward(judge, subject, seed, path, judged):
    judged.expect_nothing(NOTHING_TO_JUDGE.get(path.stem))
    model = subject.load_file(path)
    solve_exactly(model)
    data = subject.make_data(model)
    for state in well_posed_states(judge, judge.load_file(path), seed, judged):
        rows.snapshot(subject, model, data, state)
        force = applied_force(subject, model, data)
        scale = np.max(np.abs(force)) + np.max(np.abs(data.qfrc_constraint)) + np.max(np.abs(data.qfrc_bias)) + 1e-9
        subject.inverse(model, data)
        assert np.max(np.abs(data.qfrc_inverse - force)) < TOLERANCE * scale


@model_of
@pytest.mark.parametrize("discrete", [False, True], ids=["continuous", "discrete"])
@pytest.mark.parametrize("integrator", ["Euler", "implicit", "implicitfast"])
def test_inverse_equals_mujocos(judge, subject, seed, path, discrete, integrator, judged):
    judged.expect_nothing(NOTHING_TO_JUDGE.get(path.stem))
    models = judge.load_file(path), subject.load_file(path)
    for model in models:
        model.opt.integrator = engines.INTEGRATORS[integrator]
        model.opt.enableflags |= INVDISCRETE if discrete else 0
    datas = [engine.make_data(model) for engine, model in zip((judge, subject), models)]
    rng = np.random.default_rng(seed)
    for _ in range(STATES):
        state = states.random_state(models[0], rng)
        for engine, model, data in zip((judge, subject), models, datas):
            states.apply(data, state)
            engine.inverse(model, data)
        comparison = rows.Comparison(models[0], datas[0], models[1], datas[1], False)
        comparison.errors.pop("efc_b", None)  # no result of inverse dynamics
        if max(comparison.errors.values(), default=0) > 1e-7:
            judged.screen()
            continue
        judged()
        for name in ("qfrc_inverse", "qfrc_constraint", "qacc"):
            assert rows.error(getattr(datas[1], name), getattr(datas[0], name)) < TOLERANCE, name


@model_of
def test_comparison_of_forward_and_inverse_equals_mujocos(judge, subject, seed, path, judged):
    judged.expect_nothing(NOTHING_TO_JUDGE.get(path.stem))
    models = judge.load_file(path), subject.load_file(path)
    for model in models:
        solve_exactly(model)
        model.opt.enableflags |= FWDINV
    datas = [engine.make_data(model) for engine, model in zip((judge, subject), models)]
    for state in well_posed_states(judge, models[0], seed, judged):
        for engine, model, data in zip((judge, subject), models, datas):
            states.apply(data, state)
            engine.step(model, data)
        scale = np.max(np.abs(datas[0].qfrc_constraint), initial=0) + np.max(np.abs(datas[0].qfrc_bias), initial=0) + 1
        difference = np.abs(np.array(datas[1].solver_fwdinv) - np.array(datas[0].solver_fwdinv))
        assert np.all(difference < TOLERANCE * scale), (difference, np.array(datas[0].solver_fwdinv), scale)


@model_of
def test_comparison_of_an_early_solution_follows_its_definition(judge, subject, seed, path):
    """With few iterations of the dual solver the forces are not those of the acceleration."""
    model = subject.load_file(path)
    model.opt.solver, model.opt.iterations, model.opt.tolerance = 0, 2, 0
    data, rng, unlike = subject.make_data(model), np.random.default_rng(seed), 0
    for _ in range(4 * STATES):
        rows.snapshot(subject, model, data, states.random_state(model, rng))
        given, constraint = applied_force(subject, model, data), np.array(data.qfrc_constraint)
        forces = np.array(data.efc_force)
        subject.module.compare_forward_inverse(model, data)
        found = np.array(data.solver_fwdinv)
        np.testing.assert_array_equal(data.qfrc_constraint, constraint)
        np.testing.assert_array_equal(data.efc_force, forces)
        subject.inverse(model, data)
        expected = [np.linalg.norm(data.qfrc_constraint - constraint), np.linalg.norm(data.qfrc_inverse - given)]
        np.testing.assert_allclose(found, expected, rtol=1e-9, atol=1e-9 * (1 + np.max(np.abs(data.qfrc_inverse))))
        unlike += found[0] > 1e-3
    assert unlike or path.stem == "constraint_friction"  # where two sweeps may be enough


@model_of
def test_exact_diagonal_equals_mujocos(judge, subject, seed, path, judged):
    judged.expect_nothing(NOTHING_TO_JUDGE.get(path.stem))
    models = judge.load_file(path), subject.load_file(path)
    for model in models:
        model.opt.enableflags |= DIAGEXACT
        solve_exactly(model)
    datas = [engine.make_data(model) for engine, model in zip((judge, subject), models)]
    for state in well_posed_states(judge, models[0], seed, Judged()):
        for engine, model, data in zip((judge, subject), models, datas):
            rows.snapshot(engine, model, data, state)
        comparison = rows.Comparison(models[0], datas[0], models[1], datas[1], False)
        if not all(value < 1e-7 for name, value in comparison.errors.items() if not name.startswith("efc")):
            judged.screen()
            continue
        judged()
        for name in ("efc_diagA", "efc_R", "efc_D"):
            assert comparison.errors.get(name, 0) < 1e-8, name


@model_of
def test_forms_of_the_jacobian_agree(judge, subject, seed, path):
    model, their_model = subject.load_file(path), judge.load_file(path)
    their_model.opt.solver = model.opt.solver = 0  # MuJoCo has AR for this solver only
    data, their_data, rng = subject.make_data(model), judge.make_data(their_model), np.random.default_rng(seed)
    for _ in range(STATES):
        state = states.random_state(their_model, rng)
        rows.snapshot(subject, model, data, state)
        J = rows.dense_jacobian(model, data, subject.module.is_sparse(model))
        np.testing.assert_array_equal(subject.module.efc_JT(model, data), J.T)
        for transposed in (False, True):
            for compressed in (False, True):
                np.testing.assert_array_equal(dense(subject.module.efc_csr(model, data, transposed, compressed),
                                                    (model.nv, data.nefc) if transposed else (data.nefc, model.nv),
                                                    compressed), J.T if transposed else J)
        expected = J @ np.linalg.solve(subject.full_m(model, data), J.T) + np.diag(data.efc_R)
        assert rows.error(subject.module.efc_AR(model, data), expected) < 1e-9


def dense(matrix, shape, compressed):
    result = np.zeros(shape)
    for row in range(shape[0]):
        start, count = matrix["rowadr"][row], matrix["rownnz"][row]
        assert compressed or start == row * shape[1]
        result[row, matrix["colind"][start:start + count]] = matrix["values"][start:start + count]
    return result
