// Checks the sizes of patterns and images.
#include "torsor/format/textures.hpp"

#include <array>
#include <cstdint>
#include <limits>
#include <sstream>

#include <fmt/format.h>

#include "torsor/format/files.hpp"
#include "torsor/format/mesh/mesh_file.hpp"
#include "torsor/format/mesh/png.hpp"

namespace torsor {
namespace {

class TextureCheck {
 public:
  TextureCheck(const Spec& spec, const TextureSpec& texture) : spec_(spec), texture_(texture) {}

  // Throws an Error for the first mistake.
  void run() const {
    check_reference();
    if (!is_embedded()) return;
    if (has_pattern()) return check_pattern();
    if (const auto file = attribute("file"); !file.empty()) return check_image(std::string(file));
    check_sides();
  }

  bool is_embedded() const {
    const std::string_view embed = attribute("embed");
    return embed == "true" || (embed != "false" && (!spec_.compiler.passthrough || why_embedded()));
  }

 private:
  bool has_pattern() const {
    const std::string_view pattern = attribute("builtin");
    return !pattern.empty() && pattern != "none";
  }

  // Why the pixels cannot be left to viewers; null if they can.
  const char* why_embedded() const {
    const auto [rows, columns] = numbers<2>("gridsize", {1, 1});
    if (has_pattern()) return "it is a pattern";
    if (attribute("file").empty()) return "it is not one file";
    if (attribute("hflip") == "true" || attribute("vflip") == "true") return "it is flipped";
    if (rows * columns != 1) return "it is a grid";
    return is_in_memory() ? "its file is in memory" : nullptr;
  }

  bool is_in_memory() const {
    if (!spec_.files || spec_.files->empty()) return false;
    const FileAccess memory{spec_.files, FolderList{std::vector<std::string>{}}};
    const std::string file(attribute("file"));
    try {
      return find_file(memory, {join_path(spec_.compiler.texturedir, file), file}).has_value();
    } catch (const Error&) {  // it may not be read from the disk
      return false;
    }
  }

  void check_reference() const {
    if (attribute("embed") != "false") return;
    if (const char* why = why_embedded()) fail(fmt::format("embed=\"false\" is not possible: {}", why));
  }

  [[noreturn]] void fail(const std::string& what) const {
    throw Error(fmt::format("texture '{}': {}", texture_.name, what));
  }

  std::string_view attribute(std::string_view name) const {
    for (const auto& [key, text] : texture_.attributes) {
      if (key == name) return text;
    }
    return {};
  }

  // The numbers of an attribute, which the reader has checked, or their default values.
  template <std::size_t N>
  std::array<int, N> numbers(std::string_view name, std::array<int, N> otherwise) const {
    std::istringstream text{std::string(attribute(name))};
    for (int& number : otherwise) text >> number;
    return otherwise;
  }

  bool is_flat() const { return attribute("type") == "2d"; }

  void check_pattern() const {
    const auto [width] = numbers<1>("width", {0});
    const auto [height] = numbers<1>("height", {0});
    const auto [channels] = numbers<1>("nchannel", {3});
    if (width < 1) fail("a builtin texture needs a positive width");
    if (is_flat() && height < 1) fail("a builtin texture of type 2d needs a positive height");
    if (channels != 3) fail("a builtin texture has 3 channels");
    const double pixels = double(width) * (is_flat() ? height : 6.0 * width);
    if (pixels * channels > std::numeric_limits<int>::max()) fail("it is too large");
  }

  // One image: of any size for a 2d texture; divided into squares for a cube.
  void check_image(const std::string& file) const {
    const ImageSize size = read_size(file);
    if (is_flat()) return;
    check_channels_of_cube();
    const auto [rows, columns] = numbers<2>("gridsize", {1, 1});
    constexpr int kMostSquares = 12;
    if (rows < 1 || columns < 1 || std::int64_t{rows} * columns > kMostSquares)
      fail(fmt::format("gridsize must be positive and have at most {} squares", kMostSquares));
    if (size.width % columns != 0 || size.height % rows != 0 || size.width / columns != size.height / rows)
      fail(fmt::format("'{}' has {} x {} pixels, which are not {} x {} squares", file, size.width, size.height, columns,
                       rows));
  }

  void check_channels_of_cube() const {
    if (numbers<1>("nchannel", {3})[0] != 3) fail("images of a cube or skybox have 3 channels");
  }

  // Up to six images: squares of the same size.
  void check_sides() const {
    int width = 0;
    if (!is_flat()) check_channels_of_cube();
    for (const char* side : {"fileright", "fileleft", "fileup", "filedown", "filefront", "fileback"}) {
      const std::string file(attribute(side));
      if (file.empty() || is_flat()) continue;
      const ImageSize size = read_size(file);
      if (size.width != size.height) fail(fmt::format("'{}' is not square", file));
      if (width > 0 && size.width != width) fail(fmt::format("'{}' differs in size from the other sides", file));
      width = size.width;
    }
    if (width == 0) fail("it has no image and no pattern");
  }

  // MuJoCo accepts a KTX file as it is, without checking its size.
  ImageSize read_size(const std::string& name) const {
    const FoundFile file = find_asset(spec_, spec_.compiler.texturedir, name, texture_.location);
    const std::string_view type = attribute("content_type");
    const std::string extension = file_extension(name);
    if (file.bytes->empty()) fail(fmt::format("'{}' is empty", file.path));
    if (type.starts_with("image/ktx") || (type.empty() && extension == "ktx")) {
      if (!is_flat()) fail(fmt::format("'{}' is a KTX image, which only a texture of type 2d can have", file.path));
      return {};
    }
    if (!type.starts_with("image/png") && !(type.empty() && extension == "png"))
      fail(fmt::format("'{}' has an unknown file type; supported are .png and .ktx", file.path));
    if (numbers<1>("nchannel", {3})[0] == 2) fail("an image has 1, 3 or 4 channels");
    return read_png_size(bytes_of(file), file.path);
  }

  const Spec& spec_;
  const TextureSpec& texture_;
};

}  // namespace

bool is_embedded(const Spec& spec, const TextureSpec& texture) { return TextureCheck(spec, texture).is_embedded(); }

void check_texture(const Spec& spec, const TextureSpec& texture, Diagnostics& diagnostics) {
  try {
    TextureCheck(spec, texture).run();
  } catch (const Error& error) {
    for (const Diagnostic& d : error.diagnostics()) diagnostics.error(texture.location, d.message, d.hint);
  }
}

}  // namespace torsor
