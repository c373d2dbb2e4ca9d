"""Writes constraint problems of a robot in motion to a file that torsor_bench_wide_solver reads.

    python benchmarks/wide_problems.py MODEL.xml OUT.bin [--states 512] [--seed 1] [--cone elliptic]

Episodes start at the model's initial posture (or a keyframe), lifted and disturbed; smooth random controls drive the joints
while the robot falls and moves on the ground. Of each episode, states at random times are kept, whatever their number of
rows. A state is what the solver sees in the middle of a step: the warm start of the step before, the rows of now.

File, little endian: int32 magic, n, states, rows (the most of a state); float64 scale (1 / (mean inertia * n)); int32
dof_parent[n]; then arrays over all states: int32 rows, equality rows, friction rows; float64 M[n n], a_smooth[n], warm[n],
converged[n]; padded to the most rows: float64 J[n], D, aref, frictionloss, mu, friction[5], and int32 type (MuJoCo's
numbers), dim (of the contact that begins with this row, else 0).
"""

import argparse

import numpy as np
import torsor

MAGIC = 0x57494432


def episode(model, data, rng, keep, length, warmup, filter_time=0.05):
    """Yields the warm start at `keep` random times, with the data after forward()."""
    torsor.reset_data(model, data)
    if model.nkey:
        torsor.reset_data_keyframe(model, data, int(rng.integers(model.nkey)))
    data.qpos[2] += rng.uniform(0, 0.3)
    data.qvel[:] = rng.normal(0, 0.5, model.nv)
    low, high = model.actuator_ctrlrange[:, 0], model.actuator_ctrlrange[:, 1]
    middle = np.array(data.ctrl) if model.nkey else 0.5 * (low + high)
    span = np.minimum(0.5 * (high - low), 1.0)
    signal = np.zeros(model.nu)
    fade = model.opt.timestep / filter_time
    times = set(rng.choice(np.arange(warmup, length), keep, replace=False).tolist())
    for t in range(length):
        signal += -fade * signal + np.sqrt(2 * fade) * 0.3 * rng.normal(size=model.nu)
        data.ctrl[:] = np.clip(middle + span * signal, low, high)
        if t in times:
            warm = np.array(data.qacc_warmstart)
            torsor.forward(model, data)
            yield warm
            data.qacc_warmstart[:] = warm
        torsor.step(model, data)


def problem(model, data, warm):
    """One state's arrays."""
    n, m = model.nv, data.nefc
    type_ = np.array(data.efc_type)
    dim, mu, friction = np.zeros(m, np.int32), np.zeros(m), np.zeros((m, 5))
    for i in range(data.ncon):
        contact = data.contact[i]
        row = contact.efc_address
        if row >= 0 and contact.dim > 1:
            dim[row], mu[row], friction[row] = contact.dim, contact.mu, contact.friction
    found = dict(m=m, equality=int(np.sum(type_ == 0)), loss_rows=int(np.sum((type_ == 1) | (type_ == 2))),
                 M=np.array(torsor.full_m(model, data)).reshape(n, n), a_smooth=np.array(data.qacc_smooth), warm=warm,
                 J=np.array(data.efc_J).reshape(m, n), D=np.array(data.efc_D), aref=np.array(data.efc_aref),
                 loss=np.array(data.efc_frictionloss), mu=mu, friction=friction, type=type_, dim=dim)
    tolerance = model.opt.tolerance
    model.opt.tolerance = 0  # to rounding
    data.qacc_warmstart[:] = data.qacc
    torsor.fwd_constraint(model, data)
    found["converged"] = np.array(data.qacc)
    model.opt.tolerance = tolerance
    return found


def write(path, model, found):
    states, most = len(found), max(state["m"] for state in found)

    def padded(key, *width):
        a = np.zeros((states, most, *width))
        for i, state in enumerate(found):
            a[i, : state["m"]] = state[key]
        return a

    with open(path, "wb") as f:
        np.array([MAGIC, model.nv, states, most], np.int32).tofile(f)
        np.array([1 / (model.stat.meaninertia * model.nv)]).tofile(f)
        np.array(model.dof_parentid, np.int32).tofile(f)
        for key in ("m", "equality", "loss_rows"):
            np.array([state[key] for state in found], np.int32).tofile(f)
        for key in ("M", "a_smooth", "warm", "converged"):
            np.array([state[key] for state in found]).tofile(f)
        padded("J", model.nv).tofile(f)
        for key in ("D", "aref", "loss", "mu"):
            padded(key).tofile(f)
        padded("friction", 5).tofile(f)
        for key in ("type", "dim"):
            padded(key).astype(np.int32).tofile(f)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("model")
    parser.add_argument("out")
    parser.add_argument("--states", type=int, default=512)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--cone", choices=("pyramidal", "elliptic"))
    arguments = parser.parse_args()
    rng = np.random.default_rng(arguments.seed)
    model = torsor.Model.from_xml_path(arguments.model)
    if arguments.cone:
        model.opt.cone = int(arguments.cone == "elliptic")
    model.opt.jacobian = 0  # dense
    data = torsor.Data(model)
    length, warmup = int(3.0 / model.opt.timestep), int(0.4 / model.opt.timestep)
    found = []
    while len(found) < arguments.states:
        found += [problem(model, data, warm) for warm in episode(model, data, rng, 8, length, warmup) if data.nefc]
    found = [found[i] for i in rng.permutation(len(found))[: arguments.states]]
    write(arguments.out, model, found)
    rows = np.array([state["m"] for state in found])
    print(f"{arguments.out}: {model.nv} dofs, {len(found)} states, {rows.mean():.1f} rows, at most {rows.max()}")


if __name__ == "__main__":
    main()
