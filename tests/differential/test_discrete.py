"""The integrator discrete: metric, rows, solution, inverse and runs equal those of MuJoCo 4.0."""

import pathlib

import mujoco
import numpy as np
import pytest

import torsor

SMOOTH = ("efm_diag", "efm_ck", "efm_c", "efm_sdiag", "efm_fluid", "efm_ca", "qfrc_smooth", "qacc_smooth")
TERMS = {"efm_ts": "nefmT", "efm_tk": "nefmT", "efm_tid": "nefmT", "efm_as": "nefmA", "efm_ak": "nefmA", "efm_aid": "nefmA"}
ROWS = ("efc_type", "efc_pos", "efc_vel", "efc_KBIP", "efc_R", "efc_D", "efc_diagA", "efc_aref")
SOLUTION = ("qacc", "qfrc_constraint", "efc_force")

PARTS = """
  <worldbody>
    <site name="w" pos=".4 .2 .9"/>
    <body name="arm" pos="0 0 1.5">
      <joint name="a" axis="0 1 0" armature=".1" stiffness="30 20 10" damping="2 1 .5" springref="10" range="-20 20" frictionloss=".3"/>
      <geom size=".1" pos=".3 0 0"/><site name="s1" pos=".2 0 .1"/>
      <body pos=".5 0 0">
        <joint name="b" axis="0 0 1" damping=".4" range="-8 9" solreflimit=".004 .8"/>
        <geom type="capsule" size=".05 .1" pos=".1 .2 0"/><site name="s2" pos=".2 .1 .1"/>
        <body pos=".1 .3 0"><joint name="ball" type="ball" stiffness="6 3 2" damping=".2 .1"/><geom type="box" size=".05 .1 .08" pos=".1 0 .1"/></body>
      </body>
    </body>
    <body name="lever" pos="0 2 1">
      <joint name="c" axis="1 0 0" armature=".2"/><geom size=".1" pos="0 .3 0"/><site name="s3" pos="0 .2 0"/>
    </body>
    <body pos="1 1 3"><freejoint/><geom type="box" size=".1 .2 .3"/></body>
    <body pos="3 1 1"><joint name="slide" type="slide" axis="0 0 1" stiffness="400"/><joint name="turn" axis="0 1 0"/><geom size=".1" pos=".2 .1 0"/></body>
  </worldbody>
  <tendon>
    <spatial name="path" stiffness="30 5" springlength="0 .7" damping="3 1"><site site="s1"/><site site="s3"/><site site="s2"/></spatial>
    <fixed name="sum" stiffness="5 10 4" damping="1"><joint joint="a" coef="1"/><joint joint="c" coef="-2"/></fixed>
    <fixed name="alone" stiffness="40" springlength=".2"><joint joint="turn" coef="1.5"/></fixed>
    <spatial name="slack" stiffness="50" springlength="0 9"><site site="w"/><site site="s1"/></spatial>
  </tendon>
"""
ACTUATORS = {
    "none": "",
    "servos": """<position joint="b" kp="50" kv="3"/><velocity tendon="path" kv="5"/><motor joint="a"/>
        <position tendon="sum" kp="7" kv="1"/><position joint="slide" kp="900" gear="2"/>""",
    "saturated": """<position joint="b" kp="500" forcerange="-1 1"/><position joint="c" kp="300" kv="9"/>
        <position tendon="sum" kp="700" forcerange="-2 2"/>""",
    "affine": """<general joint="a" gaintype="affine" gainprm="1 -3 -2" ctrlrange="-.5 .5"/><general joint="b" gaintype="affine" gainprm="1 3 2"/>
        <general joint="c" gaintype="affine" gainprm="1 -3 -2" biastype="affine" biasprm="0 -1 -4" dyntype="filter" dynprm=".3"/>
        <general joint="turn" biastype="affine" biasprm="0 5 -2" gainprm="3"/><intvelocity joint="slide" kp="30" actrange="-3 3"/>""",
    "motors": """<muscle tendon="path" lengthrange="1 5" force="30"/><damper joint="a" kv="4" ctrlrange="0 1"/><dcmotor joint="b" motorconst=".5" resistance="2" cogging="3 4 .1"/>
        <dcmotor joint="c" motorconst=".5" resistance="2" inductance="0 .01" input="pos" controller="30 2 4"/><pid joint="turn" kp="30" kv="4" ki="2"/>""",
}


