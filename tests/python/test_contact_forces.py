"""Contact forces in the contact frame against MuJoCo's, for both cones, and how contacts are listed."""

import mujoco
import numpy as np
import pytest

import torsor

SCENE = """
<mujoco>
  <option cone="{cone}" solver="Newton" tolerance="1e-14" iterations="200"/>
  <worldbody>
    <geom type="plane" size="5 5 1" euler="1 0.5 0" condim="1"/>
    <body pos="0 0 0.19"><freejoint/><geom size="0.2" condim="1"/></body>
    <body pos="1 0 0.18"><freejoint/><geom size="0.2" condim="3"/><geom size="0.1" pos="0 0.2 -0.1"/></body>
    <body pos="2 0 0.17"><freejoint/><geom size="0.2" condim="4" friction="0.9 0.05 0.01"/></body>
    <body pos="3 0 0.16"><freejoint/><geom size="0.2" condim="6" friction="0.9 0.05 0.02"/></body>
    <body pos="3.1 0 0.54"><freejoint/><geom size="0.2" condim="6" friction="0.9 0.05 0.02"/></body>
  </worldbody>
</mujoco>"""


@pytest.fixture(params=["pyramidal", "elliptic"])
def pair(request):
    """Both engines at one state in which all bodies touch and slide."""
    text = SCENE.format(cone=request.param)
    model, judge_model = torsor.Model.from_xml_string(text), mujoco.MjModel.from_xml_string(text)
    data, judge = torsor.Data(model), mujoco.MjData(judge_model)
    data.qvel = judge.qvel[:] = 0.5 * np.random.default_rng(4).normal(size=model.nv)
    torsor.forward(model, data)
    mujoco.mj_forward(judge_model, judge)
    return model, data, judge_model, judge


def test_the_force_of_a_contact_in_its_frame_equals_mujocos(pair):
    model, data, judge_model, judge = pair
    assert torsor.is_pyramidal(model) == bool(mujoco.mj_isPyramidal(judge_model))
    assert data.ncon == judge.ncon >= 6
    dims = set()
    for i in range(data.ncon):
        expected = np.zeros(6)
        mujoco.mj_contactForce(judge_model, judge, i, expected)
        force = torsor.contact_force(model, data, i)
        assert force == pytest.approx(expected, rel=1e-5, abs=1e-5), i
        dims.add(int(data.contact[i].dim))
        if data.contact[i].dim < 4:
            assert not force[3:].any()
        if data.contact[i].dim == 1:
            assert not force[1:].any()
    assert dims == {1, 3, 4, 6}


def test_rows_of_a_contact_begin_at_its_address(pair):
    model, data, _, _ = pair
    for contact in data.contact:
        rows = slice(contact.efc_address, contact.efc_address + 1)
        assert (data.efc_id[rows] >= 0).all() and contact.exclude == 0
    elliptic = not torsor.is_pyramidal(model)
    for i, contact in enumerate(data.contact):
        if elliptic:
            own = data.efc_force[contact.efc_address:contact.efc_address + contact.dim]
            assert torsor.contact_force(model, data, i)[:contact.dim] == pytest.approx(own)


def test_the_frame_of_a_contact_has_its_axes_in_rows_and_the_normal_first(pair):
    model, data, _, judge = pair
    for mine, other in zip(data.contact, judge.contact):
        frame = mine.frame.reshape(3, 3)
        assert frame @ frame.T == pytest.approx(np.eye(3), abs=1e-12)
        assert frame[0] == pytest.approx(other.frame[:3], abs=1e-9)
        towards = data.geom_xpos[mine.geom[1]] - data.geom_xpos[mine.geom[0]]
        assert frame[0] @ towards > 0


def test_forces_of_contacts_and_gravity_explain_the_acceleration(pair):
    """J' f summed over contacts is the constraint force, with points, frames and torques as they are documented."""
    model, data, _, _ = pair
    total = np.zeros(model.nv)
    for i, contact in enumerate(data.contact):
        force, torque = (contact.frame.reshape(3, 3).T @ part for part in np.split(torsor.contact_force(model, data, i), 2))
        for geom, sign in zip(contact.geom, (-1, 1)):
            body = model.geom_bodyid[geom]
            total += torsor.apply_ft(model, data, sign * force, sign * torque, contact.pos, int(body))
    assert total == pytest.approx(data.qfrc_constraint, abs=1e-9)


def test_contacts_of_one_pair_of_bodies_follow_each_other_in_ascending_order(pair):
    model, data, _, _ = pair
    bodies = [tuple(sorted(model.geom_bodyid[contact.geom])) for contact in data.contact]
    assert bodies == sorted(bodies) and len(set(bodies)) < len(bodies)


def test_there_are_statistics_for_every_iteration_of_the_solver(pair):
    _, data, _, _ = pair
    assert data.nisland == 4 and data.solver_niter[:4].max() > 1
    for island in range(data.nisland):
        statistics = data.solver_statistics(island)
        assert len(statistics) == data.solver_niter[island]
        assert all(np.isfinite([s.improvement, s.gradient, s.lineslope]).all() for s in statistics)
        assert not statistics or statistics[-1].gradient < 1e-8
    with pytest.raises(IndexError):
        data.solver_statistics(data.nisland)
    with pytest.raises(IndexError):
        torsor.contact_force(data.model, data, data.ncon)
