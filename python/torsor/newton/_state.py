"""State, Control and Contacts: what a step reads and writes."""

import contextlib

import numpy

from torsor._error import Error
from torsor.newton._array import Buffer, to_warp, values_of


class _Bound:
    """An object of the engine, with arrays of NumPy or Warp. Without an engine's object it is a plain container."""

    _arrays = {}  # public names, and the engine's names of the same numbers

    def __init__(self, core=None, warp=False):
        self.__dict__.update(_core=core, _warp=warp, _buffers={})

    def __getattr__(self, name):
        if name.startswith("_") or name not in self._arrays:
            raise AttributeError(f"a {type(self).__name__} has no attribute {name!r}")
        if self._core is None:
            return None
        name = self._arrays[name]
        return self._buffer(name).array if self._warp else getattr(self._core, name)

    def __setattr__(self, name, value):
        if name in self._arrays and self._core is not None:
            setattr(self._core, self._arrays[name], values_of(value))
            if self._arrays[name] in self._buffers:
                self._buffers[self._arrays[name]].push()
        else:
            self.__dict__[name] = value

    def __dir__(self):
        return sorted({*super().__dir__(), *self._arrays})

    def __repr__(self):
        return repr(self._core) if self._core is not None else f"<{type(self).__name__}: empty>"

    def _buffer(self, name):
        if name not in self._buffers:
            self._buffers[name] = Buffer(numpy.asarray(getattr(self._core, name)), True)
        return self._buffers[name]

    def _pull(self):
        for buffer in self._buffers.values():
            buffer.pull()

    def _push(self):
        for buffer in self._buffers.values():
            buffer.push()


@contextlib.contextmanager
def engine_objects(*objects):
    """The engine's objects of states, controls and contacts, with edits taken over before and results shown after."""
    for each in objects:
        if each is not None:
            if not isinstance(each, (_Bound, Contacts)):
                raise TypeError(f"expected a State, Control or Contacts of torsor.newton, not {type(each).__name__}")
            if each._core is None:
                raise Error(f"the {type(each).__name__} is empty: make one with model.{type(each).__name__.lower()}()")
            each._pull()
    yield [None if each is None else each._core for each in objects]
    for each in objects:
        if each is not None:
            each._push()


class State(_Bound):
    """Positions, velocities and loads of a model; made by model.state().

    Poses are seven numbers (position, quaternion xyzw); twists and wrenches are six, linear part first, at the centre of
    mass and in the world's axes. Arrays share the state's memory and may be written in place. State() is an empty
    container for arrays.

    >>> state = model.state()
    >>> state.joint_q[0] = 0.5
    >>> state.body_q.shape
    (2, 7)
    """

    _arrays = {name: name for name in ("joint_q", "joint_qd", "body_q", "body_qd", "body_f", "act")}

    @property
    def body_count(self):
        """The number of bodies."""
        return 0 if self._core is None else len(self._core.body_q)

    @property
    def joint_coord_count(self):
        """The number of joint coordinates."""
        return 0 if self._core is None else len(self._core.joint_q)

    @property
    def joint_dof_count(self):
        """The number of joint velocities."""
        return 0 if self._core is None else len(self._core.joint_qd)

    def clear_forces(self):
        """Set body_f to zero.

        >>> state.clear_forces()
        """
        with engine_objects(self) as (core,):
            core.clear_forces()

    def assign(self, other):
        """Copy all numbers of another state of the same model.

        >>> state.assign(model.state())
        """
        with engine_objects(self, other) as (core, source):
            core.assign(source)

    def copy(self):
        """A copy of the state.

        >>> bool((state.copy().joint_q == state.joint_q).all())
        True
        """
        with engine_objects(self) as (core,):
            return State(core.copy(), self._warp)


class Control(_Bound):
    """The inputs of a step: joint forces, targets of drives, controls; made by model.control().

    joint_target_q has the layout of joint_q, as in Newton 1.5 and later, if newton.use_coord_layout_targets is set;
    joint_target_pos has one number for each axis. Coordinates of free and ball joints have no target.

    >>> control = model.control()
    >>> control.joint_f[0] = 1.5
    >>> control.joint_target_pos.shape
    (2,)
    """

    _arrays = {"joint_f": "joint_f", "joint_act": "joint_act", "joint_target_pos": "joint_target_pos",
               "joint_target": "joint_target_pos", "joint_target_vel": "joint_target_vel",
               "joint_target_qd": "joint_target_vel", "ctrl": "ctrl"}

    def __init__(self, core=None, warp=False, coordinates=None):
        super().__init__(core, warp)
        # where in joint_target_pos the target of each coordinate is, -1 for none; None if all have one
        self.__dict__.update(_coordinates=coordinates, _targets=None)

    @property
    def mujoco(self):
        """The controls of actuators from MJCF, as `control.mujoco.ctrl`."""
        return self

    @property
    def joint_target_q(self):
        """Target positions in the layout of joint_q."""
        if self._core is None:
            return None
        if self._coordinates is None:
            return self.joint_target_pos
        if self._targets is None:
            self.__dict__["_targets"] = Buffer(numpy.zeros(len(self._coordinates)), self._warp)
            self._push()
        return self._targets.array

    @joint_target_q.setter
    def joint_target_q(self, values):
        self.joint_target_q.assign(values_of(values))

    def _pull(self):
        super()._pull()
        if self._targets is not None:
            chosen = self._coordinates >= 0
            positions = numpy.asarray(self._core.joint_target_pos)
            shown = self._targets.shown[chosen]
            edited = shown != positions[self._coordinates[chosen]].astype(shown.dtype)
            positions[self._coordinates[chosen][edited]] = shown[edited]

    def _push(self):
        super()._push()
        if self._targets is not None:
            chosen = self._coordinates >= 0
            self._targets.shown[chosen] = numpy.asarray(self._core.joint_target_pos)[self._coordinates[chosen]]

    def clear(self, model=None):
        """Set all inputs to zero.

        >>> model.control().clear()
        """
        with engine_objects(self) as (core,):
            core.clear()


