"""Which fields of the wheel's model and data are compared: all of them, minus a list with a reason for each."""

import functools
import re

import engines

MODEL_LEFT_OUT = {
    r"n?bvh\w*|body_bvh\w+|mesh_bvh\w+": "bounding volume trees are built by choice",
    r"n?oct(_\w+)?|mesh_oct\w+": "octrees are built by choice",
    r"n?mesh_?graph(adr)?|n?mesh_?poly\w*|npolygonmax|nmeshdegmax|mesh_extrema":
        "hull graphs, polygons and support hints are built by choice",
    r"tex_\w+|ntexdata": "compared in test_textures.py",
    r"name_\w+adr|names|names_map|nnames|nnames_map": "compared as lists of names per kind of object",
    r"paths|npaths|\w+_pathadr": "file paths as each engine found them",
    r"n?flex\w*|nJfe|nJfv": "flexible bodies",
    r"n?plugin\w*|\w+_plugin": "plugins",
    r"nbuffer|narena|signature": "memory of one particular implementation",
    r"nemax|n?efm0?\w*": "structures of the wheel's own constraint solver",
}
DATA_LEFT_OUT = {
    r"bvh_\w+": "bounding volume trees are built by choice",
    r"flex\w*": "flexible bodies",
    r"n?plugin\w*": "plugins",
    r"narena|nbuffer|parena|pbase|pstack|threadpool|maxuse_\w+|signature": "memory of one particular implementation",
    r"flg_\w+": "marks which lazy results are up to date in one particular implementation",
    r"efc_\w+|iefc_\w+|n(A|J|Y|e|f|l|efc|con|idof|island)": "constraints are compared at later levels",
    r"island_\w+|map_\w+|iacc\w*|ifrc_\w+|dof_island|tree_island": "islands are compared at later levels",
    r"n?efm\w*|solver_\w+|qfrc_adhesion|tendon_efcadr": "structures of the constraint solver",
    r"qH|qHDiagInv|qLU|qDeriv": "scratch of the implicit integrators, tested by the state after a step",
}

# Quaternions, compared as rotations because q and -q mean the same.
QUATERNIONS = {"body_quat", "site_quat", "cam_quat", "xquat", "mocap_quat", "xiquat", "geom_xquat", "site_xquat"}
# Arrays laid out like qpos: quaternions in them are compared as rotations too.
QPOS_LIKE = {"qpos0", "qpos_spring", "key_qpos", "qpos"}
# Arrays of several quantities, compared quantity by quantity: {name: columns of each}.
PARTS = {
    "cinert": ((0, 6), (6, 9), (9, 10)),
    "crb": ((0, 6), (6, 9), (9, 10)),
    "cvel": ((0, 3), (3, 6)),
    "cdof": ((0, 3), (3, 6)),
    "cdof_dot": ((0, 3), (3, 6)),
    "body_invweight0": ((0, 1), (1, 2)),
    "geom_aabb": ((0, 3), (3, 6)),
    "eq_data": ((0, 3), (3, 6), (6, 10), (10, 11), (11, 12)),
}
# Quantities that are sums of each other; a part that cancels is compared relative to the largest of its family.
FAMILIES = (
    {"qfrc_bias", "qfrc_passive", "qfrc_spring", "qfrc_damper", "qfrc_gravcomp", "qfrc_fluid", "qfrc_smooth",
     "qfrc_applied", "qfrc_inverse", "qfrc_actuator", "rne", "rne_with_acceleration", "apply_ft"},
    {"xpos", "xipos", "xanchor", "subtree_com", "geom_xpos", "site_xpos", "cam_xpos", "light_xpos"},
    {"qacc", "qacc_smooth", "cacc"},  # with gravity, which an axis square to it feels as rounding only
    {"energy", "energy_flagged"},
    {"actuator_acc0", "dof_invweight0"},  # a moment arm of zero, but for rounding, times the inverse of M
)


@functools.cache
def left_out(kind):
    """{field of the wheel: reason why it is not compared}."""
    rules = MODEL_LEFT_OUT if kind == "model" else DATA_LEFT_OUT
    found = {}
    for name in engines.wheel_fields(kind):
        for pattern, reason in rules.items():
            if re.fullmatch(pattern, name):
                found[name] = reason
    return found


@functools.cache
def compared(kind):
    """Fields of the wheel that are compared."""
    return frozenset(engines.wheel_fields(kind) - left_out(kind).keys())


def family_of(name):
    field = name.split(" ")[0]  # "qacc after velocity changed"
    for family in FAMILIES:
        if field in family:
            return family
    return {name}
