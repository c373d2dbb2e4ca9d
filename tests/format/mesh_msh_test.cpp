// MSH files, and the choice of a reader by the file's name.
#include "torsor/format/mesh/msh.hpp"

#include <cstdint>

#include "mesh_support.hpp"
#include "torsor/format/mesh/mesh_file.hpp"

namespace torsor {
namespace {

const std::vector<float> kVertices{0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1};
const std::vector<float> kTexcoords{0, 0.1f, 1, 0.2f, 2, 0.3f, 3, 0.4f};
const std::vector<int> kFaces{0, 2, 1, 0, 1, 3, 0, 3, 2, 1, 2, 3};

FileBytes header(int vertices, int normals, int texcoords, int faces) {
  return FileBytes().numbers(std::vector<std::int32_t>{vertices, normals, texcoords, faces});
}
FileBytes whole_file() {
  return header(4, 4, 4, 4).numbers(kVertices).numbers(kVertices).numbers(kTexcoords).numbers(kFaces);
}

TEST(MeshMsh, AllArraysAreReadAsTheyAre) {
  const MeshData mesh = read_msh(whole_file(), "a.msh");
  EXPECT_EQ(mesh.vertices, kVertices);
  EXPECT_EQ(mesh.normals, kVertices);
  EXPECT_EQ(mesh.texcoords, kTexcoords);  // not turned over, unlike OBJ
  EXPECT_EQ(mesh.faces, kFaces);
}

TEST(MeshMsh, ArraysMayBeLeftOut) {
  const MeshData mesh = read_msh(header(4, 0, 0, 0).numbers(kVertices), "a.msh");
  EXPECT_EQ(mesh.vertices, kVertices);
  EXPECT_TRUE(mesh.normals.empty() && mesh.texcoords.empty() && mesh.faces.empty());
}

TEST(MeshMsh, DamagedFilesAreRefused) {
  const auto refused = [](const FileBytes& bytes, const char* part) {
    expect_error([&] { read_msh(bytes, "a.msh"); }, {"MSH file 'a.msh'", part});
  };
  refused(FileBytes(), "too short");
  refused(FileBytes().zeros(15), "too short");
  refused(whole_file().cut(100), "need");
  refused(whole_file().zeros(4), "need");
  refused(header(3, 0, 0, 0).numbers(std::vector<float>(9)), "are invalid: 3 vertices");
  refused(header(-4, 0, 0, 0), "are invalid");
  refused(header(4, 3, 0, 0), "are invalid");
  refused(header(4, 0, 8, 0), "are invalid");
  refused(header(4, 0, 0, -1), "are invalid");
  refused(header(INT32_MAX, INT32_MAX, INT32_MAX, INT32_MAX), "need");
}

TEST(MeshFile, AnExtensionIsAfterTheLastDotOfTheLastName) {
  EXPECT_EQ(file_extension("parts.v2/Left.Arm.STL"), "stl");
  EXPECT_EQ(file_extension("parts.v2/arm"), "");
  EXPECT_EQ(file_extension("parts.v2\\arm"), "");
  EXPECT_EQ(file_extension("arm."), "");
}

TEST(MeshFile, TheExtensionChoosesTheReaderInEitherCase) {
  EXPECT_EQ(read_mesh_file(whole_file(), "dir.obj/A.MSH").faces, kFaces);
  EXPECT_EQ(read_mesh_file(FileBytes().text("v 1 2 3\n"), "a.Obj").vertices.size(), 3u);
  expect_error([] { read_mesh_file(whole_file(), "a.stl"); }, {"STL file 'a.stl'"});
}

TEST(MeshFile, TheMediaTypeHelpsWhereTheExtensionDoesNot) {
  EXPECT_EQ(read_mesh_file(whole_file(), "a.bin", "model/vnd.mujoco.msh").faces, kFaces);
  EXPECT_EQ(read_mesh_file(whole_file(), "a.msh", "model/obj").faces, kFaces);
  for (const char* name : {"a.foo", "dir.obj/a", ""})
    expect_error([&] { read_mesh_file(whole_file(), name); }, {"unknown file type", ".obj, .stl, .msh and .dae"});
}

}  // namespace
}  // namespace torsor
