// The lists of what is awake.
#include "torsor/model/awake.hpp"

#include <algorithm>

#include "torsor/model/data.hpp"

namespace torsor {
namespace {

constexpr int kStatic = static_cast<int>(SleepState::kStatic), kAsleep = static_cast<int>(SleepState::kAsleep),
              kAwake = static_cast<int>(SleepState::kAwake);

size_t length(int n) { return static_cast<size_t>(n); }

// Mocap bodies and what is fixed to them count as awake: the user may move them at any time.
int state_of(const Model& model, const Data& data, int body) {
  const int tree = model.body_treeid[body];
  if (tree >= 0) return data.tree_awake[tree];
  return model.body_mocapid[model.body_rootid[body]] >= 0 ? kAwake : kStatic;
}

void list_trees(const Model& model, Data& data) {
  data.ntree_awake = data.nv_awake = 0;
  for (int t = 0; t < model.ntree; ++t) {
    const bool awake = data.tree_asleep[t] < 0;
    data.tree_awake[t] = awake ? kAwake : kAsleep;
    data.ntree_awake += awake;
  }
  for (int i = 0; i < model.nv; ++i)
    if (data.tree_awake[model.dof_treeid[i]] == kAwake) data.dof_awake_ind[data.nv_awake++] = i;
}

void list_bodies(const Model& model, Data& data) {
  data.nbody_awake = data.nparent_awake = 0;
  for (int b = 0; b < model.nbody; ++b) {
    data.body_awake[b] = state_of(model, data, b);
    if (data.body_awake[b] != kAsleep) data.body_awake_ind[data.nbody_awake++] = b;
    if (b > 0 && data.body_awake[model.body_parentid[b]] != kAsleep) data.parent_awake_ind[data.nparent_awake++] = b;
  }
}

// Joints, dofs, geoms and sites are numbered in the order of their bodies.
void list_runs(const Model& model, Data& data) {
  AwakeParts& awake = data.awake;
  awake.run_count = 0;
  int joint = 0, dof = 0, geom = model.body_geomnum[0], site = 0;
  while (site < model.nsite && model.site_bodyid[site] == 0) ++site;
  bool in_run = false;
  for (int b = 1; b < model.nbody; ++b) {
    const bool is_awake = data.body_awake[b] == kAwake;
    if (is_awake && !in_run)
      awake.runs[length(awake.run_count++)] = {b, b, joint, joint, dof, dof, geom, geom, site, site};
    in_run = is_awake;
    joint += model.body_jntnum[b], dof += model.body_dofnum[b], geom += model.body_geomnum[b];
    while (site < model.nsite && model.site_bodyid[site] == b) ++site;
    if (is_awake) {
      Range& run = awake.runs[length(awake.run_count - 1)];
      run.body_end = b + 1, run.jnt_end = joint, run.dof_end = dof, run.geom_end = geom, run.site_end = site;
    }
  }
}

// Of a group of bodies below the world that has trees: its static bodies and the roots of the trees. Of others, the
// outermost body.
void list_tops(const Model& model, AwakeParts& awake) {
  awake.top_count = 0;
  for (int begin = 1, end; begin < model.nbody; begin = end) {
    bool has_tree = model.body_treeid[begin] >= 0;
    for (end = begin + 1; end < model.nbody && model.body_parentid[end] != 0; ++end)
      has_tree = has_tree || model.body_treeid[end] >= 0;
    for (int b = begin; b < (has_tree ? end : begin + 1); ++b) {
      const int tree = model.body_treeid[b];
      if (tree < 0 || model.tree_bodyadr[tree] == b) awake.tops[length(awake.top_count++)] = b;
    }
  }
}

template <class IsAwake>
int list_elements(const Model& model, const Data& data, int count, std::vector<int>& list, IsAwake&& is_awake) {
  int listed = 0;
  for (int i = 0; i < count; ++i)
    if (is_awake(model, data, i)) list[length(listed++)] = i;
  return listed;
}

int state_of_object(const Model& model, const Data& data, ObjectType type, int id) {
  const auto state = [&](const Field<int>& bodies) { return data.body_awake[bodies[id]]; };
  if (id < 0) return kStatic;
  switch (type) {
    case ObjectType::kBody:
    case ObjectType::kXBody:
      return data.body_awake[id];
    case ObjectType::kJoint:
      return state(model.jnt_bodyid);
    case ObjectType::kGeom:
      return state(model.geom_bodyid);
    case ObjectType::kSite:
      return state(model.site_bodyid);
    case ObjectType::kCamera:
      return state(model.cam_bodyid);
    case ObjectType::kTendon:
      return is_tendon_awake(model, data, id) ? kAwake : kAsleep;
    case ObjectType::kActuator:
      return is_actuator_awake(model, data, id) ? kAwake : kAsleep;
    default:
      return kStatic;
  }
}

}  // namespace

AwakeParts::AwakeParts(const ModelSizes& sizes)
    : runs(length(sizes.nbody)),
      tendons(length(sizes.ntendon)),
      actuators(length(sizes.nactuator)),
      sensors(length(sizes.nsensor)),
      tops(length(sizes.nbody)),
      qpos_asleep(length(sizes.nq)),
      frames_asleep(7 * length(sizes.nbody) + 6 * length(sizes.njnt) + length(sizes.nq)) {}

void update_awake(const Model& model, Data& data) {
  AwakeParts& awake = data.awake;
  list_trees(model, data);
  list_bodies(model, data);
  awake.all = data.ntree_awake == model.ntree;
  if (awake.all) return;
  list_runs(model, data);
  list_tops(model, awake);
  awake.tendon_count = list_elements(model, data, model.ntendon, awake.tendons, is_tendon_awake);
  awake.actuator_count = list_elements(model, data, model.nactuator, awake.actuators, is_actuator_awake);
  awake.sensor_count = list_elements(model, data, model.nsensor, awake.sensors, is_sensor_awake);
}

void wake_all(const Model& model, Data& data) {
  std::fill(data.tree_asleep.begin(), data.tree_asleep.end(), kFullyAwake);
  update_awake(model, data);
}

// Trees of tendons across more than two never sleep.
bool is_tendon_awake(const Model& model, const Data& data, int tendon) {
  const int count = std::min(model.tendon_treenum[tendon], 2);
  bool awake = count == 0;
  for (int k = 0; k < count; ++k) awake = awake || data.tree_awake[model.tendon_treeid[2 * tendon + k]] == kAwake;
  return awake;
}

bool is_actuator_awake(const Model& model, const Data& data, int actuator) {
  const int first = model.actuator_outadr[actuator],
            last = actuator + 1 < model.nactuator ? model.actuator_outadr[actuator + 1] : model.nout;
  bool is_fixed = true;
  for (int out = first; out < last; ++out) {
    for (int k = model.moment_rowadr[out], end = k + model.moment_rownnz[out]; k < end; ++k) {
      if (data.tree_awake[model.dof_treeid[model.moment_colind[k]]] == kAwake) return true;
      is_fixed = false;
    }
  }
  return is_fixed;
}

// Readings of what sleeps stay as they were; those that depend on more than their objects are always taken.
bool is_sensor_awake(const Model& model, const Data& data, int sensor) {
  if (model.sensor_historyadr[sensor] >= 0) return true;  // its readings change until the last sample has passed
  switch (static_cast<SensorType>(model.sensor_type[sensor])) {
    case SensorType::kRangefinder:
    case SensorType::kClock:
    case SensorType::kUser:
    case SensorType::kEPotential:
    case SensorType::kEKinetic:
      return true;
    default:
      break;
  }
  const auto type = static_cast<ObjectType>(model.sensor_objtype[sensor]),
             reference = static_cast<ObjectType>(model.sensor_reftype[sensor]);
  const bool is_contact = model.sensor_type[sensor] == static_cast<int>(SensorType::kContact);
  if (is_contact && type == ObjectType::kSite) return true;
  const int state = state_of_object(model, data, type, model.sensor_objid[sensor]),
            other = state_of_object(model, data, reference, model.sensor_refid[sensor]);
  if (is_contact && state == kStatic) return other != kAsleep;
  return state != kAsleep || other == kAwake;
}

}  // namespace torsor
