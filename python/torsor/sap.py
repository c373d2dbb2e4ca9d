"""The SAP solver on buffers of joint coordinates, in the style of SAP Warp.

    >>> from torsor import newton, sap
    >>> builder = newton.ModelBuilder()
    >>> body = builder.add_body(xform=newton.transform((0, 0, 1)), mass=1.0, inertia=numpy.eye(3))
    >>> solver = sap.SapSolver(builder.finalize())
    >>> now, next, control = solver.state(), solver.state(), solver.control()
    >>> contacts = solver.collide(now)
    >>> solver.step(now, next, control, contacts, 0.01)
    >>> next.joint_qd.round(4)
    array([ 0.    ,  0.    , -0.0981,  0.    ,  0.    ,  0.    ])

A model comes from Newton's builder (torsor.newton.ModelBuilder) or from MJCF (torsor.Model). Positions are packed
joint by joint, quaternions x y z w; joint_q_start has the start of each joint. Buffers of velocities and forces are
labelled with the order of free and distance joints and of wrenches:

    public    linear first, at the centre of mass; the order of state() and control()
    sap       angular first, at the body's origin; the default of SapState() and SapControl()
              body_f in this order is the internal residual, minus the wrench

Other joints are the same in both. Conversions are those of SapBoundary: at the current orientation before a step, at
the new one after it. Buffers may be float32 or float64; the solver computes in float64. With a first axis of worlds, a
call steps many worlds.
"""

from __future__ import annotations

import copy
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy
from numpy.typing import DTypeLike, NDArray

from torsor import _sap_buffers as buffers
from torsor._core import (Data, Model, SapBoundary, SapContacts, _newton, _sap_contacts_of, _sap_engine_of,
                          _sap_has_parent_axes, _SapSolver)
from torsor._error import Error

if TYPE_CHECKING:
    from torsor import newton

__all__ = ["SapBoundary", "SapContacts", "SapControl", "SapSolver", "SapState", "sap_contacts_from_newton",
           "sap_control_from_newton", "sap_state_from_newton"]


def _empty() -> NDArray[Any]:
    return numpy.zeros(0)


@dataclass
class SapState:
    """Coordinates and velocities of all joints; poses, velocities and wrenches of all bodies but the world.

    Arrays of float32 or float64. body_q and body_qd (velocity of the centre of mass, angular velocity, in the world)
    are written by step() and not read; body_f is read, and may be empty.

    >>> sap.SapState(joint_q=numpy.zeros(1), joint_qd=numpy.zeros(1)).joint_qd_order
    'sap'
    """

    joint_q: NDArray[Any] = field(default_factory=_empty)
    joint_qd: NDArray[Any] = field(default_factory=_empty)
    body_q: NDArray[Any] = field(default_factory=_empty)  # (bodies, 7)
    body_qd: NDArray[Any] = field(default_factory=_empty)  # (bodies, 6)
    body_f: NDArray[Any] = field(default_factory=_empty)  # (bodies, 6)
    joint_qd_order: str = "sap"
    body_f_order: str = "sap"
    model: int = field(default=0, repr=False)  # which model it belongs to; 0: not known

    def clear_forces(self) -> None:
        """Set body_f to zero.

        >>> solver.state().clear_forces()
        """
        self.body_f[...] = 0

    def assign(self, other: SapState) -> None:
        """Copy the numbers and the orders of another state with buffers of the same shapes.

        >>> solver.state().assign(solver.state())
        """
        _assign(self, other, ("joint_q", "joint_qd", "body_q", "body_qd", "body_f"))
        self.joint_qd_order, self.body_f_order = other.joint_qd_order, other.body_f_order


@dataclass
class SapControl:
    """Inputs of a step, one number per axis (as joint_qd has them; fixed joints have none). Any buffer may be empty.

    joint_target_pos and joint_target_vel are for the drives of models of Newton's builder (empty: the model's own
    targets), ctrl is for actuators from MJCF: setpoints of drives, forces of motors.

    >>> sap.SapControl().joint_f_order
    'sap'
    """

    joint_f: NDArray[Any] = field(default_factory=_empty)
    joint_target_pos: NDArray[Any] = field(default_factory=_empty)
    joint_target_vel: NDArray[Any] = field(default_factory=_empty)
    joint_act: NDArray[Any] = field(default_factory=_empty)  # added to joint_f, not for free and distance joints
    joint_f_order: str = "sap"
    ctrl: NDArray[Any] = field(default_factory=_empty)
    model: int = field(default=0, repr=False)

    def clear(self) -> None:
        """Set all inputs to zero.

        >>> solver.control().clear()
        """
        for name in _CONTROL:
            getattr(self, name)[...] = 0


_CONTROL = ("joint_f", "joint_target_pos", "joint_target_vel", "joint_act", "ctrl")


def _assign(to: Any, other: Any, names: Sequence[str]) -> None:
    for name in names:
        if numpy.shape(getattr(to, name)) != numpy.shape(getattr(other, name)):
            raise Error(f"{name} has shape {numpy.shape(getattr(to, name))}, not {numpy.shape(getattr(other, name))}")
    for name in names:
        getattr(to, name)[...] = getattr(other, name)


