"""Solvers: each steps a model from one state to the next.

    solver = newton.solvers.SolverMuJoCo(model)
    solver.step(state_0, state_1, control, contacts, dt)

state_in is not changed. Without a control, the model's own targets apply. Contacts come from model.collide(), of this
state or of an earlier one of the same frame. dt may differ from step to step.
"""

import dataclasses
import warnings

import numpy

from torsor._core import _newton
from torsor._error import Error
from torsor.newton._array import Buffer
from torsor.newton._state import Contacts, engine_objects
from torsor.newton._types import ModelFlags
from torsor.sap import SapSolver, SapState


class SolverBase:
    """The base class of all solvers."""

    _class = None

    class ObservableKind:
        """What observables() can be asked for."""

        BODY_QDD = "body_qdd"
        BODY_PARENT_F = "body_parent_f"
        CONTACT_F = "contact_f"

    @dataclasses.dataclass(eq=False)
    class Observables:
        """Arrays that a step fills in besides the state.

        contact_f has a row for each contact: force and moment on its first shape, at the contact.
        """

        contact_f: object = None
        _contacts: object = None
        _buffer: object = None

    SUPPORTED_OBSERVABLES = frozenset({"contact_f"})
    supported_observables = property(lambda self: self.SUPPORTED_OBSERVABLES, doc="What observables() can be asked for.")

    def __init__(self, model, **options):
        self.model = model
        given = {name: value for name, value in options.items() if value is not None}
        for name in ("solver", "integrator", "cone"):
            if name in given:
                given[name] = str(given[name]).lower()
        self._core = self._class(model._core, given)

    device = property(lambda self: self.model.device, doc="The CPU.")

    def __repr__(self):
        return f"<{type(self).__name__} of {self.model!r}>"

    def step(self, state_in, state_out, control, contacts, dt, observables=None):
        """Advance from state_in to state_out by dt seconds. observables are filled in if given.

        >>> solver.step(state, model.state(), None, None, 0.01)
        """
        if observables is not None and not isinstance(observables, SolverBase.Observables):
            raise TypeError(f"expected observables of solver.observables(), not {type(observables).__name__}")
        wanted = observables._contacts if observables is not None else None
        if wanted is None and contacts is not None and "force" in self.model._attributes:
            wanted = contacts
        with engine_objects(state_in, control) as (start, inputs), engine_objects(state_out) as (end,):
            points = self._points(contacts)
            if wanted is None:
                self._core.step(start, end, inputs, points, float(dt))
                return
            report = _newton.Contacts()
            self._core.step(start, end, inputs, points, float(dt), report)
        wanted._take(report)
        if observables is not None:
            observables._buffer.exact[...] = 0
            count = min(len(report.force), len(observables._buffer.exact))
            observables._buffer.exact[:count] = -numpy.asarray(report.force)[:count]
            observables._buffer.push()

    def _points(self, contacts):
        if contacts is None or (isinstance(contacts, Contacts) and contacts._core is None):
            return None
        with engine_objects(contacts) as (core,):
            return core

    def observables(self, kinds, contacts=None, requires_grad=None):
        """Arrays for step() to fill in: {"contact_f"}, with the Contacts that they belong to.

        >>> watched = solver.observables({"contact_f"}, model.contacts())
        >>> solver.step(state, model.state(), None, None, 0.01, observables=watched)
        """
        kinds = {kinds} if isinstance(kinds, str) else set(kinds)
        unknown = kinds - self.SUPPORTED_OBSERVABLES
        if unknown:
            raise Error(f"{type(self).__name__} has no observable {sorted(unknown)[0]!r}: it has 'contact_f'")
        if not kinds:
            return self.Observables()
        if contacts is None:
            raise Error("contact_f needs the contacts that it belongs to: observables(kinds, contacts)")
        buffer = Buffer(numpy.zeros((contacts.rigid_contact_max, 6)), self.model._warp)
        return self.Observables(buffer.array, contacts, buffer)

    def notify_model_changed(self, flags=ModelFlags.ALL):
        """Take over edits of the model's arrays, of the groups that flags name. All solvers of the model use them.

        >>> model.body_mass[:] = 2.0
        >>> solver.notify_model_changed(newton.ModelFlags.BODY_INERTIAL_PROPERTIES)
        """
        self.model.take_edits(flags)

    def reset(self, state, world_mask=None, flags=None):
        """Does nothing: solvers keep nothing from step to step but a warm start.

        >>> solver.reset(state)
        """

    def update_contacts(self, contacts, state=None):
        """Does nothing: after model.request_contact_attributes("force"), each step sets contacts.force.

        >>> solver.update_contacts(model.contacts())
        """

    @classmethod
    def register_custom_attributes(cls, builder):
        """Does nothing: attributes of MJCF files are always kept.

        >>> newton.solvers.SolverMuJoCo.register_custom_attributes(builder)
        """


