"""The small classes of MuJoCo's module: those of torsor under MuJoCo's names, with copies and comparison."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy

from torsor import _core
from torsor._core import _mujoco
from torsor._core._mujoco import MjContact as MjContact
from torsor._error import Error
from torsor.mujoco import _fields, _log, _solver_arrays

MjOption = _core.Option
MjStatistic = _core.Statistic
MjVisual = _core.Visual
GROUPS = ("global_", "quality", "headlight", "map", "scale", "rgba")


def _numbers(owner: Any) -> list[str]:
    """Attributes of a block of settings."""
    return [name for name in dir(owner) if not name.startswith("_") and not callable(getattr(owner, name, None))]


def _take_over(target: Any, source: Any) -> None:
    for name in _numbers(source):
        value = getattr(source, name)
        if name in GROUPS:
            _take_over(getattr(target, name), value)
        else:
            setattr(target, name, value)


def _equal(a: Any, b: object) -> bool:
    if type(a) is not type(b):
        return False
    return all(numpy.array_equal(getattr(a, name), getattr(b, name)) if isinstance(getattr(a, name), numpy.ndarray)
               else getattr(a, name) == getattr(b, name) for name in _numbers(a))


def _copied(self: Any, _: object = None) -> Any:
    made = type(self)()
    _take_over(made, self)
    return made


def _copied_group(name: str) -> Any:
    def copied(self: Any, _: object = None) -> Any:
        made = getattr(MjVisual(), name)
        _take_over(made, self)
        return made

    return copied


def _group(name: str) -> property:
    """The group as torsor.Visual has it, with assignment that copies."""
    getter = getattr(MjVisual, name).fget

    def setter(self: Any, value: Any) -> None:
        _take_over(getter(self), value)

    return property(getter, setter)


def _text(value: Any) -> Any:
    return bytes(value).decode() if isinstance(value, (bytes, bytearray)) else value


def _without_skins(error: Error, source: Any, assets: Any, vfs: Any, is_text: bool) -> Any:
    """The same model without its skins, which are only drawn. Raises the error where it is about anything else."""
    if not error.diagnostics or not all("<skin> is not supported" in each.message for each in error.diagnostics):
        raise error
    files = assets if vfs is None else vfs._files
    made = _core.Model.from_xml_string(source, assets=files, ignore=["deformable"], restrict=["/"]) if is_text \
        else _core.Model.from_xml_path(source, assets=files, ignore=["deformable"])
    return _mujoco.MjModel._from_model(made)


def _files_of(assets: Any) -> dict[str, bytes] | None:
    """Files by name, from any mapping."""
    if assets is None:
        return None
    if not isinstance(assets, Mapping):
        raise TypeError(f"assets must be a mapping from names of files to bytes, got {type(assets).__name__}")
    for key, value in assets.items():
        if not isinstance(key, str) or not isinstance(value, (bytes, bytearray, memoryview)):
            raise TypeError(f"assets must map names of files to bytes, got {type(key).__name__} and {type(value).__name__}")
    return {key: bytes(value) for key, value in assets.items()}


def _loader(load: Any, is_text: bool) -> Any:
    """Text may be bytes, and files any mapping."""

    def loader(source: Any, assets: Any = None, vfs: Any = None) -> Any:
        source, files = _text(source), _files_of(assets)
        with _log.timed_compilation():
            try:
                return load(source, files, vfs)
            except Error as error:
                return _without_skins(error, source, files, vfs, is_text)

    return loader


def _from_xml_string(load: Any) -> Any:
    loader = _loader(load, True)

    def from_xml_string(xml: Any, assets: Any = None, vfs: Any = None) -> Any:
        """Loads MJCF from text."""
        return loader(xml, assets, vfs)

    return from_xml_string


def _from_file(load: Any, name: str) -> Any:
    loader = _loader(load, False)

    def from_file(filename: Any, assets: Any = None, vfs: Any = None) -> Any:
        """Loads a file."""
        return loader(filename, assets, vfs)

    from_file.__name__ = name
    return from_file


def _equal_counts(a: Any, b: object) -> bool:
    return type(a) is type(b) and all(numpy.array_equal(getattr(a, name), getattr(b, name)) for name in _numbers(a))


class _ContactArray(numpy.ndarray):
    """An array of a contact of a data. Its memory holds other things after the next step, so that it is read-only; writing to
    elements goes through the contact, which knows whether it still exists."""

    def __setitem__(self, index: Any, value: Any) -> None:
        contact, name = getattr(self, "_contact", None), getattr(self, "_name", "")
        if contact is None:
            return super().__setitem__(index, value)
        changed = numpy.array(self)
        changed[index] = value
        setattr(contact, name, changed)


def _contact_array(name: str) -> property:
    inner = getattr(MjContact, name)

    def getter(self: Any) -> Any:
        array = inner.fget(self)
        if array.flags.writeable:
            return array
        view = array.view(_ContactArray)
        view._contact, view._name = self, name
        return view

    return property(getter, inner.fset, doc=inner.__doc__)


class _Warnings:
    """Counts of the kinds of warnings that MuJoCo has; torsor.Data has more."""

    __slots__ = ("_all",)
    _KINDS = 7  # mjNWARNING

    def __init__(self, all_of_them: Any):
        self._all = all_of_them

    def __len__(self) -> int:
        return self._KINDS

    def __getitem__(self, index: Any) -> Any:
        if type(index) is int and 0 <= index < 7:  # the usual case, without a further call
            return self._all[index]
        if isinstance(index, slice):
            return [self._all[each] for each in range(*index.indices(self._KINDS))]
        if not -self._KINDS <= int(index) < self._KINDS:
            raise IndexError(f"there are {self._KINDS} kinds of warnings, got {index}")
        return self._all[int(index) % self._KINDS]

    def __getattr__(self, name: str) -> Any:
        found = getattr(self._all, name)
        return found[:self._KINDS] if isinstance(found, numpy.ndarray) else found

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Warnings) and all(
            numpy.array_equal(getattr(self, name), getattr(other, name)) for name in ("number", "lastinfo"))

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        return repr(self._all)


def _repr_of_visual(text: Any) -> Any:
    return lambda self: text(self).replace("<Visual", "<MjVisual")


def _add_texture_paths(model: Any) -> None:
    """Files of textures come after those of the engine's own assets."""
    paths, count = model.paths, model.npaths
    model.paths = property(lambda self: paths.fget(self) + self._texture_paths, doc=paths.__doc__)
    model.npaths = property(lambda self: count.fget(self) + len(self._texture_paths), doc=count.__doc__)

    def addresses(self: Any) -> Any:
        """Where the file of each texture begins in paths, -1 for those without a file."""
        found = numpy.where(self._texture_pathadr < 0, -1, self._texture_pathadr + count.fget(self)).astype(numpy.int32)
        found.flags.writeable = False
        return _fields.kept(self, "tex_pathadr", found)

    model.tex_pathadr = property(addresses, doc=addresses.__doc__)