def _core_of(wrapper: Any) -> Any:
    """The engine's object of a state or of contacts of torsor.newton; anything else as it is."""
    core = getattr(wrapper, "_core", None)
    return wrapper if core is None else core


def sap_state_from_newton(state: newton.State) -> SapState:
    """A state in public order that shares the arrays of a newton.State: a step that writes one writes the other.

    >>> sap.sap_state_from_newton(scene.state()).joint_qd_order
    'public'
    """
    if _sap_has_parent_axes(_core_of(state)):
        raise Error("joint_qd of this state is in the axes of parent anchors, that of a SapState in the world's: "
                    "finalize the model without version=PARENT_AXES, or copy the arrays of solver.state()")
    return SapState(state.joint_q, state.joint_qd, state.body_q, state.body_qd, state.body_f, "public", "public")


def sap_control_from_newton(control: newton.Control) -> SapControl:
    """A control in public order that shares the arrays of a newton.Control.

    >>> sap.sap_control_from_newton(scene.control()).joint_f_order
    'public'
    """
    return SapControl(control.joint_f, control.joint_target_pos, control.joint_target_vel, control.joint_act, "public",
                      control.ctrl)


def sap_contacts_from_newton(contacts: newton.Contacts) -> SapContacts:
    """A copy of the contacts that scene.collide() found. Steps accept newton.Contacts, too.

    >>> sap.sap_contacts_from_newton(scene.collide(scene.state())).rigid_contact_count
    0
    """
    return _sap_contacts_of(_core_of(contacts))


class SapSolver:
    """The SAP solver of a model of Newton's builder, or of a torsor.Model.

    `engine` is a copy of the engine's model whose options (sap_beta, sap_sigma, sap_stiffness, sap_dissipation,
    sap_tolerance, iterations) may be changed; for a torsor.Model it is `model`, too. `data` holds contacts, forces and
    counts of the last step of a single world.

    >>> solver = sap.SapSolver(model)
    >>> solver.engine.opt.solver == torsor.Solver.SAP
    True
    """

    def __init__(self, model: Model | newton.Model, *, iterations: int | None = None,
                 tolerance: float | None = None) -> None:
        core = getattr(model, "_core", None)
        if isinstance(model, Model):
            self.model = self.engine = copy.copy(model)
            self.data = Data(self.engine)
            self._solver = _SapSolver(self.engine, self.data)
        elif isinstance(core, _newton.Model):
            self.model = model
            self.engine = _sap_engine_of(core)
            self.data = Data(self.engine)
            self._solver = _SapSolver(core, self.engine, self.data)
        else:
            raise Error("SapSolver takes a torsor.Model or a model of torsor.newton.ModelBuilder, "
                        f"not {type(model).__name__}")
        if iterations is not None:
            self.engine.opt.iterations = iterations
        if tolerance is not None:
            self.engine.opt.sap_tolerance = tolerance
        self._worlds = 0  # of the last step

    def __repr__(self) -> str:
        return f"<SapSolver of {self.model!r}>"

    @property
    def joint_q_start(self) -> list[int]:
        """The start of each joint's coordinates, followed by the total.

        Of a model of Newton's builder: all joints, fixed ones without numbers, the axes of a D6 joint as one segment.
        """
        return self._solver.joint_q_start

    @property
    def joint_qd_start(self) -> list[int]:
        """The start of each joint's velocities, followed by the total."""
        return self._solver.joint_qd_start

    def state(self, worlds: int | None = None, dtype: DTypeLike = numpy.float64) -> SapState:
        """The model's reference pose at rest, in public order; with a first axis for that many worlds if given.

        >>> sap.SapSolver(model).state(worlds=3, dtype=numpy.float32).joint_q.shape[0]
        3
        """
        made = [_spread(array, worlds, dtype) for array in self._solver.state()]
        return SapState(*made, "public", "public", self._solver.signature)

    def control(self, worlds: int | None = None, dtype: DTypeLike = numpy.float64) -> SapControl:
        """A control without forces, with the model's targets, in public order.

        Without an axis of worlds a control is good for all worlds of a call.

        >>> sap.SapSolver(model).control().joint_f_order
        'public'
        """
        joint_f, position, velocity, act, ctrl = (_spread(array, worlds, dtype) for array in self._solver.control())
        return SapControl(joint_f, position, velocity, act, "public", ctrl, self._solver.signature)

    def collide(self, state: SapState, *, worlds: Sequence[int] | None = None, threads: int = 1) -> Any:
        """Find the contacts of a state, for step(): SapContacts, or a list of them for a state of many worlds.

        >>> solver = sap.SapSolver(model)
        >>> solver.collide(solver.state()).rigid_contact_count
        0
        """
        total = buffers.world_count(state.joint_q)
        numbers = buffers.check_worlds(worlds, total)
        given = _state_tuple(state, total, numbers)
        found = self._solver.collide(self.engine, self.data, given, (total, numbers, threads))
        return found if total else found[0]

    def step(self, state_in: SapState, state_out: SapState, control: SapControl | None, contacts: Any,
             dt: float | Sequence[float], *, worlds: Sequence[int] | None = None, threads: int = 1) -> None:
        """Advance state_in by dt; write joint_q, joint_qd, body_q and body_qd of state_out, in state_out's own order.

        Both may be the same object. Contacts are used as given; None means no contacts. Raises torsor.Error, with
        state_out unchanged, if dt is not positive, a buffer does not fit, or a state or its contacts belong elsewhere.

        If the arrays have a first axis of worlds, all worlds take the step, or those listed, on this many threads (0:
        one per core). Each has the bits that it would have alone. dt may have one entry for each world of the call, and
        contacts is a list of as many (None: no contacts). An error in one world leaves all worlds unchanged.

        >>> solver = sap.SapSolver(model)
        >>> state = solver.state(worlds=4)
        >>> solver.step(state, state, None, solver.collide(state), 0.01, threads=2)
        """
        total = buffers.world_count(state_in.joint_q)
        numbers = buffers.check_worlds(worlds, total)
        targets = self._targets(state_out, total)
        points = _list_contacts(contacts, total, len(numbers))
        times = numpy.atleast_1d(numpy.asarray(dt, dtype=numpy.float64)).ravel()
        if len(times) != 1 and (total == 0 or len(times) != len(numbers)):
            raise Error(f"dt has {len(times)} numbers; the call steps {max(len(numbers), 1)} worlds")
        if total and any(getattr(self.data, name) is not None for name in _CALLBACKS):
            raise Error("callbacks of solver.data are called for a single world only: remove them, or step a single world")
        made = self._solver.step(self.engine, self.data, _state_tuple(state_in, total, numbers),
                                 state_out.joint_qd_order, state_out.model, _control_tuple(control, total, numbers),
                                 points, times.tolist(), (total, numbers, threads))
        for (name, (array, shape)), rows in zip(targets.items(), made, strict=True):
            if array is None:
                array = numpy.zeros(shape)
                setattr(state_out, name, array)
            buffers.write_rows(array, rows, total, numbers)
        self._worlds = total

    def _targets(self, state_out: SapState, total: int) -> dict[str, tuple[Any, tuple[int, ...]]]:
        if state_out.model not in (0, self._solver.signature):
            raise Error("state_out belongs to another model: make it with this solver's state()")
        nq, nv, bodies = self._solver.sizes
        shapes = {"joint_q": (nq,), "joint_qd": (nv,), "body_q": (bodies, 7), "body_qd": (bodies, 6)}
        if total:
            shapes = {name: (total, *shape) for name, shape in shapes.items()}
        return {name: (buffers.check_target(name, getattr(state_out, name), shape), shape)
                for name, shape in shapes.items()}

    @property
    def converged(self) -> bool:
        """Whether the solver reached its tolerance in every island, and every world, of the last step."""
        return self._solver.converged(self._worlds) if self._worlds else self.data.solver_unconverged == 0


