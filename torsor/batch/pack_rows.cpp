#include "torsor/batch/pack_rows.hpp"

#include <algorithm>
#include <cmath>

#include "torsor/constraint/constraint.hpp"
#include "torsor/contact/box_filter.hpp"
#include "torsor/contact/collide.hpp"
#include "torsor/contact/frame.hpp"
#include "torsor/contact/pairs.hpp"
#include "torsor/model/settings.hpp"

namespace torsor {
namespace {

constexpr int kMostLanes = 16;

// Lanes in which the bounding spheres of a pair, or a plane and a sphere, are within reach.
unsigned find_near(const PairPlan& plan, const PackRowArrays& state, int width) {
  const double* p1 = state.geom_xpos + 3 * plan.pair.geom1 * width;
  const double* p2 = state.geom_xpos + 3 * plan.pair.geom2 * width;
  double far[kMostLanes];
  if (plan.has_plane) {
    const double* R = state.geom_xmat + 9 * plan.pair.geom1 * width;
    for (int l = 0; l < width; ++l) {
      double height = 0;
      for (int k = 0; k < 3; ++k) height += R[(3 * k + 2) * width + l] * (p2[k * width + l] - p1[k * width + l]);
      far[l] = height - plan.reach;
    }
  } else {
    for (int l = 0; l < width; ++l) {
      double square = 0;
      for (int k = 0; k < 3; ++k) {
        const double d = p2[k * width + l] - p1[k * width + l];
        square += d * d;
      }
      far[l] = square - plan.reach * plan.reach;
    }
  }
  unsigned near = 0;
  for (int l = 0; l < width; ++l) near |= unsigned{!(far[l] > 0)} << l;
  return near;
}

// Numbers of one lane, side by side.
template <int kCount>
struct Gathered {
  double numbers[kCount];
  Gathered(const double* packs, int first, int width, int lane) {
    for (int i = 0; i < kCount; ++i) numbers[i] = packs[(first + i) * width + lane];
  }
};

bool are_dofs_sound(const WideSolveArrays& arrays, const PackRowArrays& state, int nv, int width, int lane) {
  double sum = 0;
  for (int i = 0; i < nv; ++i)
    sum +=
        arrays.qacc_smooth[i * width + lane] + arrays.qacc_warmstart[i * width + lane] + state.qvel[i * width + lane];
  return std::isfinite(sum);
}

}  // namespace

void PackRows::touch(const Model& model, const PairPlan& plan, int index, const PackRowArrays& state, int lane) {
  const int width = builder_.lanes(), geoms[2] = {plan.pair.geom1, plan.pair.geom2};
  ContactPoint points[kMaxFieldPoints];
  ShapeParts parts[2];
  const Gathered<9> R[2] = {{state.geom_xmat, 9 * geoms[0], width, lane}, {state.geom_xmat, 9 * geoms[1], width, lane}};
  const auto shape = [&](int k) {
    const Gathered<3> p(state.geom_xpos, 3 * geoms[k], width, lane);
    return make_shape(model, geoms[k], p.numbers, R[k].numbers, parts[k]);
  };
  const Shape a = shape(0), b = shape(1);
  if (plan.function == convex_convex && are_boxes_apart(a, b, plan.range.detection)) return;
  int count = plan.function(a, b, plan.range.detection, points);
  if (plan.function == convex_convex && model.opt.disabled(kDisableMultiCcd)) count = std::min(count, 1);
  for (int i = 0; i < count; ++i) {
    if (points[i].dist >= plan.range.margin) continue;  // in the gap: no rows
    LaneContact& contact = lanes_[static_cast<size_t>(lane)].contacts.emplace_back();
    contact.pair = index;
    contact.dist = points[i].dist;
    store3(contact.pos, points[i].pos_W);
    store_frame(points[i], contact.frame);
  }
}

void PackRows::find_contacts(const Model& model, const RowPlan& plan, const PackRowArrays& state, unsigned lanes) {
  for (size_t k = 0; k < plan.pairs.size(); ++k) {
    for (unsigned near = find_near(plan.pairs[k], state, builder_.lanes()) & lanes; near != 0; near &= near - 1)
      touch(model, plan.pairs[k], static_cast<int>(k), state, __builtin_ctz(near));
  }
}

void PackRows::find_scalars(const RowPlan& plan, const PackRowArrays& state, int lane) {
  std::vector<LaneScalar>& rows = lanes_[static_cast<size_t>(lane)].scalars;
  const int width = builder_.lanes();
  for (size_t k = 0; k < plan.scalars.size(); ++k) {
    const ScalarPlan& scalar = plan.scalars[k];
    if (scalar.is_friction) {
      rows.push_back({static_cast<int>(k), -1, 0, 0});
      continue;
    }
    const double value =
        scalar.tendon < 0 ? state.qpos[scalar.qpos * width + lane] : state.ten_length[scalar.tendon * width + lane];
    for (const int side : {-1, 1}) {
      const double distance = side * (scalar.range[side > 0] - value);
      if (distance < scalar.margin) rows.push_back({static_cast<int>(k), -1, side, distance});
    }
  }
}

// Groups of trees that rows join; one for all trees with rows where islands are switched off.
void PackRows::find_islands(const Model& model, const RowPlan& plan, Lane& lane) const {
  lane.islands.clear();
  if (model.ntree == 1) {
    for (LaneContact& contact : lane.contacts) contact.island = 0;
    for (LaneScalar& row : lane.scalars) row.island = 0;
    if (!lane.contacts.empty() || !lane.scalars.empty()) lane.islands.push_back(1);
    return;
  }
  const bool joined = model.opt.disabled(kDisableIsland);
  const auto join = [&](std::uint64_t trees) {
    for (std::uint64_t& island : lane.islands) {
      if (island != 0 && (joined || (island & trees) != 0)) {
        trees |= island;
        island = 0;
      }
    }
    lane.islands.push_back(trees);
  };
  const auto trees_of = [&](const LaneScalar& row) { return plan.scalars[static_cast<size_t>(row.plan)].trees; };
  for (const LaneContact& contact : lane.contacts) join(plan.pairs[static_cast<size_t>(contact.pair)].trees);
  for (const LaneScalar& row : lane.scalars) join(trees_of(row));
  const auto find = [&](std::uint64_t trees) {
    for (size_t i = 0; i < lane.islands.size(); ++i) {
      if ((lane.islands[i] & trees) != 0) return static_cast<int>(i);
    }
    return -1;
  };
  for (LaneContact& contact : lane.contacts) contact.island = find(plan.pairs[static_cast<size_t>(contact.pair)].trees);
  for (LaneScalar& row : lane.scalars) row.island = find(trees_of(row));
}

// b = J a_smooth - aref with aref = -damping J v - stiffness d violation, and R = (1 - d) / d A.
void PackRows::write_scalar(const Model& model, const RowPlan& plan, const PackRowArrays& state,
                            const WideSolveArrays& arrays, int lane, const LaneScalar& row, int& single) {
  const ScalarPlan& scalar = plan.scalars[static_cast<size_t>(row.plan)];
  const int width = builder_.lanes();
  const double sign = scalar.is_friction ? 1 : -row.side;
  double J_a = 0, J_v = 0;
  const auto add = [&](int dof, double number) {
    J_a += number * arrays.qacc_smooth[dof * width + lane];
    J_v += number * state.qvel[dof * width + lane];
  };
  const bool is_joint = scalar.tendon < 0;
  const int begin = is_joint ? 0 : model.ten_J_rowadr[scalar.tendon],
            end = is_joint ? 0 : begin + model.ten_J_rownnz[scalar.tendon];
  std::uint64_t tiles = 0;
  if (is_joint) add(scalar.dof, sign);
  for (int k = begin; k < end; ++k) {
    add(model.ten_J_colind[k], sign * state.ten_J[k * width + lane]);
    tiles |= std::uint64_t{1} << builder_.place_of(model.ten_J_colind[k]) / solver::kWideTile;
  }
  const double violation = scalar.is_friction ? 0 : row.distance - scalar.margin;
  const double d = impedance_at(scalar.solimp, violation).value, R = std::max(kMinValue, (1 - d) / d * scalar.weight);
  const double aref = -scalar.reference.damping * J_v - scalar.reference.stiffness * d * violation;
  const RowNumbers numbers{J_a - aref, 1 / R, R, scalar.is_friction ? -scalar.loss : -kUnbounded,
                           scalar.is_friction ? scalar.loss : 0};
  if (is_joint) return builder_.add_unit(lane, scalar.dof, row.kind(), sign, numbers);
  const int slot = single++;
  builder_.open_single(lane, slot, tiles, numbers);
  for (int k = begin; k < end; ++k)
    builder_.single_at(lane, slot, builder_.place_of(model.ten_J_colind[k])) = sign * state.ten_J[k * width + lane];
}

void PackRows::write_contact(const Model& model, const RowPlan& plan, const PackRowArrays& state,
                             const WideSolveArrays& arrays, int lane, const LaneContact& contact, int& single,
                             int (&next)[solver::kContactKinds]) {
  const PairPlan& pair = plan.pairs[static_cast<size_t>(contact.pair)];
  const Contact& parameters = pair.parameters;
  const int width = builder_.lanes(), dim = parameters.dim, kind = contact_kind(dim);
  const bool is_pyramid = !(dim == 1) && is_pyramidal(model);
  const double violation = contact.dist - pair.range.margin, d = impedance_at(parameters.solimp, violation).value;
  double R = std::max(kMinValue, (1 - d) / d * pair.weight), mu = 0;
  if (is_pyramid) R = std::max(kMinValue, 2 * parameters.friction[0] * parameters.friction[0] / model.opt.impratio * R);
  if (dim > 1 && !is_pyramid)
    mu = parameters.friction[0] * std::sqrt(std::max(kMinValue, R / std::max(kMinValue, model.opt.impratio)) / R);
  const PairDof* dofs = plan.dofs.data() + pair.first_dof;
  std::uint64_t tiles = 0;
  for (int k = 0; k < pair.dofs; ++k) tiles |= std::uint64_t{1} << builder_.place_of(dofs[k].dof) / solver::kWideTile;
  const int slot = dim == 1 ? single++ : next[kind]++;
  if (dim > 1) builder_.open_contact(lane, kind, slot, tiles, 1 / R, mu);
  if (dim == 1) builder_.open_single(lane, slot, tiles, {0, 1 / R, R, -kUnbounded, 0});

  const Vec3<double> p_WoC_W = load3(contact.pos);
  Vec3<double> direction[6];  // tangents times their friction coefficients
  for (int r = 0; r < dim; ++r)
    direction[r] = load3(contact.frame + 3 * (r % 3)) * (r == 0 ? 1 : parameters.friction[r - 1]);
  const int stride = builder_.row_stride();
  double J_a[6] = {}, J_v[6] = {};  // J a_smooth, J qvel
  for (int k = 0; k < pair.dofs; ++k) {
    const int dof = dofs[k].dof, place = builder_.place_of(dof);
    const Gathered<6> S(state.cdof, 6 * dof, width, lane);
    const Gathered<3> com(state.subtree_com, 3 * dofs[k].root, width, lane);
    const Vec3<double> w = load3(S.numbers) * dofs[k].sign,
                       v = load3(S.numbers + 3) * dofs[k].sign + cross(w, p_WoC_W - load3(com.numbers));
    const double a_smooth = arrays.qacc_smooth[dof * width + lane], speed = state.qvel[dof * width + lane];
    double* J = dim == 1 ? &builder_.single_at(lane, slot, place) : builder_.contact_at(lane, kind, slot, place);
    for (int r = 0; r < dim; ++r, J += stride) {
      const double number = dot(direction[r], r < 3 ? v : w);
      J_a[r] += number * a_smooth;
      J_v[r] += number * speed;
      *J = number;
    }
  }
  const double normal_b = J_a[0] + pair.normal.damping * J_v[0] + pair.normal.stiffness * d * violation;
  if (dim == 1) builder_.open_single(lane, slot, tiles, {normal_b, 1 / R, R, -kUnbounded, 0});
  const double damping = is_pyramid ? pair.normal.damping : pair.slip.damping;
  for (int r = 0; dim > 1 && r < dim; ++r)
    builder_.contact_b(lane, kind, slot, r) = r == 0 ? normal_b : J_a[r] + damping * J_v[r];
}

void PackRows::solve_group(const Model& model, const RowPlan& plan, const PackRowArrays& state,
                           const WideSolveArrays& arrays, std::uint64_t trees, unsigned lanes) {
  const auto is_in = [trees](const Lane& lane, int island) {
    return lane.islands[static_cast<size_t>(island)] == trees;
  };
  int singles = 0, contacts[solver::kContactKinds] = {};
  for (unsigned left = lanes; left != 0; left &= left - 1) {
    const Lane& lane = lanes_[static_cast<size_t>(__builtin_ctz(left))];
    int own_singles = 0, own_contacts[solver::kContactKinds] = {};
    for (const LaneScalar& row : lane.scalars)
      own_singles += is_in(lane, row.island) && plan.scalars[static_cast<size_t>(row.plan)].tendon >= 0;
    for (const LaneContact& contact : lane.contacts) {
      if (!is_in(lane, contact.island)) continue;
      const int dim = plan.pairs[static_cast<size_t>(contact.pair)].parameters.dim;
      ++(dim == 1 ? own_singles : own_contacts[contact_kind(dim)]);
    }
    singles = std::max(singles, own_singles);
    for (int k = 0; k < solver::kContactKinds; ++k) contacts[k] = std::max(contacts[k], own_contacts[k]);
  }
  builder_.begin(model, arrays, trees, lanes, singles, contacts);
  for (unsigned left = lanes; left != 0; left &= left - 1) {
    const Lane& lane = lanes_[static_cast<size_t>(__builtin_ctz(left))];
    for (const LaneScalar& row : lane.scalars) {
      const ScalarPlan& scalar = plan.scalars[static_cast<size_t>(row.plan)];
      if (scalar.tendon < 0 && is_in(lane, row.island)) builder_.announce_unit(scalar.dof, row.kind());
    }
  }
  builder_.place_units();
  for (unsigned left = lanes; left != 0; left &= left - 1) {
    const int index = __builtin_ctz(left);
    const Lane& lane = lanes_[static_cast<size_t>(index)];
    int single = 0, next[solver::kContactKinds] = {};
    for (const LaneScalar& row : lane.scalars) {
      if (is_in(lane, row.island)) write_scalar(model, plan, state, arrays, index, row, single);
    }
    for (const LaneContact& contact : lane.contacts) {
      if (is_in(lane, contact.island)) write_contact(model, plan, state, arrays, index, contact, single, next);
    }
  }
  builder_.solve(model, arrays);
}

unsigned PackRows::solve(const Model& model, const RowPlan& plan, const PackRowArrays& state,
                         const WideSolveArrays& arrays) {
  const int width = builder_.lanes();
  const size_t numbers = static_cast<size_t>(model.nv) * static_cast<size_t>(width);
  std::copy_n(arrays.qacc_smooth, numbers, arrays.qacc);
  std::fill_n(arrays.qfrc_constraint, numbers, 0.0);
  lanes_.resize(static_cast<size_t>(width));
  unsigned sound = 0;
  for (int l = 0; l < width; ++l) {
    lanes_[static_cast<size_t>(l)].contacts.clear();
    lanes_[static_cast<size_t>(l)].scalars.clear();
    sound |= unsigned{are_dofs_sound(arrays, state, model.nv, width, l)} << l;
  }
  find_contacts(model, plan, state, sound);
  for (unsigned left = sound; left != 0; left &= left - 1) {
    const int l = __builtin_ctz(left);
    find_scalars(plan, state, l);
    find_islands(model, plan, lanes_[static_cast<size_t>(l)]);
  }
  for (unsigned left = sound; left != 0; left &= left - 1) {
    Lane& first = lanes_[static_cast<size_t>(__builtin_ctz(left))];
    for (size_t i = 0; i < first.islands.size(); ++i) {
      const std::uint64_t trees = first.islands[i];
      if (trees == 0) continue;
      unsigned group = 0;
      for (unsigned others = left; others != 0; others &= others - 1) {
        const int l = __builtin_ctz(others);
        const std::vector<std::uint64_t>& islands = lanes_[static_cast<size_t>(l)].islands;
        if (std::find(islands.begin(), islands.end(), trees) != islands.end()) group |= 1u << l;
      }
      solve_group(model, plan, state, arrays, trees, group);
      for (unsigned done = group; done != 0; done &= done - 1) {
        std::vector<std::uint64_t>& islands = lanes_[static_cast<size_t>(__builtin_ctz(done))].islands;
        std::replace(islands.begin(), islands.end(), trees, std::uint64_t{0});
      }
    }
  }
  return ~sound & ((1u << width) - 1);
}

}  // namespace torsor
