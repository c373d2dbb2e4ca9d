// Contacts, rows and indices of a Data, which pickles bring back: made from the rules of the lists, with what relates
// rows to each other and to what makes them.
#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "torsor/model/check.hpp"
#include "torsor/model/check/checker.hpp"

namespace torsor {
namespace checks {
namespace {

// As a member function, so that rules are written in terms of sizes and arrays. A Data has those of its model.
struct RowRanges : Data {
  using Real = double;
  void all() const {
    using namespace rule;
#define FIELD(type, name, rows, columns, unit, meaning, ...)                                                        \
  static_assert(is_whole<type> == (sizeof(#__VA_ARGS__) > 1), "whole numbers, and no others, need values: " #name); \
  __VA_OPT__(check_values(#name, __VA_ARGS__, #__VA_ARGS__, name);)
#include "torsor/model/fields/indices.inc"
#include "torsor/model/fields/rows.inc"
#include "torsor/model/fields/switches.inc"
    // lists without whole numbers
#include "torsor/model/fields/acceleration.inc"
#include "torsor/model/fields/input.inc"
#include "torsor/model/fields/position.inc"
#include "torsor/model/fields/state.inc"
#include "torsor/model/fields/velocity.inc"
#undef FIELD
  }
};

class RowCheck {
 public:
  RowCheck(const Model& model, const Data& data) : m(model), d(data) {}

  void run() {
    counts();
    static_cast<const RowRanges&>(d).all();
    for (int c = 0; c < d.ncon; ++c) contact(c);
    int place = 0;
    for (int r = 0; r < d.nefc; ++r) {
      expect(d.efc_J_rowadr[r] == place, "efc_J_rowadr", r, "rows follow each other");
      place += d.efc_J_rownnz[r];
      row(r);
    }
    expect_size("nJ", d.nJ, place);
    equalities();
  }

 private:
  void counts() const {
    const auto check = [](const char* name, int64_t value, int64_t first, int64_t last) {
      if (value < first || value > last)
        throw Fault{fmt::format("{} is {}; allowed: {} to {}", name, value, first, last)};
    };
    check("ne", d.ne, 0, d.nefc);
    check("nf", d.nf, 0, d.nefc - d.ne);
    check("nl", d.nl, 0, d.nefc - d.ne - d.nf);
    check("nisland", d.nisland, 0, m.ntree);
    const int shown = std::min<int>(d.nisland, ConstraintStage::kIslandsWithStatistics);
    check("solver_capacity", d.solver_capacity, 0, 1 << 20);
    if (d.solver.size() > 0) check("solver", int64_t{shown} * d.solver_capacity, 0, d.solver.size());
    for (int i = 0; i < ConstraintStage::kIslandsWithStatistics; ++i)
      check("solver_niter", d.solver_niter[i], 0, 1 << 30);
  }

  void contact(int c) const {
    const Contact& contact = d.contact[c];
    const auto check = [c](const char* name, int value, const ValueRange& range, const char* rule) {
      if (!range.allows(value)) fail_range(name, c, value, rule);
    };
    check("contact.dim", contact.dim, rule::OneOf(1, 3, 4, 6), "OneOf(1, 3, 4, 6)");
    for (const int geom : contact.geom) check("contact.geom", geom, rule::Index(m.ngeom), "Index(ngeom)");
    check("contact.pair", contact.pair, rule::IndexOrNone(m.npair), "IndexOrNone(npair)");
    check("contact.exclude", contact.exclude, rule::Between(0, 3), "Between(0, 3)");
    check("contact.efc_address", contact.efc_address, rule::IndexOrNone(d.nefc), "IndexOrNone(nefc)");
    if (contact.efc_address < 0) return;
    const int first = contact.efc_address, count = contact_rows(contact, type(first));
    expect(is_contact(type(first)) && first + count <= d.nefc, "contact.efc_address", c, "its rows are of contacts");
    for (int r = first; r < first + count; ++r)
      expect(d.efc_id[r] == c && type(r) == type(first), "efc_id", r, "the rows of a contact follow each other");
  }

  RowType type(int r) const { return static_cast<RowType>(d.efc_type[r]); }
  static int contact_rows(const Contact& contact, RowType type) {
    return type == RowType::kContactPyramidal ? 2 * (contact.dim - 1) : contact.dim;
  }

  // Rows come by kind, ne of equalities first; what makes a row exists.
  void row(int r) const {
    const bool is_equality = r < d.ne, is_friction = !is_equality && r < d.ne + d.nf;
    const bool is_limit = !is_equality && !is_friction && r < d.ne + d.nf + d.nl;
    bool fits = false;
    int count = 0;
    switch (type(r)) {
      case RowType::kEquality:
        fits = is_equality, count = m.neq;
        break;
      case RowType::kFrictionDof:
        fits = is_friction, count = m.nv;
        break;
      case RowType::kFrictionTendon:
      case RowType::kTendonDamper:
        fits = is_friction, count = m.ntendon;
        break;
      case RowType::kDrive:
        fits = is_friction, count = m.nactuator;
        break;
      case RowType::kLimitJoint:
        fits = is_limit, count = m.njnt;
        break;
      case RowType::kLimitTendon:
        fits = is_limit, count = m.ntendon;
        break;
      default:
        fits = !is_equality && !is_friction && !is_limit, count = d.ncon;
    }
    expect(fits, "efc_type", r, "rows come by kind: equalities, friction, limits, contacts");
    expect(d.efc_id[r] < count, "efc_id", r, "there is no such object");
    if (is_contact(type(r))) {
      const Contact& contact = d.contact[d.efc_id[r]];
      const int within = r - contact.efc_address;
      expect(contact.efc_address >= 0 && within >= 0 && within < contact_rows(contact, type(r)), "efc_id", r,
             "the contact has this row");
      expect((contact.dim == 1) == (type(r) == RowType::kContactFrictionless), "efc_type", r,
             "only contacts without friction have one row");
    }
    columns(r);
  }

  // All rows of an equality follow each other.
  void equalities() const {
    for (int r = 0, count = 0; r < d.ne; r += count) {
      const int id = d.efc_id[r];
      const auto kind = static_cast<EqualityType>(m.eq_type[id]);
      count = kind == EqualityType::kWeld ? 6 : kind == EqualityType::kConnect ? 3 : 1;
      for (int k = r; k < r + count; ++k)
        expect(k < d.ne && d.efc_id[k] == id, "efc_id", k, "the rows of an equality follow each other");
    }
  }

  // Ascending, but for tendons that name a joint twice.
  void columns(int r) const {
    const int* begin = d.efc_J_colind.data() + d.efc_J_rowadr[r];
    expect(std::is_sorted(begin, begin + d.efc_J_rownnz[r]), "efc_J_rownnz", r, "the dofs of a row ascend");
  }

  const Model& m;
  const Data& d;
};

}  // namespace
}  // namespace checks

std::string find_fault(const Model& model, const Data& data) {
  try {
    checks::RowCheck(model, data).run();
  } catch (const checks::Fault& fault) {
    return fault.text;
  }
  return {};
}

}  // namespace torsor
