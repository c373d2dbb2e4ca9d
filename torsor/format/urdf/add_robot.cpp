// From a Robot to the bodies, joints, geoms and equalities of a Spec.
#include <algorithm>
#include <map>
#include <tuple>

#include <fmt/format.h>

#include "torsor/format/files.hpp"
#include "torsor/format/mesh/mesh_file.hpp"
#include "torsor/format/urdf/tree.hpp"
#include "torsor/format/urdf/urdf.hpp"

namespace torsor::urdf {
namespace {

constexpr const char* kWorld = "world";
constexpr const char* kFreeJoint = "floating_base_joint";
constexpr int kVisualGroup = 1;  // as in MuJoCo's import

struct Pose {
  Vec3<double> p{0, 0, 0};
  Quat<double> q = Quat<double>::identity();
};

Pose pose_of(const Origin& origin) { return {{origin.xyz[0], origin.xyz[1], origin.xyz[2]}, quat_of(origin.rpy)}; }
Pose operator*(const Pose& X_AB, const Pose& X_BC) {
  return {X_AB.p + rotate(X_AB.q, X_BC.p), normalized(X_AB.q * X_BC.q)};
}

template <class T>
void place(T& element, const Pose& pose) {
  element.pos = {pose.p.x, pose.p.y, pose.p.z};
  element.orientation.quat = {pose.q.w, pose.q.x, pose.q.y, pose.q.z};
}

int count_dofs(JointKind kind) {
  switch (kind) {
    case JointKind::kFixed:
      return 0;
    case JointKind::kPlanar:
    case JointKind::kSpherical:
      return 3;
    case JointKind::kFloating:
      return 6;
    default:
      return 1;
  }
}

class Writer {
 public:
  Writer(const Robot& robot, const UrdfOptions& options, Spec& spec, mjcf::Report& report)
      : robot_(robot), options_(options), spec_(spec), report_(report), tree_(robot, report) {}

  void write() {
    spec_.compiler.degree = false;
    if (options_.merge_fixed) spec_.compiler.fusestatic = true;
    if (!robot_.name.empty()) spec_.modelname = robot_.name;
    if (!tree_.is_sound()) return report_.faults().set_incomplete();
    const Link& root = robot_.links[static_cast<size_t>(tree_.root())];
    is_world_ = root.name == kWorld;
    if (!is_world_ && options_.base == UrdfBase::kNotGiven)
      report_.error(root.where, fmt::format("URDF does not say whether the base '{}' is fixed to the world", root.name),
                    "give base=\"fixed\" or base=\"floating\" (--base on the command line)");
    else if (is_world_ && options_.base == UrdfBase::kFloating)
      report_.error(root.where, "the base cannot be floating: the root link of this file is the world");
    write_links();
    for (const Joint& joint : robot_.joints) write_mimic(joint);
    exclude_neighbours();
    spec_.compiler.meshdir.clear();  // paths of meshes are found by now
    spec_.compiler.strippath = false;
  }

 private:
  // A joint above a link without mass, which moves the next body together with that body's own joint.
  struct Carried {
    JointSpec joint;
    Pose X_LJ;  // of the frame that the joint was in, in the link, at zero
  };
  struct Place {
    int link, body;  // body of the parent in the Spec
    Pose X_PL;       // in that body
    bool is_static;  // the parent
    int group;       // of links that are fixed to each other, as the parent's; -1: new
    std::vector<Carried> above{};
  };

  const Joint* joint_to(int link) const {
    const int joint = tree_.joint_to(link);
    return joint < 0 ? nullptr : &robot_.joints[static_cast<size_t>(joint)];
  }

  // Depth first, parents before children, children in the order of their joints. Not recursive: chains may be long.
  void write_links() {
    groups_.assign(robot_.links.size(), -1);
    std::vector<Place> stack{{tree_.root(), 0, {}, true, -1}};
    X_WL_.resize(robot_.links.size());
    while (!stack.empty()) {
      const Place place = stack.back();
      stack.pop_back();
      if (is_hinge_of_hinges(place.link)) {
        stack.push_back(pass(place));
        continue;
      }
      const auto [body, is_static] = write_link(place);
      const auto& below = tree_.joints_from(place.link);
      for (auto j = below.rbegin(); j != below.rend(); ++j) {
        const Joint& joint = robot_.joints[static_cast<size_t>(*j)];
        stack.push_back(
            {tree_.child_of(*j), body, pose_of(joint.origin), is_static, groups_[static_cast<size_t>(place.link)]});
      }
    }
  }

  static bool is_simple(JointKind kind) { return count_dofs(kind) == 1 || kind == JointKind::kSpherical; }

