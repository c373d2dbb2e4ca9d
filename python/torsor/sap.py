"""The SAP solver on buffers of joint coordinates, in the style of SAP Warp.

    >>> import torsor
    >>> from torsor import sap
    >>> ball = "<mujoco><worldbody><geom type='plane' size='1 1 1'/>"
    >>> ball += "<body pos='0 0 1'><freejoint/><geom size='0.1'/></body></worldbody></mujoco>"
    >>> solver = sap.SapSolver(torsor.Model.from_xml_string(ball))
    >>> now, next, control = solver.state(), solver.state(), solver.control()
    >>> contacts = solver.collide(now)
    >>> solver.step(now, next, control, contacts, 0.01)
    >>> next.joint_qd.round(4)
    array([ 0.    ,  0.    , -0.0981,  0.    ,  0.    ,  0.    ])

Positions are packed joint by joint, quaternions x y z w; SapBoundary.joint_q_start has the start of each joint.
Buffers of velocities and forces are labelled with the order of free joints and wrenches:

    public    linear first, at the centre of mass; the order of state() and control()
    sap       angular first, at the body's origin; the default of SapState() and SapControl()
              body_f in this order is the internal residual, minus the wrench

Joints other than free ones are the same in both. Conversions are those of SapBoundary: at the current orientation
before a step, at the new one after it.
"""

from __future__ import annotations

import copy
from dataclasses import dataclass, field

import numpy
from numpy.typing import NDArray

from torsor._core import Data, Model, SapContacts, _SapControl, _SapSolver, _SapState

__all__ = ["SapContacts", "SapControl", "SapSolver", "SapState"]


def _empty() -> NDArray[numpy.float64]:
    return numpy.zeros(0)


@dataclass
class SapState:
    """Coordinates and velocities of all joints, poses of and wrenches on all bodies but the world.

    >>> sap.SapState(joint_q=numpy.zeros(1), joint_qd=numpy.zeros(1)).joint_qd_order
    'sap'
    """

    joint_q: NDArray[numpy.float64] = field(default_factory=_empty)
    joint_qd: NDArray[numpy.float64] = field(default_factory=_empty)
    body_q: NDArray[numpy.float64] = field(default_factory=_empty)  # (bodies, 7), written by step(), not read
    body_f: NDArray[numpy.float64] = field(default_factory=_empty)  # (bodies, 6), read by step(); may be empty
    joint_qd_order: str = "sap"
    body_f_order: str = "sap"
    model: int = field(default=0, repr=False)  # which model it belongs to; 0: not known

    def clear_forces(self) -> None:
        """Set body_f to zero."""
        self.body_f[...] = 0

    def _inside(self) -> _SapState:
        numbers = [_numbers(name, getattr(self, name)) for name in ("joint_q", "joint_qd", "body_f")]
        return _SapState(*numbers, self.joint_qd_order, self.body_f_order, self.model)


@dataclass
class SapControl:
    """Forces on joints, and controls of the model's actuators: setpoints of drives, forces of motors.

    >>> sap.SapControl().joint_f_order
    'sap'
    """

    joint_f: NDArray[numpy.float64] = field(default_factory=_empty)  # as joint_qd; may be empty
    ctrl: NDArray[numpy.float64] = field(default_factory=_empty)  # of the actuators; may be empty
    joint_f_order: str = "sap"
    model: int = field(default=0, repr=False)

    def _inside(self) -> _SapControl:
        joint_f, ctrl = _numbers("joint_f", self.joint_f), _numbers("ctrl", self.ctrl)
        return _SapControl(joint_f, ctrl, self.joint_f_order, self.model)


def _numbers(name: str, values: object) -> list[float]:
    try:
        return numpy.asarray(values, dtype=numpy.float64).ravel().tolist()
    except (TypeError, ValueError) as error:
        raise ValueError(f"{name} must be numbers: {error}") from None


class SapSolver:
    """The SAP solver of a model.

    `model` is a copy whose options (sap_beta, sap_sigma, sap_stiffness, sap_dissipation, sap_tolerance, iterations) may
    be changed; `data` holds contacts, forces and counts of the last step.

    >>> solver = sap.SapSolver(model)
    >>> solver.model.opt.solver == torsor.Solver.SAP
    True
    """

    def __init__(self, model: Model) -> None:
        self.model = copy.copy(model)
        self.data = Data(self.model)
        self._solver = _SapSolver(self.model, self.data)

    def __repr__(self) -> str:
        return f"<SapSolver of {self.model!r}>"

    def state(self) -> SapState:
        """The model's reference pose at rest, in public order.

        >>> sap.SapSolver(model).state().joint_qd_order
        'public'
        """
        made = self._solver.state()
        return SapState(made.joint_q, made.joint_qd, made.body_q, made.body_f, "public", "public", made.model)

    def control(self) -> SapControl:
        """A control without forces, in public order.

        >>> sap.SapSolver(model).control().joint_f_order
        'public'
        """
        made = self._solver.control()
        return SapControl(made.joint_f, made.ctrl, "public", made.model)

    def collide(self, state: SapState) -> SapContacts:
        """Find the contacts of a state, for step().

        >>> solver = sap.SapSolver(model)
        >>> solver.collide(solver.state()).count
        0
        """
        return self._solver.collide(self.model, self.data, state._inside())

    def step(
        self,
        state_in: SapState,
        state_out: SapState,
        control: SapControl | None,
        contacts: SapContacts | None,
        dt: float,
    ) -> None:
        """Advance state_in by dt and write joint_q, joint_qd and body_q of state_out, in state_out's own order.

        Both may be the same object. Contacts are used as given; None means no contacts. Raises torsor.Error, with
        state_out unchanged, if dt is not positive, a size does not fit, or a state or its contacts belong elsewhere.

        >>> solver = sap.SapSolver(model)
        >>> state = solver.state()
        >>> solver.step(state, state, None, None, 0.01)
        """
        result = _SapState([], [], [], state_out.joint_qd_order, state_out.body_f_order, state_out.model)
        given = control._inside() if control else None
        self._solver.step(self.model, self.data, state_in._inside(), result, given, contacts, dt)
        for name in ("joint_q", "joint_qd", "body_q"):
            made, kept = getattr(result, name), getattr(state_out, name)
            if isinstance(kept, numpy.ndarray) and kept.shape == made.shape and kept.dtype == made.dtype:
                kept[...] = made
            else:
                setattr(state_out, name, made)

    @property
    def converged(self) -> bool:
        """Whether the solver reached its tolerance in every island in the last step."""
        return self.data.solver_unconverged == 0
