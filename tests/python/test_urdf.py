"""URDF files: what the engine makes of each element, and what it says about mistakes."""

import pathlib

import numpy as np
import pytest
import torsor
from torsor import rotations

MASS = '<inertial><mass value="1"/><inertia ixx="1" ixy="0" ixz="0" iyy="1" iyz="0" izz="1"/></inertial>'
TETRAHEDRON = b"v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n"


def robot(*parts):
    return "<robot name='r'>" + "".join(parts) + "</robot>"


def link(name, more="", mass=MASS):
    return f"<link name='{name}'>{mass}{more}</link>"


def joint(name, kind, parent, child, more=""):
    return (f"<joint name='{name}' type='{kind}'><parent link='{parent}'/><child link='{child}'/>"
            f"<origin xyz='0 0 1'/>{more}</joint>")


LIMIT = "<limit lower='-1' upper='2' effort='30' velocity='1'/>"
SPHERE = "<collision><geometry><sphere radius='0.1'/></geometry></collision>"
ARM = robot(link("base", SPHERE), link("arm", SPHERE), joint("turn", "revolute", "base", "arm", LIMIT))


def load(*parts, base="fixed", **options):
    return torsor.Model.from_xml_string(robot(*parts), base=base, **options)


def test_the_base_is_asked_for():
    with pytest.raises(torsor.Error, match='give base="fixed" or base="floating"'):
        torsor.Model.from_xml_string(ARM)
    with pytest.raises(torsor.Error, match="'free' is not a value of base"):
        torsor.Model.from_xml_string(ARM, base="free")
    fixed, floating = (torsor.Model.from_xml_string(ARM, base=base) for base in ("fixed", "floating"))
    assert (fixed.nq, floating.nq) == (1, 8)
    assert floating.joint(0).name == "floating_base_joint"
    assert torsor.Spec.from_xml_string(ARM, base="fixed").compile().nq == 1


def test_a_root_called_world_is_the_world():
    text = robot("<link name='world'><collision><geometry><box size='9 9 1'/></geometry></collision></link>",
                 link("ball", SPHERE), joint("free", "floating", "world", "ball"))
    model = torsor.Model.from_xml_string(text)
    assert model.nbody == 2 and model.nq == 7 and model.geom_bodyid.tolist() == [0, 1]
    data = torsor.Data(model)
    torsor.step(model, data, 2000)
    assert data.qpos[2] == pytest.approx(0.6, abs=2e-3)  # it lies on the box
    with pytest.raises(torsor.Error, match="the root link of this file is the world"):
        torsor.Model.from_xml_string(text, base="floating")


def test_links_and_joints_keep_their_names_and_values():
    model = torsor.Model.from_xml_string(ARM, base="fixed")
    assert model.name == "r" and [model.body(i).name for i in range(3)] == ["world", "base", "arm"]
    turn = model.joint("turn")
    assert turn.range.tolist() == [-1, 2] and turn.axis.tolist() == [1, 0, 0]
    assert model.jnt_actfrcrange[0].tolist() == [-30, 30]


def test_angles_are_about_fixed_axes():
    model = load(link("a"), link("b"), "<joint name='j' type='continuous'><parent link='a'/><child link='b'/>"
                 "<origin rpy='0.1 0.2 0.3'/></joint>")
    def turn(axis, angle):
        return [np.cos(angle / 2), *(np.sin(angle / 2) * np.eye(3)[axis])]

    pitched = rotations.multiply(turn(1, 0.2), turn(0, 0.1), order="wxyz")
    expected = rotations.multiply(turn(2, 0.3), pitched, order="wxyz")
    np.testing.assert_allclose(model.body_quat[2], expected, atol=1e-15)


def test_inertias_are_turned_with_their_frame():
    """Half a turn about z puts ixz and iyz on the other side, a quarter swaps x and y."""
    body = ("<inertial><origin rpy='0 0 1.5707963267948966'/><mass value='1'/>"
            "<inertia ixx='1' ixy='0' ixz='0' iyy='2' iyz='0' izz='2.5'/></inertial>")
    model = load(link("a", mass=body), base="floating")
    data = torsor.Data(model)
    torsor.forward(model, data)
    np.testing.assert_allclose(torsor.full_m(model, data)[3:, 3:], np.diag([2, 1, 2.5]), atol=1e-12)


