"""Writes the scenes with many convex hulls, models/benchmarks/{two_arms,hull_cube}.xml: meshes of our own making, given
as vertices in the file.

    python benchmarks/make_hull_scenes.py            # writes both
    python benchmarks/make_hull_scenes.py --check    # fails if the files differ from what it would write
"""

import argparse
import itertools
import math
import pathlib
import sys

FOLDER = pathlib.Path(__file__).resolve().parents[1] / "models" / "benchmarks"
MADE_BY = "<!-- written by benchmarks/make_hull_scenes.py -->"


def number(value):
    text = f"{value:.6g}"
    return "0" if text == "-0" else text


def mesh(name, points):
    """A mesh of vertices alone: both engines take its hull."""
    return f'    <mesh name="{name}" vertex="{"  ".join(" ".join(map(number, point)) for point in points)}"/>'


def rounded_box(half, radius):
    """Seven points around each corner: 56 in all."""
    directions = [d for d in itertools.product((0, 1), repeat=3) if any(d)]
    points = []
    for signs in itertools.product((-1, 1), repeat=3):
        for direction in directions:
            length = math.sqrt(sum(direction))
            points.append([s * (h - radius + radius * d / length) for s, h, d in zip(signs, half, direction)])
    return points


def loft(length, stations, sides=12, flat=1.0):
    """Rings of `sides` points around x; stations are (part of the length, radius)."""
    points = []
    for part, radius in stations:
        for k in range(sides):
            angle = 2 * math.pi * (k + 0.5) / sides
            points.append([part * length, radius * math.cos(angle), flat * radius * math.sin(angle)])
    return points


def geode(radius):
    """A polyhedron of 42 corners, no two faces parallel to the axes."""
    points = []
    for i in range(42):
        z = 1 - (2 * i + 1) / 42
        across, angle = math.sqrt(1 - z * z), i * math.pi * (3 - math.sqrt(5))
        points.append([radius * across * math.cos(angle), radius * across * math.sin(angle), radius * z])
    return points


# --- a cube of 27 hulls -----------------------------------------------------------------------------------------------

PITCH, HALF, ROUNDING = 0.02, 0.00998, 0.0022


def cubelet(place):
    """Faces turn about their own axis; edges and corners are held to the middle by ball joints."""
    name = "".join("-0+"[i + 1] for i in place)
    position = " ".join(number(PITCH * i) for i in place)
    middle = " ".join(number(-PITCH * i) for i in place)
    if sum(map(abs, place)) == 1:
        axis = " ".join(map(str, place))
        joint = f'<joint name="{name}" axis="{axis}" pos="{middle}" class="turn"/>'
    else:
        joint = f'<joint name="{name}" type="ball" pos="{middle}" class="turn"/>'
    return f'      <body name="{name}" pos="{position}">{joint}<geom class="cubelet"/></body>'


def hull_cube():
    places = [place for place in itertools.product((-1, 0, 1), repeat=3) if any(place)]
    faces = [place for place in places if sum(map(abs, place)) == 1]
    names = ["".join("-0+"[i + 1] for i in place) for place in faces]
    motors = [f'    <motor joint="{name}" gear="0.05" ctrlrange="-1 1"/>' for name in names]
    return "\n".join([
        '<mujoco model="hull_cube">', f"  {MADE_BY}",
        '  <option timestep="0.004" integrator="implicitfast"/>',
        "  <default>",
        '    <default class="turn"><joint armature="1e-4" damping="5e-4" frictionloss="1e-3"/></default>',
        '    <default class="cubelet"><geom type="mesh" mesh="cubelet" mass="0.0085" condim="1"/></default>',
        "  </default>",
        "  <asset>", mesh("cubelet", rounded_box([HALF] * 3, ROUNDING)), "  </asset>",
        "  <worldbody>",
        '    <body name="middle" pos="0 0 0.1">',
        '      <geom class="cubelet"/>',
        *map(cubelet, places),
        "    </body>",
        "  </worldbody>",
        "  <actuator>", *motors, "  </actuator>",
        "</mujoco>", ""])


