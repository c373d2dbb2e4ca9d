"""add_urdf of torsor.newton and of Newton give the same builder, list by list."""

import warnings

import newton as theirs
import numpy as np
import pytest
import warp as wp

import torsor.newton as ours

SOLID = '<mass value="{}"/><inertia ixx="0.1" ixy="0.01" ixz="0.02" iyy="0.2" iyz="-0.01" izz="0.25"/>'
ROBOT = f"""<robot name="bot">
 <material name="red"><color rgba="0.8 0.1 0.2 1"/></material>
 <link name="base"><inertial><origin xyz="0.1 0 0" rpy="0.2 -0.1 0.3"/>{SOLID.format(2)}</inertial>
  <visual><origin xyz="0 0 0.1"/><geometry><box size="0.1 0.2 0.3"/></geometry><material name="red"/></visual>
  <collision><geometry><box size="0.1 0.2 0.3"/></geometry></collision></link>
 <link name="a"><collision><origin xyz="0 0.2 0" rpy="1 0 0"/><geometry><cylinder radius="0.1" length="0.3"/></geometry>
  </collision><collision><geometry><sphere radius="0.1"/></geometry></collision></link>
 <link name="b"><inertial>{SOLID.format(1)}</inertial>
  <visual><geometry><cylinder radius="0.05" length="0.4"/></geometry></visual></link>
 <link name="c"><inertial>{SOLID.format(1.5)}</inertial><collision><origin xyz="0 0 .1" rpy="0.5 0 0"/>
  <geometry><mesh filename="part.obj" scale="1 2 0.5"/></geometry></collision></link>
 <link name="d"/>
 <link name="e"><inertial>{SOLID.format(3)}</inertial></link>
 <link name="g"><inertial>{SOLID.format(0.5)}</inertial></link>
 <joint name="jb" type="prismatic"><parent link="a"/><child link="b"/><origin xyz="0 0 1" rpy="0 0.2 0"/><axis xyz="0 2 0"/>
  <limit lower="-0.1" upper="0.3" effort="10" velocity="2"/><dynamics damping="3" friction="0.5"/></joint>
 <joint name="ja" type="revolute"><parent link="base"/><child link="a"/><origin xyz="1 0 0" rpy="0.1 0.2 0.3"/>
  <axis xyz="0 0 1"/><limit lower="0.2" upper="1" effort="5" velocity="3"/></joint>
 <joint name="jc" type="continuous"><parent link="base"/><child link="c"/><origin xyz="0 1 0"/><axis xyz="1 2 0"/></joint>
 <joint name="jd" type="fixed"><parent link="c"/><child link="d"/><origin xyz="0 0 2"/></joint>
 <joint name="je" type="planar"><parent link="base"/><child link="e"/><axis xyz="1 2 3"/></joint>
 <joint name="jg" type="revolute"><parent link="b"/><child link="g"/><axis xyz="0 1 0"/><limit effort="0" velocity="0"/></joint>
</robot>"""
PART = "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 2 3 4\nf 3 1 4\n"
LABELS = ("body_label", "joint_label", "articulation_label", "shape_label")
LISTS = ("body_mass", "body_com", "body_inertia", "joint_type", "joint_parent", "joint_child", "joint_X_p", "joint_X_c",
         "joint_axis", "joint_dof_dim", "joint_limit_lower", "joint_limit_upper", "joint_limit_ke", "joint_limit_kd",
         "joint_target_ke", "joint_target_kd", "joint_damping", "joint_friction", "joint_effort_limit", "joint_velocity_limit",
         "joint_armature", "joint_q", "joint_target_q", "joint_articulation", "articulation_start", "shape_type", "shape_body",
         "shape_flags", "shape_scale", "shape_transform", "shape_gap", "shape_margin", "shape_material_mu")
PLACE = wp.transform(wp.vec3(1.0, 2.0, 3.0), wp.quat(0.1, 0.2, 0.3, float(np.sqrt(1 - 0.14))))
CASES = {
    "plain": {}, "placed": {"xform": PLACE}, "floating": {"floating": True, "xform": PLACE}, "bfs": {"joint_ordering": "bfs"},
    "bodies as in the file": {"bodies_follow_joint_ordering": False}, "scaled": {"scale": 2.0, "xform": PLACE},
    "y up": {"up_axis": "Y", "xform": PLACE}, "hidden": {"hide_visuals": True}, "shown": {"force_show_colliders": True},
    "visuals collide": {"parse_visuals_as_colliders": True}, "shapes weigh": {"ignore_inertial_definitions": True},
    "passive": {"joint_damping_mode": "passive"}, "drive": {"joint_damping_mode": "drive"},
    "both targets": {"force_position_velocity_actuation": True}, "collapsed": {"collapse_fixed_joints": True},
    "base joint": {"xform": PLACE, "base_joint": "slide"}, "base joint turned":
        {"xform": PLACE, "base_joint": "slide", "override_root_xform": True},
    "no self-collision": {"enable_self_collisions": False}}


@pytest.fixture(scope="module")
def path(tmp_path_factory):
    folder = tmp_path_factory.mktemp("robot")
    (folder / "part.obj").write_text(PART)
    (folder / "robot.urdf").write_text(ROBOT)
    return str(folder / "robot.urdf")


def make(newton, path, options, builder=None):
    builder = newton.ModelBuilder() if builder is None else builder
    axis = newton.ModelBuilder.JointDofConfig
    if options.get("base_joint") == "slide":
        options = {**options, "base_joint": {"joint_type": newton.JointType.PRISMATIC, "linear_axes": [axis(axis=newton.Axis.Y)]}}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        builder.add_urdf(path, **options)
    return builder


