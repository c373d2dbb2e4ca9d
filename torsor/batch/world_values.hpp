// Values of the model that differ from world to world: masses, friction, gains, gravity, ... Each such field is an
// array of its own, world after world. A world's model is a view: it shares all arrays of the batch's model but these.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "torsor/batch/value_rules.hpp"
#include "torsor/core/buffer.hpp"
#include "torsor/model/model.hpp"

namespace torsor {

class WorldValues {
 public:
  struct Entry {
    std::string name;  // "body_mass", "opt.gravity"
    ElementType type;
    int rows, columns;  // of one world; columns are 1 for a vector
    bool is_input;      // the user gave it; false: set_const() made it
    size_t bytes;       // of one world
    size_t place;       // in a Model, of its Field or, if it is not an array, of its numbers
    bool is_array;
    bool is_option;                   // part of model.opt
    std::vector<std::uint8_t> rules;  // of its numbers, where they are real: see value_rules.hpp
    Buffer values;

    std::byte* row(int world) const { return values.data() + static_cast<size_t>(world) * bytes; }
    template <class T>
    T* numbers() const {
      return reinterpret_cast<T*>(values.data());
    }
  };

  WorldValues(const Model& model, int nworld);

  bool empty() const { return entries_.empty(); }
  const std::vector<Entry>& entries() const { return entries_; }
  // "body_mass, opt.gravity"
  std::string names() const;
  // Null while all worlds share the values of the model.
  const Entry* find(std::string_view name) const;
  // How many numbers a world has of a field. Throws Error as expand() does.
  int count_numbers(const std::string& name) const;
  // Gives a field values per world, at first those of the model; their address stays. Throws Error for a field that
  // does not exist, is part of the structure of the model, or belongs to an asset.
  const Entry& expand(const std::string& name);

  // The same as expand() with checked values, count x numbers per world: if they are impossible, see check(), nothing
  // changes.
  void set(const std::string& name, const int* worlds, int count, const double* values);

  // A view of the model to be passed to point_at(); as long as the model lives and keeps its arrays.
  Model make_view() const { return model_.with_options(model_.opt); }
  // The view becomes the model of a world.
  void point_at(int world, Model& view) const;
  // A model of its own with the values of a world.
  Model make_model(int world) const;

  // Throws Error, naming world and element, for values that no model can have. Worlds are those at `worlds`, or the
  // first `count` if it is null.
  void check(const int* worlds, int count) const;

  // Derived constants of these worlds from the values that the user gave: set_const() of their models. Fields that
  // differ from those of the batch's model in any of them become values per world. Throws Error, naming the world,
  // before anything has changed. `run` calls a function with (i, thread) for i below the count that it is given, on so
  // many threads.
  using Run = std::function<void(int count, const std::function<void(int i, int thread)>&)>;
  void set_const(const std::vector<int>& worlds, int threads, const Run& run);
  // Its parts: recompute() writes the derived constants of a world to derived_bytes() at `derived`, and throws Error if
  // they cannot be computed; `scratch` is a copy of the model. keep_derived() takes them over.
  size_t derived_bytes() const { return derived_bytes_; }
  void recompute(int world, Model& scratch, std::byte* derived) const;
  void keep_derived(const int* worlds, int count, const std::byte* derived);

 private:
  struct Slot {
    std::string_view name;
    ElementType type;
    int rows, columns;
    size_t place, bytes;
    bool is_array, is_option;
    Access access;
  };
  void list_slots();
  const Slot& find_slot(const std::string& name) const;
  Entry& add(const Slot& slot, bool is_input);
  Entry* find_entry(std::string_view name);
  void write(const Entry& entry, int world, Model& model) const;
  std::vector<std::uint8_t> list_rules(const Entry& entry) const;
  std::string fault_of(const Entry& entry, const double* values, size_t i) const;
  void check_entry(const Entry& entry, int world) const;

  const Model& model_;
  const int nworld_;
  std::vector<Slot> slots_, derived_;
  size_t derived_bytes_ = 0;
  std::vector<Entry> entries_;
};

}  // namespace torsor
