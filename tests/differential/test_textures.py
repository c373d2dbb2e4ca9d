"""Pixels of textures: tex_data and all that describes it equals MuJoCo's, of patterns, images and cubes."""

import itertools
import struct
import zlib

import mujoco
import numpy as np
import pytest

import torsor
import torsor.mujoco

FIELDS = ("ntexdata", "tex_type", "tex_colorspace", "tex_height", "tex_width", "tex_nchannel", "tex_adr", "tex_data")
SIDES = ("right", "left", "up", "down", "front", "back")
GRID = "gridsize='3 4' gridlayout='.U..LFRB.D..'"
PART = "gridsize='3 4' gridlayout='.U..LF.B.D..' rgb1='.3 .4 .9'"


def png(width, height, channels, seed, is_srgb=False):
    pixels = np.random.default_rng(seed).integers(0, 256, (height, width * channels), dtype=np.uint8)
    rows = b"".join(b"\0" + row.tobytes() for row in pixels)
    colour = {1: 0, 2: 4, 3: 2, 4: 6}[channels]
    chunks = [(b"IHDR", struct.pack(">IIBBBBB", width, height, 8, colour, 0, 0, 0)), (b"sRGB", b"\0")][: 1 + is_srgb]
    chunks += [(b"IDAT", zlib.compress(rows)), (b"IEND", b"")]
    return b"\x89PNG\r\n\x1a\n" + b"".join(
        struct.pack(">I", len(body)) + name + body + struct.pack(">I", zlib.crc32(name + body)) for name, body in chunks)


IMAGES = {f"p{n}.png": png(12, 8, n, n) for n in (1, 2, 3, 4)}
IMAGES |= {f"g{n}.png": png(12, 9, n, n + 9) for n in (1, 3, 4)}
IMAGES |= {f"s{i}_{n}.png": png(6, 6, n, i + 20 + n) for i in range(6) for n in (1, 3, 4)}
IMAGES["srgb.png"] = png(5, 5, 3, 1, is_srgb=True)


def sides(channels, count=6):
    return " ".join(f"file{side}='s{i}_{channels}.png'" for i, side in enumerate(SIDES[:count]))


def patterns():
    for kind, pattern, (width, height), mark in itertools.product(
            ("2d", "cube", "skybox"), ("gradient", "checker", "flat"), ((1, 1), (1, 3), (2, 3), (7, 5), (16, 9)),
            ("none", "edge", "cross", "random")):
        yield (f"type='{kind}' builtin='{pattern}' width='{width}' height='{height}' mark='{mark}' markrgb='.2 .9 .4' "
               "random='.3' rgb1='.1 .35 .77' rgb2='.9 .21 .05'")


def images():
    for colours in ("auto", "linear", "sRGB"):
        yield f"type='2d' builtin='flat' width='4' height='4' colorspace='{colours}'"
        for file in ("srgb", "p3"):
            yield f"type='2d' file='{file}.png' colorspace='{colours}'"
    for channels, kept in itertools.product((1, 2, 3, 4), ("", "nchannel='1'", "nchannel='3'", "nchannel='4'")):
        for flip in ("", "hflip='true'", "vflip='true'", "hflip='true' vflip='true'"):
            yield f"type='2d' file='p{channels}.png' {kept} {flip}"
    for channels, flip in itertools.product((1, 3, 4), ("", "vflip='true' hflip='true'")):
        yield f"type='cube' file='s0_{channels}.png' {flip}"
        yield f"type='skybox' file='g{channels}.png' {GRID} {flip}"
        yield f"type='cube' file='g{channels}.png' {PART} {flip}"
        yield f"type='cube' {sides(channels)} {flip}"
        yield f"type='skybox' rgb1='.9 .1 .5' {sides(channels, 3)} {flip}"


def model_of(attributes):
    return f"<mujoco><asset><texture name='t' {attributes}/><texture name='u' {attributes}/></asset></mujoco>"


def assert_same_pixels(ours, theirs, title):
    assert theirs.ntexdata > 0
    for name in FIELDS:
        np.testing.assert_array_equal(np.array(getattr(ours, name)), np.array(getattr(theirs, name)), err_msg=f"{title} {name}")


@pytest.mark.parametrize("kind", [patterns, images])
def test_pixels_equal_mujocos(kind):
    for attributes in kind():
        text = model_of(attributes)
        theirs = mujoco.MjModel.from_xml_string(text, IMAGES)
        assert_same_pixels(torsor.Model.from_xml_string(text, IMAGES), theirs, attributes)
        spec = torsor.mujoco.MjSpec.from_string(text, assets=IMAGES)
        assert_same_pixels(spec.compile(), theirs, f"MjSpec, {attributes}")


def test_both_engines_refuse_these_textures():
    cubes = (f"type='skybox' file='g3.png' {GRID}", "type='cube' file='s0_3.png'", f"type='cube' {sides(3)}")
    wrong = [f"{each} nchannel='{n}'" for each in cubes for n in (1, 4)]
    wrong += ["type='2d' builtin='flat' width='2' height='2' nchannel='4'", "type='2d' file='p3.png' nchannel='2'"]
    wrong += [f"{each} embed='false'" for each in (*cubes, "type='2d' file='p3.png'", "type='2d' file='p3.png' vflip='true'",
                                                   "type='2d' builtin='flat' width='2' height='2'")]
    for attributes in wrong:
        for module in (torsor.Model, mujoco.MjModel):
            with pytest.raises((torsor.Error, ValueError)):
                module.from_xml_string(model_of(attributes), IMAGES)


@pytest.fixture
def folder(tmp_path):
    for name, data in IMAGES.items():
        (tmp_path / name).write_bytes(data)
    return tmp_path


REFERENCES = ("type='2d' file='p3.png'", "type='cube' file='s0_3.png'", "type='2d' file='p3.png' nchannel='4' colorspace='sRGB'",
              "type='2d' file='missing.png'", "type='2d' file='p3.png' hflip='true'", f"type='cube' {sides(3)}")


@pytest.mark.parametrize("passthrough", ["none", "textures"])
@pytest.mark.parametrize("embed", ["", "embed='true'", "embed='false'"])
@pytest.mark.parametrize("attributes", REFERENCES)
def test_textures_by_reference_are_left_out_as_mujocos_are(folder, attributes, embed, passthrough):
    path = folder / "model.xml"
    path.write_text(model_of(f"{attributes} {embed}").replace("<mujoco>", f"<mujoco><compiler passthrough='{passthrough}'/>")
                    .replace("passthrough='none'", ""))
    try:
        theirs = mujoco.MjModel.from_xml_path(str(path))
    except ValueError:
        with pytest.raises(torsor.Error):
            torsor.Model.from_xml_path(path)
        return
    ours = torsor.mujoco.MjModel.from_xml_path(str(path))
    for name in FIELDS:
        np.testing.assert_array_equal(np.array(getattr(ours, name)), np.array(getattr(theirs, name)), err_msg=name)
    if "missing" in attributes:
        return
    for one, other in zip(torsor.mujoco.mj_loadTexture(ours, 1), mujoco.mj_loadTexture(theirs, 1), strict=True):
        np.testing.assert_array_equal(one, other)
    full, wanted = torsor.mujoco.mj_embedAssets(ours), mujoco.mj_embedAssets(theirs)
    for name in FIELDS:
        np.testing.assert_array_equal(np.array(getattr(full, name)), np.array(getattr(wanted, name)), err_msg=name)
    assert wanted.ntexdata > 0
