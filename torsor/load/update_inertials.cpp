// Masses are computed from geoms and settings unless they are explicit; explicit ones must not be changed by either.
#include <algorithm>
#include <cmath>

#include "torsor/load/update_elements.hpp"

namespace torsor {
namespace {

size_t at(int index) { return static_cast<size_t>(index); }

void set_inertial(BodySpec& body, const Model& model, int b) {
  InertialSpec& inertial = body.inertial;
  inertial = {};
  inertial.given = true;
  inertial.mass = model.body_mass[b];
  std::copy_n(model.body_ipos.row(b, 3), 3, inertial.pos.begin());
  std::copy_n(model.body_iquat.row(b, 4), 4, inertial.orientation.quat.begin());
  std::copy_n(model.body_inertia.row(b, 3), 3, inertial.diaginertia.begin());
}

// The body has the mass of all bodies fused into it.
void set_fused_inertial(Spec& spec, const Origins& origins, const Model& model, int b) {
  for (size_t s = 1; s < spec.bodies.size(); ++s) {
    if (origins.body_id[s] != b) continue;
    spec.bodies[s].inertial = {};
    spec.bodies[s].inertial.given = true;
  }
  set_inertial(spec.bodies[at(origins.body[at(b)])], model, b);
}

bool same_row(const Field<double>& a, const Field<double>& b, int row, int width) {
  return std::equal(a.row(row, width), a.row(row, width) + width, b.row(row, width));
}

bool same_inertia(const Model& a, const Model& b, int body) {
  return a.body_mass[body] == b.body_mass[body] && same_row(a.body_ipos, b.body_ipos, body, 3) &&
         same_row(a.body_iquat, b.body_iquat, body, 4) && same_row(a.body_inertia, b.body_inertia, body, 3);
}

// Up to rounding where a body's frame was turned to its inertial frame.
bool is_close_inertia(const Model& a, const Model& b, int body) {
  constexpr double kRounding = 1e-12;
  const auto is_close = [body](const Field<double>& x, const Field<double>& y, int width) {
    return std::equal(x.row(body, width), x.row(body, width) + width, y.row(body, width), [](double p, double q) {
      return std::abs(p - q) <= kRounding * std::max({1.0, std::abs(p), std::abs(q)});
    });
  };
  return is_close(a.body_mass, b.body_mass, 1) && is_close(a.body_ipos, b.body_ipos, 3) &&
         is_close(a.body_iquat, b.body_iquat, 4) && is_close(a.body_inertia, b.body_inertia, 3);
}

}  // namespace

void keep_inertials(Spec& spec, const Origins& origins, const Model& now, const Model& model) {
  for (int b = 1; b < model.nbody; ++b) {
    if (origins.is_aligned[at(b)] && !is_close_inertia(now, model, b)) set_fused_inertial(spec, origins, model, b);
  }
}

void update_inertials(Spec& spec, const Origins& origins, const Model& now, const Model& after, bool is_stubborn) {
  std::vector<int> edited;
  for (int b = 1; b < after.nbody; ++b) {
    if (!same_inertia(now, after, b)) edited.push_back(b);
  }
  if (edited.empty()) return;
  CompilerSpec& compiler = spec.compiler;
  const bool is_bounded = compiler.boundmass > 0 || compiler.boundinertia > 0 || compiler.balanceinertia;
  if (compiler.inertiafromgeom == Tristate::kTrue || compiler.settotalmass > 0 || (is_stubborn && is_bounded)) {
    compiler.inertiafromgeom = Tristate::kAuto;
    compiler.settotalmass = -1;
    compiler.boundmass = compiler.boundinertia = 0;
    compiler.balanceinertia = false;
    edited.clear();
    for (int b = 1; b < after.nbody; ++b) edited.push_back(b);
  }
  for (const int b : edited) set_fused_inertial(spec, origins, after, b);
}

}  // namespace torsor
