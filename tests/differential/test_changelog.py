"""Sentences of MuJoCo's changelog, 3.13 to 4.0, that neither a feature model nor test_version4.py shows, and corners that models
changed at random (mutations.py) found: the same numbers, or refused by both."""

import io
import itertools
import pathlib
import zipfile

import mujoco
import numpy as np
import pytest

import torsor
import torsor.mujoco

MODULES = (mujoco, torsor.mujoco)
HINGE = "<body name='b'><joint name='j' range='-1 2'/><joint name='s' type='slide'/><geom name='g' size='.1'/>{}</body><site name='w'/>"
REFUSED = "refused"


def outcomes(ask):
    """What each engine answers, or that it refuses."""
    found = []
    for module in MODULES:
        try:
            found.append(ask(module))
        except (ValueError, torsor.Error, mujoco.FatalError, torsor.mujoco.FatalError):
            found.append(REFUSED)
    return found


def check(ask, title, tolerance=1e-9):
    theirs, ours = outcomes(ask)
    assert (theirs is REFUSED) == (ours is REFUSED), f"{title}: MuJoCo {theirs}, Torsor {ours}"
    if theirs is not REFUSED:
        np.testing.assert_allclose(np.array(ours, float), np.array(theirs, float), rtol=tolerance, atol=tolerance, err_msg=title)
    return theirs is not REFUSED


def numbers(model, *names):
    return np.concatenate([np.ravel(np.array(getattr(model, name), float)) for name in names])


def model_of(module, body="", rest="", before=""):
    return module.MjModel.from_xml_string(f"<mujoco>{before}<worldbody>{body}</worldbody>{rest}</mujoco>")


# --- masses ----------------------------------------------------------------------------------------------------------

MOMENTS = ("1 -.5 1", "1 -5 1", "-1 -1 -1", ".065 -.04 .109", "0 0 0", "0 0 1", "-1 0 1", "-1e-9 1 1")
SETTINGS = ("", "balanceinertia='true'", "balanceinertia='true' boundinertia='.01'", "boundinertia='.01'")


@pytest.mark.parametrize("joint", ("<joint/>", ""))
@pytest.mark.parametrize("settings", SETTINGS)
def test_bounds_come_before_balance_and_signs(settings, joint):
    taken = 0
    for moments, mass in itertools.product(MOMENTS, (-1, 0, 1)):
        body = f"<body>{joint}<inertial pos='0 0 0' mass='{mass}' diaginertia='{moments}'/></body>"
        taken += check(lambda module, body=body: numbers(model_of(module, body, before=f"<compiler {settings}/>"), "body_mass", "body_inertia"),
                       f"{moments}, mass {mass}")
    assert taken > 0 or (joint and not settings)


GEOMS = ("size='{0}'", "type='box' size='{0} .1 .01'", "type='capsule' size='{0} .01'", "type='cylinder' size='1 {0}'",
         "size='{0}' shellinertia='true'")


@pytest.mark.parametrize("geom", GEOMS)
def test_geoms_too_small_to_spread_a_mass_over_have_none(geom):
    masses = set()
    for size in 10.0 ** np.arange(-16, -2):
        body = f"<body><joint/><geom {geom.format(size)} mass='1'/><geom size='.1' pos='1 0 0' mass='1'/></body>"
        check(lambda module, body=body: numbers(model_of(module, body), "body_mass", "body_ipos"), f"{geom} {size}")
        masses.add(float(model_of(torsor.mujoco, body).body_mass[1]))
    assert masses == {1, 2}


FULL, DIAGONAL = "fullinertia='.03 .02 .04 .001 .002 .003'", "diaginertia='.03 .02 .04'"


@pytest.mark.parametrize("first", (FULL, DIAGONAL, f"{DIAGONAL} quat='1 2 3 4'", f"{DIAGONAL} euler='10 20 30'"))
def test_several_inertials_in_frames_complete_each_other(first):
    def tensor(module, last):
        body = (f"<body><joint/><frame pos='0 1 0'><inertial pos='0 0 0' mass='1' {first}/></frame><frame><inertial pos='1 0 0' mass='2' "
                f"{last}/></frame></body>")
        model, axes = model_of(module, body), np.zeros(9)
        mujoco.mju_quat2Mat(axes, model.body_iquat[1])
        axes = axes.reshape(3, 3)
        return axes @ np.diag(model.body_inertia[1]) @ axes.T

    taken = [check(lambda module, last=last: tensor(module, last), f"{first} and {last}")
             for last in (FULL, DIAGONAL, "", "quat='1 2 3 4'", "euler='10 20 30'", "zaxis='0 0 1'")]
    assert any(taken)


