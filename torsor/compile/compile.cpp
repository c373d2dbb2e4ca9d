// The stages of compilation, in order. Before the numbering, stages change a Draft; after it, they write the Model.
#include "torsor/compile/compile.hpp"

#include <cmath>

#include "torsor/compile/draft.hpp"
#include "torsor/compile/names.hpp"
#include "torsor/compile/scale.hpp"
#include "torsor/compile/set_const.hpp"
#include "torsor/compile/signature.hpp"
#include "torsor/compile/sizes.hpp"
#include "torsor/compile/targets.hpp"
#include "torsor/compile/tree.hpp"
#include "torsor/compile/write.hpp"
#include "torsor/model/settings.hpp"

namespace torsor {
namespace {

using namespace compiler;

void settle_draft(Draft& draft) {
  compile_assets(draft);
  place_elements(draft);
  settle_joints(draft);
  shape_geoms(draft);
  shape_sites(draft);
  compute_inertias(draft);
  discard_visuals(draft);
  fuse_static_bodies(draft);
  align_free_bodies(draft);
  scale_total_mass(draft);
  check_tree(draft);
}

// Resolves elements that refer to others. Returns whether all controls and activations are known.
bool settle_references(Draft& draft, const Tree& tree) {
  settle_contacts(draft, tree);
  const Targets targets = list_targets(draft, tree);
  settle_cameras(draft, tree);
  settle_lights(draft, tree);
  settle_tendons(draft, tree, targets);
  const bool has_all_controls = draft.passes([&] { settle_actuators(draft, tree, targets); });
  settle_equalities(draft, targets);
  settle_sensors(draft, tree, targets);
  settle_skins(draft);
  settle_custom(draft, targets);
  return has_all_controls;
}

void write_settings(const Spec& spec, Model& model) {
  model.opt = spec.option;
  model.vis = spec.visual;
  model.axes = spec.compiler.axes;
  model.memory = spec.size.memory;
}

void write_elements(const Draft& draft, const Tree& tree, Model& model) {
  write_tree(tree, model);
  write_sparsity(model);
  write_bodies(draft, tree, model);
  write_joints(draft, tree, model);
  write_geoms(draft, tree, model);
  write_sites(draft, tree, model);
  write_cameras(draft, tree, model);
  write_lights(draft, tree, model);
  write_contacts(draft, model);
  write_tendons(draft, model);
  write_actuators(draft, model);
  write_assets(draft, model);
  write_skins(draft, tree, model);
  write_names(draft, tree, model);
  write_paths(draft, model);
  write_custom(draft, model);
  write_equalities(draft, model);
  write_sensors(draft, model);
  write_keys(draft, model);
}

void replace(double& value, double wanted) {
  if (!std::isnan(wanted)) value = wanted;
}

// Sizes given by the author override computed ones.
void override_statistics(const StatisticSpec& spec, Statistic& stat) {
  replace(stat.meaninertia, spec.meaninertia);
  replace(stat.meanmass, spec.meanmass);
  replace(stat.meansize, spec.meansize);
  replace(stat.extent, spec.extent);
  for (size_t k = 0; k < 3; ++k) replace(stat.center[k], spec.center[k]);
}

void warn_about_deprecated_settings(Draft& draft) {
  if (draft.spec.compiler.settotalmass > 0)
    draft.diagnostics.warning({},
                              "settotalmass of compiler is deprecated in MuJoCo: scale masses and densities instead");
  if (!std::isnan(draft.spec.statistic.meaninertia))
    draft.diagnostics.warning({}, "meaninertia of statistic is deprecated in MuJoCo: the solvers do not use it");
}

}  // namespace

Model compile(const Spec& spec, const Findings& earlier, Origins* origins, LengthMeter meter) {
  if (has_scaled_frames(spec)) {
    Findings findings = earlier;
    return compile(apply_frame_scales(spec, findings.diagnostics), findings, origins, meter);
  }
  // report all errors, except those that only follow from others
  Draft draft(spec, earlier);
  const bool is_read = !earlier.diagnostics.has_errors();
  if (const std::string problem = settings_problem(spec.option);
      !problem.empty() && !earlier.faults.has_section("option"))
    draft.error_at({}, problem);
  if (const std::string fault = find_fault(spec.compiler.axes); !fault.empty()) draft.error_at({}, fault);
  settle_draft(draft);
  const Tree tree = make_tree(draft);
  const bool has_all_controls = settle_references(draft, tree);
  const ModelSizes sizes = count_sizes(draft, tree);
  if (is_read) settle_keys(draft, sizes, has_all_controls);
  if (origins) *origins = find_origins(draft, tree);
  draft.throw_if_errors();

  // no errors from here on
  Model model(sizes);
  write_settings(spec, model);
  write_elements(draft, tree, model);
  set_const_and_settle(model);
  apply_springdampers(draft, tree, model);
  settle_length_ranges(draft, model, meter);
  draft.throw_if_errors();
  warn_about_singular_joints(draft, tree, model);
  warn_about_deprecated_settings(draft);
  override_statistics(spec.statistic, model.stat);
  model.index_hulls();
  model.signature = compute_signature(model);
  model.warnings = spec.warnings;
  for (const Diagnostic& warning : draft.diagnostics.warnings()) model.warnings.push_back(warning);
  return model;
}

Model compile(const Spec& spec, Origins* origins, LengthMeter meter) { return compile(spec, {}, origins, meter); }

}  // namespace torsor
