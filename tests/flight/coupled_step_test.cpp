// Strong coupling: a heavy added mass converges where taking the loads from the last step diverges.
#include "torsor/flight/coupled_step.hpp"

#include <gtest/gtest.h>

#include "tests/support/property.hpp"
#include "torsor/core/error.hpp"

namespace torsor {
namespace {

constexpr double kAddedMass = 10, kMass = 2, kStep = 0.01;  // water around a light hull

FreeFlight make_hull() {
  Aircraft hull;
  hull.mass = kMass, hull.I_BP1_CgP1 = diag(Vec3<double>{1, 1, 1});
  hull.angles_E_to_BP1_izyx = {10, 90, 0};  // where angles are singular
  hull.omegas_BP1__E = {5, 0, 3};
  hull.delta_time = kStep, hull.integrator = "Euler";
  return FreeFlight(hull);
}

// -m_a dv/dt, from the velocities at both ends of the step
std::vector<FlightLoads> water(const FlightState& trial, const Vec3<double>& before) {
  FlightLoads loads;
  loads.forces = (trial.velocity_E__E - before) * (-kAddedMass / kStep);
  return {loads};
}

TEST(CoupledStep, AHeavyAddedMassDivergesWithoutItAndConvergesWithIt) {
  const double expected = 9.80665 * kMass / (kMass + kAddedMass);
  FreeFlight loose = make_hull();
  Vec3<double> before = loose.get_state().velocity_E__E, now = before;
  for (int i = 0; i < 20; ++i) {  // loads of the step before
    loose.apply_loads({.forces = (now - before) * (-kAddedMass / kStep)});
    before = now;
    loose.step();
    now = loose.get_state().velocity_E__E;
  }
  EXPECT_GT(std::abs(now.z), 1e6);

  for (const bool aitken : {true, false}) {
    FreeFlight flight = make_hull();
    CouplingOptions options;
    options.aitken = aitken, options.relaxation = aitken ? 0.5 : 0.15, options.max_iterations = 200;
    int evaluations = 0;
    for (int i = 1; i <= 20; ++i) {
      const Vec3<double> start = flight.get_state().velocity_E__E;
      const CouplingReport report = step_coupled(
          flight, [&](const FlightState& trial) { return ++evaluations, water(trial, start); }, options);
      EXPECT_TRUE(report.converged && report.accepted);
      EXPECT_LE(report.history.back().residual, report.history.back().bound);
      EXPECT_NEAR(flight.get_state().velocity_E__E.z, expected * kStep * i, 1e-4 * expected * kStep * i);
    }
    EXPECT_LT(evaluations, aitken ? 20 * 8 : 20 * 60);
  }
}

TEST(CoupledStep, LoadsThatDoNotDependOnTheStateNeedNoIteration) {
  FreeFlight plain = make_hull(), coupled = make_hull();
  FlightLoads loads;
  loads.forces = {1, 2, 3}, loads.moments = {0.1, 0.2, 0.3};
  plain.apply_loads(loads);
  coupled.apply_loads(loads);
  for (int i = 0; i < 10; ++i) {
    plain.step();
    const CouplingReport report = step_coupled(coupled, [&](const FlightState&) { return std::vector{loads}; });
    EXPECT_EQ(report.history.size(), 1u);
  }
  EXPECT_EQ(plain.save().numbers, coupled.save().numbers);
}

TEST(CoupledStep, LoadsInBodyAxesAreThoseOfTheTrial) {
  Aircraft aircraft;
  aircraft.mass = 1, aircraft.I_BP1_CgP1 = diag(Vec3<double>{1, 1, 1}), aircraft.g_E = {0, 0, 0};
  aircraft.omegas_BP1__E = {0, 0, 900}, aircraft.integrator = "Euler", aircraft.delta_time = 0.1;  // a quarter turn
  FreeFlight flight(aircraft);
  FlightLoads thrust;
  thrust.forces = {1, 0, 0}, thrust.axes = FlightAxes::kBody;
  step_coupled(flight, [&](const FlightState&) { return std::vector{thrust}; });
  EXPECT_NEAR_REL(flight.get_loads().forces, (Vec3<double>{0, 1, 0}), 1e-9);
}

TEST(CoupledStep, WithoutConvergenceTheFlightIsWhereItWas) {
  FreeFlight flight = make_hull();
  flight.apply_loads({.forces = {1, 2, 3}});
  const FlightSnapshot before = flight.save();
  CouplingOptions options;
  options.aitken = false, options.relaxation = 1, options.max_iterations = 5;
  const auto loads = [&](const FlightState& trial) { return water(trial, {0, 0, 0}); };
  EXPECT_THROW(step_coupled(flight, loads, options), Error);
  EXPECT_EQ(flight.save().numbers, before.numbers);
  EXPECT_THROW(step_coupled(flight, [](const FlightState&) -> std::vector<FlightLoads> { throw Error("stall"); }),
               Error);
  EXPECT_EQ(flight.save().numbers, before.numbers);
  EXPECT_THROW(step_coupled(flight,
                            [](const FlightState&) {
                              FlightLoads bad;
                              bad.forces.x = std::nan("");
                              return std::vector{bad};
                            }),
               Error);
  EXPECT_EQ(flight.save().numbers, before.numbers);
  options.accept_unconverged = true;
  const CouplingReport report = step_coupled(flight, loads, options);
  EXPECT_FALSE(report.converged);
  EXPECT_TRUE(report.accepted);
  EXPECT_EQ(report.history.size(), 5u);
  EXPECT_NE(flight.save().numbers, before.numbers);
}

TEST(FixedPoint, AitkenIsExactForOneLinearEquation) {
  for_all(200, [](Random& random) {
    const double slope = random.uniform(-50, 0.4), offset = random.uniform(-3, 3);
    FixedPoint iteration({1.0});
    std::vector<double> x{random.uniform(-1, 1)}, image(1);
    iteration.start(x);
    do {
      image[0] = slope * x[0] + offset;
    } while (!iteration.update(x, image));
    EXPECT_TRUE(iteration.has_converged());
    EXPECT_LE(iteration.iterations(), 4);
    EXPECT_NEAR(x[0], offset / (1 - slope), 1e-5 * (1 + std::abs(x[0])) * (1 + std::abs(slope)));
  });
}

TEST(FixedPoint, TheConstantFactorMovesByItsPartOfTheResidual) {
  FixedPointOptions options;
  options.aitken = false, options.relaxation = 0.25, options.max_iterations = 2;
  FixedPoint iteration({1.0, 2.0}, options);
  std::vector<double> x{0, 0};
  iteration.start(x);
  EXPECT_FALSE(iteration.update(x, std::vector<double>{4, 8}));
  EXPECT_EQ(x, (std::vector<double>{1, 2}));
  EXPECT_EQ(iteration.history()[0].residual, std::sqrt(16.0 + 256.0));
  EXPECT_TRUE(iteration.update(x, std::vector<double>{4, 8}));  // out of iterations: x stays
  EXPECT_EQ(x, (std::vector<double>{1, 2}));
  EXPECT_FALSE(iteration.has_converged());
}

TEST(FixedPoint, OptionsThatMakeNoSenseAreRefused) {
  EXPECT_THROW(FixedPoint({}), Error);
  EXPECT_THROW(FixedPoint({-1.0}), Error);
  EXPECT_THROW(FixedPoint({1.0}, {.relaxation = 0}), Error);
  EXPECT_THROW(FixedPoint({1.0}, {.max_iterations = 0}), Error);
  FixedPoint iteration({1.0});
  EXPECT_THROW(iteration.start(std::vector<double>{1, 2}), Error);
  std::vector<double> x{0};
  EXPECT_THROW(iteration.update(x, std::vector<double>{std::nan("")}), Error);
}

}  // namespace
}  // namespace torsor
