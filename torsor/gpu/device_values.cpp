#include "torsor/gpu/device_values.hpp"

#include <algorithm>
#include <iterator>

#include "torsor/core/error.hpp"
#include "torsor/core/parallel.hpp"

namespace torsor::gpu {
namespace {

// Kernels that read a field, and what else it is to a plan of steps.
enum Effect : unsigned {
  kPoses = 1,    // kinematics
  kInertia = 2,  // mass matrix
  kForces = 4,   // tendons, actuators, velocities and forces
  kMotion = 8,   // sensors and the integrator
  kRows = 16,    // contacts and rows
  kAll = kPoses | kInertia | kForces | kMotion | kRows,
  kReaches = 32,    // it decides how near pairs of geoms must be
  kOneForAll = 64,  // where a number is not zero there is a stage or a row, so that plans are made as if all were 1
  kDerived = 128,   // no real numbers: only set_const() makes them differ
};

unsigned reader_of(WideStage stage) {
  switch (stage) {
    case WideStage::kKinematics:
      return kPoses;
    case WideStage::kMassMatrix:
      return kInertia;
    case WideStage::kTendonArmature:  // these read the structure of the model
    case WideStage::kFactor:
    case WideStage::kAcceleration:
    case WideStage::kFreeAcceleration:
      return 0;
    case WideStage::kFixedTendons:
    case WideStage::kTransmission:
    case WideStage::kVelocity:
    case WideStage::kTendonVelocity:
    case WideStage::kActuatorVelocity:
    case WideStage::kPassive:
    case WideStage::kTendonForce:
    case WideStage::kJointDrives:
    case WideStage::kDrives:
      return kForces;
    default:
      return kMotion;
  }
}

constexpr struct {
  std::string_view name;
  unsigned effects;
} kFields[] = {
    {"qpos_spring", kForces | kMotion},
    {"body_pos", kPoses | kForces | kMotion},
    {"body_quat", kPoses | kForces | kMotion},
    {"body_ipos", kPoses | kForces | kMotion},
    {"body_iquat", kPoses | kForces | kMotion},
    {"body_mass", kPoses | kForces | kMotion},
    {"body_inertia", kPoses | kForces | kMotion},
    {"body_subtreemass", kPoses | kForces | kMotion},
    {"body_invweight0", kRows},
    {"body_gravcomp", kForces | kMotion},
    {"body_sameframe", kPoses | kForces | kMotion | kDerived},
    {"geom_sameframe", kPoses | kForces | kMotion | kDerived},
    {"site_sameframe", kPoses | kForces | kMotion | kDerived},
    {"flags", kAll | kDerived},
    {"jnt_pos", kPoses | kForces | kMotion},
    {"jnt_axis", kPoses | kForces | kMotion},
    {"jnt_stiffness", kForces | kMotion},
    {"jnt_stiffnesspoly", kForces | kMotion},
    {"jnt_springyield", kForces | kMotion},
    {"jnt_actfrcrange", kForces | kMotion},
    {"jnt_range", kRows},
    {"jnt_margin", kRows},
    {"jnt_solref", kRows},
    {"jnt_solimp", kRows},
    {"dof_armature", kInertia | kMotion},
    {"dof_damping", kForces | kMotion | kOneForAll},
    {"dof_dampingpoly", kForces | kMotion | kOneForAll},
    {"dof_frictionloss", kRows | kOneForAll},
    {"dof_solref", kRows},
    {"dof_solimp", kRows},
    {"dof_invweight0", kRows},
    {"geom_pos", kPoses | kForces | kMotion},
    {"geom_quat", kPoses | kForces | kMotion},
    {"geom_size", kForces | kMotion | kRows | kReaches},
    {"geom_rbound", kRows | kReaches},
    {"geom_aabb", kRows | kReaches},
    {"geom_margin", kRows | kReaches},
    {"geom_gap", kRows | kReaches},
    {"geom_friction", kRows},
    {"geom_solmix", kRows},
    {"geom_solref", kRows},
    {"geom_solimp", kRows},
    {"geom_fluid", kForces | kMotion},
    {"site_pos", kPoses | kForces | kMotion},
    {"site_quat", kPoses | kForces | kMotion | kRows},
    {"pair_friction", kRows},
    {"pair_solref", kRows},
    {"pair_solreffriction", kRows},
    {"pair_solimp", kRows},
    {"pair_margin", kRows | kReaches},
    {"pair_gap", kRows | kReaches},
    {"eq_data", kRows},
    {"eq_solref", kRows},
    {"eq_solimp", kRows},
    {"tendon_stiffness", kForces | kMotion | kOneForAll},
    {"tendon_damping", kForces | kMotion | kOneForAll},
    {"tendon_lengthspring", kForces | kMotion},
    {"tendon_range", kRows},
    {"tendon_margin", kRows},
    {"tendon_solref_lim", kRows},
    {"tendon_solimp_lim", kRows},
    {"tendon_solref_fri", kRows},
    {"tendon_solimp_fri", kRows},
    {"tendon_invweight0", kRows},
    {"tendon_length0", kRows},
    {"actuator_dynprm", kForces | kMotion},
    {"actuator_gainprm", kForces | kMotion},
    {"actuator_biasprm", kForces | kMotion},
    {"actuator_gear", kForces | kMotion},
    {"actuator_ctrlrange", kForces | kMotion},
    {"actuator_forcerange", kForces | kMotion},
    {"actuator_actrange", kForces | kMotion},
    {"actuator_acc0", kForces | kMotion},
    {"sensor_cutoff", kMotion},
    {"opt.timestep", kAll},
    {"opt.gravity", kForces | kMotion},
    {"opt.wind", kForces | kMotion},
    {"opt.magnetic", kMotion},
    {"opt.density", kForces | kMotion | kOneForAll},
    {"opt.viscosity", kForces | kMotion | kOneForAll},
    {"opt.impratio", kRows},
};

static_assert(std::size(kFields) <= ValueList<double>::kMost, "each may differ in the same batch");

const auto* find_field(std::string_view name) {
  const auto* const field =
      std::find_if(std::begin(kFields), std::end(kFields), [&](const auto& each) { return each.name == name; });
  return field == std::end(kFields) ? nullptr : field;
}

}  // namespace

bool may_differ_on_devices(std::string_view field) { return find_field(field) != nullptr; }

template <class S>
DeviceValues<S>::DeviceValues(Backend<S>& backend, const Model& model, int worlds)
    : backend_(backend), model_(model), worlds_(worlds), memory_(backend), host_(model, worlds) {}

template <class S>
bool DeviceValues<S>::has_own_reaches() const {
  return (effects_ & kReaches) != 0;
}
template <class S>
bool DeviceValues<S>::has_own_rows() const {
  return (effects_ & kRows) != 0;
}
template <class S>
bool DeviceValues<S>::concerns(const StageList& list) const {
  unsigned readers = 0;
  for (int k = 0; k < list.count; ++k) readers |= reader_of(list.stages[k]);
  return (effects_ & readers) != 0;
}

template <class S>
S* DeviceValues<S>::find(const std::string& field) const {
  const auto found = std::find_if(given_.begin(), given_.end(), [&](const Given& each) { return each.field == field; });
  return found == given_.end() ? nullptr : found->numbers;
}

template <class S>
void DeviceValues<S>::require_expandable(const std::string& field) const {
  host_.count_numbers(field);  // throws for what no batch has per world
  if (!may_differ_on_devices(field) || (find_field(field)->effects & kDerived) != 0)
    throw Error(fmt::format("values of '{}' per world are not supported on devices", field));
  if (model_.nmocap > 0 && (field == "body_pos" || field == "body_quat"))
    throw Error(
        fmt::format("values of '{}' per world are not supported on devices in models with mocap bodies", field));
}

template <class S>
typename ValueList<S>::Entry& DeviceValues<S>::add(const WorldValues::Entry& entry) {
  TORSOR_ASSERT(list_.count < ValueList<S>::kMost);  // each field is added once
  const auto n = static_cast<std::size_t>(worlds_);
  if (!list_.models) {
    list_.models = memory_.template take<ModelView>(n, "the models of worlds");
    list_.fault = memory_.template take<int>(1, "the models of worlds");
  }
  typename ValueList<S>::Entry to{};
  to.bytes = static_cast<int>(entry.bytes);
  to.place = static_cast<int>(entry.place);
  to.is_array = entry.is_array;
  to.values = memory_.template take<std::byte>(n * entry.bytes, entry.name.c_str());
  backend_.upload(to.values, entry.values.data(), n * entry.bytes);
  renew();
  names_.push_back(entry.name);
  effects_ |= find_field(entry.name)->effects;
  return list_.entries[list_.count++] = to;
}

template <class S>
S* DeviceValues<S>::expand(const std::string& field) {
  if (S* const numbers = find(field)) return numbers;
  require_expandable(field);
  const WorldValues::Entry& entry = host_.expand(field);
  const auto count = entry.bytes / sizeof(double) * static_cast<std::size_t>(worlds_);
  const std::vector<S> numbers(entry.numbers<double>(), entry.numbers<double>() + count);
  S* const given = memory_.take_copy(numbers, entry.name.c_str());
  const std::uint8_t* const rules = memory_.take_copy(entry.rules, entry.name.c_str());
  const auto known = std::find(names_.begin(), names_.end(), entry.name);  // derived so far
  typename ValueList<S>::Entry& to = known == names_.end() ? add(entry) : list_.entries[known - names_.begin()];
  to.given = given;
  to.rules = rules;
  to.count = static_cast<int>(entry.bytes / sizeof(double));
  given_.push_back({field, given});
  return given;
}

template <class S>
void DeviceValues<S>::generalise(std::string_view field, Model& model) {
  if ((find_field(field)->effects & kOneForAll) == 0) return;
  const auto fill = [](Field<double>& numbers) { std::fill(numbers.begin(), numbers.end(), 1.0); };
  if (field == "dof_frictionloss") fill(model.dof_frictionloss);
  if (field == "dof_damping") fill(model.dof_damping);
  if (field == "dof_dampingpoly") fill(model.dof_dampingpoly);
  if (field == "tendon_stiffness") fill(model.tendon_stiffness);
  if (field == "tendon_damping") fill(model.tendon_damping);
  if (field == "opt.density") model.opt.density = 1;
  if (field == "opt.viscosity") model.opt.viscosity = 1;
}
template <class S>
void DeviceValues<S>::generalise(Model& model) const {
  for (const Given& each : given_) generalise(each.field, model);
}

template <class S>
void DeviceValues<S>::take(const WorldView<S>& view) {
  if (empty()) return;
  backend_.clear(list_.fault, sizeof(int));
  backend_.take_values(view, list_);
  list_.anew = false;
  int fault = 0;
  backend_.download(&fault, list_.fault, sizeof fault);
  if (fault != 0) report(worlds_ - fault);
}

template <class S>
void DeviceValues<S>::fetch(const Given& given, int first_world, int count) {
  const WorldValues::Entry& entry = *host_.find(given.field);
  const std::size_t of_world = entry.bytes / sizeof(double), first = static_cast<std::size_t>(first_world) * of_world;
  std::vector<S> numbers(static_cast<std::size_t>(count) * of_world);
  backend_.download(numbers.data(), given.numbers + first, numbers.size() * sizeof(S));
  std::copy(numbers.begin(), numbers.end(), entry.numbers<double>() + first);
}
template <class S>
void DeviceValues<S>::fetch(int first_world, int count) {
  for (const Given& each : given_) fetch(each, first_world, count);
}

template <class S>
std::vector<std::string> DeviceValues<S>::names() const {
  std::vector<std::string> names;
  for (const WorldValues::Entry& entry : host_.entries()) names.push_back(entry.name);
  return names;
}

template <class S>
void DeviceValues<S>::put(const Given& given) {
  const WorldValues::Entry& entry = *host_.find(given.field);
  const std::size_t count = entry.bytes / sizeof(double) * static_cast<std::size_t>(worlds_);
  const std::vector<S> numbers(entry.numbers<double>(), entry.numbers<double>() + count);
  backend_.upload(given.numbers, numbers.data(), count * sizeof(S));
}

template <class S>
bool DeviceValues<S>::get(const std::string& field, double* values) {
  for (const Given& each : given_)
    if (each.field == field) fetch(each, 0, worlds_);
  const WorldValues::Entry* const entry = host_.find(field);
  if (!entry) return false;
  const auto copy = [&](auto* numbers) {
    std::copy(numbers, numbers + static_cast<std::ptrdiff_t>(entry->rows) * entry->columns * worlds_, values);
  };
  if (entry->type == ElementType::kReal) copy(entry->numbers<double>());
  if (entry->type == ElementType::kInt) copy(entry->numbers<int>());
  if (entry->type == ElementType::kByte) copy(entry->numbers<Byte>());
  if (entry->type == ElementType::kBool) copy(entry->numbers<bool>());
  return true;
}

template <class S>
void DeviceValues<S>::set(const std::string& field, const int* worlds, int count, const double* values) {
  fetch(0, worlds_);
  host_.set(field, worlds, count, values);
  expand(field);
  put(*std::find_if(given_.begin(), given_.end(), [&](const Given& each) { return each.field == field; }));
}

// One that set_const() has made.
template <class S>
void DeviceValues<S>::put_derived(const WorldValues::Entry& entry) {
  const auto name = std::find(names_.begin(), names_.end(), entry.name);
  if (name == names_.end()) {
    add(entry);
    return;
  }
  const auto& to = list_.entries[name - names_.begin()];
  backend_.upload(to.values, entry.values.data(), entry.bytes * static_cast<std::size_t>(worlds_));
}

template <class S>
void DeviceValues<S>::set_const(const std::vector<int>& worlds, int threads) {
  fetch(0, worlds_);
  const int most = thread_count(static_cast<int>(worlds.size()), threads);
  host_.set_const(worlds, most, [most](int count, const auto& each) { parallel_for(count, most, each); });
  for (const WorldValues::Entry& entry : host_.entries()) {
    // what kernels never read stays on the processor
    if (!entry.is_input && entry.bytes > 0 && may_differ_on_devices(entry.name)) put_derived(entry);
  }
  for (const Given& each : given_) put(each);  // derived constants, too, that the user has expanded
}

template <class S>
Model DeviceValues<S>::make_model(int world) {
  fetch(world, 1);
  return host_.make_model(world);
}

template <class S>
void DeviceValues<S>::report(int world) {
  fetch(world, 1);
  host_.check(&world, 1);
  throw Error(fmt::format("world {}: values that no model can have", world));
}

template class DeviceValues<float>;
template class DeviceValues<double>;

}  // namespace torsor::gpu
