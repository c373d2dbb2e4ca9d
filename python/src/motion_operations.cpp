// Operations of MotionClip: edits, forward kinematics on a model, contacts with the ground, comparison, playback.
#include <optional>
#include <variant>

#include <nanobind/stl/optional.h>
#include <nanobind/stl/variant.h>
#include <nanobind/stl/vector.h>

#include <fmt/format.h>

#include "bindings.hpp"
#include "motion_clips.hpp"
#include "objects.hpp"
#include "text.hpp"
#include "torsor/bridge/motion/check_embodiment.hpp"
#include "torsor/bridge/motion/tracking.hpp"
#include "torsor/format/motion/read.hpp"
#include "torsor/model/check.hpp"

namespace torsor::python {
namespace {

using namespace nb::literals;

const Model& checked(const ModelObject& object) {
  check_editable(*object.model);
  return *object.model;
}

// Arrays that users may have written into.
MotionClip checked(const MotionClip& clip) {
  MotionClip copy = clip;
  check_clip(copy);
  return copy;
}

MotionClip mirrored(const MotionClip& clip, const ModelObject* model, const std::optional<std::string>& lateral) {
  const bool has_x = !lateral && clip.dofs == 0;  // skeletons of BVH and SMPL
  const std::string axis = lateral.value_or(has_x ? "x" : "y");
  if (axis != "x" && axis != "y") throw Error(fmt::format("lateral: unknown '{}', expected x or y", axis));
  JointMirror joints;
  if (clip.dofs > 0) joints = model ? mirror_joints(checked(*model), clip) : mirror_joints_by_name(clip.joint_names);
  return mirror(checked(clip), joints, axis == "x" ? 0 : 1);
}

// A rule, or all names; "mujoco" and "isaaclab" are the rules of these systems.
using OrderWord = std::variant<std::string, std::vector<std::string>>;
Order order_of(const OrderWord& word) {
  if (const auto* names = std::get_if<std::vector<std::string>>(&word)) return *names;
  const std::string& rule = std::get<std::string>(word);
  if (rule == "mujoco") return JointOrder::kDepthFirst;
  if (rule == "isaaclab") return JointOrder::kBreadthFirst;
  return parse_order(rule);
}

MotionClip reordered(const MotionClip& clip, const OrderWord& order, const ModelObject* model) {
  if (const auto* names = std::get_if<std::vector<std::string>>(&order)) return reorder(clip, *names);
  if (model) return reorder(clip, scalar_joint_names(checked(*model), order_of(order)));
  throw Error(
      {Diagnostic{Severity::kError,
                  {},
                  fmt::format("the order '{}' is one of a tree", std::get<std::string>(order)),
                  "pass the model, or a list of names such as torsor.motion.embodiment('g1')['isaaclab_joints']"}});
}

nb::dict velocities_of(const MotionClip& clip, double sigma, const ModelObject* model) {
  MotionVelocities v = compute_velocities(checked(clip), sigma);
  nb::dict result;
  const size_t frames = size_t(clip.frames);
  result["root_linear"] = nb::cast(array_of(std::move(v.root_linear), {frames, 3}));
  result["root_angular"] = nb::cast(array_of(std::move(v.root_angular), {frames, 3}));
  result["dof"] = nb::cast(array_of(std::move(v.dof), {frames, size_t(clip.dofs)}));
  if (!model) return result;
  const BodyPoses poses = body_poses(checked(*model), checked(clip), true);
  BodyVelocities bodies = body_velocities(poses, clip.fps, sigma);
  result["body_linear"] = nb::cast(array_of(std::move(bodies.linear), {frames, size_t(poses.nbody), 3}));
  result["body_angular"] = nb::cast(array_of(std::move(bodies.angular), {frames, size_t(poses.nbody), 3}));
  return result;
}

nb::tuple skeleton_of(const MotionClip& clip) {
  require_tree(clip);
  const size_t frames = size_t(clip.frames), bodies = clip.bodies.size();
  std::vector<double> pos(frames * bodies * 3), quat(frames * bodies * 4);
  for (size_t f = 0; f < frames; ++f) skeleton_poses(clip, int(f), &pos[f * bodies * 3], &quat[f * bodies * 4]);
  return nb::make_tuple(array_of(std::move(pos), {frames, bodies, 3}), array_of(std::move(quat), {frames, bodies, 4}));
}

nb::tuple poses_of(const MotionClip& clip, const ModelObject& model, bool partial) {
  BodyPoses poses = body_poses(checked(model), checked(clip), partial);
  const size_t frames = size_t(clip.frames), bodies = size_t(poses.nbody);
  return nb::make_tuple(array_of(std::move(poses.pos), {frames, bodies, 3}),
                        array_of(std::move(poses.quat), {frames, bodies, 4}));
}

ClipArray qpos_of(const MotionClip& clip, const ModelObject& object, bool partial) {
  const Model& model = checked(object);
  const MotionClip sound = checked(clip);
  const ClipOnModel map(model, sound, partial);
  std::vector<double> rows(size_t(clip.frames) * size_t(model.nq));
  for (int f = 0; f < clip.frames; ++f) map.write_qpos(sound, f, &rows[size_t(f) * size_t(model.nq)]);
  return array_of(std::move(rows), {size_t(clip.frames), size_t(model.nq)});
}

MotionClip clip_of_qpos(const ModelObject& object, nb::handle qpos, double fps) {
  const Model& model = checked(object);
  size_t frames = 0, width = size_t(model.nq);
  const std::vector<double> rows = numbers_of_rows("qpos", qpos, frames, width);
  return clip_from_qpos(model, rows, fps);
}

nb::dict contacts_of(const MotionClip& clip, const ModelObject& model, const std::vector<std::string>& feet,
                     double ground, double height, double speed) {
  FootContacts found = find_foot_contacts(checked(model), checked(clip), {feet, ground, height, speed});
  const size_t frames = size_t(clip.frames), count = feet.size();
  std::vector<double> stands(found.stands.begin(), found.stands.end());
  nb::dict result;
  result["stands"] = nb::cast(array_of(std::move(stands), {frames, count})).attr("astype")("bool");
  result["heights"] = nb::cast(array_of(std::move(found.heights), {frames, count}));
  result["speeds"] = nb::cast(array_of(std::move(found.speeds), {frames, count}));
  return result;
}

nb::dict to_dict(const TrackingErrors& errors) {
  nb::dict result;
  result["frames"] = errors.frames;
  const auto add = [&](const char* name, const ErrorStatistic& value) {
    result[name] = value.mean;
    result[to_str(fmt::format("{}_max", name))] = value.largest;
  };
  add("joint", errors.joint), add("root_position", errors.root_position), add("root_rotation", errors.root_rotation);
  add("body_position", errors.body_position), add("body_local", errors.body_local);
  add("body_rotation", errors.body_rotation), add("body_velocity", errors.body_velocity);
  add("body_acceleration", errors.body_acceleration);
  result["text"] = to_str(to_text(errors));
  return result;
}

nb::dict compare(const MotionClip& clip, const MotionClip& other, const ModelObject* model) {
  const MotionClip a = checked(clip), b = checked(other);
  return to_dict(model ? compare_clips(checked(*model), a, b) : compare_clips(a, b));
}

nb::tuple play(const MotionClip& clip, const ModelObject& model, double kp, double kd, bool hold_root) {
  PlayOptions options{kp, kd, hold_root, 500, [] { return PyErr_CheckSignals() != 0; }};
  Playback result = play_clip(checked(model), checked(clip), options);
  if (result.cancelled) throw nb::python_error();
  nb::dict report = to_dict(result.errors);
  report["diverged"] = result.diverged;
  report["uses_actuators"] = result.uses_actuators;
  report["frames_up"] = result.frames_up;
  return nb::make_tuple(std::move(result.motion), report);
}

Embodiment embodiment_of(const nb::dict& table) {
  Embodiment robot;
  const auto list = [&](const char* key) {
    return table.contains(key) ? nb::cast<std::vector<std::string>>(nb::object(table[key]))
                               : std::vector<std::string>{};
  };
  robot.name = table.contains("name") ? nb::cast<std::string>(nb::object(table["name"])) : "";
  robot.mujoco_joints = list("mujoco_joints"), robot.isaaclab_joints = list("isaaclab_joints"),
  robot.feet = list("feet");
  robot.root = table.contains("root") ? nb::cast<std::string>(nb::object(table["root"])) : "";
  return robot;
}

nb::dict table_of(const std::string& name) {
  const Embodiment robot = find_embodiment(name);
  nb::dict table;
  table["name"] = robot.name, table["robot"] = robot.robot, table["root"] = robot.root;
  table["mujoco_joints"] = robot.mujoco_joints, table["isaaclab_joints"] = robot.isaaclab_joints;
  table["feet"] = robot.feet;
  table["isaaclab_to_mujoco"] = robot.isaaclab_to_mujoco().map();
  table["mujoco_to_isaaclab"] = robot.mujoco_to_isaaclab().map();
  return table;
}

void bind_edits(nb::class_<MotionClip>& cls) {
  cls.def(
         "resample", [](const MotionClip& clip, double fps) { return resample(checked(clip), fps); }, "fps"_a,
         R"(The same motion at another rate: rotations by slerp, everything else linear.

>>> len(clip), len(clip.resample(60))
(31, 61)
)")
      .def(
          "trim",
          [](const MotionClip& clip, int first, std::optional<int> end) {
            return trim(checked(clip), first, end.value_or(clip.frames));
          },
          "first"_a, "end"_a = nb::none(), R"(Frames from first up to, but not including, end.

>>> len(clip.trim(10, 20))
10
)")
      .def(
          "warp",
          [](const MotionClip& clip, nb::handle times) { return warp(checked(clip), numbers_of_row("times", times)); },
          "times"_a,
          R"(The poses at these times, in seconds, as the frames of a clip with the rate of this one.

>>> len(clip.warp([0, 0.1, 0.15]))
3
)")
      .def(
          "change_speed", [](const MotionClip& clip, double factor) { return change_speed(checked(clip), factor); },
          "factor"_a, R"(The motion `factor` times as fast, at the same rate.

>>> len(clip.change_speed(2))
16
)")
      .def(
          "concatenate",
          [](const MotionClip& clip, const MotionClip& other, int blend, bool align) {
            return concatenate(checked(clip), checked(other), {blend, align});
          },
          "other"_a, "blend"_a = 0, "align"_a = true,
          R"(This clip, then the other one. The last `blend` frames of this fade into the first ones of the other.

With align, the other is moved on the ground and turned about z to go on where this one ends.

>>> len(clip.concatenate(clip, blend=10))
52
)")
      .def("mirror", mirrored, "model"_a.none() = nb::none(), "lateral"_a = nb::none(),
           R"(Left and right exchanged: the motion seen in a mirror, the plane y = 0 of the world.

Joints and bodies are paired by name (left and right, L and R). The sign of a joint comes from its axis in the model; without
a model from its name: roll and yaw change their sign, pitch, knee and elbow keep it. lateral is the axis of the bodies that
points sideways: "y" for robots, "x" for the bodies of BVH and SMPL, which is the default for clips without joints.

>>> g1 = torsor.motion.embodiment("g1")
>>> walk = torsor.MotionClip([[0, 1, 0.8]], [[1, 0, 0, 0]], numpy.arange(29.0)[None], fps=30,
...                          joint_names=g1["mujoco_joints"])
>>> walk.mirror().dof[0, :3], walk.mirror().root_pos[0]
(array([ 6., -7., -8.]), array([ 0. , -1. ,  0.8]))
)")
      .def(
          "reorder", reordered, "order"_a, "model"_a.none() = nb::none(),
          R"(The joints in another order: a list of all names, or a rule ("mujoco", "isaaclab", ...) for the tree of a model.

Rules are those of torsor.joint_order(); "mujoco" is depth first, "isaaclab" breadth first. Errors list names that do not
match.

>>> clip.reorder(["elbow", "shoulder"]).joint_names
['elbow', 'shoulder']
>>> clip.reorder("isaaclab", model).joint_names
['shoulder', 'elbow']
)")
      .def(
          "reorder_bodies",
          [](const MotionClip& clip, const OrderWord& order) {
            const auto* names = std::get_if<std::vector<std::string>>(&order);
            return reorder_bodies(clip, names ? *names : body_names_in(clip, order_of(order)));
          },
          "order"_a,
          R"(The bodies in another order: a list of all names, or a rule ("mujoco", "isaaclab", ...) for their tree.

The root stays first, and parents come before children.

>>> person = clip.add_body_rotations(model)
>>> person.reorder_bodies("isaaclab").body_names == person.body_names
True
)")
      .def(
          "remove_base_rotation", [](const MotionClip& clip) { return remove_base_rotation(checked(clip)); },
          R"(The same motion in bodies with x forward, y left and z up instead of SMPL's x left, y up and z forward.

A person who stands upright and faces x has then no rotation; in SMPL's axes it is [0.5, 0.5, 0.5, 0.5].

>>> person = torsor.MotionClip([[0, 0, 1]], [[0.5, 0.5, 0.5, 0.5]], fps=30)
>>> person.remove_base_rotation().root_quat
array([[1., 0., 0., 0.]])
)")
      .def(
          "add_base_rotation", [](const MotionClip& clip) { return add_base_rotation(checked(clip)); },
          R"(The reverse of remove_base_rotation().

>>> torsor.MotionClip([[0, 0, 1]], [[1, 0, 0, 0]], fps=30).add_base_rotation().root_quat
array([[0.5, 0.5, 0.5, 0.5]])
)")
      .def("velocities", velocities_of, "sigma"_a = kDefaultSigma, "model"_a.none() = nb::none(),
           R"(Velocities by central differences, then a Gaussian filter of `sigma` frames; 0 is no filter.

A dictionary: root_linear and root_angular in the world's axes, and dof; with a model also body_linear and body_angular, of
all its bodies.

>>> clip.velocities(sigma=0)["dof"].shape
(31, 2)
)");
}

void bind_on_model(nb::class_<MotionClip>& cls) {
  cls.def("skeleton_poses", skeleton_of,
          R"(Positions and quaternions of the clip's own bodies in the world, without a model.

>>> pos, quat = clip.add_body_rotations(model).skeleton_poses()
>>> pos.shape, quat.shape
((31, 3, 3), (31, 3, 4))
)")
      .def("body_poses", poses_of, "model"_a, "partial"_a = false,
           R"(Positions and quaternions of all bodies of a model in every frame, by forward kinematics.

Joints are found by name. With partial, joints of the model that the clip does not have keep their reference position.

>>> pos, quat = clip.body_poses(model)
>>> pos.shape, quat.shape
((31, 3, 3), (31, 3, 4))
)")
      .def("qpos", qpos_of, "model"_a, "partial"_a = false, R"(The frames as states of a model: (frames, nq).

>>> clip.qpos(model).shape
(31, 2)
)")
      .def_static("from_qpos", clip_of_qpos, "model"_a, "qpos"_a, "fps"_a,
                  R"(A clip of states (frames, nq) of a model, with the names of its joints.

>>> torsor.MotionClip.from_qpos(model, [[0, 0], [0.1, 0.2]], fps=50).joint_names
['shoulder', 'elbow']
)")
      .def(
          "add_body_rotations",
          [](const MotionClip& clip, const ModelObject& model) {
            return add_body_rotations(checked(model), checked(clip));
          },
          "model"_a, R"(Fills body_quat and pose_aa from the joint coordinates, with the bodies of a model in its order.

>>> clip.add_body_rotations(model).pose_aa.shape
(31, 3, 3)
)")
      .def(
          "dofs_from_rotations",
          [](const MotionClip& clip, const ModelObject& model) {
            double residual = 0;
            MotionClip made = dofs_from_rotations(checked(model), checked(clip), &residual);
            return nb::make_tuple(std::move(made), residual);
          },
          "model"_a,
          R"(Joint coordinates from the rotations of bodies (pose_aa): a clip, and the largest angle that they miss.

>>> person = clip.add_body_rotations(model)
>>> made, missed = person.dofs_from_rotations(model)
>>> bool(abs(made.dof - clip.dof).max() < 1e-12), missed < 1e-12
(True, True)
)")
      .def("foot_contacts", contacts_of, "model"_a, "feet"_a, "ground"_a = 0.0, "height"_a = 0.02, "speed"_a = 0.3,
           R"(Which feet stand: their lowest point is near the ground (m) and they are slow (m/s).

A dictionary of arrays (frames, feet): stands, heights of the lowest points above the ground, speeds.

>>> clip.foot_contacts(model, ["lower"])["stands"].shape
(31, 1)
)")
      .def(
          "ground_penetration",
          [](const MotionClip& clip, const ModelObject& model, double ground) {
            return array_of(ground_penetration(checked(model), checked(clip), ground), {size_t(clip.frames)});
          },
          "model"_a, "ground"_a = 0.0, R"(How deep the figure is in the ground, per frame, m; 0 where it is not.

>>> float(clip.ground_penetration(model, ground=-10).max())
0.0
)")
      .def("compare", compare, "other"_a, "model"_a.none() = nb::none(),
           R"(The errors of another clip that should follow this one, as papers on tracking report them.

A dictionary of means, and of largest values with the ending _max: joint (rad), root_position and body_position and
body_local (m), root_rotation and body_rotation (rad), body_velocity (m/s), body_acceleration (m/s^2), and a readable
"text". Errors of bodies need a model, or clips with skeletons.

>>> clip.compare(clip, model)["joint_max"]
0.0
)")
      .def("play", play, "model"_a, "kp"_a = 0.0, "kd"_a = 0.0, "hold_root"_a = false,
           R"(Tracks the clip with PD control in simulation. Returns the motion that results, and its errors.

Targets go to the position actuators of the model if every joint has one and no gains are passed; else the joints are
driven by kp and kd, by default those of a critically damped 5 Hz oscillator with the joint's own inertia.

>>> motion, errors = clip.play(model)
>>> len(motion), errors["joint"] < 0.2
(31, True)
)");
}

}  // namespace

void bind_clip_operations(nb::class_<MotionClip>& cls) {
  bind_edits(cls);
  bind_on_model(cls);
}

void bind_embodiments(nb::module_& m) {
  nb::module_ part = m.def_submodule("_motion", "What torsor.motion is made of.");
  part.def("embodiment", table_of, "name"_a);
  part.def("embodiment_names", embodiment_names);
  part.def(
      "check_embodiment",
      [](const ModelObject& model, const nb::dict& table, const MotionClip* clip) {
        return check_embodiment(checked(model), embodiment_of(table), clip);
      },
      "model"_a, "table"_a, "clip"_a.none() = nb::none());
}

}  // namespace torsor::python
