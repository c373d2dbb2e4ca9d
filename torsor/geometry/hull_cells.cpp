// A corner is furthest along the directions d with d (p - q) >= 0 for its neighbours q. On a side of the cube d is
// linear in two coordinates, so that these conditions cut a polygon out of the square of a cell.
#include "torsor/geometry/hull_cells.hpp"

#include <algorithm>
#include <cmath>

namespace torsor {
namespace {

using Vec = Vec3<double>;

constexpr double kSlack = 1e-6;  // of the size of the hull: how much less than furthest is listed as well

constexpr size_t kMostListed = 32;  // corners per corner or cell; 2 to 6 are usual

// A convex polygon in the coordinates of a side of the cube.
class Polygon {
 public:
  Polygon(double low_u, double low_v, double width)
      : point_{{low_u, low_v}, {low_u + width, low_v}, {low_u + width, low_v + width}, {low_u, low_v + width}} {}

  // Keeps what has height + slope (u, v) >= 0. False if nothing is left.
  bool clip(double height, double slope_u, double slope_v) {
    double value[kMost];
    int inside = 0;
    for (int i = 0; i < count_; ++i) {
      value[i] = height + slope_u * point_[i].u + slope_v * point_[i].v;
      inside += value[i] >= 0;
    }
    if (inside < count_ && inside > 0 && count_ <= kMost / 2) cut(value);  // with many points: lists more than it must
    return inside > 0;
  }

 private:
  static constexpr int kMost = 32;
  struct Point {
    double u, v;
  };

  void cut(const double* value) {
    Point kept[kMost];  // usually one more than before
    int count = 0;
    for (int from = count_ - 1, to = 0; to < count_; from = to++) {
      const Point &p = point_[from], &q = point_[to];
      if ((value[from] >= 0) != (value[to] >= 0)) {
        const double part = value[from] / (value[from] - value[to]);
        kept[count++] = {p.u + part * (q.u - p.u), p.v + part * (q.v - p.v)};
      }
      if (value[to] >= 0) kept[count++] = q;
    }
    count_ = count;
    std::copy_n(kept, count, point_);
  }

  int count_ = 4;
  Point point_[kMost];
};

class CellLister {
 public:
  CellLister(const HullCorners& hull, int cells)
      : hull_(hull), cells_(cells), seen_(static_cast<size_t>(hull.count), -1) {
    for (int i = 0; i < 3 * hull.count; ++i) size_ = std::max(size_, std::abs(double(hull.corner[i])));
  }

  HullCells run() {
    HullCells result;
    const size_t most = kMostListed * static_cast<size_t>(hull_.count + count_cells(cells_));
    if (std::find(hull_.edge_count, hull_.edge_count + hull_.count, 0) != hull_.edge_count + hull_.count) return {};
    for (int entry = 0; entry < count_cells(cells_); ++entry) {
      result.first.push_back(static_cast<int>(result.corner.size()));
      list(entry);
      std::sort(found_.begin(), found_.end());
      result.corner.insert(result.corner.end(), found_.begin(), found_.end());
      if (result.corner.size() > most) return {};
    }
    result.first.push_back(static_cast<int>(result.corner.size()));
    return result;
  }

 private:
  Vec corner(int i) const { return load3<double>(hull_.corner + 3 * i); }

  // The corners of a cell hang together: from the one in its middle, along edges.
  void list(int entry) {
    side_ = entry / (cells_ * cells_), axis_ = side_ / 2;
    const double width = 2.0 / cells_;
    low_u_ = entry / cells_ % cells_ * width - 1, low_v_ = entry % cells_ * width - 1;
    start_ = climb(direction(low_u_ + 0.5 * width, low_v_ + 0.5 * width), start_);
    found_.assign(1, start_);
    seen_[static_cast<size_t>(start_)] = entry;
    for (size_t k = 0; k < found_.size(); ++k) {
      const int from = found_[k];
      const int* edge = hull_.edge + hull_.edge_address[from];
      for (int e = 0; e < hull_.edge_count[from]; ++e) {
        int& seen = seen_[static_cast<size_t>(edge[e])];
        if (seen == entry) continue;
        seen = entry;
        if (is_furthest_somewhere(edge[e])) found_.push_back(edge[e]);
      }
    }
  }
  Vec direction(double u, double v) const {
    Vec d;
    d[axis_] = side_ % 2 ? -1 : 1;
    d[axis_ == 0 ? 1 : 0] = u;
    d[axis_ == 2 ? 1 : 2] = v;
    return d;
  }
  bool is_furthest_somewhere(int i) const {
    Polygon polygon(low_u_, low_v_, 2.0 / cells_);
    const Vec p = corner(i);
    const int* edge = hull_.edge + hull_.edge_address[i];
    for (int e = 0; e < hull_.edge_count[i]; ++e) {
      const Vec pq = p - corner(edge[e]);
      const double out = side_ % 2 ? -pq[axis_] : pq[axis_];
      if (!polygon.clip(out + kSlack * size_, pq[axis_ == 0 ? 1 : 0], pq[axis_ == 2 ? 1 : 2])) return false;
    }
    return true;
  }
  int climb(const Vec& d, int from) const {
    double height = dot(d, corner(from));
    for (int last = -1; last != from;) {
      last = from;
      const int* edge = hull_.edge + hull_.edge_address[last];
      for (int e = 0; e < hull_.edge_count[last]; ++e) {
        const double higher = dot(d, corner(edge[e]));
        if (higher > height) height = higher, from = edge[e];
      }
    }
    return from;
  }

  const HullCorners& hull_;
  const int cells_;
  std::vector<int> seen_;  // the last cell that looked at each corner
  std::vector<int> found_;
  double size_ = 0, low_u_ = 0, low_v_ = 0;
  int side_ = 0, axis_ = 0, start_ = 0;
};

}  // namespace

HullCells list_cells(const HullCorners& hull, int cells) { return CellLister(hull, cells).run(); }

// Half as many cells as corners: most lists then have sixteen corners or fewer, which a search compares at once.
int choose_cells(int corners) { return std::clamp(static_cast<int>(std::sqrt(corners / 16.0)), 3, 40); }

}  // namespace torsor
