// Stepping a copy of the scene, and reading positions, angles and energy off it.
#include "cli/demo_world.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>

#include "torsor/core/error.hpp"
#include "torsor/sim/sim.hpp"

namespace torsor::cli {
namespace {

int find(const Model& model, ObjectType type, const char* name) {
  const int id = model.find(type, name);
  if (id < 0) throw Error(std::string("the demo's scene has no '") + name + "'");
  return id;
}

// Of the book about its x axis, the middle one.
double spin_of_book(const Model& model, const Data& data) {
  return data.qvel[model.jnt_dofadr[find(model, ObjectType::kJoint, "flight")] + 3];
}

}  // namespace

DemoWorld::DemoWorld(const Model& model, Integrator integrator) : model_(model), data_(model) {
  model_.opt.integrator = static_cast<int>(integrator);
  reset_to_key(model_, data_, find(model_, ObjectType::kKey, "start"));
  book_spin_ = spin_of_book(model_, data_);
  forward(model_, data_);
  first_energy_ = energy();
}

void DemoWorld::advance_to(double time) {
  using Clock = std::chrono::steady_clock;
  const Clock::time_point start = Clock::now();
  // half a step of slack, so that rounding of the time does not cause an extra step
  while (data_.time < time - 0.5 * model_.opt.timestep) {
    step(model_, data_);
    ++steps_;
  }
  seconds_ += std::chrono::duration<double>(Clock::now() - start).count();
  look();
}

void DemoWorld::look() {
  forward(model_, data_);  // positions and energy at this time, not before the last step
  const double spin = spin_of_book(model_, data_);
  if (spin * book_spin_ < 0) ++book_flips_;
  book_spin_ = spin;
}

double DemoWorld::tip_height() const { return data_.site_xpos[3 * find(model_, ObjectType::kSite, "tip") + 2]; }

double DemoWorld::spring_length() const {
  const int bob = find(model_, ObjectType::kBody, "bob"), arm = find(model_, ObjectType::kBody, "arm");
  const double *p = data_.xpos.row(bob, 3), *q = data_.xpos.row(arm, 3);
  return std::hypot(p[0] - q[0], p[1] - q[1], p[2] - q[2]);
}

double DemoWorld::top_tilt_deg() const {
  const double upright = data_.xmat.row(find(model_, ObjectType::kBody, "top"), 9)[8];
  return std::acos(std::clamp(upright, -1.0, 1.0)) * 180 / M_PI;
}

}  // namespace torsor::cli
