// The tree of links and joints of a Model, in the words of URDF.
//
// A body frame B moves by B_i = B_(i-1) T(a_i) J_i(q_i - r_i) T(-a_i) with each joint i at the anchor a_i, from the
// pose of the body at the reference r. The link of joint i, whose frame URDF puts at the joint, is F_i = B_i T(a_i), so
// its origin in F_(i-1) is T(a_i - a_(i-1)) J_i(-r_i); the body itself is F_n T(-a_n).
#include "torsor/format/urdf/write.hpp"

#include <algorithm>
#include <cmath>
#include <set>
#include <sstream>

#include <fmt/format.h>
#include <pugixml.hpp>

#include "torsor/format/urdf/robot.hpp"
#include "torsor/format/urdf/write_shapes.hpp"
#include "torsor/math/pose.hpp"

namespace torsor {
namespace urdf {
namespace {

using Node = pugi::xml_node;

class ModelWriter {
 public:
  ModelWriter(const Model& model, const std::string& mesh_folder)
      : model_(model), shapes_(model, mesh_folder, losses_) {}

  UrdfFiles write() {
    pugi::xml_document document;
    robot_ = document.append_child("robot");
    robot_.append_attribute("name") = model_.name().empty() ? "robot" : std::string(model_.name()).c_str();
    take_names();
    for (int b = 0; b < model_.nbody; ++b) write_body(b);
    list_losses(model_, losses_);
    std::ostringstream out;
    document.save(out, "  ", pugi::format_default);
    return {out.str(), shapes_.take_files(), losses_.take()};
  }

 private:
  // Links and joints have names of their own each; elements without one get one that is free.
  void take_names() {
    for (int b = 0; b < model_.nbody; ++b) link_names_.insert(std::string(model_.name(ObjectType::kBody, b)));
    for (int j = 0; j < model_.njnt; ++j) joint_names_.insert(std::string(model_.name(ObjectType::kJoint, j)));
    link_names_.insert("world");
    for (int b = 0; b < model_.nbody; ++b) {
      const std::string name(model_.name(ObjectType::kBody, b));
      links_.push_back(b == 0 ? "world" : name.empty() ? free_name(fmt::format("body_{}", b), link_names_) : name);
    }
    for (int j = 0; j < model_.njnt; ++j) {
      const std::string name(model_.name(ObjectType::kJoint, j));
      joints_.push_back(name.empty() ? free_name(fmt::format("joint_{}", j), joint_names_) : name);
    }
  }

  static std::string free_name(const std::string& wish, std::set<std::string>& taken) {
    std::string name = wish;
    for (int i = 1; !taken.insert(name).second; ++i) name = fmt::format("{}_{}", wish, i);
    return name;
  }

  static Frame pose_at(const double* pos, const double* quat) {
    return {{pos[0], pos[1], pos[2]}, normalized(Quat<double>{quat[0], quat[1], quat[2], quat[3]})};
  }

  void write_body(int b) {
    if (b > 0) write_joints(b);
    Node link = robot_.append_child("link");
    link.append_attribute("name") = links_[static_cast<size_t>(b)].c_str();
    write_inertial(b, link);
    shapes_.write(b, link);
  }

  void write_joints(int b) {
    std::string parent = links_[static_cast<size_t>(model_.body_parentid[b])];
    const std::string& link = links_[static_cast<size_t>(b)];
    const int count = model_.body_jntnum[b], first = model_.body_jntadr[b];
    Frame X_FpF = pose_at(model_.body_pos.row(b, 3), model_.body_quat.row(b, 4));  // of the next frame in `parent`
    Vec3<double> anchor{0, 0, 0};
    for (int j = first; j < first + count; ++j) {
      const Vec3<double> next = anchor_of(j, anchor);
      X_FpF = X_FpF * Frame{next - anchor, Quat<double>::identity()} * at_zero(j);
      anchor = next;
      const bool is_body = j == first + count - 1 && dot(anchor, anchor) == 0;
      const std::string child = is_body ? link : free_name(link + "_" + joints_[static_cast<size_t>(j)], link_names_);
      if (!is_body) robot_.append_child("link").append_attribute("name") = child.c_str();
      write_joint(j, parent, child, X_FpF);
      if (is_body) return;
      parent = child;
      X_FpF = Frame::identity();
    }
    const Frame X_FnB = X_FpF * Frame{-anchor, Quat<double>::identity()};
    add_joint(free_name(link + "_fixed", joint_names_), "fixed", parent, link, X_FnB);
  }