def _complete() -> None:
    """Adds what MuJoCo's classes have and torsor's lack."""
    visual = MjVisual()
    _mujoco.MjData.solver = property(_solver_arrays.SolverStatistics)
    warnings = _core.Data.warning
    _mujoco.MjData.warning = property(lambda self: _Warnings(warnings.fget(self)), doc=warnings.__doc__)
    model = _mujoco.MjModel
    _add_texture_paths(model)
    model.from_xml_string = staticmethod(_from_xml_string(model.from_xml_string))
    for name in ("from_xml_path", "from_binary_path"):
        setattr(model, name, staticmethod(_from_file(getattr(model, name), name)))
    for counters in (_core.WarningList, _core.TimerList):
        counters.__eq__ = _equal_counts
        counters.__hash__ = None
    MjContact.__hash__ = None
    for name in ("pos", "frame", "friction", "solref", "solreffriction", "solimp", "H"):
        setattr(MjContact, name, _contact_array(name))
    MjVisual.__repr__ = _repr_of_visual(MjVisual.__repr__)
    for owner in (MjOption, MjStatistic, MjVisual):
        owner.__copy__ = owner.__deepcopy__ = _copied
        owner.__eq__ = _equal
        owner.__hash__ = None
    for name in GROUPS:
        kind = type(getattr(visual, name))
        kind.__copy__ = kind.__deepcopy__ = _copied_group(name)
        kind.__eq__ = _equal
        kind.__hash__ = None
        setattr(MjVisual, name, _group(name))
        setattr(MjVisual, name.rstrip("_").capitalize(), kind)
    setattr(MjVisual, "global", MjVisual.global_)


_complete()
