// Walks the field lists of two models side by side.
#include "torsor/model/difference.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <type_traits>

#include <fmt/format.h>

namespace torsor {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

double scaled(double a, double b) {
  if (std::isnan(a) || std::isnan(b)) return kInfinity;
  const double size = std::max({1.0, std::fabs(a), std::fabs(b)});
  return std::isinf(size) ? kInfinity : std::fabs(a - b) / size;
}

class Comparison {
 public:
  void number(const std::string& name, double a, double b) {
    if (std::memcmp(&a, &b, sizeof(a)) != 0) found.push_back({name, -1, 1, a, b, scaled(a, b), 1});
  }
  template <class T>
  void array(const std::string& name, int columns, const T* a, int length_a, const T* b, int length_b) {
    if (length_a != length_b)
      return found.push_back({name, -1, columns, double(length_a), double(length_b), kInfinity, 0});
    FieldDifference largest{name, -1, columns, 0, 0, -1, 0};
    for (int i = 0; i < length_a; ++i) {
      if (std::memcmp(&a[i], &b[i], sizeof(T)) == 0) continue;  // bitwise, so that equal NaNs are equal
      ++largest.count;
      const double one = static_cast<double>(a[i]), other = static_cast<double>(b[i]), size = scaled(one, other);
      if (size > largest.difference) largest = {name, i, columns, one, other, size, largest.count};
    }
    if (largest.count > 0) found.push_back(std::move(largest));
  }

  std::vector<FieldDifference> found;
};

void compare_sizes(const Model& a, const Model& b, Comparison& comparison) {
  std::vector<int> sizes_b;
  b.for_each_size([&](const char*, int value, const char*) { sizes_b.push_back(value); });
  size_t index = 0;
  a.for_each_size([&](const char* name, int value, const char*) { comparison.number(name, value, sizes_b[index++]); });
#define FLAG(name, meaning) comparison.number(#name, a.name, b.name);
#include "torsor/model/fields/flags.inc"
#undef FLAG
  comparison.number("memory", static_cast<double>(a.memory), static_cast<double>(b.memory));
}

void compare_settings(const Model& a, const Model& b, Comparison& comparison) {
#define SCALAR(type, name, value, unit, meaning, ...) \
  comparison.number("opt." #name, static_cast<double>(a.opt.name), static_cast<double>(b.opt.name));
#define VECTOR(name, length, unit, meaning, ...) \
  comparison.array("opt." #name, 1, a.opt.name, length, b.opt.name, length);
#include "torsor/model/fields/option.inc"
#undef SCALAR
#undef VECTOR
#define GROUP(group)
#define NUMBER(group, type, name, value)                                            \
  comparison.number("vis." #group "." #name, static_cast<double>(a.vis.group.name), \
                    static_cast<double>(b.vis.group.name));
#define COLOR(group, name, length, ...) \
  comparison.array("vis." #group "." #name, 1, a.vis.group.name, length, b.vis.group.name, length);
#define END_GROUP(group)
#include "torsor/model/fields/visual.inc"
#undef GROUP
#undef NUMBER
#undef COLOR
#undef END_GROUP
  comparison.number("stat.meaninertia", a.stat.meaninertia, b.stat.meaninertia);
  comparison.number("stat.meanmass", a.stat.meanmass, b.stat.meanmass);
  comparison.number("stat.meansize", a.stat.meansize, b.stat.meansize);
  comparison.number("stat.extent", a.stat.extent, b.stat.extent);
  comparison.array("stat.center", 1, a.stat.center, 3, b.stat.center, 3);
  comparison.array("world_axes", 1, a.axes.world.of, 3, b.axes.world.of, 3);
  comparison.array("body_axes", 1, a.axes.body.of, 3, b.axes.body.of, 3);
}

void compare_arrays(const Model& a, const Model& b, Comparison& comparison) {
  struct Other {
    const void* data;
    int length;
  };
  std::vector<Other> arrays_b;
  b.for_each_field([&](const FieldInfo&, const auto& field) { arrays_b.push_back({field.data(), field.size()}); });
  size_t index = 0;
  a.for_each_field([&](const FieldInfo& info, const auto& field) {
    using T = std::remove_cvref_t<decltype(field[0])>;
    const Other& other = arrays_b[index++];
    comparison.array(info.name, info.columns, field.data(), field.size(), static_cast<const T*>(other.data),
                     other.length);
  });
}

}  // namespace

std::string to_string(const FieldDifference& d) {
  if (d.is_length()) return fmt::format("{}: {} numbers, {} numbers", d.name, d.a, d.b);
  const std::string rest = d.count > 1 ? fmt::format(" ({} numbers differ)", d.count) : "";
  if (d.index < 0) return fmt::format("{}: {} {}", d.name, d.a, d.b);
  if (d.columns <= 1) return fmt::format("{}[{}]: {} {}{}", d.name, d.index, d.a, d.b, rest);
  return fmt::format("{}[{}, {}]: {} {}{}", d.name, d.index / d.columns, d.index % d.columns, d.a, d.b, rest);
}

std::vector<FieldDifference> find_differences(const Model& a, const Model& b) {
  Comparison comparison;
  compare_sizes(a, b, comparison);
  compare_settings(a, b, comparison);
  compare_arrays(a, b, comparison);
  const auto larger = [](const FieldDifference& x, const FieldDifference& y) { return x.difference > y.difference; };
  std::stable_sort(comparison.found.begin(), comparison.found.end(), larger);
  return std::move(comparison.found);
}

}  // namespace torsor
