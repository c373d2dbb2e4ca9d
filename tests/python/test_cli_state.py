"""torsor state: recorded states from one convention to another."""

import json
import math
import os

import numpy
import pytest

from cli_support import read_csv, run, run_on_terminal

HALF = math.sqrt(0.5)
# The situation of the worked examples: turned by 90 degrees about z, COM at (1, 0, 0) in the body.
MUJOCO = [3, 1, 2, HALF, 0, 0, HALF, 4, 5, 6, 2, -1, 3]
NEWTON = [3, 1, 2, 0, 0, HALF, HALF, 1, 5, 7, 1, 2, 3]
DRAKE = [HALF, 0, 0, HALF, 3, 1, 2, 1, 2, 3, 4, 5, 6]
MUJOCO_FORCE = [7, 8, 9, 11, -19, 5]
NEWTON_FORCE = [7, 8, 9, 10, 11, 12]
COM = ["--com", 1, 0, 0]

# A floating base with two legs of two joints; one knee is written bent by 0.5 rad.
ROBOT = """<mujoco>
  <compiler angle="radian"/>
  <worldbody>
    <body name="base"><freejoint name="root"/><inertial pos="1 0 0" mass="1" diaginertia="1 1 1"/>
      <body name="left"><joint name="lhip"/><geom size="0.1"/>
        <body name="lshank"><joint name="lknee" ref="0.5"/><geom size="0.1"/></body></body>
      <body name="right"><joint name="rhip"/><geom size="0.1"/>
        <body name="rshank"><joint name="rknee" type="slide"/><geom size="0.1"/></body></body></body>
  </worldbody>
  {}
</mujoco>
"""
# lhip lknee rhip rknee, depth first with ref; Isaac Lab lists lhip rhip lknee rknee and counts from the written pose
ROBOT_MUJOCO = MUJOCO[:7] + [0.1, 0.7, 0.3, 0.4] + MUJOCO[7:] + [11, 12, 13, 14]
ROBOT_ISAAC = [3, 1, 2, 0, 0, HALF, HALF] + [0.1, 0.3, 0.2, 0.4] + [1, 5, 7, 1, 2, 3] + [11, 13, 12, 14]
TO_ISAAC = ["--from", "mujoco", "--to", "isaaclab3"]
PENDULUM = '<mujoco><worldbody><body><joint name="hinge"/><geom size="0.1"/></body></worldbody></mujoco>'


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "robot.xml").write_text(ROBOT.format(""))
    (tmp_path / "pendulum.xml").write_text(PENDULUM)
    return tmp_path


def write_csv(path, *rows, titles=None):
    lines = ([",".join(titles)] if titles else []) + [",".join(repr(float(cell)) for cell in row) for row in rows]
    path.write_text("\n".join(lines) + "\n")


def convert(folder, *arguments, **options):
    """Runs with a CSV as the output, and returns its titles and rows."""
    run("state", *arguments, "--out", "out.csv", cwd=folder, **options)
    return read_csv(folder / "out.csv")


def error_of(folder, *arguments):
    """What it says; nothing may be written."""
    before = sorted(folder.iterdir())
    result = run("state", *arguments, "--out", "out.csv", cwd=folder, code=1)
    assert sorted(folder.iterdir()) == before and not result.stdout
    return result.stderr


def close(rows, expected):
    assert len(rows) == len(expected)
    for row, wanted in zip(rows, expected):
        assert row == pytest.approx(wanted, abs=1e-14)


# --- one body -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("target, expected", [("newton", NEWTON), ("drake", DRAKE)])
@pytest.mark.parametrize("width", [7, 13])
def test_states_of_one_body_have_the_numbers_of_the_worked_examples(folder, target, expected, width):
    write_csv(folder / "body.csv", MUJOCO[:width])
    titles, rows = convert(folder, "body.csv", "--from", "mujoco", "--to", target, *COM)
    close(rows, [expected[:width]])
    assert titles == [f"q{i}" for i in range(7)] + [f"v{i}" for i in range(width - 7)]


