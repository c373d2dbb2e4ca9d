"""Compares two snapshots field by field, relative to each array's own largest value, and says where they differ."""

import dataclasses

import numpy as np

import fields

TOLERANCE = 1e-9  # levels L1, L2 and L6
FLOAT_TOLERANCE = 5e-7  # arrays of single precision, and what follows from the mass properties of a mesh
MEASURED_TOLERANCE = 1e-5  # lengths that both engines find by a simulation of their own, until it settles
FROM_SINGLE = {"mesh_vert", "mesh_normal", "geom mesh points", "cam_fovy"}  # made from arrays of single precision
FAMILY_SHARE = 1e-4  # a quantity this much smaller than its family is compared as if it were this share of the family
SMALLEST = 1e-6  # arrays below this are compared as if they were this large
SCREENING = 1e-4  # states are screened with a perturbation of qpos of this times the tolerance


@dataclasses.dataclass
class Difference:
    """One field in which the engines disagree, at the place where they disagree most."""

    field: str
    index: tuple
    subject: object
    judge: object
    error: float
    allowed: float

    def __str__(self):
        place = "[" + ", ".join(str(i) for i in self.index) + "]" if self.index else ""
        return (f"{self.field}{place}: subject {self.subject} MuJoCo {self.judge}, "
                f"off by {self.error:.2g} of the largest value (allowed {self.allowed:.2g})")


def has_mesh_mass(shot):
    """Whether a mesh may have given some body its mass or a shape its size."""
    return bool(np.size(shot["mesh_vertadr"]) > 0)


def differences(subject, judge, tolerance=TOLERANCE, skip=()):
    """All differences between two snapshots of unique quantities. Fields that the subject lacks are not compared."""
    found = []
    for name in sorted(judge.keys() & subject.keys() - set(skip)):
        left, right = np.asarray(subject[name]), np.asarray(judge[name])
        if left.shape != right.shape:
            found.append(Difference(name + " shape", (), left.shape, right.shape, np.inf, 0))
        elif left.dtype.kind in "US" or right.dtype.kind in "USiub":
            found += _exact(name, left, right)
        else:
            found += _close(name, left, right, tolerance_of(name, right, tolerance), judge)
    return found


def model_differences(subject, judge, tolerance, rewrite):
    """Differences between raw model snapshots: whole numbers first, since the rest can only be read if they agree."""
    structure = {name for name, array in judge.items() if np.asarray(array).dtype.kind in "iubU"}
    found = differences({name: subject[name] for name in structure & subject.keys()}, judge)
    return found or differences(rewrite(subject), rewrite(judge), tolerance)


def tolerance_of(name, array, tolerance):
    """Single precision arrays and what is made from them are as good as single precision."""
    if name == "actuator_lengthrange":
        return max(MEASURED_TOLERANCE, tolerance)
    single = array.dtype == np.float32 or name in FROM_SINGLE
    return max(FLOAT_TOLERANCE, tolerance) if single else tolerance


def _exact(name, left, right):
    if np.array_equal(left, right):
        return []
    index = tuple(int(i) for i in np.argwhere(left != right)[0])
    return [Difference(name, index, left[index], right[index], np.inf, 0)]


def _close(name, left, right, tolerance, judge):
    left, right = left.astype(float), right.astype(float)
    if left.size == 0 or np.array_equal(left, right, equal_nan=True):
        return []
    found = []
    for low, high in fields.PARTS.get(name, ((0, None),)):
        part = (..., slice(low, high)) if left.ndim else ()
        found += _close_part(name, left[part], right[part], tolerance, family_scale(name, right, judge))
    return found


def family_scale(name, array, judge):
    """The size below which a value counts as the rounding error of something larger."""
    if name.startswith(("opt.", "stat.", "vis.")):
        return 1e-30  # settings are read, not computed
    largest = [_largest(array)] + [_largest(judge[other]) for other in fields.family_of(name) if other in judge]
    return max(FAMILY_SHARE * max(largest), SMALLEST)


def _largest(array):
    array = np.asarray(array)
    finite = np.abs(array[np.isfinite(array)])
    return float(finite.max()) if finite.size else 0.0


def _close_part(name, left, right, tolerance, floor):
    scale = max(_largest(right), floor)
    with np.errstate(invalid="ignore"):
        error = np.abs(left - right) / scale
    error = np.where((left == right) | (np.isnan(left) & np.isnan(right)), 0.0, error)
    error = np.where(np.isnan(error), np.inf, error)
    if error.max() <= tolerance:
        return []
    index = tuple(int(i) for i in np.unravel_index(np.argmax(error), error.shape))
    return [Difference(name, index, left[index], right[index], float(error.max()), tolerance)]


def unstable(judge, perturbed, tolerance=TOLERANCE):
    """Fields of MuJoCo's own result that are too sensitive to its input to be compared."""
    return {difference.field for difference in differences(perturbed, judge, tolerance / 10)}


def report(found, title):
    """A readable list for a failing test."""
    lines = [f"{title}: {len(found)} differences"] + [f"  {difference}" for difference in found[:25]]
    return "\n".join(lines)
