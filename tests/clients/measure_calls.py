"""Calls of torsor.mujoco beside MuJoCo's, in one process: processor time of each, the least of many short runs.

    PYTHONPATH=build/release/python build/clients/bin/python tests/clients/measure_calls.py [WORD ...]

Measures named access and fields, and every function that both modules have and that takes numbers, arrays, a model and a data;
with words, the calls that contain one of them. Prints both columns, slow ones first.
"""

import sys
import time

import mujoco
import numpy

import torsor.mujoco

MODEL = """
<mujoco>
  <option><flag energy="enable"/></option>
  <worldbody>
    <geom type="plane" size="5 5 1"/>
    <camera name="eye" pos="0 -2 1"/><light name="lamp" pos="0 0 3"/>
    <body name="box" pos="0 0 0.09"><freejoint name="free"/><geom name="box" type="box" size="0.1 0.1 0.1"/></body>
    <body name="arm" pos="0 1 1"><joint name="hinge" axis="0 1 0" range="-1 1"/><geom name="rod" type="capsule" size="0.1 0.2"/>
      <site name="mark"/>
      <body name="hand" pos="0 0 0.5"><joint name="wrist" type="ball"/><geom size="0.05"/></body></body>
  </worldbody>
  <tendon><fixed name="tendon"><joint joint="hinge" coef="1"/></fixed></tendon>
  <actuator><motor name="motor" joint="hinge"/></actuator>
  <sensor><jointpos name="angle" joint="hinge"/><accelerometer name="acc" site="mark"/></sensor>
  <keyframe><key name="home"/></keyframe>
</mujoco>
"""
STATEMENTS = [
    "data.qpos", "data.qpos[0]", "data.time", "data.ctrl[:] = 0.1", "data.qpos[:] = qpos", "data.ncon", "data.energy", "model.nv",
    "model.body_mass", "model.opt.timestep", "model.opt.gravity", "model.stat.extent", "model.vis.global_.offwidth",
    "data.contact[0].dist", "data.contact[0].pos", "data.contact[0].frame", "data.contact.geom", "data.contact.dist", "len(data.contact)",
    "data.contact[:2]", "data.joint('hinge').qpos", "data.joint('hinge').qvel[0]", "data.body('box').xpos", "data.body(1).xmat",
    "data.geom('box').xpos", "data.geom(1).xpos", "data.site('mark').xpos", "data.actuator('motor').ctrl",
    "data.sensor('acc').data", "data.tendon('tendon').length", "data.camera('eye').xpos", "data.light('lamp').xpos",
    "model.actuator('motor').gear", "model.joint('hinge').range", "model.geom('box').size", "model.body('box').mass", "model.body('box').id",
    "model.body(1).name", "model.site('mark').pos", "model.sensor('acc').adr", "model.key('home').qpos", "model.camera('eye').fovy",
    "data.warning[0].number", "data.efc_force", "data.efc_J", "data.M", "data.solver_niter[0]",
    "data.timer[0].number", "copy.copy(data)", "copy.copy(model)", "module.MjData(model)", "pickle.dumps(data)",
    "int(module.mjtObj.mjOBJ_BODY)", "module.mjtObj.mjOBJ_BODY", "module.mjtState.mjSTATE_PHYSICS | 1", "module.MjOption()",
]
# arguments of functions, by their names, where those that fit any function of that kind do not fit this one
CALLS = {
    "mj_step": "model, data", "mj_step1": "model, data", "mj_step2": "model, data", "mj_forward": "model, data",
    "mj_name2id": "model, 1, 'box'", "mj_id2name": "model, 1, 1", "mj_contactForce": "model, data, 0, six",
    "mj_jac": "model, data, jacp, jacr, three, 3", "mj_jacBody": "model, data, jacp, jacr, 1", "mj_jacBodyCom": "model, data, jacp, jacr, 1",
    "mj_jacSubtreeCom": "model, data, jacp, 1", "mj_jacGeom": "model, data, jacp, jacr, 1", "mj_jacSite": "model, data, jacp, jacr, 0",
    "mj_jacPointAxis": "model, data, jacp, jacr, three, vec, 3", "mj_jacDot": "model, data, jacp, jacr, three, 3",
    "mj_angmomMat": "model, data, jacp, 1", "mj_objectVelocity": "model, data, 1, 1, six, 0", "mj_objectAcceleration": "model, data, 1, 1, six, 0",
    "mj_mulM": "model, data, dofs, dofs2", "mj_mulM2": "model, data, dofs, dofs2", "mj_addM": None, "mj_fullM": "model, data, square",
    "mj_solveM": "model, data, row, row2", "mj_solveM2": None, "mj_rne": "model, data, 0, dofs", "mj_integratePos": "model, qpos, dofs2, 0.1",
    "mj_differentiatePos": "model, dofs, 0.1, qpos, qpos2", "mj_normalizeQuat": "model, qpos", "mj_getState": "model, data, state, 2",
    "mj_setState": "model, data, state, 2", "mj_stateSize": "model, 2", "mj_copyState": "model, data, data, 2",
    "mj_setKeyframe": "model, data, 0", "mj_resetDataKeyframe": "model, data, 0", "mj_resetData": "model, data",
    "mj_ray": "model, data, up, down, None, 1, -1, one, None", "mj_multiRay": None, "mju_rayGeom": "three, nine, size, up, down, 6, None",
    "mj_geomDistance": "model, data, 1, 2, 5, six", "mj_applyFT": "model, data, vec, vec, vec, 1, dofs", "mj_mulJacVec": "model, data, rows, dofs2",
    "mj_mulJacTVec": "model, data, dofs, rows", "mj_local2Global": "data, three, nine, vec, quat, 1, 0", "mj_getTotalmass": "model",
    "mj_constraintUpdate": "model, data, rows, None, 0", "mj_version": "", "mj_versionString": "", "mj_isDual": "model", "mj_isSparse": "model",
    "mj_isPyramidal": "model", "mj_sizeModel": "model", "mj_setConst": None, "mj_setTotalmass": None, "mj_forwardSkip": "model, data, 0, 0",
    "mj_inverseSkip": "model, data, 0, 0", "mj_RungeKutta": None, "mj_Euler": None, "mj_implicit": None, "mj_insideSite": "model, data, 0, vec",
    "mju_euler2Quat": "four, vec, 'xyz'", "mju_eig3": "three, nine, four, nine2", "mju_cholFactor": "matrix5, 1e-9",
    "mju_cholSolve": "five, lower5, five2", "mju_clip": "0.5, 0.1, 1.0", "mju_Halton": "3, 2", "mju_sym2dense": None,
    "mju_boxQP": "five, work, None, positive5, five2, None, None", "mju_type2Str": "1", "mju_str2Type": "'geom'",
    "mju_insertionSortInt": "ints", "mju_mulMatMat": "matrix5, lower5, positive5", "mju_mulMatVec": "five, lower5, five2",
    "mju_transpose": "matrix5, lower5", "mjd_transitionFD": "model, data, 1e-6, 0, A, B, None, None",
    "mjd_inverseFD": "model, data, 1e-6, 0, square, square2, square3, None, None, None, None",
    "mju_standardNormal": "None", "mju_cholUpdate": None,
}


