// Bounding spheres against each other: first those of whole trees, all pairs of them or in large models a sweep along a
// sorted axis; then the geoms of trees that are near. Pairs of which neither is awake are left out.
#include "torsor/contact/candidates.hpp"

#include <algorithm>
#include <cmath>

#include "torsor/contact/dispatch.hpp"
#include "torsor/contact/participants.hpp"
#include "torsor/dynamics/awake_walk.hpp"

namespace torsor {
namespace {

// Above this many trees, sorting is cheaper than comparing each with all, several at once.
constexpr int kSortFrom = 128;

constexpr uint64_t pack(int high, int low) { return static_cast<uint64_t>(high) << 32 | static_cast<uint32_t>(low); }

class Search {
 public:
  Search(const Model& model, Data& data)
      : model_(model),
        data_(data),
        kernels_(near_kernels()),
        has_lists_(model.nexclude > 0 || model.npair > 0),
        by_type_(!model.opt.disabled(kDisableMidPhase)),
        all_awake_(data.awake.all) {}

  CandidateList run() {
    Arena& arena = data_.arena();
    list_.complete = collect_participants(model_, data_, all_);
    if (!list_.complete) return list_;
    const size_t n = static_cast<size_t>(std::max(all_.moving.count, all_.fixed.count)) + kSpherePad;
    const bool sorted = all_.groups.count >= kSortFrom;
    if (sorted && !sort_groups(arena)) return list_;
    near_ = arena.push_array<int>(n);
    near_inside_ = near_ ? arena.push_array<int>(n) : nullptr;
    near_group_ = near_inside_ ? arena.push_array<int>(n) : nullptr;
    // The list grows at the end of the arena, where nothing else is pushed meanwhile.
    list_.items = arena.push_array<Candidate>(static_cast<size_t>(capacity_ = kFirstCapacity));
    list_.complete = near_group_ && list_.items;
    if (!list_.complete) return list_;
    add_predefined();
    meet_planes();
    sorted ? sweep() : meet_all();
    sort();
    return list_;
  }

 private:
  static constexpr int kFirstCapacity = 256;

  void add(Candidate candidate) {
    if (list_.count == capacity_) {
      const size_t bytes = sizeof(Candidate) * static_cast<size_t>(capacity_);
      void* items = data_.arena().extend(list_.items, bytes, bytes);
      if (!items) {
        list_.complete = false;
        return;
      }
      list_.items = static_cast<Candidate*>(items);
      capacity_ *= 2;
    }
    list_.items[list_.count++] = candidate;
  }

  // By the geoms in the order in which the contact names them, the smaller type first; without the mid phase, by body.
  void add_found(const ContactTag& a, const ContactTag& b) {
    if (!all_awake_ && !is_awake(data_, a.body) && !is_awake(data_, b.body)) return;
    if (!may_touch(a, b) || (has_lists_ && is_listed(model_, a, b))) return;
    const bool ascending = a.body < b.body;
    const ContactTag &first = ascending ? a : b, &second = ascending ? b : a;
    const bool swapped = first.type > second.type && by_type_;
    add({pack(first.body, second.body),
         Candidate::kFound | (swapped ? pack(second.geom, first.geom) : pack(first.geom, second.geom))});
  }

  void add_predefined() {
    for (int p = 0; p < model_.npair; ++p) {
      const int body1 = model_.geom_bodyid[model_.pair_geom1[p]], body2 = model_.geom_bodyid[model_.pair_geom2[p]];
      if (!all_awake_ && !is_awake(data_, body1) && !is_awake(data_, body2)) continue;
      add({pack(std::min(body1, body2), std::max(body1, body2)), static_cast<uint64_t>(p)});
    }
  }

  void meet_planes() {
    const Spheres& s = all_.moving;
    for (int k = 0; k < all_.plane_count; ++k) {
      const int plane = all_.planes[k].geom;
      const double *R = data_.geom_xmat.row(plane, 9), *p = data_.geom_xpos.row(plane, 3);
      const double nx = R[2], ny = R[5], nz = R[8], height = nx * p[0] + ny * p[1] + nz * p[2];
      const double level = height + detection_of(model_, plane) + 1e-12 * std::abs(height);  // never lost by rounding
      for (int j = 0; j < s.count; ++j)
        if (nx * s.x[j] + ny * s.y[j] + nz * s.z[j] - s.reach[j] <= level) add_found(all_.planes[k], s.tag[j]);
    }
  }

  // Which spheres of b from first to last are near sphere i of a, in `out`.
  int find_near(const SphereTable& a, int i, const SphereTable& b, int first, int last, int* out) const {
    int count = kernels_.near(a, i, b, first, last, out);
    while (count > 0 && out[count - 1] >= last) --count;
    return count;
  }

