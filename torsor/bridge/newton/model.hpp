// A model made by ModelBuilder::finalize(), its states and controls, and functions of them.
//
//   newton::Model model = builder.finalize();
//   State state = model.state();
//   eval_fk(model, state.joint_q, state.joint_qd, state);
#pragma once

#include <array>
#include <memory>
#include <vector>

#include "torsor/bridge/kept_contacts.hpp"
#include "torsor/bridge/newton/builder.hpp"
#include "torsor/model/model.hpp"

namespace torsor::newton {

struct ModelData;  // model_data.hpp

// Poses are seven numbers; twists and wrenches are six, linear part first, at the body's centre of mass and in the
// world's axes.
struct State {
  std::vector<double> joint_q, joint_qd;
  std::vector<double> body_q, body_qd;
  std::vector<double> body_f;  // external loads, until cleared
  std::vector<double> act;     // activations of actuators from MJCF
  // body_q and body_qd as they were last computed: bodies of which they differ have been moved by the user.
  std::vector<double> computed_body_q, computed_body_qd;
  std::shared_ptr<const ModelData> model;

  void mark_computed();
  void mark_edited();  // all bodies, whatever their numbers
  bool is_pose_edited(int body) const;
  bool is_edited(int body) const;  // pose or velocity
  bool has_edits() const { return body_q != computed_body_q || body_qd != computed_body_qd; }
  void clear_forces();
  // Copies all numbers of another state of the same model.
  void assign(const State& other);
};

struct Control {
  std::vector<double> joint_f;    // of free joints: a wrench, as in body_f
  std::vector<double> joint_act;  // additional force; not for free joints
  std::vector<double> joint_target_pos, joint_target_vel;
  std::vector<double> ctrl;  // of actuators from MJCF, except for plain servos
  std::shared_ptr<const ModelData> model;

  void clear();
};

// The points at which shapes touch in one state. Steps from later states may use them as well: points stay fixed to
// their bodies, normals to the world, and distances follow from both.
struct Contacts : KeptContacts {
  std::vector<int> shape0, shape1;
  std::vector<double> force;  // of the step that reported them: on the second shape, at the midpoint, moment last
  void clear();               // removes all
  std::shared_ptr<const ModelData> model;
};

class Model {
 public:
  explicit Model(std::shared_ptr<ModelData> data) : data_(std::move(data)) {}

  const ModelBuilder& lists() const;  // as of finalize()
  const torsor::Model& engine() const;
  Version version() const;
  State state() const;
  Control control() const;
  // With the bodies at joint_q, except for those whose body_q has been edited.
  Contacts collide(const State& state) const;
  // By world; the last one is that of entities of no world.
  const std::vector<Vector3>& gravity() const;
  void set_gravity(const std::vector<Vector3>& gravity);
  // Takes the numbers of edited lists, of the same elements: solvers use them from their next step on. Throws an Error
  // that leaves the model unchanged.
  void update(const ModelBuilder& lists);

  // Sizes of the results of eval_jacobian() and eval_mass_matrix().
  int max_joints() const;  // of an articulation
  int max_dofs() const;
  int joint_end(int articulation) const;

  const std::shared_ptr<ModelData>& data() const { return data_; }

 private:
  std::shared_ptr<ModelData> data_;
};

// body_q and body_qd of a state from coordinates, and back.
void eval_fk(const Model& model, const std::vector<double>& joint_q, const std::vector<double>& joint_qd, State& state);
void eval_ik(const Model& model, const State& state, std::vector<double>& joint_q, std::vector<double>& joint_qd);

// By articulation: six rows for each joint's child (its body_qd), one column for each of the articulation's dofs.
// Unused rows and columns are zero. Size: articulations x (6 max_joints) x max_dofs.
std::vector<double> eval_jacobian(const Model& model, const State& state);
// By articulation: twice the kinetic energy is qd' H qd. Without armature. Size: articulations x max_dofs x max_dofs.
std::vector<double> eval_mass_matrix(const Model& model, const State& state);

}  // namespace torsor::newton
