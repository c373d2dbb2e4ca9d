// Rays, distances, histories, length ranges and derivatives.
#include <algorithm>
#include <cmath>
#include <vector>

#include <fmt/format.h>

#include "../pace.hpp"
#include "call.hpp"
#include "mj_objects.hpp"
#include "torsor/contact/distance.hpp"
#include "torsor/contact/ray.hpp"
#include "torsor/core/error.hpp"
#include "torsor/dynamics/actuation.hpp"
#include "torsor/dynamics/dynamics.hpp"
#include "torsor/dynamics/history.hpp"
#include "torsor/sim/differences.hpp"
#include "torsor/sim/sim.hpp"

namespace torsor::python::mj {
namespace {

int checked(const char* function, const char* what, int id, int count) {
  if (id < 0 || id >= count)
    throw Error(fmt::format("{}: {} {} does not exist: the model has {}", function, what, id, count));
  return id;
}

// The same where MuJoCo raises IndexError.
int checked_index(const char* function, const char* what, int id, int count) {
  if (id < 0 || id >= count)
    throw nb::index_error(fmt::format("{}: {} {} does not exist: the model has {}", function, what, id, count).c_str());
  return id;
}

// geomgroup, flg_static and bodyexclude, which follow one another.
struct Visible {
  Visible(const Args& args, int first) {
    if (args.is_given(first)) {
      for (int i = 0; i < RayFilter::kGroups; ++i) groups[i] = args.bytes(first)[i] != 0;
      filter.groups = groups;
    }
    filter.with_static = args.truth(first + 1);
    filter.excluded_body = args.integer(first + 2);
  }
  bool groups[RayFilter::kGroups] = {};
  RayFilter filter;
};

PyObject* cast_one(Args& args) {  // m d pnt vec geomgroup flg_static bodyexclude geomid normal
  const Hold hold = check_fits(args.model(), args.data());
  const Visible visible(args, 4);
  const RayHit hit =
      cast_ray(args.engine_model(), args.engine_data(), {load3(args.reals(2)), load3(args.reals(3))}, visible.filter);
  if (args.is_given(7)) args.ints(7)[0] = hit.geom;
  if (args.is_given(8)) store3(args.reals(8), hit.normal);
  return number(hit.distance);
}

// m d pnt vec geomgroup flg_static bodyexclude geomid dist normal nray cutoff
PyObject* cast_many(Args& args) {
  const Hold hold = check_fits(args.model(), args.data());
  const int count = args.integer(10);
  if (count < 0) throw_type_error("nray must not be negative");
  const auto require = [&](int i, int64_t size, const char* text) {
    if (args.is_given(i) && args.size(i) != size) throw_type_error(text);
  };
  require(7, count, "geomid should be of size nray");
  require(8, count, "dist should be of size nray");
  require(3, int64_t{3} * count, "vec should be of size 3*nray");
  require(9, int64_t{3} * count, "normal should be of size 3*nray");
  Visible visible(args, 4);
  visible.filter.cutoff = args.real(11);
  for (int i = 0; i < count; ++i) {
    const RayHit hit = cast_ray(args.engine_model(), args.engine_data(),
                                {load3(args.reals(2)), load3(args.reals(3) + 3 * i)}, visible.filter);
    args.ints(7)[i] = hit.geom;
    args.reals(8)[i] = hit.distance;
    if (args.is_given(9)) store3(args.reals(9) + 3 * i, hit.normal);
  }
  return none();
}

PyObject* cast_at_geom(Args& args, GeomType wanted, const char* function) {  // m d geomid pnt vec normal
  const Hold hold = check_fits(args.model(), args.data());
  const Model& model = args.engine_model();
  const int geom = checked(function, "geom", args.integer(2), model.ngeom);
  if (model.geom_type[geom] != static_cast<int>(wanted))
    throw Error(fmt::format("{}: geom {} is of another type", function, geom));
  const RayHit hit = cast_ray_at_geom(model, args.engine_data(), {load3(args.reals(3)), load3(args.reals(4))}, geom);
  if (args.is_given(5)) store3(args.reals(5), hit.normal);
  return number(hit.distance);
}
PyObject* cast_at_field(Args& args) { return cast_at_geom(args, GeomType::kHfield, "mj_rayHfield"); }
PyObject* cast_at_mesh(Args& args) { return cast_at_geom(args, GeomType::kMesh, "mj_rayMesh"); }

PyObject* distance_of_geoms(Args& args) {  // m d geom1 geom2 distmax fromto
  const Hold hold = check_fits(args.model(), args.data());
  const Model& model = args.engine_model();
  if (args.is_given(5) && args.size(5) != 6) throw_type_error("fromto should be of size 6");
  const int a = checked("mj_geomDistance", "geom", args.integer(2), model.ngeom);
  const int b = checked("mj_geomDistance", "geom", args.integer(3), model.ngeom);
  const GeomDistance found = geom_distance(model, args.engine_data(), a, b, args.real(4));
  if (args.is_given(5)) {
    store3(args.reals(5), found.from_W);
    store3(args.reals(5) + 3, found.to_W);
  }
  return number(found.distance);
}

int checked_interpolation(const char* function, int interp, int own) {
  if (interp < -1 || interp > 2) throw Error(fmt::format("{}: interp must be from -1 to 2, got {}", function, interp));
  return interp < 0 ? own : interp;
}

PyObject* read_control_at(Args& args) {  // m d id time [result] interp
  const Hold hold = check_fits(args.model(), args.data());
  const Model& model = args.engine_model();
  const bool has_result = args.size(4) > 0 && args.is_given(4);
  const int actuator = checked_index("mj_readCtrl", "actuator", args.integer(2), model.nactuator);
  const int interp =
      checked_interpolation("mj_readCtrl", args.integer(has_result ? 5 : 4), model.actuator_history[2 * actuator + 1]);
  const int count = model.actuator_ctrlnum[actuator];
  if (has_result && args.size(4) != count) throw_type_error("size of result should equal actuator_ctrlnum[id]");
  std::vector<double> values(static_cast<size_t>(count));
  read_controls(model, args.engine_data(), actuator, args.real(3) - model.actuator_delay[actuator], interp,
                values.data());
  if (!has_result) return number(count > 0 ? values[0] : 0);
  std::copy(values.begin(), values.end(), args.reals(4));
  return Py_NewRef(args.object(4).ptr());
}

PyObject* read_sensor_at(Args& args) {  // m d id time result interp
  const Hold hold = check_fits(args.model(), args.data());
  const Model& model = args.engine_model();
  const Data& data = args.engine_data();
  const int sensor = checked_index("mj_readSensor", "sensor", args.integer(2), model.nsensor);
  const int dim = model.sensor_dim[sensor], address = model.sensor_historyadr[sensor];
  if (args.size(4) != dim) throw_type_error("size of result should equal sensor_dim[id]");
  const int interp = checked_interpolation("mj_readSensor", args.integer(5), model.sensor_history[2 * sensor + 1]);
  if (address < 0)
    std::copy_n(data.sensordata.row(model.sensor_adr[sensor], 1), dim, args.reals(4));
  else
    read_history(data.history.row(address, 1), {model.sensor_history[2 * sensor], dim},
                 args.real(3) - model.sensor_delay[sensor], interp, args.reals(4));
  return Py_NewRef(args.object(4).ptr());
}

void fill(const char* function, Args& args, double* history, HistoryLayout layout) {
  if (args.size(4) != layout.samples * layout.dim)
    throw_type_error(fmt::format("values should be of size {}", layout.samples * layout.dim));
  if (args.is_given(3) && args.size(3) != layout.samples)
    throw_type_error(fmt::format("times should be of size {}", layout.samples));
  for (int k = 1; args.is_given(3) && k < layout.samples; ++k)
    if (!(args.reals(3)[k] > args.reals(3)[k - 1])) throw Error(fmt::format("{}: times must increase", function));
  fill_history(history, layout, args.reals(3), args.reals(4));
}

PyObject* init_control_history(Args& args) {  // m d id times values
  const Hold hold = check_fits(args.model(), args.data());
  const Model& model = args.engine_model();
  const int actuator = checked_index("mj_initCtrlHistory", "actuator", args.integer(2), model.nactuator);
  const int address = model.actuator_historyadr[actuator];
  if (address < 0) throw Error(fmt::format("mj_initCtrlHistory: actuator {} has no history", actuator));
  fill("mj_initCtrlHistory", args, args.engine_data().history.row(address, 1),
       {model.actuator_history[2 * actuator], model.actuator_ctrlnum[actuator]});
  return none();
}

PyObject* init_reading_history(Args& args) {  // m d id times values phase
  const Hold hold = check_fits(args.model(), args.data());
  const Model& model = args.engine_model();
  const int sensor = checked_index("mj_initSensorHistory", "sensor", args.integer(2), model.nsensor);
  const int address = model.sensor_historyadr[sensor];
  if (address < 0) throw Error(fmt::format("mj_initSensorHistory: sensor {} has no history", sensor));
  double* history = args.engine_data().history.row(address, 1);
  fill("mj_initSensorHistory", args, history, {model.sensor_history[2 * sensor], model.sensor_dim[sensor]});
  history[0] = args.real(5);
  return none();
}

void deliver(const Args& args, int i, const Matrix& matrix, bool transposed = false) {
  if (!args.is_given(i)) return;
  for (int r = 0; r < matrix.rows; ++r)
    for (int c = 0; c < matrix.columns; ++c)
      args.reals(i)[transposed ? c * matrix.rows + r : r * matrix.columns + c] = matrix(r, c);
}

DifferenceOptions options_of(EngineCall& call, Pace& pace, double eps, bool centered) {
  DifferenceOptions options;
  options.eps = eps;
  options.centered = centered;
  options.before_sample = [&call, &pace] {
    if (pace.is_due()) call.check_signals();
  };
  return options;
}

PyObject* transition(Args& args) {  // m d eps flg_centered A B C D
  const Model& model = args.engine_model();
  const int nx = 2 * model.nv + model.na, ns = model.nsensordata;
  args.require_shape(4, nx, nx, "(2*nv+na, 2*nv+na)");
  args.require_shape(5, nx, model.nu, "(2*nv+na, nu)");
  args.require_shape(6, ns, nx, "(nsensordata, 2*nv+na)");
  args.require_shape(7, ns, model.nu, "(nsensordata, nu)");
  TransitionDerivatives result;
  {
    EngineCall call(args.model(), args.data(), Effect::kSamples);
    Pace pace;
    DifferenceOptions options = options_of(call, pace, args.real(2), args.truth(3));
    options.sensors = args.is_given(6) || args.is_given(7);
    result = transition_derivatives(call.model, call.data, options);
  }
  deliver(args, 4, result.A), deliver(args, 5, result.B), deliver(args, 6, result.C), deliver(args, 7, result.D);
  return none();
}

// Derivatives by finite differences of what inverse dynamics computes besides forces: readings of sensors, and M; and
// of what actuators take off its forces. Rows are the dofs that change. `data` is left as inverse() computes it.
class InverseReadings {
 public:
  InverseReadings(const Model& model, Data& data, double eps, bool has_actuation)
      : model_(model),
        data_(data),
        eps_(eps),
        has_actuation_(has_actuation),
        qpos_(copy_of(data.qpos)),
        qvel_(copy_of(data.qvel)),
        qacc_(copy_of(data.qacc)) {
    compute();
    readings_ = copy_of(data_.sensordata);
    M_ = copy_of(data_.M);
    actuation_ = copy_of(data_.qfrc_actuator);
  }
  ~InverseReadings() {
    restore();
    compute();
  }
  // Where results are not null. `force` is what actuators leave to inverse dynamics: less by what they do.
  void by_position(double* readings, double* M, double* force) {
    std::vector<double> turn(qvel_.size());
    for (int dof = 0; dof < model_.nv && (readings || M || force); ++dof) {
      turn[static_cast<size_t>(dof)] = eps_;
      integrate_pos(model_, data_.qpos.data(), turn.data(), 1);
      turn[static_cast<size_t>(dof)] = 0;
      take(dof, readings, M, force);
    }
  }
  void by_velocity(double* readings, double* force) { by_number(data_.qvel, readings, force); }
  void by_acceleration(double* readings) { by_number(data_.qacc, readings, nullptr); }

