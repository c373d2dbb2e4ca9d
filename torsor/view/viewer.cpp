// The loop between the network and the simulation.
#include "torsor/view/viewer.hpp"

#include <algorithm>

namespace torsor::view {
namespace {

using namespace std::chrono_literals;
constexpr std::chrono::microseconds kFramePeriod = 16667us, kStatusPeriod = 100ms;
constexpr int kStepsBetweenLooks = 256;  // at messages, when the model is slower than real time
constexpr size_t kMostWaiting = 4096, kMostBytesWaiting = size_t{256} << 20;  // messages; more are dropped

}  // namespace

Viewer::Viewer(std::unique_ptr<Live> live, const ServerOptions& options)
    : live_(std::move(live)),
      server_(options, {[this](Server::Client client) {
                          const std::lock_guard lock(mutex_);
                          newcomers_.push_back(client);
                        },
                        [this](Server::Client client, std::string text) {
                          const std::lock_guard lock(mutex_);
                          if (messages_.size() >= kMostWaiting || waiting_bytes_ + text.size() > kMostBytesWaiting)
                            return;
                          waiting_bytes_ += text.size();
                          messages_.emplace_back(client, std::move(text));
                        }}) {}

void Viewer::take_messages() {
  decltype(messages_) messages;
  decltype(newcomers_) newcomers;
  {
    const std::lock_guard lock(mutex_);
    messages.swap(messages_);
    waiting_bytes_ = 0;
    newcomers.swap(newcomers_);
  }
  for (const auto& [client, text] : messages) {
    for (std::string& answer : live_->handle(text)) server_.send_text(client, std::move(answer));
  }
  if (generation_ != live_->generation() && (!newcomers.empty() || server_.clients() > 0)) {
    scene_ = std::make_shared<const std::string>(live_->scene());
    generation_ = live_->generation();
    server_.broadcast_scene(scene_);
    newcomers.clear();
    server_.broadcast_text(live_->greeting());
    for (const auto& [type, note] : notes_) server_.broadcast_text(note);
  }
  for (const Server::Client client : newcomers) {
    server_.send_scene(client, scene_);
    server_.send_text(client, live_->greeting());
    for (const auto& [type, note] : notes_) server_.send_text(client, note);
  }
  if (!messages.empty() || !newcomers.empty()) next_frame_ = next_status_ = Clock::now();
}

void Viewer::tell(const std::string& type, std::string json) {
  std::string& note = notes_[type];
  if (note == json) return;
  note = std::move(json);
  server_.broadcast_text(note);
}

void Viewer::send_if_due() {
  const Clock::time_point now = Clock::now();
  if (server_.clients() == 0) return;
  if (now >= next_frame_) {
    server_.broadcast_frame(live_->frame());
    next_frame_ += kFramePeriod;  // a late frame is followed by a punctual one
    if (next_frame_ + kFramePeriod < now) next_frame_ = now;
  }
  if (now >= next_status_) {
    server_.broadcast_text(live_->status());
    next_status_ = now + kStatusPeriod;
  }
}

double Viewer::tick() {
  take_messages();
  const Clock::time_point now = Clock::now();
  live_->advance(std::chrono::duration<double>(now - last_).count(), kStepsBetweenLooks);
  last_ = now;
  send_if_due();
  const auto rest = std::chrono::duration<double>(next_frame_ - Clock::now()).count();
  return std::clamp(server_.clients() > 0 ? rest : 0.02, 0.0, 0.02);
}

void Viewer::synchronize() {
  take_messages();
  live_->apply_drag();
  live_->synchronize();
  send_if_due();
}

}  // namespace torsor::view
