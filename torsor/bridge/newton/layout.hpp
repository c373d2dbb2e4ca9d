// Where the elements of a ModelBuilder are in the engine's model, and the Spec that it is compiled from.
#pragma once

#include "torsor/bridge/joint_system.hpp"
#include "torsor/bridge/newton/builder.hpp"

namespace torsor::newton {

// How an axis is driven: ctrl[control] = position * (target position + ref) + velocity * target velocity.
struct Drive {
  int control = -1;  // -1: none
  double position = 0, velocity = 0, ref = 0;
};

struct Layout {
  std::vector<int> body_engine;                // body of the engine, by Newton's body
  std::vector<int> body_joint;                 // the joint that holds the body
  std::vector<int> geom_shape;                 // shape, by geom
  std::vector<bool> joint_is_loop;             // closes a loop: an equality of the engine, without coordinates there
  std::vector<bool> joint_is_descendant_free;  // a free or distance joint on another body: three slides and a ball
  std::vector<std::string> joint_first;        // name of the engine's first joint, "" for fixed ones and loops
  std::vector<Drive> drives;                   // by axis
  int native_control = 0;                      // where controls of actuators from MJCF begin
  JointSystem system;                          // joints of the engine, for conversions of coordinates
  std::vector<std::string> order;              // names of these in Newton's order
};

// Throws an Error that names the invalid number of an axis.
void check_axis(const DofConfig& axis);
// Throws an Error that names the invalid entry of a list.
void check_lists(const ModelBuilder& builder);
// Finds the tree. Throws an Error for bodies without a joint, joints without an articulation, and loops.
Layout make_layout(const ModelBuilder& builder);
// Fills the rest of the layout. Throws for bodies that need a mass and have none.
Spec make_spec(const ModelBuilder& builder, Layout& layout);

// Whether the engine's rule that a parent and its child never collide matches the builder's settings. Otherwise, pairs
// of shapes are filtered.
bool filters_all_parents(const ModelBuilder& builder);

}  // namespace torsor::newton
