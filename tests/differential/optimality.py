"""Whether accelerations and forces solve the constraint problem, by its optimality conditions alone.

With z = J a - aref + R f, forces f are optimal when M (a - a_smooth) = J' f, each f is in its set K, each z in the dual
of K, and f'z = 0. K is a line for equalities, an interval for dry friction, a half line for limits, frictionless
contacts and edges of pyramids, and f_n >= |f_t / mu| for elliptic cones, whose dual is z_n >= |mu z_t|."""

import numpy as np

import rows

EQUALITY, FRICTION_DOF, FRICTION_TENDON, ELLIPTIC = 0, 1, 2, 7
CONSTANT_PARTS = ("type", "R", "aref", "frictionloss", "force")


class Residual:
    """Largest violations, relative to the largest force and the largest residual acceleration of the problem."""

    def __init__(self, engine, model, data, sparse):
        self.J = rows.dense_jacobian(model, data, sparse)
        self.M = np.asarray(engine.full_m(model, data))
        self.row = {name: np.array(getattr(data, f"efc_{name}")) for name in CONSTANT_PARTS}
        self.force = self.row["force"]
        self.z = self.J @ np.array(data.qacc) - self.row["aref"] + self.row["R"] * self.force
        self.worst = {"dynamics": self._dynamics(data)}
        unforced = self.J @ np.array(data.qacc_smooth) - self.row["aref"]
        self.force_scale = max(np.max(np.abs(self.force), initial=0.0), 1e-9)
        self.z_scale = max(np.max(np.abs(unforced), initial=0.0), 1e-9)
        cones = {int(c.efc_address): c for c in data.contact if c.efc_address >= 0}
        index = 0
        while index < len(self.force):
            kind = int(self.row["type"][index])
            width = int(cones[index].dim) if kind == ELLIPTIC else 1
            self._judge_block(kind, slice(index, index + width), cones.get(index))
            index += width

    def _dynamics(self, data):
        left = self.M @ (np.array(data.qacc) - np.array(data.qacc_smooth))
        right = self.J.T @ self.force
        return np.max(np.abs(left - right), initial=0.0) / max(np.max(np.abs(right), initial=0.0), 1e-9)

    def _note(self, name, value):
        self.worst[name] = max(self.worst.get(name, 0.0), float(value))

    def _judge_block(self, kind, place, contact):
        force, z = self.force[place] / self.force_scale, self.z[place] / self.z_scale
        if kind == EQUALITY:
            self._note("equality", abs(z[0]))
        elif kind in (FRICTION_DOF, FRICTION_TENDON):
            self._judge_friction(force[0], z[0], self.row["frictionloss"][place][0] / self.force_scale)
        elif kind == ELLIPTIC:
            friction = np.array(contact.friction)[:len(force) - 1]
            self._note("cone", np.linalg.norm(force[1:] / friction) - force[0])
            self._note("dual cone", np.linalg.norm(friction * z[1:]) - z[0])
            self._note("complementarity of cones", abs(force @ z))
        else:
            self._note("push", -force[0])
            self._note("pull apart", -z[0])
            self._note("complementarity", abs(force[0] * z[0]))

    def _judge_friction(self, force, z, loss):
        """A force inside its interval stops the motion, one at its end opposes it."""
        self._note("friction", abs(force) - loss)
        self._note("friction opposes", min(abs(z), max(loss - force, 0.0) if z < 0 else max(loss + force, 0.0)))

    def largest(self):
        return max(self.worst.values())
