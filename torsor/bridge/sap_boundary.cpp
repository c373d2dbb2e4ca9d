#include "torsor/bridge/sap_boundary.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "torsor/bridge/model_axes.hpp"
#include "torsor/bridge/newton/sap_orders.hpp"
#include "torsor/convention/convert.hpp"
#include "torsor/core/error.hpp"

namespace torsor {
namespace {

// The matrix of a linear map of six numbers, column by column from the unit vectors.
template <class Map>
Matrix6 matrix_of(const Map& map) {
  Matrix6 matrix;
  for (int column = 0; column < 6; ++column) {
    double unit[6] = {}, result[6];
    unit[column] = 1;
    map(unit, result);
    for (int row = 0; row < 6; ++row) matrix[6 * row + column] = result[row];
  }
  return matrix;
}

// The maps of the two conventions at a body whose axes are the world's.
struct Maps {
  explicit Maps(const Vec3<double>& p_OC_W) : place{.p_BoBcm_B = p_OC_W} {}
  BodyPlace<double> place;
  Row outside = find_convention("sap.public").row, inside = find_convention("sap.internal").row;
  SpatialMap<double> a{outside.twist, outside, place}, b{inside.twist, inside, place};
};

}  // namespace

Matrix6 sap_velocity_matrix(const Vec3<double>& p_OC_W) {
  const Maps maps(p_OC_W);
  return matrix_of([&](const double* in, double* out) {
    store_parts(maps.inside.twist.order, maps.b.twist(maps.a.ours(load_parts(maps.outside.twist.order, in))), out);
  });
}
Matrix6 sap_velocity_matrix_inverse(const Vec3<double>& p_OC_W) {
  const Maps maps(p_OC_W);
  return matrix_of([&](const double* in, double* out) {
    store_parts(maps.outside.twist.order, maps.a.twist(maps.b.ours(load_parts(maps.inside.twist.order, in))), out);
  });
}
Matrix6 sap_force_matrix(const Vec3<double>& p_OC_W) {
  const Maps maps(p_OC_W);
  return matrix_of([&](const double* in, double* out) {
    store_parts(maps.inside.twist.order, maps.b.wrench(maps.a.ours_wrench(load_parts(maps.outside.twist.order, in))),
                out);
  });
}

SapBoundary::SapBoundary(const JointSystem& system) {
  const Convention outside = in_axes_of(find_convention("sap.public"), system.axes);
  const Convention inside = in_axes_of(find_convention("sap.internal"), system.axes);
  in_.emplace(system, outside, inside);
  out_.emplace(system, inside, outside);
  for (const int joint : list_joints(system, find_convention("sap.public"), nullptr)) {
    const CoordinateKind kind = system.joints[joint].kind;
    q_start_.push_back(q_start_.back() + dof_count(kind) + (dof_count(kind) > 1 ? 1 : 0));
    qd_start_.push_back(qd_start_.back() + dof_count(kind));
  }
}

SapBoundary::SapBoundary(const newton::Model& model) : newton_(std::make_shared<newton::SapOrders>(model)) {
  const newton::ModelBuilder& lists = model.lists();
  for (int j = 0; j < lists.joint_count(); ++j) {
    q_start_.push_back(lists.q_end(j));
    qd_start_.push_back(lists.qd_end(j));
  }
}

void SapBoundary::velocities_in(SapOrder order, const double* joint_q, const double* joint_qd, double* sap_qd) const {
  if (order == SapOrder::kSap) {
    std::copy_n(joint_qd, nv(), sap_qd);
  } else if (newton_) {
    newton_->velocities_to_sap(joint_q, joint_qd, sap_qd);
  } else {
    in_->velocities(joint_q, joint_qd, sap_qd);
  }
}

void SapBoundary::forces_in(SapOrder order, const double* joint_q, const double* joint_f, double* sap_f) const {
  if (order == SapOrder::kSap) {
    std::copy_n(joint_f, nv(), sap_f);
  } else if (newton_) {
    newton_->forces_to_sap(joint_q, joint_f, sap_f);
  } else {
    in_->forces(joint_q, joint_f, sap_f);
  }
}

void SapBoundary::body_forces_in(SapOrder order, std::span<const double> body_q, std::span<const double> body_com,
                                 std::span<const double> body_f, std::span<double> sap_f) const {
  const size_t count = body_f.size() / 6;
  if (body_f.size() % 6 || body_q.size() != 7 * count || body_com.size() != 3 * count ||
      sap_f.size() != body_f.size()) {
    throw Error(
        fmt::format("body_q, body_com and body_f should hold 7, 3 and 6 numbers for each body, not {}, {} and {}",
                    body_q.size(), body_com.size(), body_f.size()));
  }
  if (order == SapOrder::kSap) {
    std::copy(body_f.begin(), body_f.end(), sap_f.begin());
    return;
  }
  BodyConversion conversion(find_convention("sap.public"), find_convention("sap.internal"));
  for (size_t b = 0; b < count; ++b) {
    BodyPlace<double> place;
    place.p_BoBcm_B = load3(&body_com[3 * b]);
    conversion.set_body(place);
    conversion.wrenches(&body_q[7 * b], &body_f[6 * b], &sap_f[6 * b], 1);
  }
}

void SapBoundary::velocities_out(SapOrder order, const double* joint_q_new, const double* sap_qd,
                                 double* joint_qd) const {
  if (order == SapOrder::kSap) {
    std::copy_n(sap_qd, nv(), joint_qd);
  } else if (newton_) {
    newton_->velocities_to_public(joint_q_new, sap_qd, joint_qd);
  } else {
    out_->velocities(joint_q_new, sap_qd, joint_qd);
  }
}

}  // namespace torsor
