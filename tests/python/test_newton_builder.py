"""Scenes built as Newton's guide builds them: shapes, masses, planes, worlds, merged bodies, and what is refused."""

import inspect

import numpy as np
import pytest

import torsor
import torsor.newton as newton
from newton_support import matrix, random_transform, run

Config = newton.ModelBuilder.ShapeConfig
DIMENSIONS = {"sphere": dict(radius=0.2), "box": dict(hx=0.2, hy=0.3, hz=0.1),
              "capsule": dict(radius=0.1, half_height=0.2),
              "cylinder": dict(radius=0.2, half_height=0.15), "ellipsoid": dict(a=0.2, b=0.3, c=0.15),
              "cone": dict(radius=0.2, half_height=0.25)}
TETRAHEDRON = newton.Mesh([(0, 0, 0), (1, 0, 0), (0, 1, 0), (0, 0, 1)], [0, 2, 1, 0, 1, 3, 1, 2, 3, 0, 3, 2])


def one_shape(kind, cfg=None, xform=None, **more):
    builder = newton.ModelBuilder()
    link = builder.add_body()
    getattr(builder, f"add_shape_{kind}")(link, xform=xform, cfg=cfg, **DIMENSIONS.get(kind, {}), **more)
    return builder


def sampled_mass(kind, random, count=400_000):
    """Volume, centre and inertia by points in a box around the shape."""
    sizes = DIMENSIONS[kind]
    points = random.uniform(-0.5, 0.5, size=(count, 3))
    x, y, z = points.T
    radius = np.hypot(x, y)
    inside = {"sphere": lambda: np.linalg.norm(points, axis=1) < 0.2,
              "box": lambda: np.all(np.abs(points) < [0.2, 0.3, 0.1], axis=1),
              "capsule": lambda: np.hypot(radius, np.maximum(np.abs(z) - 0.2, 0)) < 0.1,
              "cylinder": lambda: (radius < 0.2) & (np.abs(z) < 0.15),
              "ellipsoid": lambda: np.linalg.norm(points / [0.2, 0.3, 0.15], axis=1) < 1,
              "cone": lambda: (np.abs(z) < 0.25) & (radius < sizes["radius"] * (0.25 - z) / 0.5)}[kind]()
    chosen = points[inside]
    centre = chosen.mean(axis=0)
    r = chosen - centre
    second = r.T @ r / count
    return len(chosen) / count, centre, np.trace(second) * np.eye(3) - second


@pytest.mark.parametrize("kind", DIMENSIONS)
def test_shapes_weigh_what_they_fill(kind):
    builder = one_shape(kind)
    volume, centre, inertia = sampled_mass(kind, np.random.default_rng(0))
    assert builder.body_mass[0] / 1000 == pytest.approx(volume, rel=0.03)
    np.testing.assert_allclose(builder.body_com[0], centre, atol=2e-3)
    np.testing.assert_allclose(np.reshape(builder.body_inertia[0], (3, 3)) / 1000, inertia, atol=0.05 * inertia.max())


def test_a_cone_has_its_centre_a_quarter_of_its_height_above_the_base():
    r, h = 0.2, 0.25
    builder = one_shape("cone")
    mass = 1000 * np.pi * r**2 * (2 * h) / 3
    assert builder.body_mass[0] == pytest.approx(mass, rel=1e-12)
    np.testing.assert_allclose(builder.body_com[0], [0, 0, -h / 2], atol=1e-15)
    across = mass * (3 / 20 * r**2 + 3 / 80 * (2 * h)**2)
    expected = np.diag([across, across, 0.3 * mass * r**2])
    np.testing.assert_allclose(builder.body_inertia[0], expected.ravel(), atol=1e-12)


