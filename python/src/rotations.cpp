// torsor._core._rotations: the implementation of torsor.rotations. The documented functions are in torsor/rotations.py.
#include <utility>

#include <nanobind/stl/vector.h>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "torsor/convention/rotation_rows.hpp"

#include "bindings.hpp"
#include "broadcast.hpp"
#include "text.hpp"

namespace torsor::python {
namespace {

using namespace nb::literals;
using namespace rotations;

// The value of a word, or an Error that lists the words and suggests the nearest.
template <class T>
T choose(const char* argument, const std::string& word, std::initializer_list<std::pair<const char*, T>> choices) {
  std::vector<std::string> known;
  for (const auto& [name, value] : choices) {
    if (word == name) return value;
    known.push_back(name);
  }
  const std::string nearest = find_nearest(word, known);
  throw Error(fmt::format("{}: unknown '{}', expected one of {}{}", argument, word, fmt::join(known, ", "),
                          nearest.empty() ? "" : fmt::format(" (did you mean '{}'?)", nearest)));
}

QuatOrder quat_order_of(const std::string& word) {
  return choose<QuatOrder>("order", word, {{"wxyz", QuatOrder::kWxyz}, {"xyzw", QuatOrder::kXyzw}});
}

// A form as Python gives it: its name, then its parameters in the order of the struct.
using FormWords = std::vector<std::string>;
Form form_of(const FormWords& words) {
  const std::string& name = words.at(0);
  if (name == "quat") return QuatForm{quat_order_of(words.at(1))};
  if (name == "matrix") return MatrixForm{};
  if (name == "rotvec") return RotationVectorForm{};
  if (name == "rot6d") {
    return SixForm{choose<SixLayout>("layout", words.at(1),
                                     {{"columns", SixLayout::kColumns}, {"interleaved", SixLayout::kInterleaved}})};
  }
  if (name == "rpy") return EulerForm{kRollPitchYaw, AngleUnit::kRadian};
  const auto spelling = choose<EulerSpelling>("spelling", words.at(2),
                                              {{"mujoco", EulerSpelling::kMujoco}, {"scipy", EulerSpelling::kScipy}});
  const auto unit =
      choose<AngleUnit>("unit", words.at(3), {{"radians", AngleUnit::kRadian}, {"degrees", AngleUnit::kDegree}});
  return EulerForm{make_euler_sequence(words.at(1), spelling), unit};
}
Shape row_shape_of(const Form& form) {
  return std::holds_alternative<MatrixForm>(form) ? Shape{3, 3} : Shape{static_cast<std::size_t>(width(form))};
}

nb::object convert_array(const ArrayLike& values, const FormWords& source, const FormWords& target) {
  const Form from = form_of(source), to = form_of(target);
  return map_rows({{source[0].c_str(), values, row_shape_of(from)}}, {row_shape_of(to)},
                  [&](const RowsRun& run) { convert(from, run.in[0], run.stride[0], to, run.out[0], run.count); })[0];
}

nb::object pair(const std::vector<nb::object>& results) { return nb::make_tuple(results[0], results[1]); }

const Shape kQuat{4}, kVector{3}, kNumber{};

// f(order, quat, result, count)
using OfOne = void (*)(QuatOrder, rotations::Rows<4>, double*, std::size_t);
void def_of_one(nb::module_& m, const char* name, const Shape& result, OfOne function) {
  m.def(
      name,
      [result, function](const ArrayLike& quat, const std::string& order_word) {
        const QuatOrder order = quat_order_of(order_word);
        return map_rows({{"quat", quat, kQuat}}, {result}, [&](const RowsRun& run) {
          function(order, {run.in[0], run.stride[0]}, run.out[0], run.count);
        })[0];
      },
      "quat"_a.none(), "order"_a);
}

// f(order, quat1, quat2, result, count)
using OfTwo = void (*)(QuatOrder, rotations::Rows<4>, rotations::Rows<4>, double*, std::size_t);
void def_of_two(nb::module_& m, const char* name, const Shape& result, OfTwo function) {
  m.def(
      name,
      [result, function](const ArrayLike& quat1, const ArrayLike& quat2, const std::string& order_word) {
        const QuatOrder order = quat_order_of(order_word);
        return map_rows({{"quat1", quat1, kQuat}, {"quat2", quat2, kQuat}}, {result}, [&](const RowsRun& run) {
          function(order, {run.in[0], run.stride[0]}, {run.in[1], run.stride[1]}, run.out[0], run.count);
        })[0];
      },
      "quat1"_a.none(), "quat2"_a.none(), "order"_a);
}

// f(order, quat, vec, rotated, count)
using OfVector = void (*)(QuatOrder, rotations::Rows<4>, rotations::Rows<3>, double*, std::size_t);
void def_of_vector(nb::module_& m, const char* name, OfVector function) {
  m.def(
      name,
      [function](const ArrayLike& quat, const ArrayLike& vec, const std::string& order_word) {
        const QuatOrder order = quat_order_of(order_word);
        return map_rows({{"quat", quat, kQuat}, {"vec", vec, kVector}}, {kVector}, [&](const RowsRun& run) {
          function(order, {run.in[0], run.stride[0]}, {run.in[1], run.stride[1]}, run.out[0], run.count);
        })[0];
      },
      "quat"_a.none(), "vec"_a.none(), "order"_a);
}

void def_axis_angle(nb::module_& m) {
  m.def(
      "axis_angle_to_quat",
      [](const ArrayLike& axis, const ArrayLike& angle, const std::string& order_word) {
        const QuatOrder order = quat_order_of(order_word);
        return map_rows({{"axis", axis, kVector}, {"angle", angle, kNumber}}, {kQuat}, [&](const RowsRun& run) {
          axis_angle_to_quat(order, {run.in[0], run.stride[0]}, {run.in[1], run.stride[1]}, run.out[0], run.count);
        })[0];
      },
      "axis"_a.none(), "angle"_a.none(), "order"_a);
  m.def(
      "quat_to_axis_angle",
      [](const ArrayLike& quat, const std::string& order_word) {
        const QuatOrder order = quat_order_of(order_word);
        return pair(map_rows({{"quat", quat, kQuat}}, {kVector, kNumber}, [&](const RowsRun& run) {
          quat_to_axis_angle(order, {run.in[0], run.stride[0]}, run.out[0], run.out[1], run.count);
        }));
      },
      "quat"_a.none(), "order"_a);
  m.def(
      "axis_angle_to_rotvec",
      [](const ArrayLike& axis, const ArrayLike& angle) {
        return map_rows({{"axis", axis, kVector}, {"angle", angle, kNumber}}, {kVector}, [&](const RowsRun& run) {
          axis_angle_to_rotvec({run.in[0], run.stride[0]}, {run.in[1], run.stride[1]}, run.out[0], run.count);
        })[0];
      },
      "axis"_a.none(), "angle"_a.none());
  m.def(
      "rotvec_to_axis_angle",
      [](const ArrayLike& rotvec) {
        return pair(map_rows({{"rotvec", rotvec, kVector}}, {kVector, kNumber}, [&](const RowsRun& run) {
          rotvec_to_axis_angle({run.in[0], run.stride[0]}, run.out[0], run.out[1], run.count);
        }));
      },
      "rotvec"_a.none());
}

void def_motion(nb::module_& m) {
  m.def(
      "swing_twist",
      [](const ArrayLike& quat, const ArrayLike& axis, const std::string& order_word) {
        const QuatOrder order = quat_order_of(order_word);
        return pair(map_rows({{"quat", quat, kQuat}, {"axis", axis, kVector}}, {kQuat, kQuat}, [&](const RowsRun& run) {
          swing_twist(order, {run.in[0], run.stride[0]}, {run.in[1], run.stride[1]}, run.out[0], run.out[1], run.count);
        }));
      },
      "quat"_a.none(), "axis"_a.none(), "order"_a);
  m.def(
      "twist_swing",
      [](const ArrayLike& quat, const ArrayLike& axis, const std::string& order_word) {
        const QuatOrder order = quat_order_of(order_word);
        return pair(map_rows({{"quat", quat, kQuat}, {"axis", axis, kVector}}, {kQuat, kQuat}, [&](const RowsRun& run) {
          twist_swing(order, {run.in[0], run.stride[0]}, {run.in[1], run.stride[1]}, run.out[0], run.out[1], run.count);
        }));
      },
      "quat"_a.none(), "axis"_a.none(), "order"_a);
  m.def(
      "quat_between",
      [](const ArrayLike& vec1, const ArrayLike& vec2, const std::string& order_word) {
        const QuatOrder order = quat_order_of(order_word);
        return map_rows({{"vec1", vec1, kVector}, {"vec2", vec2, kVector}}, {kQuat}, [&](const RowsRun& run) {
          quat_between(order, {run.in[0], run.stride[0]}, {run.in[1], run.stride[1]}, run.out[0], run.count);
        })[0];
      },
      "vec1"_a.none(), "vec2"_a.none(), "order"_a);
  m.def(
      "wrap_angle",
      [](const ArrayLike& angle) {
        return map_rows({{"angle", angle, kNumber}}, {kNumber}, [&](const RowsRun& run) {
          wrap_angle({run.in[0], run.stride[0]}, run.out[0], run.count);
        })[0];
      },
      "angle"_a.none());
  m.def(
      "tan_norm_to_quat",
      [](const ArrayLike& tan_norm, const std::string& order_word) {
        const QuatOrder order = quat_order_of(order_word);
        return map_rows({{"tan_norm", tan_norm, {6}}}, {kQuat}, [&](const RowsRun& run) {
          tan_norm_to_quat(order, {run.in[0], run.stride[0]}, run.out[0], run.count);
        })[0];
      },
      "tan_norm"_a.none(), "order"_a);
  m.def(
      "slerp",
      [](const ArrayLike& quat1, const ArrayLike& quat2, const ArrayLike& t, const std::string& order_word) {
        const QuatOrder order = quat_order_of(order_word);
        const std::vector<RowsArgument> arguments{{"quat1", quat1, kQuat}, {"quat2", quat2, kQuat}, {"t", t, kNumber}};
        return map_rows(arguments, {kQuat}, [&](const RowsRun& run) {
          slerp(order, {run.in[0], run.stride[0]}, {run.in[1], run.stride[1]}, {run.in[2], run.stride[2]}, run.out[0],
                run.count);
        })[0];
      },
      "quat1"_a.none(), "quat2"_a.none(), "t"_a.none(), "order"_a);
  m.def(
      "angular_velocity",
      [](const ArrayLike& quat1, const ArrayLike& quat2, const ArrayLike& dt, const std::string& order_word,
         const std::string& frame_word) {
        const QuatOrder order = quat_order_of(order_word);
        const Frame frame = choose<Frame>("frame", frame_word, {{"body", Frame::kBody}, {"world", Frame::kWorld}});
        const std::vector<RowsArgument> arguments{
            {"quat1", quat1, kQuat}, {"quat2", quat2, kQuat}, {"dt", dt, kNumber}};
        return map_rows(arguments, {kVector}, [&](const RowsRun& run) {
          angular_velocity(order, frame, {run.in[0], run.stride[0]}, {run.in[1], run.stride[1]},
                           {run.in[2], run.stride[2]}, run.out[0], run.count);
        })[0];
      },
      "quat1"_a.none(), "quat2"_a.none(), "dt"_a.none(), "order"_a, "frame"_a);
  m.def(
      "quat_from_uniform",
      [](const ArrayLike& uniform, const std::string& order_word) {
        const QuatOrder order = quat_order_of(order_word);
        return map_rows({{"uniform", uniform, kVector}}, {kQuat}, [&](const RowsRun& run) {
          quat_from_uniform(order, {run.in[0], run.stride[0]}, run.out[0], run.count);
        })[0];
      },
      "uniform"_a.none(), "order"_a);
}

}  // namespace

void bind_rotations(nb::module_& parent) {
  nb::module_ m = parent.def_submodule("_rotations", "What torsor.rotations computes with.");
  m.def("convert", convert_array, "values"_a.none(), "source"_a, "target"_a);
  def_of_two(m, "multiply", kQuat, multiply);
  def_of_two(m, "angle_between", kNumber, rotations::angle_between);
  def_of_one(m, "conjugate", kQuat, conjugate);
  def_of_one(m, "standardise_sign", kQuat, rotations::standardise_sign);
  def_of_one(m, "heading", kNumber, rotations::heading);
  def_of_one(m, "heading_quat", kQuat, rotations::heading_quat);
  def_of_one(m, "quat_to_tan_norm", {6}, rotations::quat_to_tan_norm);
  def_of_vector(m, "rotate", rotations::rotate);
  def_of_vector(m, "rotate_inverse", rotations::rotate_inverse);
  def_axis_angle(m);
  def_motion(m);
}

}  // namespace torsor::python