def test_time_is_kept_and_forces_follow_with_their_option(folder):
    write_csv(folder / "body.csv", [0.25, *MUJOCO, *MUJOCO_FORCE], [0.5, *MUJOCO, *MUJOCO_FORCE])
    titles, rows = convert(folder, "body.csv", "--from", "mujoco", "--to", "newton", *COM, "--forces")
    close(rows, [[0.25, *NEWTON, *NEWTON_FORCE], [0.5, *NEWTON, *NEWTON_FORCE]])
    assert titles[0] == "time" and titles[-6:] == [f"f{i}" for i in range(6)]


def test_a_body_is_converted_without_what_its_file_does_not_have(folder):
    """glTF has no velocities; 90 degrees about its y, from x left, y up, z forward."""
    write_csv(folder / "nodes.csv", [1, 2, 3, 0, HALF, 0, HALF])
    arguments = ["nodes.csv", "--from", "gltf[pose=position first]", "--to", "mujoco"]
    close(convert(folder, *arguments)[1], [MUJOCO[:7]])
    write_csv(folder / "nodes.csv", [1, 2, 3, 0, HALF, 0, HALF, 0, 0, 0, 0, 0, 0])
    assert "does not specify what a twist needs" in run("state", *arguments, cwd=folder, code=1).stderr


def test_rotations_may_be_matrices(folder):
    write_csv(folder / "body.csv", [0, -1, 0, 1, 0, 0, 0, 0, 1, 3, 1, 2, 2, -1, 3, 5, -4, 6])
    close(convert(folder, "body.csv", "--from", "modern_robotics.body", "--to", "mujoco")[1], [MUJOCO])


def test_names_of_the_numbers_win_over_their_order(folder):
    titles = "t qx qy qz qw x y z wx wy wz vx vy vz".split()
    order = [4, 5, 6, 3, 0, 1, 2, 10, 11, 12, 7, 8, 9]
    write_csv(folder / "body.csv", [7.5, *(MUJOCO[i] for i in order)], titles=titles)
    titles, rows = convert(folder, "body.csv", "--from", "mujoco", "--to", "drake", *COM)
    close(rows, [[7.5, *DRAKE]])
    assert titles == "t qw qx qy qz x y z wx wy wz vx vy vz".split()


def test_rows_of_the_user_are_known(folder):
    (folder / "mylab.json").write_text('{"id": "mylab", "from": "mujoco", "quat": "xyzw"}')
    write_csv(folder / "body.csv", MUJOCO)
    _, rows = convert(folder, "body.csv", "--from", "mujoco", "--to", "mylab", "--rows", "mylab.json")
    close(rows, [MUJOCO[:3] + [0, 0, HALF, HALF] + MUJOCO[7:]])


# --- models -------------------------------------------------------------------------------------------------------------


def test_joints_of_a_model_change_order_zero_and_points(folder):
    write_csv(folder / "run.csv", ROBOT_MUJOCO, ROBOT_MUJOCO)
    _, rows = convert(folder, "run.csv", *TO_ISAAC, "--model", "robot.xml")
    close(rows, [ROBOT_ISAAC, ROBOT_ISAAC])


def test_there_and_back_again_is_the_same(folder):
    rng = numpy.random.default_rng(3)
    states = rng.normal(size=(50, 21))
    states[:, 3:7] /= numpy.linalg.norm(states[:, 3:7], axis=1, keepdims=True)
    numpy.save(folder / "run.npy", states)
    run("state", "run.npy", *TO_ISAAC, "--model", "robot.xml", "--out", "isaac.json", cwd=folder)
    run("state", "isaac.json", "--from", "isaaclab3", "--to", "mujoco", "--model", "robot.xml", "--out", "back.npy", cwd=folder)
    assert not numpy.allclose(numpy.load(folder / "back.npy"), 0)
    numpy.testing.assert_allclose(numpy.load(folder / "back.npy"), states, atol=1e-13)


