// Axes, grid, lines and legends of a plot.
#include <algorithm>
#include <cmath>
#include <limits>

#include <fmt/format.h>

#include "torsor/core/error.hpp"
#include "torsor/render/plot/drawing.hpp"

namespace torsor::render {
namespace {

constexpr double kLeft = 74, kRight = 20, kTop = 18, kTitle = 30, kBottom = 50, kLegend = 24, kGap = 12;
constexpr double kTextSize = 13, kTitleSize = 17;
constexpr size_t kMostNames = 8;  // in a legend

struct Theme {
  Rgb background, plot, grid, axis, text;
  std::array<Rgb, 8> line;
};
constexpr Theme kLight{{255, 255, 255},
                       {249, 250, 251},
                       {226, 229, 234},
                       {120, 128, 140},
                       {31, 36, 46},
                       {{{37, 99, 235},
                         {220, 58, 48},
                         {22, 150, 84},
                         {214, 130, 6},
                         {124, 68, 222},
                         {8, 145, 178},
                         {214, 50, 126},
                         {96, 128, 16}}}};
constexpr Theme kDark{{17, 20, 26},
                      {24, 28, 36},
                      {46, 52, 64},
                      {130, 138, 152},
                      {226, 230, 238},
                      {{{96, 160, 255},
                        {255, 116, 104},
                        {70, 205, 130},
                        {245, 176, 60},
                        {178, 140, 255},
                        {64, 200, 224},
                        {255, 120, 180},
                        {165, 205, 80}}}};

void check(const Plot& plot) {
  if (plot.x.empty()) throw Error("nothing to plot: there are no rows");
  if (plot.panels.empty()) throw Error("nothing to plot: no signals are chosen");
  for (const Panel& panel : plot.panels) {
    if (panel.signals.empty()) throw Error(fmt::format("the panel '{}' has no signals", panel.label));
    for (const Signal& signal : panel.signals) {
      if (signal.values.size() != plot.x.size())
        throw Error(
            fmt::format("signal '{}' has {} values for {} points", signal.name, signal.values.size(), plot.x.size()));
    }
  }
  if (plot.width < 200 || plot.panel_height < 80 || plot.width > kLargestSide ||
      static_cast<double>(plot.panel_height) * static_cast<double>(plot.panels.size()) > kLargestSide / 2.0)
    throw Error(fmt::format("a plot of {} px with {} panels of {} px cannot be drawn", plot.width, plot.panels.size(),
                            plot.panel_height));
}

// The finite numbers of lists lie between these.
struct Range {
  double low = std::numeric_limits<double>::infinity(), high = -low;
  void add(const std::vector<double>& values) {
    for (const double value : values) {
      if (std::isfinite(value)) low = std::min(low, value), high = std::max(high, value);
    }
  }
  // Never empty: numbers that are all the same are in the middle.
  void settle(double margin) {
    if (!(low <= high)) low = 0, high = 1;
    double size = high - low;
    const double least = std::max({std::abs(low), std::abs(high)}) * 1e-9;
    if (!(size > least)) size = std::max(std::abs(low) * 0.1, 1e-3), low -= size, high += size;
    low -= margin * size, high += margin * size;
  }
};

class Layout {
 public:
  explicit Layout(const Plot& plot) : plot_(plot), theme_(plot.is_dark ? kDark : kLight) {
    x_range_.add(plot.x);
    x_range_.settle(0);
    const double top = kTop + (plot.title.empty() ? 0 : kTitle);
    drawing_.width = plot.width;
    drawing_.height = static_cast<int>(top + kBottom) + static_cast<int>(plot.panels.size()) * plot.panel_height;
    drawing_.background = theme_.background;
    left_ = kLeft, right_ = plot.width - kRight;
    if (!plot.title.empty())
      drawing_.words.push_back({left_, kTop + 12, plot.title, kTitleSize, theme_.text, Anchor::kStart, false, true});
    for (size_t p = 0; p < plot.panels.size(); ++p) {
      top_ = top + static_cast<double>(p) * plot.panel_height + kLegend;
      bottom_ = top_ + plot.panel_height - kLegend - kGap;
      add_panel(plot.panels[p], p + 1 == plot.panels.size());
    }
  }

  Drawing take() { return std::move(drawing_); }

 private:
  double x_of(double value) const {
    return left_ + (right_ - left_) * (value - x_range_.low) / (x_range_.high - x_range_.low);
  }
  double y_of(double value) const {
    return bottom_ - (bottom_ - top_) * (value - y_range_.low) / (y_range_.high - y_range_.low);
  }

