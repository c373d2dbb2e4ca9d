"""Models with one mistake each: the text, the line of the mistake, and words that a helpful message contains."""

import dataclasses
import struct
import zlib


@dataclasses.dataclass
class BadModel:
    name: str
    text: str
    line: int  # where the mistake is; 0 where a place makes no sense
    words: tuple  # each must appear in the message or its hint
    judge_refuses: bool | None = True  # None: MuJoCo would eat all memory or break it, so it is not asked
    assets: dict = dataclasses.field(default_factory=dict)


def _body(content, before="", after=""):
    """A model whose fourth line is the content of a moving body."""
    return (f"<mujoco>{before}\n<worldbody>\n<body><joint name='turn'/><geom name='ball' size='0.1'/>\n"
            f"{content}\n</body>\n</worldbody>{after}\n</mujoco>")


def _only(content, before="", after=""):
    """A model whose fourth line is the content of a body with nothing else."""
    return f"<mujoco>{before}\n<worldbody>\n<body>\n{content}\n</body>\n</worldbody>{after}\n</mujoco>"


def _top(content):
    """A model whose second line is a section."""
    return f"<mujoco>\n{content}\n<worldbody><body name='arm'><joint/><geom size='0.1'/></body></worldbody>\n</mujoco>"


def _texture(attributes):
    """A model whose second line is a texture."""
    return _top(f"<asset><texture name='t' {attributes}/></asset>")


def _png(width, height):
    """A grey image."""
    def chunk(kind, content):
        return struct.pack(">I", len(content)) + kind + content + struct.pack(">I", zlib.crc32(kind + content))

    header = struct.pack(">IIBBBBB", width, height, 8, 0, 0, 0, 0)
    rows = zlib.compress(bytes((1 + width) * height))
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IDAT", rows) + chunk(b"IEND", b"")


TETRAHEDRON = "0 0 0 1 0 0 0 1 0 0 0 1"
SQUARE = "0 0 0 1 0 0 0 1 0 1 1 0"
TETRAHEDRON_FILE = b"v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nvt 0 0\nvn 0 0 1\nf 1/1/1 3/1/1 2/1/1\nf 1/1/1 2/1/1 4/1/1\n"
BALL = "<geom size='0.1'/>"
INERTIA = "<inertial pos='0 0 0' mass='1' diaginertia='1 1 1'/>"

NOT_MJCF = [
    BadModel("empty text", "", 0, ()),
    BadModel("not XML", "hello", 0, ()),
    BadModel("unclosed element", "<mujoco>\n<worldbody>\n</mujoco>", 3, ()),
    BadModel("another root", "<mujocoo/>", 1, ("mujocoo", "mujoco")),
    BadModel("attribute without quotes", "<mujoco>\n<option timestep=1/>\n</mujoco>", 2, ()),
]

SPELLING = [
    BadModel("unknown section", _top("<optoin/>"), 2, ("optoin", "option")),
    BadModel("unknown element in a body", _body("<joints/>"), 4, ("joints", "joint")),
    BadModel("unknown attribute", _body("<geom size='0.1' masss='1'/>"), 4, ("masss", "mass")),
    BadModel("unknown attribute of an option", _top("<option gravty='0 0 1'/>"), 2, ("gravty", "gravity")),
    BadModel("unknown flag", _top("<option><flag gravitty='disable'/></option>"), 2, ("gravitty", "gravity")),
    BadModel("unknown geom type", _body("<geom type='spher' size='0.1'/>"), 4, ("spher", "sphere")),
    BadModel("unknown joint type", _body("<joint type='hing'/>"), 4, ("hing", "hinge")),
    BadModel("unknown integrator", _top("<option integrator='euler'/>"), 2, ("euler", "Euler")),
    BadModel("unknown angle", _top("<compiler angle='degrees'/>"), 2, ("degrees", "degree")),
    BadModel("unknown tracking mode", _body("<camera mode='follow'/>"), 4, ("follow",)),
    BadModel("switch neither on nor off", _top("<option><flag gravity='off'/></option>"), 2, ("off", "disable")),
    BadModel("truth that is neither true nor false", _top("<compiler fusestatic='yes'/>"), 2, ("yes", "true")),
    BadModel("unknown limited", _body("<joint limited='maybe'/>"), 4, ("maybe",)),
    BadModel("unknown Euler sequence", _body("<body euler='1 2 3'/>", "<compiler eulerseq='xya'/>"), 0, ("eulerseq",)),
    BadModel("short Euler sequence", _top("<compiler eulerseq='xy'/>"), 2, ("eulerseq",)),
    BadModel("unknown mesh inertia", _top(f"<asset><mesh name='m' inertia='best' vertex='{TETRAHEDRON}'/></asset>"), 2,
             ("best",)),
]

NUMBERS = [
    BadModel("too few numbers", _body("<geom size='0.1' pos='1 2'/>"), 4, ("pos", "3")),
    BadModel("too many numbers", _body("<geom size='0.1' pos='1 2 3 4'/>"), 4, ("pos", "3")),
    BadModel("quaternion of three", _body("<geom size='0.1' quat='1 0 0'/>"), 4, ("quat", "4")),
    BadModel("gravity of two", _top("<option gravity='0 1'/>"), 2, ("gravity", "3")),
    BadModel("damping of four", _body("<joint damping='1 2 3 4'/>"), 4, ("damping", "3")),
    BadModel("friction of four", _body("<geom size='0.1' friction='1 2 3 4'/>"), 4, ("friction", "3")),
    BadModel("not a number", _body("<geom size='0.1' pos='1 two 3'/>"), 4, ("pos", "two")),
    BadModel("half a number", _body("<geom size='0.1' mass='1.2.3'/>"), 4, ("mass", "1.2.3")),
    BadModel("a fraction for an integer", _body("<geom size='0.1' condim='3.5'/>"), 4, ("condim", "3.5")),
    BadModel("NaN position", _body("<geom size='0.1' pos='nan 0 0'/>"), 4, ("pos", "nan")),
    BadModel("NaN mass", _body("<geom size='0.1' mass='nan'/>"), 4, ("mass", "nan"), False),
    BadModel("infinite time step", _top("<option timestep='inf'/>"), 2, ("timestep", "inf"), False),
    BadModel("number too large", _body("<geom size='0.1' pos='1e400 0 0'/>"), 4, ("pos", "1e400")),
    BadModel("absurd size of user data", _top("<size nuserdata='2000000000'/>"), 2, ("nuserdata",), None),
    BadModel("negative size of user data", _top("<size nuser_body='-5'/>"), 2, ("nuser_body",)),
]

MASSES = [
    BadModel("negative mass", _only("<joint/><inertial pos='0 0 0' mass='-1' diaginertia='1 1 1'/>"), 4, ("mass",)),
    BadModel("negative geom mass", _body("<geom size='0.1' mass='-1'/>"), 4, ("mass",)),
    BadModel("negative density", _body("<geom size='0.1' density='-1'/>"), 4, ("density",)),
    BadModel("inertia without mass", _only("<joint/><inertial pos='0 0 0' diaginertia='1 1 1'/>"), 4, ("mass",)),
    BadModel("impossible moments", _only("<joint/><inertial pos='0 0 0' mass='1' diaginertia='1 1 3'/>"), 4,
             ("inertia",)),
    BadModel("negative moments", _only("<joint/><inertial pos='0 0 0' mass='1' diaginertia='1 1 -1'/>"), 4,
             ("inertia",)),
    BadModel("tensor that is not positive",
             _only("<joint/><inertial pos='0 0 0' mass='1' fullinertia='1 1 1 2 0 0'/>"), 4, ("fullinertia",)),
    BadModel("two ways to give inertia", _only(
        "<joint/><inertial pos='0 0 0' mass='1' diaginertia='1 1 1' fullinertia='1 1 1 0 0 0'/>"), 4, ("fullinertia",)),
    BadModel("tensor with an orientation", _only(
        "<joint/><inertial pos='0 0 0' mass='1' quat='1 1 0 0' fullinertia='1 1 1 0 0 0'/>"), 4, ("fullinertia",)),
    BadModel("moving body without mass", _only("<joint/>"), 3, ("mass",)),
    BadModel("two inertias", _only(f"<joint/>{INERTIA}{INERTIA}"), 4, ("inertial",)),
]

