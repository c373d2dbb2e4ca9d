"""The two engines behind one interface. Every call into MuJoCo or Torsor made by the differential tests is here."""

import functools
import os
import pathlib

import mujoco
import numpy as np

import schema
import sections

# Stage numbers of forward_skip and inverse_skip, and object types: both engines number them alike.
STAGE_NONE, STAGE_POS, STAGE_VEL = 0, 1, 2
OBJECTS = {"body": 1, "xbody": 2, "geom": 5, "site": 6, "camera": 7}
COUNTS = {"body": "nbody", "xbody": "nbody", "geom": "ngeom", "site": "nsite", "camera": "ncam"}
DISABLE_CONSTRAINT = 1
DISABLE_EULERDAMP = 1 << 15
ENABLE_INVDISCRETE = 1 << 3
INTEGRATORS = {"Euler": 0, "RK4": 1, "implicit": 2, "implicitfast": 3}
STATE_PARTS = {"physics": int(mujoco.mjtState.mjSTATE_PHYSICS), "full": int(mujoco.mjtState.mjSTATE_FULLPHYSICS),
               "integration": int(mujoco.mjtState.mjSTATE_INTEGRATION)}


# Warnings of unstable runs are counted by MuJoCo's data; without a handler it writes a log file where it runs.
mujoco.set_mju_user_warning(lambda text: None)


def avoid_sparse_newton(model):
    """Newton of MuJoCo 4.0.0 merges rows wrongly when it works with sparse matrices, which is its choice from 60 dofs on
    (mended in 4.0.1): models that would are compared with dense ones, which give the same physics."""
    newton, sparse, automatic = 2, 1, 2
    if model.opt.solver == newton and (model.opt.jacobian == sparse or
                                       (model.opt.jacobian == automatic and model.nv >= 60)):
        model.opt.jacobian = 0


def without_composites(read, *arguments):
    """MuJoCo 4.0 reads no <composite>: it gets the bodies that Torsor makes of one. tests/format checks these."""
    engine = Torsor()
    try:
        return getattr(engine, read)(*arguments).to_xml()
    except engine.Error as error:
        raise ValueError(str(error)) from error


