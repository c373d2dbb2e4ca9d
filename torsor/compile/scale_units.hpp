// How the contents of frames with a scale change: factors of lengths, of units of length and mass, and of the
// coordinates, forces and controls that are measured in them.
#pragma once

#include <cmath>
#include <string>
#include <unordered_map>
#include <vector>

#include "torsor/compile/draft.hpp"
#include "torsor/math/mat3.hpp"

namespace torsor::compiler {

using Map = Mat3<double>;

// Factors of lengths, and of the units of length and mass. Frames with scaling="geometry" keep the units, and with them
// stiffnesses, gains and limits of force.
struct Units {
  double size = 1, length = 1, mass = 1;
  double force() const { return mass * length; }
  double torque() const { return mass * length * length; }
};

// For what joins two places, such as a contact pair.
inline Units mean(const Units& a, const Units& b) {
  return {std::sqrt(a.size * b.size), std::sqrt(a.length * b.length), std::sqrt(a.mass * b.mass)};
}

// A coordinate of a joint or the length of a tendon: factors of its values, of its unit, and of the force along it.
struct Coordinate {
  double value = 1, unit = 1, force = 1;
  // of the coefficient of the k-th power of the coordinate in a force
  double gain(int power = 1) const { return force / std::pow(unit, power); }
};

inline Coordinate linear(const Units& units, double value) { return {value, units.length, units.force()}; }
inline Coordinate linear(const Units& units) { return linear(units, units.size); }
inline Coordinate angular(const Units& units) { return {1, 1, units.torque()}; }

// How the contents of a frame or a body are scaled.
struct Scale {
  Map stretch = Map::identity();  // of positions, in the axes of the frame or body
  double mass = 1;                // factor of masses
  Units units;
  int node = 0;  // the innermost frame with a scale, in ScaleTree::nodes

  double volume() const;
  bool is_uniform() const;
};

// A frame with a scale.
struct ScaleNode {
  int parent = 0;
  Units units;
};

// Scales of places in the model, by name, for what refers to them.
struct ScaleTree {
  struct JointPlace {
    Coordinate coordinate;
    JointType type = JointType::kHinge;
    int node = 0;
    Units units;
  };
  std::vector<ScaleNode> nodes{ScaleNode{}};
  std::unordered_map<std::string, Scale> bodies, geoms, sites, cameras;
  std::unordered_map<std::string, JointPlace> joints;
  struct FreeBody {  // of a free or mocap body, p'_W = stretch p_W + offset
    Map stretch;
    Vec offset;
    double size = 1;
  };
  std::vector<std::vector<double>> slide_factors;  // of the joints of each body; 1 for those that do not slide
  std::vector<FreeBody> free_bodies;               // of the bodies of the Spec; the identity for others

  int common_node(int a, int b) const;
};

// Elements without a name are in the table too, under the empty one, but nobody refers to them by it.
template <class Table>
auto find_or_default(const Table& table, const std::string& name) {
  const auto found = name.empty() ? table.end() : table.find(name);
  return found == table.end() ? typename Table::mapped_type{} : found->second;
}

// A geom or site that shows a mesh or a height field, and the linear map of its vertices in its own axes.
struct AssetUse {
  std::string* name;
  Map stretch;
  bool is_hfield;
};

// The parts of apply_frame_scales(), in order: what frames hold, the meshes and height fields that it uses, and what
// refers to it.
ScaleTree scale_bodies(Spec& spec, Diagnostics& diagnostics, std::vector<AssetUse>& uses);
void make_instances(Spec& spec, const std::vector<AssetUse>& uses);
void scale_references(Spec& spec, const ScaleTree& tree, Diagnostics& diagnostics);

}  // namespace torsor::compiler