class SolverMuJoCo(SolverBase):
    """MuJoCo's soft constraints, computed by Torsor's engine.

    As in Newton, the solver detects contacts itself and ignores those given to step(); with use_mujoco_contacts=False
    it uses those given to step(). The integrator is "implicitfast" unless another is chosen here or in the model's MJCF
    file. Sizes of buffers (njmax, nconmax) and backends have no effect.

    Worlds of the same structure are stepped as a batch (torsor.Batch) if the solver finds contacts itself; `separates_worlds`
    says whether. separate_worlds=False steps them as one large model, True refuses models for which a batch is not possible.

    >>> solver = newton.solvers.SolverMuJoCo(model, integrator="euler", iterations=50)
    """

    _class = _newton.SolverMuJoCo

    def __init__(self, model, *, iterations=None, ls_iterations=None, tolerance=None, ls_tolerance=None, solver=None,
                 integrator=None, cone=None, impratio=None, use_mujoco_contacts=True, disable_contacts=False,
                 njmax=None, nconmax=None, use_mujoco_cpu=None, separate_worlds=None, ls_parallel=None,
                 njmax_nnz=None, deterministic=None, jacobian=None, update_data_interval=None, save_to_mjcf=None,
                 include_sites=None, skip_visual_only_geoms=None, ccd_iterations=None, ccd_tolerance=None,
                 disable_sensors=None, nvmax=None):
        super().__init__(model, iterations=iterations, ls_iterations=ls_iterations, tolerance=tolerance,
                         ls_tolerance=ls_tolerance, solver=solver, integrator=integrator, cone=cone, impratio=impratio,
                         use_mujoco_contacts=use_mujoco_contacts, disable_contacts=disable_contacts,
                         separate_worlds=None if separate_worlds is None else bool(separate_worlds))
        self._nconmax = nconmax

    def get_max_contact_count(self):
        """Room for contacts that is enough for buffers: nconmax for each world, or an estimate. There is no limit.

        >>> newton.solvers.SolverMuJoCo(model, nconmax=50).get_max_contact_count()
        50
        """
        if self._nconmax is None:
            return self.model._contact_max()
        return int(self._nconmax) * max(1, self.model.world_count)

    @property
    def separates_worlds(self):
        """Whether worlds are stepped as a batch."""
        return self._core.separates_worlds

    @property
    def mj_data(self):
        """Figures of the last step: solver_niter, energy, nefc and ncon, each with a row for all worlds together.

        >>> solver.step(state, state, None, None, 0.01)
        >>> solver.mj_data.nefc.tolist()
        [0]
        """
        figures = self._core.figures()
        return _Figures(numpy.array([max(figures["solver_niter"])]), numpy.array([figures["energy"]]),
                        numpy.array([figures["nefc"]]), numpy.array([figures["ncon"]]))

    @property
    def mj_model(self):
        """Options: `solver.mj_model.opt.enableflags |= 2` computes energies."""
        return _EngineModel(self._core)


@dataclasses.dataclass
class _Figures:
    solver_niter: numpy.ndarray
    energy: numpy.ndarray
    nefc: numpy.ndarray
    ncon: numpy.ndarray


class _EngineModel:
    def __init__(self, core):
        self._core = core
        self.opt = self

    @property
    def enableflags(self):
        """Flags of MuJoCo; bit 1 computes energies."""
        return 0

    @enableflags.setter
    def enableflags(self, flags):
        if int(flags) & ~2:
            raise Error("of MuJoCo's enable flags, only 2 (energy) can be set here")
        if int(flags) & 2:
            self._core.compute_energy()


