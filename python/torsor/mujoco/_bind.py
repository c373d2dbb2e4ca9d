"""model.bind(element) and data.bind(element): the numbers of an element of an MjSpec in a model or data made from it."""

from __future__ import annotations

from typing import Any

import numpy

from torsor._core import _mujoco
from torsor._spec.node import Node


class Bound:
    """The numbers of several elements, one after the other. Assigning distributes them."""

    def __init__(self, views: list[Any]) -> None:
        object.__setattr__(self, "_views", views)

    def __getattr__(self, name: str) -> list[Any]:
        found = [getattr(each, name) for each in self._views]
        return [part for each in found for part in ([each] if isinstance(each, (str, int)) else numpy.ravel(each))]

    def __setattr__(self, name: str, value: Any) -> None:
        arrays = [numpy.ravel(getattr(each, name)) for each in self._views]
        count = sum(each.size for each in arrays)
        numbers = numpy.ravel(value)
        if numbers.size != count:
            raise ValueError(f"Expected {count} values, got {numbers.size}")
        start = 0
        for view, array in zip(self._views, arrays, strict=True):
            current = getattr(view, name)
            setattr(view, name, numbers[start:start + array.size].reshape(numpy.shape(current)))
            start += array.size


def _view(owner: Any, model: Any, element: Any) -> Any:
    if not isinstance(element, Node):
        raise TypeError(f"bind(): expected an element of an MjSpec, got {element!r}")
    if element._tree is None:
        raise IndexError("Invalid index -1: the element is deleted")
    if element.signature != model.signature:
        raise ValueError("The mjSpec does not match mjModel. Please recompile the mjSpec.")
    if element.id < 0:
        raise IndexError("Invalid index -1")
    finder = getattr(owner, element._kind, None)
    if finder is None:
        raise TypeError(f"bind(): a {type(owner).__name__} has nothing of the kind {element._kind}")
    return finder(element.id)


def _bind(owner: Any, model: Any, elements: Any) -> Any:
    if isinstance(elements, Node):
        return _view(owner, model, elements)
    try:
        several = list(elements)
    except TypeError:
        raise TypeError(f"bind(): expected elements of an MjSpec, got {elements!r}") from None
    return Bound([_view(owner, model, each) for each in several])


def bind_model(self: Any, spec: Any) -> Any:
    """The numbers of an element of the MjSpec that this model was compiled from; of several, one after the other."""
    return _bind(self, self, spec)


def bind_data(self: Any, spec: Any) -> Any:
    """The numbers of an element of the MjSpec that the model was compiled from; of several, one after the other."""
    return _bind(self, self.model, spec)


_mujoco.MjModel.bind = bind_model
_mujoco.MjData.bind = bind_data
