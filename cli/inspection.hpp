// The output of `torsor inspect`: sections of rows, described once for both tables and JSON.
#pragma once

#include <functional>
#include <span>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "cli/terminal.hpp"
#include "torsor/model/model.hpp"

namespace torsor::cli {

using Json = nlohmann::ordered_json;

// One property of an element. Without a title it is in JSON only; tables that are too wide for the terminal leave out
// secondary columns, the last ones first.
struct InspectColumn {
  const char* key;
  const char* title;
  std::function<Json(const Model& model, int id)> value;
  std::function<std::string(const Model& model, int id)> text{};  // text in tables, if different from the JSON
  bool is_secondary = false;
};

constexpr bool kSecondary = true;  // in lists of columns

// All elements of one kind.
struct InspectSection {
  const char* key;    // in JSON, and for --tables
  const char* title;  // of the table
  int (*count)(const Model& model);
  std::vector<InspectColumn> columns;
};

// In the order in which they are printed.
const std::vector<InspectSection>& inspect_sections();
InspectSection bodies_section();
InspectSection joints_section();
InspectSection dofs_section();
InspectSection geoms_section();
InspectSection sites_section();
InspectSection cameras_section();
InspectSection lights_section();
InspectSection tendons_section();
InspectSection actuators_section();
InspectSection equalities_section();
InspectSection sensors_section();
InspectSection pairs_section();
InspectSection excludes_section();
InspectSection meshes_section();
InspectSection hfields_section();
InspectSection materials_section();
InspectSection keyframes_section();

// The same with only the named sections; all if none is named.
std::string inspection_tables(const Model& model, const Terminal& terminal, const std::vector<std::string>& only);
std::string inspection_json(const Model& model, const std::vector<std::string>& only);

// --- columns that many sections have

InspectColumn id_column();
InspectColumn name_column(ObjectType type);
// An element of a fixed type: its id in JSON, its name in tables.
InspectColumn reference_column(const char* key, const char* title, ObjectType type,
                               std::function<int(const Model& model, int id)> find);

// An element of any type: {"type": "joint", "id": 3, "name": "elbow"}, in tables "joint elbow"; null if there is none.
Json reference(const Model& model, ObjectType type, int id);
Json vector(const double* values, int count);
template <class T>
Json vector(const Field<T>& field, int row, int width) {
  std::vector<double> values;
  for (int k = 0; k < width; ++k) values.push_back(static_cast<double>(field[row * width + k]));
  return Json(values);
}
// Two numbers, or null if they are not enforced.
Json range(bool is_limited, const double* values);
// "-" for null; names and numbers in readable form.
std::string cell_text(const Json& value);

// Sums over the model in its reference pose.
struct Totals {
  explicit Totals(const Model& model);

  double mass = 0;            // kg, of all bodies
  double com[3] = {0, 0, 0};  // m, p_WoScm_W of the whole system S
  size_t model_bytes, data_bytes;
};

}  // namespace torsor::cli
