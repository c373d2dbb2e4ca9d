// The library's Spec: a model as its author wrote it, to be compiled, updated and written. spec_tree.cpp shows its
// values.
#include <filesystem>

#include <nanobind/stl/filesystem.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/variant.h>
#include <nanobind/stl/vector.h>

#include "bindings.hpp"
#include "load_options.hpp"
#include "objects.hpp"
#include "text.hpp"
#include "torsor/load/operations.hpp"
#include "torsor/load/update.hpp"
#include "torsor/model/check.hpp"

namespace torsor::python {
namespace {

using namespace nb::literals;

Spec read_path(const std::filesystem::path& path, const Names& ignore, const Assets& assets, const Folders& restrict,
               std::optional<std::int64_t> memory_limit, const std::optional<std::string>& base,
               const Folders& packages, bool merge_fixed) {
  const LoadOptions options =
      make_options(ignore, assets, std::nullopt, {restrict, memory_limit}, {base, packages, merge_fixed});
  nb::gil_scoped_release release;
  return read_mjcf_file(path.string(), options);
}

Spec read_text(const std::string& xml, const Assets& assets, const Names& ignore, const Folders& restrict,
               std::optional<std::int64_t> memory_limit, const std::optional<std::string>& base,
               const Folders& packages, bool merge_fixed) {
  const LoadOptions options =
      make_options(ignore, assets, std::nullopt, {restrict, memory_limit}, {base, packages, merge_fixed});
  nb::gil_scoped_release release;
  return read_mjcf_string(xml, options);
}

// The values of a Spec that a program made may be anything: the model is checked as one from foreign bytes is.
ModelObject compile_spec(const Spec& self, bool check) {
  const auto load_without_gil = [&self, check] {
    nb::gil_scoped_release release;
    Model model = load_spec(self);
    if (check) check_model(model, "the model");
    return model;
  };
  ModelObject object(load_without_gil());
  object.textures = [textures = view::TextureSource(self)] { return textures; };
  return object;
}

}  // namespace

void bind_spec(nb::module_& m) {
  nb::class_<Spec> cls(m, "_Spec",
                       "The library's Spec: what torsor.Spec and torsor.mujoco.MjSpec read, compile and write.");
  cls.def(nb::init<>());
  cls.def_static("from_xml_path", &read_path, "path"_a, "ignore"_a = std::vector<std::string>{},
                 "assets"_a = nb::none(), "restrict"_a = nb::none(), "memory_limit"_a = nb::none(),
                 "base"_a = nb::none(), "packages"_a = nb::none(), "merge_fixed"_a = false,
                 "Read an MJCF or URDF file.");
  cls.def_static("from_xml_string", &read_text, "xml"_a, "assets"_a = nb::none(),
                 "ignore"_a = std::vector<std::string>{}, "restrict"_a = nb::none(), "memory_limit"_a = nb::none(),
                 "base"_a = nb::none(), "packages"_a = nb::none(), "merge_fixed"_a = false,
                 "Read MJCF or URDF from a string.");
  cls.def("compile", &compile_spec, "check"_a = false, "Compile to a Model, reading assets from their files.");
  cls.def("to_xml", &write_mjcf_string, "The model as MJCF.");
  cls.def(
      "save", [](const Spec& self, const std::filesystem::path& path) { write_mjcf_file(self, path.string()); },
      "path"_a, "Write an MJCF file, with asset paths relative to it.");
  cls.def(
      "update",
      [](Spec& self, const ModelObject& model, bool infer) {
        update_spec(self, *model.model, infer ? Unedited::kInferred : Unedited::kKept);
      },
      "model"_a, "infer"_a = false,
      "Transfer the edits of a Model of this Spec. With infer=True, what follows from them is computed anew.");
  cls.def("fuse_static", &fuse_static, "Turn bodies without joints into frames. Returns how many.");
  cls.def("discard_visual", &discard_visual, "Delete what is only drawn. Returns how many elements.");
  cls.def("dedup_assets", &dedup_assets, "Merge equal textures and meshes. Returns how many were deleted.");
  cls.def("adopt_inertial", &adopt_inertial, "body"_a, "Make the inertia of a body explicit.");
  cls.def_prop_ro("modelname", [](const Spec& self) { return to_str(self.modelname); });
  cls.def_prop_ro("nbody", [](const Spec& self) { return self.bodies.size(); });
}

}  // namespace torsor::python
