#include "torsor/contact/speculative.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "torsor/contact/collide.hpp"
#include "torsor/contact/pairs.hpp"
#include "torsor/contact/parameters.hpp"
#include "torsor/contact/ray.hpp"
#include "torsor/dynamics/awake_walk.hpp"
#include "torsor/math/quat.hpp"
#include "torsor/math/spatial.hpp"
#include "torsor/model/contact_filter.hpp"

namespace torsor {
namespace {

using Vec = Vec3<double>;

// How near the surfaces come, and how much nearer than that they may be left, as parts of their distance at the start.
constexpr double kClearance = 0.02, kTolerance = 0.01;
constexpr int kMostAdvances = 32;
constexpr double kSoftDepth = 1e-3;  // m: of contacts without stiffness
constexpr double kInfinity = std::numeric_limits<double>::infinity();

// The motion of a geom over the step, about its origin.
struct Motion {
  Vec shift_W, turn_W;  // m, rad
  double sweep;         // no point moves further
  double thickness;     // the least half size of its box; infinite for what nothing passes through
};

bool can_be_swept(const Model& model, int geom) {
  const auto type = static_cast<GeomType>(model.geom_type[geom]);
  if (type == GeomType::kMesh) return model.geom_meshcollision[geom] == static_cast<int>(MeshCollision::kHull);
  return type != GeomType::kHfield;
}

// Twists of all bodies at the COM of their trees; velocities are not computed yet.
void compute_twists(const Model& model, const Data& data, Twist<double>* V_Tcm_W) {
  V_Tcm_W[0] = Twist<double>::zero();
  for (int b = 1; b < model.nbody; ++b) {
    V_Tcm_W[b] = V_Tcm_W[model.body_parentid[b]];
    for (int i = model.body_dofadr[b], end = i + model.body_dofnum[b]; i < end; ++i)
      V_Tcm_W[b] += load6(data.cdof.row(i, 6)) * data.qvel[i];
  }
}

Motion motion_of(const Model& model, const Data& data, const Twist<double>* V_Tcm_W, int geom) {
  const int body = model.geom_bodyid[geom];
  const Vec p_TcmGo_W = load3(data.geom_xpos.row(geom, 3)) - load3(data.subtree_com.row(model.body_rootid[body], 3));
  const Twist<double> V_Go_W = V_Tcm_W[body].at(p_TcmGo_W);
  const double h = model.opt.timestep, *half = model.geom_aabb.row(geom, 6) + 3;
  const bool is_sphere = model.geom_type[geom] == static_cast<int>(GeomType::kSphere);  // no turn changes it
  Motion motion{V_Go_W.v * h, is_sphere ? Vec::zero() : V_Go_W.w * h, 0, kInfinity};
  motion.sweep = norm(motion.shift_W) + norm(motion.turn_W) * model.geom_rbound[geom];
  if (can_be_swept(model, geom) && model.geom_type[geom] != static_cast<int>(GeomType::kPlane))
    motion.thickness = std::min({half[0], half[1], half[2]});
  return motion;
}

// A geom at the part t of its motion.
struct Moved {
  Vec p_WoGo_W;
  Mat3<double> R_now;  // from the pose at the start to that at t, both in W
  double R_WG[9];

  Moved(const Data& data, int geom, const Motion& motion, double t)
      : p_WoGo_W(load3(data.geom_xpos.row(geom, 3)) + motion.shift_W * t),
        R_now(to_mat(quat_from_rotation_vector(motion.turn_W * t))) {
    store9(R_WG, R_now * load9(data.geom_xmat.row(geom, 9)));
  }
};

class Sweep {
 public:
  Sweep(const Model& model, Data& data, const Motion* motions, const ContactTag* tags)
      : model_(model), data_(data), motions_(motions), tags_(tags) {}

