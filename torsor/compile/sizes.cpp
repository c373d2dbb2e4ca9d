// Counting, and limits against absurd sizes.
#include "torsor/compile/sizes.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "torsor/compile/names.hpp"
#include "torsor/model/data.hpp"

namespace torsor::compiler {
namespace {

template <class T>
Count bytes_of(const FieldInfo& info, const Field<T>&) {
  return Count(info.rows) * Count(info.columns) * Count(sizeof(T));
}

double gibibytes(Count bytes) { return static_cast<double>(bytes.value()) / (1LL << 30); }

class Counter {
 public:
  Counter(Draft& draft, const Tree& tree) : draft_(draft), tree_(tree) {}

  ModelSizes count() {
    count_tree();
    count_assets();
    set_count(sizes_.npair, "npair", draft_.pairs);
    set_count(sizes_.nexclude, "nexclude", draft_.excludes);
    set_count(sizes_.neq, "neq", draft_.spec.equalities);
    count_tendons();
    count_plastic();
    count_actuators();
    count_sensors();
    count_custom();
    set(sizes_.nnames, "nnames", count_names(draft_, tree_));
    set(sizes_.npaths, "npaths", count_paths(draft_));
    check();
    return sizes_;
  }

 private:
  // The only place where a Count becomes a size of the Model.
  void set(int& size, const char* name, Count count) {
    if (count > Count(kMostNumbers)) {
      draft_.error_at({}, fmt::format("the model is too large: {} would be {}", name, count.value()));
      count = 0;
    }
    size = static_cast<int>(count.value());
  }
  template <class Container>
  void set_count(int& size, const char* name, const Container& container) {
    set(size, name, container.size());
  }

  void count_tree() {
    set(sizes_.nbody, "nbody", tree_.order.size());
    set(sizes_.njnt, "njnt", tree_.njnt);
    set(sizes_.nq, "nq", tree_.nq);
    set(sizes_.nv, "nv", tree_.dof_bodyid.size());
    set(sizes_.nmocap, "nmocap", tree_.nmocap);
    set_count(sizes_.ntree, "ntree", tree_.tree_bodyadr);
    const SparsitySizes sparsity = count_sparsity(tree_);
    set(sizes_.nM, "nM", sparsity.nM);
    set(sizes_.nB, "nB", sparsity.nB);
    set(sizes_.nC, "nC", sparsity.nC);
    set(sizes_.nD, "nD", sparsity.nD);
    Count geoms, sites, cameras, lights, compensated;
    for (const int index : tree_.order) {
      const BodyDraft& body = draft_.bodies[at(index)];
      geoms += body.geoms.size();
      sites += body.sites.size();
      cameras += body.cameras.size();
      lights += body.lights.size();
      compensated += body.spec->gravcomp > 0 ? 1 : 0;
    }
    set(sizes_.ngeom, "ngeom", geoms);
    set(sizes_.nsite, "nsite", sites);
    set(sizes_.ncam, "ncam", cameras);
    set(sizes_.nlight, "nlight", lights);
    set(sizes_.ngravcomp, "ngravcomp", compensated);
  }

  void count_assets() {
    Count vertices, normals, texcoords, faces, elevations, corners, edges, hull_faces, triangles, nodes;
    for (const int id : draft_.kept_meshes) {
      if (!draft_.meshes[at(id)]) continue;  // already reported
      const CompiledMesh& mesh = *draft_.meshes[static_cast<size_t>(id)];
      vertices += mesh.vertices.size() / 3;
      normals += mesh.normals.size() / 3;
      texcoords += mesh.texcoords.size() / 2;
      faces += mesh.faces.size() / 3;
      const TriangleTree& tree = draft_.trees[static_cast<size_t>(id)];
      triangles += tree.corners.size() / 3;
      nodes += tree.links.size() / 2;
      if (!mesh.hull) continue;
      corners += mesh.hull->vertices.size();
      hull_faces += mesh.hull->faces.size() / 3;
      edges += draft_.hulls[static_cast<size_t>(id)].edges.size();
    }
    for (const ElevationGrid& grid : draft_.hfields) elevations += grid.elevations.size();
    set_count(sizes_.nmesh, "nmesh", draft_.kept_meshes);
    set(sizes_.nmeshvert, "nmeshvert", vertices);
    set(sizes_.nmeshnormal, "nmeshnormal", normals);
    set(sizes_.nmeshtexcoord, "nmeshtexcoord", texcoords);
    set(sizes_.nmeshface, "nmeshface", faces);
    set(sizes_.nmeshhullvert, "nmeshhullvert", corners);
    set(sizes_.nmeshhullface, "nmeshhullface", hull_faces);
    set(sizes_.nmeshhulledge, "nmeshhulledge", edges);
    set(sizes_.nmeshtri, "nmeshtri", triangles);
    set(sizes_.nmeshtree, "nmeshtree", nodes);
    set_count(sizes_.nhfield, "nhfield", draft_.hfields);
    set(sizes_.nhfielddata, "nhfielddata", elevations);
    count_skins();
    if (draft_.drops_visuals) return;
    set_count(sizes_.ntex, "ntex", draft_.spec.textures);
    set_count(sizes_.nmat, "nmat", draft_.spec.materials);
  }

