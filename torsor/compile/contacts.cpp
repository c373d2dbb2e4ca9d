// Pairs of geoms and of bodies in the final numbering, sorted as the collision stage looks them up.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "torsor/compile/tree.hpp"
#include "torsor/compile/write.hpp"

namespace torsor::compiler {
namespace {

// Geoms by name in the final numbering, and the body of each.
struct GeomList {
  NameTable names;
  std::vector<int> bodies;
};

GeomList list_geoms(const Draft& draft, const Tree& tree) {
  GeomList list;
  for (int b = 0; b < tree.nbody(); ++b) {
    for (const GeomDraft& geom : draft.bodies[at(tree.order[at(b)])].geoms) {
      list.names.add(geom.spec->name, static_cast<int>(list.bodies.size()));
      list.bodies.push_back(b);
    }
  }
  return list;
}

constexpr int kMostBodies = 1 << 15;  // so that two ids fit into one int

int make_signature(int smaller, int larger) { return (smaller << 16) + larger; }

// The geom of the body with the smaller id first; geoms of one body as they are written.
void settle_pair(Draft& draft, const GeomList& geoms, PairDraft& pair) {
  const PairSpec& spec = *pair.spec;
  for (const std::string* name : {&spec.geom1, &spec.geom2}) {
    if (name->empty()) draft.error("pair", spec, "needs two geoms");
  }
  pair.geom1 = draft.resolve(geoms.names, "geom", spec.geom1, "pair", spec);
  pair.geom2 = draft.resolve(geoms.names, "geom", spec.geom2, "pair", spec);
  if (spec.condim != 1 && spec.condim != 3 && spec.condim != 4 && spec.condim != 6)
    draft.error("pair", spec, fmt::format("condim is 1, 3, 4 or 6, got {}", spec.condim));
  check_compliance(draft, "pair", spec, "that of the geoms");
  if (pair.geom1 < 0 || pair.geom2 < 0) return;
  if (pair.geom1 == pair.geom2)
    draft.error("pair", spec, fmt::format("geom '{}' does not collide with itself", spec.geom1));
  if (geoms.bodies[at(pair.geom1)] > geoms.bodies[at(pair.geom2)]) std::swap(pair.geom1, pair.geom2);
  pair.signature = make_signature(geoms.bodies[at(pair.geom1)], geoms.bodies[at(pair.geom2)]);
}

void settle_exclude(Draft& draft, const Tree& tree, ExcludeDraft& exclude) {
  const ExcludeSpec& spec = *exclude.spec;
  int ids[2] = {-1, -1}, count = 0;
  for (const std::string* name : {&spec.body1, &spec.body2}) {
    if (name->empty()) draft.error("exclude", spec, "needs two bodies");
    const int index = draft.resolve(draft.body_names, "body", *name, "exclude", spec);
    ids[count++] = index < 0 ? -1 : tree.body_id[at(index)];
  }
  if (ids[0] >= 0 && ids[1] >= 0)
    exclude.signature = make_signature(std::min(ids[0], ids[1]), std::max(ids[0], ids[1]));
}

template <class Drafts>
void sort_by_signature(Drafts& drafts) {
  std::stable_sort(drafts.begin(), drafts.end(),
                   [](const auto& a, const auto& b) { return a.signature < b.signature; });
}

// What a pair leaves open is mixed from its geoms, as for contacts without a pair; margin and gap are the larger ones.
class PairMix {
 public:
  PairMix(const Model& model, int geom1, int geom2) : model_(model), geom1_(geom1), geom2_(geom2) {
    const int priority1 = model.geom_priority[geom1], priority2 = model.geom_priority[geom2];
    is_equal_ = priority1 == priority2;
    if (!is_equal_) geom1_ = geom2_ = priority1 > priority2 ? geom1 : geom2;
  }

  void friction(double* friction) const {
    const double *mu1 = model_.geom_friction.row(geom1_, 3), *mu2 = model_.geom_friction.row(geom2_, 3);
    constexpr int kCoefficient[5] = {0, 0, 1, 2, 2};
    for (int i = 0; i < 5; ++i) friction[i] = std::max(mu1[kCoefficient[i]], mu2[kCoefficient[i]]);
  }

