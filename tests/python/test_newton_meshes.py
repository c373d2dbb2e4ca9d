"""Mesh.create_...(): closed, outward, and with the volume of the body that they approximate."""

import collections

import numpy as np
import pytest

import torsor
import torsor.newton as newton
from newton_support import most_depth

Mesh, Z = newton.Mesh, newton.Axis.Z
BODIES = {  # made with many segments, and its volume and centre
    "box": (lambda n: Mesh.create_box(0.1, 0.2, 0.3), 8 * 0.006, 0),
    "cube": (lambda n: Mesh.create_box(0.1), 8e-3, 0),
    "sphere": (lambda n: Mesh.create_sphere(0.5, num_latitudes=n, num_longitudes=n), 4 / 3 * np.pi * 0.125, 0),
    "ellipsoid": (lambda n: Mesh.create_ellipsoid(0.1, 0.2, 0.3, num_latitudes=n, num_longitudes=n), 0.008 * np.pi, 0),
    "capsule": (lambda n: Mesh.create_capsule(0.1, 0.3, up_axis=Z, segments=n), np.pi * (0.006 + 4 / 3 * 1e-3), 0),
    "ball": (lambda n: Mesh.create_capsule(0.1, 0.0, up_axis=Z, segments=n), np.pi * 4 / 3 * 1e-3, 0),
    "cylinder": (lambda n: Mesh.create_cylinder(0.1, 0.3, up_axis=Z, segments=n), np.pi * 0.006, 0),
    "frustum": (lambda n: Mesh.create_cylinder(0.2, 0.3, up_axis=Z, segments=n, top_radius=0.1),
                np.pi * 0.2 * (0.04 + 0.02 + 0.01), -0.3 + 0.6 / 4 * (0.04 + 2 * 0.02 + 3 * 0.01) / 0.07),
    "cone": (lambda n: Mesh.create_cone(0.2, 0.3, up_axis=Z, segments=n), np.pi * 0.04 * 0.2, -0.15),
    "arrow": (lambda n: Mesh.create_arrow(0.1, 1.0, cap_radius=0.3, cap_height=0.6, up_axis=Z, segments=n),
              np.pi * (0.01 + 0.018), (0.01 * 0.5 + 0.018 * 1.15) / 0.028),
    "heights": (lambda n: Mesh.create_heightfield(np.full((4, 5), 2.0), 3.0, 5.0, ground_z=-1.0), 45, 0.5),
}


@pytest.mark.parametrize("name", BODIES)
def test_a_mesh_has_the_volume_and_centre_of_its_body(name):
    make, volume, height = BODIES[name]
    mesh = make(128)
    assert mesh.mass == pytest.approx(volume, rel=2e-3)
    np.testing.assert_allclose(mesh.com, (0, 0, height), atol=2e-3 * max(1, np.abs(mesh.vertices).max()))


@pytest.mark.parametrize("name", BODIES)
def test_a_mesh_is_closed_and_its_triangles_look_outward(name):
    """Each edge is used once in each direction, and the volume is positive."""
    mesh = BODIES[name][0](12)
    triangles = mesh.indices.reshape(-1, 3)
    edges = collections.Counter((int(a), int(b)) for t in triangles for a, b in zip(t, np.roll(t, -1), strict=True))
    assert all(count == 1 and edges[(b, a)] == 1 for (a, b), count in edges.items())
    assert mesh.mass > 0 and set(triangles.ravel()) == set(range(len(mesh.vertices)))


def test_the_axis_turns_the_body():
    for axis in newton.Axis:
        mesh = Mesh.create_cone(0.1, 0.4, up_axis=axis)
        assert mesh.vertices[-1].tolist() == [0.4 if i == axis else 0 for i in range(3)]
        assert mesh.mass > 0


def test_a_barrel_bulges():
    barrel = Mesh.create_cylinder(0.1, 0.3, up_axis=Z, barrel_radius=0.5)
    widest = np.hypot(*barrel.vertices[:, :2].T).max()
    assert widest == pytest.approx(0.1 + 0.5 - 0.4)  # the arc rises by its sagitta
    assert Mesh.create_plane(2.0, 1.0).mass == 0
    builder = newton.ModelBuilder()
    body = builder.add_body()
    builder.add_shape_cylinder(body, radius=0.1, half_height=0.3, barrel_radius=0.5)
    heights = np.linspace(-0.3, 0.3, 10001)
    radii = 0.1 + np.sqrt(0.25 - heights**2) - 0.4
    assert builder.body_mass[body] == pytest.approx(1000 * np.pi * np.mean(radii**2) * 0.6, rel=2e-2)


@pytest.mark.parametrize("call, message", [
    (lambda: Mesh.create_box(0.1, -1, 0.1), "positive half lengths"), (lambda: Mesh.create_sphere(0), "positive semi-axes"),
    (lambda: Mesh.create_cylinder(0.1, 0.3, segments=2), "three segments"),
    (lambda: Mesh.create_cylinder(0.1, 0.3, barrel_radius=0.1), "at least half_height"),
    (lambda: Mesh.create_heightfield([1.0, 2.0], 1, 1), "two rows"),
    (lambda: Mesh.create_sphere(reverse_winding=True), "reverse_winding is not supported")])
def test_bad_sizes_are_refused(call, message):
    with pytest.raises(torsor.Error, match=message):
        call()