  // Where a joint is does not matter to slides and free joints.
  Vec3<double> anchor_of(int j, const Vec3<double>& before) const {
    const auto type = static_cast<JointType>(model_.jnt_type[j]);
    if (type == JointType::kSlide || type == JointType::kFree) return before;
    const double* p = model_.jnt_pos.row(j, 3);
    return {p[0], p[1], p[2]};
  }

  // J(-ref): the reference of a joint is the pose of the model, its zero is the pose of URDF.
  Frame at_zero(int j) const {
    const auto type = static_cast<JointType>(model_.jnt_type[j]);
    if (type != JointType::kHinge && type != JointType::kSlide) return Frame::identity();
    const double* a = model_.jnt_axis.row(j, 3);
    const double move = -model_.qpos0[model_.jnt_qposadr[j]];
    const Vec3<double> axis{a[0], a[1], a[2]};
    if (type == JointType::kSlide) return {axis * move, Quat<double>::identity()};
    const double s = std::sin(move / 2);
    return {{0, 0, 0}, {std::cos(move / 2), s * axis.x, s * axis.y, s * axis.z}};
  }

  Node add_joint(const std::string& name, const char* type, const std::string& parent, const std::string& child,
                 const Frame& X_PC) {
    Node joint = robot_.append_child("joint");
    joint.append_attribute("name") = name.c_str();
    joint.append_attribute("type") = type;
    write_origin(X_PC, joint);
    joint.append_child("parent").append_attribute("link") = parent.c_str();
    joint.append_child("child").append_attribute("link") = child.c_str();
    return joint;
  }

  const char* type_of(int j) const {
    switch (static_cast<JointType>(model_.jnt_type[j])) {
      case JointType::kFree:
        return "floating";
      case JointType::kBall:
        return "spherical";
      case JointType::kSlide:
        return "prismatic";
      case JointType::kHinge:
        break;
    }
    return model_.jnt_limited[j] ? "revolute" : "continuous";
  }

  void write_joint(int j, const std::string& parent, const std::string& child, const Frame& X_PC) {
    Node joint = add_joint(joints_[static_cast<size_t>(j)], type_of(j), parent, child, X_PC);
    const auto type = static_cast<JointType>(model_.jnt_type[j]);
    if (type != JointType::kHinge && type != JointType::kSlide) return;
    joint.append_child("axis").append_attribute("xyz") = to_text(model_.jnt_axis.row(j, 3), 3).c_str();
    write_limit(j, joint);
    const int dof = model_.jnt_dofadr[j];
    if (model_.dof_damping[dof] != 0 || model_.dof_frictionloss[dof] != 0) {
      Node dynamics = joint.append_child("dynamics");
      dynamics.append_attribute("damping") = fmt::format("{}", model_.dof_damping[dof]).c_str();
      dynamics.append_attribute("friction") = fmt::format("{}", model_.dof_frictionloss[dof]).c_str();
    }
    write_mimic(j, joint);
  }

