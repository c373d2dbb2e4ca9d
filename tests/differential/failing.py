"""Turns a failing random model into a report with a seed and a minimal model."""

import torsor

import compare
import shrinker


def check_random(seeds, text_of, find_differences):
    """Fails on the first seed whose model shows differences, with the model shrunk to what matters."""
    for seed in seeds:
        text = text_of(seed)
        found = find_differences(text)
        if not found:
            continue
        fields = {difference.field for difference in found}
        small = shrinker.shrink(text, lambda candidate: bool(_fields(find_differences, candidate) & fields))
        raise AssertionError(
            compare.report(found, f"random model of seed {seed}") + "\n"
            + compare.report(find_differences(small), "the same, minimal") + "\n" + small)


def _fields(find_differences, text):
    """What differs for a model; nothing if an engine refuses what is left of it."""
    try:
        return {difference.field for difference in find_differences(text)}
    except (torsor.Error, ValueError):
        return set()
