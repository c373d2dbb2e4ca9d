// Which element of a Spec each element of its Model comes from; the compiler may move elements or leave some out.
#pragma once

#include <vector>

namespace torsor {

struct Origins {
  // An element, by its body in the Spec and its position in that body's list.
  struct Part {
    int body, index;
  };
  std::vector<int> body;         // of the Model -> in Spec::bodies
  std::vector<int> body_id;      // in Spec::bodies -> in the Model; of a fused body, the one it was merged into
  std::vector<bool> is_aligned;  // bodies of the Model whose frame is the inertial frame
  std::vector<Part> joint, geom, site, camera, light;
};

}  // namespace torsor
