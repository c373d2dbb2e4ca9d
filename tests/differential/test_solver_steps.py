"""Where the iterative solvers of both engines take a first step, and where they do not."""

import numpy as np

COPIED = ("qpos", "qvel", "qacc_warmstart")
BOXES = 12


def boxes_at_rest():
    """Boxes on a floor, each an island, that hardly move: the last acceleration is nearly the solution."""
    bodies = "".join(f'<body pos="{0.3 * k} 0 0.0499"><freejoint/><geom type="box" size="0.05 0.05 0.05"/></body>'
                     for k in range(BOXES))
    return f"""<mujoco><option solver="CG" tolerance="1e-5" timestep="0.01"/>
      <worldbody><geom type="plane" size="0 0 1"/>{bodies}</worldbody></mujoco>"""


def test_conjugate_gradients_take_no_first_step_that_cannot_pay(subject, judge):
    model, mine = (engine.load_string(boxes_at_rest()) for engine in (judge, subject))
    data, my_data = judge.make_data(model), subject.make_data(mine)
    random, seen = np.random.default_rng(0), []
    judge.step(model, data, 30)
    for _ in range(60):
        data.qvel[:] += random.normal(0, 10.0 ** random.uniform(-9, -5, model.nv))
        for name in COPIED:
            getattr(my_data, name)[:] = getattr(data, name)
        judge.step(model, data)
        subject.step(mine, my_data)
        assert my_data.nisland == data.nisland == BOXES
        theirs, ours = np.array(data.solver_niter[:BOXES]), np.array(my_data.solver_niter)[:BOXES]
        assert np.array_equal(ours == 0, theirs == 0), (ours, theirs)
        seen += list(theirs)
    assert 0.05 < np.mean(np.array(seen) == 0) < 0.95
