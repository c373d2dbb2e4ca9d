"""The SAP solver against its equations, evaluated independently: KKT of random problems, momentum, inverse, drives."""

import numpy as np
import pytest

import torsor
from sap_equations import DAMPER, DRIVE, EQUALITY, FRICTION_DOF, FRICTIONLESS, ELLIPTIC, LIMIT_JOINT, LIMIT_TENDON, Problem

SHAPES = ("sphere", "capsule", "box", "ellipsoid")
SIZES = {"sphere": "0.1", "capsule": "0.06 0.1", "box": "0.1 0.07 0.05", "ellipsoid": "0.1 0.07 0.06"}


def scene(rng, extra="", option=""):
    """Bodies in a heap, two arms with limits, friction, damping, drives, an equality and tendons."""
    bodies = ""
    for number in range(rng.integers(3, 8)):
        kind, place = rng.choice(SHAPES), rng.uniform([-0.3, -0.3, 0.02], [0.3, 0.3, 0.3])
        name = ("first", "second")[number] if number < 2 else f"body{number}"
        turn = rng.uniform(-180, 180, 3)
        bodies += f"""<body name="{name}" pos="{place[0]} {place[1]} {place[2]}" euler="{turn[0]} {turn[1]} {turn[2]}">
          <freejoint/><geom type="{kind}" size="{SIZES[kind]}" condim="{rng.choice([1, 3, 4, 6])}"
          friction="{rng.uniform(0.2, 1.5)} 0.02 0.005" sapstiffness="{10 ** rng.uniform(3, 9)}"
          sapdissipation="{rng.uniform(0, 0.1)}"/></body>"""
    arms = ""

    def springs():
        """Of a limit or an equality: both numbers, one, or none."""
        stiffness, dissipation = 10 ** rng.uniform(2, 8), rng.uniform(0, 0.1)
        return rng.choice(["", f'sapstiffness="{stiffness}"', f'sapdissipation="{dissipation}"',
                           f'sapstiffness="{stiffness}" sapdissipation="{dissipation}"'])

    for name, x in (("a", -1), ("b", 1)):
        arms += f"""<body name="{name}" pos="{x} 0 0.6">
          <joint name="{name}1" axis="0 1 0" range="-40 40" damping="0.3" frictionloss="0.2" armature="0.01" {springs()}/>
          <geom type="capsule" fromto="0 0 0 0.3 0 0" size="0.04"/>
          <body name="{name}f" pos="0.3 0 0"><joint name="{name}2" axis="0 1 0.3" range="-60 60" damping="0.1"/>
          <geom type="capsule" fromto="0 0 0 0.3 0 0" size="0.03"/><site name="{name}s" pos="0.3 0 0"/>
          <body pos="0.3 0 0"><joint name="{name}3" type="ball" range="0 30" damping="0.05" {springs()}/>
          <geom type="box" size="0.05 0.03 0.02" pos="0.05 0 0"/></body></body></body>"""
    model = torsor.Model.from_xml_string(f"""<mujoco>
      <option solver="SAP" timestep="{rng.choice([0.002, 0.005, 0.01])}" sap_tolerance="1e-12" {option}/>
      <worldbody><geom type="plane" size="3 3 1" sapstiffness="1e6"/>{bodies}{arms}</worldbody>
      <equality><joint joint1="a1" joint2="b1" polycoef="0 -1" {springs()}/><weld body1="first" body2="af"
        {springs()}/><connect body1="second" anchor="0.02 0 0.01" {springs()}/></equality>
      <tendon><fixed name="t" limited="true" range="-0.3 0.3" frictionloss="0.1" damping="2 0.5 0.3" {springs()}><joint
        joint="a2" coef="1"/><joint joint="b2" coef="-0.5"/></fixed><spatial damping="3"><site site="as"/><site
        site="bs"/></spatial></tendon>
      <actuator><position name="stiff" joint="a2" kp="1e6" kv="1e3"/><position joint="b2" kp="40" kv="2"
        forcerange="-3 5"/><velocity joint="b1" kv="3" forcerange="-1 1"/><motor
          joint="a1"/></actuator>{extra}</mujoco>""")
    data = torsor.Data(model)
    data.qvel[:] = rng.normal(size=model.nv)
    data.ctrl[:] = rng.normal(size=model.nu)
    hinges = [model.joint(name).qposadr[0] for name in ("a1", "b1", "a2", "b2")]
    data.qpos[hinges] = rng.uniform(-1, 1, 4)
    return model, data


