// Linear blend skinning: p_WV = sum over bones of weight * X_WB * X_BindW^-1 * p_V.
#include "torsor/view/skins.hpp"

#include <cmath>

#include "torsor/math/quat.hpp"

namespace torsor::view {
namespace {

using Vec3f = Vec3<float>;

// Where the bones carry the vertices.
void blend_points(const Model& model, const Data& data, int skin, PosedSkin& posed) {
  const int first_vertex = model.skin_vertadr[skin];
  std::vector<Vec3<double>> sum(static_cast<size_t>(model.skin_vertnum[skin]), Vec3<double>{0, 0, 0});
  const int first_bone = model.skin_boneadr[skin], bones = model.skin_bonenum[skin];
  if (bones > 0) posed.p_WoSo_W = load3(data.xpos.row(model.skin_bonebodyid[first_bone], 3));
  for (int b = first_bone; b < first_bone + bones; ++b) {
    const int body = model.skin_bonebodyid[b];
    const Mat3<double> R_WBind = to_mat(load4<double>(model.skin_bonebindquat.row(b, 4)));
    const Mat3<double> R = mul_transposed(load9(data.xmat.row(body, 9)), R_WBind);
    const Vec3<double> bind = load3<double>(model.skin_bonebindpos.row(b, 3));
    const Vec3<double> shift = load3(data.xpos.row(body, 3)) - posed.p_WoSo_W;
    const int start = model.skin_bonevertadr[b];
    for (int k = start; k < start + model.skin_bonevertnum[b]; ++k) {
      const int vertex = model.skin_bonevertid[k];
      const Vec3<double> p = load3<double>(model.skin_vert.row(first_vertex + vertex, 3));
      sum[static_cast<size_t>(vertex)] += (R * (p - bind) + shift) * static_cast<double>(model.skin_bonevertweight[k]);
    }
  }
  posed.point.resize(sum.size());
  for (size_t i = 0; i < sum.size(); ++i)
    posed.point[i] = {static_cast<float>(sum[i].x), static_cast<float>(sum[i].y), static_cast<float>(sum[i].z)};
}

void compute_normals(const Model& model, int skin, PosedSkin& posed) {
  posed.normal.assign(posed.point.size(), Vec3f{0, 0, 0});
  const int first = model.skin_faceadr[skin];
  for (int f = first; f < first + model.skin_facenum[skin]; ++f) {
    const int* corner = model.skin_face.row(f, 3);
    const auto at = [&](int i) { return static_cast<size_t>(corner[i]); };
    // as long as twice the area
    const Vec3f n = cross(posed.point[at(1)] - posed.point[at(0)], posed.point[at(2)] - posed.point[at(0)]);
    for (int i = 0; i < 3; ++i) posed.normal[at(i)] += n;
  }
  for (Vec3f& normal : posed.normal) {
    const float length = std::sqrt(norm2(normal));
    normal = length > 0 ? normal * (1 / length) : Vec3f{0, 0, 1};
  }
}

}  // namespace

void pose_skin(const Model& model, const Data& data, int skin, PosedSkin& posed) {
  blend_points(model, data, skin, posed);
  compute_normals(model, skin, posed);
  const float inflate = model.skin_inflate[skin];
  if (inflate == 0) return;
  for (size_t i = 0; i < posed.point.size(); ++i) posed.point[i] += posed.normal[i] * inflate;
}

}  // namespace torsor::view