NAMES = [
    BadModel("two bodies of one name", _body(f"<body name='a'/><body name='a'>{BALL}</body>"), 4, ("a", "body")),
    BadModel("two joints of one name", _body("<joint name='turn'/>"), 4, ("turn",)),
    BadModel("two geoms of one name", _body("<geom name='ball' size='1'/>"), 4, ("ball",)),
    BadModel("two classes of one name", _top("<default><default class='a'/><default class='a'/></default>"), 2, ("a",)),
    BadModel("nested class without a name", _top("<default><default/></default>"), 2, ("class",)),
    BadModel("unknown class", _body("<geom class='nope' size='0.1'/>"), 4, ("nope",)),
    BadModel("unknown childclass", _body(f"<body childclass='nope'>{BALL}</body>"), 4, ("nope",)),
    BadModel("unknown material", _body("<geom material='nope' size='0.1'/>"), 4, ("nope",)),
    BadModel("unknown mesh", _body("<geom type='mesh' mesh='nope'/>"), 4, ("nope",)),
    BadModel("mesh geom with an unknown material", _top(
        f"<asset><mesh name='m' material='nope' vertex='{TETRAHEDRON}'/></asset>"
        "<worldbody><geom type='mesh' mesh='m'/></worldbody>"), 2, ("nope",)),
    BadModel("unknown texture", _top("<asset><material name='m' texture='nope'/></asset>"), 2, ("nope",)),
    BadModel("unknown camera target", _body("<camera mode='targetbody' target='nope'/>"), 4, ("nope",)),
    BadModel("unknown object in a tuple", _top(
        "<custom><tuple name='t'><element objtype='body' objname='nope'/></tuple></custom>"), 2, ("nope",)),
]

SHAPES = [
    BadModel("size zero", _body("<geom size='0'/>"), 4, ("size",)),
    BadModel("size negative", _body("<geom size='-0.1'/>"), 4, ("size",)),
    BadModel("size missing", _body("<geom type='box'/>"), 4, ("size",)),
    BadModel("box with two sizes", _body("<geom type='box' size='0.1 0.2'/>"), 4, ("size",)),
    BadModel("capsule with one size", _body("<geom type='capsule' size='0.1'/>"), 4, ("size",)),
    BadModel("sphere between two points", _body("<geom fromto='0 0 0 1 1 1' size='0.1'/>"), 4, ("fromto",)),
    BadModel("two points at one place", _body("<geom type='capsule' fromto='1 1 1 1 1 1' size='0.1'/>"), 4,
             ("fromto",)),
    BadModel("line of a fitted shape", _top(
        f"<asset><mesh name='m' vertex='{TETRAHEDRON}'/></asset>"
        "<worldbody><geom type='capsule' mesh='m' fromto='0 0 0 1 1 1'/></worldbody>"), 2, ("fromto", "mesh")),
    BadModel("geom with a line and a place",
             _body("<geom type='capsule' size='1' fromto='0 0 0 1 1 1' pos='1 0 0'/>"), 4, ("fromto", "pos")),
    BadModel("site with a line and a place", _body("<site type='capsule' fromto='0 0 0 1 1 1' pos='1 0 0'/>"), 4,
             ("fromto", "pos")),
    BadModel("two points that are almost at one place",
             _body("<geom type='capsule' fromto='0 0 0 0 0 1e-7' size='0.1'/>"), 4, ("fromto",)),
    BadModel("moving plane", _body("<geom type='plane' size='1 1 1'/>"), 4, ("plane",)),
    BadModel("mesh geom without mesh", _body("<geom type='mesh'/>"), 4, ("mesh",)),
    BadModel("height field geom without its field", _top("<worldbody><geom type='hfield'/></worldbody>"), 2,
             ("hfield",)),
    BadModel("two orientations", _body("<geom size='0.1' quat='1 0 0 0' euler='1 2 3'/>"), 4, ("quat", "euler")),
    BadModel("quaternion of zeros", _body("<body quat='0 0 0 0'/>"), 4, ("quat",)),
    BadModel("axes that are parallel", _body("<geom size='0.1' xyaxes='1 0 0 2 0 0'/>"), 4, ("xyaxes",)),
    BadModel("axis of zeros", _body("<geom size='0.1' zaxis='0 0 0'/>"), 4, ("zaxis",)),
    BadModel("condim of two", _body("<geom size='0.1' condim='2'/>"), 4, ("condim",)),
]

JOINTS = [
    BadModel("free joint below another body", _body(f"<body>{BALL}<freejoint/></body>"), 4, ("free",)),
    BadModel("free joint beside another joint", _body("<freejoint/>"), 4, ("free",)),
    BadModel("hinge after ball", _body(f"<body>{BALL}<joint type='ball'/><joint/></body>"), 4, ("ball",)),
    BadModel("joint of the world", _top("<worldbody><joint/></worldbody>"), 2, ("joint", "world")),
    BadModel("axis of zeros", _body("<joint axis='0 0 0'/>"), 4, ("axis",)),
    BadModel("range upside down", _body("<joint limited='true' range='1 -1'/>"), 4, ("range",)),
    BadModel("limit without a range", _body("<joint limited='true'/>"), 4, ("range",)),
    BadModel("range that does not say whether it limits",
             _body("<joint range='-1 1'/>", "<compiler autolimits='false'/>"), 4, ("range", "limited")),
    BadModel("ball range from below zero", _body(f"<body>{BALL}<joint type='ball' range='-1 1'/></body>"), 4,
             ("range",)),
    BadModel("mocap body with a joint",
             f"<mujoco>\n<worldbody>\n<body mocap='true'>{BALL}<joint/></body>\n</worldbody></mujoco>", 3, ("mocap",)),
    BadModel("mocap body below another", _body(f"<body mocap='true'>{BALL}</body>"), 4, ("mocap",)),
]

DATA = [
    BadModel("keyframe too short", _body("", after="\n<keyframe><key qpos='1 2'/></keyframe>"), 7, ("qpos", "1")),
    BadModel("velocity too long", _body("", after="\n<keyframe><key qvel='1 2 3'/></keyframe>"), 7, ("qvel", "1")),
    BadModel("mocap pose without mocap", _body("", after="\n<keyframe><key mpos='1 2 3'/></keyframe>"), 7,
             ("mpos", "0")),
    BadModel("numbers longer than their size", _top("<custom><numeric name='n' data='1 2 3' size='2'/></custom>"), 2,
             ("data",)),
    BadModel("numbers without a name", _top("<custom><numeric data='1 2 3'/></custom>"), 2, ("name",)),
    BadModel("empty tuple", _top("<custom><tuple name='t'/></custom>"), 2, ("t",)),
]

