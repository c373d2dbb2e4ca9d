"""Inverse kinematics: joint coordinates that bring links to targets, for a batch of problems on one model.

    reach = newton.ik.IKObjectivePosition(hand, (0, 0, 0.1), [[0.5, 0.2, 0.8]])
    solver = newton.ik.IKSolver(model, 1, [reach])
    solver.step(joint_q, joint_q, iterations=24)         # joint_q has a row for each problem

The optimizer is Levenberg-Marquardt in double precision, with exact Jacobians whatever jacobian_mode says.
"""

import enum

import numpy

from torsor._core import _newton
from torsor._error import Error
from torsor.newton._array import values_of
from torsor.newton._evaluate import _assign


class IKJacobianType(enum.Enum):
    """How Newton finds Jacobians. Accepted, without effect: here they are always exact."""

    AUTODIFF = "autodiff"
    ANALYTIC = "analytic"
    MIXED = "mixed"


class IKOptimizer(enum.Enum):
    """The optimizers of IKSolver. LBFGS is refused."""

    LM = "lm"
    LBFGS = "lbfgs"


class IKSampler(enum.Enum):
    """Where the first guesses of IKSolver come from: the given coordinates, or drawn around them or between limits."""

    NONE = "none"
    GAUSS = "gauss"
    ROBERTS = "roberts"
    UNIFORM = "uniform"


def _numbers(values, width, what):
    array = numpy.asarray(values_of(values), dtype=float).reshape(-1)
    if len(array) % width:
        raise Error(f"{what} must have {width} numbers each")
    return array.reshape(-1, width).copy()


class IKObjective:
    """Base of the objectives. Objectives of your own, which Newton writes as Warp kernels, are refused by the solvers."""

    def _to_engine(self):
        raise Error(f"{type(self).__name__} cannot be solved: objectives are positions, rotations and joint limits")


class IKObjectivePosition(IKObjective):
    """A point of a link (link_offset, in the link's frame) at target_positions, in the world; one for each problem.

    >>> hand = newton.ik.IKObjectivePosition(1, (0, 0, 0.1), [[0.5, 0.2, 0.8]])
    >>> hand.set_target_position(0, (0.5, 0.2, 0.7))
    """

    def __init__(self, link_index, link_offset, target_positions, weight=1.0):
        self.link_index, self.weight = int(link_index), float(weight)
        self.link_offset = _numbers(link_offset, 3, "an offset")[0]
        self.set_target_positions(target_positions)

    def set_target_positions(self, new_positions):
        """The targets of all problems."""
        self.target_positions = _numbers(new_positions, 3, "positions")

    def set_target_position(self, problem_idx, new_position):
        """The target of one problem."""
        self.target_positions[problem_idx] = _numbers(new_position, 3, "a position")[0]

    def residual_dim(self):
        """The number of residuals."""
        return 3

    def _to_engine(self):
        return {"kind": "position", "body": self.link_index, "offset": self.link_offset.tolist(),
                "targets": self.target_positions.reshape(-1).tolist(), "weight": self.weight}


class IKObjectiveRotation(IKObjective):
    """The orientation of a link (times link_offset_rotation) at target_rotations, in the world. Quaternions are xyzw.

    The residual is the rotation vector from the target, the short way unless canonicalize_quat_err is False.
    """

    def __init__(self, link_index, link_offset_rotation, target_rotations, canonicalize_quat_err=True, weight=1.0):
        self.link_index, self.weight = int(link_index), float(weight)
        self.link_offset_rotation = _numbers(link_offset_rotation, 4, "a rotation")[0]
        self.canonicalize_quat_err = bool(canonicalize_quat_err)
        self.set_target_rotations(target_rotations)

    def set_target_rotations(self, new_rotations):
        """The targets of all problems."""
        self.target_rotations = _numbers(new_rotations, 4, "rotations")

    def set_target_rotation(self, problem_idx, new_rotation):
        """The target of one problem."""
        self.target_rotations[problem_idx] = _numbers(new_rotation, 4, "a rotation")[0]

    def residual_dim(self):
        """The number of residuals."""
        return 3

    def _to_engine(self):
        return {"kind": "rotation", "body": self.link_index, "offset": self.link_offset_rotation.tolist(),
                "targets": self.target_rotations.reshape(-1).tolist(), "weight": self.weight,
                "takes_short_way": self.canonicalize_quat_err}


