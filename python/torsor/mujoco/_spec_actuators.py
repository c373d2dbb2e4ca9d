"""MjsActuator.set_to_motor and its like: the values of actuators that MJCF has elements for. [MuJoCo's XML reference, actuator]"""

from __future__ import annotations

import math
from typing import Any

import numpy

from torsor.mujoco._spec_elements import NODES

NONE, INTEGRATOR, FILTER, FILTEREXACT, MUSCLE, DCMOTOR, PID = range(7)
FIXED, AFFINE, GAIN_MUSCLE, GAIN_DCMOTOR, GAIN_SO3, GAIN_PID = range(6)
NO_BIAS, BIAS_AFFINE, BIAS_MUSCLE, BIAS_DCMOTOR, BIAS_SO3 = range(5)
GENERAL, MOTOR, POSITION, VELOCITY, INTVELOCITY, DAMPER, CYLINDER, TYPE_MUSCLE, ADHESION, TYPE_PID, ORIENTATION, TYPE_DCMOTOR = range(12)
MUSCLE_STANDARD = (0.75, 1.05, -1, 200, 0.5, 1.6, 1.5, 1.3, 1.2)


def begin(self: Any) -> None:
    """The parameters of a new actuator: each kind sets some of them."""
    for name in ("gainprm", "biasprm", "dynprm"):
        self._values[name][:] = self._fields[name].default


def settle(self: Any, kind: int, gain: int, bias: int, dynamics: int) -> None:
    self._values.update(type=kind, gaintype=gain, biastype=bias, dyntype=dynamics)


def velocity_feedback(self: Any, kv: float, dampratio: float) -> None:
    if kv >= 0 and dampratio >= 0:
        raise ValueError("kv and dampratio cannot both be defined")
    if kv >= 0:
        self._values["biasprm"][2] = -kv
    elif dampratio >= 0:
        self._values["biasprm"][2] = dampratio


def set_to_motor(self: Any) -> None:
    """Force is the control."""
    begin(self)
    self._values["gainprm"][:] = 0
    self._values["gainprm"][0] = 1
    settle(self, MOTOR, FIXED, NO_BIAS, NONE)


def servo(self: Any, kp: float, kv: float, dampratio: float, inheritrange: float, range_name: str) -> None:
    velocity_feedback(self, kv, dampratio)
    if inheritrange and (self._values[range_name] != 0).any():
        raise ValueError(f"{range_name} and inheritrange cannot both be defined")
    self._values["gainprm"][0], self._values["biasprm"][1] = kp, -kp
    self._values["inheritrange"] = float(inheritrange)


def set_to_position(self: Any, kp: float, kv: float = -1, dampratio: float = -1, timeconst: float = -1,
                    inheritrange: float = False) -> None:
    """A position servo."""
    begin(self)
    servo(self, kp, kv, dampratio, inheritrange, "ctrlrange")
    if timeconst >= 0:
        self._values["dynprm"][0] = timeconst
    settle(self, POSITION, FIXED, BIAS_AFFINE, FILTEREXACT if timeconst > 0 else NONE)


def set_to_intvelocity(self: Any, kp: float, kv: float = -1, dampratio: float = -1, timeconst: float = -1,
                       inheritrange: float = False) -> None:
    """A velocity servo that integrates its control to a position."""
    begin(self)
    servo(self, kp, kv, dampratio, inheritrange, "actrange")
    if timeconst >= 0:
        self._values["dynprm"][0] = timeconst
    settle(self, INTVELOCITY, FIXED, BIAS_AFFINE, INTEGRATOR)


def set_to_orientation(self: Any, kp: float, kv: float = -1, dampratio: float = -1, ctrlspec: int = 0) -> None:
    """An orientation servo."""
    begin(self)
    velocity_feedback(self, kv, dampratio)
    self._values["gainprm"][0], self._values["biasprm"][1] = kp, -kp
    self._values["ctrlspec"] = int(ctrlspec)
    settle(self, ORIENTATION, GAIN_SO3, BIAS_SO3, NONE)


def set_to_pid(self: Any, kp: float, kv: float = -1, dampratio: float = -1, ki: float = -1, imax: float = -1,
               slewmax: float = -1, inheritrange: float = 0, ctrlspec: int = 0) -> None:
    """A PID servo."""
    begin(self)
    velocity_feedback(self, kv, dampratio)
    mine = self._values
    mine["gainprm"][0], mine["biasprm"][1] = max(ki, 0.0), -kp
    mine["dynprm"][0], mine["dynprm"][1] = max(imax, 0.0), max(slewmax, 0.0)
    mine["inheritrange"], mine["ctrlspec"] = float(inheritrange), int(ctrlspec)
    settle(self, TYPE_PID, GAIN_PID, BIAS_AFFINE, PID if ki > 0 or slewmax > 0 else NONE)


def set_to_velocity(self: Any, kv: float) -> None:
    """A velocity servo."""
    begin(self)
    self._values["gainprm"][0] = kv
    self._values["biasprm"][:] = 0
    self._values["biasprm"][2] = -kv
    settle(self, VELOCITY, FIXED, BIAS_AFFINE, NONE)


