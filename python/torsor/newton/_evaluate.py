"""Kinematics, Jacobians and mass matrices of a model."""

import numpy

from torsor._error import Error
from torsor._core import _newton


def _list(name, values, count):
    array = numpy.asarray(values, dtype=float).reshape(-1)
    if len(array) != count:
        raise Error(f"{name} has {len(array)} numbers; the model needs {count}")
    return array.tolist()


def eval_fk(model, joint_q, joint_qd, state, mask=None):
    """Set body_q and body_qd of a state from joint coordinates and velocities.

    >>> state = model.state()
    >>> newton.eval_fk(model, [0.5, 0.0], [0.0, 0.0], state)
    """
    if mask is not None:
        raise Error("eval_fk() of some articulations only is not supported")
    _newton.eval_fk(model._core, _list("joint_q", joint_q, model.joint_coord_count),
                    _list("joint_qd", joint_qd, model.joint_dof_count), state)


def eval_ik(model, state, joint_q, joint_qd, mask=None):
    """Set arrays of joint coordinates and velocities from body_q and body_qd of a state.

    Angles are between -pi and pi.

    >>> newton.eval_ik(model, state, state.joint_q, state.joint_qd)
    """
    if mask is not None:
        raise Error("eval_ik() of some articulations only is not supported")
    joint_q[:], joint_qd[:] = _newton.eval_ik(model._core, state)


def eval_jacobian(model, state, J=None):
    """Jacobians of all articulations: (articulations, 6 x joints, dofs).

    Six rows for the child of each joint: these times joint_qd give body_qd. Smaller articulations are padded with
    zeros.

    >>> newton.eval_jacobian(model, state).shape
    (1, 12, 2)
    """
    result = _newton.eval_jacobian(model._core, state)
    if J is None:
        return result
    J[...] = result
    return J


def eval_mass_matrix(model, state, H=None):
    """Mass matrices of all articulations: (articulations, dofs, dofs), without armature.

    The kinetic energy is 1/2 joint_qd' H joint_qd.

    >>> newton.eval_mass_matrix(model, state).shape
    (1, 2, 2)
    """
    result = _newton.eval_mass_matrix(model._core, state)
    if H is None:
        return result
    H[...] = result
    return H
