// Worlds that touch: a batch computes what one world computes, whatever the number of threads.
#include <cmath>
#include <cstring>
#include <string>
#include <vector>

#include "tests/batch/worlds.hpp"

namespace torsor {
namespace {

constexpr int kWorlds = 5, kSteps = 300;

std::vector<double> positions_after(const Model& model, int threads) {
  Batch batch(model, kWorlds);
  std::vector<double> qvel(static_cast<size_t>(kWorlds * model.nv));
  for (int world = 0; world < kWorlds; ++world) qvel[static_cast<size_t>(world * model.nv)] = 0.1 * world;
  batch.set("qvel", qvel.data());
  batch.step(kSteps, threads);
  std::vector<double> qpos(static_cast<size_t>(kWorlds * model.nq));
  batch.get("qpos", qpos.data());
  return qpos;
}

// Over one step each, because scenes of many contacts are chaotic. Returns the number of rows.
int compare_with_one_world(const std::string& name, Model model, int steps) {
  model.opt.tolerance = 0;  // until rounding is all that is left
  Batch batch(model, kWorlds);
  std::vector<Data> worlds(kWorlds, Data(model));
  for (int world = 0; world < kWorlds; ++world) worlds[static_cast<size_t>(world)].qvel[0] = world % 2 ? -world : world;
  int rows = 0;
  for (int k = 0; k < steps; ++k) {
    for (const char* field : {"qpos", "qvel", "qacc_warmstart"}) batch.set(field, gather(worlds, field).data());
    batch.step(1);
    for (Data& world : worlds) step(model, world);
    for (const char* field : {"qpos", "qvel"})
      EXPECT_LT(difference(get(batch, field), gather(worlds, field)), 1e-9) << name << ": " << field << ", step " << k;
    if (testing::Test::HasFailure()) return rows;
    for (const Data& world : worlds) rows += world.nefc;
  }
  return rows;
}

TEST(BatchContact, WorldsTouchAsOneWorldDoes) {
  for (const char* name : {"pile", "domino_run", "newtons_cradle"}) {
    const Model model = load(std::string(TORSOR_SOURCE_DIR "/models/scenes/") + name + ".xml");
    EXPECT_GT(compare_with_one_world(name, model, kSteps), 100) << name;
  }
}

// Points on an ellipsoid, each at a height of its own.
std::string make_globe(int corners, double x, double y, double z) {
  std::string vertices;
  for (int i = 0; i < corners; ++i) {
    const double height = 1 - (2 * i + 1.0) / corners, across = std::sqrt(1 - height * height), angle = 2.4 * i;
    for (const double at : {x * across * std::cos(angle), y * across * std::sin(angle), z * height})
      vertices += std::to_string(0.1 * at) + " ";
  }
  return vertices;
}

// Different meshes, with few corners and with many: each lane must collide its own. Until they rest, where corners and
// faces are equally deep: which of them are contacts must not depend on rounding.
TEST(BatchContact, HullsTouchAsInOneWorld) {
  std::string assets, bodies;
  for (int i = 0; i < 5; ++i) {
    const std::string name = "m" + std::to_string(i);
    assets += "<mesh name='" + name + "' vertex='" + make_globe(9 + 60 * i, 1, 1 + 0.1 * i, 0.6) + "'/>";
    bodies += "<body pos='" + std::to_string(0.03 * i) + " 0 " + std::to_string(0.1 + 0.13 * i) + "' euler='20 " +
              std::to_string(30 * i) + " 0'><freejoint/><geom type='mesh' mesh='" + name + "'/></body>";
  }
  const Model model = load_string("<mujoco><asset>" + assets + "</asset><worldbody><geom type='plane' size='1 1 1'/>" +
                                  bodies + "</worldbody></mujoco>");
  EXPECT_GT(compare_with_one_world("globes", model, kSteps), 1000);
}

// Points with height fields are found lane by lane, more of them than other pairs can have; rows are written in lanes.
TEST(BatchContact, ShapesRollOverHillsAsInOneWorld) {
  std::string elevation;
  for (int k = 0; k < 900; ++k)
    elevation += std::to_string(1 + std::sin(0.9 * (k / 30) + 0.3) * std::cos(0.7 * (k % 30))) + " ";
  const char* const geoms[] = {"size='.1'", "type='capsule' size='.08 .1'", "type='box' size='.2 .15 .1'"};
  std::string bodies;
  for (int i = 0; i < 3; ++i)
    bodies += "<body pos='" + std::to_string(0.5 * i - 0.5) + " 0.02 0.3' euler='20 10 0'><freejoint/><geom " +
              geoms[i] + "/></body>";
  const Model model = load_string(
      "<mujoco><default><geom solref='0.05 1'/></default><asset><hfield name='h' nrow='30' ncol='30' size='1 1 .1 .1' "
      "elevation='" +
      elevation + "'/></asset><worldbody><geom type='hfield' hfield='h'/>" + bodies + "</worldbody></mujoco>");
  const Batch batch(model, 1);
  for (const BatchPlanRow& row : batch.plan()) {
    EXPECT_TRUE(row.is_wide || row.stage == "contacts and rows") << row.stage << ": " << row.why;
  }
  EXPECT_GT(compare_with_one_world("hills", model, 120), 1000);
}

// Shapes that pass each other, some of which touch: lanes keep directions along which pairs were apart.
Model load_crowd() {
  std::string bodies;
  const char* const geoms[] = {"type='mesh' mesh='m'", "type='box' size='.05 .03 .04'", "type='capsule' size='.02 .06'",
                               "type='cylinder' size='.04 .03'", "type='ellipsoid' size='.03 .04 .06'"};
  for (int i = 0; i < 10; ++i)
    bodies += "<body pos='" + std::to_string(0.11 * (i % 3)) + " " + std::to_string(0.12 * (i / 3 % 2)) + " " +
              std::to_string(0.1 + 0.1 * (i / 6)) + "' euler='" + std::to_string(37 * i) + " 20 0'><freejoint/><geom " +
              geoms[i % 5] + "/></body>";
  return load_string("<mujoco><asset><mesh name='m' vertex='" + make_globe(60, 0.5, 0.4, 0.3) +
                     "'/></asset><worldbody><geom type='plane' size='1 1 1'/>" + bodies + "</worldbody></mujoco>");
}

template <class S>
void compare_with_new_batches(const Model& model) {
  constexpr int kFew = 60;
  const auto throw_about = [&](BasicBatch<S>& batch) {
    Random random(5);
    for (int i = 0; i < kWorlds * model.nv; ++i) batch.bind("qvel")[i] = S(random.uniform(-2, 2));
  };
  BasicBatch<S> keeps(model, kWorlds);
  auto knows_nothing = std::make_unique<BasicBatch<S>>(model, kWorlds);
  throw_about(keeps), throw_about(*knows_nothing);
  for (int k = 0; k < kFew; ++k) {
    keeps.step(1);
    knows_nothing->step(1);
    auto next = std::make_unique<BasicBatch<S>>(model, kWorlds);
    for (const char* field : {"qpos", "qvel", "qacc_warmstart", "time"}) {
      const int n = kWorlds * keeps.field_size(field);
      const S *a = keeps.bind(field), *b = knows_nothing->bind(field);
      ASSERT_EQ(std::memcmp(a, b, sizeof(S) * static_cast<size_t>(n)), 0) << field << ", step " << k;
      std::copy_n(b, n, next->bind(field));
    }
    knows_nothing = std::move(next);
  }
}

TEST(BatchContact, WhatLanesKeepOfPairsThatAreApartChangesNoBit) {
  const Model model = load_crowd();
  compare_with_new_batches<double>(model);
  compare_with_new_batches<float>(model);
}

// A regular prism.
std::string make_prism(int sides, double radius, double half) {
  std::string vertices;
  for (int i = 0; i < 2 * sides; ++i) {
    const double angle = 2 * M_PI * (i / 2) / sides;
    for (const double at : {radius * std::cos(angle), radius * std::sin(angle), i % 2 ? half : -half})
      vertices += std::to_string(at) + " ";
  }
  return vertices;
}

// Flat sides on flat sides: four of up to eight equally deep corners are kept.
TEST(BatchContact, TowersOfPrismsStandAsInOneWorld) {
  std::string bodies;
  for (int i = 0; i < 6; ++i)
    bodies += "<body pos='" + std::to_string(0.01 * i) + " 0 " + std::to_string(0.05 + 0.09 * i) + "' euler='0 0 " +
              std::to_string(13 * i) + "'><freejoint/><geom type='mesh' mesh='m" + std::to_string(i % 2) + "'/></body>";
  const Model model =
      load_string("<mujoco><asset><mesh name='m0' vertex='" + make_prism(4, 0.07, 0.05) +
                  "'/><mesh name='m1' vertex='" + make_prism(8, 0.06, 0.04) +
                  "'/></asset><worldbody><geom type='plane' size='1 1 1'/>" + bodies + "</worldbody></mujoco>");
  EXPECT_GT(compare_with_one_world("prisms", model, kSteps), 1000);
}

// Three balls in a row on the floor. In world w they touch each other, two of them touch, or none: what is one island
// in one lane is two or three in others.
Model load_row_of_balls(const char* cone, const char* solver) {
  std::string balls;
  for (int i = 0; i < 3; ++i)
    balls +=
        "<body pos='" + std::to_string(0.21 * i) +
        " 0 0.0995'><freejoint/><geom size='0.1' condim='4'/><body pos='0 0 0.2'><joint axis='0 1 0' limited='true' "
        "range='-2 -1' frictionloss='0.01'/><geom type='capsule' size='0.02 0.05' mass='0.1'/></body></body>";
  return load_string(std::string("<mujoco><option cone='") + cone + "' solver='" + solver +
                     "'/><worldbody><geom type='plane' size='2 2 1'/>" + balls + "</worldbody></mujoco>");
}

template <class S>
void place_ball_row(BasicBatch<S>& batch, int first) {
  const Model& model = batch.model();
  for (int w = 0; w < batch.nworld(); ++w) {
    S *qpos = batch.bind("qpos") + w * model.nq, *qvel = batch.bind("qvel") + w * model.nv;
    const int kind = (first + w) % 4;
    if (kind == 1 || kind == 3) qpos[0] += S(0.011);
    if (kind == 2 || kind == 3) qpos[16] -= S(0.012);
    for (int i = 0; i < model.nv; ++i) qvel[i] = S(0.1 * ((7 * i + first + w) % 5 - 2));
  }
}

template <class S>
void compare_with_lone_worlds(const Model& model, const std::string& name) {
  BasicBatch<S> together(model, kUnevenWorlds);
  place_ball_row(together, 0);
  together.step(3);
  for (int w = 0; w < kUnevenWorlds; ++w) {
    BasicBatch<S> alone(model, 1);
    place_ball_row(alone, w);
    alone.step(3);
    for (int i = 0; i < model.nv; ++i)
      ASSERT_EQ(alone.bind("qvel")[i], together.bind("qvel")[w * model.nv + i]) << name << ", world " << w << ", " << i;
  }
}

TEST(BatchContact, BitsOfAnIslandDoNotDependOnThoseOfOtherLanes) {
  for (const char* cone : {"pyramidal", "elliptic"}) {
    for (const char* solver : {"Newton", "CG", "PGS"}) {
      const Model model = load_row_of_balls(cone, solver);
      compare_with_lone_worlds<double>(model, std::string(cone) + " " + solver);
      compare_with_lone_worlds<float>(model, std::string(cone) + " " + solver + ", float");
      // sweeps that have not converged are compared in solvers_test.cpp
      if (solver == std::string("PGS")) continue;
      EXPECT_GT(compare_with_one_world(solver, model, 30), 100) << cone;
    }
  }
}

TEST(BatchContact, ResultsDoNotDependOnTheNumberOfThreads) {
  for (const char* name : {"pile", "domino_run", "newtons_cradle"}) {
    const Model model = load(std::string(TORSOR_SOURCE_DIR "/models/scenes/") + name + ".xml");
    const std::vector<double> expected = positions_after(model, 1);
    for (const int threads : {2, 3}) EXPECT_EQ(positions_after(model, threads), expected) << name;
  }
}

}  // namespace
}  // namespace torsor
