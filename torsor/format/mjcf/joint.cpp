// <joint> and <freejoint>.
#include "torsor/format/mjcf/tables.hpp"

namespace torsor::mjcf {
namespace {

constexpr Keyword kJointTypes[] = {
    {"free", static_cast<int>(JointType::kFree)},
    {"ball", static_cast<int>(JointType::kBall)},
    {"slide", static_cast<int>(JointType::kSlide)},
    {"hinge", static_cast<int>(JointType::kHinge)},
};

constexpr Attribute<JointSpec> kJointAttributes[] = {
    {"type", keyword<&JointSpec::type, kJointTypes>, "", "free, ball, slide or hinge"},
    {"group", into<&JointSpec::group>, "", "group for visibility"},
    {"pos", into<&JointSpec::pos>, "m", "anchor in the body frame; not used by free joints"},
    {"axis", into<&JointSpec::axis>, "1", "axis in the body frame; not used by free and ball joints"},
    {"springdamper", into<&JointSpec::springdamper>, "s, 1", "time constant and damping ratio that set the spring"},
    {"limited", into<&JointSpec::limited>, "", "whether range is enforced; auto: if a range is given"},
    {"range", into<&JointSpec::range, kInfinite>, "m | deg | rad",
     "limits of the coordinate; ball: 0 and the largest angle"},
    {"actuatorfrclimited", into<&JointSpec::actfrclimited>, "", "whether actuatorfrcrange is enforced"},
    {"actuatorfrcrange", into<&JointSpec::actfrcrange, kInfinite>, "N | N m", "limits of the actuators' total force"},
    {"actuatorgravcomp", into<&JointSpec::actgravcomp>, "", "gravity compensation counts as actuator force"},
    {"margin", into<&JointSpec::margin>, "m | rad", "distance to the limit at which it becomes active"},
    {"ref", into<&JointSpec::ref>, "m | deg | rad", "coordinate in the reference pose"},
    {"springref", into<&JointSpec::springref>, "m | deg | rad", "coordinate at which the spring is at rest"},
    {"springyield", into<&JointSpec::springyield>, "m | deg | rad",
     "displacement at which the spring yields and its rest moves for good; 0: elastic"},
    {"armature", into<&JointSpec::armature>, "kg | kg m^2", "inertia of the drive, added to the diagonal of M"},
    {"frictionloss", into<&JointSpec::frictionloss>, "N | N m", "dry friction"},
    {"stiffness", into<&JointSpec::stiffness, kPartial>, "N/m | N m/rad",
     "spring: linear, quadratic, cubic coefficient"},
    {"damping", into<&JointSpec::damping, kPartial>, "N s/m | N m s", "damper: linear, quadratic, cubic coefficient"},
    {"solreflimit", into<&JointSpec::solref_limit, kPartial>, "", "constraint reference of the limit"},
    {"solimplimit", into<&JointSpec::solimp_limit, kPartial>, "", "constraint impedance of the limit"},
    {"sapstiffness", into<&JointSpec::sapstiffness>, "N/m | N m/rad",
     "SAP: stiffness of the limit, otherwise near-rigid; Torsor extension"},
    {"sapdissipation", into<&JointSpec::sapdissipation>, "s",
     "SAP: dissipation time of the limit, otherwise one step; Torsor extension"},
    {"solreffriction", into<&JointSpec::solref_friction, kPartial>, "", "constraint reference of dry friction"},
    {"solimpfriction", into<&JointSpec::solimp_friction, kPartial>, "", "constraint impedance of dry friction"},
    {"user", into<&JointSpec::user, kInfinite>, "", "user data"},
};

void read_align(JointSpec& joint, const Value& value) {
  read_value(joint.align, value, kExact);
  joint.align_given = true;
}

constexpr Attribute<JointSpec> kFreejointAttributes[] = {
    {"group", into<&JointSpec::group>, "", "group for visibility"},
    {"align",
     {read_align, written<&JointSpec::align>},
     "",
     "move the body frame to the inertial frame; auto: as compiler alignfree"},
};

}  // namespace

Table<JointSpec> joint_attributes() { return kJointAttributes; }
Table<JointSpec> freejoint_attributes() { return kFreejointAttributes; }

}  // namespace torsor::mjcf
