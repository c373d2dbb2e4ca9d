// A clip on a model and the ground below it: penetration, and which feet stand.
#pragma once

#include "torsor/bridge/motion/on_model.hpp"

namespace torsor {

// The lowest point of a body's geoms, in W; geoms that do not collide count only where a body has no others. +infinity
// for a body without geoms. Reads geom_xpos and geom_xmat.
double lowest_point(const Model& model, const Data& data, int body);

struct FootContactOptions {
  std::vector<std::string> feet{};  // names of bodies
  double ground = 0;                // height of the ground, m
  double height = 0.02;             // a foot stands if its lowest point is not higher than this above the ground, m
  double speed = 0.3;               // and its origin is not faster than this, m/s
};
struct FootContacts {
  std::vector<char> stands;     // frames x feet
  std::vector<double> heights;  // frames x feet: lowest point above the ground, m
  std::vector<double> speeds;   // frames x feet: of the body's origin, m/s
};
FootContacts find_foot_contacts(const Model& model, const MotionClip& clip, const FootContactOptions& options);

// Per frame: how deep the deepest point of the figure is below the ground, m; 0 where nothing is.
std::vector<double> ground_penetration(const Model& model, const MotionClip& clip, double ground = 0);

}  // namespace torsor
