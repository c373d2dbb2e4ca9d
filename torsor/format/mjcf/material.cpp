// <texture> and <material>: for rendering only; checked and kept.
#include <array>
#include <limits>

#include <fmt/format.h>

#include "torsor/format/files.hpp"
#include "torsor/format/mjcf/reader.hpp"
#include "torsor/format/mjcf/writer.hpp"

namespace torsor::mjcf {
namespace {

constexpr Keyword kTextureTypes[] = {{"2d", 0}, {"cube", 1}, {"skybox", 2}};
constexpr Keyword kColorSpaces[] = {{"auto", 0}, {"linear", 1}, {"sRGB", 2}};
constexpr Keyword kBuiltinTextures[] = {{"none", 0}, {"gradient", 1}, {"checker", 2}, {"flat", 3}};
constexpr Keyword kMarks[] = {{"none", 0}, {"edge", 1}, {"cross", 2}, {"random", 3}};
constexpr Keyword kRoles[] = {{"rgb", 1},     {"occlusion", 2}, {"roughness", 3}, {"metallic", 4}, {"normal", 5},
                              {"opacity", 6}, {"emissive", 7},  {"rgba", 8},      {"orm", 9}};
constexpr std::size_t kColorRole = 1;

// Attributes of textures are checked, then kept as text.
void keep(TextureSpec& texture, const Value& value) {
  std::string text;
  read_text(text, value);
  for (auto& [name, kept_text] : texture.attributes) {  // of the default class
    if (name == value.name()) return static_cast<void>(kept_text = std::move(text));
  }
  texture.attributes.emplace_back(value.name(), std::move(text));
}

template <class Number, int Count>
void keep_numbers(TextureSpec& texture, const Value& value) {
  std::array<Number, Count> numbers;
  if (read_numbers(numbers.data(), Count, Count, value, kExact) > 0) keep(texture, value);
}

template <int Least, int Most>
void keep_count(TextureSpec& texture, const Value& value) {
  int count = 0;
  if (read_numbers(&count, 1, 1, value, kExact) == 0) return;
  if (count < Least || count > Most) return value.fail(fmt::format("is from {} to {}, got {}", Least, Most, count));
  keep(texture, value);
}

template <const auto& Keywords>
void keep_keyword(TextureSpec& texture, const Value& value) {
  if (read_keyword(Keywords, value)) keep(texture, value);
}

void keep_gridlayout(TextureSpec& texture, const Value& value) {
  if (value.text().find_first_not_of(".RLUDFB") != std::string_view::npos) {
    return value.fail(fmt::format("has the letters . R L U D F B only, got '{}'", value.text()));
  }
  keep(texture, value);
}

// write_texture() writes what was kept.
template <ReadFunction<TextureSpec> Keep>
constexpr Access<TextureSpec> kept{Keep, written_elsewhere};

constexpr int kMaxPixels = std::numeric_limits<int>::max();

constexpr Keyword kEmbeddings[] = {{"false", 0}, {"true", 1}, {"auto", 2}};

constexpr Attribute<TextureSpec> kTextureOwnAttributes[] = {
    {"content_type", kept<keep>, "", "media type of the file, if its name does not tell"},
    {"file", kept<keep>, "", "image of the texture, or of all sides of a cube"},
    {"fileright", kept<keep>, "", "image of one side of a cube"},
    {"fileleft", kept<keep>, "", "image of one side of a cube"},
    {"fileup", kept<keep>, "", "image of one side of a cube"},
    {"filedown", kept<keep>, "", "image of one side of a cube"},
    {"filefront", kept<keep>, "", "image of one side of a cube"},
    {"fileback", kept<keep>, "", "image of one side of a cube"},
};

constexpr Attribute<TextureSpec> kTextureAttributes[] = {
    {"type", kept<keep_keyword<kTextureTypes>>, "", "2d, cube or skybox"},
    {"colorspace", kept<keep_keyword<kColorSpaces>>, "", "auto, linear or sRGB"},
    {"embed", kept<keep_keyword<kEmbeddings>>, "", "MuJoCo: whether the model holds the pixels of the file; kept"},
    {"gridsize", kept<keep_numbers<int, 2>>, "", "rows and columns of a file that holds several sides"},
    {"gridlayout", kept<keep_gridlayout>, "", "sides of the cube in the cells of the grid; '.' for none"},
    {"builtin", kept<keep_keyword<kBuiltinTextures>>, "", "pattern: none, gradient, checker or flat"},
    {"rgb1", kept<keep_numbers<double, 3>>, "1", "first colour of the pattern"},
    {"rgb2", kept<keep_numbers<double, 3>>, "1", "second colour of the pattern"},
    {"mark", kept<keep_keyword<kMarks>>, "", "marks on the pattern: none, edge, cross or random"},
    {"markrgb", kept<keep_numbers<double, 3>>, "1", "colour of the marks"},
    {"random", kept<keep_numbers<double, 1>>, "1", "probability of random marks"},
    {"width", kept<keep_count<0, kMaxPixels>>, "pixel", "width of the pattern"},
    {"height", kept<keep_count<0, kMaxPixels>>, "pixel", "height of the pattern"},
    {"hflip", kept<keep_keyword<kBooleans>>, "", "mirror images horizontally"},
    {"vflip", kept<keep_keyword<kBooleans>>, "", "mirror images vertically"},
    {"nchannel", kept<keep_count<1, 4>>, "", "colour channels"},
};

void read_color_texture(MaterialSpec& material, const Value& value) { read_text(material.textures[kColorRole], value); }

// Roles whose textures differ from those of the default material.
std::vector<std::size_t> changed_roles(const MaterialSpec& material, const MaterialSpec* standard) {
  std::vector<std::size_t> roles;
  for (std::size_t role = 0; role < material.textures.size(); ++role) {
    if (material.textures[role] != (standard ? standard->textures[role] : "")) roles.push_back(role);
  }
  return roles;
}

bool needs_layers(const std::vector<std::size_t>& roles) { return roles.size() > 1 || roles[0] != kColorRole; }

Text write_color_texture(const MaterialSpec& material, const MaterialSpec* standard) {
  const auto roles = changed_roles(material, standard);
  if (roles.empty() || needs_layers(roles)) return std::nullopt;
  return material.textures[kColorRole];
}

constexpr Attribute<MaterialSpec> kMaterialAttributes[] = {
    {"texture", {read_color_texture, write_color_texture}, "", "texture of the colour"},
    {"texuniform", into<&MaterialSpec::texuniform>, "", "repeat per unit of length, not per object"},
    {"texrepeat", into<&MaterialSpec::texrepeat>, "1", "how often a 2d texture is repeated"},
    {"emission", into<&MaterialSpec::emission>, "1", "emission relative to the colour"},
    {"specular", into<&MaterialSpec::specular>, "1", "specularity"},
    {"shininess", into<&MaterialSpec::shininess>, "1", "shininess"},
    {"reflectance", into<&MaterialSpec::reflectance>, "1", "reflectance"},
    {"metallic", into<&MaterialSpec::metallic>, "1", "metalness; negative: not given"},
    {"roughness", into<&MaterialSpec::roughness>, "1", "roughness; negative: not given"},
    {"rgba", into<&MaterialSpec::rgba>, "1", "colour"},
};

constexpr Attribute<LayerSpec> kLayerAttributes[] = {
    {"role", keyword<&LayerSpec::role, kRoles>, "", "what the texture is for", true},
    {"texture", into<&LayerSpec::texture>, "", "texture", true},
};

// One letter for each cell of the grid.
void check_grid(const Element& element, Reader& reader) {
  if (!element.has("gridlayout")) return;
  std::array<int, 2> grid{1, 1};
  read_numbers(grid.data(), 2, 2, Value(element, "gridsize", element.text("gridsize"), reader.report), kExact);
  const std::size_t length = element.text("gridlayout").size();
  if (static_cast<int64_t>(length) != static_cast<int64_t>(grid[0]) * grid[1]) {
    reader.report.attribute_error(
        element, "gridlayout",
        fmt::format("'gridlayout' of texture needs a letter for each of {} x {} cells, got {}", grid[0], grid[1],
                    length));
  }
}

// Skyboxes are found by type, so they need no name.
void name_texture(TextureSpec& texture, const Element& element, Reader& reader) {
  if (texture.name.empty()) texture.name = file_stem(element.text("file"));
  if (!texture.name.empty() || element.text("type") == "skybox") return;
  reader.report.error(element, "a texture needs a name, or a file to take its name from");
}

}  // namespace

Table<TextureSpec> texture_attributes() { return kTextureAttributes; }
Table<TextureSpec> texture_own_attributes() { return kTextureOwnAttributes; }
Table<MaterialSpec> material_attributes() { return kMaterialAttributes; }
Table<LayerSpec> layer_attributes() { return kLayerAttributes; }

void read_texture(const Element& element, Reader& reader) {
  TextureSpec texture = reader.make_element(element, &DefaultSpec::texture, 0);
  read_attributes(element, texture, reader.report, name_attribute(), class_attribute(), texture_attributes(),
                  texture_own_attributes());
  check_grid(element, reader);
  name_texture(texture, element, reader);
  reader.reject_children(element, "mujoco/asset/texture");
  reader.spec.textures.push_back(std::move(texture));
}

void read_layers(const Element& element, MaterialSpec& material, Reader& reader) {
  for (const Element& child : element) {
    if (child.name() != "layer") {
      reader.reject(child, "mujoco/asset/material");
      continue;
    }
    if (!element.text("texture").empty()) {
      reader.report.error(child, "a material with the attribute 'texture' cannot have layers");
    }
    LayerSpec layer;
    read_attributes(child, layer, reader.report, layer_attributes());
    reader.reject_children(child, "mujoco/asset/material/layer");
    if (layer.role > 0) material.textures[static_cast<std::size_t>(layer.role)] = layer.texture;
  }
}

void write_layers(pugi::xml_node node, const MaterialSpec& material, const MaterialSpec& standard) {
  const auto roles = changed_roles(material, &standard);
  if (roles.empty() || !needs_layers(roles)) return;
  for (const std::size_t role : roles) {
    const LayerSpec layer{static_cast<int>(role), material.textures[role]};
    write_attributes(append_child(node, "layer"), layer, LayerSpec{}, layer_attributes());
  }
}

void read_material(const Element& element, Reader& reader) {
  MaterialSpec material = reader.make_element(element, &DefaultSpec::material, 0);
  read_attributes(element, material, reader.report, name_attribute(), class_attribute(), material_attributes());
  if (material.name.empty()) reader.report.error(element, "a material needs a name");
  read_layers(element, material, reader);
  reader.spec.materials.push_back(std::move(material));
}

}  // namespace torsor::mjcf
