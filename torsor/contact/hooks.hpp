// What users put in place of the engine's own collision of one simulation: functions for pairs of geom types. For a
// filter see Data::contact_filter.
#pragma once

#include "torsor/contact/shape.hpp"
#include "torsor/model/data.hpp"

namespace torsor {

// A function that writes the points of contact of two geoms that are at most `margin` apart, and returns how many, up
// to kMaxFieldPoints. geom_type[geom1] <= geom_type[geom2]. Of each point it fills dist, pos_W, normal_W (unit, from
// geom1 to geom2) and tangent_W (zero: any); the engine does the rest of the Contact. It may call add_contact_point()
// as well. What it throws abandons the step with the state as it was.
using CollisionFunction = Data::CollisionFunction;
// In either order of types; an empty function brings the engine's own back. Pairs that the engine never collides (two
// planes, say) stay without contacts.
void set_collision_function(Data& data, GeomType a, GeomType b, CollisionFunction function);
// For collide(): null where there is none.
const CollisionFunction* find_collision_function(const Data& data, GeomType a, GeomType b);

// One more contact, from within a collision function or Data::contact_source: friction, solver parameters and margin as
// the geoms say, or as a predefined pair says. Null when memory is used up. Throws Error once rows are made, or for a
// point that is not finite.
Contact* add_contact_point(const Model& model, Data& data, int geom1, int geom2, const ContactPoint& point,
                           int predefined = -1);

}  // namespace torsor