# --- contacts --------------------------------------------------------------------------------------------------------

HEAVY = """<mujoco><option cone='{}' impratio='{}'/><worldbody><geom type='plane' size='1 1 1' friction='{} .1 .2' condim='6'/>
<body pos='0 0 .09'><freejoint/><geom size='.1' mass='{}' friction='{} .1 .2'/></body></worldbody></mujoco>"""


@pytest.mark.parametrize("cone", ("pyramidal", "elliptic"))
@pytest.mark.parametrize("impratio", (0.3, 1, 3))
@pytest.mark.parametrize("friction", (0.3, 0.8, 1.5))
def test_heavy_bodies_have_rows_as_stiff_as_mujocos(cone, impratio, friction):
    """The regularisation of the normal direction is at its lower bound; what follows from it may be below."""
    text = HEAVY.format(cone, impratio, friction, 1e16, friction)
    found = []
    for module in MODULES:
        model = module.MjModel.from_xml_string(text)
        data = module.MjData(model)
        module.mj_forward(model, data)
        found.append([np.array(getattr(data, name)[:data.nefc]) for name in ("efc_R", "efc_D", "efc_diagA")])
    for theirs, ours in zip(*found, strict=True):
        np.testing.assert_allclose(ours, theirs, rtol=1e-9)
    is_below = 2 * friction**2 / impratio < 1 if cone == "pyramidal" else impratio > 1
    assert (found[0][0].min() < 1e-15) == is_below


# --- cameras, lights, sensors ----------------------------------------------------------------------------------------


def test_cameras_with_negative_focal_lengths():
    taken = 0
    for size, (name, focal) in itertools.product((".004 .003", ".004 -.003"), itertools.product(("focal", "focalpixel"), (0.006, -0.006, 0))):
        lens = f"1 {focal}" if name == "focal" else f"300 {focal * 4e4}"
        camera = f"<camera sensorsize='{size}' {name}='{lens}' resolution='30 20'/>"
        taken += check(lambda module, camera=camera: numbers(model_of(module, camera), "cam_fovy", "cam_intrinsic"), camera, 1e-6)
    assert taken == 6


@pytest.mark.parametrize("word", ("false", "true", "auto", "0", "1", "2", "3", "-1", "True", ""))
def test_words_of_the_headlight(word):
    check(lambda module: [int(model_of(module, rest=f"<visual><headlight active='{word}'/></visual>").vis.headlight.active)], word)


STILL = ("<site name='world' pos='1 2 3'/><body euler='10 20 30'><geom size='.1'/><site name='still' euler='3 4 5'/></body>"
         "<body name='hand' mocap='true' euler='5 6 7'><geom size='.1'/><site name='held'/></body><body><joint/><geom size='.1' pos='.1 0 0'/>"
         "<site name='moving'/><body pos='.2 0 0'><site name='carried'/></body></body>")
KINDS = {1: "nbody", 2: "nbody", 5: "ngeom", 6: "nsite"}


@pytest.mark.parametrize("flag", ("", "<flag gravity='disable'/>"))
def test_what_stands_still_feels_gravity(flag):
    sensors = "".join(f"<accelerometer site='{name}'/><framelinacc objtype='site' objname='{name}'/><frameangacc objtype='site' "
                      f"objname='{name}'/>" for name in ("world", "still", "held", "moving", "carried"))
    sensors += "<framelinacc objtype='body' objname='hand'/><framelinacc objtype='xbody' objname='hand'/>"

    def ask(module):
        model = model_of(module, STILL, f"<sensor>{sensors}</sensor>", f"<option gravity='1 2 -9'>{flag}</option>")
        data = module.MjData(model)
        data.qvel[:] = 2
        module.mj_forward(model, data)
        found = [np.array(data.sensordata)]
        for (kind, count), local in itertools.product(KINDS.items(), (0, 1)):
            for i in range(getattr(model, count)):
                found.append(np.zeros(6))
                module.mj_objectAcceleration(model, data, kind, i, found[-1], local)
        return np.concatenate(found)

    assert check(ask, "accelerations")
    assert np.abs(ask(torsor.mujoco)[:3]).max() > 1 or flag