# Drake lists the joints of the base's tree depth first, quaternions first, angular velocities first
ROBOT_DRAKE = [HALF, 0, 0, HALF, 3, 1, 2, 0.1, 0.2, 0.3, 0.4] + [1, 2, 3, 4, 5, 6, 11, 12, 13, 14]


def test_the_order_of_drake_is_known(folder):
    write_csv(folder / "run.csv", ROBOT_MUJOCO)
    _, rows = convert(folder, "run.csv", "--from", "mujoco", "--to", "drake", "--model", "robot.xml")
    close(rows, [ROBOT_DRAKE])


def test_drake_lists_floating_trees_after_fixed_ones(folder):
    arm = '<body name="arm"><joint name="swing"/><geom size="0.1"/></body>'
    (folder / "scene.xml").write_text(ROBOT.format("").replace("</worldbody>", f"{arm}</worldbody>"))
    write_csv(folder / "run.csv", [*ROBOT_MUJOCO[:11], 0.9, *ROBOT_MUJOCO[11:], 19])
    _, rows = convert(folder, "run.csv", "--from", "mujoco", "--to", "drake", "--model", "scene.xml")
    close(rows, [[0.9, *ROBOT_DRAKE[:11], 19, *ROBOT_DRAKE[11:]]])


def test_pinocchio_lists_joints_depth_first_and_those_of_a_urdf_by_name(folder):
    (folder / "names.xml").write_text(ROBOT.format("").replace("lhip", "zhip"))
    write_csv(folder / "run.csv", ROBOT_MUJOCO[:11])
    joints = []
    for target in ("pinocchio", "pinocchio.urdf"):
        _, rows = convert(folder, "run.csv", "--from", "mujoco", "--to", target, "--model", "names.xml")
        joints.append(rows[0][7:])
    close(joints, [[0.1, 0.2, 0.3, 0.4], [0.3, 0.4, 0.1, 0.2]])


def test_an_order_that_the_convention_does_not_specify_is_asked_for(folder):
    write_csv(folder / "run.csv", ROBOT_MUJOCO)
    to_raisim = ["run.csv", "--from", "mujoco", "--to", "raisim[zero=zero]", "--model", "robot.xml"]
    text = error_of(folder, *to_raisim)
    assert "the raisim[zero=zero] convention does not specify a joint order" in text
    assert "--joint-order" in text and "depth_first, " in text and "breadth_first" in text
    _, rows = convert(folder, *to_raisim, "--joint-order", "breadth_first")
    close(rows, [MUJOCO[:7] + [0.1, 0.3, 0.2, 0.4] + [4, 5, 6, 1, 2, 3] + [11, 13, 12, 14]])
    _, rows = convert(folder, *to_raisim, "--joint-order", "rknee,root,lhip,rhip,lknee")
    assert rows[0][0] == 0.4 and rows[0][1:8] == MUJOCO[:7]
    assert "unknown order 'breadth'" in error_of(folder, *to_raisim, "--joint-order", "breadth")


def test_a_joint_order_that_is_not_needed_is_an_error(folder):
    write_csv(folder / "run.csv", ROBOT_MUJOCO)
    text = error_of(folder, "run.csv", *TO_ISAAC, "--model", "robot.xml", "--joint-order", "breadth_first")
    assert "--joint-order has no effect" in text and "--to-order" in text


def test_orders_of_joints_may_be_given(folder):
    write_csv(folder / "run.csv", ROBOT_MUJOCO)
    names = "lknee,rknee,root,rhip,lhip"
    _, rows = convert(folder, "run.csv", "--from", "mujoco", "--to", "mujoco", "--model", "robot.xml", "--to-order", names)
    close(rows, [[0.7, 0.4, *MUJOCO[:7], 0.3, 0.1, 12, 14, *MUJOCO[7:], 13, 11]])
    write_csv(folder / "named.csv", rows[0])
    arguments = ["named.csv", "--from", "mujoco", "--to", "mujoco", "--model", "robot.xml", "--from-order", names]
    close(convert(folder, *arguments)[1], [ROBOT_MUJOCO])
    wrong = ["named.csv", *TO_ISAAC, "--model", "robot.xml", "--from-order"]
    assert "lkne" in error_of(folder, *wrong, "lkne,rknee,root,rhip,lhip")
    assert "widest_first" in error_of(folder, *wrong, "widest_first")


