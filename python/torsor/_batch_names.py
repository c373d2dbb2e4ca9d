"""What to say to a name that torsor.Batch does not have, or has under another method."""

from __future__ import annotations

import difflib
from collections.abc import Iterable

from torsor import _core

DATA_FIELDS = frozenset({"time", "eq_active", *_core._batch_fields()})
MODEL_FIELDS = frozenset({row.name for row in _core.fields("model") if row.access != "structural"} |
                         {f"opt.{name}" for name in dir(_core.Option) if not name.startswith("_")})


def _nearest(name: str, known: Iterable[str]) -> str:
    close = difflib.get_close_matches(name, sorted(known), n=2)
    return f"; did you mean {' or '.join(repr(each) for each in close)}?" if close else ""


def not_in_data(name: str) -> str:
    """Why bind(name) is refused."""
    text = f"{name!r} is not a field of Data"
    if name in MODEL_FIELDS:
        return f"{text} but of Model: use expand({name!r})"
    if f"opt.{name}" in MODEL_FIELDS:
        return f"{text} but an option: use expand('opt.{name}')"
    if hasattr(_core.Data, name) and not callable(getattr(_core.Data, name)):
        return f"{text} that a batch has: its size, or its type, is not the same in every world and step"
    return text + _nearest(name, DATA_FIELDS)


def not_in_model(name: str) -> str:
    """Why expand(name) is refused, where it is not a field of the model at all."""
    text = f"{name!r} is not a field of Model; options are called 'opt.gravity', 'opt.timestep', ..."
    if name in DATA_FIELDS:
        return f"{name!r} is not a field of Model but of Data: use bind({name!r})"
    if f"opt.{name}" in MODEL_FIELDS:
        return f"{name!r} is not a field of Model but an option: use expand('opt.{name}')"
    return text + _nearest(name, MODEL_FIELDS)
