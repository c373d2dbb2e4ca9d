"""Enumerations have the values and the names that MuJoCo's users know."""

import mujoco
import pytest

import torsor

SAME = {"JointType": ("mjtJoint", "mjJNT_"), "GeomType": ("mjtGeom", "mjGEOM_"), "TrackingMode": ("mjtCamLight",
        "mjCAMLIGHT_"), "Integrator": ("mjtIntegrator", "mjINT_"), "Solver": ("mjtSolver", "mjSOL_"),
        "SameFrame": ("mjtSameFrame", "mjSAMEFRAME_"),
        "DisableFlag": ("mjtDisableBit", "mjDSBL_"), "EnableFlag": ("mjtEnableBit", "mjENBL_"), "StateBit": ("mjtState",
        "mjSTATE_"), "ObjectType": ("mjtObj", "mjOBJ_"), "Warning": ("mjtWarning", "mjWARN_"), "Timer": ("mjtTimer",
        "mjTIMER_"), "SkipStage": ("mjtStage", "mjSTAGE_"), "WrapType": ("mjtWrap", "mjWRAP_"), "Transmission":
        ("mjtTrn", "mjTRN_"), "ActuatorDynamics": ("mjtDyn", "mjDYN_"), "ActuatorGain": ("mjtGain", "mjGAIN_"),
        "ActuatorBias": ("mjtBias", "mjBIAS_"), "SensorType": ("mjtSensor", "mjSENS_"), "SensorData": ("mjtDataType",
        "mjDATATYPE_"), "SensorStage": ("mjtStage", "mjSTAGE_"),
        "SleepPolicy": ("mjtSleepPolicy", "mjSLEEP_"), "SleepState": ("mjtSleepState", "mjS_")}
# What MuJoCo has and a model without contacts, flexible parts, plugins and drawing has not.
LATER = {"EnableFlag": {"IPC"}, "GeomType": {"ARROW", "ARROW1", "ARROW2", "LINE", "LINEBOX", "FLEX", "SKIN", "LABEL", "TRIANGLE", "NONE"},
         "ObjectType": {"FLEX", "SKIN", "PLUGIN", "FRAME", "DEFAULT", "MODEL"}, "Transmission": {"UNDEFINED"},
         "SensorType": {"PLUGIN"}}
OURS = {"GeomType": {"CONE"}, "Solver": {"SAP"}, "EnableFlag": {"SENSORNOISE"}, "StateBit": {"NOISE", "ALL"},
        "Warning": {"SLEEPINIT"}}


@pytest.mark.parametrize("name", SAME)
def test_values_equal_mujocos(name):
    their_name, prefix = SAME[name]
    members = getattr(mujoco, their_name).__members__.items()
    theirs = {key.removeprefix(prefix): int(value) for key, value in members if key.startswith(prefix)}
    ours = {member: int(value) for member, value in getattr(torsor, name).__members__.items()}
    for later in LATER.get(name, ()):
        theirs.pop(later)
    for own in OURS.get(name, ()):
        ours.pop(own)
    assert ours == theirs


def test_enumerations_are_numbers():
    assert torsor.JointType.HINGE == 3
    assert torsor.DisableFlag.GRAVITY | torsor.DisableFlag.CONTACT == 0b10010000
    assert [int(status) for status in torsor.Status] == [0, 1, 2, 3]
