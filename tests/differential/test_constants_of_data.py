"""What mj_setConst and mj_resetData of torsor.mujoco leave in the data, beside MuJoCo's."""

import mujoco
import numpy as np

import torsor.mujoco

SCENE = """<mujoco><option><flag sleep='enable'/></option><worldbody><camera mode='targetbody' target='b' pos='1 2 3'/>
<light mode='targetbody' target='b' pos='1 0 3' dir='0 1 0'/><body name='b' pos='0 0 1' sleep='{}'><joint type='slide' axis='0 0 1'
ref='.1' springref='.3'/><geom size='.1' gap='0'/></body></worldbody></mujoco>"""


def after_set_const(module):
    model = module.MjModel.from_xml_string(SCENE.format("allowed"))
    data = module.MjData(model)
    data.qpos[0], data.qvel[0], data.qfrc_applied[0], data.time = 2, 1, 3, 4
    module.mj_forward(model, data)
    module.mj_setConst(model, data)
    return {name: np.array(getattr(data, name)) for name in ("time", "qpos", "qvel", "qfrc_applied", "xpos", "xipos", "geom_xpos",
                                                              "subtree_com", "cam_xpos", "cam_xmat", "light_xpos", "light_xdir")}


def test_set_const_leaves_what_mujocos_leaves():
    theirs, ours = after_set_const(mujoco), after_set_const(torsor.mujoco)
    for name, wanted in theirs.items():
        np.testing.assert_allclose(ours[name], wanted, atol=1e-12, err_msg=name)
    assert theirs["qpos"][0] == 0.3 and theirs["time"] == 4


def test_set_const_wakes_and_a_reset_puts_to_sleep():
    for module in (mujoco, torsor.mujoco):
        text = SCENE.format("init").replace("<option>", "<option gravity='0 0 0'>").replace("springref='.3'", "")
        model = module.MjModel.from_xml_string(text)
        data = module.MjData(model)
        module.mj_resetData(model, data)
        assert list(data.tree_asleep) == [0]
        module.mj_setConst(model, data)
        assert list(data.tree_asleep) == [-11]
