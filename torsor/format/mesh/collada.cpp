// Numbers, ids and transforms of Collada files.
#include "torsor/format/mesh/collada.hpp"

#include <charconv>
#include <cmath>
#include <numbers>

#include <fmt/format.h>

#include "torsor/core/error.hpp"

namespace torsor::collada {
namespace {

bool is_space(char c) { return c == ' ' || c == '\n' || c == '\t' || c == '\r'; }

// Document types are skipped and their entities never expanded.
constexpr unsigned kParseFlags = pugi::parse_escapes | pugi::parse_cdata;

struct IdCollector : pugi::xml_tree_walker {
  std::unordered_map<std::string_view, pugi::xml_node>* ids;
  bool for_each(pugi::xml_node& node) override {
    if (const auto id = node.attribute("id")) ids->emplace(id.value(), node);
    return true;
  }
};

}  // namespace

void fail(std::string_view file_name, const std::string& what) {
  throw Error(fmt::format("Collada file '{}': {}", file_name, what));
}

Vec3<double> apply(const Affine& X_AB, const Vec3<double>& p_B) { return X_AB.A * p_B + X_AB.p; }
Affine operator*(const Affine& X_AB, const Affine& X_BC) { return {X_AB.A * X_BC.A, apply(X_AB, X_BC.p)}; }

File::File(Bytes bytes, std::string_view name) : name_(name) {
  const pugi::xml_parse_result result = document_.load_buffer(bytes.data(), bytes.size(), kParseFlags);
  if (!result) fail(fmt::format("the XML is malformed at byte {}: {}", result.offset, result.description()));
  if (std::string_view(root().name()) != "COLLADA")
    fail(fmt::format("the root element is <{}>, not <COLLADA>", root().name()));
  IdCollector collector;
  collector.ids = &by_id_;
  document_.traverse(collector);
}

pugi::xml_node File::find(const char* url, const char* what) const {
  const std::string_view text(url);
  if (text.starts_with('#')) {
    if (const auto found = by_id_.find(text.substr(1)); found != by_id_.end()) return found->second;
  }
  fail(text.empty() || text.starts_with('#')
           ? fmt::format("the {} '{}' does not exist", what, text)
           : fmt::format("the {} '{}' is in another file, which is not supported", what, text));
}

template <class T>
std::vector<T> File::read_all(pugi::xml_node element) const {
  std::vector<T> out;
  const std::string_view text = element.text().get();
  const char *at = text.data(), *end = at + text.size();
  while (true) {
    while (at < end && is_space(*at)) ++at;
    if (at == end) return out;
    if (*at == '+') ++at;
    T value{};
    const auto [rest, problem] = std::from_chars(at, end, value);
    if (problem != std::errc() || (rest < end && !is_space(*rest)))
      fail(fmt::format("<{}> has '{}' where a number should be", element.name(),
                       std::string_view(at, std::min<size_t>(20, static_cast<size_t>(end - at)))));
    if constexpr (std::is_floating_point_v<T>) {
      if (!std::isfinite(value)) fail(fmt::format("<{}> has a number that is not finite", element.name()));
    }
    out.push_back(value);
    at = rest;
  }
}

std::vector<double> File::numbers(pugi::xml_node element, int count) const {
  std::vector<double> out = read_all<double>(element);
  if (count >= 0 && out.size() != static_cast<size_t>(count))
    fail(fmt::format("<{}> has {} numbers instead of {}", element.name(), out.size(), count));
  return out;
}
std::vector<int> File::indices(pugi::xml_node element) const { return read_all<int>(element); }

double File::metres_per_unit() const {
  const pugi::xml_attribute meter = root().child("asset").child("unit").attribute("meter");
  if (!meter) return 1;
  const double size = meter.as_double();
  if (!(size > 0) || !std::isfinite(size)) fail(fmt::format("its unit of '{}' metres is not a length", meter.value()));
  return size;
}

Affine File::matrix(pugi::xml_node element) const {
  const std::vector<double> m = numbers(element, 16);  // rows after each other
  return {{m[0], m[1], m[2], m[4], m[5], m[6], m[8], m[9], m[10]}, {m[3], m[7], m[11]}};
}

Affine File::transform_of(pugi::xml_node node) const {
  Affine X;
  for (const pugi::xml_node child : node.children()) {
    const std::string_view name = child.name();
    if (name == "matrix" || name == "bind_shape_matrix") {
      X = X * matrix(child);
    } else if (name == "translate") {
      const auto t = numbers(child, 3);
      X = X * Affine{Mat3<double>::identity(), {t[0], t[1], t[2]}};
    } else if (name == "scale") {
      const auto s = numbers(child, 3);
      X = X * Affine{{s[0], 0, 0, 0, s[1], 0, 0, 0, s[2]}, {0, 0, 0}};
    } else if (name == "rotate") {
      const auto r = numbers(child, 4);
      const double length = std::hypot(r[0], r[1], r[2]), angle = r[3] * std::numbers::pi / 180;
      if (length == 0) continue;  // about no axis: exporters write it for no rotation
      const Vec3<double> k{r[0] / length, r[1] / length, r[2] / length};
      const double c = std::cos(angle), s = std::sin(angle);
      const auto turned = [&](const Vec3<double>& v) { return v * c + cross(k, v) * s + k * (dot(k, v) * (1 - c)); };
      X = X * Affine{mat_from_cols(turned({1, 0, 0}), turned({0, 1, 0}), turned({0, 0, 1})), {0, 0, 0}};
    } else if (name == "skew" || name == "lookat") {
      fail(fmt::format("<{}> in a node is not supported: matrix, translate, rotate, scale", name));
    }
  }
  return X;
}

}  // namespace torsor::collada
