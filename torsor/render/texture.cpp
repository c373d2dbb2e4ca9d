// Sampling: bilinear between pixels, linear between levels, and several samples where a surface is seen at a flat
// angle.
#include "torsor/render/texture.hpp"

#include <algorithm>
#include <bit>
#include <cmath>

namespace torsor::render {
namespace {

// Between two packed colours; `part` of the second in 1/256, two channels at a time.
std::uint32_t mix(std::uint32_t a, std::uint32_t b, std::uint32_t part) {
  constexpr std::uint32_t kOuter = 0x00FF00FF, kInner = 0x0000FF00;
  const std::uint32_t rest = 256 - part;
  return ((((a & kOuter) * rest + (b & kOuter) * part) >> 8) & kOuter) |
         ((((a & kInner) * rest + (b & kInner) * part) >> 8) & kInner);
}

std::uint32_t in_256(float part) { return static_cast<std::uint32_t>(part * 256); }

Colour unpacked(std::uint32_t pixel) {
  constexpr float kScale = 1 / 255.0f;
  return {static_cast<float>(pixel & 255) * kScale, static_cast<float>((pixel >> 8) & 255) * kScale,
          static_cast<float>((pixel >> 16) & 255) * kScale};
}

// log2 to a tenth, for x >= 1: the exponent, and the rest as if it were linear.
float log2_about(float x) {
  const auto bits = std::bit_cast<std::uint32_t>(x);
  return static_cast<float>(bits) * (1.0f / (1 << 23)) - 127;
}

// 0 for what has no whole number.
int floor_of(float x) {
  if (!(std::abs(x) < 1e9f)) return 0;
  const int whole = static_cast<int>(x);
  return whole - (x < static_cast<float>(whole));
}

// From 0 to just below 1, also for numbers that are too large to have parts.
float part_of(float x) {
  const float part = x - static_cast<float>(floor_of(x));
  return part >= 0 && part < 1 ? part : 0;
}

// Samples along the longer side of what a pixel covers, by how much longer it is.
int taps_of(float ratio) { return ratio < 1.5f ? 1 : 2; }

}  // namespace

Texture::Texture(const view::TextureImage& image) : type_(image.type) {
  const int faces = is_flat() ? 1 : 6, height = image.height / faces;
  for (int face = 0; face < faces; ++face) {
    Level level{image.width, height, {}};
    const size_t count = static_cast<size_t>(image.width) * static_cast<size_t>(height);
    level.pixel.resize(count);
    for (size_t i = 0; i < count; ++i) {
      const std::uint8_t* rgb = &image.rgb[3 * (static_cast<size_t>(face) * count + i)];
      level.pixel[i] = rgb[0] | (static_cast<std::uint32_t>(rgb[1]) << 8) | (static_cast<std::uint32_t>(rgb[2]) << 16);
    }
    add_levels(faces_.emplace_back(), std::move(level));
  }
}

// Each level has half the size of the one before, down to one pixel; a pixel is the mean of those that it replaces.
void Texture::add_levels(std::vector<Level>& levels, Level first) {
  levels.push_back(std::move(first));
  while (levels.back().width > 1 || levels.back().height > 1) {
    const Level& from = levels.back();
    Level to{std::max(from.width / 2, 1), std::max(from.height / 2, 1), {}};
    to.pixel.resize(static_cast<size_t>(to.width) * static_cast<size_t>(to.height));
    for (int r = 0; r < to.height; ++r) {
      for (int c = 0; c < to.width; ++c) {
        std::uint32_t sum[3] = {2, 2, 2};  // rounds
        for (int k = 0; k < 4; ++k) {
          const int row = std::min(2 * r + k / 2, from.height - 1), column = std::min(2 * c + k % 2, from.width - 1);
          const std::uint32_t pixel = from.pixel[static_cast<size_t>(row * from.width + column)];
          for (int i = 0; i < 3; ++i) sum[i] += (pixel >> (8 * i)) & 255;
        }
        to.pixel[static_cast<size_t>(r * to.width + c)] = (sum[0] / 4) | (sum[1] / 4 << 8) | (sum[2] / 4 << 16);
      }
    }
    levels.push_back(std::move(to));
  }
}

// Middles of pixels are at whole numbers plus one half.
std::uint32_t Texture::Level::at(float column, float row, bool repeats) const {
  const float x = column - 0.5f, y = row - 0.5f;
  const int c = floor_of(x), r = floor_of(y);
  int c0, c1, r0, r1;
  if (repeats) {
    c0 = c < 0 ? c + width : c, c1 = c0 + 1 == width ? 0 : c0 + 1;  // from -1 to width - 1
    r0 = r < 0 ? r + height : r, r1 = r0 + 1 == height ? 0 : r0 + 1;
  } else {
    c0 = std::clamp(c, 0, width - 1), c1 = std::clamp(c + 1, 0, width - 1);
    r0 = std::clamp(r, 0, height - 1), r1 = std::clamp(r + 1, 0, height - 1);
  }
  const std::uint32_t *top = &pixel[static_cast<size_t>(r0 * width)], *low = &pixel[static_cast<size_t>(r1 * width)];
  const std::uint32_t part_x = in_256(x - static_cast<float>(c)), part_y = in_256(y - static_cast<float>(r));
  return mix(mix(top[c0], top[c1], part_x), mix(low[c0], low[c1], part_x), part_y);
}

Colour Texture::sample(float u, float v, const float (&right)[2], const float (&down)[2]) const {
  const std::vector<Level>& levels = faces_[0];
  const auto w = static_cast<float>(levels[0].width), h = static_cast<float>(levels[0].height);
  const float right2 = right[0] * right[0] * w * w + right[1] * right[1] * h * h;
  const float down2 = down[0] * down[0] * w * w + down[1] * down[1] * h * h;
  const bool is_right = right2 > down2;
  const float longer = std::sqrt(std::max(right2, down2)), shorter = std::sqrt(std::min(right2, down2));
  const int samples = longer <= 1 ? 1 : taps_of(longer / std::max(shorter, 1e-6f));
  const float level = log2_about(std::max(longer / static_cast<float>(samples), 1.0f));
  const int most = static_cast<int>(levels.size()) - 1;
  const int below = std::min(static_cast<int>(std::min(level, 64.0f)), most), above = std::min(below + 1, most);
  const float part = std::min(level - static_cast<float>(below), 1.0f);
  const float(&along)[2] = is_right ? right : down;
  std::uint32_t sum[3] = {0, 0, 0};
  for (int s = 0; s < samples; ++s) {
    const float shift = (static_cast<float>(s) + 0.5f) / static_cast<float>(samples) - 0.5f;
    const float us = part_of(u + shift * along[0]), vs = part_of(v + shift * along[1]);
    const auto read = [&](int i) {
      const Level& from = levels[static_cast<size_t>(i)];
      return from.at(us * static_cast<float>(from.width), vs * static_cast<float>(from.height), true);
    };
    // several samples are shared out between the two levels; a single one is a mixture
    const bool is_above = shift + 0.5f < part;
    const std::uint32_t colour =
        samples > 1 ? read(is_above ? above : below) : mix(read(below), read(above), in_256(part));
    for (int i = 0; i < 3; ++i) sum[i] += (colour >> (8 * i)) & 255;
  }
  const float scale = 1 / (255 * static_cast<float>(samples));
  return {static_cast<float>(sum[0]) * scale, static_cast<float>(sum[1]) * scale, static_cast<float>(sum[2]) * scale};
}

// Which face a direction meets, and where. [OpenGL 4.6, table 8.19]
Colour Texture::sample(const Vec3f& d) const {
  const float x = std::abs(d.x), y = std::abs(d.y), z = std::abs(d.z);
  size_t face;
  float s, t, m;
  if (x >= y && x >= z) {
    face = d.x > 0 ? 0 : 1, m = x, s = d.x > 0 ? -d.z : d.z, t = -d.y;
  } else if (y >= z) {
    face = d.y > 0 ? 2 : 3, m = y, s = d.x, t = d.y > 0 ? d.z : -d.z;
  } else {
    face = d.z > 0 ? 4 : 5, m = z, s = d.z > 0 ? d.x : -d.x, t = -d.y;
  }
  const Level& level = faces_[face][0];
  const float half = 0.5f / std::max(m, 1e-20f), width = static_cast<float>(level.width);
  return unpacked(level.at((s * half + 0.5f) * width, (t * half + 0.5f) * static_cast<float>(level.height), false));
}

}  // namespace torsor::render
