// Property tests themselves: the cases of a run are fixed, and a law that checks none of them fails.
#include "tests/support/property.hpp"

#include <gtest/gtest-spi.h>

#include <cstdlib>

namespace torsor {
namespace {

// Sets a variable of the environment until the end of a test; nullptr unsets it.
class Variable {
 public:
  Variable(const char* name, const char* value) : name_(name) {
    if (const char* before = std::getenv(name)) before_ = before, was_set_ = true;
    set(value);
  }
  ~Variable() { set(was_set_ ? before_.c_str() : nullptr); }

 private:
  void set(const char* value) { value ? setenv(name_, value, 1) : unsetenv(name_); }

  const char* name_;
  std::string before_;
  bool was_set_ = false;
};

double first_number() {
  double found = 0;
  for_all(1, [&](Random& random) { found = random.uniform(0, 1); });
  return found;
}

TEST(Property, ALawThatScreensOutEveryCaseFails) {
  const Variable none("TORSOR_TEST_SEED", nullptr);
  EXPECT_NONFATAL_FAILURE(for_all(7, [](Random& random) { return random.screen(); }), "none of the 7 cases");
}

TEST(Property, ALawThatChecksOneCasePasses) {
  const Variable none("TORSOR_TEST_SEED", nullptr);
  int judged = 0;
  for_all(7, [&](Random& random) {
    if (judged > 0) return random.screen();
    ++judged;
  });
  EXPECT_EQ(judged, 1);
}

TEST(Property, CasesAreTheSameInEveryRunUnlessASeedAsksForOthers) {
  const Variable none("TORSOR_TEST_SEED", nullptr);
  const Variable usual("TORSOR_SEED", nullptr);
  const double number = first_number();
  EXPECT_EQ(number, Random(1).uniform(0, 1));
  const Variable other("TORSOR_SEED", "20");
  EXPECT_EQ(first_number(), Random(20).uniform(0, 1));
  EXPECT_NE(first_number(), number);
}

TEST(Property, ASeedOfOneCaseRunsThatCaseAlone) {
  const Variable only("TORSOR_TEST_SEED", "5");
  int cases = 0;
  for_all(1000, [&](Random& random) {
    ++cases;
    EXPECT_EQ(random.uniform(0, 1), Random(5).uniform(0, 1));
  });
  EXPECT_EQ(cases, 1);
}

}  // namespace
}  // namespace torsor
