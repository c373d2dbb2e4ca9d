// Common Python attributes of the contacts of Newton and SAP: arrays that are read as copies and assigned as a whole.
#pragma once

#include <algorithm>
#include <string>
#include <type_traits>
#include <vector>

#include <nanobind/stl/vector.h>

#include "arrays.hpp"
#include "objects.hpp"
#include "torsor/bridge/kept_contacts.hpp"

namespace torsor::python {

// A new array.
template <class T>
nb::object make_numpy(const std::vector<T>& values, const Shape& shape) {
  nb::object numpy = nb::module_::import_("numpy");
  nb::object array =
      numpy.attr("array")(nb::cast(values), nb::arg("dtype") = std::is_same_v<T, int> ? "int32" : "float64");
  nb::list sizes;
  for (const size_t size : shape) sizes.append(size);
  return array.attr("reshape")(nb::tuple(sizes));
}

inline Shape shape_of_contacts(const KeptContacts& contacts, size_t width) {
  const size_t count = static_cast<size_t>(contacts.count);
  return width == 1 ? Shape{count} : Shape{count, width};
}

// Converts an array before it is returned.
using Dress = nb::object (*)(const nb::object&);
inline nb::object as_it_is(const nb::object& array) { return array; }

// The signature of the getter of an array, for type checkers.
template <class T>
nb::sig array_getter(const std::string& name, Dress dress) {
  const char* type = dress != as_it_is        ? "torsor.newton._array.Array"
                     : std::is_same_v<T, int> ? "numpy.typing.NDArray[numpy.int32]"
                                              : "numpy.typing.NDArray[numpy.float64]";
  return nb::sig(keep_text("def " + name + "(self) -> " + type));
}

// A copy that cannot be written: an edit in place raises an error instead of being lost.
template <class T>
nb::object copy_contacts(const std::vector<T>& values, const Shape& shape, Dress dress) {
  nb::object array = make_numpy(values, shape);
  array.attr("flags").attr("writeable") = false;
  return dress(array);
}

// One number of each contact.
template <class Class, class T>
void bind_contact_list(nb::class_<Class>& cls, const std::string& name, std::vector<T> Class::*member, Dress dress,
                       const char* doc) {
  cls.def_prop_ro(
      name.c_str(),
      [member, dress](const Class& self) { return copy_contacts(self.*member, shape_of_contacts(self, 1), dress); },
      doc, array_getter<T>(name, dress));
}

// Three numbers of each contact, which may be set.
template <class Class>
void bind_contact_vectors(nb::class_<Class>& cls, const std::string& name, std::vector<double> Class::*member,
                          Dress dress, const char* doc) {
  cls.def_prop_rw(
      name.c_str(),
      [member, dress](const Class& self) { return copy_contacts(self.*member, shape_of_contacts(self, 3), dress); },
      [member, name](Class& self, const ArrayLike& values) {
        const Input input(name.c_str(), values, shape_of_contacts(self, 3));
        std::copy_n(input.data(), (self.*member).size(), (self.*member).begin());
      },
      doc, nb::for_getter(array_getter<double>(name, dress)));
}

template <class Class>
void bind_kept_contacts(nb::class_<Class>& cls, const std::string& prefix, Dress dress) {
  cls.def_ro((prefix + "count").c_str(), &Class::count, "The number of contact points.");
  cls.def("clear", &Class::clear, R"(Remove all contacts.

>>> contacts.clear()
)");
  bind_contact_vectors<Class>(cls, prefix + "point0", &Class::point0, dress,
                              "The point on the first shape, in the frame of its body.");
  bind_contact_vectors<Class>(cls, prefix + "point1", &Class::point1, dress,
                              "The point on the second shape, in the frame of its body.");
  bind_contact_vectors<Class>(cls, prefix + "normal", &Class::normal, dress,
                              "Unit vector from the first shape to the second.");
  bind_contact_list<Class, double>(cls, prefix + "distance", &Class::distance, dress,
                                   "Distance between the surfaces when detected; negative in penetration.");
}

}  // namespace torsor::python
