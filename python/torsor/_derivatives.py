"""Derivatives by finite differences: of the step, of forward dynamics and of inverse dynamics."""

from __future__ import annotations

from typing import NamedTuple, overload

from numpy import float64
from numpy.typing import NDArray

from torsor import _core
from torsor._core import Data, Model

Matrix = NDArray[float64]


class TransitionDerivatives(NamedTuple):
    """Derivatives of one step: next state = A state + B ctrl, sensordata = C state + D ctrl.

    >>> derivatives = torsor.transition_derivatives(model, data)
    >>> derivatives.A.shape, derivatives.B.shape
    ((4, 4), (4, 0))
    """

    A: Matrix
    B: Matrix
    C: Matrix
    D: Matrix


class ForwardDerivatives(NamedTuple):
    """Derivatives of data.qacc, nv rows each, by the input of the same name; xfrc_applied has 6 columns per body.

    >>> torsor.forward_derivatives(model, data).qvel.shape
    (2, 2)
    """

    qpos: Matrix
    qvel: Matrix
    act: Matrix
    ctrl: Matrix
    qfrc_applied: Matrix
    xfrc_applied: Matrix


class InverseDerivatives(NamedTuple):
    """Derivatives of data.qfrc_inverse, nv rows each, by the input of the same name.

    >>> torsor.forward(model, data)
    >>> torsor.inverse_derivatives(model, data).qacc.shape
    (2, 2)
    """

    qpos: Matrix
    qvel: Matrix
    qacc: Matrix


@overload
def transition_derivatives(model: Model, data: Data, eps: float = 1e-6, centered: bool = True, *,
                           second_eps: None = None, iterations: int = 0, reuse: bool = True,
                           skipsensor: bool = False) -> TransitionDerivatives: ...
@overload
def transition_derivatives(model: Model, data: Data, eps: float = 1e-6, centered: bool = True, *, second_eps: float,
                           iterations: int = 0, reuse: bool = True, skipsensor: bool = False
                           ) -> tuple[TransitionDerivatives, TransitionDerivatives]: ...
def transition_derivatives(model, data, eps=1e-6, centered=True, *, second_eps=None, iterations=0, reuse=True,
                           skipsensor=False):
    """Derivatives (A, B, C, D) of one step, and of its sensor readings, by state and control.

    The state is the displacement of qpos in its tangent space (nv numbers), qvel (nv) and act (na):

        next state = A state + B ctrl,    sensordata = C state + D ctrl

    Each input is moved by eps in both directions, or forward only with centered=False, which is faster but less
    accurate. A control is never moved out of its range: at a bound, it moves inwards only. All samples use the solution
    at the centre as warm start, and their constraint solver has no tolerance: it stops after `iterations` iterations
    (0: as many as the model allows) or when rounding allows no further progress. data is not changed, and need not be
    up to date.

    With second_eps the result is a pair: the derivatives, and the difference of each number from the result with that
    step. reuse=False computes all stages for every sample, with the same result. With skipsensor=True, C and D have no
    rows.

    >>> A, B, C, D = torsor.transition_derivatives(model, data)
    >>> A.shape, B.shape
    ((4, 4), (4, 0))
    >>> derivatives, error = torsor.transition_derivatives(model, data, second_eps=1e-5)
    >>> bool(error.A.max() < 1e-7)
    True
    """
    return _named(TransitionDerivatives, _core._transition_derivatives(
        model, data, eps, centered, second_eps, iterations, reuse, not skipsensor))


@overload
def forward_derivatives(model: Model, data: Data, eps: float = 1e-6, centered: bool = True, *,
                        second_eps: None = None, iterations: int = 0, reuse: bool = True) -> ForwardDerivatives: ...
@overload
def forward_derivatives(model: Model, data: Data, eps: float = 1e-6, centered: bool = True, *, second_eps: float,
                        iterations: int = 0, reuse: bool = True
                        ) -> tuple[ForwardDerivatives, ForwardDerivatives]: ...
def forward_derivatives(model, data, eps=1e-6, centered=True, *, second_eps=None, iterations=0, reuse=True):
    """Derivatives of qacc, as forward() computes it, by qpos (in its tangent space), qvel, act, ctrl and forces.

    The arguments are those of transition_derivatives(), and data is not changed either.

    >>> by = torsor.forward_derivatives(model, data)
    >>> torsor.forward(model, data)
    >>> numpy.allclose(by.qfrc_applied, numpy.linalg.inv(torsor.full_m(model, data)))
    True
    >>> by.xfrc_applied.shape
    (2, 18)
    """
    return _named(ForwardDerivatives, _core._forward_derivatives(
        model, data, eps, centered, second_eps, iterations, reuse, False))


@overload
def inverse_derivatives(model: Model, data: Data, eps: float = 1e-6, centered: bool = True, *,
                        second_eps: None = None, reuse: bool = True) -> InverseDerivatives: ...
@overload
def inverse_derivatives(model: Model, data: Data, eps: float = 1e-6, centered: bool = True, *, second_eps: float,
                        reuse: bool = True) -> tuple[InverseDerivatives, InverseDerivatives]: ...
def inverse_derivatives(model, data, eps=1e-6, centered=True, *, second_eps=None, reuse=True):
    """Derivatives of qfrc_inverse by qpos (in its tangent space), qvel and qacc, at the current data.qacc.

    The arguments are those of transition_derivatives(), and data is not changed either.

    >>> torsor.forward(model, data)
    >>> by = torsor.inverse_derivatives(model, data)
    >>> numpy.allclose(by.qacc, torsor.full_m(model, data))
    True
    """
    return _named(InverseDerivatives, _core._inverse_derivatives(
        model, data, eps, centered, second_eps, 0, reuse, False))


def _named(kind: type, pair: tuple):
    derivatives, errors = pair
    return kind(*derivatives) if errors is None else (kind(*derivatives), kind(*errors))
