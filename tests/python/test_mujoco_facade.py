"""torsor.mujoco as a module: classes, enums, named access, callbacks, and programs that import mujoco."""

import copy
import gc
import importlib
import pathlib
import pickle
import subprocess
import sys
import weakref

import mujoco as reference
import numpy
import pytest

import torsor
import torsor.mujoco as mujoco
from example_models import ZOO

BOX = """
<mujoco model="test">
  <worldbody>
    <geom name="floor" type="plane" size="10 10 1"/>
    <body name="box" pos="0 0 0.1">
      <freejoint name="free"/>
      <geom name="box" type="box" size="0.1 0.1 0.1"/>
    </body>
    <body name="arm" pos="1 0 1">
      <joint name="hinge" axis="0 1 0"/>
      <geom name="rod" type="capsule" size="0.05 0.2"/>
      <site name="tip"/>
    </body>
  </worldbody>
  <actuator><motor name="motor" joint="hinge"/></actuator>
  <sensor><jointvel name="speed" joint="hinge"/></sensor>
  <keyframe><key name="home" qpos="0 0 1 1 0 0 0 0.5"/></keyframe>
</mujoco>
"""


@pytest.fixture
def model():
    return mujoco.MjModel.from_xml_string(BOX)


@pytest.fixture
def data(model):
    return mujoco.MjData(model)


def test_a_step_equals_mujocos():
    results = []
    for module in (mujoco, reference):
        model = module.MjModel.from_xml_string(BOX)
        data = module.MjData(model)
        for _ in range(20):
            module.mj_step(model, data)
        module.mj_step(model, data, nstep=5)
        results.append(numpy.concatenate([[data.time], data.qpos, data.qvel]))
    numpy.testing.assert_allclose(results[0], results[1], rtol=1e-8, atol=1e-8)


def test_classes_are_those_of_the_package_with_more(model, data):
    assert isinstance(model, torsor.Model) and isinstance(data, torsor.Data)
    assert type(model) is mujoco.MjModel and type(data.model) is mujoco.MjModel
    torsor.step(model, data)
    assert data.time == model.opt.timestep
    with pytest.raises(TypeError):
        mujoco.MjData()
    with pytest.raises(TypeError):
        mujoco.MjModel()


def test_arrays_are_views_that_outlive_their_owner(model):
    qpos0 = model.qpos0
    model.qpos0 = 7
    assert (qpos0 == 7).all()
    del model
    gc.collect()
    assert (qpos0 == 7).all()


def test_elements_are_the_same_object_every_time(model, data):
    joint = data.joint("hinge")
    assert joint is data.joint(1) is data.jnt("hinge") is data.joint(numpy.int32(1))
    assert joint.qpos is data.joint("hinge").qpos and joint.qpos.shape == (1,)
    joint.qpos = 0.25
    assert data.qpos[7] == 0.25
    data.qpos[7] = 0.5
    assert joint.qpos[0] == 0.5
    joint.qpos += 1
    assert data.qpos[7] == 1.5
    assert model.geom("box").size is model.geom("box").size
    assert model.geom("box").size.tolist() == [0.1, 0.1, 0.1]
    assert model.joint("free").name == "free" and model.joint("free").id == 0
    assert data.joint("free").qvel.shape == (6,) and data.joint("free").cdof.shape == (6, 6)
    assert data.actuator("motor").moment.shape == (model.nv,)
    assert data.sensor("speed").data.shape == (1,)
    assert model.key("home").qpos.shape == (model.nq,)


def test_elements_neither_keep_their_owner_nor_lose_its_numbers(model):
    data = mujoco.MjData(model)
    torsor.forward(model, data)
    body = data.body("box")
    assert body.xpos[2] == pytest.approx(0.1)
    gc.disable()
    try:
        alive = weakref.ref(body)
        del data
        assert body.xpos[2] == pytest.approx(0.1) and body.xmat.shape == (9,)
        del body
        assert alive() is None
    finally:
        gc.enable()


