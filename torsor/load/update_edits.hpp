// Differences between a compiled Model and the same Model after edits, and their transfer to a Spec.
#pragma once

#include <algorithm>
#include <array>
#include <cstring>
#include <optional>
#include <string>
#include <vector>

#include "torsor/load/update.hpp"
#include "torsor/math/pose.hpp"
#include "torsor/model/model.hpp"
#include "torsor/model/spec.hpp"

namespace torsor {

class Edits {
 public:
  using Arrays = ModelView;
  using Frame = Pose<double>;
  template <class T>
  using Array = Field<T> Arrays::*;

  // `whole` has all elements of the Spec in their own bodies; null if `before` does.
  Edits(const Model& before, const Model& after, const Model* whole, Unedited unedited)
      : before_(before), after_(after), whole_(whole), unedited_(unedited) {}

  const Model& before() const { return before_; }
  const Model& after() const { return after_; }
  bool infers() const { return unedited_ == Unedited::kInferred; }

  template <class T>
  bool changed(Array<T> field, int row, int width = 1) const {
    return differs(before_, after_, field, row, row, width);
  }
  template <class T>
  bool changed_range(Array<T> field, int first, int count) const {
    return std::memcmp((before_.*field).row(first, 1), (after_.*field).row(first, 1),
                       sizeof(T) * static_cast<size_t>(count)) != 0;
  }

  // Transfers one number, or one row of an array, if it was edited.
  template <class T, class Value>
  void take(Array<T> field, int row, Value& value) const {
    if (changed(field, row)) value = static_cast<Value>((after_.*field)[row]);
  }
  template <class T, class Value, size_t N>
  void take(Array<T> field, int row, std::array<Value, N>& values) const {
    const int width = static_cast<int>(N);
    if (changed(field, row, width)) std::copy_n((after_.*field).row(row, width), N, values.begin());
  }
  // For values that are unset if the array has a negative number.
  void take_optional(Array<double> field, int row, std::optional<double>& value) const {
    if (!changed(field, row)) return;
    value = (after_.*field)[row];
    if (*value < 0) value.reset();
  }
  void take_list(Array<double> field, int row, int width, std::vector<double>& values) const {
    if (width == 0 || !changed(field, row, width)) return;
    const double* numbers = (after_.*field).row(row, width);
    values.assign(numbers, numbers + width);
  }
  // Linear and higher-order coefficients, which the Spec holds together.
  void take_polynomial(Array<double> linear, Array<double> higher, int row, Number3& values) const {
    if (changed(linear, row)) values[0] = (after_.*linear)[row];
    if (changed(higher, row, 2)) std::copy_n((after_.*higher).row(row, 2), 2, values.begin() + 1);
  }
  // A range and whether it applies; both are written, since one may imply the other.
  void take_limits(Array<double> range, Array<bool> limited, int row, Number2& numbers, Tristate& flag) const {
    if (!changed(range, row, 2) && !changed(limited, row)) return;
    std::copy_n((after_.*range).row(row, 2), 2, numbers.begin());
    flag = (after_.*limited)[row] ? Tristate::kTrue : Tristate::kFalse;
  }
  void take_name(Array<int> field, int row, ObjectType type, std::string& name) const {
    if (changed(field, row)) name = name_of(type, (after_.*field)[row]);
  }
  std::string name_of(ObjectType type, int id) const { return id < 0 ? "" : std::string(after_.name(type, id)); }

  // The edited pose of an element in the frame of its body in the Spec; `whole_row` is its row there. Fusing and
  // aligning multiply its pose by the same frame before and after the edit.
  std::optional<Frame> edited_pose(Array<double> pos, Array<double> quat, int row, int whole_row) const {
    if (!changed(pos, row, 3) && !changed(quat, row, 4)) return std::nullopt;
    const Frame X_after = frame(after_, pos, quat, row);
    const bool is_moved = whole_ && (differs(before_, *whole_, pos, row, whole_row, 3) ||
                                     differs(before_, *whole_, quat, row, whole_row, 4));
    if (!is_moved) return X_after;
    return frame(*whole_, pos, quat, whole_row) * inverse(frame(before_, pos, quat, row)) * X_after;
  }
  // The pose of an element in that frame, if it was not edited.
  Frame own_pose(Array<double> pos, Array<double> quat, int row, int whole_row) const {
    return whole_ ? frame(*whole_, pos, quat, whole_row) : frame(after_, pos, quat, row);
  }
  // The pose of an element that the Spec compiles to now, in the frame of its body in the Spec.
  Frame current_pose(Array<double> pos, Array<double> quat, int row, int whole_row) const {
    return whole_ ? frame(*whole_, pos, quat, whole_row) : frame(before_, pos, quat, row);
  }
  template <class Element>
  void take_pose(Array<double> pos, Array<double> quat, int row, int whole_row, Element& element) const {
    if (const auto X = edited_pose(pos, quat, row, whole_row)) set_pose(*X, element);
  }
  // A pose in the body frame; enclosing frames of the Spec no longer apply.
  template <class Element>
  static void set_pose(const Frame& X, Element& element) {
    element.frame = -1;
    element.orientation = {};
    store3(element.pos.data(), X.p);
    store4(element.orientation.quat.data(), X.q);
  }
  static Frame frame(const Model& model, Array<double> pos, Array<double> quat, int row) {
    return {load3((model.*pos).row(row, 3)), load4((model.*quat).row(row, 4))};
  }

 private:
  template <class T>
  static bool differs(const Model& a, const Model& b, Array<T> field, int row_a, int row_b, int width) {
    return std::memcmp((a.*field).row(row_a, width), (b.*field).row(row_b, width),
                       sizeof(T) * static_cast<size_t>(width)) != 0;
  }

  const Model& before_;
  const Model& after_;
  const Model* whole_;
  const Unedited unedited_;
};

}  // namespace torsor