def test_masses_add_up_wherever_shapes_are():
    random = np.random.default_rng(0)
    builder = newton.ModelBuilder()
    body = builder.add_body(mass=2.0, com=(0.1, 0, 0), inertia=np.diag([1, 2, 3.0]))
    masses, centres, inertias = [2.0], [np.array([0.1, 0, 0])], [np.diag([1, 2, 3.0])]
    for kind in DIMENSIONS:
        xform = random_transform(random)
        getattr(builder, f"add_shape_{kind}")(body, xform=xform, **DIMENSIONS[kind])
        alone = one_shape(kind)
        R = matrix(xform)[:3, :3]
        masses.append(alone.body_mass[0])
        centres.append(newton.transform_point(xform, alone.body_com[0]))
        inertias.append(R @ np.reshape(alone.body_inertia[0], (3, 3)) @ R.T)
    total = sum(masses)
    centre = sum(m * c for m, c in zip(masses, centres, strict=True)) / total
    inertia = sum(I + m * (np.dot(c - centre, c - centre) * np.eye(3) - np.outer(c - centre, c - centre))
                  for m, c, I in zip(masses, centres, inertias, strict=True))
    assert builder.body_mass[body] == pytest.approx(total)
    np.testing.assert_allclose(builder.body_com[body], centre, atol=1e-12)
    np.testing.assert_allclose(np.reshape(builder.body_inertia[body], (3, 3)), inertia, atol=1e-9)


def test_meshes_weigh_what_their_triangles_enclose():
    for kind in ("mesh", "convex_hull"):
        builder = one_shape(kind, mesh=TETRAHEDRON, scale=(2, 1, 1))
        assert builder.body_mass[0] == pytest.approx(1000 * 2 / 6, rel=1e-6)
        np.testing.assert_allclose(builder.body_com[0], [0.5, 0.25, 0.25], atol=1e-6)


def test_hollow_shapes_weigh_their_walls():
    builder = one_shape("sphere", Config(is_solid=False, margin=0.01))
    assert builder.body_mass[0] == pytest.approx(1000 * 4 / 3 * np.pi * (0.2**3 - 0.19**3))


def test_locked_bodies_and_sites_keep_their_mass():
    builder = newton.ModelBuilder()
    body = builder.add_body(mass=3.0, lock_inertia=True)
    builder.add_shape_box(body)
    other = builder.add_body(mass=1.0)
    builder.add_shape_box(other, as_site=True)
    assert builder.body_mass == [3.0, 1.0]


RESTING = {"sphere": 0.2, "box": 0.1, "capsule": 0.3, "cylinder": 0.15, "ellipsoid": 0.15, "cone": 0.25}


@pytest.mark.parametrize("up", list(newton.Axis))
@pytest.mark.parametrize("kind", DIMENSIONS)
def test_shapes_fall_and_rest_on_the_ground(kind, up):
    builder = newton.ModelBuilder(up_axis=up)
    builder.add_ground_plane()
    turn = newton.quat_from_axis_angle({0: (0, 1, 0), 1: (-1, 0, 0), 2: (0, 0, 1)}[up], {2: 0.0}.get(up, np.pi / 2))
    height = np.array(up.to_vector())
    body = builder.add_body(xform=newton.transform(height * (RESTING[kind] + 0.05), turn))
    getattr(builder, f"add_shape_{kind}")(body, **DIMENSIONS[kind])
    model = builder.finalize()
    solver = newton.solvers.SolverMuJoCo(model, use_mujoco_contacts=False)
    after = run(solver, model.state(), 400, 0.005, contacts=True)
    assert after.body_q[0, up] == pytest.approx(RESTING[kind], abs=2e-3)
    if kind != "capsule":
        assert np.abs(after.body_qd).max() < 1e-2
    without = run(solver, model.state(), 400, 0.005)
    assert without.body_q[0, up] < -10  # nobody collided: nothing to stand on


