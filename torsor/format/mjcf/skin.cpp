// <deformable>: skins, which are drawn; everything else in it is refused.
#include "torsor/format/files.hpp"
#include "torsor/format/mjcf/reader.hpp"
#include "torsor/format/mjcf/writer.hpp"

namespace torsor::mjcf {
namespace {

using Bone = SkinSpec::Bone;

constexpr Attribute<SkinSpec> kSkinAttributes[] = {
    {"file", into<&SkinSpec::file>, "", "SKN file"},
    {"material", into<&SkinSpec::material>, "", "material"},
    {"rgba", into<&SkinSpec::rgba>, "1", "colour without material"},
    {"inflate", into<&SkinSpec::inflate>, "m", "how far vertices are moved along their normals"},
    {"group", into<&SkinSpec::group>, "", "group for visibility"},
    {"vertex", into<&SkinSpec::vertex>, "m", "coordinates of the vertices in the world, in the pose of the bones"},
    {"texcoord", into<&SkinSpec::texcoord>, "1", "texture coordinates of the vertices"},
    {"face", into<&SkinSpec::face>, "", "vertices of the triangles"},
};

constexpr Attribute<Bone> kBoneAttributes[] = {
    {"body", into<&Bone::body>, "", "body", true},
    {"bindpos", into<&Bone::bindpos>, "m", "where the body was in the world when the skin was made", true},
    {"bindquat", into<&Bone::bindquat>, "1", "its orientation then, wxyz", true},
    {"vertid", into<&Bone::vertid>, "", "vertices that the bone moves", true},
    {"vertweight", into<&Bone::vertweight>, "1", "its weight for each of them", true},
};

}  // namespace

Table<SkinSpec> skin_attributes() { return kSkinAttributes; }
Table<SkinSpec::Bone> bone_attributes() { return kBoneAttributes; }

void read_skin(const Element& element, Reader& reader) {
  if (reader.ignores("deformable")) return reader.note_ignored(element, "deformable");
  SkinSpec skin;
  skin.location = element.where();
  read_attributes(element, skin, reader.report, name_attribute(), skin_attributes());
  if (skin.name.empty()) skin.name = file_stem(skin.file);
  for (const Element& child : element) {
    if (child.name() != "bone") {
      reader.reject(child, "mujoco/deformable/skin");
      continue;
    }
    read_attributes(child, skin.bones.emplace_back(), reader.report, bone_attributes());
    reader.reject_children(child, "mujoco/deformable/skin/bone");
  }
  reader.spec.skins.push_back(std::move(skin));
}

void read_deformable(const Element& element, Reader& reader) {
  if (reader.ignores("deformable")) return reader.note_ignored(element, "deformable");
  read_attributes<Spec>(element, reader.spec, reader.report);
  for (const Element& child : element) {
    if (child.name() == "skin")
      read_skin(child, reader);
    else
      reader.reject(child, "mujoco/deformable");
  }
}

// The numbers of a file are not written, only its name.
void write_deformables(Node root, const Writer& writer) {
  const Node node = append_child(root, "deformable");
  for (SkinSpec skin : writer.spec.skins) {
    if (skin.from_file) {
      skin.vertex.clear(), skin.texcoord.clear(), skin.face.clear(), skin.bones.clear();
    }
    const Node child = append_child(node, "skin");
    write_attributes(child, skin, SkinSpec{}, name_attribute(), skin_attributes());
    for (const Bone& bone : skin.bones) write_attributes(append_child(child, "bone"), bone, Bone{}, bone_attributes());
  }
  if (!node.first_child()) root.remove_child(node);
}

}  // namespace torsor::mjcf
