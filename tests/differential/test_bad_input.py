"""Bad input gives one clear error with a place and a hint, several mistakes at once, and never a crash."""

import random

import pytest

import bad_models
import load_process
import scenes
import sections

SECTIONS = {
    "deformable": "<deformable><flex/></deformable>",
    "extension": "<extension/>",
}
SUPPORTED_SECTIONS = {
    "contact": "<contact><exclude body1='arm' body2='world'/></contact><sensor><contact body1='arm'/></sensor>",
    "equality": "<equality><connect body1='arm' anchor='0 0 0'/></equality>",
    "tendon": "<tendon><fixed name='t'><joint joint='turn' coef='1'/></fixed></tendon>"
              "<equality><tendon tendon1='t'/></equality><sensor><tendonpos tendon='t'/></sensor>",
    "actuator": "<actuator><motor joint='turn'/></actuator>",
    "sensor": "<sensor><clock/></sensor>",
}
COUNTS = ("nexclude", "neq", "ntendon", "nactuator", "nsensor")
LATER_ELEMENTS = ("flexcomp", "attach", "plugin")
ACTUATOR = "<actuator><motor joint='turn'/></actuator>"
CAPSULE = "<body name='arm'><joint name='turn'/><geom type='capsule' size='0.1 0.2'/></body>"


def model_with(section="", inside=""):
    return f"<mujoco>\n{section}\n<worldbody>\n{inside}{CAPSULE}\n</worldbody>\n</mujoco>"


@pytest.fixture(scope="module")
def loader():
    process = load_process.LoadProcess()
    yield process
    process.close()


def refusal(loader, text, **options):
    """The outcome of a model that must be refused."""
    outcome = loader.load(text, **options)
    assert not outcome.crashed, outcome.text
    assert not outcome.loaded, "the model was loaded"
    assert outcome.diagnostics, "the error holds no diagnostics"
    return outcome


@pytest.mark.parametrize("bad", bad_models.ALL, ids=lambda bad: bad.name)
def test_a_mistake_is_named_with_its_line(loader, bad):
    outcome = refusal(loader, bad.text, assets=bad.assets)
    fitting = [diagnostic.line for diagnostic in outcome.diagnostics if diagnostic.says(*bad.words)]
    assert fitting, f"no message speaks of {bad.words}: {outcome.text}"
    assert not bad.line or bad.line in fitting, f"expected line {bad.line}: {outcome.text}"


@pytest.mark.parametrize("bad", [bad for bad in bad_models.ALL if bad.line], ids=lambda bad: bad.name)
def test_nothing_else_is_called_a_mistake(loader, bad):
    """Consequences of a mistake are not reported, whatever stage would find them."""
    outcome = refusal(loader, bad.text, assets=bad.assets)
    assert {diagnostic.line for diagnostic in outcome.diagnostics} <= {bad.line}, outcome.text


NOT_XML = ("unclosed element", "attribute without quotes", "two roots")


@pytest.mark.parametrize("bad", [bad for bad in bad_models.ALL if bad.line and bad.text.startswith("<mujoco>\n")
                                 and bad.name not in NOT_XML],
                         ids=lambda bad: bad.name)
def test_a_mistake_does_not_hide_another(loader, bad):
    """A reference to nothing at the end of the model is found as well, unless reading stopped before."""
    text = bad.text.rstrip().removesuffix("</mujoco>") + "\n<sensor><framepos objtype='site' objname='nothing'/></sensor></mujoco>"
    outcome = refusal(loader, text, assets=bad.assets)
    assert any(diagnostic.says(*bad.words) for diagnostic in outcome.diagnostics), outcome.text
    hides = any(diagnostic.says(word) for diagnostic in outcome.diagnostics
                for word in ("include", "cannot open", "compiler", "too large", "model asset", "flexcomp", "attach", "malformed"))
    assert hides or any(diagnostic.says("unknown site 'nothing'") for diagnostic in outcome.diagnostics), outcome.text


@pytest.mark.parametrize("bad", [bad for bad in bad_models.ALL if bad.judge_refuses], ids=lambda bad: bad.name)
def test_mujoco_refuses_it_too(judge, bad):
    """Nothing is called a mistake here that MuJoCo takes, except where the list says so."""
    with pytest.raises(judge.Error):
        judge.load_string(bad.text, bad.assets)


@pytest.mark.parametrize("section", SECTIONS)
def test_a_section_that_comes_later_is_refused_by_name_or_left_out_on_request(loader, subject, section):
    text = model_with(SECTIONS[section])
    outcome = refusal(loader, text)
    assert any(diagnostic.says(section) and diagnostic.line == 2 for diagnostic in outcome.diagnostics), outcome.text
    assert subject.load_string(text, ignore=[section]).nv == 1


@pytest.mark.parametrize("section", SUPPORTED_SECTIONS)
def test_a_section_is_left_out_on_request_with_all_that_depends_on_it(subject, section):
    text = model_with(SUPPORTED_SECTIONS[section])
    assert any(getattr(subject.load_string(text), count) for count in COUNTS)
    without = subject.load_string(text, ignore=[section])
    assert without.nv == 1 and not any(getattr(without, count) for count in COUNTS)


