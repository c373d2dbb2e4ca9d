"""Whole steps of known models on a card: MuJoCo's humanoid alone and three times in one world, Gymnasium's models, a Unitree G1.

    TORSOR_MODELS=path/to/models benchmarks/gpu_models.py

TORSOR_MODELS has `mujoco/humanoid/` and `menagerie/unitree_g1/`; Gymnasium must be installed for its models.
"""

import os
import pathlib
import sys
import tempfile

import gpu
import torsor

WORLDS = (8192, 32768)
INTEGRATORS = ("Euler", "RK4", "implicit", "implicitfast", "discrete")  # as MJCF numbers them


def three_times(text):
    """The humanoid of a file three times in one world, side by side."""
    begin, end = text.index('<body name="torso"'), text.index("</worldbody>")
    after = text.rindex("</body>", begin, end) + len("</body>")
    text = f'{text[:begin]}<replicate count="3" offset="0 1.5 0">{text[begin:after]}</replicate>{text[after:]}'
    return "\n".join(line for line in text.splitlines() if 'target="torso"' not in line)  # a light that follows one


def without_meshes(path):
    """A model without what is only drawn, as MJCF."""
    spec = torsor.Spec.from_xml_path(str(path))
    spec.discard_visual()
    with tempfile.TemporaryDirectory() as folder:
        saved = pathlib.Path(folder) / "model.xml"
        spec.save(str(saved))
        return saved.read_text(encoding="utf-8")


def sources():
    """Pairs of a name and MJCF."""
    models = pathlib.Path(os.environ["TORSOR_MODELS"])
    humanoid = (models / "mujoco" / "humanoid" / "humanoid.xml").read_text(encoding="utf-8")
    yield "humanoid of MuJoCo", humanoid
    import gymnasium  # noqa: PLC0415 only its files are read

    assets = pathlib.Path(gymnasium.__file__).parent / "envs" / "mujoco" / "assets"
    for name, file in (("Ant", "ant"), ("HalfCheetah", "half_cheetah"), ("Hopper", "hopper"), ("Walker2d", "walker2d_v5")):
        yield name, (assets / f"{file}.xml").read_text(encoding="utf-8")
    pgs = (assets / "humanoid.xml").read_text(encoding="utf-8")
    yield "Humanoid, Newton", pgs.replace('solver="PGS"', 'solver="Newton"')
    yield "Humanoid, PGS", pgs
    yield "Unitree G1", without_meshes(models / "menagerie" / "unitree_g1" / "scene_mjx.xml")
    yield "three humanoids", three_times(humanoid)


def rows(rounds, device="cuda", worlds=WORLDS, warmup=1000):
    """Rows of the table in the documentation."""
    found = []
    with tempfile.TemporaryDirectory() as folder:
        for name, text in sources():
            path = pathlib.Path(folder) / "model.xml"
            path.write_text(text, encoding="utf-8")
            few, many = (gpu.measure(path, count, "float32", device, warmup, rounds) for count in worlds)
            integrator = INTEGRATORS[int(torsor.Model.from_xml_path(str(path)).opt.integrator)]
            found.append({"model": name, "dofs": str(few["dofs"]), "integrator": integrator}
                         | {f"{row['worlds']:,} worlds": f"{row['steps_per_second'] / 1e6:.2f}" for row in (few, many)}
                         | {"contacts": f"{many['contacts']:.1f}", "rows": f"{many['rows']:.1f}",
                            "kB / world": f"{many['bytes_per_world'] / 1e3:.1f}"})
            print(", ".join(f"{key} {value}" for key, value in found[-1].items()), file=sys.stderr, flush=True)
    return found


if __name__ == "__main__":
    rows(7)
