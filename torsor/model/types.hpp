// Enumerations shared by Spec, Model and Data. Values are MuJoCo's, with our extensions marked.
#pragma once

#include "torsor/geometry/shapes.hpp"  // GeomType
#include "torsor/math/config.hpp"

namespace torsor {

enum class JointType : int { kFree = 0, kBall = 1, kSlide = 2, kHinge = 3 };

// What of a mesh geom collides. MJCF's extension `meshcollision` of geoms.
enum class MeshCollision : int { kHull = 0, kTriangles = 1 };

// How a camera or light follows its body.
enum class TrackingMode : int { kFixed = 0, kTrack = 1, kTrackCom = 2, kTargetBody = 3, kTargetBodyCom = 4 };

enum class Integrator : int { kEuler = 0, kRk4 = 1, kImplicit = 2, kImplicitFast = 3, kDiscrete = 4 };

// What an actuator acts on, in actuator_trntype. kSo3 is the orientation of a ball joint or of a site in another's
// frame.
enum class Transmission : int {
  kJoint = 0,
  kJointInParent = 1,
  kSliderCrank = 2,
  kTendon = 3,
  kSite = 4,
  kBody = 5,
  kSo3 = 6,
};

// How an actuator's activation follows its controls, in actuator_dyntype.
enum class ActuatorDynamics : int {
  kNone = 0,
  kIntegrator = 1,
  kFilter = 2,
  kFilterExact = 3,
  kMuscle = 4,
  kDcMotor = 5,
  kPid = 6,
  kUser = 7,
};

// force = gain * (activation or control) + bias, in actuator_gaintype and actuator_biastype.
enum class ActuatorGain : int { kFixed = 0, kAffine = 1, kMuscle = 2, kDcMotor = 3, kSo3 = 4, kPid = 5, kUser = 6 };
enum class ActuatorBias : int { kNone = 0, kAffine = 1, kMuscle = 2, kDcMotor = 3, kSo3 = 4, kUser = 5 };

// Which controls an actuator has, in actuator_ctrlspec: for kPid and kDcMotor bits, in this order; for kSo3 one of two
// charts of the orientation.
enum ActuatorInput : int {
  kInputPosition = 1,
  kInputVelocity = 2,
  kInputForce = 4,
  kInputVoltage = 8,
  kInputNone = 16,
  kInputPressure = 32,  // with the gains kFixed and kAffine, which declare what their one control is
};
enum ActuatorChart : int { kChartExpmap = 1, kChartQuat = 2 };

// The element that an actuator was written with.
enum class ActuatorShortcut : int {
  kGeneral = 0,
  kMotor = 1,
  kPosition = 2,
  kVelocity = 3,
  kIntVelocity = 4,
  kDamper = 5,
  kCylinder = 6,
  kMuscle = 7,
  kAdhesion = 8,
  kPid = 9,
  kOrientation = 10,
  kDcMotor = 11,
};

// How an attached frame coincides with its body's: the cheap cases of kinematics.
enum class SameFrame : unsigned char { kNone = 0, kBody = 1, kInertia = 2, kBodyRotation = 3, kInertiaRotation = 4 };

enum DisableFlag : int {
  kDisableConstraint = 1 << 0,
  kDisableEquality = 1 << 1,
  kDisableFrictionLoss = 1 << 2,
  kDisableLimit = 1 << 3,
  kDisableContact = 1 << 4,
  kDisableSpring = 1 << 5,
  kDisableDamper = 1 << 6,
  kDisableGravity = 1 << 7,
  kDisableClampCtrl = 1 << 8,
  kDisableWarmStart = 1 << 9,
  kDisableFilterParent = 1 << 10,
  kDisableActuation = 1 << 11,
  kDisableRefSafe = 1 << 12,
  kDisableSensor = 1 << 13,
  kDisableMidPhase = 1 << 14,
  kDisableEulerDamp = 1 << 15,
  kDisableAutoReset = 1 << 16,
  kDisableNativeCcd = 1 << 17,
  kDisableIsland = 1 << 18,
  kDisableMultiCcd = 1 << 19,
};

enum EnableFlag : int {
  kEnableOverride = 1 << 0,
  kEnableEnergy = 1 << 1,
  kEnableFwdInv = 1 << 2,
  kEnableInvDiscrete = 1 << 3,
  kEnableSleep = 1 << 4,
  kEnableDiagExact = 1 << 5,
  kEnableSpeculative = 1 << 7,
  kEnableSensorNoise = 1 << 30,  // our extension
};

// What the scale of a frame changes: all quantities by their units, or lengths and masses only.
enum class ScalingPolicy : int { kSimilar = 0, kGeometry = 1 };

// kBody means the inertial frame of a body, kXBody its body frame.
enum class ObjectType : int {
  kUnknown = 0,
  kBody = 1,
  kXBody = 2,
  kJoint = 3,
  kDof = 4,
  kGeom = 5,
  kSite = 6,
  kCamera = 7,
  kLight = 8,
  kMesh = 10,
  kSkin = 11,
  kHfield = 12,
  kTexture = 13,
  kMaterial = 14,
  kPair = 15,
  kExclude = 16,
  kEquality = 17,
  kTendon = 18,
  kActuator = 19,
  kSensor = 20,
  kNumeric = 21,
  kText = 22,
  kTuple = 23,
  kKey = 24,
};

// A weighted sum of joint coordinates, or a path through sites and around geoms.
enum class TendonType : int { kFixed = 0, kSpatial = 1 };

// What an element of a tendon's path is.
enum class WrapType : int { kNone = 0, kJoint = 1, kPulley = 2, kSite = 3, kSphere = 4, kCylinder = 5 };

// What a sensor measures, in sensor_type.
enum class SensorType : int {
  kTouch = 0,
  kAccelerometer = 1,
  kVelocimeter = 2,
  kGyro = 3,
  kForce = 4,
  kTorque = 5,
  kMagnetometer = 6,
  kRangefinder = 7,
  kCamProjection = 8,
  kJointPos = 9,
  kJointVel = 10,
  kTendonPos = 11,
  kTendonVel = 12,
  kActuatorPos = 13,
  kActuatorVel = 14,
  kActuatorFrc = 15,
  kJointActFrc = 16,
  kTendonActFrc = 17,
  kBallQuat = 18,
  kBallAngVel = 19,
  kJointLimitPos = 20,
  kJointLimitVel = 21,
  kJointLimitFrc = 22,
  kTendonLimitPos = 23,
  kTendonLimitVel = 24,
  kTendonLimitFrc = 25,
  kFramePos = 26,
  kFrameQuat = 27,
  kFrameXAxis = 28,
  kFrameYAxis = 29,
  kFrameZAxis = 30,
  kFrameLinVel = 31,
  kFrameAngVel = 32,
  kFrameLinAcc = 33,
  kFrameAngAcc = 34,
  kSubtreeCom = 35,
  kSubtreeLinVel = 36,
  kSubtreeAngMom = 37,
  kInsideSite = 38,
  kGeomDistance = 39,
  kGeomNormal = 40,
  kGeomFromTo = 41,
  kContact = 42,
  kEPotential = 43,
  kEKinetic = 44,
  kClock = 45,
  kTactile = 46,
  kUser = 48,
};

// What kind of numbers a sensor gives, in sensor_datatype, and after which stage it can, in sensor_needstage.
enum class SensorData : int { kReal = 0, kPositive = 1, kAxis = 2, kQuaternion = 3 };
enum class SensorStage : int { kNone = 0, kPosition = 1, kVelocity = 2, kAcceleration = 3 };

// What a rangefinder or a contact sensor gives of each ray or contact: bits of the first number of sensor_intprm, in
// the order of the readings.
enum RayData : int { kRayDist = 1, kRayDir = 2, kRayOrigin = 4, kRayPoint = 8, kRayNormal = 16, kRayDepth = 32 };
enum ContactData : int {
  kContactFound = 1,
  kContactForce = 2,
  kContactTorque = 4,
  kContactDist = 8,
  kContactPos = 16,
  kContactNormal = 32,
  kContactTangent = 64,
  kContactLinVel = 128,
  kContactAngVel = 256,
};

// Which contacts a sensor reports if there are more than it has room for; the second number of sensor_intprm.
enum class ContactReduce : int { kNone = 0, kMinDist = 1, kMaxForce = 2, kNetForce = 3 };

// Parts of the state, for get_state and set_state.
enum StateBit : int {
  kStateTime = 1 << 0,
  kStateQpos = 1 << 1,
  kStateQvel = 1 << 2,
  kStateAct = 1 << 3,
  kStateHistory = 1 << 4,
  kStateWarmStart = 1 << 5,
  kStateCtrl = 1 << 6,
  kStateQfrcApplied = 1 << 7,
  kStateXfrcApplied = 1 << 8,
  kStateEqActive = 1 << 9,
  kStateMocapPos = 1 << 10,
  kStateMocapQuat = 1 << 11,
  kStateUserData = 1 << 12,
  kStatePlugin = 1 << 13,
  kStatePlastic = 1 << 14,
  kStateNoise = 1 << 15,  // our extension: seed and step of the noise of sensors, while that is enabled
  kStatePhysics = kStateQpos | kStateQvel | kStateAct | kStateHistory | kStatePlastic,
  kStateFullPhysics = kStateTime | kStatePhysics | kStatePlugin,
  kStateUser = kStateCtrl | kStateQfrcApplied | kStateXfrcApplied | kStateEqActive | kStateMocapPos | kStateMocapQuat |
               kStateUserData,
  kStateIntegration = kStateFullPhysics | kStateUser | kStateWarmStart,
  kStateAll = kStateIntegration | kStateNoise,
};

// What makes a constraint row, in efc_type; rows are in this order.
enum class RowType : int {
  kEquality = 0,
  kFrictionDof = 1,
  kFrictionTendon = 2,
  kLimitJoint = 3,
  kLimitTendon = 4,
  kContactFrictionless = 5,
  kContactPyramidal = 6,
  kContactElliptic = 7,
  // Our extensions, between friction and limits and counted in nf: what SAP solves implicitly.
  kDrive = 8,         // an actuator
  kTendonDamper = 9,  // the damping of a tendon
};
constexpr bool is_contact(RowType type) {
  return type >= RowType::kContactFrictionless && type <= RowType::kContactElliptic;
}

enum class ConeType : int { kPyramidal = 0, kElliptic = 1 };
enum class SolverType : int { kPgs = 0, kCg = 1, kNewton = 2, kSap = 3 };  // SAP is our extension
// How the friction of two geoms becomes that of their contact: the larger, or the harmonic mean (our extension).
enum class FrictionMix : int { kMjcf = 0, kHarmonic = 1 };
enum class EqualityType : int { kConnect = 0, kWeld = 1, kJoint = 2, kTendon = 3 };
// Numbers in a row of eq_data, and where a weld has its torque scale and whether its pose is that in qpos0.
constexpr int kEqualityNumbers = 12, kTorqueScale = 10, kFollowsQpos0 = 11;

enum class Warning : int {
  kInertia = 0,
  kContactFull = 1,
  kConstraintFull = 2,
  kBadQpos = 3,
  kBadQvel = 4,
  kBadQacc = 5,
  kBadCtrl = 6,
  kSleepInit = 7,  // our own: a tree with the sleep policy `init` touches what is awake
  kCount = 8,
};

enum class Timer : int {
  kStep = 0,
  kForward,
  kInverse,
  kPosition,
  kVelocity,
  kActuation,
  kConstraint,
  kAdvance,
  kKinematics,
  kInertia,
  kCollision,
  kMake,
  kProject,
  kBroadPhase,
  kNarrowPhase,
  kCount,
};

// forward_skip: which stages are taken as already computed.
enum class SkipStage : int { kNone = 0, kPosition = 1, kVelocity = 2, kAcceleration = 3 };

// Numbers beyond this count as a simulation that has diverged.
constexpr double kMaxValue = 1e10;
// Below this, a mass, a norm or an inertia counts as zero.
constexpr double kMinValue = 1e-15;
// x, or kMinValue where that is larger, or x is NaN. Of a value, since code for devices has no address of kMinValue.
TORSOR_HD inline double at_least_min_value(double x) { return kMinValue < x ? x : kMinValue; }

}  // namespace torsor
