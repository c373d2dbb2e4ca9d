// The surfaces of a model's shapes: round ones as fine as the picture needs, meshes and height fields made once.
#pragma once

#include <memory>
#include <vector>

#include "torsor/render/draw_list.hpp"
#include "torsor/view/skins.hpp"

namespace torsor::render {

class ShapeLibrary {
 public:
  explicit ShapeLibrary(const Model& model);

  // Makes height fields again whose elevations were edited.
  void refresh();
  // Makes the surface of a skin.
  void pose_skin(int skin, const view::PosedSkin& posed);
  // The surface of an instance whose radius is this many pixels; null for a shape that is not drawn. Stays valid until
  // refresh().
  const Surface* find(const Instance& instance, double radius_in_pixels);

 private:
  struct Round {
    Surface sphere, capsule, cylinder, cone;
  };
  const Model& model_;
  std::vector<std::unique_ptr<Round>> round_;  // by fineness, made when first needed
  std::vector<std::unique_ptr<Surface>> mesh_, hfield_, skin_;
  std::vector<std::vector<float>> elevation_;  // that hfield_ was made from
  Surface box_, square_;
};

}  // namespace torsor::render
