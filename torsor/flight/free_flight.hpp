// FreeFlight: a rigid aircraft that flies under loads which its user computes. The engine's world is Earth axes.
//
//   FreeFlight flight({.mass = 2, .I_BP1_CgP1 = inertia, .position_E_Eo = {0, 0, -100}, .velocity_E__E = {15, 0, 0}});
//   flight.apply_loads({.forces = lift_and_drag, .moments = moments, .axes = FlightAxes::kWind});
//   flight.step();
//   const FlightState state = flight.get_state();
//
// The centre of gravity is that of the aircraft's own body. Bodies that extra_xml adds have their own.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "torsor/flight/flight_state.hpp"
#include "torsor/model/data.hpp"
#include "torsor/model/spec.hpp"
#include "torsor/sim/sim.hpp"

namespace torsor {

struct Aircraft {
  std::string name = "aircraft";                             // of its body
  double mass = 0;                                           // kg
  Mat3<double> I_BP1_CgP1 = Mat3<double>::zero();            // kg m^2, in body axes about the CG
  Vec3<double> position_E_Eo = Vec3<double>::zero();         // m, of the CG
  Vec3<double> angles_E_to_BP1_izyx = Vec3<double>::zero();  // degrees: roll, pitch, yaw
  std::optional<Quat<double>> quat_act_E_to_BP1_wxyz{};      // in place of the angles
  Vec3<double> velocity_E__E = Vec3<double>::zero();         // m/s, of the CG
  Vec3<double> omegas_BP1__E = Vec3<double>::zero();         // degrees per second, in body axes
  Vec3<double> g_E{0, 0, 9.80665};                           // m/s^2
  Vec3<double> wind_E__E = Vec3<double>::zero();             // m/s, velocity of the air
  double delta_time = 0.01;                                  // s, one step
  std::string integrator = "RK4";                            // or Euler, implicit, implicitfast
  // Principal axes to rounding. False: as MuJoCo computes them, which differs from the given matrix by up to 1e-7.
  bool exact_inertia = true;
  // Fragments of MJCF by the place where they are inserted: "body" and "worldbody" inside these elements, the others
  // (default, asset, visual, contact, equality, tendon, actuator, sensor) as whole sections. Frames are Earth axes in
  // "worldbody" and body axes in "body".
  std::map<std::string, std::string> extra_xml{};
  std::shared_ptr<const FileSystem> files{};  // that the fragments refer to
};

FlightState initial_state(const Aircraft& aircraft);

// The model as MJCF, and compiled. Throw an Error for values that no aircraft has and for fragments that are not MJCF
// or change the aircraft's mass.
std::string make_aircraft_mjcf(const Aircraft& aircraft);
Model make_aircraft_model(const Aircraft& aircraft);

// Loads on one body: a force, and a moment about a point. All three vectors are in the same axes; "body" axes are those
// of the body that carries the load, the others those of the aircraft.
struct FlightLoads {
  Vec3<double> forces = Vec3<double>::zero();   // N
  Vec3<double> moments = Vec3<double>::zero();  // N m
  FlightAxes axes = FlightAxes::kEarth;
  Vec3<double> point = Vec3<double>::zero();  // m, from the centre of mass of the body
  std::string body{};                         // "": the aircraft itself
};

// Everything that the next step depends on, exact to the bit.
struct FlightSnapshot {
  std::vector<double> numbers;
  uint64_t aircraft = 0;
};

class FreeFlight {
 public:
  explicit FreeFlight(const Aircraft& aircraft);
  // Uses a model made by make_aircraft_model(aircraft) and a Data of it.
  FreeFlight(const Aircraft& aircraft, std::shared_ptr<Model> model, std::shared_ptr<Data> data);
  FreeFlight(FreeFlight&&) = default;

  // Sets the loads on a body, in place of earlier ones. They are converted at the present orientation, or at that of
  // `at`, and stay constant in Earth axes until they are replaced. Throws an Error, with nothing changed, for a body
  // that does not exist and for numbers that are not finite.
  void apply_loads(const FlightLoads& loads) { apply_loads(loads, get_state()); }
  void apply_loads(const FlightLoads& loads, const FlightState& at);
  void clear_loads();
  // As they act: force and moment about the centre of mass, Earth axes.
  FlightLoads get_loads(const std::string& body = "") const;

  // Takes one step of delta_time. If the numbers are not finite afterwards, the state is as it was before, and the
  // result is kDiverged. Does not allocate, does not throw (callbacks of users may).
  Status step();

  FlightState get_state() const;
  // Throws for numbers that are not finite and for a state that was read from another aircraft.
  void set_state(const FlightState& state);
  // The initial state, time zero, no loads.
  void reset();

  FlightSnapshot save() const;
  // Throws for a snapshot of another aircraft.
  void restore(const FlightSnapshot& snapshot);

  double delta_time() const { return model_->opt.timestep; }
  const Model& model() const { return *model_; }
  Data& data() { return *data_; }
  int body() const { return body_; }

 private:
  int find_body(const std::string& name) const;
  void write_state(const FlightState& state);
  bool is_finite() const;
  size_t snapshot_size() const;

  Aircraft aircraft_;
  std::shared_ptr<Model> model_;
  std::shared_ptr<Data> data_;
  int body_ = 0, qpos_ = 0, qvel_ = 0;
  uint64_t id_ = 0;               // of model and name; states and snapshots carry it
  std::vector<double> before_{};  // the state before the step
};

}  // namespace torsor
