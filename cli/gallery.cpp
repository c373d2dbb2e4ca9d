// Every scene is simulated here, recorded as a replay, and drawn once for the page.
#include "cli/gallery.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <memory>
#include <system_error>
#include <vector>

#include <fmt/format.h>

#include "cli/demo_scene.hpp"
#include "torsor/core/error.hpp"
#include "torsor/dynamics/dynamics.hpp"
#include "torsor/format/mjcf/mjcf.hpp"
#include "torsor/load/load.hpp"
#include "torsor/render/plot/plot.hpp"
#include "torsor/render/renderer.hpp"
#include "torsor/sim/sim.hpp"
#include "torsor/view/replay.hpp"

namespace torsor::cli {
namespace {

struct Exhibit {
  std::string id, title, text;
  std::string plot = {};  // file of the plot, if it has one
};

// One or more worlds of a scene that run and are recorded together.
class Show {
 public:
  explicit Show(const char* xml, const std::string& title, int worlds = 1) : textures_(read_mjcf_string(xml)) {
    for (int w = 0; w < worlds; ++w) {
      models_.push_back(std::make_unique<Model>(load_string(xml)));
      worlds_.push_back(std::make_unique<Data>(*models_.back()));
    }
    view::ReplayOptions options;
    options.title = title;
    recorder_ = std::make_unique<view::Recorder>(*models_[0], options, textures_);
  }

  Model& model(size_t world = 0) { return *models_[world]; }
  Data& data(size_t world = 0) { return *worlds_[world]; }
  void reset_to(const char* key) {
    for (size_t w = 0; w < worlds_.size(); ++w)
      reset_to_key(*models_[w], *worlds_[w], models_[w]->find(ObjectType::kKey, key));
  }

  // Simulates `duration` more seconds; calls each(time) with every frame.
  template <class Each>
  void run(double duration, Each each) {
    constexpr double kFramesPerSecond = 60;
    const double start = worlds_[0]->time;
    std::vector<const Data*> pointers;
    for (const auto& world : worlds_) pointers.push_back(world.get());
    for (int frame = 1; frame <= static_cast<int>(duration * kFramesPerSecond); ++frame) {
      for (size_t w = 0; w < worlds_.size(); ++w) {
        while (worlds_[w]->time < start + frame / kFramesPerSecond) {
          step(*models_[w], *worlds_[w]);
          require_memory(*models_[w], *worlds_[w]);
        }
      }
      recorder_->record(pointers);
      each(worlds_[0]->time);
    }
  }

  void save_replay(const std::string& path) const { recorder_->save(path); }

  // All worlds side by side, through the default camera, or close to a point.
  void save_picture(const std::string& path, const double* close_up = nullptr) const {
    constexpr int kWidth = 640, kHeight = 360;
    const int count = static_cast<int>(worlds_.size());
    render::Picture all{kWidth, kHeight, std::vector<std::uint8_t>(3 * kWidth * kHeight)};
    for (int w = 0; w < count; ++w) {
      const int left = kWidth * w / count, width = kWidth * (w + 1) / count - left;
      const render::Picture one = draw(static_cast<size_t>(w), width, kHeight, close_up);
      for (int y = 0; y < kHeight; ++y)
        std::copy_n(&one.rgb[3 * static_cast<size_t>(y * width)], 3 * static_cast<size_t>(width),
                    &all.rgb[3 * static_cast<size_t>(y * kWidth + left)]);
    }
    render::write_file(path, render::to_png(all));
  }

 private:
  render::Picture draw(size_t world, int width, int height, const double* close_up) const {
    const Model& model = *models_[world];
    render::RenderOptions options;
    options.style = render::Style::kStudio;
    render::Renderer renderer(model, height, width, textures_, options);
    Data shown(model);
    copy_state(model, *worlds_[world], shown, kStateIntegration);
    forward(model, shown);
    render::FreeCamera camera = render::default_camera(model);
    if (close_up) camera.lookat = load3(close_up), camera.distance = 0.24;
    renderer.update_scene(shown, camera);
    return renderer.render();
  }

