#include "torsor/bridge/sap_worlds.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "torsor/core/error.hpp"
#include "torsor/core/parallel.hpp"

namespace torsor {
namespace {

void require_length(const char* name, size_t given, size_t wanted) {
  if (given != wanted) throw Error(fmt::format("{} has {} entries, the call has {} worlds", name, given, wanted));
}

template <class Work>
void name_world(int world, const Work& work) {
  try {
    work();
  } catch (const Error& error) {
    throw Error(fmt::format("world {}: {}", world, error.what()));
  }
}

}  // namespace

SapWorlds::SapWorlds(SapSolver& solver, int count) : solver_(solver) {
  if (count < 1) throw Error(fmt::format("there must be at least one world, not {}", count));
  workers_.push_back(solver.copy());
  memory_.assign(static_cast<size_t>(count), workers_.front().memory());
  converged_.assign(static_cast<size_t>(count), true);
}

// A worker's model is a copy: a step writes its own time step and limits into it.
void SapWorlds::prepare(int threads) {
  while (static_cast<int>(workers_.size()) < threads) workers_.push_back(solver_.copy());
  for (int w = 0; w < threads; ++w) workers_[static_cast<size_t>(w)].model() = solver_.model();
}

std::vector<SapContacts> SapWorlds::collide(std::span<const SapState> states, int threads) {
  const int count = static_cast<int>(states.size()), workers = thread_count(count, threads);
  prepare(workers);
  std::vector<SapContacts> contacts(states.size());
  parallel_for(count, workers, [&](int i, int thread) {
    const size_t k = static_cast<size_t>(i);
    name_world(i, [&] { contacts[k] = workers_[static_cast<size_t>(thread)].collide(states[k]); });
  });
  return contacts;
}

void SapWorlds::check(std::span<const SapState> in, std::span<SapState> out, const SapWorldsStep& call) const {
  const size_t worlds = call.worlds.empty() ? memory_.size() : call.worlds.size();
  std::vector<bool> seen(memory_.size());
  for (const int world : call.worlds) {
    if (world < 0 || world >= count())
      throw Error(fmt::format("world {} does not exist: there are {}, numbered from 0", world, count()));
    if (seen[static_cast<size_t>(world)]) throw Error(fmt::format("world {} is listed twice", world));
    seen[static_cast<size_t>(world)] = true;
  }
  require_length("state_in", in.size(), worlds);
  require_length("state_out", out.size(), worlds);
  if (call.dt.size() != 1) require_length("dt", call.dt.size(), worlds);
  if (!call.controls.empty()) require_length("control", call.controls.size(), worlds);
  if (!call.contacts.empty()) require_length("contacts", call.contacts.size(), worlds);
}

void SapWorlds::step(std::span<const SapState> in, std::span<SapState> out, const SapWorldsStep& call) {
  check(in, out, call);
  const int count = static_cast<int>(in.size()), threads = thread_count(count, call.threads);
  prepare(threads);
  // results wait until all worlds have succeeded
  std::vector<SapState> results(out.begin(), out.end());
  std::vector<std::vector<double>> memory(in.size());
  std::vector<char> converged(in.size());
  const auto world_of = [&](int i) { return call.worlds.empty() ? i : call.worlds[static_cast<size_t>(i)]; };
  parallel_for(count, threads, [&](int i, int thread) {
    const size_t k = static_cast<size_t>(i);
    SapSolver& worker = workers_[static_cast<size_t>(thread)];
    name_world(world_of(i), [&] {
      worker.set_memory(memory_[static_cast<size_t>(world_of(i))]);
      worker.step(in[k], results[k], call.controls.empty() ? nullptr : call.controls[k],
                  call.contacts.empty() ? nullptr : call.contacts[k], call.dt.size() == 1 ? call.dt[0] : call.dt[k]);
      memory[k] = worker.memory();
      converged[k] = worker.data().solver_unconverged == 0;
    });
  });
  for (int i = 0; i < count; ++i) {
    const size_t k = static_cast<size_t>(i), world = static_cast<size_t>(world_of(i));
    out[k] = std::move(results[k]);
    memory_[world] = std::move(memory[k]);
    converged_[world] = converged[k] != 0;
  }
}

}  // namespace torsor
