// A Live simulation with a Server: what `torsor view` and torsor.view() run.
#pragma once

#include <chrono>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include "torsor/view/live.hpp"
#include "torsor/view/server.hpp"

namespace torsor::view {

class Viewer {
 public:
  Viewer(std::unique_ptr<Live> live, const ServerOptions& options);

  std::string url() const { return server_.url(); }
  int clients() const { return server_.clients(); }
  Live& live() { return *live_; }

  // Handles what pages sent since the last call, advances the simulation by the time that has passed since then, and
  // sends a frame if one is due. Call it in a loop; it never blocks, and returns the seconds until there is more to do.
  double tick();
  // The same for a simulation that the caller steps: handles messages, applies drags, and sends a frame if one is due.
  void synchronize();
  // Tells all pages, and those that come later, something that Live knows nothing of: a JSON object with a "type". The
  // last one of each type counts.
  void tell(const std::string& type, std::string json);

 private:
  using Clock = std::chrono::steady_clock;
  void take_messages();
  void send_if_due();

  std::unique_ptr<Live> live_;
  std::mutex mutex_;  // of what comes from the server's thread
  std::vector<std::pair<Server::Client, std::string>> messages_;
  size_t waiting_bytes_ = 0;  // of these messages
  std::vector<Server::Client> newcomers_;
  std::map<std::string, std::string> notes_;  // of tell(), by type
  std::shared_ptr<const std::string> scene_;
  int generation_ = -1;
  Clock::time_point last_ = Clock::now(), next_frame_ = last_, next_status_ = last_;
  Server server_;  // last: its thread uses the members above
};

}  // namespace torsor::view
