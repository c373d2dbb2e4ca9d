// A builder's lists as a Spec: bodies depth first, each with its joints, shapes and sites; drives, distances and loops.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "torsor/bridge/newton/layout.hpp"
#include "torsor/core/error.hpp"
#include "torsor/math/principal_axes.hpp"

namespace torsor::newton {

// Newton's defaults are no material: under them a block of a tonne would sink in by metres. Who leaves them gets SAP's
// own, which are near-rigid.
void set_sap_material(GeomSpec& geom, double ke, double kd) {
  const ShapeConfig untouched;
  if (!(ke > 0) || (ke == untouched.ke && kd == untouched.kd)) return;
  geom.sapstiffness = ke;
  geom.sapdissipation = kd / ke;
}

void set_mesh_collision(GeomSpec& geom, bool triangles) {
  geom.mesh_collision = triangles ? MeshCollision::kTriangles : MeshCollision::kHull;
}

bool filters_all_parents(const ModelBuilder& builder) {
  const auto all = [](const std::vector<bool>& flags) {
    return std::find(flags.begin(), flags.end(), false) == flags.end();
  };
  return all(builder.joint_filters_parent) && all(builder.shape_filters_parent);
}

namespace {

constexpr int kAllWorlds = 0x7fffffff;
constexpr double kLoopArm = 0.5;  // m between the two points that hold a hinge which closes a loop

OrientationSpec orient(const Quat<double>& q) {
  OrientationSpec result;
  result.quat = {q.w, q.x, q.y, q.z};
  return result;
}

template <class Element>
void place(Element& element, const Pose<double>& X) {
  element.pos = to_array(X.p);
  element.orientation = orient(X.q);
}

// Two bounds at one place leave the solver a hair's breadth.
Number2 make_range(double lower, double upper) {
  const double hair = upper > lower ? 0 : 1e-9;
  return {lower - hair, upper + hair};
}

// Principal axes to the last bit that counts: those of `fullinertia` end where MuJoCo's do, up to 1.4e-6 rad away.
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

class SpecMaker {
 public:
  SpecMaker(const ModelBuilder& builder, Layout& layout) : builder_(builder), layout_(layout) {
    for (const std::string& key : builder.body_key) ++keys_[key];
  }

  Spec make() {
    set_options();
    spec_.bodies.resize(1);
    std::vector<int> order(builder_.body_count());
    for (int b = 0; b < builder_.body_count(); ++b) order[layout_.body_engine[b] - 1] = b;
    layout_.system.tree = {{"world"}, {-1}};
    for (const int b : order) add_body(b);
    check_masses(order);
    shapes_of_.resize(spec_.bodies.size());
    for (int s = 0; s < builder_.shape_count(); ++s) add_shape(s);
    list_geoms();
    separate_worlds();
    add_drives();
    for (int j = 0; j < builder_.joint_count(); ++j) {
      if (layout_.joint_is_loop[j]) close_loop(j);
      if (builder_.joint_type[j] == JointKind::kDistance) add_distance(j);
    }
    add_native();
    list_order();
    return std::move(spec_);
  }

 private:
  void set_options() {
    spec_.modelname = "newton";
    spec_.compiler.degree = false;
    spec_.compiler.inertiafromgeom = Tristate::kFalse;
    if (builder_.native.option) spec_.option = *builder_.native.option;
    std::copy(builder_.gravity.begin(), builder_.gravity.end(), spec_.option.gravity);
    if (!filters_all_parents(builder_)) spec_.option.disableflags |= kDisableFilterParent;
  }

  BodySpec& body_spec(int body) { return spec_.bodies[body < 0 ? 0 : layout_.body_engine[body]]; }
  std::string body_name(int body) const {
    const std::string& native = builder_.body_native_name[body];
    if (!native.empty()) return native;
    const std::string& key = builder_.body_key[body];  // for errors to name; names from MJCF have a slash
    const bool is_unique = keys_.at(key) == 1 && key != "world" && key.find('/') == std::string::npos;
    return is_unique ? key : fmt::format("/body{}", body);
  }
  std::string dof_name(int dof) const {
    const std::string& native = builder_.dof_native_name[dof];
    return native.empty() ? fmt::format("axis{}", dof) : native;
  }

