"""Memory: the stack for users, high-water marks, and what `memory` in `size` allows."""

import pathlib
import re
import subprocess
import sys

import numpy as np
import pytest

import torsor

HEAP = "".join(f'<body pos="0 0 {0.1 + 0.21 * i}"><freejoint/><geom size="0.1"/></body>' for i in range(20))


def heap(memory=""):
    size = f'<size memory="{memory}"/>' if memory else ""
    return torsor.Model.from_xml_string(
        f'<mujoco>{size}<worldbody><geom type="plane" size="1 1 1"/>{HEAP}</worldbody></mujoco>')


def test_the_stack_gives_memory_that_the_engine_leaves_alone(model, data):
    mark = data.mark_stack()
    mine = data.stack_alloc(model.nv)
    more = data.stack_alloc(5)
    mine[:], more[:] = [1, 2], 7
    torsor.step(model, data, nstep=20)
    torsor.inverse(model, data)
    assert mine.tolist() == [1, 2] and more.tolist() == [7] * 5
    data.free_stack(mark)
    assert data.pstack == mark == 0


CALLS = ["step", "step1", "step2", "forward", "inverse", "kinematics", "com_pos", "crb", "factor_m", "tendon", "camlight",
         "collision", "fwd_position", "fwd_velocity", "fwd_actuation", "fwd_acceleration", "fwd_constraint", "passive",
         "rne_post_constraint", "energy_pos", "energy_vel", "subtree_vel", "euler", "rk4", "rkmk4", "implicit",
         "implicitfast", "compare_forward_inverse", "efc_AR", "efc_JT", "efc_csr", "full_m", "get_state"]


@pytest.mark.parametrize("name", CALLS)
def test_every_function_leaves_the_stack_as_it_was(zoo, zoo_data, name):
    zoo_data.stack_alloc(11)
    before = zoo_data.pstack
    getattr(torsor, name)(zoo, zoo_data)
    assert zoo_data.pstack == before > 0


def test_a_reset_empties_the_stack_also_one_inside_a_step(model, data):
    data.stack_alloc(100)
    torsor.reset_data(model, data)
    assert data.pstack == 0
    mark = data.mark_stack()
    data.stack_alloc(100)
    data.qpos[0] = np.nan
    assert torsor.step(model, data) == torsor.Status.RESET
    assert data.pstack == 0
    data.free_stack(mark)  # from before the reset: nothing is left to give back
    data.free_stack(800)
    assert data.pstack == 0


def test_more_than_there_is_is_an_error_and_takes_nothing():
    model = heap(memory="10K")
    data = torsor.Data(model)
    with pytest.raises(torsor.Error, match="no scratch memory for 100000000 numbers"):
        data.stack_alloc(100_000_000)
    with pytest.raises(torsor.Error, match="no scratch memory"):
        data.stack_alloc(2**61)
    assert data.pstack == 0
    with pytest.raises(TypeError):
        data.stack_alloc(-1)


def test_a_mark_beyond_the_stack_is_an_error(data):
    data.stack_alloc(2)
    with pytest.raises(ValueError, match="mark 800 lies beyond the stack"):
        data.free_stack(800)


def test_the_most_of_everything_is_kept_until_the_reset():
    model = heap()
    data = torsor.Data(model)
    assert data.maxuse_con == data.maxuse_efc == 0
    contacts, rows = [], []
    for _ in range(200):
        torsor.step(model, data)
        contacts.append(data.ncon)
        rows.append(data.nefc)
    assert (data.maxuse_con, data.maxuse_efc) == (max(contacts), max(rows)) and max(rows) > rows[0] == 0
    assert 0 < data.maxuse_stack < data.maxuse_arena <= data.narena
    before = data.maxuse_arena
    data.stack_alloc(10_000_000)
    assert data.maxuse_arena > before + 7e7
    torsor.reset_data(model, data)
    assert data.maxuse_con == data.maxuse_efc == data.maxuse_arena == data.maxuse_stack == 0


def pressed(model):
    """All balls in each other's way."""
    data = torsor.Data(model)
    data.qpos[2::7] *= 0.7
    return data


def test_a_step_that_does_not_fit_is_an_error_that_says_how_much_it_needs():
    model = heap(memory="2K")
    assert model.memory == 2 * 1024
    data = pressed(model)
    before = torsor.get_state(model, data)
    with pytest.raises(torsor.Error, match=r"need \d+ bytes, but the model allows 2048") as failure:
        torsor.step(model, data, nstep=5)
    assert torsor.get_state(model, data).tobytes() == before.tobytes() and data.time == 0
    assert data.warning[torsor.Warning.CONTACTFULL].number + data.warning[torsor.Warning.CNSTRFULL].number == 1
    needed = int(re.search(r"need (\d+) bytes", str(failure.value)).group(1))
    assert data.memory_needed == needed
    enough = pressed(heap(memory=needed))
    assert torsor.step(enough.model, enough) == torsor.Status.OK
    free = pressed(heap())
    torsor.step(free.model, free)
    assert free.warning.number.sum() == 0 and heap().memory == -1
    assert np.array_equal(free.qpos, enough.qpos)


