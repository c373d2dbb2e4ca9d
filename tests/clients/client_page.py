"""docs/mujoco_clients.md, from the results of run_clients.py."""

ENVIRONMENTS = {"gymnasium": "Gymnasium", "dm_control": "dm_control", "gymnasium_robotics": "Gymnasium-Robotics",
                "metaworld": "MetaWorld", "robosuite": "robosuite", "mink": "mink"}
WITH_EXACT = ("dm_control", "gymnasium_robotics")  # that run with tolerances of zero, too
MUJOCO_TESTS = ("bindings_test", "specs_test", "rollout_test", "batch_test", "minimize_test", "vfs_test", "thread_safety_test",
                "renderer_test")
GYMNASIUM_TESTS = ("gymnasium_checks",)
DM_CONTROL_TESTS = tuple(f"dm_control.{name}" for name in (
    "suite.suite_test", "suite.loader_test", "suite.lqr_test", "rl.control_test",
    "mujoco.engine_test", "mujoco.index_test", "mujoco.math_test", "mujoco.render_test", "mujoco.thread_safety_test",
    "mujoco.wrapper.core_test", "mujoco.wrapper.mjbindings_test",
    "mjcf.attribute_test", "mjcf.code_for_debugging_test", "mjcf.copier_test", "mjcf.debugging_test", "mjcf.element_test",
    "mjcf.export_with_assets_as_zip_test", "mjcf.export_with_assets_test", "mjcf.physics_test", "mjcf.schema_test", "mjcf.skin_test",
    "mjcf.traversal_utils_test", "mjcf.xml_validation_test", "utils.inverse_kinematics_test"))
MINK_TESTS = ("mink.lie.tests.test_axioms", "mink.lie.tests.test_operations")
ALIKE = 1e-9
# why tests fail that no change of the facade is planned for, by the beginning of "file.test"
REASONS = {
    "bindings_test.test_array_keeps_struct_alive": "counts references to MuJoCo's capsules; arrays keep their memory alive here, too",
    "bindings_test.test_can_raise_error": "fills MuJoCo's stack by writing `pstack`; this engine's cannot be written",
    "bindings_test.test_docstrings": "expects MuJoCo's documentation as text; ours differs",
    "bindings_test.test_mj_step_multiple": "expects MuJoCo's documentation as text; ours differs",
    "bindings_test.test_mj_contact_list": "all but the last part: geoms of contacts cannot be overwritten, since the engine follows them",
    "bindings_test.test_mj_embedAssets": "all but the last part: pixels of a file that is deleted afterwards are still known here",
    "bindings_test.test_realloc": "private functions of MuJoCo's memory",
    "bindings_test.test_timer_installed_by_default": "timers are off until `data.timers_on = True`, since clocks cost time",
    "bindings_test.test_unallocated_arena_arrays": "about memory that MuJoCo did not allocate; arrays are always there here",
    "rollout_test.test_intercept_mj_errors": "the impossible solver is refused when it is assigned, not by the step",
    "batch_test.test_expand_bvh": "the engine has no bounding volume hierarchies of bodies",
    "batch_test.test_set_const_refits": "the engine has no bounding volume hierarchies of bodies",
    "dm_control.mujoco.wrapper.core_test.testReadWriteArray": "a result that the engine does not let anybody write",
    "dm_control.mujoco.engine_test.testCameraSelection": "`mjv_select`, a part of drawing, is not there",
    "dm_control.mujoco.engine_test.testCustomRenderFlags": "wireframes are not drawn",
    "dm_control.mujoco.engine_test.testRenderFlags": "wireframes are not drawn",
    "dm_control.mjcf.physics_test.test_write_to_i": "`body_simple` says how M is stored, and cannot be written",
}
LEFT_OUT = ("plugin", "flex", "extension", "test_compile_warnings", "test_make_mesh_procedural")

INTRODUCTION = """\
# Programs written for MuJoCo

The following run on [`torsor.mujoco`](mujoco.md) from their wheels, unmodified. `scripts/test_clients --write` runs them and writes
this page.

Environments run with Torsor and with MuJoCo 4.0 from the same state under the same 50 random actions. *Difference* is the largest one of
all observations and rewards. *Rounding* is how far MuJoCo gets from itself if the first positions differ by 1e-15: where contacts
amplify differences, the two are of the same size.
"""


def number(value):
    return "0" if value == 0 else f"{value:.1e}"


def is_alike(row):
    return row.get("difference", 0) <= ALIKE


