// A simulation that is looked at: what the page of `torsor view` can do with it. Without a network and without a clock,
// so that tests can drive it; viewer.hpp adds both.
//
// Pages send JSON objects with a "type"; handle() answers with JSON texts:
//   play, pause, step {n}, reset, key {id}, seek {time}, speed {value}
//   ctrl {id, value}, qpos {id, value} of a hinge or slide, option {name, value}, friction {geom, value}
//   drag {body, point (in B), target (in W), torque}, release
//   select {body, first, second}: pose and twist of the body in two conventions, with every status
//   load {files: [{name, base64}]}: another model, read from these files alone; or a motion clip, which is played
//   timers {on}: whether steps read the clock, for the times in every status
//   pressed {key}: a key, as GLFW numbers them, for the program that shows this view
#pragma once

#include <deque>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "torsor/math/vec3.hpp"
#include "torsor/model/data.hpp"
#include "torsor/model/spec.hpp"
#include "torsor/view/frame.hpp"
#include "torsor/view/textures.hpp"

namespace torsor::view {

class Live {
 public:
  // A model and a state of its own.
  Live(Model model, TextureSource textures);
  // Those of the caller, which must live longer. With `passive`, the caller steps: play, step, seek and load are
  // refused, and only what pages drag and set is applied.
  Live(Model& model, Data& data, TextureSource textures, bool passive);
  ~Live();

  const Model& model() const { return *model_; }
  Data& data() { return *data_; }

  // Takes the steps that are due after `seconds` of the clock on the wall; at most `budget` of them, so that a model
  // that is too slow for real time still answers.
  void advance(double seconds, int budget = 1 << 20);
  // Applies drags to data.xfrc_applied, as advance() does before each step.
  void apply_drag();
  // The caller's data has changed.
  void synchronize();
  // The caller has set another state: the time bar begins there.
  void restart();
  // More worlds of the caller that are shown beside the first, side by side or as ghosts. They must live longer, and
  // have no part in what pages do.
  void set_companions(std::vector<const Data*> worlds, bool as_ghosts);
  // Meshes, height fields or materials of the model have changed: pages need the scene again.
  void renew_scene() { ++generation_; }
  // Keys that were pressed on pages since the last call.
  std::vector<int> take_pressed() { return std::exchange(pressed_, {}); }

  // Texts for the page that sent the message; an empty list is the usual case. Never throws: mistakes become an answer
  // of the type "error".
  std::vector<std::string> handle(std::string_view message);

  std::string scene() const;
  // What a new page needs to know beside the scene: conventions and keyframes.
  std::string greeting() const;
  std::string status() const;
  // Of the present state; with signals. Valid until the next call.
  const std::string& frame();
  // Changes when another model was loaded: all pages then need its scene.
  int generation() const { return generation_; }
  bool is_playing() const { return playing_; }

 private:
  using Json = nlohmann::json;
  struct Drag {
    int body = 0;
    Vec3<double> p_BoP_B, p_WoT_W;
    bool is_torque = false;
  };

  void start();
  void take(const Json& message, std::vector<std::string>& answers);
  bool take_playback(const std::string& type, const Json& message);
  bool take_edit(const std::string& type, const Json& message);
  void take_drag(const Json& message);
  void load_files(const Json& message, std::vector<std::string>& answers);
  void load_model(std::shared_ptr<FileSystem> files);
  void load_clip(const std::string& name, const std::string& bytes);
  void set_option(const std::string& name, const Json& value);
  void step_once();
  void remember();
  void restore(size_t state);
  void clear_drag();
  void refuse_when_passive(const char* what) const;
  void refresh();
  void refresh(const Data& from, Data& to) const;
  void play_clip(double seconds);
  Json selection() const;
  Json timers() const;

  std::unique_ptr<Model> own_model_;
  std::unique_ptr<Data> own_data_;
  Model* model_ = nullptr;
  Data* data_ = nullptr;
  TextureSource textures_;
  bool passive_ = false;
  bool playing_ = true;
  double speed_ = 1;
  double owed_ = 0;  // s of simulated time that are due
  std::optional<Drag> drag_;
  int dragged_ = 0;  // body whose xfrc_applied is ours
  int selected_ = 0;
  std::string first_ = "mujoco", second_ = "drake";
  // States after each step; the present one is at cursor_, later ones were stepped back from.
  std::deque<std::vector<double>> states_;
  size_t cursor_ = 0, most_states_ = 2;
  bool is_clip_ = false;  // the states are those of a motion clip, which is played without steps
  std::unique_ptr<Data> shown_;
  std::vector<const Data*> companions_;
  std::vector<std::unique_ptr<Data>> shown_companions_;
  bool as_ghosts_ = false;
  std::vector<int> pressed_;
  std::unique_ptr<FrameWriter> writer_;
  bool is_fresh_ = false;  // shown_ has the present state
  int generation_ = 0;
  int resets_ = 0;       // by bad numbers
  std::string problem_;  // why it stopped by itself
};

}  // namespace torsor::view
