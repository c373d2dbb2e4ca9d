// Making a Draft from a Spec, and its diagnostics.
#include "torsor/compile/draft.hpp"

#include <algorithm>

#include <fmt/format.h>

namespace torsor::compiler {
namespace {

template <class Drafts, class Specs>
void refer(Drafts& drafts, const Specs& specs) {
  drafts.reserve(specs.size());
  for (const auto& spec : specs) drafts.emplace_back().spec = &spec;
}

template <class Elements>
void add_names(NameTable& table, const Elements& elements) {
  int id = 0;
  for (const auto& element : elements) table.add(element.name, id++);
}

}  // namespace

void NameTable::add(const std::string& name, int id) {
  if (!name.empty()) ids_.emplace(name, id);
}

int NameTable::find(std::string_view name) const {
  const auto found = ids_.find(name);
  return found == ids_.end() ? -1 : found->second;
}

std::string NameTable::hint(const std::string& name) const {
  std::vector<std::string> candidates;
  for (const auto& [known, id] : ids_) candidates.emplace_back(known);
  std::sort(candidates.begin(), candidates.end());
  const std::string nearest = find_nearest(name, candidates);
  return nearest.empty() ? std::string() : fmt::format("did you mean '{}'?", nearest);
}

Draft::Draft(const Spec& source, const Findings& findings) : spec(source), earlier(findings) {
  bodies.reserve(spec.bodies.size());
  for (const BodySpec& body : spec.bodies) {
    const int id = static_cast<int>(bodies.size());
    BodyDraft& draft = bodies.emplace_back();
    draft.spec = &body;
    if (id > 0) draft.parent = find_parent(body, id);
    refer(draft.joints, body.joints);
    refer(draft.geoms, body.geoms);
    refer(draft.sites, body.sites);
    refer(draft.cameras, body.cameras);
    refer(draft.lights, body.lights);
    if (id > 0) bodies[static_cast<size_t>(draft.parent)].children.push_back(id);
  }
  add_names(body_names, spec.bodies);
  add_names(mesh_names, spec.meshes);
  add_names(hfield_names, spec.hfields);
  add_names(texture_names, spec.textures);
  add_names(material_names, spec.materials);
}

int Draft::find_parent(const BodySpec& body, int id) {
  if (body.parent >= 0 && body.parent < id) return body.parent;
  error("body", body, "its parent does not exist or comes later in the list of bodies");
  return 0;
}

std::string Draft::describe(std::string_view kind, const ElementSpec& element) {
  return element.name.empty() ? std::string(kind) : fmt::format("{} '{}'", kind, element.name);
}

void Draft::error(std::string_view kind, const ElementSpec& element, const std::string& message, std::string hint) {
  error_at(element.location, fmt::format("{}: {}", describe(kind, element), message), std::move(hint));
}

void Draft::error_at(const Location& where, const std::string& message, std::string hint) {
  ++problems;
  if (earlier.faults.has_element(where)) return;
  diagnostics.error(where, message, std::move(hint));
  constexpr int kMaxErrors = 50;
  if (diagnostics.error_count() < kMaxErrors) return;
  diagnostics.error({}, fmt::format("compiling stopped after {} errors", kMaxErrors));
  throw_if_errors();
}

void Draft::throw_if_errors() const {
  if (!diagnostics.has_errors() && !earlier.diagnostics.has_errors()) return;
  std::vector<Diagnostic> errors;
  for (const Diagnostics* list : {&earlier.diagnostics, &diagnostics}) {
    for (const Diagnostic& d : list->all()) {
      if (d.severity == Severity::kError) errors.push_back(d);
    }
  }
  throw Error(std::move(errors));
}

void Draft::warning(std::string_view kind, const ElementSpec& element, const std::string& message) {
  diagnostics.warning(element.location, fmt::format("{}: {}", describe(kind, element), message));
}

int Draft::resolve(const NameTable& table, std::string_view what, const std::string& name, std::string_view kind,
                   const ElementSpec& element) {
  if (name.empty()) return -1;
  const int id = table.find(name);
  if (id >= 0) return id;
  if (is_explained(name))
    ++problems;
  else
    error(kind, element, fmt::format("unknown {} '{}'", what, name), table.hint(name));
  return id;
}

}  // namespace torsor::compiler