def test_shapes_have_full_lengths_and_visuals_do_not_collide():
    model = load(link("a", "<visual><geometry><box size='1 2 3'/></geometry><material name='m'/></visual>"
                           "<collision><geometry><cylinder radius='0.1' length='0.6'/></geometry></collision>"
                           "<collision><geometry><capsule radius='0.1' length='0.6'/></geometry></collision>"),
                 "<material name='m'><color rgba='0 0 1 0.5'/></material>", base="floating")
    np.testing.assert_allclose(model.geom_size, [[0.5, 1, 1.5], [0.1, 0.3, 0], [0.1, 0.3, 0]])
    assert model.geom_contype.tolist() == [0, 1, 1] and model.geom_group.tolist() == [1, 0, 0]
    np.testing.assert_allclose(model.geom_rgba[0], [0, 0, 1, 0.5])
    assert model.body_mass[1] == 1  # shapes have no mass


def test_a_planar_joint_moves_in_the_plane_of_its_normal():
    model = load(link("a"), link("b"), joint("p", "planar", "a", "b", "<axis xyz='0 3 0'/>"))
    assert [model.joint(i).name for i in range(3)] == ["p_TX", "p_TY", "p_RZ"]
    assert np.abs(model.jnt_axis[:2] @ [0, 1, 0]).max() < 1e-15 and model.jnt_axis[2].tolist() == [0, 1, 0]
    np.testing.assert_allclose(np.cross(model.jnt_axis[0], model.jnt_axis[1]), [0, 1, 0], atol=1e-15)


def test_a_floating_joint_between_moving_links():
    model = load(link("a"), link("b"), joint("f", "floating", "a", "b"), base="floating")
    assert model.nv == 12 and [model.joint(i).name for i in range(1, 5)] == ["f_TX", "f_TY", "f_TZ", "f_R"]
    data = torsor.Data(model)
    torsor.step(model, data, 100)
    assert data.xpos[2, 2] - data.xpos[1, 2] == pytest.approx(1)  # both fall


def test_a_floating_joint_below_a_fixed_base_is_free():
    model = load(link("a"), link("mid", mass=""), joint("w", "fixed", "a", "mid"), link("b"),
                 joint("f", "floating", "mid", "b"))
    assert model.nq == 7 and model.body_parentid.tolist() == [0, 0, 1, 0]
    assert model.body_pos[3].tolist() == [0, 0, 2]


def test_a_mimicking_joint_follows():
    model = load(link("a"), link("b"), link("c"), joint("lead", "continuous", "a", "b", "<axis xyz='0 0 1'/>"),
                 joint("follow", "continuous", "b", "c",
                       "<axis xyz='0 0 1'/><mimic joint='lead' multiplier='2' offset='0.5'/>"))
    data = torsor.Data(model)
    data.qfrc_applied[0] = 0.1
    torsor.step(model, data, 1000)
    assert abs(data.qpos[0]) > 0.01
    assert data.qpos[1] == pytest.approx(2 * data.qpos[0] + 0.5, abs=2e-3)


def test_neighbours_of_a_fixed_base_do_not_collide():
    parts = link("base", SPHERE), link("arm", "<collision><origin xyz='0 0 -0.9'/><geometry><sphere radius='0.1'/>"
                                              "</geometry></collision>"), joint("j", "continuous", "base", "arm")
    data = torsor.Data(model := load(*parts))
    torsor.forward(model, data)
    assert data.ncon == 0


def test_links_are_merged_only_if_asked():
    parts = link("a", SPHERE), link("b", SPHERE), joint("w", "fixed", "a", "b")
    assert load(*parts, base="floating").nbody == 3
    merged = load(*parts, base="floating", merge_fixed=True)
    assert merged.nbody == 2 and merged.body_mass[1] == 2 and merged.ngeom == 2


def test_a_link_without_inertial_has_no_mass():
    model = load(link("a"), link("tool", SPHERE, mass=""), joint("w", "fixed", "a", "tool"), base="floating")
    assert model.body_mass.tolist() == [0, 1, 0]
    with pytest.raises(torsor.Error, match="has no mass or no inertia"):
        load(link("a"), link("b", SPHERE, mass=""), joint("j", "continuous", "a", "b"))


def mesh(file, tag="collision", scale=""):
    return f"<{tag}><geometry><mesh filename='{file}' {scale}/></geometry></{tag}>"


