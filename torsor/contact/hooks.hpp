// User-defined collision functions of one simulation, for pairs of geom types. They replace the built-in ones. To
// filter contacts, see Data::contact_filter.
#pragma once

#include "torsor/contact/shape.hpp"
#include "torsor/model/data.hpp"

namespace torsor {

// A function that writes the contact points of two geoms that are at most `margin` apart, and returns their number, at
// most kMaxFieldPoints. geom_type[geom1] <= geom_type[geom2]. For each point it fills dist, pos_W, normal_W (unit, from
// geom1 to geom2) and tangent_W (zero: any); the engine fills the rest of the Contact. It may also call
// add_contact_point(). If it throws, the step is abandoned and the state is unchanged.
using CollisionFunction = Data::CollisionFunction;
// The types may be in either order; an empty function restores the built-in one. Pairs that never collide (two planes,
// for example) have no contacts even with a function.
void set_collision_function(Data& data, GeomType a, GeomType b, CollisionFunction function);
// Used by collide(); null if there is none.
const CollisionFunction* find_collision_function(const Data& data, GeomType a, GeomType b);

// Adds a contact, from within a collision function or Data::contact_source. Friction, solver parameters and margin come
// from the geoms, or from a predefined pair. Null if out of memory. Throws Error if the rows have already been made or
// the point is not finite.
Contact* add_contact_point(const Model& model, Data& data, int geom1, int geom2, const ContactPoint& point,
                           int predefined = -1);

}  // namespace torsor
