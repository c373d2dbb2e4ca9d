// Pairs, exclusions and equalities in a compiled model.
#include "make_spec.hpp"
#include "torsor/dynamics/dynamics.hpp"

namespace torsor {
namespace {

using Frame = Pose<double>;

// Three bodies with one named geom each, and one in the world.
Spec make_bodies() {
  Spec spec;
  add_geom(spec, 0, GeomType::kPlane, {1, 1, 1}, 0).name = "floor";
  for (const char* name : {"first", "second", "third"}) {
    const int body = add_body(spec, 0);
    add_joint(spec, body, JointType::kFree);
    add_sphere(spec, body).name = name;
  }
  return spec;
}

PairSpec& add_pair(Spec& spec, const char* geom1, const char* geom2) {
  PairSpec& pair = spec.pairs.emplace_back();
  pair.geom1 = geom1;
  pair.geom2 = geom2;
  pair.location = {"test.xml", 300, 1};
  return pair;
}

EqualitySpec& add_equality(Spec& spec, EqualityType type, const std::string& body1, const std::string& body2) {
  EqualitySpec& equality = spec.equalities.emplace_back();
  equality.type = type;
  equality.object1 = body1;
  equality.object2 = body2;
  equality.location = {"test.xml", 400, 1};
  return equality;
}

Frame pose_of(const Data& data, int body) { return {load3(data.xpos.row(body, 3)), load4(data.xquat.row(body, 4))}; }

TEST(Contacts, PairsAreSortedByTheirBodiesAndKeepTheirNames) {
  Spec spec = make_bodies();
  add_pair(spec, "third", "second").name = "late";
  add_pair(spec, "third", "floor").name = "early";
  add_pair(spec, "second", "third").name = "later";  // the same bodies: in the order of the file
  const Model model = compile(spec);
  ASSERT_EQ(model.npair, 3);
  EXPECT_EQ(model.find(ObjectType::kPair, "early"), 0);
  EXPECT_EQ(model.find(ObjectType::kPair, "late"), 1);
  EXPECT_EQ(model.find(ObjectType::kPair, "later"), 2);
  for (int p = 0; p < model.npair; ++p) {
    const int body1 = model.geom_bodyid[model.pair_geom1[p]], body2 = model.geom_bodyid[model.pair_geom2[p]];
    EXPECT_LE(body1, body2);
    EXPECT_EQ(model.pair_signature[p], 65536 * body1 + body2);
    EXPECT_TRUE(p == 0 || model.pair_signature[p - 1] <= model.pair_signature[p]);
  }
}

TEST(Contacts, ExclusionsAreSortedByTheirBodies) {
  Spec spec = make_bodies();
  const std::pair<const char*, const char*> bodies[] = {{"body3", "body2"}, {"body1", "body3"}, {"body2", "world"}};
  for (const auto& [first, second] : bodies) {
    ExcludeSpec& exclude = spec.excludes.emplace_back();
    exclude.body1 = first;
    exclude.body2 = second;
    exclude.name = second;
  }
  const Model model = compile(spec);
  ASSERT_EQ(model.nexclude, 3);
  EXPECT_EQ(model.exclude_signature[0], 2);
  EXPECT_EQ(model.exclude_signature[1], 65536 + 3);
  EXPECT_EQ(model.exclude_signature[2], 2 * 65536 + 3);
  EXPECT_EQ(model.name(ObjectType::kExclude, 0), "world");
  EXPECT_EQ(model.name(ObjectType::kExclude, 2), "body2");
}

TEST(Contacts, APairThatCannotBeIsAnErrorWithItsPlace) {
  Spec spec = make_bodies();
  add_pair(spec, "frist", "second");
  add_pair(spec, "first", "first");
  add_pair(spec, "first", "third").condim = 5;
  add_pair(spec, "", "third");
  expect_error(spec, {"test.xml:300", "unknown geom 'frist'", "did you mean 'first'?", "does not collide with itself",
                      "condim is 1, 3, 4 or 6, got 5", "needs two geoms"});
}

// The anchor of a connect is one point of the world, in whatever pose the bodies start.
TEST(Equalities, AConnectHoldsInTheReferencePose) {
  for_all(50, [](Random& random) {
    Spec spec = make_random_tree(random, 8);
    const Vec3<double> anchor = random.vec3();
    EqualitySpec& equality = add_equality(spec, EqualityType::kConnect, "body3", random.chance(0.2) ? "" : "body7");
    equality.anchor = {anchor.x, anchor.y, anchor.z};
    const Model model = compile(spec);
    Data data(model);
    compute_kinematics(model, data);
    const double* numbers = model.eq_data.row(0, kEqualityNumbers);
    const Vec3<double> p_W1 = apply(pose_of(data, model.eq_obj1id[0]), load3(numbers));
    const Vec3<double> p_W2 = apply(pose_of(data, model.eq_obj2id[0]), load3(numbers + 3));
    EXPECT_LT(norm(p_W1 - p_W2), 1e-12);
    EXPECT_LT(norm(load3(numbers) - anchor), 1e-15);
  });
}

TEST(Equalities, AWeldThatLeavesItsPoseOpenHoldsInTheReferencePose) {
  for_all(50, [](Random& random) {
    Spec spec = make_random_tree(random, 8);
    const Vec3<double> anchor = random.vec3();
    EqualitySpec& equality = add_equality(spec, EqualityType::kWeld, "body2", random.chance(0.2) ? "" : "body6");
    equality.anchor = {anchor.x, anchor.y, anchor.z};
    const Model model = compile(spec);
    Data data(model);
    compute_kinematics(model, data);
    const double* numbers = model.eq_data.row(0, kEqualityNumbers);
    const Frame X_W1 = pose_of(data, model.eq_obj1id[0]), X_W2 = pose_of(data, model.eq_obj2id[0]);
    EXPECT_LT(norm(apply(X_W1, load3(numbers + 3)) - apply(X_W2, load3(numbers))), 1e-12);
    EXPECT_NEAR(std::abs(dot(X_W1.q * load4(numbers + 6), X_W2.q)), 1, 1e-12);
    EXPECT_EQ(numbers[kFollowsQpos0], 1);
  });
}

TEST(Equalities, APoseThatIsGivenStaysAndIsMadeARotation) {
  Spec spec = make_bodies();
  add_equality(spec, EqualityType::kWeld, "body1", "body2").relpose = {1, 2, 3, 0, 3, 0, 4};
  const Model model = compile(spec);
  const double expected[] = {0, 0, 0, 1, 2, 3, 0, 0.6, 0, 0.8, 1, 0};
  for (int k = 0; k < kEqualityNumbers; ++k) EXPECT_DOUBLE_EQ(model.eq_data[k], expected[k]) << k;
}

TEST(Equalities, WhatCannotBeIsAnErrorWithItsPlace) {
  Spec spec = make_bodies();
  add_equality(spec, EqualityType::kWeld, "body1", "body1");
  add_equality(spec, EqualityType::kConnect, "bdoy2", "");
  add_equality(spec, EqualityType::kWeld, "", "body1");
  body_of(spec, 1).joints[0].name = "floating";
  add_equality(spec, EqualityType::kJoint, "floating", "").objtype = ObjectType::kJoint;
  expect_error(spec, {"test.xml:400", "body 'body1' cannot be constrained to itself", "unknown body 'bdoy2'",
                      "did you mean 'body2'?", "does not name its body",
                      "joint 'floating' is neither a hinge nor a slide joint"});
}

}  // namespace
}  // namespace torsor
