// Playback: steps, the ring of states, frames. What pages may change is in live_edits.cpp.
#include "torsor/view/live.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "torsor/bridge/body_view.hpp"
#include "torsor/convention/convention.hpp"
#include "torsor/dynamics/dynamics.hpp"
#include "torsor/sim/sim.hpp"
#include "torsor/view/scene.hpp"

namespace torsor::view {
namespace {

constexpr size_t kBytesOfStates = size_t{64} << 20;
constexpr double kLongestDebt = 0.1;  // s: after a stall the simulation goes on from where it is

}  // namespace

Live::Live(Model model, TextureSource textures)
    : own_model_(std::make_unique<Model>(std::move(model))),
      own_data_(std::make_unique<Data>(*own_model_)),
      model_(own_model_.get()),
      data_(own_data_.get()),
      textures_(std::move(textures)) {
  start();
}

Live::Live(Model& model, Data& data, TextureSource textures, bool passive)
    : model_(&model), data_(&data), textures_(std::move(textures)), passive_(passive), playing_(!passive) {
  require_fit(model, data);
  start();
}

Live::~Live() = default;

void Live::start() {
  shown_ = std::make_unique<Data>(*model_);
  writer_ = std::make_unique<FrameWriter>(*model_, true);
  const size_t bytes = sizeof(double) * static_cast<size_t>(state_size(*model_, kStateIntegration));
  most_states_ = std::max<size_t>(2, kBytesOfStates / std::max<size_t>(bytes, 1));
  states_.clear();
  cursor_ = 0;
  owed_ = 0;
  drag_.reset();
  dragged_ = selected_ = 0;
  problem_.clear();
  is_fresh_ = false;
  remember();
  ++generation_;
}

// The present state becomes the last one.
void Live::remember() {
  if (passive_) return;
  if (!states_.empty()) states_.resize(cursor_ + 1);
  std::vector<double> state(static_cast<size_t>(state_size(*model_, kStateIntegration)));
  get_state(*model_, *data_, state.data(), kStateIntegration);
  states_.push_back(std::move(state));
  if (states_.size() > most_states_) states_.pop_front();
  cursor_ = states_.size() - 1;
}

void Live::restore(size_t state) {
  cursor_ = std::min(state, states_.size() - 1);
  set_state(*model_, *data_, states_[cursor_].data(), kStateIntegration);
  clear_drag();
  is_fresh_ = false;
}

void Live::step_once() {
  apply_drag();
  const Status status = step(*model_, *data_);
  if (status == Status::kReset) ++resets_;
  if (status == Status::kDiverged)
    problem_ = "bad numbers: it became unstable, and the model forbids an automatic reset";
  if (status == Status::kOutOfMemory) problem_ = "contacts and constraints need more memory than the model allows";
  if (status == Status::kOutOfMemory || status == Status::kDiverged) playing_ = false;
  remember();
  is_fresh_ = false;
}

void Live::advance(double seconds, int budget) {
  if (!playing_ || passive_) return;
  const double timestep = model_->opt.timestep;
  owed_ = std::min(owed_ + seconds * speed_, std::max(kLongestDebt * speed_, timestep));
  for (; owed_ >= timestep && budget > 0 && playing_; --budget) {
    step_once();
    owed_ -= timestep;
  }
}

void Live::synchronize() { is_fresh_ = false; }

void Live::restart() {
  states_.clear();
  remember();
  is_fresh_ = false;
}

void Live::refresh() {
  if (is_fresh_) return;
  copy_state(*model_, *data_, *shown_, kStateIntegration);
  forward(*model_, *shown_);
  compute_energy_position(*model_, *shown_);
  compute_energy_velocity(*model_, *shown_);
  is_fresh_ = true;
}

const std::string& Live::frame() {
  refresh();
  writer_->begin(data_->time, 1);
  writer_->add(*model_, *shown_);
  return writer_->bytes();
}

std::string Live::scene() const { return make_scene(*model_, textures_); }

std::string Live::greeting() const {
  Json ids = Json::array();
  for (const Convention& convention : list_conventions()) ids.push_back(convention.id);
  return Json{{"type", "hello"}, {"conventions", ids}, {"passive", passive_}, {"first", first_}, {"second", second_}}
      .dump();
}

std::string Live::status() const {
  const auto time_of = [](const std::vector<double>& state) { return state.empty() ? 0.0 : state[0]; };
  const bool has_states = !states_.empty();
  Json result{{"type", "status"},
              {"playing", playing_},
              {"speed", speed_},
              {"time", data_->time},
              {"start", has_states ? time_of(states_.front()) : data_->time},
              {"end", has_states ? time_of(states_.back()) : data_->time},
              {"resets", resets_},
              {"problem", problem_}};
  if (selected_ > 0) result["selection"] = selection();
  return result.dump(-1, ' ', false, Json::error_handler_t::replace);
}

Live::Json Live::selection() const {
  const auto read = [&](const std::string& id) -> Json {
    try {
      const Convention convention = find_convention(id);
      double pose[7], twist[6];
      read_body_pose(*model_, *shown_, selected_, convention, pose);
      read_body_twist(*model_, *shown_, selected_, convention, twist);
      return {
          {"id", id}, {"pose", std::vector<double>(pose, pose + 7)}, {"twist", std::vector<double>(twist, twist + 6)}};
    } catch (const Error& error) {
      return {{"id", id}, {"error", error.what()}};
    }
  };
  Json result{{"body", selected_}, {"first", read(first_)}, {"second", read(second_)}};
  try {
    result["differences"] = describe_differences(find_convention(first_), find_convention(second_));
  } catch (const Error&) {  // the columns say why
  }
  return result;
}

}  // namespace torsor::view
