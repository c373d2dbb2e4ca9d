"""Lets a script that was written for Newton import torsor.newton as `newton`.

What a rigid-body engine does not have is replaced: the viewer and the helpers of Newton's examples by objects that do
nothing or little, and the solvers VBD and Kamino by Torsor's XPBD stand-in, in which case the result says so.
"""

import argparse
import importlib.abc
import importlib.machinery
import importlib.util
import pathlib
import sys
import types
import warnings

import warp

import torsor
import torsor.newton


class Missing(Exception):
    """The script needs something that Torsor does not have; the text says what."""


class Nothing:
    """Takes any call and any attribute, and is false."""

    def __call__(self, *args, **kwargs):
        return self

    def __getattr__(self, name):
        if name.startswith("__"):
            raise AttributeError(name)
        return Nothing()

    def __bool__(self):
        return False

    def __enter__(self):
        return self

    def __exit__(self, *unused):
        return False


class Viewer(Nothing):
    """A viewer that shows nothing."""

    def __init__(self, *args, **kwargs):
        self.model, self.push = None, None
        self.world_offsets = warp.zeros(1, dtype=warp.vec3)

    def set_model(self, model, *args, **kwargs):
        self.model = model

    def apply_forces(self, state):
        """What the mouse of a user does: a push on the first body, once, if the harness asks for one."""
        if self.push is not None:
            state.body_f.assign([self.push, *([[0.0] * 6] * (state.body_count - 1))])
            self.push = None

    def is_key_down(self, key):
        return False

    def is_running(self):
        return True

    def is_paused(self):
        return False


class Twist(warp.spatial_vector):
    """A kernel reads past the end of a vector without an error, and one example does."""

    def __getitem__(self, key):
        return 0.0 if isinstance(key, int) and key >= 6 else super().__getitem__(key)

    def __iter__(self):
        return iter([self[i] for i in range(6)])


def _abs(value):
    return abs(value) if isinstance(value, (int, float)) else type(value)(*(abs(value[i]) for i in range(len(value))))


excused = {}  # checks, and the component of the body's twist that they take for 0


def test_body_state(model, state, test_name, test_fn, indices=None, show_body_q=False, show_body_qd=False):
    """Newton runs test_fn in a kernel for each body; here it is called with the same types."""
    test_fn = getattr(test_fn, "func", test_fn)  # of a wp.func
    test_fn.__globals__.setdefault("abs", _abs)  # which kernels also take of vectors
    q, qd = state.body_q.numpy(), state.body_qd.numpy().copy()
    if test_name in excused:
        qd[:, excused[test_name]] = 0
    failed = [int(body) for body in (range(len(q)) if indices is None else indices)
              if not test_fn(warp.transform(*map(float, q[body])), Twist(*map(float, qd[body])))]
    if failed:
        rows = "; ".join(f"body {body}: {q[body].round(4).tolist()}, {qd[body].round(4).tolist()}" for body in failed[:3])
        raise ValueError(f"{test_name}: fails for {len(failed)} bodies: {rows}")


def create_parser():
    parser = argparse.ArgumentParser(add_help=False)
    parser.add_argument("--viewer", default="null")
    parser.add_argument("--num-frames", type=int, default=100)
    parser.add_argument("--device", default=None)
    parser.add_argument("--test", action="store_true", default=True)
    parser.add_argument("--headless", action="store_true", default=True)
    parser.add_argument("--quiet", action="store_true")
    return parser


def add_world_count_arg(parser):
    parser.add_argument("--world-count", type=int, default=1)


def add_broad_phase_arg(parser):
    parser.add_argument("--broad-phase", default="sap")


def add_mujoco_contacts_arg(parser):
    parser.add_argument("--use-mujoco-contacts", action=argparse.BooleanOptionalAction, default=False)


def add_max_worlds_arg(parser):
    parser.add_argument("--max-worlds", type=int, default=None)


def wheel_folder():
    """Where Newton's wheel is installed; it is not imported."""
    spec = importlib.machinery.PathFinder.find_spec("newton")
    if spec is None:
        raise RuntimeError("Newton is not installed here: run scripts/newton")
    return pathlib.Path(next(iter(spec.submodule_search_locations)))


def _download(name, *args, **kwargs):
    raise Missing(f"the download {pathlib.PurePosixPath(name).stem}")  # of a repository: its name


def _solver_stand_in(name, used):
    class Solver(torsor.newton.solvers.SolverXPBD):
        class Config:
            @classmethod
            def from_model(cls, model, **options):
                return Nothing()

        def __init__(self, model, *args, **options):
            used.add(name)
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                super().__init__(model)

    Solver.__name__ = name
    return Solver


class _Finder(importlib.abc.MetaPathFinder):
    """Modules of Newton's examples are read from the wheel; other modules that are not there say so."""

    def find_spec(self, name, path, target=None):
        if name.startswith("newton.examples."):
            file = wheel_folder() / pathlib.Path(*name.split(".")[1:])
            if file.is_dir():
                spec = importlib.machinery.ModuleSpec(name, None, is_package=True)
                spec.submodule_search_locations = [str(file)]
                return spec
            return importlib.util.spec_from_file_location(name, file.with_suffix(".py"))
        if name.startswith("newton."):
            raise Missing(f"the module {name}")
        return None


def install():
    """Makes `newton` mean torsor.newton; returns a set that collects the names of the stand-ins that were used."""
    used, newton = set(), torsor.newton
    assets = wheel_folder() / "examples" / "assets"
    examples = types.ModuleType("newton.examples")
    examples.__path__ = []
    for value in (create_parser, add_world_count_arg, add_broad_phase_arg, add_mujoco_contacts_arg, add_max_worlds_arg,
                  test_body_state):
        setattr(examples, value.__name__, value)
    examples.get_asset = lambda name: str(assets / name)
    examples.get_asset_directory = lambda: str(assets)
    examples.download_external_git_folder = _download
    newton.utils.download_asset = _download
    for name in ("SolverVBD", "SolverKamino"):
        setattr(newton.solvers, name, _solver_stand_in(name, used))
    viewer = types.ModuleType("newton.viewer")
    for name in ("ViewerNull", "ViewerGL", "ViewerFile", "ViewerUSD", "ViewerBase"):
        setattr(viewer, name, Viewer)
    newton.examples, newton.viewer = examples, viewer
    sys.modules.update({"newton": newton, "newton.examples": examples, "newton.viewer": viewer})
    for name in ("ik", "math", "selection", "solvers", "usd", "utils"):
        sys.modules[f"newton.{name}"] = getattr(newton, name)
    sys.meta_path.insert(0, _Finder())
    return used
