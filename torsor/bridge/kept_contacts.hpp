// The contacts of one state, kept for a step from it: what step() of the interfaces of Newton and SAP is given.
// Points are fixed to their bodies, so that they move along in steps of several stages. A step computes with points,
// normals and their number as they stand here: edits count.
#pragma once

#include <vector>

#include "torsor/model/data.hpp"

namespace torsor {

struct KeptContacts {
  int count = 0;
  std::vector<int> geom0, geom1;       // of the engine's model
  std::vector<int> pair;               // of contact/pair whose parameters it has, -1: those of the geoms
  std::vector<double> point0, point1;  // on each surface, in its body's frame
  std::vector<double> normal;          // unit, from the first surface to the second, in the world
  std::vector<double> tangent;         // where the first tangent should point, in the world
  std::vector<double> distance;        // of the two points along the normal, negative: how deep; not read

  // Takes over data.contact.
  void take(const Model& model, const Data& data);
  // Adds the contacts to data.contact, where bodies are now. Throws an Error for lists that do not fit together,
  // normals that are not of unit length, and geoms that do not exist.
  void give(const Model& model, Data& data) const;
  // None are left.
  void clear();
};

// While it lives, a simulation has these contacts instead of those that it would find.
class ContactsGiven {
 public:
  ContactsGiven(Data& data, const KeptContacts& contacts);
  ~ContactsGiven();
  ContactsGiven(const ContactsGiven&) = delete;
  ContactsGiven& operator=(const ContactsGiven&) = delete;

 private:
  Data& data_;
  std::function<void(const Model&, Data&)> before_;
};

}  // namespace torsor
