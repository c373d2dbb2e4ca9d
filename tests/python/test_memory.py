"""Memory: the stack for users, high-water marks, and what `memory` in `size` allows."""

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


def test_memory_of_size_limits_contacts_and_rows_and_that_is_told():
    model = heap(memory="2K")
    assert model.memory == 2 * 1024
    data = torsor.Data(model)
    assert torsor.step(model, data, nstep=200) == torsor.Status.OK
    full = data.warning[torsor.Warning.CONTACTFULL].number + data.warning[torsor.Warning.CNSTRFULL].number
    assert full > 0 and np.isfinite(data.qpos).all()
    free = torsor.Data(heap())
    torsor.step(free.model, free, nstep=50)
    assert free.warning.number.sum() == 0 and heap().memory == -1


def test_as_much_memory_as_was_used_is_enough():
    free = torsor.Data(heap())
    torsor.step(free.model, free, nstep=50)
    data = torsor.Data(heap(memory=free.maxuse_arena))
    torsor.step(data.model, data, nstep=50)
    assert data.warning.number.sum() == 0 and np.array_equal(data.qpos, free.qpos)
