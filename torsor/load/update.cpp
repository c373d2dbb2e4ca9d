// Takes edits of a Model back into its Spec. What differs from the Model that the Spec compiles to was edited; elements
// without edits keep the form in which they are written.
#include "torsor/load/update.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <numbers>

#include <fmt/format.h>

#include "torsor/load/update_elements.hpp"

namespace torsor {
namespace {

constexpr double kTolerance = 1e-12;

template <class T>
bool is_close(const Field<T>& a, const Field<T>& b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](T x, T y) {
    if constexpr (std::is_floating_point_v<T>) {
      const double p = static_cast<double>(x), q = static_cast<double>(y);
      if (std::isnan(p) && std::isnan(q)) return true;
      return x == y || std::abs(p - q) <= kTolerance * std::max({1.0, std::abs(p), std::abs(q)});
    } else {
      return x == y;
    }
  });
}

// Names of the arrays of one access class that two models of the same sizes differ in.
std::vector<std::string> differing_fields(const Model& a, const Model& b, Access access) {
  FieldSlot of_a[kModelFieldCount], of_b[kModelFieldCount];
  list_fields(const_cast<Model&>(a), of_a);
  list_fields(const_cast<Model&>(b), of_b);
  std::vector<std::string> names;
  const auto compare = [&]<class T>(int i, T*) {
    if (!is_close(*static_cast<Field<T>*>(of_a[i].field), *static_cast<Field<T>*>(of_b[i].field)))
      names.emplace_back(of_a[i].info.name);
  };
  for (int i = 0; i < kModelFieldCount; ++i) {
    if (of_a[i].info.access != access) continue;
    switch (of_a[i].type) {
      case ElementType::kReal:
        compare(i, static_cast<double*>(nullptr));
        break;
      case ElementType::kInt:
        compare(i, static_cast<int*>(nullptr));
        break;
      case ElementType::kFloat:
        compare(i, static_cast<float*>(nullptr));
        break;
      case ElementType::kBool:
        compare(i, static_cast<bool*>(nullptr));
        break;
      case ElementType::kByte:
        compare(i, static_cast<Byte*>(nullptr));
        break;
      case ElementType::kChar:
        compare(i, static_cast<char*>(nullptr));
        break;
    }
  }
  return names;
}

bool same_sizes(const Model& a, const Model& b) {
  std::vector<int> of_a, of_b;
  a.for_each_size([&](const char*, int value, const char*) { of_a.push_back(value); });
  b.for_each_size([&](const char*, int value, const char*) { of_b.push_back(value); });
  return of_a == of_b;
}

// A Spec whose elements are those of the model, one for one.
void check_belongs(const Spec& spec, const Model& before, const Model& after) {
  if (!same_sizes(before, after) || !differing_fields(before, after, Access::kStructural).empty())
    throw Error("the model was not compiled from this Spec: their structures differ");
  if (static_cast<int>(spec.bodies.size()) != before.nbody || spec.compiler.discardvisual)
    throw Error("edits cannot be taken back through fusestatic and discardvisual of the compiler");
}

void set_inertial(BodySpec& body, const Model& model, int b) {
  InertialSpec& inertial = body.inertial;
  inertial = {};
  inertial.given = true;
  inertial.mass = model.body_mass[b];
  std::copy_n(model.body_ipos.row(b, 3), 3, inertial.pos.begin());
  std::copy_n(model.body_iquat.row(b, 4), 4, inertial.orientation.quat.begin());
  std::copy_n(model.body_inertia.row(b, 3), 3, inertial.diaginertia.begin());
}

bool same_inertia(const Model& a, const Model& b, int body) {
  return a.body_mass[body] == b.body_mass[body] &&
         std::equal(a.body_ipos.row(body, 3), a.body_ipos.row(body, 3) + 3, b.body_ipos.row(body, 3)) &&
         std::equal(a.body_iquat.row(body, 4), a.body_iquat.row(body, 4) + 4, b.body_iquat.row(body, 4)) &&
         std::equal(a.body_inertia.row(body, 3), a.body_inertia.row(body, 3) + 3, b.body_inertia.row(body, 3));
}

// Masses follow from geoms and settings until they are written down; then both must keep their hands off.
void update_inertials(Spec& spec, const Model& now, const Model& after) {
  std::vector<int> edited;
  for (int b = 1; b < after.nbody; ++b) {
    if (!same_inertia(now, after, b)) edited.push_back(b);
  }
  if (edited.empty()) return;
  const bool overridden = spec.compiler.inertiafromgeom == Tristate::kTrue || spec.compiler.settotalmass > 0;
  if (overridden) {
    spec.compiler.inertiafromgeom = Tristate::kAuto;
    spec.compiler.settotalmass = -1;
    for (int b = 1; b < after.nbody; ++b) set_inertial(spec.bodies[static_cast<size_t>(b)], after, b);
  }
  for (const int b : edited) set_inertial(spec.bodies[static_cast<size_t>(b)], after, b);
}

void update_statistic(StatisticSpec& spec, const Statistic& before, const Statistic& after) {
  const auto take = [](double& value, double was, double is) {
    if (was != is) value = is;
  };
  take(spec.meaninertia, before.meaninertia, after.meaninertia);
  take(spec.meanmass, before.meanmass, after.meanmass);
  take(spec.meansize, before.meansize, after.meansize);
  take(spec.extent, before.extent, after.extent);
  if (!std::equal(std::begin(before.center), std::end(before.center), std::begin(after.center)))
    std::copy_n(after.center, 3, spec.center.begin());
}

}  // namespace

void update_spec(Spec& spec, const Model& model) {
  const Model before = load_spec(spec);
  check_belongs(spec, before, model);
  Spec updated = spec;
  update_elements(updated, before, model);
  updated.option = model.opt;
  updated.visual = model.vis;
  update_statistic(updated.statistic, before.stat, model.stat);
  update_inertials(updated, load_spec(updated), model);
  const std::vector<std::string> lost = differing_fields(load_spec(updated), model, Access::kFree);
  if (!lost.empty()) throw Error(fmt::format("a model file cannot hold the edits of {}", fmt::join(lost, ", ")));
  spec = std::move(updated);
}

}  // namespace torsor
