"""Meshes that collide as their triangles: the attribute, how things lie, slide and hang, and bad meshes."""

import numpy as np
import pytest

import torsor
from triangle_meshes import asset, block, bowl, contact_force, load, run, sheet, torus

TRIANGLES = 'meshcollision="triangles"'
TETRAHEDRON = asset("m", [[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]],
                    [[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]])


# The attribute


def test_a_mesh_collides_as_its_hull_unless_it_says_otherwise():
    model, _ = load(TETRAHEDRON, f"<geom type='mesh' mesh='m'/><geom type='mesh' mesh='m' {TRIANGLES}/>"
                                 "<geom type='mesh' mesh='m' meshcollision='hull'/><geom size='1'/>")
    hull, triangles = torsor.MeshCollision.HULL, torsor.MeshCollision.TRIANGLES
    assert list(model.geom_meshcollision) == [hull, triangles, hull, hull] == [0, 1, 0, 0]
    assert list(torsor.MeshCollision) == [hull, triangles]
    assert model.mesh_trinum[0] == 4 and model.mesh_solid[0] == 1 and model.mesh_hullvertnum[0] == 4
    plain, _ = load(TETRAHEDRON, "<geom type='mesh' mesh='m'/>")
    assert plain.nmeshtri == plain.nmeshtree == 0 and plain.mesh_triadr[0] == -1
    only, _ = load(TETRAHEDRON, f"<geom type='mesh' mesh='m' {TRIANGLES}/>")
    assert only.mesh_hullvertnum[0] == 0, "nothing needs the hull"


def test_classes_copies_and_files_keep_the_attribute():
    spec = torsor.Spec.from_xml_string(
        f"<mujoco><default><default class='c'><geom {TRIANGLES}/></default></default><asset>{TETRAHEDRON}"
        "<model name='part' file='part.xml'/></asset><worldbody>"
        "<geom class='c' type='mesh' mesh='m'/><geom class='c' size='1'/>"
        "<geom class='c' type='mesh' mesh='m' meshcollision='hull'/>"
        f"<replicate count='2' offset='3 0 0'><geom type='mesh' mesh='m' {TRIANGLES}/></replicate>"
        "<attach model='part' body='b' prefix='p'/></worldbody></mujoco>",
        assets={"part.xml": (f"<mujoco model='part'><asset>{TETRAHEDRON}</asset><worldbody><body name='b'>"
                             f"<geom type='mesh' mesh='m' {TRIANGLES}/></body></worldbody></mujoco>").encode()})
    expected = [1, 0, 0, 1, 1, 1]
    assert list(spec.compile().geom_meshcollision) == expected
    again = torsor.Spec.from_xml_string(spec.to_xml())
    assert list(again.compile().geom_meshcollision) == expected


@pytest.mark.parametrize("geom, parts", [
    (f"<geom name='g' size='1' {TRIANGLES}/>", ("geom 'g'", "meshcollision", "is not a mesh", "type=\"mesh\"")),
    ("<geom name='g' type='mesh' mesh='m' meshcollision='faces'/>", ("meshcollision", "hull", "triangles")),
])
def test_mistakes_are_named(geom, parts):
    with pytest.raises(torsor.Error) as error:
        load(TETRAHEDRON, geom)
    assert all(part in str(error.value) for part in parts), str(error.value)


def test_a_model_keeps_its_triangles_in_a_file():
    model, _ = load(TETRAHEDRON, f"<geom type='mesh' mesh='m' {TRIANGLES}/>")
    again = torsor.Model.from_bytes(model.to_bytes())
    assert (again.mesh_tri == model.mesh_tri).all() and (again.mesh_treebox == model.mesh_treebox).all()


# Bad meshes


def test_triangles_without_area_and_repeated_ones_are_left_out_with_a_warning():
    faces = [[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3], [1, 1, 2], [2, 3, 1]]
    bad = asset("m", [[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]], faces, inertia="convex")
    model, data = load(bad, f"<geom type='mesh' mesh='m' {TRIANGLES}/>"
                            "<body pos='.2 .2 .3'><freejoint/><geom size='.1'/></body>")
    assert model.mesh_trinum[0] == 4 and model.mesh_solid[0] == 1
    assert "mesh 'm': 2 of its 6 triangles do not collide" in str(model.warnings)
    run(model, data, 0.5)
    assert np.isfinite(data.qpos).all()


