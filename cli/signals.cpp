// A column "qpos.root.x" is the quantity qpos of root.x; its ending says the unit where the model is not known.
#include "cli/signals.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <string_view>

#include <fmt/format.h>

#include "cli/terminal.hpp"
#include "cli/trajectory.hpp"
#include "cli/validators.hpp"
#include "torsor/core/error.hpp"

namespace torsor::cli {
namespace {

constexpr size_t kMostPanels = 16;

// '*' stands for any text. Goes back to the last star where the text does not fit, so the work is bounded.
bool matches(std::string_view text, std::string_view pattern) {
  size_t t = 0, p = 0, star = pattern.npos, from = 0;
  while (t < text.size()) {
    if (p < pattern.size() && pattern[p] == '*') {
      star = p++;
      from = t;
    } else if (p < pattern.size() && pattern[p] == text[t]) {
      ++p, ++t;
    } else if (star != pattern.npos) {
      p = star + 1;
      t = ++from;
    } else {
      return false;
    }
  }
  while (p < pattern.size() && pattern[p] == '*') ++p;
  return p == pattern.size();
}

std::string quantity_of(const std::string& column) { return column.substr(0, column.find('.')); }

// From the ending of a column of a free or ball joint; "" if it does not say.
std::string unit_by_ending(const std::string& column) {
  struct Ending {
    const char *text, *unit;
  };
  constexpr Ending kEndings[] = {{".x", "m"},      {".y", "m"},      {".z", "m"},     {".qw", "1"},   {".qx", "1"},
                                 {".qy", "1"},     {".qz", "1"},     {".vx", "m/s"},  {".vy", "m/s"}, {".vz", "m/s"},
                                 {".wx", "rad/s"}, {".wy", "rad/s"}, {".wz", "rad/s"}};
  for (const Ending& ending : kEndings) {
    if (column.ends_with(ending.text)) return ending.unit;
  }
  return "";
}

std::string label_of(const std::string& column, const Units& units) {
  const auto known = units.find(column);
  const std::string unit = known != units.end() ? known->second : unit_by_ending(column);
  return unit.empty() ? quantity_of(column) : fmt::format("{} [{}]", quantity_of(column), unit);
}

std::vector<size_t> choose(const torsor::Table& table, const std::vector<std::string>& patterns) {
  std::vector<bool> is_chosen(table.width(), patterns.empty());
  for (const std::string& pattern : patterns) {
    bool is_found = false;
    for (size_t c = 0; c < table.width(); ++c) {
      if (!matches(table.columns[c], pattern)) continue;
      is_chosen[c] = is_found = true;
    }
    if (!is_found)
      throw Error(fmt::format("no signal is named '{}'{}; --list shows all {}", printable(pattern),
                              did_you_mean(pattern, table.columns), table.width()));
  }
  if (patterns.empty() && table.find("time") >= 0) is_chosen[static_cast<size_t>(table.find("time"))] = false;
  std::vector<size_t> chosen;
  for (size_t c = 0; c < table.width(); ++c) {
    if (is_chosen[c]) chosen.push_back(c);
  }
  return chosen;
}

std::vector<double> column_of(const torsor::Table& table, size_t column) {
  std::vector<double> values(table.rows);
  for (size_t r = 0; r < table.rows; ++r) values[r] = table.at(r, column);
  return values;
}

}  // namespace

Units units_of(const Model& model) {
  Units units;
  const std::vector<std::string> columns = trajectory_columns(model);
  for (const std::string& column : columns) units[column] = unit_by_ending(column);
  size_t q = 1, v = 1 + static_cast<size_t>(model.nq);  // "time" comes first
  for (int j = 0; j < model.njnt; ++j) {
    const auto type = static_cast<JointType>(model.jnt_type[j]);
    const bool is_hinge = type == JointType::kHinge;
    if (is_hinge || type == JointType::kSlide) {
      units[columns[q]] = is_hinge ? "rad" : "m";
      units[columns[v]] = is_hinge ? "rad/s" : "m/s";
    }
    q += type == JointType::kFree ? 7 : type == JointType::kBall ? 4 : 1;
    v += type == JointType::kFree ? 6 : type == JointType::kBall ? 3 : 1;
  }
  return units;
}

render::Plot make_plot(const torsor::Table& table, const std::vector<std::string>& patterns, const Units& units) {
  render::Plot plot;
  const int time = table.find("time");
  if (time >= 0) plot.x = column_of(table, static_cast<size_t>(time));
  // rows of a table without a time, or with one that does not grow, are numbered
  const bool is_growing =
      std::adjacent_find(plot.x.begin(), plot.x.end(), [](double a, double b) { return !(b >= a); }) == plot.x.end() &&
      !plot.x.empty() && plot.x.back() > plot.x.front();
  if (!is_growing) {
    plot.x.resize(table.rows);
    std::iota(plot.x.begin(), plot.x.end(), 0);
    plot.x_label = "row";
  }
  std::map<std::string, size_t> panels;
  for (const size_t column : choose(table, patterns)) {
    const std::string& name = table.columns[column];
    const auto [place, is_new] = panels.try_emplace(label_of(name, units), plot.panels.size());
    if (is_new) plot.panels.push_back({place->first, {}});
    const size_t dot = name.find('.');
    plot.panels[place->second].signals.push_back(
        {printable(dot == name.npos ? name : name.substr(dot + 1)), column_of(table, column)});
  }
  if (plot.panels.size() > kMostPanels)
    throw Error(fmt::format("these signals need {} panels, a plot has at most {}: choose some with --signals",
                            plot.panels.size(), kMostPanels));
  return plot;
}

}  // namespace torsor::cli