class MuJoCo:
    """MuJoCo, the reference implementation."""

    name = "mujoco"
    Error = (ValueError, mujoco.FatalError)

    def load_file(self, path, ignore=()):
        if "<composite" in pathlib.Path(path).read_text(errors="replace"):
            return mujoco.MjModel.from_xml_string(without_composites("read_file", path, ignore))
        if not ignore:
            return mujoco.MjModel.from_xml_path(str(path))
        return mujoco.MjModel.from_xml_string(*sections.stripped_file(path, ignore))

    def load_string(self, text, assets=None, ignore=()):
        if ignore:
            text = sections.stripped_string(text, ignore)
        if "<composite" in text:
            text = without_composites("read_string", text, assets)
        return mujoco.MjModel.from_xml_string(text, assets or {})

    def make_data(self, model):
        avoid_sparse_newton(model)
        return mujoco.MjData(model)

    # stages
    def forward(self, m, d): mujoco.mj_forward(m, d)
    def step(self, m, d, count=1): mujoco.mj_step(m, d, nstep=count)
    def step1(self, m, d): mujoco.mj_step1(m, d)
    def step2(self, m, d): mujoco.mj_step2(m, d)
    def kinematics(self, m, d): mujoco.mj_kinematics(m, d)
    def com_pos(self, m, d): mujoco.mj_comPos(m, d)
    def camlight(self, m, d): mujoco.mj_camlight(m, d)
    def tendon(self, m, d): mujoco.mj_tendon(m, d)
    def collision(self, m, d): mujoco.mj_collision(m, d)
    def crb(self, m, d): mujoco.mj_makeM(m, d)
    def factor_m(self, m, d): mujoco.mj_factorM(m, d)
    def com_vel(self, m, d): mujoco.mj_comVel(m, d)
    def passive(self, m, d): mujoco.mj_passive(m, d)
    def rne_post_constraint(self, m, d): mujoco.mj_rnePostConstraint(m, d)
    def inverse(self, m, d): mujoco.mj_inverse(m, d)
    def forward_skip(self, m, d, stage, skip_sensor): mujoco.mj_forwardSkip(m, d, stage, skip_sensor)
    def inverse_skip(self, m, d, stage, skip_sensor): mujoco.mj_inverseSkip(m, d, stage, skip_sensor)
    def energy_pos(self, m, d): mujoco.mj_energyPos(m, d)
    def energy_vel(self, m, d): mujoco.mj_energyVel(m, d)
    def subtree_vel(self, m, d): mujoco.mj_subtreeVel(m, d)
    def reset(self, m, d): mujoco.mj_resetData(m, d)
    def reset_keyframe(self, m, d, key): mujoco.mj_resetDataKeyframe(m, d, key)

    # functions with a result
    def rne(self, m, d, with_acceleration):
        result = np.zeros(m.nv)
        mujoco.mj_rne(m, d, int(with_acceleration), result)
        return result

    def full_m(self, m, d):
        result = np.zeros((m.nv, m.nv))
        mujoco.mj_fullM(m, d, result)
        return result

    def solve_m(self, m, d, force):
        result = np.zeros((1, m.nv))
        mujoco.mj_solveM(m, d, result, np.ascontiguousarray(force).reshape(1, -1))
        return result[0]

    def mul_m(self, m, d, vector):
        result = np.zeros(m.nv)
        mujoco.mj_mulM(m, d, result, vector)
        return result

    def half_solve_m(self, m, d, force):
        result = np.zeros((1, m.nv))
        mujoco.mj_solveM2(m, d, result, np.ascontiguousarray(force).reshape(1, -1), np.sqrt(d.qLDiagInv).reshape(1, -1))
        return result[0]

    def half_mul_m(self, m, d, vector):
        result = np.zeros(m.nv)
        mujoco.mj_mulM2(m, d, result, vector)
        return result

    def local_to_global(self, m, d, position, quat, body, same_frame):
        point, matrix = np.zeros(3), np.zeros(9)
        mujoco.mj_local2Global(d, point, matrix, position, quat, body, same_frame)
        return np.concatenate([point, matrix])

    def normalize_quat(self, m, qpos):
        result = np.array(qpos)
        mujoco.mj_normalizeQuat(m, result)
        return result

    def _jacobian(self, function, m, d, *args):
        point, rotation = np.zeros((3, m.nv)), np.zeros((3, m.nv))
        function(m, d, point, rotation, *args)
        return np.concatenate([point, rotation])

    def jac(self, m, d, point, body): return self._jacobian(mujoco.mj_jac, m, d, point, body)
    def jac_body(self, m, d, body): return self._jacobian(mujoco.mj_jacBody, m, d, body)
    def jac_body_com(self, m, d, body): return self._jacobian(mujoco.mj_jacBodyCom, m, d, body)
    def jac_geom(self, m, d, geom): return self._jacobian(mujoco.mj_jacGeom, m, d, geom)
    def jac_site(self, m, d, site): return self._jacobian(mujoco.mj_jacSite, m, d, site)
    def jac_dot(self, m, d, point, body): return self._jacobian(mujoco.mj_jacDot, m, d, point, body)

    def jac_point_axis(self, m, d, point, axis, body):
        return self._jacobian(mujoco.mj_jacPointAxis, m, d, point, axis, body)

    def jac_subtree_com(self, m, d, body):
        result = np.zeros((3, m.nv))
        mujoco.mj_jacSubtreeCom(m, d, result, body)
        return result

    def object_velocity(self, m, d, kind, index, local):
        result = np.zeros(6)
        mujoco.mj_objectVelocity(m, d, OBJECTS[kind], index, result, int(local))
        return result

    def object_acceleration(self, m, d, kind, index, local):
        result = np.zeros(6)
        mujoco.mj_objectAcceleration(m, d, OBJECTS[kind], index, result, int(local))
        return result

    def integrate_pos(self, m, qpos, qvel, time):
        result = np.array(qpos)
        mujoco.mj_integratePos(m, result, qvel, time)
        return result

    def differentiate_pos(self, m, time, before, after):
        result = np.zeros(m.nv)
        mujoco.mj_differentiatePos(m, result, time, before, after)
        return result

    def apply_ft(self, m, d, force, torque, point, body):
        result = np.zeros(m.nv)
        mujoco.mj_applyFT(m, d, force, torque, point, body, result)
        return result

    def get_state(self, m, d, signature):
        result = np.zeros(mujoco.mj_stateSize(m, signature))
        mujoco.mj_getState(m, d, result, signature)
        return result

    def set_state(self, m, d, state, signature): mujoco.mj_setState(m, d, state, signature)

    def field_names(self, kind):
        return wheel_fields(kind)

    def schema(self):
        """Everything is read, nothing is refused."""
        return {path: set(attributes) for path, attributes in schema.wheel_schema().items()}, set()

    def warnings(self, d):
        return np.array([warning.number for warning in d.warning])


