"""MjSpec.copy_back beside MuJoCo's: edits of a compiled model, and what the next compilation makes of them."""

import pathlib
import re

import mujoco as reference
import numpy
import pytest

import torsor.mujoco as mujoco

XML = """
<mujoco>
  <worldbody>
    <site name="hook" pos="0 0 2"/>
    <body name="arm" pos="0 0 1"><joint name="j" axis="0 1 0"/><geom type="box" size=".1 .1 .1" pos=".2 0 0"/><site name="s" pos=".3 0 0"/></body>
    <body name="ball" pos="1 0 1"><freejoint/><geom size=".1" mass="2"/><geom size=".05" pos=".2 0 0"/></body>
    <body name="given" pos="2 0 1"><joint/><inertial pos="0 0 0" mass="3" diaginertia="1 1 1"/><geom size=".1"/></body>
    <body name="sprung" pos="3 0 1"><joint name="k" range="-20 20" springdamper="0.5 1"/><geom name="near" type="box" size=".1 .1 .1" pos=".2 0 0"/></body>
    <body name="hung" pos="4 0 1"><joint type="ball" springdamper="0.5 1"/><geom name="far" size=".1" pos=".2 0 0"/></body>
    <body mocap="true" pos="5 0 1"/>
  </worldbody>
  <contact><pair geom1="near" geom2="far"/></contact>
  <equality>
    <connect body1="arm" body2="given" anchor="0.5 0 0"/>
    <weld body1="arm" body2="given" anchor="0 0.1 0"/>
    <weld body1="arm" body2="given" relpose="1 2 3 1 0 0 0"/>
    <joint joint1="j" joint2="k" polycoef="0 0.5 0 0 0"/>
  </equality>
  <tendon><spatial stiffness="3"><site site="hook"/><site site="s"/></spatial></tendon>
  <actuator>
    <position joint="j" kp="10" dampratio="1"/>
    <position joint="j" kp="10" kv="1"/>
    <position joint="k" kp="10" inheritrange="1"/>
    <intvelocity joint="k" kp="10" inheritrange="0.5"/>
  </actuator>
  <keyframe><key time="1"/><key qpos="0.2 1 0 1 1 0 0 0 0.1 0 1 0 0 0"/></keyframe>
</mujoco>"""
EDITS = {
    "a size, from which mass and damping follow": [("geom_size", 0, [0.2, 0.1, 0.1])],
    "the size of a geom with a mass": [("geom_size", 1, [0.2, 0, 0])],
    "a size beside a given inertia": [("geom_size", 3, [0.2, 0, 0])],
    "the place of a geom": [("geom_pos", 2, [0.5, 0.1, 0])],
    "a mass": [("body_mass", 1, 7)],
    "a size and a mass": [("geom_size", 0, [0.2, 0.1, 0.1]), ("body_mass", 1, 7)],
    "a size and an inertia": [("geom_size", 1, [0.2, 0.1, 0.1]), ("body_inertia", 2, [1, 1, 1])],
    "a site, from which a spring length follows": [("site_pos", 1, [0.5, 0, 0])],
    "a spring length": [("tendon_lengthspring", 0, [0.3, 0.3]), ("site_pos", 1, [0.5, 0, 0])],
    "a gain": [("actuator_gainprm", 0, [20] + [0] * 9)],
    "an axis": [("jnt_axis", 0, [1, 0, 0])],
    "a pose, from which anchors and relative poses follow": [("body_pos", 3, [3, 0, 1])],
    "a reference angle, from which a keyframe follows": [("qpos0", 0, 0.3), ("key_time", 1, 2)],
    "anchors of a connect and of a weld, and a pose": [("eq_data", (0, 0), 0.7), ("eq_data", (1, 1), 0.7), ("body_pos", 3, [3, 0, 1])],
    "the pose of a weld": [("eq_data", (2, slice(3, 10)), [3, 2, 1, 0, 1, 0, 0])],
    "a weld that no longer follows the reference pose": [("eq_data", (1, 3), 0.7), ("eq_data", (1, 11), 0)],
    "a torque scale and a polynomial": [("eq_data", (1, 10), 0.7), ("eq_data", (3, 1), 0.7)],
    "compliance of constraints": [("eq_solref", 0, [0.05, 0.9]), ("pair_friction", 0, [2, 2, 0.1, 0.1, 0.1])],
    "a size, from which spring and damper follow": [("geom_size", 4, [0.2, 0.1, 0.1]), ("geom_size", 5, [0.2, 0, 0])],
    "a stiffness, beside which the damping stays": [("geom_size", 4, [0.2, 0.1, 0.1]), ("jnt_stiffness", 3, 7)],
    "the damping of a ball": [("dof_damping", slice(9, 12), 7), ("geom_size", 5, [0.2, 0, 0])],
    "a range, from which control ranges follow": [("jnt_range", 3, [-0.2, 0.3])],
    "a control range beside that of the joint": [("actuator_ctrlrange", 2, [-0.1, 0.1]), ("jnt_range", 3, [-0.2, 0.3])],
    "a range of an activation": [("actuator_actrange", 3, [-0.1, 0.1])],
    "a servo that no longer is one": [("actuator_gainprm", 2, [20] + [0] * 9)],
    "the reference pose of a free body": [("qpos0", slice(1, 8), [1, 2, 3, 1, 0, 0, 0])],
    "a mocap body, from which keyframes follow": [("body_pos", 6, [5, 1, 1])],
    "directions that are not of unit length": [("body_quat", 1, [2, 1, 0, 0]), ("jnt_axis", 0, [1, 1, 0]), ("key_qpos", (1, slice(4, 8)), [2, 0, 0, 1])],
    "a pose and a colour": [("body_pos", 2, [1, 2, 3]), ("geom_rgba", 0, [1, 0, 0, 1])],
}
COMPARED = ("body_mass", "body_inertia", "body_ipos", "geom_size", "geom_pos", "site_pos", "body_pos", "body_quat", "tendon_lengthspring",
            "actuator_gainprm", "actuator_biasprm", "actuator_ctrlrange", "actuator_ctrllimited", "actuator_actrange", "actuator_actlimited",
            "jnt_axis", "jnt_range", "jnt_stiffness", "dof_damping", "geom_rgba", "qpos0", "eq_data", "eq_solref", "pair_friction",
            "key_qpos", "key_mpos", "key_time")