 private:
  static std::vector<double> copy_of(const Field<double>& field) { return {field.begin(), field.end()}; }
  void restore() {
    std::copy(qpos_.begin(), qpos_.end(), data_.qpos.begin());
    std::copy(qvel_.begin(), qvel_.end(), data_.qvel.begin());
    std::copy(qacc_.begin(), qacc_.end(), data_.qacc.begin());
  }
  void by_number(Field<double>& numbers, double* readings, double* force) {
    for (int dof = 0; dof < model_.nv && (readings || force); ++dof) {
      numbers[dof] += eps_;
      take(dof, readings, nullptr, force);
    }
  }
  void compute() {
    inverse(model_, data_);
    if (!has_actuation_) return;
    forward_actuation(model_, data_);
    if (model_.nsensor > 0) inverse_skip(model_, data_, SkipStage::kVelocity);  // sensors of what actuators do
  }
  void take(int dof, double* readings, double* M, double* force) {
    compute();
    const auto write = [&](double* to, const Field<double>& now, const std::vector<double>& before, double step) {
      for (size_t i = 0; to && i < before.size(); ++i)
        to[static_cast<size_t>(dof) * before.size() + i] = (now[static_cast<ptrdiff_t>(i)] - before[i]) / step;
    };
    write(readings, data_.sensordata, readings_, eps_);
    write(M, data_.M, M_, eps_);
    write(force, data_.qfrc_actuator, actuation_, -eps_);
    restore();
  }

