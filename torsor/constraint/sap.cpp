#include "torsor/constraint/sap.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "torsor/constraint/damper.hpp"
#include "torsor/dynamics/drive.hpp"
#include "torsor/dynamics/dynamics.hpp"
#include "torsor/dynamics/kernels/integrate.hpp"

namespace torsor {
namespace {

constexpr double kPi = 3.14159265358979323846, kLeastWeight = 1e-12;
constexpr double kNearRigid = 0.1;  // beta of all rows but contacts

double near_rigid(double beta, double w) { return beta * beta / (4 * kPi * kPi) * w; }

// The compliance of a normal, a limit or an equality.
struct Compliance {
  double beta, k, tau;  // infinite k: as stiff as beta allows
};

int element_rows(const Model& model, const Data& data, int row) {
  const int id = data.efc_id[row];
  switch (static_cast<RowType>(data.efc_type[row])) {
    case RowType::kContactElliptic:
      return data.contact[id].dim;
    case RowType::kEquality:
      return model.eq_type[id] == static_cast<int>(EqualityType::kWeld)      ? 6
             : model.eq_type[id] == static_cast<int>(EqualityType::kConnect) ? 3
                                                                             : 1;
    default:
      return 1;
  }
}

// Weights J diag(A)^-1 J' of the rows of one element, which have the same dofs.
class Weights {
 public:
  Weights(const Model& model, Data& data) : model_(model), data_(data) {
    inverse_ = data.arena().push_array<double>(static_cast<size_t>(model.nv));
    if (!inverse_) return;
    for (int i = 0; i < model.nv; ++i) inverse_[i] = diagonal(i);
    for (int t = 0; t < model.ntendon; ++t) add_damper(t, inverse_);
    for (int i = 0; i < model.nv; ++i) inverse_[i] = 1 / inverse_[i];
  }

  // J_a diag(A)^-1 J_b'
  double product(int a, int b) const {
    const double *Ja = &data_.efc_J[data_.efc_J_rowadr[a]], *Jb = &data_.efc_J[data_.efc_J_rowadr[b]];
    const int *dof = &data_.efc_J_colind[data_.efc_J_rowadr[a]], count = data_.efc_J_rownnz[a];
    double sum = 0;
    for (int k = 0; k < count; ++k) sum += Ja[k] * Jb[k] * inverse(dof[k]);
    return sum;
  }
  double of_row(int row) const { return std::max(product(row, row), kLeastWeight); }
  // A third of the Frobenius norm of the block of three rows.
  double of_three(int row) const {
    double square = 0;
    for (int i = 0; i < 3; ++i) {
      for (int j = 0; j <= i; ++j) {
        const double W = product(row + i, row + j);
        square += (i == j ? 1 : 2) * W * W;
      }
    }
    return std::max(std::sqrt(square) / 3, kLeastWeight);
  }
  // The weight of the translation; a frictionless contact counts as if its tangents had the same weight.
  double of_contact(int row, int dim) const {
    return dim == 1 ? std::max(product(row, row) / std::sqrt(3.0), kLeastWeight) : of_three(row);
  }

 private:
  double diagonal(int i) const {
    const double M = data_.M[model_.M_rowadr[i] + model_.M_rownnz[i] - 1];
    return std::max(M + model_.opt.timestep * implicit_damping(model_, data_, i), kMinValue);
  }
  // diag(h d J_t' J_t)
  void add_damper(int t, double* diagonal) const {
    if (!is_implicit_damper(model_, t)) return;
    const double gain = damper_gain(model_, t, tendon_speed(model_, data_, t));
    for (int k = model_.ten_J_rowadr[t], end = k + model_.ten_J_rownnz[t]; k < end; ++k)
      diagonal[model_.ten_J_colind[k]] += gain * data_.ten_J[k] * data_.ten_J[k];
  }
  double inverse(int i) const { return inverse_ ? inverse_[i] : 1 / diagonal(i); }

