// Poses of all elements in their body frames: resolves orientations, dissolves frames, converts fromto to a pose.
#include <fmt/format.h>

#include <stdexcept>

#include "torsor/compile/draft.hpp"
#include "torsor/compile/orientation.hpp"

namespace torsor::compiler {
namespace {

// Places the elements of one body. F is the frame that an element is written in.
class Placer {
 public:
  Placer(Draft& draft, BodyDraft& body, const std::vector<Frame>& parent_frames)
      : draft_(draft), body_(body), parent_frames_(parent_frames) {}

  // Poses of the body's frames in the body, those of enclosing frames included.
  std::vector<Frame> place_frames() {
    std::vector<Frame> X_BF;
    for (const FrameSpec& frame : body_.spec->frames) {
      const Frame X_FoF = pose("frame", frame, frame.pos, frame.orientation);
      X_BF.push_back(within(X_BF, frame.parent_frame) * X_FoF);
    }
    return X_BF;
  }

  void place_body() {
    const BodySpec& spec = *body_.spec;
    body_.X_written = pose("body", spec, spec.pos, spec.orientation);
    body_.X_PB = within(parent_frames_, spec.frame) * body_.X_written;
  }

  void place_children(const std::vector<Frame>& X_BF) {
    body_.X_BF_of_inertial = within(X_BF, body_.spec->inertial.frame);
    for (JointDraft& joint : body_.joints) place_joint(joint, within(X_BF, joint.spec->frame));
    for (GeomDraft& geom : body_.geoms) geom.X_BG = within(X_BF, geom.spec->frame) * line_or_pose("geom", *geom.spec);
    for (SiteDraft& site : body_.sites) site.X_BS = within(X_BF, site.spec->frame) * line_or_pose("site", *site.spec);
    for (CameraDraft& camera : body_.cameras) {
      const CameraSpec& spec = *camera.spec;
      camera.X_BC = within(X_BF, spec.frame) * pose("camera", spec, spec.pos, spec.orientation);
    }
    for (LightDraft& light : body_.lights) place_light(light, within(X_BF, light.spec->frame));
  }

 private:
  static Frame within(const std::vector<Frame>& frames, int index) {
    const bool exists = index >= 0 && static_cast<size_t>(index) < frames.size();
    return exists ? frames[static_cast<size_t>(index)] : Frame::identity();
  }

  Frame pose(std::string_view kind, const ElementSpec& element, const Number3& pos,
             const OrientationSpec& orientation) {
    return {to_vec(pos), rotation(kind, element, orientation)};
  }

  Rotation rotation(std::string_view kind, const ElementSpec& element, const OrientationSpec& orientation) {
    try {
      const CompilerSpec& compiler = draft_.spec.compiler;
      return resolve_orientation(orientation, {compiler.degree, compiler.eulerseq});
    } catch (const std::invalid_argument& problem) {
      draft_.error(kind, element, problem.what());
      return Rotation::identity();
    }
  }

  // The unit axis of a joint; z for ball and free joints.
  void place_joint(JointDraft& joint, const Frame& X_BF) {
    const JointSpec& spec = *joint.spec;
    joint.p_BoJo_B = spec.type == JointType::kFree ? Vec::zero() : apply(X_BF, to_vec(spec.pos));
    joint.axis_B = {0, 0, 1};
    if (spec.type == JointType::kFree || spec.type == JointType::kBall) return;
    const Vec axis_F = to_vec(spec.axis);
    if (!has_direction(axis_F)) return draft_.error("joint", spec, "axis is too short to give a direction");
    joint.axis_B = normalized(rotate(X_BF.q, axis_F));
  }

  void place_light(LightDraft& light, const Frame& X_BF) {
    const Vec direction_F = to_vec(light.spec->dir);
    light.p_BoLo_B = apply(X_BF, to_vec(light.spec->pos));
    light.direction_B = {0, 0, -1};
    if (!(light.spec->softness >= 0 && light.spec->softness <= 1))
      draft_.error("light", *light.spec, "softness must be from 0 to 1");
    if (!has_direction(direction_F)) return draft_.error("light", *light.spec, "dir is too short to give a direction");
    light.direction_B = normalized(rotate(X_BF.q, direction_F));
  }

  // Elongated shapes may be written by the end points of their axis: z points from `to` towards `from`.
  template <class ShapeSpec>
  Frame line_or_pose(std::string_view kind, const ShapeSpec& spec) {
    if (!spec.fromto) return pose(kind, spec, spec.pos, spec.orientation);
    if (spec.pos != Number3{0, 0, 0}) draft_.error(kind, spec, "has both pos and fromto");
    const Number6& ends = *spec.fromto;
    const Vec from{ends[0], ends[1], ends[2]}, to{ends[3], ends[4], ends[5]};
    if (!has_direction(from - to)) {
      draft_.error(kind, spec, "the points of fromto are too close to give a direction");
      return Frame::identity();
    }
    return {(from + to) * 0.5, turn_z_to(from - to)};
  }

  Draft& draft_;
  BodyDraft& body_;
  const std::vector<Frame>& parent_frames_;
};

}  // namespace

void place_elements(Draft& draft) {
  std::vector<std::vector<Frame>> X_BF(draft.bodies.size());
  for (size_t b = 0; b < draft.bodies.size(); ++b) {
    BodyDraft& body = draft.bodies[b];
    static const std::vector<Frame> kNone;
    Placer placer(draft, body, b == 0 ? kNone : X_BF[static_cast<size_t>(body.parent)]);
    X_BF[b] = placer.place_frames();
    if (b > 0) placer.place_body();
    placer.place_children(X_BF[b]);
  }
}

}  // namespace torsor::compiler
