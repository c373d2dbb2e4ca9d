"""Tables of inputs and outcomes: Parquet through PyArrow, or CSV."""

from __future__ import annotations

import csv
import io
import os
import pathlib
from collections.abc import Mapping, Sequence
from typing import Any

import numpy

from torsor._error import Error
from torsor.cluster._checkpoint import write_atomically


def require_writable(path: str | os.PathLike[str]) -> None:
    """Before a long run: the format is known, its library is there, and the folder takes files."""
    target = pathlib.Path(path)
    if target.suffix == ".parquet":
        _pyarrow()
    elif target.suffix != ".csv":
        raise Error(f"'{target}' is neither table.parquet nor table.csv")
    if not target.absolute().parent.is_dir():
        raise Error(f"'{target}' cannot be written: there is no folder {target.absolute().parent}")
    if not os.access(target if target.exists() else target.absolute().parent, os.W_OK):
        raise Error(f"'{target}' cannot be written")


def _pyarrow() -> Any:
    try:
        import pyarrow  # noqa: PLC0415 optional
        import pyarrow.parquet  # noqa: PLC0415
    except ImportError as error:
        raise Error(f"Parquet needs PyArrow, which is not installed ({error})\nhint: pip install 'torsor[ray]', or write a .csv") from None
    return pyarrow


def write_table(path: str | os.PathLike[str], columns: Mapping[str, Sequence[Any]]) -> None:
    """The whole file or none."""
    target = pathlib.Path(path)
    try:
        if target.suffix == ".parquet":
            pyarrow = _pyarrow()
            out = io.BytesIO()
            pyarrow.parquet.write_table(pyarrow.table({name: list(values) for name, values in columns.items()}), out)
            write_atomically(target, out.getvalue())
        else:
            text = io.StringIO(newline="")
            writer = csv.writer(text)
            writer.writerow(columns)
            writer.writerows(zip(*([_cell(value) for value in values] for values in columns.values()), strict=True))
            write_atomically(target, text.getvalue().encode())
    except OSError as error:
        raise Error(f"'{target}' cannot be written: {error.strerror or error}") from error


def _cell(value: Any) -> Any:
    if value is None:
        return ""
    return repr(float(value)) if isinstance(value, float | numpy.floating) else value
