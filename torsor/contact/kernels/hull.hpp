// Walks over the corners of a hull, neighbours eight at a time.
#pragma once

namespace torsor {

struct HullKernels;
struct HullSide;  // torsor/model/hull_tables.hpp

// The convex hull of a mesh, corners in the geom's frame. Neighbours of corner i are edge[edge_address[i]] and on.
struct HullView {
  int count;
  const float* corner;  // 3 per corner
  const int* edge_address;
  const int* edge_count;
  const int* edge;
  const int* extrema;  // 27 corners to start a search from, see mesh_hullextrema
  int face_count;
  const int* face;                   // 3 corners per triangle
  const int* corner_face = nullptr;  // triangles at corner i, beside its neighbours, see mesh_hulledgeface; may be null
  // positions of neighbours, eight at a time, see mesh_hulledgepos; may be null
  const float* edge_position = nullptr;
  int first_corner = 0;                  // how many corners of other hulls come before
  const HullKernels* kernels = nullptr;  // where edge_position is not null
  // Positions of all corners, eight at a time, and the flat sides of the triangles, see HullTables; may be null.
  const float* position = nullptr;
  const HullSide* side = nullptr;
  const int* side_corner = nullptr;
  const int* start = nullptr;  // corners to start a search from, see HullTables; may be null
};

// Where the neighbours of a corner are: blocks of 8 x, 8 y, 8 z.
inline const float* neighbour_blocks(const HullView& hull, int corner) {
  return hull.edge_position + 24 * ((hull.edge_address[corner] + 7 * (hull.first_corner + corner)) / 8);
}

// Compiled without contraction: the numbers are those of one corner after the other, whatever the instruction set.
struct HullKernels {
  // Uphill along edges from `corner`, whose height along d is `height`; of neighbours that are equally high, the first.
  int (*climb)(const HullView& hull, const double* d, int corner, double height);
  // The highest of `count` corners along d, the first of equals; their positions are given eight at a time.
  int (*find_highest)(const float* position, int count, const double* d);
};

}  // namespace torsor
