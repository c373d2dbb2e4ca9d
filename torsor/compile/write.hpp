// Writing a finished Draft into the arrays of a Model.
#pragma once

#include "torsor/compile/compile.hpp"
#include "torsor/compile/tree.hpp"

namespace torsor::compiler {

void write_bodies(const Draft& draft, const Tree& tree, Model& model);   // write_bodies.cpp
void write_joints(const Draft& draft, const Tree& tree, Model& model);   // write_joints.cpp
void write_geoms(const Draft& draft, const Tree& tree, Model& model);    // write_geoms.cpp
void write_sites(const Draft& draft, const Tree& tree, Model& model);    // write_geoms.cpp
void write_cameras(const Draft& draft, const Tree& tree, Model& model);  // cameras_lights.cpp
void write_lights(const Draft& draft, const Tree& tree, Model& model);   // cameras_lights.cpp
void write_contacts(const Draft& draft, Model& model);                   // contacts.cpp
void write_equalities(const Draft& draft, Model& model);                 // equalities.cpp
void write_tendons(const Draft& draft, Model& model);                    // write_tendons.cpp
void write_actuators(const Draft& draft, Model& model);  // write_actuators.cpp, after joints and tendons
void write_assets(const Draft& draft, Model& model);     // write_assets.cpp
void write_skins(const Draft& draft, const Tree& tree, Model& model);
void write_custom(const Draft& draft, Model& model);   // custom.cpp
void write_keys(const Draft& draft, Model& model);     // keys.cpp, needs qpos0
void write_sensors(const Draft& draft, Model& model);  // sensors.cpp

// Length ranges of actuators, if the compiler's settings request them.
void settle_length_ranges(Draft& draft, Model& model, LengthMeter meter);  // length_ranges.cpp

// Stiffness and damping of joints that have `springdamper`, from the inverse weights that set_const() computed.
void apply_springdampers(const Draft& draft, const Tree& tree, Model& model);  // write_joints.cpp

// Warns about joints that duplicate the motion of others, so that M is singular.
void warn_about_singular_joints(Draft& draft, const Tree& tree, const Model& model);  // write_joints.cpp

inline void write_frame(double* pos, double* quat, const Frame& X) {
  store3(pos, X.p);
  store4(quat, normalized(X.q));
}

// Copies a list that may be shorter than the row; the rest stays 0.
template <class List, class T>
void write_list(T* row, const List& list) {
  for (const auto& value : list) *row++ = static_cast<T>(value);
}

}  // namespace torsor::compiler
