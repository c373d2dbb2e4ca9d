// The submodule _newton: the implementation of torsor.newton. Arguments already have C++ types; the package's Python
// files provide Newton's signatures.
#include <fmt/format.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/array.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/vector.h>

#include "arrays.hpp"
#include "gate.hpp"
#include "kept_contacts.hpp"
#include "newton_ik.hpp"
#include "newton_lists.hpp"
#include "text.hpp"
#include "torsor/bridge/newton/solver.hpp"

namespace torsor::python {
namespace {

using namespace nb::literals;
using namespace newton;
using State = newton::State;  // not the engine's

struct SourceObject {
  SourcePtr source;
};

ShapeConfig make_config(const nb::dict& values) {
  ShapeConfig config;
  const auto take = [&](const char* name, auto& field) {
    if (values.contains(name)) field = nb::cast<std::remove_reference_t<decltype(field)>>(values[name]);
  };
  take("density", config.density), take("ke", config.ke), take("kd", config.kd), take("kf", config.kf);
  take("ka", config.ka), take("mu", config.mu), take("mu_torsional", config.mu_torsional);
  take("mu_rolling", config.mu_rolling), take("restitution", config.restitution), take("margin", config.margin);
  take("gap", config.gap), take("is_solid", config.is_solid), take("collision_group", config.collision_group);
  take("collision_filter_parent", config.collision_filter_parent);
  take("has_shape_collision", config.has_shape_collision);
  take("has_particle_collision", config.has_particle_collision);
  take("is_visible", config.is_visible), take("is_site", config.is_site);
  return config;
}

DofConfig make_axis(const nb::dict& values) {
  DofConfig axis;
  const auto take = [&](const char* name, auto& field) {
    if (values.contains(name)) field = nb::cast<std::remove_reference_t<decltype(field)>>(values[name]);
  };
  take("axis", axis.axis), take("limit_lower", axis.limit_lower), take("limit_upper", axis.limit_upper);
  take("limit_ke", axis.limit_ke), take("limit_kd", axis.limit_kd), take("target_pos", axis.target_pos);
  take("target_vel", axis.target_vel), take("target_ke", axis.target_ke), take("target_kd", axis.target_kd);
  take("damping", axis.damping), take("armature", axis.armature), take("effort_limit", axis.effort_limit);
  take("velocity_limit", axis.velocity_limit), take("friction", axis.friction);
  int mode = static_cast<int>(axis.mode);
  take("mode", mode);
  axis.mode = to_target_mode(mode);
  return axis;
}

std::vector<DofConfig> make_axes(const std::vector<nb::dict>& list) {
  std::vector<DofConfig> axes;
  for (const nb::dict& values : list) axes.push_back(make_axis(values));
  return axes;
}

MjcfOptions make_mjcf_options(const nb::dict& values) {
  MjcfOptions options;
  const auto take = [&values](const char* name, auto& number) {
    number = nb::cast<std::remove_reference_t<decltype(number)>>(nb::object(values[name]));
  };
  int up_axis = 0;
  take("up_axis", up_axis);
  options.up_axis = to_axis(up_axis);
  take("xform", options.xform);
  take("floating", options.floating);
  take("ctrl_direct", options.ctrl_direct);
  take("parse_mujoco_options", options.parse_options);
  take("collapse_fixed_joints", options.collapse_fixed_joints);
  take("collapse_massless_fixed_root", options.collapse_massless_fixed_root);
  take("ignore_names", options.ignore_names);
  take("ignore_classes", options.ignore_classes);
  take("visual_classes", options.visual_classes);
  take("skip_equality_constraints", options.skip_equality_constraints);
  take("parse_sites", options.parse_sites);
  take("parse_visuals", options.parse_visuals);
  take("ignore_inertial_definitions", options.ignore_inertial_definitions);
  take("armature_scale", options.armature_scale);
  options.shape = make_config(nb::cast<nb::dict>(nb::object(values["shape"])));
  options.axis = make_axis(nb::cast<nb::dict>(nb::object(values["axis"])));
  return options;
}

BaseJoint make_base_joint(const nb::dict& values) {
  BaseJoint base;
  base.kind = to_joint_kind(nb::cast<int>(nb::object(values["joint_type"])));
  base.linear = make_axes(nb::cast<std::vector<nb::dict>>(nb::object(values["linear_axes"])));
  base.angular = make_axes(nb::cast<std::vector<nb::dict>>(nb::object(values["angular_axes"])));
  base.key = nb::cast<std::string>(nb::object(values["key"]));
  base.collision_filter_parent = nb::cast<bool>(nb::object(values["collision_filter_parent"]));
  base.enabled = nb::cast<bool>(nb::object(values["enabled"]));
  return base;
}

UrdfImportOptions make_urdf_options(const nb::dict& values) {
  UrdfImportOptions options;
  const auto take = [&values](const char* name, auto& number) {
    number = nb::cast<std::remove_reference_t<decltype(number)>>(nb::object(values[name]));
  };
  int up_axis = 0, order = 0;
  take("up_axis", up_axis), take("joint_ordering", order);
  options.up_axis = to_axis(up_axis);
  options.joint_ordering = static_cast<UrdfImportOptions::Order>(order);
  take("xform", options.xform), take("floating", options.floating), take("parent_body", options.parent_body);
  take("scale", options.scale), take("hide_visuals", options.hide_visuals);
  take("force_show_colliders", options.force_show_colliders);
  take("parse_visuals_as_colliders", options.parse_visuals_as_colliders);
  take("enable_self_collisions", options.enable_self_collisions);
  take("ignore_inertial_definitions", options.ignore_inertial_definitions);
  take("bodies_follow_joint_ordering", options.bodies_follow_joint_ordering);
  take("collapse_fixed_joints", options.collapse_fixed_joints);
  take("collapse_massless_fixed_root", options.collapse_massless_fixed_root);
  take("override_root_xform", options.override_root_xform);
  take("damping_is_drive", options.damping_is_drive);
  take("force_position_velocity_actuation", options.force_position_velocity_actuation);
  take("packages", options.packages);
  options.shape = make_config(nb::cast<nb::dict>(nb::object(values["shape"])));
  options.axis = make_axis(nb::cast<nb::dict>(nb::object(values["axis"])));
  const nb::object base = values["base_joint"];
  if (!base.is_none()) options.base_joint = make_base_joint(nb::cast<nb::dict>(base));
  return options;
}

void bind_builder(nb::module_& m) {
  nb::class_<SourceObject>(m, "Source");
  m.def("make_mesh", [](const std::vector<double>& vertices, const std::vector<int>& indices) {
    return SourceObject{make_mesh(vertices, indices)};
  });
  m.def("make_heightfield",
        [](const std::vector<double>& heights, int nrow, int ncol, double hx, double hy, double min_z, double max_z) {
          return SourceObject{make_heightfield(heights, nrow, ncol, hx, hy, min_z, max_z)};
        });

  nb::class_<ModelBuilder> cls(m, "Builder");
  cls.def("__init__", [](ModelBuilder* self, int up_axis, const Vector3& gravity) {
    new (self) ModelBuilder(to_axis(up_axis), gravity);
  });
  cls.def("copy", [](const ModelBuilder& self) { return ModelBuilder(self); });
  cls.def("get_list", &get_list);
  cls.def("set_list",
          [](ModelBuilder& self, const std::string& name, nb::object values) { set_list(self, name, values); });
  cls.def("add_link",
          [](ModelBuilder& self, const Transform& xform, double armature, const Vector3& com, const Matrix3& inertia,
             double mass, const std::string& key, bool lock, bool floats, bool is_kinematic) {
            const LinkOptions options{xform, armature, com, inertia, mass, key, lock, is_kinematic};
            return floats ? self.add_body(options) : self.add_link(options);
          });
  cls.def("add_joint", [](ModelBuilder& self, int kind, int parent, int child, const std::vector<nb::dict>& linear,
                          const std::vector<nb::dict>& angular, const Transform& X_p, const Transform& X_c,
                          const std::string& key, bool filter, bool enabled) {
    return self.add_joint(to_joint_kind(kind), parent, child, make_axes(linear), make_axes(angular),
                          {X_p, X_c, key, filter, enabled});
  });
  cls.def("add_joint_free", [](ModelBuilder& self, int child, int parent, const Transform& X_p, const Transform& X_c,
                               const std::string& key, bool filter, bool enabled) {
    return self.add_joint_free(child, parent, {X_p, X_c, key, filter, enabled});
  });
  cls.def("add_joint_distance",
          [](ModelBuilder& self, int parent, int child, double low, double high, const Transform& X_p,
             const Transform& X_c, const std::string& key, bool filter, bool enabled) {
            return self.add_joint_distance(parent, child, low, high, {X_p, X_c, key, filter, enabled});
          });
  cls.def("add_articulation", &ModelBuilder::add_articulation);
  cls.def("add_equality_constraint_connect", &ModelBuilder::add_equality_constraint_connect);
  cls.def("add_equality_constraint_weld", &ModelBuilder::add_equality_constraint_weld);
  cls.def("add_equality_constraint_joint", &ModelBuilder::add_equality_constraint_joint);
  cls.def(
      "add_shape",
      [](ModelBuilder& self, int body, int type, const Transform& xform, const Vector3& scale, const nb::dict& config,
         const SourceObject* source, const std::string& key) {
        return self.add_shape(body, to_shape_type(type), xform, scale, make_config(config),
                              source ? source->source : nullptr, key);
      },
      "body"_a, "type"_a, "xform"_a, "scale"_a, "config"_a, "source"_a.none(), "key"_a);
  cls.def("add_shape_plane", [](ModelBuilder& self, const std::array<double, 4>& plane, double width, double length,
                                int body, const nb::dict& config, const std::string& key) {
    return self.add_shape_plane(plane, width, length, body, make_config(config), key);
  });
  cls.def("add_shape_collision_filter_pair", &ModelBuilder::add_shape_collision_filter_pair);
  cls.def("approximate_meshes", [](ModelBuilder& self, int method, const std::vector<int>& shapes) {
    return self.approximate_meshes(static_cast<Approximation>(method), shapes);
  });
  cls.def(
      "add_mjcf",
      [](ModelBuilder& self, const std::string& source, const nb::dict& options) {
        self.add_mjcf(source, make_mjcf_options(options));
      },
      "source"_a, "options"_a);
  cls.def(
      "add_urdf",
      [](ModelBuilder& self, const std::string& source, const nb::dict& options) {
        const UrdfImport done = self.add_urdf(source, make_urdf_options(options));
        return nb::make_tuple(done.warnings, done.has_damping, done.first_shape, done.shape_color);
      },
      "source"_a, "options"_a);
  cls.def("add_builder", &ModelBuilder::add_builder);
  cls.def("begin_world", &ModelBuilder::begin_world);
  cls.def("end_world", &ModelBuilder::end_world);
  cls.def("add_world", &ModelBuilder::add_world);
  cls.def("replicate", &ModelBuilder::replicate);
  cls.def(
      "collapse_fixed_joints",
      [](ModelBuilder& self, const std::vector<int>& joints_to_keep) {
        const Collapse done = self.collapse_fixed_joints(joints_to_keep);
        std::vector<int> places;
        std::vector<Transform> poses;
        for (const Place& place : done.places) {
          places.push_back(place.body);
          poses.push_back(to_transform(place.X_RB));
        }
        return nb::make_tuple(done.body, places, poses, done.joint, done.articulation);
      },
      "joints_to_keep"_a);
  cls.def("finalize", [](const ModelBuilder& self, int version) {
    const Version checked = to_version(version);
    const ModelBuilder lists(self);  // other threads may add to the builder meanwhile
    nb::gil_scoped_release release;
    return lists.finalize(checked);
  });
  cls.def_prop_ro("up_axis", [](const ModelBuilder& self) { return static_cast<int>(self.up_axis); });
  cls.def_rw("gravity", &ModelBuilder::gravity);
  cls.def_rw("world_gravity", &ModelBuilder::world_gravity);
  cls.def_rw("current_world", &ModelBuilder::current_world);
  cls.def_ro("world_count", &ModelBuilder::world_count);
  for (const auto& [name, count] :
       {std::pair{"body_count", &ModelBuilder::body_count}, std::pair{"joint_count", &ModelBuilder::joint_count},
        std::pair{"joint_dof_count", &ModelBuilder::joint_dof_count},
        std::pair{"joint_coord_count", &ModelBuilder::joint_coord_count},
        std::pair{"shape_count", &ModelBuilder::shape_count},
        std::pair{"articulation_count", &ModelBuilder::articulation_count}})
    cls.def_prop_ro(name, count);
}

// An array as newton.Array, in the same memory.
nb::object to_newton(const nb::object& array) {
  static const nb::handle type = nb::object(nb::module_::import_("torsor.newton._array").attr("Array")).release();
  return array.attr("view")(type);
}

// A NumPy view of a vector that keeps its size, to be read, written in place, or assigned as a whole.
template <class Object>
void def_array(nb::class_<Object>& cls, const char* name, std::vector<double> Object::*member, size_t width,
               const char* doc) {
  const auto shape_of = [member, width](const Object& self) {
    const size_t size = (self.*member).size();
    return width == 1 ? Shape{size} : Shape{size / width, width};
  };
  cls.def_prop_rw(
      name,
      [member, shape_of](Object& self) {
        (self.*member).reserve(1);  // so that an empty array has memory too
        const Shape shape = shape_of(self);
        const nb::ndarray<nb::numpy, double> view((self.*member).data(), shape.size(), shape.data(), nb::find(self));
        return to_newton(nb::cast(view));
      },
      [name, member, shape_of](Object& self, const ArrayLike& values) {
        const Input input(name, values, shape_of(self));
        std::copy_n(input.data(), (self.*member).size(), (self.*member).begin());
      },
      doc, nb::for_getter(array_getter<double>(name, to_newton)));
}

void bind_state(nb::module_& m) {
  nb::class_<State> state(m, "State", R"(Positions, velocities and loads of a model; made by model.state().

Poses are seven numbers (position, quaternion xyzw); twists and wrenches are six, linear part first, at the centre of
mass and in the world's axes. Arrays are NumPy views that may be written in place.

>>> state = model.state()
>>> state.joint_q[0] = 0.5
>>> state.body_q.shape
(2, 7)
)");
  state.def("__repr__", [](const State& self) {
    return fmt::format("<State: {} coordinates, {} velocities, {} bodies>", self.joint_q.size(), self.joint_qd.size(),
                       self.body_q.size() / 7);
  });
  def_array(state, "joint_q", &State::joint_q, 1, "Joint coordinates.");
  def_array(state, "joint_qd", &State::joint_qd, 1, "Joint velocities; for free joints, the twist of the child.");
  def_array(state, "body_q", &State::body_q, 7, "Pose of each body in the world.");
  def_array(state, "body_qd", &State::body_qd, 6,
            "Twist of each body: velocity of its centre of mass, then angular velocity.");
  def_array(state, "body_f", &State::body_f, 6, "Load on each body: force, then moment about its centre of mass.");
  def_array(state, "act", &State::act, 1, "Activations of actuators from MJCF.");
  state.def("clear_forces", &State::clear_forces, R"(Set body_f to zero.

>>> state.clear_forces()
)");
  state.def("assign", &State::assign, "other"_a, R"(Copy all numbers of another state of the same model.

>>> state.assign(model.state())
)");
  state.def("mark_computed", &State::mark_computed,
            R"(Take body_q and body_qd as computed from the joints, not as edited.

>>> state.mark_computed()
)");
  state.def(
      "copy", [](const State& self) { return State(self); }, R"(A copy of the state.

>>> bool((state.copy().joint_q == state.joint_q).all())
True
)");

  nb::class_<Control> control(
      m, "Control", R"(The inputs of a step: joint forces, targets of drives, controls; made by model.control().

>>> control = model.control()
>>> control.joint_f[0] = 1.5
>>> control.joint_target_pos.shape
(2,)
)");
  control.def("__repr__", [](const Control& self) {
    return fmt::format("<Control: {} axes, {} controls>", self.joint_f.size(), self.ctrl.size());
  });
  def_array(control, "joint_f", &Control::joint_f, 1, "Joint forces; for free joints, a wrench as in body_f.");
  def_array(control, "joint_act", &Control::joint_act, 1, "Additional joint forces, added to joint_f.");
  for (const char* name : {"joint_target_pos", "joint_target", "joint_target_q"})
    def_array(control, name, &Control::joint_target_pos, 1, "Target positions of the drives.");
  for (const char* name : {"joint_target_vel", "joint_target_qd"})
    def_array(control, name, &Control::joint_target_vel, 1, "Target velocities of the drives.");
  def_array(control, "ctrl", &Control::ctrl, 1, "Controls of actuators from MJCF that are not plain servos.");
  control.def("clear", &Control::clear, R"(Set all inputs to zero.

>>> model.control().clear()
)");
}

void bind_contacts(nb::module_& m) {
  nb::class_<Contacts> cls(m, "Contacts", R"(The contacts of one state; made by model.collide(state).

A step uses these points and normals. Arrays are copies: to change them, assign a whole array.

>>> contacts = model.collide(state)
>>> contacts.rigid_contact_normal = contacts.rigid_contact_normal
>>> contacts.clear()
>>> contacts.rigid_contact_count
0)");
  cls.def(nb::init<>());
  cls.def("__repr__", [](const Contacts& self) { return fmt::format("<Contacts: {} points>", self.count); });
  cls.def(
      "copy", [](const Contacts& self) { return Contacts(self); }, R"(A copy of the contacts.

>>> model.collide(state)._core.copy().rigid_contact_count
0
)");
  cls.def(
      "assign", [](Contacts& self, const Contacts& other) { self = other; }, "other"_a,
      R"(Copy other contacts of the same model.

>>> contacts = model.contacts()
>>> contacts.assign(model.collide(state))
)");
  bind_contact_list<Contacts, int>(cls, "rigid_contact_shape0", &Contacts::shape0, to_newton,
                                   "The first shape of each point.");
  bind_contact_list<Contacts, int>(cls, "rigid_contact_shape1", &Contacts::shape1, to_newton,
                                   "The second shape of each point.");
  cls.def_prop_ro(
      "force",
      [](const Contacts& self) {
        return copy_contacts(self.force, Shape{self.force.size() / 6, 6}, to_newton);
      },
      "Force and moment on the second shape at each point, of the step that reported the contacts; empty without.",
      array_getter<double>("force", to_newton));
  bind_kept_contacts(cls, "rigid_contact_", to_newton);
}

void bind_finished_model(nb::module_& m) {
  using Finished = newton::Model;
  nb::class_<Finished> cls(m, "Model");
  cls.def("get_list", [](const Finished& self, const std::string& name) { return get_list(self.lists(), name); });
  cls.def("lists", [](const Finished& self) { return ModelBuilder(self.lists()); });
  cls.def("state", &Finished::state);
  cls.def("control", &Finished::control);
  cls.def("collide", &Finished::collide);
  cls.def("set_gravity", &Finished::set_gravity);
  cls.def("gravity", &Finished::gravity);
  cls.def("update", [](Finished& self, const ModelBuilder& edited) {
    const ModelBuilder lists(edited);
    nb::gil_scoped_release release;
    self.update(lists);
  });
  cls.def("joint_end", &Finished::joint_end);
  cls.def("max_joints", &Finished::max_joints);
  cls.def("max_dofs", &Finished::max_dofs);
  m.def("list_names", &list_names);
  m.def("eval_fk", &eval_fk);
  m.def("eval_ik", [](const Finished& model, const State& state) {
    std::vector<double> q, qd;
    eval_ik(model, state, q, qd);
    return nb::make_tuple(make_numpy(q, {q.size()}), make_numpy(qd, {qd.size()}));
  });
  m.def("eval_jacobian", [](const Finished& model, const State& state) {
    const size_t count = static_cast<size_t>(model.lists().articulation_count());
    return make_numpy(eval_jacobian(model, state),
                      {count, 6 * static_cast<size_t>(model.max_joints()), static_cast<size_t>(model.max_dofs())});
  });
  m.def("eval_mass_matrix", [](const Finished& model, const State& state) {
    const size_t count = static_cast<size_t>(model.lists().articulation_count());
    const size_t width = static_cast<size_t>(model.max_dofs());
    return make_numpy(eval_mass_matrix(model, state), {count, width, width});
  });
  bind_newton_ik(m);
}

SolverOptions make_solver_options(const nb::dict& values) {
  SolverOptions options;
  const auto take = [&](const char* name, auto& field) {
    if (values.contains(name)) field = nb::cast<std::remove_reference_t<decltype(field)>>(values[name]);
  };
  take("iterations", options.iterations), take("ls_iterations", options.ls_iterations);
  take("tolerance", options.tolerance), take("ls_tolerance", options.ls_tolerance);
  take("impratio", options.impratio), take("solver", options.solver), take("integrator", options.integrator);
  take("cone", options.cone), take("use_mujoco_contacts", options.use_mujoco_contacts);
  take("disable_contacts", options.disable_contacts);
  if (values.contains("separate_worlds")) options.separate_worlds = nb::cast<bool>(values["separate_worlds"]);
  return options;
}

// A solver has one workspace: threads that share it take turns.
struct Gated {
  virtual ~Gated() = default;
  Gate gate;
};
template <class Kind>
struct GatedSolver : Kind, Gated {
  using Kind::Kind;
};
Gate& gate_of(Solver& solver) { return dynamic_cast<Gated&>(solver).gate; }

void bind_solvers(nb::module_& m) {
  nb::class_<Solver> cls(m, "Solver");
  cls.def(
      "step",
      [](Solver& self, const State& in, State& out, const Control* control, const Contacts* contacts, double dt,
         Contacts* report) {
        // other threads may use the states and contacts meanwhile: the step works with copies
        const State from(in);
        const std::optional<Control> inputs = control ? std::optional<Control>(*control) : std::nullopt;
        const std::optional<Contacts> points = contacts ? std::optional<Contacts>(*contacts) : std::nullopt;
        State to(out);
        Contacts reported;
        {
          const Hold hold(gate_of(self));
          const nb::gil_scoped_release release;
          self.step(from, to, inputs ? &*inputs : nullptr, points ? &*points : nullptr, dt,
                    report ? &reported : nullptr);
        }
        out.assign(to);
        if (report) *report = std::move(reported);
      },
      "state_in"_a, "state_out"_a, "control"_a.none(), "contacts"_a.none(), "dt"_a, "report"_a.none() = nb::none());
  cls.def("figures", [](const Solver& self) {
    const Data& data = self.data();
    nb::dict result;
    result["solver_niter"] = std::vector<int>(std::begin(data.solver_niter), std::end(data.solver_niter));
    result["energy"] = std::vector<double>(std::begin(data.energy), std::end(data.energy));
    result["nefc"] = data.nefc;
    result["ncon"] = data.ncon;
    return result;
  });
  cls.def("compute_energy", &Solver::compute_energy);
  nb::class_<GatedSolver<SolverMuJoCo>, Solver>(m, "SolverMuJoCo")
      .def("__init__",
           [](GatedSolver<SolverMuJoCo>* self, const newton::Model& model, const nb::dict& options) {
             new (self) GatedSolver<SolverMuJoCo>(model, make_solver_options(options));
           })
      .def_prop_ro("separates_worlds", [](const GatedSolver<SolverMuJoCo>& self) { return self.separates_worlds(); });
  nb::class_<GatedSolver<SolverSAP>, Solver>(m, "SolverSAP")
      .def("__init__", [](GatedSolver<SolverSAP>* self, const newton::Model& model, const nb::dict& options) {
        new (self) GatedSolver<SolverSAP>(model, make_solver_options(options));
      });
  nb::class_<GatedSolver<SolverSemiImplicit>, Solver>(m, "SolverSemiImplicit")
      .def("__init__", [](GatedSolver<SolverSemiImplicit>* self, const newton::Model& model, const nb::dict& options) {
        new (self) GatedSolver<SolverSemiImplicit>(model, make_solver_options(options));
      });
  nb::class_<GatedSolver<SolverXPBD>, Solver>(m, "SolverXPBD")
      .def("__init__", [](GatedSolver<SolverXPBD>* self, const newton::Model& model, const nb::dict& options) {
        new (self) GatedSolver<SolverXPBD>(model, make_solver_options(options));
      });
  nb::class_<GatedSolver<SolverFeatherstone>, Solver>(m, "SolverFeatherstone")
      .def("__init__", [](GatedSolver<SolverFeatherstone>* self, const newton::Model& model, const nb::dict&) {
        new (self) GatedSolver<SolverFeatherstone>(model);
      });
}

}  // namespace

void bind_newton(nb::module_& parent) {
  nb::module_ m = parent.def_submodule("_newton", "The implementation of torsor.newton.");
  bind_builder(m);
  bind_state(m);
  bind_contacts(m);
  bind_finished_model(m);
  bind_solvers(m);
}

}  // namespace torsor::python
