// The class MotionClip: reading, writing, and its arrays.
#include "motion_clips.hpp"

#include <optional>
#include <variant>

#include <nanobind/stl/map.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/variant.h>
#include <nanobind/stl/vector.h>

#include <fmt/format.h>

#include "bindings.hpp"
#include "text.hpp"
#include "torsor/core/error.hpp"
#include "torsor/format/motion/read.hpp"

namespace torsor::python {
namespace {

using namespace nb::literals;

using Unit = std::optional<std::variant<std::string, double>>;
using Names = std::optional<std::vector<std::string>>;

double metres_of(const Unit& unit) {
  if (!unit) return 0;
  if (const auto* text = std::get_if<std::string>(&*unit)) return parse_unit(*text);
  return parse_unit(fmt::format("{}", std::get<double>(*unit)));
}

// Any path that Python can open, bytes that are not UTF-8 included.
std::string path_of(nb::handle path) {
  const nb::bytes bytes = nb::cast<nb::bytes>(nb::object(nb::module_::import_("os").attr("fsencode")(path)));
  return {bytes.c_str(), bytes.size()};
}
nb::object text_path_of(nb::handle path) { return nb::module_::import_("os").attr("fspath")(path); }

UpAxis up_of(const std::optional<std::string>& up) { return up ? parse_up(*up) : UpAxis::kUnspecified; }

QuatOrder quat_order_of(const std::optional<std::string>& order) {
  if (!order) return QuatOrder::kUnspecified;
  if (*order == "wxyz") return QuatOrder::kWxyz;
  if (*order == "xyzw") return QuatOrder::kXyzw;
  throw Error(fmt::format("quat_order: unknown '{}', expected wxyz or xyzw", *order));
}

double rate_of(const std::optional<double>& fps) {
  if (fps && !(*fps > 0)) throw Error(fmt::format("fps must be a positive number, got {}", *fps));
  return fps.value_or(0);
}

MotionReadOptions read_options(const Unit& unit, const std::optional<std::string>& up, const std::optional<double>& fps,
                               const std::optional<std::string>& quat_order, const Names& joints,
                               const std::optional<std::string>& robot, const std::optional<std::string>& euler) {
  MotionReadOptions options;
  options.unit = metres_of(unit), options.up = up_of(up), options.fps = rate_of(fps);
  options.quat_order = quat_order_of(quat_order), options.joints = joints.value_or(std::vector<std::string>{});
  options.robot = robot.value_or(""), options.euler = euler.value_or("");
  return options;
}

MotionClip read_clip(nb::handle path, const Unit& unit, const std::optional<std::string>& up,
                     const std::optional<double>& fps, const std::optional<std::string>& quat_order,
                     const Names& joints, const std::optional<std::string>& robot,
                     const std::optional<std::string>& euler, const std::optional<std::string>& name) {
  const std::string file = path_of(path);
  const nb::object text = text_path_of(path);
  const nb::module_ pickles = nb::module_::import_("torsor._pickles");
  if (nb::cast<bool>(pickles.attr("is_pickle")(text))) {
    MotionClip clip = nb::cast<MotionClip>(pickles.attr("read_clip")(text, name, fps, up, quat_order, joints, robot));
    for (double& number : clip.root_pos) number *= unit ? metres_of(unit) : 1;
    return clip;
  }
  const MotionReadOptions options = read_options(unit, up, fps, quat_order, joints, robot, euler);
  const nb::gil_scoped_release release;
  return read_motion(file, options);
}

void write_clip(const MotionClip& clip, nb::handle path, const Unit& unit, const std::optional<std::string>& up,
                const std::optional<std::string>& euler, bool smpl, bool compressed, const Names& joints) {
  MotionWriteOptions options;
  options.unit = metres_of(unit), options.up = up_of(up), options.euler = euler.value_or("");
  options.smpl = smpl, options.compressed = compressed, options.joints = joints.value_or(std::vector<std::string>{});
  MotionClip sound = clip;
  check_clip(sound);
  const nb::object text = text_path_of(path);
  const nb::module_ pickles = nb::module_::import_("torsor._pickles");
  if (nb::cast<bool>(pickles.attr("is_pickle")(text))) {
    pickles.attr("write_clip")(nb::cast(joints ? reorder(sound, *joints) : sound), text);
    return;
  }
  write_motion(path_of(path), sound, options);
}

// Arrays by name, as a pickle has them.
MotionClip clip_of_fields(const std::map<std::string, nb::object>& fields, const std::string& file,
                          const std::optional<double>& fps, const std::optional<std::string>& up,
                          const std::optional<std::string>& quat_order, const Names& joints,
                          const std::optional<std::string>& robot) {
  MotionReadOptions options = read_options(std::nullopt, up, fps, quat_order, joints, robot, std::nullopt);
  const nb::module_ numpy = nb::module_::import_("numpy");
  MotionFields arrays;
  for (const auto& [name, value] : fields) {
    NpyArray array;
    const nb::object made = numpy.attr("asarray")(value);
    array.shape = nb::cast<std::vector<size_t>>(nb::object(made.attr("shape")));
    const std::string kind = nb::cast<std::string>(nb::object(made.attr("dtype").attr("kind")));
    array.is_text = kind == "U";
    const nb::object flat = made.attr("ravel")();
    if (array.is_text) {
      array.texts = nb::cast<std::vector<std::string>>(nb::object(flat.attr("tolist")()));
    } else {
      Memory memory;
      const nb::object numbers = numpy.attr("ascontiguousarray")(flat, "float64");
      if (!memory.open(numbers, false)) throw Error(fmt::format("{}: {} has no numbers", file, name));
      array.numbers.assign(memory.data(), memory.data() + memory.size());
    }
    arrays[name] = std::move(array);
  }
  return read_fields(arrays, options, file);
}

nb::dict fields_of(const MotionClip& clip) {
  const nb::module_ numpy = nb::module_::import_("numpy");
  nb::dict result;
  for (auto& [name, array] : sonic_fields(clip)) {
    const nb::tuple shape = nb::tuple(nb::cast(array.shape));
    const nb::object flat = array.is_text ? nb::object(numpy.attr("array")(array.texts))
                                          : nb::cast(array_of(array.numbers, {array.numbers.size()}));
    result[to_str(name)] = flat.attr("reshape")(shape);
  }
  return result;
}

void make_clip(MotionClip* self, nb::handle root_pos, nb::handle root_quat, nb::handle dof, double fps,
               const Names& joint_names, const std::string& name) {
  MotionClip clip;
  size_t frames = 0, three = 3, four = 4, dofs = 0;
  clip.root_pos = numbers_of_rows("root_pos", root_pos, frames, three);
  clip.root_quat = numbers_of_rows("root_quat", root_quat, frames, four);
  if (!dof.is_none()) clip.dof = numbers_of_rows("dof", dof, frames, dofs);
  clip.frames = int(frames), clip.dofs = int(dofs), clip.fps = fps, clip.name = name;
  clip.joint_names = joint_names.value_or(std::vector<std::string>{});
  check_clip(clip);
  new (self) MotionClip(std::move(clip));
}

std::string describe(const MotionClip& clip) {
  std::string text = fmt::format("<MotionClip '{}': {} frames at {:g} fps", clip.name, clip.frames, clip.fps);
  if (clip.dofs > 0) text += fmt::format(", {} joints", clip.dofs);
  if (clip.nbody() > 0) text += fmt::format(", {} bodies", clip.nbody());
  return text + (clip.convention.empty() ? ">" : fmt::format(", from {}>", clip.convention));
}

template <class Get>
auto names_of(Get get) {
  return [get](const MotionClip& clip) {
    std::vector<std::string> names;
    for (const MotionBody& body : clip.bodies) names.push_back(get(body));
    return names;
  };
}

void bind_arrays(nb::class_<MotionClip>& cls) {
  const auto frames = [](const MotionClip& clip) { return size_t(clip.frames); };
  cls.def_prop_ro(
         "root_pos",
         [=](MotionClip& clip) {
           return view_of(clip.root_pos.data(), {frames(clip), 3}, nb::find(&clip));
         },
         "positions of the root in the world, z up, m: (frames, 3)")
      .def_prop_ro(
          "root_quat",
          [=](MotionClip& clip) {
            return view_of(clip.root_quat.data(), {frames(clip), 4}, nb::find(&clip));
          },
          "rotations of the root in the world, w x y z: (frames, 4)")
      .def_prop_ro(
          "dof",
          [=](MotionClip& clip) {
            return view_of(clip.dof.data(), {frames(clip), size_t(clip.dofs)}, nb::find(&clip));
          },
          "joint coordinates, rad or m: (frames, joints)")
      .def_prop_ro(
          "body_quat",
          [=](MotionClip& clip) {
            return view_of(clip.body_quat.data(), {frames(clip), clip.bodies.size(), 4}, nb::find(&clip));
          },
          "rotations of bodies by their joints, in their parents: (frames, bodies, 4); of body 0, the root's")
      .def_prop_ro(
          "pose_aa",
          [=](const MotionClip& clip) {
            std::vector<double> values;
            for (size_t i = 0; i < clip.body_quat.size(); i += 4) {
              const Vec3<double> v = rotation_vector(load4(&clip.body_quat[i]));
              values.insert(values.end(), {v.x, v.y, v.z});
            }
            return array_of(std::move(values), {frames(clip), clip.bodies.size(), 3});
          },
          nb::rv_policy::reference, "body_quat as rotation vectors: (frames, bodies, 3), a copy");
}

void bind_properties(nb::class_<MotionClip>& cls) {
  cls.def("__len__", [](const MotionClip& clip) { return clip.frames; })
      .def_prop_ro(
          "fps", [](const MotionClip& clip) { return clip.fps; }, "frames per second")
      .def_prop_ro(
          "duration", [](const MotionClip& clip) { return clip.duration(); },
          "time from the first frame to the last, s")
      .def_rw("name", &MotionClip::name, "name of the clip")
      .def_prop_ro(
          "convention", [](const MotionClip& clip) { return clip.convention; },
          "id of the convention of the file that it was read from, '' if there is none")
      .def_prop_ro(
          "notes", [](const MotionClip& clip) { return clip.notes; },
          "what the reader found out or decided, such as the order of root_rot")
      .def_prop_ro(
          "joint_names", [](const MotionClip& clip) { return clip.joint_names; },
          "names of the columns of dof; empty if they are not known")
      .def_prop_ro("body_names", names_of([](const MotionBody& body) { return body.name; }), "names of the bodies")
      .def_prop_ro(
          "body_parents",
          [](const MotionClip& clip) {
            std::vector<int> parents;
            for (const MotionBody& body : clip.bodies) parents.push_back(body.parent);
            return parents;
          },
          "index of each body's parent, -1 for the root")
      .def_prop_ro(
          "body_offsets",
          [](const MotionClip& clip) {
            std::vector<double> offsets;
            for (const MotionBody& body : clip.bodies)
              offsets.insert(offsets.end(), {body.p_PoBo_P.x, body.p_PoBo_P.y, body.p_PoBo_P.z});
            return array_of(std::move(offsets), {clip.bodies.size(), 3});
          },
          nb::rv_policy::reference, "origin of each body in its parent, m: (bodies, 3), a copy")
      .def("__repr__", [](const MotionClip& clip) { return to_str(describe(clip)); })
      .def("__getstate__",
           [](const MotionClip& clip) {
             const std::string bytes = format_motion_binary(clip);
             return nb::bytes(bytes.data(), bytes.size());
           })
      .def("__setstate__", [](MotionClip& self, const nb::bytes& bytes) {
        new (&self) MotionClip(parse_motion_binary({bytes.c_str(), bytes.size()}, "pickled clip"));
      });
}

}  // namespace

ClipArray array_of(std::vector<double> numbers, std::initializer_list<size_t> shape) {
  auto* kept = new std::vector<double>(std::move(numbers));
  const nb::capsule owner(kept, [](void* p) noexcept { delete static_cast<std::vector<double>*>(p); });
  return ClipArray(kept->data(), shape.size(), shape.begin(), owner);
}

std::vector<double> numbers_of_rows(const char* name, nb::handle value, size_t& rows, size_t& width) {
  Memory memory;
  const nb::object array = nb::module_::import_("numpy").attr("ascontiguousarray")(value, "float64");
  const Shape shape = memory.open(array, false) ? memory.shape() : Shape{};
  const bool fits = shape.size() == 2 && (rows == 0 || shape[0] == rows) && (width == 0 || shape[1] == width);
  if (!fits)
    throw Error(fmt::format("{}: expected shape ({}, {}), got {}", name, rows ? std::to_string(rows) : "frames",
                            width ? std::to_string(width) : "n", to_text(shape)));
  rows = shape[0], width = shape[1];
  if (rows == 0) throw Error(fmt::format("{}: the clip has no frames", name));
  if (rows > size_t(1) << 30 || width > size_t(1) << 30) throw Error(fmt::format("{}: too large", name));
  return std::vector<double>(memory.data(), memory.data() + memory.size());
}

std::vector<double> numbers_of_row(const char* name, nb::handle value) {
  Memory memory;
  const nb::object array = nb::module_::import_("numpy").attr("ascontiguousarray")(value, "float64");
  if (!memory.open(array, false) || memory.shape().size() != 1)
    throw Error(fmt::format("{}: expected a list of numbers", name));
  return std::vector<double>(memory.data(), memory.data() + memory.size());
}

void bind_clips(nb::module_& m) {
  nb::class_<MotionClip> cls(m, "MotionClip",
                             R"(A recorded motion of one figure: root pose, joint coordinates, rotations of bodies.

In the engine's units and axes, whatever the file had: metres, radians, z up, quaternions w x y z. Arrays such as
clip.root_pos are views of the clip's memory. torsor.motion.MotionClip is the same class.

>>> clip = torsor.MotionClip(numpy.zeros((31, 3)), numpy.tile([1.0, 0, 0, 0], (31, 1)), numpy.zeros((31, 2)), fps=30,
...                          joint_names=["shoulder", "elbow"])
>>> clip
<MotionClip '': 31 frames at 30 fps, 2 joints>
>>> len(clip.resample(50)), clip.duration
(51, 1.0)
)");
  cls.def("__init__", make_clip, "root_pos"_a, "root_quat"_a, "dof"_a = nb::none(), nb::kw_only(), "fps"_a,
          "joint_names"_a = nb::none(), "name"_a = "",
          "A clip of arrays (frames, 3), (frames, 4) as w x y z, and (frames, joints).");
  cls.def_static("read", read_clip, "path"_a, nb::kw_only(), "unit"_a = nb::none(), "up"_a = nb::none(),
                 "fps"_a = nb::none(), "quat_order"_a = nb::none(), "joints"_a = nb::none(), "robot"_a = nb::none(),
                 "euler"_a = nb::none(), "name"_a = nb::none(),
                 R"(Reads a motion file. What the file leaves open must be passed; nothing is guessed.

    .bvh            needs unit: "m", "cm", "mm", "inch", "foot" or metres per unit; y up unless up="z"
    .npz            SONIC's fields (root_trans_offset, root_rot, dof, pose_aa, fps) or SMPL's (poses, trans)
    .pkl, .joblib   SONIC's fields; code in pickles is refused; `name` chooses one of several clips
    .csv            centimetres, degrees and Euler angles (SONIC's CSV motions); needs fps
    a folder        SONIC's deployment CSVs, in Isaac Lab's order
    .motion         our own binary form

quat_order is that of root_rot: without it, the order in which root_rot agrees with pose_aa is taken, and clip.notes says
so. joints are names of the joint coordinates in the order of the file; robot="g1" stands for those of the G1.

>>> clip = torsor.MotionClip(numpy.zeros((2, 3)), [[1, 0, 0, 0], [1, 0, 0, 0]], [[0.1], [0.2]], fps=30)
>>> clip.write(folder / "clip.npz")
>>> torsor.MotionClip.read(folder / "clip.npz")
<MotionClip 'clip': 2 frames at 30 fps, 1 joints, from sonic>
)");
  cls.def("write", write_clip, "path"_a, nb::kw_only(), "unit"_a = nb::none(), "up"_a = nb::none(),
          "euler"_a = nb::none(), "smpl"_a = false, "compressed"_a = true, "joints"_a = nb::none(),
          R"(Writes a file of the kind that the extension says: .bvh, .npz, .motion, .csv, .pkl; without one, a folder.

euler is the order of rotation channels in BVH (default "zxy") or of the root's angles in CSV (default "XYZ"). joints is
the order of the joints in the file, by name; a deployment folder has Isaac Lab's, which is known for the G1.

>>> clip = torsor.MotionClip(numpy.zeros((2, 3)), [[1, 0, 0, 0], [1, 0, 0, 0]], [[0.1], [0.2]], fps=30,
...                          joint_names=["knee"])
>>> clip.write(folder / "clip.csv")
>>> (folder / "clip.csv").read_text().splitlines()[0][-8:]
'knee_dof'
)");
  cls.def_static("_from_fields", clip_of_fields, "fields"_a, "file"_a, "fps"_a = nb::none(), "up"_a = nb::none(),
                 "quat_order"_a = nb::none(), "joints"_a = nb::none(), "robot"_a = nb::none());
  cls.def("_fields", fields_of);
  bind_arrays(cls);
  bind_properties(cls);
  bind_clip_operations(cls);
  bind_motion_library(m);
  bind_embodiments(m);
}

}  // namespace torsor::python
