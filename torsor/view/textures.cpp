// Builtin patterns as MJCF describes them, and images of files.
#include "torsor/view/textures.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <random>
#include <sstream>
#include <string_view>

#include <fmt/format.h>

#include "torsor/format/files.hpp"
#include "torsor/format/mesh/mesh_file.hpp"
#include "torsor/format/mesh/png.hpp"
#include "torsor/format/textures.hpp"
#include "torsor/math/vec3.hpp"

namespace torsor::view {
namespace {

using Colour = std::array<double, 3>;
enum Face { kRight, kLeft, kUp, kDown, kFront, kBack, kFaces };

// Runs smoothly from 0 at -1 to 1 at +1, steepest at 0.
double smooth_step(double x) {
  const double t = std::clamp(x, -1.0, 1.0);
  return 0.5 + t / std::sqrt(1 + t * t) / std::numbers::sqrt2;
}

Colour mix(const Colour& a, const Colour& b, double part_of_b) {
  Colour result;
  for (size_t i = 0; i < 3; ++i) result[i] = a[i] + (b[i] - a[i]) * part_of_b;
  return result;
}

// Direction of the middle of a pixel's place on a face: x right, y up, z out of the face.
double elevation_of(int face, double x, double y) {
  if (face == kUp || face == kDown) {
    const double angle = std::atan2(1.0, std::sqrt(x * x + y * y));
    return face == kUp ? angle : -angle;
  }
  return std::atan2(y, std::sqrt(1 + x * x));
}

class Painter {
 public:
  Painter(const Spec& spec, const TextureSpec& texture) : spec_(spec), texture_(texture) {
    const std::string_view type = attribute("type");
    image_.type = type == "2d" ? TextureType::k2d : type == "skybox" ? TextureType::kSkybox : TextureType::kCube;
  }

  TextureImage paint() {
    const std::string_view pattern = attribute("builtin");
    if (!pattern.empty() && pattern != "none") {
      paint_pattern(pattern);
    } else if (const auto file = attribute("file"); !file.empty()) {
      is_flat() ? paint_flat_file(std::string(file)) : paint_grid(std::string(file));
    } else if (!is_flat()) {
      paint_sides();
    }
    return std::move(image_);
  }

  TextureContents contents(bool all) {
    TextureContents made;
    made.type = static_cast<int>(image_.type);
    made.channels = numbers<int, 1>("nchannel", {3})[0];
    const std::string file(attribute("file"));
    const CompilerSpec& compiler = spec_.compiler;
    if (!file.empty())
      made.path =
          join_path(spec_.base_dir, join_path(compiler.texturedir, compiler.strippath ? base_name(file) : file));
    if (!all && !is_embedded(spec_, texture_)) {
      made.is_embedded = false;
      made.colorspace = written_colorspace();
      return made;
    }
    if (has_pattern() || file.empty() || !is_single()) {
      made.colorspace = colorspace();
      TextureImage image = paint();
      made.width = image.width, made.height = image.height, made.bytes = std::move(image.rgb);
      return made;
    }
    made.colorspace = colorspace();
    Image image = read(file, made.channels);
    made.width = image.width, made.height = image.height, made.bytes = std::move(image.pixels);
    return made;
  }

 private:
  bool has_pattern() const {
    const std::string_view pattern = attribute("builtin");
    return !pattern.empty() && pattern != "none";
  }

  // One image that is kept as it is: flat, or the same for all sides of a cube.
  bool is_single() const {
    const auto [rows, columns] = numbers<int, 2>("gridsize", {1, 1});
    return is_flat() || (rows == 1 && columns == 1);
  }

  int written_colorspace() const {
    const std::string_view word = attribute("colorspace");
    return word == "linear" ? 1 : word == "sRGB" ? 2 : 0;
  }

  // That of images is in their files, unless the model says it.
  int colorspace() const {
    if (written_colorspace() != 0 || has_pattern()) return written_colorspace();
    for (const char* name : {"file", "fileright", "fileleft", "fileup", "filedown", "filefront", "fileback"}) {
      const std::string file(attribute(name));
      if (file.empty()) continue;
      const FoundFile found = find_asset(spec_, spec_.compiler.texturedir, file, texture_.location);
      return is_srgb_png(bytes_of(found)) ? 2 : 1;
    }
    return 0;
  }

