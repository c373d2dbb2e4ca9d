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

// How many letters must be inserted, dropped, replaced or swapped with their neighbour to get from a to b (optimal
// string alignment), with three rows of the table.
size_t edit_distance(const std::string& a, const std::string& b) {
  std::vector<size_t> before(b.size() + 1), above(b.size() + 1), row(b.size() + 1);
  std::iota(row.begin(), row.end(), size_t{0});
  for (size_t i = 1; i <= a.size(); ++i) {
    before.swap(above);
    above.swap(row);
    row[0] = i;
    for (size_t j = 1; j <= b.size(); ++j) {
      row[j] = std::min({above[j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1), row[j - 1] + 1, above[j] + 1});
      const bool swapped = i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1];
      if (swapped) row[j] = std::min(row[j], before[j - 2] + 1);
    }
  }
  return row[b.size()];
}

// Letters of the longer word between the start and the end that both words share: what differs in "knee_joint" and
// "toe_joint" is three letters, not ten.
size_t differing_length(const std::string& a, const std::string& b) {
  const size_t shorter = std::min(a.size(), b.size());
  size_t start = 0, end = 0;
  while (start < shorter && a[start] == b[start]) ++start;
  while (end < shorter - start && a[a.size() - 1 - end] == b[b.size() - 1 - end]) ++end;
  return std::max(a.size(), b.size()) - start - end;
}

std::string lower_case(std::string text) {
  for (char& c : text) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  return text;
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

// Near is at most a third of the letters inserted, dropped, replaced or swapped with a neighbour, and at most half of
// those between the start and the end that both words share; upper and lower case are the same letter. Every "did you
// mean" of the library, the command line and the Python package comes from here.
std::string find_nearest(const std::string& name, const std::vector<std::string>& candidates) {
  constexpr size_t kLongest = 200;  // nobody mistypes a longer name, and comparing takes the product of the lengths
  const std::string wanted = lower_case(name);
  if (wanted.size() > kLongest) return {};
  std::string best;
  size_t best_distance = kLongest;
  for (const std::string& candidate : candidates) {
    // a typing error changes a part of a word: at most a third of the letters, so that "foo" is not "ros"
    const size_t shorter = std::min(wanted.size(), candidate.size()),
                 longer = std::max(wanted.size(), candidate.size());
    if (longer > kLongest || longer - shorter > longer / 3) continue;
    const std::string known = lower_case(candidate);
    const size_t distance = edit_distance(wanted, known);
    const size_t most = std::min(longer / 3, (differing_length(wanted, known) + 1) / 2);
    if (distance <= most && distance < best_distance) {
      best_distance = distance;
      best = candidate;
    }
  }
  return best;
}

}  // namespace torsor
