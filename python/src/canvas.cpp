// Lines, boxes and words on pictures: what torsor.mujoco's mjr_text, mjr_overlay and mjr_figure draw with.
#include "canvas.hpp"

#include <algorithm>
#include <string>
#include <vector>

#include <nanobind/ndarray.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <fmt/format.h>

#include "torsor/core/error.hpp"
#include "torsor/render/plot/canvas.hpp"

namespace torsor::python {
namespace {

namespace nb = nanobind;
using namespace nb::literals;
using Pixels = nb::ndarray<std::uint8_t, nb::ndim<3>, nb::c_contig, nb::device::cpu>;

render::Rgb to_rgb(const std::vector<double>& colour) {
  if (colour.size() < 3) throw Error(fmt::format("a colour has at least 3 numbers, got {}", colour.size()));
  render::Rgb rgb;
  for (size_t c = 0; c < 3; ++c) rgb[c] = static_cast<int>(std::clamp(colour[c], 0.0, 1.0) * 255 + 0.5);
  return rgb;
}

// Draws on rows of a picture, which it gives back to them when it is deleted.
class CanvasObject {
 public:
  explicit CanvasObject(const Pixels& pixels) : canvas_(picture_of(pixels)) {}

  void box(double x, double y, double width, double height, const std::vector<double>& colour) {
    canvas_.fill({x, y, width, height, to_rgb(colour), colour.size() > 3 ? std::clamp(colour[3], 0.0, 1.0) : 1.0});
  }
  void line(const std::vector<double>& xs, const std::vector<double>& ys, const std::vector<double>& colour,
            double width) {
    if (xs.size() != ys.size()) throw Error("a line has as many x as y");
    render::LineMark mark{{}, to_rgb(colour), width};
    for (size_t i = 0; i < xs.size(); ++i) mark.points.push_back({xs[i], ys[i]});
    canvas_.draw(mark);
  }
  // anchor: -1 for the start of the text at x, 0 for its middle, 1 for its end.
  void word(double x, double y, const std::string& text, double size, const std::vector<double>& colour, int anchor,
            bool bold) {
    const auto at = anchor < 0 ? render::Anchor::kStart : anchor == 0 ? render::Anchor::kMiddle : render::Anchor::kEnd;
    canvas_.draw(render::WordMark{x, y, text, size, to_rgb(colour), at, false, bold});
  }
  void store(const Pixels& pixels) {
    const render::Picture picture = canvas_.take();
    if (picture.rgb.size() != pixels.size()) throw Error("the picture has another size");
    std::copy(picture.rgb.begin(), picture.rgb.end(), pixels.data());
    canvas_ = render::Canvas(picture);
  }

 private:
  static render::Picture picture_of(const Pixels& pixels) {
    if (pixels.shape(2) != 3) throw Error("a picture has 3 bytes per pixel");
    return {static_cast<int>(pixels.shape(1)), static_cast<int>(pixels.shape(0)),
            std::vector<std::uint8_t>(pixels.data(), pixels.data() + pixels.size())};
  }
  render::Canvas canvas_;
};

}  // namespace

void bind_canvas(nb::module_& m) {
  nb::class_<CanvasObject>(m, "_Canvas")
      .def(nb::init<const Pixels&>(), "pixels"_a.noconvert())
      .def("box", &CanvasObject::box, "x"_a, "y"_a, "width"_a, "height"_a, "colour"_a)
      .def("line", &CanvasObject::line, "xs"_a, "ys"_a, "colour"_a, "width"_a)
      .def("word", &CanvasObject::word, "x"_a, "y"_a, "text"_a, "size"_a, "colour"_a, "anchor"_a, "bold"_a)
      .def("store", &CanvasObject::store, "pixels"_a.noconvert());
  m.def("_text_width", &render::stroke_width, "text"_a, "size"_a);
}

}  // namespace torsor::python
