"""torsor.motion: files, operations, sampling without copies, clips on models, and the page about them."""

import doctest
import inspect
import io
import os
import pathlib
import pickle
import sys
import types
import zipfile

import numpy as np
import pytest
from scipy.ndimage import gaussian_filter1d
from scipy.spatial.transform import Rotation, Slerp

import judging
import page_blocks
import torsor
from example_models import ARM
from torsor import motion

MotionClip = motion.MotionClip
FUNCTIONS = {name: value for name, value in vars(motion).items() if inspect.isfunction(value) and not name.startswith("_")}
METHODS = {f"{owner.__name__}.{name}": getattr(owner, name) for owner in (motion.MotionClip, motion.MotionLibrary)
           for name, value in vars(owner).items() if not name.startswith("_") and not isinstance(value, property)
           and callable(getattr(owner, name))}
G1 = motion.embodiment("g1")
ISAACLAB_TO_MUJOCO = [0, 3, 6, 9, 13, 17, 1, 4, 7, 10, 14, 18, 2, 5, 8, 11, 15, 19, 21, 23, 25, 27, 12, 16, 20, 22, 24,
                      26, 28]


def random_clip(rng, frames=12, joints=None, fps=30.0):
    names = joints or ["left_knee_joint", "right_knee_joint", "waist_yaw_joint"]
    quats = Rotation.random(frames, rng=rng).as_quat(scalar_first=True)
    dof = rng.uniform(-1, 1, (frames, len(names)))
    return MotionClip(rng.normal(size=(frames, 3)), quats, dof, fps=fps, joint_names=names)


def sonic(rng, order, frames=9):
    """The fields of a retargeted clip as SONIC's converters write them, and the clip."""
    clip = random_clip(rng, frames, G1["mujoco_joints"])
    pose_aa = np.zeros((frames, 30, 3), np.float64)
    pose_aa[:, 0] = Rotation.from_quat(clip.root_quat, scalar_first=True).as_rotvec()
    axes = {"pitch": 1, "knee": 1, "elbow": 1, "roll": 0, "yaw": 2}
    for i, name in enumerate(G1["mujoco_joints"]):
        pose_aa[:, 1 + i, next(axis for word, axis in axes.items() if word in name)] = clip.dof[:, i]
    root_rot = clip.root_quat if order == "wxyz" else clip.root_quat[:, [1, 2, 3, 0]]
    return {"root_trans_offset": clip.root_pos, "pose_aa": pose_aa, "dof": clip.dof, "root_rot": root_rot, "fps": 30}, clip


def assert_same(clip, other, tolerance=1e-12):
    assert len(clip) == len(other) and clip.fps == pytest.approx(other.fps, rel=tolerance)
    np.testing.assert_allclose(clip.root_pos, other.root_pos, atol=tolerance)
    np.testing.assert_allclose(clip.dof, other.dof, atol=tolerance)
    np.testing.assert_allclose(abs(np.sum(clip.root_quat * other.root_quat, axis=1)), 1, atol=tolerance)


@pytest.mark.parametrize("name", [*FUNCTIONS, *METHODS])
def test_the_example_of_every_function_runs(name, tmp_path):
    model = torsor.Model.from_xml_string(ARM)
    dof = 0.1 * np.sin(np.arange(62.0)).reshape(31, 2)
    clip = MotionClip(np.zeros((31, 3)), np.tile([1.0, 0, 0, 0], (31, 1)), dof, fps=30, joint_names=["shoulder", "elbow"])
    names = {"torsor": torsor, "motion": motion, "numpy": np, "model": model, "clip": clip, "folder": tmp_path}
    examples = doctest.DocTestParser().get_doctest({**FUNCTIONS, **METHODS}[name].__doc__ or "", names, name, None, None)
    assert examples.examples, f"{name} has no example"
    complaints = []
    result = doctest.DocTestRunner(optionflags=doctest.NORMALIZE_WHITESPACE).run(examples, out=complaints.append)
    assert result.failed == 0, "".join(complaints)


