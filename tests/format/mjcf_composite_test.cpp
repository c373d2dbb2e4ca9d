// Cables as bodies of the Spec, and settings of attached models.
#include "mjcf_support.hpp"

namespace torsor {
namespace {

std::string cable(const std::string& attributes, const std::string& inside = "<geom type='capsule' size='.01'/>") {
  return "<composite type='cable' " + attributes + ">" + inside + "</composite>";
}

TEST(MjcfComposite, ACableIsAChainOfBodiesBehindEachOther) {
  const Spec spec = read_world("<body name='a'>" + cable("prefix='p' curve='s' count='4' offset='1 2 3'") +
                               "<geom name='own' size='1'/></body><body name='b'/>");
  ASSERT_EQ(spec.bodies.size(), 6u);
  const char* names[] = {"world", "a", "pB_first", "pB_1", "pB_last", "b"};
  const int parents[] = {-1, 0, 1, 2, 3, 0};
  for (std::size_t b = 0; b < 6; ++b) {
    EXPECT_EQ(spec.bodies[b].name, names[b]);
    EXPECT_EQ(spec.bodies[b].parent, parents[b]);
  }
  EXPECT_EQ(spec.bodies[2].pos, (Number3{1, 2, 3}));
  EXPECT_EQ(spec.bodies[1].geoms.at(0).name, "own");
  EXPECT_EQ(spec.bodies[3].joints.at(0).name, "pJ_1");
  EXPECT_EQ(spec.bodies[3].joints.at(0).type, JointType::kBall);
  EXPECT_EQ(spec.bodies[4].geoms.at(0).name, "pG2");
  ASSERT_EQ(spec.excludes.size(), 2u);
  EXPECT_EQ(spec.excludes[1].body1, "pB_1");
  EXPECT_EQ(spec.excludes[1].body2, "pB_last");
  EXPECT_EQ(spec.texts.at(0).name, "composite_p");
}

TEST(MjcfComposite, SitesMarkTheEnds) {
  const Spec spec = read_world(cable("vertex='0 0 0 1 0 0 1 2 0 1 2 3'"));
  EXPECT_EQ(spec.bodies[1].sites.at(0).name, "S_first");
  EXPECT_EQ(spec.bodies[1].sites.at(0).pos, (Number3{0, 0, 0}));
  EXPECT_TRUE(spec.bodies[2].sites.empty());
  EXPECT_EQ(spec.bodies[3].sites.at(0).name, "S_last");
  EXPECT_EQ(spec.bodies[3].sites.at(0).pos, (Number3{3, 0, 0}));
}

TEST(MjcfComposite, WhatHasNoEffectIsWarnedOf) {
  const auto warning_of = [](const std::string& text) {
    const Spec spec = read_world(text);
    return spec.warnings.size() == 1 ? spec.warnings[0].message : "";
  };
  EXPECT_EQ(warning_of(cable("curve='s' count='4'")), "");
  expect_contains(warning_of(cable("curve='s' count='4' quat='1 1 0 0'")), "quat");
  expect_contains(warning_of(cable("vertex='0 0 0 1 0 0' quat='0 1 0 0'")), "quat");
  expect_contains(warning_of(cable("vertex='0 0 0 1 0 0' curve='s'")), "curve");
  expect_contains(warning_of(cable("curve='s' count='4'", "<geom type='box' size='1 1 1'/>")), "skin");
  expect_contains(
      warning_of(cable("curve='s' count='4'", "<geom type='capsule' size='1'/><joint kind='main' limited='false'/>")),
      "limited");
}

TEST(MjcfComposite, SkinsAndPluginsAreLeftOutOnRequest) {
  const std::string inside = "<geom type='capsule' size='.01'/><skin/><plugin/>";
  const std::string text = "<worldbody>" + cable("curve='s' count='4'", inside) + "</worldbody>";
  EXPECT_EQ(errors_in_model(text).size(), 2u);
  EXPECT_EQ(read_model(text, {"deformable", "extension"}).bodies.size(), 4u);
}

// The model around it, with the settings of both, and a part attached.
Spec attach(const std::string& policy, const std::string& own, const std::string& theirs) {
  const std::string part = "<mujoco model='p'>" + theirs + "<worldbody><body name='b'/></worldbody></mujoco>";
  return read_mjcf_string("<mujoco><compiler conflict='" + policy + "'/>" + own +
                              "<asset><model file='p.xml'/></asset><worldbody><attach model='p' body='b' prefix='x'/>"
                              "</worldbody></mujoco>",
                          with_files({{"p.xml", part}}));
}

TEST(MjcfAttach, TheModelsOwnSettingsCountUnlessTheyMerge) {
  const std::string own = "<option timestep='.003'/>", theirs = "<option timestep='.001' density='2'/>";
  const Spec kept = attach("warning", own, theirs), merged = attach("merge", own, theirs);
  EXPECT_EQ(kept.option.timestep, .003);
  EXPECT_EQ(kept.option.density, 0);
  EXPECT_EQ(merged.option.timestep, .001);
  EXPECT_EQ(merged.option.density, 2);
  for (const Spec* spec : {&kept, &merged}) {
    ASSERT_EQ(spec->warnings.size(), 1u);
    expect_contains(spec->warnings[0].message, "timestep (0.003 here, 0.001 there");
    expect_contains(spec->warnings[0].message, "density (0 here, 2 there");
  }
}

TEST(MjcfAttach, SettingsThatOnlyTheModelItselfGivesAreNoConflict) {
  const std::string own = "<option timestep='.003'><flag contact='disable'/></option><size nuserdata='3'/>";
  for (const char* policy : {"warning", "merge", "error"}) {
    const Spec spec = attach(policy, own, "");
    EXPECT_TRUE(spec.warnings.empty());
    EXPECT_EQ(spec.option.timestep, .003);
    EXPECT_EQ(spec.size.nuserdata, 3);
  }
}

}  // namespace
}  // namespace torsor
