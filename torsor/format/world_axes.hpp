// Models in worlds with other axes: the up axis of a new Spec, and turning a whole Spec from one world into another.
#pragma once

#include <vector>

#include "torsor/convention/axes.hpp"
#include "torsor/model/spec.hpp"

namespace torsor {

// Gravity in a world with these axes: downwards, `size` long in the world's unit of length.
Vec3<double> gravity_in(const Axes& world, double size);

// For a Spec that is built in a world with these axes: gravity keeps its size and points down there.
//   Spec spec;
//   set_up_axis(spec, kYUp);   // gravity is (0, -9.81, 0)
void set_up_axis(Spec& spec, const Axes& world);

// The same model in another world: everything in it is turned as a whole (bodies, static geoms, sites, cameras and
// lights of the world, gravity, wind, magnetic field, keyframes, mocap poses); what bodies carry keeps its own axes.
// Throws an Error for left-handed axes, in which no rotation leads: such worlds need other meshes too.
void turn_world(Spec& spec, const Axes& from, const Axes& to);

// Vertices of a mesh in other axes (x y z after each other), and its triangles: a change of hand turns their winding,
// so that they stay counter-clockwise seen from outside.
void convert_vertices(const Axes& from, const Axes& to, std::vector<float>& vertices);
void convert_winding(const Axes& from, const Axes& to, std::vector<int>& triangles);

}  // namespace torsor
