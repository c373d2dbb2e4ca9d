// Shapes as geoms and sites, their materials, and the separation of worlds.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "torsor/bridge/newton/spec_maker.hpp"

namespace torsor::newton {
namespace {

constexpr int kAllWorlds = 0x7fffffff;

void set_mesh_collision(GeomSpec& geom, bool triangles) {
  geom.mesh_collision = triangles ? MeshCollision::kTriangles : MeshCollision::kHull;
}

// As documented for Newton's MuJoCo solver: stiffness and damping of a unit mass. A shape from MJCF keeps its own
// unless they have been set.
void set_material(GeomSpec& geom, double ke, double kd, bool is_native) {
  const ShapeConfig untouched;
  if (is_native && ke == untouched.ke && kd == untouched.kd) return;
  if (ke > 0 && kd > 0) geom.solref = {2 / kd, kd / (2 * std::sqrt(ke))};
  set_sap_compliance(geom, ke, kd, untouched.ke, untouched.kd);
}

// Infinite, or the top of a box as deep as the shorter side.
Pose<double> set_plane(GeomSpec& geom, double width, double length) {
  if (width == 0) {
    geom.type = GeomType::kPlane;
    geom.size = {0, 0, 1};
    return Pose<double>::identity();
  }
  geom.type = GeomType::kBox;
  geom.size = {width / 2, length / 2, std::min(width, length) / 2};
  return {{0, 0, -geom.size[2]}, Quat<double>::identity()};
}

}  // namespace

void SpecMaker::add_shape(int s) {
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
  set_material(geom, builder_.shape_material_ke[s], builder_.shape_material_kd[s], builder_.shape_native[s] != nullptr);
  body_spec(builder_.shape_body[s]).geoms.push_back(std::move(geom));
  shapes_of_[builder_.shape_body[s] < 0 ? 0 : layout_.body_engine[builder_.shape_body[s]]].push_back(s);
}

void SpecMaker::set_geometry(int s, GeomSpec& geom) {
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

std::string SpecMaker::add_mesh(const SourcePtr& source, const Vector3& scale, bool is_hull) {
  for (const auto& [known, known_scale, name] : meshes_) {
    if (known == source && known_scale == scale) return name;
  }
  MeshSpec mesh = source->mesh;
  mesh.name = fmt::format("mesh{}", meshes_.size());
  for (int i = 0; i < 3; ++i) mesh.scale[i] *= scale[i];
  mesh.inertia = is_hull ? MeshInertia::kConvex : mesh.inertia;  // the body has the mass; this only sets the frame
  spec_.meshes.push_back(mesh);
  meshes_.push_back({source, scale, mesh.name});
  return mesh.name;
}

std::string SpecMaker::add_hfield(const SourcePtr& source) {
  for (const auto& [known, name] : hfields_) {
    if (known == source) return name;
  }
  HfieldSpec hfield = source->hfield;
  hfield.name = fmt::format("hfield{}", hfields_.size());
  spec_.hfields.push_back(hfield);
  hfields_.push_back({source, hfield.name});
  return hfield.name;
}

void SpecMaker::add_site(int s) {
  SiteSpec site;
  site.name = builder_.shape_native_name[s].empty() ? fmt::format("shape{}", s) : builder_.shape_native_name[s];
  place(site, to_pose(builder_.shape_transform[s]));
  body_spec(builder_.shape_body[s]).sites.push_back(site);
}

void SpecMaker::list_geoms() {
  for (const std::vector<int>& shapes : shapes_of_)
    layout_.geom_shape.insert(layout_.geom_shape.end(), shapes.begin(), shapes.end());
}

// Encodes worlds in the collision masks, so that most pairs of different worlds are skipped early; the contact filter
// removes the rest. Only if all shapes have default masks, as shapes that do not come from MJCF do.
void SpecMaker::separate_worlds() {
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

}  // namespace torsor::newton
