"""Python cannot crash the process: hostile arguments, garbage in arrays, misused objects and threads.

Each case runs in a process of its own (hostile_calls.py), which may raise what it likes but must not die by a signal.
"""

import os
import pathlib
import subprocess
import sys
import textwrap

import pytest

HERE = pathlib.Path(__file__).parent
HANG_S = 900  # a guard against waiting forever
QUICK = bool(os.environ.get("TORSOR_QUICK"))
ROUNDS = {"functions": 6 if QUICK else 20, "methods": 3 if QUICK else 8, "classes": 1 if QUICK else 3,
          "garbage": 8 if QUICK else 25}


def start(*arguments):
    environment = dict(os.environ, PYTHONPATH=os.pathsep.join([*sys.path, str(HERE)]))
    return subprocess.run([sys.executable, "-X", "faulthandler", *arguments], env=environment, capture_output=True,
                          text=True, timeout=HANG_S, cwd=HERE, errors="replace")


@pytest.mark.parametrize("part", ROUNDS)
@pytest.mark.parametrize("seed", ["a"] if QUICK else ["a", "b"])
def test_no_public_callable_ends_the_process(part, seed):
    result = start(str(HERE / "hostile_calls.py"), part, seed, str(ROUNDS[part]))
    lines = result.stdout.split("\n")
    assert result.returncode == 0 and "survived" in lines, (
        f"{part} with seed {seed} ended with {result.returncode} in {lines[-2:]}:\n{result.stderr[-3000:]}")


SCENE = """
import gc, itertools, threading, time
ticks = itertools.count()
import numpy as np
import torsor
balls = "".join(f'<body pos="{0.05 * (i % 3)} {0.05 * (i % 2)} {0.1 + 0.19 * i}"><freejoint/><geom size="0.1"/></body>'
                for i in range(12))
model = torsor.Model.from_xml_string(
    f'<mujoco><worldbody><geom type="plane" size="1 1 1"/>{balls}</worldbody></mujoco>')
data = torsor.Data(model)
"""


def survives(script):
    result = start("-c", SCENE + textwrap.dedent(script) + "\nprint('survived')\n")
    assert result.returncode == 0 and result.stdout.split("\n")[-2] == "survived", (result.returncode, result.stdout,
                                                                                    result.stderr[-3000:])


READERS = """
def read(own):
    own.ncon, own.nefc, len(own.contact), repr(own.contact)
    own.contact.geom, own.contact.pos.sum(), own.efc_J.sum(), own.efc_J_colind.sum(), own.efc_force.sum()
    for contact in list(own.contact):
        try:
            contact.dist, contact.frame.sum(), contact.geom1
        except IndexError:
            pass
    torsor.mul_jac_vec(model, own, np.ones(model.nv)), torsor.efc_csr(model, own)
"""


@pytest.mark.parametrize("nstep", [1, 201])
def test_a_thread_may_read_contacts_and_rows_while_another_steps(nstep):
    survives(READERS + f"""
import sys
sys.setswitchinterval(1e-5)
reads, failures = [], []
done = threading.Event()
def reader():
    try:
        while not done.is_set():
            read(data)
            reads.append(0)
    except Exception as error:
        failures.append(error)
threads = [threading.Thread(target=reader) for _ in range(2)]
for thread in threads:
    thread.start()
steps = 0
while len(reads) < 50 or steps < 3000:
    data.qpos[2::7] += 3.0 * (-1) ** steps   # contacts come and go
    torsor.step(model, data, {nstep})
    steps += {nstep} if {nstep} > 1 else 1
    if steps % 1000 == 0:
        torsor.reset_data(model, data)
done.set()
for thread in threads:
    thread.join()
assert not failures, failures
""")


def test_threads_that_share_a_data_take_turns():
    survives(READERS + """
from copy import copy
failures = []
def work(index):
    try:
        for k in range(150):
            [lambda: torsor.step(model, data, 5), lambda: torsor.forward(model, data), lambda: read(data),
             lambda: torsor.reset_data(model, data), lambda: copy(data), lambda: torsor.inverse(model, data),
             lambda: torsor.get_state(model, data), lambda: torsor.rne_post_constraint(model, data)][(k + index) % 8]()
    except Exception as error:
        failures.append(error)
threads = [threading.Thread(target=work, args=(i,)) for i in range(6)]
for thread in threads:
    thread.start()
for thread in threads:
    thread.join()
assert not failures, failures
""")


