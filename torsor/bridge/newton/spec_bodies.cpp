// Bodies, their masses and the joints that hold them.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "torsor/bridge/newton/spec_maker.hpp"
#include "torsor/core/error.hpp"
#include "torsor/math/principal_axes.hpp"

namespace torsor::newton {
namespace {

// Principal axes to full accuracy: those of `fullinertia` are as accurate as MuJoCo's, up to 1.4e-6 rad off.
PrincipalAxes<double> refined_axes(const Mat3<double>& I) {
  const bool is_diagonal = I(0, 1) == 0 && I(0, 2) == 0 && I(1, 2) == 0;
  if (is_diagonal) return {Quat<double>::identity(), {I(0, 0), I(1, 1), I(2, 2)}};
  PrincipalAxes<double> axes = principal_axes(I);
  for (int turn = 0; turn < 12; ++turn) {
    const int k = turn % 3, r = (k + 1) % 3, c = (k + 2) % 3;
    const Mat3<double> R = to_mat(axes.q), D = transposed_mul(R, I) * R;
    const double difference = D(r, r) - D(c, c);
    const double angle = difference == 0 ? 1 : 0.5 * std::atan(2 * D(r, c) / difference);
    if (std::fabs(angle) > 0.1) continue;  // equal moments: any axes will do
    axes.q = normalized(axes.q * turn_about(k, std::cos(angle / 2), std::sin(angle / 2)));
    const Mat3<double> turned = to_mat(axes.q), moments = transposed_mul(turned, I) * turned;
    axes.moments = {moments(0, 0), moments(1, 1), moments(2, 2)};
  }
  return axes;
}

}  // namespace

void SpecMaker::add_body(int b) {
  const int j = layout_.body_joint[b], parent = builder_.joint_parent[j];
  BodySpec body;
  body.name = body_name(b);
  body.parent = parent < 0 ? 0 : layout_.body_engine[parent];
  const Pose<double> X_PJ = to_pose(builder_.joint_X_p[j]), X_BJ = to_pose(builder_.joint_X_c[j]);
  const int q = builder_.joint_q_start[j];
  const bool has_pose = is_pose(j);
  if (layout_.joint_is_descendant_free[j]) {
    place(body, X_PJ);  // coordinates are the body's pose in the parent anchor
  } else if (has_pose) {
    Transform start;
    std::copy_n(&builder_.joint_q[q], 7, start.begin());
    place(body, X_PJ * to_pose(start) * inverse(X_BJ));
  } else {
    place(body, X_PJ * inverse(X_BJ));
  }
  if (builder_.body_mass[b] > 0) set_inertial(b, body.inertial);
  spec_.bodies.push_back(std::move(body));
  layout_.system.tree.names.push_back(spec_.bodies.back().name);
  layout_.system.tree.parents.push_back(spec_.bodies.back().parent);
  add_joints(j, b);
}

void SpecMaker::set_inertial(int b, InertialSpec& inertial) const {
  const Mat3<double> I = load9(builder_.body_inertia[b].data());
  const PrincipalAxes<double> principal = refined_axes((I + transpose(I)) * 0.5);
  inertial.given = true;
  inertial.mass = builder_.body_mass[b];
  inertial.diaginertia = to_array(principal.moments);
  place(inertial, {to_vec(builder_.body_com[b]), principal.q});
}

void SpecMaker::add_joints(int j, int b) {
  if (builder_.joint_type[j] == JointKind::kFixed) return;
  const int dof = builder_.joint_qd_start[j];
  if (builder_.qd_end(j) == dof) return;  // a d6 joint without axes
  layout_.joint_first[j] = dof_name(dof);
  if (layout_.joint_is_descendant_free[j]) {
    add_descendant_free(j, b, dof);
  } else if (is_pose(j)) {
    JointSpec joint = start_joint(dof);
    joint.type = JointType::kFree;
    joint.align = Tristate::kFalse, joint.align_given = true;
    add(b, joint, j, CoordinateKind::kFree);
  } else if (builder_.joint_type[j] == JointKind::kBall) {
    JointSpec joint = start_joint(dof);
    joint.type = JointType::kBall;
    if (!builder_.dof_native[dof]) joint.pos = to_array(to_pose(builder_.joint_X_c[j]).p);
    add(b, joint, j, CoordinateKind::kBall);
  } else {
    for (int i = dof; i < builder_.qd_end(j); ++i) add_axis(j, b, i, i - dof < builder_.joint_dof_dim[j][0]);
  }
}

// Three slides and a ball about the body's origin have the seven coordinates of a free joint, in the parent anchor.
void SpecMaker::add_descendant_free(int j, int b, int dof) {
  for (int i = 0; i < 3; ++i) {
    JointSpec slide = start_joint(dof);
    slide.name = i == 0 ? dof_name(dof) : fmt::format("{}_{}", dof_name(dof), i);
    slide.type = JointType::kSlide;
    slide.axis = {i == 0 ? 1.0 : 0, i == 1 ? 1.0 : 0, i == 2 ? 1.0 : 0};
    body_spec(b).joints.push_back(slide);
  }
  JointSpec ball = start_joint(dof + 3);
  ball.name = dof_name(dof) + "_ball";
  ball.type = JointType::kBall;
  body_spec(b).joints.push_back(ball);
  list_joint(dof_name(dof), j, b, CoordinateKind::kFree, 0, {0, 0, 1});
}

void SpecMaker::add_axis(int j, int b, int dof, bool is_linear) {
  JointSpec joint = start_joint(dof);
  joint.type = is_linear ? JointType::kSlide : JointType::kHinge;
  const Pose<double> X_BJ = to_pose(builder_.joint_X_c[j]);
  joint.axis = to_array(rotate(X_BJ.q, to_vec(builder_.joint_axis[dof])));
  if (!builder_.dof_native[dof]) joint.pos = to_array(X_BJ.p);
  const double lower = builder_.joint_limit_lower[dof], upper = builder_.joint_limit_upper[dof];
  const bool has_limits = (lower > -kUnlimited || upper < kUnlimited) && !builder_.is_kinematic(b);
  joint.limited = has_limits ? Tristate::kTrue : Tristate::kFalse;
  joint.range = make_range(lower + joint.ref, upper + joint.ref);
  set_sap_limit(joint, builder_.joint_limit_ke[dof], builder_.joint_limit_kd[dof]);
  add(b, joint, j, is_linear ? CoordinateKind::kSlide : CoordinateKind::kHinge);
}

JointSpec SpecMaker::start_joint(int dof) const {
  JointSpec joint = builder_.dof_native[dof] ? *builder_.dof_native[dof] : JointSpec{};
  joint.name = dof_name(dof);
  joint.armature = builder_.joint_armature[dof];
  joint.frictionloss = builder_.joint_friction[dof];
  joint.damping[0] = builder_.joint_damping[dof];
  return joint;
}

void SpecMaker::add(int b, const JointSpec& joint, int j, CoordinateKind kind) {
  body_spec(b).joints.push_back(joint);
  if (builder_.is_kinematic(b)) body_spec(b).joints.back().frictionloss = 0;
  list_joint(joint.name, j, b, kind, joint.ref, to_vec(joint.axis));
}

void SpecMaker::list_joint(const std::string& name, int j, int b, CoordinateKind kind, double ref,
                           const Vec3<double>& axis_B) {
  JointCoordinates coordinates;
  coordinates.name = name;
  coordinates.kind = kind;
  coordinates.body = layout_.body_engine[b];
  coordinates.ref = ref;
  coordinates.axis_B = axis_B;
  coordinates.place.p_BoBcm_B = to_vec(builder_.body_com[b]);
  coordinates.place.X_BA = to_pose(builder_.joint_X_c[j]);
  if (kind == CoordinateKind::kFree && !layout_.joint_is_descendant_free[j])
    coordinates.place.X_WP = to_pose(builder_.joint_X_p[j]);
  layout_.system.joints.push_back(std::move(coordinates));
}

// Bodies that move as one need a mass.
void SpecMaker::check_masses(const std::vector<int>& order) const {
  std::vector<int> moved_with(builder_.body_count(), -1);  // the first of the bodies that move as one, -1: the world
  std::vector<double> masses(builder_.body_count(), 0.0);
  for (const int b : order) {
    const int j = layout_.body_joint[b], parent = builder_.joint_parent[j];
    const bool moves = builder_.qd_end(j) > builder_.joint_qd_start[j];
    moved_with[b] = moves ? b : parent < 0 ? -1 : moved_with[parent];
    if (moved_with[b] >= 0) masses[moved_with[b]] += builder_.body_mass[b];
  }
  for (const int b : order) {
    if (moved_with[b] == b && !(masses[b] > 0)) {
      throw Error(fmt::format("body {} ('{}') moves but has no mass: give it a mass, or a shape with a density", b,
                              builder_.body_key[b]));
    }
  }
}

}  // namespace torsor::newton
