// One walk over all names, which either counts or writes.
#include "torsor/compile/names.hpp"

#include <algorithm>

namespace torsor::compiler {
namespace {

using View = ModelView;
using Visitor = std::function<void(const NamedKind&, int, const std::string&)>;

template <class Elements>
void visit(const Elements& elements, const NamedKind& kind, const Visitor& f) {
  int id = 0;
  for (const auto& element : elements) f(kind, id++, element.name);
}

// Elements of bodies are numbered across all bodies.
template <class Drafts>
void visit_attached(const Draft& draft, const Tree& tree, Drafts BodyDraft::*drafts, const NamedKind& kind,
                    const Visitor& f) {
  int id = 0;
  for (const int index : tree.order) {
    for (const auto& element : draft.bodies[static_cast<size_t>(index)].*drafts) f(kind, id++, element.spec->name);
  }
}

// Keyframes that are only reserved have empty names.
long long reserved_keys(const Spec& spec) {
  return std::max(0LL, spec.size.nkey - static_cast<long long>(spec.keys.size()));
}

// Calls f(address array, id, path) for every asset file.
template <class F>
void for_each_path(const Draft& draft, F&& f) {
  int mesh = 0, hfield = 0;
  for (const int id : draft.kept_meshes)
    f(&ModelView::mesh_pathadr, mesh++, draft.spec.meshes[static_cast<size_t>(id)].file);
  for (const HfieldSpec& spec : draft.spec.hfields) f(&ModelView::hfield_pathadr, hfield++, spec.file);
  int skin = 0;
  for (const SkinSpec& spec : draft.spec.skins) f(&ModelView::skin_pathadr, skin++, spec.file);
}

// Fills a buffer with null-terminated strings.
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

void for_each_name(const Draft& draft, const Tree& tree, const Visitor& f) {
  const Spec& spec = draft.spec;
  for (int b = 0; b < tree.nbody(); ++b)
    f({ObjectType::kBody, &View::name_bodyadr}, b,
      draft.bodies[static_cast<size_t>(tree.order[static_cast<size_t>(b)])].spec->name);
  visit_attached(draft, tree, &BodyDraft::joints, {ObjectType::kJoint, &View::name_jntadr}, f);
  visit_attached(draft, tree, &BodyDraft::geoms, {ObjectType::kGeom, &View::name_geomadr}, f);
  visit_attached(draft, tree, &BodyDraft::sites, {ObjectType::kSite, &View::name_siteadr}, f);
  visit_attached(draft, tree, &BodyDraft::cameras, {ObjectType::kCamera, &View::name_camadr}, f);
  visit_attached(draft, tree, &BodyDraft::lights, {ObjectType::kLight, &View::name_lightadr}, f);
  int mesh = 0;
  for (const int id : draft.kept_meshes)
    f({ObjectType::kMesh, &View::name_meshadr}, mesh++, spec.meshes[static_cast<size_t>(id)].name);
  visit(spec.skins, {ObjectType::kSkin, &View::name_skinadr}, f);
  visit(spec.hfields, {ObjectType::kHfield, &View::name_hfieldadr}, f);
  if (!draft.drops_visuals) {
    visit(spec.textures, {ObjectType::kTexture, &View::name_texadr}, f);
    visit(spec.materials, {ObjectType::kMaterial, &View::name_matadr}, f);
  }
  int pair = 0, exclude = 0;
  for (const PairDraft& draft_pair : draft.pairs)
    f({ObjectType::kPair, &View::name_pairadr}, pair++, draft_pair.spec->name);
  for (const ExcludeDraft& other : draft.excludes)
    f({ObjectType::kExclude, &View::name_excludeadr}, exclude++, other.spec->name);
  visit(spec.equalities, {ObjectType::kEquality, &View::name_eqadr}, f);
  visit(spec.tendons, {ObjectType::kTendon, &View::name_tendonadr}, f);
  visit(spec.actuators, {ObjectType::kActuator, &View::name_actuatoradr}, f);
  visit(spec.sensors, {ObjectType::kSensor, &View::name_sensoradr}, f);
  visit(spec.numerics, {ObjectType::kNumeric, &View::name_numericadr}, f);
  visit(spec.texts, {ObjectType::kText, &View::name_textadr}, f);
  visit(spec.tuples, {ObjectType::kTuple, &View::name_tupleadr}, f);
  visit(spec.keys, {ObjectType::kKey, &View::name_keyadr}, f);
}

long long count_names(const Draft& draft, const Tree& tree) {
  long long count = space(draft.spec.modelname) + reserved_keys(draft.spec);
  for_each_name(draft, tree, [&count](const NamedKind&, int, const std::string& name) { count += space(name); });
  return count;
}

long long count_paths(const Draft& draft) {
  long long count = 0;
  for_each_path(draft, [&count](auto, int, const std::string& path) { count += path.empty() ? 0 : space(path); });
  return count;
}

void write_names(const Draft& draft, const Tree& tree, Model& model) {
  TextWriter writer(model.names);
  writer.write(draft.spec.modelname);
  for_each_name(draft, tree, [&](const NamedKind& kind, int id, const std::string& name) {
    (model.*kind.addresses)[id] = writer.write(name);
  });
  for (int k = static_cast<int>(draft.spec.keys.size()); k < model.nkey; ++k) model.name_keyadr[k] = writer.write({});
  model.index_names();
}

void write_paths(const Draft& draft, Model& model) {
  TextWriter writer(model.paths);
  for_each_path(draft, [&](Field<int> ModelView::*addresses, int id, const std::string& path) {
    (model.*addresses)[id] = path.empty() ? -1 : writer.write(path);
  });
}

}  // namespace torsor::compiler
