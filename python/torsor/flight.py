"""Free flight of a rigid aircraft under loads that your own code computes, in the names and units of Ptera Software.

    >>> from torsor import flight
    >>> glider = flight.FreeFlight(mass=2.0, I_BP1_CgP1=numpy.diag([0.4, 0.2, 0.5]), position_E_Eo=[0, 0, -100],
    ...                            velocity_E__E=[15, 0, 0])
    >>> glider.apply_loads([0, 0, -19.6133], axes="body")
    >>> glider.step(100)
    >>> glider.get_state().position_E_Eo.round(6)
    array([  15.,    0., -100.])

Earth axes (E) are x north, y east, z down; body axes (BP1) x forward, y right, z down; geometry axes (GP1) x aft, y
right, z up; wind axes (W) have x along the velocity through the air. Angles are in degrees, angular velocities in
degrees per second and in body axes. Names read as in Ptera Software: R_pas_E_to_BP1 turns components in Earth axes into
components in body axes.

The engine's world is Earth axes: model and data of a FreeFlight can be used like any others.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

import numpy
from numpy.typing import ArrayLike, NDArray

from torsor._core import (
    Data,
    Model,
    _Aircraft,
    _CoupledStep,
    _FixedPoint,
    _FixedPointOptions,
    _FlightLoads,
    _FlightSnapshot,
    _FlightState,
    _FreeFlight,
)
from torsor._error import Error

__all__ = ["CouplingReport", "FixedPoint", "FixedPointRecord", "FlightLoads", "FlightState", "FreeFlight", "MuJoCoModel",
           "Snapshot"]

Array = NDArray[numpy.float64]
ZERO = (0.0, 0.0, 0.0)

# Letters of Ptera Software for the axes.
AXES = {"E": "earth", "BP1": "body", "GP1": "geometry", "W": "wind"}
_TRANSFORMATIONS = {f"T_pas_{a}_CgP1_to_{b}_CgP1": (AXES[a], AXES[b]) for a in AXES for b in AXES if a != b}
_ROTATIONS = {f"R_pas_{a}_to_{b}": (AXES[a], AXES[b]) for a in AXES for b in AXES if a != b}
_NAMES = ("position_E_Eo", "R_pas_E_to_BP1", "velocity_E__E", "omegas_BP1__E", "time", "quat_act_E_to_BP1_wxyz",
          "R_pas_BP1_to_E", "omegas_E__E", "angles_E_to_BP1_izyx", "wind_E__E", "airspeed", "alpha", "beta",
          "alpha_textbook", "beta_textbook")


class FlightState(Mapping):
    """Position, orientation and velocities of an aircraft; what else they imply is derived. Cannot be changed.

    Values are attributes, and items as in the dictionary that Ptera Software's get_state() returns. The orientation is
    given as a quaternion (w first), as angles (roll, pitch, yaw), or as R_pas_E_to_BP1.

    >>> state = flight.FlightState(angles_E_to_BP1_izyx=[0, 90, 0], omegas_BP1__E=[10, 0, 0])
    >>> state["R_pas_BP1_to_E"].round(12)[:, 0]
    array([ 0.,  0., -1.])
    >>> state.omegas_E__E.round(12)
    array([  0.,   0., -10.])
    """

    def __init__(self, position_E_Eo: ArrayLike = ZERO, velocity_E__E: ArrayLike = ZERO, omegas_BP1__E: ArrayLike = ZERO,
                 *, angles_E_to_BP1_izyx: ArrayLike | None = None, quat_act_E_to_BP1_wxyz: ArrayLike | None = None,
                 R_pas_E_to_BP1: ArrayLike | None = None, time: float = 0.0, wind_E__E: ArrayLike = ZERO) -> None:
        quat = _orientation(angles_E_to_BP1_izyx, quat_act_E_to_BP1_wxyz, R_pas_E_to_BP1)
        self._inside = _FlightState(position_E_Eo, quat, velocity_E__E, omegas_BP1__E, float(time), wind_E__E, 0)

    @classmethod
    def _of(cls, inside: _FlightState) -> FlightState:
        state = cls.__new__(cls)
        state._inside = inside
        return state

    @classmethod
    def from_vector(cls, x: ArrayLike, form: str) -> FlightState:
        """The state of twelve numbers: position, angles, velocity, angular velocity.

        form "state" has angles in degrees and the angular velocity in body axes, in degrees per second; "coupling", of
        Ptera Software's strong coupling, has radians, and the angular velocity in Earth axes.

        >>> x = flight.FlightState(angles_E_to_BP1_izyx=[0, 0, 90], omegas_BP1__E=[180, 0, 0]).to_vector("coupling")
        >>> flight.FlightState.from_vector(x, "coupling").omegas_BP1__E.round(12)
        array([180.,   0.,   0.])
        """
        return cls._of(_FlightState.from_vector(x, form))

    def to_vector(self, form: str) -> Array:
        """The twelve numbers that from_vector() reads.

        >>> state = flight.FlightState([1, 2, 3], [4, 5, 6], angles_E_to_BP1_izyx=[0, 0, 90], omegas_BP1__E=[180, 0, 0])
        >>> state.to_vector("state").round(6)
        array([  1.,   2.,   3.,   0.,   0.,  90.,   4.,   5.,   6., 180.,   0.,   0.])
        >>> state.to_vector("coupling").round(6)[9:]
        array([0.      , 3.141593, 0.      ])
        """
        return self._inside.to_vector(form)

    def R_pas(self, from_axes: str, to_axes: str) -> Array:
        """The matrix that turns components in one set of axes into those in another.

        Axes are earth, body, geometry, wind and wind_textbook.

        >>> flight.FlightState(angles_E_to_BP1_izyx=[0, 0, 90]).R_pas("earth", "body").round(12) @ [0, 1, 0]
        array([1., 0., 0.])
        """
        return self._inside.R_pas(from_axes, to_axes)

    def T_pas(self, from_axes: str, to_axes: str) -> Array:
        """The same as a homogeneous matrix (4, 4) between axes whose origins are both the CG.

        >>> flight.FlightState().T_pas("body", "geometry").diagonal()
        array([-1.,  1., -1.,  1.])
        """
        matrix = numpy.eye(4)
        matrix[:3, :3] = self.R_pas(from_axes, to_axes)
        return matrix

    @property
    def position_E_Eo(self) -> Array:
        """Position of the CG from the Earth origin, in Earth axes, m."""
        return self._inside.position_E_Eo

    @property
    def velocity_E__E(self) -> Array:
        """Velocity of the CG in Earth axes, m/s."""
        return self._inside.velocity_E__E

    @property
    def omegas_BP1__E(self) -> Array:
        """Angular velocity in body axes, degrees per second."""
        return self._inside.omegas_BP1__E

    @property
    def omegas_E__E(self) -> Array:
        """Angular velocity in Earth axes, degrees per second."""
        return self._inside.omegas_E__E

    @property
    def quat_act_E_to_BP1_wxyz(self) -> Array:
        """Orientation as a quaternion, w first: turns the Earth axes into the body axes."""
        return self._inside.quat_act_E_to_BP1_wxyz

    @property
    def angles_E_to_BP1_izyx(self) -> Array:
        """Roll, pitch and yaw in degrees, applied z, y', x''. At a pitch of 90 degrees roll is zero."""
        return self._inside.angles_E_to_BP1_izyx

    @property
    def time(self) -> float:
        """Time, s."""
        return self._inside.time

    @property
    def wind_E__E(self) -> Array:
        """Velocity of the air in Earth axes, m/s."""
        return self._inside.wind_E__E

    @property
    def air_velocity_BP1(self) -> Array:
        """Velocity of the CG through the air in body axes, m/s."""
        return self._inside.air_velocity_BP1

    @property
    def airspeed(self) -> float:
        """Size of the velocity through the air, m/s."""
        return self._inside.airspeed

    @property
    def alpha(self) -> float:
        """Angle of attack as Ptera Software has it, degrees: asin(w / V). NaN without airspeed."""
        return self._inside.alpha

    @property
    def beta(self) -> float:
        """Angle of sideslip as Ptera Software has it, degrees: atan2(v, u). NaN without airspeed."""
        return self._inside.beta

    @property
    def alpha_textbook(self) -> float:
        """Angle of attack as textbooks have it, degrees: atan2(w, u). NaN without airspeed."""
        return self._inside.alpha_textbook

    @property
    def beta_textbook(self) -> float:
        """Angle of sideslip as textbooks have it, degrees: asin(v / V). NaN without airspeed."""
        return self._inside.beta_textbook

    # R_pas_E_to_BP1, T_pas_W_CgP1_to_E_CgP1 and so on
    def __getattr__(self, name: str) -> Array:
        if name in _ROTATIONS:
            return self.R_pas(*_ROTATIONS[name])
        if name in _TRANSFORMATIONS:
            return self.T_pas(*_TRANSFORMATIONS[name])
        raise AttributeError(f"a FlightState has no '{name}'")

    def __getitem__(self, name: str) -> Array | float:
        if name in _NAMES or name in _ROTATIONS or name in _TRANSFORMATIONS:
            return getattr(self, name)
        raise KeyError(name)

    def __iter__(self) -> Iterator[str]:
        return iter(_NAMES)

    def __len__(self) -> int:
        return len(_NAMES)

    def _numbers(self) -> tuple:
        inside = self._inside
        return (inside.position_E_Eo, inside.quat_act_E_to_BP1_wxyz, inside.velocity_E__E, inside.omegas_BP1__E,
                inside.time, inside.wind_E__E, inside.aircraft)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, FlightState):
            return NotImplemented
        return all(numpy.array_equal(a, b) for a, b in zip(self._numbers(), other._numbers()))

    def __hash__(self) -> int:
        return hash((self.time, *self.position_E_Eo))

    def __reduce__(self):
        return _state_from, self._numbers()

    def __repr__(self) -> str:
        return (f"<FlightState at {self.time:.6g} s: position {self.position_E_Eo.round(3)} m, angles "
                f"{self.angles_E_to_BP1_izyx.round(3)} deg, velocity {self.velocity_E__E.round(3)} m/s>")


