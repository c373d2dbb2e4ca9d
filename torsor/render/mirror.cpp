// Reflections: the scene as a camera behind the mirror sees it, added to what the mirror shows by itself. As in MuJoCo,
// the first surface that reflects is the only one, it is a plane or the upper face of a box, and the sky is not seen in
// it.
#include <algorithm>
#include <utility>

#include "torsor/render/renderer.hpp"

namespace torsor::render {
namespace {

bool can_reflect(const Instance& instance) {
  const bool is_flat = instance.shape == GeomType::kPlane || instance.shape == GeomType::kBox;
  return is_flat && instance.look.reflectance > 0 && instance.look.rgba[3] >= kOpaque;
}

// A point of the surface that reflects, and its normal.
struct Mirror {
  explicit Mirror(const Instance& instance)
      : n_W(instance.R_WS.col(2)),
        p_W(instance.p_WS + n_W * (instance.shape == GeomType::kBox ? static_cast<double>(instance.scale.z) : 0.0)) {}
  double height(const Vec3<double>& p) const { return dot(n_W, p - p_W); }
  Vec3<double> image(const Vec3<double>& p) const { return p - n_W * (2 * height(p)); }
  Vec3<double> turned(const Vec3<double>& v) const { return v - n_W * (2 * dot(n_W, v)); }

  Vec3<double> n_W, p_W;
};

// The camera's image, which is left-handed, with its x axis turned round: its picture is the reflection from right to
// left.
Projection behind(const Mirror& mirror, const Projection& view) {
  Projection image = view;
  image.p_WC = mirror.image(view.p_WC);
  image.R_WC =
      mat_from_cols(-mirror.turned(view.R_WC.col(0)), mirror.turned(view.R_WC.col(1)), mirror.turned(view.R_WC.col(2)));
  image.left = -view.right;
  image.right = -view.left;
  return image;
}

}  // namespace

int Renderer::find_mirror() const {
  for (size_t i = 0; i < scene_.drawn.size(); ++i) {
    const Instance& instance = scene_.drawn[i].instance;
    if (!can_reflect(instance)) continue;
    return Mirror(instance).height(scene_.screen->view().p_WC) > 0 ? static_cast<int>(i) : -1;
  }
  return -1;
}

std::vector<float> Renderer::draw_reflection(int at) {
  const Instance own = scene_.drawn[static_cast<size_t>(at)].instance;
  const Mirror mirror(own);
  const Projection& view = scene_.screen->view();
  DrawList list{{}, scene_.list.lights, scene_.list.has_headlight, scene_.list.headlight_W};
  if (!list.headlight_W) list.headlight_W = -view.R_WC.col(2);
  for (const Instance& instance : scene_.list.instances) {
    const bool is_itself = instance.object == own.object && instance.id == own.id;
    // what is below the surface is not seen in it; what reaches through it is seen whole
    if (is_itself || instance.shape == GeomType::kPlane || mirror.height(instance.p_WS) <= 0) continue;
    list.instances.push_back(instance);
    list.instances.back().look.reflectance = 0;  // a mirror in a mirror is none
  }
  const Projection image = behind(mirror, view);
  Scene front = std::exchange(scene_, Scene{});
  std::vector<float> picture(3 * static_cast<size_t>(width_) * static_cast<size_t>(height_));
  update_scene(std::move(list), image);
  for_colours(false, [&](size_t start, const std::vector<float>& colours) {
    std::copy(colours.begin(), colours.end(), picture.begin() + static_cast<std::ptrdiff_t>(start));
  });
  scene_ = std::move(front);
  return picture;
}

void Renderer::add_reflection(const Band& band, int y, int at, const std::vector<float>& reflection, float* row) const {
  const Instance& own = scene_.drawn[static_cast<size_t>(at)].instance;
  const Vec3<double> n_C = transposed_mul(scene_.screen->view().R_WC, own.R_WS.col(2));
  const auto is_mirror = [&](int triangle) {
    if (triangle < 0) return false;
    const TriangleSource& source = scene_.triangles.source[static_cast<size_t>(triangle)];
    if (source.instance != at) return false;
    const Vec3f& n = scene_.triangles.normal[static_cast<size_t>(source.vertex[0])];
    return own.shape == GeomType::kPlane || n.x * n_C.x + n.y * n_C.y + n.z * n_C.z > 0.9;
  };
  const float* mirrored = &reflection[3 * static_cast<size_t>(y) * static_cast<size_t>(width_)];
  for (int x = 0; x < width_; ++x) {
    int count = 0;
    for (int s = 0; s < band.samples; ++s)
      count += is_mirror(band.id[((y - band.top) * band.samples + s) * band.pitch + x]);
    if (count == 0) continue;
    const float weight = own.look.reflectance * static_cast<float>(count) / static_cast<float>(band.samples);
    for (int k = 0; k < 3; ++k) row[3 * x + k] += weight * mirrored[3 * (width_ - 1 - x) + k];
  }
}

}  // namespace torsor::render
