"""mujoco.rollout on torsor.rollout: many simulations from given states under given controls."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy
from numpy.typing import ArrayLike, NDArray

import torsor
from torsor.mujoco import FatalError, MjData, MjModel

CTRL = int(torsor.StateBit.CTRL)
INPUTS = int(torsor.StateBit.USER)
FULL = int(torsor.StateBit.FULLPHYSICS)


class Rollout:
    """Runs rollouts on a number of threads, 0 for the calling one; a context manager, as in MuJoCo.

    >>> model = torsor.mujoco.MjModel.from_xml_string("<mujoco/>")
    >>> with torsor.mujoco.rollout.Rollout() as runner:
    ...     states, sensordata = runner.rollout(model, torsor.mujoco.MjData(model), [[0.0]], nstep=3)
    >>> states.shape
    (1, 3, 1)
    """

    def __init__(self, *, nthread: int | None = None):
        self._nthread = int(nthread or 0)
        self._is_open = True

    def __enter__(self) -> Rollout:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Ends the use of its threads.

        >>> torsor.mujoco.rollout.Rollout().close()
        """
        self._is_open = False

    def rollout(self, model: MjModel | Sequence[MjModel], data: MjData | Sequence[MjData], initial_state: ArrayLike,
                control: ArrayLike | None = None, *, control_spec: int = CTRL, skip_checks: bool = False,
                nstep: int | None = None, initial_warmstart: ArrayLike | None = None, state: NDArray[Any] | None = None,
                sensordata: NDArray[Any] | None = None, chunk_size: int | None = None
                ) -> tuple[NDArray[Any], NDArray[Any]]:
        """States after every step and sensor readings of every step: nbatch x nstep x ...

        >>> model = torsor.mujoco.MjModel.from_xml_string("<mujoco/>")
        >>> runner = torsor.mujoco.rollout.Rollout()
        >>> runner.rollout(model, torsor.mujoco.MjData(model), [0.0], nstep=2)[0].shape
        (1, 2, 1)
        """
        if not self._is_open:
            raise RuntimeError("rollout requested after thread pool shutdown")
        targets = self._checked_data(data)
        if chunk_size is not None and not _is_count(chunk_size, 1):
            raise ValueError("chunk_size must be a positive integer")
        models = list(model) if isinstance(model, Sequence) else [model]
        if not models or not all(isinstance(each, MjModel) for each in models):
            raise ValueError("model must be an MjModel or a list of MjModel")
        if control_spec & ~INPUTS:
            raise ValueError("control_spec can only contain bits in mjSTATE_USER")
        if skip_checks and len(models) > 1 and isinstance(initial_state, numpy.ndarray) and initial_state.ndim == 2:
            models = models[:len(initial_state)]  # as many as there are states
        sizes = _Sizes(nstep, len(models))
        first = sizes.take("initial_state", initial_state, 2, torsor.state_size(models[0], FULL))
        inputs = sizes.take("control", control, 3, torsor.state_size(models[0], control_spec))
        warm = sizes.take("initial_warmstart", initial_warmstart, 2, models[0].nv)
        sizes.take("state", state, 3, torsor.state_size(models[0], FULL), is_output=True)
        sizes.take("sensordata", sensordata, 3, models[0].nsensordata, is_output=True)
        nbatch, steps = sizes.known[0] or 1, 1 if sizes.known[1] is None else sizes.known[1]
        try:
            states, readings = torsor.rollout(
                models[0] if len(models) == 1 else models, _repeated(first, nbatch, None), _repeated(inputs, nbatch, steps),
                nstep=steps, initial_warmstart=_repeated(warm, nbatch, None), control_signature=control_spec,
                nthread=max(1, self._nthread), states=state, sensordata=sensordata)
        except torsor.Error as error:
            raise FatalError(str(error)) from None
        assert readings is not None
        _stop_where_reset(states, readings)
        if states.size:  # MuJoCo leaves the last state in the data that it used
            torsor.set_state(models[-1], targets[0], states[-1, -1], FULL)
            targets[0].sensordata[:] = readings[-1, -1]
            if inputs is not None:
                torsor.set_state(models[-1], targets[0], numpy.ascontiguousarray(inputs[-1, -1]), control_spec)
        return states, readings

    def _checked_data(self, data: MjData | Sequence[MjData]) -> list[MjData]:
        targets = list(data) if isinstance(data, Sequence) else [data]
        if not targets:
            raise ValueError("The list of data instances is empty")
        if not all(isinstance(each, MjData) for each in targets):
            raise ValueError("data must be an MjData or a list of MjData")
        for index, each in enumerate(targets):
            if each._threads > 0:
                raise ValueError(f"data[{index}] has a thread pool, which rollouts cannot use")
        if self._nthread == 0 and len(targets) > 1:
            raise ValueError("More than one data instance passed but rollout is configured to run on main thread")
        if self._nthread > 0 and len(targets) != self._nthread:
            raise ValueError(f"Length of data: {len(targets)} not equal to nthread: {self._nthread}")
        return targets


