"""torsor.convert and torsor convert: every format to every other, archives of MuJoCo, and what is said to be lost."""

import io
import json
import os
import pathlib
import struct
import sys
import zipfile
import zlib

import mujoco
import numpy as np
import pytest
import torsor
from cli_support import run

ROOT = pathlib.Path(__file__).parents[2]
OBJ = b"v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n"
PNG = (b"\x89PNG\r\n\x1a\n" + b"".join(
    struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
    for kind, data in ((b"IHDR", struct.pack(">IIBBBBB", 2, 2, 8, 2, 0, 0, 0)),
                       (b"IDAT", zlib.compress(b"\0" * 14)), (b"IEND", b""))))
ROBOT = """<mujoco model="robot"><compiler meshdir="parts" texturedir="images"/>
<asset><mesh name="m" file="m.obj"/><texture name="t" type="2d" file="t.png"/><material name="mat" texture="t"/></asset>
<worldbody><body name="arm"><joint name="j" range="-30 40" damping="2"/><geom name="g" type="mesh" mesh="m" material="mat"/>
</body></worldbody><actuator><motor name="motor" joint="j"/></actuator></mujoco>"""


@pytest.fixture
def robot(tmp_path):
    for name, contents in (("robot.xml", ROBOT.encode()), ("parts/m.obj", OBJ), ("images/t.png", PNG)):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_bytes(contents)
    return tmp_path / "robot.xml"


def archive(files, method=zipfile.ZIP_DEFLATED):
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", method) as packed:
        for name, contents in files.items():
            packed.writestr(name, contents)
    return out.getvalue()


def equal(a, b):
    """All arrays, but for paths of files and what follows from them."""
    return [d.name for d in a.diff(b) if "path" not in d.name]


# --- archives -------------------------------------------------------------------------------------------------------


def test_an_archive_holds_the_whole_model(robot, tmp_path):
    report = torsor.convert(robot, tmp_path / "packed.mjz")
    assert (report.source, report.target, report.lost) == ("mjcf", "mjz", [])
    names = zipfile.ZipFile(tmp_path / "packed.mjz").namelist()
    assert names[0] == "model.xml" and set(names[1:]) == {"assets/m.obj", "assets/t.png"}
    alone = tmp_path / "elsewhere"
    alone.mkdir()
    (alone / "renamed.mjz").write_bytes((tmp_path / "packed.mjz").read_bytes())
    model = torsor.Model.from_xml_path(alone / "renamed.mjz")
    assert equal(torsor.Model.from_xml_path(robot), model) == []
    assert torsor.Model.from_xml_path(alone / "renamed.mjz").ntex == 1


def test_mujoco_reads_our_archives(robot, tmp_path):
    torsor.convert(robot, tmp_path / "packed.zip")
    theirs = mujoco.MjSpec.from_zip(str(tmp_path / "packed.zip")).compile()
    ours = torsor.Model.from_xml_path(tmp_path / "packed.zip")
    np.testing.assert_allclose(ours.body_mass, theirs.body_mass, rtol=1e-6)
    assert (theirs.nmesh, theirs.ntex, theirs.nu) == (1, 1, 1)


def test_we_read_the_archives_of_mujoco(robot, tmp_path):
    spec = mujoco.MjSpec.from_file(str(robot))
    spec.assets = {"parts/m.obj": OBJ, "images/t.png": PNG}
    spec.compile()
    spec.to_zip(str(tmp_path / "theirs.zip"))
    theirs, ours = torsor.Model.from_xml_path(tmp_path / "theirs.zip"), torsor.Model.from_xml_path(robot)
    # MuJoCo writes six digits, and the pose of a mesh, which it finds from the compiled one: 0 up to rounding
    written, found = {"jnt_range"}, {"geom_pos", "body_ipos", "dof_M0", "dof_invweight0", "body_invweight0", "actuator_acc0"}
    differing = {name for name in equal(theirs, ours) if not name.startswith("stat.")}
    assert differing <= written | found
    for name in differing:
        np.testing.assert_allclose(getattr(theirs, name), getattr(ours, name), rtol=1e-5 if name in written else 1e-13)
    for name in ("meaninertia", "meanmass", "meansize", "extent", "center"):
        np.testing.assert_allclose(getattr(theirs.stat, name), getattr(ours.stat, name), rtol=1e-13)


@pytest.mark.parametrize("model, stem", [("model.xml", "a"), ("a.xml", "a"), ("a/a.xml", "a"), ("a/model.xml", "a"),
                                         ("other/name.xml", "a")])
def test_the_model_of_an_archive_is_found(tmp_path, model, stem):
    folder = model.rpartition("/")[0]
    files = {model: ROBOT, f"{folder}/parts/m.obj".strip("/"): OBJ, f"{folder}/images/t.png".strip("/"): PNG}
    (tmp_path / f"{stem}.mjz").write_bytes(archive(files))
    assert torsor.Model.from_xml_path(tmp_path / f"{stem}.mjz").name == "robot"


