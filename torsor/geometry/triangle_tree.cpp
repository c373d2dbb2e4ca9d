// Welding, cleaning, neighbours, and a tree that splits triangles at the median along the longest axis.
#include "torsor/geometry/triangle_tree.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <numeric>
#include <set>

#include "torsor/math/vec3.hpp"

namespace torsor {
namespace {

constexpr int kLeaf = 4;            // triangles
constexpr double kFlatness = 1e-7;  // height over longest side below which rounding to floats determines the normal

using Corners = std::array<int, 3>;

class Builder {
 public:
  Builder(std::span<const float> vertices, std::span<const int> faces) : vertices_(vertices) {
    keep_good(faces, weld());
    if (kept_.empty()) return;
    order_.resize(kept_.size());
    std::iota(order_.begin(), order_.end(), 0);
    add_node(0, static_cast<int>(kept_.size()));
    for (const int t : order_) tree_.corners.insert(tree_.corners.end(), kept_[at(t)].begin(), kept_[at(t)].end());
    connect();
  }
  TriangleTree take() { return std::move(tree_); }

 private:
  static size_t at(int i) { return static_cast<size_t>(i); }
  Vec3<double> vertex(int i) const { return load3<double>(vertices_.data() + 3 * at(i)); }

  // Files such as STL repeat a vertex for each of its triangles.
  std::vector<int> weld() const {
    std::map<std::array<float, 3>, int> first;
    std::vector<int> ids(vertices_.size() / 3);
    for (size_t i = 0; i < ids.size(); ++i) {
      const float* p = vertices_.data() + 3 * i;
      ids[i] = first.try_emplace({p[0] + 0.0f, p[1] + 0.0f, p[2] + 0.0f}, static_cast<int>(i)).first->second;
    }
    return ids;
  }

  bool has_area(const Corners& t) const {
    const Vec3<double> a = vertex(t[0]), ab = vertex(t[1]) - a, ac = vertex(t[2]) - a;
    const double longest2 = std::max({norm2(ab), norm2(ac), norm2(ac - ab)});
    return norm(cross(ab, ac)) > kFlatness * longest2;
  }

  void keep_good(std::span<const int> faces, const std::vector<int>& ids) {
    std::set<Corners> seen;
    for (size_t f = 0; f + 2 < faces.size(); f += 3) {
      const Corners t{ids[at(faces[f])], ids[at(faces[f + 1])], ids[at(faces[f + 2])]};
      Corners sorted = t;
      std::sort(sorted.begin(), sorted.end());
      if (has_area(t) && seen.insert(sorted).second)
        kept_.push_back(t);
      else
        ++tree_.skipped;
    }
  }

  double middle(int t, int axis) const {
    double sum = 0;
    for (const int v : kept_[at(t)]) sum += vertices_[3 * at(v) + at(axis)];
    return sum;
  }

  void add_box(int first, int count) {
    std::array<float, 6> box;
    for (size_t k = 0; k < 3; ++k) box[k] = vertices_[3 * at(kept_[at(order_[at(first)])][0]) + k], box[3 + k] = box[k];
    for (int i = first; i < first + count; ++i) {
      for (const int v : kept_[at(order_[at(i)])]) {
        for (size_t k = 0; k < 3; ++k) {
          const float x = vertices_[3 * at(v) + k];
          box[k] = std::min(box[k], x), box[3 + k] = std::max(box[3 + k], x);
        }
      }
    }
    tree_.boxes.insert(tree_.boxes.end(), box.begin(), box.end());
  }

  int longest_axis(int first, int count) const {
    int longest = 0;
    double best = -1;
    for (int axis = 0; axis < 3; ++axis) {
      double low = middle(order_[at(first)], axis), high = low;
      for (int i = first; i < first + count; ++i) {
        const double x = middle(order_[at(i)], axis);
        low = std::min(low, x), high = std::max(high, x);
      }
      if (high - low > best) best = high - low, longest = axis;
    }
    return longest;
  }

  void add_node(int first, int count) {
    const size_t node = tree_.links.size() / 2;
    tree_.links.insert(tree_.links.end(), {first, count});
    add_box(first, count);
    if (count <= kLeaf) return;
    const int axis = longest_axis(first, count), left = count / 2;
    std::sort(order_.begin() + first, order_.begin() + first + count, [&](int a, int b) {
      const double x = middle(a, axis), y = middle(b, axis);
      return x < y || (x == y && a < b);
    });
    add_node(first, left);
    tree_.links[2 * node] = static_cast<int>(tree_.links.size() / 2);
    tree_.links[2 * node + 1] = 0;
    add_node(first + left, count - left);
  }

  // Edges by their ends; two triangles at one are neighbours.
  void connect() {
    std::map<std::pair<int, int>, std::vector<int>> edges;
    const int count = static_cast<int>(tree_.corners.size());
    const auto next = [](int corner) { return corner % 3 == 2 ? corner - 2 : corner + 1; };
    for (int c = 0; c < count; ++c) edges[std::minmax({tree_.corners[at(c)], tree_.corners[at(next(c))]})].push_back(c);
    tree_.neighbors.assign(at(count), -1);
    tree_.is_solid = true;
    for (const auto& [ends, corners] : edges) {
      const bool is_pair = corners.size() == 2;
      if (is_pair) {
        tree_.neighbors[at(corners[0])] = corners[1] / 3;
        tree_.neighbors[at(corners[1])] = corners[0] / 3;
      }
      if (!is_pair || tree_.corners[at(corners[0])] == tree_.corners[at(corners[1])]) tree_.is_solid = false;
    }
  }

  std::span<const float> vertices_;
  std::vector<Corners> kept_;
  std::vector<int> order_;
  TriangleTree tree_;
};

}  // namespace

TriangleTree make_triangle_tree(std::span<const float> vertices, std::span<const int> faces) {
  return Builder(vertices, faces).take();
}

}  // namespace torsor
