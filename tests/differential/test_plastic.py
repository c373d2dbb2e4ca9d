"""Elasto-plastic springs of joints and tendons yield as MuJoCo's, and their rest is part of the state."""

import mujoco
import numpy as np
import pytest

import torsor

TEXT = """<mujoco><compiler angle="degree"/><option integrator="{integrator}" timestep="0.005" jacobian="dense"><flag energy="enable" {flag}/></option>
  <default><joint stiffness="2 1 .5"/></default>
  <worldbody><site name="w" pos=".5 .1 1"/>
    <body><joint name="elastic" axis="0 1 0" damping=".1"/><geom size=".1" pos=".3 0 0"/><site name="s" pos=".4 0 0"/>
      <body pos=".5 0 0"><joint name="hinge" axis="1 0 0" springref="5" springyield="6"/><geom size=".1" pos="0 .3 0"/>
        <body pos="0 .5 0"><joint name="ball" type="ball" springyield="12"/><geom type="box" size=".1 .05 .08" pos=".1 .1 0"/></body></body></body>
    <body pos="2 0 0"><joint name="slide" type="slide" axis="1 0 0" springyield=".05"/><geom size=".1"/></body>
  </worldbody>
  <tendon>
    <spatial name="path" stiffness="5 1 1" springlength=".3" springyield=".1"><site site="w"/><site site="s"/></spatial>
    <fixed name="slack" stiffness="4" springlength="0 .1" springyield=".08"><joint joint="slide" coef="1"/></fixed>
    <fixed name="band" stiffness="4" springlength="-.1 .1" springyield=".05"><joint joint="slide" coef="-1.5"/><joint joint="hinge" coef=".2"/></fixed>
    <fixed name="open" stiffness="3" springyield=".07"><joint joint="hinge" coef="1"/></fixed>
    <fixed name="never" stiffness="1"><joint joint="hinge" coef="1"/></fixed>
  </tendon>
  <keyframe><key name="rest"/><key name="bent" qpos="0 .3 1 0 0 0 .1" plastic=".2 .8 .6 0 0 .01 .4 .5 0 .3 -.2 .1 .3 .3"/></keyframe></mujoco>"""


def both_of(integrator="Euler", flag=""):
    text = TEXT.format(integrator=integrator, flag=flag)
    theirs_model, model = mujoco.MjModel.from_xml_string(text), torsor.Model.from_xml_string(text)
    return theirs_model, mujoco.MjData(theirs_model), model, torsor.Data(model)


def test_compiled_arrays():
    theirs, _, ours, _ = both_of()
    assert ours.nplastic == theirs.nplastic == 14
    for name in ("jnt_plasticadr", "jnt_springyield", "tendon_plasticadr", "tendon_springyield", "key_plastic"):
        assert np.allclose(getattr(ours, name), getattr(theirs, name), rtol=1e-12, atol=1e-12), name


@pytest.mark.parametrize("integrator", ["Euler", "implicit", "implicitfast", "RK4", "discrete"])
def test_runs(integrator):
    theirs_model, theirs, model, data = both_of(integrator)
    if integrator == "RK4" and hasattr(torsor.Integrator, "RKMK4"):
        model.opt.integrator = torsor.Integrator.RKMK4  # MuJoCo's RK4 has order 4 in rotations since 3.13
    rng = np.random.default_rng(3)
    theirs.qvel[:] = 2 * rng.normal(size=model.nv)
    data.qvel[:] = theirs.qvel
    yielded = np.zeros(model.nplastic, bool)
    for k in range(200):
        before = np.array(data.plastic)
        mujoco.mj_step(theirs_model, theirs)
        torsor.step(model, data)
        yielded |= np.abs(data.plastic - before) > 0
        tolerance = 1e-9
        for name in ("plastic", "qfrc_spring", "energy", "qpos", "qvel"):
            ours, expected = np.asarray(getattr(data, name)), np.asarray(getattr(theirs, name))
            assert np.allclose(ours, expected, rtol=0, atol=tolerance * max(1, np.abs(expected).max())), (k, name, ours, expected)
        for name in ("qpos", "qvel", "plastic"):
            getattr(data, name)[:] = getattr(theirs, name)
    assert yielded[[0, 1, 5, 6, 9, 10]].all(), yielded


def test_disabled_springs_do_not_yield():
    theirs_model, theirs, model, data = both_of(flag='spring="disable"')
    theirs.qvel[:] = data.qvel[:] = 3
    for _ in range(50):
        mujoco.mj_step(theirs_model, theirs)
        torsor.step(model, data)
    assert np.array_equal(data.plastic, theirs.plastic) and np.array_equal(data.plastic, torsor.Data(model).plastic)


