"""Collada meshes: placed by their scene, in metres, with errors that name the file."""

import numpy as np
import pytest
import torsor

SOURCE = """<source id="p"><float_array id="pa" count="12">0 0 0 1 0 0 0 1 0 0 0 1</float_array>
<technique_common><accessor source="#pa" count="4" stride="3"/></technique_common></source>
<vertices id="v"><input semantic="POSITION" source="#p"/></vertices>"""
INPUT = '<input semantic="VERTEX" source="#v" offset="0"/>'
CORNERS = "0 2 1 0 1 3 0 3 2 1 2 3"
TRIANGLES = f'<triangles count="4">{INPUT}<p>{CORNERS}</p></triangles>'
POINTS = np.array([[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1.0]])


def collada(primitive=TRIANGLES, node='<instance_geometry url="#g"/>', asset="", more="", source=SOURCE, head=""):
    return f"""<?xml version="1.0"?>{head}<COLLADA version="1.4.1"><asset>{asset}</asset>
<library_geometries><geometry id="g"><mesh>{source}{primitive}</mesh></geometry></library_geometries>{more}
<library_visual_scenes><visual_scene id="s"><node id="n">{node}</node></visual_scene></library_visual_scenes>
<scene><instance_visual_scene url="#s"/></scene></COLLADA>"""


def load(text, scale="1 1 1"):
    """The mesh in the frame of the file: its vertices, and its volume."""
    bytes_ = text if isinstance(text, bytes) else text.encode()
    model = torsor.Model.from_xml_string(f"<mujoco><asset><mesh name='m' file='m.dae' inertia='exact' scale='{scale}'/></asset>"
                                         "<worldbody><body><geom type='mesh' mesh='m'/></body></worldbody></mujoco>",
                                         assets={"m.dae": bytes_})
    data = torsor.Data(model)
    torsor.kinematics(model, data)
    R = data.geom_xmat[0].reshape(3, 3)
    return model.mesh_vert @ R.T + data.geom_xpos[0], model.body_mass[1] / 1000


def same_points(found, expected):
    order = lambda points: points[np.lexsort(np.round(points, 5).T)]  # noqa: E731
    np.testing.assert_allclose(order(np.unique(np.round(found, 6), axis=0)), order(np.unique(np.round(expected, 6), axis=0)),
                               atol=2e-6)


QUADS = f'<polylist count="2">{INPUT}<vcount>3 3</vcount><p>0 2 1 0 1 3</p></polylist>'
FORMS = {
    "triangles": TRIANGLES,
    "offsets": '<triangles count="4"><input semantic="NORMAL" source="#p" offset="0"/>'
               '<input semantic="VERTEX" source="#v" offset="1"/><p>' + " ".join(f"0 {i}" for i in CORNERS.split()) + "</p></triangles>",
    "polylist": f'<polylist count="4">{INPUT}<vcount>3 3 3 3</vcount><p>{CORNERS}</p></polylist>',
    "polygons": f"<polygons count='4'>{INPUT}<p>0 2 1</p><p>0 1 3</p><p>0 3 2</p><p>1 2 3</p></polygons>",
    "fans": f"<trifans count='2'>{INPUT}<p>0 1 3 2 1</p><p>1 2 3</p></trifans>",
    "strips": f"<tristrips count='1'>{INPUT}<p>0 2 1 3 0 2</p></tristrips>",
    "several": TRIANGLES.replace(CORNERS, "0 2 1 0 1 3") + QUADS.replace("0 2 1 0 1 3", "0 3 2 1 2 3"),
}


@pytest.mark.parametrize("form", FORMS)
def test_every_primitive_gives_the_same_tetrahedron(form):
    points, volume = load(collada(FORMS[form]))
    same_points(points, POINTS)
    assert volume == pytest.approx(1 / 6, rel=1e-5)  # that its triangles point outwards


def test_nodes_place_their_geometry_in_order():
    node = ('<translate>1 2 3</translate><rotate>0 0 1 90</rotate><scale>2 1 1</scale><node>'
            '<matrix>1 0 0 5 0 1 0 0 0 0 1 0 0 0 0 1</matrix><instance_geometry url="#g"/></node>')
    points, volume = load(collada(node=node))
    local = (POINTS + [5, 0, 0]) * [2, 1, 1]
    same_points(points, np.column_stack([-local[:, 1], local[:, 0], local[:, 2]]) + [1, 2, 3])
    assert volume == pytest.approx(2 / 6, rel=1e-5)


