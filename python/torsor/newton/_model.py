"""The result of ModelBuilder.finalize()."""

import numpy

from torsor._core import _newton
from torsor._error import Error
from torsor.newton._array import Buffer, values_of
from torsor.newton._state import Contacts, Control, State, engine_objects
from torsor.newton._types import Axis, JointType, ModelFlags

_TEXT = {"body_key", "joint_key", "shape_key", "articulation_key"}
_WITH_END = {"joint_q_start": "joint_coord_count", "joint_qd_start": "joint_dof_count",
             "articulation_start": "joint_count"}
_WIDTHS = {"body_q": 7, "body_qd": 6, "body_com": 3, "joint_X_p": 7, "joint_X_c": 7, "joint_dof_dim": 2,
           "joint_axis": 3, "shape_transform": 7, "shape_scale": 3, "shape_collision_filter_pairs": 2}
_STATE = ("joint_q", "joint_qd", "body_q", "body_qd")
_CONTROL = ("joint_f", "joint_target_pos", "joint_target_vel")
_SAME = {"joint_target_qd": "joint_target_vel"}
_FORCES = ["joint_target_ke", "joint_target_kd", "joint_target_mode", "joint_limit_lower", "joint_limit_upper",
           "joint_limit_ke", "joint_limit_kd", "joint_damping", "joint_friction", "joint_effort_limit",
           "joint_velocity_limit"]
# the arrays that notify_model_changed() takes over, by flag
CHANGED = {
    ModelFlags.JOINT_PROPERTIES: ["joint_X_p", "joint_X_c", "joint_axis"],
    ModelFlags.JOINT_DOF_PROPERTIES: [*_FORCES, "joint_armature"],
    ModelFlags.JOINT_DOF_FORCE_PROPERTIES: _FORCES,
    ModelFlags.JOINT_DOF_INERTIAL_PROPERTIES: ["joint_armature"],
    ModelFlags.BODY_PROPERTIES: ["body_flags"],
    ModelFlags.BODY_INERTIAL_PROPERTIES: ["body_mass", "body_com", "body_inertia"],
    ModelFlags.SHAPE_PROPERTIES: ["shape_transform", "shape_scale", "shape_flags", "shape_collision_group", "shape_margin",
                                  "shape_gap", "shape_material_ke", "shape_material_kd", "shape_material_kf",
                                  "shape_material_ka", "shape_material_mu", "shape_material_mu_torsional",
                                  "shape_material_mu_rolling", "shape_material_restitution"],
}
_EDITABLE = {name for names in CHANGED.values() for name in names} | {*_STATE, *_CONTROL}


def refuse_gradients(requires_grad):
    """Raise an Error if gradients are requested."""
    if requires_grad:
        raise Error("gradients are not supported; torsor.transition_derivatives() computes derivatives by finite differences")


