// approximate_meshes(): replaces mesh shapes by their hulls, or by boxes or spheres around them. Masses stay.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "torsor/bridge/newton/builder.hpp"
#include "torsor/compile/compile.hpp"
#include "torsor/core/error.hpp"

namespace torsor::newton {
namespace {

// The corners of a mesh in the principal axes of its hull, and where these are in the shape's frame.
struct Outline {
  Pose<double> X_SI;
  std::vector<Vec3<double>> corners_I;
};

// The compiler centres meshes and turns them into their principal axes.
Outline find_outline(const Source& source, const Vector3& scale) {
  Spec spec;
  spec.bodies.resize(1);
  spec.meshes.push_back(source.mesh);
  MeshSpec& mesh = spec.meshes.front();
  mesh.name = "mesh", mesh.inertia = MeshInertia::kConvex;
  for (int i = 0; i < 3; ++i) mesh.scale[i] *= scale[i];
  const torsor::Model model = compile(spec);
  Outline outline{{load3(&model.mesh_pos[0]), load4(&model.mesh_quat[0])}, {}};
  for (int v = 0; v < model.mesh_vertnum[0]; ++v) {
    const float* corner = &model.mesh_vert[3 * v];
    outline.corners_I.push_back({corner[0], corner[1], corner[2]});
  }
  return outline;
}

struct Box {
  Vec3<double> centre, half;
};

Box box_around(const std::vector<Vec3<double>>& corners) {
  Vec3<double> low = corners.front(), high = low;
  for (const Vec3<double>& p : corners) {
    low = {std::min(low.x, p.x), std::min(low.y, p.y), std::min(low.z, p.z)};
    high = {std::max(high.x, p.x), std::max(high.y, p.y), std::max(high.z, p.z)};
  }
  return {(low + high) * 0.5, (high - low) * 0.5};
}

const Vec3<double>& furthest_from(const Vec3<double>& centre, const std::vector<Vec3<double>>& corners) {
  return *std::max_element(corners.begin(), corners.end(), [&](const Vec3<double>& a, const Vec3<double>& b) {
    return norm(a - centre) < norm(b - centre);
  });
}

// The centre of the smallest ball, to a thousandth of its radius. [Badoiu and Clarkson 2003, "Smaller core-sets for
// balls"]
Vec3<double> centre_of_ball(const std::vector<Vec3<double>>& corners) {
  Vec3<double> centre = box_around(corners).centre;
  for (int i = 1; i <= 1000; ++i) centre = centre + (furthest_from(centre, corners) - centre) / (i + 1);
  return centre;
}

bool is_mesh(ShapeType type) { return type == ShapeType::kMesh || type == ShapeType::kConvexMesh; }

}  // namespace

std::vector<int> ModelBuilder::approximate_meshes(Approximation method, std::vector<int> shapes) {
  // meshes of MJCF and USD are hulls already, but in Newton they are meshes
  const bool is_for_all = shapes.empty();
  for (int s = 0; is_for_all && s < shape_count(); ++s) {
    const bool is_wanted = shape_type[s] == ShapeType::kMesh || (is_mesh(shape_type[s]) && shape_native[s]);
    if (is_wanted && (shape_flags[s] & kCollideShapes)) shapes.push_back(s);
  }
  for (const int s : shapes) {
    if (s < 0 || s >= shape_count()) throw Error(fmt::format("there is no shape {}", s));
    if (!is_mesh(shape_type[s])) throw Error(fmt::format("shape {} ('{}') is no mesh", s, shape_key[s]));
  }
  for (const int s : shapes) {
    if (method == Approximation::kConvexHull) {
      shape_type[s] = ShapeType::kConvexMesh;
      continue;
    }
    const Outline outline = find_outline(*shape_source[s], shape_scale[s]);
    Pose<double> X_SB = outline.X_SI;
    if (method == Approximation::kBoundingBox) {
      const Box box = box_around(outline.corners_I);
      X_SB = X_SB * Pose<double>{box.centre, Quat<double>::identity()};
      shape_type[s] = ShapeType::kBox, shape_scale[s] = to_array(box.half);
    } else {
      const Vec3<double> centre = centre_of_ball(outline.corners_I);
      const double radius = norm(furthest_from(centre, outline.corners_I) - centre);
      X_SB = {apply(X_SB, centre), Quat<double>::identity()};
      shape_type[s] = ShapeType::kSphere, shape_scale[s] = {radius, 0, 0};
    }
    shape_transform[s] = to_transform(to_pose(shape_transform[s]) * X_SB);
    shape_source[s] = nullptr;
  }
  return shapes;
}

}  // namespace torsor::newton
