"""Stiffness and dissipation of limits and equalities under SAP: springs and dampers at the end of the step."""

import numpy as np
import pytest

import torsor

G, MASS, H = 9.81, 2.0, 0.005
HEAD = '<mujoco><compiler angle="radian"/><option solver="SAP" timestep="0.005" sap_tolerance="1e-12"/>'
BOX = '<geom type="box" size="0.1 0.1 0.1" mass="2" contype="0" conaffinity="0"/>'
SLIDER = f'<body pos="0 0 1"><joint name="j" type="slide" axis="0 0 1" {{}}/>{BOX}</body>'
FLOATING = f'<body name="b" pos="0 0 1"><freejoint/>{BOX}<site name="s"/></body><site name="w" pos="0 0 1"/>'


def make(body, rest=""):
    model = torsor.Model.from_xml_string(f"{HEAD}<worldbody>{body}</worldbody>{rest}</mujoco>")
    return model, torsor.Data(model)


def settle(model, data, seconds=20):
    torsor.step(model, data, nstep=round(seconds / H))
    assert np.abs(data.qvel).max() < 1e-9
    return data


K = 800.0
SPRING = f'sapstiffness="{K}" sapdissipation="0.05"'
HELD = {  # what holds the weight, and how far it gives way
    "limit": (SLIDER.format(f'range="-0.1 1" {SPRING}'), "", 0.1 + MASS * G / K),
    "upper limit": (SLIDER.format(f'range="-1 0.1" {SPRING}').replace("0 0 1\" r", "0 0 -1\" r"), "",
                    0.1 + MASS * G / K),
    "tendon limit": (SLIDER.format(""), f"""<tendon><fixed limited="true" range="-0.2 1" {SPRING}><joint joint="j"
      coef="2"/></fixed></tendon>""", 0.1 + MASS * G / (4 * K)),
    "spatial tendon limit": (FLOATING, f"""<tendon><spatial limited="true" range="0 0.3" {SPRING}><site site="s"/><site
      site="w"/></spatial></tendon>""", 0.3 + MASS * G / K),
    "connect": (FLOATING, f'<equality><connect body1="b" anchor="0 0 0" {SPRING}/></equality>', MASS * G / K),
    "connect of sites": (FLOATING, f'<equality><connect site1="s" site2="w" {SPRING}/></equality>', MASS * G / K),
    "weld": (FLOATING, f'<equality><weld body1="b" {SPRING}/></equality>', MASS * G / K),
    "joint": (SLIDER.format(""), f'<equality><joint joint1="j" {SPRING}/></equality>', MASS * G / K),
    "tendon": (SLIDER.format(""), f"""<tendon><fixed name="t"><joint joint="j" coef="2"/></fixed></tendon><equality>
      <tendon tendon1="t" {SPRING}/></equality>""", MASS * G / (4 * K)),
}


@pytest.mark.parametrize("kind", HELD)
def test_a_weight_sinks_by_force_over_stiffness(kind):
    body, rest, depth = HELD[kind]
    model, data = make(body, rest)
    settle(model, data)
    torsor.forward(model, data)
    assert 1 - data.xpos[1][2] == pytest.approx(depth, rel=1e-7)
    assert data.qfrc_constraint[-1 if model.nv == 1 else 2] * (-1 if kind == "upper limit" else 1) == pytest.approx(
        MASS * G, rel=1e-7)
    assert data.efc_KBIP.reshape(-1, 4)[0].tolist() == [K, 0.05, 0, 0]


@pytest.mark.parametrize("scale", [1.0, 2.0])
def test_a_weld_turns_by_torque_over_its_scaled_stiffness(scale):
    """Rotation is scale times the vector part of the quaternion: k scale^2 / 4 sin(angle) balances the torque."""
    model, data = make(FLOATING, f'<equality><weld site1="s" site2="w" torquescale="{scale}" {SPRING}/></equality>')
    torque = 30.0
    data.qfrc_applied[4] = torque
    settle(model, data)
    angle = np.arcsin(torque / (K * scale**2 / 4))
    assert 2 * np.arcsin(abs(data.qpos[5])) == pytest.approx(angle, rel=1e-6)
    assert 1 - data.qpos[2] == pytest.approx(MASS * G / K, rel=1e-6)


