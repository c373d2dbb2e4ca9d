// Walks through the words of a text and knows line and column of each, for error messages.
#pragma once

#include <algorithm>
#include <charconv>
#include <cmath>
#include <string>
#include <string_view>

#include <fmt/format.h>

#include "torsor/core/error.hpp"

namespace torsor {

struct Word {
  std::string_view text;  // empty at the end of the text, or of the line
  int line = 0, column = 0;
};

class TextCursor {
 public:
  TextCursor(std::string_view text, std::string file) : text_(text), file_(std::move(file)) {}

  // The next word, on this line or a later one.
  Word next() { return take(true); }
  // The next word of the current line; empty at its end.
  Word next_in_line() { return take(false); }
  // Goes to the next line that is not blank; false at the end of the text.
  bool next_line() {
    while (at_ < text_.size() && is_blank(text_[at_])) advance();
    return at_ < text_.size();
  }

  [[noreturn]] void fail(const Word& word, std::string message, std::string hint = {}) const {
    throw Error({Diagnostic{Severity::kError, {file_, word.line, word.column}, std::move(message), std::move(hint)}});
  }

  // A finite number; `what` names it in the error.
  double number(const Word& word, std::string_view what) const {
    std::string_view digits = word.text;
    if (digits.starts_with('+')) digits.remove_prefix(1);
    double value = 0;
    const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
    const bool is_whole = end == digits.data() + digits.size() && !digits.empty();
    if (error == std::errc::result_out_of_range && is_whole)
      fail(word, fmt::format("{} '{}' is too large or too small", what, shown(word)));
    if (error != std::errc() || !is_whole) fail(word, fmt::format("{}: expected a number, got {}", what, shown(word)));
    if (!std::isfinite(value)) fail(word, fmt::format("{} is {}, which is not a finite number", what, shown(word)));
    return value;
  }

  // The word in quotes, cut if it is long.
  static std::string shown(const Word& word) {
    if (word.text.empty()) return "the end of the line or file";
    constexpr size_t kLongest = 40;
    return fmt::format("'{}{}'", word.text.substr(0, kLongest), word.text.size() > kLongest ? "..." : "");
  }

 private:
  static bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\n' || c == '\f' || c == '\v'; }

  void advance() {
    if (text_[at_] == '\n')
      ++line_, column_ = 1;
    else
      ++column_;
    ++at_;
  }
  Word take(bool crosses_lines) {
    while (at_ < text_.size() && is_blank(text_[at_]) && (crosses_lines || text_[at_] != '\n')) advance();
    const Word here{{}, line_, column_};
    const size_t start = at_;
    while (at_ < text_.size() && !is_blank(text_[at_])) advance();
    return {text_.substr(start, at_ - start), here.line, here.column};
  }

  std::string_view text_;
  std::string file_;
  size_t at_ = 0;
  int line_ = 1, column_ = 1;
};

}  // namespace torsor
