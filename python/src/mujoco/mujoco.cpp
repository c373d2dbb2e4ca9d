// The implementation of torsor.mujoco, as the submodule torsor._core._mujoco.
#include "mujoco.hpp"

#include "call.hpp"
#include "mj_objects.hpp"
#include "numpy_array.hpp"

namespace torsor::python {

void bind_mujoco(nanobind::module_& parent) {
  namespace nb = nanobind;
  using namespace mj;
  nb::module_ m = parent.def_submodule("_mujoco", "What torsor.mujoco consists of.");
  import_numpy_arrays();
  m.def("_set_error_types", [](nb::handle fatal, nb::handle unexpected) { set_error_types(fatal, unexpected); });
  m.def("_list_functions", &list_functions);
  bind_mj_model(m);
  bind_mj_data(m);
  bind_mj_contact(m);
  bind_mj_structs(parent);
  bind_enum_type(m);
  bind_mj_elements(m);
  bind_mj_callbacks(m);
  bind_mj_batch(m);
  bind_simulation_functions(m);
  bind_state_functions(m);
  bind_support_functions(m);
  bind_query_functions(m);
  bind_vector_functions(m);
  bind_matrix_functions(m);
  bind_band_functions(m);
  bind_pose_functions(m);
  bind_number_functions(m);
}

}  // namespace torsor::python