  bool is_flat() const { return image_.type == TextureType::k2d; }

  std::string_view attribute(std::string_view name) const {
    for (const auto& [key, text] : texture_.attributes) {
      if (key == name) return text;
    }
    return {};
  }

  template <class T, size_t N>
  std::array<T, N> numbers(std::string_view name, std::array<T, N> otherwise) const {
    std::istringstream text{std::string(attribute(name))};
    for (T& number : otherwise) text >> number;
    return otherwise;
  }

  void resize(int width, int height) {
    image_.width = width;
    image_.height = height;
    image_.rgb.assign(size_t(width) * size_t(height) * 3, 0);
  }

  void set(int row, int column, const Colour& colour) {
    std::uint8_t* pixel = &image_.rgb[(size_t(row) * size_t(image_.width) + size_t(column)) * 3];
    for (size_t i = 0; i < 3; ++i) pixel[i] = static_cast<std::uint8_t>(255 * std::clamp(colour[i], 0.0, 1.0));
  }

  void paint_pattern(std::string_view pattern) {
    const int width = numbers<int, 1>("width", {0})[0];
    const int height = is_flat() ? numbers<int, 1>("height", {0})[0] : width;
    const Colour rgb1 = numbers<double, 3>("rgb1", {0.8, 0.8, 0.8}), rgb2 = numbers<double, 3>("rgb2", {0.5, 0.5, 0.5});
    const int faces = is_flat() ? 1 : int{kFaces};
    resize(width, height * faces);
    // MuJoCo divides by zero in gradients of one row or column, and gets black
    const bool is_black = pattern == "gradient" && (width == 1 || height == 1);
    std::mt19937_64 random(42);
    for (int face = 0; face < faces; ++face) {
      for (int r = 0; r < height; ++r) {
        for (int c = 0; c < width && !is_black; ++c)
          set(face * height + r, c, mix(rgb1, rgb2, part_of_second(pattern, face, r, c, width, height)));
      }
      mark(face * height, width, height, random);
    }
  }

  // How much of the second colour a pixel has.
  double part_of_second(std::string_view pattern, int face, int r, int c, int width, int height) const {
    if (pattern == "flat") return face == kDown ? 1 : 0;
    if (pattern == "checker") {
      const bool is_even = (r < height / 2) == (c < width / 2);
      return is_even != (face >= kFront) ? 0 : 1;
    }
    const double x = 2.0 * c / std::max(width - 1, 1) - 1, y = 1 - 2.0 * r / std::max(height - 1, 1);
    if (is_flat()) return smooth_step(2 * std::sqrt(x * x + y * y) - 1);
    return 1 - smooth_step(elevation_of(face, x, y) / (std::numbers::pi / 2));
  }

  // Random dots are MuJoCo's.
  void mark(int top, int width, int height, std::mt19937_64& random) {
    const std::string_view kind = attribute("mark");
    const Colour colour = numbers<double, 3>("markrgb", {0, 0, 0});
    const double part = numbers<double, 1>("random", {0.01})[0];
    for (int r = 0; r < height; ++r) {
      for (int c = 0; c < width; ++c) {
        const bool is_edge = r == 0 || c == 0 || r == height - 1 || c == width - 1;
        const bool is_cross = r == height / 2 || c == width / 2;
        const bool is_dot = kind == "random" && std::ldexp(static_cast<double>(random()), -64) < part;
        if ((kind == "edge" && is_edge) || (kind == "cross" && is_cross) || is_dot) set(top + r, c, colour);
      }
    }
  }

  // MuJoCo takes the red of coloured images as grey.
  static Image read_red(Bytes bytes, const std::string& path) {
    Image image = read_png(bytes, path, 3);
    for (size_t i = 0; 3 * i < image.pixels.size(); ++i) image.pixels[i] = image.pixels[3 * i];
    image.pixels.resize(image.pixels.size() / 3);
    image.channels = 1;
    return image;
  }

