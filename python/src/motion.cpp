// Velocities and accelerations of objects, forces on points, and joint coordinates.
#include <algorithm>

#include <fmt/format.h>

#include "bindings.hpp"
#include "element_id.hpp"
#include "objects.hpp"
#include "torsor/dynamics/dynamics.hpp"
#include "torsor/sim/sim.hpp"

namespace torsor::python {
namespace {

using namespace nb::literals;

Shape numbers(int count) { return {static_cast<size_t>(count)}; }

using MotionOfObject = void (*)(const Model&, const Data&, ObjectType, int, double[6], bool);

// Types of objects that have a frame.
ObjectType moving_object(int type) {
  const ObjectType kind = static_cast<ObjectType>(type);
  switch (kind) {
    case ObjectType::kBody:
    case ObjectType::kXBody:
    case ObjectType::kGeom:
    case ObjectType::kSite:
    case ObjectType::kCamera:
      return kind;
    default:
      throw nb::value_error(
          fmt::format("type must be the ObjectType of a body, geom, site or camera, got {}", type).c_str());
  }
}

void add_of_object(nb::module_& m, const char* name, MotionOfObject function, const char* doc) {
  m.def(
      name,
      [function](const ModelObject& model, const DataObject& data, int type, const ElementId& id, bool local,
                 const OptionalArray& out) {
        const Hold hold = check_fits(model, data);
        const ObjectType kind = moving_object(type);
        const int number = find_element(*model.model, kind, id);
        const Output result("out", out, {6});
        function(*model.model, *data.data, kind, number, result.data(), local);
        return result.array();
      },
      "model"_a, "data"_a, "type"_a, "id"_a, "local"_a = false, "out"_a = nb::none(), doc);
}

void bind_objects_and_forces(nb::module_& m) {
  add_of_object(m, "object_velocity", &object_velocity,
                R"(Angular, then linear velocity of an object's origin, in the world's axes or, if local, in its own.

>>> data.qvel = [1, 0]
>>> torsor.forward(model, data)
>>> torsor.object_velocity(model, data, torsor.ObjectType.XBODY, 1)[:3]
array([0., 1., 0.])
)");
  add_of_object(m, "object_acceleration", &object_acceleration,
                R"(Angular, then linear acceleration of an object's origin. Needs rne_post_constraint().

>>> torsor.forward(model, data)
>>> torsor.rne_post_constraint(model, data)
>>> torsor.object_acceleration(model, data, torsor.ObjectType.XBODY, 2).shape
(6,)
)");
  m.def(
      "apply_ft",
      [](const ModelObject& model, const DataObject& data, const ArrayLike& force, const ArrayLike& torque,
         const ArrayLike& point, const ElementId& body, const OptionalArray& out) {
        const Hold hold = check_fits(model, data);
        const Input force_W("force", force, {3}), torque_W("torque", torque, {3}), p_WoP_W("point", point, {3});
        const int id = find_element(*model.model, ObjectType::kBody, body);
        const Output qfrc("out", out, numbers(model.model->nv));
        apply_force(*model.model, *data.data, force_W.data(), torque_W.data(), p_WoP_W.data(), id, qfrc.data());
        return qfrc.array();
      },
      "model"_a, "data"_a, "force"_a, "torque"_a, "point"_a, "body"_a, "out"_a = nb::none(),
      R"(Joint forces of a force and a torque on a point of a body, all in world coordinates; added to `out` if given.

>>> torsor.forward(model, data)
>>> numpy.allclose(torsor.apply_ft(model, data, [0, 0, 1], [0, 0, 0], [0.6, 0, 1], body=2), [-0.6, -0.3])
True
)");
  m.def(
      "local_to_global",
      [](const ModelObject& model, const DataObject& data, const ArrayLike& pos, const ArrayLike& quat,
         const ElementId& body, int sameframe) {
        const Hold hold = check_fits(model, data);
        const Input local_pos("pos", pos, {3}), local_quat("quat", quat, {4});
        const int id = find_element(*model.model, ObjectType::kBody, body);
        if (sameframe < 0 || sameframe > static_cast<int>(SameFrame::kInertiaRotation))
          throw nb::value_error(fmt::format("sameframe must be a SameFrame, got {}", sameframe).c_str());
        double xpos[3], xmat[9];
        local_to_global(*data.data, xpos, xmat, local_pos.data(), local_quat.data(), id,
                        static_cast<SameFrame>(sameframe));
        return nb::make_tuple(make_array({xpos[0], xpos[1], xpos[2]}), make_matrix3(xmat));
      },
      "model"_a, "data"_a, "pos"_a, "quat"_a, "body"_a, "sameframe"_a = 0,
      R"(A pose (pos, quat wxyz) in a body's frame as (position, 3 x 3 rotation) in the world.

>>> torsor.forward(model, data)
>>> torsor.local_to_global(model, data, [0.3, 0, 0], [1, 0, 0, 0], body=1)[0]
array([0.3, 0. , 1. ])
)");
}

void bind_coordinates(nb::module_& m) {
  m.def(
      "integrate_pos",
      [](const ModelObject& model, const ArrayLike& qpos, const ArrayLike& qvel, double dt, const OptionalArray& out) {
        const Input start("qpos", qpos, numbers(model.model->nq));
        Input velocity("qvel", qvel, numbers(model.model->nv));
        const Output result("out", out, numbers(model.model->nq));
        result.keep_apart(velocity);
        std::copy_n(start.data(), model.model->nq, result.data());
        integrate_pos(*model.model, result.data(), velocity.data(), dt);
        return result.array();
      },
      "model"_a, "qpos"_a, "qvel"_a, "dt"_a, "out"_a = nb::none(),
      R"(The coordinates after moving from qpos with velocity qvel for a time dt.

>>> torsor.integrate_pos(model, [0, 0], [1, 2], 0.5)
array([0.5, 1. ])
)");
  m.def(
      "differentiate_pos",
      [](const ModelObject& model, double dt, const ArrayLike& qpos1, const ArrayLike& qpos2,
         const OptionalArray& out) {
        Input from("qpos1", qpos1, numbers(model.model->nq)), to("qpos2", qpos2, numbers(model.model->nq));
        const Output result("out", out, numbers(model.model->nv));
        result.keep_apart(from);
        result.keep_apart(to);
        differentiate_pos(*model.model, result.data(), dt, from.data(), to.data());
        return result.array();
      },
      "model"_a, "dt"_a, "qpos1"_a, "qpos2"_a, "out"_a = nb::none(),
      R"(The velocity that leads from qpos1 to qpos2 in a time dt.

>>> torsor.differentiate_pos(model, 0.5, [0, 0], [0.5, 1])
array([1., 2.])
)");
  m.def(
      "normalize_quat",
      [](const ModelObject& model, const ArrayLike& qpos, const OptionalArray& out) {
        const Input start("qpos", qpos, numbers(model.model->nq));
        const Output result("out", out, numbers(model.model->nq));
        std::copy_n(start.data(), model.model->nq, result.data());
        normalize_quats(*model.model, result.data());
        return result.array();
      },
      "model"_a, "qpos"_a, "out"_a = nb::none(),
      R"(The coordinates with the quaternions of ball and free joints normalised.

>>> torsor.normalize_quat(model, [1, 2])
array([1., 2.])
)");
}

}  // namespace

void bind_motion(nb::module_& m) {
  bind_objects_and_forces(m);
  bind_coordinates(m);
}

}  // namespace torsor::python
