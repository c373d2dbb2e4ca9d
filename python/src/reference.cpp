// Lists of fields of Model and Data, elements and attributes of MJCF, and instruction sets.
#include <tuple>

#include <nanobind/stl/map.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/vector.h>

#include <fmt/format.h>

#include "bindings.hpp"
#include "field_table.hpp"
#include "text.hpp"
#include "torsor/dynamics/dispatch.hpp"
#include "torsor/format/mjcf/schema.hpp"
#include "torsor/model/value_range.hpp"

namespace torsor::python {
namespace {

using namespace nb::literals;

// One row of the reference page.
struct Described {
  std::string name;
  std::vector<std::string> shape;  // symbolic: {"nbody", "3"}; empty for one number
  std::string dtype, unit, stage, access, meaning;
  std::string values = {};  // allowed values of integers, in words
};

Described describe_field(const FieldRow& row) {
  std::vector<std::string> shape{std::string(row.rows)};
  if (row.is_matrix()) shape.emplace_back(row.columns);
  const std::string dtype = row.is_text() ? "bytes" : std::string(numpy_type(row)).substr(sizeof("numpy.") - 1);
  const std::string values = row.values.empty() || row.values == "Flag" ? "" : describe_rule(row.values);
  return {std::string(row.name),   shape,       dtype, row.unit, stage_name(row.stage),
          access_name(row.access), row.meaning, values};
}

std::vector<Described> fields(const std::string& kind) {
  std::vector<Described> rows;
  if (kind == "model") {
    for (const SizeRow& size : size_rows())
      rows.push_back(
          {size.name, {}, "int", "", stage_name(Stage::kModel), access_name(Access::kStructural), size.meaning});
    for (const FlagRow& flag : flag_rows())
      rows.push_back(
          {flag.name, {}, "bool", "", stage_name(Stage::kModel), access_name(Access::kDerived), flag.meaning});
    for (const FieldRow& row : model_rows()) rows.push_back(describe_field(row));
  } else if (kind == "data") {
    rows.push_back({"time", {}, "float", "s", stage_name(Stage::kState), access_name(Access::kFree), "simulated time"});
    rows.push_back({"energy",
                    {"2"},
                    "float64",
                    "J",
                    stage_name(Stage::kVelocity),
                    access_name(Access::kFree),
                    "potential and kinetic energy"});
    for (const FieldRow& row : data_rows()) rows.push_back(describe_field(row));
  } else if (kind == "rows") {
    for (const FieldRow& row : constraint_rows()) rows.push_back(describe_field(row));
  } else {
    throw nb::value_error(fmt::format("kind must be 'model' or 'data', or 'rows', got '{}'", kind).c_str());
  }
  return rows;
}

std::vector<std::string> field_names(const std::string& kind) {
  std::vector<std::string> names;
  for (const Described& row : fields(kind)) names.push_back(row.name);
  return names;
}

void bind_fields(nb::module_& m) {
  nb::class_<Described>(m, "FieldInfo", R"(The description of a field: name, shape, type, unit, meaning. See fields().

>>> [field.meaning for field in torsor.fields("data") if field.name == "xpos"]
['p_WoBo_W, body origin']
)")
      .def_ro("name", &Described::name, "name of the attribute")
      .def_prop_ro(
          "shape", [](const Described& self) { return nb::tuple(nb::cast(self.shape)); },
          nb::sig("def shape(self) -> tuple[str, ...]"), "as in ('nbody', '3'), in sizes of the model")
      .def_ro("dtype", &Described::dtype, "type of an element")
      .def_ro("unit", &Described::unit, "unit, '' if there is none; several for translations | rotations")
      .def_ro("stage", &Described::stage,
              "stage that computes it: model, state, input, position, velocity or acceleration")
      .def_ro("access", &Described::access, "structural (read-only), derived (set_const refreshes it) or free")
      .def_ro("values", &Described::values, "allowed values of integers, such as '0 to nbody - 1'; '' for others")
      .def_ro("meaning", &Described::meaning, "what it is, with frame and reference point")
      .def("__repr__", [](const Described& self) { return fmt::format("<FieldInfo {}>", self.name); });
  m.def("fields", &fields, "kind"_a,
        R"(All fields of 'model', 'data', or constraint 'rows' in a Data, with their meaning.

>>> torsor.fields("data")[2].name, torsor.fields("data")[2].shape
('qpos', ('nq',))
>>> [field.values for field in torsor.fields("model") if field.name == "geom_condim"]
['1, 3, 4 or 6']
)");
  m.def("field_names", &field_names, "kind"_a, R"(Names of all fields of 'model' or 'data'.

>>> "qpos" in torsor.field_names("data")
True
)");
}

const SchemaElement* find_element(const std::vector<SchemaElement>& elements, const std::string& path) {
  for (const SchemaElement& element : elements) {
    if (element.path == path) return &element;
  }
  return nullptr;
}

std::string schema_status(const std::string& path, const std::optional<std::string>& attribute) {
  const std::vector<SchemaElement> elements = mjcf_schema();
  const SchemaElement* element = find_element(elements, path);
  if (!element) return "unknown";
  const char* status = element->supported ? "supported" : "refused";
  if (!attribute) return status;
  for (const SchemaAttribute& known : element->attributes) {
    if (known.name == *attribute) return status;
  }
  return element->supported ? "unknown" : "refused";
}

std::map<std::string, std::vector<std::string>> schema() {
  std::map<std::string, std::vector<std::string>> paths;
  for (const SchemaElement& element : mjcf_schema()) {
    std::vector<std::string>& names = paths[element.path];
    for (const SchemaAttribute& attribute : element.attributes) names.push_back(attribute.name);
  }
  return paths;
}

void bind_schema(nb::module_& m) {
  nb::class_<SchemaAttribute>(m, "SchemaAttribute", R"(An attribute of an MJCF element; see schema_elements().

>>> torsor.schema_elements()[0].attributes[0].name
'model'
)")
      .def_ro("name", &SchemaAttribute::name, "as written in the file")
      .def_ro("unit", &SchemaAttribute::unit, "unit, '' if there is none")
      .def_ro("meaning", &SchemaAttribute::meaning, "what it is")
      .def("__repr__", [](const SchemaAttribute& self) { return fmt::format("<SchemaAttribute {}>", self.name); });
  nb::class_<SchemaElement>(m, "SchemaElement", R"(An element of MJCF; see schema_elements().

>>> [element.supported for element in torsor.schema_elements() if element.path == "mujoco/worldbody/body/joint"]
[True]
)")
      .def_ro("path", &SchemaElement::path, "as in 'mujoco/asset/mesh'")
      .def_ro("supported", &SchemaElement::supported, "False if it is refused, with all its children")
      .def_ro("section", &SchemaElement::section, "entry of `ignore` that leaves it out, '' if there is none")
      .def_ro("attributes", &SchemaElement::attributes, "all attributes")
      .def("__repr__", [](const SchemaElement& self) { return fmt::format("<SchemaElement {}>", self.path); });
  m.def("schema_elements", &mjcf_schema, R"(Every element of MJCF, supported or refused.

>>> torsor.schema_elements()[0].path
'mujoco'
)");
  m.def("schema", &schema, R"(Names of the attributes of every element of MJCF that Torsor knows, by path.

>>> "mass" in torsor.schema()["mujoco/worldbody/body/geom"]
True
)");
  m.def("schema_status", &schema_status, "path"_a, "attribute"_a = nb::none(),
        R"(Whether an element, or an attribute of it, is 'supported', 'refused' (by name) or 'unknown'.

>>> torsor.schema_status("mujoco/worldbody/body/joint", "damping")
'supported'
)");
}

void bind_instruction_sets(nb::module_& m) {
  m.def(
      "isa", [] { return kernels().name; }, R"(The instruction set that the engine uses.

>>> torsor.isa() in torsor.available_isas()
True
)");
  m.def(
      "available_isas",
      [] {
        std::vector<std::string> names;
        for (const KernelSet& set : available_kernels()) names.emplace_back(set.name);
        return names;
      },
      R"(The instruction sets that this machine can run, the best last.

>>> torsor.available_isas()[0]
'baseline'
)");
  m.def("use_isa", &use_kernels, "name"_a, R"(Use the named instruction set from now on.

>>> torsor.use_isa(torsor.available_isas()[-1])
)");
}

}  // namespace

void bind_reference(nb::module_& m) {
  bind_fields(m);
  bind_schema(m);
  bind_instruction_sets(m);
}

}  // namespace torsor::python