def test_errors_of_named_access_are_mujocos(model, data):
    for owner in (model, data):
        with pytest.raises(KeyError, match=r"Invalid name 'bad'\. Valid names: \['box', 'floor', 'rod'\]"):
            owner.geom("bad")
        with pytest.raises(KeyError, match=r"Invalid name ''\. Valid names: \['free', 'hinge'\]"):
            owner.joint()
        with pytest.raises(IndexError, match=r"Invalid index 3\. Valid indices from 0 to 2"):
            owner.geom(3)
        with pytest.raises(IndexError, match=r"Invalid index -1\."):
            owner.geom(-1)
        with pytest.raises(TypeError):
            owner.geom(1.0)
        with pytest.raises(AttributeError):
            owner.geom(0).nonsense
        with pytest.raises(AttributeError):
            owner.geom(0).nonsense = 1


def test_attributes_of_elements_are_mujocos():
    theirs = reference.MjModel.from_xml_string(BOX)
    ours = mujoco.MjModel.from_xml_string(BOX)
    data, other = mujoco.MjData(ours), reference.MjData(theirs)
    for kind, name in (("body", "box"), ("joint", "free"), ("geom", "box"), ("site", "tip"), ("actuator", "motor"),
                       ("sensor", "speed")):
        for mine, yours in ((getattr(ours, kind)(name), getattr(theirs, kind)(name)),
                            (getattr(data, kind)(name), getattr(other, kind)(name))):
            wanted = {each for each in dir(yours) if not each.startswith("_")}
            assert not [each for each in wanted if not hasattr(mine, each)], kind
            for each in wanted - {"id", "name"}:
                assert getattr(mine, each).shape == numpy.shape(getattr(yours, each)), (kind, each)


def test_repr_of_elements(model, data):
    text = repr(data.geom("box"))
    assert text.startswith("<_MjDataGeomViews") and "name: 'box'" in text and "xpos:" in text and text.endswith(">")
    assert repr(model.geom("box")).startswith("<_MjModelGeomViews")


def test_copies_and_pickles_keep_their_class(model, data):
    data.qvel[0] = 3
    mujoco.mj_forward(model, data)
    for twin in (copy.copy(data), copy.deepcopy(data), pickle.loads(pickle.dumps(data))):
        assert type(twin) is mujoco.MjData and type(twin.model) is mujoco.MjModel
        assert twin.qvel[0] == 3 and twin.ncon == data.ncon
        twin.qvel[0] = 4
        assert data.qvel[0] == 3
    for twin in (copy.copy(model), copy.deepcopy(model), pickle.loads(pickle.dumps(model))):
        assert type(twin) is mujoco.MjModel and twin.to_bytes() == model.to_bytes()
    with pytest.raises(ValueError):
        pickle.loads(pickle.dumps(data).replace(b"\x00" * 64, b"\x07" * 64, 1))


def test_copying_data_keeps_its_views(model, data):
    other = mujoco.MjData(model)
    view = other.qpos
    data.qpos[0] = 5
    mujoco.mj_copyData(other, model, data)
    assert view[0] == 5


def test_every_enum_has_mujocos_names_and_values():
    enums = {name: owner for name, owner in vars(reference).items() if isinstance(owner, type) and hasattr(owner, "__members__")}
    assert len(enums) >= 77
    for name, theirs in enums.items():
        expected = {key: int(value) for key, value in theirs.__members__.items()}
        assert {key: int(value) for key, value in getattr(mujoco, name).__members__.items()} == expected, name


def test_python_finds_enums_and_their_members_without_calling_a_function():
    program = ("import torsor.mujoco as mujoco; assert '__getattr__' in vars(mujoco)\n"
               "from torsor.mujoco import mjtObj; assert '__getattr__' not in vars(mujoco)\n"
               "lacking = [name for name in dir(mujoco) if name not in vars(mujoco)]\n"
               "assert not lacking, lacking\n"
               "assert mujoco.mjtObj.mjOBJ_BODY == 1 and len(mjtObj) == len(list(mjtObj)) and mjtObj.mjOBJ_BODY in mjtObj")
    subprocess.run([sys.executable, "-c", program], check=True)
    for owner in (mujoco.mjtObj, mujoco):  # both errors are those of Python's own lookup
        with pytest.raises(AttributeError, match=" has no attribute 'mjOBJ_NOTHING'$"):
            owner.mjOBJ_NOTHING
    with pytest.raises(AttributeError, match="reassign"):
        mujoco.mjtObj.mjOBJ_BODY = 2


