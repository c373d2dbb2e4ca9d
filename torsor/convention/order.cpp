// Orders of trees, and permutations.
#include "torsor/convention/order.hpp"

#include <algorithm>
#include <functional>
#include <numeric>
#include <unordered_map>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "torsor/core/error.hpp"

namespace torsor {
namespace {

using Names = std::span<const std::string>;

struct NamedOrder {
  const char* name;
  JointOrder rule;
};
constexpr NamedOrder kRules[] = {
    {"depth_first", JointOrder::kDepthFirst},
    {"breadth_first", JointOrder::kBreadthFirst},
    {"depth_first_by_name", JointOrder::kDepthFirstByName},
    {"breadth_first_by_name", JointOrder::kBreadthFirstByName},
    {"depth_first_by_joint_name", JointOrder::kDepthFirstByJointName},
    {"depth_first_floating_last", JointOrder::kDepthFirstFloatingLast},
};

size_t index(int i) { return static_cast<size_t>(i); }

std::vector<int> count_up(size_t size) {
  std::vector<int> result(size);
  std::iota(result.begin(), result.end(), 0);
  return result;
}

// {name: index}; names must differ, and "" counts as none.
std::unordered_map<std::string_view, int> index_by_name(Names names, const char* what) {
  std::unordered_map<std::string_view, int> found;
  std::vector<std::string> twice;
  for (size_t i = 0; i < names.size(); ++i) {
    if (!names[i].empty() && !found.emplace(names[i], static_cast<int>(i)).second) twice.push_back(names[i]);
  }
  if (!twice.empty()) throw Error(fmt::format("{}: duplicate names: {}", what, fmt::join(twice, ", ")));
  return found;
}

void check_all_named(Names names, const char* what) {
  for (size_t i = 0; i < names.size(); ++i) {
    if (names[i].empty()) throw Error(fmt::format("{} {} has no name, and this order needs one", what, i));
  }
}

// "only in the source: hipp (nearest: hip), toe"
std::string describe_leftovers(const char* side, const std::vector<std::string>& names, Names others) {
  if (names.empty()) return "";
  const std::vector<std::string> candidates(others.begin(), others.end());
  std::vector<std::string> parts;
  for (const std::string& name : names) {
    const std::string nearest = find_nearest(name, candidates);
    parts.push_back(nearest.empty() ? name : fmt::format("{} (nearest: {})", name, nearest));
  }
  return fmt::format("; only in the {}: {}", side, fmt::join(parts, ", "));
}

std::vector<std::string> names_without(Names names, const std::unordered_map<std::string_view, int>& others) {
  std::vector<std::string> left;
  for (const std::string& name : names) {
    if (!others.contains(name)) left.push_back(name);
  }
  return left;
}

// Children of every body, and last those of no body.
using Children = std::vector<std::vector<int>>;

Children list_children(const Tree& tree) {
  const size_t count = tree.names.size();
  Children children(count + 1);
  for (size_t b = 0; b < count; ++b) {
    const int parent = tree.parents[b];
    if (parent < -1 || parent >= static_cast<int>(count))
      throw Error(fmt::format("body {} has the parent {}, but there are {} bodies", b, parent, count));
    children[parent < 0 ? count : index(parent)].push_back(static_cast<int>(b));
  }
  return children;
}

void sort_by_name(const Tree& tree, Children& children) {
  check_all_named(tree.names, "body");
  const auto before = [&](int a, int b) { return tree.names[index(a)] < tree.names[index(b)]; };
  for (auto& siblings : children) std::sort(siblings.begin(), siblings.end(), before);
}

std::vector<int> walk_breadth_first(const Children& children) {
  std::vector<int> listed = children.back();
  for (size_t next = 0; next < listed.size(); ++next) {
    const std::vector<int>& below = children[index(listed[next])];
    listed.insert(listed.end(), below.begin(), below.end());
  }
  return listed;
}

// Whether a body or any below it has a named joint.
std::vector<char> find_joint_carriers(const Tree& tree, const Children& children) {
  std::vector<char> carries(tree.names.size(), 0);
  const std::vector<int> listed = walk_breadth_first(children);
  for (auto body = listed.rbegin(); body != listed.rend(); ++body) {
    carries[index(*body)] = !tree.joints[index(*body)].empty();
    for (const int child : children[index(*body)]) carries[index(*body)] |= carries[index(child)];
  }
  return carries;
}

// Sorts siblings by the names of their joints. A body without a joint has no defined place, which matters only if it
// has joints further down; if it has none, it comes after its siblings.
void sort_by_joint_name(const Tree& tree, Children& children) {
  if (tree.joints.empty() && !tree.names.empty())
    throw Error("this order sorts siblings by the names of their joints, which the tree does not have");
  const std::vector<char> carries = find_joint_carriers(tree, children);
  for (auto& siblings : children) {
    const auto end = std::stable_partition(siblings.begin(), siblings.end(), [&](int b) { return carries[index(b)]; });
    if (end - siblings.begin() < 2) continue;
    for (auto body = siblings.begin(); body != end; ++body) {
      if (tree.joints[index(*body)].empty())
        throw Error(
            fmt::format("body '{}' has siblings but no named joint, and this order sorts siblings by the names "
                        "of their joints",
                        tree.names[index(*body)]));
    }
    std::sort(siblings.begin(), end, [&](int a, int b) { return tree.joints[index(a)] < tree.joints[index(b)]; });
  }
}

// Floating bodies become roots after all others, those with more children first.
void put_floating_last(const Tree& tree, Children& children) {
  std::vector<char> floats(tree.names.size(), 0);
  for (const int body : tree.floating) floats[index(body)] = 1;
  for (auto& siblings : children) std::erase_if(siblings, [&](int body) { return floats[index(body)]; });
  std::vector<int> last;
  for (size_t b = 0; b < floats.size(); ++b) {
    if (floats[b]) last.push_back(static_cast<int>(b));
  }
  const auto more = [&](int a, int b) { return children[index(a)].size() > children[index(b)].size(); };
  std::stable_sort(last.begin(), last.end(), more);
  children.back().insert(children.back().end(), last.begin(), last.end());
}

std::vector<int> walk_depth_first(const Children& children) {
  std::vector<int> listed, pending(children.back().rbegin(), children.back().rend());
  while (!pending.empty()) {
    const int body = pending.back();
    pending.pop_back();
    listed.push_back(body);
    pending.insert(pending.end(), children[index(body)].rbegin(), children[index(body)].rend());
  }
  return listed;
}

std::vector<int> walk(const Tree& tree, JointOrder rule) {
  const bool by_name = rule == JointOrder::kDepthFirstByName || rule == JointOrder::kBreadthFirstByName;
  const bool is_broad = rule == JointOrder::kBreadthFirst || rule == JointOrder::kBreadthFirstByName;
  Children children = list_children(tree);
  if (by_name) sort_by_name(tree, children);
  if (rule == JointOrder::kDepthFirstByJointName) sort_by_joint_name(tree, children);
  if (rule == JointOrder::kDepthFirstFloatingLast) put_floating_last(tree, children);
  std::vector<int> listed = is_broad ? walk_breadth_first(children) : walk_depth_first(children);
  if (listed.size() != tree.names.size()) {  // bodies of a loop have no root
    std::vector<int> lost = count_up(tree.names.size());
    std::sort(listed.begin(), listed.end());
    std::erase_if(lost, [&](int body) { return std::binary_search(listed.begin(), listed.end(), body); });
    throw Error(fmt::format("the parents form a loop; bodies without a root: {}", fmt::join(lost, ", ")));
  }
  return listed;
}

void check_floating(const Tree& tree) {
  for (const int body : tree.floating) {
    if (body < 0 || body >= static_cast<int>(tree.names.size()))
      throw Error(fmt::format("floating body {} does not exist: there are {} bodies", body, tree.names.size()));
  }
  if (!tree.joints.empty() && tree.joints.size() != tree.names.size())
    throw Error(fmt::format("a tree of {} bodies needs as many names of first joints, got {}", tree.names.size(),
                            tree.joints.size()));
}

void check_tree(const Tree& tree) {
  check_floating(tree);
  if (tree.names.size() != tree.parents.size())
    throw Error(fmt::format("a tree needs a parent for each name, got {} names and {} parents", tree.names.size(),
                            tree.parents.size()));
  index_by_name(tree.names, "bodies");
}

void check_joints(const Tree& tree, const TreeJoints& joints) {
  if (joints.names.size() != joints.bodies.size())
    throw Error(fmt::format("joints need a body for each name, got {} names and {} bodies", joints.names.size(),
                            joints.bodies.size()));
  for (size_t j = 0; j < joints.bodies.size(); ++j) {
    if (joints.bodies[j] < 0 || joints.bodies[j] >= static_cast<int>(tree.names.size()))
      throw Error(
          fmt::format("joint {} moves body {}, but there are {} bodies", j, joints.bodies[j], tree.names.size()));
  }
  index_by_name(joints.names, "joints");
}

// The tree with the names of each body's first joint, if it does not have them.
Tree with_joints(const Tree& tree, const TreeJoints& joints) {
  Tree result = tree;
  if (!tree.joints.empty()) return result;
  result.joints.resize(tree.names.size());
  for (size_t j = joints.names.size(); j-- > 0;) result.joints[index(joints.bodies[j])] = joints.names[j];
  return result;
}

void check_specified(const Order& order) {
  if (const auto* rule = std::get_if<JointOrder>(&order); rule && *rule == JointOrder::kUnspecified)
    throw Error("the order is unspecified");
}

}  // namespace

Permutation::Permutation(std::vector<int> map) : map_(std::move(map)) {
  const int count = size();
  std::vector<int> outside, twice, missing, seen(map_.size(), 0);
  for (const int i : map_) {
    if (i < 0 || i >= count) {
      outside.push_back(i);
    } else if (++seen[index(i)] == 2) {
      twice.push_back(i);
    }
  }
  for (int i = 0; i < count; ++i) {
    if (seen[index(i)] == 0) missing.push_back(i);
  }
  if (missing.empty()) return;
  std::string text = fmt::format("not a permutation of 0 to {}", count - 1);
  if (!outside.empty()) text += fmt::format("; out of range: {}", fmt::join(outside, ", "));
  if (!twice.empty()) text += fmt::format("; more than once: {}", fmt::join(twice, ", "));
  throw Error(fmt::format("{}; missing: {}", text, fmt::join(missing, ", ")));
}

Permutation Permutation::identity(int size) {
  if (size < 0) throw Error(fmt::format("a permutation of {} values cannot be", size));
  return Permutation(count_up(index(size)));
}

Permutation Permutation::inverse() const {
  Permutation result;
  result.map_.resize(map_.size());
  for (int i = 0; i < size(); ++i) result.map_[index((*this)[i])] = i;
  return result;
}

Permutation Permutation::then(const Permutation& next) const {
  if (next.size() != size())
    throw Error(fmt::format("permutations of {} and of {} values cannot be composed", size(), next.size()));
  Permutation result;
  result.map_.reserve(map_.size());
  for (const int i : next.map_) result.map_.push_back((*this)[i]);
  return result;
}

void Permutation::check_rows(const void* in, const void* out, size_t in_count, size_t out_count,
                             size_t value_bytes) const {
  if (in_count != out_count)
    throw Error(
        fmt::format("input and output of a permutation must have the same size, got {} and {}", out_count, in_count));
  if (map_.empty() ? in_count != 0 : in_count % map_.size() != 0)
    throw Error(
        fmt::format("a permutation of {} values needs whole rows of that size, got {} values", size(), in_count));
  const std::less<const char*> before;  // a total order over unrelated pointers too
  const auto *first = static_cast<const char*>(in), *other = static_cast<const char*>(out);
  const size_t bytes = in_count * value_bytes;
  if (bytes > 0 && before(first, other + bytes) && before(other, first + bytes))
    throw Error("a permutation cannot be applied in place: `in` and `out` share memory");
}

Permutation match_names(Names source, Names target) {
  check_all_named(source, "name of the source");
  check_all_named(target, "name of the target");
  const auto in_source = index_by_name(source, "source"), in_target = index_by_name(target, "target");
  const std::vector<std::string> source_only = names_without(source, in_target),
                                 target_only = names_without(target, in_source);
  if (!source_only.empty() || !target_only.empty())
    throw Error("the names do not match" + describe_leftovers("source", source_only, target) +
                describe_leftovers("target", target_only, source));
  std::vector<int> map;
  map.reserve(target.size());
  for (const std::string& name : target) map.push_back(in_source.at(name));
  return Permutation(std::move(map));
}

Permutation expand(const Permutation& blocks, std::span<const int> widths) {
  if (widths.size() != index(blocks.size()))
    throw Error(fmt::format("a permutation of {} blocks needs as many widths, got {}", blocks.size(), widths.size()));
  std::vector<int> starts, map;
  int total = 0;
  for (const int width : widths) {
    if (width < 0) throw Error(fmt::format("a block cannot be {} wide", width));
    starts.push_back(total);
    total += width;
  }
  map.reserve(index(total));
  for (const int block : blocks.map()) {
    for (int k = 0; k < widths[index(block)]; ++k) map.push_back(starts[index(block)] + k);
  }
  return Permutation(std::move(map));
}

std::vector<std::string> order_names() {
  std::vector<std::string> names{"declared"};
  for (const NamedOrder& row : kRules) names.emplace_back(row.name);
  return names;
}

Order parse_order(std::string_view name) {
  if (name == "declared") return DeclaredOrder{};
  for (const NamedOrder& row : kRules) {
    if (row.name == name) return row.rule;
  }
  const std::vector<std::string> known = order_names();
  const std::string nearest = find_nearest(std::string(name), known);
  throw Error(fmt::format("unknown order '{}'{}; known: {}, or a list of names", name,
                          nearest.empty() ? "" : fmt::format(" (did you mean '{}'?)", nearest),
                          fmt::join(known, ", ")));
}

std::vector<int> list_bodies(const Tree& tree, const Order& order) {
  check_tree(tree);
  check_specified(order);
  if (const auto* names = std::get_if<std::vector<std::string>>(&order)) return match_names(tree.names, *names).map();
  if (const auto* rule = std::get_if<JointOrder>(&order)) return walk(tree, *rule);
  return count_up(tree.names.size());
}

std::vector<int> list_joints(const Tree& tree, const TreeJoints& joints, const Order& order) {
  check_tree(tree);
  check_joints(tree, joints);
  check_specified(order);
  if (const auto* names = std::get_if<std::vector<std::string>>(&order)) return match_names(joints.names, *names).map();
  std::vector<int> listed = count_up(joints.names.size());
  if (const auto* rule = std::get_if<JointOrder>(&order)) {
    const Permutation rank = Permutation(walk(with_joints(tree, joints), *rule)).inverse();  // of each body
    std::stable_sort(listed.begin(), listed.end(),
                     [&](int a, int b) { return rank[joints.bodies[index(a)]] < rank[joints.bodies[index(b)]]; });
  }
  return listed;
}

std::vector<int> list_actuators(const Tree& tree, const TreeJoints& joints, std::span<const int> driven,
                                const Order& order) {
  const int joint_count = static_cast<int>(joints.names.size());
  for (size_t a = 0; a < driven.size(); ++a) {
    if (driven[a] < 0 || driven[a] >= joint_count)
      throw Error(fmt::format("actuator {} drives joint {}, but there are {} joints", a, driven[a], joint_count));
  }
  const Permutation rank = Permutation(list_joints(tree, joints, order)).inverse();  // of each joint
  std::vector<int> listed = count_up(driven.size());
  if (std::holds_alternative<DeclaredOrder>(order)) return listed;
  std::stable_sort(listed.begin(), listed.end(),
                   [&](int a, int b) { return rank[driven[index(a)]] < rank[driven[index(b)]]; });
  return listed;
}

Permutation gather_between(std::span<const int> source, std::span<const int> target) {
  std::unordered_map<int, int> place;
  for (size_t i = 0; i < source.size(); ++i) place.emplace(source[i], static_cast<int>(i));
  std::vector<int> map, unknown;
  for (const int i : target) {
    const auto found = place.find(i);
    if (found == place.end()) {
      unknown.push_back(i);
    } else {
      map.push_back(found->second);
    }
  }
  if (source.size() != target.size() || !unknown.empty())
    throw Error(fmt::format("two orders must list the same, got {} and {} indices; not in the source: [{}]",
                            source.size(), target.size(), fmt::join(unknown, ", ")));
  return Permutation(std::move(map));
}

}  // namespace torsor
