// Lengths of bodies, and the box around the model.
#include "torsor/compile/statistics.hpp"

#include <algorithm>
#include <limits>
#include <numeric>
#include <vector>

#include "torsor/math/vec3.hpp"

namespace torsor::compiler {
namespace {

using Vec = Vec3<double>;

// A box that grows with the points in it.
struct Box {
  static constexpr double kInfinity = std::numeric_limits<double>::infinity();
  Vec low{kInfinity, kInfinity, kInfinity}, high = -low;

  void add(const Vec& p, double radius = 0) {
    for (int k = 0; k < 3; ++k) {
      low[k] = std::min(low[k], p[k] - radius);
      high[k] = std::max(high[k], p[k] + radius);
    }
  }
  bool is_empty() const { return low.x > high.x; }
};

double distance(const double* a, const double* b) { return norm(load3(a) - load3(b)); }

// How far a body reaches from its COM: to its geoms, its joints, and the joints of its children.
std::vector<double> body_lengths(const Model& model, const Data& data) {
  constexpr double kShortest = 1e-5;
  std::vector<double> lengths(static_cast<size_t>(model.nbody), 0);
  const auto reach = [&](int body, double length) {
    double& longest = lengths[static_cast<size_t>(body)];
    longest = std::max(longest, length);
  };
  for (int j = 0; j < model.njnt; ++j) {
    const int body = model.jnt_bodyid[j], parent = model.body_parentid[body];
    reach(body, distance(data.xanchor.row(j, 3), data.xipos.row(body, 3)));
    reach(parent, distance(data.xanchor.row(j, 3), data.xipos.row(parent, 3)));
  }
  for (int g = 0; g < model.ngeom; ++g) {
    const int body = model.geom_bodyid[g];
    if (model.geom_rbound[g] <= 0) continue;
    reach(body, distance(data.geom_xpos.row(g, 3), data.xipos.row(body, 3)) + model.geom_rbound[g]);
  }
  for (double& length : lengths) length = std::max(length, kShortest);
  return lengths;
}

// A plane counts with a tenth of its size, so that a large floor does not dominate the extent.
double drawn_radius(const Model& model, int g) {
  constexpr double kEndless = 0.01;
  if (model.geom_rbound[g] > 0 || model.geom_type[g] != static_cast<int>(GeomType::kPlane)) return model.geom_rbound[g];
  const double* size = model.geom_size.row(g, 3);
  const double largest = std::max(size[0], size[1]);
  return largest > 0 ? 0.1 * largest : kEndless;
}

Box find_box(const Model& model, const Data& data) {
  Box box;
  for (int b = 1; b < model.nbody; ++b) {
    box.add(load3(data.xpos.row(b, 3)));
    box.add(load3(data.xipos.row(b, 3)));
  }
  for (int j = 0; j < model.njnt; ++j) box.add(load3(data.xanchor.row(j, 3)));
  for (int s = 0; s < model.nsite; ++s) box.add(load3(data.site_xpos.row(s, 3)));
  for (int g = 0; g < model.ngeom; ++g) box.add(load3(data.geom_xpos.row(g, 3)), drawn_radius(model, g));
  return box;
}

void set_center_and_extent(const Box& box, Statistic& stat) {
  if (box.is_empty()) return;
  store3(stat.center, (box.low + box.high) * 0.5);
  const Vec side = box.high - box.low;
  if (side.x > 0) stat.extent = std::max({side.x, side.y, side.z});  // MuJoCo keeps the default for a box without width
  stat.extent = std::max(stat.extent, 2 * stat.meansize);
}

// The mean diagonal of M, including tendon armature, which dof_M0 does not include.
double mean_inertia(const Model& model, const Data& data) {
  double sum = 0;
  for (int i = 0; i < model.nv; ++i) sum += data.M[model.M_rowadr[i] + model.M_rownnz[i] - 1];
  return sum / model.nv;
}

}  // namespace

void compute_dof_lengths(Model& model, const Data& data) {
  const std::vector<double> lengths = body_lengths(model, data);
  for (int i = 0; i < model.nv; ++i) {
    const int j = model.dof_jntid[i];
    const JointType type = static_cast<JointType>(model.jnt_type[j]);
    const bool is_translation = type == JointType::kSlide || (type == JointType::kFree && i < model.jnt_dofadr[j] + 3);
    model.dof_length[i] = is_translation ? 1 : lengths[static_cast<size_t>(model.dof_bodyid[i])];
  }
}

void compute_statistics(Model& model, const Data& data) {
  Statistic stat;
  if (model.nv > 0) stat.meaninertia = mean_inertia(model, data);
  if (model.nbody > 1) {
    const int count = model.nbody - 1;
    const std::vector<double> lengths = body_lengths(model, data);
    stat.meanmass = std::accumulate(model.body_mass.begin() + 1, model.body_mass.end(), 0.0) / count;
    stat.meansize = std::accumulate(lengths.begin() + 1, lengths.end(), 0.0) / count;
  }
  set_center_and_extent(find_box(model, data), stat);
  model.stat = stat;
}

}  // namespace torsor::compiler