def numbers(builder, name):
    return [np.ravel(np.array(each, dtype=float)) for each in getattr(builder, name)]


def compare(mine, wanted, without=()):
    for name in LABELS:
        assert list(getattr(mine, name)) == list(getattr(wanted, name)), name
    for name in (each for each in LISTS if each not in without):
        pairs = list(zip(numbers(mine, name), numbers(wanted, name), strict=True))
        for index, (own, other) in enumerate(pairs):
            if name in ("joint_X_p", "joint_X_c", "shape_transform") and own[3:] @ other[3:] < 0:
                own = np.concatenate([own[:3], -own[3:]])
            np.testing.assert_allclose(own, other, rtol=1e-5, atol=1e-6, err_msg=f"{name}[{index}]")


@pytest.mark.parametrize("case", CASES)
def test_lists_agree(case, path):
    """Unlimited axes of a scaled planar joint stay unlimited here; Newton multiplies its 1e10 by the scale. Targets of free
    joints, which nothing reads, are 0 here and the identity there.
    """
    options = CASES[case]
    mine, wanted = (make(newton, path, options) for newton in (ours, theirs))
    without = ("joint_limit_lower", "joint_limit_upper") if case == "scaled" else ("joint_target_q",) if case == "floating" else ()
    compare(mine, wanted, without)
    driven = [mode for mode in wanted.joint_target_mode if mode]  # axes of free joints have none
    assert [mode for mode in mine.joint_target_mode if mode > 0] == driven
    if case == "no self-collision":
        assert {tuple(pair) for pair in mine.shape_collision_filter_pairs} == {
            tuple(pair) for pair in wanted.shape_collision_filter_pairs}


def test_colours_of_materials_agree(path):
    mine, wanted = (make(newton, path, {}) for newton in (ours, theirs))
    np.testing.assert_allclose(mine.shape_color[0], wanted.shape_color[0])


def test_defaults_of_the_builder_count(path):
    builders = []
    for newton in (ours, theirs):
        builder = newton.ModelBuilder()
        for name, value in {"target_ke": 100.0, "target_kd": 5.0, "armature": 0.7, "damping": 0.3, "friction": 0.2,
                            "limit_ke": 7.0}.items():
            setattr(builder.default_joint_cfg, name, value)
        builder.default_shape_cfg.density, builder.default_shape_cfg.mu = 500.0, 0.3
        builders.append(make(newton, path, {}, builder))
    compare(*builders)


def test_a_tool_on_a_robot(path):
    builders = []
    for newton in (ours, theirs):
        builder = make(newton, path, {})
        builders.append(make(newton, path, {"parent_body": 2, "xform": PLACE}, builder))
    compare(*builders)


def test_kinematics_agree(path):
    """Of all poses at once, through eval_fk, from the same joint coordinates."""
    poses = []
    for newton in (ours, theirs):
        builder = make(newton, path, {"floating": True, "xform": PLACE})
        model = builder.finalize(arrays="numpy", version=ours.Version.PARENT_AXES) if newton is ours else \
            builder.finalize(device="cpu")
        q = np.random.default_rng(4).uniform(-1, 1, model.joint_coord_count).astype(np.float32)
        q[3:7] /= np.linalg.norm(q[3:7])
        state = model.state()
        state.joint_q.assign(q)
        newton.eval_fk(model, state.joint_q, state.joint_qd, state)
        poses.append(state.body_q.numpy())
    np.testing.assert_allclose(poses[0][:, :3], poses[1][:, :3], atol=2e-5)
    np.testing.assert_allclose(np.abs((poses[0][:, 3:] * poses[1][:, 3:]).sum(axis=1)), 1, atol=1e-5)


LINK = '<link name="{}"/>'
MASSLESS = f"""<robot name="r">{LINK.format("a")}{LINK.format("b")}<link name="c"><inertial>{SOLID.format(4)}</inertial></link>
 <link name="d"><inertial>{SOLID.format(1)}</inertial></link>
 <joint name="ab" type="fixed"><parent link="a"/><child link="b"/><origin xyz="0.1 0 0"/></joint>
 <joint name="bc" type="fixed"><parent link="b"/><child link="c"/><origin xyz="0.2 0 0" rpy="0.1 0.2 0.3"/></joint>
 <joint name="cd" type="fixed"><parent link="c"/><child link="d"/><origin xyz="0.3 0 0"/></joint></robot>"""


@pytest.mark.parametrize("floating", [True, False])
def test_massless_roots_take_over_their_fixed_links(floating):
    """Newton adds the inertia of the link about the root's origin and moves the centre of mass; ours is about the latter."""
    options = {"collapse_massless_fixed_root": True, "floating": floating}
    mine, wanted = (make(newton, MASSLESS, options) for newton in (ours, theirs))
    assert list(mine.body_label) == list(wanted.body_label) and list(mine.joint_label) == list(wanted.joint_label)
    assert mine.body_count == (2 if floating else 4)
    for name in ("body_mass", "body_com", "joint_type", "joint_parent", "joint_child"):
        np.testing.assert_allclose(numbers(mine, name), numbers(wanted, name), rtol=1e-5, atol=1e-6, err_msg=name)
    shift = 4 * 0.3**2 * np.diag([0, 1, 1]).ravel() if floating else np.zeros(9)
    np.testing.assert_allclose(numbers(mine, "body_inertia")[0] + shift, numbers(wanted, "body_inertia")[0], rtol=1e-5, atol=1e-6)
