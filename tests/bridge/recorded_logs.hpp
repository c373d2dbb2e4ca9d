// Simulated recordings: a free body with its centre of mass off its origin moves under known forces, and a system
// writes down what it sees, with noise.
#pragma once

#include <cmath>
#include <random>
#include <string>
#include <vector>

#include "tests/support/property.hpp"
#include "torsor/bridge/detect.hpp"
#include "torsor/convention/convert.hpp"

namespace torsor::recorded {

using Vec = Vec3<double>;

struct Motion {
  std::vector<double> time;
  std::vector<Pose<double>> X_WB;
  std::vector<Twist<double>> V_WBo_W;
};

// A sum of sines with random phases: smooth, without a period.
class Wander {
 public:
  Wander(Random& random, double scale, double slowest, double fastest) {
    for (int k = 0; k < 4; ++k) {
      rate_.push_back(2 * M_PI * slowest * std::pow(fastest / slowest, random.uniform(0, 1)));
      phase_.push_back(random.vec3(M_PI));
      size_.push_back(random.vec3(scale));
    }
  }
  Vec at(double t) const {
    Vec sum{0, 0, 0};
    for (size_t k = 0; k < rate_.size(); ++k) {
      for (int i = 0; i < 3; ++i) sum[i] += size_[k][i] * std::sin(rate_[k] * t + phase_[k][i]);
    }
    return sum;
  }

