"""One element of a model in all worlds of a batch."""

from __future__ import annotations

from typing import Any

import numpy
from numpy.typing import NDArray

from torsor import _core
from torsor._device_array import DeviceArray


class BatchElement:
    """Values of one element in all worlds of a batch, such as batch.joint("knee"), as attributes.

    On a card, values are DeviceArrays. Attributes are those of data.joint("knee") and model.joint("knee"), with worlds first. Those of Data are live parts
    of the arrays of Batch.bind(). Those of Model are shared by all worlds, and read-only, until values are assigned:
    that expands the field, as Batch.expand() does.

    >>> batch = torsor.Batch(model, 8)
    >>> batch.body(1).mass = numpy.linspace(1, 2, 8)[:, None]
    >>> batch.body(1).mass.shape, batch.body(1).xpos.shape
    ((8, 1), (8, 3))
    """

    __slots__ = ("_batch", "_kind", "_of_data", "_of_model", "id", "name")

    def __init__(self, batch: Any, kind: str, which: int | str):
        element, name, of_data, of_model = _core._element_columns(batch.model, kind, which)
        for slot, value in (("_batch", batch), ("_kind", kind), ("id", element), ("name", name), ("_of_data", of_data),
                            ("_of_model", of_model)):
            object.__setattr__(self, slot, value)

    def __getattr__(self, attribute: str) -> NDArray[Any]:
        if attribute in self._of_data:
            field, *columns = self._of_data[attribute]
            return _part(self._batch.bind(field), *columns)
        field, *columns = self._model_columns(attribute)
        if self._batch._core.expanded(field) is not None:
            return _part(self._batch._values_of(field), *columns)
        shared = getattr(self._batch.model, field)
        return _part(numpy.broadcast_to(shared, (self._batch.nworld, *shared.shape)), *columns)

    def __setattr__(self, attribute: str, value: Any) -> None:
        if attribute in self._of_data:
            field, *columns = self._of_data[attribute]
            if not self._batch._core.is_input_or_state(field):
                raise AttributeError(f"'{attribute}' is a result, which step() and forward() write")
            _part(self._batch.bind(field), *columns)[...] = value
            return
        field, *columns = self._model_columns(attribute)
        shape = _part(getattr(self._batch.model, field)[None], *columns).shape[1:]
        numpy.broadcast_to(value, (self._batch.nworld, *shape))  # an error now leaves the field shared
        _part(self._batch.expand(field), *columns)[...] = value

    def _model_columns(self, attribute: str):
        try:
            return self._of_model[attribute]
        except KeyError:
            raise AttributeError(f"a {self._kind} has no attribute '{attribute}'") from None

    def __dir__(self):
        return sorted({"id", "name", *self._of_data, *self._of_model})

    def __repr__(self) -> str:
        return f"<BatchElement: {self._kind} {self.id} {self.name!r} in {self._batch.nworld} worlds>"


class NamedElements:
    """One element of the model in all worlds, by name or index, for a batch with bind(), expand() and expanded()."""

    def _element(self, kind: str, which: int | str) -> BatchElement:
        return BatchElement(self, kind, which)

    def body(self, which: int | str) -> BatchElement:
        """One body by name or index."""
        return self._element("body", which)

    def joint(self, which: int | str) -> BatchElement:
        """One joint by name or index."""
        return self._element("joint", which)

    def geom(self, which: int | str) -> BatchElement:
        """One geom by name or index."""
        return self._element("geom", which)

    def site(self, which: int | str) -> BatchElement:
        """One site by name or index."""
        return self._element("site", which)

    def camera(self, which: int | str) -> BatchElement:
        """One camera by name or index."""
        return self._element("camera", which)

    def light(self, which: int | str) -> BatchElement:
        """One light by name or index."""
        return self._element("light", which)

    def tendon(self, which: int | str) -> BatchElement:
        """One tendon by name or index."""
        return self._element("tendon", which)

    def actuator(self, which: int | str) -> BatchElement:
        """One actuator by name or index."""
        return self._element("actuator", which)

    def sensor(self, which: int | str) -> BatchElement:
        """One sensor by name or index."""
        return self._element("sensor", which)

    def equality(self, which: int | str) -> BatchElement:
        """One equality by name or index."""
        return self._element("equality", which)

    def pair(self, which: int | str) -> BatchElement:
        """One contact pair by name or index."""
        return self._element("pair", which)

    def material(self, which: int | str) -> BatchElement:
        """One material by name or index."""
        return self._element("material", which)

    def numeric(self, which: int | str) -> BatchElement:
        """One custom number by name or index."""
        return self._element("numeric", which)

    def keyframe(self, which: int | str) -> BatchElement:
        """One keyframe by name or index."""
        return self._element("keyframe", which)


def _part(array: Any, start: int, count: int, is_row: bool) -> Any:
    """Some columns of an array whose first dimension are worlds."""
    if isinstance(array, DeviceArray):
        return array._columns(start, count, is_row)
    return array[:, start] if is_row else array[:, start:start + count]
