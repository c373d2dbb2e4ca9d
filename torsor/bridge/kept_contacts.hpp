// The contacts of one state, kept for a step from it: the argument of step() in the interfaces of Newton and SAP.
// Points are fixed to their bodies, so that they move with them during steps of several stages. A step uses points,
// normals and count as they are here, including edits.
#pragma once

#include <vector>

#include "torsor/model/data.hpp"

namespace torsor {

struct KeptContacts {
  int count = 0;
  std::vector<int> geom0, geom1;       // of the engine's model
  std::vector<int> pair;               // the contact/pair that its parameters come from; -1: the geoms
  std::vector<double> point0, point1;  // on each surface, in its body's frame
  std::vector<double> normal;          // unit, from the first surface to the second, in the world
  std::vector<double> tangent;         // direction of the first tangent, in the world
  std::vector<double> distance;        // between the points along the normal, negative: penetration; not read

  // Copies data.contact.
  void take(const Model& model, const Data& data);
  // Adds the contacts to data.contact, at the current poses of bodies. Throws an Error for lists of inconsistent
  // length, normals without unit length, and geoms that do not exist.
  void give(const Model& model, Data& data) const;
  // Removes all contacts.
  void clear();
};

// During its lifetime, a simulation uses these contacts instead of its own collision detection. `adapt` may change
// data.contact after each detection.
class ContactsGiven {
 public:
  using Adapt = void (*)(const Model&, Data&);
  ContactsGiven(Data& data, const KeptContacts& contacts, Adapt adapt = nullptr);
  ~ContactsGiven();
  ContactsGiven(const ContactsGiven&) = delete;
  ContactsGiven& operator=(const ContactsGiven&) = delete;

 private:
  Data& data_;
  std::function<void(const Model&, Data&)> before_;
};

}  // namespace torsor
