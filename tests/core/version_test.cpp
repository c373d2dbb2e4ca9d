#include "torsor/core/version.hpp"

#include <gtest/gtest.h>

namespace torsor {
namespace {

TEST(Version, OfTheHeadersAndOfTheLibraryIsThatOfTheProject) {
  EXPECT_STREQ(version(), TORSOR_PROJECT_VERSION);
  EXPECT_STREQ(kHeaderVersion, TORSOR_PROJECT_VERSION);
}

}  // namespace
}  // namespace torsor
