"""Arrays of states, models and contacts: NumPy arrays, or Warp arrays where a script uses Warp.

Both have numpy(), __array_interface__ and DLPack, and share the memory that they show.
"""

import functools
import sys

import numpy

from torsor._error import Error


class Array(numpy.ndarray):
    """A NumPy array with the methods of Warp's arrays that scripts for Newton use.

    >>> state.joint_qd.assign([0.5, -1])
    >>> state.joint_qd.numpy()
    array([ 0.5, -1. ])
    >>> state.joint_qd.zero_()
    """

    def numpy(self):
        """A plain NumPy view of the same memory."""
        return self.view(numpy.ndarray)

    def assign(self, values):
        """Copy numbers of the same shape."""
        self[...] = values_of(values)

    def fill_(self, value):
        """Set all elements to one number."""
        self[...] = value

    def zero_(self):
        """Set all elements to zero."""
        self[...] = 0


def values_of(values):
    """The numbers of an array of any library: at full precision for arrays of this package."""
    buffer = getattr(values, "torsor_buffer", None)
    if buffer is not None:
        buffer.pull()
        return buffer.exact
    return values.numpy() if hasattr(values, "numpy") and not isinstance(values, numpy.ndarray) else values


def uses_warp(arrays):
    """Whether arrays are Warp's: "warp", "numpy", or None for Warp's if the program has imported Warp."""
    if arrays is None:
        return "warp" in sys.modules
    if arrays not in ("warp", "numpy"):
        raise ValueError(f"arrays are 'warp' or 'numpy', not {arrays!r}")
    return arrays == "warp"


@functools.cache
def run_cpu_graphs_directly():
    """On the CPU, let blocks of wp.ScopedCapture run directly, with None for a graph.

    A graph of Warp records kernels only: replayed, it would leave out the steps of Torsor's solvers without a word. Most
    scripts test the graph before they launch it, and otherwise run the block again; launching None raises an Error.
    Captures on GPUs are left alone.
    """
    import warp

    original, launch = warp.ScopedCapture, warp.capture_launch

    def capture_launch(graph, *args, **kwargs):
        if graph is None:
            raise Error("there is no graph: steps of Torsor cannot be recorded by Warp; call the function itself instead")
        return launch(graph, *args, **kwargs)

    class ScopedCapture:
        def __new__(cls, device=None, *args, **kwargs):
            return original(device, *args, **kwargs) if warp.get_device(device).is_cuda else super().__new__(cls)

        def __init__(self, device=None, *args, **kwargs):
            self.graph = None

        def __enter__(self):
            return self

        def __exit__(self, *unused):
            return False

    warp.ScopedCapture, warp.capture_launch = ScopedCapture, capture_launch


@functools.cache
def _warp_array():
    """A Warp array that can be indexed, which Warp's own cannot outside of kernels."""
    import warp

    class WarpArray(warp.array):
        torsor_buffer = None

        def __getitem__(self, key):
            if isinstance(key, (int, numpy.integer)):
                return self.numpy()[key]
            return super().__getitem__(key)

        def __setitem__(self, key, value):
            self.numpy()[key] = values_of(value)

        def __array__(self, dtype=None, copy=None):
            return numpy.array(self.numpy(), dtype=dtype) if copy else numpy.asarray(self.numpy(), dtype=dtype)

        def tolist(self):
            return self.numpy().tolist()

    return WarpArray


def _warp_type(element, dtype):
    """The type of elements of this shape."""
    import warp

    if dtype == numpy.int32:
        return warp.int32
    rows = {(): warp.float32, (3,): warp.vec3, (6,): warp.spatial_vector, (7,): warp.transform, (3, 3): warp.mat33,
            (2,): warp.vec2}
    return rows[tuple(element)]


def to_warp(shown, buffer=None, leading=1):
    """A Warp array in the memory of a NumPy array of float32 or int32; its elements begin after `leading` dimensions."""
    dtype = _warp_type(shown.shape[leading:], shown.dtype)
    array = _warp_array()(shown, dtype=dtype, copy=False, device="cpu")
    array.torsor_buffer = buffer
    return array


class Buffer:
    """One array of the engine in the form that users see.

    `exact` holds the engine's numbers. With NumPy, users see the same memory. Warp's arrays are in single precision:
    there, pull() takes over the elements that the user has changed and leaves the others at full precision.
    """

    def __init__(self, exact, warp, leading=1):
        self.exact = numpy.asarray(exact)
        if warp:
            self.shown = self.exact.astype(numpy.int32 if self.exact.dtype.kind in "iub" else numpy.float32)
            self.array = to_warp(self.shown, self, leading)
        else:
            self.shown, self.array = self.exact, self.exact.view(Array)

    def __repr__(self):
        return f"<Buffer of {self.exact.shape}>"

    def pull(self):
        """Take over edits."""
        if self.shown is self.exact:
            return
        edited = self.shown != self.exact.astype(self.shown.dtype)
        if edited.any():
            self.exact[edited] = self.shown[edited]

    def push(self):
        """Show the engine's numbers."""
        if self.shown is not self.exact:
            self.shown[...] = self.exact
