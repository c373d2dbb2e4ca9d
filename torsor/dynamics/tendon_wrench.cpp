// What spatial tendons do to bodies: the tension pulls at the ends of every straight piece of the path.
#include "torsor/dynamics/tendon_wrench.hpp"

#include <algorithm>

#include "torsor/dynamics/dynamics.hpp"
#include "torsor/dynamics/kernels/tendons.hpp"
#include "torsor/math/spatial.hpp"

namespace torsor {
namespace {

using Vec = Vec3<double>;

// The force of an equality of tendons along the lengths of both.
void add_equality_tensions(const Model& model, const Data& data, int row, double* tension) {
  const int id = data.efc_id[row], second = model.eq_obj2id[id];
  const double force = data.efc_force[row];
  tension[model.eq_obj1id[id]] += force;
  if (second < 0) return;
  const double* c = model.eq_data.row(id, kEqualityNumbers);
  const double x = data.ten_length[second] - model.tendon_length0[second];
  tension[second] -= force * (c[1] + x * (2 * c[2] + x * (3 * c[3] + x * 4 * c[4])));
}

// The row of a lower limit is ten_J, that of an upper limit -ten_J.
double side_of_limit(const Model& model, const Data& data, int row, int t) {
  double product = 0;
  const int first = data.efc_J_rowadr[row], last = first + data.efc_J_rownnz[row];
  for_each_tendon_dof(model, t, [&](int dof, int k) {
    const int* at = std::lower_bound(&data.efc_J_colind[first], &data.efc_J_colind[first] + (last - first), dof);
    const int place = first + static_cast<int>(at - &data.efc_J_colind[first]);
    if (place < last && data.efc_J_colind[place] == dof) product += data.efc_J[place] * data.ten_J[k];
  });
  return product < 0 ? -1 : 1;
}

void add_row_tensions(const Model& model, const Data& data, double* tension) {
  for (int row = 0; row < data.nefc; ++row) {
    const int id = data.efc_id[row];
    switch (static_cast<RowType>(data.efc_type[row])) {
      case RowType::kEquality:
        if (model.eq_type[id] == static_cast<int>(EqualityType::kTendon))
          add_equality_tensions(model, data, row, tension);
        break;
      case RowType::kFrictionTendon:
      case RowType::kTendonDamper:
        tension[id] += data.efc_force[row];
        break;
      case RowType::kLimitTendon:
        tension[id] += data.efc_force[row] * side_of_limit(model, data, row, id);
        break;
      default:
        break;
    }
  }
}

// Of springs and dampers, and of the inertia of armature, which resists the acceleration of the length.
void add_own_tensions(const Model& model, const Data& data, double* tension) {
  for (int t = 0; t < model.ntendon; ++t) {
    if (!model.opt.disabled(kDisableSpring)) tension[t] += tendon_spring_force<double>(model, data, t);
    if (!model.opt.disabled(kDisableDamper)) tension[t] += TendonDamping(model, t).force(data.ten_velocity[t]);
    const double armature = tendon_armature(model, t);
    if (armature == 0) continue;
    double acceleration = tendon_length_product(model, data, t);
    for_each_tendon_dof(model, t, [&](int dof, int k) { acceleration += data.ten_J[k] * data.qacc[dof]; });
    tension[t] -= armature * acceleration;
  }
}

void add_actuator_tensions(const Model& model, const Data& data, double* tension) {
  for (int a = 0; a < model.nactuator; ++a) {
    const int out = model.actuator_outadr[a];
    if (model.actuator_trntype[a] == static_cast<int>(Transmission::kTendon))
      tension[model.actuator_trnid[2 * a]] += data.actuator_force[out] * model.actuator_gear[6 * out];
  }
}

// Follows the path that compute_tendons() left in wrap_xpos and wrap_obj.
class PathPull {
 public:
  PathPull(const Model& model, Data& data, int t, double tension)
      : model_(model), data_(data), tendon_(t), tension_(tension), point_(data.ten_wrapadr[t]) {}

  void add() {
    const int begin = model_.tendon_adr[tendon_], end = begin + model_.tendon_num[tendon_];
    const int last = data_.ten_wrapadr[tendon_] + data_.ten_wrapnum[tendon_];
    double divisor = 1;
    bool has_before = false;
    for (int element = begin; element < end && point_ < last; ++element) {
      const int object = model_.wrap_objid[element];
      const WrapType type = static_cast<WrapType>(model_.wrap_type[element]);
      if (type == WrapType::kPulley) {
        divisor = model_.wrap_prm[element];
        has_before = false;
        ++point_;
      } else if (type == WrapType::kSite) {
        go_to(model_.site_bodyid[object], has_before, divisor);
        has_before = true;
      } else if (data_.wrap_obj[point_] == object) {  // the path touches the geom, at two points
        go_to(model_.geom_bodyid[object], has_before, divisor);
        before_ = load3(data_.wrap_xpos.data() + 3 * point_++);
      }
    }
  }

 private:
  void go_to(int body, bool has_before, double divisor) {
    const Vec p_WoP_W = load3(data_.wrap_xpos.data() + 3 * point_++);
    if (has_before && body != body_) {
      const Vec along = p_WoP_W - before_;
      const double distance = norm(along);
      const Vec direction = distance < kMinValue ? Vec{1, 0, 0} : along * (1 / distance);
      const Vec pull = direction * (tension_ / divisor);
      add_force(body_, before_, -pull);
      add_force(body, p_WoP_W, pull);
    }
    before_ = p_WoP_W;
    body_ = body;
  }

  void add_force(int body, const Vec& p_WoP_W, const Vec& f_W) {
    if (body == 0) return;
    const Vec p_TcmP_W = p_WoP_W - load3(data_.subtree_com.row(model_.body_rootid[body], 3));
    double* sum = data_.cfrc_ext.row(body, 6);
    store6(sum, load6_wrench(sum) + Wrench<double>{cross(p_TcmP_W, f_W), f_W});
  }

  const Model& model_;
  Data& data_;
  int tendon_;
  double tension_;
  int point_, body_ = 0;
  Vec before_{};
};

}  // namespace

bool has_spatial_tendon(const Model& model) {
  return std::any_of(model.tendon_type.begin(), model.tendon_type.end(),
                     [](int type) { return type == static_cast<int>(TendonType::kSpatial); });
}

void add_tendon_wrenches(const Model& model, Data& data) {
  if (!has_spatial_tendon(model)) return;
  ArenaScope scope(data.arena());
  double* tension = data.arena().push_array<double>(static_cast<size_t>(model.ntendon));
  if (!tension) return;
  std::fill(tension, tension + model.ntendon, 0.0);
  add_own_tensions(model, data, tension);
  add_actuator_tensions(model, data, tension);
  add_row_tensions(model, data, tension);
  for (int t = 0; t < model.ntendon; ++t) {
    const bool is_spatial = model.tendon_type[t] == static_cast<int>(TendonType::kSpatial);
    if (is_spatial && tension[t] != 0) PathPull(model, data, t, tension[t]).add();
  }
}

}  // namespace torsor
