// Impedance d, reference (stiffness k, damping b), regularisation R = (1 - d) / d A with A the diagonal of J M^-1 J' or
// its estimate from the inverse weights of the model.
#include "torsor/constraint/impedance.hpp"

#include <algorithm>
#include <cmath>

#include "torsor/constraint/blocks.hpp"
#include "torsor/constraint/constraint.hpp"
#include "torsor/constraint/kernels/row_values.hpp"
#include "torsor/constraint/sap.hpp"
#include "torsor/constraint/surface.hpp"
#include "torsor/dynamics/dynamics.hpp"
#include "torsor/dynamics/metric.hpp"
#include "torsor/model/formulation.hpp"

namespace torsor {
namespace {

// The least R per A: that of the largest impedance.
constexpr double kLeastSoftness = (1 - kMaxImpedance) / kMaxImpedance;

// The parameters that all rows of one equality, limit, friction or contact share.
struct Element {
  const double* solref;
  const double* solref_friction;  // of the rows of an elliptic contact after its first
  const double* solimp;
  int rows;
  double violation;  // what the impedance depends on
};

double norm(const double* x, int n) {
  double sum = 0;
  for (int i = 0; i < n; ++i) sum += x[i] * x[i];
  return std::sqrt(sum);
}

int equality_rows(const Model& model, int id) {
  switch (static_cast<EqualityType>(model.eq_type[id])) {
    case EqualityType::kConnect:
      return 3;
    case EqualityType::kWeld:
      return 6;
    default:
      return 1;
  }
}

Element element_at(const Model& model, const Data& data, int row) {
  const int id = data.efc_id[row];
  const RowType type = static_cast<RowType>(data.efc_type[row]);
  Element element{nullptr, nullptr, nullptr, 1, data.efc_pos[row] - data.efc_margin[row]};
  switch (type) {
    case RowType::kEquality:
      element.solref = model.eq_solref.row(id, 2);
      element.solimp = model.eq_solimp.row(id, 5);
      element.rows = equality_rows(model, id);
      element.violation = element.rows > 1 ? norm(&data.efc_pos[row], element.rows) : data.efc_pos[row];
      break;
    case RowType::kFrictionDof:
      element.solref = model.dof_solref.row(id, 2);
      element.solimp = model.dof_solimp.row(id, 5);
      break;
    case RowType::kFrictionTendon:
      element.solref = model.tendon_solref_fri.row(id, 2);
      element.solimp = model.tendon_solimp_fri.row(id, 5);
      break;
    case RowType::kLimitJoint:
      element.solref = model.jnt_solref.row(id, 2);
      element.solimp = model.jnt_solimp.row(id, 5);
      break;
    case RowType::kLimitTendon:
      element.solref = model.tendon_solref_lim.row(id, 2);
      element.solimp = model.tendon_solimp_lim.row(id, 5);
      break;
    case RowType::kDrive:  // only SAP has these, with parameters of its own
    case RowType::kTendonDamper:
      break;
    case RowType::kContactFrictionless:
    case RowType::kContactPyramidal:
    case RowType::kContactElliptic: {
      const Contact& contact = data.contact[id];
      element.solref = contact.solref;
      element.solimp = contact.solimp;
      element.rows = type == RowType::kContactPyramidal ? 2 * (contact.dim - 1) : contact.dim;
      const bool has_friction = contact.solreffriction[0] != 0 || contact.solreffriction[1] != 0;
      element.solref_friction = has_friction ? contact.solreffriction : contact.solref;
      break;
    }
  }
  return element;
}

double equality_weight(const Model& model, int id, int r) {
  const int first = model.eq_obj1id[id], second = model.eq_obj2id[id];
  const bool sites = model.eq_objtype[id] == static_cast<int>(ObjectType::kSite);
  const auto body_weight = [&](int object) {
    const int body = sites ? model.site_bodyid[object] : object;
    return model.body_invweight0[2 * body + (r >= 3)];
  };
  const auto joint_weight = [&](int joint) { return joint < 0 ? 0 : model.dof_invweight0[model.jnt_dofadr[joint]]; };
  const auto tendon_weight = [&](int tendon) { return tendon < 0 ? 0 : model.tendon_invweight0[tendon]; };
  switch (static_cast<EqualityType>(model.eq_type[id])) {
    case EqualityType::kConnect:
    case EqualityType::kWeld:
      return body_weight(first) + body_weight(second);
    case EqualityType::kJoint:
      return joint_weight(first) + joint_weight(second);
    case EqualityType::kTendon:
      return tendon_weight(first) + tendon_weight(second);
  }
  return 0;
}

double row_weight(const Model& model, const Data& data, int row, int r) {
  const int id = data.efc_id[row];
  switch (static_cast<RowType>(data.efc_type[row])) {
    case RowType::kEquality:
      return equality_weight(model, id, r);
    case RowType::kFrictionDof:
      return model.dof_invweight0[id];
    case RowType::kLimitJoint:
      return model.dof_invweight0[model.jnt_dofadr[id]];
    case RowType::kFrictionTendon:
    case RowType::kLimitTendon:
      return model.tendon_invweight0[id];
    case RowType::kDrive:
    case RowType::kTendonDamper:
      break;
    case RowType::kContactFrictionless:
    case RowType::kContactElliptic:
      return contact_weight(model, data.contact[id], false, r);
    case RowType::kContactPyramidal:
      return contact_weight(model, data.contact[id], true, r);
  }
  return 0;
}

// In discrete time a row is implicit in its own spring and damper: with x' = x + h v' and v' = v + h a, the reference
// -b v' - k d x' makes it act as if R and aref were divided by 1 + h b + h^2 k d. This is stable for any solref, but a
// spring that the step cannot resolve would throw bodies back. Refsafe replaces it, in limits and contacts, by the
// stiffest one that does not, h^2 k d = 1, with the same damping ratio. Impedances are bounded, and with them 1 + h b +
// h^2 k d: damping beyond that would only weaken the row.
RowReference discrete_reference(const Model& model, const Element& element, const Impedance& impedance,
                                bool one_sided) {
  const double h = model.opt.timestep, d = impedance.value, *solref = element.solref;
  RowReference reference = row_reference(model, solref, element.solimp);
  const bool is_resolved = !(solref[0] > 0 && solref[1] > 0) || h * h * reference.stiffness * d <= 1;
  if (!one_sided || is_resolved || model.opt.disabled(kDisableRefSafe)) return reference;
  reference.stiffness = 1 / (h * h * d);
  const double most = (1 - d) / d / kLeastSoftness - 2;
  reference.damping = std::min(2 * solref[1] * std::sqrt(reference.stiffness), std::max(0.0, most) / h);
  return reference;
}

void set_kbip(const Model& model, Data& data, const Element& element, const Impedance& impedance, int row) {
  const RowType type = static_cast<RowType>(data.efc_type[row]);
  const bool is_discrete = formulation(model.opt).solves_in_metric;
  RowReference reference = is_discrete ? discrete_reference(model, element, impedance, row >= data.ne + data.nf)
                                       : row_reference(model, element.solref, element.solimp);
  if (type == RowType::kFrictionDof || type == RowType::kFrictionTendon) reference.stiffness = 0;
  for (int r = 0; r < element.rows; ++r) {
    double* KBIP = data.efc_KBIP.row(row + r, 4);
    KBIP[0] = reference.stiffness;
    KBIP[1] = reference.damping;
    KBIP[2] = impedance.value;
    KBIP[3] = impedance.slope;
    if (type != RowType::kContactElliptic || r > 0) continue;
    reference = row_reference(model, element.solref_friction, element.solimp);  // of slip, which has no position
    reference.stiffness = 0;
  }
}

// J M^-1 J' of one row, in discrete time with the backbone of the metric for M: the squared norm of the row after half
// a solve.
double exact_weight(const Model& model, const Data& data, int row, double* scratch) {
  std::fill(scratch, scratch + model.nv, 0.0);
  for (int k = data.efc_J_rowadr[row], end = k + data.efc_J_rownnz[row]; k < end; ++k)
    scratch[data.efc_J_colind[k]] += data.efc_J[k];
  if (formulation(model.opt).solves_in_metric)
    half_solve_factored(model, data.qH.data(), data.qHDiagInv.data(), scratch);
  else
    half_solve_mass_matrix(model, data, scratch);
  double sum = 0;
  for (int i = 0; i < model.nv; ++i) sum += scratch[i] * scratch[i];
  return std::max(kMinValue, sum);
}

// All edges of a pyramid share one R, chosen such that the cone is as soft as an elliptic one.
void regularise_pyramid(const Model& model, Data& data, int row, int rows, double R_first, double A_per_R) {
  Contact& contact = data.contact[data.efc_id[row]];
  const double mu = contact.friction[0], impratio = model.opt.impratio;
  const double R = 2 * mu * mu / impratio * R_first, D = 1 / R;
  contact.mu = mu / std::sqrt(std::max(kMinValue, impratio));
  for (int i = row; i < row + rows; ++i) {
    data.efc_R[i] = R;
    data.efc_D[i] = D;
    data.efc_diagA[i] = R * A_per_R;
  }
}

// Slip is softer by impratio, and by the friction of its direction.
void regularise_elliptic(const Model& model, Data& data, int row, double R_first) {
  Contact& contact = data.contact[data.efc_id[row]];
  const double* mu = contact.friction;
  double* R = &data.efc_R[row];
  R[0] = R_first;
  R[1] = R[0] / std::max(kMinValue, model.opt.impratio);
  contact.mu = mu[0] * std::sqrt(R[1] / R[0]);
  for (int j = 2; j < contact.dim; ++j) R[j] = R[1] * mu[0] * mu[0] / (mu[j - 1] * mu[j - 1]);
}

// Discrete: by how much the metric makes a row heavier, J diag(A)^-1 J' / J diag(M)^-1 J'.
double metric_ratio(const Model& model, const Data& data, int row) {
  double in_metric = 0, in_M = 0;
  for (int k = data.efc_J_rowadr[row], end = k + data.efc_J_rownnz[row]; k < end; ++k) {
    const int dof = data.efc_J_colind[k], diagonal = model.M_rowadr[dof] + model.M_rownnz[dof] - 1;
    const double M = data.M[diagonal], square = data.efc_J[k] * data.efc_J[k];
    in_metric += square / (M + data.efm_sdiag[dof]);
    in_M += square / M;
  }
  return in_M > 0 ? in_metric / in_M : 1;
}

// R of a row in discrete time, per unit of R_per_A.
double discrete_softness(const Model& model, const Data& data, int row, double R_per_A) {
  const double h = model.opt.timestep, *KBIP = data.efc_KBIP.row(row, 4);
  return std::max(R_per_A / (1 + h * KBIP[1] + h * h * KBIP[0] * KBIP[2]), kLeastSoftness);
}

// R, D = 1 / R, and the diagA that corresponds to R after the adjustments for contacts.
void set_regularisation(const Model& model, Data& data, int row, int rows, double d, double* exact) {
  const double R_per_A = (1 - d) / d, A_per_R = d / (1 - d);
  const bool is_discrete = formulation(model.opt).solves_in_metric;
  const auto regularisation = [&](int r) {
    double A = exact ? exact_weight(model, data, row + r, exact) : row_weight(model, data, row, r);
    if (!is_discrete) return std::max(kMinValue, R_per_A * A);
    if (!exact) A *= metric_ratio(model, data, row + r);
    return std::max(kMinValue, discrete_softness(model, data, row + r, R_per_A) * A);
  };
  const RowType type = static_cast<RowType>(data.efc_type[row]);
  if (type == RowType::kContactPyramidal) return regularise_pyramid(model, data, row, rows, regularisation(0), A_per_R);
  if (type == RowType::kContactElliptic)
    regularise_elliptic(model, data, row, regularisation(0));
  else
    for (int r = 0; r < rows; ++r) data.efc_R[row + r] = regularisation(r);
  for (int i = row; i < row + rows; ++i) {
    data.efc_D[i] = 1 / data.efc_R[i];
    data.efc_diagA[i] = data.efc_R[i] * A_per_R;
  }
}

}  // namespace

RowReference row_reference(const Model& model, const double solref[2], const double solimp[5]) {
  return reference_of(model.opt, solref, solimp);
}

double contact_weight(const Model& model, const Contact& contact, bool pyramidal, int r) {
  return weight_of_contact(model, contact, pyramidal, r);
}

Impedance impedance_at(const double solimp[5], double violation) {
  const double dmin = std::clamp(solimp[0], kMinImpedance, kMaxImpedance);
  const double dmax = std::clamp(solimp[1], kMinImpedance, kMaxImpedance);
  const double width = solimp[2] < 0 ? 0 : solimp[2];  // NaN stays NaN
  const double middle = std::clamp(solimp[3], kMinImpedance, kMaxImpedance), power = std::max(1.0, solimp[4]);
  if (dmin == dmax || width <= kMinValue) return {0.5 * (dmin + dmax), 0};
  const double sign = violation < 0 ? -1 : 1, x = std::fabs(violation) / width;
  if (x >= 1) return {dmax, 0};
  if (x == 0) return {dmin, 0};
  double y, slope;
  if (power == 1) {
    y = x;
    slope = 1;
  } else if (power == 2) {  // the usual case, without the cost of pow
    const bool below = x <= middle;
    const double part = below ? x : 1 - x, scale = 1 / (below ? middle : 1 - middle);
    y = below ? scale * x * x : 1 - scale * part * part;
    slope = 2 * scale * part;
  } else if (x <= middle) {
    const double a = 1 / std::pow(middle, power - 1);
    y = a * std::pow(x, power);
    slope = power * a * std::pow(x, power - 1);
  } else {
    const double b = 1 / std::pow(1 - middle, power - 1);
    y = 1 - b * std::pow(1 - x, power);
    slope = power * b * std::pow(1 - x, power - 1);
  }
  return {dmin + y * (dmax - dmin), slope * sign * (dmax - dmin) / width};
}

// Calls f(element, impedance, row) for each equality, limit, friction and contact.
template <class F>
static void for_each_element(const Model& model, const Data& data, F&& f) {
  for (int row = 0; row < data.nefc;) {
    const Element element = element_at(model, data, row);
    f(element, impedance_at(element.solimp, element.violation), row);
    row += element.rows;
  }
}

static void compute_discrete_regularisation(const Model& model, Data& data) {
  ArenaScope scope(data.arena());
  double* exact =
      model.opt.enabled(kEnableDiagExact) ? data.arena().push_array<double>(static_cast<size_t>(model.nv)) : nullptr;
  for_each_element(model, data, [&](const Element& element, const Impedance& impedance, int row) {
    set_regularisation(model, data, row, element.rows, impedance.value, exact);
  });
}

void compute_impedance(const Model& model, Data& data, int kept) {
  ArenaScope scope(data.arena());
  double* exact =
      model.opt.enabled(kEnableDiagExact) ? data.arena().push_array<double>(static_cast<size_t>(model.nv)) : nullptr;
  for (int row = 0; row < data.nefc;) {
    if (row == data.ne) row += kept;
    if (row == data.nefc) break;
    const Element element = element_at(model, data, row);
    const Impedance impedance = impedance_at(element.solimp, element.violation);
    set_kbip(model, data, element, impedance, row);
    set_regularisation(model, data, row, element.rows, impedance.value, exact);
    row += element.rows;
  }
}

// Rows of connects and welds rotate with their bodies; the reference compensates for J-dot qvel.
static void subtract_equality_bias(const Model& model, Data& data) {
  for (int row = 0; row < data.ne;) {
    const int id = data.efc_id[row], rows = equality_rows(model, id);
    if (rows > 1) {
      double bias[6];
      equality_bias(model, data, id, bias);
      for (int r = 0; r < rows; ++r) data.efc_aref[row + r] -= bias[r];
    }
    row += rows;
  }
}

// The reference at the end of the step, divided by what its dependence on the acceleration adds.
static void make_references_implicit(const Model& model, Data& data) {
  const double h = model.opt.timestep;
  for (int i = 0; i < data.nefc; ++i) {
    const double *KBIP = data.efc_KBIP.row(i, 4), hk = h * KBIP[0] * KBIP[2];
    data.efc_aref[i] = (data.efc_aref[i] - hk * data.efc_vel[i]) / (1 + h * KBIP[1] + h * hk);
  }
}

void compute_row_reference(const Model& model, Data& data) {
  if (data.nefc == 0) return;
  multiply_jacobian(data, data.qvel.data(), data.efc_vel.data());
  add_surface_velocity(model, data);
  if (formulation(model.opt).is_compliant) {
    compute_sap_reference(model, data);
    return add_adhesion_reference(model, data);
  }
  const bool is_discrete = formulation(model.opt).solves_in_metric;
  if (is_discrete) {
    for_each_element(model, data, [&](const Element& element, const Impedance& impedance, int row) {
      set_kbip(model, data, element, impedance, row);
    });
  }
  for (int i = 0; i < data.nefc; ++i) {
    const double* KBIP = data.efc_KBIP.row(i, 4);
    data.efc_aref[i] = -KBIP[1] * data.efc_vel[i] - KBIP[0] * KBIP[2] * (data.efc_pos[i] - data.efc_margin[i]);
  }
  subtract_equality_bias(model, data);
  if (is_discrete) return make_references_implicit(model, data);
  add_adhesion_reference(model, data);
}

// Adhesion enters the references with R.
void finish_rows_in_metric(const Model& model, Data& data) {
  if (data.nefc == 0) return;
  compute_discrete_regularisation(model, data);
  if (!model.flg_adhesion) return;
  compute_row_reference(model, data);
  add_adhesion_reference(model, data);
}

}  // namespace torsor
