// The kernels of a device on this machine's processor, one world after the other: slow, and there for tests.
#include <cstdlib>
#include <cstring>
#include <vector>

#include "torsor/gpu/backend.hpp"
#include "torsor/gpu/kernels/constraints.hpp"
#include "torsor/gpu/kernels/narrow.hpp"
#include "torsor/gpu/kernels/own_values.hpp"
#include "torsor/gpu/kernels/team_stages.hpp"
#include "torsor/gpu/kernels/tree_solve.hpp"

namespace torsor::gpu {
namespace {

template <class S>
class HostBackend final : public Backend<S> {
 public:
  void* allocate(std::size_t bytes) override {
    void* const memory = std::aligned_alloc(256, (bytes + 255) / 256 * 256);
    if (memory) std::memset(memory, 0, bytes);
    return memory;
  }
  void release(void* memory) override { std::free(memory); }
  std::size_t free_bytes() override { return std::size_t(1) << 40; }
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
    with_values(list.reads_own_values, [&](auto own) {
      for_each_world(view, [&](int world) { run_stages_of_world<own()>(view, list, world); });
    });
  }
  void solve_trees(const WorldView<S>& view, TreeEquation equation, bool is_step) override {
    for_each_tree_class([&](auto size_class) {
      constexpr int kClass = size_class();
      std::vector<S> shared(TreeSolver<S, kClass, 1>::kNumbers);
      for (int k = view.trees.begin[kClass]; k < view.trees.begin[kClass + 1]; ++k)
        for_each_world(view, [&](int world) {
          solve_tree<S, kClass, 1>(view, equation, is_step, world, view.trees.trees[k], shared.data());
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
      if (constraints.candidates.searches > 0) touch_left_candidates<own()>(constraints, 0, 1);
    });
  }
  void constrain(const WorldView<S>& view, const ConstraintView<S>& constraints, bool is_step) override {
    with_values(constraints.plan.models != nullptr, [&](auto own) {
      for_each_world(view, [&](int world) { constrain_world<1, own()>(view, constraints, is_step, world); });
    });
  }
  void solve(const ConstraintArrays<S>& problem, const IslandLists& lists, const NewtonScratch<S>& scratch,
             unsigned) override {
    run_newton_on_host(problem, lists, scratch);
  }

  void record(const std::function<void()>& work) override { work_ = work; }
  void replay(int times) override {
    for (int k = 0; k < times; ++k) work_();
  }

 private:
  // Phase by phase, with the members of the team in another order than that of what they share.
  template <bool kOwnValues>
  static void run_stages_of_world(const WorldView<S>& view, const StageList& list, int world) {
    if (!begin_stages(view, list, world)) return;
    constexpr int kMembers = 3;
    const ThreadWorkspace<S> workspace{const_cast<DataView<WorldLane<S>>&>(view.data), scratch_of(view, list),
                                       view.kept.data(), list.evaluation, false};
    std::vector<ThreadWorkspace<S>> workspaces(kMembers, workspace);
    for (int k = 0; k < list.count; ++k) {
      const auto run = [&](int member, int phase) {
        const StageTeam team{member, kMembers};
        const TeamStage<S> stage(view, model_of<kOwnValues>(view, world), list.stages[k], team,
                                 workspaces[std::size_t(member)]);
        if (phase < stage.phases()) stage.run(phase);
        return phase + 1 < stage.phases();
      };
      bool goes_on = true;
      for (int phase = 0; goes_on; ++phase)
        for (int member = kMembers - 1; member >= 0; --member) goes_on = run(member, phase);
    }
    if (list.ends) end_step(view, world);
  }
  template <class F>
  static void for_each_world(const WorldView<S>& view, F&& f) {
    for (int world = 0; world < view.worlds; ++world) {
      world_of_thread = world;
      f(world);
    }
  }
  // Calls f with whether worlds have values of their own, as a constant.
  template <class F>
  static void with_values(bool own, F&& f) {
    return own ? f(std::true_type{}) : f(std::false_type{});
  }
  std::function<void()> work_;
};

}  // namespace

template <class S>
std::unique_ptr<Backend<S>> make_host_backend() {
  return std::make_unique<HostBackend<S>>();
}
template std::unique_ptr<Backend<float>> make_host_backend();
template std::unique_ptr<Backend<double>> make_host_backend();

}  // namespace torsor::gpu
