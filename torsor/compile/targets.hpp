// Names that elements refer to, in the final numbering.
#pragma once

#include <array>
#include <vector>

#include "torsor/compile/tree.hpp"

namespace torsor::compiler {

struct Targets {
  static constexpr size_t kObjectTypes = 32;

  struct Joint {
    const JointDraft* draft;
    int body, dof;
  };
  struct Geom {
    GeomType type;
    int body;
    bool collides;  // with some other geom, by its bits
  };
  // Names of all objects of a kind.
  const NameTable& names(ObjectType type) const;

  std::vector<Joint> joints;
  std::vector<Geom> geoms;
  std::vector<int> site_bodies;
  std::array<NameTable, kObjectTypes> tables;  // by kind
};

Targets list_targets(const Draft& draft, const Tree& tree);

}  // namespace torsor::compiler
