// Any two convex shapes, and a height field as prisms.
#include <algorithm>
#include <cmath>

#include "torsor/contact/field_cell.hpp"
#include "torsor/contact/kernels/convex.hpp"
#include "torsor/contact/pairs.hpp"

namespace torsor {
namespace {

using Vec = Vec3<double>;

Mat3<double> rotation_of(const Shape& shape) { return load9(shape.R_WG); }

// Cells of a height field that lie below a box, half open.
struct CellRange {
  int first_row, last_row, first_column, last_column;
};

// The box around a part, along the axes of F, its radius and the margin included.
struct Bounds {
  Vec low, high;

  Bounds(ConvexPart& part, double margin) {
    const double around = part.radius + margin;
    for (int i = 0; i < 3; ++i) {
      Vec axis = Vec::zero();
      axis[i] = 1;
      high[i] = part.furthest(axis)[i] + around, low[i] = part.furthest(-axis)[i] - around;
    }
  }
  bool misses(const HeightFieldView& field) const {
    const double* size = field.size;
    return low.x > size[0] || high.x < -size[0] || low.y > size[1] || high.y < -size[1] || low.z > size[2] ||
           high.z < -size[3];
  }
  CellRange cells(const HeightFieldView& field) const {
    return {cell_of(low.y, field.size[1], field.rows - 1), cell_of(high.y, field.size[1], field.rows - 1) + 1,
            cell_of(low.x, field.size[0], field.columns - 1), cell_of(high.x, field.size[0], field.columns - 1) + 1};
  }
};

Vec surface_point(const HeightFieldView& field, int row, int column) {
  return {field.size[0] * (2.0 * column / (field.columns - 1) - 1), field.size[1] * (2.0 * row / (field.rows - 1) - 1),
          field.size[2] * field.elevation[row * field.columns + column]};
}

// Below one of the two triangles of a cell; the diagonal between them leaves its corner of smallest x and y.
Prism make_prism(const HeightFieldView& field, int row, int column, bool upper) {
  Prism prism;
  prism.corner[0] = surface_point(field, row, column);
  prism.corner[1] = surface_point(field, row + 1, column + 1);
  prism.corner[2] = upper ? surface_point(field, row + 1, column) : surface_point(field, row, column + 1);
  for (int i = 0; i < 3; ++i)
    prism.corner[3 + i] = {prism.corner[i].x, prism.corner[i].y, -std::max(field.size[3], kMinNorm<double>)};
  return prism;
}

}  // namespace

bool comes_first(const Shape& a, const Shape& b) { return convexes::comes_first(a, b); }

// One point for every prism below the shape.
int field_convex(const Shape& field, const Shape& shape, double margin, ContactPoint* out) {
  const HeightFieldView& view = *field.field;
  if (has_no_hull(shape) || view.rows < 2 || view.columns < 2) return 0;
  const Mat3<double> R_WF = rotation_of(field), R_FG = transposed_mul(R_WF, rotation_of(shape));
  const Vec p_FoGo_F = transposed_mul(R_WF, shape.p_WoGo_W - field.p_WoGo_W);
  ConvexPart part(shape, R_FG, p_FoGo_F);
  const Bounds bounds(part, margin);
  if (bounds.misses(view)) return 0;
  const CellRange cells = bounds.cells(view);
  int count = 0;
  for (int row = cells.first_row; row < cells.last_row; ++row)
    for (int column = cells.first_column; column < cells.last_column; ++column)
      for (const bool upper : {false, true}) {
        const Prism prism = make_prism(view, row, column, upper);
        if (std::max({prism.corner[0].z, prism.corner[1].z, prism.corner[2].z}) < bounds.low.z) continue;
        ConvexPart below(prism, Mat3<double>::identity(), Vec::zero());
        Nearest nearest;
        if (!find_nearest(below, part, margin, nearest)) continue;
        out[count++] = {nearest.dist, field.p_WoGo_W + R_WF * ((nearest.on_a + nearest.on_b) * 0.5),
                        R_WF * nearest.normal_F, Vec::zero()};
        if (count == kMaxFieldPoints) return count;
      }
  return count;
}

}  // namespace torsor