ASSETS = [
    BadModel("missing mesh file", _top("<asset><mesh file='nowhere.obj'/></asset>"), 2, ("nowhere.obj",)),
    BadModel("unknown kind of mesh file", _top("<asset><mesh file='mesh.xyz'/></asset>"), 2, ("xyz",),
             assets={"mesh.xyz": b"abc"}),
    BadModel("broken mesh file", _top("<asset><mesh file='mesh.obj'/></asset>"), 2, ("mesh.obj",),
             assets={"mesh.obj": b"v 1 2\nf 1 2 9\n"}),
    BadModel("truncated mesh file", _top("<asset><mesh file='mesh.stl'/></asset>"), 2, ("mesh.stl",),
             assets={"mesh.stl": b"x" * 80 + b"\xff\xff\xff\x7f"}),
    BadModel("too few vertices", _top("<asset><mesh name='m' vertex='0 0 0 1 0 0 0 1 0'/></asset>"), 2, ("vert",)),
    BadModel("vertices not in threes", _top("<asset><mesh name='m' vertex='0 0 0 1 0 0 0 1 0 0 0'/></asset>"), 2,
             ("vert",)),
    BadModel("face without a vertex", _top(f"<asset><mesh name='m' vertex='{TETRAHEDRON}' face='0 1 7'/></asset>"), 2,
             ("7",)),
    BadModel("flat mesh", _top("<asset><mesh name='m' vertex='0 0 0 1 0 0 0 1 0 1 1 0'/></asset>"), 2, ("m",)),
    BadModel("flat mesh that collides", _top(
        f"<asset><mesh name='m' inertia='shell' vertex='{SQUARE}' face='0 1 2 1 3 2'/></asset>"
        "<worldbody><geom type='mesh' mesh='m' contype='0'/></worldbody>"), 2, ("m",)),
    BadModel("vertices beside a file", _top(f"<asset><mesh file='once.obj' vertex='{TETRAHEDRON}'/></asset>"), 2,
             ("once", "vertices"), assets={"once.obj": TETRAHEDRON_FILE}),
    BadModel("faces beside a file", _top("<asset><mesh file='twice.obj' face='0 1 2'/></asset>"), 2,
             ("twice", "faces"), assets={"twice.obj": TETRAHEDRON_FILE}),
    BadModel("normals beside those of a file", _top("<asset><mesh file='thrice.obj' normal='0 0 1'/></asset>"), 2,
             ("thrice", "normals"), assets={"thrice.obj": TETRAHEDRON_FILE}),
    BadModel("texture coordinates beside those of a file",
             _top("<asset><mesh file='often.obj' texcoord='0 1'/></asset>"), 2, ("often", "texture coordinates"),
             assets={"often.obj": TETRAHEDRON_FILE}),
    BadModel("texture coordinates for other vertices",  # MuJoCo then reads past their end
             _top("<asset><mesh name='m' file='few.obj' texcoord='0 1'/></asset>"), 2, ("texcoord",), None,
             assets={"few.obj": b"v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\n"}),
    BadModel("height field of no height", _top(
        "<asset><hfield name='h' nrow='2' ncol='2' size='1 1 0 1'/></asset>"), 2, ("size",)),
    BadModel("too few elevations", _top(
        "<asset><hfield name='h' nrow='2' ncol='2' size='1 1 1 1' elevation='1 2 3'/></asset>"), 2, ("elevation", "4")),
    BadModel("absurd height field", _top(
        "<asset><hfield name='h' nrow='1000000' ncol='1000000' size='1 1 1 1'/></asset>"), 2, ("elevations",), None),
    BadModel("missing include", _top("<include file='nowhere.xml'/>"), 2, ("nowhere.xml",)),
    BadModel("include without a file", _top("<include/>"), 2, ("file",)),
    BadModel("file that includes itself", _top("<include file='loop.xml'/>"), 0, ("loop.xml",),
             assets={"loop.xml": b"<mujocoinclude><include file='loop.xml'/></mujocoinclude>"}),
]

TEXTURES = [
    BadModel("pattern without a size", _texture("builtin='flat'"), 2, ("width",)),
    BadModel("pattern without a height", _texture("builtin='flat' type='2d' width='4'"), 2, ("height",)),
    BadModel("pattern of one channel", _texture("builtin='flat' width='4' nchannel='1'"), 2, ("channels",), None),
    BadModel("pattern beyond all bounds", _texture("builtin='flat' width='2000000000'"), 2, ("large",), None),
    BadModel("layout of another grid", _texture("builtin='flat' width='4' gridsize='2 2' gridlayout='UD'"), 2,
             ("gridlayout", "2 x 2")),
    BadModel("texture without an image", _texture("type='2d'"), 2, ("image",)),
    BadModel("empty image", _texture("type='2d' file='empty.png'"), 2, ("empty.png",), assets={"empty.png": b""}),
    BadModel("broken image", _texture("type='2d' file='broken.png'"), 2, ("broken.png",),
             assets={"broken.png": b"version https://example.org/pointer"}),
    BadModel("image that is cut off", _texture("type='2d' file='half.png'"), 2, ("half.png", "cut"),
             assets={"half.png": _png(4, 4)[:-12]}),
    BadModel("image of an unknown kind", _texture("type='2d' file='a.bmp'"), 2, ("a.bmp",),
             assets={"a.bmp": _png(4, 4)}),
    BadModel("cube from an oblong", _texture("type='cube' file='long.png'"), 2, ("long.png", "4 x 8"),
             assets={"long.png": _png(4, 8)}),
    BadModel("cube from another grid", _texture("type='cube' file='grid.png' gridsize='3 4'"), 2, ("grid.png",),
             assets={"grid.png": _png(12, 12)}),
    BadModel("grid of too many squares", _texture("type='cube' file='many.png' gridsize='13 1'"), 2, ("gridsize", "12"),
             assets={"many.png": _png(1, 13)}),
    BadModel("oblong side of a cube", _texture("type='cube' fileup='side.png'"), 2, ("side.png", "square"),
             assets={"side.png": _png(4, 8)}),
    BadModel("sides of two sizes", _texture("type='skybox' fileup='up.png' filedown='down.png'"), 2,
             ("down.png", "other sides"), assets={"up.png": _png(4, 4), "down.png": _png(8, 8)}),
    BadModel("image of two channels", _texture("type='2d' file='two.png' nchannel='2'"), 2, ("channels",),
             assets={"two.png": _png(4, 4)}),
    BadModel("cube from KTX", _texture("type='cube' file='cube.ktx'"), 2, ("cube.ktx",),
             assets={"cube.ktx": b"pixels"}),
]

SETTINGS = [
    BadModel("light softer than soft", _body("<light softness='2'/>"), 4, ("softness",)),
    BadModel("global coordinates", _top("<compiler coordinate='global'/>"), 2, ("coordinate",)),
    BadModel("two descriptions of one lens",
             _body("<camera focal='1 1' fovy='30' sensorsize='1 1' resolution='5 5'/>"), 4, ("fovy",)),
    BadModel("focal length without a sensor", _body("<camera focal='1 1'/>"), 4, ("sensorsize",)),
]

ALL = NOT_MJCF + SPELLING + NUMBERS + MASSES + NAMES + SHAPES + JOINTS + DATA + ASSETS + TEXTURES + SETTINGS


def _tendon(content, attributes="", kind="spatial"):
    """A model whose fourth line is the content of a tendon; its sites a and b are on a body, c is in the world."""
    world = ("<worldbody><site name='c'/><geom name='box' type='box' size='1 1 1'/><body><joint name='turn'/>"
             "<geom name='ball' size='0.1'/><site name='a' pos='0 0 1'/><site name='b' pos='1 0 1'/></body>"
             "<body><joint name='swivel' type='ball'/><geom size='0.1'/></body></worldbody>")
    return f"<mujoco>{world}\n<tendon>\n<{kind} name='rope' {attributes}>\n{content}\n</{kind}>\n</tendon>\n</mujoco>"


def _sites(*names):
    return "".join(f"<site site='{name}'/>" for name in names)


