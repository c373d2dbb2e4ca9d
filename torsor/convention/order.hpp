// Orders of the bodies and joints of a tree, and checked permutations between two orders.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "torsor/convention/terms.hpp"

namespace torsor {

// A permutation as a gather: out[i] = in[map[i]]. Checked on construction, so that it never reads out of range.
//   const Permutation to_mujoco({0, 3, 1, 2});
//   to_mujoco.gather(isaac_values, mujoco_values);
class Permutation {
 public:
  Permutation() = default;
  // Throws an Error that lists entries that are out of range, duplicate or missing.
  explicit Permutation(std::vector<int> map);
  static Permutation identity(int size);

  int size() const { return static_cast<int>(map_.size()); }
  int operator[](int i) const { return map_[static_cast<size_t>(i)]; }
  const std::vector<int>& map() const { return map_; }
  bool operator==(const Permutation&) const = default;

  // The inverse permutation: its gather is the scatter of this one.
  Permutation inverse() const;
  // First this one, then the next: a.then(b) gathers in[a[b[i]]].
  Permutation then(const Permutation& next) const;

  // out[i] = in[map[i]], for any number of contiguous rows of size() values. Does not allocate. Throws if the lengths
  // do not fit, or if `in` and `out` share memory.
  template <class In, class Out>
  void gather(const In& in, Out&& out) const {
    transfer(in, out, [](auto& from, auto& to, size_t i, size_t j) { to[i] = from[j]; });
  }
  // out[map[i]] = in[i], the inverse.
  template <class In, class Out>
  void scatter(const In& in, Out&& out) const {
    transfer(in, out, [](auto& from, auto& to, size_t i, size_t j) { to[j] = from[i]; });
  }

 private:
  void check_rows(const void* in, const void* out, size_t in_count, size_t out_count, size_t value_bytes) const;

  template <class In, class Out, class Assign>
  void transfer(const In& in, Out& out, Assign assign) const {
    const std::span from(in);
    const std::span to(out);
    check_rows(from.data(), to.data(), from.size(), to.size(), sizeof(from[0]));
    for (size_t row = 0; row < from.size(); row += map_.size()) {
      const auto from_row = from.subspan(row, map_.size());
      const auto to_row = to.subspan(row, map_.size());
      for (size_t i = 0; i < map_.size(); ++i) assign(from_row, to_row, i, static_cast<size_t>(map_[i]));
    }
  }

  std::vector<int> map_;
};

// The gather from one list of names to another: source[map[i]] == target[i]. Throws an Error that lists names found on
// one side only, with the nearest name of the other, and duplicate names.
//   with source = hip, knee, foot and target = knee, foot, hip, the map is 1, 2, 0
Permutation match_names(std::span<const std::string> source, std::span<const std::string> target);

// Expands a permutation of blocks to one of numbers: block i of the source has widths[i] numbers. Ball joints, for
// example, have 3 dofs and 4 coordinates.
//   with blocks = 1, 0 and widths = 1, 3, the map is 1, 2, 3, 0
Permutation expand(const Permutation& blocks, std::span<const int> widths);

// Bodies in document order: names, and the index of each parent, -1 for a root. A parent may come later.
struct Tree {
  std::vector<std::string> names;  // "" for none, which is allowed unless an order needs names
  std::vector<int> parents;
  // Needed by some orders only: the bodies with a free joint, and the name of each body's first joint ("" for none).
  std::vector<int> floating{};
  std::vector<std::string> joints{};
};

// Joints in document order: names, and the body that each moves. A body may have several, or none.
struct TreeJoints {
  std::vector<std::string> names;
  std::vector<int> bodies;
};

// Document order.
struct DeclaredOrder {};

// A rule, or all names in the desired order.
using Order = std::variant<DeclaredOrder, JointOrder, std::vector<std::string>>;

// "declared", "depth_first", "breadth_first", "depth_first_by_name", "breadth_first_by_name",
// "depth_first_by_joint_name" or "depth_first_floating_last".
Order parse_order(std::string_view name);
// The names that parse_order() accepts.
std::vector<std::string> order_names();

// Indices of all bodies in an order. Depth first goes down each child's whole branch before the next child; breadth
// first lists all children of the roots, then all grandchildren. Siblings follow the document, or the alphabet (bytes
// of their names, or of the names of their first joints). Floating last lists floating bodies, with their descendants,
// after the others, those with more children first. Throws for a parent out of range, a loop, duplicate names, or names
// that do not match.
//   list_bodies({{"pelvis", "leg", "foot", "arm"}, {-1, 0, 1, 0}}, JointOrder::kBreadthFirst) is 0, 1, 3, 2
std::vector<int> list_bodies(const Tree& tree, const Order& order);

// Indices of all joints in an order: joints are in the order of the bodies that they move, those of one body in
// document order. Isaac Lab lists joints breadth first, MuJoCo depth first. A list of names is one of joints, not of
// bodies.
std::vector<int> list_joints(const Tree& tree, const TreeJoints& joints, const Order& order);

// Indices of actuators in the order of the joints that they drive; those of one joint keep their order. In the declared
// order, all keep their order. `driven` is the joint of each actuator.
std::vector<int> list_actuators(const Tree& tree, const TreeJoints& joints, std::span<const int> driven,
                                const Order& order);

// The gather from values in the order `source` to values in the order `target`; both list the same indices, each once.
//   const auto isaac_lab = list_joints(tree, joints, JointOrder::kBreadthFirst);
//   const auto mujoco = list_joints(tree, joints, JointOrder::kDepthFirst);
//   gather_between(isaac_lab, mujoco).gather(isaac_lab_values, mujoco_values);
Permutation gather_between(std::span<const int> source, std::span<const int> target);

}  // namespace torsor
