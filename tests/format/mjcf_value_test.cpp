// Numbers, keywords and names in attributes.
#include <limits>

#include "mjcf_support.hpp"

namespace torsor {
namespace {

double read_margin(const std::string& text) {
  return read_world("<geom size='1' margin='" + text + "'/>").bodies[0].geoms[0].margin;
}

std::string margin_error(const std::string& text) { return error_in_world("<geom size='1' margin='" + text + "'/>"); }

TEST(MjcfNumbers, AreWrittenAsPeopleWriteThem) {
  EXPECT_EQ(read_margin("1"), 1);
  EXPECT_EQ(read_margin("+1"), 1);
  EXPECT_EQ(read_margin("-.5"), -0.5);
  EXPECT_EQ(read_margin("1."), 1);
  EXPECT_EQ(read_margin("1e5"), 1e5);
  EXPECT_EQ(read_margin("+.5E-1"), 0.05);
  EXPECT_EQ(read_margin("\t 1\n"), 1);
  EXPECT_EQ(read_margin("0.1"), 0.1);
  EXPECT_EQ(read_margin("4.9406564584124654e-300"), 4.9406564584124654e-300);
}

TEST(MjcfNumbers, GarbageIsAnErrorThatQuotesIt) {
  for (const char* text : {"1,2", "1f", "1d5", "--1", "1;", "1e", "e1", "+ 1", "+-1", "1_0", "0x10", "abc"}) {
    expect_contains(margin_error(text), "'margin' of geom expects a number, got '");
  }
  expect_contains(margin_error("1,2"), "got '1,2'");
  expect_contains(error_in_world("<geom size='1 garbage'/>"), "got 'garbage'");
}

TEST(MjcfNumbers, BeyondTheRangeOfDoublesAreErrors) {
  for (const char* text : {"1e400", "-1e400", "1e-400"}) expect_contains(margin_error(text), "out of range");
}

TEST(MjcfNumbers, NanIsRefusedEverywhere) {
  expect_contains(margin_error("nan"), "must be finite");
  expect_contains(margin_error("NaN"), "must be finite");
  expect_contains(error_in_world("<geom size='1' user='1 nan'/>"), "must be finite");
  expect_contains(error_in_model("<keyframe><key qpos='nan'/></keyframe>"), "must be finite");
  expect_contains(error_in_model("<asset><mesh name='m' vertex='0 0 nan'/></asset>"), "must be finite");
  expect_contains(error_in_model("<option gravity='0 0 nan'/>"), "must be finite");
}

TEST(MjcfNumbers, InfinityIsAllowedOnlyWhereItMeansSomething) {
  const Spec spec = read_world("<body><joint range='-inf inf'/></body>");
  EXPECT_EQ(spec.bodies[1].joints[0].range[1], std::numeric_limits<double>::infinity());
  expect_contains(margin_error("inf"), "must be finite");
  expect_contains(error_in_world("<body pos='0 0 inf'/>"), "must be finite");
}

TEST(MjcfNumbers, IntegersHaveNoFraction) {
  EXPECT_EQ(read_world("<geom size='1' contype=' 5 '/>").bodies[0].geoms[0].contype, 5);
  EXPECT_EQ(read_world("<geom size='1' contype='+5'/>").bodies[0].geoms[0].contype, 5);
  for (const char* text : {"1.5", "1.0", "1e1", "0x10", "nan", "a"}) {
    expect_contains(error_in_world("<geom size='1' contype='" + std::string(text) + "'/>"), "expects an integer");
  }
  expect_contains(error_in_world("<geom size='1' contype='2147483648'/>"), "out of range");
}

TEST(MjcfNumbers, ArraysWantTheirExactCount) {
  expect_contains(error_in_world("<geom size='1' pos='1 2'/>"), "'pos' of geom takes 3 numbers, got 2");
  expect_contains(error_in_world("<geom size='1' pos='1 2 3 4'/>"), "'pos' of geom takes 3 numbers, got 4");
  expect_contains(error_in_world("<geom size='1 2 3 4'/>"), "'size' of geom takes 1 to 3 numbers, got 4");
  expect_contains(error_in_world("<geom size='1' margin='1 2'/>"), "takes one number, got 2");
}

TEST(MjcfNumbers, ABlankAttributeCountsAsNotGiven) {
  const Spec spec = read_model(
      "<default><geom user='1 2' margin='3'/></default><worldbody><geom size='' user='' margin=' ' "
      "pos=''/></worldbody>");
  const GeomSpec& geom = spec.bodies[0].geoms[0];
  EXPECT_EQ(geom.user, (std::vector<double>{1, 2}));
  EXPECT_EQ(geom.margin, 3);
  EXPECT_EQ(geom.pos, (Number3{0, 0, 0}));
}

TEST(MjcfNumbers, ShorterArraysKeepTheDefaultsOfTheRest) {
  const Spec spec = read_model(
      "<default><geom size='1 2 3' friction='4 5 6' solimp='.1 .2 .3 .4 .5'/><joint stiffness='1 2 3'/></default>"
      "<worldbody><body><geom size='5 6' friction='7' solimp='.6 .7'/><joint stiffness='9' damping='8 "
      "7'/></body></worldbody>");
  const BodySpec& body = spec.bodies[1];
  EXPECT_EQ(body.geoms[0].size, (Number3{5, 6, 3}));
  EXPECT_EQ(body.geoms[0].friction, (Number3{7, 5, 6}));
  EXPECT_EQ(body.geoms[0].solimp, (Number5{.6, .7, .3, .4, .5}));
  EXPECT_EQ(body.joints[0].stiffness, (Number3{9, 2, 3}));
  EXPECT_EQ(body.joints[0].damping, (Number3{8, 7, 0}));
}

TEST(MjcfNumbers, FloatsAreRoundedOnceFromTheText) {
  const Float4 rgba = read_world("<geom size='1' rgba='.1 .3 .7 1'/>").bodies[0].geoms[0].rgba;
  EXPECT_EQ(rgba, (Float4{.1f, .3f, .7f, 1}));
  expect_contains(error_in_world("<geom size='1' rgba='1e39 1 1 1'/>"), "out of range");
}

TEST(MjcfKeywords, AreExactAndTheErrorListsThem) {
  expect_contains(error_in_model("<compiler autolimits='True'/>"),
                  "'autolimits' of compiler is one of false, true, got 'True' (did you mean 'true'?)");
  for (const char* text : {" true", "true ", "1", "yes", ""}) {
    expect_contains(error_in_model("<compiler autolimits='" + std::string(text) + "'/>"), "is one of false, true");
  }
  expect_contains(error_in_world("<geom type='spere'/>"), "did you mean 'sphere'?");
}

TEST(MjcfText, KeepsEntitiesAndSpacesButMustBeUtf8) {
  const Spec spec = read_model("<custom><text name=' a ' data='&lt;&amp;&#65;&#x42;\n\tb  c'/></custom>");
  EXPECT_EQ(spec.texts[0].name, " a ");
  EXPECT_EQ(spec.texts[0].data, "<&AB\n\tb  c");
  EXPECT_EQ(read_world("<body name='Kn\xC3\xB6\x63hel'/>").bodies[1].name, "Kn\xC3\xB6\x63hel");
  for (const char* bad : {"\xFF", "\xC3", "\xC0\xAF", "\xED\xA0\x80", "\xF4\x90\x80\x80", "a\x80"}) {
    expect_contains(error_in_world("<body name='" + std::string(bad) + "'/>"), "is not UTF-8 text");
  }
}

}  // namespace
}  // namespace torsor
