// The class MotionLibrary: many clips sampled at many times, in arrays of NumPy or tensors of other libraries.
#include "torsor/format/motion/library.hpp"

#include <algorithm>
#include <memory>
#include <optional>
#include <variant>

#include <nanobind/stl/optional.h>
#include <nanobind/stl/vector.h>

#include <fmt/format.h>

#include "bindings.hpp"
#include "motion_clips.hpp"
#include "text.hpp"
#include "torsor/core/error.hpp"

namespace torsor::python {
namespace {

using namespace nb::literals;

struct LibraryObject {
  std::variant<std::shared_ptr<MotionLibrary<float>>, std::shared_ptr<MotionLibrary<double>>> library;
};

// The quantities of a sample: name, and how many numbers there are.
struct Quantity {
  const char* name;
  std::vector<size_t> (*shape)(size_t dofs, size_t bodies);
};
constexpr Quantity kQuantities[] = {
    {"root_pos", [](size_t, size_t) { return std::vector<size_t>{3}; }},
    {"root_quat", [](size_t, size_t) { return std::vector<size_t>{4}; }},
    {"dof", [](size_t dofs, size_t) { return std::vector<size_t>{dofs}; }},
    {"root_linear", [](size_t, size_t) { return std::vector<size_t>{3}; }},
    {"root_angular", [](size_t, size_t) { return std::vector<size_t>{3}; }},
    {"dof_vel", [](size_t dofs, size_t) { return std::vector<size_t>{dofs}; }},
    {"body_quat",
     [](size_t, size_t bodies) {
       return std::vector<size_t>{bodies, 4};
     }},
};
constexpr size_t kQuantityCount = std::size(kQuantities);

template <class T>
constexpr const char* kTypeName = sizeof(T) == 4 ? "float32" : "float64";

// A one-dimensional argument, in place if it has the type: an array, or a tensor through DLPack. Others are converted.
template <class T>
class Numbers {
 public:
  using View = nb::ndarray<const T, nb::ndim<1>, nb::c_contig, nb::device::cpu>;

  Numbers(const char* name, nb::handle value, const char* type) {
    if (nb::try_cast<View>(value, view_, false)) return;
    try {
      kept_ = nb::module_::import_("numpy").attr("ascontiguousarray")(value, type);
    } catch (nb::python_error&) {
      throw Error(fmt::format("{}: cannot be read as an array in the memory of the processor", name));
    }
    if (!nb::try_cast<View>(kept_, view_, false))
      throw Error(fmt::format("{}: expected one dimension of numbers", name));
  }
  const T* data() const { return view_.data(); }
  size_t size() const { return view_.size(); }

