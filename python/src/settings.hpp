// model.opt, model.stat and model.vis: attributes made from the lists in model/fields/.
#pragma once

#include <memory>
#include <utility>
#include <vector>

#include "views.hpp"

namespace torsor::python {

// A block of settings inside a model, which it keeps alive. Block distinguishes the Python classes.
template <class Block>
struct Settings {
  explicit Settings(const std::shared_ptr<Model>& owner) : model(owner) {}
  std::shared_ptr<Model> model;
  mutable std::vector<std::pair<const void*, nb::object>> views;  // of its arrays, by their place
};

struct OptionBlock;
struct StatisticBlock;
struct VisualBlock;

}  // namespace torsor::python
