// Islands of one row: the closed form is the minimum, and bad numbers go the way they always went.
#include <cmath>
#include <limits>
#include <string>

#include <gtest/gtest.h>

#include "tests/support/property.hpp"
#include "torsor/constraint/constraint.hpp"
#include "torsor/dynamics/dynamics.hpp"
#include "torsor/load/load.hpp"
#include "torsor/sim/sim.hpp"
#include "torsor/solver/problem.hpp"

namespace torsor {
namespace {

// One island with one row each: a limit of a hinge in a chain, dry friction, an equality of two trees, a tendon at its
// limit, a ball at its limit, and a frictionless contact.
const char* const kScene = R"(
<mujoco>
  <option%s/>
  <default><geom contype="0" conaffinity="0" density="700"/></default>
  <worldbody>
    <geom type="plane" size="0 0 1" contype="1" conaffinity="1" condim="1"/>
    <body pos="0 0 2"><joint axis="0 1 0" damping="0.1"/><geom type="capsule" size="0.05 0.2"/>
      <body pos="0.3 0 0"><joint axis="0 0 1" range="-20 20" limited="true"/><geom type="box" size="0.1 0.05 0.07"/>
        <body pos="0.3 0 0.1"><joint axis="1 0 0"/><geom type="box" size="0.1 0.15 0.07"/></body></body></body>
    <body pos="2 0 2"><joint axis="0 1 0"/><geom type="capsule" size="0.05 0.2" pos="0 0 -0.3"/>
      <body pos="0.3 0 0"><joint axis="0 1 0" frictionloss="0.4"/><geom type="box" size="0.1 0.05 0.07"/></body></body>
    <body pos="4 0 2"><joint name="a" axis="0 1 0"/><geom type="capsule" size="0.05 0.2" pos="0 0 -0.3"/></body>
    <body pos="5 0 2"><joint name="b" axis="0 1 0"/><geom type="capsule" size="0.07 0.2" pos="0 0 -0.3"/></body>
    <body pos="6 0 2"><joint name="c" axis="0 1 0"/><geom type="capsule" size="0.05 0.2" pos="0 0 -0.3"/>
      <body pos="0.3 0 0"><joint name="d" axis="0 1 0"/><geom type="box" size="0.1 0.05 0.07" pos="0 0 0.2"/></body></body>
    <body pos="8 0 2"><joint type="ball" range="0 30" limited="true"/><geom type="box" size="0.1 0.2 0.3"/></body>
    <body pos="10 0 0.1"><freejoint/><geom type="sphere" size="0.1" contype="1" condim="1"/></body>
  </worldbody>
  <tendon><fixed name="t" range="-0.3 0.3" limited="true"><joint joint="c" coef="1.5"/><joint joint="d" coef="-2"/></fixed>
  </tendon>
  <equality><joint joint1="a" joint2="b" polycoef="0.1 0.7 0 0 0"/></equality>
</mujoco>)";

Model make_model(const char* options) {
  std::string text = kScene;
  text.replace(text.find("%s"), 2, options);
  return load_string(text);
}

void shake(Random& random, const Model& model, Data& data) {
  reset(model, data);
  for (int j = 0; j < model.njnt; ++j) {
    const auto type = static_cast<JointType>(model.jnt_type[j]);
    double* q = &data.qpos[model.jnt_qposadr[j]];
    if (type == JointType::kHinge) *q = random.uniform(-1, 1);
    if (type == JointType::kFree) q[2] = random.uniform(0.095, 0.105);
    if (type == JointType::kBall) {
      const Quat<double> turned = random.quat();
      q[0] = turned.w, q[1] = turned.x, q[2] = turned.y, q[3] = turned.z;
    }
  }
  for (double& v : data.qvel) v = random.uniform(-2, 2);
  for (double& a : data.qacc_warmstart) a = random.uniform(-5, 5);
}

// What the force of a row must be where J a - aref = x.
double force_at(const Data& data, int row, double x) {
  const double pull = -data.efc_D[row] * x, loss = data.efc_frictionloss[row];
  if (row < data.ne) return pull;
  if (row < data.ne + data.nf) return std::fmin(std::fmax(pull, -loss), loss);
  return std::fmax(pull, 0);
}

TEST(SingleRow, TheForceIsTheOneThatTheAccelerationAsksFor) {
  for (const char* options : {"", " solver='CG'", " jacobian='sparse'"}) {
    const Model model = make_model(options);
    Data data(model);
    int seen[10] = {}, linear = 0;
    for_all(200, [&](Random& random) {
      shake(random, model, data);
      forward(model, data);
      std::vector<double> Ja(static_cast<size_t>(data.nefc)), Ma(static_cast<size_t>(model.nv)), da(Ma.size());
      multiply_jacobian(data, data.qacc.data(), Ja.data());
      for (int i = 0; i < model.nv; ++i) da[static_cast<size_t>(i)] = data.qacc[i] - data.qacc_smooth[i];
      multiply_mass_matrix(model, data, da.data(), Ma.data());
      for (int i = 0; i < model.nv; ++i)
        EXPECT_NEAR(Ma[static_cast<size_t>(i)], data.qfrc_constraint[i],
                    1e-9 * (1 + std::fabs(data.qfrc_constraint[i])));
      EXPECT_EQ(data.nisland, data.nefc);  // every island has one row
      for (int r = 0; r < data.nefc; ++r) {
        const double x = Ja[static_cast<size_t>(r)] - data.efc_aref[r], force = data.efc_force[r];
        EXPECT_NEAR(force, force_at(data, r, x), 1e-8 * (1 + std::fabs(force))) << r;
        ++seen[data.efc_type[r]];
        linear += data.efc_state[r] >= static_cast<int>(solver::RowState::kLinearNegative);
        const bool is_curved = data.efc_state[r] == static_cast<int>(solver::RowState::kQuadratic);
        EXPECT_EQ(is_curved, std::fabs(force + data.efc_D[r] * x) < 1e-8 * (1 + std::fabs(force)) && force != 0) << r;
      }
      for (int k = 0; k < data.nisland; ++k) EXPECT_TRUE(data.solver_converged[k]);
      EXPECT_EQ(data.solver_unconverged, 0);
    });
    for (const RowType type : {RowType::kEquality, RowType::kFrictionDof, RowType::kLimitJoint, RowType::kLimitTendon,
                               RowType::kContactFrictionless})
      EXPECT_GT(seen[static_cast<int>(type)], 0) << static_cast<int>(type);
    EXPECT_GT(linear, 0);
  }
}

TEST(SingleRow, AWarmStartThatIsNoNumberSpreadsToItsIslandOnly) {
  const Model model = make_model("");
  Data data(model);
  Random random(3);
  shake(random, model, data);
  data.qacc_warmstart[4] = std::numeric_limits<double>::quiet_NaN();  // the hinge with friction
  forward(model, data);
  EXPECT_TRUE(std::isnan(data.qacc[4]));
  EXPECT_TRUE(std::isfinite(data.qacc[0]) && std::isfinite(data.qacc[5]));
  EXPECT_EQ(data.solver_unconverged, 1);
}

TEST(SingleRow, WithoutIterationsTheStartIsKept) {
  const Model model = make_model(" iterations='0'");
  Data data(model);
  Random random(4);
  shake(random, model, data);
  forward(model, data);
  for (int k = 0; k < data.nisland; ++k) EXPECT_EQ(data.solver_niter[k], 0);
  EXPECT_GT(data.solver_unconverged, 0);
}

}  // namespace
}  // namespace torsor
