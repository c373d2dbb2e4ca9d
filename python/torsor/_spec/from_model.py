"""A Spec from a Model alone: every array back into the values that compile to it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy

import torsor._core as core
from torsor._error import Error
from torsor._spec import units
from torsor._spec.elements import OBJECTS

FREE, MESH, HFIELD, SDF = 0, 7, 1, 8
FALSE, TRUE = 0, 1
CONVEX, EXACT, LEGACY, SHELL = range(4)
WRAPS = {1: "joint", 2: "pulley", 3: "site", 4: "geom", 5: "geom"}
TARGETS = {0: ("joint", "joint"), 1: ("jointinparent", "joint"), 2: ("cranksite", "site"), 3: ("tendon", "tendon"),
           4: ("site", "site"), 5: ("body", "body"), 6: ("joint", "joint")}
SO3, PID = 6, 5
USER_DYNAMICS = int(core.ActuatorDynamics.USER)  # whose number of activations does not follow from its parameters
EQUALITY_OBJECTS = {2: 3, 3: 18}  # joint and tendon
# arrays that need not be equal: derived from others, or about how meshes are stored
SKIPPED = ("name", "mesh_", "path", "mat_texid", "light_texid", "hfield_path", "geom_dataid")
TOLERANCE = 1e-6
OF_MESHES = ("pos", "quat", "size", "aabb", "rbound", "sameframe")  # arrays of geoms and sites that follow from a mesh's frame


class Reading:
    """One model on its way into a Spec."""

    def __init__(self, model: Any) -> None:
        self.model = model
        self.names: dict[tuple[str, int], str] = {}
        self.taken: set[tuple[str, str]] = set()

    def given_name(self, kind: str, number: int) -> str:
        return getattr(self.model, kind)(number).name

    def name(self, kind: str, number: int) -> str:
        """The name of an element that others refer to; one without gets one."""
        if number < 0:
            return ""
        if (kind, number) not in self.names:
            found = self.given_name(kind, number)
            serial = number
            while not found or (found != self.given_name(kind, number) and self.is_taken(kind, found)):
                found = f"{kind}_{serial}"
                serial += 1000
            self.names[kind, number] = found
            self.taken.add((kind, found))
        return self.names[kind, number]

    def is_taken(self, kind: str, name: str) -> bool:
        count = self.count(kind)
        return (kind, name) in self.taken or any(self.given_name(kind, each) == name for each in range(count))

    def count(self, kind: str) -> int:
        if kind == "actuator":
            return len(self.model.actuator_dyntype)
        return int(getattr(self.model, {"joint": "njnt", "camera": "ncam", "material": "nmat", "equality": "neq"}.get(kind, f"n{kind}")))

    def row(self, name: str, number: int) -> Any:
        value = getattr(self.model, name)[number]
        return numpy.array(value) if numpy.ndim(value) else value.item()

    def rows(self, prefix: str, number: int, *names: str, **renamed: str) -> dict[str, Any]:
        """Values by name, from the arrays `prefix`_name."""
        found = {name: self.row(f"{prefix}_{name}", number) for name in names}
        found.update((name, self.row(f"{prefix}_{array}", number)) for name, array in renamed.items())
        return {name: value.astype(float) if isinstance(value, numpy.ndarray) and value.dtype.kind == "f" and value.dtype.itemsize == 8
                else value for name, value in found.items()}

    def polynomial(self, array: str, number: int) -> numpy.ndarray:
        """The linear coefficient, and those of higher powers."""
        higher = numpy.ravel(getattr(self.model, f"{array}poly")[number])
        return numpy.array([getattr(self.model, array)[number], *higher], dtype=float)[:3]

    def sap(self, prefix: str, number: int) -> dict[str, float]:
        """Values that are NaN or negative in the model are those that were left open."""
        found = {}
        for name in ("sapstiffness", "sapdissipation"):
            value = float(getattr(self.model, f"{prefix}_{name}")[number])
            found[name] = value if value >= 0 else float("nan")
        return found


def spec_of(kind: Any, model: Any) -> Any:
    """The Spec; raises Error if it does not compile to the model."""
    if not isinstance(model, core.Model):
        raise Error(f"expected a Model, got {model!r}")
    reading = Reading(model)
    tree = core._Spec().tree()
    settle_settings(reading, tree)
    tree["bodies"] = [read_body(reading, number) for number in range(model.nbody)]
    for list_name, (element, read) in READERS.items():
        tree[list_name] = [read(reading, number) for number in range(reading.count(element))]
    for body in tree["bodies"]:  # names that others refer to are known now
        for part, element in (("joints", "joint"), ("geoms", "geom"), ("sites", "site"), ("cameras", "camera"), ("lights", "light")):
            for values in body[part]:
                values["name"] = reading.names.get((element, values.pop("_number")), values["name"])
        body["name"] = reading.names.get(("body", body.pop("_number")), body["name"])
    for list_name, (element, _) in READERS.items():
        for number, values in enumerate(tree[list_name]):
            values["name"] = reading.names.get((element, number), values["name"])
    library = core._Spec.from_tree(tree)
    library = settle_simple(settle_meshes(library, model), model)
    check(library.compile(), model)
    return kind._of(library)


def settle_settings(reading: Reading, tree: dict[str, Any]) -> None:
    model = reading.model
    tree["modelname"] = model.name
    tree["compiler"].update(degree=False, autolimits=False, inertiafromgeom=FALSE)
    for block, source in (("option", model.opt), ("visual", model.vis)):
        take_over(tree[block], source)
    tree["statistic"] = {name: float(getattr(model.stat, name)) for name in ("meaninertia", "meanmass", "meansize", "extent")}
    tree["statistic"]["center"] = numpy.array(model.stat.center)
    for name in tree["size"]:
        if name.startswith("nuser") and hasattr(model, name):
            tree["size"][name] = int(getattr(model, name))


def take_over(target: Any, source: Any) -> None:
    """Copies a block of settings, group by group."""
    for name in dir(source):
        if name.startswith("_") or callable(getattr(source, name)):
            continue
        value = getattr(source, name)
        if isinstance(value, (int, float, numpy.ndarray)):
            setattr(target, name, value)
        else:
            take_over(getattr(target, name), value)


def read_body(reading: Reading, number: int) -> dict[str, Any]:
    model = reading.model
    values = {"_number": number, "name": reading.given_name("body", number), "parent": int(model.body_parentid[number]) if number else -1,
              **{f"{part}s": [] for part in ("frame", "joint", "geom", "site", "camera", "light")}}
    if number:
        values.update(reading.rows("body", number, "pos", "gravcomp", "user"), mocap=bool(model.body_mocapid[number] >= 0))
        values["orientation"] = 0, reading.row("body_quat", number)
        values["inertial"] = {"given": True, **reading.rows("body", number, "mass", pos="ipos", diaginertia="inertia"),
                              "orientation": (0, reading.row("body_iquat", number))}
        tree = int(model.body_treeid[number])
        if tree >= 0 and int(model.tree_bodyadr[tree]) == number:
            policy = int(model.tree_sleep_policy[tree])
            values["sleep"] = policy if policy >= 3 else 0
    values["joints"] = [read_joint(reading, each) for each in range(model.njnt) if model.jnt_bodyid[each] == number]
    for part, prefix, read in (("geoms", "geom", read_geom), ("sites", "site", read_site), ("cameras", "cam", read_camera),
                               ("lights", "light", read_light)):
        owners = getattr(model, f"{prefix}_bodyid")
        values[part] = [read(reading, each) for each in range(len(owners)) if owners[each] == number]
    return values


def read_joint(reading: Reading, number: int) -> dict[str, Any]:
    model = reading.model
    dof, position = int(model.jnt_dofadr[number]), int(model.jnt_qposadr[number])
    values = {"_number": number, "name": reading.given_name("joint", number),
              **reading.rows("jnt", number, "type", "pos", "axis", "range", "margin", "actfrcrange", "group", "user", "springyield",
                             solref_limit="solref", solimp_limit="solimp"), **reading.sap("jnt", number)}
    values.update(reading.rows("dof", dof, "armature", "frictionloss", solref_friction="solref", solimp_friction="solimp"))
    values["stiffness"], values["damping"] = reading.polynomial("jnt_stiffness", number), reading.polynomial("dof_damping", dof)
    values["limited"], values["actfrclimited"] = int(model.jnt_limited[number]), int(model.jnt_actfrclimited[number])
    values["actgravcomp"] = bool(model.jnt_actgravcomp[number])
    if values["type"] >= 2:  # one coordinate
        values["ref"], values["springref"] = float(model.qpos0[position]), float(model.qpos_spring[position])
    return values


def read_geom(reading: Reading, number: int) -> dict[str, Any]:
    model = reading.model
    values = {"_number": number, "name": reading.given_name("geom", number), "orientation": (0, reading.row("geom_quat", number)),
              **reading.rows("geom", number, "type", "pos", "size", "contype", "conaffinity", "condim", "priority", "group", "friction",
                             "solmix", "solref", "solimp", "margin", "gap", "adhesion", "surfacevel", "rgba", "user",
                             mesh_collision="meshcollision"), **reading.sap("geom", number),
              "castshadow": bool(model.geom_castshadow[number])}
    data, fluid = int(model.geom_dataid[number]), model.geom_fluid[number]
    if data >= 0 and values["type"] in (HFIELD, MESH, SDF):  # others were fitted to a mesh
        values["hfield" if values["type"] == HFIELD else "mesh"] = reading.name("hfield" if values["type"] == HFIELD else "mesh", data)
    values["material"] = reading.name("material", int(model.geom_matid[number]))
    if fluid[0] > 0:
        values["fluid_ellipsoid"], values["fluidcoef"] = True, numpy.array(fluid[1:6], dtype=float)
    return values


def read_site(reading: Reading, number: int) -> dict[str, Any]:
    return {"_number": number, "name": reading.given_name("site", number), "orientation": (0, reading.row("site_quat", number)),
            "material": reading.name("material", int(reading.model.site_matid[number])),
            "mesh": reading.name("mesh", int(reading.model.site_dataid[number])),
            **reading.rows("site", number, "type", "pos", "size", "group", "rgba", "user")}


def read_camera(reading: Reading, number: int) -> dict[str, Any]:
    model = reading.model
    values = {"_number": number, "name": reading.given_name("camera", number), "orientation": (0, reading.row("cam_quat", number)),
              "target": reading.name("body", int(model.cam_targetbodyid[number])), "orthographic": bool(model.cam_projection[number]),
              **reading.rows("cam", number, "mode", "pos", "fovy", "ipd", "resolution", "output", "user")}
    if (model.cam_sensorsize[number] > 0).all():
        values["sensorsize"] = reading.row("cam_sensorsize", number)
        values["fovy"] = 45.0  # follows from the sensor
        values["focal_length"], values["principal_length"] = (model.cam_intrinsic[number][:2].copy(), model.cam_intrinsic[number][2:].copy())
    return values


def read_light(reading: Reading, number: int) -> dict[str, Any]:
    model = reading.model
    return {"_number": number, "name": reading.given_name("light", number),
            "target": reading.name("body", int(model.light_targetbodyid[number])),
            "active": bool(model.light_active[number]), "castshadow": bool(model.light_castshadow[number]),
            **reading.rows("light", number, "mode", "type", "pos", "dir", "bulbradius", "intensity", "range", "attenuation", "cutoff",
                           "softness", "exponent", "ambient", "diffuse", "specular")}


def read_mesh(reading: Reading, number: int) -> dict[str, Any]:
    model = reading.model

    def part(name: str, address: str, count: str) -> numpy.ndarray:
        first = int(getattr(model, address)[number])
        return numpy.array(getattr(model, name)[first:first + int(getattr(model, count)[number])]).ravel() if first >= 0 else \
            numpy.array(getattr(model, name)[:0]).ravel()

    values = {"name": reading.given_name("mesh", number), "vertex": part("mesh_vert", "mesh_vertadr", "mesh_vertnum"),
              "face": part("mesh_face", "mesh_faceadr", "mesh_facenum"), "smoothnormal": True}
    coordinates = part("mesh_texcoord", "mesh_texcoordadr", "mesh_texcoordnum")
    if coordinates.size:
        values.update(texcoord=coordinates, face_texcoord=part("mesh_facetexcoord", "mesh_faceadr", "mesh_facenum"))
    values.update(normal=part("mesh_normal", "mesh_normaladr", "mesh_normalnum"),
                  face_normal=part("mesh_facenormal", "mesh_faceadr", "mesh_facenum"))
    return values


def read_hfield(reading: Reading, number: int) -> dict[str, Any]:
    model = reading.model
    nrow, ncol, first = (int(getattr(model, f"hfield_{name}")[number]) for name in ("nrow", "ncol", "adr"))
    return {"name": reading.given_name("hfield", number), "nrow": nrow, "ncol": ncol, "size": reading.row("hfield_size", number),
            "elevation": numpy.array(model.hfield_data[first:first + nrow * ncol])}


def read_material(reading: Reading, number: int) -> dict[str, Any]:
    return {"name": reading.given_name("material", number), "texuniform": bool(reading.model.mat_texuniform[number]),
            **reading.rows("mat", number, "texrepeat", "emission", "specular", "shininess", "reflectance", "metallic", "roughness", "rgba")}


def read_pair(reading: Reading, number: int) -> dict[str, Any]:
    model = reading.model
    return {"name": reading.given_name("pair", number), "geom1": reading.name("geom", int(model.pair_geom1[number])),
            "geom2": reading.name("geom", int(model.pair_geom2[number])), **reading.sap("pair", number),
            **reading.rows("pair", number, "friction", "solref", "solreffriction", "solimp", "margin", "gap", "adhesion", condim="dim")}


def read_exclude(reading: Reading, number: int) -> dict[str, Any]:
    signature = int(reading.model.exclude_signature[number])
    return {"name": reading.given_name("exclude", number), "body1": reading.name("body", signature >> 16),
            "body2": reading.name("body", signature & 0xFFFF)}


def read_equality(reading: Reading, number: int) -> dict[str, Any]:
    model = reading.model
    kind, data = int(model.eq_type[number]), numpy.array(model.eq_data[number], dtype=float)
    objtype = EQUALITY_OBJECTS.get(kind, int(model.eq_objtype[number]))
    word = OBJECTS[objtype]
    values = {"name": reading.given_name("equality", number), "type": kind, "objtype": objtype, "active": bool(model.eq_active0[number]),
              "object1": reading.name(word, int(model.eq_obj1id[number])), "object2": reading.name(word, int(model.eq_obj2id[number])),
              **reading.sap("eq", number), **reading.rows("eq", number, "solref", "solimp")}
    if kind == 1:
        values["torquescale"] = float(data[10])
    if kind in (0, 1) and word == "body":
        values["anchor"] = data[:3]
        values["relpose"] = data[3:10] if kind == 1 and not data[11] else numpy.zeros(7)  # those of qpos0
    elif kind in (0, 1):
        return values
    else:
        values["polycoef"] = data[:5]
    return values


def read_tendon(reading: Reading, number: int) -> dict[str, Any]:
    model = reading.model
    first = int(model.tendon_adr[number])
    path = [read_wrap(reading, each) for each in range(first, first + int(model.tendon_num[number]))]
    return {"name": reading.given_name("tendon", number), "spatial": any(each["kind"] != 0 for each in path), "path": path,
            "limited": int(model.tendon_limited[number]), "actfrclimited": int(model.tendon_actfrclimited[number]),
            "stiffness": reading.polynomial("tendon_stiffness", number), "damping": reading.polynomial("tendon_damping", number),
            "material": reading.name("material", int(model.tendon_matid[number])), **reading.sap("tendon", number),
            **reading.rows("tendon", number, "group", "range", "actfrcrange", "margin", "armature", "frictionloss", "width", "rgba", "user",
                           "springyield", springlength="lengthspring", solref_limit="solref_lim", solimp_limit="solimp_lim",
                           solref_friction="solref_fri", solimp_friction="solimp_fri")}


def read_wrap(reading: Reading, number: int) -> dict[str, Any]:
    model = reading.model
    kind, target, parameter = WRAPS[int(model.wrap_type[number])], int(model.wrap_objid[number]), float(model.wrap_prm[number])
    values: dict[str, Any] = {"kind": ("joint", "site", "geom", "pulley").index(kind)}
    if kind != "pulley":
        values["target"] = reading.name(kind, target)
    if kind == "geom":
        values["sidesite"] = reading.name("site", round(parameter))
    elif kind != "site":
        values["number"] = parameter
    return values


def read_actuator(reading: Reading, number: int) -> dict[str, Any]:
    model = reading.model
    output = int(model.actuator_outadr[number])
    first, second = (int(each) for each in model.actuator_trnid[number][:2])
    transmission = int(model.actuator_trntype[number])
    attribute, kind = ("site", "site") if transmission == SO3 and second >= 0 else TARGETS[transmission]
    values = {"name": reading.given_name("actuator", number), attribute: reading.name(kind, first),
              "forcelimited": int(model.actuator_forcelimited[number]), "actlimited": int(model.actuator_actlimited[number]),
              "actearly": bool(model.actuator_actearly[number]), "damping": reading.polynomial("actuator_damping", number),
              "gear": reading.row("actuator_gear", output), "lengthrange": reading.row("actuator_lengthrange", output),
              "actdim": int(model.actuator_actnum[number]) if model.actuator_dyntype[number] == USER_DYNAMICS else -1,
              "ctrlspec": int(model.actuator_ctrlspec[number]),
              "nsample": int(model.actuator_history[number][0]), "interp": int(model.actuator_history[number][1]),
              **reading.rows("actuator", number, "gaintype", "biastype", "dyntype", "gainprm", "biasprm", "dynprm", "cranklength",
                             "armature", "forcerange", "actrange", "group", "delay", "user")}
    read_controls(reading, number, values)
    if attribute == "cranksite":
        values["slidersite"] = reading.name("site", second)
    elif attribute == "site" and second >= 0:
        values["refsite"] = reading.name("site", second)
    return values


def read_controls(reading: Reading, number: int, values: dict[str, Any]) -> None:
    """The ranges of the controls; those of a PID servo have names of their own."""
    model = reading.model
    first, count = int(model.actuator_ctrladr[number]), int(model.actuator_ctrlnum[number])
    names = ["ctrlrange"]
    if values["gaintype"] == PID:
        names = [name for bit, name in enumerate(("ctrlrange", "velrange", "ffrange")) if values["ctrlspec"] >> bit & 1]
    values["ctrllimited"] = FALSE
    for control, name in zip(range(first, first + count), names, strict=False):
        values[name] = reading.row("actuator_ctrlrange", control)
        if name == "ctrlrange":
            values["ctrllimited"] = int(model.actuator_ctrllimited[control])


def read_sensor(reading: Reading, number: int) -> dict[str, Any]:
    model = reading.model
    values = {"name": reading.given_name("sensor", number), "nsample": int(model.sensor_history[number][0]),
              "interp": int(model.sensor_history[number][1]),
              **reading.rows("sensor", number, "type", "objtype", "reftype", "cutoff", "noise", "delay", "interval", "datatype",
                             "needstage", "user")}
    for kind, name, number_name in (("objtype", "objname", "objid"), ("reftype", "refname", "refid")):
        word = OBJECTS.get(values[kind])
        if word:
            values[name] = reading.name(word, int(getattr(model, f"sensor_{number_name}")[number]))
    data, reduce, count = (int(each) for each in model.sensor_intprm[number][:3])
    kinds = core.SensorType
    if values["type"] == int(getattr(kinds, "CONTACT", -1)):
        values.update(data=data, reduce=reduce, num=count)
    elif values["type"] == int(getattr(kinds, "INSIDESITE", -1)):
        values["enclosed"] = bool(data)
    elif values["type"] == int(getattr(kinds, "RANGEFINDER", -1)):
        values["data"] = data
    elif values["type"] == int(getattr(kinds, "USER", -1)):
        values["dim"] = int(model.sensor_dim[number])
    return values


def read_numeric(reading: Reading, number: int) -> dict[str, Any]:
    first, size = int(reading.model.numeric_adr[number]), int(reading.model.numeric_size[number])
    return {"name": reading.given_name("numeric", number), "size": size,
            "data": numpy.array(reading.model.numeric_data[first:first + size], dtype=float)}


def read_text(reading: Reading, number: int) -> dict[str, Any]:
    first, size = int(reading.model.text_adr[number]), int(reading.model.text_size[number])
    text = bytes(reading.model.text_data[first:first + size])
    return {"name": reading.given_name("text", number), "data": text.split(b"\0")[0].decode("utf-8", "backslashreplace")}


def read_tuple(reading: Reading, number: int) -> dict[str, Any]:
    model = reading.model
    first, entries = int(model.tuple_adr[number]), []
    for each in range(first, first + int(model.tuple_size[number])):
        kind = int(model.tuple_objtype[each])
        word = "xbody" if kind == 2 else OBJECTS[kind]
        entries.append((word, reading.name(OBJECTS[kind], int(model.tuple_objid[each])), float(model.tuple_objprm[each])))
    return {"name": reading.given_name("tuple", number), "entries": entries}


def read_key(reading: Reading, number: int) -> dict[str, Any]:
    model = reading.model
    values: dict[str, Any] = {"name": reading.given_name("key", number), "time": float(model.key_time[number])}
    for name in ("qpos", "qvel", "act", "mpos", "mquat", "ctrl", "plastic"):
        vector = numpy.array(getattr(model, f"key_{name}")[number], dtype=float).ravel()
        values[name] = vector if vector.size else None
    return values


READERS: dict[str, tuple[str, Callable[[Reading, int], dict[str, Any]]]] = {
    "hfields": ("hfield", read_hfield), "meshes": ("mesh", read_mesh), "materials": ("material", read_material),
    "pairs": ("pair", read_pair), "excludes": ("exclude", read_exclude), "equalities": ("equality", read_equality),
    "tendons": ("tendon", read_tendon), "actuators": ("actuator", read_actuator), "sensors": ("sensor", read_sensor),
    "numerics": ("numeric", read_numeric), "texts": ("text", read_text), "tuples": ("tuple", read_tuple), "keys": ("key", read_key)}


def settle_simple(library: Any, model: Any) -> Any:
    """Bodies that are not simple although they could be were told so."""
    told = numpy.flatnonzero(library.compile().body_simple > model.body_simple)
    if not told.size:
        return library
    tree = library.tree()
    for number in told:
        tree["bodies"][number]["simple_auto"] = False
    return core._Spec.from_tree(tree)


def settle_meshes(library: Any, model: Any) -> Any:
    """The compiler moves a mesh into its inertial frame, and its geoms and sites with it: rounding of that is undone in their poses.

    A mesh with equal principal moments can be turned by any angle; its geoms then have other frames around the same shape.
    """
    if model.nmesh == 0:
        return library
    made, tree = choose_inertias(library)
    turned = turned_meshes(made)
    for part, prefix in (("geoms", "geom"), ("sites", "site")):
        poses, quats, meshes = (getattr(model, f"{prefix}_{name}") for name in ("pos", "quat", "dataid"))
        for number, values in enumerate(each for body in tree["bodies"] for each in body[part]):
            if not values["mesh"]:
                continue
            mesh = int(meshes[number])
            if turned[mesh]:
                continue
            turn = numpy.array([made.mesh_quat[mesh][0], *(-made.mesh_quat[mesh][1:])], dtype=float)
            quat = units.multiply(quats[number], turn)
            values["orientation"] = 0, quat
            values["pos"] = numpy.array(poses[number]) - units.rotate(quat, made.mesh_pos[mesh])
    return core._Spec.from_tree(tree)


def turned_meshes(made: Any) -> numpy.ndarray:
    """Which meshes the compiler has moved."""
    moves = numpy.linalg.norm(made.mesh_pos, axis=1) + numpy.linalg.norm(made.mesh_quat[:, 1:], axis=1)
    return moves >= TOLERANCE


def choose_inertias(library: Any) -> tuple[Any, dict[str, Any]]:
    """Meshes are in their inertial frames already: each gets the kind of inertia that moves it the least."""
    tree = library.tree()
    for mesh in tree["meshes"]:
        best = float("inf"), LEGACY
        for kind in (LEGACY, EXACT, CONVEX, SHELL):
            best = min(best, (how_far_moved({**mesh, "inertia": kind}), kind), key=lambda each: each[0])
            if best[0] < TOLERANCE:
                break
        mesh["inertia"] = best[1]
    return core._Spec.from_tree(tree).compile(), tree


def how_far_moved(mesh: dict[str, Any]) -> float:
    """By the compiler, into the inertial frame; infinite if the mesh does not have that kind of inertia, as one with holes."""
    tree = core._Spec().tree()
    tree["meshes"] = [mesh]
    try:
        made = core._Spec.from_tree(tree).compile()
    except Error:
        return float("inf")
    return float(numpy.linalg.norm(made.mesh_pos[0]) + numpy.linalg.norm(made.mesh_quat[0][1:]))


def check(made: Any, model: Any) -> None:
    """Raises an Error that names the arrays which differ."""
    differing = [] if meshes_are_equal(made, model) else ["mesh_vert"]
    for row in core.fields("model"):
        if row.name.startswith(SKIPPED) or not row.shape:
            continue
        a, b = getattr(made, row.name), getattr(model, row.name)
        if isinstance(a, bytes):
            continue
        prefix, _, rest = row.name.partition("_")
        if prefix in ("geom", "site") and rest in OF_MESHES and a.shape == b.shape:
            kept = ~of_turned_meshes(made, prefix)
            a, b = a[kept], b[kept]
        if a.shape != b.shape:
            differing.append(row.name)
        elif a.dtype.kind == "f" and a.size:
            scale = max(1.0, float(numpy.max(numpy.abs(numpy.nan_to_num(b)))))
            if not numpy.allclose(a, b, rtol=0, atol=TOLERANCE * scale, equal_nan=True):
                differing.append(row.name)
        elif not numpy.array_equal(a, b):
            differing.append(row.name)
    if differing:
        raise Error(f"no Spec was found that compiles to this model: {', '.join(differing)} would differ")


def of_turned_meshes(made: Any, prefix: str) -> numpy.ndarray:
    """Which geoms or sites show a mesh that the compiler has moved."""
    data = getattr(made, f"{prefix}_dataid")
    is_mesh = (data >= 0) & numpy.isin(getattr(made, f"{prefix}_type"), (MESH, SDF))
    if not made.nmesh:
        return is_mesh
    return is_mesh & turned_meshes(made)[numpy.where(is_mesh, data, 0)]


def meshes_are_equal(made: Any, model: Any) -> bool:
    """Whether the vertices of meshes that the compiler has moved are where they were, as their geoms and sites show them."""
    for prefix in ("geom", "site"):
        if getattr(made, f"{prefix}_dataid").shape != getattr(model, f"{prefix}_dataid").shape:
            return False
        for number in numpy.flatnonzero(of_turned_meshes(made, prefix)):
            a, b = (posed_vertices(each, prefix, number) for each in (made, model))
            if a.shape != b.shape or not numpy.allclose(a, b, rtol=0, atol=TOLERANCE * max(1.0, float(numpy.abs(b).max(initial=0)))):
                return False
    return True


def posed_vertices(model: Any, prefix: str, number: int) -> numpy.ndarray:
    mesh = int(getattr(model, f"{prefix}_dataid")[number])
    first, count = int(model.mesh_vertadr[mesh]), int(model.mesh_vertnum[mesh])
    quat = getattr(model, f"{prefix}_quat")[number]
    vertices = model.mesh_vert[first:first + count].astype(float)
    return getattr(model, f"{prefix}_pos")[number] + units.rotate(quat, vertices)