def text_of(actuators="none", option="", flags="", extra=""):
    return f"""<mujoco><compiler autolimits="true"/>
      <option integrator="discrete" timestep="0.01" jacobian="dense" tolerance="0" iterations="100" {option}><flag {flags}/></option>
      {PARTS}<actuator>{ACTUATORS[actuators]}</actuator>{extra}</mujoco>"""


def random_state(model, data, rng):
    data.qvel[:] = rng.normal(size=model.nv)
    velocity = rng.normal(size=model.nv)
    mujoco.mj_integratePos(model, data.qpos, velocity, 0.5)
    data.ctrl[:] = rng.normal(size=model.nu)
    data.act[:] = rng.uniform(0, 1, size=model.na)
    data.qfrc_applied[:] = rng.normal(size=model.nv)


class Both:
    def __init__(self, text, seed=0):
        self.theirs_model, self.model = mujoco.MjModel.from_xml_string(text), torsor.Model.from_xml_string(text)
        self.theirs, self.data = mujoco.MjData(self.theirs_model), torsor.Data(self.model)
        self.rng = np.random.default_rng(seed)

    def randomize(self):
        mujoco.mj_resetData(self.theirs_model, self.theirs)
        random_state(self.theirs_model, self.theirs, self.rng)
        self.copy()

    def copy(self):
        torsor.reset_data(self.model, self.data)
        for name in ("qpos", "qvel", "act", "ctrl", "qfrc_applied"):
            getattr(self.data, name)[:] = getattr(self.theirs, name)

    def forward(self):
        mujoco.mj_forward(self.theirs_model, self.theirs)
        torsor.forward(self.model, self.data)

    def step(self):
        mujoco.mj_step(self.theirs_model, self.theirs)
        torsor.step(self.model, self.data)

    def check(self, names, tolerance, title=""):
        for name in names:
            ours, theirs = np.asarray(getattr(self.data, name), float), np.asarray(getattr(self.theirs, name), float)
            assert ours.size == theirs.size, f"{title} {name}: {ours.shape} {theirs.shape}"
            if not theirs.size:
                continue
            scale = max(np.abs(theirs).max(), 1e-6)
            error = np.abs(ours.ravel() - theirs.ravel()).max()
            assert error <= tolerance * scale, f"{title} {name}: {error / scale:.2e}\n{ours}\n{theirs}"

    def check_terms(self, title):
        assert self.data.efm_active == self.theirs.efm_active == 1
        for name, count in TERMS.items():
            n = getattr(self.theirs, count)
            assert getattr(self.data, count) == n, f"{title} {count}"
            assert np.allclose(getattr(self.data, name)[:n], getattr(self.theirs, name)[:n], rtol=1e-9, atol=0), f"{title} {name}"


@pytest.mark.parametrize("actuators", ACTUATORS)
@pytest.mark.parametrize("option", ["", 'solver="CG"', 'solver="PGS"', 'density="300" viscosity=".2"'])
def test_metric_and_smooth_acceleration(actuators, option):
    both = Both(text_of(actuators, option, 'constraint="disable"'))
    terms = 0
    for k in range(6):
        both.randomize()
        both.forward()
        both.check_terms(f"state {k}")
        both.check(SMOOTH + ("qacc",), 1e-9, f"state {k}")
        terms += both.data.nefmT + both.data.nefmA
    assert (terms > 0) == ("PGS" not in option)


@pytest.mark.parametrize("flags", ['spring="disable"', 'damper="disable"', 'actuation="disable"', 'eulerdamp="disable"'])
def test_disabled_forces_are_not_in_the_metric(flags):
    both = Both(text_of("servos", flags=flags + ' constraint="disable"'))
    for k in range(3):
        both.randomize()
        both.forward()
        both.check_terms(f"state {k}")
        both.check(SMOOTH + ("qacc",), 1e-9, f"state {k}")


def test_only_drag_of_ellipsoids_is_in_the_metric():
    text = text_of("none", 'density="900" viscosity=".1" wind=".3 .1 0"', 'constraint="disable"')
    both = Both(text.replace("<geom ", '<geom fluidshape="ellipsoid" fluidcoef=".5 .25 1.5 1 1" '))
    for k in range(4):
        both.randomize()
        both.forward()
        assert np.abs(both.data.efm_fluid).max() > 0
        both.check(SMOOTH + ("qacc",), 1e-9, f"state {k}")


