"""Every function of torsor.mujoco with arguments of all kinds: it returns or raises, and the process lives on."""

import subprocess
import sys

# in a process of its own, whose end is the test
SCRIPT = '''
import contextlib, io, sys
import numpy
import torsor.mujoco as mujoco
from example_models import ARM, ZOO

random = numpy.random.default_rng(int(sys.argv[1]))
models = [mujoco.MjModel.from_xml_string(xml) for xml in (ARM, ZOO, "<mujoco/>")]
datas = [mujoco.MjData(model) for model in models]
for model, data in zip(models, datas):
    mujoco.mj_forward(model, data)
readonly = numpy.zeros(6)
readonly.flags.writeable = False
POOL = [
    None, True, 0, 1, -1, 3, 2**31 - 1, -2**31, 2**40, 0.5, -1.5, float("nan"), float("inf"), "", "body", "abc\\0d", "\\udc80", b"x",
    [], [1, 2, 3], [[1, 2], [3, 4]], ["a"], {}, object(), numpy.zeros(0), numpy.zeros(1), numpy.zeros(3), numpy.ones(4), numpy.zeros(6),
    numpy.zeros(9), numpy.full(3, numpy.nan), numpy.full(4, 1e300), numpy.zeros((3, 3)), numpy.zeros((3, 1)), numpy.zeros((1, 3)),
    numpy.zeros((2, 2, 2)), numpy.zeros((0, 3)), numpy.zeros(6)[::2], numpy.asfortranarray(numpy.ones((3, 2))), readonly,
    numpy.zeros(3, numpy.float32), numpy.zeros(3, ">f8"), numpy.zeros(3, numpy.int32), numpy.array([5, -7, 2**31 - 1], numpy.int32),
    numpy.zeros(6, numpy.uint8), numpy.zeros(3, complex), numpy.zeros(3, object), numpy.int32(2), numpy.float64(0.25),
    mujoco.mjtObj.mjOBJ_GEOM, *models, *datas,
]


def fitting(kind, which):
    """An argument that often fits, so that calls get past the first check."""
    model, data = models[which], datas[which]
    if kind[0] == "m":
        return model
    if kind[0] == "d":
        return data
    if kind[0] in "if":
        return int(random.integers(-2, 9))
    if kind[0] in "vVwW":
        digits = "".join(each for each in kind[1:].split("=")[0] if each.isdigit())
        size = int(digits) if digits else int(random.choice([3, 4, model.nv, model.nq, 9]))
        shape = size if kind[0] in "vV" else tuple(random.choice([3, model.nv, 5, 12], 2))
        return random.normal(size=shape)
    if kind[0] in "nN":
        return random.integers(-1, 9, 3).astype(numpy.int32)
    return POOL[random.integers(len(POOL))]


count = raised = 0
for name, parameters in mujoco._mujoco._list_functions():
    if name in ("mj_saveModel",):
        continue  # would write files
    kinds = [word.split(":")[1] for word in parameters.split()]
    for trial in range(60):
        which = int(random.integers(3))
        arguments = [fitting(kind, which) if random.random() < 0.8 else POOL[random.integers(len(POOL))] for kind in kinds]
        if random.random() < 0.1 and arguments:
            arguments.pop()
        if name == "mj_step" and len(arguments) > 2:
            arguments[2] = 1
        try:
            with contextlib.redirect_stdout(io.StringIO()):
                getattr(mujoco, name)(*arguments)
        except (TypeError, ValueError, IndexError, KeyError, mujoco.FatalError, MemoryError) as error:
            assert str(error) or isinstance(error, MemoryError)
            raised += 1
        count += 1
for model, data in zip(models, datas):
    data.qpos[:] = model.qpos0
    mujoco.mj_resetData(model, data)
    mujoco.mj_forward(model, data)
print(count, raised)
'''


def test_hostile_arguments_raise_and_nothing_breaks():
    folder = __file__.rsplit("/", 1)[0]
    for seed in (1, 2):
        result = subprocess.run([sys.executable, "-c", SCRIPT, str(seed)], capture_output=True, text=True, cwd=folder)
        assert result.returncode == 0, result.stderr[-2000:]
        count, raised = map(int, result.stdout.split()[-2:])
        assert count > 8000 and 0.2 < raised / count < 0.98
