// ModelBuilder: Newton's builder. finalize() turns the scene into a Spec and a Model.
//
//   newton::ModelBuilder builder(Axis::kZ);
//   const int link = builder.add_link();
//   builder.add_shape_box(link, {}, {0.1, 0.1, 0.5}, {});
//   const int joint = builder.add_joint(JointKind::kRevolute, -1, link, {}, {DofConfig{}});
//   builder.add_articulation({joint});
//   const Model model = builder.finalize();
//
// The scene is kept in plain lists, one entry for each body, joint, axis or shape, which may be edited until
// finalize(). A joint's child is at X_parent * X_p * (joint motion) * X_c^-1. If a function throws an Error, it has
// changed nothing.
#pragma once

#include <optional>

#include "torsor/bridge/newton/types.hpp"

namespace torsor::newton {

class Model;

// The body R, or the world (-1), that a body B is merged into, and its pose there; a body that stays is its own R.
struct Place {
  int body;
  Pose<double> X_RB;
};

// What merging bodies has changed: new indices by old ones, -1 for what is gone.
struct Collapse {
  std::vector<int> body, joint, articulation;
  std::vector<Place> places;  // of bodies, in old indices
};

// Elements from MJCF that have no list of their own: kept as they are, under names that are unique in the builder.
struct Native {
  std::vector<ActuatorSpec> actuators;
  std::vector<TendonSpec> tendons;
  std::vector<EqualitySpec> equalities;
  std::vector<ExcludeSpec> excludes;
  std::vector<PairSpec> pairs;
  std::optional<Option> option;
};

struct JointOptions {
  Transform parent_xform = kIdentity, child_xform = kIdentity;
  std::string key;
  bool collision_filter_parent = true;
  bool enabled = true;
};

struct LinkOptions {
  Transform xform = kIdentity;
  double armature = 0;
  Vector3 com{0, 0, 0};
  Matrix3 inertia{};  // about the centre of mass
  double mass = 0;
  std::string key;
  bool lock_inertia = false;
  bool is_kinematic = false;  // moves as the user prescribes, whatever the forces; only on the world
};

struct MjcfOptions {
  Transform xform = kIdentity;
  std::optional<bool> floating;  // whether roots without joints float or are fixed
  bool ctrl_direct = false;      // true: servos stay actuators with their own controls
  bool parse_options = true;     // solver options of the file apply to SolverMuJoCo
  bool collapse_fixed_joints = false;
  bool collapse_massless_fixed_root = false;  // has no effect if all fixed joints are collapsed
  Axis up_axis = Axis::kZ;
  // Elements to leave out of the file: see leave_out.hpp.
  std::vector<std::string> ignore_names, ignore_classes;
  std::vector<std::string> visual_classes;  // geoms of these classes do not collide
  bool skip_equality_constraints = false;
  bool parse_sites = true;                   // false: only sites that are referred to
  bool parse_visuals = true;                 // false: only geoms that can collide
  bool ignore_inertial_definitions = false;  // true: masses come from geoms alone
  double armature_scale = 1;
  // What the file does not say: density, friction, margin, gap, ke and kd of shapes, armature, damping, friction,
  // limit_ke, limit_kd and limits of effort and velocity of axes.
  ShapeConfig shape;
  DofConfig axis;
};

// How the root of an imported robot is attached, instead of by a fixed or a free joint.
struct BaseJoint {
  JointKind kind = JointKind::kFixed;
  std::vector<DofConfig> linear, angular;
  std::string key;
  bool collision_filter_parent = true, enabled = true;
};

struct UrdfImportOptions {
  Transform xform = kIdentity;
  bool floating = false;                // a free joint for the root, not a fixed one
  std::optional<BaseJoint> base_joint;  // replaces both
  int parent_body = -1;                 // what the root is attached to
  double scale = 1;                     // of lengths
  Axis up_axis = Axis::kZ;              // of the file
  bool hide_visuals = false, force_show_colliders = false, parse_visuals_as_colliders = false;
  bool enable_self_collisions = true;
  bool ignore_inertial_definitions = false;  // true: masses come from shapes alone
  enum class Order { kDepthFirst, kBreadthFirst, kFile } joint_ordering = Order::kDepthFirst;
  bool bodies_follow_joint_ordering = true;
  bool collapse_fixed_joints = false;
  bool collapse_massless_fixed_root = false;  // has no effect if all fixed joints are collapsed
  bool override_root_xform = false;           // of a base joint: xform turns its axes too, not only the root
  bool damping_is_drive = true;               // damping of the file is that of drives (joint_target_kd), not of joints
  bool force_position_velocity_actuation = false;
  std::vector<std::string> packages;  // see UrdfOptions
  ShapeConfig shape;                  // of all shapes
  DofConfig axis;                     // of all axes, as far as the file does not say
};

struct UrdfImport {
  std::vector<std::string> warnings;
  bool has_damping = false;  // whether the file gives a joint damping
  int first_shape = 0;
  std::vector<std::optional<Vector3>> shape_color;  // of the shapes that were added
};

enum class Approximation { kConvexHull, kBoundingBox, kBoundingSphere };

class ModelBuilder;

// What a world was made from, and where its elements begin; their indices are consecutive.
struct WorldSource {
  std::shared_ptr<const ModelBuilder> builder;  // null if the world was not added as a whole
  Transform xform = kIdentity;
  int body = 0, joint = 0, shape = 0;
};

class ModelBuilder {
 public:
  explicit ModelBuilder(Axis up_axis = Axis::kZ, double gravity = -9.81);
  ModelBuilder(Axis up_axis, const Vector3& gravity);