@pytest.mark.parametrize("submodule", ["_renderer", "minimize"])
def test_a_submodule_that_cannot_be_imported_is_an_error_where_it_is_used(submodule):
    name = "Renderer" if submodule == "_renderer" else submodule
    program = f"""if True:
        import sys
        class Refusal:
            def find_spec(self, name, path=None, target=None):
                if name == "torsor.mujoco.{submodule}":
                    raise ImportError("no such library")
        sys.meta_path.insert(0, Refusal())
        import torsor.mujoco as mujoco
        assert mujoco.mjtObj.mjOBJ_BODY == 1 and mujoco.mjNGROUP == 6
        assert mujoco.MjLROpt().accel == 0 and mujoco.rollout.Rollout
        for _ in range(2):
            try:
                mujoco.{name}
            except ImportError as error:
                assert str(error) == "no such library"
            else:
                raise AssertionError("no error")
        assert not hasattr(mujoco, "nosuch")
        sys.meta_path.pop(0)
        assert mujoco.{name} and "__getattr__" not in vars(mujoco)"""
    subprocess.run([sys.executable, "-c", program], check=True)


def test_a_submodule_that_fails_after_it_asked_for_another_is_none(tmp_path):
    (tmp_path / "asking.py").write_text("from torsor import mujoco\nmujoco.Renderer\nimport nosuch\n")
    program = f"""if True:
        import torsor.mujoco as mujoco
        mujoco.__path__.append({str(tmp_path)!r})
        mujoco._IMPORTED = ("asking", *mujoco._IMPORTED)
        mujoco._LATER.add("asking")
        for _ in range(2):
            try:
                mujoco.asking
            except ModuleNotFoundError as error:
                assert error.name == "nosuch"
            else:
                raise AssertionError("no error")
        assert mujoco.mjtObj.mjOBJ_BODY == 1 and mujoco.Renderer"""
    subprocess.run([sys.executable, "-c", program], check=True)


@pytest.mark.parametrize("first", ["import torsor.mujoco.asking", "mujoco.asking", "mujoco.mjtObj"])
def test_a_submodule_may_ask_for_enums_and_for_itself_while_it_is_imported(first, tmp_path):
    (tmp_path / "asking.py").write_text("from torsor import mujoco\nBODY = mujoco.mjtObj.mjOBJ_BODY\nfrom torsor.mujoco import asking\n")
    program = f"""if True:
        import torsor.mujoco as mujoco
        mujoco.__path__.append({str(tmp_path)!r})
        mujoco._IMPORTED += ("asking",)
        mujoco._LATER.add("asking")
        {first}
        assert mujoco.asking.BODY == 1 and mujoco.asking.asking is mujoco.asking
        assert "__getattr__" not in vars(mujoco)"""
    subprocess.run([sys.executable, "-c", program], check=True)


def test_enums_compare_with_integers_of_both_kinds():
    box = mujoco.mjtGeom.mjGEOM_BOX
    assert box == 6 and box == numpy.int32(6) and numpy.int32(6) == box and 6 == box
    assert (numpy.array([6, 2]) == box).tolist() == [True, False]
    assert str(box) == "mjtGeom.mjGEOM_BOX" and repr(box) == "<mjtGeom.mjGEOM_BOX: 6>"
    assert mujoco.mjtGeom(6) is box and box + 1 == 7 and pickle.loads(pickle.dumps(box)) is box
    with pytest.raises(ValueError, match="Invalid int value for mjtGeom: 33"):
        mujoco.mjtGeom(33)


def test_every_field_of_mujoco_exists(model, data):
    for row in mujoco._names.FIELDS["MjModel"].split():
        name, kind, *extents = row.split(":")
        value = getattr(model, name)
        if extents and kind not in ("bytes", "object"):
            assert isinstance(value, numpy.ndarray), name
    for row in mujoco._names.FIELDS["MjData"].split():
        assert hasattr(data, row.split(":")[0]), row


