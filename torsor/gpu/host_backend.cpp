// The kernels of a device on this machine's processor, one world after the other: slow, and there for tests.
#include <cstring>
#include <vector>

#include "torsor/gpu/backend.hpp"
#include "torsor/gpu/host_group.hpp"
#include "torsor/gpu/host_memory.hpp"
#include "torsor/gpu/host_solve.hpp"
#include "torsor/gpu/kernels/constraints.hpp"
#include "torsor/gpu/kernels/contact_forces.hpp"
#include "torsor/gpu/kernels/narrow.hpp"
#include "torsor/gpu/kernels/own_values.hpp"
#include "torsor/gpu/kernels/team_stages.hpp"
#include "torsor/gpu/kernels/tree_solve.hpp"
#include "torsor/gpu/kernels/world_stages.hpp"

namespace torsor::gpu {
namespace {

template <class S>
class HostBackend final : public Backend<S> {
 public:
  void* allocate(std::size_t bytes) override { return memory_.take(bytes); }
  void release(void* memory) override { memory_.release(memory); }
  std::size_t free_bytes() override { return HostMemory::free_bytes(); }
  void upload(void* to, const void* from, std::size_t bytes) override { std::memcpy(to, from, bytes); }
  void download(void* to, const void* from, std::size_t bytes) override { std::memcpy(to, from, bytes); }
  void clear(void* memory, std::size_t bytes) override { std::memset(memory, 0, bytes); }
  void use_stream(void*) override {}
  void use_strand(int, unsigned) override {}
  void synchronize() override {}

  void load(const WorldView<S>& view, const TransferList<S>& list) override {
    for_each_world(view, [&](int world) { load_world(view, list, world); });
  }
  void store(const WorldView<S>& view, const TransferList<S>& list) override {
    for_each_world(view, [&](int world) { store_world(view, list, world); });
  }
  void aim(const WorldView<S>& view, const Aim& aim) override {
    for_each_world(view, [&](int world) { aim_world(view.progress, aim, world); });
  }
  void put(const WorldView<S>& view, const TransferList<S>& state, const S* pose, const std::uint8_t* mask) override {
    for_each_world(view, [&](int world) { put_world(view, state, pose, mask, world); });
  }
  void take_values(const WorldView<S>& view, const ValueList<S>& list) override {
    for_each_world(view, [&](int world) { gpu::take_values(view, list, world); });
  }
  void run_stages(const WorldView<S>& view, const StageList& list) override {
    const bool is_divided = !list.reads_own_values && division_of(list, view.model).all;
    with_values(list.reads_own_values, [&](auto own) {
      for_each_world(view, [&](int world) {
        is_divided ? run_stages_of_world<false, true>(view, list, world)
                   : run_stages_of_world<own(), false>(view, list, world);
      });
    });
  }
  void run_world_stage(const WorldView<S>& view, WorldStage stage, const StageList& flags) override {
    with_values(view.models != nullptr, [&](auto own) {
      for_each_world(view, [&](int world) { gpu::run_world_stage<own()>(view, stage, flags, world); });
    });
  }
  void solve_trees(const WorldView<S>& view, TreeEquation equation, bool is_step) override {
    for_each_tree_class([&](auto size_class) {
      constexpr int kClass = size_class(), kThreads = kTreeClasses[kClass].threads;
      std::vector<S> shared(TreeSolver<S, kClass, kThreads>::kNumbers);
      for (int k = view.trees.begin[kClass]; k < view.trees.begin[kClass + 1]; ++k)
        for_each_world(view, [&](int world) {
          run_in_group<kThreads>(threads_, HostDevice::kTrees, [&](auto lanes) {
            solve_tree<S, kClass, lanes()>(view, equation, is_step, world, view.trees.trees[k], shared.data());
          });
        });
    });
  }
  void find_contacts(const WorldView<S>& view, const ConstraintView<S>& constraints, bool is_step) override {
    with_values(constraints.plan.models != nullptr, [&](auto own) {
      for_each_world(view, [&](int world) {
        constexpr int kMembers = 3;
        int contacts = 0, candidates = 0;
        for (int k = kMembers - 1; k >= 0; --k)  // in another order than that of pairs
          gpu::find_contacts<own()>(view, constraints, is_step, world, {k, kMembers, &contacts, &candidates});
        count_contacts(view, constraints, is_step, world, {0, kMembers, &contacts, &candidates});
      });
      for_each_narrow_kind(constraints.plan.narrow_kinds, [&](auto kind) {
        const int listed = constraints.candidates.listed_count[int(kind())];
        for (int at = 0; at < listed; ++at) touch_candidate<kind(), own()>(constraints, at);
      });
      const unsigned kinds = constraints.plan.narrow_kinds;
      if (has_kind(kinds, NarrowKind::kConvex)) touch_left_candidates<NarrowKind::kConvex, own()>(constraints, 0, 1);
      if (!has_kind(kinds, NarrowKind::kField)) return;
      const int listed = constraints.candidates.listed_count[static_cast<int>(NarrowKind::kField)];
      const int left = *constraints.candidates.left_count;  // those of convex shapes
      for (int at = 0; at < listed; ++at) {
        run_in_group<8>(threads_, HostDevice::kFields,
                        [&](auto lanes) { touch_field_candidate<lanes(), own()>(constraints, at); });
      }
      if (*constraints.candidates.left_count > left)
        touch_left_candidates<NarrowKind::kField, own()>(constraints, 0, 1);
    });
  }
  void constrain(const WorldView<S>& view, const ConstraintView<S>& constraints, bool is_step) override {
    with_values(constraints.plan.models != nullptr, [&](auto own) {
      with_row_solver(constraints.problem.method, [&](auto solver) {
        constexpr bool kMayBePlain = !own() && solver() == IslandSolver::kNewton;
        const bool is_simple = kMayBePlain && is_plain(view, constraints.plan);
        for_each_world(view, [&](int world) {
          run_in_group<16>(threads_, HostDevice::kRows, [&](auto lanes) {
            if (is_simple)
              constrain_world<lanes(), own(), solver(), kMayBePlain>(view, constraints, is_step, world);
            else
              constrain_world<lanes(), own(), solver()>(view, constraints, is_step, world);
          });
        });
      });
    });
  }
  void solve(const ConstraintArrays<S>& problem, const IslandLists& lists, const NewtonScratch<S>& scratch,
             unsigned) override {
    run_solver_on_host(problem, lists, scratch, threads_);
  }
  void find_forces(const WorldView<S>& view, const ConstraintView<S>& constraints, bool is_step) override {
    with_values(constraints.plan.models != nullptr, [&](auto own) {
      for_each_world(view, [&](int world) {
        run_in_group<8>(threads_, HostDevice::kForces,
                        [&](auto lanes) { gpu::find_forces<lanes(), own()>(view, constraints, is_step, world); });
      });
    });
  }
  void add_wrenches(const WorldView<S>& view, const ConstraintView<S>& constraints, bool is_step) override {
    with_values(constraints.plan.models != nullptr, [&](auto own) {
      for_each_member(view, [&](int world, const StageTeam& team) {
        gpu::add_wrenches<own()>(view, constraints, is_step, world, team);
      });
    });
  }
  void read_contacts(const WorldView<S>& view, const ConstraintView<S>& constraints, bool is_step) override {
    with_values(view.models != nullptr, [&](auto own) {
      for_each_member(view, [&](int world, const StageTeam& team) {
        gpu::read_contacts<own()>(view, constraints, is_step, world, team);
      });
    });
  }

