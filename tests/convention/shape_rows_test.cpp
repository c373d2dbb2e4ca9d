// Every row has an example worked by hand from its source, and no entry of a row can change without its example
// failing: laws alone cannot tell, because a wrong row is consistent with itself.
#include <gtest/gtest.h>

#include <numeric>
#include <set>

#include "shapes_support.hpp"
#include "torsor/core/error.hpp"

namespace torsor {
namespace {

using enum ShapeKind;
using Vec = Vec3<double>;
using Parameters = ShapeParameters;

// A form of the example that is read but not what we would write.
struct Variant {
  Parameters parameters;
  Vec size;
  Vec z_S;  // our axis z, seen in the frame of the system
  Vec p_SoCo_S = Vec::zero();
};

struct Example {
  const char* system;
  ShapeKind kind;
  Parameters parameters;  // what we write, with axis X where there is such an attribute
  Vec size;
  Vec z_S{0, 0, 1};
  std::vector<Variant> variants;
  std::vector<Parameters> refused;
};

Parameters list(const char* name, std::vector<double> numbers) { return {{name, std::move(numbers)}}; }
Parameters with_radius(const char* height, double value) { return {{"radius", 0.25}, {height, value}}; }
Parameters along(Parameters parameters, const char* axis) {
  parameters["axis"] = std::string(axis);
  return parameters;
}
Parameters fromto(double x, double y, double z) {
  return {{"fromto", std::vector<double>{0, 0, 0, x, y, z}}, {"size", 0.25}};
}

const Vec kRound{0.25, 0.75, 0}, kBlock{0.5, 1, 1.5}, kStretch{-1, 2, 3};
const Vec kAlongX{1, 0, 0}, kAlongY{0, 1, 0}, kAlongZ{0, 0, 1}, kOne{1, 1, 1};
const Variant kUnscaled{{}, kOne, kAlongZ};

Example usd_geom(ShapeKind kind) {
  return {"usd.geom",
          kind,
          along(with_radius("height", 1.5), "X"),
          kRound,
          kAlongX,
          {{with_radius("height", 1.5), kRound, kAlongZ}, {along(with_radius("height", 1.5), "Y"), kRound, kAlongY}},
          {}};
}
Example usd_physics(ShapeKind kind) {
  return {"usd.physics",
          kind,
          along(with_radius("halfHeight", 0.75), "X"),
          kRound,
          kAlongX,
          {{along(with_radius("halfHeight", 0.75), "Y"), kRound, kAlongY}},
          {with_radius("halfHeight", 0.75)}};  // its axis is never guessed
}

// Shapes of the same size throughout: a radius of 0.25 m and a height of 1.5 m, a box of 1 by 2 by 3 m, an ellipsoid as
// long, and a mesh that is mirrored in x and stretched in y and z.
const std::vector<Example>& examples() {
  static const std::vector<Example> kExamples = {
      {"newton", kSphere, {{"radius", 0.25}}, {0.25, 0, 0}, kAlongZ, {}, {}},
      {"newton", kBox, {{"hx", 0.5}, {"hy", 1.0}, {"hz", 1.5}}, kBlock, kAlongZ, {}, {}},
      {"newton", kCapsule, with_radius("half_height", 0.75), kRound, kAlongZ, {}, {}},
      {"newton", kCylinder, with_radius("half_height", 0.75), kRound, kAlongZ, {}, {}},
      {"newton", kCone, with_radius("half_height", 0.75), kRound, kAlongZ, {}, {}},
      {"newton", kEllipsoid, {{"rx", 0.5}, {"ry", 1.0}, {"rz", 1.5}}, kBlock, kAlongZ, {}, {}},
      // 2 y - 3 = 0 is the plane y = 1.5
      {"newton",
       kPlane,
       {{"width", 4.0}, {"length", 6.0}},
       {2, 3, 0},
       kAlongZ,
       {{{{"plane", std::vector<double>{0, 2, 0, -3}}, {"width", 4.0}, {"length", 6.0}},
         {2, 3, 0},
         kAlongY,
         {0, 1.5, 0}}},
       {{{"width", 4.0}}, {{"length", 4.0}}}},
      {"newton", kMesh, list("scale", {-1, 2, 3}), kStretch, kAlongZ, {kUnscaled}, {}},

      {"mujoco", kSphere, list("size", {0.25}), {0.25, 0, 0}, kAlongZ, {{{{"size", 0.25}}, {0.25, 0, 0}, kAlongZ}}, {}},
      {"mujoco",
       kBox,
       list("size", {0.5, 1, 1.5}),
       kBlock,
       kAlongZ,
       {{fromto(0, -2, 0), {0.25, 0.25, 1}, kAlongY, {0, -1, 0}}},
       {}},
      {"mujoco",
       kCapsule,
       list("size", {0.25, 0.75}),
       kRound,
       kAlongZ,
       {{fromto(-1.5, 0, 0), kRound, kAlongX, {-0.75, 0, 0}}},
       {}},
      {"mujoco",
       kCylinder,
       list("size", {0.25, 0.75}),
       kRound,
       kAlongZ,
       {{fromto(-1.5, 0, 0), kRound, kAlongX, {-0.75, 0, 0}}},
       {}},
      {"mujoco",
       kEllipsoid,
       list("size", {0.5, 1, 1.5}),
       kBlock,
       kAlongZ,
       {{fromto(0, -2, 0), {0.25, 0.25, 1}, kAlongY, {0, -1, 0}}},
       {}},
      {"mujoco",
       kPlane,
       list("size", {0, 0, 1}),
       {0, 0, 0},
       kAlongZ,
       {{list("size", {5, 6, 7}), {0, 0, 0}, kAlongZ}, {{}, {0, 0, 0}, kAlongZ}},
       {}},
      {"mujoco", kMesh, list("scale", {-1, 2, 3}), kStretch, kAlongZ, {kUnscaled}, {}},

      {"usd.geom", kSphere, {{"radius", 0.25}}, {0.25, 0, 0}, kAlongZ, {}, {}},
      // a box of 1 by 2 by 3 m is a unit cube, or one of 2 m, that is scaled
      {"usd.geom",
       kBox,
       {{"size", 1.0}, {"scale", std::vector<double>{1, 2, 3}}},
       kBlock,
       kAlongZ,
       {{{{"size", 2.0}, {"scale", std::vector<double>{0.5, 1, 1.5}}}, kBlock, kAlongZ},
        {{{"size", 3.0}}, {1.5, 1.5, 1.5}, kAlongZ}},
       {list("scale", {1, 2, 3})}},
      usd_geom(kCapsule),
      usd_geom(kCylinder),
      usd_geom(kCone),
      {"usd.geom", kMesh, list("scale", {-1, 2, 3}), kStretch, kAlongZ, {kUnscaled}, {}},

      {"usd.physics", kSphere, {{"radius", 0.25}}, {0.25, 0, 0}, kAlongZ, {}, {}},
      {"usd.physics", kBox, list("halfExtents", {0.5, 1, 1.5}), kBlock, kAlongZ, {}, {}},
      usd_physics(kCapsule),
      usd_physics(kCylinder),
      usd_physics(kCone),
      {"usd.physics", kMesh, list("meshScale", {-1, 2, 3}), kStretch, kAlongZ, {kUnscaled}, {}},

      {"urdf", kSphere, {{"radius", 0.25}}, {0.25, 0, 0}, kAlongZ, {}, {}},
      {"urdf", kBox, list("size", {1, 2, 3}), kBlock, kAlongZ, {}, {}},
      {"urdf", kCylinder, with_radius("length", 1.5), kRound, kAlongZ, {}, {}},
      {"urdf", kMesh, list("scale", {-1, 2, 3}), kStretch, kAlongZ, {kUnscaled}, {}},

      {"drake", kSphere, {{"radius", 0.25}}, {0.25, 0, 0}, kAlongZ, {}, {}},
      {"drake", kBox, {{"width", 1.0}, {"depth", 2.0}, {"height", 3.0}}, kBlock, kAlongZ, {}, {}},
      {"drake", kCapsule, with_radius("length", 1.5), kRound, kAlongZ, {}, {}},
      {"drake", kCylinder, with_radius("length", 1.5), kRound, kAlongZ, {}, {}},
      {"drake", kEllipsoid, {{"a", 0.5}, {"b", 1.0}, {"c", 1.5}}, kBlock, kAlongZ, {}, {}},
      {"drake", kPlane, {}, {0, 0, 0}, kAlongZ, {}, {}},
      {"drake", kMesh, list("scale", {-1, 2, 3}), kStretch, kAlongZ, {kUnscaled}, {}},

      {"physx", kSphere, {{"radius", 0.25}}, {0.25, 0, 0}, kAlongZ, {}, {}},
      {"physx", kBox, list("halfExtents", {0.5, 1, 1.5}), kBlock, kAlongZ, {}, {}},
      {"physx", kCapsule, with_radius("halfHeight", 0.75), kRound, kAlongX, {}, {}},
      {"physx", kPlane, {}, {0, 0, 0}, kAlongX, {}, {}},
      {"physx", kMesh, list("scale", {-1, 2, 3}), kStretch, kAlongZ, {kUnscaled}, {}},
  };
  return kExamples;
}

bool is_near(const Vec& a, const Vec& b) { return norm(a - b) < 1e-14; }

bool is_read_as(const ShapeRow& row, ShapeKind kind, const Variant& variant) {
  const PlacedShape placed = read_shape(row, variant.parameters);
  return placed.shape.kind == kind && is_near(placed.shape.size, variant.size) &&
         is_near(rotate(placed.X_SC.q, {0, 0, 1}), variant.z_S) && is_near(placed.X_SC.p, variant.p_SoCo_S);
}

bool is_refused(const ShapeRow& row, const Parameters& parameters) {
  try {
    read_shape(row, parameters);
    return false;
  } catch (const Error&) {
    return true;
  }
}

// The forms that also place a shape are there where an example has one, and nowhere else.
bool has_form(const Example& example, const char* name) {
  for (const Variant& variant : example.variants) {
    if (variant.parameters.contains(name)) return true;
  }
  return false;
}
bool refuses_other_forms(const ShapeRow& row, const Example& example) {
  for (const auto& [name, count] : {std::pair("fromto", 6), std::pair("plane", 4)}) {
    Parameters parameters = example.parameters;
    std::vector<double> numbers(static_cast<size_t>(count));
    std::iota(numbers.begin(), numbers.end(), 1.0);
    parameters[name] = numbers;
    if (has_form(example, name)) continue;
    if (!is_refused(row, parameters)) return false;
    // two points come with a single size
    for (auto& [other, value] : parameters) {
      if (auto* listed = std::get_if<std::vector<double>>(&value); listed && other != name) *listed = {1.0};
    }
    if (!is_refused(row, parameters)) return false;
  }
  return true;
}

// A length cannot be negative; a factor can, and the size that a plane is drawn with may be anything.
bool refuses_negative_lengths(const ShapeRow& row, const Example& example) {
  if (example.kind == kMesh || example.kind == kPlane) return true;
  for (const auto& [name, value] : example.parameters) {
    Parameters parameters = example.parameters;
    if (const auto* length = std::get_if<double>(&value)) {
      parameters[name] = -*length;
      if (!is_refused(row, parameters)) return false;
    }
    const auto* lengths = std::get_if<std::vector<double>>(&value);
    for (size_t i = 0; lengths && i < lengths->size(); ++i) {
      parameters[name] = *lengths;
      std::get<std::vector<double>>(parameters[name])[i] *= -1;
      if (!is_refused(row, parameters)) return false;
    }
  }
  return true;
}

// Whether a row says what the example says: read in all its forms, written in one, and refused where it must be.
bool holds(const ShapeRow& row, const Example& example) {
  try {
    if (!is_read_as(row, example.kind, {example.parameters, example.size, example.z_S})) return false;
    for (const Variant& variant : example.variants) {
      if (!is_read_as(row, example.kind, variant)) return false;
    }
    const WrittenShape written = write_shape(row, {example.kind, example.size}, 'X');
    if (written.parameters != example.parameters) return false;
    if (!is_near(rotate(written.X_TC.q, {0, 0, 1}), example.z_S)) return false;
  } catch (const Error&) {
    return false;
  }
  const auto is_refused_here = [&](const Parameters& parameters) { return is_refused(row, parameters); };
  return std::all_of(example.refused.begin(), example.refused.end(), is_refused_here) &&
         refuses_other_forms(row, example) && refuses_negative_lengths(row, example);
}

// All rows that differ from this one in one entry, apart from those that mean the same.
std::vector<ShapeRow> mutants(const ShapeRow& row) {
  std::vector<ShapeRow> all;
  const auto add = [&](auto change) { change(all.emplace_back(row)); };
  for (const ShapeKind kind : kAllKinds) {
    if (kind != row.kind) add([&](ShapeRow& mutant) { mutant.kind = kind; });
  }
  for (const Availability other : {Availability::kUnspecified, Availability::kAbsent})
    add([&](ShapeRow& mutant) { mutant.availability = other; });
  for (int axis = 0; axis <= static_cast<int>(ShapeAxis::kAttributeOrZ); ++axis) {
    const auto other = static_cast<ShapeAxis>(axis);
    const auto is_z = [](ShapeAxis a) { return a == ShapeAxis::kNone || a == ShapeAxis::kZ; };
    if (other != row.axis && !(is_z(other) && is_z(row.axis))) add([&](ShapeRow& mutant) { mutant.axis = other; });
  }
  for (const ShapePlacement other : {ShapePlacement::kNone, ShapePlacement::kEnds, ShapePlacement::kEquation}) {
    const bool needs_size = other == ShapePlacement::kEnds;
    if (other != row.placement && (row.slots[0].name || !needs_size))
      add([&](ShapeRow& mutant) { mutant.placement = other; });
  }
  add([](ShapeRow& mutant) { mutant.common = mutant.common ? nullptr : "common"; });
  if (row.common) add([](ShapeRow& mutant) { mutant.common = "common"; });
  for (int i = 0; i < 3; ++i) {
    if (!row.slots[i].name) {
      add([&](ShapeRow& mutant) { mutant.slots[i] = {"more", -1, Measure::kHalf}; });
      continue;
    }
    add([&](ShapeRow& mutant) { mutant.slots[i].name = "other"; });
    if (i > 0) add([&](ShapeRow& mutant) { mutant.slots[i].name = nullptr; });
    add([&](ShapeRow& mutant) { ++mutant.slots[i].index; });
    for (int measure = 0; measure <= static_cast<int>(Measure::kDrawing); ++measure) {
      const auto other = static_cast<Measure>(measure);
      if (other != row.slots[i].measure) add([&](ShapeRow& mutant) { mutant.slots[i].measure = other; });
    }
    for (int j = 0; j < i; ++j) add([&](ShapeRow& mutant) { std::swap(mutant.slots[i], mutant.slots[j]); });
  }
  return all;
}

const ShapeRow& row_of(const Example& example) { return find_shape_row(example.system, example.kind); }

TEST(ShapeRows, EveryRowSaysWhatItsExampleSays) {
  for (const Example& example : examples())
    EXPECT_TRUE(holds(row_of(example), example)) << example.system << " " << to_string(example.kind);
}

TEST(ShapeRows, EveryRowHasAnExampleAndASource) {
  std::set<std::pair<std::string, ShapeKind>> with_example, rows;
  for (const Example& example : examples()) with_example.emplace(example.system, example.kind);
  for (const ShapeRow& row : shape_rows()) {
    EXPECT_NE(std::string(row.source), "");
    EXPECT_NE(row.availability, Availability::kUnspecified);  // that is the meaning of no row
    if (row.availability != Availability::kPresent) continue;
    EXPECT_TRUE(rows.emplace(row.system, row.kind).second);
  }
  EXPECT_EQ(with_example, rows);
}

std::string describe(const ShapeRow& row) {
  std::string text = std::string(row.system) + " " + to_string(row.kind) + ", has it " +
                     std::to_string(int(row.availability)) + ", axis " + std::to_string(int(row.axis)) +
                     ", placement " + std::to_string(int(row.placement)) + ", common " +
                     (row.common ? row.common : "none");
  for (const ShapeSlot& slot : row.slots) {
    text += std::string(", ") + (slot.name ? slot.name : "none") + " " + std::to_string(slot.index) + " " +
            std::to_string(int(slot.measure));
  }
  return text;
}

TEST(ShapeRows, NoEntryOfARowCanChangeUnnoticed) {
  int count = 0;
  for (const Example& example : examples()) {
    for (const ShapeRow& mutant : mutants(row_of(example))) {
      EXPECT_FALSE(holds(mutant, example)) << describe(mutant);
      ++count;
    }
  }
  EXPECT_GT(count, 800);
}

TEST(ShapeRows, WhatIsAbsentIsAbsent) {
  std::set<std::pair<std::string, ShapeKind>> absent;
  for (const ShapeRow& row : shape_rows()) {
    if (row.availability == Availability::kAbsent) absent.emplace(row.system, row.kind);
  }
  const std::set<std::pair<std::string, ShapeKind>> expected = {
      {"mujoco", kCone},  {"usd.geom", kEllipsoid}, {"usd.physics", kEllipsoid},
      {"urdf", kCapsule}, {"urdf", kCone},          {"urdf", kEllipsoid},
      {"urdf", kPlane},   {"drake", kCone}};
  EXPECT_EQ(absent, expected);
}

}  // namespace
}  // namespace torsor
