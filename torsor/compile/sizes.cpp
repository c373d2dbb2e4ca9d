// Counting, and limits against absurd sizes.
#include "torsor/compile/sizes.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "torsor/compile/names.hpp"

namespace torsor::compiler {
namespace {

// More numbers than this in one array are surely a mistake, and twice as many could not be indexed.
constexpr long long kMostNumbers = 1LL << 28;

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
    count_actuators();
    count_sensors();
    count_custom();
    set(sizes_.nnames, "nnames", count_names(draft_, tree_));
    set(sizes_.npaths, "npaths", count_paths(draft_));
    check();
    return sizes_;
  }

 private:
  // Counts are added up in a wide type, so that a model that is too large is noticed.
  void set(int& size, const char* name, long long value) {
    if (value > kMostNumbers || value < 0) {
      draft_.diagnostics.error({}, fmt::format("the model is too large: {} would be {}", name, value));
      value = 0;
    }
    size = static_cast<int>(value);
  }
  template <class Container>
  void set_count(int& size, const char* name, const Container& container) {
    set(size, name, static_cast<long long>(container.size()));
  }

  void count_tree() {
    sizes_.nbody = tree_.nbody();
    sizes_.njnt = tree_.njnt;
    sizes_.nq = tree_.nq;
    sizes_.nv = tree_.nv();
    sizes_.nmocap = tree_.nmocap;
    set_count(sizes_.ntree, "ntree", tree_.tree_bodyadr);
    const SparsitySizes sparsity = count_sparsity(tree_);
    set(sizes_.nM, "nM", sparsity.nM);
    set(sizes_.nB, "nB", sparsity.nB);
    set(sizes_.nC, "nC", sparsity.nC);
    set(sizes_.nD, "nD", sparsity.nD);
    for (const int index : tree_.order) count_body(draft_.bodies[static_cast<size_t>(index)]);
  }

  void count_body(const BodyDraft& body) {
    sizes_.ngeom += static_cast<int>(body.geoms.size());
    sizes_.nsite += static_cast<int>(body.sites.size());
    sizes_.ncam += static_cast<int>(body.cameras.size());
    sizes_.nlight += static_cast<int>(body.lights.size());
    sizes_.ngravcomp += body.spec->gravcomp > 0;
  }

  void count_assets() {
    long long vertices = 0, normals = 0, texcoords = 0, faces = 0, elevations = 0, corners = 0, edges = 0,
              hull_faces = 0, triangles = 0, nodes = 0;
    for (const int id : draft_.kept_meshes) {
      const CompiledMesh& mesh = *draft_.meshes[static_cast<size_t>(id)];
      vertices += static_cast<long long>(mesh.vertices.size()) / 3;
      normals += static_cast<long long>(mesh.normals.size()) / 3;
      texcoords += static_cast<long long>(mesh.texcoords.size()) / 2;
      faces += static_cast<long long>(mesh.faces.size()) / 3;
      const TriangleTree& tree = draft_.trees[static_cast<size_t>(id)];
      triangles += static_cast<long long>(tree.corners.size()) / 3;
      nodes += static_cast<long long>(tree.links.size()) / 2;
      if (!mesh.hull) continue;
      corners += static_cast<long long>(mesh.hull->vertices.size());
      hull_faces += static_cast<long long>(mesh.hull->faces.size()) / 3;
      edges += static_cast<long long>(draft_.hulls[static_cast<size_t>(id)].edges.size());
    }
    for (const ElevationGrid& grid : draft_.hfields) elevations += static_cast<long long>(grid.elevations.size());
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
    if (draft_.drops_visuals) return;
    set_count(sizes_.ntex, "ntex", draft_.spec.textures);
    set_count(sizes_.nmat, "nmat", draft_.spec.materials);
  }

  void count_actuators() {
    long long controls = 0, outputs = 0, activations = 0, moments = 0, history = 0;
    for (const ActuatorDraft& actuator : draft_.actuators) {
      controls += actuator.controls;
      outputs += actuator.outputs;
      activations += actuator.activations;
      moments += static_cast<long long>(actuator.outputs) * actuator.reserved;
      history += actuator.history_size();
    }
    set_count(sizes_.nactuator, "nactuator", draft_.actuators);
    set(sizes_.nu, "nu", controls);
    set(sizes_.nout, "nout", outputs);
    set(sizes_.na, "na", activations);
    set(sizes_.nJmom, "nJmom", moments);
    set(sizes_.nhistory, "nhistory", history);
  }

  void count_sensors() {
    long long numbers = 0, history = sizes_.nhistory;
    for (const SensorSpec& sensor : draft_.spec.sensors) {
      numbers += sensor_dim(draft_.spec, sensor);
      history += sensor_history_size(draft_.spec, sensor);
    }
    set_count(sizes_.nsensor, "nsensor", draft_.spec.sensors);
    set(sizes_.nsensordata, "nsensordata", numbers);
    set(sizes_.nhistory, "nhistory", history);
  }

