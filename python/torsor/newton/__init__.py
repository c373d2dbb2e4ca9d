"""Newton's API for building and stepping models, on Torsor's engine.

    import torsor.newton as newton

    builder = newton.ModelBuilder()
    builder.add_ground_plane()
    body = builder.add_body(xform=newton.transform((0, 0, 1)))
    builder.add_shape_box(body, hx=0.1, hy=0.1, hz=0.1)
    model = builder.finalize()

    solver = newton.solvers.SolverMuJoCo(model)
    state_0, state_1, control = model.state(), model.state(), model.control()
    for _ in range(100):
        state_0.clear_forces()
        contacts = model.collide(state_0)
        solver.step(state_0, state_1, control, contacts, 0.005)
        state_0, state_1 = state_1, state_0

Names, arguments and defaults are Newton's. Arrays are NumPy arrays of float64, or Warp arrays if Warp is imported. Transforms are seven numbers (position,
quaternion xyzw); twists and wrenches are six, linear part first, at the centre of mass and in the world's axes.
docs/newton.md lists the differences from Newton. Errors raise torsor.Error.
"""

from torsor.newton import ik as ik
from torsor.newton import math as math
from torsor.newton import selection as selection
from torsor.newton import solvers as solvers
from torsor.newton import usd as usd
from torsor.newton import utils as utils
from torsor.newton._array import Array as Array
from torsor.newton._builder import ModelBuilder as ModelBuilder
from torsor.newton._evaluate import eval_fk as eval_fk
from torsor.newton._evaluate import eval_ik as eval_ik
from torsor.newton._evaluate import eval_jacobian as eval_jacobian
from torsor.newton._evaluate import eval_mass_matrix as eval_mass_matrix
from torsor.newton._geometry import Heightfield as Heightfield
from torsor.newton._geometry import Mesh as Mesh
from torsor.newton._model import Model as Model
from torsor.newton._pipeline import CollisionPipeline as CollisionPipeline
from torsor.newton._state import Contacts as Contacts
from torsor.newton._state import Control as Control
from torsor.newton._state import State as State
from torsor.newton._types import MAXVAL as MAXVAL
from torsor.newton._types import Axis as Axis
from torsor.newton._types import BodyFlags as BodyFlags
from torsor.newton._types import GeoType as GeoType
from torsor.newton._types import JointTargetMode as JointTargetMode
from torsor.newton._types import JointType as JointType
from torsor.newton._types import ModelFlags as ModelFlags
from torsor.newton._types import ShapeFlags as ShapeFlags
from torsor.newton._types import Version as Version
from torsor.newton._types import quat_from_axis_angle as quat_from_axis_angle
from torsor.newton._types import quat_identity as quat_identity
from torsor.newton._types import quat_inverse as quat_inverse
from torsor.newton._types import quat_multiply as quat_multiply
from torsor.newton._types import quat_rotate as quat_rotate
from torsor.newton._types import quat_rpy as quat_rpy
from torsor.newton._types import transform as transform
from torsor.newton._types import transform_identity as transform_identity
from torsor.newton._types import transform_inverse as transform_inverse
from torsor.newton._types import transform_multiply as transform_multiply
from torsor.newton._types import transform_point as transform_point

use_coord_layout_targets = True
"""Whether joint_target_q has the layout of joint_q, as in Newton 1.5 and later, or one number for each axis."""
