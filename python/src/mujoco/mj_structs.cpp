// MjOption(), MjStatistic() and MjVisual(): blocks of settings with default values that belong to no model.
#include <memory>
#include <new>

#include "../settings.hpp"
#include "mj_objects.hpp"

namespace torsor::python::mj {
namespace {

template <class Block>
void add_constructor(nb::handle type) {
  nb::class_<Settings<Block>> cls(nb::borrow<nb::class_<Settings<Block>>>(type));
  cls.def(
      "__init__", [](Settings<Block>* self) { new (self) Settings<Block>(std::make_shared<Model>()); },
      "Default values, of no model.");
}

}  // namespace

void bind_mj_structs(nb::module_& core) {
  add_constructor<OptionBlock>(core.attr("Option"));
  add_constructor<StatisticBlock>(core.attr("Statistic"));
  add_constructor<VisualBlock>(core.attr("Visual"));
}

}  // namespace torsor::python::mj
