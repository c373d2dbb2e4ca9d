"""fuse_static and discard_visual of MjSpec change a model as MuJoCo's do."""

import mujoco
import numpy as np
import pytest

import torsor.mujoco

MODELS = {
    "fuse: inferred masses": (
        "<body name='a'><joint/><geom size='.1' mass='1'/><body name='b' pos='1 0 0' euler='0 0 30'>"
        "<geom size='.2' mass='2'/><site name='s' pos='.1 0 0'/><camera name='c' pos='0 1 0'/>"
        "<body name='d' pos='0 1 0'><joint/><geom size='.1'/></body></body></body>"
    ),
    "fuse: written masses": (
        "<body name='a'><joint/><inertial pos='0 0 0' mass='1' diaginertia='1 1 1'/>"
        "<body name='b' pos='1 0 0' euler='0 0 30'><inertial pos='.1 0 0' mass='2' diaginertia='1 1 1'/>"
        "<geom size='.2'/></body></body>"
    ),
    "fuse: a written mass into an inferred one": (
        "<body name='a'><joint/><geom size='.1'/><body name='b' pos='1 0 0' euler='0 0 30'>"
        "<inertial pos='.1 0 0' mass='2' diaginertia='1 1 1'/><geom size='.2'/></body></body>"
    ),
    "fuse: into the world": (
        "<body name='b' pos='1 0 0' euler='0 0 30'><inertial pos='.1 0 0' mass='2' diaginertia='1 1 1'/>"
        "<geom size='.2'/><body><joint/><geom size='.2'/></body></body>"
    ),
    "fuse: into the world without an inertial": (
        "<body name='b' pos='1 0 0' euler='0 0 30'><geom size='.2'/><body><joint/><geom size='.2'/></body></body>"
    ),
    "fuse: no mass": (
        "<body name='a'><joint/><inertial pos='0 0 0' mass='1' diaginertia='1 1 1'/>"
        "<body name='b' pos='1 0 0' euler='0 0 30'><geom size='.2' mass='0'/><site/></body></body>"
    ),
    "fuse: an inferred mass into a written one": (
        "<body name='a'><joint/><inertial pos='0 0 0' mass='1' diaginertia='1 1 1'/>"
        "<body name='b' pos='1 0 0' euler='0 0 30'><geom size='.2' mass='3'/><site/></body></body>"
    ),
    "fuse: mocap bodies stay": (
        "<body name='b' mocap='true'><geom size='.2'/></body>"
    ),
    "fuse: bodies that ask to be kept": (
        "<body name='a'><joint/><geom size='.1'/><body name='b' fuse='false'><geom size='.2'/></body></body>"
    ),
    "fuse: user data": (
        "<body name='a' ><joint/><geom size='.1'/><body name='b' user='1 2'><geom size='.2'/></body></body>"
    ),
    "fuse: another gravity compensation": (
        "<body name='a'><joint/><geom size='.1'/><body name='b' gravcomp='1'><geom size='.2'/></body></body>"
    ),
    "fuse: a body that a sensor names": (
        "<body name='a'><joint/><geom size='.1'/><body name='b'><geom size='.2'/></body></body>|<sensor>"
        "<framepos objtype='body' objname='b'/></sensor>"
    ),
    "fuse: a site of a force sensor": (
        "<body name='a'><joint/><geom size='.1'/><body name='b'><geom size='.2'/><site name='s'/></body></body>|<sensor>"
        "<force site='s'/></sensor>"
    ),
    "fuse: in a fluid": (
        "<body name='a'><joint/><geom size='.1'/><body name='b'><geom size='.2'/><site name='s'/></body></body>|"
        "<option density='1'/>"
    ),
    "fuse: an excluded body": (
        "<body name='a'><joint/><geom size='.1'/><body name='b'><geom size='.2'/><site name='s'/></body></body>|"
        "<contact><exclude body1='a' body2='b'/></contact>"
    ),
    "fuse: in frames": (
        "<body name='a'><joint/><geom size='.1'/><frame euler='10 20 30' pos='1 2 3'><body name='b' pos='1 0 0'>"
        "<frame pos='0 0 1'><geom size='.2'/><site name='s'/></frame></body></frame></body>"
    ),
    "fuse: several levels": (
        "<body name='a'><joint/><geom size='.1'/><body name='b' pos='1 0 0'><geom size='.1'/><body name='c' pos='1 0 0'>"
        "<geom size='.1'/><body name='d' pos='1 0 0'><joint/><geom size='.1'/></body></body></body></body>"
    ),
    "fuse: all masses from geoms": (
        "<body name='a'><joint/><geom size='.1'/><inertial pos='0 0 0' mass='1' diaginertia='1 1 1'/>"
        "<body name='b' pos='1 0 0'><geom size='.1'/></body></body>|<compiler inertiafromgeom='true'/>"
    ),
    "fuse: in a scaled frame": (
        "<frame scale='2'><body name='a'><joint/><geom size='.1'/><body name='b' pos='1 0 0'><geom size='.1'/></body>"
        "</body></frame>"
    ),
    "fuse: geoms of other groups": (
        "<body name='a'><joint/><geom size='.1'/><body name='b' pos='1 0 0'><geom size='.1' group='3'/></body></body>|"
        "<compiler inertiagrouprange='0 2'/>"
    ),
    "discard: a geom, a material and a mesh": (
        "<body name='a'><joint/><geom size='.1' material='m'/><geom size='.2' contype='0' conaffinity='0'/></body>|"
        "<asset><material name='m'/><mesh name='q' vertex='0 0 0 1 0 0 0 1 0 0 0 1'/></asset>"
    ),
    "discard: what is named stays": (
        "<body name='a'><joint/><geom size='.1'/><geom name='v' size='.2' contype='0' conaffinity='0'/>"
        "<site type='mesh' mesh='q'/></body>|<asset><material name='m'/>"
        "<mesh name='q' vertex='0 0 0 1 0 0 0 1 0 0 0 1'/></asset><sensor><framepos objtype='geom' objname='v'/></sensor>"
    ),
    "discard: an inertia that geoms must give": (
        "<body name='a'><joint/><geom size='.1'/><geom name='v' size='.2' contype='0' conaffinity='0'/></body>|"
        "<compiler inertiafromgeom='true'/>"
    ),
    "discard: ellipsoids in a fluid stay": (
        "<body name='a'><joint/><geom size='.1'/>"
        "<geom name='v' size='.2' contype='0' conaffinity='0' fluidshape='ellipsoid'/>"
        "<geom size='.1' contype='0' conaffinity='0' mass='0' group='4'/></body>|<statistic/>"
    ),
    "discard: a geom of a pair stays": (
        "<body name='a'><joint/><geom size='.1'/><geom name='v' size='.2' contype='0' conaffinity='0'/></body>|<contact>"
        "<pair geom1='v' geom2='w'/></contact><worldbody><geom name='w' size='1'/></worldbody>"
    ),
}


