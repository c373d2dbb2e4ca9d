// Hulls for tests: affine images of solids whose faces are known, so that nothing has to be built from a cloud of
// points.
#pragma once

#include <cmath>
#include <set>
#include <vector>

#include "torsor/contact/shape.hpp"

namespace torsor {

class Solid {
 public:
  // Corners and triangles, counter-clockwise from outside.
  Solid(std::vector<Vec3<double>> corners, std::vector<int> faces)
      : base_(std::move(corners)), face_(std::move(faces)) {
    std::vector<std::set<int>> neighbors(base_.size());
    for (size_t f = 0; f < face_.size(); f += 3)
      for (int i = 0; i < 9; ++i)
        if (i / 3 != i % 3) neighbors[face_[f + i / 3]].insert(face_[f + i % 3]);
    for (const std::set<int>& of_one : neighbors) {
      edge_address_.push_back(int(edge_.size()));
      edge_count_.push_back(int(of_one.size()));
      edge_.insert(edge_.end(), of_one.begin(), of_one.end());
    }
    stretch(Mat3<double>::identity());
  }
  static Solid cube();
  static Solid globe(int meridians, int circles);

  // Keeps faces as they look from outside: the determinant must be positive.
  void stretch(const Mat3<double>& by) {
    corner_.clear();
    for (const Vec3<double>& p : base_) {
      const Vec3<double> q = by * p;
      for (int i = 0; i < 3; ++i) corner_.push_back(float(q[i]));
    }
    for (int e = 0; e < 27; ++e) {
      const Vec3<double> d{e / 9 - 1.0, e / 3 % 3 - 1.0, e % 3 - 1.0};
      extrema_[e] = 0;
      for (size_t i = 0; i < base_.size(); ++i)
        if (dot(d, at(int(i))) > dot(d, at(extrema_[e]))) extrema_[e] = int(i);
    }
    view_ = {int(base_.size()), corner_.data(), edge_address_.data(),  edge_count_.data(),
             edge_.data(),      extrema_,       int(face_.size() / 3), face_.data()};
  }

  Vec3<double> at(int i) const { return load3<double>(&corner_[3 * size_t(i)]); }
  int count() const { return int(base_.size()); }
  const HullView* view() const { return &view_; }

 private:
  std::vector<Vec3<double>> base_;
  std::vector<int> face_, edge_address_, edge_count_, edge_;
  std::vector<float> corner_;
  int extrema_[27];
  HullView view_;
};

inline Solid Solid::cube() {
  std::vector<Vec3<double>> corners;
  for (int i = 0; i < 8; ++i) corners.push_back({i & 1 ? 1.0 : -1.0, i & 2 ? 1.0 : -1.0, i & 4 ? 1.0 : -1.0});
  return Solid(corners, {0, 2, 1, 1, 2, 3, 4, 5, 6, 5, 7, 6, 0, 1, 4, 1, 5, 4,
                         2, 6, 3, 3, 6, 7, 0, 4, 2, 2, 4, 6, 1, 3, 5, 3, 7, 5});
}

inline Solid Solid::globe(int meridians, int circles) {
  std::vector<Vec3<double>> corners{{0, 0, -1}};
  std::vector<int> faces;
  for (int c = 1; c <= circles; ++c)
    for (int m = 0; m < meridians; ++m) {
      const double latitude = M_PI * (double(c) / (circles + 1) - 0.5), longitude = 2 * M_PI * m / meridians;
      corners.push_back(
          {std::cos(latitude) * std::cos(longitude), std::cos(latitude) * std::sin(longitude), std::sin(latitude)});
    }
  corners.push_back({0, 0, 1});
  const auto id = [=](int c, int m) { return 1 + (c - 1) * meridians + m % meridians; };
  for (int m = 0; m < meridians; ++m) {
    faces.insert(faces.end(), {0, id(1, m + 1), id(1, m)});
    for (int c = 1; c < circles; ++c)
      faces.insert(faces.end(), {id(c, m), id(c, m + 1), id(c + 1, m), id(c + 1, m), id(c, m + 1), id(c + 1, m + 1)});
    faces.insert(faces.end(), {id(circles, m), id(circles, m + 1), int(corners.size()) - 1});
  }
  return Solid(corners, faces);
}

}  // namespace torsor
