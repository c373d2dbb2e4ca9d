"""torsor.Model: its arrays are MuJoCo's in name, shape and type, and it is loaded, saved, copied and edited safely."""

import copy
import gc
import pathlib
import pickle

import mujoco
import numpy as np
import pytest

import torsor
from example_models import ARM, ZOO


FEATURES = pathlib.Path(__file__).parents[2] / "models" / "features"


@pytest.fixture
def judge():
    return mujoco.MjModel.from_xml_string(ZOO)


def model_arrays():
    return [row.name for row in torsor.fields("model") if row.shape]


def test_every_array_has_the_shape_and_type_that_mujoco_gives_it(zoo, judge):
    compared = 0
    for name in model_arrays():
        if not hasattr(judge, name):
            continue
        ours, theirs = getattr(zoo, name), getattr(judge, name)
        if isinstance(theirs, bytes):
            assert isinstance(ours, bytes), name
            continue
        assert ours.shape == theirs.shape, name
        assert ours.dtype == theirs.dtype, name
        compared += 1
    assert compared > 200


def test_arrays_of_one_number_per_row_stay_matrices_where_the_list_says_so():
    model = torsor.Model.from_xml_string(
        "<mujoco><worldbody><body><joint/><geom size='1'/></body></worldbody><keyframe><key/></keyframe></mujoco>")
    assert model.key_qpos.shape == (1, 1)
    assert model.body_user.shape == (2, 0)
    assert model.qpos0.shape == (1,)


def test_every_size_is_an_attribute_that_mujoco_agrees_with(zoo, judge):
    sizes = [row.name for row in torsor.fields("model") if not row.shape]
    assert len(sizes) > 50
    for name in sizes:
        assert isinstance(getattr(zoo, name), int)
        # how names, hulls and triangles are stored is each engine's own affair
        if name not in ("nnames", "npaths", "flg_actbody", "flg_actjoint") and "hull" not in name and not name.startswith("nmeshtr"):
            assert getattr(zoo, name) == getattr(judge, name), name


def test_structural_arrays_are_read_only_and_others_writable(zoo):
    for row in torsor.fields("model"):
        if not row.shape or row.dtype == "bytes":
            continue
        view = getattr(zoo, row.name)
        assert view.flags.writeable == (row.access != "structural" or view.size == 0), row.name  # writing nothing is no error
    with pytest.raises(ValueError, match="read-only"):
        zoo.body_parentid[1] = 0
    with pytest.raises(ValueError):
        zoo.body_parentid.flags.writeable = True
    with pytest.raises(AttributeError):
        zoo.body_parentid = 0
    with pytest.raises(AttributeError):
        zoo.nq = 3


def test_an_array_is_one_view_of_the_memory_of_its_model(zoo):
    zoo.body_mass[1] = 3.5
    assert zoo.body_mass[1] == 3.5
    assert zoo.body_mass is zoo.body_mass
    assert not zoo.body_mass.flags.owndata


def test_assigning_an_attribute_copies_into_the_array(zoo):
    view = zoo.body_mass
    zoo.body_mass = np.arange(zoo.nbody)
    assert view.tolist() == list(range(zoo.nbody))
    zoo.body_mass *= 2
    assert view[2] == 4
    with pytest.raises(ValueError, match="broadcast"):
        zoo.body_mass = [1, 2]
    with pytest.raises(ValueError):
        zoo.body_mass = "heavy"


def test_a_view_outlives_its_model():
    view = torsor.Model.from_xml_string(ARM).body_mass
    gravity = torsor.Model.from_xml_string(ARM).opt.gravity
    body = torsor.Model.from_xml_string(ARM).body("lower")
    gc.collect()
    assert view.sum() == pytest.approx(1.5)
    assert gravity[2] == -9.81
    assert body.mass[0] == pytest.approx(0.5)


def test_options_are_writable(model):
    model.opt.timestep = 0.01
    model.opt.integrator = torsor.Integrator.IMPLICIT
    model.opt.disableflags |= torsor.DisableFlag.GRAVITY
    model.opt.gravity[0] = 2
    model.opt.wind = [1, 2, 3]
    assert (model.opt.timestep, model.opt.integrator, model.opt.disableflags) == (0.01, 2, 1 << 7)
    assert model.opt.gravity.tolist() == [2, 0, -9.81]
    assert model.opt.wind.tolist() == [1, 2, 3]
    data = torsor.Data(model)
    torsor.step(model, data)
    assert data.time == 0.01


def test_bad_options_are_refused(model):
    with pytest.raises(ValueError, match="integrator must be from 0 to 4, got 77"):
        model.opt.integrator = 77
    with pytest.raises(ValueError, match="broadcast"):
        model.opt.gravity = [1, 2]
    with pytest.raises(TypeError):
        model.opt.timestep = "soon"
    with pytest.raises(AttributeError):
        model.opt.timestpe = 1


