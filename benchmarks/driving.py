"""The same smooth controls for both engines."""

import numpy as np

STEPS_PER_CONTROL = 20  # a controller slower than the simulation, as is usual


def smooth_controls(model, count=100):
    """Controls over time, one row per change: sines of random speed through most of the range."""
    random = np.random.default_rng(2)
    low, high = np.where(model.actuator_ctrllimited[:, None], model.actuator_ctrlrange, [-1.0, 1.0]).T
    phase, turns = random.uniform(0, 2 * np.pi, model.nu), random.integers(1, 6, model.nu)
    wave = np.sin(phase + 2 * np.pi * turns * np.arange(count)[:, None] / count)
    return low + (high - low) * (0.5 + 0.4 * wave)


def run(engine, model, data, controls, steps):
    """Many steps in one call where nothing drives, so that the cost of the call itself vanishes."""
    if not model.nu:
        engine.step(model, data, steps)
        return
    ctrl = data.ctrl
    for number, done in enumerate(range(0, steps, STEPS_PER_CONTROL)):
        ctrl[:] = controls[number % len(controls)]
        engine.step(model, data, min(STEPS_PER_CONTROL, steps - done))
