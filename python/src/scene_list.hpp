// Scenes that are listed in Python, geom by geom, as the renderer takes them.
#pragma once

#include <vector>

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

#include "torsor/render/renderer.hpp"

namespace torsor::python::scene_list {

namespace nb = nanobind;
using Numbers = nb::ndarray<const double, nb::ndim<2>, nb::c_contig, nb::device::cpu>;
using Skins = nb::ndarray<const float, nb::ndim<3>, nb::c_contig, nb::device::cpu>;
using Wholes = nb::ndarray<const int, nb::ndim<2>, nb::c_contig, nb::device::cpu>;

// Rows of geoms (scene_list.cpp has the columns) and of lights, among which is the headlight. Throws Error for arrays
// of other shapes, and for meshes that the model does not have.
render::DrawList make(const Model& model, const Numbers& numbers, const Wholes& wholes, const Numbers& lights);
// The skin of an instance among the vertices of all skins (two tables of rows of 3: points in the world, normals).
// Throws Error for tables of another size.
void read_skin(const Model& model, const Skins& skins, const render::Instance& instance, view::PosedSkin& posed);
// Position, forward, up; left, right, bottom, top at depth 1 (in metres if orthographic); near, far; orthographic.
render::Projection make_projection(const std::vector<double>& numbers);

}  // namespace torsor::python::scene_list
