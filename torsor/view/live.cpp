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

// Stages of a step whose times pages show, and how deep they are nested.
struct Stage {
  Timer timer;
  const char* name;
  int depth;
};
constexpr Stage kStages[] = {
    {Timer::kStep, "step", 0},
    {Timer::kForward, "forward", 1},
    {Timer::kPosition, "position", 2},
    {Timer::kKinematics, "kinematics", 3},
    {Timer::kInertia, "inertia", 3},
    {Timer::kCollision, "collision", 3},
    {Timer::kMake, "constraint rows", 3},
    {Timer::kVelocity, "velocity", 2},
    {Timer::kActuation, "actuation", 2},
    {Timer::kConstraint, "constraint solver", 2},
    {Timer::kAdvance, "integration", 1},
};

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
  is_fresh_ = is_clip_ = false;
  companions_.clear();
  shown_companions_.clear();
  remember();
  ++generation_;
}

void Live::set_companions(std::vector<const Data*> worlds, bool as_ghosts) {
  for (const Data* world : worlds) require_fit(*model_, *world);
  companions_ = std::move(worlds);
  shown_companions_.clear();
  for (size_t i = 0; i < companions_.size(); ++i) shown_companions_.push_back(std::make_unique<Data>(*model_));
  as_ghosts_ = as_ghosts;
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
  is_clip_ = false;
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
  if (is_clip_) return play_clip(seconds);
  const double timestep = model_->opt.timestep;
  owed_ = std::min(owed_ + seconds * speed_, std::max(kLongestDebt * speed_, timestep));
  for (; owed_ >= timestep && budget > 0 && playing_; --budget) {
    step_once();
    owed_ -= timestep;
  }
}

// Goes to the frame of the clip that is due, and stops at its end.
void Live::play_clip(double seconds) {
  owed_ += seconds * speed_;
  const double from = states_[cursor_][0];
  const auto is_due = [&](size_t state) { return state < states_.size() && states_[state][0] <= from + owed_ + 1e-9; };
  size_t state = cursor_;
  while (is_due(state + 1)) ++state;
  if (state != cursor_) {
    owed_ -= states_[state][0] - from;
    restore(state);
  }
  if (cursor_ + 1 == states_.size()) playing_ = false;
}

void Live::synchronize() { is_fresh_ = false; }

void Live::restart() {
  states_.clear();
  is_clip_ = false;
  remember();
  is_fresh_ = false;
}

void Live::refresh() {
  if (is_fresh_) return;
  refresh(*data_, *shown_);
  is_fresh_ = true;
}

// All that a frame shows of a state.
void Live::refresh(const Data& from, Data& to) const {
  copy_state(*model_, from, to, kStateIntegration);
  forward(*model_, to);
  compute_energy_position(*model_, to);
  compute_energy_velocity(*model_, to);
}

const std::string& Live::frame() {
  refresh();
  writer_->begin(data_->time, 1 + static_cast<int>(companions_.size()));
  writer_->add(*model_, *shown_);
  for (size_t i = 0; i < companions_.size(); ++i) {
    refresh(*companions_[i], *shown_companions_[i]);
    writer_->add(*model_, *shown_companions_[i]);
  }
  return writer_->bytes();
}

std::string Live::scene() const { return make_scene(*model_, textures_); }

std::string Live::greeting() const {
  Json ids = Json::array();
  for (const Convention& convention : list_conventions()) ids.push_back(convention.id);
  return Json{{"type", "hello"}, {"conventions", ids}, {"passive", passive_},
              {"first", first_}, {"second", second_},  {"layout", as_ghosts_ ? "ghosts" : "side"}}
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
  if (data_->timers_on) result["timers"] = timers();
  return result.dump(-1, ' ', false, Json::error_handler_t::replace);
}

// Totals since the start: pages show the difference between two of them.
Live::Json Live::timers() const {
  Json list = Json::array();
  for (const Stage& stage : kStages) {
    const TimerCount& count = data_->timer[static_cast<int>(stage.timer)];
    list.push_back(
        {{"name", stage.name}, {"depth", stage.depth}, {"seconds", count.duration}, {"count", count.number}});
  }
  return list;
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
