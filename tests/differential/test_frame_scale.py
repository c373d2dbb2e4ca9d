"""Frames with a scale: all compiled arrays equal MuJoCo's, whatever the frames hold and whatever refers to it."""

import pathlib

import mujoco
import numpy as np
import pytest

import compare
import smooth
import torsor

MODELS = sorted((pathlib.Path(__file__).parent / "frame_scales").glob("*.xml"))
HOLDER = """<mujoco><asset><mesh name='tet' vertex='0 0 0 .3 0 0 0 .2 0 0 0 .1'/></asset><worldbody><frame {}>{}</frame>
</worldbody>{}</mujoco>"""
STRETCH = "scale='2 3 5' scaling='geometry'"


@pytest.mark.parametrize("path", MODELS, ids=lambda path: path.stem)
def test_all_arrays_of_scaled_frames_are_equal(judge, subject, path):
    text = path.read_text()
    found = smooth.Pair(judge, subject, lambda engine: engine.load_string(text)).model_differences()
    assert not found, compare.report(found, path.name)
    assert any(frame in text for frame in (" scale='", " scale=\"", " massscale="))


SHAPES = {
    "a box at an angle": "<geom type='box' size='1 1 1' euler='0 0 1'/>",
    "sites at angles": "<site type='box' size='1 1 1' euler='10 20 30'/><site type='capsule' size='1 1' euler='10 20 30'/>"
                       "<site type='ellipsoid' size='1 1 1' euler='0 0 30'/><site size='1'/>",
    "a line of a site": "<site type='cylinder' size='1' fromto='0 0 0 1 1 1'/>",
    "a mesh at an angle": "<geom type='mesh' mesh='tet' euler='0 0 30' pos='.1 .2 .3'/>",
    "two sizes of a mesh": "<geom type='mesh' mesh='tet'/><geom type='mesh' mesh='tet' euler='0 90 0'/><geom mesh='tet' type='capsule'/>",
    "inertias": "<body euler='0 0 30'><joint type='ball'/><inertial pos='1 1 1' euler='5 6 7' mass='2' diaginertia='.3 .4 .5'/></body>",
    "full inertias": "<body euler='0 0 30'><joint type='ball'/><inertial pos='1 1 1' mass='2' fullinertia='.3 .4 .5 .01 .02 .03'/></body>",
    "a slide joint": "<body><joint type='slide' axis='0 1 .02' range='-1 1' margin='1' ref='1' springyield='1' stiffness='1'/>"
                     "<geom type='box' size='1 1 1'/></body>",
    "shells": "<body><joint/><geom type='box' size='1 1 1' shellinertia='true'/></body>",
    "lengths": "<geom type='box' size='1 1 1' margin='1' friction='1 1 1' surfacevel='1 1 1 1 1 1' solimp='.9 .9 1 .5 2'/>"
               "<camera ipd='1'/><light range='1' dir='1 1 1'/>",
}


@pytest.mark.parametrize("title", SHAPES)
@pytest.mark.parametrize("frame", (STRETCH, STRETCH + " massscale='2' euler='10 0 0'", "scale='1.5' massscale='3'"))
def test_shapes_in_scaled_frames_are_equal(judge, subject, title, frame):
    text = HOLDER.format(frame, SHAPES[title], "")
    found = smooth.Pair(judge, subject, lambda engine: engine.load_string(text)).model_differences()
    assert not found, compare.report(found, title)


JOINT = "<body><joint name='j'/><geom size='1'/></body>"
REFUSED = {
    "no size": ("scale='0'", ""),
    "a negative size": ("scale='-1'", ""),
    "two numbers": ("scale='2 2'", ""),
    "a negative mass": ("massscale='-1'", ""),
    "an unknown policy": ("scaling='x'", ""),
    "a stretch of all units": ("scale='2 3 5'", ""),
    "a stretched sphere": (STRETCH, "<geom size='1'/>"),
    "a cylinder stretched across": (STRETCH, "<geom type='cylinder' size='1 1'/>"),
    "a box at an angle": (STRETCH, "<geom type='box' size='1 1 1' euler='0 0 30'/>"),
    "a plane at an angle": (STRETCH, "<geom type='plane' size='1 1 1' euler='0 0 30'/>"),
    "a hinge at an angle": (STRETCH, "<body><joint axis='1 1 0'/><geom type='box' size='1 1 1'/></body>"),
    "a motor whose parameters have no known units": ("scale='2'", JOINT, "<actuator><general joint='j' gaintype='user'/></actuator>"),
    "a dcmotor": ("massscale='2'", JOINT, "<actuator><dcmotor joint='j' motorconst='1 1' resistance='1'/></actuator>"),
}


@pytest.mark.parametrize("title", REFUSED)
def test_both_engines_refuse_what_cannot_be_scaled(title):
    frame, contents, *rest = REFUSED[title]
    for module in (torsor.Model, mujoco.MjModel):
        with pytest.raises((torsor.Error, ValueError)):
            module.from_xml_string(HOLDER.format(frame, contents, "".join(rest)))


