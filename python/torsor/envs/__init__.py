"""Vector environments with Gymnasium's interface, on torsor.Batch: many worlds step together.

    import torsor.envs

    env = torsor.envs.make("Ant-v5", num_envs=64)
    observations, infos = env.reset(seed=0)
    observations, rewards, terminated, truncated, infos = env.step(env.action_space.sample())

There are Gymnasium's eleven MuJoCo tasks, and TaskEnv for any model with functions of your own. Needs Gymnasium
(`pip install gymnasium`), which has the models of its tasks; MuJoCo is not needed. Importing this module registers the
tasks as Torsor/Ant-v5 and so on, for gymnasium.make_vec.
"""

from typing import Any

try:
    import gymnasium
    from gymnasium.vector import AutoresetMode as AutoresetMode
except ImportError as error:
    raise ImportError("torsor.envs needs Gymnasium 1.1 or later: pip install gymnasium") from error

from torsor.envs._ant import AntEnv as AntEnv
from torsor.envs._batch_env import BatchEnv as BatchEnv
from torsor.envs._gymnasium_env import GymnasiumEnv as GymnasiumEnv
from torsor.envs._humanoid import HumanoidEnv as HumanoidEnv
from torsor.envs._humanoid import HumanoidStandupEnv as HumanoidStandupEnv
from torsor.envs._pendulums_and_arms import InvertedDoublePendulumEnv as InvertedDoublePendulumEnv
from torsor.envs._pendulums_and_arms import InvertedPendulumEnv as InvertedPendulumEnv
from torsor.envs._pendulums_and_arms import PusherEnv as PusherEnv
from torsor.envs._pendulums_and_arms import ReacherEnv as ReacherEnv
from torsor.envs._planar import HalfCheetahEnv as HalfCheetahEnv
from torsor.envs._planar import HopperEnv as HopperEnv
from torsor.envs._planar import SwimmerEnv as SwimmerEnv
from torsor.envs._planar import Walker2dEnv as Walker2dEnv
from torsor.envs._task_env import TaskEnv as TaskEnv

TASKS: dict[str, type[GymnasiumEnv]] = {
    f"{task.__name__.removesuffix('Env')}-v5": task
    for task in (AntEnv, HalfCheetahEnv, HopperEnv, HumanoidEnv, HumanoidStandupEnv, InvertedDoublePendulumEnv,
                 InvertedPendulumEnv, PusherEnv, ReacherEnv, SwimmerEnv, Walker2dEnv)
}


def make(task: str, num_envs: int = 1, **options: Any) -> GymnasiumEnv:
    """A task of Gymnasium's by its name, such as "Ant-v5"; options are those of the task and of BatchEnv.

    >>> env = torsor.envs.make("Hopper-v5", num_envs=32, autoreset_mode="SameStep", dtype="float32")
    >>> env.reset(seed=0)[0].dtype
    dtype('float32')
    """
    name = task if task in TASKS else f"{task}-v5"
    if name not in TASKS:
        raise ValueError(f"'{task}' is not one of the tasks {', '.join(TASKS)}; torsor.envs.TaskEnv makes others")
    return TASKS[name](num_envs, **options)


for _name, _task in TASKS.items():
    if f"Torsor/{_name}" not in gymnasium.registry:
        gymnasium.register(f"Torsor/{_name}", vector_entry_point=f"torsor.envs:{_task.__name__}")
