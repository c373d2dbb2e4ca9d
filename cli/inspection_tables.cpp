// A model as tables for people.
#include <algorithm>

#include <fmt/format.h>

#include "cli/inspection.hpp"
#include "cli/model_source.hpp"
#include "cli/names.hpp"
#include "cli/numbers.hpp"
#include "cli/table.hpp"
#include "torsor/dynamics/dynamics.hpp"

namespace torsor::cli {
namespace {

constexpr Align kRight = Align::kRight;

std::string cell_name(const Model& model, ObjectType type, int id) {
  return id < 0 ? std::string("-") : printable(name_or_number(model, type, id));
}

std::string section(const Terminal& terminal, const char* title, int count, const Table& table) {
  if (table.empty()) return {};
  return fmt::format("\n{}\n{}", terminal.paint(Style::kBold, fmt::format("{} ({})", title, count)),
                     table.text(terminal));
}

std::string summary(const Model& model, const Terminal& terminal) {
  const Totals totals(model);
  Table table({{}, {}});
  table.add({"model", printable(model.name())});
  table.add(
      {"size", fmt::format("{}, nq {}, {}, {}, {}, {}", describe_size(model), model.nq,
                           format_plural(model.ntree, "tree", "trees"), format_plural(model.ngeom, "geom", "geoms"),
                           format_plural(model.nsite, "site", "sites"), format_plural(model.nmesh, "mesh", "meshes"))});
  if (model.nmeshtri > 0) {
    const auto by_triangles = std::count(model.geom_meshcollision.begin(), model.geom_meshcollision.end(),
                                         static_cast<int>(MeshCollision::kTriangles));
    table.add({"collision", fmt::format("{} by triangles, of which there are {}",
                                        format_plural(static_cast<int>(by_triangles), "geom collides", "geoms collide"),
                                        model.nmeshtri)});
  }
  table.add(
      {"mass", fmt::format("{} kg, centre of mass at {} m", format_number(totals.mass), format_vector(totals.com, 3))});
  table.add({"method",
             fmt::format("{}, timestep {} s, gravity {} m/s^2", name_of(static_cast<Integrator>(model.opt.integrator)),
                         format_number(model.opt.timestep), format_vector(model.opt.gravity, 3))});
  table.add(
      {"memory", fmt::format("model {}, data {}", format_bytes(totals.model_bytes), format_bytes(totals.data_bytes))});
  return table.text(terminal);
}

Table bodies(const Model& model) {
  Table table({{"id", kRight},
               {"name"},
               {"parent"},
               {"joints", kRight},
               {"dofs", kRight},
               {"geoms", kRight},
               {"mass kg", kRight},
               {"with children", kRight},
               {"COM in body m"},
               {"inertia kg m^2"}});
  for (int b = 0; b < model.nbody; ++b) {
    table.add({fmt::format("{}", b), cell_name(model, ObjectType::kBody, b),
               b == 0 ? "-" : cell_name(model, ObjectType::kBody, model.body_parentid[b]),
               fmt::format("{}", model.body_jntnum[b]), fmt::format("{}", model.body_dofnum[b]),
               fmt::format("{}", model.body_geomnum[b]), format_number(model.body_mass[b]),
               format_number(model.body_subtreemass[b]), format_vector(model.body_ipos.row(b, 3), 3),
               format_vector(model.body_inertia.row(b, 3), 3)});
  }
  return table;
}

Table joints(const Model& model) {
  Table table({{"id", kRight},
               {"name"},
               {"type"},
               {"body"},
               {"qpos", kRight},
               {"dof", kRight},
               {"axis in body"},
               {"range m | rad"},
               {"stiffness", kRight}});
  for (int j = 0; j < model.njnt; ++j) {
    const auto type = static_cast<JointType>(model.jnt_type[j]);
    const bool has_axis = type == JointType::kHinge || type == JointType::kSlide;
    table.add({fmt::format("{}", j), cell_name(model, ObjectType::kJoint, j), name_of(type),
               cell_name(model, ObjectType::kBody, model.jnt_bodyid[j]), fmt::format("{}", model.jnt_qposadr[j]),
               fmt::format("{}", model.jnt_dofadr[j]), has_axis ? format_vector(model.jnt_axis.row(j, 3), 3) : "-",
               model.jnt_limited[j] ? format_vector(model.jnt_range.row(j, 2), 2) : "-",
               format_number(model.jnt_stiffness[j])});
  }
  return table;
}

Table dofs(const Model& model) {
  Table table({{"id", kRight},
               {"joint"},
               {"body"},
               {"parent", kRight},
               {"damping", kRight},
               {"armature", kRight},
               {"frictionloss", kRight},
               {"inertia M0", kRight}});
  for (int i = 0; i < model.nv; ++i) {
    const int parent = model.dof_parentid[i];
    table.add({fmt::format("{}", i), cell_name(model, ObjectType::kJoint, model.dof_jntid[i]),
               cell_name(model, ObjectType::kBody, model.dof_bodyid[i]), parent < 0 ? "-" : fmt::format("{}", parent),
               format_number(model.dof_damping[i]), format_number(model.dof_armature[i]),
               format_number(model.dof_frictionloss[i]), format_number(model.dof_M0[i])});
  }
  return table;
}

Table keyframes(const Model& model) {
  Table table({{"id", kRight}, {"name"}, {"time s", kRight}});
  for (int k = 0; k < model.nkey; ++k)
    table.add({fmt::format("{}", k), cell_name(model, ObjectType::kKey, k), format_number(model.key_time[k])});
  return table;
}

}  // namespace

Totals::Totals(const Model& model) : model_bytes(model.bytes()) {
  Data data(model);
  data_bytes = data.bytes();
  compute_kinematics(model, data);
  for (int b = 0; b < model.nbody; ++b) {
    mass += model.body_mass[b];
    for (int k = 0; k < 3; ++k) com[k] += model.body_mass[b] * data.xipos[3 * b + k];
  }
  for (double& coordinate : com) coordinate = mass > 0 ? coordinate / mass : 0;
}

std::string inspection_tables(const Model& model, const Terminal& terminal) {
  return summary(model, terminal) + section(terminal, "Bodies", model.nbody, bodies(model)) +
         section(terminal, "Joints", model.njnt, joints(model)) + section(terminal, "Dofs", model.nv, dofs(model)) +
         section(terminal, "Keyframes", model.nkey, keyframes(model));
}

}  // namespace torsor::cli
