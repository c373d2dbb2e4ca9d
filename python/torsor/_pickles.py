"""Motion clips in pickles, plain or written by joblib, without running what is in them.

A pickle is a program for a small stack machine: it can name any function of any module and call it. This reader knows the
few names that arrays of numbers need, and has stand-ins of its own for them; any other name is an error that says so. The
numbers of arrays are taken from the bytes, after a check of type and size. joblib's files have the numbers of an array
behind the part of the pickle that describes it, and may be compressed.
"""

from __future__ import annotations

import bz2
import io
import lzma
import os
import pickle
import struct
import zlib
from typing import Any

import numpy

from torsor._core import MotionClip
from torsor._error import Error

ENDINGS = (".pkl", ".pickle", ".joblib")
MOST_BYTES = 1 << 31  # of a file, after decompression
KINDS = "fiub"  # of arrays: floating point, integers, booleans
MOST_NAMES, LONGEST_NAME = 10_000, 1000


def is_pickle(path: str) -> bool:
    return os.path.splitext(path)[1].lower() in ENDINGS


def read_clips(path: str, *, name: str | None = None, fps: float | None = None, up: str | None = None,
               quat_order: str | None = None, joints: list[str] | None = None, robot: str | None = None,
               ) -> dict[str, MotionClip]:
    """All clips of a file, or the one with a name."""
    motions = _motions(_load(path), path)
    if name is not None:
        if name not in motions:
            raise Error(f"{path}: no clip '{name}'; the file has {_listed(motions)}")
        motions = {name: motions[name]}
    clips = {}
    for key, fields in motions.items():
        where = f"{path}: {key}" if len(motions) > 1 else path
        clip = MotionClip._from_fields(_arrays(fields), where, fps, up, quat_order, joints, robot)
        clip.name = key
        clips[key] = clip
    return clips


def read_clip(path: str, name: str | None, fps: float | None, up: str | None, quat_order: str | None,
              joints: list[str] | None, robot: str | None) -> MotionClip:
    """The only clip of a file, or the one with a name."""
    if name is None:
        motions = _motions(_load(path), path)
        if len(motions) > 1:
            raise Error(f"{path}: {len(motions)} clips: {_listed(motions)}; pass name=, or use torsor.motion.read_clips")
        name = next(iter(motions))
    (clip,) = read_clips(path, name=name, fps=fps, up=up, quat_order=quat_order, joints=joints, robot=robot).values()
    return clip


def write_clip(clip: MotionClip, path: str) -> None:
    """One clip under its name, as SONIC's files have it."""
    fields = clip._fields()
    fields["fps"] = float(fields["fps"])
    fields["root_rot_order"] = str(fields["root_rot_order"])
    for key in ("joint_names", "body_names"):
        if key in fields:
            fields[key] = fields[key].tolist()
    name = clip.name or os.path.splitext(os.path.basename(path))[0]
    try:
        with open(path, "wb") as file:
            pickle.dump({name: fields}, file, protocol=4)
    except OSError as error:
        raise Error(f"{path}: cannot be written: {error.strerror}") from None


def _listed(motions: dict[str, Any]) -> str:
    names = list(motions)
    return ", ".join(names[:10]) + (f" and {len(names) - 10} more" if len(names) > 10 else "")


def _motions(contents: Any, path: str) -> dict[str, dict[str, Any]]:
    """{name: fields}: the file has the fields of one clip, or clips by name."""
    if not isinstance(contents, dict) or not contents:
        raise Error(f"{path}: expected a dictionary of a clip's fields, or of clips, got {type(contents).__name__}")
    if any(isinstance(value, _Array) for value in contents.values()):
        return {os.path.splitext(os.path.basename(path))[0]: contents}
    motions = {str(key): value for key, value in contents.items() if isinstance(value, dict)}
    if not motions:
        raise Error(f"{path}: no arrays and no clips; the file has {_listed({str(key): None for key in contents})}")
    return motions


def _arrays(fields: dict[Any, Any]) -> dict[str, Any]:
    """The fields that can be arrays or lists of names; others, such as remarks, are left out."""
    found = {}
    for key, value in fields.items():
        if isinstance(value, _Array):
            value = value.numbers
        if isinstance(value, (list, tuple)):
            value = numpy.array(value) if _are_names(value) else None
        if isinstance(value, bool) or not isinstance(value, (int, float, str, numpy.ndarray)):
            continue
        if isinstance(value, int) and abs(value) > 2**53:
            continue
        if isinstance(key, str):
            found[key] = value
    return found


