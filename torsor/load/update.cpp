// Transfers edits of a Model back to its Spec. A value was edited if it differs from the Model that the Spec compiles
// to; elements without edits stay as they are written.
#include "torsor/load/update.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <set>
#include <string_view>

#include <fmt/format.h>

#include "torsor/compile/compile.hpp"
#include "torsor/compile/scale.hpp"
#include "torsor/format/assets.hpp"
#include "torsor/load/update_elements.hpp"
#include "torsor/load/update_inferred.hpp"
#include "torsor/sim/length_range.hpp"

namespace torsor {
namespace {

constexpr double kTolerance = 1e-12;

template <class T>
bool is_close(const Field<T>& a, const Field<T>& b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](T x, T y) {
    if constexpr (std::is_floating_point_v<T>) {
      const double p = static_cast<double>(x), q = static_cast<double>(y);
      if (std::isnan(p) && std::isnan(q)) return true;
      return x == y || std::abs(p - q) <= kTolerance * std::max({1.0, std::abs(p), std::abs(q)});
    } else {
      return x == y;
    }
  });
}

// f(static_cast<T*>(nullptr)) with the type of an array's elements.
template <class F>
void with_type(ElementType type, F&& f) {
  switch (type) {
    case ElementType::kReal:
      return f(static_cast<double*>(nullptr));
    case ElementType::kInt:
      return f(static_cast<int*>(nullptr));
    case ElementType::kFloat:
      return f(static_cast<float*>(nullptr));
    case ElementType::kBool:
      return f(static_cast<bool*>(nullptr));
    case ElementType::kByte:
      return f(static_cast<Byte*>(nullptr));
    case ElementType::kChar:
      return f(static_cast<char*>(nullptr));
  }
}

// The arrays of a model.
struct Fields {
  FieldSlot slots[kModelFieldCount];

  explicit Fields(const Model& model) { list_fields(const_cast<Model&>(model), slots); }
  template <class T>
  Field<T>& get(int i) const {
    return *static_cast<Field<T>*>(slots[i].field);
  }
};

// Names of the arrays of one access class that two models differ in, except for arrays of different sizes.
std::vector<std::string> differing_fields(const Model& a, const Model& b, Access access) {
  const Fields of_a(a), of_b(b);
  std::vector<std::string> names;
  for (int i = 0; i < kModelFieldCount; ++i) {
    if (of_a.slots[i].info.access != access) continue;
    with_type(of_a.slots[i].type, [&]<class T>(T*) {
      if (of_a.get<T>(i).size() != of_b.get<T>(i).size()) return;
      if (!is_close(of_a.get<T>(i), of_b.get<T>(i))) names.emplace_back(of_a.slots[i].info.name);
    });
  }
  return names;
}

// What was not edited becomes what the compiler makes of the edits. Arrays whose sizes follow from edits stay: see
// check_elements().
void infer_unedited(const Inferred& inferred, const Model& before, const Model& asked, const Model& now,
                    Model& wanted) {
  const Fields of_before(before), of_asked(asked), of_now(now), of_wanted(wanted);
  for (int i = 0; i < kModelFieldCount; ++i) {
    const std::string_view name = of_now.slots[i].info.name;
    if (!inferred.has_array(name)) continue;
    with_type(of_now.slots[i].type, [&]<class T>(T*) {
      const Field<T>& was = of_before.get<T>(i);
      if (was.size() != of_now.get<T>(i).size()) return;
      for (int k = 0; k < was.size(); ++k)
        if (was[k] == of_asked.get<T>(i)[k] && inferred.has(name, k)) of_wanted.get<T>(i)[k] = of_now.get<T>(i)[k];
    });
  }
}

bool same_sizes(const Model& a, const Model& b) {
  std::vector<int> of_a, of_b;
  a.for_each_size([&](const char*, int value, const char*) { of_a.push_back(value); });
  b.for_each_size([&](const char*, int value, const char*) { of_b.push_back(value); });
  return of_a == of_b;
}

void check_belongs(const Model& before, const Model& after) {
  if (!same_sizes(before, after) || !differing_fields(before, after, Access::kStructural).empty())
    throw Error("the model was not compiled from this Spec: their structures differ");
}