def test_a_step_in_the_middle_of_many_stays_where_it_is():
    model = heap(memory="4K")
    data, free = torsor.Data(model), torsor.Data(heap())
    with pytest.raises(torsor.Error, match="bytes"):
        torsor.step(model, data, nstep=500)
    steps = round(data.time / model.opt.timestep)
    assert 0 < steps < 500
    torsor.step(free.model, free, nstep=steps)
    assert np.array_equal(data.qpos, free.qpos)


@pytest.mark.parametrize("name", ["forward", "inverse", "fwd_position", "step1"])
def test_other_functions_raise_too(name):
    model = heap(memory="2K")
    data = pressed(model)
    with pytest.raises(torsor.Error, match="bytes"):
        getattr(torsor, name)(model, data)
    data.qpos[2::7] = 10 * np.arange(len(data.qpos[2::7])) + 1
    getattr(torsor, name)(model, data)  # nothing touches now


def test_a_rollout_and_a_batch_raise_too():
    model = heap(memory="2K")
    data = pressed(model)
    state = torsor.get_state(model, data, torsor.StateBit.FULLPHYSICS)
    with pytest.raises(torsor.Error, match="bytes"):
        torsor.rollout(model, state, nstep=3)
    batch = torsor.Batch(model, 3)
    batch.set("qpos", np.tile(data.qpos, (3, 1)))
    with pytest.raises(torsor.Error, match="world 0: .* bytes"):
        batch.step(3)


def test_memory_that_no_machine_has_is_an_error():
    with pytest.raises(torsor.Error, match="10995116277760 bytes of memory"):
        torsor.Data(heap(memory="10T"))


def test_views_stay_readable_while_memory_grows():
    model = heap()
    data = pressed(model)
    views = []
    for i in range(60):
        torsor.step(model, data)
        views += [data.efc_J, data.efc_force, data.contact.dist]
        if i % 10 == 0:
            data.stack_alloc(100_000)
    assert data.ngrow > 1
    assert all(np.isfinite(view).size == view.size for view in views)


LIMITED = """
import resource, sys
resource.setrlimit(resource.RLIMIT_AS, (2_000_000 * 1024,) * 2)
import torsor
model = torsor.Model.from_xml_path(sys.argv[1])
data = torsor.Data(model)
torsor.step(model, data, nstep=500)
assert data.ncon > 0 and data.ngrow > 0 and data.time > 0.9 * 500 * model.opt.timestep
batch = torsor.Batch(model, 16)
batch.step(3, nthread=2)
print("done")
"""


def test_a_humanoid_runs_with_two_gigabytes_of_address_space(tmp_path):
    text = (pathlib.Path(__file__).parents[2] / "models" / "humanoid_29.xml").read_text()
    path = tmp_path / "fallen.xml"
    path.write_text(text.replace("<worldbody>", '<worldbody><geom type="plane" size="9 9 1" pos="0 0 0.5"/>', 1))
    done = subprocess.run([sys.executable, "-c", LIMITED, path], capture_output=True, text=True, check=False)
    assert done.stdout == "done\n", done.stderr


EXHAUSTED = """
import resource
import numpy as np
import torsor
heap = "".join(f'<body pos="0 0 {0.1 + 0.15 * i}"><freejoint/><geom size="0.1"/></body>' for i in range(400))
model = torsor.Model.from_xml_string(f'<mujoco><worldbody><geom type="plane" size="1 1 1"/>{heap}</worldbody></mujoco>')
data = torsor.Data(model)
before = torsor.get_state(model, data)
used = int(open("/proc/self/statm").read().split()[0]) * resource.getpagesize()
resource.setrlimit(resource.RLIMIT_AS, (used + 700_000, -1))
for function in (torsor.step, torsor.forward):
    try:
        function(model, data)
    except torsor.Error as error:
        assert "the system has no memory left" in str(error), error
    else:
        raise SystemExit("no error")
resource.setrlimit(resource.RLIMIT_AS, (-1, -1))
assert torsor.get_state(model, data).tobytes() == before.tobytes()
assert torsor.step(model, data) == torsor.Status.OK
print("done")
"""


def test_without_memory_of_the_system_a_step_is_not_taken():
    done = subprocess.run([sys.executable, "-c", EXHAUSTED], capture_output=True, text=True, check=False)
    assert done.stdout == "done\n", done.stderr


def test_a_hundred_thousand_datas_of_a_pendulum():
    model = torsor.Model.from_xml_string(
        '<mujoco><worldbody><body><joint/><geom size="0.1" pos="0 0 -1"/></body></worldbody></mujoco>')
    datas = [torsor.Data(model) for _ in range(100_000)]
    for data in datas[::1000]:
        torsor.step(model, data)
    assert len(datas) == 100_000


def test_as_much_memory_as_was_used_is_enough():
    free = torsor.Data(heap())
    torsor.step(free.model, free, nstep=50)
    data = torsor.Data(heap(memory=free.maxuse_arena))
    torsor.step(data.model, data, nstep=50)
    assert data.warning.number.sum() == 0 and np.array_equal(data.qpos, free.qpos)