  const Model& model_;
  Data& data_;
  const double eps_;
  const bool has_actuation_;
  const std::vector<double> qpos_, qvel_, qacc_;
  std::vector<double> readings_, M_, actuation_;
};

PyObject* inverse_differences(Args& args) {  // m d eps flg_actuation DfDq DfDv DfDa DsDq DsDv DsDa DmDq
  const int nv = args.engine_model().nv;
  for (int i = 4; i <= 6; ++i) args.require_shape(i, nv, nv, "(nv, nv)");
  for (int i = 7; i <= 9; ++i) args.require_shape(i, nv, args.engine_model().nsensordata, "(nv, nsensordata)");
  args.require_shape(10, nv, args.engine_model().nC, "(nv, nC)");
  InverseDerivatives result;
  const bool has_actuation = args.truth(3);
  std::vector<double> by_position(has_actuation ? static_cast<size_t>(nv * nv) : 0), by_velocity(by_position);
  {
    EngineCall call(args.model(), args.data(), Effect::kSamples);
    Pace pace;
    result = inverse_derivatives(call.model, call.data, options_of(call, pace, args.real(2), false));
    if (has_actuation || args.is_given(7) || args.is_given(8) || args.is_given(9) || args.is_given(10)) {
      InverseReadings readings(call.model, call.data, args.real(2), has_actuation);
      readings.by_position(args.reals(7), args.reals(10), has_actuation ? by_position.data() : nullptr);
      readings.by_velocity(args.reals(8), has_actuation ? by_velocity.data() : nullptr);
      readings.by_acceleration(args.reals(9));
    }
  }
  for (int i = 4; i <= 6; ++i)  // MuJoCo's have the derivatives of all forces by one number in a row
    deliver(args, i, i == 4 ? result.qpos : i == 5 ? result.qvel : result.qacc, true);
  for (size_t k = 0; k < by_position.size(); ++k) {
    if (args.is_given(4)) args.reals(4)[k] += by_position[k];
    if (args.is_given(5)) args.reals(5)[k] += by_velocity[k];
  }
  return none();
}

// Whether a point in the frame of a mesh, as it was written, is in its convex hull.
bool is_inside_hull(const Model& model, int mesh, const Vec3<double>& point) {
  const double* q = &model.mesh_quat[4 * mesh];
  const Vec3<double> u{-q[1], -q[2], -q[3]};
  const Vec3<double> d =
      point - Vec3<double>{model.mesh_pos[3 * mesh], model.mesh_pos[3 * mesh + 1], model.mesh_pos[3 * mesh + 2]};
  const Vec3<double> p = d + 2.0 * cross(u, cross(u, d) + q[0] * d);
  const auto corner = [&](int face, int k) {
    const int at = 3 * (model.mesh_hullvertadr[mesh] + model.mesh_hullface[3 * face + k]);
    return Vec3<double>{model.mesh_hullpos[at], model.mesh_hullpos[at + 1], model.mesh_hullpos[at + 2]};
  };
  const int first = model.mesh_hullfaceadr[mesh];
  for (int face = first; first >= 0 && face < first + model.mesh_hullfacenum[mesh]; ++face) {
    const Vec3<double> a = corner(face, 0);
    if (dot(p - a, cross(corner(face, 1) - a, corner(face, 2) - a)) >= 0) return false;
  }
  return first >= 0;
}

// Whether a point in world coordinates lies in the volume of a site.
PyObject* is_inside_site(Args& args) {
  const Model& model = args.engine_model();
  const Data& data = args.engine_data();
  const int site = args.integer(2);
  if (site < 0 || site >= model.nsite) throw Error(fmt::format("mj_insideSite: no site {}", site));
  const Vec3<double> d = load3(args.reals(3)) - load3(&data.site_xpos[3 * site]);
  const double *R = &data.site_xmat[9 * site], *size = &model.site_size[3 * site];
  const double x = R[0] * d.x + R[3] * d.y + R[6] * d.z, y = R[1] * d.x + R[4] * d.y + R[7] * d.z,
               z = R[2] * d.x + R[5] * d.y + R[8] * d.z;
  const double radius = std::hypot(x, y), ax = x / size[0], ay = y / size[1], az = z / size[2];
  switch (static_cast<GeomType>(model.site_type[site])) {
    case GeomType::kSphere:
      return whole(std::hypot(radius, z) < size[0]);
    case GeomType::kCapsule:
      return whole(std::hypot(radius, std::max(0.0, std::fabs(z) - size[1])) < size[0]);
    case GeomType::kEllipsoid:
      return whole(ax * ax + ay * ay + az * az < 1);
    case GeomType::kCylinder:
      return whole(radius < size[0] && std::fabs(z) < size[1]);
    case GeomType::kMesh:
      return whole(is_inside_hull(model, model.site_dataid[site], {x, y, z}));
    default:
      return whole(std::fabs(x) < size[0] && std::fabs(y) < size[1] && std::fabs(z) < size[2]);
  }
}

}  // namespace

void bind_query_functions(nb::module_& m) {
  constexpr const char* kAtGeom = "m:m d:d geomid:i pnt:v3 vec:v3 normal:V3?=None";
  const Function rows[] = {
      {"mj_ray", "m:m d:d pnt:v3 vec:v3 geomgroup:u6? flg_static:b bodyexclude:i geomid:N1? normal:V3?=None", cast_one},
      {"mj_multiRay",
       "m:m d:d pnt:v3 vec:v geomgroup:u6? flg_static:b bodyexclude:i geomid:N dist:V normal:V? nray:i cutoff:f",
       cast_many},
      {"mj_insideSite", "m:m d:d siteid:i point:v3", is_inside_site},
      {"mj_rayHfield", kAtGeom, cast_at_field},
      {"mj_rayMesh", kAtGeom, cast_at_mesh},
      {"mj_geomDistance", "m:m d:d geom1:i geom2:i distmax:f fromto:W?", distance_of_geoms},
      {"mj_readCtrl", "m:m d:d id:i time:f result:V interp:i", read_control_at},
      {"mj_readCtrl", "m:m d:d id:i time:f interp:i", read_control_at},
      {"mj_readSensor", "m:m d:d id:i time:f result:V interp:i", read_sensor_at},
      {"mj_initCtrlHistory", "m:m d:d id:i times:v? values:w", init_control_history},
      {"mj_initSensorHistory", "m:m d:d id:i times:v? values:w phase:f", init_reading_history},
      {"mjd_transitionFD", "m:m d:d eps:f flg_centered:b A:W? B:W? C:W? D:W?", transition},
      {"mjd_inverseFD", "m:m d:d eps:f flg_actuation:b DfDq:W? DfDv:W? DfDa:W? DsDq:W? DsDv:W? DsDa:W? DmDq:W?",
       inverse_differences},
  };
  add_functions(m, rows);
}

}  // namespace torsor::python::mj
