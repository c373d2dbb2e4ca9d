// Errors and warnings of the reader.
#include "torsor/format/mjcf/report.hpp"

#include <fmt/format.h>

#include "torsor/core/utf8.hpp"
#include "torsor/format/mjcf/document.hpp"

namespace torsor::mjcf {
namespace {

constexpr int kMaxErrors = 50;
constexpr std::size_t kMaxLength = 400;  // of a message, which may quote arbitrary text of the file
constexpr std::size_t kMaxTypo = 60;     // longer names are not compared with known ones

}  // namespace

std::string suggest(std::string_view name, const std::vector<std::string>& known) {
  if (name.size() > kMaxTypo) return {};
  const std::string nearest = find_nearest(std::string(name), known);
  return nearest.empty() ? std::string() : fmt::format("did you mean '{}'?", nearest);
}

void Report::error(Location where, std::string message, std::string hint) {
  Diagnostics& diagnostics = findings_.diagnostics;
  findings_.faults.add_element(where);
  diagnostics.error(std::move(where), printable(message, kMaxLength), std::move(hint));
  if (diagnostics.error_count() < kMaxErrors) return;
  diagnostics.error({}, fmt::format("reading stopped after {} errors", kMaxErrors));
  diagnostics.throw_if_errors();
}

void Report::error(const Element& element, std::string message, std::string hint) {
  doubt(element);
  error(element.where(), std::move(message), std::move(hint));
}

void Report::attribute_error(const Element& element, std::string_view attribute, std::string message,
                             std::string hint) {
  doubt(element);
  error(element.where(attribute), std::move(message), std::move(hint));
}

void Report::warning(Location where, std::string message) {
  findings_.diagnostics.warning(std::move(where), printable(message, kMaxLength));
}

void Report::warning(const Element& element, std::string message) { warning(element.where(), std::move(message)); }

void Report::doubt(const Element& element) {
  Faults& faults = findings_.faults;
  faults.add_element(element.where());
  faults.add_name(element.text("name"));
  faults.add_prefix(element.text("prefix"));  // of generated elements
  if (element.parent) faults.add_element(element.parent->where());
  const Element* section = &element;
  while (section->parent && section->parent->parent) section = section->parent;
  faults.add_section(section->name());
}

void Report::doubt_names(const Element& element) {
  findings_.faults.add_name(element.text("name"));
  findings_.faults.add_prefix(element.text("prefix"));
  for (const Element& child : element) doubt_names(child);
}

bool Report::has_doubts(const Element& element) const { return findings_.faults.has_element(element.where()); }

void Report::unknown_attribute(const Element& element, std::string_view name, const std::vector<std::string>& known) {
  attribute_error(element, name, fmt::format("unknown attribute '{}' of {}", name, element.name()),
                  suggest(name, known));
}

}  // namespace torsor::mjcf
