// A Model owns its arrays: placing, deep copies, comparison and names.
#include "torsor/model/model.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <cstring>
#include <limits>
#include <string>
#include <utility>

#include "tests/model/hand_made_model.hpp"

namespace torsor {
namespace {

TEST(Model, ANewOneHasArraysOfItsSizesAllZero) {
  ModelSizes sizes;
  sizes.nbody = 5;
  sizes.nq = 7;
  const Model model(sizes);
  EXPECT_EQ(model.body_pos.size(), 15);
  EXPECT_EQ(model.qpos0.size(), 7);
  EXPECT_EQ(model.jnt_type.size(), 0);
  model.for_each_field([](const FieldInfo& info, const auto& field) {
    for (int i = 0; i < field.size(); ++i) ASSERT_EQ(field[i], 0) << info.name << "[" << i << "]";
  });
}

TEST(Model, FieldsDoNotOverlap) {
  Model model = make_model_by_hand();
  uintptr_t free_from = 0;
  model.for_each_field([&](const FieldInfo& info, const auto& field) {
    if (field.size() == 0) return;
    const auto begin = reinterpret_cast<uintptr_t>(field.data());
    EXPECT_GE(begin, free_from) << info.name;
    EXPECT_EQ(begin % alignof(decltype(field[0])), 0u) << info.name;
    free_from = reinterpret_cast<uintptr_t>(field.end());
  });
}

TEST(Model, AnEmptyModelIsValid) {
  const Model model;
  EXPECT_EQ(model.nbody, 0);
  EXPECT_EQ(model.bytes(), 0u);
  EXPECT_EQ(model.name(), "");
  EXPECT_EQ(model.find(ObjectType::kBody, "arm"), -1);
}

TEST(Model, ACopyIsEqualAndSharesNoArray) {
  Model original = make_model_by_hand();
  original.opt.timestep = 0.123;
  original.stat.extent = 7;
  original.vis.global.fovy = 33;
  original.memory = 4096;
  original.warnings.push_back({Severity::kWarning, {"a.xml", 1, 2}, "left out", ""});
  Model copy(original);
  EXPECT_EQ(find_difference(original, copy), "");
  EXPECT_EQ(copy.stat.extent, 7);
  EXPECT_EQ(copy.vis.global.fovy, 33);
  EXPECT_EQ(copy.memory, 4096);
  EXPECT_EQ(copy.signature, original.signature);
  EXPECT_EQ(copy.warnings.size(), 1u);
  EXPECT_EQ(copy.find(ObjectType::kBody, "arm"), 1);
  copy.for_each_field([&](const FieldInfo&, auto& field) {
    if (field.size() > 0) std::memset(field.data(), 0x55, sizeof(field[0]) * static_cast<size_t>(field.size()));
  });
  original.opt = Option();
  EXPECT_EQ(find_difference(original, make_model_by_hand()), "") << "writing to the copy must not reach the original";
}

TEST(Model, AssigningReplacesTheArrays) {
  Model model(ModelSizes{});
  const Model other = make_model_by_hand();
  model = other;
  EXPECT_EQ(find_difference(model, other), "");
  EXPECT_NE(model.qpos0.data(), other.qpos0.data());
  model = *&model;
  EXPECT_EQ(find_difference(model, other), "");
}

TEST(Model, MovingKeepsTheArraysWhereTheyAre) {
  Model model = make_model_by_hand();
  const double* qpos0 = model.qpos0.data();
  const Model moved(std::move(model));
  EXPECT_EQ(moved.qpos0.data(), qpos0);
  EXPECT_EQ(find_difference(moved, make_model_by_hand()), "");
}

TEST(FindDifference, NamesTheSizeThatDiffers) {
  ModelSizes a, b;
  a.nsite = 2;
  b.nsite = 3;
  EXPECT_EQ(find_difference(Model(a), Model(b)), "nsite: 2 3");
}

TEST(FindDifference, NamesTheElementThatDiffersInEveryField) {
  const Model original = make_model_by_hand();
  Model changed(original);
  changed.for_each_field([&](const FieldInfo& info, auto& field) {
    if (field.size() == 0) return;
    const int i = field.size() - 1;
    const auto before = field[i];
    field[i] = static_cast<std::remove_reference_t<decltype(field[i])>>(before == 0 ? 1 : 0);
    EXPECT_EQ(find_difference(original, changed).rfind(std::string(info.name) + "[" + std::to_string(i) + "]: ", 0), 0u)
        << info.name << ": " << find_difference(original, changed);
    field[i] = before;
  });
  EXPECT_EQ(find_difference(original, changed), "");
}

TEST(FindDifference, SeesOptions) {
  Model a = make_model_by_hand(), b = a;
  b.opt.gravity[2] = -1;
  EXPECT_EQ(find_difference(a, b), "opt.gravity[2]: -9.81 -1");
  b.opt.gravity[2] = a.opt.gravity[2];
  b.opt.iterations = 5;
  EXPECT_EQ(find_difference(a, b), "opt.iterations: 100 5");
}

TEST(FindDifference, TakesEqualNansAsEqualAndZerosOfOtherSignAsDifferent) {
  Model a = make_model_by_hand();
  a.qpos0[0] = std::numeric_limits<double>::quiet_NaN();
  a.qpos0[1] = 0.0;
  Model b(a);
  EXPECT_EQ(find_difference(a, b), "");
  b.qpos0[1] = -0.0;
  EXPECT_EQ(find_difference(a, b).rfind("qpos0[1]", 0), 0u);
}

TEST(Names, AreFoundByTypeAndId) {
  const Model model = make_model_by_hand();
  EXPECT_EQ(model.name(), "by hand");
  EXPECT_EQ(model.name(ObjectType::kBody, 1), "arm");
  EXPECT_EQ(model.name(ObjectType::kXBody, 1), "arm");
  EXPECT_EQ(model.name(ObjectType::kBody, 2), "");
  EXPECT_EQ(model.name(ObjectType::kJoint, 0), "shoulder");
  EXPECT_EQ(model.find(ObjectType::kBody, "world"), 0);
  EXPECT_EQ(model.find(ObjectType::kXBody, "arm"), 1);
  EXPECT_EQ(model.find(ObjectType::kJoint, "shoulder"), 0);
  EXPECT_EQ(model.find(ObjectType::kKey, "end"), 1);
}

TEST(Names, UnknownOnesAndIdsOutOfRangeAreNotFound) {
  const Model model = make_model_by_hand();
  EXPECT_EQ(model.find(ObjectType::kBody, "shoulder"), -1) << "a joint's name is not a body's";
  EXPECT_EQ(model.find(ObjectType::kBody, ""), -1) << "objects without a name have none in common";
  EXPECT_EQ(model.find(ObjectType::kTendon, "arm"), -1);
  EXPECT_EQ(model.name(ObjectType::kBody, -1), "");
  EXPECT_EQ(model.name(ObjectType::kBody, 3), "");
  EXPECT_EQ(model.name(ObjectType::kTendon, 0), "");
}

TEST(Names, CountTellsHowManyThereAreOfAType) {
  const Model model = make_model_by_hand();
  EXPECT_EQ(model.count(ObjectType::kBody), 3);
  EXPECT_EQ(model.count(ObjectType::kJoint), 1);
  EXPECT_EQ(model.count(ObjectType::kDof), 3);
  EXPECT_EQ(model.count(ObjectType::kGeom), 0);
  EXPECT_EQ(model.count(ObjectType::kUnknown), -1);
}

}  // namespace
}  // namespace torsor
