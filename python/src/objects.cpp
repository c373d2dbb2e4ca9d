// Calls into the engine, and the control callback on their way.
#include "objects.hpp"

#include <cstring>
#include <deque>

#include "torsor/core/error.hpp"

namespace torsor::python {
namespace {

void run_control(ModelObject& model, DataObject& data) {
  if (data.in_control) throw Error("data.control called a function that calls data.control again");
  data.in_control = true;
  struct Leave {
    DataObject& data;
    ~Leave() { data.in_control = false; }
  } leave{data};
  const nb::object callback = data.control;  // alive even if it replaces itself
  if (!callback.is_none()) callback(nb::find(model), nb::find(data));
}

}  // namespace

void check_fits(const ModelObject& model, const DataObject& data) {
  const ModelSizes &of_model = *model.model, &of_data = *data.data;
  if (data.data->signature() != model.model->signature || std::memcmp(&of_model, &of_data, sizeof(ModelSizes)) != 0)
    throw Error("this Data was made for another Model: their structures differ");
}

EngineCall::EngineCall(ModelObject& model_object, DataObject& data_object)
    : model(*model_object.model), data(*data_object.data) {
  check_fits(model_object, data_object);
  if (data_object.control.is_none()) {
    released_ = PyEval_SaveThread();
  } else if (!data.control) {  // else a callback is running, and this call came from it
    data.control = [&model_object, &data_object](const Model&, Data&) { run_control(model_object, data_object); };
    owns_control_ = true;
  }
}

EngineCall::~EngineCall() {
  if (owns_control_) data.control = nullptr;
  if (released_) PyEval_RestoreThread(released_);
}

const char* keep_text(std::string text) {
  static std::deque<std::string> kept;
  return kept.emplace_back(std::move(text)).c_str();
}

}  // namespace torsor::python
