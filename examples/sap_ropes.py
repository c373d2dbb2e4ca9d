"""A load on a rope that is too short, in many worlds at once: SAP's buffers on a model of Newton's builder."""

import numpy

import torsor.newton as newton
from torsor import sap

WORLDS, STEP = 8, 0.005


def make_model():
    """A trolley on a rail with a drive, and a load on a rope of 1 m, which starts half a metre too low."""
    builder = newton.ModelBuilder()
    trolley = builder.add_link(mass=5.0, inertia=numpy.eye(3) * 0.1)
    load = builder.add_link(mass=2.0, inertia=numpy.eye(3) * 0.02, xform=newton.transform((0, 0, -1.5)))
    rail = builder.add_joint_prismatic(-1, trolley, axis=newton.Axis.X, target_ke=400.0, target_kd=80.0)
    rope = builder.add_joint_distance(trolley, load, max_distance=1.0)
    builder.add_articulation([rail, rope])
    return builder.finalize()


def main():
    solver = sap.SapSolver(make_model())
    state, control = solver.state(worlds=WORLDS), solver.control(worlds=WORLDS)
    control.joint_target_pos[:, 0] = numpy.linspace(0, 1, WORLDS)  # another place for the trolley in each world
    fastest = 0.0
    for _ in range(round(3 / STEP)):
        solver.step(state, state, control, None, STEP)
        if state.joint_q[0, 3] < -1.01:  # the first world's rope is still too long
            fastest = max(fastest, abs(state.body_qd[0, 1, 2]))
    lengths = numpy.linalg.norm(state.joint_q[:, 1:4], axis=1)
    print(f"ropes of {lengths.min():.3f} to {lengths.max():.3f} m; the load came up at no more than {fastest:.2f} m/s; "
          f"trolleys are at {state.joint_q[0, 0]:.2f} to {state.joint_q[-1, 0]:.2f} m")
    assert lengths.max() < 1.005 and fastest < 1.05
    assert numpy.abs(state.joint_q[:, 0] - numpy.linspace(0, 1, WORLDS)).max() < 0.05


if __name__ == "__main__":
    main()
