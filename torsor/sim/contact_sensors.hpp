// Readings of sensors of contacts, limits, rays and distances. Each takes the id of a sensor of its type.
#pragma once

#include "torsor/model/data.hpp"

namespace torsor {

// Sum of the normal forces of the contacts of the site's body whose outward ray meets the site.
double read_touch(const Model& model, const Data& data, int id);

// Contacts between the objects of the sensor, selected and laid out by its parameters; unused slots are zero.
void read_contacts(const Model& model, const Data& data, int id, double* reading);

// Index of the row of the joint's or tendon's limit, -1 while the limit is not active.
int find_limit_row(const Model& model, const Data& data, int id);

// One ray along z of a site, or one for every pixel of a camera.
void read_rangefinder(const Model& model, const Data& data, int id, double* reading);

// Depths of the vertices of a mesh in the geoms that its body touches, and two sliding speeds of each.
void read_tactile(const Model& model, const Data& data, int id, double* reading);

// Distance, normal or segment between two geoms, or the nearest geoms of bodies; the cutoff limits the search.
void read_distance(const Model& model, const Data& data, int id, double* reading);

}  // namespace torsor
