// Pairs whose points a device finds one by one, on this machine's processor: against batches in lanes.
#include <fmt/format.h>

#include "tests/gpu/device_worlds.hpp"
#include "torsor/batch/row_plan.hpp"
#include "torsor/gpu/narrow_plan.hpp"

namespace torsor::gpu {
namespace {

// What stands still, and what falls on it or is stuck in it.
struct Scene {
  const char* below;
  const char* above;
  NarrowKind kind;
};

constexpr const char* kCapsule = R"(type="capsule" size="0.1 0.2")";
constexpr const char* kBox = R"(type="box" size="0.2 0.15 0.1")";
constexpr const char* kCylinder = R"(type="cylinder" size="0.15 0.1")";
constexpr const char* kEllipsoid = R"(type="ellipsoid" size="0.2 0.15 0.1")";
constexpr const char* kSphere = R"(type="sphere" size="0.1")";
constexpr const char* kHull = R"(type="mesh" mesh="stone")";
constexpr const char* kField = R"(type="hfield" hfield="hills")";
constexpr const char* kPlane = R"(type="plane" size="2 2 0.1")";

constexpr Scene kScenes[] = {
    {kBox, kCapsule, NarrowKind::kCapsuleBox},    {kBox, kBox, NarrowKind::kBoxBox},
    {kPlane, kHull, NarrowKind::kPlaneMesh},      {kBox, kHull, NarrowKind::kConvex},
    {kHull, kHull, NarrowKind::kConvex},          {kHull, kCapsule, NarrowKind::kConvex},
    {kHull, kSphere, NarrowKind::kConvex},        {kBox, kCylinder, NarrowKind::kConvex},
    {kCylinder, kCylinder, NarrowKind::kConvex},  {kEllipsoid, kEllipsoid, NarrowKind::kConvex},
    {kEllipsoid, kCylinder, NarrowKind::kConvex}, {kEllipsoid, kHull, NarrowKind::kConvex},
    {kEllipsoid, kSphere, NarrowKind::kConvex},   {kEllipsoid, kCapsule, NarrowKind::kConvex},
    {kEllipsoid, kBox, NarrowKind::kConvex},      {kField, kSphere, NarrowKind::kField},
    {kField, kCapsule, NarrowKind::kField},       {kField, kEllipsoid, NarrowKind::kField},
    {kField, kCylinder, NarrowKind::kField},      {kField, kBox, NarrowKind::kField},
    {kField, kHull, NarrowKind::kField},
};

// Corners on a sphere whose axes differ: with more than 24 of them, their hull has lists by cells of directions.
std::string stone(int corners) {
  std::string vertices;
  for (int i = 0; i < corners; ++i) {
    const double z = 1 - (2 * i + 1.0) / corners, r = std::sqrt(1 - z * z), angle = 2.39996 * i;
    vertices += fmt::format("{} {} {}  ", 0.2 * r * std::cos(angle), 0.16 * r * std::sin(angle), 0.12 * z);
  }
  return vertices;
}

// A height field of so many rows and columns, 1.2 m wide.
std::string hills(int cells) {
  std::string elevation;
  for (int row = 0; row < cells; ++row)
    for (int column = 0; column < cells; ++column)
      elevation += fmt::format("{} ", 1 + std::sin(1.7 * row + 0.3) * std::cos(2.3 * column));
  return fmt::format(R"(<hfield name="hills" nrow="{0}" ncol="{0}" size="0.6 0.6 0.08 0.1" elevation="{1}"/>)", cells,
                     elevation);
}

Model make_model(const Scene& scene, int corners, int count, int cells = 12) {
  std::string bodies;
  for (int k = 0; k < count; ++k)
    bodies +=
        fmt::format(R"(<body pos="{} {} 0.1"><freejoint/><geom {}/></body>)", 0.02 + 0.01 * k, 0.01 * k, scene.above);
  const std::string text = fmt::format(
      R"(<mujoco><asset><mesh name="stone" vertex="{}"/>{}</asset><worldbody><geom {}/>{}</worldbody></mujoco>)",
      stone(corners), hills(cells), scene.below, bodies);
  return load_string(text);
}

int contacts_of_kind(const Model& model, const Data& world, NarrowKind kind) {
  int found = 0;
  const RowPlan plan(model);
  for (int c = 0; c < world.ncon; ++c)
    for (const PairPlan& pair : plan.pairs)
      found += pair.pair.geom1 == world.contact[static_cast<size_t>(c)].geom[0] &&
               pair.pair.geom2 == world.contact[static_cast<size_t>(c)].geom[1] && narrow_kind(pair.function) == kind;
  return found;
}

// The largest difference of the state over some steps, each from equal states.
double compare(const Model& model, DeviceBatch& device, int steps) {
  Batch lanes(model, kUnevenWorlds);
  make_worlds(model, lanes);
  for (const char* field : {"time", "qpos", "qvel", "qfrc_applied", "xfrc_applied"})
    device.set(field, get(lanes, field).data());
  double worst = 0;
  for (int k = 0; k < steps; ++k) {
    lanes.step();
    device.step(1, nullptr);
    for (const char* field : {"qpos", "qvel"}) {
      std::vector<double> values(static_cast<size_t>(kUnevenWorlds * device.field_size(field)));
      device.get(field, values.data());
      const std::vector<double> expected = get(lanes, field);
      worst = worse(worst, difference(values, expected));
      device.set(field, expected.data());
    }
  }
  return worst;
}

// The same beside height fields, where the search for the depth in a prism often has several answers: flat sides that
// are parallel, or a rim. Then rounding decides, on the processor too. Worlds are compared where the batch in lanes
// gives the same from poses that differ by rounding. Returns their differences, ascending.
std::vector<double> compare_steady(const Model& model, DeviceBatch& device, int steps) {
  Batch lanes(model, kUnevenWorlds), twin(model, kUnevenWorlds);
  make_worlds(model, lanes);
  make_worlds(model, twin);
  for (const char* field : {"time", "qpos", "qvel", "qfrc_applied", "xfrc_applied"})
    device.set(field, get(lanes, field).data());
  Random random(5);
  const auto nv = static_cast<size_t>(model.nv);
  const auto apart = [&](const std::vector<double>& a, const std::vector<double>& b, int w) {
    double worst = 0;
    for (size_t i = nv * static_cast<size_t>(w); i < nv * static_cast<size_t>(w + 1); ++i)
      worst = worse(worst, std::abs(a[i] - b[i]) / (1 + std::abs(b[i])));
    return worst;
  };
  const bool is_double = device.number() == Number::kDouble;
  const double rounding = is_double ? 4e-16 : 5e-7, steady = is_double ? 1e-11 : 3e-5;
  std::vector<double> differences;
  for (int k = 0; k < steps; ++k) {
    const std::vector<double> qpos = get(lanes, "qpos"), qvel = get(lanes, "qvel"),
                              warmstart = get(lanes, "qacc_warmstart");
    lanes.step();
    device.step(1, nullptr);
    const std::vector<double> expected = get(lanes, "qvel"), found = get_numbers(device, "qvel");
    std::vector<double> spread(kUnevenWorlds, 0.0);
    for (int sample = 0; sample < 8; ++sample) {
      std::vector<double> rounded = qpos;
      for (double& q : rounded) q *= 1 + rounding * random.uniform(-1, 1);
      twin.set("qpos", rounded.data()), twin.set("qvel", qvel.data()), twin.set("qacc_warmstart", warmstart.data());
      twin.step();
      for (int w = 0; w < kUnevenWorlds; ++w)
        spread[static_cast<size_t>(w)] = worse(spread[static_cast<size_t>(w)], apart(get(twin, "qvel"), expected, w));
    }
    for (int w = 0; w < kUnevenWorlds; ++w) {
      if (spread[static_cast<size_t>(w)] > steady) continue;
      differences.push_back(apart(found, expected, w));
    }
    for (const char* field : {"qpos", "qvel", "qacc_warmstart"}) device.set(field, get(lanes, field).data());
  }
  std::sort(differences.begin(), differences.end());
  return differences;
}

// Kernels on this machine's processor have the rounding of lanes. That of a card is another, and deep overlaps of
// hulls, and of cylinders with boxes, have several answers between which it decides.
double compare_here(const Model& model, DeviceBatch& device, int steps) {
  if (!kOnCard) return compare(model, device, steps);
  const std::vector<double> differences = compare_steady(model, device, steps);
  EXPECT_GE(differences.size(), 50u) << "of " << steps * kUnevenWorlds;
  return differences.empty() ? 0 : differences.back();
}

TEST(NarrowPhaseOnDevice, EqualsLanesForAllPairsOfShapes) {
  for (const int corners : {12, 60}) {
    for (const Scene& scene : kScenes) {
      const Model model = make_model(scene, corners, 1);
      SCOPED_TRACE(fmt::format("{} / {}, {} corners", scene.below, scene.above, corners));
      ASSERT_TRUE(list_what_device_lacks(model).empty());
      Data world(model);
      forward(model, world);
      EXPECT_GT(contacts_of_kind(model, world, scene.kind), 0);
      const auto device = DeviceBatch::make(model, kUnevenWorlds, Number::kDouble, kTested);
      if (scene.kind != NarrowKind::kField) {
        EXPECT_LE(compare_here(model, *device, 20), 1e-9);
        continue;
      }
      const std::vector<double> differences = compare_steady(model, *device, 20);
      ASSERT_GE(differences.size(), scene.above == kCylinder ? 50u : 180u) << "of 220";
      EXPECT_LE(differences.back(), 1e-9);
    }
  }
}

// A robot that stands on hulls and has other shapes for shins and arms: several kinds at once, with closed forms among
// them, so that points of both have to be merged.
TEST(NarrowPhaseOnDevice, EqualsLanesForARobotOfManyKinds) {
  std::string legs;
  for (const int side : {-1, 1})
    legs += fmt::format(R"(<body pos="0 {0} -0.2"><joint axis="0 1 0" range="-1 1" limited="true"/>
        <geom type="capsule" size="0.06" fromto="0 0 0 0 0 -0.3"/><body pos="0 0 -0.35"><joint axis="0 1 0"/>
        <geom {1} pos="0.05 0 0"/><geom type="box" size="0.05 0.04 0.03" pos="-0.1 0 -0.09"/></body></body>)",
                        0.13 * side, kHull);
  const Model model = load_string(fmt::format(
      R"(<mujoco><asset><mesh name="stone" vertex="{}"/></asset><worldbody><geom {}/><geom {} pos="0.2 0 0"/>
         <body pos="0 0 0.66"><freejoint/><geom type="cylinder" size="0.15 0.1"/><geom type="sphere" size="0.1" pos="0 0 0.2"/>
         {}</body></worldbody></mujoco>)",
      stone(60), kPlane, kBox, legs));
  ASSERT_TRUE(list_what_device_lacks(model).empty());
  Data world(model);
  forward(model, world);
  EXPECT_GT(contacts_of_kind(model, world, NarrowKind::kPlaneMesh), 0);
  EXPECT_GT(contacts_of_kind(model, world, NarrowKind::kConvex), 0);
  EXPECT_GT(world.ncon, contacts_of_kind(model, world, NarrowKind::kPlaneMesh) +
                            contacts_of_kind(model, world, NarrowKind::kConvex));
  const auto device = DeviceBatch::make(model, kUnevenWorlds, Number::kDouble, kTested);
  EXPECT_LE(compare_here(model, *device, 40), 1e-9);
}

