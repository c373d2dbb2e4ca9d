// Geoms and sites: sizes, bounds, meshes, height fields, the ellipsoid fluid model.
#include <cmath>

#include "tests/compile/make_spec.hpp"

namespace torsor {
namespace {

using Vec = Vec3<double>;

constexpr float kCorner[] = {0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1};

// The corner tetrahedron of the unit cube, COM at (1/4, 1/4, 1/4), volume 1/6.
Spec make_mesh_spec() {
  Spec spec;
  MeshSpec& mesh = spec.meshes.emplace_back();
  mesh.name = "corner";
  mesh.location = {"test.xml", 77, 7};
  mesh.vertex.assign(std::begin(kCorner), std::end(kCorner));
  const int b = add_body(spec, 0);
  GeomSpec& geom = add_geom(spec, b, GeomType::kMesh, {0, 0, 0}, 0);
  geom.mass.reset();
  geom.mesh = "corner";
  return spec;
}

TEST(Geoms, AMeshWeighsItsVolumeAndSitsAtItsCom) {
  const Model model = compile(make_mesh_spec());
  EXPECT_NEAR(model.body_mass[1], 1000.0 / 6, 1e-9);
  EXPECT_NEAR_REL(load3(model.geom_pos.data()), (Vec{0.25, 0.25, 0.25}), 1e-9);
  EXPECT_EQ(model.geom_dataid[0], 0);
  EXPECT_EQ(model.nmeshvert, 4);
  EXPECT_EQ(model.nmeshface, 4);
}

TEST(Geoms, VerticesOfAMeshStayWhereTheyWereWritten) {
  Spec spec = make_mesh_spec();
  GeomSpec& geom = body_of(spec, 1).geoms[0];
  geom.pos = {1, 2, 3};
  geom.orientation.quat = {1, 2, 3, 4};
  const Model model = compile(spec);
  const Quat<double> q_BG = load4(model.geom_quat.data()), q = normalized(Quat<double>{1, 2, 3, 4});
  for (int v = 0; v < 4; ++v) {
    const Vec in_body = load3(model.geom_pos.data()) + rotate(q_BG, load3<double>(model.mesh_vert.row(v, 3)));
    EXPECT_NEAR_REL(in_body, (Vec{1, 2, 3} + rotate(q, load3<double>(kCorner + 3 * v))), 1e-6);
  }
}

TEST(Geoms, APrimitiveFittedToAMeshKeepsItsPlaceAlone) {
  Spec spec = make_mesh_spec();
  body_of(spec, 1).geoms[0].type = GeomType::kBox;
  const Model model = compile(spec);
  EXPECT_EQ(model.geom_type[0], static_cast<int>(GeomType::kBox));
  EXPECT_EQ(model.geom_dataid[0], -1);  // MuJoCo 3 kept the mesh here
  EXPECT_NEAR_REL(load3(model.geom_pos.data()), (Vec{0.25, 0.25, 0.25}), 1e-9);
  // the fitted box has the same mean square distance from the COM: 1/10 along each edge, less that of the COM
  const Vec half = load3(model.geom_size.data());
  EXPECT_NEAR(norm2(half) / 3, 3 * (1.0 / 10 - 1.0 / 16), 1e-6);
}

TEST(Geoms, APrimitiveFittedToAMeshScalesTheSizesThatItDoesNotUse) {
  Spec spec = make_mesh_spec();
  GeomSpec& geom = body_of(spec, 1).geoms[0];
  geom.type = GeomType::kSphere;
  geom.size = {9, 5, 7};
  geom.fitscale = 2;
  const Model model = compile(spec);
  EXPECT_DOUBLE_EQ(model.geom_size[1], 10);
  EXPECT_DOUBLE_EQ(model.geom_size[2], 14);
}

TEST(Geoms, ASurfaceMovesTheSameWhereverItsFrameIs) {
  Spec spec = make_mesh_spec();
  body_of(spec, 1).geoms[0].surfacevel = {1, 2, 3, 4, 5, 6};
  const Model model = compile(spec);
  const Quat<double> q_BG = load4(model.geom_quat.data());
  const Vec w = rotate(q_BG, load3(model.geom_surfacevel.data() + 3)),
            v = rotate(q_BG, load3(model.geom_surfacevel.data()));
  EXPECT_NEAR_REL(w, (Vec{4, 5, 6}), 1e-9);
  EXPECT_NEAR_REL((v - cross(w, load3(model.geom_pos.data()))), (Vec{1, 2, 3}), 1e-9);
}

TEST(Geoms, AMeshGivesItsMaterialToGeomsWithoutOne) {
  Spec spec = make_mesh_spec();
  spec.materials.resize(2);
  spec.materials[0].name = "steel";
  spec.materials[1].name = "paint";
  spec.meshes[0].material = "steel";
  EXPECT_EQ(compile(spec).geom_matid[0], 0);
  body_of(spec, 1).geoms[0].material = "paint";
  EXPECT_EQ(compile(spec).geom_matid[0], 1);
}

TEST(Geoms, AHeightFieldIsFlattenedToTheRangeOfItsElevations) {
  Spec spec;
  HfieldSpec& field = spec.hfields.emplace_back();
  field.name = "hills";
  field.nrow = 2;
  field.ncol = 3;
  field.size = {1, 2, 3, 4};
  field.elevation = {1, 2, 3, 4, 5, 6};
  GeomSpec& geom = add_geom(spec, 0, GeomType::kHfield, {0, 0, 0}, 0);
  geom.hfield = "hills";
  const Model model = compile(spec);
  EXPECT_EQ(model.nhfielddata, 6);
  EXPECT_EQ(*std::min_element(model.hfield_data.begin(), model.hfield_data.end()), 0);
  EXPECT_EQ(*std::max_element(model.hfield_data.begin(), model.hfield_data.end()), 1);
  EXPECT_NEAR_REL(load3(model.geom_aabb.data()), (Vec{0, 0, -0.5}), 0);
  EXPECT_NEAR_REL(load3(model.geom_aabb.data() + 3), (Vec{1, 2, 3.5}), 0);
}

TEST(Geoms, BoundsHoldTheShape) {
  Spec spec;
  add_sphere(spec, 0, 0.5);
  add_geom(spec, 0, GeomType::kCapsule, {0.1, 0.2, 0}, 1);
  add_geom(spec, 0, GeomType::kBox, {1, 2, 2}, 1);
  add_geom(spec, 0, GeomType::kPlane, {1, 1, 1}, 0);
  const Model model = compile(spec);
  EXPECT_DOUBLE_EQ(model.geom_rbound[0], 0.5);
  EXPECT_DOUBLE_EQ(model.geom_rbound[1], 0.1 + 0.2);
  EXPECT_DOUBLE_EQ(model.geom_rbound[2], 3);
  EXPECT_DOUBLE_EQ(model.geom_rbound[3], 0);
  EXPECT_NEAR_REL(load3(model.geom_aabb.row(1, 6) + 3), (Vec{0.1, 0.1, 0.3}), kRounding);
}

TEST(Geoms, ABodyKnowsWhatItsGeomsTouch) {
  Spec spec;
  const int b = add_body(spec, 0);
  GeomSpec first = add_sphere(spec, b), second = first;
  first.contype = 1, first.conaffinity = 4, first.margin = 0.1, first.gap = 0.2;
  second.contype = 2, second.conaffinity = 4, second.margin = 0.25, second.gap = 0;
  body_of(spec, b).geoms = {first, second};
  const Model model = compile(spec);
  EXPECT_EQ(model.body_contype[1], 3);
  EXPECT_EQ(model.body_conaffinity[1], 4);
  EXPECT_DOUBLE_EQ(model.body_margin[1], 0.1 + 0.2);
}

// kappa of an ellipsoid along its first radius by the midpoint rule in x = l / (1 + l), with many points
double integrate_kappa(Vec radii) {
  const int n = 400'000;
  const double a = radii.x * radii.x, b = radii.y * radii.y, c = radii.z * radii.z;
  double sum = 0;
  for (int i = 0; i < n; ++i) {
    const double x = (i + 0.5) / n, l = x / (1 - x), dl = 1 / ((1 - x) * (1 - x));
    sum += dl / std::sqrt((a + l) * (a + l) * (a + l) * (b + l) * (c + l)) / n;
  }
  return radii.x * radii.y * radii.z * sum;
}

TEST(Fluid, ASphereDragsHalfItsVolumeAndTurnsFreely) {
  Spec spec;
  GeomSpec& sphere = add_sphere(spec, 0, 0.3);
  sphere.fluid_ellipsoid = true;
  sphere.fluidcoef = {1, 2, 3, 4, 5};
  const Model model = compile(spec);
  const double half_volume = 2 * M_PI / 3 * 0.027;
  for (int k = 0; k < 6; ++k) EXPECT_DOUBLE_EQ(model.geom_fluid[k], k == 0 ? 1 : k);
  for (int k = 0; k < 3; ++k) EXPECT_NEAR(model.geom_fluid[6 + k], half_volume, 1e-6 * half_volume);
  for (int k = 0; k < 3; ++k) EXPECT_DOUBLE_EQ(model.geom_fluid[9 + k], 0);
}

TEST(Fluid, AnEllipsoidHasTheAddedMassOfLamb) {
  Spec spec;
  const Vec radii{0.8, 1.1, 1.6};
  GeomSpec& geom = add_geom(spec, 0, GeomType::kEllipsoid, {radii.x, radii.y, radii.z}, 1);
  geom.fluid_ellipsoid = true;
  const Model model = compile(spec);
  const double k[3] = {integrate_kappa(radii), integrate_kappa({radii.y, radii.z, radii.x}),
                       integrate_kappa({radii.z, radii.x, radii.y})};
  const double volume = 4 * M_PI / 3 * radii.x * radii.y * radii.z;
  EXPECT_NEAR(k[0] + k[1] + k[2], 2, 1e-6);
  for (int i = 0; i < 3; ++i) {
    const int y = (i + 1) % 3, z = (i + 2) % 3;
    const double yy = radii[y] * radii[y], zz = radii[z] * radii[z];
    const double moment =
        volume / 5 * (yy - zz) * (yy - zz) * (k[z] - k[y]) / (2 * (yy - zz) + (yy + zz) * (k[y] - k[z]));
    EXPECT_NEAR(model.geom_fluid[6 + i] / (volume * k[i] / (2 - k[i])), 1, 1e-5);
    EXPECT_NEAR(model.geom_fluid[9 + i] / moment, 1, 1e-4);
  }
}

}  // namespace
}  // namespace torsor
