// Escape sequences and queries of terminals.
#include "cli/terminal.hpp"

#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <cstdlib>
#include <cstring>

#include <fmt/format.h>

#include "cli/numbers.hpp"
#include "torsor/core/error.hpp"

namespace torsor::cli {
namespace {

bool is_set(const char* variable) {
  const char* value = std::getenv(variable);
  return value && *value;
}

bool can_redraw(std::FILE* stream) {
  const char* kind = std::getenv("TERM");
  return isatty(fileno(stream)) && !(kind && std::strcmp(kind, "dumb") == 0);
}

const char* code_of(Style style) {
  switch (style) {
    case Style::kBold:
      return "1";
    case Style::kDim:
      return "2";
    case Style::kRed:
      return "1;31";
    case Style::kYellow:
      return "1;33";
    case Style::kGreen:
      return "1;32";
  }
  return "0";
}

// The start of a line, cut to a width. Escape sequences take no width and are kept, so that colours are reset.
std::string clipped(std::string_view line, int width) {
  std::string result;
  int columns = 0;
  for (size_t i = 0; i < line.size(); ++i) {
    if (line[i] == '\x1b') {
      const size_t end = std::min(line.find('m', i), line.size() - 1);
      result += line.substr(i, end - i + 1);
      i = end;
      continue;
    }
    columns += columns_of(line.substr(i, 1));
    if (columns <= width) result += line[i];
  }
  return result;
}

}  // namespace

Terminal::Terminal(std::FILE* stream)
    : stream_(stream), live_(can_redraw(stream)), colors_(live_ && !is_set("NO_COLOR")) {}

int Terminal::width() const {
  winsize size{};
  if (ioctl(fileno(stream_), TIOCGWINSZ, &size) == 0 && size.ws_col > 0) return size.ws_col;
  return 80;
}

std::string Terminal::paint(Style style, std::string_view text) const {
  return colors_ ? fmt::format("\x1b[{}m{}\x1b[0m", code_of(style), text) : std::string(text);
}

void Terminal::write(std::string_view text) const {
  const bool written = std::fwrite(text.data(), 1, text.size(), stream_) == text.size() && std::fflush(stream_) == 0;
  if (!written) throw Error(fmt::format("cannot write the output: {}", std::strerror(errno)));
}

void LiveLines::draw(const std::vector<std::string>& lines) {
  std::string text;
  if (drawn_ > 0) text += fmt::format("\x1b[{}A", drawn_);
  // a wrapped line would count as two when moving the cursor up
  const int width = terminal_.width();
  for (const std::string& line : lines) text += fmt::format("\r{}\x1b[K\n", clipped(line, width));
  text += "\x1b[J";  // clears the rest of an earlier, longer drawing
  terminal_.write(text);
  drawn_ = lines.size();
}

void LiveLines::erase() {
  if (drawn_ > 0) terminal_.write(fmt::format("\x1b[{}A\r\x1b[J", drawn_));
  drawn_ = 0;
}

ProgressBar::~ProgressBar() {
  try {
    lines_.erase();
  } catch (const std::exception&) {  // failing to erase the bar is not an error
  }
}

void ProgressBar::show(double part, std::string_view note) {
  if (!terminal_.is_live()) return;
  const Clock::time_point now = Clock::now();
  if (now - last_ < std::chrono::milliseconds(100)) return;
  last_ = now;
  const double elapsed = std::chrono::duration<double>(now - start_).count();
  const std::string left = part > 0 ? format_duration(elapsed * (1 - part) / part) : std::string("?");
  const std::string tail = fmt::format(" {:3.0f} %  {}, {} to go", 100 * part, note, left);
  const int room = std::clamp(terminal_.width() - columns_of(tail) - 3, 0, 60);
  const int done = static_cast<int>(std::lround(part * room));
  lines_.draw({fmt::format("[{}{}]{}", std::string(static_cast<size_t>(done), '#'),
                           std::string(static_cast<size_t>(room - done), '.'), tail)});
}

std::string printable(std::string_view text) {
  std::string result(text);
  for (char& c : result) {
    if (static_cast<unsigned char>(c) < 0x20 || c == 0x7f) c = '?';
  }
  return result;
}

int columns_of(std::string_view text) {
  // counts all but continuation bytes
  return static_cast<int>(std::count_if(text.begin(), text.end(), [](char c) { return (c & 0xC0) != 0x80; }));
}

}  // namespace torsor::cli
