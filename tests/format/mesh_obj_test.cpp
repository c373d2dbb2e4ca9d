// OBJ files: which parts are read, how faces are cut, what is refused.
#include "torsor/format/mesh/obj.hpp"

#include <fmt/format.h>

#include <cmath>

#include "mesh_support.hpp"
#include "torsor/format/mesh/polygon.hpp"

namespace torsor {
namespace {

const std::string kVertices = "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\n";
const std::string kFaces = "f 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n";
const std::vector<int> kTetrahedron{0, 2, 1, 0, 1, 3, 0, 3, 2, 1, 2, 3};

MeshData read(const std::string& text) { return read_obj(FileBytes().text(text), "a.obj"); }

TEST(MeshObj, VerticesAndFacesAreReadInOrder) {
  const MeshData mesh = read(kVertices + kFaces);
  EXPECT_EQ(mesh.vertices, (std::vector<float>{0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1}));
  EXPECT_EQ(mesh.faces, kTetrahedron);
  EXPECT_TRUE(mesh.normals.empty() && mesh.face_normals.empty());
  EXPECT_TRUE(mesh.texcoords.empty() && mesh.face_texcoords.empty());
}

TEST(MeshObj, LineEndsBlanksAndCommentsDoNotMatter) {
  const std::string plain = "# made by hand\n\n" + kVertices + "s off\n" + kFaces;
  for (const std::string end : {"\r\n", "\r", " # note\n", "\t\n"}) {
    std::string text;
    for (const char c : plain) text += c == '\n' ? end : std::string(1, c);
    EXPECT_EQ(read(text).faces, kTetrahedron) << end;
  }
  EXPECT_EQ(read((kVertices + kFaces).substr(0, kVertices.size() + kFaces.size() - 1)).faces, kTetrahedron);
}

TEST(MeshObj, NumbersComeInEveryUsualForm) {
  EXPECT_EQ(read("v 1 -2.5 +3e1\nv .5 1E-2 1e-400\n").vertices, (std::vector<float>{1, -2.5f, 30, 0.5f, 0.01f, 0}));
  EXPECT_EQ(read("v 1 2 3 0.5\nv 4 5 6 1 0 0\n").vertices, (std::vector<float>{1, 2, 3, 4, 5, 6}));  // weight, colour
  EXPECT_EQ(read("vt 0.5\n").texcoords, (std::vector<float>{0.5f, 1}));
}

TEST(MeshObj, NegativeIndicesCountFromTheEnd) {
  EXPECT_EQ(read(kVertices + "f -4 -2 -3\nf -4 -3 -1\nf -4 -1 -2\nf -3 -2 -1\n").faces, kTetrahedron);
}

TEST(MeshObj, OnlyTheFirstObjectHasFacesButAllVerticesStay) {
  for (const std::string keyword : {"o", "g"}) {
    const MeshData mesh = read(keyword + " one\n" + kVertices + kFaces + keyword + " two\nv 5 5 5\nf 1 2 5\n");
    EXPECT_EQ(mesh.faces, kTetrahedron);
    EXPECT_EQ(mesh.vertices.size(), 15u);
  }
  EXPECT_EQ(read(kVertices + "usemtl a\nf 1 3 2\nf 1 2 4\nusemtl b\nf 1 4 3\nf 2 3 4\n").faces, kTetrahedron);
}

TEST(MeshObj, NormalsAndTexcoordsHaveIndicesOfTheirOwn) {
  const MeshData mesh = read(kVertices + "vt 0 0.25\nvt 1 0\nvn 0 0 -1\nf 1/2/1 3/1/1 2/1/1\nf 1//1 2 4\n");
  EXPECT_EQ(mesh.face_normals, (std::vector<int>{0, 0, 0, 0, -1, -1}));
  EXPECT_EQ(mesh.face_texcoords, (std::vector<int>{1, 0, 0, -1, -1, -1}));
  EXPECT_EQ(mesh.texcoords, (std::vector<float>{0, 0.75f, 1, 1}));  // counted from the top
  EXPECT_EQ(mesh.normals, (std::vector<float>{0, 0, -1}));
}

TEST(MeshObj, AFaceMayUseVerticesThatComeLater) { EXPECT_EQ(read(kFaces + kVertices).faces, kTetrahedron); }

TEST(MeshObj, FacesOfFewerThanThreeCornersAreNoFaces) {
  EXPECT_EQ(read(kVertices + "f 1\nf 1 2\n" + kFaces).faces, kTetrahedron);
}

// As MuJoCo 4.0 does, whether the diagonal lies inside or not.
TEST(MeshObj, AFaceOfFourCornersIsCutAlongItsShorterDiagonal) {
  EXPECT_EQ(read("v 0 -3 0\nv 1 0 0\nv 0 3 0\nv -1 0 0\nf 4 3 2 1\n").faces, (std::vector<int>{3, 2, 1, 3, 1, 0}));
  EXPECT_EQ(read("v 0 -1 0\nv 3 0 0\nv 0 1 0\nv -3 0 0\nf 4 3 2 1\n").faces, (std::vector<int>{3, 2, 0, 2, 1, 0}));
  EXPECT_EQ(read("v 0 0 0\nv 2 0 0\nv .3 .3 0\nv 0 2 0\nf 4 3 2 1\n").faces, (std::vector<int>{3, 2, 0, 2, 1, 0}));
  EXPECT_EQ(read("v 1 0 0\nv 0 -.5 0\nv 6 0 0\nv 0 .5 0\nf 4 3 2 1\n").faces, (std::vector<int>{3, 2, 1, 3, 1, 0}));
}

TEST(MeshObj, AConvexFaceBecomesAFan) {
  EXPECT_EQ(read("v 0 0 0\nv 2 0 0\nv 3 1 0\nv 1 2 0\nv -1 1 0\nf 5 4 3 2 1\n").faces,
            (std::vector<int>{4, 3, 2, 4, 2, 1, 4, 1, 0}));
}

// The triangles are those that MuJoCo 4.0.0 makes of these faces: the rule for ears depends on where the origin is.
TEST(MeshObj, AConcaveFaceIsWholeOrNotAsInMuJoCo) {
  EXPECT_EQ(read("v 0 0 0\nv 2 0 0\nv 3 3 0\nv 1 .5 0\nv -1 1 0\nf 5 4 3 2 1\n").faces, (std::vector<int>{1, 0, 4}));
  EXPECT_EQ(read("v -1 -1 0\nv 1 -1 0\nv 1 1 0\nv 0 .2 0\nv -1 1 0\nf 1 2 3 4 5\n").faces,
            (std::vector<int>{0, 1, 2, 0, 2, 3, 0, 3, 4}));
}

// The triangles of a simple polygon cover it once: all turn its way, and their areas add up to its own.
void expect_covered_once(const std::vector<Vec3<double>>& corners) {
  Vec3<double> whole = Vec3<double>::zero(), sum = whole;
  for (std::size_t i = 0; i < corners.size(); ++i) whole += cross(corners[i], corners[(i + 1) % corners.size()]);
  const auto triangles = triangulate_polygon(corners);
  EXPECT_EQ(triangles.size(), corners.size() - 2);
  for (const auto& [a, b, c] : triangles) {
    const Vec3<double> area = cross(corners[b] - corners[a], corners[c] - corners[a]);
    EXPECT_GE(dot(area, whole), -1e-12);
    sum += area;
  }
  EXPECT_NEAR(norm(sum - whole), 0, 1e-12);
}

TEST(MeshObj, TrianglesOfAPolygonCoverItOnce) {
  for (const int n : {5, 12, 60}) {  // stars with n spikes, in a tilted plane
    std::vector<Vec3<double>> corners;
    for (int i = 0; i < 2 * n; ++i) {
      const double angle = M_PI * i / n, r = i % 2 ? 0.3 : 1;
      const double x = r * std::cos(angle), y = r * std::sin(angle);
      corners.push_back({x, y, x + 2 * y});
    }
    expect_covered_once(corners);
  }
  expect_covered_once({{0, 0, 0}, {4, 0, 0}, {4, 4, 0}, {3, 1, 0}, {0, 4, 0}});  // a corner within the first triangle
  expect_covered_once({{0, 4, 0}, {3, 1, 0}, {4, 4, 0}, {4, 0, 0}, {0, 0, 0}});
}

// A file with a polygon of n corners on a circle, and a triangle.
std::string round_face(int n) {
  std::string text, face = "f";
  for (int i = 0; i < n; ++i) {
    text += fmt::format("v {} {} 0\n", std::cos(2 * M_PI * i / n), std::sin(2 * M_PI * i / n));
    face += fmt::format(" {}", i + 1);
  }
  return text + face + "\nf 1 2 3\n";
}

TEST(MeshObj, AFaceWithMoreThanAHundredCornersIsLeftOutAsInMuJoCo) {
  const MeshData mesh = read(round_face(100));
  EXPECT_EQ(mesh.faces.size(), 3u * (98 + 1));
  EXPECT_EQ((std::vector<int>(mesh.faces.end() - 3, mesh.faces.end())), (std::vector<int>{0, 1, 2}));
  EXPECT_EQ(read(round_face(101)).faces, (std::vector<int>{0, 1, 2}));
}

TEST(MeshObj, FacesThatAreNotWholeAreCounted) {
  int cut = -1;
  const auto count = [&](const std::string& text) {
    read_obj(FileBytes().text(text), "a.obj", &cut);
    return cut;
  };
  EXPECT_EQ(count(kVertices + kFaces), 0);
  EXPECT_EQ(count(round_face(101)), 1);
  EXPECT_EQ(count("v 2 0 0\nv 1 3 0\nv 0 3 0\nv 2 1 0\nv 3 3 0\nf 1 2 3 4 5\n"), 1);  // crosses itself
}

TEST(MeshObj, APolygonThatCrossesItselfStillEnds) {
  const std::vector<Vec3<double>> bow{{0, 0, 0}, {1, 1, 0}, {1, 0, 0}, {0, 1, 0}, {0.5, 3, 0}, {0.4, -3, 0}};
  EXPECT_EQ(triangulate_polygon(bow).size(), 4u);
  EXPECT_TRUE(triangulate_polygon(std::vector<Vec3<double>>(2, {0, 0, 0})).empty());
  EXPECT_EQ(triangulate_polygon(std::vector<Vec3<double>>(6, {1, 1, 1})).size(), 4u);
}

TEST(MeshObj, AFileWithoutFacesIsACloud) {
  EXPECT_TRUE(read(kVertices).faces.empty());
  EXPECT_TRUE(read("").vertices.empty());
  EXPECT_TRUE(read("hello world\n").vertices.empty());
}

TEST(MeshObj, WrongIndicesAndNumbersAreRefused) {
  const auto refused = [](const std::string& text, const char* part) {
    expect_error([&] { read(text); }, {"OBJ file 'a.obj'", part});
  };
  refused(kVertices + "f 1 2 9\n", "face 1 uses vertex 9, but there are 4");
  refused(kVertices + kFaces + "f 1 2 3 -9\n", "face 5 uses vertex -4, but there are 4");
  refused(kVertices + "vn 0 0 1\nf 1//2 2//1 3//1\n", "uses normal 2, but there are 1");
  refused(kVertices + "f 1/3 2/1 3/1\n", "uses texture coordinate 3, but there are 0");
  for (const char* face : {"f 0 1 2", "f 1/0 2 3", "f x 1 2", "f 1/x 2 3", "f 1// 2 3", "f 99999999999 1 2"})
    refused(kVertices + face + "\n", "line 5: expected an index");
  refused(kVertices + "f 1/1/1/1 2 3\n", "line 5: expected a corner");
  refused(kVertices + "f 1.5 2 3\n", "line 5: expected a corner");
  for (const char* bad : {"nan", "inf", "one", "1,5", "1.0.0", "--1"})
    refused(kVertices + "\n  vn 0 " + bad + " 0\n", "line 6: expected a number, not '");
  refused("v 0 0\n", "line 1: expected 3 numbers");
  refused("v 1e400 0 0\n", "line 1: a number is too large");
  std::string large = kVertices + "f";
  for (int i = 0; i < 5000; ++i) large += " 1";
  refused(large + "\n", "line 5: a face has 5000 corners");
}

}  // namespace
}  // namespace torsor
