"""Textures: MuJoCo's values as the attributes that the library keeps, and back."""

from __future__ import annotations

import struct
import zlib
from collections.abc import Collection
from typing import Any

import numpy

WORDS = {"type": ("2d", "cube", "skybox"), "builtin": ("none", "gradient", "checker", "flat"),
         "mark": ("none", "edge", "cross", "random"), "colorspace": ("auto", "linear", "sRGB"), "embed": ("false", "true", "auto")}
STANDARD_WORDS = {"type": 1, "embed": 2}  # of the others: 0
SIDES = ("right", "left", "up", "down", "front", "back")
NUMBERS = ("rgb1", "rgb2", "markrgb", "gridsize")
INTEGERS = ("width", "height", "nchannel")
FLAGS = ("hflip", "vflip")
STANDARD: dict[str, Any] = {"width": 0, "height": 0, "nchannel": 3, "random": 0.01, "rgb1": [0.8] * 3, "rgb2": [0.5] * 3,
                            "markrgb": [0.0] * 3, "gridsize": [1, 1], "hflip": False, "vflip": False}


def write(mine: dict[str, Any], standing: Collection[str] = ()) -> list[tuple[str, str]]:
    """The attributes of a texture. Those with their default are left out, unless a default class gives them another one."""
    out = [(name, words[mine[name]]) for name, words in WORDS.items() if name in standing or mine[name] != STANDARD_WORDS.get(name, 0)]
    for name in NUMBERS:
        if name in standing or list(mine[name]) != STANDARD[name]:
            out.append((name, " ".join(repr(each.item()) for each in mine[name])))
    out += [(name, str(mine[name])) for name in INTEGERS if name in standing or mine[name] != STANDARD[name]]
    out += [(name, "true" if mine[name] else "false") for name in FLAGS if name in standing or mine[name]]
    if "random" in standing or mine["random"] != STANDARD["random"]:
        out.append(("random", repr(mine["random"])))
    layout = "".join(mine["gridlayout"]).replace("\x00", "")
    if "gridlayout" in standing or layout.strip("."):
        out.append(("gridlayout", layout))
    if mine["data"]:
        out.append(("file", data_file(mine["name"])))
        out = [(name, text) for name, text in out if name not in ("width", "height", "nchannel")]
    out += [(name, mine[name]) for name in ("file", "content_type") if mine[name] and not mine["data"]]
    out += [(f"file{side}", file) for side, file in zip(SIDES, mine["cubefiles"], strict=True) if file]
    return out


def read(mine: dict[str, Any], attributes: list[tuple[str, str]]) -> None:
    for name, text in attributes:
        if name in WORDS:
            words = [each.lower() for each in WORDS[name]]
            mine[name] = words.index(text.lower()) if text.lower() in words else mine[name]
        elif name in NUMBERS:
            numbers = numpy.array(text.split(), dtype=float)
            mine[name][: len(numbers)] = numbers
        elif name in INTEGERS:
            mine[name] = int(text)
        elif name in FLAGS:
            mine[name] = text == "true"
        elif name == "random":
            mine[name] = float(text)
        elif name == "gridlayout":
            for index, letter in enumerate(text[:12]):
                mine[name][index] = letter
        elif name.removeprefix("file") in SIDES:
            mine["cubefiles"][SIDES.index(name.removeprefix("file"))] = text
        elif name in ("file", "content_type"):
            mine[name] = text


def data_file(name: str) -> str:
    """The name of the file in memory that stands for the pixels of a texture."""
    return f"texture data of {name}.png"


def make_png(mine: dict[str, Any]) -> bytes:
    """The pixels of a texture as a PNG file. Raises ValueError if their number does not fit."""
    width, height, channels = mine["width"], mine["height"], mine["nchannel"]
    if channels not in (1, 2, 3, 4) or len(mine["data"]) != width * height * channels:
        raise ValueError(f"texture '{mine['name']}': {len(mine['data'])} bytes for {width} x {height} pixels of {channels} channels")
    rows = b"".join(b"\x00" + mine["data"][row * width * channels:(row + 1) * width * channels] for row in range(height))
    colour = {1: 0, 2: 4, 3: 2, 4: 6}[channels]
    chunks = ((b"IHDR", struct.pack(">IIBBBBB", width, height, 8, colour, 0, 0, 0)), (b"IDAT", zlib.compress(rows)), (b"IEND", b""))
    return b"\x89PNG\r\n\x1a\n" + b"".join(
        struct.pack(">I", len(body)) + name + body + struct.pack(">I", zlib.crc32(name + body)) for name, body in chunks)
