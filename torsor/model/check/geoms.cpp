// Geoms with their meshes and height fields, and pairs of them.
#include "torsor/model/check/checker.hpp"

namespace torsor::checks {
namespace {

// Two bodies in one number.
constexpr int kMostBodies = 1 << 15;
int64_t signature_of(int smaller, int larger) { return (int64_t{smaller} << 16) + larger; }

void check_data(const Model& m, int g) {
  const auto type = static_cast<GeomType>(m.geom_type[g]);
  const int data = m.geom_dataid[g];
  if (type == GeomType::kHfield) {
    expect(data >= 0 && data < m.nhfield, "geom_dataid", g, "it is a height field");
  } else {  // simple shapes may remember the mesh that they were fitted to
    expect(data < m.nmesh && (data >= 0 || type != GeomType::kMesh), "geom_dataid", g, "it is a mesh");
  }
  const bool as_triangles = m.geom_meshcollision[g] == static_cast<int>(MeshCollision::kTriangles);
  expect(!as_triangles || type == GeomType::kMesh, "geom_meshcollision", g, "only meshes collide as triangles");
}

// Sorted, since collision looks bodies up.
void check_pairs(const Model& m) {
  for (int p = 0; p < m.npair; ++p) {
    const int first = m.geom_bodyid[m.pair_geom1[p]], second = m.geom_bodyid[m.pair_geom2[p]];
    expect(m.pair_geom1[p] != m.pair_geom2[p], "pair_geom2", p, "a geom does not collide with itself");
    expect(first <= second && m.pair_signature[p] == signature_of(first, second), "pair_signature", p,
           "it is 2^16 times the smaller body of its geoms plus the larger one");
    expect(p == 0 || m.pair_signature[p - 1] <= m.pair_signature[p], "pair_signature", p, "they ascend");
  }
  for (int e = 0; e < m.nexclude; ++e) {
    const int first = m.exclude_signature[e] >> 16, second = m.exclude_signature[e] & 0xffff;
    expect(first <= second && second < m.nbody, "exclude_signature", e,
           "it is 2^16 times the smaller body plus the larger one");
    expect(e == 0 || m.exclude_signature[e - 1] <= m.exclude_signature[e], "exclude_signature", e, "they ascend");
  }
}

}  // namespace

void check_geoms(const Model& m) {
  for (int g = 0; g < m.ngeom; ++g) check_data(m, g);
  for (int s = 0; s < m.nsite; ++s)
    expect(m.site_type[s] != static_cast<int>(GeomType::kMesh) || m.site_dataid[s] >= 0, "site_dataid", s,
           "it is a mesh");
  if (m.npair + m.nexclude > 0 && m.nbody > kMostBodies)
    throw Fault{"there are pairs or exclusions of more bodies than their signatures can tell apart"};
  check_pairs(m);
}

}  // namespace torsor::checks
