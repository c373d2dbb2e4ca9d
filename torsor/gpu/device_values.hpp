// Values of the model that differ from world to world, on a device. The fields, their rules and their derived constants
// are those of batch/world_values.hpp; here users write into arrays of the device, which a kernel checks and takes over
// at the beginning of each call. The model of a world is a view, as on the processor.
#pragma once

#include <optional>

#include "torsor/batch/world_values.hpp"
#include "torsor/gpu/device_memory.hpp"
#include "torsor/gpu/value_list.hpp"

namespace torsor::gpu {

// Whether kernels read a field of the model per world; its name is that of WorldValues.
bool may_differ_on_devices(std::string_view field);

template <class S>
class DeviceValues {
 public:
  DeviceValues(Backend<S>& backend, const Model& model, int worlds);

  bool empty() const { return list_.count == 0; }
  int fields() const { return list_.count; }  // that kernels read per world: plans follow from which they are
  // Values that the user gave, [world][size] on the device; null while worlds share those of the model.
  S* find(const std::string& field) const;
  // Gives a field values per world, at first those of the model. Throws Error, before anything changes, for fields that
  // kernels do not read per world.
  S* expand(const std::string& field);
  void require_expandable(const std::string& field) const;
  int count(const std::string& field) const { return host_.count_numbers(field); }
  // As DeviceBatch has them.
  std::vector<std::string> names() const;
  bool get(const std::string& field, double* values);
  void set(const std::string& field, const int* worlds, int count, const double* values);
  void set_const(const std::vector<int>& worlds, int threads);
  Model make_model(int world);
  // Whether values of worlds decide how near pairs must be, whether rows or contacts depend on them, and stages.
  bool has_own_reaches() const;
  bool has_own_rows() const;
  bool concerns(const StageList& list) const;

  // The model with `field` as a step must be planned that can have any value of it. Other fields stay.
  static void generalise(std::string_view field, Model& model);
  void generalise(Model& model) const;

  // Kernels read models() from now on, which take() writes: views of the model that `view` has.
  void renew() { list_.anew = true; }
  const ModelView* models() const { return list_.models; }
  // What users wrote becomes what kernels read. Throws Error, which names the world, for numbers that no model can
  // have.
  void take(const WorldView<S>& view);

  std::size_t bytes() const { return memory_.bytes(); }

 private:
  struct Given {
    std::string field;
    S* numbers;
  };
  typename ValueList<S>::Entry& add(const WorldValues::Entry& entry);
  void put_derived(const WorldValues::Entry& entry);
  // What the user gave, from the device to the processor and back.
  void fetch(const Given& given, int first_world, int count);
  void fetch(int first_world, int count);
  void put(const Given& given);
  [[noreturn]] void report(int world);

  Backend<S>& backend_;
  const Model& model_;
  const int worlds_;
  DeviceMemory<S> memory_;
  WorldValues host_;
  std::vector<Given> given_;
  std::vector<std::string> names_;  // of the entries of the list
  ValueList<S> list_;
  unsigned effects_ = 0;  // of all fields
};

}  // namespace torsor::gpu
