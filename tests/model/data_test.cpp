// A Data owns its arrays and its arena: deep copies, copies in place, reset and keyframes.
#include "torsor/model/data.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <utility>

#include "tests/model/hand_made_model.hpp"

namespace torsor {
namespace {

// Every array, number and counter gets a value of its own.
void fill(Data& data, double start = 1) {
  double value = start;
  data.for_each_field([&](const FieldInfo&, Field<double>& field) {
    for (double& number : field) number = value += 0.25;
  });
  data.time = value += 1;
  data.energy[0] = value += 1;
  data.energy[1] = value += 1;
  for (WarningCount& count : data.warning) count = {3, 4};
  for (TimerCount& timer : data.timer) timer = {0.5, 6};
  data.timers_on = true;
  data.has_energy_position = data.has_energy_velocity = data.has_subtree_velocity = data.has_rne_post = true;
}

// The name of the first field that differs, "" when all are equal.
std::string difference(Data& a, Data& b) {
  std::string name;
  std::vector<Field<double>> fields;
  b.for_each_field([&](const FieldInfo&, Field<double>& field) { fields.push_back(field); });
  size_t index = 0;
  a.for_each_field([&](const FieldInfo& info, Field<double>& field) {
    const Field<double>& other = fields[index++];
    for (int i = 0; name.empty() && i < field.size(); ++i) {
      if (field[i] != other[i]) name = info.name;
    }
  });
  if (!name.empty()) return name;
  if (a.time != b.time) return "time";
  if (a.energy[0] != b.energy[0] || a.energy[1] != b.energy[1]) return "energy";
  if (a.warning[2].number != b.warning[2].number || a.warning[2].lastinfo != b.warning[2].lastinfo) return "warning";
  if (a.timer[2].duration != b.timer[2].duration || a.timer[2].number != b.timer[2].number) return "timer";
  if (a.timers_on != b.timers_on) return "timers_on";
  if (a.has_energy_position != b.has_energy_position || a.has_energy_velocity != b.has_energy_velocity ||
      a.has_subtree_velocity != b.has_subtree_velocity || a.has_rne_post != b.has_rne_post)
    return "has";
  return "";
}

TEST(Data, StartsInTheReferencePose) {
  const Model model = make_model_by_hand();
  const Data data(model);
  EXPECT_EQ(data.time, 0);
  for (int i = 0; i < model.nq; ++i) EXPECT_EQ(data.qpos[i], model.qpos0[i]);
  for (const double velocity : data.qvel) EXPECT_EQ(velocity, 0);
  for (int k = 0; k < 3; ++k) EXPECT_EQ(data.mocap_pos[k], model.body_pos[3 * 2 + k]);
  for (int k = 0; k < 4; ++k) EXPECT_EQ(data.mocap_quat[k], model.body_quat[4 * 2 + k]);
  EXPECT_EQ(data.signature(), model.signature);
}

TEST(Data, ArraysHaveTheLengthsOfTheModelAndDoNotOverlap) {
  const Model model = make_model_by_hand();
  Data data(model);
  EXPECT_EQ(data.xpos.size(), 9);
  EXPECT_EQ(data.qvel.size(), 3);
  EXPECT_EQ(data.M.size(), 6);
  EXPECT_EQ(data.geom_xpos.size(), 0);
  uintptr_t free_from = 0;
  data.for_each_field([&](const FieldInfo& info, Field<double>& field) {
    if (field.size() == 0) return;
    EXPECT_GE(reinterpret_cast<uintptr_t>(field.begin()), free_from) << info.name;
    free_from = reinterpret_cast<uintptr_t>(field.end());
  });
}

TEST(Data, ACopyIsEqualAndSharesNoArray) {
  const Model model = make_model_by_hand();
  Data original(model);
  fill(original);
  Data copy(original);
  EXPECT_EQ(difference(original, copy), "");
  EXPECT_EQ(copy.signature(), original.signature());
  fill(copy, 1000);
  Data expected(model);
  fill(expected);
  EXPECT_EQ(difference(original, expected), "");
}

TEST(Data, ACopyHasAnArenaOfItsOwn) {
  Data original(make_model_by_hand());
  auto* scratch = original.arena().push_array<double>(1);
  *scratch = 42;
  Data copy(original);
  EXPECT_EQ(copy.arena().used(), 0u) << "scratch is not part of a copy";
  EXPECT_EQ(copy.arena().capacity(), original.arena().capacity());
  EXPECT_NE(copy.arena().push_array<double>(1), scratch);
  EXPECT_EQ(*scratch, 42);
}

TEST(Data, ACopyDoesNotTakeTheControlCallbackAlong) {
  Data original(make_model_by_hand());
  original.control = [](const Model&, Data&) {};
  EXPECT_FALSE(Data(original).control);
}

TEST(Data, AssigningADataOfTheSameModelKeepsViewsValid) {
  const Model model = make_model_by_hand();
  Data source(model), target(model);
  fill(source);
  const double* qpos = target.qpos.data();
  target = source;
  EXPECT_EQ(target.qpos.data(), qpos);
  EXPECT_EQ(difference(source, target), "");
  target = *&target;
  EXPECT_EQ(difference(source, target), "");
}

TEST(Data, AssigningADataOfAnotherModelTakesItsSizes) {
  Model other = make_model_by_hand();
  ModelSizes sizes;
  sizes.nq = 9;
  Data source(other), target{Model(sizes)};
  fill(source);
  target = source;
  EXPECT_EQ(target.nq, 4);
  EXPECT_EQ(target.signature(), source.signature());
  EXPECT_EQ(difference(source, target), "");
}

TEST(Data, MovingKeepsTheArraysWhereTheyAre) {
  Data data(make_model_by_hand());
  const double* qpos = data.qpos.data();
  Data moved(std::move(data));
  EXPECT_EQ(moved.qpos.data(), qpos);
}

TEST(Reset, ClearsEverythingThatAStepLeavesBehind) {
  const Model model = make_model_by_hand();
  Data data(model), fresh(model);
  fill(data);
  data.timers_on = false;  // a setting, not a result
  reset(model, data);
  EXPECT_EQ(difference(data, fresh), "");
  for (const WarningCount& count : data.warning) EXPECT_EQ(count.number, 0);
}

TEST(ResetToKey, LoadsTheWholeRowOfTheKeyframe) {
  const Model model = make_model_by_hand();
  Data data(model);
  fill(data);
  reset_to_key(model, data, 1);
  EXPECT_EQ(data.time, model.key_time[1]);
  for (int i = 0; i < model.nq; ++i) EXPECT_EQ(data.qpos[i], model.key_qpos[model.nq + i]);
  for (int i = 0; i < model.nv; ++i) EXPECT_EQ(data.qvel[i], model.key_qvel[model.nv + i]);
  for (int k = 0; k < 3; ++k) EXPECT_EQ(data.mocap_pos[k], model.key_mpos[3 + k]);
  for (int k = 0; k < 4; ++k) EXPECT_EQ(data.mocap_quat[k], model.key_mquat[4 + k]);
  for (const double force : data.qfrc_applied) EXPECT_EQ(force, 0);
}

TEST(ResetToKey, AKeyframeThatDoesNotExistIsAnErrorThatChangesNothing) {
  const Model model = make_model_by_hand();
  Data data(model), before(model);
  fill(data);
  fill(before);
  EXPECT_THROW(reset_to_key(model, data, 2), Error);
  EXPECT_THROW(reset_to_key(model, data, -1), Error);
  EXPECT_EQ(difference(data, before), "");
}

TEST(Memory, WhatTheModelAsksForLimitsTheArena) {
  Model model = make_model_by_hand();
  EXPECT_EQ(Data(model).results().capacity(), Arena::kUnlimited);
  model.memory = 1 << 20;
  Data data(model);
  EXPECT_EQ(data.results().capacity(), size_t{1} << 20);
  EXPECT_GT(data.arena().capacity(), size_t{1} << 20) << "smooth dynamics always fit";
  EXPECT_LT(data.arena().capacity(), size_t{2} << 20);
}

TEST(Memory, MoreThanTheMachineHasIsAnError) {
  Model model = make_model_by_hand();
  model.memory = int64_t{10} << 40;
  try {
    Data data(model);
    FAIL();
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find("10995116277760 bytes of memory"), std::string::npos) << error.what();
  }
}

TEST(Memory, ASmallDataReservesNothingOfItsOwn) {
  Data data(make_model_by_hand());
  EXPECT_EQ(data.arena().growths() + data.results().growths(), 0);
  EXPECT_LT(data.arena().reserved() + data.results().reserved(), size_t{64} << 10);
}

}  // namespace
}  // namespace torsor
