// A height field against a convex shape: the prisms of the field below the shape, one after the other.
#pragma once

#include "torsor/contact/epa.hpp"
#include "torsor/contact/field_cell.hpp"

namespace torsor {

namespace fields {

using Vec = Vec3<double>;

// The box around a part, along the axes of F, its radius and the margin included.
struct Bounds {
  Vec low, high;

  TORSOR_HD Bounds(ConvexPart& part, double margin) {
    const double around = part.radius + margin;
    for (int i = 0; i < 3; ++i) {
      Vec axis = Vec::zero();
      axis[i] = 1;
      high[i] = part.furthest(axis)[i] + around, low[i] = part.furthest(-axis)[i] - around;
    }
  }
  TORSOR_HD bool misses(const HeightFieldView& field) const {
    const double* size = field.size;
    return low.x > size[0] || high.x < -size[0] || low.y > size[1] || high.y < -size[1] || low.z > size[2] ||
           high.z < -size[3];
  }
};

TORSOR_HD inline Vec surface_point(const HeightFieldView& field, int row, int column) {
  return {field.size[0] * (2.0 * column / (field.columns - 1) - 1), field.size[1] * (2.0 * row / (field.rows - 1) - 1),
          field.size[2] * field.elevation[row * field.columns + column]};
}

// Below one of the two triangles of a cell; the diagonal between them leaves its corner of smallest x and y.
TORSOR_HD inline Prism make_prism(const HeightFieldView& field, int row, int column, bool upper) {
  Prism prism;
  prism.corner[0] = surface_point(field, row, column);
  prism.corner[1] = surface_point(field, row + 1, column + 1);
  prism.corner[2] = upper ? surface_point(field, row + 1, column) : surface_point(field, row, column + 1);
  const double bottom = field.size[3] > kMinNorm<double> ? field.size[3] : kMinNorm<double>;
  for (int i = 0; i < 3; ++i) prism.corner[3 + i] = {prism.corner[i].x, prism.corner[i].y, -bottom};
  return prism;
}

TORSOR_HD inline double top_of(const Prism& prism) {
  double top = prism.corner[0].z;
  for (int i = 1; i < 3; ++i) top = prism.corner[i].z > top ? prism.corner[i].z : top;
  return top;
}

}  // namespace fields

// A height field and a shape that may touch it: the prisms 0, 1, ... below the box around the shape, in the order of
// their points. Each gives one point at most.
class FieldMeeting {
  using Vec = Vec3<double>;

 public:
  TORSOR_HD FieldMeeting(const Shape& field, const Shape& shape, double margin)
      : view_(*field.field),
        p_WoFo_W_(field.p_WoGo_W),
        R_WF_(load9(field.R_WG)),
        part_(shape, transposed_mul(R_WF_, load9(shape.R_WG)), transposed_mul(R_WF_, shape.p_WoGo_W - field.p_WoGo_W)),
        margin_(margin) {
    if (has_no_hull(shape) || view_.rows < 2 || view_.columns < 2) return;
    const fields::Bounds bounds(part_, margin);
    if (bounds.misses(view_)) return;
    const double* const size = view_.size;
    lowest_ = bounds.low.z;
    first_row_ = cell_of(bounds.low.y, size[1], view_.rows - 1);
    first_column_ = cell_of(bounds.low.x, size[0], view_.columns - 1);
    rows_ = cell_of(bounds.high.y, size[1], view_.rows - 1) + 1 - first_row_;
    columns_ = cell_of(bounds.high.x, size[0], view_.columns - 1) + 1 - first_column_;
  }
  FieldMeeting(const FieldMeeting&) = delete;

  TORSOR_HD int prisms() const { return rows_ > 0 && columns_ > 0 ? 2 * rows_ * columns_ : 0; }  // NaN: none
  // Whether prism k touches; `find_depth` as for find_nearest().
  template <class F>
  TORSOR_HD bool touch(int k, ContactPoint& out, F&& find_depth) {
    const int cell = k / 2;
    const Prism prism =
        fields::make_prism(view_, first_row_ + cell / columns_, first_column_ + cell % columns_, k % 2 != 0);
    if (fields::top_of(prism) < lowest_) return false;
    ConvexPart below(prism, Mat3<double>::identity(), Vec::zero());
    Nearest nearest;
    if (!find_nearest(below, part_, margin_, nearest, nullptr, find_depth)) return false;
    out = {nearest.dist, p_WoFo_W_ + R_WF_ * ((nearest.on_a + nearest.on_b) * 0.5), R_WF_ * nearest.normal_F,
           Vec::zero()};
    return true;
  }

 private:
  const HeightFieldView& view_;
  const Vec p_WoFo_W_;
  const Mat3<double> R_WF_;
  ConvexPart part_;
  const double margin_;
  double lowest_ = 0;
  int first_row_ = 0, first_column_ = 0, rows_ = 0, columns_ = 0;
};

}  // namespace torsor
