"""Corners that no feature model can show: counters after bad numbers, arrays beside mesh files, a singular matrix."""

import itertools
import struct

import numpy as np
import pytest

import bad_numbers
import compare
import engines
import smooth

BAD_NUMBERS = [(field, value) for field in ("qpos", "qvel", "qfrc_applied") for value in (np.nan, 1e14)]
PAIR_OF_JOINTS = ("<mujoco><option integrator='{method}'><flag autoreset='{autoreset}'/></option><worldbody><body>"
                  "<joint type='slide'/><joint/><geom size='0.1'/></body></worldbody></mujoco>")


def counts(engine, text, field, value, halves):
    """Warnings after each of three steps from a state or force with one bad number."""
    model = engine.load_string(text)
    data = engine.make_data(model)
    getattr(data, field)[0] = value
    seen = []
    for _ in range(3):
        if halves:
            engine.step1(model, data)
            engine.step2(model, data)
        else:
            engine.step(model, data)
        seen.append(bad_numbers.warnings_of(data))
    return seen


@pytest.mark.parametrize("autoreset", ["enable", "disable"])
@pytest.mark.parametrize("method", engines.INTEGRATORS)
def test_bad_numbers_are_counted_alike(judge, subject, method, autoreset):
    text = PAIR_OF_JOINTS.format(method=method, autoreset=autoreset)
    for (field, value), halves in itertools.product(BAD_NUMBERS, (False, True)):
        expected = counts(judge, text, field, value, halves)
        assert counts(subject, text, field, value, halves) == expected, (field, value, halves)
        assert np.any(expected)


SLIDERS = """<mujoco><worldbody><site name="wall" pos="0 0 3"/>
  <body><joint name="x" type="slide" axis="1 0 0"/><geom size="0.1"/><site name="s"/></body>
  <body pos="2 0 0"><joint name="y" type="slide" axis="0 1 0"/><geom size="0.1"/></body>
  <body pos="4 0 0"><joint name="z" type="slide" axis="0 0 1"/><geom size="0.1"/></body>
  </worldbody><tendon>{tendon}</tendon><actuator>{actuator}</actuator></mujoco>"""
FIXED = '<fixed name="t" armature="{}"><joint joint="x" coef="2"/><joint joint="y" coef="1"/></fixed>'
SPATIAL = '<spatial name="t" armature="{}"><site site="wall"/><site site="s"/></spatial>'


@pytest.mark.parametrize("actuator", ["", '<motor tendon="t" armature="0.5" gear="2"/>', '<motor joint="x" armature="0.5" gear="2"/>'])
@pytest.mark.parametrize("tendon", [tendon.format(armature) for tendon in (FIXED, SPATIAL) for armature in (0, 0.5)])
def test_sliders_on_tendons_with_armature_are_no_simple_bodies(judge, subject, tendon, actuator):
    text = SLIDERS.format(tendon=tendon, actuator=actuator)
    found = smooth.Pair(judge, subject, lambda engine: engine.load_string(text)).model_differences()
    assert not found, compare.report(found, text)


TWO_MOTORS = ("<mujoco><worldbody><body><joint name='turn'/><geom size='0.1' pos='0.1 0 0'/></body></worldbody><actuator>"
              "<motor joint='turn'/><motor joint='turn' ctrlrange='-1 1'/>"
              "<general joint='turn' dyntype='filter' dynprm='0.1'/></actuator></mujoco>")


def after_bad_control(engine, number, value):
    """Warnings, forces and activations after a step with one control that is no number, or too large."""
    model = engine.load_string(TWO_MOTORS)
    data = engine.make_data(model)
    data.ctrl[:] = 0.5
    data.ctrl[number] = value
    engine.step(model, data)
    return bad_numbers.warnings_of(data), list(data.actuator_force), list(data.act)


@pytest.mark.parametrize("number", [0, 1, 2])
@pytest.mark.parametrize("value", [np.nan, np.inf, -np.inf, 1e11, -1e11])
def test_bad_controls_switch_actuators_off_and_are_counted_alike(judge, subject, number, value):
    assert after_bad_control(subject, number, value) == after_bad_control(judge, number, value)


CORNERS = np.array([[0, 0, 0], [1, 0, 0], [0, 2, 0], [0, 0, 3]], float)
FACES = np.array([[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]])


def obj(indices):
    """An OBJ file, its corners written as a format of the vertex's number."""
    kinds = {"{0}//1": ["vn 0 0 1"], "{0}/1": ["vt 0 0"]}
    lines = [f"v {x} {y} {z}" for x, y, z in CORNERS] + kinds.get(indices, [])
    lines += ["f " + " ".join(indices.format(i + 1) for i in face) for face in FACES]
    return "\n".join(lines).encode()