def test_columns_named_after_joints_are_found_wherever_they_stand(folder):
    """What torsor sim writes, shuffled."""
    run("sim", "robot.xml", "--steps", 2, "--csv", "run.csv", cwd=folder)
    titles, _ = read_csv(folder / "run.csv")
    values = dict(zip(titles, [0.125, *ROBOT_MUJOCO]))
    shuffled = list(numpy.random.default_rng(1).permutation(titles))
    write_csv(folder / "run.csv", [values[title] for title in shuffled], titles=shuffled)
    titles, rows = convert(folder, "run.csv", *TO_ISAAC, "--model", "robot.xml")
    close(rows, [[0.125, *ROBOT_ISAAC]])
    assert titles[4:8] == ["q.root.qx", "q.root.qy", "q.root.qz", "q.root.qw"]
    assert titles[8:12] == ["q.lhip", "q.rhip", "q.lknee", "q.rknee"] and titles[-1] == "v.rknee"


@pytest.mark.parametrize(
    "q, v", [("q{}", "v{}"), ("qpos.{}", "qvel.{}"), ("joint_q[{}]", "joint_qd[{}]"), ("joint_pos_{}", "joint_vel_{}")]
)
def test_numbered_columns_are_in_the_order_of_the_convention(folder, q, v):
    titles = [q.format(i) for i in range(11)] + [v.format(i) for i in range(10)]
    write_csv(folder / "run.csv", ROBOT_MUJOCO[::-1], titles=titles[::-1])
    close(convert(folder, "run.csv", *TO_ISAAC, "--model", "robot.xml")[1], [ROBOT_ISAAC])


def test_sections_that_are_not_supported_can_be_ignored(folder):
    section = '<equality><joint joint1="lhip"/></equality>'
    (folder / "robot.xml").write_text(ROBOT.format(section))
    write_csv(folder / "run.csv", ROBOT_MUJOCO)
    arguments = ["run.csv", *TO_ISAAC, "--model", "robot.xml"]
    close(convert(folder, *arguments, "--ignore", "all")[1], [ROBOT_ISAAC])


def test_two_columns_of_a_pendulum_may_be_with_or_without_time(folder):
    write_csv(folder / "run.csv", [1, 2])
    arguments = ["run.csv", "--from", "mujoco", "--to", "newton[angle=deg]", "--model", "pendulum.xml"]
    assert "--time first or --time none" in error_of(folder, *arguments)
    close(convert(folder, *arguments, "--time", "first")[1], [[1, math.degrees(2)]])
    close(convert(folder, *arguments, "--time", "none")[1], [[math.degrees(1), math.degrees(2)]])
    write_csv(folder / "run.csv", [1, 2], titles=["time", "angle"])
    close(convert(folder, *arguments)[1], [[1, math.degrees(2)]])


# --- files ----------------------------------------------------------------------------------------------------------------


def test_csv_json_and_npy_hold_the_same(folder):
    write_csv(folder / "in.csv", MUJOCO)
    numpy.save(folder / "in.npy", numpy.array([MUJOCO]))
    (folder / "in.json").write_text(json.dumps({"qpos": [MUJOCO[:7]], "qvel": [MUJOCO[7:]]}))
    for source in ("in.csv", "in.npy", "in.json"):
        arguments = [source, "--from", "mujoco", "--to", "newton", *COM]
        close(convert(folder, *arguments)[1], [NEWTON])
        run("state", *arguments, "--out", "out.npy", cwd=folder)
        close(numpy.load(folder / "out.npy").tolist(), [NEWTON])
        told = json.loads(run("state", *arguments, "--out", "out.json", "--json", cwd=folder).stdout)
        assert told["rows"] == 1 and told["out"] == "out.json" and told["to"] == "newton"
        columns = json.loads((folder / "out.json").read_text())
        close([[columns[name][0] for name in told["columns"]]], [NEWTON])


