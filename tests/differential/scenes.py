"""The models that the differential tests run on: our feature models, random ones, and collections of the user."""

import functools
import os
import pathlib

import engines
import generator
import schema
import sections

ROOT = pathlib.Path(__file__).resolve().parents[2]
FEATURES = sorted((ROOT / "models" / "features").glob("*.xml"))
BATCH = 50  # random models per test
QUICK, LONG = (bool(os.environ.get(name)) for name in ("TORSOR_QUICK", "TORSOR_LONG"))
# The ordinary run has the same ones every time, so that few are as good as many; a long one has others each time.
RANDOM_MODELS = int(os.environ.get("TORSOR_RANDOM_MODELS", 100 if QUICK else 2000 if LONG else 400))


@functools.cache
def collection():
    """Model files below TORSOR_MODELS that MuJoCo can load once later sections are left out."""
    folder = os.environ.get("TORSOR_MODELS")
    if folder and not pathlib.Path(folder).is_dir():
        raise FileNotFoundError(f"TORSOR_MODELS={folder} is no folder")
    return [path for path in sorted(pathlib.Path(folder).rglob("*.xml")) if dofs(path) is not None] if folder else []


@functools.cache
def dofs(path):
    """How many dofs MuJoCo finds in a file, or None if it cannot load it."""
    try:
        return engines.judge().load_file(path, sections.LATER_SECTIONS).nv
    except (ValueError, OSError):
        return None  # a fragment that other files include


def feature_id(path):
    return path.stem


def collection_id(path):
    return str(path.relative_to(os.environ["TORSOR_MODELS"]))


@functools.cache
def random_text(seed):
    """The random model of a seed; every fourth one has meshes."""
    return generator.make_model(seed, meshes=seed % 4 == 3).text


def batches(count):
    """Offsets of the batches that make up a number of random models."""
    return range(0, count, BATCH)


@functools.cache
def refused_in(path):
    """Elements of a model file, later sections left out, that the engine under test refuses by name."""
    root = sections.read_with_includes(path)
    sections.remove_sections(root, sections.LATER_SECTIONS)
    _, refused = engines.subject().schema()
    return {tags[-1] for _, tags in schema.walk(root) if schema.element_path(tags) in refused}
