// Output to a terminal or file: colours, lines redrawn in place, a progress bar.
#pragma once

#include <chrono>
#include <cstdio>
#include <string>
#include <string_view>
#include <vector>

namespace torsor::cli {

enum class Style { kBold, kDim, kRed, kYellow, kGreen };

// One of the standard streams, and its capabilities.
class Terminal {
 public:
  explicit Terminal(std::FILE* stream);

  bool is_live() const { return live_; }       // lines can be redrawn
  bool has_colors() const { return colors_; }  // a terminal, and NO_COLOR is not set
  int width() const;                           // columns; 80 if unknown
  std::FILE* stream() const { return stream_; }

  // The text in a style, or the plain text if there are no colours.
  std::string paint(Style style, std::string_view text) const;
  // Writes and flushes. Throws Error if that fails, for example on a full disk.
  void write(std::string_view text) const;

 private:
  std::FILE* stream_;
  bool live_;
  bool colors_;
};

// A few lines that are redrawn in place.
class LiveLines {
 public:
  explicit LiveLines(const Terminal& terminal) : terminal_(terminal) {}
  void draw(const std::vector<std::string>& lines);
  void erase();

 private:
  const Terminal& terminal_;
  size_t drawn_ = 0;
};

// A bar with percentage and remaining time, at most ten updates per second; silent if the stream is not a terminal.
class ProgressBar {
 public:
  explicit ProgressBar(const Terminal& terminal) : lines_(terminal), terminal_(terminal) {}
  ~ProgressBar();
  void show(double part, std::string_view note);

 private:
  using Clock = std::chrono::steady_clock;
  LiveLines lines_;
  const Terminal& terminal_;
  Clock::time_point start_ = Clock::now();
  Clock::time_point last_{};
};

// Text from a model file, safe to print: control characters become '?'.
std::string printable(std::string_view text);
// How many columns UTF-8 text takes, one per character.
int columns_of(std::string_view text);

}  // namespace torsor::cli
