// Values of cells, and the columns that many sections have.
#include <fmt/format.h>

#include "cli/inspection.hpp"
#include "cli/names.hpp"
#include "cli/numbers.hpp"

namespace torsor::cli {
namespace {

// Four significant digits are enough to recognise a number; JSON has all digits.
std::string short_number(double value) { return value == 0 ? "0" : fmt::format("{:.4g}", value); }

}  // namespace

const std::vector<InspectSection>& inspect_sections() {
  static const std::vector<InspectSection> sections{
      bodies_section(),    joints_section(),   dofs_section(),     geoms_section(),     sites_section(),
      cameras_section(),   lights_section(),   tendons_section(),  actuators_section(), equalities_section(),
      sensors_section(),   pairs_section(),    excludes_section(), meshes_section(),    hfields_section(),
      materials_section(), keyframes_section()};
  return sections;
}

InspectColumn id_column() {
  return {"id", "id", [](const Model&, int id) { return Json(id); }};
}

InspectColumn name_column(ObjectType type) {
  return {"name", "name", [type](const Model& model, int id) { return Json(std::string(model.name(type, id))); },
          [type](const Model& model, int id) { return printable(name_or_number(model, type, id)); }};
}

InspectColumn reference_column(const char* key, const char* title, ObjectType type,
                               std::function<int(const Model& model, int id)> find) {
  const auto text = [type, find](const Model& model, int id) {
    const int found = find(model, id);
    return found < 0 ? std::string("-") : printable(name_or_number(model, type, found));
  };
  return {key, title, [find](const Model& model, int id) { return Json(find(model, id)); }, text};
}

Json reference(const Model& model, ObjectType type, int id) {
  if (type == ObjectType::kUnknown || id < 0) return nullptr;
  return {{"type", name_of(type)}, {"id", id}, {"name", std::string(model.name(type, id))}};
}

Json vector(const double* values, int count) { return Json(std::vector<double>(values, values + count)); }

Json range(bool is_limited, const double* values) { return is_limited ? vector(values, 2) : Json(nullptr); }

std::string cell_text(const Json& value) {
  if (value.is_null()) return "-";
  if (value.is_boolean()) return value.get<bool>() ? "yes" : "no";
  if (value.is_number_integer()) return fmt::format("{}", value.get<int64_t>());
  if (value.is_number()) return short_number(value.get<double>());
  if (value.is_string()) return value.get<std::string>().empty() ? "-" : printable(value.get<std::string>());
  if (value.is_object()) {  // a reference
    const std::string name = value["name"].get<std::string>();
    return fmt::format("{} {}", value["type"].get<std::string>(),
                       name.empty() ? fmt::format("#{}", value["id"].get<int>()) : printable(name));
  }
  std::string text;
  for (const Json& item : value) text += (text.empty() ? "" : " ") + cell_text(item);
  return text.empty() ? "-" : text;
}

}  // namespace torsor::cli
