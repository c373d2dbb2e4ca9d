// One walk over all names, which either counts or writes.
#include "torsor/compile/names.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace torsor::compiler {
namespace {

template <class Elements, class F>
void visit(const Elements& elements, Field<int> ModelView<double>::*addresses, F&& f) {
  int id = 0;
  for (const auto& element : elements) f(addresses, id++, element.name);
}

// What hangs on bodies is numbered through all of them.
template <class Drafts, class F>
void visit_attached(const Draft& draft, const Tree& tree, Drafts BodyDraft::*drafts,
                    Field<int> ModelView<double>::*addresses, F&& f) {
  int id = 0;
  for (const int index : tree.order) {
    for (const auto& element : draft.bodies[static_cast<size_t>(index)].*drafts) f(addresses, id++, element.spec->name);
  }
}

// Calls f(address array, id, name) for every named object, in the order of the buffer.
template <class F>
void for_each_name(const Draft& draft, const Tree& tree, F&& f) {
  using View = ModelView<double>;
  const Spec& spec = draft.spec;
  for (int b = 0; b < tree.nbody(); ++b)
    f(&View::name_bodyadr, b, draft.bodies[static_cast<size_t>(tree.order[static_cast<size_t>(b)])].spec->name);
  visit_attached(draft, tree, &BodyDraft::joints, &View::name_jntadr, f);
  visit_attached(draft, tree, &BodyDraft::geoms, &View::name_geomadr, f);
  visit_attached(draft, tree, &BodyDraft::sites, &View::name_siteadr, f);
  visit_attached(draft, tree, &BodyDraft::cameras, &View::name_camadr, f);
  visit_attached(draft, tree, &BodyDraft::lights, &View::name_lightadr, f);
  int mesh = 0;
  for (const int id : draft.kept_meshes) f(&View::name_meshadr, mesh++, spec.meshes[static_cast<size_t>(id)].name);
  visit(spec.hfields, &View::name_hfieldadr, f);
  if (!draft.drops_visuals) {
    visit(spec.textures, &View::name_texadr, f);
    visit(spec.materials, &View::name_matadr, f);
  }
  int pair = 0, exclude = 0;
  for (const PairDraft& draft_pair : draft.pairs) f(&View::name_pairadr, pair++, draft_pair.spec->name);
  for (const ExcludeDraft& other : draft.excludes) f(&View::name_excludeadr, exclude++, other.spec->name);
  visit(spec.equalities, &View::name_eqadr, f);
  visit(spec.tendons, &View::name_tendonadr, f);
  visit(spec.actuators, &View::name_actuatoradr, f);
  visit(spec.sensors, &View::name_sensoradr, f);
  visit(spec.numerics, &View::name_numericadr, f);
  visit(spec.texts, &View::name_textadr, f);
  visit(spec.tuples, &View::name_tupleadr, f);
  visit(spec.keys, &View::name_keyadr, f);
}

// Keyframes that are reserved without being written have empty names.
long long reserved_keys(const Spec& spec) {
  return std::max(0LL, spec.size.nkey - static_cast<long long>(spec.keys.size()));
}

// Calls f(address array, id, path) for every asset file.
template <class F>
void for_each_path(const Draft& draft, F&& f) {
  int mesh = 0, hfield = 0;
  for (const int id : draft.kept_meshes)
    f(&ModelView<double>::mesh_pathadr, mesh++, draft.spec.meshes[static_cast<size_t>(id)].file);
  for (const HfieldSpec& spec : draft.spec.hfields) f(&ModelView<double>::hfield_pathadr, hfield++, spec.file);
}

// Fills a buffer of terminated texts.
class TextWriter {
 public:
  explicit TextWriter(const Field<char>& buffer) : buffer_(buffer) {}

  int write(const std::string& text) {
    const int address = used_;
    std::copy(text.begin(), text.end(), buffer_.begin() + address);
    used_ += static_cast<int>(text.size()) + 1;
    return address;
  }

 private:
  const Field<char>& buffer_;
  int used_ = 0;
};

long long space(const std::string& text) { return static_cast<long long>(text.size()) + 1; }

}  // namespace

long long count_names(const Draft& draft, const Tree& tree) {
  long long count = space(draft.spec.modelname) + reserved_keys(draft.spec);
  for_each_name(draft, tree, [&count](auto, int, const std::string& name) { count += space(name); });
  return count;
}

long long count_paths(const Draft& draft) {
  long long count = 0;
  for_each_path(draft, [&count](auto, int, const std::string& path) { count += path.empty() ? 0 : space(path); });
  return count;
}

std::string hint_at_name(const Model& model, ObjectType type, const std::string& name) {
  std::vector<std::string> names;
  for (int id = 0; id < model.count(type); ++id) names.emplace_back(model.name(type, id));
  const std::string nearest = find_nearest(name, names);
  return nearest.empty() ? std::string() : fmt::format("did you mean '{}'?", nearest);
}

void write_names(const Draft& draft, const Tree& tree, Model& model) {
  TextWriter writer(model.names);
  writer.write(draft.spec.modelname);
  for_each_name(draft, tree, [&](Field<int> ModelView<double>::*addresses, int id, const std::string& name) {
    (model.*addresses)[id] = writer.write(name);
  });
  for (int k = static_cast<int>(draft.spec.keys.size()); k < model.nkey; ++k) model.name_keyadr[k] = writer.write({});
  model.index_names();
}

void write_paths(const Draft& draft, Model& model) {
  TextWriter writer(model.paths);
  for_each_path(draft, [&](Field<int> ModelView<double>::*addresses, int id, const std::string& path) {
    (model.*addresses)[id] = path.empty() ? -1 : writer.write(path);
  });
}

}  // namespace torsor::compiler