  // The format demands <limit>, with `effort` and `velocity`, of all but continuous joints.
  void write_limit(int j, Node joint) const {
    const bool is_slide = model_.jnt_type[j] == static_cast<int>(JointType::kSlide);
    if (!is_slide && !model_.jnt_limited[j] && !model_.jnt_actfrclimited[j]) return;
    const double* range = model_.jnt_range.row(j, 2);
    Node limit = joint.append_child("limit");
    if (model_.jnt_limited[j] || is_slide) {
      limit.append_attribute("lower") = fmt::format("{}", model_.jnt_limited[j] ? range[0] : -kUnlimited).c_str();
      limit.append_attribute("upper") = fmt::format("{}", model_.jnt_limited[j] ? range[1] : kUnlimited).c_str();
    }
    const double* effort = model_.jnt_actfrcrange.row(j, 2);
    const double largest = std::max(std::abs(effort[0]), std::abs(effort[1]));
    limit.append_attribute("effort") =
        fmt::format("{}", model_.jnt_actfrclimited[j] && largest > 0 ? largest : kUnlimited).c_str();
    limit.append_attribute("velocity") = fmt::format("{}", kUnlimited).c_str();
  }

  // q1 - r1 = c0 + c1 (q2 - r2) is q1 = c1 q2 + (c0 + r1 - c1 r2).
  void write_mimic(int j, Node joint) {
    for (int e = 0; e < model_.neq; ++e) {
      const double* c = model_.eq_data.row(e, 11);
      if (model_.eq_type[e] != static_cast<int>(EqualityType::kJoint) || model_.eq_obj1id[e] != j ||
          !model_.eq_active0[e] || model_.eq_obj2id[e] < 0 || c[2] != 0 || c[3] != 0 || c[4] != 0)
        continue;
      if (joint.child("mimic")) {
        losses_.add("equality", name_of(model_, ObjectType::kEquality, e), "a joint of URDF mimics one other only");
        continue;
      }
      const int leader = model_.eq_obj2id[e];
      const double r1 = model_.qpos0[model_.jnt_qposadr[j]], r2 = model_.qpos0[model_.jnt_qposadr[leader]];
      Node mimic = joint.append_child("mimic");
      mimic.append_attribute("joint") = joints_[static_cast<size_t>(leader)].c_str();
      mimic.append_attribute("multiplier") = fmt::format("{}", c[1]).c_str();
      mimic.append_attribute("offset") = fmt::format("{}", c[0] + r1 - c[1] * r2).c_str();
    }
  }

  // Inertia in the axes of the link: readers that ignore the rpy of its origin read it right.
  void write_inertial(int b, Node link) const {
    if (b == 0 || model_.body_mass[b] == 0) return;
    const double* q = model_.body_iquat.row(b, 4);
    const double* moments = model_.body_inertia.row(b, 3);
    const Mat3<double> R_BI = to_mat(normalized(Quat<double>{q[0], q[1], q[2], q[3]}));
    const Mat3<double> I_B =
        R_BI * Mat3<double>{moments[0], 0, 0, 0, moments[1], 0, 0, 0, moments[2]} * transpose(R_BI);
    Node inertial = link.append_child("inertial");
    Node origin = inertial.append_child("origin");
    origin.append_attribute("xyz") = to_text(model_.body_ipos.row(b, 3), 3).c_str();
    inertial.append_child("mass").append_attribute("value") = fmt::format("{}", model_.body_mass[b]).c_str();
    Node inertia = inertial.append_child("inertia");
    const std::pair<const char*, double> entries[] = {{"ixx", I_B(0, 0)}, {"ixy", I_B(0, 1)}, {"ixz", I_B(0, 2)},
                                                      {"iyy", I_B(1, 1)}, {"iyz", I_B(1, 2)}, {"izz", I_B(2, 2)}};
    for (const auto& [name, value] : entries) inertia.append_attribute(name) = fmt::format("{}", value).c_str();
  }

  const Model& model_;
  LossList losses_;
  ShapeWriter shapes_;
  Node robot_;
  std::set<std::string> link_names_, joint_names_;
  std::vector<std::string> links_, joints_;
};

}  // namespace
}  // namespace urdf

UrdfFiles write_urdf(const Model& model, const std::string& mesh_folder) {
  return urdf::ModelWriter(model, mesh_folder).write();
}

}  // namespace torsor
