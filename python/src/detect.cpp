// torsor._core.detect and detect_file: find the convention of a log. Results are dictionaries like the report's JSON.
#include <optional>

#include <nanobind/stl/optional.h>
#include <nanobind/stl/vector.h>

#include <fmt/format.h>

#include "torsor/bridge/detect.hpp"
#include "torsor/core/error.hpp"

#include "arrays.hpp"
#include "bindings.hpp"
#include "objects.hpp"
#include "text.hpp"

namespace torsor::python {
namespace {

using namespace nb::literals;
using Com = std::optional<std::vector<double>>;

// The numbers of an array of any shape whose last axes hold `width` numbers for each of `samples`.
std::vector<double> numbers_of(const char* name, const nb::object& value, size_t samples, std::vector<size_t> widths) {
  if (value.is_none()) return {};
  const nb::object numpy = nb::module_::import_("numpy");
  const nb::object array = numpy.attr("ascontiguousarray")(value, "dtype"_a = "float64");
  Memory memory;
  if (!memory.open(array, false)) throw Error(fmt::format("{}: not an array of numbers", name));
  for (const size_t width : widths) {
    if (memory.size() != width * (samples ? samples : memory.size())) continue;
    return std::vector<double>(memory.data(), memory.data() + memory.size());
  }
  throw nb::value_error(fmt::format("{}: {} samples need {} numbers each, not shape {}", name, samples, widths[0],
                                    to_text(memory.shape()))
                            .c_str());
}

DetectOptions make_options(const Com& com, double smallest_offset) {
  DetectOptions options{.smallest_offset = smallest_offset};
  if (!com) return options;
  if (com->size() != 3) throw nb::value_error("com: expected three numbers");
  options.p_BoBcm_B = load3(com->data());
  return options;
}

nb::dict to_dict(const DetectionReport& report) {
  nb::dict result = nb::cast<nb::dict>(nb::module_::import_("json").attr("loads")(to_json(report)));
  result["text"] = to_text(report);
  return result;
}

nb::dict detect_arrays(const ArrayLike& time, const ArrayLike& position, const ArrayLike& quat, const ArrayLike& linear,
                       const ArrayLike& angular, const Com& com, double smallest_offset) {
  LogColumns log;
  log.time = numbers_of("time", time, 0, {1});
  const size_t n = log.samples();
  if (n == 0) throw nb::value_error("time: no samples");
  log.position = numbers_of("position", position, n, {3});
  log.rotation = numbers_of("quat", quat, n, {4, 9});
  log.linear = numbers_of("linear", linear, n, {3});
  log.angular = numbers_of("angular", angular, n, {3});
  const DetectOptions options = make_options(com, smallest_offset);
  DetectionReport report;
  {
    nb::gil_scoped_release release;
    report = detect(log, options);
  }
  return to_dict(report);
}

nb::dict detect_path(const std::string& path, const std::string& columns, const Com& com, double smallest_offset,
                     const ModelObject* model, const std::string& body) {
  if (!body.empty() && !model) throw Error("body: a model is needed to look for a body by name");
  const Table table = read_table(path);
  const TableDetectOptions options{columns, body, model ? model->model.get() : nullptr,
                                   make_options(com, smallest_offset)};
  DetectionReport report;
  {
    nb::gil_scoped_release release;
    report = detect_table(table, options);
  }
  return to_dict(report);
}

}  // namespace

void bind_detect(nb::module_& m) {
  m.def("detect", detect_arrays, "time"_a, "position"_a, "quat"_a, "linear"_a = nb::none(), "angular"_a = nb::none(),
        nb::kw_only(), "com"_a = nb::none(), "smallest_offset"_a = DetectOptions{}.smallest_offset,
        R"(Find the convention of a log of poses and velocities, by consistency.

time has n seconds, position n x 3, quat n x 4 numbers in the order of the log, or n x 3 x 3 of rotation matrices;
linear and angular are n x 3 velocities, or None. com is the body's centre of mass from its origin in metres, where it
is known.

Returns a dictionary: "decided", "ids" of the conventions that fit, "ids_if_com_at_origin" that also fit if the centre
of mass is at the body's origin, "undecided" with advice, "readings" (best first) with their cells and residuals, a
readable "text", and more. Raises torsor.Error, naming the sample, if the numbers cannot be a log.

If a body rotates about one axis only, the axes of its angular velocity are undetermined:

>>> t = numpy.arange(0, 10, 0.01)
>>> zero, one = 0 * t, 0 * t + 1
>>> position, linear = numpy.stack([numpy.sin(t), one, t], 1), numpy.stack([numpy.cos(t), zero, one], 1)
>>> quat = numpy.stack([numpy.cos(t / 2), zero, zero, numpy.sin(t / 2)], 1)
>>> report = torsor.detect(t, position, quat, linear, numpy.stack([zero, zero, one], 1))
>>> report["readings"][0]["cells"]["quat"], [item["cell"] for item in report["undecided"]]
('wxyz', ['twist.point', 'twist.angular']))");
  m.def("detect_file", detect_path, "path"_a, "columns"_a = "", nb::kw_only(), "com"_a = nb::none(),
        "smallest_offset"_a = DetectOptions{}.smallest_offset, "model"_a.none() = nb::none(), "body"_a = "",
        R"(detect() for a file: .csv, .json or .npy, such as torsor sim and torsor state write.

Columns are recognised by name; without names, by their number and by unit quaternions. To select them explicitly, pass
columns="time=0,position=1:4,quat=4:8,linear=8:11,angular=11:14". With a model, the centres of mass of free bodies are
known, and the order of the joint columns is examined too, in "joints". If the file has several free bodies, the report
is about the one with the most conclusive data, or about `body`.

>>> rows = [f"{0.1 * i},0,0,0,1,0,0,0" for i in range(100)]
>>> _ = (folder / "still.csv").write_text("time,x,y,z,qw,qx,qy,qz\n" + "\n".join(rows))
>>> torsor.detect_file(str(folder / "still.csv"))["decided"]
False)");
}

}  // namespace torsor::python
