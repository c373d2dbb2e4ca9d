"""Many worlds of one model, stepped together."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy
from numpy import float64
from numpy.typing import ArrayLike, DTypeLike, NDArray

from torsor import _core
from torsor._batch_arguments import alias, broadcast, numbers, scalar_of, seeds_of, thread_count, whole, world_count
from torsor._batch_element import NamedElements
from torsor._batch_fields import FieldsAsAttributes
from torsor._batch_names import DATA_FIELDS, MODEL_FIELDS, not_in_data, not_in_model
from torsor._batch_worlds import WorldNumbers
from torsor._core import BatchStage, Data, Model, StateBit
from torsor._device_batch import DeviceBatch
from torsor._devices import card_number
from torsor._error import Error

Array = NDArray[numpy.floating[Any]]
_FIELDS = DATA_FIELDS


class Batch(NamedElements, WorldNumbers, FieldsAsAttributes):
    """Many worlds of one model, stepped together, one per lane of the processor.

    bind("qpos") is a live array, worlds first: write state and inputs into it, and read what a step left. The same
    arrays are attributes (batch.qpos, batch.ctrl = torques), and batch.joint("knee").qpos is the part of one element.
    Stages that have no wide kernel yet run lane by lane within the same step; plan() lists them. Results do not depend
    on the number of threads or on which worlds run beside a world, to the bit.

    >>> batch = torsor.Batch(model, nworld=100)
    >>> qpos, force = batch.bind("qpos"), batch.bind("qfrc_applied")
    >>> for _ in range(10):
    ...     force[:] = -qpos
    ...     batch.step()
    >>> qpos.shape
    (100, 2)
    """

    _core: Any

    def __new__(cls, model: Model, nworld: int, dtype: DTypeLike | None = None, *, device: Any = "cpu",
                body_forces: bool = False, **of_subclasses: Any) -> Any:
        if cls is not Batch or card_number(device) is None:
            return super().__new__(cls)
        # not a Batch, so that no __init__ follows
        return DeviceBatch(model, nworld, dtype, device=device, body_forces=body_forces, **of_subclasses)

    def __init__(self, model: Model, nworld: int, dtype: DTypeLike | None = None, *, device: Any = "cpu",
                 body_forces: bool = False):
        """All worlds in the reference pose of the model. dtype is the type that worlds are stepped in.

        device is "cpu", or a card such as "cuda" or "cuda:1": then this is a torsor.DeviceBatch, with the same methods where
        they make sense there. dtype is float64 if it is not given, on a card float32.

        float32 has twice the lanes and half the memory of float64: a step is as exact as seven digits allow, which is
        enough for learning and sampling, and not for comparing trajectories digit by digit.

        With body_forces=True, step() and forward() also compute cacc, cfrc_int and cfrc_ext of their last evaluation, as
        rne_post_constraint() does after a step. Without it they are computed only where a sensor needs them.

        >>> batch = torsor.Batch(model, 8, body_forces=True)
        >>> forces = batch.bind("cfrc_int")
        >>> batch.step()
        >>> bool(forces[:, 1].any())
        True
        """
        scalar = scalar_of("float64" if dtype is None else dtype)
        engine = _core._Batch if scalar == float64 else _core._FloatBatch
        nworld = world_count(model, nworld)
        set_own = object.__setattr__
        set_own(self, "_model", model)
        set_own(self, "_core", engine(model, nworld))
        set_own(self, "_dtype", scalar)
        set_own(self, "_bound", {})
        if body_forces:
            self._core.report_body_forces(True)

    # --- sizes and counters ------------------------------------------------------------------------------------------

    @property
    def model(self) -> Model:
        """the model that all worlds share"""
        return self._model

    @property
    def nworld(self) -> int:
        """number of worlds"""
        return self._core.nworld

    @property
    def lanes(self) -> int:
        """worlds per pack"""
        return self._core.lanes

    @property
    def dtype(self) -> numpy.dtype:
        """type of the numbers that worlds are stepped in"""
        return self._dtype

    @property
    def seeds(self) -> NDArray[numpy.uint64]:
        """seeds of the noise of sensors, a live array; at first the numbers of the worlds"""
        return self._core.seeds()

    @property
    def steps(self) -> NDArray[numpy.int64]:
        """how many steps each world has taken, resets included; a live array"""
        return self._core.steps_taken()

    @property
    def resets(self) -> int:
        """how often a world was reset because its numbers blew up"""
        return self._core.resets

    @property
    def diverged(self) -> NDArray[numpy.bool_]:
        """worlds whose numbers became NaN or huge since reset() was last called for them"""
        return self._core.diverged_at() >= 0

    @property
    def diverged_at(self) -> NDArray[numpy.int64]:
        """the value of `steps` when the numbers of a world last went bad, -1 if they did not; a live array"""
        return self._core.diverged_at()

    def plan(self) -> list[BatchStage]:
        """The stages of step() in order: which run wide, and why others run lane by lane.

        >>> batch = torsor.Batch(model, 8)
        >>> [stage.stage for stage in batch.plan() if not stage.wide]
        []
        >>> print(*batch.plan()[:2], sep="\\n")
        kinematics             wide
        mass matrix            wide
        """
        return self._core.plan()

    def __repr__(self) -> str:
        name = self._model.names.split(b"\0", 1)[0].decode(errors="replace")
        return f"<Batch of '{name}': nworld {self.nworld}, lanes {self.lanes}>"

    # --- arrays ------------------------------------------------------------------------------------------------------

    def bind(self, field: str) -> Array:
        """A live array of a field of Data, (nworld, ...), without a copy: the same array each time.

        State and inputs (qpos, qvel, act, ctrl, qfrc_applied, mocap_pos, ...) are what the next call starts from: write
        into them. Other fields are results, such as xpos or sensordata: from now on step(), forward() and reset() write
        them. After step() they are those of the last evaluation of forward dynamics, so they belong to the state before
        the last step, as in a Data; forward() computes those of the present state. Until the next call they are 0.

        The array shares its memory with whoever asks through NumPy's interfaces: numpy.from_dlpack, torch.from_dlpack.
        Which results are bound may change other results by rounding, since plan() may change.

        >>> batch = torsor.Batch(model, 8)
        >>> batch.bind("qvel")[:, 0] = numpy.arange(8)
        >>> xpos = batch.bind("xpos")
        >>> batch.step(5)
        >>> xpos.shape, bool(xpos.any())
        ((8, 3, 3), True)
        """
        array = self._bound.get(field)
        if array is None:
            if field not in DATA_FIELDS:
                raise Error(not_in_data(field))
            array = self._bound[field] = self._core.bind(field)
        return array

    def get(self, field: str, out: Array | None = None) -> Array:
        """A field of state or input of all worlds, as a copy.

        >>> torsor.Batch(model, 8).get("time").shape
        (8,)
        """
        values = self._core.get(field, out)
        return values if out is not None else values.astype(self._dtype, copy=False)

    def set(self, field: str, values: ArrayLike) -> None:
        """Sets a field of state or input of all worlds.

        >>> torsor.Batch(model, 2).set("qpos", [[0, 0], [0.1, 0.2]])
        """
        self._core.set(field, values)

    # --- steps -------------------------------------------------------------------------------------------------------

    def step(self, n: int | None = None, nthread: int | None = None, *, threads: int | None = None,
             controls: ArrayLike | None = None, ids: ArrayLike | None = None, nstep: int | None = None) -> None:
        """Advance every world, or those in ids, by n steps (default 1) on this many threads (default 1).

        Inputs are held during the call, or given step by step: controls is (worlds, n, nu), and dimensions of length 1
        are repeated; the last ones stay in ctrl. ids are numbers of worlds or a mask. nstep and nthread are other names
        of n and threads. Threads are kept for the next call.

        A world whose numbers become NaN or huge is reset, as step() of one world does, unless the flag autoreset is
        off: `diverged`, `diverged_at` and `resets` tell. Ctrl-C ends a long call with KeyboardInterrupt. All worlds
        have then taken the same number of steps, which get("time") shows; only if a single step of all worlds takes
        longer than a moment, or with controls, some may be ahead of others.

        >>> batch = torsor.Batch(model, 8)
        >>> batch.step(5, threads=2)
        >>> batch.step(ids=batch.steps < 4)
        >>> batch.steps.tolist()
        [5, 5, 5, 5, 5, 5, 5, 5]
        """
        steps = alias("n", n, "nstep", nstep, 1)
        if steps < 0:
            raise ValueError(f"nstep must not be negative, got {steps}")
        count = thread_count(threads, nthread)
        worlds = self._worlds(ids)
        if controls is None:
            self._core.step(steps, count, worlds)
            return
        rows = broadcast("controls", controls, (self._count(worlds), steps, self._model.nu))
        self._core.run(steps, rows, int(StateBit.CTRL), [], count, worlds)

    def rollout(self, n: int | None = None, controls: ArrayLike | None = None, *,
                control_signature: int = StateBit.CTRL, record: Sequence[str] = ("qpos",), threads: int | None = None,
                nthread: int | None = None, ids: ArrayLike | None = None, out: dict[str, Array] | None = None,
                nstep: int | None = None) -> dict[str, Array]:
        """Advance the worlds by n steps and record fields of Data after each: {field: (worlds, n, ...)}.

        controls is (worlds, n, ncontrol), of the inputs in control_signature; dimensions of length 1 are repeated, and n
        may be left out. Recorded results belong to the state before each step, as after step(). Arrays to record into
        may be given in out. torsor.rollout starts from given states instead, and equals step() of one world to the bit.

        >>> batch = torsor.Batch(model, 8)
        >>> forces = numpy.zeros((8, 20, 2))
        >>> found = batch.rollout(controls=forces, control_signature=torsor.StateBit.QFRC_APPLIED,
        ...                       record=["qpos", "xpos"])
        >>> found["qpos"].shape, found["xpos"].shape
        ((8, 20, 2), (8, 20, 3, 3))
        """
        count, worlds = thread_count(threads, nthread), self._worlds(ids)
        rows = None if controls is None else numbers("controls", controls)
        if rows is not None and rows.ndim == 3 and n is None and nstep is None:
            nstep = rows.shape[1]
        steps = alias("n", n, "nstep", nstep, 1)
        if steps < 0:
            raise ValueError(f"nstep must not be negative, got {steps}")
        size = self._count(worlds)
        if rows is not None:
            width = _core.state_size(self._model, int(control_signature))
            rows = broadcast("controls", rows, (size, steps, width))
        arrays = {}
        for field in record:
            given = (out or {}).get(field)
            shape = (size, steps, *self._core.shape(field)[1:])
            arrays[field] = numpy.zeros(shape) if given is None else given
        self._core.run(steps, rows, int(control_signature), list(arrays.items()), count, worlds)
        kept = out or {}
        return {name: array if name in kept else array.astype(self._dtype, copy=False) for name, array in arrays.items()}

    def forward(self, field: str | None = None, nthread: int | None = None, out: Array | None = None, *,
                threads: int | None = None, ids: ArrayLike | None = None) -> Array | None:
        """Forward dynamics of the present state: into the arrays of bound results, or one field of all worlds as a copy.

        >>> batch = torsor.Batch(model, 8)
        >>> batch.forward("xpos").shape
        (8, 3, 3)
        >>> sensordata = batch.bind("sensordata")
        >>> batch.forward()
        """
        count = thread_count(threads, nthread)
        if field is not None:
            if ids is not None:
                raise ValueError("forward(field) computes the field of all worlds; bind() it to choose worlds by ids")
            values = self._core.forward_field(field, count, out)
            return values if out is not None else values.astype(self._dtype, copy=False)
        self._core.forward(count, self._worlds(ids))
        return None

    def reset(self, ids: ArrayLike | None = None, keyframe: int | str | ArrayLike | None = None, *,
              world: int | None = None, states: ArrayLike | None = None, seeds: ArrayLike | None = None,
              **fields: ArrayLike) -> None:
        """Back to the reference pose, or to a keyframe: all worlds, or those in ids (numbers or a mask).

        keyframe is one for all, or one for each world of the call, -1 for none. states are rows of
        StateBit.FULLPHYSICS, as get_state() returns them; other fields of state or input can be given by name. Each is
        one for all worlds of the call, or one for each. Bound results of these worlds are computed for the new state.

        >>> batch = torsor.Batch(model, 8)
        >>> batch.step(100)
        >>> batch.reset(batch.steps > 50, qpos=[0.1, 0.2])
        >>> batch.reset(3)
        >>> batch.bind("qpos")[[2, 3]]
        array([[0.1, 0.2], [0. , 0. ]])
        """
        worlds = self._worlds(world if ids is None else ids)
        count = self._count(worlds)
        keys = None if keyframe is None else self._keys(keyframe, count)
        rows = dict(self._state_rows(states, count))
        for name, values in fields.items():
            if name not in _FIELDS or not self._core.is_input_or_state(name):
                raise Error(f"'{name}' is not a field of a world's state or input")
            rows[name] = broadcast(name, values, (count, *self._core.shape(name)[1:]))
        new_seeds = None if seeds is None else seeds_of(seeds, count)
        self._core.reset(worlds, keys)
        where = slice(None) if worlds is None else worlds
        for name, values in rows.items():
            self.bind(name)[where] = values
        if new_seeds is not None:
            self.seeds[where] = new_seeds
        if count and not all(self._core.is_input_or_state(name) for name in self._bound):
            self._core.forward(1, worlds)

    # --- single worlds -----------------------------------------------------------------------------------------------

    def get_data(self, world: int, data: Data | None = None) -> Data:
        """The state and inputs of one world in a Data, a new one or the one given, after forward().

        >>> batch = torsor.Batch(model, 8)
        >>> batch.step(10)
        >>> data = batch.get_data(3)
        >>> bool(data.time == batch.get("time")[3])
        True
        """
        index = self._world(world)
        model = self._model if not self.has_values else self.get_model(index)
        data = Data(model) if data is None else data
        self._core.get_data(index, model, data)
        return data

    def set_data(self, world: int, data: Data) -> None:
        """Sets state and inputs of one world from a Data of the same model.

        >>> batch = torsor.Batch(model, 8)
        >>> data.time = 0.5
        >>> batch.set_data(3, data)
        >>> bool(batch.get("time")[3] == data.time)
        True
        """
        self._core.set_data(self._world(world), data)

    def get_model(self, world: int) -> Model:
        """A copy of the model with the values of one world.

        >>> batch = torsor.Batch(model, 8)
        >>> batch.expand("body_mass")[:, 1] = numpy.linspace(1, 2, 8)
        >>> float(batch.get_model(7).body_mass[1])
        2.0
        """
        return self._core.get_model(self._world(world))

    # --- values per world --------------------------------------------------------------------------------------------

    @property
    def has_values(self) -> bool:
        """whether worlds have values of the model of their own"""
        return self._core.has_values

    def expand(self, field: str) -> NDArray[Any]:
        """Give a field of the model values per world; returns them, a live array (nworld, ...).

        Options are called "opt.gravity", "opt.timestep" and so on. All real and whole numbers that may be edited can
        differ; the structure of the model, meshes and other assets cannot. Values that no model can have are errors in
        the next call. Derived constants such as inverse weights follow with set_const().

        Stages that read such values run lane by lane, or worlds are stepped one by one, which is slower; plan() shows
        which, and because of which field.

        >>> batch = torsor.Batch(model, 8)
        >>> batch.expand("geom_friction")[:, :, 0] = numpy.linspace(0.5, 1.5, 8)[:, None]
        >>> batch.expand("opt.gravity")[3] = [0, 0, -1.62]
        >>> batch.step()
        """
        if field not in MODEL_FIELDS and not hasattr(Model, field):
            raise Error(not_in_model(field))
        return self._core.expand(field)

    def expanded(self, field: str) -> NDArray[Any] | None:
        """The values per world of a field of the model, read-only; None if all worlds share them.

        >>> torsor.Batch(model, 8).expanded("body_mass") is None
        True
        """
        values = self._core.expanded(field)
        if values is None and field not in MODEL_FIELDS and not hasattr(Model, field):
            raise Error(not_in_model(field))
        return values

    def _values_of(self, field: str) -> NDArray[Any]:
        return self.expand(field)

    def set_values(self, field: str, values: ArrayLike, ids: ArrayLike | None = None) -> None:
        """Checked values of a field of the model for all worlds, or those in ids; see expand().

        values are (worlds, ...), or one for all worlds of the call. Values that no model can have raise torsor.Error,
        which names the world, and nothing changes.

        >>> batch = torsor.Batch(model, 8)
        >>> masses = numpy.tile(model.body_mass, (8, 1))
        >>> masses[5, 1] = -1
        >>> try:
        ...     batch.set_values("body_mass", masses)
        ... except torsor.Error as error:
        ...     print(error)
        world 5: body_mass[1] is -1, but a mass must not be negative
        """
        worlds = self._worlds(ids)
        count, size = self._count(worlds), self._core.count_numbers(field)
        one = numpy.shape(getattr(self._model.opt, field[4:]) if field.startswith("opt.") else getattr(self._model, field))
        self._core.set_values(field, broadcast(field, values, (count, *one)).reshape(count, size), worlds)

    def set_const(self, ids: ArrayLike | None = None, *, threads: int | None = None) -> None:
        """Recompute the derived constants of all worlds, or of those in ids, from their values; see torsor.set_const().

        Constants that differ become values per world. Where geom_size differs, geom_rbound and geom_aabb follow it.

        >>> batch = torsor.Batch(model, 8)
        >>> batch.expand("body_mass")[:, 2] *= numpy.linspace(1, 2, 8)
        >>> batch.set_const()
        >>> batch.expanded("body_subtreemass").shape
        (8, 3)
        """
        self._core.set_const(thread_count(threads, None), self._worlds(ids))

    # --- questions ---------------------------------------------------------------------------------------------------

    def jac(self, body: int | str | ArrayLike, point: ArrayLike, ids: ArrayLike | None = None, *,
            threads: int | None = None) -> tuple[Array, Array]:
        """Jacobians (jacp, jacr), (worlds, 3, nv) each, of a point of a body, given in world coordinates.

        body is one for all worlds of the call, or one for each; point is (3,) or (worlds, 3). Positions are computed
        from the state; bound arrays do not change.

        >>> batch = torsor.Batch(model, 8)
        >>> jacp, jacr = batch.jac(2, [0.6, 0, 1])
        >>> jacr[0, 1]
        array([1., 1.])
        """
        worlds = self._worlds(ids)
        count = self._count(worlds)
        if isinstance(body, str):
            body = self._model.body(body).id
        bodies = numpy.ascontiguousarray(numpy.broadcast_to(whole("body", body), count), numpy.int32)
        points = broadcast("point", point, (count, 3))
        return self._core.jac(points, bodies, thread_count(threads, None), worlds)

    def ray(self, pnt: ArrayLike, vec: ArrayLike, geomgroup: ArrayLike | None = None, flg_static: bool = True,
            bodyexclude: ArrayLike = -1, ids: ArrayLike | None = None, normal: bool = False, *,
            threads: int | None = None) -> tuple[NDArray[Any], ...]:
        """Distances and geoms, (worlds, rays) each, of what the rays pnt + x vec hit: -1 where they hit nothing.

        pnt and vec are (3,), (rays, 3) or (worlds, rays, 3). geomgroup, flg_static and bodyexclude are those of
        torsor.ray; bodyexclude may be given per ray. With normal=True the surface normals, (worlds, rays, 3), too.

        >>> batch = torsor.Batch(model, 8)
        >>> distance, geom = batch.ray([[0, 0, 10], [5, 5, 10]], [0, 0, -1])
        >>> distance.shape, geom[0, 1]
        ((8, 2), np.int64(-1))
        """
        worlds = self._worlds(ids)
        count = self._count(worlds)
        points, directions = numpy.atleast_2d(numbers("pnt", pnt)), numpy.atleast_2d(numbers("vec", vec))
        nray = max(points.shape[-2], directions.shape[-2])
        shape = (count, nray, 3)
        points, directions = broadcast("pnt", points, shape), broadcast("vec", directions, shape)
        excluded = broadcast("bodyexclude", whole("bodyexclude", bodyexclude), shape[:2])
        unknown = excluded[(excluded < -1) | (excluded >= self._model.nbody)]
        if unknown.size:
            raise IndexError(f"bodyexclude: body {int(unknown.flat[0])} does not exist: the model has {self._model.nbody}")
        distance, geom, normals = numpy.empty(shape[:2]), numpy.empty(shape[:2]), numpy.empty(shape)
        self._core.ray(points, directions, geomgroup, flg_static, excluded, thread_count(threads, None), worlds, distance,
                       geom, normals)
        found = distance, geom.astype(numpy.int64)
        return (*found, normals) if normal else found

    # --- arguments ---------------------------------------------------------------------------------------------------
