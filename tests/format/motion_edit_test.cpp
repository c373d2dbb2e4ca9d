// Operations on clips: time, joining, mirror, axes, velocities.
#include <cmath>

#include "tests/format/motion_support.hpp"
#include "torsor/convention/rotations.hpp"
#include "torsor/format/motion/edit.hpp"
#include "torsor/format/motion/embodiment.hpp"
#include "torsor/format/motion/library.hpp"

namespace torsor {
namespace {

// A root that turns at a constant rate while it moves along a parabola, at 50 frames per second.
MotionClip turning_clip(const Vec3<double>& w_W, int frames = 21) {
  MotionClip clip;
  clip.fps = 50, clip.dofs = 1, clip.joint_names = {"knee_joint"};
  set_frames(clip, frames);
  for (int f = 0; f < frames; ++f) {
    const double t = f / clip.fps;
    store3(&clip.root_pos[size_t(f) * 3], {t, 2 * t, 1 - t * t});
    store4(&clip.root_quat[size_t(f) * 4], quat_from_rotation_vector(w_W * t) * Quat<double>{0.6, 0.8, 0, 0});
    clip.dof[size_t(f)] = std::sin(t);
  }
  return clip;
}

TEST(MotionEdit, VelocitiesWithoutAFilterAreFiniteDifferences) {
  const Vec3<double> w{0.3, -2, 1};
  const MotionClip clip = turning_clip(w);
  const MotionVelocities v = compute_velocities(clip, 0);
  for (size_t f = 1; f + 1 < 21; ++f) {
    for (size_t k = 0; k < 3; ++k)
      EXPECT_NEAR(v.root_linear[f * 3 + k], (clip.root_pos[(f + 1) * 3 + k] - clip.root_pos[(f - 1) * 3 + k]) * 25,
                  1e-12);
    EXPECT_NEAR(v.dof[f], (clip.dof[f + 1] - clip.dof[f - 1]) * 25, 1e-12);
    EXPECT_NEAR(norm(load3(&v.root_angular[f * 3]) - w), 0, 1e-12);
  }
  EXPECT_NEAR(v.dof[0], (clip.dof[1] - clip.dof[0]) * 50, 1e-12);
  EXPECT_NEAR(v.dof[20], (clip.dof[20] - clip.dof[19]) * 50, 1e-12);
}

TEST(MotionEdit, TheFilterKeepsConstantsAndSmoothsNoise) {
  std::vector<double> rows(40, 3.5);
  filter_gaussian(rows, 2, 2);
  for (const double value : rows) EXPECT_NEAR(value, 3.5, 1e-14);
  std::vector<double> spike(41, 0);
  spike[20] = 1;
  filter_gaussian(spike, 1, 2);
  double sum = 0;
  for (const double value : spike) sum += value;
  EXPECT_NEAR(sum, 1, 1e-14);
  EXPECT_NEAR(spike[22] / spike[20], std::exp(-0.5), 1e-14);  // one sigma away
  MotionClip still = turning_clip({0, 0, 0}, 1);
  EXPECT_EQ(compute_velocities(still).dof[0], 0);
}

TEST(MotionEdit, ResamplingToAMultipleAndBackGivesTheFramesBack) {
  for_all(50, [](Random& random) {
    const MotionClip clip = random_clip(random, 6);
    const MotionClip finer = resample(clip, clip.fps * 4);
    EXPECT_EQ(finer.frames, 21);
    EXPECT_EQ(find_difference(clip, resample(finer, clip.fps), 1e-12), "");
    // halfway is halfway: the angle to either end is the same
    const Quat<double> half = finer.q_WR(2);
    EXPECT_NEAR(rotations::angle_between(clip.q_WR(0), half), rotations::angle_between(half, clip.q_WR(1)), 1e-12);
    EXPECT_NEAR(finer.dof[2 * 5], (clip.dof[0] + clip.dof[5]) / 2, 1e-15);
  });
}

TEST(MotionEdit, WarpTrimAndSpeedTakeTheFramesTheySay) {
  Random random(2);
  const MotionClip clip = random_clip(random, 9);
  EXPECT_EQ(find_difference(trim(clip, 2, 5), warp(clip, std::vector<double>{2 / clip.fps, 3 / clip.fps, 4 / clip.fps}),
                            1e-12),
            "");
  EXPECT_EQ(change_speed(clip, 2).frames, 5);
  EXPECT_EQ(change_speed(clip, 0.5).frames, 17);
  EXPECT_EQ(find_difference(trim(clip, 8, 9), warp(clip, std::vector<double>{1e9}), 1e-12), "");  // the end holds
  EXPECT_EQ(motion_error([&] { trim(clip, 5, 5); }), "frames 5 to 5 are not in a clip of 9");
  EXPECT_EQ(motion_error([&] { resample(clip, 0); }), "fps must be a positive number, got 0");
}

TEST(MotionEdit, ASecondClipGoesOnWhereTheFirstOneEnds) {
  for_all(30, [](Random& random) {
    const MotionClip a = random_clip(random, 6);
    MotionClip b = random_clip(random, 8);
    b.fps = a.fps, b.bodies = a.bodies, b.ends = a.ends;
    const MotionClip whole = concatenate(a, b);
    EXPECT_EQ(whole.frames, 14);
    EXPECT_EQ(find_difference(a, trim(whole, 0, 6), 1e-12), "");
    EXPECT_NEAR(whole.p_WoRo_W(6).x, a.p_WoRo_W(5).x, 1e-12);
    EXPECT_NEAR(whole.p_WoRo_W(6).z, b.p_WoRo_W(0).z, 1e-12);  // heights are kept
    EXPECT_NEAR(rotations::wrap_angle(rotations::heading(whole.q_WR(6)) - rotations::heading(a.q_WR(5))), 0, 1e-9);
    // inside of the second clip, distances and tilts are those that it had
    EXPECT_NEAR(norm(whole.p_WoRo_W(9) - whole.p_WoRo_W(6)), norm(b.p_WoRo_W(3) - b.p_WoRo_W(0)), 1e-12);
    const MotionClip blended = concatenate(a, b, {3, false});
    EXPECT_EQ(blended.frames, 11);
    EXPECT_EQ(find_difference(trim(b, 3, 8), trim(blended, 6, 11), 1e-12), "");
    EXPECT_NEAR(blended.dof[4 * 5], (a.dof[4 * 5] + b.dof[1 * 5]) / 2, 1e-12);  // the middle of three
  });
  Random random(1);
  MotionClip a = random_clip(random), b = a;
  b.fps += 1;
  EXPECT_NE(motion_error([&] { concatenate(a, b); }).find("resample one of them"), std::string::npos);
}

TEST(MotionEdit, MirroringTwiceGivesTheClipBack) {
  for_all(50, [](Random& random) {
    const MotionClip clip = random_clip(random, 3);
    const JointMirror joints = mirror_joints_by_name(clip.joint_names);
    const int lateral = random.integer(0, 1);
    EXPECT_EQ(find_difference(clip, mirror(mirror(clip, joints, lateral), joints, lateral), 1e-12), "");
  });
}

TEST(MotionEdit, RollAndYawChangeTheirSignInAMirror) {
  const JointMirror joints = mirror_joints_by_name(
      std::vector<std::string>{"left_hip_roll", "right_hip_roll", "waist_yaw", "left_knee", "right_knee"});
  EXPECT_EQ(joints.from, (std::vector<int>{1, 0, 2, 4, 3}));
  EXPECT_EQ(joints.sign, (std::vector<double>{-1, -1, -1, 1, 1}));
}

TEST(MotionEdit, AMirroredSkeletonIsTheMirrorImage) {
  for_all(50, [](Random& random) {
    MotionClip clip = random_clip(random, 2);
    // a figure that is symmetric in its own x
    clip.bodies[1].p_PoBo_P.x = 0;
    for (int k = 0; k < 2; ++k) {
      clip.bodies[size_t(4 + k)].p_PoBo_P = clip.bodies[size_t(2 + k)].p_PoBo_P;
      clip.bodies[size_t(4 + k)].p_PoBo_P.x *= -1;
    }
    const MotionClip other = mirror(clip, mirror_joints_by_name(clip.joint_names), 0);
    double p[18], q[24], p2[18], q2[24];
    skeleton_poses(clip, 1, p, q), skeleton_poses(other, 1, p2, q2);
    const int partner[] = {0, 1, 4, 5, 2, 3};
    for (int b = 0; b < 6; ++b) {
      EXPECT_NEAR(p2[3 * partner[b]], p[3 * b], 1e-12);
      EXPECT_NEAR(p2[3 * partner[b] + 1], -p[3 * b + 1], 1e-12);
      EXPECT_NEAR(p2[3 * partner[b] + 2], p[3 * b + 2], 1e-12);
    }
  });
}

TEST(MotionEdit, PartnersAreFoundByAllCommonSpellings) {
  const std::vector<std::string> names{"LeftArm", "RightArm", "L_knee", "R_knee", "foot.l",
                                       "foot.r",  "LHip",     "RHip",   "Spine",  "collar"};
  EXPECT_EQ(find_partners(names), (std::vector<int>{1, 0, 3, 2, 5, 4, 7, 6, 8, 9}));
  EXPECT_EQ(motion_error([] {
              find_partners(std::vector<std::string>{"left_leg", "head"});
            }),
            "the other side is missing: right_leg (of left_leg)");
  EXPECT_NE(motion_error([] { mirror_joints_by_name(std::vector<std::string>{"wheel"}); }).find("pass the model"),
            std::string::npos);
}

TEST(MotionEdit, TheBaseRotationOfSmplIsRemoved) {
  for_all(50, [](Random& random) {
    const MotionClip clip = random_clip(random, 2, true), made = remove_base_rotation(clip);
    EXPECT_EQ(find_difference(clip, add_base_rotation(made), 1e-12), "");
    double p[18], q[24], p2[18], q2[24];
    skeleton_poses(clip, 1, p, q), skeleton_poses(made, 1, p2, q2);
    for (int i = 0; i < 18; ++i) EXPECT_NEAR(p[i], p2[i], 1e-12);  // no body moves, only the axes have other names
    const Vec3<double> forward = rotate(load4(q + 4), Vec3<double>{0, 0, 1}),
                       x = rotate(load4(q2 + 4), Vec3<double>{1, 0, 0});
    EXPECT_NEAR(norm(forward - x), 0, 1e-12);  // SMPL's z is our x
  });
}

TEST(MotionEdit, OrdersAreByName) {
  Random random(8);
  const MotionClip clip = random_clip(random);
  std::vector<std::string> names(clip.joint_names.rbegin(), clip.joint_names.rend());
  const MotionClip turned = reorder(clip, names);
  EXPECT_EQ(turned.dof[0], clip.dof[4]);
  EXPECT_EQ(find_difference(clip, reorder(turned, clip.joint_names), 0), "");
  names[0] = "left_elbow_jiont";
  EXPECT_NE(motion_error([&] { reorder(clip, names); }).find("left_elbow_jiont"), std::string::npos);
  const MotionClip bodies = reorder_bodies(
      clip, std::vector<std::string>{"pelvis", "torso", "right_arm", "right_hand", "left_arm", "left_hand"});
  double p[18], q[24], p2[18], q2[24];
  skeleton_poses(clip, 0, p, q), skeleton_poses(bodies, 0, p2, q2);
  for (int i = 0; i < 3; ++i) EXPECT_NEAR(p[3 * 5 + i], p2[3 * 3 + i], 1e-15);
  EXPECT_NE(motion_error([&] {
              reorder_bodies(clip, std::vector<std::string>{"pelvis", "left_arm", "torso", "left_hand", "right_arm",
                                                            "right_hand"});
            }).find("'torso' must come before"),
            std::string::npos);
}

TEST(MotionEdit, TheTablesOfTheG1AreThePublishedOnes) {
  const Embodiment g1 = find_embodiment("g1");
  const std::vector<int> published{0,  3,  6,  9,  13, 17, 1,  4,  7,  10, 14, 18, 2,  5, 8,
                                   11, 15, 19, 21, 23, 25, 27, 12, 16, 20, 22, 24, 26, 28};
  EXPECT_EQ(g1.isaaclab_to_mujoco().map(), published);
  EXPECT_EQ(g1.isaaclab_to_mujoco().then(g1.mujoco_to_isaaclab()), Permutation::identity(29));
  EXPECT_EQ(g1.isaaclab_joints[12], "right_shoulder_pitch_joint");
}

template <class T>
void check_library(double tolerance) {
  Random random(9);
  std::vector<MotionClip> clips{random_clip(random, 7), random_clip(random, 1), random_clip(random, 12)};
  const MotionLibrary<T> library(clips, 0);
  std::vector<std::int64_t> ids;
  std::vector<T> times;
  for (int i = 0; i < 200; ++i)
    ids.push_back(random.integer(0, 2)),
        times.push_back(T(random.uniform(-0.2, 1.2) * clips[size_t(ids.back())].duration()));
  std::vector<T> pos(600), quat(800), dof(1000), body(200 * 24), linear(600), angular(600), rate(1000);
  library.sample(ids.data(), times.data(), 200,
                 {pos.data(), quat.data(), dof.data(), linear.data(), angular.data(), rate.data(), body.data()});
  for (size_t i = 0; i < 200; ++i) {
    MotionClip one = trim(clips[size_t(ids[i])], 0, 1);
    sample(clips[size_t(ids[i])], double(times[i]), one, 0);
    for (size_t k = 0; k < 3; ++k) EXPECT_NEAR(pos[i * 3 + k], one.root_pos[k], tolerance);
    for (size_t k = 0; k < 5; ++k) EXPECT_NEAR(dof[i * 5 + k], one.dof[k], tolerance);
    for (size_t b = 0; b < 6; ++b) {
      double product = 0;
      for (size_t k = 0; k < 4; ++k) product += double(body[(i * 6 + b) * 4 + k]) * one.body_quat[b * 4 + k];
      EXPECT_NEAR(std::abs(product), 1, tolerance);
    }
  }
  const std::int64_t wrong = 3;
  const T now = 0, never = std::numeric_limits<T>::infinity();
  EXPECT_EQ(motion_error([&] { library.sample(&wrong, &now, 1, {}); }), "sample 0: clip 3 does not exist, there are 3");
  EXPECT_EQ(motion_error([&] { library.sample(ids.data(), &never, 1, {}); }), "sample 0: the time is inf");
  // one and a half rounds later it is where it is after half a round
  const std::int64_t first = 0;
  const T half = T(clips[0].duration() / 2), later = T(clips[0].duration() * 1.5);
  T a[5], b[5];
  library.sample(&first, &half, 1, {.dof = a}, MotionEnding::kRepeat);
  library.sample(&first, &later, 1, {.dof = b}, MotionEnding::kRepeat);
  for (int k = 0; k < 5; ++k) EXPECT_NEAR(a[k], b[k], 1e3 * tolerance);
}

TEST(MotionLibrary, SamplesAreThoseOfTheClips) {
  check_library<double>(1e-12);
  check_library<float>(2e-5);
}

TEST(MotionLibrary, ClipsOfOtherFiguresAreRejected) {
  Random random(10);
  std::vector<MotionClip> clips{random_clip(random), without_joints(random_clip(random))};
  EXPECT_NE(motion_error([&] {
              MotionLibrary<float> library(clips);
            }).find("clip 1 ('random') is of another figure than clip 0"),
            std::string::npos);
}

}  // namespace
}  // namespace torsor
