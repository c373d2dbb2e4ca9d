// A pixel is covered by as much of it as lies within half the width of a line. The segments of one line do not add up
// where they meet: the largest coverage counts.
#include "torsor/render/plot/canvas.hpp"

#include <algorithm>
#include <cmath>

namespace torsor::render {
namespace {

constexpr double kCapital = 14;  // height of capitals on the grid of glyphs

// Characters of UTF-8 one after the other; bytes that are none become '?'.
template <class Each>
void for_each_character(const std::string& text, Each each) {
  for (size_t i = 0; i < text.size();) {
    const auto first = static_cast<unsigned char>(text[i++]);
    int more = first >= 0xF0 ? 3 : first >= 0xE0 ? 2 : first >= 0xC0 ? 1 : 0;
    unsigned code = more == 0 ? first : first & (0x3Fu >> more);
    for (; more > 0 && i < text.size() && (static_cast<unsigned char>(text[i]) & 0xC0) == 0x80; --more)
      code = code << 6 | (static_cast<unsigned char>(text[i++]) & 0x3Fu);
    each(more > 0 ? unsigned{'?'} : code);
  }
}

}  // namespace

namespace {

Picture make_blank(int width, int height, const Rgb& colour) {
  Picture picture{width, height, {}};
  picture.rgb.resize(3 * static_cast<size_t>(width) * static_cast<size_t>(height));
  for (size_t i = 0; i < picture.rgb.size(); ++i) picture.rgb[i] = static_cast<std::uint8_t>(colour[i % 3]);
  return picture;
}

}  // namespace

Canvas::Canvas(int width, int height, const Rgb& background) : Canvas(make_blank(width, height, background)) {}

Canvas::Canvas(Picture picture) : picture_(std::move(picture)) {
  coverage_.assign(static_cast<size_t>(picture_.width) * static_cast<size_t>(picture_.height), 0);
  x0_ = picture_.width, y0_ = picture_.height, x1_ = y1_ = 0;
}

void Canvas::fill(const BoxMark& box) {
  const int left = std::clamp(static_cast<int>(std::lround(box.x)), 0, picture_.width);
  const int right = std::clamp(static_cast<int>(std::lround(box.x + box.width)), 0, picture_.width);
  const int top = std::clamp(static_cast<int>(std::lround(box.y)), 0, picture_.height);
  const int bottom = std::clamp(static_cast<int>(std::lround(box.y + box.height)), 0, picture_.height);
  for (int y = top; y < bottom; ++y) {
    for (int x = left; x < right; ++x) {
      const size_t at = 3 * (static_cast<size_t>(y) * static_cast<size_t>(picture_.width) + static_cast<size_t>(x));
      for (size_t c = 0; c < 3; ++c) {
        std::uint8_t& value = picture_.rgb[at + c];
        value = static_cast<std::uint8_t>(std::lround(value + box.opacity * (box.colour[c] - value)));
      }
    }
  }
}

void Canvas::cover(const Point& from, const Point& to, double width) {
  const double reach = width / 2 + 1;
  const int left = std::clamp(static_cast<int>(std::min(from[0], to[0]) - reach), 0, picture_.width);
  const int right = std::clamp(static_cast<int>(std::max(from[0], to[0]) + reach) + 1, 0, picture_.width);
  const int top = std::clamp(static_cast<int>(std::min(from[1], to[1]) - reach), 0, picture_.height);
  const int bottom = std::clamp(static_cast<int>(std::max(from[1], to[1]) + reach) + 1, 0, picture_.height);
  const double dx = to[0] - from[0], dy = to[1] - from[1], square = dx * dx + dy * dy;
  for (int y = top; y < bottom; ++y) {
    for (int x = left; x < right; ++x) {
      const double px = x + 0.5 - from[0], py = y + 0.5 - from[1];
      const double part = square > 0 ? std::clamp((px * dx + py * dy) / square, 0.0, 1.0) : 0;
      const double distance = std::hypot(px - part * dx, py - part * dy);
      float& pixel = coverage_[static_cast<size_t>(y) * static_cast<size_t>(picture_.width) + static_cast<size_t>(x)];
      pixel = std::max(pixel, static_cast<float>(std::clamp(0.5 + width / 2 - distance, 0.0, 1.0)));
    }
  }
  x0_ = std::min(x0_, left), x1_ = std::max(x1_, right), y0_ = std::min(y0_, top), y1_ = std::max(y1_, bottom);
}

void Canvas::blend(const Rgb& colour) {
  for (int y = y0_; y < y1_; ++y) {
    for (int x = x0_; x < x1_; ++x) {
      const size_t at = static_cast<size_t>(y) * static_cast<size_t>(picture_.width) + static_cast<size_t>(x);
      const float part = coverage_[at];
      if (part == 0) continue;
      for (size_t c = 0; c < 3; ++c) {
        std::uint8_t& value = picture_.rgb[3 * at + c];
        value = static_cast<std::uint8_t>(std::lround(value + part * (static_cast<float>(colour[c]) - value)));
      }
      coverage_[at] = 0;
    }
  }
  x0_ = picture_.width, y0_ = picture_.height, x1_ = y1_ = 0;
}

void Canvas::draw(const LineMark& line) {
  // lines of the grid lie on pixels, not between them
  const bool is_grid = line.width == 1;
  const auto snapped = [&](const Point& p) {
    return is_grid ? Point{std::floor(p[0]) + 0.5, std::floor(p[1]) + 0.5} : p;
  };
  for (size_t i = 0; i + 1 < line.points.size(); ++i)
    cover(snapped(line.points[i]), snapped(line.points[i + 1]), line.width);
  blend(line.colour);
}

double stroke_width(const std::string& text, double size) {
  double length = 0;
  for_each_character(text, [&](unsigned code) { length += 0.72 * size / kCapital * glyph_of(code).advance; });
  return length;
}

void Canvas::draw(const WordMark& word) {
  const double scale = 0.72 * word.size / kCapital, thickness = (word.is_bold ? 0.13 : 0.095) * word.size;
  const double length = stroke_width(word.text, word.size);
  const double shift = word.anchor == Anchor::kStart ? 0 : word.anchor == Anchor::kMiddle ? -length / 2 : -length;
  double at = shift;
  for_each_character(word.text, [&](unsigned code) {
    const Glyph& glyph = glyph_of(code);
    const auto place = [&](const Point& p) {
      const double along = at + scale * p[0], up = scale * p[1];
      return word.is_upright ? Point{word.x + 4 - up, word.y - along} : Point{word.x + along, word.y - up};
    };
    for (const auto& stroke : glyph.strokes) {
      for (size_t i = 0; i + 1 < stroke.size(); ++i) cover(place(stroke[i]), place(stroke[i + 1]), thickness);
    }
    at += scale * glyph.advance;
  });
  blend(word.colour);
}

Picture to_picture(const Plot& plot) {
  const Drawing drawing = lay_out(plot);
  Canvas canvas(drawing.width, drawing.height, drawing.background);
  for (const BoxMark& box : drawing.boxes) canvas.fill(box);
  for (const LineMark& line : drawing.lines) canvas.draw(line);
  for (const WordMark& word : drawing.words) canvas.draw(word);
  return canvas.take();
}

}  // namespace torsor::render