  view::TextureSource textures_;
  std::vector<std::unique_ptr<Model>> models_;
  std::vector<std::unique_ptr<Data>> worlds_;
  std::unique_ptr<view::Recorder> recorder_;
};

class Gallery {
 public:
  Gallery(std::string folder, void (*tell)(const std::string&)) : folder_(std::move(folder)), tell_(tell) {}

  void write() {
    add_pendulums();
    add_figure("standing", "A figure stands", "Stiff joints keep it upright.", 30, 4, 0, 4);
    add_figure("pushed", "A figure is pushed", "A push of 0.1 m/s after one second: it sways, and stays on its feet.",
               30, 4, 0.1, 4);
    add_figure("falling", "A figure falls", "The same figure with soft joints, and a push of 1.6 m/s.", 1, 1, 1.6, 4);
    add_gripper();
    write_page();
  }

 private:
  std::string path(const std::string& name) const { return (std::filesystem::path(folder_) / name).string(); }

  void finish(Show& show, const Exhibit& exhibit) {
    show.save_replay(path(exhibit.id + ".html"));
    tell_(path(exhibit.id + ".html"));
    exhibits_.push_back(exhibit);
  }

  void add_pendulums() {
    Show show(kDemoScene, "The scene of torsor demo");
    show.reset_to("start");
    show.run(8, [](double) {});
    show.save_picture(path("demo.png"));
    finish(show, {"demo", "Pendulums, a top and a book", "The scene of torsor demo: nothing dissipates energy."});
  }

  void add_figure(const char* id, const char* title, const char* text, double stiffness, double damping, double push,
                  double duration) {
    Show show(kFigureScene, title);
    Model& model = show.model();
    for (int j = 0; j < model.njnt; ++j) model.jnt_stiffness[j] *= stiffness;
    for (int i = 0; i < model.nv; ++i) model.dof_damping[i] *= damping;
    show.run(1, [](double) {});
    show.data().qvel[0] += push;
    show.run(0.5, [](double) {});
    show.save_picture(path(std::string(id) + ".png"));
    show.run(duration - 1.5, [](double) {});
    finish(show, {id, title, text});
  }

  static void paint_gripper(Model& model) {
    constexpr float kFloor[4] = {0.75f, 0.78f, 0.82f, 1}, kFinger[4] = {0.25f, 0.32f, 0.42f, 1},
                    kCube[4] = {0.95f, 0.5f, 0.15f, 1};
    for (int g = 0; g < model.ngeom; ++g) {
      const std::string_view name = model.name(ObjectType::kGeom, g);
      std::copy_n(name == "floor" ? kFloor : name == "cube" ? kCube : kFinger, 4, model.geom_rgba.row(g, 4));
    }
  }

  // The same gripper twice: soft constraints on the left, SAP on the right.
  void add_gripper() {
    const char* title = "What holds, holds";
    Show show(kGripperScene, title, 2);
    show.model(1).opt.solver = static_cast<int>(SolverType::kSap);
    for (size_t w = 0; w < 2; ++w) paint_gripper(show.model(w));
    show.reset_to("hold");
    render::Plot plot;
    plot.title = "How far the cube has slipped";
    const int cube = show.model().find(ObjectType::kBody, "cube");
    const int height = show.model().jnt_qposadr[show.model().body_jntadr[cube]] + 2;
    render::Panel panel{"slip [mm]", {{"soft constraints", {}}, {"SAP", {}}}};
    const double start = show.data().qpos[height];
    const auto follow = [&](double time) {
      plot.x.push_back(time);
      for (size_t w = 0; w < 2; ++w) panel.signals[w].values.push_back(1e3 * (start - show.data(w).qpos[height]));
    };
    show.run(5, follow);
    const double middle[3] = {0, 0, 0.485};
    show.save_picture(path("gripper.png"), middle);
    show.run(7, follow);
    plot.panels.push_back(std::move(panel));
    render::write_file(path("gripper.svg"), render::to_svg(plot));
    tell_(path("gripper.svg"));
    finish(show,
           {"gripper", title,
            "Two grippers press a cube with 40 N. With soft constraints (left) it slips; with SAP (right) it stays.",
            "gripper.svg"});
  }