def test_contacts_tell_where_shapes_touch():
    builder = newton.ModelBuilder()
    ground = builder.add_ground_plane(height=0.5)
    body = builder.add_body(xform=newton.transform((1, 2, 0.69)))
    ball = builder.add_shape_sphere(body, radius=0.2)
    model = builder.finalize()
    contacts = model.collide(model.state())
    assert contacts.rigid_contact_count == 1
    assert (contacts.rigid_contact_shape0[0], contacts.rigid_contact_shape1[0]) == (ground, ball)
    np.testing.assert_allclose(contacts.rigid_contact_normal[0], [0, 0, 1], atol=1e-12)
    np.testing.assert_allclose(contacts.rigid_contact_point0[0], [1, 2, 0.5], atol=1e-12)
    np.testing.assert_allclose(contacts.rigid_contact_point1[0], [0, 0, -0.2], atol=1e-12)
    assert contacts.rigid_contact_distance[0] == pytest.approx(-0.01)


@pytest.mark.parametrize("plane", [(0, 0, 1, -0.5), (0, 0, 3, -1.5), (1, 2, 2, 3), (0, 0, -1, 2), (-1, 0, 0, 0.2)])
def test_planes_from_equations_are_where_the_equation_holds(plane):
    builder = newton.ModelBuilder()
    builder.add_shape_plane(plane=plane, width=0, length=0)
    X = matrix(builder.shape_transform[0])
    normal = np.array(plane[:3]) / np.linalg.norm(plane[:3])
    np.testing.assert_allclose(X[:3, 2], normal, atol=1e-12)
    assert np.dot(plane[:3], X[:3, 3]) + plane[3] == pytest.approx(0, abs=1e-12)
    point = X[:3, 3] + 0.1 * normal
    body = builder.add_body(xform=newton.transform(point))
    builder.add_shape_sphere(body, radius=0.15)
    model = builder.finalize()
    assert model.collide(model.state()).rigid_contact_distance.tolist() == [pytest.approx(-0.05)]


def test_a_finite_plane_ends_where_its_sides_are():
    builder = newton.ModelBuilder()
    builder.add_shape_plane(width=2.0, length=1.0)
    for x, y in ((0.9, 0.4), (1.2, 0), (0, 0.7)):
        body = builder.add_body(xform=newton.transform((x, y, 0.2)))
        builder.add_shape_sphere(body, radius=0.1)
    model = builder.finalize()
    after = run(newton.solvers.SolverMuJoCo(model), model.state(), 200, 0.005)
    assert after.body_q[0, 2] == pytest.approx(0.1, abs=2e-3)
    assert after.body_q[1, 2] < -1 and after.body_q[2, 2] < -1


def test_a_height_field_is_as_high_as_its_numbers():
    heights = np.linspace(0.2, 0.6, 5)[None, :].repeat(4, axis=0)  # rises along x
    field = newton.Heightfield(heights, nrow=4, ncol=5, hx=2.0, hy=1.0)
    builder = newton.ModelBuilder()
    builder.add_shape_heightfield(heightfield=field)
    for x in (-1.0, 0.0, 1.0):
        body = builder.add_body(xform=newton.transform((x, 0.1, 0.4 + 0.1 * x + 0.095)))
        builder.add_shape_sphere(body, radius=0.1)
    model = builder.finalize()
    contacts = model.collide(model.state())
    assert set(contacts.rigid_contact_shape1) == {1, 2, 3}
    for shape in (1, 2, 3):
        depth = contacts.rigid_contact_distance[contacts.rigid_contact_shape1 == shape].min()
        # along the normal of the slope, a little less than straight down
        assert depth == pytest.approx(0.095 / np.hypot(1, 0.1) - 0.1, abs=1e-4)


def ring(major=0.3, minor=0.05, n=24):
    """A torus about z, its triangles counter-clockwise from outside."""
    angles = 2 * np.pi * np.arange(n) / n
    u, v = (each.ravel() for each in np.meshgrid(angles, angles, indexing="ij"))
    radius = major + minor * np.cos(v)
    vertices = np.stack([radius * np.cos(u), radius * np.sin(u), minor * np.sin(v)], axis=1)
    i, k = (each.ravel() for each in np.meshgrid(np.arange(n), np.arange(n), indexing="ij"))
    a, b, c, d = i * n + k, (i + 1) % n * n + k, (i + 1) % n * n + (k + 1) % n, i * n + (k + 1) % n
    return newton.Mesh(vertices, np.concatenate([np.stack([a, b, c], axis=1), np.stack([a, c, d], axis=1)]))