def test_global_callbacks_apply_to_all_data(model):
    calls = []

    def control(model, data):
        calls.append(type(data))
        data.ctrl[0] = 2

    first = mujoco.MjData(model)
    mujoco.set_mjcb_control(control)
    try:
        assert mujoco.get_mjcb_control() is control
        for data in (first, mujoco.MjData(model)):
            mujoco.mj_step(model, data)
            assert data.ctrl[0] == 2
        assert calls == [mujoco.MjData] * 2
        plain = torsor.Data(torsor.Model.from_xml_string(BOX))
        torsor.step(plain.model, plain)
        assert len(calls) == 2
    finally:
        mujoco.set_mjcb_control(None)
    mujoco.mj_step(model, first)
    assert len(calls) == 2 and mujoco.get_mjcb_control() is None


def test_exceptions_of_callbacks_reach_the_caller(model, data):
    def fail(model, data):
        raise RuntimeError("planted")

    mujoco.set_mjcb_passive(fail)
    try:
        with pytest.raises(RuntimeError, match="planted"):
            mujoco.mj_step(model, data)
        assert data.time == 0
    finally:
        mujoco.mj_resetCallbacks()
    mujoco.mj_step(model, data)
    with pytest.raises(TypeError):
        mujoco.set_mjcb_control(3)


def test_sensor_callbacks_are_called_once_per_stage():
    model = mujoco.MjModel.from_xml_string(
        "<mujoco><worldbody><geom name='g' size='1'/></worldbody><sensor>"
        "<user objtype='geom' objname='g' datatype='real' needstage='vel' dim='2'/>"
        "<user objtype='geom' objname='g' datatype='real' needstage='vel' dim='1'/></sensor></mujoco>")
    data = mujoco.MjData(model)
    stages = []

    def sensor(model, data, stage):
        stages.append(stage)
        data.sensordata[:] = [1, 2, 3]

    mujoco.set_mjcb_sensor(sensor)
    try:
        mujoco.mj_forward(model, data)
    finally:
        mujoco.set_mjcb_sensor(None)
    assert stages == [mujoco.mjtStage.mjSTAGE_VEL] and data.sensordata.tolist() == [1, 2, 3]


def test_names_that_are_not_there_say_what_is():
    with pytest.raises(NotImplementedError, match="torsor.mujoco does not have mjr_addAux: .*mjr_render"):
        mujoco.mjr_addAux()
    with pytest.raises(NotImplementedError, match="MjrVertexAttribute"):
        mujoco.MjrVertexAttribute()
    with pytest.raises(AttributeError):
        mujoco.mj_nonsense
    assert not hasattr(mujoco, "no_such_name")


def test_rollouts_equal_mujocos():
    from mujoco import rollout as theirs

    from torsor.mujoco import rollout as ours

    random = numpy.random.default_rng(1)
    results = []
    for module, rollout in ((mujoco, ours), (reference, theirs)):
        model = module.MjModel.from_xml_string(BOX)
        data = module.MjData(model)
        size = module.mj_stateSize(model, module.mjtState.mjSTATE_FULLPHYSICS)
        initial = numpy.zeros(size)
        module.mj_getState(model, data, initial, module.mjtState.mjSTATE_FULLPHYSICS)
        control = numpy.random.default_rng(1).normal(size=(3, 7, model.nu))
        results.append(rollout.rollout(model, data, numpy.tile(initial, (3, 1)), control))
    for mine, other in zip(*results):
        assert mine.shape == other.shape
        numpy.testing.assert_allclose(mine, other, rtol=1e-7, atol=1e-7)
    del random


PROGRAM = """
import sys
import mujoco
from mujoco import rollout
import mujoco.viewer
from mujoco import MjModel, mjtObj
model = mujoco.MjModel.from_xml_string("<mujoco model='m'><worldbody><body><freejoint/><geom size='1'/></body></worldbody></mujoco>")
data = mujoco.MjData(model)
mujoco.mj_step(model, data)
print(mujoco.__name__, mujoco.__version__, data.time, sys.argv[1:], __name__)
"""


