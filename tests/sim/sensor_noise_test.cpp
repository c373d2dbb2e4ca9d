// Noise of sensors is a function of seed, step and sensor: reproducible, restorable, of the right law.
#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "torsor/compile/compile.hpp"
#include "torsor/dynamics/noise.hpp"
#include "torsor/sim/sim.hpp"

namespace torsor {
namespace {

// A falling body with clocks that have the given deviations.
Model make_model(const std::vector<double>& deviations, bool on = true) {
  Spec spec;
  BodySpec body;
  body.parent = 0;
  JointSpec joint;
  joint.type = JointType::kSlide;
  body.joints.push_back(joint);
  GeomSpec geom;
  geom.size = {0.1, 0, 0};
  body.geoms.push_back(geom);
  spec.bodies.push_back(body);
  for (const double deviation : deviations) {
    SensorSpec sensor;
    sensor.noise = deviation;
    spec.sensors.push_back(sensor);
  }
  if (on) spec.option.enableflags |= kEnableSensorNoise;
  return compile(spec);
}

// Readings of all steps, minus the time.
std::vector<double> noise_of(const Model& model, Data& data, int steps) {
  std::vector<double> noise;
  for (int k = 0; k < steps; ++k) {
    const double time = data.time;
    step(model, data);
    for (const double reading : data.sensordata) noise.push_back(reading - time);
  }
  return noise;
}

// Known answers of the generator's authors.
TEST(SensorNoise, TheGeneratorIsPhilox) {
  EXPECT_EQ(philox({0, 0, 0, 0}, {0, 0}), (std::array<uint32_t, 4>{0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8}));
  EXPECT_EQ(philox({~0u, ~0u, ~0u, ~0u}, {~0u, ~0u}),
            (std::array<uint32_t, 4>{0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd}));
  EXPECT_EQ(philox({0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344}, {0xa4093822, 0x299f31d0}),
            (std::array<uint32_t, 4>{0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1}));
}

TEST(SensorNoise, IsOffByDefault) {
  const Model model = make_model({0.5}, false);
  Data data(model);
  for (const double noise : noise_of(model, data, 5)) EXPECT_EQ(noise, 0);
}

TEST(SensorNoise, OnlySensorsThatHaveADeviationAreNoisy) {
  const Model model = make_model({0, 0.5});
  Data data(model);
  const std::vector<double> noise = noise_of(model, data, 5);
  for (size_t k = 0; k < noise.size(); ++k) EXPECT_EQ(noise[k] == 0, k % 2 == 0);
}

TEST(SensorNoise, TheSameSeedGivesTheSameBits) {
  const Model model = make_model({0.5, 0.1});
  Data first(model), second(model), other(model);
  first.noise_seed = second.noise_seed = 7;
  other.noise_seed = 8;
  const std::vector<double> noise = noise_of(model, first, 20);
  EXPECT_EQ(noise, noise_of(model, second, 20));
  EXPECT_NE(noise, noise_of(model, other, 20));
  reset(model, first);
  EXPECT_EQ(first.noise_seed, 7u);
  EXPECT_EQ(noise, noise_of(model, first, 20));
}

TEST(SensorNoise, GoesOnFromACopyInTheMiddle) {
  const Model model = make_model({0.5});
  Data data(model);
  noise_of(model, data, 10);
  Data copy(data), assigned(model);
  assigned = data;
  const std::vector<double> rest = noise_of(model, data, 10);
  EXPECT_EQ(rest, noise_of(model, copy, 10));
  EXPECT_EQ(rest, noise_of(model, assigned, 10));
}

TEST(SensorNoise, OfAStepDoesNotDependOnHowOftenItIsComputed) {
  const Model model = make_model({0.5});
  Data once(model), often(model);
  forward(model, once);
  for (int k = 0; k < 3; ++k) forward(model, often);
  EXPECT_EQ(once.sensordata[0], often.sensordata[0]);
  EXPECT_EQ(noise_of(model, once, 3), noise_of(model, often, 3));
}

TEST(SensorNoise, OfASensorDoesNotDependOnSensorsBehindIt) {
  const Model alone = make_model({0.5}), many = make_model({0.5, 0.2, 0.7});
  Data data_alone(alone), data_many(many);
  const std::vector<double> single = noise_of(alone, data_alone, 10), all = noise_of(many, data_many, 10);
  for (size_t k = 0; k < single.size(); ++k) EXPECT_EQ(single[k], all[3 * k]);
}

TEST(SensorNoise, IsNormal) {
  constexpr int kCount = 200'000;
  double sum = 0, squares = 0, fourths = 0, products = 0;
  int within = 0;
  for (uint32_t k = 0; k < kCount; ++k) {
    const double x = normal_number(3, k, 0, 0), y = normal_number(3, k, 1, 0);
    sum += x;
    squares += x * x;
    fourths += x * x * x * x;
    products += x * y;
    within += std::fabs(x) < 1;
  }
  const double unit = 1 / std::sqrt(kCount);  // five standard deviations of each estimate
  EXPECT_NEAR(sum / kCount, 0, 5 * unit);
  EXPECT_NEAR(squares / kCount, 1, 5 * std::sqrt(2) * unit);
  EXPECT_NEAR(fourths / kCount, 3, 5 * std::sqrt(96) * unit);
  EXPECT_NEAR(products / kCount, 0, 5 * unit);
  EXPECT_NEAR(within / double{kCount}, 0.6826894921, 5 * 0.466 * unit);
}

}  // namespace
}  // namespace torsor