def drawn(name, kind, random):
    """An argument of a kind of the table of functions."""
    base, length = kind[0], "".join(letter for letter in kind[1:].split("=")[0] if letter.isdigit())
    if base == "f":
        return 0.7
    if base in "ib":
        return 1
    if base in "wW":
        return numpy.eye(3 if name.startswith("mjd_subQuat") else 5) + 0.1
    if base not in "vVgGnN":
        raise ValueError(f"{name}: nothing of the kind {kind}")
    numbers = random.uniform(0.1, 1, int(length or 5))
    if length == "4":
        numbers /= numpy.linalg.norm(numbers)
    return numbers.astype({"g": numpy.float32, "G": numpy.float32, "n": numpy.int32, "N": numpy.int32}.get(base, float))


def statements():
    """(what is shown, statement, names it needs)."""
    found = [(text, text, {}) for text in STATEMENTS]
    random, seen = numpy.random.default_rng(1), set()
    for name, text in torsor.mujoco._mujoco._list_functions():
        kinds = [word.partition(":")[::2] for word in text.split()]
        if name in seen or not hasattr(mujoco, name) or name.endswith("callback"):
            continue
        seen.add(name)
        if name in CALLS:
            if CALLS[name] is not None:
                found.append((name, f"{name}({CALLS[name]})", {}))
        elif [kind for _, kind in kinds] == ["m", "d"]:
            found.append((name, f"{name}(model, data)", {}))
        else:
            try:
                own = {f"a{i}": drawn(name, kind, random) for i, (_, kind) in enumerate(kinds)}
            except ValueError:
                continue
            found.append((name, f"{name}({', '.join(own)})", own))
    return found + [(name, f"{name}({text})", {}) for name, text in CALLS.items() if name not in seen and text and hasattr(mujoco, name)]


