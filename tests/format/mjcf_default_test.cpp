// Default classes.
#include "mjcf_support.hpp"

namespace torsor {
namespace {

const char* const kClasses =
    "<default><geom size='1'/><default class='a'><geom size='2'/><default class='c'><geom "
    "contype='7'/></default></default>"
    "<default class='b'><geom size='3'/></default></default>";

// First sizes of all geoms, in the order of bodies.
std::vector<double> sizes_in(const std::string& world) {
  const Spec spec = read_model(std::string(kClasses) + "<worldbody>" + world + "</worldbody>");
  std::vector<double> sizes;
  for (const BodySpec& body : spec.bodies) {
    for (const GeomSpec& geom : body.geoms) sizes.push_back(geom.size[0]);
  }
  return sizes;
}

TEST(MjcfDefault, TheMainClassAppliesToEverything) {
  EXPECT_EQ(sizes_in("<geom/><geom size='9'/><geom class='main'/>"), (std::vector<double>{1, 9, 1}));
}

TEST(MjcfDefault, ANestedClassInheritsFromTheOneAroundIt) {
  const Spec spec = read_model(std::string(kClasses) + "<worldbody><geom class='c'/></worldbody>");
  EXPECT_EQ(spec.bodies[0].geoms[0].size[0], 2);
  EXPECT_EQ(spec.bodies[0].geoms[0].contype, 7);
  EXPECT_EQ(spec.bodies[0].geoms[0].class_name, "c");
  ASSERT_EQ(spec.defaults.size(), 4u);
  EXPECT_EQ(spec.defaults[0].name, "main");
  EXPECT_EQ(spec.defaults[2].name, "c");
  EXPECT_EQ(spec.defaults[2].parent, 1);
}

TEST(MjcfDefault, ChildclassHoldsForTheWholeSubtree) {
  EXPECT_EQ(
      sizes_in("<body childclass='a'><geom/><geom class='b'/><body><geom/><body childclass='b'><geom/></body><geom/>"
               "</body></body><geom/>"),
      (std::vector<double>{1, 2, 3, 2, 2, 3}));
  EXPECT_EQ(sizes_in("<body childclass='a'><body childclass='main'><geom/></body></body>"), (std::vector<double>{1}));
}

TEST(MjcfDefault, ChildclassOfAFrameHoldsInsideItOnly) {
  EXPECT_EQ(sizes_in("<frame childclass='a'><geom/><frame><geom/><body><geom/></body></frame></frame><geom/>"),
            (std::vector<double>{2, 2, 1, 2}));
  EXPECT_EQ(sizes_in("<body childclass='a'><frame childclass='b'><geom/><body><geom/></body></frame><geom/></body>"),
            (std::vector<double>{3, 2, 3}));
}

TEST(MjcfDefault, AClassIsCompleteBeforeThoseInsideItCopyIt) {
  const Spec spec = read_model(
      "<worldbody><geom class='a'/></worldbody><default><default class='a'><geom contype='0'/></default><geom "
      "size='2'/></default>");
  EXPECT_EQ(spec.bodies[0].geoms[0].size[0], 2);
}

TEST(MjcfDefault, RepeatedSectionsAddUpButClassesAreCopiesOfTheirTime) {
  const Spec spec = read_model(
      "<default><geom size='2'/><default class='a'/></default><default class='main'><geom contype='0'/></default>"
      "<worldbody><geom/><geom class='a'/></worldbody>");
  EXPECT_EQ(spec.bodies[0].geoms[0].size[0], 2);
  EXPECT_EQ(spec.bodies[0].geoms[0].contype, 0);
  EXPECT_EQ(spec.bodies[0].geoms[1].contype, 1);
}

TEST(MjcfDefault, EveryKindHasItsValues) {
  const Spec spec = read_model(
      "<default><joint armature='1'/><site size='2'/><camera fovy='3'/><light cutoff='4'/><mesh scale='5 5 5'/>"
      "<material shininess='6'><layer role='orm' texture='t'/></material></default>"
      "<asset><mesh name='m'/><material name='n'/></asset>"
      "<worldbody><body><joint/><site/><camera/><light/></body></worldbody>");
  EXPECT_EQ(spec.bodies[1].joints[0].armature, 1);
  EXPECT_EQ(spec.bodies[1].sites[0].size, (Number3{2, 0.005, 0.005}));
  EXPECT_EQ(spec.bodies[1].cameras[0].fovy, 3);
  EXPECT_EQ(spec.bodies[1].lights[0].cutoff, 4);
  EXPECT_EQ(spec.meshes[0].scale, (Number3{5, 5, 5}));
  EXPECT_EQ(spec.materials[0].shininess, 6);
  EXPECT_EQ(spec.materials[0].textures[9], "t");
}

TEST(MjcfDefault, AnEmptyReferenceOverridesThatOfTheClass) {
  const Spec spec =
      read_model("<default><geom material='x'/></default><worldbody><geom/><geom material=''/></worldbody>");
  EXPECT_EQ(spec.bodies[0].geoms[0].material, "x");
  EXPECT_EQ(spec.bodies[0].geoms[1].material, "");
}

TEST(MjcfDefault, FreejointsTakeNoDefaults) {
  const Spec spec = read_model(
      "<default><joint armature='3' damping='2' group='3'/></default><worldbody><body><freejoint/></body>"
      "<body><joint type='free'/></body></worldbody>");
  EXPECT_EQ(spec.bodies[1].joints[0].armature, 0);
  EXPECT_EQ(spec.bodies[1].joints[0].group, 0);
  EXPECT_EQ(spec.bodies[1].joints[0].type, JointType::kFree);
  EXPECT_EQ(spec.bodies[2].joints[0].armature, 3);
}

TEST(MjcfDefault, MistakesAreErrors) {
  expect_contains(error_in_world("<geom class='x' size='1'/>"), "unknown default class 'x'");
  expect_contains(error_in_world("<geom class='' size='1'/>"), "unknown default class ''");
  expect_contains(error_in_world("<body childclass='mian'/>"), "did you mean 'main'?");
  expect_contains(error_in_world("<frame childclass='x'/>"), "unknown default class 'x'");
  expect_contains(error_in_model("<default class='foo'/>"), "the outermost default class is called 'main'");
  expect_contains(error_in_model("<default><default/></default>"), "needs the attribute 'class'");
  expect_contains(error_in_model("<default><default class='a'/><default class='a'/></default>"), "already exists");
  expect_contains(error_in_model("<default><default class='main'/></default>"), "already exists");
  expect_contains(error_in_model("<default><geom/><geom/></default>"), "only one <geom>");
  expect_contains(error_in_model("<default><geom name='x'/></default>"), "unknown attribute 'name'");
  expect_contains(error_in_model("<default><geom class='x'/></default>"), "unknown attribute 'class'");
  expect_contains(error_in_model("<default><mesh file='x'/></default>"), "unknown attribute 'file'");
  expect_contains(error_in_model("<default><freejoint/></default>"), "unknown element <freejoint> in <default>");
  expect_contains(error_in_model("<default><geom><foo/></geom></default>"), "unknown element <foo> in <geom>");
}

}  // namespace
}  // namespace torsor
