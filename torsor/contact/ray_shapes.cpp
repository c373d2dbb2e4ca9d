#include "torsor/contact/kernels/ray_shapes.hpp"

namespace torsor {

RayHit cast_ray_at_shape(GeomType type, const double* size, const Ray& ray_G) {
  return ray_shapes::cast(type, size, ray_G);
}

}  // namespace torsor