  // A link without mass and shapes between two simple joints, as the cross of a universal joint. It cannot be a body of
  // its own, since forces would accelerate it without bound.
  bool is_hinge_of_hinges(int index) const {
    const Link& link = robot_.links[static_cast<size_t>(index)];
    const auto& below = tree_.joints_from(index);
    const Joint* joint = joint_to(index);
    return joint && (!link.inertial || link.inertial->mass == 0) && link.visuals.empty() && link.collisions.empty() &&
           below.size() == 1 && is_simple(joint->kind) && is_simple(robot_.joints[static_cast<size_t>(below[0])].kind);
  }

  // The place of the link below: with the joint above this one, and those that it carries itself, in its own frame.
  Place pass(const Place& where) {
    const size_t index = static_cast<size_t>(where.link);
    const int down = tree_.joints_from(where.link)[0];
    const Joint& next = robot_.joints[static_cast<size_t>(down)];
    const Pose X_LC = pose_of(next.origin);
    const int parent = parent_of(where.link);
    X_WL_[index] = X_WL_[static_cast<size_t>(parent)] * where.X_PL;
    groups_[index] = ++last_group_;
    report_.warning(robot_.links[index].where,
                    fmt::format("link '{}' has no mass: '{}' and '{}' become joints of the link '{}'",
                                robot_.links[index].name, joint_to(where.link)->name, next.name, next.child));
    Place out{tree_.child_of(down), where.body, where.X_PL * X_LC, where.is_static, groups_[index], where.above};
    BodySpec holder;
    write_joint(*joint_to(where.link), where, X_WL_[index], holder);
    out.above.push_back({holder.joints[0], Pose{}});
    for (Carried& carried : out.above) carried.X_LJ = inverse(X_LC) * carried.X_LJ;
    return out;
  }

  // As inverse() of math/pose.hpp.
  static Pose inverse(const Pose& X_AB) {
    const Quat<double> q_BA = conj(X_AB.q);
    return {rotate(q_BA, X_AB.p) * -1.0, q_BA};
  }

  static JointSpec settled(const Carried& carried) {
    JointSpec joint = carried.joint;
    const auto [x, y, z] = joint.axis;
    const Vec3<double> axis = rotate(carried.X_LJ.q, Vec3<double>{x, y, z});
    joint.axis = {axis.x, axis.y, axis.z};
    joint.pos = {carried.X_LJ.p.x, carried.X_LJ.p.y, carried.X_LJ.p.z};
    return joint;
  }

  std::pair<int, bool> write_link(const Place& where) {
    const size_t index = static_cast<size_t>(where.link);
    const Link& link = robot_.links[index];
    const Joint* joint = joint_to(where.link);
    const bool is_root = joint == nullptr;
    const bool moves = is_root ? !is_world_ && options_.base == UrdfBase::kFloating : joint->kind != JointKind::kFixed;
    const bool is_static = where.is_static && !moves;
    groups_[index] = is_static ? 0 : moves ? ++last_group_ : where.group;
    const int parent_link = is_root ? -1 : parent_of(where.link);
    const Pose X_PL = joint ? pose_of(joint->origin) : Pose{};  // where.X_PL is in a body further up after pass()
    X_WL_[index] = (is_root ? Pose{} : X_WL_[static_cast<size_t>(parent_link)]) * X_PL;
    if (is_root && is_world_) {
      write_shapes(link, spec_.bodies[0]);
      return {0, true};
    }
    BodySpec body;
    body.name = link.name;
    body.location = link.where;
    body.parent = where.body;
    place(body, where.X_PL);
    if (is_root && moves) body.joints.push_back(free_joint(kFreeJoint, link.where));
    for (const Carried& carried : where.above) body.joints.push_back(settled(carried));
    if (joint) write_joint(*joint, where, X_WL_[index], body);
    write_inertial(link, body);
    write_shapes(link, body);
    spec_.bodies.push_back(std::move(body));
    return {static_cast<int>(spec_.bodies.size()) - 1, is_static};
  }

  int parent_of(int link) const {
    const Joint& joint = *joint_to(link);
    for (size_t i = 0; i < robot_.links.size(); ++i) {
      if (robot_.links[i].name == joint.parent) return static_cast<int>(i);
    }
    return -1;
  }

  // The link that is the parent's body.
  int carrier_of(int link) const {
    do link = parent_of(link);
    while (is_hinge_of_hinges(link));
    return link;
  }

  JointSpec make_joint(const std::string& name, JointType type, const Location& where) const {
    JointSpec joint = spec_.defaults[0].joint;
    joint.name = name;
    joint.location = where;
    joint.type = type;
    return joint;
  }
  JointSpec free_joint(const std::string& name, const Location& where) const {
    JointSpec joint;  // a free joint has no default class
    joint.name = name;
    joint.location = where;
    joint.type = JointType::kFree;
    return joint;
  }