@pytest.mark.parametrize("seed", range(40))
def test_random_problems_satisfy_the_equations(seed):
    rng = np.random.default_rng(seed)
    model, data = scene(rng)
    for _ in range(3):
        torsor.forward(model, data)
        problem = Problem(model, data)
        assert data.solver_unconverged == 0 and data.solver_converged[: min(data.nisland, 20)].all()
        assert problem.residual() < 1e-9
        gamma = problem.impulses(problem.v)
        np.testing.assert_allclose(data.efc_force * problem.h, gamma, atol=1e-8 * (1 + np.abs(gamma).max()))
        torsor.step(model, data)


def test_random_problems_have_every_kind_of_row():
    seen = set()
    for seed in range(12):
        model, data = scene(np.random.default_rng(seed))
        torsor.forward(model, data)
        seen |= set(data.efc_type.tolist())
    assert seen >= {EQUALITY, FRICTION_DOF, 2, LIMIT_JOINT, LIMIT_TENDON, FRICTIONLESS, ELLIPTIC, DRIVE, DAMPER}


@pytest.mark.parametrize("seed", range(10))
def test_momentum_of_the_step_is_the_impulse(seed):
    """A (v - v*) = J' gamma to 1e-12 of scale, with the solver's own impulses."""
    model, data = scene(np.random.default_rng(100 + seed))
    torsor.forward(model, data)
    problem = Problem(model, data)
    D = np.sqrt(np.diag(problem.inverse))
    change = problem.A @ (problem.v - problem.v_free)
    impulse = problem.push(data.efc_force * problem.h)
    scale = max(np.linalg.norm(D * (problem.A @ problem.v)), np.linalg.norm(D * impulse))
    assert np.linalg.norm(D * (change - impulse)) < 1e-12 * scale
    assert np.linalg.norm(D * (change - impulse)) < 1e-2 * np.linalg.norm(D * change)  # the test can fail


@pytest.mark.parametrize("seed", range(10))
def test_inverse_dynamics_finds_the_forces_that_were_given(seed):
    model, data = scene(np.random.default_rng(200 + seed))
    data.qfrc_applied[:] = np.random.default_rng(seed).normal(size=model.nv)
    torsor.forward(model, data)
    torsor.compare_forward_inverse(model, data)
    force = np.linalg.norm(data.qfrc_constraint)
    assert data.solver_fwdinv[0] < 1e-7 * (1 + force) and data.solver_fwdinv[1] < 1e-7 * (1 + force)


def test_damping_is_implicit():
    """M = 1, D = 10, h = 0.01, v0 = 1: 1 / 1.1."""
    model = torsor.Model.from_xml_string("""<mujoco><option solver="SAP" timestep="0.01" gravity="0 0 0"/><worldbody>
      <body><joint type="slide" damping="10"/><geom size="0.1" mass="1"/></body></worldbody></mujoco>""")
    data = torsor.Data(model)
    data.qvel[0] = 1
    torsor.step(model, data)
    assert data.qvel[0] == pytest.approx(1 / 1.1, rel=1e-14)


DRIVEN = """<mujoco><option solver="SAP" timestep="0.01" gravity="0 0 0" sap_tolerance="1e-12"/><worldbody>
  <body><joint name="j" type="slide" {joint}/><geom size="0.1" mass="2"/></body></worldbody>
  <actuator><position joint="j" kp="{kp}" kv="{kv}" {limits}/></actuator></mujoco>"""


def driven(kp, kv, limits="", joint=""):
    model = torsor.Model.from_xml_string(DRIVEN.format(kp=kp, kv=kv, limits=limits, joint=joint))
    data = torsor.Data(model)
    data.qpos[0], data.qvel[0], data.ctrl[0] = 0.1, -0.4, 0.7
    return model, data


def test_a_drive_is_implicit_and_its_force_is_the_actuators():
    model, data = driven(50, 3)
    torsor.step(model, data)
    # 2 (v - v0) = h (50 (0.7 - 0.1 - h v) - 3 v)
    v = (2 * -0.4 + 0.01 * 50 * 0.6) / (2 + 0.01 * (50 * 0.01 + 3))
    assert data.qvel[0] == pytest.approx(v, rel=1e-12)
    force = 50 * (0.6 - 0.01 * v) - 3 * v
    assert data.actuator_force[0] == pytest.approx(force, rel=1e-10)
    assert data.qfrc_actuator[0] == pytest.approx(force, rel=1e-10)
    assert abs(data.qfrc_constraint[0]) < 1e-12
    assert data.efc_type.tolist() == [DRIVE] and data.nf == 1