  // Without pixels for a KTX image.
  Image read(const std::string& name, int channels = 3) const {
    const FoundFile file = find_asset(spec_, spec_.compiler.texturedir, name, texture_.location);
    const std::string_view type = attribute("content_type");
    if (type.starts_with("image/ktx") || (type.empty() && file_extension(name) == "ktx")) return {};
    Image image = channels == 1 ? read_red(bytes_of(file), file.path) : read_png(bytes_of(file), file.path, channels);
    const auto row = [&](int r) { return image.pixels.begin() + std::ptrdiff_t(r) * image.width * channels; };
    if (attribute("vflip") == "true") {
      for (int r = 0; r < image.height / 2; ++r) std::swap_ranges(row(r), row(r + 1), row(image.height - 1 - r));
    }
    if (attribute("hflip") == "true") {
      for (int r = 0; r < image.height; ++r) {
        for (int c = 0; c < image.width / 2; ++c)
          std::swap_ranges(row(r) + channels * c, row(r) + channels * (c + 1),
                           row(r) + channels * (image.width - 1 - c));
      }
    }
    return image;
  }

  void paint_flat_file(const std::string& file) {
    Image image = read(file);
    image_.width = image.width;
    image_.height = image.height;
    image_.rgb = std::move(image.pixels);
  }

  // Copies a square of an image, with its upper left corner at (row, column), to a face.
  void copy_square(const Image& image, int row, int column, int face) {
    const int side = image_.width;
    for (int r = 0; r < side; ++r)
      std::copy_n(&image.pixels[(size_t(row + r) * size_t(image.width) + size_t(column)) * 3], size_t(side) * 3,
                  &image_.rgb[(size_t(face) * size_t(side) + size_t(r)) * size_t(side) * 3]);
  }

  // One image: the same on all faces, or divided by a grid whose letters say which face is where.
  void paint_grid(const std::string& file) {
    const Image image = read(file);
    const auto [rows, columns] = numbers<int, 2>("gridsize", {1, 1});
    if (image.width == 0 || rows < 1 || columns < 1) return;
    const int side = image.width / columns;
    resize(side, side * kFaces);
    if (rows * columns == 1) {
      for (int face = 0; face < kFaces; ++face) copy_square(image, 0, 0, face);
      return;
    }
    const Colour empty = numbers<double, 3>("rgb1", {0.8, 0.8, 0.8});
    for (int r = 0; r < image_.height; ++r) {
      for (int c = 0; c < side; ++c) set(r, c, empty);
    }
    constexpr std::string_view kLetters = "RLUDFB";
    const std::string_view layout = attribute("gridlayout");
    for (size_t i = 0; i < std::min(layout.size(), size_t(rows * columns)); ++i) {
      const size_t face = kLetters.find(layout[i]);
      if (face == kLetters.npos) continue;
      const int at = static_cast<int>(i);
      copy_square(image, at / columns * side, at % columns * side, static_cast<int>(face));
    }
  }

  void paint_sides() {
    const Colour empty = numbers<double, 3>("rgb1", {0.8, 0.8, 0.8});
    constexpr const char* kSides[kFaces] = {"fileright", "fileleft", "fileup", "filedown", "filefront", "fileback"};
    for (int face = 0; face < kFaces; ++face) {
      const std::string_view file = attribute(kSides[face]);
      if (file.empty()) continue;
      const Image image = read(std::string(file));
      if (image_.width == 0) {
        resize(image.width, image.width * kFaces);
        for (int r = 0; r < image_.height; ++r) {
          for (int c = 0; c < image_.width; ++c) set(r, c, empty);
        }
      }
      copy_square(image, 0, 0, face);
    }
  }

  const Spec& spec_;
  const TextureSpec& texture_;
  TextureImage image_;
};

}  // namespace

TextureSource::TextureSource(const Spec& spec) {
  spec_.base_dir = spec.base_dir;
  spec_.files = spec.files;
  spec_.restrict = spec.restrict;
  spec_.memory_limit = spec.memory_limit;
  spec_.compiler = spec.compiler;
  spec_.textures = spec.textures;
}

TextureImage TextureSource::make(int texture) const {
  return Painter(spec_, spec_.textures[static_cast<size_t>(texture)]).paint();
}

TextureContents TextureSource::contents(int texture, bool all) const {
  return Painter(spec_, spec_.textures[static_cast<size_t>(texture)]).contents(all);
}

}  // namespace torsor::view
