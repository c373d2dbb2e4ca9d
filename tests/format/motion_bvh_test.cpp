// BVH: any order of channels, units and axes, round trips, and errors with line and column.
#include "tests/format/motion_support.hpp"
#include "torsor/convention/convert.hpp"
#include "torsor/convention/euler.hpp"

namespace torsor {
namespace {

const std::string kTwo = R"(HIERARCHY
ROOT Hips
{
	OFFSET 0 0 0
	CHANNELS 6 Xposition Yposition Zposition Zrotation Xrotation Yrotation
	JOINT Left Arm
	{
		OFFSET 0 10 0
		CHANNELS 3 Yrotation Zrotation Xrotation
		End Site
		{
			OFFSET 0 5 0
		}
	}
}
MOTION
Frames: 2
Frame Time: 0.033333
300 200 -100 90 0 90 10 20 30
0 100 0 0 0 0 0 0 0
)";

MotionClip read(const std::string& text, double unit = 0.01, UpAxis up = UpAxis::kY) {
  return parse_bvh(text, {unit, up, "zxy"}, "walk.bvh");
}
std::string changed(std::string text, const std::string& from, const std::string& to) {
  return text.replace(text.find(from), from.size(), to);
}

TEST(Bvh, TheRootIsConvertedAsTheConventionRowSays) {
  const MotionClip clip = read(kTwo);
  EXPECT_EQ(clip.frames, 2);
  EXPECT_EQ(clip.fps, 30);  // 0.033333 is 1/30 in as many digits
  EXPECT_EQ(clip.convention, "bvh");
  const double in[6] = {300, 200, -100, 90, 0, 90};
  double pose[7];
  BodyConversion(find_convention("bvh[euler=zxy,pose=position first,length=cm]"), find_convention("mujoco"))
      .poses(in, pose, 1);
  for (size_t i = 0; i < 3; ++i) EXPECT_NEAR(clip.root_pos[i], pose[i], 1e-12);
  const double sign = dot(load4(pose + 3), clip.q_WR(0)) < 0 ? -1 : 1;
  for (size_t i = 0; i < 4; ++i) EXPECT_NEAR(clip.root_quat[i], sign * pose[3 + i], 1e-12);
}

TEST(Bvh, RotationsAreMultipliedInTheOrderOfTheChannels) {
  const MotionClip clip = read(kTwo);
  ASSERT_EQ(clip.nbody(), 2);
  EXPECT_EQ(clip.bodies[1].name, "Left Arm");
  EXPECT_EQ(clip.bodies[1].p_PoBo_P.y, 0.1);
  const auto sequence = rotations::make_euler_sequence("yzx", rotations::EulerSpelling::kMujoco);
  const Quat<double> expected = rotations::quat_from_euler(sequence, Vec3<double>{10, 20, 30} * (M_PI / 180));
  EXPECT_NEAR(std::abs(dot(expected, clip.rotation(0, 1))), 1, 1e-15);
  double pos[6], quat[8];
  skeleton_poses(clip, 1, pos, quat);
  EXPECT_NEAR(pos[5], 1.1, 1e-15);  // the arm is above the hips: z is up
}

TEST(Bvh, TextGivesTheMotionBackInEverySequenceUnitAndAxis) {
  for_all(200, [](Random& random) {
    const MotionClip clip = without_joints(random_clip(random, 3, random.chance(0.5)));
    const char* const sequences[] = {"xyz", "xzy", "yxz", "yzx", "zxy", "zyx"};
    const BvhOptions options{random.chance(0.5) ? 0.01 : 0.0254, random.chance(0.5) ? UpAxis::kY : UpAxis::kZ,
                             sequences[random.integer(0, 5)]};
    MotionClip back = parse_bvh(format_bvh(clip, options), options);
    if (!back.body_pos.empty()) {  // the root's is its position in the world
      for (int f = 0; f < back.frames; ++f) {
        for (size_t k = 0; k < 3; ++k) back.body_pos[size_t(f) * back.bodies.size() * 3 + k] = 0;
      }
    }
    EXPECT_EQ(find_difference(clip, back, 1e-12), "");
    ASSERT_EQ(back.ends.size(), 2u);
    EXPECT_NEAR(norm(back.ends[1].p_BoEo_B - clip.ends[1].p_BoEo_B), 0, 1e-12);
  });
}

TEST(Bvh, AUnitIsAskedFor) {
  EXPECT_EQ(
      motion_error([] { read(kTwo, 0); }),
      "walk.bvh: error: BVH files have no unit of length (pass unit='cm', or --unit cm: m, cm, mm, inch, foot, or "
      "metres per unit)");
}

TEST(Bvh, ErrorsNameLineAndColumn) {
  const std::pair<std::string, std::string> cases[] = {
      {changed(kTwo, "HIERARCHY", "HIERARCHIE"), "walk.bvh:1:1: error: expected HIERARCHY, got 'HIERARCHIE'"},
      {changed(kTwo, "Zrotation Xrotation Yrotation", "Zrotation Xrotatoin Yrotation"),
       "walk.bvh:5:53: error: 'Xrotatoin' is not a channel (did you mean 'Xrotation'?)"},
      {changed(kTwo, "OFFSET 0 10 0", "OFFSET 0 ten 0"), "walk.bvh:8:12: error: OFFSET: expected a number, got 'ten'"},
      {changed(kTwo, "10 20 30", "10 20"),
       "walk.bvh:19:27: error: frame 0 has 8 numbers, but the hierarchy has 9 channels"},
      {changed(kTwo, "10 20 30", "10 20 30 40"),
       "walk.bvh:19:31: error: frame 0 has more than 9 numbers, the channels of the hierarchy"},
      {changed(kTwo, "10 20 30", "10 nan 30"),
       "walk.bvh:19:25: error: channel value is 'nan', which is not a finite number"},
      {changed(kTwo, "Frames: 2", "Frames: 3"), "walk.bvh:21:1: error: 2 frames, but the header says 3"},
      {changed(kTwo, "Frames: 2", "Frames: 1"), "walk.bvh:20:1: error: more than the 1 frames that the header says"},
      {changed(kTwo, "Frames: 2", "Frames: 0"),
       "walk.bvh:17:9: error: Frames must be a whole number from 1 on, got '0'"},
      {changed(kTwo, "0.033333", "0"), "walk.bvh:18:13: error: Frame Time must be positive, got '0'"},
      {changed(kTwo, "JOINT Left Arm", "JOINT Hips"), "walk.bvh:6:2: error: two joints are named 'Hips'"},
      {changed(kTwo, "CHANNELS 6", "CHANNELS 7"),
       "walk.bvh:5:11: error: CHANNELS must be a whole number from 0 to 6, got 7"},
      {kTwo.substr(0, 46), "walk.bvh:5:11: error: CHANNELS: expected a number, got the end of the line or file"},
  };
  for (const auto& [text, expected] : cases)
    EXPECT_EQ(motion_error([&] { read(text); }).substr(0, expected.size()), expected) << text;
}

TEST(Bvh, AClipWithoutATreeIsNotWritten) {
  Random random(1);
  MotionClip clip = random_clip(random);
  clip.has_tree = false;
  EXPECT_EQ(motion_error([&] {
              format_bvh(clip, {1, UpAxis::kY, "zxy"});
            }),
            "the file does not say how the bodies are connected; forward kinematics needs a model");
}

}  // namespace
}  // namespace torsor
