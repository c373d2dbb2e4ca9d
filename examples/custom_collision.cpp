// Collision of one's own: spheres that touch a wavy floor instead of the plane, and a filter that lets a ghost through.
#include <torsor/torsor.hpp>

#include <cmath>
#include <cstdio>

namespace {

constexpr const char* kScene = R"(
<mujoco model="waves">
  <worldbody>
    <geom name="floor" type="plane" size="5 5 0.1"/>
    <body name="ball" pos="-0.35 0 0.1"><freejoint/><geom name="ball" size="0.1"/></body>
    <body name="ghost" pos="1 0 0.5"><freejoint/><geom name="ghost" size="0.1"/></body>
  </worldbody>
</mujoco>)";
constexpr double kHeight = 0.05, kWaves = 4;

// Points of contact between the floor (geom1, the smaller type) and a sphere (geom2).
int collide_with_waves(const torsor::Model& model, torsor::Data& data, int, int geom2, double margin,
                       torsor::ContactPoint* out) {
  const auto centre_W = torsor::load3(data.geom_xpos.row(geom2, 3));
  const double radius = model.geom_size[3 * geom2], slope = kHeight * kWaves * std::cos(kWaves * centre_W.x);
  const torsor::Vec3<double> normal_W = torsor::Vec3<double>{-slope, 0, 1} * (1 / std::hypot(slope, 1));
  const double dist = (centre_W.z - kHeight * std::sin(kWaves * centre_W.x)) * normal_W.z - radius;  // tangent plane
  if (dist >= margin) return 0;
  *out = {dist, centre_W - normal_W * (radius + dist / 2), normal_W, {0, 0, 0}};
  return 1;
}

}  // namespace

int main() {
  const torsor::Model model = torsor::load_string(kScene);
  torsor::Data data(model);
  const int ghost = model.find(torsor::ObjectType::kGeom, "ghost");
  data.contact_filter = [ghost](const torsor::Model&, const torsor::Data&, int geom1, int geom2) {
    return geom1 == ghost || geom2 == ghost;
  };
  torsor::set_collision_function(data, torsor::GeomType::kPlane, torsor::GeomType::kSphere, collide_with_waves);
  for (int i = 0; i < 1000; ++i) torsor::step(model, data);
  const double *ball = data.xpos.row(1, 3), *fallen = data.xpos.row(2, 3);
  std::printf("the ball is at %.3f m, %.3f m high; the ghost fell to %.1f m\n", ball[0], ball[2], fallen[2]);
  const double above = ball[2] - kHeight * std::sin(kWaves * ball[0]);
  return ball[0] < -0.3 && ball[0] > -0.5 && std::fabs(above - 0.1) < 0.005 && fallen[2] < -5 ? 0 : 1;
}
