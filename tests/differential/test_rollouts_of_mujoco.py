"""torsor.rollout against mujoco.rollout: the same arguments, the same states and readings."""

import mujoco
import numpy as np
import pytest
from mujoco import rollout

import engines
import scenes
import torsor

MODELS = ["actuator_servos", "sensor_joints", "actuator_muscles", "free_with_children", "mocap", "sensor_delays"]
NBATCH, NSTEP = 5, 30


@pytest.mark.parametrize("name", MODELS)
@pytest.mark.parametrize("warm", [False, True])
def test_mujoco_rolls_out_the_same(name, warm):
    path = next(path for path in scenes.FEATURES if path.stem == name)
    judge, subject = engines.judge(), engines.subject()
    theirs, ours = judge.load_file(path), subject.load_file(path)
    theirs.opt.disableflags |= engines.DISABLE_CONSTRAINT  # contact is chaotic over many steps
    ours.opt.disableflags |= engines.DISABLE_CONSTRAINT
    data, rng = judge.make_data(theirs), np.random.default_rng(4)
    full = int(mujoco.mjtState.mjSTATE_FULLPHYSICS)
    initial = np.tile(judge.get_state(theirs, data, full), (NBATCH, 1))
    initial[:, 1 + theirs.nq:1 + theirs.nq + theirs.nv] = rng.normal(0, 0.3, (NBATCH, theirs.nv))
    controls = rng.uniform(-1, 1, (NBATCH, NSTEP, theirs.nu))
    warmstart = rng.normal(size=(NBATCH, theirs.nv)) if warm else None
    expected = rollout.rollout(theirs, data, initial, controls, nstep=NSTEP, initial_warmstart=warmstart)
    result = torsor.rollout(ours, initial, controls, NSTEP, initial_warmstart=warmstart, nthread=2)
    for ours_, theirs_ in zip(result, expected):
        assert ours_.shape == theirs_.shape
        assert ours_ == pytest.approx(theirs_, rel=1e-9, abs=1e-9 * (1 + np.abs(theirs_).max(initial=0)))
