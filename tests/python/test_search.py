"""torsor.search on one machine: each searcher against an answer that is known otherwise."""

import csv

import numpy as np
import pyarrow.parquet
import pytest
import scipy.stats

import torsor
from example_models import ARM
from torsor import search
from torsor.search._sobol import MOST_DIMENSIONS, sobol_points

CART = """
<mujoco model="cart">
  <option timestep="0.01"/>
  <worldbody>
    <geom name="floor" type="plane" size="5 5 1"/>
    <body name="cart" pos="0 0 1">
      <joint name="rail" type="slide" axis="1 0 0"/>
      <geom name="cart" type="box" size="0.1 0.1 0.1" mass="2"/>
    </body>
  </worldbody>
  <actuator><motor name="push" joint="rail" ctrlrange="-3 3"/></actuator>
</mujoco>"""
# A floating body with an arm and a servo, so that conventions differ in more than names.
SATELLITE = """
<mujoco model="satellite">
  <option timestep="0.005" gravity="0 0 0"/>
  <worldbody>
    <body name="hub" pos="0 0 1">
      <freejoint name="root"/>
      <geom name="hub" type="box" size="0.2 0.1 0.1" mass="3" pos="0.05 0 0"/>
      <body name="panel" pos="0.2 0 0">
        <joint name="panel" axis="0 1 0" damping="0.1" armature="0.01"/>
        <geom name="panel" type="box" size="0.3 0.1 0.01" pos="0.3 0 0" mass="1"/>
      </body>
      <body name="mast" pos="-0.2 0 0">
        <joint name="mast" axis="0 0 1" damping="0.05"/>
        <geom name="mast" type="capsule" fromto="0 0 0 -0.4 0 0" size="0.02" mass="0.5"/>
      </body>
    </body>
  </worldbody>
  <actuator><position name="panel" joint="panel" kp="4"/><motor name="mast" joint="mast"/></actuator>
</mujoco>"""
FULL = torsor.StateBit.FULLPHYSICS


@pytest.fixture(scope="module")
def cart():
    return torsor.Model.from_xml_string(CART)


def away_from(target):
    def cost(states, sensordata, controls):
        return (states[:, -1, 1] - target)**2 + 0.01 * states[:, -1, 2]**2
    return cost


# --- controls ----------------------------------------------------------------------------------------------------------


def test_cross_entropy_reaches_a_place_that_the_force_allows(cart):
    plan = search.cross_entropy(cart, torsor.Data(cart), away_from(0.2), 100, hold=20, samples=60, iterations=15)
    start = torsor.get_state(cart, torsor.Data(cart), FULL)
    states, _ = torsor.rollout(cart, start, plan.controls)
    assert abs(states[0, -1, 1] - 0.2) < 0.01 and away_from(0.2)(states, None, None)[0] == plan.cost
    assert plan.controls.shape == (100, 1) and abs(plan.controls).max() <= 3
    assert (np.diff(plan.best) <= 0).all() and plan.best[-1] == plan.cost < 1e-3 * plan.best[0]
    assert all((plan.controls[i:i + 20] == plan.controls[i]).all() for i in range(0, 100, 20))


def test_a_place_that_the_force_does_not_allow_is_approached_with_full_force(cart):
    """Constant acceleration is what goes furthest: x = F t^2 / 2m, plus half a step of the integrator."""
    plan = search.cross_entropy(cart, torsor.Data(cart), away_from(100), 50, hold=25, samples=60, iterations=12)
    assert plan.controls.min() > 2.9
    assert plan.cost >= (100 - 0.5 * 3 / 2 * 0.5 * 0.51)**2


def test_the_seed_decides_and_workers_do_not(cart):
    plans = [search.cross_entropy(cart, torsor.Data(cart), away_from(0.2), 30, iterations=3, samples=20, seed=seed, workers=workers)
             for seed, workers in ((0, 1), (0, 2), (1, 1))]
    assert plans[0].controls.tobytes() == plans[1].controls.tobytes() != plans[2].controls.tobytes()


def test_mppi_holds_the_cart_where_it_should(cart):
    def cost(states, sensordata, controls):
        return ((states[:, :, 1] - 0.3)**2 + 0.05 * states[:, :, 2]**2).mean(axis=1)

    controller = search.Mppi(cart, cost, horizon=60, samples=40, temperature=1e-3, hold=10, seed=2)
    run = controller.run(torsor.Data(cart), 250, every=5)
    assert run.states.shape == (250, 3) and run.controls.shape == (250, 1) and run.costs.shape == (50,)
    assert abs(run.states[-50:, 1] - 0.3).max() < 0.05 and abs(run.controls).max() <= 3
    again = search.Mppi(cart, cost, horizon=60, samples=40, temperature=1e-3, hold=10, seed=2, workers=1)
    assert again.run(torsor.Data(cart), 20, every=5).states.tobytes() == run.states[:20].tobytes()


