// A glider in free flight: loads from a strip model, trimmed, released with a disturbance, flown for 60 seconds. The
// period of its phugoid, a slow exchange of height and speed, is compared with the textbook's formula.
#include <torsor/torsor.hpp>

#include <cmath>
#include <cstdio>
#include <numbers>
#include <vector>

using torsor::Vec3;

namespace {

constexpr double kRho = 1.225, kG = 9.80665, kMass = 1.5, kSpeed = 10, kStep = 0.0025, kDuration = 60;
constexpr double kPi = std::numbers::pi;

struct Load {
  Vec3<double> force, moment;  // about the CG, body axes
  double lift = 0;             // mean lift coefficient
};

// Strips of a lifting surface across the span, in body axes: x forward, y right, z down.
struct Surface {
  double x, span, chord;
  int count;

  Load load(const Vec3<double>& velocity, const Vec3<double>& rates, double incidence) const {
    const double aspect = span / chord, slope = 2 * kPi * aspect / (aspect + 2), area = span * chord / count;
    Load sum{{0, 0, 0}, {0, 0, 0}};
    for (int i = 0; i < count; ++i) {
      const Vec3<double> point{x, (i + 0.5) / count * span - span / 2, 0}, v = velocity + cross(rates, point);
      const double alpha = std::atan2(v.z, v.x), lift = slope * (alpha + incidence);
      const double drag = 0.012 + lift * lift / (kPi * aspect * 0.9);
      const double pressure = 0.5 * kRho * (v.x * v.x + v.z * v.z) * area;
      const double c = std::cos(alpha), s = std::sin(alpha);
      const Vec3<double> force{pressure * (lift * s - drag * c), 0, -pressure * (lift * c + drag * s)};
      sum.force += force, sum.moment += cross(point, force), sum.lift += lift / count;
    }
    return sum;
  }
};

Load strip_load(const Vec3<double>& velocity, const Vec3<double>& rates, double tail_incidence) {
  const Surface wing{-0.02, 2.4, 0.2, 16}, tail{-0.87, 0.5, 0.12, 6};
  Load sum = wing.load(velocity, rates, 0);
  const double downwash = 2 * sum.lift / (kPi * wing.span / wing.chord);
  const Load rear = tail.load(velocity, rates, tail_incidence - downwash);
  sum.force += rear.force, sum.moment += rear.moment;
  return sum;
}

struct Trim {
  double alpha, path, incidence;
};

// Force along x and z and moment about y that are left, weight included.
Vec3<double> unbalance(const Trim& t) {
  const Load load = strip_load({kSpeed * std::cos(t.alpha), 0, kSpeed * std::sin(t.alpha)}, {0, 0, 0}, t.incidence);
  const double pitch = t.alpha + t.path, weight = kMass * kG;
  return {load.force.x - weight * std::sin(pitch), load.force.z + weight * std::cos(pitch), load.moment.y};
}

// Newton's method with differences; Cramer's rule for the three unknowns.
Trim find_trim() {
  Trim t{0.08, -0.04, -0.02};
  for (int i = 0; i < 20; ++i) {
    const double h = 1e-6;
    const auto slope = [&](double Trim::*which) {
      Trim up = t, down = t;
      up.*which += h, down.*which -= h;
      return (unbalance(up) - unbalance(down)) / (2 * h);
    };
    const Vec3<double> a = slope(&Trim::alpha), b = slope(&Trim::path), c = slope(&Trim::incidence), r = unbalance(t);
    const double det = dot(a, cross(b, c));
    t.alpha -= dot(r, cross(b, c)) / det, t.path -= dot(a, cross(r, c)) / det, t.incidence -= dot(a, cross(b, r)) / det;
  }
  return t;
}

// Times of the maxima of the airspeed, once the short period has died away.
std::vector<double> fly(torsor::FreeFlight& glider, double incidence) {
  std::vector<double> peaks;
  double before = 0, now = 0;
  while (glider.get_state().time < kDuration) {
    const torsor::FlightState state = glider.get_state();
    if (state.time > 2 && before < now && now >= state.airspeed()) peaks.push_back(state.time - kStep);
    before = now, now = state.airspeed();
    const Load load = strip_load(state.air_velocity_BP1(), state.omegas_BP1__E * torsor::kRadiansPerDegree, incidence);
    glider.apply_loads({.forces = load.force, .moments = load.moment, .axes = torsor::FlightAxes::kBody});
    if (glider.step() != torsor::Status::kOk) break;
  }
  return peaks;
}

}  // namespace

int main() {
  const Trim trim = find_trim();
  const double degrees = 1 / torsor::kRadiansPerDegree, inertia = 0.12;
  torsor::Aircraft aircraft;
  aircraft.name = "glider", aircraft.mass = kMass, aircraft.delta_time = kStep;
  aircraft.I_BP1_CgP1 = torsor::diag(Vec3<double>{0.35, inertia, 0.46});
  aircraft.position_E_Eo = {0, 0, -300};
  aircraft.angles_E_to_BP1_izyx = {0, (trim.alpha + trim.path) * degrees, 0};
  aircraft.velocity_E__E = Vec3<double>{std::cos(trim.path), 0, -std::sin(trim.path)} * (kSpeed + 0.5);
  torsor::FreeFlight glider(aircraft);
  const std::vector<double> peaks = fly(glider, trim.incidence);
  if (peaks.size() < 3) return 1;
  const double period = (peaks.back() - peaks.front()) / static_cast<double>(peaks.size() - 1);

  // slopes by angle of attack and by rate of pitch, for the margins that the period depends on
  const auto at = [&](double alpha, double q) {
    return strip_load({kSpeed * std::cos(alpha), 0, kSpeed * std::sin(alpha)}, {0, q, 0}, trim.incidence);
  };
  const double h = 1e-5, a = trim.alpha;
  const double heave = -(at(a + h, 0).force.z - at(a - h, 0).force.z) / (2 * h) / (kMass * kSpeed);
  const double stiffness = -(at(a + h, 0).moment.y - at(a - h, 0).moment.y) / (2 * h) / inertia;
  const double damping = -(at(a, h).moment.y - at(a, -h).moment.y) / (2 * h) / inertia;
  const double lanchester = std::sqrt(2.0) * kPi * kSpeed / kG;
  const double formula = lanchester * std::sqrt(1 + heave * damping / stiffness);
  std::printf("trim: angle of attack %.3f, path %.3f, tail %.3f degrees\n", trim.alpha * degrees, trim.path * degrees,
              trim.incidence * degrees);
  std::printf("phugoid: period %.3f s; Lanchester %.3f s, with margins %.3f s\n", period, lanchester, formula);
  return std::abs(period / formula - 1) < 0.1 ? 0 : 1;
}
