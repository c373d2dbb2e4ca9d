// Bodies of a simulation in any convention: poses, twists, wrenches and Jacobians, at any point, in any axes.
//
//   double twist[6];
//   read_body_twist(model, data, hand, find_convention("newton"), twist);
//   apply_body_wrench(model, data, hand, find_convention("drake[wrench.point=origin]"), wrench);
//
// Results belong to the state of the last forward() or step(): call compute_kinematics() and so on after changing it.
#pragma once

#include <optional>

#include "torsor/bridge/state_map.hpp"
#include "torsor/model/data.hpp"

namespace torsor {

// Point and axes of a twist or wrench, if different from those of the convention.
struct ViewOptions {
  std::optional<Vec3<double>> p_BoQ_B;  // another point of the body, in the axes of its frame
  int axes_body = -1;                   // axes of this body (0: the world) for both vectors
};

// The data of a body that conversions need, in our axes whatever those of the model (Model::axes). The joint's parent
// anchor is the body's place on its parent.
BodyPlace<double> make_body_place(const Model& model, const Data& data, int body);

void read_body_pose(const Model& model, const Data& data, int body, const Convention& convention, double* pose);
void read_body_twist(const Model& model, const Data& data, int body, const Convention& convention, double* twist,
                     const ViewOptions& options = {});
// 6 x nv, row-major: this times qvel (MuJoCo's) is the twist that read_body_twist() returns.
void read_body_jacobian(const Model& model, const Data& data, int body, const Convention& convention, double* jacobian,
                        const ViewOptions& options = {});

// Read, set, or add to the load on a body in xfrc_applied.
void read_body_wrench(const Model& model, const Data& data, int body, const Convention& convention, double* wrench,
                      const ViewOptions& options = {});
void set_body_wrench(const Model& model, Data& data, int body, const Convention& convention, const double* wrench,
                     const ViewOptions& options = {});
void apply_body_wrench(const Model& model, Data& data, int body, const Convention& convention, const double* wrench,
                       const ViewOptions& options = {});

// Generalised forces of all joints in a convention. Those of free joints are loads on their bodies, in xfrc_applied as
// wrenches at the COM; those of other joints are in qfrc_applied. read() is the exact inverse of set(). Built once;
// neither function allocates.
class JointForces {
 public:
  JointForces(const Model& model, const Convention& convention, const std::optional<Order>& order = std::nullopt);
  void set(const Model& model, Data& data, const double* joint_f);
  void read(const Model& model, const Data& data, double* joint_f);

 private:
  StateMap in_, out_;          // to and from MuJoCo's numbers, free joints as wrenches
  std::vector<double> q_, f_;  // coordinates in the convention, forces in MuJoCo's order
};

}  // namespace torsor
