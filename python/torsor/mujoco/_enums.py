"""MuJoCo's enums as IntEnums, made from the table of names."""

from __future__ import annotations

import enum
from collections.abc import Iterable, Iterator
from typing import NoReturn

from torsor._core import StateBit
from torsor._core._mujoco import _EnumType
from torsor.mujoco import _names


class _Enum(enum.IntEnum, metaclass=_EnumType):
    """Prints like the enums of MuJoCo's module; equal to integers of Python and of NumPy in both orders."""

    def __str__(self) -> str:
        return f"{type(self).__name__}.{self.name}"

    def __repr__(self) -> str:
        return f"<{self}: {self.value}>"

    def __reduce_ex__(self, protocol: object) -> tuple:
        return _value, (type(self).__name__, self.value)

    @classmethod
    def _missing_(cls, value: object) -> NoReturn:
        raise ValueError(f"Invalid int value for {cls.__name__}: {value}")


def _value(name: str, value: int) -> enum.IntEnum:
    """For pickles, which need not know where the class lies."""
    from torsor import mujoco

    return getattr(mujoco, name)(value)


def _known_states(pairs: Iterable[tuple[str, int]]) -> Iterator[tuple[str, int]]:
    """Sums of bits of the state, without bits that the engine does not have."""
    count = sum(int(bit).bit_count() == 1 and bit.name != "NOISE" for bit in StateBit)
    for key, value in pairs:
        yield key, value & ((1 << count) - 1) if value.bit_count() > 1 else value


def make(name: str) -> type[enum.IntEnum]:
    """The enum of this name; KeyError if there is none."""
    pairs = ((key, int(value)) for key, value in (pair.split("=") for pair in _names.ENUMS[name].split()))
    if name == "mjtState":
        pairs = _known_states(pairs)
    made = _Enum(name, list(pairs))
    made.__module__ = "torsor.mujoco"
    for member in made.__members__.items():  # where _EnumType looks; Python 3.11 keeps them behind descriptors
        type.__setattr__(made, *member)
    return made
