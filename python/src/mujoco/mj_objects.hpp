// MjModel and MjData: the engine's objects with what MuJoCo's classes have in addition. They derive from torsor.Model
// and torsor.Data, so that all arrays, views and functions of the package serve them too.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "../objects.hpp"

namespace torsor::python::mj {

// What model.joint("x") and data.joint("x") have returned: a dictionary by name and number for each kind of element.
using ElementCache = std::vector<nb::object>;

struct MjModelObject : ModelObject {
  explicit MjModelObject(Model&& made) : ModelObject(std::move(made)) {}
  explicit MjModelObject(ModelObject&& made) : ModelObject(std::move(made)) {}
  MjModelObject(MjModelObject&&) = default;
  ~MjModelObject() {
    if (link) *link = nullptr;
  }
  ElementCache elements;
  nb::dict kept;  // arrays that Python made and that stay the same object, by name
  // How elements tell it that an array of its integers was handed out; they can outlive it.
  std::shared_ptr<ModelObject*> link;
  nb::object options;      // what model.opt is, once it was asked for
  long size_in_bytes = 0;  // of the file that mj_saveModel writes, once it was asked for
  uint64_t signature = 0;  // of the structure of the MjSpec that it was compiled from; 0: of none
};

// What data.contact.geom and its like have returned, for as long as the contacts stay where they are.
struct ContactColumns {
  const void* first = nullptr;
  int count = -1;
  std::array<nb::object, 18> views;
  std::vector<nb::object> entries;  // data.contact[i], which stay the same objects
};

// A view of an array whose place and size change from step to step.
struct PassingView {
  const void* place = nullptr;
  int64_t size = -1;
  nb::object view;
};

struct MjDataObject : DataObject {
  using DataObject::DataObject;
  ElementCache elements;
  nb::dict kept;  // arrays that Python made and that stay the same object, by name
  ContactColumns contact_columns;
  std::vector<PassingView> row_views;  // data.efc_pos and so on
  nb::object jacobian;                 // what data.efc_J has returned last, if it was dense
  uint64_t callbacks_version = 0;      // of the global callbacks that it has
  int threads = 0;                     // as mju_threadpool() set it
};

// The engine's object in a Python object; null if it is of another type. A data takes over the global callbacks.
ModelObject* as_model(PyObject* object);
DataObject* as_data(PyObject* object);

// Finds the islands of the rows, unless there are none because the flag is off; statistics of a solver that had others
// are dropped.
void find_islands_of_rows(const Model& model, Data& data);

// The callbacks of all MjData, as set_mjcb_control() and so on set them. `wrapped` is called as the callback of one
// Data is.
void set_global_callback(Callback which, nb::object wrapped);

void bind_mj_model(nb::module_& m);
void bind_mj_data(nb::module_& m);
void bind_mj_elements(nb::module_& m);
void bind_mj_callbacks(nb::module_& m);
void bind_mj_batch(nb::module_& m);
void bind_mj_contact(nb::module_& m);
void bind_mj_structs(nb::module_& parent);  // of the module torsor._core
void bind_enum_type(nb::module_& m);
void bind_simulation_functions(nb::module_& m);  // mj_step, mj_forward, ... and the stages
void bind_state_functions(nb::module_& m);       // mj_getState, mj_name2id, ...
void bind_support_functions(nb::module_& m);     // mj_jac, mj_mulM, mj_integratePos, ...
void bind_query_functions(nb::module_& m);       // mj_ray, mj_geomDistance, mj_readCtrl, mjd_transitionFD, ...
void bind_vector_functions(nb::module_& m);      // mju_add, mju_dot3, ...
void bind_matrix_functions(nb::module_& m);      // mju_mulMatVec, mju_cholFactor, mju_sparse2dense, ...
void bind_band_functions(nb::module_& m);        // mju_cholFactorBand, mju_boxQP, ...
void bind_pose_functions(nb::module_& m);        // mju_rotVecQuat, mju_mulPose, ...
void bind_number_functions(nb::module_& m);      // mju_clip, mju_muscleGain, ...

}  // namespace torsor::python::mj
