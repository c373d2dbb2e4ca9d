"""Kinematics, Jacobians and mass matrices of a model."""

import numpy

from torsor._core import _newton
from torsor._error import Error
from torsor.newton._array import values_of
from torsor.newton._model import Model
from torsor.newton._state import engine_objects
from torsor.newton._types import BodyFlags


def _list(name, values, count):
    array = numpy.asarray(values_of(values), dtype=float).reshape(-1)
    if len(array) != count:
        raise Error(f"{name} has {len(array)} numbers; the model needs {count}")
    return array.tolist()


def chosen_articulations(model, mask, indices):
    """A flag for each articulation."""
    if mask is not None and indices is not None:
        raise Error("give a mask or indices, not both")
    chosen = numpy.ones(model.articulation_count, dtype=bool)
    if mask is not None:
        chosen = numpy.asarray(values_of(mask)).astype(bool).reshape(-1)
        if len(chosen) != model.articulation_count:
            raise Error(f"the mask has {len(chosen)} entries; the model has {model.articulation_count} articulations")
    if indices is not None:
        indices = numpy.asarray(values_of(indices), dtype=int).reshape(-1)
        if len(indices) and not 0 <= indices.min() <= indices.max() < model.articulation_count:
            raise Error(f"the model has {model.articulation_count} articulations, not those of {indices.tolist()}")
        chosen[:] = False
        chosen[indices] = True
    return chosen


def _chosen_bodies(model, mask, indices, body_flag_filter):
    if mask is None and indices is None and int(body_flag_filter) & 3 == 3:
        return slice(None)
    chosen, bodies = chosen_articulations(model, mask, indices), numpy.zeros(model.body_count, dtype=bool)
    for child, articulation in zip(*(model._lists.get_list(name) for name in ("joint_child", "joint_articulation")),
                                   strict=True):
        bodies[child] |= articulation >= 0 and chosen[articulation]
    return bodies & ((numpy.asarray(values_of(model.body_flags)) & int(body_flag_filter)) != 0)


def eval_fk(model, joint_q, joint_qd, state, mask=None, indices=None, body_flag_filter=BodyFlags.ALL):
    """Set body_q and body_qd of a state, or of the model itself, from joint coordinates and velocities.

    A mask or indices of articulations, and a filter of body flags, restrict which bodies are set.

    >>> state = model.state()
    >>> newton.eval_fk(model, [0.5, 0.0], [0.0, 0.0], state)
    >>> newton.eval_fk(model, [0.5, 0.0], [0.0, 0.0], model)
    """
    q = _list("joint_q", joint_q, model.joint_coord_count)
    qd = _list("joint_qd", joint_qd, model.joint_dof_count)
    bodies = _chosen_bodies(model, mask, indices, body_flag_filter)
    if isinstance(state, Model):
        found = model._core.state()
        _newton.eval_fk(model._core, q, qd, found)
        for name in ("body_q", "body_qd"):
            state._buffer(name).pull()
            state._buffer(name).exact[bodies] = getattr(found, name)[bodies]
            state._buffer(name).push()
        return
    with engine_objects(state) as (core,):
        if isinstance(bodies, slice):
            _newton.eval_fk(model._core, q, qd, core)
            return
        found = core.copy()
        _newton.eval_fk(model._core, q, qd, found)
        core.body_q[bodies], core.body_qd[bodies] = found.body_q[bodies], found.body_qd[bodies]


def eval_ik(model, state, joint_q, joint_qd, mask=None, indices=None, body_flag_filter=BodyFlags.ALL):
    """Set arrays of joint coordinates and velocities from body_q and body_qd of a state, or of the model itself.

    Angles are between -pi and pi. A mask or indices of articulations restrict which coordinates are set.

    >>> newton.eval_ik(model, state, state.joint_q, state.joint_qd)
    """
    source = model.state() if isinstance(state, Model) else state
    with engine_objects(source) as (core,):
        q, qd = _newton.eval_ik(model._core, core)
    _assign(joint_q, q, _chosen_coordinates(model, mask, indices, body_flag_filter, "joint_q_start"))
    _assign(joint_qd, qd, _chosen_coordinates(model, mask, indices, body_flag_filter, "joint_qd_start"))


def _chosen_coordinates(model, mask, indices, body_flag_filter, starts):
    bodies = _chosen_bodies(model, mask, indices, body_flag_filter)
    if isinstance(bodies, slice):
        return slice(None)
    starts = numpy.asarray(getattr(model, starts))
    chosen = numpy.zeros(starts[-1], dtype=bool)
    for joint, child in enumerate(model._lists.get_list("joint_child")):
        chosen[starts[joint]:starts[joint + 1]] = bodies[child]
    return chosen


def _assign(array, values, chosen):
    """Write into an array of this package at full precision, or into any other."""
    buffer = getattr(array, "torsor_buffer", None)
    if buffer is not None:
        buffer.pull()
        buffer.exact[chosen] = values[chosen]
        buffer.push()
    elif hasattr(array, "assign") and not isinstance(array, numpy.ndarray):
        found = array.numpy().copy()
        found[chosen] = values[chosen]
        array.assign(found)
    else:
        array[chosen] = values[chosen]


def _result(found, given, model, mask):
    if mask is not None:
        found[~chosen_articulations(model, mask, None)] = 0 if given is None else numpy.asarray(values_of(given))[
            ~chosen_articulations(model, mask, None)]
    if given is None:
        return found
    _assign(given, found, slice(None))
    return given


def eval_jacobian(model, state, J=None, joint_S_s=None, mask=None):
    """Jacobians of all articulations: (articulations, 6 x joints, dofs).

    Six rows for the child of each joint: these times joint_qd give body_qd. Smaller articulations are padded with
    zeros. joint_S_s has no effect.

    >>> newton.eval_jacobian(model, state).shape
    (1, 12, 2)
    """
    with engine_objects(state) as (core,):
        return _result(_newton.eval_jacobian(model._core, core), J, model, mask)


def eval_mass_matrix(model, state, H=None, J=None, body_I_s=None, joint_S_s=None, mask=None):
    """Mass matrices of all articulations: (articulations, dofs, dofs), without armature.

    The kinetic energy is 1/2 joint_qd' H joint_qd. J, body_I_s and joint_S_s, buffers in Newton, have no effect.

    >>> newton.eval_mass_matrix(model, state).shape
    (1, 2, 2)
    """
    with engine_objects(state) as (core,):
        return _result(_newton.eval_mass_matrix(model._core, core), H, model, mask)
