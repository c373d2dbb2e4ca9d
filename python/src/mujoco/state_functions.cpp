// The state as one vector, resets and copies, names, and questions about a model.
#include <algorithm>
#include <functional>

#include <fmt/format.h>

#include "call.hpp"
#include "mj_objects.hpp"
#include "torsor/compile/set_const.hpp"
#include "torsor/constraint/constraint.hpp"
#include "torsor/core/error.hpp"
#include "torsor/dynamics/dynamics.hpp"
#include "torsor/format/binary/binary.hpp"
#include "torsor/model/awake.hpp"
#include "torsor/model/check.hpp"
#include "torsor/sim/sim.hpp"
#include "torsor/sim/sleep.hpp"

namespace torsor::python::mj {
namespace {

// The size of a state; throws Error, like MuJoCo's FatalError, for bits that do not exist.
int checked_size(const char* function, const Model& model, int signature) {
  if (signature < 0) throw Error(fmt::format("{}: invalid state signature {} < 0", function, signature));
  if (signature >= kStateNoise)
    throw Error(fmt::format("{}: invalid state signature {} >= 2^mjNSTATE", function, signature));
  return state_size(model, signature);
}

PyObject* get_state_size(Args& args) {
  return whole(checked_size("mj_stateSize", args.engine_model(), args.integer(1)));
}

PyObject* read_state(Args& args) {
  const Hold hold = check_fits(args.model(), args.data());
  const int signature = args.integer(3);
  if (args.size(2) != checked_size("mj_getState", args.engine_model(), signature))
    throw_type_error("state size should equal mj_stateSize(m, sig)");
  get_state(args.engine_model(), args.engine_data(), args.reals(2), signature);
  return none();
}

PyObject* write_state(Args& args) {
  const Hold hold = check_fits(args.model(), args.data());
  const int signature = args.integer(3);
  if (args.size(2) != checked_size("mj_setState", args.engine_model(), signature))
    throw_type_error("state size should equal mj_stateSize(m, sig)");
  set_state(args.engine_model(), args.engine_data(), args.reals(2), signature);
  return none();
}

PyObject* extract(Args& args) {
  const Model& model = args.engine_model();
  const int from = args.integer(2), to = args.integer(4);
  if (args.size(1) != checked_size("mj_extractState", model, from))
    throw_type_error("src size should equal mj_stateSize(m, srcsig)");
  if (args.size(3) != checked_size("mj_extractState", model, to))
    throw_type_error("dst size should equal mj_stateSize(m, dstsig)");
  extract_state(model, args.reals(1), from, args.reals(3), to);
  return none();
}

// In a fixed order, so that two threads that copy in opposite directions do not deadlock.
struct TwoHolds {
  TwoHolds(const ModelObject& model, const DataObject& a, const DataObject& b)
      : first(check_fits(model, std::less<>()(&a, &b) ? a : b)),
        second(check_fits(model, std::less<>()(&a, &b) ? b : a)) {}
  const Hold first, second;
};

PyObject* copy_part(Args& args) {
  const TwoHolds holds(args.model(), args.data(1), args.data(2));
  checked_size("mj_copyState", args.engine_model(), args.integer(3));
  copy_state(args.engine_model(), args.engine_data(1), args.engine_data(2), args.integer(3));
  return none();
}

PyObject* copy_data(Args& args) {  // dest, m, src
  const TwoHolds holds(args.model(1), args.data(0), args.data(2));
  if (args.data(0).data->gate.depth() > 1)
    throw Error("mj_copyData: the target is in use by the call that this callback belongs to");
  args.engine_data(0) = args.engine_data(2);
  return none();
}

PyObject* reset_all(Args& args) {
  const Hold hold = check_reset(args.model(), args.data());
  reset(args.engine_model(), args.engine_data());
  start_sleep(args.engine_model(), args.engine_data());
  return none();
}

// Like MuJoCo: without such a keyframe, a plain reset.
PyObject* reset_keyframe(Args& args) {
  const Hold hold = check_reset(args.model(), args.data());
  const int key = args.integer(2);
  if (key >= 0 && key < args.engine_model().nkey)
    reset_to_key(args.engine_model(), args.engine_data(), key);
  else
    reset(args.engine_model(), args.engine_data());
  return none();
}

PyObject* reset_controls(Args& args) {
  const Hold hold = check_fits(args.model(), args.data());
  std::fill(args.engine_data().ctrl.begin(), args.engine_data().ctrl.end(), 0.0);
  return none();
}

PyObject* store_keyframe(Args& args) {
  const Hold hold = check_fits(args.model(), args.data());
  const int key = args.integer(2), count = args.engine_model().nkey;
  if (key >= count)
    throw Error(fmt::format("mj_setKeyframe: index must be smaller than {} (keyframes allocated in model)", count));
  if (key < 0) throw Error("mj_setKeyframe: keyframe index cannot be negative");
  set_keyframe(*args.model().model, args.engine_data(), key);
  return none();
}

PyObject* find_id(Args& args) {
  const Model& model = args.engine_model();
  const ObjectType type = static_cast<ObjectType>(args.integer(1));
  const std::string_view name = args.text(2);
  return whole(model.count(type) < 0 || name.empty() ? -1 : model.find(type, name));
}

PyObject* find_name(Args& args) {
  const Model& model = args.engine_model();
  const ObjectType type = static_cast<ObjectType>(args.integer(1));
  const int id = args.integer(2);
  if (id < 0 || id >= model.count(type)) return none();
  const std::string_view name = model.name(type, id);
  return name.empty() ? none() : text(name);
}

PyObject* total_mass(Args& args) {
  const Field<double>& mass = args.engine_model().body_mass;
  double sum = 0;
  for (int i = 1; i < mass.size(); ++i) sum += mass[i];
  return number(sum);
}

PyObject* set_total_mass(Args& args) {
  Model& model = *args.model().model;
  double sum = 0;
  for (int i = 1; i < model.nbody; ++i) sum += model.body_mass[i];
  const double scale = std::max(kMinValue, args.real(1) / std::max(kMinValue, sum));
  for (int i = 1; i < model.nbody; ++i) {
    model.body_mass[i] *= scale;
    for (int k = 0; k < 3; ++k) model.body_inertia[3 * i + k] *= scale;
  }
  set_const(model);
  return none();
}

// As in MuJoCo, the data are left at the springs' reference with everything awake; inputs, velocities and the poses of
// cameras and lights stay.
PyObject* refresh_constants(Args& args) {
  const Hold hold = check_reset(args.model(), args.data());
  check_editable(args.engine_model());
  set_const(*args.model().model);
  const Model& model = args.engine_model();
  Data& data = args.engine_data();
  std::copy(model.qpos_spring.begin(), model.qpos_spring.end(), data.qpos.begin());
  wake_all(model, data);
  compute_kinematics(model, data);
  compute_com_position(model, data);
  return none();
}

PyObject* save_model(Args& args) {
  const std::string bytes = to_bytes(args.engine_model());
  if (args.is_given(1)) {
    save_binary(args.engine_model(), std::string(args.text(1)));
    return none();
  }
  if (!args.is_given(2)) throw_type_error("at least one of filename or buffer must be specified");
  if (args.size(2) < static_cast<int>(bytes.size())) throw_type_error("buffer is too small: see mj_sizeModel(m)");
  std::copy(bytes.begin(), bytes.end(), const_cast<unsigned char*>(args.bytes(2)));
  return none();
}

// A model keeps its sizes and names.
PyObject* model_size(Args& args) {
  auto* const object =
      nb::isinstance<MjModelObject>(args.object(0)) ? nb::inst_ptr<MjModelObject>(args.object(0)) : nullptr;
  if (object && object->size_in_bytes > 0) return whole(object->size_in_bytes);
  const auto size = static_cast<long>(to_bytes(args.engine_model()).size());
  if (object) object->size_in_bytes = size;
  return whole(size);
}

PyObject* ask_pyramidal(Args& args) { return whole(is_pyramidal(args.engine_model())); }
PyObject* ask_sparse(Args& args) { return whole(is_jacobian_sparse(args.engine_model())); }
PyObject* ask_dual(Args& args) {
  const Option& option = args.engine_model().opt;
  return whole(option.solver == static_cast<int>(SolverType::kPgs) || option.noslip_iterations > 0);
}

}  // namespace

void bind_state_functions(nb::module_& m) {
  const Function rows[] = {
      {"mj_stateSize", "m:m sig:i", get_state_size},
      {"mj_stateSize", "m:m spec:i", get_state_size},  // the name until 3.3
      {"mj_getState", "m:m d:d state:V sig:i", read_state},
      {"mj_getState", "m:m d:d state:V spec:i", read_state},
      {"mj_setState", "m:m d:d state:v sig:i", write_state},
      {"mj_setState", "m:m d:d state:v spec:i", write_state},
      {"mj_extractState", "m:m src:v srcsig:i dst:V dstsig:i", extract},
      {"mj_copyState", "m:m src:d dst:d sig:i", copy_part},
      {"mj_copyData", "dest:d m:m src:d", copy_data},
      {"mj_resetData", "m:m d:d", reset_all},
      {"mj_resetDataDebug", "m:m d:d debug_value:i", reset_all},
      {"mj_resetDataKeyframe", "m:m d:d key:i", reset_keyframe},
      {"mj_resetCtrl", "m:m d:d", reset_controls},
      {"mj_setKeyframe", "m:m d:d k:i", store_keyframe},
      {"mj_name2id", "m:m type:i name:s", find_id},
      {"mj_id2name", "m:m type:i id:i", find_name},
      {"mj_getTotalmass", "m:m", total_mass},
      {"mj_setTotalmass", "m:m newmass:f", set_total_mass},
      {"mj_setConst", "m:m d:d", refresh_constants},
      {"mj_saveModel", "m:m filename:s?=None buffer:U?=None", save_model},
      {"mj_sizeModel", "m:m", model_size},
      {"mj_isPyramidal", "m:m", ask_pyramidal},
      {"mj_isSparse", "m:m", ask_sparse},
      {"mj_isDual", "m:m", ask_dual},
  };
  add_functions(m, rows);
}

}  // namespace torsor::python::mj
