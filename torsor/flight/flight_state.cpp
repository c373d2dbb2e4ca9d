#include "torsor/flight/flight_state.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "torsor/convention/euler.hpp"
#include "torsor/convention/rigid.hpp"
#include "torsor/core/error.hpp"

namespace torsor {
namespace {

constexpr const char* kAxesNames[] = {"earth", "body", "geometry", "wind", "wind_textbook"};
constexpr double kDegrees = 1 / kRadiansPerDegree;

const rotations::EulerSequence& yaw_pitch_roll() {
  static const rotations::EulerSequence sequence =
      rotations::make_euler_sequence("zyx", rotations::EulerSpelling::kMujoco);
  return sequence;
}

void check_vector(const char* name, const Vec3<double>& v) {
  for (int i = 0; i < 3; ++i) {
    if (!std::isfinite(v[i])) throw Error(fmt::format("{}[{}] is {}", name, i, v[i]));
  }
}

// Components in body axes to components in wind axes: x_W is the direction of the velocity through the air.
Mat3<double> pitch_part(double alpha) {
  const double c = std::cos(alpha), s = std::sin(alpha);
  return mat_from_rows(Vec3<double>{c, 0, s}, Vec3<double>{0, 1, 0}, Vec3<double>{-s, 0, c});
}
Mat3<double> yaw_part(double beta) {
  const double c = std::cos(beta), s = std::sin(beta);
  return mat_from_rows(Vec3<double>{c, s, 0}, Vec3<double>{-s, c, 0}, Vec3<double>{0, 0, 1});
}

Mat3<double> body_to(const FlightState& state, FlightAxes axes) {
  switch (axes) {
    case FlightAxes::kEarth:
      return state.R_pas_BP1_to_E();
    case FlightAxes::kGeometry:
      return diag(Vec3<double>{-1, 1, -1});
    case FlightAxes::kWind:
    case FlightAxes::kWindTextbook:
      break;
    case FlightAxes::kBody:
      return Mat3<double>::identity();
  }
  if (!(state.airspeed() > 0)) throw Error("wind axes are not defined without airspeed: use earth, body or geometry");
  if (axes == FlightAxes::kWind)
    return pitch_part(state.alpha() * kRadiansPerDegree) * yaw_part(state.beta() * kRadiansPerDegree);
  return yaw_part(state.beta_textbook() * kRadiansPerDegree) * pitch_part(state.alpha_textbook() * kRadiansPerDegree);
}

double angle_of_sine(double part, double whole) {
  return std::asin(std::clamp(part / whole, -1.0, 1.0)) * kDegrees;  // NaN for 0 / 0
}

}  // namespace

FlightAxes parse_flight_axes(const std::string& name) {
  for (const FlightAxes axes : kAllFlightAxes) {
    if (name == to_string(axes)) return axes;
  }
  const std::string nearest = find_nearest(name, {std::begin(kAxesNames), std::end(kAxesNames)});
  throw Error(fmt::format("unknown axes '{}'{}; known are {}", name,
                          nearest.empty() ? "" : fmt::format(" (did you mean '{}'?)", nearest),
                          fmt::join(kAxesNames, ", ")));
}

const char* to_string(FlightAxes axes) { return kAxesNames[static_cast<int>(axes)]; }

VectorForm parse_vector_form(const std::string& name) {
  if (name == "state") return VectorForm::kState;
  if (name == "coupling") return VectorForm::kCoupling;
  throw Error(
      fmt::format("unknown form '{}' of a vector of twelve numbers: state (degrees, body axes) or coupling "
                  "(radians, Earth axes)",
                  name));
}

Quat<double> quat_from_angles_izyx(const Vec3<double>& angles) {
  return rotations::quat_from_euler(yaw_pitch_roll(), Vec3<double>{angles.z, angles.y, angles.x} * kRadiansPerDegree);
}

Vec3<double> angles_izyx(const Quat<double>& q_EB) {
  const Vec3<double> zyx = rotations::euler_from_quat(yaw_pitch_roll(), q_EB) * kDegrees;
  return {zyx.z, zyx.y, zyx.x};
}

FlightState FlightState::from_vector(const Vector12& x, VectorForm form) {
  const bool is_coupling = form == VectorForm::kCoupling;
  const double to_degrees = is_coupling ? kDegrees : 1;
  FlightState state;
  state.position_E_Eo = load3(&x[0]);
  state.quat_act_E_to_BP1_wxyz = quat_from_angles_izyx(load3(&x[3]) * to_degrees);
  state.velocity_E__E = load3(&x[6]);
  const Vec3<double> omegas = load3(&x[9]) * to_degrees;
  state.omegas_BP1__E = is_coupling ? rotate_inverse(state.quat_act_E_to_BP1_wxyz, omegas) : omegas;
  check_flight_state(state);
  return state;
}

Vector12 FlightState::to_vector(VectorForm form) const {
  const bool is_coupling = form == VectorForm::kCoupling;
  const double unit = is_coupling ? kRadiansPerDegree : 1;
  Vector12 x;
  store3(&x[0], position_E_Eo);
  store3(&x[3], angles_E_to_BP1_izyx() * unit);
  store3(&x[6], velocity_E__E);
  store3(&x[9], (is_coupling ? omegas_E__E() : omegas_BP1__E) * unit);
  return x;
}

Mat3<double> FlightState::R_pas_BP1_to_E() const { return to_mat(quat_act_E_to_BP1_wxyz); }
Mat3<double> FlightState::R_pas_E_to_BP1() const { return transpose(R_pas_BP1_to_E()); }
Vec3<double> FlightState::omegas_E__E() const { return rotate(quat_act_E_to_BP1_wxyz, omegas_BP1__E); }
Vec3<double> FlightState::angles_E_to_BP1_izyx() const { return angles_izyx(quat_act_E_to_BP1_wxyz); }

Vec3<double> FlightState::air_velocity_BP1() const {
  return rotate_inverse(quat_act_E_to_BP1_wxyz, velocity_E__E - wind_E__E);
}
double FlightState::airspeed() const { return norm(velocity_E__E - wind_E__E); }
double FlightState::alpha() const { return angle_of_sine(air_velocity_BP1().z, airspeed()); }
double FlightState::beta() const {
  const Vec3<double> v = air_velocity_BP1();
  return airspeed() > 0 ? std::atan2(v.y, v.x) * kDegrees : std::nan("");
}
double FlightState::alpha_textbook() const {
  const Vec3<double> v = air_velocity_BP1();
  return airspeed() > 0 ? std::atan2(v.z, v.x) * kDegrees : std::nan("");
}
double FlightState::beta_textbook() const { return angle_of_sine(air_velocity_BP1().y, airspeed()); }

Mat3<double> FlightState::R_pas(FlightAxes from, FlightAxes to) const {
  if (from == to) return Mat3<double>::identity();
  return mul_transposed(body_to(*this, to), body_to(*this, from));
}

void check_flight_state(const FlightState& state) {
  check_vector("position_E_Eo", state.position_E_Eo);
  check_vector("velocity_E__E", state.velocity_E__E);
  check_vector("omegas_BP1__E", state.omegas_BP1__E);
  check_vector("wind_E__E", state.wind_E__E);
  if (!std::isfinite(state.time)) throw Error(fmt::format("time is {}", state.time));
  const double length = std::sqrt(dot(state.quat_act_E_to_BP1_wxyz, state.quat_act_E_to_BP1_wxyz));
  if (!(std::abs(length - 1) <= 1e-3))
    throw Error(fmt::format("quat_act_E_to_BP1_wxyz has length {}: the orientation must be a rotation", length));
}

}  // namespace torsor
