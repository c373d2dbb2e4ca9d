"""Damping of tendons under SAP is implicit, as that of joints: A = M + h (B + sum d J' J)."""

import numpy as np
import pytest

import torsor
from sap_equations import DAMPER, Problem, tendon_jacobian

H, MASS = 0.01, 2.0
SLIDER = """<mujoco><option solver="SAP" timestep="0.01" gravity="0 0 0" sap_tolerance="1e-12"><flag {flag}/></option>
  <worldbody><body><joint name="j" type="slide" {joint}/><geom size="0.1" mass="2"/></body></worldbody>
  <tendon><fixed name="t" {tendon}><joint joint="j" coef="{coef}"/></fixed></tendon>{more}</mujoco>"""


def slider(tendon="", joint="", flag="", coef=1, more="", speed=1.0):
    model = torsor.Model.from_xml_string(SLIDER.format(tendon=tendon, joint=joint, flag=flag, coef=coef, more=more))
    data = torsor.Data(model)
    data.qvel[0] = speed
    return model, data


@pytest.mark.parametrize("d, coef", [(10, 1), (10, -1.5), (1e6, 1), (1e6, 3), (1e-6, 1)])
def test_a_damped_slider_loses_what_the_end_of_the_step_says(d, coef):
    """m (v - v0) = -h d coef^2 v, step by step, however stiff the damper is."""
    model, data = slider(f'damping="{d}"', coef=coef)
    expected = 1.0
    for _ in range(5):
        torsor.step(model, data)
        expected /= 1 + H * d * coef**2 / MASS
        assert data.qvel[0] == pytest.approx(expected, rel=1e-9)


def test_an_explicit_damper_explodes_where_sap_is_stable():
    """What is taken away: without eulerdamp the same slider goes wild, as it did for tendons."""
    model, data = slider('damping="1e6"', flag='eulerdamp="disable"')
    torsor.step(model, data)
    assert data.qvel[0] == pytest.approx(1 - H * 1e6 / MASS) and data.nefc == 0


@pytest.mark.parametrize("damping", ["30", "30 4 2", "0 8 0"])
def test_a_tendon_damps_as_the_joint_would(damping):
    """Velocities and all forces that are told, with applied forces and a limit in the way."""
    reach = 'range="-10 0.05" limited="true"'
    pairs = [slider(f'damping="{damping}"', reach, speed=2.0), slider("", f'{reach} damping="{damping}"', speed=2.0)]
    touched = 0
    for _ in range(40):
        for model, data in pairs:
            data.qfrc_applied[0] = 3.0
            torsor.step(model, data)
        (_, tendon), (_, joint) = pairs
        for name in ("qpos", "qvel", "qacc", "qfrc_damper", "qfrc_passive", "qfrc_constraint", "qfrc_smooth"):
            np.testing.assert_allclose(getattr(tendon, name), getattr(joint, name), rtol=1e-8, atol=1e-8, err_msg=name)
        touched += abs(joint.qfrc_constraint[0]) > 1
    assert touched > 5


def test_the_rows_of_dampers_are_told_and_are_no_constraint_forces():
    model, data = slider('damping="10"')
    torsor.forward(model, data)
    assert data.efc_type.tolist() == [DAMPER] and data.nf == 1
    v = 1 / (1 + H * 10 / MASS)
    assert data.qfrc_damper[0] == pytest.approx(-10) and data.qfrc_passive[0] == pytest.approx(-10)
    assert data.efc_force[0] == pytest.approx(-10 * (v - 1))  # what the step adds: -10 v in all
    assert abs(data.qfrc_constraint[0]) < 1e-12


@pytest.mark.parametrize("flag", ["eulerdamp", "damper", "constraint"])
def test_flags_are_honoured(flag):
    """No rows; explicit, and for `damper` no damping at all."""
    model, data = slider('damping="10"', flag=f'{flag}="disable"')
    torsor.step(model, data)
    assert data.nefc == 0
    assert data.qvel[0] == pytest.approx(1 if flag == "damper" else 1 - H * 10 / MASS, rel=1e-14)


def test_the_damping_of_an_actuator_at_a_tendon_counts():
    more = '<actuator><motor tendon="t" gear="2" damping="5"/></actuator>'
    model, data = slider('damping="10"', more=more)
    torsor.step(model, data)
    assert data.qvel[0] == pytest.approx(1 / (1 + H * (10 + 4 * 5) / MASS), rel=1e-12)


