// The model while it is being compiled: the bodies of a Spec with resolved poses, shapes and masses, which may still be
// moved, merged or left out. Stages change a Draft in the order in which compile.cpp calls them.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "torsor/core/count.hpp"
#include "torsor/core/error.hpp"
#include "torsor/geometry/hfield.hpp"
#include "torsor/geometry/mesh.hpp"
#include "torsor/geometry/triangle_tree.hpp"
#include "torsor/math/pose.hpp"
#include "torsor/model/faults.hpp"
#include "torsor/model/spec.hpp"

namespace torsor::compiler {

// Ids are ints, indices of vectors size_t.
inline size_t at(int index) { return static_cast<size_t>(index); }

using Vec = Vec3<double>;
using Rotation = Quat<double>;
using Frame = Pose<double>;

// Frames closer than kSameFrame coincide; masses below kNoMass are left out of sums. The thresholds are MuJoCo's, since
// the compiled model depends on them.
constexpr double kSameFrame = 1e-6;
constexpr double kNoMass = 1e-14;

inline Vec to_vec(const Number3& v) { return {v[0], v[1], v[2]}; }

// Vectors and quaternions shorter than 1e-7 have no direction; computed with the same rounding as in MuJoCo.
template <class V>
bool has_direction(const V& v) {
  return dot(v, v) >= 1e-14;
}

struct JointDraft {
  const JointSpec* spec = nullptr;
  Vec p_BoJo_B{}, axis_B{};
  bool limited = false, force_limited = false;
  Number2 range{};
  double reference = 0, spring_reference = 0, spring_yield = 0;  // rad for hinges
};

struct GeomDraft {
  const GeomSpec* spec = nullptr;
  Frame X_BG{};
  Vec size{};
  int data = -1, material = -1;  // mesh or height field
  Aabb bounds{};                 // in G
  double bounding_radius = 0;
  double mass = 0;
  Vec p_GoGcm_G{}, moments{};               // about Gcm, along G's axes
  Vec surface_linear{}, surface_angular{};  // velocity of the surface in G
  std::array<double, 12> fluid{};
};

struct SiteDraft {
  const SiteSpec* spec = nullptr;
  Frame X_BS{};
  Vec size{};
  int material = -1, mesh = -1;
};

struct CameraDraft {
  const CameraSpec* spec = nullptr;
  Frame X_BC{};
  int target = -1;  // final id of a body
};

struct LightDraft {
  const LightSpec* spec = nullptr;
  Vec p_BoLo_B{}, direction_B{};
  int target = -1, texture = -1;
};

// Ids of the final numbering; the signature is what pairs and exclusions are sorted by.
struct PairDraft {
  const PairSpec* spec = nullptr;
  int geom1 = -1, geom2 = -1, signature = 0;
};

struct ExcludeDraft {
  const ExcludeSpec* spec = nullptr;
  int signature = 0;
};

// One element of a tendon's path, as stored in the Model.
struct WrapDraft {
  WrapType type = WrapType::kNone;
  int id = -1;
  double parameter = 0;
};

struct TendonDraft {
  const TendonSpec* spec = nullptr;
  bool limited = false, force_limited = false;
  int material = -1;
  std::vector<WrapDraft> path;
  std::vector<int> dofs;   // that its length may depend on, ascending
  std::vector<int> trees;  // along the path, each once
};

struct ActuatorDraft {
  const ActuatorSpec* spec = nullptr;
  Transmission transmission = Transmission::kJoint;
  int target = -1, reference = -1;  // ids of the driven object, and of its reference or slider site
  int ctrlspec = 0, controls = 1, outputs = 1, activations = 0;
  std::vector<int> dofs;  // that its length may depend on, ascending
  int reserved = 0;       // entries of each output in actuator_moment
  bool ctrllimited = false, forcelimited = false, actlimited = false;
  Number2 ctrlrange{}, actrange{};

  // User data, index of the newest sample, then times and values.
  Count history_size() const {
    return spec->nsample > 0 ? Count(2) + Count(spec->nsample) * (Count(1) + Count(controls)) : Count();
  }
};

struct EqualityDraft {
  const EqualitySpec* spec = nullptr;
  int object1 = -1, object2 = -1;
};

struct SensorDraft {
  const SensorSpec* spec = nullptr;
  SensorData data = SensorData::kReal;
  SensorStage stage = SensorStage::kNone;
  Count dim;                        // size of one reading
  int object = -1, reference = -1;  // ids of the measured object and of its reference

