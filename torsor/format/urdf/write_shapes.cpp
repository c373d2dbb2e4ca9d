// Shapes and meshes as URDF has them: whole lengths instead of halves, and no capsules, ellipsoids or planes.
#include "torsor/format/urdf/write_shapes.hpp"

#include <cctype>
#include <cmath>
#include <numbers>

#include <fmt/format.h>

#include "torsor/format/urdf/robot.hpp"
#include "torsor/format/urdf/write.hpp"

namespace torsor::urdf {
namespace {

using Node = pugi::xml_node;

constexpr double kPlaneSide = 100, kPlaneDepth = 0.1;  // of the box that stands for a plane, in metres

std::string text_of(double number) { return fmt::format("{}", number); }
std::string text_of(double x, double y, double z) { return fmt::format("{} {} {}", x, y, z); }

// A name that every file system takes.
std::string file_name(const std::string& name) {
  std::string out;
  for (const char c : name) out += std::isalnum(static_cast<unsigned char>(c)) || c == '-' || c == '_' ? c : '_';
  return out.empty() ? "mesh" : out;
}

}  // namespace

std::string to_text(const double* numbers, int count) {
  std::vector<double> plain(numbers, numbers + count);
  for (double& number : plain) number += 0.0;  // not -0
  return fmt::format("{}", fmt::join(plain, " "));
}

void write_origin(const Frame& X_PC, Node parent) {
  const Number3 rpy = rpy_of(X_PC.q);
  const double xyz[] = {X_PC.p.x, X_PC.p.y, X_PC.p.z};
  Node origin = parent.append_child("origin");
  origin.append_attribute("xyz") = to_text(xyz, 3).c_str();
  origin.append_attribute("rpy") = to_text(rpy.data(), 3).c_str();
}

void ShapeWriter::write(int body, Node link) {
  const int first = model_.body_geomadr[body], last = first + model_.body_geomnum[body];
  const auto collides = [&](int g) { return model_.geom_contype[g] != 0 || model_.geom_conaffinity[g] != 0; };
  bool has_visuals = false;
  for (int g = first; g < last; ++g) has_visuals = has_visuals || !collides(g);
  for (int g = first; g < last; ++g) {
    if (!has_visuals || !collides(g)) write_geom(g, "visual", link);
    if (collides(g)) write_geom(g, "collision", link);
  }
}

void ShapeWriter::write_geom(int geom, const char* kind, Node link) {
  const double *p = model_.geom_pos.row(geom, 3), *q = model_.geom_quat.row(geom, 4),
               *size = model_.geom_size.row(geom, 3);
  const Frame X_BG{{p[0], p[1], p[2]}, normalized(Quat<double>{q[0], q[1], q[2], q[3]})};
  const auto lose = [&](const char* what) { losses_.add("geom", name_of(model_, ObjectType::kGeom, geom), what); };
  const auto type = static_cast<GeomType>(model_.geom_type[geom]);
  switch (type) {
    case GeomType::kSphere:
      return write_shape(geom, kind, X_BG, "sphere", link, {{"radius", text_of(size[0])}});
    case GeomType::kCylinder:
      return write_shape(geom, kind, X_BG, "cylinder", link,
                         {{"radius", text_of(size[0])}, {"length", text_of(2 * size[1])}});
    case GeomType::kBox:
      return write_shape(geom, kind, X_BG, "box", link, {{"size", text_of(2 * size[0], 2 * size[1], 2 * size[2])}});
    case GeomType::kCapsule:
      lose("standard URDF has no capsules; it is written as a cylinder and two spheres");
      return write_capsule(geom, kind, X_BG, link);
    case GeomType::kMesh:
      return write_shape(geom, kind, X_BG, "mesh", link, {{"filename", mesh_file(model_.geom_dataid[geom])}});
    case GeomType::kEllipsoid:
      lose("URDF has no ellipsoids; it is written as a mesh");
      return write_shape(geom, kind, X_BG, "mesh", link, {{"filename", ball_file()}, {"scale", to_text(size, 3)}});
    case GeomType::kPlane: {
      lose("URDF has no planes; it is written as a box");
      const double x = size[0] > 0 ? 2 * size[0] : kPlaneSide, y = size[1] > 0 ? 2 * size[1] : kPlaneSide;
      const Frame X_BC = X_BG * Frame{{0, 0, -kPlaneDepth / 2}, Quat<double>::identity()};
      return write_shape(geom, kind, X_BC, "box", link, {{"size", text_of(x, y, kPlaneDepth)}});
    }
    default:
      return lose("URDF has boxes, spheres, cylinders and meshes only; it is left out");
  }
}

void ShapeWriter::write_capsule(int geom, const char* kind, const Frame& X_BG, Node link) {
  const double *size = model_.geom_size.row(geom, 3), radius = size[0], half = size[1];
  write_shape(geom, kind, X_BG, "cylinder", link, {{"radius", text_of(radius)}, {"length", text_of(2 * half)}});
  for (const double end : {-half, half}) {
    const Frame X_BE = X_BG * Frame{{0, 0, end}, Quat<double>::identity()};
    write_shape(geom, kind, X_BE, "sphere", link, {{"radius", text_of(radius)}}, false);
  }
}

void ShapeWriter::write_shape(int geom, const char* kind, const Frame& X_BG, const char* shape, Node link,
                              const std::vector<std::pair<const char*, std::string>>& sizes, bool is_named) {
  Node element = link.append_child(kind);
  const std::string_view name = model_.name(ObjectType::kGeom, geom);
  if (!name.empty() && is_named) element.append_attribute("name") = std::string(name).c_str();
  write_origin(X_BG, element);
  Node form = element.append_child("geometry").append_child(shape);
  for (const auto& [attribute, text] : sizes) form.append_attribute(attribute) = text.c_str();
  if (std::string_view(kind) == "visual") write_color(geom, element);
}

void ShapeWriter::write_color(int geom, Node visual) const {
  const int material = model_.geom_matid[geom];
  const float* rgba = material >= 0 ? model_.mat_rgba.row(material, 4) : model_.geom_rgba.row(geom, 4);
  const std::string name =
      material >= 0 ? name_of(model_, ObjectType::kMaterial, material)
                    : fmt::format("rgba_{:02x}{:02x}{:02x}{:02x}", int(255 * rgba[0]) & 255, int(255 * rgba[1]) & 255,
                                  int(255 * rgba[2]) & 255, int(255 * rgba[3]) & 255);
  Node element = visual.append_child("material");
  element.append_attribute("name") = name.c_str();
  element.append_child("color").append_attribute("rgba") =
      fmt::format("{} {} {} {}", rgba[0], rgba[1], rgba[2], rgba[3]).c_str();
}

// The compiled mesh, in its own frame, as text that gives the same floats.
std::string ShapeWriter::mesh_file(int mesh) {
  std::string& path = of_mesh_[mesh];
  if (!path.empty()) return path;
  const std::string stem = folder_ + "/" + file_name(name_of(model_, ObjectType::kMesh, mesh));
  path = stem + ".obj";
  for (int i = 1; files_.contains(path); ++i) path = fmt::format("{}_{}.obj", stem, i);
  std::string text;
  for (int v = 0; v < model_.mesh_vertnum[mesh]; ++v) {
    const float* p = model_.mesh_vert.row(model_.mesh_vertadr[mesh] + v, 3);
    text += fmt::format("v {} {} {}\n", p[0], p[1], p[2]);
  }
  for (int f = 0; f < model_.mesh_facenum[mesh]; ++f) {
    const int* v = model_.mesh_face.row(model_.mesh_faceadr[mesh] + f, 3);
    text += fmt::format("f {} {} {}\n", v[0] + 1, v[1] + 1, v[2] + 1);
  }
  files_[path] = std::move(text);
  return path;
}

// A ball of radius 1: rings of corners between two poles.
std::string ShapeWriter::ball_file() {
  constexpr int kRings = 15, kCorners = 32;
  const std::string path = folder_ + "/unit_ball.obj";
  if (files_.contains(path)) return path;
  std::string text = "v 0 0 1\n";
  for (int r = 1; r <= kRings; ++r) {
    const double polar = std::numbers::pi * r / (kRings + 1);
    for (int c = 0; c < kCorners; ++c) {
      const double angle = 2 * std::numbers::pi * c / kCorners;
      text += fmt::format("v {} {} {}\n", std::sin(polar) * std::cos(angle), std::sin(polar) * std::sin(angle),
                          std::cos(polar));
    }
  }
  text += "v 0 0 -1\n";
  const auto corner = [](int ring, int c) { return 2 + (ring - 1) * kCorners + c % kCorners; };
  const int south = 2 + kRings * kCorners;
  for (int c = 0; c < kCorners; ++c) {
    text += fmt::format("f 1 {} {}\n", corner(1, c), corner(1, c + 1));
    text += fmt::format("f {} {} {}\n", south, corner(kRings, c + 1), corner(kRings, c));
    for (int r = 1; r < kRings; ++r) {
      text += fmt::format("f {} {} {}\n", corner(r, c), corner(r + 1, c), corner(r + 1, c + 1));
      text += fmt::format("f {} {} {}\n", corner(r, c), corner(r + 1, c + 1), corner(r, c + 1));
    }
  }
  files_[path] = std::move(text);
  return path;
}

}  // namespace torsor::urdf