def compiled_again(module, edits):
    spec = module.MjSpec.from_string(XML)
    model = spec.compile()
    before = {name: numpy.array(getattr(model, name)) for name in COMPARED}
    for name, row, values in edits:
        getattr(model, name)[row] = values
    spec.copy_back(model)
    return spec.compile(), before


@pytest.mark.parametrize("edits", EDITS.values(), ids=EDITS)
def test_what_was_not_edited_is_inferred_again(edits):
    (ours, before), (theirs, _) = compiled_again(mujoco, edits), compiled_again(reference, edits)
    for name in COMPARED:
        numpy.testing.assert_allclose(getattr(ours, name), getattr(theirs, name), rtol=1e-9, atol=1e-12, err_msg=name)
    assert any(not numpy.array_equal(getattr(ours, name), before[name]) for name in COMPARED)


REFUSED = {
    "two of the six dofs of a free joint": ("dof_damping", slice(1, 3), 3),
    "one of the dofs of a ball with springdamper": ("dof_damping", 9, 3),
    "the anchor of a connect in its second body": ("eq_data", (0, 3), 0.7),
    "the pose of a weld that follows the reference pose": ("eq_data", (1, 3), 0.7),
    "a weld that starts to follow the reference pose": ("eq_data", (2, 11), 1),
}


@pytest.mark.parametrize("edit", REFUSED.values(), ids=REFUSED)
def test_edits_that_contradict_what_is_computed_are_refused(edit):
    for module in (mujoco, reference):
        spec = module.MjSpec.from_string(XML)
        model = spec.compile()
        name, index, value = edit
        getattr(model, name)[index] = value
        with pytest.raises(ValueError, match="Error"):
            spec.copy_back(model)


