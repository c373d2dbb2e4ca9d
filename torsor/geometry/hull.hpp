// The convex hull of a point cloud, by Qhull (the reentrant library, so several threads may compute hulls at once).
#pragma once

#include <array>
#include <span>
#include <string_view>
#include <vector>

namespace torsor {

struct Hull {
  std::vector<int> vertices;  // the points that are corners of the hull
  std::vector<int> faces;     // triangles: three points each, counter-clockwise seen from outside
};

// Three coordinates per point. At most max_vertices corners are kept (furthest points first); 0 means all. Throws an
// Error that names the mesh if the points lie in a plane.
Hull make_hull(std::span<const float> points, int max_vertices, std::string_view mesh_name);

// The hull with its own numbering of corners, for walks from corner to corner.
struct HullGraph {
  std::vector<int> faces;         // triangles of corners: indices into hull.vertices
  std::vector<int> edge_address;  // of each corner: its first neighbour in `edges`; one entry more than corners
  std::vector<int> edges;         // neighbours of each corner, ascending
  // Triangles at each corner, ascending, in the places of its neighbours: on a closed surface there are as many. The
  // last is repeated where there are fewer; -1 where there are more.
  std::vector<int> corner_faces;
};
HullGraph make_hull_graph(const Hull& hull);

// For each direction (i, j, k) with i, j, k from -1 to 1, at 9 (i + 1) + 3 (j + 1) + k + 1: which hull vertex (an index
// into hull.vertices) is furthest in that direction, the first of equals. Starting points for support functions.
std::array<int, 27> find_extremal_vertices(const Hull& hull, std::span<const float> points);

}  // namespace torsor
