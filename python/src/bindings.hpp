// The parts of the module torsor._core, in the order in which module.cpp adds them.
#pragma once

#include <nanobind/nanobind.h>

namespace torsor::python {

namespace nb = nanobind;

void bind_errors(nb::module_& m);       // Error, Diagnostic
void bind_enums(nb::module_& m);        // JointType, GeomType, ...
void bind_settings(nb::module_& m);     // Option, Statistic, Visual
void bind_counters(nb::module_& m);     // entries of data.warning and data.timer
void bind_model(nb::module_& m);        // Model
void bind_spec(nb::module_& m);         // implementation of torsor.Spec
void bind_spec_tree(nb::module_& m);    // its values, as dictionaries
void bind_constraints(nb::module_& m);  // Contact, ContactList, contact_force
void bind_data(nb::module_& m);         // Data
void bind_elements(nb::module_& m);     // model.body("torso"), data.joint("knee"), ...
void bind_simulation(nb::module_& m);   // step, forward, inverse, reset, state
void bind_stages(nb::module_& m);       // kinematics, passive, ...
void bind_inertia(nb::module_& m);      // full_m, solve_m, ...
void bind_jacobians(nb::module_& m);    // jac, jac_body, ...
void bind_motion(nb::module_& m);       // object_velocity, apply_ft, integrate_pos, ...
void bind_poses(nb::module_& m);        // mul_quat, mul_pose, ...
void bind_linear(nb::module_& m);       // implementation of torsor.linear
void bind_rotations(nb::module_& m);    // implementation of torsor.rotations
void bind_shapes(nb::module_& m);       // convert_shape, shape_mass, ...
void bind_conventions(nb::module_& m);  // implementation of torsor.conventions
void bind_state_maps(nb::module_& m);   // StateMap, SapBoundary, body_twist, ...
void bind_sap_solver(nb::module_& m);   // implementation of torsor.sap
void bind_flight(nb::module_& m);       // implementation of torsor.flight
void bind_orders(nb::module_& m);       // joint_permutation, joint_order, ...
void bind_detect(nb::module_& m);       // detect, detect_file
void bind_clips(nb::module_& m);        // MotionClip, MotionLibrary
void bind_histories(nb::module_& m);    // read_ctrl, read_sensor, init_ctrl_history, ...
void bind_batch(nb::module_& m);        // implementation of torsor.Batch, BatchStage
void bind_devices(nb::module_& m);      // implementation of torsor.DeviceBatch, DeviceArray, devices
void bind_derivatives(nb::module_& m);  // implementation of torsor.transition_derivatives
void bind_rollout(nb::module_& m);      // implementation of torsor.rollout
void bind_newton(nb::module_& m);       // implementation of torsor.newton
void bind_view(nb::module_& m);         // implementation of torsor.show, torsor.view
void bind_render(nb::module_& m);       // implementation of torsor.Renderer
void bind_convert(nb::module_& m);      // implementation of torsor.convert
void bind_reference(nb::module_& m);    // fields, schema, isa

}  // namespace torsor::python
