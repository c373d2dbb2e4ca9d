// One function per kind of element: which array goes into which field of the Spec.
#include "torsor/load/update_elements.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <numbers>

#include "torsor/math/pose.hpp"

namespace torsor {
namespace {

using Frame = Pose<double>;

// The number of degrees that compile() turns into exactly these radians, if there is one.
double degrees_of(double radians) {
  constexpr double kRadian = std::numbers::pi / 180;
  const double guess = radians / kRadian;
  for (const double x : {guess, std::nextafter(guess, INFINITY), std::nextafter(guess, -INFINITY)}) {
    if (x * kRadian == radians) return x;
  }
  return guess;
}

class Edits {
 public:
  Edits(const Model& before, const Model& after) : before_(before), after_(after) {}

  const Model& after() const { return after_; }

  template <class T>
  bool changed(Field<T> ModelView<double>::*field, int row, int width = 1) const {
    return std::memcmp((before_.*field).row(row, width), (after_.*field).row(row, width),
                       sizeof(T) * static_cast<size_t>(width)) != 0;
  }

  bool changed_range(Field<double> ModelView<double>::*field, int first, int count) const {
    return std::memcmp((before_.*field).row(first, 1), (after_.*field).row(first, 1),
                       sizeof(double) * static_cast<size_t>(count)) != 0;
  }

  // Takes one number, or one row of an array, if it was edited.
  template <class T, class Value>
  void take(Field<T> ModelView<double>::*field, int row, Value& value) const {
    if (changed(field, row)) value = static_cast<Value>((after_.*field)[row]);
  }
  template <class T, class Value, size_t N>
  void take(Field<T> ModelView<double>::*field, int row, std::array<Value, N>& values) const {
    const int width = static_cast<int>(N);
    if (changed(field, row, width)) std::copy_n((after_.*field).row(row, width), N, values.begin());
  }
  void take_list(Field<double> ModelView<double>::*field, int row, int width, std::vector<double>& values) const {
    if (width == 0 || !changed(field, row, width)) return;
    const double* numbers = (after_.*field).row(row, width);
    values.assign(numbers, numbers + width);
  }
  // Linear coefficient and those of higher order, which the Spec holds together.
  void take_polynomial(Field<double> ModelView<double>::*linear, Field<double> ModelView<double>::*higher, int row,
                       Number3& values) const {
    if (changed(linear, row)) values[0] = (after_.*linear)[row];
    if (changed(higher, row, 2)) std::copy_n((after_.*higher).row(row, 2), 2, values.begin() + 1);
  }
  void take_name(Field<int> ModelView<double>::*field, int row, ObjectType type, std::string& name) const {
    if (!changed(field, row)) return;
    const int id = (after_.*field)[row];
    name = id < 0 ? "" : std::string(after_.name(type, id));
  }

  // A pose in the body frame; the frames of the Spec around the element no longer count.
  template <class Element>
  bool take_pose(Field<double> ModelView<double>::*pos, Field<double> ModelView<double>::*quat, int row,
                 Element& element) const {
    if (!changed(pos, row, 3) && !changed(quat, row, 4)) return false;
    set_pose({load3((after_.*pos).row(row, 3)), load4((after_.*quat).row(row, 4))}, element);
    return true;
  }
  template <class Element>
  static void set_pose(const Frame& X, Element& element) {
    element.frame = -1;
    element.orientation = {};
    store3(element.pos.data(), X.p);
    store4(element.orientation.quat.data(), X.q);
  }

