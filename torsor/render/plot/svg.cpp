// SVG: text that any browser, editor and word processor shows sharp at every size.
#include <fmt/format.h>

#include "torsor/render/plot/drawing.hpp"

namespace torsor::render {
namespace {

std::string hex(const Rgb& colour) { return fmt::format("#{:02x}{:02x}{:02x}", colour[0], colour[1], colour[2]); }

// Names come from files: what has a meaning in XML is written as an entity, control characters are left out.
std::string escaped(const std::string& text) {
  std::string result;
  for (const char c : text) {
    if (c == '&')
      result += "&amp;";
    else if (c == '<')
      result += "&lt;";
    else if (c == '>')
      result += "&gt;";
    else if (c == '"')
      result += "&quot;";
    else if (static_cast<unsigned char>(c) >= 32)
      result += c;
  }
  return result;
}

std::string word(const WordMark& mark) {
  constexpr const char* kAnchors[] = {"start", "middle", "end"};
  const std::string turn =
      mark.is_upright ? fmt::format(" transform=\"rotate(-90 {:.1f} {:.1f})\"", mark.x, mark.y) : "";
  return fmt::format(
      "<text x=\"{:.1f}\" y=\"{:.1f}\" font-size=\"{:g}\"{} text-anchor=\"{}\" fill=\"{}\"{}>{}</text>\n", mark.x,
      mark.is_upright ? mark.y + 4 : mark.y, mark.size, mark.is_bold ? " font-weight=\"600\"" : "",
      kAnchors[static_cast<int>(mark.anchor)], hex(mark.colour), turn, escaped(mark.text));
}

}  // namespace

std::string to_svg(const Plot& plot) {
  const Drawing drawing = lay_out(plot);
  std::string svg = fmt::format(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{0}\" height=\"{1}\" viewBox=\"0 0 {0} {1}\" role=\"img\" "
      "font-family=\"system-ui, 'Segoe UI', Helvetica, Arial, sans-serif\">\n<title>{2}</title>\n"
      "<rect width=\"{0}\" height=\"{1}\" fill=\"{3}\"/>\n",
      drawing.width, drawing.height, escaped(plot.title.empty() ? "Plot" : plot.title), hex(drawing.background));
  for (const BoxMark& box : drawing.boxes)
    svg += fmt::format("<rect x=\"{:.1f}\" y=\"{:.1f}\" width=\"{:.1f}\" height=\"{:.1f}\" fill=\"{}\"/>\n", box.x,
                       box.y, box.width, box.height, hex(box.colour));
  for (const LineMark& line : drawing.lines) {
    std::string points;
    for (const Point& point : line.points) points += fmt::format("{:.1f},{:.1f} ", point[0], point[1]);
    points.pop_back();
    svg += fmt::format(
        "<polyline points=\"{}\" fill=\"none\" stroke=\"{}\" stroke-width=\"{:g}\" "
        "stroke-linejoin=\"round\" stroke-linecap=\"round\"/>\n",
        points, hex(line.colour), line.width);
  }
  for (const WordMark& mark : drawing.words) svg += word(mark);
  return svg + "</svg>\n";
}

}  // namespace torsor::render
