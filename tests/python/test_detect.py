"""Detecting the convention of a log: of runs of our own simulator, from Python and from the program."""

import json

import numpy as np
import pytest

import torsor
from cli_support import has_escapes, run, run_on_terminal
from torsor import _core, rotations

MODEL = """
<mujoco model="stone">
  <compiler angle="radian"/>
  <option gravity="0 0 0" timestep="0.001" integrator="RK4"/>
  <worldbody>
    <body name="stone" pos="1 2 3">
      <freejoint name="root"/>
      <inertial pos="0.2 -0.1 0.15" mass="2" diaginertia="0.05 0.08 0.1"/>
      <geom type="box" size="0.2 0.1 0.1" contype="0" conaffinity="0"/>
      <body name="left">
        <joint name="hip" axis="0 1 0" range="-1 1" limited="true"/>
        <geom type="sphere" size="0.01" mass="0.0001"/>
        <body name="shin">
          <joint name="knee" axis="0 1 0" range="0 3" limited="true"/>
          <geom type="sphere" size="0.01" mass="0.0001"/>
        </body>
      </body>
      <body name="right">
        <joint name="arm" axis="0 1 0" range="-3 0" limited="true"/>
        <geom type="sphere" size="0.01" mass="0.0001"/>
      </body>
    </body>
  </worldbody>
</mujoco>
"""
STONE = MODEL[: MODEL.index('      <body name="left">')] + "    </body>\n  </worldbody>\n</mujoco>\n"
NAMES = "time,x,y,z,qw,qx,qy,qz,vx,vy,vz,wx,wy,wz"


def record(rate=100, seconds=10, noise=0.01, seed=1):
    """time, qpos and qvel of a stone that tumbles under forces, at most `noise` of each channel's deviation off."""
    model = torsor.Model.from_xml_string(STONE)
    data = torsor.Data(model)
    random = np.random.default_rng(seed)
    phases, rates = random.uniform(0, 6, (6, 1)), random.uniform(0.5, 4, (6, 1))
    sizes = np.array([[2.0], [2], [2], [0.15], [0.15], [0.15]])
    data.qvel = random.normal(0, 1, 6)
    rows = []
    every = round(1 / rate / model.opt.timestep)
    for step in range(int(seconds * rate) * every + 1):
        if step % every == 0:
            rows.append(np.concatenate([[data.time], data.qpos, data.qvel]))
        data.xfrc_applied[1] = (sizes * np.sin(rates * data.time + phases))[:, 0]
        torsor.step(model, data)
    log = np.array(rows)
    log[:, 1:] += noise * log[:, 1:].std(axis=0) * random.normal(size=log[:, 1:].shape)
    log[:, 4:8] /= np.linalg.norm(log[:, 4:8], axis=1, keepdims=True)
    return log


@pytest.fixture(scope="module")
def log():
    return record()


def columns(log):
    return log[:, 0], log[:, 1:4], log[:, 4:8], log[:, 8:11], log[:, 11:14]


@pytest.fixture
def csv(tmp_path, log):
    path = tmp_path / "log.csv"
    np.savetxt(path, log, delimiter=",", header=NAMES, comments="")
    return path


# --- Python ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("rate", [50, 100, 250])
def test_our_own_runs_are_in_mujocos_convention(rate):
    report = _core.detect(*columns(record(rate=rate)))
    assert report["decided"] and report["ids"] == ["mujoco"], report["text"]
    cells = report["readings"][0]["cells"]
    assert cells["quat"] == "wxyz" and cells["twist.linear"] == "world" and cells["twist.angular"] == "body"


def test_rotation_matrices_are_read_too(log):
    time, position, quat, linear, angular = columns(log)
    report = _core.detect(time, position, rotations.quat_to_matrix(quat, order="wxyz"), linear, angular)
    assert report["readings"][0]["cells"]["twist.angular"] == "body"
    assert "quat" not in report["readings"][0]["cells"]


def test_a_log_without_velocities_is_undecided_with_advice(log):
    report = _core.detect(log[:, 0], log[:, 1:4], log[:, 4:8])
    assert not report["decided"] and "mujoco" in report["ids"]
    assert all(item["advice"] for item in report["undecided"])


