#include "torsor/format/motion/field_reader.hpp"

#include <cmath>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "torsor/core/count.hpp"
#include "torsor/core/error.hpp"

namespace torsor::motion {

void FieldReader::fail(const std::string& message, const std::string& hint) const {
  throw Error({Diagnostic{Severity::kError, {file_, 0, 0}, message, hint}});
}

const NpyArray* FieldReader::find(const Names& names) const {
  for (const std::string& name : names) {
    if (const auto it = fields_.find(name); it != fields_.end()) return &it->second;
  }
  return nullptr;
}

const NpyArray& FieldReader::need(const Names& names) const {
  const NpyArray* array = find(names);
  if (!array) {
    Names present;
    for (const auto& [name, value] : fields_) present.push_back(name);
    fail(fmt::format("no field {}; the file has {}", names[0], fmt::join(present, ", ")));
  }
  if (array->is_text) fail(fmt::format("{} has texts, not numbers", names[0]));
  return *array;
}

size_t FieldReader::length(const Names& names) const {
  const NpyArray& array = need(names);
  if (array.shape.empty() || array.shape[0] == 0) fail(fmt::format("{} has no frames", names[0]));
  if (array.shape[0] > size_t(kMostNumbers)) fail(fmt::format("{} has too many frames", names[0]));
  return array.shape[0];
}

std::vector<double> FieldReader::numbers(const Names& names, const std::vector<size_t>& shape) const {
  const NpyArray& array = need(names);
  if (array.shape != shape)
    fail(fmt::format("{} has shape {}, expected {}", names[0], to_text(array.shape), to_text(shape)));
  return array.numbers;
}

std::vector<double> FieldReader::rows(const Names& names, size_t frames, size_t width) const {
  const NpyArray& array = need(names);
  const std::vector<size_t>& shape = array.shape;
  const bool is_flat = shape.size() == 2 && shape[1] % width == 0;
  const bool is_deep = shape.size() == 3 && shape[2] == width;
  if (!is_flat && !is_deep)
    fail(fmt::format("{} has shape {}, expected (frames, n, {}) or (frames, n)", names[0], to_text(shape), width));
  if (shape[0] != frames) fail(fmt::format("{} has {} frames, the root has {}", names[0], shape[0], frames));
  if (array.numbers.empty()) fail(fmt::format("{} has shape {}: no numbers", names[0], to_text(shape)));
  return array.numbers;
}

std::vector<std::string> FieldReader::texts(const Names& names) const {
  const NpyArray* array = find(names);
  return array && array->is_text ? array->texts : std::vector<std::string>{};
}

std::string FieldReader::find_text(const Names& names) const {
  const std::vector<std::string> found = texts(names);
  return found.empty() ? "" : found[0];
}

double FieldReader::rate(const Names& names) const {
  if (options_.fps != 0) return options_.fps;
  if (!has(names)) fail(fmt::format("no {}: the frame rate is not known", names[0]), "pass fps=");
  const NpyArray& array = need(names);
  if (array.numbers.size() != 1)
    fail(fmt::format("{} has shape {}, expected one number", names[0], to_text(array.shape)));
  const double fps = array.numbers[0];
  if (!std::isfinite(fps) || fps <= 0)
    fail(fmt::format("{} must be a positive number, got {}", names[0], fps), "pass fps=");
  return fps;
}

UpAxis FieldReader::up_or(UpAxis of_format) const {
  if (options_.up != UpAxis::kUnspecified) return options_.up;
  const std::string label = find_text({"up"});
  return label.empty() ? of_format : parse_up(label);
}

}  // namespace torsor::motion