def _state_from(*numbers) -> FlightState:
    return FlightState._of(_FlightState(*numbers))


def _orientation(angles, quat, matrix) -> ArrayLike:
    given = [name for name, value in (("angles_E_to_BP1_izyx", angles), ("quat_act_E_to_BP1_wxyz", quat),
                                      ("R_pas_E_to_BP1", matrix)) if value is not None]
    if len(given) > 1:
        raise Error(f"the orientation is given twice: {' and '.join(given)}")
    if quat is not None:
        return quat
    if matrix is not None:
        return _quat_of(numpy.asarray(matrix, dtype=float))
    x = numpy.zeros(12)
    if angles is not None:
        x[3:6] = _three("angles_E_to_BP1_izyx", angles)
    return _FlightState.from_vector(x, "state").quat_act_E_to_BP1_wxyz


def _quat_of(R_pas_E_to_BP1: Array) -> Array:
    from torsor import mat_to_quat

    if R_pas_E_to_BP1.shape != (3, 3) or not numpy.allclose(R_pas_E_to_BP1 @ R_pas_E_to_BP1.T, numpy.eye(3), atol=1e-6) \
            or numpy.linalg.det(R_pas_E_to_BP1) < 0:
        raise Error("R_pas_E_to_BP1 is not a rotation matrix (3, 3)")
    return mat_to_quat(numpy.ascontiguousarray(R_pas_E_to_BP1.T))


