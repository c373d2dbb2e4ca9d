// A small Model filled by hand, for tests of what a Model and a Data are, without a compiler of models.
#pragma once

#include <cstring>
#include <string>
#include <vector>

#include "torsor/model/model.hpp"

namespace torsor {

// Every array filled with numbers that differ from field to field and from element to element.
inline void fill_arrays(Model& model) {
  int field_number = 0;
  model.for_each_field([&](const FieldInfo&, auto& field) {
    using T = std::remove_reference_t<decltype(field[0])>;
    ++field_number;
    for (int i = 0; i < field.size(); ++i) field[i] = static_cast<T>((7 * field_number + 3 * i) % 120);
  });
}

// Names are laid out as compile() does: the model's own first, then each type's, "" for an object without one.
inline void fill_names(Model& model, const std::vector<std::string>& bodies, const std::vector<std::string>& joints,
                       const std::vector<std::string>& keys) {
  int next = 0;
  const auto append = [&](const std::string& name) {
    std::memcpy(model.names.data() + next, name.c_str(), name.size() + 1);
    next += static_cast<int>(name.size()) + 1;
    return next - static_cast<int>(name.size()) - 1;
  };
  append("by hand");
  for (size_t i = 0; i < bodies.size(); ++i) model.name_bodyadr[static_cast<int>(i)] = append(bodies[i]);
  for (size_t i = 0; i < joints.size(); ++i) model.name_jntadr[static_cast<int>(i)] = append(joints[i]);
  for (size_t i = 0; i < keys.size(); ++i) model.name_keyadr[static_cast<int>(i)] = append(keys[i]);
  model.index_names();
}

// The world, a body on a ball joint, a mocap body; two keyframes.
inline Model make_model_by_hand() {
  ModelSizes sizes;
  sizes.nbody = 3;
  sizes.njnt = 1;
  sizes.nq = 4;
  sizes.nv = 3;
  sizes.nC = 6;
  sizes.ntree = 1;
  sizes.nmocap = 1;
  sizes.nkey = 2;
  sizes.nuserdata = 2;
  sizes.nnames = 64;
  Model model(sizes);
  fill_arrays(model);
  model.body_mocapid[0] = model.body_mocapid[1] = -1;
  model.body_mocapid[2] = 0;
  for (int b = 0; b < 3; ++b) {
    const bool is_arm = b == 1;
    model.body_parentid[b] = 0;
    model.body_rootid[b] = b;
    model.body_treeid[b] = is_arm ? 0 : -1;
    model.body_jntnum[b] = is_arm ? 1 : 0;
    model.body_dofnum[b] = is_arm ? 3 : 0;
    model.body_geomnum[b] = 0;
  }
  for (int i = 0; i < 3; ++i) model.dof_treeid[i] = 0;
  model.tree_bodyadr[0] = 1;
  model.jnt_plasticadr[0] = -1;
  model.signature = 1234;
  fill_names(model, {"world", "arm", ""}, {"shoulder"}, {"start", "end"});
  return model;
}

}  // namespace torsor
