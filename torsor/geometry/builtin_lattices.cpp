// Points and triangles of lattices. Their order is that of MuJoCo.
#include "torsor/geometry/builtin_lattices.hpp"

#include <algorithm>
#include <cmath>
#include <unordered_map>
#include <vector>

namespace torsor {
namespace {

using Vec = Vec3<double>;
using Cell = std::array<int, 3>;

void add_vertex(std::vector<float>& numbers, const Vec& v) {
  numbers.insert(numbers.end(), {float(v.x), float(v.y), float(v.z)});
}

double half_size(const Lattice& lattice, std::size_t axis) {
  return (lattice.count[axis] - 1) / 2.0 * lattice.spacing[axis];
}

// Moves a point from a square or cube about the origin to the circle or sphere that touches its sides.
Vec rounded(const Vec& p) {
  const double length = std::sqrt(dot(p, p));
  const double distance = std::max({std::abs(p.x), std::abs(p.y), std::abs(p.z)});
  return length > 0 ? p * (distance / length) : p;
}

Vec grid_point(const Lattice& lattice, const Cell& cell) {
  Vec p{};
  for (std::size_t a = 0; a < 3; ++a)
    p[static_cast<int>(a)] = (cell[a] - (lattice.count[a] - 1) / 2.0) * lattice.spacing[a];
  return p;
}

void add_quad(std::vector<int>& faces, int a, int b, int c, int d) { faces.insert(faces.end(), {a, b, c, a, c, d}); }

// Cells of the lattice's surface, numbered in the order of the vertices.
class Surface {
 public:
  Surface(const std::array<int, 3>& count, bool has_top) : count_(count) {
    const auto [nx, ny, nz] = count;
    const int layers_end = has_top ? nz - 1 : nz;
    add_layer(0);
    if (has_top) add_layer(nz - 1);
    for (const int j : {0, ny - 1})
      for (int i = 0; i < nx; ++i)
        for (int k = 1; k < layers_end; ++k) add_cell({i, j, k});
    for (const int i : {0, nx - 1})
      for (int j = 1; j < ny - 1; ++j)
        for (int k = 1; k < layers_end; ++k) add_cell({i, j, k});
  }

  const std::vector<Cell>& cells() const { return cells_; }

  // Triangles of the bottom and the four sides, outward.
  std::vector<int> make_faces() const {
    const auto [nx, ny, nz] = count_;
    std::vector<int> faces;
    for (int i = 0; i + 1 < nx; ++i)
      for (int j = 0; j + 1 < ny; ++j) {
        const int corner = at({i, j, 0}), opposite = at({i + 1, j + 1, 0});
        faces.insert(faces.end(), {corner, opposite, at({i + 1, j, 0}), corner, at({i, j + 1, 0}), opposite});
      }
    add_side(faces, nx, false, [&](int i, int k) { return at({i, 0, k}); });
    add_side(faces, nx, true, [&](int i, int k) { return at({i, count_[1] - 1, k}); });
    add_side(faces, ny, true, [&](int j, int k) { return at({0, j, k}); });
    add_side(faces, ny, false, [&](int j, int k) { return at({count_[0] - 1, j, k}); });
    return faces;
  }

 private:
  void add_layer(int k) {
    for (int i = 0; i < count_[0]; ++i)
      for (int j = 0; j < count_[1]; ++j) add_cell({i, j, k});
  }
  void add_cell(const Cell& cell) {
    numbers_[key(cell)] = static_cast<int>(cells_.size());
    cells_.push_back(cell);
  }
  long key(const Cell& cell) const { return (long(cell[0]) * count_[1] + cell[1]) * count_[2] + cell[2]; }
  int at(const Cell& cell) const { return numbers_.at(key(cell)); }

  template <class At>
  void add_side(std::vector<int>& faces, int count, bool is_reversed, At&& at_side) const {
    for (int i = 0; i + 1 < count; ++i)
      for (int k = 0; k + 1 < count_[2]; ++k) {
        const int from = is_reversed ? i + 1 : i, to = is_reversed ? i : i + 1;
        add_quad(faces, at_side(from, k), at_side(to, k), at_side(to, k + 1), at_side(from, k + 1));
      }
  }

  std::array<int, 3> count_;
  std::vector<Cell> cells_;
  std::unordered_map<long, int> numbers_;
};

Vec surface_point(LatticeShape shape, const Lattice& lattice, const Cell& cell) {
  Vec unit{};
  for (std::size_t a = 0; a < 3; ++a) unit[static_cast<int>(a)] = 2.0 * cell[a] / (lattice.count[a] - 1) - 1;
  if (shape == LatticeShape::kEllipsoid) unit = rounded(unit);
  if (shape == LatticeShape::kCylinder) {
    const Vec ring = rounded({unit.x, unit.y, 0});
    unit = {ring.x, ring.y, unit.z};
  }
  for (std::size_t a = 0; a < 3; ++a) unit[static_cast<int>(a)] *= half_size(lattice, a);
  return unit;
}

MeshData make_points(LatticeShape shape, const Lattice& lattice, const Surface& surface) {
  MeshData mesh;
  for (const Cell& cell : surface.cells()) add_vertex(mesh.vertices, surface_point(shape, lattice, cell));
  return mesh;
}

}  // namespace

MeshData make_grid_points(const Lattice& lattice) {
  MeshData mesh;
  for (int i = 0; i < lattice.count[0]; ++i)
    for (int j = 0; j < lattice.count[1]; ++j)
      for (int k = 0; k < lattice.count[2]; ++k) add_vertex(mesh.vertices, grid_point(lattice, {i, j, k}));
  return mesh;
}

MeshData make_square(const Lattice& lattice) {
  MeshData mesh = make_grid_points(lattice);
  const int ny = lattice.count[1];
  for (int i = 0; i + 1 < lattice.count[0]; ++i)
    for (int j = 0; j + 1 < ny; ++j) {
      const int here = i * ny + j;
      add_quad(mesh.faces, here, here + ny, here + ny + 1, here + 1);
    }
  return mesh;
}

MeshData make_disc(const Lattice& lattice) {
  MeshData mesh;
  const auto [nx, ny, nz] = lattice.count;
  for (int i = 0; i < nx; ++i)
    for (int j = 0; j < ny; ++j) {
      const Vec p = rounded(grid_point(lattice, {i, j, 0}));
      add_vertex(mesh.vertices, {p.x * half_size(lattice, 0), p.y * half_size(lattice, 1), 0});
    }
  for (int i = 0; i + 1 < nx; ++i)
    for (int j = 0; j + 1 < ny; ++j) {
      // the diagonals point to the centre
      const int here = i * ny + j;
      if ((i < nx / 2) == (j < ny / 2))
        add_quad(mesh.faces, here, here + ny, here + ny + 1, here + 1);
      else
        mesh.faces.insert(mesh.faces.end(), {here, here + ny, here + 1, here + ny, here + ny + 1, here + 1});
    }
  return mesh;
}

MeshData make_solid_points(LatticeShape shape, const Lattice& lattice) {
  MeshData mesh = make_points(shape, lattice, Surface(lattice.count, true));
  mesh.vertices.insert(mesh.vertices.begin(), {0, 0, 0});
  return mesh;
}

MeshData make_open_surface(LatticeShape shape, const Lattice& lattice) {
  const Surface surface(lattice.count, false);
  MeshData mesh = make_points(shape, lattice, surface);
  mesh.faces = surface.make_faces();
  return mesh;
}

}  // namespace torsor
