"""Our scenes load in both engines, and end alike."""

import numpy as np
import pytest

import scenes
import solutions

SCENES = sorted((scenes.ROOT / "models" / "scenes").glob("*.xml"))
STEPS = 50


@pytest.mark.parametrize("path", SCENES, ids=scenes.feature_id)
def test_scene_has_the_same_rows_and_solution_along_its_way(judge, subject, seed, path, judged):
    duel = solutions.Duel(judge, subject, lambda engine: engine.load_file(path))
    way = judge.make_data(duel.theirs)
    if duel.theirs.nkey:
        judge.reset_keyframe(duel.theirs, way, 0)
    start = {name: np.array(getattr(way, name)) for name in ("qpos", "qvel", "qacc_warmstart")} | {"time": 0.0}

    def next_state(rng, index):
        judge.step(duel.theirs, way, STEPS)
        return start | {name: np.array(getattr(way, name)) for name in start if name != "time"}

    duel.draw = next_state
    judgement = duel.run(20, seed)
    judgement.add_to(judged)
    assert not judgement.failures, judgement.report(path.name)
