// Writes a Spec as MJCF: section by section into a document, then as text.
#include <filesystem>
#include <fstream>
#include <sstream>

#include <fmt/format.h>

#include "torsor/format/mjcf/asset_paths.hpp"
#include "torsor/format/mjcf/mjcf.hpp"
#include "torsor/format/mjcf/writer.hpp"
#include "torsor/math/quat.hpp"

namespace torsor {
namespace mjcf {
namespace {

constexpr void (*kSectionWriters[])(Node, const Writer&) = {
    write_settings,   write_defaults, write_custom,    write_assets,  write_worldbody, write_contact,
    write_equalities, write_tendons,  write_actuators, write_sensors, write_keyframe,  write_deformables};

std::string write_document(const Spec& spec) {
  const Writer writer(spec);
  pugi::xml_document document;
  const Node root = document.append_child("mujoco");
  write_attributes(root, spec, Spec{}, root_attributes());
  for (const auto write_section : kSectionWriters) write_section(root, writer);
  std::ostringstream out;
  document.save(out, "  ", pugi::format_indent | pugi::format_no_declaration);
  return out.str();
}

}  // namespace

Writer::Writer(const Spec& source) : spec(source) {
  for (std::size_t i = 0; i < spec.defaults.size(); ++i) classes_.emplace(spec.defaults[i].name, static_cast<int>(i));
}

int Writer::class_index(const std::string& name) const {
  if (name.empty()) return 0;
  if (const auto found = classes_.find(name); found != classes_.end()) return found->second;
  throw Error(fmt::format("the Spec has no default class '{}'", name));
}

// Axes are unit vectors up to rounding, so this is the same orientation up to rounding.
OrientationSpec Writer::as_axes(const OrientationSpec& orientation) {
  const auto [w, x, y, z] = orientation.quat;
  const Quat<double> q = normalized(Quat<double>{w, x, y, z});
  const Vec3<double> x_axis = rotate(q, {1, 0, 0}), y_axis = rotate(q, {0, 1, 0});
  OrientationSpec out;
  out.form = OrientationSpec::Form::kXyAxes;
  out.xyaxes = {x_axis.x, x_axis.y, x_axis.z, y_axis.x, y_axis.y, y_axis.z};
  return out;
}

void Writer::refuse(std::string_view kind, const ElementSpec& element, const Error& error) {
  throw Error(fmt::format("{}{} cannot be written: {}", kind,
                          element.name.empty() ? "" : fmt::format(" '{}'", element.name), error.what()));
}

}  // namespace mjcf

std::string write_mjcf_string(const Spec& spec) {
  Spec flat = spec;
  mjcf::settle_asset_paths(flat);
  return mjcf::write_document(flat);
}

void write_mjcf_file(const Spec& spec, const std::string& path) {
  Spec moved = spec;
  mjcf::settle_asset_paths(moved);
  mjcf::move_asset_folders(moved, path);
  const std::string text = mjcf::write_document(moved);
  std::ofstream file(path, std::ios::binary);
  if (!file.write(text.data(), static_cast<std::streamsize>(text.size()))) {
    throw Error(fmt::format("cannot write '{}'", path));
  }
}

}  // namespace torsor
