"""A double pendulum built and stepped as in Newton: builder, model, states, solver."""

import numpy as np

import torsor.newton as newton

builder = newton.ModelBuilder()
links, joints = [], []
for i in range(2):
    link = builder.add_link()
    builder.add_shape_box(link, hx=0.5, hy=0.05, hz=0.05)
    where = newton.transform((0, 0, 3)) if i == 0 else newton.transform((0.5, 0, 0))
    joints.append(builder.add_joint_revolute(links[-1] if links else -1, link, axis=newton.Axis.Y, parent_xform=where,
                                             child_xform=newton.transform((-0.5, 0, 0))))
    links.append(link)
builder.add_articulation(joints, key="pendulum")
model = builder.finalize()

solver = newton.solvers.SolverMuJoCo(model)
state_0, state_1, control = model.state(), model.state(), model.control()
newton.eval_fk(model, state_0.joint_q, state_0.joint_qd, state_0)


def energy(state):
    """Kinetic energy from the mass matrix, potential energy from the centres of mass, which are the bodies' origins."""
    kinetic = 0.5 * state.joint_qd @ newton.eval_mass_matrix(model, state)[0] @ state.joint_qd
    return kinetic - model.body_mass @ (state.body_q[:, :3] @ model.gravity[-1])


start = energy(state_0)
for frame in range(10):
    for _ in range(100):
        solver.step(state_0, state_1, control, None, 1e-3)
        state_0, state_1 = state_1, state_0
    print(f"t = {0.1 * (frame + 1):.1f} s: angles {np.round(state_0.joint_q, 3)}, tip at "
          f"{np.round(newton.transform_point(state_0.body_q[1], (0.5, 0, 0)), 3)}")
print(f"energy kept to {abs(energy(state_0) / start - 1):.1e}")
assert abs(energy(state_0) / start - 1) < 1e-2