HINGE = "<joint joint='turn' coef='1'/>"
TENDONS = [
    BadModel("empty path", _tendon(""), 3, ("rope", "empty")),
    BadModel("empty sum", _tendon("", kind="fixed"), 3, ("rope", "empty")),
    BadModel("tendon through an unknown site", _tendon(_sites("a", "bb")), 4, ("bb", "site")),
    BadModel("tendon around an unknown geom", _tendon("<site site='a'/><geom geom='bal'/><site site='b'/>"), 4,
             ("bal", "ball")),
    BadModel("unknown side site", _tendon("<site site='a'/><geom geom='ball' sidesite='d'/><site site='b'/>"), 4,
             ("side site", "d")),
    BadModel("tendon around a box", _tendon("<site site='a'/><geom geom='box'/><site site='c'/>"), 4,
             ("box", "sphere", "cylinder")),
    BadModel("tendon around a ball without radius",
             _tendon("<site site='a'/><geom geom='ball'/><site site='b'/>").replace("'0.1'", "'0'"), 1, ("size",)),
    BadModel("sum over an unknown joint", _tendon("<joint joint='trun' coef='1'/>", kind="fixed"), 4, ("trun", "turn")),
    BadModel("sum over a ball joint", _tendon("<joint joint='swivel' coef='1'/>", kind="fixed"), 4,
             ("swivel", "hinge"), judge_refuses=False),
    BadModel("tendon with one site", _tendon(_sites("a")), 4, ("two sites",)),
    BadModel("the same site twice", _tendon(_sites("a", "a", "b")), 4, ("same site",)),
    BadModel("path that starts with a geom", _tendon("<geom geom='ball'/><site site='a'/>"), 4, ("between two sites",)),
    BadModel("path that ends with a geom", _tendon("<site site='a'/><geom geom='ball'/>"), 4, ("between two sites",)),
    BadModel("two geoms in a row", _tendon("<site site='a'/><geom geom='ball'/><geom geom='ball'/><site site='b'/>"), 4,
             ("between two sites",)),
    BadModel("path that ends with a pulley", _tendon(_sites("a", "b") + "<pulley divisor='2'/>"), 4, ("pulley",)),
    BadModel("two pulleys in a row",
             _tendon(_sites("a", "b") + "<pulley divisor='2'/><pulley divisor='2'/>" + _sites("a", "b")), 4,
             ("two pulleys",)),
    BadModel("branch of one site", _tendon(_sites("a", "b") + "<pulley divisor='2'/><site site='c'/>"), 4,
             ("two sites",)),
    BadModel("pulley without divisor", _tendon(_sites("a", "b") + "<pulley/>" + _sites("a", "c")), 4, ("divisor",)),
    BadModel("pulley with a negative divisor", _tendon(_sites("a", "b") + "<pulley divisor='-2'/>" + _sites("a", "c")),
             4, ("divisor", "positive")),
    BadModel("pulley that divides by zero", _tendon(_sites("a", "b") + "<pulley divisor='0'/>" + _sites("a", "c")), 4,
             ("divisor", "positive"), judge_refuses=False),
    BadModel("joint in a spatial tendon", _tendon(HINGE), 4, ("joint", "spatial")),
    BadModel("site in a fixed tendon", _tendon(_sites("a"), kind="fixed"), 4, ("site", "fixed")),
    BadModel("joint without coefficient", _tendon("<joint joint='turn'/>", kind="fixed"), 4, ("coef",)),
    BadModel("coefficient that is no number", _tendon("<joint joint='turn' coef='nan'/>", kind="fixed"), 4, ("coef",),
             judge_refuses=False),
    BadModel("colour of a fixed tendon", _tendon(HINGE, "rgba='1 0 0 1'", "fixed"), 3, ("rgba",)),
    BadModel("limits that do not grow", _tendon(HINGE, "limited='true' range='2 1'", "fixed"), 3, ("range", "less")),
    BadModel("force range without zero", _tendon(HINGE, "actuatorfrclimited='true' actuatorfrcrange='1 2'", "fixed"), 3,
             ("actuatorfrcrange",)),
    BadModel("dead band that does not grow", _tendon(HINGE, "springlength='2 1'", "fixed"), 3, ("springlength",)),
    BadModel("tendon without width", _tendon(_sites("a", "c"), "width='0'"), 3, ("width",)),
    BadModel("tendon of an unknown material", _tendon(_sites("a", "c"), "material='gold'"), 3, ("gold",)),
    BadModel("tendon of an unknown class", _tendon(_sites("a", "c"), "class='soft'"), 3, ("soft",)),
    BadModel("armature around a geom",
             _tendon("<site site='a'/><geom geom='ball'/><site site='c'/>", "armature='1'"), 3, ("armature",)),
]
ALL += TENDONS


def _actuator(content, before=""):
    """A model whose third line is the content of <actuator>."""
    world = ("<worldbody><body name='arm'><joint name='turn' range='-1 1' limited='true'/><geom size='0.1'/>"
             "<site name='a'/>"
             "<body><joint name='swivel' type='ball'/><geom size='0.1'/><site name='b'/></body></body></worldbody>")
    return f"<mujoco>{before}{world}\n<actuator>\n{content}\n</actuator>\n</mujoco>"


MUSCLE = "lengthrange='0 1'"
ACTUATORS = [
    BadModel("controls of a keyframe", _actuator("<motor joint='turn'/>").replace(
        "</mujoco>", "<keyframe><key ctrl='1 2'/></keyframe></mujoco>"), 5, ("ctrl", "1")),
    BadModel("activations of a keyframe", _actuator("<motor joint='turn'/>").replace(
        "</mujoco>", "<keyframe><key act='1'/></keyframe></mujoco>"), 5, ("act", "0")),
    BadModel("actuator of nothing", _actuator("<motor/>"), 3, ("transmission", "joint")),
    BadModel("actuator of two things", _actuator("<motor joint='turn' site='a'/>"), 3, ("more than one",),
             judge_refuses=False),
    BadModel("actuator of an unknown joint", _actuator("<motor joint='trun'/>"), 3, ("trun", "turn")),
    BadModel("actuator of an unknown tendon", _actuator("<motor tendon='rope'/>"), 3, ("rope", "tendon")),
    BadModel("actuator of an unknown site", _actuator("<motor site='c'/>"), 3, ("site", "c")),
    BadModel("actuator of an unknown body", _actuator("<adhesion body='amr' ctrlrange='0 1'/>"), 3, ("amr", "arm")),
    BadModel("unknown reference site", _actuator("<motor site='a' refsite='c'/>"), 3, ("site", "c")),
    BadModel("reference site of a joint", _actuator("<motor joint='turn' refsite='a'/>"), 3, ("refsite",)),
    BadModel("slider without crank", _actuator("<motor joint='turn' slidersite='a'/>"), 3, ("slidersite",)),
    BadModel("crank without slider", _actuator("<motor cranksite='a' cranklength='1'/>"), 3, ("slidersite",)),
    BadModel("crank without rod", _actuator("<motor cranksite='a' slidersite='b'/>"), 3, ("cranklength",)),
    BadModel("two actuators of one name", _actuator("<motor name='m' joint='turn'/><motor name='m' joint='turn'/>"), 3,
             ("'m'",)),
    BadModel("unknown kind of actuator", _actuator("<motr joint='turn'/>"), 3, ("motr", "motor")),
    BadModel("actuator of an unknown class", _actuator("<motor class='soft' joint='turn'/>"), 3, ("soft",)),
    BadModel("unknown dynamics", _actuator("<general joint='turn' dyntype='fliter'/>"), 3, ("fliter", "filter")),
    BadModel("limited control without range", _actuator("<motor joint='turn' ctrllimited='true'/>"), 3, ("ctrlrange",)),
    BadModel("limited force without range", _actuator("<motor joint='turn' forcelimited='true'/>"), 3, ("forcerange",)),
    BadModel("activation range without activation", _actuator("<general joint='turn' actrange='0 1'/>"), 3,
             ("actrange", "dyntype")),
    BadModel("range without autolimits",
             _actuator("<motor joint='turn' ctrlrange='0 1'/>", "<compiler autolimits='false'/>"), 3, ("autolimits",)),
    BadModel("kv and dampratio", _actuator("<position joint='turn' kv='1' dampratio='1'/>"), 3, ("kv", "dampratio")),
    BadModel("negative kv", _actuator("<position joint='turn' kv='-1'/>"), 3, ("kv", "negative")),
    BadModel("negative kv of an intvelocity", _actuator("<intvelocity joint='turn' kv='-1'/>"), 3, ("kv", "negative"),
             judge_refuses=False),
    BadModel("negative time constant", _actuator("<position joint='turn' timeconst='-1'/>"), 3, ("timeconst",)),
    BadModel("inherited range and range", _actuator("<position joint='turn' inheritrange='1' ctrlrange='0 1'/>"), 3,
             ("inheritrange", "ctrlrange")),
    BadModel("inherited range of a site", _actuator("<position site='a' inheritrange='1'/>"), 3, ("inheritrange",)),
    BadModel("inherited range of a ball", _actuator("<position joint='swivel' inheritrange='1'/>"), 3,
             ("inheritrange", "hinge")),
    BadModel("damper that pushes", _actuator("<damper joint='turn' kv='-1' ctrlrange='0 1'/>"), 3, ("kv", "negative")),
    BadModel("damper without range", _actuator("<damper joint='turn'/>"), 3, ("ctrlrange",)),
    BadModel("adhesion that repels", _actuator("<adhesion body='arm' ctrlrange='-1 1'/>"), 3,
             ("ctrlrange", "negative")),
    BadModel("muscle with a bad range", _actuator(f"<muscle joint='turn' {MUSCLE} range='1 1'/>"), 3, ("range",)),
    BadModel("muscle that starts too long", _actuator(f"<muscle joint='turn' {MUSCLE} lmin='2'/>"), 3, ("lmin",)),
    BadModel("muscle without speed", _actuator(f"<muscle joint='turn' {MUSCLE} vmax='0'/>"), 3, ("vmax",)),
    BadModel("muscle with negative smoothing", _actuator(f"<muscle joint='turn' {MUSCLE} tausmooth='-1'/>"), 3,
             ("tausmooth",)),
    BadModel("activations without dynamics", _actuator("<general joint='turn' actdim='1'/>"), 3, ("actdim",)),
    BadModel("too many activations", _actuator("<general joint='turn' dyntype='filter' actdim='2'/>"), 3, ("actdim",)),
    BadModel("delay without history", _actuator("<motor joint='turn' delay='0.1'/>"), 3, ("delay", "nsample")),
    BadModel("history without controls",
             _actuator("<dcmotor joint='turn' motorconst='1' resistance='1' input='none' nsample='2'/>"), 3,
             ("history", "input")),
    BadModel("damping at a site", _actuator("<motor site='a' damping='1'/>"), 3, ("damping",)),
    BadModel("orientation of a hinge", _actuator("<orientation joint='turn'/>"), 3, ("ball",)),
    BadModel("orientation of a site alone", _actuator("<orientation site='a'/>"), 3, ("refsite",)),
    BadModel("torque range that does not start at zero", _actuator("<orientation joint='swivel' forcerange='-1 1'/>"), 3,
             ("forcerange",)),
    BadModel("half an orientation servo", _actuator("<general joint='swivel' gaintype='so3'/>"), 3, ("so3",)),
    BadModel("input of a motor", _actuator("<general joint='turn' input='ff'/>"), 3, ("input",)),
    BadModel("inputs in another order", _actuator("<pid joint='turn' input='vel pos'/>"), 3, ("order",)),
    BadModel("unknown input", _actuator("<pid joint='turn' input='speed'/>"), 3, ("speed",)),
    BadModel("integral without position", _actuator("<pid joint='turn' ki='1' input='vel'/>"), 3, ("pos",)),
    BadModel("dynamics of a pid alone", _actuator("<general joint='turn' dyntype='pid'/>"), 3, ("pid",)),
    BadModel("motor without constant", _actuator("<dcmotor joint='turn' resistance='1'/>"), 3, ("motorconst",)),
    BadModel("motor without resistance", _actuator("<dcmotor joint='turn' motorconst='1'/>"), 3, ("resistance",)),
    BadModel("motor that warms without capacity",
             _actuator("<dcmotor joint='turn' motorconst='1' resistance='1' thermal='1'/>"), 3, ("thermal",)),
    BadModel("controller without input",
             _actuator("<dcmotor joint='turn' motorconst='1' resistance='1' controller='1'/>"), 3,
             ("controller", "pos")),
    BadModel("plugin as actuator", _actuator("<plugin joint='turn' plugin='mujoco.pid'/>"), 3, ("plugin",)),
]
ALL += ACTUATORS


