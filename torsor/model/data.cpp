// Allocation, copy and reset of Data.
#include "torsor/model/data.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>

#include <fmt/format.h>
#include <unistd.h>

#include "torsor/core/error.hpp"
#include "torsor/core/layout.hpp"

namespace torsor {
namespace {

void copy(const Field<double>& from, const Field<double>& to) {
  if (to.size() > 0) std::memcpy(to.data(), from.data(), sizeof(double) * static_cast<size_t>(to.size()));
}

// The arrays of whole numbers and of switches as a list of their own.
struct IndexList {
  DataView<double>& data;

  template <class F>
  void for_each_field(F&& f) {
    data.for_each_index_field(f);
    data.for_each_switch_field(f);
  }
};

// What smooth dynamics and integrators push at most, so that an explicit `memory` never starves them.
size_t smooth_scratch(const Model& m) {
  const auto n = [](int size) { return static_cast<size_t>(size); };
  const size_t numbers =
      4 * n(m.nq) + 2 * n(m.nu) + 2 * n(m.na) + 16 * n(m.nv) + 80 * n(m.nbody) + 2 * n(m.nD) + 2 * n(m.nC) + n(m.nM);
  return sizeof(double) * numbers + 64 * 32;
}

// Of contacts and rows; scratch has that of smooth dynamics on top.
size_t results_capacity(const Model& model) {
  return model.memory >= 0 ? static_cast<size_t>(model.memory) : Arena::kUnlimited;
}

// What a file asks for must at least exist.
void require_possible_memory(const Model& model) {
  const auto pages = static_cast<double>(sysconf(_SC_PHYS_PAGES)), page = static_cast<double>(sysconf(_SC_PAGESIZE));
  if (model.memory < 0 || static_cast<double>(model.memory) <= pages * page) return;
  throw Error(
      fmt::format("the model asks for {} bytes of memory (<size memory=\"...\">), but this machine has {:.0f} "
                  "(leave memory out, and it grows as needed)",
                  model.memory, pages * page));
}

// Scratch of small models lies in the buffers of the Data: tens of thousands of them need no mappings of their own.
size_t first_scratch(size_t smooth_bytes) {
  constexpr size_t kMost = size_t{64} << 10;
  constexpr size_t kHeader = 128;
  return smooth_bytes + kHeader <= kMost ? smooth_bytes + kHeader : 0;
}

// How many geoms the general routine for convex shapes looks at in most of their pairs.
int count_convex_shapes(const Model& model) {
  int count = 0;
  for (int g = 0; g < model.ngeom; ++g) {
    const auto type = static_cast<GeomType>(model.geom_type[g]);
    const bool collides = model.geom_contype[g] != 0 || model.geom_conaffinity[g] != 0 || model.npair > 0;
    const bool is_convex = type == GeomType::kEllipsoid || type == GeomType::kCylinder || type == GeomType::kMesh ||
                           type == GeomType::kCone;
    count += collides && is_convex;
  }
  return count;
}

int count_friction(const Model& model) {
  return static_cast<int>(std::count_if(model.dof_frictionloss.begin(), model.dof_frictionloss.end(),
                                        [](double loss) { return loss != 0; }));
}

}  // namespace

Data::Data(const Model& model)
    : separations(count_convex_shapes(model)),
      friction_plan(model.nv, count_friction(model)),
      awake(model),
      signature_(model.signature) {
  require_possible_memory(model);
  static_cast<ModelSizes&>(*this) = model;
  smooth_bytes_ = smooth_scratch(model);
  make_arenas(results_capacity(model));
  place();
  reset(model, *this);
}

Data::Data(const Data& other)
    : DataView<double>(other),
      separations(other.separations.make_empty()),
      friction_plan(other.friction_plan.make_empty()),
      awake(other),
      smooth_bytes_(other.smooth_bytes_) {
  make_arenas(other.results_.capacity());
  place();
  copy_values(other);
}

void Data::make_arenas(size_t capacity) {
  first_scratch_ = Buffer(first_scratch(smooth_bytes_));
  arena_ = Arena(capacity + smooth_bytes_, first_scratch_.data(), first_scratch_.size());
  results_ = Arena(capacity);
  arena_.measure();
  results_.measure();
  if (!ensure_smooth_scratch()) throw Error(fmt::format("no memory for a Data: {} bytes of scratch", smooth_bytes_));
}

void Data::place() {
  IndexList indices{*this};
  buffer_ = place_fields(*this);
  indices_ = place_fields(indices);
}

Data& Data::operator=(const Data& other) {
  if (this == &other) return *this;
  if (signature_ != other.signature_ || buffer_.size() != other.buffer_.size() ||
      indices_.size() != other.indices_.size())
    return *this = Data(other);
  time = other.time;
  energy[0] = other.energy[0];
  energy[1] = other.energy[1];
  copy_values(other);  // in place: views of the arrays stay valid
  return *this;
}

void Data::copy_values(const Data& other) {
  if (buffer_.size() > 0) std::memcpy(buffer_.data(), other.buffer_.data(), buffer_.size());
  if (indices_.size() > 0) std::memcpy(indices_.data(), other.indices_.data(), indices_.size());
  std::memcpy(warning, other.warning, sizeof(warning));
  std::memcpy(timer, other.timer, sizeof(timer));
  timers_on = other.timers_on;
  maxuse_con = other.maxuse_con;
  maxuse_efc = other.maxuse_efc;
  told = other.told;
  noise_seed = other.noise_seed;
  noise_step = other.noise_step;
  ntree_awake = other.ntree_awake;
  nbody_awake = other.nbody_awake;
  nparent_awake = other.nparent_awake;
  nv_awake = other.nv_awake;
  efm_active = other.efm_active;
  nefmT = other.nefmT;
  nefmA = other.nefmA;
  const bool is_shared = awake.is_shared;
  awake = other.awake;
  awake.is_shared = is_shared;
  has_energy_position = other.has_energy_position;
  has_energy_velocity = other.has_energy_velocity;
  has_subtree_velocity = other.has_subtree_velocity;
  has_rne_post = other.has_rne_post;
  signature_ = other.signature_;
  rows_end = other.rows_end;
  copy_rows(other);
}

namespace {

// Pointers into results() follow when these move as a whole.
void move_results(Data& data, const std::byte* from, const std::byte* to) {
  const auto move = [from, to](auto& field) {
    if (field.size() == 0) return;
    using T = std::remove_reference_t<decltype(field[0])>;
    const auto offset = reinterpret_cast<const std::byte*>(field.data()) - from;
    field.pointer = reinterpret_cast<T*>(const_cast<std::byte*>(to) + offset);
  };
  move(data.contact);
  move(data.solver);
  data.for_each_row_field([&move](const FieldInfo&, auto& field) { move(field); });
}

// Room in results(), which stay in one piece.
bool gather_results(Data& data, size_t bytes) {
  const std::byte* before = data.results().base();
  if (!data.results().gather(bytes)) return false;
  if (data.results().base() != before) move_results(data, before, data.results().base());
  return true;
}

}  // namespace

// The same positions in the other arena.
void Data::copy_rows(const Data& other) {
  results_.reset();
  static_cast<ConstraintStage&>(*this) = other;
  const size_t bytes = other.results_.used();
  if (bytes == 0) return;  // the numbers of ConstraintStage are all there is
  void* to = results_.push(bytes);
  if (!to) return clear_contacts(*this);
  std::memcpy(to, other.results_.base(), bytes);
  move_results(*this, other.results_.base(), results_.base());
}

void clear_contacts(Data& data) {
  static_cast<ConstraintStage&>(data) = {};
  data.results().reset();
  data.rows_end = 0;
}

void clear_rows(Data& data) {
  const int ncon = data.ncon;
  const Field<Contact> contact = data.contact;
  static_cast<ConstraintStage&>(data) = {};
  data.ncon = ncon, data.contact = contact;
  data.rows_end = static_cast<size_t>(ncon) * sizeof(Contact);  // contacts lie first, one after the other
  data.results().release(data.rows_end);
}

namespace {

// Room for one more contact, with anything in it.
Contact* push_contact(Data& data) {
  Arena& results = data.results();
  if (!results.fits(sizeof(Contact), alignof(Contact)) && !gather_results(data, sizeof(Contact) + alignof(Contact)))
    return nullptr;
  auto* place = static_cast<Contact*>(results.push(sizeof(Contact), alignof(Contact)));
  if (!place) return nullptr;
  if (data.ncon == 0) data.contact.pointer = place;
  data.contact.length = ++data.ncon;
  return place;
}

}  // namespace

Contact* add_contact(Data& data) {
  Contact* place = push_contact(data);
  return place ? new (place) Contact : nullptr;
}

Contact* repeat_contact(Data& data) {
  Contact* place = push_contact(data);
  return place ? new (place) Contact(place[-1]) : nullptr;
}

bool allocate_rows(Data& data) {
  constexpr size_t kLine = 64;
  const auto bytes_of = [](const FieldInfo& info, const auto& field) {
    return static_cast<size_t>(info.rows) * static_cast<size_t>(info.columns) * sizeof(field[0]);
  };
  size_t bytes = 0;
  data.for_each_row_field([&](const FieldInfo& info, auto& field) { bytes += bytes_of(info, field) + kLine; });
  const bool fits = gather_results(data, bytes);
  if (!fits) data.nefc = data.ne = data.nf = data.nl = data.nJ = 0;
  data.for_each_row_field([&](const FieldInfo& info, auto& field) {
    using T = std::remove_reference_t<decltype(field[0])>;
    field.pointer = fits ? static_cast<T*>(data.results().push(bytes_of(info, field), kLine)) : nullptr;
    field.length = fits ? info.rows * info.columns : 0;
  });
  return fits;
}

void allocate_solver_statistics(Data& data, int count) {
  data.solver = {};
  data.results().release(data.rows_end);
  const size_t n = static_cast<size_t>(count);
  if (!gather_results(data, (n + 1) * sizeof(SolverStatistic))) return;
  data.solver.pointer = data.results().push_array<SolverStatistic>(n);
  if (data.solver.pointer) data.solver.length = count;
}

bool warn_of_memory(Data& data) {
  if (data.memory_needed() == 0) return false;
  const bool of_contacts = static_cast<size_t>(data.ncon) * sizeof(Contact) > data.results().capacity();
  warn(data, of_contacts ? Warning::kContactFull : Warning::kConstraintFull, of_contacts ? data.ncon : data.nefc);
  return true;
}

void require_memory(const Model& model, const Data& data) {
  const size_t needed = data.memory_needed();
  if (needed == 0) return;
  if (model.memory < 0)
    throw Error(fmt::format("the system has no memory left for contacts and constraints: they need {} bytes", needed));
  throw Error(fmt::format(
      "contacts and constraints need {} bytes, but the model allows {} (<size memory=\"...\">); the state is "
      "as it was (set memory to {} or more, or leave it out, and it grows as needed)",
      needed, model.memory, needed));
}

void warn(Data& data, Warning kind, int info) {
  WarningCount& count = data.warning[static_cast<int>(kind)];
  ++count.number;
  count.lastinfo = info;
  tell_warnings(data);
}

void tell_warnings(Data& data) {
  if (!data.on_warning) return;
  for (int kind = 0; kind < static_cast<int>(Warning::kCount); ++kind) {
    const unsigned bit = 1u << kind;
    if (data.warning[kind].number == 0 || (data.told & bit)) continue;
    data.told |= bit;  // first: the handler may throw
    data.on_warning(data, static_cast<Warning>(kind), data.warning[kind].lastinfo);
  }
}

const char* warning_meaning(Warning kind) {
  constexpr const char* kMeanings[static_cast<int>(Warning::kCount)] = {
      "inertia matrix without inverse",
      "contact buffer full",
      "constraint buffer full",
      "bad number in qpos",
      "bad number in qvel",
      "bad number in qacc",
      "bad number in ctrl",
      "tree with the sleep policy 'init' cannot start asleep, at body",
  };
  const int index = static_cast<int>(kind);
  return index < 0 || index >= static_cast<int>(Warning::kCount) ? "unknown warning" : kMeanings[index];
}

std::string warning_text(Warning kind, int info) { return fmt::format("{}, at {}", warning_meaning(kind), info); }

void require_fit(const Model& model, const Data& data) {
  const ModelSizes &of_model = model, &of_data = data;
  const bool fits = model.signature == data.signature() && std::memcmp(&of_model, &of_data, sizeof(ModelSizes)) == 0;
  if (!fits) throw Error("this Data was made for another Model: their structures differ");
}

void poison([[maybe_unused]] Data& data, [[maybe_unused]] Stage stage, [[maybe_unused]] bool with_sensors) {
#if defined(TORSOR_POISON) && TORSOR_POISON
  if (!data.awake.all) return;  // what sleeps keeps its results
  data.for_each_field(stage, [&data, with_sensors](const FieldInfo&, Field<double>& field) {
    if (&field == &data.sensordata) return;  // holds readings of all three stages
    if (!with_sensors && (&field == &data.cacc || &field == &data.cfrc_int || &field == &data.cfrc_ext)) return;
    for (double& value : field) value = std::numeric_limits<double>::quiet_NaN();
  });
#endif
}

namespace {

// Orientations that are controlled by quaternions start with no rotation; histories as if there had been no control.
void reset_actuators(const Model& model, Data& data) {
  for (int a = 0; a < model.nactuator; ++a) {
    const bool is_so3 = model.actuator_gaintype[a] == static_cast<int>(ActuatorGain::kSo3);
    if (is_so3 && model.actuator_ctrlspec[a] == kChartQuat) data.ctrl[model.actuator_ctrladr[a]] = 1;
    const int address = model.actuator_historyadr[a], count = model.actuator_history[2 * a];
    if (address < 0) continue;
    data.history[address + 1] = count - 1;
    for (int k = 0; k < count; ++k) data.history[address + 2 + k] = (k - count) * model.opt.timestep;
  }
}

// Plastic springs start where elastic ones rest.
void reset_plastic(const Model& model, Data& data) {
  for (int j = 0; j < model.njnt; ++j) {
    const int count = model.jnt_type[j] == static_cast<int>(JointType::kBall) ? 4 : 1;
    if (model.jnt_plasticadr[j] >= 0)
      std::copy_n(model.qpos_spring.row(model.jnt_qposadr[j], 1), count, data.plastic.row(model.jnt_plasticadr[j], 1));
  }
  for (int t = 0; t < model.ntendon; ++t)
    if (model.tendon_plasticadr[t] >= 0)
      std::copy_n(model.tendon_lengthspring.row(t, 2), 2, data.plastic.row(model.tendon_plasticadr[t], 1));
}

// Histories of readings end before time 0: at the last multiple of the period, or at the phase, on the grid of steps.
// There is at most one sample per step.
void reset_sensors(const Model& model, Data& data) {
  for (int s = 0; s < model.nsensor; ++s) {
    const int address = model.sensor_historyadr[s], count = model.sensor_history[2 * s];
    if (address < 0) continue;
    const double h = model.opt.timestep, period = model.sensor_interval[2 * s],
                 phase = model.sensor_interval[2 * s + 1];
    const double spacing = std::max(period, h), last = period > 0 && phase < 0 ? phase : -spacing;
    data.history[address] = period > 0 && phase >= 0 ? -period : last;
    data.history[address + 1] = count - 1;
    for (int k = 0; k < count; ++k) {
      data.history[address + 2 + k] =
          period > 0 ? std::ceil((last - (count - 1 - k) * spacing) / h) * h : (k - count) * h;
    }
  }
}

}  // namespace

void reset(const Model& model, Data& data) {
  data.for_each_field([](const FieldInfo&, Field<double>& field) {
    if (field.size() > 0) std::memset(field.data(), 0, sizeof(double) * static_cast<size_t>(field.size()));
  });
  data.for_each_index_field([](const FieldInfo&, Field<int>& field) { std::fill(field.begin(), field.end(), 0); });
  data.time = 0;
  data.noise_step = 0;
  data.energy[0] = data.energy[1] = 0;
  data.arena().reset();
  data.arena().clear_high_water();
  clear_contacts(data);
  data.results().clear_high_water();
  data.clear_memory_needed();
  data.maxuse_con = data.maxuse_efc = 0;
  data.told = 0;
  for (WarningCount& warning : data.warning) warning = {};
  for (TimerCount& timer : data.timer) timer = {};
  data.has_energy_position = data.has_energy_velocity = data.has_subtree_velocity = data.has_rne_post = false;
  data.efm_active = data.nefmT = data.nefmA = 0;
  copy(model.qpos0, data.qpos);
  std::copy(model.eq_active0.begin(), model.eq_active0.end(), data.eq_active.begin());
  reset_plastic(model, data);
  reset_actuators(model, data);
  reset_sensors(model, data);
  wake_all(model, data);
  data.awake.starts = true;
  for (int b = 0; b < model.nbody; ++b) {
    const int mocap = model.body_mocapid[b];
    if (mocap < 0) continue;
    std::memcpy(&data.mocap_pos[3 * mocap], &model.body_pos[3 * b], 3 * sizeof(double));
    std::memcpy(&data.mocap_quat[4 * mocap], &model.body_quat[4 * b], 4 * sizeof(double));
  }
}

void reset_to_key(const Model& model, Data& data, int key) {
  if (key < 0 || key >= model.nkey)
    throw Error(fmt::format("keyframe {} does not exist: the model has {} keyframes", key, model.nkey));
  reset(model, data);
  const auto load = [key](const Field<double>& keys, const Field<double>& to) {
    const size_t n = static_cast<size_t>(to.size());
    if (n > 0) std::memcpy(to.data(), keys.data() + static_cast<size_t>(key) * n, n * sizeof(double));
  };
  data.time = model.key_time[key];
  load(model.key_qpos, data.qpos);
  load(model.key_qvel, data.qvel);
  load(model.key_act, data.act);
  load(model.key_mpos, data.mocap_pos);
  load(model.key_mquat, data.mocap_quat);
  load(model.key_ctrl, data.ctrl);
  load(model.key_plastic, data.plastic);
}

}  // namespace torsor