class Model:
    """A scene that is ready for simulation; made by ModelBuilder.finalize().

    The builder's lists are arrays here (joint_q, joint_X_p, body_mass, shape_material_mu, ...). Numbers may be edited in
    place; solvers use them after solver.notify_model_changed(). Arrays that describe the structure are read-only.

    >>> model.body_mass.shape
    (2,)
    """

    def __init__(self, core, warp=False, colors=(), sources=()):
        self._core, self._warp, self._buffers, self._taken = core, warp, {}, {}
        self._lists = core.lists()
        self._gravity = Buffer(numpy.array(core.gravity()), warp)
        self._colors, self._shape_source, self._attributes = list(colors), list(sources), set()
        self.up_axis = Axis(self._lists.up_axis)
        self.requires_grad, self.device = False, "cpu"
        self.rigid_contact_max = None
        if warp:
            import warp as module

            self.device = module.get_device("cpu")
        for name in ("body_count", "joint_count", "joint_dof_count", "joint_coord_count", "shape_count",
                     "articulation_count", "world_count"):
            setattr(self, name, getattr(self._lists, name))

    num_worlds = property(lambda self: self.world_count, doc="The number of worlds.")
    num_envs = num_worlds
    particle_count = property(lambda self: 0, doc="There are no particles.")
    up_vector = property(lambda self: numpy.array(self.up_axis.to_vector()), doc="The unit vector that points up.")
    max_joints_per_articulation = property(lambda self: self._core.max_joints(), doc="Of any articulation.")
    max_dofs_per_articulation = property(lambda self: self._core.max_dofs(), doc="Of any articulation.")

    @property
    def body_inv_mass(self):
        """The inverse mass of each body."""
        return Buffer(1 / numpy.asarray(values_of(self.body_mass), dtype=float), self._warp).array

    @property
    def body_inv_inertia(self):
        """The inverse of the inertia of each body."""
        return Buffer(numpy.linalg.inv(numpy.asarray(values_of(self.body_inertia), dtype=float)), self._warp).array

    @property
    def body_shapes(self):
        """The shapes of each body; those of the world are at -1."""
        found = {body: [] for body in range(-1, self.body_count)}
        for shape, body in enumerate(self._lists.get_list("shape_body")):
            found[body].append(shape)
        return found

    @property
    def shape_color(self):
        """The colour of each shape, as given to the builder; the engine does not use it."""
        return Buffer(numpy.array([color or (0.5, 0.5, 0.5) for color in self._colors]).reshape(-1, 3), self._warp).array

    shape_source = property(lambda self: self._shape_source, doc="The Mesh or Heightfield of each shape, or None.")

    def __repr__(self):
        return f"<Model: {self.body_count} bodies, {self.joint_count} joints, {self.shape_count} shapes>"

    def __dir__(self):
        return sorted({*super().__dir__(), *_newton.list_names()})

    def __getattr__(self, name):
        if name.startswith("_"):
            raise AttributeError(f"a model has no attribute {name!r}")
        if name.endswith("_label"):  # what newer versions call keys
            return getattr(self, name.removesuffix("label") + "key")
        if name == "joint_target_q_start":
            return self.joint_qd_start if self._target_coordinates() is None else self.joint_q_start
        if name.endswith("_world_start"):
            return self._world_start(name)
        name = _SAME.get(name, name)
        if name not in _newton.list_names():
            raise AttributeError(f"a model has no attribute {name!r}")
        if name in _TEXT:
            values = self._lists.get_list(name)
            setattr(self, name, values)
            return values
        return self._buffer(name).array

    def __setattr__(self, name, value):
        name = _SAME.get(name, name)
        if name in _EDITABLE:
            self._buffer(name).array.assign(values_of(value))
        elif name == "gravity":
            self.set_gravity(values_of(value))
        else:
            super().__setattr__(name, value)

    def _buffer(self, name):
        if name not in self._buffers:
            exact = self._to_array(name, self._lists.get_list(name))
            self._taken[name] = exact.copy()
            if name not in _EDITABLE and not self._warp:
                exact.setflags(write=False)
            self._buffers[name] = Buffer(exact, self._warp)
        return self._buffers[name]

    def _to_array(self, name, values):
        if name in _WITH_END:
            values = [*values, getattr(self, _WITH_END[name])]
        is_count = bool(values) and isinstance(numpy.ravel(values)[0], (int, numpy.integer))
        array = numpy.array(values, dtype=numpy.int32 if is_count else float)
        if name == "body_inertia":
            array = array.reshape(-1, 3, 3)
        elif name in _WIDTHS:
            array = array.reshape(-1, _WIDTHS[name])
        return array

    def _world_start(self, name):
        """The first element of each world, then of no world, then the number of all."""
        worlds = self._lists.get_list(name.removesuffix("_start"))
        starts = [worlds.index(world) if world in worlds else len(worlds) for world in range(self.world_count)]
        of_none = [i for i, world in enumerate(worlds) if world < 0 and all(i > other for other in starts)]
        return self._to_array(name, [*starts, of_none[0] if of_none else len(worlds), len(worlds)])

    @property
    def gravity(self):
        """Gravity of each world, and last that of bodies of no world: an edit counts after notify_model_changed().

        >>> model.gravity.tolist()
        [[0.0, 0.0, -9.81]]
        """
        return self._gravity.array

    def set_gravity(self, gravity, world=None):
        """Change gravity, also for existing solvers: one vector, one for each world, or that of one world.

        The last row, or world=-1, is for bodies of no world.

        >>> model.set_gravity((0, 0, -1.62))
        """
        given = numpy.asarray(values_of(gravity), dtype=float)
        values = numpy.array(self._core.gravity())
        if given.shape not in ((3,), values.shape, (len(values) - 1, 3)) or (world is not None and given.shape != (3,)):
            raise Error(f"gravity has the shape {given.shape}; it is one vector, or one for each of {self.world_count} worlds")
        if world is not None and not -1 <= world < self.world_count:
            raise Error(f"world {world} does not exist: there are {self.world_count}")
        if world is not None:
            values[world] = given
        elif given.ndim == 1:
            values[:] = given
        else:
            values[:len(given)] = given
        self._core.set_gravity(values.tolist())
        self._gravity.exact[...] = values
        self._gravity.push()

    def take_edits(self, flags):
        """Give edited arrays of the chosen groups to the engine: what solver.notify_model_changed() does.

        >>> model.body_mass[:] = 2.0
        >>> model.take_edits(newton.ModelFlags.BODY_INERTIAL_PROPERTIES)
        """
        flags, edited, lists = int(flags), [], self._core.lists()
        for flag, names in CHANGED.items():
            for name in names if flags & flag else ():
                if name not in self._buffers or name in edited:
                    continue
                buffer = self._buffers[name]
                buffer.pull()
                if not numpy.array_equal(buffer.exact, self._taken[name]):
                    lists.set_list(name, _rows(buffer.exact))
                    edited.append(name)
        if edited:
            self._core.update(lists)
            for name in edited:
                self._taken[name] = self._buffers[name].exact.copy()
        if flags & ModelFlags.MODEL_PROPERTIES:
            self._gravity.pull()
            if not numpy.array_equal(self._gravity.exact, numpy.array(self._core.gravity())):
                self.set_gravity(self._gravity.exact.copy())

    def state(self, requires_grad=None):
        """A new State with the coordinates and poses of the model. Gradients are not supported.

        >>> model.state().joint_q.shape
        (2,)
        """
        refuse_gradients(requires_grad)
        core = self._core.state()
        self._copy_into(core, _STATE)
        core.mark_computed()
        return State(core, self._warp)

    def control(self, requires_grad=None, clone_variables=True):
        """A new Control with the model's targets and no forces.

        >>> model.control().joint_target_pos.tolist()
        [0.0, 0.0]
        """
        refuse_gradients(requires_grad)
        core = self._core.control()
        self._copy_into(core, _CONTROL)
        return Control(core, self._warp, self._target_coordinates())

    def _copy_into(self, core, names):
        for name in names:
            if name in self._buffers:
                self._buffers[name].pull()
                setattr(core, name, self._buffers[name].exact)

    def _target_coordinates(self):
        """Where the target of each coordinate is in joint_target_pos, -1 for none; None if the two layouts agree."""
        from torsor import newton

        if self.joint_coord_count == self.joint_dof_count or not newton.use_coord_layout_targets:
            return None
        return target_coordinates(self._lists)

    def _contact_max(self):
        return max(1000, 100 * self.shape_count)

    def contacts(self, collision_pipeline=None):
        """New Contacts, to be filled by collide().

        >>> contacts = model.contacts()
        >>> model.collide(state, contacts).rigid_contact_count
        0
        """
        core = self._core.collide(self._core.state())
        core.clear()
        return Contacts(self.rigid_contact_max or self._contact_max(), core=core, warp=self._warp)

    def collide(self, state, contacts=None, *, collision_pipeline=None):
        """Find the contacts of a state; returned in `contacts` if given.

        Bodies are at joint_q, or at body_q where that has been edited since it was computed.
        collision_pipeline has no effect: there is only one pipeline.

        >>> model.collide(model.state()).rigid_contact_count
        0
        """
        contacts = self.contacts() if contacts is None else contacts
        if not isinstance(contacts, Contacts):
            raise TypeError(f"expected Contacts, not {type(contacts).__name__}")
        with engine_objects(state) as (core,):
            contacts._take(self._core.collide(core))
        return contacts

    def request_contact_attributes(self, *attributes):
        """Ask for more data of contacts: "force", which steps then fill in.

        >>> model.request_contact_attributes("force")
        """
        unknown = set(attributes) - {"force"}
        if unknown:
            raise Error(f"contacts have no attribute {sorted(unknown)[0]!r}: there is 'force'")
        self._attributes |= set(attributes)

    def get_requested_contact_attributes(self):
        """What request_contact_attributes() has asked for.

        >>> model.get_requested_contact_attributes()
        set()
        """
        return set(self._attributes)


def target_coordinates(lists):
    """Where in joint_target_pos the target of each coordinate is; -1 for coordinates of free and ball joints."""
    starts, dofs = (lists.get_list(name) for name in ("joint_q_start", "joint_qd_start"))
    found = numpy.full(lists.joint_coord_count, -1)
    for joint, kind in enumerate(lists.get_list("joint_type")):
        if kind in (JointType.REVOLUTE, JointType.PRISMATIC, JointType.D6):
            end = starts[joint + 1] if joint + 1 < len(starts) else lists.joint_coord_count
            found[starts[joint]:end] = range(dofs[joint], dofs[joint] + end - starts[joint])
    return found


def _rows(values):
    """Lists of a builder: numbers, or one flat list for each element."""
    return values.tolist() if values.ndim == 1 else values.reshape(len(values), -1).tolist()
