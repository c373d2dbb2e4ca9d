"""Values of options that the program does not know: what is told, and when a suggestion is made."""

import re

import pytest

from cli_models import write_models
from cli_support import run


@pytest.fixture
def folder(tmp_path):
    write_models(tmp_path)
    (tmp_path / "in.csv").write_text("0,0,0,1,0,0,0\n")
    return tmp_path


STATE = ["state", "in.csv", "--from", "mujoco", "--to", "newton"]

# option with a word from a list, something wrong, the words it takes
LISTS = [
    (["sim", "pendulum.xml"], "--solver", "foo", ["pgs", "cg", "newton", "sap"]),
    (["sim", "pendulum.xml"], "--integrator", "foo", ["euler", "rk4", "implicit", "implicitfast", "rkmk4"]),
    (["rollout", "pendulum.xml"], "--solver", "foo", ["pgs", "cg", "newton", "sap"]),
    (["bench", "pendulum.xml"], "--integrator", "7", ["euler", "rk4", "implicit", "implicitfast", "rkmk4"]),
    (["bench", "pendulum.xml"], "--isa", "mmx", ["baseline", "avx2", "avx512"]),
    (["inspect", "pendulum.xml"], "--tables", "foo", ["bodies", "joints", "actuators", "sensors"]),
    (["sim", "pendulum.xml"], "--ignore", "foo", ["contact", "equality", "all"]),
    (STATE, "--time", "last", ["first", "none"]),
]


@pytest.mark.parametrize("command, option, word, choices", LISTS)
def test_an_unknown_word_is_named_with_the_choices_and_a_way_to_help(folder, command, option, word, choices):
    result = run(*command, option, word, cwd=folder, code=2)
    first, second = result.stderr.splitlines()
    assert re.match(rf"error: {option}: unknown [a-z ]+ '{word}'; choose ", first), first
    assert all(re.search(rf"\b{choice}\b", first) for choice in choices) and " or " in first
    assert second == f"try: torsor {command[0]} --help"
    assert "did you mean" not in first and not result.stdout


@pytest.mark.parametrize(
    "option, word, meant",
    [("--solver", "newtno", "newton"), ("--solver", "NEWTN", "newton"), ("--integrator", "implict", "implicit"),
     ("--integrator", "rk5", "rk4"), ("--integrator", "implicitfsat", "implicitfast"), ("--ignore", "contcat", "contact")],
)
def test_a_mistyped_word_suggests_the_nearest(folder, option, word, meant):
    assert f"(did you mean '{meant}'?)" in run("sim", "pendulum.xml", option, word, cwd=folder, code=2).stderr


@pytest.mark.parametrize("word", ["NEWTON", "Newton"])
def test_words_may_be_in_upper_case(folder, word):
    run("sim", "pendulum.xml", "--steps", 1, "--solver", word, "--integrator", "RK4", cwd=folder)


@pytest.mark.parametrize(
    "arguments, told",
    [
        (["sim", "pendulum.xml", "--steps", "1.5"], "--steps: '1.5' is not a whole number"),
        (["sim", "pendulum.xml", "--steps", "many"], "--steps: 'many' is not a whole number"),
        (["rollout", "pendulum.xml", "--seed", "-1"], "--seed: '-1' is not a whole number"),
        (["rollout", "pendulum.xml", "--count", "2.5"], "--count: '2.5' is not a whole number"),
        (["bench", "pendulum.xml", "--rounds", "0"], "--rounds: '0' is not a whole number"),
        (["detect", "in.csv", "--smallest-offset", "0"], "--smallest-offset: '0' is not a number above 0"),
        (["detect", "in.csv", "--com", "1,2,nan"], "--com: 'nan' is not a number"),
        ([*STATE, "--com", "1", "2", "x"], "--com: 'x' is not a number"),
        (["sim", "pendulum.xml", "--csv"], "--csv needs a value"),
        (["sim", "pendulum.xml", "--steps", "1", "--duration", "1"], "cannot be used together"),
    ],
)
def test_other_wrong_values_are_explained_in_the_same_way(folder, arguments, told):
    result = run(*arguments, cwd=folder, code=2)
    assert result.stderr.startswith("error: ") and told in result.stderr
    assert f"\ntry: torsor {arguments[0]} --help\n" in result.stderr


@pytest.mark.parametrize(
    "arguments",
    [["conventions", "show", "foo"], ["conventions", "diff", "mujoco", "xyz"], ["foo"], ["sim", "pendulum.xml", "--foo"],
     ["sim", "pendulum.xml", "--keyframe", "foo"], ["state", "in.csv", "--from", "foo", "--to", "newton"],
     ["inspect", "pendulum.xml", "--cvs"]],
)
def test_nothing_is_suggested_where_nothing_is_near(folder, arguments):
    result = run(*arguments, cwd=folder, code=None)
    assert result.returncode in (1, 2) and result.stderr.startswith("error: ")
    assert "did you mean" not in result.stderr