# --- two arms over a table --------------------------------------------------------------------------------------------

MESHES = {
    "base": loft(0.14, [(-0.5, 0.07), (0.2, 0.075), (0.5, 0.05)], 16),
    "shoulder": loft(0.12, [(-0.5, 0.04), (-0.2, 0.052), (0.2, 0.052), (0.5, 0.035)], 16),
    "upper_arm": loft(0.26, [(-0.08, 0.025), (0.0, 0.042), (0.5, 0.047), (1.0, 0.038), (1.08, 0.02)], 14, 0.8),
    "forearm": loft(0.24, [(-0.06, 0.02), (0.0, 0.036), (0.6, 0.04), (1.0, 0.03)], 14, 0.9),
    "wrist": loft(0.07, [(-0.4, 0.022), (0.0, 0.032), (0.5, 0.03)], 12),
    "palm": rounded_box([0.03, 0.055, 0.022], 0.008),
    "finger_root": loft(0.04, [(0.0, 0.013), (0.5, 0.014), (1.0, 0.011)], 10, 0.9),
    "finger_middle": loft(0.035, [(0.0, 0.011), (0.6, 0.0105), (1.0, 0.009)], 10, 0.8),
    "finger_tip": loft(0.03, [(0.0, 0.009), (0.5, 0.0085), (0.9, 0.006), (1.0, 0.003)], 10, 0.7),
    "gem": geode(0.028),
    "block": rounded_box([0.03, 0.02, 0.02], 0.004),
}

FINGER = """\
                  <body name="{arm}_{finger}" pos="0.03 {side} 0">
                    <joint name="{arm}_{finger}" class="slide" axis="0 {sign} 0"/>
                    <geom class="link" mesh="finger_root"/>
                    <geom class="link" mesh="finger_middle" pos="0.037 {out} 0" euler="0 0 {turn}"/>
                    <geom class="link" mesh="finger_tip" pos="0.068 {out} 0" euler="0 0 -{turn}"/>
                  </body>"""

ARM = """\
    <body name="{arm}_base" pos="{x} 0 0.07" euler="0 0 {yaw}">
      <geom class="link" mesh="base" euler="0 -90 0"/>
      <body name="{arm}_shoulder" pos="0 0 0.135">
        <joint name="{arm}_waist" class="turn" axis="0 0 1" range="-90 90"/>
        <geom class="link" mesh="shoulder" euler="0 -90 0"/>
        <body name="{arm}_upper_arm" pos="0 0 0.05">
          <joint name="{arm}_shoulder" class="turn" axis="0 1 0" range="-105 60"/>
          <geom class="link" mesh="upper_arm"/>
          <body name="{arm}_forearm" pos="0.28 0 0">
            <joint name="{arm}_elbow" class="turn" axis="0 1 0" range="-60 100"/>
            <geom class="link" mesh="forearm"/>
            <body name="{arm}_roll" pos="0.26 0 0">
              <joint name="{arm}_roll" class="turn" axis="1 0 0" range="-170 170"/>
              <geom class="link" mesh="wrist"/>
              <body name="{arm}_wrist" pos="0.06 0 0">
                <joint name="{arm}_wrist" class="turn" axis="0 1 0" range="-100 100"/>
                <geom class="link" mesh="wrist"/>
                <body name="{arm}_palm" pos="0.075 0 0">
                  <joint name="{arm}_twist" class="turn" axis="1 0 0" range="-170 170"/>
                  <geom class="link" mesh="palm"/>
{fingers}
                </body>
              </body>
            </body>
          </body>
        </body>
      </body>
    </body>"""

# joint: (control range, gain, its value at the start)
DRIVES = {"waist": ("-0.35 0.35", 60, 0.0), "shoulder": ("-1.1 -0.5", 120, -0.8), "elbow": ("0.9 1.4", 80, 1.2),
          "roll": ("-0.6 0.6", 10, 0.0), "wrist": ("-0.2 0.6", 12, 0.3), "twist": ("-1 1", 5, 0.0),
          "left_finger": ("0 0.03", 200, 0.02), "right_finger": ("0 0.03", 200, 0.02)}


