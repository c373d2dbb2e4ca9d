#!/usr/bin/env python3
"""How far a cube slips out of a gripper in a minute of simulated time, by solver: models/scenes/gripper_cube.xml.

    python benchmarks/gripper.py
"""

import pathlib
import xml.etree.ElementTree as ET

import mujoco

import torsor

SCENE = pathlib.Path(__file__).resolve().parents[1] / "models" / "scenes" / "gripper_cube.xml"
SETTLE = 1.0  # seconds in which the fingers close
SECONDS, WINDOW = 60.0, 10.0  # of the run after that, and of each of the two speeds
FLOOR = 0.05  # m of slip beyond which the cube has left the fingers

VARIANTS = {  # name: options
    "SAP": {"solver": "SAP"},
    'SAP, `sap_sigma="1e-4"`': {"solver": "SAP", "sap_sigma": "1e-4"},
    "soft constraints, defaults": {"solver": "Newton"},
    'soft constraints, `cone="elliptic"`': {"solver": "Newton", "cone": "elliptic"},
    'soft constraints, `impratio="10"`': {"solver": "Newton", "cone": "elliptic", "impratio": "10"},
    'soft constraints, `impratio="100"`': {"solver": "Newton", "cone": "elliptic", "impratio": "100"},
}


def scene_with(options, for_mujoco):
    root = ET.parse(SCENE).getroot()
    for option in root.iter("option"):
        for name in [name for name in option.attrib if name.startswith("sap_") and for_mujoco]:
            del option.attrib[name]
        option.attrib.update(options)
    if for_mujoco:  # our extensions, which MuJoCo does not read
        for element in root.iter():
            for name in [name for name in element.attrib if name.startswith("sap")]:
                del element.attrib[name]
    return ET.tostring(root, encoding="unicode")


def heights(engine, text):
    """Height of the cube every WINDOW seconds, from the end of SETTLE on."""
    if engine is mujoco:
        model = mujoco.MjModel.from_xml_string(text)
        data, step, reset = mujoco.MjData(model), mujoco.mj_step, mujoco.mj_resetDataKeyframe
        body = model.body("cube").id
    else:
        model = torsor.Model.from_xml_string(text)
        data, step, reset = torsor.Data(model), torsor.step, torsor.reset_data_keyframe
        body = model.body("cube").id
    reset(model, data, 0)
    step(model, data, nstep=round(SETTLE / model.opt.timestep))
    result = [float(data.xpos[body][2])]
    steps = round(WINDOW / model.opt.timestep)
    for begin in range(0, round(SECONDS / model.opt.timestep), steps):
        step(model, data, nstep=min(steps, round(SECONDS / model.opt.timestep) - begin))
        result.append(float(data.xpos[body][2]))
    return result


def describe(values):
    slip = values[0] - values[-1]
    first, last = (values[0] - values[1]) / WINDOW, (values[-2] - values[-1]) / WINDOW
    if slip > FLOOR:
        return {"slip after 60 s": "falls to the floor", "speed in the first and last 10 s": "-"}
    return {"slip after 60 s": f"{slip * 1e3:.2f} mm",
            "speed in the first and last 10 s": f"{first * 1e6:.1f} and {last * 1e6:.1f} um/s"}


def rows():
    result = []
    for name, options in VARIANTS.items():
        engines = {"Torsor": torsor} if options["solver"] == "SAP" else {"MuJoCo": mujoco, "Torsor": torsor}
        for engine_name, engine in engines.items():
            text = scene_with(options, engine is mujoco)
            result.append({"solver": name, "engine": engine_name} | describe(heights(engine, text)))
    return result


def main():
    for row in rows():
        print(" | ".join(row.values()))


if __name__ == "__main__":
    main()