# --- actuators and tendons -------------------------------------------------------------------------------------------

DRIVE = ("gainprm", "biasprm", "dynprm", "dyntype", "gaintype", "biastype", "ctrlrange", "ctrllimited", "forcerange", "forcelimited",
         "actrange", "actlimited", "actnum", "damping", "armature")


def check_drive(actuator, default=""):
    def ask(module):
        model = model_of(module, HINGE.format(""), f"<actuator>{actuator}</actuator>", f"<compiler angle='radian'/><default>{default}</default>")
        return numbers(model, *(f"actuator_{name}" for name in DRIVE))
    return check(ask, f"{default} {actuator}")


MOTORS = ("motorconst='0' input='none'", "motorconst='0'", "motorconst='0' input='voltage'", "motorconst='-.1'", "motorconst='.1 .2'",
          "motorconst='-.1 .2'", "motorconst='.1 -.2'", "motorconst='0 .2'", "motorconst='0 0' input='none'", "motorconst='0' nominal='12 3 4'", "", "motorconst='.1' thermal='1 2 3 4 5 6'",
          "motorconst='.1' thermal='2 3 6 .004 25 25'", "motorconst='.1' thermal='2 3 0 .004 25 25'", "motorconst='.1' thermal='2 0 6 .004 25'",
          "motorconst='.1' thermal='0 3 6 .004 25 25'", "motorconst='.1' saturation='3'", "motorconst='.1' saturation='0'",
          "motorconst='.1' inductance='.1'", "motorconst='.1' inductance='0'", "motorconst='.1' nominal='12 3 4'", "nominal='12 3 4'")
MOTOR_CLASSES = ("", "<general forcerange='-1 1'/>", "<dcmotor motorconst='.2' resistance='1' saturation='3'/>", "<motor forcerange='-2 2'/>",
                 "<dcmotor motorconst='.3' resistance='1' inductance='.1'/>", "<general actdim='3'/>",
                 "<dcmotor motorconst='.3' resistance='1' thermal='2 3 6 .004 25 25'/>")


@pytest.mark.parametrize("default", MOTOR_CLASSES)
def test_motors_with_odd_parameters(default):
    taken = [check_drive(f"<dcmotor joint='j' {motor} {resistance}/>", default)
             for motor, resistance in itertools.product(MOTORS, ("", "resistance='2'"))]
    assert any(taken) and not all(taken)


OF_CLASS = {"thermal": "2 3 6 .004 25 26", "saturation": "3 4 5", "inductance": ".1 .2", "cogging": ".1 3 .2", "controller": "1 2 3 4 5 6",
            "lugre": "1 2 3 4 5", "nominal": "6 1 2"}
OWN = {"thermal": "4 0 9 .005 35 36", "saturation": "7 8 9", "inductance": ".3 .4", "cogging": ".5 6 .7", "controller": "11 12 13 14 15 16",
       "lugre": "11 12 13 14 15", "nominal": "12 3 4"}


@pytest.mark.parametrize("name", OWN)
def test_motors_take_numbers_that_are_left_out_from_their_class(name):
    own, taken = OWN[name].split(), 0
    for count, zero, default in itertools.product(range(1, len(own) + 1), (None, *range(len(own))), ("", f"{name}='{OF_CLASS[name]}'")):
        written = " ".join("0" if k == zero else number for k, number in enumerate(own[:count]))
        for constants in ("", "motorconst='.5' resistance='2'", "motorconst='0'", "resistance='0'"):
            taken += check_drive(f"<dcmotor joint='j' input='pos' {constants} {name}='{written}'/>",
                                 f"<dcmotor motorconst='.3' resistance='1' input='pos' {default}/>" if default else "")
    assert taken > 3


@pytest.mark.parametrize("dynamics", ("none", "integrator", "filter", "filterexact", "muscle", "user"))
def test_numbers_of_activations(dynamics):
    for dim in (-3, -1, 0, 1, 2):
        check_drive(f"<general joint='j' dyntype='{dynamics}' actdim='{dim}'/>")


