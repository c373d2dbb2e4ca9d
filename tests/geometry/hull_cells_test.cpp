// Lists of corners by cells of directions.
#include "torsor/geometry/hull_cells.hpp"

#include <algorithm>
#include <cmath>

#include "mesh_support.hpp"
#include "torsor/geometry/hull.hpp"

namespace torsor {
namespace {

const int kDirections = number_of_cases(500, 2'000, 20'000);

struct Corners {
  std::vector<float> position;
  HullGraph graph;
  std::vector<int> edge_count;

  explicit Corners(const MeshData& mesh) {
    const Hull hull = make_hull(mesh.vertices, 0, "m");
    graph = make_hull_graph(hull);
    for (size_t k = 0; k < hull.vertices.size(); ++k) {
      const float* p = mesh.vertices.data() + 3 * hull.vertices[k];
      position.insert(position.end(), p, p + 3);
      edge_count.push_back(graph.edge_address[k + 1] - graph.edge_address[k]);
    }
  }
  HullCorners view() const {
    return {static_cast<int>(edge_count.size()),
            position.data(),
            graph.edge_address.data(),
            edge_count.data(),
            graph.edges.data(),
            graph.faces.data()};
  }
  Vec3<double> at(int i) const { return load3<double>(position.data() + 3 * i); }
  int furthest(const Vec3<double>& d) const {
    int best = 0;
    for (int i = 1; i < static_cast<int>(edge_count.size()); ++i)
      if (dot(d, at(i)) > dot(d, at(best))) best = i;
    return best;
  }
};

// A round plate: all corners of a side are equally far along the axis.
MeshData plate(int corners, double thickness, double taper) {
  MeshData mesh;
  for (int i = 0; i < 2 * corners; ++i) {
    const double angle = i / 2 * 2 * M_PI / corners, radius = i % 2 ? 1 : 1 - taper;
    mesh.vertices.insert(mesh.vertices.end(), {float(radius * std::cos(angle)), float(radius * std::sin(angle)),
                                               float(i % 2 ? thickness : -thickness)});
  }
  return mesh;
}

// Corners a rounding error away from the planes that they seem to lie in.
MeshData grid(Random& random) {
  MeshData mesh;
  for (int i = 0; i < 6 * 49; ++i) {
    double p[3];
    const int axis = i / 49 / 2;
    p[axis] = i / 49 % 2 ? 1 : -1;
    p[axis == 0 ? 1 : 0] = i % 7 / 3.0 - 1, p[axis == 2 ? 1 : 2] = i % 49 / 7 / 3.0 - 1;
    for (const double x : p) mesh.vertices.push_back(float(x * (1 + random.uniform(0, 1e-7))));
  }
  return mesh;
}

MeshData random_mesh(Random& random) {
  switch (random.integer(0, 3)) {
    case 0:
      return cloud(random, random.integer(10, 300));
    case 1:
      return plate(random.integer(8, 100), random.chance(0.3) ? 1e-3 : 0.5, random.chance(0.5) ? 0 : 0.2);
    case 2:
      return grid(random);
    default: {
      MeshData needle = cloud(random, 50);
      for (size_t i = 0; i < needle.vertices.size(); i += 3) needle.vertices[i] *= 1000;
      return needle;
    }
  }
}

// Everywhere, along the axes and edges of cells, across triangles, of any length.
Vec3<double> random_direction(Random& random, const Corners& corners) {
  const auto whole = [&random] { return double(random.integer(-4, 4)); };
  Vec3<double> d = random.unit_vec3();
  if (random.chance(0.3)) d = {whole(), whole(), whole()};
  if (random.chance(0.3)) {
    const int* t = corners.graph.faces.data() + 3 * random.integer(0, int(corners.graph.faces.size() / 3) - 1);
    d = cross(corners.at(t[1]) - corners.at(t[0]), corners.at(t[2]) - corners.at(t[0]));
  }
  return norm2(d) > 0 ? d * std::exp(random.uniform(-20, 20)) : Vec3<double>{0, 0, 1};
}

TEST(HullCells, TheListOfACellHasTheFurthestCornerOfEveryDirectionInIt) {
  for_all(number_of_cases(20, 40, 400), [](Random& random) {
    const Corners corners(random_mesh(random));
    const int cells = random.chance(0.5) ? choose_cells(int(corners.edge_count.size())) : random.integer(1, 9);
    const HullCells lists = list_cells(corners.view(), cells);
    ASSERT_EQ(int(lists.first.size()), count_cells(cells) + 1);
    for (int k = 0; k < kDirections / 10; ++k) {
      const Vec3<double> d = random_direction(random, corners);
      const int cell = cell_of_direction(&d.x, cells), furthest = corners.furthest(d);
      const auto begin = lists.corner.begin() + lists.first[size_t(cell)],
                 end = lists.corner.begin() + lists.first[size_t(cell) + 1];
      EXPECT_TRUE(std::is_sorted(begin, end));
      ASSERT_TRUE(std::binary_search(begin, end, furthest)) << "cells " << cells << " corner " << furthest;
    }
  });
}

TEST(HullCells, ListsAreShort) {
  Random random(1);
  const Corners corners(cloud(random, 1000));
  const HullCells lists = list_cells(corners.view(), choose_cells(1000));
  EXPECT_LT(lists.corner.size(), 12 * lists.first.size());
}

TEST(HullCells, DirectionsThatAreNoneHaveACellToo) {
  const double none[] = {0, 0, 0}, bad[] = {NAN, 1, 2}, worse[] = {NAN, NAN, NAN}, endless[] = {INFINITY, 1, -INFINITY};
  for (const double* d : {none, bad, worse, endless})
    for (const int cells : {1, 8}) {
      EXPECT_GE(cell_of_direction(d, cells), 0);
      EXPECT_LT(cell_of_direction(d, cells), count_cells(cells));
    }
}

TEST(HullCells, HullsWithoutEdgesOrWithoutSizeHaveNoLists) {
  Random random(1);
  Corners corners(cloud(random, 100));
  corners.position[17] = INFINITY;  // all corners are near each other as seen from there
  EXPECT_TRUE(list_cells(corners.view(), 8).corner.empty());
  Corners bare(cloud(random, 100));
  bare.edge_count[50] = 0;
  EXPECT_TRUE(list_cells(bare.view(), 8).corner.empty());
}

}  // namespace
}  // namespace torsor
