// Masses of bodies: given or inferred from geoms, then bounded, balanced and checked.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "torsor/compile/draft.hpp"
#include "torsor/compile/orientation.hpp"
#include "torsor/math/principal_axes.hpp"
#include "torsor/math/spatial.hpp"

namespace torsor::compiler {
namespace {

bool infers_from_geoms(const CompilerSpec& compiler, const BodySpec& body) {
  if (compiler.inertiafromgeom == Tristate::kAuto) return !body.inertial.given;
  return compiler.inertiafromgeom == Tristate::kTrue;
}

void set_inertial(BodyDraft& body, const BodyMass& mass) {
  body.mass = mass.mass;
  body.X_BI = mass.X_BI;
  body.moments = mass.moments;
}

void report(Draft& draft, const BodySpec& body, const std::string& message, std::string hint = {}) {
  const Location& where = body.inertial.given ? body.inertial.location : body.location;
  draft.error_at(where, fmt::format("{}: {}", Draft::describe("body", body), message), std::move(hint));
}

// xx yy zz xy xz yz
void set_full_inertia(Draft& draft, BodyDraft& body, const Number6& full) {
  const InertialSpec& inertial = body.spec->inertial;
  if (inertial.diaginertia != Number3{0, 0, 0}) report(draft, *body.spec, "has both diaginertia and fullinertia");
  const PrincipalAxes<double> axes = principal_axes(Sym3<double>{full[0], full[1], full[2], full[3], full[4], full[5]});
  // boundinertia raises moments that vanish, not negative ones
  const double least = draft.spec.compiler.boundinertia > 0 ? -kNoMass : kNoMass;
  if (!(axes.moments.z >= least)) report(draft, *body.spec, "fullinertia must have positive principal moments");
  // Several inertials in frames may have given both: a quaternion turns the tensor.
  if (inertial.orientation.form != OrientationSpec::Form::kQuat)
    report(draft, *body.spec, "has both fullinertia and an orientation that is not a quaternion");
  body.X_BI.q = resolve_orientation({.quat = inertial.orientation.quat}, {true, draft.spec.compiler.eulerseq}) * axes.q;
  body.moments = axes.moments;
}

void set_written_inertia(Draft& draft, BodyDraft& body) {
  const InertialSpec& inertial = body.spec->inertial;
  const CompilerSpec& compiler = draft.spec.compiler;
  body.mass = inertial.mass;
  body.X_BI.p = to_vec(inertial.pos);
  if (inertial.fullinertia) return set_full_inertia(draft, body, *inertial.fullinertia);
  body.moments = to_vec(inertial.diaginertia);
  try {
    body.X_BI.q = resolve_orientation(inertial.orientation, {compiler.degree, compiler.eulerseq});
  } catch (const std::invalid_argument& problem) {
    report(draft, *body.spec, problem.what());
  }
}

// Masses of the geoms that count. Massless geoms do not, so that a single geom with mass gives the body its frame.
std::vector<BodyMass> geom_masses(const CompilerSpec& compiler, const BodyDraft& body) {
  const auto [first_group, last_group] = compiler.inertiagrouprange;
  std::vector<BodyMass> masses;
  for (const GeomDraft& geom : body.geoms) {
    if (geom.spec->group < first_group || geom.spec->group > last_group || geom.mass < kNoMass) continue;
    masses.push_back({geom.mass, {apply(geom.X_BG, geom.p_GoGcm_G), geom.X_BG.q}, geom.moments});
  }
  return masses;
}

void set_inertia(Draft& draft, BodyDraft& body) {
  const CompilerSpec& compiler = draft.spec.compiler;
  // As in MuJoCo, a body with neither mass nor inertial uses its own pose in its parent as inertial frame.
  body.X_BI = body.spec->inertial.given ? Frame::identity() : body.X_written;
  if (body.spec->inertial.given) {
    set_written_inertia(draft, body);
    body.X_BI = body.X_BF_of_inertial * body.X_BI;
  }
  if (!infers_from_geoms(compiler, *body.spec)) return;
  const std::vector<BodyMass> masses = geom_masses(compiler, body);
  if (!masses.empty()) set_inertial(body, join_masses(masses));
}

// Negative numbers count as zero, which bodies that move cannot have.
void check_sign(Draft& draft, const BodyDraft& body, double mass, const Vec& moments) {
  const bool was_negative = std::min({mass, moments.x, moments.y, moments.z}) < 0;
  const bool is_zero = std::min({body.mass, body.moments.x, body.moments.y, body.moments.z}) == 0;
  if (!was_negative || !is_zero) return;
  const std::string message = "mass and inertia must not be negative";
  if (!body.joints.empty()) return report(draft, *body.spec, message);
  draft.warning("body", *body.spec, message + ": they count as zero");
}

// Applies lower bounds, and checks that a rigid body can have these moments.
void correct_inertia(Draft& draft, BodyDraft& body) {
  const CompilerSpec& compiler = draft.spec.compiler;
  Vec& moments = body.moments;
  const double mass_before = body.mass;
  const Vec moments_before = moments;
  const auto note_change = [&] {
    body.is_adjusted = body.mass != mass_before || moments.x != moments_before.x || moments.y != moments_before.y ||
                       moments.z != moments_before.z;
  };
  body.mass = std::max(body.mass, std::max(0.0, compiler.boundmass));
  for (int k = 0; k < 3; ++k) moments[k] = std::max(moments[k], std::max(0.0, compiler.boundinertia));
  note_change();
  const double sum = moments.x + moments.y + moments.z, largest = std::max({moments.x, moments.y, moments.z});
  if (largest <= sum - largest) return check_sign(draft, body, mass_before, moments_before);
  if (compiler.balanceinertia)
    moments = {sum / 3, sum / 3, sum / 3}, note_change();
  else if (largest > (sum - largest) * (1 + 1e-12))  // rounding may break the rule for flat bodies
    report(draft, *body.spec, "one principal moment of inertia is larger than the sum of the other two",
           "balanceinertia of compiler makes all three equal");
}

}  // namespace

// A single part keeps its frame; several are combined about their common COM.
BodyMass join_masses(const std::vector<BodyMass>& parts) {
  if (parts.size() == 1) return parts[0];
  double mass = 0;
  Vec moment = Vec::zero();
  for (const BodyMass& part : parts) {
    mass += part.mass;
    moment += part.X_BI.p * part.mass;
  }
  const Vec p_BoBcm_B = moment / mass;
  Sym3<double> inertia = Sym3<double>::zero();
  for (const BodyMass& part : parts)
    inertia += make_inertia(part.mass, part.moments, to_mat(part.X_BI.q), part.X_BI.p - p_BoBcm_B).I;
  const PrincipalAxes<double> axes = principal_axes(inertia);
  return {mass, {p_BoBcm_B, axes.q}, axes.moments};
}

void compute_inertias(Draft& draft) {
  for (size_t b = 1; b < draft.bodies.size(); ++b) {
    BodyDraft& body = draft.bodies[b];
    const bool is_known =
        draft.passes([&] { set_inertia(draft, body); }) && draft.passes([&] { correct_inertia(draft, body); });
    body.has_bad_mass = body.has_bad_mass || !is_known;
  }
}

void scale_total_mass(Draft& draft) {
  const double wanted = draft.spec.compiler.settotalmass;
  if (!(wanted > 0)) return;
  double total = 0;
  for (const BodyDraft& body : draft.bodies) total += body.is_fused ? 0 : body.mass;
  const double scale = wanted / std::max(total, kMinValue);  // bounded inertia without mass is scaled too, as in MuJoCo
  for (BodyDraft& body : draft.bodies) {
    body.mass *= scale;
    body.moments *= scale;
  }
}

}  // namespace torsor::compiler
