// The state of an aircraft in the names and units of Ptera Software, and the axes of flight mechanics.
//
// Names: position_E_Eo is a position in Earth axes from the Earth origin; velocity_E__E is in Earth axes, observed from
// the Earth frame; BP1 are the axes of the first airplane's body, CgP1 is its centre of gravity; R_pas_E_to_BP1 is a
// passive matrix: it turns components in Earth axes into components in body axes. Lengths are in metres, angles and
// angular velocities in DEGREES, unless the name says Rad.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>

#include "torsor/math/mat3.hpp"
#include "torsor/math/quat.hpp"

namespace torsor {

// E: x north, y east, z down. BP1: x forward, y right, z down. GP1: x aft, y right, z up. W: x along the velocity of
// the aircraft through the air; the two kinds differ by a rotation about that axis, see FlightState::alpha().
enum class FlightAxes : char { kEarth, kBody, kGeometry, kWind, kWindTextbook };
inline constexpr FlightAxes kAllFlightAxes[] = {FlightAxes::kEarth, FlightAxes::kBody, FlightAxes::kGeometry,
                                                FlightAxes::kWind, FlightAxes::kWindTextbook};

// "earth", "body", "geometry", "wind", "wind_textbook". Throws an Error that lists them, with the nearest.
FlightAxes parse_flight_axes(const std::string& name);
const char* to_string(FlightAxes axes);

// The rotation of body axes in Earth axes, from angles (x, y, z) = (roll, pitch, yaw) in degrees, applied z, y', x'';
// and back: roll and yaw in [-180, 180], pitch in [-90, 90]. At pitch +-90 roll is zero.
Quat<double> quat_from_angles_izyx(const Vec3<double>& angles);
Vec3<double> angles_izyx(const Quat<double>& q_EB);

// The two vectors of twelve numbers: position, angles_E_to_BP1_izyx, velocity in Earth axes, angular velocity.
enum class VectorForm : char {
  kState,     // angles in degrees; angular velocity in body axes, degrees per second
  kCoupling,  // angles in radians; angular velocity in Earth axes, radians per second (Ptera's strong coupling)
};
VectorForm parse_vector_form(const std::string& name);  // "state" or "coupling"
using Vector12 = std::array<double, 12>;

struct FlightState {
  Vec3<double> position_E_Eo = Vec3<double>::zero();               // of the CG
  Quat<double> quat_act_E_to_BP1_wxyz = Quat<double>::identity();  // turns Earth axes into body axes
  Vec3<double> velocity_E__E = Vec3<double>::zero();               // of the CG
  Vec3<double> omegas_BP1__E = Vec3<double>::zero();               // degrees per second, in body axes
  double time = 0;                                                 // seconds
  Vec3<double> wind_E__E = Vec3<double>::zero();                   // velocity of the air
  uint64_t aircraft = 0;                                           // which FreeFlight it was read from; 0: none

  static FlightState from_vector(const Vector12& x, VectorForm form);
  Vector12 to_vector(VectorForm form) const;

  Mat3<double> R_pas_BP1_to_E() const;  // its columns are the body axes in Earth axes
  Mat3<double> R_pas_E_to_BP1() const;
  Vec3<double> omegas_E__E() const;  // degrees per second
  Vec3<double> angles_E_to_BP1_izyx() const;

  // Motion through the air. With the velocity (u, v, w) through the air in body axes and its size V:
  //   alpha = asin(w / V), beta = atan2(v, u)              Ptera Software; axes kWind
  //   alpha = atan2(w, u), beta = asin(v / V)              textbooks; axes kWindTextbook
  // They agree if either angle is zero. NaN without airspeed.
  Vec3<double> air_velocity_BP1() const;
  double airspeed() const;
  double alpha() const;
  double beta() const;
  double alpha_textbook() const;
  double beta_textbook() const;

  // Components in `from` to components in `to`. Wind axes without airspeed throw an Error.
  Mat3<double> R_pas(FlightAxes from, FlightAxes to) const;
};

// Throws an Error that names the first number that is not finite, or a quaternion that is not of unit length.
void check_flight_state(const FlightState& state);

}  // namespace torsor
