#!/usr/bin/env python3
"""Makes the pictures and plots of docs/pictures.md; scripts/run must have built the program."""

import os
import pathlib
import subprocess
import tempfile

ROOT = pathlib.Path(__file__).parents[1]
PROGRAM = os.environ.get("TORSOR_PROGRAM", ROOT / "build" / "release" / "cli" / "torsor")
IMAGES = ROOT / "docs" / "images"
FIGURE = ROOT / "models" / "scenes" / "figure.xml"


def torsor(*words):
    subprocess.run([PROGRAM, *map(str, words)], check=True)


def main():
    torsor("render", FIGURE, IMAGES / "render_figure.png", "--time", 0.4, "--keyframe", "pushed", "--size", "960x540")
    with tempfile.TemporaryDirectory() as folder:
        trajectory = pathlib.Path(folder) / "run.csv"
        torsor("sim", FIGURE, "--keyframe", "pushed", "--duration", 3, "--csv", trajectory)
        torsor("plot", trajectory, "--signals", "qpos.root.z,qpos.*_knee", "--model", FIGURE, "--out",
               IMAGES / "plot_figure.svg")
        torsor("demo", "--gallery", folder)
        (IMAGES / "render_gripper.png").write_bytes((pathlib.Path(folder) / "gripper.png").read_bytes())


if __name__ == "__main__":
    main()