def test_a_mesh_has_holes_and_its_hull_has_not():
    volume = 2 * np.pi**2 * 0.3 * 0.05**2
    has_triangles = any(field.name == "geom_meshcollision" for field in torsor.fields("model"))
    for kind in ("mesh", "convex_hull"):
        builder = one_shape(kind, mesh=ring())
        if kind == "mesh":
            assert builder.body_mass[0] == pytest.approx(1000 * volume, rel=0.03)
        body = builder.add_body()
        builder.add_shape_sphere(body, radius=0.1)  # in the middle of the ring
        model = builder.finalize()
        touches = (model.collide(model.state()).rigid_contact_distance < 0).any()
        assert touches == (kind == "convex_hull" or not has_triangles)


def test_scripts_of_the_guide_run():
    builder = newton.ModelBuilder()
    body = builder.add_link()
    builder.add_shape_box(body)
    joint = builder.add_joint_revolute(parent=-1, child=body, axis=(0.0, 0.0, 1.0))
    builder.add_articulation([joint])
    builder.joint_q[-1] = 0.5
    builder.joint_qd[-1] = 10.0
    state = builder.finalize().state()
    assert all(state.joint_q == [0.5]) and all(state.joint_qd == [10.0])

    builder = newton.ModelBuilder()
    tf = newton.transform((1.0, 2.0, 3.0), newton.quat_from_axis_angle((0.0, 0.0, 1.0), 0.5 * np.pi))
    body = builder.add_body(xform=tf)
    builder.add_shape_box(body)
    model = builder.finalize()
    state = model.state()
    assert all(state.body_q[0] == [*tf]) and len(state.joint_q) == 7
    np.testing.assert_allclose(state.joint_q, tf, atol=1e-15)
    assert model.joint_q_start.tolist() == [0, 7] and model.articulation_start.tolist() == [0, 1]


def test_defaults_are_newtons():
    config = Config()
    assert (config.density, config.ke, config.kd, config.kf, config.mu) == (1000.0, 2.5e3, 100.0, 1000.0, 1.0)
    axis = newton.ModelBuilder.JointDofConfig()
    assert (axis.limit_ke, axis.limit_kd, axis.effort_limit, axis.armature) == (1e4, 10.0, 1e6, 0.0)
    sizes = {name: inspect.signature(getattr(newton.ModelBuilder, f"add_shape_{name}")).parameters
             for name in ("sphere", "box", "capsule", "ellipsoid")}
    assert sizes["sphere"]["radius"].default == 1.0 and sizes["box"]["hx"].default == 0.5
    assert sizes["capsule"]["half_height"].default == 0.5 and sizes["ellipsoid"]["ry"].default == 0.75


def test_gravity_is_a_number_along_up_or_a_vector():
    assert newton.ModelBuilder(up_axis="y").gravity == [0, -9.81, 0]
    assert newton.ModelBuilder(gravity=(1, 2, 3)).gravity == [1, 2, 3]
    builder = newton.ModelBuilder(up_axis=newton.Axis.X, gravity=-2)
    builder.add_body(mass=1, inertia=np.eye(3))
    model = builder.finalize()
    np.testing.assert_allclose(run(newton.solvers.SolverMuJoCo(model), model.state(), 1, 0.1).body_qd[0, :3],
                               [-0.2, 0, 0], atol=1e-12)


