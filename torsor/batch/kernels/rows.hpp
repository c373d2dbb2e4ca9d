// Contacts and rows of a pack of worlds: the kernels, compiled once per instruction set for double and float. Arrays
// are those of packs: number i of lane k is at [i * lanes + k].
#pragma once

#include <cstdint>

#include "torsor/contact/parameters.hpp"
#include "torsor/contact/shape.hpp"
#include "torsor/model/model.hpp"
#include "torsor/solver/wide_problem.hpp"

namespace torsor {

// d(violation) of a row, see impedance_at(): the numbers of solimp within their bounds.
struct ImpedancePlan {
  double dmin, dmax, middle, power;
  double per_width;  // 1 / width; 0 where d is the constant dmin = dmax
  double per_middle = 1 / middle, per_rest = 1 / (1 - middle);
};

// Stiffness and damping of reference accelerations.
struct ReferencePlan {
  double stiffness, damping;
};

// SAP: R = max(near_rigid w, least_R), with w = J diag(A)^-1 J' of the row; see constraint/sap.hpp. What it asks of
// ReferencePlan: stiffness 1 / (h (h + tau)), damping 1 / h, and an impedance of 1.
struct CompliancePlan {
  double near_rigid = 0, least_R = 0;
};

// Pairs of shapes that are collided in all lanes at once; the others, and some rare poses, lane by lane.
enum class PackPair : std::uint8_t {
  kLaneByLane,
  kPlaneSphere,
  kPlaneCapsule,
  kPlaneEllipsoid,
  kPlaneCylinder,
  kPlaneBox,
  kSphereSphere,
  kSphereCapsule,
  kSphereCylinder,
  kSphereBox,
  kCapsuleCapsule,
  kSphereEllipsoid,
  kCapsuleEllipsoid,
  kEllipsoidBox,
};

// Two geoms that may touch.
struct PairPlan {
  ContactPair pair;
  PackPair kind;
  PairFunction function;  // for one lane
  const double* size[2];
  bool has_boxes;    // collided lane by lane, after a look at the boxes around the shapes, if not of a field
  double box[2][6];  // centre and half sizes in the frames of the geoms
  // Of lanes that are left to `function`: whether a direction along which they are apart is kept for the next step.
  bool keeps_separation;
  double apart_reach;  // how wide the gap between the cores must be, without what rounding asks for
  double extent;       // sum of the bounding radii
  double radius_B;     // how far the second shape reaches from its origin
  ContactRange range;
  double reach;    // sum of the bounding radii and of the distance up to which contacts are listed
  bool has_plane;  // the first is a plane
  int dim;         // rows of a contact: 1, 3, 4 or 6
  double friction[5];
  ImpedancePlan impedance;
  ReferencePlan normal, slip;
  double weight;  // inverse inertia that R follows from
  CompliancePlan compliance;
  double shift;         // SAP: points are moved by this times the distance, along the normal, to the stiffer geom
  double stiffest;      // of a pyramid: D at the largest impedance
  int first_dof, dofs;  // into RowPlan::dofs: those that move the pair against each other
  std::uint64_t trees;
};

// What the look at bounding spheres reads of a pair: all pairs are looked at in every step, few go further.
struct PairReach {
  int geom1, geom2;
  double reach;      // as in PairPlan
  bool has_plane;    // as in PairPlan
  bool has_axes;     // spheres and capsules, not both spheres
  float half[2];     // of the axes of capsules, 0 for spheres
  double thickness;  // sum of the radii around the axes and of the distance up to which contacts are listed
};

struct PairDof {
  int dof;
  int root;     // body whose COM its axis is read at
  double sign;  // 1 where it moves the second geom, -1 the first
};

// Friction, or the limits, of one number: a joint's coordinate, the angle of a ball joint or the length of a tendon.
struct ScalarPlan {
  int dof = 0, qpos = 0;  // of a joint
  int tendon = -1;        // -1 for joints
  bool is_friction = false;
  bool is_ball = false;      // has an upper limit only
  int first = 0, count = 0;  // of a tendon: its numbers of ten_J
  double range[2] = {0, 0}, margin = 0, loss = 0, weight = 0;
  ImpedancePlan impedance{};
  ReferencePlan reference{};
  CompliancePlan compliance{};
  std::uint64_t trees = 0;

