// torsor._core._conventions: rows and conversions of single quantities. Documented in torsor/conventions.py.
#include <algorithm>
#include <cmath>

#include <nanobind/stl/vector.h>

#include <fmt/format.h>

#include "torsor/convention/convert.hpp"
#include "torsor/convention/inertia.hpp"
#include "torsor/convention/rotation_rows.hpp"
#include "torsor/convention/row_fields.hpp"

#include "bindings.hpp"
#include "broadcast.hpp"
#include "text.hpp"

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

// Arguments that describe the body, in the order in which conventions.py passes them; all in our convention.
struct BodyArguments {
  static constexpr size_t kWidths[] = {3, 4, 7, 7, 3, 3, 3};
  static constexpr const char* kNames[] = {"com",      "principal_axes",    "parent_anchor", "child_anchor",
                                           "tree_com", "tree_com_velocity", "gravity"};
  static constexpr size_t kCount = 7;

  // Throws for numbers that are not finite, and for invalid rotations.
  static BodyPlace<double> read(const std::vector<const double*>& in, const std::vector<std::ptrdiff_t>& stride,
                                size_t first, size_t row) {
    const auto at = [&](size_t k) {
      const double* numbers = in[first + k] + static_cast<std::ptrdiff_t>(row) * stride[first + k];
      for (size_t i = 0; i < kWidths[k]; ++i) {
        if (!std::isfinite(numbers[i])) throw RowError(kNames[k], row, "not a number", static_cast<int>(i));
      }
      return numbers;
    };
    const auto rotation = [&](size_t k, const double* numbers) {
      const Quat<double> q = load4(numbers);
      if (!(std::abs(std::sqrt(dot(q, q)) - 1) <= 1e-3)) {
        throw RowError(kNames[k], row, "its quaternion should be of unit length");
      }
      return normalized(q);
    };
    BodyPlace<double> body;
    body.p_BoBcm_B = load3(at(0));
    body.q_BI = rotation(1, at(1));
    body.X_WP = {load3(at(2)), rotation(2, at(2) + 3)};
    body.X_BA = {load3(at(3)), rotation(3, at(3) + 3)};
    body.p_WoTcm_W = load3(at(4)), body.v_Tcm_W = load3(at(5)), body.g_W = load3(at(6));
    return body;
  }
  // Properties that the conversion reads must be given: assuming the centre of mass at the origin is often wrong.
  static std::vector<nb::object> complete(const BodyConversion& conversion, Quantity quantity,
                                          const std::vector<nb::object>& given) {
    const std::vector<std::string> needs = conversion.needs(quantity);
    const nb::tuple zero = nb::make_tuple(0.0, 0.0, 0.0), turn = nb::make_tuple(1.0, 0.0, 0.0, 0.0);
    const nb::tuple place = nb::make_tuple(0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0);
    std::vector<nb::object> result = given;
    for (size_t k = 0; k < kCount; ++k) {
      if (!given.at(k).is_none()) continue;
      if (std::find(needs.begin(), needs.end(), kNames[k]) != needs.end()) {
        throw Error(fmt::format("a {} from {} to {} depends on {}: give it, even if it is zero", to_string(quantity),
                                conversion.from().id, conversion.to().id, kNames[k]));
      }
      result[k] = kWidths[k] == 3 ? zero : (kWidths[k] == 4 ? turn : place);
    }
    return result;
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

// Non-contiguous rows are copied together, so that each call converts many.
class DenseRows {
 public:
  DenseRows(const double* data, std::ptrdiff_t stride, size_t width, size_t count) : data_(data) {
    if (stride == static_cast<std::ptrdiff_t>(width) || count <= 1) return;
    copy_.resize(width * count);
    for (size_t i = 0; i < count; ++i)
      std::copy_n(data + static_cast<std::ptrdiff_t>(i) * stride, width, &copy_[i * width]);
    data_ = copy_.data();
  }
  const double* data() const { return data_; }

 private:
  const double* data_;
  std::vector<double> copy_;
};

nb::object convert(const std::string& word, const std::string& source, const std::string& target, nb::handle values,
                   nb::handle pose, nb::handle twist, const std::vector<nb::object>& given_body) {
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
  const std::vector<nb::object> body = BodyArguments::complete(conversion, quantity, given_body);
  for (size_t k = 0; k < BodyArguments::kCount; ++k) {
    arguments.push_back({BodyArguments::kNames[k], body.at(k), {BodyArguments::kWidths[k]}});
  }
  return map_rows(arguments, {{out_width}}, [&](const RowsRun& run) {
    const bool constant = BodyArguments::constant(run.stride, first);
    const size_t block = constant ? std::min<size_t>(run.count, 4096) : 1;
    for (size_t start = 0; start < run.count; start += block) {
      const size_t count = std::min(block, run.count - start);
      const auto rows = [&](size_t k, size_t width) {
        return DenseRows(run.in[k] + static_cast<std::ptrdiff_t>(start) * run.stride[k], run.stride[k], width, count);
      };
      const DenseRows x = rows(0, in_width),
                      p = rows(needs_pose(quantity), arguments[needs_pose(quantity)].row_shape[0]);
      const DenseRows v = rows(needs_twist(quantity) ? 2 : 0, needs_twist(quantity) ? 6 : in_width);
      conversion.set_body(BodyArguments::read(run.in, run.stride, first, start));
      double* out = run.out[0] + start * out_width;
      try {
        convert_rows(conversion, quantity, x.data(), p.data(), v.data(), out, count);
      } catch (const RowError& problem) {
        const std::string name = problem.argument().empty() ? arguments[0].name : problem.argument();
        throw RowError(name, start + problem.row(), problem.problem());
      }
    }
  })[0];
}

nb::object convert_inertia_rows(const std::string& source, const std::string& source_form,
                                const std::string& source_point, const std::string& target,
                                const std::string& target_form, const std::string& target_point, nb::handle values) {
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
        throw RowError("inertia", i, error.what());
      }
    }
  })[0];
}

