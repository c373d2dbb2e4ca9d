// Clocks that fail or run backwards: the error is kept until it can be thrown and the state restored.
#include "torsor/sim/timing.hpp"

#include <fmt/format.h>

#include "torsor/core/error.hpp"
#include "torsor/sim/sim.hpp"

namespace torsor {

void ScopedTimer::stop() noexcept {
  try {
    const double now = data_.clock ? data_.clock() : system_seconds();
    if (!(now >= start_)) throw Error(fmt::format("the clock ran backwards, from {} to {} s", start_, now));
    TimerCount& timer = data_.timer[static_cast<int>(which_)];
    timer.duration += now - start_;
    ++timer.number;
  } catch (...) {
    if (!data_.clock_failure) data_.clock_failure = std::current_exception();
  }
}

ClockGuard::ClockGuard(const Model& model, Data& data) : model_(model), data_(data) {
  data.clock_failure = nullptr;  // left over from a call that threw
  if (!data.timers_on || !data.clock) return;
  state_.resize(static_cast<size_t>(state_size(model, kStateAll)));
  get_state(model, data, state_.data(), kStateAll);
}

void ClockGuard::restore() {
  if (!state_.empty()) set_state(model_, data_, state_.data(), kStateAll);
}

}  // namespace torsor