def test_programs_that_import_mujoco_run_unchanged(tmp_path, monkeypatch):
    monkeypatch.setenv("PYTHONPATH", str(pathlib.Path(torsor.__file__).resolve().parents[1]))
    (tmp_path / "program.py").write_text(PROGRAM)
    result = subprocess.run([sys.executable, "-m", "torsor.as_mujoco", "program.py", "--x", "1"], cwd=tmp_path,
                            capture_output=True, text=True)
    assert result.stdout.strip() == f"torsor.mujoco {mujoco.__version__} 0.002 ['--x', '1'] __main__", result.stderr
    result = subprocess.run([sys.executable, "-m", "torsor.as_mujoco", "-m", "program"], cwd=tmp_path, capture_output=True,
                            text=True)
    assert result.stdout.startswith("torsor.mujoco"), result.stderr
    assert subprocess.run([sys.executable, "-m", "torsor.as_mujoco"], capture_output=True).returncode == 2


def test_install_refuses_where_mujoco_is_imported():
    with pytest.raises(ImportError, match="imported already"):
        mujoco.install()


TWO_BOXES = """
<mujoco><worldbody><geom type="plane" size="5 5 1"/>
<body pos="0 0 0.09"><freejoint/><geom type="box" size="0.1 0.1 0.1"/></body>
<body pos="1 0 0.09"><freejoint/><geom size="0.1"/></body></worldbody></mujoco>"""


def test_slices_of_contacts_have_mujocos_arrays():
    lists = []
    for module in (mujoco, reference):
        model = module.MjModel.from_xml_string(TWO_BOXES)
        data = module.MjData(model)
        module.mj_forward(model, data)
        lists.append((model, data, module))
    (_, ours, _), (_, theirs, _) = lists
    assert ours.ncon == 5
    for part in (slice(None), slice(1, 3), slice(None, None, 2), slice(4, 0, -1), slice(7, 9)):
        mine, other = ours.contact[part], theirs.contact[part]
        assert len(mine) == len(other)
        for name in ("dist", "pos", "frame", "geom", "dim", "solref", "efc_address"):
            numpy.testing.assert_allclose(getattr(mine, name), getattr(other, name), atol=1e-12, err_msg=f"{part} {name}")
    assert ours.contact[1:4][::-1][0] == ours.contact[3] and ours.contact[1:3] == ours.contact[1:3]
    assert ours.contact.geom is ours.contact.geom  # while the contacts stay
    tail = ours.contact[3:]
    ours.qpos[2] = 1
    mujoco.mj_forward(*lists[0][:2])
    assert ours.contact.geom.shape == (1, 2)
    with pytest.raises(IndexError, match="gone"):
        tail.dist


def test_rows_are_made_again_from_contacts_as_they_are(model):
    """mj_makeConstraint uses contacts that a program has changed, as in MuJoCo, and can be called again."""
    found = []
    for module in (reference, mujoco):
        model = module.MjModel.from_xml_string(
            "<mujoco><worldbody><geom type='plane' size='1 1 1'/><body pos='0 0 .09'><freejoint/>"
            "<geom type='box' size='.1 .1 .1'/></body></worldbody></mujoco>")
        data = module.MjData(model)
        module.mj_forward(model, data)
        data.contact[1].dist = -0.05
        for _ in range(2):
            module.mj_makeConstraint(model, data)
        module.mj_projectConstraint(model, data)
        module.mj_referenceConstraint(model, data)
        found.append([data.ncon, data.nefc, numpy.array(data.efc_pos), numpy.array(data.efc_J), numpy.array(data.efc_aref)])
    assert found[0][:2] == found[1][:2]
    assert numpy.isin(-0.05, found[1][2])
    for a, b in zip(found[0][2:], found[1][2:], strict=True):
        numpy.testing.assert_allclose(b, a, atol=1e-12)


