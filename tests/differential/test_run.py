"""Level L6: after 200 steps from the same state, position and velocity equal the judge's, for every integrator."""

import pytest

import compare
import failing
import runs
import scenes
import sections
import smooth

STARTS = 4
RANDOM_MODELS = scenes.RANDOM_MODELS // 5


def check_runs(judge, subject, load, method, seed, title):
    pair = smooth.Pair(judge, subject, load)
    found, judgement = runs.compare_runs(
        judge, subject, pair, method, smooth.fewer_if_large(STARTS, pair.judge_model), seed)
    assert not found, compare.report(found, f"{title}, {method}")
    assert judgement.judged, f"{title}, {method}: the judge's own run is chaotic from every state"


@pytest.mark.parametrize("method", runs.METHODS)
def test_feature_model_runs_alike(judge, subject, seed, feature, method):
    check_runs(judge, subject, lambda engine: engine.load_file(feature), method, seed, feature.name)


@pytest.mark.parametrize("start", scenes.batches(RANDOM_MODELS))
@pytest.mark.parametrize("method", runs.METHODS)
def test_random_models_run_alike(judge, subject, seed, start, method):
    def find(text):
        pair = smooth.Pair(judge, subject, lambda engine: engine.load_string(text))
        return runs.compare_runs(judge, subject, pair, method, 1, seed)[0]

    failing.check_random(range(seed + start, seed + start + scenes.BATCH), scenes.random_text, find)


@pytest.mark.parametrize("method", runs.METHODS)
def test_collected_model_runs_alike(judge, subject, seed, collected, method):
    check_runs(judge, subject, lambda engine: engine.load_file(collected, sections.LATER_SECTIONS), method, seed,
               collected.name)
