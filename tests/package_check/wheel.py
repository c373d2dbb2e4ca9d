"""Makes the wheel and uses it as somebody would who has nothing else of Torsor: wheel.py <root>.

It must hold what it should and nothing else, link only to what every Linux system has, and work when it is installed in an
empty virtual environment outside of the tree.
"""

import os
import pathlib
import re
import sys
import tempfile
import zipfile

from commands import report, run

# Libraries that the manylinux standard counts on.
SYSTEM_LIBRARIES = re.compile(r"lib(c|m|pthread|dl|rt|stdc\+\+|gcc_s)\.so\.\d+|ld-linux-[\w-]+\.so\.\d")
LIBRARIES_INSIDE = ("fmt", "pugixml", "qhull", "stb", "zlib", "cli11", "nlohmann_json", "boost", "three",
                    "nanobind")
USE = """
import pathlib, torsor
xml = "<mujoco><asset><mesh name='m' vertex='0 0 0 1 0 0 0 1 0 0 0 1'/></asset><worldbody><body>" \
      "<freejoint/><geom type='mesh' mesh='m'/></body></worldbody></mujoco>"
model = torsor.Model.from_xml_string(xml)
data = torsor.Data(model)
for _ in range(50):
    torsor.step(model, data)
assert data.qpos[2] < -0.01, data.qpos
print(torsor.__version__, pathlib.Path(torsor.__file__).parent)
"""


def expected_files(root, version):
    """The files of the wheel, by path; the module has the suffix of its Python."""
    package = pathlib.Path(root, "python")
    files = {str(path.relative_to(package)) for path in package.glob("torsor/**/*.py")}
    files |= {f"torsor/{name}" for name in ("py.typed", "_core.so", "_core/__init__.pyi", "_core/_newton.pyi")}
    files |= {f"torsor-{version}.data/scripts/torsor"}
    files |= {f"torsor/licenses/{name}.txt" for name in LIBRARIES_INSIDE}
    return files | {f"torsor-{version}.dist-info/{name}" for name in ("METADATA", "RECORD", "WHEEL", "licenses/LICENSE")}


def faults_of_contents(names, expected):
    """What a list of files has too many or too few."""
    found = {re.sub(r"(?<=/_core)\..*\.so$", ".so", name) for name in names if not name.endswith("/")}
    found = {name for name in found if "/sboms/" not in name}  # auditwheel's list of what it copied in
    return [f"not in the wheel: {name}" for name in sorted(expected - found)] + [
        f"should not be in the wheel: {name}" for name in sorted(found - expected)
    ]


def faults_of_links(name, dynamic_section):
    """The libraries in the output of readelf -d that a system may lack."""
    needed = re.findall(r"\(NEEDED\).*\[(.+)\]", dynamic_section)
    faults = [f"{name} needs {library}" for library in needed if not SYSTEM_LIBRARIES.fullmatch(library)]
    return faults if needed else [f"{name} was not read"]


def faults_of_wheel(wheel, root, version, folder):
    """What is wrong with the file itself."""
    faults = []
    if not re.fullmatch(rf"torsor-{version}-(cp\d+)-\1-manylinux_2_\d+_\w+\.whl", wheel.name):
        faults.append(f"unexpected name: {wheel.name}")
    with zipfile.ZipFile(wheel) as archive:
        names = archive.namelist()
        faults += faults_of_contents(names, expected_files(root, version))
        for name in names:
            if name.endswith((".so", "/scripts/torsor")):
                faults += faults_of_links(name, run("readelf", "-d", archive.extract(name, folder)))
    return faults


def faults_of_use(wheel, root, version, folder):
    """What does not work in an empty environment that the wheel is installed in."""
    home = pathlib.Path(folder, "environment")
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("PYTHON", "TORSOR", "VIRTUAL_ENV"))}
    options = {"cwd": folder, "env": kept}
    run(sys.executable, "-m", "venv", home, **options)
    python, program = home / "bin" / "python", home / "bin" / "torsor"
    run(python, "-m", "pip", "install", "--quiet", "--constraint", pathlib.Path(root, "requirements.txt"), wheel, **options)
    site = next(home.glob("lib/python3*/site-packages"))
    told = {
        "import and step": (run(python, "-c", USE, **options), f"{version} {site / 'torsor'}"),
        "torsor --version": (run(program, "--version", **options), f"torsor {version}"),
        "python -m torsor --version": (run(python, "-m", "torsor", "--version", **options), f"torsor {version}"),
        "torsor python": (run(program, "python", **options).splitlines()[-1], f"torsor {version} ({site / 'torsor'})"),
    }
    run(program, "demo", "--duration", "1", "--out", "demo", **options)
    run(program, "demo", "--gallery", "gallery", **options)
    pathlib.Path(folder, "scene.xml").write_text(run(program, "demo", "--xml", **options), encoding="utf-8")
    run(program, "render", "scene.xml", "scene.png", **options)
    for name in ("demo/demo.html", "demo/demo.svg", "gallery/index.html", "scene.png"):
        if not pathlib.Path(folder, name).is_file():
            return [f"torsor wrote no {name}"]
    return [f"{what}: {said!r}, expected {right!r}" for what, (said, right) in told.items() if said.strip() != right]


def main():
    (root,) = sys.argv[1:]
    header = pathlib.Path(root, "torsor/core/version.hpp").read_text(encoding="utf-8")
    version = re.search(r'kHeaderVersion = "(.+)"', header).group(1)
    with tempfile.TemporaryDirectory() as folder:
        run(pathlib.Path(root, "scripts/wheel"), "--out", pathlib.Path(folder, "dist"))
        (wheel,) = pathlib.Path(folder, "dist").iterdir()
        faults = faults_of_wheel(wheel, root, version, folder) or faults_of_use(wheel, root, version, folder)
        size = wheel.stat().st_size / 1e6
    return report(faults, f"{wheel.name}, {size:.1f} MB, works in an empty environment")


if __name__ == "__main__":
    sys.exit(main())
