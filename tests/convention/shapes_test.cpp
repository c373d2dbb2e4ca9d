// Shapes in the words of every system: the space that they fill stays the same, in all pairs and round trips; bad
// parameters are errors that say what was wrong. The rows themselves are in shape_rows_test.cpp.
#include "torsor/convention/shapes.hpp"

#include <gtest/gtest.h>

#include "shapes_support.hpp"
#include "torsor/core/error.hpp"

namespace torsor {
namespace {

// Calls law(source, target) for all pairs of systems that have the shape.
template <class Law>
void for_all_pairs(ShapeKind kind, Law law) {
  for (const std::string& source : owners(kind)) {
    for (const std::string& target : owners(kind)) {
      SCOPED_TRACE(std::string(to_string(kind)) + " from " + source + " to " + target);
      law(source, target);
    }
  }
}

void expect_same_parameters(const ShapeParameters& a, const ShapeParameters& b) {
  ASSERT_EQ(a.size(), b.size());
  for (const auto& [name, value] : a) {
    ASSERT_TRUE(b.contains(name)) << name;
    ASSERT_EQ(value.index(), b.at(name).index()) << name;
    if (const auto* text = std::get_if<std::string>(&value)) {
      EXPECT_EQ(*text, std::get<std::string>(b.at(name)));
    } else if (std::holds_alternative<double>(value)) {
      EXPECT_NEAR_REL(number(a, name.c_str()), number(b, name.c_str()), 1e-15);
    } else {
      EXPECT_NEAR_REL(numbers(a, name.c_str()), numbers(b, name.c_str()), 1e-15);
    }
  }
}

void expect_error(const std::function<void()>& call, const std::string& part) {
  try {
    call();
    ADD_FAILURE() << "no error, expected one with: " << part;
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find(part), std::string::npos) << error.what();
  }
}

TEST(Shapes, AConversionFillsTheSameSpace) {
  int inside = 0, outside = 0;
  for_all(20, [&](Random& random) {
    for (const ShapeKind kind : kAllKinds) {
      if (kind == ShapeKind::kMesh) continue;  // its triangles are elsewhere
      for_all_pairs(kind, [&](const std::string& source, const std::string& target) {
        const WrittenShape written =
            write_shape(find_shape_row(source, kind), random_shape(random, kind), random_axis(random));
        const ConvertedShape converted = convert_shape(kind, written.parameters, source, target, random_axis(random));
        for (int i = 0; i < 50; ++i) {
          const Vec3<double> p_S = random.vec3(1.2), p_T = apply(inverse(converted.X_ST), p_S);
          const bool is_inside = fills(source, kind, written.parameters, p_S);
          EXPECT_EQ(is_inside, fills(target, kind, converted.parameters, p_T));
          ++(is_inside ? inside : outside);
        }
      });
    }
  });
  EXPECT_GT(inside, 10'000);
  EXPECT_GT(outside, 10'000);
}

TEST(Shapes, ThereAndBackChangesNothing) {
  for_all(20, [](Random& random) {
    for (const ShapeKind kind : kAllKinds) {
      for_all_pairs(kind, [&](const std::string& source, const std::string& target) {
        const char axis = random_axis(random);
        const ShapeParameters start =
            write_shape(find_shape_row(source, kind), random_shape(random, kind), axis).parameters;
        const ConvertedShape there = convert_shape(kind, start, source, target, random_axis(random));
        const ConvertedShape back = convert_shape(kind, there.parameters, target, source, axis);
        expect_same_parameters(start, back.parameters);
        EXPECT_NEAR_REL(there.X_ST * back.X_ST, Pose<double>::identity(), kRounding);
      });
    }
  });
}

TEST(Shapes, ADetourChangesNothing) {
  for_all(20, [](Random& random) {
    for (const ShapeKind kind : kAllKinds) {
      for_all_pairs(kind, [&](const std::string& source, const std::string& target) {
        const std::vector<std::string> all = owners(kind);
        const std::string& middle = all[static_cast<size_t>(random.integer(0, static_cast<int>(all.size()) - 1))];
        const char axis = random_axis(random);
        const ShapeParameters start =
            write_shape(find_shape_row(source, kind), random_shape(random, kind), random_axis(random)).parameters;
        const ConvertedShape first = convert_shape(kind, start, source, middle, random_axis(random));
        const ConvertedShape second = convert_shape(kind, first.parameters, middle, target, axis);
        const ConvertedShape direct = convert_shape(kind, start, source, target, axis);
        expect_same_parameters(second.parameters, direct.parameters);
        EXPECT_TRUE(is_same_rotation((first.X_ST * second.X_ST).q, direct.X_ST.q, kRounding));
      });
    }
  });
}

TEST(Shapes, ACapsuleAlongZBecomesOneAlongXByAQuarterTurnBackAboutY) {
  const ConvertedShape capsule =
      convert_shape(ShapeKind::kCapsule, {{"radius", 0.1}, {"length", 1.0}}, "drake", "physx");
  expect_same_parameters(capsule.parameters, {{"radius", 0.1}, {"halfHeight", 0.5}});
  EXPECT_NEAR_REL(capsule.X_ST.q, (Quat<double>{std::sqrt(0.5), 0, -std::sqrt(0.5), 0}), 1e-15);
  EXPECT_NEAR_REL(rotate(capsule.X_ST.q, {1, 0, 0}), (Vec3<double>{0, 0, 1}), 1e-15);
}

TEST(Shapes, ABoxThatIsNoCubeNeedsAScaleInUsd) {
  const ShapeParameters box =
      convert_shape(ShapeKind::kBox, {{"size", std::vector{0.2, 0.4, 0.6}}}, "urdf", "usd.geom").parameters;
  expect_same_parameters(box, {{"size", 1.0}, {"scale", std::vector{0.2, 0.4, 0.6}}});
  const ShapeParameters cube =
      convert_shape(ShapeKind::kBox, {{"size", std::vector{0.4, 0.4, 0.4}}}, "urdf", "usd.geom").parameters;
  expect_same_parameters(cube, {{"size", 0.4}});
}

// MuJoCo 3.12 compiles this capsule to size 0.1 1.5, pos 0.5 1 1, quat 0.40824829 0.81649658 -0.40824829 0: half angles
// of the turn from z to (-1, -2, -2) / 3.
TEST(Shapes, PointsOfMujocoPlaceTheShapeToo) {
  const ShapeParameters ends{{"fromto", std::vector<double>{0, 0, 0, 1, 2, 2}}, {"size", 0.1}};
  for (const ShapeKind kind : {ShapeKind::kCapsule, ShapeKind::kCylinder, ShapeKind::kBox, ShapeKind::kEllipsoid}) {
    SCOPED_TRACE(to_string(kind));
    const PlacedShape placed = read_shape(find_shape_row("mujoco", kind), ends);
    EXPECT_NEAR_REL(placed.shape.size, is_revolved(kind) ? Vec3<double>(0.1, 1.5, 0) : Vec3<double>(0.1, 0.1, 1.5),
                    1e-15);
    EXPECT_NEAR_REL(placed.X_SC.p, (Vec3<double>{0.5, 1, 1}), 1e-15);
    EXPECT_NEAR_REL(placed.X_SC.q, (Quat<double>{std::sqrt(1 / 6.0), std::sqrt(2 / 3.0), -std::sqrt(1 / 6.0), 0}),
                    1e-15);
    EXPECT_NEAR_REL(numbers(write_fromto(placed.shape, placed.X_SC), "fromto"), numbers(ends, "fromto"), 1e-15);
  }
  const PlacedShape upside_down = read_shape(find_shape_row("mujoco", ShapeKind::kCapsule),
                                             {{"fromto", std::vector<double>{0, 0, 0, 0, 0, 2}}, {"size", 0.1}});
  EXPECT_NEAR_REL(upside_down.X_SC.q, (Quat<double>{0, 1, 0, 0}), 1e-15);
}

TEST(Shapes, PointsAndWhatTheyBecomeFillTheSameSpace) {
  for_all(200, [](Random& random) {
    const Vec3<double> from = random.vec3(), to = random.vec3();
    const double radius = random.uniform(0.1, 0.5);
    const ConvertedShape drake =
        convert_shape(ShapeKind::kCapsule,
                      {{"fromto", std::vector<double>{from.x, from.y, from.z, to.x, to.y, to.z}}, {"size", radius}},
                      "mujoco", "drake");
    for (int i = 0; i < 50; ++i) {
      const Vec3<double> p = random.vec3(1.5), along = to - from;
      const double nearest = std::clamp(dot(p - from, along) / dot(along, along), 0.0, 1.0);
      EXPECT_EQ(norm(p - from - along * nearest) <= radius,
                fills("drake", ShapeKind::kCapsule, drake.parameters, apply(inverse(drake.X_ST), p)));
    }
  });
}

TEST(Shapes, ThePlaneOfAnEquationIsWhereTheEquationHolds) {
  for_all(200, [](Random& random) {
    const Vec3<double> normal = random.unit_vec3() * random.uniform(0.1, 5);
    const double d = random.uniform(-1, 1);
    const ConvertedShape plane = convert_shape(
        ShapeKind::kPlane,
        {{"plane", std::vector<double>{normal.x, normal.y, normal.z, d}}, {"width", 0.0}, {"length", 0.0}}, "newton",
        "physx");
    for (int i = 0; i < 20; ++i) {
      const Vec3<double> p = random.vec3(2);
      EXPECT_EQ(dot(normal, p) + d <= 0,
                fills("physx", ShapeKind::kPlane, plane.parameters, apply(inverse(plane.X_ST), p)));
    }
  });
}

TEST(Shapes, OnlyEndlessPlanesBecomeMujocos) {
  const ShapeParameters endless{{"width", 0.0}, {"length", 0.0}}, finite{{"width", 2.0}, {"length", 3.0}};
  expect_same_parameters(convert_shape(ShapeKind::kPlane, endless, "newton", "mujoco").parameters,
                         {{"size", std::vector<double>{0, 0, 1}}});
  for (const char* target : {"mujoco", "drake", "physx"})
    expect_error([&] { convert_shape(ShapeKind::kPlane, finite, "newton", target); },
                 "its planes are infinite, this one is 2 by 3 m");
  // MuJoCo draws a rectangle and collides an infinite plane
  expect_same_parameters(
      convert_shape(ShapeKind::kPlane, {{"size", std::vector<double>{5, 6, 1}}}, "mujoco", "newton").parameters,
      endless);
}

TEST(Shapes, WhatASystemLacksIsAnErrorThatNamesWhoHasIt) {
  const ShapeParameters cone{{"radius", 0.1}, {"half_height", 0.2}};
  for (const char* target : {"mujoco", "urdf", "drake"})
    expect_error([&] { convert_shape(ShapeKind::kCone, cone, "newton", target); },
                 std::string(target) + " has no cone; systems that have it: newton, usd.geom, usd.physics");
  expect_error([&] { convert_shape(ShapeKind::kCapsule, cone, "newton", "urdf"); },
               "urdf has no capsule; systems that have it: newton, mujoco, usd.geom, usd.physics, drake, physx");
  expect_error([&] { convert_shape(ShapeKind::kCone, cone, "newton", "physx"); },
               "what physx means by a cone is unspecified; known for: newton, usd.geom, usd.physics");
}

TEST(Shapes, BadParametersAreErrorsThatNameThem) {
  const auto read = [](const char* system, ShapeKind kind, const ShapeParameters& parameters) {
    return [=] { read_shape(find_shape_row(system, kind), parameters); };
  };
  using enum ShapeKind;
  const std::vector<double> two{1, 2}, close{1, 1, 1, 1, 1, 1};
  expect_error(read("drake", kCapsule, {{"radius", 0.1}}), "drake capsule: parameter 'length' is missing");
  expect_error(read("drake", kCapsule, {{"radius", 0.1}, {"lenght", 1.0}}), "'lenght' (did you mean 'length'?)");
  expect_error(read("drake", kPlane, {{"size", 1.0}}), "it takes no parameters");
  expect_error(read("drake", kSphere, {{"radius", -0.1}}), "radius must be positive, got -0.1");
  expect_error(read("drake", kSphere, {{"radius", 0.0}}), "radius must be positive, got 0");
  expect_error(read("drake", kSphere, {{"radius", NAN}}), "radius must be finite");
  expect_error(read("drake", kSphere, {{"radius", std::string("big")}}), "radius must be numbers, got text");
  expect_error(read("drake", kSphere, {{"radius", two}}), "radius must be 1 number(s), got 2");
  expect_error(read("mujoco", kBox, {{"size", two}}), "size must be 3 number(s), got 2");
  expect_error(read("mujoco", kCapsule, {{"fromto", close}, {"size", 0.1}}), "too close to give a direction");
  expect_error(read("mujoco", kCapsule, {{"fromto", two}, {"size", 0.1}}), "fromto must be 6 number(s), got 2");
  expect_error(read("newton", kPlane, {{"width", 1.0}, {"length", 0.0}}), "both be positive, or both 0");
  expect_error(read("newton", kPlane, {{"width", 0.0}, {"length", 0.0}, {"plane", std::vector<double>(4)}}),
               "too short to give a direction");
  expect_error(read("usd.physics", kCone, {{"radius", 0.1}, {"halfHeight", 1.0}}), "parameter 'axis' is missing");
  expect_error(read("usd.geom", kCone, {{"radius", 0.1}, {"height", 1.0}, {"axis", std::string("W")}}),
               "axis must be X, Y or Z");
  expect_error(read("urdf", kMesh, {{"scale", std::vector<double>{1, 0, 1}}}), "scale must be other than 0");
  expect_error([] { find_shape_row("mujocco", kBox); }, "unknown system 'mujocco' (did you mean 'mujoco'?)");
  expect_error([] { parse_shape_kind("kapsule"); }, "unknown shape 'kapsule' (did you mean 'capsule'?)");
  expect_error([] { convert_shape(kSphere, {{"radius", 1.0}}, "drake", "usd.geom", 'W'); }, "axis must be X, Y or Z");
  expect_error([] { write_fromto({kBox, {1, 2, 3}}, Pose<double>::identity()); }, "equal width and depth");
  expect_error([] { write_fromto({kSphere, {1, 0, 0}}, Pose<double>::identity()); }, "it has no fromto");
}

}  // namespace
}  // namespace torsor
