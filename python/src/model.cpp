// The class Model: loading, saving, copies, sizes and arrays.
#include <filesystem>
#include <new>
#include <variant>

#include <nanobind/stl/filesystem.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/variant.h>
#include <nanobind/stl/vector.h>

#include "attributes.hpp"
#include "bindings.hpp"
#include "load_options.hpp"
#include "model_loading.hpp"
#include "settings.hpp"
#include "text.hpp"
#include "textures.hpp"
#include "torsor/compile/set_const.hpp"
#include "torsor/convention/row_fields.hpp"
#include "torsor/core/error.hpp"
#include "torsor/format/binary/binary.hpp"
#include "torsor/model/check.hpp"
#include "torsor/model/difference.hpp"

namespace torsor::python {
namespace {

// Other Python threads run while a model is loaded.
template <class F>
Model load_without_gil(F&& make) {
  nb::gil_scoped_release release;
  try {
    return make();
  } catch (const std::bad_alloc&) {
    throw Error("no memory for this model: its arrays, or what <size memory> asks for, are too large for this machine");
  }
}

}  // namespace

ModelObject load_path(const std::filesystem::path& path, const Names& ignore, const Assets& assets,
                      const std::optional<std::string>& axes, const Folders& restrict,
                      std::optional<std::int64_t> memory_limit, const std::optional<std::string>& base,
                      const Folders& packages, bool merge_fixed) {
  const LoadOptions options =
      make_options(ignore, assets, axes, {restrict, memory_limit}, {base, packages, merge_fixed});
  ModelObject object(load_without_gil([&] { return load(path.string(), options); }));
  object.textures = [path, options] { return view::TextureSource(read_mjcf_file(path.string(), options)); };
  return object;
}

ModelObject load_text(const std::string& xml, const Assets& assets, const Names& ignore,
                      const std::optional<std::string>& axes, const Folders& restrict,
                      std::optional<std::int64_t> memory_limit, const std::optional<std::string>& base,
                      const Folders& packages, bool merge_fixed) {
  const LoadOptions options =
      make_options(ignore, assets, axes, {restrict, memory_limit}, {base, packages, merge_fixed});
  ModelObject object(load_without_gil([&] { return load_string(xml, options); }));
  if (object.model->ntex > 0)
    object.textures = [xml, options] { return view::TextureSource(read_mjcf_string(xml, options)); };
  return object;
}

ModelObject copy_of(const ModelObject& self) {
  ModelObject copy(Model(*self.model));
  copy.may_be_unsound = self.may_be_unsound;
  copy.textures = self.textures;
  return copy;
}

namespace {

nb::bytes model_bytes(const ModelObject& self) {
  const std::string bytes = to_bytes(*self.model);
  return nb::bytes(bytes.data(), bytes.size());
}

ModelObject model_from(const nb::bytes& bytes) {
  return ModelObject(from_bytes(std::string_view(bytes.c_str(), bytes.size())));
}

ObjectType object_type(int type) { return static_cast<ObjectType>(type); }

nb::object id_to_name(const ModelObject& self, int type, int id) {
  const int count = self.model->count(object_type(type));
  if (count < 0) throw nb::value_error(fmt::format("{} is not an ObjectType that a model holds", type).c_str());
  checked_id("object", id, count);
  const std::string_view name = self.model->name(object_type(type), id);
  return name.empty() ? nb::none() : nb::object(to_str(name));
}

void bind_loading(nb::class_<ModelObject>& cls) {
  using namespace nb::literals;
  cls.def_static("from_xml_path", &load_path, "path"_a, "ignore"_a = std::vector<std::string>{},
                 "assets"_a = nb::none(), "axes"_a = nb::none(), "restrict"_a = nb::none(),
                 "memory_limit"_a = nb::none(), "base"_a = nb::none(), "packages"_a = nb::none(),
                 "merge_fixed"_a = false, R"(Load an MJCF or URDF file with everything that it refers to.

`ignore` lists sections to leave out, such as "actuator"; "all" leaves out the unsupported elements, and only those,
with a warning for each. `assets` are files by name, looked up before the disk. `axes` converts the model, including
gravity, to a world with these axes, such as "y-up"; model.world_axes then tells, and conversions use it. `restrict` lists the folders that other files of the model may be
read from (default: any). `memory_limit` is the maximum size of the model in bytes (default: 8 GiB). Raises Error with
all mistakes, each with its location and a hint.

For URDF, `base` is "fixed" or "floating"; `packages` lists folders in which `package://` paths are looked for before
the folders above the file; `merge_fixed=True` merges links that are fixed to their parents into them.

>>> model = torsor.Model.from_xml_path(path)
>>> model.nbody
3
)");
  cls.def_static("from_xml_string", &load_text, "xml"_a, "assets"_a = nb::none(),
                 "ignore"_a = std::vector<std::string>{}, "axes"_a = nb::none(), "restrict"_a = nb::none(),
                 "memory_limit"_a = nb::none(), "base"_a = nb::none(), "packages"_a = nb::none(),
                 "merge_fixed"_a = false,
                 R"(Load MJCF or URDF from a string. See from_xml_path.

Files that the model refers to must be in `assets`, or in a folder listed in `restrict`.

>>> world = torsor.Model.from_xml_string("<mujoco model='empty'/>")
>>> world.name, world.nbody
('empty', 1)
)");
  cls.def_static(
      "from_binary_path", [](const std::filesystem::path& path) { return ModelObject(load_binary(path.string())); },
      "path"_a,
      R"(Load a file written by save_binary(). Raises Error if it is damaged or not such a file.

>>> model.save_binary(folder / "arm.torsor")
>>> torsor.Model.from_binary_path(folder / "arm.torsor").nq
2
)");
  cls.def_static("from_bytes", &model_from, "bytes"_a, R"(Load a model from the bytes that to_bytes() returned.

>>> torsor.Model.from_bytes(model.to_bytes()).nq
2
)");
  cls.def(
      "save_binary",
      [](const ModelObject& self, const std::filesystem::path& path) { save_binary(*self.model, path.string()); },
      "path"_a, R"(Write the compiled model to a binary file, which loads faster than XML and is exact to the bit.

>>> model.save_binary(folder / "arm.torsor")
)");
  cls.def("to_bytes", &model_bytes, R"(The compiled model as bytes; equal models give equal bytes.

>>> model.to_bytes() == model.to_bytes()
True
)");
  cls.def("__copy__", &copy_of);
  cls.def(
      "__deepcopy__", [](const ModelObject& self, nb::handle) { return copy_of(self); }, "memo"_a);
  cls.def("__getstate__", &model_bytes);
  cls.def("__setstate__",
          [](ModelObject& self, const nb::bytes& bytes) { new (&self) ModelObject(model_from(bytes)); });
}

void bind_difference(nb::module_& m, nb::class_<ModelObject>& cls) {
  using namespace nb::literals;
  nb::class_<FieldDifference>(m, "FieldDifference",
                              R"(One size, setting or array that differs between two models; see Model.diff().

>>> other = torsor.Model.from_bytes(model.to_bytes())
>>> other.opt.timestep = 0.001
>>> difference = model.diff(other)[0]
>>> difference.name, difference.a, difference.b
('opt.timestep', 0.002, 0.001)
)")
      .def_ro("name", &FieldDifference::name, "such as 'nbody', 'opt.timestep' or 'body_mass'")
      .def_prop_ro(
          "index",
          [](const FieldDifference& d) -> nb::object {
            if (d.index < 0) return nb::none();
            if (d.columns <= 1) return nb::make_tuple(d.index);
            return nb::make_tuple(d.index / d.columns, d.index % d.columns);
          },
          nb::sig("def index(self) -> tuple[int, ...] | None"),
          "index of the largest difference in the array; None for a single number")
      .def_ro("a", &FieldDifference::a, "the number in the first model; its length where the lengths differ")
      .def_ro("b", &FieldDifference::b, "the number in the second model")
      .def_ro("difference", &FieldDifference::difference, "|a - b| / max(1, |a|, |b|); infinite for lengths and NaN")
      .def_ro("count", &FieldDifference::count, "how many numbers differ; 0 where the lengths do")
      .def("__str__", [](const FieldDifference& d) { return to_string(d); })
      .def("__repr__", [](const FieldDifference& d) { return "<FieldDifference " + to_string(d) + ">"; });
  cls.def(
      "diff",
      [](const ModelObject& self, const ModelObject& other) { return find_differences(*self.model, *other.model); },
      "other"_a,
      R"(The sizes, settings and arrays that differ from those of another model, the largest difference first.

Each entry has the index of its largest difference; the list is empty if the models are equal to the bit.

>>> other = torsor.Model.from_bytes(model.to_bytes())
>>> other.body_mass[2] *= 2
>>> [difference.name for difference in model.diff(other)]
['body_mass']
>>> model.diff(other)[0].index
(2,)
)");
}

void bind_names(nb::class_<ModelObject>& cls) {
  using namespace nb::literals;
  cls.def(
      "name2id",
      [](const ModelObject& self, int type, std::string_view name) {
        return self.model->find(object_type(type), name);
      },
      "type"_a, "name"_a, R"(The id of an object, given its ObjectType and name; -1 if there is none.

>>> model.name2id(torsor.ObjectType.BODY, "lower")
2
)");
  cls.def("id2name", &id_to_name, "type"_a, "id"_a, nb::sig("def id2name(self, type: int, id: int) -> str | None"),
          R"(The name of an object, None if it has none.

>>> model.id2name(torsor.ObjectType.JOINT, 0)
'shoulder'
)");
  cls.def_prop_ro(
      "name", [](const ModelObject& self) { return std::string(self.model->name()); }, "name of the model");
}

void bind_rest(nb::class_<ModelObject>& cls) {
  cls.def_prop_ro(
      "opt", [](const ModelObject& self) { return Settings<OptionBlock>(self.model); }, "physics options");
  cls.def_prop_ro(
      "stat", [](const ModelObject& self) { return Settings<StatisticBlock>(self.model); },
      "statistics, used as scales");
  cls.def_prop_ro(
      "vis", [](const ModelObject& self) { return Settings<VisualBlock>(self.model); }, "settings for rendering");
  cls.def_prop_ro(
      "signature", [](const ModelObject& self) { return self.model->signature; },
      "hash of the structure; a Data fits all models with the same signature");
  cls.def_prop_ro(
      "warnings", [](const ModelObject& self) { return self.model->warnings; },
      "warnings of the compiler: a list of Diagnostic");
  cls.def_prop_ro(
      "memory", [](const ModelObject& self) { return self.model->memory; },
      "bytes requested by `size memory`, -1 if not specified");
  cls.def_prop_ro(
      "world_axes", [](const ModelObject& self) { return axes_text(self.model->axes.world); },
      "axes of the world in terms of x forward, y left, z up: 'x y z' or such as 'x -y -z' after loading with "
      "axes='ned'");
  cls.def_prop_ro(
      "body_axes", [](const ModelObject& self) { return axes_text(self.model->axes.body); },
      "axes of the frames of bodies, in the same terms; loading with axes= leaves them as the file has them");
  cls.def_prop_ro(
      "nbuffer", [](const ModelObject& self) { return self.model->bytes(); }, "total size of all arrays, in bytes");
  cls.def("__repr__", [](const ModelObject& self) {
    const Model& model = *self.model;
    return fmt::format("<Model '{}': nbody {}, nq {}, nv {}>", model.name(), model.nbody, model.nq, model.nv);
  });
}

}  // namespace

void bind_model(nb::module_& m) {
  nb::class_<ModelObject> cls(m, "Model", R"(A compiled model: sizes, arrays and options that do not change with time.

Arrays are NumPy views of the engine's memory. Those that fix the structure are read-only; others may be edited between
steps. Assigning to an attribute copies into the array.

>>> model = torsor.Model.from_xml_path(path)
>>> model.nbody, model.nv
(3, 2)
>>> model.body_mass[1] = 2.5
)");
  bind_loading(cls);
  bind_difference(m, cls);
  bind_names(cls);
  bind_rest(cls);
  bind_textures(cls);
  for (const SizeRow& row : size_rows()) {
    cls.def_prop_ro(
        row.name, [member = row.member](const ModelObject& self) { return (*self.model).*member; }, row.meaning);
  }
  for (const FlagRow& row : flag_rows()) {
    cls.def_prop_ro(
        row.name, [member = row.member](const ModelObject& self) { return (*self.model).*member; }, row.meaning);
  }
  add_field_attributes<Model>(cls);
  using namespace nb::literals;
  m.def(
      "set_const",
      [](ModelObject& model) {
        check_editable(*model.model);
        set_const(*model.model);
      },
      "model"_a,
      R"(Recompute derived values of the model after editing masses, sizes or poses.

>>> model.body_mass[2] += 1
>>> torsor.set_const(model)
>>> bool(model.body_subtreemass[0] == model.body_mass.sum())
True
)");
}

}  // namespace torsor::python
