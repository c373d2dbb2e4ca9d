"""torsor motion with pickles: makes clips of them, and starts the program again with these in their place."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile

from torsor import _pickles
from torsor._core import MotionClip
from torsor._error import Error

# Options that say how a pickle is read; the clip that is made of it needs them no more.
READING = {"--name": "name", "--fps": "fps", "--up": "up", "--quat-order": "quat_order", "--joints": "joints",
           "--robot": "robot"}


def _value(option: str, text: str):
    return float(text) if option == "--fps" else text.split(",") if option == "--joints" else text


def _split(arguments: list[str]) -> tuple[list[str], dict[str, object]]:
    """The words of the command without options for reading, and these as arguments of MotionClip.read."""
    words, options = [], {}
    rest = iter(arguments)
    for word in rest:
        option, equals, value = word.partition("=")
        if option not in READING:
            words.append(word)
            continue
        text = value if equals else next(rest, "")
        options[READING[option]] = _value(option, text)
    return words, options


def run(arguments: list[str]) -> int | str:
    """Runs `torsor motion ...`, whose arguments name pickles."""
    words, options = _split(arguments)
    is_conversion = words[:1] == ["convert"]
    files = [i for i, word in enumerate(words) if _pickles.is_pickle(word)]
    output = files[-1] if is_conversion and files and words[files[-1]] == [w for w in words if not w.startswith("-")][-1] \
        and sum(not word.startswith("-") for word in words[:files[-1]]) >= 2 else None
    try:
        with tempfile.TemporaryDirectory() as folder:
            for i in files:
                if i == output:
                    continue
                clip = MotionClip.read(words[i], **options)
                for note in clip.notes:
                    print(f"note: {note}", file=sys.stderr)
                made = os.path.join(folder, f"{i}_{os.path.splitext(os.path.basename(words[i]))[0]}.motion")
                clip.write(made)
                words[i] = made
            if output is not None:
                target, words[output] = words[output], os.path.join(folder, "out.motion")
            kept = [] if any(i != output for i in files) else _joined(arguments)
            code = subprocess.run([os.environ["TORSOR_STARTED_BY"], "motion", *words, *kept]).returncode
            if output is not None and code == 0:
                MotionClip.read(words[output]).write(target)
            return code
    except (Error, ValueError, TypeError) as error:
        print(f"error: {error}", file=sys.stderr)
        return 1


def _joined(arguments: list[str]) -> list[str]:
    """The options for reading, for inputs that are no pickles."""
    found, rest = [], iter(arguments)
    for word in rest:
        if word.partition("=")[0] in READING:
            found.append(word)
            if "=" not in word:
                found.append(next(rest, ""))
    return found