def test_the_archive_of_an_include_is_complete(tmp_path):
    files = {"model.xml": "<mujoco><include file='part/b.xml'/></mujoco>",
             "part/b.xml": "<mujoco><worldbody><geom name='from_b' size='1'/></worldbody></mujoco>"}
    (tmp_path / "a.mjz").write_bytes(archive(files))
    assert torsor.Model.from_xml_path(tmp_path / "a.mjz").geom(0).name == "from_b"
    with pytest.raises(torsor.Error, match=r"a\.mjz/model\.xml"):
        (tmp_path / "a.mjz").write_bytes(archive({"model.xml": "<mujoco><worldbudy/></mujoco>"}))
        torsor.Model.from_xml_path(tmp_path / "a.mjz")


GOOD = archive({"model.xml": "<mujoco/>"})
FAULTS = {
    "cut off": (GOOD[:-30], "not a ZIP archive, or cut off"),
    "half a member": (GOOD[:40] + GOOD[60:], "damaged|cut off|not where"),
    "no model": (archive({"readme.txt": "hello"}), "no XML file"),
    "two models": (archive({"b.xml": "<mujoco/>", "c.xml": "<mujoco/>"}), "several XML files"),
    "traversal": (archive({"model.xml": "<mujoco/>", "../../evil.obj": OBJ}), "leads out of the archive"),
    "absolute": (archive({"model.xml": "<mujoco/>", "/etc/passwd": OBJ}), "leads out of the archive"),
    "archive in archive": (archive({"model.xml": GOOD}), "an archive itself"),
    "bomb": (archive({"model.xml": "<mujoco/>", "big.obj": b"\0" * (20 << 20)}), "members have more than"),
}


@pytest.mark.parametrize("fault", FAULTS)
def test_bad_archives_are_refused(tmp_path, fault):
    contents, message = FAULTS[fault]
    (tmp_path / "a.mjz").write_bytes(contents)
    with pytest.raises(torsor.Error, match=message):
        torsor.Model.from_xml_path(tmp_path / "a.mjz", memory_limit=10 << 20)
    assert [path.name for path in tmp_path.iterdir()] == ["a.mjz"]


def test_a_model_in_an_archive_reads_nothing_else(tmp_path):
    (tmp_path / "secret.obj").write_bytes(OBJ)
    text = f"<mujoco><asset><mesh name='m' file='{tmp_path}/secret.obj'/></asset></mujoco>"
    (tmp_path / "a.mjz").write_bytes(archive({"model.xml": text}))
    with pytest.raises(torsor.Error, match="may not be read from disk"):
        torsor.Model.from_xml_path(tmp_path / "a.mjz")
    assert torsor.Model.from_xml_path(tmp_path / "a.mjz", restrict=[tmp_path]).nmesh == 1


# --- conversions ----------------------------------------------------------------------------------------------------

ENDINGS = ["xml", "urdf", "mjz", "torsor", "usda"]


@pytest.mark.parametrize("source", ENDINGS)
@pytest.mark.parametrize("target", ENDINGS)
def test_every_format_becomes_every_other(robot, tmp_path, source, target):
    start, out = tmp_path / f"a.{source}", tmp_path / "out" / f"b.{target}"
    out.parent.mkdir()
    torsor.convert(robot, start)
    report = torsor.convert(start, out)
    names = {"xml": "mjcf", "torsor": "binary", "usda": "usd"}
    assert (report.source, report.target) == (names.get(source, source), names.get(target, target))
    assert report.files[0] == str(out) and all(pathlib.Path(file).is_file() for file in report.files)
    model = torsor.usd.load(out) if target == "usda" else torsor.Model.from_xml_path(out)
    before = torsor.Model.from_xml_path(robot)
    assert [model.joint(i).name for i in range(model.njnt)] == ["j"]
    np.testing.assert_allclose(model.jnt_range, before.jnt_range, rtol=1e-6)
    np.testing.assert_allclose(model.body_mass.sum(), before.body_mass.sum(), rtol=1e-6)


@pytest.mark.parametrize("ending", ["xml", "mjz"])
def test_a_compiled_model_becomes_mjcf_again(robot, tmp_path, ending):
    before = torsor.Model.from_xml_path(robot)
    torsor.convert(robot, tmp_path / "r.torsor")
    for part in ("robot.xml", "parts/m.obj", "images/t.png"):
        (tmp_path / part).unlink()
    report = torsor.convert(tmp_path / "r.torsor", tmp_path / f"again.{ending}")
    lost = {(loss.kind, *loss.names): loss.what for loss in report.lost}
    assert lost["texture", "t"] == "a compiled model has no images" and "vertices" in lost["mesh", "m"]
    after = torsor.Model.from_xml_path(tmp_path / f"again.{ending}")
    assert (after.ntex, after.nmesh, after.nu) == (0, 1, 1)
    for name in ("body_mass", "body_inertia", "jnt_range", "dof_damping", "actuator_gear"):
        np.testing.assert_allclose(getattr(after, name), getattr(before, name), rtol=1e-6, atol=1e-9, err_msg=name)
    shapes = []  # equal moments of inertia leave the frame of the mesh open, not its place
    for model in (before, after):
        data = torsor.Data(model)
        torsor.forward(model, data)
        shapes.append(data.geom_xpos[0] + model.mesh_vert @ data.geom_xmat[0].reshape(3, 3).T)
    np.testing.assert_allclose(shapes[1], shapes[0], atol=1e-6)
    theirs = mujoco.MjSpec.from_zip(str(tmp_path / "again.mjz")).compile() if ending == "mjz" else \
        mujoco.MjModel.from_xml_path(str(tmp_path / "again.xml"))
    np.testing.assert_allclose(theirs.body_mass, before.body_mass, rtol=1e-6)