def test_mppi_with_a_low_temperature_follows_the_best_sample(cart):
    def cost(states, sensordata, controls):
        return controls[:, :, 0].sum(axis=1)  # the best sample has the lowest controls

    cold, warm = (search.Mppi(cart, cost, horizon=4, samples=50, temperature=each, seed=0) for each in (1e-9, 1e9))
    best, mean = cold.plan(torsor.Data(cart)).copy(), warm.plan(torsor.Data(cart)).copy()
    rng = np.random.default_rng(0)
    drawn = 1.5 * rng.normal(size=(50, 4, 1))
    drawn[0] = 0
    drawn = np.clip(drawn, -3, 3)
    assert np.allclose(best, drawn[drawn.sum(axis=(1, 2)).argmin()], atol=1e-12)
    assert np.allclose(mean, drawn.mean(axis=0), atol=1e-6)


def test_samples_that_diverge_cost_infinity(cart):
    """A gear with which a control of 20 accelerates the cart by 1e10 m/s^2, from where on numbers count as bad."""
    wild = torsor.Model.from_xml_string(CART.replace('ctrlrange="-3 3"', 'gear="1e9"'))

    def cost(states, sensordata, controls):
        return -abs(controls).max(axis=(1, 2))  # the larger, the better

    plan = search.cross_entropy(wild, torsor.Data(wild), cost, 5, samples=60, iterations=2, spread=20)
    assert np.isfinite(plan.cost) and 5 < abs(plan.controls).max() < 20
    with pytest.raises(torsor.Error, match="every sampled control sequence diverged"):
        controller = search.Mppi(wild, cost, horizon=5, samples=10, spread=1)
        controller.plan_controls[:] = 100
        controller.plan(torsor.Data(wild))


def test_wrong_arguments_of_searchers(cart, model):
    data = torsor.Data(cart)
    for call, told in ((lambda: search.cross_entropy(model, torsor.Data(model), away_from(1), 5), "no actuators"),
                       (lambda: search.cross_entropy(cart, data, lambda *a: 3, 5), "one number per rollout"),
                       (lambda: search.cross_entropy(cart, [1, 2], away_from(1), 5), "state: expected"),
                       (lambda: search.cross_entropy(cart, data, away_from(1), 0), "horizon"),
                       (lambda: search.cross_entropy(cart, data, away_from(1), 5, elite=0), "elite"),
                       (lambda: search.Mppi(cart, away_from(1), 5, temperature=0), "temperature")):
        with pytest.raises(ValueError, match=told):
            call()
    with pytest.raises(TypeError, match="cost"):
        search.cross_entropy(cart, data, 3, 5)


# --- parameters --------------------------------------------------------------------------------------------------------


def test_parameters_name_what_they_change():
    model = torsor.Model.from_xml_string(SATELLITE)
    cases = {"mass.panel": ("body_mass", 2), "friction.hub": ("geom_friction", (0, 0)), "damping.panel": ("dof_damping", 6),
             "armature.mast": ("dof_armature", 7), "frictionloss.panel": ("dof_frictionloss", 6), "stiffness.mast": ("jnt_stiffness", 2),
             "gain.panel": ("actuator_gainprm", (0, 0)), "geom_friction.hub.2": ("geom_friction", (0, 2)), "dof_damping.mast": ("dof_damping", 7),
             "body_mass.2": ("body_mass", 2), "opt.gravity.1": ("opt.gravity", 1), "opt.timestep": ("opt.timestep", None)}
    for name, (field, place) in cases.items():
        parameter = search.Parameter(name)
        changed = search.with_values(model, [parameter], [0.625])
        assert parameter.get(changed) == 0.625 and parameter.get(model) != 0.625, name
        value = getattr(changed.opt, field[4:]) if field.startswith("opt.") else getattr(changed, field)
        assert (value if place is None else value[place]) == 0.625, name
    heavier = search.with_values(model, [search.Parameter("mass.panel")], [2.0])
    assert np.allclose(heavier.body_inertia[2], 2 * model.body_inertia[2]) and heavier.body_subtreemass[1] == model.body_subtreemass[1] + 1
    stiffer = search.with_values(model, [search.Parameter("gain.panel")], [7.0])
    assert stiffer.actuator_biasprm[0, 1] == -7 and stiffer.actuator_gainprm[1, 0] == 1
    damped = search.with_values(model, [search.Parameter("servo_damping.panel")], [0.5])
    assert damped.actuator_biasprm[0, 2] == -0.5
    assert (search.with_values(model, [search.Parameter("damping.root")], [0.3]).dof_damping[:6] == 0.3).all()


