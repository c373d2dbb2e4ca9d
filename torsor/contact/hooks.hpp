// What users put in place of the engine's own collision: functions for pairs of geom types, and a filter. They hold for
// all models of the process; set them only while nothing is simulated. They may throw: the step is then abandoned with
// the state as it was.
#pragma once

#include <functional>

#include "torsor/contact/shape.hpp"
#include "torsor/model/data.hpp"

namespace torsor {

// Writes the points of contact of two geoms that are at most `margin` apart, and returns how many, up to
// kMaxFieldPoints. geom_type[geom1] <= geom_type[geom2]. Of each point it fills dist, pos_W, normal_W (unit, from geom1
// to geom2) and tangent_W (zero: any); the engine does the rest of the Contact. It may call add_contact_point() as
// well.
using CollisionFunction =
    std::function<int(const Model& model, Data& data, int geom1, int geom2, double margin, ContactPoint* out)>;
// In either order of types; an empty function brings the engine's own back. Pairs that the engine never collides (two
// planes, say) stay without contacts.
void set_collision_function(GeomType a, GeomType b, CollisionFunction function);

// Whether a pair that passed the model's own filters (masks, families, exclusions) is left out nevertheless.
using ContactFilter = std::function<bool(const Model& model, const Data& data, int geom1, int geom2)>;
void set_contact_filter(ContactFilter filter);

// One more contact, from within a collision function: friction, solver parameters and margin as the geoms say. Null
// when memory is used up. Throws Error once rows are made, or for a point that is not finite.
Contact* add_contact_point(const Model& model, Data& data, int geom1, int geom2, const ContactPoint& point);

// For collide(): null or empty where there is none.
const CollisionFunction* find_collision_function(GeomType a, GeomType b);
const ContactFilter& contact_filter();

}  // namespace torsor
