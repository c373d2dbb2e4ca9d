"""The analytic derivative of the smooth force by velocity, which the implicit integrators use, against differences."""

import numpy as np
import pytest

import states

EPS = 1e-5
# MuJoCo's derivative leaves these parts out, and so does ours, which must give the same steps (test_run.py).
MOTOR, SHARED, CORIOLIS = "electrical part of a motor", "limit of a joint's or tendon's total", "bias of tendon armature"
LEFT_OUT = {"actuator_dcmotor_controllers": MOTOR, "actuator_dcmotor_defaults": MOTOR, "actuator_dcmotors": MOTOR,
            "actuator_histories": MOTOR, "actuator_defaults": SHARED, "tendon_forces": SHARED,
            "actuator_tendons": CORIOLIS, "tendon_armature": CORIOLIS}


def smooth_force(subject, model, data):
    subject.forward(model, data)
    return data.qfrc_passive + data.qfrc_actuator - data.qfrc_bias


def dense(model, values):
    matrix = np.zeros((model.nv, model.nv))
    for row in range(model.nv):
        place = slice(model.D_rowadr[row], model.D_rowadr[row] + model.D_rownnz[row])
        matrix[row, model.D_colind[place]] = values[place]
    return matrix


def test_the_derivative_is_that_of_differences(subject, seed, feature):
    """Within the pattern of the matrix: what connects dofs of different branches is left out of it."""
    if feature.stem in LEFT_OUT:
        pytest.skip(f"left out as in MuJoCo: {LEFT_OUT[feature.stem]}")
    model = subject.load_file(feature)
    model.opt.integrator = subject.module.Integrator.IMPLICIT
    data, rng = subject.make_data(model), np.random.default_rng(seed)
    for _ in range(3):
        state = states.random_state(model, rng)
        differences = np.zeros((model.nv, model.nv))
        for i in range(model.nv):
            for sign in (1, -1):
                states.apply(data, state)
                data.qvel[i] += sign * EPS
                differences[:, i] += sign * smooth_force(subject, model, data) / (2 * EPS)
        states.apply(data, state)
        subject.step(model, data)
        found, pattern = dense(model, data.qDeriv), dense(model, np.ones(model.nD)) > 0
        scale = 1 + np.max(np.abs(found), initial=0)
        np.testing.assert_allclose(found[pattern], differences[pattern], rtol=0, atol=1e-7 * scale)
