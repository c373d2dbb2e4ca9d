// The page of one convention, and the differences of two, as text.
#include <algorithm>

#include <fmt/format.h>

#include "cli/convention_text.hpp"
#include "cli/numbers.hpp"
#include "cli/table.hpp"
#include "torsor/convention/row_fields.hpp"

namespace torsor::cli {
namespace {

// Lines of words that fit into a width.
std::vector<std::string> wrapped(const std::string& text, int width) {
  std::vector<std::string> lines(1);
  size_t start = 0;
  while (start < text.size()) {
    const size_t end = std::min(text.find(' ', start), text.size());
    const std::string word = text.substr(start, end - start);
    if (!lines.back().empty() && columns_of(lines.back()) + 1 + columns_of(word) > width) lines.emplace_back();
    lines.back() += (lines.back().empty() ? "" : " ") + word;
    start = end + 1;
  }
  return lines;
}

// Rows of text with a last column that is broken into lines.
class Listing {
 public:
  explicit Listing(std::vector<int> widths) : widths_(std::move(widths)) {}

  void add(const std::vector<std::string>& cells, const std::string& text, const Terminal& terminal) {
    std::string lead = "  ";
    for (size_t i = 0; i < widths_.size(); ++i) {
      const std::string cell = i < cells.size() ? cells[i] : "";
      lead += cell + std::string(static_cast<size_t>(std::max(0, widths_[i] - columns_of(cell))) + 2, ' ');
    }
    const int room = std::max(20, terminal.width() - columns_of(lead));
    for (const std::string& line : wrapped(text, room)) {
      text_ += lead + line + '\n';
      lead.assign(static_cast<size_t>(columns_of(lead)), ' ');
    }
  }
  const std::string& text() const { return text_; }

 private:
  std::vector<int> widths_;
  std::string text_;
};

std::string heading_of(const Convention& convention, const Terminal& terminal) {
  Listing listing({7});
  listing.add({"system"}, convention.system.empty() ? "-" : convention.system, terminal);
  if (!convention.version.empty()) listing.add({"version"}, convention.version, terminal);
  listing.add({"source"}, convention.source.empty() ? "-" : convention.source, terminal);
  listing.add({"checked"},
              convention.checked.empty() ? "not checked against the system itself"
                                         : fmt::format("by tests against {} itself", convention.checked),
              terminal);
  return terminal.paint(Style::kBold, convention.id) + '\n' + listing.text();
}

std::string cells_of(const Convention& convention, const Terminal& terminal) {
  size_t widest = 0;
  for (const RowField& field : row_fields()) widest = std::max(widest, field.get(convention.row).size());
  Listing listing({14, static_cast<int>(widest)});
  for (const RowField& field : row_fields()) {
    const std::string word = field.get(convention.row);
    listing.add({field.name, word == kUnspecifiedWord ? "open" : word}, field.meaning, terminal);
    listing.add({}, fmt::format("({})", describe_words(field)), terminal);
  }
  return terminal.paint(Style::kBold, "Cells: value, meaning, and possible values") + '\n' + listing.text();
}

std::string example_of(const Convention& convention, const Terminal& terminal) {
  const WorkedExample& example = convention.example;
  const auto numbers = worked_numbers(example);
  if (numbers.empty()) return "No worked example.\n";
  Listing situation({20}), result({12});
  for (const SituationPart& part : worked_situation()) situation.add({part.what}, part.how, terminal);
  if (!example.assume.empty()) result.add({"assuming"}, example.assume, terminal);
  for (const WorkedNumbers& entry : numbers)
    result.add({entry.name}, format_vector(entry.numbers->data(), static_cast<int>(entry.numbers->size())), terminal);
  if (!example.joints.empty()) result.add({"joints"}, example.joints, terminal);
  if (!example.multi_axis.empty()) result.add({"multi_axis"}, example.multi_axis, terminal);
  std::string terms;
  for (const std::string& line :
       wrapped(fmt::format("Worked example: this situation ({})", kSituationTerms), terminal.width()))
    terms += terminal.paint(Style::kBold, line) + '\n';
  return fmt::format("{}{}{}\n{}", terms, situation.text(),
                     terminal.paint(Style::kBold, fmt::format("is in the numbers of {}", convention.id)),
                     result.text());
}

}  // namespace

std::string convention_page(const Convention& convention, const Terminal& terminal) {
  return heading_of(convention, terminal) + '\n' + cells_of(convention, terminal) + '\n' +
         example_of(convention, terminal);
}

std::string convention_differences(const Convention& a, const Convention& b, const Terminal& terminal) {
  const std::vector<std::string> sentences = describe_differences(a, b);
  if (sentences.empty()) return fmt::format("{} and {} are equivalent\n", a.id, b.id);
  std::string text;
  for (const std::string& sentence : sentences) {
    const size_t end = std::min(sentence.find(' '), sentence.size());
    text += terminal.paint(Style::kBold, sentence.substr(0, end)) + sentence.substr(end) + '\n';
  }
  return text;
}

}  // namespace torsor::cli
