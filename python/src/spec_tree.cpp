// A Spec as a tree of Python values, and back: what torsor.Spec and torsor.mujoco.MjSpec edit.
#include <nanobind/nanobind.h>

#include "bindings.hpp"
#include "objects.hpp"
#include "settings.hpp"
#include "spec_fields.hpp"
#include "torsor/load/load.hpp"

namespace torsor::python {
namespace {

using namespace nb::literals;
using spec::from_dict;
using spec::from_python;
using spec::to_dict;
using spec::to_python;

// The parts of a Spec that are lists of elements, by name.
template <class S, class F>
void for_each_list(S& spec, F&& f) {
  f("meshes", spec.meshes);
  f("hfields", spec.hfields);
  f("skins", spec.skins);
  f("textures", spec.textures);
  f("materials", spec.materials);
  f("pairs", spec.pairs);
  f("excludes", spec.excludes);
  f("equalities", spec.equalities);
  f("actuators", spec.actuators);
  f("tendons", spec.tendons);
  f("sensors", spec.sensors);
  f("numerics", spec.numerics);
  f("texts", spec.texts);
  f("tuples", spec.tuples);
  f("keys", spec.keys);
}

// The parts of a body.
template <class B, class F>
void for_each_part(B& body, F&& f) {
  f("frames", body.frames);
  f("joints", body.joints);
  f("geoms", body.geoms);
  f("sites", body.sites);
  f("cameras", body.cameras);
  f("lights", body.lights);
}

// The prototypes of a default class.
template <class D, class F>
void for_each_prototype(D& values, F&& f) {
  f("joint", values.joint);
  f("geom", values.geom);
  f("site", values.site);
  f("camera", values.camera);
  f("light", values.light);
  f("mesh", values.mesh);
  f("texture", values.texture);
  f("material", values.material);
  f("tendon", values.tendon);
  f("actuator", values.actuator);
  f("pair", values.pair);
  f("equality", values.equality);
}

nb::dict body_tree(const BodySpec& body) {
  nb::dict out = to_dict(body);
  for_each_part(body, [&](const char* name, const auto& parts) { out[name] = to_python(parts); });
  return out;
}

BodySpec read_body(nb::handle tree) {
  nb::dict values = nb::borrow<nb::dict>(nb::borrow<nb::dict>(tree).attr("copy")());
  BodySpec body;
  for_each_part(body, [&](const char* name, auto& parts) {
    if (!values.contains(name)) return;
    from_python(parts, nb::object(values[name]));
    nb::del(values[name]);
  });
  from_dict(body, values);
  return body;
}

nb::dict class_tree(const DefaultSpec& values) {
  nb::dict out;
  out["name"] = to_str(values.name);
  out["parent"] = values.parent;
  for_each_prototype(values, [&](const char* name, const auto& prototype) { out[name] = to_dict(prototype); });
  return out;
}

DefaultSpec read_class(nb::handle tree) {
  const nb::dict values = nb::borrow<nb::dict>(tree);
  DefaultSpec made;
  made.name = nb::cast<std::string>(values["name"]);
  made.parent = nb::cast<int>(values["parent"]);
  for_each_prototype(made, [&](const char* name, auto& prototype) {
    if (values.contains(name)) from_dict(prototype, nb::object(values[name]));
  });
  return made;
}

// A new block of settings of its own.
template <class Block>
nb::object new_settings() {
  return nb::type<Settings<Block>>()();
}

nb::dict files_of(const Spec& spec) {
  nb::dict out;
  if (!spec.files) return out;
  for (const auto& [name, contents] : *spec.files) out[to_str(name)] = nb::bytes(contents.data(), contents.size());
  return out;
}

std::shared_ptr<const FileSystem> read_files(nb::handle files) {
  auto made = std::make_shared<FileSystem>();
  for (const auto [name, contents] : nb::borrow<nb::dict>(files)) {
    const nb::bytes bytes = nb::cast<nb::bytes>(contents);
    (*made)[nb::cast<std::string>(name)] = std::string(bytes.c_str(), bytes.size());
  }
  return made;
}

nb::dict make_tree(const Spec& spec) {
  nb::dict out;
  out["modelname"] = to_str(spec.modelname);
  out["base_dir"] = to_str(spec.base_dir);
  out["files"] = files_of(spec);
  out["restrict"] = nb::none();
  if (spec.restrict) {
    nb::list folders;
    for (const std::string& folder : *spec.restrict) folders.append(to_str(folder));
    out["restrict"] = folders;
  }
  out["memory_limit"] = spec.memory_limit;
  out["compiler"] = to_dict(spec.compiler);
  out["size"] = to_dict(spec.size);
  out["statistic"] = to_dict(spec.statistic);
  const nb::object option = new_settings<OptionBlock>(), visual = new_settings<VisualBlock>();
  nb::cast<Settings<OptionBlock>&>(option).model->opt = spec.option;
  nb::cast<Settings<VisualBlock>&>(visual).model->vis = spec.visual;
  out["option"] = option;
  out["visual"] = visual;
  nb::list defaults, bodies, warnings;
  for (const DefaultSpec& values : spec.defaults) defaults.append(class_tree(values));
  for (const BodySpec& body : spec.bodies) bodies.append(body_tree(body));
  for (const Diagnostic& each : spec.warnings) warnings.append(nb::cast(each));
  out["defaults"] = defaults;
  out["bodies"] = bodies;
  out["warnings"] = warnings;
  for_each_list(spec, [&](const char* name, const auto& elements) { out[name] = to_python(elements); });
  return out;
}

void read_head(Spec& spec, const nb::dict& tree) {
  spec.modelname = nb::cast<std::string>(tree["modelname"]);
  spec.base_dir = nb::cast<std::string>(tree["base_dir"]);
  spec.files = read_files(tree["files"]);
  if (!nb::object(tree["restrict"]).is_none()) {
    spec.restrict.emplace();
    for (const nb::handle folder : nb::object(tree["restrict"]))
      spec.restrict->push_back(nb::cast<std::string>(folder));
  }
  spec.memory_limit = nb::cast<std::int64_t>(tree["memory_limit"]);
  from_dict(spec.compiler, nb::object(tree["compiler"]));
  from_dict(spec.size, nb::object(tree["size"]));
  from_dict(spec.statistic, nb::object(tree["statistic"]));
  spec.option = nb::cast<Settings<OptionBlock>&>(tree["option"]).model->opt;
  spec.visual = nb::cast<Settings<VisualBlock>&>(tree["visual"]).model->vis;
  for (const nb::handle each : nb::object(tree["warnings"])) spec.warnings.push_back(nb::cast<const Diagnostic&>(each));
}

// Indices that the library relies on: parents come first.
void check_places(const Spec& spec) {
  const auto fail = [](const char* what) { throw nb::value_error(what); };
  if (spec.bodies.empty() || spec.defaults.empty()) fail("a Spec has a world and a main class");
  for (size_t i = 0; i < spec.defaults.size(); ++i) {
    const int parent = spec.defaults[i].parent;
    if (i == 0 ? parent != -1 : parent < 0 || parent >= static_cast<int>(i)) fail("classes come after their parents");
  }
  for (size_t b = 0; b < spec.bodies.size(); ++b) {
    const BodySpec& body = spec.bodies[b];
    if (b == 0 ? body.parent != -1 : body.parent < 0 || body.parent >= static_cast<int>(b))
      fail("bodies come after their parents");
    const auto fits = [](int frame, const BodySpec& owner) {
      return frame >= -1 && frame < static_cast<int>(owner.frames.size());
    };
    if (b > 0 && !fits(body.frame, spec.bodies[static_cast<size_t>(body.parent)])) fail("no such frame");
    for (size_t f = 0; f < body.frames.size(); ++f) {
      const int parent = body.frames[f].parent_frame;
      if (parent < -1 || parent >= static_cast<int>(f)) fail("frames come after their parents");
    }
    for_each_part(body, [&](const char*, const auto& parts) {
      for (const auto& part : parts) {
        if constexpr (requires { part.frame; }) {
          if (!fits(part.frame, body)) fail("no such frame");
        }
      }
    });
  }
}

Spec read_tree(const nb::dict& tree) {
  Spec spec;
  read_head(spec, tree);
  spec.defaults.clear();
  for (const nb::handle each : nb::object(tree["defaults"])) spec.defaults.push_back(read_class(each));
  spec.bodies.clear();
  for (const nb::handle each : nb::object(tree["bodies"])) spec.bodies.push_back(read_body(each));
  for_each_list(spec, [&](const char* name, auto& elements) {
    if (tree.contains(name)) from_python(elements, nb::object(tree[name]));
  });
  check_places(spec);
  return spec;
}

// [name, type, default] of every field, by kind of element.
template <class T>
nb::list describe_fields(const T& standard) {
  nb::list out;
  for (const spec::Field<T>& row : spec::Fields<T>::rows)
    out.append(nb::make_tuple(row.name, row.type(), row.get(standard)));
  return out;
}

nb::dict list_fields() {
  nb::dict out;
  const DefaultSpec values;
  for_each_prototype(values, [&](const char* name, const auto& standard) { out[name] = describe_fields(standard); });
  out["body"] = describe_fields(BodySpec{});
  out["inertial"] = describe_fields(InertialSpec{});
  out["frame"] = describe_fields(FrameSpec{});
  out["hfield"] = describe_fields(HfieldSpec{});
  out["skin"] = describe_fields(SkinSpec{});
  out["exclude"] = describe_fields(ExcludeSpec{});
  out["sensor"] = describe_fields(SensorSpec{});
  out["numeric"] = describe_fields(NumericSpec{});
  out["text"] = describe_fields(TextSpec{});
  out["tuple"] = describe_fields(TupleSpec{});
  out["key"] = describe_fields(KeySpec{});
  out["wrap"] = describe_fields(WrapSpec{});
  out["compiler"] = describe_fields(CompilerSpec{});
  out["lengthrange"] = describe_fields(LengthRangeSpec{});
  out["size"] = describe_fields(SizeSpec{});
  out["statistic"] = describe_fields(StatisticSpec{});
  return out;
}

}  // namespace

void bind_spec_tree(nb::module_& m) {
  auto cls = nb::borrow<nb::class_<Spec>>(m.attr("_Spec"));
  cls.def("tree", &make_tree, "All values, as dictionaries and lists.");
  cls.def_static("from_tree", &read_tree, "tree"_a, "The Spec with these values.");
  m.def("_spec_fields", &list_fields, "Name, type and default of every field of a Spec's elements, by kind.");
}

}  // namespace torsor::python
