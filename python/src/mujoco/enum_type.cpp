// The metaclass of torsor.mujoco's enums. Before Python 3.12, enum.EnumType has a __getattr__, and finding even a
// member that lies in the class goes through Python's slow path for it. This one finds members as any class finds its
// attributes.
#include "mj_objects.hpp"

namespace torsor::python::mj {

void bind_enum_type(nb::module_& m) {
  const nb::object enum_type = nb::module_::import_("enum").attr("EnumType");
  PyType_Slot slots[] = {{Py_tp_getattro, reinterpret_cast<void*>(PyType_Type.tp_getattro)}, {0, nullptr}};
  PyType_Spec spec = {"torsor.mujoco._EnumType", 0, 0, Py_TPFLAGS_DEFAULT | Py_TPFLAGS_BASETYPE, slots};
  m.attr("_EnumType") = nb::steal(PyType_FromSpecWithBases(&spec, nb::make_tuple(enum_type).ptr()));
}

}  // namespace torsor::python::mj
