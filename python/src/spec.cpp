// The class Spec: a model as its author wrote it, to be compiled, updated and written.
#include <filesystem>

#include <nanobind/stl/filesystem.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/variant.h>
#include <nanobind/stl/vector.h>

#include <fmt/format.h>

#include "bindings.hpp"
#include "load_options.hpp"
#include "objects.hpp"
#include "text.hpp"
#include "torsor/load/update.hpp"

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

ModelObject compile_spec(const Spec& self) {
  const auto load_without_gil = [&self] {
    nb::gil_scoped_release release;
    return load_spec(self);
  };
  ModelObject object(load_without_gil());
  object.textures = [textures = view::TextureSource(self)] { return textures; };
  return object;
}

}  // namespace

void bind_spec(nb::module_& m) {
  nb::class_<Spec> cls(m, "Spec", R"(A model as its author wrote it: names, default classes, files of assets.

>>> spec = torsor.Spec.from_xml_path(path)
>>> spec.compile().nbody
3
)");
  cls.def_static(
      "from_xml_path", &read_path, "path"_a, "ignore"_a = std::vector<std::string>{}, "assets"_a = nb::none(),
      "restrict"_a = nb::none(), "memory_limit"_a = nb::none(), "base"_a = nb::none(), "packages"_a = nb::none(),
      "merge_fixed"_a = false,
      R"(Read an MJCF or URDF file. The arguments are those of Model.from_xml_path, and also apply to compile().

>>> spec = torsor.Spec.from_xml_path(path)
)");
  cls.def_static(
      "from_xml_string", &read_text, "xml"_a, "assets"_a = nb::none(), "ignore"_a = std::vector<std::string>{},
      "restrict"_a = nb::none(), "memory_limit"_a = nb::none(), "base"_a = nb::none(), "packages"_a = nb::none(),
      "merge_fixed"_a = false,
      R"(Read MJCF or URDF from a string. The arguments are those of Model.from_xml_string, and also apply to compile().

>>> torsor.Spec.from_xml_string("<mujoco model='empty'/>").compile().name
'empty'
)");
  cls.def("compile", &compile_spec, R"(Compile to a Model, reading assets from their files.

>>> spec.compile().nq
2
)");
  cls.def("__repr__", [](const Spec& self) {
    return fmt::format("<Spec '{}': {} bodies>", self.modelname, self.bodies.size() - 1);
  });
  cls.def("to_xml", &write_mjcf_string, R"(The model as MJCF that compiles to the same Model, with includes expanded.

>>> torsor.Model.from_xml_string(spec.to_xml()).to_bytes() == spec.compile().to_bytes()
True
)");
  cls.def(
      "save", [](const Spec& self, const std::filesystem::path& path) { write_mjcf_file(self, path.string()); },
      "path"_a, R"(Write the model as an MJCF file, with asset paths relative to it.

>>> spec.save(folder / "saved.xml")
)");
  cls.def(
      "update", [](Spec& self, const ModelObject& model) { update_spec(self, *model.model); }, "model"_a,
      R"(Transfer the edits of a Model of this Spec, so that compiling gives the edited Model.

Raises torsor.Error, without changing anything, if MJCF cannot express some edits; the message names the arrays.

>>> model = spec.compile()
>>> model.jnt_stiffness[0] = 7.5
>>> spec.update(model)
>>> float(spec.compile().jnt_stiffness[0])
7.5
)");
}

}  // namespace torsor::python
