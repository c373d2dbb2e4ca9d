// Converts a builder's lists to a Spec. The headings below name the file of each part.
#pragma once

#include <map>

#include "torsor/bridge/newton/layout.hpp"

namespace torsor::newton {

template <class Element>
void place(Element& element, const Pose<double>& X) {
  element.pos = to_array(X.p);
  element.orientation = {};
  element.orientation.quat = {X.q.w, X.q.x, X.q.y, X.q.z};
}

// Equal bounds are separated slightly, as the solver requires.
inline Number2 make_range(double lower, double upper) {
  const double hair = upper > lower ? 0 : 1e-9;
  return {lower - hair, upper + hair};
}

// SAP parameters from stiffness and damping: the stiffness itself, and damping over stiffness as a dissipation time.
// Newton's defaults describe no real material (a block of a tonne would sink in by metres), so if they are unchanged,
// SAP's near-rigid defaults are used.
template <class Element>
void set_sap_compliance(Element& element, double ke, double kd, double untouched_ke, double untouched_kd) {
  if (!(ke > 0) || (ke == untouched_ke && kd == untouched_kd)) return;
  element.sapstiffness = ke;
  element.sapdissipation = kd / ke;
}
template <class Element>
void set_sap_limit(Element& element, double limit_ke, double limit_kd) {
  const DofConfig untouched;
  set_sap_compliance(element, limit_ke, limit_kd, untouched.limit_ke, untouched.limit_kd);
}

class SpecMaker {
 public:
  SpecMaker(const ModelBuilder& builder, Layout& layout);
  Spec make();

 private:
  // --- names, options and copied elements: make_spec.cpp ---
  void set_options();
  BodySpec& body_spec(int body);
  std::string body_name(int body) const;
  std::string dof_name(int dof) const;
  bool is_pose(int j) const;
  void exclude_static_parents(const std::vector<int>& order);
  void add_native();
  void list_order();

  // --- bodies and their joints: spec_bodies.cpp ---
  void add_body(int b);
  void set_inertial(int b, InertialSpec& inertial) const;
  void add_joints(int j, int b);
  void add_descendant_free(int j, int b, int dof);
  void add_axis(int j, int b, int dof, bool is_linear);
  JointSpec start_joint(int dof) const;
  void add(int b, const JointSpec& joint, int j, CoordinateKind kind);
  void list_joint(const std::string& name, int j, int b, CoordinateKind kind, double ref, const Vec3<double>& axis_B);
  void check_masses(const std::vector<int>& order) const;

  // --- shapes: spec_shapes.cpp ---
  void add_shape(int s);
  void set_geometry(int s, GeomSpec& geom);
  std::string add_mesh(const SourcePtr& source, const Vector3& scale, bool is_hull);
  std::string add_hfield(const SourcePtr& source);
  void add_site(int s);
  void list_geoms();
  void separate_worlds();

  // --- elements between bodies: spec_links.cpp ---
  void add_drives();
  void add_drive(int j, int dof);
  void add_distance(int j);
  void close_loop(int j);
  void connect(int j, EqualityType type, const Vec3<double>& p_J);
  std::string add_anchor(int joint, bool of_parent, const Vec3<double>& p_J);

  struct KnownMesh {
    SourcePtr source;
    Vector3 scale;
    std::string name;
  };
  const ModelBuilder& builder_;
  Layout& layout_;
  Spec spec_;
  std::map<std::string, int> keys_;  // of bodies, how often
  std::vector<KnownMesh> meshes_;
  std::vector<std::pair<SourcePtr, std::string>> hfields_;
  std::vector<std::vector<int>> shapes_of_;  // by body of the engine
  int sites_ = 0;
};

}  // namespace torsor::newton