def test_wrong_shapes_and_bad_numbers_are_refused(log):
    time, position, quat, linear, angular = columns(log)
    with pytest.raises(ValueError, match="position: 1001 samples need 3 numbers each"):
        _core.detect(time, quat, quat, linear, angular)
    bad = linear.copy()
    bad[17, 1] = np.nan
    with pytest.raises(torsor.Error, match=r"sample 17 .*linear velocity\[1\] is nan"):
        _core.detect(time, position, quat, bad, angular)


def test_a_known_centre_of_mass_is_used(log):
    report = _core.detect(*columns(log), com=[0.2, -0.1, 0.15])
    assert report["ids"] == ["mujoco"] and not report["ids_if_com_at_origin"]


# --- files ----------------------------------------------------------------------------------------------------------


def test_csv_json_and_npy_give_the_same_report(tmp_path, log, csv):
    np.save(tmp_path / "log.npy", log)
    names = NAMES.split(",")
    (tmp_path / "log.json").write_text(json.dumps({name: list(log[:, i]) for i, name in enumerate(names)}))
    records = [{"time": row[0], "position": list(row[1:4]), "quat": list(row[4:8]), "linear": list(row[8:11]),
                "angular": list(row[11:])} for row in log]  # fmt: skip
    (tmp_path / "records.json").write_text(json.dumps(records))
    for name in ["log.csv", "log.npy", "log.json", "records.json"]:
        report = _core.detect_file(str(tmp_path / name))
        assert report["ids"] == ["mujoco"], (name, report["text"])


@pytest.mark.parametrize("dtype", ["float32", ">f8"])
def test_npy_of_other_numbers(tmp_path, log, dtype):
    np.save(tmp_path / "log.npy", log.astype(dtype))
    if dtype == "float32":
        assert _core.detect_file(str(tmp_path / "log.npy"))["ids"] == ["mujoco"]
    else:
        with pytest.raises(torsor.Error, match="save them as float64"):
            _core.detect_file(str(tmp_path / "log.npy"))


def test_without_names_the_orders_are_found_as_well(tmp_path, log):
    drake = np.hstack([log[:, :1], log[:, 4:8], log[:, 1:4], log[:, 11:14], log[:, 8:11]])
    np.save(tmp_path / "log.npy", drake)
    cells = _core.detect_file(str(tmp_path / "log.npy"))["readings"][0]["cells"]
    assert cells["pose"] == "rotation first" and cells["twist.order"] == "angular first"
    assert cells["twist.angular"] == "body" and cells["quat"] == "wxyz"


@pytest.mark.parametrize(
    "names",
    [
        "t,px,py,pz,q_w,q_x,q_y,q_z,v_x,v_y,v_z,omega_x,omega_y,omega_z",
        "stamp,pose.position.x,pose.position.y,pose.position.z,pose.orientation.w,pose.orientation.x,"
        "pose.orientation.y,pose.orientation.z,twist.linear.x,twist.linear.y,twist.linear.z,twist.angular.x,"
        "twist.angular.y,twist.angular.z",
        "time [s],pos_x [m],pos_y [m],pos_z [m],quat_w,quat_x,quat_y,quat_z,lin_vel_x,lin_vel_y,lin_vel_z,"
        "ang_vel_x,ang_vel_y,ang_vel_z",
    ],
)
def test_common_names_are_recognised(tmp_path, log, names):
    np.savetxt(tmp_path / "log.csv", log, delimiter=",", header=names, comments="")
    report = _core.detect_file(str(tmp_path / "log.csv"))
    assert report["ids"] == ["mujoco"], report["text"]
    assert "twist.order" in report["not_shown"]  # the names said it


def test_names_that_contradict_the_numbers_are_noted(tmp_path, log):
    names = NAMES.replace("qw,qx,qy,qz", "qx,qy,qz,qw")
    np.savetxt(tmp_path / "log.csv", log, delimiter=",", header=names, comments="")
    report = _core.detect_file(str(tmp_path / "log.csv"))
    assert report["ids"] == ["mujoco"] and any("contradict" in note for note in report["notes"])


# --- the program ----------------------------------------------------------------------------------------------------