def settings(block):
    values = {}
    for name in dir(block):
        value = getattr(block, name)
        if not name.startswith("_") and isinstance(value, (bool, int, float, np.ndarray)):
            values[name] = np.array(value)
    return values


@pytest.mark.parametrize("block", ["opt", "stat", "vis.global_", "vis.quality", "vis.headlight", "vis.map", "vis.scale",
                                   "vis.rgba"])
def test_settings_have_mujocos_names_and_values(zoo, judge, block):
    ours, theirs = zoo, judge
    for part in block.split("."):
        ours, theirs = getattr(ours, part), getattr(theirs, part)
    ours, theirs = settings(ours), settings(theirs)
    extensions = {name for name in ours if name.startswith("sap_")} | {"frictionmix"} & ours.keys()
    assert ours.keys() - extensions == theirs.keys() and len(ours) > 0
    for name in theirs:
        if theirs[name].size:  # the wheel shows no numbers for two of the colours
            assert ours[name] == pytest.approx(theirs[name], rel=1e-6), name


def test_visual_settings_are_writable(model):
    model.vis.global_.fovy = 60
    model.vis.rgba.fog[0] = 0.5
    model.vis.headlight.ambient = 0.25
    assert model.vis.global_.fovy == 60
    assert model.vis.rgba.fog[0] == 0.5
    assert model.vis.headlight.ambient.tolist() == [0.25, 0.25, 0.25]


def assert_equal_models(a, b):
    assert a.to_bytes() == b.to_bytes()
    assert a.signature == b.signature


@pytest.mark.parametrize("duplicate", [copy.copy, copy.deepcopy, lambda m: pickle.loads(pickle.dumps(m)),
                                       lambda m: torsor.Model.from_bytes(m.to_bytes())])
def test_copies_are_equal_and_independent(zoo, duplicate):
    zoo.opt.timestep = 0.007
    twin = duplicate(zoo)
    assert_equal_models(twin, zoo)
    assert twin.name == "zoo" and twin.body("arm").id == zoo.body("arm").id
    twin.body_mass[1] = 77
    assert zoo.body_mass[1] != 77


def test_a_binary_file_comes_back_the_same(zoo, tmp_path):
    zoo.save_binary(tmp_path / "zoo.torsor")
    zoo.save_binary(str(tmp_path / "again.torsor"))
    assert_equal_models(torsor.Model.from_binary_path(tmp_path / "zoo.torsor"), zoo)
    assert (tmp_path / "again.torsor").read_bytes() == zoo.to_bytes()


@pytest.mark.parametrize("path", sorted(FEATURES.glob("*.xml")), ids=lambda path: path.stem)
def test_every_feature_survives_a_binary_file(path):
    model = torsor.Model.from_xml_path(path)
    twin = torsor.Model.from_bytes(model.to_bytes())
    assert_equal_models(twin, model)
    assert torsor.step(twin, torsor.Data(twin)) == torsor.Status.OK


def test_damaged_and_foreign_binaries_are_errors(zoo, tmp_path):
    good = zoo.to_bytes()
    for bad in (b"", b"<mujoco/>", good[:-1], good + b"x", good[:100] + b"?" + good[101:]):
        with pytest.raises(torsor.Error):
            torsor.Model.from_bytes(bad)
        (tmp_path / "bad.torsor").write_bytes(bad)
        with pytest.raises(torsor.Error, match="bad.torsor"):
            torsor.Model.from_binary_path(tmp_path / "bad.torsor")
    with pytest.raises(torsor.Error, match="No such file"):
        torsor.Model.from_binary_path(tmp_path / "none.torsor")


def test_a_loaded_binary_moves_as_the_model_it_came_from(zoo):
    twin = torsor.Model.from_bytes(zoo.to_bytes())
    first, second = torsor.Data(zoo), torsor.Data(twin)
    torsor.step(zoo, first, nstep=20)
    torsor.step(twin, second, nstep=20)
    assert first.qpos.tobytes() == second.qpos.tobytes()


def test_files_and_assets_are_found(tmp_path):
    obj = b"v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n"
    xml = """<mujoco><asset><mesh name="m" file="part.obj"/></asset>
             <worldbody><body><freejoint/><geom type="mesh" mesh="m"/></body></worldbody></mujoco>"""
    assert torsor.Model.from_xml_string(xml, assets={"part.obj": obj}).nmeshvert == 4
    (tmp_path / "model.xml").write_text(xml)
    (tmp_path / "part.obj").write_bytes(obj)
    assert torsor.Model.from_xml_path(tmp_path / "model.xml").nmeshvert == 4
    with pytest.raises(TypeError, match="assets"):
        torsor.Model.from_xml_string(xml, assets={"part.obj": 3})