 private:
  nb::object kept_;
  View view_;
};

// A result in the caller's memory, which must fit exactly.
template <class T>
T* place_of(const char* name, nb::handle value, const std::vector<size_t>& shape) {
  using View = nb::ndarray<T, nb::c_contig, nb::device::cpu>;
  View view;
  bool fits = nb::try_cast<View>(value, view, false) && view.ndim() == shape.size();
  for (size_t i = 0; fits && i < shape.size(); ++i) fits = view.shape(i) == shape[i];
  if (!fits)
    throw Error(fmt::format(
        "out['{}']: expected a writable, contiguous array of {} in the memory of the processor, of shape {}", name,
        kTypeName<T>, to_text(shape)));
  return view.data();
}

// A new array, of the library that made `like`: torch for its tensors, else NumPy.
template <class T>
nb::object make_like(nb::handle like, const std::vector<size_t>& shape) {
  const std::string module = nb::cast<std::string>(nb::object(like.type().attr("__module__")));
  const bool is_torch = module == "torch" || module.starts_with("torch.");
  const nb::module_ library = nb::module_::import_(is_torch ? "torch" : "numpy");
  const nb::object size = nb::tuple(nb::cast(shape));
  return library.attr("empty")(size, "dtype"_a = library.attr(kTypeName<T>));
}

template <class T>
nb::dict sample_with(const MotionLibrary<T>& library, nb::handle clips, nb::handle times, nb::handle out, bool repeat) {
  const Numbers<std::int64_t> ids("clips", clips, "int64");
  const Numbers<T> at("times", times, kTypeName<T>);
  if (ids.size() != at.size()) throw Error(fmt::format("{} clips and {} times", ids.size(), at.size()));
  nb::dict result = out.is_none() ? nb::dict() : nb::cast<nb::dict>(out);
  T* places[kQuantityCount] = {};
  for (size_t i = 0; i < kQuantityCount; ++i) {
    std::vector<size_t> shape = kQuantities[i].shape(size_t(library.dofs()), size_t(library.nbody()));
    shape.insert(shape.begin(), at.size());
    const char* name = kQuantities[i].name;
    if (out.is_none() && shape.back() * shape[shape.size() - 2] > 0 && shape[1] > 0)
      result[name] = make_like<T>(times, shape);
    if (result.contains(name)) places[i] = place_of<T>(name, nb::object(result[name]), shape);
  }
  for (const nb::handle key : result.keys()) {
    const auto is_known = [&](const Quantity& quantity) {
      return nb::cast<nb::str>(key).equal(nb::str(quantity.name));
    };
    if (std::none_of(std::begin(kQuantities), std::end(kQuantities), is_known))
      throw Error(fmt::format("out: unknown quantity '{}'", nb::str(key).c_str()));
  }
  const MotionSamples<T> samples{places[0], places[1], places[2], places[3], places[4], places[5], places[6]};
  {
    const nb::gil_scoped_release release;
    library.sample(ids.data(), at.data(), at.size(), samples, repeat ? MotionEnding::kRepeat : MotionEnding::kHold);
  }
  return result;
}

void make_library(LibraryObject* self, const std::vector<MotionClip>& clips, const std::string& dtype, double sigma) {
  std::vector<MotionClip> checked = clips;
  for (MotionClip& clip : checked) check_clip(clip);
  LibraryObject made;
  if (dtype == "float32")
    made.library = std::make_shared<MotionLibrary<float>>(checked, sigma);
  else if (dtype == "float64")
    made.library = std::make_shared<MotionLibrary<double>>(checked, sigma);
  else
    throw Error(fmt::format("dtype: unknown '{}', expected float32 or float64", dtype));
  new (self) LibraryObject(std::move(made));
}

}  // namespace

void bind_motion_library(nb::module_& m) {
  nb::class_<LibraryObject>(m, "MotionLibrary", R"(Many clips of one figure, sampled at many times in one call.

>>> clip = torsor.MotionClip(numpy.zeros((31, 3)), numpy.tile([1.0, 0, 0, 0], (31, 1)), numpy.zeros((31, 2)), fps=30)
>>> library = torsor.MotionLibrary([clip, clip], dtype="float32")
>>> samples = library.sample([0, 1, 1], [0.0, 0.5, 0.25])
>>> samples["dof"].shape, samples["dof"].dtype
((3, 2), dtype('float32'))
)")
      .def("__init__", make_library, "clips"_a, "dtype"_a = "float64", "sigma"_a = kDefaultSigma,
           "Clips with the same joints and bodies; their rates may differ. sigma is that of MotionClip.velocities().")
      .def("__len__",
           [](const LibraryObject& self) { return std::visit([](auto& p) { return p->size(); }, self.library); })
      .def_prop_ro(
          "durations",
          [](const LibraryObject& self) {
            std::vector<double> durations;
            std::visit(
                [&](auto& p) {
                  for (int i = 0; i < p->size(); ++i) durations.push_back(p->duration(i));
                },
                self.library);
            return durations;
          },
          "length of each clip, s")
      .def(
          "sample",
          [](const LibraryObject& self, nb::handle clips, nb::handle times, nb::handle out, bool repeat) {
            return std::visit([&](auto& p) { return sample_with(*p, clips, times, out, repeat); }, self.library);
          },
          "clips"_a, "times"_a, nb::kw_only(), "out"_a.none() = nb::none(), "repeat"_a = false,
          R"(The poses and velocities of clips[i] at times[i], in seconds, interpolated between frames.

A dictionary of arrays with one row per sample: root_pos, root_quat, dof, root_linear, root_angular, dof_vel, body_quat.
clips (int64) and times (the library's dtype) are read in place, arrays of NumPy and tensors (DLPack) alike. With out, a
dictionary of such arrays, results are written into them and nothing is allocated; quantities that it does not have are left
out. Without, new arrays are made, of torch if times is a tensor. Outside of a clip, the first or last frame holds; with
repeat, the clip starts again.

>>> clip = torsor.MotionClip(numpy.zeros((31, 3)), numpy.tile([1.0, 0, 0, 0], (31, 1)), numpy.zeros((31, 2)), fps=30)
>>> out = {"dof": numpy.empty((2, 2))}
>>> _ = torsor.MotionLibrary([clip]).sample([0, 0], [0.1, 0.2], out=out)
>>> out["dof"]
array([[0., 0.],
       [0., 0.]])
)")
      .def("__repr__", [](const LibraryObject& self) {
        return std::visit(
            [](auto& p) {
              return to_str(
                  fmt::format("<MotionLibrary: {} clips, {} joints, {} bodies>", p->size(), p->dofs(), p->nbody()));
            },
            self.library);
      });
}

}  // namespace torsor::python
