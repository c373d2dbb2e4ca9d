"""torsor.flight: what Ptera Software's documentation states, laws of flight, and what is refused."""

import doctest
import pathlib
import pickle
import xml.etree.ElementTree

import numpy as np
import pytest

import torsor
from torsor import flight

INERTIA = np.array([[0.4, 0.01, -0.02], [0.01, 0.2, 0.03], [-0.02, 0.03, 0.5]])
AXES = ("earth", "body", "geometry", "wind", "wind_textbook")


def make(**changes):
    values = dict(mass=2.0, I_BP1_CgP1=INERTIA, position_E_Eo=[0, 0, -100], angles_E_to_BP1_izyx=[20, 10, -140],
                  velocity_E__E=[15, 2, 1], omegas_BP1__E=[30, -40, 50], delta_time=0.002)
    return flight.FreeFlight(**values | changes)


# Statements of the document "MuJoCo Conventions".


def test_the_state_is_that_of_the_free_joint_in_earth_axes():
    aircraft = make()
    state, data = aircraft.get_state(), aircraft.data
    assert np.array_equal(state["position_E_Eo"], data.qpos[:3])
    assert np.array_equal(state["velocity_E__E"], data.qvel[:3])
    np.testing.assert_allclose(state["omegas_BP1__E"], np.rad2deg(data.qvel[3:6]), rtol=1e-15)
    np.testing.assert_allclose(state["quat_act_E_to_BP1_wxyz"], data.qpos[3:7], atol=1e-15)
    torsor.forward(aircraft.model, data)
    np.testing.assert_allclose(state["R_pas_BP1_to_E"], data.xmat[1].reshape(3, 3), atol=1e-14)
    np.testing.assert_allclose(state["R_pas_E_to_BP1"], data.xmat[1].reshape(3, 3).T, atol=1e-14)
    np.testing.assert_allclose(state["omegas_E__E"], np.rad2deg(data.xmat[1].reshape(3, 3) @ data.qvel[3:6]), atol=1e-12)


def test_the_quaternion_is_the_active_rotation_with_w_first():
    state = flight.FlightState(angles_E_to_BP1_izyx=[0, 0, 90])
    half = np.sqrt(0.5)
    np.testing.assert_allclose(state.quat_act_E_to_BP1_wxyz, [half, 0, 0, half], atol=1e-15)
    # the document's recipe: the inverse of the passive matrix is the active one, its transpose the other way
    R_act_E_to_BP1 = np.linalg.inv(state.T_pas_BP1_CgP1_to_E_CgP1[:3, :3]).T
    np.testing.assert_allclose(torsor.quat_to_mat(state.quat_act_E_to_BP1_wxyz).reshape(3, 3), R_act_E_to_BP1, atol=1e-15)


def test_rotated_about_y_by_90_degrees_the_body_x_axis_points_along_minus_z():
    aircraft = make(angles_E_to_BP1_izyx=[0, 90, 0])
    torsor.forward(aircraft.model, aircraft.data)
    np.testing.assert_allclose(aircraft.data.xmat[1].reshape(3, 3)[:, 0], [0, 0, -1], atol=1e-15)
    np.testing.assert_allclose(aircraft.get_state().R_pas_BP1_to_E[:, 0], [0, 0, -1], atol=1e-15)


@pytest.mark.parametrize("angles", [[0, 0, 0], [0, 90, 0], [70, -20, 130]])
def test_a_force_along_earth_x_makes_velocity_along_earth_x(angles):
    aircraft = make(angles_E_to_BP1_izyx=angles, velocity_E__E=[0, 0, 0], g_E=[0, 0, 0])
    aircraft.apply_loads([6, 0, 0], [0, 0, 0])
    aircraft.step(100)
    np.testing.assert_allclose(aircraft.get_state().velocity_E__E, [6 / 2 * 0.2, 0, 0], atol=1e-12)


def test_an_angular_velocity_is_about_body_axes():
    aircraft = make(angles_E_to_BP1_izyx=[0, 90, 0], omegas_BP1__E=np.rad2deg([1, 0, 0]), I_BP1_CgP1=np.eye(3),
                    g_E=[0, 0, 0])
    np.testing.assert_allclose(aircraft.data.qvel[3:6], [1, 0, 0], atol=1e-15)
    np.testing.assert_allclose(aircraft.get_state().omegas_E__E, np.rad2deg([0, 0, -1]), atol=1e-12)
    before = aircraft.get_state().R_pas_BP1_to_E
    aircraft.step(500)
    turn = aircraft.get_state().R_pas_BP1_to_E @ before.T  # in Earth axes, by one radian
    np.testing.assert_allclose(turn, [[np.cos(1), np.sin(1), 0], [-np.sin(1), np.cos(1), 0], [0, 0, 1]], atol=1e-9)


