// The document: places in files, includes, malformed and hostile text.
#include "mjcf_support.hpp"

namespace torsor {
namespace {

const char* const kGeomFile = "<mujoco><worldbody><geom size='1'/></worldbody></mujoco>";

TEST(MjcfPlaces, AreFileLineAndColumnOfTheAttribute) {
  const auto errors = errors_of(
      "<mujoco>\n  <worldbody>\n    <geom name='ball'\n          masss='1' size='1'/>\n  </worldbody>\n</mujoco>");
  ASSERT_EQ(errors.size(), 1u);
  EXPECT_EQ(errors[0].where.line, 4);
  EXPECT_EQ(errors[0].where.column, 11);
  EXPECT_EQ(errors[0].message, "unknown attribute 'masss' of geom");
  EXPECT_EQ(errors[0].hint, "did you mean 'mass'?");
}

TEST(MjcfPlaces, AreNotConfusedByTheSameNameInsideAValue) {
  const auto errors =
      errors_of("<mujoco model='pos=\"x\" and pos'><worldbody><body name=\"pos='1'\" pos = '1'/></worldbody></mujoco>");
  EXPECT_EQ(errors.at(0).where.column, 65);
}

TEST(MjcfPlaces, OfElementsAreTheirBracket) {
  const auto errors = errors_of("<mujoco>\n\t<!-- <geom/> -->\n  <worldbdy/></mujoco>");
  EXPECT_EQ(errors.at(0).where.line, 3);
  EXPECT_EQ(errors.at(0).where.column, 3);
  EXPECT_EQ(to_string(errors.at(0)),
            "line 3:3: error: unknown element <worldbdy> in <mujoco> (did you mean 'worldbody'?)");
}

TEST(MjcfPlaces, AreKeptInTheSpec) {
  const Spec spec = read_mjcf_string("<mujoco>\n<worldbody>\n <body>\n  <geom size='1'/></body></worldbody></mujoco>");
  EXPECT_EQ(spec.bodies[1].location.line, 3);
  EXPECT_EQ(spec.bodies[1].geoms[0].location.line, 4);
  EXPECT_EQ(spec.bodies[1].geoms[0].location.column, 3);
}

TEST(MjcfErrors, SeveralAreReportedAtOnce) {
  const auto errors =
      errors_in_model("<worldbody><geom sizee='1'/><body pos='1'/><foo/></worldbody><option timestep='x'/>");
  EXPECT_EQ(errors.size(), 4u);
}

TEST(MjcfErrors, StopAtAReadableNumber) {
  std::string world;
  for (int i = 0; i < 1000; ++i) world += "<geom foo='1'/>";
  const auto errors = errors_in_model("<worldbody>" + world + "</worldbody>");
  EXPECT_EQ(errors.size(), 51u);
  expect_contains(errors.back().message, "stopped after 50 errors");
}

TEST(MjcfErrors, QuoteOnlyALittleOfLongText) {
  EXPECT_LT(error_in_world("<geom size='1' margin='" + std::string(100'000, 'x') + "'/>").size(), 600u);
  EXPECT_LT(error_in_world("<geom type='" + std::string(100'000, 'x') + "'/>").size(), 600u);
  EXPECT_LT(error_in_world("<" + std::string(100'000, 'x') + "/>").size(), 600u);
}

TEST(MjcfErrors, ShowOnlyUtf8) { expect_contains(error_in_world("<geom type='a\xFF\x01z'/>"), "got 'a??z'"); }

TEST(MjcfXml, MalformedTextIsAnErrorWithAPlace) {
  for (const char* text :
       {"", "  \n", "hello", "<mujoco>", "<mujoco><worldbody></mujoco>", "<mujoco", "<mujoco model=1/>",
        "<mujoco model='a' <b/>", "<mujoco/><mujoco/>", "<", "<!DOCTYPE", "<mujoco><!-- </mujoco>"}) {
    const auto errors = errors_of(text);
    EXPECT_EQ(errors.size(), 1u) << text;
    EXPECT_GE(errors.at(0).where.line, 1) << text;
  }
  EXPECT_EQ(errors_of("<mujoco>\n<worldbody>\n</mujoco>").at(0).where.line, 3);
}

TEST(MjcfXml, ZeroBytesAndOtherEncodingsAreErrors) {
  expect_contains(to_string(errors_of(std::string("<mujoco>\0</mujoco>", 18)).at(0)), "zero byte");
  expect_contains(to_string(errors_of(std::string("<\0m\0/\0>\0", 8)).at(0)), "zero byte");
}

TEST(MjcfXml, AByteOrderMarkADeclarationAndCommentsAreSkipped) {
  const Spec spec =
      read_mjcf_string("\xEF\xBB\xBF<?xml version='1.0'?><!-- a --><mujoco model='m'><!-- b --></mujoco>");
  EXPECT_EQ(spec.modelname, "m");
}

TEST(MjcfXml, EntitiesOfADocumentTypeAreNotExpanded) {
  const Spec spec = read_mjcf_string("<!DOCTYPE m [<!ENTITY a 'lol'><!ENTITY b '&a;&a;&a;&a;'>]><mujoco model='&b;'/>");
  EXPECT_EQ(spec.modelname, "&b;");
}

TEST(MjcfXml, AnAttributeGivenTwiceIsAnError) {
  expect_contains(error_in_world("<geom size='1' size='2'/>"), "'size' of geom is given twice");
}

TEST(MjcfXml, TextBetweenElementsIsAWarning) {
  const Spec spec = read_model("<worldbody>x<geom size='1'/>y</worldbody>");
  ASSERT_EQ(spec.warnings.size(), 1u);
  expect_contains(to_string(spec.warnings[0]), "text inside <worldbody> is ignored");
}

TEST(MjcfXml, TheRootIsMujoco) {
  expect_contains(to_string(errors_of("<sdf/>").at(0)),
                  "the root element of a model is <mujoco>, or <robot> in URDF, got <sdf>");
  expect_contains(to_string(errors_of("<mujocoinclude/>").at(0)), "meant to be included");
}

TEST(MjcfXml, DeepNestingIsAnErrorNotAnOverflow) {
  std::string deep, shallow;
  for (int i = 0; i < 200'000; ++i) deep += "<body>";
  for (int i = 0; i < 200'000; ++i) deep += "</body>";
  expect_contains(error_in_world(deep), "nested deeper than 500");
  for (int i = 0; i < 490; ++i) shallow += "<body>";
  for (int i = 0; i < 490; ++i) shallow += "</body>";
  EXPECT_EQ(read_world(shallow).bodies.size(), 491u);
}

TEST(MjcfXml, OneLongLineIsReadInLinearTime) {
  std::string world;
  for (int i = 0; i < 100'000; ++i) world += "<geom size='1'/>";
  EXPECT_EQ(read_world(world).bodies[0].geoms.size(), 100'000u);
}

TEST(MjcfInclude, TheRootOfAnIncludedFileIsOnlyAWrapper) {
  const auto options = with_files({{"a.xml", "<anything foo='1'><geom size='1'/><geom size='2'/></anything>"}});
  const Spec spec = read_mjcf_string(
      "<mujoco><worldbody><geom size='0.5'/><include file='a.xml'/><geom size='3'/></worldbody></mujoco>", options);
  const auto& geoms = spec.bodies[0].geoms;
  ASSERT_EQ(geoms.size(), 4u);
  EXPECT_EQ(geoms[1].size[0], 1);
  EXPECT_EQ(geoms[3].size[0], 3);
  EXPECT_EQ(geoms[1].location.file, "a.xml");
}

TEST(MjcfInclude, ErrorsNameTheIncludedFile) {
  const auto options = with_files({{"a.xml", "<mujoco>\n<worldbody>\n<geom sizee='1'/></worldbody></mujoco>"}});
  const auto errors = errors_of("<mujoco><include file='a.xml'/></mujoco>", options);
  EXPECT_EQ(to_string(errors.at(0)), "a.xml:3:7: error: unknown attribute 'sizee' of geom (did you mean 'size'?)");
}

TEST(MjcfInclude, MalformedIncludedFilesAreNamedToo) {
  const auto options = with_files({{"a.xml", "<mujoco>\n<worldbody>"}, {"b.xml", ""}});
  const auto errors = errors_of("<mujoco><include file='a.xml'/><include file='b.xml'/></mujoco>", options);
  ASSERT_EQ(errors.size(), 2u);
  EXPECT_EQ(errors[0].where.file, "a.xml");
  EXPECT_EQ(errors[1].where.file, "b.xml");
}

TEST(MjcfInclude, RecursionIsAnError) {
  const auto itself = with_files({{"a.xml", "<mujoco><include file='a.xml'/></mujoco>"}});
  expect_contains(to_string(errors_of("<mujoco><include file='a.xml'/></mujoco>", itself).at(0)), "included twice");
  const auto circle =
      with_files({{"a.xml", "<m><include file='b.xml'/></m>"}, {"b.xml", "<m><include file='./a.xml'/></m>"}});
  expect_contains(to_string(errors_of("<mujoco><include file='a.xml'/></mujoco>", circle).at(0)), "b.xml:1:13");
  EXPECT_THROW(read_mjcf_file("main.xml", with_files({{"main.xml", "<mujoco><include file='main.xml'/></mujoco>"}})),
               Error);
}

TEST(MjcfInclude, AFileIsIncludedOnlyOnce) {
  const auto options = with_files({{"a.xml", kGeomFile}});
  const auto errors = errors_of("<mujoco><include file='a.xml'/>\n<include file='a.xml'/></mujoco>", options);
  ASSERT_EQ(errors.size(), 1u);
  EXPECT_EQ(errors[0].where.line, 2);
}

TEST(MjcfInclude, WhatCannotBeIncludedIsAnError) {
  const auto options = with_files({{"empty.xml", "<mujoco/>"}, {"a.xml", kGeomFile}});
  const auto error = [&](const std::string& include) {
    return to_string(errors_of("<mujoco>" + include + "</mujoco>", options).at(0));
  };
  expect_contains(error("<include file='nowhere.xml'/>"),
                  "line 1:18: error: cannot open 'nowhere.xml': it may not be read from disk");
  expect_contains(error("<include/>"), "needs the attribute 'file'");
  expect_contains(error("<include file=''/>"), "needs the attribute 'file'");
  expect_contains(error("<include file='empty.xml'/>"), "nothing to include");
  expect_contains(error("<include file='a.xml'><geom/></include>"), "cannot have children");
  expect_contains(error("<include file='a.xml' prefix='x'/>"), "only attribute");
}

TEST(MjcfInclude, PathsAreRelativeToTheMainFileThenToTheIncludingFile) {
  const std::string main = "<mujoco><include file='sub/a.xml'/></mujoco>";
  const std::string one = kGeomFile, two = "<m><worldbody><geom size='1'/><geom size='1'/></worldbody></m>";
  const auto count = [&](FileSystem files) {
    files["dir/main.xml"] = main;
    files["dir/sub/a.xml"] = "<m><include file='b.xml'/></m>";
    return read_mjcf_file("dir/main.xml", with_files(std::move(files))).bodies[0].geoms.size();
  };
  EXPECT_EQ(count({{"dir/b.xml", one}, {"dir/sub/b.xml", two}}), 1u);
  EXPECT_EQ(count({{"dir/sub/b.xml", two}}), 2u);
}

TEST(MjcfInclude, FilesInMemoryAreFoundByBaseName) {
  const auto options = with_files({{"A.xml", kGeomFile}});
  EXPECT_EQ(read_mjcf_string("<mujoco><include file='some/dir/a.xml'/></mujoco>", options).bodies[0].geoms.size(), 1u);
  const auto twice = with_files({{"x/a.xml", kGeomFile}, {"y/a.xml", kGeomFile}});
  EXPECT_THROW(read_mjcf_string("<mujoco><include file='a.xml'/></mujoco>", twice), Error);
}

}  // namespace
}  // namespace torsor
