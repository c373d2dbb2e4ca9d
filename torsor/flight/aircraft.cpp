// An aircraft as a model: one free body whose frame is at its centre of gravity, in a world with Earth axes.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <span>

#include "torsor/compile/set_const.hpp"
#include "torsor/core/error.hpp"
#include "torsor/flight/free_flight.hpp"
#include "torsor/load/load.hpp"

namespace torsor {
namespace {

// Sections of MJCF before and after <worldbody>.
constexpr const char* kBefore[] = {"default", "asset", "visual"};
constexpr const char* kAfter[] = {"contact", "equality", "tendon", "actuator", "sensor"};
constexpr const char* kIntegrators[] = {"RK4", "RKMK4", "Euler", "implicit", "implicitfast"};

std::string escaped(const std::string& text) {
  std::string result;
  for (const char c : text) {
    if (c == '&')
      result += "&amp;";
    else if (c == '<')
      result += "&lt;";
    else if (c == '"')
      result += "&quot;";
    else
      result += c;
  }
  return result;
}

std::string text_of(const Vec3<double>& v) { return fmt::format("{} {} {}", v.x, v.y, v.z); }

void check_names(const Aircraft& aircraft) {
  if (aircraft.name.empty() || aircraft.name == "world")
    throw Error("name: the aircraft needs a name other than 'world'");
  const auto& known = kIntegrators;
  if (std::find(std::begin(known), std::end(known), aircraft.integrator) == std::end(known)) {
    throw Error(fmt::format("integrator: '{}' is none of {}", aircraft.integrator, fmt::join(known, ", ")));
  }
  std::vector<std::string> places{"worldbody", "body"};
  places.insert(places.end(), std::begin(kBefore), std::end(kBefore));
  places.insert(places.end(), std::begin(kAfter), std::end(kAfter));
  for (const auto& [place, text] : aircraft.extra_xml) {
    if (std::find(places.begin(), places.end(), place) != places.end()) continue;
    const std::string nearest = find_nearest(place, places);
    throw Error(fmt::format("extra_xml: unknown place '{}'{}; known are {}", place,
                            nearest.empty() ? "" : fmt::format(" (did you mean '{}'?)", nearest),
                            fmt::join(places, ", ")));
  }
}

void check_numbers(const Aircraft& a) {
  if (!(a.mass > 0) || !std::isfinite(a.mass)) throw Error(fmt::format("mass must be positive, got {}", a.mass));
  if (!(a.delta_time > 0) || !std::isfinite(a.delta_time))
    throw Error(fmt::format("delta_time must be positive, got {}", a.delta_time));
  const std::pair<const char*, const Vec3<double>*> vectors[] = {{"angles_E_to_BP1_izyx", &a.angles_E_to_BP1_izyx},
                                                                 {"g_E", &a.g_E}};
  for (const auto& [name, v] : vectors) {
    for (int i = 0; i < 3; ++i) {
      if (!std::isfinite((*v)[i])) throw Error(fmt::format("{}[{}] is {}", name, i, (*v)[i]));
    }
  }
  check_flight_state(initial_state(a));
}

void check_inertia(const Mat3<double>& I) {
  double largest = 0;
  for (int i = 0; i < 9; ++i) {
    if (!std::isfinite(I.m[i])) throw Error(fmt::format("I_BP1_CgP1[{}][{}] is {}", i / 3, i % 3, I.m[i]));
    largest = std::max(largest, std::abs(I.m[i]));
  }
  for (const auto& [r, c] : {std::pair{0, 1}, {0, 2}, {1, 2}}) {
    if (std::abs(I(r, c) - I(c, r)) > 1e-9 * largest) {
      throw Error(
          fmt::format("I_BP1_CgP1 is not symmetric: {} in row {}, column {}, and {} opposite", I(r, c), r, c, I(c, r)));
    }
  }
  const double minor = I(0, 0) * I(1, 1) - I(0, 1) * I(1, 0);
  if (!(I(0, 0) > 0 && minor > 0 && det(I) > 0)) throw Error("I_BP1_CgP1 is not positive definite: no body has it");
}

std::string sections(const Aircraft& aircraft, std::span<const char* const> places) {
  std::string text;
  for (const char* place : places) {
    const auto found = aircraft.extra_xml.find(place);
    if (found != aircraft.extra_xml.end()) text += found->second + "\n";
  }
  return text;
}

// Rotates axes i and j of the columns of R so that element (i, j) of R' I R is zero. [Jacobi 1846]
void rotate_pair(int i, int j, const Mat3<double>& I, Mat3<double>& R) {
  const Mat3<double> B = transposed_mul(R, I * R);
  if (B(i, j) == 0) return;
  const double theta = (B(j, j) - B(i, i)) / (2 * B(i, j));
  const double t = (theta < 0 ? -1 : 1) / (std::abs(theta) + std::sqrt(theta * theta + 1));
  const double c = 1 / std::sqrt(t * t + 1), s = t * c;
  const Vec3<double> a = R.col(i), b = R.col(j);
  for (int k = 0; k < 3; ++k) R(k, i) = c * a[k] - s * b[k], R(k, j) = s * a[k] + c * b[k];
}

// The compiler's principal axes are MuJoCo's, which stop at 1e-7: a few rotations more make them exact.
void refine_inertia(const Mat3<double>& I, int body, Model& model) {
  Mat3<double> R_BI = to_mat(load4(&model.body_iquat[4 * body]));
  const Mat3<double> now = mul_transposed(R_BI * diag(load3(&model.body_inertia[3 * body])), R_BI);
  double error = 0, size = 0;
  for (int i = 0; i < 9; ++i) error = std::max(error, std::abs(now.m[i] - I.m[i])), size = std::max(size, I.m[i]);
  if (error <= 1e-15 * size) return;
  for (int sweep = 0; sweep < 4; ++sweep) {
    for (const auto& [i, j] : {std::pair{0, 1}, {0, 2}, {1, 2}}) rotate_pair(i, j, I, R_BI);
  }
  const Quat<double> q_BI = from_mat(R_BI);
  R_BI = to_mat(q_BI);
  const Mat3<double> B = transposed_mul(R_BI, I * R_BI);
  store4(&model.body_iquat[4 * body], q_BI);
  store3(&model.body_inertia[3 * body], {B(0, 0), B(1, 1), B(2, 2)});
  set_const(model);
}

}  // namespace

std::string make_aircraft_mjcf(const Aircraft& a) {
  check_names(a);
  check_numbers(a);
  check_inertia(a.I_BP1_CgP1);
  const Quat<double> q = initial_state(a).quat_act_E_to_BP1_wxyz;
  const Mat3<double>& I = a.I_BP1_CgP1;
  const auto mean = [&](int r, int c) { return (I(r, c) + I(c, r)) / 2; };
  const char *const in_world[] = {"worldbody"}, *const in_body[] = {"body"};
  return fmt::format(
      R"(<mujoco model="{0}">
  <compiler worldaxes="ned" bodyaxes="ned"/>
  <option timestep="{1}" integrator="{2}" gravity="{3}"><flag autoreset="disable"/></option>
{4}  <worldbody>
{5}    <body name="{0}" pos="{6}" quat="{7} {8} {9} {10}">
      <freejoint/>
      <inertial pos="0 0 0" mass="{11}" fullinertia="{12} {13} {14} {15} {16} {17}"/>
{18}    </body>
  </worldbody>
{19}</mujoco>
)",
      escaped(a.name), a.delta_time, a.integrator, text_of(a.g_E), sections(a, kBefore), sections(a, in_world),
      text_of(a.position_E_Eo), q.w, q.x, q.y, q.z, a.mass, I(0, 0), I(1, 1), I(2, 2), mean(0, 1), mean(0, 2),
      mean(1, 2), sections(a, in_body), sections(a, kAfter));
}

Model make_aircraft_model(const Aircraft& aircraft) {
  LoadOptions options;
  options.files = aircraft.files;
  Model model = load_string(make_aircraft_mjcf(aircraft), options);
  const int body = model.find(ObjectType::kBody, aircraft.name);
  const bool is_free = body > 0 && model.body_jntnum[body] == 1 &&
                       model.jnt_type[model.body_jntadr[body]] == static_cast<int>(JointType::kFree);
  const bool is_centred = is_free && norm(load3(&model.body_ipos[3 * body])) == 0;
  if (!is_centred || std::abs(model.body_mass[body] - aircraft.mass) > 1e-12 * aircraft.mass) {
    throw Error(
        "extra_xml changes the aircraft: its body must keep its free joint, its mass and its centre of gravity");
  }
  const Mat3<double>& I = aircraft.I_BP1_CgP1;
  if (aircraft.exact_inertia) refine_inertia((I + transpose(I)) * 0.5, body, model);
  return model;
}

}  // namespace torsor
