// The class MjModel: loading, copies, pickles and whole blocks of settings. Everything else is torsor.Model's.
#include <algorithm>
#include <filesystem>
#include <functional>
#include <new>

#include <nanobind/stl/filesystem.h>
#include <nanobind/stl/optional.h>

#include <fmt/format.h>

#include "../field_table.hpp"
#include "../model_loading.hpp"
#include "../settings.hpp"
#include "../text.hpp"
#include "call.hpp"
#include "mj_objects.hpp"
#include "torsor/core/error.hpp"
#include "torsor/format/binary/binary.hpp"
#include "torsor/format/mjcf/mjcf.hpp"
#include "torsor/load/update.hpp"

namespace torsor::python::mj {
namespace {

using namespace nb::literals;

PyTypeObject* model_type = nullptr;

// Reads the model that was last loaded from XML, for mj_saveLastXML; empty before the first.
std::function<Spec()>& last_xml() {
  static std::function<Spec()> read;
  return read;
}

// Files from the argument `assets` or from an MjVfs, not both.
Assets files_from(const Assets& assets, nb::handle vfs) {
  if (vfs.is_none()) return assets;
  if (assets) throw nb::value_error("pass assets or vfs, not both");
  const nb::object files = vfs.attr("_files");
  if (!nb::isinstance<nb::dict>(files)) throw nb::type_error("vfs: expected an MjVfs");
  return nb::borrow<nb::typed<nb::dict, nb::str, nb::bytes>>(files);
}

// MuJoCo keeps files in memory by their last name only.
void require_different_names(const Assets& assets) {
  if (!assets) return;
  std::vector<std::string> seen;
  for (const auto [key, contents] : *assets) {
    const std::string name = std::filesystem::path(nb::str(key).c_str()).filename().string();
    if (std::find(seen.begin(), seen.end(), name) != seen.end())
      throw nb::value_error(fmt::format("Repeated file name in assets dict: {}", name).c_str());
    seen.push_back(name);
  }
}

const Names kNothing = std::vector<std::string>{};
// Text may name files by a path, as in MuJoCo.
const Folders kAnywhere = std::vector<std::filesystem::path>{"/"};
// URDF: MuJoCo fixes the base and merges links that are fixed to each other.
const std::optional<std::string> kBase = "fixed";

MjModelObject from_text(const std::string& xml, const Assets& given, nb::handle vfs) {
  const Assets assets = files_from(given, vfs);
  require_different_names(assets);
  MjModelObject made(load_text(xml, assets, kNothing, std::nullopt, kAnywhere, std::nullopt, kBase, {}, true));
  const LoadOptions options =
      make_options(kNothing, assets, std::nullopt, {kAnywhere, std::nullopt}, {kBase, {}, true});
  last_xml() = [xml, options] { return read_mjcf_string(xml, options); };
  return made;
}

MjModelObject from_binary(const std::filesystem::path& path, const Assets& given, nb::handle vfs) {
  const Assets assets = files_from(given, vfs);
  if (assets && assets->contains(path.string().c_str())) {
    const nb::object contents = (*assets)[path.string().c_str()];
    if (!nb::isinstance<nb::bytes>(contents)) throw nb::type_error("assets: expected a dict from names to bytes");
    const nb::bytes bytes = nb::cast<nb::bytes>(contents);
    return MjModelObject(torsor::from_bytes(std::string_view(bytes.c_str(), bytes.size()), path.string()));
  }
  return MjModelObject(load_binary(path.string()));
}

MjModelObject from_path(const std::filesystem::path& path, const Assets& given, nb::handle vfs) {
  const Assets assets = files_from(given, vfs);
  require_different_names(assets);
  if (path.extension() == ".mjb") return from_binary(path, given, vfs);
  MjModelObject made(load_path(path, kNothing, assets, std::nullopt, std::nullopt, std::nullopt, kBase, {}, true));
  const LoadOptions options =
      make_options(kNothing, assets, std::nullopt, {std::nullopt, std::nullopt}, {kBase, {}, true});
  last_xml() = [path, options] { return read_mjcf_file(path.string(), options); };
  return made;
}

// With the numbers of `model`, which was loaded from it.
void save_last_xml(const std::filesystem::path& path, const ModelObject& model) {
  if (!last_xml()) throw Error("mj_saveLastXML: no model was loaded from XML");
  Spec spec = last_xml()();
  const nb::gil_scoped_release release;
  update_spec(spec, *model.model);
  write_mjcf_file(spec, path.string());
}

MjModelObject duplicate(const MjModelObject& self) {
  MjModelObject copy(copy_of(self));
  copy.signature = self.signature;
  return copy;
}

nb::bytes bytes_of(const MjModelObject& self) {
  const std::string bytes = to_bytes(*self.model);
  return nb::bytes(bytes.data(), bytes.size());
}

void bind_blocks(nb::class_<MjModelObject, ModelObject>& cls) {
  cls.def_prop_rw(
      "opt",
      [](MjModelObject& self) {
        if (!self.options.is_valid()) self.options = nb::cast(Settings<OptionBlock>(self.model));
        return self.options;
      },
      [](MjModelObject& self, const Settings<OptionBlock>& from) { self.model->opt = from.model->opt; });
  cls.def_prop_rw(
      "stat", [](const MjModelObject& self) { return Settings<StatisticBlock>(self.model); },
      [](MjModelObject& self, const Settings<StatisticBlock>& from) { self.model->stat = from.model->stat; });
  cls.def_prop_rw(
      "vis", [](const MjModelObject& self) { return Settings<VisualBlock>(self.model); },
      [](MjModelObject& self, const Settings<VisualBlock>& from) { self.model->vis = from.model->vis; });
}

}  // namespace

ModelObject* as_model(PyObject* object) {
  const bool fits = Py_TYPE(object) == model_type || nb::isinstance<ModelObject>(object);
  return fits ? nb::inst_ptr<ModelObject>(object) : nullptr;
}

void bind_mj_model(nb::module_& m) {
  nb::class_<MjModelObject, ModelObject> cls(m, "MjModel", R"(A compiled model, with the interface of mujoco.MjModel.

>>> model = torsor.mujoco.MjModel.from_xml_string("<mujoco model='empty'/>")
>>> model.nbody
1
)");
  model_type = reinterpret_cast<PyTypeObject*>(cls.ptr());
  cls.def_static("from_xml_string", &from_text, "xml"_a, "assets"_a = nb::none(), "vfs"_a = nb::none(),
                 "Loads MJCF from text.");
  cls.def_static("from_xml_path", &from_path, "filename"_a, "assets"_a = nb::none(), "vfs"_a = nb::none(),
                 "Loads an MJCF file.");
  cls.def_static("from_binary_path", &from_binary, "filename"_a, "assets"_a = nb::none(), "vfs"_a = nb::none(),
                 "Loads a file that mj_saveModel wrote.");
  cls.def_static(
      "_from_model", [](const ModelObject& model) { return MjModelObject(copy_of(model)); }, "model"_a);
  cls.def("__copy__", &duplicate);
  cls.def(
      "__deepcopy__", [](const MjModelObject& self, nb::handle) { return duplicate(self); }, "memo"_a);
  cls.def("__getstate__", [](const MjModelObject& self) { return nb::make_tuple(bytes_of(self), self.signature); });
  cls.def("__setstate__", [](MjModelObject& self, const nb::tuple& state) {
    const nb::bytes bytes = nb::cast<nb::bytes>(state[0]);
    new (&self) MjModelObject(torsor::from_bytes(std::string_view(bytes.c_str(), bytes.size())));
    self.signature = nb::cast<uint64_t>(state[1]);
  });
  for (const FlagRow& row : flag_rows())
    cls.def_prop_rw(
        row.name, [&row](const MjModelObject& self) { return (*self.model).*row.member; },
        [&row](MjModelObject& self, bool value) { (*self.model).*row.member = value; });  // edits then count
  cls.def_prop_ro("ngravcomp", [](const MjModelObject& self) {
    return self.model->flg_gravcomp ? std::max(1, self.model->ngravcomp) : 0;
  });
  m.def("_save_last_xml", &save_last_xml, "filename"_a, "m"_a);
  cls.def_rw("signature", &MjModelObject::signature, "of the structure of the MjSpec that it was compiled from");
  cls.def_ro("_kept", &MjModelObject::kept);
  cls.def_prop_ro("_address", [](const MjModelObject& self) { return reinterpret_cast<uintptr_t>(self.model.get()); });
  bind_blocks(cls);
}

}  // namespace torsor::python::mj
