// What equalities constrain, and the paths of tendons.
#include <algorithm>
#include <vector>

#include "torsor/model/check/checker.hpp"

namespace torsor::checks {
namespace {

bool is_scalar(const Model& m, int joint) { return m.jnt_type[joint] >= static_cast<int>(JointType::kSlide); }

void check_equality(const Model& m, int e) {
  const auto type = static_cast<EqualityType>(m.eq_type[e]);
  const bool of_sites = m.eq_objtype[e] == static_cast<int>(ObjectType::kSite);
  const bool in_space = type == EqualityType::kConnect || type == EqualityType::kWeld;
  expect(in_space == (m.eq_objtype[e] != 0), "eq_objtype", e,
         "connect and weld are of bodies or sites, others of none");
  const int count = in_space ? (of_sites ? m.nsite : m.nbody) : type == EqualityType::kJoint ? m.njnt : m.ntendon;
  expect(m.eq_obj1id[e] < count, "eq_obj1id", e, "it is of the type that is constrained");
  expect(m.eq_obj2id[e] < count && (!in_space || m.eq_obj2id[e] >= 0), "eq_obj2id", e,
         "it is of the type that is constrained");
  if (type != EqualityType::kJoint) return;
  expect(is_scalar(m, m.eq_obj1id[e]), "eq_obj1id", e, "the joint has one coordinate");
  expect(m.eq_obj2id[e] < 0 || is_scalar(m, m.eq_obj2id[e]), "eq_obj2id", e, "the joint has one coordinate");
}

// Paths as compile() makes them: kernels read a branch from its first site to its last, and walk the dofs of its bodies
// along the columns of ten_J.
class TendonCheck {
 public:
  TendonCheck(const Model& model, int tendon)
      : m(model), tendon_(tendon), begin_(m.tendon_adr[tendon]), end_(begin_ + m.tendon_num[tendon]) {}

  void run() {
    const bool is_fixed = type(begin_) == WrapType::kJoint;
    for (int k = begin_; k < end_; ++k) {
      expect((type(k) == WrapType::kJoint) == is_fixed, "wrap_type", k, "a path has only joints or none");
      element(k);
    }
    std::sort(dofs_.begin(), dofs_.end());
    if (!is_fixed) dofs_.erase(std::unique(dofs_.begin(), dofs_.end()), dofs_.end());
    const int* columns = m.ten_J_colind.data() + m.ten_J_rowadr[tendon_];
    expect(std::equal(dofs_.begin(), dofs_.end(), columns, columns + m.ten_J_rownnz[tendon_]), "ten_J_rownnz", tendon_,
           "the columns of ten_J are the dofs along the path");
  }

 private:
  WrapType type(int k) const { return static_cast<WrapType>(m.wrap_type[k]); }
  bool is_site(int k) const { return k >= begin_ && k < end_ && type(k) == WrapType::kSite; }

  void element(int k) {
    const int id = m.wrap_objid[k];
    const auto expect_object = [&](int count) {
      expect(id >= 0 && id < count, "wrap_objid", k, "it is of the type of the element");
    };
    switch (type(k)) {
      case WrapType::kJoint:
        expect_object(m.njnt);
        expect(is_scalar(m, id), "wrap_objid", k, "the joint has one coordinate");
        return dofs_.push_back(m.jnt_dofadr[id]);
      case WrapType::kSite:
        expect_object(m.nsite);
        return add_body(m.site_bodyid[id]);
      case WrapType::kSphere:
      case WrapType::kCylinder:
        expect_object(m.ngeom);
        expect(is_site(k - 1) && is_site(k + 1), "wrap_type", k, "a geom stands between two sites");
        return add_body(m.geom_bodyid[id]);
      default:
        return;
    }
  }

  void add_body(int body) {
    const int moved = m.body_weldid[body], count = m.body_dofnum[moved];
    for (int i = count > 0 ? m.body_dofadr[moved] + count - 1 : -1; i >= 0; i = m.dof_parentid[i]) dofs_.push_back(i);
  }

  const Model& m;
  int tendon_, begin_, end_;
  std::vector<int> dofs_;
};

}  // namespace

void check_equalities(const Model& m) {
  for (int e = 0; e < m.neq; ++e) check_equality(m, e);
}

// Paths follow each other, so that the points of all of them have room in wrap_xpos.
void check_tendons(const Model& m) {
  int64_t elements = 0;
  for (int t = 0; t < m.ntendon; ++t) {
    expect(m.tendon_adr[t] == elements, "tendon_adr", t, "paths follow each other");
    elements += m.tendon_num[t];
    TendonCheck(m, t).run();
  }
  expect_size("nwrap", m.nwrap, elements);
}

// Rests of joints, then of tendons, follow each other.
void check_plastic(const Model& m) {
  int64_t numbers = 0;
  for (int j = 0; j < m.njnt; ++j) {
    if (m.jnt_plasticadr[j] < 0) continue;
    const auto type = static_cast<JointType>(m.jnt_type[j]);
    expect(type != JointType::kFree, "jnt_plasticadr", j, "the spring of a free joint is elastic");
    expect(m.jnt_plasticadr[j] == numbers, "jnt_plasticadr", j, "plastic springs follow each other");
    numbers += type == JointType::kBall ? 4 : 1;
  }
  for (int t = 0; t < m.ntendon; ++t) {
    if (m.tendon_plasticadr[t] < 0) continue;
    expect(m.tendon_plasticadr[t] == numbers, "tendon_plasticadr", t, "plastic springs follow each other");
    numbers += 2;
  }
  expect_size("nplastic", m.nplastic, numbers);
}

}  // namespace torsor::checks
