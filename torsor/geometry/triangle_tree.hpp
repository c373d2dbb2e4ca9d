// The triangles of a mesh as collision walks over them: welded, cleaned, each with its neighbours, in a tree of boxes.
#pragma once

#include <span>
#include <vector>

namespace torsor {

struct TriangleTree {
  std::vector<int> corners;    // 3 vertices per triangle; of vertices in the same place, the first stands for all
  std::vector<int> neighbors;  // the triangle across the edge from corner i to the next; -1: none, or several
  std::vector<int> links;      // 2 per node: of a leaf its first triangle and their number, else the right child and 0
  std::vector<float> boxes;    // 6 per node: lowest corner, highest corner; the left child follows its parent
  bool is_solid = false;       // closed and oriented: every edge has two triangles that run along it opposite ways
  int skipped = 0;             // triangles without area, and repetitions of others, in either orientation
};

// Three coordinates per vertex, three vertices per triangle. A mesh of bad triangles only gives an empty tree.
TriangleTree make_triangle_tree(std::span<const float> vertices, std::span<const int> faces);

}  // namespace torsor
