"""Many simulations from given states under given controls, spread over threads."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy
from numpy import float64, int_
from numpy.typing import ArrayLike, NDArray

from torsor import _core
from torsor._core import Model, StateBit

Array = NDArray[float64]


def rollout(model: Model | Sequence[Model], initial_states: ArrayLike, controls: ArrayLike | None = None,
            nstep: int | None = None, *, initial_warmstart: ArrayLike | None = None,
            control_signature: int = StateBit.CTRL, nthread: int | None = None, skipsensor: bool = False,
            progress: bool | Callable[[int, int], object] = False, states: Array | None = None,
            sensordata: Array | None = None, n: int | None = None, threads: int | None = None,
            wide: bool = False, first_seed: int = 0, diverged_at: Array | None = None) -> tuple[Array, Array | None]:
    """Simulate from many initial states under many control sequences; returns (states, sensordata).

    initial_states are rows of StateBit.FULLPHYSICS (time, qpos, qvel, act, history), as get_state() returns them:
    nbatch x nstate, or a single row. controls are nbatch x nstep x ncontrol; dimensions of length 1 are repeated, and
    the first may be omitted. Without controls, inputs are those of a reset Data and nstep must be given.
    control_signature selects the inputs in controls (a sum of StateBit such as CTRL | QFRC_APPLIED).

    states is nbatch x nstep x nstate, after each step. sensordata is nbatch x nstep x nsensordata and belongs to the
    states before each step, as after step(); with skipsensor=True it is None. Arrays of these shapes may be passed for
    the results. model is one Model, or one for each rollout, all of the same structure. The results equal those of a
    loop of step() to the bit, on any number of threads (nthread, or threads; None: one per core); bad numbers reset a
    simulation here too. With wide=True, which needs a single model, simulations run in the lanes of the processor as in
    a Batch: several times faster, and equal to step() up to rounding. n is another name of nstep. Rollout i has the
    seed first_seed + i of the noise of sensors, so that a part of many rollouts can be run alone. diverged_at is an
    array of nbatch numbers for how many steps each had taken when its numbers last went bad, -1 if they never did. progress is True for
    a progress bar, or a function of (steps done, total steps) that is called a few times per second.

    Ctrl-C, or an exception raised by progress, stops all simulations after their current step. The exception
    (KeyboardInterrupt, or that of progress) has the results so far in its attribute `partial`, a PartialRollout:
    states[i, :steps[i]] and sensordata[i, :steps[i]] are computed, later rows are unchanged (0 in new arrays).

    >>> rng = numpy.random.default_rng(0)
    >>> initial = numpy.tile(torsor.get_state(model, data, torsor.StateBit.FULLPHYSICS), (50, 1))
    >>> forces = rng.normal(size=(50, 100, 2))
    >>> states, sensordata = torsor.rollout(model, initial, forces, control_signature=torsor.StateBit.QFRC_APPLIED)
    >>> states.shape, sensordata.shape
    ((50, 100, 5), (50, 100, 0))
    """
    models = [model] if isinstance(model, Model) else list(model)
    for each in models:
        if not isinstance(each, Model):
            raise TypeError(f"model must be a Model or a sequence of them, got {type(each).__name__}")
    if not models:
        raise ValueError("model: expected at least one")
    if wide and len(models) > 1:
        raise ValueError("wide=True needs a single model")
    nthread, nstep = _one_of("threads", threads, "nthread", nthread), _one_of("n", n, "nstep", nstep)
    if first_seed < 0:
        raise ValueError(f"first_seed must not be negative, got {first_seed}")
    if nthread is not None and nthread < 1:
        raise ValueError(f"nthread must be at least 1, got {nthread}")
    sizes = _Sizes(models, nstep)
    initial = sizes.take("initial_states", initial_states, 2,
                         _core.state_size(models[0], int(StateBit.FULLPHYSICS)))
    control = sizes.take("controls", controls, 3, _core.state_size(models[0], int(control_signature)))
    warmstart = sizes.take("initial_warmstart", initial_warmstart, 2, models[0].nv)
    nbatch, steps = sizes.nbatch, sizes.checked_nstep()
    states = sizes.output("states", states, initial.shape[-1])
    readings = None if skipsensor else sizes.output("sensordata", sensordata, models[0].nsensordata)
    taken = numpy.zeros(nbatch)
    if diverged_at is not None and (not isinstance(diverged_at, numpy.ndarray) or diverged_at.shape != (nbatch,)):
        raise ValueError(f"diverged_at: expected an array of shape {(nbatch,)}, got {numpy.shape(diverged_at)}")
    try:
        _core._rollout(models, nbatch, steps, sizes.repeated(initial, (nbatch,)),
                       sizes.repeated(control, (nbatch, steps)), sizes.repeated(warmstart, (nbatch,)),
                       int(control_signature), nthread or 0, states, readings, taken,
                       _reporter(progress, nbatch * steps), wide, first_seed, diverged_at)
    except BaseException as error:
        error.partial = PartialRollout(states, readings, taken.astype(int))
        raise
    return states, readings


def _one_of(name, value, other, other_value):
    """One value of two names for the same argument."""
    if value is not None and other_value is not None:
        raise TypeError(f"{name} and {other} are the same argument: give one of them")
    return other_value if value is None else value


class PartialRollout(NamedTuple):
    """The partial results of a rollout that was stopped: the attribute `partial` of the exception that stopped it.

    >>> def give_up(done, total):
    ...     raise TimeoutError
    >>> initial = torsor.get_state(model, data, torsor.StateBit.FULLPHYSICS)
    >>> try:
    ...     torsor.rollout(model, initial, nstep=10, progress=give_up)
    ... except TimeoutError as error:
    ...     states, sensordata, steps = error.partial
    >>> states.shape, steps.shape
    ((1, 10, 5), (1,))
    """

    states: Array
    sensordata: Array | None
    steps: NDArray[int_]


class _Sizes:
    """nbatch and nstep of the arguments, and error messages if they disagree."""

    def __init__(self, models, nstep):
        if nstep is not None and nstep < 0:
            raise ValueError(f"nstep must not be negative, got {nstep}")
        self.nbatch, self.batch_of = (len(models), "model") if len(models) > 1 else (1, None)
        self.nstep, self.step_of = nstep, "nstep"

    def take(self, name, value, ndim, width):
        """An argument with all its dimensions; None stays None."""
        if value is None:
            return None
        try:
            array = numpy.asarray(value, dtype=float64)
        except (TypeError, ValueError):
            raise ValueError(f"{name}: expected an array of numbers") from None
        shape = array.shape
        expected = "(nbatch, nstep, {})" if ndim == 3 else "(nbatch, {})"
        if len(shape) not in (ndim - 1, ndim) or shape[-1] != width:
            raise ValueError(f"{name}: expected shape {expected.format(width)}, got {shape}")
        array = array.reshape((1,) * (ndim - len(shape)) + shape)
        self._agree_on_batch(name, array.shape[0])
        if ndim == 3:
            self._agree_on_steps(name, array.shape[1])
        return array

    def _agree_on_batch(self, name, count):
        if count == 1:
            return
        if self.batch_of is None:
            self.nbatch, self.batch_of = count, name
        elif count != self.nbatch:
            raise ValueError(f"{name} has {count} rollouts, but {self.batch_of} has {self.nbatch}")

    def _agree_on_steps(self, name, count):
        if self.nstep is None:
            self.nstep, self.step_of = count, name
        elif count not in (1, self.nstep):
            raise ValueError(f"{name} has {count} steps, but {self.step_of} is {self.nstep}")

    def checked_nstep(self):
        if self.nstep is None:
            raise ValueError("nstep is required when there are no controls")
        return self.nstep

    def repeated(self, array, counts):
        return None if array is None else numpy.ascontiguousarray(
            numpy.broadcast_to(array, counts + array.shape[len(counts):]))

    def output(self, name, given, width):
        shape = (self.nbatch, self.nstep, width)
        if given is None:
            return numpy.zeros(shape)
        if not isinstance(given, numpy.ndarray) or given.shape != shape:
            raise ValueError(f"{name}: expected an array of shape {shape}, got {numpy.shape(given)}")
        return given


def _reporter(progress, total):
    if progress is True:
        return _Bar(total)
    if not progress:
        return None
    if not callable(progress):
        raise TypeError("progress must be True or a function of (steps done, steps in all)")
    return lambda steps: progress(steps, total)


class _Bar:
    """A line on stderr that is drawn again; without a terminal nothing is."""

    WIDTH = 30

    def __init__(self, total):
        self.total, self.start = total, time.monotonic()
        self.live = sys.stderr is not None and sys.stderr.isatty()

    def __call__(self, steps):
        if not self.live or not self.total:
            return
        part = steps / self.total
        left = (time.monotonic() - self.start) * (1 / part - 1) if part > 0 else 0
        full = int(self.WIDTH * part)
        text = f"\r[{'#' * full}{'.' * (self.WIDTH - full)}] {100 * part:3.0f} % {left:6.1f} s left"
        sys.stderr.write(text + ("\n" if steps == self.total else ""))
        sys.stderr.flush()
