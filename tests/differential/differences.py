"""Derivatives of both engines: MuJoCo's own functions, and differences of whole steps, which they stand for."""

import mujoco
import numpy as np

import states

KEPT = ("time", "qpos", "qvel", "act", "plastic", "ctrl", "history", "qacc_warmstart", "mocap_pos", "mocap_quat", "userdata",
        "qfrc_applied", "xfrc_applied")


def transition_of_judge(model, data, eps, centered):
    """mjd_transitionFD as A, B, C, D."""
    size = 2 * model.nv + model.na
    A, B = np.zeros((size, size)), np.zeros((size, model.nu))
    C, D = np.zeros((model.nsensordata, size)), np.zeros((model.nsensordata, model.nu))
    sensors = (C, D) if model.nsensordata else (None, None)
    mujoco.mjd_transitionFD(model, data, eps, centered, A, B, *sensors)
    return A, B, C, D


def inverse_of_judge(model, data, eps):
    """mjd_inverseFD by qpos, qvel and qacc, one column per input."""
    results = [np.zeros((model.nv, model.nv)) for _ in range(3)]
    mujoco.mjd_inverseFD(model, data, eps, False, *results, None, None, None, None)
    return [result.T for result in results]


class Steps:
    """Centred differences of whole steps of one engine, nothing reused."""

    def __init__(self, engine, model, data):
        self.engine, self.model, self.data = engine, model, data
        self.start = {name: np.array(getattr(data, name)) for name in KEPT}

    def after(self, moved):
        self.engine.reset(self.model, self.data)
        states.apply(self.data, {**self.start, **moved})
        self.engine.step(self.model, self.data)
        rest = [np.array(getattr(self.data, name)) for name in ("qvel", "act", "sensordata")]
        return np.array(self.data.qpos), np.concatenate(rest)

    def forces(self):
        """Of the constraint rows."""
        self.after({})
        forces = np.array(self.data.efc_force)
        self.engine.reset(self.model, self.data)
        states.apply(self.data, self.start)
        return forces

    def noise(self, eps):
        """What a solver leaves of where it started, as a difference would see it."""
        other = self.after({"qacc_warmstart": np.zeros(self.model.nv)})
        return max(np.abs(a - b).max(initial=0) for a, b in zip(self.after({}), other)) / eps

    def column(self, move, eps):
        before, after = self.after(move(-eps)), self.after(move(eps))
        change = self.engine.differentiate_pos(self.model, 2 * eps, before[0], after[0])
        return np.concatenate([change, (after[1] - before[1]) / (2 * eps)])

    def columns(self, eps):
        """Of qpos, qvel, act, then ctrl where it does not meet the edge of its range; others are NaN."""
        moves = [self.mover("qpos", i) for i in range(self.model.nv)]
        for name in ("qvel", "act", "ctrl"):
            moves += [self.mover(name, i) for i in range(len(self.start[name]))]
        blank = np.full(2 * self.model.nv + self.model.na + self.model.nsensordata, np.nan)
        return np.array([blank if self.at_edge(i, eps) else self.column(move, eps)
                         for i, move in enumerate(moves)]).T.reshape(len(blank), len(moves))

    def at_edge(self, index, eps):
        control = index - 2 * self.model.nv - self.model.na
        if control < 0 or not self.model.actuator_ctrllimited[control]:
            return False
        value, (low, high) = self.start["ctrl"][control], self.model.actuator_ctrlrange[control]
        return min(abs(value - low), abs(value - high)) <= 4 * eps

    def mover(self, name, index):
        def move(by):
            if name == "qpos":
                direction = np.zeros(self.model.nv)
                direction[index] = 1
                qpos = np.array(self.start["qpos"])
                return {"qpos": np.array(self.engine.integrate_pos(self.model, qpos, direction, by))}
            value = np.array(self.start[name])
            value[index] += by
            return {name: value}
        return move


def as_columns(A, B, C, D):
    return np.block([[A, B], [C, D]])