_CALLBACKS = ("control", "passive", "contact_filter", "act_dyn", "act_gain", "act_bias", "user_sensor")


def _spread(array: NDArray[numpy.float64], worlds: int | None, dtype: DTypeLike) -> NDArray[Any]:
    if numpy.dtype(dtype) not in buffers.FLOATS:
        raise Error(f"a buffer holds float32 or float64, not {numpy.dtype(dtype)}")
    if worlds is None:
        return array.astype(dtype)
    if worlds < 1:
        raise Error(f"there must be at least one world, not {worlds}")
    return numpy.broadcast_to(array, (worlds, *array.shape)).astype(dtype, order="C")


def _state_tuple(state: SapState, total: int, worlds: Sequence[int]) -> tuple[Any, ...]:
    rows = [buffers.read_rows(name, getattr(state, name), total, worlds) for name in ("joint_q", "joint_qd", "body_f")]
    return (*rows, state.joint_qd_order, state.body_f_order, state.model)


def _control_tuple(control: SapControl | None, total: int, worlds: Sequence[int]) -> tuple[Any, ...] | None:
    if control is None:
        return None
    rows = [buffers.read_rows(name, getattr(control, name), total, worlds, shared=True) for name in _CONTROL]
    return (*rows, control.joint_f_order, control.model)


def _list_contacts(contacts: Any, total: int, count: int) -> list[SapContacts | None]:
    """One entry for each world of the call; none at all for no contacts."""
    contacts = _core_of(contacts)
    if contacts is None:
        return []
    if total == 0:
        contacts = [contacts]
    elif isinstance(contacts, (SapContacts, _newton.Contacts)):
        raise Error(f"the call steps {count} worlds: contacts must be a list of as many, as collide() returns it")
    if len(contacts) != count and total:
        raise Error(f"contacts has {len(contacts)} entries; the call steps {count} worlds")
    cores = [_core_of(each) for each in contacts]
    found = [_sap_contacts_of(each) if isinstance(each, _newton.Contacts) else each for each in cores]
    for each in found:
        if each is not None and not isinstance(each, SapContacts):
            raise Error(f"contacts must come from collide(), not be a {type(each).__name__}")
    return found
