// One copy of the demo's scene with one integrator, and the quantities that the demo prints.
#pragma once

#include <cstdint>

#include "torsor/model/data.hpp"

namespace torsor::cli {

class DemoWorld {
 public:
  DemoWorld(const Model& model, Integrator integrator);

  const Model& model() const { return model_; }
  const Data& data() const { return data_; }
  Integrator integrator() const { return static_cast<Integrator>(model_.opt.integrator); }
  // Steps until the time is reached, and updates all quantities below.
  void advance_to(double time);

  double time() const { return data_.time; }
  double energy() const { return data_.energy[0] + data_.energy[1]; }
  double energy_drift() const { return energy() - first_energy_; }
  double tip_height() const;
  double spring_length() const;
  double top_tilt_deg() const;
  int book_flips() const { return book_flips_; }
  double seconds_per_step() const { return steps_ > 0 ? seconds_ / static_cast<double>(steps_) : 0; }
  double real_time_factor() const { return seconds_ > 0 ? data_.time / seconds_ : 0; }

 private:
  void look();

  Model model_;
  Data data_;
  double first_energy_;
  double seconds_ = 0;  // spent in step()
  int64_t steps_ = 0;
  double book_spin_;  // rad/s about its middle axis at the last frame
  int book_flips_ = 0;
};

}  // namespace torsor::cli
