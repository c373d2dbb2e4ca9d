// The forms of UTF-8, by the Unicode standard, table 3-7.
#include "torsor/core/utf8.hpp"

#include <algorithm>

namespace torsor {
namespace {

std::size_t length_by_lead(unsigned lead) {
  if (lead < 0x80) return 1;
  if (lead >= 0xC2 && lead <= 0xDF) return 2;
  if (lead >= 0xE0 && lead <= 0xEF) return 3;
  return lead >= 0xF0 && lead <= 0xF4 ? 4 : 0;
}

// Length of the character at the front, 0 if there is none: overlong forms and surrogates are no characters.
std::size_t character_length(std::string_view text) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  const unsigned lead = byte(0);
  const std::size_t length = length_by_lead(lead);
  if (length == 0 || length > text.size()) return 0;
  for (std::size_t i = 1; i < length; ++i) {
    if ((byte(i) & 0xC0) != 0x80) return 0;
  }
  const unsigned least = lead == 0xE0 ? 0xA0 : lead == 0xF0 ? 0x90 : 0x80;
  const unsigned most = lead == 0xED ? 0x9F : lead == 0xF4 ? 0x8F : 0xBF;
  return length > 1 && (byte(1) < least || byte(1) > most) ? 0 : length;
}

}  // namespace

bool is_utf8(std::string_view text) {
  while (!text.empty()) {
    const std::size_t length = character_length(text);
    if (length == 0) return false;
    text.remove_prefix(length);
  }
  return true;
}

std::string to_utf8(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  while (!text.empty()) {
    const std::size_t length = character_length(text);
    out += length > 0 ? text.substr(0, length) : "?";
    text.remove_prefix(std::max<std::size_t>(1, length));
  }
  return out;
}

std::string printable(std::string_view text, std::size_t most) {
  std::string out;
  while (!text.empty()) {
    const std::size_t length = character_length(text);
    if (out.size() + length > most) return out + "...";
    const bool shown = length > 1 || (length == 1 && text[0] >= ' ' && text[0] != '\x7F');
    out += shown ? text.substr(0, length) : "?";
    text.remove_prefix(std::max<std::size_t>(1, length));
  }
  return out;
}

}  // namespace torsor
