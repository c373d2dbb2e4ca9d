"""Solvers: each steps a model from one state to the next.

    solver = newton.solvers.SolverMuJoCo(model)
    solver.step(state_0, state_1, control, contacts, dt)

state_in is not changed. Without a control, the model's own targets apply. Contacts come from model.collide(state_in)
and are used as they are; those of another state raise an Error. dt may differ from step to step.
"""

from torsor._error import Error
from torsor._core import _newton
from torsor.sap import SapSolver, SapState


class SolverBase:
    """The base class of all solvers."""

    _class = None

    def __init__(self, model, **options):
        self.model = model
        given = {name: value for name, value in options.items() if value is not None}
        for name in ("solver", "integrator", "cone"):
            if name in given:
                given[name] = str(given[name]).lower()
        self._core = self._class(model._core, given)

    def __repr__(self):
        return f"<{type(self).__name__} of {self.model!r}>"

    def step(self, state_in, state_out, control, contacts, dt):
        """Advance from state_in to state_out by dt seconds.

        >>> solver.step(state, model.state(), None, None, 0.01)
        """
        self._core.step(state_in, state_out, control, contacts, float(dt))

    def notify_model_changed(self, flags=0):
        """Does nothing: a model's arrays are constant, and gravity is read at every step.

        >>> solver.notify_model_changed()
        """


class SolverMuJoCo(SolverBase):
    """MuJoCo's soft constraints, computed by Torsor's engine.

    As in Newton, the solver detects contacts itself and ignores those given to step(); with use_mujoco_contacts=False
    it uses those given to step(). The integrator is "implicitfast" unless another is chosen here or in the model's MJCF
    file. Sizes of buffers (njmax, nconmax) and backends have no effect.

    >>> solver = newton.solvers.SolverMuJoCo(model, integrator="euler", iterations=50)
    """

    _class = _newton.SolverMuJoCo

    def __init__(self, model, *, iterations=None, ls_iterations=None, tolerance=None, ls_tolerance=None, solver=None,
                 integrator=None, cone=None, impratio=None, use_mujoco_contacts=True, disable_contacts=False,
                 njmax=None, nconmax=None, use_mujoco_cpu=None, separate_worlds=None, ls_parallel=None):
        super().__init__(model, iterations=iterations, ls_iterations=ls_iterations, tolerance=tolerance,
                         ls_tolerance=ls_tolerance, solver=solver, integrator=integrator, cone=cone, impratio=impratio,
                         use_mujoco_contacts=use_mujoco_contacts, disable_contacts=disable_contacts)

    @staticmethod
    def register_custom_attributes(builder):
        """Does nothing: attributes of MJCF files are always kept.

        >>> newton.solvers.SolverMuJoCo.register_custom_attributes(builder)
        """


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

    def step(self, state_in, state_out, control, contacts, dt, **worlds):
        """Advance from state_in to state_out by dt seconds; `worlds` and `threads` as in torsor.sap.SapSolver.step().

        >>> solver.step(state, model.state(), None, None, 0.01)
        """
        if not isinstance(state_in, SapState) and not worlds:
            return super().step(state_in, state_out, control, contacts, dt)
        if self._buffers is None:
            self._buffers = SapSolver(self.model, **self._options)
        if not isinstance(state_in, SapState) or not isinstance(state_out, SapState):
            raise Error("both states must be of one kind: torsor.sap.SapState, or State")
        return self._buffers.step(state_in, state_out, control, contacts, dt, **worlds)


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
    if name in ("SolverXPBD", "SolverSemiImplicit", "SolverVBD", "SolverStyle3D", "SolverImplicitMPM", "SolverKamino"):
        raise Error(f"{name} is not part of Torsor: it has SolverMuJoCo, SolverSAP and SolverFeatherstone")
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
