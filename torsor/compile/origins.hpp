// Which element of a Spec each element of its Model comes from, where the compiler leaves some out or moves them.
#pragma once

#include <vector>

namespace torsor {

struct Origins {
  // An element by the body of the Spec that it is written in, and its place in that body's list.
  struct Part {
    int body, index;
  };
  std::vector<int> body;         // of the Model -> in Spec::bodies
  std::vector<int> body_id;      // in Spec::bodies -> in the Model; of a fused body that which it went into
  std::vector<bool> is_aligned;  // bodies of the Model whose frame is that of their inertia
  std::vector<Part> joint, geom, site, camera, light;
};

}  // namespace torsor
