// Arrays of joints and dofs, and the reference pose.
#include <cmath>

#include "torsor/compile/write.hpp"

namespace torsor::compiler {
namespace {

void write_dof(const JointSpec& spec, int joint, int i, Model& model) {
  model.dof_jntid[i] = joint;
  write_list(model.dof_solref.row(i, 2), spec.solref_friction);
  write_list(model.dof_solimp.row(i, 5), spec.solimp_friction);
  model.dof_frictionloss[i] = spec.frictionloss;
  model.dof_armature[i] = spec.armature;
  model.dof_damping[i] = spec.damping[0];
  model.dof_dampingpoly[2 * i] = spec.damping[1];
  model.dof_dampingpoly[2 * i + 1] = spec.damping[2];
}

// The reference of a free joint is the pose of its body, that of a ball joint no rotation.
void write_reference(const JointDraft& joint, const BodyDraft& body, double* qpos0, double* qpos_spring) {
  switch (joint.spec->type) {
    case JointType::kFree:
      for (double* qpos : {qpos0, qpos_spring}) write_frame(qpos, qpos + 3, body.X_PB);
      break;
    case JointType::kBall:
      for (double* qpos : {qpos0, qpos_spring}) store4(qpos, Rotation::identity());
      break;
    default:
      *qpos0 = joint.reference;
      *qpos_spring = joint.spring_reference;
  }
}

void write_joint(const JointDraft& joint, int j, int body, Model& model) {
  const JointSpec& spec = *joint.spec;
  model.jnt_type[j] = static_cast<int>(spec.type);
  model.jnt_bodyid[j] = body;
  model.jnt_actuatorid[j] = -1;
  model.jnt_group[j] = spec.group;
  model.jnt_limited[j] = joint.limited;
  model.jnt_actfrclimited[j] = joint.force_limited;
  model.jnt_actgravcomp[j] = spec.actgravcomp;
  write_list(model.jnt_solref.row(j, 2), spec.solref_limit);
  write_list(model.jnt_solimp.row(j, 5), spec.solimp_limit);
  store3(model.jnt_pos.row(j, 3), joint.p_BoJo_B);
  store3(model.jnt_axis.row(j, 3), joint.axis_B);
  model.jnt_stiffness[j] = spec.stiffness[0];
  model.jnt_stiffnesspoly[2 * j] = spec.stiffness[1];
  model.jnt_stiffnesspoly[2 * j + 1] = spec.stiffness[2];
  model.jnt_springyield[j] = joint.spring_yield;
  write_list(model.jnt_range.row(j, 2), joint.range);
  write_list(model.jnt_actfrcrange.row(j, 2), spec.actfrcrange);
  model.jnt_margin[j] = spec.margin;
  model.jnt_sapstiffness[j] = spec.sapstiffness.value_or(-1);
  model.jnt_sapdissipation[j] = spec.sapdissipation.value_or(-1);
  write_list(model.jnt_user.row(j, model.nuser_jnt), spec.user);
}

}  // namespace

void write_joints(const Draft& draft, const Tree& tree, Model& model) {
  int j = 0, q = 0, i = 0, plastic = 0;
  for (int b = 0; b < model.nbody; ++b) {
    const BodyDraft& body = draft.bodies[static_cast<size_t>(tree.order[static_cast<size_t>(b)])];
    for (const JointDraft& joint : body.joints) {
      const JointType type = joint.spec->type;
      write_joint(joint, j, b, model);
      model.jnt_qposadr[j] = q;
      model.jnt_dofadr[j] = i;
      model.jnt_plasticadr[j] = joint.spring_yield > 0 ? plastic : -1;
      if (joint.spring_yield > 0) plastic += type == JointType::kBall ? 4 : 1;
      write_reference(joint, body, model.qpos0.row(q, 1), model.qpos_spring.row(q, 1));
      for (int k = 0; k < dof_count(type); ++k) write_dof(*joint.spec, j, i + k, model);
      q += qpos_count(type);
      i += dof_count(type);
      ++j;
    }
  }
}

// springdamper is a time constant T and a damping ratio r; with the joint's mean inertia m in qpos0,
// stiffness = m / (T r)^2 and damping = 2 m / T.
void apply_springdampers(const Draft& draft, const Tree& tree, Model& model) {
  int j = 0;
  for (const int index : tree.order) {
    for (const JointDraft& joint : draft.bodies[static_cast<size_t>(index)].joints) {
      const int id = j++, first = model.jnt_dofadr[id], count = dof_count(joint.spec->type);
      const auto [time_constant, ratio] = joint.spec->springdamper;
      if (!(time_constant > 0 && ratio > 0)) continue;
      double inverse = 0;
      for (int i = first; i < first + count; ++i) inverse += model.dof_invweight0[i] / count;
      inverse = std::max(inverse, kMinValue);  // M may not be positive definite: tendons with armature across branches
      model.jnt_stiffness[id] = 1 / (inverse * time_constant * time_constant * ratio * ratio);
      for (int i = first; i < first + count; ++i) model.dof_damping[i] = 2 / (inverse * time_constant);
    }
  }
}

void warn_about_singular_joints(Draft& draft, const Tree& tree, const Model& model) {
  int j = 0;
  for (const int index : tree.order) {
    for (const JointDraft& joint : draft.bodies[static_cast<size_t>(index)].joints) {
      const int first = model.jnt_dofadr[j++], last = first + dof_count(joint.spec->type) - 1;
      constexpr double kHuge = 0.1 / kMinValue;  // from a pivot that was not positive
      if (!(model.dof_invweight0[first] < kHuge) || !(model.dof_invweight0[last] < kHuge))
        draft.warning("joint", *joint.spec,
                      "duplicates the motion of other joints in the reference pose: the mass matrix is singular");
    }
  }
}

}  // namespace torsor::compiler