  // Spheres of one tree; what is fixed to one body lies side by side and never touches.
  void meet_inside(int g) {
    if (!all_.groups.is_awake(g)) return;
    const Spheres& s = all_.moving;
    const int end = all_.groups.end[g];
    for (int i = all_.groups.begin[g], other = i; i < end; ++i) {
      while (other < end && s.tag[other].weld == s.tag[i].weld) ++other;
      const int count = find_near(s, i, s, other, end, near_inside_);
      for (int k = 0; k < count; ++k) add_found(s.tag[i], s.tag[near_inside_[k]]);
    }
  }

  void meet_group(int g, int h) {
    const Spheres& s = all_.moving;
    const int *begin = all_.groups.begin, *end = all_.groups.end;
    if (end[g] - begin[g] == 1 && end[h] - begin[h] == 1) return add_found(s.tag[begin[g]], s.tag[begin[h]]);
    const int near_h = find_near(all_.groups, h, s, begin[g], end[g], near_group_);
    for (int n = 0; n < near_h; ++n) {
      const int i = near_group_[n], count = find_near(s, i, s, begin[h], end[h], near_inside_);
      for (int k = 0; k < count; ++k) add_found(s.tag[i], s.tag[near_inside_[k]]);
    }
  }

  void meet_groups(int g, int first, int last) {
    const int count = find_near(all_.groups, g, all_.groups, first, last, near_);
    for (int k = 0; k < count; ++k)
      if (all_.groups.is_awake(g) || all_.groups.is_awake(near_[k])) meet_group(g, near_[k]);
  }

  void meet_fixed(int g, int first, int last) {
    const Spheres &s = all_.moving, &fixed = all_.fixed;
    if (!all_.groups.is_awake(g) && !all_.has_movable_fixed) return;
    if (first == last || find_near(all_.groups, g, fixed, first, last, near_) == 0) return;
    for (int i = all_.groups.begin[g]; i < all_.groups.end[g]; ++i) {
      const int count = find_near(s, i, fixed, first, last, near_);
      for (int k = 0; k < count; ++k) add_found(s.tag[i], fixed.tag[near_[k]]);
    }
  }

  void meet_all() {
    for (int g = 0; g < all_.groups.count; ++g) {
      meet_inside(g);
      meet_groups(g, g + 1, all_.groups.count);
      meet_fixed(g, 0, all_.fixed.count);
    }
  }

  bool sort_groups(Arena& arena) {
    axis_ = find_longest_axis(all_.groups);
    list_.complete = sort_along_axis(arena, all_.groups, axis_) && sort_along_axis(arena, all_.fixed, axis_);
    return list_.complete;
  }

  // Each tree against those whose intervals along the axis start within its own; the widest fixed one tells how much
  // earlier a fixed interval that reaches it may have started.
  void sweep() {
    const Groups& groups = all_.groups;
    const Spheres& fixed = all_.fixed;
    const double* at = column(groups);
    double widest = 0;
    for (int j = 0; j < fixed.count; ++j) widest = std::max(widest, 2 * fixed.reach[j]);
    int begin = 0;
    for (int g = 0; g < groups.count; ++g) {
      const double low = at[g] - groups.reach[g], high = at[g] + groups.reach[g];
      meet_inside(g);
      meet_groups(g, g + 1, end_of(groups, g + 1, high));
      while (begin < fixed.count && column(fixed)[begin] - fixed.reach[begin] < low - widest) ++begin;
      meet_fixed(g, begin, end_of(fixed, begin, high));
    }
  }
  const double* column(const SphereTable& s) const { return axis_ == 0 ? s.x : axis_ == 1 ? s.y : s.z; }
  int end_of(const SphereTable& s, int first, double high) const {
    const double* center = column(s);
    int low = first, end = s.count;
    while (low < end) {
      const int middle = (low + end) / 2;
      if (center[middle] - s.reach[middle] <= high) {
        low = middle + 1;
      } else {
        end = middle;
      }
    }
    return low;
  }

  static bool comes_before(const Candidate& a, const Candidate& b) {
    return a.bodies != b.bodies ? a.bodies < b.bodies : a.geoms < b.geoms;
  }

  // Small lists are nearly sorted when they are found.
  void sort() {
    if (list_.count > 64) {
      std::sort(list_.items, list_.items + list_.count,
                [](const Candidate& a, const Candidate& b) { return comes_before(a, b); });
      return;
    }
    for (int i = 1; i < list_.count; ++i) {
      const Candidate candidate = list_.items[i];
      int place = i;
      for (; place > 0 && comes_before(candidate, list_.items[place - 1]); --place)
        list_.items[place] = list_.items[place - 1];
      list_.items[place] = candidate;
    }
  }

  const Model& model_;
  Data& data_;
  const NearKernels& kernels_;
  const bool has_lists_, by_type_, all_awake_;
  Participants all_;
  CandidateList list_;
  // what the kernel found: trees or fixed spheres, spheres of a tree, those near another tree
  int *near_ = nullptr, *near_inside_ = nullptr, *near_group_ = nullptr;
  int capacity_ = 0, axis_ = 0;
};

}  // namespace

CandidateList find_candidates(const Model& model, Data& data) { return Search(model, data).run(); }

}  // namespace torsor