def _are_names(values: list[Any] | tuple[Any, ...]) -> bool:
    """Texts of a sensible number and length: one long text, listed often, would fill the memory."""
    return 0 < len(values) <= MOST_NAMES and all(isinstance(text, str) and len(text) <= LONGEST_NAME for text in values)


class _Dtype:
    """Stands for numpy.dtype while a pickle is read."""

    code: Any = None
    order = "<"

    def __init__(self, code: Any = None, *_: Any) -> None:
        self.code = code

    def set_state(self, state: Any) -> None:
        if isinstance(state, tuple) and len(state) > 1 and state[1] in ("<", ">", "|", "="):
            self.order = state[1]

    def make(self) -> numpy.dtype:
        code = self.code if isinstance(self.code, str) else ""  # anything else may take forever to show
        if not 2 <= len(code) <= 3 or code[0] not in KINDS or code[1:] not in ("1", "2", "4", "8"):
            raise Error(f"an array of type '{code[:20]}'; only arrays of numbers are read")
        order = self.order if self.order in "<>" else "="
        return numpy.dtype(self.code).newbyteorder(order)


class _Array:
    """Stands for numpy.ndarray, and for scalars of NumPy."""

    numbers = numpy.zeros(0)

    def __init__(self, *_: Any) -> None:
        pass

    def set_state(self, state: Any) -> None:
        if not isinstance(state, tuple) or len(state) != 5:
            raise Error("an array with a state of unknown form")
        _, shape, dtype, by_column, data = state
        self.fill(shape, dtype, by_column, data)

    def fill(self, shape: Any, dtype: Any, by_column: Any, data: Any) -> None:
        if not isinstance(dtype, _Dtype) or not isinstance(data, (bytes, bytearray)):
            raise Error("an array of objects; only arrays of numbers are read")
        kind = dtype.make()
        count = _count(shape)
        if count * kind.itemsize != len(data):
            raise Error(f"an array of shape {shape} and type {kind} in {len(data)} bytes")
        numbers = numpy.frombuffer(data, kind).reshape(shape, order="F" if by_column else "C")
        self.numbers = numbers.astype(numpy.float64)


class _Wrapper(_Array):
    """Stands for joblib's NumpyArrayWrapper: its numbers follow the pickle's part in the file."""

    state: dict[Any, Any] = {}

    def set_state(self, state: Any) -> None:
        self.state = state if isinstance(state, dict) else {}

    def read(self, file: io.BytesIO) -> None:
        dtype, shape = self.state.get("dtype"), self.state.get("shape")
        if not isinstance(dtype, _Dtype):
            raise Error("an array of joblib without a type")
        size = _count(shape) * dtype.make().itemsize
        if self.state.get("numpy_array_alignment_bytes"):
            padding = file.read(1)  # its length, then that many bytes
            file.read(padding[0] if padding else 0)
        self.fill(shape, dtype, self.state.get("order") == "F", file.read(size))


def _count(shape: Any) -> int:
    if not isinstance(shape, tuple) or len(shape) > 8 or not all(type(size) is int and size >= 0 for size in shape):
        raise Error("an array whose shape is not a tuple of numbers")
    count = 1
    for size in shape:
        count *= size
    if count > MOST_BYTES:
        raise Error(f"an array of shape {shape}, which is too large")
    return count


def _scalar(dtype: Any, data: Any = b"") -> _Array:
    made = _Array()
    made.fill((), dtype, False, data)
    return made


def _from_buffer(data: Any, dtype: Any, shape: Any, order: Any = "C") -> _Array:
    """Protocol 5 with the numbers inside of the pickle."""
    made = _Array()
    made.fill(shape, dtype, order == "F", data)
    return made


def _check_key(key: Any) -> None:
    """Tuples that contain each other twice take forever to hash."""
    if not isinstance(key, (str, bytes, int, float, type(None))):
        raise Error(f"a dictionary with a {type(key).__name__} as a key")


def _ordered(pairs: Any = ()) -> dict[Any, Any]:
    """collections.OrderedDict; dictionaries keep their order."""
    made = {}
    for pair in pairs if isinstance(pairs, (list, tuple)) else ():
        key, value = pair
        _check_key(key)
        made[key] = value
    return made


def _reconstruct(*_: Any) -> _Array:
    return _Array()


def _encode(text: Any, encoding: Any = "latin1") -> bytes:
    """Python 2 and protocol 2 write bytes as encoded text."""
    if not isinstance(text, str) or encoding != "latin1":
        raise Error("bytes in an unknown encoding")
    return text.encode("latin1")


