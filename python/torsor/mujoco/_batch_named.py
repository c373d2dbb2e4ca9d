"""What batch.joint("hinge") returns: the parts of one element in the arrays of a batch."""

from __future__ import annotations

import difflib
from typing import Any

import numpy
from numpy.typing import NDArray

import torsor
from torsor.mujoco import _batch_fields

Array = NDArray[Any]
_MODEL_ONLY = ("equality", "pair", "material", "numeric", "keyframe")


def _place(part: Array, whole: Array) -> int | None:
    """At which number of `whole` the array `part` begins, None if it is not a part of it."""
    if part.dtype != whole.dtype or part.size == 0 or whole.size == 0:
        return None
    offset = part.__array_interface__["data"][0] - whole.__array_interface__["data"][0]
    index, rest = divmod(offset, whole.itemsize)
    return index if rest == 0 and 0 <= index and index + part.size <= whole.size and part.flags.c_contiguous else None


class Named:
    """One element: its parts of bound fields and of fields of the model, simulations first.

    Parts of fields of the model that all simulations share are read-only; assigning to them expands the field.
    """

    _batch: Any
    _kind: str
    id: int
    name: str

    def __init__(self, batch: Any, kind: str, key: int | str):
        set_own = object.__setattr__
        model_view = getattr(batch._model, kind)(key)
        data_view = None if kind in _MODEL_ONLY else getattr(batch._scratch, kind)(key)
        for name, value in (("_batch", batch), ("_kind", kind), ("_model_view", model_view), ("_data_view", data_view),
                            ("id", int(model_view.id)), ("name", model_view.name)):
            set_own(self, name, value)

    def _find(self, attribute: str) -> tuple[bool, str, int, Array]:
        """Whether the attribute is one of MjData, its field, where it begins in a simulation's numbers, and the part."""
        for is_data, view in ((True, self._data_view), (False, self._model_view)):
            part = getattr(view, attribute, None) if view is not None else None
            if part is None or attribute.startswith("_"):
                continue
            part = numpy.asarray(part)
            owner = self._batch._scratch if is_data else self._batch._model
            names = torsor.field_names("data") if is_data else torsor.field_names("model")
            if part.size == 0:
                return is_data, f"{self._kind}_{attribute}", -1, part
            for name in names:
                whole = getattr(owner, name)
                if isinstance(whole, numpy.ndarray) and (place := _place(part, whole)) is not None:
                    return is_data, name, place, part
            raise AttributeError(f"'{attribute}' is not a slice of a field: read it from MjData")
        known = {name for view in (self._data_view, self._model_view) if view is not None for name in dir(view)
                 if not name.startswith("_")}
        near = difflib.get_close_matches(attribute, sorted(known), 1)
        hint = f"; did you mean '{near[0]}'?" if near else ""
        raise AttributeError(f"'{attribute}' is not a field of a {self._kind}{hint}")

    def _part(self, array: Array, place: int, part: Array) -> Array:
        count = len(array)
        rows = array.reshape(count, -1)
        return rows[:, place:place + part.size].reshape(count, *part.shape)

    def __getattr__(self, attribute: str) -> Array:
        if attribute.startswith("_"):
            raise AttributeError(attribute)
        is_data, field, place, part = self._find(attribute)
        batch = self._batch
        if place < 0:
            return numpy.zeros((batch.nsim, *part.shape), part.dtype)
        if is_data:
            return self._part(batch.bind(field), place, part)
        if batch.models is not None:
            models = batch.models if isinstance(batch.models, tuple) else (batch.models,) * batch.nsim
            shared = numpy.array([getattr(getattr(model, self._kind)(self.id), attribute) for model in models])
            shared.flags.writeable = False
            return shared
        if field in batch._expanded:
            return self._part(batch.expand(field), place, part)
        values = batch._b.expanded(field)
        if values is not None:
            return self._part(values, place, part)
        return numpy.broadcast_to(part, (batch.nsim, *part.shape))

    def __setattr__(self, attribute: str, value: Any) -> None:
        if attribute in ("id", "name"):
            raise AttributeError(f"'{attribute}' cannot be assigned")
        is_data, field, place, part = self._find(attribute)
        batch = self._batch
        if is_data:
            if field not in _batch_fields.STATE:
                raise ValueError(f"'{attribute}' is computed by every call, so that a write would be lost")
            self._part(batch.bind(field), place, part)[...] = value
            return
        if batch.models is not None:
            raise ValueError(f"'{attribute}' belongs to the models of set_models(): write to these")
        if field not in batch._expanded and _batch_fields.is_structural(field):
            raise ValueError(f"'{attribute}' is structural: it is the same in all simulations")
        self._part(batch.expand(field), place, part)[...] = value