  TORSOR_HD bool is_unit() const { return tendon < 0 && !is_ball; }  // its rows have one number
};

struct EqualityPlan {
  int id;
  EqualityType type;
  bool has_sites;
  int object[2];       // bodies, sites, joints or tendons; the second may be -1 for the last two
  int body[2];         // of frames that coincide
  int root[2];         // whose COMs the axes of their dofs are read at
  const double* data;  // eq_data
  const double* site_quat[2];
  double reference[2];  // coordinates or lengths that errors are measured from
  int rows;
  int first_dof, dofs;  // into RowPlan::equality_dofs; of tendons those of the first, then those of the second
  double weight[2];     // of rows that translate, and of those that rotate
  ImpedancePlan impedance;
  ReferencePlan normal;
  CompliancePlan compliance;
  std::uint64_t trees;
};
struct EqualityDof {
  int dof;
  int sides;   // bit 0: it moves the first body, bit 1: the second
  int source;  // of tendons: the number of ten_J; of joints: the address in qpos
};

// A row of a ScalarPlan; at most one of each for a dof.
enum class UnitRow { kFriction, kLower, kUpper };

template <class S>
struct RowState {
  const S *qpos, *qvel, *qacc_smooth, *geom_xpos, *geom_xmat, *cdof, *subtree_com, *ten_length, *ten_J;
  const S *xpos, *xquat, *xmat, *site_xpos, *cvel, *cdof_dot;  // of models with equalities
};

// One point of contact of one pair in some lanes.
template <class S>
struct alignas(64) PackContact {
  static constexpr int kNumbers = 13, kMostLanes = 64 / sizeof(S);
  int pair;  // of the plan; -1 where one world has found it
  int geom[2];
  unsigned listed;  // lanes in which it is a contact
  unsigned lanes;   // those in which it has rows: nearer than the margin
  // dist, position, normal, first and second tangent
  alignas(64) S numbers[kNumbers * kMostLanes];
  // After the solution, where somebody asks for it: force and torque in the frame of the contact.
  alignas(64) S force[6 * kMostLanes];
};

// Directions along which a pair was apart, and how far its shapes reach along them: see FacingReach. They say nothing
// about poses, so that any world may find them in its lane; only other shapes make them wrong.
template <class S>
struct alignas(64) PackSeparation {
  static constexpr int kMostLanes = PackContact<S>::kMostLanes;
  S normal_A[3 * kMostLanes], normal_B[3 * kMostLanes];
  S reach[kMostLanes];  // infinite where nothing is known
};

// What SAP's rows have in common.
template <class S>
struct SapNumbers {
  const S* inverse = nullptr;  // 1 / diag(A), by dof; null: the solver is another one
  double timestep = 0, sigma = 0;
  static constexpr double kLeastWeight = 1e-12;
};

// What rows are written into.
template <class S>
struct RowTarget {
  solver::WideProblem<S>* problem;
  const int* place;     // of each dof in the problem
  const PairDof* dofs;  // RowPlan::dofs
  const EqualityDof* equality_dofs;
  const int* tendon_dofs;  // Model::ten_J_colind
  bool is_pyramidal;
  double impratio;
  SapNumbers<S> sap;
};

struct NearPair {
  int pair;
  unsigned lanes;
};

template <class S>
struct RowKernels {
  int lanes;
  // Lanes in which no number of qacc_smooth, qvel and qacc_warmstart is NaN or infinite.
  unsigned (*find_sound)(const S* qacc_smooth, const S* qvel, const S* qacc_warmstart, int nv);
  // Pairs whose bounding spheres are within reach in some lane. Returns how many; `near` has room for all.
  int (*find_near)(const PairReach* pairs, int count, const RowState<S>& state, unsigned lanes, NearPair* near);
  // Points of a pair nearer than its margin: the k-th of each lane in contacts[k], of which there is room for
  // kMaxPoints. `left` are lanes that must be collided by PairPlan::function; `kept` is of pairs that keep separations.
  // Returns the number of contacts.
  int (*touch)(const PairPlan& pair, const RowState<S>& state, unsigned lanes, const PackSeparation<S>* kept,
               PackContact<S>* contacts, unsigned& left);
  // Lanes in which the rows are there, by UnitRow.
  void (*find_scalar)(const ScalarPlan& scalar, const RowState<S>& state, const RowTarget<S>& target, unsigned lanes,
                      unsigned (&rows)[3]);
  // Writes the rows of a contact into the lanes' slots, which are open and have J = 0.
  void (*write_contact)(const PairPlan& pair, const PackContact<S>& contact, unsigned lanes, const int* slots,
                        const RowState<S>& state, const RowTarget<S>& target);
  // The row of a hinge or slide into a unit slot, the others into the slots of singles.
  void (*write_scalar)(const ScalarPlan& scalar, UnitRow row, unsigned lanes, const int* slots,
                       const RowState<S>& state, const RowTarget<S>& target);
  // All rows of an equality into as many slots of singles from slots[lane] on.
  void (*write_equality)(const EqualityPlan& equality, unsigned lanes, const int* slots, const RowState<S>& state,
                         const RowTarget<S>& target);
  // SAP: h times the damping of each dof, and the inverse of the diagonal of A = M + that.
  void (*damp_diagonal)(const ModelView& model, const S* M, const S* qvel, S* implicit, S* inverse);
  // Add what a contact, or a connect or weld, exerts on its bodies to cfrc_ext. `bodies` are those of the two geoms,
  // `roots` those of their trees; `force` are the forces of the rows.
  void (*add_contact_wrench)(const PackContact<S>& contact, const int* bodies, const int* roots,
                             const RowState<S>& state, S* cfrc_ext);
  void (*add_equality_wrench)(const EqualityPlan& equality, unsigned lanes, const S* force, const RowState<S>& state,
                              S* cfrc_ext);
};
template <class S>
const RowKernels<S>& row_kernels();

struct RowTables {
  RowKernels<double> of_double;
  RowKernels<float> of_float;
};

}  // namespace torsor
