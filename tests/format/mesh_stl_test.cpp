// Binary STL files: equal corners become one vertex; damaged and text files are refused.
#include "torsor/format/mesh/stl.hpp"

#include <cmath>
#include <cstdint>

#include "mesh_support.hpp"

namespace torsor {
namespace {

using Corners = std::vector<float>;  // 9 per triangle

const Corners kTetrahedron{0, 0, 0, 0, 1, 0, 1, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1,
                           0, 0, 0, 0, 0, 1, 0, 1, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1};

FileBytes file(const Corners& corners, const std::string& header = "") {
  FileBytes bytes;
  bytes.text(header).zeros(80 - header.size()).number(std::uint32_t(corners.size() / 9));
  for (std::size_t i = 0; i < corners.size(); i += 9)
    bytes.zeros(12).numbers(Corners(corners.begin() + i, corners.begin() + i + 9)).number(std::uint16_t(7));
  return bytes;
}

TEST(MeshStl, EqualCornersBecomeOneVertexInOrderOfAppearance) {
  const MeshData mesh = read_stl(file(kTetrahedron), "a.stl");
  EXPECT_EQ(mesh.vertices, (Corners{0, 0, 0, 0, 1, 0, 1, 0, 0, 0, 0, 1}));
  EXPECT_EQ(mesh.faces, (std::vector<int>{0, 1, 2, 0, 2, 3, 0, 3, 1, 2, 1, 3}));
}

TEST(MeshStl, EqualMeansEveryBit) {
  Corners corners = kTetrahedron;
  corners[0] = -0.0f;
  corners[9] = 1e-30f;
  EXPECT_EQ(read_stl(file(corners), "a.stl").vertices.size(), 3u * 6);
}

TEST(MeshStl, AHeaderThatSaysSolidMayStillBeBinary) {
  EXPECT_EQ(read_stl(file(kTetrahedron, "solid arm"), "a.stl").faces.size(), 12u);
}

TEST(MeshStl, TrianglesWithoutAreaAreKept) {
  EXPECT_EQ(read_stl(file(Corners(9, 1)), "a.stl").faces, (std::vector<int>{0, 0, 0}));
}

TEST(MeshStl, DamagedFilesAreRefused) {
  const auto refused = [](const FileBytes& bytes, const char* part) {
    expect_error([&] { read_stl(bytes, "a.stl"); }, {"STL file 'a.stl'", part});
  };
  refused(FileBytes(), "too short");
  refused(file(kTetrahedron).cut(83), "too short");
  refused(file(kTetrahedron).cut(84), "gives 4 triangles");
  refused(file(kTetrahedron).cut(84 + 4 * 50 - 1), "does not match its size");
  refused(file(kTetrahedron).zeros(3), "does not match its size");
  refused(FileBytes().zeros(80).number(std::uint32_t(0)), "gives 0 triangles");
  refused(FileBytes().zeros(80).number(std::uint32_t(0xffffffff)), "does not match its size");
  refused(FileBytes().zeros(80).number(std::uint32_t(200'001)).zeros(50 * 200'001), "at most 200000");
  refused(FileBytes().text("solid arm\nfacet normal 0 0 1\nouter loop\nvertex 0 0 0\nvertex 1 0 0\nvertex 0 1 0\n"),
          "this is a text file");
}

TEST(MeshStl, CoordinatesMustBeReasonableNumbers) {
  for (const float bad : {NAN, INFINITY, -2e9f}) {
    Corners corners = kTetrahedron;
    corners[4] = bad;
    expect_error([&] { read_stl(file(corners), "a.stl"); }, {"STL file 'a.stl'", "too large or not a number"});
  }
}

}  // namespace
}  // namespace torsor
