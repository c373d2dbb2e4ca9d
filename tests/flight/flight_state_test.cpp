// Axes of flight mechanics and the two vectors of twelve numbers.
#include "torsor/flight/flight_state.hpp"

#include <gtest/gtest.h>

#include "tests/support/property.hpp"
#include "torsor/core/error.hpp"

namespace torsor {
namespace {

FlightState random_state(Random& random) {
  FlightState state;
  state.position_E_Eo = random.vec3(100);
  state.quat_act_E_to_BP1_wxyz = random.quat();
  state.velocity_E__E = random.vec3(30);
  state.omegas_BP1__E = random.vec3(90);
  state.wind_E__E = random.vec3(5);
  return state;
}

TEST(FlightState, EveryPairOfAxesRoundTripsAndChains) {
  for_all(200, [](Random& random) {
    const FlightState state = random_state(random);
    for (const FlightAxes a : kAllFlightAxes) {
      for (const FlightAxes b : kAllFlightAxes) {
        EXPECT_NEAR_REL(state.R_pas(b, a) * state.R_pas(a, b), Mat3<double>::identity(), 1e-12);
        EXPECT_NEAR(det(state.R_pas(a, b)), 1, 1e-12);
        for (const FlightAxes c : kAllFlightAxes)
          EXPECT_NEAR_REL(state.R_pas(b, c) * state.R_pas(a, b), state.R_pas(a, c), 1e-12);
      }
    }
  });
}

TEST(FlightState, TheXAxisOfWindAxesIsTheVelocityThroughTheAir) {
  for_all(200, [](Random& random) {
    const FlightState state = random_state(random);
    const Vec3<double> v_E = state.velocity_E__E - state.wind_E__E, along{state.airspeed(), 0, 0};
    for (const FlightAxes wind : {FlightAxes::kWind, FlightAxes::kWindTextbook})
      EXPECT_NEAR_REL(state.R_pas(FlightAxes::kEarth, wind) * v_E, along, 1e-12);
    // the textbook's wind axes keep the lift in the plane of symmetry: y of the body has no part along z of the wind
    EXPECT_NEAR(state.R_pas(FlightAxes::kWindTextbook, FlightAxes::kBody)(1, 2), 0, 1e-12);
  });
}

TEST(FlightState, BothVectorsOfTwelveNumbersRoundTrip) {
  for_all(200, [](Random& random) {
    FlightState state = random_state(random);
    state.wind_E__E = {0, 0, 0};
    for (const VectorForm form : {VectorForm::kState, VectorForm::kCoupling}) {
      const FlightState back = FlightState::from_vector(state.to_vector(form), form);
      EXPECT_NEAR_REL(back.position_E_Eo, state.position_E_Eo, 1e-12);
      EXPECT_TRUE(is_same_rotation(back.quat_act_E_to_BP1_wxyz, state.quat_act_E_to_BP1_wxyz, 1e-12));
      EXPECT_NEAR_REL(back.velocity_E__E, state.velocity_E__E, 1e-12);
      EXPECT_NEAR_REL(back.omegas_BP1__E, state.omegas_BP1__E, 1e-12);
    }
  });
}

TEST(FlightState, AnglesAreYawThenPitchThenRoll) {
  // pitched up by 30 degrees after a yaw of 90: the nose points east and up
  const FlightState state = FlightState::from_vector({0, 0, 0, 0, 30, 90, 0, 0, 0, 0, 0, 0}, VectorForm::kState);
  EXPECT_NEAR_REL(state.R_pas_BP1_to_E().col(0), (Vec3<double>{0, std::sqrt(0.75), -0.5}), 1e-15);
  // a roll to the right after it puts the right wing down
  const FlightState rolled = FlightState::from_vector({0, 0, 0, 90, 30, 90, 0, 0, 0, 0, 0, 0}, VectorForm::kState);
  EXPECT_NEAR_REL(rolled.R_pas_BP1_to_E().col(1), (Vec3<double>{0, 0.5, std::sqrt(0.75)}), 1e-15);
}

TEST(FlightState, AtTheGimbalLockTheRotationIsKept) {
  for_all(100, [](Random& random) {
    FlightState state;
    const double pitch = random.chance(0.5) ? 90 : -90;
    state.quat_act_E_to_BP1_wxyz = quat_from_angles_izyx({random.uniform(-180, 180), pitch, random.uniform(-180, 180)});
    const Vec3<double> angles = state.angles_E_to_BP1_izyx();
    EXPECT_EQ(angles.x, 0);
    EXPECT_TRUE(is_same_rotation(quat_from_angles_izyx(angles), state.quat_act_E_to_BP1_wxyz, 1e-7));
  });
}

TEST(FlightState, WithoutAirspeedThereAreNoWindAxes) {
  const FlightState state;
  EXPECT_TRUE(std::isnan(state.alpha()) && std::isnan(state.beta()));
  EXPECT_TRUE(std::isnan(state.alpha_textbook()) && std::isnan(state.beta_textbook()));
  EXPECT_THROW(state.R_pas(FlightAxes::kWind, FlightAxes::kBody), Error);
}

TEST(FlightState, UnknownAxesOfferTheNearest) {
  try {
    parse_flight_axes("earht");
    FAIL();
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find("did you mean 'earth'"), std::string::npos) << error.what();
  }
  EXPECT_THROW(parse_vector_form("ptera"), Error);
}

}  // namespace
}  // namespace torsor
