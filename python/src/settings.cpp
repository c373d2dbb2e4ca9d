// Attributes of model.opt, model.stat and model.vis.
#include "settings.hpp"

#include <cstring>

#include <fmt/format.h>

#include "bindings.hpp"
#include "describe.hpp"
#include "objects.hpp"
#include "torsor/model/value_range.hpp"

namespace torsor::python {
namespace {

constexpr const char* kFloat64s = "numpy.typing.NDArray[numpy.float64]";
constexpr const char* kFloat32s = "numpy.typing.NDArray[numpy.float32]";

// One number: read and written by value.
template <class T, class Block, class Get>
void add_number(nb::class_<Settings<Block>>& cls, const char* name, Get get, const char* doc) {
  cls.def_prop_rw(
      name, [get](const Settings<Block>& self) -> T { return *get(*self.model); },
      [get](Settings<Block>& self, T value) { *get(*self.model) = value; }, doc);
}

// Several numbers: a view, and assignment that copies into it.
template <class Block, class Get>
void add_numbers(nb::class_<Settings<Block>>& cls, const char* name, Get get, size_t length, const char* type,
                 const char* doc) {
  const auto view = [get, length](const Settings<Block>& self) {
    auto* const place = get(*self.model);
    for (const auto& [known, made] : self.views)
      if (known == place) return made;
    self.views.emplace_back(place, make_view(place, {length}, true, make_keeper(self.model)));
    return self.views.back().second;
  };
  cls.def_prop_rw(
      name, view, [view](Settings<Block>& self, nb::handle value) { assign(view(self), value); }, doc,
      nb::for_getter(nb::sig(keep_text(fmt::format("def {}(self) -> {}", name, type)))),
      nb::for_setter(nb::sig(keep_text(fmt::format("def {}(self, value: numpy.typing.ArrayLike, /) -> None", name)))));
}

template <class Block>
void add_repr(nb::class_<Settings<Block>>& cls, std::vector<std::string> names) {
  cls.def("__repr__", [names = std::move(names)](nb::handle self) { return python::describe(self, names); });
}

// A setting as text, with the name of its enum value.
std::string option_text(nb::handle option, const std::string& name) {
  const nb::object value = option.attr(name.c_str());
  const std::string number = nb::repr(value).c_str();
  const auto with = [&number](const std::string& word) {
    return word.empty() ? number : fmt::format("{} ({})", number, word);
  };
  if (name == "integrator") return with(value_name("Integrator", nb::cast<int>(value)));
  if (name == "solver") return with(value_name("Solver", nb::cast<int>(value)));
  if (name == "frictionmix") return with(value_name("FrictionMix", nb::cast<int>(value)));
  if (name == "cone") return with(nb::cast<int>(value) == 0 ? "PYRAMIDAL" : "ELLIPTIC");
  if (name == "jacobian") {
    constexpr const char* kNames[] = {"DENSE", "SPARSE", "AUTO"};
    const int choice = nb::cast<int>(value);
    return with(choice >= 0 && choice < 3 ? kNames[choice] : "");
  }
  if (name == "disableflags") return with(flag_names("DisableFlag", nb::cast<int>(value)));
  if (name == "enableflags") return with(flag_names("EnableFlag", nb::cast<int>(value)));
  return number;
}

// `values` as in the list of options, which the check of a model applies too.
void add_scalar(nb::class_<Settings<OptionBlock>>& cls, const char* name, int Option::*member, const char* doc,
                ValueRange values) {
  cls.def_prop_rw(
      name, [member](const Settings<OptionBlock>& self) { return self.model->opt.*member; },
      [member, name, values](Settings<OptionBlock>& self, int value) {
        if (!values.allows(value))
          throw nb::value_error(
              fmt::format("{} must be from {} to {}, got {}", name, values.first, values.last, value).c_str());
        self.model->opt.*member = value;
      },
      doc);
}
void add_scalar(nb::class_<Settings<OptionBlock>>& cls, const char* name, double Option::*member, const char* doc) {
  add_number<double>(
      cls, name, [member](Model& model) { return &(model.opt.*member); }, doc);
}

const char* with_unit(const char* meaning, const char* unit) {
  return *unit ? keep_text(fmt::format("{}, in {}", meaning, unit)) : meaning;
}

void bind_option(nb::module_& m) {
  nb::class_<Settings<OptionBlock>> cls(m, "Option", R"(Physics options: model.opt. They may be changed between steps.

>>> model.opt.timestep
0.002
>>> model.opt.gravity = [0, 0, -1.62]
)");
  std::vector<std::string> names;
  using namespace rule;
#define SCALAR(type, name, value, unit, meaning, ...) \
  add_scalar(cls, #name, &Option::name, with_unit(meaning, unit) __VA_OPT__(, __VA_ARGS__)), names.push_back(#name);
#define VECTOR(name, length, unit, meaning, ...)                                             \
  add_numbers(                                                                               \
      cls, #name, [](Model& model) -> double* { return model.opt.name; }, length, kFloat64s, \
      with_unit(meaning, unit)),                                                             \
      names.push_back(#name);
#include "torsor/model/fields/option.inc"
#undef SCALAR
#undef VECTOR
  cls.def("__repr__", [names](nb::handle self) {
    std::string text = "<Option";
    for (const std::string& name : names) text += fmt::format("\n  {}: {}", name, option_text(self, name));
    return text + "\n>";
  });
}

void bind_statistic(nb::module_& m) {
  nb::class_<Settings<StatisticBlock>> cls(m, "Statistic",
                                           R"(Statistics of the model in qpos0, used as scales: model.stat.

>>> model.stat.meanmass
0.75
)");
  const auto add = [&cls](const char* name, double Statistic::*member, const char* doc) {
    add_number<double>(
        cls, name, [member](Model& model) { return &(model.stat.*member); }, doc);
  };
  add("meaninertia", &Statistic::meaninertia, "mean diagonal of M, in kg m^2");
  add("meanmass", &Statistic::meanmass, "mean mass of a body, in kg");
  add("meansize", &Statistic::meansize, "mean size of a body, in m");
  add("extent", &Statistic::extent, "size of the model, in m");
  add_numbers(
      cls, "center", [](Model& model) -> double* { return model.stat.center; }, 3, kFloat64s,
      "centre of the model, in m");
  add_repr(cls, {"meaninertia", "meanmass", "meansize", "extent", "center"});
}

// The groups of visual settings, by number: a type each.
template <int group>
struct VisualGroup;

struct VisualRow {
  const char *group, *name;
  size_t length;  // 0 for one number
  float* (*floats)(Model&);
  int* (*ints)(Model&);
};

template <class T>
constexpr bool is_int_member = std::is_same_v<T, int>;

template <class Get>
VisualRow visual_number(const char* group, const char* name, Get) {
  using T = std::remove_pointer_t<decltype(Get()(std::declval<Model&>()))>;
  if constexpr (std::is_same_v<T, int>) return {group, name, 0, nullptr, Get()};
  if constexpr (std::is_same_v<T, float>) return {group, name, 0, Get(), nullptr};
}

std::vector<VisualRow> visual_rows() {
  return {
#define GROUP(group)
#define NUMBER(group, type, name, value) \
  visual_number(#group, #name, [](Model& model) -> type* { return &model.vis.group.name; }),
#define COLOR(group, name, length, ...) \
  VisualRow{#group, #name, length, [](Model& model) -> float* { return model.vis.group.name; }, nullptr},
#define END_GROUP(group)
#include "torsor/model/fields/visual.inc"
#undef GROUP
#undef NUMBER
#undef COLOR
#undef END_GROUP
  };
}

template <int group>
void bind_visual_group(nb::module_& m, nb::class_<Settings<VisualBlock>>& visual, const char* name,
                       const char* class_name, const char* attribute) {
  nb::class_<Settings<VisualGroup<group>>> cls(m, class_name,
                                               "Settings for rendering: kept and saved, not used by the engine.");
  std::vector<std::string> names;
  for (const VisualRow& row : visual_rows()) {
    if (std::strcmp(row.group, name) != 0) continue;
    names.push_back(row.name);
    if (row.length > 0) {
      add_numbers(cls, row.name, row.floats, row.length, kFloat32s, "");
    } else if (row.ints) {
      add_number<int>(cls, row.name, row.ints, "");
    } else {
      add_number<float>(cls, row.name, row.floats, "");
    }
  }
  add_repr(cls, names);
  visual.def_prop_ro(attribute,
                     [](const Settings<VisualBlock>& self) { return Settings<VisualGroup<group>>(self.model); });
}

void bind_visual(nb::module_& m) {
  nb::class_<Settings<VisualBlock>> visual(m, "Visual",
                                           R"(Settings for rendering, by group: model.vis. The engine does not use them.

>>> model.vis.map.znear > 0
True
)");
  bind_visual_group<0>(m, visual, "global", "VisualGlobal", "global_");
  bind_visual_group<1>(m, visual, "quality", "VisualQuality", "quality");
  bind_visual_group<2>(m, visual, "headlight", "VisualHeadlight", "headlight");
  bind_visual_group<3>(m, visual, "map", "VisualMap", "map");
  bind_visual_group<4>(m, visual, "scale", "VisualScale", "scale");
  bind_visual_group<5>(m, visual, "rgba", "VisualRgba", "rgba");
  add_repr(visual, {"global_", "quality", "headlight", "map", "scale", "rgba"});
}

}  // namespace

void bind_settings(nb::module_& m) {
  bind_option(m);
  bind_statistic(m);
  bind_visual(m);
}

}  // namespace torsor::python
