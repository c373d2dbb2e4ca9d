// What the files that bind a batch share.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <nanobind/ndarray.h>

#include "objects.hpp"
#include "torsor/batch/batch.hpp"

namespace torsor::python {

// The engine's batch refers to its model, which must stay.
struct BatchOwner {
  std::shared_ptr<Model> model;
  int nworld;
  mutable Gate gate;
  double step_seconds = 0;  // what one step of all worlds took last time, 0: not known
};
template <class S>
struct BatchObject : BatchOwner {
  BatchObject(const std::shared_ptr<Model>& owner, int count) : BatchOwner{owner, count, {}, 0}, batch(*owner, count) {}
  BasicBatch<S> batch;
};

// Numbers of worlds, or of keyframes; none stands for all worlds, or the reference pose.
using OptionalIds = std::optional<nb::ndarray<const int, nb::ndim<1>, nb::c_contig, nb::device::cpu>>;

// Worlds, then the shape of the field in one world. Throws Error for an unknown field.
Shape field_shape(const BatchOwner& self, const std::string& field);
// Throws IndexError for a world that does not exist.
void ids_of(const BatchOwner& self, const OptionalIds& ids, BatchCall& call);

// The parts of controls that belong to inputs, in the order of a state vector. Throws Error for other parts of a state.
struct ControlPart {
  const char* field;
  int count;
};
std::vector<ControlPart> list_control_parts(const Model& model, int signature);

// The live array of the values of a field of the model, one row for each world.
nb::object view_of(const WorldValues::Entry& entry, int nworld, bool writable, nb::handle keeper);

template <class S>
void bind_batch_values(nb::class_<BatchObject<S>>& cls);  // values per world, data and models of worlds, jac and ray
void bind_batch_elements(nb::module_& m);                 // columns of one element in the arrays of a batch

}  // namespace torsor::python