def test_a_dense_jacobian_that_is_kept_stays_as_it_was():
    """data.efc_J fills the array that it returned before, unless somebody still has it or a view of it."""
    model = mujoco.MjModel.from_xml_string(
        "<mujoco><worldbody><geom type='plane' size='1 1 1'/><body pos='0 0 .09'><freejoint/>"
        "<geom type='box' size='.1 .1 .1'/></body></worldbody></mujoco>")
    data = mujoco.MjData(model)
    mujoco.mj_forward(model, data)
    kept, row = data.efc_J, data.efc_J[:model.nv]
    before, row_before = kept.copy(), row.copy()
    data.efc_J[:] = 7  # a copy: nothing of the data changes
    numpy.testing.assert_array_equal(data.efc_J, before)
    data.efc_J.shape = (-1, 2)
    assert data.efc_J.shape == before.shape
    data.qpos[3:7] = (0.9, 0.1, 0.3, 0.2)
    mujoco.mj_forward(model, data)
    assert data.efc_J.size == 0 or not numpy.array_equal(data.efc_J, before)
    numpy.testing.assert_array_equal(kept, before)
    numpy.testing.assert_array_equal(row, row_before)


@pytest.mark.parametrize("cone", ["pyramidal", "elliptic"])
@pytest.mark.parametrize("island", ["enable", "disable"])
@pytest.mark.parametrize("sweeps", [0, 2, 20])
def test_sweeps_of_noslip_count_as_iterations(cone, island, sweeps):
    """After those of the solver, with what each of them gains."""
    xml = f"""<mujoco><option noslip_iterations="{sweeps}" cone="{cone}"><flag island="{island}"/></option>
      <worldbody><geom type="plane" size="5 5 1" euler="10 0 0"/>
        <body pos="0 0 .099"><freejoint/><geom type="box" size=".1 .1 .1"/></body>
        <body pos="1 0 .05"><freejoint/><geom size=".1"/></body></worldbody></mujoco>"""
    found = []
    for module in (reference, mujoco):
        model = module.MjModel.from_xml_string(xml)
        data = module.MjData(model)
        module.mj_forward(model, data)
        counts = numpy.array(data.solver_niter)[:2]
        # MuJoCo has room for 200 iterations of each island
        found.append((counts.tolist(), [data.solver[200 * i + k].improvement
                                        for i, count in enumerate(counts) for k in range(count)]))
    assert found[0][0] == found[1][0]
    assert sweeps == 0 or found[0][0][0] >= 3
    numpy.testing.assert_allclose(found[1][1], found[0][1], rtol=1e-5, atol=1e-9)


def test_flags_of_the_model_can_be_set(model):
    data = mujoco.MjData(model)
    model.flg_gravcomp = True
    model.body_gravcomp[:] = 1
    mujoco.mj_forward(model, data)
    assert model.ngravcomp == 1 and abs(data.qfrc_gravcomp).max() > 1
    model.flg_gravcomp = False
    mujoco.mj_forward(model, data)
    assert model.ngravcomp == 0 and abs(data.qfrc_gravcomp).max() == 0


def test_the_last_xml_is_saved_with_the_numbers_of_the_model(tmp_path):
    path = tmp_path / "arm.xml"
    path.write_text("<mujoco><default><geom size='0.1'/></default><worldbody><body name='b'><joint name='j'/><geom/></body></worldbody></mujoco>")
    model = mujoco.MjModel.from_xml_path(str(path))
    model.body_mass[1] = 7
    mujoco.mj_saveLastXML(str(tmp_path / "saved.xml"), model)
    assert reference.MjModel.from_xml_path(str(tmp_path / "saved.xml")).body("b").mass[0] == 7
    assert "<default>" in (tmp_path / "saved.xml").read_text()
    other = mujoco.MjSpec.from_string(TWO_BOXES).compile()
    with pytest.raises(mujoco.FatalError):
        mujoco.mj_saveLastXML(str(tmp_path / "other.xml"), other)
    assert not (tmp_path / "other.xml").exists()


