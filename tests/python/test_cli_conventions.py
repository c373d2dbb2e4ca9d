"""torsor conventions: the table, one row, differences, and rows of the user's own."""

import json

import pytest

from cli_support import has_escapes, run, run_on_terminal, without_escapes

MYLAB = {"id": "mylab", "from": "newton", "quat": "wxyz", "twist.point": "origin", "source": "our wiki"}


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "mylab.json").write_text(json.dumps(MYLAB))
    return tmp_path


def table_lines(text):
    """The lines of the table by id, without titles and legend."""
    return {line.split()[0]: line for line in text.split("\n\n")[0].splitlines()[1:]}


# --- the table ------------------------------------------------------------------------------------------------------


def test_the_table_has_a_line_for_every_row():
    lines = table_lines(run("conventions").stdout)
    ids = [row["id"] for row in json.loads(run("conventions", "--json").stdout)["conventions"]]
    assert list(lines) == ids and len(ids) > 30
    # what MuJoCo's and Drake's documents say
    assert lines["mujoco"].split() == "mujoco wxyz p r z-up O W B v w f t C W depth mujoco".split()
    assert lines["drake"].split() == "drake wxyz r p z-up O W W w v t f ? W depth+ drake".split()
    assert lines["sap.internal"].split()[9:] == "v -t f O W depth -".split()


@pytest.mark.parametrize("columns", [80, 100, 200])
def test_the_table_fits_the_terminal(columns):
    text = run_on_terminal("conventions", columns=columns)
    lines = [line.rstrip("\r") for line in without_escapes(text).split("\n")]
    assert max(map(len, lines)) <= columns
    assert has_escapes(text) and any(line.startswith("modern_robotics.spatial.linear_first") for line in lines)


def test_colours_are_for_terminals_only():
    for arguments in (["conventions"], ["conventions", "show", "mujoco"], ["conventions", "diff", "mujoco", "newton"]):
        assert not has_escapes(run(*arguments).stdout)
        assert has_escapes(run_on_terminal(*arguments))
        assert not has_escapes(run_on_terminal(*arguments, NO_COLOR="1"))


def test_json_describes_rows_cells_and_the_situation():
    known = json.loads(run("conventions", "--json").stdout)
    rows = {row["id"]: row for row in known["conventions"]}
    assert rows["pinocchio"]["cells"]["twist.linear"] == "body" and rows["pinocchio"]["checked"] == "pinocchio"
    assert rows["newton"]["checked"] is None
    assert rows["isaaclab3"]["open"] == ["euler", "wrench.linear", "wrench.angular", "ball", "multi_axis"]
    assert rows["sap.internal"]["example"]["wrench"] == [-19, -11, -5, -7, -8, -9]
    names = [cell["name"] for cell in known["cells"]]
    assert all(list(row["cells"]) == names for row in known["conventions"])
    assert "90 degrees about z" in known["situation"]["parts"]["body"]


# --- one row ----------------------------------------------------------------------------------------------------------


def test_show_has_every_cell_with_its_meaning_and_words():
    text = " ".join(run("conventions", "show", "drake").stdout.split())
    for cell in json.loads(run("conventions", "--json").stdout)["cells"]:
        assert f" {cell['name']} " in text and cell["meaning"] in text and f"({cell['words']})" in text
    assert "pose rotation first order of position and rotation" in text
    assert "wrench.point open" in text


def test_show_has_source_check_and_example_with_its_situation():
    text = " ".join(run("conventions", "show", "drake").stdout.split())
    assert "source Drake documentation, Multibody notation" in text and "checked by tests against drake" in text
    assert "not checked against the system itself" in run("conventions", "show", "newton").stdout
    assert "force (7, 8, 9), moment (10, 11, 12) about the centre of mass" in text
    assert "twist 1 2 3 4 5 6" in text and "assuming wrench.point=origin" in text


def test_show_takes_cells_in_brackets():
    shown = json.loads(run("conventions", "show", "physx[axes=y-up]", "--json").stdout)
    assert shown["cells"]["world"] == "x z -y" and "world" not in shown["open"]


@pytest.mark.parametrize("columns", [80, 120])
def test_show_fits_the_terminal(columns):
    text = without_escapes(run_on_terminal("conventions", "show", "modern_robotics.spatial.linear_first", columns=columns))
    assert max(len(line.rstrip("\r")) for line in text.split("\n")) <= columns


