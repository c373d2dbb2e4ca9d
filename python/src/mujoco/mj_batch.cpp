#include "mj_batch.hpp"

#include <algorithm>
#include <cstring>

#include <fmt/format.h>

#include "../field_table.hpp"
#include "torsor/core/error.hpp"
#include "torsor/sim/sim.hpp"

namespace torsor::python::mj {
namespace {

constexpr int kWarnings = static_cast<int>(Warning::kCount);

template <class T, class Member>
BatchOutput make_output(const char* name, size_t count, Member member) {
  return {name, count * sizeof(T), [member](Data& data) -> const void* { return member(data); }, {}};
}

// Numbers of fixed size that are not arrays of the field lists.
std::vector<BatchOutput> list_scalars() {
  std::vector<BatchOutput> rows;
  const auto count = [&](const char* name, auto member) { rows.push_back(make_output<int>(name, 1, member)); };
  count("ncon", [](Data& data) { return &data.ncon; });
  count("ne", [](Data& data) { return &data.ne; });
  count("nf", [](Data& data) { return &data.nf; });
  count("nl", [](Data& data) { return &data.nl; });
  count("nefc", [](Data& data) { return &data.nefc; });
  count("nJ", [](Data& data) { return &data.nJ; });
  count("nisland", [](Data& data) { return &data.nisland; });
  const auto islands = static_cast<size_t>(ConstraintStage::kIslandsWithStatistics);
  rows.push_back(make_output<int>("solver_niter", islands, [](Data& data) { return data.solver_niter; }));
  rows.push_back(make_output<double>("energy", 2, [](Data& data) { return data.energy; }));
  rows.push_back(make_output<double>("solver_fwdinv", 2, [](Data& data) { return data.solver_fwdinv; }));
  return rows;
}

const void* field_address(Data& data, size_t index) {
  const void* found = nullptr;
  size_t visited = 0;
  for_each_array(data, [&](const FieldInfo&, auto& field) {
    if (visited++ == index) found = field.data();
  });
  return found;
}

}  // namespace

const std::vector<std::string>& batch_counts() {
  static const std::vector<std::string> names = [] {
    std::vector<std::string> result;
    for (const BatchOutput& row : list_scalars()) result.push_back(row.name);
    return result;
  }();
  return names;
}

MjBatch::MjBatch(const Model& given, int simulations, int threads, bool persistent)
    : model(std::make_shared<Model>(given)),
      nsim(simulations),
      nthread(threads),
      is_persistent(persistent),
      nstate(state_size(*model, kStateIntegration)),
      state(static_cast<size_t>(nsim) * static_cast<size_t>(nstate)),
      warnings(static_cast<size_t>(nsim * kWarnings * 2)),
      status(static_cast<size_t>(nsim)),
      errors(static_cast<size_t>(nsim)),
      values(*model, nsim),
      seats_(static_cast<size_t>(is_persistent ? nsim : nthread)),
      views_(static_cast<size_t>(nthread)),
      noise_steps_(static_cast<size_t>(nsim)) {
  Data reference(*model);
  for (int sim = 0; sim < nsim; ++sim) get_state(*model, reference, row(sim), kStateIntegration);
  for (Seat& seat : seats_) seat.data = std::make_unique<Data>(reference);
}

// --- calls ----------------------------------------------------------------------------------------------------------

void MjBatch::run(const int* ids, int count, const Work& work, Effect effect) {
  if (!ids) count = nsim;
  pool_.run(count, nthread,
            [&](int place, int thread) { run_one(place, ids ? ids[place] : place, thread, work, effect); });
}

void MjBatch::run_one(int place, int sim, int thread, const Work& work, Effect effect) {
  Seat& seat = seats_[static_cast<size_t>(is_persistent ? sim : thread)];
  std::string& error = errors[static_cast<size_t>(sim)];
  int& outcome = status[static_cast<size_t>(sim)];
  error.clear();
  outcome = 0;
  try {
    check_shared(sim);
    if (!values.empty()) values.check(&sim, 1);
    const Model& own = model_of(sim, thread);
    load(own, sim, *seat.data);
    work(own, *seat.data, place, sim);
    if (effect == Effect::kNewState) save(own, sim, *seat.data);
  } catch (const std::exception& thrown) {
    outcome = 1;
    error = thrown.what();
    seat.saved.clear();
  }
}

const Model& MjBatch::model_of(int sim, int thread) {
  if (!own_models.empty()) return *own_models[static_cast<size_t>(sim)];
  if (values.empty()) return *model;
  std::unique_ptr<Model>& view = views_[static_cast<size_t>(thread)];
  view = std::make_unique<Model>(values.make_view());
  values.point_at(sim, *view);
  return *view;
}

// A persistent Data whose row nobody has changed goes on where it was: trees that sleep stay asleep.
void MjBatch::load(const Model& own, int sim, Data& data) {
  data.control = control;
  data.passive = passive;
  Seat* seat = is_persistent ? &seats_[static_cast<size_t>(sim)] : nullptr;
  const double* numbers = row(sim);
  if (seat && !seat->saved.empty() && std::equal(seat->saved.begin(), seat->saved.end(), numbers)) return;
  set_state(own, data, numbers, kStateIntegration);
  data.noise_step = noise_steps_[static_cast<size_t>(sim)];
  const int* counts = warnings.data() + static_cast<ptrdiff_t>(sim) * kWarnings * 2;
  for (int kind = 0; kind < kWarnings; ++kind) data.warning[kind] = {counts[2 * kind + 1], counts[2 * kind]};
}

void MjBatch::save(const Model& own, int sim, Data& data) {
  get_state(own, data, row(sim), kStateIntegration);
  noise_steps_[static_cast<size_t>(sim)] = data.noise_step;
  int* counts = warnings.data() + static_cast<ptrdiff_t>(sim) * kWarnings * 2;
  for (int kind = 0; kind < kWarnings; ++kind) {
    counts[2 * kind] = data.warning[kind].lastinfo;
    counts[2 * kind + 1] = data.warning[kind].number;
  }
  for (BatchOutput& output : outputs_)
    std::memcpy(output.values.data() + static_cast<size_t>(sim) * output.bytes, output.numbers(data), output.bytes);
  if (is_persistent) seats_[static_cast<size_t>(sim)].saved.assign(row(sim), row(sim) + nstate);
}

// --- fields of the structure ----------------------------------------------------------------------------------------

SharedField* MjBatch::find_shared(const std::string& name) {
  const auto known = std::find_if(shared_.begin(), shared_.end(), [&](const SharedField& f) { return f.name == name; });
  return known == shared_.end() ? nullptr : &*known;
}

SharedField* MjBatch::share(const std::string& name) {
  if (SharedField* known = find_shared(name)) return known;
  SharedField made;
  size_t index = 0;
  for_each_array(*model, [&](const FieldInfo& info, auto& field) {
    const FieldRow& row = model_rows()[index++];
    if constexpr (std::is_same_v<std::remove_cvref_t<decltype(field.data()[0])>, int>) {
      if (info.name != name) return;
      made = {name, field.data(), {static_cast<size_t>(info.rows)}, static_cast<size_t>(field.size()), {}};
      if (row.is_matrix()) made.shape.push_back(static_cast<size_t>(info.columns));
    }
  });
  if (made.name.empty()) return nullptr;
  made.values.reserve(std::max<size_t>(1, made.count * static_cast<size_t>(nsim)));
  for (int sim = 0; sim < nsim; ++sim) made.values.insert(made.values.end(), made.model, made.model + made.count);
  return &shared_.emplace_back(std::move(made));
}

void MjBatch::check_shared(int sim) const {
  for (const SharedField& field : shared_) {
    const int* own = field.values.data() + static_cast<size_t>(sim) * field.count;
    if (!std::equal(own, own + field.count, field.model))
      throw Error(fmt::format("{} differs from the batch's model, whose structure all simulations share", field.name));
  }
}

// --- values and single simulations ----------------------------------------------------------------------------------

void MjBatch::set_const(const int* ids, int count) {
  if (!ids) count = nsim;
  Model scratch(*model);
  for (int place = 0; place < count; ++place) {
    const int sim = ids ? ids[place] : place;
    std::string& error = errors[static_cast<size_t>(sim)];
    int& outcome = status[static_cast<size_t>(sim)];
    error.clear();
    outcome = 0;
    try {
      values.check(&sim, 1);
      std::vector<std::byte> derived(values.derived_bytes());
      values.recompute(sim, scratch, derived.data());
      values.keep_derived(&sim, 1, derived.data());
    } catch (const std::exception& thrown) {
      outcome = 1;
      error = thrown.what();
    }
  }
}

Model MjBatch::make_model(int sim) const {
  return own_models.empty() ? values.make_model(sim) : Model(*own_models[static_cast<size_t>(sim)]);
}

void MjBatch::get_data(int sim, Data& data) const {
  const Model& own = own_models.empty() ? *model : *own_models[static_cast<size_t>(sim)];
  if (is_persistent) {
    std::vector<const void*> from;
    for_each_array(*seats_[static_cast<size_t>(sim)].data,
                   [&](const FieldInfo&, auto& field) { from.push_back(field.data()); });
    size_t index = 0;
    for_each_array(data, [&](const FieldInfo&, auto& field) {
      const void* numbers = from[index++];
      if (field.size() > 0)
        std::memcpy(field.data(), numbers, static_cast<size_t>(field.size()) * sizeof(field.data()[0]));
    });
  }
  set_state(own, data, row(sim), kStateIntegration);
}

// --- outputs --------------------------------------------------------------------------------------------------------

BatchOutput* MjBatch::bind(const std::string& name) {
  const auto known =
      std::find_if(outputs_.begin(), outputs_.end(), [&](const BatchOutput& o) { return o.name == name; });
  if (known != outputs_.end()) return &*known;
  BatchOutput made;
  for (BatchOutput& scalar : list_scalars()) {
    if (scalar.name == name) made = std::move(scalar);
  }
  size_t index = 0;
  Data& any = *seats_[0].data;
  for_each_array(any, [&](const FieldInfo& info, auto& field) {
    const size_t at = index++;
    if (info.name != name) return;
    made = {name,
            static_cast<size_t>(field.size()) * sizeof(field.data()[0]),
            [at](Data& data) { return field_address(data, at); },
            {}};
  });
  if (made.name.empty()) return nullptr;
  made.values.resize(std::max<size_t>(1, static_cast<size_t>(nsim) * made.bytes));
  for (int sim = 0; is_persistent && sim < nsim; ++sim)
    std::memcpy(made.values.data() + static_cast<size_t>(sim) * made.bytes,
                made.numbers(*seats_[static_cast<size_t>(sim)].data), made.bytes);
  outputs_.push_back(std::move(made));
  return &outputs_.back();
}

}  // namespace torsor::python::mj
