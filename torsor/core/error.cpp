// Formatting of diagnostics, and the nearest-name hint.
#include "torsor/core/error.hpp"

#include <algorithm>
#include <numeric>

#include <fmt/format.h>

#include "torsor/core/utf8.hpp"

namespace torsor {
namespace {

// Messages quote what files hold and what they are called, which need not be UTF-8; who reads a message expects that.
Diagnostic in_utf8(Diagnostic d) {
  for (std::string* text : {&d.where.file, &d.message, &d.hint}) {
    if (!is_utf8(*text)) *text = to_utf8(*text);
  }
  return d;
}

std::vector<Diagnostic> in_utf8(std::vector<Diagnostic> diagnostics) {
  for (Diagnostic& d : diagnostics) d = in_utf8(std::move(d));
  return diagnostics;
}

std::string join(const std::vector<Diagnostic>& diagnostics) {
  std::string text;
  for (const Diagnostic& d : diagnostics) {
    if (!text.empty()) text += '\n';
    text += to_string(d);
  }
  return text;
}

// Levenshtein distance, with one row of the table.
size_t edit_distance(const std::string& a, const std::string& b) {
  std::vector<size_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), size_t{0});
  for (size_t i = 0; i < a.size(); ++i) {
    size_t diagonal = row[0];
    row[0] = i + 1;
    for (size_t j = 0; j < b.size(); ++j) {
      const size_t replaced = diagonal + (a[i] == b[j] ? 0 : 1);
      diagonal = row[j + 1];
      row[j + 1] = std::min({replaced, row[j] + 1, diagonal + 1});
    }
  }
  return row[b.size()];
}

}  // namespace

std::string to_string(const Diagnostic& d) {
  std::string place = d.where.file;
  if (d.where.line > 0) place += fmt::format("{}{}", place.empty() ? "line " : ":", d.where.line);
  if (d.where.line > 0 && d.where.column > 0) place += fmt::format(":{}", d.where.column);
  const char* kind = d.severity == Severity::kError ? "error" : "warning";
  std::string text = place.empty() ? d.message : fmt::format("{}: {}: {}", place, kind, d.message);
  if (!d.hint.empty()) text += fmt::format(" ({})", d.hint);
  return text;
}

Error::Error(const std::string& message)
    : Error(std::vector<Diagnostic>{Diagnostic{Severity::kError, {}, message, {}}}) {}

Error::Error(std::vector<Diagnostic> diagnostics)
    : std::runtime_error(join(in_utf8(diagnostics))), diagnostics_(in_utf8(std::move(diagnostics))) {}

void Diagnostics::error(Location where, std::string message, std::string hint) {
  all_.push_back(in_utf8({Severity::kError, std::move(where), std::move(message), std::move(hint)}));
  ++errors_;
}

void Diagnostics::warning(Location where, std::string message, std::string hint) {
  all_.push_back(in_utf8({Severity::kWarning, std::move(where), std::move(message), std::move(hint)}));
}

std::vector<Diagnostic> Diagnostics::warnings() const {
  std::vector<Diagnostic> out;
  for (const Diagnostic& d : all_) {
    if (d.severity == Severity::kWarning) out.push_back(d);
  }
  return out;
}

void Diagnostics::throw_if_errors() const {
  if (!has_errors()) return;
  std::vector<Diagnostic> errors;
  for (const Diagnostic& d : all_) {
    if (d.severity == Severity::kError) errors.push_back(d);
  }
  throw Error(std::move(errors));
}

std::string find_nearest(const std::string& name, const std::vector<std::string>& candidates) {
  std::string best;
  size_t best_distance = std::max<size_t>(2, name.size() / 3) + 1;
  for (const std::string& candidate : candidates) {
    const size_t distance = edit_distance(name, candidate);
    if (distance < best_distance) {
      best_distance = distance;
      best = candidate;
    }
  }
  return best;
}

}  // namespace torsor
