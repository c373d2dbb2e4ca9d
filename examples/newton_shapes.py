"""All shapes fall on the ground, in many worlds at once, as in Newton's basic examples."""

import numpy as np

import torsor.newton as newton

scene = newton.ModelBuilder()
scene.add_ground_plane()
world = newton.ModelBuilder()
for i, name in enumerate(("sphere", "box", "capsule", "cylinder", "ellipsoid", "cone")):
    body = world.add_body(xform=newton.transform((1.0 * i, 0, 0.6)), key=name)
    sizes = {"sphere": dict(radius=0.2), "box": dict(hx=0.2, hy=0.2, hz=0.2), "ellipsoid": dict(a=0.3, b=0.25, c=0.2)}
    getattr(world, f"add_shape_{name}")(body, **sizes.get(name, dict(radius=0.2, half_height=0.2)))
scene.replicate(world, 4, spacing=(0, 2, 0))
model = scene.finalize()

solver = newton.solvers.SolverMuJoCo(model, use_mujoco_contacts=False)
state_0, state_1, control = model.state(), model.state(), model.control()
state_0.body_f[:] = 0
for _ in range(300):
    state_0.clear_forces()
    contacts = model.collide(state_0)
    solver.step(state_0, state_1, control, contacts, 0.005)
    state_0, state_1 = state_1, state_0
heights = state_0.body_q[:, 2].reshape(4, 6)
for name, height in zip(world.body_key, heights[0], strict=True):
    print(f"{name:10} rests at {height:.3f} m")
print(f"{contacts.rigid_contact_count} points of contact in {model.num_worlds} worlds, which move alike to "
      f"{np.ptp(heights, axis=0).max():.1e} m")
assert np.all(heights > 0.15)
