"""The program that test_hostile_calls.py runs in processes of their own: every public callable with hostile arguments.

    python hostile_calls.py PART SEED ROUNDS

Prints the name of each callable before it is called, so that the parent knows which one ended the process. A call may
return or raise whatever it likes; it must not end the process, hang, or leave it unable to step a model.
"""

import enum
import gc
import inspect
import os
import pathlib
import random
import re
import resource
import signal
import sys
import tempfile
import warnings

import numpy as np

import torsor
import torsor.conventions
import torsor.flight
import torsor.linear
import torsor.motion
import torsor.newton as newton
import torsor.rotations
import torsor.sap
from example_models import ARM, ZOO

SCENE = """
<mujoco>
  <worldbody>
    <geom name="floor" type="plane" size="5 5 1"/>
    <body name="ball" pos="0 0 0.09"><freejoint/><geom name="round" size="0.1"/><site name="mark"/></body>
    <body name="box" pos="0.5 0 0.09"><freejoint/><geom name="cube" type="box" size="0.1 0.1 0.1"/></body>
    <body name="arm" pos="0 1 1"><joint name="hinge" axis="0 1 0" range="-1 1"/><geom name="bone" size="0.1" pos="0.3 0 0"/></body>
  </worldbody>
  <actuator><motor name="drive" joint="hinge" delay="0.004" nsample="3"/></actuator>
  <sensor><jointpos name="angle" joint="hinge" delay="0.004" nsample="3"/><touch site="mark"/></sensor>
  <keyframe><key name="home"/></keyframe>
</mujoco>"""
MODULES = {"torsor": torsor, "newton": newton, "solvers": newton.solvers, "conventions": torsor.conventions,
           "rotations": torsor.rotations, "linear": torsor.linear, "motion": torsor.motion, "sap": torsor.sap,
           "flight": torsor.flight}
CALL_S = 0.3  # a call that lasts longer (a view that waits, a list of 2^33 numbers) is interrupted, which it must allow


class TooLong(BaseException):
    pass


def alarm(signum, frame):
    raise TooLong


class Liar:
    """An argument that changes the world while it is looked at."""

    def __init__(self, world):
        self.world = world

    def __array__(self, dtype=None, copy=None):
        self.world.touch()
        return np.zeros(3)

    def __len__(self):
        self.world.touch()
        return 3

    def __getitem__(self, index):
        self.world.touch()
        if index >= 3:
            raise IndexError(index)
        return 0.5

    def __index__(self):
        self.world.touch()
        return 1


class World:
    """Objects of every public class, fresh for each callable."""

    def __init__(self, rng):
        self.rng = rng
        self.model = torsor.Model.from_xml_string(rng.choice([SCENE, SCENE, ZOO, ARM]))
        self.other = torsor.Model.from_xml_string(rng.choice([SCENE, ZOO, ARM]))
        self.data = torsor.Data(self.model)
        torsor.step(self.model, self.data, 20)
        self.spec = torsor.Spec.from_xml_string(ARM)
        self.batch = torsor.Batch(self.model, 3)
        self.device_batch = torsor.Batch(torsor.Model.from_xml_string(ARM), 3, device="host")  # of our own builds
        self.state_map = torsor.StateMap(self.model, "mujoco", "newton")
        self.boundary = torsor.SapBoundary(torsor.Model.from_xml_string(ARM))
        self.solver = torsor.sap.SapSolver(torsor.Model.from_xml_string(ARM))
        self.clip = torsor.MotionClip(np.zeros((5, 3)), np.tile([1.0, 0, 0, 0], (5, 1)), np.zeros((5, 2)), fps=30,
                                      joint_names=["shoulder", "elbow"])
        self.library = torsor.MotionLibrary([self.clip, self.clip])
        self.flight = torsor.flight.FreeFlight(mass=1, I_BP1_CgP1=np.eye(3), velocity_E__E=[1, 2, 3], name="ball")
        self.builder = newton.ModelBuilder()
        link = self.builder.add_link(mass=1.0, inertia=np.eye(3))
        self.builder.add_articulation([self.builder.add_joint_revolute(-1, link)])
        self.builder.add_body(mass=1.0, inertia=np.eye(3))
        self.builder.add_shape_sphere(link, radius=0.1)
        self.newton = self.builder.finalize()
        self.mujoco_solver = newton.solvers.SolverMuJoCo(self.newton)

    def touch(self):
        try:
            self.data.qpos[:] = self.rng.random()
            torsor.step(self.model, self.data, 5)
            torsor.reset_data(self.model, self.data)
        except Exception:
            pass

    def instances(self):
        contacts = self.data.contact
        items = [self.flight, self.flight.get_state(), self.flight.save_state(), torsor.flight.FixedPoint([1.0, 2.0]),
                 self.model, self.data, self.spec, self.batch, self.device_batch, self.clip, self.library, self.state_map, self.boundary,
                 self.solver,
                 self.solver.state(), self.solver.control(), self.solver.collide(self.solver.state()), self.builder,
                 self.newton, self.newton.state(), self.newton.control(), self.newton.contacts(), self.mujoco_solver,
                 newton.CollisionPipeline(self.newton), contacts, self.data.warning, self.data.timer,
                 self.data.warning[0], self.data.timer[0], self.model.opt, self.model.stat, self.model.vis,
                 self.model.vis.map, self.model.body(0), self.data.body(0), self.batch.body(0),
                 self.device_batch.body(0), torsor.fields("data")[0],
                 torsor.schema_elements()[0], newton.ModelBuilder.ShapeConfig(), newton.ModelBuilder.JointDofConfig()]
        items += [contacts[0]] if len(contacts) else []
        items += [self.model.actuator(0), self.data.actuator(0), self.model.sensor(0)] if self.model.nsensor else []
        return items


