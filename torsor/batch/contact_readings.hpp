// Readings of touch and contact sensors from the contacts of a pack. Which contacts a sensor asks for, and in which
// order, differs from lane to lane, so that each lane is read by the functions of one world; contacts, rows and forces
// stay in packs.
#pragma once

#include <vector>

#include "torsor/batch/kernels/rows.hpp"
#include "torsor/sim/contact_reader.hpp"

namespace torsor {

template <class S>
class ContactReadings {
 public:
  // Numbers of the fields are those of packs, `width` lanes wide.
  void read(const Model& model, const PackContact<S>* contacts, int count, int width, const S* site_xpos,
            const S* site_xmat, S* sensordata);

 private:
  std::vector<int> list_;  // contacts of a lane
  std::vector<double> reading_;
};

}  // namespace torsor
