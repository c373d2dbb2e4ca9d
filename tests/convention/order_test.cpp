// Orders of trees by hand-worked trees, permutations by their laws, and what bad input is told.
#include "torsor/convention/order.hpp"

#include <gtest/gtest.h>

#include <array>
#include <functional>
#include <numeric>

#include "../support/property.hpp"
#include "torsor/core/error.hpp"

namespace torsor {
namespace {

using Ints = std::vector<int>;
using Strings = std::vector<std::string>;

void expect_error(const std::function<void()>& call, const std::string& text) {
  try {
    call();
    ADD_FAILURE() << "no error, expected: " << text;
  } catch (const Error& error) {
    EXPECT_EQ(error.what(), text);
  }
}

// Siblings stand against the alphabet, so that the rules differ:
//   pelvis: right_leg (right_knee), left_leg (left_knee), chest (right_arm, left_arm)
const Tree kFigure{{"pelvis", "right_leg", "right_knee", "left_leg", "left_knee", "chest", "right_arm", "left_arm"},
                   {-1, 0, 1, 0, 3, 0, 5, 5}};
constexpr int kPelvis = 0, kRightLeg = 1, kRightKnee = 2, kLeftLeg = 3, kLeftKnee = 4, kChest = 5, kRightArm = 6,
              kLeftArm = 7;

TEST(Order, DepthFirstFollowsEachBranchToItsEnd) {
  EXPECT_EQ(list_bodies(kFigure, JointOrder::kDepthFirst),
            (Ints{kPelvis, kRightLeg, kRightKnee, kLeftLeg, kLeftKnee, kChest, kRightArm, kLeftArm}));
  EXPECT_EQ(list_bodies(kFigure, JointOrder::kDepthFirstByName),
            (Ints{kPelvis, kChest, kLeftArm, kRightArm, kLeftLeg, kLeftKnee, kRightLeg, kRightKnee}));
}

TEST(Order, BreadthFirstGoesLevelByLevel) {
  EXPECT_EQ(list_bodies(kFigure, JointOrder::kBreadthFirst),
            (Ints{kPelvis, kRightLeg, kLeftLeg, kChest, kRightKnee, kLeftKnee, kRightArm, kLeftArm}));
  EXPECT_EQ(list_bodies(kFigure, JointOrder::kBreadthFirstByName),
            (Ints{kPelvis, kChest, kLeftLeg, kRightLeg, kLeftArm, kRightArm, kLeftKnee, kRightKnee}));
}

TEST(Order, FloatingTreesComeLastAndThoseWithMoreChildrenFirst) {
  // world: cup (floats), arm (hand), dog (floats; head), cat (floats; head, tail), shelf
  const Tree room{{"world", "cup", "arm", "hand", "dog", "dog_head", "cat", "cat_head", "cat_tail", "shelf"},
                  {-1, 0, 0, 2, 0, 4, 0, 6, 6, 0},
                  {1, 4, 6}};
  EXPECT_EQ(list_bodies(room, JointOrder::kDepthFirstFloatingLast), (Ints{0, 2, 3, 9, 6, 7, 8, 4, 5, 1}));
  expect_error(
      [] {
        list_bodies({{"a"}, {-1}, {3}}, JointOrder::kDepthFirst);
      },
      "floating body 3 does not exist: there are 1 bodies");
}

TEST(Order, SiblingsSortedByJointNeedNoNameWhereNothingBelowThemMoves) {
  // world: a (joint z; c without joint below), shelf (no joint), b (joint y)
  Tree tree{{"world", "a", "c", "shelf", "b"}, {-1, 0, 1, 0, 0}, {}, {"", "z", "", "", "y"}};
  EXPECT_EQ(list_bodies(tree, JointOrder::kDepthFirstByJointName), (Ints{0, 4, 1, 2, 3}));
  tree.names.push_back("drawer"), tree.parents.push_back(3), tree.joints.push_back("x");
  expect_error(
      [&] { list_bodies(tree, JointOrder::kDepthFirstByJointName); },
      "body 'shelf' has siblings but no named joint, and this order sorts siblings by the names of their joints");
}

TEST(Order, DeclaredIsTheOrderOfTheDocument) {
  const Tree shuffled{{"hand", "arm", "shoulder"}, {1, 2, -1}};  // parents come later
  EXPECT_EQ(list_bodies(shuffled, DeclaredOrder{}), (Ints{0, 1, 2}));
  EXPECT_EQ(list_bodies(shuffled, JointOrder::kDepthFirst), (Ints{2, 1, 0}));
  EXPECT_EQ(list_bodies(shuffled, JointOrder::kBreadthFirst), (Ints{2, 1, 0}));
}

TEST(Order, AListOfNamesIsTakenAsItIs) {
  EXPECT_EQ(list_bodies({{"a", "b", "c"}, {-1, 0, 1}}, Strings{"c", "a", "b"}), (Ints{2, 0, 1}));
}

TEST(Order, SeveralRootsAreSiblings) {
  const Tree two{{"b", "b1", "a", "a1"}, {-1, 0, -1, 2}};
  EXPECT_EQ(list_bodies(two, JointOrder::kBreadthFirst), (Ints{0, 2, 1, 3}));
  EXPECT_EQ(list_bodies(two, JointOrder::kDepthFirstByName), (Ints{2, 3, 0, 1}));
  EXPECT_EQ(list_bodies({}, JointOrder::kBreadthFirst), Ints{});
}

TEST(Order, JointsComeAsTheBodiesThatTheyMove) {
  // the pelvis has none, the right leg three in a chain, the arms one each; the chest's comes first in the document
  const TreeJoints joints{{"chest", "leg_x", "leg_y", "leg_z", "right_arm", "left_arm"},
                          {kChest, kRightLeg, kRightLeg, kRightLeg, kRightArm, kLeftArm}};
  EXPECT_EQ(list_joints(kFigure, joints, JointOrder::kDepthFirst), (Ints{1, 2, 3, 0, 4, 5}));
  EXPECT_EQ(list_joints(kFigure, joints, JointOrder::kBreadthFirstByName), (Ints{0, 1, 2, 3, 5, 4}));
  EXPECT_EQ(list_joints(kFigure, joints, DeclaredOrder{}), (Ints{0, 1, 2, 3, 4, 5}));
  EXPECT_EQ(list_joints(kFigure, joints, Strings{"leg_z", "chest", "leg_x", "left_arm", "leg_y", "right_arm"}),
            (Ints{3, 0, 1, 5, 2, 4}));
}

TEST(Order, ActuatorsComeAsTheJointsThatTheyDrive) {
  const Tree chain{{"a", "b", "c"}, {-1, 0, 0}};
  const TreeJoints joints{{"ja", "jb", "jc"}, {0, 1, 2}};
  const Ints driven{2, 0, 2, 1};  // two on the same joint keep their order
  EXPECT_EQ(list_actuators(chain, joints, driven, JointOrder::kDepthFirst), (Ints{1, 3, 0, 2}));
  EXPECT_EQ(list_actuators(chain, joints, driven, Strings{"jc", "jb", "ja"}), (Ints{0, 2, 3, 1}));
  EXPECT_EQ(list_actuators(chain, joints, driven, DeclaredOrder{}), (Ints{0, 1, 2, 3}));
  EXPECT_EQ(list_actuators(chain, joints, Ints{}, JointOrder::kDepthFirst), Ints{});
  expect_error(
      [&] {
        list_actuators(chain, joints, Ints{0, 3}, JointOrder::kDepthFirst);
      },
      "actuator 1 drives joint 3, but there are 3 joints");
}

TEST(Order, RulesHaveNames) {
  EXPECT_EQ(std::get<JointOrder>(parse_order("depth_first")), JointOrder::kDepthFirst);
  EXPECT_EQ(std::get<JointOrder>(parse_order("breadth_first")), JointOrder::kBreadthFirst);
  EXPECT_EQ(std::get<JointOrder>(parse_order("depth_first_by_name")), JointOrder::kDepthFirstByName);
  EXPECT_EQ(std::get<JointOrder>(parse_order("breadth_first_by_name")), JointOrder::kBreadthFirstByName);
  EXPECT_TRUE(std::holds_alternative<DeclaredOrder>(parse_order("declared")));
  expect_error([] { parse_order("breath_first"); },
               "unknown order 'breath_first' (did you mean 'breadth_first'?); known: declared, depth_first, "
               "breadth_first, depth_first_by_name, breadth_first_by_name, "
               "depth_first_by_joint_name, depth_first_floating_last, or a list of names");
}

// legs 6 + 6, waist 3, and on its last link arms 7 + 7: the gather that Isaac Lab's users of a Unitree G1 know
TEST(Order, TheGatherOfAHumanoidWith29JointsIsTheKnownOne) {
  Tree tree{{"pelvis"}, {-1}};
  TreeJoints joints;
  const auto add_chain = [&](const std::string& name, int length, int parent) {
    for (int i = 0; i < length; ++i) {
      const int body = static_cast<int>(tree.names.size());
      tree.names.push_back(name + std::to_string(i));
      tree.parents.push_back(i == 0 ? parent : body - 1);
      joints.names.push_back(tree.names.back());
      joints.bodies.push_back(body);
    }
    return static_cast<int>(tree.names.size()) - 1;
  };
  add_chain("left_leg", 6, 0);
  add_chain("right_leg", 6, 0);
  const int torso = add_chain("waist", 3, 0);
  add_chain("left_arm", 7, torso);
  add_chain("right_arm", 7, torso);
  const Permutation to_mujoco = gather_between(list_joints(tree, joints, JointOrder::kBreadthFirst),
                                               list_joints(tree, joints, JointOrder::kDepthFirst));
  EXPECT_EQ(to_mujoco.map(), (Ints{0,  3,  6,  9,  13, 17, 1,  4,  7,  10, 14, 18, 2,  5, 8,
                                   11, 15, 19, 21, 23, 25, 27, 12, 16, 20, 22, 24, 26, 28}));
}

TEST(Order, BadTreesAreErrors) {
  expect_error(
      [] {
        list_bodies({{"a", "b"}, {-1, 7}}, JointOrder::kDepthFirst);
      },
      "body 1 has the parent 7, but there are 2 bodies");
  expect_error(
      [] {
        list_bodies({{"a", "b"}, {-1, -2}}, JointOrder::kDepthFirst);
      },
      "body 1 has the parent -2, but there are 2 bodies");
  for (const JointOrder rule : {JointOrder::kDepthFirst, JointOrder::kBreadthFirst})
    expect_error(
        [&] {
          list_bodies({{"a", "b", "c", "d"}, {-1, 2, 1, 3}}, rule);
        },
        "the parents form a loop; bodies without a root: 1, 2, 3");
  expect_error(
      [] {
        list_bodies({{"a", "b"}, {-1}}, DeclaredOrder{});
      },
      "a tree needs a parent for each name, got 2 names and 1 parents");
  expect_error([] { list_bodies({{"a", "a"}, {-1, 0}}, DeclaredOrder{}); }, "bodies: duplicate names: a");
  expect_error(
      [] {
        list_bodies({{"a", ""}, {-1, 0}}, JointOrder::kDepthFirstByName);
      },
      "body 1 has no name, and this order needs one");
  expect_error([] { list_bodies({{"a"}, {-1}}, JointOrder::kUnspecified); }, "the order is unspecified");
  expect_error(
      [] {
        list_joints({{"a"}, {-1}}, {{"j"}, {1}}, DeclaredOrder{});
      },
      "joint 0 moves body 1, but there are 1 bodies");
  expect_error([] { list_joints({{"a"}, {-1}}, {{"j", "j"}, {0, 0}}, DeclaredOrder{}); }, "joints: duplicate names: j");
  expect_error(
      [] {
        list_joints({{"a"}, {-1}}, {{"j", "k"}, {0}}, DeclaredOrder{});
      },
      "joints need a body for each name, got 2 names and 1 bodies");
  EXPECT_EQ(list_bodies({{"", ""}, {-1, 0}}, JointOrder::kDepthFirst), (Ints{0, 1}));  // rules that need no names
}

TEST(Order, NamesThatDoNotMatchAreListedWithTheNearest) {
  const Strings source{"left_hip", "left_knee", "neck"}, target{"left_knee", "left_hipp", "tail"};
  expect_error([&] { match_names(source, target); },
               "the names do not match; only in the source: left_hip (nearest: left_hipp), neck; only in the target: "
               "left_hipp (nearest: left_hip), tail");
  expect_error(
      [&] {
        match_names(source, Strings{"neck", "left_hip"});
      },
      "the names do not match; only in the source: left_knee");
  expect_error([&] { match_names(Strings{"a", "b", "b"}, Strings{"a", "b"}); }, "source: duplicate names: b");
  expect_error([&] { match_names(Strings{"a", "b"}, Strings{"a", "a"}); }, "target: duplicate names: a");
  EXPECT_EQ(match_names(Strings{"hip", "knee", "foot"}, Strings{"knee", "foot", "hip"}).map(), (Ints{1, 2, 0}));
}

Permutation random_permutation(Random& random, int size) {
  Ints map(static_cast<size_t>(size));
  std::iota(map.begin(), map.end(), 0);
  for (int i = size - 1; i > 0; --i) std::swap(map[size_t(i)], map[size_t(random.integer(0, i))]);
  return Permutation(map);
}

TEST(Permutation, GatherTakesAndScatterPuts) {
  const Permutation p({2, 0, 1});
  const std::vector<double> in{10, 20, 30};
  std::vector<double> out(3);
  p.gather(in, out);
  EXPECT_EQ(out, (std::vector<double>{30, 10, 20}));
  p.scatter(in, out);
  EXPECT_EQ(out, (std::vector<double>{20, 30, 10}));
}

TEST(Permutation, RowsOfABatchAreTakenOneByOne) {
  const Permutation p({2, 0, 1});
  const std::array<int, 6> in{1, 2, 3, 4, 5, 6};
  std::array<int, 6> out{};
  p.gather(in, out);
  EXPECT_EQ(out, (std::array<int, 6>{3, 1, 2, 6, 4, 5}));
  p.scatter(in, out);
  EXPECT_EQ(out, (std::array<int, 6>{2, 3, 1, 5, 6, 4}));
  p.gather(std::span<const int>(), std::span<int>());  // no rows
  Permutation().gather(std::span<const int>(), std::span<int>());
}

TEST(Permutation, LawsOfAGroup) {
  for_all(500, [](Random& random) {
    const int n = random.integer(0, 12);
    const Permutation a = random_permutation(random, n), b = random_permutation(random, n);
    EXPECT_EQ(a.then(a.inverse()), Permutation::identity(n));
    EXPECT_EQ(a.inverse().then(a), Permutation::identity(n));
    EXPECT_EQ(a.then(b).inverse(), b.inverse().then(a.inverse()));
    const std::vector<double> in = random.numbers(3 * n);
    std::vector<double> first(in.size()), second(in.size()), direct(in.size());
    a.gather(in, first);
    b.gather(first, second);
    a.then(b).gather(in, direct);
    EXPECT_EQ(second, direct);
    a.scatter(first, second);
    EXPECT_EQ(second, in);
    a.inverse().gather(first, second);
    EXPECT_EQ(second, in);
  });
}

TEST(Permutation, BlocksOfNumbersMoveTogether) {
  EXPECT_EQ(expand(Permutation({1, 0}), Ints{1, 3}).map(), (Ints{1, 2, 3, 0}));
  EXPECT_EQ(expand(Permutation({2, 0, 1}), Ints{4, 0, 1}).map(), (Ints{4, 0, 1, 2, 3}));
  expect_error([] { expand(Permutation({1, 0}), Ints{1}); }, "a permutation of 2 blocks needs as many widths, got 1");
  expect_error([] { expand(Permutation({1, 0}), Ints{1, -3}); }, "a block cannot be -3 wide");
}

TEST(Permutation, WhatIsNoneIsAnErrorThatSaysWhy) {
  expect_error(
      [] {
        Permutation({0, 1, 1, 7});
      },
      "not a permutation of 0 to 3; out of range: 7; more than once: 1; missing: 2, 3");
  expect_error([] { Permutation({-1, 0}); }, "not a permutation of 0 to 1; out of range: -1; missing: 1");
  expect_error([] { Permutation::identity(-1); }, "a permutation of -1 values cannot be");
  expect_error(
      [] {
        Permutation({1, 0}).then(Permutation({0}));
      },
      "permutations of 2 and of 1 values cannot be composed");
  expect_error(
      [] {
        gather_between(Ints{3, 4}, Ints{4, 5});
      },
      "two orders must list the same, got 2 and 2 indices; not in the source: [5]");
  expect_error(
      [] {
        gather_between(Ints{3, 4}, Ints{4});
      },
      "two orders must list the same, got 2 and 1 indices; not in the source: []");
}

TEST(Permutation, ArraysThatDoNotFitAreErrors) {
  const Permutation p({1, 0});
  std::vector<double> three(3), four(4), two(2);
  expect_error([&] { p.gather(three, three); },
               "a permutation of 2 values needs whole rows of that size, got 3 values");
  expect_error([&] { p.gather(four, two); }, "input and output of a permutation must have the same size, got 2 and 4");
  expect_error([&] { p.gather(four, four); }, "a permutation cannot be applied in place: `in` and `out` share memory");
  expect_error([&] { p.scatter(std::span(four).first(2), std::span(four).subspan(1, 2)); },
               "a permutation cannot be applied in place: `in` and `out` share memory");
  p.gather(std::span(four).first(2), std::span(four).last(2));  // neighbours are fine
  expect_error([&] { Permutation().gather(two, four); },
               "input and output of a permutation must have the same size, got 4 and 2");
}

}  // namespace
}  // namespace torsor
