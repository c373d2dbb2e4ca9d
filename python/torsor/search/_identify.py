"""Identification: values of a model's parameters with which it moves like a log, by nonlinear least squares."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence

import numpy
from numpy.typing import ArrayLike, NDArray

import torsor
from torsor._core import JointType, Model, StateBit, StateMap
from torsor._error import Error
from torsor.cluster._connection import Cluster, find_cluster
from torsor.cluster._errors import Failure
from torsor.cluster._map import map as map_items
from torsor.search._evaluate import whole_number
from torsor.search._parameters import Parameter, as_parameters, with_values

Array = NDArray[numpy.float64]
_DAMPINGS = (0.0, 1e-3, 1e-1, 10.0, 1e3)  # of Levenberg and Marquardt, tried at the same time


class Log:
    """A recorded motion, in the convention of the system that recorded it.

    positions is (rows, nq) and velocities (rows, nv) in the numbers of `convention`, an id of torsor.conventions such as
    "newton" or "isaaclab3"; "mujoco" stands for the model's own. order is the order of its joints, a rule or names,
    where the convention does not specify one. controls, (rows, nu), are those that act from a row to the next one;
    control_kind ("force", "position" or "velocity") converts them too, with driven_joints the joint of each; without it
    they are the model's own. period is the time from a row to the next, by default the timestep of the model.

    >>> log = torsor.search.Log(model, numpy.zeros((5, 2)), numpy.zeros((5, 2)), convention="newton")
    >>> log.qpos.shape, log.steps
    ((5, 2), 1)
    """

    def __init__(self, model: Model, positions: ArrayLike, velocities: ArrayLike, controls: ArrayLike | None = None, *,
                 convention: str = "mujoco", order: str | Sequence[str] | None = None, control_kind: str | None = None,
                 driven_joints: Sequence[str] | None = None, period: float | None = None):
        converter = StateMap(model, convention, "mujoco", source_order=order, driven_joints=driven_joints)
        q, v = _rows("positions", positions, converter.nq_source), _rows("velocities", velocities, model.nv)
        if len(q) != len(v) or len(q) < 2:
            raise Error(f"a log needs two rows or more of positions and of velocities, got {len(q)} and {len(v)}")
        self.qpos: Array = converter.positions(q)
        """positions in the model's own coordinates"""
        self.qvel: Array = converter.velocities(q, v)
        """velocities in the model's own coordinates"""
        if controls is None and model.nu:
            raise Error(f"the model has {model.nu} actuators: the log needs their controls")
        self.ctrl: Array = numpy.zeros((len(q), 0)) if controls is None else _rows("controls", controls, model.nu)
        """controls of the model"""
        if len(self.ctrl) not in (len(q), len(q) - 1):
            raise Error(f"controls has {len(self.ctrl)} rows, positions {len(q)}")
        if control_kind is not None:
            self.ctrl = converter.controls(self.ctrl, control_kind)
        for name, array in (("positions", self.qpos), ("velocities", self.qvel), ("controls", self.ctrl)):
            if not numpy.isfinite(array).all():
                raise Error(f"{name}: the log has numbers that are not finite")
        self.steps: int = _steps_of(model, period)
        """steps of the model from one row to the next"""

    def __len__(self) -> int:
        return len(self.qpos)


def _rows(name: str, values: ArrayLike, width: int) -> Array:
    array = numpy.asarray(values, dtype=float)
    if array.ndim != 2 or array.shape[1] != width:
        raise Error(f"{name}: expected shape (rows, {width}), got {array.shape}")
    return array


def _steps_of(model: Model, period: float | None) -> int:
    if period is None:
        return 1
    ratio = period / model.opt.timestep
    if ratio < 0.5 or abs(ratio - round(ratio)) > 1e-3:
        raise Error(f"the period of the log, {period} s, is not a multiple of the model's timestep, {model.opt.timestep} s")
    return round(ratio)


@dataclasses.dataclass
class Identification:
    """What identify() found.

    >>> found = torsor.search.Identification(["mass.load"], numpy.ones(1), numpy.zeros(1), model, numpy.ones(2), 0.1, True)
    >>> print(found)
    mass.load  1 +- 0
    """

    names: list[str]
    values: Array
    """one value for each parameter"""
    errors: Array
    """standard errors, from how much windows differ; infinite for a parameter that the logs do not show"""
    model: Model
    """the model with these values"""
    costs: Array
    """half the sum of squares before the first iteration and after each"""
    rms: float
    """root mean square of what is left, relative to how much each coordinate moves"""
    converged: bool

    def __str__(self) -> str:
        width = max(map(len, self.names))
        return "\n".join(f"{name:{width}}  {value:.6g} +- {error:.2g}"
                         for name, value, error in zip(self.names, self.values, self.errors, strict=True))