@pytest.mark.parametrize("name, told", [("mass", "not the name of a parameter"), ("mass.nosuch", "nosuch"), ("nonsense.panel", "is not a parameter"),
                                        ("opt.nosuch", "no option"), ("opt.gravity", "add one of the components"),
                                        ("geom_friction.hub", "add one of the components"), ("geom_friction.hub.7", "add one of the components"),
                                        ("mass.world", "without mass")])
def test_parameters_that_do_not_exist(name, told):
    model = torsor.Model.from_xml_string(SATELLITE)
    with pytest.raises(torsor.Error, match=told):
        search.with_values(model, [search.Parameter(name)], [1])
    with pytest.raises(torsor.Error, match="lower bound"):
        search.Parameter("mass.panel", lower=2, upper=1)


# --- identification ----------------------------------------------------------------------------------------------------

TRUTH = {"mass.panel": 1.4, "damping.panel": 0.25, "gain.panel": 5.5, "armature.mast": 0.02}


def record(model, convention, order=None, rows=161, period=1, values=TRUTH):
    """Positions, velocities and controls of the true satellite in a convention, every `period` steps."""
    truth = search.with_values(model, [search.Parameter(name) for name in values], list(values.values()))
    start = torsor.get_state(model, torsor.Data(model), FULL)
    start[1 + model.nq:] = 0.3 * np.random.default_rng(4).normal(size=model.nv)
    time = np.arange(rows - 1) * model.opt.timestep * period
    controls = np.column_stack([np.sin(9 * time), 0.3 * np.cos(5 * time)])
    states, _ = torsor.rollout(truth, start, np.repeat(controls, period, axis=0))
    all_rows = np.concatenate([start[None], states[0, period - 1::period]])
    q, v = all_rows[:, 1:1 + model.nq], all_rows[:, 1 + model.nq:]
    converter = torsor.StateMap(model, "mujoco", convention, target_order=order)
    return converter.positions(q), converter.velocities(q, v), controls


@pytest.mark.parametrize("convention, order", [("mujoco", None), ("newton", None), ("isaaclab3", None), ("drake", ["root", "mast", "panel"])])
def test_parameters_are_found_from_a_log_in_any_convention(convention, order):
    model = torsor.Model.from_xml_string(SATELLITE)
    q, v, controls = record(model, convention, order)
    log = search.Log(model, q, v, controls, convention=convention, order=order)
    found = search.identify(model, list(TRUTH), log, window=40)
    assert np.allclose(found.values, list(TRUTH.values()), rtol=1e-5), found
    assert found.converged and found.rms < 1e-7 and found.costs[-1] < 1e-9 * found.costs[0]
    assert found.model.body_mass[2] == found.values[0]


def test_a_log_read_in_the_wrong_convention_is_not_explained():
    """The test above would pass without any conversion if the convention made no difference."""
    model = torsor.Model.from_xml_string(SATELLITE)
    q, v, controls = record(model, "newton")
    wrong = search.identify(model, list(TRUTH), search.Log(model, q, v, controls), window=40)
    assert wrong.rms > 1e-3


def test_rows_of_several_steps_and_noise():
    model = torsor.Model.from_xml_string(SATELLITE)
    q, v, controls = record(model, "mujoco", rows=121, period=4)
    rng = np.random.default_rng(0)
    log = search.Log(model, q + 1e-4 * rng.normal(size=q.shape), v + 1e-3 * rng.normal(size=v.shape), controls, period=0.02)
    assert log.steps == 4 and len(log) == 121
    found = search.identify(model, list(TRUTH), [log], window=15, workers=2)
    for name, value, error in zip(found.names, found.values, found.errors, strict=True):
        assert 0 < error < 0.2 * TRUTH[name] and abs(value - TRUTH[name]) < 6 * error, (name, value, error)
    assert "mass.panel" in str(found) and "+-" in str(found)


