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

bool reads_contacts(int type) {
  return type == static_cast<int>(SensorType::kTouch) || type == static_cast<int>(SensorType::kContact);
}

// What the functions of devices read, where those of the processor may read anything.
void narrow(const FieldList& fields, BatchStage& stage) {
  if (stage.on_device == WorldStage::kActuation)
    stage.reads = fields.set("qpos qvel act ctrl ten_length actuator_length actuator_velocity actuator_moment") |
                  fields.set("qfrc_gravcomp");
  if (stage.on_device == WorldStage::kActivations) stage.reads = fields.set("act act_dot actuator_length");
}

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
        const bool is_wide = stage.is_wide || finds_points(stage, stages) || stage.on_device != WorldStage::kNone;
        plan_.rows.push_back({stage.name, is_wide, is_wide ? "" : stage.why});
        plan_.has_solver = plan_.has_solver || is_solver(stage);
        if (!is_wide) lack(fmt::format("{}: {}", stage.name, stage.why));
      }
    }
    plan_.keeps_forces = plan_.has_solver && stages.keeps_forces;
    if (plan_.has_solver) find_lacks_of_solver(stages);
  }

  void list(const BatchStages& stages) {
    solves_trees_ = can_solve_trees(stages);
    StageList before;
    before.begins = true;
    for (int k = 0; k < stages.evaluations; ++k) {
      add_forward(stages, before, plan_.step);
      StageList after;
      after.checks = k == 0;
      after.evaluation = k;
      has_forces_ = false;
      if (k == 0) append_readers(stages.observe, after, plan_.step), append(stages.start, after);
      if (k + 1 == stages.evaluations) append_readers(stages.report, after, plan_.step);
      append(stages.between, after);
      after.moves = !stages.between.empty();
      if (k + 1 == stages.evaluations)
        add_finish(stages.finish, after);
      else
        before = after;  // the next evaluation begins in the same kernel
    }
    before = {};
    before.is_step = false;
    add_forward(stages, before, plan_.forward);
    StageList after;
    after.is_step = false;
    has_forces_ = false;
    append_readers(stages.observe, after, plan_.forward);
    append_readers(stages.report, after, plan_.forward);
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
    for (const PairPlan& pair : rows_.pairs) {
      if (knows_rare_poses(pair.kind) || narrow_kind(pair.function) != NarrowKind::kCount) continue;
      lack(fmt::format("contacts of {} with {}: shapes without a closed form", name_of_geom(model_, pair.pair.geom1),
                       name_of_geom(model_, pair.pair.geom2)));
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
  // Stages after the solution, between which kernels that read forces of contacts may come.
  void append_readers(const std::vector<BatchStage>& stages, StageList& list, std::vector<StepPart>& to) {
    for (const BatchStage& stage : stages) {
      if (stage.kernel == WideStage::kBodyForces && plan_.keeps_forces) {
        put(WideStage::kAppliedWrenches, list);
        interrupt(list, StepPart::kWrenches, to);
        put(WideStage::kInteractionForces, list);
      } else {
        append({stage}, list);
        const bool reads_contacts_too =
            stage.kernel == WideStage::kReadings &&
            std::any_of(model_.sensor_type.begin(), model_.sensor_type.end(), reads_contacts);
        if (reads_contacts_too) interrupt(list, StepPart::kContactReadings, to);
      }
    }
  }
  // Ends a list and puts another kernel behind it; forces are found before the first one that reads them.
  void interrupt(StageList& list, StepPart::Kind kind, std::vector<StepPart>& to) {
    StepPart part;
    part.stages.is_step = list.is_step;
    to.push_back({StepPart::kStages, list});
    list.checks = false;
    list.count = 0;
    part.kind = StepPart::kForces;
    if (plan_.keeps_forces && !has_forces_) to.push_back(part);
    has_forces_ = true;
    part.kind = kind;
    to.push_back(part);
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
      if (stage.on_device != WorldStage::kNone) {
        StepPart part{StepPart::kStages, after};
        plan_.step.push_back(part);
        part.kind = StepPart::kWorldStage;
        part.world_stage = stage.on_device;
        plan_.step.push_back(part);
        after.checks = false;
        after.count = 0;
        continue;
      }
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
    StageList following;
    following.is_step = flags.is_step;
    following.evaluation = flags.evaluation;
    const auto put_stages = [&](const std::vector<BatchStage>& list, StageList with, int strand, unsigned after) {
      const auto put_list = [&] {
        if (with.count > 0 || with.begins) to.push_back({StepPart::kStages, with, strand, after});
        with.count = 0, with.begins = false;
      };
      for (const BatchStage& stage : list) {
        append({stage}, with);
        if (stage.on_device == WorldStage::kNone) continue;
        put_list();
        StepPart part{StepPart::kWorldStage, with, strand, after};
        part.world_stage = stage.on_device;
        to.push_back(part);
      }
      put_list();
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

  // `before` has what comes before the kinematics.
  void add_forward(const BatchStages& stages, const StageList& before, std::vector<StepPart>& to) {
    add_strands(stages.forward, before, to);
    if (!plan_.has_solver) return;
    StepPart solver{StepPart::kSolver, {}};
    solver.stages.is_step = before.is_step;
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
  bool has_forces_ = false;  // those of the present evaluation were found
  StepPlan& plan_;
};

}  // namespace

StepPlan::StepPlan(const Model& model, const RowPlan& row_plan, const FieldList& fields, const FieldSet& wanted,
                   bool reports_forces) {
  const BatchPurpose purpose = reports_forces ? BatchPurpose::kStepAndForces : BatchPurpose::kStep;
  BatchStages stages = list_stages(model, fields, purpose, wanted);
  for (auto* const list : {&stages.forward, &stages.finish})
    for (BatchStage& stage : *list) narrow(fields, stage);
  Planner planner(model, row_plan, fields, wanted, *this);
  planner.find_lacks(stages);
  if (lacks.empty()) planner.list(stages);
}

std::vector<std::string> list_what_device_lacks(const Model& model) {
  const FieldList fields(model);
  return StepPlan(model, RowPlan(model), fields, {}).lacks;
}

}  // namespace torsor::gpu
