// Converts parameters to shapes and back, using the rows.
#include "torsor/convention/shapes.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "torsor/core/error.hpp"

namespace torsor {
namespace {

using Vec = Vec3<double>;

constexpr const char* kKindNames[] = {"sphere", "box", "capsule", "cylinder", "cone", "ellipsoid", "plane", "mesh"};
constexpr double kMinLength = 1e-14;  // a shorter vector gives no direction

std::string nearest_hint(const std::string& name, const std::vector<std::string>& known) {
  const std::string nearest = find_nearest(name, known);
  return nearest.empty() ? "" : fmt::format(" (did you mean '{}'?)", nearest);
}

std::vector<std::string> systems() {
  std::vector<std::string> names;
  for (const ShapeRow& row : shape_rows()) {
    if (names.empty() || names.back() != row.system) names.emplace_back(row.system);
  }
  return names;
}

// "mujoco capsule: radius must be positive, got -1"
template <class... Arguments>
[[noreturn]] void fail(const ShapeRow& row, fmt::format_string<Arguments...> text, Arguments&&... arguments) {
  throw Error(fmt::format("{} {}: {}", row.system, to_string(row.kind),
                          fmt::format(text, std::forward<Arguments>(arguments)...)));
}

[[noreturn]] void refuse(std::string_view system, ShapeKind kind, Availability availability) {
  std::vector<std::string> owners;
  for (const ShapeRow& row : shape_rows()) {
    if (row.kind == kind && row.availability == Availability::kPresent) owners.emplace_back(row.system);
  }
  const char* reason = availability == Availability::kAbsent ? "{} has no {}; systems that have it: {}"
                                                             : "what {} means by a {} is unspecified; known for: {}";
  throw Error(fmt::format(fmt::runtime(reason), system, to_string(kind), fmt::join(owners, ", ")));
}

void check_present(const ShapeRow& row) {
  if (row.availability != Availability::kPresent) refuse(row.system, row.kind, row.availability);
}

bool has_axis_attribute(const ShapeRow& row) {
  return row.axis == ShapeAxis::kAttribute || row.axis == ShapeAxis::kAttributeOrZ;
}

// The names of all parameters of a row, with the lengths of lists (0 for a single number).
std::vector<std::pair<std::string, int>> known_parameters(const ShapeRow& row) {
  std::vector<std::pair<std::string, int>> known;
  if (row.common) known.emplace_back(row.common, 0);
  for (const ShapeSlot& slot : row.slots) {
    if (!slot.name) continue;
    const auto same = [&](const auto& entry) { return entry.first == slot.name; };
    const auto found = std::find_if(known.begin(), known.end(), same);
    if (found == known.end()) {
      known.emplace_back(slot.name, slot.index + 1);
    } else {
      found->second = std::max(found->second, slot.index + 1);
    }
  }
  if (has_axis_attribute(row)) known.emplace_back("axis", 0);
  if (row.placement == ShapePlacement::kEnds) known.emplace_back("fromto", 6);
  if (row.placement == ShapePlacement::kEquation) known.emplace_back("plane", 4);
  return known;
}

void check_names(const ShapeRow& row, const ShapeParameters& parameters) {
  std::vector<std::string> names;
  for (const auto& [name, length] : known_parameters(row)) names.push_back(name);
  for (const auto& [name, value] : parameters) {
    if (std::find(names.begin(), names.end(), name) != names.end()) continue;
    const std::string takes = names.empty() ? "no parameters" : fmt::format("{}", fmt::join(names, ", "));
    fail(row, "unknown parameter '{}'{}; it takes {}", name, nearest_hint(name, names), takes);
  }
}

// The `count` numbers of a parameter; a single number need not be a list.
std::vector<double> numbers_of(const ShapeRow& row, const ShapeParameters& parameters, const std::string& name,
                               size_t count) {
  const auto found = parameters.find(name);
  if (found == parameters.end()) fail(row, "parameter '{}' is missing", name);
  std::vector<double> numbers;
  if (const double* number = std::get_if<double>(&found->second)) numbers = {*number};
  if (const auto* list = std::get_if<std::vector<double>>(&found->second)) numbers = *list;
  if (std::holds_alternative<std::string>(found->second)) fail(row, "{} must be numbers, got text", name);
  if (numbers.size() != count) fail(row, "{} must be {} number(s), got {}", name, count, numbers.size());
  for (const double number : numbers) {
    if (!std::isfinite(number)) fail(row, "{} must be finite, got {}", name, number);
  }
  return numbers;
}

size_t list_length(const ShapeRow& row, const char* name) {
  for (const auto& [known, length] : known_parameters(row)) {
    if (known == name) return static_cast<size_t>(std::max(length, 1));
  }
  return 1;
}

// One number of SizedShape::size, as its slot measures it.
double read_slot(const ShapeRow& row, const ShapeSlot& slot, const ShapeParameters& parameters) {
  if (slot.measure == Measure::kDrawing && !parameters.contains(slot.name)) return 0;
  const bool is_factor = row.common || slot.measure == Measure::kFactor;  // 1 if omitted
  if (is_factor && !parameters.contains(slot.name)) return slot.measure == Measure::kFull ? 0.5 : 1;
  const double number =
      numbers_of(row, parameters, slot.name, list_length(row, slot.name))[static_cast<size_t>(std::max(slot.index, 0))];
  switch (slot.measure) {
    case Measure::kHalf:
    case Measure::kFactor:
      return number;
    case Measure::kFull:
      return number / 2;
    case Measure::kDrawing:
      return 0;
    case Measure::kUnspecified:
      break;
  }
  fail(row, "how {} is measured is unspecified", slot.name);
}

void check_size(const ShapeRow& row, const SizedShape& shape) {
  if (shape.kind == ShapeKind::kPlane) {
    const bool is_endless = shape.size.x == 0 && shape.size.y == 0;
    if (!is_endless && !(shape.size.x > 0 && shape.size.y > 0))
      fail(row, "width and length must both be positive, or both 0 for an infinite plane");
    return;
  }
  for (int i = 0; i < 3; ++i) {
    const ShapeSlot& slot = row.slots[i];
    const bool is_factor = slot.measure == Measure::kFactor;
    if (slot.name && !(is_factor ? shape.size[i] != 0 : shape.size[i] > 0))
      fail(row, "{} must be {}, got {}", slot.name, is_factor ? "other than 0" : "positive", shape.size[i]);
  }
}

// The smallest rotation that takes z to a direction; about x if that is -z.
Quat<double> turn_z_to(const Vec& direction) {
  const Vec d = direction / norm(direction);
  if (d.z < -1 + 1e-15) return {0, 1, 0, 0};
  return normalized(Quat<double>{1 + d.z, -d.y, d.x, 0});
}

// q_SC: takes z, our axis, to the axis of the system.
Quat<double> turn_z_to_axis(const ShapeRow& row, char letter) {
  switch (letter) {
    case 'X':
      return turn_z_to({1, 0, 0});
    case 'Y':
      return turn_z_to({0, 1, 0});
    case 'Z':
      return Quat<double>::identity();
  }
  fail(row, "axis must be X, Y or Z");
}

char read_axis(const ShapeRow& row, const ShapeParameters& parameters) {
  switch (row.axis) {
    case ShapeAxis::kX:
      return 'X';
    case ShapeAxis::kY:
      return 'Y';
    case ShapeAxis::kNone:
    case ShapeAxis::kZ:
      return 'Z';
    case ShapeAxis::kAttribute:
    case ShapeAxis::kAttributeOrZ:
      break;
    case ShapeAxis::kUnspecified:
      fail(row, "its axis is unspecified");
  }
  const auto found = parameters.find("axis");
  if (found == parameters.end()) {
    if (row.axis == ShapeAxis::kAttributeOrZ) return 'Z';
    fail(row, "parameter 'axis' is missing");
  }
  const auto* text = std::get_if<std::string>(&found->second);
  if (!text || text->size() != 1) fail(row, "axis must be X, Y or Z");
  return (*text)[0];
}

// MuJoCo's fromto: z points from the second point to the first, and the first size is the width in both directions.
PlacedShape read_ends(const ShapeRow& row, const ShapeParameters& parameters) {
  const std::vector<double> ends = numbers_of(row, parameters, "fromto", 6);
  const double width = numbers_of(row, parameters, row.slots[0].name, 1)[0];
  const Vec from = load3(ends.data()), to = load3(ends.data() + 3);
  const double length = norm(from - to);
  if (!(length > kMinLength)) fail(row, "the points of fromto are too close to give a direction");
  PlacedShape placed;
  const bool has_three_sizes = row.slots[2].name != nullptr;
  placed.shape = {row.kind, has_three_sizes ? Vec{width, width, length / 2} : Vec{width, length / 2, 0}};
  placed.X_SC = {(from + to) * 0.5, turn_z_to(from - to)};
  return placed;
}

// a x + b y + c z + d = 0: the normal is (a, b, c), of any length.
Pose<double> read_equation(const ShapeRow& row, const ShapeParameters& parameters) {
  const std::vector<double> plane = numbers_of(row, parameters, "plane", 4);
  const Vec normal = load3(plane.data());
  const double length = norm(normal);
  if (!(length > kMinLength)) fail(row, "the normal (a, b, c) of plane is too short to give a direction");
  return {normal * (-plane[3] / (length * length)), turn_z_to(normal)};
}

// A cube is written by its edge alone; other boxes by a unit edge and factors.
void write_with_common(const ShapeRow& row, const SizedShape& shape, ShapeParameters& parameters) {
  const Vec edges = shape.size * (row.slots[0].measure == Measure::kFull ? 2.0 : 1.0);
  const bool is_cube = edges.x == edges.y && edges.y == edges.z;
  parameters[row.common] = is_cube ? edges.x : 1.0;
  if (!is_cube) parameters[row.slots[0].name] = std::vector<double>{edges.x, edges.y, edges.z};
}

void write_slot(const ShapeRow& row, const ShapeSlot& slot, double canonical, ShapeParameters& parameters) {
  double number = canonical;
  if (slot.measure == Measure::kUnspecified) fail(row, "how {} is measured is unspecified", slot.name);
  if (slot.measure == Measure::kFull) number = 2 * canonical;
  if (slot.measure == Measure::kDrawing) number = 1;  // the grid's spacing, which must be positive
  if (slot.index < 0) {
    parameters[slot.name] = number;
    return;
  }
  ShapeValue& value = parameters[slot.name];
  if (!std::holds_alternative<std::vector<double>>(value))
    value = std::vector<double>(list_length(row, slot.name), 0.0);
  std::get<std::vector<double>>(value)[static_cast<size_t>(slot.index)] = number;
}

// A finite plane cannot be converted to a system with infinite planes only.
void check_plane_fits(const ShapeRow& row, const SizedShape& shape) {
  const bool has_ends = row.slots[0].name && row.slots[0].measure != Measure::kDrawing;
  if (shape.kind == ShapeKind::kPlane && !has_ends && (shape.size.x != 0 || shape.size.y != 0))
    fail(row, "its planes are infinite, this one is {} by {} m; use a thin box instead", 2 * shape.size.x,
         2 * shape.size.y);
}

}  // namespace

const char* to_string(ShapeKind kind) { return kKindNames[static_cast<int>(kind)]; }

ShapeKind parse_shape_kind(std::string_view name) {
  const auto found = std::find(std::begin(kKindNames), std::end(kKindNames), name);
  if (found != std::end(kKindNames)) return static_cast<ShapeKind>(found - std::begin(kKindNames));
  const std::vector<std::string> known(std::begin(kKindNames), std::end(kKindNames));
  throw Error(fmt::format("unknown shape '{}'{}; known: {}", name, nearest_hint(std::string(name), known),
                          fmt::join(known, ", ")));
}

const ShapeRow& find_shape_row(std::string_view system, ShapeKind kind) {
  for (const ShapeRow& row : shape_rows()) {
    if (row.system == system && row.kind == kind) {
      check_present(row);
      return row;
    }
  }
  const std::vector<std::string> known = systems();
  if (std::find(known.begin(), known.end(), system) != known.end()) refuse(system, kind, Availability::kUnspecified);
  throw Error(fmt::format("unknown system '{}'{}; known: {}", system, nearest_hint(std::string(system), known),
                          fmt::join(known, ", ")));
}

PlacedShape read_shape(const ShapeRow& row, const ShapeParameters& parameters) {
  check_present(row);
  check_names(row, parameters);
  PlacedShape placed;
  if (row.placement == ShapePlacement::kEnds && parameters.contains("fromto")) {
    placed = read_ends(row, parameters);
  } else {
    placed.shape.kind = row.kind;
    for (int i = 0; i < 3; ++i) {
      if (row.slots[i].name) placed.shape.size[i] = read_slot(row, row.slots[i], parameters);
    }
    if (row.common) placed.shape.size = placed.shape.size * numbers_of(row, parameters, row.common, 1)[0];
    placed.X_SC.q = turn_z_to_axis(row, read_axis(row, parameters));
    if (row.placement == ShapePlacement::kEquation && parameters.contains("plane"))
      placed.X_SC = read_equation(row, parameters);
  }
  check_size(row, placed.shape);
  return placed;
}

WrittenShape write_shape(const ShapeRow& row, const SizedShape& shape, char axis) {
  check_present(row);
  check_size(row, shape);
  check_plane_fits(row, shape);
  WrittenShape written;
  if (row.common) write_with_common(row, shape, written.parameters);
  for (int i = 0; i < 3; ++i) {
    if (row.slots[i].name && !row.common) write_slot(row, row.slots[i], shape.size[i], written.parameters);
  }
  const Quat<double> q_of_letter = turn_z_to_axis(row, axis);  // checks the letter, used or not
  if (has_axis_attribute(row)) {
    written.parameters["axis"] = std::string(1, axis);
    written.X_TC.q = q_of_letter;
  } else {
    written.X_TC.q = turn_z_to_axis(row, read_axis(row, {}));
  }
  return written;
}

ShapeParameters write_fromto(const SizedShape& shape, const Pose<double>& X_BC) {
  const ShapeRow& row = find_shape_row("mujoco", shape.kind);
  check_size(row, shape);
  if (row.placement != ShapePlacement::kEnds) fail(row, "it has no fromto");
  const bool has_three_sizes = row.slots[2].name != nullptr;
  if (has_three_sizes && shape.size.x != shape.size.y) fail(row, "fromto needs equal width and depth");
  const Vec half{0, 0, has_three_sizes ? shape.size.z : shape.size.y};
  const Vec from = apply(X_BC, half), to = apply(X_BC, -half);
  return {{"fromto", std::vector<double>{from.x, from.y, from.z, to.x, to.y, to.z}},
          {row.slots[0].name, std::vector<double>{shape.size.x}}};
}

ConvertedShape convert_shape(ShapeKind kind, const ShapeParameters& parameters, std::string_view source,
                             std::string_view target, char axis) {
  const ShapeRow &source_row = find_shape_row(source, kind), &target_row = find_shape_row(target, kind);
  const PlacedShape placed = read_shape(source_row, parameters);
  WrittenShape written = write_shape(target_row, placed.shape, axis);
  const Pose<double> X_ST = placed.X_SC * inverse(written.X_TC);
  return {std::move(written.parameters), {X_ST.p, renormalized(X_ST.q)}};
}

}  // namespace torsor
