"""mujoco.minimize: nonlinear least squares with bounds, by regularised Gauss-Newton steps [Levenberg 1944].

The step from x minimises the quadratic model of the objective plus mu |dx|^2 / 2 within the bounds (mju_boxQP); mu grows
until the step decreases the objective, and shrinks again where the model predicts the decrease well: by a factor that is squared
each time until mu has to grow.
"""

from __future__ import annotations

import abc
import dataclasses
import enum
import sys
import time
from collections.abc import Callable, Sequence
from typing import Any, TextIO

import numpy
from numpy.typing import NDArray

from torsor.mujoco import mju_boxQP

Array = NDArray[Any]
Residual = Callable[[Array], Array]
ROOT_EPS = float(numpy.finfo(numpy.float64).eps ** 0.5)
TOLERANCE = 1e-4  # of derivatives against finite differences


class Verbosity(enum.Enum):
    SILENT = 0
    FINAL = 1
    ITER = 2
    FULLITER = 3


class Status(enum.Enum):
    FACTORIZATION_FAILED = enum.auto()
    NO_IMPROVEMENT = enum.auto()
    MAX_ITER = enum.auto()
    DX_TOL = enum.auto()
    G_TOL = enum.auto()


WORDS = {
    Status.FACTORIZATION_FAILED: "factorization failed.",
    Status.NO_IMPROVEMENT: "insufficient reduction.",
    Status.MAX_ITER: "maximum iterations reached.",
    Status.DX_TOL: "norm(dx) < tol.",
    Status.G_TOL: "norm(gradient) < tol.",
}


@dataclasses.dataclass(frozen=True)
class IterLog:
    """One iterate; the arrays after the regularizer are there with Verbosity.FULLITER only."""

    candidate: Array
    objective: Any
    reduction: Any
    regularizer: Any
    residual: Array | None = None
    jacobian: Array | None = None
    grad: Array | None = None
    step: Array | None = None


class Norm(abc.ABC):
    """How a residual becomes an objective: its value, and its gradient and Hessian in the directions `proj`."""

    @abc.abstractmethod
    def value(self, r: Array) -> Any: ...

    @abc.abstractmethod
    def grad_hess(self, r: Array, proj: Array) -> tuple[Array, Array]: ...


class Quadratic(Norm):
    """Half of the sum of squares."""

    def value(self, r: Array) -> Any:
        return 0.5 * float((r.T @ r).item())

    def grad_hess(self, r: Array, proj: Array) -> tuple[Array, Array]:
        return proj.T @ r, proj.T @ proj


def jacobian_fd(residual: Residual, x: Array, r: Array, eps: Any, n_res: int,
                bounds: list[Array] | None = None) -> tuple[Array, int]:
    """Finite differences of the residual at the column x, inside of the bounds; and the count of evaluations."""
    n = x.size
    steps = eps * numpy.maximum(1.0, numpy.abs(x[:, 0]))
    points = numpy.tile(x, (1, n))
    for i in range(n):
        forward = x[i, 0] + steps[i]
        if bounds is not None:
            low, high = float(bounds[0][i, 0]), float(bounds[1][i, 0])
            upwards = high - x[i, 0] >= x[i, 0] - low
            forward = min(high, forward) if upwards else max(low, x[i, 0] - steps[i])
        points[i, i] = forward
    taken = numpy.diagonal(points) - x[:, 0]
    return (residual(points) - r) / numpy.where(taken == 0, 1.0, taken), n_res + n


def _print(output: TextIO | None, text: str) -> None:
    print(text, file=output if output is not None else sys.stdout)


def _require_near(what: str, given: Array, expected: Array, output: TextIO | None) -> None:
    scale = max(1.0, float(numpy.max(numpy.abs(expected), initial=0.0)))
    error = float(numpy.max(numpy.abs(given - expected), initial=0.0)) / scale
    if not error < TOLERANCE:
        raise ValueError(f"User-provided {what} does not match finite differences: the largest difference is {error:.3g}")
    _print(output, f"User-provided {what} matches.")


def check_jacobian(residual: Residual, x: Array, r: Array, jac: Array, eps: Any, n_res: int,
                   bounds: list[Array] | None = None, output: TextIO | None = None, name: str | None = "Jacobian") -> int:
    """Raises ValueError unless jac equals finite differences; returns the count of evaluations."""
    if not numpy.isfinite(jac).all():
        raise ValueError(f"User-provided {name} must contain finite numbers")
    expected, n_res = jacobian_fd(residual, x, r, eps, n_res, bounds)
    if not numpy.isfinite(expected).all():
        raise ValueError(f"Finite-difference {name} must contain finite numbers")
    _require_near(str(name), jac, expected, output)
    return n_res


