"""Level L2: at random states, everything the smooth pipeline computes equals MuJoCo's."""

import pytest

import compare
import failing
import scenes
import sections
import smooth

STATES = 40 if scenes.LONG else 10
STATES_OF_RANDOM_MODELS = 2


def check_states(judge, subject, load, count, seed, title, judged):
    pair = smooth.Pair(judge, subject, load)
    found, judgement = smooth.compare_states(judge, subject, pair, count, seed)
    judgement.add_to(judged)
    assert not found, compare.report(found, title)
    assert judgement.enough(), f"{title}: screening left only {judgement.judged} of the comparisons"


def test_feature_model_moves_alike_in_every_state(judge, subject, seed, feature, judged):
    check_states(judge, subject, lambda engine: engine.load_file(feature), STATES, seed, feature.name, judged)


@pytest.mark.parametrize("start", scenes.batches(scenes.RANDOM_MODELS))
def test_random_models_move_alike(judge, subject, seed, start, judged):
    def find(text):
        pair = smooth.Pair(judge, subject, lambda engine: engine.load_string(text))
        found, judgement = smooth.compare_states(judge, subject, pair, STATES_OF_RANDOM_MODELS, seed)
        judgement.add_to(judged)
        return found

    failing.check_random(range(seed + start, seed + start + scenes.BATCH), scenes.random_text, find)


def test_collected_model_moves_alike_in_every_state(judge, subject, seed, collected, judged):
    check_states(judge, subject, lambda engine: engine.load_file(collected, sections.LATER_SECTIONS), STATES, seed,
                 collected.name, judged)
