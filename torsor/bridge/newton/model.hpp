// A model made by ModelBuilder::finalize(), the states and controls that belong to it, and questions about them.
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

// Poses are seven numbers, twists and wrenches six with the linear part first: at the body's centre of mass, in the
// world's axes.
struct State {
  std::vector<double> joint_q, joint_qd;
  std::vector<double> body_q, body_qd;
  std::vector<double> body_f;  // loads from outside, until they are cleared
  std::vector<double> act;     // activations of actuators that came from MJCF
  std::shared_ptr<const ModelData> model;

  void clear_forces();
  // All numbers of another state of the same model.
  void assign(const State& other);
};

struct Control {
  std::vector<double> joint_f;    // of free joints: a wrench as body_f has it
  std::vector<double> joint_act;  // a further force, of other joints
  std::vector<double> joint_target_pos, joint_target_vel;
  std::vector<double> ctrl;  // of actuators that came from MJCF and are no plain servos
  std::shared_ptr<const ModelData> model;

  void clear();
};

// The points at which shapes touch in one state.
struct Contacts : KeptContacts {
  std::vector<int> shape0, shape1;
  std::vector<double> joint_q;  // of the state that they belong to
  void clear();                 // none are left
  std::shared_ptr<const ModelData> model;
};

class Model {
 public:
  explicit Model(std::shared_ptr<ModelData> data) : data_(std::move(data)) {}

  const ModelBuilder& lists() const;  // as they were when the model was made
  const torsor::Model& engine() const;
  Version version() const;
  State state() const;
  Control control() const;
  // Where joint_q puts the bodies; body_q is not read.
  Contacts collide(const State& state) const;
  void set_gravity(const Vector3& gravity);

  // Sizes of what eval_jacobian() and eval_mass_matrix() give.
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

// By articulation: six rows for each joint's child (its body_qd), one column for each of the articulation's dofs. Rows
// and columns beyond an articulation's own are zero. Size: articulations x (6 max_joints) x max_dofs.
std::vector<double> eval_jacobian(const Model& model, const State& state);
// By articulation: twice the kinetic energy is qd' H qd. Armature is left out. Articulations x max_dofs x max_dofs.
std::vector<double> eval_mass_matrix(const Model& model, const State& state);

}  // namespace torsor::newton
