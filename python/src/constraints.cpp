// data.contact and data.efc_*: views of the results of the last forward(). Their sizes change from step to step, so the
// views are created on every access. They are read-only: a later step may put other arrays into the memory of an
// earlier view, and the engine trusts the indices in it.
#include "torsor/constraint/constraint.hpp"

#include <algorithm>
#include <tuple>

#include <fmt/format.h>

#include "bindings.hpp"
#include "constraints.hpp"
#include "describe.hpp"
#include "torsor/core/error.hpp"
#include "torsor/dynamics/dynamics.hpp"

namespace torsor::python {
namespace {

// The contacts of a Data, and one of them. They keep the data alive.
struct ContactList {
  std::shared_ptr<GatedData> data;
};
struct ContactItem {
  std::shared_ptr<GatedData> data;
  int index;
};

template <class T>
nb::object numbers(const std::shared_ptr<GatedData>& data, const T* first, size_t rows, size_t columns,
                   size_t row_bytes) {
  const size_t shape[] = {rows, columns};
  const int64_t strides[] = {static_cast<int64_t>(row_bytes / sizeof(T)), 1};
  return nb::cast(nb::ndarray<nb::numpy, const T>(first, columns > 1 ? 2 : 1, shape, make_keeper(data), strides));
}

// One member of all contacts as an array.
template <class T>
nb::object column(const ContactList& list, T Contact::*member) {
  const Hold hold(list.data->gate);
  Contact* first = list.data->contact.data();
  T* pointer = first ? &(first->*member) : nullptr;
  return numbers(list.data, pointer, static_cast<size_t>(list.data->ncon), 1, sizeof(Contact));
}
template <class T, size_t N>
nb::object column(const ContactList& list, T (Contact::*member)[N]) {
  const Hold hold(list.data->gate);
  Contact* first = list.data->contact.data();
  T* pointer = first ? &(first->*member)[0] : nullptr;
  return numbers(list.data, pointer, static_cast<size_t>(list.data->ncon), N, sizeof(Contact));
}

// The caller must hold the gate.
Contact& contact_of(const ContactItem& item) {
  if (item.index >= item.data->ncon) throw nb::index_error("this contact is gone: a later step has fewer");
  return item.data->contact[item.index];
}

// Real numbers may be set, for contact_force() and similar functions; integers are indices and sizes.
template <class T>
void bind_member(nb::class_<ContactList>& list, nb::class_<ContactItem>& item, const char* name, T Contact::*member,
                 const char* doc) {
  list.def_prop_ro(
      name, [member](const ContactList& self) { return column(self, member); }, doc);
  const auto get = [member](const ContactItem& self) {
    const Hold hold(self.data->gate);
    return contact_of(self).*member;
  };
  if constexpr (std::is_same_v<T, int>) {
    item.def_prop_ro(name, get, doc);
  } else {
    const auto set = [member](ContactItem& self, T value) {
      const Hold hold(self.data->gate);
      contact_of(self).*member = value;
    };
    item.def_prop_rw(name, get, set, doc);
  }
}
template <class T, size_t N>
void bind_member(nb::class_<ContactList>& list, nb::class_<ContactItem>& item, const char* name,
                 T (Contact::*member)[N], const char* doc) {
  list.def_prop_ro(
      name, [member](const ContactList& self) { return column(self, member); }, doc);
  const auto get = [member](const ContactItem& self) {
    const Hold hold(self.data->gate);
    return make_view(&(contact_of(self).*member)[0], {N}, false, make_keeper(self.data));
  };
  if constexpr (std::is_same_v<T, int>) {
    item.def_prop_ro(name, get, doc);
  } else {
    const auto set = [member, name](ContactItem& self, const ArrayLike& value) {
      const Input numbers(name, value, {N});
      const Hold hold(self.data->gate);
      std::copy_n(numbers.data(), N, contact_of(self).*member);
    };
    item.def_prop_rw(name, get, set, doc);
  }
}

ContactItem contact_at(const ContactList& list, int index) {
  const Hold hold(list.data->gate);
  const int count = list.data->ncon;
  if (index < -count || index >= count) throw nb::index_error(fmt::format("there are {} contacts", count).c_str());
  return {list.data, index < 0 ? index + count : index};
}

std::string describe_list(const ContactList& self) {
  constexpr int kMost = 20;
  const Hold hold(self.data->gate);
  const int count = self.data->ncon;
  std::string text = fmt::format("<ContactList of {}", count);
  for (int i = 0; i < std::min(count, kMost); ++i) {
    const Contact& contact = self.data->contact[i];
    text += fmt::format("\n  {}: geoms {} and {}, dist {:.6g}, pos [{:.6g} {:.6g} {:.6g}], dim {}", i, contact.geom[0],
                        contact.geom[1], contact.dist, contact.pos[0], contact.pos[1], contact.pos[2], contact.dim);
  }
  if (count > kMost) text += fmt::format("\n  ... and {} more", count - kMost);
  return text + (count > 0 ? "\n>" : ">");
}

void bind_contacts(nb::module_& m) {
  nb::class_<ContactList> list(
      m, "ContactList",
      R"(The contacts of a Data: single contacts by index, or one attribute of all contacts as an array.

In the example, a ball of radius 0.1 m is 0.09 m above a plane.

>>> world = torsor.Data(ball)
>>> torsor.forward(ball, world)
>>> len(world.contact), world.contact.dist.round(3)
(1, array([-0.01]))
)");
  nb::class_<ContactItem> item(m, "Contact", R"(A contact between two geoms, one entry of data.contact.

>>> world = torsor.Data(ball)
>>> torsor.forward(ball, world)
>>> contact = world.contact[0]
>>> contact.geom1, contact.geom2, round(contact.dist, 3)
(0, 1, -0.01)
)");
  list.def("__len__", [](const ContactList& self) { return self.data->ncon; });
  list.def("__getitem__", &contact_at, nb::arg("index"));
  bind_member(list, item, "dist", &Contact::dist, "distance of the nearest points, negative in penetration, in m");
  bind_member(list, item, "pos", &Contact::pos, "point midway between the nearest points, in W, in m");
  bind_member(list, item, "frame", &Contact::frame, "rows in W: normal from geom[0] to geom[1], then two tangents");
  bind_member(list, item, "includemargin", &Contact::includemargin, "rows are made while dist is below it, in m");
  bind_member(list, item, "friction", &Contact::friction, "two tangents, spin, two of rolling");
  bind_member(list, item, "solref", &Contact::solref, "constraint reference");
  bind_member(list, item, "solreffriction", &Contact::solreffriction, "reference of friction rows, 0: as solref");
  bind_member(list, item, "solimp", &Contact::solimp, "constraint impedance");
  bind_member(list, item, "stiffness", &Contact::stiffness, "stiffness of SAP, in N/m");
  bind_member(list, item, "dissipation", &Contact::dissipation, "dissipation time of SAP, in s");
  bind_member(list, item, "mu", &Contact::mu, "friction of the regularised elliptic cone");
  bind_member(list, item, "H", &Contact::H, "Hessian of the elliptic cone, dim x dim, set by the Newton solver");
  bind_member(list, item, "adhesion", &Contact::adhesion, "force that pulls the geoms together, in N");
  bind_member(list, item, "surfacevel", &Contact::surfacevel,
              "velocity of the surface of geom[1] relative to that of geom[0]: along the two tangents, then spin");
  bind_member(list, item, "dim", &Contact::dim, "numbers of the contact force: 1, 3, 4 or 6");
  bind_member(list, item, "geom", &Contact::geom, "the two geoms");
  bind_member(list, item, "exclude", &Contact::exclude,
              "why it makes no rows: 0 it does, 1 in the gap, 3 nothing moves");
  bind_member(list, item, "pair", &Contact::pair, "of contact/pair whose parameters it has, -1: those of the geoms");
  bind_member(list, item, "efc_address", &Contact::efc_address, "first row, -1 without");
  list.def("__repr__", &describe_list);
  item.def("__repr__", [](nb::handle self) {
    return describe(self, {"geom", "dist", "pos", "frame", "dim", "friction", "includemargin", "solref", "solimp",
                           "exclude", "efc_address"});
  });
  for (const int k : {0, 1}) {
    const char* name = k == 0 ? "geom1" : "geom2";
    const char* doc = k == 0 ? "the first geom" : "the second geom";
    item.def_prop_ro(
        name,
        [k](const ContactItem& self) {
          const Hold hold(self.data->gate);
          return contact_of(self).geom[k];
        },
        doc);
    list.def_prop_ro(
        name,
        [k](const ContactList& self) {
          const Hold hold(self.data->gate);
          Contact* first = self.data->contact.data();
          return numbers(self.data, first ? &first->geom[k] : nullptr, static_cast<size_t>(self.data->ncon), 1,
                         sizeof(Contact));
        },
        doc);
  }
}

// Solver statistics of one island, by iteration; a copy.
nb::list statistics_of(const DataObject& self, int island) {
  const Hold hold(self.data->gate);
  const Data& data = *self.data;
  if (island < 0 || island >= std::min(data.nisland, ConstraintStage::kIslandsWithStatistics))
    throw nb::index_error(fmt::format("no solver statistics of island {}: there are {} islands, and statistics of the "
                                      "first {}",
                                      island, data.nisland, ConstraintStage::kIslandsWithStatistics)
                              .c_str());
  nb::list iterations;
  const int first = island * data.solver_capacity;
  const int count = std::min({data.solver_niter[island], data.solver_capacity, data.solver.size() - first});
  for (int i = 0; i < count; ++i) iterations.append(nb::cast(data.solver[first + i]));
  return iterations;
}

bool are_equal(const SolverStatistic& a, const SolverStatistic& b) {
  const auto values = [](const SolverStatistic& s) {
    return std::tuple(s.improvement, s.gradient, s.lineslope, s.nactive, s.nchange, s.neval, s.nupdate);
  };
  return values(a) == values(b);
}

void bind_statistics(nb::module_& m) {
  nb::class_<SolverStatistic>(m, "SolverStatistic",
                              R"(One iteration of the constraint solver; see Data.solver_statistics().

>>> world = torsor.Data(ball)
>>> torsor.forward(ball, world)
>>> bool(world.solver_statistics(0)[0].improvement >= 0)
True
)")
      .def_ro("improvement", &SolverStatistic::improvement, "decrease of the cost, scaled")
      .def_ro("gradient", &SolverStatistic::gradient, "norm of the gradient, scaled")
      .def_ro("lineslope", &SolverStatistic::lineslope, "slope at the end of the line search, scaled")
      .def_ro("nactive", &SolverStatistic::nactive, "rows with a force")
      .def_ro("nchange", &SolverStatistic::nchange, "rows that changed their state")
      .def_ro("neval", &SolverStatistic::neval, "evaluations of the line search")
      .def_ro("nupdate", &SolverStatistic::nupdate, "updates of the factor")
      .def(
          "__eq__",
          [](const SolverStatistic& self, nb::handle other) {
            return nb::isinstance<SolverStatistic>(other) && are_equal(self, nb::cast<const SolverStatistic&>(other));
          },
          nb::arg("other").none())
      .def("__repr__", [](const SolverStatistic& self) {
        return fmt::format("<SolverStatistic improvement {:.3g}, gradient {:.3g}, nactive {}, nchange {}>",
                           self.improvement, self.gradient, self.nactive, self.nchange);
      });
}

void bind_row_functions(nb::module_& m) {
  using namespace nb::literals;
  m.def(
      "contact_force",
      [](ModelObject& model, DataObject& data, int id) {
        const Hold hold = check_fits(model, data);
        if (id < 0 || id >= data.data->ncon)
          throw nb::index_error(fmt::format("contact {} does not exist: there are {}", id, data.data->ncon).c_str());
        const Output force({6});
        contact_force(*model.model, *data.data, id, force.data());
        return force.array();
      },
      "model"_a, "data"_a, "id"_a,
      R"(Force (normal, tangents) and torque of a contact, in the frame of the contact.

>>> world = torsor.Data(ball)
>>> torsor.forward(ball, world)
>>> bool(torsor.contact_force(ball, world, 0)[0] > 0)
True
)");
  m.def(
      "is_pyramidal", [](const ModelObject& model) { return is_pyramidal(*model.model); }, "model"_a,
      R"(Whether friction cones are pyramids.

>>> torsor.is_pyramidal(model)
True
)");
  m.def(
      "is_sparse", [](const ModelObject& model) { return is_jacobian_sparse(*model.model); }, "model"_a,
      R"(Whether data.efc_J is sparse (compressed rows): by option jacobian, or automatically from 60 dofs on.

>>> torsor.is_sparse(model)
False
)");
}

// A dense row-major copy, unless the option requests compressed rows.
nb::object jacobian_of(const DataObject& self) {
  const Hold hold(self.data->gate);
  Data& data = *self.data;
  if (is_jacobian_sparse(*self.model_object().model))
    return numbers(self.data, data.efc_J.data(), static_cast<size_t>(data.efc_J.size()), 1, sizeof(double));
  const size_t count = static_cast<size_t>(data.nefc) * static_cast<size_t>(data.nv);
  const Output dense({count});
  dense_jacobian(data, dense.data());
  return dense.array();
}

}  // namespace

void bind_constraints(nb::module_& m) {
  bind_contacts(m);
  bind_statistics(m);
  bind_row_functions(m);
}

void add_constraint_attributes(nb::class_<DataObject>& cls) {
  cls.def_prop_ro(
      "contact", [](const DataObject& self) { return ContactList{self.data}; }, "contacts of the current state");
  const auto count = [&cls](const char* name, int ConstraintStage::*member, const char* doc) {
    cls.def_prop_ro(
        name, [member](const DataObject& self) { return (*self.data).*member; }, doc);
  };
  count("ncon", &ConstraintStage::ncon, "number of contacts");
  count("nefc", &ConstraintStage::nefc, "number of constraint rows");
  count("ne", &ConstraintStage::ne, "number of equality rows");
  count("nf", &ConstraintStage::nf, "number of friction rows");
  count("nl", &ConstraintStage::nl, "number of limit rows");
  cls.def("solver_statistics", &statistics_of, nb::arg("island") = 0,
          R"(Statistics of the constraint solver in the last forward(): one SolverStatistic per iteration of the island.

>>> torsor.forward(model, data)
>>> [data.solver_statistics(island) for island in range(data.nisland)]
[]
)");
  cls.def_prop_ro(
      "solver_niter",
      [](const DataObject& self) {
        return numbers(self.data, self.data->solver_niter, ConstraintStage::kIslandsWithStatistics, 1, sizeof(int));
      },
      "iterations of the solver in the first islands");
  cls.def_prop_ro(
      "solver_converged",
      [](const DataObject& self) {
        return numbers(self.data, self.data->solver_converged, ConstraintStage::kIslandsWithStatistics, 1,
                       sizeof(bool));
      },
      "whether the solver reached its tolerance before its iteration limit, in the first islands");
  count("solver_unconverged", &ConstraintStage::solver_unconverged,
        "number of islands whose solver reached its iteration limit");
  cls.def_prop_ro(
      "solver_fwdinv",
      [](const DataObject& self) { return numbers(self.data, self.data->solver_fwdinv, 2, 1, sizeof(double)); },
      "forward compared with inverse dynamics, with the flag fwdinv: norms of the differences in qfrc_constraint and "
      "applied forces");
  count("nisland", &ConstraintStage::nisland, "number of islands");
#define FIELD(type, name, rows, columns, unit, meaning, ...)                                        \
  if (std::string_view(#name) != "efc_J")                                                           \
    cls.def_prop_ro(                                                                                \
        #name,                                                                                      \
        [](const DataObject& self) {                                                                \
          const Hold hold(self.data->gate);                                                         \
          Data& data = *self.data;                                                                  \
          const size_t width = columns, length = static_cast<size_t>(data.name.size()) / width;     \
          return numbers(self.data, data.name.data(), length, width, width * sizeof(data.name[0])); \
        },                                                                                          \
        meaning);
#include "text.hpp"
#include "torsor/model/fields/rows.inc"
#undef FIELD
  cls.def_prop_ro("efc_J", &jacobian_of,
                  "Jacobian of the rows: nefc x nv by rows (a copy), or compressed rows if torsor.is_sparse(model)");
}

}  // namespace torsor::python