  void count_skins() {
    Count vertices, texcoords, faces, bones, moved;
    for (const SkinSpec& skin : draft_.spec.skins) {
      vertices += skin.vertex.size() / 3;
      texcoords += skin.texcoord.size() / 2;
      faces += skin.face.size() / 3;
      bones += skin.bones.size();
      for (const SkinSpec::Bone& bone : skin.bones) moved += bone.vertid.size();
    }
    set_count(sizes_.nskin, "nskin", draft_.spec.skins);
    set(sizes_.nskinvert, "nskinvert", vertices);
    set(sizes_.nskintexvert, "nskintexvert", texcoords);
    set(sizes_.nskinface, "nskinface", faces);
    set(sizes_.nskinbone, "nskinbone", bones);
    set(sizes_.nskinbonevert, "nskinbonevert", moved);
  }

  void count_plastic() {
    Count numbers;
    for (const int index : tree_.order) {
      for (const JointDraft& joint : draft_.bodies[at(index)].joints)
        if (joint.spring_yield > 0) numbers += joint.spec->type == JointType::kBall ? 4 : 1;
    }
    for (const TendonDraft& tendon : draft_.tendons) numbers += tendon.spec->springyield > 0 ? 2 : 0;
    set(sizes_.nplastic, "nplastic", numbers);
  }

  void count_actuators() {
    Count controls, outputs, activations, moments, history;
    for (const ActuatorDraft& actuator : draft_.actuators) {
      controls += actuator.controls;
      outputs += actuator.outputs;
      activations += actuator.activations;
      moments += Count(actuator.outputs) * Count(actuator.reserved);
      if (actuator.history_size() <= Count(kMostNumbers))
        history += actuator.history_size();
      else
        draft_.error("actuator", *actuator.spec,
                     fmt::format("has a history of {} numbers, and {} is the limit", actuator.history_size().value(),
                                 kMostNumbers),
                     "set a smaller nsample");
    }
    set_count(sizes_.nactuator, "nactuator", draft_.actuators);
    set(sizes_.nu, "nu", controls);
    set(sizes_.nout, "nout", outputs);
    set(sizes_.na, "na", activations);
    set(sizes_.nJmom, "nJmom", moments);
    set(sizes_.nhistory, "nhistory", history);
  }

  void count_sensors() {
    Count numbers, history = sizes_.nhistory;
    for (const SensorDraft& sensor : draft_.sensors) {
      numbers += sensor.dim;
      if (sensor.history_size() <= Count(kMostNumbers)) history += sensor.history_size();  // otherwise already reported
    }
    set_count(sizes_.nsensor, "nsensor", draft_.spec.sensors);
    set(sizes_.nsensordata, "nsensordata", numbers);
    set(sizes_.nhistory, "nhistory", history);
  }

  void count_tendons() {
    Count elements, dofs;
    for (const TendonDraft& tendon : draft_.tendons) {
      elements += tendon.path.size();
      dofs += tendon.dofs.size();
    }
    set_count(sizes_.ntendon, "ntendon", draft_.tendons);
    set(sizes_.nwrap, "nwrap", elements);
    set(sizes_.nJten, "nJten", dofs);
  }

