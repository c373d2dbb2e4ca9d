// Collects the arrays of an OBJ file, then checks every index and triangulates the faces.
#include "torsor/format/mesh/obj.hpp"

#include <fmt/format.h>

#include <utility>

#include "torsor/core/error.hpp"
#include "torsor/format/mesh/obj_lines.hpp"
#include "torsor/format/mesh/obj_polygon.hpp"

namespace torsor {
namespace {

constexpr std::size_t kMaxCorners = 4096;  // of one face: triangulation takes more than linear time

// Indices from 0; -1 where a face gives no normal or texture coordinate.
struct Corner {
  int vertex, texcoord, normal;
};

class ObjParser {
 public:
  ObjParser(std::string_view text, std::string_view file_name) : lines_(text, file_name), file_name_(file_name) {}

  MeshData run() {
    while (lines_.next()) read_line();
    for (std::size_t i = 1; i < mesh_.texcoords.size(); i += 2) mesh_.texcoords[i] = 1 - mesh_.texcoords[i];
    for (std::size_t face = 0; face + 1 < starts_.size(); ++face) add_face(int(face));
    return std::move(mesh_);
  }

  int cut_faces() const { return cut_faces_; }

 private:
  void read_line() {
    const std::string_view keyword = lines_.word();
    if (keyword == "v") return read_numbers(mesh_.vertices, 3, 3);
    if (keyword == "vn") return read_numbers(mesh_.normals, 3, 3);
    if (keyword == "vt") return read_numbers(mesh_.texcoords, 1, 2);
    if (keyword == "o" || keyword == "g") first_object_ended_ = first_object_begun_;
    if (keyword == "l" || keyword == "p" || keyword == "f") first_object_begun_ = true;
    if (keyword == "f" && !first_object_ended_) read_face();
  }

  // Further numbers (colours, a weight) are skipped; a texture coordinate may lack its second number.
  void read_numbers(std::vector<float>& into, int needed, int kept) {
    for (int i = 0; i < kept; ++i) {
      double value = 0;
      if (!lines_.number(value) && i < needed) lines_.fail(fmt::format("expected {} numbers", needed));
      into.push_back(float(value));
    }
  }

  // An index counts from 1; a negative one counts back from the latest element.
  int read_index(std::size_t count) {
    int index = 0;
    if (!lines_.index(index) || index == 0) lines_.fail("expected an index other than 0 in a face");
    return index > 0 ? index - 1 : int(count) + index;
  }

  // "1", "1/2", "1//3" or "1/2/3": vertex, texture coordinate, normal
  Corner read_corner() {
    Corner corner{read_index(mesh_.vertices.size() / 3), -1, -1};
    if (lines_.skip('/')) {
      const bool only_normal = lines_.skip('/');
      if (!only_normal) corner.texcoord = read_index(mesh_.texcoords.size() / 2);
      if (only_normal || lines_.skip('/')) corner.normal = read_index(mesh_.normals.size() / 3);
    }
    if (!lines_.after_word()) lines_.fail("expected a corner such as 1, 1/2, 1//3 or 1/2/3 in a face");
    return corner;
  }

  // Faces of fewer than three corners have no area and are skipped.
  void read_face() {
    const std::size_t start = corners_.size();
    while (lines_.at_word()) corners_.push_back(read_corner());
    const std::size_t count = corners_.size() - start;
    if (count > kMaxCorners)
      lines_.fail(fmt::format("a face has {} corners, at most {} are allowed", count, kMaxCorners));
    starts_.push_back(corners_.size());
  }

  void add_face(int face) {
    const std::span<const Corner> corners(corners_.data() + starts_[face], starts_[face + 1] - starts_[face]);
    for (const Corner& corner : corners) {
      check(face, corner.vertex, 0, mesh_.vertices.size() / 3, "vertex");
      check(face, corner.texcoord, -1, mesh_.texcoords.size() / 2, "texture coordinate");
      check(face, corner.normal, -1, mesh_.normals.size() / 3, "normal");
    }
    if (corners.size() == 3) {
      for (const Corner& corner : corners) add_corner(corner);
      return;
    }
    points_.clear();
    for (const Corner& corner : corners)
      points_.push_back(load3<double>(mesh_.vertices.data() + 3 * std::size_t(corner.vertex)));
    const auto triangles = triangulate_obj_face(points_);
    cut_faces_ += triangles.size() + 2 < corners.size();
    for (const auto& triangle : triangles)
      for (const int i : triangle) add_corner(corners[i]);
  }

  void add_corner(const Corner& corner) {
    mesh_.faces.push_back(corner.vertex);
    if (!mesh_.normals.empty()) mesh_.face_normals.push_back(corner.normal);
    if (!mesh_.texcoords.empty()) mesh_.face_texcoords.push_back(corner.texcoord);
  }

  void check(int face, int index, int lowest, std::size_t count, const char* what) const {
    if (index < lowest || index >= int(count))
      throw Error(fmt::format("OBJ file '{}': face {} uses {} {}, but there are {}", file_name_, face + 1, what,
                              index + 1, count));
  }

  ObjLines lines_;
  std::string_view file_name_;
  MeshData mesh_;
  std::vector<Corner> corners_;            // of all faces of the first object
  std::vector<std::size_t> starts_ = {0};  // where each face begins, and the last one ends
  std::vector<Vec3<double>> points_;
  bool first_object_begun_ = false, first_object_ended_ = false;
  int cut_faces_ = 0;
};

}  // namespace

MeshData read_obj(Bytes bytes, std::string_view file_name, int* cut_faces) {
  ObjParser parser({reinterpret_cast<const char*>(bytes.data()), bytes.size()}, file_name);
  MeshData mesh = parser.run();
  if (cut_faces) *cut_faces = parser.cut_faces();
  return mesh;
}

}  // namespace torsor