def test_a_mirrored_node_is_not_turned_inside_out():
    points, volume = load(collada(node='<scale>-1 1 1</scale><instance_geometry url="#g"/>'))
    same_points(points, POINTS * [-1, 1, 1])
    assert volume == pytest.approx(1 / 6, rel=1e-5)  # `exact` refuses triangles that point inwards


def test_the_unit_is_applied_and_the_up_axis_is_not():
    for up in ("X_UP", "Y_UP", "Z_UP"):
        points, _ = load(collada(asset=f'<unit name="cm" meter="0.01"/><up_axis>{up}</up_axis>'))
        same_points(points, POINTS * 0.01)


def test_instances_of_nodes_and_skins_are_placed():
    more = ('<library_nodes><node id="lib"><translate>0 0 10</translate><instance_geometry url="#g"/></node></library_nodes>'
            '<library_controllers><controller id="c"><skin source="#g"><bind_shape_matrix>1 0 0 20 0 1 0 0 0 0 1 0 0 0 0 1'
            '</bind_shape_matrix></skin></controller></library_controllers>')
    points, _ = load(collada(node='<instance_node url="#lib"/><instance_controller url="#c"/>', more=more))
    same_points(points, np.concatenate([POINTS + [0, 0, 10], POINTS + [20, 0, 0]]))


def test_a_robot_has_meshes_of_collada(tmp_path):
    (tmp_path / "m.dae").write_text(collada())
    (tmp_path / "r.urdf").write_text(
        "<robot name='r'><link name='a'><visual><geometry><mesh filename='m.dae' scale='2 2 2'/></geometry></visual>"
        "<collision><geometry><mesh filename='package://m.dae'/></geometry></collision></link></robot>")
    model = torsor.Model.from_xml_path(tmp_path / "r.urdf", base="fixed")
    assert model.ngeom == 2 and model.nmesh == 2 and not model.warnings


BOMB = "<!DOCTYPE x [<!ENTITY a 'ha'>" + "".join(
    f"<!ENTITY {chr(98 + i)} '{f'&{chr(97 + i)};' * 10}'>" for i in range(10)) + "]>"
LOOP = '<node id="x"><instance_node url="#y"/></node><node id="y"><instance_node url="#x"/></node>'
FAULTS = [
    (collada()[:200], "XML is malformed"),
    (b"\x00\xff\x00", "XML is malformed|root element"),
    ("<mesh/>", "root element is <mesh>"),
    (collada(node=""), "no triangles"),
    (collada(node='<instance_geometry url="#h"/>'), "the geometry '#h' does not exist"),
    (collada(node='<instance_geometry url="other.dae#g"/>'), "in another file"),
    (collada(TRIANGLES.replace(CORNERS, "0 1 4")), "vertex 4, but there are 4"),
    (collada(TRIANGLES.replace(CORNERS, "0 1 -1")), "vertex -1"),
    (collada(TRIANGLES.replace(CORNERS, "0 1 2 3")), "4 corners"),
    (collada(TRIANGLES.replace(CORNERS, "0 1 x")), "'x' where a number"),
    (collada(source=SOURCE.replace('count="4"', 'count="40"')), "40 positions are announced"),
    (collada(source=SOURCE.replace("0 0 0 1", "0 0 0 nan")), "not finite"),
    (collada(source=SOURCE.replace("0 0 0 1", "0 0 0 1e300")), "too large"),
    (collada(FORMS["polylist"].replace("3 3 3 3", "3 3 3 999")), "more corners"),
    (collada(f"<polygons>{INPUT}<ph><p>0 1 2</p><h>1 2 3</h></ph></polygons>"), "holes"),
    (collada(asset='<unit meter="-1"/>'), "not a length"),
    (collada(node=LOOP + '<instance_node url="#x"/>'), "nested deeper"),
    (collada(node="<skew>0 0 0 0 0 0 0</skew>"), "skew"),
    (collada(head=BOMB, asset="<comments>&k;</comments>", node=""), "no triangles"),
]


@pytest.mark.parametrize("text, message", FAULTS, ids=range(len(FAULTS)))
def test_what_is_wrong_is_said(text, message):
    with pytest.raises(torsor.Error, match="Collada file 'm.dae'.*(" + message + ")"):
        load(text)


def test_few_lines_cannot_ask_for_many_triangles():
    nodes = "".join(f'<node id="n{i}">' + f'<instance_node url="#n{i + 1}"/>' * 10 + "</node>" for i in range(9))
    nodes += '<node id="n9"><instance_geometry url="#g"/></node>'
    with pytest.raises(torsor.Error, match="more than .* (nodes|triangles)"):
        load(collada(node=nodes + '<instance_node url="#n0"/>'))
