// <asset>: meshes and height fields; textures and materials are in material.cpp.
#include <algorithm>

#include <fmt/format.h>

#include "torsor/format/files.hpp"
#include "torsor/format/mjcf/reader.hpp"
#include "torsor/geometry/hfield.hpp"

namespace torsor::mjcf {
namespace {

// Larger grids are taken for typing errors.
constexpr int64_t kMaxElevations = int64_t{1} << 26;

constexpr Keyword kMeshInertias[] = {
    {"convex", static_cast<int>(MeshInertia::kConvex)},
    {"exact", static_cast<int>(MeshInertia::kExact)},
    {"legacy", static_cast<int>(MeshInertia::kLegacy)},
    {"shell", static_cast<int>(MeshInertia::kShell)},
};
constexpr Keyword kBuiltinMeshes[] = {{"none", 0},        {"sphere", 1},     {"hemisphere", 2}, {"cone", 3},
                                      {"supersphere", 4}, {"supertorus", 5}, {"wedge", 6},      {"plate", 7},
                                      {"grid", 8},        {"box", 9},        {"cylinder", 10},  {"ellipsoid", 11},
                                      {"square", 12},     {"disc", 13}};

void read_maxhullvert(MeshSpec& mesh, const Value& value) {
  int count = 0;
  if (value.blank()) return value.fail("is blank");
  if (read_numbers(&count, 1, 1, value, kExact) == 0) return;
  if (count != -1 && count < 4) return value.fail(fmt::format("is -1 or at least 4, got {}", count));
  mesh.maxhullvert = count;
}

void read_builtin(MeshSpec& mesh, const Value& value) {
  const auto kind = read_keyword(kBuiltinMeshes, value);
  if (kind) mesh.builtin = *kind == 0 ? std::string_view() : value.text();
}

template <auto Member>
void read_grid_size(HfieldSpec& hfield, const Value& value) {
  int count = 0;
  if (read_numbers(&count, 1, 1, value, kExact) == 0) return;
  if (count < 0) return value.fail(fmt::format("must not be negative, got {}", count));
  hfield.*Member = count;
}

constexpr Attribute<MeshSpec> kMeshAttributes[] = {
    {"scale", into<&MeshSpec::scale>, "m", "scale of the vertices along each axis; negative mirrors"},
    {"inertia", keyword<&MeshSpec::inertia, kMeshInertias>, "", "how mass properties are inferred"},
    {"maxhullvert",
     {read_maxhullvert, written<&MeshSpec::maxhullvert>},
     "",
     "maximum number of vertices of the convex hull; -1: no limit"},
};

constexpr Attribute<MeshSpec> kMeshOwnAttributes[] = {
    {"file", into<&MeshSpec::file>, "", "OBJ, STL or MSH file; the mesh is named after it if it has no name"},
    {"content_type", into<&MeshSpec::content_type>, "", "media type of the file, if its name does not tell"},
    {"vertex", into<&MeshSpec::vertex>, "", "coordinates of the vertices"},
    {"normal", into<&MeshSpec::normal>, "1", "normals of the vertices"},
    {"texcoord", into<&MeshSpec::texcoord>, "1", "texture coordinates of the vertices"},
    {"face", into<&MeshSpec::face>, "", "vertices of the triangles; none: the convex hull"},
    {"refpos", into<&MeshSpec::refpos>, "", "origin, subtracted from the vertices"},
    {"refquat", into<&MeshSpec::refquat>, "1", "orientation, undone on the vertices"},
    {"smoothnormal", into<&MeshSpec::smoothnormal>, "", "average normals across sharp edges too"},
    {"builtin",
     {read_builtin, written<&MeshSpec::builtin>},
     "",
     "procedural mesh: sphere, hemisphere, cone, supersphere, ..."},
    {"params", into<&MeshSpec::params>, "", "parameters of the builtin mesh"},
    {"material", into<&MeshSpec::material>, "", "material of geoms that have none"},
};

constexpr Attribute<HfieldSpec> kHfieldAttributes[] = {
    {"file", into<&HfieldSpec::file>, "", "PNG image, or binary file; the field is named after it if it has no name"},
    {"content_type", into<&HfieldSpec::content_type>, "", "media type of the file, if its name does not tell"},
    {"nrow", {read_grid_size<&HfieldSpec::nrow>, written<&HfieldSpec::nrow>}, "", "rows, along y"},
    {"ncol", {read_grid_size<&HfieldSpec::ncol>, written<&HfieldSpec::ncol>}, "", "columns, along x"},
    {"size", into<&HfieldSpec::size>, "m", "half lengths in x and y, largest elevation, depth of the base", true},
    {"elevation", into<&HfieldSpec::elevation>, "", "elevations by rows, the first at the highest y"},
};

// An asset without a name takes that of its file; it must have one, to be referred to.
template <class Asset>
void name_after_file(Asset& asset, const Element& element, Reader& reader) {
  if (asset.name.empty()) asset.name = file_stem(asset.file);
  if (asset.name.empty()) {
    reader.report.error(element, fmt::format("a {} needs a name, or a file to take its name from", element.name()));
  }
}

bool has_plugin(const Element& element) {
  for (const Element& child : element) {
    if (child.name() == "plugin") return true;
  }
  return false;
}

void read_mesh(const Element& element, Reader& reader) {
  if (reader.ignores_unsupported() && has_plugin(element) && !element.has("file") && !element.has("vertex"))
    return reader.leave_out(element, "is made by a plugin, which is not supported yet");
  MeshSpec mesh = reader.make_element(element, &DefaultSpec::mesh, 0);
  check_exclusive(element, reader.report, {"builtin", "file"});
  check_exclusive(element, reader.report, {"builtin", "vertex"});
  read_attributes(element, mesh, reader.report, name_attribute(), class_attribute(), mesh_attributes(),
                  mesh_own_attributes());
  if (element.has("builtin") && mesh.params.empty()) {
    reader.report.attribute_error(element, "builtin", "a builtin mesh needs the attribute 'params'");
  }
  name_after_file(mesh, element, reader);
  reader.reject_children(element, "mujoco/asset/mesh");
  reader.spec.meshes.push_back(std::move(mesh));
}

void read_hfield(const Element& element, Reader& reader) {
  HfieldSpec hfield;
  hfield.location = element.where();
  read_attributes(element, hfield, reader.report, name_attribute(), hfield_attributes());
  const int64_t grid = (Count(hfield.nrow) * Count(hfield.ncol)).value();
  if (grid > kMaxElevations) {
    reader.report.attribute_error(element, "nrow",
                                  fmt::format("an hfield has at most {} elevations, got {}", kMaxElevations, grid));
  } else if (!hfield.elevation.empty() && static_cast<int64_t>(hfield.elevation.size()) != grid) {
    reader.report.attribute_error(
        element, "elevation",
        fmt::format("'elevation' of hfield needs nrow * ncol = {} numbers, got {}", grid, hfield.elevation.size()));
  } else {
    // a file has the highest y first, a Spec the lowest
    flip_rows(hfield.nrow, hfield.ncol, hfield.elevation);
  }
  name_after_file(hfield, element, reader);
  reader.reject_children(element, "mujoco/asset/hfield");
  reader.spec.hfields.push_back(std::move(hfield));
}

void read_model(const Element& element, Reader& reader) {
  ModelAssetSpec asset;
  asset.location = element.where();
  read_attributes(element, asset, reader.report, model_asset_attributes());
  reader.reject_children(element, "mujoco/asset/model");
  if (asset.file.empty()) return;
  ModelAsset model = read_model_asset(asset, reader);
  if (!model.spec) return;
  reader.models.emplace(asset.name.empty() ? model.spec->modelname : asset.name, std::move(model));
}

}  // namespace

Table<MeshSpec> mesh_attributes() { return kMeshAttributes; }
Table<MeshSpec> mesh_own_attributes() { return kMeshOwnAttributes; }
Table<HfieldSpec> hfield_attributes() { return kHfieldAttributes; }

void read_asset(const Element& element, Reader& reader) {
  read_attributes<Spec>(element, reader.spec, reader.report);
  for (const Element& child : element) {
    if (child.name() == "mesh") {
      read_mesh(child, reader);
    } else if (child.name() == "hfield") {
      read_hfield(child, reader);
    } else if (child.name() == "texture") {
      read_texture(child, reader);
    } else if (child.name() == "material") {
      read_material(child, reader);
    } else if (child.name() == "skin") {
      read_skin(child, reader);
    } else if (child.name() == "model") {
      read_model(child, reader);
    } else {
      reader.reject(child, "mujoco/asset");
    }
  }
}

}  // namespace torsor::mjcf
