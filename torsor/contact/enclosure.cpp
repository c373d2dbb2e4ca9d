// The signed distance from a convex surface is a convex function, so that it is largest at an extreme point: at a
// corner, or, of round shapes, where ascending from point to point along the gradient ends.
#include "torsor/contact/enclosure.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "torsor/math/mat3.hpp"

namespace torsor {
namespace {

using Vec = Vec3<double>;

// A signed distance, and the direction in which it increases.
struct Clearance {
  double distance;
  Vec gradient;
};

Vec sign_of(const Vec& v) { return {std::copysign(1.0, v.x), std::copysign(1.0, v.y), std::copysign(1.0, v.z)}; }

Clearance from_ball(const Vec& p, double radius) {
  const double length = norm(p);
  return {length - radius, length > 0 ? p / length : Vec{0, 0, 1}};
}

// Outside of a box, the distance is that of the parts beyond its faces; inside, that of the nearest face.
Clearance from_box(const Vec& p, const Vec& half) {
  const Vec sign = sign_of(p), beyond = hadamard(p, sign) - half;
  const Vec outside{std::max(beyond.x, 0.0), std::max(beyond.y, 0.0), std::max(beyond.z, 0.0)};
  const double length = norm(outside);
  if (length > 0) return {length, hadamard(outside, sign) / length};
  const int k = beyond.x >= beyond.y && beyond.x >= beyond.z ? 0 : beyond.y >= beyond.z ? 1 : 2;
  Vec gradient{0, 0, 0};
  gradient[k] = sign[k];
  return {beyond[k], gradient};
}

Clearance from_capsule(const Vec& p, double radius, double half) {
  return from_ball({p.x, p.y, p.z - std::clamp(p.z, -half, half)}, radius);
}

// A box of two dimensions, turned about the axis.
Clearance from_cylinder(const Vec& p, double radius, double half) {
  const double across = std::hypot(p.x, p.y);
  const Clearance flat = from_box({across, 0, p.z}, {radius, 1e300, half});
  const Vec outward = across > 0 ? Vec{p.x / across, p.y / across, 0} : Vec{1, 0, 0};
  return {flat.distance, outward * flat.gradient.x + Vec{0, 0, flat.gradient.z}};
}

// The nearest point of the surface has x_i = r_i^2 p_i / (t + r_i^2), with the root t of |r_i p_i / (t + r_i^2)| = 1
// that is above -min r^2. Bisection in u = t + min r^2 finds it for points inside, outside and on planes of symmetry.
Clearance from_ellipsoid(const Vec& point, const Vec& radii) {
  const double least = std::min({radii.x, radii.y, radii.z});
  Vec p = point, gap;
  for (int k = 0; k < 3; ++k) {
    p[k] = std::copysign(std::max(std::abs(p[k]), 1e-14 * least), p[k]);
    gap[k] = (radii[k] - least) * (radii[k] + least);
  }
  double low = 0, high = norm(hadamard(radii, p));
  for (double u = high / 2; u > low && u < high; u = 0.5 * (low + high)) {
    double sum = 0;
    for (int k = 0; k < 3; ++k) sum += std::pow(radii[k] * p[k] / (u + gap[k]), 2);
    (sum > 1 ? low : high) = u;
  }
  Vec x, outward;
  for (int k = 0; k < 3; ++k) {
    outward[k] = p[k] / (high + gap[k]);
    x[k] = radii[k] * radii[k] * outward[k];
  }
  return {std::copysign(norm(point - x), high - least * least), normalized(outward)};
}

Vec nearest_in_triangle(const Vec& p, const Vec& a, const Vec& b, const Vec& c) {
  const auto on_edge = [&p](const Vec& from, const Vec& to) {
    const Vec along = to - from;
    const double length2 = norm2(along);
    return from + along * (length2 > 0 ? std::clamp(dot(p - from, along) / length2, 0.0, 1.0) : 0.0);
  };
  const Vec n = cross(b - a, c - a);
  const bool is_over =
      dot(cross(b - a, p - a), n) >= 0 && dot(cross(c - b, p - b), n) >= 0 && dot(cross(a - c, p - c), n) >= 0;
  if (is_over && norm2(n) > 0) return p - n * (dot(p - a, n) / norm2(n));
  Vec best = on_edge(a, b);
  for (const Vec& other : {on_edge(b, c), on_edge(c, a)}) {
    if (norm2(other - p) < norm2(best - p)) best = other;
  }
  return best;
}

Clearance from_hull(const Model& model, int mesh, const Vec& p) {
  const float* corners = model.mesh_hullpos.data() + 3 * model.mesh_hullvertadr[mesh];
  const auto corner = [corners](int k) {
    return Vec{double(corners[3 * k]), double(corners[3 * k + 1]), double(corners[3 * k + 2])};
  };
  Clearance inside{-std::numeric_limits<double>::infinity(), {0, 0, 1}};
  double nearest2 = std::numeric_limits<double>::infinity();
  Vec nearest = p;
  for (int f = model.mesh_hullfaceadr[mesh], end = f + model.mesh_hullfacenum[mesh]; f < end; ++f) {
    const int* face = model.mesh_hullface.row(f, 3);
    const Vec a = corner(face[0]), b = corner(face[1]), c = corner(face[2]), n = cross(b - a, c - a);
    if (!(norm2(n) > 0)) continue;
    const Vec normal = normalized(n);
    const double height = dot(normal, p - a);
    if (height > inside.distance) inside = {height, normal};
    const Vec x = nearest_in_triangle(p, a, b, c);
    if (norm2(p - x) < nearest2) nearest2 = norm2(p - x), nearest = x;
  }
  if (!(inside.distance > 0) || !(nearest2 > 0)) return inside;
  return {std::sqrt(nearest2), (p - nearest) / std::sqrt(nearest2)};
}

Clearance clearance(const Model& model, const Solid& container, const Vec& p) {
  const double* size = container.size;
  switch (container.type) {
    case GeomType::kSphere:
      return from_ball(p, size[0]);
    case GeomType::kCapsule:
      return from_capsule(p, size[0], size[1]);
    case GeomType::kCylinder:
      return from_cylinder(p, size[0], size[1]);
    case GeomType::kEllipsoid:
      return from_ellipsoid(p, load3(size));
    case GeomType::kMesh:
      return from_hull(model, container.mesh, p);
    default:
      return from_box(p, load3(size));
  }
}

// The point of a cylinder or an ellipsoid that is furthest in a direction.
Vec furthest(const Solid& object, const Vec& direction) {
  const double* r = object.size;
  if (object.type == GeomType::kEllipsoid) {
    const Vec scaled = hadamard(load3(r), direction);
    return hadamard(load3(r), scaled) / norm(scaled);
  }
  const double across = std::hypot(direction.x, direction.y), share = across > 0 ? r[0] / across : 0;
  return {direction.x * share, direction.y * share, std::copysign(r[1], direction.z)};
}

// From the furthest point in a direction along gradients, until nothing is gained.
double ascend(const Model& model, const Solid& container, const Solid& object, Vec direction, int rounds) {
  double best = -std::numeric_limits<double>::infinity();
  for (int round = 0; round < rounds; ++round) {
    const Clearance found = clearance(model, container, apply(object.X_SO, furthest(object, direction)));
    if (!(found.distance > best)) break;
    best = found.distance;
    direction = rotate_inverse(object.X_SO.q, found.gradient);
  }
  return best;
}

double of_round_shape(const Model& model, const Solid& container, const Solid& object) {
  constexpr int kRounds = 1000;
  double best = -std::numeric_limits<double>::infinity();
  for (int k = 0; k < 27; ++k) {
    const Vec direction{double(k / 9 - 1), double(k / 3 % 3 - 1), double(k % 3 - 1)};
    if (k != 13) best = std::max(best, ascend(model, container, object, normalized(direction), kRounds));
  }
  return best;
}

}  // namespace

double protrusion(const Model& model, const Solid& container, const Solid& object) {
  const double* size = object.size;
  double best = -std::numeric_limits<double>::infinity();
  const auto add = [&](const Vec& p_O) {
    best = std::max(best, clearance(model, container, apply(object.X_SO, p_O)).distance);
  };
  switch (object.type) {
    case GeomType::kSphere:
      add({0, 0, 0});
      return best + size[0];
    case GeomType::kCapsule:
      for (const double z : {-size[1], size[1]}) add({0, 0, z});
      return best + size[0];
    case GeomType::kBox:
      for (int k = 0; k < 8; ++k)
        add({k & 1 ? size[0] : -size[0], k & 2 ? size[1] : -size[1], k & 4 ? size[2] : -size[2]});
      return best;
    case GeomType::kMesh:
      for (int v = model.mesh_vertadr[object.mesh], end = v + model.mesh_vertnum[object.mesh]; v < end; ++v) {
        const float* at = model.mesh_vert.row(v, 3);
        add({double(at[0]), double(at[1]), double(at[2])});
      }
      return best;
    default:
      return of_round_shape(model, container, object);
  }
}

namespace {

Pose<double> pose_of(const double* xpos, const double* xmat) { return {load3(xpos), from_mat(load9(xmat))}; }

// The frame of a mesh site is that of the asset.
Solid site_solid(const Model& model, const Data& data, int site, Pose<double>& X_WS) {
  const auto type = static_cast<GeomType>(model.site_type[site]);
  const int mesh = type == GeomType::kMesh ? model.site_dataid[site] : -1;
  X_WS = pose_of(data.site_xpos.row(site, 3), data.site_xmat.row(site, 9));
  if (mesh >= 0) X_WS = X_WS * Pose<double>{load3(model.mesh_pos.row(mesh, 3)), load4(model.mesh_quat.row(mesh, 4))};
  return {type, model.site_size.row(site, 3), mesh, Pose<double>::identity()};
}

Solid geom_solid(const Model& model, const Data& data, int geom, Pose<double>& X_WG) {
  X_WG = pose_of(data.geom_xpos.row(geom, 3), data.geom_xmat.row(geom, 9));
  const auto type = static_cast<GeomType>(model.geom_type[geom]);
  return {type, model.geom_size.row(geom, 3), type == GeomType::kMesh ? model.geom_dataid[geom] : -1,
          Pose<double>::identity()};
}

// A body, or its whole subtree: a range.
std::pair<int, int> bodies_of(const Model& model, ObjectType type, int body) {
  int end = body + 1;
  if (type == ObjectType::kXBody) {
    while (end < model.nbody && model.body_parentid[end] >= body) ++end;
  }
  return {body, end};
}

}  // namespace

double read_enclosure(const Model& model, const Data& data, int sensor) {
  Pose<double> X_WS, X_WO;
  const Solid container = site_solid(model, data, model.sensor_refid[sensor], X_WS);
  const auto measure = [&](Solid object) {
    object.X_SO = inverse(X_WS) * X_WO;
    return protrusion(model, container, object);
  };
  const auto type = static_cast<ObjectType>(model.sensor_objtype[sensor]);
  const int id = model.sensor_objid[sensor];
  if (type == ObjectType::kSite) return measure(site_solid(model, data, id, X_WO));
  if (type == ObjectType::kGeom) return measure(geom_solid(model, data, id, X_WO));
  double most = -std::numeric_limits<double>::infinity();
  const auto [first, end] = bodies_of(model, type, id);
  for (int b = first; b < end; ++b) {
    for (int k = 0; k < model.body_geomnum[b]; ++k)
      most = std::max(most, measure(geom_solid(model, data, model.body_geomadr[b] + k, X_WO)));
  }
  return most;
}

}  // namespace torsor
