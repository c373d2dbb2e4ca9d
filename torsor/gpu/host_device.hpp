// The device 'host' as tests want it, and what they see of it.
#pragma once

#include <cstddef>

namespace torsor::gpu {

struct HostDevice {
  // Threads of a group take turns, the first one or the last one first, see host_group.hpp; or a group has one thread.
  enum class Threads { kOne, kForwards, kBackwards };
  Threads threads = Threads::kOne;           // of batches that are made from now on
  std::size_t bytes = std::size_t{1} << 40;  // its memory, of which batches use so much:
  std::size_t used = 0;
  bool has_guards = false;  // arrays begin behind a page that nobody can read

  // How often groups of several threads ran.
  enum Work { kRows, kIslands, kTrees, kForces, kFields, kWorks };
  long groups[kWorks] = {};
};
HostDevice& host_device();

}  // namespace torsor::gpu