EQUALITIES = """<equality><joint joint1="turn" joint2="c" polycoef="0 1 .2 0 0" solref=".006 1"/>
  <connect body1="lever" body2="arm" anchor="0 .1 0" solref=".05 .7" solimp=".7 .9 .3"/></equality>"""
CONTACTS = """<worldbody><geom type="plane" size="3 3 1" friction=".7 .03 .02" solref="{solref}" solimp="{solimp}" condim="{condim}"/>
  <body pos="0 5 .09"><freejoint/><geom size=".1" solref="{solref}" solimp="{solimp}" condim="{condim}"/></body>
  <body pos="0 7 .09"><joint type="slide" axis="0 0 1" stiffness="50" damping="3"/><joint name="roll" axis="0 1 0" damping=".1"/><geom size=".1" condim="{condim}"/></body></worldbody>"""


@pytest.mark.parametrize("actuators", ["none", "servos"])
@pytest.mark.parametrize("cone,condim", [("pyramidal", 1), ("pyramidal", 3), ("elliptic", 4), ("elliptic", 6), ("pyramidal", 6)])
@pytest.mark.parametrize("solref,solimp,flags", [
    (".03 1", ".8 .9 .01", ""), (".004 .7", ".8 .99 .1", ""), (".004 .7", ".99975 .99975 .1", ""),
    (".0005 1", ".9 .95 .001", 'refsafe="disable"'), ("-900 -30", ".9 .95 .001", 'diagexact="enable"')])
def test_rows_and_solution(actuators, cone, condim, solref, solimp, flags):
    extra = EQUALITIES + CONTACTS.format(solref=solref, solimp=solimp, condim=condim)
    both = Both(text_of(actuators, f'cone="{cone}" impratio="3" density="20"', flags, extra), seed=condim)
    kinds = set()
    for k in range(3):
        both.randomize()
        for free in (both.theirs.qpos[-9:-2],):  # keep the spheres on the floor
            free[:] = [0, 5, 0.09 + 0.008 * k, 1, 0, 0, 0]
        both.theirs.qpos[-2:] = [0.002 * k, 0.3]
        both.copy()
        both.forward()
        assert both.data.nefc == both.theirs.nefc
        both.check(ROWS, 1e-8, f"state {k}")
        both.check(SOLUTION, 1e-6, f"state {k}")
        kinds |= set(both.data.efc_type)
    assert len(kinds) >= 4


@pytest.mark.parametrize("option", ['solver="PGS" iterations="4000"', 'noslip_iterations="20"'])
def test_sweeps(option):
    extra = CONTACTS.format(solref=".03 1", solimp=".8 .9 .01", condim=3)
    # noslip of elliptic cones differs from 4.0 under every integrator
    cone = 'cone="pyramidal" ' if "noslip" in option else 'cone="elliptic" '
    both = Both(text_of("servos", cone + option.replace("iterations=\"4000\"", ""), "", extra).replace(
        'iterations="100"', 'iterations="4000"'))
    for k in range(3):
        both.randomize()
        both.theirs.qpos[-9:] = [0, 5, 0.09, 1, 0, 0, 0, 0.002, 0.3]
        both.copy()
        both.forward()
        assert both.data.ncon > 0
        both.check(SOLUTION, 1e-6, f"state {k}")


@pytest.mark.parametrize("actuators", ["servos", "affine"])
def test_inverse_undoes_forward(actuators):
    both = Both(text_of(actuators, extra=EQUALITIES))
    for k in range(3):
        both.randomize()
        both.forward()
        given = both.data.qfrc_actuator + both.data.qfrc_applied
        mujoco.mj_inverse(both.theirs_model, both.theirs)
        torsor.inverse(both.model, both.data)
        both.check(("qfrc_inverse",), 1e-7, f"state {k}")
        assert np.allclose(both.data.qfrc_inverse, given, atol=1e-6 * max(1, np.abs(given).max()))


@pytest.mark.parametrize("actuators", ["none", "servos", "motors"])
def test_runs(actuators):
    both = Both(text_of(actuators, flags='constraint="disable"'))
    both.randomize()
    both.theirs.qvel[:] *= 0.3
    both.copy()
    for _ in range(200):
        both.step()
    both.check(("qpos", "qvel", "act"), 1e-9)