def test_without_out_the_states_are_printed_in_the_format_of_the_file(folder):
    write_csv(folder / "in.csv", MUJOCO)
    arguments = ["--from", "mujoco", "--to", "newton", *COM]
    printed = run("state", "in.csv", *arguments, cwd=folder).stdout.splitlines()
    assert printed[0].startswith("q0,q1,") and len(printed) == 2
    close([[float(cell) for cell in printed[1].split(",")]], [NEWTON])
    (folder / "in.json").write_text(json.dumps([{"q": MUJOCO[:7], "v": MUJOCO[7:]}]))
    printed = json.loads(run("state", "in.json", *arguments, cwd=folder).stdout)
    close([[printed[f"q{i}"][0] for i in range(7)]], [NEWTON[:7]])
    numpy.save(folder / "in.npy", numpy.array([MUJOCO]))
    assert "--out" in run("state", "in.npy", *arguments, cwd=folder, code=1).stderr


def test_neither_the_states_nor_the_model_are_overwritten(folder):
    write_csv(folder / "in.csv", MUJOCO)
    arguments = ["in.csv", "--from", "mujoco", "--to", "newton"]
    assert "destroy" in run("state", *arguments, "--out", "in.csv", cwd=folder, code=1).stderr
    os.link(folder / "robot.xml", folder / "robot.csv")
    assert "destroy" in run("state", *arguments, "--model", "robot.xml", "--out", "robot.csv", cwd=folder, code=1).stderr
    assert "out.xyz" in run("state", *arguments, "--out", "out.xyz", cwd=folder, code=1).stderr
    assert sorted(path.name for path in folder.iterdir()) == ["in.csv", "pendulum.xml", "robot.csv", "robot.xml"]


def test_an_old_output_stays_when_the_new_one_fails(folder):
    write_csv(folder / "in.csv", MUJOCO, [float("nan"), *MUJOCO[1:]])
    (folder / "out.csv").write_text("old\n")
    run("state", "in.csv", "--from", "mujoco", "--to", "newton", "--out", "out.csv", cwd=folder, code=1)
    assert (folder / "out.csv").read_text() == "old\n"
    write_csv(folder / "in.csv", MUJOCO)
    run("state", "in.csv", "--from", "mujoco", "--to", "newton", "--out", "out.csv", cwd=folder)
    assert (folder / "out.csv").read_text() != "old\n"
    assert not [path.name for path in folder.iterdir() if "tmp" in path.name]


def test_what_cannot_be_written_is_an_error_and_leaves_nothing(folder):
    write_csv(folder / "in.csv", MUJOCO)
    arguments = ["in.csv", "--from", "mujoco", "--to", "newton", "--out"]
    assert "cannot be written" in run("state", *arguments, "nowhere/out.csv", cwd=folder, code=1).stderr
    (folder / "folder.csv").mkdir()
    assert "folder.csv" in run("state", *arguments, "folder.csv", cwd=folder, code=1).stderr
    os.mkfifo(folder / "pipe.csv")
    assert "pipe.csv" in run("state", *arguments, "pipe.csv", cwd=folder, code=1).stderr
    (folder / "link.csv").symlink_to("real.csv")
    run("state", *arguments, "link.csv", cwd=folder)
    assert (folder / "link.csv").is_symlink() and (folder / "real.csv").exists()
    assert not [path.name for path in folder.iterdir() if "tmp" in path.name]


