// What tendons and actuators refer to by name, in the final numbering.
#pragma once

#include <vector>

#include "torsor/compile/tree.hpp"

namespace torsor::compiler {

struct Targets {
  struct Joint {
    const JointDraft* draft;
    int body, dof;
  };
  struct Geom {
    GeomType type;
    int body;
  };
  NameTable body_names, joint_names, site_names, geom_names, tendon_names;
  std::vector<Joint> joints;
  std::vector<Geom> geoms;
  std::vector<int> site_bodies;
};

Targets list_targets(const Draft& draft, const Tree& tree);

}  // namespace torsor::compiler
