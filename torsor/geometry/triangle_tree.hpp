// The triangles of a mesh for collision: welded, cleaned, each with its neighbours, in a tree of boxes.
#pragma once

#include <span>
#include <vector>

namespace torsor {

struct TriangleTree {
  std::vector<int> corners;    // 3 vertices per triangle; coinciding vertices are merged into the first
  std::vector<int> neighbors;  // the triangle across the edge from corner i to the next; -1: none, or several
  std::vector<int> links;      // 2 per node: of a leaf its first triangle and their number, else the right child and 0
  std::vector<float> boxes;    // 6 per node: lowest corner, highest corner; the left child follows its parent
  bool is_solid = false;       // closed and oriented: every edge has two triangles, with opposite directions
  int skipped = 0;             // triangles without area, and duplicates in either orientation
};

// Three coordinates per vertex, three vertices per triangle. If all triangles are bad, the tree is empty.
TriangleTree make_triangle_tree(std::span<const float> vertices, std::span<const int> faces);

}  // namespace torsor