def _sensor(content):
    """A model whose third line is a sensor, with joints, sites and a tendon to measure."""
    body = ("<body name='arm'><joint name='turn'/><geom name='bone' size='0.1'/><site name='tip'/>"
            "<body><joint name='swivel' type='ball'/><geom size='0.1'/></body></body>")
    tendon = "<tendon><fixed name='sum'><joint joint='turn' coef='1'/></fixed></tendon>"
    return f"<mujoco><worldbody>{body}</worldbody>{tendon}\n<sensor>\n{content}\n</sensor>\n</mujoco>"


SENSORS = [
    BadModel("sensor at an unknown site", _sensor("<gyro site='tpi'/>"), 3, ("tpi", "tip")),
    BadModel("sensor without site", _sensor("<gyro/>"), 3, ("site",)),
    BadModel("sensor of an unknown joint", _sensor("<jointpos joint='trun'/>"), 3, ("trun", "turn")),
    BadModel("sensor of an unknown tendon", _sensor("<tendonpos tendon='some'/>"), 3, ("some", "tendon")),
    BadModel("sensor of an unknown actuator", _sensor("<actuatorfrc actuator='motor'/>"), 3, ("motor", "actuator")),
    BadModel("sensor of an unknown body", _sensor("<subtreecom body='amr'/>"), 3, ("amr", "arm")),
    BadModel("frame of an unknown geom", _sensor("<framepos objtype='geom' objname='bon'/>"), 3, ("bon", "bone")),
    BadModel("frame of a joint", _sensor("<framepos objtype='joint' objname='turn'/>"), 3, ("joint",)),
    BadModel("frame without name", _sensor("<framepos objtype='site'/>"), 3, ("objname",)),
    BadModel("frame without type", _sensor("<framepos objname='tip'/>"), 3, ("objtype",)),
    BadModel("frame in an unknown frame", _sensor("<framepos objtype='site' objname='tip' reftype='site' refname='x'/>"),
             3, ("'x'", "site")),
    BadModel("reference without name", _sensor("<framepos objtype='site' objname='tip' reftype='site'/>"), 3,
             ("refname",)),
    BadModel("reference without type", _sensor("<framepos objtype='site' objname='tip' refname='tip'/>"), 3,
             ("reftype",)),
    BadModel("reference of an acceleration",
             _sensor("<framelinacc objtype='site' objname='tip' reftype='site' refname='tip'/>"), 3, ("reftype",)),
    BadModel("coordinate of a ball", _sensor("<jointpos joint='swivel'/>"), 3, ("hinge",)),
    BadModel("orientation sensor of a hinge", _sensor("<ballquat joint='turn'/>"), 3, ("ball",)),
    BadModel("limit of a free turn", _sensor("<jointlimitpos joint='turn'/>"), 3, ("limit",)),
    BadModel("limit of a free tendon", _sensor("<tendonlimitfrc tendon='sum'/>"), 3, ("limit",)),
    BadModel("negative cutoff", _sensor("<clock cutoff='-1'/>"), 3, ("cutoff", "negative")),
    BadModel("cutoff of an axis", _sensor("<framexaxis objtype='site' objname='tip' cutoff='1'/>"), 3, ("cutoff",)),
    BadModel("negative noise", _sensor("<clock noise='-1'/>"), 3, ("noise", "negative")),
    BadModel("reading delay without history", _sensor("<clock delay='0.1'/>"), 3, ("delay", "nsample")),
    BadModel("negative period", _sensor("<clock interval='-1'/>"), 3, ("interval", "negative")),
    BadModel("positive phase", _sensor("<clock interval='1 0.1'/>"), 3, ("phase", "positive")),
    BadModel("phase before the last period", _sensor("<clock interval='1 -2'/>"), 3, ("phase",)),
    BadModel("user sensor without size", _sensor("<user/>"), 3, ("dim",)),
    BadModel("axis of two numbers", _sensor("<user dim='2' datatype='axis'/>"), 3, ("axis", "3")),
    BadModel("quaternion of three numbers", _sensor("<user dim='3' datatype='quaternion'/>"), 3, ("quaternion", "4")),
    BadModel("user sensor of half an object", _sensor("<user dim='1' objtype='joint'/>"), 3, ("objname",)),
    BadModel("too many user numbers", _sensor("<clock user='1 2'/>").replace("<mujoco>", "<mujoco><size nuser_sensor='1'/>"),
             3, ("user",)),
    BadModel("two sensors of one name", _sensor("<clock name='c'/><clock name='c'/>"), 3, ("'c'",)),
    BadModel("unknown kind of sensor", _sensor("<gyroscope site='tip'/>"), 3, ("gyroscope",)),
    BadModel("class of a sensor", _sensor("<clock class='main'/>"), 3, ("class",)),
    BadModel("plugin as sensor", _sensor("<plugin plugin='mujoco.sensor.touch_grid'/>"), 3, ("plugin",)),
]
ALL += SENSORS


