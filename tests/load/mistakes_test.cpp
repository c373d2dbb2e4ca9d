// All mistakes of a model are reported at once, whatever stage finds them, and nothing that only follows from them.
#include "tests/load/load_support.hpp"

namespace torsor {
namespace {

std::string model(const std::string& inside) { return "<mujoco>" + inside + "</mujoco>"; }
const std::string kArm = "<body name='arm'><joint name='turn'/><geom size='.1'/></body>";

TEST(Mistakes, OfReadingAssetsAndCompilingAreReportedTogether) {
  expect_errors(
      model("<option timestp='1'/><asset><mesh name='m' file='no.obj'/><mesh name='flat' vertex='0 0 0'/></asset>"
            "<worldbody><geom type='mesh' mesh='m'/><geom size='-1'/><geom type='mesh' mesh='n'/>" +
            kArm + "</worldbody><actuator><motor joint='turm'/></actuator><sensor><jointpos joint='x'/></sensor>"),
      {"timestp", "no.obj", "at least 4 vertices", "size", "unknown mesh 'n'", "unknown joint 'turm'",
       "unknown joint 'x'"});
}

TEST(Mistakes, OfEveryKindOfReferenceAreReportedTogether) {
  expect_errors(
      model("<worldbody><camera target='a' mode='targetbody'/><light target='b' mode='targetbody'/>" + kArm +
            "</worldbody><contact><exclude body1='c' body2='arm'/></contact><tendon><spatial><site site='d'/><site "
            "site='e'/></spatial></tendon><equality><weld body1='f'/></equality><custom><tuple name='t'><element "
            "objtype='body' objname='g'/></tuple></custom>"),
      {"'a'", "'b'", "'c'", "'d'", "'e'", "'f'", "'g'"});
}

TEST(Mistakes, OfOneAttributeAreNotReportedAgainAsAMissingValue) {
  expect_errors(model("<worldbody><geom size='x'/></worldbody>"), {"expects a number"});
  expect_errors(model("<worldbody><body><joint/><geom sise='1'/></body></worldbody>"), {"sise"});
  expect_errors(model("<worldbody><body><joint/><inertial pos='0 0 0' mas='1'/></body></worldbody>"),
                {"'mas'", "needs the attribute 'mass'"});
}

TEST(Mistakes, OfADefaultClassAreNotReportedForItsElements) {
  expect_errors(model("<default><geom size='x'/><default class='c'/></default><worldbody><geom/><geom class='c'/>"
                      "<geom class='d'/></worldbody>"),
                {"expects a number", "unknown default class 'd'"});
}

TEST(Mistakes, OfAnElementAreNotReportedAgainWhereItsNameIsUsed) {
  expect_errors(
      model("<worldbody><body name='a'><geomm name='g' size='1'/><bodi name='b'><joint name='j'/></bodi></body>"
            "</worldbody><contact><exclude body1='a' body2='b'/><pair geom1='g' geom2='g'/></contact>"
            "<actuator><motor joint='j'/></actuator>"),
      {"geomm", "bodi"});
  expect_errors(model("<worldbody><replicate count='2'><bodi name='elbow'/></replicate></worldbody>"
                      "<contact><exclude body1='elbow0' body2='elbow1'/></contact>"),
                {"bodi"});
}

TEST(Mistakes, OfAnElementDoNotHideThatAnotherNameIsUnknown) {
  expect_errors(model("<worldbody><geom name='g' sise='1'/></worldbody><actuator><motor joint='gripper'/></actuator>"),
                {"sise", "unknown joint 'gripper'"});
}

TEST(Mistakes, OfABodyDoNotMakeItWithoutMass) {
  expect_errors(model("<asset><mesh name='m' file='no.obj'/></asset><worldbody><body><joint/>"
                      "<geom type='mesh' mesh='m'/></body></worldbody>"),
                {"no.obj"});
}

TEST(Mistakes, AfterAMissingIncludeNothingElseIsCertain) {
  expect_errors(model("<include file='no.xml'/><worldbody><geom class='c'/><geom type='mesh' mesh='m'/></worldbody>"
                      "<actuator><motor joint='j'/></actuator>"),
                {"no.xml"});
}

TEST(Mistakes, InTheCompilerSettingsLeaveFilesAndNumbersAlone) {
  expect_errors(model("<compiler meshdirr='m'/><asset><mesh file='no.obj'/></asset>"), {"meshdirr"});
}

TEST(Mistakes, AKeyframeIsCheckedAgainstItsJointsOnlyIfAllAreKnown) {
  expect_errors(model("<worldbody><body><joint/><joinnt/><geom size='.1'/></body></worldbody>"
                      "<keyframe><key qpos='1 2'/></keyframe>"),
                {"joinnt"});
  expect_errors(model("<worldbody>" + kArm +
                      "</worldbody><actuator><motor joint='x'/></actuator>"
                      "<keyframe><key qpos='1 2' ctrl='1 2'/></keyframe>"),
                {"unknown joint 'x'", "qpos has 2 numbers"});
}

TEST(Mistakes, AreNotMoreThanAnyoneReads) {
  const std::string text = model("<worldbody><replicate count='100000'><geom size='-1'/></replicate></worldbody>");
  EXPECT_EQ(errors_of(text).size(), 51u);
}

// The target is not what an so3 actuator drives: nothing that depends on its kind may be computed.
TEST(Mistakes, OfAnActuatorStopWhatDependsOnThem) {
  const std::string so3 = "gaintype='so3' biastype='so3'/></actuator>";
  expect_errors(
      model("<worldbody><replicate count='1000'><body name='b'><geom size='.1'/></body></replicate></worldbody>"
            "<actuator><general body='b0999' " +
            so3),
      {"an so3 actuator drives a joint or a site", "its stiffness"});
  expect_errors(model("<worldbody><replicate count='1000'><body><joint name='j'/><geom size='.1'/></body></replicate>"
                      "</worldbody><tendon><fixed name='t'><joint joint='j0999' coef='1'/></fixed></tendon>"
                      "<actuator><general tendon='t' " +
                      so3),
                {"an so3 actuator drives a joint or a site", "its stiffness"});
}

}  // namespace
}  // namespace torsor