@pytest.mark.parametrize("written, stored, options", [
    ("package://arm_description/meshes/t.obj", "ros/arm_description/meshes/t.obj", {}),
    ("package://arm_description/meshes/t.obj", "checkout/meshes/t.obj", {"file": "checkout/urdf/r.urdf"}),
    ("package://arm_description/t.obj", "elsewhere/arm_description/t.obj", {"packages": ["elsewhere"]}),
    ("package://arm_description/t.obj", "other/t.obj", {"packages": ["other"]}),
    ("meshes/t.obj", "ros/arm_description/urdf/meshes/t.obj", {}),
    ("../t.obj", "ros/arm_description/t.obj", {}),
])
def test_meshes_are_found(tmp_path, monkeypatch, written, stored, options):
    monkeypatch.chdir(tmp_path)
    for path in (stored, "ros/arm_description/urdf/r.urdf", "checkout/urdf/r.urdf"):
        pathlib.Path(path).parent.mkdir(parents=True, exist_ok=True)
    pathlib.Path(stored).write_bytes(TETRAHEDRON)
    options = dict(options)
    file = pathlib.Path(options.pop("file", "ros/arm_description/urdf/r.urdf"))
    file.write_text(robot(link("a", mesh(written, scale="scale='2 2 -2'"))))
    model = torsor.Model.from_xml_path(file, base="floating", **options)
    assert model.nmesh == 1 and np.ptp(model.mesh_vert, axis=0) == pytest.approx([2, 2, 2], rel=0.5)
    absolute = torsor.Model.from_xml_path(file.resolve(), base="floating", **options)
    assert absolute.nmeshvert == model.nmeshvert


def test_files_in_memory_are_found_by_their_names():
    model = load(link("a", mesh("package://p/meshes/t.obj")), base="floating", assets={"t.obj": TETRAHEDRON})
    assert model.nmesh == 1


def test_missing_meshes_are_named():
    with pytest.raises(torsor.Error, match="p/meshes/t.obj"):
        load(link("a", mesh("package://p/meshes/t.obj")), base="floating")


@pytest.mark.parametrize("parts, message", [
    ([link("a"), link("a")], "two links called 'a'"),
    ([link("a"), link("b")], "'a' and 'b' both have no parent"),
    ([link("a"), link("b"), joint("j", "fixed", "a", "c")], "link 'c', which does not exist"),
    ([link("a"), link("b"), joint("j", "fixed", "a", "b"), joint("k", "fixed", "b", "a")], "child of another"),
    ([link("a"), link("b"), link("c"), joint("j", "fixed", "b", "c"), joint("k", "fixed", "c", "b")], "are a loop"),
    ([link("a"), link("b"), joint("j", "fixed", "a", "b"), joint("j", "fixed", "a", "b")], "two joints called 'j'"),
    ([link("a"), link("b"), joint("j", "twisty", "a", "b")], "twisty"),
    ([link("a"), link("b"), joint("j", "continuous", "a", "b", "<axis xyz='0 0 0'/>")], "must not be zero"),
    ([link("a"), link("b"), joint("j", "continuous", "a", "b", "<axis xyz='0 0'/>")], "takes 3 numbers"),
    ([link("a"), link("b"), joint("j", "revolute", "a", "b", "<limit lower='2' upper='1'/>")], "above 'upper'"),
    ([link("a"), link("b"), joint("j", "continuous", "a", "b", "<mimic joint='k'/>")], "'k', which does not exist"),
    ([link("a", mass="<inertial><mass value='-1'/><inertia ixx='1' iyy='1' izz='1'/></inertial>")], "must not be negative"),
    ([link("a", mass="<inertial><mass value='nan'/><inertia ixx='1' iyy='1' izz='1'/></inertial>")], "must be finite"),
    ([link("a", "<collision><geometry><box size='1 0 1'/></geometry></collision>")], "must be positive"),
    ([link("a", "<collision><geometry><torus/></geometry></collision>")], "not a shape of URDF"),
    ([link("a", "<collision><geometry/></collision>")], "has one shape"),
    ([link("a"), "<mujoco><worldbody/></mujoco>"], "cannot have <worldbody>"),
    ([], "the robot has no links"),
])
def test_mistakes_are_named(parts, message):
    with pytest.raises(torsor.Error, match=message):
        load(*parts)


def test_all_mistakes_are_reported_at_once():
    with pytest.raises(torsor.Error) as caught:
        load(link("a", "<collision><geometry><torus/></geometry></collision>"), link("b"),
             joint("j", "twisty", "a", "b"))
    assert "torus" in str(caught.value) and "twisty" in str(caught.value)


