// Walks over the nodes of the scene and collects the triangles of their geometry.
#include "torsor/format/mesh/dae.hpp"

#include <array>
#include <cmath>
#include <map>

#include <fmt/format.h>

#include "torsor/format/mesh/collada.hpp"
#include "torsor/format/mesh/polygon.hpp"

namespace torsor {
namespace {

using collada::Affine;
using collada::File;

constexpr int kMaxNesting = 100;                  // of nodes, which may contain each other by reference
constexpr std::size_t kMaxTriangles = 5'000'000;  // of all instances together
constexpr int kMaxNodes = 1'000'000;
constexpr double kMaxLength = 1 << 30;

// The points and triangles of one <geometry>, before it is placed.
struct Geometry {
  std::vector<Vec3<double>> points;
  std::vector<int> corners;  // three per triangle
};

class GeometryReader {
 public:
  GeometryReader(const File& file, pugi::xml_node geometry) : file_(file), id_(geometry.attribute("id").value()) {
    pugi::xml_node mesh = geometry.child("mesh");
    if (!mesh) mesh = geometry.child("convex_mesh");
    for (const pugi::xml_node child : mesh.children()) {
      const std::string_view name = child.name();
      if (name == "triangles" || name == "polylist" || name == "polygons" || name == "trifans" || name == "tristrips")
        read_primitive(child, name);
    }
  }
  Geometry take() { return std::move(out_); }

 private:
  [[noreturn]] void fail(const std::string& what) const { file_.fail(fmt::format("geometry '{}': {}", id_, what)); }

  // Where VERTEX is among the indices of a corner, and how many indices a corner has.
  struct Layout {
    int offset = -1, stride = 0, first = 0;  // first: of the points in out_
  };

  Layout read_inputs(pugi::xml_node primitive) {
    Layout layout;
    for (const pugi::xml_node input : primitive.children("input")) {
      const int offset = input.attribute("offset").as_int(-1);
      constexpr int kMaxInputs = 64;
      if (offset < 0 || offset >= kMaxInputs) fail(fmt::format("<input> has the offset {}", offset));
      layout.stride = std::max(layout.stride, offset + 1);
      if (std::string_view(input.attribute("semantic").value()) != "VERTEX") continue;
      layout.offset = offset;
      layout.first = take_points(input.attribute("source").value());
    }
    if (layout.offset < 0) fail(fmt::format("<{}> has no input VERTEX", primitive.name()));
    return layout;
  }

  // Adds the points of <vertices>; several primitives may share them.
  int take_points(const char* url) {
    const auto [known, is_new] = first_point_.try_emplace(url, static_cast<int>(out_.points.size()));
    if (!is_new) return known->second;
    const pugi::xml_node vertices = file_.find(url, "vertices");
    for (const pugi::xml_node input : vertices.children("input")) {
      if (std::string_view(input.attribute("semantic").value()) == "POSITION")
        read_positions(file_.find(input.attribute("source").value(), "source"));
    }
    if (out_.points.size() == static_cast<size_t>(known->second)) fail("its vertices have no positions");
    return known->second;
  }

  void read_positions(pugi::xml_node source) {
    const std::vector<double> numbers = file_.numbers(source.child("float_array"));
    const pugi::xml_node accessor = source.child("technique_common").child("accessor");
    const size_t stride = accessor.attribute("stride").as_uint(3), start = accessor.attribute("offset").as_uint(0);
    const size_t count = accessor ? accessor.attribute("count").as_uint(0) : numbers.size() / 3;
    if (stride < 3) fail(fmt::format("positions have {} coordinates", stride));
    if (start > numbers.size() || count > (numbers.size() - start) / stride)
      fail(fmt::format("{} positions are announced, but only {} numbers given", count, numbers.size()));
    for (size_t i = 0; i < count; ++i) {
      const double* at = numbers.data() + start + i * stride;
      out_.points.push_back({at[0], at[1], at[2]});
    }
  }

  void read_primitive(pugi::xml_node primitive, std::string_view kind) {
    if (!primitive.child("p") && !primitive.child("ph")) return;
    const Layout layout = read_inputs(primitive);
    if (primitive.child("ph")) fail("polygons with holes are not supported");
    const std::vector<int> sizes = kind == "polylist" ? file_.indices(primitive.child("vcount")) : std::vector<int>{};
    for (const pugi::xml_node p : primitive.children("p")) {
      const std::vector<int> corners = take_corners(p, layout);
      if (kind == "triangles")
        add_groups(corners, std::vector<int>(corners.size() / 3, 3));
      else if (kind == "polylist")
        add_groups(corners, sizes);
      else if (kind == "polygons")
        add_groups(corners, {static_cast<int>(corners.size())});
      else
        add_run(corners, kind == "trifans");
    }
  }

  std::vector<int> take_corners(pugi::xml_node p, const Layout& layout) {
    const std::vector<int> all = file_.indices(p);
    const size_t stride = static_cast<size_t>(layout.stride);
    if (all.size() % stride != 0)
      fail(fmt::format("<p> has {} indices, which is not a multiple of {}", all.size(), stride));
    std::vector<int> corners;
    const int most = static_cast<int>(out_.points.size()) - layout.first;
    for (size_t i = static_cast<size_t>(layout.offset); i < all.size(); i += stride) {
      if (all[i] < 0 || all[i] >= most)
        fail(fmt::format("a corner refers to vertex {}, but there are {} vertices", all[i], most));
      corners.push_back(layout.first + all[i]);
    }
    return corners;
  }

