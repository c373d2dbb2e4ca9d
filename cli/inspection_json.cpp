// A model as JSON, in SI units, as in the model's arrays.
#include <algorithm>

#include "cli/inspection.hpp"
#include "cli/model_source.hpp"

namespace torsor::cli {
namespace {

Json sizes(const Model& model) {
  Json json = Json::object();
  model.for_each_size([&](const char* size, int value, const char*) { json[size] = value; });
  return json;
}

Json totals(const Model& model) {
  const Totals totals(model);
  return {{"mass", totals.mass},
          {"com", vector(totals.com, 3)},
          {"model_bytes", totals.model_bytes},
          {"data_bytes", totals.data_bytes}};
}

Json rows_of(const Model& model, const InspectSection& section) {
  Json rows = Json::array();
  for (int i = 0; i < section.count(model); ++i) {
    Json row = Json::object();
    for (const InspectColumn& column : section.columns) row[column.key] = column.value(model, i);
    rows.push_back(std::move(row));
  }
  return rows;
}

}  // namespace

std::string inspection_json(const Model& model, const std::vector<std::string>& only) {
  Json json = Json::object();
  json["name"] = std::string(model.name());
  json["integrator"] = name_of(static_cast<Integrator>(model.opt.integrator));
  json["timestep"] = model.opt.timestep;
  json["gravity"] = vector(model.opt.gravity, 3);
  json["totals"] = totals(model);
  json["sizes"] = sizes(model);
  for (const InspectSection& section : inspect_sections()) {
    if (only.empty() || std::find(only.begin(), only.end(), section.key) != only.end())
      json[section.key] = rows_of(model, section);
  }
  return json.dump(2, ' ', false, Json::error_handler_t::replace) + '\n';  // names need not be UTF-8
}

}  // namespace torsor::cli