@pytest.mark.parametrize("angles", [[0, 0, 0], [0, 90, 0], [70, -20, 130]])
def test_a_torque_about_earth_x_accelerates_about_earth_x(angles):
    aircraft = make(angles_E_to_BP1_izyx=angles, omegas_BP1__E=[0, 0, 0], I_BP1_CgP1=0.3 * np.eye(3))
    aircraft.apply_loads([0, 0, 0], [10, 0, 0])
    aircraft.step(10)
    state = aircraft.get_state()
    np.testing.assert_allclose(state.omegas_E__E, np.rad2deg([10 / 0.3 * 0.02, 0, 0]), atol=1e-9)
    # reported in body axes all the same
    np.testing.assert_allclose(state.omegas_BP1__E, state.R_pas_E_to_BP1 @ state.omegas_E__E, atol=1e-12)


# Laws.


def test_a_torque_changes_the_angular_momentum_in_earth_axes():
    aircraft = make(integrator="RKMK4")
    momentum = lambda state: state.R_pas_BP1_to_E @ INERTIA @ np.deg2rad(state.omegas_BP1__E)
    before = momentum(aircraft.get_state())
    aircraft.apply_loads([0, 0, 0], [0.1, 0.2, -0.3])
    aircraft.step(250)
    np.testing.assert_allclose(momentum(aircraft.get_state()) - before, np.array([0.1, 0.2, -0.3]) * 0.5, atol=1e-9)


def test_the_inertia_is_the_given_matrix_to_rounding():
    random = np.random.default_rng(3)
    for _ in range(50):
        turn, parts = np.linalg.qr(random.normal(size=(3, 3)))[0], random.uniform(0.01, 1, 3)
        matrix = turn @ np.diag(parts.sum() - parts) @ turn.T
        errors = []
        for exact in (True, False):
            model = make(I_BP1_CgP1=matrix, exact_inertia=exact).model
            R = torsor.quat_to_mat(model.body_iquat[1]).reshape(3, 3)
            errors.append(abs(R @ np.diag(model.body_inertia[1]) @ R.T - matrix).max())
        assert errors[0] < 5e-15 and errors[1] < 1e-6


@pytest.mark.parametrize("axes", AXES)
def test_loads_mean_the_same_in_all_axes_and_about_all_points(axes):
    aircraft = make(wind_E__E=[3, -2, 1])
    state = aircraft.get_state()
    forces_E, moments_E, point_E = np.array([1.0, 2, 3]), np.array([4.0, 5, 6]), np.array([0.7, 0.8, -0.9])
    turn = state.R_pas("earth", axes)
    aircraft.apply_loads(turn @ forces_E, turn @ (moments_E - np.cross(point_E, forces_E)), axes=axes,
                         point=turn @ point_E)
    np.testing.assert_allclose(aircraft.loads.forces, forces_E, atol=1e-12)
    np.testing.assert_allclose(aircraft.loads.moments, moments_E, atol=1e-12)


def test_both_vectors_of_twelve_numbers():
    state = make().get_state()
    x, y = state.to_vector("state"), state.to_vector("coupling")
    np.testing.assert_allclose(x, [*state.position_E_Eo, 20, 10, -140, *state.velocity_E__E, 30, -40, 50], atol=1e-12)
    np.testing.assert_allclose(y[3:6], np.deg2rad([20, 10, -140]), atol=1e-14)
    np.testing.assert_allclose(y[9:], np.deg2rad(state.omegas_E__E), atol=1e-14)
    for form, vector in (("state", x), ("coupling", y)):
        again = flight.FlightState.from_vector(vector, form)
        np.testing.assert_allclose(again.to_vector(form), vector, atol=1e-12)


def test_angles_of_attack_and_sideslip_by_both_definitions():
    u, v, w = 10.0, 3.0, 4.0
    state = flight.FlightState(velocity_E__E=[u + 1, v + 2, w + 3], wind_E__E=[1, 2, 3])
    size = np.sqrt(u * u + v * v + w * w)
    assert state.airspeed == pytest.approx(size, rel=1e-15)
    assert state.alpha == pytest.approx(np.rad2deg(np.arcsin(w / size)), rel=1e-14)
    assert state.beta == pytest.approx(np.rad2deg(np.arctan2(v, u)), rel=1e-14)
    assert state.alpha_textbook == pytest.approx(np.rad2deg(np.arctan2(w, u)), rel=1e-14)
    assert state.beta_textbook == pytest.approx(np.rad2deg(np.arcsin(v / size)), rel=1e-14)
    assert np.isnan(flight.FlightState().alpha) and np.isnan(flight.FlightState().beta_textbook)


