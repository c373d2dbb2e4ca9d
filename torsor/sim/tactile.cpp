// The tactile sensor: how deep the vertices of a mesh are in the geoms that its body touches, and how fast these slide.
//
// Depths are those of MuJoCo, found by experiment: exact for planes, spheres, capsules and cylinders, and a function
// that is zero on the surface for boxes and ellipsoids.
#include <algorithm>
#include <cmath>

#include "torsor/math/mat3.hpp"
#include "torsor/math/spatial.hpp"
#include "torsor/sim/contact_sensors.hpp"

namespace torsor {
namespace {

using Vec = Vec3<double>;

double depth_in_ball(const Vec& p, double radius) { return radius - norm(p); }

double depth_in_cylinder(const Vec& p, double radius, double half) {
  return std::min(radius - std::hypot(p.x, p.y), half - std::abs(p.z));
}

// With the share t_k = 1 - |p_k| / r_k of the way to the centre that a point has gone from either face of axis k:
// min(r_k t_k^2) |(1/t_x, 1/t_y, 1/t_z)|. Close to a face, and far from the others, that is the depth below it.
double depth_in_box(const Vec& p, const Vec& half) {
  double least = half.x, sum = 0;
  for (int k = 0; k < 3; ++k) {
    const double share = 1 - std::abs(p[k]) / half[k];
    if (!(share > 0)) return 0;
    least = std::min(least, half[k] * share * share);
    sum += 1 / (share * share);
  }
  return least * std::sqrt(sum);
}

// To first order in the distance from the surface: with q = p / r, (1 - |q|) |q| / |q / r|.
double depth_in_ellipsoid(const Vec& p, const Vec& radii) {
  constexpr double kCentre = 1e-15;  // where the quotient has no limit
  const Vec q{p.x / radii.x, p.y / radii.y, p.z / radii.z};
  const double slope = norm(Vec{q.x / radii.x, q.y / radii.y, q.z / radii.z}), length = norm(q);
  if (slope < kCentre) return std::min({radii.x, radii.y, radii.z});
  return (1 - length) * length / slope;
}

// Of a point in the frame of the geom; not positive outside. Meshes and height fields have no depth.
double depth_in(GeomType type, const double* size, const Vec& p) {
  switch (type) {
    case GeomType::kPlane:
      return -p.z;
    case GeomType::kSphere:
      return depth_in_ball(p, size[0]);
    case GeomType::kCapsule:
      return depth_in_ball({p.x, p.y, p.z - std::clamp(p.z, -size[1], size[1])}, size[0]);
    case GeomType::kEllipsoid:
      return depth_in_ellipsoid(p, load3(size));
    case GeomType::kCylinder:
      return depth_in_cylinder(p, size[0], size[1]);
    case GeomType::kBox:
      return depth_in_box(p, load3(size));
    default:
      return 0;
  }
}

// A sensor while it is read: the mesh is in the frame of the geom S.
class Tactile {
 public:
  Tactile(const Model& model, const Data& data, int id)
      : model_(model),
        data_(data),
        mesh_(model.sensor_objid[id]),
        geom_(model.sensor_refid[id]),
        count_(model.mesh_vertnum[mesh_]),
        slides_(model.mesh_normalnum[mesh_] == 3 * count_),
        R_WS_(load9(data.geom_xmat.row(geom_, 9))),
        p_WoSo_W_(load3(data.geom_xpos.row(geom_, 3))) {}

  // Depths of all vertices, then both speeds of each.
  void read(double* reading) const {
    std::fill(reading, reading + 3 * count_, 0.0);
    for (int c = 0; c < data_.ncon; ++c) {
      for (int side = 0; side < 2; ++side) {
        const int other = data_.contact[c].geom[side];
        if (is_of_sensor(data_.contact[c].geom[1 - side]) && !was_met(other, c)) add(other, reading);
      }
    }
  }

 private:
  int rigid_body_of(int geom) const { return model_.body_weldid[model_.geom_bodyid[geom]]; }
  bool is_of_sensor(int geom) const { return geom >= 0 && rigid_body_of(geom) == rigid_body_of(geom_); }

  // Whether an earlier contact has the same geom on the other side.
  bool was_met(int other, int end) const {
    for (int c = 0; c < end; ++c) {
      for (int side = 0; side < 2; ++side) {
        if (data_.contact[c].geom[side] == other && is_of_sensor(data_.contact[c].geom[1 - side])) return true;
      }
    }
    return false;
  }

  // The deepest geom counts, and the speeds of all that are touched.
  void add(int other, double* reading) const {
    const auto type = static_cast<GeomType>(model_.geom_type[other]);
    const Mat3<double> R_WO = load9(data_.geom_xmat.row(other, 9));
    const Vec p_WoOo_W = load3(data_.geom_xpos.row(other, 3));
    for (int v = 0; v < count_; ++v) {
      const Vec p_WoV_W = p_WoSo_W_ + R_WS_ * vertex(v);
      const Vec p_OoV_O = transposed_mul(R_WO, p_WoV_W - p_WoOo_W);
      const double depth = depth_in(type, model_.geom_size.row(other, 3), p_OoV_O);
      if (!(depth > 0)) continue;
      reading[v] = std::max(reading[v], depth);
      if (slides_) add_speeds(v, velocity_at(p_WoV_W, other), reading);
    }
  }

  Vec vertex(int v) const {
    const float* p = model_.mesh_vert.row(model_.mesh_vertadr[mesh_] + v, 3);
    return {p[0], p[1], p[2]};
  }

  // Along the second and the third normal of the vertex.
  void add_speeds(int v, const Vec& v_W, double* reading) const {
    for (int k = 1; k < 3; ++k) {
      const float* n = model_.mesh_normal.row(model_.mesh_normaladr[mesh_] + 3 * v + k, 3);
      reading[k * count_ + v] += std::abs(dot(R_WS_ * Vec{n[0], n[1], n[2]}, v_W));
    }
  }

  // Of a point of the other geom, relative to the sensor.
  Vec velocity_at(const Vec& p_W, int other) const {
    const auto of = [&](int geom) {
      const int body = model_.geom_bodyid[geom];
      return load6(data_.cvel.row(body, 6)).at(p_W - load3(data_.subtree_com.row(model_.body_rootid[body], 3))).v;
    };
    return of(other) - of(geom_);
  }

  const Model& model_;
  const Data& data_;
  int mesh_, geom_, count_;
  bool slides_;  // the mesh has a normal and two tangents per vertex
  Mat3<double> R_WS_;
  Vec p_WoSo_W_;
};

}  // namespace

void read_tactile(const Model& model, const Data& data, int id, double* reading) {
  Tactile(model, data, id).read(reading);
}

}  // namespace torsor