def test_threads_that_share_a_batch_take_turns():
    survives("""
batch = torsor.Batch(model, 20)
def work(index):
    for k in range(20):
        batch.step(3, nthread=2) if (k + index) % 2 else batch.get("qpos"), batch.forward("xpos")
threads = [threading.Thread(target=work, args=(i,)) for i in range(4)]
for thread in threads:
    thread.start()
for thread in threads:
    thread.join()
assert np.ptp(batch.get("time")) < 1e-12 and batch.get("time")[0] > 0
""")


def test_a_long_call_lets_readers_through():
    survives("""
thread = threading.Thread(target=lambda: torsor.step(model, data, 200_000), daemon=True)
thread.start()
while data.time == 0:
    time.sleep(0.001)
times = []
for _ in range(20):
    len(data.contact)
    times.append(data.time)
    time.sleep(0.01)
assert thread.is_alive() and len(set(times)) > 1, times
""")


def test_contacts_that_were_kept_are_safe_after_a_reset():
    survives("""
torsor.step(model, data, 300)
contacts, views = list(data.contact), [data.contact.pos, data.efc_force, data.efc_J_colind]
assert contacts
torsor.reset_data(model, data)
for contact in contacts:
    try:
        contact.dist
        raise SystemExit("a contact outlived the reset")
    except IndexError:
        pass
del data
gc.collect()
assert all(np.isfinite(view).all() or True for view in views)
""")


def test_indices_in_contacts_and_rows_cannot_be_written():
    survives("""
torsor.step(model, data, 300)
for name in ("efc_type", "efc_id", "efc_J_rownnz", "efc_J_rowadr", "efc_J_colind", "efc_state", "efc_island",
             "efc_force", "efc_J"):
    view = getattr(data, name)
    if name == "efc_J" and not torsor.is_sparse(model):
        continue   # a copy
    for write in (lambda: view.__setitem__(0, 2**30), lambda: view.setflags(write=True)):
        try:
            write()
        except ValueError:
            continue
        raise SystemExit(f"{name} was written")
contact = data.contact[0]
for name in ("geom", "dim", "exclude", "pair", "efc_address", "geom1", "geom2"):
    try:
        setattr(contact, name, 2**30)
    except AttributeError:
        continue
    raise SystemExit(f"{name} was set")
contact.friction, contact.dist = [1, 2, 3, 4, 5], -0.01
assert data.contact[0].friction.tolist() == [1, 2, 3, 4, 5] and data.contact.dist[0] == -0.01
""")


CALLBACKS = ["control", "passive", "contact_filter", "clock", "on_warning", "collision"]


@pytest.mark.parametrize("name", CALLBACKS)
@pytest.mark.parametrize("function", ["step", "forward", "reset_data", "collision", "fwd_position", "fwd_constraint",
                                      "inverse", "transition_derivatives"])
def test_callbacks_that_start_over_in_secret_are_harmless(name, function):
    survives(f"""
depth = [0]
old = []
def callback(*arguments):
    depth[0] += 1
    if depth[0] < 3:
        data.qpos[2::7] += 0.2
        old.append(data.efc_J_colind)
        try:
            torsor.{function}(model, data)
        except Exception as error:
            str(error)
        for mark in (0, 8, 10**6):
            try:
                data.free_stack(mark)
            except ValueError:
                pass
        try:
            data.stack_alloc(100)[:] = np.nan
        except torsor.Error:
            pass
    depth[0] -= 1
    return next(ticks) if {name!r} == "clock" else None
if {name!r} == "collision":
    torsor.set_collision_function(data, torsor.GeomType.SPHERE, torsor.GeomType.SPHERE, callback)
else:
    data.{name} = callback
data.timers_on = True
for k in range(40):
    try:
        if k % 10 == 9:
            data.qvel[0] = np.nan   # warns
        torsor.step(model, data, 5)
    except Exception as error:
        str(error)
""")


def test_a_callback_may_drop_everything():
    survives("""
def control(model, own):
    own.control = None
    globals().pop("data", None), globals().pop("model", None)
    gc.collect()
    torsor.fwd_velocity(model, own)
data.control = control
torsor.step(model, data, 3)
""")


