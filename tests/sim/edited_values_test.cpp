// Values of a model that are edited between steps take effect at the next one: what a Data keeps from step to step must
// not outlive them.
#include <gtest/gtest.h>

#include <cmath>
#include <functional>

#include "tests/sim/scenes.hpp"

namespace torsor {
namespace {

const char* const kModels[] = {"benchmarks/two_arms.xml", "benchmarks/hull_cube.xml",
                               "features/constraint_friction.xml", "features/constraint_limits.xml"};

struct Edit {
  const char* name;
  std::function<void(Model&)> apply;
};

void scale(const Field<double>& values, double by) {
  for (double& value : values) value *= by;
}

const Edit kEdits[] = {
    {"dof_frictionloss", [](Model& m) { scale(m.dof_frictionloss, 0.5); }},
    {"one frictionloss more", [](Model& m) { m.dof_frictionloss[0] += 0.125; }},
    {"no frictionloss", [](Model& m) { scale(m.dof_frictionloss, 0); }},
    {"friction everywhere",
     [](Model& m) {
       for (double& loss : m.dof_frictionloss) loss = 0.01;
     }},
    {"dof_solref", [](Model& m) { scale(m.dof_solref, 1.5); }},
    {"dof_solimp", [](Model& m) { scale(m.dof_solimp, 0.75); }},
    {"dof_invweight0", [](Model& m) { scale(m.dof_invweight0, 2); }},
    {"geom_friction", [](Model& m) { scale(m.geom_friction, 0.5); }},
    {"geom_solref", [](Model& m) { scale(m.geom_solref, 1.25); }},
    {"geom_solimp", [](Model& m) { scale(m.geom_solimp, 0.9); }},
    {"geom_margin",
     [](Model& m) {
       for (double& margin : m.geom_margin) margin += 0.004;
     }},
    {"geom_condim",
     [](Model& m) {
       for (int& dim : m.geom_condim) dim = dim == 1 ? 3 : 1;
     }},
    {"geom_contype", [](Model& m) { m.geom_contype[m.ngeom - 1] = m.geom_conaffinity[m.ngeom - 1] = 0; }},
    {"jnt_range", [](Model& m) { scale(m.jnt_range, 0.1); }},
    {"jnt_margin",
     [](Model& m) {
       for (double& margin : m.jnt_margin) margin += 10;
     }},
    {"jnt_solref", [](Model& m) { scale(m.jnt_solref, 2); }},
    {"body_invweight0", [](Model& m) { scale(m.body_invweight0, 1.5); }},
    {"geom_size and geom_rbound", [](Model& m) { scale(m.geom_size, 1.05), scale(m.geom_rbound, 1.05); }},
    {"timestep", [](Model& m) { m.opt.timestep *= 20; }},
    {"refsafe", [](Model& m) { m.opt.disableflags |= kDisableRefSafe; }},
    {"friction off", [](Model& m) { m.opt.disableflags |= kDisableFrictionLoss; }},
    {"exact inverse inertia", [](Model& m) { m.opt.enableflags |= kEnableDiagExact; }},
    {"cone", [](Model& m) { m.opt.cone = 1 - m.opt.cone; }},
    {"impratio", [](Model& m) { m.opt.impratio *= 3; }},
};

std::vector<double> rows_of(const Data& data) {
  std::vector<double> numbers{double(data.nefc), double(data.nf), double(data.nl)};
  for (const Field<double>& field : {data.efc_J, data.efc_pos, data.efc_margin, data.efc_frictionloss, data.efc_diagA,
                                     data.efc_KBIP, data.efc_R, data.efc_D, data.efc_aref, data.efc_force})
    numbers.insert(numbers.end(), field.begin(), field.end());
  for (const Field<int>& field : {data.efc_type, data.efc_id, data.efc_J_colind, data.efc_J_rownnz, data.efc_J_rowadr})
    numbers.insert(numbers.end(), field.begin(), field.end());
  return numbers;
}

TEST(EditedValues, TakeEffectAtTheNextStep) {
  int changed = 0;
  for (const char* name : kModels) {
    const Model original = load(std::string(TORSOR_SOURCE_DIR "/models/") + name);
    for (const Edit& edit : kEdits) {
      SCOPED_TRACE(std::string(name) + ", " + edit.name);
      Model model(original);
      Data data(model);
      for (int i = 0; i < model.nv; ++i) data.qvel[i] = 0.3 * std::sin(2.0 * i);
      for (int i = 0; i < 20; ++i) step(model, data);
      Data unedited(data);
      step(model, unedited);
      edit.apply(model);
      for (int i = 0; i < 3; ++i) {
        Data fresh(data);  // a copy has the state and keeps nothing
        step(model, data);
        step(model, fresh);
        ASSERT_TRUE(same_bits(rows_of(data), rows_of(fresh))) << "step " << i;
        ASSERT_TRUE(same_bits(state_of(model, data), state_of(model, fresh))) << "step " << i;
        if (i == 0) changed += !same_bits(rows_of(data), rows_of(unedited));
      }
      // and back
      model = original;
      Data fresh(data);
      step(model, data);
      step(model, fresh);
      ASSERT_TRUE(same_bits(rows_of(data), rows_of(fresh)));
    }
  }
  EXPECT_GT(changed, 40);
}

// Kept rows are those of one set of values, whichever model has them.
TEST(EditedValues, OneDataGoesFromModelToModel) {
  const Model a = load(TORSOR_SOURCE_DIR "/models/benchmarks/two_arms.xml");
  Model b(a);
  for (double& loss : b.dof_frictionloss) loss *= 3;
  Data data(a);
  for (int i = 0; i < 12; ++i) {
    const Model& model = i % 3 == 0 ? b : a;
    Data fresh(data);
    step(model, data);
    step(model, fresh);
    ASSERT_TRUE(same_bits(rows_of(data), rows_of(fresh))) << i;
  }
}

}  // namespace
}  // namespace torsor
