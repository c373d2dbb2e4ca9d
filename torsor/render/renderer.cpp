// Rows of the picture are drawn in bands whose samples fit into the processor's cache.
#include "torsor/render/renderer.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include <fmt/format.h>

#include "torsor/core/error.hpp"
#include "torsor/render/light_rig.hpp"
#include "torsor/render/shapes.hpp"

namespace torsor::render {
namespace {

constexpr float kPlaneFromBelow = 0.3f;  // part of its opacity
constexpr int kBandSamples = 32768;      // that a band has, about

// Places of samples in a pixel: no two in one row or column.
constexpr float kOne[1][2] = {{0, 0}};
constexpr float kFour[4][2] = {{-0.125f, -0.375f}, {0.375f, -0.125f}, {-0.375f, 0.125f}, {0.125f, 0.375f}};

struct Sixteen {
  float at[16][2];
  constexpr Sixteen() : at{} {
    constexpr int kColumn[16] = {7, 12, 1, 10, 4, 15, 6, 2, 13, 9, 0, 11, 5, 14, 3, 8};
    for (int i = 0; i < 16; ++i) {
      at[i][0] = (static_cast<float>(kColumn[i]) + 0.5f) / 16 - 0.5f;
      at[i][1] = (static_cast<float>(i) + 0.5f) / 16 - 0.5f;
    }
  }
};
constexpr Sixteen kSixteen;

const float (*offsets_of(int samples))[2] {
  if (samples == 1) return kOne;
  return samples == 4 ? kFour : kSixteen.at;
}

}  // namespace

struct Renderer::Shapes : ShapeLibrary {
  using ShapeLibrary::ShapeLibrary;
};

Renderer::Renderer(const Model& model, int height, int width, const view::TextureSource& textures,
                   RenderOptions options)
    : model_(model), height_(height), width_(width), options_(options), shapes_(std::make_unique<Shapes>(model)) {
  if (height < 1 || width < 1 || height > kLargestSide || width > kLargestSide)
    throw Error(
        fmt::format("a picture has 1 to {} pixels in each direction, not {} x {}", kLargestSide, width, height));
  if (options.samples != 1 && options.samples != 4 && options.samples != 16)
    throw Error(fmt::format("a pixel has 1, 4 or 16 samples, not {}", options.samples));
  const int count = textures.count() == model.ntex ? model.ntex : 0;
  if (count != model.ntex) warnings_.push_back("the textures are not shown: a compiled model does not hold them");
  textures_.resize(static_cast<size_t>(count));
  for (int t = 0; t < count; ++t) {
    try {
      const view::TextureImage image = textures.make(t);
      if (image.width > 0 && image.height > 0) textures_[static_cast<size_t>(t)] = std::make_unique<Texture>(image);
    } catch (const Error& error) {
      warnings_.push_back(error.what());
    }
    const Texture* made = textures_[static_cast<size_t>(t)].get();
    if (made && made->is_sky() && !sky_) sky_ = made;
  }
}

Renderer::~Renderer() = default;

void Renderer::update_scene(const Data& data, const FreeCamera& camera) {
  update_scene(data, project(model_, data, camera, static_cast<double>(width_) / height_));
}

void Renderer::update_scene(const Data& data, int camera) {
  if (camera == -1) return update_scene(data, default_camera(model_));
  update_scene(data, project(model_, data, camera, static_cast<double>(width_) / height_));
}

// A plane without end reaches beyond the far plane wherever the camera is; its texture stays where it was.
void Renderer::place_endless(Instance& plane, const Projection& view) const {
  const auto reach = static_cast<float>(3 * view.far);
  const Vec3<double> apart_S = transposed_mul(plane.R_WS, view.p_WC - plane.p_WS);
  Vec3<double> shift{0, 0, 0};
  for (int axis = 0; axis < 2; ++axis) {
    if (plane.scale[axis] > 0) continue;
    plane.scale[axis] = reach;
    shift[axis] = apart_S[axis];
    plane.texture_shift[axis] = static_cast<float>(shift[axis]);
  }
  plane.p_WS += plane.R_WS * shift;
}

void Renderer::update_scene(const Data& data, const Projection& view) {
  fill_draw_list(model_, data, options_.draw, scene_.list);
  view::PosedSkin posed;
  for (const Instance& instance : scene_.list.instances) {
    if (instance.skin < 0) continue;
    view::pose_skin(model_, data, instance.skin, posed);
    pose_skin(instance.skin, posed);
  }
  place(view);
}

void Renderer::update_scene(DrawList list, const Projection& view) {
  scene_.list = std::move(list);
  place(view);
}

void Renderer::pose_skin(int skin, const view::PosedSkin& posed) { shapes_->pose_skin(skin, posed); }

// Finds the triangles of what is listed on the screen of the view.
void Renderer::place(const Projection& view) {
  shapes_->refresh();
  scene_.screen = std::make_unique<Screen>(view, width_, height_);
  scene_.drawn.clear();
  scene_.triangles.clear();
  scene_.transparent.clear();
  for (Instance& instance : scene_.list.instances) {
    if (instance.is_endless) place_endless(instance, view);
    // whoever looks at a plane from below sees through it
    const bool is_below = dot(instance.R_WS.col(2), view.p_WC - instance.p_WS) < 0;
    if (instance.shape == GeomType::kPlane && is_below) instance.look.rgba[3] *= kPlaneFromBelow;
    const double depth = -transposed_mul(view.R_WC, instance.p_WS - view.p_WC).z;
    const double radius = std::max({instance.scale.x, instance.scale.y, instance.scale.z});
    const double size = radius * scene_.screen->scale_at(std::max(depth - radius, view.near));
    const Surface* surface = shapes_->find(instance, size);
    if (!surface) continue;
    if (instance.look.rgba[3] < kOpaque) scene_.transparent.push_back(static_cast<int>(scene_.drawn.size()));
    scene_.drawn.push_back({instance, surface});
    scene_.triangles.add(instance, *surface, *scene_.screen, true);
  }
  const auto distance = [&](int i) { return norm2(scene_.drawn[static_cast<size_t>(i)].instance.p_WS - view.p_WC); };
  std::stable_sort(scene_.transparent.begin(), scene_.transparent.end(),
                   [&](int a, int b) { return distance(a) > distance(b); });
}

void Renderer::require_scene() const {
  if (!scene_.screen) throw Error("there is no scene to draw yet: call update_scene() first");
}

template <class Each>
void Renderer::for_bands(int samples, bool with_transparent, Each each) {
  require_scene();
  const int pitch = (width_ + kLanes - 1) / kLanes * kLanes;
  const int rows = std::clamp(kBandSamples / (pitch * samples), 1, height_), bands = (height_ + rows - 1) / rows;
  std::vector<std::vector<int>> lists(static_cast<size_t>(bands));
  for (size_t d = 0; d < scene_.drawn.size(); ++d) {
    if (!with_transparent && scene_.drawn[d].instance.look.rgba[3] < kOpaque) continue;
    for (int t = scene_.triangles.first_triangle[d]; t < scene_.triangles.first_triangle[d + 1]; ++t) {
      const Triangle& triangle = scene_.triangles.triangle[static_cast<size_t>(t)];
      for (int b = triangle.y0 / rows; b <= (triangle.y1 - 1) / rows; ++b) lists[static_cast<size_t>(b)].push_back(t);
    }
  }
  const size_t size = static_cast<size_t>(rows) * static_cast<size_t>(samples) * static_cast<size_t>(pitch);
  std::vector<float> key(size);
  std::vector<int> id(size);
  const Projection& view = scene_.screen->view();
  for (int b = 0; b < bands; ++b) {
    const int top = b * rows;
    const Band band{top,
                    std::min(rows, height_ - top),
                    width_,
                    pitch,
                    samples,
                    key.data(),
                    id.data(),
                    offsets_of(samples),
                    scene_.screen->key(view.near)};
    std::fill(key.begin(), key.end(), scene_.screen->key(view.far));
    std::fill(id.begin(), id.end(), -1);
    const std::vector<int>& list = lists[static_cast<size_t>(b)];
    raster_kernels().cover(band, scene_.triangles.triangle.data(), list.data(), static_cast<int>(list.size()));
    each(band);
  }
}

void Renderer::for_colours(bool with_sky, const TakeColours& take) {
  require_scene();
  const int mirror = options_.draw.with_reflections ? find_mirror() : -1;
  const std::vector<float> reflection = mirror < 0 ? std::vector<float>{} : draw_reflection(mirror);
  const bool is_studio = options_.style == Style::kStudio && with_sky;
  const LitScene lit = make_lit_scene(model_, scene_.list, options_.with_shadows, is_studio, with_sky ? sky_ : nullptr,
                                      *scene_.screen, scene_.triangles, scene_.drawn, textures_);
  RowShader shader(lit, options_.samples, offsets_of(options_.samples));
  std::vector<float> colours;
  std::vector<int> layer;
  for_bands(options_.samples, false, [&](const Band& band) {
    const size_t pitch = 3 * static_cast<size_t>(width_);
    colours.assign(pitch * static_cast<size_t>(band.rows), 0);
    const auto row = [&](int y) { return &colours[static_cast<size_t>(y - band.top) * pitch]; };
    for (int y = band.top; y < band.top + band.rows; ++y) {
      shader.shade(band, y, false, row(y));
      if (mirror >= 0) add_reflection(band, y, mirror, reflection, row(y));
    }
    for (const int d : scene_.transparent) {
      const auto at = static_cast<size_t>(d);
      layer.clear();
      for (int t = scene_.triangles.first_triangle[at]; t < scene_.triangles.first_triangle[at + 1]; ++t) {
        const Triangle& triangle = scene_.triangles.triangle[static_cast<size_t>(t)];
        if (triangle.y0 < band.top + band.rows && triangle.y1 > band.top) layer.push_back(t);
      }
      if (layer.empty()) continue;
      std::fill_n(band.id, static_cast<size_t>(band.rows) * static_cast<size_t>(band.samples * band.pitch), -1);
      raster_kernels().cover(band, scene_.triangles.triangle.data(), layer.data(), static_cast<int>(layer.size()));
      for (int y = band.top; y < band.top + band.rows; ++y) shader.shade(band, y, true, row(y));
    }
    take(static_cast<size_t>(band.top) * pitch, colours);
  });
}

void Renderer::render(std::uint8_t* rgb) {
  for_colours(options_.draw.with_sky, [&](size_t start, const std::vector<float>& colours) {
    std::uint8_t* out = rgb + start;
    for (size_t i = 0; i < colours.size(); ++i) out[i] = static_cast<std::uint8_t>(saturated(colours[i]) * 255 + 0.5f);
  });
}

Picture Renderer::render() {
  Picture picture{width_, height_, {}};
  picture.rgb.resize(3 * static_cast<size_t>(width_) * static_cast<size_t>(height_));
  render(picture.rgb.data());
  return picture;
}

void Renderer::render_depth(float* depth) {
  for_bands(1, true, [&](const Band& band) {
    for (int r = 0; r < band.rows; ++r) {
      for (int x = 0; x < width_; ++x) *depth++ = scene_.screen->depth(band.key[r * band.pitch + x]);
    }
  });
}

void Renderer::render_segmentation(int* id_and_type) {
  for_bands(1, true, [&](const Band& band) {
    for (int r = 0; r < band.rows; ++r) {
      for (int x = 0; x < width_; ++x) {
        const int triangle = band.id[r * band.pitch + x];
        const int at = triangle < 0 ? -1 : scene_.triangles.source[static_cast<size_t>(triangle)].instance;
        const Instance* seen = at < 0 ? nullptr : &scene_.drawn[static_cast<size_t>(at)].instance;
        *id_and_type++ = seen ? seen->id : -1;
        *id_and_type++ = seen ? static_cast<int>(seen->object) : -1;
      }
    }
  });
}

}  // namespace torsor::render
