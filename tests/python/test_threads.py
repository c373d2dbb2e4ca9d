"""Other Python threads run while the engine steps, and many worlds of one model give the results of one after another."""

import threading

import torsor
from beside import holds_the_interpreter, runs_beside


def test_the_interpreter_is_free_while_stepping(model, data):
    assert runs_beside(lambda: torsor.step(model, data, nstep=20_000))


def test_the_check_sees_a_call_that_holds_the_interpreter():
    assert not runs_beside(holds_the_interpreter)


def test_threads_share_a_model(zoo):
    def run(data):
        torsor.step(zoo, data, nstep=500)

    alone = torsor.Data(zoo)
    run(alone)
    together = [torsor.Data(zoo) for _ in range(4)]
    threads = [threading.Thread(target=run, args=(data,)) for data in together]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert all(data.qpos.tobytes() == alone.qpos.tobytes() for data in together)
