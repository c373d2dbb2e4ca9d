// Reads arrays of a file by name, with checks of their shapes.
#pragma once

#include "torsor/format/motion/read.hpp"

namespace torsor::motion {

using Names = std::vector<std::string>;  // of one field in different programs; the first one that is there counts

class FieldReader {
 public:
  FieldReader(const MotionFields& fields, const MotionReadOptions& options, const std::string& file)
      : fields_(fields), options_(options), file_(file) {}

  const MotionReadOptions& options() const { return options_; }
  bool has(const Names& names) const { return find(names) != nullptr; }
  // The number of frames: the length of the first axis.
  size_t length(const Names& names) const;
  // Numbers of exactly this shape.
  std::vector<double> numbers(const Names& names, const std::vector<size_t>& shape) const;
  // `frames` rows of a multiple of `width` numbers: (T, n * width) or (T, n, width).
  std::vector<double> rows(const Names& names, size_t frames, size_t width) const;
  std::vector<std::string> texts(const Names& names) const;  // empty if there are none
  std::string find_text(const Names& names) const;           // the first one, or ""
  // Frames per second: the caller's, or the file's.
  double rate(const Names& names) const;
  UpAxis up_or(UpAxis of_format) const;  // the caller's, the file's label, or that of the format

  [[noreturn]] void fail(const std::string& message, const std::string& hint = {}) const;

 private:
  const NpyArray* find(const Names& names) const;
  const NpyArray& need(const Names& names) const;

  const MotionFields& fields_;
  const MotionReadOptions& options_;
  const std::string& file_;
};

MotionClip sonic_clip(const FieldReader& reader);
MotionClip smpl_clip(const FieldReader& reader);
void read_tree(const FieldReader& reader, MotionClip& clip);

}  // namespace torsor::motion
