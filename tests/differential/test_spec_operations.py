"""fuse_static, discard_visual, dedup_assets and adopt_inertial change a model as MuJoCo's do: in MjSpec and in torsor.Spec."""

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
    "fuse: a written mass in a scaled frame": (
        "<frame scale='2'><body name='a'><joint/><inertial pos='0 0 0' mass='1' diaginertia='1 1 1'/>"
        "<body name='b' pos='1 0 0'><geom size='.1'/></body></body></frame>"
    ),
    "fuse: bounded masses": (
        "<body name='a'><joint/><geom size='.01'/><body name='b' pos='1 0 0'><geom size='.01'/></body></body>|"
        "<compiler boundmass='.5' boundinertia='.01'/>"
    ),
    "fuse: the order of what moves": (
        "<geom name='w0' size='.1'/><body name='p'><joint/><geom name='g0' size='.1'/><body name='s0' pos='0 0 1'><joint/>"
        "<geom name='h0' size='.1'/></body><body name='s1' pos='1 0 0'><geom name='g1' size='.1'/><site name='t1'/>"
        "<body name='c1' pos='0 1 0'><joint/><geom name='h1' size='.1'/></body><body name='z'><geom name='gz' size='.1'/>"
        "<body name='zc'><joint/><geom name='hz' size='.1'/></body></body><geom name='g1b' size='.1'/>"
        "<body name='c2' pos='0 2 0'><joint/><geom name='h2' size='.1'/></body></body><geom name='g2' size='.1'/>"
        "<site name='t2'/><body name='s2' pos='2 0 0'><joint/><geom name='h3' size='.1'/></body><frame pos='0 0 5'>"
        "<body name='fs'><geom name='gf' size='.1'/></body><geom name='gff' size='.1'/></frame></body>"
        "<geom name='w1' size='.1'/>"
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


TETRAHEDRON = "vertex='0 0 0 1 0 0 0 1 0 0 0 1'"
FLAT = "type='2d' builtin='flat' width='4' height='4'"
MODELS |= {
    "dedup: meshes": (
        f"<geom type='mesh' mesh='b'/><site type='mesh' mesh='d'/>|<asset><mesh name='a' {TETRAHEDRON}/><mesh name='b' "
        f"{TETRAHEDRON}/><mesh name='c' {TETRAHEDRON} scale='1 1 2'/><mesh name='d' {TETRAHEDRON} scale='1 1 1'/></asset>"
        "<custom><tuple name='t'><element objtype='mesh' objname='b'/></tuple></custom>"
    ),
    "dedup: files of meshes": (
        "<geom type='mesh' mesh='d'/>|<asset><mesh name='a' file='a.obj'/><mesh name='b' file='a.obj'/>"
        "<mesh name='c' file='b.obj'/><mesh name='d' file='./a.obj'/></asset>"
    ),
    "dedup: textures": (
        f"<geom size='1' material='m'/>|<asset><texture name='a' {FLAT}/><texture name='b' {FLAT}/><texture name='c' {FLAT} "
        "rgb1='1 0 0'/><material name='m' texture='b'/><material name='n' texture='c'/></asset>"
    ),
    "dedup: a default class": (
        f"<geom class='k' type='mesh'/>|<asset><mesh name='a' {TETRAHEDRON}/><mesh name='b' {TETRAHEDRON}/></asset>"
        "<default><default class='k'><geom mesh='b'/></default></default>"
    ),
    "dedup: height fields stay": (
        "<geom type='hfield' hfield='b'/>|<asset><hfield name='a' nrow='2' ncol='2' size='1 1 1 1'/>"
        "<hfield name='b' nrow='2' ncol='2' size='1 1 1 1'/></asset>"
    ),
    "discard: a material that a tuple names": (
        "<geom size='.1' material='m'/><geom size='.1' contype='0' conaffinity='0'/>|<asset><material name='m' texture='x'/>"
        f"<material name='n'/><texture name='x' {FLAT}/><texture name='y' {FLAT}/></asset><custom><tuple name='t'>"
        "<element objtype='material' objname='m'/></tuple></custom>"
    ),
}
FILES = {name: b"v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n" for name in ("a.obj", "b.obj")}
OPERATIONS = {"fuse": "fuse_static", "discard": "discard_visual", "dedup": "dedup_assets"}


def changed(module, text, operation):
    """How many elements the operation took away, and what compiles afterwards."""
    if module is torsor:
        spec = torsor.Spec.from_xml_string(text, FILES)
        assert spec.world is not None  # as elements
    else:
        spec = module.MjSpec.from_string(text, assets=FILES)
    count = getattr(spec, operation)()
    model = spec.compile()
    if module is torsor:
        model = torsor.mujoco.MjModel._from_model(model)
    names = [[getattr(model, kind)(i).name for i in range(getattr(model, size))] for kind, size in (
        ("body", "nbody"), ("geom", "ngeom"), ("site", "nsite"), ("joint", "njnt"))]
    arrays = {name: np.array(getattr(model, name)) for name in (
        "body_mass", "body_pos", "body_ipos", "geom_pos", "geom_bodyid", "site_pos", "cam_pos", "jnt_pos", "geom_matid")}
    axes = [model.body_inertia[i] for i in range(model.nbody)]
    return count, names, (model.nmat, model.nmesh, model.ntex), arrays, np.sort(axes, axis=1)


@pytest.mark.parametrize("title", MODELS)
def test_operations_on_a_spec_change_it_as_mujocos_do(title):
    body, _, rest = MODELS[title].partition("|")
    text = f"<mujoco><worldbody>{body}</worldbody>{rest}</mujoco>"
    operation = OPERATIONS[title.partition(":")[0]]
    if title == "discard: an inertia that geoms must give":
        for module in (mujoco, torsor.mujoco, torsor):
            with pytest.raises((ValueError, torsor.Error), match="inertia"):
                changed(module, text, operation)
        return
    theirs = changed(mujoco, text, operation)
    for module in (torsor.mujoco, torsor):
        ours = changed(module, text, operation)
        assert ours[:3] == theirs[:3]
        for name, wanted in theirs[3].items():
            np.testing.assert_allclose(ours[3][name], wanted, atol=1e-9, err_msg=name)
        np.testing.assert_allclose(ours[4], theirs[4], rtol=1e-9, atol=1e-12)
    library = torsor.Spec.from_xml_string(text, FILES)  # not taken apart into elements
    assert getattr(library, operation)() == theirs[0]
    assert library.to_xml() == after_operation(text, operation).to_xml()


def after_operation(text, operation):
    spec = torsor.Spec.from_xml_string(text, FILES)
    assert spec.world is not None
    getattr(spec, operation)()
    return spec


def test_elements_stay_the_same_objects():
    spec = torsor.Spec.from_xml_string(
        "<mujoco><worldbody><body name='a'><joint/><inertial pos='0 0 0' mass='1' diaginertia='1 1 1'/><geom name='g' size='1'/>"
        "<body name='b' pos='1 0 0'><geom name='h' size='1' mass='2'/><frame name='f' pos='0 1 0'><site name='s'/></frame>"
        "</body></body></worldbody></mujoco>")
    a, b, geom, site, frame = spec.body("a"), spec.body("b"), spec.geom("h"), spec.site("s"), spec.frame("f")
    geom.rgba = [1, 0, 0, 1]
    assert spec.fuse_static() == 1
    assert geom.parent is a and site.parent is a and site.frame is frame and frame.frame is geom.frame
    assert geom.frame.pos.tolist() == [1, 0, 0] and b.parent is None and spec.find("body", "b") is None
    assert a.inertial.mass == 3 and spec.geom("h") is geom and geom.rgba.tolist() == [1, 0, 0, 1]
    geom.name = "other"
    assert spec.compile().geom("other").id == 1


@pytest.mark.parametrize("body", ("a", "b", "c"))
def test_adopted_inertias_equal_mujocos(body):
    text = ("<mujoco><compiler settotalmass='9'/><worldbody><body name='a'><joint/><geom size='.1 .2 .3' type='box'/><body name='b' "
            "pos='1 0 0' euler='10 20 30'><joint/><geom size='.2' pos='.1 0 0'/><geom size='.1 .3' type='capsule'/></body></body>"
            "<body name='c'><joint/><inertial pos='1 2 3' mass='2' diaginertia='1 1 1'/><geom size='1'/></body></worldbody></mujoco>")
    models = []
    for module in (mujoco, torsor.mujoco):
        spec = module.MjSpec.from_string(text)
        spec.adopt_inertial(spec.body(body))
        assert spec.body(body).explicitinertial
        for geom in spec.geoms:
            geom.size = 2 * geom.size
        models.append(spec.compile())
    spec = torsor.Spec.from_xml_string(text)
    spec.adopt_inertial(body)
    for geom in spec.geoms:
        geom.size = 2 * geom.size
    for ours in (models[1], spec.compile()):
        for name in ("body_mass", "body_ipos", "body_inertia"):
            np.testing.assert_allclose(getattr(ours, name), getattr(models[0], name), rtol=1e-9, atol=1e-12, err_msg=name)


def test_an_error_of_the_model_changes_nothing():
    spec = torsor.Spec.from_xml_string("<mujoco><worldbody><body name='a'><joint/></body></worldbody></mujoco>")
    before = spec.copy().to_xml()
    with pytest.raises(torsor.Error, match="mass"):
        spec.fuse_static()
    assert spec.to_xml() == before


def test_most_of_these_models_are_changed():
    fused = [title for title, text in MODELS.items() if title.startswith("fuse") and changed(
        torsor.mujoco, "<mujoco><worldbody>{}</worldbody>{}</mujoco>".format(*text.split("|") if "|" in text else (text, "")),
        "fuse_static")[0] > 0]
    assert 10 <= len(fused) < sum(title.startswith("fuse") for title in MODELS)


BOUNDED = ("<body name='a'><joint/><geom size='{}'/><body name='b' pos='1 0 0'><geom size='{}'/><body name='c' pos='0 1 0'><geom size='{}'/>"
           "</body></body></body>")


@pytest.mark.parametrize("bound", ["boundmass='1'", "boundinertia='.01'", "balanceinertia='true'"])
@pytest.mark.parametrize("sizes", [(0.1, 0.1, 0.1), (0.02, 0.1, 0.1), (0.1, 0.02, 0.1), (0.1, 0.1, 0.02), (0.02, 0.02, 0.02)])
def test_bodies_stay_where_bounds_changed_the_mass_of_their_geoms(sizes, bound):
    text = (f"<mujoco><compiler fusestatic='true' inertiafromgeom='true' {bound}/><worldbody>{BOUNDED.format(*sizes)}</worldbody></mujoco>")
    ours, theirs = torsor.Model.from_xml_string(text), mujoco.MjModel.from_xml_string(text)
    assert [ours.body(i).name for i in range(ours.nbody)] == [theirs.body(i).name for i in range(theirs.nbody)]
    np.testing.assert_allclose(ours.body_mass, theirs.body_mass, rtol=1e-12)


def test_free_bodies_are_aligned_after_their_static_children_were_fused():
    text = ("<mujoco><compiler fusestatic='true' alignfree='true'/><worldbody><body pos='0 0 1'><freejoint/><geom size='.1'/><body pos='1 2 3' "
            "euler='10 20 30'><geom type='box' size='.1 .2 .3'/></body></body></worldbody></mujoco>")
    ours, theirs = torsor.Model.from_xml_string(text), mujoco.MjModel.from_xml_string(text)
    for name in ("body_ipos", "body_iquat", "body_pos", "body_inertia", "geom_pos", "qpos0"):
        np.testing.assert_allclose(getattr(ours, name), getattr(theirs, name), rtol=1e-9, atol=1e-12, err_msg=name)
    assert ours.nbody == 2 and (ours.body_ipos == 0).all()