  void record(const std::function<void()>& work) override { work_ = work; }
  void replay(int times) override {
    for (int k = 0; k < times; ++k) work_();
  }

 private:
  // Phase by phase, with the members of the team in another order than that of what they share.
  template <bool kOwnValues, bool kDivided>
  static void run_stages_of_world(const WorldView<S>& view, const StageList& list, int world) {
    if (!begin_stages(view, list, world)) return;
    constexpr int kMembers = 3;
    const ThreadWorkspace<S> workspace{const_cast<DataView<WorldLane<S>>&>(view.data), scratch_of(view, list),
                                       view.kept.data(), list.evaluation, false};
    std::vector<ThreadWorkspace<S>> workspaces(kMembers, workspace);
    for (int k = 0; k < list.count; ++k) {
      const auto run = [&](int member, int phase) {
        const StageTeam team{member, kMembers};
        const TeamStage<S, kDivided> stage(view, model_of<kOwnValues>(view, world), list.stages[k], team,
                                           workspaces[std::size_t(member)]);
        if (phase < stage.phases()) stage.run(phase);
        return phase + 1 < stage.phases();
      };
      bool goes_on = true;
      for (int phase = 0; goes_on; ++phase)
        for (int member = kMembers - 1; member >= 0; --member) goes_on = run(member, phase);
    }
    end_stages(view, list, world);
  }
  template <class F>
  static void for_each_world(const WorldView<S>& view, F&& f) {
    for (int world = 0; world < view.worlds; ++world) {
      world_of_thread = world;
      f(world);
    }
  }
  // Calls f with the solver whose rows are written, as a constant.
  template <class F>
  static void with_row_solver(IslandSolver solver, F&& f) {
    if (solver == IslandSolver::kPgs) return f(std::integral_constant<IslandSolver, IslandSolver::kPgs>{});
    if (solver == IslandSolver::kSap) return f(std::integral_constant<IslandSolver, IslandSolver::kSap>{});
    f(std::integral_constant<IslandSolver, IslandSolver::kNewton>{});
  }
  // Teams whose members need not wait for each other.
  template <class F>
  static void for_each_member(const WorldView<S>& view, F&& f) {
    constexpr int kMembers = 3;
    for_each_world(view, [&](int world) {
      for (int k = kMembers - 1; k >= 0; --k) f(world, StageTeam{k, kMembers});
    });
  }
  // Calls f with whether worlds have values of their own, as a constant.
  template <class F>
  static void with_values(bool own, F&& f) {
    return own ? f(std::true_type{}) : f(std::false_type{});
  }
  std::function<void()> work_;
  HostMemory memory_;
  const HostDevice::Threads threads_ = host_device().threads;
};

}  // namespace

template <class S>
std::unique_ptr<Backend<S>> make_host_backend() {
  return std::make_unique<HostBackend<S>>();
}
template std::unique_ptr<Backend<float>> make_host_backend();
template std::unique_ptr<Backend<double>> make_host_backend();

}  // namespace torsor::gpu
