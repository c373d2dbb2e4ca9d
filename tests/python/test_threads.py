"""Other Python threads run while the engine steps, and many worlds of one model give the results of one after another."""

import threading
import time

import torsor


def long_call(model, data):
    """Start and end of one call of step() that takes long, however fast the machine."""
    nstep = 20_000
    while True:
        start = time.perf_counter()
        torsor.step(model, data, nstep=nstep)
        end = time.perf_counter()
        if end - start > 0.3:
            return start, end
        nstep *= 2


def test_the_interpreter_is_free_while_stepping(model, data):
    ticks, done = [], threading.Event()

    def tick():
        while not done.is_set():
            ticks.append(time.perf_counter())
            time.sleep(0.001)

    ticker = threading.Thread(target=tick)
    ticker.start()
    start, end = long_call(model, data)
    done.set()
    ticker.join()
    assert sum(start + 0.01 < tick < end - 0.01 for tick in ticks) > 3


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
