"""The commands that look at model files: inspect, check, compile and convert."""

import json

import pytest

from cli_models import PENDULUM, write_models
from cli_support import read_csv, rows_of, run


@pytest.fixture
def folder(tmp_path):
    return write_models(tmp_path)


# --- inspect --------------------------------------------------------------------------------------------------------


def test_inspect_shows_tables_of_bodies_joints_dofs_and_the_total_mass(folder):
    text = run("inspect", "mixed.xml", cwd=folder).stdout
    for title in ("Bodies (4)", "Joints (4)", "Dofs (11)"):
        assert title in text
    assert rows_of(text)["mass"].startswith("9 kg, centre of mass at 1.22222 0 0 m")  # (2*0 + 3*1 + 4*2) / 9
    assert "Keyframes" not in text
    assert "Keyframes (2)" in run("inspect", "pendulum.xml", cwd=folder).stdout


def test_inspect_as_json_says_the_same(folder):
    model = json.loads(run("inspect", "mixed.xml", "--json", cwd=folder).stdout)
    assert model["sizes"]["nq"] == 13 and model["sizes"]["nv"] == 11
    assert model["totals"]["mass"] == pytest.approx(9)
    assert model["totals"]["com"] == pytest.approx([11 / 9, 0, 0])
    assert [body["name"] for body in model["bodies"]] == ["world", "box", "ball", "last"]
    assert [body["parent"] for body in model["bodies"]] == [-1, 0, 1, 2]
    assert [body["mass"] for body in model["bodies"]] == pytest.approx([0, 2, 3, 4])
    assert [body["subtree_mass"] for body in model["bodies"]] == pytest.approx([9, 9, 7, 4])
    assert [joint["type"] for joint in model["joints"]] == ["free", "ball", "slide", "hinge"]
    assert [joint["range"] for joint in model["joints"]] == [None, None, [-1, 1], None]
    assert [dof["joint"] for dof in model["dofs"]] == [0] * 6 + [1] * 3 + [2, 3]
    assert [geom["type"] for geom in model["geoms"]] == ["sphere"] * 3


def test_inspect_of_a_model_without_bodies_works(tmp_path):
    (tmp_path / "empty.xml").write_text("<mujoco/>")
    assert "0 kg" in run("inspect", "empty.xml", cwd=tmp_path).stdout
    assert json.loads(run("inspect", "empty.xml", "--json", cwd=tmp_path).stdout)["sizes"]["nbody"] == 1
    run("sim", "empty.xml", "--steps", 3, "--csv", "out.csv", cwd=tmp_path)
    assert read_csv(tmp_path / "out.csv")[0] == ["time"]


# --- check ----------------------------------------------------------------------------------------------------------


def test_check_of_a_sound_file_is_exit_code_0(folder):
    result = run("check", "mixed.xml", cwd=folder)
    assert result.stdout == "mixed.xml: ok (4 bodies, 4 joints, 11 dofs)\n" and not result.stderr


def test_check_reports_every_file_and_fails_if_one_is_broken(folder):
    result = run("check", "pendulum.xml", "broken.xml", "mixed.xml", cwd=folder, code=1)
    verdicts = result.stdout.splitlines()
    assert verdicts[0].startswith("pendulum.xml: ok") and verdicts[2].startswith("mixed.xml: ok")
    assert verdicts[1] == "broken.xml: 2 errors"
    assert len(result.stderr.splitlines()) == 2


def test_check_quiet_prints_only_what_is_wrong(folder):
    assert not run("check", "--quiet", "pendulum.xml", cwd=folder).stdout
    result = run("check", "-q", "broken.xml", cwd=folder, code=1)
    assert not result.stdout and "broken.xml:4:" in result.stderr


@pytest.mark.parametrize(
    "text", ["", "hello", "<mujoco>", "<robot/>", "\x00\x01\x02", "<mujoco><include file='m.xml'/></mujoco>"]
)
def test_check_of_what_is_no_model_is_an_error_and_no_crash(tmp_path, text):
    (tmp_path / "m.xml").write_text(text)
    assert "m.xml" in run("check", "m.xml", cwd=tmp_path, code=1).stderr


# --- compile --------------------------------------------------------------------------------------------------------


