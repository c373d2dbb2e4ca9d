// Threads that are kept from call to call and sleep in between, so that a call pays for waking them and not for making
// them.
#pragma once

#include <functional>
#include <memory>
#include <utility>

namespace torsor {

class ThreadPool {
 public:
  ThreadPool();
  ~ThreadPool();
  ThreadPool(const ThreadPool&) = delete;
  ThreadPool& operator=(const ThreadPool&) = delete;

  // parallel_for() on the threads of the pool: f(i, thread) for i in [0, n), `thread` in [0, threads), the caller being
  // thread 0. Threads are made when they are first asked for; if the system refuses, there are fewer. Takes no memory
  // otherwise. One call at a time. In a process forked from the one that made the threads they are made again.
  template <class F>
  bool run(int n, int threads, F&& f, const std::function<bool()>& should_stop = {}) {
    using Function = std::remove_reference_t<F>;
    const Piece call = [](void* context, int i, int thread) { (*static_cast<Function*>(context))(i, thread); };
    return run_pieces(n, threads, call, const_cast<void*>(static_cast<const void*>(std::addressof(f))), should_stop);
  }

 private:
  using Piece = void (*)(void* context, int i, int thread);
  struct Crew;
  bool run_pieces(int n, int threads, Piece piece, void* context, const std::function<bool()>& should_stop);
  void ensure_crew(int helpers);

  std::unique_ptr<Crew> crew_;
};

}  // namespace torsor