@pytest.mark.parametrize("kind", ("position", "intvelocity", "pid", "general"))
def test_ranges_of_actuators_override_those_of_their_class(kind):
    own = "actrange" if kind == "intvelocity" else "ctrlrange"
    servo = "biastype='affine' gainprm='2' biasprm='0 -2' gaintype='fixed'" if kind == "general" else ""
    classes = (f"<{kind} inheritrange='.5'/>", f"<{kind} {own}='-3 3'/>", "<general inheritrange='.5'/>", f"<general {own}='-3 3'/>",
               "<motor ctrlrange='-4 4'/>")
    choices = ("", f"{own}='-.1 .1'", "inheritrange='.8'", "inheritrange='0'", "ctrllimited='false'")
    taken = [check_drive(f"<{kind} joint='j' {choice} {servo}/>", default) for default, choice in itertools.product(classes, choices)]
    assert any(taken)


@pytest.mark.parametrize("autolimits", ("true", "false"))
@pytest.mark.parametrize("default", ("armature='.3'", "actuatorfrcrange='-1 1'", "actuatorfrclimited='true' actuatorfrcrange='-1 1'",
                                     "actuatorfrclimited='false' actuatorfrcrange='-1 1'", "actuatorfrclimited='true'", "springyield='.1'"))
def test_classes_of_tendons(default, autolimits):
    tendons = ("<tendon><fixed><joint joint='j' coef='1'/></fixed><spatial stiffness='1'><site site='t'/><site site='w'/></spatial></tendon>")
    body = HINGE.format("<site name='t' pos='1 0 0'/>").replace("range='-1 2'", "")
    before = f"<compiler autolimits='{autolimits}'/><default><tendon {default}/></default>"
    check(lambda module: numbers(model_of(module, body, tendons, before), "tendon_armature", "tendon_actfrclimited", "tendon_actfrcrange",
                                 "tendon_springyield"), default)


REFUSED_PARTS = {
    "a fixed tendon of a ball": "<tendon><fixed><joint joint='ball' coef='1'/></fixed></tendon>",
    "a fixed tendon of a free joint": "<tendon><fixed><joint joint='free' coef='1'/></fixed></tendon>",
    "a pulley that divides by zero": "<tendon><spatial><site site='a'/><site site='w'/><pulley divisor='0'/><site site='a'/><site site='w'/>"
                                     "</spatial></tendon>",
    "a pulley that divides by less": "<tendon><spatial><site site='a'/><site site='w'/><pulley divisor='-2'/><site site='a'/><site site='w'/>"
                                     "</spatial></tendon>",
    "pixels of a camera without any": "<sensor><camprojection site='a' camera='blind'/></sensor>",
    "pixels of no camera": "<sensor><camprojection site='a' camera='none'/></sensor>",
    "rays of a camera without pixels": "<sensor><rangefinder camera='blind'/></sensor>",
    "a height field of one column": "<asset><hfield name='h' nrow='3' ncol='1' size='1 1 1 1'/></asset>",
    "a cone of two edges": "<asset><mesh name='m' builtin='cone' params='2 .5'/></asset>",
    "a cone of a negative radius": "<asset><mesh name='m' builtin='cone' params='3 -.1'/></asset>",
    "a skin with a vertex too many": "<asset><skin name='k' vertex='0 0 0 1 0 0 0 1 0' face='0 1 3'><bone body='world' bindpos='0 0 0' "
                                     "bindquat='1 0 0 0' vertid='0 1 2' vertweight='1 1 1'/></skin></asset>",
    "a skin with a negative vertex": "<asset><skin name='k' vertex='0 0 0 1 0 0 0 1 0' face='0 1 -1'><bone body='world' bindpos='0 0 0' "
                                     "bindquat='1 0 0 0' vertid='0 1 2' vertweight='1 1 1'/></skin></asset>",
}
PARTS = ("<body><joint type='ball' name='ball'/><geom size='.1'/><site name='a' pos='1 0 0'/></body><body><freejoint name='free'/><geom size='.1'/>"
         "</body><camera name='blind' resolution='0 3'/><site name='w'/>")


@pytest.mark.parametrize("title", REFUSED_PARTS)
def test_both_engines_refuse(title):
    for module in MODULES:
        model_of(module, PARTS)
    assert not check(lambda module: [model_of(module, PARTS, REFUSED_PARTS[title]).nbody], title)


