// Sensors: what they measure, and places in sensordata and history; then names, texts and tuples.
#include <algorithm>
#include <string_view>

#include "torsor/model/check/checker.hpp"
#include "torsor/model/sensor_form.hpp"

namespace torsor::checks {
namespace {

class SensorCheck {
 public:
  SensorCheck(const Model& model, int sensor)
      : m(model), s(sensor), type_(static_cast<SensorType>(m.sensor_type[s])), form_(sensor_form(type_)) {}

  void run() const {
    object("sensor_objid", m.sensor_objtype[s], m.sensor_objid[s]);
    object("sensor_refid", m.sensor_reftype[s], m.sensor_refid[s]);
    expect(can_measure(type_, object_type(m.sensor_objtype[s])), "sensor_objtype", s, "the sensor cannot measure it");
    expect(can_refer(type_, object_type(m.sensor_reftype[s])), "sensor_reftype", s, "the sensor cannot refer to it");
    joint();
    numbers();
  }

 private:
  static ObjectType object_type(int type) { return static_cast<ObjectType>(type); }

  // An object of a known type, or none.
  void object(const char* field, int type, int id) const {
    const bool is_none = type == static_cast<int>(ObjectType::kUnknown);
    expect(is_none ? id == -1 : id >= 0 && id < m.count(object_type(type)), field, s, "there is no such object");
  }

  void joint() const {
    const bool of_joint = m.sensor_objtype[s] == static_cast<int>(ObjectType::kJoint);
    if (!of_joint) return;
    const auto type = static_cast<JointType>(m.jnt_type[m.sensor_objid[s]]);
    const bool is_scalar = type == JointType::kHinge || type == JointType::kSlide;
    switch (type_) {
      case SensorType::kJointPos:
      case SensorType::kJointVel:
      case SensorType::kJointActFrc:
        return expect(is_scalar, "sensor_objid", s, "the joint has one coordinate");
      case SensorType::kBallQuat:
      case SensorType::kBallAngVel:
        return expect(type == JointType::kBall, "sensor_objid", s, "the joint is a ball");
      default:
        return;
    }
  }

  SensorStage stage() const {
    const int* parameters = m.sensor_intprm.row(s, 3);
    if (type_ != SensorType::kContact) return form_.stage;
    return contact_stage(parameters[0], static_cast<ContactReduce>(parameters[1]));
  }

  bool measures_enclosure() const { return type_ == SensorType::kInsideSite && m.sensor_intprm[3 * s] != 0; }

  void numbers() const {
    const auto data = static_cast<SensorData>(m.sensor_datatype[s]);
    const int dim = m.sensor_dim[s];
    if (form_.dim != -1) {
      expect(data == (measures_enclosure() ? SensorData::kReal : form_.data), "sensor_datatype", s,
             "it follows from the type");
      expect(m.sensor_needstage[s] == static_cast<int>(stage()), "sensor_needstage", s, "it follows from the type");
      expect(dim == (form_.dim > 0 ? form_.dim : readings()), "sensor_dim", s, "it follows from type and parameters");
    }
    expect(data != SensorData::kAxis || dim == 3, "sensor_dim", s, "an axis has three numbers");
    expect(data != SensorData::kQuaternion || dim == 4, "sensor_dim", s, "a quaternion has four numbers");
  }

  // Of sensors whose parameters or mesh say how many: rays of a site or of all pixels, contacts, vertices.
  int64_t readings() const {
    if (type_ == SensorType::kTactile) return int64_t{3} * m.mesh_vertnum[m.sensor_objid[s]];
    constexpr int kMostBits = kContactAngVel * 2, kMostContacts = 1 << 24;
    const int* parameters = m.sensor_intprm.row(s, 3);
    const int bits = type_ == SensorType::kRangefinder ? 2 * kRayDepth : kMostBits;
    expect(parameters[0] > 0 && parameters[0] < bits, "sensor_intprm", 3 * s, "its bits say what is given");
    expect(parameters[1] < 4, "sensor_intprm", 3 * s + 1, "it is a ContactReduce");
    expect(parameters[2] < kMostContacts, "sensor_intprm", 3 * s + 2, "it is a number of contacts");
    int64_t count = 1;
    if (type_ == SensorType::kContact) count = parameters[2];
    if (m.sensor_objtype[s] == static_cast<int>(ObjectType::kCamera)) {
      const int* pixels = m.cam_resolution.row(m.sensor_objid[s], 2);
      count = int64_t{pixels[0]} * pixels[1];
    }
    return count * reading_size(type_, parameters[0]);
  }

  const Model& m;
  int s;
  SensorType type_;
  SensorForm form_;
};

int64_t actuator_histories(const Model& m) {
  int64_t total = 0;
  for (int a = 0; a < m.nactuator; ++a)
    if (m.actuator_history[2 * a] > 0) total += 2 + (1 + int64_t{m.actuator_ctrlnum[a]}) * m.actuator_history[2 * a];
  return total;
}

}  // namespace

// Readings follow each other; histories lie behind those of actuators.
void check_sensors(const Model& m) {
  int64_t numbers = 0, history = actuator_histories(m);
  for (int s = 0; s < m.nsensor; ++s) {
    SensorCheck(m, s).run();
    const int samples = m.sensor_history[2 * s];
    expect(m.sensor_adr[s] == numbers, "sensor_adr", s, "readings follow each other");
    expect(m.sensor_history[2 * s + 1] <= 2, "sensor_history", 2 * s + 1, "interpolation is 0, 1 or 2");
    expect(m.sensor_historyadr[s] == (samples > 0 ? history : -1), "sensor_historyadr", s,
           "histories follow each other");
    numbers += m.sensor_dim[s];
    if (samples > 0) history += 2 + int64_t{samples} * (1 + int64_t{m.sensor_dim[s]});
  }
  expect_size("nsensordata", m.nsensordata, numbers);
  expect_size("nhistory", m.nhistory, history);
}

void check_custom(const Model& m) {
  expect(m.nnames > 0 && m.names[m.nnames - 1] == '\0', "names", m.nnames - 1, "the last name has a terminator");
  expect(m.npaths == 0 || m.paths[m.npaths - 1] == '\0', "paths", m.npaths - 1, "the last path has a terminator");
  for (int t = 0; t < m.ntext; ++t) {
    expect(m.text_data[m.text_adr[t] + m.text_size[t] - 1] == '\0', "text_size", t, "a text has a terminator");
  }
  for (int i = 0; i < m.ntupledata; ++i) {
    const int count = m.count(static_cast<ObjectType>(m.tuple_objtype[i]));
    expect(m.tuple_objid[i] < std::max(0, count), "tuple_objid", i, "there is no such object");
  }
}

}  // namespace torsor::checks