Model compile_with_assets(Spec spec, Origins* origins = nullptr) {
  load_assets(spec);
  return compile(spec, origins, measure_length_range);
}

// The Model without the optional changes of the compiler to the tree; nothing if there are none.
std::optional<Model> compile_whole(const Spec& spec) {
  if (!spec.compiler.fusestatic && !spec.compiler.discardvisual) return std::nullopt;
  Spec whole = spec;
  whole.compiler.fusestatic = whole.compiler.discardvisual = false;
  return compile_with_assets(std::move(whole));
}

// The pose of a body with a free joint occurs three times in a Model (qpos0, the body, qpos_spring) but once in a file.
// Copies that were not edited follow the one that was.
void unite_free_pose(const Model& before, int joint, Model& after) {
  using Copy = std::array<double, 7>;
  const int b = after.jnt_bodyid[joint], q = after.jnt_qposadr[joint];
  const auto copies = [b, q](const Model& model) {
    std::array<Copy, 3> out;
    std::copy_n(model.qpos0.row(q, 1), 7, out[0].begin());
    std::copy_n(model.body_quat.row(b, 4), 4, std::copy_n(model.body_pos.row(b, 3), 3, out[1].begin()));
    std::copy_n(model.qpos_spring.row(q, 1), 7, out[2].begin());
    return out;
  };
  const auto old = copies(before), edited = copies(after);
  const Copy* pose = nullptr;
  for (size_t k = 0; k < 3; ++k) {
    if (edited[k] == old[k]) continue;
    if (pose && *pose != edited[k])
      throw Error(
          fmt::format("body '{}' has a free joint: its pose in qpos0, in body_pos and body_quat, and in "
                      "qpos_spring is one pose in a file, and the edits disagree",
                      after.name(ObjectType::kBody, b)));
    pose = &edited[k];
  }
  if (!pose) return;
  std::copy_n(pose->begin(), 7, after.qpos0.row(q, 1));
  std::copy_n(pose->begin(), 7, after.qpos_spring.row(q, 1));
  std::copy_n(pose->begin(), 3, after.body_pos.row(b, 3));
  std::copy_n(pose->begin() + 3, 4, after.body_quat.row(b, 4));
}

void unite_free_poses(const Model& before, Model& after) {
  for (int j = 0; j < after.njnt; ++j) {
    if (after.jnt_type[j] == static_cast<int>(JointType::kFree)) unite_free_pose(before, j, after);
  }
}

// Bodies aligned with their inertia would move with every edit of it, so their poses are written from now on. Returns
// whether there are any.
bool stop_alignment(const Model& before, const Model& after, const Origins& origins, Spec& spec) {
  static const std::set<std::string> kPlaced{"body_pos",     "body_quat", "body_ipos", "body_iquat", "body_mass",
                                             "body_inertia", "geom_pos",  "geom_quat", "geom_size",  "site_pos",
                                             "site_quat",    "cam_pos",   "cam_quat",  "light_pos",  "light_dir"};
  const std::vector<std::string> edited = differing_fields(before, after, Access::kFree);
  if (std::none_of(edited.begin(), edited.end(), [](const std::string& name) { return kPlaced.contains(name); }))
    return false;
  bool stops = false;
  for (size_t b = 0; b < origins.body.size(); ++b) {
    if (!origins.is_aligned[b]) continue;
    Tristate& align = spec.bodies[static_cast<size_t>(origins.body[b])].joints[0].align;
    if (align == Tristate::kTrue) align = Tristate::kFalse;
    spec.compiler.alignfree = false;
    stops = true;
  }
  return stops;
}

// The poses in those bodies, as compiled. Masses that are computed from geoms remain so.
void write_aligned_poses(const Model& before, const Origins& origins, Spec& spec) {
  const Model now = compile_with_assets(spec);
  const std::optional<Model> whole = compile_whole(spec);
  update_bodies(Edits(now, before, whole ? &*whole : nullptr, Unedited::kInferred), origins, spec);
  keep_inertials(spec, origins, compile_with_assets(spec), before);
}

