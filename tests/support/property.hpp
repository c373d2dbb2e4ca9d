// Property tests: a law is checked on many random cases; the first case that breaks it is reported with its seed, and
// TORSOR_TEST_SEED=<seed> runs that case alone. The cases are the same in every run, unless TORSOR_SEED=<first seed>
// asks for others: scripts/test --long draws a new one each time.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <random>
#include <vector>

#include "torsor/math/pose.hpp"
#include "torsor/math/spatial.hpp"

namespace torsor {

// Random numbers that are the same on every machine: the standard fixes this generator's bits, and the conversions to
// numbers are ours.
class Random {
 public:
  explicit Random(std::uint64_t seed) : bits_(seed) {}

  // A law says that this case does not meet its conditions: `if (points.empty()) return random.screen();`
  void screen() { is_screened_ = true; }
  bool is_screened() const { return is_screened_; }

  double uniform(double lo, double hi) { return lo + (hi - lo) * (double(bits_() >> 11) * 0x1p-53); }
  // lo and hi included
  int integer(int lo, int hi) { return lo + int(bits_() % (std::uint64_t(hi - lo) + 1)); }
  bool chance(double probability) { return uniform(0, 1) < probability; }
  // all magnitudes between lo and hi alike, either sign
  double magnitude(double lo, double hi) {
    const double value = lo * std::pow(hi / lo, uniform(0, 1));
    return chance(0.5) ? value : -value;
  }

  Vec3<double> vec3(double scale = 1) {
    return {uniform(-scale, scale), uniform(-scale, scale), uniform(-scale, scale)};
  }
  Vec3<double> unit_vec3() {
    const double z = uniform(-1, 1), angle = uniform(-M_PI, M_PI), r = std::sqrt(1 - z * z);
    return {r * std::cos(angle), r * std::sin(angle), z};
  }
  // any rotation, all alike [Shoemake 1992]
  Quat<double> quat() {
    const double u = uniform(0, 1), a = uniform(-M_PI, M_PI), b = uniform(-M_PI, M_PI);
    const double p = std::sqrt(u), q = std::sqrt(1 - u);
    return normalized(Quat<double>{p * std::cos(a), p * std::sin(a), q * std::cos(b), q * std::sin(b)});
  }
  Mat3<double> rotation() { return to_mat(quat()); }
  Mat3<double> mat(double scale = 1) { return mat_from_rows(vec3(scale), vec3(scale), vec3(scale)); }
  Pose<double> pose(double scale = 1) { return {vec3(scale), quat()}; }
  Twist<double> twist(double scale = 1) { return {vec3(scale), vec3(scale)}; }
  Wrench<double> wrench(double scale = 1) { return {vec3(scale), vec3(scale)}; }
  // principal moments of a body of about the given size: each at most the sum of the others
  Vec3<double> moments(double scale = 1) {
    const double x = uniform(0, scale), y = uniform(0, scale), z = uniform(0, scale);
    return {y + z, x + z, x + y};
  }
  std::vector<double> numbers(int n, double scale = 1) {
    std::vector<double> result(n);
    for (double& x : result) x = uniform(-scale, scale);
    return result;
  }

 private:
  std::mt19937_64 bits_;
  bool is_screened_ = false;
};

// The number that an environment variable holds, or the one that counts without it.
inline std::uint64_t seed_from(const char* variable, std::uint64_t otherwise) {
  const char* text = std::getenv(variable);
  return text && *text ? std::strtoull(text, nullptr, 10) : otherwise;
}

// scripts/test --quick and --long set these.
inline bool is_quick() { return std::getenv("TORSOR_QUICK") != nullptr; }
inline bool is_long() { return std::getenv("TORSOR_LONG") != nullptr; }
inline int number_of_cases(int quick, int ordinary, int long_run) {
  return is_quick() ? quick : is_long() ? long_run : ordinary;
}

// The first seed of this run's random cases.
inline std::uint64_t first_seed() { return seed_from("TORSOR_SEED", 1); }

// Calls law(random) for n seeds, until one fails. A law that screens out every case has checked nothing, which fails.
template <class Law>
void for_all(int n, Law law) {
  const bool is_single = std::getenv("TORSOR_TEST_SEED") != nullptr;
  const std::uint64_t first = seed_from("TORSOR_TEST_SEED", first_seed());
  const std::uint64_t last = is_single ? first : first + std::uint64_t(n) - 1;
  int screened = 0;
  for (std::uint64_t seed = first; seed <= last; ++seed) {
    Random random(seed);
    law(random);
    screened += random.is_screened();
    if (testing::Test::HasFailure()) {
      ADD_FAILURE() << "the law fails for TORSOR_TEST_SEED=" << seed;
      return;
    }
  }
  if (is_single) return;
  EXPECT_LT(screened, n) << "none of the " << n << " cases from seed " << first << " on was checked";
}

inline std::vector<double> components(double x) { return {x}; }
inline std::vector<double> components(const std::vector<double>& x) { return x; }
inline std::vector<double> components(const Vec3<double>& v) { return {v.x, v.y, v.z}; }
inline std::vector<double> components(const Quat<double>& q) { return {q.w, q.x, q.y, q.z}; }
inline std::vector<double> components(const Mat3<double>& m) { return {m.m, m.m + 9}; }
inline std::vector<double> components(const Sym3<double>& s) { return components(to_mat(s)); }
inline std::vector<double> components(const Pose<double>& X) {
  return {X.p.x, X.p.y, X.p.z, X.q.w, X.q.x, X.q.y, X.q.z};
}
inline std::vector<double> components(const Twist<double>& V) { return {V.w.x, V.w.y, V.w.z, V.v.x, V.v.y, V.v.z}; }
inline std::vector<double> components(const Wrench<double>& F) { return {F.t.x, F.t.y, F.t.z, F.f.x, F.f.y, F.f.z}; }
inline std::vector<double> components(const SpatialInertia<double>& a) {
  std::vector<double> result(10);
  store10(result.data(), a);
  return result;
}

// Whether a and b differ by no more than tolerance, relative to their largest component or to 1 if that is larger.
template <class A, class B>
testing::AssertionResult is_near_rel(const char* a_text, const char* b_text, const char*, const A& a, const B& b,
                                     double tolerance) {
  const std::vector<double> x = components(a), y = components(b);
  if (x.size() != y.size()) return testing::AssertionFailure() << a_text << " and " << b_text << " differ in size";
  double size = 1, error = 0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    size = std::max({size, std::abs(x[i]), std::abs(y[i])});
    const double difference = std::abs(x[i] - y[i]);
    if (!(difference <= error)) error = difference;  // NaN counts, and stays
  }
  if (error <= tolerance * size) return testing::AssertionSuccess();
  return testing::AssertionFailure() << a_text << " and " << b_text << " differ by " << error / size
                                     << " relative, more than " << tolerance << ":\n  " << testing::PrintToString(x)
                                     << "\n  " << testing::PrintToString(y);
}

// the same rotation, whichever of q and -q stands for it
inline testing::AssertionResult is_same_rotation(const Quat<double>& a, const Quat<double>& b, double tolerance) {
  const Quat<double> negative{-b.w, -b.x, -b.y, -b.z};
  return is_near_rel("a", "b", "", a, dot(a, b) < 0 ? negative : b, tolerance);
}

// what a few dozen roundings of numbers about one add up to at worst
inline constexpr double kRounding = 5e-15;

#define EXPECT_NEAR_REL(a, b, tolerance) EXPECT_PRED_FORMAT3(torsor::is_near_rel, a, b, tolerance)

}  // namespace torsor