def test_a_compiled_model_that_is_cut_off_becomes_nothing(robot, tmp_path):
    torsor.convert(robot, tmp_path / "r.torsor")
    whole = (tmp_path / "r.torsor").read_bytes()
    (tmp_path / "r.torsor").write_bytes(whole[:len(whole) // 2])
    with pytest.raises(torsor.Error):
        torsor.convert(tmp_path / "r.torsor", tmp_path / "again.xml")
    assert not (tmp_path / "again.xml").exists()


def test_what_is_lost_is_named(robot, tmp_path):
    lost = {(loss.kind, *loss.names): loss.what for loss in torsor.convert(robot, tmp_path / "r.urdf").lost}
    assert lost["actuator", "motor"] == "URDF has no actuators"
    assert lost["texture", "t"] == "URDF files are written without textures"
    assert "compiled model" in torsor.convert(robot, tmp_path / "r.torsor").lost[0].what


def test_a_robot_with_collada_meshes_becomes_mjcf_that_mujoco_reads(tmp_path):
    from test_collada import collada
    (tmp_path / "m.dae").write_text(collada())
    (tmp_path / "r.urdf").write_text("<robot name='r'><link name='a'><collision><geometry><mesh filename='m.dae'/></geometry>"
                                     "</collision></link></robot>")
    torsor.convert(tmp_path / "r.urdf", tmp_path / "r.xml", base="fixed")
    theirs = mujoco.MjModel.from_xml_path(str(tmp_path / "r.xml"))
    assert theirs.nmesh == 1 and equal(torsor.Model.from_xml_path(tmp_path / "r.xml"),
                                       torsor.Model.from_xml_path(tmp_path / "r.urdf", base="fixed")) == []


def test_the_program_prints_the_report(robot, tmp_path):
    printed = run("convert", robot, "r.urdf", cwd=tmp_path).stdout
    assert "r.urdf" in printed and "r_meshes/m.obj" in printed and "actuator 'motor': URDF has no actuators" in printed
    report = json.loads(run("convert", robot, "r.mjz", "--json", cwd=tmp_path).stdout)
    assert report["from"] == "mjcf" and report["to"] == "mjz" and report["files"] == ["r.mjz"] and report["lost"] == []
    report = json.loads(run("convert", "r.urdf", "back.xml", "--json", cwd=tmp_path).stdout)
    assert report["from"] == "urdf" and (tmp_path / "back.xml").exists()


def test_the_program_hands_usd_and_compiled_models_to_python(robot, tmp_path):
    here = {"PATH": os.pathsep.join([os.path.dirname(sys.executable), os.environ["PATH"]]),
            "PYTHONPATH": os.path.dirname(os.path.dirname(torsor.__file__))}
    report = json.loads(run("convert", robot, "r.usda", "--json", cwd=tmp_path, **here).stdout)
    assert report["from"] == "mjcf" and report["to"] == "usd" and report["files"] == ["r.usda"]
    printed = run("convert", "r.usda", "again.xml", cwd=tmp_path, **here).stdout
    assert "again.xml" in printed and torsor.Model.from_xml_path(tmp_path / "again.xml").nu == 1
    run("compile", robot, "-o", "r.torsor", cwd=tmp_path)
    report = json.loads(run("convert", "r.torsor", "compiled.xml", "--json", cwd=tmp_path, **here).stdout)
    assert report["from"] == "binary" and report["to"] == "mjcf" and report["files"] == ["compiled.xml"]
    assert torsor.Model.from_xml_path(tmp_path / "compiled.xml").nu == 1


def test_mistakes_are_said_and_nothing_is_written(robot, tmp_path):
    with pytest.raises(torsor.Error, match="known by its ending"):
        torsor.convert(robot, tmp_path / "r.sdf")
    with pytest.raises(torsor.Error, match="the model itself"):
        torsor.convert(robot, robot)
    with pytest.raises(torsor.Error, match="cannot open"):
        torsor.convert(tmp_path / "none.xml", tmp_path / "r.mjz")
    with pytest.raises(torsor.Error, match="is a folder"):
        torsor.convert(tmp_path, tmp_path / "r.mjz")
    with pytest.raises(torsor.Error, match="cannot write"):
        torsor.convert(robot, tmp_path / "nowhere" / "r.mjz")
    (tmp_path / "parts" / "m.obj").unlink()
    with pytest.raises(torsor.Error, match="m.obj"):
        torsor.convert(robot, tmp_path / "r.mjz")
    assert {path.name for path in tmp_path.iterdir()} == {"robot.xml", "parts", "images"}
