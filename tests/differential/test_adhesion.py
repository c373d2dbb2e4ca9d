"""Actuators that act on the contacts of a body (adhesion), beside MuJoCo: moments, forces and steps of one world, and of batches."""

import mujoco
import numpy
import pytest

import torsor
import torsor.mujoco

# a box on the floor, a ball in the gap of its geom above it, a ball on a hinged paddle, and an actuator of the world
SCENE = """
<mujoco>
  <option {option}/>
  <worldbody>
    <geom name="floor" type="plane" size="5 5 1"/>
    <body name="box" pos="0 0 0.0995" euler="1 2 30"><freejoint/><geom type="box" size="0.1 0.1 0.1"/></body>
    <body name="hover" pos="1 0 0.105"><freejoint/><geom size="0.1" margin="0.002" gap="0.01"/><geom size="0.1" pos="0.5 0 -0.0055"/></body>
    <body name="paddle" pos="2 0 1"><joint axis="0 1 0" damping="0.1"/><geom type="capsule" size="0.05" fromto="0 0 0 0.5 0 0"/>
      <body name="tip" pos="0.5 0 0"><joint axis="1 0 0"/><geom name="tip" size="0.06"/></body></body>
    <body name="ball" pos="2.5 0 1.1195"><freejoint/><geom size="0.06"/></body>
    <body name="far" pos="4 0 3"><freejoint/><geom size="0.06"/></body>
  </worldbody>
  <actuator>
    <adhesion body="box" ctrlrange="0 1" gain="30"/>
    <adhesion body="hover" ctrlrange="0 2" gain="10" forcerange="0 15"/>
    <adhesion body="tip" ctrlrange="0 1" gain="40"/>
    <adhesion body="far" ctrlrange="0 1" gain="10"/>
    <general body="ball" gainprm="3" gear="5" biastype="affine" biasprm="1 0 -0.5"/>
    <adhesion body="world" ctrlrange="0 1" gain="2"/>
    <motor joint="hinge"/>
  </actuator>
  <sensor><actuatorfrc actuator="hold"/><actuatorvel actuator="hold"/><accelerometer site="s"/></sensor>
</mujoco>
""".replace('<adhesion body="tip"', '<adhesion name="hold" body="tip"').replace(
    '<joint axis="0 1 0" damping="0.1"/>', '<joint name="hinge" axis="0 1 0" damping="0.1"/><site name="s" pos="0.1 0 0"/>')
OPTIONS = ('cone="elliptic"', 'cone="pyramidal" integrator="implicitfast"', 'integrator="implicit"', 'integrator="RK4"',
           'integrator="discrete" jacobian="dense"')
CONTROLS = [0.7, 1.8, 1, 1, 0.5, 0.4, 0.1]


def moments(module, model, data):
    dense = numpy.zeros((model.nu, model.nv))
    module.mju_sparse2dense(dense, data.actuator_moment, data.moment_rownnz, data.moment_rowadr, data.moment_colind)
    return dense


@pytest.mark.parametrize("option", OPTIONS)
def test_every_step_equals_mujocos(option):
    text = SCENE.format(option=option)
    theirs, ours = mujoco.MjModel.from_xml_string(text), torsor.mujoco.MjModel.from_xml_string(text)
    judge, data = mujoco.MjData(theirs), torsor.mujoco.MjData(ours)
    judge.ctrl[:] = data.ctrl[:] = CONTROLS
    most = numpy.zeros(theirs.nu)
    for _ in range(100):
        data.qpos[:], data.qvel[:], data.qacc_warmstart[:] = judge.qpos, judge.qvel, judge.qacc_warmstart
        mujoco.mj_step(theirs, judge)
        torsor.mujoco.mj_step(ours, data)
        expected = moments(mujoco, theirs, judge)
        numpy.testing.assert_allclose(moments(torsor.mujoco, ours, data), expected, atol=1e-13)
        for name, tolerance in (("actuator_force", 1e-12), ("qfrc_actuator", 1e-12), ("actuator_velocity", 1e-12), ("qacc_smooth", 1e-9),
                                ("qvel", 1e-9), ("sensordata", 1e-7)):
            numpy.testing.assert_allclose(getattr(data, name), getattr(judge, name), atol=tolerance, rtol=1e-9, err_msg=name)
        most = numpy.maximum(most, numpy.abs(expected).max(axis=1))
    assert (most[[0, 1, 2, 4, 5]] > 0.6).all() and most[3] == 0, most  # all have held something, except the one in the air


def test_worlds_of_a_batch_are_held_like_one():
    model = torsor.Model.from_xml_string(SCENE.format(option='cone="elliptic"'))
    batch, data = torsor.Batch(model, 3), torsor.Data(model)
    batch.ctrl[:] = data.ctrl[:] = CONTROLS
    for _ in range(50):
        batch.step()
        torsor.step(model, data)
    assert numpy.abs(data.qfrc_actuator[:6]).max() > 10
    numpy.testing.assert_allclose(batch.qpos, numpy.tile(data.qpos, (3, 1)), atol=1e-9)


def test_sap_holds_bodies_whatever_the_form_of_its_jacobian():
    positions = []
    for jacobian in ("dense", "sparse"):
        model = torsor.Model.from_xml_string(SCENE.format(option=f'solver="SAP" jacobian="{jacobian}"'))
        data = torsor.Data(model)
        data.ctrl[:] = CONTROLS
        for _ in range(50):
            torsor.step(model, data)
        assert data.actuator_force[4] > 0.5  # the ball is held; its actuator damps
        positions.append(data.qpos.copy())
    numpy.testing.assert_allclose(*positions, atol=1e-9)


def test_a_stage_alone_uses_the_contacts_that_there_are():
    model = torsor.mujoco.MjModel.from_xml_string(SCENE.format(option=""))
    data = torsor.mujoco.MjData(model)
    torsor.mujoco.mj_forward(model, data)
    before = data.actuator_moment.copy()
    data.actuator_moment[:] = 0
    torsor.mujoco.mj_transmission(model, data)
    assert numpy.abs(before).max() > 0.9 and (data.actuator_moment == before).all()


def test_glue_of_geoms_is_in_qfrc_adhesion():
    text = """<mujoco><worldbody><geom type="plane" size="1 1 1"/><body pos="0 0 0.0999" euler="3 4 5"><freejoint/>
      <geom type="box" size="0.1 0.1 0.1" adhesion="5" margin="0.01" gap="0.02"/><geom pos="0.4 0 0" size="0.115" adhesion="2"/></body></worldbody></mujoco>"""
    forces = []
    for module in (torsor.mujoco, mujoco):
        model = module.MjModel.from_xml_string(text)
        data = module.MjData(model)
        module.mj_forward(model, data)
        forces.append(data.qfrc_adhesion.copy())
    assert forces[0][2] < -10
    numpy.testing.assert_allclose(*forces, atol=1e-12)
