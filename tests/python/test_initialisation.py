"""Every way to a Model gives the same model, and every wrong one is an error that says why."""

import copy
import pickle

import pytest

import torsor

XML = """
<mujoco model="cup">
  <asset><mesh name="cup" file="cup.obj"/></asset>
  <worldbody><body><freejoint/><geom type="mesh" mesh="cup" density="500"/></body></worldbody>
</mujoco>"""
OBJ = b"v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n"


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "cup.xml").write_text(XML)
    (tmp_path / "cup.obj").write_bytes(OBJ)
    return tmp_path


def every_way(folder):
    """{name: model} by every way there is."""
    model = torsor.Model.from_xml_path(folder / "cup.xml")
    model.save_binary(folder / "cup.torsor")
    (folder / "elsewhere").mkdir()
    (folder / "elsewhere" / "cup.xml").write_text(XML)
    return {
        "file": model,
        "string and files in memory": torsor.Model.from_xml_string(XML, assets={"cup.obj": OBJ}),
        "file on disk, its mesh in memory": torsor.Model.from_xml_path(folder / "elsewhere" / "cup.xml",
                                                                       assets={"cup.obj": OBJ}),
        "binary on disk": torsor.Model.from_binary_path(folder / "cup.torsor"),
        "binary in memory": torsor.Model.from_bytes((folder / "cup.torsor").read_bytes()),
        "copy": copy.copy(model),
        "deep copy": copy.deepcopy(model),
        "pickle": pickle.loads(pickle.dumps(model)),
        "spec": torsor.Spec.from_xml_path(folder / "cup.xml").compile(),
    }


def test_every_way_to_a_model_gives_the_same_one(folder):
    models = every_way(folder)
    for name, model in models.items():
        assert models["file"].diff(model) == [], name
        assert model.to_bytes() == models["file"].to_bytes(), name
        assert model.signature == models["file"].signature


def test_memory_is_looked_at_before_the_disk(folder):
    larger = OBJ.replace(b"1", b"2").replace(b"f 2 3 2", b"f 1 3 2").replace(b"f 2 2 4", b"f 1 2 4").replace(
        b"f 2 4 3", b"f 1 4 3")
    from_disk = torsor.Model.from_xml_path(folder / "cup.xml")
    from_memory = torsor.Model.from_xml_path(folder / "cup.xml", assets={"cup.obj": larger})
    assert from_memory.body_mass[1] == pytest.approx(8 * from_disk.body_mass[1])


def test_a_copy_is_a_model_of_its_own(folder):
    model = torsor.Model.from_xml_path(folder / "cup.xml")
    twin = copy.copy(model)
    twin.body_mass[1] *= 2
    assert [difference.name for difference in model.diff(twin)] == ["body_mass"]


def test_a_data_is_made_fresh_or_copied(folder):
    model = torsor.Model.from_xml_path(folder / "cup.xml")
    data = torsor.Data(model)
    torsor.step(model, data, nstep=3)
    twin = copy.copy(data)
    torsor.step(model, data)
    assert twin.time == pytest.approx(3 * model.opt.timestep) and torsor.Data(model).time == 0


def test_a_binary_of_another_version_is_refused_by_its_version(folder):
    good = torsor.Model.from_xml_path(folder / "cup.xml").to_bytes()
    messages = []
    for place in range(32):
        other = bytearray(good)
        other[place] = (other[place] + 1) % 256
        with pytest.raises(torsor.Error) as error:
            torsor.Model.from_bytes(bytes(other))
        messages.append(str(error.value))
    assert any("has format version" in message and "reads version" in message for message in messages)


def test_the_version_is_three_numbers():
    assert torsor.__version__ == torsor.version and [int(part) for part in torsor.version.split(".")][2] >= 0


@pytest.mark.parametrize("load", [
    lambda: torsor.Model.from_xml_path("none.xml"), lambda: torsor.Model.from_binary_path("none.torsor"),
    lambda: torsor.Model.from_xml_string("<mujoco"), lambda: torsor.Model.from_xml_string(XML),
    lambda: torsor.Model.from_bytes(b"nothing")])
def test_a_failure_is_an_error_and_the_program_goes_on(load, model, data):
    with pytest.raises(torsor.Error) as error:
        load()
    assert str(error.value) and error.value.diagnostics
    assert torsor.step(model, data) == torsor.Status.OK


@pytest.mark.parametrize("bad", [None, 3, "robot.xml", object()])
def test_what_is_no_model_and_no_data_is_a_type_error(model, data, bad):
    for call in (lambda: torsor.Data(bad), lambda: torsor.step(bad, data), lambda: torsor.step(model, bad),
                 lambda: torsor.forward(bad, bad), lambda: torsor.get_state(model, bad)):
        with pytest.raises(TypeError):
            call()
