"""Bad input gives one clear error with a place and a hint, several mistakes at once, and never a crash."""

import random
import subprocess
import sys

import pytest

import bad_models
import scenes
import sections

SECTIONS = {
    "contact": "<contact><exclude body1='arm' body2='arm'/></contact>",
    "equality": "<equality><connect body1='arm' anchor='0 0 0'/></equality>",
    "tendon": "<tendon><fixed><joint joint='turn' coef='1'/></fixed></tendon>",
    "actuator": "<actuator><motor joint='turn'/></actuator>",
    "sensor": "<sensor><clock/></sensor>",
    "deformable": "<deformable/>",
    "extension": "<extension/>",
}
LATER_ELEMENTS = ("composite", "flexcomp", "attach", "plugin")
CAPSULE = "<body name='arm'><joint name='turn'/><geom type='capsule' size='0.1 0.2'/></body>"


def model_with(section="", inside=""):
    return f"<mujoco>\n{section}\n<worldbody>\n{inside}{CAPSULE}\n</worldbody>\n</mujoco>"


def refusal(subject, text, **options):
    """The diagnostics of a refused model."""
    with pytest.raises(subject.Error) as caught:
        subject.load_string(text, **options)
    return caught.value


@pytest.mark.parametrize("bad", bad_models.ALL, ids=lambda bad: bad.name)
def test_a_mistake_is_named_with_its_line(subject, bad):
    error = refusal(subject, bad.text, assets=bad.assets)
    said = [f"{diagnostic.message} {diagnostic.hint}".lower() for diagnostic in error.diagnostics]
    lines = [diagnostic.line for diagnostic in error.diagnostics]
    fitting = [line for line, text in zip(lines, said) if all(word.lower() in text for word in bad.words)]
    assert fitting, f"no message speaks of {bad.words}: {error}"
    assert not bad.line or bad.line in fitting, f"expected line {bad.line}: {error}"


@pytest.mark.parametrize("bad", [bad for bad in bad_models.ALL if bad.judge_refuses], ids=lambda bad: bad.name)
def test_the_judge_refuses_it_too(judge, bad):
    """Nothing is called a mistake here that MuJoCo takes, except where the list says so."""
    with pytest.raises(judge.Error):
        judge.load_string(bad.text, bad.assets)


@pytest.mark.parametrize("section", SECTIONS)
def test_a_section_that_comes_later_is_refused_by_name_or_left_out_on_request(subject, section):
    text = model_with(SECTIONS[section])
    error = refusal(subject, text)
    assert any(section in diagnostic.message and diagnostic.line == 2 for diagnostic in error.diagnostics), str(error)
    assert subject.load_string(text, ignore=[section]).nv == 1


@pytest.mark.parametrize("element", LATER_ELEMENTS)
def test_an_element_that_comes_later_is_refused_by_name(subject, element):
    error = refusal(subject, model_with(inside=f"<body>\n<{element}/>\n</body>"))
    assert any(element in diagnostic.message and diagnostic.line == 5 for diagnostic in error.diagnostics), str(error)


def test_an_unknown_section_to_ignore_is_an_error_that_lists_the_known_ones(subject):
    error = refusal(subject, model_with(), ignore=["tendons"])
    assert all(section in str(error) for section in sections.LATER_SECTIONS)


def test_defaults_and_keyframes_of_ignored_sections_are_left_out_with_them(subject):
    defaults = "<default><motor ctrlrange='-1 1'/><tendon width='0.1'/></default>"
    text = model_with(defaults + SECTIONS["actuator"] + "<keyframe><key qpos='0.3' ctrl='0.5'/></keyframe>")
    model = subject.load_string(text, ignore=["actuator", "tendon"])
    assert model.nkey == 1 and model.key_qpos[0, 0] == 0.3 and model.nu == 0