def test_a_stiff_spring_is_backward_euler():
    """m v' = m v - h k (x + h v') in closed form, far beyond the explicit limit of h."""
    h, k, m = 0.05, 1e5, 2.0
    model = torsor.Model.from_xml_string(f"""<mujoco><option integrator="discrete" timestep="{h}" gravity="0 0 0"/><worldbody>
      <body><joint type="slide" stiffness="{k}"/><geom size=".1" mass="{m}"/></body></worldbody></mujoco>""")
    data = torsor.Data(model)
    x, v = 0.1, 2.0
    data.qpos[0], data.qvel[0] = x, v
    for _ in range(20):
        v = (m * v - h * k * x) / (m + h * h * k)
        x += h * v
        torsor.step(model, data)
        assert data.qvel[0] == pytest.approx(v, rel=1e-9, abs=1e-15) and data.qpos[0] == pytest.approx(x, rel=1e-9, abs=1e-15)


def test_halves_of_a_step_are_the_step():
    model = torsor.Model.from_xml_string(text_of("servos", extra=EQUALITIES))
    whole, halves = torsor.Data(model), torsor.Data(model)
    for data in (whole, halves):
        data.qvel[:] = 0.3
    for _ in range(10):
        torsor.step(model, whole)
        torsor.step1(model, halves)
        torsor.step2(model, halves)
    assert np.array_equal(whole.qpos, halves.qpos) and np.array_equal(whole.qvel, halves.qvel)


def test_sleep_needs_islands():
    text = text_of(flags='sleep="enable" island="disable"')
    with pytest.raises(torsor.Error, match="islands"):
        torsor.Model.from_xml_string(text)


def test_worlds_of_a_batch_step_like_one_world():
    extra = EQUALITIES + CONTACTS.format(solref=".03 1", solimp=".8 .9 .01", condim=3)
    model = torsor.Model.from_xml_string(text_of("servos", extra=extra))
    rng, batch = np.random.default_rng(4), torsor.Batch(model, 5)
    batch.qvel[:] = 0.2 * rng.normal(size=batch.qvel.shape)
    worlds = [torsor.Data(model) for _ in range(5)]
    for world, data in enumerate(worlds):
        data.qvel[:] = batch.qvel[world]
    plan = batch.plan()
    lanes = [stage for stage in plan if "discrete" in str(stage)]
    assert lanes, plan
    batch.step(5)
    for world, data in enumerate(worlds):
        for _ in range(5):
            torsor.step(model, data)
        assert np.allclose(batch.qpos[world], data.qpos, rtol=0, atol=1e-9)
        assert np.allclose(batch.qvel[world], data.qvel, rtol=0, atol=1e-7)


def chain(count, y):
    """Links of a chain, each turning across the one before."""
    links = "".join(f'<body pos="{0.3 if k else 0} {0 if k else y} {0 if k else 1}"><joint name="j{y}_{k}" axis="0 {k % 2} {1 - k % 2}" damping=".1" '
                    f'stiffness="2" range="-20 20"/><geom type="capsule" size=".03 .1" pos=".1 0 0"/><site name="s{y}_{k}" pos=".1 0 .05"/>'
                    for k in range(count))
    return links + "</body>" * count


@pytest.mark.parametrize("solver", ["Newton", "CG", "PGS"])
@pytest.mark.parametrize("tendons", [
    '<fixed stiffness="9"><joint joint="j0_1" coef="1"/></fixed>',
    '<spatial stiffness="50" damping="2"><site site="s0_5"/><site site="s2_9"/></spatial><fixed stiffness="9"><joint joint="j0_1" coef="1"/><joint joint="j0_9" coef="2"/></fixed>'])
def test_large_islands(solver, tendons):
    """More dofs than a dense island has: blocks per tree, but for tendons that connect dofs."""
    both = Both(f"""<mujoco><option integrator="discrete" timestep=".01" jacobian="dense" tolerance="0" solver="{solver}" iterations="3000"><flag contact="disable"/></option>
      <worldbody>{chain(40, 0)}{chain(40, 2)}</worldbody><equality><joint joint1="j0_3" joint2="j2_5"/></equality>
      <tendon>{tendons}</tendon><actuator><position joint="j0_20" kp="100" kv="2"/></actuator></mujoco>""")
    both.randomize()
    both.forward()
    assert both.data.nefc > 10
    both.check(("qacc_smooth",), 1e-9)
    both.check(SOLUTION, 1e-6)