def test_the_page_prints_what_it_says(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    page_blocks.run_page("docs/motion.md")
    first = page_blocks.blocks_of("docs/motion.md", "python")[0]
    assert len(first.code.splitlines()) <= 10 and len(page_blocks.blocks_of("docs/motion.md", "text")) >= 6


# Files.


@pytest.mark.parametrize("ending, options", [(".npz", {}), (".npz", {"compressed": False}), (".motion", {}), (".pkl", {}),
                                             (".joblib", {}), (".csv", {}), ("", {})])
def test_every_format_gives_the_clip_back(ending, options, tmp_path):
    clip = random_clip(np.random.default_rng(1), joints=G1["mujoco_joints"])
    path = tmp_path / f"walk{ending}"
    clip.write(path, **options)
    reading = {".csv": {"fps": 30}, "": {"fps": 30, "robot": "g1"}}.get(ending, {})
    again = MotionClip.read(path, **reading)
    assert_same(clip, again.reorder(clip.joint_names))


def test_numpy_reads_what_is_written_and_the_other_way_round(tmp_path):
    clip = random_clip(np.random.default_rng(2))
    for compressed in (True, False):
        clip.write(tmp_path / "clip.npz", compressed=compressed)
        with np.load(tmp_path / "clip.npz") as fields:
            np.testing.assert_array_equal(fields["dof"], clip.dof)
            assert fields["joint_names"].tolist() == clip.joint_names
            assert fields["fps"] == 30 and fields["root_rot_order"] == "wxyz"
        assert zipfile.ZipFile(tmp_path / "clip.npz").testzip() is None
        for save in (np.savez, np.savez_compressed):
            with open(tmp_path / "numpy.npz", "wb") as file:
                save(file, root_trans_offset=np.asfortranarray(clip.root_pos), root_rot=clip.root_quat.astype(np.float64),
                     dof=clip.dof, fps=np.int32(30), root_rot_order="wxyz", joint_names=np.array(clip.joint_names))
            assert_same(clip, MotionClip.read(tmp_path / "numpy.npz"))


@pytest.mark.parametrize("order", ["wxyz", "xyzw"])
@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_the_order_of_root_rot_is_found_and_said(order, dtype, tmp_path):
    fields, clip = sonic(np.random.default_rng(3), order)
    stored = {name: np.asarray(value, dtype) if name != "fps" else value for name, value in fields.items()}
    np.savez(tmp_path / "clip.npz", **stored)
    with open(tmp_path / "clip.pkl", "wb") as file:
        pickle.dump({"walk": stored}, file)
    for name in ("clip.npz", "clip.pkl"):
        again = MotionClip.read(tmp_path / name, robot="g1")
        assert_same(clip, again, 1e-12 if dtype == np.float64 else 1e-6)
        assert again.notes[0].startswith(f"root_rot is {order}") and again.convention == "sonic"
        assert again.joint_names == G1["mujoco_joints"] and again.pose_aa.shape == (9, 30, 3)


def test_an_order_that_cannot_be_found_is_asked_for(tmp_path):
    fields, clip = sonic(np.random.default_rng(3), "xyzw")
    del fields["pose_aa"]
    np.savez(tmp_path / "clip.npz", **fields)
    with pytest.raises(torsor.Error, match="quat_order='wxyz' or quat_order='xyzw'"):
        MotionClip.read(tmp_path / "clip.npz")
    assert_same(clip, MotionClip.read(tmp_path / "clip.npz", quat_order="xyzw"))


@pytest.mark.parametrize("ending", [".npz", ".pkl", ""])
def test_a_unit_that_is_passed_is_never_ignored(ending, tmp_path):
    clip = random_clip(np.random.default_rng(12), joints=G1["mujoco_joints"])
    clip.write(tmp_path / f"clip{ending}")
    read = MotionClip.read(tmp_path / f"clip{ending}", unit="cm")
    np.testing.assert_allclose(read.root_pos, 0.01 * clip.root_pos, atol=1e-15)
    clip.write(tmp_path / "clip.motion")
    with pytest.raises(torsor.Error, match="always in metres"):
        MotionClip.read(tmp_path / "clip.motion", unit="cm")


PAGE = (page_blocks.ROOT / "docs" / "motion.md").read_text()
BVH = PAGE.split('bvh = """')[1].split('"""')[0].replace("ten", "10")


def test_bvh_is_read_in_its_unit_with_its_axes(tmp_path):
    path = tmp_path / "stand.bvh"
    path.write_text(BVH)
    with pytest.raises(torsor.Error, match=r"unit='cm', or --unit cm: m, cm, mm"):
        MotionClip.read(path)
    for unit, metres in (("m", 1), ("cm", 0.01), ("mm", 0.001), ("inch", 0.0254), (0.5, 0.5)):
        clip = MotionClip.read(path, unit=unit)
        np.testing.assert_allclose(clip.root_pos, [[0, 0, 90 * metres]], atol=1e-12)
    np.testing.assert_allclose(MotionClip.read(path, unit="m", up="z").root_pos, [[0, 90, 0]])
    for text, place in ((BVH.replace("JOINT", "JIONT"), ":6:3:"), (BVH.replace("0 90 0", "0 nan 0"), ":15:3:"),
                        (BVH.replace("Frame Time: 0.0333333", "Frame Time: 0"), ":14:13:"), ("", ":1:1:")):
        path.write_text(text)
        with pytest.raises(torsor.Error, match=place):
            MotionClip.read(path, unit="cm")


def test_a_csv_in_degrees_and_centimetres_is_that_of_scipy(tmp_path):
    rng = np.random.default_rng(4)
    angles, positions, knees = rng.uniform(-80, 80, (5, 3)), rng.normal(size=(5, 3)), rng.uniform(-90, 90, 5)
    root = [f"root_{kind}{axis}" for kind in ("translate", "rotate") for axis in "XYZ"]
    lines = [",".join(["Frame", *root, "left_knee_joint_dof"])]
    lines += [",".join(map(str, [i, *(100 * positions[i]), *angles[i], knees[i]])) for i in range(5)]
    (tmp_path / "clip.csv").write_text("\n".join(lines))
    clip = MotionClip.read(tmp_path / "clip.csv", fps=120)
    expected = Rotation.from_euler("xyz", angles, degrees=True).as_quat(scalar_first=True)  # as SONIC's scripts call it
    assert_same(clip, MotionClip(positions, expected, np.radians(knees)[:, None], fps=120))
    with pytest.raises(torsor.Error, match="pass fps="):
        MotionClip.read(tmp_path / "clip.csv")


def test_smpl_is_turned_and_its_base_rotation_removed(tmp_path):
    upright = np.zeros((2, 72))
    np.savez(tmp_path / "smpl.npz", poses=upright, trans=[[0, 1, 0], [0, 1, 2]], fps=30)
    clip = MotionClip.read(tmp_path / "smpl.npz")
    np.testing.assert_allclose(clip.root_pos, [[0, 0, 1], [0, -2, 1]], atol=1e-15)  # (x, y, z) -> (x, -z, y)
    forward = Rotation.from_quat(clip.root_quat[0], scalar_first=True).apply([0, 0, 1])
    np.testing.assert_allclose(forward, [0, -1, 0], atol=1e-15)
    ours = clip.remove_base_rotation()
    turned = Rotation.from_quat(ours.root_quat[0], scalar_first=True).as_euler("zyx", degrees=True)
    np.testing.assert_allclose(turned, [-90, 0, 0], atol=1e-9)
    assert clip.body_names[:3] == ["pelvis", "left_hip", "right_hip"] and clip.body_parents[:4] == [-1, 0, 0, 0]


# Pickles.


def joblib_bytes(fields, prefix=b""):
    """A file as joblib writes it: each array is a wrapper in the pickle, with its bytes right behind the instruction."""
    out = io.BytesIO()

    class Wrapper:
        def __init__(self, array, aligned):
            self.subclass, self.shape, self.order, self.dtype = np.ndarray, array.shape, "C", array.dtype
            self.allow_mmap = True
            self.numpy_array_alignment_bytes = 16 if aligned else None

    Wrapper.__module__, Wrapper.__qualname__ = "joblib.numpy_pickle", "NumpyArrayWrapper"

    class Pickler(pickle._Pickler):
        def save_global(self, obj, name=None):
            if obj is Wrapper:
                self.write(pickle.GLOBAL + b"joblib.numpy_pickle\nNumpyArrayWrapper\n")
                return
            super().save_global(obj, name)

        def save(self, obj, save_persistent_id=True):
            if type(obj) is np.ndarray:
                wrapper = Wrapper(obj, aligned=True)
                super().save(wrapper)
                padding = 16 - (out.tell() + 1) % 16
                out.write(bytes([padding]) + b"\xff" * padding + obj.tobytes())
                return None
            return super().save(obj, save_persistent_id)

        dispatch = {**pickle._Pickler.dispatch, type(Wrapper): save_global}

    Pickler(out, protocol=3).dump(fields)
    return out.getvalue()


def test_joblibs_files_are_read_plain_and_compressed(tmp_path):
    import bz2
    import gzip
    import lzma
    import zlib

    fields, clip = sonic(np.random.default_rng(5), "xyzw")
    data = joblib_bytes({"walk": fields, "run": {**fields, "dof": 2 * fields["dof"]}})
    packers = {"plain": bytes, "zlib": zlib.compress, "gzip": gzip.compress, "bz2": bz2.compress, "xz": lzma.compress}
    for name, pack in packers.items():
        path = tmp_path / f"{name}.joblib"
        path.write_bytes(pack(data))
        clips = motion.read_clips(path)
        assert list(clips) == ["walk", "run"]
        assert_same(clip, clips["walk"])
        np.testing.assert_allclose(clips["run"].dof, 2 * clip.dof)
        with pytest.raises(torsor.Error, match="2 clips: walk, run; pass name="):
            MotionClip.read(path)
        assert MotionClip.read(path, name="run").name == "run"
        with pytest.raises(torsor.Error, match="no clip 'jump'; the file has walk, run"):
            MotionClip.read(path, name="jump")


@pytest.mark.parametrize("protocol", range(6))
def test_pickles_of_every_protocol_are_read(protocol, tmp_path):
    fields, clip = sonic(np.random.default_rng(6), "wxyz")
    fields["dof"], fields["fps"] = np.asfortranarray(fields["dof"]), np.float64(30)
    fields["remark"] = ["any", {"thing": None}]
    (tmp_path / "clip.pkl").write_bytes(pickle.dumps(fields, protocol))
    assert_same(clip, MotionClip.read(tmp_path / "clip.pkl"))


@pytest.mark.parametrize("code", [
    b"cos\nsystem\n(S'touch caught'\ntR.", b"c__builtin__\neval\n(S'1/0'\ntR.", b"cbuiltins\nexec\n(S'1/0'\ntR.",
    b"(S'touch caught'\nios\nsystem\n.", b"cnumpy\nload\n(S'x'\ntR.", b"cnumpy.testing\nrundocs\n(S'x'\ntR.",
    b"\x80\x04\x8c\x02os\x8c\x06system\x93\x8c\x05touch\x85R.", b"\x82\x01.", b"ctorsor._pickles\n_load\n(S'x'\ntR.",
    b"cnumpy\nndarray\n(dS'a'\nS'b'\nsb.", b"cnumpy\ndtype\n}(S'make'\nNsb.", b"(dcnumpy\nndarray\nb."])
def test_code_in_pickles_is_refused(code, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    path = tmp_path / "trap.pkl"
    path.write_bytes(code)
    with pytest.raises(torsor.Error, match="trap.pkl"):
        MotionClip.read(path)
    assert [file.name for file in tmp_path.iterdir()] == ["trap.pkl"]
    from torsor import _pickles
    assert callable(_pickles._Dtype.make) and "a" not in vars(_pickles._Array)


def test_pickles_that_would_take_forever_or_fill_the_memory_are_errors(tmp_path):
    twice = ()
    for _ in range(60):
        twice = (twice, twice)  # 2^60 when it is walked through, sixty tuples in the file
    fields, _ = sonic(np.random.default_rng(6), "wxyz", frames=2)
    path = tmp_path / "clip.pkl"
    # the unpickler must not hash, compare, show or copy it
    path.write_bytes(pickle.dumps({**fields, "remark": twice}, 2))
    assert len(MotionClip.read(path)) == 2
    empty, mark, end = b"\x80\x02", b"(", b"."
    nested = b")" + b"".join(bytes([ord("q"), i, ord("h"), i, 0x86]) for i in range(60))
    for code in (b"}" + nested + b"K\x01s", mark + nested + b"K\x01d", b"}" + mark + nested + b"K\x01u",
                 b"ccollections\nOrderedDict\n](" + nested + b"K\x01\x86e\x85R", b"cnumpy\ndtype\n" + nested + b"\x85R",
                 b"cnumpy.core.multiarray\n_reconstruct\n)R(K\x01" + nested + b"cnumpy\ndtype\n)R\x89C\x00tb",
                 b"\x96" + (2**40).to_bytes(8, "little"), b"\x8f(" + nested + b"\x90", b"X" + (2**31 - 1).to_bytes(4, "little")):
        path.write_bytes(empty + code + end)
        with pytest.raises(torsor.Error, match="clip.pkl"):
            MotionClip.read(path)
    path.write_bytes(pickle.dumps({**fields, "joint_names": ["x" * 10**6] * 10**5}, 4))
    assert MotionClip.read(path).joint_names == []


def test_damaged_pickles_are_errors(tmp_path, judged):
    rng = np.random.default_rng(7)
    fields, _ = sonic(rng, "wxyz", frames=2)
    path = tmp_path / "clip.pkl"
    for good in (pickle.dumps(fields, 4), joblib_bytes(fields)):
        for _ in range(300):
            damaged = bytearray(good)
            for _ in range(rng.integers(1, 4)):
                damaged[rng.integers(len(damaged))] = rng.integers(256)
            path.write_bytes(bytes(damaged[:rng.integers(1, len(damaged) + 1)]) if rng.random() < 0.3 else bytes(damaged))
            try:
                MotionClip.read(path)
                judged.screen()
            except torsor.Error:
                judged()


# Operations.


def test_velocities_are_those_of_numpy_and_scipy():
    rng = np.random.default_rng(8)
    clip = random_clip(rng, frames=40)
    plain, filtered = clip.velocities(sigma=0), clip.velocities()
    np.testing.assert_allclose(plain["dof"], np.gradient(clip.dof, 1 / 30, axis=0), atol=1e-12)
    np.testing.assert_allclose(plain["root_linear"], np.gradient(clip.root_pos, 1 / 30, axis=0), atol=1e-12)
    np.testing.assert_allclose(filtered["dof"], gaussian_filter1d(plain["dof"], 2, axis=0, mode="nearest"), atol=1e-12)


def test_velocities_of_bodies_are_those_of_the_model():
    model = torsor.Model.from_xml_string(ARM)
    time = np.arange(100) / 200
    clip = MotionClip.from_qpos(model, np.stack([np.sin(3 * time), 0.5 * np.cos(2 * time)], 1), fps=200)
    found = clip.velocities(sigma=0, model=model)
    data = torsor.Data(model)
    for frame in (20, 50):
        data.qpos, data.qvel = clip.dof[frame], [3 * np.cos(3 * time[frame]), -np.sin(2 * time[frame])]
        torsor.forward(model, data)
        for body in range(1, model.nbody):
            expected = torsor.object_velocity(model, data, torsor.ObjectType.XBODY, body)
            np.testing.assert_allclose(found["body_angular"][frame, body], expected[:3], atol=2e-3)
            np.testing.assert_allclose(found["body_linear"][frame, body], expected[3:], atol=2e-3)


def test_orders_are_rules_of_a_tree_or_lists_of_names():
    model = torsor.Model.from_xml_path(page_blocks.ROOT / "models" / "humanoid_29.xml")
    clip = MotionClip.from_qpos(model, np.concatenate([model.qpos0[:7], np.arange(29.0) / 100])[None], fps=50)
    isaac = clip.reorder("isaaclab", model)
    np.testing.assert_array_equal(isaac.dof[:, ISAACLAB_TO_MUJOCO], clip.dof)
    np.testing.assert_array_equal(isaac.reorder("mujoco", model).dof, clip.dof)
    person = clip.add_body_rotations(model)
    breadth = person.reorder_bodies("isaaclab")
    assert breadth.body_names == [model.body(int(i)).name for i in torsor.body_order(model, "breadth_first")]
    assert breadth.reorder_bodies("mujoco").body_names == person.body_names
    with pytest.raises(torsor.Error, match="pass the model"):
        clip.reorder("isaaclab")


def test_a_clip_of_one_frame_stands_still():
    model = torsor.Model.from_xml_string(ARM)
    clip = MotionClip.from_qpos(model, [[0.1, 0.2]], fps=50)
    assert len(clip.resample(30)) == len(clip.change_speed(3)) == len(clip.play(model)[0]) == 1 and clip.duration == 0
    assert not clip.velocities()["dof"].any()
    assert len(clip.concatenate(clip)) == 2
    samples = motion.MotionLibrary([clip]).sample([0, 0], [-1.0, 5.0], repeat=True)
    np.testing.assert_allclose(samples["dof"], [[0.1, 0.2]] * 2)
    assert clip.compare(clip, model)["body_acceleration"] == 0


def test_resampling_is_scipys_slerp():
    clip = random_clip(np.random.default_rng(9))
    finer = clip.resample(77)
    times = np.arange(len(finer)) / 77
    between = Slerp(np.arange(12) / 30, Rotation.from_quat(clip.root_quat, scalar_first=True))
    expected = between(times).as_quat(scalar_first=True)
    np.testing.assert_allclose(abs(np.sum(expected * finer.root_quat, axis=1)), 1, atol=1e-12)
    np.testing.assert_allclose(finer.dof[:, 1], np.interp(times, np.arange(12) / 30, clip.dof[:, 1]), atol=1e-12)


def test_arrays_are_views_and_clips_can_be_pickled():
    clip = random_clip(np.random.default_rng(10))
    clip.dof[2, 1] = 7
    assert clip.dof[2, 1] == 7
    assert_same(clip, pickle.loads(pickle.dumps(clip)), 0)
    kept = clip.dof
    del clip
    assert kept[2, 1] == 7
    bad = random_clip(np.random.default_rng(10))
    bad.root_pos[3, 1] = np.nan
    with pytest.raises(torsor.Error, match="root_pos: frame 3, number 1 is nan"):
        bad.resample(50)


def test_bad_numbers_of_a_file_are_errors_with_its_name(tmp_path):
    fields = {"root_trans_offset": np.zeros((2, 3)), "root_rot": [[1, 0, 0, 0]] * 2, "fps": 30, "root_rot_order": "wxyz"}
    for change, message in (({"dof": [[0, np.nan]] * 2}, "dof: frame 0, number 1 is nan"), ({"fps": 0}, "fps must be a positive")):
        np.savez(tmp_path / "walk.npz", **({"dof": np.zeros((2, 2))} | fields | change))
        with pytest.raises(torsor.Error, match=f"walk.npz: error: {message}"):
            MotionClip.read(tmp_path / "walk.npz")


@pytest.mark.parametrize("arguments, message", [
    (dict(root_pos=np.zeros((0, 3)), root_quat=np.zeros((0, 4)), fps=30), "no frames"),
    (dict(root_pos=np.zeros((1, 3)), root_quat=[[1, 0, 0, 0]], fps=0), "fps must be a positive number"),
    (dict(root_pos=np.zeros((1, 3)), root_quat=[[2, 0, 0, 0]], fps=30), "length 2, not 1"),
    (dict(root_pos=np.zeros((2, 3)), root_quat=[[1, 0, 0, 0]], fps=30),
     r"root_quat: expected shape \(2, 4\), got \(1, 4\)"),
    (dict(root_pos=[[0, 0, np.inf]], root_quat=[[1, 0, 0, 0]], fps=30), "root_pos: frame 0, number 2 is inf"),
    (dict(root_pos=[[0, 0, 0]], root_quat=[[1, 0, 0, 0]], dof=[[1, 2]], fps=30, joint_names=["a", "a"]),
     "two joints are named 'a'")])
def test_bad_clips_are_errors(arguments, message):
    with pytest.raises(torsor.Error, match=message):
        MotionClip(**arguments)


# Sampling.


class Tensor:
    """An array of another library: it speaks DLPack and nothing else."""

    def __init__(self, array):
        self.array = array

    def __dlpack__(self, **options):
        return self.array.__dlpack__()

    def __dlpack_device__(self):
        return self.array.__dlpack_device__()


@pytest.mark.parametrize("dtype", ["float32", "float64"])
@pytest.mark.parametrize("wrap", [lambda array: array, Tensor], ids=["numpy", "dlpack"])
def test_samples_are_written_in_place(dtype, wrap):
    clips = [random_clip(np.random.default_rng(i), frames=5 + i) for i in range(3)]
    library = motion.MotionLibrary(clips, dtype=dtype)
    ids, times = np.array([0, 2, 1, 2]), np.array([0.05, 0.1, 5.0, -1.0], dtype)
    shapes = {"root_pos": 3, "root_quat": 4, "dof": 3, "root_linear": 3, "root_angular": 3, "dof_vel": 3}
    arrays = {name: np.full((4, width), np.nan, dtype) for name, width in shapes.items()}
    library.sample(wrap(ids), wrap(times), out={name: wrap(array) for name, array in arrays.items()})
    expected = [clips[i].warp([t]) for i, t in zip(ids, times)]
    tolerance = 1e-12 if dtype == "float64" else 1e-5
    for row, clip in enumerate(expected):
        np.testing.assert_allclose(arrays["dof"][row], clip.dof[0], atol=tolerance)
        np.testing.assert_allclose(arrays["root_pos"][row], clip.root_pos[0], atol=tolerance)
        assert abs(np.dot(arrays["root_quat"][row], clip.root_quat[0])) == pytest.approx(1, abs=tolerance)
    np.testing.assert_allclose(arrays["dof_vel"][2], clips[1].velocities()["dof"][-1], atol=100 * tolerance)
    made = library.sample(ids, times)
    for name in shapes:
        np.testing.assert_array_equal(made[name], arrays[name])
        assert made[name].dtype == dtype


def test_new_results_are_tensors_of_the_library_that_the_times_are_of(monkeypatch):
    torch = types.ModuleType("torch")
    tensor = type("Tensor", (Tensor,), {"__module__": "torch"})
    torch.empty = lambda size, dtype: tensor(np.empty(size, dtype))
    torch.float32 = np.float32
    monkeypatch.setitem(sys.modules, "torch", torch)
    clip = random_clip(np.random.default_rng(1))
    made = motion.MotionLibrary([clip], dtype="float32").sample(tensor(np.array([0])), tensor(np.zeros(1, np.float32)))
    assert type(made["dof"]) is tensor
    np.testing.assert_allclose(made["dof"].array, clip.dof[:1], atol=1e-6)


def test_results_that_do_not_fit_are_errors():
    library = motion.MotionLibrary([random_clip(np.random.default_rng(1))], dtype="float32")
    for out in ({"dof": np.empty((1, 3))}, {"dof": np.empty((2, 3), np.float32)}, {"dof": np.empty((1, 6), np.float32)[:, ::2]},
                {"speed": np.empty((1, 3), np.float32)}):
        with pytest.raises(torsor.Error, match=r"out\['dof'\]: expected a writable|unknown quantity 'speed'"):
            library.sample([0], [0.0], out=out)
    frozen = np.zeros((1, 3), np.float32)
    frozen.setflags(write=False)
    with pytest.raises(torsor.Error, match="writable"):
        library.sample([0], [0.0], out={"dof": frozen})
    for ids, times, message in (([1], [0.0], "clip 1 does not exist"), ([0], [np.nan], "the time is nan"),
                                ([0, 0], [0.0], "2 clips and 1 times")):
        with pytest.raises(torsor.Error, match=message):
            library.sample(ids, times)


# The G1.


def test_the_table_of_the_g1_is_the_published_one():
    assert G1["isaaclab_to_mujoco"] == ISAACLAB_TO_MUJOCO
    assert np.array(G1["isaaclab_joints"])[ISAACLAB_TO_MUJOCO].tolist() == G1["mujoco_joints"]


REAL = sorted(pathlib.Path(os.environ.get("TORSOR_MODELS", "no such folder")).rglob("unitree_g1/scene.xml"))


@pytest.mark.parametrize("path", judging.collected(REAL[:1], lambda path: path.parent.name))
def test_clips_of_the_g1_fit_the_real_robot(path, tmp_path):
    model = torsor.Model.from_xml_path(path)
    assert motion.check_embodiment(model, "g1") == []
    fields, clip = sonic(np.random.default_rng(11), "xyzw")
    np.savez(tmp_path / "clip.npz", **fields)
    read = MotionClip.read(tmp_path / "clip.npz", robot="g1")
    made, missed = read.dofs_from_rotations(model)
    np.testing.assert_allclose(made.dof, clip.dof, atol=1e-12)
    assert missed < 1e-7
    np.testing.assert_allclose(clip.add_body_rotations(model).pose_aa, fields["pose_aa"], atol=1e-12)
    np.testing.assert_allclose(clip.mirror(model).dof, clip.mirror().dof, atol=1e-12)  # axes agree with names
    standing = MotionClip.from_qpos(model, np.tile(model.key("stand").qpos, (26, 1)), fps=50)
    assert motion.check_embodiment(model, "g1", standing) == []
    contacts = standing.foot_contacts(model, G1["feet"])
    assert contacts["stands"].all() and abs(contacts["heights"]).max() < 0.01
    played, errors = standing.play(model)
    assert errors["uses_actuators"] and errors["frames_up"] == 26 and errors["joint"] < 0.1
    sunk = MotionClip(standing.root_pos - [0, 0, 0.2], standing.root_quat, standing.dof, fps=50,
                      joint_names=standing.joint_names)
    assert "below the ground" in motion.check_embodiment(model, "g1", sunk)[0]


def test_a_robot_whose_bodies_are_mounted_at_an_angle_gets_its_joints_back_from_bvh(tmp_path):
    """BVH has no rest rotations: those of the model are in the rotations of the file."""
    model = torsor.Model.from_xml_string("""<mujoco><worldbody><body name="base" pos="0 0 1"><freejoint/><geom size="0.1"/>
      <body name="hip" pos="0 0.1 0" euler="17 0 5"><joint name="hip_pitch" axis="0 1 0"/><geom size="0.1"/>
        <body name="ankle" pos="0 0 -0.4" euler="0 -25 0"><joint name="ankle_roll" axis="1 0 0"/>
          <joint name="ankle_yaw" axis="0 0 1"/><geom size="0.1"/></body></body></body></worldbody></mujoco>""")
    clip = random_clip(np.random.default_rng(21), joints=["hip_pitch", "ankle_roll", "ankle_yaw"])
    clip.add_body_rotations(model).write(tmp_path / "walk.bvh", unit="cm")
    read = MotionClip.read(tmp_path / "walk.bvh", unit="cm")
    found, failed = read.dofs_from_rotations(model)
    assert_same(clip, found.reorder(clip.joint_names))
    assert failed < 1e-7
    poses, expected = read.skeleton_poses(), clip.body_poses(model)
    np.testing.assert_allclose(poses[0], expected[0][:, 1:], atol=1e-12)
