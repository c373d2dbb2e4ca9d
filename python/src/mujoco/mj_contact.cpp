// MjContact, alone or as an entry of data.contact, and that list. Arrays of an entry are read-only views, because a
// later step puts other things into their memory; assigning to an attribute writes.
#include <algorithm>
#include <array>
#include <cstddef>
#include <cstring>
#include <iterator>
#include <memory>

#include <fmt/format.h>

#include "../describe.hpp"
#include "../text.hpp"
#include "mj_objects.hpp"
#include "torsor/core/error.hpp"

namespace torsor::python::mj {
namespace {

using namespace nb::literals;

struct Member {
  const char* name;
  size_t offset;
  size_t length;  // 0: one number
  bool is_int;
};
#define REAL(name, length) \
  Member { #name, offsetof(Contact, name), length, false }
#define WHOLE(name, length) \
  Member { #name, offsetof(Contact, name), length, true }
constexpr Member kMembers[] = {REAL(dist, 0),     REAL(pos, 3),    REAL(frame, 9),          REAL(includemargin, 0),
                               REAL(friction, 5), REAL(solref, 2), REAL(solreffriction, 2), REAL(solimp, 5),
                               REAL(mu, 0),       REAL(H, 36),     REAL(adhesion, 0),       REAL(surfacevel, 3),
                               WHOLE(dim, 0),     WHOLE(geom, 2),  WHOLE(exclude, 0),       WHOLE(efc_address, 0)};
constexpr Member kGeom1{"geom1", offsetof(Contact, geom), 0, true};
constexpr Member kGeom2{"geom2", offsetof(Contact, geom) + sizeof(int), 0, true};
#undef REAL
#undef WHOLE

// One contact: of a data, or its own.
struct MjContact {
  std::shared_ptr<GatedData> data;
  int index = 0;
  std::shared_ptr<Contact> own;
  mutable const Contact* place = nullptr;  // where the views are
  mutable std::array<nb::object, std::size(kMembers)> views;

  Contact& get() const {  // the caller holds the gate of the data
    if (!data) return *own;
    if (index >= data->ncon) throw nb::index_error("this contact is gone: a later step has fewer");
    return data->contact[index];
  }
};
// All contacts of a data, whichever there are when it is asked; or a slice, of those that there were.
struct MjContactList {
  nb::object owner;  // the MjData
  std::shared_ptr<GatedData> data;
  int start = 0, step = 1, length = -1;  // -1: all

  bool is_whole() const { return length < 0; }
  int size() const { return is_whole() ? data->ncon : length; }
  int place(int i) const { return start + i * step; }
  void check() const {
    const int last = std::max(place(0), place(std::max(0, size() - 1)));
    if (size() > 0 && last >= data->ncon) throw nb::index_error("these contacts are gone: a later step has fewer");
  }
};

// Keeps other threads out of the data, where there is one.
struct Access {
  explicit Access(const MjContact& contact) : gate(contact.data ? &contact.data->gate : nullptr) {
    if (gate) gate->enter();
  }
  ~Access() {
    if (gate) gate->leave();
  }
  Access(const Access&) = delete;
  Access& operator=(const Access&) = delete;
  Gate* gate;
};

std::byte* place_of(Contact& contact, const Member& member) {
  return reinterpret_cast<std::byte*>(&contact) + member.offset;
}

nb::object get_member(const MjContact& self, const Member& member) {
  const Access access(self);
  Contact& contact = self.get();
  std::byte* place = place_of(contact, member);
  const bool is_array = member.length > 0;
  if (self.place != &contact) self.views = {}, self.place = &contact;
  nb::object* const kept = is_array ? &self.views[static_cast<size_t>(&member - kMembers)] : nullptr;
  if (is_array && kept->is_valid()) return *kept;
  if (!is_array) {
    if (member.is_int) return nb::int_(*reinterpret_cast<int*>(place));
    return nb::float_(*reinterpret_cast<double*>(place));
  }
  const nb::object keeper = self.data ? nb::object(make_keeper(self.data)) : nb::object(make_keeper(self.own));
  if (member.is_int) {
    *kept = make_view(reinterpret_cast<int*>(place), {member.length}, !self.data, keeper);
  } else {
    *kept = make_view(reinterpret_cast<double*>(place), {member.length}, !self.data, keeper);
  }
  return *kept;
}

void set_member(const MjContact& self, const Member& member, nb::handle value) {
  if (member.is_int && self.data)
    throw nb::attribute_error(
        fmt::format("{} of a contact of a data is an index that the engine uses: it cannot be set", member.name)
            .c_str());
  const nb::module_ numpy = nb::module_::import_("numpy");
  const nb::object numbers =
      numpy.attr("broadcast_to")(numpy.attr("asarray")(value, member.is_int ? "int32" : "float64"),
                                 nb::make_tuple(std::max<size_t>(1, member.length)));
  const nb::object whole = numpy.attr("ascontiguousarray")(numbers);
  const nb::bytes bytes(whole.attr("tobytes")());
  const Access access(self);
  std::memcpy(place_of(self.get(), member), bytes.c_str(), bytes.size());
}

MjContact copy_of_contact(const MjContact& self) {
  const Access access(self);
  return {nullptr, 0, std::make_shared<Contact>(self.get()), nullptr, {}};
}

bool are_equal(const Contact& a, const Contact& b) {
  const auto same = [&](const Member& member) {
    const size_t count = std::max<size_t>(1, member.length);
    const auto *x = reinterpret_cast<const std::byte*>(&a) + member.offset,
               *y = reinterpret_cast<const std::byte*>(&b) + member.offset;
    if (member.is_int) return std::memcmp(x, y, count * sizeof(int)) == 0;
    return std::equal(reinterpret_cast<const double*>(x), reinterpret_cast<const double*>(x) + count,
                      reinterpret_cast<const double*>(y));
  };
  return std::all_of(std::begin(kMembers), std::end(kMembers), same);
}

// One member of all contacts as an array with the stride of a contact.
nb::object make_column(const MjContactList& self, const Member& member) {
  const size_t shape[] = {static_cast<size_t>(self.size()), member.length};
  const size_t ndim = member.length == 0 ? 1 : 2;
  const auto make = [&]<class T>(const T*) {
    const int64_t strides[] = {self.step * static_cast<int64_t>(sizeof(Contact) / sizeof(T)), 1};
    Contact* first = self.data->contact.data();
    const T* data = first ? reinterpret_cast<const T*>(place_of(first[self.place(0)], member)) : nullptr;
    return nb::cast(nb::ndarray<nb::numpy, const T>(data, ndim, shape, make_keeper(self.data), strides));
  };
  return member.is_int ? make(static_cast<const int*>(nullptr)) : make(static_cast<const double*>(nullptr));
}

// Those of all contacts are kept, since programs read several of them after each step.
nb::object column(const MjContactList& self, const Member& member, size_t index) {
  const Hold hold(self.data->gate);
  self.check();
  if (!self.is_whole()) return make_column(self, member);
  ContactColumns& kept = nb::inst_ptr<MjDataObject>(self.owner)->contact_columns;
  if (kept.first != self.data->contact.data() || kept.count != self.data->ncon)
    kept.first = self.data->contact.data(), kept.count = self.data->ncon, kept.views = {};
  nb::object& view = kept.views[index];
  if (!view.is_valid()) view = make_column(self, member);
  return view;
}

nb::object item(const MjContactList& self, nb::handle index) {
  const int count = self.size();
  if (PySlice_Check(index.ptr())) {
    Py_ssize_t start, stop, step;
    if (PySlice_Unpack(index.ptr(), &start, &stop, &step) != 0) throw nb::python_error();
    const Py_ssize_t length = PySlice_AdjustIndices(count, &start, &stop, step);
    const int first = length > 0 ? self.place(static_cast<int>(start)) : 0;  // a step may be longer than an int
    const int stride = length > 1 ? self.step * static_cast<int>(step) : 1;
    return nb::cast(MjContactList{self.owner, self.data, first, stride, static_cast<int>(length)});
  }
  const Py_ssize_t number = PyNumber_AsSsize_t(index.ptr(), PyExc_IndexError);
  if (number == -1 && PyErr_Occurred()) throw nb::python_error();
  if (number < -count || number >= count) throw nb::index_error(fmt::format("there are {} contacts", count).c_str());
  const int place = self.place(static_cast<int>(number < 0 ? number + count : number));
  std::vector<nb::object>& entries = nb::inst_ptr<MjDataObject>(self.owner)->contact_columns.entries;
  if (entries.size() <= static_cast<size_t>(place)) entries.resize(static_cast<size_t>(place) + 1);
  nb::object& entry = entries[static_cast<size_t>(place)];
  if (!entry.is_valid()) entry = nb::cast(MjContact{self.data, place, nullptr, nullptr, {}});
  return entry;
}

bool lists_are_equal(const MjContactList& a, const MjContactList& b) {
  a.check(), b.check();
  if (a.size() != b.size()) return false;
  for (int i = 0; i < a.size(); ++i)
    if (!are_equal(a.data->contact[a.place(i)], b.data->contact[b.place(i)])) return false;
  return true;
}

std::vector<std::string> member_names() {
  std::vector<std::string> names;
  for (const Member& member : kMembers) names.emplace_back(member.name);
  return names;
}

}  // namespace

void bind_mj_contact(nb::module_& m) {
  nb::class_<MjContact> one(m, "MjContact", "A contact between two geoms, with the interface of mujoco.MjContact.");
  nb::class_<MjContactList> list(m, "_MjContactList", "The contacts of an MjData.");
  one.def("__init__", [](MjContact* self) {
    new (self) MjContact{nullptr, 0, std::make_shared<Contact>(), nullptr, {}};
  });
  size_t columns = 0;
  const auto add = [&](const Member& member) {
    one.def_prop_rw(
        member.name, [&member](const MjContact& self) { return get_member(self, member); },
        [&member](MjContact& self, nb::handle value) { set_member(self, member, value); });
    list.def_prop_ro(member.name,
                     [&member, index = columns++](const MjContactList& self) { return column(self, member, index); });
  };
  for (const Member& member : kMembers) add(member);
  add(kGeom1), add(kGeom2);
  one.def("__copy__", &copy_of_contact);
  one.def(
      "__deepcopy__", [](const MjContact& self, nb::handle) { return copy_of_contact(self); }, "memo"_a);
  one.def(
      "__eq__",
      [](const MjContact& self, nb::handle other) {
        return nb::isinstance<MjContact>(other) && are_equal(self.get(), nb::cast<const MjContact&>(other).get());
      },
      "other"_a.none());
  one.def("__repr__", [](nb::handle self) { return describe(self, member_names()); });
  list.def("__len__", &MjContactList::size);
  list.def("__getitem__", &item, "index"_a);
  list.def(
      "__eq__",
      [](const MjContactList& self, nb::handle other) {
        return nb::isinstance<MjContactList>(other) && lists_are_equal(self, nb::cast<const MjContactList&>(other));
      },
      "other"_a.none());
  nb::class_<MjDataObject> data(nb::borrow<nb::class_<MjDataObject>>(m.attr("MjData")));
  data.def_prop_ro("contact", [](nb::handle_t<MjDataObject> self) {
    return MjContactList{nb::borrow(self), nb::inst_ptr<MjDataObject>(self)->data};
  });
}

}  // namespace torsor::python::mj