  // Polygons of these numbers of corners, one after the other.
  void add_groups(const std::vector<int>& corners, const std::vector<int>& sizes) {
    size_t at = 0;
    for (const int size : sizes) {
      if (size < 0 || static_cast<size_t>(size) > corners.size() - at)
        fail("its polygons have more corners than <p> has indices");
      add_polygon(corners.data() + at, static_cast<size_t>(size));
      at += static_cast<size_t>(size);
    }
    if (at != corners.size()) fail(fmt::format("<p> has {} corners, but its polygons need {}", corners.size(), at));
  }

  void add_polygon(const int* corners, size_t size) {
    if (size == 3) return add_triangle(corners[0], corners[1], corners[2]);
    std::vector<Vec3<double>> points;
    for (size_t i = 0; i < size; ++i) points.push_back(out_.points[static_cast<size_t>(corners[i])]);
    for (const auto& [a, b, c] : triangulate_polygon(points)) add_triangle(corners[a], corners[b], corners[c]);
  }

  void add_run(const std::vector<int>& corners, bool is_fan) {
    for (size_t i = 2; i < corners.size(); ++i) {
      if (is_fan)
        add_triangle(corners[0], corners[i - 1], corners[i]);
      else if (i % 2 == 0)
        add_triangle(corners[i - 2], corners[i - 1], corners[i]);
      else  // every second triangle of a strip is turned round
        add_triangle(corners[i - 1], corners[i - 2], corners[i]);
    }
  }

  void add_triangle(int a, int b, int c) {
    if (out_.corners.size() >= 3 * kMaxTriangles) fail(fmt::format("more than {} triangles", kMaxTriangles));
    out_.corners.insert(out_.corners.end(), {a, b, c});
  }

  const File& file_;
  std::string id_;
  Geometry out_;
  std::map<std::string, int> first_point_;
};

class SceneReader {
 public:
  explicit SceneReader(const File& file) : file_(file) {}

  MeshData read() {
    const double unit = file_.metres_per_unit();
    const Affine X_FS{{unit, 0, 0, 0, unit, 0, 0, 0, unit}, {0, 0, 0}};
    if (const pugi::xml_node scene = find_scene()) {
      for (const pugi::xml_node node : scene.children("node")) add_node(node, X_FS, 0);
    } else {  // a file of nothing but geometry
      for (const pugi::xml_node geometry : file_.root().child("library_geometries").children("geometry"))
        add_geometry(geometry, X_FS);
    }
    if (mesh_.faces.empty()) file_.fail("it has no triangles");
    return std::move(mesh_);
  }

 private:
  pugi::xml_node find_scene() const {
    if (const pugi::xml_node instance = file_.root().child("scene").child("instance_visual_scene"))
      return file_.find(instance.attribute("url").value(), "visual scene");
    return file_.root().child("library_visual_scenes").child("visual_scene");
  }

  void add_node(pugi::xml_node node, const Affine& X_FP, int depth) {
    if (depth > kMaxNesting) file_.fail(fmt::format("its nodes are nested deeper than {}", kMaxNesting));
    if (++nodes_ > kMaxNodes) file_.fail(fmt::format("its scene has more than {} nodes", kMaxNodes));
    const Affine X_FN = X_FP * file_.transform_of(node);
    for (const pugi::xml_node child : node.children()) {
      const std::string_view name = child.name();
      const char* url = child.attribute("url").value();
      if (name == "node")
        add_node(child, X_FN, depth + 1);
      else if (name == "instance_node")
        add_node(file_.find(url, "node"), X_FN, depth + 1);
      else if (name == "instance_geometry")
        add_geometry(file_.find(url, "geometry"), X_FN);
      else if (name == "instance_controller")
        add_skin(file_.find(url, "controller"), X_FN);
    }
  }

  void add_skin(pugi::xml_node controller, const Affine& X_FN) {
    const pugi::xml_node skin = controller.child("skin");
    if (!skin) file_.fail(fmt::format("controller '{}' has no <skin>", controller.attribute("id").value()));
    const Affine bind = skin.child("bind_shape_matrix") ? file_.transform_of(skin) : Affine{};
    add_geometry(file_.find(skin.attribute("source").value(), "geometry"), X_FN * bind);
  }

  const Geometry& geometry_of(pugi::xml_node element) {
    auto found = geometries_.find(element.hash_value());
    if (found == geometries_.end())
      found = geometries_.emplace(element.hash_value(), GeometryReader(file_, element).take()).first;
    return found->second;
  }

  void add_geometry(pugi::xml_node element, const Affine& X_FG) {
    const Geometry& geometry = geometry_of(element);
    if ((mesh_.faces.size() + geometry.corners.size()) / 3 > kMaxTriangles)
      file_.fail(fmt::format("its scene has more than {} triangles", kMaxTriangles));
    const int first = static_cast<int>(mesh_.vertices.size() / 3);
    for (const Vec3<double>& point : geometry.points) {
      const Vec3<double> p = collada::apply(X_FG, point);
      for (const double x : {p.x, p.y, p.z}) {
        if (!(std::abs(x) <= kMaxLength)) file_.fail(fmt::format("vertex coordinate {} is too large", x));
        mesh_.vertices.push_back(static_cast<float>(x));
      }
    }
    const bool is_mirrored = dot(cross(X_FG.A.row(0), X_FG.A.row(1)), X_FG.A.row(2)) < 0;
    for (size_t i = 0; i < geometry.corners.size(); i += 3) {
      const int a = geometry.corners[i], b = geometry.corners[i + 1], c = geometry.corners[i + 2];
      mesh_.faces.insert(mesh_.faces.end(), {first + a, first + (is_mirrored ? c : b), first + (is_mirrored ? b : c)});
    }
  }

  const File& file_;
  MeshData mesh_;
  int nodes_ = 0;
  std::map<size_t, Geometry> geometries_;
};

}  // namespace

MeshData read_dae(Bytes bytes, std::string_view file_name) { return SceneReader(File(bytes, file_name)).read(); }

}  // namespace torsor