def test_textures_are_arrays_of_the_model():
    model = mujoco.MjModel.from_xml_string("""<mujoco><asset>
        <texture name="a" type="2d" builtin="checker" rgb1="1 0 0" rgb2="0 0 1" width="4" height="2"/>
        <texture name="b" type="2d" builtin="flat" rgb1="0 1 0" width="2" height="3"/></asset></mujoco>""")
    texture = model.texture("b")
    assert texture.data.shape == (3, 2, 3) and (texture.data == [0, 255, 0]).all()
    assert texture.adr[0] == 4 * 2 * 3 and numpy.shares_memory(texture.adr, model.tex_adr)
    pixels, _ = mujoco.mj_loadTexture(model, 0)
    assert pixels.shape == (2, 4, 3) and not numpy.shares_memory(pixels, model.tex_data)
    with pytest.raises(ValueError, match="out of range"):
        mujoco.mj_loadTexture(model, 2)


def test_rays_hit_skins_where_mujocos_do():
    random = numpy.random.default_rng(5)
    hits = 0
    for _ in range(50):
        face, vert = random.integers(0, 6, (8, 3)).astype(numpy.int32), random.normal(size=(6, 3)).astype(numpy.float32)
        pnt, vec = random.normal(size=3), random.normal(size=3)
        ids = numpy.array([-1], numpy.int32), numpy.array([-1], numpy.int32)
        ours = mujoco.mju_raySkin(8, 6, face, vert, pnt, vec, ids[0])
        theirs = reference.mju_raySkin(8, 6, face, vert, pnt, vec, ids[1])
        assert abs(ours - theirs) < 1e-6 and ids[0] == ids[1]
        hits += theirs >= 0
    assert hits > 5


def test_rows_of_equalities_of_mujoco_3_can_be_assigned():
    model = mujoco.MjModel.from_xml_string(TWO_BOXES.replace("</mujoco>", "<equality><weld body1='world'/></equality></mujoco>").replace(
        "<body pos=\"1", "<body name='c' pos=\"1").replace("body1='world'", "body1='c'"))
    model.eq_data[0] = numpy.arange(1, 12)
    assert model.eq_data.shape == (1, 12) and model.eq_data[0].tolist() == [*range(1, 12), 0]
    model.eq_data[:] = numpy.ones((1, 12))
    assert model.eq_data.sum() == 12
    with pytest.raises(ValueError):
        model.eq_data[0] = numpy.zeros(10)


def test_a_rollout_leaves_the_last_inputs_and_readings_in_the_data(model):
    data = mujoco.MjData(model)
    state = numpy.zeros(mujoco.mj_stateSize(model, mujoco.mjtState.mjSTATE_FULLPHYSICS))
    mujoco.mj_getState(model, data, state, mujoco.mjtState.mjSTATE_FULLPHYSICS)
    control = numpy.random.default_rng(1).normal(size=(2, 5, model.nu))
    states, readings = mujoco.rollout.rollout(model, data, state, control)
    assert data.ctrl.tolist() == control[-1, -1].tolist() and data.sensordata.tolist() == readings[-1, -1].tolist()
    assert data.time == states[-1, -1, 0]


def test_least_squares_takes_mujocos_iterates():
    def residual(x):
        return numpy.stack([1 - x[0], 10 * (x[1] - x[0] ** 2)])

    traces = []
    for module in (mujoco.minimize, importlib.import_module("mujoco.minimize")):
        traces.append(module.least_squares(numpy.array([-1.2, 1.0]), residual, verbose=module.Verbosity.SILENT)[1])
    assert len(traces[0]) == len(traces[1]) == 13
    for ours, theirs in zip(*traces):
        numpy.testing.assert_allclose(ours.candidate, theirs.candidate, atol=1e-6)


def test_simulations_with_another_structure_fail():
    model = mujoco.MjModel.from_xml_string(TWO_BOXES)
    batch = mujoco.batch.Batch(model, nsim=4, nthread=1)
    kinds = batch.expand("geom_type")
    assert batch.expanded("body_parentid") is None and batch.expanded("geom_type").shape == (4, 3)
    kinds[2, 1] = 99
    with pytest.raises(mujoco.batch.SimulationError, match="geom_type") as error:
        batch.step()
    assert error.value.ids.tolist() == [2] and batch.time.tolist() == [0.002, 0.002, 0, 0.002]
    kinds[:] = model.geom_type
    batch.step()
    with pytest.raises(ValueError, match="asset"):
        batch.expand("mesh_vertadr")