  void write_page() {
    std::string cards;
    for (const Exhibit& exhibit : exhibits_) {
      const std::string plot =
          exhibit.plot.empty() ? "" : fmt::format(" <a class=\"plot\" href=\"{}\">Plot</a>", exhibit.plot);
      cards += fmt::format(
          "<article><a href=\"{0}.html\"><img src=\"{0}.png\" width=\"640\" height=\"360\" alt=\"{1}\"></a>\n"
          "<h2><a href=\"{0}.html\">{1}</a></h2><p>{2}{3}</p></article>\n",
          exhibit.id, exhibit.title, exhibit.text, plot);
    }
    render::write_file(path("index.html"), fmt::format(kPage, cards));
    tell_(path("index.html"));
  }

  static constexpr const char* kPage = R"page(<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Torsor: gallery</title>
<style>
:root {{ color-scheme: light dark; --back: #f6f7f9; --card: #fff; --text: #1f242e; --soft: #5b6472; --link: #2563eb }}
@media (prefers-color-scheme: dark) {{
  :root {{ --back: #11141a; --card: #1a1f28; --text: #e6eaf0; --soft: #9aa4b2; --link: #7fb0ff }}
}}
body {{ margin: 0 auto; max-width: 1120px; padding: 32px 20px; background: var(--back); color: var(--text);
  font: 16px/1.5 system-ui, sans-serif }}
main {{ display: grid; grid-template-columns: repeat(auto-fill, minmax(300px, 1fr)); gap: 20px }}
article {{ background: var(--card); border-radius: 12px; overflow: hidden; box-shadow: 0 1px 4px #0003 }}
img {{ display: block; width: 100%; height: auto }}
h1 {{ margin: 0 }}
h2 {{ font-size: 1.1rem; margin: 12px 16px 0 }}
p {{ color: var(--soft) }}
article p {{ margin: 4px 16px 16px }}
a {{ color: var(--link); text-decoration: none }}
a:hover, a:focus {{ text-decoration: underline }}
</style>
</head>
<body>
<h1>Torsor: gallery</h1>
<p>Simulated by <code>torsor demo --gallery</code>. Each picture opens a replay, which needs no server.</p>
<main>
{}</main>
</body>
</html>
)page";

  std::string folder_;
  void (*tell_)(const std::string&);
  std::vector<Exhibit> exhibits_;
};

}  // namespace

void make_folder(const std::string& folder) {
  std::error_code error;
  std::filesystem::create_directories(folder, error);
  if (error || !std::filesystem::is_directory(folder))
    throw Error(
        fmt::format("cannot make the folder '{}': {}", folder, error ? error.message() : "a file has this name"));
}

std::string make_cache_folder() {
  const char* caches = std::getenv("XDG_CACHE_HOME");
  const char* home = std::getenv("HOME");
  std::filesystem::path folder;
  if (caches && *caches == '/')
    folder = std::filesystem::path(caches) / "torsor";
  else if (home && *home == '/')
    folder = std::filesystem::path(home) / ".cache" / "torsor";
  std::error_code error;
  if (!folder.empty()) std::filesystem::create_directories(folder, error);
  return folder.empty() || error ? "." : folder.string();
}

void write_gallery(const std::string& folder, void (*tell)(const std::string& line)) {
  make_folder(folder);
  Gallery(folder, tell).write();
}

}  // namespace torsor::cli
