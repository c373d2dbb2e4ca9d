// Smooth lines and words on a picture.
#pragma once

#include "torsor/render/plot/drawing.hpp"

namespace torsor::render {

class Canvas {
 public:
  Canvas(int width, int height, const Rgb& background);
  // Draws on what is there.
  explicit Canvas(Picture picture);

  void fill(const BoxMark& box);
  void draw(const LineMark& line);
  void draw(const WordMark& word);
  Picture take() { return std::move(picture_); }

 private:
  // Raises the coverage of pixels near a segment.
  void cover(const Point& from, const Point& to, double width);
  // Blends the covered pixels and clears the coverage.
  void blend(const Rgb& colour);

  Picture picture_;
  std::vector<float> coverage_;
  int x0_, x1_, y0_, y1_;  // of what is covered
};

// The strokes of a character, on a grid on which capitals are 14 high, y up; and how far the next one is.
struct Glyph {
  std::vector<std::vector<Point>> strokes;
  double advance;
};
const Glyph& glyph_of(unsigned code);
// Width of a text in these strokes, in px.
double stroke_width(const std::string& text, double size);

}  // namespace torsor::render