  void solref(double* solref) const {
    const double *ref1 = model_.geom_solref.row(geom1_, 2), *ref2 = model_.geom_solref.row(geom2_, 2);
    const bool is_mean = ref1[0] > 0 && ref2[0] > 0;
    for (int i = 0; i < 2; ++i) solref[i] = is_mean ? mean(ref1[i], ref2[i]) : std::min(ref1[i], ref2[i]);
  }

  void solimp(double* solimp) const {
    const double *imp1 = model_.geom_solimp.row(geom1_, 5), *imp2 = model_.geom_solimp.row(geom2_, 5);
    for (int i = 0; i < 5; ++i) solimp[i] = mean(imp1[i], imp2[i]);
  }

 private:
  double mean(double value1, double value2) const {
    if (!is_equal_) return value1;
    const double mix1 = model_.geom_solmix[geom1_], mix2 = model_.geom_solmix[geom2_];
    const bool has1 = mix1 >= kMinValue, has2 = mix2 >= kMinValue;
    const double weight = has1 && has2 ? mix1 / (mix1 + mix2) : has1 == has2 ? 0.5 : has1 ? 1.0 : 0.0;
    return weight * value1 + (1 - weight) * value2;
  }

  const Model& model_;
  int geom1_, geom2_;
  bool is_equal_;
};

void mix_open_parameters(int p, Model& model) {
  const int geom1 = model.pair_geom1[p], geom2 = model.pair_geom2[p];
  const PairMix mix(model, geom1, geom2);
  if (double* friction = model.pair_friction.row(p, 5); std::isnan(friction[0])) mix.friction(friction);
  if (double* solref = model.pair_solref.row(p, 2); std::isnan(solref[0])) mix.solref(solref);
  if (double* solimp = model.pair_solimp.row(p, 5); std::isnan(solimp[0])) mix.solimp(solimp);
  double &margin = model.pair_margin[p], &gap = model.pair_gap[p];
  if (std::isnan(margin)) margin = std::max(model.geom_margin[geom1], model.geom_margin[geom2]);
  if (std::isnan(gap)) gap = std::max(model.geom_gap[geom1], model.geom_gap[geom2]);
}

void write_pair(const PairDraft& pair, int p, Model& model) {
  const PairSpec& spec = *pair.spec;
  model.pair_dim[p] = spec.condim;
  model.pair_geom1[p] = pair.geom1;
  model.pair_geom2[p] = pair.geom2;
  model.pair_signature[p] = pair.signature;
  write_list(model.pair_solref.row(p, 2), spec.solref);
  write_list(model.pair_solreffriction.row(p, 2), spec.solreffriction);
  write_list(model.pair_solimp.row(p, 5), spec.solimp);
  write_list(model.pair_friction.row(p, 5), spec.friction);
  model.pair_margin[p] = spec.margin;
  model.pair_gap[p] = spec.gap;
  model.pair_adhesion[p] = spec.adhesion;
  model.pair_sapstiffness[p] = spec.sapstiffness.value_or(-1);
  model.pair_sapdissipation[p] = spec.sapdissipation.value_or(-1);
  mix_open_parameters(p, model);
}

}  // namespace

void settle_contacts(Draft& draft, const Tree& tree) {
  if (draft.spec.pairs.empty() && draft.spec.excludes.empty()) return;
  if (tree.nbody() > kMostBodies)
    return draft.error_at({},
                          fmt::format("with more than {} bodies there can be no pairs and exclusions", kMostBodies));
  const GeomList geoms = list_geoms(draft, tree);
  for (const PairSpec& spec : draft.spec.pairs) settle_pair(draft, geoms, draft.pairs.emplace_back(PairDraft{&spec}));
  for (const ExcludeSpec& spec : draft.spec.excludes)
    settle_exclude(draft, tree, draft.excludes.emplace_back(ExcludeDraft{&spec}));
  sort_by_signature(draft.pairs);
  sort_by_signature(draft.excludes);
}

void write_contacts(const Draft& draft, Model& model) {
  for (int p = 0; p < model.npair; ++p) write_pair(draft.pairs[at(p)], p, model);
  for (int e = 0; e < model.nexclude; ++e) model.exclude_signature[e] = draft.excludes[at(e)].signature;
}

}  // namespace torsor::compiler