def test_snapshots_states_and_pickles():
    aircraft = make(extra_xml={"body": '<body name="flap"><joint name="flap" axis="0 1 0"/><geom size="0.1"/></body>'})
    aircraft.apply_loads([1, 2, 3], [0.4, 0.5, 0.6], axes="wind")
    aircraft.step(7)
    snapshot, state = aircraft.save_state(), aircraft.get_state()
    aircraft.step(20)
    end = aircraft.save_state()
    aircraft.reset()
    assert aircraft.time == 0 and not aircraft.loads.forces.any()
    aircraft.restore_state(pickle.loads(pickle.dumps(snapshot)))
    assert aircraft.save_state() == snapshot != end
    aircraft.step(20)
    assert aircraft.save_state() == end
    again = pickle.loads(pickle.dumps(state))
    assert np.array_equal(again.to_vector("state"), state.to_vector("state")) and again.time == state.time
    aircraft.set_state(again)
    np.testing.assert_allclose(aircraft.get_state().to_vector("state"), state.to_vector("state"), atol=1e-12)


def test_extra_bodies_have_loads_sensors_and_a_ground():
    aircraft = make(angles_E_to_BP1_izyx=[0, 0, 0], position_E_Eo=[0, 0, -1], velocity_E__E=[0, 0, 0],
                    omegas_BP1__E=[0, 0, 0], integrator="implicitfast",
                    extra_xml={"worldbody": '<geom name="ground" type="plane" size="9 9 1" zaxis="0 0 -1"/>',
                               "body": '<geom type="sphere" size="0.1"/><body name="flap" pos="-0.5 0 0">'
                                       '<joint name="flap" axis="0 1 0" damping="1"/><geom size="0.05"/></body>',
                               "sensor": '<sensor><jointpos joint="flap"/></sensor>'})
    aircraft.apply_loads([0, 0, -3], axes="body", body="flap")
    aircraft.step(10)
    assert aircraft.data.sensordata[0] != 0 and not aircraft.loads.forces.any()
    aircraft.clear_loads()
    aircraft.step(2000)  # falls down, which is +z, and stays on the ground
    assert aircraft.get_state().position_E_Eo[2] == pytest.approx(-0.1, abs=0.02)
    assert aircraft.model.world_axes == "x -y -z"


# Strong coupling.


def test_a_heavy_added_mass_converges_where_one_way_coupling_diverges():
    mass, added, h, g = 2.0, 10.0, 0.01, 9.80665
    loose, before, now = make(delta_time=h), np.zeros(3), np.zeros(3)
    with pytest.raises(torsor.Error, match="not finite"):
        for _ in range(400):
            loose.apply_loads(-added * (now - before) / h)
            before = loose.get_state().velocity_E__E
            loose.step()
            now = loose.get_state().velocity_E__E
    for aitken, relaxation in ((True, 0.5), (False, 0.15)):
        strong, most = make(delta_time=h, velocity_E__E=[0, 0, 0]), 0
        for _ in range(50):
            start = strong.get_state().velocity_E__E
            water = lambda trial: (-added * (trial.velocity_E__E - start) / h, [0, 0, 0])
            report = strong.step_coupled(water, aitken=aitken, relaxation=relaxation, max_iterations=200)
            assert report.converged and report.iterations == len(report.history)
            assert report.history[-1].residual <= report.history[-1].bound
            most = max(report.iterations, most)
        assert 2 < most < (8 if aitken else 100)
        expected = g * mass / (mass + added) * 50 * h
        np.testing.assert_allclose(strong.get_state().velocity_E__E, [0, 0, expected], atol=2e-4 * expected)


def test_without_convergence_or_after_an_exception_nothing_has_happened():
    aircraft = make()
    aircraft.apply_loads([1, 2, 3])
    before, start = aircraft.save_state(), aircraft.get_state().velocity_E__E
    water = lambda trial: flight.FlightLoads(-50 * (trial.velocity_E__E - start) / 0.002)
    with pytest.raises(torsor.Error, match="did not converge in 4 iterations"):
        aircraft.step_coupled(water, aitken=False, relaxation=1, max_iterations=4)
    assert aircraft.save_state() == before

    def broken(trial):
        raise ZeroDivisionError("stall")

    with pytest.raises(ZeroDivisionError) as kept:  # as long as it is kept, so are the objects of the iteration
        aircraft.step_coupled(broken)
    assert aircraft.save_state() == before
    aircraft.step()
    after = aircraft.save_state()
    del kept
    assert aircraft.save_state() == after
    aircraft.restore_state(before)
    with pytest.raises(torsor.Error, match="a force and a moment"):
        aircraft.step_coupled(lambda trial: [1, 2, 3])
    with pytest.raises(torsor.Error, match="unknown axes 'winds'"):
        aircraft.step_coupled(lambda trial: flight.FlightLoads([0, 0, 0], axes="winds"))
    assert aircraft.save_state() == before
    report = aircraft.step_coupled(water, aitken=False, relaxation=1, max_iterations=4, accept_unconverged=True)
    assert not report.converged and report.accepted and "did not converge" in report.problem


