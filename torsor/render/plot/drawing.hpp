// A plot as lines, rectangles and words. Writers of files need to know no more.
#pragma once

#include <array>
#include <string>
#include <vector>

#include "torsor/render/plot/plot.hpp"

namespace torsor::render {

using Rgb = std::array<int, 3>;
using Point = std::array<double, 2>;  // px, y down

struct LineMark {
  std::vector<Point> points;
  Rgb colour;
  double width;
};
struct BoxMark {
  double x, y, width, height;
  Rgb colour;
  double opacity = 1;
};
enum class Anchor { kStart, kMiddle, kEnd };
struct WordMark {
  double x, y;  // of the base line
  std::string text;
  double size;  // px
  Rgb colour;
  Anchor anchor = Anchor::kStart;
  bool is_upright = false;  // reads from bottom to top
  bool is_bold = false;
};

struct Drawing {
  int width, height;
  Rgb background;
  std::vector<BoxMark> boxes;
  std::vector<LineMark> lines;
  std::vector<WordMark> words;
};

Drawing lay_out(const Plot& plot);

// Width of a text of this size, about as most fonts have it.
double text_width(const std::string& text, double size);

}  // namespace torsor::render