  void count_custom() {
    const Spec& spec = draft_.spec;
    Count numbers, characters, objects;
    for (const NumericSpec& numeric : spec.numerics)
      numbers += numeric.size < 0 ? Count(numeric.data.size()) : Count(numeric.size);
    for (const TextSpec& text : spec.texts) characters += Count(text.data.size()) + Count(1);
    for (const TupleSpec& tuple : spec.tuples) objects += tuple.entries.size();
    set_count(sizes_.nnumeric, "nnumeric", spec.numerics);
    set(sizes_.nnumericdata, "nnumericdata", numbers);
    set_count(sizes_.ntext, "ntext", spec.texts);
    set(sizes_.ntextdata, "ntextdata", characters);
    set_count(sizes_.ntuple, "ntuple", spec.tuples);
    set(sizes_.ntupledata, "ntupledata", objects);
    set(sizes_.nkey, "nkey", std::max(Count(spec.keys.size()), Count(spec.size.nkey)));
    set(sizes_.nuserdata, "nuserdata", spec.size.nuserdata);
    sizes_.njmax = spec.size.njmax;
    sizes_.nconmax = spec.size.nconmax;
    count_user();
  }

  // The size of user data: as given by the author, or that of the element with the most.
  template <class Element>
  void widen_by(int asked, const char* kind, const Element& element, int& size) {
    const int count = static_cast<int>(element.user.size());
    if (asked >= 0 && count > asked)
      draft_.error(kind, element, fmt::format("has {} user numbers, but the size allows {}", count, asked));
    size = std::max(size, asked >= 0 ? asked : count);
  }

  template <class Elements>
  void widen_user(int asked, const char* kind, const Elements& elements, int& size) {
    for (const auto& element : elements) widen_by(asked, kind, element, size);
  }

  void count_user() {
    const SizeSpec& asked = draft_.spec.size;
    set(sizes_.nuser_body, "nuser_body", asked.nuser_body);
    set(sizes_.nuser_jnt, "nuser_jnt", asked.nuser_jnt);
    set(sizes_.nuser_geom, "nuser_geom", asked.nuser_geom);
    set(sizes_.nuser_site, "nuser_site", asked.nuser_site);
    set(sizes_.nuser_cam, "nuser_cam", asked.nuser_cam);
    set(sizes_.nuser_tendon, "nuser_tendon", asked.nuser_tendon);
    set(sizes_.nuser_actuator, "nuser_actuator", asked.nuser_actuator);
    set(sizes_.nuser_sensor, "nuser_sensor", asked.nuser_sensor);
    widen_user(asked.nuser_tendon, "tendon", draft_.spec.tendons, sizes_.nuser_tendon);
    widen_user(asked.nuser_actuator, "actuator", draft_.spec.actuators, sizes_.nuser_actuator);
    widen_user(asked.nuser_sensor, "sensor", draft_.spec.sensors, sizes_.nuser_sensor);
    for (const BodySpec& body : draft_.spec.bodies) {
      widen_user(asked.nuser_jnt, "joint", body.joints, sizes_.nuser_jnt);
      widen_user(asked.nuser_site, "site", body.sites, sizes_.nuser_site);
      widen_user(asked.nuser_cam, "camera", body.cameras, sizes_.nuser_cam);
    }
    for (const BodyDraft& body : draft_.bodies) {  // without those that were fused or discarded
      if (!body.is_fused) widen_by(asked.nuser_body, "body", *body.spec, sizes_.nuser_body);
      for (const GeomDraft& geom : body.geoms) widen_by(asked.nuser_geom, "geom", *geom.spec, sizes_.nuser_geom);
    }
  }

  // Each array by itself, since rows and columns multiply; then all of them together with those of one Data.
  void check() {
    ModelView model;
    DataView<double> data;
    static_cast<ModelSizes&>(model) = sizes_;
    static_cast<ModelSizes&>(data) = sizes_;
    Count bytes;
    const auto check_field = [&](const FieldInfo& info, const auto& field) {
      const Count count = Count(info.rows) * Count(info.columns);
      bytes += bytes_of(info, field);
      if (count > Count(kMostNumbers))
        draft_.error_at({}, fmt::format("the model is too large: {} would have {} numbers", info.name, count.value()));
    };
    const bool fits = draft_.passes([&] {
      model.for_each_field(check_field);
      data.for_each_field(check_field);
      data.for_each_index_field(check_field);
      data.for_each_switch_field(check_field);
    });
    const Count limit = draft_.spec.memory_limit;
    if (fits && bytes > limit)
      draft_.error_at(
          {},
          fmt::format("the model is too large: its arrays would take {:.3g} GiB, and the limit is {:.3g} GiB",
                      gibibytes(bytes), gibibytes(limit)),
          "raise it with the option memory_limit");
  }

  Draft& draft_;
  const Tree& tree_;
  ModelSizes sizes_;
};

}  // namespace

ModelSizes count_sizes(Draft& draft, const Tree& tree) { return Counter(draft, tree).count(); }

}  // namespace torsor::compiler
