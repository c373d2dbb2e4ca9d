"""torsor.Batch on a device: the same steps, arrays for other libraries, bad arguments.

Most tests run the kernels on the processor (device "host"). Those marked gpu need a card; scripts/test_gpu takes them.
"""

import gc
import re
import subprocess
import sys
import weakref

import numpy as np
import pytest

import page_blocks
import torsor
from torsor import _core
from torsor._device_array import DeviceArray

NWORLD = 7
SCENE = """<mujoco><worldbody><geom type="plane" size="3 3 1"/>
  <body pos="0 0 0.3"><freejoint/><geom type="sphere" size="0.1"/></body>
  <body pos="1 0 0.5"><joint name="hip" axis="0 1 0"/><geom type="capsule" fromto="0 0 0 0.3 0 0" size="0.03"/>
    <body pos="0.3 0 0"><joint axis="0 1 0" damping="0.1"/><geom size="0.05" pos="0.1 0 0"/></body></body></worldbody>
  <actuator><motor joint="hip"/></actuator>
  <sensor><jointpos joint="hip"/></sensor>
  <keyframe><key name="low" qpos="0 0 0.2 1 0 0 0 0.3 0.4"/><key qpos="0 0 5 1 0 0 0 0 0"/></keyframe>
</mujoco>"""


@pytest.fixture
def scene():
    return torsor.Model.from_xml_string(SCENE)


@pytest.fixture
def batch(scene):
    return torsor.Batch(scene, NWORLD, device="host")


def raw(batch, field):
    """The array of a field as it is on a card, with the protocols of other libraries."""
    return DeviceArray(batch._core.bind(field), field)


# --- the same batch, elsewhere ---------------------------------------------------------------------------------------


def test_a_batch_on_a_device_is_made_by_the_argument(scene):
    batch = torsor.Batch(scene, 3, device="host")
    assert type(batch) is torsor.DeviceBatch and (batch.nworld, batch.dtype, batch.device) == (3, np.float32, "host")
    assert torsor.Batch(scene, 3, "float64", device="host").dtype == np.float64
    assert type(torsor.Batch(scene, 3, device="cpu")) is torsor.Batch and torsor.Batch(scene, 3).dtype == np.float64
    assert batch.model is scene and batch.bytes_per_world > 0
    assert repr(batch) == "<DeviceBatch of 'MuJoCo Model': nworld 3, float32 on host>"


@pytest.mark.parametrize("dtype, exactness", [("float64", 1e-9), ("float32", 2e-3)])
def test_steps_are_those_of_a_batch_on_the_processor(scene, dtype, exactness):
    batch, twin = torsor.Batch(scene, NWORLD, dtype, device="host"), torsor.Batch(scene, NWORLD)
    velocities = np.random.default_rng(2).normal(size=(NWORLD, scene.nv))
    for each in (batch, twin):
        each.set("qvel", velocities)
        each.ctrl = 0.3
        each.step(40)
    assert batch.get("qpos") == pytest.approx(twin.get("qpos"), abs=exactness)
    assert batch.get("qpos").dtype == dtype and abs(twin.get("qpos")[:, 7] - scene.qpos0[7]).min() > 0.01
    assert np.asarray(batch.steps).tolist() == [40] * NWORLD and not batch.diverged.any() and batch.resets == 0


def test_controls_are_copied_before_the_steps(scene, batch):
    controls = np.linspace(-1, 1, NWORLD)[:, None]
    twin = torsor.Batch(scene, NWORLD, device="host")
    batch.step(10, ctrl=controls)
    twin.ctrl = controls
    twin.step(10)
    assert np.array_equal(batch.get("qpos"), twin.get("qpos")) and batch.get("qpos")[0, 7] != batch.get("qpos")[6, 7]


def test_long_calls_take_all_their_steps(scene, batch):
    batch.step(1)
    batch.step(1000)
    assert np.asarray(batch.steps).tolist() == [1001] * NWORLD
    assert batch.get("time")[0] == pytest.approx(1001 * scene.opt.timestep, rel=1e-4)


def test_bound_arrays_are_live_and_always_the_same(batch):
    qpos, xpos = batch.bind("qpos"), batch.bind("xpos")
    assert qpos is batch.bind("qpos") and batch.qpos is qpos and xpos.shape == (NWORLD, batch.model.nbody, 3)
    assert not xpos.any()
    qpos[3, 2] = 1.5
    batch.forward()
    assert xpos[3, 1, 2] == pytest.approx(1.5) and np.array_equal(batch.get("qpos"), qpos)
    batch.qvel = 0.25
    assert (batch.get("qvel") == 0.25).all()


