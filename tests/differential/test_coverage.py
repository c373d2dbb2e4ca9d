"""Every element, attribute and field of the wheel is supported or refused by name, and support only grows."""

import collections
import subprocess

import numpy as np
import pytest

import compare
import coverage
import scenes
import schema
import sections
import smooth
import snapshots

# Supported attributes that no feature model can show in a compared array, each with the reason.
WITHOUT_EFFECT = {
    ("mujoco", "model"): "the model's own name",
    ("mujoco/worldbody/body/frame", "name"): "frames are gone after compiling",
    ("mujoco/compiler", "assetdir"): "where files are",
    ("mujoco/compiler", "usethread"): "how to compile",
    ("mujoco/compiler", "saveinertial"): "how to write files",
    ("mujoco/compiler", "savecompiled"): "how to write files",
    ("mujoco/compiler", "savecanonical"): "how to write files",
    ("mujoco/compiler", "passthrough"): "textures are not compared",
    ("mujoco/worldbody/body/replicate", "prefix"): "MuJoCo reads it and does nothing",
    ("mujoco/compiler", "conflict"): "how to attach models",
    ("mujoco/compiler", "coordinate"): "one value is allowed",
    ("mujoco/compiler", "autolimits"): "an error, or nothing",
    ("mujoco/option/flag", "sleep"): "who sleeps depends on what happened before; test_sleep.py",
    ("mujoco/size", "memory"): "memory of the constraint stage",
    ("mujoco/asset/mesh", "content_type"): "how to read a file",
    ("mujoco/asset/hfield", "content_type"): "how to read a file",
    ("mujoco/visual/rgba", "bv"): "the wheel's Python class shows no value",
    ("mujoco/visual/rgba", "bvactive"): "the wheel's Python class shows no value",
}
SAP_MATERIAL = ["sapdissipation", "sapstiffness"]
CABLE = "mujoco/worldbody/body/composite"
OUR_EXTENSIONS = {
    CABLE: ["count", "curve", "initial", "offset", "prefix", "quat", "size", "type", "vertex"],
    CABLE + "/geom": ["adhesion", "conaffinity", "condim", "contype", "density", "friction", "gap", "group", "margin", "mass",
                      "material", "priority", "rgba", "size", "solimp", "solmix", "solref", "surfacevel", "type"],
    CABLE + "/joint": ["armature", "axis", "damping", "frictionloss", "group", "kind", "limited", "margin", "range",
                       "solimpfix", "solimpfriction", "solimplimit", "solreffix", "solreffriction", "solreflimit",
                       "stiffness", "type"],
    CABLE + "/site": ["group", "material", "rgba", "size"],
    "mujoco/option/flag": ["sensornoise"],
    "mujoco/compiler": ["bodyaxes", "worldaxes"],
    "mujoco/option": ["frictionmix", "sap_beta", "sap_dissipation", "sap_sigma", "sap_stiffness", "sap_tolerance"],
    "mujoco/contact/pair": SAP_MATERIAL,
    "mujoco/default/pair": SAP_MATERIAL,
    "mujoco/default/geom": ["meshcollision"] + SAP_MATERIAL,
    "mujoco/worldbody/body/geom": ["meshcollision"] + SAP_MATERIAL,
    **{f"mujoco/{path}": SAP_MATERIAL for path in (
        "default/joint", "worldbody/body/joint", "default/tendon", "tendon/fixed", "tendon/spatial", "default/equality",
        "equality/connect", "equality/weld", "equality/joint", "equality/tendon")},
}
MEASURED = "its range of lengths is not known"  # measuring it needs constraints
ENOUGH = 6  # changed models per attribute
# Textures and measured lengths are not compared; a model asset without a file keeps MuJoCo busy for ever.
SKIPPED_PATHS = ("mujoco/asset/texture", "mujoco/default/texture", "mujoco/compiler/lengthrange", "mujoco/asset/model",
                 "mujoco/worldbody/body/composite")


def family_of(path):
    """Kinds of actuators share one table of attributes, and so do kinds of sensors and of tendons: one shows for all."""
    parent, _, tag = path.rpartition("/")
    if parent == "mujoco/default" and (tag in sections.ACTUATOR_KINDS or tag == "tendon"):
        return "mujoco/tendon" if tag == "tendon" else "mujoco/actuator"
    return parent if parent in ("mujoco/actuator", "mujoco/sensor", "mujoco/tendon") else path


def nested(path, attributes=""):
    """The smallest text that holds an element of a path; bodies need a world around them."""
    tags = path.split("/")
    text = f"<{tags[-1]} {attributes}/>" if len(tags) > 1 else f"<mujoco {attributes}/>"
    for tag in reversed(tags[:-1]):
        text = f"<{tag}>{text}</{tag}>"
    return text


def test_every_element_of_the_wheel_is_read_or_refused_by_name(subject):
    read, refused = subject.schema()
    for path in schema.wheel_schema():
        if path in read:
            continue
        parents = [path] + [path.rsplit("/", depth)[0] for depth in range(1, path.count("/"))]
        owner = next((parent for parent in parents if parent in refused), None)
        assert owner, f"{path} is neither read nor refused"
        with pytest.raises(subject.Error, match=owner.rsplit("/", 1)[1]):
            subject.load_string(nested(path))


def test_every_attribute_of_the_wheel_is_read_or_refused_by_name(subject):
    read, _ = subject.schema()
    for path, (_, unread) in coverage.supported_attributes(subject).items():
        for attribute in unread if path in read else ():
            with pytest.raises(subject.Error, match=attribute):
                subject.load_string(nested(path, f"{attribute}='1'"))