class IKObjectiveJointLimit(IKObjective):
    """How far revolute, prismatic and d6 axes are beyond their limits. Limits are given by dof."""

    def __init__(self, joint_limit_lower, joint_limit_upper, weight=0.1):
        self.joint_limit_lower = _numbers(joint_limit_lower, 1, "limits").reshape(-1)
        self.joint_limit_upper = _numbers(joint_limit_upper, 1, "limits").reshape(-1)
        self.weight = float(weight)

    def residual_dim(self):
        """The number of residuals."""
        return len(self.joint_limit_lower)

    def _to_engine(self):
        return {"kind": "limits", "lower": self.joint_limit_lower.tolist(), "upper": self.joint_limit_upper.tolist(),
                "weight": self.weight}


def _check_mask(model, mask):
    if mask is None:
        return []
    mask = numpy.asarray(values_of(mask)).astype(bool).reshape(-1)
    starts, kinds = numpy.asarray(model.joint_qd_start), model._lists.get_list("joint_type")
    for joint, kind in enumerate(kinds):
        part = mask[starts[joint]:starts[joint + 1]]
        has_quaternion = (starts[joint + 1] - starts[joint] != numpy.diff(numpy.asarray(model.joint_q_start))[joint])
        if has_quaternion and part.any() != part.all():
            raise Error(f"joint {joint} has a quaternion: joint_dof_mask must have all or none of its dofs")
    return mask.tolist()


class IKOptimizerLM:
    """Levenberg-Marquardt from each row of coordinates; see IKSolver, which also makes several guesses.

    Each step() starts with lambda_initial. problem_idx is refused: rows are problems.
    """

    def __init__(self, model, n_batch, objectives, lambda_initial=0.1, jacobian_mode=IKJacobianType.AUTODIFF,
                 lambda_factor=2.0, lambda_min=1e-5, lambda_max=1e10, rho_min=1e-3, *, problem_idx=None,
                 joint_dof_mask=None):
        IKJacobianType(jacobian_mode)
        if problem_idx is not None:
            raise Error("problem_idx cannot be chosen")
        self.model, self.n_batch, self.objectives, self._guesses = model, int(n_batch), list(objectives), 1
        self._options = {"lambda_initial": float(lambda_initial), "lambda_factor": float(lambda_factor),
                         "lambda_min": float(lambda_min), "lambda_max": float(lambda_max), "rho_min": float(rho_min),
                         "is_free": _check_mask(model, joint_dof_mask)}

    def _solve(self, joint_q, iterations, step_size=1.0):
        q = numpy.asarray(values_of(joint_q), dtype=float)
        if q.size != self.n_batch * self.model.joint_coord_count:
            raise Error(f"joint_q has {q.size} numbers; {self.n_batch} rows of {self.model.joint_coord_count} are needed")
        options = self._options | {"iterations": int(iterations), "step_size": float(step_size), "guesses": self._guesses}
        return _newton.solve_ik(self.model._core, [each._to_engine() for each in self.objectives], options,
                                q.reshape(-1).tolist())

    def step(self, joint_q_in, joint_q_out, iterations=10, step_size=1.0):
        """Improve each row of joint_q_in, into joint_q_out, which may be the same array."""
        found, self.costs = self._solve(joint_q_in, iterations, step_size)
        _assign(joint_q_out, found.reshape(numpy.shape(values_of(joint_q_out))), ...)

    def compute_costs(self, joint_q):
        """The sum of squared, weighted residuals of each row."""
        return self._solve(joint_q, 0)[1]

    def reset(self):
        """Nothing is kept between steps."""


