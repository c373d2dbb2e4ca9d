"""Other Python threads run while the engine steps, and many worlds of one model give the results of one after another."""

import threading
import time

import torsor


def test_the_interpreter_is_free_while_stepping(model, data):
    torsor.step(model, data, nstep=100)
    ticks, done = [], threading.Event()

    def tick():
        while not done.is_set():
            ticks.append(time.perf_counter())
            time.sleep(0.001)

    ticker = threading.Thread(target=tick)
    ticker.start()
    start = time.perf_counter()
    nstep = 20_000
    while time.perf_counter() - start < 0.2:  # one call that takes this long, however fast the machine
        before = time.perf_counter()
        torsor.step(model, data, nstep=nstep)
        after = time.perf_counter()
        if after - before > 0.1:
            break
        nstep *= 2
        start = time.perf_counter()
    done.set()
    ticker.join()
    assert sum(before < tick < after for tick in ticks) > 10


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
