"""Laws of mechanics over long runs: what a free body and a pendulum must conserve, and how they drift when they do."""

import pathlib

import numpy as np
import pytest

import engines
import scenes

FEATURES = scenes.ROOT / "models" / "features"
STEPS = 10_000  # ten seconds at the models' millisecond
SPIN = np.array([1.0, 2.0, 2.0]) / 3 * 10  # rad/s, in the body's axes


def load(engine, name, integrator):
    model = engine.load_file(pathlib.Path(FEATURES) / f"{name}.xml")
    engines.disable_constraints(model)
    model.opt.integrator = engines.INTEGRATORS[integrator]
    return model, engine.make_data(model)


def centre(data):
    return np.array(data.xipos[1])


def angular_momentum(engine, model, data):
    engine.forward(model, data)
    engine.subtree_vel(model, data)
    return np.array(data.subtree_angmom[1])


def start_spinning(engine, model, data, spin):
    """Spins the body about its centre of mass, which stays at rest."""
    data.qvel[3:] = spin
    engine.forward(model, data)
    rotation = np.array(data.xmat[1]).reshape(3, 3)
    data.qvel[:3] = -np.cross(rotation @ spin, centre(data) - np.array(data.xpos[1]))
    engine.forward(model, data)


def furthest(engine, model, data, steps=STEPS, every=100):
    """The largest distance of the centre of mass from where it was."""
    start, distance = centre(data), 0.0
    for _ in range(steps // every):
        engine.step(model, data, every)
        engine.forward(model, data)
        distance = max(distance, float(np.linalg.norm(centre(data) - start)))
    return distance


def test_a_spinning_free_body_keeps_its_centre_of_mass_and_its_angular_momentum(subject):
    model, data = load(subject, "spinning_body", "RK4")
    start_spinning(subject, model, data, SPIN)
    before = angular_momentum(subject, model, data)
    drift = furthest(subject, model, data)
    change = np.linalg.norm(angular_momentum(subject, model, data) - before) / np.linalg.norm(before)
    assert drift < 1e-9, f"the centre of mass moved by {drift:.3g} m"
    assert change < 1e-8, f"the angular momentum changed by {change:.3g} of itself"


def test_a_pure_torque_leaves_the_centre_of_mass_at_rest(subject):
    model, data = load(subject, "spinning_body", "RK4")
    subject.forward(model, data)
    data.xfrc_applied[1, 3:] = [0.01, -0.02, 0.015]
    drift = furthest(subject, model, data)
    assert np.linalg.norm(data.qvel[3:]) > 3, "the torque did not turn the body"
    assert drift < 1e-9, f"the centre of mass moved by {drift:.3g} m"


def test_eulers_method_drifts_exactly_as_mujocos(subject, judge):
    ends = {}
    for engine in (subject, judge):
        model, data = load(engine, "spinning_body", "Euler")
        start_spinning(engine, model, data, SPIN)
        start = centre(data)
        engine.step(model, data, STEPS)
        engine.forward(model, data)
        ends[engine] = centre(data) - start
    print(f"Euler: the centre of mass drifts by {np.linalg.norm(ends[judge]):.3g} m in ten seconds")
    assert np.linalg.norm(ends[judge]) > 1e-3
    assert np.linalg.norm(ends[subject] - ends[judge]) < 1e-9


def energy(engine, model, data):
    engine.forward(model, data)
    engine.energy_pos(model, data)
    engine.energy_vel(model, data)
    return float(np.sum(data.energy))


@pytest.mark.parametrize(("integrator", "allowed"), [("RK4", 1e-6), ("Euler", 5.0)])
def test_an_undamped_double_pendulum_keeps_its_energy(subject, integrator, allowed):
    model, data = load(subject, "double_pendulum", integrator)
    subject.reset_keyframe(model, data, 0)
    before = energy(subject, model, data)
    subject.step(model, data, STEPS)
    drift = abs(energy(subject, model, data) - before)
    print(f"{integrator}: energy drifts by {drift:.3g} J of {before:.3g} J in ten seconds")
    assert drift < allowed


def test_inverse_dynamics_undoes_forward_dynamics(subject, feature, seed):
    rng = np.random.default_rng(seed)
    model = subject.load_file(feature)
    engines.disable_constraints(model)
    model.opt.enableflags &= ~8  # forward dynamics is continuous, so compare with continuous inverse dynamics
    data = subject.make_data(model)
    for _ in range(5):
        data.qpos[:] = np.array(subject.integrate_pos(model, np.array(model.qpos0), rng.normal(0, 1, model.nv), 1.0))
        data.qvel[:] = rng.normal(0, 1, model.nv)
        data.qfrc_applied[:] = rng.normal(0, 1, model.nv)
        subject.forward(model, data)
        subject.inverse(model, data)
        # Inverse dynamics gives all that the acceleration needs besides passive forces, whoever exerts it.
        needed = np.array(data.qfrc_applied) + np.array(data.qfrc_actuator)
        scale = max(np.abs(data.qfrc_bias).max(), np.abs(needed).max())
        assert np.abs(np.array(data.qfrc_inverse) - needed).max() < 1e-9 * scale


def test_a_jacobian_times_velocity_is_the_velocity_of_the_point(subject, feature, seed, judged):
    rng, tick = np.random.default_rng(seed), 1e-6
    model = subject.load_file(feature)
    data = subject.make_data(model)
    for _ in range(3):
        qpos = np.array(subject.integrate_pos(model, np.array(model.qpos0), rng.normal(0, 1, model.nv), 1.0))
        qvel = rng.normal(0, 1, model.nv)
        places = []
        for step in (-tick, tick):
            data.qpos[:] = subject.integrate_pos(model, qpos, qvel, step)
            subject.kinematics(model, data)
            places.append(np.array(data.xipos))
        data.qpos[:] = qpos
        subject.forward(model, data)
        for body in range(1, model.nbody):
            velocity = np.array(subject.jac_body_com(model, data, body))[:3] @ qvel
            assert np.allclose(velocity, (places[1][body] - places[0][body]) / (2 * tick), atol=1e-7)
            judged()
