// Parses XML with pugixml, and converts offsets to lines and columns.
#include "torsor/format/mjcf/source.hpp"

#include <algorithm>

#include <fmt/format.h>

namespace torsor::mjcf {
namespace {

// Entities in attributes are resolved; comments, declarations and document types are skipped; spaces stay as written.
constexpr unsigned kParseFlags = pugi::parse_escapes | pugi::parse_cdata;

std::vector<std::size_t> find_line_starts(const std::string& text) {
  std::vector<std::size_t> starts{0};
  for (std::size_t at = text.find('\n'); at != std::string::npos; at = text.find('\n', at + 1))
    starts.push_back(at + 1);
  return starts;
}

bool is_space(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }

// Walks over the attributes of a start tag, from the end of its name; the tag is known to be well formed.
std::size_t find_attribute(std::string_view text, std::size_t at, std::string_view wanted) {
  while (at < text.size()) {
    while (at < text.size() && is_space(text[at])) ++at;
    const std::size_t begin = at;
    while (at < text.size() && !is_space(text[at]) && text[at] != '=') ++at;
    if (text.substr(begin, at - begin) == wanted) return begin;
    const std::size_t open = text.find_first_of("\"'", at);
    if (open == std::string_view::npos) break;
    const std::size_t close = text.find(text[open], open + 1);
    if (close == std::string_view::npos) break;
    at = close + 1;
  }
  return std::string_view::npos;
}

[[noreturn]] void refuse(Location where, std::string message) {
  throw Error({Diagnostic{Severity::kError, std::move(where), std::move(message), {}}});
}

}  // namespace

Source::Source(std::string name, std::shared_ptr<const std::string> text)
    : name_(std::move(name)), text_(std::move(text)), line_starts_(find_line_starts(*text_)) {
  if (text_->find_first_not_of(" \t\r\n") == std::string::npos) refuse({name_, 1, 1}, "the file is empty");
  if (const std::size_t nul = text_->find('\0'); nul != std::string::npos) {
    refuse(locate(nul), "the file contains a zero byte, so it is not UTF-8 text");
  }
  const pugi::xml_parse_result result =
      document_.load_buffer(text_->data(), text_->size(), kParseFlags, pugi::encoding_utf8);
  if (!result) {
    const auto offset = static_cast<std::size_t>(std::max<std::ptrdiff_t>(0, result.offset));
    refuse(locate(offset), fmt::format("the XML is malformed: {}", result.description()));
  }
  const pugi::xml_node root = document_.document_element();
  for (pugi::xml_node other = root.next_sibling(); other; other = other.next_sibling()) {
    if (other.type() == pugi::node_element) refuse(locate(other), "a file can have only one root element");
  }
}

Location Source::locate(std::size_t offset) const {
  offset = std::min(offset, text_->size());
  const auto next = std::upper_bound(line_starts_.begin(), line_starts_.end(), offset);
  return {name_, static_cast<int>(next - line_starts_.begin()), static_cast<int>(offset - *(next - 1)) + 1};
}

// pugixml gives the offset of a node's name, one after its bracket.
Location Source::locate(pugi::xml_node node) const {
  const std::ptrdiff_t offset = node.offset_debug();
  return locate(static_cast<std::size_t>(std::max<std::ptrdiff_t>(1, offset) - 1));
}

Location Source::locate(pugi::xml_node node, std::string_view attribute) const {
  const std::ptrdiff_t offset = node.offset_debug();
  if (offset < 0) return locate(node);
  const std::size_t behind_name = static_cast<std::size_t>(offset) + std::string_view(node.name()).size();
  const std::size_t found = find_attribute(*text_, behind_name, attribute);
  return found == std::string_view::npos ? locate(node) : locate(found);
}

}  // namespace torsor::mjcf
