// The parameters of a contact: those of a predefined pair, or those of two geoms, mixed.
#pragma once

#include "torsor/contact/shape.hpp"
#include "torsor/model/data.hpp"

namespace torsor {

// What both kinds of pairs say about a contact before it is known to exist.
struct ContactRange {
  double margin;     // rows are made while the distance is below it
  double detection;  // contacts are listed up to this distance
};

// Who may touch: two geoms, and which predefined pair names them, -1 for none.
struct ContactPair {
  int geom1, geom2, predefined;
};
ContactRange contact_range(const Model& model, const ContactPair& pair);
// All of a contact but its rows: where it is, and the parameters of the pair.
void fill_contact(const Model& model, const ContactPair& pair, const ContactRange& range, const ContactPoint& point,
                  Contact& contact);
// Where pos lies on the way from the first surface to the second: midway, or, for SAP, where surfaces of their
// stiffnesses meet.
double contact_share(const Model& model, const Contact& contact);

}  // namespace torsor
