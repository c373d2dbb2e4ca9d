"""torsor motion with pickles: makes clips of them, and starts the program again with these in their place."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from typing import Any

from torsor import _pickles
from torsor._core import MotionClip
from torsor._error import Error

# Options that say how a file is read; a clip that was made of a pickle needs them no more.
READING = {"--name": "name", "--unit": "unit", "--fps": "fps", "--up": "up", "--quat-order": "quat_order",
           "--joints": "joints", "--robot": "robot"}
FLAGS = {"--mirror", "--smpl", "--stored", "--hold-root"}  # every other option has a value


def _groups(arguments: list[str]) -> list[list[str]]:
    """The words of the command line, each option together with its value: [["convert"], ["--fps", "50"], ...]."""
    groups, rest = [], iter(arguments)
    for word in rest:
        option, equals, value = word.partition("=")
        if not word.startswith("-"):
            groups.append([word])
        elif equals:
            groups.append([option, value])
        else:
            groups.append([word] if word in FLAGS else [word, next(rest, "")])
    return groups


def _reading(groups: list[list[str]]) -> dict[str, Any]:
    """The options for reading, as arguments of MotionClip.read."""
    values = {group[0]: group[1] for group in groups if group[0] in READING}
    options: dict[str, Any] = {READING[option]: text for option, text in values.items()}
    if "fps" in options:
        options["fps"] = float(options["fps"])
    if "joints" in options:
        options["joints"] = options["joints"].split(",")
    return options


def _output(groups: list[list[str]]) -> list[str] | None:
    """The group whose last word is the file that the command writes."""
    if groups[0] == ["convert"]:
        return [group for group in groups if len(group) == 1 and not group[0].startswith("-")][2]
    return next((group for group in groups if group[0] == "--out"), None)


def _replace_pickles(groups: list[list[str]], output: list[str] | None, folder: str) -> bool:
    """Makes clips of the pickles that are read; whether there are any."""
    found = False
    for index, group in enumerate(groups):
        if group is output or not _pickles.is_pickle(group[-1]):
            continue
        clip = MotionClip.read(group[-1], **_reading(groups))
        for note in clip.notes:
            print(f"note: {note}", file=sys.stderr)
        group[-1] = os.path.join(folder, f"{index}.motion")
        clip.write(group[-1])
        found = True
    return found


def run(arguments: list[str]) -> int:
    """Runs `torsor motion ...`, whose arguments name pickles."""
    try:
        groups = _groups(arguments)
        output = _output(groups)
        with tempfile.TemporaryDirectory() as folder:
            if _replace_pickles(groups, output, folder):
                groups = [group for group in groups if group[0] not in READING]
            target = output[-1] if output is not None and _pickles.is_pickle(output[-1]) else None
            if target is not None:
                output[-1] = os.path.join(folder, "out.motion")
            words = [word for group in groups for word in group]
            code = subprocess.run([os.environ["TORSOR_STARTED_BY"], "motion", *words]).returncode
            if target is not None and os.path.exists(output[-1]):
                MotionClip.read(output[-1]).write(target)
            return code
    except (Error, ValueError, TypeError, IndexError) as error:
        print(f"error: {error}", file=sys.stderr)
        return 1
