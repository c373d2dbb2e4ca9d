"""Calls of torsor.mujoco beside MuJoCo's, in one process: processor time of each, the least of many short runs.

    PYTHONPATH=build/release/python build/clients/bin/python tests/clients/measure_calls.py
"""

import timeit

import mujoco
import numpy

import torsor.mujoco

MODEL = """
<mujoco>
  <worldbody>
    <geom type="plane" size="5 5 1"/>
    <body name="box" pos="0 0 0.09"><freejoint name="free"/><geom name="box" type="box" size="0.1 0.1 0.1"/></body>
    <body name="arm" pos="0 1 1"><joint name="hinge" axis="0 1 0"/><geom name="rod" size="0.1"/></body>
  </worldbody>
  <actuator><motor name="motor" joint="hinge"/></actuator>
</mujoco>
"""
STATEMENTS = [
    "mj_step(model, data)", "mj_forward(model, data)", "mj_kinematics(model, data)", "data.qpos", "data.qpos[0]", "data.time",
    "model.nv", "model.body_mass", "model.opt.timestep", "data.ncon", "data.contact[0].dist", "data.contact.geom",
    "data.joint('hinge').qpos", "data.body('box').xpos", "data.geom(1).xpos", "model.actuator('motor').gear",
    "mj_name2id(model, BODY, 'box')", "mj_id2name(model, BODY, 1)", "mj_contactForce(model, data, 0, six)",
    "mj_jacBody(model, data, jacp, jacr, 1)", "mj_objectVelocity(model, data, BODY, 1, six, 0)",
    "mju_rotVecQuat(three, vec, quat)", "mju_mulQuat(four, quat, quat)", "mju_quat2Mat(nine, quat)", "mju_dot3(vec, vec)",
    "mju_norm3(vec)", "mju_copy3(three, vec)", "mju_add3(three, vec, [1, 2, 3])", "mju_mulMatVec(three, matrix, vec)",
    "mj_getState(model, data, state, 2)", "mj_mulM(model, data, dofs, dofs2)", "mj_integratePos(model, qpos, dofs2, 0.1)",
]


def names_of(module):
    model = module.MjModel.from_xml_string(MODEL)
    data = module.MjData(model)
    module.mj_forward(model, data)
    numbers = {"six": 6, "three": 3, "four": 4, "nine": 9, "dofs": model.nv, "state": model.nq, "qpos": model.nq}
    return {**{name: getattr(module, name) for name in dir(module) if name.startswith(("mj_", "mju_"))},
            "model": model, "data": data, "BODY": module.mjtObj.mjOBJ_BODY, **{key: numpy.zeros(n) for key, n in numbers.items()},
            "jacp": numpy.zeros((3, model.nv)), "jacr": numpy.zeros((3, model.nv)), "vec": numpy.array([1.0, 2, 3]),
            "quat": numpy.array([1.0, 0, 0, 0]), "matrix": numpy.eye(3), "dofs2": numpy.ones(model.nv)}


def seconds(statement, names):
    return min(timeit.repeat(statement, globals=names, repeat=15, number=300)) / 300


def main():
    ours, theirs = names_of(torsor.mujoco), names_of(mujoco)
    slower = []
    print(f"{'call':55} {'torsor':>9} {'mujoco':>9}  ratio")
    for statement in STATEMENTS:
        mine, other = seconds(statement, ours), seconds(statement, theirs)
        print(f"{statement:55} {1e9 * mine:7.0f}ns {1e9 * other:7.0f}ns  {mine / other:5.2f}")
        if mine > other:
            slower.append(statement)
    print("slower than MuJoCo:", slower or "none")


if __name__ == "__main__":
    main()
