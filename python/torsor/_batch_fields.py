"""Attributes of batches: batch.qpos is batch.bind("qpos"), batch.ctrl = values writes into it."""

from __future__ import annotations

from typing import Any

import numpy

from torsor._batch_names import DATA_FIELDS, not_in_data
from torsor._error import Error


class FieldsAsAttributes:
    """For a batch with bind() and _core.is_input_or_state()."""

    def __getattr__(self, name: str) -> Any:
        if name in DATA_FIELDS and "_core" in self.__dict__:
            return self.bind(name)
        hint = "" if name.startswith("__") else f": {not_in_data(name)}"
        raise AttributeError(f"'{type(self).__name__}' object has no attribute '{name}'{hint}")

    def __dir__(self) -> list[str]:
        return sorted({*super().__dir__(), *DATA_FIELDS})

    def __setattr__(self, name: str, value: Any) -> None:
        if name not in DATA_FIELDS:
            raise AttributeError(f"attribute '{name}' of a {type(self).__name__} cannot be set")
        if not self._core.is_input_or_state(name):
            raise AttributeError(f"'{name}' is a result, which step() and forward() write")
        array = self.bind(name)
        try:
            array[...] = value
        except Error:
            raise
        except ValueError:
            raise ValueError(f"{name}: expected shape {array.shape}, got {numpy.shape(value)}") from None