def test_a_mesh_without_any_area_is_an_error():
    line = asset("m", [[0, 0, 0], [1, 0, 0], [2, 0, 0], [0, 0, 1], [0, 1, 0]], [[0, 1, 2], [0, 0, 1]],
                 inertia="convex")
    with pytest.raises(torsor.Error, match="mesh 'm'.*triangles.*area"):
        load(line, f"<geom type='mesh' mesh='m' {TRIANGLES}/>")


# At rest

GROUNDS = {
    "plane": "<geom type='plane' size='5 5 1'/>",
    "box": "<geom type='box' size='2 2 .5' pos='0 0 -.5'/>",
    "sheet": f"<geom type='mesh' mesh='sheet' {TRIANGLES}/>",
    "block": f"<geom type='mesh' mesh='ground' pos='0 0 -.5' {TRIANGLES}/>",
    "field": "<geom type='hfield' hfield='flat'/>",
}
GROUND_ASSETS = (sheet("sheet", 2, 9) + block("ground", (2, 2, 0.5), 5) +
                 "<hfield name='flat' nrow='12' ncol='12' size='2 2 .1 .5'/>")


def come_to_rest(ground, solver, geom):
    model, data = load(GROUND_ASSETS + block("block", (0.3, 0.2, 0.1), 2),
                       f"{GROUNDS[ground]}<body pos='.03 .05 .12' euler='2 3 0'><freejoint/><geom {geom}/></body>",
                       f"solver='{solver}' tolerance='1e-14' iterations='1000'")
    run(model, data, 2)
    torsor.forward(model, data)
    return model, data


@pytest.mark.parametrize("ground, solver, collision", [
    (ground, solver, collision) for collision in ("hull", "triangles")
    for ground, solver in [(ground, "Newton") for ground in GROUNDS] + [("sheet", "CG"), ("sheet", "PGS")]
    if collision == "triangles" or ground not in ("plane", "field")])
def test_a_block_comes_to_rest_as_a_box_on_a_plane(ground, solver, collision):
    """On its four corners, as deep as a box of the same size, and still. As in MuJoCo, a hull has three points on a plane
    and one per prism of a field, and rocks there."""
    _, box = come_to_rest("plane", "Newton", "type='box' size='.3 .2 .1'")
    model, data = come_to_rest(ground, solver, f"type='mesh' mesh='block' meshcollision='{collision}'")
    np.testing.assert_allclose(data.qvel, 0, atol=1e-6)
    weight = model.body_mass[1] * 9.81
    np.testing.assert_allclose(contact_force(model, data), [0, 0, weight], atol=1e-6 * weight)
    assert all(abs(contact.frame[2]) > 1 - 1e-6 for contact in data.contact)
    assert data.ncon == 4
    assert abs(data.xpos[1][2] - box.xpos[1][2]) < 1e-6


# Sliding

SHAPES = {
    "sphere": "size='.1'", "capsule": "type='capsule' size='.1 .15' euler='90 0 0'",
    "box": "type='box' size='.1 .08 .1'", "cylinder": "type='cylinder' size='.1 .1'",
    "rolling cylinder": "type='cylinder' size='.1 .1' euler='90 0 0'",
    "ellipsoid": "type='ellipsoid' size='.1 .1 .1'",
    "mesh": f"type='mesh' mesh='part' {TRIANGLES}", "hull": "type='mesh' mesh='part'",
}


