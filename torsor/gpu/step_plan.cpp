#include "torsor/gpu/step_plan.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "torsor/dynamics/kernels/integrate.hpp"
#include "torsor/gpu/kernels/rare_poses.hpp"
#include "torsor/gpu/narrow_plan.hpp"
#include "torsor/model/formulation.hpp"
#include "torsor/model/settings.hpp"

namespace torsor::gpu {
namespace {

std::string name_of_geom(const Model& model, int geom) {
  const std::string_view name = model.name(ObjectType::kGeom, geom);
  return name.empty() ? fmt::format("geom {}", geom) : fmt::format("geom '{}'", name);
}

bool reads_contacts(SensorType type) { return type == SensorType::kTouch || type == SensorType::kContact; }

class Planner {
 public:
  Planner(const Model& model, const RowPlan& rows, const FieldList& fields, const FieldSet& wanted, StepPlan& plan)
      : model_(model),
        rows_(rows),
        factor_(fields.set("qLD qLDiagInv")),
        reads_factor_((wanted & factor_).any()),
        plan_(plan) {}

  void find_lacks(const BatchStages& stages) {
    for (const auto* const list :
         {&stages.forward, &stages.observe, &stages.start, &stages.report, &stages.between, &stages.finish}) {
      for (const BatchStage& stage : *list) {
        const bool is_wide = stage.is_wide || finds_points(stage, stages);
        plan_.rows.push_back({stage.name, is_wide, is_wide ? "" : stage.why});
        plan_.has_solver = plan_.has_solver || is_solver(stage);
        if (!is_wide) lack(fmt::format("{}: {}", stage.name, stage.why));
        if (stage.kernel == WideStage::kBodyForces && stages.writes_pack_rows)
          lack("sensors of forces in models with contacts or other constraints");
      }
    }
    if (plan_.has_solver) find_lacks_of_solver(stages);
  }

  void list(const BatchStages& stages) {
    solves_trees_ = can_solve_trees(stages);
    for (int k = 0; k < stages.evaluations; ++k) {
      add_forward(stages, k, true, plan_.step);
      StageList after;
      after.checks = k == 0;
      after.evaluation = k;
      if (k == 0) append(stages.observe, after), append(stages.start, after);
      if (k + 1 == stages.evaluations) append(stages.report, after);
      append(stages.between, after);
      if (k + 1 == stages.evaluations)
        add_finish(stages.finish, after);
      else
        plan_.step.push_back({StepPart::kStages, after});
    }
    add_forward(stages, 0, false, plan_.forward);
    StageList after;
    after.is_step = false;
    append(stages.observe, after);
    append(stages.report, after);
    plan_.forward.push_back({StepPart::kStages, after});
  }

 private:
  static bool is_solver(const BatchStage& stage) { return stage.is_wide && stage.kernel == WideStage::kCount; }
  // Pairs that batches on the processor collide lane by lane, but for those that find_lacks_of_solver() names.
  static bool finds_points(const BatchStage& stage, const BatchStages& stages) {
    return !stage.is_wide && !stage.function && stages.writes_pack_rows;
  }
  void lack(const std::string& text) {
    for (const std::string& known : plan_.lacks)
      if (known == text) return;
    plan_.lacks.push_back(text);
  }

  void find_lacks_of_solver(const BatchStages& stages) {
    if (!stages.writes_pack_rows) lack("contacts and constraints: " + why_no_pack_rows(model_, rows_));
    if (model_.opt.solver != static_cast<int>(SolverType::kNewton)) lack("solvers other than Newton's method");
    for (const PairPlan& pair : rows_.pairs) {
      if (knows_rare_poses(pair.kind) || narrow_kind(pair.function) != NarrowKind::kCount) continue;
      lack(fmt::format("contacts of {} with {}: shapes without a closed form", name_of_geom(model_, pair.pair.geom1),
                       name_of_geom(model_, pair.pair.geom2)));
    }
    for (int id = 0; id < model_.nsensor && !model_.opt.disabled(kDisableSensor); ++id) {
      const std::string_view name = model_.name(ObjectType::kSensor, id);
      if (reads_contacts(static_cast<SensorType>(model_.sensor_type[id])) && !stages.observe.empty())
        lack(fmt::format("sensor {}: readings of contacts",
                         name.empty() ? std::to_string(id) : fmt::format("'{}'", name)));
    }
  }