def test_negative_damping_stays_explicit():
    """It would not be convex."""
    model, data = slider('damping="-10"')
    torsor.step(model, data)
    assert data.qvel[0] == pytest.approx(1 + H * 10 / MASS, rel=1e-12)


BRANCHES = """<mujoco><option solver="SAP" timestep="0.005" sap_tolerance="1e-12"/><worldbody>
  <body name="trunk" pos="0 0 1"><freejoint/><geom size="0.1" mass="3"/>
    <body name="left" pos="0.2 0 0"><joint name="l1" axis="0 1 0"/><geom type="capsule" fromto="0 0 0 0.3 0 0" size="0.03"/>
      <body pos="0.3 0 0"><joint name="l2" axis="0 1 1" damping="0.1"/><geom size="0.05" pos="0.1 0 0"/><site name="ls"
        pos="0.1 0 0.05"/></body></body>
    <body name="right" pos="-0.2 0 0"><joint name="r1" axis="0 1 0"/><geom type="capsule" fromto="0 0 0 -0.3 0 0"
      size="0.03"/><site name="rs" pos="-0.3 0 0.02"/></body></body>
  <body name="other" pos="0 0.6 1.2"><joint name="o1" type="ball"/><geom type="box" size="0.1 0.05 0.02" pos="0.1 0 0"/>
    <site name="os" pos="0.2 0 0"/></body></worldbody>
  <tendon><fixed damping="{d}"><joint joint="l1" coef="1"/><joint joint="r1" coef="-0.7"/><joint joint="l2" coef="0.4"/></fixed>
    <spatial damping="{d}"><site site="ls"/><site site="rs"/></spatial>
    <spatial damping="{d} 2 1"><site site="rs"/><site site="os"/></spatial></tendon></mujoco>"""


@pytest.mark.parametrize("d", [0.5, 50, 1e6])
@pytest.mark.parametrize("seed", range(4))
def test_tendons_over_branches_and_trees_obey_the_law(seed, d):
    """A (v - v*) = J' gamma with the whole A, also where M has no room for it; and inverse dynamics knows."""
    model = torsor.Model.from_xml_string(BRANCHES.format(d=d))
    data = torsor.Data(model)
    data.qvel[:] = np.random.default_rng(seed).normal(size=model.nv)
    for _ in range(3):
        torsor.forward(model, data)
        problem = Problem(model, data)
        assert (data.efc_type == DAMPER).sum() == 3 and problem.residual() < 1e-9
        # nothing else holds: the step is linear, and here it is in one line
        expected = np.linalg.solve(problem.A, data.qfrc_smooth)
        np.testing.assert_allclose(data.qacc, expected, atol=1e-8 * np.abs(expected).max())
        torsor.compare_forward_inverse(model, data)
        scale = 1 + np.abs(data.qfrc_passive).max()
        assert data.solver_fwdinv[0] < 1e-9 * scale and data.solver_fwdinv[1] < 1e-9 * scale
        torsor.step(model, data)


def test_stiff_dampers_hold_lengths_for_seconds():
    model = torsor.Model.from_xml_string(BRANCHES.format(d=1e6))
    model.opt.gravity[:] = 0
    data = torsor.Data(model)
    data.qvel[:] = np.random.default_rng(1).normal(size=model.nv)
    torsor.step(model, data)
    energies = []
    for _ in range(400):
        torsor.step(model, data)
        energies.append(0.5 * data.qvel @ torsor.full_m(model, data) @ data.qvel)
    assert np.isfinite(data.qvel).all() and energies[-1] < energies[0]
    torsor.forward(model, data)
    J = tendon_jacobian(model, data)
    torsor.step(model, data)
    assert np.abs(data.qvel).max() > 1 and np.abs(J @ data.qvel).max() < 1e-4


def test_a_damper_of_another_velocity_is_not_kept():
    """Positions kept, velocities new: a polynomial's slope follows."""
    model, data = slider('damping="0 8 3"', speed=0.2)
    torsor.forward(model, data)
    data.qvel[0] = 1.7
    torsor.forward_skip(model, data, torsor.SkipStage.POS)
    fresh_model, fresh = slider('damping="0 8 3"', speed=1.7)
    torsor.forward(fresh_model, fresh)
    assert data.qacc[0] == pytest.approx(fresh.qacc[0], rel=1e-12)
    slope = 2 * 8 * 1.7 + 3 * 3 * 1.7**2
    assert fresh.qacc[0] == pytest.approx(-(8 * 1.7**2 + 3 * 1.7**3) / (MASS + H * slope), rel=1e-12)
