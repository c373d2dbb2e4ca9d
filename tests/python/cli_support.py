"""Runs the program torsor as a user would: with pipes, on a terminal, and with Ctrl-C."""

import csv
import fcntl
import os
import pathlib
import pty
import re
import select
import signal
import struct
import subprocess
import termios
import time

ROOT = pathlib.Path(__file__).parents[2]
PROGRAM = os.environ.get("TORSOR_PROGRAM", str(ROOT / "build" / "release" / "cli" / "torsor"))
SECONDS = 60  # after which a run counts as hung


def environment(**changes):
    """Ours, without what would change colours; a value of None unsets a variable."""
    result = {key: value for key, value in os.environ.items() if key not in ("NO_COLOR", "TORSOR_ISA")}
    result["TERM"] = "xterm"
    for key, value in changes.items():
        result.pop(key, None)
        if value is not None:
            result[key] = value
    return result


def run(*arguments, cwd=None, code=0, **changes):
    """Runs with pipes and expects an exit code, None for any. The result has stdout and stderr as text."""
    result = subprocess.run(
        [PROGRAM, *map(str, arguments)],
        cwd=cwd,
        env=environment(**changes),
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=SECONDS,
    )
    assert code is None or result.returncode == code, f"exit code {result.returncode}\n{result.stdout}\n{result.stderr}"
    return result


def read_all(terminal, process, stop_when=None):
    """What a process writes to a terminal until it ends; calls stop_when(text so far) until that is true once."""
    text, deadline = b"", time.monotonic() + SECONDS
    while time.monotonic() < deadline:
        ready, _, _ = select.select([terminal], [], [], 0.05)
        if ready:
            try:
                text += os.read(terminal, 65536)
            except OSError:  # what Linux says when the other end is closed
                break
        if stop_when and stop_when(text.decode(errors="replace")):
            stop_when = None
    else:
        process.kill()
        raise AssertionError(f"hung; so far: {text.decode(errors='replace')}")
    return text.decode(errors="replace")


def run_on_terminal(*arguments, cwd=None, code=0, interrupt_after=None, columns=100, **changes):
    """Runs on a pseudo terminal, and returns what it shows. Sends Ctrl-C when the text has interrupt_after in it."""
    terminal, other_end = pty.openpty()
    fcntl.ioctl(other_end, termios.TIOCSWINSZ, struct.pack("HHHH", 24, columns, 0, 0))
    process = subprocess.Popen(
        [PROGRAM, *map(str, arguments)],
        cwd=cwd,
        env=environment(**changes),
        stdin=other_end,
        stdout=other_end,
        stderr=other_end,
        start_new_session=True,
    )
    os.close(other_end)

    def interrupt(text):
        if interrupt_after is None or interrupt_after not in text:
            return False
        process.send_signal(signal.SIGINT)
        return True

    try:
        text = read_all(terminal, process, interrupt)
    finally:
        os.close(terminal)
    assert process.wait(SECONDS) == code, text
    return text


def wait_until_caught(process, signal_number):
    """Waits until a process has a handler for a signal, as Linux tells: before that, the signal would just end it."""
    deadline = time.monotonic() + SECONDS
    while time.monotonic() < deadline and process.poll() is None:
        status = pathlib.Path(f"/proc/{process.pid}/status").read_text(encoding="utf-8")
        caught = int(re.search(r"^SigCgt:\s*([0-9a-f]+)", status, re.MULTILINE).group(1), 16)
        if caught >> (signal_number - 1) & 1:
            return
        time.sleep(0.001)
    raise AssertionError("the process never set up a handler")


def has_escapes(text):
    return "\x1b" in text


def without_escapes(text):
    return re.sub(r"\x1b\[[0-9;]*[A-Za-z]", "", text)


def rows_of(text):
    """The lines of a two-column summary as a dictionary."""
    return {line.split(maxsplit=1)[0]: line.split(maxsplit=1)[1] for line in text.splitlines() if len(line.split()) > 1}


def read_csv(path):
    with open(path, newline="", encoding="utf-8") as file:
        header, *rows = csv.reader(file)
    return header, [[float(cell) for cell in row] for row in rows]
