// Reads <sensor>. The measured object is named by an attribute of its kind (site, joint, ...) or by objtype and
// objname.
#include "torsor/format/mjcf/sensor.hpp"

#include <algorithm>
#include <initializer_list>

#include "torsor/format/mjcf/reader.hpp"

namespace torsor::mjcf {
namespace {

constexpr Keyword kInterpolations[] = {{"zoh", 0}, {"linear", 1}, {"cubic", 2}};
constexpr Keyword kDatatypes[] = {{"real", 0}, {"positive", 1}, {"axis", 2}, {"quaternion", 3}};
constexpr Keyword kReductions[] = {{"none", 0}, {"mindist", 1}, {"maxforce", 2}, {"netforce", 3}};
constexpr Keyword kRayData[] = {{"dist", kRayDist},   {"dir", kRayDir},       {"origin", kRayOrigin},
                                {"point", kRayPoint}, {"normal", kRayNormal}, {"depth", kRayDepth}};
constexpr Keyword kContactData[] = {
    {"found", kContactFound},     {"force", kContactForce},   {"torque", kContactTorque},
    {"dist", kContactDist},       {"pos", kContactPos},       {"normal", kContactNormal},
    {"tangent", kContactTangent}, {"linvel", kContactLinVel}, {"angvel", kContactAngVel}};
constexpr Keyword kStages[] = {{"none", 0}, {"pos", 1}, {"vel", 2}, {"acc", 3}};
constexpr Keyword kFrameTypes[] = {{"body", 1}, {"xbody", 2}, {"geom", 5}, {"site", 6}, {"camera", 7}};
constexpr Keyword kObjectTypes[] = {
    {"body", 1},     {"xbody", 2},     {"joint", 3},   {"geom", 5},      {"site", 6},      {"camera", 7},
    {"light", 8},    {"mesh", 10},     {"hfield", 12}, {"texture", 13},  {"material", 14}, {"pair", 15},
    {"exclude", 16}, {"equality", 17}, {"tendon", 18}, {"actuator", 19}, {"sensor", 20},   {"numeric", 21},
    {"text", 22},    {"tuple", 23},    {"key", 24},
};

using Row = Attribute<SensorSpec>;

constexpr Row kCommonRows[] = {
    {"cutoff", into<&SensorSpec::cutoff, kInfinite>, "", "maximum magnitude of a reading; 0: no limit"},
    {"noise", into<&SensorSpec::noise>, "", "standard deviation of the noise; enabled by the flag sensornoise"},
    {"user", into<&SensorSpec::user, kInfinite>, "", "user data"},
};
constexpr Row kHistoryRows[] = {
    {"nsample", into<&SensorSpec::nsample>, "", "number of readings kept in the history"},
    {"interp", keyword<&SensorSpec::interp, kInterpolations>, "", "interpolation of the history: zoh, linear or cubic"},
    {"delay", into<&SensorSpec::delay>, "s", "delay of the readings; needs nsample"},
    {"interval", into<&SensorSpec::interval, kPartial>, "s", "sampling period and phase; 0: every step"},
};

constexpr Row kSite[] = {{"site", into<&SensorSpec::objname>, "", "site that the sensor is at", true}};
constexpr Row kJoint[] = {{"joint", into<&SensorSpec::objname>, "", "joint that is measured", true}};
constexpr Row kTendon[] = {{"tendon", into<&SensorSpec::objname>, "", "tendon that is measured", true}};
constexpr Row kActuator[] = {{"actuator", into<&SensorSpec::objname>, "", "actuator that is measured", true}};
constexpr Row kBody[] = {{"body", into<&SensorSpec::objname>, "", "body whose subtree is measured", true}};
constexpr Row kCamera[] = {{"camera", into<&SensorSpec::refname>, "", "camera whose pixels are counted", true}};
constexpr Row kVolume[] = {
    {"site", into<&SensorSpec::refname>, "", "site whose volume counts", true},
    {"enclosed", into<&SensorSpec::enclosed>, "",
     "how far the object juts out, rather than whether its origin is inside"},
};
constexpr Row kFrame[] = {
    {"objtype", keyword<&SensorSpec::objtype, kFrameTypes>, "",
     "what is measured: body (inertial frame), xbody, geom, "
     "site or camera",
     true},
    {"objname", into<&SensorSpec::objname>, "", "its name", true},
};
constexpr Row kReference[] = {
    {"reftype", keyword<&SensorSpec::reftype, kFrameTypes>, "", "type of the reference object, as objtype"},
    {"refname", into<&SensorSpec::refname>, "", "name of the reference object; default: the world"},
};
constexpr Row kUserRows[] = {
    {"objtype", keyword<&SensorSpec::objtype, kObjectTypes>, "", "type of the object"},
    {"objname", into<&SensorSpec::objname>, "", "its name"},
    {"datatype", keyword<&SensorSpec::datatype, kDatatypes>, "", "real, positive, axis or quaternion"},
    {"needstage", keyword<&SensorSpec::needstage, kStages>, "", "after which stage the callback is called"},
    {"dim", into<&SensorSpec::dim>, "", "number of numbers", true},
};

template <const auto& Keywords>
void read_data(SensorSpec& sensor, const Value& value) {
  if (const auto bits = read_bits_in_order(Keywords, value)) sensor.data = *bits;
}
template <const auto& Keywords>
Text write_data(const SensorSpec& sensor, const SensorSpec* standard) {
  if (standard && sensor.data == standard->data) return std::nullopt;
  return text_of_bits(Keywords, sensor.data);
}
template <ObjectType kType>
constexpr auto measured = object<&SensorSpec::objname, &SensorSpec::objtype, kType>;
template <ObjectType kType>
constexpr auto referred = object<&SensorSpec::refname, &SensorSpec::reftype, kType>;

constexpr Row kRayRows[] = {
    {"site", measured<ObjectType::kSite>, "", "site whose z axis the ray goes along"},
    {"camera", measured<ObjectType::kCamera>, "", "in place of a site: camera, one ray for each of its pixels"},
    {"data", {read_data<kRayData>, write_data<kRayData>}, "", "some of dist, dir, origin, point, normal, depth"},
};
constexpr Row kNearRows[] = {
    {"geom1", measured<ObjectType::kGeom>, "", "first geom"},
    {"body1", measured<ObjectType::kBody>, "", "in place of geom1: all geoms of a body"},
    {"geom2", referred<ObjectType::kGeom>, "", "second geom"},
    {"body2", referred<ObjectType::kBody>, "", "in place of geom2: all geoms of a body"},
};
constexpr Row kTactileRows[] = {
    {"geom", into<&SensorSpec::refname>, "", "geom in whose frame the mesh is", true},
    {"mesh", into<&SensorSpec::objname>, "", "mesh whose vertices feel", true},
    {"cutoff", into<&SensorSpec::cutoff, kInfinite>, "", "maximum magnitude of a reading; 0: no limit"},
    {"user", into<&SensorSpec::user, kInfinite>, "", "user data"},
};
constexpr Row kContactRows[] = {
    {"geom1", measured<ObjectType::kGeom>, "", "contacts of this geom"},
    {"body1", measured<ObjectType::kBody>, "", "contacts of a body's own geoms"},
    {"subtree1", measured<ObjectType::kXBody>, "", "contacts of a body and all below it"},
    {"site", measured<ObjectType::kSite>, "", "contacts within the volume of a site"},
    {"geom2", referred<ObjectType::kGeom>, "", "only with this geom"},
    {"body2", referred<ObjectType::kBody>, "", "only with a body's own geoms"},
    {"subtree2", referred<ObjectType::kXBody>, "", "only with a body and all below it"},
    {"data",
     {read_data<kContactData>, write_data<kContactData>},
     "",
     "some of found, force, torque, dist, pos, normal, tangent, linvel, angvel"},
    {"reduce", keyword<&SensorSpec::reduce, kReductions>, "", "which contacts: none, mindist, maxforce or netforce"},
    {"num", positive<&SensorSpec::num>, "", "maximum number of contacts"},
};

std::vector<Row> rows(std::initializer_list<Table<SensorSpec>> tables) {
  std::vector<Row> result;
  for (const Table<SensorSpec>& table : tables) result.insert(result.end(), table.begin(), table.end());
  return result;
}

struct KindName {
  std::string_view name;
  SensorType type;
};

std::vector<SensorKind> make_kinds() {
  std::vector<SensorKind> kinds;
  const auto add = [&](ObjectType objtype, std::initializer_list<Table<SensorSpec>> own,
                       std::initializer_list<KindName> names, ObjectType reftype = ObjectType::kUnknown) {
    std::vector<Row> all = rows(own);
    for (const Table<SensorSpec>& table : {Table<SensorSpec>(kCommonRows), Table<SensorSpec>(kHistoryRows)})
      all.insert(all.end(), table.begin(), table.end());
    for (const KindName& name : names) kinds.push_back({name.name, name.type, objtype, reftype, all});
  };
  using Type = SensorType;
  using Object = ObjectType;
  add(Object::kSite, {kSite},
      {{"accelerometer", Type::kAccelerometer},
       {"velocimeter", Type::kVelocimeter},
       {"gyro", Type::kGyro},
       {"force", Type::kForce},
       {"torque", Type::kTorque},
       {"magnetometer", Type::kMagnetometer}});
  add(Object::kSite, {kSite}, {{"touch", Type::kTouch}});
  add(Object::kUnknown, {kRayRows}, {{"rangefinder", Type::kRangefinder}});
  add(Object::kUnknown, {kNearRows},
      {{"distance", Type::kGeomDistance}, {"normal", Type::kGeomNormal}, {"fromto", Type::kGeomFromTo}});
  add(Object::kUnknown, {kContactRows}, {{"contact", Type::kContact}});
  add(Object::kSite, {kSite, kCamera}, {{"camprojection", Type::kCamProjection}}, Object::kCamera);
  add(Object::kJoint, {kJoint},
      {{"jointpos", Type::kJointPos},
       {"jointvel", Type::kJointVel},
       {"jointactuatorfrc", Type::kJointActFrc},
       {"ballquat", Type::kBallQuat},
       {"ballangvel", Type::kBallAngVel},
       {"jointlimitpos", Type::kJointLimitPos},
       {"jointlimitvel", Type::kJointLimitVel},
       {"jointlimitfrc", Type::kJointLimitFrc}});
  add(Object::kTendon, {kTendon},
      {{"tendonpos", Type::kTendonPos},
       {"tendonvel", Type::kTendonVel},
       {"tendonactuatorfrc", Type::kTendonActFrc},
       {"tendonlimitpos", Type::kTendonLimitPos},
       {"tendonlimitvel", Type::kTendonLimitVel},
       {"tendonlimitfrc", Type::kTendonLimitFrc}});
  add(Object::kActuator, {kActuator},
      {{"actuatorpos", Type::kActuatorPos}, {"actuatorvel", Type::kActuatorVel}, {"actuatorfrc", Type::kActuatorFrc}});
  add(Object::kUnknown, {kFrame, kReference},
      {{"framepos", Type::kFramePos},
       {"framequat", Type::kFrameQuat},
       {"framexaxis", Type::kFrameXAxis},
       {"frameyaxis", Type::kFrameYAxis},
       {"framezaxis", Type::kFrameZAxis},
       {"framelinvel", Type::kFrameLinVel},
       {"frameangvel", Type::kFrameAngVel}});
  add(Object::kUnknown, {kFrame}, {{"framelinacc", Type::kFrameLinAcc}, {"frameangacc", Type::kFrameAngAcc}});
  add(Object::kBody, {kBody},
      {{"subtreecom", Type::kSubtreeCom},
       {"subtreelinvel", Type::kSubtreeLinVel},
       {"subtreeangmom", Type::kSubtreeAngMom}});
  add(Object::kUnknown, {kFrame, kVolume}, {{"insidesite", Type::kInsideSite}}, Object::kSite);
  add(Object::kUnknown, {},
      {{"e_potential", Type::kEPotential}, {"e_kinetic", Type::kEKinetic}, {"clock", Type::kClock}});
  kinds.push_back(
      {"tactile", Type::kTactile, Object::kMesh, Object::kGeom, rows({kTactileRows, Table<SensorSpec>(kHistoryRows)})});
  kinds.push_back(
      {"user", Type::kUser, Object::kUnknown, Object::kUnknown, rows({kUserRows, Table<SensorSpec>(kCommonRows)})});
  return kinds;
}

void check_together(const Element& element, const char* type, const char* name, Report& report) {
  if (element.has(type) == element.has(name)) return;
  report.error(element, std::string(type) + " and " + name + " belong together: one of them is missing");
}

// At most one attribute per side; some kinds of sensor require one.
void check_sides(const Element& element, SensorType type, Report& report) {
  const auto is_missing = [&element](std::initializer_list<const char*> names) {
    return std::none_of(names.begin(), names.end(), [&element](const char* name) { return element.has(name); });
  };
  check_exclusive(element, report, {"geom1", "body1", "subtree1", "site", "camera"});
  check_exclusive(element, report, {"geom2", "body2", "subtree2"});
  if (type == SensorType::kContact) return;
  if (type == SensorType::kRangefinder) {
    if (is_missing({"site", "camera"})) report.error(element, "rangefinder needs the attribute 'site' or 'camera'");
    return;
  }
  const std::string kind(element.name());
  if (is_missing({"geom1", "body1"})) report.error(element, kind + " needs the attribute 'geom1' or 'body1'");
  if (is_missing({"geom2", "body2"})) report.error(element, kind + " needs the attribute 'geom2' or 'body2'");
}

// Sensors that depend on contacts or distances.
bool is_of_contact(SensorType type) {
  switch (type) {
    case SensorType::kTouch:
    case SensorType::kRangefinder:
    case SensorType::kGeomDistance:
    case SensorType::kGeomNormal:
    case SensorType::kGeomFromTo:
    case SensorType::kContact:
    case SensorType::kTactile:
      return true;
    default:
      return false;
  }
}

// Sensors that name two sides, each by one of several attributes.
bool has_sides(SensorType type) {
  return is_of_contact(type) && type != SensorType::kTouch && type != SensorType::kTactile;
}

// The ignorable section that a sensor depends on: that of the object it measures, or contact.
std::string_view section_of(const SensorSpec& sensor) {
  if (is_of_contact(sensor.type)) return "contact";
  switch (sensor.objtype) {
    case ObjectType::kTendon:
      return "tendon";
    case ObjectType::kActuator:
      return "actuator";
    case ObjectType::kPair:
    case ObjectType::kExclude:
      return "contact";
    case ObjectType::kEquality:
      return "equality";
    default:
      return "";
  }
}

void read_one(const Element& element, const SensorKind& kind, Reader& reader) {
  SensorSpec sensor = make_sensor(kind);
  sensor.location = element.where();
  read_attributes(element, sensor, reader.report, name_attribute(), Table<SensorSpec>(kind.rows));
  if (has_sides(kind.type)) check_sides(element, kind.type, reader.report);
  if (kind.reftype == ObjectType::kUnknown) check_together(element, "reftype", "refname", reader.report);
  if (kind.type == SensorType::kUser) check_together(element, "objtype", "objname", reader.report);
  reader.reject_children(element, "mujoco/sensor/" + std::string(kind.name));
  const std::string_view section = section_of(sensor);
  if (!section.empty() && reader.ignores(section)) return reader.note_ignored(element, section);
  reader.spec.sensors.push_back(std::move(sensor));
}

}  // namespace

std::span<const SensorKind> sensor_kinds() {
  static const std::vector<SensorKind> kinds = make_kinds();
  return kinds;
}

SensorSpec make_sensor(const SensorKind& kind) {
  SensorSpec sensor;
  sensor.type = kind.type;
  sensor.objtype = kind.objtype;
  sensor.reftype = kind.reftype;
  return sensor;
}

void read_sensor(const Element& element, Reader& reader) {
  if (reader.ignores("sensor")) return reader.note_ignored(element, "sensor");
  read_attributes<Spec>(element, reader.spec, reader.report);
  for (const Element& child : element) {
    const SensorKind* known = nullptr;
    for (const SensorKind& kind : sensor_kinds()) {
      if (kind.name == child.name()) known = &kind;
    }
    if (known)
      read_one(child, *known, reader);
    else
      reader.reject(child, "mujoco/sensor");
  }
}

}  // namespace torsor::mjcf
