"""Level L1: every size and every array of the compiled model equals MuJoCo's."""

import pytest

import compare
import failing
import scenes
import sections
import smooth


def differences_of(judge, subject, load):
    return smooth.Pair(judge, subject, load).model_differences()


def test_feature_model_compiles_to_the_same_arrays(judge, subject, feature):
    found = differences_of(judge, subject, lambda engine: engine.load_file(feature))
    assert not found, compare.report(found, feature.name)


@pytest.mark.parametrize("start", scenes.batches(scenes.RANDOM_MODELS))
def test_random_models_compile_to_the_same_arrays(judge, subject, seed, start):
    failing.check_random(
        range(seed + start, seed + start + scenes.BATCH), scenes.random_text,
        lambda text: differences_of(judge, subject, lambda engine: engine.load_string(text)))


def test_collected_model_compiles_to_the_same_arrays(judge, subject, collected):
    found = differences_of(judge, subject, lambda engine: engine.load_file(collected, sections.LATER_SECTIONS))
    assert not found, compare.report(found, collected.name)


def test_collected_model_with_later_elements_is_refused_by_name(subject, unsupported):
    with pytest.raises(subject.Error) as caught:
        subject.load_file(unsupported, sections.LATER_SECTIONS)
    for element in scenes.refused_in(unsupported):
        assert element in str(caught.value)


def test_a_string_and_a_file_compile_to_the_same_model(subject, feature):
    """Files from memory are found before those on disk, under the names that the model uses."""
    folder = feature.parent
    assets = {str(path.relative_to(folder)): path.read_bytes() for path in folder.glob("*/*")}
    found = differences_of(subject, subject, Alternating(
        lambda engine: engine.load_file(feature), lambda engine: engine.load_string(feature.read_text(), assets)))
    assert not found, compare.report(found, feature.name)


class Alternating:
    """Loads the first side of a pair in one way and the second in another."""

    def __init__(self, *ways):
        self.ways = iter(ways)

    def __call__(self, engine):
        return next(self.ways)(engine)