def test_a_long_file_shows_progress_on_a_terminal_only(folder):
    numpy.save(folder / "long.npy", numpy.tile(MUJOCO, (400_000, 1)))
    arguments = ["state", "long.npy", "--from", "mujoco", "--to", "newton", *COM, "--out", "out.npy"]
    assert "%" in run_on_terminal(*arguments, cwd=folder)
    result = run(*arguments, cwd=folder)
    assert not result.stderr and result.stdout == "out.npy: 400,000 rows of 13 numbers, mujoco to newton\n"
    rows = numpy.load(folder / "out.npy")
    assert rows.shape == (400_000, 13)
    close([rows[-1].tolist()], [NEWTON])


# --- what is wrong with the input ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "column, value, told",
    [
        (2, "nan", "row 2, column 2 ('2'): nan is not a number"),
        (8, "inf", "row 2, column 8 ('8'): inf is not a number"),
        (3, "0.5", "row 2, columns 3 to 6 ('3' to '6'): a quaternion of length 0.866"),
        (5, "word", "row 2, column 5 ('5'): 'word' is not a number"),
    ],
)
def test_a_bad_number_is_told_with_its_row_and_column(folder, column, value, told):
    bad = [repr(float(cell)) for cell in MUJOCO]
    bad[column] = value
    good = ",".join(repr(float(cell)) for cell in MUJOCO)
    (folder / "in.csv").write_text(f"{good}\n{','.join(bad)}\n{good}\n")
    text = error_of(folder, "in.csv", "--from", "mujoco", "--to", "newton")
    assert told in text and "in.csv" in text


def test_a_bad_quaternion_of_a_named_column_is_told_by_name(folder):
    titles = "x y z qw qx qy qz".split()
    write_csv(folder / "in.csv", [0, 0, 0, 2, 0, 0, 0], titles=titles)
    assert "('qw' to 'qz'): a quaternion of length 2" in error_of(folder, "in.csv", "--from", "mujoco", "--to", "drake")


def test_a_matrix_that_is_no_rotation_is_told(folder):
    write_csv(folder / "in.csv", [1, 0, 0, 0, 1, 0, 0, 0, -1, 0, 0, 0])
    text = error_of(folder, "in.csv", "--from", "modern_robotics.body", "--to", "mujoco")
    assert "row 1, columns 0 to 8" in text and "not a rotation" in text


@pytest.mark.parametrize("width", [1, 6, 9, 12, 15])
def test_a_wrong_width_tells_which_would_fit(folder, width):
    write_csv(folder / "in.csv", [1] * width)
    text = error_of(folder, "in.csv", "--from", "mujoco", "--to", "newton")
    told = "7 coordinates are 7 columns, with 6 velocities 13; time is one more"
    assert f"{width} columns are not the state of one free body ({told}), so a model is needed" in text
    assert "7 coordinates, 6 velocities and 6 forces are 19 columns" in error_of(
        folder, "in.csv", "--from", "mujoco", "--to", "newton", "--forces"
    )


def test_rows_of_different_widths_are_told(folder):
    (folder / "in.csv").write_text("0,0,0,1,0,0,0\n0,0,0,1,0,0\n")
    assert "row 2 has 6 cells, not 7" in error_of(folder, "in.csv", "--from", "mujoco", "--to", "newton")


@pytest.mark.parametrize(
    "change, told",
    [
        ({"qpos.lhip": "qpos.lhipp"}, "has no joint 'lhipp' (did you mean 'lhip'?)"),
        ({"qpos.lhip": "speed"}, "unknown column 'speed'; known titles are time, q0"),
        ({"qpos.lhip": "qpos.rhip"}, "has 0 columns of coordinates, not 1 (lhip)"),
        ({"qpos.root.qw": "qpos.root.q_w"}, "the columns of joint 'root' should be root.x, root.y, root.z, root.qw"),
    ],
)
def test_a_title_that_does_not_fit_the_model_is_explained(folder, change, told):
    run("sim", "robot.xml", "--steps", 1, "--csv", "run.csv", cwd=folder)
    titles, rows = read_csv(folder / "run.csv")
    write_csv(folder / "run.csv", *rows, titles=[change.get(title, title) for title in titles])
    assert told in error_of(folder, "run.csv", *TO_ISAAC, "--model", "robot.xml")