def gymnasium_part(rows):
    text = "\n## Gymnasium\n\n*One step*: the largest relative difference of velocities after one step from the same state, in any state of the "
    text += "run. *Speed*: how many times as fast `env.step` is, by processor time.\n\n"
    text += "| environment | difference | rounding | one step | speed |\n|---|---|---|---|---|\n"
    for name, row in rows.items():
        numbers = (number(row["difference"]), number(row["spread"]), number(max(row["one_step"])), f"{row['speed']:.1f}") if (
            "difference" in row) else (row.get("fault", row.get("their_fault")), "", "", "")
        text += f"| {name} | {' | '.join(numbers)} |\n"
    for name, row in rows.items():
        if "sequences" in row:
            text += sequences_part(name, row["sequences"])
    return text


def sequences_part(name, row):
    """What an environment says that got further apart than ALIKE."""
    (ours, noise), (above, noise_above) = row["medians"], row["above"]
    return (f"\n`{name}` gets further apart than {ALIKE:g} because its contacts amplify rounding, MuJoCo's own as well: of {row['count']} "
            f"sequences of 50 random actions, {above} end further apart with Torsor, and {noise_above} with MuJoCo after a change of 1e-15. "
            f"The medians are {number(ours)} and {number(noise)}.\n")


def environments_part(title, rows):
    runs = [name for name, row in rows.items() if "fault" not in row]
    theirs = [name for name, row in rows.items() if "their_fault" not in row]
    compared = [name for name, row in rows.items() if "difference" in row]
    far = [name for name in compared if not is_alike(rows[name])]
    text = f"\n## {title}\n\n{len(runs)} of {len(rows)} run; with MuJoCo 4.0, {len(theirs)}."
    if title == "dm_control":
        text += " (dm_control 1.0.50 reads fields that MuJoCo 4.0 has dropped; for the comparison MuJoCo got empty ones.)"
    if compared:
        text += f" Of {len(compared)} that run with both, {len(compared) - len(far)} differ by at most {ALIKE:g}."
    text += "\n"
    if title == "dm_control" and far:
        text += "\nIn `humanoid_CMU`, capsules touch ellipsoids, which have no closed form. In `stacker`, both solvers stop within their "
        text += "tolerance of the solution.\n"
    if title == "Gymnasium-Robotics" and far:
        closed, others = (max(row["one_step"][i] for row in rows.values() if "one_step" in row) for i in (0, 1))
        text += "\nIn the environments of `AdroitHand`, capsules touch cylinders and cylinders touch boxes. MuJoCo searches for such contacts up to "
        text += "`ccd_tolerance`, Torsor up to rounding. From the same state, one step of both differs by at most "
        text += f"{number(closed)} without such contacts, and by up to {number(others)} with them, relative to the velocities.\n"
    if far:
        text += "\n*Exact*: the same if the solvers and MuJoCo's search for contacts go on until rounding stops them (`tolerance`, "
        text += "`ls_tolerance`, `ccd_tolerance`, `ccd_iterations`).\n"
        text += "\n| further apart | difference | rounding | difference, exact | rounding, exact |\n|---|---|---|---|---|\n"
        for name in far:
            numbers = [rows[name]["difference"], rows[name]["spread"], *rows[name].get("exact", ())]
            text += f"| {name} | {' | '.join(map(number, numbers))}{' |' * (5 - len(numbers))}\n"
    for name, row in rows.items():
        if "fault" in row:
            text += f"\n- {name}: `{row['fault'].replace('`', '')}`"
    their_faults = sorted({row["their_fault"] for row in rows.values() if "their_fault" in row})
    if their_faults:
        text += "\nMuJoCo 4.0 alone: " + ", ".join(f"`{fault.replace('`', '')}`" for fault in their_faults) + "\n"
    return text


def scripts_part(rows):
    text = "\n## Scripts\n\n`tests/clients/scripts` has programs as users write them. What they print is the same with both modules, numbers "
    text += "to 1e-9 unless a value is a finite difference or follows contacts for a while.\n\n"
    text += "| script | | results | that differ |\n|---|---|---|---|\n"
    for name, row in rows.items():
        wrong = row["fault"] or ", ".join(f"{what} ({how})" for what, how in row["differ"].items()) or "none"
        text += f"| `{name}.py` | {row['about']} | {row['values']} | {wrong} |\n"
    return text


