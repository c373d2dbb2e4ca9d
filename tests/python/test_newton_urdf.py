"""add_urdf of torsor.newton. Beside Newton's own: tests/newton/check_urdf.py."""

import numpy as np
import pytest

import torsor
import torsor.newton as newton

SOLID = '<inertial><origin xyz="0.1 0 0.2" rpy="0.3 0 0.1"/><mass value="2"/><inertia ixx="0.1" ixy="0.01" ixz="0" iyy="0.2" ' \
        'iyz="0" izz="0.25"/></inertial>'
ARM = f"""<robot name="arm">
 <link name="base">{SOLID}<collision><geometry><box size="0.2 0.2 0.2"/></geometry></collision></link>
 <link name="upper">{SOLID}<visual><geometry><sphere radius="0.1"/></geometry><material name="m"><color rgba="1 0.5 0 1"/>
  </material></visual></link>
 <link name="hand">{SOLID}<collision><geometry><cylinder radius="0.1" length="0.4"/></geometry></collision></link>
 <joint name="shoulder" type="revolute"><parent link="base"/><child link="upper"/><origin xyz="0 0 1" rpy="0.1 0.2 0.3"/>
  <axis xyz="0 1 1"/><limit lower="-2" upper="2" effort="20" velocity="3"/></joint>
 <joint name="wrist" type="prismatic"><parent link="upper"/><child link="hand"/><origin xyz="0.5 0 0" rpy="0 0.4 0"/>
  <axis xyz="1 0 0"/><limit lower="-0.2" upper="0.5" effort="10" velocity="1"/><dynamics damping="4" friction="0.5"/></joint>
</robot>"""


def build(source=ARM, **options):
    builder = newton.ModelBuilder()
    builder.add_urdf(source, **{"joint_damping_mode": "drive", **options})
    return builder


@pytest.mark.parametrize("base", ["fixed", "floating"])
def test_the_robot_is_that_of_torsors_own_reader(base):
    """The same file as a torsor.Model: poses and mass matrices of both, at random coordinates."""
    builder = build(floating=base == "floating", xform=newton.transform((0, 0, 0)))
    model = builder.finalize()
    other = torsor.Model.from_xml_string(ARM, base=base)
    data, random = torsor.Data(other), np.random.default_rng(2)
    q = random.uniform(-0.4, 0.4, 2)
    pose = np.array([0.1, 0.2, 0.3, 0.5, -0.5, 0.5, 0.5])  # xyzw
    data.qpos = [*pose[:3], pose[6], *pose[3:6], *q] if base == "floating" else q
    torsor.forward(other, data)
    state = model.state()
    state.joint_q[:] = [*pose, *q] if base == "floating" else q
    newton.eval_fk(model, state.joint_q, state.joint_qd, state)
    for link, name in enumerate(("base", "upper", "hand")):
        body = data.body(name)
        np.testing.assert_allclose(state.body_q[link, :3], body.xpos, atol=1e-12)
        np.testing.assert_allclose(abs(state.body_q[link, 3:] @ body.xquat[[1, 2, 3, 0]]), 1, atol=1e-12)
    mine = newton.eval_mass_matrix(model, state)[0][-2:, -2:]
    np.testing.assert_allclose(mine, torsor.full_m(other, data)[-2:, -2:], atol=1e-12)


def test_names_limits_and_colours():
    builder = build()
    assert list(builder.body_label) == ["arm/base", "arm/upper", "arm/hand"]
    assert list(builder.joint_label) == ["arm/fixed_base", "arm/shoulder", "arm/wrist"]
    assert list(builder.articulation_label) == ["arm"]
    assert list(builder.joint_limit_lower) == [-2, -0.2] and list(builder.joint_effort_limit) == [20, 10]
    assert list(builder.joint_target_kd) == [0, 4] and list(builder.joint_friction) == [0, 0.5]
    assert builder.shape_color == [None, (1, 0.5, 0), None] and builder.shape_flags[1] == 1
    assert list(build(joint_damping_mode="passive").joint_damping) == [0, 4]
    with pytest.warns(DeprecationWarning, match="joint_damping_mode='drive'"):
        build(joint_damping_mode=None)


def test_bodies_are_where_the_file_has_them():
    """At zero coordinates; in Newton they stay at the origin until eval_fk."""
    builder = build(xform=newton.transform((1, 2, 3)), scale=2.0)
    np.testing.assert_allclose(builder.body_q[1][:3], (1, 2, 5), atol=1e-12)
    model = builder.finalize()
    state = model.state()
    before = np.array(state.body_q)
    newton.eval_fk(model, state.joint_q, state.joint_qd, state)
    np.testing.assert_allclose(state.body_q, before, atol=1e-12)


