"""Level L6 with contact: runs are chaotic, so their statistics are compared: energy, height, contacts, forces.

Both engines run from the same states. What counts is how far apart their averages over the run are, measured by how far
MuJoCo's own runs from states next to these are apart."""

import numpy as np
import pytest

import rows
import scenes
import solutions
import states
from test_rows import heap

STEPS = 200
STARTS = 4
MOST_DRAWS = 3  # states drawn for each one that counts
CROWDING = (0.5, 0.2, 0.5, 0.0)  # how near to each other free bodies start, in turns
NEIGHBOURS = 3
ALLOWED = 6.0  # times MuJoCo's own spread
FLOOR = 0.03  # of the average's own size: what a spread of few runs may miss
MOST_DOFS = 1000  # of models that are thrown together
ENABLE_ENERGY = 1 << 1
LATER = ("deformable", "extension")


# Features whose runs have contacts, but none that can be compared.
CHOSEN_POINTS = "all contacts are of pairs that keep points by choice, which test_shapes_come_to_rest_alike checks"
STATIC = "MuJoCo refuses contacts between static bodies"
RARELY = "touches rarely, and then pairs that keep points by choice"
NOTHING_TO_JUDGE = dict.fromkeys(("attach_replicated", "equality_sites", "equality_weld", "free_aligned_by_compiler",
                                  "geom_defaults", "height_field", "height_field_file", "tendon_spatial"), CHOSEN_POINTS)
NOTHING_TO_JUDGE |= {"contact_pair": STATIC, "fluid_ellipsoids": RARELY, "tendon_fixed": RARELY}
NEVER_TOUCHES = "no contact and no row in any of MuJoCo's runs: test_run.py checks such motion"
LEAST_TOUCHING = 70  # feature models that touch, from any seed


class Run:
    """Averages over a run of one engine (None if the run is lost), and what it met on the way."""

    def __init__(self, engine, model, data, state):
        self.rows, self.pairs, self.averages, self.is_refused = 0, set(), None, False
        engine.reset(model, data)
        states.apply(data, state)
        sums = np.zeros(6)
        for _ in range(STEPS):
            try:
                engine.step(model, data)
            except engine.Error:  # MuJoCo gives up on contacts between static bodies
                self.is_refused = True
                return
            self.rows = max(self.rows, int(data.nefc))
            if data.ncon:
                self.pairs.update(map(tuple, np.array(model.geom_type)[np.array(data.contact.geom)].tolist()))
            speed = float(np.sum(np.square(data.qvel)))
            sums += (data.energy[0], data.energy[1], np.mean(np.array(data.xipos)[:, 2]), data.ncon, data.nefc, speed)
        if not any(warning.number for warning in data.warning):
            self.averages = sums / STEPS

    def touches(self):
        return self.rows > 0 or bool(self.pairs) or self.is_refused


def draw(model, rng, index):
    """A state with bodies near each other, at moderate speed."""
    state = states.random_state(model, rng)
    # a hundred robots thrown into one place take MuJoCo minutes a step: they fall from where the file has them
    is_large = model.nv > MOST_DOFS
    share = CROWDING[index % len(CROWDING)]
    state = {**state, "qpos": np.array(model.qpos0)} if is_large else solutions.crowded(model, state, share)
    state["qvel"], state["xfrc_applied"] = 0.2 * state["qvel"], 0 * state["xfrc_applied"]
    return state


def excess(result, expected, neighbours):
    """The averages that are too far from MuJoCo's, by name."""
    spread = np.max(np.abs(np.array(neighbours) - expected), axis=0)
    allowed = ALLOWED * spread + FLOOR * np.abs(expected) + 1e-6
    names = ("potential energy", "kinetic energy", "height", "contacts", "rows", "squared speed")
    return [f"{name} {result[i]:.6g} instead of {expected[i]:.6g} +- {spread[i]:.2g}"
            for i, name in enumerate(names) if abs(result[i] - expected[i]) > allowed[i]]


def compare_runs(judge, subject, load, seed, judged, prepare=lambda model: None):
    """What differs in the runs that count: MuJoCo's run touches something, is not lost, and meets no pairs that keep
    points by choice, which make other impacts. Says whether any of MuJoCo's runs touches."""
    theirs, mine = load(judge), load(subject)
    for model in (theirs, mine):
        prepare(model)
        model.opt.enableflags |= ENABLE_ENERGY
    their_data, my_data = judge.make_data(theirs), subject.make_data(mine)
    rng, found, touched = np.random.default_rng(seed), [], False
    for index in range(MOST_DRAWS * STARTS):
        if judged.cases == STARTS or (index == STARTS and not touched):
            break
        state = draw(theirs, rng, index)
        expected = Run(judge, theirs, their_data, state)
        touched |= expected.touches()
        if expected.averages is None or not expected.touches() or not expected.pairs <= rows.ANALYTIC:
            judged.screen()
            continue
        runs = [Run(judge, theirs, their_data, states.perturbed(state, rng, 1e-6)) for _ in range(NEIGHBOURS)]
        result = Run(subject, mine, my_data, state)
        if any(run.averages is None for run in runs) or not result.pairs <= rows.ANALYTIC:
            judged.screen()
            continue
        judged()
        lines = (["lost, where MuJoCo is not"] if result.averages is None else
                 excess(result.averages, expected.averages, [run.averages for run in runs]))
        found += [f"start {index}: {line}" for line in lines]
    return found, touched