def line_at_distance(random, distance, kind):
    """Two points whose segment passes the origin at a distance in the x-y plane, and the direction to the nearest point."""
    angle = random.uniform(0, 2 * np.pi)
    outward, along = np.array([np.cos(angle), np.sin(angle), 0]), np.array([-np.sin(angle), np.cos(angle), 0])
    rise = np.array([0, 0, random.uniform(-0.1, 0.1) if kind == "cylinder" else 0])
    return outward * distance - along * random.uniform(0.1, 1) + rise, outward * distance + along * random.uniform(0.1, 1) - rise, outward


@pytest.mark.parametrize("side", ("", "outside", "inside"))
@pytest.mark.parametrize("kind", ("sphere", "cylinder"))
def test_tendons_at_the_onset_of_wrapping(kind, side, seed):
    """Segments that nearly touch the geom: to 1e-13 of its radius, where the bend vanishes."""
    random, radius, wraps = np.random.default_rng([seed, len(kind), len(side)]), 0.2, 0
    for excess in np.outer((-1, 1), 10.0 ** np.arange(-13, -1)).ravel():
        first, last, outward = line_at_distance(random, radius * (1 + excess), kind)
        place = outward * {"": 0.3, "outside": 0.3, "inside": 0.05}[side]
        sites = [" ".join(f"{x:.17g}" for x in point) for point in (first, last, place)]
        body = (f"<geom name='g' type='{kind}' size='{radius} .5'/><site name='a' pos='{sites[0]}'/><site name='side' pos='{sites[2]}'/>"
                f"<body><joint type='slide'/><joint type='slide' axis='1 0 0'/><geom size='.1'/><site name='b' pos='{sites[1]}'/></body>")
        tendon = (f"<tendon><spatial><site site='a'/><geom geom='g' {side and 'sidesite=%sside%s' % (chr(39), chr(39))}/><site site='b'/>"
                  "</spatial></tendon>")

        def ask(module, body=body, tendon=tendon):
            model = model_of(module, body, tendon)
            data = module.MjData(model)
            module.mj_forward(model, data)
            return [data.ten_length[0], 1e-6 * data.ten_wrapnum[0] if abs(excess) > 1e-9 else 0]  # noqa: B023 asked at once

        assert check(ask, f"{kind} {side} {excess}", 1e-10)
        wraps += ask(mujoco)[1] > 2e-6
    assert wraps > 3


# --- rays ------------------------------------------------------------------------------------------------------------

TARGETS = ("<geom type='plane' size='3 3 1' pos='0 0 -1'/><geom size='.3' pos='1 0 0'/><geom type='capsule' size='.2 .3' pos='-1 0 0'/>"
           "<geom type='ellipsoid' size='.3 .2 .1' pos='0 1 0'/><geom type='cylinder' size='.2 .3' pos='0 -1 0'/>"
           "<geom type='box' size='.2 .3 .4' pos='1 1 0'/><geom type='mesh' mesh='m' pos='-1 -1 0'/><geom type='hfield' hfield='h' pos='2 2 0'/>")
ASSETS = ("<asset><mesh name='m' vertex='0 0 0 .5 0 0 0 .5 0 0 0 .5'/><hfield name='h' nrow='3' ncol='3' size='.5 .5 .3 .1' "
          "elevation='1 0 2 1 3 1 0 0 1'/></asset>")


def test_rays_of_any_length(seed):
    def ask(module):
        model, random, found = model_of(module, TARGETS, ASSETS), np.random.default_rng([seed, 3]), []
        data = module.MjData(model)
        module.mj_forward(model, data)
        for _ in range(500):
            start, ray, geom = random.uniform(-2, 2, 3), random.normal(size=3) * 10 ** random.uniform(-3, 3), np.zeros((1, 1), np.int32)
            distance = module.mj_ray(model, data, start, ray, None, 1, -1, geom, None)
            found += [distance * (np.linalg.norm(ray) if distance > 0 else 1), geom[0, 0]]
        return found

    assert check(ask, "rays", 1e-7)


# --- files -----------------------------------------------------------------------------------------------------------

BALLS = "<mujoco><worldbody>{}</worldbody></mujoco>"


@pytest.mark.parametrize("main", (["a.xml"], ["a.xml", "a.xml"], ["a.xml", "./a.xml"], ["a.xml", "@/a.xml"], ["sub/../a.xml", "a.xml"],
                                  ["sub/c.xml"], ["sub/./d.xml"]))