def test_worlds_are_reset_by_mask_numbers_and_keyframe(batch, scene):
    batch.step(20)
    batch.reset(np.arange(NWORLD) < 2)
    batch.reset([3, 5], "low")
    assert (np.asarray(batch.get("time")) == 0).tolist() == [True, True, False, True, False, True, False]
    assert batch.get("qpos")[3] == pytest.approx(scene.key_qpos[0]) and batch.get("qpos")[0] == pytest.approx(scene.qpos0)
    batch.reset(key=1)
    assert (batch.get("qpos")[:, 2] == 5).all()
    batch.step()
    batch.reset([])
    assert (batch.get("time") > 0).all()
    batch.reset()
    assert not batch.get("time").any()


# --- arrays for other libraries --------------------------------------------------------------------------------------


def test_capsules_refer_to_the_memory_and_keep_it(scene):
    batch = torsor.Batch(scene, NWORLD, device="host")
    alive = weakref.ref(batch)
    shared = np.from_dlpack(raw(batch, "qpos"))
    assert np.shares_memory(shared, batch.qpos)
    del batch
    gc.collect()
    assert alive() is None
    shared[:] = 3                                    # the engine's batch is still there
    assert (shared == 3).all()


@pytest.mark.parametrize("max_version, name", [(None, "dltensor"), ((0, 8), "dltensor"), ((1, 0), "dltensor_versioned"),
                                               ((1, 3), "dltensor_versioned"), ((2, 0), "dltensor_versioned")])
def test_capsules_are_of_the_version_that_is_asked_for(batch, max_version, name):
    capsule = raw(batch, "qpos").__dlpack__(max_version=max_version)
    assert f'"{name}"' in repr(capsule)


def test_a_capsule_that_nobody_takes_is_freed(scene):
    batch = torsor.Batch(scene, NWORLD, device="host")
    core = batch._core
    before = sys.getrefcount(core)
    capsules = [raw(batch, "qpos").__dlpack__(max_version=version) for version in (None, (1, 0))]
    assert sys.getrefcount(core) > before
    del capsules
    assert sys.getrefcount(core) == before


def test_an_array_describes_itself(batch):
    array = raw(batch, "xpos")
    assert (array.shape, array.ndim, array.size, len(array)) == ((NWORLD, 4, 3), 3, 12 * NWORLD, NWORLD)
    assert array.dtype == np.float32 and array.__dlpack_device__() == (1, 0)
    assert repr(array) == f"<DeviceArray of shape ({NWORLD}, 4, 3), float32 on host>"
    assert not hasattr(array, "__cuda_array_interface__")                   # that is memory of a card
    with pytest.raises(BufferError, match="copy=True"):
        array.__dlpack__(copy=True)
    with pytest.raises(ValueError, match="by a copy only"):
        np.array(array, copy=False)
    assert raw(batch, "act").numpy().shape == (NWORLD, 0) == np.from_dlpack(raw(batch, "act")).shape


def test_whole_arrays_are_written_and_read(batch):
    array = raw(batch, "qvel")
    array[:] = 0.5
    array[...] = np.arange(array.shape[1])
    assert (batch.get("qvel") == np.arange(array.shape[1])).all() and (array.numpy() == np.asarray(array)).all()
    copy = array.numpy()
    copy[:] = 9
    assert array.numpy().max() < 9                   # a copy is one
    array.copy_from(np.full(array.shape, 2.0))       # float64 becomes float32, as in NumPy
    assert (array.numpy() == 2).all()


@pytest.mark.parametrize("values, complaint", [
    (np.zeros((2, 2)), r"qvel: expected shape \(7, 8\), got \(2, 2\)"),
    (np.zeros((NWORLD, 8), complex), "qvel: expected dtype float32, got complex128"),
    (["a"], "qvel: expected dtype float32, got <U1"),
])
def test_values_that_do_not_fit_change_nothing(batch, values, complaint):
    array = raw(batch, "qvel")
    array[:] = 1
    with pytest.raises(torsor.Error, match=complaint):
        array[:] = values
    assert (array.numpy() == 1).all()
    with pytest.raises(IndexError, match="assigned at once"):
        array[0] = 5


