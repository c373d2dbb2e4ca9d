// The stages of forward dynamics one by one, and results on demand.
#include "bindings.hpp"
#include "objects.hpp"
#include "torsor/contact/collide.hpp"
#include "torsor/dynamics/dynamics.hpp"
#include "torsor/sim/sim.hpp"
#include "torsor/sim/timing.hpp"

namespace torsor::python {
namespace {

using namespace nb::literals;

using StageFunction = void (*)(const Model&, Data&);

void add_stage(nb::module_& m, const char* name, StageFunction function, const char* doc,
               Effect effect = Effect::kNumbers) {
  m.def(
      name,
      [function, effect](ModelObject& model, DataObject& data) {
        const EngineCall call(model, data, effect);
        const size_t needed = call.data.memory_needed();
        function(call.model, call.data);
        throw_clock_failure(call.data);
        if (call.data.memory_needed() > needed) require_memory(call.model, call.data);
      },
      "model"_a, "data"_a, doc);
}

void bind_position_stages(nb::module_& m) {
  add_stage(m, "kinematics", &compute_kinematics, R"(Poses of bodies, joints, geoms and sites from data.qpos.

>>> torsor.kinematics(model, data)
>>> data.xpos[1]
array([0., 0., 1.])
)");
  add_stage(m, "com_pos", &compute_com_position, R"(Centres of mass, inertias and motion axes. Needs kinematics().

>>> torsor.kinematics(model, data)
>>> torsor.com_pos(model, data)
>>> data.cdof.shape
(2, 6)
)");
  add_stage(m, "camlight", &compute_cameras_and_lights, R"(Poses of cameras and lights. Needs com_pos().

>>> torsor.camlight(model, data)
)");
  add_stage(m, "tendon", &compute_tendons, R"(Lengths, moments and paths of tendons. Needs com_pos().

>>> torsor.tendon(model, data)
>>> data.ten_length.shape == (model.ntendon,)
True
)");
  add_stage(m, "crb", &compute_mass_matrix, R"(The mass matrix data.M by composite bodies. Needs com_pos() and tendon().

>>> torsor.kinematics(model, data)
>>> torsor.com_pos(model, data)
>>> torsor.crb(model, data)
>>> data.M.shape == (model.nC,)
True
)");
  add_stage(m, "factor_m", &factor_mass_matrix, R"(Factor data.M into data.qLD. Needs crb().

>>> torsor.forward(model, data)
>>> torsor.factor_m(model, data)
)");
  add_stage(m, "collision", &collide, R"(Detect contacts and fill data.contact. Needs kinematics().

>>> torsor.kinematics(model, data)
>>> torsor.collision(model, data)
>>> data.ncon == len(data.contact)
True
)",
            Effect::kRows);
  add_stage(m, "fwd_position", &forward_position, R"(The part of forward() that depends only on positions.

>>> torsor.fwd_position(model, data)
)",
            Effect::kRows);
}

void bind_velocity_stages(nb::module_& m) {
  add_stage(m, "com_vel", &compute_com_velocity, R"(Velocities of bodies and of motion axes. Needs fwd_position().

>>> torsor.fwd_position(model, data)
>>> torsor.com_vel(model, data)
>>> data.cvel.shape
(3, 6)
)");
  add_stage(m, "passive", &compute_passive, R"(Forces of springs, dampers, gravity compensation and the medium.

>>> torsor.forward(model, data)
>>> torsor.passive(model, data)
>>> data.qfrc_passive.shape
(2,)
)");
  add_stage(m, "fwd_velocity", &forward_velocity, R"(The part of forward() that depends on velocities too.

>>> torsor.fwd_position(model, data)
>>> torsor.fwd_velocity(model, data)
)");
  add_stage(m, "fwd_actuation", &forward_actuation, R"(Forces of actuators, into data.qfrc_actuator.

>>> torsor.forward(model, data)
>>> torsor.fwd_actuation(model, data)
)");
  add_stage(m, "fwd_acceleration", &forward_acceleration, R"(Accelerations without constraints, data.qacc_smooth.

>>> torsor.forward(model, data)
>>> torsor.fwd_acceleration(model, data)
)");
  add_stage(m, "fwd_constraint", &forward_constraint, R"(Constraint forces, and data.qacc with them.

>>> torsor.forward(model, data)
>>> torsor.fwd_constraint(model, data)
)",
            Effect::kRows);
}

void bind_results_on_demand(nb::module_& m) {
  add_stage(m, "rne_post_constraint", &compute_rne_post,
            R"(Accelerations data.cacc and forces data.cfrc_int, data.cfrc_ext of bodies. Needs forward().

>>> torsor.forward(model, data)
>>> torsor.rne_post_constraint(model, data)
>>> data.cfrc_int.shape
(3, 6)
)");
  add_stage(m, "energy_pos", &compute_energy_position, R"(Potential energy, data.energy[0]. Needs fwd_position().

>>> torsor.forward(model, data)
>>> torsor.energy_pos(model, data)
>>> bool(data.energy[0] != 0)
True
)");
  add_stage(m, "energy_vel", &compute_energy_velocity, R"(Kinetic energy, data.energy[1]. Needs fwd_position().

>>> torsor.forward(model, data)
>>> torsor.energy_vel(model, data)
>>> float(data.energy[1])
0.0
)");
  add_stage(m, "subtree_vel", &compute_subtree_velocity,
            R"(Velocity and angular momentum of subtrees. Needs fwd_velocity().

>>> torsor.forward(model, data)
>>> torsor.subtree_vel(model, data)
>>> data.subtree_angmom.shape
(3, 3)
)");
}

void bind_integrators(nb::module_& m) {
  add_stage(m, "euler", &integrate_euler, R"(Euler integration with the current accelerations. Needs forward().

>>> torsor.forward(model, data)
>>> torsor.euler(model, data)
>>> data.time == model.opt.timestep
True
)");
  add_stage(m, "rk4", &integrate_rk4, R"(Runge-Kutta integration of order 4. Needs forward().

>>> torsor.forward(model, data)
>>> torsor.rk4(model, data)
)",
            Effect::kRows);
  add_stage(m, "rkmk4", &integrate_rk4,
            R"(The same as rk4(), which has order 4 in rotations too. Needs forward().

>>> torsor.forward(model, data)
>>> torsor.rkmk4(model, data)
)",
            Effect::kRows);
  add_stage(m, "implicit", &integrate_implicit, R"(Integration implicit in velocity. Needs forward().

>>> torsor.forward(model, data)
>>> torsor.implicit(model, data)
)");
  add_stage(m, "implicitfast", &integrate_implicit_fast,
            R"(Integration implicit in velocity, without derivatives that are expensive but small. Needs forward().

>>> torsor.forward(model, data)
>>> torsor.implicitfast(model, data)
)");
}

}  // namespace

void bind_stages(nb::module_& m) {
  bind_position_stages(m);
  bind_velocity_stages(m);
  bind_results_on_demand(m);
  bind_integrators(m);
}

}  // namespace torsor::python
