"""Ctrl-C ends long calls early, with the state after a whole number of steps.

A process of its own starts a call that would take hours and gets SIGINT while it runs. Nothing here depends on how fast
the machine is: the process says how far it came, and that is compared with the same number of steps taken one by one.
"""

import os
import subprocess
import sys
import textwrap

import pytest

HANG_S = 120  # a guard against waiting forever, not a measurement

BEGINNING = """
import os, signal, sys, threading, time
import numpy as np
import torsor

MODEL = '''
<mujoco>
  <worldbody>
    <geom type="plane" size="5 5 1"/>
    <body pos="0 0 0.5"><freejoint/><geom size="0.1"/></body>
    <body pos="0 0 1"><joint name="hinge" axis="0 1 0"/><geom size="0.1" pos="0.3 0 0"/></body>
  </worldbody>
</mujoco>'''
FREE = MODEL.replace('<geom type="plane" size="5 5 1"/>', "").replace("<geom ", '<geom contype="0" ')
model = torsor.Model.from_xml_string(MODEL)
data = torsor.Data(model)

def interrupt_when(is_running):
    # sends SIGINT to this process once the call has certainly begun
    def wait():
        while not is_running():
            time.sleep(0.01)
        os.kill(os.getpid(), signal.SIGINT)
    threading.Thread(target=wait, daemon=True).start()

def taken(time):
    return int(round(time / model.opt.timestep))
"""


def run(script):
    environment = dict(os.environ, PYTHONPATH=os.pathsep.join(sys.path))
    result = subprocess.run([sys.executable, "-c", BEGINNING + textwrap.dedent(script)], env=environment,
                            capture_output=True, text=True, timeout=HANG_S)
    assert result.returncode == 0 and result.stdout.strip() == "good", (result.returncode, result.stdout, result.stderr)


