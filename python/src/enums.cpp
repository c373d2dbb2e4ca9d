// Enumerations of the engine. Names follow those that users of MJCF know.
#include "bindings.hpp"
#include "torsor/model/awake.hpp"
#include "torsor/model/types.hpp"
#include "torsor/sim/sim.hpp"

namespace torsor::python {
namespace {

void bind_kinds(nb::module_& m) {
  nb::enum_<JointType>(m, "JointType", nb::is_arithmetic(), "Values of model.jnt_type.")
      .value("FREE", JointType::kFree)
      .value("BALL", JointType::kBall)
      .value("SLIDE", JointType::kSlide)
      .value("HINGE", JointType::kHinge);
  nb::enum_<GeomType>(m, "GeomType", nb::is_arithmetic(), "Values of model.geom_type. CONE is a Torsor extension.")
      .value("PLANE", GeomType::kPlane)
      .value("HFIELD", GeomType::kHfield)
      .value("SPHERE", GeomType::kSphere)
      .value("CAPSULE", GeomType::kCapsule)
      .value("ELLIPSOID", GeomType::kEllipsoid)
      .value("CYLINDER", GeomType::kCylinder)
      .value("BOX", GeomType::kBox)
      .value("MESH", GeomType::kMesh)
      .value("SDF", GeomType::kSdf)
      .value("CONE", GeomType::kCone);
  nb::enum_<TrackingMode>(m, "TrackingMode", nb::is_arithmetic(), "How a camera or light follows its body.")
      .value("FIXED", TrackingMode::kFixed)
      .value("TRACK", TrackingMode::kTrack)
      .value("TRACKCOM", TrackingMode::kTrackCom)
      .value("TARGETBODY", TrackingMode::kTargetBody)
      .value("TARGETBODYCOM", TrackingMode::kTargetBodyCom);
  auto integrator = nb::enum_<Integrator>(m, "Integrator", nb::is_arithmetic(), "Values of model.opt.integrator.");
  integrator.value("EULER", Integrator::kEuler)
      .value("RK4", Integrator::kRk4)
      .value("IMPLICIT", Integrator::kImplicit)
      .value("IMPLICITFAST", Integrator::kImplicitFast)
      .value("DISCRETE", Integrator::kDiscrete);
  integrator.attr("RKMK4") = integrator.attr("RK4");  // an older name
  nb::enum_<SolverType>(m, "Solver", nb::is_arithmetic(), "Values of model.opt.solver. SAP is a Torsor extension.")
      .value("PGS", SolverType::kPgs)
      .value("CG", SolverType::kCg)
      .value("NEWTON", SolverType::kNewton)
      .value("SAP", SolverType::kSap);
  nb::enum_<FrictionMix>(m, "FrictionMix", nb::is_arithmetic(), "Values of model.opt.frictionmix, a Torsor extension.")
      .value("MJCF", FrictionMix::kMjcf)
      .value("HARMONIC", FrictionMix::kHarmonic);
  nb::enum_<MeshCollision>(m, "MeshCollision", nb::is_arithmetic(),
                           "Values of model.geom_meshcollision, a Torsor extension.")
      .value("HULL", MeshCollision::kHull)
      .value("TRIANGLES", MeshCollision::kTriangles);
  nb::enum_<SameFrame>(m, "SameFrame", nb::is_arithmetic(), "Which frame of its body an attached frame coincides with.")
      .value("NONE", SameFrame::kNone)
      .value("BODY", SameFrame::kBody)
      .value("INERTIA", SameFrame::kInertia)
      .value("BODYROT", SameFrame::kBodyRotation)
      .value("INERTIAROT", SameFrame::kInertiaRotation);
}

void bind_flags(nb::module_& m) {
  nb::enum_<DisableFlag>(m, "DisableFlag", nb::is_arithmetic(), nb::is_flag(), "Bits of model.opt.disableflags.")
      .value("CONSTRAINT", kDisableConstraint)
      .value("EQUALITY", kDisableEquality)
      .value("FRICTIONLOSS", kDisableFrictionLoss)
      .value("LIMIT", kDisableLimit)
      .value("CONTACT", kDisableContact)
      .value("SPRING", kDisableSpring)
      .value("DAMPER", kDisableDamper)
      .value("GRAVITY", kDisableGravity)
      .value("CLAMPCTRL", kDisableClampCtrl)
      .value("WARMSTART", kDisableWarmStart)
      .value("FILTERPARENT", kDisableFilterParent)
      .value("ACTUATION", kDisableActuation)
      .value("REFSAFE", kDisableRefSafe)
      .value("SENSOR", kDisableSensor)
      .value("MIDPHASE", kDisableMidPhase)
      .value("EULERDAMP", kDisableEulerDamp)
      .value("AUTORESET", kDisableAutoReset)
      .value("NATIVECCD", kDisableNativeCcd)
      .value("ISLAND", kDisableIsland)
      .value("MULTICCD", kDisableMultiCcd);
  nb::enum_<EnableFlag>(m, "EnableFlag", nb::is_arithmetic(), nb::is_flag(), "Bits of model.opt.enableflags.")
      .value("OVERRIDE", kEnableOverride)
      .value("ENERGY", kEnableEnergy)
      .value("FWDINV", kEnableFwdInv)
      .value("INVDISCRETE", kEnableInvDiscrete)
      .value("SLEEP", kEnableSleep)
      .value("DIAGEXACT", kEnableDiagExact)
      .value("SPECULATIVE", kEnableSpeculative)
      .value("SENSORNOISE", kEnableSensorNoise);
  nb::enum_<StateBit>(m, "StateBit", nb::is_arithmetic(), nb::is_flag(), "Parts of the state, for get_state().")
      .value("TIME", kStateTime)
      .value("QPOS", kStateQpos)
      .value("QVEL", kStateQvel)
      .value("ACT", kStateAct)
      .value("HISTORY", kStateHistory)
      .value("WARMSTART", kStateWarmStart)
      .value("CTRL", kStateCtrl)
      .value("QFRC_APPLIED", kStateQfrcApplied)
      .value("XFRC_APPLIED", kStateXfrcApplied)
      .value("EQ_ACTIVE", kStateEqActive)
      .value("MOCAP_POS", kStateMocapPos)
      .value("MOCAP_QUAT", kStateMocapQuat)
      .value("USERDATA", kStateUserData)
      .value("PLUGIN", kStatePlugin)
      .value("PLASTIC", kStatePlastic)
      .value("NOISE", kStateNoise)
      .value("PHYSICS", kStatePhysics)
      .value("FULLPHYSICS", kStateFullPhysics)
      .value("USER", kStateUser)
      .value("INTEGRATION", kStateIntegration)
      .value("ALL", kStateAll);
}

void bind_objects(nb::module_& m) {
  nb::enum_<ObjectType>(m, "ObjectType", nb::is_arithmetic(),
                        "Kinds of objects. BODY means a body's inertial frame, XBODY its body frame.")
      .value("UNKNOWN", ObjectType::kUnknown)
      .value("BODY", ObjectType::kBody)
      .value("XBODY", ObjectType::kXBody)
      .value("JOINT", ObjectType::kJoint)
      .value("DOF", ObjectType::kDof)
      .value("GEOM", ObjectType::kGeom)
      .value("SITE", ObjectType::kSite)
      .value("CAMERA", ObjectType::kCamera)
      .value("LIGHT", ObjectType::kLight)
      .value("MESH", ObjectType::kMesh)
      .value("HFIELD", ObjectType::kHfield)
      .value("TEXTURE", ObjectType::kTexture)
      .value("MATERIAL", ObjectType::kMaterial)
      .value("PAIR", ObjectType::kPair)
      .value("EXCLUDE", ObjectType::kExclude)
      .value("EQUALITY", ObjectType::kEquality)
      .value("TENDON", ObjectType::kTendon)
      .value("ACTUATOR", ObjectType::kActuator)
      .value("SENSOR", ObjectType::kSensor)
      .value("NUMERIC", ObjectType::kNumeric)
      .value("TEXT", ObjectType::kText)
      .value("TUPLE", ObjectType::kTuple)
      .value("KEY", ObjectType::kKey);
  nb::enum_<EqualityType>(m, "EqualityType", nb::is_arithmetic(), "Values of model.eq_type.")
      .value("CONNECT", EqualityType::kConnect)
      .value("WELD", EqualityType::kWeld)
      .value("JOINT", EqualityType::kJoint)
      .value("TENDON", EqualityType::kTendon);
  nb::enum_<WrapType>(m, "WrapType", nb::is_arithmetic(), "Types of the elements of a tendon's path.")
      .value("NONE", WrapType::kNone)
      .value("JOINT", WrapType::kJoint)
      .value("PULLEY", WrapType::kPulley)
      .value("SITE", WrapType::kSite)
      .value("SPHERE", WrapType::kSphere)
      .value("CYLINDER", WrapType::kCylinder);
}

void bind_actuator_kinds(nb::module_& m) {
  nb::enum_<Transmission>(m, "Transmission", nb::is_arithmetic(), "Values of model.actuator_trntype.")
      .value("JOINT", Transmission::kJoint)
      .value("JOINTINPARENT", Transmission::kJointInParent)
      .value("SLIDERCRANK", Transmission::kSliderCrank)
      .value("TENDON", Transmission::kTendon)
      .value("SITE", Transmission::kSite)
      .value("BODY", Transmission::kBody)
      .value("SO3", Transmission::kSo3);
  nb::enum_<ActuatorDynamics>(m, "ActuatorDynamics", nb::is_arithmetic(), "Values of model.actuator_dyntype.")
      .value("NONE", ActuatorDynamics::kNone)
      .value("INTEGRATOR", ActuatorDynamics::kIntegrator)
      .value("FILTER", ActuatorDynamics::kFilter)
      .value("FILTEREXACT", ActuatorDynamics::kFilterExact)
      .value("MUSCLE", ActuatorDynamics::kMuscle)
      .value("DCMOTOR", ActuatorDynamics::kDcMotor)
      .value("PID", ActuatorDynamics::kPid)
      .value("USER", ActuatorDynamics::kUser);
  nb::enum_<ActuatorGain>(m, "ActuatorGain", nb::is_arithmetic(), "Values of model.actuator_gaintype.")
      .value("FIXED", ActuatorGain::kFixed)
      .value("AFFINE", ActuatorGain::kAffine)
      .value("MUSCLE", ActuatorGain::kMuscle)
      .value("DCMOTOR", ActuatorGain::kDcMotor)
      .value("SO3", ActuatorGain::kSo3)
      .value("PID", ActuatorGain::kPid)
      .value("USER", ActuatorGain::kUser);
  nb::enum_<ActuatorBias>(m, "ActuatorBias", nb::is_arithmetic(), "Values of model.actuator_biastype.")
      .value("NONE", ActuatorBias::kNone)
      .value("AFFINE", ActuatorBias::kAffine)
      .value("MUSCLE", ActuatorBias::kMuscle)
      .value("DCMOTOR", ActuatorBias::kDcMotor)
      .value("SO3", ActuatorBias::kSo3)
      .value("USER", ActuatorBias::kUser);
}

void bind_sensor_kinds(nb::module_& m) {
  nb::enum_<SensorType>(m, "SensorType", nb::is_arithmetic(), "Values of model.sensor_type.")
      .value("TOUCH", SensorType::kTouch)
      .value("ACCELEROMETER", SensorType::kAccelerometer)
      .value("VELOCIMETER", SensorType::kVelocimeter)
      .value("GYRO", SensorType::kGyro)
      .value("FORCE", SensorType::kForce)
      .value("TORQUE", SensorType::kTorque)
      .value("MAGNETOMETER", SensorType::kMagnetometer)
      .value("RANGEFINDER", SensorType::kRangefinder)
      .value("CAMPROJECTION", SensorType::kCamProjection)
      .value("JOINTPOS", SensorType::kJointPos)
      .value("JOINTVEL", SensorType::kJointVel)
      .value("TENDONPOS", SensorType::kTendonPos)
      .value("TENDONVEL", SensorType::kTendonVel)
      .value("ACTUATORPOS", SensorType::kActuatorPos)
      .value("ACTUATORVEL", SensorType::kActuatorVel)
      .value("ACTUATORFRC", SensorType::kActuatorFrc)
      .value("JOINTACTFRC", SensorType::kJointActFrc)
      .value("TENDONACTFRC", SensorType::kTendonActFrc)
      .value("BALLQUAT", SensorType::kBallQuat)
      .value("BALLANGVEL", SensorType::kBallAngVel)
      .value("JOINTLIMITPOS", SensorType::kJointLimitPos)
      .value("JOINTLIMITVEL", SensorType::kJointLimitVel)
      .value("JOINTLIMITFRC", SensorType::kJointLimitFrc)
      .value("TENDONLIMITPOS", SensorType::kTendonLimitPos)
      .value("TENDONLIMITVEL", SensorType::kTendonLimitVel)
      .value("TENDONLIMITFRC", SensorType::kTendonLimitFrc)
      .value("FRAMEPOS", SensorType::kFramePos)
      .value("FRAMEQUAT", SensorType::kFrameQuat)
      .value("FRAMEXAXIS", SensorType::kFrameXAxis)
      .value("FRAMEYAXIS", SensorType::kFrameYAxis)
      .value("FRAMEZAXIS", SensorType::kFrameZAxis)
      .value("FRAMELINVEL", SensorType::kFrameLinVel)
      .value("FRAMEANGVEL", SensorType::kFrameAngVel)
      .value("FRAMELINACC", SensorType::kFrameLinAcc)
      .value("FRAMEANGACC", SensorType::kFrameAngAcc)
      .value("SUBTREECOM", SensorType::kSubtreeCom)
      .value("SUBTREELINVEL", SensorType::kSubtreeLinVel)
      .value("SUBTREEANGMOM", SensorType::kSubtreeAngMom)
      .value("INSIDESITE", SensorType::kInsideSite)
      .value("GEOMDIST", SensorType::kGeomDistance)
      .value("GEOMNORMAL", SensorType::kGeomNormal)
      .value("GEOMFROMTO", SensorType::kGeomFromTo)
      .value("CONTACT", SensorType::kContact)
      .value("E_POTENTIAL", SensorType::kEPotential)
      .value("E_KINETIC", SensorType::kEKinetic)
      .value("CLOCK", SensorType::kClock)
      .value("TACTILE", SensorType::kTactile)
      .value("USER", SensorType::kUser);
  nb::enum_<SensorData>(m, "SensorData", nb::is_arithmetic(), "Values of model.sensor_datatype.")
      .value("REAL", SensorData::kReal)
      .value("POSITIVE", SensorData::kPositive)
      .value("AXIS", SensorData::kAxis)
      .value("QUATERNION", SensorData::kQuaternion);
  nb::enum_<SensorStage>(m, "SensorStage", nb::is_arithmetic(), "Values of model.sensor_needstage.")
      .value("NONE", SensorStage::kNone)
      .value("POS", SensorStage::kPosition)
      .value("VEL", SensorStage::kVelocity)
      .value("ACC", SensorStage::kAcceleration);
}

void bind_sleep(nb::module_& m) {
  nb::enum_<SleepPolicy>(m, "SleepPolicy", nb::is_arithmetic(), "Values of model.tree_sleep_policy.")
      .value("AUTO", SleepPolicy::kAuto)
      .value("AUTO_NEVER", SleepPolicy::kAutoNever)
      .value("AUTO_ALLOWED", SleepPolicy::kAutoAllowed)
      .value("NEVER", SleepPolicy::kNever)
      .value("ALLOWED", SleepPolicy::kAllowed)
      .value("INIT", SleepPolicy::kInit);
  nb::enum_<SleepState>(m, "SleepState", nb::is_arithmetic(), "Values of data.body_awake.")
      .value("STATIC", SleepState::kStatic)
      .value("ASLEEP", SleepState::kAsleep)
      .value("AWAKE", SleepState::kAwake);
}

void bind_outcomes(nb::module_& m) {
  nb::enum_<Warning>(m, "Warning", nb::is_arithmetic(), "Indices of data.warning.")
      .value("INERTIA", Warning::kInertia)
      .value("CONTACTFULL", Warning::kContactFull)
      .value("CNSTRFULL", Warning::kConstraintFull)
      .value("BADQPOS", Warning::kBadQpos)
      .value("BADQVEL", Warning::kBadQvel)
      .value("BADQACC", Warning::kBadQacc)
      .value("BADCTRL", Warning::kBadCtrl)
      .value("SLEEPINIT", Warning::kSleepInit);
  nb::enum_<Timer>(m, "Timer", nb::is_arithmetic(), "Indices of data.timer.")
      .value("STEP", Timer::kStep)
      .value("FORWARD", Timer::kForward)
      .value("INVERSE", Timer::kInverse)
      .value("POSITION", Timer::kPosition)
      .value("VELOCITY", Timer::kVelocity)
      .value("ACTUATION", Timer::kActuation)
      .value("CONSTRAINT", Timer::kConstraint)
      .value("ADVANCE", Timer::kAdvance)
      .value("POS_KINEMATICS", Timer::kKinematics)
      .value("POS_INERTIA", Timer::kInertia)
      .value("POS_COLLISION", Timer::kCollision)
      .value("POS_MAKE", Timer::kMake)
      .value("POS_PROJECT", Timer::kProject)
      .value("COL_BROAD", Timer::kBroadPhase)
      .value("COL_NARROW", Timer::kNarrowPhase);
  nb::enum_<SkipStage>(m, "SkipStage", nb::is_arithmetic(), "Stages that forward_skip() does not compute again.")
      .value("NONE", SkipStage::kNone)
      .value("POS", SkipStage::kPosition)
      .value("VEL", SkipStage::kVelocity)
      .value("ACC", SkipStage::kAcceleration);
  nb::enum_<Status>(m, "Status", nb::is_arithmetic(), "Outcome of a step.")
      .value("OK", Status::kOk)
      .value("RESET", Status::kReset, "bad numbers: the simulation was reset and goes on from the reference pose")
      .value("DIVERGED", Status::kDiverged, "bad numbers, and the reset is switched off")
      .value("OUT_OF_MEMORY", Status::kOutOfMemory, "no memory for contacts and constraints: the step was not taken");
}

}  // namespace

void bind_enums(nb::module_& m) {
  bind_kinds(m);
  bind_flags(m);
  bind_objects(m);
  bind_actuator_kinds(m);
  bind_sensor_kinds(m);
  bind_sleep(m);
  bind_outcomes(m);
}

}  // namespace torsor::python