class SolverSAP(SolverBase):
    """Convex compliant contact and implicit drives. Without contacts in step(), nothing collides.

    Besides State and Control, step() takes torsor.sap.SapState and SapControl, whose flags joint_qd_order, joint_f_order
    and body_f_order say in which order velocities and forces are; such a state may have an axis of worlds.

    >>> solver = newton.solvers.SolverSAP(model)
    """

    _class = _newton.SolverSAP

    def __init__(self, model, *, iterations=None, tolerance=None):
        super().__init__(model, iterations=iterations, tolerance=tolerance)
        self._options = {"iterations": iterations, "tolerance": tolerance}
        self._buffers = None

    def notify_model_changed(self, flags=ModelFlags.ALL):
        """Take over edits of the model's arrays, of the groups that flags name. All solvers of the model use them.

        >>> solver.notify_model_changed(newton.ModelFlags.BODY_INERTIAL_PROPERTIES)
        """
        super().notify_model_changed(flags)
        self._buffers = None

    def step(self, state_in, state_out, control, contacts, dt, observables=None, **worlds):
        """Advance from state_in to state_out by dt seconds; `worlds` and `threads` as in torsor.sap.SapSolver.step().

        >>> solver.step(state, model.state(), None, None, 0.01)
        """
        if not isinstance(state_in, SapState) and not worlds:
            return super().step(state_in, state_out, control, contacts, dt, observables)
        if self._buffers is None:
            self._buffers = SapSolver(self.model, **self._options)
        if not isinstance(state_in, SapState) or not isinstance(state_out, SapState):
            raise Error("both states must be of one kind: torsor.sap.SapState, or State")
        return self._buffers.step(state_in, state_out, control, contacts, dt, **worlds)


class StandInWarning(UserWarning):
    """A solver of Newton that Torsor does not have was replaced by one that it has."""


def _warn(name, stands_for):
    warnings.warn(f"{name} is a name here: Torsor steps with {stands_for}, so results differ from Newton's", StandInWarning,
                  stacklevel=4)


class SolverSemiImplicit(SolverBase):
    """The name of a solver of Newton, for its scripts: steps with SolverSAP, and warns about that.

    Newton's own integrates forces of springs explicitly; here contact, limits and drives are implicit, with the same
    stiffness and damping. As in Newton, edits of body_q and body_qd count. Its options have no effect.

    >>> import warnings
    >>> with warnings.catch_warnings(action="ignore"):
    ...     solver = newton.solvers.SolverSemiImplicit(model)
    """

    _class = _newton.SolverSemiImplicit

    def __init__(self, model, angular_damping=0.05, friction_smoothing=1.0, joint_attach_ke=1e4, joint_attach_kd=1e2,
                 enable_tri_contact=True, **unused):
        _warn("SolverSemiImplicit", "SolverSAP")
        super().__init__(model)


class SolverXPBD(SolverBase):
    """The name of a solver of Newton, for its scripts: steps with SolverSAP, and warns about that.

    As in Newton, contact is rigid (here near-rigid) whatever ke and kd of shapes say, and edits of body_q and body_qd
    count. Its options have no effect; there is no restitution.

    >>> import warnings
    >>> with warnings.catch_warnings(action="ignore"):
    ...     solver = newton.solvers.SolverXPBD(model, iterations=10)
    """

    _class = _newton.SolverXPBD

    def __init__(self, model, iterations=2, soft_body_relaxation=0.9, soft_contact_relaxation=0.9,
                 joint_linear_relaxation=0.7, joint_angular_relaxation=0.4, joint_linear_compliance=0.0,
                 joint_angular_compliance=0.0, rigid_contact_relaxation=0.8, rigid_contact_con_weighting=True,
                 angular_damping=0.0, enable_restitution=False, **unused):
        _warn("SolverXPBD", "SolverSAP and near-rigid contact")
        super().__init__(model)


class SolverFeatherstone(SolverBase):
    """Smooth dynamics with limits and loops, without contacts: step() raises an Error if given any.

    There is no artificial damping: angular_damping must be 0.

    >>> solver = newton.solvers.SolverFeatherstone(model)
    """

    _class = _newton.SolverFeatherstone

    def __init__(self, model, angular_damping=0.0, update_mass_matrix_interval=1, friction_smoothing=1.0):
        if angular_damping != 0:
            raise Error("SolverFeatherstone has no artificial damping: set the damping of joints instead of angular_damping")
        super().__init__(model)


def __getattr__(name):
    if name in ("SolverVBD", "SolverStyle3D", "SolverImplicitMPM", "SolverKamino"):
        raise Error(f"{name} is not part of Torsor: it has SolverMuJoCo, SolverSAP and SolverFeatherstone")
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
