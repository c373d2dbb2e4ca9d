"""Devices that worlds can be stepped on: the cards of this machine, and how arguments name them."""

from __future__ import annotations

import re
from typing import Any, NamedTuple

from torsor import _core


class DeviceInfo(NamedTuple):
    """A card that torsor.devices() has found; `device` is what torsor.Batch(..., device=...) takes.

    >>> card = torsor.DeviceInfo("cuda:0", "NVIDIA H200", (9, 0), 150_000_000_000, 149_000_000_000)
    >>> card.device, card.compute_capability
    ('cuda:0', (9, 0))
    """

    device: str
    name: str
    compute_capability: tuple[int, int]
    total_bytes: int
    free_bytes: int


def devices() -> list[DeviceInfo]:
    """The NVIDIA cards of this machine that torsor.Batch(..., device=...) can use.

    The list is empty where there is no card, no driver or a build without CUDA; torsor.Batch(model, 1, device="cuda") then
    raises an error that says which. Free memory is that of this moment; asking for it starts CUDA on each card.

    >>> [card.device for card in torsor.devices() if card.free_bytes > 1e15]
    []
    """
    cards, _ = _core._list_cards()
    return [DeviceInfo(f"cuda:{i}", name, (major, minor), total, free)
            for i, (name, major, minor, total, free) in enumerate(cards)]


def card_number(device: Any) -> int | None:
    """The number of the card that an argument names; None for the processor, -1 for the kernels on it, which tests use."""
    text = str(device)
    match = re.fullmatch(r"cuda(?::(\d{1,4}))?", text)
    if match:
        return int(match.group(1) or 0)
    if text == "cpu":
        return None
    if text == "host":
        return -1
    raise ValueError(f"device must be 'cpu', 'cuda' or 'cuda:N', got {device!r}")


def stream_handle(stream: Any) -> int:
    """The address of a CUDA stream of any library; 0 is the default stream."""
    if stream is None:
        return 0
    if hasattr(stream, "__cuda_stream__"):  # a method in the protocol, a pair in older versions of it
        pair = stream.__cuda_stream__
        return int((pair() if callable(pair) else pair)[1])
    for attribute in ("cuda_stream", "ptr"):  # PyTorch; CuPy
        if hasattr(stream, attribute):
            return int(getattr(stream, attribute))
    if isinstance(stream, int) and not isinstance(stream, bool) and stream >= 0:
        return stream
    raise TypeError(f"stream: expected a CUDA stream or its address, got {type(stream).__name__}")
