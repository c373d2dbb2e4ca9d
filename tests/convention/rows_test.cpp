// Every row against the example worked by hand from its source, and the proof that each cell of each row matters to it.
#include <gtest/gtest.h>

#include <set>

#include "tests/convention/worked.hpp"
#include "torsor/core/error.hpp"

namespace torsor {
namespace {

TEST(Rows, EveryRowGivesTheNumbersOfItsWorkedExample) {
  for (const Convention& convention : list_conventions()) {
    EXPECT_EQ(find_difference(convention.example, convention.row), "") << convention.id;
    EXPECT_FALSE(convention.source.empty()) << convention.id;
    EXPECT_EQ(find_fault(convention.row), "") << convention.id;
  }
}

bool means_the_same(const Convention& convention, Row mutant) {
  Row row = convention.row;
  set_cells(row, convention.example.assume);
  set_cells(mutant, convention.example.assume);
  return joint_force_layout(row) == joint_force_layout(mutant);
}

TEST(Rows, ChangingAnyCellOfAnyRowBreaksItsExample) {
  int mutants = 0, same = 0;
  for (const Convention& convention : list_conventions()) {
    for (const RowField& field : row_fields()) {
      for (const std::string& word : field.words()) {
        if (word == field.get(convention.row)) continue;
        Row mutant = convention.row;
        ASSERT_TRUE(field.set(mutant, word)) << field.name << " " << word;
        if (!find_fault(mutant).empty()) continue;  // such a row is refused outright
        ++mutants;
        // where an applied wrench is written as what is dual to the twist, both words mean the same
        const bool both = std::string(field.name) == "joint_force" && means_the_same(convention, mutant);
        same += both;
        EXPECT_TRUE(both || !find_difference(convention.example, mutant).empty())
            << convention.id << " with " << field.name << " = " << word;
      }
    }
  }
  EXPECT_GT(mutants, 2000);
  EXPECT_LT(same, 40);
}

TEST(Rows, IdsAreUniqueAndCoverTheKnownSystems) {
  std::set<std::string> ids;
  for (const Convention& convention : list_conventions()) EXPECT_TRUE(ids.insert(convention.id).second);
  for (const char* id : {"mujoco",
                         "mujoco.cvel",
                         "newton",
                         "newton.joint",
                         "newton.joint.1_5",
                         "sap.public",
                         "sap.internal",
                         "isaaclab2",
                         "isaacsim",
                         "isaaclab3",
                         "isaacgym",
                         "physx",
                         "drake",
                         "modern_robotics.body",
                         "modern_robotics.spatial",
                         "pinocchio",
                         "bullet",
                         "brax",
                         "raisim",
                         "ros",
                         "scipy",
                         "usd",
                         "gltf",
                         "unity",
                         "unreal",
                         "smpl",
                         "bvh",
                         "ptera",
                         "sonic"}) {
    EXPECT_TRUE(ids.count(id)) << id;
  }
}

std::string error_of(const std::string& text) {
  try {
    find_convention(text);
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

TEST(Conventions, UnknownIdsOfferTheNearest) {
  EXPECT_NE(error_of("mujocco").find("did you mean 'mujoco'"), std::string::npos) << error_of("mujocco");
}
TEST(Conventions, AmbiguousIdsListTheChoices) {
  for (const auto& [id, choices] :
       {std::pair{"isaaclab", "isaaclab2, isaaclab3"}, {"sap", "sap.public, sap.internal"}}) {
    EXPECT_NE(error_of(id).find(std::string("ambiguous; choose one of ") + choices), std::string::npos) << error_of(id);
  }
}
TEST(Conventions, OpenCellsAreFilledInBrackets) {
  const Convention physx = find_convention("physx[axes=y-up, pose=position_first]");
  EXPECT_EQ(axes_text(physx.row.world), "x z -y");
  EXPECT_EQ(axes_text(physx.row.body), "x z -y");
  EXPECT_EQ(physx.row.pose, PoseOrder::kPositionFirst);
  EXPECT_NE(error_of("physx[axs=y-up]").find("did you mean 'axes'"), std::string::npos) << error_of("physx[axs=y-up]");
  EXPECT_NE(error_of("physx[axes=up]").find("is not a value of axes"), std::string::npos);
  EXPECT_NE(error_of("physx[axes]").find("should read cell=word"), std::string::npos);
  EXPECT_NE(error_of("physx[axes=y-up").find("closing bracket"), std::string::npos);
  EXPECT_NE(error_of("mujoco[world=unity]").find("left-handed"), std::string::npos) << error_of("mujoco[world=unity]");
}
TEST(Conventions, OpenCellsThatAConversionNeedsAreRefusedByName) {
  const BodyConversion conversion(find_convention("physx"), find_convention("mujoco"));
  double pose[7] = {0, 0, 0, 0, 0, 0, 1}, out[7];
  try {
    conversion.poses(pose, out, 1);
    FAIL() << "PhysX does not say its axes";
  } catch (const Error& error) {
    EXPECT_NE(
        std::string(error.what()).find("the physx convention does not specify what a pose needs: world, body, pose"),
        std::string::npos)
        << error.what();
  }
}

TEST(Conventions, UsersAddTheirOwnFromJson) {
  const auto ids = add_conventions_from_json(
      R"([{"id": "test.lab", "from": "newton", "quat": "wxyz", "twist.point": "origin", "source": "a wiki"}])");
  ASSERT_EQ(ids, std::vector<std::string>{"test.lab"});
  const Convention lab = find_convention("test.lab");
  EXPECT_EQ(lab.row.quat, QuatOrder::kWxyz);
  EXPECT_EQ(lab.row.twist.point, Point::kOrigin);
  EXPECT_EQ(lab.row.twist.linear, Frame::kWorld);
  const auto sentences = describe_differences(find_convention("newton"), lab);
  ASSERT_EQ(sentences.size(), 2u);
  EXPECT_NE(sentences[0].find("xyzw in newton, wxyz in test.lab"), std::string::npos) << sentences[0];
  const auto again = add_conventions_from_json([&] {
    std::string text = to_json(lab);
    return text.replace(text.find("test.lab"), 8, "test.two");
  }());
  EXPECT_EQ(find_convention(again[0]).row, lab.row) << "a row survives being written and read";
}
TEST(Conventions, BadJsonAddsNothing) {
  const size_t before = list_conventions().size();
  for (const char* text :
       {"{", "3", R"({"id": "mujoco"})", R"({"id": "no good"})", R"({"id": "test.x", "quat": "zyxw"})",
        R"([{"id": "test.y"}, {"id": "test.y"}])", R"({"id": "test.z", "quad": "wxyz"})",
        R"({"id": "test.h", "world": "unity", "body": "z-up"})", R"({"id": "test.q", "quat": [1]})"}) {
    EXPECT_THROW(add_conventions_from_json(text), Error) << text;
  }
  EXPECT_EQ(list_conventions().size(), before);
}

}  // namespace
}  // namespace torsor
