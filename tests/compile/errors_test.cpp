// Bad input: each mistake is an error that says what and where.
#include <limits>

#include "tests/compile/make_spec.hpp"

namespace torsor {
namespace {

Spec make_pendulum() {
  Spec spec;
  const int b = add_body(spec, 0);
  add_joint(spec, b, JointType::kHinge);
  add_sphere(spec, b);
  return spec;
}

BodySpec& body(Spec& spec) { return spec.bodies[1]; }
JointSpec& joint(Spec& spec) { return body(spec).joints[0]; }
GeomSpec& geom(Spec& spec) { return body(spec).geoms[0]; }

struct Mistake {
  const char* what;
  void (*make)(Spec&);
  std::vector<std::string> message;
};

const Mistake kMistakes[] = {
    {"zero axis",
     [](Spec& s) {
       joint(s).axis = {0, 0, 0};
     },
     {"test.xml:101:3", "axis is too short"}},
    {"zero quaternion",
     [](Spec& s) {
       body(s).orientation.quat = {0, 0, 0, 0};
     },
     {"test.xml:1:1", "quat is zero"}},
    {"bad euler sequence",
     [](Spec& s) {
       s.compiler.eulerseq = "abc";
       body(s).orientation.form = OrientationSpec::Form::kEuler;
     },
     {"eulerseq"}},
    {"reversed range",
     [](Spec& s) {
       joint(s).range = {2, 1};
       joint(s).limited = Tristate::kTrue;
     },
     {"test.xml:101:3", "range: the lower limit must be less"}},
    {"range without limited",
     [](Spec& s) {
       joint(s).range = {1, 2};
       s.compiler.autolimits = false;
     },
     {"has a range", "autolimits"}},
    {"ball range",
     [](Spec& s) {
       joint(s).type = JointType::kBall;
       joint(s).range = {1, 2};
     },
     {"ball joint must start at 0"}},
    {"force range",
     [](Spec& s) {
       joint(s).actfrcrange = {1, 1};
       joint(s).actfrclimited = Tristate::kTrue;
     },
     {"actuatorfrcrange: the lower limit must be less"}},
    {"spring damper",
     [](Spec& s) {
       joint(s).springdamper = {1, -1};
     },
     {"springdamper must both be positive"}},
    {"two balls",
     [](Spec& s) {
       joint(s).type = JointType::kBall;
       add_joint(s, 1, JointType::kHinge);
     },
     {"already has a ball joint"}},
    {"too many joints",
     [](Spec& s) {
       for (int n = 0; n < 6; ++n) add_joint(s, 1, JointType::kSlide);
     },
     {"test.xml:1:1", "has 7 degrees of freedom"}},
    {"free and hinge", [](Spec& s) { add_joint(s, 1, JointType::kFree); }, {"must be the only joint"}},
    {"free below the top",
     [](Spec& s) {
       const int child = add_body(s, 1);
       add_joint(s, child, JointType::kFree);
       add_sphere(s, child);
     },
     {"test.xml:102:3", "child of the world"}},
    {"joint of the world", [](Spec& s) { add_joint(s, 0, JointType::kHinge); }, {"world cannot have joints"}},
    {"moving mocap", [](Spec& s) { body(s).mocap = true; }, {"mocap body must be a child of the world"}},
    {"mocap below the top", [](Spec& s) { body_of(s, add_body(s, 1)).mocap = true; }, {"mocap body must be"}},
    {"sleep of a static body", [](Spec& s) { body_of(s, add_body(s, 0)).sleep = 3; }, {"sleep may be set only"}},
    {"no mass", [](Spec& s) { geom(s).mass = 0; }, {"test.xml:1:1", "no mass"}},
    {"negative geom mass", [](Spec& s) { geom(s).mass = -1; }, {"test.xml:201:5", "must not be negative"}},
    {"negative density", [](Spec& s) { geom(s).density = -1; }, {"must not be negative"}},
    {"negative mass",
     [](Spec& s) {
       set_inertial(s, 1, -1, {0, 0, 0}, {1, 1, 1});
     },
     {"must not be negative"}},
    {"triangle rule",
     [](Spec& s) {
       set_inertial(s, 1, 1, {0, 0, 0}, {1, 1, 2.001});
     },
     {"sum of the other two", "balanceinertia"}},
    {"indefinite inertia",
     [](Spec& s) {
       set_inertial(s, 1, 1, {0, 0, 0}, {0, 0, 0});
       body(s).inertial.fullinertia = Number6{1, 1, 1, 5, 0, 0};
     },
     {"positive principal moments"}},
    {"two inertias",
     [](Spec& s) {
       set_inertial(s, 1, 1, {0, 0, 0}, {1, 1, 1});
       body(s).inertial.fullinertia = Number6{1, 1, 1, 0, 0, 0};
     },
     {"both diaginertia and fullinertia"}},
    {"zero size",
     [](Spec& s) {
       geom(s).size = {0, 0, 0};
     },
     {"number 1 of size must be positive"}},
    {"missing size", [](Spec& s) { geom(s).type = GeomType::kBox; }, {"number 2 of size must be positive"}},
    {"plane on a moving body",
     [](Spec& s) {
       add_geom(s, 1, GeomType::kPlane, {1, 1, 1}, 0);
     },
     {"test.xml:201:5", "does not move"}},
    {"fromto of a sphere", [](Spec& s) { geom(s).fromto = Number6{0, 0, 0, 1, 0, 0}; }, {"fromto needs a capsule"}},
    {"fromto without length",
     [](Spec& s) {
       geom(s).type = GeomType::kCapsule;
       geom(s).fromto = Number6{1, 1, 1, 1, 1, 1};
     },
     {"too close"}},
    {"condim", [](Spec& s) { geom(s).condim = 2; }, {"condim must be 1, 3, 4 or 6, not 2"}},
    {"unknown material",
     [](Spec& s) {
       s.materials.emplace_back().name = "steel";
       geom(s).material = "stel";
     },
     {"unknown material 'stel'", "did you mean 'steel'?"}},
    {"unknown mesh",
     [](Spec& s) {
       geom(s).type = GeomType::kMesh;
       geom(s).mesh = "hand";
     },
     {"unknown mesh 'hand'"}},
    {"mesh without name", [](Spec& s) { geom(s).type = GeomType::kMesh; }, {"needs the name of a mesh"}},
    {"unknown target",
     [](Spec& s) { body(s).cameras.emplace_back().target = "body2"; },
     {"unknown target body 'body2'", "did you mean 'body1'?"}},
    {"light without direction",
     [](Spec& s) {
       body(s).lights.emplace_back().dir = {0, 0, 0};
     },
     {"dir is too short"}},
    {"wide camera", [](Spec& s) { body(s).cameras.emplace_back().fovy = 180; }, {"less than 180 degrees"}},
    {"lens without sensor",
     [](Spec& s) {
       body(s).cameras.emplace_back().focal_length = {1, 1};
     },
     {"positive sensorsize"}},
    {"site as plane", [](Spec& s) { body(s).sites.emplace_back().type = GeomType::kPlane; }, {"cannot be a plane"}},
    {"empty tuple", [](Spec& s) { s.tuples.emplace_back().name = "none"; }, {"tuple 'none': is empty"}},
    {"unknown object",
     [](Spec& s) {
       s.tuples.emplace_back().entries = {{"body", "bodi1", 0}};
     },
     {"unknown body 'bodi1'", "did you mean 'body1'?"}},
    {"too many user numbers",
     [](Spec& s) {
       s.size.nuser_geom = 1;
       geom(s).user = {1, 2};
     },
     {"has 2 user numbers"}},
    {"absurd user data", [](Spec& s) { s.size.nuser_geom = std::numeric_limits<int>::max(); }, {"too large"}},
    {"absurd keys", [](Spec& s) { s.size.nkey = 1'000'000'000; }, {"too large"}},
    {"bad mesh",
     [](Spec& s) {
       s.meshes.emplace_back().vertex = {0, 0, 0};
       s.meshes.back().location = {"test.xml", 50, 1};
     },
     {"test.xml:50:1"}},
    {"bad height field",
     [](Spec& s) {
       s.hfields.emplace_back().location = {"test.xml", 51, 1};
     },
     {"test.xml:51:1"}},
};

TEST(Errors, EveryMistakeIsNamedWithItsPlace) {
  for (const Mistake& mistake : kMistakes) {
    SCOPED_TRACE(mistake.what);
    Spec spec = make_pendulum();
    EXPECT_NO_THROW(compile(spec));
    mistake.make(spec);
    expect_error(spec, mistake.message);
  }
}

TEST(Errors, SeveralMistakesAreReportedAtOnce) {
  Spec spec = make_pendulum();
  joint(spec).axis = {0, 0, 0};
  geom(spec).condim = 5;
  body(spec).orientation.quat = {0, 0, 0, 0};
  try {
    compile(spec);
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.diagnostics().size(), 3u) << error.what();
  }
}

TEST(Errors, OneMistakeIsReportedOnce) {
  Spec spec = make_pendulum();
  geom(spec).type = GeomType::kMesh;
  geom(spec).mesh = "nowhere";
  try {
    compile(spec);
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.diagnostics().size(), 1u) << error.what();  // and not that the body has no mass
  }
}

TEST(Errors, AParentMustComeBeforeItsChildren) {
  Spec spec = make_pendulum();
  body(spec).parent = 5;
  expect_error(spec, {"comes later"});
}

TEST(Errors, ALongChainNeedsNoDeepStack) {
  Spec spec;
  int parent = 0;
  for (int n = 0; n < 20'000; ++n) parent = add_body(spec, parent);
  EXPECT_EQ(compile(spec).nbody, 20'001);
  spec.compiler.fusestatic = true;
  EXPECT_EQ(compile(spec).nbody, 1);
}

TEST(Errors, MatricesThatWouldNotFitAreRefused) {
  Spec spec;
  int parent = 0;
  for (int n = 0; n < 30'000; ++n) {
    parent = add_body(spec, parent);
    add_joint(spec, parent, JointType::kHinge);
    set_inertial(spec, parent, 1, {0, 0, 0}, {1, 1, 1});
  }
  expect_error(spec, {"too large", "nM"});
}

}  // namespace
}  // namespace torsor
