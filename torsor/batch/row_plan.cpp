// What rows have in common in all states.
#include "torsor/batch/row_plan.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <tuple>

#include "torsor/batch/kernels/plan_values.hpp"
#include "torsor/batch/tree_layout.hpp"
#include "torsor/batch/wide_builder.hpp"
#include "torsor/constraint/blocks.hpp"
#include "torsor/constraint/constraint.hpp"
#include "torsor/constraint/damper.hpp"
#include "torsor/constraint/impedance.hpp"
#include "torsor/contact/box_filter.hpp"
#include "torsor/contact/pairs.hpp"
#include "torsor/contact/support.hpp"
#include "torsor/dynamics/drive.hpp"
#include "torsor/model/contact_filter.hpp"
#include "torsor/model/formulation.hpp"

namespace torsor {
namespace {

constexpr size_t kMostPairs = 4096;  // beyond which the search of one world costs less

// Dofs that move one of two bodies and not the other, ascending.
void list_dofs(const Model& model, int body1, int body2, std::vector<PairDof>& to) {
  const auto first = static_cast<ptrdiff_t>(to.size());
  for_each_pair_dof(model, body1, body2, false, [&](int dof, int side) {
    to.push_back({dof, model.body_rootid[side == 1 ? body1 : body2], side == 1 ? -1.0 : 1.0});
  });
  std::reverse(to.begin() + first, to.end());
}

PackPair pack_pair(GeomType a, GeomType b) {
  const auto is = [&](GeomType first, GeomType second) { return a == first && b == second; };
  if (is(GeomType::kPlane, GeomType::kSphere)) return PackPair::kPlaneSphere;
  if (is(GeomType::kPlane, GeomType::kCapsule)) return PackPair::kPlaneCapsule;
  if (is(GeomType::kPlane, GeomType::kEllipsoid)) return PackPair::kPlaneEllipsoid;
  if (is(GeomType::kPlane, GeomType::kCylinder)) return PackPair::kPlaneCylinder;
  if (is(GeomType::kPlane, GeomType::kBox)) return PackPair::kPlaneBox;
  if (is(GeomType::kSphere, GeomType::kSphere)) return PackPair::kSphereSphere;
  if (is(GeomType::kSphere, GeomType::kCapsule)) return PackPair::kSphereCapsule;
  if (is(GeomType::kSphere, GeomType::kCylinder)) return PackPair::kSphereCylinder;
  if (is(GeomType::kSphere, GeomType::kBox)) return PackPair::kSphereBox;
  if (is(GeomType::kCapsule, GeomType::kCapsule)) return PackPair::kCapsuleCapsule;
  if (is(GeomType::kSphere, GeomType::kEllipsoid)) return PackPair::kSphereEllipsoid;
  if (is(GeomType::kCapsule, GeomType::kEllipsoid)) return PackPair::kCapsuleEllipsoid;
  if (is(GeomType::kEllipsoid, GeomType::kBox)) return PackPair::kEllipsoidBox;
  return PackPair::kLaneByLane;
}

// --- SAP, as in constraint/sap.cpp ---

constexpr double kPi = 3.14159265358979323846, kSapBeta = 0.1;  // beta of all rows but contacts

CompliancePlan plan_compliance(double beta, double h, double k, double tau) {
  return {beta * beta / (4 * kPi * kPi), 1 / (h * k * (h + tau))};
}
ReferencePlan plan_sap_reference(double h, double tau) { return {1 / (h * (h + tau)), 1 / h}; }
constexpr ImpedancePlan kNoImpedance{1, 1, 0.5, 1, 0};

// Of a limit or an equality: numbers that are missing or invalid mean as stiff as a step resolves, and one step.
struct SapMaterial {
  SapMaterial(const Model& model, const Field<double>& stiffness, const Field<double>& dissipation, int id)
      : k(stiffness[id] > 0 ? stiffness[id] : std::numeric_limits<double>::infinity()),
        tau(dissipation[id] >= 0 ? dissipation[id] : model.opt.timestep) {}
  double k, tau;
};

template <class Plan>
void set_sap_material(const Model& model, const SapMaterial& material, Plan& plan, ReferencePlan& reference) {
  const double h = model.opt.timestep;
  plan.impedance = kNoImpedance;
  plan.compliance = plan_compliance(kSapBeta, h, material.k, material.tau);
  reference = plan_sap_reference(h, material.tau);
}

void set_sap_friction(const Model& model, ScalarPlan& row) {
  row.impedance = kNoImpedance;
  row.reference = {0, 1 / model.opt.timestep};
}

void set_sap_contact(const Model& model, PairPlan& plan) {
  ContactPoint anywhere{};
  anywhere.dist = plan.range.margin - 1;  // not in the gap
  anywhere.normal_W = {0, 0, 1};
  Contact contact{};
  fill_contact(model, plan.pair, plan.range, anywhere, contact);
  const double h = model.opt.timestep;
  plan.impedance = kNoImpedance;
  plan.compliance = plan_compliance(model.opt.sap_beta, h, contact.stiffness, contact.dissipation);
  plan.normal = plan_sap_reference(h, contact.dissipation);
  plan.slip = {0, 1 / h};
  plan.shift = contact_share(model, contact) - 0.5;
}

// A gap along some direction must mean that the function finds no points. It does where the function measures
// distances; that of two boxes measures along axes of theirs, where margins reach further around corners.
bool may_keep_separation(const PairPlan& plan) {
  return plan.function == convex_convex || plan.function == capsule_box || plan.function == plane_mesh ||
         (plan.function == box_box && plan.range.detection <= 0);
}

void set_separation(const Model& model, PairPlan& plan) {
  plan.keeps_separation = may_keep_separation(plan);
  if (!plan.keeps_separation) return;
  const auto shape = [&](int k) {
    const int geom = k == 0 ? plan.pair.geom1 : plan.pair.geom2;
    return Shape{
        static_cast<GeomType>(model.geom_type[geom]), plan.size[k], {}, nullptr, nullptr, model.geom_aabb.row(geom, 6)};
  };
  const Shape first = shape(0), second = shape(1);
  const Box around = box_around(second);
  Vec3<double> corner;
  for (int i = 0; i < 3; ++i) corner[i] = std::abs(around.center[i]) + around.half[i];
  plan.radius_B = norm(corner);
  plan.apart_reach = std::max(plan.range.detection + core_radius(first) + core_radius(second), 0.0);
  plan.extent = model.geom_rbound[plan.pair.geom1] + model.geom_rbound[plan.pair.geom2];
}

}  // namespace

std::string why_no_wide_solver(const Model& model, const RowPlan& plan) {
  const auto type = static_cast<SolverType>(model.opt.solver);
  if (type == SolverType::kSap && has_implicit_drives(model)) return "SAP treats actuators implicitly";
  if (type == SolverType::kSap && has_implicit_dampers(model)) return "SAP treats dampers of tendons implicitly";
  if (formulation(model.opt).solves_in_metric) return kDiscreteLanes;
  if (model.opt.noslip_iterations > 0) return "noslip runs for one world at a time";
  if (model.ntree > 64) return "the model has more than 64 trees";
  return plan.tiles > solver::kMaxWideTiles ? "the model has more dofs than the wide solver takes" : std::string();
}

std::string why_no_pack_rows(const Model& model, const RowPlan& plan) {
  if (std::string why = why_no_wide_solver(model, plan); !why.empty()) return why;
  if (model.opt.enabled(kEnableSpeculative)) return "speculative contacts are found for one world at a time";
  if (model.memory >= 0) return "the model limits the memory of contacts and rows";
  if (model.flg_adhesion || model.flg_surfacevel) return "surfaces move or stick";
  if (model.flg_actbody) return "an actuator acts on contacts";
  if (model.opt.enabled(kEnableDiagExact)) return "the inverse inertia of rows is computed exactly";
  for (int g = 0; g < model.ngeom; ++g) {
    const auto type = static_cast<GeomType>(model.geom_type[g]);
    if (type == GeomType::kMesh && model.geom_meshcollision[g] != 0)
      return "triangles are searched for one world at a time";
  }
  if (plan.pairs.size() > kMostPairs) return "too many pairs of geoms may touch";
  return {};
}

std::string contacts_without_rows(const Model& model, const RowPlan& plan) {
  return plan.has_dropped_pairs && model.npair > 0 ? "contacts of geoms that do not move" : std::string();
}

RowPlan::RowPlan(const Model& model) {
  for (int t = 0; t < model.ntree; ++t) tiles += TreeLayout(model, t).tiles;
  refresh(model);
}

void RowPlan::add_pair(const Model& model, const ContactPair& given) {
  PairPlan plan{};
  plan.pair = given;
  if (model.geom_type[given.geom1] > model.geom_type[given.geom2]) std::swap(plan.pair.geom1, plan.pair.geom2);
  const int geom1 = plan.pair.geom1, geom2 = plan.pair.geom2;
  const auto type = [&model](int geom) { return static_cast<GeomType>(model.geom_type[geom]); };
  plan.function = find_pair_function(type(geom1), type(geom2));
  plan.first_dof = static_cast<int>(dofs.size());
  list_dofs(model, model.geom_bodyid[geom1], model.geom_bodyid[geom2], dofs);
  plan.dofs = static_cast<int>(dofs.size()) - plan.first_dof;
  if (!plan.function || plan.dofs == 0) {
    has_dropped_pairs = has_dropped_pairs || (plan.function && given.predefined >= 0);
    return dofs.resize(static_cast<size_t>(plan.first_dof));
  }
  for (int k = plan.first_dof; k < plan.first_dof + plan.dofs; ++k)
    plan.trees |= std::uint64_t{1} << model.dof_treeid[dofs[static_cast<size_t>(k)].dof];
  plan.kind = pack_pair(type(geom1), type(geom2));
  plan.has_boxes = plan.kind == PackPair::kLaneByLane && type(geom1) != GeomType::kHfield;
  plan.has_plane = type(geom1) == GeomType::kPlane;
  set_pair_range(model, plan);
  set_separation(model, plan);
  set_pair_contact(model, is_pyramidal(model), plan);
  if (formulation(model.opt).is_compliant) set_sap_contact(model, plan);
  has_hulls = has_hulls || (plan.kind == PackPair::kLaneByLane && plan.function == convex_convex);
  pairs.push_back(plan);
}

void RowPlan::add_joints(const Model& model) {
  for (int i = 0; !model.opt.disabled(kDisableFrictionLoss) && i < model.nv; ++i) {
    if (!has_friction_row(model.dof_frictionloss[i])) continue;
    ScalarPlan row{.dof = i, .tendon = -1, .is_friction = true};
    set_scalar_values(model, row);
    if (formulation(model.opt).is_compliant) set_sap_friction(model, row);
    row.trees = std::uint64_t{1} << model.dof_treeid[i];
    scalars.push_back(row);
  }
  for (int j = 0; !model.opt.disabled(kDisableLimit) && j < model.njnt; ++j) {
    if (!model.jnt_limited[j] || model.jnt_type[j] == static_cast<int>(JointType::kFree)) continue;
    ScalarPlan row{.dof = model.jnt_dofadr[j], .qpos = model.jnt_qposadr[j], .tendon = -1};
    row.is_ball = model.jnt_type[j] == static_cast<int>(JointType::kBall);
    set_scalar_values(model, row);
    if (formulation(model.opt).is_compliant)
      set_sap_material(model, {model, model.jnt_sapstiffness, model.jnt_sapdissipation, j}, row, row.reference);
    row.trees = std::uint64_t{1} << model.dof_treeid[row.dof];
    scalars.push_back(row);
  }
}

void RowPlan::add_tendons(const Model& model) {
  for (int t = 0; t < model.ntendon; ++t) {
    ScalarPlan row{.tendon = t};
    row.first = model.ten_J_rowadr[t];
    row.count = model.ten_J_rownnz[t];
    for (int k = model.ten_J_rowadr[t]; k < model.ten_J_rowadr[t] + model.ten_J_rownnz[t]; ++k)
      row.trees |= std::uint64_t{1} << model.dof_treeid[model.ten_J_colind[k]];
    if (row.trees == 0) continue;
    if (!model.opt.disabled(kDisableFrictionLoss) && has_friction_row(model.tendon_frictionloss[t])) {
      row.is_friction = true;
      set_scalar_values(model, row);
      if (formulation(model.opt).is_compliant) set_sap_friction(model, row);
      scalars.push_back(row);
    }
    if (model.opt.disabled(kDisableLimit) || !model.tendon_limited[t]) continue;
    row.is_friction = false;
    set_scalar_values(model, row);
    if (formulation(model.opt).is_compliant)
      set_sap_material(model, {model, model.tendon_sapstiffness, model.tendon_sapdissipation, t}, row, row.reference);
    scalars.push_back(row);
  }
}

void RowPlan::add_frame_dofs(const Model& model, EqualityPlan& plan) {
  plan.has_sites = model.eq_objtype[plan.id] == static_cast<int>(ObjectType::kSite);
  for (int k = 0; k < 2; ++k) {
    plan.body[k] = plan.has_sites ? model.site_bodyid[plan.object[k]] : plan.object[k];
    plan.root[k] = model.body_rootid[plan.body[k]];
  }
  for_each_pair_dof(model, plan.body[0], plan.body[1], true, [this](int dof, int sides) {
    equality_dofs.push_back({dof, sides, -1});
  });
  std::reverse(equality_dofs.begin() + plan.first_dof, equality_dofs.end());
}

void RowPlan::add_coupled_dofs(const Model& model, EqualityPlan& plan) {
  const bool tendons = plan.type == EqualityType::kTendon;
  for (int k = 0; k < 2; ++k) {
    const int object = plan.object[k], side = 1 << k;
    if (object < 0) continue;
    const int qpos = tendons ? -1 : model.jnt_qposadr[object], dof = tendons ? -1 : model.jnt_dofadr[object];
    if (!tendons) equality_dofs.push_back({dof, side, qpos});
    for (int n = 0; tendons && n < model.ten_J_rownnz[object]; ++n) {
      const int number = model.ten_J_rowadr[object] + n;
      equality_dofs.push_back({model.ten_J_colind[number], side, number});
    }
  }
}

void RowPlan::add_equality(const Model& model, int id) {
  EqualityPlan plan{};
  plan.id = id;
  plan.type = static_cast<EqualityType>(model.eq_type[id]);
  plan.object[0] = model.eq_obj1id[id];
  plan.object[1] = model.eq_obj2id[id];
  plan.rows = plan.type == EqualityType::kWeld ? 6 : plan.type == EqualityType::kConnect ? 3 : 1;
  plan.first_dof = static_cast<int>(equality_dofs.size());
  if (plan.rows > 1)
    add_frame_dofs(model, plan);
  else
    add_coupled_dofs(model, plan);
  set_equality_values(model, plan);
  if (formulation(model.opt).is_compliant)
    set_sap_material(model, {model, model.eq_sapstiffness, model.eq_sapdissipation, id}, plan, plan.normal);
  plan.dofs = static_cast<int>(equality_dofs.size()) - plan.first_dof;
  for (int n = plan.first_dof; n < plan.first_dof + plan.dofs; ++n)
    plan.trees |= std::uint64_t{1} << model.dof_treeid[equality_dofs[static_cast<size_t>(n)].dof];
  if (plan.dofs > 0) equalities.push_back(plan);
}

void RowPlan::refresh(const Model& model) {
  pairs.clear();
  reaches.clear();
  dofs.clear();
  scalars.clear();
  equalities.clear();
  equality_dofs.clear();
  has_dropped_pairs = has_hulls = false;
  ++version;
  if (model.opt.disabled(kDisableConstraint)) return;
  for (int id = 0; !model.opt.disabled(kDisableEquality) && id < model.neq; ++id) add_equality(model, id);
  add_joints(model);
  add_tendons(model);
  // the order of one world: friction comes before limits
  std::stable_sort(scalars.begin(), scalars.end(),
                   [](const ScalarPlan& a, const ScalarPlan& b) { return a.is_friction && !b.is_friction; });
  if (model.opt.disabled(kDisableContact)) return;
  for (int p = 0; p < model.npair; ++p) add_pair(model, {model.pair_geom1[p], model.pair_geom2[p], p});
  const bool filter_parents = !model.opt.disabled(kDisableFilterParent);
  std::vector<ContactTag> tags;
  for (int g = 0; g < model.ngeom; ++g) tags.push_back(make_tag(model, g, filter_parents));
  for (size_t a = 0; a < tags.size(); ++a) {
    for (size_t b = a + 1; b < tags.size() && pairs.size() <= kMostPairs; ++b) {
      if (may_touch(tags[a], tags[b]) && !is_listed(model, tags[a], tags[b]))
        add_pair(model, {tags[a].geom, tags[b].geom, -1});
    }
  }
  // The order of contacts in one world, see contact/candidates.hpp: by bodies, then the model's own pairs, then by
  // geoms, of which the smaller type or, without the mid phase, the lower body comes first.
  const bool by_type = !model.opt.disabled(kDisableMidPhase);
  const auto key = [&](const PairPlan& plan) {
    const ContactPair& pair = plan.pair;
    const auto [low, high] = std::minmax(model.geom_bodyid[pair.geom1], model.geom_bodyid[pair.geom2]);
    const bool is_swapped = !by_type && model.geom_bodyid[pair.geom1] != low;
    const int first = is_swapped ? pair.geom2 : pair.geom1, second = is_swapped ? pair.geom1 : pair.geom2;
    const bool is_found = pair.predefined < 0;
    return std::tuple(low, high, is_found, is_found ? first : pair.predefined, second);
  };
  std::sort(pairs.begin(), pairs.end(), [&key](const PairPlan& a, const PairPlan& b) { return key(a) < key(b); });
  for (const PairPlan& plan : pairs) reaches.push_back(reach_of(plan));
}

}  // namespace torsor
