// MJCF from text to steps. The mutator knows the language: it changes numbers and names inside quotes and adds
// attributes and elements of the schema, where blind mutations hardly get past the XML parser.
#include <algorithm>
#include <cstring>
#include <string>
#include <vector>

#include "exercise.hpp"
#include "fuzz.hpp"
#include "torsor/format/mjcf/schema.hpp"

namespace torsor::fuzz {
namespace {

const char* const kValues[] = {"0",          "-1",    "1",     "2",      "3",       "1e-300", "1e300", "nan",
                               "inf",        "-inf",  "1e10",  "0.5",    "-0",      "65536",  "1e5",   "2147483647",
                               "2147483648", "-2e9",  "1 1 1", "0 0 0",  "1 2",     "true",   "auto",  "100000",
                               "box",        "mesh",  "plane", "hfield", "capsule", "free",   "ball",  "4294967297",
                               "sphere",     "local", "0 0 1", "",       "world",   "1e-9",   "3 3 3", "1 0 0 0 0 0 0"};

const std::vector<SchemaElement>& elements() {
  static const std::vector<SchemaElement> all = mjcf_schema();
  return all;
}

std::string last_part(const std::string& path) { return path.substr(path.rfind('/') + 1); }

std::string make_attribute(Choice& choice, const SchemaElement& element) {
  if (element.attributes.empty()) return {};
  return ' ' + choice.of(element.attributes).name + "=\"" + choice.of(kValues) + '"';
}

std::string make_element(Choice& choice) {
  const SchemaElement& element = choice.of(elements());
  std::string text = '<' + last_part(element.path);
  for (size_t i = choice.below(4); i > 0; --i) text += make_attribute(choice, element);
  return text + "/>";
}

// The places between the quotes of one attribute; {npos, npos} if there is none behind `start`.
std::pair<size_t, size_t> find_value(const std::string& text, size_t start) {
  const size_t open = text.find("=\"", start);
  const size_t close = open == text.npos ? open : text.find('"', open + 2);
  return close == text.npos ? std::pair{close, close} : std::pair{open + 2, close};
}

// Puts another value, or another one of the same file, into the quotes; or changes one number of a list.
void change_value(std::string& text, Choice& choice) {
  const auto [begin, end] = find_value(text, choice.below(text.size()));
  if (begin == text.npos) return;
  const size_t word = begin + choice.below(end - begin + 1);
  const size_t word_begin = std::max(begin, text.find_last_of(" \"", word == begin ? word : word - 1) + 1);
  const size_t word_end = std::min(end, text.find_first_of(" \"", word));
  switch (choice.below(3)) {
    case 0:
      text.replace(begin, end - begin, choice.of(kValues));
      break;
    case 1:
      text.replace(word_begin, word_end - word_begin, choice.of(kValues));
      break;
    default:
      if (const auto [b, e] = find_value(text, choice.below(text.size())); b != text.npos)
        text.replace(begin, end - begin, text.substr(b, e - b));
  }
}

void add_attribute(std::string& text, Choice& choice) {
  const size_t open = text.find('<', choice.below(text.size()));
  const size_t end = open == text.npos ? open : text.find_first_of(" />", open + 1);
  if (end == text.npos || end <= open + 1) return;
  const std::string name = text.substr(open + 1, end - open - 1);
  std::vector<const SchemaElement*> same;
  for (const SchemaElement& element : elements()) {
    if (last_part(element.path) == name) same.push_back(&element);
  }
  if (!same.empty()) text.insert(end, make_attribute(choice, *choice.of(same)));
}

void add_element(std::string& text, Choice& choice) {
  const size_t place = text.find('<', choice.below(text.size()));
  if (place != text.npos) text.insert(place, make_element(choice));
}

// Repeats or removes a piece that begins and ends at tags.
void move_piece(std::string& text, Choice& choice) {
  const size_t begin = text.find('<', choice.below(text.size()));
  const size_t close = begin == text.npos ? begin : text.find('>', begin + choice.below(300));
  if (close == text.npos) return;
  const std::string piece = text.substr(begin, close + 1 - begin);
  if (choice.below(2) == 0) text.erase(begin, piece.size());
  const size_t place = text.find('<', choice.below(text.size()));
  if (place != text.npos) text.insert(place, piece);
}

}  // namespace
}  // namespace torsor::fuzz

extern "C" size_t LLVMFuzzerCustomMutator(uint8_t* bytes, size_t size, size_t capacity, unsigned seed) {
  using namespace torsor::fuzz;
  Choice choice(seed);
  if (choice.below(8) == 0) return LLVMFuzzerMutate(bytes, size, capacity);
  std::string text(text_of(bytes, size));
  for (size_t i = 1 + choice.below(3); i > 0; --i) {
    constexpr void (*kMutations[])(std::string&, Choice&) = {change_value, change_value, add_attribute, add_element,
                                                             move_piece};
    choice.of(kMutations)(text, choice);
  }
  if (text.size() > capacity) text.resize(capacity);
  std::memcpy(bytes, text.data(), text.size());
  return text.size();
}

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* bytes, size_t size) {
  try {
    torsor::LoadOptions options;
    options.memory_limit = int64_t{1} << 28;
    options.urdf.base = torsor::UrdfBase::kFixed;
    torsor::Model model = torsor::load_string(std::string(torsor::fuzz::text_of(bytes, size)), options);
    torsor::fuzz::exercise(model);
  } catch (const torsor::Error&) {
  }
  return 0;
}