def test_keys_that_only_the_size_section_asks_for_are_copied_back():
    for module in (mujoco, reference):
        spec = module.MjSpec.from_string('<mujoco><size nkey="2"/><keyframe><key time="1"/></keyframe></mujoco>')
        model = spec.compile()
        model.key_time[1] = 3
        spec.copy_back(model)
        assert len(spec.keys) == 2
        assert spec.compile().key_time.tolist() == [1, 3]


@pytest.mark.filterwarnings("ignore:.*settotalmass")
def test_a_mass_is_refused_if_the_compiler_sets_the_total():
    for module in (mujoco, reference):
        spec = module.MjSpec.from_string('<mujoco><compiler settotalmass="5"/><worldbody><body><joint/><geom size=".1"/></body></worldbody></mujoco>')
        model = spec.compile()
        model.body_mass[1] = 7
        with pytest.raises(ValueError, match="settotalmass"):
            spec.copy_back(model)


def test_an_edit_leaves_bodies_alone_that_are_aligned_with_their_inertia():
    xml = """<mujoco><compiler alignfree="true"/><worldbody>
      <body><freejoint/><geom type="box" size=".1 .2 .3" pos=".3 .1 .2" euler="10 20 30"/></body>
      <body><freejoint/><inertial pos=".1 .2 .3" mass="1" diaginertia="1 2 2.5"/><geom size=".1"/></body>
      <body><joint/><geom size=".1"/></body></worldbody></mujoco>"""
    for module in (mujoco, reference):
        spec = module.MjSpec.from_string(xml)
        model = spec.compile()
        model.body_mass[[1, 3]] = 7
        spec.copy_back(model)
        again = spec.compile()
        for name in ("body_mass", "body_ipos", "body_pos", "body_quat", "geom_pos", "geom_quat"):
            numpy.testing.assert_allclose(getattr(again, name), getattr(model, name), rtol=1e-12, atol=1e-12, err_msg=name)


# Every array that a program may edit, one row at a time. MuJoCo leaves some edits out without a word: those of whole numbers, flags
# and most of what is only drawn; here they are kept, or refused by name.
ROOT = pathlib.Path(__file__).parents[2]
LISTED = (ROOT / "torsor/model/fields/model.inc").read_text(encoding="utf-8")
FIELDS = [name for name in re.findall(r"FIELD\(\w+, (\w+),", LISTED) if hasattr(reference.MjModel, name) and not re.search("names|path|text_data", name)]
FREE = [name for name in re.findall(r"FIELD\(\w+, (\w+), [^,]+, [^,]+, Free", LISTED) if "_sap" not in name]
LEFT_OUT = {"body_gravcomp", "jnt_actfrcrange", "cam_sensorsize", "light_bulbradius", "light_intensity", "light_range", "light_softness",
            "skin_rgba", "skin_inflate", "wrap_prm", "actuator_delay", "sensor_delay", "sensor_interval"}
MODELS = ("actuator_inheritance", "actuator_keyframes", "actuator_servos", "camera_intrinsics", "contact_pair", "custom_data", "equality_connect",
          "equality_weld", "height_field", "joint_defaults", "keyframes", "light_modes", "materials", "mesh_fitted", "sensor_nearness", "skins",
          "spring_yield", "tendon_defaults", "user_data")
# Edits that only MuJoCo accepts: sizes that are computed from a mesh.
STRICTER = {("mesh_fitted", "geom_size")}
WHOLE = {"geom_condim": (3, 6), "pair_dim": (3, 6), "site_type": (2, 6), "cam_mode": (1, 2), "light_mode": (1, 2), "light_type": (0, 1),
         "cam_projection": (0, 1)}


def is_left_out(name, array):
    return name in LEFT_OUT or array.dtype.kind in "biu"


