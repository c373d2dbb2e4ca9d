// Jacobians of points and axes, and their time derivatives.
#include <algorithm>

#include "torsor/dynamics/dynamics.hpp"
#include "torsor/dynamics/kernels/range.hpp"
#include "torsor/math/spatial.hpp"

namespace torsor {
namespace {

using Vec = Vec3<double>;

void clear(double* matrix, int columns) {
  if (matrix) std::fill(matrix, matrix + 3 * static_cast<ptrdiff_t>(columns), 0.0);
}

void set_column(double* matrix, int columns, int i, const Vec& column) {
  if (!matrix) return;
  matrix[i] = column.x;
  matrix[columns + i] = column.y;
  matrix[2 * columns + i] = column.z;
}

// Calls f(i) for every dof that moves the body.
template <class F>
void for_each_dof_of(const Model& model, int body, F&& f) {
  for (int i = last_dof(model, body); i >= 0; i = model.dof_parentid[i]) f(i);
}

Vec p_tcm_to(const Model& model, const Data& data, const double p_WoP_W[3], int body) {
  return load3(p_WoP_W) - load3(data.subtree_com.row(model.body_rootid[body], 3));
}

}  // namespace

void jac(const Model& model, const Data& data, double* jacp, double* jacr, const double p_WoP_W[3], int body) {
  clear(jacp, model.nv);
  clear(jacr, model.nv);
  const Vec p_TcmP_W = p_tcm_to(model, data, p_WoP_W, body);
  for_each_dof_of(model, body, [&](int i) {
    const Twist<double> S_P_W = load6(data.cdof.row(i, 6)).at(p_TcmP_W);
    set_column(jacp, model.nv, i, S_P_W.v);
    set_column(jacr, model.nv, i, S_P_W.w);
  });
}

void jac_body(const Model& model, const Data& data, double* jacp, double* jacr, int body) {
  jac(model, data, jacp, jacr, data.xpos.row(body, 3), body);
}
void jac_body_com(const Model& model, const Data& data, double* jacp, double* jacr, int body) {
  jac(model, data, jacp, jacr, data.xipos.row(body, 3), body);
}
void jac_geom(const Model& model, const Data& data, double* jacp, double* jacr, int geom) {
  jac(model, data, jacp, jacr, data.geom_xpos.row(geom, 3), model.geom_bodyid[geom]);
}
void jac_site(const Model& model, const Data& data, double* jacp, double* jacr, int site) {
  jac(model, data, jacp, jacr, data.site_xpos.row(site, 3), model.site_bodyid[site]);
}

// Mean of the bodies' COM Jacobians, weighted by mass.
void jac_subtree_com(const Model& model, const Data& data, double* jacp, int body) {
  clear(jacp, model.nv);
  const double total = model.body_subtreemass[body];
  if (!jacp || total < kMinValue) return;
  for (int b = body; b < model.nbody; ++b) {
    if (b > body && model.body_parentid[b] < body) break;  // depth first: the subtree is one run of bodies
    const Vec p_TcmBcm_W = p_tcm_to(model, data, data.xipos.row(b, 3), b);
    for_each_dof_of(model, b, [&](int i) {
      const Vec v = load6(data.cdof.row(i, 6)).at(p_TcmBcm_W).v * (model.body_mass[b] / total);
      for (int k = 0; k < 3; ++k) jacp[k * model.nv + i] += v[k];
    });
  }
}

void jac_point_axis(const Model& model, const Data& data, double* jac_point, double* jac_axis, const double p_WoP_W[3],
                    const double axis_W[3], int body) {
  jac(model, data, jac_point, nullptr, p_WoP_W, body);
  clear(jac_axis, model.nv);
  for_each_dof_of(model, body, [&](int i) {
    set_column(jac_axis, model.nv, i, cross(load6(data.cdof.row(i, 6)).w, load3(axis_W)));
  });
}

// d/dt of each column, for a point fixed in the body: S-dot at P, plus the change of P - Tcm.
// The reference point of S-dot is the place of Tcm held fixed in space, so that only P moves.
void jac_dot(const Model& model, const Data& data, double* jacp_dot, double* jacr_dot, const double p_WoP_W[3],
             int body) {
  clear(jacp_dot, model.nv);
  clear(jacr_dot, model.nv);
  const Vec p_TcmP_W = p_tcm_to(model, data, p_WoP_W, body);
  const Vec v_WP_W = load6(data.cvel.row(body, 6)).at(p_TcmP_W).v;
  for_each_dof_of(model, body, [&](int i) {
    const Twist<double> S = load6(data.cdof.row(i, 6));
    Twist<double> S_dot = load6(data.cdof_dot.row(i, 6));
    // a rotation about body-fixed axes (free and ball joints) is carried along by its own joint as well
    const JointType type = static_cast<JointType>(model.jnt_type[model.dof_jntid[i]]);
    const int first_rotation = model.jnt_dofadr[model.dof_jntid[i]] + (type == JointType::kFree ? 3 : 0);
    if (type == JointType::kBall || (type == JointType::kFree && i >= first_rotation))
      S_dot = cross(load6(data.cvel.row(model.dof_bodyid[i], 6)), S);
    set_column(jacr_dot, model.nv, i, S_dot.w);
    set_column(jacp_dot, model.nv, i, S_dot.at(p_TcmP_W).v + cross(S.w, v_WP_W));
  });
}

}  // namespace torsor
