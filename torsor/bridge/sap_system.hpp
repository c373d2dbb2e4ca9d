// What a SapSolver steps: a model, its workspace, and the way from SAP's buffers to them and back. One kind for a
// torsor::Model, one for a model made by Newton's builder.
#pragma once

#include <memory>
#include <vector>

#include "torsor/bridge/newton/solver.hpp"
#include "torsor/bridge/sap_buffers.hpp"
#include "torsor/model/data.hpp"

namespace torsor {

class SapSystem {
 public:
  SapSystem(std::shared_ptr<Model> model, std::shared_ptr<Data> data, SapBoundary boundary, int body_count);
  virtual ~SapSystem() = default;
  SapSystem(const SapSystem&) = delete;
  SapSystem& operator=(const SapSystem&) = delete;

  virtual SapState state() const = 0;
  virtual SapControl control() const = 0;
  virtual SapContacts collide(const SapState& state) = 0;
  // dt is positive, and buffers have the right sizes.
  virtual void step(const SapState& in, SapState& out, const SapControl* control, const SapContacts* contacts,
                    double dt) = 0;
  // The same model with another workspace, and a copy of the engine's model.
  virtual std::unique_ptr<SapSystem> copy() const = 0;

  // Throw an Error for buffers that do not fit.
  void check(const SapState& state) const;
  virtual void check(const SapControl& control) const;
  static void check(const SapContacts& contacts, const SapState& state);  // that they belong together

  Model& model() { return *model_; }
  const Model& model() const { return *model_; }
  Data& data() { return *data_; }
  const SapBoundary& boundary() const { return boundary_; }
  int body_count() const { return body_count_; }

 protected:
  void require_size(const char* name, const std::vector<double>& numbers, int wanted, bool may_be_empty) const;

  const std::shared_ptr<Model> model_;
  const std::shared_ptr<Data> data_;
  const SapBoundary boundary_;
  const int body_count_;
};

// Sets the solver and the integrator of the model.
std::unique_ptr<SapSystem> make_sap_system(std::shared_ptr<Model> model, std::shared_ptr<Data> data);
// `engine` is a copy of model.engine(), `data` made for it.
std::unique_ptr<SapSystem> make_sap_system(const newton::Model& model, std::shared_ptr<Model> engine,
                                           std::shared_ptr<Data> data, const newton::SolverOptions& options);

}  // namespace torsor
