// Named arrays, as NPZ files and pickles hold them, to a clip: SONIC's retargeted clips.
#include <algorithm>
#include <cmath>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "torsor/convention/rotations.hpp"
#include "torsor/core/count.hpp"
#include "torsor/core/error.hpp"
#include "torsor/format/motion/field_reader.hpp"

namespace torsor {
namespace {

using motion::FieldReader;

Quat<double> in_order(const double* p, QuatOrder order) {
  return order == QuatOrder::kXyzw ? Quat<double>{p[3], p[0], p[1], p[2]} : load4(p);
}

// The largest angle between root_rot, read in an order, and the root's rotation in pose_aa.
double disagreement(const std::vector<double>& root_rot, QuatOrder order, const std::vector<double>& pose_aa,
                    size_t frames) {
  const size_t stride = pose_aa.size() / frames;
  double largest = 0;
  for (size_t f = 0; f < frames; ++f) {
    const Quat<double> q = normalized(in_order(&root_rot[f * 4], order));
    largest = std::max(largest, rotations::angle_between(q, quat_from_rotation_vector(load3(&pose_aa[f * stride]))));
  }
  return largest;
}

const char* name_of(QuatOrder order) { return order == QuatOrder::kWxyz ? "wxyz" : "xyzw"; }

constexpr double kSameRotation = 0.01;  // rad; float32 angles differ by far less

// The order that the caller or the file says, or else the one in which root_rot agrees with pose_aa.
QuatOrder find_order(const FieldReader& reader, const std::vector<double>& root_rot, const std::vector<double>& pose_aa,
                     size_t frames, std::vector<std::string>& notes) {
  if (reader.options().quat_order != QuatOrder::kUnspecified) return reader.options().quat_order;
  const std::string label = reader.find_text({"root_rot_order", "quat_order"});
  if (label == "wxyz") return QuatOrder::kWxyz;
  if (label == "xyzw") return QuatOrder::kXyzw;
  if (!label.empty()) reader.fail(fmt::format("root_rot_order is '{}', expected wxyz or xyzw", label));
  constexpr const char* kHint = "pass quat_order='wxyz' or quat_order='xyzw'";
  if (pose_aa.empty())
    reader.fail(
        "the order of root_rot is not known: SONIC's documentation says wxyz, converters write xyzw, and the "
        "file has no pose_aa to compare it with",
        kHint);
  const double wxyz = disagreement(root_rot, QuatOrder::kWxyz, pose_aa, frames);
  const double xyzw = disagreement(root_rot, QuatOrder::kXyzw, pose_aa, frames);
  if (wxyz < kSameRotation && xyzw < kSameRotation)
    reader.fail("the order of root_rot is not known: pose_aa agrees with both orders in every frame", kHint);
  if (std::min(wxyz, xyzw) >= kSameRotation)
    reader.fail(
        fmt::format("root_rot disagrees with pose_aa in either order: by {:.3g} degrees as wxyz, {:.3g} as xyzw",
                    wxyz * 180 / M_PI, xyzw * 180 / M_PI),
        kHint);
  const QuatOrder order = wxyz < xyzw ? QuatOrder::kWxyz : QuatOrder::kXyzw;
  notes.push_back(
      fmt::format("root_rot is {}: it agrees with pose_aa to {:.2g} degrees, in the other order it is off by {:.3g}",
                  name_of(order), std::min(wxyz, xyzw) * 180 / M_PI, std::max(wxyz, xyzw) * 180 / M_PI));
  return order;
}

void read_root(const FieldReader& reader, const std::vector<double>& pose_aa, MotionClip& clip) {
  const size_t frames = size_t(clip.frames);
  clip.root_pos = reader.numbers({"root_trans_offset", "root_trans", "root_pos", "root_translation"}, {frames, 3});
  if (!reader.has({"root_rot", "root_quat"})) {
    if (pose_aa.empty()) reader.fail("no root_rot, and no pose_aa to take the root's rotation from");
    const size_t stride = pose_aa.size() / frames;
    for (size_t f = 0; f < frames; ++f)
      store4(&clip.root_quat[f * 4], quat_from_rotation_vector(load3(&pose_aa[f * stride])));
    return;
  }
  const std::vector<double> root_rot = reader.numbers({"root_rot", "root_quat"}, {frames, 4});
  const QuatOrder order = find_order(reader, root_rot, pose_aa, frames, clip.notes);
  for (size_t f = 0; f < frames; ++f) store4(&clip.root_quat[f * 4], in_order(&root_rot[f * 4], order));
}

void read_bodies(const FieldReader& reader, const std::vector<double>& pose_aa, MotionClip& clip) {
  const size_t count = pose_aa.size() / size_t(clip.frames) / 3;
  std::vector<std::string> names = reader.texts({"body_names", "link_body_list"});
  if (names.size() != count) {
    names.clear();
    for (size_t b = 0; b < count; ++b) names.push_back(fmt::format("body_{}", b));
  }
  for (size_t b = 0; b < count; ++b)
    clip.bodies.push_back({names[b], b == 0 ? -1 : 0, {0, 0, 0}, Quat<double>::identity()});
  clip.has_tree = false;
  for (size_t i = 0; i < pose_aa.size(); i += 3) {
    const Quat<double> q = quat_from_rotation_vector(load3(&pose_aa[i]));
    clip.body_quat.insert(clip.body_quat.end(), {q.w, q.x, q.y, q.z});
  }
  for (int f = 0; f < clip.frames; ++f) store4(&clip.body_quat[size_t(f) * count * 4], clip.q_WR(f));
  motion::read_tree(reader, clip);
}

}  // namespace

// The tree, where we wrote the file: parents, offsets and rest rotations.
void motion::read_tree(const FieldReader& reader, MotionClip& clip) {
  if (!reader.has({"body_parents"})) return;
  const size_t count = clip.bodies.size();
  const std::vector<double> parents = reader.numbers({"body_parents"}, {count});
  const std::vector<double> offsets = reader.numbers({"body_offsets"}, {count, 3}),
                            rest = reader.numbers({"body_rest"}, {count, 4});
  for (size_t b = 0; b < count; ++b) {
    if (!(parents[b] >= -1 && parents[b] < double(count))) reader.fail("body_parents are not indices of bodies");
    clip.bodies[b].parent = int(parents[b]);
    clip.bodies[b].p_PoBo_P = load3(&offsets[b * 3]);
    clip.bodies[b].q_PB0 = load4(&rest[b * 4]);
  }
  clip.has_tree = true;
  if (reader.has({"body_local_pos"}))
    clip.body_pos = reader.numbers({"body_local_pos"}, {size_t(clip.frames), count, 3});
  if (!reader.has({"end_bodies"})) return;
  const size_t ends = reader.length({"end_bodies"});
  const std::vector<double> bodies = reader.numbers({"end_bodies"}, {ends}),
                            tips = reader.numbers({"end_offsets"}, {ends, 3});
  for (size_t i = 0; i < ends; ++i) {
    if (!(bodies[i] >= 0 && bodies[i] < double(count))) reader.fail("end_bodies are not indices of bodies");
    clip.ends.push_back({int(bodies[i]), load3(&tips[i * 3])});
  }
}

MotionClip motion::sonic_clip(const FieldReader& reader) {
  MotionClip clip;
  clip.convention = "sonic";
  clip.fps = reader.rate({"fps"});
  const std::vector<std::string> dof_names{"dof", "dof_pos", "joint_pos"};
  if (!reader.has(dof_names) && !reader.has({"pose_aa"})) reader.fail("no dof and no pose_aa: nothing moves");
  const size_t frames = reader.length({"root_trans_offset", "root_trans", "root_pos", "root_translation"});
  std::vector<double> pose_aa;
  if (reader.has({"pose_aa"})) pose_aa = reader.rows({"pose_aa"}, frames, 3);
  if (reader.has(dof_names)) {
    clip.dof = reader.rows(dof_names, frames, 1);
    clip.dofs = int(clip.dof.size() / frames);
  }
  const std::vector<double> dof = std::move(clip.dof);
  set_frames(clip, int(frames));
  clip.dof = dof;
  read_root(reader, pose_aa, clip);
  if (!pose_aa.empty()) read_bodies(reader, pose_aa, clip);
  clip.joint_names =
      reader.options().joints.empty() ? reader.texts({"dof_names", "joint_names"}) : reader.options().joints;
  if (clip.joint_names.size() != size_t(clip.dofs) && reader.options().joints.empty()) clip.joint_names.clear();
  to_z_up(clip, reader.up_or(UpAxis::kZ));
  return clip;
}

namespace {

NpyArray npy_texts(std::vector<std::string> values, std::vector<size_t> shape) {
  return NpyArray{std::move(shape), {}, std::move(values), true};
}
NpyArray npy_numbers(std::vector<size_t> shape, std::vector<double> values = {}) {
  return NpyArray{std::move(shape), std::move(values), {}, false};
}
void append(NpyArray& array, const Vec3<double>& v) { array.numbers.insert(array.numbers.end(), {v.x, v.y, v.z}); }

// What read_tree() reads: our own additions to SONIC's fields.
void add_tree_fields(const MotionClip& clip, MotionFields& fields) {
  const size_t bodies = clip.bodies.size(), ends = clip.ends.size();
  NpyArray parents = npy_numbers({bodies}), offsets = npy_numbers({bodies, 3}), rest = npy_numbers({bodies, 4});
  for (const MotionBody& body : clip.bodies) {
    parents.numbers.push_back(body.parent);
    append(offsets, body.p_PoBo_P);
    rest.numbers.insert(rest.numbers.end(), {body.q_PB0.w, body.q_PB0.x, body.q_PB0.y, body.q_PB0.z});
  }
  fields["body_parents"] = parents, fields["body_offsets"] = offsets, fields["body_rest"] = rest;
  if (!clip.body_pos.empty()) fields["body_local_pos"] = npy_numbers({size_t(clip.frames), bodies, 3}, clip.body_pos);
  if (ends == 0) return;
  NpyArray of = npy_numbers({ends}), tips = npy_numbers({ends, 3});
  for (const MotionEnd& end : clip.ends) of.numbers.push_back(end.body), append(tips, end.p_BoEo_B);
  fields["end_bodies"] = of, fields["end_offsets"] = tips;
}

}  // namespace

MotionFields sonic_fields(const MotionClip& clip) {
  const size_t frames = size_t(clip.frames), bodies = clip.bodies.size();
  MotionFields fields;
  fields["fps"] = npy_numbers({}, {clip.fps});
  fields["root_trans_offset"] = npy_numbers({frames, 3}, clip.root_pos);
  fields["root_rot"] = npy_numbers({frames, 4}, clip.root_quat);
  fields["root_rot_order"] = npy_texts({"wxyz"}, {});
  if (clip.dofs > 0) fields["dof"] = npy_numbers({frames, size_t(clip.dofs)}, clip.dof);
  if (!clip.joint_names.empty()) fields["joint_names"] = npy_texts(clip.joint_names, {clip.joint_names.size()});
  if (bodies == 0) return fields;
  NpyArray pose = npy_numbers({frames, bodies, 3});
  for (size_t i = 0; i < clip.body_quat.size(); i += 4) append(pose, rotation_vector(load4(&clip.body_quat[i])));
  std::vector<std::string> names;
  for (const MotionBody& body : clip.bodies) names.push_back(body.name);
  fields["pose_aa"] = pose;
  fields["body_names"] = npy_texts(names, {bodies});
  if (clip.has_tree) add_tree_fields(clip, fields);
  return fields;
}

MotionClip clip_from_fields(const MotionFields& fields, const MotionReadOptions& options, const std::string& file) {
  const FieldReader reader(fields, options, file);
  const bool is_smpl = reader.has({"poses", "global_orient", "root_orient"}) ||
                       (reader.has({"pose_aa"}) && reader.has({"trans", "transl"}));
  const bool is_sonic = reader.has({"root_trans_offset", "root_trans", "root_pos", "root_translation"});
  if (!is_smpl && !is_sonic)
    reader.fail("neither a retargeted clip (root_trans_offset, root_rot, dof, pose_aa, fps) nor SMPL (poses, trans)");
  MotionClip clip = is_smpl && !is_sonic ? motion::smpl_clip(reader) : motion::sonic_clip(reader);
  try {
    check_clip(clip);
  } catch (const Error& error) {
    reader.fail(error.diagnostics()[0].message, error.diagnostics()[0].hint);
  }
  return clip;
}

}  // namespace torsor