def hostile(world):
    """A value that no function expects, or one of the right kind that is out of range."""
    rng = world.rng
    kinds = [
        lambda: None, lambda: rng.choice([True, False]),
        lambda: rng.choice([0, 1, -1, 2, 3, 7, 100, -100, 10**6, 2**31 - 1, -2**31, 2**31, 2**32, 2**60, 2**63, 2**64,
                            -2**63, 10**30]),
        lambda: rng.choice([0.0, -0.0, 1.5, -1.0, float("nan"), float("inf"), -float("inf"), 1e308, 1e-320]),
        lambda: rng.choice(["", "x", "\0", "\udc80", "a" * 100_000, "home", "ball", "mujoco", "newton", "qpos", "ctrl",
                            "<mujoco/>", "<mujoco><worldbody><body/></worldbody></mujoco>", "/", "/nonexistent/x", "%s"]),
        lambda: rng.choice([b"", b"\xff\xfe", b"x" * 1000]),
        lambda: np.full(rng.choice([(), (0,), (1,), (2,), (3,), (4,), (7,), (3, 3), (2, 0), (5, 3), (1, 1, 1)]),
                        rng.choice([0.0, 1.0, float("nan"), 1e308, -1e18])),
        lambda: np.zeros(3, dtype=rng.choice(["int32", "complex128", "U3", "object", "float32", ">f8", "bool"])),
        lambda: np.zeros((6, 6))[::2, ::-1], lambda: np.broadcast_to(np.float64(1), (2**33, 3)),
        lambda: rng.choice([[], [[]], [1, 2, 3], [None], ["x"], {}, {"x": 1}, (), set(), [[1], [2, 3]]]),
        lambda: rng.choice([int, torsor.Data, torsor.Model, torsor, len, Exception]),
        lambda: object(), lambda: (lambda *arguments: 1 / 0), lambda: (lambda *arguments: None), lambda: Liar(world),
        lambda: rng.choice(list(torsor.ObjectType)), lambda: rng.choice(world.instances()), lambda: world.other,
        lambda: torsor.Data(world.other), lambda: torsor.Data.__new__(torsor.Data), lambda: pathlib.Path("nothing"),
    ]
    return rng.choice(kinds)()


def fitting(name, world):
    """A value of the kind that a parameter of this name wants, or something hostile."""
    rng, model, data = world.rng, world.model, world.data
    by_name = {
        "model": model, "data": data, "source": data, "target": data, "models": [model], "builder": world.builder,
        "state": rng.choice([world.newton.state(), world.solver.state(), torsor.get_state(model, data)]),
        "state_in": world.newton.state(), "state_out": world.newton.state(), "contacts": world.newton.contacts(),
        "control": rng.choice([None, world.newton.control()]), "dt": 0.01, "nstep": rng.choice([0, 1, 3]),
        "nworld": rng.choice([1, 9, 2**31 - 1]), "nthread": rng.choice([1, 2]), "x": np.ones(model.nv),
        "vec": np.ones(3), "pnt": np.zeros(3), "point": np.zeros(3), "pos": np.zeros(3), "quat": [1, 0, 0, 0],
        "qpos": np.array(data.qpos), "signature": 1, "xml": SCENE, "path": pathlib.Path("file.xml"),
        "initial_states": torsor.get_state(model, data, torsor.StateBit.FULLPHYSICS), "joint_q": [0.1, 0.2],
        "field": "qpos", "name": "ball", "convention": "drake", "src": "mujoco", "dst": "drake",
        "link": 0, "body": 0, "parent": -1, "child": 0, "joints": [0], "radius": 0.1, "other": world.other,
    }
    if name in by_name and rng.random() < 0.9:
        return by_name[name]
    if rng.random() < 0.4:
        return rng.choice([0, 1, -1, [0, 0, 1], [1, 0, 0, 0], np.eye(3), 0.5, "ball", "mujoco", None])
    return hostile(world)


