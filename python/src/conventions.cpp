// torsor._core._conventions: rows and conversions of single quantities. Documented in torsor/conventions.py.
#include <optional>

#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <fmt/format.h>

#include "torsor/convention/convert.hpp"
#include "torsor/convention/inertia.hpp"
#include "torsor/convention/rotation_rows.hpp"
#include "torsor/convention/row_fields.hpp"

#include "bindings.hpp"
#include "broadcast.hpp"

namespace torsor::python {
namespace {

using namespace nb::literals;

nb::dict to_dict(const Convention& convention) {
  nb::dict cells, example, result;
  for (const RowField& field : row_fields()) cells[field.name] = field.get(convention.row);
  const WorkedExample& worked = convention.example;
  example["assume"] = worked.assume, example["pose"] = worked.pose, example["twist"] = worked.twist;
  example["acceleration"] = worked.acceleration, example["wrench"] = worked.wrench;
  example["joint_force"] = worked.joint_force, example["ball"] = worked.ball, example["hinge"] = worked.hinge;
  example["hinge_rate"] = worked.hinge_rate, example["joints"] = worked.joints;
  result["id"] = convention.id, result["system"] = convention.system, result["version"] = convention.version;
  result["source"] = convention.source, result["checked"] = convention.checked;
  result["cells"] = cells, result["example"] = example;
  return result;
}

Quantity quantity_of(const std::string& word) {
  for (int i = 0; i <= static_cast<int>(Quantity::kJointForce); ++i) {
    if (word == to_string(static_cast<Quantity>(i))) return static_cast<Quantity>(i);
  }
  throw Error(fmt::format("unknown quantity '{}'", word));
}

size_t width_of(const Convention& convention, Quantity quantity) {
  return static_cast<size_t>(width(convention.row, quantity));
}

// Arguments that describe the body, in the order in which conventions.py passes them; all in our terms.
struct BodyArguments {
  static constexpr size_t kWidths[] = {3, 4, 7, 7, 3, 3, 3};
  static constexpr const char* kNames[] = {"com", "principal_axes", "parent_anchor", "child_anchor",
                                           "tree_com", "tree_com_velocity", "gravity"};
  static constexpr size_t kCount = 7;

  static BodyPlace<double> read(const std::vector<const double*>& in, const std::vector<std::ptrdiff_t>& stride,
                                size_t first, size_t row) {
    const auto at = [&](size_t k) { return in[first + k] + static_cast<std::ptrdiff_t>(row) * stride[first + k]; };
    BodyPlace<double> body;
    body.p_BoBcm_B = load3(at(0));
    body.q_BI = normalized(load4(at(1)));
    body.X_WP = {load3(at(2)), normalized(load4(at(2) + 3))};
    body.X_BA = {load3(at(3)), normalized(load4(at(3) + 3))};
    body.p_WoTcm_W = load3(at(4)), body.v_Tcm_W = load3(at(5)), body.g_W = load3(at(6));
    return body;
  }
  static bool constant(const std::vector<std::ptrdiff_t>& stride, size_t first) {
    for (size_t k = 0; k < kCount; ++k) {
      if (stride[first + k] != 0) return false;
    }
    return true;
  }
};

// Whether the quantity's conversion reads poses, and twists.
bool needs_pose(Quantity quantity) { return quantity >= Quantity::kTwist; }
bool needs_twist(Quantity quantity) { return quantity == Quantity::kAcceleration; }

void convert_rows(const BodyConversion& conversion, Quantity quantity, const double* values, const double* poses,
                  const double* twists, double* out, size_t count) {
  switch (quantity) {
    case Quantity::kRotation:
      return conversion.rotations(values, out, count);
    case Quantity::kPosition:
      return conversion.positions(values, out, count);
    case Quantity::kPose:
      return conversion.poses(values, out, count);
    case Quantity::kTwist:
      return conversion.twists(poses, values, out, count);
    case Quantity::kAcceleration:
      return conversion.accelerations(poses, twists, values, out, count);
    case Quantity::kWrench:
      return conversion.wrenches(poses, values, out, count);
    case Quantity::kJointForce:
      return conversion.joint_forces(poses, values, out, count);
  }
}

// Rows that lie apart are copied together, so that each call converts many.
class Rows {
 public:
  Rows(const double* data, std::ptrdiff_t stride, size_t width, size_t count) : data_(data) {
    if (stride == static_cast<std::ptrdiff_t>(width) || count <= 1) return;
    copy_.resize(width * count);
    for (size_t i = 0; i < count; ++i) std::copy_n(data + static_cast<std::ptrdiff_t>(i) * stride, width, &copy_[i * width]);
    data_ = copy_.data();
  }
  const double* data() const { return data_; }