def test_included_files_are_found_and_included_once(main, tmp_path):
    (tmp_path / "sub").mkdir()
    (tmp_path / "a.xml").write_text(BALLS.format("<geom size='1'/>"))
    for name, inner in (("c", "sub/b.xml"), ("d", "b.xml")):
        (tmp_path / "sub" / f"{name}.xml").write_text(f"<mujoco><include file='{inner}'/></mujoco>")
    (tmp_path / "sub" / "b.xml").write_text(BALLS.format("<geom size='1'/><geom size='2'/>"))
    (tmp_path / "b.xml").write_text(BALLS.format("<geom size='1'/><geom size='2'/><geom size='3'/>"))
    text = "".join(f"<include file='{name.replace('@', str(tmp_path))}'/>" for name in main)
    (tmp_path / "main.xml").write_text(f"<mujoco>{text}</mujoco>")
    taken = check(lambda module: [module.MjModel.from_xml_path(str(tmp_path / "main.xml")).ngeom], str(main))
    assert taken == (len(main) == 1)


@pytest.mark.parametrize("name", ("", "robot"))
def test_archives_have_mujocos_names(name, tmp_path):
    for module in MODULES:
        spec = module.MjSpec.from_string(f"<mujoco {f'model={name!r}' if name else ''}><worldbody><geom size='1'/></worldbody></mujoco>")
        file = io.BytesIO()
        module.to_zip(spec, file)
        assert zipfile.ZipFile(file).namelist() == [f"{name or 'MuJoCo Model'}.xml"]
        assert module.from_zip(io.BytesIO(file.getvalue())).compile().ngeom == 1
        spec.encode(str(tmp_path / "model.mjz"), None, None)
        assert zipfile.ZipFile(pathlib.Path(tmp_path / "model.mjz")).namelist() == ["model.xml"]


# --- specs -----------------------------------------------------------------------------------------------------------


def signatures(module):
    """What is compared with 0, and with the model's, along the life of a spec."""
    spec = module.MjSpec.from_string(f"<mujoco><worldbody>{HINGE.format('')}</worldbody></mujoco>")
    found = [spec.worldbody.signature == 0]
    model = spec.compile()
    found += [spec.worldbody.signature == model.signature, spec.geom("g").signature == model.signature]
    spec.geom("g").size = [0.2, 0, 0]
    found += [spec.worldbody.signature == model.signature, spec.copy().worldbody.signature == model.signature]
    spec.add_material(name="m")
    found.append(spec.worldbody.signature == 0)
    spec.compile()
    spec.delete(spec.material("m"))
    found.append(spec.worldbody.signature == 0)
    return found


def test_signatures_are_zero_until_compiled():
    assert signatures(torsor.mujoco) == signatures(mujoco) == [True] * 7


TREE = ("<mujoco><worldbody><body name='b'><joint name='j'/><geom size='.1'/><body name='c' pos='1 0 0'><joint name='k' type='slide'/>"
        "<geom size='.1'/></body></body><body name='d'><freejoint name='f'/><geom size='.1'/></body></worldbody><keyframe>"
        "<key qpos='1 2 3 4 5 1 0 0 0' qvel='1 2 3 4 5 6 7 8'/><key qpos='7 8'/><key qpos='7' qvel='5 6 7'/></keyframe></mujoco>")


def delete_a_body(spec):
    spec.delete(spec.body("c"))


def add_a_body(spec):
    body = spec.worldbody.add_body(name="new")
    body.add_joint(ref=0.5)
    body.add_geom(size=[0.1, 0, 0])


def compile_and_delete(spec):
    spec.compile()
    spec.delete(spec.body("b"))


@pytest.mark.parametrize("edit", (delete_a_body, add_a_body, compile_and_delete))
def test_keyframes_that_are_too_short_keep_their_values(edit):
    def ask(module):
        spec = module.MjSpec.from_string(TREE)
        edit(spec)
        model = spec.compile()
        return numbers(model, "key_qpos", "key_qvel")

    assert check(ask, edit.__name__)


