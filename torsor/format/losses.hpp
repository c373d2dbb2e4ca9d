// What a file could not hold of the model that was written to it.
#pragma once

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

namespace torsor {

// Elements of one kind that were left out or changed, for one reason.
struct Loss {
  std::string kind;                // such as "actuator" or "geom"
  std::vector<std::string> names;  // of the elements; empty for a setting of the whole model
  std::string what;                // such as "URDF has no actuators"
};

// Collects losses; elements of the same kind and reason become one.
class LossList {
 public:
  void add(const std::string& kind, const std::string& name, const std::string& what) {
    for (Loss& loss : losses_) {
      if (loss.kind != kind || loss.what != what) continue;
      if (std::find(loss.names.begin(), loss.names.end(), name) == loss.names.end()) loss.names.push_back(name);
      return;
    }
    losses_.push_back({kind, {name}, what});
  }
  void add(const std::string& kind, const std::string& what) { losses_.push_back({kind, {}, what}); }
  std::vector<Loss> take() { return std::move(losses_); }

 private:
  std::vector<Loss> losses_;
};

// "3 actuators (a, b, c): URDF has no actuators"
std::string to_string(const Loss& loss);

}  // namespace torsor
