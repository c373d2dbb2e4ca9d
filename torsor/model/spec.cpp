// A new Spec holds the world body.
#include "torsor/model/spec.hpp"

namespace torsor {

Spec::Spec() {
  BodySpec world;
  world.name = "world";
  bodies.push_back(world);
}

}  // namespace torsor