  void check(ContactPair pair) {
    if (model_.geom_type[pair.geom1] > model_.geom_type[pair.geom2]) std::swap(pair.geom1, pair.geom2);
    function_ = find_pair_function(type(pair.geom1), type(pair.geom2));
    const ContactRange range = contact_range(model_, pair);
    if (!function_ || !can_be_swept(model_, pair.geom1) || !can_be_swept(model_, pair.geom2)) return;
    if (is_touching(pair) || are_spheres_apart(pair, range.detection)) return;
    double t;
    if (advance(pair, range.margin, t)) add(pair, range, t);
  }

 private:
  GeomType type(int geom) const { return static_cast<GeomType>(model_.geom_type[geom]); }
  bool is_plane(int geom) const { return type(geom) == GeomType::kPlane; }
  const Motion& first(const ContactPair& pair) const { return motions_[pair.geom1]; }
  const Motion& second(const ContactPair& pair) const { return motions_[pair.geom2]; }

  // Whether there is a contact with rows already.
  bool is_touching(const ContactPair& pair) const {
    return std::any_of(data_.contact.begin(), data_.contact.end(), [&](const Contact& contact) {
      return contact.geom[0] == pair.geom1 && contact.geom[1] == pair.geom2 && contact.dist < contact.includemargin;
    });
  }

  // Bounding spheres over the whole step; of a plane, at both ends of it.
  bool are_spheres_apart(const ContactPair& pair, double reach) const {
    const Vec p = load3(data_.geom_xpos.row(pair.geom2, 3)) - load3(data_.geom_xpos.row(pair.geom1, 3));
    const Vec v = second(pair).shift_W - first(pair).shift_W;
    if (is_plane(pair.geom1)) {
      const double* R = data_.geom_xmat.row(pair.geom1, 9);
      const Vec normal{R[2], R[5], R[8]};
      return dot(normal, p) + std::min(0.0, dot(normal, v)) > model_.geom_rbound[pair.geom2] + reach;
    }
    const double square = norm2(v), part = square > 0 ? std::clamp(-dot(p, v) / square, 0.0, 1.0) : 0;
    return norm(p + v * part) > model_.geom_rbound[pair.geom1] + model_.geom_rbound[pair.geom2] + reach;
  }

  // Points of the pair at the part t, the deepest of them first.
  int place(const ContactPair& pair, double t, double margin) {
    const Moved a(data_, pair.geom1, first(pair), t), b(data_, pair.geom2, second(pair), t);
    ShapeParts parts1, parts2;
    double p1[3], p2[3];
    store3(p1, a.p_WoGo_W);
    store3(p2, b.p_WoGo_W);
    const Shape shape1 = make_shape(model_, pair.geom1, p1, a.R_WG, parts1);
    const Shape shape2 = make_shape(model_, pair.geom2, p2, b.R_WG, parts2);
    count_ = function_(shape1, shape2, margin, points_);
    ContactPoint* deepest =
        std::min_element(points_, points_ + count_, [](const auto& x, const auto& y) { return x.dist < y.dist; });
    if (count_ > 0) std::swap(points_[0], *deepest);
    return count_;
  }

  // Moves the pair by steps that cannot close its gap. False if it does not come near within the step.
  bool advance(const ContactPair& pair, double margin, double& t) {
    const Vec p = load3(data_.geom_xpos.row(pair.geom2, 3)) - load3(data_.geom_xpos.row(pair.geom1, 3));
    const double limit = norm(p) + norm(first(pair).shift_W) + norm(second(pair).shift_W) +
                         model_.geom_rbound[pair.geom1] + model_.geom_rbound[pair.geom2] + margin;
    const Vec approach = first(pair).shift_W - second(pair).shift_W;
    const double turning = norm(first(pair).turn_W) * model_.geom_rbound[pair.geom1] +
                           norm(second(pair).turn_W) * model_.geom_rbound[pair.geom2];
    double start = 0;
    t = 0;
    for (int k = 0; k < kMostAdvances; ++k) {
      if (place(pair, t, limit) == 0) return false;
      const double gap = points_[0].dist - margin, speed = dot(points_[0].normal_W, approach) + turning;
      if (k == 0) start = gap, start_ = points_[0].dist;
      if (!(start > 0)) return false;
      if (gap <= (kClearance + kTolerance) * start) return t > 0;
      if (!(speed > 0)) return false;
      t += (gap - kClearance * start) / speed;
      if (!(t < 1)) return false;
    }
    return true;
  }

