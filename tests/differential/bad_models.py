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
    judge_refuses: bool | None = True  # None: the judge would eat all memory or break it, so it is not asked
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
    BadModel("texture coordinates for other vertices",  # the judge then reads past their end
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