@pytest.mark.parametrize("second", (1.03, 1.035, 1.039, 1.05))
def test_what_is_nearly_equal_across_an_axis_is_taken_as_in_mujoco(second):
    text = HOLDER.format(f"scale='2 {2 * second} 5' scaling='geometry'", "<geom type='capsule' size='1 1'/>", "")
    taken = []
    for module in (torsor.Model, mujoco.MjModel):
        try:
            taken.append(list(module.from_xml_string(text).geom_size[0]))
        except (torsor.Error, ValueError):
            taken.append(None)
    assert (taken[0] is None) == (taken[1] is None) and (taken[0] is None or taken[0] == pytest.approx(taken[1]))


def test_a_written_model_keeps_scales():
    text = HOLDER.format(STRETCH, "<geom type='box' size='1 1 1'/>", "")
    again = torsor.Spec.from_xml_string(text).to_xml()
    assert 'scale="2 3 5"' in again and 'scaling="geometry"' in again
    assert list(torsor.Model.from_xml_string(again).geom_size[0]) == [2, 3, 5]


def test_an_edited_model_is_written_in_final_sizes():
    text = HOLDER.format(STRETCH + " pos='1 0 0'", "<geom type='box' size='1 1 1'/><geom type='mesh' mesh='tet'/>", "")
    spec = torsor.Spec.from_xml_string(text)
    model = spec.compile()
    model.geom_size[0] = [7, 8, 9]
    spec.update(model)
    again = torsor.Model.from_xml_string(spec.to_xml())
    assert list(again.geom_size[0]) == [7, 8, 9] and list(again.mesh_scale[0]) == [2, 3, 5]


def test_a_mesh_stretched_along_other_axes_is_not_written_wrongly():
    text = HOLDER.format(STRETCH, "<geom type='mesh' mesh='tet' euler='0 0 30'/>", "")
    spec = torsor.Spec.from_xml_string(text)
    spec.update(spec.compile())
    with pytest.raises(torsor.Error, match="stretched"):
        spec.to_xml()


BODY = ("<body name='b' pos='.1 .2 .3'><joint name='j' type='slide' range='-1 1' stiffness='2'/><geom name='g' size='.1'/>"
        "<site name='s' pos='.1 0 0'/></body>")
SCALED = "<frame name='f' scale='2' massscale='5'>{}</frame>"
TOGETHER = {
    "a replicate in a frame": "<worldbody><frame scale='2' pos='1 0 0' euler='0 0 30'><replicate count='3' offset='1 0 0' "
                              f"euler='0 0 10'>{BODY}</replicate></frame></worldbody>",
    "a frame in a replicate": f"<worldbody><replicate count='3' offset='1 0 0' euler='0 0 10'>{SCALED.format(BODY)}</replicate></worldbody>"
                              "<actuator><position joint='j' kp='3'/></actuator>",
    "keyframes of copies": "<worldbody><replicate count='2' offset='1 0 0'><frame scale='2'><body><freejoint/><geom size='1'/></body>"
                           "</frame></replicate></worldbody><keyframe><key qpos='1 2 3 1 0 0 0 4 5 6 1 0 0 0'/></keyframe>",
    "attached parts": f"<worldbody>{SCALED.format(BODY)}<body pos='0 0 5'><attach frame='f' prefix='q'/></body><frame scale='3'>"
                      "<attach frame='f' prefix='r'/></frame></worldbody>",
    "fused bodies": "<compiler fusestatic='true'/><worldbody><frame scale='2'><body><joint/><geom size='1'/><body pos='1 0 0'>"
                    "<geom size='1'/></body></body></frame></worldbody>",
    "discarded geoms": "<compiler discardvisual='true'/><asset><mesh name='m' vertex='0 0 0 1 0 0 0 1 0 0 0 1'/></asset><worldbody>"
                       "<frame scale='2'><body><joint/><geom type='mesh' mesh='m' contype='0' conaffinity='0'/><geom size='1'/></body>"
                       "</frame><geom type='mesh' mesh='m'/></worldbody>",
    "bounds of masses": "<compiler settotalmass='5' boundmass='1' boundinertia='.2'/><worldbody><frame scale='2'><body><joint/>"
                        "<geom size='.01'/></body></frame></worldbody>",
    "aligned bodies in a fluid": "<option density='2' viscosity='.1'/><worldbody><frame scale='2'><body><freejoint align='true'/>"
                                 "<geom size='.1' pos='1 0 0' fluidshape='ellipsoid'/><geom size='.2' pos='0 1 0'/></body></frame></worldbody>",
    "wrapped tendons": "<worldbody><geom name='w' type='cylinder' size='.1 1'/><frame scale='2'><geom name='c' type='cylinder' "
                       "size='.1 1'/><body><joint/><geom size='1'/><site name='a' pos='1 0 0'/></body><site name='b' pos='-1 0 0'/>"
                       "<site name='d' pos='0 1 0'/></frame></worldbody><tendon><spatial range='0 1' stiffness='2'><site site='a'/>"
                       "<geom geom='c' sidesite='d'/><site site='b'/></spatial><spatial range='0 1' stiffness='2'><site site='a'/>"
                       "<geom geom='w'/><site site='b'/></spatial></tendon>",
}


@pytest.mark.parametrize("title", TOGETHER)
def test_scales_go_with_everything_that_changes_the_tree(judge, subject, title):
    text = f"<mujoco>{TOGETHER[title]}</mujoco>"
    found = smooth.Pair(judge, subject, lambda engine: engine.load_string(text)).model_differences()
    assert not found, compare.report(found, title)
