"""Rewrites of a model that must not change its physics, and the matching rewrites of its states."""

import copy
import pathlib
import xml.etree.ElementTree as ET

import numpy as np

import sections
import snapshots

FREE = 0
JOINT, JOINT_IN_PARENT, SITE, ORIENTATION = 0, 1, 4, 6  # transmissions


def read_model(path):
    """The tree of a model file, loadable from anywhere, with a name for every body and joint and without keyframes."""
    path = pathlib.Path(path)
    root = sections.read_with_includes(path)
    sections.make_asset_folders_absolute(root, path.resolve().parent)
    for model in root.iterfind("asset/model"):
        model.set("file", str(path.resolve().parent / model.get("file")))
    for keyframe in root.findall("keyframe"):
        root.remove(keyframe)
    of_cables = set(root.iterfind(".//composite/joint"))  # which have names already
    for tag in ("body", "joint", "freejoint"):
        for number, element in enumerate(root.iterfind(f".//worldbody//{tag}")):
            if element not in of_cables:
                element.attrib.setdefault("name", f"unnamed_{tag}_{number}")
    return root


def as_text(root):
    return ET.tostring(root, encoding="unicode")


def move_world(root, rotation_quat, translation):
    """Everything in the world moved together, with gravity, wind and magnetic field turned along."""
    moved = copy.deepcopy(root)
    rotation = snapshots.rotations(rotation_quat)[0]
    for world in moved.iter("worldbody"):
        frame = ET.Element("frame", pos=_text(translation), quat=_text(rotation_quat))
        frame.extend(list(world))
        for child in list(world):
            world.remove(child)
        world.append(frame)
    _turn_option(moved, "gravity", [0, 0, -9.81], rotation)
    _turn_option(moved, "wind", [0, 0, 0], rotation)
    return moved


def _turn_option(root, name, otherwise, rotation):
    value = np.array(otherwise, dtype=float)
    for option in root.iter("option"):
        if option.get(name):
            value = np.array([float(number) for number in option.attrib.pop(name).split()])
    ET.SubElement(root, "option", {name: _text(rotation @ value)})


def _text(numbers):
    return " ".join(repr(float(number)) for number in numbers)


def move_state(model, state, rotation_quat, translation):
    """The state of the moved world that corresponds to a state of the model."""
    rotation = snapshots.rotations(rotation_quat)[0]
    moved = {name: np.array(value) for name, value in state.items()}
    for joint in np.flatnonzero(np.array(model.jnt_type) == FREE):
        q, v = model.jnt_qposadr[joint], model.jnt_dofadr[joint]
        moved["qpos"][q : q + 3] = rotation @ state["qpos"][q : q + 3] + translation
        moved["qpos"][q + 3 : q + 7] = multiply(rotation_quat, state["qpos"][q + 3 : q + 7])
        for name in ("qvel", "qacc", "qfrc_applied"):
            moved[name][v : v + 3] = rotation @ state[name][v : v + 3]
    moved["xfrc_applied"] = np.concatenate(
        [state["xfrc_applied"][:, :3] @ rotation.T, state["xfrc_applied"][:, 3:] @ rotation.T], axis=1)
    moved["mocap_pos"] = state["mocap_pos"] @ rotation.T + translation
    moved["mocap_quat"] = np.array([multiply(rotation_quat, quat) for quat in state["mocap_quat"]]).reshape(-1, 4)
    return moved


def dof_rotation(model, rotation_quat):
    """How generalised forces and accelerations of the moved world relate to those of the model."""
    result = np.eye(model.nv)
    for joint in np.flatnonzero(np.array(model.jnt_type) == FREE):
        v = model.jnt_dofadr[joint]
        result[v : v + 3, v : v + 3] = snapshots.rotations(rotation_quat)[0]
    return result


def drop_damping_by_axis(model):
    """Nonlinear damping of a free joint acts along the world's axes one by one, so it does not turn with the world."""
    for joint in np.flatnonzero(np.array(model.jnt_type) == FREE):
        v = model.jnt_dofadr[joint]
        model.dof_dampingpoly[v : v + 6] = 0


def turn_actuators(model, rotation_quat):
    """Actuators push a free body along the world's axes, and turn it about them where they say so."""
    rotation = snapshots.rotations(rotation_quat)[0]
    for actuator, out in _actuators_of_free_joints(model):
        gear = np.array(model.actuator_gear[out])
        gear[:3] = rotation @ gear[:3]
        if model.actuator_trntype[actuator] == JOINT_IN_PARENT:
            gear[3:] = rotation @ gear[3:]
        model.actuator_gear[out] = gear


def drop_actuators_by_axis(model):
    """Damping and armature that actuators give a free joint act along the world's axes one by one. The orientation of a
    site in the frame of another, as MuJoCo computes it, depends on where the world's axes point."""
    for actuator, _ in _actuators_of_free_joints(model):
        model.actuator_armature[actuator] = 0
        model.actuator_damping[actuator] = model.actuator_dampingpoly[actuator] = 0
    for actuator in range(model.nactuator):
        out, reference = model.actuator_outadr[actuator], model.actuator_trnid[actuator][1]
        turns = model.actuator_trntype[actuator] == ORIENTATION or np.any(model.actuator_gear[out][3:])
        if model.actuator_trntype[actuator] in (SITE, ORIENTATION) and reference >= 0 and turns:
            model.actuator_gainprm[actuator] = model.actuator_biasprm[actuator] = 0


def _actuators_of_free_joints(model):
    for actuator in range(model.nactuator):
        target = model.actuator_trnid[actuator][0]
        if model.actuator_trntype[actuator] in (JOINT, JOINT_IN_PARENT) and model.jnt_type[target] == FREE:
            yield actuator, model.actuator_outadr[actuator]


def multiply(left, right):
    """Product of two wxyz quaternions."""
    w, x, y, z = left
    matrix = np.array([[w, -x, -y, -z], [x, w, -z, y], [y, z, w, -x], [z, -y, x, w]])
    return matrix @ right


def reorder_siblings(root):
    """Child bodies of every body in the opposite order."""
    reordered = copy.deepcopy(root)
    for parent in list(reordered.iter()):
        places = [index for index, child in enumerate(parent) if child.tag == "body"]
        bodies = [parent[index] for index in places]
        for index, body in zip(places, reversed(bodies)):
            parent[index] = body
    return reordered


def fuse(root, value):
    """The same model with static bodies fused or kept."""
    fused = copy.deepcopy(root)
    fused.append(ET.Element("compiler", fusestatic=value))
    return fused
