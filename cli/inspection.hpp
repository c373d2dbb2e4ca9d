// What `torsor inspect` prints of a model.
#pragma once

#include <string>

#include "cli/terminal.hpp"
#include "torsor/model/model.hpp"

namespace torsor::cli {

std::string inspection_tables(const Model& model, const Terminal& terminal);
std::string inspection_json(const Model& model);

// Sums over the model in its reference pose.
struct Totals {
  explicit Totals(const Model& model);

  double mass = 0;            // kg, of all bodies
  double com[3] = {0, 0, 0};  // m, p_WoScm_W of the whole system S
  size_t model_bytes, data_bytes;
};

}  // namespace torsor::cli
