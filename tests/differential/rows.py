"""Levels L3 to L5: contacts, constraint rows and their solution at one state, matched between two engines."""

import numpy as np

import compare
import states

CONTACT_FIELDS = ("dist", "pos", "frame", "includemargin", "friction", "solref", "solreffriction", "solimp", "dim",
                  "exclude")
ROW_FIELDS = ("type", "pos", "margin", "frictionloss", "diagA", "KBIP", "D", "R", "vel", "aref", "b")
COUNTS = ("ncon", "nefc", "ne", "nf", "nl")
PLANE, SPHERE, CAPSULE, ELLIPSOID, CYLINDER, BOX = 0, 2, 3, 4, 5, 6
# Pairs whose points are unique, and boxes, whose points are the same in another order.
ANALYTIC = {(PLANE, SPHERE), (PLANE, CAPSULE), (PLANE, ELLIPSOID), (PLANE, CYLINDER), (PLANE, BOX), (SPHERE, SPHERE),
            (SPHERE, CAPSULE), (SPHERE, CYLINDER), (SPHERE, BOX), (CAPSULE, CAPSULE), (BOX, BOX)}


def contacts_of(data):
    """One dictionary per contact."""
    return [{name: np.array(getattr(contact, name), float) for name in CONTACT_FIELDS}
            | {"geoms": tuple(int(geom) for geom in contact.geom), "address": int(contact.efc_address)}
            for contact in data.contact]


def match_contacts(subject, judge):
    """For each of MuJoCo's contacts the nearest of the subject's with the same geoms, each used once; or None."""
    free, pairs = list(range(len(subject))), []
    for other in judge:
        same = [i for i in free if subject[i]["geoms"] == other["geoms"]]
        if not same:
            return None
        nearest = min(same, key=lambda i: np.linalg.norm(subject[i]["pos"] - other["pos"]))
        free.remove(nearest)
        pairs.append(nearest)
    return pairs if not free else None


def dense_jacobian(model, data, sparse):
    nefc = data.nefc
    if not sparse:
        return np.ravel(data.efc_J)[:nefc * model.nv].reshape(nefc, model.nv)  # MuJoCo may keep more numbers
    J = np.zeros((nefc, model.nv))
    for row in range(nefc):
        start, count = data.efc_J_rowadr[row], data.efc_J_rownnz[row]
        J[row, np.array(data.efc_J_colind[start:start + count])] = data.efc_J[start:start + count]
    return J


def row_order(subject_contacts, judge_contacts, matched, count, judge_rows):
    """The subject's row for each of MuJoCo's rows."""
    order = np.arange(count)
    for other, mine in zip(judge_contacts, matched):
        if other["address"] < 0:
            continue
        rows = judge_rows(other)
        order[other["address"]:other["address"] + rows] = subject_contacts[mine]["address"] + np.arange(rows)
    return order


def types_of(model, geoms):
    return tuple(int(model.geom_type[geom]) for geom in geoms)


def are_analytic(model, data):
    """Whether all contacts are of pairs with unique points."""
    return all(types_of(model, contact["geoms"]) in ANALYTIC for contact in contacts_of(data))


def keep_types(model, types):
    """Geoms of other types no longer touch anything, unless a pair names them."""
    for name in ("geom_contype", "geom_conaffinity"):
        getattr(model, name)[:] *= np.isin(model.geom_type, types)


def rows_of_contact(pyramidal):
    def count(contact):
        dim = int(contact["dim"])
        return 1 if dim == 1 else 2 * (dim - 1) if pyramidal else dim
    return count


def error(subject, judge, scale=None):
    """Largest difference relative to a scale: without one, the largest value of MuJoCo's array."""
    subject, judge = np.asarray(subject, float), np.asarray(judge, float)
    if subject.shape != judge.shape:
        return np.inf
    if judge.size == 0:
        return 0.0
    difference = np.max(np.abs(subject - judge))
    if np.isnan(difference):
        return np.inf
    scale = np.max(np.abs(judge)) if scale is None else scale
    return difference / (scale + 1e-300) if difference > 0 else 0.0


def cost_without_slip(engine, model, data, sparse):
    """What noslip makes small: 1/2 f' A f + f' b, A = J M^-1 J'."""
    J, force = dense_jacobian(model, data, sparse), np.array(data.efc_force)
    pull = J.T @ force
    return 0.5 * pull @ np.linalg.solve(engine.full_m(model, data), pull) + force @ np.array(data.efc_b)


def excess_of_cones(data):
    """How far friction is outside elliptic cones, relative to the normal force."""
    worst = 0.0
    for contact in contacts_of(data):
        dim, row = int(contact["dim"]), contact["address"]
        if row < 0 or dim == 1:
            continue
        force = np.array(data.efc_force)[row:row + dim]
        friction = np.linalg.norm(force[1:] / contact["friction"][:dim - 1])
        worst = max(worst, (friction - force[0]) / max(force[0], 1e-12))
    return worst


def snapshot(engine, model, data, state):
    states.apply(data, state)
    engine.forward(model, data)
    return data


class Comparison:
    """Contacts, rows and solution of both engines at one state; `errors` by name, relative."""

    def __init__(self, judge_model, judge_data, subject_model, subject_data, sparse):
        self.errors, self.solution = {}, {}
        for name in COUNTS:
            if getattr(judge_data, name) != getattr(subject_data, name):
                self.errors[f"{name}: {getattr(subject_data, name)} instead of {getattr(judge_data, name)}"] = np.inf
        theirs, mine = contacts_of(judge_data), contacts_of(subject_data)
        matched = match_contacts(mine, theirs)
        if matched is None:
            self.errors["contacts do not match"] = np.inf
            return
        misplaced = [other for place, (mine_at, other) in enumerate(zip(matched, theirs))
                     if mine_at != place and types_of(judge_model, other["geoms"]) != (BOX, BOX)]
        self.errors["order of contacts"] = float(len(misplaced))
        for name in CONTACT_FIELDS:
            self.errors[f"contact {name}"] = error([mine[i][name] for i in matched], [c[name] for c in theirs])
        if any("ne" in key and value == np.inf for key, value in self.errors.items()):
            return
        if judge_data.nefc != subject_data.nefc:
            return
        order = row_order(mine, theirs, matched, judge_data.nefc, rows_of_contact(judge_model.opt.cone == 0))
        for name in ROW_FIELDS:
            field = f"efc_{name}"
            self.errors[field] = error(np.array(getattr(subject_data, field))[order], getattr(judge_data, field))
        J = dense_jacobian(judge_model, judge_data, sparse)
        self.errors["efc_J"] = error(dense_jacobian(subject_model, subject_data, sparse)[order], J)
        for name in ("efc_force", "efc_state"):
            self.solution[name] = error(np.array(getattr(subject_data, name))[order], getattr(judge_data, name))
        # of an axis square to gravity the acceleration is rounding
        least = compare.FAMILY_SHARE * np.linalg.norm(judge_model.opt.gravity)
        size = max(np.max(np.abs(judge_data.qacc), initial=0.0), least)
        self.solution["qacc"] = error(subject_data.qacc, judge_data.qacc, size)
        largest = np.max(np.abs(J).T @ np.abs(np.array(judge_data.efc_force)), initial=0.0)  # forces may cancel
        self.solution["qfrc_constraint"] = error(subject_data.qfrc_constraint, judge_data.qfrc_constraint, largest)