 private:
  std::vector<double> rate_;
  std::vector<Vec> phase_, size_;
};

struct Body {
  Vec p_BoBcm_B{0.2, -0.12, 0.15};
  Vec moments{0.3, 0.5, 0.7};
};

// State of the centre of mass, and the rotation with its spin in the body's axes.
struct State {
  Vec p, v;
  Quat<double> q;
  Vec w_B;
};

// Newton and Euler, in small steps whose error is far below any noise.
template <class Load>  // load(t, state) gives the acceleration of the COM in W and the angular one in B
Motion move(const Body& body, State s, double duration, double rate, const Load& load) {
  Motion motion;
  const int inner = std::max(1, static_cast<int>(std::ceil(2000 / rate)));
  const double h = 1 / rate / inner;
  const auto samples = static_cast<int>(duration * rate) + 1;
  for (int i = 0; i < samples; ++i) {
    const Vec r_W = rotate(s.q, body.p_BoBcm_B), w_W = rotate(s.q, s.w_B);
    motion.time.push_back(i / rate);
    motion.X_WB.push_back({s.p - r_W, s.q});
    motion.V_WBo_W.push_back({w_W, s.v - cross(w_W, r_W)});
    for (int k = 0; k < inner; ++k) {
      const double t = i / rate + k * h;
      const auto [a, alpha] = load(t + 0.5 * h, s);
      const Vec w_half = s.w_B + alpha * (0.5 * h);
      State half = s;
      half.q = normalized(s.q * quat_from_rotation_vector(s.w_B * (0.5 * h)));
      half.v = s.v + a * (0.5 * h), half.w_B = w_half, half.p = s.p + s.v * (0.5 * h);
      const auto [a2, alpha2] = load(t + 0.5 * h, half);
      s.p += s.v * h + a2 * (0.5 * h * h);
      s.v += a2 * h;
      s.q = normalized(s.q * quat_from_rotation_vector(half.w_B * h));
      s.w_B += alpha2 * h;
    }
  }
  return motion;
}

struct Loads {
  Vec a_W, alpha_B;
};
inline Vec euler(const Body& body, const Vec& w, const Vec& torque) {
  const Vec gyroscopic = cross(w, hadamard(body.moments, w));
  return {(torque.x - gyroscopic.x) / body.moments.x, (torque.y - gyroscopic.y) / body.moments.y,
          (torque.z - gyroscopic.z) / body.moments.z};
}

enum class Kind { kTumble, kDrone, kThrow };

// A tumbling body under forces that change; one that hovers and drifts; one that was thrown.
inline Motion make_motion(Kind kind, Random& random, double rate, const Body& body, double duration = 10) {
  State s{random.vec3(2), random.vec3(1), random.quat(), random.vec3(1.5)};
  if (kind == Kind::kTumble) {
    const Wander force(random, 1.5, 0.1, 0.6), torque(random, 0.6, 0.1, 0.6);
    return move(body, s, duration, rate, [&](double t, const State& now) {
      return Loads{force.at(t) - now.v * 0.2, euler(body, now.w_B, torque.at(t)) - now.w_B * 0.15};
    });
  }
  if (kind == Kind::kDrone) {  // held near upright and near a place, disturbed all the time
    s.q = normalized(quat_from_rotation_vector(random.vec3(0.2))), s.w_B = {0, 0, 0}, s.v = random.vec3(0.5);
    const Wander force(random, 0.6, 0.05, 0.3), torque(random, 0.6, 0.05, 0.5);
    return move(body, s, duration, rate, [&](double t, const State& now) {
      Vec back = rotation_vector(now.q) * -4.0;
      back.z = 0;
      return Loads{force.at(t) - now.v * 0.3, torque.at(t) + back - now.w_B * 2.0};
    });
  }
  s.w_B = random.unit_vec3() * random.uniform(3, 9), s.v = {random.uniform(-3, 3), random.uniform(-3, 3), 45};
  return move(body, s, duration, rate, [&](double, const State& now) {
    return Loads{{0, 0, -9.80665}, euler(body, now.w_B, {0, 0, 0})};
  });
}

// --- what a system writes
// -------------------------------------------------------------------------------------------------

inline double gauss(Random& random) {
  return std::sqrt(-2 * std::log(1 - random.uniform(0, 1))) * std::cos(2 * M_PI * random.uniform(0, 1));
}

// Gaussian noise of a part of each channel's own standard deviation.
inline void add_noise(std::vector<double>& values, size_t width, double part, Random& random) {
  const size_t count = width ? values.size() / width : 0;
  for (size_t c = 0; c < width; ++c) {
    double sum = 0, squares = 0;
    for (size_t i = 0; i < count; ++i) sum += values[i * width + c];
    const double mean = sum / static_cast<double>(count);
    for (size_t i = 0; i < count; ++i) squares += std::pow(values[i * width + c] - mean, 2);
    const double deviation = part * std::sqrt(squares / static_cast<double>(count));
    for (size_t i = 0; i < count; ++i) values[i * width + c] += deviation * gauss(random);
  }
}

inline void normalise_quats(std::vector<double>& quats) {
  for (size_t i = 0; i + 3 < quats.size(); i += 4) {
    const double length = std::sqrt(quats[i] * quats[i] + quats[i + 1] * quats[i + 1] + quats[i + 2] * quats[i + 2] +
                                    quats[i + 3] * quats[i + 3]);
    for (size_t c = 0; c < 4; ++c) quats[i + c] /= length;
  }
}

inline LogColumns write_log(const Row& row, const Motion& motion, BodyPlace<double> place) {
  LogColumns log;
  log.time = motion.time;
  const size_t rotation = row.rotation == RotationForm::kMatrix ? 9 : 4;
  for (size_t i = 0; i < motion.time.size(); ++i) {
    place.X_WB = motion.X_WB[i];
    place.p_WoTcm_W = apply(place.X_WB, place.p_BoBcm_B);
    double pose[12];
    write_pose(row, place, pose);
    const bool first = row.pose == PoseOrder::kRotationFirst;
    const double* p = first ? pose + rotation : pose;
    const double* r = first ? pose : pose + 3;
    log.position.insert(log.position.end(), p, p + 3);
    log.rotation.insert(log.rotation.end(), r, r + rotation);
    const Parts<double> parts = SpatialMap<double>(row.twist, row, place).twist(motion.V_WBo_W[i]);
    for (int c = 0; c < 3; ++c) log.linear.push_back(parts.linear[c]), log.angular.push_back(parts.angular[c]);
  }
  return log;
}

inline void add_noise(LogColumns& log, double part, Random& random) {
  add_noise(log.position, 3, part, random);
  add_noise(log.rotation, log.rotation_width(), part, random);
  if (log.rotation_width() == 4) normalise_quats(log.rotation);
  add_noise(log.linear, 3, part, random);
  add_noise(log.angular, 3, part, random);
}

// The columns of a file without titles: pose and twist in the row's own order.
inline LogColumns without_names(const LogColumns& log, const Row& row) {
  LogColumns plain = log;
  plain.pose_order_known = plain.twist_order_known = false;
  if (row.pose == PoseOrder::kRotationFirst) {
    for (size_t i = 0; i < log.samples(); ++i) {
      const double* p = &log.position[3 * i];
      const double* q = &log.rotation[4 * i];
      const double pose[] = {q[0], q[1], q[2], q[3], p[0], p[1], p[2]};
      std::copy(pose, pose + 3, &plain.position[3 * i]);
      std::copy(pose + 3, pose + 7, &plain.rotation[4 * i]);
    }
  }
  if (row.twist.order == BlockOrder::kAngularFirst) std::swap(plain.linear, plain.angular);
  return plain;
}

}  // namespace torsor::recorded