def test_no_threshold_at_run_time_is_full_slip():
    theirs_model, theirs, model, data = both_of()
    theirs_model.jnt_springyield[:] = model.jnt_springyield[:] = 0
    theirs_model.tendon_springyield[:] = model.tendon_springyield[:] = -1
    theirs.qvel[:] = data.qvel[:] = 1
    for _ in range(20):
        mujoco.mj_step(theirs_model, theirs)
        torsor.step(model, data)
    assert np.allclose(data.plastic, theirs.plastic, rtol=0, atol=1e-10)


def test_resets_keyframes_and_states():
    theirs_model, theirs, model, data = both_of()
    for key in range(2):
        mujoco.mj_resetDataKeyframe(theirs_model, theirs, key)
        torsor.reset_data_keyframe(model, data, key)
        assert np.allclose(data.plastic, theirs.plastic, rtol=0, atol=1e-12)
    data.plastic[:] = np.arange(14)
    bits = torsor.StateBit
    assert int(bits.PLASTIC) == int(mujoco.mjtState.mjSTATE_PLASTIC) and bits.PHYSICS & bits.PLASTIC
    vector = torsor.get_state(model, data, bits.INTEGRATION)
    assert vector.size == mujoco.mj_stateSize(theirs_model, mujoco.mjtState.mjSTATE_INTEGRATION)
    mujoco.mj_setState(theirs_model, theirs, vector, mujoco.mjtState.mjSTATE_INTEGRATION)
    assert np.array_equal(theirs.plastic, np.arange(14))
    other = torsor.Data(model)
    torsor.set_state(model, other, vector, bits.INTEGRATION)
    assert np.array_equal(other.plastic, data.plastic)
    torsor.set_keyframe(model, data, 0)
    assert np.array_equal(model.key_plastic[0], data.plastic)


def test_named_access():
    _, _, model, data = both_of()
    assert data.joint("ball").plastic.shape == (4,) and data.joint("elastic").plastic.size == 0
    assert data.tendon("slack").plastic.shape == (2,)
    data.joint("hinge").plastic[:] = 0.25
    assert data.plastic[0] == 0.25
    assert model.joint("ball").springyield == pytest.approx(np.deg2rad(12)) and model.tendon("band").springyield == 0.05


def test_named_access_of_the_mujoco_interface():
    import torsor.mujoco as mj
    model = mj.MjModel.from_xml_string(TEXT.format(integrator="Euler", flag=""))
    data = mj.MjData(model)
    assert data.joint("ball").plastic.shape == (4,) and data.tendon("band").plastic.shape == (2,)
    assert model.joint("ball").plasticadr == 1 and model.key("bent").plastic.shape == (14,)
    assert mj.mj_stateSize(model, mj.mjtState.mjSTATE_PLASTIC) == 14


def test_written_models_keep_their_springs():
    model = torsor.Model.from_xml_string(TEXT.format(integrator="Euler", flag=""))
    spec = torsor.Spec.from_xml_string(TEXT.format(integrator="Euler", flag=""))
    model.jnt_springyield[1] = 0.3
    model.tendon_springyield[2] = 0.4
    spec.update(model)
    again = torsor.Model.from_xml_string(spec.to_xml())
    for name in ("jnt_springyield", "tendon_springyield", "jnt_plasticadr", "key_plastic"):
        assert np.allclose(getattr(again, name), getattr(model, name), rtol=1e-12, atol=1e-12), name


@pytest.mark.parametrize("part", ['<joint type="free" springyield=".1"/>', '<joint springyield="-1"/>'])
def test_springs_that_cannot_yield_are_refused(part):
    text = f"<mujoco><worldbody><body>{part}<geom size='.1'/></body></worldbody></mujoco>"
    with pytest.raises(ValueError):
        mujoco.MjModel.from_xml_string(text)
    with pytest.raises(torsor.Error, match="springyield|plastic"):
        torsor.Model.from_xml_string(text)


@pytest.mark.parametrize("integrator", ["Euler", "implicitfast", "RK4", "discrete"])
def test_worlds_of_a_batch_yield(integrator):
    model = torsor.Model.from_xml_string(TEXT.format(integrator=integrator, flag=""))
    batch, rng = torsor.Batch(model, 6), np.random.default_rng(0)
    batch.qvel[:] = rng.normal(size=batch.qvel.shape)
    worlds = [torsor.Data(model) for _ in range(6)]
    for world, data in enumerate(worlds):
        data.qvel[:] = batch.qvel[world]
    start = np.array(batch.plastic)
    batch.step(60)
    assert (np.abs(batch.plastic - start).max(axis=0) > 0).sum() > 6
    for world, data in enumerate(worlds):
        for _ in range(60):
            torsor.step(model, data)
        assert np.allclose(batch.plastic[world], data.plastic, rtol=0, atol=1e-9)
        assert np.allclose(batch.qpos[world], data.qpos, rtol=0, atol=1e-9)