def check_norm(r: Array, norm: Norm, eps: Any, output: TextIO | None = None) -> None:
    """Raises ValueError unless gradient and Hessian of the norm are those of its value."""
    eye = numpy.eye(r.size)
    grad, hess = norm.grad_hess(r, eye)
    for what, numbers in (("gradient", grad), ("Hessian", hess)):
        if not numpy.isfinite(numbers).all():
            raise ValueError(f"User-provided norm {what} must contain finite numbers")
    step = max(float(eps), 1e-6)
    value = numpy.array([[(norm.value(r + step * e[:, None]) - norm.value(r - step * e[:, None])) / (2 * step)] for e in eye])
    _require_near("norm gradient", grad, value, output)
    columns = [(norm.grad_hess(r + step * e[:, None], eye)[0] - norm.grad_hess(r - step * e[:, None], eye)[0]) / (2 * step)
               for e in eye]
    if numpy.max(numpy.abs(hess - hess.T), initial=0.0) > 1e-8 * max(1.0, float(numpy.abs(hess).max(initial=0.0))):
        raise ValueError("User-provided norm Hessian is not symmetric")
    if numpy.linalg.eigvalsh(hess).min(initial=0.0) < -1e-8:
        raise ValueError("User-provided norm Hessian is not positive definite")
    _require_near("norm Hessian", hess, numpy.hstack(columns), output)


def _checked_bounds(bounds: Sequence[Array] | None, n: int) -> list[Array] | None:
    if bounds is None:
        return None
    if len(bounds) != 2:
        raise ValueError("bounds must be a pair: lower and upper")
    pair = [numpy.asarray(each, dtype=numpy.float64).reshape(-1, 1) for each in bounds]
    if any(each.size != n for each in pair):
        raise ValueError("bounds must have the size of x0")
    if not all(numpy.isfinite(each).all() for each in pair) or not (pair[0] < pair[1]).all():
        raise ValueError("bounds must be finite, and lower ones below upper ones")
    return pair


def _checked_scale(x_scale: Any, n: int) -> Any:
    """1.0, an array of n numbers, or 'jac'."""
    if x_scale is None:
        return numpy.ones((n, 1))
    if isinstance(x_scale, str):
        if x_scale != "jac":
            raise ValueError(f"x_scale must be 'jac' or positive numbers, got '{x_scale}'")
        return x_scale
    scale = numpy.asarray(x_scale, dtype=numpy.float64)
    if scale.ndim not in (0, 1) or (scale.ndim == 1 and scale.size != n):
        raise ValueError("x_scale must be one number, or one for each number of x0")
    if not numpy.isfinite(scale).all() or not (scale > 0).all():
        raise ValueError("x_scale must be positive and finite")
    return numpy.broadcast_to(scale.reshape(-1, 1), (n, 1)).copy()


class _Problem:
    """The quadratic model at one iterate, in scaled variables."""

    def __init__(self, x: Array, r: Array, jac: Array, norm: Norm, bounds: list[Array] | None, scale: Any):
        if isinstance(scale, str):
            lengths = numpy.linalg.norm(jac, axis=0)[:, None]
            scale = 1 / numpy.where(lengths > 0, lengths, 1.0)
        self.scale, self.x = scale, x
        self.grad, self.hess = norm.grad_hess(r, jac * scale.T)
        self.plain_grad = self.grad / scale
        self.bounds = None if bounds is None else [(each - x) / scale for each in bounds]
        self.work = numpy.zeros((x.size, x.size + 7))

    def free_gradient(self) -> float:
        """Without the dimensions that a bound holds."""
        grad = self.grad[:, 0].copy()
        if self.bounds is not None:
            grad[((self.bounds[0][:, 0] >= 0) & (grad > 0)) | ((self.bounds[1][:, 0] <= 0) & (grad < 0))] = 0
        return float(numpy.linalg.norm(grad))

    def step(self, mu: float) -> Array | None:
        n, res = self.grad.size, numpy.zeros(self.grad.size)
        lower, upper = (None, None) if self.bounds is None else (each[:, 0] for each in self.bounds)
        regular = numpy.ascontiguousarray(self.hess + mu * numpy.eye(n))
        if mju_boxQP(res, self.work, None, regular, numpy.ascontiguousarray(self.grad[:, 0]), lower, upper) < 0:
            return None
        return res[:, None]

    def decrease(self, step: Array) -> float:
        return -float((step.T @ self.grad + 0.5 * step.T @ self.hess @ step).item())