class Residuals:
    """Differences between predictions of a model and logs: sent to workers, called with values of the parameters."""

    def __init__(self, parameters: list[Parameter], logs: list[Log], window: int, model: Model):
        self.parameters, self.window = parameters, window
        self.pieces = [piece for log in logs for piece in _pieces(log, window)]
        moved = numpy.concatenate([_differences(model, log.qpos[:1].repeat(len(log), 0), log.qpos) for log in logs])
        speeds = numpy.concatenate([log.qvel for log in logs])
        self.position_scale, self.velocity_scale = _scale(moved), _scale(speeds)
        self.owners = self._owners(model.nv)

    def _owners(self, nv: int) -> NDArray[numpy.int64]:
        """The window that each number of a residual belongs to."""
        found, first = [], 0
        for qpos, *_ in _grouped(self.pieces):
            windows, rows = qpos.shape[0], qpos.shape[1] - 1
            owner = numpy.repeat(numpy.arange(first, first + windows), rows * nv)
            found += [owner, owner]
            first += windows
        return numpy.concatenate(found)

    def __call__(self, values: Array, model: Model) -> Array:
        changed = with_values(model, self.parameters, values)
        found = []
        for qpos, qvel, ctrl, steps in _grouped(self.pieces):
            start = _starts(changed, qpos[:, 0], qvel[:, 0])
            controls = None if changed.nu == 0 else numpy.repeat(ctrl, steps, axis=1)
            rows = qpos.shape[1] - 1
            states, _ = torsor.rollout(changed, start, controls, nstep=rows * steps, nthread=1, skipsensor=True)
            states = states[:, steps - 1::steps]
            reached = states[:, :, 1:1 + changed.nq].reshape(-1, changed.nq)
            speeds = states[:, :, 1 + changed.nq:1 + changed.nq + changed.nv].reshape(-1, changed.nv)
            off = _differences(changed, qpos[:, 1:].reshape(-1, changed.nq), reached) / self.position_scale
            found += [off.ravel(), ((speeds - qvel[:, 1:].reshape(-1, changed.nv)) / self.velocity_scale).ravel()]
        return numpy.nan_to_num(numpy.concatenate(found), nan=1e6, posinf=1e6, neginf=-1e6)


def _pieces(log: Log, window: int) -> list[tuple]:
    return [(log.qpos[first:first + window + 1], log.qvel[first:first + window + 1], log.ctrl[first:first + window], log.steps)
            for first in range(0, len(log) - 1, window) if first + 1 < len(log)]


def _grouped(pieces: list[tuple]):
    """Pieces of equal length together: one rollout for each group."""
    groups: dict[tuple, list] = {}
    for qpos, qvel, ctrl, steps in pieces:
        groups.setdefault((len(qpos), steps), []).append((qpos, qvel, ctrl[:len(qpos) - 1]))
    for (_, steps), members in groups.items():
        yield *(numpy.stack(arrays) for arrays in zip(*members, strict=True)), steps


def _starts(model: Model, qpos: Array, qvel: Array) -> Array:
    width = torsor.state_size(model, int(StateBit.FULLPHYSICS))
    start = numpy.tile(torsor.get_state(model, torsor.Data(model), StateBit.FULLPHYSICS), (len(qpos), 1))
    start[:, 1:1 + model.nq], start[:, 1 + model.nq:1 + model.nq + model.nv] = qpos, qvel
    assert start.shape[1] == width
    return start


def _differences(model: Model, a: Array, b: Array) -> Array:
    """From a to b, in the coordinates of velocities: rotations have three, not four."""
    if not numpy.isin(model.jnt_type, (int(JointType.FREE), int(JointType.BALL))).any():
        return b - a
    return numpy.array([torsor.differentiate_pos(model, 1.0, one, other) if numpy.isfinite(other).all()
                        else numpy.full(model.nv, numpy.nan) for one, other in zip(a, b, strict=True)])


def _scale(values: Array) -> Array:
    """How much each coordinate moves; 1 for one that does not."""
    spread = numpy.sqrt((values**2).mean(axis=0))
    return numpy.where(spread > 1e-9, spread, 1.0)


