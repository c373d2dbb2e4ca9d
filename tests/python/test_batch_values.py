"""torsor.Batch: values of the model per world, derived constants, Jacobians and rays."""

import numpy as np
import pytest

import torsor
from test_batch_arrays import SCENE

NWORLD = 6


@pytest.fixture
def scene():
    return torsor.Model.from_xml_string(SCENE)


@pytest.fixture
def batch(scene):
    return torsor.Batch(scene, NWORLD)


FACTORS = np.linspace(0.8, 1.3, NWORLD)
RANDOMISED = ["body_mass", "body_inertia", "geom_friction", "actuator_gainprm", "actuator_biasprm", "dof_armature",
              "dof_damping", "geom_size", "body_pos", "jnt_range", "qpos_spring", "opt.gravity", "opt.timestep"]


@pytest.mark.parametrize("field", RANDOMISED)
@pytest.mark.parametrize("integrator", ["EULER", "RK4", "IMPLICITFAST"])
def test_each_world_moves_as_a_model_with_its_values(scene, batch, field, integrator):
    scene.opt.tolerance, scene.opt.integrator = 0, torsor.Integrator[integrator]
    values = batch.expand(field)
    values *= FACTORS.reshape((NWORLD,) + (1,) * (values.ndim - 1))
    batch.ctrl = 0.3
    batch.step(10, threads=2)
    for world in range(NWORLD):
        model = torsor.Model.from_xml_string(SCENE)
        if field.startswith("opt."):
            setattr(model.opt, field[4:], getattr(model.opt, field[4:]) * FACTORS[world])
        else:
            getattr(model, field)[...] *= FACTORS[world]
        model.opt.tolerance, model.opt.integrator = 0, torsor.Integrator[integrator]
        data = torsor.Data(model)
        data.ctrl = 0.3
        torsor.step(model, data, nstep=10)
        assert batch.qpos[world] == pytest.approx(data.qpos, rel=1e-9, abs=1e-9), world
        assert batch.qvel[world] == pytest.approx(data.qvel, rel=1e-8, abs=1e-8), world


STAGES_THAT_READ = {"body_mass": {"kinematics"}, "geom_friction": {"contacts and rows"}, "dof_armature": {"mass matrix"},
                    "opt.gravity": {"velocity and bias"}, "actuator_gainprm": {"actuators", "activations"}}


@pytest.mark.parametrize("field", STAGES_THAT_READ)
def test_only_stages_that_read_a_value_run_lane_by_lane_because_of_it(batch, field):
    before = {stage.stage for stage in batch.plan() if stage.wide}
    batch.expand(field)
    because = {stage.stage for stage in batch.plan() if f"values per world: {field}" in stage.why}
    assert STAGES_THAT_READ[field] <= because and "constraint solver" not in because
    assert {stage.stage for stage in batch.plan() if stage.wide} >= before - because
    batch.expand("opt.timestep")
    assert all(stage.why == f"worlds are stepped one by one, values per world: {field}, opt.timestep"
               for stage in batch.plan())


def test_values_are_live_shared_until_expanded_and_initially_the_model_s(scene, batch):
    assert batch.expanded("body_mass") is None and not batch.has_values
    mass = batch.expand("body_mass")
    assert np.array_equal(mass, np.tile(scene.body_mass, (NWORLD, 1))) and batch.has_values
    assert np.shares_memory(mass, batch.expand("body_mass")) and not batch.expanded("body_mass").flags.writeable
    assert batch.expand("opt.timestep").shape == (NWORLD,) and batch.expand("opt.gravity").shape == (NWORLD, 3)
    assert batch.expand("geom_condim").dtype == np.int32 and batch.expand("jnt_limited").dtype == bool
    mass[2, 1] = 5
    assert batch.get_model(2).body_mass[1] == 5 and batch.get_model(1).body_mass[1] == scene.body_mass[1]
    assert scene.body_mass[1] != 5


