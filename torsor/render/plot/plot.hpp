// Plots of signals over time, as SVG or as a picture: panels one below the other that share their x axis.
#pragma once

#include <string>
#include <vector>

#include "torsor/render/picture.hpp"

namespace torsor::render {

struct Signal {
  std::string name;
  std::vector<double> values;  // one per x; a value that is not finite interrupts the line
};

// Signals with one y axis.
struct Panel {
  std::string label;  // of the y axis, with its unit
  std::vector<Signal> signals;
};

struct Plot {
  std::string title;
  std::string x_label = "time [s]";
  std::vector<double> x;
  std::vector<Panel> panels;
  bool is_dark = false;
  int width = 960, panel_height = 260;  // px
};

// Throw Error for a plot without points, panels or signals, or with signals of other lengths.
std::string to_svg(const Plot& plot);
Picture to_picture(const Plot& plot);

// Round numbers that divide a range into about `count` parts, ascending.
std::vector<double> make_ticks(double low, double high, int count);
// A number beside others that are `step` apart, with as many digits as that needs: "0.25", "1e-07".
std::string format_tick(double value, double step);

}  // namespace torsor::render