// Twist and force matrices (..., 6, 6) at poses.
nb::object matrices(const std::string& source, const std::string& target, nb::handle pose,
                    const std::vector<nb::object>& given_body) {
  BodyConversion conversion(find_convention(source), find_convention(target));
  require(conversion.from(), Quantity::kPose);
  require(conversion.from(), Quantity::kTwist);
  require(conversion.to(), Quantity::kTwist);
  const std::vector<nb::object> body = BodyArguments::complete(conversion, Quantity::kTwist, given_body);
  std::vector<RowsArgument> arguments{{"pose", pose, {width_of(conversion.from(), Quantity::kPose)}}};
  for (size_t k = 0; k < BodyArguments::kCount; ++k) {
    arguments.push_back({BodyArguments::kNames[k], body.at(k), {BodyArguments::kWidths[k]}});
  }
  const auto results = map_rows(arguments, {{6, 6}, {6, 6}}, [&](const RowsRun& run) {
    for (size_t i = 0; i < run.count; ++i) {
      conversion.set_body(BodyArguments::read(run.in, run.stride, 1, i));
      const double* at = run.in[0] + static_cast<std::ptrdiff_t>(i) * run.stride[0];
      try {
        const auto twist = conversion.twist_matrix(at), force = conversion.wrench_matrix(at);
        std::copy(twist.begin(), twist.end(), run.out[0] + 36 * i);
        std::copy(force.begin(), force.end(), run.out[1] + 36 * i);
      } catch (const RowError& problem) {
        throw RowError("pose", i, problem.problem());
      }
    }
  });
  return nb::make_tuple(results[0], results[1]);
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
  m.def("add_json",
        [](const std::string& json, const std::string& file) { return add_conventions_from_json(json, file); });
  m.def("to_json", [](const std::string& text) { return to_json(find_convention(text)); });
  m.def("convert", &convert);
  m.def("convert_inertia", &convert_inertia_rows);
  m.def("matrices", &matrices);
}

}  // namespace torsor::python
