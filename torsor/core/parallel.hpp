// A flat parallel loop. Our work is many independent pieces of equal kind; which thread does which never changes
// results.
#pragma once

#include <functional>

namespace torsor {

// Calls f(i, thread) for i in [0, n), with `thread` in [0, threads). threads <= 0 means one per core.
// The first exception that f throws stops the loop and is rethrown here.
void parallel_for(int n, int threads, const std::function<void(int i, int thread)>& f);

// The same, to be stopped: the calling thread asks `should_stop` before each of its pieces, and once that returns true
// no thread begins another piece. Returns false if pieces were left out. An empty function never stops.
bool parallel_for(int n, int threads, const std::function<void(int i, int thread)>& f,
                  const std::function<bool()>& should_stop);

// One per core, or what the caller asks for, but never more than there is work.
int thread_count(int n, int threads);

}  // namespace torsor
