// Functions of the mass matrix, and inverse dynamics by recursive Newton-Euler.
#include <algorithm>

#include <fmt/format.h>

#include "bindings.hpp"
#include "objects.hpp"
#include "torsor/dynamics/dynamics.hpp"

namespace torsor::python {
namespace {

using namespace nb::literals;

Shape dofs(const ModelObject& model) { return {static_cast<size_t>(model.model->nv)}; }

using InPlace = void (*)(const Model&, const Data&, double*);
using IntoAnother = void (*)(const Model&, const Data&, const double*, double*);

void add_solve(nb::module_& m, const char* name, InPlace function, const char* doc) {
  m.def(
      name,
      [function](ModelObject& model, DataObject& data, const ArrayLike& x, const OptionalArray& out) {
        const Hold hold = check_fits(model, data);
        const Input vector("x", x, dofs(model));
        const Output result("out", out, dofs(model));
        std::copy_n(vector.data(), model.model->nv, result.data());
        function(*model.model, *data.data, result.data());
        return result.array();
      },
      "model"_a, "data"_a, "x"_a, "out"_a = nb::none(), doc);
}

void add_multiply(nb::module_& m, const char* name, IntoAnother function, const char* doc) {
  m.def(
      name,
      [function](ModelObject& model, DataObject& data, const ArrayLike& x, const OptionalArray& out) {
        const Hold hold = check_fits(model, data);
        Input vector("x", x, dofs(model));
        const Output result("out", out, dofs(model));
        result.keep_apart(vector);
        function(*model.model, *data.data, vector.data(), result.data());
        return result.array();
      },
      "model"_a, "data"_a, "x"_a, "out"_a = nb::none(), doc);
}

// A matrix or vector that is filled from M.
void add_layout(nb::module_& m, const char* name, InPlace function, Shape (*shape)(const Model&), const char* doc) {
  m.def(
      name,
      [function, shape](ModelObject& model, DataObject& data, const OptionalArray& out) {
        const Hold hold = check_fits(model, data);
        const Output result("out", out, shape(*model.model));
        function(*model.model, *data.data, result.data());
        return result.array();
      },
      "model"_a, "data"_a, "out"_a = nb::none(), doc);
}

Shape square(const Model& model) { return {static_cast<size_t>(model.nv), static_cast<size_t>(model.nv)}; }
Shape older_layout(const Model& model) { return {static_cast<size_t>(model.nM)}; }

}  // namespace

void bind_inertia(nb::module_& m) {
  add_layout(m, "full_m", &full_mass_matrix, &square, R"(The mass matrix as a dense nv x nv array. Needs crb().

>>> torsor.forward(model, data)
>>> M = torsor.full_m(model, data)
>>> numpy.allclose(M, M.T)
True
)");
  add_layout(m, "legacy_m", &legacy_mass_matrix, &older_layout,
             R"(The mass matrix in MuJoCo's older sparse layout of nM numbers. Needs crb().

>>> torsor.forward(model, data)
>>> torsor.legacy_m(model, data).shape == (model.nM,)
True
)");
  add_solve(m, "solve_m", &solve_mass_matrix, R"(M^-1 x, from the factors of M. Needs factor_m().

>>> torsor.forward(model, data)
>>> numpy.allclose(torsor.full_m(model, data) @ torsor.solve_m(model, data, [1, 2]), [1, 2])
True
)");
  add_solve(m, "half_solve_m", &half_solve_mass_matrix, R"(D^-1/2 L^-T x, where M = L' D L. Needs factor_m().

>>> torsor.forward(model, data)
>>> y = torsor.half_solve_m(model, data, [1, 2])
>>> bool(numpy.isclose(y @ y, [1, 2] @ torsor.solve_m(model, data, [1, 2])))
True
)");
  add_multiply(m, "mul_m", &multiply_mass_matrix, R"(M x. Needs crb().

>>> torsor.forward(model, data)
>>> numpy.allclose(torsor.mul_m(model, data, [1, 0]), torsor.full_m(model, data)[0])
True
)");
  add_multiply(m, "half_mul_m", &half_multiply_mass_matrix, R"(D^1/2 L x, where M = L' D L. Needs factor_m().

>>> torsor.forward(model, data)
>>> y = torsor.half_mul_m(model, data, [1, 2])
>>> bool(numpy.isclose(y @ y, [1, 2] @ torsor.mul_m(model, data, [1, 2])))
True
)");
  m.def(
      "rne",
      [](ModelObject& model, DataObject& data, bool flg_acc, const OptionalArray& out) {
        const Output result("out", out, dofs(model));
        {
          const EngineCall call(model, data);
          inverse_dynamics(call.model, call.data, flg_acc, result.data());
        }
        return result.array();
      },
      "model"_a, "data"_a, "flg_acc"_a, "out"_a = nb::none(),
      R"(Joint forces of the current motion, without armature; with flg_acc, including data.qacc. Needs fwd_velocity().

>>> torsor.forward(model, data)
>>> numpy.allclose(torsor.rne(model, data, False), data.qfrc_bias)
True
)");
}

}  // namespace torsor::python
