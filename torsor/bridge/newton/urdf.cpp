// add_urdf(): adds the links, joints and shapes of a URDF file to the builder's lists, as Newton's importer does.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <deque>
#include <map>

#include "torsor/bridge/newton/builder.hpp"
#include "torsor/bridge/newton/turn_up.hpp"
#include "torsor/core/error.hpp"
#include "torsor/format/urdf/load_robot.hpp"
#include "torsor/format/urdf/tree.hpp"

namespace torsor::newton {
namespace {

using urdf::Robot;
using Order = UrdfImportOptions::Order;

Pose<double> pose_in_file(const urdf::Origin& origin, double scale) {
  return {Vec3<double>{origin.xyz[0], origin.xyz[1], origin.xyz[2]} * scale, urdf::quat_of(origin.rpy)};
}

// Axes of the plane at right angles to a normal, as Newton has them: the first one at right angles to y, too.
std::pair<Vec3<double>, Vec3<double>> plane_axes(const Vec3<double>& normal) {
  const Vec3<double> across = cross(Vec3<double>{0, 1, 0}, normal);
  const Vec3<double> u = norm(across) > 1e-9 ? normalized(across) : Vec3<double>{0, 0, 1};
  return {u, cross(normal, u)};
}

class UrdfImporter {
 public:
  UrdfImporter(ModelBuilder& builder, const urdf::LoadedRobot& loaded, const UrdfImportOptions& options)
      : builder_(builder), loaded_(loaded), robot_(loaded.robot), options_(options), tree_(robot_, report_) {}

  UrdfImport run() {
    result_.first_shape = builder_.shape_count();
    order_joints();
    place_links();
    add_links();
    const int first = builder_.joint_count();
    add_base();
    for (const int joint : order_) add_joint(joint);
    std::vector<int> joints;
    for (int j = first; j < builder_.joint_count(); ++j) joints.push_back(j);
    // of a robot on a body of another articulation, the joints continue that one
    if (options_.parent_body < 0)
      builder_.add_articulation(joints, robot_.name);
    else
      continue_articulation(joints);
    for (const int link : added_) add_shapes(link);
    for (const urdf::Joint& joint : robot_.joints) add_mimic(joint);
    if (!options_.enable_self_collisions) filter_all();
    for (const Diagnostic& warning : loaded_.warnings) result_.warnings.push_back(warning.message);
    return std::move(result_);
  }

 private:
  const urdf::Link& link(int i) const { return robot_.links[static_cast<size_t>(i)]; }
  const urdf::Joint& joint(int i) const { return robot_.joints[static_cast<size_t>(i)]; }
  std::string label(const std::string& name) const { return robot_.name.empty() ? name : robot_.name + "/" + name; }

  void order_joints() {
    if (options_.joint_ordering == Order::kFile) {
      for (size_t j = 0; j < robot_.joints.size(); ++j) order_.push_back(static_cast<int>(j));
      return require_parents_first();
    }
    const bool is_deep = options_.joint_ordering == Order::kDepthFirst;
    std::deque<int> open(tree_.joints_from(tree_.root()).begin(), tree_.joints_from(tree_.root()).end());
    while (!open.empty()) {
      const int next = open.front();
      open.pop_front();
      order_.push_back(next);
      const auto& below = tree_.joints_from(tree_.child_of(next));
      open.insert(is_deep ? open.begin() : open.end(), below.begin(), below.end());
    }
  }

  void require_parents_first() const {
    std::vector<bool> is_there(robot_.links.size(), false);
    is_there[static_cast<size_t>(tree_.root())] = true;
    for (const int next : order_) {
      if (!is_there[static_cast<size_t>(tree_.parent_of(next))])
        throw Error(
            {Diagnostic{Severity::kError, joint(next).where,
                        fmt::format("joint '{}' comes before the one that leads to its parent", joint(next).name),
                        "the order of the file needs parents first: use joint_ordering 'dfs' or 'bfs'"}});
      is_there[static_cast<size_t>(tree_.child_of(next))] = true;
    }
  }