void update_statistic(StatisticSpec& spec, const Statistic& before, const Statistic& after) {
  const auto take = [](double& value, double was, double is) {
    if (was != is) value = is;
  };
  take(spec.meaninertia, before.meaninertia, after.meaninertia);
  take(spec.meanmass, before.meanmass, after.meanmass);
  take(spec.meansize, before.meansize, after.meansize);
  take(spec.extent, before.extent, after.extent);
  if (!std::equal(std::begin(before.center), std::end(before.center), std::begin(after.center)))
    std::copy_n(after.center, 3, spec.center.begin());
}

// Sizes that edits may change. Some rows of M are diagonal only without them. If values may be inferred, so may the
// numbers of bodies with gravity compensation and of plastic springs, and the paths of files that are no longer read.
bool may_change(std::string_view size, Unedited unedited) {
  static const std::set<std::string_view> kOfMatrices{"nM", "nB", "nC", "nD", "nJmom", "nJten"};
  static const std::set<std::string_view> kInferred{"ngravcomp", "nplastic", "npaths"};
  return kOfMatrices.contains(size) || (unedited == Unedited::kInferred && kInferred.contains(size));
}

// The elements must be the same, and the state of plastic springs in keyframes cannot be edited along with its size.
void check_elements(const Model& before, const Model& now, const Model& wanted, Unedited unedited) {
  std::vector<std::pair<std::string, int>> of_now;
  std::vector<std::string> changes;
  now.for_each_size([&](const char* name, int value, const char*) { of_now.emplace_back(name, value); });
  auto size = of_now.begin();
  wanted.for_each_size([&](const char* name, int value, const char*) {
    if (size->second != value && !may_change(name, unedited))
      changes.push_back(fmt::format("{} would be {} instead of {}", name, size->second, value));
    ++size;
  });
  if (!changes.empty())
    throw Error(fmt::format("a model file cannot hold the edits, since compiling it gives other elements: {}",
                            fmt::join(changes, ", ")));
  if (now.nplastic != wanted.nplastic && !is_close(before.key_plastic, wanted.key_plastic))
    throw Error("a model file cannot hold the edits of key_plastic, since compiling it gives other plastic springs");
}

void update_all(Spec& spec, const Origins& origins, const Model& now, const Model& model, Unedited unedited,
                int round) {
  const std::optional<Model> whole = compile_whole(spec);
  const Edits edits(now, model, whole ? &*whole : nullptr, unedited);
  update_bodies(edits, origins, spec);
  update_assets(edits, spec);
  update_drives(edits, spec);
  update_constraints(edits, spec);
  update_custom(edits, spec);
  update_inertials(spec, origins, now, model, round > 1);
}

}  // namespace

// When the Spec is compiled, edited values change derived ones: sizes change masses, sites change spring lengths,
// masses change feedback gains. In the edited Model these did not change, so further rounds write them explicitly, or
// let them change. Values of a Model are in final sizes: frames lose their scales.
void update_spec(Spec& spec, const Model& model, Unedited unedited) {
  constexpr int kRounds = 4;
  Origins origins;
  const Model before = compile_with_assets(spec, &origins);
  check_belongs(before, model);
  Model wanted = model;
  if (unedited == Unedited::kInferred) normalize_edits(before, wanted);
  unite_free_poses(before, wanted);
  const Model asked = wanted;
  const Inferred inferred(spec, origins, before, asked);
  Spec updated = bake_frame_scales(spec);
  const bool stops = stop_alignment(before, wanted, origins, updated);
  if (stops && unedited == Unedited::kInferred) write_aligned_poses(before, origins, updated);
  updated.option = model.opt;
  updated.visual = model.vis;
  update_statistic(updated.statistic, before.stat, model.stat);
  std::vector<std::string> lost;
  for (int round = 0;; ++round) {
    const Model now = compile_with_assets(updated);
    check_elements(before, now, wanted, unedited);
    if (unedited == Unedited::kInferred) infer_unedited(inferred, before, asked, now, wanted);
    lost = differing_fields(now, wanted, Access::kFree);
    if ((lost.empty() && round > 0) || round == kRounds) break;
    update_all(updated, origins, now, wanted, unedited, round);
  }
  if (!lost.empty()) throw Error(fmt::format("a model file cannot hold the edits of {}", fmt::join(lost, ", ")));
  spec = std::move(updated);
}

}  // namespace torsor
