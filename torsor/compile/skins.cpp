// Skins: bodies of their bones, and shares of bones in vertices. Only for drawing; nothing in a step reads them.
#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "torsor/compile/write.hpp"

namespace torsor::compiler {
namespace {

using Bone = SkinSpec::Bone;

bool has_bad_index(const std::vector<int>& indices, size_t count) {
  return std::any_of(indices.begin(), indices.end(), [&](int i) { return i < 0 || at(i) >= count; });
}

// The sum of the weights of each vertex.
std::vector<float> total_weights(const SkinSpec& skin) {
  std::vector<float> totals(skin.vertex.size() / 3, 0);
  for (const Bone& bone : skin.bones) {
    for (size_t k = 0; k < bone.vertid.size(); ++k) totals[at(bone.vertid[k])] += bone.vertweight[k];
  }
  return totals;
}

void check_bones(Draft& draft, const SkinSpec& skin) {
  const size_t vertices = skin.vertex.size() / 3;
  for (const Bone& bone : skin.bones) {
    draft.resolve(draft.body_names, "body", bone.body, "skin", skin);
    if (bone.body.empty()) draft.error("skin", skin, "a bone needs a body");
    if (bone.vertid.empty() || bone.vertid.size() != bone.vertweight.size())
      return draft.error("skin", skin, "a bone needs as many numbers in vertweight as in vertid, and some");
    if (has_bad_index(bone.vertid, vertices))
      return draft.error("skin", skin, "vertid names a vertex that is not there");
  }
  const std::vector<float> totals = total_weights(skin);
  const auto bad = std::find_if(totals.begin(), totals.end(), [](float total) { return !(total > 1e-15f); });
  if (bad != totals.end())
    draft.error("skin", skin, fmt::format("the weights of vertex {} must add up to more than 0", bad - totals.begin()));
}

void write_bones(const Draft& draft, const Tree& tree, const SkinSpec& skin, int& b, int& used, Model& model) {
  const std::vector<float> totals = total_weights(skin);
  for (const Bone& bone : skin.bones) {
    model.skin_bonevertadr[b] = used;
    model.skin_bonevertnum[b] = static_cast<int>(bone.vertid.size());
    model.skin_bonebodyid[b] = tree.body_id[at(draft.body_names.find(bone.body))];
    write_list(model.skin_bonebindpos.row(b, 3), bone.bindpos);
    Float4 q = bone.bindquat;
    const double length = std::sqrt(double(q[0]) * double(q[0]) + double(q[1]) * double(q[1]) +
                                    double(q[2]) * double(q[2]) + double(q[3]) * double(q[3]));
    if (length > 0) {
      for (float& number : q) number = static_cast<float>(double(number) / length);
    }
    write_list(model.skin_bonebindquat.row(b, 4), q);
    for (size_t k = 0; k < bone.vertid.size(); ++k, ++used) {
      model.skin_bonevertid[used] = bone.vertid[k];
      model.skin_bonevertweight[used] = bone.vertweight[k] / totals[at(bone.vertid[k])];
    }
    ++b;
  }
}

}  // namespace

void settle_skins(Draft& draft) {
  for (const SkinSpec& skin : draft.spec.skins) {
    if (draft.is_faulty(skin)) continue;
    draft.resolve(draft.material_names, "material", skin.material, "skin", skin);
    if (skin.vertex.empty() || skin.face.empty() || skin.bones.empty())
      draft.error("skin", skin, "needs vertices, faces and bones");
    else if (skin.vertex.size() % 3 != 0 || skin.face.size() % 3 != 0)
      draft.error("skin", skin, "vertex and face need three numbers for each vertex and each triangle");
    else if (!skin.texcoord.empty() && skin.texcoord.size() != skin.vertex.size() / 3 * 2)
      draft.error("skin", skin, "texcoord needs two numbers for each vertex");
    else if (has_bad_index(skin.face, skin.vertex.size() / 3))
      draft.error("skin", skin, "face names a vertex that is not there");
    else
      check_bones(draft, skin);
  }
}

void write_skins(const Draft& draft, const Tree& tree, Model& model) {
  int vertex = 0, texcoord = 0, face = 0, bone = 0, used = 0;
  for (int s = 0; s < model.nskin; ++s) {
    const SkinSpec& skin = draft.spec.skins[at(s)];
    model.skin_matid[s] = draft.drops_visuals ? -1 : draft.material_names.find(skin.material);
    model.skin_group[s] = skin.group;
    write_list(model.skin_rgba.row(s, 4), skin.rgba);
    model.skin_inflate[s] = skin.inflate;
    model.skin_vertadr[s] = vertex;
    model.skin_vertnum[s] = static_cast<int>(skin.vertex.size() / 3);
    model.skin_texcoordadr[s] = skin.texcoord.empty() ? -1 : texcoord;
    model.skin_faceadr[s] = face;
    model.skin_facenum[s] = static_cast<int>(skin.face.size() / 3);
    model.skin_boneadr[s] = bone;
    model.skin_bonenum[s] = static_cast<int>(skin.bones.size());
    std::copy(skin.vertex.begin(), skin.vertex.end(), model.skin_vert.begin() + 3 * vertex);
    std::copy(skin.texcoord.begin(), skin.texcoord.end(), model.skin_texcoord.begin() + 2 * texcoord);
    std::copy(skin.face.begin(), skin.face.end(), model.skin_face.begin() + 3 * face);
    vertex += model.skin_vertnum[s];
    texcoord += static_cast<int>(skin.texcoord.size() / 2);
    face += model.skin_facenum[s];
    write_bones(draft, tree, skin, bone, used, model);
  }
}

}  // namespace torsor::compiler
