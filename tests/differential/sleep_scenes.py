"""Scenes in which trees fall asleep and wake up: name, MJCF, number of steps, and what the user changes before which step."""

import dataclasses
from collections.abc import Callable

BOX = '<geom type="box" size=".1 .1 .1"/>'
BALL = '<geom size=".1" condim="6" friction="1 .01 .01"/>'


@dataclasses.dataclass
class Scene:
    name: str
    text: str
    steps: int
    edits: dict[int, Callable] = dataclasses.field(default_factory=dict)
    falls_asleep: bool = True  # some tree does, at some step
    wakes_up: bool = False


def scene(body, *, option="", flags="", after=""):
    solver = 'tolerance="0"' + ("" if "iterations" in option else ' iterations="200"')  # both find the same forces
    return (f'<mujoco><option {solver} {option}><flag sleep="enable" {flags}/></option>'
            f'<worldbody><geom name="floor" type="plane" size="9 9 1"/>{body}</worldbody>{after}</mujoco>')


def free(pos, inside=BOX, **attributes):
    given = " ".join(f'{name}="{value}"' for name, value in attributes.items())
    return f'<body pos="{pos}" {given}><freejoint/>{inside}</body>'


def change(field, index, value):
    def edit(data):
        getattr(data, field).reshape(-1)[index] = value
    return edit


def add(field, index, value):
    def edit(data):
        getattr(data, field).reshape(-1)[index] += value
    return edit


RESTING = free("0 0 .1") + free("2 0 .12")
SETTLING = free("0 0 .12") + free("0 0 .33") + free("2 0 .12") + (
    '<body pos="1 0 1"><joint axis="0 1 0" damping=".5" stiffness="5"/><geom size=".1" pos=".3 0 0"/>'
    '<body pos=".3 0 0"><joint axis="0 1 0" damping=".5"/><geom size=".05" pos="0 0 -.2"/></body></body>')
STATIC = ('<body pos="4 0 0"><geom type="box" size=".3 .3 .2"/><site name="fixed"/>'
          '<body pos="0 0 .32"><freejoint/><geom size=".1"/></body>'.replace("<freejoint/>", '<joint type="slide" axis="0 0 1"/>')
          + '<body pos="0 0 .5"><geom size=".02"/></body></body>')
MOCAP = '<body name="hand" mocap="true" pos="0 3 .1"><geom size=".1"/><body pos="0 0 .2"><geom size=".05"/></body></body>'

ACTUATED = """
<body name="a" pos="1 0 .5" sleep="allowed" gravcomp=".5">
  <joint name="j" axis="0 1 0" damping="5" stiffness="30" springref="20" armature="1" frictionloss=".1" range="-30 30"/>
  <geom type="box" size=".1 .1 .1" pos=".1 0 0"/><site name="s"/>
  <body pos="0 0 .3"><joint name="k" axis="0 1 0" damping="5" stiffness="30" armature="1" range="0.01 20"/>
    <geom size=".1" pos="0 .2 0"/><site name="r"/><camera name="c"/><light/></body></body>
<body name="b" pos="0 0 .1"><freejoint/><geom name="g" type="box" size=".1 .1 .1"/><site name="sb"/></body>
<body name="b2" pos="0 1 .12" sleep="never"><freejoint/><geom type="box" size=".1 .1 .1"/><site name="never"/>
  <camera mode="targetbody" target="a"/></body>"""
ACTUATORS = """
<tendon><fixed name="t" stiffness="1" damping="1" frictionloss=".2" armature=".1" limited="true" range="0 .5">
  <joint joint="j" coef="1"/><joint joint="k" coef=".5"/></fixed>
  <spatial name="sp"><site site="s"/><site site="r"/></spatial>
  <spatial name="between"><site site="s"/><site site="never"/></spatial></tendon>
<actuator><position joint="j" kp="20" timeconst=".5" name="p"/><motor tendon="t" name="m"/>
  <intvelocity joint="k" kp="3" actrange="-1 1"/><motor site="never" gear="0 0 1 0 0 0"/></actuator>
<equality><joint joint1="k" polycoef=".01 0 0 0 0"/></equality>
<sensor><jointpos joint="j"/><jointvel joint="j"/><framelinvel objtype="site" objname="r"/><touch site="sb"/>
  <actuatorfrc actuator="p"/><clock/><subtreecom body="a"/><subtreelinvel body="a"/><tendonpos tendon="t"/>
  <rangefinder site="r"/><gyro site="sb"/><velocimeter site="never"/><framepos objtype="site" objname="r"
  reftype="site" refname="never"/><tendonvel tendon="between"/><jointlimitpos joint="k"/><framequat objtype="body"
  objname="b"/></sensor>"""