def identify(model: Model, parameters: Sequence[str | Parameter], logs: Log | Sequence[Log], *, window: int = 10,
             iterations: int = 20, tolerance: float = 1e-10, cluster: str | Cluster | None = None,
             workers: int | None = None) -> Identification:
    """Values of parameters with which the model moves as in the logs, from those that the model has.

    The model starts from every `window`-th row of each log, predicts the rows up to the next start, and the differences
    to the log, relative to how much each coordinate moves, are made small by the method of Levenberg and Marquardt with
    central differences. Parameters are names, or Parameter objects with bounds. Columns of the Jacobian are
    computed at the same time, on this machine or on a cluster.

    >>> truth = torsor.search.with_values(model, [torsor.search.Parameter("damping.elbow")], [0.7])
    >>> start = numpy.array([0, 0.5, 1, 0, 0])
    >>> states = torsor.rollout(truth, start, nstep=100, controls=numpy.zeros((1, 100, model.nu)))[0][0]
    >>> log = torsor.search.Log(model, states[:, 1:3], states[:, 3:5], numpy.zeros((100, model.nu)))
    >>> found = torsor.search.identify(model, ["damping.elbow"], log)
    >>> float(found.values[0].round(6))
    0.7
    """
    chosen = as_parameters(parameters)
    all_logs = [logs] if isinstance(logs, Log) else list(logs)
    if not all_logs:
        raise Error("at least one log is needed")
    residuals = Residuals(chosen, all_logs, whole_number("window", window), model)
    lower, upper = (numpy.array([getattr(each, side) for each in chosen]) for side in ("lower", "upper"))
    connected = find_cluster(cluster)

    def evaluate(candidates: list[Array]) -> list[Array]:
        return list(map_items(residuals, candidates, model=model, cluster=connected, workers=workers))

    values = numpy.clip([each.get(model) for each in chosen], lower, upper)
    (current,) = _required(evaluate([values]))
    costs, converged, jacobian = [0.5 * current @ current], False, numpy.zeros((current.size, len(chosen)))
    for _ in range(whole_number("iterations", iterations)):
        jacobian = _jacobian(evaluate, values, lower, upper)
        candidates = [numpy.clip(values + step, lower, upper) for step in _steps(jacobian, current)]
        tried = [each if isinstance(each, numpy.ndarray) else None for each in evaluate(candidates)]
        sums = [numpy.inf if each is None else 0.5 * each @ each for each in tried]
        best = int(numpy.argmin(sums))
        converged = sums[best] >= costs[-1] * (1 - tolerance)
        if sums[best] < costs[-1]:
            values, current = candidates[best], tried[best]
            costs.append(sums[best])
        if converged:
            break
    return Identification([each.name for each in chosen], values, _errors(jacobian, current, residuals.owners), with_values(model, chosen, values),
                          numpy.array(costs), float(numpy.sqrt((current**2).mean())), bool(converged))


def _required(found: list) -> list[Array]:
    for each in found:
        if isinstance(each, Failure):
            raise Error(f"the model cannot be simulated with these values: {each.message}")
    return found


def _jacobian(evaluate, values: Array, lower: Array, upper: Array) -> Array:
    """Central differences, one-sided at a bound."""
    steps = 1e-5 * numpy.maximum(numpy.abs(values), 1e-3)
    ends = [(numpy.maximum(values - step, lower), numpy.minimum(values + step, upper)) for step in numpy.diag(steps)]
    found = _required(evaluate([end for pair in ends for end in pair]))
    columns = [(found[2 * i + 1] - found[2 * i]) / (ends[i][1][i] - ends[i][0][i]) for i in range(len(values))]
    return numpy.stack(columns, axis=1)


def _steps(jacobian: Array, residual: Array) -> list[Array]:
    """A step for each damping, in coordinates in which all columns have the same length."""
    lengths = numpy.linalg.norm(jacobian, axis=0)
    lengths[lengths == 0] = 1.0
    scaled = jacobian / lengths
    normal, gradient = scaled.T @ scaled, scaled.T @ residual
    return [-numpy.linalg.lstsq(normal + damping * numpy.eye(len(normal)), gradient, rcond=None)[0] / lengths
            for damping in _DAMPINGS]


def _errors(jacobian: Array, residual: Array, owners: NDArray[numpy.int64]) -> Array:
    """Within a window, all differences share the error of its first row, so that windows are what is independent: the covariance
    is that of a sum over windows. [White 1980, for groups]"""
    lengths = numpy.linalg.norm(jacobian, axis=0)
    seen = lengths > 0
    errors = numpy.full(lengths.size, numpy.inf)
    if not seen.any():
        return errors
    scaled = jacobian[:, seen] / lengths[seen]
    inverse = numpy.linalg.pinv(scaled.T @ scaled)
    windows = int(owners.max()) + 1
    if windows > seen.sum():
        sums = numpy.zeros((windows, int(seen.sum())))
        numpy.add.at(sums, owners, scaled * residual[:, None])
        middle = sums.T @ sums * windows / (windows - seen.sum())
    else:
        middle = scaled.T @ scaled * (residual @ residual) / max(residual.size - seen.sum(), 1)
    errors[seen] = numpy.sqrt(numpy.diag(inverse @ middle @ inverse)) / lengths[seen]
    return errors
