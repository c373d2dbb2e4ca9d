"""Damaged binary models and pickles, and a process of their own to try them in."""

import mmap
import os
import signal
import struct

MASK = (1 << 64) - 1
MULTIPLIER = 0xD6E8FEB86659FD93
WIDTHS = {"float64": 8, "int32": 4, "float32": 4, "bool": 1, "bool_": 1, "uint8": 1, "bytes": 1}


def _mix(value, word):
    value = ((value ^ word) * MULTIPLIER) & MASK
    return value ^ (value >> 32)


def checksum(data):
    """As at the end of a binary model: see torsor/format/binary/checksum.cpp."""
    value = _mix(MULTIPLIER, len(data))
    padded = data + bytes(-len(data) % 8)
    for (word,) in struct.iter_unpack("<Q", padded):
        value = _mix(value, word)
    return value


def sealed(data):
    """The same bytes with a checksum that fits them."""
    return bytes(data[:-8]) + struct.pack("<Q", checksum(bytes(data[:-8])))


def array_offsets(torsor, model, data):
    """Where each array of a model begins in its bytes: name -> (offset, bytes per element)."""
    arrays = [row for row in torsor.fields("model") if row.shape]
    sizes = {row.name: getattr(model, row.name) for row in torsor.fields("model") if not row.shape and row.dtype == "int"}
    lengths = []
    for row in arrays:
        count = 1
        for part in row.shape:
            count *= eval(part.replace("/", "//"), {}, sizes)  # as in C++
        lengths.append(count * WIDTHS[row.dtype])
    offset, result = len(data) - 8 - sum(lengths), {}
    for row, length in zip(arrays, lengths):
        result[row.name] = (offset, WIDTHS[row.dtype], length)
        offset += length
    return result


def with_number(torsor, model, name, index, value):
    """The bytes of a model in which one whole number is another."""
    data = bytearray(model.to_bytes())
    offset, width, length = array_offsets(torsor, model, data)[name]
    assert index * width < length, name
    struct.pack_into("<i" if width == 4 else "<B", data, offset + index * width, value)
    return sealed(data)


def find_crashes(cases, attempt, seconds=20):
    """Calls attempt(case) for every case in a child process, and returns [(case, signal)] of those that ended it.

    What `attempt` returns is summed over all cases, as the second result.
    """
    shared = mmap.mmap(-1, 16)
    crashes, begin, cases = [], 0, list(cases)
    while begin < len(cases):
        child = os.fork()
        if child == 0:
            try:
                os.dup2(os.open(os.devnull, os.O_WRONLY), 2)
                for i in range(begin, len(cases)):
                    shared[:8] = struct.pack("<q", i)
                    signal.alarm(seconds)
                    total = struct.unpack("<q", shared[8:])[0] + int(attempt(cases[i]))
                    shared[8:] = struct.pack("<q", total)
                os._exit(0)
            finally:
                os._exit(1)
        status = os.waitpid(child, 0)[1]
        if status == 0:
            break
        last = struct.unpack("<q", shared[:8])[0]
        crashes.append((cases[last], os.WTERMSIG(status) if os.WIFSIGNALED(status) else "exception"))
        begin = last + 1
    return crashes, struct.unpack("<q", shared[8:])[0]