  // At zero coordinates.
  void place_links() {
    const Pose<double> X_up{Vec3<double>::zero(), turn_up(options_.up_axis, builder_.up_axis)};
    X_PR_ = to_pose(options_.xform) * X_up;
    const int parent = options_.parent_body;
    const Pose<double> X_WP = parent < 0 ? Pose<double>::identity() : to_pose(builder_.body_q[parent]);
    X_WL_.assign(robot_.links.size(), X_WP * X_PR_);
    std::vector<int> stack{tree_.root()};
    while (!stack.empty()) {
      const int at = stack.back();
      stack.pop_back();
      for (const int below : tree_.joints_from(at)) {
        const int child = tree_.child_of(below);
        X_WL_[static_cast<size_t>(child)] =
            X_WL_[static_cast<size_t>(at)] * pose_in_file(joint(below).origin, options_.scale);
        stack.push_back(child);
      }
    }
  }

  void add_links() {
    bodies_.assign(robot_.links.size(), -1);
    if (!options_.bodies_follow_joint_ordering) {
      for (size_t i = 0; i < robot_.links.size(); ++i) add_link(static_cast<int>(i));
      return;
    }
    add_link(tree_.root());
    for (const int next : order_) add_link(tree_.child_of(next));
  }

  void add_link(int i) {
    const urdf::Link& from = link(i);
    LinkOptions out;
    out.xform = to_transform(X_WL_[static_cast<size_t>(i)]);
    out.key = label(from.name);
    if (uses_inertial(from)) {
      const Number6 moments = urdf::inertia_in_link(*from.inertial);
      const double square = options_.scale * options_.scale;
      const auto at = [&](size_t k) { return moments[k] * square; };
      out.mass = from.inertial->mass;
      for (size_t k = 0; k < 3; ++k) out.com[k] = from.inertial->origin.xyz[k] * options_.scale;
      out.inertia = {at(0), at(3), at(4), at(3), at(1), at(5), at(4), at(5), at(2)};
    }
    bodies_[static_cast<size_t>(i)] = builder_.add_link(out);
    added_.push_back(i);
  }
  bool uses_inertial(const urdf::Link& link) const { return link.inertial && !options_.ignore_inertial_definitions; }

  void add_base() {
    const int root = bodies_[static_cast<size_t>(tree_.root())];
    const int parent = options_.parent_body;
    if (options_.base_joint) return add_base_joint(*options_.base_joint, root);
    JointOptions joint;
    if (options_.floating) {
      joint.key = label("floating_base");
      builder_.add_joint_free(root, parent, joint);
      return;
    }
    joint.key = label("fixed_base");
    joint.parent_xform = to_transform(X_PR_);
    builder_.add_joint(JointKind::kFixed, parent, root, {}, {}, joint);
  }

  // Its axes are those of the parent: xform turns the root behind the joint, unless it is to turn the joint too.
  void add_base_joint(const BaseJoint& base, int root) {
    JointOptions joint;
    joint.key = base.key.empty() ? label("base_joint") : base.key;
    joint.collision_filter_parent = base.collision_filter_parent, joint.enabled = base.enabled;
    if (base.kind == JointKind::kFree) {
      builder_.add_joint_free(root, options_.parent_body, joint);
      return;
    }
    const Pose<double> X_turn{Vec3<double>::zero(), X_PR_.q};
    joint.parent_xform = to_transform(options_.override_root_xform ? X_PR_ : X_PR_ * inverse(X_turn));
    if (!options_.override_root_xform) joint.child_xform = to_transform(inverse(X_turn));
    builder_.add_joint(base.kind, options_.parent_body, root, base.linear, base.angular, joint);
  }

  // Of a planar joint, as in Newton, only resistance has the builder's defaults.
  DofConfig axis_of(const urdf::Joint& from, const Vec3<double>& direction) {
    DofConfig axis;
    if (from.kind != urdf::JointKind::kPlanar) axis = options_.axis;
    axis.axis = to_array(direction);
    axis.target_kd = from.damping > 0 && options_.damping_is_drive ? from.damping : options_.axis.target_kd;
    axis.damping = from.damping > 0 && !options_.damping_is_drive ? from.damping : options_.axis.damping;
    axis.friction = from.friction > 0 ? from.friction : options_.axis.friction;
    if (from.most_effort) axis.effort_limit = std::min(*from.most_effort, kUnlimited);
    const bool turns = from.kind == urdf::JointKind::kRevolute || from.kind == urdf::JointKind::kContinuous;
    const double scale = turns ? 1 : options_.scale;
    if (from.most_velocity) axis.velocity_limit = std::min(*from.most_velocity * scale, kUnlimited);
    if (from.range) axis.limit_lower = (*from.range)[0] * scale, axis.limit_upper = (*from.range)[1] * scale;
    result_.has_damping |= from.damping > 0;
    axis.mode = options_.force_position_velocity_actuation ? TargetMode::kPositionVelocity : TargetMode::kPosition;
    return axis;
  }