  // Groups of threads solve M x = force tree by tree, unless a tree is too large for that or somebody reads the factor
  // of M.
  bool can_solve_trees(const BatchStages& stages) const {
    for (int t = 0; t < model_.ntree; ++t)
      if (model_.tree_dofnum[t] > kMostTreeDofs) return false;
    bool reads_factor = reads_factor_;
    for (const auto* const list :
         {&stages.forward, &stages.observe, &stages.start, &stages.report, &stages.between, &stages.finish})
      for (const BatchStage& stage : *list)
        reads_factor = reads_factor || (stage.kernel != WideStage::kAcceleration && (stage.reads & factor_).any());
    return model_.nv > 0 && !reads_factor;
  }

  void append(const std::vector<BatchStage>& stages, StageList& to) {
    for (const BatchStage& stage : stages) {
      if (stage.is_wide && stage.kernel != WideStage::kRows && !is_solver(stage)) append(stage.kernel, to);
    }
  }
  void append(WideStage stage, StageList& to) {
    if (stage == WideStage::kBodyForces) {
      put(WideStage::kAppliedWrenches, to);
      put(WideStage::kInteractionForces, to);
    } else if (!solves_trees_) {
      put(stage, to);
    } else if (stage != WideStage::kAcceleration && stage != WideStage::kFactor) {
      put(stage, to);
    }
  }
  static StepPart trees(TreeEquation equation, const StageList& flags) {
    StepPart part{StepPart::kTrees};
    part.stages.is_step = flags.is_step;
    part.equation = equation;
    return part;
  }

  // `after` is what comes before the last stages.
  void add_finish(const std::vector<BatchStage>& stages, StageList& after) {
    for (const BatchStage& stage : stages) {
      const bool is_pulled = stage.kernel == WideStage::kImplicitFastPulled;
      if (solves_trees_ && stage.kernel == WideStage::kEuler) {
        const bool is_damped = has_implicit_damping(model_);
        if (is_damped)
          plan_.step.push_back(trees(TreeEquation::kDamped, after));  // it changes nothing that others read
        put(is_damped ? WideStage::kEulerEnd : WideStage::kEulerUndamped, after);
      } else if (solves_trees_ && (is_pulled || stage.kernel == WideStage::kImplicitFast)) {
        put(is_pulled ? WideStage::kImplicitFastPulledBegin : WideStage::kImplicitFastBegin, after);
        plan_.step.push_back({StepPart::kStages, after});
        plan_.step.push_back(trees(TreeEquation::kInScratch, after));
        after = {};
        put(WideStage::kImplicitFastEnd, after);
      } else {
        append({stage}, after);
      }
    }
    after.ends = true;
    plan_.step.push_back({StepPart::kStages, after});
  }
  void put(WideStage stage, StageList& to) {
    TORSOR_ASSERT(to.count < StageList::kMost);
    to.stages[to.count++] = stage;
  }

  // The mass matrix and its factor take as long as velocities and forces, and know nothing of each other.
  static bool is_of_inertia(const BatchStage& stage) {
    return stage.kernel == WideStage::kMassMatrix || stage.kernel == WideStage::kFactor;
  }
  static bool depends(const BatchStage& a, const BatchStage& b) {
    return (a.writes & (b.reads | b.writes)).any() || (a.reads & b.writes).any();
  }

  // Stages of which none depends on one of another list, in at most kAtOnce lists.
  static std::vector<std::vector<BatchStage>> find_independent(const std::vector<BatchStage>& stages) {
    std::vector<std::vector<BatchStage>> lists;
    for (const BatchStage& stage : stages) {
      std::vector<BatchStage> joined;
      std::erase_if(lists, [&](const std::vector<BatchStage>& list) {
        const bool meets = std::any_of(list.begin(), list.end(), [&](const BatchStage& other) {
          return depends(stage, other) || depends(other, stage);
        });
        if (meets) joined.insert(joined.end(), list.begin(), list.end());
        return meets;
      });
      joined.push_back(stage);
      lists.push_back(std::move(joined));
    }
    for (; lists.size() > kAtOnce; lists.pop_back())
      lists[0].insert(lists[0].end(), lists.back().begin(), lists.back().end());
    return lists;
  }

