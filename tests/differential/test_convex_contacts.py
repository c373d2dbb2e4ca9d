"""Contacts of convex solids against brute force: a short run of benchmarks/convex_contacts.py, with bounds from the
mathematics."""

import pathlib
import sys

import numpy as np
import pytest

sys.path.append(str(pathlib.Path(__file__).resolve().parents[2] / "benchmarks"))

import convex_contacts  # noqa: E402 found through the path above

PAIRS_OF_SOLIDS = 150
# The search for the depth stops at this part of the extent of the difference of both solids (contact/epa.hpp).
DEPTH_TOLERANCE = 1e-8
ROUNDING_OF_CORNERS = 2.0 ** -24  # those of hulls are in single precision, and each engine rounds its own
# Boxes prefer a face to an edge that is less deep by up to this part, as MuJoCo's do (contact/box_box.cpp).
FACE_PREFERENCE = 0.05
# Every convex polygon has a quadrilateral inside with this part of its area; only an ellipse has no better one (Sas, 1939).
LEAST_QUADRILATERAL = 2 / np.pi
CORNERS_OF_A_RIM = 16  # of the polygon that stands for a round face (contact/feature.cpp)


@pytest.fixture(scope="module", params=convex_contacts.PAIRS)
def figures(request, seed):
    return request.param, convex_contacts.study(request.param, PAIRS_OF_SOLIDS, seed)


def test_the_depth_is_the_least_in_any_direction(figures, judged):
    pair, found = figures
    error, depth, reach = (found.column("Torsor", name) for name in ("error", "depth", "reach"))
    judged(len(error))
    assert found.missing["Torsor"] == 0
    allowed = (DEPTH_TOLERANCE + ("hull" in pair) * ROUNDING_OF_CORNERS) * reach
    assert (error > -allowed).all()
    preference = depth * (1 / (1 - FACE_PREFERENCE) - 1) if pair == "box-box" else 0
    excess = error - preference - allowed
    assert excess.max() <= 0, f"{pair}: {error[excess.argmax()]} m too deep at {depth[excess.argmax()]} m"


def test_contacts_span_what_touches(figures, judged):
    pair, found = figures
    samples = [sample for sample in found.samples["Torsor"] if sample.span is not None]
    if "ellipsoid" in pair:
        return judged.expect_nothing("ellipsoids touch in a point")
    judged(len(samples))
    edges = [sample.span for sample in samples if sample.style == "edge"]
    faces = [sample.span for sample in samples if sample.style == "face"]
    if "cylinder" in pair:
        assert np.mean(edges) > np.cos(np.pi / CORNERS_OF_A_RIM) - 1e-5
    else:
        assert not edges or min(edges) > 1 - 1e-5
        assert not faces or min(faces) > LEAST_QUADRILATERAL - 1e-5
    if "cylinder" not in pair:  # for which older versions of MuJoCo give up to five points, some outside of the overlap
        assert found.spans("Torsor").mean() > found.spans("MuJoCo").mean() - 0.02


def test_there_are_at_most_as_many_contacts_as_mujoco_keeps(figures, judged):
    pair, found = figures
    counts = found.column("Torsor", "count")
    judged(len(counts))
    most = 1 if "ellipsoid" in pair else 2 if "capsule" in pair else 8 if pair == "box-box" else 4
    assert counts.max() <= most
