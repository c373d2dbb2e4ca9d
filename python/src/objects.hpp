// The implementation of torsor.Model and torsor.Data: the engine's objects, shared with every view of their arrays.
#pragma once

#include <array>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "gate.hpp"
#include "torsor/model/data.hpp"
#include "torsor/view/textures.hpp"
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
  // Set once a writable array of its integers has been handed out: they must then be checked before each use. The check
  // takes 2 % of a small robot's step; most programs never need such an array.
  bool may_be_unsound = false;
  // Reads what its textures are made of, for those who draw it; empty for a model that came without a file.
  std::function<view::TextureSource()> textures;
  std::map<std::string, nb::object> texture_arrays;  // tex_data and its like, once they were asked for
  bool has_all_textures = false;                     // also those that the model leaves to viewers
};

// Callbacks that users can set, as attributes of torsor.Data.
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

  nb::object model;  // kept alive; names are looked up in it
  std::shared_ptr<GatedData> data;
  Views<Data> views;
  nb::object& callback(Callback which) { return callbacks[static_cast<size_t>(which)]; }
  const nb::object& callback(Callback which) const { return callbacks[static_cast<size_t>(which)]; }

  std::array<nb::object, static_cast<size_t>(Callback::kCount)> callbacks;  // None if not set
  std::map<std::pair<int, int>, nb::object> collision;  // functions by types of geoms, the smaller first
  nb::object energy;                                    // view, created on first access
  const char* running = nullptr;                        // name of the callback that runs now
  size_t stack_floor = 0;                               // scratch memory below it belongs to the running engine call
  bool keeps_rows = false;                              // the engine call in progress needs its rows until its end
};

// What a function does to the contacts and constraint rows of a Data; it must not do so while they are in use.
enum class Effect {
  kNumbers,  // nothing: it only writes arrays of fixed size
  kRows,     // makes them again
  kSamples,  // makes them again many times, and callbacks during that time must not (derivatives)
};

// Encloses every call into the engine: checks that the data belongs to the model, keeps other threads out of the data,
// releases the GIL, and registers callbacks with the engine for the duration of the call. If there are callbacks, the
// GIL is kept, because they need the interpreter.
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
  std::shared_ptr<Model> shared_model_;  // keep both alive, whatever a callback or another thread does
  std::shared_ptr<GatedData> shared_;
  bool is_open_ = false;
  bool owns_callbacks_ = false;
  bool kept_rows_before_ = false;
  PyThreadState* released_ = nullptr;

 public:
  const Model& model;
  Data& data;
};

// Throws torsor::Error unless the data was made for a model with this model's structure, and for invalid values in the
// arrays of the model, which users can edit. Keeps other threads out of the data during the lifetime of the result. For
// functions that keep the GIL.
[[nodiscard]] Hold check_fits(const ModelObject& model, const DataObject& data);
// The same for functions that clear contacts, rows and scratch memory: throws when called from a callback of this data.
[[nodiscard]] Hold check_reset(const ModelObject& model, const DataObject& data);

// Text that lives as long as the module: nanobind keeps pointers to signatures.
const char* keep_text(std::string text);

}  // namespace torsor::python
