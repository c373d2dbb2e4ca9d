// Implementation of torsor.Renderer.
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include <nanobind/ndarray.h>
#include <nanobind/stl/vector.h>

#include <fmt/format.h>

#include "bindings.hpp"
#include "canvas.hpp"
#include "objects.hpp"
#include "scene_list.hpp"
#include "text.hpp"
#include "textures.hpp"
#include "torsor/model/check.hpp"
#include "torsor/render/renderer.hpp"

namespace torsor::python {
namespace {

using namespace nb::literals;
using Groups = std::vector<bool>;
template <class T>
using PictureArray = nb::ndarray<T, nb::c_contig, nb::device::cpu>;

void copy_groups(const Groups& from, std::array<bool, render::kGroups>& to) {
  if (from.size() != to.size()) throw Error(fmt::format("expected {} groups, got {}", to.size(), from.size()));
  std::copy(from.begin(), from.end(), to.begin());
}

// A renderer, the model that it draws, and a lock: threads that share it take turns.
class RendererObject {
 public:
  RendererObject(const ModelObject& model, int height, int width, int samples, bool shadows, bool studio)
      : model_(model.model),
        renderer_(*model_, height, width, textures_of(model), make_options(samples, shadows, studio)) {}

  std::vector<std::string> warnings() const { return renderer_.warnings(); }

  void set_groups(const Groups& geom, const Groups& site, const Groups& tendon, const Groups& skin) {
    const std::lock_guard lock(mutex_);
    render::DrawOptions& draw = renderer_.options().draw;
    copy_groups(geom, draw.geomgroup);
    copy_groups(site, draw.sitegroup);
    copy_groups(tendon, draw.tendongroup);
    copy_groups(skin, draw.skingroup);
  }

  void update(const ModelObject& model, const DataObject& data, int camera) {
    with_scene(model, data, [&] { renderer_.update_scene(*data.data, camera); });
  }

  void update_free(const ModelObject& model, const DataObject& data, const std::vector<double>& lookat, double distance,
                   double azimuth, double elevation, int trackbody, bool orthographic) {
    if (lookat.size() != 3) throw Error(fmt::format("lookat must have 3 numbers, got {}", lookat.size()));
    const render::FreeCamera camera{load3(lookat.data()), distance, azimuth, elevation, trackbody, orthographic};
    with_scene(model, data, [&] { renderer_.update_scene(*data.data, camera); });
  }

  void update_list(const ModelObject& model, const scene_list::Numbers& numbers, const scene_list::Wholes& wholes,
                   const scene_list::Numbers& lights, const scene_list::Skins& skins, const std::vector<double>& camera,
                   bool shadows, bool reflections, bool sky) {
    if (model.model != model_) throw Error("this renderer draws another model");
    render::DrawList list = scene_list::make(*model_, numbers, wholes, lights);
    const render::Projection view = scene_list::make_projection(camera);
    const std::lock_guard lock(mutex_);
    view::PosedSkin posed;
    for (const render::Instance& instance : list.instances) {
      if (instance.skin < 0) continue;
      scene_list::read_skin(*model_, skins, instance, posed);
      renderer_.pose_skin(instance.skin, posed);
    }
    renderer_.options().with_shadows = shadows;
    renderer_.options().draw.with_reflections = reflections;
    renderer_.options().draw.with_sky = sky;
    renderer_.update_scene(std::move(list), view);
  }

  void render(PictureArray<std::uint8_t> out) {
    require_size(out.size(), 3);
    draw([&] { renderer_.render(out.data()); });
  }
  void render_depth(PictureArray<float> out) {
    require_size(out.size(), 1);
    draw([&] { renderer_.render_depth(out.data()); });
  }
  void render_segmentation(PictureArray<int> out) {
    require_size(out.size(), 2);
    draw([&] { renderer_.render_segmentation(out.data()); });
  }
  nb::bytes png() {
    std::string bytes;
    draw([&] { bytes = render::to_png(renderer_.render()); });
    return nb::bytes(bytes.data(), bytes.size());
  }