  void count_tendons() {
    long long elements = 0, dofs = 0;
    for (const TendonDraft& tendon : draft_.tendons) {
      elements += static_cast<long long>(tendon.path.size());
      dofs += static_cast<long long>(tendon.dofs.size());
    }
    set_count(sizes_.ntendon, "ntendon", draft_.tendons);
    set(sizes_.nwrap, "nwrap", elements);
    set(sizes_.nJten, "nJten", dofs);
  }

  void count_custom() {
    const Spec& spec = draft_.spec;
    long long numbers = 0, characters = 0, objects = 0;
    for (const NumericSpec& numeric : spec.numerics)
      numbers += numeric.size < 0 ? static_cast<long long>(numeric.data.size()) : numeric.size;
    for (const TextSpec& text : spec.texts) characters += static_cast<long long>(text.data.size()) + 1;
    for (const TupleSpec& tuple : spec.tuples) objects += static_cast<long long>(tuple.entries.size());
    set_count(sizes_.nnumeric, "nnumeric", spec.numerics);
    set(sizes_.nnumericdata, "nnumericdata", numbers);
    set_count(sizes_.ntext, "ntext", spec.texts);
    set(sizes_.ntextdata, "ntextdata", characters);
    set_count(sizes_.ntuple, "ntuple", spec.tuples);
    set(sizes_.ntupledata, "ntupledata", objects);
    set(sizes_.nkey, "nkey",
        std::max(static_cast<long long>(spec.keys.size()), static_cast<long long>(spec.size.nkey)));
    set(sizes_.nuserdata, "nuserdata", spec.size.nuserdata);
    sizes_.njmax = spec.size.njmax;
    sizes_.nconmax = spec.size.nconmax;
    count_user();
  }

  // As many user numbers as the author asks for, or as the element with the most of them has.
  template <class Elements>
  void widen_user(int asked, const char* kind, const Elements& elements, int& size) {
    for (const auto& element : elements) {
      const int count = static_cast<int>(element.user.size());
      if (asked >= 0 && count > asked)
        draft_.error(kind, element, fmt::format("has {} user numbers, but the size allows {}", count, asked));
      size = std::max(size, asked >= 0 ? asked : count);
    }
  }

  void count_user() {
    const SizeSpec& asked = draft_.spec.size;
    sizes_.nuser_body = std::max(0, asked.nuser_body);
    sizes_.nuser_jnt = std::max(0, asked.nuser_jnt);
    sizes_.nuser_geom = std::max(0, asked.nuser_geom);
    sizes_.nuser_site = std::max(0, asked.nuser_site);
    sizes_.nuser_cam = std::max(0, asked.nuser_cam);
    sizes_.nuser_tendon = std::max(0, asked.nuser_tendon);
    sizes_.nuser_actuator = std::max(0, asked.nuser_actuator);
    sizes_.nuser_sensor = std::max(0, asked.nuser_sensor);
    widen_user(asked.nuser_body, "body", draft_.spec.bodies, sizes_.nuser_body);
    widen_user(asked.nuser_tendon, "tendon", draft_.spec.tendons, sizes_.nuser_tendon);
    widen_user(asked.nuser_actuator, "actuator", draft_.spec.actuators, sizes_.nuser_actuator);
    widen_user(asked.nuser_sensor, "sensor", draft_.spec.sensors, sizes_.nuser_sensor);
    for (const BodySpec& body : draft_.spec.bodies) {
      widen_user(asked.nuser_jnt, "joint", body.joints, sizes_.nuser_jnt);
      widen_user(asked.nuser_geom, "geom", body.geoms, sizes_.nuser_geom);
      widen_user(asked.nuser_site, "site", body.sites, sizes_.nuser_site);
      widen_user(asked.nuser_cam, "camera", body.cameras, sizes_.nuser_cam);
    }
  }

  // Every array on its own, since rows and columns multiply.
  void check() {
    ModelView<double> view;
    static_cast<ModelSizes&>(view) = sizes_;
    view.for_each_field([this](const FieldInfo& info, const auto&) {
      const long long count = static_cast<long long>(info.rows) * info.columns;
      if (count > kMostNumbers)
        draft_.diagnostics.error({}, fmt::format("the model is too large: {} would have {} numbers", info.name, count));
    });
  }

  Draft& draft_;
  const Tree& tree_;
  ModelSizes sizes_;
};

}  // namespace

ModelSizes count_sizes(Draft& draft, const Tree& tree) { return Counter(draft, tree).count(); }

}  // namespace torsor::compiler