@pytest.mark.parametrize(
    "typed, told",
    [
        ("mujocco", "did you mean 'mujoco'"),
        ("isaaclab", "ambiguous; choose one of isaaclab2, isaaclab3"),
        ("physx[axs=z-up]", "did you mean 'axes'"),
        ("mujoco[quat=zyxw]", "known values: unspecified, wxyz, xyzw"),
        ("mujoco[world=unity]", "left-handed"),
        ("mujoco[quat=wxyz", "closing bracket"),
    ],
)
def test_an_id_that_is_wrong_is_explained(typed, told):
    for arguments in (["show", typed], ["diff", "newton", typed]):
        result = run("conventions", *arguments, code=1)
        assert told in result.stderr and not result.stdout


# --- differences --------------------------------------------------------------------------------------------------------


def test_diff_says_what_differs():
    assert run("conventions", "diff", "isaaclab2", "isaaclab3").stdout == (
        "quat (order of a quaternion's numbers): wxyz in isaaclab2, xyzw in isaaclab3\n"
    )
    told = json.loads(run("conventions", "diff", "isaaclab2", "isaaclab3", "--json").stdout)
    assert told["same"] is False
    assert told["differences"] == [
        {"cell": "quat", "meaning": "order of a quaternion's numbers", "a": "wxyz", "b": "xyzw"}
    ]


def test_diff_says_when_two_mean_the_same():
    assert run("conventions", "diff", "newton", "sap.public").stdout == "newton and sap.public are equivalent\n"
    assert json.loads(run("conventions", "diff", "newton", "sap.public", "--json").stdout)["same"] is True


# --- rows of the user's own -----------------------------------------------------------------------------------------------


def test_rows_of_a_file_are_known_to_every_command(folder):
    lines = table_lines(run("conventions", "--rows", "mylab.json", cwd=folder).stdout)
    assert list(lines)[-1] == "mylab" and "mylab" not in table_lines(run("conventions").stdout)
    shown = json.loads(run("conventions", "show", "mylab", "--rows", "mylab.json", "--json", cwd=folder).stdout)
    assert shown["source"] == "our wiki" and shown["example"] == {} and shown["checked"] is None
    assert "No worked example" in run("conventions", "--rows", "mylab.json", "show", "mylab", cwd=folder).stdout
    told = run("conventions", "diff", "newton", "mylab", "--rows", "mylab.json", cwd=folder).stdout
    assert [line.split()[0] for line in told.splitlines()] == ["quat", "twist.point"]


@pytest.mark.parametrize(
    "text, told",
    [
        ("{", "parse error"),
        ('{"id": "mujoco"}', "there already is a convention 'mujoco'"),
        ('{"id": "x", "quad": "wxyz"}', "no cell 'quad' (did you mean 'quat'?)"),
        ('{"id": "x", "quat": "zyxw"}', "'zyxw' is not a value of quat"),
    ],
)
def test_a_file_of_rows_that_is_wrong_is_named(folder, text, told):
    (folder / "bad.json").write_text(text)
    result = run("conventions", "--rows", "bad.json", cwd=folder, code=1)
    assert "bad.json" in result.stderr and told in result.stderr and not result.stdout
    assert "nowhere.json" in run("conventions", "--rows", "nowhere.json", cwd=folder, code=1).stderr


# --- help and usage ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("words", [["conventions"], ["conventions", "show"], ["conventions", "diff"], ["state"]])
def test_help_has_an_example_and_exit_codes(words):
    text = run(*words, "--help").stdout
    assert "Examples:\n" in text and f"  torsor {' '.join(words)}" in text and "Exit codes: 0 " in text


@pytest.mark.parametrize(
    "arguments, told",
    [
        (["shwo", "mujoco"], "unexpected argument 'shwo' of conventions (did you mean 'show'?)"),
        (["--jsn"], "unknown option '--jsn' of conventions (did you mean '--json'?)"),
        (["show"], "ID"),
        (["diff", "mujoco"], "B"),
        (["show", "mujoco", "newton"], "newton"),
    ],
)
def test_wrong_usage_is_exit_code_2(arguments, told):
    result = run("conventions", *arguments, code=2)
    assert told in result.stderr and "--help" in result.stderr and not result.stdout