 private:
  static render::RenderOptions make_options(int samples, bool shadows, bool studio) {
    render::RenderOptions options;
    options.samples = samples;
    options.with_shadows = shadows;
    options.style = studio ? render::Style::kStudio : render::Style::kModel;
    return options;
  }

  void require_size(size_t size, size_t channels) const {
    const size_t wanted = channels * static_cast<size_t>(renderer_.height()) * static_cast<size_t>(renderer_.width());
    if (size != wanted) throw Error(fmt::format("the picture has {} numbers, the array {}", wanted, size));
  }

  template <class Update>
  void with_scene(const ModelObject& model, const DataObject& data, Update update) {
    if (model.model != model_) throw Error("this renderer draws another model");
    if (model.may_be_unsound) check_editable(*model_);
    const Hold hold = check_fits(model, data);
    const std::lock_guard lock(mutex_);
    update();
  }

  template <class Draw>
  void draw(Draw draw) {
    nb::gil_scoped_release release;
    const std::lock_guard lock(mutex_);
    draw();
  }

  std::shared_ptr<Model> model_;
  render::Renderer renderer_;
  std::mutex mutex_;
};

// Vertices of a skin in the world, then their normals: 2 x vertices x 3 numbers.
nb::object posed_skin(const ModelObject& model, const DataObject& data, int skin) {
  if (skin < 0 || skin >= model.model->nskin)
    throw Error(fmt::format("the model has {} skins, there is no skin {}", model.model->nskin, skin));
  if (model.may_be_unsound) check_editable(*model.model);
  const Hold hold = check_fits(model, data);
  view::PosedSkin posed;
  view::pose_skin(*model.model, *data.data, skin, posed);
  const size_t count = posed.point.size();
  auto* numbers = new float[6 * count + 1];
  nb::capsule owner(numbers, [](void* memory) noexcept { delete[] static_cast<float*>(memory); });
  for (size_t i = 0; i < count; ++i) {
    const Vec3<float>&p = posed.point[i], &n = posed.normal[i];
    for (int k = 0; k < 3; ++k) {
      numbers[3 * i + static_cast<size_t>(k)] = static_cast<float>(posed.p_WoSo_W[k] + static_cast<double>(p[k]));
      numbers[3 * (count + i) + static_cast<size_t>(k)] = n[k];
    }
  }
  return nb::cast(nb::ndarray<nb::numpy, float>(numbers, {2, count, 3}, owner));
}

}  // namespace

void bind_render(nb::module_& m) {
  bind_canvas(m);
  m.def("_posed_skin", &posed_skin, "model"_a, "data"_a, "skin"_a);
  nb::class_<RendererObject>(m, "_Renderer")
      .def(nb::init<const ModelObject&, int, int, int, bool, bool>(), "model"_a, "height"_a, "width"_a, "samples"_a,
           "shadows"_a, "studio"_a)
      .def_prop_ro("warnings", &RendererObject::warnings)
      .def("set_groups", &RendererObject::set_groups, "geom"_a, "site"_a, "tendon"_a, "skin"_a)
      .def("update", &RendererObject::update, "model"_a, "data"_a, "camera"_a)
      .def("update_free", &RendererObject::update_free, "model"_a, "data"_a, "lookat"_a, "distance"_a, "azimuth"_a,
           "elevation"_a, "trackbody"_a, "orthographic"_a)
      .def("update_list", &RendererObject::update_list, "model"_a, "numbers"_a, "wholes"_a, "lights"_a, "skins"_a,
           "camera"_a, "shadows"_a, "reflections"_a, "sky"_a)
      .def("render", &RendererObject::render, "out"_a.noconvert())
      .def("render_depth", &RendererObject::render_depth, "out"_a.noconvert())
      .def("render_segmentation", &RendererObject::render_segmentation, "out"_a.noconvert())
      .def("png", &RendererObject::png);
}

}  // namespace torsor::python
