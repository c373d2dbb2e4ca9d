// Bounding spheres against each other. Those of few geoms, each with the ones that it may touch. Of many geoms first
// those of whole trees, all pairs of them or in large models a sweep along a sorted axis; then, in trees that are near,
// those of rigid groups of geoms, and of the geoms in them. Pairs of which neither is awake are left out.
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
    if (all_.masks) return run_with_masks(*all_.masks);
    const size_t n = static_cast<size_t>(std::max(all_.moving.count, all_.fixed.count)) + kSpherePad;
    const bool sorted = all_.trees.count >= kSortFrom;
    if (sorted && !sort_groups(arena)) return list_;
    for (int*& near : near_) near = arena.push_array<int>(n);
    begin_list();
    list_.complete = near_[kLevels - 1] && list_.items;
    if (!list_.complete) return list_;
    add_predefined();
    meet_planes();
    sorted ? sweep() : meet_all();
    sort();
    return list_;
  }

 private:
  static constexpr int kFirstCapacity = 256;

  // The list grows at the end of the arena, where nothing else is pushed meanwhile.
  void begin_list() {
    list_.items = data_.arena().push_array<Candidate>(static_cast<size_t>(capacity_ = kFirstCapacity));
  }

  // Few geoms, all of them awake: each is compared with those that it may touch.
  CandidateList run_with_masks(const TouchMasks& masks) {
    auto* pairs = data_.arena().push_array<SpherePair>(masks.most_pairs);
    if (pairs) begin_list();
    list_.complete = pairs && list_.items;
    if (!list_.complete) return list_;
    add_predefined();
    const Spheres &moving = all_.moving, &fixed = all_.fixed;
    for (int k = 0; k < all_.plane_count; ++k) {
      const PlaneLevel plane = level_of(all_.planes[k].geom);
      for (std::uint64_t left = masks.planes[static_cast<size_t>(k)]; left != 0; left &= left - 1) {
        const int j = __builtin_ctzll(left);
        if (plane.is_near(moving, j)) add_pair(all_.planes[k], moving.tag[j]);
      }
    }
    for (int k = 0, count = kernels_.near_wanted(moving, fixed, masks.fixed.data(), pairs); k < count; ++k)
      add_pair(moving.tag[pairs[k].first], fixed.tag[pairs[k].second]);
    for (int k = 0, count = kernels_.near_wanted(moving, moving, masks.moving.data(), pairs); k < count; ++k)
      add_pair(moving.tag[pairs[k].first], moving.tag[pairs[k].second]);
    sort();
    return list_;
  }

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

  void add_found(const ContactTag& a, const ContactTag& b) {
    if (!all_awake_ && !is_awake(data_, a.body) && !is_awake(data_, b.body)) return;
    if (may_touch(a, b) && !(has_lists_ && is_listed(model_, a, b))) add_pair(a, b);
  }

  // By the geoms in the order in which the contact names them, the smaller type first; without the mid phase, by body.
  void add_pair(const ContactTag& a, const ContactTag& b) {
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

  // Where spheres are near a plane.
  struct PlaneLevel {
    double nx, ny, nz, level;

    bool is_near(const SphereTable& table, int j) const {
      return nx * table.x[j] + ny * table.y[j] + nz * table.z[j] - table.reach[j] <= level;
    }
  };
  PlaneLevel level_of(int plane) const {
    const double *R = data_.geom_xmat.row(plane, 9), *p = data_.geom_xpos.row(plane, 3);
    const double height = R[2] * p[0] + R[5] * p[1] + R[8] * p[2];
    const double level = height + detection_of(model_, plane) + 1e-12 * std::abs(height);  // never lost by rounding
    return {R[2], R[5], R[8], level};
  }

  void meet_planes() {
    const Spheres& s = all_.moving;
    for (int k = 0; k < all_.plane_count; ++k) {
      const PlaneLevel plane = level_of(all_.planes[k].geom);
      for (int r = 0; r < all_.rigid.count; ++r) {
        if (!plane.is_near(all_.rigid, r)) continue;
        const bool has_one = all_.rigid.has_one(r);
        for (int j = all_.rigid.begin[r]; j < all_.rigid.end[r]; ++j)
          if (has_one || plane.is_near(s, j)) add_found(all_.planes[k], s.tag[j]);
      }
    }
  }

  // Which spheres of b from first to last are near sphere i of a, in `out`.
  int find_near(const SphereTable& a, int i, const SphereTable& b, int first, int last, int* out) const {
    int count = kernels_.near(a, i, b, first, last, out);
    while (count > 0 && out[count - 1] >= last) --count;
    return count;
  }

  // Geom i with the geoms of a rigid group.
  void meet_geom(int i, int group) {
    const Spheres& s = all_.moving;
    const int count = find_near(s, i, s, all_.rigid.begin[group], all_.rigid.end[group], near_[3]);
    for (int k = 0; k < count; ++k) add_found(s.tag[i], s.tag[near_[3][k]]);
  }

  // Geoms of two rigid groups that are near.
  void meet_rigid(int a, int b) {
    const Spheres& s = all_.moving;
    const int *begin = all_.rigid.begin, *end = all_.rigid.end;
    const bool has_one_a = all_.rigid.has_one(a), has_one_b = all_.rigid.has_one(b);
    if (has_one_a && has_one_b) return add_found(s.tag[begin[a]], s.tag[begin[b]]);
    if (!may_touch(all_.rigid_tag[a], all_.rigid_tag[b])) return;
    if (has_one_a) return meet_geom(begin[a], b);
    if (has_one_b) return meet_geom(begin[b], a);
    const int count = find_near(all_.rigid, b, s, begin[a], end[a], near_[2]);
    for (int n = 0; n < count; ++n) meet_geom(near_[2][n], b);
  }

  // Groups from first to last with group a.
  void meet_rigid_range(int a, int first, int last) {
    const int count = find_near(all_.rigid, a, all_.rigid, first, last, near_[1]);
    for (int k = 0; k < count; ++k) meet_rigid(a, near_[1][k]);
  }

  // What is fixed to one body lies side by side and never touches.
  void meet_inside(int tree) {
    if (!all_.trees.is_awake(tree)) return;
    const int begin = all_.trees.begin[tree], end = all_.trees.end[tree];
    for (int a = begin, other = begin; a < end; ++a) {
      while (other < end && all_.rigid_tag[other].weld == all_.rigid_tag[a].weld) ++other;
      meet_rigid_range(a, other, end);
    }
  }

  void meet_tree(int g, int h) {
    const int *begin = all_.trees.begin, *end = all_.trees.end;
    if (all_.trees.has_one(g) && all_.trees.has_one(h)) return meet_rigid(begin[g], begin[h]);
    const int near_h = find_near(all_.trees, h, all_.rigid, begin[g], end[g], near_[4]);
    for (int n = 0; n < near_h; ++n) meet_rigid_range(near_[4][n], begin[h], end[h]);
  }

  void meet_trees(int g, int first, int last) {
    const int count = find_near(all_.trees, g, all_.trees, first, last, near_[0]);
    for (int k = 0; k < count; ++k)
      if (all_.trees.is_awake(g) || all_.trees.is_awake(near_[0][k])) meet_tree(g, near_[0][k]);
  }

  void meet_fixed(int tree, int first, int last) {
    const Spheres &s = all_.moving, &fixed = all_.fixed;
    if (first == last || (!all_.trees.is_awake(tree) && !all_.has_movable_fixed)) return;
    if (!all_.trees.has_one(tree) && find_near(all_.trees, tree, fixed, first, last, near_[0]) == 0) return;
    for (int a = all_.trees.begin[tree]; a < all_.trees.end[tree]; ++a) {
      const int begin = all_.rigid.begin[a], end = all_.rigid.end[a];
      const int count = find_near(all_.rigid, a, fixed, first, last, near_[0]);
      for (int k = 0; k < count; ++k) {
        const int f = near_[0][k];
        if (all_.rigid.has_one(a)) {
          add_found(s.tag[begin], fixed.tag[f]);
          continue;
        }
        const int geoms = find_near(fixed, f, s, begin, end, near_[1]);
        for (int n = 0; n < geoms; ++n) add_found(s.tag[near_[1][n]], fixed.tag[f]);
      }
    }
  }

  void meet_all() {
    for (int g = 0; g < all_.trees.count; ++g) {
      meet_inside(g);
      meet_trees(g, g + 1, all_.trees.count);
      meet_fixed(g, 0, all_.fixed.count);
    }
  }

  bool sort_groups(Arena& arena) {
    axis_ = find_longest_axis(all_.trees);
    list_.complete = sort_along_axis(arena, all_.trees, axis_) && sort_along_axis(arena, all_.fixed, axis_);
    return list_.complete;
  }

  // Each tree against those whose intervals along the axis start within its own; the widest fixed one tells how much
  // earlier a fixed interval that reaches it may have started.
  void sweep() {
    const Groups& trees = all_.trees;
    const Spheres& fixed = all_.fixed;
    const double* at = column(trees);
    double widest = 0;
    for (int j = 0; j < fixed.count; ++j) widest = std::max(widest, 2 * fixed.reach[j]);
    int begin = 0;
    for (int g = 0; g < trees.count; ++g) {
      const double low = at[g] - trees.reach[g], high = at[g] + trees.reach[g];
      meet_inside(g);
      meet_trees(g, g + 1, end_of(trees, g + 1, high));
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

  struct ComesBefore {
    bool operator()(const Candidate& a, const Candidate& b) const {
      return a.bodies != b.bodies ? a.bodies < b.bodies : a.geoms < b.geoms;
    }
  };

  // In the order of the smaller or the larger body, others kept as they are; `place` has room for nbody + 1.
  static void sort_by_body(const Candidate* from, int count, int shift, int bodies, int* place, Candidate* to) {
    const auto body = [shift](const Candidate& candidate) {
      return static_cast<size_t>(candidate.bodies >> shift & 0xffffffff);
    };
    std::fill_n(place, bodies + 1, 0);
    for (int i = 0; i < count; ++i) ++place[body(from[i]) + 1];
    for (int b = 0; b < bodies; ++b) place[b + 1] += place[b];
    for (int i = 0; i < count; ++i) to[place[body(from[i])]++] = from[i];
  }

  static void sort_few(Candidate* items, int count) {
    for (int i = 1; i < count; ++i) {
      const Candidate candidate = items[i];
      int place = i;
      for (; place > 0 && ComesBefore()(candidate, items[place - 1]); --place) items[place] = items[place - 1];
      items[place] = candidate;
    }
  }

  // Small lists are nearly sorted when they are found. Long ones are put in the order of their bodies first, which
  // leaves little to do.
  void sort() {
    constexpr int kSmall = 64, kLong = 512, kFew = 16;
    if (list_.count <= kSmall) return sort_few(list_.items, list_.count);
    if (list_.count < kLong) return std::sort(list_.items, list_.items + list_.count, ComesBefore());
    int* place = data_.arena().push_array<int>(static_cast<size_t>(model_.nbody) + 1);
    auto* other = place ? data_.arena().push_array<Candidate>(static_cast<size_t>(list_.count)) : nullptr;
    list_.complete = list_.complete && other;
    if (!other) return;
    sort_by_body(list_.items, list_.count, 0, model_.nbody, place, other);
    sort_by_body(other, list_.count, 32, model_.nbody, place, list_.items);
    for (int begin = 0, end; begin < list_.count; begin = end) {
      for (end = begin + 1; end < list_.count && list_.items[end].bodies == list_.items[begin].bodies;) ++end;
      if (end - begin <= kFew)
        sort_few(list_.items + begin, end - begin);
      else
        std::sort(list_.items + begin, list_.items + end, ComesBefore());
    }
  }

  const Model& model_;
  Data& data_;
  const NearKernels& kernels_;
  const bool has_lists_, by_type_, all_awake_;
  Participants all_;
  CandidateList list_;
  // What the kernel found. By number: trees or fixed geoms; rigid groups, or geoms near a fixed one; geoms of a rigid
  // group near another; geoms near such a geom; rigid groups near another tree.
  static constexpr int kLevels = 5;
  int* near_[kLevels] = {};
  int capacity_ = 0, axis_ = 0;
};

}  // namespace

CandidateList find_candidates(const Model& model, Data& data) { return Search(model, data).run(); }

}  // namespace torsor
