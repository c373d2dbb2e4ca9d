// Models in worlds with other axes: sets the up axis of a new Spec, and converts a Spec from one world to another.
#pragma once

#include <vector>

#include "torsor/convention/axes.hpp"
#include "torsor/model/spec.hpp"

namespace torsor {

// Gravity in a world with these axes: downwards, of magnitude `size` in the world's unit of length.
Vec3<double> gravity_in(const Axes& world, double size);

// For a Spec that is built in a world with these axes: gravity keeps its magnitude and points down, and the model knows
// its axes (Spec::compiler.axes, Model::axes). Frames of bodies are x forward, y left, z up unless
// Spec::compiler.axes.body says otherwise.
//   Spec spec;
//   set_up_axis(spec, kYUp);   // gravity is (0, -9.81, 0)
void set_up_axis(Spec& spec, const Axes& world);

// The same model in another world: everything is rotated as a whole (bodies, static geoms, sites, cameras and lights of
// the world, gravity, wind, magnetic field, keyframes, mocap poses); elements of bodies keep their local axes. The
// model knows its new axes. Throws an Error for left-handed axes, which no rotation leads to: such worlds need other
// meshes too.
void turn_world(Spec& spec, const Axes& from, const Axes& to);

// Converts the vertices of a mesh (x y z in sequence) and its triangles: a change of handedness reverses their winding,
// so that they stay counter-clockwise seen from outside.
void convert_vertices(const Axes& from, const Axes& to, std::vector<float>& vertices);
void convert_winding(const Axes& from, const Axes& to, std::vector<int>& triangles);

}  // namespace torsor