def test_what_is_not_simulated_is_a_warning():
    model = load(link("a"), "<gazebo/><gazebo/><transmission name='t'/>", base="floating")
    assert ["gazebo" in str(w) for w in model.warnings].count(True) == 1
    assert any("transmission" in str(w) for w in model.warnings)


def test_settings_of_the_file_are_used():
    model = load(link("a"), "<mujoco><option timestep='0.01' gravity='0 0 0'/></mujoco>", base="floating")
    assert model.opt.timestep == 0.01 and model.opt.gravity.tolist() == [0, 0, 0]


def test_a_model_is_written_as_mjcf():
    spec = torsor.Spec.from_xml_string(ARM, base="floating")
    again = torsor.Model.from_xml_string(spec.to_xml())
    assert again.to_bytes() == spec.compile().to_bytes()


# --- hostile files --------------------------------------------------------------------------------------------------

BOMB = "<!DOCTYPE r [<!ENTITY a 'ha'>" + "".join(f"<!ENTITY {chr(98 + i)} '{f'&{chr(97 + i)};' * 10}'>" for i in range(12)) + "]>"


def test_entities_are_not_expanded(tmp_path):
    """Neither those that grow nor those that read files."""
    (tmp_path / "secret").write_text("secret")
    for head, entity in ((BOMB, "m"), (f"<!DOCTYPE r [<!ENTITY x SYSTEM 'file://{tmp_path}/secret'>]>", "x")):
        model = torsor.Model.from_xml_string(head + robot(link(f"base&{entity};")), base="fixed")
        assert model.body(1).name == f"base&{entity};"


def test_meshes_are_read_from_where_it_is_allowed(tmp_path):
    (tmp_path / "robot").mkdir()
    (tmp_path / "secret.obj").write_bytes(TETRAHEDRON)
    for name in ("../secret.obj", f"{tmp_path}/secret.obj", f"file://{tmp_path}/secret.obj", "package://robot/../../secret.obj"):
        shape = f"<collision><geometry><mesh filename='{name}'/></geometry></collision>"
        (tmp_path / "robot" / "r.urdf").write_text(robot(link("base", shape)))
        with pytest.raises(torsor.Error, match="may not be read from disk|cannot open"):
            torsor.Model.from_xml_path(tmp_path / "robot" / "r.urdf", base="fixed", restrict=[tmp_path / "robot"])


@pytest.mark.parametrize("name, contents", [("m.stl", b"\0" * 80 + b"\xff\xff\0\0" + b"\0" * 50), ("m.dae", b"<COLLADA><asset>"),
                                            ("m.obj", b"v 0 0 0\nf 1 2 9\n"), ("m.msh", b"\x04\0\0\0")])
def test_damaged_meshes_are_errors_with_their_place(name, contents):
    shape = f"<collision><geometry><mesh filename='{name}'/></geometry></collision>"
    with pytest.raises(torsor.Error, match="line 1:") as raised:
        load(link("base", shape), assets={name: contents})
    assert name in str(raised.value)


# --- links without mass ---------------------------------------------------------------------------------------------


def test_a_link_without_mass_between_two_joints_is_no_body():
    """A universal joint: its cross has no mass in most files."""
    turned = "<axis xyz='{}'/>"
    model = load(link("base"), link("cross", mass=""), link("arm"),
                 joint("u", "continuous", "base", "cross", turned.format("1 0 0")),
                 joint("v", "continuous", "cross", "arm", turned.format("0 1 0")))
    assert [model.body(i).name for i in range(model.nbody)] == ["world", "base", "arm"]
    assert "link 'cross' has no mass" in str(model.warnings[0])
    data = torsor.Data(model)
    data.qpos[:] = 0.3, 0.4
    torsor.kinematics(model, data)
    c, s = np.cos(0.3), np.sin(0.3)
    about_x = np.array([[1, 0, 0], [0, c, -s], [0, s, c]])
    np.testing.assert_allclose(data.xpos[2], [0, 0, 1] + about_x @ [0, 0, 1], atol=1e-12)  # v is 1 m above u, which is 1 m above base
    c, s = np.cos(0.4), np.sin(0.4)
    np.testing.assert_allclose(data.xmat[2].reshape(3, 3), about_x @ [[c, 0, s], [0, 1, 0], [-s, 0, c]], atol=1e-12)