  // --- bodies and their joints ---

  void add_body(int b) {
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

  void set_inertial(int b, InertialSpec& inertial) const {
    const Mat3<double> I = load9(builder_.body_inertia[b].data());
    const PrincipalAxes<double> principal = refined_axes((I + transpose(I)) * 0.5);
    inertial.given = true;
    inertial.pos = builder_.body_com[b];
    inertial.mass = builder_.body_mass[b];
    inertial.diaginertia = to_array(principal.moments);
    inertial.orientation = orient(principal.q);
  }

  bool is_pose(int j) const {
    return builder_.joint_type[j] == JointKind::kFree || builder_.joint_type[j] == JointKind::kDistance;
  }

  void add_joints(int j, int b) {
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
  void add_descendant_free(int j, int b, int dof) {
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

  void add_axis(int j, int b, int dof, bool is_linear) {
    JointSpec joint = start_joint(dof);
    joint.type = is_linear ? JointType::kSlide : JointType::kHinge;
    const Pose<double> X_BJ = to_pose(builder_.joint_X_c[j]);
    joint.axis = to_array(rotate(X_BJ.q, to_vec(builder_.joint_axis[dof])));
    if (!builder_.dof_native[dof]) joint.pos = to_array(X_BJ.p);
    const double lower = builder_.joint_limit_lower[dof], upper = builder_.joint_limit_upper[dof];
    joint.limited = lower > -kUnlimited || upper < kUnlimited ? Tristate::kTrue : Tristate::kFalse;
    joint.range = make_range(lower + joint.ref, upper + joint.ref);
    add(b, joint, j, is_linear ? CoordinateKind::kSlide : CoordinateKind::kHinge);
  }

  JointSpec start_joint(int dof) const {
    JointSpec joint = builder_.dof_native[dof] ? *builder_.dof_native[dof] : JointSpec{};
    joint.name = dof_name(dof);
    joint.armature = builder_.joint_armature[dof];
    joint.frictionloss = builder_.joint_friction[dof];
    joint.damping[0] = builder_.joint_damping[dof];
    return joint;
  }

  void add(int b, const JointSpec& joint, int j, CoordinateKind kind) {
    body_spec(b).joints.push_back(joint);
    list_joint(joint.name, j, b, kind, joint.ref, to_vec(joint.axis));
  }

  void list_joint(const std::string& name, int j, int b, CoordinateKind kind, double ref, const Vec3<double>& axis_B) {
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

  // What moves as one needs a mass.
  void check_masses(const std::vector<int>& order) const {
    std::vector<int> moved_with(builder_.body_count(), -1);  // the first body of what moves as one, -1: the world
    std::vector<double> masses(builder_.body_count(), 0.0);
    for (const int b : order) {
      const int j = layout_.body_joint[b], parent = builder_.joint_parent[j];
      const bool moves = builder_.qd_end(j) > builder_.joint_qd_start[j];
      moved_with[b] = moves ? b : parent < 0 ? -1 : moved_with[parent];
      if (moved_with[b] >= 0) masses[moved_with[b]] += builder_.body_mass[b];
    }
    for (const int b : order) {
      if (moved_with[b] == b && !(masses[b] > 0)) {
        throw Error(fmt::format("body {} ('{}') moves and has no mass: give it one, or a shape with a density", b,
                                builder_.body_key[b]));
      }
    }
  }

  // --- shapes ---

  void add_shape(int s) {
    if (builder_.shape_flags[s] & kSite) return add_site(s);
    GeomSpec geom = builder_.shape_native[s] ? *builder_.shape_native[s] : GeomSpec{};
    geom.name = builder_.shape_native_name[s].empty() ? fmt::format("shape{}", s) : builder_.shape_native_name[s];
    set_geometry(s, geom);
    const bool collides = (builder_.shape_flags[s] & kCollideShapes) && builder_.shape_collision_group[s] != 0;
    if (!collides) geom.contype = geom.conaffinity = 0;
    geom.friction = {builder_.shape_material_mu[s], builder_.shape_material_mu_torsional[s],
                     builder_.shape_material_mu_rolling[s]};
    geom.margin = builder_.shape_margin[s];
    geom.gap = builder_.shape_gap[s];
    if (!builder_.shape_native[s]) set_material(geom, builder_.shape_material_ke[s], builder_.shape_material_kd[s]);
    body_spec(builder_.shape_body[s]).geoms.push_back(std::move(geom));
    shapes_of_[builder_.shape_body[s] < 0 ? 0 : layout_.body_engine[builder_.shape_body[s]]].push_back(s);
  }

  // As Newton documents it for its MuJoCo solver: the numbers as those of a unit mass.
  static void set_material(GeomSpec& geom, double ke, double kd) {
    if (ke > 0 && kd > 0) geom.solref = {2 / kd, kd / (2 * std::sqrt(ke))};
    set_sap_material(geom, ke, kd);
  }

  void set_geometry(int s, GeomSpec& geom) {
    const Vector3& scale = builder_.shape_scale[s];
    Pose<double> X_BS = to_pose(builder_.shape_transform[s]);
    geom.size = scale;
    switch (builder_.shape_type[s]) {
      case ShapeType::kPlane:
        X_BS = X_BS * set_plane(geom, scale[0], scale[1]);
        break;
      case ShapeType::kSphere:
        geom.type = GeomType::kSphere;
        break;
      case ShapeType::kCapsule:
        geom.type = GeomType::kCapsule;
        break;
      case ShapeType::kEllipsoid:
        geom.type = GeomType::kEllipsoid;
        break;
      case ShapeType::kCylinder:
        geom.type = GeomType::kCylinder;
        break;
      case ShapeType::kBox:
        geom.type = GeomType::kBox;
        break;
      case ShapeType::kHeightfield:
        geom.type = GeomType::kHfield;
        geom.hfield = add_hfield(builder_.shape_source[s]);
        X_BS = X_BS * Pose<double>{{0, 0, builder_.shape_source[s]->min_z}, Quat<double>::identity()};
        break;
      case ShapeType::kCone:
        geom.type = GeomType::kCone;
        break;
      case ShapeType::kMesh:
      case ShapeType::kConvexMesh:
        geom.type = GeomType::kMesh;
        geom.mesh = add_mesh(builder_.shape_source[s], scale, builder_.shape_type[s] == ShapeType::kConvexMesh);
        set_mesh_collision(geom, builder_.shape_type[s] == ShapeType::kMesh);
        break;
    }
    place(geom, X_BS);
  }

  // Endless, or the top of a block as deep as the shorter side.
  static Pose<double> set_plane(GeomSpec& geom, double width, double length) {
    if (width == 0) {
      geom.type = GeomType::kPlane;
      geom.size = {0, 0, 1};
      return Pose<double>::identity();
    }
    geom.type = GeomType::kBox;
    geom.size = {width / 2, length / 2, std::min(width, length) / 2};
    return {{0, 0, -geom.size[2]}, Quat<double>::identity()};
  }

  std::string add_mesh(const SourcePtr& source, const Vector3& scale, bool is_hull) {
    for (const auto& [known, known_scale, name] : meshes_) {
      if (known == source && known_scale == scale) return name;
    }
    MeshSpec mesh = source->mesh;
    mesh.name = fmt::format("mesh{}", meshes_.size());
    for (int i = 0; i < 3; ++i) mesh.scale[i] *= scale[i];
    mesh.inertia = is_hull ? MeshInertia::kConvex : mesh.inertia;  // mass is the body's; this only finds its frame
    spec_.meshes.push_back(mesh);
    meshes_.push_back({source, scale, mesh.name});
    return mesh.name;
  }

  std::string add_hfield(const SourcePtr& source) {
    for (const auto& [known, name] : hfields_) {
      if (known == source) return name;
    }
    HfieldSpec hfield = source->hfield;
    hfield.name = fmt::format("hfield{}", hfields_.size());
    spec_.hfields.push_back(hfield);
    hfields_.push_back({source, hfield.name});
    return hfield.name;
  }

  void add_site(int s) {
    SiteSpec site;
    site.name = builder_.shape_native_name[s].empty() ? fmt::format("shape{}", s) : builder_.shape_native_name[s];
    place(site, to_pose(builder_.shape_transform[s]));
    body_spec(builder_.shape_body[s]).sites.push_back(site);
  }

  void list_geoms() {
    for (const std::vector<int>& shapes : shapes_of_)
      layout_.geom_shape.insert(layout_.geom_shape.end(), shapes.begin(), shapes.end());
  }

  // Worlds as bits of the masks, so that most pairs of two worlds are never looked at; the filter of contacts knows the
  // rest. Only where the masks of all shapes are plain, as those of shapes that did not come from MJCF.
  void separate_worlds() {
    if (builder_.world_count < 2) return;
    const auto is_plain = [](const GeomSpec& geom) { return (geom.contype | geom.conaffinity) <= 1; };
    for (const BodySpec& body : spec_.bodies) {
      if (!std::all_of(body.geoms.begin(), body.geoms.end(), is_plain)) return;
    }
    for (size_t b = 0; b < spec_.bodies.size(); ++b) {
      for (size_t i = 0; i < spec_.bodies[b].geoms.size(); ++i) {
        const int world = builder_.shape_world[shapes_of_[b][i]];
        const int bits = world < 0 ? kAllWorlds : 1 << (world % 31);
        GeomSpec& geom = spec_.bodies[b].geoms[i];
        geom.contype *= bits, geom.conaffinity *= bits;
      }
    }
  }

  std::string add_anchor(int joint, bool of_parent, const Vec3<double>& p_J) {
    const int body = of_parent ? builder_.joint_parent[joint] : builder_.joint_child[joint];
    const Pose<double> X_BJ = to_pose(of_parent ? builder_.joint_X_p[joint] : builder_.joint_X_c[joint]);
    SiteSpec site;
    site.name = fmt::format("anchor{}_{}_{}", joint, of_parent ? "parent" : "child", sites_++);
    place(site, X_BJ * Pose<double>{p_J, Quat<double>::identity()});
    body_spec(body).sites.push_back(site);
    return site.name;
  }

  // --- what acts between bodies ---

  void add_drives() {
    for (int j = 0; j < builder_.joint_count(); ++j) {
      for (int dof = builder_.joint_qd_start[j]; dof < builder_.qd_end(j); ++dof) add_drive(j, dof);
    }
    layout_.native_control = static_cast<int>(spec_.actuators.size());
  }

  void add_drive(int j, int dof) {
    const auto mode = static_cast<TargetMode>(builder_.joint_target_mode[dof]);
    double ke = builder_.joint_target_ke[dof], kd = builder_.joint_target_kd[dof];
    if (ke < 0 || kd < 0 || !std::isfinite(ke + kd))
      throw Error(fmt::format("the drive of axis {} has gains {} and {}; they must not be negative", dof, ke, kd));
    if (mode == TargetMode::kNone || mode == TargetMode::kEffort || layout_.joint_is_loop[j]) return;
    if (mode == TargetMode::kVelocity) ke = 0;
    const double effort = builder_.joint_effort_limit[dof];
    if ((ke == 0 && kd == 0) || effort == 0 || is_pose(j)) return;  // gains of free joints mean nothing
    ActuatorSpec drive;
    drive.name = fmt::format("drive{}", dof);
    drive.biastype = ActuatorBias::kAffine;
    drive.biasprm = {0, -ke, -kd};
    drive.forcelimited = Tristate::kTrue;
    drive.forcerange = {-effort, effort};
    double ref = 0;
    if (builder_.joint_type[j] == JointKind::kBall) {
      const Vec3<double> e_B = rotate(to_pose(builder_.joint_X_c[j]).q, to_vec(builder_.joint_axis[dof]));
      drive.jointinparent = dof_name(builder_.joint_qd_start[j]);
      drive.gear = {e_B.x, e_B.y, e_B.z, 0, 0, 0};
    } else {
      drive.joint = dof_name(dof);
      if (builder_.dof_native[dof]) ref = builder_.dof_native[dof]->ref;
    }
    layout_.drives[dof] = {static_cast<int>(spec_.actuators.size()), ke, mode == TargetMode::kPosition ? 0 : kd, ref};
    spec_.actuators.push_back(drive);
  }

  void add_distance(int j) {
    const int dof = builder_.joint_qd_start[j];
    const double low = builder_.joint_limit_lower[dof], high = builder_.joint_limit_upper[dof];
    if (low <= 0 && high < 0) return;
    TendonSpec tendon;
    tendon.name = fmt::format("distance{}", j);
    tendon.spatial = true;
    tendon.limited = Tristate::kTrue;
    tendon.range = make_range(std::max(low, 0.0), high < 0 ? kUnlimited : high);
    tendon.range[0] = std::max(tendon.range[0], 0.0);
    tendon.solref_limit = {0.002, 1};  // as stiff as the step allows: the solver makes it 2 dt at least
    tendon.solimp_limit = {0.95, 0.99, 0.001, 0.5, 2};
    for (const bool of_parent : {true, false}) {
      WrapSpec wrap;
      wrap.target = add_anchor(j, of_parent, {0, 0, 0});
      tendon.path.push_back(wrap);
    }
    spec_.tendons.push_back(tendon);
  }

  void close_loop(int j) {
    const int angular = builder_.qd_end(j) - builder_.joint_qd_start[j];
    connect(j, angular == 0 ? EqualityType::kWeld : EqualityType::kConnect, {0, 0, 0});
    if (angular == 1)  // a second point of the axis
      connect(j, EqualityType::kConnect, to_vec(builder_.joint_axis[builder_.joint_qd_start[j]]) * kLoopArm);
  }

  void connect(int j, EqualityType type, const Vec3<double>& p_J) {
    EqualitySpec equality;
    equality.name = fmt::format("loop{}_{}", j, spec_.equalities.size());
    equality.type = type;
    equality.objtype = ObjectType::kSite;
    equality.object1 = add_anchor(j, true, p_J);
    equality.object2 = add_anchor(j, false, p_J);
    spec_.equalities.push_back(equality);
  }

  void add_native() {
    const auto append = [](auto& to, const auto& from) { to.insert(to.end(), from.begin(), from.end()); };
    append(spec_.actuators, builder_.native.actuators);
    append(spec_.tendons, builder_.native.tendons);
    append(spec_.equalities, builder_.native.equalities);
    append(spec_.excludes, builder_.native.excludes);
    append(spec_.pairs, builder_.native.pairs);
  }

  void list_order() {
    for (int j = 0; j < builder_.joint_count(); ++j) {
      if (layout_.joint_first[j].empty()) continue;
      const bool is_one = is_pose(j) || builder_.joint_type[j] == JointKind::kBall;
      for (int dof = builder_.joint_qd_start[j]; dof < builder_.qd_end(j); ++dof) {
        layout_.order.push_back(dof_name(dof));
        if (is_one) break;
      }
    }
  }

  struct KnownMesh {
    SourcePtr source;
    Vector3 scale;
    std::string name;
  };
  const ModelBuilder& builder_;
  Layout& layout_;
  Spec spec_;
  std::map<std::string, int> keys_;  // of bodies, how often
  std::vector<KnownMesh> meshes_;
  std::vector<std::pair<SourcePtr, std::string>> hfields_;
  std::vector<std::vector<int>> shapes_of_;  // by body of the engine
  int sites_ = 0;
};

}  // namespace

Spec make_spec(const ModelBuilder& builder, Layout& layout) { return SpecMaker(builder, layout).make(); }

}  // namespace torsor::newton