def test_several_mistakes_are_reported_at_once(subject):
    text = ("<mujoco>\n<option timestp='1'/>\n<worldbody>\n<geom size='x'/>\n<body>\n<joint tipe='ball'/>\n"
            "<geom size='0.1' pos='1 2'/>\n</body>\n</worldbody>\n</mujoco>")
    error = refusal(subject, text)
    assert {diagnostic.line for diagnostic in error.diagnostics} >= {2, 4, 6, 7}
    for word in ("timestp", "timestep", "tipe", "type", "pos"):
        assert word in str(error)


def test_a_mistake_in_an_included_file_names_that_file_and_its_line(subject):
    assets = {"part.xml": b"<mujocoinclude>\n<geom size='0.1'/>\n<geom sise='0.1'/>\n</mujocoinclude>"}
    error = refusal(subject, model_with(inside="<include file='part.xml'/>"), assets=assets)
    assert any("part.xml" in diagnostic.file and diagnostic.line == 3 for diagnostic in error.diagnostics), str(error)


def test_a_mistake_in_a_file_names_the_file(subject, tmp_path):
    path = tmp_path / "robot.xml"
    path.write_text("<mujoco>\n<worldbody>\n<geom sise='0.1'/>\n</worldbody>\n</mujoco>")
    with pytest.raises(subject.Error, match=r"robot\.xml:3"):
        subject.load_file(path)


def test_a_missing_file_is_named(subject):
    with pytest.raises(subject.Error, match="no_such_model.xml"):
        subject.load_file("no_such_model.xml")


HOSTILE = {
    "ten thousand nested bodies":
        "<mujoco><worldbody>" + "<body>" * 10_000 + "</body>" * 10_000 + "</worldbody></mujoco>",
    "a hundred thousand attributes": "<mujoco><option " + " ".join(f"a{i}='1'" for i in range(100_000)) + "/></mujoco>",
    "a number of a million digits": "<mujoco><option timestep='" + "1" * 1_000_000 + "'/></mujoco>",
    "control characters": "<mujoco>\x01\x02<worldbody/></mujoco>",
    "an entity bomb": "<!DOCTYPE m [<!ENTITY a 'aaaaaaaaaa'><!ENTITY b '&a;&a;&a;&a;'>]><mujoco model='&b;'/>",
    "a very long name": "<mujoco><worldbody><body name='" + "x" * 1_000_000 + "'/></worldbody></mujoco>",
}

# Runs in a process of its own, so that a crash is a failed test and not the end of all tests.
TRIAL = """
import sys
import engines
subject = engines.subject()
for text in sys.stdin.read().split(chr(0)):
    try:
        model = subject.load_string(text)
        subject.forward(model, subject.make_data(model))
    except subject.Error as error:
        assert str(error)
"""


def survive(texts):
    outcome = subprocess.run([sys.executable, "-c", TRIAL], input="\0".join(texts), text=True, capture_output=True,
                             cwd=scenes.ROOT / "tests" / "differential", timeout=300, check=False)
    assert outcome.returncode == 0, f"exit code {outcome.returncode}: {outcome.stderr[-2000:]}"


@pytest.mark.parametrize("kind", HOSTILE)
def test_hostile_text_is_loaded_or_refused_but_never_crashes(kind):
    survive([HOSTILE[kind]])


def mutate(text, rng):
    """A model text with a few accidents: lost, doubled, swapped or replaced pieces."""
    for _ in range(rng.randint(1, 4)):
        place, length = rng.randrange(len(text)), rng.randint(1, 12)
        doubled, foreign = text[place : place + length] * 2, text[rng.randrange(len(text)) :][:length]
        piece = rng.choice(["", doubled, foreign, rng.choice(["-1", "1e30", "nan", "\"", "<", ">", "0 0 0"])])
        text = text[:place] + piece + text[place + length :]
    return text


def test_damaged_models_are_loaded_or_refused_but_never_crash(seed):
    rng = random.Random(seed)
    texts = [path.read_text() for path in scenes.FEATURES]
    survive([mutate(rng.choice(texts), rng) for _ in range(1000)])