def test_compiled_models_run_with_the_same_bits(folder):
    assert "pendulum.torsor" in run("compile", "pendulum.xml", "-o", "pendulum.torsor", cwd=folder).stdout
    for name in ("pendulum.xml", "pendulum.torsor"):
        run("sim", name, "-k", "side", "--steps", 200, "--csv", name + ".csv", cwd=folder)
    assert (folder / "pendulum.xml.csv").read_bytes() == (folder / "pendulum.torsor.csv").read_bytes()
    assert run("check", "pendulum.torsor", cwd=folder).stdout.startswith("pendulum.torsor: ok")


def test_a_damaged_binary_model_is_an_error(folder):
    run("compile", "pendulum.xml", "-o", "pendulum.torsor", cwd=folder)
    whole = (folder / "pendulum.torsor").read_bytes()
    (folder / "cut.torsor").write_bytes(whole[:-100])
    (folder / "bent.torsor").write_bytes(whole[:200] + bytes([whole[200] ^ 1]) + whole[201:])
    for name in ("cut.torsor", "bent.torsor"):
        assert name in run("check", name, cwd=folder, code=1).stderr


def test_compile_never_overwrites_its_model(folder):
    assert "destroy" in run("compile", "pendulum.xml", "-o", "pendulum.xml", cwd=folder, code=1).stderr
    assert (folder / "pendulum.xml").read_text() == PENDULUM


# --- convert --------------------------------------------------------------------------------------------------------


def test_convert_writes_one_file_that_is_the_same_model(folder):
    assert "flat.xml" in run("convert", "assembled.xml", "flat.xml", cwd=folder).stdout
    text = (folder / "flat.xml").read_text()
    assert "include" not in text and "replicate" not in text and text.count("<freejoint") == 3
    assert '<default class="thin">' in text and text.count('class="thin"') == 4
    models = [json.loads(run("inspect", name, "--json", cwd=folder).stdout) for name in ("assembled.xml", "flat.xml")]
    for model in models:
        model.pop("file", None)
    assert models[0] == models[1]


def test_convert_into_another_folder_still_finds_the_meshes(tmp_path):
    (tmp_path / "meshes").mkdir()
    tetrahedron = "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n"
    (tmp_path / "meshes" / "part.obj").write_text(tetrahedron)
    (tmp_path / "robot.xml").write_text(
        "<mujoco><compiler meshdir='meshes'/><asset><mesh file='part.obj'/></asset>"
        "<worldbody><geom type='mesh' mesh='part'/></worldbody></mujoco>")
    (tmp_path / "deep" / "er").mkdir(parents=True)
    run("convert", "robot.xml", "deep/er/robot.xml", cwd=tmp_path)
    run("check", "deep/er/robot.xml", cwd=tmp_path)


def test_convert_refuses_other_formats_and_itself(folder):
    assert "known by its ending" in run("convert", "pendulum.xml", "pendulum.sdf", cwd=folder, code=1).stderr
    assert "the model itself" in run("convert", "pendulum.xml", "./pendulum.xml", cwd=folder, code=1).stderr
    assert (folder / "pendulum.xml").read_text() == PENDULUM
    assert "cannot write" in run("convert", "pendulum.xml", "nowhere/out.xml", cwd=folder, code=1).stderr


def test_convert_leaves_out_what_it_is_told_to(folder):
    result = run("convert", "refused.xml", "rest.xml", "--ignore", "all", cwd=folder)
    assert "warning:" in result.stderr
    run("check", "rest.xml", cwd=folder)


# --- what a model may read, and how large it may be -----------------------------------------------------------------

OBJ = "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n"
WITH_MESH = "<mujoco>{}<asset><mesh name='m' file='{}'/></asset><worldbody><geom type='mesh' mesh='m'/></worldbody></mujoco>"


def test_restrict_limits_where_files_are_read_from(tmp_path):
    (tmp_path / "robot").mkdir()
    (tmp_path / "meshes").mkdir()
    (tmp_path / "meshes" / "part.obj").write_text(OBJ)
    (tmp_path / "robot" / "robot.xml").write_text(WITH_MESH.format("", "../meshes/part.obj"))
    run("check", "robot/robot.xml", cwd=tmp_path)
    run("check", "robot/robot.xml", "--restrict", "meshes", cwd=tmp_path)
    run("check", "robot/robot.xml", "--restrict", "robot", "--restrict", "meshes", cwd=tmp_path)
    assert "may not be read" in run("check", "robot/robot.xml", "--restrict", "robot", cwd=tmp_path, code=1).stderr