class TestCtrlC:
    def test_step_ends_after_a_whole_step(self):
        run("""
            data.qvel[0] = 0.3
            begin = torsor.get_state(model, data)
            interrupt_when(lambda: data.time > 0.1)
            try:
                torsor.step(model, data, 10**9)
            except KeyboardInterrupt:
                steps = taken(data.time)
                twin = torsor.Data(model)
                torsor.set_state(model, twin, begin)
                for _ in range(steps):
                    torsor.step(model, twin)
                same = torsor.get_state(model, twin).tobytes() == torsor.get_state(model, data).tobytes()
                if 0 < steps < 10**9 and same and torsor.step(model, data) == torsor.Status.OK:
                    print("good")
            """)

    def test_step_with_a_callback_ends_after_a_whole_step(self):
        run("""
            calls = []
            data.on_warning = lambda *arguments: None   # never called: the loop itself must look for signals
            interrupt_when(lambda: data.time > 0.1)
            try:
                torsor.step(model, data, 10**9)
            except KeyboardInterrupt:
                whole = abs(data.time / model.opt.timestep - taken(data.time)) < 1e-6
                if whole and 0 < taken(data.time) < 10**9:
                    print("good")
            """)

    @pytest.mark.parametrize("threads", [1, 2])
    @pytest.mark.parametrize("kind", ["MODEL", "FREE"])
    def test_a_batch_ends_with_all_worlds_at_the_same_step(self, kind, threads):
        run(f"""
            world = torsor.Model.from_xml_string({kind})
            batch = torsor.Batch(world, 19)
            begun = threading.Event()
            def begin():
                begun.wait()
                time.sleep(0.2)
                os.kill(os.getpid(), signal.SIGINT)
            threading.Thread(target=begin, daemon=True).start()
            begun.set()
            try:
                batch.step(10**9, nthread={threads})
            except KeyboardInterrupt:
                steps = taken(batch.get("time")[0])
                twin = torsor.Batch(world, 19)
                twin.step(steps)
                same = all(twin.get(name).tobytes() == batch.get(name).tobytes() for name in ("time", "qpos", "qvel"))
                if 0 < steps < 10**9 and same:
                    print("good")
            """)

    def test_a_single_slow_step_of_a_batch_ends_early_too(self):
        run("""
            batch = torsor.Batch(model, 400_000)   # one step of all worlds takes a good while
            running, signalled = False, []
            interrupt_when(lambda: running)
            signal.signal(signal.SIGINT, lambda *_: (signalled.append(0), (_ for _ in ()).throw(KeyboardInterrupt)))
            running = True
            try:
                batch.step(1000)
            except KeyboardInterrupt:
                times = batch.get("time")
                steps = np.round(times / model.opt.timestep)
                if signalled and steps.max() - steps.min() <= 1 and steps.max() < 1000:
                    print("good")
            """)

    @pytest.mark.parametrize("threads", [1, 3])
    def test_a_rollout_hands_over_what_it_computed(self, threads):
        run(f"""
            nstep = 400_000
            initial = np.tile(torsor.get_state(model, data, torsor.StateBit.FULLPHYSICS), (5, 1))
            initial[:, 1] = np.arange(5) * 0.1
            states = np.full((5, nstep, initial.shape[1]), -7.0)
            interrupt_when(lambda: states[0, 5, 0] != -7)
            try:
                torsor.rollout(model, initial, nstep=nstep, nthread={threads}, states=states)
            except KeyboardInterrupt as error:
                partial = error.partial
                good = partial.states is states and 0 < partial.steps.sum() < 5 * nstep
                for i, steps in enumerate(partial.steps):
                    good = good and (states[i, steps:] == -7).all() and (states[i, :steps, 0] > 0).all()
                    few = min(int(steps), 50)
                    alone, _ = torsor.rollout(model, initial[i], nstep=few)
                    good = good and np.array_equal(alone[0], states[i, :few])
                if good:
                    print("good")
            """)

    def test_derivatives_end_and_leave_the_data(self):
        run("""
            bodies = "".join(f'<body pos="{i} 0 1"><freejoint/><geom size="0.1"/></body>' for i in range(300))
            big = torsor.Model.from_xml_string(f"<mujoco><worldbody>{bodies}</worldbody></mujoco>")
            world = torsor.Data(big)
            before = torsor.get_state(big, world).tobytes()
            calls = []
            def tell(signum, frame):
                calls.append(0)
                raise KeyboardInterrupt
            signal.signal(signal.SIGINT, tell)
            timer = threading.Timer(0.3, lambda: os.kill(os.getpid(), signal.SIGINT))
            timer.start()
            try:
                while True:
                    torsor.transition_derivatives(big, world)
                    inside = False
            except KeyboardInterrupt:
                if calls and torsor.get_state(big, world).tobytes() == before:
                    print("good")
            """)

    def test_a_signal_handler_may_read_the_data_and_go_on(self):
        run("""
            seen = []
            def look(signum, frame):
                seen.append((data.ncon, data.contact.dist.shape, data.efc_J.size))
            signal.signal(signal.SIGINT, look)
            interrupt_when(lambda: data.time > 0.05)
            def stop():
                while not seen:
                    time.sleep(0.01)
                signal.pthread_kill(threading.main_thread().ident, signal.SIGTERM)
            def end(signum, frame):
                raise KeyboardInterrupt
            signal.signal(signal.SIGTERM, end)
            threading.Thread(target=stop, daemon=True).start()
            try:
                torsor.step(model, data, 10**9)
            except KeyboardInterrupt:
                if len(seen) == 1:
                    print("good")
            """)


def test_what_progress_raises_carries_the_results_so_far(model, data):
    import numpy as np
    import torsor

    def give_up(done, total):
        raise TimeoutError("too slow")

    initial = torsor.get_state(model, data, torsor.StateBit.FULLPHYSICS)
    with pytest.raises(TimeoutError) as raised:
        torsor.rollout(model, initial, nstep=20, progress=give_up)
    states, sensordata, steps = raised.value.partial
    assert states.shape == (1, 20, 5) and steps.shape == (1,)
    whole, _ = torsor.rollout(model, initial, nstep=20)
    assert np.array_equal(states[0, :steps[0]], whole[0, :steps[0]])