def _contact(content):
    """A model whose third line is in <contact>, with geoms and bodies to name."""
    bodies = ("<geom name='floor' type='plane' size='1 1 1'/><body name='arm'><joint/><geom name='bone' size='0.1'/>"
              "</body><body name='leg'><joint/><geom name='shin' size='0.1'/></body>")
    return f"<mujoco><worldbody>{bodies}</worldbody>\n<contact>\n{content}\n</contact>\n</mujoco>"


CONTACTS = [
    BadModel("pair with an unknown geom", _contact("<pair geom1='bon' geom2='shin'/>"), 3, ("bon", "bone")),
    BadModel("pair with one geom", _contact("<pair geom1='bone'/>"), 3, ("geom2",)),
    BadModel("pair of a geom with itself", _contact("<pair geom1='bone' geom2='bone'/>"), 3, ("bone", "itself"),
             judge_refuses=False),
    BadModel("pair with condim 2", _contact("<pair geom1='bone' geom2='shin' condim='2'/>"), 3, ("condim", "1, 3, 4 or 6")),
    BadModel("pair with six frictions", _contact("<pair geom1='bone' geom2='shin' friction='1 1 1 1 1 1'/>"), 3,
             ("friction",)),
    BadModel("pair of bodies", _contact("<pair body1='arm' body2='leg'/>"), 3, ("body1",)),
    BadModel("pair of an unknown class", _contact("<pair geom1='bone' geom2='shin' class='stif'/>"), 3, ("stif",)),
    BadModel("two pairs of one name", _contact("<pair name='p' geom1='bone' geom2='shin'/>"
                                               "<pair name='p' geom1='bone' geom2='floor'/>"), 3, ("'p'",)),
    BadModel("exclusion of an unknown body", _contact("<exclude body1='arm' body2='lge'/>"), 3, ("lge", "leg")),
    BadModel("exclusion of one body", _contact("<exclude body1='arm'/>"), 3, ("body2",)),
    BadModel("exclusion of geoms", _contact("<exclude geom1='bone' geom2='shin'/>"), 3, ("geom1",)),
    BadModel("class of an exclusion", _contact("<exclude body1='arm' body2='leg' class='main'/>"), 3, ("class",)),
    BadModel("two exclusions of one name", _contact("<exclude name='e' body1='arm' body2='leg'/>"
                                                    "<exclude name='e' body1='arm' body2='world'/>"), 3, ("'e'",)),
    BadModel("unknown element in contact", _contact("<pairs geom1='bone' geom2='shin'/>"), 3, ("pairs", "pair")),
]
ALL += CONTACTS


def _equality(content):
    """A model whose third line is in <equality>, with bodies, sites, joints and tendons to name."""
    bodies = ("<site name='hook'/><body name='arm'><joint name='turn'/><geom size='0.1'/><site name='tip'/></body>"
              "<body name='leg'><joint name='swivel' type='ball'/><geom size='0.1'/></body>")
    tendon = "<tendon><fixed name='sum'><joint joint='turn' coef='1'/></fixed></tendon>"
    return f"<mujoco><worldbody>{bodies}</worldbody>{tendon}\n<equality>\n{content}\n</equality>\n</mujoco>"


EQUALITIES = [
    BadModel("connect without anchor", _equality("<connect body1='arm' body2='leg'/>"), 3, ("anchor",)),
    BadModel("connect without body", _equality("<connect anchor='0 0 0'/>"), 3, ("body1",)),
    BadModel("connect of a body with itself", _equality("<connect body1='arm' body2='arm' anchor='0 0 0'/>"), 3,
             ("arm", "itself")),
    BadModel("connect of an unknown body", _equality("<connect body1='amr' anchor='0 0 0'/>"), 3, ("amr", "arm")),
    BadModel("connect to an unknown body", _equality("<connect body1='arm' body2='lge' anchor='0 0 0'/>"), 3,
             ("lge", "leg")),
    BadModel("connect of the world with itself", _equality("<connect body1='world' anchor='0 0 0'/>"), 3,
             ("world", "itself")),
    BadModel("connect of one site", _equality("<connect site1='tip'/>"), 3, ("site2",)),
    BadModel("connect of a site with itself", _equality("<connect site1='tip' site2='tip'/>"), 3, ("tip", "itself")),
    BadModel("connect of an unknown site", _equality("<connect site1='tpi' site2='hook'/>"), 3, ("tpi", "tip")),
    BadModel("connect of a site and a body", _equality("<connect site1='tip' body2='leg' anchor='0 0 0'/>"), 3,
             ("site1", "body2")),
    BadModel("anchor of sites", _equality("<connect site1='tip' site2='hook' anchor='0 0 0'/>"), 3, ("anchor",)),
    BadModel("anchor of two numbers", _equality("<connect body1='arm' anchor='0 0'/>"), 3, ("anchor", "3")),
    BadModel("torque scale of a connect", _equality("<connect body1='arm' anchor='0 0 0' torquescale='1'/>"), 3,
             ("torquescale",)),
    BadModel("weld without body", _equality("<weld/>"), 3, ("body1",)),
    BadModel("weld of a body with itself", _equality("<weld body1='arm' body2='arm'/>"), 3, ("arm", "itself")),
    BadModel("weld of an unknown body", _equality("<weld body1='arn'/>"), 3, ("arn", "arm")),
    BadModel("weld with half a pose", _equality("<weld body1='arm' relpose='0 1 0'/>"), 3, ("relpose", "7")),
    BadModel("pose of sites", _equality("<weld site1='tip' site2='hook' relpose='0 0 0 1 0 0 0'/>"), 3, ("relpose",)),
    BadModel("joint equality without joint", _equality("<joint joint2='turn'/>"), 3, ("joint1",)),
    BadModel("joint equality of an unknown joint", _equality("<joint joint1='trun'/>"), 3, ("trun", "turn")),
    BadModel("joint equality of a ball", _equality("<joint joint1='swivel'/>"), 3, ("swivel", "hinge")),
    BadModel("joint equality with a ball", _equality("<joint joint1='turn' joint2='swivel'/>"), 3, ("swivel", "hinge")),
    BadModel("joint equality with itself", _equality("<joint joint1='turn' joint2='turn'/>"), 3, ("turn", "itself")),
    BadModel("polynomial of six", _equality("<joint joint1='turn' polycoef='1 2 3 4 5 6'/>"), 3, ("polycoef",)),
    BadModel("tendon equality without tendon", _equality("<tendon/>"), 3, ("tendon1",)),
    BadModel("tendon equality of an unknown tendon", _equality("<tendon tendon1='smu'/>"), 3, ("smu", "sum")),
    BadModel("tendon equality with itself", _equality("<tendon tendon1='sum' tendon2='sum'/>"), 3, ("sum", "itself")),
    BadModel("two equalities of one name", _equality("<joint name='e' joint1='turn'/><weld name='e' body1='arm'/>"), 3,
             ("'e'",)),
    BadModel("equality of an unknown class", _equality("<weld body1='arm' class='stif'/>"), 3, ("stif",)),
    BadModel("flexible equality", _equality("<flex flex='cloth'/>"), 3, ("flex",)),
    BadModel("unknown equality", _equality("<distance geom1='a' geom2='b'/>"), 3, ("distance",)),
]
ALL += EQUALITIES


def _near(content):
    """A model whose third line is a sensor, with geoms, bodies, sites and cameras to name."""
    bodies = ("<body name='arm'><joint/><geom name='bone' size='0.1'/><site name='tip'/><camera name='eye'/></body>"
              "<body name='leg'><joint/><geom name='shin' size='0.1'/></body>")
    return f"<mujoco><worldbody>{bodies}</worldbody>\n<sensor>\n{content}\n</sensor>\n</mujoco>"


