#include "torsor/bridge/newton/worlds.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "torsor/bridge/newton/model_data.hpp"
#include "torsor/core/error.hpp"

namespace torsor::newton {
namespace {

// Where the numbers of a world are in the lists of the whole model, and how many there are.
struct Range {
  int begin, count;
};
struct Ranges {
  Range bodies, joints, shapes, coordinates, dofs;
};

Ranges find_ranges(const ModelBuilder& whole, int world) {
  const WorldSource& source = whole.world_source[world];
  const ModelBuilder& one = *source.builder;
  const int q = source.joint < whole.joint_count() ? whole.joint_q_start[source.joint] : whole.joint_coord_count();
  const int qd = source.joint < whole.joint_count() ? whole.joint_qd_start[source.joint] : whole.joint_dof_count();
  return {{source.body, one.body_count()},
          {source.joint, one.joint_count()},
          {source.shape, one.shape_count()},
          {q, one.joint_coord_count()},
          {qd, one.joint_dof_count()}};
}

template <class T>
void take(std::vector<T>& to, const std::vector<T>& from, const Range& range) {
  std::copy_n(from.begin() + range.begin, range.count, to.end() - range.count);
}

// Numbers that were edited after the world was added. The world's elements are the last ones of `one`.
void take_numbers(const ModelBuilder& whole, const Ranges& ranges, ModelBuilder& one) {
#define TAKE(range, name) take(one.name, whole.name, ranges.range)
  TAKE(bodies, body_q), TAKE(bodies, body_qd), TAKE(bodies, body_mass), TAKE(bodies, body_com);
  TAKE(bodies, body_inertia), TAKE(bodies, body_flags);
  TAKE(joints, joint_X_p), TAKE(joints, joint_X_c), TAKE(joints, joint_enabled);
  TAKE(coordinates, joint_q);
  TAKE(dofs, joint_qd), TAKE(dofs, joint_f), TAKE(dofs, joint_target_pos), TAKE(dofs, joint_target_vel);
  TAKE(dofs, joint_target_ke), TAKE(dofs, joint_target_kd), TAKE(dofs, joint_target_mode), TAKE(dofs, joint_axis);
  TAKE(dofs, joint_limit_lower), TAKE(dofs, joint_limit_upper), TAKE(dofs, joint_limit_ke), TAKE(dofs, joint_limit_kd);
  TAKE(dofs, joint_armature), TAKE(dofs, joint_damping), TAKE(dofs, joint_friction), TAKE(dofs, joint_effort_limit);
  TAKE(dofs, joint_velocity_limit);
  TAKE(shapes, shape_flags), TAKE(shapes, shape_collision_group), TAKE(shapes, shape_transform);
  TAKE(shapes, shape_scale), TAKE(shapes, shape_material_ke), TAKE(shapes, shape_material_kd);
  TAKE(shapes, shape_material_kf), TAKE(shapes, shape_material_ka), TAKE(shapes, shape_material_mu);
  TAKE(shapes, shape_material_mu_torsional), TAKE(shapes, shape_material_mu_rolling);
  TAKE(shapes, shape_material_restitution), TAKE(shapes, shape_margin), TAKE(shapes, shape_gap);
#undef TAKE
}

ShapeConfig config_of(const ModelBuilder& whole, int s) {
  ShapeConfig config;
  config.density = 0;
  config.ke = whole.shape_material_ke[s], config.kd = whole.shape_material_kd[s];
  config.kf = whole.shape_material_kf[s], config.ka = whole.shape_material_ka[s];
  config.mu = whole.shape_material_mu[s], config.restitution = whole.shape_material_restitution[s];
  config.mu_torsional = whole.shape_material_mu_torsional[s], config.mu_rolling = whole.shape_material_mu_rolling[s];
  config.margin = whole.shape_margin[s], config.gap = whole.shape_gap[s];
  config.collision_group = whole.shape_collision_group[s];
  config.has_shape_collision = whole.shape_flags[s] & kCollideShapes;
  config.is_site = whole.shape_flags[s] & kSite;
  return config;
}

// Whether two worlds differ at most in where they start.
bool have_same_numbers(const ModelBuilder& a, const ModelBuilder& b) {
#define SAME(name) a.name == b.name
  return SAME(body_mass) && SAME(body_com) && SAME(body_inertia) && SAME(body_flags) && SAME(joint_X_p) &&
         SAME(joint_X_c) && SAME(joint_target_ke) && SAME(joint_target_kd) && SAME(joint_target_mode) &&
         SAME(joint_axis) && SAME(joint_limit_lower) && SAME(joint_limit_upper) && SAME(joint_limit_ke) &&
         SAME(joint_limit_kd) && SAME(joint_armature) && SAME(joint_damping) && SAME(joint_friction) &&
         SAME(joint_effort_limit) && SAME(shape_flags) && SAME(shape_collision_group) && SAME(shape_transform) &&
         SAME(shape_scale) && SAME(shape_material_ke) && SAME(shape_material_kd) && SAME(shape_material_mu) &&
         SAME(shape_material_mu_torsional) && SAME(shape_material_mu_rolling) && SAME(shape_margin) &&
         SAME(shape_gap) && SAME(gravity);
#undef SAME
}

}  // namespace

std::string why_not_separate(const ModelBuilder& whole) {
  if (whole.world_count < 2) return "there are no worlds beside each other";
  for (const WorldSource& source : whole.world_source) {
    if (!source.builder) return "a world was not added as a whole builder";
    if (source.builder->joint_type != whole.world_source[0].builder->joint_type ||
        source.builder->shape_type != whole.world_source[0].builder->shape_type ||
        source.builder->joint_parent != whole.world_source[0].builder->joint_parent)
      return "the worlds have different bodies, joints or shapes";
  }
  if (std::find(whole.joint_type.begin(), whole.joint_type.end(), JointKind::kDistance) != whole.joint_type.end())
    return "limits of distance joints differ from step to step and from world to world";
  if (std::find(whole.body_world.begin(), whole.body_world.end(), -1) != whole.body_world.end())
    return "a body belongs to no world";
  for (int s = 0; s < whole.shape_count(); ++s) {
    if (whole.shape_world[s] < 0 && whole.shape_native[s]) return "a shape from MJCF belongs to no world";
  }
  const auto in_one_world = [&](const std::array<int, 2>& pair) {
    return whole.shape_world[pair[0]] == whole.shape_world[pair[1]] && whole.shape_world[pair[0]] >= 0;
  };
  size_t pairs = 0;
  for (const WorldSource& source : whole.world_source) pairs += source.builder->shape_collision_filter_pairs.size();
  if (whole.shape_collision_filter_pairs.size() != pairs ||
      !std::all_of(whole.shape_collision_filter_pairs.begin(), whole.shape_collision_filter_pairs.end(), in_one_world))
    return "pairs of shapes are filtered across worlds";
  return "";
}

ModelBuilder make_world_builder(const ModelBuilder& whole, int world) {
  if (const std::string why = why_not_separate(whole); !why.empty()) throw Error(why);
  ModelBuilder one(whole.up_axis, whole.world_gravity[world]);
  for (int s = 0; s < whole.shape_count(); ++s) {
    if (whole.shape_world[s] >= 0) continue;
    one.add_shape(-1, whole.shape_type[s], whole.shape_transform[s], whole.shape_scale[s], config_of(whole, s),
                  whole.shape_source[s]);
  }
  const WorldSource& source = whole.world_source[world];
  one.gravity = source.builder->gravity;
  one.add_builder(*source.builder, source.xform);
  one.gravity = whole.world_gravity[world];
  take_numbers(whole, find_ranges(whole, world), one);
  return one;
}

// A solver whose steps the batch takes.
class WorldBatch::Part : public SolverMuJoCo {
 public:
  Part(const Model& made, const SolverOptions& options) : SolverMuJoCo(made, options), model(made) {}
  using Solver::engine_;
  using Solver::prepare;
  using Solver::read_output;
  using Solver::set_input;
  Data& data() { return workspace(); }
  const Model model;
};

WorldBatch::~WorldBatch() = default;

WorldBatch::WorldBatch(const ModelData& model, SolverOptions options) : model_(model) {
  options.separate_worlds = false;
  const ModelBuilder& lists = model.lists;
  std::vector<std::pair<ModelBuilder, std::shared_ptr<Part>>> made;  // different ones
  for (int w = 0; w < lists.world_count; ++w) {
    ModelBuilder one = make_world_builder(lists, w);
    one.gravity = model.gravity[w];
    const auto same =
        std::find_if(made.begin(), made.end(), [&](const auto& each) { return have_same_numbers(each.first, one); });
    if (same != made.end()) {
      parts_.push_back(same->second);
      continue;
    }
    Model alone = one.finalize(model.version);
    if (alone.data()->has_contact_filter())
      throw Error("contacts are filtered by groups, pairs or kinematic bodies, which a batch does not do");
    parts_.push_back(std::make_shared<Part>(alone, options));
    made.emplace_back(std::move(one), parts_.back());
  }
  if (made.size() > 1) {
    for (const auto& part : parts_) models_.push_back(&part->engine_);
  }
  batch_ = std::make_unique<BasicBatch<double>>(parts_[0]->engine_, lists.world_count);
}

namespace {

State make_part_state(const Model& model, const State& whole, const Ranges& ranges, Range act) {
  State state = model.state();
  const auto copy = [](std::vector<double>& to, const std::vector<double>& from, const Range& range, int width) {
    std::copy_n(from.begin() + range.begin * width, range.count * width, to.begin());
  };
  copy(state.joint_q, whole.joint_q, ranges.coordinates, 1);
  copy(state.joint_qd, whole.joint_qd, ranges.dofs, 1);
  copy(state.body_f, whole.body_f, ranges.bodies, 6);
  copy(state.act, whole.act, act, 1);
  return state;
}

Control make_part_control(const Model& model, const Control& whole, const Ranges& ranges, Range ctrl) {
  Control control = model.control();
  const auto copy = [](std::vector<double>& to, const std::vector<double>& from, const Range& range) {
    std::copy_n(from.begin() + range.begin, range.count, to.begin());
  };
  copy(control.joint_f, whole.joint_f, ranges.dofs);
  copy(control.joint_act, whole.joint_act, ranges.dofs);
  copy(control.joint_target_pos, whole.joint_target_pos, ranges.dofs);
  copy(control.joint_target_vel, whole.joint_target_vel, ranges.dofs);
  copy(control.ctrl, whole.ctrl, ctrl);
  return control;
}

void write_part(const State& part, const Ranges& ranges, Range act, State& whole) {
  const auto copy = [](const std::vector<double>& from, std::vector<double>& to, const Range& range, int width) {
    std::copy_n(from.begin(), range.count * width, to.begin() + range.begin * width);
  };
  copy(part.joint_q, whole.joint_q, ranges.coordinates, 1);
  copy(part.joint_qd, whole.joint_qd, ranges.dofs, 1);
  copy(part.body_q, whole.body_q, ranges.bodies, 7);
  copy(part.body_qd, whole.body_qd, ranges.bodies, 6);
  copy(part.act, whole.act, act, 1);
}

}  // namespace

void WorldBatch::step(const State& state_in, State& state_out, const Control* control, double dt) {
  const int worlds = static_cast<int>(parts_.size());
  const torsor::Model& engine = parts_[0]->engine_;
  const int na = engine.na, nctrl = engine.nu - parts_[0]->model.data()->layout.native_control;
  std::vector<State> states;
  for (int w = 0; w < worlds; ++w) {
    Part& part = *parts_[w];
    const Ranges ranges = find_ranges(model_.lists, w);
    states.push_back(make_part_state(part.model, state_in, ranges, {w * na, na}));
    part.prepare(dt);
    if (control) {
      const Control own = make_part_control(part.model, *control, ranges, {w * nctrl, nctrl});
      part.set_input(states.back(), &own);
    } else {
      part.set_input(states.back(), nullptr);
    }
    batch_->set_world(w, part.data());
  }
  BatchSteps call;
  call.threads = 0;
  call.models = models_.empty() ? nullptr : models_.data();
  const std::vector<int64_t> diverged(batch_->diverged_at(), batch_->diverged_at() + worlds);
  batch_->step(call);
  if (!std::equal(diverged.begin(), diverged.end(), batch_->diverged_at())) {
    batch_->reset();
    throw Error(
        "the step gave numbers that are not finite or too large; state_out is unchanged. Use a smaller dt, or check "
        "stiffness and masses");
  }
  State result = state_out;
  result.joint_q = state_in.joint_q, result.joint_qd = state_in.joint_qd;
  for (int w = 0; w < worlds; ++w) {
    Part& part = *parts_[w];
    batch_->get_world(w, part.data());
    State out = states[w];
    part.read_output(states[w], out);
    write_part(out, find_ranges(model_.lists, w), {w * na, na}, result);
  }
  result.mark_computed();
  state_out.assign(result);
}

}  // namespace torsor::newton
