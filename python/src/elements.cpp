// model.body("torso").mass, data.joint("knee").qpos: one element of a model by name or index, its values as attributes.
#include "elements.hpp"

#include <fmt/format.h>

#include "bindings.hpp"
#include "describe.hpp"
#include "element_id.hpp"
#include "text.hpp"
#include "torsor/core/error.hpp"

namespace torsor::python {
namespace {

// One element. The owner, a Model or a Data, is kept alive. kind is an index into kKinds.
template <size_t kind, class Object>
struct Element {
  nb::object owner;
  int id;
};

const Model& model_of(const ModelObject& object) { return *object.model; }
const Model& model_of(const DataObject& object) { return *object.model_object().model; }

std::string_view name_of(const Model& model, const ElementKind& kind, int id) { return model.name(kind.type, id); }

template <size_t kind, class Object>
void add_attribute(nb::class_<Element<kind, Object>>& cls, const ElementAttribute& attribute, const FieldRow& row) {
  using Self = Element<kind, Object>;
  const auto get = [index = attribute.field, range = attribute.range, is_matrix = row.is_matrix()](const Self& self) {
    Object& owner = nb::cast<Object&>(self.owner);
    return part_of(owner.field(index), range(model_of(owner), self.id), is_matrix);
  };
  const char* name = keep_text(attribute.name);
  const nb::sig getter(keep_text(fmt::format("def {}(self) -> {}", name, field_type(row))));
  if (!row.is_writable()) {
    cls.def_prop_ro(name, get, row.meaning, getter);
    return;
  }
  const nb::sig setter(keep_text(fmt::format("def {}(self, value: numpy.typing.ArrayLike, /) -> None", name)));
  cls.def_prop_rw(
      name, get, [get](Self& self, nb::handle value) { assign(get(self), value); }, row.meaning, nb::for_getter(getter),
      nb::for_setter(setter));
}

template <size_t kind, class Object>
void add_identity(nb::class_<Element<kind, Object>>& cls, std::vector<std::string> names) {
  using Self = Element<kind, Object>;
  cls.def_ro("id", &Self::id, "index of the element");
  cls.def_prop_ro(
      "name",
      [](const Self& self) {
        return std::string(name_of(model_of(nb::cast<Object&>(self.owner)), kKinds[kind], self.id));
      },
      "name of the element, '' if it has none");
  cls.def("__repr__", [names = std::move(names)](nb::handle self) {
    return describe(self, names,
                    fmt::format("{} {} {}", nb::str(self.type().attr("__name__")).c_str(),
                                nb::cast<int>(self.attr("id")), nb::repr(self.attr("name")).c_str()));
  });
}

// Values whose shape differs from that of their field.
template <size_t kind>
void add_special(nb::class_<Element<kind, ModelObject>>& cls) {
  using Self = Element<kind, ModelObject>;
  if constexpr (kKinds[kind].type == ObjectType::kText) {
    cls.def_prop_ro(
        "data",
        [](const Self& self) {
          const Model& model = model_of(nb::cast<ModelObject&>(self.owner));
          return to_str(model.text_data.data() + model.text_adr[self.id]);
        },
        "the text");
  }
  if constexpr (kKinds[kind].type == ObjectType::kHfield) {
    cls.def_prop_ro(
        "data",
        [](const Self& self) {
          ModelObject& owner = nb::cast<ModelObject&>(self.owner);
          const Model& model = model_of(owner);
          const Shape shape{static_cast<size_t>(model.hfield_nrow[self.id]),
                            static_cast<size_t>(model.hfield_ncol[self.id])};
          return make_view(model.hfield_data.data() + model.hfield_adr[self.id], shape, true, owner.views.keeper());
        },
        "elevations from 0 to 1, by rows");
  }
}

// An orientation that the engine keeps as a matrix only: a row of what Data computes.
template <size_t kind>
void add_quat(nb::class_<Element<kind, DataObject>>& cls, const char* name, const char* source, const char* meaning) {
  cls.def_prop_ro(
      name, [source](const Element<kind, DataObject>& self) { return nb::object(self.owner.attr(source)[self.id]); },
      meaning, nb::sig(keep_text(fmt::format("def {}(self) -> numpy.typing.NDArray[numpy.float64]", name))));
}

template <size_t kind>
void add_special(nb::class_<Element<kind, DataObject>>& cls) {
  if constexpr (kKinds[kind].type == ObjectType::kActuator) {
    cls.def_prop_ro(
        "moment",
        [](const Element<kind, DataObject>& self) {
          const DataObject& owner = nb::cast<DataObject&>(self.owner);
          return dense_moment(model_of(owner), *owner.data, self.id);
        },
        "derivative of length by qvel, of all dofs (a copy)");
  }
  if constexpr (kKinds[kind].type == ObjectType::kBody)
    add_quat<kind>(cls, "xiquat", "xiquat", "R_WI as wxyz (a copy)");
  if constexpr (kKinds[kind].type == ObjectType::kGeom)
    add_quat<kind>(cls, "xquat", "geom_xquat", "R_WG as wxyz (a copy)");
  if constexpr (kKinds[kind].type == ObjectType::kSite)
    add_quat<kind>(cls, "xquat", "site_xquat", "R_WS as wxyz (a copy)");
}

template <size_t kind, class Object, class Owner>
void bind_element(nb::module_& m, nb::class_<Object>& owner_class, const char* prefix) {
  using Self = Element<kind, Object>;
  const ElementKind& description = kKinds[kind];
  const bool of_model = std::is_same_v<Object, ModelObject>;
  const auto rules = of_model ? description.model_rules : description.data_rules;
  const auto attributes = element_attributes(rules, rows_of<Owner>());
  nb::class_<Self> cls(m, keep_text(fmt::format("{}{}", prefix, description.class_name)),
                       keep_text(fmt::format("Values of one {}, as views.", description.names[0])));
  std::vector<std::string> names;
  for (const ElementAttribute& attribute : attributes) {
    add_attribute(cls, attribute, rows_of<Owner>()[attribute.field]);
    names.push_back(attribute.name);
  }
  add_special<kind>(cls);
  add_identity(cls, std::move(names));

  for (const char* name : description.names) {
    if (!name) continue;
    owner_class.def(
        name,
        [](Object& self, int id) {
          checked_id(kKinds[kind].names[0], id, model_of(self).count(kKinds[kind].type));
          return Self{nb::find(self), id};
        },
        nb::arg("id"), keep_text(fmt::format("One {} by its index.", description.names[0])));
    owner_class.def(
        name,
        [](Object& self, const std::string& wanted) {
          return Self{nb::find(self), find_by_name(model_of(self), kKinds[kind].type, wanted)};
        },
        nb::arg("name"), keep_text(fmt::format("One {} by its name.", description.names[0])));
  }
}

template <size_t... kinds>
void bind_all(nb::module_& m, std::index_sequence<kinds...>) {
  nb::class_<ModelObject> model_class(nb::borrow<nb::class_<ModelObject>>(m.attr("Model")));
  nb::class_<DataObject> data_class(nb::borrow<nb::class_<DataObject>>(m.attr("Data")));
  (bind_element<kinds, ModelObject, Model>(m, model_class, "Model"), ...);
  const auto bind_of_data = [&]<size_t kind>() {
    if constexpr (!kKinds[kind].data_rules.empty()) bind_element<kind, DataObject, Data>(m, data_class, "Data");
  };
  (bind_of_data.template operator()<kinds>(), ...);
}

}  // namespace

Array dense_moment(const Model& model, const Data& data, int actuator) {
  const int first = model.actuator_outadr[actuator], count = model.actuator_outnum[actuator];
  const size_t nv = static_cast<size_t>(model.nv);
  const Output dense(count == 1 ? Shape{nv} : Shape{static_cast<size_t>(count), nv});
  for (int row = 0; row < count; ++row) {
    const int start = model.moment_rowadr[first + row];
    for (int k = start; k < start + model.moment_rownnz[first + row]; ++k)
      dense.data()[static_cast<size_t>(row) * nv + static_cast<size_t>(model.moment_colind[k])] =
          data.actuator_moment[k];
  }
  return dense.array();
}

std::vector<ElementAttribute> element_attributes(std::span<const RowRule> rules, std::span<const FieldRow> rows) {
  std::vector<ElementAttribute> attributes;
  const auto is_taken = [&](std::string_view name) {
    return std::any_of(attributes.begin(), attributes.end(), [&](const auto& other) { return other.name == name; });
  };
  for (const RowRule& rule : rules) {
    for (size_t index = 0; index < rows.size(); ++index) {
      const FieldRow& row = rows[index];
      if (row.rows != rule.rows || row.is_text() || !row.name.starts_with(rule.prefix)) continue;
      const std::string_view short_name = row.name.substr(rule.prefix.size());
      attributes.push_back({std::string(is_taken(short_name) ? row.name : short_name), index, rule.range});
    }
  }
  return attributes;
}

void bind_elements(nb::module_& m) { bind_all(m, std::make_index_sequence<std::size(kKinds)>()); }

}  // namespace torsor::python
