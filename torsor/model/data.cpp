// Allocation, copy and reset of Data.
#include "torsor/model/data.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>

#include <fmt/format.h>

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

size_t arena_capacity(const Model& model) {
  return model.memory >= 0 ? static_cast<size_t>(model.memory) + smooth_scratch(model) : Arena::kDefaultCapacity;
}

}  // namespace

Data::Data(const Model& model)
    : arena_(arena_capacity(model)), results_(arena_capacity(model)), signature_(model.signature) {
  static_cast<ModelSizes&>(*this) = model;
  place();
  reset(model, *this);
}

Data::Data(const Data& other)
    : DataView<double>(other), arena_(other.arena_.capacity()), results_(other.results_.capacity()) {
  place();
  copy_values(other);
}

void Data::place() {
  IndexList indices{*this};
  buffer_ = place_fields(*this);
  indices_ = place_fields(indices);
}

Data& Data::operator=(const Data& other) {
  if (this == &other) return *this;
  if (signature_ != other.signature_ || bytes() != other.bytes()) return *this = Data(other);
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
  has_energy_position = other.has_energy_position;
  has_energy_velocity = other.has_energy_velocity;
  has_subtree_velocity = other.has_subtree_velocity;
  has_rne_post = other.has_rne_post;
  signature_ = other.signature_;
  rows_end = other.rows_end;
  copy_rows(other);
}

// The same places in the other arena.
void Data::copy_rows(const Data& other) {
  results_.reset();
  static_cast<ConstraintStage&>(*this) = other;
  const size_t bytes = other.results_.used();
  if (bytes == 0) return;  // the numbers of ConstraintStage are all there is
  const std::byte* from = other.results_.base();
  auto* to = static_cast<std::byte*>(results_.push(bytes));
  if (!to) return clear_contacts(*this);
  std::memcpy(to, from, bytes);
  const auto move = [from, to](auto& field) {
    using T = std::remove_reference_t<decltype(field[0])>;
    if (field.size() > 0)
      field.pointer = reinterpret_cast<T*>(to + (reinterpret_cast<std::byte*>(field.data()) - from));
  };
  move(contact);
  move(solver);
  for_each_row_field([&move](const FieldInfo&, auto& field) { move(field); });
}

void clear_contacts(Data& data) {
  static_cast<ConstraintStage&>(data) = {};
  data.results().reset();
  data.rows_end = 0;
}

Contact* add_contact(Data& data) {
  auto* place = static_cast<Contact*>(data.results().push(sizeof(Contact), alignof(Contact)));
  if (!place) {
    warn(data, Warning::kContactFull, data.ncon);
    return nullptr;
  }
  if (data.ncon == 0) data.contact.pointer = place;
  data.contact.length = ++data.ncon;
  return new (place) Contact;
}

bool allocate_rows(Data& data) {
  bool fits = true;
  data.for_each_row_field([&](const FieldInfo& info, auto& field) {
    using T = std::remove_reference_t<decltype(field[0])>;
    const size_t count = static_cast<size_t>(info.rows) * static_cast<size_t>(info.columns);
    field.pointer = static_cast<T*>(data.results().push(count * sizeof(T), 64));
    field.length = field.pointer ? static_cast<int>(count) : 0;
    fits = fits && field.pointer;
  });
  if (fits) return true;
  const int wanted = data.nefc;
  data.nefc = data.ne = data.nf = data.nl = data.nJ = 0;
  data.for_each_row_field([](const FieldInfo&, auto& field) { field.length = 0; });
  warn(data, Warning::kConstraintFull, wanted);
  return false;
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

void poison([[maybe_unused]] Data& data, [[maybe_unused]] Stage stage) {
#if defined(TORSOR_POISON) && TORSOR_POISON
  data.for_each_field(stage, [&data](const FieldInfo&, Field<double>& field) {
    if (&field == &data.sensordata) return;  // holds readings of all three stages
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

// Histories of readings end before time 0: at the last multiple of the period, or at the phase, on the grid of steps.
void reset_sensors(const Model& model, Data& data) {
  for (int s = 0; s < model.nsensor; ++s) {
    const int address = model.sensor_historyadr[s], count = model.sensor_history[2 * s];
    if (address < 0) continue;
    const double h = model.opt.timestep, period = model.sensor_interval[2 * s],
                 phase = model.sensor_interval[2 * s + 1];
    const double last = period > 0 ? (phase < 0 ? phase : -period) : -h;
    data.history[address] = last;
    data.history[address + 1] = count - 1;
    for (int k = 0; k < count; ++k) {
      data.history[address + 2 + k] =
          period > 0 ? std::ceil((last - (count - 1 - k) * period) / h) * h : (k - count) * h;
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
  data.maxuse_con = data.maxuse_efc = 0;
  data.told = 0;
  for (WarningCount& warning : data.warning) warning = {};
  for (TimerCount& timer : data.timer) timer = {};
  data.has_energy_position = data.has_energy_velocity = data.has_subtree_velocity = data.has_rne_post = false;
  copy(model.qpos0, data.qpos);
  std::copy(model.eq_active0.begin(), model.eq_active0.end(), data.eq_active.begin());
  reset_actuators(model, data);
  reset_sensors(model, data);
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
}

}  // namespace torsor