def _three(name: str, value: ArrayLike) -> Array:
    array = numpy.asarray(value, dtype=float)
    if array.shape != (3,):
        raise ValueError(f"{name}: expected shape (3,), got {array.shape}")
    return array


@dataclass(frozen=True)
class FlightLoads:
    """Loads on one body: a force in N, and a moment in N m about a point. See FreeFlight.apply_loads().

    >>> flight.FlightLoads([0, 0, -10], axes="wind").axes
    'wind'
    """

    forces: ArrayLike
    moments: ArrayLike = ZERO
    axes: str = "earth"
    point: ArrayLike = ZERO
    body: str = ""

    def _make(self) -> _FlightLoads:
        return _FlightLoads(self.forces, self.moments, self.axes, self.point, self.body)


class Snapshot:
    """Everything that the next steps of a FreeFlight depend on, to the bit; made by FreeFlight.save_state().

    >>> snapshot = glider.save_state()
    >>> glider.step(10)
    >>> glider.restore_state(snapshot)
    >>> glider.time
    0.0
    """

    def __init__(self, inside: _FlightSnapshot) -> None:
        self._inside = inside

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Snapshot) and self._numbers() == other._numbers()

    def __hash__(self) -> int:
        return hash(self._numbers())

    def _numbers(self) -> tuple[bytes, int]:
        return self._inside.numbers.tobytes(), self._inside.aircraft

    def __reduce__(self):
        return _snapshot_from, (self._inside.numbers, self._inside.aircraft)

    def __repr__(self) -> str:
        return f"<Snapshot of {self._inside.numbers.size} numbers>"