_CONTACT_ROWS = {"rigid_contact_shape0": (), "rigid_contact_shape1": (), "rigid_contact_point0": (3,),
                 "rigid_contact_point1": (3,), "rigid_contact_normal": (3,), "rigid_contact_offset0": (3,),
                 "rigid_contact_offset1": (3,), "rigid_contact_margin0": (), "rigid_contact_margin1": (),
                 "rigid_contact_distance": (), "force": (6,)}
_EDITABLE = ("rigid_contact_point0", "rigid_contact_point1", "rigid_contact_normal")


class Contacts:
    """The contacts of one state; made by model.collide(state).

    A step uses these points and normals. It may be a step from a later state: points stay fixed to their bodies and
    normals to the world, and the distances follow. NumPy arrays are copies with one row for each contact: to change
    them, assign a whole array. Warp arrays have rigid_contact_max rows, of which the first rigid_contact_count[0] count.

    >>> contacts = model.collide(state)
    >>> contacts.rigid_contact_normal = contacts.rigid_contact_normal
    >>> contacts.clear()
    >>> contacts.rigid_contact_count
    0
    """

    def __init__(self, rigid_contact_max=1000, soft_contact_max=0, *, device=None, requested_attributes=None, core=None,
                 warp=False, **unused):
        self.__dict__.update(_core=core, _warp=warp, _shown={}, _arrays={}, rigid_contact_max=rigid_contact_max or 1000,
                             soft_contact_max=soft_contact_max or 0, device=device)
        if warp:
            self._grow()

    def __repr__(self):
        return repr(self._core) if self._core is not None else "<Contacts: empty>"

    def __getattr__(self, name):
        if name.startswith("_") or not (name in _CONTACT_ROWS or name == "rigid_contact_count"):
            raise AttributeError(f"Contacts have no attribute {name!r}")
        if self._warp:
            return self._arrays[name]
        if self._core is None:
            return 0 if name == "rigid_contact_count" else None
        if hasattr(self._core, name):
            return getattr(self._core, name)
        shape = (self._core.rigid_contact_count, *_CONTACT_ROWS[name])  # offsets and margins: points are on the surfaces
        return numpy.zeros(shape)

    def __setattr__(self, name, value):
        if name in _EDITABLE and self._core is not None and not self._warp:
            setattr(self._core, name, value)
        else:
            self.__dict__[name] = value

    def _grow(self):
        """New Warp arrays with room for rigid_contact_max contacts."""
        for name, row in _CONTACT_ROWS.items():
            kind = numpy.int32 if "shape" in name else numpy.float32
            self._shown[name] = numpy.full((self.rigid_contact_max, *row), -1 if "shape" in name else 0, dtype=kind)
            self._arrays[name] = to_warp(self._shown[name])
        self._shown["rigid_contact_count"] = numpy.zeros(1, dtype=numpy.int32)
        self._arrays["rigid_contact_count"] = to_warp(self._shown["rigid_contact_count"])

    def _pull(self):
        if not self._warp or self._core is None:
            return
        count = self._core.rigid_contact_count
        if self._shown["rigid_contact_count"][0] != count:
            if self._shown["rigid_contact_count"][0] != 0:
                raise Error("rigid_contact_count can be set to 0 only: call collide() for other contacts")
            self._core.clear()
            return
        for name in _EDITABLE:
            exact, shown = numpy.array(getattr(self._core, name)), self._shown[name][:count]
            edited = shown != exact.astype(numpy.float32)
            if edited.any():
                exact[edited] = shown[edited]
                setattr(self._core, name, exact)

    def _push(self):
        if not self._warp or self._core is None:
            return
        count = self._core.rigid_contact_count
        if count > self.rigid_contact_max:
            self.rigid_contact_max = 2 * count
            self._grow()
        self._shown["rigid_contact_count"][0] = count
        for name in _CONTACT_ROWS:
            if not hasattr(self._core, name):
                continue
            values = numpy.asarray(getattr(self._core, name))
            self._shown[name][:len(values)] = values
            self._shown[name][len(values):] = -1 if "shape" in name else 0

    def _take(self, core):
        if self._core is None:
            self.__dict__["_core"] = core
        else:
            self._core.assign(core)
        self._push()

    def assign(self, other):
        """Copy other contacts of the same model.

        >>> contacts = model.contacts()
        >>> contacts.assign(model.collide(state))
        """
        with engine_objects(other) as (core,):
            self._take(core.copy())

    def clear(self, bump_generation=True):
        """Remove all contacts.

        >>> contacts.clear()
        """
        if self._core is not None:
            self._core.clear()
            self._push()
