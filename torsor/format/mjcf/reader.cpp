// Common parts of the readers of sections.
#include "torsor/format/mjcf/reader.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "torsor/format/files.hpp"
#include "torsor/format/mjcf/refused.hpp"
#include "torsor/format/mjcf/schema.hpp"

namespace torsor::mjcf {
namespace {

constexpr Attribute<ElementSpec> kName[] = {
    {"name", into<&ElementSpec::name>, "", "name, unique among elements of this kind"},
};
constexpr Attribute<ElementSpec> kClass[] = {
    {"class", read_elsewhere, "", "default class"},
};

// Names of the children that an element of the schema can have.
std::vector<std::string> children_of(std::string_view parent_path) {
  std::vector<std::string> names;
  for (const SchemaElement& element : mjcf_schema()) {
    const std::string_view path = element.path;
    const std::size_t slash = path.rfind('/');
    if (slash != std::string_view::npos && path.substr(0, slash) == parent_path)
      names.emplace_back(path.substr(slash + 1));
  }
  return names;
}

}  // namespace

Table<ElementSpec> name_attribute() { return kName; }
Table<ElementSpec> class_attribute() { return kClass; }

bool Reader::ignores(std::string_view section) const {
  return std::find(options.ignore.begin(), options.ignore.end(), section) != options.ignore.end();
}

void Reader::reject(const Element& child, std::string_view parent_path) {
  const RefusedElement* refused = find_refused(parent_path, child.name());
  if (!refused) {
    const std::string_view parent = parent_path.substr(parent_path.rfind('/') + 1);
    report.doubt_names(child);
    return report.error(child, fmt::format("unknown element <{}> in <{}>", child.name(), parent),
                        suggest(child.name(), children_of(parent_path)));
  }
  if (!refused->section.empty() && ignores(refused->section)) return note_ignored(child, refused->section);
  if (ignores_unsupported()) return leave_out(child);
  report.doubt_names(child);
  if (child.name() == "flexcomp") report.faults().set_incomplete();  // it would create bodies with generated names
  report.error(child, fmt::format("<{}> is not supported yet", child.name()),
               fmt::format("the option ignore = {{\"{}\"}} leaves it out", suggested_ignore(*refused)));
}

void Reader::leave_out(const Element& element, std::string_view why) {
  const std::string name(element.text("name"));
  report.warning(element, fmt::format("<{}>{} {}; it is left out", element.name(),
                                      name.empty() ? std::string() : fmt::format(" '{}'", name), why));
  const std::string_view section = element.parent ? element.parent->name() : std::string_view();
  if (section == "actuator") left_out.add(ObjectType::kActuator, name);
  if (section == "sensor") left_out.add(ObjectType::kSensor, name);
  if (element.name() == "mesh") left_out.add(ObjectType::kMesh, name.empty() ? file_stem(element.text("file")) : name);
  if (element.name() == "geom") left_out.add(ObjectType::kGeom, name);
  left_out_actuators = left_out_actuators || section == "actuator";
  left_out_bodies = left_out_bodies || element.name() == "flexcomp" || element.name() == "attach";
}

void Reader::note_ignored(const Element& element, std::string_view section) {
  if (!warned_sections.insert(section).second) return;
  report.warning(element, fmt::format("section '{}' is left out", section));
}

void Reader::note_given(const Element& element) {
  for (const pugi::xml_attribute attribute : element.node.attributes()) {
    given.insert(std::string(element.name()) + " " + attribute.name());
  }
}

void Reader::reject_children(const Element& element, std::string_view path) {
  for (const Element& child : element) reject(child, path);
}

int Reader::find_class(const Element& element, const char* attribute, int otherwise) {
  if (!element.has(attribute)) return otherwise;
  const std::string name(element.text(attribute));
  if (const auto found = classes.find(name); found != classes.end()) return found->second;
  if (report.faults().may_explain(name)) return report.doubt(element), otherwise;
  std::vector<std::string> known;
  for (const auto& entry : classes) known.push_back(entry.first);
  std::sort(known.begin(), known.end());
  report.attribute_error(element, attribute, fmt::format("unknown default class '{}'", name), suggest(name, known));
  return otherwise;
}

void check_unique_children(const Element& element, Reader& reader, std::string_view except) {
  std::set<std::string_view> seen;
  for (const Element& child : element) {
    if (child.name() == except || seen.insert(child.name()).second) continue;
    reader.report.error(child, fmt::format("<{}> can have only one <{}>", element.name(), child.name()));
  }
}

}  // namespace torsor::mjcf