  const Model& model_;
  const Data& data_;
  double* inverse_;  // null when scratch ran out
};

void set_row(Data& data, int row, double w, double R, const Compliance& material) {
  data.efc_diagA[row] = w;
  data.efc_R[row] = R;
  data.efc_D[row] = 1 / R;
  double* KBIP = data.efc_KBIP.row(row, 4);
  KBIP[0] = std::isfinite(material.k) ? material.k : 0;
  KBIP[1] = material.tau;
  KBIP[2] = R == near_rigid(material.beta, w);
  KBIP[3] = 0;
}

double compliant(double h, const Compliance& material, double w) {
  return std::max({near_rigid(material.beta, w), 1 / (h * material.k * (h + material.tau)), kMinValue});
}

void set_contact(const Model& model, Data& data, const Weights& weights, int row) {
  Contact& contact = data.contact[data.efc_id[row]];
  const double h = model.opt.timestep, w = weights.of_contact(row, contact.dim);
  const Compliance material{model.opt.sap_beta, contact.stiffness, contact.dissipation};
  const double Rn = compliant(h, material, w), Rt = model.opt.sap_sigma * w;
  set_row(data, row, w, Rn, material);
  const double* mu = contact.friction;
  contact.mu = contact.dim > 1 ? mu[0] * std::sqrt(Rt / Rn) : 0;
  for (int j = 1; j < contact.dim; ++j)
    set_row(data, row + j, w, Rt * (mu[0] * mu[0]) / (mu[j - 1] * mu[j - 1]), {0, 0, 0});
}

// Of a limit or an equality. Parameters that are missing or invalid: as stiff as a step resolves, and one step.
Compliance compliance_of(const Model& model, const Field<double>& stiffness, const Field<double>& dissipation, int id) {
  const double k = stiffness[id], tau = dissipation[id];
  return {kNearRigid, k > 0 ? k : std::numeric_limits<double>::infinity(), tau >= 0 ? tau : model.opt.timestep};
}

void set_compliant(double h, Data& data, int row, double w, const Compliance& material) {
  set_row(data, row, w, compliant(h, material, w), material);
}

// If an equality is stiffer than a step resolves, its error halves in every step, whatever its dissipation. [Drake]
void set_held(double h, Data& data, int row, double w, Compliance material) {
  const double R = compliant(h, material, w);
  if (R == near_rigid(material.beta, w)) material.tau = h;
  set_row(data, row, w, R, material);
}

// Translation and rotation have separate weights.
void set_equality(const Model& model, Data& data, const Weights& weights, int row, int rows) {
  const double h = model.opt.timestep;
  const Compliance material = compliance_of(model, model.eq_sapstiffness, model.eq_sapdissipation, data.efc_id[row]);
  if (rows == 1) return set_held(h, data, row, weights.of_row(row), material);
  for (int first = row; first < row + rows; first += 3) {
    const double w = weights.of_three(first);
    for (int r = 0; r < 3; ++r) set_held(h, data, first + r, w, material);
  }
}

void set_scalar(const Model& model, Data& data, const Weights& weights, int row) {
  const double h = model.opt.timestep, w = weights.of_row(row);
  const int id = data.efc_id[row];
  switch (static_cast<RowType>(data.efc_type[row])) {
    case RowType::kFrictionDof:
    case RowType::kFrictionTendon:
      return set_row(data, row, w, model.opt.sap_sigma * w, {0, 0, 0});
    case RowType::kDrive: {
      const double R = 1 / (h * drive_gain(model, id));
      return set_row(data, row, w, std::max(R, near_rigid(kNearRigid, w)), {kNearRigid, 0, 0});
    }
    case RowType::kTendonDamper: {
      const double gain = damper_gain(model, id, tendon_speed(model, data, id));
      return set_row(data, row, w, 1 / std::max(gain, kMinValue), {0, 0, 0});
    }
    case RowType::kLimitTendon:
      return set_compliant(h, data, row, w,
                           compliance_of(model, model.tendon_sapstiffness, model.tendon_sapdissipation, id));
    default:
      return set_compliant(h, data, row, w, compliance_of(model, model.jnt_sapstiffness, model.jnt_sapdissipation, id));
  }
}

}  // namespace

void compute_sap_compliance(const Model& model, Data& data) {
  ArenaScope scope(data.arena());
  const Weights weights(model, data);
  for (int row = 0; row < data.nefc;) {
    const int rows = element_rows(model, data, row);
    const auto type = static_cast<RowType>(data.efc_type[row]);
    if (is_contact(type))
      set_contact(model, data, weights, row);
    else if (type == RowType::kEquality)
      set_equality(model, data, weights, row, rows);
    else
      set_scalar(model, data, weights, row);
    row += rows;
  }
}

void compute_sap_reference(const Model& model, Data& data) {
  const double h = model.opt.timestep;
  for (int i = 0; i < data.nefc; ++i) {
    const double v_hat = -(data.efc_pos[i] - data.efc_margin[i]) / (h + data.efc_KBIP[4 * i + 1]);
    data.efc_aref[i] = (v_hat - data.efc_vel[i]) / h;
  }
  set_damper_references(model, data);
}

double implicit_damping(const Model& model, const Data& data, int i) {
  if (model.opt.disabled(kDisableEulerDamp | kDisableDamper)) return 0;
  return damping_derivative(model, i, data.qvel[i]);
}

// v* is not known yet when rows are made. Extra rows do no harm: they have no force unless needed.
double sap_limit_reach(const Model& model, double speed) {
  constexpr double kAcceleration = 200;  // largest expected acceleration in this step, m/s^2 or rad/s^2
  const double h = model.opt.timestep;
  return 2 * h * (std::fabs(speed) + h * kAcceleration);
}

}  // namespace torsor