def test_a_mimic_joint_follows():
    text = ARM.replace('</joint>\n</robot>', '<mimic joint="shoulder" multiplier="0.5" offset="0.1"/></joint>\n</robot>')
    model = build(text).finalize()
    state, control, solver = model.state(), model.control(), newton.solvers.SolverSAP(model)
    control.joint_f[0] = 15.0
    for _ in range(300):
        solver.step(state, state, control, None, 0.002)
    assert abs(state.joint_q[0]) > 0.05
    assert state.joint_q[1] == pytest.approx(0.1 + 0.5 * state.joint_q[0], abs=1e-4)


def test_meshes_beside_the_file_and_mirror_images(tmp_path):
    (tmp_path / "part.obj").write_text("v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 2 3 4\nf 3 1 4\n")
    shape = '<collision><geometry><mesh filename="{}" scale="{}"/></geometry></collision>'
    path = tmp_path / "part.urdf"
    for file, scale in (("part.obj", "1 2 3"), ("package://any/part.obj", "-1 2 3")):
        path.write_text(f'<robot name="p"><link name="a">{shape.format(file, scale)}</link></robot>')
        builder = build(path, floating=True)
        assert builder.body_mass[0] == pytest.approx(1000 * 6 / 6, rel=1e-6)  # a corner of a box, volume abc / 6
        assert builder.body_com[0][0] == pytest.approx(0.25 * np.sign(float(scale.split()[0])), rel=1e-6)
        builder.finalize()


@pytest.mark.parametrize("change, options, message", [
    (("base", "base"), {"floating": True, "base_joint": {"joint_type": 3}}, "exclude each other"),
    (("base", "base"), {"base_joint": {"joint_type": 3, "parent": 2}}, "got parent"),
    (("base", "base"), {"joint_ordering": "random"}, "joint_ordering is 'random'"),
    (("base", "base"), {"joint_damping_mode": "none"}, "joint_damping_mode is 'none'"),
    (("base", "base"), {"scale": 0.0}, "scale is 0"), (("base", "base"), {"parent_body": 5}, "there is no parent body 5"),
    (('parent link="upper"', 'parent link="uper"'), {}, "did you mean 'upper'"),
    (("</robot>", ""), {}, "error"), (('<robot name="arm">', "<mujoco>"), {}, "error"),
    (('type="revolute"', 'type="screw"'), {}, "screw"), (("cylinder radius", "mesh filename='x.stl' radius"), {}, "x.stl"),
    (('<dynamics', '<mimic joint="elbow"/><dynamics'), {}, "which does not exist"),
    (('<joint name="shoulder"', '<joint name="wrist"'), {}, "two joints called 'wrist'")])
def test_mistakes_leave_the_builder_as_it_was(change, options, message):
    builder = build()
    counts = builder.body_count, builder.joint_count, builder.shape_count
    with pytest.raises(torsor.Error, match=message):
        builder.add_urdf(ARM.replace(*change), **options)
    assert (builder.body_count, builder.joint_count, builder.shape_count) == counts


def test_the_order_of_the_file_needs_parents_first():
    first, second = ARM.index('<joint name="shoulder"'), ARM.index('<joint name="wrist"')
    swapped = ARM[:first] + ARM[second:].replace("</robot>", "") + ARM[first:second] + "</robot>"
    assert list(build(swapped).joint_label)[1:] == ["arm/shoulder", "arm/wrist"]
    assert list(build(ARM, joint_ordering=None).joint_label)[1:] == ["arm/shoulder", "arm/wrist"]
    with pytest.raises(torsor.Error, match="comes before the one that leads to its parent"):
        build(swapped, joint_ordering=None)


def test_a_tool_continues_the_articulation_of_its_robot():
    builder = build()
    builder.add_urdf(ARM.replace('"arm"', '"tool"'), parent_body=2, joint_damping_mode="drive")
    assert set(builder.joint_articulation) == {0} and builder.joint_parent[3] == 2
    assert builder.finalize().joint_dof_count == 4
    builder.add_body(mass=1, inertia=np.eye(3))
    with pytest.raises(torsor.Error, match="articulation that was added last"):
        builder.add_urdf(ARM, parent_body=2)
