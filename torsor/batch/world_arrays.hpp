// State and input of many worlds, and the results that somebody wants to read: one array per field, world after world,
// at the same address for as long as the batch lives. Steps work on blocks, in which the numbers of the worlds of one
// pack are side by side; a block belongs to a thread, which gathers it before the steps of a pack and scatters it
// after.
#pragma once

#include <vector>

#include "torsor/batch/field_list.hpp"
#include "torsor/core/buffer.hpp"

namespace torsor {

// `S` is the scalar that worlds are stepped in.
template <class S>
class WorldArrays {
 public:
  WorldArrays(const FieldList& fields, int nworld);

  // nworld x fields().size(field) numbers; null for a result that is not kept.
  S* values(int field) const { return reinterpret_cast<S*>(arrays_[static_cast<size_t>(field)].data()); }
  S* row(int field, int world) const {
    return values(field) + static_cast<size_t>(world) * static_cast<size_t>(fields_.size(static_cast<size_t>(field)));
  }
  // Keeps a result from now on; zero until it is first written.
  S* keep(int field);
  const FieldSet& kept_results() const { return kept_results_; }
  const FieldList& fields() const { return fields_; }

  // State and input fields are those numbered from 0 to block_fields(), in the order of a block.
  int block_fields() const { return block_fields_; }
  // Where the numbers of a state or input field begin in a block, in numbers per world.
  size_t block_offset(int field) const { return offsets_[static_cast<size_t>(field)]; }
  size_t block_numbers() const { return offsets_.back(); }  // per world

  // Number i of the world `worlds[k]` goes to block[i * lanes + k]; lanes from `count` on get `reference`.
  void gather(const int* worlds, int count, int lanes, const double* reference, S* block) const;
  // The other way round. Without `with_input`, the state alone.
  void scatter(const int* worlds, int count, int lanes, const S* block, bool with_input) const;

 private:
  FieldList fields_;
  int nworld_, block_fields_ = 0, state_fields_ = 0;
  std::vector<size_t> offsets_;
  std::vector<Buffer> arrays_;
  FieldSet kept_results_;
};

// Throws Error when the machine does not have that much memory: `what` says what for ("a batch of 3 worlds").
void require_machine_memory(double bytes, const std::string& what);

}  // namespace torsor