  // The time of the last sample, index of the newest one, then times and readings.
  Count history_size() const {
    return spec->nsample > 0 ? Count(2) + Count(spec->nsample) * (Count(1) + dim) : Count();
  }
};

struct TupleDraft {
  const TupleSpec* spec = nullptr;
  std::vector<std::pair<ObjectType, int>> objects;  // kind and id of each entry
};

struct BodyDraft {
  const BodySpec* spec = nullptr;
  int parent = -1;                             // index in Draft::bodies
  Frame X_PB = Frame::identity();              // frames of the parent included
  Frame X_written = Frame::identity();         // by the body's own attributes
  Frame X_BF_of_inertial = Frame::identity();  // the frame that <inertial> is written in
  double mass = 0;
  Frame X_BI = Frame::identity();  // principal axes at the COM
  Vec moments{};
  bool has_bad_mass = false;  // error in its geoms or inertial, already reported; its mass is unknown
  bool is_adjusted = false;   // bounds or balance changed its mass or inertia
  bool is_fused = false;      // dissolved into its parent
  bool is_aligned = false;    // its frame is the inertial frame
  std::vector<int> children;  // in the order of the final numbering
  std::vector<JointDraft> joints;
  std::vector<GeomDraft> geoms;
  std::vector<SiteDraft> sites;
  std::vector<CameraDraft> cameras;
  std::vector<LightDraft> lights;
};

// Names of one kind of object, as the author wrote them.
class NameTable {
 public:
  void add(const std::string& name, int id);
  // -1 for an unknown name
  int find(std::string_view name) const;
  std::string hint(const std::string& name) const;

 private:
  std::unordered_map<std::string_view, int> ids_;
};

// A stage reports errors and continues, so that all errors are found in one run. Steps that depend on a wrong result
// are skipped: the steps of one element use passes(), and the stages that write the Model come after throw_if_errors().
struct Draft {
  // Errors that follow from findings of earlier stages of loading are not reported.
  Draft(const Spec& source, const Findings& findings);

  const Spec& spec;
  const Findings& earlier;
  Diagnostics diagnostics;
  int problems = 0;               // errors, including those not reported because they may follow from others
  std::vector<BodyDraft> bodies;  // as in the Spec; parents before children
  std::vector<std::optional<CompiledMesh>> meshes;  // empty if the data are not a valid mesh
  std::vector<HullGraph> hulls;                     // of those meshes that have one
  std::vector<TriangleTree> trees;                  // of those meshes that collide as triangles
  std::vector<ElevationGrid> hfields;
  std::vector<PairDraft> pairs;
  std::vector<ExcludeDraft> excludes;
  std::vector<TendonDraft> tendons;
  std::vector<ActuatorDraft> actuators;
  std::vector<EqualityDraft> equalities;
  std::vector<SensorDraft> sensors;
  std::vector<TupleDraft> tuples;
  std::vector<int> kept_meshes;  // indices in spec.meshes
  bool drops_visuals = false;    // materials and textures are left out
  NameTable body_names, mesh_names, hfield_names, texture_names, material_names;

  // "joint 'knee'", or "joint" without a name
  static std::string describe(std::string_view kind, const ElementSpec& element);
  void error(std::string_view kind, const ElementSpec& element, const std::string& message, std::string hint = {});
  // The same for a part of an element; with an empty location, for the whole model.
  void error_at(const Location& where, const std::string& message, std::string hint = {});
  void warning(std::string_view kind, const ElementSpec& element, const std::string& message);
  // The id of a name that must exist; reports and returns -1 otherwise. An empty name is -1 without a report.
  int resolve(const NameTable& table, std::string_view what, const std::string& name, std::string_view kind,
              const ElementSpec& element);
  // Whether an element may be missing because of an error already reported.
  bool is_explained(std::string_view missing_name) const { return earlier.faults.may_explain(missing_name); }
  bool is_faulty(const ElementSpec& element) const { return earlier.faults.has_element(element.location); }

  // Runs a step. Returns whether it found no errors, so that its results can be used.
  template <class Step>
  bool passes(Step&& step) {
    const int before = problems;
    step();
    return problems == before;
  }
  // Throws one Error with the errors of all stages.
  void throw_if_errors() const;

 private:
  int find_parent(const BodySpec& body, int id);
};

// The stages, in order.
void compile_assets(Draft& draft);      // assets.cpp: meshes, height fields
void place_elements(Draft& draft);      // frames.cpp: poses in body frames
void settle_joints(Draft& draft);       // joints.cpp: limits, units
void shape_geoms(Draft& draft);         // geoms.cpp: sizes, bounds, masses
void shape_sites(Draft& draft);         // geoms.cpp: sizes
void compute_inertias(Draft& draft);    // inertia.cpp: written or inferred
void align_free_bodies(Draft& draft);   // restructure.cpp
void discard_visuals(Draft& draft);     // restructure.cpp
void fuse_static_bodies(Draft& draft);  // restructure.cpp
void scale_total_mass(Draft& draft);    // inertia.cpp
void check_tree(Draft& draft);          // check_tree.cpp: joints, mass

// A mass with its inertial frame, and the sum of two.
struct BodyMass {
  double mass;
  Frame X_BI;
  Vec moments;
};
BodyMass join_masses(const std::vector<BodyMass>& parts);

// Checks SAP stiffness and dissipation; `otherwise` describes what an element gets without them.
template <class Element>
void check_compliance(Draft& draft, const char* kind, const Element& spec, const char* otherwise) {
  if (spec.sapstiffness && !(*spec.sapstiffness > 0))
    draft.error(kind, spec, "sapstiffness must be positive", std::string("omit it to get ") + otherwise);
  if (spec.sapdissipation && !(*spec.sapdissipation >= 0)) draft.error(kind, spec, "sapdissipation cannot be negative");
}

}  // namespace torsor::compiler
