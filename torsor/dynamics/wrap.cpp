#include "torsor/dynamics/kernels/wrap.hpp"

namespace torsor {

WrapPath wrap_around(const WrapObject& object, const Vec3<double>& from_W, const Vec3<double>& to_W,
                     const Vec3<double>* side_W) {
  return wraps::around(object, from_W, to_W, side_W);
}

}  // namespace torsor
