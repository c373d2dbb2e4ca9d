#include "torsor/flight/free_flight.hpp"

#include <fmt/format.h>

#include <cmath>

#include "torsor/convention/rigid.hpp"
#include "torsor/core/error.hpp"
#include "torsor/dynamics/dynamics.hpp"
#include "torsor/format/binary/binary.hpp"
#include "torsor/format/binary/checksum.hpp"

namespace torsor {
namespace {

constexpr int kEverything = kStateAll;

void check_loads(const FlightLoads& loads) {
  const std::pair<const char*, const Vec3<double>*> vectors[] = {
      {"forces", &loads.forces}, {"moments", &loads.moments}, {"point", &loads.point}};
  for (const auto& [name, v] : vectors) {
    for (int i = 0; i < 3; ++i) {
      if (!std::isfinite((*v)[i])) throw Error(fmt::format("{}[{}] is {}", name, i, (*v)[i]));
    }
  }
}

}  // namespace

FlightState initial_state(const Aircraft& aircraft) {
  FlightState state;
  state.position_E_Eo = aircraft.position_E_Eo;
  const auto& quat = aircraft.quat_act_E_to_BP1_wxyz;
  state.quat_act_E_to_BP1_wxyz = quat ? *quat : quat_from_angles_izyx(aircraft.angles_E_to_BP1_izyx);
  state.velocity_E__E = aircraft.velocity_E__E;
  state.omegas_BP1__E = aircraft.omegas_BP1__E;
  state.wind_E__E = aircraft.wind_E__E;
  return state;
}

FreeFlight::FreeFlight(const Aircraft& aircraft) : FreeFlight(aircraft, nullptr, nullptr) {}

FreeFlight::FreeFlight(const Aircraft& aircraft, std::shared_ptr<Model> model, std::shared_ptr<Data> data)
    : aircraft_(aircraft),
      model_(model ? std::move(model) : std::make_shared<Model>(make_aircraft_model(aircraft))),
      data_(data ? std::move(data) : std::make_shared<Data>(*model_)),
      body_(find_body(aircraft.name)) {
  require_fit(*model_, *data_);
  const int joint = model_->body_jntadr[body_];
  if (joint < 0 || model_->jnt_type[joint] != static_cast<int>(JointType::kFree))
    throw Error("the model is not that of this aircraft: use make_aircraft_model()");
  qpos_ = model_->jnt_qposadr[joint], qvel_ = model_->jnt_dofadr[joint];
  id_ = checksum(to_bytes(*model_)) | 1;  // never 0, which means "not known"
  before_.resize(snapshot_size());
  reset();
}

int FreeFlight::find_body(const std::string& name) const {
  if (name.empty()) return body_;
  const int body = model_->find(ObjectType::kBody, name);
  if (body > 0) return body;
  if (body == 0) throw Error("loads on the world have no effect: name a body");
  std::vector<std::string> names;
  for (int b = 1; b < model_->nbody; ++b) names.emplace_back(model_->name(ObjectType::kBody, b));
  const std::string nearest = find_nearest(name, names);
  throw Error(fmt::format("there is no body '{}'{}; the model has {}", name,
                          nearest.empty() ? "" : fmt::format(" (did you mean '{}'?)", nearest),
                          fmt::join(names, ", ")));
}

void FreeFlight::apply_loads(const FlightLoads& loads, const FlightState& at) {
  check_loads(loads);
  const int body = find_body(loads.body);
  Mat3<double> R_pas_to_E = Mat3<double>::identity();
  if (loads.axes == FlightAxes::kBody && body != body_) {
    compute_kinematics(*model_, *data_);
    R_pas_to_E = load9(&data_->xmat[9 * body]);
  } else {
    R_pas_to_E = at.R_pas(loads.axes, FlightAxes::kEarth);
  }
  const Vec3<double> moments = loads.moments + cross(loads.point, loads.forces);  // about the centre of mass
  store3(&data_->xfrc_applied[6 * body], R_pas_to_E * loads.forces);
  store3(&data_->xfrc_applied[6 * body + 3], R_pas_to_E * moments);
}

void FreeFlight::clear_loads() { std::fill(data_->xfrc_applied.begin(), data_->xfrc_applied.end(), 0.0); }

FlightLoads FreeFlight::get_loads(const std::string& name) const {
  const double* applied = &data_->xfrc_applied[6 * find_body(name)];
  FlightLoads loads;
  loads.forces = load3(applied), loads.moments = load3(applied + 3);
  loads.body = name;
  return loads;
}

size_t FreeFlight::snapshot_size() const { return static_cast<size_t>(state_size(*model_, kEverything)); }

bool FreeFlight::is_finite() const {
  bool good = true;
  for (const double value : data_->qpos) good &= std::fabs(value) <= kMaxValue;
  for (const double value : data_->qvel) good &= std::fabs(value) <= kMaxValue;
  return good;
}

Status FreeFlight::step() {
  if (before_.size() != snapshot_size()) before_.resize(snapshot_size());  // sensor noise was switched on or off
  torsor::get_state(*model_, *data_, before_.data(), kEverything);
  const Status status = torsor::step(*model_, *data_);
  if (status == Status::kOutOfMemory || (status == Status::kOk && is_finite())) return status;
  torsor::set_state(*model_, *data_, before_.data(), kEverything);
  return Status::kDiverged;
}

FlightState FreeFlight::get_state() const {
  FlightState state;
  state.position_E_Eo = load3(&data_->qpos[qpos_]);
  state.quat_act_E_to_BP1_wxyz = normalized(load4(&data_->qpos[qpos_ + 3]));
  state.velocity_E__E = load3(&data_->qvel[qvel_]);
  state.omegas_BP1__E = load3(&data_->qvel[qvel_ + 3]) / kRadiansPerDegree;
  state.time = data_->time;
  state.wind_E__E = aircraft_.wind_E__E;
  state.aircraft = id_;
  return state;
}

void FreeFlight::write_state(const FlightState& state) {
  store3(&data_->qpos[qpos_], state.position_E_Eo);
  store4(&data_->qpos[qpos_ + 3], normalized(state.quat_act_E_to_BP1_wxyz));
  store3(&data_->qvel[qvel_], state.velocity_E__E);
  store3(&data_->qvel[qvel_ + 3], state.omegas_BP1__E * kRadiansPerDegree);
  data_->time = state.time;
}

void FreeFlight::set_state(const FlightState& state) {
  check_flight_state(state);
  if (state.aircraft != 0 && state.aircraft != id_) {
    throw Error(
        "the state was read from another aircraft; to use its numbers all the same, pass "
        "FlightState::from_vector(state.to_vector(form), form)");
  }
  write_state(state);
}

void FreeFlight::reset() {
  torsor::reset(*model_, *data_);
  write_state(initial_state(aircraft_));
}

FlightSnapshot FreeFlight::save() const {
  FlightSnapshot snapshot{std::vector<double>(snapshot_size()), id_};
  torsor::get_state(*model_, *data_, snapshot.numbers.data(), kEverything);
  return snapshot;
}

void FreeFlight::restore(const FlightSnapshot& snapshot) {
  if (snapshot.aircraft != id_ || snapshot.numbers.size() != snapshot_size())
    throw Error("the snapshot is of another aircraft: only one that this aircraft saved can be restored");
  torsor::set_state(*model_, *data_, snapshot.numbers.data(), kEverything);
}

}  // namespace torsor
