"""Views of many articulations that are alike, for example one robot in each world."""

import fnmatch
import re

import numpy

from torsor._error import Error
from torsor.newton._array import Buffer, values_of
from torsor.newton._evaluate import eval_fk
from torsor.newton._types import JointType

_PER_JOINT = {"joint_type", "joint_parent", "joint_child", "joint_X_p", "joint_X_c", "joint_dof_dim", "joint_articulation",
              "joint_world"}
_PER_COORDINATE = {"joint_q", "joint_target_q"}


def _matches(label, pattern):
    if isinstance(pattern, re.Pattern):
        return pattern.fullmatch(label) is not None
    return fnmatch.fnmatchcase(label, pattern)


def _choose(labels, pattern):
    """Positions of the labels that a pattern, a list of patterns or a list of numbers selects."""
    if pattern is None:
        return []
    if isinstance(pattern, (str, re.Pattern)):
        pattern = [pattern]
    chosen = []
    for each in pattern:
        if isinstance(each, (int, numpy.integer)):
            if not 0 <= each < len(labels):
                raise Error(f"index {each} does not exist: there are {len(labels)}")
            chosen.append(int(each))
        else:
            chosen += [i for i, label in enumerate(labels) if _matches(label, each)]
    return sorted(set(chosen))


class ArticulationView:
    """Articulations whose labels match a pattern, seen as arrays of shape (worlds, articulations of a world, ...).

    The pattern is a glob such as "robot*", a list of these, a compiled regular expression, or a list of indices. Joints
    and links may be chosen by the last part of their labels, or by their position in the articulation; joints also by
    type. Reading returns copies; set_...() writes, for the articulations of a mask if one is given: one flag for each
    world, or one for each articulation. After set_attribute() of a model, call solver.notify_model_changed().

    >>> builder = newton.ModelBuilder()
    >>> link = builder.add_link(mass=1, inertia=numpy.eye(3))
    >>> builder.add_articulation([builder.add_joint_revolute(-1, link)], label="robot")
    >>> scene = newton.ModelBuilder()
    >>> scene.replicate(builder, 3)
    >>> model = scene.finalize()
    >>> view = newton.selection.ArticulationView(model, "robot")
    >>> state = model.state()
    >>> view.set_dof_positions(state, [[[0.1]], [[0.2]], [[0.3]]], mask=[True, False, True])
    >>> state.joint_q.tolist()
    [0.1, 0.0, 0.3]
    """

    def __init__(self, model, pattern, include_joints=None, exclude_joints=None, include_links=None, exclude_links=None,
                 include_joint_types=None, exclude_joint_types=None, include_loop_closing_joints=False,
                 allow_partial_layouts=False, verbose=None):
        self.model, self._lists = model, model._lists
        found = _choose(self._lists.get_list("articulation_key"), pattern)
        if not found:
            raise Error(f"no articulation matches {pattern!r}; there are {sorted(set(model.articulation_key))}")
        worlds = self._lists.get_list("articulation_world")
        by_world = {}
        for articulation in found:
            by_world.setdefault(worlds[articulation], []).append(articulation)
        if len({len(each) for each in by_world.values()}) > 1:
            raise Error(f"{pattern!r} matches different numbers of articulations in different worlds")
        self.articulation_ids = numpy.array(list(by_world.values()))
        self.world_count, self.count_per_world = self.articulation_ids.shape
        self.count = self.articulation_ids.size
        self._find_joints(include_joints, exclude_joints, include_joint_types, exclude_joint_types)
        self._find_links(include_links, exclude_links)
        if verbose:
            print(f"{self.count} articulations, joints {self.joint_names}, links {self.link_names}")

    def __repr__(self):
        return f"<ArticulationView: {self.count} articulations in {self.world_count} worlds>"

    # --- what is selected ---

    def _joints_of(self, articulation):
        starts = [*self._lists.get_list("articulation_start"), self.model.joint_count]
        end = starts[articulation]
        owners = self._lists.get_list("joint_articulation")
        while end < self.model.joint_count and owners[end] == articulation:
            end += 1
        return list(range(starts[articulation], end))

    def _for_all(self, what, rows_of):
        """rows_of each articulation, which must be equally many: (worlds, articulations of a world, rows)."""
        rows = [rows_of(articulation) for articulation in self.articulation_ids.reshape(-1)]
        if len({len(each) for each in rows}) > 1:
            raise Error(f"the articulations have different numbers of {what}: {sorted({len(each) for each in rows})}")
        return numpy.array(rows, dtype=int).reshape(self.world_count, self.count_per_world, -1)

    def _find_joints(self, include, exclude, include_types, exclude_types):
        every = self._for_all("joints", self._joints_of)
        kinds, keys = self._lists.get_list("joint_type"), self._lists.get_list("joint_key")
        template = every[0, 0]
        names = [keys[joint].rsplit("/", 1)[-1] for joint in template]
        chosen = set(range(len(template)))
        if include is not None or include_types is not None:
            types = {int(each) for each in include_types or ()}
            chosen = set(_choose(names, include)) | {i for i, joint in enumerate(template) if kinds[joint] in types}
        types = {int(each) for each in exclude_types or ()}
        chosen -= set(_choose(names, exclude)) | {i for i, joint in enumerate(template) if kinds[joint] in types}
        order = sorted(chosen)
        self._all_joints, self._joints = every, every[:, :, order]
        self.joint_names = [names[i] for i in order]
        self.joint_labels = [keys[template[i]] for i in order]
        self.joint_count = len(order)
        self._coordinates, self.joint_coord_names = self._rows("joint_q_start", order)
        self._dofs, self.joint_dof_names = self._rows("joint_qd_start", order)
        self.joint_coord_count, self.joint_dof_count = len(self.joint_coord_names), len(self.joint_dof_names)
        self.root_joint_type = JointType(kinds[template[0]])
        self.is_floating_base = self.root_joint_type in (JointType.FREE, JointType.DISTANCE)
        self.is_fixed_base = self.root_joint_type == JointType.FIXED

    def _rows(self, starts, order):
        """Where the numbers of the chosen joints are, and their names."""
        starts = numpy.asarray(getattr(self.model, starts))

        def of(articulation):
            joints = [self._joints_of(articulation)[i] for i in order]
            return [row for joint in joints for row in range(starts[joint], starts[joint + 1])]

        names = []
        for name, joint in zip(self.joint_names, self._joints[0, 0], strict=True):
            count = starts[joint + 1] - starts[joint]
            names += [name] if count == 1 else [f"{name}:{i}" for i in range(count)]
        return self._for_all("coordinates", of), names

    def _find_links(self, include, exclude):
        children, keys = self._lists.get_list("joint_child"), self._lists.get_list("body_key")
        every = numpy.array(children, dtype=int)[self._all_joints]
        names = [keys[body].rsplit("/", 1)[-1] for body in every[0, 0]]
        order = list(range(len(names))) if include is None else _choose(names, include)
        order = [i for i in order if i not in _choose(names, exclude)]
        self._links = every[:, :, order]
        self.link_names = self.body_names = [names[i] for i in order]
        self.link_labels = self.body_labels = [keys[every[0, 0, i]] for i in order]
        self.link_count = len(order)
        owners = self._lists.get_list("shape_body")
        self._shapes = numpy.array([[[shape for body in one for shape, owner in enumerate(owners) if owner == body]
                                     for one in world] for world in self._links], dtype=int).reshape(
                                         self.world_count, self.count_per_world, -1)
        self.shape_names = [self._lists.get_list("shape_key")[shape].rsplit("/", 1)[-1] for shape in self._shapes[0, 0]]
        self.shape_count = len(self.shape_names)
        self.body_shapes = self.link_shapes = [[k for k, shape in enumerate(self._shapes[0, 0]) if owners[shape] == body]
                                               for body in self._links[0, 0]]

    # --- reading and writing ---

    def _rows_of(self, name):
        if name in _PER_COORDINATE:
            return self._coordinates
        if name.startswith("body_"):
            return self._links
        if name.startswith("shape_"):
            return self._shapes
        if name in _PER_JOINT:
            return self._joints
        if name.startswith("joint_"):
            return self._dofs
        raise Error(f"{name} is no attribute of joints, links or shapes")

    def get_attribute(self, name, source):
        """An array of a model, state or control for the chosen joints, links or shapes: a copy.

        >>> view.get_attribute("joint_target_ke", model).shape
        (1, 1, 2)
        """
        values = numpy.asarray(values_of(getattr(source, name)))
        return Buffer(values[self._rows_of(name)], self.model._warp, leading=3).array

    def set_attribute(self, name, target, values, mask=None):
        """Write an array of a model, state or control for the chosen joints, links or shapes.

        >>> view.set_attribute("joint_target_ke", model, numpy.full((1, 1, 2), 50.0))
        >>> solver.notify_model_changed(newton.ModelFlags.JOINT_DOF_PROPERTIES)
        """
        self._write(name, target, self._rows_of(name), values, mask)

    def _write(self, name, target, rows, values, mask):
        chosen = self._mask(mask)
        array = getattr(target, name)
        found = numpy.array(values_of(array), copy=True)
        given = numpy.asarray(values_of(values), dtype=found.dtype)
        shape = (*rows.shape, *found.shape[1:])
        if given.size != numpy.prod(shape) and given.ndim > 0:
            raise Error(f"{name} of this view has the shape {shape}, not {given.shape}")
        given = numpy.broadcast_to(given, shape) if given.ndim == 0 else given.reshape(shape)
        found[rows[chosen]] = given[chosen]
        buffer = getattr(array, "torsor_buffer", None)
        if buffer is None:
            array[...] = found
        else:
            buffer.exact[...] = found
            buffer.push()

    def _mask(self, mask):
        shape = (self.world_count, self.count_per_world)
        if mask is None:
            return numpy.ones(shape, dtype=bool)
        mask = numpy.asarray(values_of(mask)).astype(bool)
        if mask.shape not in (shape, shape[:1]):
            raise Error(f"a mask has the shape {shape[:1]} or {shape}, not {mask.shape}")
        return numpy.broadcast_to(mask.reshape(mask.shape[0], -1), shape)

    def get_model_articulation_mask(self, mask=None):
        """A mask of this view as a flag for each articulation of the model.

        >>> view.get_model_articulation_mask([True]).tolist()
        [1]
        """
        flags = numpy.zeros(self.model.articulation_count, dtype=numpy.int32)
        flags[self.articulation_ids[self._mask(mask)]] = 1
        return Buffer(flags, self.model._warp).array

    def get_dof_positions(self, source):
        """Coordinates of the chosen joints.

        >>> view.get_dof_positions(state).tolist()
        [[[0.0, 0.0]]]
        """
        return self.get_attribute("joint_q", source)

    def set_dof_positions(self, target, values, mask=None):
        """Write coordinates of the chosen joints.

        >>> view.set_dof_positions(state, [[[0.1, 0.2]]])
        """
        self.set_attribute("joint_q", target, values, mask)

    def get_dof_velocities(self, source):
        """Velocities of the chosen joints.

        >>> view.get_dof_velocities(state).tolist()
        [[[0.0, 0.0]]]
        """
        return self.get_attribute("joint_qd", source)

    def set_dof_velocities(self, target, values, mask=None):
        """Write velocities of the chosen joints.

        >>> view.set_dof_velocities(state, [[[0.1, 0.2]]])
        """
        self.set_attribute("joint_qd", target, values, mask)

    def get_dof_forces(self, source):
        """Forces of the chosen joints in a control.

        >>> view.get_dof_forces(model.control()).tolist()
        [[[0.0, 0.0]]]
        """
        return self.get_attribute("joint_f", source)

    def set_dof_forces(self, target, values, mask=None):
        """Write forces of the chosen joints to a control.

        >>> view.set_dof_forces(model.control(), [[[0.1, 0.2]]])
        """
        self.set_attribute("joint_f", target, values, mask)

    def get_link_transforms(self, source):
        """Poses of the chosen links.

        >>> view.get_link_transforms(state).shape
        (1, 1, 2, 7)
        """
        return self.get_attribute("body_q", source)

    def get_link_velocities(self, source):
        """Twists of the chosen links.

        >>> view.get_link_velocities(state).shape
        (1, 1, 2, 6)
        """
        return self.get_attribute("body_qd", source)

    def _root(self, velocities):
        """The array that holds the root's pose or velocity, and its rows."""
        roots = self._all_joints[:, :, 0]
        if self.is_floating_base:
            starts = numpy.asarray(self.model.joint_qd_start if velocities else self.model.joint_q_start)[roots]
            return ("joint_qd", 6, starts) if velocities else ("joint_q", 7, starts)
        return (None, 6, roots) if velocities else ("joint_X_p", 0, roots)

    def get_root_transforms(self, source):
        """The pose of each root: coordinates of a free joint, or the place of any other joint on its parent.

        >>> view.get_root_transforms(state).shape
        (1, 1, 7)
        """
        name, width, rows = self._root(False)
        values = numpy.asarray(values_of(getattr(source if width else self.model, name)))
        found = values[rows[..., None] + numpy.arange(width)] if width else values[rows]
        return Buffer(found, self.model._warp, leading=2).array

    def set_root_transforms(self, target, values, mask=None):
        """Write the pose of each root. With a fixed base this edits the model: call notify_model_changed().

        >>> view.set_root_transforms(model, [[newton.transform((0, 0, 1))]])
        """
        name, width, rows = self._root(False)
        owner = target if width else self.model
        self._write(name, owner, rows[..., None] + numpy.arange(width) if width else rows, values, mask)

    def get_root_velocities(self, source):
        """The twist of each root; None if the root does not float.

        >>> view.get_root_velocities(state) is None
        True
        """
        name, width, rows = self._root(True)
        if name is None:
            return None
        values = numpy.asarray(values_of(getattr(source, name)))
        return Buffer(values[rows[..., None] + numpy.arange(width)], self.model._warp, leading=2).array

    def set_root_velocities(self, target, values, mask=None):
        """Write the twist of each root; without effect if the root does not float.

        >>> view.set_root_velocities(state, [[[0, 0, 0, 0, 0, 0]]])
        """
        name, width, rows = self._root(True)
        if name is not None:
            self._write(name, target, rows[..., None] + numpy.arange(width), values, mask)

    def eval_fk(self, target, mask=None):
        """Set body_q and body_qd of the articulations from their coordinates, in a state or the model.

        >>> view.eval_fk(state)
        """
        eval_fk(self.model, target.joint_q, target.joint_qd, target, mask=self.get_model_articulation_mask(mask))