def test_memory_limit_refuses_large_models(folder):
    (folder / "large.xml").write_text(
        "<mujoco><worldbody><replicate count='1000'><geom size='1'/></replicate></worldbody></mujoco>")
    assert "too large" in run("check", "large.xml", "--memory-limit", "1M", cwd=folder, code=1).stderr
    run("check", "large.xml", "--memory-limit", "1G", cwd=folder)
    assert "16G" in run("check", "large.xml", "--memory-limit", "much", cwd=folder, code=2).stderr


@pytest.mark.parametrize("way", ["from its folder", "from elsewhere", "by an absolute path"])
def test_roundtrip_holds_wherever_files_are(tmp_path, way):
    files = {
        "robot/meshes/in.obj": OBJ, "robot/sub/beside.obj": OBJ, "robot/sub/deep/deeper.obj": OBJ, "far/far.obj": OBJ,
        "robot/sub/part.xml": "<mujoco><asset><mesh name='p' file='beside.obj'/></asset></mujoco>",
        "robot/sub/deep/part.xml": "<mujoco><asset><mesh name='d' file='x/deeper.obj'/></asset></mujoco>",
        "robot/sub/child.xml": "<mujoco model='child'><include file='deep/part.xml'/><compiler strippath='true'/>"
                               "<worldbody><geom type='mesh' mesh='d'/></worldbody></mujoco>",
    }
    inside = {
        "folder": WITH_MESH.format("<compiler meshdir='meshes'/>", "in.obj"),
        "asset_folder": WITH_MESH.format("<compiler assetdir='./meshes/'/>", "./in.obj"),
        "absolute_folder": WITH_MESH.format(f"<compiler assetdir='{tmp_path}/far'/>", "far.obj"),
        "absolute": WITH_MESH.format("<compiler meshdir='meshes'/>", f"{tmp_path}/far/far.obj"),
        "up": WITH_MESH.format("<compiler meshdir='meshes'/>", "../../far/far.obj"),
        "stripped": WITH_MESH.format("<compiler meshdir='meshes' strippath='true'/>", "x/y/in.obj"),
        "beside": WITH_MESH.format("<compiler meshdir='meshes'/><include file='sub/part.xml'/>", "in.obj"),
        "stripped_beside": WITH_MESH.format("<compiler strippath='true'/><include file='sub/deep/part.xml'/>",
                                            "q/../sub/part.xml").replace(
            "<mesh name='m' file='q/../sub/part.xml'/>", "").replace("mesh='m'", "mesh='d'"),
        "attached": "<mujoco><compiler meshdir='meshes'/><asset><model name='c' file='sub/child.xml'/></asset>"
                    "<worldbody><attach model='c' prefix='x'/></worldbody></mujoco>",
        "attached_stripped": "<mujoco><compiler strippath='true'/><asset><model name='c' file='sub/child.xml'/></asset>"
                             "<worldbody><attach model='c' prefix='x'/></worldbody></mujoco>",
    }
    for name, text in {**files, **{f"robot/{name}.xml": text for name, text in inside.items()}}.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text)
    for name in inside:
        if way == "from its folder":
            run("check", "--roundtrip", f"{name}.xml", cwd=tmp_path / "robot")
        elif way == "from elsewhere":
            run("check", "--roundtrip", f"../robot/{name}.xml", cwd=tmp_path / "far")
        else:
            run("check", "--roundtrip", tmp_path / "robot" / f"{name}.xml", cwd=tmp_path)


def test_urdf_files_need_a_base(tmp_path):
    mass = "<inertial><mass value='1'/><inertia ixx='1' iyy='1' izz='1'/></inertial>"
    shape = "<collision><geometry><mesh filename='package://arm/t.obj'/></geometry></collision>"
    (tmp_path / "arm.urdf").write_text(f"<robot name='arm'><link name='a'>{mass}{shape}</link></robot>")
    (tmp_path / "packages" / "arm").mkdir(parents=True)
    (tmp_path / "packages" / "arm" / "t.obj").write_text(
        "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n")
    assert "--base" in run("inspect", "arm.urdf", "--package", "packages", cwd=tmp_path, code=1).stderr
    assert "arm/t.obj" in run("inspect", "arm.urdf", "--base", "fixed", cwd=tmp_path, code=1).stderr
    for base, nq in (("fixed", 0), ("floating", 7)):
        shown = run("inspect", "arm.urdf", "--base", base, "--package", "packages", "--json", cwd=tmp_path).stdout
        assert json.loads(shown)["sizes"]["nq"] == nq
