// The parts of check_model(). Each may rely on those before it, in the order below.
#pragma once

#include <cstdint>
#include <string>

#include "torsor/model/model.hpp"
#include "torsor/model/value_range.hpp"

namespace torsor::checks {

// Thrown by the checks, caught by find_fault().
struct Fault {
  std::string text;
};

[[noreturn]] void fail(const char* field, int64_t index, const char* law);
// Throws when a law that relates several arrays does not hold; `law` completes "field[index]: ...".
inline void expect(bool holds, const char* field, int64_t index, const char* law) {
  if (!holds) fail(field, index, law);
}
[[noreturn, gnu::cold]] void fail_range(const char* field, int64_t index, int64_t value, const char* rule);
// "nu is 3, but its parts add up to 4".
void expect_size(const char* size, int64_t value, int64_t sum);

// The first element that a rule does not allow, -1 when it allows all. Inline, so that each rule becomes a loop of its
// own.
template <class T>
__attribute__((always_inline)) inline int find_outside(const ValueRange& range, const T* values, int count) {
  if (range.counts) {
    for (int i = 0; i < count; ++i) {
      const int64_t first = values[i], number = range.counts[i];
      if (number < 0) continue;  // which its own rule reports
      if (first < (number > 0 ? 0 : -1) || first + number > range.last) return i;
    }
    return -1;
  }
  if (range.allows_all()) return -1;
  unsigned outside = 0;  // without branches, since this is asked before every step
  if (range.bits != 0) {
    for (int i = 0; i < count; ++i) outside |= !range.allows(values[i]);
  } else {
    const int first = static_cast<int>(range.first);
    const unsigned width = static_cast<unsigned>(range.last - range.first);
    if (range.last < range.first) return count > 0 ? 0 : -1;
    for (int i = 0; i < count; ++i)
      outside |= static_cast<unsigned>(values[i]) - static_cast<unsigned>(first) > width ? 1u : 0u;
  }
  if (outside == 0) return -1;
  for (int i = 0; i < count; ++i)
    if (!range.allows(values[i])) return i;
  return -1;
}

template <class T>
__attribute__((always_inline)) inline void check_values(const char* field, const ValueRange& range, const char* rule,
                                                        const Field<T>& values) {
  if (const int i = find_outside(range, values.data(), values.size()); i >= 0) fail_range(field, i, values[i], rule);
}
// A bool that is neither 0 nor 1 must not be read as one.
__attribute__((always_inline)) inline void check_values(const char* field, const ValueRange& range, const char* rule,
                                                        const Field<bool>& values) {
  const auto* bytes = reinterpret_cast<const unsigned char*>(values.data());
  if (const int i = find_outside(range, bytes, values.size()); i >= 0) fail_range(field, i, bytes[i], rule);
}

template <class T>
constexpr bool is_whole = false;
template <>
inline constexpr bool is_whole<int> = true;
template <>
inline constexpr bool is_whole<bool> = true;
template <>
inline constexpr bool is_whole<Byte> = true;

void check_ranges(const Model& model);      // every rule of the field lists
void check_options(const Option& option);   // rules of the options
void check_structure(const Model& model);   // bodies, joints, dofs, trees, sparse matrices
void check_geoms(const Model& model);       // geoms with their data, pairs, exclusions
void check_assets(const Model& model);      // meshes, hulls, triangle trees, height fields
void check_equalities(const Model& model);  // what they constrain
void check_tendons(const Model& model);     // paths and the pattern of ten_J
void check_plastic(const Model& model);     // places of springs in plastic
void check_actuators(const Model& model);   // kinds, targets, places in ctrl, act and history, the pattern of moments
void check_sensors(const Model& model);     // kinds, objects, places in sensordata and history
void check_custom(const Model& model);      // names, texts, tuples

}  // namespace torsor::checks