def test_capsules_of_other_libraries_are_checked_before_they_are_copied(batch):
    array = raw(batch, "qvel")
    copy = array._core.copy_capsule
    for values, complaint in [(np.ones((2, 8), np.float32), r"qvel: expected shape \(7, 8\), got \(2, 8\)"),
                              (np.ones((NWORLD, 8)), "qvel: expected dtype <f4, got <f8"),
                              (np.ones((NWORLD, 8), np.int32), "qvel: expected dtype <f4, got <i4"),
                              (np.ones((8, NWORLD), np.float32).T, "qvel: the array is not contiguous")]:
        with pytest.raises(torsor.Error, match=complaint):
            copy("qvel", values.__dlpack__(), 0)
    assert not array.numpy().any()
    copy("qvel", np.full((NWORLD, 8), 4, np.float32).__dlpack__(), 0)
    assert (array.numpy() == 4).all()


def test_attributes_say_what_an_array_on_a_card_refuses(batch):
    batch._bound["qvel"] = raw(batch, "qvel")
    with pytest.raises(torsor.Error, match="qvel: expected dtype float32, got complex128"):
        batch.qvel = np.zeros((NWORLD, 8), complex)
    batch.qvel = 2
    assert (batch.get("qvel") == 2).all()


class OnCard:
    """An array that says that it is on a card."""

    def __init__(self, array, device=(2, 0), strides=None):
        self.array, self.device = array, device
        self.__cuda_array_interface__ = {"shape": array.shape, "typestr": array.dtype.str, "strides": strides, "version": 3,
                                         "data": (array.__array_interface__["data"][0], False)}


class OnCardWithDlpack(OnCard):
    def __dlpack_device__(self):
        return self.device

    def __dlpack__(self, **options):
        raise AssertionError("nobody should ask for memory of another device")


def test_values_on_another_device_are_refused(batch):
    array = raw(batch, "qvel")
    values = np.ones(array.shape, np.float32)
    with pytest.raises(torsor.Error, match="qvel: the values are on cuda:3, the array is on host"):
        array[:] = OnCardWithDlpack(values, (2, 3))
    for other, complaint in [(OnCard(values), "qvel: the values are on no card, the array is on host"),
                             (OnCard(values[:2]), r"expected shape \(7, 8\), got \(2, 8\)"),
                             (OnCard(values.astype(float)), "expected dtype float32, got float64"),
                             (OnCard(values, strides=(4, 28)), "not contiguous")]:
        with pytest.raises(torsor.Error, match=complaint):
            array[:] = other
    assert not array.numpy().any()


# --- the page for users ----------------------------------------------------------------------------------------------


def run_page(folder, monkeypatch, device):
    """Runs the Python of docs/gpu.md; on the processor, all but the blocks for PyTorch."""
    (folder / "arm.xml").write_text(page_blocks.blocks_of("docs/start.md", "xml")[0].code)
    monkeypatch.chdir(folder)
    names, ran = {}, 0
    for block in page_blocks.blocks_of("docs/gpu.md", "python"):
        if device == "cuda" or not re.search(r"torch|ctrl", block.code):
            exec(block.code.replace('device="cuda"', f'device="{device}"'), names)
            ran += 1
    return names, ran


def test_the_page_on_gpus_runs(tmp_path, monkeypatch, capsys):
    names, ran = run_page(tmp_path, monkeypatch, "host")
    assert ran == 4 and names["batch"].nworld == 4096 and "120 False 0" in capsys.readouterr().out


@pytest.mark.gpu
def test_the_page_on_gpus_runs_on_a_card(tmp_path, monkeypatch):
    names, ran = run_page(tmp_path, monkeypatch, "cuda")
    assert ran == 6 and np.asarray(names["batch"].steps).tolist() == [225] * 4096


# --- bad arguments ---------------------------------------------------------------------------------------------------


def test_names_that_are_not_there_get_the_nearest_ones(batch):
    for call in (batch.bind, batch.get, lambda name: batch.set(name, 0)):
        with pytest.raises(torsor.Error, match="'qposs' is not a field of Data; did you mean 'qpos'"):
            call("qposs")
    with pytest.raises(torsor.Error, match=r"use expand\('body_mass'\)"):
        batch.bind("body_mass")
    with pytest.raises(torsor.Error, match="did you mean 'body_mass'"):
        batch.expand("body_masss")
    with pytest.raises(AttributeError, match="no attribute 'seeds', which batches on the processor have"):
        batch.seeds
    with pytest.raises(AttributeError, match="did you mean 'qpos'"):
        batch.qposs
    with pytest.raises(AttributeError, match="'xpos' is a result"):
        batch.xpos = 1
    assert "qpos" in dir(batch) and "bytes_per_world" in dir(batch)


