// A clip for an arm: made, resampled, written to memory in two formats, and tracked in simulation.
#include <cmath>
#include <cstdio>
#include <string>

#include <torsor/torsor.hpp>

int main() {
  using namespace torsor;
  const Model model =
      load_string(R"(<mujoco><default><joint damping="1" armature="0.05" axis="0 1 0"/></default><worldbody>
    <body name="upper"><joint name="shoulder"/><geom type="capsule" size="0.04" fromto="0 0 0 0 0 -0.4"/>
      <body name="lower" pos="0 0 -0.4"><joint name="elbow"/><geom type="capsule" size="0.03" fromto="0 0 0 0 0 -0.4"/></body>
    </body></worldbody></mujoco>)");
  std::vector<double> qpos;
  for (int i = 0; i < 100; ++i) {
    const double t = i / 50.0;
    qpos.insert(qpos.end(), {0.5 * std::sin(3 * t), 0.3 * std::cos(2 * t)});
  }
  const MotionClip wave = clip_from_qpos(model, qpos, 50);

  const MotionClip bodies = add_body_rotations(model, wave);
  const BvhOptions centimetres{0.01, UpAxis::kY, "zxy"};
  const MotionClip from_bvh = dofs_from_rotations(model, parse_bvh(format_bvh(bodies, centimetres), centimetres));
  const MotionClip from_npz =
      parse_motion_npz(format_motion_npz(sonic_fields(wave), ZipMethod::kDeflated), {}, "wave.npz");
  const std::string bvh = find_difference(
      wave,
      [&] {
        MotionClip clip = from_bvh;
        clip.bodies.clear(), clip.body_quat.clear();
        return clip;
      }(),
      1e-9);
  const std::string npz = find_difference(wave, from_npz, 1e-12);
  std::printf("BVH: %s, NPZ: %s\n", bvh.empty() ? "equal" : bvh.c_str(), npz.empty() ? "equal" : npz.c_str());

  const MotionClip fine = resample(wave, 200);
  std::printf("%d frames at 50 per second, %d at 200\n", wave.frames, fine.frames);
  PlayOptions gains;
  gains.kp = 300, gains.kd = 10;
  const Playback played = play_clip(model, wave, gains);
  std::printf("%s", to_text(played.errors).c_str());
  return bvh.empty() && npz.empty() && fine.frames == 397 && played.errors.joint.mean < 0.1 ? 0 : 1;
}
