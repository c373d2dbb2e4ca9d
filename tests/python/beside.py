"""Whether Python threads run while the engine works, shown without a clock."""

import sys
import threading
import time

MOST_CALLS = 200  # of one that takes milliseconds: a busy machine may take its time to wake a thread


def runs_beside(call):
    """Whether another thread runs during call(). Threads are kept from taking turns by themselves, so it can run there
    only if the call lets go of the interpreter."""
    inside, seen, done = False, threading.Event(), threading.Event()

    def watch():
        while not done.is_set():
            if inside:
                seen.set()
            time.sleep(0)  # lets go of the interpreter

    interval = sys.getswitchinterval()
    sys.setswitchinterval(1000)
    watcher = threading.Thread(target=watch)
    watcher.start()
    try:
        for _ in range(MOST_CALLS):
            inside = True
            call()
            inside = False
            if seen.is_set():
                break
            time.sleep(0.001)
    finally:
        done.set()
        sys.setswitchinterval(interval)
        watcher.join()
    return seen.is_set()


def holds_the_interpreter():
    """A call that does not let go of it, for as long as a call of the engine takes."""
    sum(range(300_000))
