"""Level L6: after 200 steps from the same state, position and velocity equal MuJoCo's, for every integrator."""

import pytest

import compare
import failing
import runs
import scenes
import sections
import smooth

STARTS = 4
MANY_DOFS = 600  # of collected models that only long runs take: a hundred humanoids
RANDOM_MODELS = scenes.RANDOM_MODELS // 5


def check_runs(judge, subject, load, method, seed, title, judged):
    pair = smooth.Pair(judge, subject, load)
    found, judgement = runs.compare_runs(
        judge, subject, pair, method, smooth.fewer_if_large(STARTS, pair.judge_model), seed)
    judgement.add_to(judged)  # none is a failure: MuJoCo's own run is chaotic from every state
    assert not found, compare.report(found, f"{title}, {method}")


@pytest.mark.parametrize("method", runs.METHODS)
def test_feature_model_runs_alike(judge, subject, seed, feature, method, judged):
    check_runs(judge, subject, lambda engine: engine.load_file(feature), method, seed, feature.name, judged)


@pytest.mark.parametrize("start", scenes.batches(RANDOM_MODELS))
@pytest.mark.parametrize("method", runs.METHODS)
def test_random_models_run_alike(judge, subject, seed, start, method, judged):
    def find(text):
        pair = smooth.Pair(judge, subject, lambda engine: engine.load_string(text))
        found, judgement = runs.compare_runs(judge, subject, pair, method, 1, seed)
        judgement.add_to(judged)
        return found

    failing.check_random(range(seed + start, seed + start + scenes.BATCH), scenes.random_text, find)


@pytest.mark.large_models_are_long(MANY_DOFS)
@pytest.mark.parametrize("method", runs.METHODS)
def test_collected_model_runs_alike(judge, subject, seed, collected, method, judged):
    check_runs(judge, subject, lambda engine: engine.load_file(collected, sections.LATER_SECTIONS), method, seed,
               collected.name, judged)
