// Shapes of a ModelBuilder: sizes, masses, planes from equations.
#include <fmt/format.h>

#include <cmath>

#include "torsor/bridge/newton/builder.hpp"
#include "torsor/bridge/shape_mass.hpp"
#include "torsor/core/error.hpp"
#include "torsor/geometry/mesh.hpp"

namespace torsor::newton {
namespace {

ShapeKind kind_of(ShapeType type) {
  switch (type) {
    case ShapeType::kSphere:
      return ShapeKind::kSphere;
    case ShapeType::kCapsule:
      return ShapeKind::kCapsule;
    case ShapeType::kEllipsoid:
      return ShapeKind::kEllipsoid;
    case ShapeType::kCylinder:
      return ShapeKind::kCylinder;
    case ShapeType::kBox:
      return ShapeKind::kBox;
    case ShapeType::kCone:
      return ShapeKind::kCone;
    default:
      throw Error(fmt::format("a {} has no mass of its own", to_string(type)));
  }
}

int count_sizes(ShapeType type) {
  switch (type) {
    case ShapeType::kSphere:
      return 1;
    case ShapeType::kCapsule:
    case ShapeType::kCylinder:
    case ShapeType::kCone:
      return 2;
    case ShapeType::kBox:
    case ShapeType::kEllipsoid:
      return 3;
    default:
      return 0;
  }
}

SolidMass make_solid(ShapeType type, const Vector3& scale) {
  PlacedShape placed;
  placed.shape = {kind_of(type), to_vec(scale)};
  const ShapeMass of_one = shape_mass(placed);
  return {of_one.volume, of_one.p_SoScm_S, to_mat(of_one.I_SScm_S)};
}

// A solid minus a smaller one, `thickness` inside its surface.
SolidMass make_shell(ShapeType type, const Vector3& scale, double thickness) {
  if (type == ShapeType::kCone) throw Error("hollow cones are not supported: make it solid, or give the body its mass");
  Vector3 inner = scale;
  const int radii = type == ShapeType::kCapsule ? 1 : count_sizes(type);  // caps of a capsule shrink with its radius
  for (int i = 0; i < radii; ++i) inner[i] -= thickness;
  SolidMass shell = make_solid(type, scale);
  for (int i = 0; i < radii; ++i) {
    if (inner[i] <= 0) return shell;  // thicker than the shape: solid
  }
  const SolidMass hole = make_solid(type, inner);  // about the same centre
  shell.mass -= hole.mass;
  shell.inertia_S = shell.inertia_S - hole.inertia_S;
  return shell;
}

SolidMass make_mesh_mass(const Source& source, const Vector3& scale, bool is_solid, double thickness, bool is_hull) {
  MeshInput input;
  input.vertices = source.mesh.vertex;
  input.faces = source.mesh.face;
  input.scale = to_vec(scale);
  input.inertia = is_hull ? MeshInertia::kConvex : is_solid ? MeshInertia::kExact : MeshInertia::kShell;
  const CompiledMesh mesh = compile_mesh(input);
  const double factor = is_solid || is_hull ? 1.0 : thickness;  // a shell's "volume" is its area
  const Mat3<double> R = to_mat(mesh.X_AM.q);
  return {mesh.volume * factor, mesh.X_AM.p, mul_transposed(R * diag(mesh.moments * factor), R)};
}

void check(const ShapeConfig& config) {
  const std::pair<double, const char*> numbers[] = {{config.density, "density"},
                                                    {config.ke, "ke"},
                                                    {config.kd, "kd"},
                                                    {config.kf, "kf"},
                                                    {config.ka, "ka"},
                                                    {config.mu, "mu"},
                                                    {config.gap, "gap"},
                                                    {config.mu_torsional, "mu_torsional"},
                                                    {config.margin, "margin"},
                                                    {config.mu_rolling, "mu_rolling"},
                                                    {config.restitution, "restitution"}};
  for (const auto& [value, name] : numbers) {
    if (!std::isfinite(value) || value < 0)
      throw Error(fmt::format("{} of a shape is {}; it must be zero or positive", name, value));
  }
}

}  // namespace

SolidMass compute_shape_mass(ShapeType type, const Vector3& scale, const ShapeConfig& config, const Source* source) {
  if (config.density == 0 || config.is_site || type == ShapeType::kPlane || type == ShapeType::kHeightfield) return {};
  SolidMass result;
  if (type == ShapeType::kMesh || type == ShapeType::kConvexMesh) {
    result = make_mesh_mass(*source, scale, config.is_solid, config.margin, type == ShapeType::kConvexMesh);
  } else {
    result = config.is_solid ? make_solid(type, scale) : make_shell(type, scale, config.margin);
  }
  result.mass *= config.density;
  result.inertia_S = result.inertia_S * config.density;
  return result;
}

void check_shape_size(ShapeType type, const Vector3& scale) {
  for (int i = 0; i < count_sizes(type); ++i) {
    if (!std::isfinite(scale[i]) || scale[i] <= 0)
      throw Error(
          fmt::format("number {} of the size of a {} is {}; it must be positive", i, to_string(type), scale[i]));
  }
  if (type == ShapeType::kPlane) {
    if (!(scale[0] >= 0) || !(scale[1] >= 0)) throw Error("width and length of a plane must not be negative");
    if ((scale[0] == 0) != (scale[1] == 0))
      throw Error("a plane is infinite if width and length are 0, and finite if both are positive");
  }
}

void merge_mass(double& mass, Vec3<double>& com, Mat3<double>& inertia, const SolidMass& other) {
  const double total = mass + other.mass;
  if (total <= 0) {
    inertia = inertia + other.inertia_S;
    return;
  }
  const Vec3<double> centre = (com * mass + other.com_S * other.mass) / total;
  const auto steiner = [](const Mat3<double>& I, double m, const Vec3<double>& r) {
    return I + (Mat3<double>::identity() * norm2(r) - outer(r, r)) * m;
  };
  inertia = steiner(inertia, mass, com - centre) + steiner(other.inertia_S, other.mass, other.com_S - centre);
  com = centre;
  mass = total;
}

void ModelBuilder::add_mass(int body, double mass, const Vec3<double>& com_B, const Mat3<double>& inertia_B) {
  Vec3<double> com = to_vec(body_com[body]);
  Mat3<double> inertia = load9(body_inertia[body].data());
  merge_mass(body_mass[body], com, inertia, {mass, com_B, inertia_B});
  body_com[body] = to_array(com);
  store9(body_inertia[body].data(), inertia);
}

int ModelBuilder::add_shape(int body, ShapeType type, const Transform& xform, const Vector3& scale,
                            const ShapeConfig& config, SourcePtr source, const std::string& key) {
  to_shape_type(static_cast<int>(type));  // throws if invalid
  if (body < -1 || body >= body_count()) throw Error(fmt::format("there is no body {} for a shape", body));
  if (body >= 0 && body_world[body] != current_world) {
    throw Error(
        fmt::format("body {} belongs to world {}, but the current world is {}", body, body_world[body], current_world));
  }
  const Pose<double> X_BS = to_pose(xform);
  check(config);
  check_shape_size(type, scale);
  const bool is_mesh = type == ShapeType::kMesh || type == ShapeType::kConvexMesh;
  if (is_mesh && (!source || source->mesh.vertex.empty())) throw Error("a mesh shape needs a mesh");
  if (type == ShapeType::kHeightfield && (!source || source->hfield.nrow == 0))
    throw Error("a height field shape needs a height field");
  if (type == ShapeType::kPlane && body >= 0 && !config.is_site && scale[0] == 0)
    throw Error("an infinite plane must belong to the world: pass body -1, or width and length");
  if (body >= 0 && !body_lock_inertia[body]) {
    const SolidMass solid = compute_shape_mass(type, scale, config, source.get());
    if (solid.mass > 0) {
      const Mat3<double> R = to_mat(X_BS.q);
      add_mass(body, solid.mass, apply(X_BS, solid.com_S), mul_transposed(R * solid.inertia_S, R));
    }
  }
  const int shape = shape_count();
  const auto flag = [](bool on, int bit) { return on ? bit : 0; };
  shape_type.push_back(type);
  shape_body.push_back(body);
  shape_flags.push_back(flag(config.is_visible, kVisible) | flag(config.has_shape_collision, kCollideShapes) |
                        flag(config.has_particle_collision, kCollideParticles) | flag(config.is_site, kSite));
  shape_collision_group.push_back(config.collision_group);
  shape_world.push_back(current_world);
  shape_transform.push_back(xform);
  shape_scale.push_back(scale);
  shape_source.push_back(std::move(source));
  shape_material_ke.push_back(config.ke);
  shape_material_kd.push_back(config.kd);
  shape_material_kf.push_back(config.kf);
  shape_material_ka.push_back(config.ka);
  shape_material_mu.push_back(config.mu);
  shape_material_mu_torsional.push_back(config.mu_torsional);
  shape_material_mu_rolling.push_back(config.mu_rolling);
  shape_material_restitution.push_back(config.restitution);
  shape_margin.push_back(config.margin);
  shape_gap.push_back(config.gap);
  shape_filters_parent.push_back(config.collision_filter_parent);
  shape_key.push_back(key.empty() ? fmt::format("shape_{}", shape) : key);
  shape_native.push_back(nullptr);
  shape_native_name.emplace_back();
  return shape;
}

int ModelBuilder::add_shape_plane(const std::array<double, 4>& plane, double width, double length, int body,
                                  const ShapeConfig& config, const std::string& key) {
  const Vec3<double> n{plane[0], plane[1], plane[2]};
  const double size = norm(n);
  if (!(size > 0) || !std::isfinite(size + plane[3]))
    throw Error(fmt::format("{} {} {} {} is not the equation of a plane", plane[0], plane[1], plane[2], plane[3]));
  const Vec3<double> normal = n / size, z{0, 0, 1};
  // the smallest rotation from z to the normal; about x if they are opposite
  const Vec3<double> axis = cross(z, normal);
  const double angle = std::atan2(norm(axis), normal.z);
  const Quat<double> q = norm(axis) > 1e-12 ? from_axis_angle(axis / norm(axis), angle)
                         : normal.z > 0     ? Quat<double>::identity()
                                            : Quat<double>{0, 1, 0, 0};
  const Pose<double> X{normal * (-plane[3] / size), q};
  return add_shape(body, ShapeType::kPlane, to_transform(X), {width, length, 0}, config, nullptr, key);
}

int ModelBuilder::add_ground_plane(double height, const ShapeConfig& config, const std::string& key) {
  const Vector3 up = up_vector();
  return add_shape_plane({up[0], up[1], up[2], -height}, 0, 0, -1, config, key.empty() ? "ground_plane" : key);
}

void ModelBuilder::add_shape_collision_filter_pair(int shape_a, int shape_b) {
  for (const int shape : {shape_a, shape_b}) {
    if (shape < 0 || shape >= shape_count()) throw Error(fmt::format("there is no shape {}", shape));
  }
  shape_collision_filter_pairs.push_back({std::min(shape_a, shape_b), std::max(shape_a, shape_b)});
}

}  // namespace torsor::newton
