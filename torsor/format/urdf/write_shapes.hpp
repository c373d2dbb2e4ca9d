// The shapes of a body as <visual> and <collision>, and the files of its meshes.
#pragma once

#include <map>
#include <string>

#include <pugixml.hpp>

#include "torsor/format/losses.hpp"
#include "torsor/math/pose.hpp"
#include "torsor/model/model.hpp"
#include "torsor/model/spec.hpp"

namespace torsor::urdf {

using Frame = torsor::Pose<double>;

// Numbers with spaces between, the shortest that read back as the same.
std::string to_text(const double* numbers, int count);
void write_origin(const Frame& X_PC, pugi::xml_node parent);

class ShapeWriter {
 public:
  ShapeWriter(const Model& model, std::string mesh_folder, LossList& losses)
      : model_(model), folder_(std::move(mesh_folder)), losses_(losses) {}

  // Geoms that collide become collisions, others visuals; the collisions of a body without visuals are visuals too.
  void write(int body, pugi::xml_node link);
  FileSystem take_files() { return std::move(files_); }

 private:
  void write_geom(int geom, const char* kind, pugi::xml_node link);
  void write_shape(int geom, const char* kind, const Frame& X_BG, const char* shape, pugi::xml_node link,
                   const std::vector<std::pair<const char*, std::string>>& sizes, bool is_named = true);
  void write_capsule(int geom, const char* kind, const Frame& X_BG, pugi::xml_node link);
  void write_color(int geom, pugi::xml_node visual) const;
  std::string mesh_file(int mesh);
  std::string ball_file();

  const Model& model_;
  std::string folder_;
  LossList& losses_;
  FileSystem files_;
  std::map<int, std::string> of_mesh_;
};

}  // namespace torsor::urdf