def parameters(function):
    """Names of the parameters, as far as the function says."""
    function = getattr(function, "__func__", function)
    for signature in getattr(function, "__nb_signature__", ()):
        inside = signature[0][signature[0].index("(") + 1:]
        names = re.findall(r"(?:^|, )\*?([a-z_A-Z0-9]+)(?=:| =|,|\))", inside)
        return [each for each in names if each != "self"]
    try:
        found = inspect.signature(function).parameters.values()
    except (TypeError, ValueError):
        return ["unknown"] * 2
    return [each.name for each in found if each.kind not in (each.VAR_KEYWORD, each.VAR_POSITIONAL)]


def call(function, world, names):
    rng = world.rng
    wrong = rng.randrange(len(names)) if names and rng.random() < 0.8 else -1
    count = len(names) if rng.random() < 0.7 else rng.randint(0, len(names))
    arguments = [hostile(world) if i == wrong else fitting(name, world) for i, name in enumerate(names[:count])]
    guarded(lambda: function(*arguments))
    if rng.random() < 0.2:
        guarded(lambda: function(**dict(zip(names, arguments, strict=False))))


def guarded(function):
    """Calls; what it raises is nobody's business, except that it must be an exception that can be shown."""
    signal.setitimer(signal.ITIMER_REAL, CALL_S)
    try:
        repr(function())
    except TooLong:
        print("interrupted", flush=True)
    except BaseException as error:
        str(error)
        if isinstance(error, (SystemExit, KeyboardInterrupt)):
            raise
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)


def public_names(owner):
    # What ends processes or changes them by design is not called.
    return [name for name in dir(owner) if (not name.startswith("_") or name in ALSO) and name not in ("os", "sys")]


ALSO = ("__init__", "__setstate__", "__getstate__", "__copy__", "__deepcopy__", "__getitem__", "__setitem__", "__len__",
        "__eq__", "__reduce_ex__", "__setattr__")


def walk_functions(rng, rounds):
    for label, module in MODULES.items():
        for name in public_names(module):
            function = getattr(module, name)
            if not callable(function) or isinstance(function, type) and issubclass(function, (enum.Enum, Exception)):
                continue
            print(f"{label}.{name}", flush=True)
            names = parameters(function)
            world = World(rng)
            for _ in range(rounds):
                call(function, world, names)
            check(world)


def walk_methods(rng, rounds):
    world = World(rng)
    for index in range(len(world.instances())):
        for name in public_names(world.instances()[index]) if index < len(world.instances()) else []:
            instance = world.instances()[index]
            print(f"{type(instance).__name__}.{name}", flush=True)
            for _ in range(rounds):
                guarded(lambda: use_attribute(instance, name, world))
            check(world)
            world = World(rng)
            if index >= len(world.instances()):
                break


def use_attribute(instance, name, world):
    value = getattr(instance, name)
    if callable(value):
        call(value, world, parameters(value))
    elif world.rng.random() < 0.8:
        setattr(instance, name, hostile(world))
    else:
        delattr(instance, name)


def walk_classes(rng, rounds):
    """Objects without __init__, of subclasses, in cycles, with foreign states, and copies."""
    import copy
    import pickle

    world = World(rng)
    for instance in world.instances():
        kind = type(instance)
        print(f"{kind.__name__}.__new__", flush=True)
        guarded(lambda: copy.copy(instance))
        guarded(lambda: copy.deepcopy(instance))
        guarded(lambda: pickle.loads(pickle.dumps(instance)))
        guarded(lambda: hash(instance))
        for each in (kind, subclass_of(kind)):
            if each is None:
                continue
            for _ in range(rounds):
                guarded(lambda: misuse_raw(each, world))
            gc.collect()
    check(world)


