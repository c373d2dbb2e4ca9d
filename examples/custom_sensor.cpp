// A sensor of one's own: how far the tip of an arm is from a target, and how fast it approaches.
#include <torsor/torsor.hpp>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <vector>

namespace {

constexpr const char* kArm = R"(
<mujoco model="reacher">
  <worldbody>
    <site name="target" pos="0.3 0 0.6"/>
    <body pos="0 0 1">
      <joint axis="0 1 0"/>
      <geom type="capsule" fromto="0 0 0  0.4 0 0" size="0.02" mass="1"/>
      <site name="tip" pos="0.4 0 0"/>
    </body>
  </worldbody>
  <sensor>
    <user name="approach" dim="2" needstage="vel"/>
  </sensor>
</mujoco>)";

// Distance of tip and target, and its rate; called after the stage that the sensor needs, here the velocities.
void approach(const torsor::Model& model, torsor::Data& data, int, double* reading) {
  const int tip = model.find(torsor::ObjectType::kSite, "tip"),
            target = model.find(torsor::ObjectType::kSite, "target");
  const auto offset_W = torsor::load3(data.site_xpos.row(target, 3)) - torsor::load3(data.site_xpos.row(tip, 3));
  double velocity_W[6];
  torsor::object_velocity(model, data, torsor::ObjectType::kSite, tip, velocity_W, false);
  reading[0] = torsor::norm(offset_W);
  reading[1] = -torsor::dot(torsor::load3(velocity_W + 3), offset_W) / reading[0];
}

}  // namespace

int main() {
  const torsor::Model model = torsor::load_string(kArm);
  torsor::Data data(model);
  data.sensor = approach;
  std::vector<double> distance, rate;
  for (int i = 0; i < 300; ++i) {
    torsor::step(model, data);
    distance.push_back(data.sensordata[0]);
    rate.push_back(data.sensordata[1]);
  }
  double worst = 0;  // the rate is the slope of the distance
  for (size_t i = 1; i + 1 < distance.size(); ++i)
    worst = std::max(worst, std::fabs((distance[i + 1] - distance[i - 1]) / (2 * model.opt.timestep) - rate[i]));
  std::printf("nearest to the target: %.3f m\n", *std::min_element(distance.begin(), distance.end()));
  return worst < 0.02 ? 0 : 1;
}
