// mju_clip, mju_muscleGain, mju_type2Str and so on: functions of single numbers, words and pyramids.
#include <algorithm>
#include <cmath>
#include <random>

#include <fmt/format.h>

#include "call.hpp"
#include "mj_objects.hpp"
#include "torsor/contact/ray.hpp"
#include "torsor/core/error.hpp"
#include "torsor/dynamics/muscle.hpp"
#include "torsor/math/pose.hpp"

namespace torsor::python::mj {
namespace {

PyObject* least(Args& a) { return number(std::min(a.real(0), a.real(1))); }
PyObject* greatest(Args& a) { return number(std::max(a.real(0), a.real(1))); }
PyObject* clip(Args& a) { return number(std::max(a.real(1), std::min(a.real(2), a.real(0)))); }
PyObject* sign(Args& a) { return number(a.real(0) > 0 ? 1 : a.real(0) < 0 ? -1 : 0); }
PyObject* round_number(Args& a) {
  if (!(std::fabs(a.real(0)) < 9e18)) throw_type_error("x must be finite");
  return whole(std::lround(a.real(0)));
}
PyObject* is_bad(Args& a) { return whole(!(std::fabs(a.real(0)) <= kMaxValue)); }

// A polynomial of order 5 from 0 to 1 with two continuous derivatives.
PyObject* sigmoid(Args& a) {
  const double x = std::clamp(a.real(0), 0.0, 1.0);
  return number(x * x * x * (3 * x * (2 * x - 5) + 10));
}

// The index-th number of the sequence with the base, by the digits of the index behind the point.
PyObject* halton(Args& a) {
  const int base = a.integer(1);
  if (base < 2) throw Error(fmt::format("mju_Halton: base must be at least 2, got {}", base));
  double result = 0, place = 1;
  for (int index = a.integer(0); index > 0; index /= base) {
    place /= base;
    result += place * (index % base);
  }
  return number(result);
}

// Position after dt of x'' = -Kp x - Kv x', from pos0 and vel0.
PyObject* spring_damper(Args& a) {
  const double x0 = a.real(0), v0 = a.real(1), Kp = a.real(2), Kv = a.real(3), t = a.real(4);
  const double decay = 0.5 * Kv, discriminant = decay * decay - Kp, root = std::sqrt(std::fabs(discriminant));
  const double lead = std::exp(-decay * t), slope = v0 + decay * x0;
  if (root < kMinValue) return number(lead * (x0 + slope * t));
  if (discriminant > 0) return number(lead * (x0 * std::cosh(root * t) + slope / root * std::sinh(root * t)));
  return number(lead * (x0 * std::cos(root * t) + slope / root * std::sin(root * t)));
}

PyObject* muscle_gain(Args& a) {  // len vel lengthrange acc0 prm
  return number(Muscle(a.reals(4), a.reals(2), a.real(3)).gain(a.real(0), a.real(1)));
}
PyObject* muscle_bias(Args& a) {  // len lengthrange acc0 prm
  return number(Muscle(a.reals(3), a.reals(1), a.real(2)).bias(a.real(0)));
}
PyObject* muscle_rate(Args& a) { return number(muscle_activation_rate(a.real(0), a.real(1), a.reals(2))); }

// Forces of a cone (normal, then tangents) as forces along the edges of the pyramid, two for each tangent.
PyObject* encode_pyramid(Args& a) {  // pyramid force mu
  const int n = a.size(2);
  if (a.size(0) != 2 * n) throw_type_error("pyramid should have twice the size of mu");
  if (a.size(1) != n + 1) throw_type_error("force should have one number more than mu");
  const double normal = a.reals(1)[0] / n;
  for (int i = 0; i < n; ++i) {
    const double b = std::min(normal, a.reals(1)[i + 1] / a.reals(2)[i]);
    a.reals(0)[2 * i] = 0.5 * (normal + b);
    a.reals(0)[2 * i + 1] = 0.5 * (normal - b);
  }
  return none();
}
PyObject* decode_pyramid(Args& a) {  // force pyramid mu
  const int n = a.size(2);
  if (a.size(1) != 2 * n) throw_type_error("pyramid should have twice the size of mu");
  if (a.size(0) != n + 1) throw_type_error("force should have one number more than mu");
  double normal = 0;
  for (int i = 0; i < 2 * n; ++i) normal += a.reals(1)[i];
  for (int i = 0; i < n; ++i) a.reals(0)[i + 1] = (a.reals(1)[2 * i] - a.reals(1)[2 * i + 1]) * a.reals(2)[i];
  a.reals(0)[0] = normal;
  return none();
}

PyObject* ray_at_shape(Args& a) {  // pos mat size pnt vec geomtype normal
  const int type = a.integer(5);
  if (type < 0 || type > static_cast<int>(GeomType::kBox) || type == static_cast<int>(GeomType::kHfield))
    throw Error(fmt::format("mju_rayGeom: geoms of type {} have no shape of their own", type));
  Mat3<double> R;
  std::copy_n(a.reals(1), 9, R.m);
  const Vec3<double> origin = transposed_mul(R, load3(a.reals(3)) - load3(a.reals(0)));
  const RayHit hit =
      cast_ray_at_shape(static_cast<GeomType>(type), a.reals(2), {origin, transposed_mul(R, load3(a.reals(4)))});
  if (a.is_given(6)) store3(a.reals(6), hit.found() ? R * hit.normal : Vec3<double>{0, 0, 0});
  return number(hit.distance);
}

PyObject* standard_normal(Args&) {
  thread_local std::mt19937_64 random{std::random_device{}()};
  thread_local std::normal_distribution<double> normal;
  return number(normal(random));
}

PyObject* warning_words(Args& a) {
  const int kind = a.integer(0);
  if (kind < 0 || kind >= static_cast<int>(Warning::kCount))
    throw Error(fmt::format("mju_warningText: no warning {}", kind));
  return text(warning_text(static_cast<Warning>(kind), a.integer(1)));
}

PyObject* count_of_bytes(Args& a) {
  constexpr const char* kUnits = " KMGTPE";
  if (!(a.real(0) >= 0 && a.real(0) < 1e19)) throw_type_error("nbytes must be a count of bytes");
  auto size = static_cast<unsigned long long>(a.real(0));
  int unit = 0;
  while (size > 0 && size % 1024 == 0 && unit < 6) size /= 1024, ++unit;
  return text(unit == 0 ? fmt::format("{}", size) : fmt::format("{}{}", size, kUnits[unit]));
}

}  // namespace

void bind_number_functions(nb::module_& m) {
  const Function rows[] = {
      {"mju_min", "a:f b:f", least},
      {"mju_max", "a:f b:f", greatest},
      {"mju_clip", "x:f min:f max:f", clip},
      {"mju_sign", "x:f", sign},
      {"mju_round", "x:f", round_number},
      {"mju_isBad", "x:f", is_bad},
      {"mju_sigmoid", "x:f", sigmoid},
      {"mju_Halton", "index:i base:i", halton},
      {"mju_springDamper", "pos0:f vel0:f Kp:f Kv:f dt:f", spring_damper},
      {"mju_muscleGain", "len:f vel:f lengthrange:v2 acc0:f prm:v9", muscle_gain},
      {"mju_muscleBias", "len:f lengthrange:v2 acc0:f prm:v9", muscle_bias},
      {"mju_muscleDynamics", "ctrl:f act:f prm:v3", muscle_rate},
      {"mju_encodePyramid", "pyramid:V force:v mu:v", encode_pyramid},
      {"mju_decodePyramid", "force:V pyramid:v mu:v", decode_pyramid},
      {"mju_rayGeom", "pos:v3 mat:v9 size:v3 pnt:v3 vec:v3 geomtype:i normal:V3?=None", ray_at_shape},
      {"mju_standardNormal", "num2:o?=None", standard_normal},
      {"mju_warningText", "warning:i info:i", warning_words},
      {"mju_writeNumBytes", "nbytes:f", count_of_bytes},
  };
  add_functions(m, rows);
}

}  // namespace torsor::python::mj