@pytest.mark.parametrize(
    "titles, told",
    [
        ("q0 q1 q2 q3 q4 q5 q7", "column 'q7' does not exist: one free body has 7 coordinates, q0 to q6"),
        ("q0 q1 q2 q3 q4 q5 q5", "two columns are coordinate 5"),
        ("q0 q1 q2 q3 q4 q5 time", "no column is coordinate 6 (q6)"),
    ],
)
def test_numbers_of_columns_that_do_not_fit_are_explained(folder, titles, told):
    write_csv(folder / "in.csv", [0, 0, 0, 1, 0, 0, 0], titles=titles.split())
    assert told in error_of(folder, "in.csv", "--from", "mujoco", "--to", "newton")


@pytest.mark.parametrize("name", ["x.txt", "x", "x.xlsx", "x.csv.gz"])
def test_an_ending_that_says_no_format_is_refused_before_anything_is_read(folder, name):
    result = run("state", "missing.csv", *TO_ISAAC, "--model", "missing.xml", "--out", name, cwd=folder, code=1)
    assert f"{name}: unknown file extension; choose .csv, .tsv, .json or .npy" in result.stderr
    assert "missing" not in result.stderr and not (folder / name).exists()


@pytest.mark.parametrize(
    "titles, row",
    [
        (["time", "qpos.root.x", "qpos.elbow"], [0, 1, 2]),  # as torsor sim writes
        (["q.elbow", "v.elbow"], [1, 2]),
        (["elbow", "q0"], [1, 2]),
        ([f"q{i}" for i in range(9)], range(9)),
        (None, range(9)),  # not the 7, 8, 13 or 14 of one body
    ],
)
def test_without_a_model_states_of_joints_say_that_one_is_needed_and_why(folder, titles, row):
    write_csv(folder / "run.csv", row, titles=titles)
    text = error_of(folder, "run.csv", *TO_ISAAC)
    assert "so a model is needed" in text and "pass --model FILE: it tells which joints there are" in text


@pytest.mark.parametrize(
    "arguments, told",
    [
        (["--from", "mujocco", "--to", "newton"], "did you mean 'mujoco'"),
        (["--from", "mujoco", "--to", "isaaclab"], "ambiguous; choose one of isaaclab2, isaaclab3"),
        (["--from", "mujoco", "--to", "physx"], "the physx convention does not specify what a pose needs"),
        (["--from", "mujoco", "--to", "newton", "--model", "nowhere.xml"], "nowhere.xml"),
        (["--from", "mujoco", "--to", "newton", "--rows", "nowhere.json"], "nowhere.json"),
    ],
)
def test_ids_and_files_that_do_not_exist_are_errors(folder, arguments, told):
    write_csv(folder / "in.csv", MUJOCO)
    assert told in error_of(folder, "in.csv", *arguments)
    assert "missing.csv" in error_of(folder, "missing.csv", "--from", "mujoco", "--to", "newton")


@pytest.mark.parametrize(
    "arguments",
    [
        [],
        ["in.csv"],
        ["in.csv", "--from", "mujoco"],
        ["in.csv", "--from", "mujoco", "--to", "newton", "--com", "1", "2"],
        ["in.csv", "--from", "mujoco", "--to", "newton", "--model", "robot.xml", "--com", "1", "2", "3"],
        ["in.csv", "--from", "mujoco", "--to", "newton", "--time", "last"],
        ["in.csv", "--from", "mujoco", "--to", "newton", "--form", "csv"],
    ],
)
def test_wrong_usage_is_exit_code_2(folder, arguments):
    result = run("state", *arguments, cwd=folder, code=2)
    assert result.stderr.startswith("error: ") and "torsor state --help" in result.stderr and not result.stdout
