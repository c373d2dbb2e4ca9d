// StateMap: converts generalised vectors of a model (positions, velocities, accelerations, forces, limits, targets,
// gains, armature, controls) from one convention to another. Built once, then applied to one or many states without
// allocation.
//
//   const StateMap map(model, find_convention("mujoco"), find_convention("isaaclab3"));
//   map.positions(qpos, joint_q, count);
//   map.velocities(qpos, qvel, joint_qd, count);
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

#include "torsor/bridge/joint_system.hpp"
#include "torsor/convention/convention.hpp"

namespace torsor {

struct StateMapOptions {
  std::optional<Order> from_order, to_order;  // of joints; default: the rule of each convention
  std::vector<int> driven_joints;             // joint of each control, in document order; default: hinges and slides
};

enum class ControlKind : char { kForce, kPosition, kVelocity };

// The convention "mujoco" stands for the numbers of the model itself, in the axes of its world and its bodies
// (Model::axes).
class StateMap {
 public:
  StateMap(const Model& model, const Convention& from, const Convention& to, const StateMapOptions& options = {});
  StateMap(const JointSystem& system, const Convention& from, const Convention& to,
           const StateMapOptions& options = {});

  const std::string& from_id() const { return from_id_; }
  const std::string& to_id() const { return to_id_; }
  int nq_from() const { return nq_from_; }
  int nq_to() const { return nq_to_; }
  int nv() const { return nv_; }
  int njnt() const { return static_cast<int>(blocks_.size()); }
  int nu() const { return static_cast<int>(controls_.size()); }

  // Contiguous rows of nq or nv numbers; positions determine the axes and points of the other quantities. Throw an
  // Error that names row and column for numbers that are not finite and quaternions whose length differs from 1 by more
  // than 1e-3.
  void positions(const double* q, double* out, size_t count = 1) const;
  void velocities(const double* q, const double* v, double* out, size_t count = 1) const;
  void accelerations(const double* q, const double* v, const double* a, double* out, size_t count = 1) const;
  void forces(const double* q, const double* f, double* out, size_t count = 1) const;

  // Parameters of the model. Limits: two for each joint, of hinges and slides only; infinite ones are kept. Targets:
  // one for each dof, of hinges and slides only. Gains: force per velocity or per displacement, for each dof. Armature:
  // for each dof; of a free joint only if it does not depend on direction.
  void limits(const double* in, double* out) const;
  void position_targets(const double* in, double* out) const;
  void velocity_targets(const double* in, double* out) const;
  void gains(const double* in, double* out) const;
  void armature(const double* in, double* out) const;

  // One number for each driven joint, in the joint order of either convention.
  void controls(ControlKind kind, const double* in, double* out, size_t count = 1) const;

  // out[i] = in[map[i]], for one value per joint or per dof.
  const Permutation& joint_map() const { return joint_map_; }
  std::vector<int> dof_map() const;

 private:
  struct Block {  // one joint, in the order of `to`
    CoordinateKind kind;
    int q_from, v_from, q_to, v_to, joint_from;
    double factor;                  // velocity of `to` over that of `from`
    double force_factor;            // the same of forces
    double offset_from, offset_to;  // of coordinates, in the unit of either
    BodyPlace<double> place;
    std::string name;
  };
  struct Control {
    int from, block;
  };
  Row from_, to_;
  std::string from_id_, to_id_;
  std::vector<Block> blocks_;
  std::vector<Control> controls_;
  Permutation joint_map_;
  int nq_from_ = 0, nq_to_ = 0, nv_ = 0;

  void require_cells(const JointCoordinates& joint, const Convention& convention) const;
  void build_controls(const JointSystem& system, const std::vector<int>& from, const std::vector<int>& to,
                      std::vector<int> driven);
  template <class Work>
  void for_rows(size_t count, const Work& work) const;
  void require_scalar(const Block& block, const double* in, const char* what) const;
};

}  // namespace torsor