def test_bounds_hold_and_what_logs_do_not_show_has_an_infinite_error():
    model = torsor.Model.from_xml_string(SATELLITE)
    q, v, controls = record(model, "mujoco", values={"mass.panel": 1.4})
    log = search.Log(model, q, v, controls)
    found = search.identify(model, [search.Parameter("mass.panel", upper=1.2), "friction.hub"], log, window=40)
    assert found.values[0] == 1.2 and found.errors[1] == np.inf


def test_wrong_logs():
    model = torsor.Model.from_xml_string(SATELLITE)
    q, v, controls = record(model, "mujoco", rows=5)
    nan = v.copy()
    nan[2, 1] = np.nan
    for call, told in ((lambda: search.Log(model, q, v), "needs their controls"), (lambda: search.Log(model, q[:, 1:], v, controls), "positions: expected"),
                       (lambda: search.Log(model, q, nan, controls), "nan is not a number"), (lambda: search.Log(model, q, v, controls + np.nan), "not finite"), (lambda: search.Log(model, q, v[:3], controls), "5 and 3"),
                       (lambda: search.Log(model, q, v, controls, period=0.0071), "not a multiple"),
                       (lambda: search.Log(model, q, v, controls, convention="nosuch"), "nosuch"),
                       (lambda: search.identify(model, [], search.Log(model, q, v, controls)), "at least one parameter"),
                       (lambda: search.identify(model, ["mass.panel", "mass.panel"], search.Log(model, q, v, controls)), "named twice"),
                       (lambda: search.identify(model, ["mass.panel"], []), "at least one log")):
        with pytest.raises(torsor.Error, match=told):
            call()


# --- sweeps ------------------------------------------------------------------------------------------------------------


def test_sobol_points_are_those_of_scipy():
    expected = scipy.stats.qmc.Sobol(MOST_DIMENSIONS, scramble=False, bits=32).random(512)
    assert np.array_equal(sobol_points(512, MOST_DIMENSIONS), expected)


def test_shifted_points_fill_every_interval_and_begin_a_longer_design():
    points = sobol_points(256, 5, seed=3)
    for column in points.T:  # a (t, m, s)-net: each of 256 intervals of a coordinate has one point
        assert sorted((column * 256).astype(int)) == list(range(256))
    assert np.array_equal(sobol_points(64, 5, seed=3), points[:64]) and not np.array_equal(sobol_points(64, 5, seed=4), points[:64])
    for wrong in (0, MOST_DIMENSIONS + 1):
        with pytest.raises(ValueError, match="Sobol"):
            sobol_points(4, wrong)


def test_designs():
    design = search.grid({"a.b": [1, 2], "c.d": [3, 4, 5]})
    assert design.values.tolist() == [[1, 3], [1, 4], [1, 5], [2, 3], [2, 4], [2, 5]]
    design = search.sobol({"a.b": (1, 100), "c.d": (-1, 1)}, 128, log=["a.b"])
    assert 0.4 < (design.values[:, 0] < 10).mean() < 0.6 and (abs(design.values[:, 1]) <= 1).all() and design.values[:, 0].min() >= 1
    for call, told in ((lambda: search.grid({}), "at least one input"), (lambda: search.grid({"a.b": []}), "finite numbers"),
                       (lambda: search.sobol({"a.b": (2, 1)}, 4), "lowest, highest"), (lambda: search.sobol({"a.b": (0, 1)}, 4, log=["a.b"]), "positive"),
                       (lambda: search.sobol({"a.b": (0, 1)}, 4, log=["x"]), "not an input")):
        with pytest.raises(torsor.Error, match=told):
            call()


def test_a_sweep_is_what_single_simulations_give(tmp_path):
    model = torsor.Model.from_xml_string(ARM)
    design = search.grid({"mass.lower": [0.5, 1], "damping.elbow": [0.01, 0.1]})
    outcome = search.Simulate(100, {"final": ["qpos.elbow"], "max": ["qvel.shoulder"], "rms": ["qvel.elbow"]}, keyframe="bent")
    found = search.sweep(model, design, outcome, table=tmp_path / "t.parquet", workers=2)
    for row, (mass, damping) in enumerate(design.values):
        own = search.with_values(model, [search.Parameter("mass.lower"), search.Parameter("damping.elbow")], [mass, damping])
        data, speeds = torsor.Data(own), []
        torsor.reset_data_keyframe(own, data, 0)
        for _ in range(100):
            torsor.step(own, data)
            speeds.append(data.qvel.copy())
        assert found.columns["final qpos.elbow"][row] == data.qpos[1]
        assert found.columns["max qvel.shoulder"][row] == max(speed[0] for speed in speeds)
        assert found.columns["rms qvel.elbow"][row] == pytest.approx(np.sqrt(np.mean([speed[1]**2 for speed in speeds])))
    table = pyarrow.parquet.read_table(tmp_path / "t.parquet")
    assert table.to_pydict() == found.columns and table.column("error").to_pylist() == [None] * 4
    found.write(tmp_path / "t.csv")
    with open(tmp_path / "t.csv", newline="", encoding="utf-8") as file:
        head, *rows = csv.reader(file)
    assert head == list(found.columns) and [float(row[2]) for row in rows] == found.columns["final qpos.elbow"]