def _snapshot_from(numbers, aircraft) -> Snapshot:
    return Snapshot(_FlightSnapshot(list(numbers), aircraft))


class FixedPointRecord(NamedTuple):
    """One iteration: weighted norm of the residual, what it had to be at most, factor of the update that followed.

    >>> flight.FixedPointRecord(residual=0.1, bound=1e-6, relaxation=0.5).relaxation
    0.5
    """

    residual: float
    bound: float
    relaxation: float


class FixedPoint:
    """Finds x = G(x) by relaxed iteration, with a constant factor or Aitken's.

    For codes that couple two solvers within a time step. Converged when the weighted norm of G(x) - x is at most
    relative_tolerance times that of x - x_start, plus absolute_tolerance.

    >>> iteration = flight.FixedPoint(weights=[1.0])
    >>> x = numpy.array([1.0])
    >>> iteration.start(x)
    >>> while not iteration.ended:
    ...     x = iteration.update(x, 6 - 5 * x + 0.1 * x**2)  # plain iteration diverges: the slope is -5
    >>> iteration.converged, len(iteration.history), float(x.round(4)[0])
    (True, 5, 1.0172)
    """

    def __init__(self, weights: ArrayLike, *, relaxation: float = 0.5, aitken: bool = True,
                 relative_tolerance: float = 1e-6, absolute_tolerance: float = 1e-12, max_iterations: int = 50,
                 min_relaxation: float = 1e-4, max_relaxation: float = 2.0) -> None:
        options = _FixedPointOptions(relaxation, aitken, relative_tolerance, absolute_tolerance, max_iterations,
                                     min_relaxation, max_relaxation)
        self._inside = _FixedPoint(list(numpy.asarray(weights, dtype=float).ravel()), options)

    def start(self, x: ArrayLike) -> None:
        """Begin an iteration from the state at the start of the step; clears the history.

        >>> flight.FixedPoint([1.0, 1.0]).start([0, 0])
        """
        self._inside.start(list(numpy.asarray(x, dtype=float).ravel()))

    def update(self, x: ArrayLike, image: ArrayLike) -> Array:
        """The next x, from x and image = G(x); the image itself once converged.

        >>> iteration = flight.FixedPoint([1.0], relaxation=0.25)
        >>> iteration.start([0])
        >>> iteration.update([0], [8])
        array([2.])
        """
        x = numpy.asarray(x, dtype=float)
        image = numpy.asarray(image, dtype=float)
        return self._inside.update(list(x.ravel()), list(image.ravel())).reshape(x.shape)

    @property
    def converged(self) -> bool:
        """Whether the last residual passed the test."""
        return self._inside.has_converged

    @property
    def ended(self) -> bool:
        """Whether the iteration has converged or used up max_iterations."""
        return self._inside.has_ended

    @property
    def history(self) -> list[FixedPointRecord]:
        """One record for each update."""
        return [FixedPointRecord(*record) for record in self._inside.history]

    def __repr__(self) -> str:
        return f"<FixedPoint: {len(self.history)} iterations, {'converged' if self.converged else 'not converged'}>"


@dataclass(frozen=True)
class CouplingReport:
    """The outcome of FreeFlight.step_coupled().

    >>> glider.step_coupled(lambda trial: [-0.1 * trial.velocity_E__E, [0, 0, 0]]).converged
    True
    """

    converged: bool
    accepted: bool  # else the flight is where the step began
    history: list[FixedPointRecord] = field(repr=False)
    problem: str = ""

    @property
    def iterations(self) -> int:
        """How often the loads were evaluated."""
        return len(self.history)


Loads = FlightLoads | Sequence[ArrayLike] | Sequence[FlightLoads]


