// The pixels of a model's textures as arrays, under MuJoCo's names. The engine does not need them: they are read and
// drawn when they are asked for.
#include "textures.hpp"

#include <cstdint>
#include <vector>

#include "bindings.hpp"
#include "spec_values.hpp"

namespace torsor::python {
namespace {

using Contents = std::vector<view::TextureContents>;

// (pixels, colour space) of one texture, read if it is not in the model.
nb::object read_texture(ModelObject& self, int id) {
  const view::TextureSource source = textures_of(self);
  if (source.count() != self.model->ntex) throw Error("the model has no textures: it does not come from a model file");
  const view::TextureContents found = source.contents(id, true);
  const nb::object bytes = spec::make_array(found.bytes.data(), found.bytes.size());
  return nb::make_tuple(bytes.attr("reshape")(found.height, found.width, found.channels), found.colorspace);
}

// A texture that cannot be read is empty.
Contents contents_of(const ModelObject& self) {
  Contents made(static_cast<size_t>(self.model->ntex));
  const view::TextureSource source = textures_of(self);
  for (int i = 0; i < source.count() && source.count() == self.model->ntex; ++i) {
    try {
      made[static_cast<size_t>(i)] = source.contents(i, self.has_all_textures);
    } catch (const Error&) {
      continue;
    }
  }
  return made;
}

template <class Number, class F>
nb::object make_column(const Contents& contents, F&& number_of) {
  std::vector<Number> numbers;
  for (const view::TextureContents& each : contents) numbers.push_back(static_cast<Number>(number_of(each)));
  return spec::make_array(numbers.data(), numbers.size());
}

// Where each texture begins in tex_data, -1 for those that are not there.
nb::object make_addresses(const Contents& contents) {
  std::int64_t next = 0;
  return make_column<std::int64_t>(contents, [&](const view::TextureContents& each) {
    const std::int64_t begin = next;
    next += static_cast<std::int64_t>(each.bytes.size());
    return each.is_embedded ? begin : std::int64_t{-1};
  });
}

// Where the path of each texture begins in the paths of textures, -1 for those without a file.
nb::object make_path_addresses(const Contents& contents) {
  int next = 0;
  return make_column<int>(contents, [&](const view::TextureContents& each) {
    const int begin = next;
    if (each.path.empty()) return -1;
    next += static_cast<int>(each.path.size()) + 1;
    return begin;
  });
}

// One after the other, each ended by a zero byte.
nb::bytes make_paths(const Contents& contents) {
  std::string all;
  for (const view::TextureContents& each : contents)
    if (!each.path.empty()) all.append(each.path).push_back('\0');
  return nb::bytes(all.data(), all.size());
}

nb::object make_data(const Contents& contents) {
  std::vector<std::uint8_t> bytes;
  for (const view::TextureContents& each : contents) bytes.insert(bytes.end(), each.bytes.begin(), each.bytes.end());
  return spec::make_array(bytes.data(), bytes.size());
}

// Read-only arrays, the same ones every time.
nb::object array_of(ModelObject& self, const char* name) {
  using Each = view::TextureContents;
  if (self.texture_arrays.empty()) {
    const Contents contents = contents_of(self);
    self.texture_arrays = {
        {"tex_type", make_column<int>(contents, [](const Each& each) { return each.type; })},
        {"tex_colorspace", make_column<int>(contents, [](const Each& each) { return each.colorspace; })},
        {"tex_height", make_column<int>(contents, [](const Each& each) { return each.height; })},
        {"tex_width", make_column<int>(contents, [](const Each& each) { return each.width; })},
        {"tex_nchannel", make_column<int>(contents, [](const Each& each) { return each.channels; })},
        {"tex_adr", make_addresses(contents)},
        {"_texture_pathadr", make_path_addresses(contents)},
        {"tex_data", make_data(contents)},
    };
    for (const auto& [_, array] : self.texture_arrays) array.attr("flags").attr("writeable") = false;
    self.texture_arrays["_texture_paths"] = make_paths(contents);
  }
  return self.texture_arrays.at(name);
}

void add_array(nb::class_<ModelObject>& cls, const char* name, const char* meaning) {
  cls.def_prop_ro(
      name, [name](ModelObject& self) { return array_of(self, name); }, meaning);
}

}  // namespace

void bind_textures(nb::class_<ModelObject>& cls) {
  add_array(cls, "tex_type", "0 flat, 1 cube, 2 skybox");
  add_array(cls, "tex_colorspace", "0 auto, 1 linear, 2 sRGB");
  add_array(cls, "tex_height", "rows of pixels");
  add_array(cls, "tex_width", "pixels of a row");
  add_array(cls, "tex_nchannel", "bytes of a pixel");
  add_array(cls, "tex_adr", "first byte in tex_data, -1 for a texture whose file viewers read");
  add_array(cls, "_texture_pathadr", "where the file of a texture begins in _texture_paths, -1 for one without a file");
  add_array(cls, "_texture_paths", "files of textures, each ended by a zero byte");
  add_array(
      cls, "tex_data",
      "pixels of all textures, rows from the top; read from the files of the model when they are first asked for, and "
      "empty for a model from a binary file");
  cls.def("_texture", &read_texture);
  cls.def("_has_all_textures", [](ModelObject& self) {
    self.texture_arrays.clear();
    self.has_all_textures = true;
  });
  cls.def_prop_ro(
      "ntexdata", [](ModelObject& self) { return nb::len(array_of(self, "tex_data")); }, "bytes in tex_data");
}

}  // namespace torsor::python