def calls_part(rows):
    ratios = sorted(theirs / ours for ours, theirs in rows.values())
    slower = {name: each for name, each in rows.items() if each[0] > each[1]}
    text = f"\n## Calls\n\n`tests/clients/measure_calls.py` calls {len(rows)} functions, fields and named elements of both modules on a small model, "
    text += f"where what is measured is the call. {len(rows) - len(slower)} are as fast or faster with Torsor; the median is "
    text += f"{ratios[len(ratios) // 2]:.1f} times as fast.\n"
    if slower:
        text += "\n| slower | Torsor, ns | MuJoCo, ns |\n|---|---|---|\n"
        text += "".join(f"| `{name}` | {1e9 * ours:.0f} | {1e9 * theirs:.0f} |\n" for name, (ours, theirs) in slower.items())
    return text


def loading_part(rows):
    text = "\n## Loading\n\nMilliseconds of processor time of `MjModel.from_xml_path` for robots with large meshes, in a process that has loaded the file before, so that "
    text += "MuJoCo's cache of assets is warm, and so is [Torsor's](decisions/0087-meshes-are-recalled-by-their-contents.md).\n\n| file | meshes, MB | Torsor | MuJoCo |\n|---|---|---|---|\n"
    for name, (size, ours, theirs) in rows.items():
        text += f"| {name} | {size / 1e6:.1f} | {1e3 * ours:.1f} | {1e3 * theirs:.1f} |\n"
    return text


def is_left_out(name, message):
    return any(word in name or word in message for word in LEFT_OUT)


def reason_of(name, message):
    found = [text for start, text in REASONS.items() if name.startswith(start)]
    return found[0] if found else f"`{message.replace('`', '')}`"


def tests_part(title, names, results, note):
    rows = {name: results[name] for name in names if name in results}
    failed = {f"{name}.{test}": message for name, row in rows.items() for test, message in row["fail"].items()}
    counted = {name: message for name, message in failed.items() if not is_left_out(name, message)}
    passed = sum(row["pass"] for row in rows.values())
    text = f"\n## {title}\n\n{note}\n\n| file | pass | fail | skipped |\n|---|---|---|---|\n"
    for name, row in rows.items():
        text += f"| `{name}` | {row['pass']} | {len(row['fail'])} | {row['skip']} |\n"
    if passed:
        share = 100 * passed / (passed + len(counted))
        what = " that need neither plugins nor flexes" if len(counted) < len(failed) else ""
        others = " The others:" if counted else ""
        text += f"\n{share:.1f} % of those pass{what} ({passed} of {passed + len(counted)}).{others}\n"
    last = ""
    for name, message in counted.items():
        reason = reason_of(name, message)
        if reason == last and name[-1].isdigit():  # the same test with other parameters
            continue
        last = reason
        text += f"\n- `{name}`: {reason}"
    left_out = sorted(set(failed) - set(counted))
    if left_out:
        text += f"\n\nThey need plugins or flexes: {', '.join(f'`{name}`' for name in left_out)}."
    return text + "\n"


def page(results):
    text = INTRODUCTION
    if "gymnasium" in results:
        text += gymnasium_part(results["gymnasium"])
    for name, title in ENVIRONMENTS.items():
        if name in results and name != "gymnasium":
            text += environments_part(title, results[name])
    if "scripts" in results:
        text += scripts_part(results["scripts"])
    if "calls" in results:
        text += calls_part(results["calls"])
    if results.get("loading"):
        text += loading_part(results["loading"])
    text += tests_part("MuJoCo's own tests", MUJOCO_TESTS, results, "From the wheel of MuJoCo 4.0.")
    if any(name in results for name in GYMNASIUM_TESTS):
        text += tests_part("Gymnasium's own checks", GYMNASIUM_TESTS, results, "Gymnasium's checkers (`check_env`, `check_environments_match`) on its "
                           "MuJoCo environments, their pictures, and vectors of them (`tests/clients/gymnasium_checks.py`). Neither its wheels "
                           "nor its source archives have its tests of these environments.")
    if any(name in results for name in DM_CONTROL_TESTS):
        text += tests_part("dm_control's own tests", DM_CONTROL_TESTS, results, "From the wheel of dm_control.")
    if any(name in results for name in MINK_TESTS):
        text += tests_part("mink's own tests", MINK_TESTS, results, "From the wheel of mink 0.0.2: of rotations and poses, which call MuJoCo's "
                           "functions. Neither wheels nor source archives of later versions have tests.")
    return text
