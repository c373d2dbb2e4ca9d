// What URDF has no words for.
#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "torsor/format/urdf/write.hpp"
#include "torsor/model/object_words.hpp"

namespace torsor::urdf {
namespace {

struct Kind {
  ObjectType type;
  const char* what;
};

constexpr Kind kKinds[] = {
    {ObjectType::kActuator, "URDF has no actuators"},
    {ObjectType::kTendon, "URDF has no tendons"},
    {ObjectType::kSensor, "URDF has no sensors"},
    {ObjectType::kSite, "URDF has no sites"},
    {ObjectType::kCamera, "URDF has no cameras"},
    {ObjectType::kLight, "URDF has no lights"},
    {ObjectType::kPair, "URDF has no contact pairs"},
    {ObjectType::kExclude, "URDF has no excluded pairs of bodies"},
    {ObjectType::kKey, "URDF has no keyframes"},
    {ObjectType::kTexture, "URDF files are written without textures"},
    {ObjectType::kNumeric, "URDF has no custom fields"},
    {ObjectType::kText, "URDF has no custom fields"},
    {ObjectType::kTuple, "URDF has no custom fields"},
};

bool is_any(const double* values, int count) {
  return std::any_of(values, values + count, [](double x) { return x != 0; });
}

void list_joints(const Model& model, LossList& losses) {
  const auto lose = [&](int joint, const char* what) {
    losses.add("joint", name_of(model, ObjectType::kJoint, joint), what);
  };
  for (int j = 0; j < model.njnt; ++j) {
    const int dof = model.jnt_dofadr[j];
    const auto type = static_cast<JointType>(model.jnt_type[j]);
    const bool is_single = type == JointType::kHinge || type == JointType::kSlide;
    if (model.jnt_stiffness[j] != 0 || is_any(model.jnt_stiffnesspoly.row(j, 2), 2)) lose(j, "URDF has no springs");
    if (model.dof_armature[dof] != 0) lose(j, "URDF has no armature");
    if (is_any(model.dof_dampingpoly.row(dof, 2), 2)) lose(j, "URDF has linear damping only");
    if (model.jnt_actgravcomp[j]) lose(j, "URDF has no gravity compensation");
    if (model.jnt_margin[j] != 0) lose(j, "URDF has no margin of limits");
    if (type == JointType::kBall) lose(j, "standard URDF has no ball joints; it is written as type=\"spherical\"");
    if (!is_single && model.jnt_limited[j]) lose(j, "URDF has no limits of ball joints");
    if (!is_single && (model.dof_damping[dof] != 0 || model.dof_frictionloss[dof] != 0))
      lose(j, "URDF has damping and friction of hinges and slides only");
    const double* effort = model.jnt_actfrcrange.row(j, 2);
    if (is_single && model.jnt_actfrclimited[j] && effort[0] != -effort[1])
      lose(j, "URDF has one effort limit for both directions; the larger is written");
  }
}

// Values of contacts that are not the defaults of MJCF.
void list_geoms(const Model& model, LossList& losses) {
  const Option defaults;
  constexpr double kFriction[] = {1, 0.005, 0.0001};
  for (int g = 0; g < model.ngeom; ++g) {
    const std::string name = name_of(model, ObjectType::kGeom, g);
    const bool collides = model.geom_contype[g] != 0 || model.geom_conaffinity[g] != 0;
    if (collides && (!std::equal(kFriction, kFriction + 3, model.geom_friction.row(g, 3)) || model.geom_condim[g] != 3))
      losses.add("geom", name, "URDF has no friction of contacts");
    if (collides && (!std::equal(defaults.o_solref, defaults.o_solref + 2, model.geom_solref.row(g, 2)) ||
                     !std::equal(defaults.o_solimp, defaults.o_solimp + 5, model.geom_solimp.row(g, 5)) ||
                     model.geom_margin[g] != 0 || model.geom_gap[g] != 0))
      losses.add("geom", name, "URDF has no softness or margin of contacts");
    if (collides && (model.geom_contype[g] != 1 || model.geom_conaffinity[g] != 1))
      losses.add("geom", name, "URDF has no contact filters: it collides with everything");
    if (collides && model.geom_meshcollision[g] == static_cast<int>(MeshCollision::kTriangles))
      losses.add("geom", name, "meshes of URDF collide as convex hulls");
    if (model.geom_adhesion[g] != 0 || is_any(model.geom_surfacevel.row(g, 6), 6))
      losses.add("geom", name, "URDF has no adhesion and no moving surfaces");
  }
}

void list_bodies(const Model& model, LossList& losses) {
  for (int b = 1; b < model.nbody; ++b) {
    const std::string name = name_of(model, ObjectType::kBody, b);
    if (model.body_gravcomp[b] != 0) losses.add("body", name, "URDF has no gravity compensation");
    if (model.body_mocapid[b] >= 0) losses.add("body", name, "URDF has no mocap bodies: it is fixed to the world");
  }
}

void list_equalities(const Model& model, LossList& losses) {
  for (int e = 0; e < model.neq; ++e) {
    const double* c = model.eq_data.row(e, 11);
    const bool is_mimic = model.eq_type[e] == static_cast<int>(EqualityType::kJoint) && model.eq_active0[e] &&
                          model.eq_obj2id[e] >= 0 && c[2] == 0 && c[3] == 0 && c[4] == 0;
    if (!is_mimic)
      losses.add("equality", name_of(model, ObjectType::kEquality, e),
                 "URDF has linear relations of two joints only (mimic)");
  }
}

}  // namespace

std::string name_of(const Model& model, ObjectType type, int id) {
  const std::string_view name = model.name(type, id);
  return name.empty() ? fmt::format("{}_{}", word_of(type), id) : std::string(name);
}

void list_losses(const Model& model, LossList& losses) {
  list_bodies(model, losses);
  list_joints(model, losses);
  list_geoms(model, losses);
  list_equalities(model, losses);
  for (const Kind& kind : kKinds) {
    for (int i = 0; i < model.count(kind.type); ++i)
      losses.add(word_of(kind.type), name_of(model, kind.type, i), kind.what);
  }
  const Option defaults;
  if (!std::equal(defaults.gravity, defaults.gravity + 3, model.opt.gravity))
    losses.add("gravity", "URDF has no gravity");
  if (model.opt.density != 0 || model.opt.viscosity != 0) losses.add("medium", "URDF has no medium");
  losses.add("option", "URDF has no settings of the simulation, such as the timestep");
}

}  // namespace torsor::urdf