def _stop_where_reset(states: NDArray[Any], readings: NDArray[Any]) -> None:
    """A simulation that was reset because of bad numbers ends there: what follows repeats the state after the reset."""
    if states.shape[1] < 2:
        return
    for row in numpy.flatnonzero((numpy.diff(states[:, :, 0], axis=1) < 0).any(axis=1)):
        first = int(numpy.argmax(numpy.diff(states[row, :, 0]) < 0)) + 1
        states[row, first:], readings[row, first:] = states[row, first], readings[row, first]


def _is_count(value: object, least: int) -> bool:
    return isinstance(value, (int, numpy.integer)) and not isinstance(value, bool) and value >= least


class _Sizes:
    """nbatch and nstep, which every argument may determine; all that do must agree. Outputs determine them exactly."""

    def __init__(self, nstep: int | None, nmodel: int):
        if nstep is not None and not _is_count(nstep, 0):
            raise ValueError("nstep must be non-negative, and an integer")
        self.known: list[int | None] = [nmodel if nmodel > 1 else None, nstep]

    def take(self, name: str, value: Any, ndim: int, last: int, is_output: bool = False) -> NDArray[Any] | None:
        if value is None:
            return None
        if isinstance(value, (int, float, numpy.number, Sequence)) and not isinstance(value, (str, bytes)):
            value = numpy.asarray(value, dtype=numpy.float64)
        if not isinstance(value, numpy.ndarray):
            raise ValueError(f"{name} must be a numpy array or float")
        if value.ndim > ndim or (is_output and value.ndim != ndim):
            raise ValueError(f"{name} can have at most {ndim} dimensions")
        if is_output and (value.dtype != numpy.float64 or not value.flags.c_contiguous):
            raise ValueError(f"{name} must be a contiguous array of float64")
        array = value if is_output else numpy.asarray(value, dtype=numpy.float64).reshape((1,) * (ndim - value.ndim) + value.shape)
        if array.shape[-1] != last:
            raise ValueError(f"trailing dimension of {name} must be {last}, got {array.shape[-1]}")
        for dimension in range(ndim - 1):
            self._infer(name, dimension, array.shape[dimension], is_output)
        return array

    def _infer(self, name: str, dimension: int, size: int, is_output: bool) -> None:
        known = self.known[dimension]
        if size == 1 and not (is_output and known not in (None, 1)):
            return
        if known not in (None, size) and not (known == 1 and not is_output and dimension == 0):
            raise ValueError(f"dimension {dimension} inferred as {known} but {name} has {size}")
        self.known[dimension] = size


def _repeated(array: NDArray[Any] | None, nbatch: int, nstep: int | None) -> NDArray[Any] | None:
    if array is None:
        return None
    shape = (nbatch, array.shape[-1]) if nstep is None else (nbatch, nstep, array.shape[-1])
    return numpy.ascontiguousarray(numpy.broadcast_to(array, shape))


def rollout(model: MjModel | Sequence[MjModel], data: MjData | Sequence[MjData], initial_state: ArrayLike,
            control: ArrayLike | None = None, *, control_spec: int = CTRL, skip_checks: bool = False,
            nstep: int | None = None, initial_warmstart: ArrayLike | None = None, state: NDArray[Any] | None = None,
            sensordata: NDArray[Any] | None = None, chunk_size: int | None = None, persistent_pool: bool = False
            ) -> tuple[NDArray[Any], NDArray[Any]]:
    """States and sensor readings of simulations, one thread per MjData that is passed.

    >>> model = torsor.mujoco.MjModel.from_xml_string("<mujoco/>")
    >>> torsor.mujoco.rollout.rollout(model, torsor.mujoco.MjData(model), [0.0], nstep=2)[0][0, :, 0]
    array([0.002, 0.004])
    """
    del persistent_pool  # threads are always kept
    nthread = len(data) if isinstance(data, Sequence) and len(data) > 1 else 0
    return Rollout(nthread=nthread).rollout(
        model, data, initial_state, control, control_spec=int(control_spec), skip_checks=skip_checks, nstep=nstep,
        initial_warmstart=initial_warmstart, state=state, sensordata=sensordata, chunk_size=chunk_size)


def shutdown_persistent_pool() -> None:
    """Does nothing: the threads of the package end with the program.

    >>> torsor.mujoco.rollout.shutdown_persistent_pool()
    """