def _loads_of(value: Loads) -> list[_FlightLoads]:
    """Of one FlightLoads, of a pair of force and moment in Earth axes, or of a list of FlightLoads."""
    if isinstance(value, FlightLoads):
        return [value._make()]
    items = list(value)
    if items and all(isinstance(item, FlightLoads) for item in items):
        return [item._make() for item in items]
    if len(items) != 2:
        raise Error("loads are a FlightLoads, a list of them, or a force and a moment in Earth axes")
    return [FlightLoads(items[0], items[1])._make()]


class FreeFlight:
    """A rigid aircraft in free flight.

    Built from its mass (kg), its inertia matrix about the CG in body axes (kg m^2), and its initial position,
    orientation (angles, quaternion or matrix, as in FlightState) and velocities. `g_E` is gravity in Earth axes,
    `wind_E__E` the velocity of the air. `extra_xml` adds fragments of MJCF: "body" and "worldbody" inside these elements,
    "default", "asset", "visual", "contact", "equality", "tendon", "actuator" and "sensor" as whole sections; `assets` are
    the files that they name. Numbers in fragments are in Earth axes in the world, in body axes in the aircraft. With
    exact_inertia=False principal axes are as MuJoCo computes them, which differs from the given matrix by up to 1e-7.

    >>> ball = flight.FreeFlight(mass=1, I_BP1_CgP1=numpy.eye(3), velocity_E__E=[10, 0, -9.80665], delta_time=0.01)
    >>> ball.step(100)
    >>> ball.get_state().position_E_Eo.round(6)
    array([10.      ,  0.      , -4.903325])
    """

    def __init__(self, *, mass: float, I_BP1_CgP1: ArrayLike, position_E_Eo: ArrayLike = ZERO,
                 angles_E_to_BP1_izyx: ArrayLike | None = None, velocity_E__E: ArrayLike = ZERO,
                 omegas_BP1__E: ArrayLike = ZERO, g_E: ArrayLike = (0.0, 0.0, 9.80665), wind_E__E: ArrayLike = ZERO,
                 delta_time: float = 0.01, integrator: str = "RK4", name: str = "aircraft",
                 quat_act_E_to_BP1_wxyz: ArrayLike | None = None, R_pas_E_to_BP1: ArrayLike | None = None,
                 extra_xml: Mapping[str, str] | None = None, assets: Mapping[str, bytes] | None = None,
                 exact_inertia: bool = True) -> None:
        start = FlightState(position_E_Eo, velocity_E__E, omegas_BP1__E, angles_E_to_BP1_izyx=angles_E_to_BP1_izyx,
                            quat_act_E_to_BP1_wxyz=quat_act_E_to_BP1_wxyz, R_pas_E_to_BP1=R_pas_E_to_BP1,
                            wind_E__E=wind_E__E)
        self._aircraft = _Aircraft(name, mass, I_BP1_CgP1, start._inside, g_E, delta_time, integrator,
                                   dict(extra_xml or {}), None if assets is None else dict(assets), exact_inertia)
        self._name = name
        self._model = self._aircraft.model()
        self._data = Data(self._model)
        self._inside = _FreeFlight(self._aircraft, self._model, self._data)

    def apply_loads(self, forces: ArrayLike, moments: ArrayLike = ZERO, *, axes: str = "earth", point: ArrayLike = ZERO,
                    body: str = "") -> None:
        """Set the loads on the aircraft, or on another body of the model, in place of earlier ones.

        A force in N, and a moment in N m about `point`, in m from the CG. All three are in the same axes: earth, body,
        geometry, wind or wind_textbook. Loads are converted at the present orientation; from then on they are constant in
        Earth axes until they are replaced.

        >>> glider.apply_loads([0, 0, -10], point=[0.5, 0, 0], axes="body")
        >>> glider.loads.moments
        array([0., 5., 0.])
        """
        self._inside.apply_loads(FlightLoads(forces, moments, axes, point, body)._make())

    def clear_loads(self) -> None:
        """Remove the loads on all bodies.

        >>> glider.clear_loads()
        """
        self._inside.clear_loads()

    @property
    def loads(self) -> FlightLoads:
        """The loads on the aircraft as they act: about the CG, in Earth axes."""
        found = self._inside.get_loads("")
        return FlightLoads(found.forces, found.moments)

    def step(self, count: int = 1) -> None:
        """Advance by `count` steps of delta_time under the present loads.

        Raises Error if the numbers become too large; the state is then that before the step that failed.

        >>> glider.step()
        >>> glider.time
        0.01
        """
        if count < 0:
            raise Error(f"count must not be negative, got {count}")
        for _ in range(count):
            status = self._inside.step()
            if status != 0:
                problem = "there is no memory for its contacts" if status == 3 else "its numbers are not finite"
                raise Error(f"the step at {self.time:.6g} s was not taken: {problem}")

    def get_state(self) -> FlightState:
        """The present state.

        >>> glider.get_state()["velocity_E__E"]
        array([15.,  0.,  0.])
        """
        return FlightState._of(self._inside.get_state())

    def set_state(self, state: FlightState) -> None:
        """Set position, orientation, velocities and time; loads stay. The wind is that of the aircraft.

        Raises Error for a state that was read from another aircraft.

        >>> glider.set_state(flight.FlightState([0, 0, -50], [20, 0, 0], angles_E_to_BP1_izyx=[0, 5, 0]))
        >>> glider.get_state().angles_E_to_BP1_izyx.round(9)
        array([0., 5., 0.])
        """
        self._inside.set_state(state._inside)

    def reset(self) -> None:
        """Back to the initial state at time zero, without loads.

        >>> glider.reset()
        """
        self._inside.reset()

    def save_state(self) -> Snapshot:
        """A snapshot of the state and the loads, exact to the bit.

        >>> glider.save_state() == glider.save_state()
        True
        """
        return Snapshot(self._inside.save())

    def restore_state(self, snapshot: Snapshot) -> None:
        """Go back to a snapshot; the steps that follow are the same to the bit. Raises Error for that of another aircraft.

        >>> glider.restore_state(glider.save_state())
        """
        if not isinstance(snapshot, Snapshot):
            raise Error(f"restore_state() takes what save_state() returned, not {type(snapshot).__name__}")
        self._inside.restore(snapshot._inside)

    def step_coupled(self, loads: Callable[[FlightState], Loads], *, relaxation: float = 0.5, aitken: bool = True,
                     relative_tolerance: float = 1e-6, absolute_tolerance: float = 1e-12, max_iterations: int = 50,
                     min_relaxation: float = 1e-4, max_relaxation: float = 2.0, reference_length: float = 1.0,
                     accept_unconverged: bool = False) -> CouplingReport:
        """One step whose loads depend on the state at its end (strong coupling).

        `loads(trial)` returns the loads at a trial state at the end of the step: a FlightLoads, a list of them for
        several bodies, or a force and a moment in Earth axes. It is called until loads and motion agree. Positions are
        weighed by 1 / reference_length, angles by 1, rates by the time step. If it does not converge, or if `loads` raises
        an exception, the flight is back at the start of the step.

        >>> added_mass, before = 10.0, glider.get_state().velocity_E__E  # five times the mass of the glider
        >>> def water(trial):
        ...     return -added_mass * (trial.velocity_E__E - before) / 0.01, [0, 0, 0]
        >>> report = glider.step_coupled(water)
        >>> glider.get_state().velocity_E__E.round(9), round(9.80665 * 0.01 * 2 / (2 + 10), 9)
        (array([15.        ,  0.        ,  0.01634442]), 0.016344417)
        """
        options = _FixedPointOptions(relaxation, aitken, relative_tolerance, absolute_tolerance, max_iterations,
                                     min_relaxation, max_relaxation)
        start = self._inside.save()
        coupled = _CoupledStep(self._inside, options, reference_length, accept_unconverged)
        try:
            while not coupled.submit(_loads_of(loads(FlightState._of(coupled.trial)))):
                pass
            converged, accepted, history, problem = coupled.finish()
        except BaseException:
            coupled.finish()
            self._inside.restore(start)
            raise
        if not accepted:
            raise Error(problem)
        return CouplingReport(converged, accepted, [FixedPointRecord(*record) for record in history], problem)

    @property
    def model(self) -> Model:
        """The model, in Earth axes."""
        return self._model

    @property
    def data(self) -> Data:
        """The data: controls, sensors, coordinates of other joints."""
        return self._data

    @property
    def name(self) -> str:
        """Name of the aircraft and of its body."""
        return self._name

    @property
    def time(self) -> float:
        """Time, s."""
        return self._data.time

    @property
    def delta_time(self) -> float:
        """Length of a step, s."""
        return self._model.opt.timestep

    @property
    def xml(self) -> str:
        """The model as MJCF."""
        return self._aircraft.mjcf()

    def __repr__(self) -> str:
        return f"<FreeFlight '{self._name}': {self.get_state()!r}>"


