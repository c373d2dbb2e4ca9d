// The trees that an equality connects.
#pragma once

#include "torsor/model/data.hpp"

namespace torsor {

struct EqualityTrees {
  int count = 0;
  int tree[4];   // -1: a static or mocap body
  int state[4];  // as in body_awake

  void add(int new_tree, int new_state) {
    tree[count] = new_tree;
    state[count++] = new_state;
  }
};
// Up to two, or four for tendons.
EqualityTrees find_equality_trees(const Model& model, const Data& data, int id);

}  // namespace torsor
