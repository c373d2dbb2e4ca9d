"""Parameters of a model by name: "mass.load", "damping.hinge", "friction.floor", "gain.servo", or any field of the model."""

from __future__ import annotations

import copy
import dataclasses
from collections.abc import Sequence
from typing import Any

import numpy
from numpy.typing import ArrayLike

import torsor
from torsor._core import Model
from torsor._error import Error

# Fields by their first word: what their rows are. Rows of "dof" are those of joints, by the name of the joint.
_OWNERS = {"body": "body", "jnt": "joint", "dof": "joint", "geom": "geom", "site": "site", "actuator": "actuator",
           "tendon": "tendon", "sensor": "sensor", "eq": "equality", "pair": "pair"}
_COUNTS = {"body": "nbody", "joint": "njnt", "geom": "ngeom", "site": "nsite", "actuator": "nu", "tendon": "ntendon",
           "sensor": "nsensor", "equality": "neq", "pair": "npair"}
_JOINT_FIELDS = {"damping": "dof_damping", "armature": "dof_armature", "frictionloss": "dof_frictionloss"}
KINDS = ("mass", "friction", *_JOINT_FIELDS, "stiffness", "gain", "servo_damping")


@dataclasses.dataclass(frozen=True)
class Parameter:
    """A number of a model that a search may change, with its bounds.

    The name is "mass.BODY" (its inertia follows), "friction.GEOM" (sliding), "damping.JOINT", "armature.JOINT",
    "frictionloss.JOINT" (all dofs of the joint), "stiffness.JOINT", "gain.ACTUATOR" (of a position servo its kp, in
    gain and bias), "servo_damping.ACTUATOR" (its kv), "opt.FIELD" or "opt.FIELD.COMPONENT", or any field of the model
    as "FIELD.ELEMENT" or "FIELD.ELEMENT.COMPONENT". Elements are named, or numbered.

    >>> mass = torsor.search.Parameter("mass.lower", lower=0.1)
    >>> float(round(mass.get(model), 3))
    0.5
    """

    name: str
    lower: float = -numpy.inf
    upper: float = numpy.inf

    def __post_init__(self) -> None:
        if "." not in self.name:
            raise Error(f"'{self.name}' is not the name of a parameter: expected 'mass.BODY', 'damping.JOINT', 'FIELD.ELEMENT', ...")
        if not self.lower < self.upper:
            raise Error(f"{self.name}: the lower bound {self.lower} is not below the upper one, {self.upper}")

    def get(self, model: Model) -> float:
        """The value in a model."""
        array, rows = self._place(model)
        return float(array[rows].flat[0])

    def set(self, model: Model, value: float) -> None:
        """Changes a model; torsor.set_const() then updates what follows from it."""
        kind = self.name.partition(".")[0]
        array, rows = self._place(model)
        if kind == "opt" and not isinstance(getattr(model.opt, self.name.split(".")[1]), numpy.ndarray):
            setattr(model.opt, self.name.split(".")[1], value)
            return
        before = float(array[rows].flat[0])
        if kind == "mass":
            if before <= 0:
                raise Error(f"{self.name}: a body without mass has no inertia that could be scaled")
            if not value > 0:
                raise Error(f"{self.name} is {value}, but a mass must be positive")
            model.body_inertia[rows[0]] *= value / before
        if kind == "gain" and model.actuator_biasprm[rows[0], 1] == -before:  # a position servo
            model.actuator_biasprm[rows[0], 1] = -value
        array[rows] = -value if kind == "servo_damping" else value

    def _place(self, model: Model) -> tuple[Any, tuple]:
        """The array, and where in it."""
        kind, element, *rest = self.name.split(".")
        component = _number(self.name, rest[-1]) if rest and rest[-1].isdigit() else None
        named = ".".join(part for part in (element, *rest[: len(rest) - (component is not None)]))
        if kind == "opt":
            return _option(model, self.name, element, component)
        if kind == "mass":
            return model.body_mass, (_element(model, "body", named),)
        if kind == "friction":
            return model.geom_friction, (_element(model, "geom", named), 0)
        if kind in _JOINT_FIELDS:
            return getattr(model, _JOINT_FIELDS[kind]), (_dofs(model, named),)
        if kind == "stiffness":
            return model.jnt_stiffness, (_element(model, "joint", named),)
        if kind == "gain":
            return model.actuator_gainprm, (_element(model, "actuator", named), 0)
        if kind == "servo_damping":
            return model.actuator_biasprm, (_element(model, "actuator", named), 2)
        return _field(model, self.name, kind, named, component)


def _number(name: str, text: str) -> int:
    if not text.isdigit():
        raise Error(f"{name}: expected a number of a component, got '{text}'")
    return int(text)


def _element(model: Model, kind: str, which: str) -> int:
    """The number of an element from its name, or from its number."""
    finder = getattr(model, kind)
    try:
        return finder(which).id
    except KeyError as error:
        count = getattr(model, _COUNTS[kind])
        if which.isdigit() and int(which) < count:
            return int(which)
        raise Error(error.args[0]) from None


def _dofs(model: Model, joint: str) -> slice:
    index = _element(model, "joint", joint)
    first = int(model.jnt_dofadr[index])
    following = model.jnt_dofadr[index + 1:]
    return slice(first, int(following[0]) if following.size else model.nv)


def _option(model: Model, name: str, field: str, component: int | None) -> tuple[Any, tuple]:
    value = getattr(model.opt, field, None)
    if value is None or field.startswith("_"):
        raise Error(f"{name}: there is no option '{field}'")
    array = numpy.asarray(value)
    if array.ndim == 0:
        return array.reshape(1), (0,)
    if component is None or component >= array.size:
        raise Error(f"{name}: add one of the components 0 to {array.size - 1}, such as opt.{field}.0")
    return value, (component,)


def _field(model: Model, name: str, field: str, element: str, component: int | None) -> tuple[Any, tuple]:
    owner = _OWNERS.get(field.partition("_")[0])
    array = getattr(model, field, None)
    if owner is None or not isinstance(array, numpy.ndarray) or not numpy.issubdtype(array.dtype, numpy.floating):
        raise Error(f"{name}: '{field}' is not a parameter; there are {', '.join(KINDS)}, opt and the fields of the model")
    row: Any = _dofs(model, element) if field.startswith("dof_") else _element(model, owner, element)
    if array.ndim == 1:
        return array, (row,)
    if component is None or component >= array.shape[1]:
        raise Error(f"{name}: add one of the components 0 to {array.shape[1] - 1}, such as {field}.{element}.0")
    return array, (row, component)


def as_parameters(parameters: Sequence[str | Parameter]) -> list[Parameter]:
    found = [each if isinstance(each, Parameter) else Parameter(each) for each in parameters]
    if not found:
        raise Error("at least one parameter is needed")
    names = [each.name for each in found]
    if len(set(names)) != len(names):
        raise Error("a parameter is named twice")
    return found


def with_values(model: Model, parameters: Sequence[Parameter], values: ArrayLike) -> Model:
    """A copy of the model with these values, and with what follows from them.

    >>> damping = torsor.search.Parameter("damping.elbow")
    >>> damping.get(torsor.search.with_values(model, [damping], [0.7]))
    0.7
    """
    changed = copy.copy(model)
    for parameter, value in zip(parameters, numpy.asarray(values, dtype=float), strict=True):
        parameter.set(changed, float(value))
    torsor.set_const(changed)
    return changed
