"""What differs in torsor.mujoco from MuJoCo although the name is there: read by make_mujoco_page.py.

Keys are names as the page shows them; those that MuJoCo does not have fail the test.
"""

NOTES = {
    "mj_flex": "does nothing: there are no flexes",
    "mj_projectConstraint": "does nothing: `torsor.efc_AR` computes the matrix when it is asked for",
    "mj_resetDataDebug": "resets like `mj_resetData`",
    "mj_resetDataKeyframe": "raises nothing for a keyframe that does not exist, like MuJoCo",
    "mj_setConst": "resets the data to the reference pose",
    "mj_saveModel": "Torsor's binary format",
    "mj_sizeModel": "of Torsor's binary format",
    "mju_encodePyramid": "all of `mu` counts",
    "mju_eig3": "returns 0, not the number of iterations",
    "mju_warningText": "in Torsor's words",
    "mju_threadpool": "does nothing: the threads of the package are kept",
    "MjModel.from_binary_path": "Torsor's binary format",
    "MjData.timer": "stages are timed while `data.timers_on`, or with `set_mjcb_time`",
    "MjLROpt": "has no function that takes it",
    "MjSolverStat": "entries of `data.solver` are of the class `torsor.SolverStatistic`",
    "MjTimerStat": "entries of `data.timer` are of the class `torsor.TimerStat`",
    "MjWarningStat": "entries of `data.warning` are of the class `torsor.WarningStat`",
    "MjvOption": "cameras, actuators, constraints, islands, range finders, convex hulls and bounding volumes are not drawn; labels of bodies, "
                 "geoms and sites only",
    "MjvPerturb": "holds the numbers; pages of `viewer` have drags of their own",
    "mjr_figure": "letters are Torsor's; axes lie a few pixels elsewhere",
    "MjData.solver": "zero from when rows are made until they are solved",
    "MjData.nisland": "islands are found when they are read or solved, also after `mj_makeConstraint` and `mj_inverse`; the discrete integrator's "
                      "are complete after `mj_fwdVelocity`",
    "MjData.efc_J": "a copy where the Jacobian is dense",
    "viewer.launch": "a page in the browser",
    "viewer.launch_passive": "a page in the browser",
    "viewer.launch_from_path": "a page in the browser",
    "viewer.Handle": "`sync`, `is_running`, `close` and `url` only",
}
