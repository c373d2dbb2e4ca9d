// A model's arrays, and its plan of rows, on a device.
#pragma once

#include <cstddef>
#include <map>

#include "torsor/batch/row_plan.hpp"
#include "torsor/gpu/device_memory.hpp"

namespace torsor::gpu {

template <class S>
class DeviceModel {
 public:
  // Takes all the memory that later uploads need, unless lists become longer.
  DeviceModel(Backend<S>& backend, const Model& model);

  // Values as they are now.
  void upload(const Model& model, const RowPlan& plan);

  const ModelView& view() const { return view_; }
  const ConstraintPlan& plan() const { return plan_; }
  const TreeLists& trees() const { return trees_; }
  const BodyLevels& levels() const { return levels_; }
  std::size_t bytes() const { return arrays_.bytes() + tables_.bytes() + lists_.bytes(); }
  // Where an element of an array of the model or of its hulls is on the device; null stays null.
  template <class T>
  const T* moved(const T* element) const;

 private:
  template <class F>
  void for_each_array(const Model& model, F&& f);
  void upload_tables(const HullTables& tables);
  template <class T>
  void upload_table(const std::vector<T>& table);
  void list_trees(const Model& model);
  void list_levels(const Model& model);
  void upload_narrow(const Model& model, const RowPlan& plan);
  std::vector<HullView> move_hulls(const Model& model) const;
  std::vector<HeightFieldView> move_fields(const Model& model) const;

  Backend<S>& backend_;
  DeviceMemory<S> arrays_, tables_, lists_;
  ModelView view_;
  ConstraintPlan plan_;
  TreeLists trees_;
  BodyLevels levels_;
  std::byte* base_ = nullptr;
  std::vector<std::byte> staged_;
  // Of arrays: bytes, and where they are on the device.
  std::map<const std::byte*, std::pair<std::size_t, std::byte*>> places_, table_places_;
};

}  // namespace torsor::gpu
