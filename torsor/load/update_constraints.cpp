// Edits of pairs of geoms and of equalities.
#include <algorithm>
#include <deque>
#include <map>
#include <string_view>
#include <utility>

#include "torsor/load/update_elements.hpp"

namespace torsor {
namespace {

using M = Edits::Arrays;

void update_pair(const Edits& edits, int p, PairSpec& pair) {
  edits.take(&M::pair_dim, p, pair.condim);
  edits.take(&M::pair_friction, p, pair.friction);
  edits.take(&M::pair_solref, p, pair.solref);
  edits.take(&M::pair_solreffriction, p, pair.solreffriction);
  edits.take(&M::pair_solimp, p, pair.solimp);
  edits.take(&M::pair_margin, p, pair.margin);
  edits.take(&M::pair_gap, p, pair.gap);
  edits.take(&M::pair_adhesion, p, pair.adhesion);
  edits.take_optional(&M::pair_sapstiffness, p, pair.sapstiffness);
  edits.take_optional(&M::pair_sapdissipation, p, pair.sapdissipation);
}

// The numbers of an equality's row from `first` on, if one of them was edited.
template <size_t N>
void take_data(const Edits& edits, int e, int first, std::array<double, N>& numbers) {
  const int start = kEqualityNumbers * e + first, count = static_cast<int>(N);
  if (edits.changed_range(&M::eq_data, start, count))
    std::copy_n(edits.after().eq_data.row(start, 1), count, numbers.begin());
}

// The pose of a weld that follows qpos0 is not in the Spec, nor is the anchor of a connect in body 2: edits of them
// cannot be transferred. Without the flag, the pose in the Model becomes the one in the Spec.
void update_weld(const Edits& edits, int e, EqualitySpec& weld) {
  take_data(edits, e, 0, weld.anchor);
  const double* data = edits.after().eq_data.row(e, kEqualityNumbers);
  const bool is_released = data[kFollowsQpos0] == 0 && edits.changed(&M::eq_data, kEqualityNumbers * e + kFollowsQpos0);
  if (is_released) {
    std::copy_n(data + 3, 7, weld.relpose.begin());
  } else if (data[kFollowsQpos0] == 0) {
    take_data(edits, e, 3, weld.relpose);
  }
}

void update_data(const Edits& edits, int e, EqualitySpec& equality) {
  const bool of_bodies = equality.objtype == ObjectType::kBody;
  switch (equality.type) {
    case EqualityType::kConnect:
      if (of_bodies) take_data(edits, e, 0, equality.anchor);
      return;
    case EqualityType::kWeld:
      edits.take(&M::eq_data, kEqualityNumbers * e + kTorqueScale, equality.torquescale);
      if (of_bodies) update_weld(edits, e, equality);
      return;
    case EqualityType::kJoint:
    case EqualityType::kTendon:
      take_data(edits, e, 0, equality.polycoef);
  }
}

void update_equality(const Edits& edits, int e, EqualitySpec& equality) {
  edits.take(&M::eq_active0, e, equality.active);
  edits.take(&M::eq_solref, e, equality.solref);
  edits.take(&M::eq_solimp, e, equality.solimp);
  edits.take_optional(&M::eq_sapstiffness, e, equality.sapstiffness);
  edits.take_optional(&M::eq_sapdissipation, e, equality.sapdissipation);
  update_data(edits, e, equality);
}

}  // namespace

// A Model has the pairs in another order, in which those of the same two geoms keep theirs.
std::vector<int> find_pair_rows(const Spec& spec, const Model& model) {
  using Names = std::pair<std::string_view, std::string_view>;
  std::map<Names, std::deque<int>> by_geoms;
  for (int row = 0; row < model.npair; ++row) {
    const std::string_view geom1 = model.name(ObjectType::kGeom, model.pair_geom1[row]);
    const std::string_view geom2 = model.name(ObjectType::kGeom, model.pair_geom2[row]);
    by_geoms[Names(std::minmax(geom1, geom2))].push_back(row);
  }
  std::vector<int> rows;
  for (const PairSpec& pair : spec.pairs) {
    const std::string_view geom1 = pair.geom1, geom2 = pair.geom2;
    std::deque<int>& found = by_geoms.at(Names(std::minmax(geom1, geom2)));
    rows.push_back(found.front());
    found.pop_front();
  }
  return rows;
}

void update_constraints(const Edits& edits, Spec& spec) {
  const std::vector<int> rows = find_pair_rows(spec, edits.after());
  for (size_t p = 0; p < rows.size(); ++p) update_pair(edits, rows[p], spec.pairs[p]);
  for (size_t e = 0; e < spec.equalities.size(); ++e) update_equality(edits, static_cast<int>(e), spec.equalities[e]);
}

}  // namespace torsor
