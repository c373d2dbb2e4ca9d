// The parameters of a contact: those of a predefined pair, or those of two geoms, mixed.
#pragma once

#include "torsor/contact/shape.hpp"
#include "torsor/model/data.hpp"

namespace torsor {

// Distances of a pair of either kind that decide whether there is a contact.
struct ContactRange {
  double margin;     // rows are made while the distance is below it
  double detection;  // contacts are listed up to this distance
};

// Two geoms that may touch, and the predefined pair that names them, or -1.
struct ContactPair {
  int geom1, geom2, predefined;
};
ContactRange contact_range(const Model& model, const ContactPair& pair);
// Fills everything but the rows of a contact: its place, and the parameters of the pair.
void fill_contact(const Model& model, const ContactPair& pair, const ContactRange& range, const ContactPoint& point,
                  Contact& contact);
// The contacts of one pair, point by point: what they have in common is found once, and copied from one to the next.
class ContactMaker {
 public:
  // What they have in common, into a new contact.
  ContactMaker(const Model& model, const ContactPair& pair, const ContactRange& range, Contact& first);
  // The rest. `contact`: the first one at first, then a copy of the last.
  void place(const ContactPoint& point, Contact& contact);

 private:
  const Model& model_;
  int dim_;
  Vec3<double> normal_W_{0, 0, 0}, tangent_W_{0, 0, 0};  // of the last point
};
// Where pos lies between the first surface (0) and the second (1): midway or, for SAP, where surfaces of these
// stiffnesses meet.
double contact_share(const Model& model, const Contact& contact);

}  // namespace torsor