def stl():
    triangles = [np.concatenate([np.zeros(3), CORNERS[face].ravel()]) for face in FACES]
    return bytes(80) + struct.pack("<I", len(FACES)) + b"".join(struct.pack("<12fH", *row, 0) for row in triangles)


def msh(normals=0, texcoords=0, faces=0):
    numbers = np.concatenate([CORNERS.ravel(), CORNERS.ravel()[: 3 * normals], np.linspace(0, 1, 8)[: 2 * texcoords]])
    head = np.array([4, normals, texcoords, faces], np.int32)
    return head.tobytes() + numbers.astype(np.float32).tobytes() + FACES[:faces].astype(np.int32).tobytes()


FILES = {
    "plain.obj": obj("{0}"), "normals.obj": obj("{0}//1"), "texcoords.obj": obj("{0}/1"), "plain.stl": stl(),
    "vertices.msh": msh(), "faces.msh": msh(faces=4), "normals.msh": msh(normals=4), "texcoords.msh": msh(texcoords=4),
    "all.msh": msh(4, 4, 4),
}
ARRAYS = {
    "normal": " ".join(["0 0 1", "0 1 0", "1 0 0", "0.6 0.8 0"]), "one normal": "0 0 1",
    "texcoord": "0 0.1 0.2 0.3 0.4 0.5 0.6 0.7", "two texcoord": "0 0.1 0.2 0.3 0.4 0.5 0.6 0.7 0.8 0.9 1 0 0 0 0 0",
    "face": "0 2 1 0 1 3 0 3 2 1 2 3", "vertex": "0 0 0 1 0 0 0 2 0 0 0 3",
}


@pytest.mark.parametrize("array", ARRAYS)
@pytest.mark.parametrize("file", FILES)
def test_arrays_beside_a_mesh_file_are_kept_or_refused_alike(judge, subject, file, array):
    """Each under a name of its own: MuJoCo remembers files by name, and forgets the arrays beside them."""
    def load(engine):
        name = f"{engine.name}_{array.replace(' ', '_')}_{file}"
        mesh = f"<mesh name='m' file='{name}' {array.split()[-1]}='{ARRAYS[array]}'/>"
        world = "<geom type='mesh' mesh='m'/>"
        return engine.load_string(f"<mujoco><asset>{mesh}</asset><worldbody>{world}</worldbody></mujoco>",
                                  {name: FILES[file]})

    try:
        found = smooth.Pair(judge, subject, load).model_differences()
    except judge.Error:
        with pytest.raises(subject.Error):
            load(subject)
    else:
        assert not found, compare.report(found, f"{array} beside {file}")


def test_a_flat_mesh_may_be_seen_but_not_touched(judge, subject):
    def load(engine, contype):
        mesh = "<mesh name='m' inertia='shell' vertex='0 0 0 1 0 0 0 1 0 1 1 0' face='0 1 3 0 3 2'/>"
        geom = f"<geom type='mesh' mesh='m' contype='{contype}' conaffinity='0'/>"
        return engine.load_string(f"<mujoco><asset>{mesh}</asset><worldbody>{geom}</worldbody></mujoco>")

    assert load(subject, 0).mesh_facenum == load(judge, 0).mesh_facenum
    for engine in (judge, subject):
        with pytest.raises(engine.Error, match="mesh 'm'"):
            load(engine, 1)


SINGULAR = {
    "two hinges": "<joint/><joint/>",
    "hinges of a chain": "<joint axis='1 0 0'/><joint axis='0 1 0'/><joint axis='0 1 0'/>",
    "sliders that make a body simple": "<joint type='slide'/><joint type='slide'/>",
    "hinge of a child": "<joint/><body><joint/><geom size='0.1' mass='0'/><inertial pos='0 0 0' mass='0' "
                        "diaginertia='0 0 0'/><body><geom size='0.1'/></body></body>",
}


@pytest.mark.parametrize("joints", SINGULAR)
def test_a_singular_mass_matrix_is_weighed_alike(judge, subject, joints):
    text = f"<mujoco><worldbody><body>{SINGULAR[joints]}<geom size='0.1' pos='0.1 0 0'/></body></worldbody></mujoco>"
    found = smooth.Pair(judge, subject, lambda engine: engine.load_string(text)).model_differences()
    assert not found, compare.report(found, joints)
