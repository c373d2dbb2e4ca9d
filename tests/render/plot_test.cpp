// Ticks are round numbers, plots hold what they were given, and text cannot leave its element.
#include <cmath>
#include <string>

#include <gtest/gtest.h>

#include "torsor/core/error.hpp"
#include "torsor/render/plot/canvas.hpp"
#include "torsor/render/plot/plot.hpp"

namespace torsor::render {
namespace {

Plot line() {
  Plot plot;
  for (int i = 0; i <= 100; ++i) plot.x.push_back(0.1 * i);
  Signal signal{"height", {}};
  for (const double x : plot.x) signal.values.push_back(x * x);
  plot.panels.push_back({"qpos [m]", {signal}});
  return plot;
}

TEST(Ticks, AreRoundNumbersThatDivideTheRange) {
  EXPECT_EQ(make_ticks(0, 10, 5), (std::vector<double>{0, 2, 4, 6, 8, 10}));
  EXPECT_EQ(make_ticks(-1, 1, 4), (std::vector<double>{-1, -0.5, 0, 0.5, 1}));
  for (const double size : {1e-12, 3e-5, 0.7, 42.0, 9e8}) {
    const auto ticks = make_ticks(-size / 3, size, 6);
    EXPECT_GE(ticks.size(), 3u);
    EXPECT_LE(ticks.size(), 12u);
  }
}

TEST(Ticks, HaveAsManyDigitsAsTheirStepNeeds) {
  EXPECT_EQ(format_tick(0.25, 0.05), "0.25");
  EXPECT_EQ(format_tick(3, 1), "3");
  EXPECT_EQ(format_tick(0, 1e-9), "0");
  EXPECT_EQ(format_tick(2e-7, 1e-7), "2e-07");
  EXPECT_EQ(format_tick(1500000, 500000), "1.5e+06");
}

TEST(Svg, HasTheNamesOfSignalsAndAxes) {
  const std::string svg = to_svg(line());
  for (const char* text : {"height", "qpos [m]", "time [s]", "<polyline"}) EXPECT_NE(svg.find(text), svg.npos) << text;
}

TEST(Svg, TextOfAFileCannotLeaveItsElement) {
  Plot plot = line();
  plot.title = "</title><script>alert(1)</script>";
  plot.panels[0].signals[0].name = "a<b & \"c\"";
  const std::string svg = to_svg(plot);
  EXPECT_EQ(svg.find("<script"), svg.npos);
  EXPECT_NE(svg.find("a&lt;b &amp; &quot;c&quot;"), svg.npos);
}

TEST(Svg, ManyPointsMakeASmallFileThatKeepsItsExtremes) {
  Plot plot;
  Signal signal{"noise", {}};
  for (int i = 0; i < 200'000; ++i) {
    plot.x.push_back(1e-3 * i);
    signal.values.push_back(i == 123'456 ? 50 : std::sin(0.7 * i));
  }
  plot.panels.push_back({"y", {signal}});
  const std::string svg = to_svg(plot);
  EXPECT_LT(svg.size(), 100'000u);
  EXPECT_NE(svg.find(">50<"), svg.npos);
}

TEST(Plot, ASignalIsDrawnInItsColourWhereItIs) {
  Plot plot = line();
  const Picture picture = to_picture(plot);
  int blue = 0;
  for (size_t i = 0; i + 2 < picture.rgb.size(); i += 3) blue += picture.rgb[i] < 90 && picture.rgb[i + 2] > 200;
  EXPECT_GT(blue, 800);
  plot.is_dark = true;
  EXPECT_LT(to_picture(plot).rgb[0], 40);
}

TEST(Plot, NumbersThatAreNotFiniteInterruptTheLine) {
  Plot plot = line();
  const auto lines = [&] {
    const std::string svg = to_svg(plot);
    int count = 0;
    for (size_t at = svg.find("stroke-width=\"1.8\""); at != svg.npos; at = svg.find("stroke-width=\"1.8\"", at + 1))
      ++count;
    return count;
  };
  EXPECT_EQ(lines(), 1);
  plot.panels[0].signals[0].values[50] = std::nan("");
  plot.panels[0].signals[0].values[70] = INFINITY;
  EXPECT_EQ(lines(), 3);
  for (double& value : plot.panels[0].signals[0].values) value = std::nan("");
  EXPECT_EQ(lines(), 0);
}

TEST(Plot, BadInputIsRefused) {
  EXPECT_THROW(to_svg({}), Error);
  Plot plot = line();
  plot.panels[0].signals[0].values.pop_back();
  EXPECT_THROW(to_svg(plot), Error);
  plot = line();
  plot.width = 10;
  EXPECT_THROW(to_picture(plot), Error);
}

TEST(Font, HasEveryPrintableCharacterOfAscii) {
  const Glyph& unknown = glyph_of(0x4E00);
  for (unsigned code = 33; code < 127; ++code) EXPECT_NE(&glyph_of(code), &unknown) << code;
  for (unsigned code = 33; code < 127; ++code) {
    for (const auto& stroke : glyph_of(code).strokes) EXPECT_GE(stroke.size(), 2u) << code;
  }
}

}  // namespace
}  // namespace torsor::render