def test_a_model_from_a_string_reads_only_from_folders_that_are_given(tmp_path):
    obj = b"v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n"
    (tmp_path / "part.obj").write_bytes(obj)
    xml = f"""<mujoco><asset><mesh name="m" file="{tmp_path}/part.obj"/></asset>
              <worldbody><geom type="mesh" mesh="m"/></worldbody></mujoco>"""
    for load in (torsor.Model.from_xml_string, lambda *args, **kwargs: torsor.Spec.from_xml_string(*args, **kwargs).compile()):
        with pytest.raises(torsor.Error, match="may not be read"):
            load(xml)
        assert load(xml, restrict=[tmp_path]).nmesh == 1
    (tmp_path / "model.xml").write_text(xml)
    for load in (torsor.Model.from_xml_path, lambda *args, **kwargs: torsor.Spec.from_xml_path(*args, **kwargs).compile()):
        assert load(tmp_path / "model.xml").nmesh == 1
        with pytest.raises(torsor.Error, match="may not be read"):
            load(tmp_path / "model.xml", restrict=[str(tmp_path / "other")])


def test_a_model_takes_no_more_memory_than_it_may():
    xml = "<mujoco><worldbody><replicate count='1000'><geom size='1'/></replicate></worldbody></mujoco>"
    with pytest.raises(torsor.Error, match="memory_limit"):
        torsor.Model.from_xml_string(xml, memory_limit=10**6)
    assert torsor.Model.from_xml_string(xml, memory_limit=10**9).ngeom == 1000
    with pytest.raises(torsor.Error, match="memory_limit"):
        torsor.Model.from_xml_string(xml, memory_limit=0)


def test_an_error_that_quotes_bytes_is_an_error():
    xml = "<mujoco><asset><mesh name='m' file='m.obj'/></asset></mujoco>"
    with pytest.raises(torsor.Error, match="m.obj"):
        torsor.Model.from_xml_string(xml, assets={"m.obj": b"f \xff\xfe 1\n"})


def test_sections_can_be_ignored_with_a_warning():
    xml = "<mujoco><worldbody/><extension/></mujoco>"
    with pytest.raises(torsor.Error, match="extension"):
        torsor.Model.from_xml_string(xml)
    for ignore in ("extension", ["extension"], ("extension",)):
        model = torsor.Model.from_xml_string(xml, ignore=ignore)
        assert [warning.severity for warning in model.warnings] == ["warning"]
        assert "extension" in model.warnings[0].message


def test_errors_carry_their_places_and_hints():
    with pytest.raises(torsor.Error) as caught:
        torsor.Model.from_xml_string(
            "<mujoco>\n <worldbody>\n  <geom masss='1' size='1'/>\n  <gaom/>\n </worldbody>\n</mujoco>")
    first, second = caught.value.diagnostics
    assert (first.line, first.severity) == (3, "error")
    assert "masss" in first.message and "mass" in first.hint and first.column > 0
    assert (second.line, "geom" in second.hint) == (4, True)
    assert str(first) in str(caught.value)
    assert isinstance(caught.value, ValueError)


def test_names_and_ids_lead_to_each_other(zoo):
    body = torsor.ObjectType.BODY
    assert zoo.name2id(body, "arm") == 2
    assert zoo.id2name(body, 2) == "arm"
    assert zoo.name2id(body, "nobody") == -1
    with pytest.raises(IndexError, match="object 99 does not exist"):
        zoo.id2name(body, 99)
    with pytest.raises(ValueError, match="ObjectType"):
        zoo.id2name(1234, 0)


def test_a_model_cannot_be_made_from_nothing():
    with pytest.raises(TypeError):
        torsor.Model()


INPUTS = ("pressure", "none", "pos", "vel", "ff", "voltage", "pos vel", "pos voltage", "expmap", "quat")
GAINS = {"dcmotor": ("hinge", 'motorconst="1 1" resistance="1"'), "orientation": ("ball", 'kp="1"'), "pid": ("hinge", 'kp="1"'),
         "general": ("hinge", 'gaintype="affine"'), "general ": ("hinge", 'gaintype="muscle"')}


# MuJoCo also takes words of the other kind where their numbers coincide: pos for expmap, quat for vel
def is_of_its_kind(element, inputs):
    return inputs not in (("pos", "vel") if element == "orientation" else ("expmap", "quat"))


@pytest.mark.parametrize("element, inputs", [(each, inputs) for each in GAINS for inputs in INPUTS if is_of_its_kind(each, inputs)])
def test_inputs_fit_a_gain_as_in_mujoco_and_survive_a_binary_file(element, inputs):
    joint, values = GAINS[element]
    text = f"""<mujoco><worldbody><body><joint name="j" type="{joint}"/><geom size=".1"/></body></worldbody>
        <actuator><{element.strip()} joint="j" input="{inputs}" {values}/></actuator></mujoco>"""
    try:
        judge = mujoco.MjModel.from_xml_string(text)
    except ValueError:
        with pytest.raises(torsor.Error):
            torsor.Model.from_xml_string(text)
        return
    model = torsor.Model.from_bytes(torsor.Model.from_xml_string(text).to_bytes())
    assert (model.actuator_ctrlspec[0], model.actuator_ctrlnum[0]) == (judge.actuator_ctrlspec[0], judge.actuator_ctrlnum[0])