def test_all_leaves_out_what_is_not_supported_and_nothing_else(subject):
    text = model_with("<contact><exclude body1='arm' body2='world'/></contact><equality><joint joint1='turn'/></equality>"
                      "<actuator><plugin name='p' joint='turn' plugin='x'/><motor name='m' joint='turn'/></actuator>"
                      "<sensor><plugin name='t'/><actuatorfrc name='of p' actuator='p'/><actuatorfrc actuator='m'/>"
                      "</sensor><deformable><flex/></deformable><extension/><keyframe><key qpos='1' ctrl='1 2'/></keyframe>",
                      inside="<geom name='g' type='sdf'/>")
    model = subject.load_string(text, ignore=["all"])
    assert (model.nexclude, model.neq, model.nactuator, model.nsensor, model.ngeom, model.nkey) == (1, 1, 1, 1, 1, 1)
    warnings = [warning.message for warning in model.warnings]
    for words in ("<plugin> 'p'", "<plugin> 't'", "'of p'", "<flex>", "<extension>", "<geom> 'g'", "ctrl"):
        assert any(words in warning for warning in warnings), (words, warnings)


@pytest.mark.parametrize("element", LATER_ELEMENTS)
def test_an_element_that_comes_later_is_refused_by_name(loader, element):
    outcome = refusal(loader, model_with(inside=f"<body>\n<{element}/>\n</body>"))
    assert any(diagnostic.says(element) and diagnostic.line == 5 for diagnostic in outcome.diagnostics), outcome.text


def test_an_unknown_section_to_ignore_is_an_error_that_lists_the_known_ones(subject):
    with pytest.raises(subject.Error) as caught:
        subject.load_string(model_with(), ignore=["tendons"])
    assert all(section in str(caught.value) for section in sections.LATER_SECTIONS)


def test_defaults_and_keyframes_of_ignored_sections_are_left_out_with_them(subject):
    defaults = "<default><motor ctrlrange='-1 1'/><tendon width='0.1'/></default>"
    text = model_with(defaults + ACTUATOR + "<keyframe><key qpos='0.3' ctrl='0.5'/></keyframe>")
    model = subject.load_string(text, ignore=["actuator", "tendon"])
    assert model.nkey == 1 and model.key_qpos[0, 0] == 0.3 and model.nu == 0


def test_several_mistakes_are_reported_at_once(loader):
    text = ("<mujoco>\n<option timestp='1'/>\n<worldbody>\n<geom size='x'/>\n<body>\n<joint tipe='ball'/>\n"
            "<geom size='0.1' pos='1 2'/>\n</body>\n</worldbody>\n</mujoco>")
    outcome = refusal(loader, text)
    assert {diagnostic.line for diagnostic in outcome.diagnostics} >= {2, 4, 6, 7}
    for word in ("timestp", "timestep", "tipe", "type", "pos"):
        assert word in outcome.text


def test_mistakes_of_all_stages_are_reported_at_once(loader):
    text = ("<mujoco>\n<option timestp='1'/>\n<asset>\n<mesh name='m' file='missing.obj'/>\n"
            "<mesh name='flat' vertex='0 0 0'/></asset>\n<worldbody>\n<geom size='-1'/>\n"
            "<geom type='mesh' mesh='m'/></worldbody>\n<actuator>\n<motor joint='nothing'/></actuator></mujoco>")
    outcome = refusal(loader, text)
    assert [diagnostic.line for diagnostic in outcome.diagnostics] == [2, 4, 5, 7, 10], outcome.text


def test_a_mistake_in_an_included_file_names_that_file_and_its_line(loader):
    assets = {"part.xml": b"<mujocoinclude>\n<geom size='0.1'/>\n<geom sise='0.1'/>\n</mujocoinclude>"}
    outcome = refusal(loader, model_with(inside="<include file='part.xml'/>"), assets=assets)
    places = [(diagnostic.file, diagnostic.line) for diagnostic in outcome.diagnostics]
    assert any(file.endswith("part.xml") and line == 3 for file, line in places), outcome.text


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

@pytest.mark.parametrize("kind", HOSTILE)
def test_hostile_text_is_loaded_or_refused_but_never_crashes(loader, kind):
    outcome = loader.load(HOSTILE[kind])
    assert not outcome.crashed, outcome.text
    assert outcome.loaded or outcome.text


def mutate(text, rng):
    """A model text with a few accidents: lost, doubled, swapped or replaced pieces."""
    for _ in range(rng.randint(1, 4)):
        place, length = rng.randrange(len(text)), rng.randint(1, 12)
        doubled, foreign = text[place : place + length] * 2, text[rng.randrange(len(text)) :][:length]
        piece = rng.choice(["", doubled, foreign, rng.choice(["-1", "1e30", "nan", "\"", "<", ">", "0 0 0"])])
        text = text[:place] + piece + text[place + length :]
    return text


def test_damaged_models_are_loaded_or_refused_but_never_crash(loader, seed):
    rng = random.Random(seed)
    texts = [path.read_text() for path in scenes.FEATURES]
    refused = 0
    for _ in range(1000):
        text = mutate(rng.choice(texts), rng)
        outcome = loader.load(text)
        assert not outcome.crashed, f"{outcome.text}\n{text}"
        refused += not outcome.loaded
    assert 100 < refused < 1000
