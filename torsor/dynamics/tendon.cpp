// Lengths of tendons and their derivatives. A fixed tendon is a weighted sum of joint coordinates. A spatial tendon is
// a path through sites and around geoms; pulleys divide the length of the branches after them. Its length changes with
// the velocity of each point along the path's direction there, so a row of ten_J is what unit pulls at the points do to
// the dofs: power with their axes.
#include <algorithm>
#include <cmath>

#include "torsor/dynamics/dynamics.hpp"
#include "torsor/dynamics/kernels/range.hpp"
#include "torsor/dynamics/wrap.hpp"
#include "torsor/math/spatial.hpp"

namespace torsor {
namespace {

using Vec = Vec3<double>;

constexpr int kOnSite = -1, kOnPulley = -2;  // in wrap_obj

WrapType type_of(const Model& model, int element) { return static_cast<WrapType>(model.wrap_type[element]); }
bool is_pulley(const Model& model, int element) { return type_of(model, element) == WrapType::kPulley; }

class SpatialTendon {
 public:
  SpatialTendon(const Model& model, Data& data, int tendon, int first_point)
      : model_(model), data_(data), tendon_(tendon), first_(first_point), next_(first_point) {
    row_ = data.ten_J.row(model.ten_J_rowadr[tendon], 1);
    std::fill(row_, row_ + model.ten_J_rownnz[tendon], 0.0);
  }

  // Returns the number of points of the path.
  int compute() {
    const int begin = model_.tendon_adr[tendon_], end = begin + model_.tendon_num[tendon_];
    double divisor = 1;
    for (int element = begin; element < end;) {
      if (is_pulley(model_, element)) {
        divisor = model_.wrap_prm[element++];
        add_point(Vec::zero(), kOnPulley);
      } else {
        element = follow_branch(element, end, 1 / divisor);
      }
    }
    data_.ten_length[tendon_] = length_;
    return next_ - first_;
  }

 private:
  struct Place {
    Vec p_WoP_W;
    int body;
  };

  Place place_of_site(int element) const {
    const int site = model_.wrap_objid[element];
    return {load3(data_.site_xpos.row(site, 3)), model_.site_bodyid[site]};
  }

  // From a site to the end of the branch; returns the element after it.
  int follow_branch(int element, int end, double scale) {
    Place here = place_of_site(element);
    add_point(here.p_WoP_W, kOnSite);
    while (++element < end && !is_pulley(model_, element)) {
      if (type_of(model_, element) != WrapType::kSite) {
        const Place next = place_of_site(element + 1);
        here = go_around(element++, here, next, scale);
      }
      const Place next = place_of_site(element);
      go_straight(here, next, scale);
      add_point(next.p_WoP_W, kOnSite);
      here = next;
    }
    return element;
  }

  // Around a geom, up to where the path leaves it; stays where it is if the straight path is free.
  Place go_around(int element, const Place& here, const Place& next, double scale) {
    const int geom = model_.wrap_objid[element];
    const WrapObject object{load3(data_.geom_xpos.row(geom, 3)), load9(data_.geom_xmat.row(geom, 9)),
                            model_.geom_size[3 * geom], type_of(model_, element) == WrapType::kCylinder};
    const double side = model_.wrap_prm[element];
    const bool has_side = side >= 0 && side < model_.nsite;  // a user may have written anything
    const Vec side_W = has_side ? load3(data_.site_xpos.row(static_cast<int>(side), 3)) : Vec::zero();
    const WrapPath path = wrap_around(object, here.p_WoP_W, next.p_WoP_W, has_side ? &side_W : nullptr);
    if (!path.touches) return here;
    const int body = model_.geom_bodyid[geom];
    go_straight(here, {path.first, body}, scale);
    add_point(path.first, geom);
    add_point(path.second, geom);
    length_ += scale * path.arc;
    return {path.second, body};
  }

  void go_straight(const Place& from, const Place& to, double scale) {
    const Vec along = to.p_WoP_W - from.p_WoP_W;
    length_ += scale * norm(along);
    if (from.body == to.body) return;
    const Vec pull = normalized(along) * scale;
    add_pull(from, -pull);
    add_pull(to, pull);
  }

  // Dofs of the body and columns of the row both descend.
  void add_pull(const Place& at, const Vec& f_W) {
    const Vec p_TcmP_W = at.p_WoP_W - load3(data_.subtree_com.row(model_.body_rootid[at.body], 3));
    const Wrench<double> F_Tcm_W{cross(p_TcmP_W, f_W), f_W};
    const int* columns = model_.ten_J_colind.data() + model_.ten_J_rowadr[tendon_];
    int k = model_.ten_J_rownnz[tendon_];
    for (int i = last_dof(model_, at.body); i >= 0; i = model_.dof_parentid[i]) {
      while (columns[--k] != i) {
      }
      row_[k] += power(F_Tcm_W, load6(data_.cdof.row(i, 6)));
    }
  }

  void add_point(const Vec& p_WoP_W, int object) {
    store3(data_.wrap_xpos.data() + 3 * next_, p_WoP_W);
    data_.wrap_obj[next_++] = object;
  }

  const Model& model_;
  Data& data_;
  int tendon_, first_, next_;
  double* row_;
  double length_ = 0;
};

// A joint that is named twice has two numbers in the row; the first gets the sum.
void compute_fixed(const Model& model, Data& data, int t) {
  const int address = model.ten_J_rowadr[t], count = model.ten_J_rownnz[t];
  const int* columns = model.ten_J_colind.data() + address;
  double *row = data.ten_J.row(address, 1), length = 0;
  std::fill(row, row + count, 0.0);
  for (int element = model.tendon_adr[t], end = element + model.tendon_num[t]; element < end; ++element) {
    const int j = model.wrap_objid[element];
    const double coefficient = model.wrap_prm[element];
    length += coefficient * data.qpos[model.jnt_qposadr[j]];
    row[std::lower_bound(columns, columns + count, model.jnt_dofadr[j]) - columns] += coefficient;
  }
  data.ten_length[t] = length;
}

}  // namespace

void compute_tendons(const Model& model, Data& data) {
  int point = 0;
  for (int t = 0; t < model.ntendon; ++t) {
    const bool is_fixed = type_of(model, model.tendon_adr[t]) == WrapType::kJoint;
    data.ten_wrapadr[t] = point;
    if (is_fixed) compute_fixed(model, data, t);
    data.ten_wrapnum[t] = is_fixed ? 0 : SpatialTendon(model, data, t, point).compute();
    point += data.ten_wrapnum[t];
  }
  std::fill(data.wrap_xpos.begin() + 3 * point, data.wrap_xpos.end(), 0.0);
  std::fill(data.wrap_obj.begin() + point, data.wrap_obj.end(), 0);
}

void compute_tendon_velocity(const Model& model, Data& data) {
  for (int t = 0; t < model.ntendon; ++t) {
    double velocity = 0;
    for (int k = model.ten_J_rowadr[t], end = k + model.ten_J_rownnz[t]; k < end; ++k)
      velocity += data.ten_J[k] * data.qvel[model.ten_J_colind[k]];
    data.ten_velocity[t] = velocity;
  }
}

}  // namespace torsor
