// Making a Draft from a Spec, and its diagnostics.
#include "torsor/compile/draft.hpp"

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
  const std::string nearest = find_nearest(name, candidates);
  return nearest.empty() ? std::string() : fmt::format("did you mean '{}'?", nearest);
}

Draft::Draft(const Spec& source) : spec(source) {
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
  diagnostics.error(element.location, fmt::format("{}: {}", describe(kind, element), message), std::move(hint));
}

void Draft::warning(std::string_view kind, const ElementSpec& element, const std::string& message) {
  diagnostics.warning(element.location, fmt::format("{}: {}", describe(kind, element), message));
}

int Draft::resolve(const NameTable& table, std::string_view what, const std::string& name, std::string_view kind,
                   const ElementSpec& element) {
  if (name.empty()) return -1;
  const int id = table.find(name);
  if (id < 0) error(kind, element, fmt::format("unknown {} '{}'", what, name), table.hint(name));
  return id;
}

}  // namespace torsor::compiler