CONTACT_SENSORS = [
    BadModel("touch at an unknown site", _near("<touch site='tpi'/>"), 3, ("tpi", "tip")),
    BadModel("touch without site", _near("<touch/>"), 3, ("site",)),
    BadModel("ray from nowhere", _near("<rangefinder/>"), 3, ("site", "camera")),
    BadModel("ray from two places", _near("<rangefinder site='tip' camera='eye'/>"), 3, ("site", "camera")),
    BadModel("ray from an unknown camera", _near("<rangefinder camera='eey'/>"), 3, ("eey", "eye")),
    BadModel("unknown data of a ray", _near("<rangefinder site='tip' data='length'/>"), 3, ("length",)),
    BadModel("data of a ray in another order", _near("<rangefinder site='tip' data='dir dist'/>"), 3, ("order", "dist")),
    BadModel("data of a ray twice", _near("<rangefinder site='tip' data='dist dist'/>"), 3, ("once",)),
    BadModel("distance from nothing", _near("<distance geom2='bone'/>"), 3, ("geom1", "body1")),
    BadModel("distance to nothing", _near("<distance geom1='bone'/>"), 3, ("geom2", "body2")),
    BadModel("distance of a geom to itself", _near("<distance geom1='bone' geom2='bone'/>"), 3, ("different",)),
    BadModel("normal of a body to itself", _near("<normal body1='arm' body2='arm'/>"), 3, ("different",)),
    BadModel("segment from two things", _near("<fromto geom1='bone' body1='arm' geom2='shin'/>"), 3, ("geom1", "body1")),
    BadModel("distance to an unknown body", _near("<distance geom1='bone' body2='lge'/>"), 3, ("lge", "leg")),
    BadModel("distance to a site", _near("<distance geom1='bone' site='tip'/>"), 3, ("site",)),
    BadModel("contact of two first things", _near("<contact geom1='bone' site='tip'/>"), 3, ("geom1", "site")),
    BadModel("contact of two second things", _near("<contact geom2='bone' subtree2='arm'/>"), 3, ("geom2", "subtree2")),
    BadModel("contact of an unknown geom", _near("<contact geom1='bnoe'/>"), 3, ("bnoe", "bone")),
    BadModel("contact of an unknown subtree", _near("<contact subtree2='amr'/>"), 3, ("amr", "arm")),
    BadModel("no contacts", _near("<contact num='0'/>"), 3, ("num", "greater than 0")),
    BadModel("unknown reduction", _near("<contact reduce='least'/>"), 3, ("least", "mindist")),
    BadModel("data of a contact in another order", _near("<contact data='force found'/>"), 3, ("order", "found")),
    BadModel("tactile mesh that is not there", _near("<tactile geom='bone' mesh='m'/>"), 3, ("mesh", "m")),
    BadModel("tactile sensor without a mesh", _near("<tactile geom='bone'/>"), 3, ("tactile", "mesh")),
    BadModel("tactile sensor with noise", _near("<tactile geom='bone' mesh='m' noise='1'/>"), 3, ("noise",)),
]
ALL += CONTACT_SENSORS


def _assembled(content, before="", after=""):
    """A model whose third line is in the world, with a model asset 'arm' and a body 'own'."""
    asset = "<asset><model name='arm' file='arm.xml'/></asset>"
    own = "<body name='own'><joint name='turn'/><geom size='0.1'/></body>"
    return f"<mujoco>{before}{asset}\n<worldbody>{own}\n{content}\n</worldbody>{after}\n</mujoco>"


ARM_FILE = (b"<mujoco model='arm'><option timestep='0.01'/><worldbody><frame name='f'><body name='upper'><joint/>"
            b"<geom size='0.1'/></body></frame></worldbody></mujoco>")
ARM = {"arm.xml": ARM_FILE}
COPIED = "<replicate count='2' offset='1 0 0'><body name='b'><joint name='j'/><geom size='0.1'/></body></replicate>"

CABLE_GEOM = "<geom type='capsule' size='0.01'/>"


def _cable(attributes, inside=CABLE_GEOM):
    """A model whose third line is a cable."""
    return f"<mujoco>\n<worldbody>\n<composite type='cable' {attributes}>{inside}</composite>\n</worldbody>\n</mujoco>"


