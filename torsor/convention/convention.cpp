#include "torsor/convention/convention.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <mutex>
#include <nlohmann/json.hpp>

#include "torsor/convention/row_fields.hpp"
#include "torsor/convention/rows.hpp"
#include "torsor/core/error.hpp"

namespace torsor {

std::vector<Convention> make_known_conventions();  // rows.cpp

namespace {

struct Registry {
  std::mutex mutex;
  std::vector<Convention> list = make_known_conventions();
};
Registry& registry() {
  static Registry instance;
  return instance;
}

const Convention* find_in(const std::vector<Convention>& list, std::string_view id) {
  const auto it = std::find_if(list.begin(), list.end(), [&](const Convention& c) { return c.id == id; });
  return it == list.end() ? nullptr : &*it;
}

// Ids that begin with an incomplete name: isaaclab2 and isaaclab3 for "isaaclab".
std::vector<std::string> continuations(const std::vector<Convention>& list, std::string_view id) {
  std::vector<std::string> found;
  for (const Convention& c : list) {
    if (c.id.size() <= id.size() || !c.id.starts_with(id)) continue;
    const char next = c.id[id.size()];
    if (next == '.' || (next >= '0' && next <= '9')) found.push_back(c.id);
  }
  return found;
}

std::string trimmed(std::string_view text) {
  const size_t first = text.find_first_not_of(" \t\n"), last = text.find_last_not_of(" \t\n");
  return first == text.npos ? "" : std::string(text.substr(first, last - first + 1));
}

std::string lower_case(std::string text) {
  for (char& c : text) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return text;
}

// One name for several cells.
std::vector<std::string> cells_of(const std::string& name) {
  if (name == "axes") return {"world", "body"};
  if (name == "twist.frame") return {"twist.linear", "twist.angular"};
  if (name == "wrench.frame") return {"wrench.linear", "wrench.angular"};
  return {name};
}

bool are_axes(const std::string& cell) { return cell == "axes" || cell == "world" || cell == "body"; }

void set_cell(Row& row, const std::string& name, const std::string& word) {
  for (const std::string& cell : cells_of(name)) {
    const RowField* field = find_row_field(cell);
    if (!field) {
      std::vector<std::string> names{"axes", "twist.frame", "wrench.frame"};
      for (const RowField& known : row_fields()) names.push_back(known.name);
      const std::string nearest = find_nearest(name, names);
      throw Error(fmt::format("a convention has no cell '{}'{}", name,
                              nearest.empty() ? "" : fmt::format(" (did you mean '{}'?)", nearest)));
    }
    if (!field->set(row, word)) {
      throw Error(fmt::format("'{}' is not a value of {} ({}); known values: {}", word, name, field->meaning,
                              fmt::join(field->words(), ", ")));
    }
  }
}

// Calls visit(name, word) for each part of "name=word, name=word".
template <class Visit>
void for_cells(std::string_view text, const Visit& visit) {
  while (!text.empty()) {
    const size_t comma = std::min(text.find(','), text.size());
    const std::string_view part = text.substr(0, comma);
    const size_t equal = part.find('=');
    if (equal == part.npos) throw Error(fmt::format("'{}' should read cell=word", trimmed(part)));
    visit(trimmed(part.substr(0, equal)), trimmed(part.substr(equal + 1)));
    text = comma < text.size() ? text.substr(comma + 1) : std::string_view{};
  }
}

void check_new(const std::vector<Convention>& list, const Convention& convention) {
  const std::string& id = convention.id;
  const auto good = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_' || c == '.'; };
  if (id.empty() || !std::all_of(id.begin(), id.end(), good)) {
    throw Error(fmt::format("'{}' cannot be the id of a convention: use letters, digits, '_' and '.'", id));
  }
  if (find_in(list, id)) throw Error(fmt::format("there already is a convention '{}'", id));
  const std::string fault = find_fault(convention.row);
  if (!fault.empty()) throw Error(fmt::format("convention '{}': {}", id, fault));
}

[[noreturn]] void throw_unknown(const std::vector<Convention>& list, const std::string& id) {
  const std::vector<std::string> choices = continuations(list, id);
  if (!choices.empty()) {
    throw Error(fmt::format("convention '{}' is ambiguous; choose one of {}", id, fmt::join(choices, ", ")));
  }
  std::vector<std::string> names;
  for (const Convention& c : list) names.push_back(c.id);
  const std::string nearest = find_nearest(lower_case(id), names);
  throw Error(fmt::format("there is no convention '{}' ({})", id,
                          nearest.empty() ? fmt::format("known are {}", fmt::join(names, ", "))
                                          : fmt::format("did you mean '{}'?", nearest)));
}

// Copies one row, not the list, since it may be called for every body.
Convention find_registered(const std::string& id) {
  Registry& all = registry();
  const std::scoped_lock lock(all.mutex);
  const Convention* found = find_in(all.list, id);
  if (!found) throw_unknown(all.list, id);
  return *found;
}

Convention from_json(const nlohmann::json& object) {
  if (!object.is_object()) throw Error("a convention in JSON is an object of cells and values");
  Convention result;
  if (object.contains("from")) {
    result = find_convention(object.at("from").get<std::string>());
    result.id = result.source = result.checked = "";
    result.example = {};
    result.has_model_axes = false;  // another system, with the axes of its row
  }
  for (const auto& [key, value] : object.items()) {
    if (key == "from") continue;
    if (!value.is_string() && !value.is_number())
      throw Error(fmt::format("the value of cell '{}' should be a string", key));
    const std::string word = value.is_string() ? value.get<std::string>() : value.dump();
    if (key == "id") {
      result.id = word;
    } else if (key == "system") {
      result.system = word;
    } else if (key == "version") {
      result.version = word;
    } else if (key == "source") {
      result.source = word;
    } else {
      set_cell(result.row, key, word);
    }
  }
  return result;
}

}  // namespace

void set_cells(Row& row, std::string_view text) {
  for_cells(text, [&](const std::string& name, const std::string& word) { set_cell(row, name, word); });
}

std::vector<Convention> list_conventions() {
  Registry& all = registry();
  const std::scoped_lock lock(all.mutex);
  return all.list;
}

Convention find_convention(std::string_view text) {
  const size_t bracket = std::min(text.find('['), text.size());
  Convention result = find_registered(trimmed(text.substr(0, bracket)));
  if (bracket == text.size()) return result;
  const size_t end = text.rfind(']');
  if (end == text.npos || !trimmed(text.substr(end + 1)).empty()) {
    throw Error(fmt::format("'{}' lacks its closing bracket", text));
  }
  for_cells(text.substr(bracket + 1, end - bracket - 1), [&](const std::string& name, const std::string& word) {
    set_cell(result.row, name, word);
    if (are_axes(name)) result.has_model_axes = false;
  });
  const std::string fault = find_fault(result.row);
  if (!fault.empty()) throw Error(fmt::format("convention '{}': {}", text, fault));
  result.id = std::string(text);
  result.checked = "", result.example = {};
  return result;
}

void add_convention(const Convention& convention) {
  Registry& all = registry();
  const std::scoped_lock lock(all.mutex);
  check_new(all.list, convention);
  all.list.push_back(convention);
}

std::vector<std::string> add_conventions_from_json(std::string_view json, const std::string& file) {
  try {
    const nlohmann::json document = nlohmann::json::parse(json, nullptr, true, true);
    const nlohmann::json list = document.is_array() ? document : nlohmann::json::array({document});
    std::vector<Convention> fresh;
    for (const nlohmann::json& object : list) fresh.push_back(from_json(object));
    Registry& all = registry();
    const std::scoped_lock lock(all.mutex);
    std::vector<Convention> merged = all.list;
    std::vector<std::string> ids;
    for (Convention& convention : fresh) {
      check_new(merged, convention);
      ids.push_back(convention.id);
      merged.push_back(std::move(convention));
    }
    all.list = std::move(merged);
    return ids;
  } catch (const nlohmann::json::exception& error) {
    throw Error(fmt::format("{}{}", file.empty() ? "" : file + ": ", error.what()));
  } catch (const Error& error) {
    if (file.empty()) throw;
    throw Error(fmt::format("{}: {}", file, error.what()));
  }
}

std::string to_json(const Convention& convention) {
  nlohmann::ordered_json object;
  object["id"] = convention.id, object["system"] = convention.system;
  object["version"] = convention.version, object["source"] = convention.source;
  for (const RowField& field : row_fields()) object[field.name] = field.get(convention.row);
  return object.dump(2);
}

std::string find_fault(const Row& row) {
  for (const Axes* axes : {&row.world, &row.body}) {
    if (axes->known() && !axes->is_permutation()) return "axes must name each of x, y, z once";
  }
  if (row.world.known() && row.body.known() && row.world.determinant() != row.body.determinant()) {
    return "the axes of world and body must both be right-handed or both left-handed: no rotation leads from one to "
           "the "
           "other";
  }
  if (row.ball == Frame::kWorld) return "a ball joint's angular velocity is in axes of its child or of its parent";
  if (!(row.length >= 0 && row.length < 1e6)) return "length must be the metres in one unit";
  return "";
}

std::vector<std::string> describe_differences(const Convention& a, const Convention& b) {
  std::vector<std::string> sentences;
  for (const RowField& field : row_fields()) {
    const std::string in_a = field.get(a.row), in_b = field.get(b.row);
    if (in_a == in_b) continue;
    sentences.push_back(fmt::format("{} ({}): {} in {}, {} in {}", field.name, field.meaning, in_a, a.id, in_b, b.id));
  }
  return sentences;
}

}  // namespace torsor
