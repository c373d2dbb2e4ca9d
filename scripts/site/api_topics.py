"""The API reference: which names of torsor belong to which topic, in the order in which they are shown."""

from dataclasses import dataclass


@dataclass
class Topic:
    file: str
    title: str
    introduction: str
    names: list


MODULES = ["conventions", "rotations", "linear", "motion", "sap", "flight", "newton", "usd", "cluster", "search"]
CLASSES_WITH_FIELDS = {"Model", "Data"}  # their arrays are on the page of fields
CLASSES_WITH_BASES = {"Batch", "DeviceBatch"}  # shown with the methods that they have in common

TOPICS = [
    Topic("model", "Models", """\
A `Spec` is an editable model, a `Model` a compiled one. The arrays and sizes of a `Model` are listed in
[Fields](../docs/reference/fields.md), the elements of MJCF in [MJCF](../docs/reference/mjcf.md).
""", ["Model", "Spec", "set_const", "Option", "Statistic", "Error", "Diagnostic", "FieldDifference", "convert", "Conversion", "Loss",
      "to_urdf", "UrdfFiles"]),
    Topic("data", "Data, state and keyframes", """\
A `Data` is one world: its state, its inputs and all results. Its arrays are listed in
[Fields](../docs/reference/fields.md); callbacks are attributes of the `Data`.
""", ["Data", "reset_data", "reset_data_keyframe", "set_keyframe", "get_state", "set_state", "copy_state", "extract_state",
      "state_size", "warn", "warning_text", "WarningList", "WarningStat", "TimerList", "TimerStat"]),
    Topic("simulation", "Stepping, forward and inverse dynamics", """\
Whole steps, forward and inverse dynamics, and the stages that they consist of.
""", ["step", "step1", "step2", "forward", "forward_skip", "inverse", "inverse_skip", "compare_forward_inverse",
      "fwd_position", "fwd_velocity", "fwd_actuation", "fwd_acceleration", "fwd_constraint", "kinematics", "com_pos",
      "com_vel", "camlight", "tendon", "crb", "passive", "rne", "rne_post_constraint", "subtree_vel", "energy_pos",
      "energy_vel", "implicit", "implicitfast", "euler", "rk4", "rkmk4"]),
    Topic("many", "Many worlds and rollouts", """\
Many worlds of one model at once. [Many worlds](../docs/batch.md) is the guide to `Batch`, [Worlds on a GPU](../docs/gpu.md)
to `DeviceBatch`, and [Programming a
simulation](../docs/simulation.md#many-worlds-and-threads) says which to use when.
""", ["Batch", "BatchElement", "BatchStage", "DeviceBatch", "DeviceArray", "devices", "DeviceInfo", "rollout", "isa", "available_isas", "use_isa"]),
    Topic("contact", "Contacts, constraints and rays", """\
[Contact and constraints](../docs/contact.md) explains the pipeline and its settings.
""", ["Contact", "ContactList", "contact_force", "collision", "set_collision_function", "add_contact", "geom_distance",
      "ray", "ray_geom", "multi_ray", "efc_AR", "efc_JT", "efc_csr", "mul_jac_vec", "mul_jac_t_vec", "is_pyramidal",
      "is_sparse", "SolverStatistic"]),
    Topic("motion", "Jacobians, velocities and forces", """\
Quantities of a state: Jacobians, velocities of objects, joint-space inertia, coordinates. Frames and points are those of
[Notation](../docs/notation.md).
""", ["jac", "jac_body", "jac_body_com", "jac_geom", "jac_site", "jac_subtree_com", "jac_point_axis", "jac_dot",
      "object_velocity", "object_acceleration", "apply_ft", "local_to_global", "full_m", "mul_m", "half_mul_m", "solve_m",
      "half_solve_m", "factor_m", "legacy_m", "integrate_pos", "differentiate_pos", "normalize_quat"]),
    Topic("derivatives", "Derivatives", """\
Derivatives of a step, of forward and of inverse dynamics, by finite differences.
""", ["transition_derivatives", "TransitionDerivatives", "forward_derivatives", "ForwardDerivatives",
      "inverse_derivatives", "InverseDerivatives"]),
    Topic("delays", "Delays of actuators and sensors", """\
Histories of controls and readings, for actuators and sensors with a delay.
""", ["read_ctrl", "read_sensor", "init_ctrl_history", "init_sensor_history"]),
    Topic("quaternions", "Quaternions and poses", """\
Quaternions are w x y z; a pose is a position and a quaternion. `torsor.rotations` has all other representations.
""", ["mul_quat", "neg_quat", "rot_vec_quat", "quat_to_mat", "mat_to_quat", "axis_angle_to_quat", "euler_to_quat",
      "integrate_quat", "sub_quat", "mul_quat_axis", "deriv_quat", "quat_to_vel", "quat_z_to_vec", "mul_pose", "neg_pose",
      "trn_vec_pose"]),
    Topic("states", "States and bodies in other conventions", """\
Whole states, bodies, loads, shapes and orders in the [conventions](../docs/conventions.md) of other systems. The same names
are in `torsor.conventions`.
""", ["StateMap", "SapBoundary", "SapContacts", "body_pose", "body_twist", "body_wrench", "set_body_wrench",
      "apply_body_wrench", "body_jacobian", "joint_forces", "set_joint_forces", "convert_shape", "convert_placed_shape",
      "shape_fromto", "shape_mass", "shape_systems", "body_order", "joint_order", "dof_order", "qpos_order",
      "body_permutation", "joint_permutation", "dof_permutation", "qpos_permutation", "actuator_permutation",
      "name_permutation", "inverse_permutation", "compose_permutations", "detect", "detect_file"]),
    Topic("motion_clips", "Motion clips", """\
[Motion clips](../docs/motion.md) is the guide. The same classes are in `torsor.motion`.
""", ["MotionClip", "MotionLibrary"]),
    Topic("view", "Looking at simulations", """\
[Look at it](../docs/view.md) and [Pictures and plots](../docs/pictures.md) are the guides.
""", ["show", "Recording", "view", "View", "Renderer", "Camera"]),
    Topic("elements", "Named elements", """\
What `model.body("arm")`, `data.joint("hinge")` and the like return: views of the arrays that belong to one element.
""", ["ModelBody", "ModelJoint", "ModelGeom", "ModelSite", "ModelCamera", "ModelLight", "ModelMesh", "ModelHfield",
      "ModelTexture", "ModelMaterial", "ModelPair", "ModelExclude", "ModelEquality", "ModelTendon", "ModelSensor",
      "ModelNumeric", "ModelText", "ModelTuple", "ModelKey", "DataBody", "DataJoint", "DataGeom", "DataSite", "DataCamera",
      "DataLight", "DataEquality", "DataTendon", "DataSensor"]),
    Topic("enums", "Enumerations and flags", """\
Values of integer arrays and options.
""", ["JointType", "GeomType", "MeshCollision", "ObjectType", "EqualityType", "WrapType", "Transmission",
      "ActuatorDynamics", "ActuatorGain", "ActuatorBias", "SensorType", "SensorData", "SensorStage", "Integrator", "Solver",
      "FrictionMix", "DisableFlag", "EnableFlag", "SkipStage", "StateBit", "Status", "Warning", "Timer", "SameFrame",
      "SleepPolicy", "SleepState",
      "TrackingMode"]),
    Topic("schema", "Lists of fields and of MJCF, visual settings", """\
What the reference pages are made from, and the settings in `model.vis`.
""", ["fields", "field_names", "FieldInfo", "schema", "schema_elements", "schema_status", "SchemaElement",
      "SchemaAttribute", "Visual", "VisualGlobal", "VisualQuality", "VisualHeadlight", "VisualMap", "VisualScale",
      "VisualRgba", "version"]),
]