ASSEMBLY = [
    BadModel("unknown model", _assembled("<attach model='amr' body='upper' prefix='a'/>"), 3, ("amr", "arm"),
             assets=ARM),
    BadModel("unknown body of a model", _assembled("<attach model='arm' body='lower' prefix='a'/>"), 3, ("lower", "arm"),
             assets=ARM),
    BadModel("unknown frame of a model", _assembled("<attach model='arm' frame='g' prefix='a'/>"), 3, ("'g'", "frame"),
             assets=ARM),
    BadModel("body and frame of a model", _assembled("<attach model='arm' body='upper' frame='f' prefix='a'/>"), 3,
             ("body", "frame"), assets=ARM),
    BadModel("attach without prefix", _assembled("<attach model='arm' body='upper'/>"), 3, ("prefix",), assets=ARM),
    BadModel("the same part twice", _assembled(2 * "<attach model='arm' body='upper' prefix='a'/>"), 0, ("aupper",),
             assets=ARM),
    BadModel("part of itself without a name", _assembled("<attach prefix='a'/>"), 3, ("body", "frame"), assets=ARM),
    BadModel("part of itself that comes later", _assembled("<attach body='later' prefix='a'/><body name='later'/>"), 3,
             ("later",), assets=ARM),
    BadModel("missing model file", _assembled("").replace("arm.xml", "gone.xml"), 1, ("gone.xml",), assets=ARM),
    BadModel("model asset of itself", _assembled(""), 1, ("arm.xml", "itself"),
             assets={"arm.xml": b"<mujoco model='arm'><asset><model file='arm.xml'/></asset></mujoco>"},
             judge_refuses=None),
    BadModel("models that are assets of each other", _assembled(""), 1, ("arm.xml", "itself"),
             assets={"arm.xml": b"<mujoco model='arm'><asset><model file='leg.xml'/></asset></mujoco>",
                     "leg.xml": b"<mujoco model='leg'><asset><model file='arm.xml'/></asset></mujoco>"},
             judge_refuses=None),
    BadModel("mistake in an attached file", _assembled(""), 1, ("size",),
             assets={"arm.xml": b"<mujoco model='arm'><worldbody><geom size='a'/></worldbody></mujoco>"}),
    BadModel("options that may not differ",
             _assembled("<attach model='arm' body='upper' prefix='a'/>",
                        "<compiler conflict='error'/><option timestep='0.005'/>"), 3, ("timestep",), assets=ARM),
    BadModel("options that cannot be merged",
             _assembled("<attach model='arm' body='upper' prefix='a'/>",
                        "<compiler conflict='merge'/><option gravity='0 0 -1'/>"), 3, ("gravity", "0 0 -1", "0 0 -2"),
             assets={"arm.xml": ARM_FILE.replace(b"timestep", b"gravity='0 0 -2' timestep")}),
    BadModel("flags that may not differ",
             _assembled("<attach model='arm' body='upper' prefix='a'/>",
                        "<compiler conflict='error'/><option><flag contact='enable'/></option>"), 3,
             ("flag", "contact"), assets={"arm.xml": ARM_FILE.replace(b"/>", b"><flag contact='disable'/></option>", 1)}),
    BadModel("sizes that may not differ",
             _assembled("<attach model='arm' body='upper' prefix='a'/>",
                        "<compiler conflict='error'/><size nuserdata='3'/>"), 3, ("nuserdata",),
             assets={"arm.xml": ARM_FILE.replace(b"<worldbody>", b"<size nuserdata='4'/><worldbody>")}),
    BadModel("keyframe for the copies", _assembled(COPIED, after="<keyframe>\n<key qpos='1 2 3 4'/></keyframe>"), 5,
             ("qpos", "4", "3"), assets=ARM),
    BadModel("controls for the copies",
             _assembled(COPIED, after="<actuator><motor joint='j'/></actuator><keyframe>\n<key ctrl='1 2 3'/></keyframe>"),
             5, ("ctrl", "3", "2"), assets=ARM),
    BadModel("copies without count", _assembled("<replicate offset='1 0 0'/>"), 3, ("count",), assets=ARM),
    BadModel("inertia that is copied", _assembled(f"<body><replicate count='2'>{INERTIA}</replicate></body>"), 3,
             ("inertial", "replicate"), assets=ARM, judge_refuses=False),
    BadModel("particles", _assembled("<composite type='particle' count='3 1 1'/>"), 3, ("particle", "replicate"),
             assets=ARM),
    BadModel("rope", _assembled("<composite type='rope' count='3 1 1'/>"), 3, ("rope", "cable"), assets=ARM),
    BadModel("cloth", _assembled("<composite type='cloth' count='3 3 1'/>"), 3, ("cloth", "flexcomp"), assets=ARM),
    BadModel("unknown composite", _assembled("<composite type='chain' count='3 1 1'/>"), 3, ("chain", "cable"),
             assets=ARM),
    BadModel("composite without type", _assembled("<composite count='3 1 1'/>"), 3, ("type",), assets=ARM),
    BadModel("cable of one point", _cable("curve='s' count='1'"), 3, ("count", "'1'")),
    BadModel("cable without points", _cable("curve='s' count='0 1 1'"), 3, ("count", "'0 1 1'")),
    BadModel("cable in two directions", _cable("curve='s' count='4 2 1'"), 3, ("count", "'4 2 1'")),
    BadModel("cable without count", _cable("curve='s'"), 3, ("count", "vertex")),
    BadModel("cable without curve", _cable("count='4'"), 3, ("curve", "vertex")),
    BadModel("cable of no length", _cable("curve='s' count='4' size='0'"), 3, ("size", "length")),
    BadModel("cable along an unknown curve", _cable("curve='s tan(s)' count='4'"), 3, ("curve", "tan(s)", "sin(s)")),
    BadModel("cable in four dimensions", _cable("curve='s s s s' count='4'"), 3, ("curve", "three")),
    BadModel("cable along a curve that stays", _cable("curve='0 cos(s)' count='4'"), 3, ("points 1 and 2", "curve")),
    BadModel("cable through a point twice", _cable("vertex='0 0 0 1 0 0 1 0 0 2 0 0'"), 3, ("points 2 and 3",)),
    BadModel("cable through part of a point", _cable("vertex='0 0 0 1 0 0 2 0'"), 3, ("vertex", "8"),
             judge_refuses=False),  # which drops the rest
    BadModel("cable through one point", _cable("vertex='0 0 0'"), 3, ("vertex", "two points")),
    BadModel("cable through points and a number of them", _cable("vertex='0 0 0 1 0 0 2 0 0 3 0 0' count='4'"), 3,
             ("vertex", "count")),
    BadModel("cable with an unknown start", _cable("curve='s' count='4' initial='hinge'"), 3, ("initial", "hinge", "ball"),
             judge_refuses=False),  # which takes it for a ball
    BadModel("cable in a body that starts free",
             _body(f"<composite type='cable' curve='s' count='4' initial='free'>{CABLE_GEOM}</composite>"), 4, ("free",)),
    BadModel("cable of balls", _cable("curve='s' count='4'", "<geom type='sphere' size='0.01'/>"), 3,
             ("type", "sphere", "capsule")),
    BadModel("cable without a shape", _cable("curve='s' count='4'", "<geom size='0.01'/>"), 3, ("type",)),
    BadModel("cable without a geom", _cable("curve='s' count='4'", ""), 3, ("geom",)),
    BadModel("cable with two geoms", _cable("curve='s' count='4'", 2 * CABLE_GEOM), 3, ("geom", "one")),
    BadModel("cable with two joints", _cable("curve='s' count='4'", CABLE_GEOM + 2 * "<joint kind='main'/>"), 3,
             ("joint", "one")),
    BadModel("cable with a joint of no kind", _cable("curve='s' count='4'", CABLE_GEOM + "<joint damping='1'/>"), 3,
             ("kind",)),
    BadModel("cable with a joint of an old kind", _cable("curve='s' count='4'", CABLE_GEOM + "<joint kind='twist'/>"), 3,
             ("kind", "twist")),
    BadModel("cable with a cubic spring",
             _cable("curve='s' count='4'", CABLE_GEOM + "<joint kind='main' stiffness='1 2'/>"), 3, ("stiffness", "2")),
    BadModel("cable whose geom has a place", _cable("curve='s' count='4'", "<geom type='box' size='1 1 1' pos='0 0 0'/>"),
             3, ("pos",)),
    BadModel("two cables of the same name", _cable("curve='s' count='4'").replace("</composite>", "</composite>" + (
        f"<composite type='cable' curve='s' count='4'>{CABLE_GEOM}</composite>")), 3, ("B_first",)),
    BadModel("cable with a skin", _cable("curve='s' count='4'", CABLE_GEOM + "<skin/>"), 3, ("skin", "deformable"),
             judge_refuses=False),
    BadModel("cable with a plugin",
             _cable("curve='s' count='4'", CABLE_GEOM + "<plugin plugin='mujoco.elasticity.cable'/>"), 3,
             ("plugin", "extension")),
    BadModel("actuator of a missing joint of a cable",
             _cable("curve='s' count='3'").replace("</worldbody>", "</worldbody>\n<actuator>"
                                                   "<motor joint='J_2'/></actuator>"), 5, ("J_2",)),
]
ALL += ASSEMBLY

MOTOR = "<actuator>\n<motor name='m' joint='turn' delay='0.01' nsample='{}'/></actuator>"
LARGEST = 2**31 - 1


def _replicated(*counts):
    """A model whose third line is one geom inside several <replicate>s."""
    inside = "<geom size='0.1'/>"
    for count in counts:
        inside = f"<replicate count='{count}'>{inside}</replicate>"
    return f"<mujoco>\n<worldbody>\n{inside}\n</worldbody>\n</mujoco>"


# Sizes that wrap around, or that no memory holds.
HUGE = [
    BadModel("history that wraps to nothing", _body("", after=MOTOR.format(LARGEST)), 7, ("'m'", "history", "limit"),
             judge_refuses=None),
    BadModel("history that wraps to a little", _body("", after=MOTOR.format(LARGEST - 17)), 7, ("'m'", "history"),
             judge_refuses=None),
    BadModel("long history of a long reading",
             f"<mujoco>\n<worldbody><camera name='c' resolution='1000 1000'/></worldbody>\n"
             f"<sensor>\n<rangefinder camera='c' nsample='{LARGEST}'/></sensor></mujoco>", 4, ("sensor", "limit"),
             judge_refuses=None),
    BadModel("rays without number",
             f"<mujoco>\n<worldbody><camera name='c' resolution='{LARGEST} {LARGEST}'/></worldbody>\n"
             "<sensor>\n<rangefinder camera='c' data='dist dir origin point normal depth'/></sensor></mujoco>",
             4, ("sensor", "resolution"), judge_refuses=None),
    BadModel("copies of copies", _replicated(10_000, 10_000), 3, ("replicate", "GiB", "memory_limit"),
             judge_refuses=None),
    BadModel("copies of copies of copies", _replicated(*[1_000_000] * 10), 3, ("replicate", "too large"),
             judge_refuses=None),
    BadModel("cable of all points", _cable(f"curve='s' count='{LARGEST}'"), 3, ("count", "at most"), judge_refuses=None),
    BadModel("activations without number",
             _body("", after=f"<actuator>\n<general joint='turn' dyntype='user' actdim='{LARGEST}'/></actuator>"), 7,
             ("actdim", "at most"), judge_refuses=None),
    BadModel("so3 actuator of a body",
             _top("<actuator><general body='arm' gaintype='so3' biastype='so3'/></actuator>"), 2, ("so3", "joint", "site")),
    BadModel("lengths measured for ever",
             _body("", before="<compiler><lengthrange timestep='0'/></compiler>",
                   after="<actuator><muscle joint='turn'/></actuator>"), 0, ("lengthrange", "timestep"),
             judge_refuses=None),
    BadModel("image whose reader gives no reason", _top("<asset><hfield name='h' file='h.png' size='1 1 1 1'/></asset>"),
             2, ("h.png",), assets={"h.png": b"\x89PNG\r\n\x1a\n" + b"\0\0\0\rIHDR" + bytes(30)}),
    BadModel("mesh that is not text", _top("<asset><mesh name='m' file='m.obj'/></asset>"), 2, ("m.obj",),
             assets={"m.obj": b"f \xff\xfe 1\n"}),
]
ALL += HUGE
