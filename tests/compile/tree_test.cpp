// Numbering and sparsity: laws over random trees.
#include <algorithm>
#include <set>

#include "tests/compile/make_spec.hpp"

namespace torsor {
namespace {

std::set<int> ancestors(const Model& model, int dof) {
  std::set<int> result;
  for (int i = dof; i >= 0; i = model.dof_parentid[i]) result.insert(i);
  return result;
}

bool is_simple(const Model& model, int dof) { return model.dof_simplenum[dof] > 0; }

bool is_ancestor(const Model& model, int above, int body) {
  while (body > above) body = model.body_parentid[body];
  return body == above;
}

TEST(Tree, BodiesAreNumberedDepthFirst) {
  Spec spec;  // written breadth first
  const int left = add_body(spec, 0), right = add_body(spec, 0);
  add_body(spec, left);
  add_body(spec, right);
  const Model model = compile(spec);
  const std::vector<std::string> expected{"world", "body1", "body3", "body2", "body4"};
  for (int b = 0; b < model.nbody; ++b) EXPECT_EQ(model.name(ObjectType::kBody, b), expected[static_cast<size_t>(b)]);
}

TEST(Tree, ASubtreeIsARangeOfBodiesAndOfDofs) {
  for_all(50, [](Random& random) {
    const Model model = compile(make_random_tree(random, 12));
    for (int b = 1; b < model.nbody; ++b) {
      EXPECT_LT(model.body_parentid[b], b);
      for (int c = b + 1; c < model.nbody; ++c) {
        EXPECT_TRUE(!is_ancestor(model, b, c) || is_ancestor(model, b, c - 1));
      }
    }
    EXPECT_TRUE(std::is_sorted(model.dof_bodyid.begin(), model.dof_bodyid.end()));
  });
}

TEST(Tree, TreesCoverEveryDofOnce) {
  for_all(50, [](Random& random) {
    const Model model = compile(make_random_tree(random, 12));
    int next = 0;
    for (int t = 0; t < model.ntree; ++t) {
      EXPECT_EQ(model.tree_dofadr[t], next);
      next += model.tree_dofnum[t];
      for (int k = 0; k < model.tree_bodynum[t]; ++k) EXPECT_EQ(model.body_treeid[model.tree_bodyadr[t] + k], t);
    }
    EXPECT_EQ(next, model.nv);
    for (int i = 0; i < model.nv; ++i) EXPECT_EQ(model.dof_treeid[i], model.body_treeid[model.dof_bodyid[i]]);
  });
}

TEST(Tree, WeldedBodiesShareTheirTopmostBody) {
  Spec spec;
  const int moving = add_body(spec, 0), still = add_body(spec, 0), mocap = add_body(spec, 0);
  add_joint(spec, moving, JointType::kHinge);
  add_sphere(spec, moving);
  add_body(spec, moving);
  add_body(spec, still);
  body_of(spec, mocap).mocap = true;
  add_body(spec, mocap);
  const Model model = compile(spec);  // world, moving, its child, still, its child, mocap, its child
  const std::vector<int> welds(model.body_weldid.begin(), model.body_weldid.end());
  const std::vector<int> trees(model.body_treeid.begin(), model.body_treeid.end());
  EXPECT_EQ(welds, (std::vector<int>{0, 1, 1, 0, 0, 5, 5}));
  EXPECT_EQ(trees, (std::vector<int>{-1, 0, 0, -1, -1, -1, -1}));
  EXPECT_EQ(model.nmocap, 1);
}

TEST(Sparsity, RowsOfMAreAncestorsInAscendingOrderDiagonalLast) {
  for_all(100, [](Random& random) {
    const Model model = compile(make_random_tree(random, 12));
    for (int i = 0; i < model.nv; ++i) {
      const int* row = model.M_colind.row(model.M_rowadr[i], 1);
      const std::vector<int> columns(row, row + model.M_rownnz[i]);
      const std::set<int> above = is_simple(model, i) ? std::set<int>{i} : ancestors(model, i);
      EXPECT_EQ(columns, std::vector<int>(above.begin(), above.end()));
    }
  });
}

TEST(Sparsity, DIsTheSymmetricPattern) {
  for_all(50, [](Random& random) {
    const Model model = compile(make_random_tree(random, 10));
    for (int i = 0; i < model.nv; ++i) {
      std::vector<int> expected;
      for (int j = 0; j < model.nv; ++j) {
        if (ancestors(model, i).contains(j) || ancestors(model, j).contains(i)) expected.push_back(j);
      }
      const int* row = model.D_colind.row(model.D_rowadr[i], 1);
      EXPECT_EQ(std::vector<int>(row, row + model.D_rownnz[i]), expected);
      EXPECT_EQ(row[model.D_diag[i]], i);
    }
  });
}

TEST(Sparsity, BHoldsTheDofsAboveAndBelowABody) {
  for_all(50, [](Random& random) {
    const Model model = compile(make_random_tree(random, 10));
    for (int b = 0; b < model.nbody; ++b) {
      std::vector<int> expected;
      for (int i = 0; i < model.nv; ++i) {
        const int mover = model.dof_bodyid[i];
        if (is_ancestor(model, mover, b) || is_ancestor(model, b, mover)) expected.push_back(i);
      }
      const int* row = model.B_colind.row(model.B_rowadr[b], 1);
      EXPECT_EQ(std::vector<int>(row, row + model.B_rownnz[b]), expected);
    }
  });
}

TEST(Sparsity, MapsLeadToTheSameRowAndColumn) {
  for_all(50, [](Random& random) {
    const Model model = compile(make_random_tree(random, 12));
    std::vector<int> row_of_M(static_cast<size_t>(model.nC));
    for (int i = 0; i < model.nv; ++i) {
      for (int k = 0; k < model.M_rownnz[i]; ++k) row_of_M[static_cast<size_t>(model.M_rowadr[i] + k)] = i;
    }
    for (int i = 0; i < model.nv; ++i) {
      for (int k = 0; k < model.D_rownnz[i]; ++k) {
        const int place = model.mapM2D[model.D_rowadr[i] + k], j = model.D_colind[model.D_rowadr[i] + k];
        if (place < 0) {
          EXPECT_TRUE(i != j && is_simple(model, std::max(i, j)));
          continue;
        }
        ASSERT_LT(place, model.nC);
        EXPECT_EQ(row_of_M[static_cast<size_t>(place)], std::max(i, j));
        EXPECT_EQ(model.M_colind[place], std::min(i, j));
        EXPECT_TRUE(j > i || model.mapD2M[place] == model.D_rowadr[i] + k);
      }
    }
  });
}

TEST(Sparsity, TheOlderLayoutHoldsADofAndThenItsAncestors) {
  for_all(50, [](Random& random) {
    const Model model = compile(make_random_tree(random, 12));
    int next = 0;
    for (int i = 0; i < model.nv; ++i) {
      EXPECT_EQ(model.dof_Madr[i], next);
      const std::set<int> above = ancestors(model, i);
      next += static_cast<int>(above.size());
      for (int k = 0; k < model.M_rownnz[i]; ++k) {
        const int column = model.M_colind[model.M_rowadr[i] + k];
        const auto steps = std::distance(above.find(column), above.end()) - 1;
        EXPECT_EQ(model.mapM2M[model.M_rowadr[i] + k], model.dof_Madr[i] + steps);
      }
    }
    EXPECT_EQ(next, model.nM);
  });
}

// One body with the given joints and a box at its origin.
Model make_single(const std::vector<std::pair<JointType, Number3>>& joints, Number3 joint_pos = {0, 0, 0}) {
  Spec spec;
  const int b = add_body(spec, 0, {1, 2, 3});
  for (const auto& [type, axis] : joints) add_joint(spec, b, type, axis).pos = joint_pos;
  add_geom(spec, b, GeomType::kBox, {0.1, 0.2, 0.3}, 1);
  return compile(spec);
}

TEST(SimpleBodies, MoveAlongPrincipalAxes) {
  const Number3 x{1, 0, 0}, z{0, 0, 1}, oblique{1, 1, 0};
  EXPECT_EQ(make_single({{JointType::kFree, z}}).body_simple[1], 1);
  EXPECT_EQ(make_single({{JointType::kBall, z}}).body_simple[1], 1);
  EXPECT_EQ(make_single({{JointType::kHinge, z}}).body_simple[1], 1);
  EXPECT_EQ(make_single({{JointType::kSlide, x}, {JointType::kHinge, z}}).body_simple[1], 1);
  EXPECT_EQ(make_single({{JointType::kSlide, x}, {JointType::kSlide, z}}).body_simple[1], 2);
  EXPECT_EQ(make_single({{JointType::kHinge, z}, {JointType::kSlide, x}}).body_simple[1], 0);
  EXPECT_EQ(make_single({{JointType::kHinge, x}, {JointType::kHinge, z}}).body_simple[1], 0);
  EXPECT_EQ(make_single({{JointType::kHinge, oblique}}).body_simple[1], 0);
  EXPECT_EQ(make_single({{JointType::kHinge, z}}, {0.1, 0, 0}).body_simple[1], 0);
}

TEST(SimpleBodies, HaveADiagonalOnly) {
  const Model model = make_single({{JointType::kFree, {0, 0, 1}}});
  EXPECT_EQ(model.nC, 6);
  EXPECT_EQ(model.nM, 21);
  for (int i = 0; i < 6; ++i) EXPECT_EQ(model.dof_simplenum[i], 6 - i);
}

TEST(SimpleBodies, HaveNoChildrenAndMayBeForbidden) {
  Spec spec;
  const int b = add_body(spec, 0);
  add_joint(spec, b, JointType::kFree);
  add_sphere(spec, b);
  EXPECT_EQ(compile(spec).body_simple[1], 1);
  body_of(spec, b).simple_auto = false;
  EXPECT_EQ(compile(spec).body_simple[1], 0);
  body_of(spec, b).simple_auto = true;
  add_body(spec, b);
  EXPECT_EQ(compile(spec).body_simple[1], 0);
}

}  // namespace
}  // namespace torsor
