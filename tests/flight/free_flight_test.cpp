// Free flight: laws of a rigid body, loads in every axes, snapshots to the bit, and what is refused.
#include "torsor/flight/free_flight.hpp"

#include <gtest/gtest.h>

#include "tests/support/allocations.hpp"
#include "tests/support/property.hpp"
#include "torsor/bridge/state_map.hpp"
#include "torsor/core/error.hpp"

namespace torsor {
namespace {

constexpr double kDegree = 0.017453292519943295769;

Aircraft random_aircraft(Random& random) {
  Aircraft aircraft;
  aircraft.mass = random.uniform(0.5, 5);
  const Mat3<double> R = random.rotation();
  aircraft.I_BP1_CgP1 = mul_transposed(R * diag(random.moments() + Vec3<double>{0.3, 0.3, 0.3}), R);
  aircraft.position_E_Eo = random.vec3(10);
  aircraft.angles_E_to_BP1_izyx = {random.uniform(-180, 180), random.uniform(-80, 80), random.uniform(-180, 180)};
  aircraft.velocity_E__E = random.vec3(20);
  aircraft.omegas_BP1__E = random.vec3(200);
  aircraft.delta_time = 0.001;
  aircraft.integrator = "RKMK4";
  return aircraft;
}

Vec3<double> angular_momentum(const Aircraft& aircraft, const FlightState& state) {
  return rotate(state.quat_act_E_to_BP1_wxyz, aircraft.I_BP1_CgP1 * (state.omegas_BP1__E * kDegree));
}
double energy(const Aircraft& aircraft, const FlightState& state) {
  const Vec3<double> w = state.omegas_BP1__E * kDegree;
  return 0.5 * aircraft.mass * norm2(state.velocity_E__E) + 0.5 * dot(w, aircraft.I_BP1_CgP1 * w) -
         aircraft.mass * dot(aircraft.g_E, state.position_E_Eo);
}

TEST(FreeFlight, TheBallisticArcKeepsEnergyAndAngularMomentum) {
  for_all(20, [](Random& random) {
    const Aircraft aircraft = random_aircraft(random);
    FreeFlight flight(aircraft);
    const FlightState start = flight.get_state();
    for (int i = 0; i < 500; ++i) ASSERT_EQ(flight.step(), Status::kOk);
    const FlightState end = flight.get_state();
    const double t = end.time;
    EXPECT_NEAR(t, 0.5, 1e-12);
    EXPECT_NEAR_REL(end.position_E_Eo, start.position_E_Eo + start.velocity_E__E * t + aircraft.g_E * (0.5 * t * t),
                    1e-11);
    EXPECT_NEAR_REL(end.velocity_E__E, start.velocity_E__E + aircraft.g_E * t, 1e-11);
    EXPECT_NEAR_REL(angular_momentum(aircraft, end), angular_momentum(aircraft, start), 1e-9);
    EXPECT_NEAR_REL(energy(aircraft, end), energy(aircraft, start), 1e-9);
  });
}

TEST(FreeFlight, ASymmetricTopPrecessesAtTheRateOfTheory) {
  // about its axis of symmetry z the body spins at n; w turns about z in the body at (Iz - I) / I n
  Aircraft aircraft;
  aircraft.mass = 1, aircraft.I_BP1_CgP1 = diag(Vec3<double>{1, 1, 1.5}), aircraft.g_E = {0, 0, 0};
  aircraft.omegas_BP1__E = Vec3<double>{0.3, 0, 2} / kDegree;
  aircraft.integrator = "RKMK4", aircraft.delta_time = 0.002;
  FreeFlight flight(aircraft);
  for (int i = 0; i < 1000; ++i) flight.step();
  const FlightState state = flight.get_state();
  const double angle = 0.5 * 2 * state.time;
  EXPECT_NEAR_REL(state.omegas_BP1__E * kDegree, (Vec3<double>{0.3 * std::cos(angle), 0.3 * std::sin(angle), 2}),
                  1e-10);
  // the axis goes round the angular momentum at |L| / I
  const Vec3<double> L{0.3, 0, 3}, axis = state.R_pas_BP1_to_E().col(2), up{0, 0, 1};
  const Vec3<double> e = L / norm(L), across = up - e * dot(up, e);
  const double turned = norm(L) * state.time;
  EXPECT_NEAR_REL(axis, e * dot(up, e) + across * std::cos(turned) + cross(e, across) * std::sin(turned), 1e-9);
}

TEST(FreeFlight, LoadsAccelerateAsNewtonAndEulerSay) {
  for_all(100, [](Random& random) {
    Aircraft aircraft = random_aircraft(random);
    aircraft.integrator = "Euler", aircraft.delta_time = 1e-6;
    aircraft.wind_E__E = random.vec3(3);
    FreeFlight flight(aircraft);
    const FlightState start = flight.get_state();
    FlightLoads loads{random.vec3(10), random.vec3(), kAllFlightAxes[random.integer(0, 4)], random.vec3(), ""};
    flight.apply_loads(loads);
    flight.step();
    const FlightState end = flight.get_state();
    const Mat3<double> R_pas_to_B = start.R_pas(loads.axes, FlightAxes::kBody);
    const Vec3<double> f_E = start.R_pas(loads.axes, FlightAxes::kEarth) * loads.forces;
    const Vec3<double> t_B = R_pas_to_B * (loads.moments + cross(loads.point, loads.forces));
    const Vec3<double> w = start.omegas_BP1__E * kDegree, alpha = (end.omegas_BP1__E * kDegree - w) / 1e-6;
    EXPECT_NEAR_REL((end.velocity_E__E - start.velocity_E__E) / 1e-6, f_E / aircraft.mass + aircraft.g_E, 1e-7);
    EXPECT_NEAR_REL(aircraft.I_BP1_CgP1 * alpha, t_B - cross(w, aircraft.I_BP1_CgP1 * w), 1e-6);
  });
}

TEST(FreeFlight, LoadsAreKeptUntilReplacedAndClearedByReset) {
  Random random(5);
  FreeFlight flight(random_aircraft(random));
  flight.apply_loads({.forces = {1, 2, 3}, .moments = {4, 5, 6}});
  for (int i = 0; i < 10; ++i) flight.step();
  EXPECT_NEAR_REL(flight.get_loads().forces, (Vec3<double>{1, 2, 3}), 0);
  flight.apply_loads({.forces = {7, 8, 9}});
  EXPECT_NEAR_REL(flight.get_loads().moments, (Vec3<double>{0, 0, 0}), 0);
  flight.reset();
  EXPECT_NEAR_REL(flight.get_loads().forces, (Vec3<double>{0, 0, 0}), 0);
  EXPECT_EQ(flight.get_state().time, 0);
}

TEST(FreeFlight, AfterRestoreTheSameStepsAreTheSameToTheBit) {
  for_all(20, [](Random& random) {
    Aircraft aircraft = random_aircraft(random);
    aircraft.extra_xml["body"] =
        R"(<body name="tail" pos="-1 0 0"><joint name="tail" axis="0 1 0" damping="0.1"/><geom size="0.1"/></body>)";
    FreeFlight flight(aircraft);
    flight.apply_loads({.forces = random.vec3(10), .moments = random.vec3()});
    for (int i = 0; i < 10; ++i) flight.step();
    const FlightSnapshot snapshot = flight.save();
    for (int i = 0; i < 10; ++i) flight.step();
    const FlightSnapshot first = flight.save();
    flight.apply_loads({.forces = random.vec3(10), .body = "tail"});
    flight.step();
    flight.restore(snapshot);
    EXPECT_EQ(flight.save().numbers, snapshot.numbers);
    for (int i = 0; i < 10; ++i) flight.step();
    EXPECT_EQ(flight.save().numbers, first.numbers);
  });
}

TEST(FreeFlight, TheModelKnowsThatItsWorldIsEarth) {
  Random random(7);
  FreeFlight flight(random_aircraft(random));
  const StateMap map(flight.model(), find_convention("mujoco"), find_convention("ptera[twist.order=linear first]"));
  double q[7], v[6];
  map.positions(flight.data().qpos.data(), q);
  map.velocities(flight.data().qpos.data(), flight.data().qvel.data(), v);
  const FlightState state = flight.get_state();
  EXPECT_NEAR_REL(load3(q), state.position_E_Eo, 1e-15);
  EXPECT_TRUE(is_same_rotation(load4(q + 3), state.quat_act_E_to_BP1_wxyz, 1e-15));
  EXPECT_NEAR_REL(load3(v), state.velocity_E__E, 1e-15);
  EXPECT_NEAR_REL(load3(v + 3), state.omegas_BP1__E, 1e-15);
}

TEST(FreeFlight, AStepTakesNoMemoryFromTheHeap) {
  Random random(1);
  FreeFlight flight(random_aircraft(random));
  flight.step();
  EXPECT_EQ(allocations_in([&] {
              for (int i = 0; i < 10; ++i) flight.step();
              flight.apply_loads({.forces = {1, 2, 3}, .axes = FlightAxes::kWind});
              flight.get_state();
            }),
            0);
}

std::string refusal(const std::function<void()>& work) {
  try {
    work();
  } catch (const Error& error) {
    return error.what();
  }
  return "accepted";
}

TEST(FreeFlight, BadInputIsRefusedAndNothingIsLost) {
  Random random(2);
  const Aircraft aircraft = random_aircraft(random);
  FreeFlight flight(aircraft), heavier([&] {
    Aircraft other = aircraft;
    other.mass *= 2;
    return other;
  }());
  flight.apply_loads({.forces = {1, 2, 3}});
  const FlightSnapshot before = flight.save();
  const double nan = std::nan("");
  EXPECT_NE(refusal([&] { flight.apply_loads({.forces = {1, nan, 3}}); }).find("forces[1] is nan"), std::string::npos);
  EXPECT_NE(refusal([&] { flight.apply_loads({.body = "aircarft"}); }).find("did you mean 'aircraft'"),
            std::string::npos);
  EXPECT_NE(refusal([&] { flight.apply_loads({.body = "world"}); }).find("no effect"), std::string::npos);
  EXPECT_NE(refusal([&] { flight.restore(heavier.save()); }).find("another aircraft"), std::string::npos);
  EXPECT_NE(refusal([&] { flight.set_state(heavier.get_state()); }).find("another aircraft"), std::string::npos);
  FlightState bad = flight.get_state();
  bad.velocity_E__E.y = nan;
  EXPECT_NE(refusal([&] { flight.set_state(bad); }).find("velocity_E__E[1]"), std::string::npos);
  EXPECT_EQ(flight.save().numbers, before.numbers);
}

TEST(FreeFlight, AStepThatDivergesIsNotTaken) {
  Random random(2);
  FreeFlight flight(random_aircraft(random));
  flight.apply_loads({.forces = {1e300, 0, 0}});
  const FlightSnapshot before = flight.save();
  EXPECT_EQ(flight.step(), Status::kDiverged);
  EXPECT_EQ(flight.save().numbers, before.numbers);
}

TEST(FreeFlight, AircraftThatDoNotExistAreRefused) {
  Random random(2);
  const Aircraft good = random_aircraft(random);
  const auto refused = [&](const std::function<void(Aircraft&)>& change) {
    Aircraft aircraft = good;
    change(aircraft);
    return refusal([&] { FreeFlight flight(aircraft); });
  };
  EXPECT_NE(refused([](Aircraft& a) { a.mass = 0; }).find("mass must be positive"), std::string::npos);
  EXPECT_NE(refused([](Aircraft& a) { a.delta_time = -1; }).find("delta_time"), std::string::npos);
  EXPECT_NE(refused([](Aircraft& a) { a.I_BP1_CgP1(0, 1) += 1; }).find("not symmetric"), std::string::npos);
  EXPECT_NE(refused([](Aircraft& a) {
              a.I_BP1_CgP1 = diag(Vec3<double>{1, 1, -1});
            }).find("positive definite"),
            std::string::npos);
  EXPECT_NE(refused([](Aircraft& a) {
              a.I_BP1_CgP1 = diag(Vec3<double>{1, 1, 9});
            }).find("inertia"),
            std::string::npos);
  EXPECT_NE(refused([](Aircraft& a) { a.g_E.x = std::nan(""); }).find("g_E[0]"), std::string::npos);
  EXPECT_NE(refused([](Aircraft& a) { a.extra_xml["boddy"] = ""; }).find("did you mean 'body'"), std::string::npos);
  EXPECT_NE(refused([](Aircraft& a) { a.extra_xml["body"] = "<joint/>"; }).find("error"), std::string::npos);
  EXPECT_NE(refused([](Aircraft& a) { a.extra_xml["default"] = "<compiler settotalmass='9'/>"; }).find("its mass"),
            std::string::npos);
  EXPECT_NE(refused([](Aircraft& a) { a.integrator = "rk4"; }).find("RK4"), std::string::npos);
  EXPECT_EQ(refused([](Aircraft& a) { a.name = "<\"&>'"; }), "accepted");
}

}  // namespace
}  // namespace torsor