// Prisms by the hundred, of which no more give points than on the processor.
TEST(NarrowPhaseOnDevice, AFineFieldGivesAsManyPointsAsOnTheProcessor) {
  Model model = make_model({kField, kBox, NarrowKind::kField}, 12, 1, 60);
  model.opt.tolerance = 0;
  Data world(model);
  forward(model, world);
  ASSERT_EQ(contacts_of_kind(model, world, NarrowKind::kField), kMaxFieldPoints);
  const auto device = DeviceBatch::make(model, kUnevenWorlds, Number::kDouble, kTested);
  const std::vector<double> differences = compare_steady(model, *device, 3);
  ASSERT_GE(differences.size(), 25u) << "of 33";
  EXPECT_LE(differences.back(), 1e-9);
  EXPECT_GE(device->contact_capacity(), kMaxFieldPoints);
}

// Feet of several shapes on rough ground.
TEST(NarrowPhaseOnDevice, ARobotWalksOnAFieldAsInLanes) {
  std::string legs;
  const char* const feet[] = {kSphere, kCapsule, kBox, kHull};
  for (int k = 0; k < 4; ++k)
    legs += fmt::format(R"(<body pos="{} {} -0.15"><joint axis="0 1 0" damping="0.5"/><geom {} contype="2"/></body>)",
                        k < 2 ? 0.3 : -0.3, k % 2 ? 0.3 : -0.3, feet[k]);
  const Model model = load_string(fmt::format(
      R"(<mujoco><option tolerance="0" iterations="300"/><default><geom solref="0.1 1"/></default><asset><mesh name="stone" vertex="{}"/>{}</asset><worldbody><geom {} conaffinity="3"/>
         <body pos="0 0 0.42"><freejoint/><geom size="0.1"/>{}</body></worldbody></mujoco>)",
      stone(60), hills(24), kField, legs));
  Data world(model);
  forward(model, world);
  ASSERT_GT(contacts_of_kind(model, world, NarrowKind::kField), 8);
  for (const Number number : {Number::kDouble, Number::kFloat}) {
    for (const bool has_own_values : {false, true}) {
      const auto device = DeviceBatch::make(model, kUnevenWorlds, number, kTested);
      for (const char* field : {"geom_friction", "geom_margin", "body_mass"})
        if (has_own_values) device->expand(field);  // the same in all worlds, by kernels for values of their own
      const std::vector<double> differences = compare_steady(model, *device, 20);
      ASSERT_GE(differences.size(), 180u) << "of 220";
      // in float, contacts that begin within rounding make single steps differ by more
      EXPECT_LE(number == Number::kDouble ? differences.back() : differences[differences.size() * 19 / 20],
                number == Number::kDouble ? 1e-9 : 1e-4);
      EXPECT_LE(differences.back(), 1e-2);
    }
  }
}

