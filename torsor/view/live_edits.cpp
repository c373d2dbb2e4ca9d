// Messages of pages: playback, edits, drags, other models. Everything in a message is checked: it may come from anyone
// who can reach the port.
#include <algorithm>
#include <cmath>
#include <exception>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "torsor/bridge/motion/on_model.hpp"
#include "torsor/dynamics/dynamics.hpp"
#include "torsor/format/motion/read.hpp"
#include "torsor/load/load.hpp"
#include "torsor/math/quat.hpp"
#include "torsor/model/check.hpp"
#include "torsor/model/settings.hpp"
#include "torsor/sim/sim.hpp"
#include "torsor/view/bytes.hpp"
#include "torsor/view/live.hpp"

namespace torsor::view {
namespace {

using Json = nlohmann::json;
constexpr double kSlowest = 1e-3, kFastest = 100;
constexpr int kMostStepsAtOnce = 10'000;
constexpr size_t kMostKeys = 64;  // that wait for the program
constexpr std::int64_t kMemoryOfDropped = std::int64_t{2} << 30;

double number(const Json& message, const char* name) {
  const auto found = message.find(name);
  if (found == message.end() || !found->is_number() || !std::isfinite(found->get<double>()))
    throw Error(fmt::format("'{}' must be a number", name));
  return found->get<double>();
}

int index(const Json& message, const char* name, int count) {
  const double value = number(message, name);
  if (value != std::floor(value) || value < 0 || value >= count)
    throw Error(fmt::format("'{}' must be a whole number from 0 to {}, got {}", name, count - 1, value));
  return static_cast<int>(value);
}

Vec3<double> vector(const Json& message, const char* name) {
  const auto found = message.find(name);
  if (found == message.end() || !found->is_array() || found->size() != 3)
    throw Error(fmt::format("'{}' must be a list of 3 numbers", name));
  double v[3];
  for (size_t i = 0; i < 3; ++i) {
    if (!(*found)[i].is_number() || !std::isfinite((*found)[i].get<double>()))
      throw Error(fmt::format("'{}' must be a list of 3 numbers", name));
    v[i] = (*found)[i].get<double>();
  }
  return {v[0], v[1], v[2]};
}

std::string text(const Json& message, const char* name) {
  const auto found = message.find(name);
  if (found == message.end() || !found->is_string()) throw Error(fmt::format("'{}' must be a text", name));
  return found->get<std::string>();
}

std::string error_answer(const std::string& title, const std::string& what) {
  return Json{{"type", "error"}, {"title", title}, {"text", what}}.dump(-1, ' ', false, Json::error_handler_t::replace);
}

// The file that is the model: the only XML file, or the one that no other of them includes or attaches.
std::string find_main_file(const FileSystem& files) {
  std::vector<std::string> candidates;
  for (const auto& [name, bytes] : files) {
    if (!name.ends_with(".xml") && !name.ends_with(".mjcf") && !name.ends_with(".urdf")) continue;
    const bool is_part = std::any_of(files.begin(), files.end(), [&name = name](const auto& other) {
      return other.first != name && other.second.find(name) != std::string::npos;
    });
    const bool is_model = bytes.find("<mujoco") != std::string::npos || bytes.find("<robot") != std::string::npos;
    if (!is_part && is_model) candidates.push_back(name);
  }
  if (candidates.size() == 1) return candidates[0];
  if (candidates.empty())
    throw Error("none of the dropped files is a model: drop an MJCF or URDF file with its assets, or a motion clip");
  throw Error(fmt::format("several of the dropped files are models: {}; drop one, with its assets",
                          fmt::join(candidates, ", ")));
}

// The name of a motion clip that was dropped alone; else empty.
std::string find_clip(const FileSystem& files) {
  const bool is_clip = files.size() == 1 && is_motion_file(files.begin()->first);
  return is_clip ? files.begin()->first : "";
}

}  // namespace

std::vector<std::string> Live::handle(std::string_view message) {
  std::vector<std::string> answers;
  try {
    const Json json = Json::parse(message, nullptr, false);
    if (!json.is_object()) throw Error("a message must be a JSON object");
    take(json, answers);
  } catch (const Error& error) {
    answers.push_back(error_answer("This did not work", error.what()));
  } catch (const std::exception&) {  // of the JSON library, or out of memory
    answers.push_back(error_answer("This did not work", "the message cannot be read"));
  }
  return answers;
}

void Live::take(const Json& message, std::vector<std::string>& answers) {
  const std::string type = text(message, "type");
  if (type == "load") return load_files(message, answers);
  if (type == "select") {
    const int body = index(message, "body", model_->nbody);
    if (message.contains("first")) first_ = text(message, "first");
    if (message.contains("second")) second_ = text(message, "second");
    selected_ = body;
    refresh();
  } else if (type == "drag") {
    take_drag(message);
  } else if (type == "release") {
    clear_drag();
  } else if (type == "timers") {
    data_->timers_on = message.value("on", Json(false)) == Json(true);
  } else if (type == "pressed") {
    const int key = index(message, "key", 1000);
    if (pressed_.size() < kMostKeys) pressed_.push_back(key);
  } else if (!take_playback(type, message) && !take_edit(type, message)) {
    throw Error(fmt::format("unknown message '{}'", type));
  }
}

void Live::refuse_when_passive(const char* what) const {
  if (passive_) throw Error(fmt::format("{}: the program that shows this view steps the simulation itself", what));
}

bool Live::take_playback(const std::string& type, const Json& message) {
  if (type == "play" || type == "pause") {
    refuse_when_passive("play and pause");
    playing_ = type == "play";
    problem_.clear();
    owed_ = 0;
    if (playing_ && is_clip_ && cursor_ + 1 == states_.size()) restore(0);  // once more
  } else if (type == "step") {
    refuse_when_passive("step");
    const double n = std::clamp(number(message, "n"), -1.0 * kMostStepsAtOnce, 1.0 * kMostStepsAtOnce);
    playing_ = false;
    if (n < 0) restore(cursor_ - std::min(cursor_, static_cast<size_t>(-n)));
    for (int i = 0; i < static_cast<int>(n); ++i) cursor_ + 1 < states_.size() ? restore(cursor_ + 1) : step_once();
  } else if (type == "seek") {
    refuse_when_passive("the time bar");
    const double time = number(message, "time");
    playing_ = false;
    const auto later = std::partition_point(states_.begin(), states_.end(),
                                            [time](const auto& state) { return state[0] <= time + 1e-9; });
    restore(later == states_.begin() ? 0 : static_cast<size_t>(later - states_.begin() - 1));
  } else if (type == "reset" || type == "key") {
    refuse_when_passive("reset");
    if (type == "key") reset_to_key(*model_, *data_, index(message, "id", model_->nkey));
    if (type == "reset") reset(*model_, *data_);
    drag_.reset();
    dragged_ = 0;
    restart();
  } else if (type == "speed") {
    speed_ = std::clamp(number(message, "value"), kSlowest, kFastest);
  } else {
    return false;
  }
  return true;
}

bool Live::take_edit(const std::string& type, const Json& message) {
  if (type == "ctrl") {
    data_->ctrl[index(message, "id", model_->nu)] = number(message, "value");
  } else if (type == "qpos") {
    const int joint = index(message, "id", model_->njnt);
    const auto kind = static_cast<JointType>(model_->jnt_type[joint]);
    if (kind != JointType::kHinge && kind != JointType::kSlide) throw Error("only hinges and slides have sliders");
    data_->qpos[model_->jnt_qposadr[joint]] = number(message, "value");
    data_->qvel[model_->jnt_dofadr[joint]] = 0;
  } else if (type == "friction") {
    const int geom = index(message, "geom", model_->ngeom);
    const double value = number(message, "value");
    if (value < 0) throw Error("friction must not be negative");
    model_->geom_friction.row(geom, 3)[0] = value;
  } else if (type == "option") {
    set_option(text(message, "name"), message.value("value", Json()));
  } else {
    return false;
  }
  is_fresh_ = false;
  return true;
}

void Live::set_option(const std::string& name, const Json& value) {
  const Option before = model_->opt;
  Option& opt = model_->opt;
  const Json wrapped{{"value", value}};
  const auto whole = [&] { return index(wrapped, "value", 1'000'000); };
  const auto three = [&](double* target) {
    const Vec3<double> v = vector(wrapped, "value");
    target[0] = v.x, target[1] = v.y, target[2] = v.z;
  };
  if (name == "timestep")
    opt.timestep = number(wrapped, "value");
  else if (name == "gravity")
    three(opt.gravity);
  else if (name == "wind")
    three(opt.wind);
  else if (name == "density")
    opt.density = number(wrapped, "value");
  else if (name == "viscosity")
    opt.viscosity = number(wrapped, "value");
  else if (name == "impratio")
    opt.impratio = number(wrapped, "value");
  else if (name == "tolerance")
    opt.tolerance = number(wrapped, "value");
  else if (name == "iterations")
    opt.iterations = whole();
  else if (name == "integrator")
    opt.integrator = whole();
  else if (name == "solver")
    opt.solver = whole();
  else if (name == "cone")
    opt.cone = whole();
  else if (name == "disableflags")
    opt.disableflags = whole();
  else
    throw Error(fmt::format("unknown option '{}'", name));
  try {
    if (!(opt.timestep > 0)) throw Error("the timestep must be positive");
    check_options(*model_);
    require_settings(*model_);
    Data trial(*model_);  // solvers and integrators that refuse a model say so now, not in the next step
    copy_state(*model_, *data_, trial, kStateIntegration);
    step(*model_, trial);
  } catch (const Error&) {
    opt = before;
    throw;
  }
}

void Live::take_drag(const Json& message) {
  Drag drag;
  drag.body = index(message, "body", model_->nbody);
  if (drag.body == 0) throw Error("the world cannot be dragged");
  drag.p_BoP_B = vector(message, "point");
  drag.p_WoT_W = vector(message, "target");
  drag.is_torque = message.value("torque", Json(false)) == Json(true);
  if (dragged_ != 0 && dragged_ != drag.body) clear_drag();
  drag_ = drag;
}

void Live::clear_drag() {
  if (dragged_ > 0) std::fill_n(data_->xfrc_applied.row(dragged_, 6), 6, 0.0);
  dragged_ = 0;
  drag_.reset();
}

// A critically damped spring from the point of the body to the target, for the mass that a push at the body moves.
void Live::apply_drag() {
  if (!drag_) return;
  const int b = drag_->body;
  refresh();
  const Vec3<double> p_WoBo_W = load3(shown_->xpos.row(b, 3)), p_WoBcm_W = load3(shown_->xipos.row(b, 3));
  const Vec3<double> p_WoP_W = p_WoBo_W + load9(shown_->xmat.row(b, 9)) * drag_->p_BoP_B;
  double V_WB_Bo_W[6];  // angular, then linear, at the body's origin
  object_velocity(*model_, *shown_, ObjectType::kXBody, b, V_WB_Bo_W, false);
  const Vec3<double> w = load3(V_WB_Bo_W), v_WP_W = load3(V_WB_Bo_W + 3) + cross(w, p_WoP_W - p_WoBo_W);
  const double inverse = model_->body_invweight0.row(b, 2)[0];
  const double mass = inverse > 0 ? 1 / inverse : model_->body_subtreemass[b];
  const double stiffness = model_->vis.map.stiffness, damping = 2 * std::sqrt(stiffness);
  const Vec3<double> f_W = mass * (stiffness * (drag_->p_WoT_W - p_WoP_W) - damping * v_WP_W);
  const Vec3<double> t_Bcm_W = cross(p_WoP_W - p_WoBcm_W, f_W);
  double* load = data_->xfrc_applied.row(b, 6);
  const Vec3<double> force = drag_->is_torque ? Vec3<double>{0, 0, 0} : f_W;
  load[0] = force.x, load[1] = force.y, load[2] = force.z;
  load[3] = t_Bcm_W.x, load[4] = t_Bcm_W.y, load[5] = t_Bcm_W.z;
  dragged_ = b;
}

void Live::load_files(const Json& message, std::vector<std::string>& answers) {
  std::string what = "model";
  try {
    const auto given = message.find("files");
    if (given == message.end() || !given->is_array() || given->empty()) throw Error("no files were dropped");
    auto files = std::make_shared<FileSystem>();
    for (const Json& file : *given) (*files)[text(file, "name")] = from_base64(text(file, "base64"));
    const std::string clip = find_clip(*files);
    if (!clip.empty()) {
      what = "clip";
      refuse_when_passive("play a clip");
      load_clip(clip, files->begin()->second);
    } else {
      if (!own_model_) throw Error("this view shows the model of the program that opened it; it takes no other");
      load_model(std::move(files));
    }
  } catch (const Error& error) {
    answers.push_back(error_answer(fmt::format("The dropped {} cannot be shown", what), error.what()));
  }
}

// The old model stays until the new one is ready. Only the dropped files are read.
void Live::load_model(std::shared_ptr<FileSystem> files) {
  LoadOptions options;
  options.files = files;
  options.restrict = std::vector<std::string>{};  // nothing on disk
  options.memory_limit = kMemoryOfDropped;
  const std::string name = find_main_file(*files);
  auto model = std::make_unique<Model>(load(name, options));
  TextureSource textures(read_mjcf_file(name, options));
  auto data = std::make_unique<Data>(*model);
  own_model_ = std::move(model);
  own_data_ = std::move(data);
  model_ = own_model_.get();
  data_ = own_data_.get();
  textures_ = std::move(textures);
  start();
}

// The frames of the clip become the states of the time bar; playing goes over them, without steps.
void Live::load_clip(const std::string& name, const std::string& bytes) {
  MotionClip clip = parse_motion(bytes, name);
  if (clip.dofs == 0 && !clip.bodies.empty()) clip = dofs_from_rotations(*model_, clip);
  const ClipOnModel map(*model_, clip, true);
  const size_t size = static_cast<size_t>(state_size(*model_, kStateIntegration));
  if (static_cast<size_t>(clip.frames) > most_states_)
    throw Error(fmt::format("the clip has {} frames; this view keeps {}", clip.frames, most_states_));
  Data posed(*model_);
  std::deque<std::vector<double>> states;
  for (int frame = 0; frame < clip.frames; ++frame) {
    posed.time = frame / clip.fps;
    map.write_qpos(clip, frame, posed.qpos.data());
    get_state(*model_, posed, states.emplace_back(size).data(), kStateIntegration);
  }
  if (states.empty()) throw Error("the clip has no frames");
  states_ = std::move(states);
  restore(0);
  owed_ = 0;
  is_clip_ = playing_ = true;
}

}  // namespace torsor::view