def test_a_row_that_fails_has_its_reason_in_the_table(model):
    def odd(changed):
        if changed.body_mass[2] > 0.9:
            raise ArithmeticError("too heavy")
        return {"mass": changed.body_mass[2]}

    found = search.sweep(model, search.grid({"mass.lower": [0.5, 1]}), odd)
    assert found.columns == {"mass.lower": [0.5, 1.0], "mass": [0.5, None], "error": [None, "ArithmeticError: too heavy"]}
    impossible = search.sweep(model, search.grid({"mass.lower": [0.5, -1]}), search.Simulate(5, {"final": ["qpos.elbow"]}))
    assert "mass" in impossible.columns["error"][1] and impossible.columns["error"][0] is None


def test_wrong_sweeps_are_refused_before_they_run(model, tmp_path, monkeypatch):
    design, outcome = search.grid({"mass.lower": [1]}), search.Simulate(5, {"final": ["qpos.elbow"]})
    for call, told in ((lambda: search.sweep(model, search.grid({"mass.nosuch": [1]}), outcome), "nosuch"),
                       (lambda: search.sweep(model, design, search.Simulate(5, {"final": ["qpos.nosuch"]})), "nosuch"),
                       (lambda: search.sweep(model, design, search.Simulate(5, {"final": ["xpos.lower"]})), "is not a signal"),
                       (lambda: search.Simulate(5, {"median": ["qpos.elbow"]}), "is not a reduction"),
                       (lambda: search.Simulate(0, {"final": ["qpos.elbow"]}), "steps"),
                       (lambda: search.sweep(model, design, outcome, table=tmp_path / "t.xlsx"), "neither"),
                       (lambda: search.sweep(model, design, outcome, table=tmp_path / "no" / "t.csv"), "no folder"),
                       (lambda: search.sweep(model, design, lambda m: {"mass.lower": 1.0}), "another column")):
        with pytest.raises(torsor.Error, match=told):
            call()
    monkeypatch.setitem(__import__("sys").modules, "pyarrow", None)
    with pytest.raises(torsor.Error, match="PyArrow, which is not installed"):
        search.sweep(model, design, outcome, table=tmp_path / "t.parquet")


def test_a_sweep_continues_from_its_checkpoint_and_not_from_another(model, tmp_path):
    calls = []

    def outcome(changed):
        calls.append(float(changed.body_mass[2]))
        if len(calls) == 3:
            raise KeyboardInterrupt
        return {"mass": changed.body_mass[2]}

    design = search.grid({"mass.lower": [1, 2, 3, 4, 5]})
    with pytest.raises(KeyboardInterrupt):
        search.sweep(model, design, outcome, workers=1, checkpoint=tmp_path / "kept")
    found = search.sweep(model, design, outcome, workers=1, checkpoint=tmp_path / "kept")
    assert found.columns["mass"] == [1, 2, 3, 4, 5] and found.report.loaded == 2 and len(calls) == 6
    with pytest.raises(torsor.cluster.ClusterError, match="other work: design"):
        search.sweep(model, search.grid({"mass.lower": [1, 2, 3, 4, 6]}), outcome, checkpoint=tmp_path / "kept")


def test_a_table_that_cannot_be_written_at_the_end_is_not_lost(model, tmp_path, monkeypatch):
    def outcome(changed):
        (tmp_path / "t.csv").mkdir(exist_ok=True)  # something is in the way by the time that the sweep is done
        return {"mass": changed.body_mass[2]}

    with pytest.raises(torsor.Error, match="cannot be written") as caught:
        search.sweep(model, search.grid({"mass.lower": [1, 2]}), outcome, table=tmp_path / "t.csv", workers=1)
    assert caught.value.partial.columns["mass"] == [1, 2]
