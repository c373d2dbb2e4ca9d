#include "torsor/model/model_axes.hpp"

namespace torsor {
namespace {

bool is_right_handed(const Axes& axes) { return axes.is_permutation() && axes.determinant() > 0; }

}  // namespace

std::string find_fault(const ModelAxes& axes) {
  if (!is_right_handed(axes.world)) return "the axes of the world are not right-handed axes";
  if (!is_right_handed(axes.body)) return "the axes of bodies are not right-handed axes";
  return "";
}

}  // namespace torsor
