// Derivatives by differences against laws that need no other engine, and what they leave of the Data.
#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <stdexcept>
#include <string>
#include <vector>

#include "tests/sim/scenes.hpp"
#include "torsor/core/error.hpp"
#include "torsor/dynamics/dynamics.hpp"
#include "torsor/sim/differences.hpp"

namespace torsor {
namespace {

// A mass on a spring with a damper and a motor: linear, so that differences are exact up to rounding.
const char kOscillator[] = R"(
<mujoco>
  <option timestep="0.01" gravity="0 0 0"/>
  <worldbody>
    <body><joint name="slide" type="slide" axis="1 0 0" stiffness="30" damping="0.5"/><geom size="0.1" mass="2"/></body>
  </worldbody>
  <actuator><motor joint="slide" gear="3" ctrlrange="-1 1" ctrllimited="true"/></actuator>
  <sensor><jointpos joint="slide"/><jointvel joint="slide"/><actuatorfrc actuator="0"/></sensor>
</mujoco>)";

std::string oscillator() {
  std::string text = kOscillator;
  text.replace(text.find("<motor joint"), 6, "<motor name=\"0\"");
  return text;
}

// Boxes that fall onto a plane: contact, and free joints.
const char kBoxes[] = R"(
<mujoco>
  <option cone="elliptic"/>
  <worldbody>
    <geom type="plane" size="5 5 1"/>
    <body pos="0 0 0.1"><freejoint/><geom type="box" size="0.2 0.15 0.1"/></body>
    <body pos="0.05 0 0.29"><freejoint/><geom type="box" size="0.1 0.1 0.1"/></body>
  </worldbody>
</mujoco>)";

void expect_matrix(const Matrix& matrix, const std::vector<std::vector<double>>& rows, double tolerance) {
  ASSERT_EQ(static_cast<size_t>(matrix.rows), rows.size());
  for (int i = 0; i < matrix.rows; ++i) {
    ASSERT_EQ(static_cast<size_t>(matrix.columns), rows[static_cast<size_t>(i)].size());
    for (int j = 0; j < matrix.columns; ++j)
      EXPECT_NEAR(matrix(i, j), rows[static_cast<size_t>(i)][static_cast<size_t>(j)], tolerance) << i << ", " << j;
  }
}

// All that a Data holds, as bytes.
std::vector<double> contents(Data& data) {
  std::vector<double> all{data.time,
                          data.energy[0],
                          data.energy[1],
                          double(data.ncon),
                          double(data.nefc),
                          double(data.noise_step),
                          double(data.has_rne_post),
                          double(data.results().used()),
                          data.solver_fwdinv[0],
                          data.solver_fwdinv[1],
                          double(data.solver_niter[0])};
  data.for_each_field(
      [&](const FieldInfo&, Field<double>& field) { all.insert(all.end(), field.begin(), field.end()); });
  data.for_each_row_field([&](const FieldInfo&, auto& field) {
    for (const auto value : field) all.push_back(static_cast<double>(value));
  });
  for (const Contact& contact : data.contact) all.insert(all.end(), contact.frame, contact.frame + 9);
  for (const WarningCount& warning : data.warning) all.push_back(warning.number);
  for (const TimerCount& timer : data.timer) all.push_back(timer.duration);
  return all;
}

