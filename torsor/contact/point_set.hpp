// Reduces the contact points of a pair that touches in many places: for each of at most eight directions, the deepest
// point and those that span the largest area with it.
#pragma once

#include <cmath>

#include "torsor/contact/shape.hpp"

namespace torsor {

inline constexpr int kPointGroups = 8;
inline constexpr int kGroupPoints = 4;
static_assert(kPointGroups * kGroupPoints <= kMaxFieldPoints);

class PointSet {
 public:
  // `size` of the smaller shape: points nearer to each other than a small fraction of it are merged.
  explicit PointSet(double size) : size_(size) {}

  // A full set is reduced to make room, so any number of points can be added.
  void add(double dist, const Vec3<double>& pos, const Vec3<double>& normal) {
    add({{dist, pos, normal, Vec3<double>::zero()}, false});
  }
  // Points on the rim of a round base over a flat face. The choice of points is arbitrary, so the base stands on the
  // same three as on a plane (plane_pairs.cpp) if these lie over the face too. add_stand: point i of the three, and
  // whether it is near enough.
  void add_rim(double dist, const Vec3<double>& pos, const Vec3<double>& normal) {
    add({{dist, pos, normal, Vec3<double>::zero()}, true});
  }
  void add_stand(int i, double dist, const Vec3<double>& pos, const Vec3<double>& normal, bool is_near) {
    if (has_stand_[i] && !is_near) return;
    stand_[i] = {{dist, pos, normal, Vec3<double>::zero()}, is_near}, has_stand_[i] = true;
  }
  bool is_empty() const { return count_ == 0; }
  double size() const { return size_; }
  double least() const {  // distance of the deepest point; infinite if there are none
    double dist = INFINITY;
    for (int i = 0; i < count_; ++i) dist = item_[i].dist < dist ? item_[i].dist : dist;
    return dist;
  }
  // The sum of normals times depths; `otherwise` if they cancel out.
  Vec3<double> push(const Vec3<double>& otherwise) const;
  // Removes points deeper than `depth` that push against d.
  void drop_opposed(const Vec3<double>& d, double depth);
  void drop_deeper(double dist);
  bool has(double dist, const Vec3<double>& normal) const;  // whether there is a point as deep with this normal
  // Adds the points of another set that are deeper than `dist`.
  void add_deeper(const PointSet& other, double dist) {
    for (int i = 0; i < other.count_; ++i)
      if (other.item_[i].dist < dist) add(other.item_[i]);
  }
  // Reduces the set and writes the remaining points in W, the deepest first; F is at R_WF, p_WoFo_W. Normals are
  // multiplied by `sign`.
  int take(const Mat3<double>& R_WF, const Vec3<double>& p_WoFo_W, double sign, ContactPoint* out);

 private:
  static constexpr int kRoom = 192;
  static constexpr int kStands = 3;
  struct Item : ContactPoint {
    bool is_rim;  // of stands: whether it touches
  };
  void add(const Item& item) {
    if (count_ == kRoom) make_room();
    item_[count_++] = item;
  }
  double touching() const;  // the largest distance of points that count as touching
  void make_room();
  void reduce();
  bool stands_as_on_a_plane() const;
  void replace_rim();
  bool is_over_stands(const Item& item) const;
  int choose(const int* group, int leader, const Item& lead, Item* out) const;

  double size_;
  int count_ = 0;
  Item item_[kRoom], stand_[kStands];
  bool has_stand_[kStands] = {false, false, false};
};

}  // namespace torsor
