"""Kinematics and mechanics in plain NumPy, written from Newton's documents, for tests of torsor.newton."""

import numpy as np
from scipy.spatial.transform import Rotation

import torsor
import torsor.newton as newton


def available_solvers():
    """Classes of the solvers that this build has."""
    model = newton.ModelBuilder().finalize()
    found = [newton.solvers.SolverMuJoCo, newton.solvers.SolverFeatherstone]
    try:
        newton.solvers.SolverSAP(model)
        found.append(newton.solvers.SolverSAP)
    except torsor.Error:
        pass
    return found


SOLVERS = available_solvers()


def matrix(transform):
    """4 x 4 of seven numbers."""
    X = np.eye(4)
    X[:3, :3] = Rotation.from_quat(transform[3:]).as_matrix()
    X[:3, 3] = transform[:3]
    return X


def random_transform(random, size=1.0):
    turned = Rotation.from_rotvec(random.normal(size=3) * 2)
    return newton.transform(random.normal(size=3) * size, turned.as_quat())


def turn(axis, angle):
    X = np.eye(4)
    X[:3, :3] = Rotation.from_rotvec(np.asarray(axis) * angle).as_matrix()
    return X


def shift(vector):
    X = np.eye(4)
    X[:3, 3] = vector
    return X


def coordinates(model, joint):
    return slice(model.joint_q_start[joint], model.joint_q_start[joint + 1])


def velocities(model, joint):
    return slice(model.joint_qd_start[joint], model.joint_qd_start[joint + 1])


def motion(model, joint, joint_q):
    """The transform between a joint's anchors."""
    kind, q = model.joint_type[joint], joint_q[coordinates(model, joint)]
    if kind in (newton.JointType.FREE, newton.JointType.DISTANCE):
        return matrix(q)
    if kind == newton.JointType.BALL:
        return matrix([0, 0, 0, *q])
    X = np.eye(4)
    linear = model.joint_dof_dim[joint][0]
    for i, axis in enumerate(model.joint_axis[velocities(model, joint)]):
        X = X @ (shift(axis * q[i]) if i < linear else turn(axis, q[i]))
    return X


def poses(model, joint_q):
    """4 x 4 of all bodies, by child = parent * parent_xform * motion * inverse(child_xform)."""
    found = {-1: np.eye(4)}
    while len(found) < model.body_count + 1:
        for joint in range(model.joint_count):
            parent, child = model.joint_parent[joint], model.joint_child[joint]
            if parent in found and child not in found:
                found[child] = (found[parent] @ matrix(model.joint_X_p[joint]) @ motion(model, joint, joint_q)
                                @ np.linalg.inv(matrix(model.joint_X_c[joint])))
    return [found[body] for body in range(model.body_count)]


def moved(model, joint_q, joint_qd, h, parent_axes):
    """joint_q after a time h, if joint_qd means what the documents say."""
    at = poses(model, joint_q)
    result = joint_q.copy()
    for joint in range(model.joint_count):
        kind, q, v = model.joint_type[joint], coordinates(model, joint), joint_qd[velocities(model, joint)]
        parent, child = model.joint_parent[joint], model.joint_child[joint]
        R_WP = ((at[parent] if parent >= 0 else np.eye(4)) @ matrix(model.joint_X_p[joint]))[:3, :3]
        if kind in (newton.JointType.FREE, newton.JointType.DISTANCE):
            linear, angular = (v[:3], v[3:]) if parent_axes else (R_WP.T @ v[:3], R_WP.T @ v[3:])
            com_A = np.linalg.inv(matrix(model.joint_X_c[joint])) @ [*model.body_com[child], 1]
            X = matrix(joint_q[q])
            com_P = (X @ com_A)[:3] + h * linear
            turned = Rotation.from_rotvec(h * angular) * Rotation.from_matrix(X[:3, :3])
            result[q] = [*(com_P - turned.apply(com_A[:3])), *turned.as_quat()]
        elif kind == newton.JointType.BALL:
            result[q] = (Rotation.from_rotvec(h * v) * Rotation.from_quat(joint_q[q])).as_quat()
        else:
            result[q] = joint_q[q] + h * v
    return result


def com_positions(model, at):
    return np.array([(X @ [*com, 1])[:3] for X, com in zip(at, model.body_com, strict=True)])


