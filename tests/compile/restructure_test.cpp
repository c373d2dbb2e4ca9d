// Aligned free bodies, fused static bodies, discarded visuals: the physics must stay the same.
#include "tests/compile/make_spec.hpp"
#include "torsor/dynamics/dynamics.hpp"

namespace torsor {
namespace {

using Vec = Vec3<double>;

Data place(const Model& model) {
  Data data(model);
  compute_kinematics(model, data);
  compute_com_position(model, data);
  compute_mass_matrix(model, data);
  return data;
}

// A free body whose COM and principal axes are elsewhere.
Spec make_free() {
  Spec spec;
  const int b = add_body(spec, 0, {1, 2, 3});
  body_of(spec, b).orientation.quat = {1, 0.2, 0.3, 0.4};
  add_joint(spec, b, JointType::kFree);
  GeomSpec& box = add_geom(spec, b, GeomType::kBox, {0.1, 0.2, 0.3}, 5);
  box.pos = {0.4, 0.5, 0.6};
  box.orientation.quat = {1, 2, 3, 4};
  SiteSpec& site = body_of(spec, b).sites.emplace_back();
  site.pos = {1, 0, 0};
  LightSpec& light = body_of(spec, b).lights.emplace_back();
  light.dir = {1, 2, 3};
  return spec;
}

TEST(AlignFree, MovesTheBodyFrameToTheInertialFrameAndNothingElse) {
  Spec spec = make_free();
  const Model plain = compile(spec);
  body_of(spec, 1).joints[0].align = Tristate::kTrue;
  const Model aligned = compile(spec);
  EXPECT_EQ(aligned.body_sameframe[1], static_cast<int>(SameFrame::kBody));
  EXPECT_EQ(aligned.body_simple[1], 1);
  const Data before = place(plain), after = place(aligned);
  EXPECT_NEAR_REL(load3(after.xpos.row(1, 3)), load3(before.xipos.row(1, 3)), 1e-14);
  EXPECT_NEAR_REL(load3(after.geom_xpos.data()), load3(before.geom_xpos.data()), 1e-14);
  EXPECT_NEAR_REL(load9(after.geom_xmat.data()), load9(before.geom_xmat.data()), 1e-14);
  EXPECT_NEAR_REL(load3(after.site_xpos.data()), load3(before.site_xpos.data()), 1e-14);
  EXPECT_NEAR_REL(load3(aligned.light_dir0.data()), load3(plain.light_dir0.data()), 1e-14);
}

TEST(AlignFree, TheCompilerDecidesWhereTheJointDoesNot) {
  Spec spec = make_free();
  spec.compiler.alignfree = true;
  EXPECT_EQ(compile(spec).body_simple[1], 1);
  body_of(spec, 1).joints[0].align = Tristate::kFalse;
  EXPECT_EQ(compile(spec).body_simple[1], 0);
}

TEST(AlignFree, ABodyWithChildrenStays) {
  Spec spec = make_free();
  spec.compiler.alignfree = true;
  add_body(spec, 1);
  EXPECT_NEAR_REL(load3(compile(spec).body_pos.row(1, 3)), (Vec{1, 2, 3}), 0);
}

TEST(FuseStatic, KeepsMassMatrixAndPlaces) {
  for_all(50, [](Random& random) {
    Spec spec = make_random_tree(random, 8);
    for (size_t b = 1; b < spec.bodies.size(); ++b)
      add_sphere(spec, static_cast<int>(b), 0.1, 0).name = spec.bodies[b].name;
    const Model apart = compile(spec);
    spec.compiler.fusestatic = true;
    const Model fused = compile(spec);
    const Data a = place(apart), b = place(fused);
    ASSERT_EQ(apart.nv, fused.nv);
    for (int i = 0; i < apart.nv; ++i) EXPECT_NEAR_REL(fused.dof_M0[i], apart.dof_M0[i], 1e-12);
    for (int g = 0; g < apart.ngeom; ++g) {
      const int same = fused.find(ObjectType::kGeom, apart.name(ObjectType::kGeom, g));
      ASSERT_GE(same, 0);
      EXPECT_NEAR_REL(load3(b.geom_xpos.row(same, 3)), load3(a.geom_xpos.row(g, 3)), 1e-12);
      EXPECT_NEAR_REL(load9(b.geom_xmat.row(same, 9)), load9(a.geom_xmat.row(g, 9)), 1e-12);
    }
  });
}

TEST(FuseStatic, LeavesNoStaticBody) {
  Spec spec;
  const int still = add_body(spec, 0, {1, 0, 0}), moving = add_body(spec, still, {0, 1, 0});
  add_joint(spec, moving, JointType::kHinge);
  add_sphere(spec, moving);
  add_sphere(spec, add_body(spec, moving, {0, 0, 1}));
  spec.compiler.fusestatic = true;
  const Model model = compile(spec);
  EXPECT_EQ(model.nbody, 2);
  EXPECT_DOUBLE_EQ(model.body_mass[1], 2);
  EXPECT_NEAR_REL(load3(model.body_pos.row(1, 3)), (Vec{1, 1, 0}), 0);
  EXPECT_NEAR_REL(load3(model.body_ipos.row(1, 3)), (Vec{0, 0, 0.5}), 0);
}

TEST(FuseStatic, KeepsBodiesThatSomethingRefersTo) {
  Spec spec;
  add_body(spec, 0);
  add_body(spec, 0);
  add_body(spec, 0);
  spec.bodies[0].cameras.emplace_back().target = "body1";
  TupleSpec& tuple = spec.tuples.emplace_back();
  tuple.name = "group";
  tuple.entries.push_back({"xbody", "body2", 0});
  spec.compiler.fusestatic = true;
  const Model model = compile(spec);
  EXPECT_EQ(model.nbody, 3);
  EXPECT_EQ(model.cam_targetbodyid[0], model.find(ObjectType::kBody, "body1"));
}

// Fusing must not change forces: gravity compensation and the drag of a fluid belong to bodies.
TEST(FuseStatic, KeepsBodiesWhoseFusingWouldChangeForces) {
  const auto bodies_of = [](auto&& change) {
    Spec spec;
    const int moving = add_body(spec, 0), still = add_body(spec, moving, {0, 0, 1});
    add_joint(spec, moving, JointType::kHinge);
    add_sphere(spec, moving);
    add_sphere(spec, still);
    spec.compiler.fusestatic = true;
    change(spec, body_of(spec, still));
    return compile(spec).nbody;
  };
  EXPECT_EQ(bodies_of([](Spec&, BodySpec&) {}), 2);
  EXPECT_EQ(bodies_of([](Spec&, BodySpec& body) { body.fuse = false; }), 3);
  EXPECT_EQ(bodies_of([](Spec&, BodySpec& body) { body.gravcomp = 1; }), 3);
  EXPECT_EQ(bodies_of([](Spec& spec, BodySpec&) { spec.option.viscosity = 1; }), 3);
  EXPECT_EQ(bodies_of([](Spec& spec, BodySpec& body) {
              body.sites.emplace_back().name = "load cell";
              SensorSpec& sensor = spec.sensors.emplace_back();
              sensor.type = SensorType::kForce;
              sensor.objtype = ObjectType::kSite;
              sensor.objname = "load cell";
            }),
            3);
}

TEST(FuseStatic, MovesCamerasAndLightsWithTheirBody) {
  Spec spec;
  const int b = add_body(spec, 0, {1, 2, 3});
  body_of(spec, b).cameras.emplace_back().pos = {0, 0, 5};
  body_of(spec, b).lights.emplace_back().pos = {0, 0, 6};
  spec.compiler.fusestatic = true;
  const Model model = compile(spec);
  EXPECT_NEAR_REL(load3(model.cam_pos.data()), (Vec{1, 2, 8}), 1e-15);
  EXPECT_NEAR_REL(load3(model.light_pos.data()), (Vec{1, 2, 9}), 1e-15);
}

TEST(DiscardVisual, KeepsTheInertiaOfWhatIsGone) {
  Spec spec;
  const int b = add_body(spec, 0);
  add_joint(spec, b, JointType::kHinge);
  add_sphere(spec, b, 0.1, 1);
  GeomSpec& visual = add_sphere(spec, b, 0.1, 3);
  visual.pos = {4, 0, 0};
  visual.contype = visual.conaffinity = 0;
  spec.materials.emplace_back().name = "paint";
  body_of(spec, b).geoms[0].material = "paint";
  spec.compiler.discardvisual = true;
  const Model model = compile(spec);
  EXPECT_EQ(model.ngeom, 1);
  EXPECT_EQ(model.nmat, 0);
  EXPECT_EQ(model.geom_matid[0], -1);
  EXPECT_DOUBLE_EQ(model.body_mass[1], 4);
  EXPECT_NEAR_REL(load3(model.body_ipos.row(1, 3)), (Vec{3, 0, 0}), kRounding);
}

TEST(DiscardVisual, RefusesToDropMassWhereInertiaComesFromGeomsOnly) {
  Spec spec;
  const int b = add_body(spec, 0);
  add_joint(spec, b, JointType::kHinge);
  add_sphere(spec, b);
  GeomSpec& visual = add_sphere(spec, b);
  visual.contype = visual.conaffinity = 0;
  spec.compiler.discardvisual = true;
  spec.compiler.inertiafromgeom = Tristate::kTrue;
  EXPECT_THROW(compile(spec), Error);
}

TEST(DiscardVisual, DropsMeshesThatNothingUsesAnyMore) {
  Spec spec;
  for (const char* name : {"unused", "used"}) {
    MeshSpec& mesh = spec.meshes.emplace_back();
    mesh.name = name;
    mesh.vertex = {0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1};
  }
  add_geom(spec, 0, GeomType::kMesh, {0, 0, 0}, 1).mesh = "used";
  EXPECT_EQ(compile(spec).nmesh, 2);
  spec.compiler.discardvisual = true;
  const Model model = compile(spec);
  EXPECT_EQ(model.nmesh, 1);
  EXPECT_EQ(model.geom_dataid[0], 0);
  EXPECT_EQ(model.name(ObjectType::kMesh, 0), "used");
}

}  // namespace
}  // namespace torsor