def subclass_of(kind):
    try:
        return type("Sub" + kind.__name__, (kind,), {})
    except TypeError:
        return None


def misuse_raw(kind, world):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        raw = kind.__new__(kind)
    guarded(lambda: setattr(raw, "me", raw))
    for name in public_names(raw):
        guarded(lambda name=name: use_attribute(raw, name, world))
    for function in (torsor.step, torsor.forward, torsor.get_state, torsor.jac_body, torsor.rollout):
        guarded(lambda function=function: function(world.model, raw))
        guarded(lambda function=function: function(raw, world.data))


GARBAGE = [float("nan"), float("inf"), -float("inf"), 1e308, -1e308, 1e300, 1e18, -1e18, 1e9, 2.0**31, 5e-324, 0.0]


def write_garbage(rng, rounds):
    """Anything in every array of a Data and its contacts, then every function of a model and a data."""
    functions = {name: function for name, function in vars(torsor).items()
                 if callable(function) and parameters(function)[:2] == ["model", "data"] and name != "rollout"}
    files = sorted((pathlib.Path(__file__).parents[2] / "models" / "features").glob("*.xml"))
    models = [torsor.Model.from_xml_string(text) for text in (SCENE, ZOO)]
    for path in rng.sample(files, min(rounds, len(files))):
        print(path.name, flush=True)
        model = torsor.Model.from_xml_path(path)
        for world_model in (rng.choice(models), model):
            data = torsor.Data(world_model)
            torsor.step(world_model, data, 3)
            for name, function in functions.items():
                for array in rng.sample(arrays_of(data), 12):
                    guarded(lambda array=array: spoil(array, rng))
                print(f"{path.name}: {name}", flush=True)
                guarded(lambda function=function: torsor_call(function, world_model, data, rng))
                if rng.random() < 0.1:
                    guarded(lambda: torsor.reset_data(world_model, data))
                    guarded(lambda: torsor.step(world_model, data, 2))


def torsor_call(function, model, data, rng):
    rest = {"body": 0, "geom": 0, "geom1": 0, "geom2": 0, "site": 0, "point": data.xpos[-1], "axis": [0, 0, 1], "id": 0,
            "type": 1, "key": 0, "x": data.qvel, "vec": data.qvel if model.nv != 3 else [1, 0, 0], "pnt": data.xpos[-1],
            "distmax": 1.0, "force": data.xpos[-1], "torque": [0, 0, 1], "pos": [0, 0, 0], "quat": [1, 0, 0, 0],
            "actuator": 0, "sensor": 0, "time": data.time, "flg_acc": True, "stage": rng.randrange(4), "island": 0}
    names = parameters(function)[2:]
    function(model, data, **{name: rest[name] for name in names if name in rest})


def arrays_of(data):
    names = [row.name for kind in ("data", "rows") for row in torsor.fields(kind) if row.shape]
    found = [getattr(data, name) for name in names if hasattr(data, name)]
    contacts = [getattr(data.contact, name) for name in dir(data.contact) if not name.startswith("_")]
    if len(data.contact):
        contacts += [getattr(data.contact[0], name) for name in dir(data.contact[0]) if not name.startswith("_")]
    return [each for each in found + contacts if isinstance(each, np.ndarray)]


def spoil(array, rng):
    if rng.random() < 0.3:
        array.flags.writeable = True  # refused where the engine trusts the contents
    if array.size and rng.random() < 0.5:
        array.flat[rng.randrange(array.size)] = rng.choice(GARBAGE)
    else:
        array[...] = rng.choice(GARBAGE)


def check(world):
    """The process still works."""
    model = torsor.Model.from_xml_string(ARM)
    data = torsor.Data(model)
    assert torsor.step(model, data, 2) == torsor.Status.OK and np.isfinite(data.qpos).all()


PARTS = {"functions": walk_functions, "methods": walk_methods, "classes": walk_classes, "garbage": write_garbage}

if __name__ == "__main__":
    resource.setrlimit(resource.RLIMIT_AS, (64 << 30, 64 << 30))
    signal.signal(signal.SIGALRM, alarm)
    part, seed, rounds = sys.argv[1], sys.argv[2], int(sys.argv[3])
    here = pathlib.Path(tempfile.mkdtemp())
    os.chdir(here)
    warnings.simplefilter("ignore")
    np.seterr(all="ignore")
    PARTS[part](random.Random(f"{part} {seed}"), rounds)
    print("survived", flush=True)
    os._exit(0)  # what callables left running, such as threads, is not waited for
