"""torsor inspect: a table for every kind of element, and the same as JSON."""

import json
import re

import pytest

import torsor
from cli_support import ROOT, run

FULL = """<mujoco model="full">
  <asset>
    <mesh name="wedge" vertex="0 0 0  1 0 0  0 1 0  0 0 1"/>
    <hfield name="hills" nrow="2" ncol="3" size="1 2 0.5 0.1"/>
    <material name="steel" rgba="0.5 0.5 0.6 1" shininess="0.9"/>
  </asset>
  <worldbody>
    <light name="lamp" pos="0 0 3" dir="0 0 -1"/>
    <camera name="eye" pos="0 -2 1" mode="targetbody" target="upper" fovy="60"/>
    <geom name="floor" type="plane" size="1 1 1"/>
    <geom name="ground" type="hfield" hfield="hills" contype="0" conaffinity="0"/>
    <body name="upper" pos="0 0 1">
      <joint name="shoulder" axis="0 1 0" range="-90 90" limited="true" damping="0.5"/>
      <geom name="bone" type="capsule" size="0.05 0.2" material="steel"/>
      <site name="skin" pos="0.05 0 0" size="0.01"/>
      <camera name="wrist" pos="0 0 0.1" projection="orthographic" fovy="2"/>
      <body name="lower" pos="0.4 0 0">
        <joint name="slider" type="slide" axis="1 0 0"/>
        <geom name="tip" type="mesh" mesh="wedge" mass="1"/>
        <site name="end" size="0.02"/>
      </body>
    </body>
    <body name="loose" pos="0 1 1"><freejoint/><geom size="0.1"/><site name="mark" size="0.01"/></body>
  </worldbody>
  <contact><exclude name="never" body1="upper" body2="loose"/><pair name="touching" geom1="floor" geom2="bone"/></contact>
  <tendon>
    <fixed name="coupling"><joint joint="shoulder" coef="2"/><joint joint="slider" coef="-1"/></fixed>
    <spatial name="rope" stiffness="10" range="0 2" limited="true"><site site="skin"/><site site="end"/></spatial>
  </tendon>
  <equality>
    <connect name="pin" body1="lower" body2="loose" anchor="0.1 0 0"/>
    <joint name="follow" joint1="slider" joint2="shoulder" polycoef="0 0.5 0 0 0" active="false"/>
    <tendon name="keep" tendon1="rope"/>
  </equality>
  <actuator>
    <motor name="torque" joint="shoulder" gear="50" ctrlrange="-1 1" ctrllimited="true" forcerange="-40 40" forcelimited="true"/>
    <position name="servo" joint="slider" kp="100"/>
    <velocity name="brake" joint="slider" kv="3"/>
    <general name="pull" tendon="rope" dyntype="filter" dynprm="0.1"/>
    <motor name="push" site="end" gear="0 0 1 0 0 0"/>
    <motor joint="shoulder"/>
  </actuator>
  <sensor>
    <jointpos name="angle" joint="shoulder"/>
    <jointvel name="speed" joint="slider"/>
    <accelerometer name="imu" site="skin" noise="0.1"/>
    <framepos name="where" objtype="site" objname="end" reftype="body" refname="loose"/>
    <tendonpos name="length" tendon="rope"/>
    <actuatorfrc name="effort" actuator="torque"/>
    <touch site="skin" cutoff="5"/>
    <clock name="now"/>
  </sensor>
  <keyframe><key name="home" qpos="0.1 0.2 0 1 1 1 0 0 0" ctrl="1 0 0 0 0 0"/></keyframe>
</mujoco>
"""

TABLES = {"bodies": "Bodies", "joints": "Joints", "dofs": "Dofs", "geoms": "Geoms", "sites": "Sites", "cameras": "Cameras",
          "lights": "Lights", "tendons": "Tendons", "actuators": "Actuators", "equalities": "Equalities",
          "sensors": "Sensors", "pairs": "Contact pairs", "excludes": "Excluded pairs of bodies", "meshes": "Meshes",
          "hfields": "Height fields", "materials": "Materials", "keyframes": "Keyframes"}


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "full.xml").write_text(FULL)
    return tmp_path


def tables_of(text):
    """{title: lines below it, the titles of the columns first}"""
    result = {}
    for block in text.split("\n\n")[1:]:
        title, *lines = block.splitlines()
        result[re.match(r"(.+) \(\d+\)$", title)[1]] = lines
    return result


def row_of(table, name):
    """The cells of a row by its name; cells are two blanks apart."""
    for line in table[1:]:
        cells = re.split(r" {2,}", line.strip())
        if cells[1] == name:
            return cells
    raise AssertionError(f"no row {name} in\n" + "\n".join(table))


def test_there_is_a_table_for_every_kind_of_element(folder):
    text = run("inspect", "full.xml", cwd=folder).stdout
    assert list(tables_of(text)) == list(TABLES.values())


def test_actuators_say_kind_target_and_ranges(folder):
    table = tables_of(run("inspect", "full.xml", cwd=folder).stdout)["Actuators"]
    assert row_of(table, "torque")[2:8] == ["motor", "joint shoulder", "0", "-1 1", "-40 40", "50"]
    assert row_of(table, "servo")[2:4] == ["position", "joint slider"]
    assert row_of(table, "brake")[2:4] == ["velocity", "joint slider"]
    assert row_of(table, "pull")[2:4] == ["general", "tendon rope"] and "filter" in row_of(table, "pull")
    assert row_of(table, "push")[2:4] == ["motor", "site end"] and "0 0 1" in row_of(table, "push")
    assert row_of(table, "#5")[3] == "joint shoulder"