def robot():
    builder = newton.ModelBuilder()
    base = builder.add_link(xform=newton.transform((0, 0, 0.6)))
    builder.add_shape_box(base, hx=0.2, hy=0.1, hz=0.05)
    leg = builder.add_link()
    builder.add_shape_capsule(leg, radius=0.05, half_height=0.15)
    foot = builder.add_link()
    builder.add_shape_sphere(foot, radius=0.08)
    builder.add_articulation([
        builder.add_joint_free(base),
        builder.add_joint_revolute(base, leg, axis=newton.Axis.Y, parent_xform=newton.transform((0.1, 0, -0.05)),
                                   child_xform=newton.transform((0, 0, 0.2)), target_ke=50, target_kd=2),
        builder.add_joint_fixed(leg, foot,
                                parent_xform=newton.transform((0, 0.02, -0.2), newton.quat_rpy(0.1, 0.2, 0.3)),
                                child_xform=newton.transform((0, 0.01, 0.02), newton.quat_rpy(-0.3, 0, 0.1)))])
    return builder


def test_many_worlds_are_as_many_separate_ones():
    scene = newton.ModelBuilder()
    scene.add_ground_plane()
    scene.replicate(robot(), 3)  # all in one place
    model = scene.finalize()
    assert model.num_worlds == 3 and model.body_world.tolist() == [0, 0, 0, 1, 1, 1, 2, 2, 2]
    state = model.state()
    state.joint_qd[:8] += 0.3  # worlds that differ
    state.joint_q[8] = 0.4
    together = run(newton.solvers.SolverMuJoCo(model), state, 150, 0.004)
    for world in range(3):
        alone = newton.ModelBuilder()
        alone.add_ground_plane()
        alone.add_world(robot())
        single = alone.finalize()
        start = single.state()
        start.joint_q[:] = state.joint_q[8 * world:8 * world + 8]
        start.joint_qd[:] = state.joint_qd[7 * world:7 * world + 7]
        after = run(newton.solvers.SolverMuJoCo(single), start, 150, 0.004)
        np.testing.assert_allclose(together.body_q[3 * world:3 * world + 3], after.body_q, atol=1e-7)


@pytest.mark.parametrize("masks", [(1, 1), (2, 3)])
def test_more_worlds_than_bits_do_not_touch_each_other(masks):
    one = newton.ModelBuilder()
    geom = f"<geom size='0.1' contype='{masks[0]}' conaffinity='{masks[1]}'/>"
    ball = f"<body>{geom}<freejoint/></body>"
    one.add_mjcf(f"<mujoco><worldbody>{ball}{ball}</worldbody></mujoco>")
    scene = newton.ModelBuilder()
    scene.add_shape_plane(width=0, length=0)
    scene.replicate(one, 40)  # all in one place
    model = scene.finalize()
    contacts = model.collide(model.state())
    worlds = model.shape_world
    pairs = [(worlds[a], worlds[b]) for a, b in zip(contacts.rigid_contact_shape0, contacts.rigid_contact_shape1,
                                                   strict=True)]
    assert all(-1 in pair or pair[0] == pair[1] for pair in pairs)
    assert len(pairs) == 40 * 3  # two balls and the plane, all touching


def test_worlds_stand_in_a_grid():
    scene = newton.ModelBuilder()
    scene.replicate(robot(), 4, spacing=(2, 3, 0))
    places = np.array([scene.body_q[3 * world][:3] for world in range(4)])
    assert sorted(map(tuple, places.round(9))) == [(-1, -1.5, 0.6), (-1, 1.5, 0.6), (1, -1.5, 0.6), (1, 1.5, 0.6)]


def test_a_builder_is_added_where_it_is_put():
    xform = newton.transform((1, 2, 0), newton.quat_rpy(0, 0, 0.7))
    moved, plain = newton.ModelBuilder(), robot().finalize()
    moved.add_builder(robot(), xform)
    model = moved.finalize()
    first = run(newton.solvers.SolverMuJoCo(plain), plain.state(), 50, 0.004)
    second = run(newton.solvers.SolverMuJoCo(model), model.state(), 50, 0.004)
    for a, b in zip(first.body_q, second.body_q, strict=True):
        np.testing.assert_allclose(matrix(xform) @ matrix(a), matrix(b), atol=1e-9)