  int add_link(const LinkOptions& options = {});
  // A link with a free joint and an articulation of its own.
  int add_body(const LinkOptions& options = {});

  // Linear axes first, then angular ones, each carried by the previous ones.
  int add_joint(JointKind kind, int parent, int child, const std::vector<DofConfig>& linear,
                const std::vector<DofConfig>& angular, const JointOptions& options = {});
  int add_joint_free(int child, int parent = -1, const JointOptions& options = {});
  // Keeps the distance between the two anchors in the range; a negative bound means no bound.
  int add_joint_distance(int parent, int child, double min_distance, double max_distance,
                         const JointOptions& options = {});
  int add_joint_ball(int parent, int child, double armature, double friction, const JointOptions& options = {});
  // The joints must be next to each other in the list, parents first.
  void add_articulation(const std::vector<int>& joints, const std::string& key = "");

  // Equalities, soft in SolverMuJoCo and near-rigid in SolverSAP. Each returns its index. Bodies may be -1, the world.
  // A point of body1 stays at the same point of body2:
  int add_equality_constraint_connect(int body1, int body2, const Vector3& anchor, const std::string& key = "",
                                      bool enabled = true);
  // The anchor, a point of body2, stays at the position of relpose in body1, and body2 keeps its orientation.
  int add_equality_constraint_weld(int body1, int body2, const Vector3& anchor, double torquescale,
                                   const Transform& relpose, const std::string& key = "", bool enabled = true);
  // The coordinate of joint1 is a polynomial of that of joint2; if joint2 is -1, it is the first coefficient.
  int add_equality_constraint_joint(int joint1, int joint2, const std::array<double, 5>& polycoef,
                                    const std::string& key = "", bool enabled = true);

  // `scale` holds the sizes of the shape in the order of Newton's arguments.
  int add_shape(int body, ShapeType type, const Transform& xform, const Vector3& scale, const ShapeConfig& config,
                SourcePtr source = nullptr, const std::string& key = "");
  // a x + b y + c z + d = 0; infinite if width and length are 0.
  int add_shape_plane(const std::array<double, 4>& plane, double width, double length, int body,
                      const ShapeConfig& config, const std::string& key = "");
  int add_ground_plane(double height = 0, const ShapeConfig& config = {}, const std::string& key = "");
  void add_shape_collision_filter_pair(int shape_a, int shape_b);
  // Replaces these mesh shapes, or without a list all that collide and are not hulls made by the user. Boxes are along
  // the principal axes of the hull's inertia. Returns the shapes.
  std::vector<int> approximate_meshes(Approximation method, std::vector<int> shapes = {});

  // A path, or MJCF as a string.
  void add_mjcf(const std::string& source, const MjcfOptions& options = {});
  // A path, or URDF as a string.
  UrdfImport add_urdf(const std::string& source, const UrdfImportOptions& options = {});
  // Adds everything of another builder to the current world, with its roots moved by `xform`.
  void add_builder(const ModelBuilder& other, const Transform& xform = kIdentity);
  // Worlds do not collide with each other; entities of no world (-1) collide with all.
  void begin_world();
  void end_world();
  void add_world(const ModelBuilder& other, const Transform& xform = kIdentity);
  void replicate(const ModelBuilder& other, int world_count, const Vector3& spacing = {0, 0, 0});
  // Merges bodies that fixed joints connect; bodies fixed to the world become part of it. Bodies with adhesion stay.
  Collapse collapse_fixed_joints(const std::vector<int>& joints_to_keep = {});
  // Only below roots with a free joint, from `first_joint` on, and as long as the body merged into has no mass of its
  // own.
  Collapse collapse_massless_fixed_root(int first_joint = 0);

  Model finalize(Version version = Version::kWorldAxes) const;

