// data.warning and data.timer: lists of counters inside a Data.
#pragma once

#include <memory>

#include "torsor/model/data.hpp"

namespace torsor::python {

// All counters of one kind, and one of them. They keep the data alive.
template <class Count>
struct Counters {
  std::shared_ptr<Data> data;
};
template <class Count>
struct Counter {
  std::shared_ptr<Data> data;
  int index;
};

}  // namespace torsor::python
