// Memory of contacts and rows: it grows as needed, or the step is not taken and says how much it needs.
#include <gtest/gtest.h>

#include <unistd.h>
#include <algorithm>
#include <deque>
#include <fstream>
#include <string>

#include "tests/sim/scenes.hpp"
#include "torsor/core/error.hpp"

namespace torsor {
namespace {

// Balls that fall onto each other: more and more contacts.
Model make_heap(Integrator integrator = Integrator::kEuler, SolverType solver = SolverType::kNewton, int balls = 40) {
  std::string text = R"(<mujoco><worldbody><geom type="plane" size="1 1 1"/>)";
  for (int i = 0; i < balls; ++i)
    text += "<body pos='" + std::to_string(0.01 * (i % 3)) + " 0 " + std::to_string(0.1 + 0.21 * i) +
            "'><freejoint/><geom size='0.1'/></body>";
  Model model = load_string(text + "</worldbody></mujoco>");
  model.opt.integrator = static_cast<int>(integrator);
  model.opt.solver = static_cast<int>(solver);
  return model;
}

void press_together(Data& data) {
  for (int i = 2; i < data.qpos.size(); i += 7) data.qpos[i] *= 0.7;
}

size_t count_mappings() {
  std::ifstream maps("/proc/self/maps");
  return static_cast<size_t>(std::count(std::istreambuf_iterator<char>(maps), {}, '\n'));
}

// Bytes of address space of this process.
size_t address_space() {
  std::ifstream status("/proc/self/statm");
  size_t pages = 0;
  status >> pages;
  return pages * static_cast<size_t>(sysconf(_SC_PAGESIZE));
}

TEST(Memory, TensOfThousandsOfDatasOfASmallModelFit) {
  const Model model =
      load_string(R"(<mujoco><worldbody><body><joint/><geom size="0.1" pos="0.1 0 0"/></body></worldbody>
    </mujoco>)");
  constexpr size_t kDatas = 20'000;
  const size_t mappings = count_mappings(), bytes = address_space();
  std::deque<Data> datas;
  for (size_t i = 0; i < kDatas; ++i) {
    datas.emplace_back(model);
    ASSERT_TRUE(i % 100 != 0 || step(model, datas.back()) == Status::kOk);
  }
  EXPECT_LT(count_mappings(), mappings + 200);
  EXPECT_LT((address_space() - bytes) / kDatas, size_t{32} << 10);
}

TEST(Memory, AStepThatGrowsGivesTheSameBits) {
  for (const SolverType solver : {SolverType::kNewton, SolverType::kPgs, SolverType::kSap}) {
    const Model model = make_heap(Integrator::kEuler, solver);
    Data grows(model), has_enough(model);
    ASSERT_TRUE(has_enough.arena().ensure(size_t{64} << 20));
    ASSERT_TRUE(has_enough.results().gather(size_t{64} << 20));
    const int growths = has_enough.arena().growths() + has_enough.results().growths();
    for (Data* data : {&grows, &has_enough}) press_together(*data);
    for (int i = 0; i < 50; ++i) {
      ASSERT_EQ(step(model, grows), Status::kOk);
      ASSERT_EQ(step(model, has_enough), Status::kOk);
      ASSERT_TRUE(same_bits(state_of(model, grows), state_of(model, has_enough))) << i;
      ASSERT_EQ(grows.arena().high_water(), has_enough.arena().high_water());
      ASSERT_EQ(grows.results().high_water(), has_enough.results().high_water());
    }
    EXPECT_GT(grows.arena().growths() + grows.results().growths(), 1);
    EXPECT_EQ(has_enough.arena().growths() + has_enough.results().growths(), growths);
  }
}

TEST(Memory, RowsThatMovedAreCopiedWithTheirData) {
  const Model model = make_heap();
  Data data(model);
  press_together(data);
  forward(model, data);
  ASSERT_GE(data.ncon, 40);
  Data copy(data);
  ASSERT_EQ(copy.nefc, data.nefc);
  ASSERT_EQ(copy.efc_J.size(), data.efc_J.size());
  EXPECT_NE(copy.efc_J.data(), data.efc_J.data());
  EXPECT_TRUE(std::equal(data.efc_J.begin(), data.efc_J.end(), copy.efc_J.begin()));
  for (int c = 0; c < data.ncon; ++c) EXPECT_EQ(copy.contact[c].dist, data.contact[c].dist);
}

TEST(Memory, AStepThatNeedsMoreThanTheModelAllowsIsNotTakenAndSaysHowMuch) {
  for (const Integrator integrator : kIntegrators) {
    for (const SolverType solver : {SolverType::kNewton, SolverType::kCg, SolverType::kPgs, SolverType::kSap}) {
      if (solver == SolverType::kSap && integrator != Integrator::kEuler) continue;  // SAP makes the step itself
      Model model = make_heap(integrator, solver, 10);
      Data free(model);
      press_together(free);
      step(model, free);
      model.memory = 2048;
      Data data(model);
      press_together(data);
      const auto before = state_of(model, data);
      EXPECT_EQ(step(model, data), Status::kOutOfMemory);
      EXPECT_TRUE(same_bits(state_of(model, data), before));
      const int warned = data.warning[static_cast<int>(Warning::kContactFull)].number +
                         data.warning[static_cast<int>(Warning::kConstraintFull)].number;
      EXPECT_EQ(warned, 1);
      ASSERT_GT(data.memory_needed(), 2048u);
      model.memory = static_cast<int64_t>(data.memory_needed());
      Data enough(model);
      press_together(enough);
      EXPECT_EQ(step(model, enough), Status::kOk) << "what was said to be needed is enough";
      EXPECT_TRUE(same_bits(state_of(model, enough), state_of(model, free)));
    }
  }
}

TEST(Memory, HalvesOfAStepAreNotTakenEither) {
  Model model = make_heap();
  model.memory = 2048;
  Data data(model);
  press_together(data);
  const auto before = state_of(model, data);
  EXPECT_EQ(step1(model, data), Status::kOutOfMemory);
  EXPECT_EQ(step2(model, data), Status::kOutOfMemory);
  EXPECT_TRUE(same_bits(state_of(model, data), before));
}

// Contacts that only a middle stage of Runge-Kutta sees: balls that come near within the step.
TEST(Memory, AStageOfRungeKuttaThatDoesNotFitLeavesTheStateAsItWas) {
  for (const Integrator integrator : {Integrator::kRk4}) {
    Model model = make_heap(integrator, SolverType::kNewton, 10);
    Data free(model);
    for (int i = 2; i < free.qvel.size(); i += 6) free.qvel[i] = -20;
    for (int i = 2; i < free.qpos.size(); i += 7) free.qpos[i] += 0.015;
    const auto before = state_of(model, free);
    Data first(model);
    set_state(model, first, before.data(), kStateIntegration);
    forward(model, first);
    ASSERT_EQ(step(model, free), Status::kOk);
    ASSERT_GT(free.arena().high_water(), first.arena().high_water() + 4096) << "contacts come with a later stage";
    const size_t smooth = [&] {
      Model limited = model;
      limited.memory = 0;
      return Data(limited).arena().capacity();
    }();
    const size_t memory = std::max(first.arena().high_water() + 1024, smooth) - smooth;
    model.memory = static_cast<int64_t>(memory);
    Data data(model);
    set_state(model, data, before.data(), kStateIntegration);
    forward(model, data);
    EXPECT_EQ(step(model, data), Status::kOutOfMemory);
    EXPECT_TRUE(same_bits(state_of(model, data), before));
  }
}

TEST(Memory, ForwardAndInverseThrowWithTheNumberOfBytes) {
  Model model = make_heap();
  model.memory = 2048;
  Data data(model);
  press_together(data);
  for (const auto function : {forward, inverse}) {
    try {
      function(model, data);
      FAIL();
    } catch (const Error& error) {
      const std::string text = error.what();
      EXPECT_NE(text.find("need " + std::to_string(data.memory_needed()) + " bytes"), std::string::npos) << text;
    }
  }
  for (int i = 2; i < data.qpos.size(); i += 7) data.qpos[i] = 10 * i;  // far from each other
  forward(model, data);
  EXPECT_EQ(data.memory_needed(), 0u);
}

}  // namespace
}  // namespace torsor
