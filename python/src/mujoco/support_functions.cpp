// Jacobians, products with M and J, forces and motions of points, rays, and coordinates.
#include <algorithm>
#include <vector>

#include <fmt/format.h>

#include "call.hpp"
#include "mj_objects.hpp"
#include "torsor/constraint/constraint.hpp"
#include "torsor/contact/distance.hpp"
#include "torsor/contact/ray.hpp"
#include "torsor/core/error.hpp"
#include "torsor/dynamics/dynamics.hpp"

namespace torsor::python::mj {
namespace {

// An index that MuJoCo trusts, and the engine must not.
int checked(const char* function, const char* what, int id, int count) {
  if (id < 0 || id >= count)
    throw Error(fmt::format("{}: {} {} does not exist: the model has {}", function, what, id, count));
  return id;
}

void require_jacobian(const Args& args, int i) { args.require_shape(i, 3, args.engine_model().nv, "(3, nv)"); }

using OfObject = void (*)(const Model&, const Data&, double*, double*, int);
template <OfObject function, ObjectType type>
PyObject* jacobian_of(Args& args) {
  const Hold hold = check_fits(args.model(), args.data());
  require_jacobian(args, 2), require_jacobian(args, 3);
  const Model& model = args.engine_model();
  const int id = checked("mj_jac", "element", args.integer(4), model.count(type));
  function(model, args.engine_data(), args.reals(2), args.reals(3), id);
  return none();
}

using OfPoint = void (*)(const Model&, const Data&, double*, double*, const double[3], int);
template <OfPoint function>
PyObject* jacobian_at(Args& args) {
  const Hold hold = check_fits(args.model(), args.data());
  require_jacobian(args, 2), require_jacobian(args, 3);
  const Model& model = args.engine_model();
  const int body = checked("mj_jac", "body", args.integer(5), model.nbody);
  function(model, args.engine_data(), args.reals(2), args.reals(3), args.reals(4), body);
  return none();
}

PyObject* jacobian_point_axis(Args& args) {
  const Hold hold = check_fits(args.model(), args.data());
  require_jacobian(args, 2), require_jacobian(args, 3);
  const Model& model = args.engine_model();
  const int body = checked("mj_jacPointAxis", "body", args.integer(6), model.nbody);
  jac_point_axis(model, args.engine_data(), args.reals(2), args.reals(3), args.reals(4), args.reals(5), body);
  return none();
}

PyObject* jacobian_subtree(Args& args) {
  const Hold hold = check_fits(args.model(), args.data());
  require_jacobian(args, 2);
  const int body = checked("mj_jacSubtreeCom", "body", args.integer(3), args.engine_model().nbody);
  if (args.is_given(2)) jac_subtree_com(args.engine_model(), args.engine_data(), args.reals(2), body);
  return none();
}

using IntoAnother = void (*)(const Model&, const Data&, const double*, double*);
template <IntoAnother function>
PyObject* multiply_m(Args& args) {
  const Hold hold = check_fits(args.model(), args.data());
  args.require_size(2, args.engine_model().nv, "nv"), args.require_size(3, args.engine_model().nv, "nv");
  const std::vector<double> x(args.reals(3), args.reals(3) + args.size(3));  // the result may lie in its memory
  function(args.engine_model(), args.engine_data(), x.data(), args.reals(2));
  return none();
}

void require_rows_of_dofs(const Args& args, int i) {
  if (args.columns(i) != args.engine_model().nv)
    throw_type_error(fmt::format("the last dimension of {} should be of size nv", i == 2 ? "x" : "y"));
}

PyObject* solve_rows(Args& args) {
  const Hold hold = check_fits(args.model(), args.data());
  require_rows_of_dofs(args, 2), require_rows_of_dofs(args, 3);
  if (args.rows(2) != args.rows(3)) throw_type_error("the first dimension of x and y should be of the same size");
  const int nv = args.engine_model().nv;
  std::copy_n(args.reals(3), args.size(3), args.reals(2));
  for (int i = 0; i < args.rows(2); ++i)
    solve_mass_matrix(args.engine_model(), args.engine_data(), args.reals(2) + static_cast<ptrdiff_t>(i) * nv);
  return none();
}

PyObject* half_solve_rows(Args& args) {
  const Hold hold = check_fits(args.model(), args.data());
  require_rows_of_dofs(args, 2), require_rows_of_dofs(args, 3);
  const Model& model = args.engine_model();
  if (args.rows(2) != args.rows(3)) throw_type_error("the first dimension of x and y should be of the same size");
  if (args.size(4) != model.nv) throw_type_error("the size of sqrtInvD should be nv");
  std::copy_n(args.reals(3), args.size(3), args.reals(2));
  const Data& data = args.engine_data();
  for (int i = 0; i < args.rows(2); ++i) {
    double* x = args.reals(2) + static_cast<ptrdiff_t>(i) * model.nv;
    half_solve_mass_matrix(model, data, x);  // with the factor's own D, which is exchanged for the caller's
    for (int k = 0; k < model.nv; ++k) x[k] *= args.reals(4)[k] / std::sqrt(data.qLDiagInv[k]);
  }
  return none();
}

PyObject* full_matrix(Args& args) {
  const Hold hold = check_fits(args.model(), args.data());
  args.require_shape(2, args.engine_model().nv, args.engine_model().nv, "(nv, nv)");
  full_mass_matrix(args.engine_model(), args.engine_data(), args.reals(2));
  return none();
}

// mj_fullM(m, dst, M), as it was before 4.0: M in either of its sparse layouts.
PyObject* full_matrix_of(Args& args) {
  const Model& model = args.engine_model();
  args.require_shape(1, model.nv, model.nv, "(nv, nv)");
  const double* M = args.reals(2);
  const bool is_legacy = args.size(2) == model.nM && model.nM != model.nC;
  if (args.size(2) != model.nM && args.size(2) != model.nC) throw_type_error("M should be of size nM");
  double* dense = args.reals(1);
  std::fill_n(dense, args.size(1), 0.0);
  const auto set = [&](int i, int j, double value) { dense[i * model.nv + j] = dense[j * model.nv + i] = value; };
  for (int i = 0; i < model.nv; ++i) {
    if (is_legacy || model.nM == model.nC) {
      int address = model.dof_Madr[i];
      for (int j = i; j >= 0; j = model.dof_parentid[j]) set(i, j, M[address++]);
    } else {
      for (int k = model.M_rowadr[i]; k < model.M_rowadr[i] + model.M_rownnz[i]; ++k) set(i, model.M_colind[k], M[k]);
    }
  }
  return none();
}

PyObject* inverse_newton_euler(Args& args) {
  args.require_size(3, args.engine_model().nv, "nv");
  {
    const EngineCall call(args.model(), args.data());
    inverse_dynamics(call.model, call.data, args.truth(2), args.reals(3));
  }
  return none();
}

template <bool transposed>
PyObject* multiply_rows(Args& args) {
  const Hold hold = check_fits(args.model(), args.data());
  const Data& data = args.engine_data();
  args.require_size(2, transposed ? data.nv : data.nefc, transposed ? "nv" : "nefc");
  args.require_size(3, transposed ? data.nefc : data.nv, transposed ? "nefc" : "nv");
  (transposed ? multiply_jacobian_transposed : multiply_jacobian)(data, args.reals(3), args.reals(2));
  return none();
}

PyObject* force_of_contact(Args& args) {
  const Hold hold = check_fits(args.model(), args.data());
  const int id = args.integer(2);
  std::fill_n(args.reals(3), 6, 0.0);
  if (id >= 0 && id < args.engine_data().ncon)
    contact_force(args.engine_model(), args.engine_data(), id, args.reals(3));
  return none();
}

PyObject* apply_at_point(Args& args) {
  const Hold hold = check_fits(args.model(), args.data());
  args.require_size(6, args.engine_model().nv, "nv");
  const int body = checked("mj_applyFT", "body", args.integer(5), args.engine_model().nbody);
  apply_force(args.engine_model(), args.engine_data(), args.reals(2), args.reals(3), args.reals(4), body,
              args.reals(6));
  return none();
}

using MotionOfObject = void (*)(const Model&, const Data&, ObjectType, int, double[6], bool);
template <MotionOfObject function>
PyObject* motion_of(Args& args) {
  const Hold hold = check_fits(args.model(), args.data());
  const ObjectType type = static_cast<ObjectType>(args.integer(2));
  switch (type) {
    case ObjectType::kBody:
    case ObjectType::kXBody:
    case ObjectType::kGeom:
    case ObjectType::kSite:
    case ObjectType::kCamera:
      break;
    default:
      throw Error(fmt::format("objects of type {} have no frame: a body, geom, site or camera does", args.integer(2)));
  }
  const int id = checked("mj_objectVelocity", "element", args.integer(3), args.engine_model().count(type));
  function(args.engine_model(), args.engine_data(), type, id, args.reals(4), args.truth(5));
  return none();
}

PyObject* to_global(Args& args) {
  DataObject& data = args.data(0);
  const Hold hold(data.data->gate);
  const int body = checked("mj_local2Global", "body", args.integer(5), data.data->nbody);
  const int same = args.integer(6);
  if (same < 0 || same > static_cast<int>(SameFrame::kInertiaRotation))
    throw Error(fmt::format("mj_local2Global: sameframe must be an mjtSameFrame, got {}", same));
  local_to_global(*data.data, args.reals(1), args.reals(2), args.reals(3), args.reals(4), body,
                  static_cast<SameFrame>(same));
  return none();
}

PyObject* integrate_coordinates(Args& args) {
  const Model& model = args.engine_model();
  args.require_size(1, model.nq, "nq"), args.require_size(2, model.nv, "nv");
  integrate_pos(model, args.reals(1), args.reals(2), args.real(3));
  return none();
}

PyObject* differentiate_coordinates(Args& args) {
  const Model& model = args.engine_model();
  args.require_size(1, model.nv, "nv"), args.require_size(3, model.nq, "nq"), args.require_size(4, model.nq, "nq");
  differentiate_pos(model, args.reals(1), args.real(2), args.reals(3), args.reals(4));
  return none();
}

PyObject* normalize_coordinates(Args& args) {
  args.require_size(1, args.engine_model().nq, "nq");
  normalize_quats(args.engine_model(), args.reals(1));
  return none();
}

PyObject* angular_momentum_matrix(Args& args) {
  const Hold hold = check_fits(args.model(), args.data());
  require_jacobian(args, 2);
  const Model& model = args.engine_model();
  const Data& data = args.engine_data();
  const int root = checked("mj_angmomMat", "body", args.integer(3), model.nbody);
  const int nv = model.nv;
  std::vector<double> jacp(static_cast<size_t>(3 * nv)), jacr(static_cast<size_t>(3 * nv));
  std::fill_n(args.reals(2), 3 * nv, 0.0);
  for (int b = root; b < model.nbody; ++b) {
    int ancestor = b;
    while (ancestor > root) ancestor = model.body_parentid[ancestor];
    if (ancestor != root) continue;
    jac_body_com(model, data, jacp.data(), jacr.data(), b);
    // H = R I R' w + m (c_B - c_subtree) x v_Bcm
    const double *R = data.ximat.row(b, 9), *I = model.body_inertia.row(b, 3);
    const Vec3<double> offset = load3(data.xipos.row(b, 3)) - load3(data.subtree_com.row(root, 3));
    for (int j = 0; j < nv; ++j) {
      const Vec3<double> v{jacp[static_cast<size_t>(j)], jacp[static_cast<size_t>(nv + j)],
                           jacp[static_cast<size_t>(2 * nv + j)]};
      const Vec3<double> w{jacr[static_cast<size_t>(j)], jacr[static_cast<size_t>(nv + j)],
                           jacr[static_cast<size_t>(2 * nv + j)]};
      const Vec3<double> orbital = cross(offset, v) * model.body_mass[b];
      for (int i = 0; i < 3; ++i) {
        double spin = 0;
        for (int k = 0; k < 3; ++k) spin += R[3 * i + k] * I[k] * (R[k] * w.x + R[3 + k] * w.y + R[6 + k] * w.z);
        args.reals(2)[i * nv + j] += spin + orbital[i];
      }
    }
  }
  return none();
}

}  // namespace

void bind_support_functions(nb::module_& m) {
  constexpr const char *kMul = "m:m d:d res:V vec:v", *kObject = "m:m d:d objtype:i objid:i res:V6 flg_local:i";
  const Function rows[] = {
      {"mj_jac", "m:m d:d jacp:W? jacr:W? point:v3 body:i", jacobian_at<jac>},
      {"mj_jacDot", "m:m d:d jacp:W? jacr:W? point:v3 body:i", jacobian_at<jac_dot>},
      {"mj_jacBody", "m:m d:d jacp:W? jacr:W? body:i", jacobian_of<jac_body, ObjectType::kBody>},
      {"mj_jacBodyCom", "m:m d:d jacp:W? jacr:W? body:i", jacobian_of<jac_body_com, ObjectType::kBody>},
      {"mj_jacGeom", "m:m d:d jacp:W? jacr:W? geom:i", jacobian_of<jac_geom, ObjectType::kGeom>},
      {"mj_jacSite", "m:m d:d jacp:W? jacr:W? site:i", jacobian_of<jac_site, ObjectType::kSite>},
      {"mj_jacSubtreeCom", "m:m d:d jacp:W? body:i", jacobian_subtree},
      {"mj_jacPointAxis", "m:m d:d jacPoint:W? jacAxis:W? point:v3 axis:v3 body:i", jacobian_point_axis},
      {"mj_angmomMat", "m:m d:d mat:W body:i", angular_momentum_matrix},
      {"mj_mulM", kMul, multiply_m<multiply_mass_matrix>},
      {"mj_mulM2", kMul, multiply_m<half_multiply_mass_matrix>},
      {"mj_mulJacVec", kMul, multiply_rows<false>},
      {"mj_mulJacTVec", kMul, multiply_rows<true>},
      {"mj_solveM", "m:m d:d x:W y:w", solve_rows},
      {"mj_solveM2", "m:m d:d x:W y:w sqrtInvD:w", half_solve_rows},
      {"mj_fullM", "m:m d:d dst:W", full_matrix},
      {"mj_fullM", "m:m dst:W M:v", full_matrix_of},
      {"mj_rne", "m:m d:d flg_acc:i result:V", inverse_newton_euler},
      {"mj_contactForce", "m:m d:d id:i result:V6", force_of_contact},
      {"mj_applyFT", "m:m d:d force:v3 torque:v3 point:v3 body:i qfrc_target:V", apply_at_point},
      {"mj_objectVelocity", kObject, motion_of<object_velocity>},
      {"mj_objectAcceleration", kObject, motion_of<object_acceleration>},
      {"mj_local2Global", "d:d xpos:V3 xmat:V9 pos:v3 quat:v4 body:i sameframe:i", to_global},
      {"mj_integratePos", "m:m qpos:V qvel:v dt:f", integrate_coordinates},
      {"mj_differentiatePos", "m:m qvel:V dt:f qpos1:v qpos2:v", differentiate_coordinates},
      {"mj_normalizeQuat", "m:m qpos:V", normalize_coordinates},
  };
  add_functions(m, rows);
}

}  // namespace torsor::python::mj