  // A point that moves with a geom, taken back from its place at t to the start.
  Vec at_start(int geom, double t, const Vec& p_WoP_W) const {
    const Moved moved(data_, geom, motions_[geom], t);
    return load3(data_.geom_xpos.row(geom, 3)) + transposed_mul(moved.R_now, p_WoP_W - moved.p_WoGo_W);
  }

  void add(const ContactPair& pair, const ContactRange& range, double t) {
    const double near = points_[0].dist,
                 thin = std::min(model_.geom_rbound[pair.geom1], model_.geom_rbound[pair.geom2]);
    const bool on_plane = is_plane(pair.geom1);
    constexpr double kTilt = 0.1, kTiltOnPlane = 0.5;  // faces that meet at a small angle meet as faces
    place(pair, t, near + (on_plane ? kTiltOnPlane * model_.geom_rbound[pair.geom2] : kTilt * thin));
    if (count_ == 0) return;
    if (!on_plane && model_.opt.disabled(kDisableMultiCcd)) count_ = 1;
    const double sweeps = first(pair).sweep + second(pair).sweep, share = first(pair).sweep / sweeps;
    Contact contact;
    ContactMaker maker(model_, pair, range, contact);
    const double closing = (start_ - near) / t;  // h v, the mean over the approach
    if (!(closing > 0)) return;
    for (int i = 0; i < count_; ++i) {
      ContactPoint point = points_[i];
      const Vec half = point.normal_W * (0.5 * point.dist);
      const Vec from = at_start(pair.geom1, t, point.pos_W - half), to = at_start(pair.geom2, t, point.pos_W + half);
      if (is_hidden(pair, from, to)) continue;
      point.tangent_W = Vec::zero();
      point.pos_W = from * share + to * (1 - share);
      maker.place(point, contact);
      contact.dist = effective_distance(contact, range.margin, t, closing);
      contact.exclude = static_cast<int>(ContactExclude::kNone);
      Contact* added = add_contact(data_);
      if (!added) return;
      *added = contact;
    }
  }

  // With d the largest impedance, the solver takes d times the reference.
  double effective_distance(const Contact& contact, double margin, double t, double closing) const {
    const double h = model_.opt.timestep, *solref = contact.solref;
    double b0 = -h * solref[1], k0 = -h * h * solref[0];
    const bool is_discrete = model_.opt.integrator == static_cast<int>(Integrator::kDiscrete);
    if (solref[0] > 0) {
      const bool is_safe = !model_.opt.disabled(kDisableRefSafe);
      const double time = is_safe && !is_discrete ? std::max(solref[0], 2 * h) : solref[0];
      b0 = 2 * h / std::max(kMinValue, time);
      k0 = h * h / std::max(kMinValue, time * time * solref[1] * solref[1]);
    }
    if (!(k0 > kMinValue)) return margin - kSoftDepth;
    const double rest = is_discrete ? 1 - t - t * (b0 + k0) : 1 - t - b0;
    return margin - rest / k0 * closing;
  }