def complaint_about(subject, path, attribute, word):
    """The error of the smallest model with a value, if it is the value's."""
    try:
        subject.load_string(nested(path, f"{attribute}='{word}'"))
    except subject.Error as error:
        return f"'{attribute}'" in str(error)
    return False


def test_every_word_of_the_manual_is_a_value_of_its_attribute(subject, judge):
    """All values of attributes with a fixed set of them."""
    read, _ = subject.schema()
    words = [word for word in schema.manual_words() if word[1] in read.get(word[0], ())]
    assert len({attribute for _, attribute, _ in words}) > 60
    for path, attribute, word in words:
        if complaint_about(subject, path, attribute, word):
            with pytest.raises(judge.Error):  # coordinate="global"
                judge.load_string(nested(path, f"{attribute}='{word}'"))
        assert complaint_about(subject, path, attribute, word + "x")


def test_no_attribute_is_read_that_the_wheel_does_not_know_except_our_own(subject, judge):
    assert coverage.extensions(subject) == OUR_EXTENSIONS
    for path, attributes in OUR_EXTENSIONS.items():
        for attribute in attributes if not path.startswith(CABLE) else ():  # whole elements that MuJoCo dropped
            with pytest.raises(judge.Error, match=attribute):
                judge.load_string(nested(path, f"{attribute}='1'"))


def test_a_field_that_is_not_there_is_named_by_the_error(subject):
    model = subject.load_string("<mujoco/>")
    data = subject.make_data(model)
    for kind, owner in (("model", model), ("data", data)):
        have, lack = coverage.supported_fields(subject, kind)
        assert all(hasattr(owner, name) for name in have)
        for name in lack:
            with pytest.raises(AttributeError, match=name):
                getattr(owner, name)


def test_the_page_is_current(subject):
    assert coverage.PAGE.read_text() == coverage.make_page(subject), "run python tests/differential/coverage.py"


def test_what_was_supported_stays_supported(subject):
    """Compares with the page as last committed, so that rewriting the page cannot hide a loss."""
    path = coverage.PAGE.relative_to(scenes.ROOT)
    committed = subprocess.run(
        ["git", "show", f"HEAD:{path}"], cwd=scenes.ROOT, capture_output=True, text=True, check=False)
    attributes, present = coverage.read_page(committed.stdout or coverage.PAGE.read_text())
    now_attributes, now_present = coverage.read_page(coverage.make_page(subject))
    assert attributes and present
    assert not attributes - now_attributes
    assert not present - now_present


def changed_models():
    """For every attribute in every feature model: the model without it, and with its numbers changed."""
    for path in scenes.FEATURES:
        root = sections.read_with_includes(path)
        sections.make_asset_folders_absolute(root, path.resolve().parent)
        for element, ancestors in list(schema.walk(root)):
            for attribute, value in list(element.attrib.items()):
                del element.attrib[attribute]
                yield schema.element_path(ancestors), attribute, path, as_text(root)
                element.set(attribute, with_other_numbers(value))
                yield schema.element_path(ancestors), attribute, path, as_text(root)
                element.set(attribute, value)


def as_text(root):
    return sections.ET.tostring(root, encoding="unicode")


def with_other_numbers(value):
    """Every number a little larger; other values as they are."""
    try:
        return " ".join(repr(float(number) * 1.0625) for number in value.split())
    except ValueError:
        return value


def effect_of(judge, original, text):
    """Whether MuJoCo's compiled arrays change, or that it refuses the changed model."""
    try:
        changed = snapshots.of_model(judge, judge.load_string(text))
    except judge.Error:
        return "refused"
    except RuntimeError:
        return "none"  # MuJoCo itself breaks, so there is nothing to compare with
    same = all(np.array_equal(changed[name], array) for name, array in original.items())
    return "none" if same else "changed"


def problem_with(judge, subject, effect, text, title):
    """How the subject's treatment of a changed model differs from MuJoCo's, or nothing."""
    if effect == "changed":
        try:
            found = smooth.Pair(judge, subject, lambda engine: engine.load_string(text)).model_differences()
        except subject.Error as error:
            return None if MEASURED in str(error) else f"{title}: {error}"
        return compare.report(found, title) if found else None
    try:
        subject.load_string(text)
    except subject.Error:
        return None
    return f"{title}: MuJoCo refuses this, the subject does not"


def test_every_supported_attribute_changes_the_same_arrays_in_both_engines(judge, subject):
    """Without any one attribute, or with other numbers in it, feature models still compile alike or are refused alike;
    and each supported attribute matters in some model."""
    supported = {(path, name) for path, (names, _) in coverage.supported_attributes(subject).items() for name in names}
    originals = {path: snapshots.of_model(judge, judge.load_file(path)) for path in scenes.FEATURES}
    shown, problems = collections.Counter(), []
    for path, attribute, feature, text in changed_models():
        if shown[path, attribute] >= ENOUGH or path.startswith(SKIPPED_PATHS):
            continue
        effect = effect_of(judge, originals[feature], text)
        if effect == "none":
            continue
        shown[path, attribute] += 1
        title = f"{feature.name} with another {attribute} of {path}"
        problems.append(problem_with(judge, subject, effect, text, title))
    problems = [problem for problem in problems if problem]
    assert not problems, f"{len(problems)} problems\n" + "\n".join(problems[:10])
    seen = {(family_of(path), attribute) for path, attribute in shown}
    silent = {(path, attribute) for path, attribute in supported - WITHOUT_EFFECT.keys()
              if (family_of(path), attribute) not in seen and not path.startswith(SKIPPED_PATHS)}
    assert not silent, f"no feature model shows {sorted(silent)}"