def test_feature_model_has_the_same_statistics(judge, subject, seed, feature, judged):
    found, touched = compare_runs(judge, subject, lambda engine: engine.load_file(feature), seed, judged)
    judged.expect_nothing(NOTHING_TO_JUDGE.get(feature.stem) if touched else NEVER_TOUCHES)
    assert not found, f"{feature.name}:\n" + "\n".join(found)


def test_enough_feature_models_touch(judge, seed):
    """Those of which test_feature_model_has_the_same_statistics compares something."""
    touching = set()
    for path in scenes.FEATURES:
        model, rng = judge.load_file(path), np.random.default_rng(seed)
        model.opt.enableflags |= ENABLE_ENERGY
        if any(Run(judge, model, judge.make_data(model), draw(model, rng, i)).touches() for i in range(2)):
            touching.add(path.stem)
    assert len(touching - NOTHING_TO_JUDGE.keys()) >= LEAST_TOUCHING


def search_whole_lines(model):
    """A line search that is cut off ends elsewhere in each engine."""
    model.opt.ls_iterations = max(50, model.opt.ls_iterations)


@pytest.mark.long
def test_collected_model_has_the_same_statistics(judge, subject, seed, collected, judged):
    found, touched = compare_runs(
        judge, subject, lambda engine: engine.load_file(collected, LATER), seed, judged, search_whole_lines)
    if not judged.cases:
        judged.expect_nothing(CHOSEN_POINTS if touched else NEVER_TOUCHES)
    assert not found, f"{collected.name}:\n" + "\n".join(found)


@pytest.mark.parametrize("cone", (0, 1))
def test_heaps_have_the_same_statistics(judge, subject, seed, cone, judged):
    def prepare(model):
        model.opt.cone = cone

    found, _ = compare_runs(judge, subject, lambda engine: engine.load_string(heap(8)), seed, judged, prepare)
    assert not found, "\n".join(found)


def test_the_statistics_see_another_friction(judge, seed):
    """Half the friction in one of two engines shows."""
    text = ('<mujoco><worldbody><geom type="plane" size="9 9 1"/><body pos="0 0 0.1"><freejoint/>'
            '<geom type="box" size="0.2 0.2 0.1"/></body></worldbody></mujoco>')
    models = [judge.load_string(text) for _ in range(2)]
    models[1].geom_friction[:, 0] *= 0.5
    state = {"time": 0.0, "qvel": np.array([3.0, 0, 0, 0, 0, 0])}
    first, second = (Run(judge, model, judge.make_data(model), state).averages for model in models)
    assert abs(first[5] - second[5]) > FLOOR * first[5]


GROUNDS = {
    "plane": 'type="plane" size="9 9 1"',
    "box": 'type="box" size="2 2 0.5" pos="0 0 -0.5"',
    "cylinder": 'type="cylinder" size="2 0.5" pos="0 0 -0.5"',
    "mesh": 'type="mesh" mesh="slab"',
    "hfield": 'type="hfield" hfield="flat"',
}
RESTING = {  # lowest points 0.01 above the ground
    "sphere": ('type="sphere" size="0.2"', 0.21),
    "capsule": ('type="capsule" size="0.1 0.2" euler="90 0 0"', 0.11),
    "ellipsoid": ('type="ellipsoid" size="0.2 0.3 0.1"', 0.11),
    "cylinder": ('type="cylinder" size="0.2 0.1"', 0.11),
    "box": ('type="box" size="0.2 0.3 0.1"', 0.11),
    "mesh": ('type="mesh" mesh="brick"', 0.11),
}
CORNERS = " ".join(f"{x} {y} {z}" for x in (-1, 1) for y in (-1, 1) for z in (-1, 1))


@pytest.mark.parametrize("ground", GROUNDS)
@pytest.mark.parametrize("shape", RESTING)
def test_shapes_come_to_rest_alike(judge, subject, shape, ground):
    """After a second the ground carries the weight, and the height is MuJoCo's: for pairs whose points are anyone's
    choice too."""
    geom, height = RESTING[shape]
    text = f"""<mujoco><asset><mesh name="slab" vertex="{CORNERS}" scale="2 2 0.5" refpos="0 0 1"/>
      <mesh name="brick" vertex="{CORNERS}" scale="0.2 0.3 0.1"/>
      <hfield name="flat" nrow="9" ncol="9" size="2 2 0.5 0.5"/></asset><worldbody>
      <geom {GROUNDS[ground]} friction="1 0.1 0.1" condim="6"/><body pos="0.03 0.02 {height}" euler="2 -1.5 10"><freejoint/>
      <geom {geom} mass="1.5"/></body></worldbody></mujoco>"""
    rest = []
    for engine in (judge, subject):
        model = engine.load_string(text)
        data = engine.make_data(model)
        engine.step(model, data, 600)
        rest.append((float(data.qpos[2]), float(np.abs(data.qvel).max()), float(data.qfrc_constraint[2])))
    (their_height, their_speed, their_force), (height, speed, force) = rest
    weight = 1.5 * 9.81
    assert abs(height - their_height) < 2e-4, rest
    assert speed < max(0.02, 2 * their_speed), rest
    assert abs(force - weight) < max(0.02 * weight, 2 * abs(their_force - weight)), rest
