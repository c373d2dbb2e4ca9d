// model.body("torso"), data.joint("knee"): one object per element, the same every time, whose attributes are views of
// its numbers. A view is made when it is first asked for and then kept in the object's dictionary, where Python finds
// it by itself. Elements share ownership of the numbers, not of the MjModel or MjData, which own them: no cycles.
#include "../elements.hpp"

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "../describe.hpp"
#include "../text.hpp"
#include "mj_objects.hpp"
#include "torsor/core/error.hpp"

namespace torsor::python::mj {
namespace {

constexpr size_t kKindCount = std::size(kKinds);

// What the elements of one kind have in common.
struct ElementTable {
  const ElementKind* kind = nullptr;
  bool of_model = false;
  std::vector<ElementAttribute> attributes;
  // Owned by the module, so that they end with it.
  nb::handle index;  // a dictionary from the name of an attribute to its place in `attributes`
  nb::handle type;   // the Python class
  std::vector<std::string> names;
};

ElementTable (*tables)[kKindCount] = nullptr;  // [0] of models, [1] of data; kept until the process ends

struct ElementObject {
  const ElementTable* table;
  int id;
  std::shared_ptr<Model> model;
  std::shared_ptr<GatedData> data;      // null for an element of a model
  std::shared_ptr<ModelObject*> owner;  // of an element of a model; null inside once that is gone
};

nb::object make_attribute(const ElementObject& self, const ElementAttribute& attribute) {
  const RowRange range = attribute.range(*self.model, self.id);
  if (self.data) {
    const FieldRow& row = rows_of<Data>()[attribute.field];
    return part_of(make_field_view<Data>(*self.data, attribute.field, make_keeper(self.data)), range, row.is_matrix());
  }
  const FieldRow& row = rows_of<Model>()[attribute.field];
  if (row.is_writable_whole() && *self.owner) (*self.owner)->may_be_unsound = true;
  return part_of(make_field_view<Model>(*self.model, attribute.field, make_keeper(self.model)), range, row.is_matrix());
}

// Read-only, since it is a copy.
nb::object moment_of(const ElementObject& self) {
  nb::object moment = dense_moment(*self.model, *self.data, self.id);
  moment.attr("flags").attr("writeable") = false;
  return moment;
}

// The orientation of an element as a quaternion, of a matrix in the data.
nb::object quaternion_of(const ElementObject& self, const Field<double>& matrices) {
  Mat3<double> R;
  std::copy_n(matrices.data() + 9 * self.id, 9, R.m);
  const Quat<double> q = from_mat(R);
  nb::object quat = make_array({q.w, q.x, q.y, q.z});
  quat.attr("flags").attr("writeable") = false;
  return quat;
}

nb::object special_of_data(const ElementObject& self, std::string_view name) {
  const ObjectType type = self.table->kind->type;
  if (type == ObjectType::kActuator && name == "moment") return moment_of(self);
  if (type == ObjectType::kBody && name == "xiquat") return quaternion_of(self, self.data->ximat);
  if (type == ObjectType::kGeom && name == "xquat") return quaternion_of(self, self.data->geom_xmat);
  if (type == ObjectType::kSite && name == "xquat") return quaternion_of(self, self.data->site_xmat);
  return {};
}

// The part of an array of textures, which the Python class has computed; pixels in rows.
nb::object attribute_of_texture(const ElementObject& self, std::string_view name) {
  if (!*self.owner) return {};
  const nb::object model = nb::find(*static_cast<MjModelObject*>(*self.owner));
  const std::string field = fmt::format("tex_{}", name);
  if (!model.is_valid() || !nb::hasattr(model, field.c_str())) return {};
  const nb::object array = model.attr(field.c_str());
  if (name != "data") return array[nb::slice(self.id, self.id + 1)];
  const auto number = [&](const char* of) { return nb::cast<Py_ssize_t>(model.attr(of)[self.id].attr("item")()); };
  const Py_ssize_t start = number("tex_adr"), width = number("tex_width"), height = number("tex_height"),
                   channels = number("tex_nchannel");
  return array[nb::slice(start, start + width * height * channels)].attr("reshape")(height, width, channels);
}

// MuJoCo 4.0 has most attributes of tendons with an underscore in front.
nb::object hidden_attribute(const ElementObject& self, std::string_view name) {
  PyObject* place = PyDict_GetItemWithError(self.table->index.ptr(), nb::str(name.data(), name.size()).ptr());
  return place ? make_attribute(self, self.table->attributes[nb::cast<size_t>(nb::handle(place))]) : nb::object();
}

// Attributes whose shape is not that of their field; invalid if the name is none of them.
nb::object special_attribute(const ElementObject& self, std::string_view name) {
  const ObjectType type = self.table->kind->type;
  if (self.data) return special_of_data(self, name);
  const Model& model = *self.model;
  if (type == ObjectType::kTendon && name == "J_colind")
    return make_view(model.ten_J_colind.data() + model.ten_J_rowadr[self.id],
                     {static_cast<size_t>(model.ten_J_rownnz[self.id])}, false, make_keeper(self.model));
  if (type == ObjectType::kTexture) return attribute_of_texture(self, name);
  if (type == ObjectType::kTendon && name.starts_with('_')) return hidden_attribute(self, name.substr(1));
  if (name != "data") return {};
  if (type == ObjectType::kText) return nb::bytes(model.text_data.data() + model.text_adr[self.id]);
  if (type != ObjectType::kHfield) return {};
  const Shape shape{static_cast<size_t>(model.hfield_nrow[self.id]), static_cast<size_t>(model.hfield_ncol[self.id])};
  return make_view(model.hfield_data.data() + model.hfield_adr[self.id], shape, true, make_keeper(self.model));
}

// Called for names that are not in the object's dictionary yet.
nb::object get_attribute(nb::handle self, nb::str name) {
  const ElementObject& element = *nb::inst_ptr<ElementObject>(self);
  PyObject* place = PyDict_GetItemWithError(element.table->index.ptr(), name.ptr());
  if (!place) {
    nb::object special = special_attribute(element, name.c_str());
    if (special.is_valid()) return special;
    throw nb::attribute_error(
        fmt::format("'{}' object has no attribute '{}'", Py_TYPE(self.ptr())->tp_name, name.c_str()).c_str());
  }
  nb::object view = make_attribute(element, element.table->attributes[nb::cast<size_t>(nb::handle(place))]);
  if (PyObject_GenericSetAttr(self.ptr(), name.ptr(), view.ptr()) != 0) throw nb::python_error();
  return view;
}

void set_attribute(nb::handle self, nb::str name, nb::handle value) {
  const ElementObject& element = *nb::inst_ptr<ElementObject>(self);
  const bool is_known = PyDict_Contains(element.table->index.ptr(), name.ptr()) == 1;
  if (!is_known && !special_attribute(element, name.c_str()).is_valid())
    throw nb::attribute_error(
        fmt::format("'{}' object has no attribute '{}'", Py_TYPE(self.ptr())->tp_name, name.c_str()).c_str());
  assign(nb::getattr(self, name), value);
}

std::vector<std::string> names_of(const Model& model, ObjectType type) {
  std::vector<std::string> names;
  for (int i = 0; i < model.count(type); ++i) {
    const std::string_view name = model.name(type, i);
    if (!name.empty()) names.push_back(fmt::format("'{}'", name));
  }
  std::sort(names.begin(), names.end());
  return names;
}

// The id of an element by name or index, with the errors of MuJoCo's module.
int find_id(const Model& model, ObjectType type, nb::handle which) {
  if (PyUnicode_Check(which.ptr())) {
    Py_ssize_t size = 0;
    const char* name = PyUnicode_AsUTF8AndSize(which.ptr(), &size);
    if (!name) throw nb::python_error();
    const int id = size == 0 ? -1 : model.find(type, std::string_view(name, static_cast<size_t>(size)));
    if (id >= 0) return id;
    throw nb::key_error(
        to_utf8(fmt::format("Invalid name '{}'. Valid names: [{}]", name, fmt::join(names_of(model, type), ", ")))
            .c_str());
  }
  if (!PyIndex_Check(which.ptr())) throw nb::type_error("expected a name or an index");
  const Py_ssize_t id = PyNumber_AsSsize_t(which.ptr(), nullptr);
  if (id == -1 && PyErr_Occurred()) throw nb::python_error();
  if (id < 0 || id >= model.count(type))
    throw nb::index_error(
        fmt::format("Invalid index {}. Valid indices from 0 to {}", id, model.count(type) - 1).c_str());
  return static_cast<int>(id);
}

nb::object make_element(const ElementTable& table, ElementObject&& element) {
  nb::object object = nb::inst_alloc(table.type);
  new (nb::inst_ptr<ElementObject>(object)) ElementObject(std::move(element));
  nb::inst_mark_ready(object);
  return object;
}

ElementObject describe_element(MjModelObject& self, const ElementTable& table, int id) {
  if (!self.link) self.link = std::make_shared<ModelObject*>(&self);
  return {&table, id, self.model, nullptr, self.link};
}
ElementObject describe_element(const MjDataObject& self, const ElementTable& table, int id) {
  return {&table, id, self.model_object().model, self.data, nullptr};
}
const Model& model_of(const MjModelObject& self) { return *self.model; }
const Model& model_of(const MjDataObject& self) { return *self.model_object().model; }

// Found by its key in a dictionary: names and numbers both lead to the one object.
template <class Object>
nb::object find(Object& self, size_t kind, nb::handle which) {
  if (self.elements.empty()) self.elements.resize(kKindCount);
  nb::object& known = self.elements[kind];
  if (!known.is_valid()) known = nb::dict();
  if (PyFloat_Check(which.ptr())) throw nb::type_error("expected a name or an index");
  if (PyObject* found = PyDict_GetItemWithError(known.ptr(), which.ptr())) return nb::borrow(found);
  if (PyErr_Occurred()) throw nb::python_error();
  const ElementTable& table = tables[std::is_same_v<Object, MjDataObject>][kind];
  const int id = find_id(model_of(self), table.kind->type, which);
  const nb::object number = nb::int_(id);
  PyObject* found = PyDict_GetItemWithError(known.ptr(), number.ptr());
  const nb::object element = found ? nb::borrow(found) : make_element(table, describe_element(self, table, id));
  if (PyDict_SetItem(known.ptr(), number.ptr(), element.ptr()) != 0) throw nb::python_error();
  if (PyUnicode_Check(which.ptr()) && PyDict_SetItem(known.ptr(), which.ptr(), element.ptr()) != 0)
    throw nb::python_error();
  return element;
}

void make_table(nb::module_& m, ElementTable& table, size_t kind, bool of_model, nb::handle base) {
  table.kind = &kKinds[kind];
  table.of_model = of_model;
  table.attributes = of_model ? element_attributes(table.kind->model_rules, rows_of<Model>())
                              : element_attributes(table.kind->data_rules, rows_of<Data>());
  nb::dict index;
  for (size_t i = 0; i < table.attributes.size(); ++i) {
    std::string& name = table.attributes[i].name;
    if (name == "dof_bodyid") name = "bodyid";  // as in MuJoCo: of a joint, one per dof
    index[name.c_str()] = i;
    table.names.push_back(name);
  }
  std::sort(table.names.begin(), table.names.end());
  table.names.erase(std::unique(table.names.begin(), table.names.end()), table.names.end());
  nb::dict members;
  members["__module__"] = "torsor.mujoco";
  members["_index"] = index;
  table.index = index;
  const std::string class_name = fmt::format("_Mj{}{}Views", of_model ? "Model" : "Data", table.kind->class_name);
  const nb::object type =
      nb::borrow(reinterpret_cast<PyObject*>(&PyType_Type))(class_name.c_str(), nb::make_tuple(base), members);
  m.attr(class_name.c_str()) = type;
  table.type = type;
}

template <class Object>
void add_finders(nb::handle cls, bool of_model) {
  nb::class_<Object> owner(nb::borrow<nb::class_<Object>>(cls));
  for (size_t kind = 0; kind < kKindCount; ++kind) {
    if (!of_model && kKinds[kind].data_rules.empty()) continue;
    for (const char* name : kKinds[kind].names) {
      if (!name) continue;
      owner.def(
          name, [kind](Object& self, nb::handle which) { return find(self, kind, which); }, nb::arg("name") = "",
          keep_text(fmt::format("One {} by its name or index: the same object every time.", kKinds[kind].names[0])));
    }
  }
}

}  // namespace

void bind_mj_elements(nb::module_& m) {
  nb::class_<ElementObject> base(m, "_ElementViews", nb::dynamic_attr(), "Numbers of one element, as views.");
  base.def_ro("id", &ElementObject::id);
  base.def_prop_ro("name",
                   [](const ElementObject& self) { return to_str(self.model->name(self.table->kind->type, self.id)); });
  base.def("__getattr__", &get_attribute);
  base.def("__setattr__", &set_attribute, nb::arg("name"), nb::arg("value").none());
  base.def("__dir__", [](const ElementObject& self) {
    nb::list names;
    for (const std::string& name : self.table->names) names.append(nb::str(name.c_str()));
    names.append("id"), names.append("name");
    return names;
  });
  base.def("__repr__", [](nb::handle self) {
    std::vector<std::string> names = nb::inst_ptr<ElementObject>(self)->table->names;
    names.insert(names.begin(), {"id", "name"});
    return describe(self, names);
  });
  tables = new ElementTable[2][kKindCount];
  for (size_t kind = 0; kind < kKindCount; ++kind) {
    make_table(m, tables[0][kind], kind, true, base);
    make_table(m, tables[1][kind], kind, false, base);
  }
  add_finders<MjModelObject>(m.attr("MjModel"), true);
  add_finders<MjDataObject>(m.attr("MjData"), false);
}

}  // namespace torsor::python::mj
