// Meshes for tests of collision by triangles, and what is known about them without a tree: brute force over all
// triangles.
#pragma once

#include <cmath>
#include <functional>
#include <vector>

#include "tests/contact/shapes.hpp"
#include "torsor/geometry/triangle_tree.hpp"

namespace torsor {

class TriangleMesh {
 public:
  TriangleMesh(const std::vector<Vec3<double>>& vertices, std::vector<int> faces) : faces_(std::move(faces)) {
    for (const Vec3<double>& p : vertices)
      for (int k = 0; k < 3; ++k) vertex_.push_back(float(p[k]));
    tree_ = make_triangle_tree(vertex_, faces_);
    view_ = {int(tree_.corners.size() / 3),
             vertex_.data(),
             tree_.corners.data(),
             tree_.neighbors.data(),
             tree_.links.data(),
             tree_.boxes.data(),
             tree_.is_solid};
  }
  TriangleMesh(const TriangleMesh&) = delete;

  const TriangleTree& tree() const { return tree_; }
  const TriangleView& view() const { return view_; }
  int face_count() const { return int(faces_.size() / 3); }
  int vertex_count() const { return int(vertex_.size() / 3); }
  Vec3<double> vertex(int i) const { return load3<double>(vertex_.data() + 3 * i); }
  Vec3<double> corner(int face, int i) const { return vertex(faces_[3 * face + i]); }
  Shape shape(const Body& place) const {
    Shape shape = place.shape();
    shape.triangles = &view_;
    return shape;
  }

