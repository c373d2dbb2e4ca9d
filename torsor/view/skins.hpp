// Skins: surfaces whose vertices follow several bodies. The renderer and torsor.mujoco pose them here, web/src/skins.ts
// poses them in the page.
#pragma once

#include <vector>

#include "torsor/math/vec3.hpp"
#include "torsor/model/data.hpp"

namespace torsor::view {

// A skin at one moment. Points are relative to So, where the first bone's body is, in the axes of W, so that single
// precision is enough far away from the origin.
struct PosedSkin {
  Vec3<double> p_WoSo_W{};
  std::vector<Vec3<float>> point, normal;
};

// Takes the poses in `data` as they are. A vertex is where its bones carry it, weighted, moved by `skin_inflate` along
// its normal, which is that of its triangles weighted by their areas.
void pose_skin(const Model& model, const Data& data, int skin, PosedSkin& posed);

}  // namespace torsor::view