 private:
  const Model& before_;
  const Model& after_;
};

using M = ModelView<double>;

void update_body(const Edits& edits, int b, BodySpec& body) {
  edits.take_pose(&M::body_pos, &M::body_quat, b, body);
  edits.take(&M::body_gravcomp, b, body.gravcomp);
  edits.take_list(&M::body_user, b, edits.after().nuser_body, body.user);
}

// Hinges and limited balls are in the unit of the file.
void update_coordinates(const Edits& edits, int j, bool degree, BodySpec& body, JointSpec& joint) {
  const Model& after = edits.after();
  const int q = after.jnt_qposadr[j];
  const auto angle = [&](double radians, bool is_angle) { return degree && is_angle ? degrees_of(radians) : radians; };
  const bool is_hinge = joint.type == JointType::kHinge;
  if (joint.type == JointType::kFree) {
    if (edits.changed_range(&M::qpos0, q, 7))
      Edits::set_pose({load3(after.qpos0.row(q, 1)), load4(after.qpos0.row(q + 3, 1))}, body);
  } else if (joint.type != JointType::kBall) {
    if (edits.changed(&M::qpos0, q)) joint.ref = angle(after.qpos0[q], is_hinge);
    if (edits.changed(&M::qpos_spring, q)) joint.springref = angle(after.qpos_spring[q], is_hinge);
  }
  if (edits.changed(&M::jnt_range, j, 2) || edits.changed(&M::jnt_limited, j)) {
    const bool limited = after.jnt_limited[j];
    const bool is_angle = limited && (is_hinge || joint.type == JointType::kBall);
    joint.limited = limited ? Tristate::kTrue : Tristate::kFalse;
    for (size_t k = 0; k < 2; ++k) joint.range[k] = angle(after.jnt_range[2 * j + static_cast<int>(k)], is_angle);
  }
}

void update_joint(const Edits& edits, int j, JointSpec& joint) {
  const Model& after = edits.after();
  const int i = after.jnt_dofadr[j];
  edits.take(&M::jnt_group, j, joint.group);
  if (edits.changed(&M::jnt_pos, j, 3) || edits.changed(&M::jnt_axis, j, 3)) {
    joint.frame = -1;
    std::copy_n(after.jnt_pos.row(j, 3), 3, joint.pos.begin());
    std::copy_n(after.jnt_axis.row(j, 3), 3, joint.axis.begin());
  }
  if (edits.changed(&M::jnt_actfrcrange, j, 2) || edits.changed(&M::jnt_actfrclimited, j))
    joint.actfrclimited = after.jnt_actfrclimited[j] ? Tristate::kTrue : Tristate::kFalse;
  edits.take(&M::jnt_actfrcrange, j, joint.actfrcrange);
  edits.take(&M::jnt_actgravcomp, j, joint.actgravcomp);
  edits.take(&M::jnt_margin, j, joint.margin);
  edits.take(&M::jnt_solref, j, joint.solref_limit);
  edits.take(&M::jnt_solimp, j, joint.solimp_limit);
  edits.take(&M::dof_solref, i, joint.solref_friction);
  edits.take(&M::dof_solimp, i, joint.solimp_friction);
  edits.take(&M::dof_frictionloss, i, joint.frictionloss);
  edits.take(&M::dof_armature, i, joint.armature);
  if (joint.springdamper != Number2{0, 0} &&
      (edits.changed(&M::jnt_stiffness, j) || edits.changed(&M::dof_damping, i))) {
    joint.springdamper = {0, 0};
    joint.stiffness[0] = after.jnt_stiffness[j];
    joint.damping[0] = after.dof_damping[i];
  }
  edits.take_polynomial(&M::jnt_stiffness, &M::jnt_stiffnesspoly, j, joint.stiffness);
  edits.take_polynomial(&M::dof_damping, &M::dof_dampingpoly, i, joint.damping);
  edits.take_list(&M::jnt_user, j, after.nuser_jnt, joint.user);
}

// Ends of the axis say size and pose at once; after an edit they are written apart.
template <class Shape>
void update_shape(const Edits& edits, Field<double> M::*size, Field<double> M::*pos, Field<double> M::*quat, int row,
                  Shape& shape) {
  const Model& after = edits.after();
  const bool edited = edits.changed(size, row, 3) || edits.changed(pos, row, 3) || edits.changed(quat, row, 4);
  if (edited && shape.fromto) {
    shape.fromto.reset();
    std::copy_n((after.*size).row(row, 3), 3, shape.size.begin());
    Edits::set_pose({load3((after.*pos).row(row, 3)), load4((after.*quat).row(row, 4))}, shape);
    return;
  }
  edits.take(size, row, shape.size);
  edits.take_pose(pos, quat, row, shape);
}

void update_contact(const Edits& edits, int g, GeomSpec& geom) {
  edits.take(&M::geom_contype, g, geom.contype);
  edits.take(&M::geom_conaffinity, g, geom.conaffinity);
  edits.take(&M::geom_condim, g, geom.condim);
  edits.take(&M::geom_priority, g, geom.priority);
  edits.take(&M::geom_solmix, g, geom.solmix);
  edits.take(&M::geom_solref, g, geom.solref);
  edits.take(&M::geom_solimp, g, geom.solimp);
  edits.take(&M::geom_friction, g, geom.friction);
  edits.take(&M::geom_margin, g, geom.margin);
  edits.take(&M::geom_gap, g, geom.gap);
  edits.take(&M::geom_adhesion, g, geom.adhesion);
  edits.take(&M::geom_surfacevel, g, geom.surfacevel);
}

void update_geom(const Edits& edits, int g, GeomSpec& geom) {
  const Model& after = edits.after();
  update_contact(edits, g, geom);
  edits.take(&M::geom_group, g, geom.group);
  edits.take(&M::geom_rgba, g, geom.rgba);
  edits.take_name(&M::geom_matid, g, ObjectType::kMaterial, geom.material);
  edits.take_list(&M::geom_user, g, after.nuser_geom, geom.user);
  const int mesh = geom.type == GeomType::kMesh ? after.geom_dataid[g] : -1;
  if (mesh < 0) {
    update_shape(edits, &M::geom_size, &M::geom_pos, &M::geom_quat, g, geom);
  } else if (edits.take_pose(&M::geom_pos, &M::geom_quat, g, geom)) {
    // the frame of a mesh in the Spec is that of its file
    const Frame X_BG{load3(after.geom_pos.row(g, 3)), load4(after.geom_quat.row(g, 4))};
    const Frame X_FG{load3(after.mesh_pos.row(mesh, 3)), load4(after.mesh_quat.row(mesh, 4))};
    Edits::set_pose(X_BG * inverse(X_FG), geom);
  }
}

void update_site(const Edits& edits, int s, SiteSpec& site) {
  edits.take(&M::site_type, s, site.type);
  edits.take(&M::site_group, s, site.group);
  edits.take(&M::site_rgba, s, site.rgba);
  edits.take_name(&M::site_matid, s, ObjectType::kMaterial, site.material);
  edits.take_list(&M::site_user, s, edits.after().nuser_site, site.user);
  update_shape(edits, &M::site_size, &M::site_pos, &M::site_quat, s, site);
}

void update_camera(const Edits& edits, int c, CameraSpec& camera) {
  edits.take(&M::cam_mode, c, camera.mode);
  edits.take_pose(&M::cam_pos, &M::cam_quat, c, camera);
  edits.take(&M::cam_projection, c, camera.orthographic);
  edits.take(&M::cam_fovy, c, camera.fovy);
  edits.take(&M::cam_ipd, c, camera.ipd);
  edits.take(&M::cam_resolution, c, camera.resolution);
  edits.take(&M::cam_output, c, camera.output);
  edits.take_list(&M::cam_user, c, edits.after().nuser_cam, camera.user);
}

void update_light(const Edits& edits, int l, LightSpec& light) {
  const Model& after = edits.after();
  edits.take(&M::light_mode, l, light.mode);
  edits.take(&M::light_type, l, light.type);
  edits.take_name(&M::light_texid, l, ObjectType::kTexture, light.texture);
  edits.take(&M::light_castshadow, l, light.castshadow);
  edits.take(&M::light_active, l, light.active);
  if (edits.changed(&M::light_pos, l, 3) || edits.changed(&M::light_dir, l, 3)) {
    light.frame = -1;
    std::copy_n(after.light_pos.row(l, 3), 3, light.pos.begin());
    std::copy_n(after.light_dir.row(l, 3), 3, light.dir.begin());
  }
  edits.take(&M::light_bulbradius, l, light.bulbradius);
  edits.take(&M::light_intensity, l, light.intensity);
  edits.take(&M::light_range, l, light.range);
  edits.take(&M::light_cutoff, l, light.cutoff);
  edits.take(&M::light_softness, l, light.softness);
  edits.take(&M::light_exponent, l, light.exponent);
  edits.take(&M::light_attenuation, l, light.attenuation);
  edits.take(&M::light_ambient, l, light.ambient);
  edits.take(&M::light_diffuse, l, light.diffuse);
  edits.take(&M::light_specular, l, light.specular);
}

void update_material(const Edits& edits, int m, MaterialSpec& material) {
  edits.take(&M::mat_texuniform, m, material.texuniform);
  edits.take(&M::mat_texrepeat, m, material.texrepeat);
  edits.take(&M::mat_emission, m, material.emission);
  edits.take(&M::mat_specular, m, material.specular);
  edits.take(&M::mat_shininess, m, material.shininess);
  edits.take(&M::mat_reflectance, m, material.reflectance);
  edits.take(&M::mat_metallic, m, material.metallic);
  edits.take(&M::mat_roughness, m, material.roughness);
  edits.take(&M::mat_rgba, m, material.rgba);
}

void update_key(const Edits& edits, int k, KeySpec& key) {
  const Model& after = edits.after();
  const auto take = [&](Field<double> M::*field, int width, std::optional<std::vector<double>>& numbers) {
    if (width == 0 || !edits.changed(field, k, width)) return;
    const double* row = (after.*field).row(k, width);
    numbers.emplace(row, row + width);
  };
  edits.take(&M::key_time, k, key.time);
  take(&M::key_qpos, after.nq, key.qpos);
  take(&M::key_qvel, after.nv, key.qvel);
  take(&M::key_act, after.na, key.act);
  take(&M::key_ctrl, after.nu, key.ctrl);
  take(&M::key_mpos, 3 * after.nmocap, key.mpos);
  take(&M::key_mquat, 4 * after.nmocap, key.mquat);
}

void update_bodies(const Edits& edits, Spec& spec) {
  int j = 0, g = 0, s = 0, c = 0, l = 0;
  for (size_t b = 0; b < spec.bodies.size(); ++b) {
    BodySpec& body = spec.bodies[b];
    for (JointSpec& joint : body.joints) {
      update_coordinates(edits, j, spec.compiler.degree, body, joint);
      update_joint(edits, j++, joint);
    }
    if (b > 0) update_body(edits, static_cast<int>(b), body);
    for (GeomSpec& geom : body.geoms) update_geom(edits, g++, geom);
    for (SiteSpec& site : body.sites) update_site(edits, s++, site);
    for (CameraSpec& camera : body.cameras) update_camera(edits, c++, camera);
    for (LightSpec& light : body.lights) update_light(edits, l++, light);
  }
}

void update_custom(const Edits& edits, Spec& spec) {
  const Model& after = edits.after();
  for (size_t n = 0; n < spec.numerics.size(); ++n) {
    const int id = static_cast<int>(n), first = after.numeric_adr[id], size = after.numeric_size[id];
    if (!edits.changed_range(&M::numeric_data, first, size)) continue;
    spec.numerics[n].data.assign(after.numeric_data.row(first, 1), after.numeric_data.row(first, 1) + size);
  }
  int entry = 0;
  for (TupleSpec& tuple : spec.tuples) {
    for (TupleSpec::Entry& object : tuple.entries) edits.take(&M::tuple_objprm, entry++, object.prm);
  }
}

}  // namespace

void update_elements(Spec& spec, const Model& before, const Model& after) {
  const Edits edits(before, after);
  update_bodies(edits, spec);
  for (size_t m = 0; m < spec.materials.size(); ++m) update_material(edits, static_cast<int>(m), spec.materials[m]);
  update_custom(edits, spec);
  spec.keys.resize(std::max(spec.keys.size(), static_cast<size_t>(after.nkey)));
  for (size_t k = 0; k < spec.keys.size(); ++k) update_key(edits, static_cast<int>(k), spec.keys[k]);
}

}  // namespace torsor