  // The kinematics first. Then, beside each other: points of contact; inertia; velocities and forces, each with scratch
  // of its own. The acceleration waits for all but the contacts, and the rest for everything.
  void add_strands(const std::vector<BatchStage>& stages, const StageList& flags, std::vector<StepPart>& to) {
    std::vector<BatchStage> first, middle, inertia, forces, rest;
    for (const BatchStage& stage : stages) {
      const bool is_late = stage.kernel == WideStage::kAcceleration || !rest.empty();
      auto& list = stage.kernel == WideStage::kKinematics ? first : is_late ? rest : middle;
      list.push_back(stage);
    }
    for (const BatchStage& stage : middle) (is_of_inertia(stage) ? inertia : forces).push_back(stage);
    StageList following = flags;
    following.begins = false;
    const auto put_stages = [&](const std::vector<BatchStage>& list, StageList with, int strand, unsigned after) {
      append(list, with);
      if (with.count > 0 || with.begins) to.push_back({StepPart::kStages, with, strand, after});
    };
    put_stages(first, flags, 0, 0);
    if (plan_.has_solver) to.push_back({StepPart::kContacts, following, kContactStrand, kAfterFirst});
    bool are_apart = true;
    for (const BatchStage& a : inertia)
      for (const BatchStage& b : forces) are_apart = are_apart && !depends(a, b) && !depends(b, a);
    if (are_apart) {
      put_stages(inertia, following, kInertiaStrand, kAfterFirst);
      int list = 0;
      for (const std::vector<BatchStage>& independent : find_independent(forces)) {
        StageList with = following;
        with.scratch_part = list;
        put_stages(independent, with, kForceStrand + list++, kAfterFirst);
      }
    } else {
      put_stages(middle, following, kForceStrand, kAfterFirst);
    }
    if (solves_trees_ && !rest.empty()) {
      rest.erase(rest.begin());  // the smooth acceleration
      to.push_back(trees(TreeEquation::kSmooth, flags));
      to.back().strand = kForceStrand;
      to.back().after = kAfterForces | 1u << kInertiaStrand;
    }
    put_stages(rest, following, 0, 0);
  }

  void add_forward(const BatchStages& stages, int evaluation, bool is_step, std::vector<StepPart>& to) {
    StageList before;
    before.begins = is_step && evaluation == 0;
    before.is_step = is_step;
    before.evaluation = evaluation;
    add_strands(stages.forward, before, to);
    if (!plan_.has_solver) return;
    StepPart solver{StepPart::kSolver, {}};
    solver.stages.is_step = is_step;
    to.push_back(solver);
  }

  static constexpr int kInertiaStrand = 1, kContactStrand = 2, kForceStrand = 3;  // and those after it
  static constexpr std::size_t kAtOnce = kScratchParts;                           // lists of forces
  static constexpr unsigned kAfterFirst = 1, kAfterForces = kAfterFirst | (((1u << kAtOnce) - 1) << kForceStrand);
  const Model& model_;
  const RowPlan& rows_;
  const FieldSet factor_;  // of M
  const bool reads_factor_;
  bool solves_trees_ = false;
  StepPlan& plan_;
};

}  // namespace

StepPlan::StepPlan(const Model& model, const RowPlan& row_plan, const FieldList& fields, const FieldSet& wanted) {
  const BatchStages stages = list_stages(model, fields, BatchPurpose::kStep, wanted);
  Planner planner(model, row_plan, fields, wanted, *this);
  planner.find_lacks(stages);
  if (lacks.empty()) planner.list(stages);
}

std::vector<std::string> list_what_device_lacks(const Model& model) {
  const FieldList fields(model);
  return StepPlan(model, RowPlan(model), fields, {}).lacks;
}

}  // namespace torsor::gpu
