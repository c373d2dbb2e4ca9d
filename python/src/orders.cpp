// Orders of joints, bodies, dofs, coordinates and actuators, and the gathers between them, as arrays of indices.
#include <variant>

#include <nanobind/stl/variant.h>
#include <nanobind/stl/vector.h>

#include "torsor/bridge/model_order.hpp"

#include "arrays.hpp"
#include "bindings.hpp"
#include "objects.hpp"
#include "text.hpp"

namespace torsor::python {
namespace {

using namespace nb::literals;

class IndexArray : public nb::object {
 public:
  NB_OBJECT_DEFAULT(IndexArray, nb::object, "numpy.typing.NDArray[numpy.int64]", accept_any)
};

IndexArray to_array(const std::vector<int>& indices) {
  return nb::borrow<IndexArray>(nb::module_::import_("numpy").attr("array")(nb::cast(indices), "int64"));
}
IndexArray to_array(const Permutation& permutation) { return to_array(permutation.map()); }

// The name of a rule, or a list of names in the desired order.
using OrderArgument = std::variant<std::string, std::vector<std::string>>;
Order order_of(const OrderArgument& argument) {
  if (const auto* rule = std::get_if<std::string>(&argument)) return parse_order(*rule);
  return std::get<std::vector<std::string>>(argument);
}

// The joint of each actuator, by name or id.
using Driven = std::variant<std::vector<int>, std::vector<std::string>>;
std::vector<int> ids_of(const Model& model, const Driven& driven) {
  if (const auto* ids = std::get_if<std::vector<int>>(&driven)) return *ids;
  return find_joints(model, std::get<std::vector<std::string>>(driven));
}

FreeJoints with_free(bool listed) { return listed ? FreeJoints::kList : FreeJoints::kSkip; }
WorldBody with_world(bool listed) { return listed ? WorldBody::kList : WorldBody::kSkip; }

using ListOfJoints = std::vector<int> (*)(const Model&, const Order&, FreeJoints);
using BetweenJoints = Permutation (*)(const Model&, const Order&, const Order&, FreeJoints);

void add_list(nb::module_& m, const char* name, ListOfJoints list, const char* doc) {
  m.def(
      name,
      [list](const ModelObject& model, const OrderArgument& order, bool free_joints) {
        return to_array(list(*model.model, order_of(order), with_free(free_joints)));
      },
      "model"_a, "order"_a, "free_joints"_a = false, doc);
}

void add_permutation(nb::module_& m, const char* name, BetweenJoints between, const char* doc) {
  m.def(
      name,
      [between](const ModelObject& model, const OrderArgument& source, const OrderArgument& target, bool free_joints) {
        return to_array(between(*model.model, order_of(source), order_of(target), with_free(free_joints)));
      },
      "model"_a, "source"_a, "target"_a, "free_joints"_a = false, doc);
}

void bind_lists(nb::module_& m) {
  add_list(m, "joint_order", &list_joint_ids, R"(Ids of the joints in an order.

An order is "declared", "depth_first" (MuJoCo), "breadth_first" (Isaac Lab), "depth_first_by_name" or
"breadth_first_by_name", where siblings are sorted by name, "depth_first_by_joint_name" (Pinocchio, from URDF),
"depth_first_floating_last" (Drake), or a list of all names. Free joints are left out unless `free_joints` is true.

>>> torsor.joint_order(model, "breadth_first")
array([0, 1])
>>> torsor.joint_order(model, ["elbow", "shoulder"])
array([1, 0])
)");
  add_list(m, "dof_order", &list_dofs, R"(Addresses in qvel of the joints in an order; see joint_order() for orders.

>>> data.qvel[torsor.dof_order(model, ["elbow", "shoulder"])].shape
(2,)
)");
  add_list(m, "qpos_order", &list_qpos, R"(Addresses in qpos of the joints in an order; see joint_order() for orders.

>>> data.qpos[torsor.qpos_order(model, ["elbow", "shoulder"])].shape
(2,)
)");
  m.def(
      "body_order",
      [](const ModelObject& model, const OrderArgument& order, bool world) {
        return to_array(list_body_ids(*model.model, order_of(order), with_world(world)));
      },
      "model"_a, "order"_a, "world"_a = false,
      R"(Ids of the bodies in an order; see joint_order() for orders. Without body 0 unless `world` is true.

>>> torsor.body_order(model, "breadth_first")
array([1, 2])
)");
}

void bind_gathers(nb::module_& m) {
  add_permutation(m, "joint_permutation", &joint_permutation,
                  R"(The gather from values in the order `source` to values in the order `target`.

For one value per joint; out = values[..., gather] works for batches too. See joint_order() for orders.

>>> isaac_lab_to_mujoco = torsor.joint_permutation(model, "breadth_first", "depth_first")
>>> numpy.array([[0.1, 0.2], [0.3, 0.4]])[..., isaac_lab_to_mujoco]
array([[0.1, 0.2],
       [0.3, 0.4]])
>>> torsor.joint_permutation(model, ["elbow", "shoulder"], "depth_first")
array([1, 0])
)");
  add_permutation(
      m, "dof_permutation", &dof_permutation,
      R"(joint_permutation() for velocities: 1 number for a hinge or slide, 3 for a ball, 6 for a free joint.

>>> torsor.dof_permutation(model, ["elbow", "shoulder"], "depth_first")
array([1, 0])
)");
  add_permutation(
      m, "qpos_permutation", &qpos_permutation,
      R"(joint_permutation() for coordinates: 1 number for a hinge or slide, 4 for a ball, 7 for a free joint.

>>> torsor.qpos_permutation(model, ["elbow", "shoulder"], "depth_first")
array([1, 0])
)");
  m.def(
      "body_permutation",
      [](const ModelObject& model, const OrderArgument& source, const OrderArgument& target, bool world) {
        return to_array(body_permutation(*model.model, order_of(source), order_of(target), with_world(world)));
      },
      "model"_a, "source"_a, "target"_a, "world"_a = false,
      R"(joint_permutation() for values of bodies; without body 0 unless `world` is true.

>>> torsor.body_permutation(model, "breadth_first", "depth_first")
array([0, 1])
)");
  m.def(
      "actuator_permutation",
      [](const ModelObject& model, const Driven& joints, const OrderArgument& source, const OrderArgument& target,
         bool free_joints) {
        return to_array(actuator_permutation(*model.model, ids_of(*model.model, joints), order_of(source),
                                             order_of(target), with_free(free_joints)));
      },
      "model"_a, "joints"_a, "source"_a, "target"_a, "free_joints"_a = false,
      R"(joint_permutation() for values of actuators, sorted by the joints that they drive.

`joints` are the names or ids of the joint of each actuator. Their own order is "declared".

>>> torsor.actuator_permutation(model, ["elbow", "shoulder", "elbow"], "declared", "depth_first")
array([1, 0, 2])
)");
}

void bind_algebra(nb::module_& m) {
  m.def(
      "name_permutation",
      [](const std::vector<std::string>& source, const std::vector<std::string>& target) {
        return to_array(match_names(source, target));
      },
      "source"_a, "target"_a, R"(The gather between two lists of the same names: source[gather[i]] == target[i].

Raises Error if a name occurs on one side only; the message lists such names with the nearest ones of the other side.

>>> torsor.name_permutation(["hip", "knee", "foot"], ["knee", "foot", "hip"])
array([1, 2, 0])
)");
  m.def(
      "inverse_permutation", [](const std::vector<int>& gather) { return to_array(Permutation(gather).inverse()); },
      "gather"_a, R"(The inverse of a gather.

>>> torsor.inverse_permutation([1, 2, 0])
array([2, 0, 1])
)");
  m.def(
      "compose_permutations",
      [](const std::vector<int>& first, const std::vector<int>& second) {
        return to_array(Permutation(first).then(Permutation(second)));
      },
      "first"_a, "second"_a, R"(The gather equivalent to two successive gathers.

>>> torsor.compose_permutations([1, 2, 0], [1, 0, 2])
array([2, 1, 0])
)");
}

}  // namespace

void bind_orders(nb::module_& m) {
  bind_lists(m);
  bind_gathers(m);
  bind_algebra(m);
}

}  // namespace torsor::python