 private:
  const double* data_;
  std::vector<double> copy_;
};

nb::object convert(const std::string& word, const std::string& source, const std::string& target, nb::handle values,
                   nb::handle pose, nb::handle twist, const std::vector<nb::object>& body) {
  const Quantity quantity = quantity_of(word);
  BodyConversion conversion(find_convention(source), find_convention(target));
  require(conversion.from(), quantity);
  require(conversion.to(), quantity);
  const size_t in_width = width_of(conversion.from(), quantity), out_width = width_of(conversion.to(), quantity);
  std::vector<RowsArgument> arguments{{to_string(quantity), values, {in_width}}};
  if (needs_pose(quantity)) {
    require(conversion.from(), Quantity::kPose);
    arguments.push_back({"pose", pose, {width_of(conversion.from(), Quantity::kPose)}});
  }
  if (needs_twist(quantity)) arguments.push_back({"twist", twist, {6}});
  const size_t first = arguments.size();
  for (size_t k = 0; k < BodyArguments::kCount; ++k) {
    arguments.push_back({BodyArguments::kNames[k], body.at(k), {BodyArguments::kWidths[k]}});
  }
  return map_rows(arguments, {{out_width}}, [&](const RowsRun& run) {
    const bool constant = BodyArguments::constant(run.stride, first);
    const size_t block = constant ? std::min<size_t>(run.count, 4096) : 1;
    for (size_t start = 0; start < run.count; start += block) {
      const size_t count = std::min(block, run.count - start);
      const auto rows = [&](size_t k, size_t width) {
        return Rows(run.in[k] + static_cast<std::ptrdiff_t>(start) * run.stride[k], run.stride[k], width, count);
      };
      const Rows x = rows(0, in_width), p = rows(needs_pose(quantity), arguments[needs_pose(quantity)].row_shape[0]);
      const Rows v = rows(needs_twist(quantity) ? 2 : 0, needs_twist(quantity) ? 6 : in_width);
      conversion.set_body(BodyArguments::read(run.in, run.stride, first, start));
      double* out = run.out[0] + start * out_width;
      try {
        convert_rows(conversion, quantity, x.data(), p.data(), v.data(), out, count);
      } catch (const RowProblem& problem) {
        throw rotations::RowError(arguments[0].name, start + problem.row(), problem.problem());
      }
    }
  })[0];
}

nb::object convert_inertia_rows(const std::string& source, const std::string& source_form, const std::string& source_point,
                                const std::string& target, const std::string& target_form,
                                const std::string& target_point, nb::handle values) {
  const auto form_of = [](const std::string& word) {
    constexpr const char* kForms[] = {"", "mujoco", "urdf", "matrix", "principal"};
    for (int i = 1; i < 5; ++i) {
      if (word == kForms[i]) return static_cast<InertiaForm>(i);
    }
    throw Error(fmt::format("unknown form of inertia '{}': mujoco, urdf, matrix or principal", word));
  };
  const auto point_of = [](const std::string& word) {
    if (word != "com" && word != "origin") throw Error(fmt::format("unknown point '{}': com or origin", word));
    return word == "com" ? Point::kCom : Point::kOrigin;
  };
  const Convention from = find_convention(source), to = find_convention(target);
  const InertiaForm in_form = form_of(source_form), out_form = form_of(target_form);
  const Point in_point = point_of(source_point), out_point = point_of(target_point);
  const size_t in_width = 4 + static_cast<size_t>(inertia_width(from.row, in_form));
  const size_t out_width = 4 + static_cast<size_t>(inertia_width(to.row, out_form));
  return map_rows({{"inertia", values, {in_width}}}, {{out_width}}, [&](const RowsRun& run) {
    for (size_t i = 0; i < run.count; ++i) {
      const double* in = run.in[0] + static_cast<std::ptrdiff_t>(i) * run.stride[0];
      try {
        write_inertia(to.row, out_form, out_point, read_inertia(from.row, in_form, in_point, in),
                      run.out[0] + i * out_width);
      } catch (const Error& error) {
        throw rotations::RowError("inertia", i, error.what());
      }
    }
  })[0];
}

Array matrix(const std::array<double, 36>& values) {
  const Output result(Shape{6, 6});
  std::copy(values.begin(), values.end(), result.data());
  return result.array();
}

}  // namespace

void bind_conventions(nb::module_& parent) {
  nb::module_ m = parent.def_submodule("_conventions", "What torsor.conventions computes with.");
  m.def("list", [] {
    nb::list all;
    for (const Convention& convention : list_conventions()) all.append(to_dict(convention));
    return all;
  });
  m.def("find", [](const std::string& text) { return to_dict(find_convention(text)); });
  m.def("cells", [] {
    nb::list all;
    for (const RowField& field : row_fields()) all.append(nb::make_tuple(field.name, field.meaning, field.words()));
    return all;
  });
  m.def("differences", [](const std::string& a, const std::string& b) {
    return describe_differences(find_convention(a), find_convention(b));
  });
  m.def("add_json", [](const std::string& json, const std::string& file) { return add_conventions_from_json(json, file); });
  m.def("to_json", [](const std::string& text) { return to_json(find_convention(text)); });
  m.def("convert", &convert);
  m.def("convert_inertia", &convert_inertia_rows);
  m.def("matrices", [](const std::string& source, const std::string& target, const ArrayLike& pose,
                       const std::vector<nb::object>& body) {
    BodyConversion conversion(find_convention(source), find_convention(target));
    require(conversion.from(), Quantity::kPose);
    const Input numbers("pose", pose, {width_of(conversion.from(), Quantity::kPose)});
    std::vector<Input*> inputs;
    std::vector<std::unique_ptr<Input>> kept;
    std::vector<const double*> in;
    for (size_t k = 0; k < BodyArguments::kCount; ++k) {
      kept.push_back(std::make_unique<Input>(BodyArguments::kNames[k], nb::borrow<ArrayLike>(body.at(k)),
                                             Shape{BodyArguments::kWidths[k]}));
      in.push_back(kept.back()->data());
    }
    conversion.set_body(BodyArguments::read(in, std::vector<std::ptrdiff_t>(BodyArguments::kCount), 0, 0));
    return nb::make_tuple(matrix(conversion.twist_matrix(numbers.data())), matrix(conversion.wrench_matrix(numbers.data())));
  });
}

}  // namespace torsor::python