def names_of(module):
    import copy  # noqa: PLC0415 names of the statements
    import pickle  # noqa: PLC0415

    model = module.MjModel.from_xml_string(MODEL)
    data = module.MjData(model)
    module.mj_forward(model, data)
    sizes = {"six": 6, "three": 3, "four": 4, "nine": 9, "dofs": model.nv, "state": model.nq, "five": 5, "work": 5 * 12, "rows": data.nefc}
    lower = numpy.tril(numpy.ones((5, 5))) + 4 * numpy.eye(5)
    return {
        **{name: getattr(module, name) for name in dir(module) if name.startswith(("mj_", "mju_", "mjd_"))},
        **{name: numpy.zeros(size) for name, size in sizes.items()}, "module": module, "model": model, "data": data, "copy": copy,
        "pickle": pickle, "jacp": numpy.zeros((3, model.nv)), "jacr": numpy.zeros((3, model.nv)), "vec": numpy.array([1.0, 2, 3]),
        "quat": numpy.array([1.0, 0, 0, 0]), "nine2": numpy.array([4.0, 1, 0, 1, 3, 0.5, 0, 0.5, 2]), "dofs2": numpy.ones(model.nv),
        **{name: numpy.zeros((model.nv, model.nv)) for name in ("square", "square2", "square3")}, "row": numpy.zeros((1, model.nv)), "row2": numpy.ones((1, model.nv)),
        "qpos": model.qpos0.copy(), "qpos2": model.qpos0.copy(), "up": numpy.array([0, 0, 3.0]), "down": numpy.array([0, 0, -1.0]),
        "one": numpy.zeros(1, numpy.int32), "size": numpy.array([0.1, 0.1, 0.1]), "five2": numpy.ones(5), "matrix5": lower @ lower.T,
        "lower5": lower, "positive5": lower @ lower.T, "ints": numpy.arange(5, dtype=numpy.int32),
        "A": numpy.zeros((2 * model.nv + model.na, 2 * model.nv + model.na)), "B": numpy.zeros((2 * model.nv + model.na, model.nu))}


def seconds(code, names, count):
    start = time.perf_counter()
    exec(code, names)  # noqa: S102 a loop of count calls
    return (time.perf_counter() - start) / count


def measure(statement, own, ours, theirs, rounds=15):
    """Seconds of ours and theirs: the least of rounds that alternate, each of a few tenths of a millisecond."""
    codes = {count: compile(f"for _ in range({count}): {statement}", statement, "exec") for count in (1, 300, 20)}
    scopes = [{**names, **own} for names in (ours, theirs)]
    for scope in scopes:  # calls leave states behind
        scope["mj_resetData"](scope["model"], scope["data"])
        scope["mj_forward"](scope["model"], scope["data"])
        exec(codes[1], scope)  # noqa: S102 fails here if it does not run
    count = 300 if seconds(codes[20], scopes[0], 20) < 5e-6 else 20
    best = [float("inf")] * 2
    for _ in range(rounds):
        for i, scope in enumerate(scopes):
            best[i] = min(best[i], seconds(codes[count], scope, count))
    return best


def measure_all(words=()):
    """{call: [seconds of Torsor, seconds of MuJoCo]}, and why others could not be called."""
    ours, theirs = names_of(torsor.mujoco), names_of(mujoco)
    found, failed = {}, {}
    for shown, statement, own in statements():
        if words and not any(word in shown for word in words):
            continue
        try:
            found[shown] = measure(statement, own, ours, theirs)
        except Exception as error:  # arguments that do not fit: shown, not measured
            failed[shown] = f"{type(error).__name__}: {str(error).splitlines()[0]}"
    return found, failed


def main():
    found, failed = measure_all(sys.argv[1:])
    print(f"{'call':60} {'torsor':>9} {'mujoco':>9}  ratio")
    for name, (ours, theirs) in sorted(found.items(), key=lambda item: -item[1][0] / item[1][1]):
        print(f"{name:60} {1e9 * ours:7.0f}ns {1e9 * theirs:7.0f}ns  {ours / theirs:5.2f}")
    for name, fault in failed.items():
        print("not measured:", name, fault)
    print(len(found), "calls; slower than MuJoCo:", [name for name, (ours, theirs) in found.items() if ours > theirs] or "none")


if __name__ == "__main__":
    main()