// Semi-implicit Euler with implicit damping: v' = v + h (f - k x - b v) / (m + h b), x' = x + h v'.
TEST(Differences, ALinearSystemHasTheMatricesOfItsStep) {
  const Model model = load_string(oscillator());
  Data data(model);
  data.qpos[0] = 0.3;
  data.qvel[0] = -0.7;
  data.ctrl[0] = 0.4;
  const double h = 0.01, m = 2, k = 30, b = 0.5, gear = 3, w = 1 / (m + h * b);
  const double vx = -h * k * w, vv = 1 - h * b * w, vu = h * gear * w;
  const auto [A, B, C, D] = transition_derivatives(model, data);
  expect_matrix(A, {{1 + h * vx, h * vv}, {vx, vv}}, 1e-9);
  expect_matrix(B, {{h * vu}, {vu}}, 1e-9);
  expect_matrix(C, {{1, 0}, {0, 1}, {0, 0}}, 1e-9);
  expect_matrix(D, {{0}, {0}, {1}}, 1e-9);
  const ForwardDerivatives by = forward_derivatives(model, data);
  expect_matrix(by.qpos, {{-k / m}}, 1e-7);
  expect_matrix(by.qvel, {{-b / m}}, 1e-7);
  expect_matrix(by.ctrl, {{gear / m}}, 1e-7);
  expect_matrix(by.qfrc_applied, {{1 / m}}, 1e-7);
  expect_matrix(by.xfrc_applied, {{0, 0, 0, 0, 0, 0, 1 / m, 0, 0, 0, 0, 0}}, 1e-7);
  const InverseDerivatives inverse = inverse_derivatives(model, data);
  expect_matrix(inverse.qpos, {{k}}, 1e-7);
  expect_matrix(inverse.qvel, {{b}}, 1e-7);
  expect_matrix(inverse.qacc, {{m}}, 1e-7);
}

// A pendulum of a point mass at the end of a rod: a = -g / l cos(q) from the horizontal.
TEST(Differences, APendulumHasTheDerivativeOfItsEquation) {
  const Model model = load_string(R"(<mujoco><option integrator="RK4"/><worldbody><body><joint axis="0 1 0"/>
      <inertial pos="0.5 0 0" mass="1" diaginertia="1e-6 1e-6 1e-6"/></body></worldbody></mujoco>)");
  Data data(model);
  for (const double q : {0.0, 0.4, 2.0}) {
    data.qpos[0] = q;
    const double inertia = 0.25 + 1e-6;
    EXPECT_NEAR(forward_derivatives(model, data).qpos(0, 0), -9.81 * 0.5 * std::sin(q) / inertia, 1e-7);
    // the exact flow exp(h [[0, 1], [a', 0]]) to second order
    const double slope = -9.81 * 0.5 * std::sin(q) / inertia, h = model.opt.timestep;
    const Matrix A = transition_derivatives(model, data).A;
    EXPECT_NEAR(A(0, 0), 1 + h * h * slope / 2, 1e-7);
    EXPECT_NEAR(A(0, 1), h, 1e-7);
    EXPECT_NEAR(A(1, 0), h * slope, 1e-6);
  }
}

TEST(Differences, AFreeBodyAtRestInSpaceTurnsInItsTangentSpace) {
  Model model = load_string(R"(<mujoco><option gravity="0 0 0" timestep="0.01"/><worldbody><body><freejoint/>
      <geom type="box" size="0.3 0.2 0.1"/></body></worldbody></mujoco>)");
  Data data(model);
  const double quat[] = {0.5, -0.5, 0.5, 0.5};
  std::copy(quat, quat + 4, data.qpos.begin() + 3);
  const Matrix A = transition_derivatives(model, data).A;
  for (int i = 0; i < 12; ++i) {
    for (int j = 0; j < 12; ++j) EXPECT_NEAR(A(i, j), i == j ? 1 : (j == i + 6 ? 0.01 : 0), 1e-9) << i << ", " << j;
  }
}

TEST(Differences, ControlsAtTheEdgeOfTheirRangeMoveToTheInside) {
  const Model model = load_string(oscillator());
  Data data(model);
  const double inside = transition_derivatives(model, data).B(1, 0);
  EXPECT_GT(inside, 0.01);
  for (const double edge : {-1.0, 1.0, 1.0 - 1e-7}) {
    data.ctrl[0] = edge;
    for (const bool centered : {true, false})
      EXPECT_NEAR(transition_derivatives(model, data, {.centered = centered}).B(1, 0), inside, 1e-8) << edge;
  }
  data.ctrl[0] = 1.5;
  EXPECT_EQ(transition_derivatives(model, data).B(1, 0), 0);
}