@pytest.mark.parametrize("shape", SHAPES)
def test_a_flat_sheet_of_triangles_is_as_smooth_as_a_plane(shape):
    """At rest on the ground, then pushed, it goes the same way over many triangles. On a plane a hull stands on three
    corners, as in MuJoCo, on triangles on all: it is compared with one on a box."""
    grounds = ["type='plane' size='9 9 1'", f"type='mesh' mesh='smooth' {TRIANGLES}"]
    if shape == "hull":
        grounds[0] = "type='box' size='9 9 1' pos='0 0 -1'"
    paths = []
    for ground in grounds:
        model, data = load(
            sheet("smooth", 4, 57) + block("part", (0.1, 0.08, 0.1), 1),
            f"<geom {ground} friction='.2'/><body pos='-1.013 .021 .0999'><freejoint/>"
            f"<geom {SHAPES[shape]} friction='.2'/></body>", "timestep='0.001' cone='elliptic'")
        run(model, data, 0.3)
        data.qvel[0] = 1.5
        paths.append(run(model, data, 1, lambda data: np.array([*data.qpos[:3], *data.qvel[:3]])))
    plane, smooth = paths
    assert plane[-1, 0] > plane[0, 0] + 0.5
    np.testing.assert_allclose(smooth[:, :3], plane[:, :3], atol=1e-6)
    np.testing.assert_allclose(smooth[:, 3:], plane[:, 3:], atol=1e-4)


# What hulls cannot do


def test_a_ring_drops_over_a_peg_and_stays_around_it():
    world = """<geom type='plane' size='5 5 1'/>
      <body pos='.015 .01 .6' euler='4 3 0'><freejoint/><geom type='mesh' mesh='ring' {}/></body>
      <geom type='capsule' fromto='0 0 0 0 0 .4' size='.04'/>"""
    model, data = load(torus("ring", 0.1, 0.02), world.format(TRIANGLES))
    run(model, data, 3)
    assert data.xpos[1][2] < 0.03, "it fell to the ground"
    assert np.hypot(*data.xpos[1][:2]) < 0.05, "around the peg"
    assert np.abs(data.qvel).max() < 0.05
    model, data = load(torus("ring", 0.1, 0.02), world.format(""))
    run(model, data, 0.5)
    assert data.xpos[1][2] > 0.3, "its hull is a disc, and lies on the peg"


@pytest.mark.parametrize("peg", ["capsule", "mesh", "box"])
def test_a_ring_hangs_on_a_peg(peg):
    shapes = {"capsule": "type='capsule' size='.02 .3' euler='90 0 0'", "box": "type='box' size='.015 .3 .015'",
              "mesh": f"type='mesh' mesh='bar' {TRIANGLES}"}
    model, data = load(torus("ring", 0.1, 0.02) + block("bar", (0.015, 0.3, 0.015), 4), f"""
      <geom {shapes[peg]} pos='0 0 1'/>
      <body pos='0 0 .95' euler='90 0 0'><freejoint/><geom type='mesh' mesh='ring' {TRIANGLES}/></body>""")
    run(model, data, 4)
    top = 1.02 if peg == "capsule" else 1.015
    assert abs(data.xpos[1][2] - (top + 0.02 - 0.1)) < 5e-3  # its inner side, a polygon, lies on the peg
    torsor.forward(model, data)
    weight = model.body_mass[1] * 9.81
    assert abs(contact_force(model, data)[2] - weight) < 0.05 * weight


def test_two_rings_make_a_chain():
    model, data = load(torus("ring", 0.1, 0.02), f"""
      <body pos='0 0 1' euler='90 0 0'><geom type='mesh' mesh='ring' {TRIANGLES}/></body>
      <body pos='0 0 .87' euler='0 90 0'><freejoint/><geom type='mesh' mesh='ring' {TRIANGLES}/></body>""")
    run(model, data, 4)
    assert abs(data.xpos[2][2] - (1 - 2 * (0.1 - 0.02))) < 5e-3
    torsor.forward(model, data)
    weight = model.body_mass[2] * 9.81
    assert abs(contact_force(model, data)[2] - weight) < 0.1 * weight


