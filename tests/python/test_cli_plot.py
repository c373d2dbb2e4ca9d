"""torsor plot, and the files that torsor demo leaves."""

import json
import os
import re
import xml.etree.ElementTree

import pytest

from cli_support import ROOT, run
from test_render import read_png

FIGURE = ROOT / "models/scenes/figure.xml"


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """With a trajectory of the figure."""
    path = tmp_path_factory.mktemp("plots")
    run("sim", FIGURE, "--keyframe", "pushed", "--duration", "1", "--csv", "run.csv", cwd=path)
    return path


def texts_of(path):
    """The words of an SVG file, which must be well-formed."""
    root = xml.etree.ElementTree.parse(path).getroot()
    return [element.text for element in root.iter("{http://www.w3.org/2000/svg}text")]


def test_a_trajectory_of_sim_becomes_an_svg_with_names_and_units(folder):
    shown = run("plot", "run.csv", "--signals", "qpos.root.z,qpos.*_knee,qvel.left_knee", "--model", FIGURE, "--out",
                "run.svg", "--title", "Pushed & falling", cwd=folder).stdout
    assert shown == "run.svg: 4 signals of 251 rows\n"
    texts = texts_of(folder / "run.svg")
    for text in ("Pushed & falling", "root.z", "left_knee", "right_knee", "qpos [m]", "qpos [rad]", "qvel [rad/s]",
                 "time [s]"):
        assert text in texts


def test_without_a_model_free_joints_have_units_by_their_endings(folder):
    run("plot", "run.csv", "--signals", "qpos.root.*,qpos.left_knee", "--out", "free.svg", cwd=folder)
    texts = texts_of(folder / "free.svg")
    assert {"qpos [m]", "qpos [1]", "qpos"} <= set(texts)


def test_a_png_has_lines_in_the_colours_of_the_theme(folder):
    for theme, is_background in (("light", lambda pixel: min(pixel) > 240), ("dark", lambda pixel: max(pixel) < 40)):
        run("plot", "run.csv", "--signals", "qpos.root.z", "--out", "run.png", "--theme", theme, "--width", "500",
            cwd=folder)
        pixels = read_png(folder / "run.png")
        assert pixels.shape[1] == 500
        assert is_background(pixels[2, 2].tolist())
        blue = (pixels[..., 2] > 180) & (pixels[..., 0] < 130)
        assert blue.sum() > 300


def test_without_a_name_the_plot_lies_beside_the_trajectory(folder):
    run("plot", "run.csv", "--signals", "qpos.root.x", cwd=folder)
    assert texts_of(folder / "run.csv.svg")


def test_columns_are_listed(folder):
    columns = run("plot", "run.csv", "--list", cwd=folder).stdout.split()
    assert columns[:2] == ["time", "qpos.root.x"]
    assert len(columns) == 1 + 24 + 23


def test_tables_of_other_programs_and_last_states_of_rollouts_are_plotted(folder):
    (folder / "log.json").write_text(json.dumps({"time": [0, 1, 2], "height": [3, 2, 1]}))
    run("plot", "log.json", "--out", "log.svg", cwd=folder)
    assert {"height", "time [s]"} <= set(texts_of(folder / "log.svg"))
    run("rollout", FIGURE, "--count", "5", "--steps", "3", "--spread", ".1", "--csv", "last.csv", cwd=folder)
    run("plot", "last.csv", "--signals", "qpos.root.z", "--out", "last.svg", cwd=folder)
    assert "row" in texts_of(folder / "last.svg")  # all at one time


def test_names_of_a_file_cannot_leave_their_element(folder):
    (folder / "bad.csv").write_text('time,"</text><script>x</script>"\n0,1\n1,2\n')
    run("plot", "bad.csv", "--out", "bad.svg", cwd=folder)
    assert "<script" not in (folder / "bad.svg").read_text()
    assert "</text><script>x</script>" in texts_of(folder / "bad.svg")


def test_what_cannot_be_plotted_is_said(folder):
    (folder / "empty.csv").write_text("time,a\n")
    before = (folder / "run.csv").read_text()
    for arguments, message in [
            (["run.csv", "--signals", "qpos.rot.z", "--out", "x.svg"], "did you mean 'qpos.root.z'"),
            (["run.csv", "--out", "x.pdf"], "neither plot.svg nor plot.png"),
            (["nothing.csv"], "nothing.csv"),
            (["empty.csv"], ""),
            (["run.csv", "--out", "no/such/folder.svg", "--signals", "qpos.root.z"], "cannot write")]:
        result = run("plot", *arguments, cwd=folder, code=1)
        assert message in result.stderr, arguments
    run("plot", "run.csv", "--out", "x.svg", "--theme", "pink", cwd=folder, code=2)
    assert (folder / "run.csv").read_text() == before


def test_the_demo_ends_with_a_replay_and_a_plot_and_says_where(tmp_path):
    shown = run("demo", "--duration", "1", "--out", "here", cwd=tmp_path).stdout
    places = dict(re.findall(r"^(replay|plot) +(.*)$", shown, re.MULTILINE))
    replay = tmp_path / places["replay"]
    assert '<script type="text/plain" id="torsor-frames">' in replay.read_text()
    assert {"RK4", "implicit", "Euler", "energy drift [J]"} <= set(texts_of(tmp_path / places["plot"]))
    shown = run("demo", "--duration", "0.2", cwd=tmp_path, XDG_CACHE_HOME=str(tmp_path / "caches")).stdout
    assert str(tmp_path / "caches" / "torsor" / "demo.html") in shown
    assert "replay" not in run("demo", "--duration", "0.2", "--no-files", cwd=tmp_path).stdout


def test_a_demo_that_cannot_write_its_files_still_runs(tmp_path):
    (tmp_path / "caches").mkdir()
    (tmp_path / "caches" / "torsor").write_text("a file is in the way")
    shown = run("demo", "--duration", "0.2", cwd=tmp_path, XDG_CACHE_HOME=str(tmp_path / "caches"))
    assert "real-time factor" in shown.stdout
    run("demo", "--duration", "0.2", "--out", "caches/torsor", cwd=tmp_path, code=1)


def test_the_gallery_has_a_page_replays_pictures_and_a_gripper_that_holds_with_sap_alone(tmp_path):
    shown = run("demo", "--gallery", "gallery", cwd=tmp_path).stdout
    page = (tmp_path / "gallery" / "index.html").read_text()
    assert f"gallery{os.sep}index.html" in shown
    links = set(re.findall(r'(?:href|src)="([^"]+)"', page))
    assert {"demo.html", "standing.html", "pushed.html", "falling.html", "gripper.html", "gripper.svg"} <= links
    for link in links:
        assert (tmp_path / "gallery" / link).stat().st_size > 1000, link
    assert not re.search(r'(?:href|src)="(?:https?:)?//', page)
    ticks = [text for text in texts_of(tmp_path / "gallery" / "gripper.svg") if re.fullmatch(r"-?\d+", text)]
    assert max(map(int, ticks)) >= 20  # mm: with soft constraints the cube slips
    plot = (tmp_path / "gallery" / "gripper.svg").read_text()
    lines = re.findall(r'<polyline points="([^"]+)"[^>]*stroke-width="1.8"', plot)
    ends = [float(line.split()[-1].split(",")[1]) for line in lines]  # y down: a larger slip is higher up
    starts = [float(line.split()[0].split(",")[1]) for line in lines]
    assert starts[0] - ends[0] > 20 * abs(starts[1] - ends[1])