def test_scratch_memory_that_was_given_back_is_not_the_engines():
    survives("""
mine = [data.stack_alloc(2000) for _ in range(3)]
data.free_stack(0)
def control(model, own):
    for array in mine:
        array[:] = np.nan
data.control = control
twin = torsor.Data(model)
torsor.step(model, data, 50)
torsor.step(model, twin, 50)
assert np.array_equal(data.qpos, twin.qpos)
""")


def test_texts_that_are_not_utf8_become_readable_errors(tmp_path):
    import torsor

    (tmp_path / "bad.obj").write_bytes(b"v 0 0 0\nf 1 \xff\xfe 2\n")
    with pytest.raises(torsor.Error) as raised:
        torsor.Model.from_xml_string(
            "<mujoco><asset><mesh file='bad.obj'/></asset></mujoco>",
            assets={"bad.obj": (tmp_path / "bad.obj").read_bytes()})
    assert str(raised.value) and raised.value.diagnostics[0].message
    path = tmp_path / "bad.xml"
    path.write_bytes(b"<mujoco><worldbody><geom na\xffme='x'/><body name='\xfe'><geom size='1'/></body></worldbody></mujoco>")
    with pytest.raises(torsor.Error) as raised:
        torsor.Model.from_xml_path(path)
    assert "not UTF-8" in str(raised.value) and all(str(each) for each in raised.value.diagnostics)


def test_more_than_the_machine_has_is_an_error():
    survives("""
for size in ("10T", "900T"):
    try:
        huge = torsor.Model.from_xml_string(f'<mujoco><size memory="{size}"/></mujoco>')
        torsor.Data(huge)
    except (torsor.Error, MemoryError) as error:
        assert isinstance(error, torsor.Error), error
for count in (2**31 - 1, 2**31 - 70, 10**9):
    try:
        torsor.Batch(model, count)
        raise SystemExit("a batch of impossible size was made")
    except torsor.Error as error:
        assert "GiB" in str(error)
""")


@pytest.mark.parametrize("number", [-2**31, -2, -1, 0, 7, 8, 11, 100, 1_000_000, 2**31 - 1])
def test_enums_of_newton_are_checked(number):
    import torsor
    from torsor import newton

    builder = newton.ModelBuilder()
    first, second = builder.add_body(mass=1.0), builder.add_link(mass=1.0)
    calls = {"joint": lambda: builder.add_joint(number, first, second),
             "shape": lambda: builder.add_shape(first, number, scale=(0.1, 0.1, 0.1)),
             "axis": lambda: newton.ModelBuilder(up_axis=number),
             "version": lambda: builder.finalize(version=number),
             "mode": lambda: builder.add_joint_revolute(first, second, actuator_mode=number)}
    valid = {"joint": range(7), "shape": range(1, 11), "axis": range(3), "version": range(2), "mode": range(-1, 5)}
    for kind, call in calls.items():
        try:
            call()
            assert number in valid[kind], f"{kind} {number} was accepted"
        except (torsor.Error, TypeError) as error:
            assert number not in valid[kind] or "number from" not in str(error), f"{kind} {number}: {error}"


def test_a_list_of_modes_is_checked_before_it_is_used():
    import torsor
    from torsor import newton

    builder = newton.ModelBuilder()
    link = builder.add_link(mass=1.0, inertia=[1, 0, 0, 0, 1, 0, 0, 0, 1])
    builder.add_articulation([builder.add_joint_revolute(-1, link)])
    builder.joint_target_mode[0] = 77
    with pytest.raises(torsor.Error, match="the mode of a drive is a number from -1 to 4, not 77"):
        builder.finalize()


def test_copies_without_end_and_chains_without_end_are_refused():
    import torsor
    from torsor import newton

    builder, many = newton.ModelBuilder(), newton.ModelBuilder()
    builder.add_body(mass=1.0)
    with pytest.raises(torsor.Error, match="copies"):
        many.replicate(builder, 2**31 - 1)
    chain, joints = newton.ModelBuilder(), []
    for i in range(10_050):
        link = chain.add_link(mass=1.0, inertia=[1, 0, 0, 0, 1, 0, 0, 0, 1])
        joints.append(chain.add_joint_revolute(link - 1, link))
    with pytest.raises(torsor.Error, match="deeper than"):
        chain.add_articulation(joints)
        chain.finalize()
