"""The SAP problem of a state, written down from its equations: nothing here asks the engine for more than M, J, forces
of the free motion, distances and parameters."""

from dataclasses import dataclass

import numpy as np

import torsor

EQUALITY, FRICTION_DOF, FRICTION_TENDON, LIMIT_JOINT, LIMIT_TENDON, FRICTIONLESS, PYRAMID, ELLIPTIC, DRIVE, DAMPER = range(10)
NEAR_RIGID = 0.1  # of limits, equalities and drives


def near_rigid(beta, w):
    return beta**2 / (4 * np.pi**2) * w


@dataclass
class Problem:
    """After torsor.forward(model, data)."""

    model: torsor.Model
    data: torsor.Data

    def __post_init__(self):
        model, data = self.model, self.data
        self.h, self.v0 = model.opt.timestep, np.array(data.qvel)
        self.A = torsor.full_m(model, data) + self.h * np.diag(model.dof_damping)
        for tendon, J in enumerate(tendon_jacobian(model, data)):
            self.A += self.h * self.tendon_damping(tendon, J @ self.v0) * np.outer(J, J)
        self.J = dense_jacobian(model, data)
        self.v = self.v0 + self.h * data.qacc
        self.v_free = self.v0 + self.h * np.linalg.solve(self.A, data.qfrc_smooth)
        self.inverse = np.diag(1 / np.diag(self.A))

    def impulses(self, v):
        """gamma of every row at the velocity v."""
        gamma = np.zeros(self.data.nefc)
        row = 0
        while row < self.data.nefc:
            kind = self.data.efc_type[row]
            count = self.data.contact[int(self.data.efc_id[row])].dim if kind == ELLIPTIC else 1
            rows = slice(row, row + count)
            solve = self.contact if kind in (ELLIPTIC, FRICTIONLESS) else self.scalar
            gamma[rows] = solve(row, self.J[rows] @ v)
            row += count
        return gamma

    def tendon_damping(self, tendon, speed):
        """The slope of (d + d2 |v| + d3 v^2) v where the step begins."""
        quadratic, cubic = self.model.tendon_dampingpoly[tendon]
        return self.model.tendon_damping[tendon] + 2 * quadratic * abs(speed) + 3 * cubic * speed**2

    def push(self, gamma):
        """J' gamma. Rows of dampers are how the engine solves with A, and no impulses on top of it."""
        rows = self.data.efc_type != DAMPER
        return self.J[rows].T @ gamma[rows]

    def weight(self, row):
        return max(self.J[row] @ self.inverse @ self.J[row], 1e-12)

    def equality_weight(self, row):
        """Of three rows of translation or rotation together."""
        kind, number = self.data.efc_type, self.data.efc_id
        first = row
        while first > 0 and kind[first - 1] == EQUALITY and number[first - 1] == number[row]:
            first -= 1
        if self.model.eq_type[self.data.efc_id[row]] not in (torsor.EqualityType.CONNECT, torsor.EqualityType.WELD):
            return self.weight(row)
        rows = slice(row - (row - first) % 3, row - (row - first) % 3 + 3)
        return max(np.linalg.norm(self.J[rows] @ self.inverse @ self.J[rows].T) / 3, 1e-12)

    def scalar(self, row, speed):
        """Equality, dry friction, limit, drive or damper."""
        model, data, h = self.model, self.data, self.h
        kind, number, w = data.efc_type[row], data.efc_id[row], self.weight(row)
        phi = data.efc_pos[row] - data.efc_margin[row]
        if kind == EQUALITY:
            return self.spring(phi, speed, self.equality_weight(row), model.eq_sapstiffness[number],
                               model.eq_sapdissipation[number], held=True)
        if kind in (FRICTION_DOF, FRICTION_TENDON):
            loss = (model.dof_frictionloss if kind == FRICTION_DOF else model.tendon_frictionloss)[number]
            return np.clip(-speed / (model.opt.sap_sigma * w), -h * loss, h * loss)
        if kind == LIMIT_JOINT:
            return np.maximum(0, self.spring(phi, speed, w, model.jnt_sapstiffness[number],
                                             model.jnt_sapdissipation[number]))
        if kind == LIMIT_TENDON:
            return np.maximum(0, self.spring(phi, speed, w, model.tendon_sapstiffness[number],
                                             model.tendon_sapdissipation[number]))
        if kind == DAMPER:
            before = self.J[row] @ self.v0
            return -h * self.tendon_damping(number, before) * (speed - before)
        assert kind == DRIVE
        return self.drive(number, speed, w)

    def spring(self, phi, speed, w, k, tau, held=False):
        """-h (k phi + k tau v) at the end of the step, near-rigid at most; negative numbers are unset. What is held
        from both sides has a dissipation of one step where it is near-rigid."""
        h, tau = self.h, self.h if tau < 0 else tau
        R = 1 / (h * k * (h + tau)) if k > 0 else 0
        if R < near_rigid(NEAR_RIGID, w):
            R, tau = near_rigid(NEAR_RIGID, w), h if held else tau
        return (-phi / (h + tau) - speed) / R

    def drive(self, actuator, speed, w):
        """h u with u = Kp (target - q0 - h v) + Kd (-v), within the actuator's range, as a change from its middle."""
        model, data, h = self.model, self.data, self.h
        _, b1, b2 = model.actuator_biasprm[actuator, :3]
        free = model.actuator_gainprm[actuator, 0] * data.ctrl[actuator] + model.actuator_biasprm[actuator, 0]
        limited = model.actuator_forcelimited[actuator]
        low, high = model.actuator_forcerange[actuator] if limited else (-np.inf, np.inf)
        centre = 0.5 * (low + high) if limited else 0
        u = free + b1 * (data.actuator_length[actuator] + h * speed) + b2 * speed
        gain = -h * b1 - b2
        scale = min(1, 1 / (h * gain) / near_rigid(NEAR_RIGID, w))
        return h * np.clip(scale * (u - centre), low - centre, high - centre)

    def contact(self, row, velocity):
        """Normal first, then tangents, spin and rolling."""
        model, h, contact = self.model, self.h, self.data.contact[int(self.data.efc_id[row])]
        phi, dim, mu = contact.dist - contact.includemargin, contact.dim, np.array(contact.friction)
        k, tau = contact.stiffness, contact.dissipation
        if dim == 1:
            w = max(self.J[row] @ self.inverse @ self.J[row] / np.sqrt(3), 1e-12)
        else:
            block = self.J[row : row + 3] @ self.inverse @ self.J[row : row + 3].T
            w = max(np.linalg.norm(block) / 3, 1e-12)
        Rn = max(near_rigid(model.opt.sap_beta, w), 1 / (h * k * (h + tau)))
        Rt = model.opt.sap_sigma * w
        yn = (-phi / (h + tau) - velocity[0]) / Rn
        if dim == 1:
            return np.maximum(0, [yn])
        # in the variables gamma_i / mu_i friction is a round cone of coefficient 1
        m = mu[: dim - 1]
        y = -velocity[1:] * m / (Rt * mu[0] ** 2)
        yr, hat = np.linalg.norm(y), Rt * mu[0] ** 2 / Rn
        if yr <= yn:
            return np.array([yn, *(y * m)])
        if yn <= -hat * yr:
            return np.zeros(dim)
        normal = (yn + hat * yr) / (1 + hat)
        return np.array([normal, *(normal * y / yr * m)])

    def residual(self):
        """|A (v - v*) - J' gamma| at the solution, of the scale of momentum, weighed by diag(A)^-1/2."""
        gamma = self.impulses(self.v)
        D = np.sqrt(np.diag(self.inverse))
        difference = D * (self.A @ (self.v - self.v_free) - self.push(gamma))
        scale = max(np.linalg.norm(D * (self.A @ self.v)), np.linalg.norm(D * self.push(gamma)))
        return np.linalg.norm(difference) / scale


def tendon_jacobian(model, data):
    J = np.zeros((model.ntendon, model.nv))
    for tendon in range(model.ntendon):
        span = slice(model.ten_J_rowadr[tendon], model.ten_J_rowadr[tendon] + model.ten_J_rownnz[tendon])
        J[tendon, model.ten_J_colind[span]] = np.ravel(data.ten_J)[span]
    return J


def dense_jacobian(model, data):
    J = np.zeros((data.nefc, model.nv))
    if data.nefc and torsor.is_sparse(model):
        for row in range(data.nefc):
            span = slice(data.efc_J_rowadr[row], data.efc_J_rowadr[row] + data.efc_J_rownnz[row])
            J[row, data.efc_J_colind[span]] = np.ravel(data.efc_J)[span]
        return J
    return np.array(data.efc_J).reshape(data.nefc, model.nv)