def test_named_views_write_values(batch):
    batch.body("box").mass = FACTORS[:, None]
    assert np.array_equal(batch.expanded("body_mass")[:, 1], FACTORS)
    batch.geom("cube").friction[:, 0] if batch.expanded("geom_friction") is not None else None
    batch.geom("cube").friction = np.tile([0.5, 0.01, 0.001], (NWORLD, 1))
    assert (batch.expand("geom_friction")[:, 1, 0] == 0.5).all()
    batch.body("box").mass[3] = 9
    assert batch.get_model(3).body("box").mass == 9
    with pytest.raises(ValueError):
        batch.joint("knee").damping = np.zeros(4)
    assert batch.expanded("dof_damping") is None


def test_derived_constants_follow_as_in_single_models(scene, batch):
    batch.expand("body_mass")[:] *= FACTORS[:, None]
    batch.set_const(threads=2)
    for world in range(NWORLD):
        model = torsor.Model.from_xml_string(SCENE)
        model.body_mass[:] *= FACTORS[world]
        torsor.set_const(model)
        assert batch.expanded("dof_invweight0")[world] == pytest.approx(model.dof_invweight0, rel=1e-15)
        assert not list(batch.get_model(world).difference(model)) if hasattr(model, "difference") else True
    mass = batch.expand("body_mass")
    mass[:, 1] = 2
    batch.set_const([4])
    assert batch.expanded("body_subtreemass")[4, 1] == 2 != batch.expanded("body_subtreemass")[3, 1]


def test_bounds_follow_the_sizes_of_geoms(batch):
    batch.expand("geom_size")[2, 1] = 0.4
    batch.set_const()
    assert batch.expanded("geom_rbound")[2, 1] == pytest.approx(0.4 * 3**0.5)
    batch.step(5)
    assert batch.qvel[2, 2] > 0 > batch.qvel[1, 2]  # the larger box is pushed out of the floor


@pytest.mark.parametrize("call, message", [
    (lambda b: b.set_values("body_mass", [[1, 1, 1, 1]] * 4 + [[1, -2, 1, 1]] + [[1, 1, 1, 1]]),
     r"world 4: body_mass\[1\] is -2, but a mass must not be negative"),
    (lambda b: b.set_values("body_inertia", -1), r"world 0: body_inertia\[0, 0\] is -1, but a moment of inertia"),
    (lambda b: b.set_values("geom_size", np.nan), r"world 0: geom_size\[0, 0\] is nan, but must be a finite number"),
    (lambda b: b.set_values("geom_friction", np.inf, ids=[3]), "world 3: .*finite"),
    (lambda b: b.set_values("opt.timestep", [0.1, 0.1, 0, 1, 1, 1]), "world 2: opt.timestep is 0, but a time step must"),
    (lambda b: b.set_values("geom_size", 0), r"world 0: geom_size\[1, 0\] is 0, but a geom of this type has a size there"),
    (lambda b: b.set_values("jnt_range", [1, -1], ids=[2]), r"world 2: jnt_range\[0, 0\] is 1, above the upper bound -1"),
    (lambda b: b.set_values("geom_condim", 5), r"world 0: geom_condim\[0\] is 5"),
    (lambda b: b.set_values("geom_condim", 1.5), "whole number"),
    (lambda b: b.set_values("opt.integrator", 77), "world 0: "),
    (lambda b: b.set_values("body_mass", np.ones((3, 4))), r"body_mass: expected shape \(6, 4\), got \(3, 4\)"),
    (lambda b: b.set_values("body_parentid", 0), "structure of the model"),
    (lambda b: b.set_values("mass", 0), "'mass' is not a field of Model"),
    (lambda b: b.expand("mesh_vert"), "asset|structure"),
    (lambda b: b.expand("opt.nothing"), "'opt.nothing' is not a field of Model"),
    (lambda b: b.expanded("nothing"), "'nothing' is not a field of Model"),
])
def test_impossible_values_are_errors_and_change_nothing(batch, call, message):
    before = batch.qpos.copy()
    with pytest.raises(ValueError, match=message):
        call(batch)
    assert not batch.has_values and np.array_equal(batch.qpos, before)
    batch.step()