def domino_row(count):
    brick = '<geom type="box" size=".02 .1 .2" friction="1"/>'
    standing = "".join(free(f"{0.18 * i} 0 .2", brick) for i in range(count))
    return standing


def pushed_row(policy):
    return "".join(free(f"{0.2005 * i} 0 .0999", BALL, sleep=policy) for i in range(4)) + free("-1 0 .0999", BALL)


SITES = ('<body pos="0 0 .1" sleep="{0}"><freejoint/>' + BOX + '<site name="sa"/></body>'
         '<body pos="1 0 .1" sleep="{0}"><freejoint/>' + BOX + '<site name="sb"/></body>')
TENDON = '<tendon><spatial name="t" {}><site site="sa"/><site site="sb"/></spatial></tendon>'
PAIR = ('<body name="a" pos="0 0 .1"><freejoint/>' + BOX + '</body><body name="b" pos="1 0 .1"><freejoint/>' + BOX + "</body>")
HINGES = "".join(
    f'<body pos="0 {i} 1"><joint name="j{i}" axis="1 0 0" damping=".3"/><geom size=".1" pos="0 0 -.3"/></body>'
    for i in range(3))

SCENES = [
    Scene("settling", scene(SETTLING), 400),
    Scene("settling with static and mocap bodies", scene(SETTLING + STATIC + MOCAP), 400),
    Scene("implicitfast", scene(SETTLING, option='integrator="implicitfast"'), 400),
    Scene("implicit", scene(SETTLING, option='integrator="implicit"'), 400),
    Scene("elliptic, CG", scene(SETTLING, option='cone="elliptic" solver="CG"'), 300),
    Scene("energy", scene(SETTLING.replace('stiffness="5"', ""), flags='energy="enable"'), 300),
    Scene("islands off", scene(SETTLING, flags='island="disable"'), 150, falls_asleep=False),
    Scene("islands off, nothing touches", scene(HINGES, flags='island="disable"'), 100, {20: change("qvel", 1, 1.0)},
          wakes_up=True),
    Scene("PGS", scene(RESTING, option='solver="PGS" iterations="3000"'), 150),
    Scene("noslip", scene(RESTING, option='iterations="200" noslip_iterations="3"'), 150),
    Scene("larger tolerance", scene(SETTLING, option='sleep_tolerance=".05"'), 200),
    Scene("actuators and sensors", scene(ACTUATED, after=ACTUATORS), 700,
          {0: change("ctrl", 0, 0.3), 500: change("ctrl", slice(None), [1, 1, 1, 2])}),
    Scene("histories of readings", scene(ACTUATED, after=ACTUATORS.replace(
        "</sensor>", '<jointpos joint="j" nsample="4" delay=".01"/><jointvel joint="k" nsample="3" interval=".012 -.004"/><jointvel joint="k" nsample="4" delay=".006"/>'
        '<framelinvel objtype="site" objname="r" nsample="3" delay=".006" interval=".008"/><gyro site="sb" '
        'nsample="3" delay=".005" interp="linear" interval=".01 0"/><framepos objtype="site" objname="r" nsample="2" interval=".05 -.01"/>'
        "</sensor>")), 700, {0: change("ctrl", 0, 0.3), 500: change("ctrl", slice(None), [1, 1, 1, 2])}),
    Scene("hit by a ball", scene(pushed_row("auto")), 500, {100: change("qvel", 24, 2.0)}, wakes_up=True),
    Scene("hit while asleep from the start", scene(pushed_row("init")), 500, {100: change("qvel", 24, 2.0)}, wakes_up=True),
    Scene("dominoes", scene(domino_row(4)), 280, {60: change("qvel", 4, 3.5)}, wakes_up=True),
    Scene("edits", scene(SETTLING + free("0 2 .1")), 420, {
        200: change("xfrc_applied", 6 + 2, 30.0), 205: change("xfrc_applied", 6 + 2, 0.0),
        230: change("qfrc_applied", 12, -0.0), 240: change("qfrc_applied", 12, 0.0),
        280: change("qvel", 21, -0.0), 300: add("qpos", 23, 0.02), 330: change("qpos", 3, 2.0)}, wakes_up=True),
    Scene("mocap touches", scene(SETTLING + MOCAP), 300, {200: change("mocap_pos", slice(None), [2, 0, .29])}, wakes_up=True),
    Scene("tendon with friction", scene(SITES.format("auto"), after=TENDON.format('frictionloss=".1"')), 200,
          {100: change("qvel", 1, 0.5)}, wakes_up=True),
    Scene("tendon becomes tight", scene(SITES.format("auto"), after=TENDON.format('limited="true" range="0 1.05"')), 300,
          {100: change("qvel", 6, 3.0)}, wakes_up=True),
    Scene("tendon with armature", scene(SITES.format("auto"), after=TENDON.format('armature=".3"')), 300, {
        200: change("qvel", 1, 0.5), 201: change("qvel", 6, -0.3)}, wakes_up=True),
    Scene("tendons with limits and friction within trees and between them", scene(HINGES, after=
        '<tendon><fixed limited="true" range="-.05 .05" frictionloss=".01"><joint joint="j0" coef="1"/></fixed><fixed limited="true" '
        'range="-.1 .1" frictionloss=".02" armature=".05"><joint joint="j1" coef="1"/><joint joint="j2" coef="-1"/></fixed></tendon>'), 400,
        {50: change("qvel", 0, 0.6), 200: change("qvel", 1, 0.7)}, wakes_up=True),
    Scene("connect switched on", scene(PAIR, after='<equality><connect body1="a" body2="b" anchor=".5 0 .03" active="false"/>'
                                       "</equality>"), 260, {100: change("eq_active", 0, 1)}, wakes_up=True),
    Scene("weld to the world switched on", scene(PAIR, after='<equality><weld body1="a" active="false"/></equality>'), 200,
          {100: change("eq_active", 0, 1), 120: change("qvel", 6, 0.2)}, wakes_up=True),
    Scene("weld to a mocap body", scene(PAIR + '<body name="hand" mocap="true" pos="0 0 .12"/>', after=
          '<equality><weld body1="a" body2="hand" active="false"/></equality>'), 260,
          {100: change("eq_active", 0, 1)}, wakes_up=True),
    Scene("joint equalities in a chain", scene(HINGES, after='<equality><joint joint1="j0" joint2="j1" active="false"/>'
                                               '<joint joint1="j1" joint2="j2"/></equality>'), 300,
          {50: change("qvel", 0, 0.3), 220: change("eq_active", 0, 1)}, wakes_up=True),
    Scene("asleep in the air", scene(free("0 0 1", sleep="init") + free("1 0 .09", sleep="init") + free("1.15 0 .09", sleep="init")
                                     + free("3 0 .3", sleep="never")), 100,
          {50: change("xfrc_applied", 6, 0.01), 51: change("xfrc_applied", 6, 0.0)}, wakes_up=True),
    Scene("a gap wakes one island per step", scene("".join(
        free(f"{0.22 * i} 0 3", '<geom size=".1" gap=".015"/>', sleep="init" if i else "auto") for i in range(5)),
        option='gravity="0 0 0"'), 12, wakes_up=True),
    Scene("never", scene(free("0 0 .1", sleep="never") + free("0 0 .3")), 100, falls_asleep=False),
    Scene("gravity turned round", scene(free("0 0 .1")), 100),
]
