// Conventions as JSON. docs/conventions.md is made from it.
#include <nlohmann/json.hpp>

#include "cli/convention_text.hpp"
#include "torsor/convention/row_fields.hpp"

namespace torsor::cli {
namespace {

using Json = nlohmann::ordered_json;

std::string printed(const Json& json) { return json.dump(2, ' ', false, Json::error_handler_t::replace) + '\n'; }

Json situation() {
  Json parts = Json::object();
  for (const SituationPart& part : worked_situation()) parts[part.what] = part.how;
  return {{"terms", kSituationTerms}, {"parts", parts}};
}

Json cell_descriptions() {
  Json cells = Json::array();
  for (const RowField& field : row_fields())
    cells.push_back({{"name", field.name}, {"meaning", field.meaning}, {"words", describe_words(field)}});
  return cells;
}

Json example_of(const WorkedExample& example) {
  Json json = Json::object();
  if (!example.assume.empty()) json["assume"] = example.assume;
  for (const WorkedNumbers& entry : worked_numbers(example)) json[entry.name] = *entry.numbers;
  if (!example.joints.empty()) json["joints"] = example.joints;
  if (!example.multi_axis.empty()) json["multi_axis"] = example.multi_axis;
  return json;
}

Json row_of(const Convention& convention) {
  Json cells = Json::object();
  for (const RowField& field : row_fields()) cells[field.name] = field.get(convention.row);
  return {{"id", convention.id},
          {"system", convention.system},
          {"version", convention.version},
          {"source", convention.source},
          {"checked", convention.checked.empty() ? Json(nullptr) : Json(convention.checked)},
          {"cells", cells},
          {"open", list_open_cells(convention.row)},
          {"example", example_of(convention.example)}};
}

}  // namespace

std::string convention_table_json(const std::vector<Convention>& conventions) {
  Json rows = Json::array();
  for (const Convention& convention : conventions) rows.push_back(row_of(convention));
  return printed({{"conventions", rows}, {"cells", cell_descriptions()}, {"situation", situation()}});
}

std::string convention_page_json(const Convention& convention) {
  Json json = row_of(convention);
  json["situation"] = situation();
  return printed(json);
}

std::string convention_differences_json(const Convention& a, const Convention& b) {
  Json differences = Json::array();
  for (const RowField& field : row_fields()) {
    const std::string in_a = field.get(a.row), in_b = field.get(b.row);
    if (in_a != in_b)
      differences.push_back({{"cell", field.name}, {"meaning", field.meaning}, {"a", in_a}, {"b", in_b}});
  }
  return printed({{"a", a.id}, {"b", b.id}, {"same", differences.empty()}, {"differences", differences}});
}

}  // namespace torsor::cli