def test_values_that_became_impossible_stop_the_next_call_before_it_begins(batch):
    batch.step(3)
    before = batch.qpos.copy()
    mass = batch.expand("body_mass")
    mass[5, 2] = -1
    for call in (batch.step, batch.forward, batch.set_const, lambda: batch.jac(1, [0, 0, 0])):
        with pytest.raises(torsor.Error, match=r"world 5: body_mass\[2\] is -1"):
            call()
    assert np.array_equal(batch.qpos, before) and (batch.steps == 3).all()
    batch.step(ids=[0, 1])
    mass[5, 2] = 1
    batch.step()


def test_jacobians_are_those_of_each_world(scene, batch):
    batch.qpos[:, 7:] = np.random.default_rng(0).normal(size=(NWORLD, 2))
    jacp, jacr = batch.jac("hand", [0.5, 0, 0.5], threads=2)
    assert jacp.shape == (NWORLD, 3, scene.nv)
    bodies, points = [1, 3], [[0, 0, 1], [1, 0, 1.0]]
    some, _ = batch.jac(bodies, points, ids=[4, 2])
    for world in range(NWORLD):
        data = batch.get_data(world)
        expected = torsor.jac(scene, data, [0.5, 0, 0.5], "hand")
        assert np.allclose(jacp[world], expected[0], atol=1e-12) and np.allclose(jacr[world], expected[1], atol=1e-12)
    assert np.allclose(some[0], torsor.jac(scene, batch.get_data(4), points[0], 1)[0], atol=1e-12)
    assert np.allclose(some[1], torsor.jac(scene, batch.get_data(2), points[1], 3)[0], atol=1e-12)


def test_rays_are_those_of_each_world(scene, batch):
    batch.qpos[:, 2] = np.linspace(0.5, 1, NWORLD)
    points = [[0, 0, 3], [1.1, 0, 3], [9, 9, 9]]
    distance, geom, normal = batch.ray(points, [0, 0, -1], normal=True)
    assert distance.shape == geom.shape == (NWORLD, 3) and normal.shape == (NWORLD, 3, 3)
    for world in range(NWORLD):
        data = batch.get_data(world)
        for k, point in enumerate(points):
            x, hit, n = torsor.ray(scene, data, point, [0, 0, -1])
            assert distance[world, k] == pytest.approx(x, abs=1e-12) and geom[world, k] == hit
            assert normal[world, k] == pytest.approx(n, abs=1e-12)
    assert (batch.ray(points[0], [0, 0, -1], bodyexclude=1)[1] == 0).all()
    assert (batch.ray(points[0], [0, 0, -1], bodyexclude=1, flg_static=False)[0] == -1).all()
    assert (batch.ray(points[0], [0, 0, -1], geomgroup=[0] * 6)[0] == -1).all()
    assert batch.ray(points, [0, 0, -1], ids=[3])[0].shape == (1, 3)
    assert batch.ray(points, [0, 0, -1], ids=[3])[0][0, 0] == distance[3, 0]


@pytest.mark.parametrize("call, error", [
    (lambda b: b.jac(9, [0, 0, 0]), IndexError), (lambda b: b.jac("nobody", [0, 0, 0]), KeyError),
    (lambda b: b.jac(1, [0, 0]), ValueError), (lambda b: b.jac(1.5, [0, 0, 0]), ValueError),
    (lambda b: b.jac([1, 2], [0, 0, 0]), ValueError), (lambda b: b.ray([0, 0], [0, 0, 1]), ValueError),
    (lambda b: b.ray([0, 0, 0], [0, 0, 0]), torsor.Error), (lambda b: b.ray([0, 0, 0], [0, 0, 1], ids=[9]), IndexError),
    (lambda b: b.ray([0, 0, 0], [0, 0, 1], geomgroup=[1]), ValueError),
    (lambda b: b.ray(np.zeros((2, 3)), np.ones((3, 3))), ValueError)])
def test_bad_questions_are_errors(batch, call, error):
    with pytest.raises(error):
        call(batch)