class Torsor:
    """The engine under test. Its names follow MuJoCo's, so most calls differ only in spelling."""

    name = "torsor"

    def __init__(self):
        import torsor  # noqa: PLC0415 MuJoCo alone must work without it

        self.module = torsor
        self.Error = torsor.Error

    def load_file(self, path, ignore=()):
        return self.module.Model.from_xml_path(str(path), ignore=list(ignore))

    def read_file(self, path, ignore=()):
        return self.module.Spec.from_xml_path(str(path), ignore=list(ignore))

    def read_string(self, text, assets=None, ignore=()):
        return self.module.Spec.from_xml_string(text, assets=assets or {}, ignore=list(ignore), restrict=["/"])

    def load_string(self, text, assets=None, ignore=()):
        return self.module.Model.from_xml_string(text, assets=assets or {}, ignore=list(ignore), restrict=["/"])

    def make_data(self, model):
        avoid_sparse_newton(model)  # so that rows of both are laid out alike
        return self.module.Data(model)

    # stages
    def forward(self, m, d): self.module.forward(m, d)
    def step(self, m, d, count=1): self.module.step(m, d, nstep=count)
    def step1(self, m, d): self.module.step1(m, d)
    def step2(self, m, d): self.module.step2(m, d)
    def kinematics(self, m, d): self.module.kinematics(m, d)
    def com_pos(self, m, d): self.module.com_pos(m, d)
    def camlight(self, m, d): self.module.camlight(m, d)
    def tendon(self, m, d): self.module.tendon(m, d)
    def collision(self, m, d): self.module.collision(m, d)
    def crb(self, m, d): self.module.crb(m, d)
    def factor_m(self, m, d): self.module.factor_m(m, d)
    def com_vel(self, m, d): self.module.com_vel(m, d)
    def passive(self, m, d): self.module.passive(m, d)
    def rne_post_constraint(self, m, d): self.module.rne_post_constraint(m, d)
    def inverse(self, m, d): self.module.inverse(m, d)
    def forward_skip(self, m, d, stage, skip_sensor): self.module.forward_skip(m, d, stage, skip_sensor)
    def inverse_skip(self, m, d, stage, skip_sensor): self.module.inverse_skip(m, d, stage, skip_sensor)
    def energy_pos(self, m, d): self.module.energy_pos(m, d)
    def energy_vel(self, m, d): self.module.energy_vel(m, d)
    def subtree_vel(self, m, d): self.module.subtree_vel(m, d)
    def reset(self, m, d): self.module.reset_data(m, d)
    def reset_keyframe(self, m, d, key): self.module.reset_data_keyframe(m, d, key)

    # functions with a result
    def rne(self, m, d, with_acceleration): return self.module.rne(m, d, with_acceleration)
    def full_m(self, m, d): return self.module.full_m(m, d)
    def solve_m(self, m, d, force): return self.module.solve_m(m, d, force)
    def mul_m(self, m, d, vector): return self.module.mul_m(m, d, vector)
    def half_solve_m(self, m, d, force): return self.module.half_solve_m(m, d, force)
    def half_mul_m(self, m, d, vector): return self.module.half_mul_m(m, d, vector)
    def normalize_quat(self, m, qpos): return self.module.normalize_quat(m, qpos)

    def local_to_global(self, m, d, position, quat, body, same_frame):
        point, matrix = self.module.local_to_global(m, d, position, quat, body, same_frame)
        return np.concatenate([np.ravel(point), np.ravel(matrix)])

    def jac(self, m, d, point, body): return np.concatenate(self.module.jac(m, d, point, body))
    def jac_body(self, m, d, body): return np.concatenate(self.module.jac_body(m, d, body))
    def jac_body_com(self, m, d, body): return np.concatenate(self.module.jac_body_com(m, d, body))
    def jac_geom(self, m, d, geom): return np.concatenate(self.module.jac_geom(m, d, geom))
    def jac_site(self, m, d, site): return np.concatenate(self.module.jac_site(m, d, site))
    def jac_dot(self, m, d, point, body): return np.concatenate(self.module.jac_dot(m, d, point, body))

    def jac_point_axis(self, m, d, point, axis, body):
        return np.concatenate(self.module.jac_point_axis(m, d, point, axis, body))

    def jac_subtree_com(self, m, d, body): return self.module.jac_subtree_com(m, d, body)

    def object_velocity(self, m, d, kind, index, local):
        return self.module.object_velocity(m, d, OBJECTS[kind], index, local)

    def object_acceleration(self, m, d, kind, index, local):
        return self.module.object_acceleration(m, d, OBJECTS[kind], index, local)

    def integrate_pos(self, m, qpos, qvel, time): return self.module.integrate_pos(m, qpos, qvel, time)
    def differentiate_pos(self, m, time, before, after): return self.module.differentiate_pos(m, time, before, after)

    def apply_ft(self, m, d, force, torque, point, body):
        return self.module.apply_ft(m, d, force, torque, point, body)

    def get_state(self, m, d, signature): return self.module.get_state(m, d, signature)
    def set_state(self, m, d, state, signature): self.module.set_state(m, d, state, signature)

    @functools.cache
    def field_names(self, kind):
        """Fields that it lists, and those of the wheel that it has without listing them, such as sizes in bytes."""
        model = self.module.Model.from_xml_string("<mujoco/>")
        owner = model if kind == "model" else self.module.Data(model)
        return frozenset(self.module.field_names(kind)) | {name for name in wheel_fields(kind) if hasattr(owner, name)}

    def schema(self):
        """{element path: attributes} of what is read, and the paths of what is refused by name."""
        elements = self.module.schema_elements()
        read = {element.path: {row.name for row in element.attributes} for element in elements if element.supported}
        for nested in ("mujoco/default/default", "mujoco/worldbody/body/body"):
            read.pop(nested)  # the wheel lists elements that contain themselves once
        return read, {element.path for element in elements if not element.supported}


@functools.cache
def wheel_fields(kind):
    """Names of all arrays and numbers of the wheel's model or data, read from the wheel itself."""
    model = mujoco.MjModel.from_xml_string("<mujoco/>")
    instance = model if kind == "model" else mujoco.MjData(model)
    names = set()
    for name in dir(instance):
        if not name.startswith("_") and isinstance(getattr(instance, name), (np.ndarray, bytes, int, float)):
            names.add(name)
    return frozenset(names)


def disable_constraints(model):
    """Both engines are compared without constraints until both have them."""
    model.opt.disableflags |= DISABLE_CONSTRAINT


class MuJoCoAsSet(MuJoCo):
    """MuJoCo with the model's own Jacobian, sparse ones too: what is timed, since users run that."""

    def make_data(self, model):
        return mujoco.MjData(model)


def judge():
    return MuJoCo()


def rival():
    """The engine that benchmarks time."""
    return MuJoCoAsSet()


def subject():
    """The engine under test; TORSOR_SUBJECT=mujoco puts MuJoCo on both sides, which checks the harness alone."""
    return MuJoCo() if os.environ.get("TORSOR_SUBJECT") == "mujoco" else Torsor()
