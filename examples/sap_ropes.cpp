// A load on a rope that is too short, in many worlds at once: SAP's buffers on a model of Newton's builder.
#include <algorithm>
#include <cmath>
#include <cstdio>

#include <torsor/torsor.hpp>

using namespace torsor;

namespace {

// A trolley on a rail with a drive, and a load on a rope of 1 m, which starts half a metre too low.
newton::Model make_model() {
  newton::ModelBuilder builder;
  const auto link = [&](double mass, double moment, double z) {
    newton::LinkOptions options;
    options.mass = mass;
    options.inertia = {moment, 0, 0, 0, moment, 0, 0, 0, moment};
    options.xform[2] = z;
    return builder.add_link(options);
  };
  const int trolley = link(5, 0.1, 0), load = link(2, 0.02, -1.5);
  newton::DofConfig rail;
  rail.target_ke = 400;
  rail.target_kd = 80;
  const int slide = builder.add_joint(newton::JointKind::kPrismatic, -1, trolley, {rail}, {});
  builder.add_articulation({slide, builder.add_joint_distance(trolley, load, -1, 1)});
  return builder.finalize();
}

}  // namespace

int main() {
  constexpr int kWorlds = 8;
  SapSolver solver(make_model());
  SapWorlds worlds(solver, kWorlds);
  std::vector<SapState> states(kWorlds, solver.state());
  std::vector<SapControl> controls(kWorlds, solver.control());
  SapWorldsStep call;
  call.dt = {0.005};
  for (int world = 0; world < kWorlds; ++world) {
    controls[world].joint_target_pos[0] = world / (kWorlds - 1.0);  // another place for the trolley in each world
    call.controls.push_back(&controls[world]);
  }
  for (int step = 0; step < 600; ++step) worlds.step(states, states, call);

  double longest = 0, error = 0;
  for (int world = 0; world < kWorlds; ++world) {
    const std::vector<double>& q = states[world].joint_q;
    longest = std::max(longest, std::hypot(q[1], q[2], q[3]));
    error = std::max(error, std::fabs(q[0] - controls[world].joint_target_pos[0]));
  }
  std::printf("the longest rope is %.3f m; trolleys are within %.3f m of their targets\n", longest, error);
  return longest < 1.005 && error < 0.05 ? 0 : 1;
}
