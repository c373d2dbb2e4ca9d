// Collects frames, and puts scene and frames into the page.
#include "torsor/view/replay.hpp"

#include <cerrno>
#include <cmath>
#include <cstdio>
#include <cstring>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "torsor/core/error.hpp"
#include "torsor/dynamics/dynamics.hpp"
#include "torsor/sim/sim.hpp"
#include "torsor/view/bytes.hpp"
#include "torsor/view/page.hpp"
#include "torsor/view/scene.hpp"

namespace torsor::view {
namespace {

constexpr double kOnTime = 1e-9;  // part of a frame's duration by which a state may be early, for rounding

// An element that the page finds by its id. Base64 and JSON without '<' cannot end it early.
std::string data_element(const char* id, const std::string& text) {
  return fmt::format("<script type=\"text/plain\" id=\"{}\">{}</script>\n", id, text);
}

std::string escaped(std::string json) {
  for (size_t at = json.find('<'); at != json.npos; at = json.find('<', at)) json.replace(at, 1, "\\u003c");
  return json;
}

}  // namespace

Recorder::Recorder(const Model& model, ReplayOptions options, TextureSource textures)
    : model_(model),
      options_(std::move(options)),
      textures_(std::move(textures)),
      writer_(model, options_.with_signals),
      shown_(std::make_unique<Data>(model)) {
  if (!(options_.fps > 0) || !std::isfinite(options_.fps))
    throw Error(fmt::format("frames per second must be positive, got {}", options_.fps));
}

void Recorder::offer(const Data& data) {
  const double period = 1 / options_.fps;
  if (frames() == 0) next_ = data.time;
  if (data.time < next_ - kOnTime * period) return;
  record(data);
  // a step longer than a frame skips frames instead of recording the same moment again
  next_ += period * std::max(1.0, std::floor((data.time - next_) / period + 1 + kOnTime));
}

void Recorder::record(const Data& data) { record(std::vector<const Data*>{&data}); }

void Recorder::record(const std::vector<const Data*>& worlds) {
  const int count = static_cast<int>(worlds.size());
  if (count == 0) throw Error("a frame needs at least one world");
  if (worlds_ != 0 && worlds_ != count)
    throw Error(fmt::format("a frame of {} worlds in a recording of {}", count, worlds_));
  for (const Data* world : worlds) require_fit(model_, *world);
  writer_.begin(worlds[0]->time, count);
  for (const Data* world : worlds) {
    copy_state(model_, *world, *shown_, kStateIntegration);
    forward(model_, *shown_);
    compute_energy_position(model_, *shown_);
    compute_energy_velocity(model_, *shown_);
    writer_.add(model_, *shown_);
  }
  worlds_ = count;
  frames_ += writer_.bytes();
  sizes_.push_back(static_cast<unsigned>(writer_.bytes().size()));
}

std::string Recorder::html() const {
  if (sizes_.empty()) throw Error("nothing was recorded: a replay needs at least one frame");
  std::string frames;
  put(frames, static_cast<unsigned>(sizes_.size()));
  for (const unsigned size : sizes_) put(frames, size);
  frames += frames_;
  const std::string title = options_.title.empty() ? std::string(model_.name()) : options_.title;
  const nlohmann::json settings{{"title", title},
                                {"layout", options_.layout == WorldLayout::kGhosts ? "ghosts" : "side"}};
  const auto strict = nlohmann::json::error_handler_t::replace;
  std::string html(page());
  const size_t end = html.rfind("</body>");
  if (end == html.npos) throw Error("the page of the viewer is damaged: it has no end");
  html.insert(end, data_element("torsor-settings", escaped(settings.dump(-1, ' ', false, strict))) +
                       data_element("torsor-scene", to_base64(compress(make_scene(model_, textures_)))) +
                       data_element("torsor-frames", to_base64(compress(frames))));
  return html;
}

void Recorder::save(const std::string& path) const {
  const std::string text = html();
  std::FILE* file = std::fopen(path.c_str(), "wb");
  const bool is_written = file && std::fwrite(text.data(), 1, text.size(), file) == text.size();
  const bool is_closed = file && std::fclose(file) == 0;
  if (!is_written || !is_closed) throw Error(fmt::format("cannot write '{}': {}", path, std::strerror(errno)));
}

}  // namespace torsor::view
