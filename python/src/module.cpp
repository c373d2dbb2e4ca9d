// torsor._core: the engine as a Python module. The package torsor re-exports all of it.
#include "arrays.hpp"
#include "bindings.hpp"
#include "contact_bindings.hpp"
#include "gate.hpp"
#include "mujoco/mujoco.hpp"
#include "torsor/core/version.hpp"

NB_MODULE(_core, m) {
  using namespace torsor::python;
  m.doc() = "The engine behind the package torsor, which re-exports all of it.";
  m.attr("version") = torsor::version();
  import_numpy();
  watch_for_exit();
  bind_errors(m);
  bind_enums(m);
  bind_settings(m);
  bind_counters(m);
  bind_model(m);
  bind_spec(m);
  bind_spec_tree(m);
  bind_constraints(m);
  bind_data(m);
  bind_elements(m);
  bind_simulation(m);
  bind_stages(m);
  bind_inertia(m);
  bind_jacobians(m);
  bind_motion(m);
  bind_rays(m);
  bind_hooks(m);
  bind_poses(m);
  bind_linear(m);
  bind_rotations(m);
  bind_shapes(m);
  bind_orders(m);
  bind_conventions(m);
  bind_state_maps(m);
  bind_sap_solver(m);
  bind_flight(m);
  bind_detect(m);
  bind_clips(m);
  bind_histories(m);
  bind_batch(m);
  bind_devices(m);
  bind_derivatives(m);
  bind_rollout(m);
  bind_newton(m);
  bind_view(m);
  bind_render(m);
  bind_mujoco(m);
  bind_convert(m);
  bind_reference(m);
}
