"""The analytic derivative of the smooth force by velocity, which the implicit integrators use, against differences."""

import numpy as np

import states

EPS = 1e-5
# MuJoCo's derivative leaves these parts out, and so does ours, which must give the same steps (test_run.py).
MOTOR, SHARED, CORIOLIS = "electrical part of a motor", "limit of a joint's or tendon's total", "bias of tendon armature"
LEFT_OUT = {"actuator_dcmotor_controllers": MOTOR, "actuator_dcmotor_defaults": MOTOR, "actuator_dcmotors": MOTOR,
            "actuator_histories": MOTOR, "actuator_defaults": SHARED, "tendon_forces": SHARED,
            "actuator_tendons": CORIOLIS, "tendon_armature": CORIOLIS, "sensor_tendon_forces": CORIOLIS}


def smooth_force(subject, model, data):
    subject.forward(model, data)
    return data.qfrc_passive + data.qfrc_actuator - data.qfrc_bias


def dense(model, values):
    matrix = np.zeros((model.nv, model.nv))
    for row in range(model.nv):
        place = slice(model.D_rowadr[row], model.D_rowadr[row] + model.D_rownnz[row])
        matrix[row, model.D_colind[place]] = values[place]
    return matrix


def test_the_derivative_is_that_of_differences(subject, seed, feature, judged):
    """Within the pattern of the matrix: what connects dofs of different branches is left out of it."""
    if feature.stem in LEFT_OUT:
        judged.expect_nothing(f"MuJoCo's derivative leaves out: {LEFT_OUT[feature.stem]}")
        return
    model = subject.load_file(feature)
    model.opt.integrator = subject.module.Integrator.IMPLICIT
    data, rng = subject.make_data(model), np.random.default_rng(seed)
    for _ in range(3):
        state = states.random_state(model, rng)
        limited = np.ravel(model.actuator_ctrllimited).astype(bool)  # MuJoCo's derivative takes controls unclamped
        low, high = np.array(model.actuator_ctrlrange).reshape(-1, 2).T
        state["ctrl"] = np.where(limited, np.clip(state["ctrl"], low, high), state["ctrl"])
        differences = np.zeros((model.nv, model.nv))
        for i in range(model.nv):
            for sign in (1, -1):
                states.apply(data, state)
                data.qvel[i] += sign * EPS
                differences[:, i] += sign * smooth_force(subject, model, data) / (2 * EPS)
        states.apply(data, state)
        subject.step(model, data)
        found, pattern = dense(model, data.qDeriv), dense(model, np.ones(model.nD)) > 0
        # of the weights and the forces of motion that may cancel in a dof
        rounding = 1e-15 * np.sum(model.body_mass) * (10 + np.max(state["qvel"] ** 2, initial=0)) / EPS
        np.testing.assert_allclose(found[pattern], differences[pattern], rtol=0,
                                   atol=1e-7 * (1 + np.max(np.abs(found), initial=0)) + rounding)
        judged(model.nv > 0)