  JointSpec single(const Joint& joint, const std::string& suffix, JointType type, const Vec3<double>& axis) const {
    JointSpec out = make_joint(joint.name + suffix, type, joint.where);
    out.axis = {axis.x, axis.y, axis.z};
    out.damping[0] = joint.damping;
    out.frictionloss = joint.friction;
    return out;
  }

  void write_joint(const Joint& joint, const Place& where, const Pose& X_WL, BodySpec& body) {
    const Vec3<double> axis{joint.axis[0], joint.axis[1], joint.axis[2]};
    auto& out = body.joints;
    const auto add = [&](const char* suffix, JointType type, const Vec3<double>& along) {
      out.push_back(single(joint, suffix, type, along));
    };
    switch (joint.kind) {
      case JointKind::kFixed:
        return;
      case JointKind::kRevolute:
      case JointKind::kContinuous:
      case JointKind::kPrismatic:
        add("", joint.kind == JointKind::kPrismatic ? JointType::kSlide : JointType::kHinge, axis);
        return write_limits(joint, out.back());
      case JointKind::kSpherical:
        return add("", JointType::kBall, {0, 0, 1});
      case JointKind::kPlanar: {
        const auto [x, y] = plane_axes(axis);
        add("_TX", JointType::kSlide, x);
        add("_TY", JointType::kSlide, y);
        return add("_RZ", JointType::kHinge, axis);
      }
      case JointKind::kFloating:
        if (where.is_static) {  // a free joint belongs to a child of the world
          body.parent = 0;
          place(body, X_WL);
          return out.push_back(free_joint(joint.name, joint.where));
        }
        add("_TX", JointType::kSlide, {1, 0, 0});
        add("_TY", JointType::kSlide, {0, 1, 0});
        add("_TZ", JointType::kSlide, {0, 0, 1});
        return add("_R", JointType::kBall, {0, 0, 1});
    }
  }

  // Two axes that are x and y for a normal along z, turned with the normal the short way.
  static std::pair<Vec3<double>, Vec3<double>> plane_axes(const Vec3<double>& normal) {
    if (normal.z < -1 + 1e-12) return {{1, 0, 0}, {0, -1, 0}};
    const Quat<double> q = normalized(Quat<double>{1 + normal.z, -normal.y, normal.x, 0});
    return {rotate(q, Vec3<double>{1, 0, 0}), rotate(q, Vec3<double>{0, 1, 0})};
  }

  static void write_limits(const Joint& joint, JointSpec& out) {
    if (joint.range && (joint.range->front() > -kUnlimited || joint.range->back() < kUnlimited)) {
      out.range = *joint.range;
      out.limited = Tristate::kTrue;
    } else {
      out.limited = Tristate::kFalse;
    }
    if (joint.effort > 0 && joint.effort < kUnlimited) {
      out.actfrcrange = {-joint.effort, joint.effort};
      out.actfrclimited = Tristate::kTrue;
    }
  }

  // A link without <inertial> has no mass, as the format says, whatever its shapes; unless the file asks for theirs.
  void write_inertial(const Link& link, BodySpec& body) const {
    if (!link.inertial || spec_.compiler.inertiafromgeom == Tristate::kTrue) return;
    if (link.inertial->mass == 0) return;
    body.inertial.given = true;
    body.inertial.location = link.where;
    body.inertial.mass = link.inertial->mass;
    body.inertial.pos = link.inertial->origin.xyz;
    body.inertial.fullinertia = inertia_in_link(*link.inertial);
  }

  void write_shapes(const Link& link, BodySpec& body) {
    if (options_.visuals) {
      for (const Shape& shape : link.visuals) write_shape(shape, true, body);
    }
    for (const Shape& shape : link.collisions) write_shape(shape, false, body);
  }

  void write_shape(const Shape& shape, bool is_visual, BodySpec& body) {
    GeomSpec geom = spec_.defaults[0].geom;
    geom.name = take_name(shape.name);
    geom.location = shape.where;
    place(geom, pose_of(shape.origin));
    if (shape.rgba) geom.rgba = *shape.rgba;
    if (is_visual) {
      geom.contype = geom.conaffinity = 0;
      geom.group = kVisualGroup;
    }
    if (is_visual || spec_.compiler.inertiafromgeom != Tristate::kTrue) geom.mass = 0;
    const Number3& size = shape.size;
    switch (shape.type) {
      case ShapeType::kBox:
        geom.type = GeomType::kBox;
        geom.size = {size[0] / 2, size[1] / 2, size[2] / 2};
        break;
      case ShapeType::kSphere:
        geom.type = GeomType::kSphere;
        geom.size = {size[0], 0, 0};
        break;
      case ShapeType::kCylinder:
      case ShapeType::kCapsule:
        geom.type = shape.type == ShapeType::kCylinder ? GeomType::kCylinder : GeomType::kCapsule;
        geom.size = {size[0], size[1] / 2, 0};
        break;
      case ShapeType::kMesh:
        geom.type = GeomType::kMesh;
        geom.mesh = take_mesh(shape, is_visual);
        if (geom.mesh.empty()) return;
    }
    body.geoms.push_back(std::move(geom));
  }