@pytest.mark.parametrize("seed", range(12))
def test_meshes_deep_in_each_other_come_apart(seed):
    """As after an impact that was too fast for the time step: a third of a block's thickness and more."""
    random = np.random.default_rng(seed)
    turns = ["{:.1f} {:.1f} {:.1f}".format(*random.uniform(0, 180, 3)) for _ in range(2)]
    kind = ("block", "ring")[seed % 2]
    away = random.normal(size=3)
    away *= (0.045 if kind == "block" else 0.09) / np.linalg.norm(away)
    model, data = load(torus("ring", 0.08, 0.02, 24, 12) + block("block", (0.05, 0.04, 0.03), 2), f"""
      <body euler='{turns[0]}'><freejoint/><geom type='mesh' mesh='{kind}' {TRIANGLES}/></body>
      <body euler='{turns[1]}' pos='{away[0]} {away[1]} {away[2]}'><freejoint/>
        <geom type='mesh' mesh='{kind}' {TRIANGLES}/></body>""", "gravity='0 0 0'")
    run(model, data, 1)
    torsor.forward(model, data)
    assert min((contact.dist for contact in data.contact), default=0) > -1e-3
    assert np.isfinite(data.qpos).all() and np.abs(data.qvel.reshape(2, 6)[:, :3]).max() < 10


@pytest.mark.parametrize("shape", ["size='.05'", "type='box' size='.04 .04 .04'", "type='capsule' size='.03 .04'"])
def test_what_falls_into_a_bowl_stays_there(shape):
    model, data = load(bowl("bowl", 0.3), f"""
      <geom type='mesh' mesh='bowl' pos='0 0 .3' {TRIANGLES}/>
      <body pos='.12 .05 .4'><freejoint/><geom {shape} condim='6' friction='.5 .01 .01'/></body>""")
    heights = run(model, data, 4, lambda data: data.xpos[1][2])
    assert heights.min() > 0.02
    assert data.xpos[1][2] < 0.1 and np.hypot(*data.xpos[1][:2]) < 0.15
    assert np.abs(data.qvel[:3]).max() < 0.05


def test_a_thin_shell_holds_from_both_sides():
    """A ball rests on the bowl from above; one that is thrown up from below comes back."""
    model, data = load(bowl("bowl", 0.3), f"""
      <geom type='mesh' mesh='bowl' pos='0 0 1' {TRIANGLES}/>
      <body pos='0 0 .6'><freejoint/><geom size='.05'/></body>""")
    data.qvel[2] = 1.5
    heights = run(model, data, 0.5, lambda data: data.xpos[1][2])
    assert heights.max() < 0.7 - 0.04
    assert data.qvel[2] < -1


# Queries and settings


def test_distances_to_triangles_know_the_hole_of_a_ring():
    model, data = load(torus("ring", 1, 0.25, 64, 32), f"<geom type='mesh' mesh='ring' {TRIANGLES}/>"
                                                       "<geom size='.1'/><geom size='.1' pos='1 0 1'/>")
    torsor.forward(model, data)
    assert torsor.geom_distance(model, data, 0, 1, 10)[0] == pytest.approx(0.75 - 0.1, abs=5e-3)
    assert torsor.geom_distance(model, data, 0, 2, 10)[0] == pytest.approx(0.75 - 0.1, abs=5e-3)


def test_margin_gap_and_condim_are_those_of_other_pairs():
    model, data = load(sheet("sheet", 1, 5), f"""
      <geom type='mesh' mesh='sheet' {TRIANGLES} margin='.02' gap='.03' condim='1'/>
      <body pos='.1 .1 .14'><freejoint/><geom size='.1' condim='4'/></body>
      <body pos='-.5 .1 .11'><freejoint/><geom size='.1' condim='1'/></body>""")
    torsor.forward(model, data)
    assert [contact.dim for contact in data.contact] == [4, 1]
    assert [contact.exclude for contact in data.contact] == [1, 0]
    np.testing.assert_allclose([contact.dist for contact in data.contact], [0.04, 0.01], atol=1e-7)
    assert all(contact.includemargin == 0.02 for contact in data.contact)


def test_runs_repeat_to_the_bit():
    ends = []
    for _ in range(2):
        model, data = load(torus("ring", 0.1, 0.02), f"""<geom type='plane' size='5 5 1'/>
          <body pos='0 0 .3' euler='30 20 0'><freejoint/><geom type='mesh' mesh='ring' {TRIANGLES}/></body>
          <body pos='.05 0 .4' euler='50 10 0'><freejoint/><geom type='mesh' mesh='ring' {TRIANGLES}/></body>""")
        run(model, data, 1)
        ends.append(np.array(data.qpos))
    assert (ends[0] == ends[1]).all()
