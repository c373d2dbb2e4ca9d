// StateMap, SapBoundary and bodies of a simulation in any convention.
#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <utility>
#include <variant>

#include <nanobind/stl/map.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/variant.h>
#include <nanobind/stl/vector.h>

#include <fmt/format.h>

#include "torsor/bridge/body_view.hpp"
#include "torsor/bridge/model_axes.hpp"
#include "torsor/bridge/model_order.hpp"
#include "torsor/bridge/newton/model.hpp"
#include "torsor/bridge/sap_boundary.hpp"
#include "torsor/bridge/state_map.hpp"
#include "torsor/convention/convert.hpp"
#include "torsor/core/error.hpp"

#include "arrays.hpp"
#include "bindings.hpp"
#include "objects.hpp"
#include "text.hpp"

namespace torsor::python {
namespace {

using namespace nb::literals;

using OrderArgument = std::optional<std::variant<std::string, std::vector<std::string>>>;
std::optional<Order> order_of(const OrderArgument& argument) {
  if (!argument) return std::nullopt;
  if (const auto* rule = std::get_if<std::string>(&*argument)) return parse_order(*rule);
  return Order(std::get<std::vector<std::string>>(*argument));
}

// The leading axes of an array whose last axis has `width` numbers.
Shape leading_shape(const char* name, const ArrayLike& value, size_t width) {
  const nb::object array = nb::module_::import_("numpy").attr("asarray")(value);
  Shape shape = nb::cast<Shape>(array.attr("shape"));
  if (shape.empty() || shape.back() != width) {
    throw nb::value_error(fmt::format("{}: expected shape (..., {}), got {}", name, width, to_text(shape)).c_str());
  }
  shape.pop_back();
  return shape;
}
size_t count_of(const Shape& shape) {
  size_t count = 1;
  for (const size_t n : shape) count *= n;
  return count;
}
Shape with_last(Shape shape, int width) {
  shape.push_back(static_cast<size_t>(width));
  return shape;
}

// Poses of the parent and the child anchor of joints, by name: of Newton's free and ball joints.
using Anchors = std::map<std::string, std::pair<std::vector<double>, std::vector<double>>>;
void place_anchors(const Model& model, const Anchors& anchors, JointSystem& system) {
  const auto pose_of = [](const std::string& joint, const std::vector<double>& numbers) {
    const bool good =
        numbers.size() == 7 && std::all_of(numbers.begin(), numbers.end(), [](double x) { return std::isfinite(x); });
    const double length = good ? std::sqrt(dot(load4(&numbers[3]), load4(&numbers[3]))) : 0;
    if (!(std::abs(length - 1) <= 1e-3)) {
      throw Error(fmt::format("anchors of '{}': a pose is three numbers and a unit quaternion", joint));
    }
    return Pose<double>{load3(numbers.data()), normalized(load4(&numbers[3]))};
  };
  for (const auto& [name, poses] : anchors) {
    const int joint = find_joints(model, std::vector<std::string>{name})[0];
    BodyPlace<double>& place = system.joints[static_cast<size_t>(joint)].place;
    const Pose<double> X_BA = pose_of(name, poses.second);
    place.X_WP = pose_from_model(model.axes, pose_of(name, poses.first));
    place.X_BA = {from_axes(model.axes.body, X_BA.p), turn_from_model(model.axes, X_BA.q)};
  }
}

// f(q, x, out, count) over arrays (..., nq) and (..., nv) of the same leading shape.
template <class Work>
Array map_states(const StateMap& map, const ArrayLike& q, const char* name, const ArrayLike& x,
                 const OptionalArray& out, const Work& work) {
  const Shape shape = leading_shape("q", q, static_cast<size_t>(map.nq_from()));
  Input positions("q", q, with_last(shape, map.nq_from()));
  Input values(name, x, with_last(shape, map.nv()));
  const Output result("out", out, with_last(shape, map.nv()));
  result.keep_apart(positions);
  result.keep_apart(values);
  {
    const nb::gil_scoped_release release;
    work(positions.data(), values.data(), result.data(), count_of(shape));
  }
  return result.array();
}

using OfDofs = void (StateMap::*)(const double*, double*) const;
void add_of_model(nb::class_<StateMap>& c, const char* name, OfDofs function, const char* doc) {
  c.def(
      name,
      [function](const StateMap& map, const ArrayLike& values) {
        Input in("values", values, {static_cast<size_t>(map.nv())});
        const Output out(Shape{static_cast<size_t>(map.nv())});
        (map.*function)(in.data(), out.data());
        return out.array();
      },
      "values"_a, doc);
}

void bind_state_map(nb::module_& m) {
  nb::class_<StateMap> c(
      m, "StateMap",
      "Converts generalised vectors of a model from one convention to another.\n\n"
      ">>> to_newton = torsor.StateMap(model, 'mujoco', 'newton')\n"
      ">>> to_newton.positions(data.qpos)\n"
      "array([0., 0.])\n"
      ">>> to_newton.velocities(data.qpos, [1, 2])\n"
      "array([1., 2.])\n\n"
      "Build it once, then apply it to one state or to arrays (..., n) of states. 'mujoco' stands for "
      "the numbers of the model itself, in its own axes: model.world_axes and model.body_axes.");
  c.def(
      "__init__",
      [](StateMap* self, const ModelObject& model, const std::string& source, const std::string& target,
         const OrderArgument& source_order, const OrderArgument& target_order,
         const std::optional<std::vector<std::string>>& driven_joints, const std::optional<Anchors>& anchors) {
        StateMapOptions options{order_of(source_order), order_of(target_order), {}};
        if (driven_joints) options.driven_joints = find_joints(*model.model, *driven_joints);
        JointSystem system = make_joint_system(*model.model);
        if (anchors) place_anchors(*model.model, *anchors, system);
        new (self) StateMap(system, find_convention(source), find_convention(target), options);
      },
      "model"_a, "source"_a, "target"_a, nb::kw_only(), "source_order"_a = nb::none(), "target_order"_a = nb::none(),
      "driven_joints"_a = nb::none(), "anchors"_a = nb::none(),
      "source and target are ids such as 'newton' or 'usd.text[length=1]'; orders are rules such as 'breadth_first' or "
      "lists "
      "of joint names; driven_joints names the joint of each control; anchors gives the poses "
      "(position, quaternion w first) of a joint's parent anchor in the world and of its child anchor in the body, by "
      "joint.");
  c.def("__repr__", [](const StateMap& map) {
    return fmt::format("<StateMap from '{}' to '{}': nq {} -> {}, nv {}, nu {}>", map.from_id(), map.to_id(),
                       map.nq_from(), map.nq_to(), map.nv(), map.nu());
  });
  c.def_prop_ro("source", &StateMap::from_id, "The convention of the input.");
  c.def_prop_ro("target", &StateMap::to_id, "The convention of the output.");
  c.def_prop_ro("nq_source", &StateMap::nq_from, "Number of coordinates in the source's convention.");
  c.def_prop_ro("nq_target", &StateMap::nq_to, "Number of coordinates in the target's convention.");
  c.def_prop_ro("nv", &StateMap::nv, "Velocities.");
  c.def_prop_ro("nu", &StateMap::nu, "Controls.");
  c.def_prop_ro(
      "joint_map", [](const StateMap& map) { return map.joint_map().map(); },
      "For one value per joint: target[i] = source[joint_map[i]].");
  c.def_prop_ro("dof_map", &StateMap::dof_map, "For one value per dof: target[i] = source[dof_map[i]].");
  c.def(
      "positions",
      [](const StateMap& map, const ArrayLike& q, const OptionalArray& out) {
        const Shape shape = leading_shape("q", q, static_cast<size_t>(map.nq_from()));
        Input in("q", q, with_last(shape, map.nq_from()));
        const Output result("out", out, with_last(shape, map.nq_to()));
        result.keep_apart(in);
        {
          const nb::gil_scoped_release release;
          map.positions(in.data(), result.data(), count_of(shape));
        }
        return result.array();
      },
      "q"_a, "out"_a = nb::none(), "Coordinates (..., nq) in the target's convention.");
  c.def(
      "velocities",
      [](const StateMap& map, const ArrayLike& q, const ArrayLike& v, const OptionalArray& out) {
        return map_states(map, q, "v", v, out, [&](const double* at, const double* x, double* y, size_t count) {
          map.velocities(at, x, y, count);
        });
      },
      "q"_a, "v"_a, "out"_a = nb::none(), "Velocities (..., nv) at coordinates q of the source.");
  c.def(
      "forces",
      [](const StateMap& map, const ArrayLike& q, const ArrayLike& f, const OptionalArray& out) {
        return map_states(map, q, "f", f, out, [&](const double* at, const double* x, double* y, size_t count) {
          map.forces(at, x, y, count);
        });
      },
      "q"_a, "f"_a, "out"_a = nb::none(), "Generalised forces (..., nv) at coordinates q of the source.");
  c.def(
      "accelerations",
      [](const StateMap& map, const ArrayLike& q, const ArrayLike& v, const ArrayLike& a, const OptionalArray& out) {
        const Shape shape = leading_shape("q", q, static_cast<size_t>(map.nq_from()));
        Input velocities("v", v, with_last(shape, map.nv()));
        return map_states(map, q, "a", a, out, [&](const double* at, const double* x, double* y, size_t count) {
          map.accelerations(at, velocities.data(), x, y, count);
        });
      },
      "q"_a, "v"_a, "a"_a, "out"_a = nb::none(),
      "Accelerations (..., nv) at coordinates q and velocities v of the source.");
  c.def(
      "limits",
      [](const StateMap& map, const ArrayLike& limits) {
        Input in("limits", limits, {static_cast<size_t>(map.njnt()), 2});
        const Output out(Shape{static_cast<size_t>(map.njnt()), 2});
        map.limits(in.data(), out.data());
        return out.array();
      },
      "limits"_a, "Limits (njnt, 2) of the joints, in the order of the target; infinite ones are kept.");
  add_of_model(c, "position_targets", &StateMap::position_targets,
               "Targets (nv,) of hinges and slides; zero elsewhere.");
  add_of_model(c, "velocity_targets", &StateMap::velocity_targets, "Target velocities (nv,) of hinges and slides.");
  add_of_model(c, "gains", &StateMap::gains, "Stiffness or damping (nv,): work per unit of coordinate, per unit.");
  add_of_model(c, "armature", &StateMap::armature,
               "Armature (nv,); of a free joint only if it does not depend on direction.");
  c.def(
      "controls",
      [](const StateMap& map, const ArrayLike& values, const std::string& kind) {
        const Shape shape = leading_shape("controls", values, static_cast<size_t>(map.nu()));
        if (kind != "force" && kind != "position" && kind != "velocity") {
          throw Error(fmt::format("unknown kind of control '{}': force, position or velocity", kind));
        }
        const ControlKind chosen = kind == "force"
                                       ? ControlKind::kForce
                                       : (kind == "position" ? ControlKind::kPosition : ControlKind::kVelocity);
        Input in("controls", values, with_last(shape, map.nu()));
        const Output out(with_last(shape, map.nu()));
        map.controls(chosen, in.data(), out.data(), count_of(shape));
        return out.array();
      },
      "controls"_a, "kind"_a, "Controls (..., nu) of the driven joints: 'force', 'position' or 'velocity' of each.");
}

SapOrder sap_order(const std::string& word) {
  if (word != "public" && word != "sap") throw Error(fmt::format("unknown order '{}': public or sap", word));
  return word == "sap" ? SapOrder::kSap : SapOrder::kPublic;
}

void bind_sap(nb::module_& m) {
  nb::class_<SapBoundary> c(
      m, "SapBoundary",
      "Converts buffers of a SAP solver from public order to sap order before a step, and back after it.\n\n"
      ">>> boundary = torsor.SapBoundary(model)\n"
      ">>> boundary.velocities_in([0, 0], [1, 2], order='public')\n"
      "array([1., 2.])");
  c.def(
      "__init__", [](SapBoundary* self, const ModelObject& model) { new (self) SapBoundary(*model.model); }, "model"_a);
  c.def(
      "__init__",
      [](SapBoundary* self, const nb::object& model) {
        const newton::Model* made = nullptr;
        if (!nb::hasattr(model, "_core") || !nb::try_cast(model.attr("_core"), made) || !made)
          throw nb::type_error("SapBoundary takes a torsor.Model or a model of torsor.newton.ModelBuilder");
        new (self) SapBoundary(*made);
      },
      "model"_a, nb::sig("def __init__(self, model: torsor.newton.Model) -> None"));
  c.def("__repr__", [](const SapBoundary& boundary) {
    return fmt::format("<SapBoundary: nq {}, nv {}>", boundary.nq(), boundary.nv());
  });
  c.def_prop_ro("joint_q_start", &SapBoundary::joint_q_start,
                "Start of each joint's coordinates, followed by the total.");
  c.def_prop_ro("joint_qd_start", &SapBoundary::joint_qd_start,
                "Start of each joint's velocities, followed by the total.");
  using Convert = void (SapBoundary::*)(SapOrder, const double*, const double*, double*) const;
  const auto add = [&](const char* name, Convert function, const char* doc) {
    c.def(
        name,
        [function](const SapBoundary& boundary, const ArrayLike& joint_q, const ArrayLike& values,
                   const std::string& order) {
          const size_t nq = static_cast<size_t>(boundary.nq()), nv = static_cast<size_t>(boundary.nv());
          Input q("joint_q", joint_q, {nq}), x("values", values, {nv});
          const Output out(Shape{nv});
          (boundary.*function)(sap_order(order), q.data(), x.data(), out.data());
          return out.array();
        },
        "joint_q"_a, "values"_a, nb::kw_only(), "order"_a, doc);
  };
  add("velocities_in", &SapBoundary::velocities_in, "joint_qd in sap order, at the current joint_q.");
  add("forces_in", &SapBoundary::forces_in, "joint_f in sap order, at the current joint_q.");
  add("velocities_out", &SapBoundary::velocities_out, "Solved velocities in the requested order, at the NEW joint_q.");
  c.def(
      "body_forces_in",
      [](const SapBoundary& boundary, const ArrayLike& body_q, const ArrayLike& body_com, const ArrayLike& body_f,
         const std::string& order) {
        const Shape shape = leading_shape("body_f", body_f, 6);
        const size_t count = count_of(shape);
        Input q("body_q", body_q, with_last(shape, 7)), com("body_com", body_com, with_last(shape, 3));
        Input f("body_f", body_f, with_last(shape, 6));
        const Output out(with_last(shape, 6));
        boundary.body_forces_in(sap_order(order), {q.data(), 7 * count}, {com.data(), 3 * count}, {f.data(), 6 * count},
                                {out.data(), 6 * count});
        return out.array();
      },
      "body_q"_a, "body_com"_a, "body_f"_a, nb::kw_only(), "order"_a,
      "Body wrenches as residuals, as sap order stores them.");
}

int body_of(const ModelObject& model, const std::variant<int, std::string>& body) {
  if (const int* id = std::get_if<int>(&body)) return checked_id("body", *id, static_cast<int>(model.model->nbody));
  const std::string& name = std::get<std::string>(body);
  std::vector<std::string> names;
  for (int b = 0; b < model.model->nbody; ++b) {
    names.emplace_back(model.model->name(ObjectType::kBody, b));
    if (names.back() == name) return b;
  }
  const std::string nearest = find_nearest(name, names);
  throw Error(fmt::format("there is no body '{}'{}", name,
                          nearest.empty() ? "" : fmt::format(" (did you mean '{}'?)", nearest)));
}

using BodyArgument = std::variant<int, std::string>;

ViewOptions options_of(const ModelObject& model, const std::optional<std::vector<double>>& point,
                       const std::optional<BodyArgument>& axes) {
  ViewOptions options;
  if (point && point->size() != 3) throw nb::value_error("point: expected three numbers in the body's axes");
  if (point) options.p_BoQ_B = load3(point->data());
  if (axes) options.axes_body = body_of(model, *axes);
  return options;
}

using ReadView = void (*)(const Model&, const Data&, int, const Convention&, double*, const ViewOptions&);
void add_read(nb::module_& m, const char* name, ReadView read, bool is_jacobian, const char* doc) {
  m.def(
      name,
      [read, is_jacobian](ModelObject& model, DataObject& data, const BodyArgument& body, const std::string& convention,
                          const std::optional<std::vector<double>>& point, const std::optional<BodyArgument>& axes) {
        const Hold hold = check_fits(model, data);
        const Output out(is_jacobian ? Shape{6, static_cast<size_t>(model.model->nv)} : Shape{6});
        read(*model.model, *data.data, body_of(model, body), find_convention(convention), out.data(),
             options_of(model, point, axes));
        return out.array();
      },
      "model"_a, "data"_a, "body"_a, "convention"_a, nb::kw_only(), "point"_a = nb::none(), "axes"_a = nb::none(), doc);
}

using WriteView = void (*)(const Model&, Data&, int, const Convention&, const double*, const ViewOptions&);
void add_write(nb::module_& m, const char* name, WriteView write, const char* doc) {
  m.def(
      name,
      [write](ModelObject& model, DataObject& data, const BodyArgument& body, const std::string& convention,
              const ArrayLike& wrench, const std::optional<std::vector<double>>& point,
              const std::optional<BodyArgument>& axes) {
        const Hold hold = check_fits(model, data);
        const Input numbers("wrench", wrench, {6});
        write(*model.model, *data.data, body_of(model, body), find_convention(convention), numbers.data(),
              options_of(model, point, axes));
      },
      "model"_a, "data"_a, "body"_a, "convention"_a, "wrench"_a, nb::kw_only(), "point"_a = nb::none(),
      "axes"_a = nb::none(), doc);
}

void bind_views(nb::module_& m) {
  m.def(
      "body_pose",
      [](ModelObject& model, DataObject& data, const BodyArgument& body, const std::string& convention) {
        const Hold hold = check_fits(model, data);
        const Convention found = find_convention(convention);
        require(found, Quantity::kPose);
        const Output out(Shape{static_cast<size_t>(width(found.row, Quantity::kPose))});
        read_body_pose(*model.model, *data.data, body_of(model, body), found, out.data());
        return out.array();
      },
      "model"_a, "data"_a, "body"_a, "convention"_a,
      "The pose of a body, by name or id, in a convention.\n\n"
      ">>> torsor.forward(model, data)\n"
      ">>> torsor.body_pose(model, data, 'lower', 'newton')\n"
      "array([0.3, 0. , 1. , 0. , 0. , 0. , 1. ])");
  add_read(m, "body_twist", &read_body_twist, false,
           "The twist of a body in a convention, optionally at another point (in the body's axes) and in the axes of "
           "another body.\n\n"
           ">>> data.qvel[:] = [2, 0]\n"
           ">>> torsor.forward(model, data)\n"
           ">>> torsor.body_twist(model, data, 'lower', 'drake')\n"
           "array([ 0. ,  2. ,  0. ,  0. ,  0. , -0.6])\n"
           ">>> torsor.body_twist(model, data, 'lower', 'drake', point=[0.3, 0, 0], axes='upper')\n"
           "array([ 0. ,  2. ,  0. ,  0. ,  0. , -1.2])");
  add_read(m, "body_jacobian", &read_body_jacobian, true,
           "The matrix (6, nv) whose product with qvel is body_twist().\n\n"
           ">>> torsor.forward(model, data)\n"
           ">>> torsor.body_jacobian(model, data, 'lower', 'drake')[5]\n"
           "array([-0.3,  0. ])");
  add_read(m, "body_wrench", &read_body_wrench, false,
           "The load in xfrc_applied on a body, in a convention.\n\n"
           ">>> torsor.forward(model, data)\n"
           ">>> data.xfrc_applied[2] = [0, 0, 1, 0, 0, 0]\n"
           ">>> torsor.body_wrench(model, data, 'lower', 'drake[wrench.point=origin]').round(3)\n"
           "array([ 0.  , -0.15,  0.  ,  0.  ,  0.  ,  1.  ])");
  add_write(m, "set_body_wrench", &set_body_wrench,
            "Set the load on a body, given in a convention.\n\n"
            ">>> torsor.forward(model, data)\n"
            ">>> torsor.set_body_wrench(model, data, 'lower', 'newton', [0, 0, 1, 0, 0, 0])\n"
            ">>> data.xfrc_applied[2]\n"
            "array([0., 0., 1., 0., 0., 0.])");
  add_write(m, "apply_body_wrench", &apply_body_wrench,
            "Add to the load on a body, given in a convention.\n\n"
            ">>> torsor.forward(model, data)\n"
            ">>> torsor.apply_body_wrench(model, data, 'lower', 'newton', [0, 0, 1, 0, 0, 0])\n"
            ">>> torsor.apply_body_wrench(model, data, 'lower', 'newton', [0, 0, 1, 0, 0, 0])\n"
            ">>> data.xfrc_applied[2]\n"
            "array([0., 0., 2., 0., 0., 0.])");
  m.def(
      "set_joint_forces",
      [](ModelObject& model, DataObject& data, const std::string& convention, const ArrayLike& forces,
         const OrderArgument& order) {
        const Hold hold = check_fits(model, data);
        const Input in("forces", forces, {static_cast<size_t>(model.model->nv)});
        JointForces(*model.model, find_convention(convention), order_of(order))
            .set(*model.model, *data.data, in.data());
      },
      "model"_a, "data"_a, "convention"_a, "forces"_a, nb::kw_only(), "order"_a = nb::none(),
      "Set generalised forces: those of free joints as loads at the COM in xfrc_applied, others in qfrc_applied.\n\n"
      ">>> torsor.set_joint_forces(model, data, 'newton', [1, 2])\n"
      ">>> data.qfrc_applied\n"
      "array([1., 2.])");
  m.def(
      "joint_forces",
      [](ModelObject& model, DataObject& data, const std::string& convention, const OrderArgument& order) {
        const Hold hold = check_fits(model, data);
        const Output out(Shape{static_cast<size_t>(model.model->nv)});
        JointForces(*model.model, find_convention(convention), order_of(order))
            .read(*model.model, *data.data, out.data());
        return out.array();
      },
      "model"_a, "data"_a, "convention"_a, nb::kw_only(), "order"_a = nb::none(),
      "The generalised forces set by set_joint_forces().\n\n"
      ">>> torsor.set_joint_forces(model, data, 'newton', [1, 2])\n"
      ">>> torsor.joint_forces(model, data, 'newton')\n"
      "array([1., 2.])");
}

}  // namespace

void bind_state_maps(nb::module_& m) {
  bind_state_map(m);
  bind_sap(m);
  bind_views(m);
}

}  // namespace torsor::python