def test_bad_arguments_are_named(batch, scene):
    for call, kind, complaint in [
        (lambda: batch.step(-1), ValueError, "n must not be negative"),
        (lambda: batch.step("x"), TypeError, "n: expected a whole number"),
        (lambda: batch.step(stream="fast"), TypeError, "stream: expected a CUDA stream"),
        (lambda: batch.step(ctrl=np.zeros((3, 3))), ValueError, r"ctrl: expected shape \(7, 1\)"),
        (lambda: batch.reset(np.ones(3, bool)), ValueError, r"mask: expected shape \(7,\), got \(3,\)"),
        (lambda: batch.reset([8]), IndexError, "world 8 does not exist: the batch has 7"),
        (lambda: batch.reset(key=2), torsor.Error, "keyframe 2 does not exist: the model has 2"),
        (lambda: batch.reset(key=-2), torsor.Error, "keyframe -2 does not exist: the model has 2"),
        (lambda: torsor.Batch(scene, 3, device="gpu"), ValueError, "device must be 'cpu', 'cuda' or 'cuda:N', got 'gpu'"),
        (lambda: torsor.Batch(scene, 3, "float16", device="host"), ValueError, "float64' or 'float32"),
        (lambda: torsor.Batch(scene, 0, device="host"), torsor.Error, "world"),
        (lambda: torsor.Batch(SCENE, 3, device="host"), TypeError, "model: expected a torsor.Model"),
        (lambda: torsor.DeviceBatch(scene, 3, device="cpu"), ValueError, "is torsor.Batch"),
    ]:
        with pytest.raises(kind, match=complaint):
            call()
    assert not batch.get("time").any()


def test_streams_of_other_libraries_are_understood():
    from torsor._devices import stream_handle

    class Torch:
        cuda_stream = 17

    class Cupy:
        ptr = 18

    class Protocol:
        def __cuda_stream__(self):
            return 0, 19

    assert [stream_handle(each) for each in (None, 5, Torch(), Cupy(), Protocol())] == [0, 5, 17, 18, 19]


def test_what_a_device_lacks_is_listed():
    model = torsor.Model.from_xml_string("""<mujoco><option integrator="implicit"><flag speculative="enable"/></option><worldbody>
        <geom type="plane" size="1 1 1"/><body pos="0 0 1"><freejoint/><geom size="0.1"/></body></worldbody></mujoco>""")
    with pytest.raises(torsor.Error, match="(?s)speculative contacts.*the integrator implicit"):
        torsor.Batch(model, 2, device="host")


# --- machines without a card -----------------------------------------------------------------------------------------

def test_without_a_card_the_error_says_why(scene):
    why = _core._list_cards()[1]
    if torsor.devices():
        assert why == ""
        return
    assert why in ("this build of Torsor has no CUDA sources (TORSOR_CUDA is off)", "no NVIDIA driver is installed",
                   "the NVIDIA driver finds no card")
    for device in ("cuda", "cuda:1"):
        with pytest.raises(torsor.Error) as raised:
            torsor.Batch(scene, 4, device=device)
        assert str(raised.value) == f"there is no device '{'cuda:0' if device == 'cuda' else device}': {why}"


def test_importing_the_package_does_not_start_cuda():
    program = "import torsor; print([line for line in open('/proc/self/maps') if 'libcuda' in line])"
    run = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert run.stdout == "[]\n"


# --- on a card -------------------------------------------------------------------------------------------------------


@pytest.fixture
def on_card(scene):
    return torsor.Batch(scene, NWORLD, device="cuda")


@pytest.mark.gpu
def test_a_card_is_listed_and_a_number_beyond_is_refused(scene):
    cards = torsor.devices()
    assert cards[0].device == "cuda:0" and cards[0].compute_capability >= (7, 5)
    assert 0 < cards[0].free_bytes <= cards[0].total_bytes
    with pytest.raises(torsor.Error, match=f"there is no device 'cuda:99': this machine has {len(cards)}, 'cuda:0' "):
        torsor.Batch(scene, 3, device="cuda:99")


@pytest.mark.gpu
def test_too_many_worlds_are_refused_before_anything_is_taken(scene):
    free = torsor.devices()[0].free_bytes
    with pytest.raises(torsor.Error, match="world"):
        torsor.Batch(scene, 2**31 - 1, device="cuda")
    assert torsor.devices()[0].free_bytes > 0.9 * free