def changed(module, text, operation):
    """How many elements the operation took away, and what compiles afterwards."""
    spec = module.MjSpec.from_string(text)
    count = getattr(spec, operation)()
    model = spec.compile()
    names = [model.body(i).name for i in range(model.nbody)]
    arrays = {name: np.array(getattr(model, name)) for name in (
        "body_mass", "body_pos", "body_ipos", "geom_pos", "geom_bodyid", "site_pos", "cam_pos", "jnt_pos", "geom_matid")}
    axes = [model.body_inertia[i] for i in range(model.nbody)]
    return count, names, (model.nmat, model.nmesh, model.ntex), arrays, np.sort(axes, axis=1)


@pytest.mark.parametrize("title", MODELS)
def test_operations_on_a_spec_change_it_as_mujocos_do(title):
    body, _, rest = MODELS[title].partition("|")
    text = f"<mujoco><worldbody>{body}</worldbody>{rest}</mujoco>"
    operation = "discard_visual" if title.startswith("discard") else "fuse_static"
    if title == "discard: an inertia that geoms must give":
        for module in (mujoco, torsor.mujoco):
            with pytest.raises(ValueError, match="inertia"):
                changed(module, text, operation)
        return
    theirs, ours = (changed(module, text, operation) for module in (mujoco, torsor.mujoco))
    assert ours[:3] == theirs[:3]
    for name, wanted in theirs[3].items():
        np.testing.assert_allclose(ours[3][name], wanted, atol=1e-9, err_msg=name)
    np.testing.assert_allclose(ours[4], theirs[4], rtol=1e-9, atol=1e-12)


def test_most_of_these_models_are_changed():
    fused = [title for title, text in MODELS.items() if title.startswith("fuse") and changed(
        torsor.mujoco, "<mujoco><worldbody>{}</worldbody>{}</mujoco>".format(*text.split("|") if "|" in text else (text, "")),
        "fuse_static")[0] > 0]
    assert 10 <= len(fused) < sum(title.startswith("fuse") for title in MODELS)