 private:
  std::vector<float> vertex_;
  std::vector<int> faces_;
  TriangleTree tree_;
  TriangleView view_;
};

// A ring about z.
inline TriangleMesh make_torus(double radius, double tube, int around, int across) {
  std::vector<Vec3<double>> p;
  std::vector<int> f;
  for (int i = 0; i < around; ++i)
    for (int j = 0; j < across; ++j) {
      const double a = 2 * M_PI * i / around, b = 2 * M_PI * j / across, r = radius + tube * std::cos(b);
      p.push_back({r * std::cos(a), r * std::sin(a), tube * std::sin(b)});
      const int next = (i + 1) % around, up = (j + 1) % across;
      const int q[4] = {i * across + j, next * across + j, next * across + up, i * across + up};
      f.insert(f.end(), {q[0], q[1], q[2], q[0], q[2], q[3]});
    }
  return {p, f};
}

// A grid over a square of the plane z = 0, raised by `height`.
inline TriangleMesh make_sheet(double half, int cells, const std::function<double(double, double)>& height = {}) {
  std::vector<Vec3<double>> p;
  std::vector<int> f;
  for (int i = 0; i <= cells; ++i)
    for (int j = 0; j <= cells; ++j) {
      const double x = half * (2.0 * i / cells - 1), y = half * (2.0 * j / cells - 1);
      p.push_back({x, y, height ? height(x, y) : 0});
      if (i == cells || j == cells) continue;
      const int a = i * (cells + 1) + j, b = a + cells + 1;
      f.insert(f.end(), {a, b, b + 1, a, b + 1, a + 1});
    }
  return {p, f};
}

// Each side has its own vertices, as in many files: they are welded.
inline TriangleMesh make_block(const Vec3<double>& half, int cells) {
  std::vector<Vec3<double>> p;
  std::vector<int> f;
  for (int side = 0; side < 6; ++side) {
    const int axis = side / 2, u = (axis + 1) % 3, v = (axis + 2) % 3, first = int(p.size());
    const double sign = side % 2 ? 1 : -1;
    for (int i = 0; i <= cells; ++i)
      for (int j = 0; j <= cells; ++j) {
        Vec3<double> q;
        q[axis] = sign * half[axis], q[u] = half[u] * (2.0 * i / cells - 1), q[v] = half[v] * (2.0 * j / cells - 1);
        p.push_back(q);
        if (i == cells || j == cells) continue;
        const int a = first + i * (cells + 1) + j, b = a + cells + 1;
        if (sign > 0)
          f.insert(f.end(), {a, b, b + 1, a, b + 1, a + 1});
        else
          f.insert(f.end(), {a, b + 1, b, a, a + 1, b + 1});
      }
  }
  return {p, f};
}

// Points of a triangle and of a segment that are nearest to each other; a point is a segment without length.
struct NearestPair {
  double dist;
  Vec3<double> on_segment, on_triangle;
};

inline Vec3<double> nearest_on_segment(const Vec3<double>& c, const Vec3<double>& a, const Vec3<double>& b) {
  const double length2 = norm2(b - a);
  return length2 > 0 ? a + (b - a) * std::clamp(dot(c - a, b - a) / length2, 0.0, 1.0) : a;
}

// By the inverse of the matrix of its edges and its normal, then by its edges.
inline Vec3<double> nearest_on_triangle(const Vec3<double>& c, const Vec3<double>* t) {
  const Vec3<double> u = t[1] - t[0], v = t[2] - t[0], w = c - t[0];
  const double uu = dot(u, u), uv = dot(u, v), vv = dot(v, v), wu = dot(w, u), wv = dot(w, v), det = uu * vv - uv * uv;
  const double s = (vv * wu - uv * wv) / det, r = (uu * wv - uv * wu) / det;
  if (s >= 0 && r >= 0 && s + r <= 1) return t[0] + u * s + v * r;
  Vec3<double> best = t[0];
  for (int i = 0; i < 3; ++i) {
    const Vec3<double> p = nearest_on_segment(c, t[i], t[(i + 1) % 3]);
    if (norm2(p - c) < norm2(best - c)) best = p;
  }
  return best;
}

// Ends against the triangle, and the segment against the edges: by halving, since their distance is convex along it. A
// segment that passes through the triangle has distance 0.
inline NearestPair nearest_pair(const Vec3<double>& p, const Vec3<double>& q, const Vec3<double>* t) {
  double low = 0, high = 1;
  const auto at = [&](double s) { return p + (q - p) * s; };
  const auto dist = [&](double s) { return norm(at(s) - nearest_on_triangle(at(s), t)); };
  constexpr double kGolden = 0.6180339887498949;
  for (int i = 0; i < 80; ++i) {
    const double a = high - kGolden * (high - low), b = low + kGolden * (high - low);
    (dist(a) <= dist(b) ? high : low) = dist(a) <= dist(b) ? b : a;
  }
  double best = 0.5 * (low + high);
  for (const double s : {0.0, 1.0})
    if (dist(s) <= dist(best)) best = s;
  return {dist(best), at(best), nearest_on_triangle(at(best), t)};
}

inline NearestPair nearest_on_all(const TriangleMesh& mesh, const Vec3<double>& p, const Vec3<double>& q) {
  NearestPair best{INFINITY, p, p};
  for (int f = 0; f < mesh.face_count(); ++f) {
    const Vec3<double> t[3] = {mesh.corner(f, 0), mesh.corner(f, 1), mesh.corner(f, 2)};
    const bool is_point = norm2(q - p) == 0;
    const Vec3<double> near = is_point ? nearest_on_triangle(p, t) : p;
    const NearestPair pair = is_point ? NearestPair{norm(p - near), p, near} : nearest_pair(p, q, t);
    if (pair.dist < best.dist) best = pair;
  }
  return best;
}

// How often the mesh winds around a point: 1 inside of a solid. The solid angle of each triangle.
// [van Oosterom and Strackee 1983]
inline double winding(const TriangleMesh& mesh, const Vec3<double>& p) {
  double sum = 0;
  for (int f = 0; f < mesh.face_count(); ++f) {
    const Vec3<double> a = mesh.corner(f, 0) - p, b = mesh.corner(f, 1) - p, c = mesh.corner(f, 2) - p;
    const double la = norm(a), lb = norm(b), lc = norm(c);
    sum += 2 * std::atan2(dot(a, cross(b, c)), la * lb * lc + dot(a, b) * lc + dot(b, c) * la + dot(c, a) * lb);
  }
  return sum / (4 * M_PI);
}

}  // namespace torsor