THINGS = [("gem", 0.5, -0.06), ("block", 0.64, -0.1)]  # on the table


def arm_body(arm, x, yaw):
    fingers = "\n".join(FINGER.format(arm=arm, finger=finger, side=sign * 0.014, sign=sign, out=sign * 0.004, turn=sign * 8)
                        .replace("--", "") for finger, sign in (("left_finger", 1), ("right_finger", -1)))
    return ARM.format(arm=arm, x=x, yaw=yaw, fingers=fingers)


def table():
    """A plate on a frame of bars, as a work cell has."""
    bars = [(0.6, -0.38, -0.06, 0.6, 0.02, 0.02), (0.6, 0.38, -0.06, 0.6, 0.02, 0.02), (0, 0, -0.06, 0.02, 0.36, 0.02),
            (1.2, 0, -0.06, 0.02, 0.36, 0.02), (0.6, -0.4, 0.45, 0.62, 0.02, 0.02), (0, -0.4, 0.19, 0.02, 0.02, 0.24),
            (1.2, -0.4, 0.19, 0.02, 0.02, 0.24)]
    lines = ['    <geom name="plate" type="box" pos="0.6 0 -0.02" size="0.62 0.42 0.02"/>']
    for x, y, z, *half in bars:
        lines.append(f'    <geom type="box" pos="{x} {y} {z}" size="{" ".join(map(number, half))}"/>')
    return lines


def things():
    return [f'    <body name="thing_{i}" pos="{x} {y} 0.03"><freejoint/><geom class="link" mesh="{kind}"/></body>'
            for i, (kind, x, y) in enumerate(THINGS)]


def two_arms():
    arms = {"left": (0.02, 0), "right": (1.18, 180)}
    drives = [f'    <position joint="{arm}_{joint}" ctrlrange="{limits}" kp="{gain}" kv="{number(gain / 15)}"/>'
              for arm in arms for joint, (limits, gain, _) in DRIVES.items()]
    starts = " ".join(number(start) for _, _, start in DRIVES.values())
    rest = " ".join(f"{x} {y} 0.03 1 0 0 0" for _, x, y in THINGS)
    return "\n".join([
        '<mujoco model="two_arms">', f"  {MADE_BY}",
        '  <option timestep="0.002" integrator="implicitfast" cone="elliptic" impratio="10"/>',
        "  <default>",
        '    <default class="turn"><joint armature="0.05" damping="0.5" frictionloss="0.1"/></default>',
        '    <default class="slide"><joint type="slide" armature="0.1" damping="5" range="0 0.035"/></default>',
        '    <default class="link"><geom type="mesh" density="600"/></default>',
        "  </default>",
        "  <asset>", *(mesh(name, points) for name, points in MESHES.items()), "  </asset>",
        "  <worldbody>", *table(), *(arm_body(arm, *place) for arm, place in arms.items()), *things(), "  </worldbody>",
        "  <equality>",
        *(f'    <joint joint1="{arm}_left_finger" joint2="{arm}_right_finger"/>' for arm in arms),
        "  </equality>",
        "  <actuator>", *drives, "  </actuator>",
        f'  <keyframe><key name="start" qpos="{starts} {starts} {rest}" ctrl="{starts} {starts}"/></keyframe>',
        "</mujoco>", ""])


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--check", action="store_true", help="compare the files instead of writing them")
    options = parser.parse_args()
    for name, text in (("two_arms", two_arms()), ("hull_cube", hull_cube())):
        path = FOLDER / f"{name}.xml"
        if not options.check:
            path.write_text(text)
        elif not path.exists() or path.read_text() != text:
            sys.exit(f"{path} is not what {pathlib.Path(__file__).name} writes")


if __name__ == "__main__":
    main()
