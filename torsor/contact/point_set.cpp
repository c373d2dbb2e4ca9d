// Groups points by direction, then keeps the outermost of each group.
#include "torsor/contact/point_set.hpp"

#include <algorithm>
#include <cmath>

namespace torsor {
namespace {

using Vec = Vec3<double>;

constexpr double kOneDirection = 0.966;  // cosine of 15 degrees
constexpr double kEqualDepth = 1e-6;     // of the size: depths that differ by less are equal
constexpr double kSame = 1e-3;           // of the size: points nearer than this are merged
constexpr double kOnePlane = 1 - 1e-10;  // cosine between the normals of coplanar triangles
constexpr double kOneNormal = 1 - 1e-9;  // cosine between the normals of contacts that push the same way
constexpr double kWide = 1e-3;           // of the squared distance of two points: area that a third must add
constexpr double kTouchLevel = 1e-2;     // of the size: points as little above the deepest one touch, too
constexpr double kEqualSpread = 1e-9;    // distances and areas that differ by a smaller fraction are equal

}  // namespace

// The deepest point (of equally deep ones with the same normal, the outermost); the one furthest from it as seen along
// the normal; and the two that span the largest triangles with these, one on each side. Points that touch come before
// those that are only within the margin: these fill what places are left, of several at the same place the nearest.
int PointSet::choose(const int* group, int leader, const Item& lead, Item* out) const {
  double least = INFINITY;
  Vec mean = Vec::zero(), normal = lead.normal_W;
  int members = 0;
  for (int i = 0; i < count_; ++i) {
    if (group[i] != leader) continue;
    if (item_[i].dist < least) least = item_[i].dist, normal = item_[i].normal_W;
    mean += item_[i].pos_W, ++members;
  }
  mean *= 1.0 / members;
  const double touching = std::max(least + kTouchLevel * size_, 0.0);
  const auto best = [&](auto&& value, double threshold) {
    int found = -1;
    for (const double limit : {touching, static_cast<double>(INFINITY)}) {
      double most = threshold;
      for (int i = 0; i < count_; ++i) {
        if (group[i] != leader || item_[i].dist > limit) continue;
        const double x = value(item_[i]);
        const bool is_nearer = found >= 0 && x > most - kEqualSpread * std::abs(most) &&
                               item_[i].dist < item_[found].dist - kEqualDepth * size_;
        if (x > most + kEqualSpread * std::abs(most) || is_nearer) most = std::max(x, most), found = i;
      }
      if (found >= 0) break;
    }
    return found;
  };
  const auto is_deepest = [&](const ContactPoint& p) {
    return p.dist <= least + kEqualDepth * size_ && dot(p.normal_W, normal) > kOneNormal;
  };
  const int first = best([&](const ContactPoint& p) { return is_deepest(p) ? norm2(p.pos_W - mean) : -1; }, -0.5);
  out[0] = item_[first];
  out[0].dist = least;
  const Vec p0 = out[0].pos_W;
  const auto across = [&](const ContactPoint& p) {
    const Vec d = p.pos_W - p0;
    return d - lead.normal_W * dot(lead.normal_W, d);
  };
  const int second = best([&](const ContactPoint& p) { return norm2(across(p)); }, kSame * kSame * size_ * size_);
  if (second < 0) return 1;
  out[1] = item_[second];
  const Vec edge = across(out[1]);
  const double length2 = norm2(edge);
  int count = 2;
  for (const double side : {1.0, -1.0}) {
    const auto area = [&](const ContactPoint& p) { return side * dot(lead.normal_W, cross(edge, across(p))); };
    const int next = best(area, kWide * length2);
    if (next >= 0) out[count++] = item_[next];
  }
  return count;
}

double PointSet::touching() const { return std::max(least() + kTouchLevel * size_, 0.0); }

// Of points that do not touch, few are needed. Those that touch are kept as long as there is room, since which of them
// are the outermost is not known before the last one.
void PointSet::make_room() {
  const double limit = touching();
  PointSet above(size_);
  int kept = 0;
  for (int i = 0; i < count_; ++i) {
    if (item_[i].dist > limit)
      above.item_[above.count_++] = item_[i];
    else
      item_[kept++] = item_[i];
  }
  above.reduce();
  count_ = kept;
  if (kept + above.count_ > kRoom / 2) reduce();
  std::copy_n(above.item_, above.count_, item_ + count_);
  count_ += above.count_;
}

void PointSet::reduce() {
  int leaders[kPointGroups], leader_count = 0;
  double nearest[kRoom];  // cosine to the nearest leader
  int group[kRoom];
  std::fill_n(nearest, count_, -2.0);
  int next = 0;
  for (int i = 1; i < count_; ++i)
    if (item_[i].dist < item_[next].dist) next = i;
  // the deepest point is the first leader, then the one most different in direction, until all directions have one
  while (count_ > 0 && leader_count < kPointGroups) {
    const int leader = leader_count++;
    leaders[leader] = next;
    for (int i = 0; i < count_; ++i) {
      const double cosine = dot(item_[i].normal_W, item_[leaders[leader]].normal_W);
      if (cosine > nearest[i]) nearest[i] = cosine, group[i] = leader;
    }
    next = static_cast<int>(std::min_element(nearest, nearest + count_) - nearest);
    if (nearest[next] > kOneDirection) break;
  }
  Item kept[kPointGroups * kGroupPoints];
  int kept_count = 0;
  for (int g = 0; g < leader_count; ++g) kept_count += choose(group, g, item_[leaders[g]], kept + kept_count);
  std::copy_n(kept, kept_count, item_);
  count_ = kept_count;
}

bool PointSet::is_over_stands(const Item& item) const {
  return item.is_rim && dot(item.normal_W, stand_[0].normal_W) > kOnePlane;
}

// Whether a round base is entirely over one flat face.
bool PointSet::stands_as_on_a_plane() const {
  for (int i = 0; i < kStands; ++i)
    if (!has_stand_[i] || !(dot(stand_[i].normal_W, stand_[0].normal_W) > kOnePlane)) return false;
  return std::all_of(item_, item_ + count_, [&](const Item& item) {
    return is_over_stands(item) || dot(item.normal_W, stand_[0].normal_W) < kOneDirection;
  });
}

void PointSet::replace_rim() {
  const auto is_over = [&](const Item& item) { return is_over_stands(item); };
  count_ = static_cast<int>(std::remove_if(item_, item_ + count_, is_over) - item_);
  for (const Item& stand : stand_)
    if (stand.is_rim) add(stand);
  const auto is_deeper = [](const Item& a, const Item& b) { return a.dist < b.dist; };
  if (count_ > 0) std::swap(item_[0], *std::min_element(item_, item_ + count_, is_deeper));
}

Vec PointSet::push(const Vec& otherwise) const {
  constexpr double kCancelled = 0.1;
  Vec sum = Vec::zero();
  double total = 0;
  for (int i = 0; i < count_; ++i) {
    const double depth = std::max(-item_[i].dist, 0.0);
    sum += item_[i].normal_W * depth, total += depth;
  }
  return norm(sum) > kCancelled * total ? sum : otherwise;
}

void PointSet::drop_opposed(const Vec& d, double depth) {
  int kept = 0;
  for (int i = 0; i < count_; ++i)
    if (!(item_[i].dist < -depth && dot(item_[i].normal_W, d) < 0)) item_[kept++] = item_[i];
  count_ = kept;
}

void PointSet::drop_deeper(double dist) {
  count_ = static_cast<int>(std::remove_if(item_, item_ + count_, [&](const Item& item) { return item.dist < dist; }) -
                            item_);
}

bool PointSet::has(double dist, const Vec& normal) const {
  return std::any_of(item_, item_ + count_,
                     [&](const Item& item) { return item.dist <= dist && dot(item.normal_W, normal) > kOneNormal; });
}

int PointSet::take(const Mat3<double>& R_WF, const Vec& p_WoFo_W, double sign, ContactPoint* out) {
  const bool stands = stands_as_on_a_plane();
  reduce();
  if (stands) replace_rim();
  for (int i = 0; i < count_; ++i)
    out[i] = {item_[i].dist, p_WoFo_W + R_WF * item_[i].pos_W, R_WF * item_[i].normal_W * sign, Vec::zero()};
  return count_;
}

}  // namespace torsor