def test_a_decided_log_exits_with_0(csv):
    text = run("detect", csv).stdout
    assert text.startswith("decided: 1001 samples") and "conventions that fit: mujoco\n" in text
    assert not has_escapes(text)


def test_json_is_the_report_of_python(csv):
    report = json.loads(run("detect", csv, "--json").stdout)
    python = _core.detect_file(str(csv))
    del python["text"]
    assert report == python


def test_an_undecidable_log_exits_with_3_and_advises(tmp_path, log):
    np.savetxt(tmp_path / "still.csv", np.hstack([log[:, :1], np.tile(log[0, 1:], (len(log), 1)) * 0 + 0.5]),
               delimiter=",", header=NAMES, comments="")  # fmt: skip
    text = run("detect", tmp_path / "still.csv", code=3).stdout
    assert text.startswith("not conclusive") and "is undetermined" in text and "to determine it: " in text


def test_columns_can_be_named(tmp_path, log):
    np.savetxt(tmp_path / "log.txt", np.hstack([log[:, 1:], log[:, :1]]))
    parts = "time=13,position=0:3,quat=3:7,linear=7:10,angular=10:13"
    assert "conventions that fit: mujoco\n" in run("detect", tmp_path / "log.txt", "--columns", parts).stdout
    error = run("detect", tmp_path / "log.txt", "--columns", "time=13,position=0:2", code=1).stderr
    assert "position needs 3 columns, not 2" in error
    assert "unknown part of a log 'speed'" in run("detect", tmp_path / "log.txt", "--columns", "speed=1:4", code=1).stderr


def test_errors_name_row_and_column(tmp_path, csv):
    lines = csv.read_text().splitlines()
    cells = lines[5].split(",")
    cells[3] = "abc"
    (tmp_path / "word.csv").write_text("\n".join(lines[:5] + [",".join(cells)] + lines[6:]))
    assert "row 5, column 3 ('z'): 'abc' is not a number" in run("detect", tmp_path / "word.csv", code=1).stderr
    (tmp_path / "short.csv").write_text("\n".join(lines[:5] + ["1,2,3"]))
    assert "row 5 has 3 cells, not 14" in run("detect", tmp_path / "short.csv", code=1).stderr
    (tmp_path / "untimed.csv").write_text("\n".join(",".join(line.split(",")[1:]) for line in lines))
    assert "no time column" in run("detect", tmp_path / "untimed.csv", code=1).stderr
    (tmp_path / "back.csv").write_text("\n".join(lines[:5] + lines[3:]))
    assert "does not come after" in run("detect", tmp_path / "back.csv", code=1).stderr
    assert "cannot be read" in run("detect", tmp_path / "none.csv", code=1).stderr


def test_a_model_gives_the_centre_of_mass_and_the_order_of_joints(tmp_path, log):
    (tmp_path / "model.xml").write_text(MODEL)
    t = log[:, :1]
    hip, knee, arm = 0.5 * np.sin(t), 1.5 + np.sin(2 * t), -1.5 + np.cos(t)
    rates = [0.5 * np.cos(t), 2 * np.cos(2 * t), -np.sin(t)]
    breadth = np.hstack([log, hip, arm, knee, rates[0], rates[1], rates[2]])  # rates in another order than positions
    np.save(tmp_path / "log.npy", breadth)
    parts = "time=0,position=1:4,quat=4:8,linear=8:11,angular=11:14,joints=14:17,rates=17:20"
    arguments = ["detect", tmp_path / "log.npy", "--columns", parts, "--model", tmp_path / "model.xml", "--json"]
    report = json.loads(run(*arguments).stdout)
    assert report["ids"] == ["mujoco"]
    assert report["joints"]["orders"] == ["breadth first", "breadth first by name"]
    assert report["joints"]["pairing"] == [
        "the position of joint column 1 has its velocity in joint column 2",
        "the position of joint column 2 has its velocity in joint column 1",
    ]


def test_help_has_an_example_and_the_exit_codes():
    text = run("detect", "--help").stdout
    assert "torsor detect flight.csv" in text and "Exit codes: 0 decided" in text and "3 the log" in text


def test_colours_are_for_terminals(csv):
    assert has_escapes(run_on_terminal("detect", csv))
