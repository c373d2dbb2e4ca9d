// A small font of strokes, for pictures of plots. A row describes one character: "l x y x y ..." is a line through
// points, "a x y rx ry from to" an arc around (x, y), angles in degrees, counter-clockwise from the right. Capitals are
// 14 high, small letters 10, and the base line is at 0.
#include <cmath>
#include <map>
#include <numbers>
#include <sstream>

#include "torsor/render/plot/canvas.hpp"

namespace torsor::render {
namespace {

struct Row {
  char character;
  double width;
  const char* strokes;
};

constexpr Row kRows[] = {
    {' ', 4, ""},
    {'A', 10, "l 0 0 5 14 10 0 l 1.8 5 8.2 5"},
    {'B', 10, "l 0 0 0 14 5 14 a 5 10.8 4 3.2 90 -90 l 5 7.6 0 7.6 a 5 3.8 5 3.8 90 -90 l 5 0 0 0"},
    {'C', 11, "a 6 7 6 7 50 310"},
    {'D', 10, "l 3 14 0 14 0 0 3 0 a 3 7 7 7 90 -90"},
    {'E', 9, "l 9 0 0 0 0 14 9 14 l 0 7.5 7 7.5"},
    {'F', 9, "l 0 0 0 14 9 14 l 0 7.5 7 7.5"},
    {'G', 12, "a 6 7 6 7 50 360 l 12 7 7 7"},
    {'H', 10, "l 0 0 0 14 l 10 0 10 14 l 0 7.4 10 7.4"},
    {'I', 0, "l 0 0 0 14"},
    {'J', 8, "a 4 4 4 4 190 360 l 8 4 8 14"},
    {'K', 9, "l 0 0 0 14 l 9 14 0 5 l 3 8 9.5 0"},
    {'L', 8, "l 0 14 0 0 8 0"},
    {'M', 12, "l 0 0 0 14 6 4 12 14 12 0"},
    {'N', 10, "l 0 0 0 14 10 0 10 14"},
    {'O', 12, "a 6 7 6 7 0 360"},
    {'P', 9, "l 0 0 0 14 5 14 a 5 10.5 4.5 3.5 90 -90 l 5 7 0 7"},
    {'Q', 12, "a 6 7 6 7 0 360 l 7.5 4 12 -1"},
    {'R', 9, "l 0 0 0 14 5 14 a 5 10.5 4.5 3.5 90 -90 l 5 7 0 7 l 5 7 9.5 0"},
    {'S', 10, "a 5 10.5 4.5 3.5 30 270 a 5 3.5 5 3.5 90 -150"},
    {'T', 10, "l 0 14 10 14 l 5 14 5 0"},
    {'U', 10, "l 0 14 0 5 a 5 5 5 5 180 360 l 10 5 10 14"},
    {'V', 10, "l 0 14 5 0 10 14"},
    {'W', 14, "l 0 14 3.5 0 7 11 10.5 0 14 14"},
    {'X', 9, "l 0 0 9 14 l 0 14 9 0"},
    {'Y', 10, "l 0 14 5 7 10 14 l 5 7 5 0"},
    {'Z', 9, "l 0 14 9 14 0 0 9 0"},
    {'a', 9, "a 4.5 5 4.5 5 0 360 l 9 10 9 0"},
    {'b', 9, "l 0 14 0 0 a 4.5 5 4.5 5 0 360"},
    {'c', 8, "a 5 5 5 5 50 310"},
    {'d', 9, "a 4.5 5 4.5 5 0 360 l 9 14 9 0"},
    {'e', 9.5, "l 0 5.4 9.6 5.4 a 4.8 5 4.8 5 5 315"},
    {'f', 5, "a 5 11 3 3 75 180 l 2 11 2 0 l 0 9.6 5 9.6"},
    {'g', 9, "a 4.5 5 4.5 5 0 360 l 9 10 9 0 a 4.5 0 4.5 4 0 -155"},
    {'h', 8, "l 0 14 0 0 a 4 6 4 4 180 0 l 8 6 8 0"},
    {'i', 0, "l 0 10 0 0 l 0 13 0 13.6"},
    {'j', 3, "l 3 10 3 -1 a 0.5 -1 2.5 3 0 -90 l 3 13 3 13.6"},
    {'k', 8, "l 0 14 0 0 l 7.5 10 0 4 l 2.5 6 8 0"},
    {'l', 0, "l 0 14 0 0"},
    {'m', 14, "l 0 10 0 0 a 3.5 6.5 3.5 3.5 180 0 l 7 6.5 7 0 a 10.5 6.5 3.5 3.5 180 0 l 14 6.5 14 0"},
    {'n', 8, "l 0 10 0 0 a 4 6 4 4 180 0 l 8 6 8 0"},
    {'o', 9.5, "a 4.75 5 4.75 5 0 360"},
    {'p', 9, "l 0 10 0 -4 a 4.5 5 4.5 5 0 360"},
    {'q', 9, "a 4.5 5 4.5 5 0 360 l 9 10 9 -4"},
    {'r', 5, "l 0 10 0 0 a 4 6 4 4 180 75"},
    {'s', 8, "a 4 7.4 3.6 2.6 30 270 a 4 2.4 4 2.4 90 -150"},
    {'t', 6, "l 2 13 2 3 a 5 3 3 3 180 290 l 0 9.8 6 9.8"},
    {'u', 8, "l 0 10 0 4 a 4 4 4 4 180 360 l 8 10 8 0"},
    {'v', 9, "l 0 10 4.5 0 9 10"},
    {'w', 12, "l 0 10 3 0 6 8.5 9 0 12 10"},
    {'x', 8, "l 0 0 8 10 l 0 10 8 0"},
    {'y', 9, "l 0 10 4.5 0 l 9 10 3 -4 1 -4"},
    {'z', 8, "l 0 10 8 10 0 0 8 0"},
    {'0', 9, "a 4.5 7 4.5 7 0 360"},
    {'1', 9, "l 1.5 11 5.5 14 5.5 0"},
    {'2', 9, "a 4.5 9.8 4.2 4.2 170 -25 l 8.3 8 0 0 9 0"},
    {'3', 9, "a 4.3 10.6 3.8 3.4 150 -90 a 4.3 3.6 4.6 3.6 90 -150"},
    {'4', 9.5, "l 7 0 7 14 0 4.5 9.5 4.5"},
    {'5', 9, "l 8.5 14 1.5 14 0.8 7.4 a 4.4 4.6 4.5 4.6 143 -150"},
    {'6', 9, "a 4.5 4.5 4.5 4.5 0 360 l 6.6 14 0.8 6.8"},
    {'7', 9, "l 0 14 9 14 3.5 0"},
    {'8', 9, "a 4.5 10.6 3.7 3.4 0 360 a 4.5 3.6 4.5 3.6 0 360"},
    {'9', 9, "a 4.5 9.5 4.5 4.5 0 360 l 2.4 0 8.2 7.2"},
    {'.', 0, "l 0 0 0 0.7"},
    {',', 1, "l 1 0.6 0 -2.4"},
    {':', 0, "l 0 0 0 0.7 l 0 8 0 8.7"},
    {';', 1, "l 1 0.6 0 -2.4 l 1 8 1 8.7"},
    {'!', 0, "l 0 14 0 4 l 0 0 0 0.7"},
    {'?', 8, "a 4 10.2 4 3.8 170 -60 l 6 6.9 4 5 4 3.6 l 4 0 4 0.7"},
    {'-', 6, "l 0 5.5 6 5.5"},
    {'+', 8, "l 0 6 8 6 l 4 2 4 10"},
    {'=', 8, "l 0 4 8 4 l 0 8 8 8"},
    {'*', 6, "l 3 7 3 14 l 0 8.8 6 12.2 l 0 12.2 6 8.8"},
    {'/', 6, "l 0 -1 6 15"},
    {'\\', 6, "l 0 15 6 -1"},
    {'|', 0, "l 0 -3 0 15"},
    {'(', 3, "a 6 6 6 10.5 130 230"},
    {')', 3, "a -3 6 6 10.5 50 -50"},
    {'[', 3, "l 3 -3 0 -3 0 15 3 15"},
    {']', 3, "l 0 -3 3 -3 3 15 0 15"},
    {'{', 4, "l 4 15 2 14 2 8 0 6 2 4 2 -2 4 -3"},
    {'}', 4, "l 0 15 2 14 2 8 4 6 2 4 2 -2 0 -3"},
    {'<', 8, "l 8 11 0 6 8 1"},
    {'>', 8, "l 0 11 8 6 0 1"},
    {'_', 9, "l 0 -2 9 -2"},
    {'%', 11, "a 2.2 11.2 2.2 2.8 0 360 a 8.8 2.8 2.2 2.8 0 360 l 1.5 0 9.5 14"},
    {'#', 10, "l 3 0 4 14 l 7 0 8 14 l 0 4.5 10 4.5 l 0.6 9.5 10.6 9.5"},
    {'&', 10, "l 10 0 2.6 9.4 a 4.6 11.2 2.4 2.8 200 -30 l 6.6 9.6 1 5.6 a 3.8 3.2 3.8 3.2 140 340 l 7.4 2.2 9.6 6"},
    {'@', 13, "a 6.5 5.5 6.5 7 -40 300 a 6.5 5.5 3 3.4 0 360"},
    {'$', 10, "a 5 10.5 4.5 3 30 270 a 5 4 5 3.5 90 -150 l 5 15 5 -1"},
    {'^', 7, "l 0 9 3.5 14 7 9"},
    {'~', 9, "a 2.3 6 2.3 1.6 180 0 a 6.8 6 2.3 1.6 180 360"},
    {'\'', 0, "l 0 14 0 10"},
    {'"', 3, "l 0 14 0 10 l 3 14 3 10"},
    {'`', 3, "l 0 14 3 11"},
};

constexpr double kSpace = 3.6;  // between characters

Glyph make_glyph(const Row& row) {
  Glyph glyph{{}, row.width + kSpace};
  std::istringstream words{row.strokes};
  for (char kind; words >> kind;) {
    std::vector<double> numbers;
    for (double number; words >> number;) numbers.push_back(number);
    words.clear();  // a letter ended the numbers
    std::vector<Point> stroke;
    if (kind == 'l') {
      for (size_t i = 0; i + 1 < numbers.size(); i += 2) stroke.push_back({numbers[i], numbers[i + 1]});
    } else {
      constexpr int kSteps = 24;
      for (int i = 0; i <= kSteps; ++i) {
        const double angle = (numbers[4] + (numbers[5] - numbers[4]) * i / kSteps) * std::numbers::pi / 180;
        stroke.push_back({numbers[0] + numbers[2] * std::cos(angle), numbers[1] + numbers[3] * std::sin(angle)});
      }
    }
    glyph.strokes.push_back(std::move(stroke));
  }
  return glyph;
}

std::map<unsigned, Glyph> make_font() {
  std::map<unsigned, Glyph> font;
  for (const Row& row : kRows) font.emplace(static_cast<unsigned>(row.character), make_glyph(row));
  return font;
}

}  // namespace

const Glyph& glyph_of(unsigned code) {
  static const std::map<unsigned, Glyph> kFont = make_font();
  static const Glyph kUnknown{{{{0, 0}, {8, 0}, {8, 12}, {0, 12}, {0, 0}}}, 8 + kSpace};
  const auto found = kFont.find(code);
  return found == kFont.end() ? kUnknown : found->second;
}

}  // namespace torsor::render
