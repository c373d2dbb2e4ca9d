// The entries of data.warning and data.timer.
#include "counters.hpp"

#include <span>

#include <fmt/format.h>

#include "bindings.hpp"
#include "describe.hpp"
#include "text.hpp"
#include "views.hpp"

namespace torsor::python {
namespace {

std::span<WarningCount> all(const Counters<WarningCount>& counters) { return counters.data->warning; }
std::span<TimerCount> all(const Counters<TimerCount>& counters) { return counters.data->timer; }
WarningCount& one(const Counter<WarningCount>& counter) { return counter.data->warning[counter.index]; }
TimerCount& one(const Counter<TimerCount>& counter) { return counter.data->timer[counter.index]; }

template <class Count>
using ListClass = nb::class_<Counters<Count>>;

// The list: indexing, length, iteration through indexing, and a strided view of each member over all entries.
template <class Count>
ListClass<Count> bind_list(nb::module_& m, const char* name, const char* doc) {
  ListClass<Count> cls(m, name, doc);
  cls.def("__len__", [](const Counters<Count>& self) { return all(self).size(); });
  cls.def("__getitem__", [](const Counters<Count>& self, int index) {
    const int count = static_cast<int>(all(self).size());
    if (index < 0 || index >= count)
      throw nb::index_error(fmt::format("index {} is not from 0 to {}", index, count - 1).c_str());
    return Counter<Count>{self.data, index};
  });
  return cls;
}

template <class Count, class T>
void add_column(ListClass<Count>& cls, const char* name, T Count::*member, const char* doc) {
  static_assert(sizeof(Count) % sizeof(T) == 0);
  cls.def_prop_ro(
      name,
      [member](const Counters<Count>& self) {
        const auto entries = all(self);
        return make_view(&(entries[0].*member), {entries.size()}, true, make_keeper(self.data),
                         sizeof(Count) / sizeof(T));
      },
      doc);
}

template <class Count, class T>
void add_member(nb::class_<Counter<Count>>& cls, const char* name, T Count::*member, const char* doc) {
  cls.def_prop_rw(
      name, [member](const Counter<Count>& self) { return one(self).*member; },
      [member](Counter<Count>& self, T value) { one(self).*member = value; }, doc);
}

// One line per entry that is not zero.
template <class Count, class Text>
void add_list_repr(ListClass<Count>& cls, const char* name, const char* enum_name, Text text_of) {
  cls.def("__repr__", [=](const Counters<Count>& self) {
    std::string text = fmt::format("<{}", name);
    const auto entries = all(self);
    for (size_t i = 0; i < entries.size(); ++i) {
      if (entries[i].number == 0) continue;
      text += fmt::format("\n  {}: {}", value_name(enum_name, static_cast<int>(i)), text_of(entries[i]));
    }
    return text + (text.find('\n') == std::string::npos ? ": all zero>" : "\n>");
  });
}

}  // namespace

void bind_counters(nb::module_& m) {
  nb::class_<Counter<WarningCount>> warning(m, "WarningStat",
                                            R"(The count of one warning, and the index of the last culprit.

>>> data.warning[torsor.Warning.BADQVEL].number
0
)");
  add_member(warning, "number", &WarningCount::number, "count");
  add_member(warning, "lastinfo", &WarningCount::lastinfo, "index of the last culprit");
  warning.def("__repr__", [](const Counter<WarningCount>& self) {
    return fmt::format("<WarningStat number: {}, lastinfo: {}>", one(self).number, one(self).lastinfo);
  });
  auto warnings = bind_list<WarningCount>(m, "WarningList", R"(The warnings of a Data, indexed by torsor.Warning.

>>> data.warning[torsor.Warning.BADQPOS]
<WarningStat number: 0, lastinfo: 0>
>>> int(data.warning.number.sum())
0
)");
  add_column(warnings, "number", &WarningCount::number, "counts of all warnings");
  add_column(warnings, "lastinfo", &WarningCount::lastinfo, "index of the last culprit of each warning");
  add_list_repr(warnings, "WarningList", "Warning", [](const WarningCount& count) {
    return fmt::format("number {}, lastinfo {}", count.number, count.lastinfo);
  });

  nb::class_<Counter<TimerCount>> timer(m, "TimerStat",
                                        R"(The total time of one stage, and how often it ran, while data.timers_on.

>>> data.timer[torsor.Timer.STEP].number
0
)");
  add_member(timer, "duration", &TimerCount::duration, "total time, in s");
  add_member(timer, "number", &TimerCount::number, "number of runs");
  timer.def("__repr__", [](const Counter<TimerCount>& self) {
    return fmt::format("<TimerStat duration: {}, number: {}>", one(self).duration, one(self).number);
  });
  auto timers = bind_list<TimerCount>(m, "TimerList", R"(The timers of a Data, indexed by torsor.Timer.

>>> data.timers_on = True
>>> torsor.step(model, data, nstep=10)
Status.OK
>>> data.timer[torsor.Timer.STEP].number
10
)");
  add_column(timers, "duration", &TimerCount::duration, "total time of each stage, in s");
  add_column(timers, "number", &TimerCount::number, "number of runs of each stage");
  add_list_repr(timers, "TimerList", "Timer", [](const TimerCount& count) {
    return fmt::format("duration {}, number {}", count.duration, count.number);
  });
}

}  // namespace torsor::python
