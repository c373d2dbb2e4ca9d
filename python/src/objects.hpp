// What stands behind torsor.Model and torsor.Data: the engine's objects, shared with every view of their arrays.
#pragma once

#include <array>
#include <map>
#include <memory>
#include <string>
#include <utility>

#include "torsor/model/data.hpp"
#include "views.hpp"

namespace torsor::python {

struct ModelObject {
  explicit ModelObject(Model&& made) : model(std::make_shared<Model>(std::move(made))), views(model) {}

  nb::object field(size_t index) { return views.field(*model, index); }

  std::shared_ptr<Model> model;
  Views<Model> views;
};

// What users may let the engine call, as attributes of torsor.Data.
enum class Callback {
  kControl,
  kPassive,
  kContactFilter,
  kActDyn,
  kActGain,
  kActBias,
  kSensor,
  kClock,
  kWarning,
  kCount
};
const char* name_of(Callback which);

struct DataObject {
  // `model_object` is the Python object of `model`.
  DataObject(nb::object model_object, Data&& made)
      : model(std::move(model_object)), data(std::make_shared<Data>(std::move(made))), views(data) {
    for (nb::object& each : callbacks) each = nb::none();
  }

  nb::object field(size_t index) { return views.field(*data, index); }
  ModelObject& model_object() const { return nb::cast<ModelObject&>(model); }

  nb::object model;  // kept alive, and what names are looked up in
  std::shared_ptr<Data> data;
  Views<Data> views;
  nb::object& callback(Callback which) { return callbacks[static_cast<size_t>(which)]; }
  const nb::object& callback(Callback which) const { return callbacks[static_cast<size_t>(which)]; }

  std::array<nb::object, static_cast<size_t>(Callback::kCount)> callbacks;  // None where there is none
  std::map<std::pair<int, int>, nb::object> collision;  // functions by types of geoms, the smaller first
  nb::object energy;                                    // view, made when first asked for
  const char* running = nullptr;                        // name of the callback that runs now
};

// Brackets every call into the engine: checks that the data belongs to the model, lets other Python threads run
// meanwhile, and hands callbacks to the engine for as long as the call lasts. With a callback, other threads must wait,
// because the callback needs the interpreter.
class EngineCall {
 public:
  EngineCall(ModelObject& model, DataObject& data);
  ~EngineCall();
  EngineCall(const EngineCall&) = delete;
  EngineCall& operator=(const EngineCall&) = delete;

  const Model& model;
  Data& data;

 private:
  bool owns_callbacks_ = false;
  PyThreadState* released_ = nullptr;
};

// Throws torsor::Error unless the data was made for a model with this model's structure, and for values of the model
// that the engine cannot take: users may write anything into its arrays.
void check_fits(const ModelObject& model, const DataObject& data);

// Text that lives as long as the module: nanobind keeps pointers to signatures.
const char* keep_text(std::string text);

}  // namespace torsor::python
