// The entries of a Row by name and in words: what tables, JSON files, overrides and differences are made from.
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
  bool (*set)(Row& row, std::string_view word);  // false: no such word
  std::vector<std::string> (*words)();           // the words that it may take; for numbers and axes some of them
};

std::span<const RowField> row_fields();
const RowField* find_row_field(std::string_view name);

inline constexpr std::string_view kUnspecifiedWord = "unspecified";

// "x -y -z": the axes in terms of ours. Read too: the names z-up, y-up, x-up, ned, gltf, unity, unreal.
std::string axes_text(const Axes& axes);
bool read_axes(std::string_view text, Axes& axes);

}  // namespace torsor
