// Signals of a trajectory for plots: which columns, in which panels, with which units.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "torsor/format/table.hpp"
#include "torsor/model/model.hpp"
#include "torsor/render/plot/plot.hpp"

namespace torsor::cli {

using Units = std::map<std::string, std::string>;  // of columns

// Units of the columns of trajectory_columns().
Units units_of(const Model& model);

// Columns whose names match one of the patterns, in the order of the table; all but the time if there are none. Those
// of one quantity and unit share a panel. Throws Error for a pattern that matches nothing.
render::Plot make_plot(const torsor::Table& table, const std::vector<std::string>& patterns, const Units& units);

}  // namespace torsor::cli
