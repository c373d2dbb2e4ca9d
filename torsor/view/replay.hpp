// Replays: a recorded simulation as one HTML file that plays in any browser, without a server and without a network.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "torsor/model/data.hpp"
#include "torsor/view/frame.hpp"
#include "torsor/view/textures.hpp"

namespace torsor::view {

enum class WorldLayout { kSideBySide, kGhosts };

struct ReplayOptions {
  double fps = 60;  // frames per second of simulated time; states in between are not recorded
  WorldLayout layout = WorldLayout::kSideBySide;
  bool with_signals = true;  // qpos, ctrl and sensordata, for the plots
  std::string title{};       // empty: the name of the model
};

// Takes states of one model and keeps the frames. Its own Data computes poses, contacts and forces of each state, so
// that the caller's is only read.
class Recorder {
 public:
  // The model must live as long as the recorder. Throws Error for an fps that is not positive.
  Recorder(const Model& model, ReplayOptions options = {}, TextureSource textures = {});

  // Records the state if a frame is due: the first one, then one every 1/fps seconds of its time.
  void offer(const Data& data);
  // Records the state, whatever its time.
  void record(const Data& data);
  // Records several worlds at one moment; all frames of a recorder have the same number of worlds.
  void record(const std::vector<const Data*>& worlds);

  int frames() const { return static_cast<int>(sizes_.size()); }
  int worlds() const { return worlds_; }
  // The file. Throws Error if nothing was recorded.
  std::string html() const;
  // Writes the file. Throws Error if it cannot be written.
  void save(const std::string& path) const;

 private:
  const Model& model_;
  ReplayOptions options_;
  TextureSource textures_;
  FrameWriter writer_;
  std::unique_ptr<Data> shown_;
  std::string frames_;           // one after the other
  std::vector<unsigned> sizes_;  // of each
  int worlds_ = 0;
  double next_ = 0;  // time of the next frame
};

}  // namespace torsor::view
