"""A folder with the chunks of a run that are finished, from which a later process goes on.

    manifest.jsonl       first line: what work it is, with hashes; then one line per chunk with its file and hash
    chunk_00000012.npz   the results of one chunk

A chunk's file is complete before the manifest names it: it is written beside, synced and renamed. A line that was cut off,
a file that is missing or has another hash is a chunk that is not finished.
"""

from __future__ import annotations

import contextlib
import hashlib
import io
import json
import os
import pathlib
import pickle
from collections.abc import Callable
from typing import Any

import numpy

from torsor.cluster._errors import ClusterError, Failure
from torsor.cluster._tasks import RolloutChunk

MANIFEST = "manifest.jsonl"
FORMAT = 1


def hash_of(*parts: Any) -> str:
    """SHA-256 of bytes, texts and arrays, with their shapes."""
    found = hashlib.sha256()
    for part in parts:
        if isinstance(part, numpy.ndarray):
            found.update(f"{part.dtype}{part.shape}".encode())
            found.update(numpy.ascontiguousarray(part).data)
        else:
            data = part if isinstance(part, bytes) else str(part).encode()
            found.update(f"{len(data)}:".encode() + data)
    return found.hexdigest()


def write_atomically(path: pathlib.Path, data: bytes) -> None:
    """The whole file or none: a reader never sees a part of it, also after a crash."""
    beside = path.with_name(f".{path.name}.{os.getpid()}")
    try:
        with open(beside, "wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        os.replace(beside, path)
    except OSError:
        with contextlib.suppress(OSError):
            beside.unlink()
        raise


class Codec:
    """How the results of a chunk become a file."""

    def __init__(self, suffix: str, encode: Callable[[Any], bytes], decode: Callable[[bytes], Any]):
        self.suffix, self.encode, self.decode = suffix, encode, decode


def _encode_rollouts(chunk: RolloutChunk) -> bytes:
    arrays = {"first": numpy.int64(chunk.first), "states": chunk.states}
    if chunk.sensordata is not None:
        arrays["sensordata"] = chunk.sensordata
    if chunk.value is not None:
        arrays["value"] = numpy.asarray(chunk.value)
    arrays["failures"] = numpy.array(json.dumps(chunk.failures))
    out = io.BytesIO()
    numpy.savez(out, **arrays)
    return out.getvalue()


def _decode_rollouts(data: bytes) -> RolloutChunk:
    with numpy.load(io.BytesIO(data), allow_pickle=False) as file:
        failures = [Failure(*each) for each in json.loads(str(file["failures"]))]
        readings = file["sensordata"] if "sensordata" in file else None
        return RolloutChunk(int(file["first"]), file["states"], readings, file["value"] if "value" in file else None, failures)


ROLLOUTS = Codec(".npz", _encode_rollouts, _decode_rollouts)
OBJECTS = Codec(".pickle", lambda value: pickle.dumps(value, protocol=5), pickle.loads)


class Checkpoint:
    """The folder of one run."""

    def __init__(self, folder: str | os.PathLike[str], identity: dict[str, Any], codec: Codec):
        """Opens or begins it. identity says what work this is: {what: text or number}, of which hashes may be a part."""
        self.folder, self.codec = pathlib.Path(folder), codec
        self.identity = {"format": FORMAT, **identity}
        self.chunks: dict[int, dict] = {}
        self.manifest = self.folder / MANIFEST
        try:
            self.folder.mkdir(parents=True, exist_ok=True)
            if self.manifest.exists():
                self._read()
            else:
                write_atomically(self.manifest, (json.dumps(self.identity) + "\n").encode())
            self._file = open(self.manifest, "ab", buffering=0)  # noqa: SIM115 closed by close()
        except OSError as error:
            raise ClusterError(f"the checkpoint {self.folder} cannot be used: {error}") from error

    def _read(self) -> None:
        lines = self.manifest.read_bytes().split(b"\n")
        if lines and lines[-1]:  # cut off while it was written: the next line must not be glued to it
            with open(self.manifest, "r+b") as file:
                file.truncate(sum(len(line) + 1 for line in lines[:-1]))
        found = [json.loads(line) for line in lines[:-1] if line]
        if not found or not isinstance(found[0], dict):
            raise ClusterError(f"{self.manifest} is not the manifest of a checkpoint")
        self._require_same(found[0])
        self.chunks = {entry["chunk"]: entry for entry in found[1:]}

    def _require_same(self, other: dict) -> None:
        names = [name for name in {**self.identity, **other} if self.identity.get(name) != other.get(name)]
        if not names:
            return
        texts = [f"{name} {_short(other.get(name))} there, {_short(self.identity.get(name))} here" for name in names]
        raise ClusterError(f"the checkpoint {self.folder} is that of other work: {'; '.join(texts)}\n"
                           "hint: use another folder, or remove it to begin again")

    @property
    def sizes(self) -> dict[int, int]:
        """{index of a chunk: its items} of those that are finished"""
        return {index: entry["items"] for index, entry in self.chunks.items()}

    def load(self, index: int, inputs: str = "") -> Any:
        """The results of a chunk, None if they are not there. inputs is the hash of its items, where only the chunk knows them."""
        entry = self.chunks.get(index)
        if entry is None:
            return None
        if entry.get("inputs", "") != inputs:
            raise ClusterError(f"the checkpoint {self.folder} is that of other work: chunk {index} has other items there")
        try:
            data = (self.folder / entry["file"]).read_bytes()
        except FileNotFoundError:
            return None
        return self.codec.decode(data) if hash_of(data) == entry["sha256"] else None

    def save(self, index: int, items: int, value: Any, inputs: str = "") -> None:
        """Keeps a chunk; raises ClusterError if the disk does not take it. Earlier chunks stay."""
        name = f"chunk_{index:08d}{self.codec.suffix}"
        data = self.codec.encode(value)
        entry = {"chunk": index, "items": items, "file": name, "sha256": hash_of(data), "bytes": len(data)}
        if inputs:
            entry["inputs"] = inputs
        position = os.fstat(self._file.fileno()).st_size
        try:
            write_atomically(self.folder / name, data)
            line = (json.dumps(entry) + "\n").encode()
            if self._file.write(line) != len(line):
                raise OSError("the disk is full")
            os.fsync(self._file.fileno())
        except OSError as error:
            with contextlib.suppress(OSError):
                self._file.truncate(position)
            raise ClusterError(f"chunk {index} cannot be written to the checkpoint {self.folder}: {error.strerror or error}. "
                               f"{len(self.chunks)} chunks are kept there; make room and run the same again") from error
        self.chunks[index] = entry

    def close(self) -> None:
        with contextlib.suppress(OSError):
            self._file.close()


def _short(value: Any) -> str:
    text = str(value)
    return text[:12] + "..." if len(text) > 20 else text