def test_made_meshes_collide_and_colours_are_kept():
    builder = newton.ModelBuilder()
    builder.add_ground_plane(color=(0.1, 0.2, 0.3))
    body = builder.add_body(xform=newton.transform((0, 0, 0.1)))
    mesh = Mesh.create_cylinder(0.1, 0.1, up_axis=Z)
    shape = builder.add_shape_mesh(body, mesh=mesh, color=(1, 0, 0))
    builder.add_shape_sphere(body, radius=0.05)
    builder.color()
    assert builder.shape_color[:2] == [(0.1, 0.2, 0.3), (1, 0, 0)] and builder.shape_source[shape] is mesh
    scene = newton.ModelBuilder()
    scene.replicate(builder, 2)
    model = scene.finalize()
    assert model.shape_color[[1, 4]].tolist() == [[1, 0, 0]] * 2 and model.shape_source[4] is mesh
    state, solver, contacts = model.state(), newton.solvers.SolverSAP(model), model.contacts()
    for _ in range(400):
        solver.step(state, state, None, model.collide(state, contacts), 0.005)
    depth = 0.1 - state.body_q[:, 2]
    # upright and at rest, on points of the lower rim alone although the upper one is within the gap
    assert (0 < depth).all() and (depth < most_depth(model, 0, np.hypot(0.1, 0.1), 0.005) / 2).all()
    np.testing.assert_allclose(state.body_qd, 0, atol=1e-6)
    rim = contacts.rigid_contact_point1[contacts.rigid_contact_shape1 == shape]
    assert len(rim) == 4
    np.testing.assert_allclose(rim[:, 2], -0.1, atol=1e-7)



def test_normals_are_kept_and_signed_distance_fields_refused_by_name():
    mesh = Mesh([(0, 0, 0), (1, 0, 0), (0, 1, 0), (0, 0, 1)], [0, 2, 1, 0, 1, 3, 1, 2, 3, 0, 3, 2], normals=np.eye(4)[:, :3])
    assert mesh.normals.shape == (4, 3) and Mesh.create_box(1.0).normals is None and not hasattr(mesh, "sdf")
    with pytest.raises(torsor.Error, match="Mesh.build_sdf: signed distance fields are not supported"):
        mesh.build_sdf(max_resolution=64)
    with pytest.raises(AttributeError, match="'Mesh' object has no attribute 'vertex'"):
        mesh.vertex  # noqa: B018


SLAB = """<mujoco><asset><mesh name="slab" vertex="{}"/></asset><worldbody><body pos="0 0 1"><freejoint/>
  <geom type="mesh" mesh="slab" pos="0.1 0 0" euler="0 0 30"/></body></worldbody></mujoco>"""


@pytest.mark.parametrize("source", ["mesh", "mjcf"])
@pytest.mark.parametrize("method", ["bounding_box", "bounding_sphere", "convex_hull"])
def test_meshes_are_replaced_by_what_encloses_them(source, method):
    """A slab that is turned in the mesh: the box is the slab itself, the ball has its diagonal."""
    half, turned = np.array([0.3, 0.2, 0.05]), newton.quat_rpy(0.3, -0.4, 0.5)
    corners = [newton.quat_rotate(turned, np.array(signs) * half) + (1, 2, 3)
               for signs in np.array(np.meshgrid([-1, 1], [-1, 1], [-1, 1])).T.reshape(-1, 3)]
    builder = newton.ModelBuilder()
    if source == "mjcf":
        builder.add_mjcf(SLAB.format(" ".join(f"{x:.17g}" for corner in corners for x in corner)))
    else:
        box = Mesh.create_box(*half)
        mesh = Mesh([newton.quat_rotate(turned, vertex) + (1, 2, 3) for vertex in box.vertices], box.indices)
        builder.add_shape_mesh(builder.add_body(xform=newton.transform((0, 0, 1))), mesh=mesh,
                               xform=newton.transform((0.1, 0, 0), newton.quat_rpy(0, 0, np.pi / 6)))
    visual = builder.add_shape_mesh(0, mesh=Mesh.create_box(0.1), cfg=builder.ShapeConfig(has_shape_collision=False, density=0))
    mass, xform = builder.body_mass[0], np.array(builder.shape_transform[0])
    assert builder.approximate_meshes(method) == {0} and builder.body_mass[0] == mass
    assert builder.shape_type[visual] == newton.GeoType.MESH
    if method == "convex_hull":
        assert builder.shape_type[0] == newton.GeoType.CONVEX_MESH
    else:
        scale = builder.shape_scale[0]
        np.testing.assert_allclose(sorted(scale) if method == "bounding_box" else scale[0],
                                   sorted(half) if method == "bounding_box" else np.linalg.norm(half), rtol=1e-3)
        np.testing.assert_allclose(builder.shape_transform[0][:3], newton.transform_point(xform, (1, 2, 3)), atol=1e-3)
    # the lowest corner is where it was
    lowest = min(newton.transform_point(xform, corner)[2] for corner in corners)
    lowest = newton.transform_point(xform, (1, 2, 3))[2] - np.linalg.norm(half) if method == "bounding_sphere" else lowest
    builder.add_ground_plane(height=1 + lowest + 0.01)
    model = builder.finalize()
    assert model.collide(model.state()).rigid_contact_distance.min() == pytest.approx(-0.01, abs=1e-3)


def test_what_cannot_be_replaced_is_refused():
    builder = newton.ModelBuilder()
    builder.add_shape_sphere(builder.add_body(), radius=0.1)
    hull = builder.add_shape_convex_hull(0, mesh=Mesh.create_box(0.1))
    assert builder.approximate_meshes("bounding_box") == set() and builder.shape_type[hull] == newton.GeoType.CONVEX_MESH
    assert builder.approximate_meshes("bounding_box", shape_indices=[]) == set()
    for call, message in ((lambda: builder.approximate_meshes("coacd"), "has the methods convex_hull, bounding_box"),
                          (lambda: builder.approximate_meshes(shape_indices=[0]), "shape 0 .* is no mesh"),
                          (lambda: builder.approximate_meshes(shape_indices=[9]), "there is no shape 9")):
        with pytest.raises(torsor.Error, match=message):
            call()
