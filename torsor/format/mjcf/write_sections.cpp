// Writes settings, default classes, assets, custom data and keyframes.
#include <algorithm>
#include <cmath>

#include "torsor/format/mjcf/orientation.hpp"
#include "torsor/format/mjcf/writer.hpp"
#include "torsor/geometry/hfield.hpp"

namespace torsor::mjcf {
namespace {

void remove_if_empty(Node parent, Node node) {
  if (!node.first_child() && !node.first_attribute()) parent.remove_child(node);
}

void write_compiler(Node root, const CompilerSpec& compiler) {
  const Node node = append_child(root, "compiler");
  write_attributes(node, compiler, CompilerSpec{}, compiler_attributes());
  write_if_changed(node, "lengthrange", compiler.lengthrange, LengthRangeSpec{}, lengthrange_attributes());
  remove_if_empty(root, node);
}

void write_option(Node root, const Option& option) {
  const Node node = append_child(root, "option");
  write_attributes(node, option, Option{}, option_attributes());
  write_if_changed(node, "flag", option, Option{}, flag_attributes());
  remove_if_empty(root, node);
}

void write_visual(Node root, const Visual& visual) {
  const Node node = append_child(root, "visual");
  for (const VisualGroup& group : visual_groups()) {
    write_if_changed(node, group.name, visual, Visual{}, Table<Visual>(group.rows));
  }
  remove_if_empty(root, node);
}

void write_default_material(Node node, const MaterialSpec& material, const MaterialSpec& standard) {
  const Node child = append_child(node, "material");
  write_attributes(child, material, standard, material_attributes());
  write_layers(child, material, standard);
  remove_if_empty(node, child);
}

const std::string* find_attribute(const TextureSpec& texture, std::string_view name) {
  for (const auto& [key, text] : texture.attributes)
    if (key == name) return &text;
  return nullptr;
}

// Those that differ from a default texture.
void write_texture_attributes(Node node, const TextureSpec& texture, const TextureSpec& standard) {
  for (const auto& [name, text] : texture.attributes) {
    const std::string* same = find_attribute(standard, name);
    if (!same || *same != text) set_attribute(node, name, text);
  }
}

void write_default_texture(Node node, const TextureSpec& texture, const TextureSpec& standard) {
  const Node child = append_child(node, "texture");
  write_texture_attributes(child, texture, standard);
  remove_if_empty(node, child);
}

void write_prototypes(Node node, const DefaultSpec& values, const DefaultSpec& standard) {
  write_if_changed(node, "mesh", values.mesh, standard.mesh, mesh_attributes());
  write_default_texture(node, values.texture, standard.texture);
  write_default_material(node, values.material, standard.material);
  write_if_changed(node, "joint", values.joint, standard.joint, joint_attributes());
  write_if_changed(node, "geom", values.geom, standard.geom, geom_attributes(), orientation_attributes<GeomSpec>());
  write_if_changed(node, "site", values.site, standard.site, site_attributes(), orientation_attributes<SiteSpec>());
  write_if_changed(node, "camera", values.camera, standard.camera, camera_attributes(),
                   orientation_attributes<CameraSpec>());
  write_if_changed(node, "light", values.light, standard.light, light_attributes());
  write_if_changed(node, "pair", values.pair, standard.pair, pair_attributes());
  write_if_changed(node, "equality", values.equality, standard.equality, equality_attributes());
  write_default_drives(node, values, standard);
}

// Values that differ from the enclosing class, then nested classes.
void write_class(Node node, std::size_t index, const Spec& spec) {
  const DefaultSpec& values = spec.defaults[index];
  const DefaultSpec standard;
  write_prototypes(node, values, values.parent < 0 ? standard : spec.defaults[static_cast<std::size_t>(values.parent)]);
  for (std::size_t child = 1; child < spec.defaults.size(); ++child) {
    if (spec.defaults[child].parent != static_cast<int>(index)) continue;
    const Node inner = append_child(node, "default");
    set_attribute(inner, "class", spec.defaults[child].name);
    write_class(inner, child, spec);
  }
}

// Arrays that load_assets() read from the file are not written, only its name.
void write_mesh(Node node, MeshSpec mesh, const Writer& writer) {
  if (mesh.stretch)
    throw Error(
        fmt::format("mesh '{}' is stretched along other axes than its own, which a file cannot say", mesh.name));
  if (!mesh.file.empty()) {
    if (mesh.from_file.vertex) mesh.vertex.clear();
    if (mesh.from_file.normal) mesh.normal.clear();
    if (mesh.from_file.texcoord) mesh.texcoord.clear();
    if (mesh.from_file.face) mesh.face.clear();
  }
  writer.write_element(node, "mesh", mesh, &DefaultSpec::mesh, 0, mesh_attributes(), mesh_own_attributes());
}

void write_hfield(Node node, HfieldSpec hfield) {
  if (!hfield.file.empty()) {
    hfield.nrow = hfield.ncol = 0;
    hfield.elevation.clear();
  }
  flip_rows(hfield.nrow, hfield.ncol, hfield.elevation);
  write_attributes(append_child(node, "hfield"), hfield, HfieldSpec{}, name_attribute(), hfield_attributes());
}

// Whether a texture has a value for every attribute of a default: no text takes one back.
bool has_all_of(const TextureSpec& texture, const TextureSpec& standard) {
  return std::all_of(standard.attributes.begin(), standard.attributes.end(),
                     [&](const auto& row) { return find_attribute(texture, row.first) != nullptr; });
}

// With the class that its values came from, or the nearest enclosing one that has no attribute which the texture lacks.
void write_texture(Node node, const TextureSpec& texture, const Writer& writer) {
  const std::vector<DefaultSpec>& defaults = writer.spec.defaults;
  int index = writer.class_index(texture.class_name);
  while (index >= 0 && !has_all_of(texture, defaults[static_cast<std::size_t>(index)].texture))
    index = defaults[static_cast<std::size_t>(index)].parent;
  if (index < 0)
    throw Error(fmt::format("texture '{}' lacks an attribute that the main default class has, which a file cannot say",
                            texture.name));
  const DefaultSpec& standard = defaults[static_cast<std::size_t>(index)];
  const Node child = append_child(node, "texture");
  write_attributes(child, texture, TextureSpec{}, name_attribute());
  if (index > 0) set_attribute(child, "class", standard.name);
  write_texture_attributes(child, texture, standard.texture);
}

void write_material(Node node, const MaterialSpec& material, const Writer& writer) {
  const Node child = writer.write_element(node, "material", material, &DefaultSpec::material, 0, material_attributes());
  const auto index = static_cast<std::size_t>(writer.class_index(material.class_name));
  write_layers(child, material, writer.spec.defaults[index].material);
}

void write_tuple(Node node, const TupleSpec& tuple) {
  const Node child = append_child(node, "tuple");
  write_attributes(child, tuple, TupleSpec{}, tuple_attributes());
  for (const TupleSpec::Entry& entry : tuple.entries) {
    write_attributes(append_child(child, "element"), entry, TupleSpec::Entry{}, tuple_entry_attributes());
  }
}

}  // namespace

void write_settings(Node root, const Writer& writer) {
  const Spec& spec = writer.spec;
  write_compiler(root, spec.compiler);
  write_option(root, spec.option);
  write_if_changed(root, "size", spec.size, SizeSpec{}, size_attributes());
  write_if_changed(root, "statistic", spec.statistic, StatisticSpec{}, statistic_attributes());
  write_visual(root, spec.visual);
}

void write_defaults(Node root, const Writer& writer) {
  const Node node = append_child(root, "default");
  write_class(node, 0, writer.spec);
  remove_if_empty(root, node);
}

void write_assets(Node root, const Writer& writer) {
  const Node node = append_child(root, "asset");
  for (const TextureSpec& texture : writer.spec.textures) write_texture(node, texture, writer);
  for (const MaterialSpec& material : writer.spec.materials) write_material(node, material, writer);
  for (const MeshSpec& mesh : writer.spec.meshes) write_mesh(node, mesh, writer);
  for (const HfieldSpec& hfield : writer.spec.hfields) write_hfield(node, hfield);
  remove_if_empty(root, node);
}

void write_custom(Node root, const Writer& writer) {
  const Node node = append_child(root, "custom");
  for (const NumericSpec& numeric : writer.spec.numerics) {
    write_attributes(append_child(node, "numeric"), numeric, NumericSpec{}, numeric_attributes());
  }
  for (const TextSpec& text : writer.spec.texts) {
    write_attributes(append_child(node, "text"), text, TextSpec{}, text_attributes());
  }
  for (const TupleSpec& tuple : writer.spec.tuples) write_tuple(node, tuple);
  remove_if_empty(root, node);
}

void write_keyframe(Node root, const Writer& writer) {
  const Node node = append_child(root, "keyframe");
  for (const KeySpec& key : writer.spec.keys) {
    for (const auto* numbers : {&key.qpos, &key.qvel, &key.act, &key.ctrl, &key.mpos, &key.mquat, &key.plastic}) {
      if (*numbers && std::any_of((*numbers)->begin(), (*numbers)->end(), [](double x) { return std::isnan(x); }))
        throw Error("key '" + key.name +
                    "' cannot be written: some of its coordinates are unspecified, as in keys of attached models");
    }
    write_attributes(append_child(node, "key"), key, KeySpec{}, name_attribute(), key_attributes());
  }
  remove_if_empty(root, node);
}

}  // namespace torsor::mjcf