def set_to_damper(self: Any, kv: float) -> None:
    """Damping that the control scales."""
    begin(self)
    if kv < 0:
        raise ValueError("damping coefficient cannot be negative")
    if (self._values["ctrlrange"] < 0).any():
        raise ValueError("damper control range cannot be negative")
    self._values["gainprm"][:] = 0
    self._values["gainprm"][2] = -kv
    self._values["ctrllimited"] = 1
    settle(self, DAMPER, AFFINE, NO_BIAS, NONE)


def set_to_cylinder(self: Any, timeconst: float, bias: float, area: float, diameter: float = -1) -> None:
    """A pneumatic or hydraulic cylinder."""
    begin(self)
    mine = self._values
    mine["dynprm"][0], mine["biasprm"][0] = timeconst, bias
    mine["gainprm"][0] = math.pi / 4 * diameter**2 if diameter >= 0 else area
    settle(self, CYLINDER, FIXED, BIAS_AFFINE, FILTER)


def set_to_muscle(self: Any, timeconst: Any = (-1.0, -1.0), tausmooth: float | None = None, range: Any = (-1.0, -1.0),
                  force: float = -1, scale: float = -1, lmin: float = -1, lmax: float = -1, vmax: float = -1,
                  fpmax: float = -1, fvmax: float = -1) -> None:
    """A muscle; negative arguments stand for its usual values."""
    begin(self)
    if tausmooth is None:
        raise TypeError("set_to_muscle(): tausmooth must be given")
    if tausmooth < 0:
        raise ValueError("muscle tausmooth cannot be negative")
    dynamics, gain = self._values["dynprm"], self._values["gainprm"]
    dynamics[0] = 0.01 if dynamics[0] == 1 else dynamics[0]
    dynamics[1] = 0.04 if dynamics[1] == 0 else dynamics[1]
    for index, usual in enumerate(MUSCLE_STANDARD):
        if gain[index] == (1 if index == 0 else 0):
            gain[index] = usual
    dynamics[2] = tausmooth
    for index, value in enumerate(timeconst):
        dynamics[index] = value if value >= 0 else dynamics[index]
    for index, value in enumerate((*range, force, scale, lmin, lmax, vmax, fpmax, fvmax)):
        gain[index] = value if value >= 0 else gain[index]
    self._values["biasprm"][:] = gain
    settle(self, TYPE_MUSCLE, GAIN_MUSCLE, BIAS_MUSCLE, MUSCLE)


def set_to_adhesion(self: Any, gain: float) -> None:
    """Contacts of a body that the control pulls together."""
    begin(self)
    if gain < 0:
        raise ValueError("adhesion gain cannot be negative")
    if (self._values["ctrlrange"] < 0).any():
        raise ValueError("adhesion control range cannot be negative")
    self._values["gainprm"][0] = gain
    self._values["ctrllimited"] = 1
    settle(self, ADHESION, FIXED, NO_BIAS, NONE)


def set_to_dcmotor(self: Any, motorconst: Any, resistance: float, nominal: Any = (0.0, 0.0, 0.0),
                   saturation: Any = (0.0, 0.0, 0.0), inductance: Any = (0.0, 0.0), cogging: Any = (0.0, 0.0, 0.0),
                   controller: Any = (0.0,) * 6, thermal: Any = (0.0,) * 6, lugre: Any = (0.0,) * 5, ctrlspec: int = 0) -> None:
    """An electric motor."""
    begin(self)
    made = read_dcmotor(motorconst=motorconst, resistance=resistance, nominal=nominal, saturation=saturation,
                        inductance=inductance, cogging=cogging, controller=controller, thermal=thermal, lugre=lugre)
    for name in ("gainprm", "biasprm", "dynprm"):
        self._values[name][:] = made[name]
    for name in ("forcelimited", "actlimited"):
        self._values[name] = made[name]
    for name in ("forcerange", "actrange"):
        self._values[name][:] = made[name]
    self._values["actdim"], self._values["ctrlspec"] = made["actdim"], int(ctrlspec)
    settle(self, TYPE_DCMOTOR, GAIN_DCMOTOR, BIAS_DCMOTOR, DCMOTOR)


def read_dcmotor(**attributes: Any) -> dict[str, Any]:
    """The values that MJCF's reader makes of <dcmotor>: the formulas are in one place."""
    import torsor._core as core

    given = " ".join(f"{name}='{' '.join(map(repr, map(float, numpy.ravel(value))))}'" for name, value in attributes.items()
                     if numpy.any(numpy.ravel(value)))
    spec = core._Spec.from_xml_string(
        f"<mujoco><worldbody><body><joint name='j'/><geom size='1'/></body></worldbody><actuator><dcmotor joint='j' {given}/>"
        "</actuator></mujoco>")
    return spec.tree()["actuators"][0]


for _function in (set_to_motor, set_to_position, set_to_intvelocity, set_to_orientation, set_to_pid, set_to_velocity,
                  set_to_damper, set_to_cylinder, set_to_muscle, set_to_adhesion, set_to_dcmotor):
    setattr(NODES["actuator"], _function.__name__, _function)
