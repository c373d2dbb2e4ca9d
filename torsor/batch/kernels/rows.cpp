// Contacts and rows of packs of double and of float, one register wide, compiled once per instruction set.
#include "torsor/batch/kernels/rows.hpp"

#include "torsor/batch/kernels/touch.hpp"
#include "torsor/batch/kernels/wrenches.hpp"
#include "torsor/batch/kernels/write_equalities.hpp"
#include "torsor/batch/kernels/write_rows.hpp"
#include "torsor/contact/still_apart.hpp"
#include "torsor/dynamics/kernels/integrate.hpp"

namespace torsor {
inline namespace TORSOR_ISA {
namespace {

template <class P>
unsigned find_sound(const ScalarOf<P>* qacc_smooth, const ScalarOf<P>* qvel, const ScalarOf<P>* qacc_warmstart,
                    int nv) {
  P sum(0);
  for (int i = 0; i < nv; ++i) sum += packs<P>(qacc_smooth)[i] + packs<P>(qvel)[i] + packs<P>(qacc_warmstart)[i];
  return bits(sum - sum == P(0));
}

template <class P>
int find_near(const PairReach* pairs, int count, const RowState<ScalarOf<P>>& state, unsigned lanes, NearPair* near) {
  int found = 0;
  const P *xpos = packs<P>(state.geom_xpos), *xmat = packs<P>(state.geom_xmat);
  for (int k = 0; k < count; ++k) {
    const unsigned here = bits(are_near<P>(pairs[k], xpos, xmat)) & lanes;
    near[found] = {k, here};
    found += here != 0;
  }
  return found;
}

// Puts the points of a pair into as few records as possible: the k-th point of each lane into record k, whichever of
// the points it is. Points of a plane share its normal, and with it the tangents.
template <class P>
class PointWriter {
  using S = ScalarOf<P>;

 public:
  TORSOR_INLINE PointWriter(const PairPlan& pair, const PackTouch<P>& touch, unsigned lanes, PackContact<S>* contacts)
      : pair_(pair), touch_(touch), lanes_(lanes), contacts_(contacts) {}

  TORSOR_INLINE void add(const PackPoint<P>& point) {
    unsigned listed = bits(point.lanes) & lanes_;
    if (listed == 0) return;
    const unsigned with_rows = bits(point.dist < P(pair_.range.margin)) & listed;
    if (!pair_.has_plane || !has_tangents_) {
      first_ = choose_tangent(touch_, point.normal_W);
      second_ = cross(point.normal_W, first_);
      has_tangents_ = true;
    }
    for (int k = 0; listed != 0; ++k) {
      if (k == count_) contacts_[count_].listed = contacts_[count_].lanes = 0, ++count_;
      PackContact<S>& contact = contacts_[k];
      const unsigned here = listed & ~contact.listed;
      if (here == 0) continue;
      store(point, contact.listed == 0 ? ~0u : here, packs<P>(contact.numbers));
      contact.listed |= here;
      contact.lanes |= with_rows & here;
      listed &= ~here;
    }
  }
  int count() const { return count_; }

 private:
  TORSOR_INLINE void store(const PackPoint<P>& point, unsigned lanes, P* to) const {
    const Vec3<P> pos_W = pair_.shift == 0 ? point.pos_W : point.pos_W + point.normal_W * (P(pair_.shift) * point.dist);
    const MaskOf<P> mask = mask_of_bits<P>(lanes);
    const auto put = [&](int i, const Vec3<P>& v) __attribute__((always_inline)) {
      for (int k = 0; k < 3; ++k) blend(mask, v[k], to[i + k]);
    };
    blend(mask, point.dist, to[0]);
    put(1, pos_W), put(4, point.normal_W), put(7, first_), put(10, second_);
  }

  const PairPlan& pair_;
  const PackTouch<P>& touch_;
  const unsigned lanes_;
  PackContact<S>* const contacts_;
  int count_ = 0;
  bool has_tangents_ = false;
  Vec3<P> first_ = Vec3<P>::zero(), second_ = Vec3<P>::zero();
};

// Lanes in which what is kept shows that the shapes are apart. The second shape has turned since: it reaches no further
// along the new direction than along the old one by more than the change times its radius. Numbers of packs are rounded
// to a small part of what is demanded of the gap here.
template <class P>
MaskOf<P> are_still_apart(const PairPlan& pair, const PackShape<P>& a, const PackShape<P>& b,
                          const PackSeparation<ScalarOf<P>>& kept) {
  constexpr double kSlack = kProofSlack + (sizeof(ScalarOf<P>) == 4 ? 1e-5 : 0);
  const Vec3<P> normal_W = load9(a.R_WG) * load3(packs<P>(kept.normal_A)), between = b.p_WoGo_W - a.p_WoGo_W;
  const Vec3<P> turned = transposed_mul(load9(b.R_WG), normal_W) + load3(packs<P>(kept.normal_B));
  const P extent = abs(between.x) + abs(between.y) + abs(between.z) + P(pair.extent);
  const P gap = dot(normal_W, between) - packs<P>(kept.reach)[0] - norm(turned) * P(pair.radius_B);
  return gap > P(pair.apart_reach) + P(kSlack) * extent;
}

// Points in the gap between margin and detection distance have no rows.
template <class P>
int touch(const PairPlan& pair, const RowState<ScalarOf<P>>& state, unsigned lanes,
          const PackSeparation<ScalarOf<P>>* kept, PackContact<ScalarOf<P>>* contacts, unsigned& left) {
  const P *xpos = packs<P>(state.geom_xpos), *xmat = packs<P>(state.geom_xmat);
  const int geom1 = pair.pair.geom1, geom2 = pair.pair.geom2;
  const PackShape<P> a{load3(xpos + 3 * geom1), xmat + 9 * geom1, pair.size[0]},
      b{load3(xpos + 3 * geom2), xmat + 9 * geom2, pair.size[1]};
  if (pair.kind == PackPair::kLaneByLane) {
    left = lanes & ~bits(find_apart(pair, a, b));
    if (left != 0 && pair.keeps_separation) left &= ~bits(are_still_apart(pair, a, b, *kept));
    return 0;
  }
  PackPoint<P> points[kMaxPoints];
  PackTouch<P> touch(a, b, pair.range.detection, points);
  const int count = collide(pair.kind, touch);
  left = bits(touch.left) & lanes;
  if (left != 0 && pair.keeps_separation) left &= ~bits(are_still_apart(pair, a, b, *kept));
  PointWriter<P> writer(pair, touch, lanes, contacts);
  for (int i = 0; i < count; ++i) writer.add(points[i]);
  return writer.count();
}

template <class P>
void find_scalar(const ScalarPlan& scalar, const RowState<ScalarOf<P>>& state, const RowTarget<ScalarOf<P>>& target,
                 unsigned lanes, unsigned (&rows)[3]) {
  rows[0] = scalar.is_friction ? lanes : 0;
  rows[1] = rows[2] = 0;
  if (scalar.is_friction) return;
  const P reach = ScalarWriter<P>::reach(scalar, state, target);
  for (int side = 0; side < 2; ++side)
    rows[1 + side] = bits(ScalarWriter<P>::distance(scalar, state, side) < reach) & lanes;
}

template <class P>
void write_contact(const PairPlan& pair, const PackContact<ScalarOf<P>>& contact, unsigned lanes, const int* slots,
                   const RowState<ScalarOf<P>>& state, const RowTarget<ScalarOf<P>>& target) {
  const ContactWriter<P> writer(pair, packs<P>(contact.numbers), lanes, slots, state, target);
  switch (pair.dim) {
    case 1:
      return writer.template write<1>();
    case 3:
      return writer.template write<3>();
    case 4:
      return writer.template write<4>();
    default:
      return writer.template write<6>();
  }
}

template <class P>
void write_scalar(const ScalarPlan& scalar, UnitRow row, unsigned lanes, const int* slots,
                  const RowState<ScalarOf<P>>& state, const RowTarget<ScalarOf<P>>& target) {
  const ScalarWriter<P> writer(scalar, row, state, target);
  if (scalar.is_unit())
    writer.write_unit(lanes, slots[0]);
  else
    writer.write_single(lanes, slots);
}

template <class P>
void write_equality(const EqualityPlan& equality, unsigned lanes, const int* slots, const RowState<ScalarOf<P>>& state,
                    const RowTarget<ScalarOf<P>>& target) {
  EqualityWriter<P>(equality, lanes, slots, state, target).write();
}

template <class P>
void damp_diagonal(const ModelView& model, const ScalarOf<P>* M, const ScalarOf<P>* qvel, ScalarOf<P>* implicit,
                   ScalarOf<P>* inverse) {
  const bool is_off = model.opt.disabled(kDisableEulerDamp | kDisableDamper);
  for (int i = 0; i < model.nv; ++i) {
    const P h = P(model.opt.timestep), B = is_off ? P(0) : h * damping_derivative(model, i, packs<P>(qvel)[i]);
    const P diagonal = packs<P>(M)[model.M_rowadr[i] + model.M_rownnz[i] - 1];
    packs<P>(implicit)[i] = B;
    packs<P>(inverse)[i] = P(1) / max(diagonal + B, P(kMinValue));
  }
}

template <class S>
constexpr RowKernels<S> table() {
  using P = NativePack<S>;
  return {kNativeLanes<S>,  find_sound<P>,         find_near<P>,          touch<P>,
          find_scalar<P>,   write_contact<P>,      write_scalar<P>,       write_equality<P>,
          damp_diagonal<P>, add_contact_wrench<P>, add_equality_wrench<P>};
}

}  // namespace

extern const RowTables kRowTables;
const RowTables kRowTables = {table<double>(), table<float>()};

}  // namespace TORSOR_ISA
}  // namespace torsor