@pytest.mark.parametrize("joint", ["hinge", "ball"])
def test_a_limit_of_an_angle_gives_way_by_torque_over_stiffness(joint):
    attributes = 'type="hinge" axis="0 1 0" range="-1 0.4"' if joint == "hinge" else 'type="ball" range="0 0.4"'
    model, data = make(f'<body><joint {attributes} sapstiffness="50" sapdissipation="0.1"/>{BOX}</body>')
    data.qfrc_applied[0 if joint == "hinge" else 1] = 6.0
    settle(model, data)
    angle = data.qpos[0] if joint == "hinge" else 2 * np.arccos(data.qpos[0])
    assert angle == pytest.approx(0.4 + 6.0 / 50, rel=1e-8)


@pytest.mark.parametrize("k, tau", [(800.0, 0.05), (800.0, 0.0), (3e4, 0.01), (800.0, None)])
def test_every_step_is_a_spring_and_a_damper_at_its_end(k, tau):
    """m (v - v0) = -h m g + h max(0, -k phi - k tau v), with phi at the end of the step; from the row's reach on."""
    dissipation = "" if tau is None else f'sapdissipation="{tau}"'
    model, data = make(SLIDER.format(f'range="-0.02 1" sapstiffness="{k}" {dissipation}'))
    tau = H if tau is None else tau
    q, v, pushed = 0.0, 0.0, 0
    for _ in range(400):
        torsor.step(model, data)
        free = v - H * G
        phi = q + 0.02
        is_near = phi < 2 * H * (abs(v) + 200 * H)
        push = -k * (phi + (H + tau) * free) * H / (MASS + H * k * (H + tau)) if is_near else 0.0
        v = free + max(0.0, push)
        q += H * v
        pushed += push > 0
        assert data.qvel[0] == pytest.approx(v, abs=1e-10) and data.qpos[0] == pytest.approx(q, abs=1e-10)
    assert 100 < pushed


def test_beyond_what_a_step_resolves_all_are_near_rigid():
    w, h = 1 / MASS, H
    for k, expected in ((1e3, 1 / (h * 1e3 * (h + 0.05))), (1e12, 0.01 / (4 * np.pi**2) * w)):
        model, data = make(SLIDER.format(f'range="0.01 1" sapstiffness="{k}" sapdissipation="0.05"'))
        torsor.forward(model, data)
        assert data.efc_R[0] == pytest.approx(expected, rel=1e-12)
        assert data.efc_KBIP.reshape(-1, 4)[0].tolist() == [k, 0.05, k > 1e6, 0]


def test_without_numbers_limits_and_equalities_are_near_rigid_with_one_step():
    """As Drake has them. A dissipation alone counts for a limit, as for contacts; not for an equality, as in Drake."""
    rigid = 0.01 / (4 * np.pi**2) / MASS
    for attributes, tau in (("", H), ('sapdissipation="0.2"', 0.2)):
        for body, rest, expected in ((SLIDER.format(f'range="0.01 1" {attributes}'), "", tau),
                                     (SLIDER.format(""), f'<equality><joint joint1="j" {attributes}/></equality>', H)):
            model, data = make(body, rest)
            torsor.forward(model, data)
            assert data.efc_R[0] == pytest.approx(rigid, rel=1e-12)
            assert data.efc_KBIP.reshape(-1, 4)[0].tolist() == [0, expected, 1, 0]


