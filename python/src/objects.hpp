// What stands behind torsor.Model and torsor.Data: the engine's objects, shared with every view of their arrays.
#pragma once

#include <array>
#include <map>
#include <memory>
#include <string>
#include <utility>

#include "gate.hpp"
#include "torsor/model/data.hpp"
#include "views.hpp"

namespace torsor::python {

struct ModelObject {
  explicit ModelObject(Model&& made) : model(std::make_shared<Model>(std::move(made))), views(model) {}

  nb::object field(size_t index) {
    may_be_unsound |= rows_of<Model>()[index].is_writable_whole();
    return views.field(*model, index);
  }

  std::shared_ptr<Model> model;
  Views<Model> views;
  // Somebody has held a writable array of its whole numbers, so that they must be checked before each use. The check
  // takes 2 % of a small robot's step; most programs never ask for such an array.
  bool may_be_unsound = false;
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

// A Data and the gate that its users pass through.
struct GatedData : Data {
  explicit GatedData(Data&& made) : Data(std::move(made)) {}
  Gate gate;
};

struct DataObject {
  // `model_object` is the Python object of `model`.
  DataObject(nb::object model_object, Data&& made)
      : model(std::move(model_object)), data(std::make_shared<GatedData>(std::move(made))), views(data) {
    for (nb::object& each : callbacks) each = nb::none();
  }

  nb::object field(size_t index) { return views.field(*data, index); }
  ModelObject& model_object() const { return nb::cast<ModelObject&>(model); }

  nb::object model;  // kept alive, and what names are looked up in
  std::shared_ptr<GatedData> data;
  Views<Data> views;
  nb::object& callback(Callback which) { return callbacks[static_cast<size_t>(which)]; }
  const nb::object& callback(Callback which) const { return callbacks[static_cast<size_t>(which)]; }

  std::array<nb::object, static_cast<size_t>(Callback::kCount)> callbacks;  // None where there is none
  std::map<std::pair<int, int>, nb::object> collision;  // functions by types of geoms, the smaller first
  nb::object energy;                                    // view, made when first asked for
  const char* running = nullptr;                        // name of the callback that runs now
  size_t stack_floor = 0;                               // scratch memory below it belongs to the running engine call
  bool keeps_rows = false;                              // the engine call in progress needs its rows until its end
};

// What a function does to the contacts and constraint rows of a Data, which it must not do while they are in use.
enum class Effect {
  kNumbers,  // nothing: it writes arrays of fixed size only
  kRows,     // makes them anew
  kSamples,  // makes them anew many times, and callbacks meanwhile must not (derivatives)
};

// Brackets every call into the engine: checks that the data belongs to the model, keeps other threads out of the data,
// lets other Python threads run meanwhile, and hands callbacks to the engine for as long as the call lasts. With a
// callback, other threads must wait, because the callback needs the interpreter.
class EngineCall {
 public:
  EngineCall(ModelObject& model, DataObject& data, Effect effect = Effect::kNumbers);
  ~EngineCall();
  EngineCall(const EngineCall&) = delete;
  EngineCall& operator=(const EngineCall&) = delete;

  // Between two steps of a long call, when a Pace says so or a thread waits for the data: runs signal handlers, which
  // may throw KeyboardInterrupt, and lets other threads through.
  void pause();
  // In the middle of a computation: runs signal handlers, and nothing else.
  void check_signals();
  bool is_wanted() const { return shared_->gate.is_wanted(); }

 private:
  void open();
  void close();

  ModelObject& model_object_;
  DataObject& data_object_;
  const Effect effect_;
  std::shared_ptr<Model> shared_model_;  // both alive until the end, whatever a callback or another thread does
  std::shared_ptr<GatedData> shared_;
  bool is_open_ = false;
  bool owns_callbacks_ = false;
  bool kept_rows_before_ = false;
  PyThreadState* released_ = nullptr;

 public:
  const Model& model;
  Data& data;
};

// Throws torsor::Error unless the data was made for a model with this model's structure, and for values of the model
// that the engine cannot take, since users may write anything into its arrays. Keeps other threads out of the data for
// as long as the result lives. For functions that keep the GIL.
[[nodiscard]] Hold check_fits(const ModelObject& model, const DataObject& data);
// The same for functions that clear contacts, rows and scratch memory: throws when called from a callback of this data.
[[nodiscard]] Hold check_reset(const ModelObject& model, const DataObject& data);

// Text that lives as long as the module: nanobind keeps pointers to signatures.
const char* keep_text(std::string text);

}  // namespace torsor::python