// Prisms of a field are divided among the threads of a group, whose points come in the order of the prisms.
TEST(NarrowPhaseOnTheHost, ThreadsOfAGroupShareAField) {
  const Model model = make_model({kField, kBox, NarrowKind::kField}, 12, 1, 24);
  for (const HostDevice::Threads order : kOrders) {
    const auto alone = DeviceBatch::make(model, kUnevenWorlds, Number::kDouble, kTested);
    const InGroups groups(order, {HostDevice::kFields});
    const auto shared = DeviceBatch::make(model, kUnevenWorlds, Number::kDouble, kTested);
    Batch states(model, kUnevenWorlds);
    stir_both(model, states, *alone), stir_both(model, states, *shared);
    for (DeviceBatch* const batch : {alone.get(), shared.get()})
      batch->bind("qfrc_constraint"), batch->step(2, nullptr);
    for (const char* field : {"qpos", "qvel"})
      EXPECT_LE(difference(get_numbers(*shared, field), get_numbers(*alone, field)), 1e-10) << field;
    const std::vector<double> forces = get_numbers(*shared, "qfrc_constraint");
    EXPECT_GT(*std::max_element(forces.begin(), forces.end()), 1);
  }
}

// Worlds without room for candidates wait, and take their steps when there is room.
TEST(NarrowPhaseOnDevice, RoomForCandidatesGrows) {
  const Model model = make_model({kBox, kBox, NarrowKind::kBoxBox}, 12, 9);
  const auto device = DeviceBatch::make(model, kUnevenWorlds, Number::kDouble, kTested);
  EXPECT_LE(compare(model, *device, 3), 1e-9);
  EXPECT_GT(device->growths(), 0);
}

}  // namespace
}  // namespace torsor::gpu
