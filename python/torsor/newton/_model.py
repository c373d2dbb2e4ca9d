"""The result of ModelBuilder.finalize()."""

import numpy

from torsor._core import _newton
from torsor._error import Error
from torsor.newton._array import Array
from torsor.newton._types import Axis


_TEXT = {"body_key", "joint_key", "shape_key", "articulation_key"}
_WITH_END = {"joint_q_start": "joint_coord_count", "joint_qd_start": "joint_dof_count",
             "articulation_start": "joint_count"}
_WIDTHS = {"body_q": 7, "body_qd": 6, "body_com": 3, "joint_X_p": 7, "joint_X_c": 7, "joint_dof_dim": 2,
           "joint_axis": 3, "shape_transform": 7, "shape_scale": 3, "shape_collision_filter_pairs": 2}


def refuse_gradients(requires_grad):
    """Raise an Error if gradients are requested."""
    if requires_grad:
        raise Error("gradients are not supported; torsor.transition_derivatives() computes derivatives by finite differences")


class Model:
    """A scene that is ready for simulation; made by ModelBuilder.finalize().

    The builder's lists are NumPy arrays here (joint_q, joint_X_p, body_mass, shape_material_mu, ...), read-only: change
    them in the builder and finalize again.

    >>> model.body_mass.shape
    (2,)
    """

    def __init__(self, core):
        self._core = core
        self._lists = core.lists()
        self.up_axis = Axis(self._lists.up_axis)
        for name in ("body_count", "joint_count", "joint_dof_count", "joint_coord_count", "shape_count",
                     "articulation_count", "world_count"):
            setattr(self, name, getattr(self._lists, name))

    num_worlds = property(lambda self: self.world_count, doc="The number of worlds.")
    num_envs = num_worlds
    up_vector = property(lambda self: numpy.array(self.up_axis.to_vector()), doc="The unit vector that points up.")

    @property
    def body_inv_mass(self):
        """The inverse mass of each body."""
        return (1 / self.body_mass).view(Array)

    @property
    def body_inv_inertia(self):
        """The inverse of the inertia of each body."""
        return numpy.linalg.inv(self.body_inertia).view(Array)

    def __repr__(self):
        return f"<Model: {self.body_count} bodies, {self.joint_count} joints, {self.shape_count} shapes>"

    def __dir__(self):
        return sorted({*super().__dir__(), *_newton.list_names()})

    def __getattr__(self, name):
        if name.endswith("_label"):  # what newer versions call keys
            return getattr(self, name.removesuffix("label") + "key")
        if name.startswith("_") or name not in _newton.list_names():
            raise AttributeError(f"a model has no attribute {name!r}")
        values = self._core.get_list(name)
        if name not in _TEXT:
            values = self._to_array(name, values)
        setattr(self, name, values)
        return values

    def _to_array(self, name, values):
        if name in _WITH_END:
            values = [*values, getattr(self, _WITH_END[name])]
        is_count = bool(values) and isinstance(numpy.ravel(values)[0], (int, numpy.integer))
        array = numpy.array(values, dtype=numpy.int32 if is_count else float)
        if name == "body_inertia":
            array = array.reshape(-1, 3, 3)
        elif name in _WIDTHS:
            array = array.reshape(-1, _WIDTHS[name])
        array.setflags(write=False)
        return array.view(Array)

    @property
    def gravity(self):
        """Gravity, for all worlds of the model.

        >>> model.gravity.tolist()
        [0.0, 0.0, -9.81]
        """
        return numpy.array(self._core.gravity()).view(Array)

    def set_gravity(self, gravity):
        """Change gravity, also for existing solvers.

        >>> model.set_gravity((0, 0, -1.62))
        """
        self._core.set_gravity(numpy.asarray(gravity, dtype=float).tolist())

    def state(self, requires_grad=None):
        """A new State with the coordinates and poses of the builder. Gradients are not supported.

        >>> model.state().joint_q.shape
        (2,)
        """
        refuse_gradients(requires_grad)
        return self._core.state()

    def control(self, requires_grad=None, clone_variables=True):
        """A new Control with the builder's targets and no forces.

        >>> model.control().joint_target_pos.tolist()
        [0.0, 0.0]
        """
        refuse_gradients(requires_grad)
        return self._core.control()

    def contacts(self):
        """New Contacts, to be filled by collide().

        >>> contacts = model.contacts()
        >>> model.collide(state, contacts).rigid_contact_count
        0
        """
        return self._core.collide(self._core.state())

    def collide(self, state, contacts=None, *, collision_pipeline=None):
        """Find the contacts of a state, with bodies at joint_q; returned in `contacts` if given.

        collision_pipeline has no effect: there is only one pipeline.

        >>> model.collide(model.state()).rigid_contact_count
        0
        """
        found = self._core.collide(state)
        if contacts is None:
            return found
        contacts.assign(found)
        return contacts
