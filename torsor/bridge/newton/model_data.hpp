// The implementation of a newton::Model: the engine's model, and conversions of coordinates between the two.
#pragma once

#include <mutex>
#include <shared_mutex>
#include <unordered_set>

#include "torsor/bridge/newton/layout.hpp"
#include "torsor/bridge/newton/model.hpp"
#include "torsor/bridge/state_map.hpp"
#include "torsor/model/data.hpp"

namespace torsor::newton {

struct ModelData {
  ModelData(const ModelBuilder& builder, Version version);

  // Converts Newton's coordinates to those of a Data and back. Velocities need the kinematics of the positions if
  // needs_kinematics(). Coordinates of joints that close loops do not change.
  void set_positions(const double* joint_q, Data& data) const;
  void set_velocities(const double* joint_q, const double* joint_qd, Data& data) const;
  void read_positions(const Data& data, double* joint_q) const;
  void read_velocities(const Data& data, double* joint_qd) const;
  bool needs_kinematics() const { return needs_kinematics_; }
  // Generalised forces, except those of free joints, into qfrc_applied.
  void set_forces(const double* joint_q, const double* joint_f, Data& data) const;
  // body_q and body_qd of the Data's state; computes its kinematics.
  void read_bodies(Data& data, State& state) const;

  // Moves bodies whose pose has been edited, with their geoms; needs kinematics.
  void place_edited_bodies(const State& state, Data& data) const;
  // joint_q and joint_qd of a state, with those of joints of edited bodies from inverse kinematics.
  void read_edited_joints(const State& state, std::vector<double>& joint_q, std::vector<double>& joint_qd) const;
  // Inverse kinematics.
  void find_joints(const State& state, std::vector<double>& joint_q, std::vector<double>& joint_qd) const;
  // Adds the loads that make the gravity of each world its own.
  void add_world_gravity(Data& data) const;
  // Replaces everything but the identity by the model of these lists.
  void update(const ModelBuilder& lists);

  // Filters contacts by groups, worlds and pairs of shapes, and those between bodies that no force moves.
  void set_contact_filter(Data& data) const;
  bool has_contact_filter() const { return filters_; }

  // Throws an Error unless the object was made by this model and its arrays still have their original sizes.
  void check(const State& state, const char* what) const;
  void check(const Control& control) const;

  ModelBuilder lists;
  Version version;
  Layout layout;
  torsor::Model engine;
  std::vector<int> joint_dofadr;    // first dof in the engine, -1 for joints without
  Convention convention;            // of bodies
  std::vector<Vector3> gravity;     // by world, then of entities of no world
  std::vector<bool> is_dynamic;     // whether forces move a body
  std::vector<int> kinematic;       // joints of kinematic bodies
  double moved_part = 1;            // of the trace of M: that of dofs which forces move
  int revision = 0;                 // counts updates
  int gravity_revision = 0;         // counts changes of gravity
  mutable std::shared_mutex edits;  // update() writes, steps read

  // A Data for queries; lock before use.
  mutable std::mutex mutex;
  mutable Data scratch;

 private:
  struct Part {  // a range of coordinates that the engine has too
    int q, q_count, qd, qd_count;
  };
  void set_limit_stiffness();
  void set_kinematic_inertia();
  void find_dynamic_bodies();
  void turn_descendants(const Data& data, double* compact_qd, bool to_parent) const;
  std::vector<double> gather_q(const double* joint_q) const;
  std::vector<double> gather_qd(const double* joint_qd) const;

  std::vector<Part> parts_;
  int nq_ = 0, nv_ = 0;
  StateMap to_engine_, from_engine_;
  std::vector<std::array<int, 2>> turned_;  // descendant free joints: compact dof, joint
  bool needs_kinematics_ = false;
  std::unordered_set<uint64_t> filtered_;
  bool filters_ = false;
};

}  // namespace torsor::newton
