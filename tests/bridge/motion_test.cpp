// Clips on models: states, forward kinematics, rotations of bodies, mirror, ground, errors, playback, checks of tables.
#include <gtest/gtest.h>

#include "tests/support/property.hpp"
#include "torsor/bridge/motion/check_embodiment.hpp"
#include "torsor/bridge/motion/tracking.hpp"
#include "torsor/convention/rotations.hpp"
#include "torsor/dynamics/dynamics.hpp"
#include "torsor/load/load.hpp"

namespace torsor {
namespace {

// A walker with two legs, mirror images of each other, and a head on a rotated frame.
constexpr const char* kWalker = R"(<mujoco>
  <option timestep="0.002"/>
  <default><joint damping="0.5" armature="0.01"/><geom density="500"/></default>
  <worldbody>
    <geom name="floor" type="plane" size="5 5 1"/>
    <body name="pelvis" pos="0 0 1">
      <freejoint name="root"/>
      <geom type="box" size="0.1 0.15 0.05"/>
      <body name="head" pos="0.02 0 0.2" euler="0 30 0"><joint name="neck_yaw" axis="0 0 1" pos="0.05 0 0" range="-90 90"/><geom size="0.1"/></body>
      <body name="left_thigh" pos="0 0.1 -0.05"><joint name="left_hip_pitch" axis="0 1 0"/><joint name="left_hip_roll" axis="1 0 0"/><joint name="left_hip_yaw" axis="0 0 1"/>
        <geom type="capsule" size="0.04" fromto="0 0 0 0 0 -0.4"/>
        <body name="left_foot" pos="0 0 -0.45"><joint name="left_ankle" axis="0 1 0"/><geom type="box" pos="0.03 0 -0.02" size="0.1 0.04 0.02"/></body>
      </body>
      <body name="right_thigh" pos="0 -0.1 -0.05"><joint name="right_hip_pitch" axis="0 1 0"/><joint name="right_hip_roll" axis="-1 0 0"/><joint name="right_hip_yaw" axis="0 0 1"/>
        <geom type="capsule" size="0.04" fromto="0 0 0 0 0 -0.4"/>
        <body name="right_foot" pos="0 0 -0.45"><joint name="right_ankle" axis="0 1 0"/><geom type="box" pos="0.03 0 -0.02" size="0.1 0.04 0.02"/></body>
      </body>
    </body>
  </worldbody>
</mujoco>)";

std::string error_in(const std::function<void()>& f) {
  try {
    f();
  } catch (const Error& error) {
    return error.what();
  }
  return "no error";
}

MotionClip random_walk(const Model& model, Random& random, int frames = 4, double most = 1) {
  std::vector<double> qpos;
  for (int f = 0; f < frames; ++f) {
    const Vec3<double> turn{random.uniform(-most, most), random.uniform(-most, most), random.uniform(-most, most)};
    const Quat<double> q = quat_from_rotation_vector(turn);
    qpos.insert(qpos.end(), {random.uniform(-1, 1), random.uniform(-1, 1), 1, q.w, q.x, q.y, q.z});
    for (int j = 7; j < model.nq; ++j) qpos.push_back(random.uniform(-most, most));
  }
  return clip_from_qpos(model, qpos, 50);
}

TEST(MotionOnModel, FramesAreStatesInTheOrderOfTheNames) {
  const Model model = load_string(kWalker);
  Random random(1);
  const MotionClip clip = random_walk(model, random);
  std::vector<std::string> names(clip.joint_names.rbegin(), clip.joint_names.rend());
  const MotionClip turned = reorder(clip, names);
  std::vector<double> a(size_t(model.nq)), b(size_t(model.nq));
  ClipOnModel(model, clip).write_qpos(clip, 2, a.data());
  ClipOnModel(model, turned).write_qpos(turned, 2, b.data());
  EXPECT_EQ(a, b);
  EXPECT_EQ(find_difference(clip_from_qpos(model, a, 50), trim(clip, 2, 3), 1e-15), "");
}

TEST(MotionOnModel, JointsThatDoNotMatchAreListed) {
  const Model model = load_string(kWalker);
  Random random(1);
  MotionClip clip = random_walk(model, random);
  clip.joint_names[1] = "left_hip_pich", clip.joint_names[3] = "tail";
  EXPECT_EQ(error_in([&] { ClipOnModel(model, clip); }),
            "the model has no joints left_hip_pich (did you mean left_hip_pitch?), tail");
  MotionClip few = random_walk(model, random);
  few.joint_names.resize(7), few.dofs = 7, few.dof.resize(size_t(few.frames) * 7);
  EXPECT_EQ(error_in([&] { ClipOnModel(model, few); }).substr(0, 64),
            "the clip does not move the joints right_hip_yaw, right_ankle (pa");
  EXPECT_NO_THROW(ClipOnModel(model, few, true));
  few.joint_names.clear();
  EXPECT_NE(error_in([&] { ClipOnModel(model, few); }).find("the clip has 7 joints without names, the model has 9"),
            std::string::npos);
}

TEST(MotionOnModel, RotationsOfBodiesAndTheTreeGiveTheSamePosesAsTheModel) {
  const Model model = load_string(kWalker);
  for_all(30, [&](Random& random) {
    const MotionClip clip = random_walk(model, random, 2), made = add_body_rotations(model, clip);
    const BodyPoses poses = body_poses(model, clip);
    std::vector<double> p(size_t(made.nbody()) * 3), q(size_t(made.nbody()) * 4);
    skeleton_poses(made, 1, p.data(), q.data());
    for (int b = 0; b < made.nbody(); ++b) {
      EXPECT_NEAR(norm(load3(&p[size_t(b) * 3]) - poses.p_WoBo_W(1, b + 1)), 0, 1e-12);
      EXPECT_NEAR(std::abs(dot(load4(&q[size_t(b) * 4]), poses.q_WB(1, b + 1))), 1, 1e-12);
    }
  });
}

TEST(MotionOnModel, JointCoordinatesAreFoundFromRotationsOfBodies) {
  const Model model = load_string(kWalker);
  for_all(50, [&](Random& random) {
    const MotionClip clip = random_walk(model, random, 3), made = add_body_rotations(model, clip);
    double residual = 1;
    MotionClip back = made;
    back.dof.clear(), back.joint_names.clear(), back.dofs = 0;
    back = dofs_from_rotations(model, back, &residual);
    for (size_t i = 0; i < clip.dof.size(); ++i) EXPECT_NEAR(back.dof[i], clip.dof[i], 1e-12);
    EXPECT_LT(residual, 1e-7);
    for (MotionBody& body : back.bodies) body.name = "unknown_" + body.name;  // MuJoCo's order then
    EXPECT_EQ(find_difference(dofs_from_rotations(model, back), back, 1e-12), "");
    // a hinge cannot follow a rotation about another axis
    store4(&back.body_quat[4], quat_from_rotation_vector(Vec3<double>{0.3, 0, 0}));
    dofs_from_rotations(model, back, &residual);
    EXPECT_NEAR(residual, 0.3, 1e-9);
  });
}

TEST(MotionOnModel, AMirroredClipMovesTheModelLikeItsMirrorImage) {
  const Model model = load_string(kWalker);
  for_all(30, [&](Random& random) {
    const MotionClip clip = random_walk(model, random, 2);
    const JointMirror joints = mirror_joints(model, clip);
    const BodyPoses a = body_poses(model, clip), b = body_poses(model, mirror(clip, joints, 1));
    for (const auto& [left, right] :
         {std::pair{"left_foot", "right_foot"}, {"right_thigh", "left_thigh"}, {"head", "head"}}) {
      const Vec3<double> p = a.p_WoBo_W(1, model.find(ObjectType::kBody, left));
      EXPECT_NEAR(norm(b.p_WoBo_W(1, model.find(ObjectType::kBody, right)) - Vec3<double>{p.x, -p.y, p.z}), 0, 1e-12);
    }
  });
}

TEST(MotionOnModel, VelocitiesLeadFromOneFrameToTheNext) {
  const Model model = load_string(kWalker);
  for_all(30, [&](Random& random) {
    const MotionClip clip = random_walk(model, random, 2);
    const ClipOnModel map(model, clip);
    std::vector<double> qpos(size_t(model.nq)), next(size_t(model.nq)), qvel(size_t(model.nv));
    map.write_qpos(clip, 0, qpos.data()), map.write_qpos(clip, 1, next.data());
    map.write_qvel(clip, compute_velocities(clip, 0), 0, qvel.data());
    integrate_pos(model, qpos.data(), qvel.data(), 1 / clip.fps);
    const double sign = dot(load4(&qpos[3]), load4(&next[3])) < 0 ? -1 : 1;
    for (size_t i = 0; i < qpos.size(); ++i) EXPECT_NEAR(qpos[i], (i >= 3 && i < 7 ? sign : 1) * next[i], 1e-12);
  });
}

TEST(MotionOnModel, TheLowestPointOfARoundShapeIsItsRadiusBelowItsAxis) {
  const Model model = load_string(R"(<mujoco><worldbody>
    <body pos="0 0 1"><geom type="capsule" size="0.1" fromto="0 0 0 0.3 0 -0.4"/></body>
    <body pos="0 0 2"><geom type="sphere" size="0.2"/><geom type="box" size="1 1 1" contype="0" conaffinity="0"/></body>
    <body pos="0 0 3"><geom type="ellipsoid" size="0.1 0.2 0.3"/></body><body pos="0 0 4"/>
  </worldbody></mujoco>)");
  Data data(model);
  compute_kinematics(model, data);
  EXPECT_NEAR(lowest_point(model, data, 1), 0.5, 1e-12);
  EXPECT_NEAR(lowest_point(model, data, 2), 1.8, 1e-12);  // what does not collide does not count
  EXPECT_NEAR(lowest_point(model, data, 3), 2.7, 1e-12);
  EXPECT_TRUE(std::isinf(lowest_point(model, data, 4)));
}

TEST(MotionOnModel, FeetThatTouchTheGroundAndRestStand) {
  const Model model = load_string(kWalker);
  Random random(1);
  MotionClip clip = random_walk(model, random, 4, 0);  // upright
  for (int f = 0; f < 4; ++f)
    store3(&clip.root_pos[size_t(f) * 3], {f < 3 ? 0.0 : 1.0, 0.0, f == 1 ? 0.50 : 0.54});  // soles at 0
  FootContactOptions options;
  options.feet = {"left_foot", "right_foot"};
  options.speed = 10;
  const FootContacts contacts = find_foot_contacts(model, clip, options);
  EXPECT_NEAR(contacts.heights[0], 0, 1e-12);
  EXPECT_NEAR(contacts.heights[2], -0.04, 1e-12);
  EXPECT_NEAR(contacts.speeds[6], 50, 1e-12);  // 1 m in one frame
  EXPECT_EQ(std::vector<int>(contacts.stands.begin(), contacts.stands.end()),
            (std::vector<int>{1, 1, 1, 1, 0, 0, 0, 0}));
  const std::vector<double> depths = ground_penetration(model, clip);
  EXPECT_NEAR(depths[0], 0, 1e-12);
  EXPECT_NEAR(depths[1], 0.04, 1e-12);
  options.feet = {"left_food"};
  EXPECT_EQ(error_in([&] { find_foot_contacts(model, clip, options); }), "the model has no bodies left_food");
}

TEST(MotionOnModel, ErrorsAreThoseThatWereMade) {
  const Model model = load_string(kWalker);
  Random random(4);
  const MotionClip clip = random_walk(model, random, 5);
  const TrackingErrors none = compare_clips(model, clip, clip);
  for (const ErrorStatistic& each :
       {none.joint, none.root_position, none.body_position, none.body_rotation, none.body_acceleration})
    EXPECT_LT(each.largest, 1e-7);
  MotionClip moved = clip;
  for (int f = 0; f < 5; ++f) moved.root_pos[size_t(f) * 3] += 0.1 * f;
  const TrackingErrors errors = compare_clips(model, clip, moved);
  EXPECT_NEAR(errors.root_position.mean, 0.2, 1e-12);
  EXPECT_NEAR(errors.body_position.largest, 0.4, 1e-12);
  EXPECT_NEAR(errors.body_local.largest, 0, 1e-12);
  EXPECT_NEAR(errors.body_velocity.mean, 5, 1e-10);
  EXPECT_NEAR(errors.body_acceleration.largest, 0, 1e-8);
  MotionClip bent = clip;
  for (int f = 0; f < 5; ++f) bent.dof[size_t(f) * 9] += 0.5;  // the head
  EXPECT_NEAR(compare_clips(model, clip, bent).joint.mean, 0.5 / 9, 1e-12);
  EXPECT_NEAR(compare_clips(model, clip, bent).body_rotation.largest, 0.5, 1e-7);
  // of two skeletons, without a model
  EXPECT_NEAR(compare_clips(add_body_rotations(model, clip), add_body_rotations(model, bent)).body_rotation.largest,
              0.5, 1e-7);
}

TEST(MotionOnModel, AHeldWalkerFollowsItsClip) {
  const Model model = load_string(kWalker);
  MotionClip clip;
  clip.fps = 50, clip.joint_names = scalar_joint_names(model), clip.dofs = 9;
  set_frames(clip, 51);
  for (int f = 0; f < 51; ++f) {
    store3(&clip.root_pos[size_t(f) * 3], {0.01 * f, 0, 1.5});
    for (int j = 0; j < 9; ++j) clip.dof[size_t(f) * 9 + size_t(j)] = 0.15 * (1 - std::cos(0.1 * f));
  }
  PlayOptions options;
  options.hold_root = true, options.kp = 200, options.kd = 5;
  const Playback held = play_clip(model, clip, options);
  EXPECT_FALSE(held.diverged || held.uses_actuators);
  EXPECT_EQ(held.motion.frames, 51);
  EXPECT_EQ(held.frames_up, 51);
  EXPECT_LT(held.errors.root_position.largest, 1e-9);
  EXPECT_LT(held.errors.joint.largest, 0.1);
  const Playback falling = play_clip(model, clip);  // nothing holds it
  EXPECT_GT(falling.errors.root_position.largest, 0.4);
}

TEST(MotionOnModel, PositionActuatorsAreUsedWhereEveryJointHasOne) {
  const Model model = load_string(
      R"(<mujoco><worldbody><body><joint name="a" axis="0 1 0" armature="0.1" damping="5"/><geom type="capsule" size="0.02 0.2"/></body></worldbody>
    <actuator><position joint="a" kp="200"/></actuator></mujoco>)");
  MotionClip clip;
  clip.fps = 100, clip.joint_names = {"a"}, clip.dofs = 1;
  set_frames(clip, 101);
  for (int f = 0; f < 101; ++f) clip.dof[size_t(f)] = 0.5 * std::sin(0.02 * f);
  const Playback played = play_clip(model, clip);
  EXPECT_TRUE(played.uses_actuators);
  EXPECT_LT(played.errors.joint.largest, 0.1);
}

TEST(Embodiments, TheCheckSaysWhatIsWrong) {
  const Model model = load_string(kWalker);
  Embodiment robot{"walker",
                   "",
                   scalar_joint_names(model),
                   {"neck_yaw", "left_hip_pitch", "left_hip_roll", "left_hip_yaw", "right_hip_pitch", "right_hip_roll",
                    "right_hip_yaw", "left_ankle", "right_ankle"},
                   "pelvis",
                   {"left_foot", "right_foot"}};
  EXPECT_EQ(check_embodiment(model, robot), std::vector<std::string>{});
  Embodiment wrong = robot;
  wrong.isaaclab_joints = robot.mujoco_joints;
  EXPECT_EQ(
      check_embodiment(model, wrong),
      std::vector<std::string>{
          "isaaclab_joints: entry 4 is 'left_ankle', but the model's breadth-first order has 'right_hip_pitch' there"});
  wrong = robot, wrong.mujoco_joints[0] = "nek_yaw", wrong.root = "head", wrong.feet[0] = "left_shoe";
  EXPECT_EQ(check_embodiment(model, wrong),
            (std::vector<std::string>{"mujoco_joints: the model has no joint 'nek_yaw' (did you mean 'neck_yaw'?)",
                                      "mujoco_joints: joint 'neck_yaw' of the model is missing",
                                      "root: body 'head' has no free joint, so that the clip cannot move it",
                                      "feet: the model has no body 'left_shoe'"}));
  Random random(1);
  MotionClip clip = random_walk(model, random, 3, 0);
  clip.dof[9] = 2;  // the head's limit is half a turn
  const std::vector<std::string> found = check_embodiment(model, robot, &clip);
  ASSERT_EQ(found.size(), 2u);
  EXPECT_EQ(found[0], "limits: 'neck_yaw' leaves [-1.571, 1.571] in 1 of 3 frames, most in frame 1: 2");
  EXPECT_EQ(found[1],
            "ground: the feet never come nearer than 0.46 m to the ground: wrong unit, up axis or root height?");
}

}  // namespace
}  // namespace torsor