FEATURES = pathlib.Path(__file__).parents[2] / "models" / "features"


def relative(ours, theirs):
    ours, theirs = np.ravel(ours), np.ravel(theirs)
    return np.abs(ours - theirs).max() / max(1e-3, np.abs(theirs).max()) if ours.size == theirs.size else np.inf


def test_feature_models(judged):
    """Every model of a feature from two states, but for those whose acceleration differs in continuous time already."""
    wrong = []
    for path in sorted(FEATURES.glob("*.xml")):
        try:
            models = mujoco.MjModel.from_xml_path(str(path)), torsor.Model.from_xml_path(path)
        except (ValueError, torsor.Error):
            judged.screen()
            continue
        if models[0].nv == 0:
            judged.screen()
            continue
        for model in models:
            model.opt.jacobian, model.opt.tolerance, model.opt.noslip_iterations = 0, 0, 0
            model.opt.enableflags = int(model.opt.enableflags) & ~int(torsor.EnableFlag.SLEEP)
            model.opt.solver = min(int(model.opt.solver), 2)
        for seed in range(2):
            errors = []
            for integrator in (3, 4):
                theirs, data = mujoco.MjData(models[0]), torsor.Data(models[1])
                for model in models:
                    model.opt.integrator = integrator
                random_state(models[0], theirs, np.random.default_rng(seed))
                theirs.qfrc_applied[:] *= 0.1
                for name in ("qpos", "qvel", "act", "ctrl", "qfrc_applied"):
                    getattr(data, name)[:] = getattr(theirs, name)
                mujoco.mj_forward(models[0], theirs)
                torsor.forward(models[1], data)
                errors.append((relative(data.qacc_smooth, theirs.qacc_smooth), relative(data.qacc, theirs.qacc)))
            if not (errors[0][0] < 1e-8 and errors[0][1] < 1e-6):
                judged.screen()
                continue
            judged()
            if not (errors[1][0] < 1e-7 and errors[1][1] < 1e-5):
                wrong.append((path.stem, seed, errors[1]))
    assert not wrong, wrong


def limit_row(engine, timestep, solref, solimp):
    text = f"""<mujoco><option integrator="discrete" timestep="{timestep!r}"/><worldbody><body><geom size=".1"/><joint type="slide"
      range="-.1 .1" limited="true" solreflimit="{solref[0]!r} {solref[1]!r}" solimplimit="{solimp}"/></body></worldbody></mujoco>"""
    model = engine.MjModel.from_xml_string(text) if engine is mujoco else torsor.Model.from_xml_string(text)
    data = (mujoco.MjData if engine is mujoco else torsor.Data)(model)
    data.qpos[0] = 0.2
    engine.mj_forward(model, data) if engine is mujoco else torsor.forward(model, data)
    return np.array(data.efc_KBIP).reshape(-1)[:4], float(data.efc_R[0]), float(data.efc_aref[0])


@pytest.mark.parametrize("solimp", [".95 .95 .001", ".6 .6 .001", ".3 .9 .4 .5 2", ".95 .5 .2 .5 2"])
@pytest.mark.parametrize("solref", [(0.02, 1.0), (0.04, 0.5), (0.05, 0.3)])
def test_springs_that_the_step_cannot_resolve_are_replaced_where_mujocos_are(solref, solimp):
    changes = set()
    for part in (0.3, 0.5, 0.58, 0.6, 0.77, 0.78, 0.97, 0.98, 1, 1.03, 1.4, 1.46, 1.48, 3):
        timestep = solref[0] * solref[1] * part
        theirs, ours = (limit_row(engine, timestep, solref, solimp) for engine in (mujoco, torsor))
        np.testing.assert_allclose(ours[0], theirs[0], rtol=1e-9, err_msg=str(part))
        np.testing.assert_allclose(ours[1:], theirs[1:], rtol=1e-9, err_msg=str(part))
        changes.add(bool(abs(theirs[0][0] * timestep**2 * theirs[0][2] - 1) < 1e-9))
    assert changes == {False, True}
