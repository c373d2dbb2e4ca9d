// The furthest corner of a hull, eight corners at a time.
#pragma once

namespace torsor {

struct HullKernels;
struct HullBlock;  // torsor/model/hull_tables.hpp
struct HullSide;

// The convex hull of a mesh, corners in the geom's frame. Neighbours of corner i are edge[edge_address[i]] and on.
struct HullView {
  int count;
  const float* corner;  // 3 per corner
  const int* edge_address;
  const int* edge_count;
  const int* edge;
  const int* extrema;  // 27 corners that are furthest in some direction, see mesh_hullextrema
  int face_count;
  const int* face;                   // 3 corners per triangle
  const int* corner_face = nullptr;  // triangles at corner i, beside its neighbours, see mesh_hulledgeface; may be null
  // Positions of all corners, eight at a time, and the flat sides of the triangles, see HullTables; may be null.
  const float* position = nullptr;
  const HullSide* side = nullptr;
  const int* side_corner = nullptr;
  // Corners by cells of directions, see HullTables; may be null.
  const HullBlock* block = nullptr;
  const int* cell_block = nullptr;
  int cells = 0;
  const HullKernels* kernels = nullptr;  // where `position` is not null
};

// Compiled without contraction: the numbers are those of one corner after the other, whatever the instruction set.
struct HullKernels {
  // The highest of `count` corners along d, the first of equals; their positions are given eight at a time.
  int (*find_highest)(const float* position, int count, const double* d);
  // The same corner, found in the list of the cell of d, and where it is.
  int (*find_listed)(const HullView& hull, const double* d, double* p_G);
};

}  // namespace torsor