SERVOS = {
    "integrator": "<intvelocity joint='j' kp='2' gear='0 0 1'/>",
    "limited": "<intvelocity joint='j' kp='2' gear='0 0 1' actrange='-3 3.5'/>",
    "filter": "<position joint='j' kp='2' gear='0 0 1' timeconst='.1'/>",
    "exact filter": "<general joint='j' dyntype='filterexact' dynprm='.1' gaintype='fixed' gainprm='2' biastype='affine' biasprm='0 -2 0' "
                    "gear='0 0 1'/>",
    "early": "<general joint='j' dyntype='integrator' actearly='true' gaintype='fixed' gainprm='2' biastype='affine' biasprm='0 -2 0' "
             "gear='0 0 1'/>",
}


@pytest.mark.parametrize("integrator", ("Euler", "RK4", "implicit", "implicitfast", "discrete"))
@pytest.mark.parametrize("title", SERVOS)
def test_activations_half_a_turn_from_the_angle_go_to_its_other_side(title, integrator, seed):
    random, turned = np.random.default_rng([seed, 5]), 0
    for _ in range(60):
        quat, offset, control = random.normal(size=4), random.choice([-np.pi, np.pi]) * (1 + 0.1 * random.normal()), 3 * random.normal()

        def ask(module, quat=quat, offset=offset, control=control):
            model = model_of(module, "<body><joint type='ball' name='j'/><geom size='.1' mass='1'/></body>", f"<actuator>{SERVOS[title]}</actuator>",
                             f"<option integrator='{integrator}' gravity='0 0 0' timestep='.05'/>")
            data = module.MjData(model)
            data.qpos[:] = quat / np.linalg.norm(quat)
            module.mj_forward(model, data)
            data.act[0], data.ctrl[0] = data.actuator_length[0] + offset, control
            before = data.act[0]
            module.mj_step(model, data)
            return [data.act[0], data.actuator_force[0], abs(data.act[0] - before) > 4]

        assert check(ask, f"{title} {offset} {control}")
        turned += ask(torsor.mujoco)[2]
    assert turned > 5


@pytest.mark.parametrize("delay", ("0", "-.001", "-.01", ".001"))
@pytest.mark.parametrize("samples", (0, 1, 3))
def test_delays_that_are_negative(samples, delay):
    """Controls then come from the history all the same, readings do not."""
    history = f"nsample='{samples}' delay='{delay}' interp='linear'"

    def ask(module):
        model = model_of(module, "<body><joint name='j'/><geom size='.1' pos='.1 0 0'/></body>", f"<actuator><motor joint='j' {history}/></actuator>"
                         f"<sensor><jointpos joint='j' {history}/></sensor>")
        data, found = module.MjData(model), []
        for step in range(6):
            data.ctrl[0] = np.sin(step + 1)
            module.mj_step(model, data)
            found += [data.actuator_force[0], *data.sensordata]
        return found

    assert check(ask, history) == (samples > 0 or delay != ".001")


@pytest.mark.parametrize("integrator", ("Euler", "implicit", "implicitfast", "discrete"))
@pytest.mark.parametrize("shape", ("none", "ellipsoid"))
def test_media_that_push(shape, integrator):
    """With density or viscosity below zero."""
    for density, viscosity in itertools.product((-2, 0, 2), (-0.1, 0, 0.1)):
        before = f"<option density='{density}' viscosity='{viscosity}' integrator='{integrator}'/>"

        def ask(module, before=before):
            model = model_of(module, f"<body><freejoint/><geom type='box' size='.1 .05 .15' fluidshape='{shape}'/></body>", before=before)
            data = module.MjData(model)
            data.qvel[:] = [1, 2, 3, 3, 2, 1]
            module.mj_forward(model, data)
            force = np.array(data.qfrc_passive)
            module.mj_step(model, data)
            return [*force, *data.qvel]

        assert check(ask, before)


def test_derivatives_by_differences_are_refused_while_trees_may_sleep():
    def ask(module, inverse):
        model = model_of(module, HINGE.format(""), before="<option><flag sleep='enable'/></option>")
        data = module.MjData(model)
        module.mj_forward(model, data)
        if inverse:
            module.mjd_inverseFD(model, data, 1e-6, 0, np.zeros((model.nv, model.nv)), None, None, None, None, None, None)
        else:
            module.mjd_transitionFD(model, data, 1e-6, 0, np.zeros((2 * model.nv, 2 * model.nv)), None, None, None)
        return [1]

    for inverse in (False, True):
        assert not check(lambda module, inverse=inverse: ask(module, inverse), str(inverse))