  void add_joint(int index) {
    const urdf::Joint& from = joint(index);
    const int parent = bodies_[static_cast<size_t>(tree_.parent_of(index))];
    const int child = bodies_[static_cast<size_t>(tree_.child_of(index))];
    const Vec3<double> along{from.axis[0], from.axis[1], from.axis[2]};
    JointOptions options;
    options.key = label(from.name);
    options.parent_xform = to_transform(pose_in_file(from.origin, options_.scale));
    const auto add = [&](JointKind kind, const std::vector<DofConfig>& linear, const std::vector<DofConfig>& angular) {
      joints_[from.name] = builder_.add_joint(kind, parent, child, linear, angular, options);
    };
    switch (from.kind) {
      case urdf::JointKind::kRevolute:
      case urdf::JointKind::kContinuous:
        return add(JointKind::kRevolute, {}, {axis_of(from, along)});
      case urdf::JointKind::kPrismatic:
        return add(JointKind::kPrismatic, {axis_of(from, along)}, {});
      case urdf::JointKind::kFixed:
        return add(JointKind::kFixed, {}, {});
      case urdf::JointKind::kSpherical:
        return add(JointKind::kBall, {},
                   {axis_of(from, {1, 0, 0}), axis_of(from, {0, 1, 0}), axis_of(from, {0, 0, 1})});
      case urdf::JointKind::kFloating:
        joints_[from.name] = builder_.add_joint_free(child, parent, options);
        return;
      case urdf::JointKind::kPlanar: {
        const auto [x, y] = plane_axes(along);
        return add(JointKind::kD6, {axis_of(from, x), axis_of(from, y)}, {});
      }
    }
  }

  void continue_articulation(const std::vector<int>& joints) {
    int articulation = -1;
    for (int j = 0; j < joints.front(); ++j)
      if (builder_.joint_child[j] == options_.parent_body) articulation = builder_.joint_articulation[j];
    if (articulation < 0 || articulation != builder_.articulation_count() - 1)
      throw Error(
          fmt::format("parent_body {} must belong to the articulation that was added last", options_.parent_body));
    for (const int j : joints) builder_.joint_articulation[j] = articulation;
  }

  // --- shapes ---

  void add_shapes(int i) {
    const urdf::Link& from = link(i);
    const bool as_colliders = options_.parse_visuals_as_colliders;
    if (!as_colliders) {
      ShapeConfig config = options_.shape;
      config.density = 0;
      config.has_shape_collision = config.has_particle_collision = false;
      config.is_visible = !options_.hide_visuals;
      for (const urdf::Shape& shape : from.visuals) add_shape(i, shape, config);
    }
    ShapeConfig config = options_.shape;
    if (uses_inertial(from)) config.density = 0;
    config.is_visible = as_colliders || options_.force_show_colliders;
    for (const urdf::Shape& shape : as_colliders ? from.visuals : from.collisions) add_shape(i, shape, config);
  }

  void add_shape(int i, const urdf::Shape& shape, const ShapeConfig& config) {
    const double s = options_.scale;
    Pose<double> X_LS = pose_in_file(shape.origin, s);
    const bool is_upright = shape.type == urdf::ShapeType::kCylinder || shape.type == urdf::ShapeType::kCapsule;
    if (is_upright) X_LS.q = X_LS.q * turn_up(Axis::kZ, options_.up_axis);  // their axis is the file's up axis
    const Transform xform = to_transform(X_LS);
    const auto add = [&](ShapeType type, const Vector3& scale, SourcePtr source = nullptr) {
      builder_.add_shape(bodies_[static_cast<size_t>(i)], type, xform, scale, config, std::move(source));
      result_.shape_color.push_back(
          shape.rgba ? std::optional<Vector3>({(*shape.rgba)[0], (*shape.rgba)[1], (*shape.rgba)[2]}) : std::nullopt);
    };
    const Number3& size = shape.size;
    switch (shape.type) {
      case urdf::ShapeType::kBox:
        return add(ShapeType::kBox, {size[0] * s / 2, size[1] * s / 2, size[2] * s / 2});
      case urdf::ShapeType::kSphere:
        return add(ShapeType::kSphere, {size[0] * s, 0, 0});
      case urdf::ShapeType::kCylinder:
        return add(ShapeType::kCylinder, {size[0] * s, size[1] * s / 2, 0});
      case urdf::ShapeType::kCapsule:
        return add(ShapeType::kCapsule, {size[0] * s, size[1] * s / 2, 0});
      case urdf::ShapeType::kMesh:
        if (const auto mesh = loaded_.meshes.find(shape.file); mesh != loaded_.meshes.end())
          add(ShapeType::kMesh, {1, 1, 1}, source_of(mesh->second, shape));
    }
  }

