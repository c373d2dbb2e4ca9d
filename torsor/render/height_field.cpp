// Height fields: the surface between the elevations, walls around it, and normals from the neighbours of each
// elevation.
#include <algorithm>
#include <cmath>

#include "torsor/render/surface.hpp"

namespace torsor::render {
namespace {

class FieldMaker {
 public:
  FieldMaker(const Model& model, int hfield)
      : rows_(model.hfield_nrow[hfield]),
        columns_(model.hfield_ncol[hfield]),
        size_(model.hfield_size.row(hfield, 4)),
        elevation_(model.hfield_data.data() + model.hfield_adr[hfield]) {}

  Surface make() {
    add_top();
    for (const int r : {0, rows_ - 1})
      add_wall(columns_, {0, r == 0 ? -1.0f : 1.0f, 0}, [&](int c) { return at(r, c); });
    for (const int c : {0, columns_ - 1})
      add_wall(rows_, {c == 0 ? -1.0f : 1.0f, 0, 0}, [&](int r) { return at(r, c); });
    for (const Vec3f& point : surface_.point) surface_.radius = std::max(surface_.radius, norm(point));
    return std::move(surface_);
  }

 private:
  Vec3f at(int r, int c) const {
    const float x = 2 * static_cast<float>(c) / static_cast<float>(std::max(columns_ - 1, 1)) - 1;
    const float y = 2 * static_cast<float>(r) / static_cast<float>(std::max(rows_ - 1, 1)) - 1;
    return {static_cast<float>(size_[0]) * x, static_cast<float>(size_[1]) * y,
            static_cast<float>(size_[2]) *
                elevation_[static_cast<size_t>(r) * static_cast<size_t>(columns_) + static_cast<size_t>(c)]};
  }

  // From the differences to the neighbours along x and y.
  Vec3f normal_at(int r, int c) const {
    const Vec3f along_x = at(r, std::min(c + 1, columns_ - 1)) - at(r, std::max(c - 1, 0));
    const Vec3f along_y = at(std::min(r + 1, rows_ - 1), c) - at(std::max(r - 1, 0), c);
    return normalized(cross(along_x, along_y));
  }

  void add_top() {
    for (int r = 0; r < rows_; ++r) {
      for (int c = 0; c < columns_; ++c) {
        surface_.point.push_back(at(r, c));
        surface_.normal.push_back(normal_at(r, c));
      }
    }
    for (int r = 0; r + 1 < rows_; ++r) {
      for (int c = 0; c + 1 < columns_; ++c) {
        const int a = r * columns_ + c;
        surface_.corner.push_back({a, a + 1, a + columns_ + 1});
        surface_.corner.push_back({a, a + columns_ + 1, a + columns_});
      }
    }
  }

  template <class Point>
  void add_wall(int count, const Vec3f& normal, Point point) {
    const int start = static_cast<int>(surface_.point.size());
    for (int i = 0; i < count; ++i) {
      const Vec3f top = point(i);
      for (const float z : {top.z, -static_cast<float>(size_[3])}) {
        surface_.point.push_back({top.x, top.y, z});
        surface_.normal.push_back(normal);
      }
    }
    // going on with `normal` to the right: (going on) x up points along the normal of y = -1 and x = +1
    const bool is_reversed = normal.y > 0 || normal.x < 0;
    for (int i = 0; i + 1 < count; ++i) {
      const int a = start + 2 * i;
      surface_.corner.push_back(is_reversed ? std::array{a, a + 3, a + 1} : std::array{a, a + 1, a + 3});
      surface_.corner.push_back(is_reversed ? std::array{a, a + 2, a + 3} : std::array{a, a + 3, a + 2});
    }
  }

  int rows_, columns_;
  const double* size_;
  const float* elevation_;
  Surface surface_;
};

}  // namespace

Surface make_height_field(const Model& model, int hfield) { return FieldMaker(model, hfield).make(); }

}  // namespace torsor::render