def test_sensors_say_type_object_reference_place_and_unit(folder):
    table = tables_of(run("inspect", "full.xml", cwd=folder).stdout)["Sensors"]
    assert row_of(table, "angle")[2:8] == ["jointpos", "joint shoulder", "-", "0", "1", "rad"]
    assert row_of(table, "speed")[2:8] == ["jointvel", "joint slider", "-", "1", "1", "m/s"]
    assert row_of(table, "imu")[2:8] == ["accelerometer", "site skin", "-", "2", "3", "m/s^2"]
    assert row_of(table, "where")[2:8] == ["framepos", "site end", "body loose", "5", "3", "m"]
    assert row_of(table, "length")[2:5] == ["tendonpos", "tendon rope", "-"]
    assert row_of(table, "effort")[2:4] == ["actuatorfrc", "actuator torque"]
    assert row_of(table, "#6")[2:4] == ["touch", "site skin"] and row_of(table, "now")[7] == "s"


def test_the_other_tables_say_what_refers_to_what(folder):
    tables = tables_of(run("inspect", "full.xml", cwd=folder).stdout)
    assert row_of(tables["Geoms"], "bone")[2:6] == ["capsule", "upper", "0.05 0.2", "1/1/3"]
    assert row_of(tables["Geoms"], "tip")[4] == "wedge" and row_of(tables["Geoms"], "ground")[4] == "hills"
    assert row_of(tables["Sites"], "end")[2:4] == ["sphere", "lower"]
    assert row_of(tables["Cameras"], "eye")[2:7] == ["world", "targetbody", "upper", "perspective", "60 deg"]
    assert row_of(tables["Cameras"], "wrist")[6] == "2 m"
    assert row_of(tables["Tendons"], "coupling")[-1] == "2 shoulder + -1 slider"
    assert row_of(tables["Tendons"], "rope")[-1] == "skin, end" and row_of(tables["Tendons"], "rope")[4] == "0 2"
    assert row_of(tables["Equalities"], "pin")[2:6] == ["connect", "body lower", "body loose", "yes"]
    assert row_of(tables["Equalities"], "follow")[2:6] == ["joint", "joint slider", "joint shoulder", "no"]
    assert row_of(tables["Equalities"], "keep")[2:5] == ["tendon", "tendon rope", "-"]
    assert row_of(tables["Contact pairs"], "touching")[2:4] == ["floor", "bone"]
    assert row_of(tables["Excluded pairs of bodies"], "never")[2:4] == ["upper", "loose"]
    assert row_of(tables["Materials"], "steel")[2] == "0.5 0.5 0.6 1"
    assert row_of(tables["Meshes"], "wedge")[2:4] == ["4", "4"] and row_of(tables["Height fields"], "hills")[2:4] == ["2", "3"]
    assert row_of(tables["Lights"], "lamp")[2:4] == ["spot", "world"]
    assert row_of(tables["Keyframes"], "home")[3] == "0.1 0.2 0 1 1 1 0 0 0"


def test_json_has_the_same_with_ids_and_names(folder):
    result = json.loads(run("inspect", "full.xml", "--json", cwd=folder).stdout)
    model = torsor.Model.from_xml_path(folder / "full.xml")
    counts = {"bodies": model.nbody, "joints": model.njnt, "dofs": model.nv, "geoms": model.ngeom, "sites": model.nsite,
              "cameras": model.ncam, "lights": model.nlight, "tendons": model.ntendon, "equalities": model.neq,
              "sensors": model.nsensor, "pairs": model.npair, "excludes": model.nexclude, "meshes": model.nmesh,
              "hfields": model.nhfield, "materials": model.nmat, "keyframes": model.nkey}
    assert {key: len(result[key]) for key in counts} == counts and len(result["actuators"]) == 6
    torque = result["actuators"][0]
    assert torque["target"] == {"type": "joint", "id": 0, "name": "shoulder"}
    assert torque["ctrlrange"] == [[-1, 1]] and torque["forcerange"] == [-40, 40] and torque["gear"][0] == 50
    assert result["sensors"][3]["reference"] == {"type": "body", "id": 3, "name": "loose"}
    assert result["sensors"][0]["reference"] is None and result["sensors"][2]["noise"] == 0.1
    assert result["equalities"][1]["active"] is False and result["equalities"][2]["second"] is None
    assert [item["name"] for item in result["tendons"][1]["path"]] == ["skin", "end"]
    assert [item["coefficient"] for item in result["tendons"][0]["path"]] == [2, -1]
    assert result["keyframes"][0]["ctrl"] == [1, 0, 0, 0, 0, 0]


def test_tables_can_be_chosen(folder):
    text = run("inspect", "full.xml", "--tables", "sensors,actuators", cwd=folder).stdout
    assert list(tables_of(text)) == ["Actuators", "Sensors"]
    result = json.loads(run("inspect", "full.xml", "--tables", "sites", "--json", cwd=folder).stdout)
    assert "sites" in result and "geoms" not in result and "totals" in result


def test_empty_tables_are_not_printed_but_are_empty_lists_in_json(tmp_path):
    (tmp_path / "empty.xml").write_text("<mujoco/>")
    assert list(tables_of(run("inspect", "empty.xml", cwd=tmp_path).stdout)) == ["Bodies"]
    assert json.loads(run("inspect", "empty.xml", "--json", cwd=tmp_path).stdout)["sensors"] == []


def model_files():
    return [path for path in sorted((ROOT / "models").rglob("*.xml")) if "<mujocoinclude" not in path.read_text()]


@pytest.mark.parametrize("path", model_files()[::7], ids=lambda path: path.stem)
def test_tables_fit_into_100_columns_and_say_what_they_left_out(path):
    text = run("inspect", path, "--ignore", "all").stdout
    too_wide = [line for line in text.splitlines()[8:] if len(line) > 100]
    assert not too_wide, "\n".join(too_wide)