  // Shapes of one file and scale share a source, in which the scale is applied.
  SourcePtr source_of(const MeshSpec& mesh, const urdf::Shape& shape) {
    SourcePtr& source = sources_[{shape.file, shape.scale}];
    if (source) return source;
    auto made = std::make_shared<Source>();
    made->mesh = mesh;
    for (size_t k = 0; k < made->mesh.vertex.size(); ++k)
      made->mesh.vertex[k] = static_cast<float>(made->mesh.vertex[k] * shape.scale[k % 3] * options_.scale);
    made->mesh.normal.clear(), made->mesh.face_normal.clear();   // scale turns them
    if (shape.scale[0] * shape.scale[1] * shape.scale[2] < 0) {  // a mirror image would be inside out
      for (size_t f = 0; f + 2 < made->mesh.face.size(); f += 3)
        std::swap(made->mesh.face[f + 1], made->mesh.face[f + 2]);
      made->mesh.texcoord.clear(), made->mesh.face_texcoord.clear();
    }
    return source = std::move(made);
  }

  void add_mimic(const urdf::Joint& follower) {
    if (!follower.mimic) return;
    const auto leader = joints_.find(follower.mimic->joint);
    if (leader == joints_.end())
      throw Error({Diagnostic{
          Severity::kError, follower.mimic->where,
          fmt::format("joint '{}' mimics '{}', which does not exist", follower.name, follower.mimic->joint), ""}});
    builder_.add_equality_constraint_joint(joints_.at(follower.name), leader->second,
                                           {follower.mimic->offset, follower.mimic->multiplier, 0, 0, 0});
  }

  void filter_all() {
    std::vector<int> own;
    for (int shape = result_.first_shape; shape < builder_.shape_count(); ++shape)
      if (builder_.shape_flags[shape] & kCollideShapes) own.push_back(shape);
    for (size_t a = 0; a < own.size(); ++a)
      for (size_t b = a + 1; b < own.size(); ++b) builder_.add_shape_collision_filter_pair(own[a], own[b]);
  }

  ModelBuilder& builder_;
  const urdf::LoadedRobot& loaded_;
  const Robot& robot_;
  const UrdfImportOptions& options_;
  mjcf::Report report_;  // of the tree, which has been checked
  urdf::Tree tree_;
  UrdfImport result_;
  std::vector<int> order_;                        // joints of the file, in the order of the builder
  Pose<double> X_PR_ = Pose<double>::identity();  // the root in what it is attached to
  std::vector<Pose<double>> X_WL_;
  std::vector<int> bodies_;            // of the builder, by link
  std::vector<int> added_;             // links in the order of the builder
  std::map<std::string, int> joints_;  // of the builder, by name
  std::map<std::pair<std::string, Number3>, SourcePtr> sources_;
};

void check_options(const UrdfImportOptions& options, const ModelBuilder& builder) {
  to_pose(options.xform);  // throws if invalid
  if (!(options.scale > 0) || !std::isfinite(options.scale))
    throw Error(fmt::format("scale is {}; it must be positive", options.scale));
  if (options.parent_body < -1 || options.parent_body >= builder.body_count())
    throw Error(fmt::format("there is no parent body {}", options.parent_body));
  if (options.floating && options.parent_body >= 0)
    throw Error("a floating base has no parent body: leave out floating, or parent_body");
  if (options.floating && options.base_joint) throw Error("floating and base_joint exclude each other");
}

}  // namespace

UrdfImport ModelBuilder::add_urdf(const std::string& source, const UrdfImportOptions& options) {
  check_options(options, *this);
  const urdf::LoadedRobot loaded = urdf::load_robot(source, {UrdfBase::kNotGiven, options.packages, false, true});
  ModelBuilder result = *this;  // so that errors leave the builder unchanged
  UrdfImport imported = UrdfImporter(result, loaded, options).run();
  if (options.collapse_fixed_joints)
    result.collapse_fixed_joints();
  else if (options.collapse_massless_fixed_root)
    result.collapse_massless_fixed_root(joint_count());
  *this = std::move(result);
  return imported;
}

}  // namespace torsor::newton