def next_whole(model, name, row):
    if name.endswith(("matid", "texid")):
        count = model.nmat if name.endswith("matid") else model.ntex
        return numpy.concatenate(([(row[0] + 1) % count if count > 0 else -1], row[1:]))
    if row.dtype == bool or name.endswith(("limited", "castshadow", "active", "active0", "actgravcomp", "texuniform", "actearly")):
        return 1 - row.astype(int)
    low, high = WHOLE.get(name, (row, row + 1))
    return numpy.where(row == low, high, low)


def next_number(name, row, random):
    if name.endswith(("pos", "quat")):
        return row + 0.1 * random.normal(size=row.size)
    if name.endswith(("axis", "dir")):
        return row + 0.2 * random.normal(size=3)
    if name.endswith("range") and row.size == 2:
        return row + [-0.1, 0.2]
    if name.endswith("solimp"):
        return row * [0.95, 1, 1.1, 1, 1]
    if name == "eq_data":
        return row + 0.3 * (numpy.arange(row.size) == random.integers(row.size))
    if name.endswith(("rgba", "ambient", "diffuse", "specular", "emission", "shininess", "reflectance", "hfield_data")):
        return 0.5 * row + 0.1
    scaled = name.endswith(("size", "solref", "inertia", "gear", "friction", "interval"))
    return 1.25 * row + (0 if scaled else 0.03)


def row_candidates(model, name):
    """Coordinates of hinges and slides: those of free joints are the poses of bodies, and those of balls cannot be edited."""
    if name in ("qpos0", "qpos_spring"):
        return model.jnt_qposadr[model.jnt_type >= int(reference.mjtJoint.mjJNT_SLIDE)]
    array = getattr(model, name)
    return numpy.arange(len(array) if array.size > 0 else 0)


def edited(model, name, random):
    array = numpy.array(getattr(model, name))
    rows = array.reshape(len(array), -1).copy()
    row = random.choice(row_candidates(model, name))
    new = next_whole(model, name, rows[row]) if array.dtype.kind in "biu" else next_number(name, rows[row], random)
    rows[model.dof_jntid == model.dof_jntid[row] if name.startswith("dof_") else row] = new  # all dofs of a joint
    return rows.reshape(array.shape)


def copied_back(module, path, name, before, after):
    """All arrays that the compiler makes of the edits; none if they are refused."""
    spec = module.MjSpec.from_file(str(path))
    model = spec.compile()
    array = getattr(model, name)
    array[after != before] = after[after != before]
    try:
        spec.copy_back(model)
        again = spec.compile()
    except ValueError:
        return None
    return {each: numpy.array(getattr(again, each)) for each in FIELDS}


def check_edit(path, model, name, random):
    before, after = numpy.array(getattr(model, name)), edited(model, name, random)
    ours, theirs = (copied_back(module, path, name, before, after) for module in (mujoco, reference))
    if is_left_out(name, before):
        assert ours is None or numpy.array_equal(ours[name], after), name
    elif (path.stem, name) in STRICTER:
        assert ours is None and theirs is not None, name
    else:
        assert (ours is None) == (theirs is None), name
        for each in ours or ():
            tolerance = 1e-6 if theirs[each].dtype == numpy.float32 else 1e-9
            numpy.testing.assert_allclose(ours[each], theirs[each], tolerance, tolerance, err_msg=f"{each} after an edit of {name}")


@pytest.mark.parametrize("stem", MODELS)
def test_every_array_is_copied_back_as_in_mujoco(stem):
    path = ROOT / "models" / "features" / f"{stem}.xml"
    model = reference.MjSpec.from_file(str(path)).compile()
    random = numpy.random.default_rng(5)
    for name in FREE:
        if row_candidates(model, name).size > 0:
            check_edit(path, model, name, random)


def test_every_array_is_in_one_of_those_models():
    found = set()
    for stem in MODELS:
        model = reference.MjModel.from_xml_path(str(ROOT / "models" / "features" / f"{stem}.xml"))
        found |= {name for name in FREE if row_candidates(model, name).size > 0}
    assert found == set(FREE)