def body_twists(model, joint_q, joint_qd, parent_axes=False, h=1e-5):
    """body_qd by differences of positions of centres of mass, and of rotations."""
    before, after = (poses(model, moved(model, joint_q, joint_qd, step, parent_axes)) for step in (-h, h))
    linear = (com_positions(model, after) - com_positions(model, before)) / (2 * h)
    angular = [Rotation.from_matrix(b[:3, :3] @ a[:3, :3].T).as_rotvec() / (2 * h)
               for a, b in zip(before, after, strict=True)]
    return np.hstack([linear, np.array(angular).reshape(-1, 3)])


def kinetic_energy(model, state):
    energy = 0.0
    for body, (mass, inertia) in enumerate(zip(model.body_mass, model.body_inertia, strict=True)):
        R, twist = matrix(state.body_q[body])[:3, :3], state.body_qd[body]
        energy += 0.5 * mass * twist[:3] @ twist[:3] + 0.5 * twist[3:] @ (R @ inertia @ R.T) @ twist[3:]
    return energy


def body_coms(model, state):
    return com_positions(model, [matrix(pose) for pose in state.body_q])


def run(solver, state, steps, dt, control=None, contacts=False):
    """The state after so many steps."""
    state_0, state_1 = state.copy(), solver.model.state()
    state_1.body_f[:] = state.body_f
    for _ in range(steps):
        found = solver.model.collide(state_0) if contacts else None
        solver.step(state_0, state_1, control, found, dt)
        state_0, state_1 = state_1, state_0
    return state_0


def random_scene(seed, version=newton.Version.WORLD_AXES):
    """A model with every type of joint, rotated anchors and centres of mass off the origins, and a random state."""
    random = np.random.default_rng(seed)
    builder = newton.ModelBuilder(gravity=random.normal(size=3))

    def link():
        body = builder.add_link(mass=1 + random.random(), com=random.normal(size=3) * 0.2)
        points = random.normal(size=(3, 5)) * 0.2  # an inertia that some masses have
        second = points @ points.T
        builder.body_inertia[body] = (np.trace(second) * np.eye(3) - second).reshape(-1)
        return body

    def anchors():
        return dict(parent_xform=random_transform(random, 0.3), child_xform=random_transform(random, 0.3))

    def axis():
        return newton.ModelBuilder.JointDofConfig(axis=random.normal(size=3))

    base, arm, hand, ball, slide, loose, rope = (link() for _ in range(7))
    other, planar = link(), link()
    joints = [builder.add_joint_free(base, **anchors()),
              builder.add_joint_revolute(base, arm, axis=random.normal(size=3), **anchors()),
              builder.add_joint_d6(arm, hand, [axis() for _ in range(2)], [axis() for _ in range(3)], **anchors()),
              builder.add_joint_ball(base, ball, **anchors()),
              builder.add_joint_prismatic(ball, slide, axis=random.normal(size=3), **anchors()),
              builder.add_joint_free(loose, parent=arm, **anchors()),
              builder.add_joint_distance(base, rope, min_distance=-1, max_distance=50, **anchors())]
    builder.add_articulation(joints)
    second = [builder.add_joint_fixed(-1, other, **anchors()),
              builder.add_joint_d6(other, planar, [axis()], [axis(), axis()], **anchors())]
    builder.add_articulation(second)
    model = builder.finalize(version=version)
    state = model.state()
    for joint in range(model.joint_count):
        q = coordinates(model, joint)
        kind = model.joint_type[joint]
        state.joint_q[q] = random.uniform(-1, 1, size=q.stop - q.start)
        if kind in (newton.JointType.FREE, newton.JointType.DISTANCE):
            state.joint_q[q] = random_transform(random)
        if kind == newton.JointType.BALL:
            state.joint_q[q] = random_transform(random)[3:]
    state.joint_qd[:] = random.normal(size=model.joint_dof_count)
    return model, state


def most_depth(model, body, arm, dt):
    """How deep a point that carries a body's weight can be at rest with SAP's near-rigid contact, the point `arm` from the COM.

    The impulse m g dt of a step is balanced at a depth of (dt + tau) R m g dt with R = beta^2 / (4 pi^2) w. The dissipation time
    tau is 0.1 s for each of the two shapes, beta is 1, and w is a third of the norm of the 3 x 3 matrix J M^-1 J': at most sqrt(3)
    times its largest eigenvalue, which is at most 1/m + arm^2 / I with the smallest moment of inertia I.
    """
    mass, inertia = model.body_mass[body], np.reshape(model.body_inertia[body], (3, 3))
    mobility = 1 / mass + arm**2 / np.linalg.eigvalsh(inertia)[0]
    return (dt + 0.2) / (4 * np.pi**2) * mobility / np.sqrt(3) * mass * 9.81 * dt
