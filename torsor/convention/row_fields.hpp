// The cells of a Row by name and as text, for tables, JSON files, overrides and differences.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "torsor/convention/row.hpp"

namespace torsor {

struct RowField {
  const char* name;     // such as "twist.point"
  const char* meaning;  // for people
  std::string (*get)(const Row& row);
  bool (*set)(Row& row, std::string_view word);  // false: unknown value
  std::vector<std::string> (*words)();           // its possible values; for numbers and axes, some of them
};

std::span<const RowField> row_fields();
const RowField* find_row_field(std::string_view name);

inline constexpr std::string_view kUnspecifiedWord = "unspecified";

// "x -y -z": the axes in terms of ours. Also accepted: z-up, y-up, x-up, ned, gltf, unity, unreal.
std::string axes_text(const Axes& axes);
bool read_axes(std::string_view text, Axes& axes);

}  // namespace torsor
