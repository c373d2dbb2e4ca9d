// A model as tables.
#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "cli/inspection.hpp"
#include "cli/model_source.hpp"
#include "cli/names.hpp"
#include "cli/numbers.hpp"
#include "cli/table.hpp"
#include "torsor/dynamics/dynamics.hpp"

namespace torsor::cli {
namespace {

constexpr int kWidth = 100;  // of tables on narrower terminals and in files

std::string summary(const Model& model, const Terminal& terminal) {
  const Totals totals(model);
  Table table({{}, {}});
  table.add({"model", printable(model.name())});
  table.add(
      {"size", fmt::format("{}, nq {}, {}, {}, {}, {}", describe_size(model), model.nq,
                           format_plural(model.ntree, "tree", "trees"), format_plural(model.ngeom, "geom", "geoms"),
                           format_plural(model.nsite, "site", "sites"), format_plural(model.nmesh, "mesh", "meshes"))});
  if (model.nmeshtri > 0) {
    const auto by_triangles = std::count(model.geom_meshcollision.begin(), model.geom_meshcollision.end(),
                                         static_cast<int>(MeshCollision::kTriangles));
    table.add({"collision", fmt::format("{} as triangle meshes ({} triangles)",
                                        format_plural(static_cast<int>(by_triangles), "geom collides", "geoms collide"),
                                        model.nmeshtri)});
  }
  table.add(
      {"mass", fmt::format("{} kg, centre of mass at {} m", format_number(totals.mass), format_vector(totals.com, 3))});
  table.add({"method",
             fmt::format("{}, timestep {} s, gravity {} m/s^2", name_of(static_cast<Integrator>(model.opt.integrator)),
                         format_number(model.opt.timestep), format_vector(model.opt.gravity, 3))});
  table.add(
      {"memory", fmt::format("model {}, data {}", format_bytes(totals.model_bytes), format_bytes(totals.data_bytes))});
  return table.text(terminal);
}

using Columns = std::vector<const InspectColumn*>;

Table make_table(const Model& model, const InspectSection& section, const Columns& shown) {
  const int count = section.count(model);
  std::vector<Column> columns;
  for (const InspectColumn* column : shown) {
    bool is_number = true;  // numbers are aligned right
    for (int i = 0; i < count && is_number; ++i) is_number = !column->text && column->value(model, i).is_number();
    columns.push_back({column->title, is_number ? Align::kRight : Align::kLeft});
  }
  Table table(columns);
  for (int i = 0; i < count; ++i) {
    std::vector<std::string> cells;
    for (const InspectColumn* column : shown)
      cells.push_back(column->text ? column->text(model, i) : cell_text(column->value(model, i)));
    table.add(cells);
  }
  return table;
}

// The width of a table, without the escape sequences of its titles.
int width_of(const Table& table, const Terminal& terminal) {
  const std::vector<std::string> lines = table.lines(terminal);
  int width = columns_of(lines.front()) - columns_of(terminal.paint(Style::kBold, ""));
  for (size_t i = 1; i < lines.size(); ++i) width = std::max(width, columns_of(lines[i]));
  return width;
}

bool is_empty(const Model& model, const InspectSection& section, const InspectColumn& column) {
  for (int i = 0; i < section.count(model); ++i) {
    if ((column.text ? column.text(model, i) : cell_text(column.value(model, i))) != "-") return false;
  }
  return true;
}

std::string section_text(const Model& model, const InspectSection& section, const Terminal& terminal) {
  const int count = section.count(model);
  if (count == 0) return {};
  Columns shown;
  for (const InspectColumn& column : section.columns) {
    if (column.title) shown.push_back(&column);
  }
  const int room = std::max(kWidth, terminal.width());
  Table table = make_table(model, section, shown);
  if (width_of(table, terminal) > room) {  // first drop columns without information
    std::erase_if(shown, [&](const InspectColumn* column) { return is_empty(model, section, *column); });
    table = make_table(model, section, shown);
  }
  std::vector<std::string> left_out;
  while (width_of(table, terminal) > room) {
    const auto last = std::find_if(shown.rbegin(), shown.rend(), [](const auto* c) { return c->is_secondary; });
    if (last == shown.rend()) break;
    left_out.insert(left_out.begin(), fmt::format("'{}'", (*last)->title));
    shown.erase(std::next(last).base());
    table = make_table(model, section, shown);
  }
  std::string text = fmt::format("\n{}\n{}", terminal.paint(Style::kBold, fmt::format("{} ({})", section.title, count)),
                                 table.text(terminal));
  if (!left_out.empty())
    text += terminal.paint(Style::kDim,
                           fmt::format("(too wide: {} left out; --json has everything)\n", fmt::join(left_out, ", ")));
  return text;
}

}  // namespace

Totals::Totals(const Model& model) : model_bytes(model.bytes()) {
  Data data(model);
  data_bytes = data.bytes();
  compute_kinematics(model, data);
  for (int b = 0; b < model.nbody; ++b) {
    mass += model.body_mass[b];
    for (int k = 0; k < 3; ++k) com[k] += model.body_mass[b] * data.xipos[3 * b + k];
  }
  for (double& coordinate : com) coordinate = mass > 0 ? coordinate / mass : 0;
}

std::string inspection_tables(const Model& model, const Terminal& terminal, const std::vector<std::string>& only) {
  std::string text = summary(model, terminal);
  for (const InspectSection& section : inspect_sections()) {
    if (only.empty() || std::find(only.begin(), only.end(), section.key) != only.end())
      text += section_text(model, section, terminal);
  }
  return text;
}

}  // namespace torsor::cli