def test_what_hangs_on_the_world_moves_with_a_builder():
    part = newton.ModelBuilder()
    part.add_shape_box(-1, xform=newton.transform((0, 0, -0.5)))
    for add in (lambda link: part.add_joint_revolute(-1, link, parent_xform=newton.transform((0, 1, 0))),
                lambda link: part.add_joint_distance(-1, link, parent_xform=newton.transform((0, 0, 2)))):
        part.add_articulation([add(part.add_link(xform=newton.transform((0, 0, 1.5)), mass=1, inertia=np.eye(3)))])
    xform = newton.transform((3, 0, 0), newton.quat_rpy(0, 0, np.pi / 2))
    scene = newton.ModelBuilder()
    scene.add_builder(part, xform)
    np.testing.assert_allclose(scene.shape_transform[0][:3], [3, 0, -0.5], atol=1e-12)
    model = scene.finalize()
    state = model.state()
    newton.eval_fk(model, state.joint_q, state.joint_qd, state)
    np.testing.assert_allclose(state.body_q[:, :3], [[2, 0, 0], [3, 0, 1.5]], atol=1e-12)


@pytest.mark.parametrize("floating", [True, False])
def test_merging_fixed_bodies_keeps_the_motion(floating):
    def make():
        builder = robot()
        if not floating:
            stand = builder.add_link()
            builder.add_shape_box(stand, hx=0.3, hy=0.3, hz=0.1)
            arm = builder.add_link(mass=1, inertia=np.eye(3))
            builder.add_articulation([
                builder.add_joint_fixed(-1, stand, parent_xform=newton.transform((5, 0, 0.1))),
                builder.add_joint_revolute(stand, arm, axis=newton.Axis.X, parent_xform=newton.transform((1, 1, 1)),
                                           child_xform=newton.transform((0, 0.3, 0)))])
        return builder

    whole, merged = make(), make()
    merged.collapse_fixed_joints()
    assert merged.body_count == whole.body_count - (1 if floating else 2)
    assert merged.joint_coord_count == whole.joint_coord_count
    first, second = whole.finalize(), merged.finalize()
    a = run(newton.solvers.SolverMuJoCo(first), first.state(), 150, 0.004)
    b = run(newton.solvers.SolverMuJoCo(second), second.state(), 150, 0.004)
    np.testing.assert_allclose(a.joint_q, b.joint_q, atol=1e-9)


def touching(**second):
    builder = newton.ModelBuilder()
    for cfg in (Config(), Config(**second)):
        body = builder.add_body()
        builder.add_shape_sphere(body, radius=0.1, cfg=cfg)
    return builder


@pytest.mark.parametrize(("groups", "touch"), [((1, 1), True), ((1, 2), False), ((1, 0), False), ((1, -1), True),
                                               ((-1, -2), True), ((-1, -1), False), ((2, 2), True)])
def test_collision_groups(groups, touch):
    builder = newton.ModelBuilder()
    for group in groups:
        body = builder.add_body()
        builder.add_shape_sphere(body, radius=0.1, cfg=Config(collision_group=group))
    model = builder.finalize()
    assert (model.collide(model.state()).rigid_contact_count > 0) == touch


def test_contacts_may_be_filled_in_place():
    builder = touching()
    model = builder.finalize()
    contacts = model.contacts()
    state = model.state()
    state.joint_q[0] = 5.0
    assert model.collide(state, contacts) is contacts and contacts.rigid_contact_count == 0
    model.collide(model.state(), contacts)
    assert contacts.rigid_contact_count == 1
    newton.solvers.SolverMuJoCo(model).step(model.state(), state, None, contacts, 0.01)


def test_whole_lists_may_be_assigned():
    builder = touching()
    builder.joint_q = [1, 2, 3, 0, 0, 0, 1, 4, 5, 6, 0, 0, 0, 1]
    builder.body_label[0] = "first"
    builder.gravity = -5.0
    model = builder.finalize()
    assert model.joint_q[7] == 4 and model.body_key[0] == model.body_label[0] == "first"
    assert model.gravity.tolist() == [[0, 0, -5]]


