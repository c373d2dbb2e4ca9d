// A double pendulum built and stepped as in Newton: builder, model, states, solver.
#include <cmath>
#include <cstdio>

#include <torsor/torsor.hpp>

namespace newton = torsor::newton;

int main() {
  newton::ModelBuilder builder(newton::Axis::kZ, -9.81);
  newton::DofConfig axis;
  axis.axis = {0, 1, 0};
  std::vector<int> joints;
  for (int i = 0, parent = -1; i < 2; ++i) {
    const int link = builder.add_link();
    builder.add_shape(link, newton::ShapeType::kBox, newton::kIdentity, {0.5, 0.05, 0.05}, {});
    newton::JointOptions options;
    if (i == 0) options.parent_xform = {0, 0, 3, 0, 0, 0, 1};
    if (i == 1) options.parent_xform = {0.5, 0, 0, 0, 0, 0, 1};
    options.child_xform = {-0.5, 0, 0, 0, 0, 0, 1};
    joints.push_back(builder.add_joint(newton::JointKind::kRevolute, parent, link, {}, {axis}, options));
    parent = link;
  }
  builder.add_articulation(joints, "pendulum");
  const newton::Model model = builder.finalize();

  newton::SolverMuJoCo solver(model);
  newton::State state = model.state();
  for (int step = 0; step < 1000; ++step) solver.step(state, state, nullptr, nullptr, 1e-3);
  std::printf("after 1 s: angles %.3f %.3f, second link at %.3f %.3f %.3f\n", state.joint_q[0], state.joint_q[1],
              state.body_q[7], state.body_q[8], state.body_q[9]);
  // the second link's middle is half a length beyond the hinge at the end of the first
  const double a = state.joint_q[0], b = a + state.joint_q[1];
  const bool holds = std::fabs(std::cos(a) + 0.5 * std::cos(b) - state.body_q[7]) < 1e-12 &&
                     std::fabs(3 - std::sin(a) - 0.5 * std::sin(b) - state.body_q[9]) < 1e-12;
  return holds ? 0 : 1;
}