  // Whether another geom, which both could touch, is between the two points.
  bool is_hidden(const ContactPair& pair, const Vec& from_W, const Vec& to_W) const {
    const ContactTag &a = tags_[pair.geom1], &b = tags_[pair.geom2];
    const auto is_compatible = [](const ContactTag& x, const ContactTag& y) {
      return ((x.contype & y.conaffinity) | (y.contype & x.conaffinity)) != 0;
    };
    const Vec along = to_W - from_W;
    if (!(norm2(along) > 0)) return false;
    for (int g = 0; g < model_.ngeom; ++g) {
      const ContactTag& tag = tags_[g];
      if (g == pair.geom1 || g == pair.geom2 || !is_compatible(tag, a) || !is_compatible(tag, b)) continue;
      if ((tag.weld == a.weld && first(pair).sweep > 0) || (tag.weld == b.weld && second(pair).sweep > 0)) continue;
      const RayHit hit = cast_ray_at_geom(model_, data_, {from_W, along}, g);
      if (hit.found() && hit.distance > 0 && hit.distance < 1) return true;
    }
    return false;
  }

  const Model& model_;
  Data& data_;
  const Motion* motions_;
  const ContactTag* tags_;
  PairFunction function_ = nullptr;
  ContactPoint points_[kMaxPoints];
  int count_ = 0;
  double start_ = 0;  // the distance before the step
};

// By pairs of bodies, as collide() leaves them; the contacts from `added` on are moved to their places.
void sort_in(const Model& model, Data& data, int added) {
  const auto key = [&model](const Contact& contact) {
    const int a = model.geom_bodyid[contact.geom[0]], b = model.geom_bodyid[contact.geom[1]];
    return std::pair(std::min(a, b), std::max(a, b));
  };
  for (int i = added; i < data.ncon; ++i) {
    Contact* end = data.contact.begin() + i;
    Contact* place = std::upper_bound(data.contact.begin(), end, *end,
                                      [&key](const Contact& x, const Contact& y) { return key(x) < key(y); });
    std::rotate(place, end, end + 1);
  }
}

}  // namespace

void add_speculative_contacts(const Model& model, Data& data) {
  if (!model.opt.enabled(kEnableSpeculative) || model.opt.disabled(kDisableNativeCcd) || data.contact_source) return;
  if (model.opt.disabled(kDisableConstraint | kDisableContact) || model.ngeom == 0) return;
  const ArenaScope scope(data.arena());
  auto* twists = data.arena().push_array<Twist<double>>(static_cast<size_t>(model.nbody));
  auto* motions = twists ? data.arena().push_array<Motion>(static_cast<size_t>(model.ngeom)) : nullptr;
  auto* tags = motions ? data.arena().push_array<ContactTag>(static_cast<size_t>(model.ngeom)) : nullptr;
  if (!tags) return;
  compute_twists(model, data, twists);
  double fastest = 0, thinnest = kInfinity;
  const bool filter_parents = !model.opt.disabled(kDisableFilterParent);
  for (int g = 0; g < model.ngeom; ++g) {
    motions[g] = motion_of(model, data, twists, g);
    tags[g] = make_tag(model, g, filter_parents);
    fastest = std::max(fastest, motions[g].sweep);
    thinnest = std::min(thinnest, motions[g].thickness);
  }
  if (!(fastest > thinnest)) return;
  const int added = data.ncon;
  Sweep sweep(model, data, motions, tags);
  const auto is_wanted = [&](int g1, int g2) {
    const Motion &a = motions[g1], &b = motions[g2];
    if (!(std::max(a.sweep, b.sweep) > std::min(a.thickness, b.thickness))) return false;
    return data.awake.all || is_awake(data, tags[g1].body) || is_awake(data, tags[g2].body);
  };
  for (int p = 0; p < model.npair; ++p)
    if (is_wanted(model.pair_geom1[p], model.pair_geom2[p])) sweep.check({model.pair_geom1[p], model.pair_geom2[p], p});
  for (int g1 = 0; g1 < model.ngeom; ++g1) {
    for (int g2 = g1 + 1; g2 < model.ngeom; ++g2) {
      if (!is_wanted(g1, g2) || !may_touch(tags[g1], tags[g2]) || is_listed(model, tags[g1], tags[g2])) continue;
      sweep.check({g1, g2, -1});
    }
  }
  sort_in(model, data, added);
}

}  // namespace torsor
