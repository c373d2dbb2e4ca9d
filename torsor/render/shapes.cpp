// How fine: a polygon of n sides leaves the circle by r (1 - cos(pi / n)), which stays below a fifth of a pixel.
#include "torsor/render/shapes.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>

namespace torsor::render {
namespace {

constexpr int kSlices[] = {8, 12, 20, 32, 48, 72, 112, 176};

size_t fineness(double radius_in_pixels) {
  const double wanted = 3.15 / std::sqrt(2 * 0.2 / std::max(radius_in_pixels, 0.4));
  size_t level = 0;
  while (level + 1 < std::size(kSlices) && kSlices[level] < wanted) ++level;
  return level;
}

}  // namespace

ShapeLibrary::ShapeLibrary(const Model& model)
    : model_(model),
      round_(std::size(kSlices)),
      mesh_(static_cast<size_t>(model.nmesh)),
      hfield_(static_cast<size_t>(model.nhfield)),
      skin_(static_cast<size_t>(model.nskin)),
      elevation_(static_cast<size_t>(model.nhfield)),
      box_(make_box()),
      square_(make_square()) {}

void ShapeLibrary::refresh() {
  for (int h = 0; h < model_.nhfield; ++h) {
    const auto at = static_cast<size_t>(h);
    const float* begin = model_.hfield_data.data() + model_.hfield_adr[h];
    const float* end = begin + static_cast<std::ptrdiff_t>(model_.hfield_nrow[h]) * model_.hfield_ncol[h];
    if (hfield_[at] && std::equal(begin, end, elevation_[at].begin(), elevation_[at].end())) continue;
    elevation_[at].assign(begin, end);
    hfield_[at] = std::make_unique<Surface>(make_height_field(model_, h));
  }
}

void ShapeLibrary::pose_skin(int skin, const view::PosedSkin& posed) {
  std::unique_ptr<Surface>& surface = skin_[static_cast<size_t>(skin)];
  if (!surface) surface = std::make_unique<Surface>(make_skin(model_, skin));
  surface->point = posed.point;
  surface->normal = posed.normal;
  set_radius(*surface);
}

const Surface* ShapeLibrary::find(const Instance& instance, double radius_in_pixels) {
  if (instance.skin >= 0) return skin_[static_cast<size_t>(instance.skin)].get();
  const auto data = static_cast<size_t>(instance.data);
  switch (instance.shape) {
    case GeomType::kPlane:
      return &square_;
    case GeomType::kBox:
      return &box_;
    case GeomType::kMesh:
    case GeomType::kSdf:
      if (instance.data < 0 || data >= mesh_.size()) return nullptr;
      if (!mesh_[data]) mesh_[data] = std::make_unique<Surface>(make_mesh(model_, instance.data));
      return mesh_[data].get();
    case GeomType::kHfield:
      return instance.data < 0 || data >= hfield_.size() ? nullptr : hfield_[data].get();
    case GeomType::kSphere:
    case GeomType::kEllipsoid:
    case GeomType::kCapsule:
    case GeomType::kCylinder:
    case GeomType::kCone:
      break;
  }
  const size_t level = fineness(radius_in_pixels);
  std::unique_ptr<Round>& round = round_[level];
  const int n = kSlices[level];
  if (!round) round.reset(new Round{make_sphere(n), make_capsule(n), make_cylinder(n), make_cone(n)});
  switch (instance.shape) {
    case GeomType::kCapsule:
      return &round->capsule;
    case GeomType::kCylinder:
      return &round->cylinder;
    case GeomType::kCone:
      return &round->cone;
    default:
      return &round->sphere;
  }
}

}  // namespace torsor::render