class MuJoCoModel:
    """Takes the place of Ptera Software's MuJoCoModel, with the same arguments and methods: Ptera flies on Torsor.

        import pterasoftware, torsor.flight
        pterasoftware.problems._mujoco_model.MuJoCoModel = torsor.flight.MuJoCoModel

    Gravity is zero, since Ptera Software adds the weight to the loads. The orientation that get_state() returns after a
    step is MuJoCo's xmat, as in Ptera Software: that of the last Runge-Kutta stage, which differs slightly from the new
    state. With exact=True it is that of the state.

    >>> engine = flight.MuJoCoModel("glider", 2.0, numpy.zeros(3), numpy.eye(4), numpy.array([15.0, 0, 0]),
    ...                             numpy.diag([0.4, 0.2, 0.5]), 0.01)
    >>> engine.apply_loads(numpy.array([0, 0, 19.6133]), numpy.zeros(3))
    >>> engine.step()
    >>> engine.get_state()["velocity_E__E"]
    array([15.       ,  0.       ,  0.0980665])
    """

    def __init__(self, name: str, mass: float, omegas_BP1__E: ArrayLike, T_pas_BP1_CgP1_to_E_CgP1: ArrayLike,
                 vCg_E__E: ArrayLike, I_BP1_CgP1: ArrayLike, delta_time: float, integrator: str = "RK4",
                 extra_xml: Mapping[str, str] | None = None, mujoco_assets: Mapping[str, bytes] | None = None, *,
                 exact: bool = False) -> None:
        self._flight = FreeFlight(mass=mass, I_BP1_CgP1=I_BP1_CgP1, velocity_E__E=vCg_E__E, omegas_BP1__E=omegas_BP1__E,
                                  R_pas_E_to_BP1=numpy.asarray(T_pas_BP1_CgP1_to_E_CgP1, dtype=float)[:3, :3].T,
                                  g_E=ZERO, delta_time=delta_time, integrator=integrator, name=name, extra_xml=extra_xml,
                                  assets=mujoco_assets, exact_inertia=False)
        self._exact = exact
        self._refresh()
        self._initial = self._flight.data.qpos.copy(), self._flight.data.qvel.copy()

    def _refresh(self) -> None:
        from torsor import forward

        forward(self._flight.model, self._flight.data)

    @property
    def xml_str(self) -> str:
        """The model as MJCF."""
        return self._flight.xml

    @property
    def body_id(self) -> int:
        """The body of the airplane."""
        return self._flight._inside.body

    @property
    def initial_qpos(self) -> Array:
        """Coordinates at the start."""
        return self._initial[0].copy()

    @property
    def initial_qvel(self) -> Array:
        """Velocities at the start."""
        return self._initial[1].copy()

    def apply_loads(self, forces_E: ArrayLike, moments_E_CgP1: ArrayLike) -> None:
        """Set the force and the moment about the CG, in Earth axes."""
        self._flight.apply_loads(forces_E, moments_E_CgP1)

    def step(self) -> None:
        """Advance by one step."""
        self._flight.step()

    def get_state(self) -> dict[str, Array | float]:
        """position_E_Eo, R_pas_E_to_BP1, velocity_E__E, omegas_BP1__E and time."""
        state = self._flight.get_state()
        result = {name: state[name] for name in ("position_E_Eo", "R_pas_E_to_BP1", "velocity_E__E", "omegas_BP1__E", "time")}
        if not self._exact:
            result["R_pas_E_to_BP1"] = self._flight.data.xmat[self.body_id].reshape(3, 3).T.copy()
        return result

    def reset(self) -> None:
        """Back to the initial state, time zero, no loads."""
        self._flight.reset()
        self._refresh()

    def save_state(self) -> Snapshot:
        """A snapshot for restore_state()."""
        return self._flight.save_state()

    def restore_state(self, state: Snapshot) -> None:
        """Go back to a snapshot."""
        self._flight.restore_state(state)
        self._refresh()

    def __repr__(self) -> str:
        return f"<MuJoCoModel on {self._flight!r}>"
