// The parameters of a contact: those of a predefined pair, or those of two geoms, mixed.
#pragma once

#include "torsor/model/data.hpp"

namespace torsor {

// What both kinds of pairs say about a contact before it is known to exist.
struct ContactRange {
  double margin;     // rows are made while the distance is below it
  double detection;  // contacts are listed up to this distance
};

ContactRange contact_range(const Model& model, int geom1, int geom2);
ContactRange contact_range_of_pair(const Model& model, int pair);

// Fills dim, friction, solref, solreffriction and solimp.
void mix_parameters(const Model& model, int geom1, int geom2, Contact& contact);
void copy_parameters_of_pair(const Model& model, int pair, Contact& contact);
// SAP: stiffness and dissipation of a predefined pair, -1 for none, and of the geoms; moves pos to where surfaces of
// such stiffnesses meet.
void set_compliance(const Model& model, int pair, Contact& contact);

}  // namespace torsor
