// Meshes: from given arrays to a mesh in its own frame, with mass properties.
//
// Frames: A is the frame that the asset is written in, after refpos, refquat and scale. M is the frame of the compiled
// mesh: its origin is the centre of mass, its axes are the principal axes of inertia, the largest moment about x.
#pragma once

#include <array>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "torsor/geometry/hull.hpp"
#include "torsor/geometry/shapes.hpp"
#include "torsor/math/pose.hpp"

namespace torsor {

// The data of a mesh file, or of a mesh in the model. Floats, as in files and in MuJoCo.
struct MeshData {
  std::vector<float> vertices;      // 3 per vertex
  std::vector<float> normals;       // 3 per normal; none: computed
  std::vector<float> texcoords;     // 2 per texture coordinate
  std::vector<int> faces;           // 3 vertices per triangle; none: the convex hull
  std::vector<int> face_normals;    // 3 per triangle; none: as the vertices. -1 where a file gives none
  std::vector<int> face_texcoords;  // 3 per triangle; none: as the vertices. -1 where a file gives none
};

// How the mass of a mesh is inferred from its geometry. Values are those of MuJoCo.
enum class MeshInertia : int {
  kConvex = 0,  // solid convex hull
  kExact = 1,   // solid; the triangles must be consistently oriented
  kLegacy = 2,  // solid, but hollows count as material: absolute volumes of all pyramids are added
  kShell = 3,   // the surface alone; `volume` is its area
};

// The arrays are borrowed: they must outlive the call to compile_mesh().
struct MeshInput {
  std::string name;
  std::span<const float> vertices, normals, texcoords;
  std::span<const int> faces, face_normals, face_texcoords;
  Vec3<double> refpos{0, 0, 0};
  Quat<double> refquat{1, 0, 0, 0};  // need not be unit
  Vec3<double> scale{1, 1, 1};
  Mat3<double> stretch = Mat3<double>::identity();  // after the scale; must not mirror
  MeshInertia inertia = MeshInertia::kLegacy;
  bool smooth_normals = false;
  int max_hull_vertices = 0;  // 0: all
  bool needs_hull = false;    // it collides; hulls are also made if there are no faces, and for kConvex

  MeshInput() = default;
  MeshInput(std::string mesh_name, const MeshData& data);
};

struct CompiledMesh {
  std::vector<float> vertices, normals, texcoords;       // in M
  std::vector<int> faces, face_normals, face_texcoords;  // 3 per triangle each; face_texcoords are 0 without texcoords
  Pose<double> X_AM = Pose<double>::identity();          // mesh_pos, mesh_quat
  double volume = 0;                                     // by inertia mode: an area for kShell
  Vec3<double> moments{0, 0, 0};                         // about Mo at unit density, along M's axes
  Aabb bounds{};                                         // in M, of all vertices, even those not used by a triangle
  std::optional<Hull> hull;
  std::array<int, 27> extrema{};  // see find_extremal_vertices(); zeros without a hull
};

// Throws an Error that names the mesh if the data are invalid.
CompiledMesh compile_mesh(const MeshInput& input);

// geom_size and geom_rbound of a mesh: the largest absolute coordinates, and their norm.
Vec3<double> mesh_extent(const CompiledMesh& mesh);
double bounding_radius(const CompiledMesh& mesh);

}  // namespace torsor