  int body_count() const { return static_cast<int>(body_mass.size()); }
  int joint_count() const { return static_cast<int>(joint_type.size()); }
  int joint_dof_count() const { return static_cast<int>(joint_qd.size()); }
  int joint_coord_count() const { return static_cast<int>(joint_q.size()); }
  int shape_count() const { return static_cast<int>(shape_type.size()); }
  int articulation_count() const { return static_cast<int>(articulation_start.size()); }
  Vector3 up_vector() const;
  int q_end(int joint) const;
  int qd_end(int joint) const;
  bool is_kinematic(int body) const { return body >= 0 && (body_flags[body] & kKinematic); }

  Axis up_axis;
  Vector3 gravity;
  int current_world = -1, world_count = 0;
  std::vector<Vector3> world_gravity;  // by world; entities of no world have `gravity`
  std::vector<WorldSource> world_source;

  // bodies
  std::vector<Transform> body_q;
  std::vector<Vector6> body_qd;
  std::vector<double> body_mass;
  std::vector<Vector3> body_com;
  std::vector<Matrix3> body_inertia;
  std::vector<bool> body_lock_inertia;
  std::vector<int> body_flags;  // BodyFlags
  std::vector<int> body_world;
  std::vector<std::string> body_key;

  // joints
  std::vector<JointKind> joint_type;
  std::vector<int> joint_parent, joint_child, joint_q_start, joint_qd_start, joint_articulation, joint_world;
  std::vector<Transform> joint_X_p, joint_X_c;
  std::vector<std::array<int, 2>> joint_dof_dim;
  std::vector<bool> joint_enabled, joint_filters_parent;
  std::vector<std::string> joint_key;
  std::vector<double> joint_q;

  // axes
  std::vector<double> joint_qd, joint_f, joint_target_pos, joint_target_vel, joint_target_ke, joint_target_kd;
  std::vector<double> joint_limit_lower, joint_limit_upper, joint_limit_ke, joint_limit_kd;
  std::vector<double> joint_armature, joint_damping, joint_friction, joint_effort_limit, joint_velocity_limit;
  std::vector<int> joint_target_mode;
  std::vector<Vector3> joint_axis;  // in the frame of the anchors

  // shapes
  std::vector<ShapeType> shape_type;
  std::vector<int> shape_body, shape_flags, shape_collision_group, shape_world;
  std::vector<Transform> shape_transform;
  std::vector<Vector3> shape_scale;
  std::vector<SourcePtr> shape_source;
  std::vector<double> shape_material_ke, shape_material_kd, shape_material_kf, shape_material_ka;
  std::vector<double> shape_material_mu, shape_material_mu_torsional, shape_material_mu_rolling;
  std::vector<double> shape_material_restitution, shape_margin, shape_gap;
  std::vector<bool> shape_filters_parent;
  std::vector<std::string> shape_key;
  std::vector<std::array<int, 2>> shape_collision_filter_pairs;

  // articulations
  std::vector<int> articulation_start, articulation_world;  // first joint
  std::vector<std::string> articulation_key;

  // Data of elements from MJCF beyond the lists, null or "" for others. Names are those used in `native`.
  std::vector<std::string> body_native_name;
  std::vector<std::shared_ptr<const JointSpec>> dof_native;  // for ball and free joints, at the first axis
  std::vector<std::string> dof_native_name;
  std::vector<std::shared_ptr<const GeomSpec>> shape_native;
  std::vector<std::string> shape_native_name;
  Native native;

 private:
  void append_axis(const DofConfig& axis);
  void add_mass(int body, double mass, const Vec3<double>& com_B, const Mat3<double>& inertia_B);
  std::string name_for_equality(int body);
  std::string name_of_only_axis(int joint);
  Collapse collapse(std::vector<bool> joint_goes);
  void redirect_references(const std::vector<Place>& places);
  int add_equality(EqualitySpec equality, const std::string& key, bool enabled);
  void add_shared_world(const std::shared_ptr<const ModelBuilder>& other, const Transform& xform);
  int copies_ = 0;  // counter for unique names
};

// Mass, centre and inertia (about the centre) of a shape in its own frame.
struct SolidMass {
  double mass = 0;
  Vec3<double> com_S = Vec3<double>::zero();
  Mat3<double> inertia_S = Mat3<double>::zero();
};
SolidMass compute_shape_mass(ShapeType type, const Vector3& scale, const ShapeConfig& config, const Source* source);

// Throws an Error for sizes that are not positive, and for planes that are infinite in one direction only.
void check_shape_size(ShapeType type, const Vector3& scale);

// Merges two bodies: masses add, inertias are about the common centre.
void merge_mass(double& mass, Vec3<double>& com, Mat3<double>& inertia, const SolidMass& other);

}  // namespace torsor::newton
