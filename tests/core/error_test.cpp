// Diagnostics: how they read, how they are collected and thrown, and the nearest-name hint.
#include "torsor/core/error.hpp"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace torsor {
namespace {

TEST(Diagnostic, ReadsAsFileLineColumnKindMessageHint) {
  const Diagnostic diagnostic{
      Severity::kError, {"robot.xml", 12, 7}, "unknown attribute 'masss'", "did you mean 'mass'?"};
  EXPECT_EQ(to_string(diagnostic), "robot.xml:12:7: error: unknown attribute 'masss' (did you mean 'mass'?)");
}

TEST(Diagnostic, SaysThatAWarningIsOne) {
  EXPECT_EQ(to_string({Severity::kWarning, {"a.xml", 3, 1}, "left out", ""}), "a.xml:3:1: warning: left out");
}

TEST(Diagnostic, LeavesOutWhatIsNotKnownOfThePlace) {
  EXPECT_EQ(to_string({Severity::kError, {"a.xml", 3, 0}, "m", ""}), "a.xml:3: error: m");
  EXPECT_EQ(to_string({Severity::kError, {"a.xml", 0, 0}, "m", ""}), "a.xml: error: m");
  EXPECT_EQ(to_string({Severity::kError, {"", 3, 4}, "m", ""}), "line 3:4: error: m");
  EXPECT_EQ(to_string({Severity::kError, {}, "m", "h"}), "m (h)");
}

TEST(Error, IsUtf8WhateverItQuotes) {
  EXPECT_STREQ(Error("a\xFFz\n\xC3\xA9").what(), "a?z\n\xC3\xA9");
  Diagnostics diagnostics;
  diagnostics.error({"\xFE.xml", 1, 1}, "m\xC3", "\x80");
  EXPECT_EQ(to_string(diagnostics.all()[0]), "?.xml:1:1: error: m? (?)");
}

TEST(Diagnostics, WithoutErrorsNothingIsThrown) {
  Diagnostics diagnostics;
  diagnostics.warning({"a.xml", 1, 1}, "only a warning");
  EXPECT_FALSE(diagnostics.has_errors());
  EXPECT_NO_THROW(diagnostics.throw_if_errors());
  ASSERT_EQ(diagnostics.warnings().size(), 1u);
  EXPECT_EQ(diagnostics.warnings()[0].message, "only a warning");
}

TEST(Diagnostics, OneThrowHoldsAllErrorsInOrderAndNoWarning) {
  Diagnostics diagnostics;
  diagnostics.error({"a.xml", 1, 1}, "first");
  diagnostics.warning({"a.xml", 2, 1}, "between");
  diagnostics.error({"b.xml", 9, 2}, "second", "a hint");
  EXPECT_EQ(diagnostics.error_count(), 2);
  EXPECT_EQ(diagnostics.all().size(), 3u);
  try {
    diagnostics.throw_if_errors();
    FAIL() << "nothing was thrown";
  } catch (const Error& error) {
    EXPECT_STREQ(error.what(), "a.xml:1:1: error: first\nb.xml:9:2: error: second (a hint)");
    ASSERT_EQ(error.diagnostics().size(), 2u);
    EXPECT_EQ(error.diagnostics()[1].where.file, "b.xml");
    EXPECT_EQ(error.diagnostics()[1].hint, "a hint");
  }
}

TEST(Error, APlainMessageIsOneDiagnosticWithoutAPlace) {
  const Error error("no such thing");
  EXPECT_STREQ(error.what(), "no such thing");
  ASSERT_EQ(error.diagnostics().size(), 1u);
  EXPECT_EQ(to_string(error.diagnostics()[0]), "no such thing");
}

const std::vector<std::string> kNames = {"mass", "margin", "material", "name", "pos", "quat"};

TEST(FindNearest, FindsTheNameWithTheFewestEdits) {
  EXPECT_EQ(find_nearest("masss", kNames), "mass");  // one letter too many
  EXPECT_EQ(find_nearest("mas", kNames), "mass");    // one too few
  EXPECT_EQ(find_nearest("qaut", kNames), "quat");   // two swapped
  EXPECT_EQ(find_nearest("marterial", kNames), "material");
  EXPECT_EQ(find_nearest("name", kNames), "name");
}

TEST(FindNearest, IsSilentWhenNothingIsNear) {
  EXPECT_EQ(find_nearest("stiffness", kNames), "");
  EXPECT_EQ(find_nearest("mass", {}), "");
}

TEST(FindNearest, AShortWordIsNotNearToAnyOtherShortWord) {
  EXPECT_EQ(find_nearest("foo", {"ros", "bvh", "usd"}), "");
  EXPECT_EQ(find_nearest("ab", {"cd", "xb", "a", "b"}), "");
  EXPECT_EQ(find_nearest("a", {"b", "c", "ab"}), "");
  EXPECT_EQ(find_nearest("rso", {"usd", "ros"}), "ros");  // one swap is one edit
  EXPECT_EQ(find_nearest("cgg", {"pgs", "cg", "sap"}), "cg");
}

TEST(FindNearest, ALongWordMayHaveMoreEdits) {
  EXPECT_EQ(find_nearest("implictfsat", {"euler", "implicit", "implicitfast"}), "implicitfast");
  EXPECT_EQ(find_nearest("knee_joint", {"hip_joint", "toe_joint", "ankle_joint"}), "");
}

TEST(FindNearest, CaseDoesNotMatter) {
  EXPECT_EQ(find_nearest("NEWTN", {"cg", "newton"}), "newton");
  EXPECT_EQ(find_nearest("left_kne", {"LEFT_KNEE", "RIGHT_KNEE"}), "LEFT_KNEE");
}

TEST(FindNearest, TakesTheFirstOfEquallyNearNames) { EXPECT_EQ(find_nearest("ab", {"abc", "abd"}), "abc"); }

}  // namespace
}  // namespace torsor
