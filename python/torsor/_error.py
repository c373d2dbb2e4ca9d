"""The exception of the package, in a module of its own because the compiled module imports it."""

from __future__ import annotations

import typing

if typing.TYPE_CHECKING:
    from torsor._core import Diagnostic


class Error(ValueError):
    """An error while loading, compiling or running a model.

    The message lists every mistake, one per line, with file, line, column and a hint; `diagnostics` is the same as a
    list.

    >>> try:
    ...     torsor.Model.from_xml_string("<mujoco><worldbody><geom masss='1'/></worldbody></mujoco>")
    ... except torsor.Error as error:
    ...     print(error.diagnostics[0].hint)
    did you mean 'mass'?
    """

    diagnostics: list[Diagnostic] = []
