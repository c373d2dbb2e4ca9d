#include "torsor/batch/world_arrays.hpp"

#include <algorithm>
#include <limits>

#include <fmt/format.h>
#include <unistd.h>

#include "torsor/core/error.hpp"

namespace torsor {

// Memory is written as soon as it is taken: more than the machine has would end the process, not throw.
void require_machine_memory(double bytes, const std::string& what) {
  const double machine = static_cast<double>(sysconf(_SC_PHYS_PAGES)) * static_cast<double>(sysconf(_SC_PAGESIZE));
  if (bytes <= machine) return;
  throw Error(
      fmt::format("{} takes {:.1f} GiB, but this machine has {:.1f}", what, bytes / (1 << 30), machine / (1 << 30)));
}

template <class S>
WorldArrays<S>::WorldArrays(const FieldList& fields, int nworld)
    : fields_(fields), nworld_(nworld), offsets_{0}, arrays_(fields.count()) {
  const auto is_result = [&](size_t field) { return field >= fields.count() || fields.results().test(field); };
  double bytes = 0;
  for (size_t field = 0; !is_result(field); ++field) {
    bytes += static_cast<double>(sizeof(S)) * fields.size(field) * nworld;
    offsets_.push_back(offsets_.back() + static_cast<size_t>(fields.size(field)));
    state_fields_ += fields.state().test(field);
    ++block_fields_;
  }
  require_machine_memory(bytes, fmt::format("a batch of {} worlds of this model", nworld));
  constexpr int kMaxWorlds = std::numeric_limits<int>::max() - 64;  // rounded up to whole packs
  if (nworld > kMaxWorlds) throw Error(fmt::format("a batch has at most {} worlds, not {}", kMaxWorlds, nworld));
  for (size_t field = 0; field < static_cast<size_t>(block_fields_); ++field)
    arrays_[field] = Buffer(sizeof(S) * static_cast<size_t>(fields.size(field)) * static_cast<size_t>(nworld));
}

template <class S>
S* WorldArrays<S>::keep(int field) {
  const size_t which = static_cast<size_t>(field);
  const size_t count = static_cast<size_t>(fields_.size(which)) * static_cast<size_t>(nworld_);
  if (!arrays_[which].data() && count > 0) {
    require_machine_memory(static_cast<double>(sizeof(S)) * static_cast<double>(count),
                           fmt::format("'{}' of {} worlds", fields_.name(which), nworld_));
    arrays_[which] = Buffer(sizeof(S) * count);
  }
  if (field >= block_fields_ && count > 0) kept_results_.set(which);
  return values(field);
}

template <class S>
void WorldArrays<S>::gather(const int* worlds, int count, int lanes, const double* reference, S* block) const {
  for (int field = 0; field < block_fields_; ++field) {
    const int n = fields_.size(static_cast<size_t>(field));
    S* const to = block + block_offset(field) * static_cast<size_t>(lanes);
    for (int lane = 0; lane < lanes; ++lane) {
      const S* from = lane < count ? row(field, worlds[lane]) : nullptr;
      const double* other = reference + block_offset(field);
      for (int i = 0; i < n; ++i) to[i * lanes + lane] = from ? from[i] : static_cast<S>(other[i]);
    }
  }
}

template <class S>
void WorldArrays<S>::scatter(const int* worlds, int count, int lanes, const S* block, bool with_input) const {
  for (int field = 0; field < (with_input ? block_fields_ : state_fields_); ++field) {
    const int n = fields_.size(static_cast<size_t>(field));
    const S* const from = block + block_offset(field) * static_cast<size_t>(lanes);
    for (int lane = 0; lane < count; ++lane) {
      S* to = row(field, worlds[lane]);
      for (int i = 0; i < n; ++i) to[i] = from[i * lanes + lane];
    }
  }
}

template class WorldArrays<double>;
template class WorldArrays<float>;

}  // namespace torsor