# What is refused.


@pytest.mark.parametrize("call, message", [
    (lambda a: a.apply_loads([1, np.nan, 0]), r"forces\[1\] is nan"),
    (lambda a: a.apply_loads([1, 0, 0], [np.inf, 0, 0]), r"moments\[0\] is inf"),
    (lambda a: a.apply_loads([1, 0, 0], body="flaps"), "there is no body 'flaps'"),
    (lambda a: a.apply_loads([1, 0, 0], body="aircarft"), "did you mean 'aircraft'"),
    (lambda a: a.apply_loads([1, 0, 0], axes="bdy"), "did you mean 'body'"),
    (lambda a: a.set_state(flight.FlightState([0, 0, np.nan])), r"position_E_Eo\[2\] is nan"),
    (lambda a: a.set_state(make(mass=3).get_state()), "another aircraft"),
    (lambda a: a.restore_state(make(mass=3).save_state()), "another aircraft"),
    (lambda a: a.restore_state(b"snapshot"), "takes what save_state.* not bytes"),
    (lambda a: a.step(-1), "negative"),
    (lambda a: flight.FlightState(quat_act_E_to_BP1_wxyz=[1, 1, 0, 0]), "length"),
    (lambda a: flight.FlightState(R_pas_E_to_BP1=np.diag([1, 1, -1])), "not a rotation"),
    (lambda a: flight.FlightState(R_pas_E_to_BP1=np.eye(3), angles_E_to_BP1_izyx=[0, 0, 0]), "given twice"),
    (lambda a: flight.FlightState.from_vector(np.zeros(12), "ptera"), "state .* or coupling"),
    (lambda a: make(mass=-1), "mass must be positive"),
    (lambda a: make(I_BP1_CgP1=[[1, 2, 0], [0, 1, 0], [0, 0, 1]]), "not symmetric"),
    (lambda a: make(extra_xml={"wrldbody": ""}), "did you mean 'worldbody'"),
    (lambda a: make(extra_xml={"body": "<geom size='1'"}), "error"),
    (lambda a: make(integrator="Heun"), "integrator"),
    (lambda a: a.get_state().R_pas("earth", "ether"), "unknown axes"),
    (lambda a: make(velocity_E__E=[0, 0, 0]).apply_loads([1, 0, 0], axes="wind"), "airspeed"),
])
def test_bad_input_is_refused_and_nothing_is_lost(call, message):
    aircraft = make()
    aircraft.apply_loads([1, 2, 3])
    before = aircraft.save_state()
    with pytest.raises(torsor.Error, match=message):
        call(aircraft)
    assert aircraft.save_state() == before


def test_a_step_that_diverges_is_not_taken():
    aircraft = make()
    aircraft.apply_loads([1e300, 0, 0])
    before = aircraft.save_state()
    with pytest.raises(torsor.Error, match="not taken"):
        aircraft.step(3)
    assert aircraft.save_state() == before


# Documentation and the example.


def test_the_example_draws_its_plot_without_matplotlib(tmp_path):
    source = (pathlib.Path(__file__).parents[2] / "examples" / "glider.py").read_text(encoding="utf-8")
    names = {}
    exec(source[:source.rindex("main()")], names)  # without the flight
    rows = np.random.default_rng(1).normal(size=(200, 6))
    names["write_svg"](tmp_path / "glider.svg", rows)
    drawing = xml.etree.ElementTree.parse(tmp_path / "glider.svg").getroot()
    lines = drawing.findall("{http://www.w3.org/2000/svg}polyline")
    assert [len(line.get("points").split()) for line in lines] == [20, 20, 20]


def documented():
    found = {"torsor.flight": flight}
    for name in flight.__all__:
        value = getattr(flight, name)
        found[name] = value
        for method in vars(value):
            if not method.startswith("_") and callable(getattr(value, method)) and value is not flight.MuJoCoModel:
                found[f"{name}.{method}"] = getattr(value, method)
    return {name: value for name, value in found.items() if "FixedPointRecord." not in name}


@pytest.mark.parametrize("name", documented())
def test_the_example_of_every_function_runs(name):
    glider = flight.FreeFlight(mass=2.0, I_BP1_CgP1=np.diag([0.4, 0.2, 0.5]), velocity_E__E=[15, 0, 0])
    names = {"flight": flight, "torsor": torsor, "numpy": np, "glider": glider}
    examples = doctest.DocTestParser().get_doctest(documented()[name].__doc__ or "", names, name, None, None)
    assert examples.examples, f"{name} has no example"
    complaints = []
    result = doctest.DocTestRunner(optionflags=doctest.NORMALIZE_WHITESPACE).run(examples, out=complaints.append)
    assert result.failed == 0, "".join(complaints)