@pytest.mark.parametrize("limits", ['forcerange="-5 5"', 'forcerange="-1 9"', 'forcerange="3 4"'])
def test_a_drive_keeps_its_limits(limits):
    model, data = driven(1000, 3, limits)
    torsor.step(model, data)
    high = float(limits.split()[1].rstrip('"'))
    assert data.actuator_force[0] == pytest.approx(high, rel=1e-12)
    assert data.qvel[0] == pytest.approx(-0.4 + 0.01 * high / 2, rel=1e-12)


def test_a_drive_keeps_the_range_of_its_joint():
    model, data = driven(1000, 3, 'gear="2" forcerange="-50 50"', 'actuatorfrcrange="-4 6"')
    torsor.step(model, data)
    assert data.qfrc_actuator[0] == pytest.approx(6, rel=1e-12)
    assert data.actuator_force[0] == pytest.approx(3, rel=1e-12)


def test_a_stiff_drive_is_stable_where_an_explicit_one_explodes():
    fastest = {}
    for solver in (torsor.Solver.SAP, torsor.Solver.NEWTON):
        model, data = driven(1e7, 1e3)
        model.opt.solver = solver
        speeds = []
        for _ in range(100):
            torsor.step(model, data)
            speeds.append(abs(data.qvel[0]))
        fastest[solver] = max(speeds)
        if solver == torsor.Solver.SAP:
            assert data.qpos[0] == pytest.approx(0.7, abs=1e-4) and abs(data.qvel[0]) < 1e-3
    assert fastest[torsor.Solver.SAP] < 100 and fastest[torsor.Solver.NEWTON] > 1e4


def test_the_solver_counts_real_iterations_and_tells_when_they_were_too_few():
    model, data = scene(np.random.default_rng(3))
    torsor.forward(model, data)
    assert 1 < data.solver_niter[0] < 100 and data.solver_converged[0]
    model.opt.iterations = 1
    torsor.reset_data(model, data)
    data.qvel[:] = np.random.default_rng(3).normal(size=model.nv)
    torsor.forward(model, data)
    assert data.solver_unconverged > 0 and not data.solver_converged[: data.nisland].all()


def test_an_edited_state_does_not_start_from_the_old_solution():
    """The solver starts where the cost is less: a warm start of another state loses, and the result is the same."""
    model, data = scene(np.random.default_rng(5))
    torsor.step(model, data)
    rng = np.random.default_rng(6)
    data.qvel[:] = rng.normal(size=model.nv)
    fresh = torsor.Data(model)
    for name in ("qpos", "qvel", "ctrl"):
        getattr(fresh, name)[:] = getattr(data, name)
    torsor.forward(model, data)
    torsor.forward(model, fresh)
    np.testing.assert_allclose(data.qacc, fresh.qacc, atol=1e-7 * np.abs(fresh.qacc).max())


def test_a_large_island_satisfies_the_equations_too():
    """More than 64 dofs: matrices in blocks."""
    bodies = "".join(
        f"""<body pos="{0.19 * (i % 4)} {0.19 * (i // 4 % 4)} {0.095 + 0.18 * (i // 16)}"><freejoint/>
        <geom size="0.1" friction="0.6"/></body>""" for i in range(32))
    model = torsor.Model.from_xml_string(f"""<mujoco><option solver="SAP" sap_tolerance="1e-12"/>
      <worldbody><geom type="plane" size="3 3 1"/>{bodies}</worldbody></mujoco>""")
    data = torsor.Data(model)
    data.qvel[:] = np.random.default_rng(0).normal(size=model.nv)
    torsor.forward(model, data)
    assert data.nisland == 1 and data.solver_unconverged == 0
    assert Problem(model, data).residual() < 1e-9


BAD = [
    ('solver="SAP" integrator="RK4"', "Euler"),
    ('solver="SAP" timestep="0"', "timestep"),
    ('solver="SAP" sap_stiffness="-1"', "sap_stiffness"),
    ('solver="SAP" sap_sigma="0"', "sap_sigma"),
    ('solver="SAP" sap_tolerance="-1e-6"', "sap_tolerance"),
    ('solver="SAB"', "SAP"),
    ('frictionmix="harmonik"', "harmonic"),
]


@pytest.mark.parametrize("option, word", BAD)
def test_bad_options_are_refused(option, word):
    with pytest.raises(torsor.Error, match=word):
        torsor.Model.from_xml_string(f"<mujoco><option {option}/><worldbody/></mujoco>")


