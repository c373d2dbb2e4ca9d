"""Arrays as scripts that were written for Newton expect them."""

import numpy


class Array(numpy.ndarray):
    """A NumPy array with the methods of warp's arrays that such scripts call.

    >>> state.joint_qd.assign([0.5, -1])
    >>> state.joint_qd.numpy()
    array([ 0.5, -1. ])
    >>> state.joint_qd.zero_()
    """

    def numpy(self):
        """The same numbers in the same memory, as a plain NumPy array."""
        return self.view(numpy.ndarray)

    def assign(self, values):
        """Take over numbers of the same shape."""
        self[...] = values

    def fill_(self, value):
        """Set all to one number."""
        self[...] = value

    def zero_(self):
        """Set all to zero."""
        self[...] = 0