def least_squares(x0: Array, residual: Residual, bounds: Sequence[Array] | None = None,
                  jacobian: Callable[[Array, Array], Array] | None = None, norm: Norm = Quadratic(), eps: float = ROOT_EPS,
                  mu_min: float = 1e-6, mu_max: float = 1e8, mu_factor: float = 10.0**0.1, xtol: float = 1e-8,
                  gtol: float = 1e-8, max_iter: int = 100, verbose: Verbosity | int = Verbosity.ITER,
                  output: TextIO | None = None, iter_callback: Callable[[list[IterLog]], None] | None = None,
                  check_derivatives: bool = False, x_scale: Any = None) -> tuple[Array, list[IterLog]]:
    """Minimises norm(residual(x)) within bounds; returns the best x and the iterates.

    residual takes points as the columns of a matrix, and returns residuals as columns.

    >>> x, trace = torsor.mujoco.minimize.least_squares(
    ...     numpy.zeros(2), lambda x: x - [[1.0], [2.0]], verbose=torsor.mujoco.minimize.Verbosity.SILENT)
    >>> x.round(6)
    array([1., 2.])
    """
    level = Verbosity(verbose) if isinstance(verbose, int) else verbose
    x = numpy.array(x0, dtype=numpy.float64).reshape(-1, 1)
    box = _checked_bounds(bounds, x.size)
    scale = _checked_scale(x_scale, x.size)
    if box is not None:
        x = numpy.clip(x, box[0], box[1])
    started, trace, status, arrived = time.monotonic(), [], Status.MAX_ITER, False
    r = residual(x)
    objective, n_res = norm.value(r), 1
    if check_derivatives and not isinstance(norm, Quadratic):
        check_norm(r, norm, eps, output)
    full, damping = level is Verbosity.FULLITER, _Damping(mu_min, mu_max, mu_factor)
    for iteration in range(max_iter + 1):
        if arrived:
            trace.append(IterLog(x.copy(), objective, 0.0, damping.mu))
            status = Status.DX_TOL
            break
        jac, n_res = (jacobian(x, r), n_res) if jacobian else jacobian_fd(residual, x, r, eps, n_res, box)
        if check_derivatives and jacobian and iteration == 0:
            n_res = check_jacobian(residual, x, r, jac, eps, n_res, box, output)
        problem = _Problem(x, r, jac, norm, box, scale)
        details = {"residual": r, "jacobian": jac, "grad": problem.plain_grad} if full else {}
        gradient = problem.free_gradient()
        found: Any = Status.G_TOL if gradient < gtol else Status.MAX_ITER
        if not (gradient < gtol or iteration == max_iter):
            found = _find_step(problem, residual, norm, objective, damping)
        if isinstance(found, Status):
            trace.append(IterLog(x.copy(), objective, 0.0, damping.mu, **details))
            status = found
            break
        dx, new_r, new_objective, mu, count = found
        n_res += count
        trace.append(IterLog(x.copy(), objective, objective - new_objective, mu, **details, **({"step": dx} if full else {})))
        if level.value >= Verbosity.ITER.value:
            _print(output, f"iter: {iteration:<3} y: {objective:<9.4g} log10(mu): {numpy.log10(mu) if mu > 0 else -numpy.inf:>5.1f} "
                           f"dy: {objective - new_objective:<9.3g} |dx|: {float(numpy.linalg.norm(dx)):<8.2g}")
        if iter_callback:
            iter_callback(trace)
        x = x + dx if box is None else numpy.clip(x + dx, box[0], box[1])
        r, objective = new_r, new_objective
        arrived = float(numpy.linalg.norm(dx)) < xtol * max(1.0, float(numpy.linalg.norm(x)))
    if level is not Verbosity.SILENT:
        exact = " (exact minimum found)" if status is Status.G_TOL and gradient == 0 else ""
        _print(output, f"Terminated after {len(trace) - 1} iterations: {WORDS[status]}{exact} y: {objective:<.4g}, "
                       f"residual evals: {n_res}, time: {1000 * (time.monotonic() - started):.1f} ms")
    return x[:, 0].copy(), trace


class _Damping:
    """The regularizer mu and how it changes."""

    def __init__(self, least: float, most: float, factor: float):
        self.mu, self.least, self.most, self.factor = 0.0, least, most, factor
        self.shrink = factor

    def grow(self) -> None:
        self.mu, self.shrink = max(self.least, self.mu * self.factor), self.factor

    def relax(self) -> None:
        self.mu /= self.shrink
        self.mu = 0.0 if self.mu < self.least else self.mu
        self.shrink = min(self.shrink**2, 1e100)


def _find_step(problem: _Problem, residual: Residual, norm: Norm, objective: float, damping: _Damping) -> Any:
    """A step that decreases the objective, its residual and objective, the mu that it took and the evaluations; or a Status."""
    count = 0
    while damping.mu <= damping.most:
        mu = damping.mu
        step = problem.step(mu)
        if step is None:
            if mu == damping.most:
                return Status.FACTORIZATION_FAILED
            damping.grow()
            continue
        dx = step * problem.scale
        point = problem.x + dx
        if problem.bounds is not None:
            low, high = (each * problem.scale + problem.x for each in problem.bounds)
            point = numpy.clip(point, low, high)
        r = residual(point)
        count += 1
        value = norm.value(r) if numpy.isfinite(r).all() else numpy.inf
        decrease, predicted = objective - value, problem.decrease(step)
        rounding = 1e-15 * max(1.0, abs(objective))  # a decrease below it cannot be seen in the objective
        if numpy.isfinite(value) and (decrease > 0 or (0 <= predicted < 10 * rounding and decrease > -rounding)):
            ratio = decrease / predicted if predicted > 0 else 1.0
            if ratio > 0.75:
                damping.relax()
            elif ratio < 0.25:
                damping.grow()
            return dx, r, value, mu, count
        if not dx.any() or float(numpy.linalg.norm(dx)) < 1e-16 * max(1.0, float(numpy.linalg.norm(problem.x))):
            break
        damping.grow()
    return Status.NO_IMPROVEMENT