class IKSolver:
    """Solves problems from one or several guesses each, and keeps the best.

    sampler chooses the guesses: the given coordinates alone; around them, with noise_std ("gauss"; the first is exact);
    or between the limits of the axes ("uniform", "roberts").

    >>> import numpy as np
    >>> goal = newton.ik.IKObjectivePosition(1, (0, 0, 0), [[0.3, 0.0, 0.4]])
    >>> solver = newton.ik.IKSolver(model, 1, [goal])
    >>> q = np.zeros((1, model.joint_coord_count))
    >>> solver.step(q, q, iterations=24)
    """

    def __init__(self, model, n_problems, objectives, *, optimizer=IKOptimizer.LM,
                 jacobian_mode=IKJacobianType.AUTODIFF, sampler=IKSampler.NONE, n_seeds=1, noise_std=0.1,
                 rng_seed=12345, lambda_initial=0.1, lambda_factor=2.0, lambda_min=1e-5, lambda_max=1e10, rho_min=1e-3,
                 joint_dof_mask=None, history_len=10, h0_scale=1.0, line_search_alphas=None, wolfe_c1=1e-4,
                 wolfe_c2=0.9):
        if IKOptimizer(optimizer) is not IKOptimizer.LM:
            raise Error("the optimizer LBFGS is not there: use LM")
        self.sampler = IKSampler(sampler)
        if int(n_seeds) < 1 or (self.sampler is IKSampler.NONE and int(n_seeds) != 1):
            raise Error("n_seeds is 1 without a sampler, and at least 1 with one")
        self.model, self.n_problems, self.n_seeds = model, int(n_problems), int(n_seeds)
        self.noise_std, self._rng_seed = float(noise_std), rng_seed
        self._optimizer = IKOptimizerLM(model, self.n_problems * self.n_seeds, objectives, lambda_initial, jacobian_mode,
                                        lambda_factor, lambda_min, lambda_max, rho_min, joint_dof_mask=joint_dof_mask)
        self._optimizer._guesses = self.n_seeds
        self.objectives = self._optimizer.objectives
        self.costs = None
        self.reset()

    def reset(self):
        """Start the sampler again."""
        self._random, self._drawn = numpy.random.default_rng(self._rng_seed), 0

    def step(self, joint_q_in, joint_q_out, iterations=50, step_size=1.0):
        """Solve all problems from joint_q_in (a row for each), into joint_q_out, which may be the same array.

        `costs` then has the sum of squared, weighted residuals of each problem.
        """
        width = self.model.joint_coord_count
        given = numpy.asarray(values_of(joint_q_in), dtype=float)
        if given.size != self.n_problems * width:
            raise Error(f"joint_q has {given.size} numbers; {self.n_problems} rows of {width} are needed")
        found, costs = self._optimizer._solve(self._guess(given.reshape(self.n_problems, width)), iterations, step_size)
        costs = costs.reshape(self.n_problems, self.n_seeds)
        best, rows = costs.argmin(axis=1), numpy.arange(self.n_problems)
        self.costs = costs[rows, best]
        found = found.reshape(self.n_problems, self.n_seeds, width)[rows, best]
        _assign(joint_q_out, found.reshape(numpy.shape(values_of(joint_q_out))), ...)

    def _guess(self, given):
        guesses = numpy.repeat(given[:, None], self.n_seeds, axis=1)
        if self.sampler is IKSampler.NONE:
            return guesses
        axes, lower, upper = self._axes()
        shape = (*guesses.shape[:2], len(axes))
        if self.sampler is IKSampler.GAUSS:
            noise = self._random.normal(scale=self.noise_std, size=shape)
            noise[:, 0] = 0
            guesses[:, :, axes] = numpy.clip(guesses[:, :, axes] + noise, numpy.minimum(lower, guesses[:, :, axes]),
                                             numpy.maximum(upper, guesses[:, :, axes]))
            return guesses
        unit = self._random.random(shape) if self.sampler is IKSampler.UNIFORM else self._roberts(shape)
        guesses[:, :, axes] = lower + unit * (upper - lower)
        return guesses

    def _roberts(self, shape):
        """The quasi-random sequence of M. Roberts: multiples of powers of the root of x^(d+1) = x + 1, modulo 1."""
        ratio = 2.0
        for _ in range(60):
            ratio = (1 + ratio) ** (1 / (shape[2] + 1))
        steps = self._drawn + numpy.arange(shape[0] * shape[1]).reshape(*shape[:2], 1)
        self._drawn += shape[0] * shape[1]
        return steps * ratio ** -numpy.arange(1.0, shape[2] + 1) % 1

    def _axes(self):
        """Coordinates of axes and their ranges; without limits, a turn or a metre about zero. Quaternions are not drawn."""
        lists, axes, dofs = self.model._lists, [], []
        q_start, qd_start = numpy.asarray(self.model.joint_q_start), numpy.asarray(self.model.joint_qd_start)
        for joint in range(len(q_start) - 1):
            if q_start[joint + 1] - q_start[joint] == qd_start[joint + 1] - qd_start[joint]:
                axes += range(q_start[joint], q_start[joint + 1])
                dofs += range(qd_start[joint], qd_start[joint + 1])
        lower = numpy.array(lists.get_list("joint_limit_lower"), dtype=float)[dofs]
        upper = numpy.array(lists.get_list("joint_limit_upper"), dtype=float)[dofs]
        unlimited = (lower < -1e6) | (upper > 1e6)
        return axes, numpy.where(unlimited, -numpy.pi, lower), numpy.where(unlimited, numpy.pi, upper)