  // Names of shapes need not be unique in URDF: the first of a name keeps it.
  std::string take_name(const std::string& name) {
    return name.empty() || !geom_names_.insert({name, 0}).second ? "" : name;
  }

  // The asset for a file at one scale; "" if it cannot be read and is for looking at only.
  std::string take_mesh(const Shape& shape, bool is_visual) {
    const auto key = std::make_tuple(shape.file, shape.scale, is_visual);
    if (const auto found = meshes_.find(key); found != meshes_.end()) return found->second;
    if (is_visual && !is_mesh_file(shape.file)) {
      report_.warning(shape.where,
                      fmt::format("'{}' is left out: only STL, OBJ, DAE and MSH files are read", shape.file));
      return meshes_[key] = "";
    }
    MeshSpec mesh = spec_.defaults[0].mesh;
    mesh.location = shape.where;
    mesh.file = find_mesh(shape.file, options_, spec_);
    mesh.name = unique_mesh_name(file_stem(base_name(mesh.file)));
    mesh.scale = shape.scale;
    if (is_visual) mesh.inertia = MeshInertia::kShell;  // it may be flat, or open
    spec_.meshes.push_back(mesh);
    return meshes_[key] = mesh.name;
  }

  std::string unique_mesh_name(const std::string& stem) {
    std::string name = stem;
    for (int i = 1; !mesh_names_.insert({name, 0}).second; ++i) name = fmt::format("{}_{}", stem, i);
    return name;
  }

  void write_mimic(const Joint& joint) {
    if (!joint.mimic) return;
    const Mimic& mimic = *joint.mimic;
    const auto leader = std::find_if(robot_.joints.begin(), robot_.joints.end(),
                                     [&](const Joint& other) { return other.name == mimic.joint; });
    if (leader == robot_.joints.end())
      return report_.error(mimic.where,
                           fmt::format("joint '{}' mimics '{}', which does not exist", joint.name, mimic.joint));
    if (count_dofs(joint.kind) != 1 || count_dofs(leader->kind) != 1)
      return report_.error(mimic.where, fmt::format("joint '{}' cannot mimic '{}': both need one degree of freedom",
                                                    joint.name, mimic.joint));
    EqualitySpec equality = spec_.defaults[0].equality;
    equality.location = mimic.where;
    equality.type = EqualityType::kJoint;
    equality.objtype = ObjectType::kJoint;
    equality.object1 = joint.name;
    equality.object2 = mimic.joint;
    equality.polycoef = {mimic.offset, mimic.multiplier, 0, 0, 0};
    spec_.equalities.push_back(equality);
  }

  // The engine lets no body collide with the one that it is jointed to, unless that one is fixed to the world: a robot
  // on a fixed base would collide with it at the first joint.
  void exclude_neighbours() {
    for (size_t child = 0; child < robot_.links.size(); ++child) {
      const Joint* joint = joint_to(static_cast<int>(child));
      if (!joint || joint->kind == JointKind::kFixed) continue;
      if (groups_[static_cast<size_t>(carrier_of(static_cast<int>(child)))] != 0) continue;
      for (size_t fixed = 0; fixed < robot_.links.size(); ++fixed) {
        if (groups_[fixed] != 0 || robot_.links[fixed].collisions.empty()) continue;
        for (size_t mate = 0; mate < robot_.links.size(); ++mate) {
          if (groups_[mate] == groups_[child] && !robot_.links[mate].collisions.empty()) exclude(fixed, mate);
        }
      }
    }
  }

  void exclude(size_t fixed, size_t mate) {
    if (is_world_ && static_cast<int>(fixed) == tree_.root()) return;  // the floor must still carry it
    ExcludeSpec out;
    out.location = robot_.links[mate].where;
    out.body1 = robot_.links[fixed].name;
    out.body2 = robot_.links[mate].name;
    spec_.excludes.push_back(out);
  }

  const Robot& robot_;
  const UrdfOptions& options_;
  Spec& spec_;
  mjcf::Report& report_;
  Tree tree_;
  bool is_world_ = false;
  int last_group_ = 0;
  std::vector<int> groups_;  // links that are fixed to each other; 0: to the world
  std::vector<Pose> X_WL_;   // at zero
  std::map<std::tuple<std::string, Number3, bool>, std::string> meshes_;
  std::map<std::string, int> mesh_names_, geom_names_;
};

}  // namespace

void add_robot(const Robot& robot, const UrdfOptions& options, Spec& spec, mjcf::Report& report) {
  Writer(robot, options, spec, report).write();
}

}  // namespace torsor::urdf
