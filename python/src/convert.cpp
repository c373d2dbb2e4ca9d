// Conversion of model files: implementation of torsor.convert and torsor.to_urdf.
#include <filesystem>

#include <nanobind/stl/filesystem.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/variant.h>
#include <nanobind/stl/vector.h>

#include "bindings.hpp"
#include "load_options.hpp"
#include "objects.hpp"
#include "text.hpp"
#include "torsor/format/mjz.hpp"
#include "torsor/format/urdf/write.hpp"
#include "torsor/load/convert.hpp"

namespace torsor::python {
namespace {

using namespace nb::literals;

nb::list losses_of(const std::vector<Loss>& losses) {
  nb::list out;
  for (const Loss& loss : losses) {
    nb::list names;
    for (const std::string& name : loss.names) names.append(to_str(name));
    out.append(nb::make_tuple(to_str(loss.kind), names, to_str(loss.what)));
  }
  return out;
}

nb::dict convert_model_file(const std::filesystem::path& input, const std::filesystem::path& output,
                            const Names& ignore, const Folders& restrict, std::optional<std::int64_t> memory_limit,
                            const std::optional<std::string>& base, const Folders& packages, bool merge_fixed) {
  const LoadOptions options =
      make_options(ignore, std::nullopt, std::nullopt, {restrict, memory_limit}, {base, packages, merge_fixed});
  const auto convert_without_gil = [&] {
    nb::gil_scoped_release release;
    return convert_file(input.string(), output.string(), options);
  };
  const Conversion conversion = convert_without_gil();
  nb::dict out;
  out["source"] = conversion.from;
  out["target"] = conversion.to;
  nb::list files;
  for (const std::string& file : conversion.files) files.append(to_str(file));
  out["files"] = files;
  out["warnings"] = nb::cast(conversion.warnings);
  out["lost"] = losses_of(conversion.losses);
  return out;
}

nb::tuple model_to_urdf(const ModelObject& model, const std::string& mesh_folder) {
  const UrdfFiles files = write_urdf(*model.model, mesh_folder);
  nb::dict meshes;
  for (const auto& [name, bytes] : files.meshes) meshes[to_str(name)] = nb::bytes(bytes.data(), bytes.size());
  return nb::make_tuple(to_str(files.text), meshes, losses_of(files.losses));
}

nb::bytes spec_to_mjz(const Spec& spec) {
  const std::string bytes = write_mjz(spec);
  return nb::bytes(bytes.data(), bytes.size());
}

}  // namespace

void bind_convert(nb::module_& m) {
  m.def("_convert_file", &convert_model_file, "input"_a, "output"_a, "ignore"_a = std::vector<std::string>{},
        "restrict"_a = nb::none(), "memory_limit"_a = nb::none(), "base"_a = nb::none(), "packages"_a = nb::none(),
        "merge_fixed"_a = false);
  m.def(
      "_format_of", [](const std::filesystem::path& path) { return format_of_model(path.string()); }, "path"_a);
  m.def("_to_urdf", &model_to_urdf, "model"_a, "mesh_folder"_a);
  m.def("_to_mjz", &spec_to_mjz, "spec"_a);
}

}  // namespace torsor::python