NAMES = {
    ("numpy", "ndarray"): _Array, ("numpy", "dtype"): _Dtype, ("_codecs", "encode"): _encode,
    ("collections", "OrderedDict"): _ordered,
    ("joblib.numpy_pickle", "NumpyArrayWrapper"): _Wrapper,
    **{(f"numpy.{core}.multiarray", name): function for core in ("core", "_core")
       for name, function in (("_reconstruct", _reconstruct), ("scalar", _scalar))},
    **{(f"numpy.{core}.numeric", "_frombuffer"): _from_buffer for core in ("core", "_core")},
}


class _Unpickler(pickle._Unpickler):  # the one written in Python, whose steps can be replaced
    dispatch = dict(pickle._Unpickler.dispatch)

    def __init__(self, file: io.BytesIO) -> None:
        super().__init__(file, encoding="latin1")
        self.file = file

    def find_class(self, module: str, name: str) -> Any:
        try:
            return NAMES[module, name]
        except KeyError:
            wanted = f"{module}.{name}"[:100]
            raise Error(f"the pickle asks for {wanted}, which is code; only arrays of numbers, texts, lists and "
                        "dictionaries are read") from None

    def get_extension(self, code: int) -> None:
        raise Error(f"the pickle asks for extension {code}, which is code")

    def load_build(self) -> None:
        """State is given to our stand-ins only, which check it."""
        state = self.stack.pop()
        target = self.stack[-1]
        if not isinstance(target, (_Array, _Dtype)):
            raise Error(f"the pickle sets the state of a {type(target).__name__}")
        target.set_state(state)
        if isinstance(target, _Wrapper):
            target.read(self.file)

    def load_bytearray8(self) -> None:
        """Python's own takes the memory before it looks whether the bytes are there."""
        (size,) = struct.unpack("<Q", self.read(8))
        if size > MOST_BYTES:
            raise Error("more bytes than the file has")
        self.append(self.read(size))

    def load_setitem(self) -> None:
        _check_key(self.stack[-2])
        super().load_setitem()

    def load_setitems(self) -> None:
        for key in self.stack[::2]:
            _check_key(key)
        super().load_setitems()

    def load_dict(self) -> None:
        for key in self.stack[::2]:
            _check_key(key)
        super().load_dict()

    def refuse_sets(self) -> None:
        raise Error("a set; only arrays of numbers, texts, lists and dictionaries are read")

    dispatch.update({pickle.BUILD[0]: load_build, pickle.BYTEARRAY8[0]: load_bytearray8, pickle.SETITEM[0]: load_setitem,
                     pickle.SETITEMS[0]: load_setitems, pickle.DICT[0]: load_dict, pickle.EMPTY_SET[0]: refuse_sets,
                     pickle.FROZENSET[0]: refuse_sets})


def _decompressed(data: bytes, path: str) -> bytes:
    openers = {b"\x78": zlib.decompressobj, b"\x1f\x8b": lambda: zlib.decompressobj(31), b"BZh": bz2.BZ2Decompressor,
               b"\xfd7zXZ": lzma.LZMADecompressor, b"\x5d\x00": lambda: lzma.LZMADecompressor(lzma.FORMAT_ALONE)}
    opener = next((make for magic, make in openers.items() if data.startswith(magic)), None)
    if opener is None:
        return data
    try:
        result = opener().decompress(data, MOST_BYTES)
    except (zlib.error, OSError, EOFError, lzma.LZMAError) as error:
        raise Error(f"{path}: damaged: {error}") from None
    if len(result) >= MOST_BYTES:
        raise Error(f"{path}: too large")
    return result


def _load(path: str) -> Any:
    try:
        if not os.path.isfile(path):
            raise Error(f"{path}: the file does not exist")
        if os.path.getsize(path) > MOST_BYTES:
            raise Error(f"{path}: the file is too large")
        with open(path, "rb") as file:
            data = file.read()
    except OSError as error:
        raise Error(f"{path}: cannot be read: {error.strerror}") from None
    try:
        return _Unpickler(io.BytesIO(_decompressed(data, path))).load()
    except Error as error:
        text = str(error)
        raise Error(text if text.startswith(path) else f"{path}: {text}") from None
    except MemoryError:
        raise
    except Exception as error:  # whatever damaged bytes make of the stack machine
        raise Error(f"{path}: not a pickle, or damaged: {type(error).__name__}: {str(error)[:200]}") from None