TEST(Differences, NothingOfTheDataChanges) {
  for (const Integrator integrator : kIntegrators) {
    Model model = load_string(kBoxes);
    model.opt.integrator = static_cast<int>(integrator);
    Data data(model);
    data.timers_on = true;
    for (int i = 0; i < 40; ++i) step(model, data);
    ASSERT_GT(data.nefc, 0);
    const std::vector<double> before = contents(data);
    transition_derivatives(model, data);
    EXPECT_TRUE(same_bits(contents(data), before));
    forward_derivatives(model, data);
    inverse_derivatives(model, data);
    EXPECT_TRUE(same_bits(contents(data), before));
    Data other(data);  // and it goes on as one that was never asked
    step(model, data);
    step(model, other);
    EXPECT_TRUE(same_bits(state_of(model, data), state_of(model, other)));
  }
}

TEST(Differences, ACallbackThatThrowsLeavesTheData) {
  const Model model = load_string(kBoxes);
  Data data(model);
  for (int i = 0; i < 40; ++i) step(model, data);
  for (const int fail_at : {1, 2, 7, 30}) {
    int calls = 0;
    data.control = [&](const Model&, Data& d) {
      d.qfrc_applied[0] = 0.1;
      if (++calls == fail_at) throw std::runtime_error("enough");
    };
    const std::vector<double> before = contents(data);
    EXPECT_THROW(transition_derivatives(model, data), std::runtime_error);
    EXPECT_EQ(calls, fail_at);
    EXPECT_TRUE(same_bits(contents(data), before)) << fail_at;
  }
}

// A spring that a callback makes.
TEST(Differences, ControlCallbacksArePartOfTheFunction) {
  const Model model = load_string(oscillator());
  Data data(model);
  data.control = [](const Model&, Data& d) { d.qfrc_applied[0] = -10 * d.qpos[0]; };
  EXPECT_NEAR(forward_derivatives(model, data).qpos(0, 0), -(30 + 10) / 2.0, 1e-7);
}

TEST(Differences, ReusedStagesChangeRoundingOnly) {
  for (const Integrator integrator : kIntegrators) {
    Model model = load_string(kBoxes);
    model.opt.integrator = static_cast<int>(integrator);
    Data data(model);
    for (int i = 0; i < 25; ++i) step(model, data);
    const Matrix reused = transition_derivatives(model, data).A;
    const Matrix whole = transition_derivatives(model, data, {.reuse = false}).A;
    double largest = 0, difference = 0;
    for (size_t i = 0; i < whole.values.size(); ++i) {
      largest = std::max(largest, std::fabs(whole.values[i]));
      difference = std::max(difference, std::fabs(whole.values[i] - reused.values[i]));
    }
    EXPECT_LE(difference, 5 * 2.2e-16 / 1e-6 * (1 + largest));
  }
}

TEST(Differences, TheErrorIsTheDistanceToTheSecondStep) {
  const Model model = make_scene();
  Data data(model);
  stir(model, data);
  TransitionDerivatives error;
  const Matrix A = transition_derivatives(model, data, {.eps = 1e-4, .second_eps = 2e-4}, &error).A;
  const Matrix other = transition_derivatives(model, data, {.eps = 2e-4}).A;
  double largest = 0;
  for (size_t i = 0; i < A.values.size(); ++i) {
    EXPECT_EQ(error.A.values[i], std::fabs(A.values[i] - other.values[i]));
    largest = std::max(largest, error.A.values[i]);
  }
  EXPECT_GT(largest, 0);
  EXPECT_LT(largest, 1e-5);
}

TEST(Differences, BadArgumentsAreErrors) {
  const Model model = make_scene(), other = load_string(kBoxes);
  Data data(model), other_data(other);
  for (const double eps : {0.0, -1e-6, std::nan(""), double(INFINITY)})
    EXPECT_THROW(transition_derivatives(model, data, {.eps = eps}), Error) << eps;
  EXPECT_THROW(transition_derivatives(model, other_data), Error);
  EXPECT_THROW(forward_derivatives(model, data, {.iterations = -1}), Error);
  InverseDerivatives error;
  EXPECT_THROW(inverse_derivatives(model, data, {.eps = 1e-6, .second_eps = 1e-6}, &error), Error);
  EXPECT_THROW(inverse_derivatives(model, data, {}, &error), Error);
}

}  // namespace
}  // namespace torsor
