// Pairs whose points a device finds one by one, on this machine's processor: against batches in lanes.
#include <fmt/format.h>

#include "tests/batch/worlds.hpp"
#include "torsor/batch/row_plan.hpp"
#include "torsor/core/error.hpp"
#include "torsor/gpu/device_batch.hpp"
#include "torsor/gpu/narrow_plan.hpp"

namespace torsor::gpu {
namespace {

constexpr Device kHost{DeviceKind::kHost, 0};

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
constexpr const char* kPlane = R"(type="plane" size="2 2 0.1")";

constexpr Scene kScenes[] = {
    {kBox, kCapsule, NarrowKind::kCapsuleBox},    {kBox, kBox, NarrowKind::kBoxBox},
    {kPlane, kHull, NarrowKind::kPlaneMesh},      {kBox, kHull, NarrowKind::kConvex},
    {kHull, kHull, NarrowKind::kConvex},          {kHull, kCapsule, NarrowKind::kConvex},
    {kHull, kSphere, NarrowKind::kConvex},        {kBox, kCylinder, NarrowKind::kConvex},
    {kCylinder, kCylinder, NarrowKind::kConvex},  {kEllipsoid, kEllipsoid, NarrowKind::kConvex},
    {kEllipsoid, kCylinder, NarrowKind::kConvex}, {kEllipsoid, kHull, NarrowKind::kConvex},
    {kEllipsoid, kSphere, NarrowKind::kConvex},   {kEllipsoid, kCapsule, NarrowKind::kConvex},
    {kEllipsoid, kBox, NarrowKind::kConvex},
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

Model make_model(const Scene& scene, int corners, int count) {
  std::string bodies;
  for (int k = 0; k < count; ++k)
    bodies +=
        fmt::format(R"(<body pos="{} {} 0.1"><freejoint/><geom {}/></body>)", 0.02 + 0.01 * k, 0.01 * k, scene.above);
  const std::string text = fmt::format(
      R"(<mujoco><asset><mesh name="stone" vertex="{}"/></asset><worldbody><geom {}/>{}</worldbody></mujoco>)",
      stone(corners), scene.below, bodies);
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
      const double apart = difference(values, expected);
      if (!(apart <= worst)) worst = apart;
      device.set(field, expected.data());
    }
  }
  return worst;
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
      const auto device = DeviceBatch::make(model, kUnevenWorlds, Number::kDouble, kHost);
      EXPECT_LE(compare(model, *device, 20), 1e-9);
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
  const auto device = DeviceBatch::make(model, kUnevenWorlds, Number::kDouble, kHost);
  EXPECT_LE(compare(model, *device, 40), 1e-9);
}

// Worlds without room for candidates wait, and take their steps when there is room.
TEST(NarrowPhaseOnDevice, RoomForCandidatesGrows) {
  const Model model = make_model({kBox, kBox, NarrowKind::kBoxBox}, 12, 9);
  const auto device = DeviceBatch::make(model, kUnevenWorlds, Number::kDouble, kHost);
  EXPECT_LE(compare(model, *device, 3), 1e-9);
  EXPECT_GT(device->growths(), 0);
}

}  // namespace
}  // namespace torsor::gpu
