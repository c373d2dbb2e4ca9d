// NPZ, CSV and binary clips: round trips, orders of root_rot, damaged files.
#include <filesystem>
#include <fstream>

#include "tests/format/motion_support.hpp"
#include "torsor/convention/convert.hpp"
#include "torsor/format/motion/deployment.hpp"
#include "torsor/format/motion/embodiment.hpp"

namespace torsor {
namespace {

NpyArray numbers(std::vector<size_t> shape, std::vector<double> values) {
  return {std::move(shape), std::move(values), {}, false};
}

// The fields of a retargeted clip with root_rot in an order, without a label.
MotionFields sonic_with(const MotionClip& clip, QuatOrder order) {
  MotionFields fields = sonic_fields(clip);
  fields.erase("root_rot_order");
  std::vector<double>& q = fields["root_rot"].numbers;
  for (size_t i = 0; order == QuatOrder::kXyzw && i < q.size(); i += 4)
    std::rotate(q.begin() + long(i), q.begin() + long(i) + 1, q.begin() + long(i) + 4);
  return fields;
}

TEST(MotionFiles, EveryFormatGivesTheClipBack) {
  for_all(100, [](Random& random) {
    const MotionClip clip = random_clip(random, random.integer(1, 6), random.chance(0.3));
    EXPECT_EQ(find_difference(clip, parse_motion_binary(format_motion_binary(clip)), 0), "");
    for (const ZipMethod method : {ZipMethod::kStored, ZipMethod::kDeflated}) {
      const MotionClip back = parse_motion_npz(format_motion_npz(sonic_fields(clip), method), {}, "clip.npz");
      EXPECT_EQ(find_difference(clip, back, 1e-12), "");
      EXPECT_EQ(back.ends.size(), clip.ends.size());
    }
    MotionClip joints = clip;
    joints.bodies.clear(), joints.body_quat.clear(), joints.body_pos.clear(), joints.ends.clear();
    MotionReadOptions options;
    options.fps = clip.fps;
    EXPECT_EQ(find_difference(joints, parse_motion_csv(format_motion_csv(clip, {}), options, "clip.csv"), 1e-12), "");
  });
}

TEST(MotionFiles, SmplGivesItsPosesBackInBothAxes) {
  for_all(50, [](Random& random) {
    MotionClip clip;
    clip.fps = 30;
    const size_t count = random.chance(0.5) ? 24 : 52;
    MotionFields fields;
    fields["poses"] = numbers({2, count * 3}, std::vector<double>(2 * count * 3));
    for (double& number : fields["poses"].numbers) number = random.uniform(-1.5, 1.5);
    fields["trans"] = numbers({2, 3}, {1, 2, 3, 4, 5, 6});
    fields["fps"] = numbers({}, {30});
    const UpAxis up = random.chance(0.5) ? UpAxis::kY : UpAxis::kZ;
    MotionReadOptions options;
    options.up = up;
    clip = clip_from_fields(fields, options, "pose.npz");
    EXPECT_EQ(clip.convention, "smpl");
    const MotionFields back = smpl_fields(clip, up);
    for (size_t i = 0; i < fields["poses"].numbers.size(); ++i)
      EXPECT_NEAR(back.at("poses").numbers[i], fields["poses"].numbers[i], 1e-12);
    const MotionClip again = clip_from_fields(back, {}, "pose.npz");  // its label says which axis is up
    EXPECT_EQ(find_difference(clip, again, 1e-12), "");
  });
}

TEST(MotionFiles, SmplIsConvertedAsItsRowSays) {
  MotionFields fields;
  fields["poses"] = numbers({1, 72}, std::vector<double>(72, 0.1));
  fields["trans"] = numbers({1, 3}, {1, 2, 3});
  fields["fps"] = numbers({}, {30});
  const MotionClip clip = clip_from_fields(fields, {}, "pose.npz");
  fields["pose_aa"] = fields["poses"];  // the name in SONIC's files of people
  fields.erase("poses");
  EXPECT_EQ(find_difference(clip, clip_from_fields(fields, {}, "pose.pkl"), 0), "");
  const double in[6] = {1, 2, 3, 0.1, 0.1, 0.1};
  double pose[7];
  BodyConversion(find_convention("smpl[pose=position first]"), find_convention("mujoco")).poses(in, pose, 1);
  for (size_t i = 0; i < 3; ++i) EXPECT_NEAR(clip.root_pos[i], pose[i], 1e-15);
  EXPECT_NEAR(std::abs(dot(load4(pose + 3), clip.q_WR(0))), 1, 1e-15);
}

TEST(MotionFiles, AnArchiveOfMotionCaptureMustSayWhichAxisIsUp) {
  MotionFields fields;
  fields["poses"] = numbers({1, 72}, std::vector<double>(72));
  fields["trans"] = numbers({1, 3}, {0, 0, 1});
  fields["mocap_framerate"] = numbers({}, {120});
  EXPECT_NE(motion_error([&] { clip_from_fields(fields, {}, "a.npz"); }).find("pass up='y' or up='z'"),
            std::string::npos);
}

TEST(MotionFiles, TheOrderOfRootRotIsFoundFromPoseAaAndSaid) {
  Random random(3);
  const MotionClip clip = random_clip(random);
  for (const QuatOrder order : {QuatOrder::kWxyz, QuatOrder::kXyzw}) {
    const MotionClip back = clip_from_fields(sonic_with(clip, order), {}, "clip.npz");
    EXPECT_EQ(find_difference(clip, back, 1e-12), "");
    ASSERT_EQ(back.notes.size(), 1u);
    EXPECT_EQ(back.notes[0].substr(0, 16), order == QuatOrder::kWxyz ? "root_rot is wxyz" : "root_rot is xyzw");
  }
}

TEST(MotionFiles, AnOrderThatCannotBeFoundIsAskedFor) {
  Random random(4);
  const MotionClip clip = random_clip(random);
  MotionFields alone = sonic_with(clip, QuatOrder::kWxyz), unclear = alone, other = alone;
  for (const char* name :
       {"pose_aa", "body_names", "body_parents", "body_offsets", "body_rest", "end_bodies", "end_offsets"})
    alone.erase(name);
  const std::string hint = "(pass quat_order='wxyz' or quat_order='xyzw')";
  const auto error = [&](const MotionFields& fields) {
    return motion_error([&] { clip_from_fields(fields, {}, "clip.npz"); });
  };
  EXPECT_NE(error(alone).find("has no pose_aa"), std::string::npos);
  EXPECT_TRUE(error(alone).ends_with(hint));
  for (size_t i = 0; i < unclear["root_rot"].numbers.size(); ++i) unclear["root_rot"].numbers[i] = 0.5;
  for (size_t i = 0; i < unclear["pose_aa"].numbers.size(); ++i)
    unclear["pose_aa"].numbers[i] = 2 * M_PI / 3 / std::sqrt(3);
  EXPECT_NE(error(unclear).find("agrees with both orders"), std::string::npos);
  for (double& number : other["pose_aa"].numbers) number += 1;
  EXPECT_NE(error(other).find("root_rot disagrees with pose_aa in either order"), std::string::npos);
  MotionReadOptions told;
  told.quat_order = QuatOrder::kWxyz;
  EXPECT_EQ(clip_from_fields(alone, told, "clip.npz").root_quat, clip.root_quat);
}

TEST(MotionFiles, FieldsThatDoNotFitAreNamed) {
  Random random(5);
  const MotionFields good = sonic_fields(random_clip(random));
  const auto error = [&](auto&& change) {
    MotionFields fields = good;
    change(fields);
    return motion_error([&] { clip_from_fields(fields, {}, "clip.npz"); });
  };
  EXPECT_EQ(error([](auto& f) {
              f["dof"] = numbers({4, 5}, std::vector<double>(20));
            }),
            "clip.npz: error: dof has 4 frames, the root has 5");
  EXPECT_EQ(error([](auto& f) { f["fps"] = numbers({}, {0}); }),
            "clip.npz: error: fps must be a positive number, got 0 (pass fps=)");
  EXPECT_EQ(error([](auto& f) { f.erase("fps"); }), "clip.npz: error: no fps: the frame rate is not known (pass fps=)");
  EXPECT_NE(error([](auto& f) { f["dof"].numbers[7] = NAN; }).find("dof: frame 1, number 2 is nan"), std::string::npos);
  EXPECT_NE(error([](auto& f) {
              f["root_trans_offset"] = numbers({0, 3}, {});
            }).find("has no frames"),
            std::string::npos);
  EXPECT_NE(error([](auto& f) { f.erase("root_trans_offset"); }).find("neither a retargeted clip"), std::string::npos);
}

TEST(MotionFiles, DamagedFilesAreRejected) {
  Random random(6);
  const MotionClip clip = random_clip(random);
  for (const std::string& bytes :
       {format_motion_binary(clip), format_motion_npz(sonic_fields(clip), ZipMethod::kDeflated),
        format_motion_npz(sonic_fields(clip), ZipMethod::kStored)}) {
    const bool is_zip_file = is_zip(bytes);
    const auto parse = [&](const std::string& damaged) {
      return is_zip_file ? parse_motion_npz(damaged, {}, "x") : parse_motion_binary(damaged, "x");
    };
    for (size_t cut = 0; cut < bytes.size(); cut += 37)
      EXPECT_NE(motion_error([&] { parse(bytes.substr(0, cut)); }), "no error") << cut;
    for (int i = 0; i < 300; ++i) {
      std::string damaged = bytes;
      damaged[size_t(random.integer(0, int(bytes.size()) - 1))] ^= char(1 << random.integer(0, 7));
      try {
        const MotionClip back = parse(damaged);  // names of members and dates have no checksum
        EXPECT_TRUE(is_zip_file);
        EXPECT_EQ(back.root_pos, clip.root_pos);
        if (back.dofs > 0) {
          EXPECT_EQ(back.dof, clip.dof);
        }
      } catch (const Error&) {
      }
    }
  }
}

TEST(MotionFiles, ACsvIsInCentimetresDegreesAndFixedAxes) {
  const std::string text =
      "Frame,root_translateX,root_translateY,root_translateZ,root_rotateX,root_rotateY,root_rotateZ,knee_joint_dof\n"
      "0,100,200,80,90,0,90,45\n";
  MotionReadOptions options;
  EXPECT_NE(motion_error([&] { parse_motion_csv(text, options, "a.csv"); }).find("pass fps="), std::string::npos);
  options.fps = 120;
  const MotionClip clip = parse_motion_csv(text, options, "a.csv");
  EXPECT_EQ(clip.joint_names, std::vector<std::string>{"knee_joint"});
  EXPECT_NEAR(clip.dof[0], M_PI / 4, 1e-15);
  EXPECT_NEAR(norm(clip.p_WoRo_W(0) - Vec3<double>{1, 2, 0.8}), 0, 1e-15);
  const double in[6] = {100, 200, 80, 90, 0, 90};
  double pose[7];
  BodyConversion(find_convention(clip.convention), find_convention("mujoco")).poses(in, pose, 1);
  for (size_t i = 0; i < 3; ++i) EXPECT_NEAR(clip.root_pos[i], pose[i], 1e-15);
  EXPECT_NEAR(std::abs(dot(load4(pose + 3), clip.q_WR(0))), 1, 1e-15);
  EXPECT_NE(motion_error([&] {
              parse_motion_csv("Frame,knee_dof\n0,1\n", options, "a.csv");
            }).find("no columns root_translateX"),
            std::string::npos);
}

TEST(MotionFiles, ADeploymentFolderIsInIsaacLabsOrder) {
  const Embodiment g1 = find_embodiment("g1");
  MotionClip clip;
  clip.fps = 50, clip.dofs = 29, clip.joint_names = g1.mujoco_joints;
  set_frames(clip, 3);
  for (size_t i = 0; i < clip.dof.size(); ++i) clip.dof[i] = 0.01 * double(i);
  for (size_t i = 0; i < clip.root_pos.size(); ++i) clip.root_pos[i] = 0.1 * double(i);
  const auto folder = std::filesystem::temp_directory_path() / "torsor_deployment_test";
  write_motion(folder.string(), clip);
  std::ifstream file(folder / "joint_pos.csv");
  std::string header, first;
  std::getline(file, header), std::getline(file, first);
  EXPECT_EQ(header.substr(0, 15), "joint_0,joint_1");
  EXPECT_EQ(first.substr(0, 16), "0,0.06,0.12,0.01");  // hip pitch left, right, waist yaw, hip roll left
  MotionReadOptions options;
  options.robot = "g1";
  const MotionClip back = read_motion(folder.string(), options);
  EXPECT_EQ(back.convention, "isaaclab2");
  EXPECT_EQ(find_difference(clip, reorder(back, g1.mujoco_joints), 1e-15), "");
  std::ofstream(folder / "metadata.txt") << "Body part indexes:\n[ 4 0]\n";
  EXPECT_NE(motion_error([&] { read_motion(folder.string(), options); }).find("the first body is not the root"),
            std::string::npos);
  std::filesystem::remove(folder / "metadata.txt");
  std::ofstream(folder / "body_quat.csv") << "a,b,c,d\n1,0,0,0\n";
  EXPECT_NE(motion_error([&] {
              read_motion(folder.string(), options);
            }).find("body_quat.csv has 1 frames, joint_pos.csv has 3"),
            std::string::npos);
  std::filesystem::remove_all(folder);
  clip.joint_names.clear();
  EXPECT_NE(motion_error([&] { write_motion(folder.string(), clip); }).find("Isaac Lab's order"), std::string::npos);
}

}  // namespace
}  // namespace torsor