@pytest.mark.gpu
@pytest.mark.parametrize("dtype, exactness", [("float64", 1e-7), ("float32", 2e-3)])
def test_steps_on_a_card_are_those_of_the_processor(scene, dtype, exactness):
    batch, twin = torsor.Batch(scene, NWORLD, dtype, device="cuda"), torsor.Batch(scene, NWORLD)
    velocities = np.random.default_rng(2).normal(size=(NWORLD, scene.nv))
    for each in (batch, twin):
        each.set("qvel", velocities)
        each.set("ctrl", np.full((NWORLD, 1), 0.3))
        each.step(40)
    assert batch.get("qpos") == pytest.approx(twin.get("qpos"), abs=exactness)
    assert batch.steps.numpy().tolist() == [40] * NWORLD


@pytest.mark.gpu
def test_pytorch_uses_the_memory_of_the_batch(on_card):
    import torch  # noqa: PLC0415 on machines with a card only
    qvel, ctrl = torch.from_dlpack(on_card.bind("qvel")), torch.from_dlpack(on_card.bind("ctrl"))
    assert qvel.is_cuda and qvel.dtype == torch.float32
    assert qvel.data_ptr() == on_card.bind("qvel").__cuda_array_interface__["data"][0]
    qvel.fill_(0.5)
    ctrl.copy_(torch.linspace(-1, 1, NWORLD, device="cuda")[:, None])
    torch.cuda.synchronize()
    assert (on_card.get("qvel") == 0.5).all() and on_card.get("ctrl")[-1, 0] == 1
    on_card.step(5)
    assert torch.equal(qvel.cpu(), torch.from_numpy(on_card.get("qvel"))) and not (qvel == 0.5).all()
    del on_card
    gc.collect()
    assert torch.isfinite(qvel).all()                 # the tensor keeps the memory


@pytest.mark.gpu
def test_pytorch_masks_and_controls_need_no_copy_on_the_processor(on_card):
    import torch  # noqa: PLC0415 on machines with a card only
    on_card.step(3, ctrl=torch.ones(NWORLD, 1, device="cuda"))
    assert (on_card.get("ctrl") == 1).all()
    on_card.reset(torch.arange(NWORLD, device="cuda") < 2)
    assert ((on_card.get("time") == 0) == (np.arange(NWORLD) < 2)).all()
    for wrong, complaint in [(torch.ones(NWORLD, 1, dtype=torch.float64, device="cuda"), "dtype"),
                             (torch.ones(2, 1, device="cuda"), "shape"),
                             (torch.ones(NWORLD, 2, device="cuda")[:, :1], "contiguous")]:
        with pytest.raises(torsor.Error, match=complaint):
            on_card.step(ctrl=wrong)
    assert on_card.steps.numpy().max() == 3


@pytest.mark.gpu
def test_steps_follow_the_work_of_a_stream(on_card):
    import torch  # noqa: PLC0415 on machines with a card only
    stream = torch.cuda.Stream()
    qvel, large = torch.from_dlpack(on_card.bind("qvel")), torch.randn(4000, 4000, device="cuda")
    torch.cuda.synchronize()
    with torch.cuda.stream(stream):
        for _ in range(30):
            large = large @ large * 1e-3              # keeps the stream busy
        qvel.fill_(0.25)
        on_card.step(1, stream=stream)
    twin = torsor.Batch(on_card.model, NWORLD, device="cuda")
    twin.set("qvel", np.full((NWORLD, on_card.model.nv), 0.25))
    twin.step()
    assert np.array_equal(on_card.get("qpos"), twin.get("qpos"))


@pytest.mark.gpu
def test_cupy_uses_the_memory_of_the_batch_by_both_protocols(on_card):
    import cupy  # noqa: PLC0415 on machines with a card only
    qpos = on_card.bind("qpos")
    address = qpos.__cuda_array_interface__["data"][0]
    for array in (cupy.asarray(qpos), cupy.from_dlpack(qpos)):
        assert array.data.ptr == address and array.shape == qpos.shape
    cupy.asarray(on_card.bind("qvel"))[:] = 2
    cupy.cuda.Device().synchronize()
    assert (on_card.get("qvel") == 2).all()

    values = cupy.full(on_card.bind("qvel").shape, 3, cupy.float32)

    class InterfaceOnly:
        __cuda_array_interface__ = values.__cuda_array_interface__

    on_card.bind("qvel")[:] = InterfaceOnly()
    assert (on_card.get("qvel") == 3).all()


@pytest.mark.gpu
def test_jax_reads_the_memory_of_the_batch(on_card):
    import jax  # noqa: PLC0415 on machines with a card only
    on_card.step(4)
    assert np.array_equal(np.asarray(jax.dlpack.from_dlpack(on_card.bind("qpos"))), on_card.get("qpos"))