def test_bad_materials_are_refused():
    geom = '<mujoco><worldbody><geom size="1" {}/></worldbody></mujoco>'
    for attribute, word in (('sapstiffness="-3"', "positive"), ('sapstiffness="0"', "positive"),
                            ('sapdissipation="-1"', "negative")):
        with pytest.raises(torsor.Error, match=word):
            torsor.Model.from_xml_string(geom.format(attribute))


def test_options_edited_to_nonsense_are_refused_and_the_state_stays():
    model, data = driven(50, 3)
    before = data.qpos.copy()
    for name, value in (("timestep", 0), ("integrator", torsor.Integrator.RK4), ("sap_stiffness", -1)):
        kept = getattr(model.opt, name)
        setattr(model.opt, name, value)
        with pytest.raises(torsor.Error, match=name if name != "integrator" else "Euler"):
            torsor.step(model, data)
        setattr(model.opt, name, kept)
    assert (data.qpos == before).all()


def test_materials_mix_as_surfaces_in_series():
    text = """<mujoco><option solver="SAP" frictionmix="{mix}"/><worldbody><geom name="floor" type="plane" size="1 1 1"
      friction="0.9" sapstiffness="3e4" sapdissipation="0.02"/><body pos="0 0 0.09"><freejoint/><geom name="ball"
        size="0.1"
      friction="0.3" sapstiffness="1e4"/></body></worldbody>{pair}</mujoco>"""
    model = torsor.Model.from_xml_string(text.format(mix="mjcf", pair=""))
    data = torsor.Data(model)
    torsor.forward(model, data)
    contact = data.contact[0]
    assert contact.stiffness == pytest.approx(3e4 * 1e4 / 4e4) and contact.dissipation == pytest.approx(0.12)
    assert contact.friction[0] == 0.9
    # 0.75 of the floor's point (z = 0) and 0.25 of the ball's lowest (z = -0.01)
    assert contact.pos[2] == pytest.approx(-0.0025, abs=1e-12)
    pair = '<contact><pair geom1="floor" geom2="ball" friction="0.5" sapdissipation="0.3"/></contact>'
    model = torsor.Model.from_xml_string(text.format(mix="harmonic", pair=pair))
    data = torsor.Data(model)
    torsor.forward(model, data)
    assert data.contact[0].dissipation == 0.3 and data.contact[0].stiffness == pytest.approx(7.5e3)
    model = torsor.Model.from_xml_string(text.format(mix="harmonic", pair=""))
    data = torsor.Data(model)
    torsor.forward(model, data)
    assert data.contact[0].friction[0] == pytest.approx(2 * 0.9 * 0.3 / 1.2)


def test_parameters_are_written_and_read():
    spec = torsor.Spec.from_xml_string("""<mujoco><option solver="SAP" sap_beta="0.5" sap_sigma="1e-4"
      sap_stiffness="1e5"
      sap_dissipation="0.02" sap_tolerance="1e-9" frictionmix="harmonic"/><worldbody><geom name="a" size="1"
      sapstiffness="4e4"/><geom name="b" size="1" sapdissipation="0"/></worldbody><contact><pair geom1="a" geom2="b"
      sapstiffness="7"/></contact></mujoco>""")
    again = torsor.Spec.from_xml_string(spec.to_xml())
    model, copy = spec.compile(), again.compile()
    for name in ("solver", "sap_beta", "sap_sigma", "sap_stiffness", "sap_dissipation", "sap_tolerance", "frictionmix"):
        assert getattr(model.opt, name) == getattr(copy.opt, name)
    assert copy.opt.sap_sigma == 1e-4 and copy.geom_sapstiffness.tolist() == [4e4, -1]
    assert copy.geom_sapdissipation.tolist() == [-1, 0] and copy.pair_sapstiffness.tolist() == [7]


def test_edits_of_the_material_act_and_nonsense_counts_as_unset():
    model = torsor.Model.from_xml_string("""<mujoco><option solver="SAP"/><worldbody><geom type="plane" size="1 1 1"/>
      <body pos="0 0 0.09"><freejoint/><geom size="0.1"/></body></worldbody></mujoco>""")
    data = torsor.Data(model)
    for value, expected in ((2e4, 1e4), (0, 5e9), (-1, 5e9)):
        model.geom_sapstiffness[:] = value
        torsor.forward(model, data)
        assert data.contact[0].stiffness == pytest.approx(expected) and np.isfinite(data.qacc).all()