  void add_line(std::vector<Point> points, const Rgb& colour, double width) {
    drawing_.lines.push_back({std::move(points), colour, width});
  }
  void add_word(double x, double y, std::string text, Anchor anchor, double size = kTextSize) {
    drawing_.words.push_back({x, y, std::move(text), size, theme_.text, anchor});
  }

  void add_panel(const Panel& panel, bool is_last) {
    y_range_ = {};
    for (const Signal& signal : panel.signals) y_range_.add(signal.values);
    y_range_.settle(0.05);
    drawing_.boxes.push_back({left_, top_, right_ - left_, bottom_ - top_, theme_.plot});
    add_ticks(is_last);
    for (size_t s = 0; s < panel.signals.size(); ++s) add_signal(panel.signals[s], theme_.line[s % theme_.line.size()]);
    add_legend(panel);
    drawing_.words.push_back({16, (top_ + bottom_) / 2, panel.label, kTextSize, theme_.text, Anchor::kMiddle, true});
    if (is_last) add_word((left_ + right_) / 2, bottom_ + 38, plot_.x_label, Anchor::kMiddle);
  }

  void add_ticks(bool is_last) {
    const std::vector<double> across = make_ticks(x_range_.low, x_range_.high, std::max(2, plot_.width / 110));
    const std::vector<double> up = make_ticks(y_range_.low, y_range_.high, std::max(2, plot_.panel_height / 50));
    const auto step = [](const std::vector<double>& ticks) { return ticks.size() > 1 ? ticks[1] - ticks[0] : 1.0; };
    for (const double tick : across) {
      add_line({{x_of(tick), top_}, {x_of(tick), bottom_}}, theme_.grid, 1);
      if (is_last) add_word(x_of(tick), bottom_ + 18, format_tick(tick, step(across)), Anchor::kMiddle);
    }
    for (const double tick : up) {
      add_line({{left_, y_of(tick)}, {right_, y_of(tick)}}, theme_.grid, 1);
      add_word(left_ - 8, y_of(tick) + 4.5, format_tick(tick, step(up)), Anchor::kEnd);
    }
    add_line({{left_, top_}, {left_, bottom_}, {right_, bottom_}}, theme_.axis, 1);
  }

  // Many points in one column of pixels become its lowest and its highest.
  void add_signal(const Signal& signal, const Rgb& colour) {
    std::vector<Point> points;
    const auto finish = [&] {
      if (points.size() == 1) points.push_back(points[0]);
      if (!points.empty()) add_line(std::move(points), colour, 1.8);
      points.clear();
    };
    const size_t count = plot_.x.size();
    for (size_t i = 0; i < count;) {
      if (!std::isfinite(signal.values[i]) || !std::isfinite(plot_.x[i])) {
        finish();
        ++i;
        continue;
      }
      const double x = x_of(plot_.x[i]);
      size_t end = i, low = i, high = i;
      while (end < count && std::isfinite(signal.values[end]) && std::abs(x_of(plot_.x[end]) - x) < 1) {
        if (signal.values[end] < signal.values[low]) low = end;
        if (signal.values[end] > signal.values[high]) high = end;
        ++end;
      }
      end = std::max(end, i + 1);
      for (const size_t at : {std::min(low, high), std::max(low, high)}) {
        const Point point{x_of(plot_.x[at]), y_of(signal.values[at])};
        if (points.empty() || point != points.back()) points.push_back(point);
        if (low == high) break;
      }
      i = end;
    }
    finish();
  }

  void add_legend(const Panel& panel) {
    double x = left_;
    const double y = top_ - 8;
    for (size_t s = 0; s < panel.signals.size(); ++s) {
      const std::string& name = panel.signals[s].name;
      const double width = 26 + text_width(name, kTextSize) + 16;
      if (s >= kMostNames || (s > 0 && x + width > right_ - 60)) {
        add_word(x, y, fmt::format("and {} more", panel.signals.size() - s), Anchor::kStart);
        return;
      }
      add_line({{x, y - 4}, {x + 20, y - 4}}, theme_.line[s % theme_.line.size()], 3);
      add_word(x + 26, y, name, Anchor::kStart);
      x += width;
    }
  }

  const Plot& plot_;
  const Theme& theme_;
  Drawing drawing_;
  Range x_range_, y_range_;
  double left_, right_, top_ = 0, bottom_ = 0;
};

}  // namespace

Drawing lay_out(const Plot& plot) {
  check(plot);
  return Layout(plot).take();
}

double text_width(const std::string& text, double size) {
  double characters = 0;
  for (const char c : text) characters += (static_cast<unsigned char>(c) & 0xC0) != 0x80;  // of UTF-8
  return 0.6 * size * characters;
}

}  // namespace torsor::render