def test_shapes_that_shall_not_touch():
    model = touching(has_shape_collision=False).finalize()
    assert model.collide(model.state()).rigid_contact_count == 0
    builder = touching()
    builder.add_shape_collision_filter_pair(1, 0)
    model = builder.finalize()
    assert model.collide(model.state()).rigid_contact_count == 0


@pytest.mark.parametrize("filters", [True, False])
def test_a_parent_and_its_child_touch_only_if_asked(filters):
    builder = newton.ModelBuilder()
    first, second = builder.add_link(), builder.add_link()
    for link in (first, second):
        builder.add_shape_sphere(link, radius=0.1)
    builder.add_articulation([builder.add_joint_free(first),
                              builder.add_joint_revolute(first, second, collision_filter_parent=filters)])
    model = builder.finalize()
    assert (model.collide(model.state()).rigid_contact_count > 0) == (not filters)


class TestBadInput:
    def refuse(self, match, call, *args, **kwargs):
        with pytest.raises(torsor.Error, match=match):
            call(*args, **kwargs)

    def test_bodies_without_mass(self):
        builder = newton.ModelBuilder()
        builder.add_body(key="ghost")
        self.refuse("'ghost'.* moves but has no mass", builder.finalize)
        builder.add_shape_sphere(0, radius=0.1)
        builder.finalize()

    def test_inertias_that_no_body_has(self):
        builder = newton.ModelBuilder()
        builder.add_body(key="plank", mass=1, inertia=np.diag([1, 1, 5]))
        self.refuse("'plank'.*moment of inertia", builder.finalize)

    def test_bodies_without_a_joint_and_joints_without_an_articulation(self):
        builder = newton.ModelBuilder()
        link = builder.add_link(mass=1, inertia=np.eye(3))
        self.refuse("has no joint", builder.finalize)
        joint = builder.add_joint_revolute(-1, link)
        self.refuse("in no articulation", builder.finalize)
        builder.add_articulation([joint])
        builder.finalize()
        self.refuse("already", builder.add_articulation, [joint])

    def test_loops_in_an_articulation(self):
        builder = newton.ModelBuilder()
        links = [builder.add_link(mass=1, inertia=np.eye(3)) for _ in range(3)]
        joints = [builder.add_joint_revolute(links[i], links[(i + 1) % 3]) for i in range(3)]
        builder.add_articulation(joints)
        self.refuse("loops in the articulation: body 0", builder.finalize)
        other = newton.ModelBuilder()
        a, b = (other.add_link(mass=1, inertia=np.eye(3)) for _ in range(2))
        joints = [other.add_joint_free(a), other.add_joint_revolute(a, b), other.add_joint_revolute(-1, b)]
        self.refuse("loops in the articulation: joints 1 and 2", other.add_articulation, joints)
        other.add_articulation(joints[:2])
        other.finalize()  # the third joint closes a loop
        other.add_joint_prismatic(-1, b)
        self.refuse("only fixed, revolute and ball joints", other.finalize)

    def test_numbers_out_of_range(self):
        builder = newton.ModelBuilder()
        link = builder.add_link(mass=1, inertia=np.eye(3))
        self.refuse("ke of a shape is -1", builder.add_shape_sphere, link, cfg=Config(ke=-1))
        self.refuse("density", builder.add_shape_sphere, link, cfg=Config(density=-1))
        self.refuse("size of a sphere", builder.add_shape_sphere, link, radius=0)
        self.refuse("size of a box", builder.add_shape_box, link, hx=float("nan"))
        self.refuse("target_ke is -5", builder.add_joint_revolute, -1, link, target_ke=-5)
        self.refuse("limit_ke is -5", builder.add_joint_revolute, -1, link, limit_ke=-5)
        self.refuse("limit_lower 1.* above", builder.add_joint_revolute, -1, link, limit_lower=1, limit_upper=0)
        self.refuse("no direction", builder.add_joint_revolute, -1, link, axis=(0, 0, 0))
        self.refuse("mass is -1", builder.add_link, mass=-1)
        self.refuse("no child body 7", builder.add_joint_revolute, -1, 7)
        self.refuse("itself", builder.add_joint_revolute, link, link)
        self.refuse("no body 9", builder.add_shape_sphere, 9)
        self.refuse("not the equation of a plane", builder.add_shape_plane, plane=(0, 0, 0, 1))
        self.refuse("infinite if width", builder.add_shape_plane, width=1, length=0)
        self.refuse("a transform needs 7 numbers", builder.add_link, xform=(1, 2, 3))
        self.refuse("quaternion of length 2", builder.add_link, xform=(0, 0, 0, 0, 0, 0, 2))
        self.refuse("above max_distance", builder.add_joint_distance, -1, link, min_distance=2, max_distance=1)
        self.refuse("needs a mesh", builder.add_shape_mesh, link)
        self.refuse("vertex 9", newton.Mesh, [(0, 0, 0)], [0, 0, 9])
        self.refuse("12 heights|heights", newton.Heightfield, [1, 2, 3], 3, 4)
        self.refuse("X, Y or Z", newton.ModelBuilder, up_axis="w")
        assert builder.body_count == 1 and builder.joint_count == builder.shape_count == 0

    def test_lists_keep_their_length(self):
        builder = newton.ModelBuilder()
        builder.add_body(mass=1, inertia=np.eye(3))
        self.refuse("grow when elements are added", builder.joint_q.__setitem__, slice(0, 1), [1, 2])
        self.refuse("cannot be changed", builder.joint_type.__setitem__, 0, 3)
        self.refuse("cannot be changed", builder.joint_parent.__setitem__, 0, 99)
        self.refuse("are added with their elements", builder.joint_q.append, 1.0)

    @pytest.mark.parametrize(("name", "value"), [
        ("body_inertia", [float("nan")] * 9), ("body_mass", float("nan")), ("body_com", [float("inf"), 0, 0]),
        ("joint_armature", float("nan")), ("joint_friction", -1.0), ("joint_damping", float("nan")),
        ("joint_limit_lower", float("nan")), ("joint_axis", [0, 0, 0]), ("joint_X_p", [0, 0, 0, 0, 0, 0, 0]),
        ("shape_scale", [-1, 0, 0]), ("shape_material_mu", float("nan")), ("shape_material_ke", float("nan")),
        ("joint_target_ke", float("nan")), ("joint_effort_limit", -1.0), ("shape_transform", [float("nan")] * 7),
        ("joint_limit_ke", float("nan")), ("shape_margin", float("nan"))])
    def test_lists_with_bad_numbers(self, name, value):
        builder = newton.ModelBuilder()
        link = builder.add_link(mass=1, inertia=np.eye(3))
        builder.add_shape_sphere(link, radius=0.1)
        builder.add_articulation([builder.add_joint_revolute(-1, link, target_ke=1.0, limit_lower=-1)])
        builder.finalize()
        getattr(builder, name)[0] = value
        with pytest.raises(torsor.Error):
            builder.finalize()

    def test_worlds(self):
        builder = newton.ModelBuilder()
        self.refuse("no world is open", builder.end_world)
        builder.begin_world()
        self.refuse("is open", builder.begin_world)
        self.refuse("end_world", builder.finalize)
        self.refuse("gradients", builder.finalize, requires_grad=True)
        body = builder.add_body(mass=1, inertia=np.eye(3))
        builder.end_world()
        self.refuse("belongs to world 0", builder.add_shape_sphere, body)
        self.refuse("up axes", builder.add_builder, newton.ModelBuilder(up_axis="y"))
        self.refuse("itself", builder.add_builder, builder)
        self.refuse("cannot make 0 copies", builder.replicate, newton.ModelBuilder(), 0)
