// One function per kind of element: which array goes into which field of the Spec.
#include "torsor/load/update_elements.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <optional>

namespace torsor {
namespace {

using Frame = Edits::Frame;

// The number of degrees that compile() converts to exactly these radians, if there is one.
double degrees_of(double radians) {
  constexpr double kRadian = std::numbers::pi / 180;
  const double guess = radians / kRadian;
  for (const double x : {guess, std::nextafter(guess, INFINITY), std::nextafter(guess, -INFINITY)}) {
    if (x * kRadian == radians) return x;
  }
  return guess;
}

using M = Edits::Arrays;

void update_body(const Edits& edits, int b, int whole_row, BodySpec& body) {
  edits.take_pose(&M::body_pos, &M::body_quat, b, whole_row, body);
  edits.take(&M::body_gravcomp, b, body.gravcomp);
  edits.take_list(&M::body_user, b, edits.after().nuser_body, body.user);
}

// Hinges and limited balls are in the unit of the file.
void update_coordinates(const Edits& edits, int j, bool degree, JointSpec& joint) {
  const Model& after = edits.after();
  const int q = after.jnt_qposadr[j];
  const auto angle = [&](double radians, bool is_angle) { return degree && is_angle ? degrees_of(radians) : radians; };
  const bool is_hinge = joint.type == JointType::kHinge;
  if (is_hinge || joint.type == JointType::kSlide) {
    if (edits.changed(&M::qpos0, q)) joint.ref = angle(after.qpos0[q], is_hinge);
    if (edits.changed(&M::qpos_spring, q)) joint.springref = angle(after.qpos_spring[q], is_hinge);
  }
  if (edits.changed(&M::jnt_springyield, j))
    joint.springyield = angle(after.jnt_springyield[j], is_hinge || joint.type == JointType::kBall);
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
  edits.take_limits(&M::jnt_actfrcrange, &M::jnt_actfrclimited, j, joint.actfrcrange, joint.actfrclimited);
  edits.take(&M::jnt_actgravcomp, j, joint.actgravcomp);
  edits.take(&M::jnt_margin, j, joint.margin);
  edits.take_optional(&M::jnt_sapstiffness, j, joint.sapstiffness);
  edits.take_optional(&M::jnt_sapdissipation, j, joint.sapdissipation);
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

// fromto determines size and pose at once; after an edit they are written separately.
template <class Shape>
void update_shape(const Edits& edits, Edits::Array<double> size, Edits::Array<double> pos, Edits::Array<double> quat,
                  int row, int whole_row, Shape& shape) {
  const auto X = edits.edited_pose(pos, quat, row, whole_row);
  const bool is_edited = X || edits.changed(size, row, 3);
  if (is_edited && shape.fromto) {
    shape.fromto.reset();
    std::copy_n((edits.after().*size).row(row, 3), 3, shape.size.begin());
    return Edits::set_pose(X ? *X : edits.own_pose(pos, quat, row, whole_row), shape);
  }
  edits.take(size, row, shape.size);
  if (X) Edits::set_pose(*X, shape);
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
  edits.take_optional(&M::geom_sapstiffness, g, geom.sapstiffness);
  edits.take_optional(&M::geom_sapdissipation, g, geom.sapdissipation);
}

// The frame S of a geom with a mesh is that of the mesh, or of the shape that is fitted to it; in the Spec it is that
// of the asset A. This is X_AS, if the Spec has the geom's pose in its body as a position and a quaternion.
std::optional<Frame> find_asset_frame(const Edits& edits, int g, int whole_row, const GeomSpec& geom) {
  if (geom.type == GeomType::kMesh)
    return Edits::frame(edits.after(), &M::mesh_pos, &M::mesh_quat, edits.after().geom_dataid[g]);
  if (geom.frame >= 0 || geom.orientation.form != OrientationSpec::Form::kQuat) return std::nullopt;
  const Frame X_BA{load3(geom.pos.data()), normalized(load4(geom.orientation.quat.data()))};
  return inverse(X_BA) * edits.current_pose(&M::geom_pos, &M::geom_quat, g, whole_row);
}

// The surface velocity at S in S's axes becomes that at A in A's.
void set_surface_velocity(const double* velocity, const Frame& X_AS, GeomSpec& geom) {
  const Vec3<double> angular = rotate(X_AS.q, load3(velocity + 3));
  store3(geom.surfacevel.data(), rotate(X_AS.q, load3(velocity)) - cross(angular, X_AS.p));
  store3(geom.surfacevel.data() + 3, angular);
}

// A pose that was written in another form is replaced first, and edited in the next round.
void update_mesh_shape(const Edits& edits, int g, int whole_row, GeomSpec& geom) {
  const auto X_BS = edits.edited_pose(&M::geom_pos, &M::geom_quat, g, whole_row);
  const bool is_faster = edits.changed(&M::geom_surfacevel, g, 6);
  if (!X_BS && !is_faster) return;
  const std::optional<Frame> X_AS = find_asset_frame(edits, g, whole_row, geom);
  if (!X_AS) return Edits::set_pose(edits.current_pose(&M::geom_pos, &M::geom_quat, g, whole_row), geom);
  if (is_faster) set_surface_velocity(edits.after().geom_surfacevel.row(g, 6), *X_AS, geom);
  if (X_BS) Edits::set_pose(*X_BS * inverse(*X_AS), geom);
}

void update_geom(const Edits& edits, int g, int whole_row, GeomSpec& geom) {
  const Model& after = edits.after();
  update_contact(edits, g, geom);
  edits.take(&M::geom_group, g, geom.group);
  edits.take(&M::geom_rgba, g, geom.rgba);
  edits.take_name(&M::geom_matid, g, ObjectType::kMaterial, geom.material);
  edits.take_list(&M::geom_user, g, after.nuser_geom, geom.user);
  edits.take(&M::geom_castshadow, g, geom.castshadow);
  if (!geom.mesh.empty()) return update_mesh_shape(edits, g, whole_row, geom);
  edits.take(&M::geom_surfacevel, g, geom.surfacevel);
  update_shape(edits, &M::geom_size, &M::geom_pos, &M::geom_quat, g, whole_row, geom);
}

void update_site(const Edits& edits, int s, int whole_row, SiteSpec& site) {
  edits.take(&M::site_type, s, site.type);
  edits.take(&M::site_group, s, site.group);
  edits.take(&M::site_rgba, s, site.rgba);
  edits.take_name(&M::site_matid, s, ObjectType::kMaterial, site.material);
  edits.take_list(&M::site_user, s, edits.after().nuser_site, site.user);
  update_shape(edits, &M::site_size, &M::site_pos, &M::site_quat, s, whole_row, site);
}

// Focal lengths and principal point need a sensor.
void update_lens(const Edits& edits, int c, CameraSpec& camera) {
  if (!edits.changed(&M::cam_sensorsize, c, 2) && !edits.changed(&M::cam_intrinsic, c, 4)) return;
  const float* intrinsic = edits.after().cam_intrinsic.row(c, 4);
  std::copy_n(edits.after().cam_sensorsize.row(c, 2), 2, camera.sensorsize.begin());
  camera.focal_pixel = camera.principal_pixel = {0, 0};
  camera.focal_length = {intrinsic[0], intrinsic[1]};
  camera.principal_length = {intrinsic[2], intrinsic[3]};
}

void update_camera(const Edits& edits, int c, int whole_row, CameraSpec& camera) {
  edits.take(&M::cam_mode, c, camera.mode);
  edits.take_pose(&M::cam_pos, &M::cam_quat, c, whole_row, camera);
  edits.take(&M::cam_projection, c, camera.orthographic);
  edits.take(&M::cam_fovy, c, camera.fovy);
  edits.take(&M::cam_ipd, c, camera.ipd);
  edits.take(&M::cam_resolution, c, camera.resolution);
  edits.take(&M::cam_output, c, camera.output);
  if (edits.after().cam_sensorsize[2 * c] > 0) update_lens(edits, c, camera);
  edits.take_list(&M::cam_user, c, edits.after().nuser_cam, camera.user);
}

// Fusing does not change the poses of lights.
void update_light(const Edits& edits, int l, int, LightSpec& light) {
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
  const int roles = static_cast<int>(material.textures.size());
  if (!edits.changed(&M::mat_texid, m, roles)) return;
  for (int role = 0; role < roles; ++role) {
    const int id = edits.after().mat_texid.row(m, roles)[role];
    material.textures[static_cast<size_t>(role)] = edits.name_of(ObjectType::kTexture, id);
  }
}

// Elevations of a Model range exactly from 0 to 1, since compile() scales them.
void update_hfield(const Edits& edits, int h, HfieldSpec& hfield) {
  const Model& after = edits.after();
  const int first = after.hfield_adr[h], count = after.hfield_nrow[h] * after.hfield_ncol[h];
  if (!edits.changed_range(&M::hfield_data, first, count)) return;
  hfield.file.clear();
  hfield.content_type.clear();
  hfield.nrow = after.hfield_nrow[h];
  hfield.ncol = after.hfield_ncol[h];
  hfield.elevation.assign(after.hfield_data.begin() + first, after.hfield_data.begin() + first + count);
}

void update_skin(const Edits& edits, int s, SkinSpec& skin) {
  edits.take_name(&M::skin_matid, s, ObjectType::kMaterial, skin.material);
  edits.take(&M::skin_group, s, skin.group);
  edits.take(&M::skin_rgba, s, skin.rgba);
  edits.take(&M::skin_inflate, s, skin.inflate);
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
  if (edits.before().nplastic == after.nplastic) take(&M::key_plastic, after.nplastic, key.plastic);
  take(&M::key_mpos, 3 * after.nmocap, key.mpos);
  take(&M::key_mquat, 4 * after.nmocap, key.mquat);
}

// One kind of element: from the rows of the Model to their places in the Spec.
template <class T, class Update>
void update_parts(const std::vector<Origins::Part>& origins, std::vector<T> BodySpec::*list, Spec& spec,
                  const Update& update) {
  std::vector<int> first;  // row of each body's first element in a Model that has them all
  int count = 0;
  for (const BodySpec& body : spec.bodies) {
    first.push_back(count);
    count += static_cast<int>((body.*list).size());
  }
  for (size_t row = 0; row < origins.size(); ++row) {
    const auto [body, index] = origins[row];
    update(static_cast<int>(row), first[static_cast<size_t>(body)] + index,
           (spec.bodies[static_cast<size_t>(body)].*list)[static_cast<size_t>(index)]);
  }
}

}  // namespace

void update_bodies(const Edits& edits, const Origins& origins, Spec& spec) {
  for (size_t j = 0; j < origins.joint.size(); ++j) {
    const auto [b, index] = origins.joint[j];
    JointSpec& joint = spec.bodies[static_cast<size_t>(b)].joints[static_cast<size_t>(index)];
    update_coordinates(edits, static_cast<int>(j), spec.compiler.degree, joint);
    update_joint(edits, static_cast<int>(j), joint);
  }
  for (size_t b = 1; b < origins.body.size(); ++b) {
    const int place = origins.body[b];
    update_body(edits, static_cast<int>(b), place, spec.bodies[static_cast<size_t>(place)]);
  }
  const auto with = [&edits](auto update) {
    return [&edits, update](int row, int whole_row, auto& part) { update(edits, row, whole_row, part); };
  };
  update_parts(origins.geom, &BodySpec::geoms, spec, with(update_geom));
  update_parts(origins.site, &BodySpec::sites, spec, with(update_site));
  update_parts(origins.camera, &BodySpec::cameras, spec, with(update_camera));
  update_parts(origins.light, &BodySpec::lights, spec, with(update_light));
}

// A Model without visual elements has no materials.
void update_assets(const Edits& edits, Spec& spec) {
  for (int m = 0; m < edits.after().nmat; ++m) update_material(edits, m, spec.materials[static_cast<size_t>(m)]);
  for (int s = 0; s < edits.after().nskin; ++s) update_skin(edits, s, spec.skins[static_cast<size_t>(s)]);
  for (int h = 0; h < edits.after().nhfield; ++h) update_hfield(edits, h, spec.hfields[static_cast<size_t>(h)]);
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
  spec.keys.resize(std::max(spec.keys.size(), static_cast<size_t>(after.nkey)));  // a file may ask for further ones
  for (size_t k = 0; k < spec.keys.size(); ++k) update_key(edits, static_cast<int>(k), spec.keys[k]);
}

}  // namespace torsor