ALL = """<mujoco><default><joint sapstiffness="10"/><tendon sapdissipation="0.3"/><equality sapstiffness="40"
    sapdissipation="0"/><default class="soft"><joint sapstiffness="5" sapdissipation="0.5"/></default></default>
  <worldbody><body><joint name="a"/><geom size="1"/><body><joint name="b" class="soft"/><geom size="1"/><site name="s"/>
    <body><joint name="c" type="slide" sapstiffness="7"/><geom size="1"/></body></body></body><site name="t"/></worldbody>
  <tendon><fixed name="f" sapstiffness="20"><joint joint="a" coef="1"/></fixed><spatial name="p" sapdissipation="0"><site
    site="s"/><site site="t"/></spatial></tendon>
  <equality><joint joint1="a" joint2="b"/><tendon tendon1="f" sapstiffness="8"/><connect site1="s" site2="t"
    sapdissipation="0.25"/><weld site1="s" site2="t" sapstiffness="3" sapdissipation="0.125"/></equality></mujoco>"""
EXPECTED = {
    "jnt_sapstiffness": [10, 5, 7], "jnt_sapdissipation": [-1, 0.5, -1], "tendon_sapstiffness": [20, -1],
    "tendon_sapdissipation": [0.3, 0], "eq_sapstiffness": [40, 8, 40, 3], "eq_sapdissipation": [0, 0, 0.25, 0.125]}


def test_numbers_are_read_by_class_written_and_kept_in_files(tmp_path):
    spec = torsor.Spec.from_xml_string(ALL)
    model = spec.compile()
    model.save_binary(tmp_path / "model.torsor")
    copies = (model, torsor.Spec.from_xml_string(spec.to_xml()).compile(),
              torsor.Model.from_binary_path(tmp_path / "model.torsor"))
    for name, values in EXPECTED.items():
        for copy in copies:
            assert getattr(copy, name).tolist() == values, name


def test_edits_of_limits_go_back_into_the_spec():
    spec = torsor.Spec.from_xml_string(ALL)
    model = spec.compile()
    model.jnt_sapstiffness[:] = [-1, 6, 7]
    model.tendon_sapdissipation[:] = [0.7, -1]
    spec.update(model)
    again = spec.compile()
    assert again.jnt_sapstiffness.tolist() == [-1, 6, 7] and again.tendon_sapdissipation.tolist() == [0.7, -1]


def test_edits_act_and_nonsense_counts_as_unset():
    model, data = make(SLIDER.format('range="0.01 1"'))
    for value, stiffness in ((700.0, 700), (0, 0), (-3, 0), (float("nan"), 0)):
        model.jnt_sapstiffness[0] = value
        torsor.forward(model, data)
        assert data.efc_KBIP.reshape(-1, 4)[0, 0] == stiffness and np.isfinite(data.qacc).all()


@pytest.mark.parametrize("attribute, word", [
    ('sapstiffness="-3"', "sapstiffness must be positive"), ('sapstiffness="0"', "sapstiffness must be positive"),
    ('sapdissipation="-1"', "sapdissipation cannot be negative"), ('sapstiffness="soft"', "soft")])
@pytest.mark.parametrize("place", ["joint", "tendon", "equality"])
def test_bad_numbers_are_refused(place, attribute, word):
    given = {name: attribute if name == place else "" for name in ("joint", "tendon", "equality")}
    with pytest.raises(torsor.Error, match=word) as error:
        torsor.Model.from_xml_string(f"""<mujoco><worldbody><body><joint name="j" {given["joint"]}/><geom size="1"/></body>
          </worldbody><tendon><fixed {given["tendon"]}><joint joint="j" coef="1"/></fixed></tendon><equality><joint
          joint1="j" {given["equality"]}/></equality></mujoco>""")
    assert "near-rigid" in str(error.value) or "positive" not in word


def test_other_solvers_do_not_read_them():
    results = []
    for attributes in ("", SPRING):
        model, data = make(SLIDER.format(f'range="-0.02 1" {attributes}'))
        model.opt.solver = torsor.Solver.NEWTON
        torsor.step(model, data, nstep=200)
        results.append((data.qpos[0], data.qvel[0]))
    assert results[0] == results[1]
