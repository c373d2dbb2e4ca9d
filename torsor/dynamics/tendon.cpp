// Lengths of tendons and their derivatives. A fixed tendon is a weighted sum of joint coordinates. A spatial tendon is
// a path through sites and around geoms; pulleys divide the length of the branches after them. Its length changes with
// the velocity of each point along the path's direction there, so a row of ten_J is what unit pulls at the points do to
// the dofs. All pulls on what a dof moves are summed from the leaves to the root before they meet the dof's axis: one
// product per dof, however many points the path has.
#include <algorithm>
#include <cmath>

#include "torsor/dynamics/awake_walk.hpp"
#include "torsor/dynamics/dynamics.hpp"
#include "torsor/dynamics/kernels/range.hpp"
#include "torsor/dynamics/kernels/tendon_path.hpp"
#include "torsor/dynamics/kernels/tendons.hpp"
#include "torsor/math/spatial.hpp"

namespace torsor {
namespace {

using Vec = Vec3<double>;

// A wrench or a twist, two numbers in a register.
typedef double Two __attribute__((vector_size(16)));
struct Six {
  Two a, b, c;

  static Six zero() { return {Two{}, Two{}, Two{}}; }
};
Six operator+(const Six& x, const Six& y) { return {x.a + y.a, x.b + y.b, x.c + y.c}; }
double dot(const Six& x, const Six& y) {
  const Two sum = x.a * y.a + x.b * y.b + x.c * y.c;
  return sum[0] + sum[1];
}
Six load_six(const double* p) { return {Two{p[0], p[1]}, Two{p[2], p[3]}, Two{p[4], p[5]}}; }

class SpatialTendon {
 public:
  // `pulls` has room for a wrench per dof, all zero, and is left so.
  SpatialTendon(const Model& model, Data& data, int tendon, int first_point, Six* pulls)
      : model_(model), data_(data), tendon_(tendon), first_(first_point), next_(first_point), pulls_(pulls) {}

  // Returns the number of points of the path.
  int compute() {
    data_.ten_length[tendon_] = TendonPath(model_, *this).follow(tendon_);
    finish_row();
    return next_ - first_;
  }

  // See tendon_path.hpp.
  Vec site(int site) const { return load3(data_.site_xpos.row(site, 3)); }
  Vec geom(int geom) const { return load3(data_.geom_xpos.row(geom, 3)); }
  Mat3<double> geom_axes(int geom) const { return load9(data_.geom_xmat.row(geom, 9)); }
  // On the last dof that moves the body; finish_row() passes it on to the others.
  void add_pull(int body, const Vec& p_WoP_W, const Vec& f_W) {
    const int dof = last_dof(model_, body);
    if (dof < 0) return;
    const Vec p_TcmP_W = p_WoP_W - load3(data_.subtree_com.row(model_.body_rootid[body], 3));
    const Vec t_W = cross(p_TcmP_W, f_W);
    pulls_[dof] = pulls_[dof] + Six{Two{t_W.x, t_W.y}, Two{t_W.z, f_W.x}, Two{f_W.y, f_W.z}};
  }

  void add_point(const Vec& p_WoP_W, int object) {
    store3(data_.wrap_xpos.data() + 3 * next_, p_WoP_W);
    data_.wrap_obj[next_++] = object;
  }

 private:
  // Columns ascend, and the dofs that move a body are all among them; mostly the parent of one is the one before it.
  void finish_row() {
    const int address = model_.ten_J_rowadr[tendon_];
    const int* columns = model_.ten_J_colind.data() + address;
    double* row = data_.ten_J.row(address, 1);
    Six from_child = Six::zero();
    for (int k = model_.ten_J_rownnz[tendon_] - 1; k >= 0; --k) {
      const int dof = columns[k], parent = model_.dof_parentid[dof];
      const Six F_Tcm_W = pulls_[dof] + from_child;
      row[k] = dot(F_Tcm_W, load_six(data_.cdof.row(dof, 6)));
      pulls_[dof] = from_child = Six::zero();
      if (parent < 0) continue;
      if (k > 0 && columns[k - 1] == parent)
        from_child = F_Tcm_W;
      else
        pulls_[parent] = pulls_[parent] + F_Tcm_W;
    }
  }

  const Model& model_;
  Data& data_;
  int tendon_, first_, next_;
  Six* pulls_;
};

}  // namespace

// Tendons that sleep have no length and no path meanwhile.
void compute_tendons(const Model& model, Data& data) {
  if (model.ntendon == 0) return;
  if (!data.awake.all) {
    std::fill(data.ten_length.begin(), data.ten_length.end(), 0.0);
    std::fill(data.ten_J.begin(), data.ten_J.end(), 0.0);
    std::fill(data.ten_wrapnum.begin(), data.ten_wrapnum.end(), 0);
    std::fill(data.ten_wrapadr.begin(), data.ten_wrapadr.end(), 0);
    if (data.awake.tendon_count == 0) return;
  }
  ArenaScope scope(data.arena());
  Six* pulls = data.arena().push_array<Six>(static_cast<size_t>(model.nv));
  std::fill(pulls, pulls + model.nv, Six::zero());
  int point = 0;
  for_each_awake_tendon(model, data, [&](int t) {
    const bool is_fixed = is_fixed_tendon(model, t);
    data.ten_wrapadr[t] = point;
    if (is_fixed) compute_fixed_tendon(model, data, t);
    data.ten_wrapnum[t] = is_fixed ? 0 : SpatialTendon(model, data, t, point, pulls).compute();
    point += data.ten_wrapnum[t];
  });
  std::fill(data.wrap_xpos.begin() + 3 * point, data.wrap_xpos.end(), 0.0);
  std::fill(data.wrap_obj.begin() + point, data.wrap_obj.end(), 0);
}

void compute_tendon_velocity(const Model& model, Data& data) {
  for_each_awake_tendon(model, data, [&](int t) { compute_tendon_velocity<double>(model, data, t); });
}

}  // namespace torsor
