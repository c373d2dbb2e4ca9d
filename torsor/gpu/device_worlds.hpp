// The arrays of all worlds on a device: blocks that kernels work on, arrays that users see, and room for contacts and
// rows.
#pragma once

#include "torsor/batch/field_list.hpp"
#include "torsor/gpu/device_model.hpp"

namespace torsor::gpu {

template <class S>
class DeviceWorlds {
 public:
  DeviceWorlds(Backend<S>& backend, const Model& model, int worlds);

  // Arrays of the model are where this says from now on.
  void use(const DeviceModel<S>& model, const Model& settings);
  // Worlds have values of the model of their own: views of it, the same if rows depend on them, whether they decide how
  // near pairs must be, and, if it differs, the friction of dofs. Before make_room().
  void use_values(const ModelView* models, const ModelView* of_rows, bool has_own_reaches, const S* losses);
  // What calls with a series read.
  void set_series(const StepSeries<S>& series) { backend_.upload(series_, &series, sizeof series); }
  // Whether forces of contacts and equalities are kept for others to read. Before make_room().
  void keep_forces(bool keeps) {
    keeps_forces_ = keeps;
    if (!keeps) constraints_.forces = {};
  }
  // Room for contacts and rows: at first, and when a world needs more. What worlds hold is lost, but for their state.
  void make_room(const Model& model, const Room& room);

  const WorldView<S>& view() const { return view_; }
  const ConstraintView<S>& constraints() const { return constraints_; }
  IslandLists islands() const;
  const NewtonScratch<S>& scratch() const { return scratch_; }
  const FieldList& fields() const { return fields_; }
  std::size_t bytes() const { return memory_.bytes() + rows_.bytes(); }

  // Fields that users see: state and input always, results once they are kept.
  S* values(int field) const { return values_[static_cast<std::size_t>(field)]; }
  S* keep(int field);
  const FieldSet& kept_results() const { return kept_; }
  TransferList<S> state() const { return list(state_fields_); }
  TransferList<S> all() const { return list(static_cast<int>(fields_.count())); }
  bool is_state(int field) const { return field < state_fields_; }
  int place(int field) const { return places_[static_cast<std::size_t>(field)]; }

  // A world after a reset: see Progress::reference. `eq_active` are of the same pose.
  void set_reference(const std::vector<S>& numbers) { set(reference_, numbers); }
  // Another pose, for put().
  const S* set_pose(const std::vector<S>& numbers) {
    set(pose_, numbers);
    return pose_;
  }

 private:
  void lay_out(const Model& model);
  void make_room_for_candidates(int capacity);
  void make_room_for_forces(const Room& room);
  void make_room_for_solver(const Model& model);
  TransferList<S> list(int fields) const;  // the first so many
  void set(S* to, const std::vector<S>& numbers) { backend_.upload(to, numbers.data(), numbers.size() * sizeof(S)); }

  Backend<S>& backend_;
  DeviceMemory<S> memory_, rows_;
  FieldList fields_;
  int state_fields_ = 0;
  std::vector<int> places_;  // of fields among the numbers of a world
  std::vector<S*> values_;
  FieldSet kept_;
  WorldView<S> view_;
  ConstraintView<S> constraints_;
  NewtonScratch<S> scratch_;
  S *reference_ = nullptr, *pose_ = nullptr;
  StepSeries<S>* series_ = nullptr;
  const S* losses_ = nullptr;  // [world][nv], where they differ
  bool keeps_forces_ = false;
};

}  // namespace torsor::gpu
