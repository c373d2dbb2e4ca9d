"""Arrays with the methods that scripts for Newton use."""

import numpy


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
        self[...] = values

    def fill_(self, value):
        """Set all elements to one number."""
        self[...] = value

    def zero_(self):
        """Set all elements to zero."""
        self[...] = 0
